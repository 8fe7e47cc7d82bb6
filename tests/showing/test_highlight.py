"""Which words are lit, and that their boxes are those words' and no others."""

from __future__ import annotations

from array import array
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core import HighlightPrecision
from pincite.core.document import Document, Region
from pincite.core.errors import DamagedError, RenderError
from pincite.core.geometry import Box
from pincite.core.layout import LineFragment, PageLayout
from pincite.core.locators import Locator
from pincite.core.passage import Passage
from pincite.core.protocols import SourceFile
from pincite.showing import DocumentPages, Highlight, chosen_words, highlight_of, quoted_words

SOURCE = SourceFile(Path("two-pages.pdf"), "application/pdf", "0" * 64)
FIRST, SECOND = "Costs are paid. Costs need", "approval first. The end."
TEXT = f"{FIRST}\n{SECOND}"
LINE = f"{FIRST} {SECOND}"
WHOLE = Passage("chunk", "document", "version", 0, 51, TEXT, boxes=(Box(1, 0, 0, 1, 1), Box(2, 0, 0, 1, 1)))


class Reader:
    """Lays each page out on one line, every letter a hundredth wide, and counts what it was asked."""

    def __init__(self, *, broken: type[Exception] | None = None) -> None:
        self.asked: list[tuple[int, str]] = []
        self.broken = broken

    def layout(self, document: SourceFile, page: int, *, text: str) -> PageLayout:  # noqa: ARG002 - the protocol's
        """Return the layout of a page."""
        self.asked.append((page, text))
        if self.broken is not None:
            msg = "It does not open."
            raise self.broken(msg)
        glyphs = array("f")
        for place, letter in enumerate(text):
            wide = 0.0 if letter.isspace() else 0.01
            glyphs.extend((place / 100, 0.1, place / 100 + wide, 0.2))
        line = LineFragment(0, len(text), Box(page, 0, 0.1, len(text) / 100, 0.2))
        return PageLayout(page, 0, len(text), (line,), glyphs)


def _pages(reader: Reader) -> DocumentPages:
    layouts = (PageLayout(1, 0, 26, ()), PageLayout(2, 27, 51, ()))
    document = Document(TEXT, "version", "", "application/pdf", "", layouts=layouts)
    return DocumentPages(document, SOURCE, reader)


def _places(boxes: tuple[Box, ...]) -> list[tuple[int, int, int]]:
    """Return (page, first letter, letter behind the last) of each box."""
    return [(box.page, round(100 * box.x0), round(100 * box.x1)) for box in boxes]


def test_boxes_are_those_of_the_chosen_words() -> None:
    """`Costs` stands twice; the second one, which was chosen, is lit: letters 16 to 21 of page 1."""
    reader = Reader()
    assert _places(_pages(reader).boxes(16, 21)) == [(1, 16, 21)]
    assert reader.asked == [(1, FIRST)]


def test_words_over_a_page_break_light_both_pages() -> None:
    """`need approval`: the last word of page 1, and the first of page 2, which begins at 27."""
    assert _places(_pages(Reader()).boxes(22, 35)) == [(1, 22, 26), (2, 0, 8)]


def test_a_page_of_which_only_space_is_chosen_is_not_asked() -> None:
    """The line end between the pages belongs to none."""
    reader = Reader()
    assert _places(_pages(reader).boxes(27, 35)) == [(2, 0, 8)]
    assert [page for page, _ in reader.asked] == [2]


def test_what_stands_on_no_page_has_no_boxes() -> None:
    """It is an error, so that the caller falls back."""
    with pytest.raises(RenderError, match="no place"):
        _pages(Reader()).boxes(26, 27)


def test_a_highlight_follows_the_words() -> None:
    """Its code points are the passage's, its boxes the words'; a passage may begin anywhere."""
    passage = replace(WHOLE, start=16, end=42, text=TEXT[16:42])
    light = highlight_of(passage, (0, 5), pages=_pages(Reader()))
    assert (light.start, light.end, _places(light.boxes)) == (0, 5, [(1, 16, 21)])


