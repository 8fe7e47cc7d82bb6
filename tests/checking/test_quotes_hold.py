"""What holds of every quote and every source, whatever they say."""

from __future__ import annotations

import os
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pincite.checking import SourceIndex, verify_quote
from pincite.core.verdicts import DifferenceKind, QuoteVerdict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pincite.checking.quotes import QuoteCheck

V = QuoteVerdict
# The same examples each time: what a run finds, the next finds too. `PINCITE_HYPOTHESIS=wide` looks at others.
DETERMINED = settings(derandomize=os.environ.get("PINCITE_HYPOTHESIS") is None)
VERIFIED = {V.VERBATIM, V.TYPOGRAPHIC, V.ELIDED}

# Words of which none is another's slip, none limits or turns round, none measures; some with marks and ligatures.
WORDS = """
harbour keeper lantern orchard pilot ledger market copper furnace window bridge meadow saddle bishop canvas thunder
kitchen village soldier blanket chimney officer inflow affliction fjord garden mirror pepper rocket silver temple
violin wagon yellow zebra anchor button castle dragon engine forest guitar hammer island jacket lemon magnet
Brücke forêt garçon señal Öffnung città coração мост река город ποταμός δρόμος wąwóz köprü
""".split()
# A negator is one in its own language.
ENGLISH = [word for word in WORDS if word.isascii()]
NEGATORS = "not never without hardly".split()
_PIECES = [
    *WORDS[:20],
    *"\u0301\u200b\u00ad\ufffe\n\r\t-–−.,;:!?…[](){}<>&\"'“”*_|#%$€°²⁹₂½0123456789漢字かกि",
    *(
        "<b>",
        "</b>",
        "&amp;",
        "&nope;",
        "...",
        " ",
        " ",
        " ",
        "not",
        "unless",
        "only",
        "\ud800",
        "\U0001f98a",
        "한",
    ),
]
TEXTS = st.text(st.characters(), max_size=80) | st.lists(st.sampled_from(_PIECES), max_size=40).map("".join)


@st.composite
def _sentences(draw: st.DrawFn, least: int = 8, most: int = 20, words: Sequence[str] = WORDS) -> list[str]:
    """Words of a sentence, all of them different."""
    return draw(st.lists(st.sampled_from(words), min_size=least, max_size=most, unique=True))


@dataclass(frozen=True)
class Dressed:
    """Words as somebody set them: the text, and where in it each stands."""

    text: str
    spans: list[tuple[int, int]]


_FORMS: list[Callable[[str], tuple[str, str, str]]] = [
    lambda word: ("", word[:2] + "\u200b" + word[2:], ""),
    lambda word: ("", word[:3] + "\u00ad" + word[3:], ""),
    lambda word: ("", word[:3] + "\u00ad\n" + word[3:], ""),
    lambda word: ("", word[:3] + "-\n" + word[3:], ""),
    lambda word: ("", word[:3] + "-\r\n    " + word[3:], ""),
    lambda word: ("", unicodedata.normalize("NFD", word), ""),
    lambda word: ("", word.replace("ffi", "ﬃ").replace("ffl", "ﬄ").replace("fl", "ﬂ"), ""),
    lambda word: ("", f"&#{ord(word[0])};{word[1:]}", ""),
    lambda word: ("<b>", word, "</b>"),
    lambda word: ('<a href="/x?y=1">', word, "</a>"),
    lambda word: ("\u200e", word, "\u200f"),
]
_MARKED: list[Callable[[str], tuple[str, str, str]]] = [
    lambda word: ("**", word, "**"),
    lambda word: ("*", word, "*"),
    lambda word: ("`", word, "`"),
    lambda word: ("[", word, "](https://example.org/a)"),
]
_NOTED: list[Callable[[str], tuple[str, str, str]]] = [
    lambda word: ("", word + "7", ""),
    lambda word: ("", word, " [12]"),
    lambda word: ("", word, "¹²"),
    lambda word: ("", word, "†"),
]
_SPACES = [
    " ",
    " ",
    " ",
    "  ",
    "\n",
    "\r\n",
    "\t",
    "\u00a0",
    "\u2009",
    "\u200b \n",
    "\u2028",
    "<br/>",
    "&nbsp;",
    "\n\n",
]
_PAGES = ["\n\n17\n\n", "\n\n18  THE LIGHTHOUSE\n\n", "\n- 17 -\n\f", "\n\nSeite 17\n\n"]


