"""Text in its normal form, and as a label."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pincite.core.text import holds_word, normalise, one_line, word_spans, words

ANY_TEXT = st.text(st.characters(), max_size=80)


@given(ANY_TEXT)
def test_the_normal_form_is_stable_and_storable(text: str) -> None:
    """Normalising twice is normalising once, and the result is UTF-8 without NUL or CR."""
    normal = normalise(text)
    assert normalise(normal) == normal
    assert "\r" not in normal
    assert "\x00" not in normal
    normal.encode()


def test_line_ends_become_line_feeds() -> None:
    """CRLF and CR are one line end each."""
    assert normalise("a\r\nb\rc") == "a\nb\nc"


@given(ANY_TEXT, st.integers(1, 40))
def test_a_label_is_bounded_and_one_line(text: str, limit: int) -> None:
    """No label is longer than asked, and none has a line end or a bidi control."""
    label = one_line(text, limit)
    assert len(label) <= limit
    assert not set(label) & set("\n\r\t\u202e\u2066\u200b")


def test_a_label_smuggles_nothing() -> None:
    """The Arabic letter mark, tags and variation selectors of the supplement are invisible: none stays."""
    assert one_line("a\u061cb\U000e0041c\U000e0101d\u206fe\u180ef", 40) == "a b c d e f"


def test_a_cut_label_says_so() -> None:
    """The cut shows as an ellipsis."""
    assert one_line("one two three", 8) == "one two…"


@given(ANY_TEXT)
def test_words_are_slices_of_the_text(text: str) -> None:
    """Spans and words agree."""
    assert [text[a:b].casefold() for a, b in word_spans(text)] == words(text)


@given(st.text(st.sampled_from("ab1_'’ .é中-"), max_size=14), st.integers(0, 14), st.integers(0, 14))
def test_a_stretch_holds_a_word_when_one_of_the_words_lies_in_it(text: str, start: int, end: int) -> None:
    """A word that begins before or goes on behind is cut, and does not count."""
    start, end = min(start, len(text)), min(end, len(text))
    holds = any(start <= first and last <= end for first, last in word_spans(text))
    assert holds_word(text, start, end) == holds