@pytest.mark.parametrize("broken", [RenderError, DamagedError])
def test_words_that_cannot_be_placed_light_the_whole_passage(broken: type[Exception]) -> None:
    """A page that does not open any more, or a file that was read by other rules since."""
    light = highlight_of(WHOLE, (0, 5), pages=_pages(Reader(broken=broken)))
    assert light == Highlight(0, 51, WHOLE.boxes, WHOLE.locator, LINE)
    assert highlight_of(WHOLE, (0, 5)) == light


def test_the_whole_passage_asks_for_no_page() -> None:
    """Its boxes are known."""
    reader = Reader()
    for words in (None, (0, 51)):
        assert highlight_of(WHOLE, words, pages=_pages(reader)) == Highlight(
            0, 51, WHOLE.boxes, WHOLE.locator, LINE
        )
    assert reader.asked == []


def test_a_passage_without_boxes_has_its_words_all_the_same() -> None:
    """Every format but PDF: the snippet's words are lit, and nothing else."""
    bare = replace(WHOLE, boxes=())
    assert highlight_of(bare, (0, 5)) == Highlight(0, 5, (), None, "Costs")
    assert highlight_of(bare) == Highlight(0, 51, (), WHOLE.locator, LINE)


def test_lit_words_are_told_as_the_snippet_has_them() -> None:
    """Over a line end, they stand on one line, and so in the snippet of their passage."""
    lit = highlight_of(WHOLE, (22, 35), pages=_pages(Reader()))
    assert lit.text == "need approval"
    assert lit.text in highlight_of(WHOLE).text


def test_the_place_is_that_of_the_lit_words() -> None:
    """The passage stands on pages 1 and 2; `approval first` begins at 27, on page 2 alone, under the same heading."""
    passage = replace(WHOLE, locator=Locator(page=1, page_end=2, headings=("Costs",)))
    lit = highlight_of(passage, (27, 41), pages=_pages(Reader()))
    assert lit.locator == Locator(page=2, page_end=2, headings=("Costs",))
    assert highlight_of(passage, pages=_pages(Reader())).locator == passage.locator


@pytest.mark.parametrize(
    ("regions", "lines", "place"),
    [
        # The second line of the text is line 8 of the file.
        ((), (3, 8), Locator(line=8, line_end=8)),
        # The text begins in the row under the header: its second line is row 6.
        ((Region(0, 51, Locator(sheet="Costs"), (5, "A", "C")),), (), Locator(sheet="Costs", cells="A6:C6")),
        (
            (
                Region(0, 26, Locator(paragraph=4, paragraph_end=4)),
                Region(27, 51, Locator(paragraph=5, paragraph_end=5)),
            ),
            (),
            Locator(paragraph=5, paragraph_end=5),
        ),
        (
            (Region(0, 26, Locator(time=1.0, time_end=4.0)), Region(27, 51, Locator(time=4.0, time_end=9.5))),
            (),
            Locator(time=4.0, time_end=9.5),
        ),
    ],
)
def test_the_place_of_lit_words_in_every_format(
    regions: tuple[Region, ...], lines: tuple[int, ...], place: Locator
) -> None:
    """Lines, cells, paragraphs, times: those of the words, where the passage runs over both."""
    document = Document(TEXT, "version", "", "text/plain", "", regions=regions, line_numbers=lines)
    bare = replace(WHOLE, boxes=(), locator=document.locator(0, 51))
    lit = highlight_of(bare, (27, 41), pages=DocumentPages(document, SOURCE, Reader()))
    assert (lit.start, lit.end, lit.boxes, lit.locator) == (27, 41, (), place)


class Best:
    """Finds the same part for every question."""

    def __init__(self, span: tuple[int, int] | None) -> None:
        self.span = span

    def best_span(self, question: str, passage: str) -> tuple[int, int] | None:  # noqa: ARG002 - the protocol's
        """Return it."""
        return self.span