def _as_is(word: str) -> tuple[str, str, str]:
    return "", word, ""


@st.composite
def _dressed(draw: st.DrawFn, words: list[str], *, notes: bool = True, marks: bool = True) -> Dressed:
    """`words` in some typography.

    With `notes` there may be a footnote's mark and a page's head between them, with `marks` one word is in Markdown.
    """
    forms = draw(st.lists(st.sampled_from([_as_is, *_FORMS]), min_size=len(words), max_size=len(words)))
    spaces = draw(st.lists(st.sampled_from(_SPACES), min_size=len(words), max_size=len(words)))
    marked = draw(st.integers(0, len(words) - 1))
    if marks:
        forms[marked] = draw(st.sampled_from(_MARKED))
    noted = [place for place in range(1, len(words) - 1) if abs(place - marked) > 1]
    if notes and noted:
        forms[draw(st.sampled_from(noted))] = draw(st.sampled_from(_NOTED))
        spaces[draw(st.integers(1, len(words) - 3))] = draw(st.sampled_from(_PAGES))
    # A number keeps to its line: alone on one it would read as a page's.
    for index, word in enumerate(words):
        if not word.isalpha():
            forms[index], spaces[max(0, index - 1)], spaces[index] = _as_is, " ", " "
    text, spans = "", list[tuple[int, int]]()
    for word, form, space in zip(words, forms, spaces, strict=True):
        before, raw, after = form(word)
        start = len(text) + len(before)
        spans.append((start, start + len(raw)))
        text += before + raw + after + space
    return Dressed(text, spans)


def _inside(check: QuoteCheck, source: str) -> None:
    """Assert that nothing of a check lies outside of its source or contradicts the rest of it."""
    assert 0.0 <= check.score <= 1.0
    assert check.is_verified == (check.verdict in VERIFIED)
    assert check.reason
    if check.start is None or check.end is None:
        assert check.start is check.end is None
        assert check.spans == ()
        assert not check.is_verified
        return
    assert 0 <= check.start <= check.end <= len(source)
    assert check.spans
    assert all(start <= end for start, end in check.spans)
    assert check.start == min(start for start, _ in check.spans)
    if check.is_verified:
        assert check.end == max(end for _, end in check.spans)
        flat = [place for span in check.spans for place in span]
        assert flat == sorted(flat)
    assert len(check.omitted) in {0, len(check.spans) - 1}
    for one in check.differences:
        assert 0 <= one.start <= one.end <= len(source)
    if check.is_verified:
        assert check.start < check.end
        assert not any(one.matters for one in check.differences)
    if check.verdict is V.ALTERED:
        assert any(one.matters for one in check.differences)


@DETERMINED
@given(TEXTS, TEXTS, st.none() | TEXTS, st.none() | TEXTS, st.none() | st.integers(-50, 500))
def test_nothing_raises(
    quote: str, source: str, prefix: str | None, suffix: str | None, near: int | None
) -> None:
    """Whatever strings they are, there is a verdict, and its offsets lie inside of the source."""
    _inside(verify_quote(quote, source, prefix=prefix, suffix=suffix, near=near), source)
    _inside(verify_quote(source, source), source)
    _inside(verify_quote(quote, quote + source), quote + source)
    _inside(verify_quote(quote, source + quote + source, near=near), source + quote + source)


@DETERMINED
@given(TEXTS, TEXTS)
def test_the_same_again(quote: str, source: str) -> None:
    """The verdict does not depend on what was asked before, nor on how the source was given."""
    check = verify_quote(quote, source)
    index = SourceIndex(source)
    assert verify_quote(quote, source) == check
    assert verify_quote(quote, index) == check
    assert index.verify("harbour keeper lantern") == verify_quote("harbour keeper lantern", source)
    assert index.verify(quote) == check


