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


def test_a_head_is_large_beside_the_text_of_most_pages() -> None:
    """One page of notes in small type in a report, the first that bears the head, does not make a title of it."""
    maker = PdfMaker()
    for number in range(8):
        page = maker.page((0, 0, 300, 400))
        if number in (1, 3, 5):
            page.line("Notes of the museum", 20, 25)
        for row, line in enumerate(BODY[number % 3 :]):
            page.line(line, 20, 60 + 12 * row, size=7 if number == 1 else 10)
    assert "Notes" not in read(maker.save().data).text


def test_a_line_of_one_page_stays() -> None:
    """A title at the top of one page, where the others bear a head, is text."""
    document = read(book(5, head=lambda n: "The museum" if n == 3 else "A book of pumps"))
    assert "A book of pumps" not in document.text
    assert document.text.count("The museum") == 1


def test_headings_that_come_again_far_apart_stay() -> None:
    """`Exercises` at the top of one page in five is no running head."""
    document = read(book(16, head=lambda n: "Exercises" if n % 5 == 1 else ""))
    assert document.text.count("Exercises") == 4


def test_a_document_of_one_page_keeps_what_is_not_sure() -> None:
    """There only a page's number that stands alone is left out."""
    document = read(book(1, head=lambda _n: "A letter to the museum", foot=str))
    assert document.text.count("A letter to the museum") == 1
    assert "\n1" not in document.text
    assert document.text.endswith("month")


def other(number: int) -> Sequence[str]:
    """Return the text of a page, which no other page has."""
    return BODY[number % 2 :]


@pytest.mark.parametrize("first", [1, 17])
@pytest.mark.parametrize("foot", ["{}", "Page {} of 30", "Museum | {}", "printed by hand"])
def test_a_head_and_a_foot_of_two_pages_are_left_out(first: int, foot: str) -> None:
    """The same short line at the very edge of both pages, or numbers that follow one another, is furniture."""
    data = book(2, head=lambda _n: "Notes", foot=lambda n: foot.format(n + first - 1), body=other)
    assert read(data).text.split() == " ".join((*BODY[1:], *BODY)).split()


def test_a_head_that_the_first_of_three_pages_does_not_bear_is_left_out() -> None:
    """Two pages that follow one another are enough where there are no more that could."""
    document = read(book(3, head=lambda n: "Notes of the museum" if n > 1 else "A title", body=other))
    assert document.text.count("A title") == 1
    assert "Notes" not in document.text


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Question 1", "Question 2"),
        ("Amount due: 100 EUR", "Amount due: 200 EUR"),
        ("Contains nuts, not for small children.", "Contains nuts, not for small children."),
        ("The first", "The second"),
        ("12", "19"),
    ],
)
def test_what_two_pages_say_at_their_heads_stays(one: str, two: str) -> None:
    """A counted title, a sum, a sentence, a figure: what need be no running head is text."""
    text = read(book(2, head=lambda n: (one, two)[n - 1], body=other)).text
    assert text.split() == " ".join((one, *BODY[1:], two, *BODY)).split()


def test_a_heading_in_the_flow_of_two_pages_stays() -> None:
    """One in larger type stays wherever it stands, one in the text's own type where it is close to the text."""
    for size, place in ((13, 25), (10, 42)):
        maker = PdfMaker()
        for number in range(2):
            page = maker.page((0, 0, 300, 400))
            page.line("Exercises", 20, place, size=size)
            for row, line in enumerate(other(number)):
                page.line(line, 20, 60 + 12 * row)
        assert read(maker.save().data).text.count("Exercises") == 2


def test_the_head_of_a_table_on_two_pages_stays() -> None:
    """Whether the table begins at once or with room under its head."""
    for room in (0, 18):
        maker = PdfMaker()
        for number in range(2):
            page = maker.page((0, 0, 300, 400))
            for row in range(12):
                cells = (
                    ("Pump", "Year", "Metres")
                    if row == 0
                    else (f"No. {number}{row}", f"{1800 + row}", f"{row}.5")
                )
                for place, cell in enumerate(cells):
                    page.line(cell, 20 + 90 * place, 25 + 12 * row + (room if row else 0))
        assert read(maker.save().data).text.count("Metres") == 2


def test_a_form_that_was_filled_in_twice_stays() -> None:
    """Two slips, line by line with much room: none of what they have in common is furniture."""
    maker = PdfMaker()
    for number in (1, 2):
        page = maker.page((0, 0, 300, 400))
        for row, line in enumerate(
            ("Slip of the museum", "Visitor", "Day", f"Paid {7 * number}", "Thank you")
        ):
            page.line(line, 20, 22 + 12 * row if row < 3 else 22 + 34 * row)
    assert read(maker.save().data).text.count("Slip of the museum") == 2


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


@pytest.mark.parametrize("pages", [2, 3])
def test_marks_of_the_printer_that_nobody_sees_part_no_sentence(pages: int) -> None:
    """As in the Federal Register, white on white at the foot of each page: told on three pages, and flagged on all."""
    maker = PdfMaker()
    for number in range(1, pages + 1):
        page = maker.page((0, 0, 300, 400))
        for row, line in enumerate(other(number)):
            page.line(line, 20, 60 + 12 * row)
        page.line(f"VerDate 2014 Frm 0000{number} Fmt 4702", 20, 380, size=6, grey=1, seen=False)
    document = read(maker.save().data)
    assert ("VerDate" in document.text) == (pages < 3)
    assert ("for a month\n" + other(pages)[0] in document.text) == (pages == 3)
    assert {flag.page for flag in document.flags} == set(range(1, pages + 1))


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
