"""Running heads and feet, page numbers and the numbers of lines are told from the text; what may be text stays."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from pdf_maker import PdfMaker
from pincite.core.limits import DEFAULT
from pincite.reading.pdf import PdfReader, open_pdf, page_layout

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

BODY = (
    "The pump was built by people who had never seen",
    "one before and who took all the parts of it from",
    "ships that had run aground in the winter of that",
    "year when the wind stood in the west for a month",
)


def read(data: bytes) -> Any:
    """Read a PDF in this process."""
    return PdfReader().read(data, name="test.pdf", limits=DEFAULT)


Words: TypeAlias = "Callable[[int], str]"
"""What a page bears, by its number."""


def book(
    pages: int,
    *,
    head: Words = lambda _n: "",
    foot: Words = lambda _n: "",
    body: Callable[[int], Sequence[str]] = lambda _n: BODY,
) -> bytes:
    """Return a book; `head`, `foot` and `body` give the words of a page by its number."""
    maker = PdfMaker()
    for number in range(1, pages + 1):
        page = maker.page((0, 0, 300, 400))
        if head(number):
            page.line(head(number), 20, 25)
        for row, line in enumerate(body(number)):
            page.line(line, 20, 60 + 12 * row)
        if foot(number):
            page.line(foot(number), 140, 385)
    return maker.save().data


def test_running_heads_and_page_numbers_are_left_out() -> None:
    """The same words in the same place, but for their digits, on page after page are no text of the document."""
    document = read(book(4, head=lambda n: f"Annual report, part {n}", foot=str))
    assert "Annual" not in document.text
    assert document.text.split() == " ".join(BODY).split() * 4


def test_a_sentence_over_a_page_break_is_whole() -> None:
    """Head and foot stood between its two halves; nothing is left of them, in text or layout."""
    document = read(book(3, head=lambda _n: "The story of the pump", foot=lambda n: f"Page {n} of 3"))
    assert "for a month\nThe pump was" in document.text
    start = document.text.index("for a month")
    first, second = (layout.boxes(start, start + 20) for layout in document.layouts[:2])
    assert len(first) == len(second) == 1
    assert first[0].page, second[0].page == (1, 2)


def test_heads_of_left_and_right_pages_may_differ() -> None:
    """The book's name at the left and the chapter's at the right, each on every other page."""
    document = read(book(7, head=lambda n: "A book of pumps" if n % 2 else "What the north built"))
    assert document.text.split() == " ".join(BODY).split() * 7


def test_a_line_of_one_page_stays() -> None:
    """A title at the top of one page, where the others bear a head, is text."""
    document = read(book(5, head=lambda n: "The museum" if n == 3 else "A book of pumps"))
    assert "A book of pumps" not in document.text
    assert document.text.count("The museum") == 1


def test_headings_that_come_again_far_apart_stay() -> None:
    """`Exercises` at the top of one page in five is no running head."""
    document = read(book(16, head=lambda n: "Exercises" if n % 5 == 1 else ""))
    assert document.text.count("Exercises") == 4


@pytest.mark.parametrize("pages", [1, 2])
def test_a_short_document_keeps_what_is_not_sure(pages: int) -> None:
    """On one or two pages only a page's number that stands alone is left out."""
    document = read(book(pages, head=lambda _n: "A letter to the museum", foot=str))
    assert document.text.count("A letter to the museum") == pages
    assert "\n1" not in document.text
    assert document.text.endswith("month")


def test_a_figure_at_the_foot_that_is_no_page_number_stays() -> None:
    """A number alone counts the pages or it is text."""
    document = read(book(4, foot=lambda n: str(50 - 7 * n)))
    assert [word for word in document.text.split() if word.isdigit()] == ["43", "36", "29", "22"]


def test_roman_numbers_count_pages_too() -> None:
    """Pages before the first chapter: i, ii, iii, iv."""
    document = read(book(4, foot=lambda n: ("i", "ii", "iii", "iv")[n - 1]))
    assert document.text.split() == " ".join(BODY).split() * 4


def test_the_head_of_a_table_on_each_page_stays() -> None:
    """A table that goes on over pages begins with the same row on each: it is close to the rows below it."""
    maker = PdfMaker()
    for number in range(4):
        page = maker.page((0, 0, 300, 400))
        for row in range(12):
            cells = (
                ("Pump", "Year", "Metres")
                if row == 0
                else (f"No. {number}{row}", f"{1800 + row}", f"{row}.5")
            )
            for place, cell in enumerate(cells):
                page.line(cell, 20 + 90 * place, 25 + 12 * row)
    assert read(maker.save().data).text.count("Metres") == 4