@DETERMINED
@given(TEXTS, TEXTS)
def test_what_is_verified_has_the_letters_of_the_source(quote: str, source: str) -> None:
    """A verdict without a difference is given to the same letters and digits alone, or to parts of them."""
    check = verify_quote(quote, source)
    if not check.is_verified or check.differences or check.start is None:
        return
    if check.verdict is V.VERBATIM:
        assert source[check.start : check.end] in quote
    found = "".join(source[start:end] for start, end in check.spans)
    assume(not any(mark in quote + source for mark in "&<[\u00ad\ufffe"))
    assert _letters(found) == _letters(quote)


def _letters(text: str) -> str:
    """Return the letters and digits of a text in one form, for comparing."""
    form = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).casefold()
    return "".join(char for char in form if char.isalnum())


@DETERMINED
@given(_sentences(12, 24), st.sampled_from([" ", "\n", "\r\n", "\t", "  ", ", "]), st.data())
def test_words_cut_at_their_ends_are_verbatim(words: list[str], space: str, data: st.DataObject) -> None:
    """Any run of whole words is found to the code point, or it is too short."""
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first, len(words) - 1))
    source = "\U0001f98a " + space.join(words) + " \U0001f98a."
    quote = space.join(words[first : last + 1])
    start = source.index(quote)
    check = verify_quote(quote, source)
    assert check.verdict in {V.VERBATIM, V.TOO_SHORT}
    assert (check.start, check.end) == (start, start + len(quote))
    assert check.spans == ((start, start + len(quote)),)
    assert len(quote) >= 12 or check.verdict is V.TOO_SHORT
    assert not check.is_repeated
    assert check.differences == ()


@DETERMINED
@given(TEXTS, st.data())
def test_any_slice_at_spaces_is_where_it_is_near(text: str, data: st.DataObject) -> None:
    """Of a text of anything at all, words between spaces that are verified are found where they were taken."""
    text = "harbour keeper " + text + " lantern orchard"
    parts = [place for place, char in enumerate(text) if char == " "]
    start = data.draw(st.sampled_from([0, *(place + 1 for place in parts)]))
    end = data.draw(st.sampled_from([*parts, len(text)]))
    quote = text[start:end]
    assume(start < end and quote == quote.strip() and "<" not in quote)
    check = verify_quote(quote, text, near=start)
    _inside(check, text)
    assert check.verdict not in {V.ABSENT, V.ELSEWHERE}
    if check.verdict is V.VERBATIM and quote.isalpha():
        assert (check.start, check.end) == (start, end)


@DETERMINED
@given(_sentences(), st.data())
def test_other_typography_in_the_source(words: list[str], data: st.DataObject) -> None:
    """However the source is set, plain words are found in it, from the first letter to the last."""
    dressed = data.draw(_dressed(words))
    source = f"A beginning. {dressed.text} An end."
    check = verify_quote(" ".join(words), source)
    assert check.verdict in {V.TYPOGRAPHIC, V.VERBATIM}, check.reason
    offset = len("A beginning. ")
    assert (check.start, check.end) == (dressed.spans[0][0] + offset, dressed.spans[-1][1] + offset)


@DETERMINED
@given(_sentences(), st.data())
def test_other_typography_in_the_quote(words: list[str], data: st.DataObject) -> None:
    """However the quote is set, it is found in plain text."""
    dressed = data.draw(_dressed(words, notes=False))
    said = " ".join(words)
    source = f"A beginning. {said} An end."
    check = verify_quote(dressed.text, source)
    assert check.verdict in {V.TYPOGRAPHIC, V.VERBATIM}, check.reason
    assert (check.start, check.end) == (13, 13 + len(said))


@DETERMINED
@given(_sentences(16, 28), st.data())
def test_other_typography_on_both_sides(words: list[str], data: st.DataObject) -> None:
    """Each may be set in its own way."""
    other, one = words[:8], words[8:]
    # The same Markdown on both sides would be found with its marks.
    source = data.draw(_dressed([*other[:4], *one, *other[4:]], notes=False, marks=False))
    quote = data.draw(_dressed(one, notes=False))
    check = verify_quote(quote.text, source.text)
    assert check.verdict in {V.TYPOGRAPHIC, V.VERBATIM}, check.reason
    assert (check.start, check.end) == (source.spans[4][0], source.spans[3 + len(one)][1])


