"""A snippet is bounded, on one line, and ends with a whole word and a whole character."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.showing import snippet

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
GERMANY = "\U0001f1e9\U0001f1ea"


def test_a_snippet_has_at_most_400_code_points_and_ends_at_a_word() -> None:
    """79 words of five code points and a space fit beside the ellipsis: 4 * 79 + 79 = 395, cut at 5 * 79 + 4."""
    short = snippet("word " * 200)
    assert len(short) <= 400
    assert short == "word " * 79 + "word…"


def test_what_fits_is_whole() -> None:
    """Exactly 400 code points need no ellipsis."""
    assert snippet("x" * 400) == "x" * 400
    assert snippet("x" * 401) == "x" * 399 + "…"
    assert snippet("") == ""


def test_lines_and_invisible_characters_are_left_out() -> None:
    """One line; what could turn text round or hide in it is not shown."""
    assert snippet("two\nlines\u202e") == "two lines"
    assert snippet("a\u200bb \U000e0041c") == "a b c"
    assert snippet("a\u200db") == "a b"


@pytest.mark.parametrize(
    "text", ["\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0915\u094d\u200d\u0937", FAMILY]
)
def test_joiners_that_are_part_of_the_writing_stay(text: str) -> None:
    """Persian, Devanagari and emoji need them; without one a word falls apart."""
    assert snippet(text) == text


@pytest.mark.parametrize(
    ("text", "limit", "cut"),
    [
        # Chinese: any two ideographs may be parted.
        ("量子计算机使用量子比特", 6, "量子计算机…"),
        # Japanese: an ending stays with its word, and so does a run of Katakana.
        ("東京は春です", 6, "東京は春です"),
        ("桜が咲きます。花見に行きます", 8, "桜が咲きます。…"),
        ("春" * 93 + "コンピュータです", 100, "春" * 93 + "…"),
        # A stop stays with what it closes.
        ("春です。夏です。", 5, "春です。…"),
        # Thai: a vowel that is written first begins a syllable.
        ("ประเทศไทย", 7, "ประเทศ…"),
        # Latin letters among ideographs.
        ("使用 qubit 计算机", 9, "使用 qubit…"),
    ],
)
def test_scripts_without_spaces_are_cut_where_a_word_may_end(text: str, limit: int, cut: str) -> None:
    """As far as their letters tell."""
    assert snippet(text, limit) == cut


@pytest.mark.parametrize(
    ("character", "code_points"),
    [
        (FAMILY, 5),
        (GERMANY, 2),
        ("e\u0301", 2),
        ("\U0001f44d\U0001f3fd", 2),
        ("\u0e01\u0e33", 2),
        ("\u1112\u1161\u11ab", 3),
    ],
)
def test_a_character_of_several_code_points_is_never_cut(character: str, code_points: int) -> None:
    """What stays is a number of whole characters."""
    for limit in range(code_points + 2, 40):
        kept = snippet(character * 100, limit)
        assert len(kept) <= limit
        assert kept.removesuffix("…").replace(character, "") == ""
        assert kept != "…"


def test_a_long_run_of_kana_is_not_thrown_away() -> None:
    """Nothing in it tells where a word ends, so it is cut where it stands."""
    assert len(snippet("あ" * 1_000)) == 400


def test_a_hundred_thousand_marks_on_one_letter_are_cut_all_the_same() -> None:
    """There is no whole character that would fit."""
    assert len(snippet("a" + "\u0301" * 100_000)) == 400


@given(st.text(max_size=120), st.integers(1, 60))
def test_every_snippet_is_bounded(text: str, limit: int) -> None:
    """It is on one line, no longer than asked for, and says that it was cut only where it was."""
    short = snippet(text, limit)
    assert len(short) <= limit
    assert "\n" not in short
    if short.endswith("…") and "…" not in text:
        assert short[:-1] in snippet(text, 1_000)
    if not text.strip():
        assert short in ("", snippet(text, 1_000))
