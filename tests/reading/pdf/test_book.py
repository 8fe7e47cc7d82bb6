"""Pages that become one document: a word that a hyphen divides over a page's end is whole, on both pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pdf_maker import PdfMaker
from pincite.core.layout import boxes_of
from pincite.core.limits import DEFAULT
from pincite.reading.pdf import PdfReader, open_pdf, page_layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.core.document import Document
    from pincite.reading import ReadingPool


def made(*pages: Sequence[str], head: str = "", foot: str = "") -> bytes:
    """Return a PDF of these lines page by page; `head` and `foot` stand on each, `{}` is the page's number."""
    maker = PdfMaker()
    for number, lines in enumerate(pages, 1):
        page = maker.page((0, 0, 300, 400))
        if head:
            page.line(head.format(number), 20, 22)
        for row, line in enumerate(lines):
            page.line(line, 20, 60 + 12 * row)
        if foot:
            page.line(foot.format(number), 140, 385)
    return maker.save().data


def read(data: bytes) -> Document:
    """Read a PDF in this process."""
    return PdfReader().read(data, name="test.pdf", limits=DEFAULT)


@pytest.mark.parametrize(
    ("head", "foot"), [("", ""), ("The museum", "{}"), ("", "page {}"), ("The museum", "by hand")]
)
def test_a_word_that_is_divided_over_a_page_break_is_whole(head: str, foot: str) -> None:
    """It loses its hyphen and has a box on each page, also where a foot and a head stand between its parts."""
    data = made(
        ("It is said that the museum", "keeps all of its old con-"),
        ("tracts in a small room that", "nobody ever opens."),
        head=head,
        foot=foot,
    )
    document = read(data)
    lines = (
        "It is said that the museum\nkeeps all of its old contracts in a small room that\nnobody ever opens."
    )
    assert document.text == lines
    start = document.text.index("contracts")
    first, second = boxes_of(document.layouts, start, start + len("contracts"))
    assert (first.page, second.page) == (1, 2)
    assert first.y0 == pytest.approx(64 / 400, abs=0.01)
    assert second.y0 == pytest.approx(52 / 400, abs=0.01)
    assert document.locator(start, start + 9).page_end == 2
    assert [layout.end for layout in document.layouts] == [start + 3, len(document.text)]


def test_the_layout_of_a_page_that_ends_within_a_word_is_that_of_the_document() -> None:
    """The page is made anew from its own file: its text has no hyphen either, and its letters have their places."""
    data = made(
        ("It is said that all of the con-",),
        ("tracts were kept in a small room.",),
        head="The museum",
        foot="{}",
    )
    document = read(data)
    with open_pdf(data, name="test.pdf") as file:
        for layout in document.layouts:
            kept = document.text[layout.start : layout.end]
            text, own = page_layout(file, layout.page, kept)
            assert text == kept
            assert [(one.start, one.end, one.box) for one in own.lines] == [
                (one.start - layout.start, one.end - layout.start, one.box) for one in layout.lines
            ]
            assert own.glyphs is not None
            assert len(own.glyphs) == 4 * len(text)
    with open_pdf(data, name="test.pdf") as file:
        text, own = page_layout(file, 1, document.text[: document.layouts[0].end])
        (part,) = own.boxes(text.index("con"), len(text))
    # Blocks are drawn 0.6 em wide or less: three letters of ten points, at the end of 20 characters.
    assert 20 < 300 * part.x0 < 300 * part.x1
    assert 300 * (part.x1 - part.x0) < 3 * 10


@pytest.mark.parametrize(
    ("one", "two", "text"),
    [
        ("built by Anglo-", "Saxon kings", "built by Anglo-\nSaxon kings"),
        ("a state-of-the-", "art pump", "a state-of-the-art pump"),
        ("in pre-", "and post-war years", "in pre-\nand post-war years"),
        ("the pump\u2014", "an old one", "the pump\u2014an old one"),
        ("see no. 7-", "and more", "see no. 7-\nand more"),
        ("what he said -", "and did", "what he said -\nand did"),
    ],
)
def test_what_stands_over_a_page_break_is_what_would_stand_over_a_line(one: str, two: str, text: str) -> None:
    """Hyphens of a word's own, those for a part said later, dashes: as within a page."""
    assert read(made((one,), (two,))).text == text


def test_a_page_without_text_between_the_parts_of_a_word() -> None:
    """A picture of a whole page: the word is whole, and the empty page has its place between the others."""
    document = read(made(("All of the con-",), (), ("tracts were kept.",)))
    assert document.text == "All of the contracts were kept."
    assert [layout.page for layout in document.layouts] == [1, 2, 3]
    assert [(layout.start, layout.end) for layout in document.layouts] == [(0, 14), (14, 14), (14, 31)]


def test_words_over_each_of_many_pages() -> None:
    """A page may begin and end within a word; the last page's own hyphen stays."""
    pages = [("tracts of the old mu-", "seum and then all con-")] * 50
    document = read(made(("The con-",), *pages))
    assert document.text == "The con" + "tracts of the old museum and then all con" * 50 + "-"
    assert len(document.layouts) == 51


def test_a_row_of_a_table_does_not_go_on_over_a_page_break() -> None:
    """A cell may end with a hyphen for nothing."""
    maker = PdfMaker()
    for number in (1, 2):
        page = maker.page((0, 0, 300, 200))
        for row in range(6):
            cells = (f"{'abcdefgh'[row]}rm {number}", f"{1800 + row}", "none" if row == 0 else "high-")
            for place, cell in enumerate(cells):
                page.line(cell, 20 + 90 * place, 25 + 16 * row)
        for row in range(7):
            page.rule(15, 13 + 16 * row, 285, 13 + 16 * row)
        for x in (15, 105, 195, 285):
            page.rule(x, 13, x, 109)
    text = read(maker.save().data).text
    assert text.count("high-\n") == 9
    assert text.endswith("high-")


def test_a_worker_gives_the_same_document(pool: ReadingPool) -> None:
    """Pages are handed on one by one there, and the one that ends within a word waits."""
    data = made(("All of the con-",), (), ("tracts were kept.",))
    document = pool.read(data, name="test.pdf")
    assert document.text == "All of the contracts were kept."
    assert document.layouts == read(data).layouts