def _refused(quote: list[str], said: list[str], data: st.DataObject) -> None:
    """Assert that a quote is not verified, however both are set, alone and among other text."""
    plain, written = " ".join(said), " ".join(quote)
    pairs = [
        (written, plain),
        (written, data.draw(_dressed(said)).text),
        (data.draw(_dressed(quote, notes=False)).text, f"Zinc. {plain} Gold."),
    ]
    for one, source in pairs:
        check = verify_quote(one, source)
        _inside(check, source)
        assert not check.is_verified, check.reason


@DETERMINED
@given(_sentences(), st.integers(10, 99_999), st.data())
def test_a_changed_digit_is_never_verified(words: list[str], number: int, data: st.DataObject) -> None:
    """Whichever digit of a number it is, and whatever else is only typography."""
    at = data.draw(st.integers(1, len(words) - 1))
    digits = str(number)
    place = data.draw(st.integers(0, len(digits) - 1))
    digit = data.draw(st.sampled_from([one for one in "0123456789" if one != digits[place]]))
    other = digits[:place] + digit + digits[place + 1 :]
    _refused([*words[:at], other, *words[at:]], [*words[:at], digits, *words[at:]], data)


_SAID = "-5 −5 5% $5 €5 <5 >5 1.5 1,5 15 10⁹ 5° ±5 ½".split()
_WRITTEN = "5 +5 5‰ £5 ≤5 ≥5 51 109 10⁸ ¼ 1:5".split()


@DETERMINED
@given(_sentences(), st.sampled_from(_SAID), st.sampled_from([*_WRITTEN, ""]), st.data())
def test_another_number_is_never_verified(
    words: list[str], said: str, written: str, data: st.DataObject
) -> None:
    """Signs, currencies, percents, points and powers count as digits do."""
    at = data.draw(st.integers(1, len(words) - 1))
    quote = [*words[:at], *written.split(), *words[at:]]
    _refused(quote, [*words[:at], said, *words[at:]], data)
    if written.strip():
        _refused([*words[:at], said, *words[at:]], quote, data)


@DETERMINED
@given(_sentences(words=ENGLISH), st.sampled_from(NEGATORS), st.data())
def test_a_negator_left_out_or_put_in_is_never_verified(
    words: list[str], negator: str, data: st.DataObject
) -> None:
    """In either direction, between any two words."""
    at = data.draw(st.integers(1, len(words) - 1))
    negated = [*words[:at], negator, *words[at:]]
    _refused(words, negated, data)
    _refused(negated, words, data)
    check = verify_quote(" ".join(words), " ".join(negated))
    assert DifferenceKind.NEGATOR in {one.kind for one in check.differences if one.matters}


@DETERMINED
@given(_sentences(), st.data())
def test_other_words_are_never_verified(words: list[str], data: st.DataObject) -> None:
    """A word changed, left out, put in, or exchanged with its neighbour is another text."""
    at = data.draw(st.integers(1, len(words) - 2))
    other = data.draw(st.sampled_from([word for word in WORDS if word not in words]))
    _refused([*words[:at], other, *words[at + 1 :]], words, data)
    _refused([*words[:at], *words[at + 1 :]], words, data)
    _refused([*words[:at], other, *words[at:]], words, data)
    _refused([*words[: at - 1], words[at], words[at - 1], *words[at + 1 :]], words, data)


@DETERMINED
@given(_sentences(), st.data())
def test_another_script_is_never_verified(words: list[str], data: st.DataObject) -> None:
    """A letter that only looks like the one that stands there is another letter."""
    pairs = {"a": "\u0430", "e": "\u0435", "o": "\u043e", "c": "\u0441", "p": "\u0440", "i": "\u0456"}
    at = data.draw(st.integers(0, len(words) - 1))
    letters = [index for index, char in enumerate(words[at]) if char in pairs]
    assume(letters)
    index = data.draw(st.sampled_from(letters))
    other = words[at][:index] + pairs[words[at][index]] + words[at][index + 1 :]
    _refused([*words[:at], other, *words[at + 1 :]], words, data)
    _refused(words, [*words[:at], other, *words[at + 1 :]], data)