def test_a_form_that_was_filled_in_many_times_stays() -> None:
    """Pages that are the same but for their digits from top to foot are text, not furniture."""
    lines = ("Slip of the museum", "Visitor", "Day", "Price", "Hall", "Seat", "Thank you for coming to us")
    document = read(book(5, body=lambda n: [f"{line} {n}" for line in lines]))
    assert document.text.count("Visitor") == 5


def test_writing_up_the_margin_of_each_page_is_left_out() -> None:
    """A stamp at the side, turned, on page after page."""
    maker = PdfMaker()
    for _ in range(4):
        page = maker.page((0, 0, 300, 400))
        page.line("printed for the museum", 12, 300, size=7, angle=90)
        for row, line in enumerate(BODY):
            page.line(line, 30, 60 + 12 * row)
    assert read(maker.save().data).text.split() == " ".join(BODY).split() * 4


def transcript(step: int, *, together: bool) -> tuple[bytes, list[str]]:
    """Return a page with numbers in the margin at each line, or at each fifth, and the lines' words."""
    words = [f"and said to the court that row {'abcdefghijklmnopqrstuvwxy'[row]} was so" for row in range(25)]
    maker = PdfMaker()
    page = maker.page((0, 0, 400, 500))
    if not together:
        for row in range(step, 26, step):
            page.line(str(row), 30 if row > 9 else 36, 40 + 16 * (row - 1))
    for row in range(1, 26):
        if together and row % step == 0:
            page.line(str(row), 30 if row > 9 else 36, 40 + 16 * (row - 1))
        page.line(words[row - 1], 80, 40 + 16 * (row - 1))
    return maker.save().data, words


@pytest.mark.parametrize("step", [1, 5])
@pytest.mark.parametrize("together", [True, False])
def test_numbers_of_lines_in_the_margin_are_left_out(step: int, together: Any) -> None:
    """As in a court's transcript, drawn before the text or with each line; one page is enough."""
    data, words = transcript(step, together=together)
    document = read(data)
    assert " ".join(document.text.split()) == " ".join(words)
    assert len(document.layouts[0].lines) == 25


def test_a_numbered_list_keeps_its_numbers() -> None:
    """Numbers right before their items, of which each begins with a capital, count no lines."""
    maker = PdfMaker()
    page = maker.page((0, 0, 400, 300))
    for row in range(10):
        page.line(f"{row + 1} Pump of the north", 30, 40 + 14 * row)
    assert read(maker.save().data).text.startswith("1 Pump of the north\n")


def test_the_layout_of_a_page_has_the_same_lines_as_the_document() -> None:
    """With the text that is kept of a page, its characters are found again where they stand."""
    data = book(4, head=lambda n: f"Annual report {n}", foot=str)
    document = read(data)
    with open_pdf(data, name="test.pdf") as file:
        for layout in document.layouts:
            kept = document.text[layout.start : layout.end]
            text, own = page_layout(file, layout.page, kept)
            assert text == kept
            assert [(one.start, one.end, one.box) for one in own.lines] == [
                (one.start - layout.start, one.end - layout.start, one.box) for one in layout.lines
            ]
            for one in own.lines:
                glyphs = list(own.glyphs or ())[4 * one.start : 4 * one.end]
                inked = [i for i in range(0, len(glyphs), 4) if glyphs[i + 2] > glyphs[i]]
                assert min(glyphs[i] for i in inked) == pytest.approx(one.box.x0, abs=1e-6)
                assert all(glyphs[i] <= glyphs[j] for i, j in pairwise(inked))


@pytest.mark.parametrize(
    "said", ["Amount due: {} EUR", "Clause {}: the tenant pays", "Order {} of the year 2025, by hand"]
)
def test_figures_that_differ_are_what_a_line_says(said: str) -> None:
    """Forms are alike but for them: a sum is no page's number, wherever it stands."""
    amounts = (913, 128, 77, 450, 1200)
    document = read(book(5, head=lambda n: said.format(amounts[n - 1])))
    for amount in amounts:
        assert said.format(amount) in document.text


def test_a_sentence_on_every_page_is_said_once() -> None:
    """A warning on each page is text: it stands where it is said first."""
    warning = "Contains nuts, not for small children."
    document = read(book(5, head=lambda _n: warning))
    assert document.text.count(warning) == 1
    assert document.text.index(warning) < document.layouts[0].end


def test_numbers_in_a_column_at_the_right_stay() -> None:
    """They may be what a table says: only at the left do numbers count lines."""
    maker = PdfMaker()
    page = maker.page((0, 0, 300, 400))
    for row in range(10):
        page.line("A dose of the medicine for one person", 20, 60 + 12 * row)
        page.line(str(row + 1), 270, 60 + 12 * row)
    text = read(maker.save().data).text
    assert all(f"\n{row}" in text or f" {row}" in text or f"| {row}" in text for row in range(1, 11))