@pytest.mark.parametrize(
    ("precision", "best", "quote", "lit"),
    [
        ("best_match", (16, 42), None, (16, 42)),
        ("best_match", (16, 42), (0, 15), (16, 42)),
        ("best_match", None, (0, 15), (0, 51)),
        ("whole_passage", (16, 42), (0, 15), (0, 51)),
        ("models_quote", (16, 42), (0, 15), (0, 15)),
        ("models_quote", (16, 42), None, (16, 42)),
        ("models_quote", None, None, (0, 51)),
    ],
)
def test_each_precision_falls_back_to_the_one_before(
    precision: str, best: tuple[int, int] | None, quote: tuple[int, int] | None, lit: tuple[int, int]
) -> None:
    """The model's quote, else the best match, else the whole passage; a quote counts only where it is asked for."""
    chosen = chosen_words(
        TEXT, HighlightPrecision(precision), question="What costs?", best_span=Best(best), quote=quote
    )
    assert chosen == lit


def test_without_a_question_or_a_reranker_the_passage_is_whole() -> None:
    """Nothing was scored, so nothing stands out."""
    assert chosen_words(TEXT, question=" ", best_span=Best((16, 42))) == (0, 51)
    assert chosen_words(TEXT, question="What costs?") == (0, 51)


@pytest.mark.parametrize("span", [(-1, 5), (5, 5), (9, 5), (0, 99), (26, 27)])
def test_a_part_that_is_none_lights_the_whole(span: tuple[int, int]) -> None:
    """Anybody's `BestSpan` may give what does not fit; a line end alone is nothing to light."""
    assert chosen_words(TEXT, question="What?", best_span=Best(span)) == (0, 51)


def test_space_at_the_ends_is_not_lit() -> None:
    """Words alone: code point 15 is the space in front of the second sentence."""
    assert chosen_words(TEXT, question="What?", best_span=Best((15, 27))) == (16, 26)


@pytest.mark.parametrize(
    ("quotes", "found"),
    [
        (["Costs need approval first."], "Costs need\napproval first."),
        (["Costs need no approval first.", "Costs are paid."], "Costs are paid."),
        (["Costs need approval last."], None),
        (["", "  "], None),
        ([], None),
        (["need"], None),
    ],
)
def test_a_quote_counts_where_it_is_the_passages_own(quotes: list[str], found: str | None) -> None:
    """In other typography it is still the same; altered, invented or trifling it is none. The first good one counts."""
    place = quoted_words(TEXT, quotes)
    assert (None if place is None else TEXT[slice(*place)]) == found


def test_a_short_passage_may_be_quoted_whole() -> None:
    """`42 EUR` is all that a cell says."""
    assert quoted_words(" 42 EUR\n", ["42 EUR"]) == (1, 7)


def test_of_a_quote_with_an_ellipsis_the_longest_part_is_lit() -> None:
    """What was left out between the parts was not quoted."""
    text = "The depot opened in the spring of 2019. It rained. Two hundred people came to the opening day."
    place = quoted_words(
        text, ["The depot opened in the spring … Two hundred people came to the opening day."]
    )
    assert place is not None
    assert text[slice(*place)] == "Two hundred people came to the opening day."


@given(st.integers(0, 51), st.integers(0, 51))
def test_every_box_holds_letters_of_the_range(one: int, other: int) -> None:
    """Whatever part is chosen, what is lit is in it and all of it is lit."""
    start, end = sorted((one, other))
    letters = {
        (1 + (at > 26), at if at < 26 else at - 27) for at in range(start, end) if not TEXT[at].isspace()
    }
    try:
        boxes = _pages(Reader()).boxes(start, end)
    except RenderError:
        assert letters == set()
        return
    lit = {(page, at) for page, first, last in _places(boxes) for at in range(first, last)}
    assert letters <= lit
    assert all(start <= at + 27 * (page - 1) < end for page, at in lit)