@DETERMINED
@given(_sentences(10), st.data())
def test_half_a_word_is_never_verified(words: list[str], data: st.DataObject) -> None:
    """A quote that begins or ends inside of a word is cut."""
    source = " ".join(words)
    inside = [place for place in range(1, len(source)) if source[place - 1 : place + 1].isalpha()]
    place = data.draw(st.sampled_from(inside))
    for quote in (source[:place], source[place:]):
        # One letter too few may be a slip of the pen.
        cut = min(len(source[:place].split()[-1]), len(source[place:].split()[0]))
        if cut > 1:
            assert not verify_quote(quote, source).is_verified
            assert not verify_quote(quote, f"Zinc. {source}. Gold.").is_verified


@DETERMINED
@given(
    _sentences(12, 20),
    st.sampled_from([" … ", " ... ", " [...] ", " […] ", " (…) ", " . . . ", "…"]),
    st.data(),
)
def test_parts_in_order_are_elided(words: list[str], mark: str, data: st.DataObject) -> None:
    """Each part has its span, and what was left out is told."""
    cuts = sorted(data.draw(st.lists(st.integers(2, len(words) - 2), min_size=2, max_size=2, unique=True)))
    assume(cuts[0] >= 3 and cuts[1] <= len(words) - 3)
    source = "Zinc: " + " ".join(words) + ". Gold."
    parts = [" ".join(words[: cuts[0]]), " ".join(words[cuts[1] :])]
    check = verify_quote(mark.join(parts), source)
    assert check.verdict is V.ELIDED, check.reason
    spans = tuple((source.index(part), source.index(part) + len(part)) for part in parts)
    assert check.spans == spans
    assert (check.start, check.end) == (spans[0][0], spans[1][1])
    assert check.omitted == (" ".join(words[cuts[0] : cuts[1]]),)


@DETERMINED
@given(
    _sentences(12, 20, ENGLISH),
    st.sampled_from([" … ", " ... ", " [...] "]),
    st.sampled_from(NEGATORS),
    st.data(),
)
def test_parts_that_hide_or_turn_are_never_verified(
    words: list[str], mark: str, negator: str, data: st.DataObject
) -> None:
    """Parts in another order, parts around a negator, and parts of which one is not there."""
    at = data.draw(st.integers(4, len(words) - 4))
    one, other = " ".join(words[:at]), " ".join(words[at:])
    assert not verify_quote(other + mark + one, f"{one}, {other}.").is_verified
    hidden = verify_quote(one + mark + other, f"{one} {negator} {other}.")
    assert hidden.verdict is V.ALTERED
    assert not verify_quote(one + mark + other, f"{one} and nothing else.").is_verified


@DETERMINED
@given(_sentences(8, 14), st.data())
def test_a_long_document_is_a_short_passage(words: list[str], data: st.DataObject) -> None:
    """What stands far off changes neither the verdict nor the place."""
    said = data.draw(_dressed(words)).text
    quote = data.draw(
        st.sampled_from([" ".join(words), " ".join([*words[:4], *words[5:]]), " ".join(words[::-1])])
    )
    page = "Somebody counted ingots behind tall curtains while rain drummed upon nine tin roofs. \n"
    check = verify_quote(quote, said)
    long = verify_quote(quote, page * 150 + "\n" + said + "\n" + page * 150)
    ahead = len(page) * 150 + 1
    assert long.verdict is check.verdict, (check.reason, long.reason)
    if check.is_verified:
        assert [(start - ahead, end - ahead) for start, end in long.spans] == list(check.spans)


@DETERMINED
@given(_sentences(8, 12), st.integers(0, 4), st.integers(2, 5), st.data())
def test_the_one_that_is_meant(words: list[str], meant: int, copies: int, data: st.DataObject) -> None:
    """Of a sentence that stands there several times, its surroundings or its place choose."""
    assume(meant < copies)
    sentence = " ".join(words)
    heads = [f"Chapter {number} of the tale. " for number in "one two three four five".split()[:copies]]
    source = "".join(
        head + data.draw(_dressed(words, notes=False, marks=False)).text + "\n\n" for head in heads
    )
    ahead = source.index(heads[meant]) + len(heads[meant])
    until = source.index("\n\nChapter", ahead) if meant + 1 < copies else len(source)
    for check in (
        verify_quote(sentence, source, prefix=heads[meant]),
        verify_quote(sentence, source, near=ahead),
    ):
        assert check.is_verified, check.reason
        assert check.start is not None
        assert check.end is not None
        assert ahead <= check.start < check.end <= until


