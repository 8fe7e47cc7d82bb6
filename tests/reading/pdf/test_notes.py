"""Footnotes stand after the body, or before a paragraph that goes on over the page, each a paragraph."""

from __future__ import annotations

from typing import Any

from pdf_maker import PdfMaker
from pincite.core.limits import DEFAULT
from pincite.reading.pdf import PdfReader

LINES = (
    "The pump was built by people who had never seen",
    "one before and who took all the parts of it from",
    "ships that had run aground in the winter of that",
    "year when the wind stood in the west for a month",
)
OTHER = (
    "until the people of the coast had burnt all that",
    "they had and went to the north with the children",
    "who built a museum in which nothing of this is to",
    "be seen, as nobody has asked for it until now.",
)
NOTES = (
    "1 The oldest of them is in the museum.",
    "2 It was the winter of the long frost,",
    "as the letters say.",
)


def read(data: bytes) -> Any:
    """Read a PDF in this process."""
    return PdfReader().read(data, name="test.pdf", limits=DEFAULT)


def notes(page: Any, x: float = 20) -> None:
    """Write footnotes at the foot of a column."""
    for row, line in enumerate(NOTES):
        page.line(line, x, 340 + 9 * row, size=7)


def test_footnotes_do_not_come_between_two_columns() -> None:
    """Those of the left column follow the body of the page, and the sentence goes on in the right column."""
    maker = PdfMaker()
    page = maker.page((0, 0, 540, 400))
    for row, line in enumerate(LINES):
        page.line(line, 20, 60 + 12 * row)
    notes(page)
    for row, line in enumerate(OTHER):
        page.line(line, 290, 60 + 12 * row)
    text = read(maker.save().data).text
    assert "for a month\nuntil the people" in text
    assert text.endswith(f"\n\n{NOTES[0]}\n\n{NOTES[1]}\n{NOTES[2]}")


def test_a_sentence_goes_on_over_the_page_past_footnotes() -> None:
    """The notes stand before the paragraph that the next page goes on with."""
    maker = PdfMaker()
    page = maker.page((0, 0, 300, 400))
    page.line("It began in a year of which nothing else is known.", 20, 40)
    for row, line in enumerate(LINES):
        page.line(line, 20, 80 + 12 * row)
    notes(page)
    page = maker.page((0, 0, 300, 400))
    for row, line in enumerate(OTHER):
        page.line(line, 20, 60 + 12 * row)
    text = read(maker.save().data).text
    assert "for a month\nuntil the people" in text
    assert text.index(NOTES[0]) < text.index(LINES[0])


def test_small_type_without_a_mark_is_no_footnote() -> None:
    """A caption at the foot of the left column stays where the file has it."""
    maker = PdfMaker()
    page = maker.page((0, 0, 540, 400))
    for row, line in enumerate(LINES):
        page.line(line, 20, 60 + 12 * row)
    page.line("Figure of the pump", 20, 340, size=7)
    for row, line in enumerate(OTHER):
        page.line(line, 290, 60 + 12 * row)
    text = read(maker.save().data).text
    assert text.index("Figure of the pump") < text.index(OTHER[0])


def test_marks_stay_in_the_text() -> None:
    """A raised number is where the author put it, and the note begins with its own."""
    maker = PdfMaker()
    page = maker.page((0, 0, 300, 400))
    for row, line in enumerate(LINES):
        page.line(line, 20, 60 + 12 * row)
    end = page.line("and that was all", 20, 108)
    page.line("1", end, 104, size=6)
    page.line("The end of it.", end + 8, 108)
    page.line("1", 20, 337, size=5)
    page.line("The oldest of them is in the museum.", 24, 340, size=7)
    text = read(maker.save().data).text
    assert "that was all1 The end of it." in text
    assert "\n\n1 The oldest of them" in text