def test_markdown_beside_the_one_that_is_meant() -> None:
    """What was given as surroundings has no Markdown, and the source may have."""
    head, words = "Chapter {} of the tale. ", "**harbour** keeper lantern orchard pilot ledger"
    source = f"{head.format('one')}{words}\n\n{head.format('two')}{words}\n\n"
    check = verify_quote("harbour keeper lantern orchard pilot ledger", source, prefix=head.format("one"))
    assert check.start == source.index("harbour")


def test_the_envelope_is_around_parts_that_overlap() -> None:
    """From the first code point that was found to the last."""
    source = "Then the gate was shut by the mayor of the town of Bergen."
    quote = "the gate was shut by the mayor of the town of Bergen … the mayor of the town"
    check = verify_quote(quote, source)
    assert check.verdict is V.ALTERED
    assert (check.start, check.end) == (5, len(source) - 1)


@pytest.mark.parametrize(
    "quote", ['<div class="notification with-heading">The gate was', 'heading">The gate was shut</div>']
)
def test_the_same_characters_are_verbatim_where_surroundings_are_given(quote: str) -> None:
    """Whatever they are: parts of an element, too."""
    source = 'Note: <div class="notification with-heading">The gate was shut</div> for good.'
    start = source.index(quote)
    assert verify_quote(quote, source).verdict is V.VERBATIM
    check = verify_quote(quote, source, near=start)
    assert check.verdict is V.VERBATIM
    assert check.start == start


HOSTILE = [
    *(
        "a",
        "a ",
        "ab ",
        "1",
        "1 ",
        "1.",
        "-",
        "- ",
        "-\n",
        "a-\n",
        "\u00ad\n",
        "\n",
        " ",
        "\t\r\n",
        "\u200b",
        "\u0301",
    ),
    *(
        "(",
        "[",
        "]",
        "[]",
        "[a]",
        "{",
        "<",
        ">",
        "<b>",
        "<b",
        "</",
        "&",
        "&amp;",
        "&#",
        "&#1;",
        "&amp;lt;",
        "**",
        "_",
    ),
    *(
        "...",
        "…",
        ". ",
        " . . .",
        "[...]",
        "a… ",
        "a ... ",
        '"',
        "“",
        "|",
        "| a ",
        "> ",
        "# ",
        "\\",
        "\x00",
        "\ud800",
    ),
    *(
        "not ",
        "unless ",
        "only if ",
        "e\u0301",
        "한",
        "\u1112\u1161\u11ab",
        "漢",
        "漢 ",
        "ก",
        "ﷺ",
        "²",
        "a²",
        "1²",
        "½",
    ),
    *(
        "a\n\n1\n\n",
        "[1] ",
        "a1 ",
        "a.1 ",
        "](",
        "[a](b)",
        "(…)",
        "🦊",
        "\u202e",
        "ـ",
        "İ",
        "ß",
        "<sup>9</sup>",
    ),
]


@pytest.mark.parametrize("piece", HOSTILE, ids=ascii)
def test_a_piece_over_and_over(piece: str) -> None:
    """Runs of one thing raise nothing, and words that are not there are not found in them."""
    run = piece * (3_000 // len(piece))
    words = "harbour keeper lantern orchard"
    for source in (run, f"{words} {run}", f"{run} {words}"):
        _inside(verify_quote(run, source), source)
        _inside(verify_quote(words, source), source)
        assert not verify_quote("pilot ledger market copper", source).is_verified
        assert not verify_quote(f"{run} pilot ledger market", source).is_verified
        assert not verify_quote(f"pilot ledger {run} market copper", source).is_verified
        assert not verify_quote(f"harbour keeper {run} market copper", source).is_verified
    assert not verify_quote(f"harbour keeper not {run} lantern orchard", words).is_verified


def test_two_parts_like_one_place_are_put_in_order_by_where_they_stand() -> None:
    """Differences have no order among themselves."""
    check = verify_quote("the cat sat in the mat ... the cat sat by the mat", "the cat sat on the mat")
    assert check.verdict is V.ALTERED
