"""Headings are found page by page, and little is kept of a page."""

from __future__ import annotations

from pincite.core.geometry import Affine
from pincite.reading.pdf.headings import Bookmark
from pincite.reading.pdf.outline import Outline, PageOutline
from pincite.reading.pdf.words import Line

SEEN = Affine(1 / 600, 0, 0, -1 / 800, 0, 1)


def page(number: int, start: int, *written: tuple[str, float]) -> PageOutline:
    """Return a page of lines in these sizes, each a paragraph of its own, 20 points apart."""
    text = "\n\n".join(said for said, _ in written)
    lines: list[Line] = []
    at = 0
    for row, (said, size) in enumerate(written):
        y = 100.0 + 20 * row
        lines.append(Line(at, at + len(said), 0, 1, x0=50.0, y0=y, x1=400.0, y1=y + size, size=size))
        at += len(said) + 2
    return PageOutline(number, start, text, 800.0, SEEN, tuple(lines), {})


def plain(number: int) -> list[tuple[str, float]]:
    """Return thirty lines of text, unlike those of other pages."""
    return [(f"Words {number} of a line {row} that is nothing but text", 10.0) for row in range(30)]


def test_of_a_page_of_text_no_line_is_kept() -> None:
    """A book of five thousand pages would be kept whole otherwise."""
    outline = Outline((), 200)
    titles = ("Growth", "Water", "Light", "Soil", "Frost")
    for number, title in enumerate(titles, 1):
        outline.add(page(number, 10_000 * number, (title, 16.0), *plain(number)))
    assert [line.said for line in outline._lines] == list(titles)
    headings, largest = outline.headings()
    assert [(one.title, one.level, one.start) for one in headings] == [
        (title, 1, 10_000 * number) for number, title in enumerate(titles, 1)
    ]
    assert largest == "Growth"


def test_the_largest_heading_has_to_be_on_the_first_page() -> None:
    """A title stands there, and nowhere else."""
    outline = Outline((), 200)
    outline.add(page(1, 0, ("A smaller heading", 14.0), *plain(1)))
    outline.add(page(2, 5_000, ("The largest heading", 20.0), *plain(2)))
    headings, largest = outline.headings()
    assert [(one.title, one.level) for one in headings] == [
        ("A smaller heading", 2),
        ("The largest heading", 1),
    ]
    assert largest is None


def test_a_bookmark_leads_to_its_words_in_plain_type_too() -> None:
    """It is looked for while its page is there."""
    outline = Outline((Bookmark("Of a line", 1, 1, None, None), Bookmark("Nowhere", 2, 2, None, None)), 200)
    outline.add(page(1, 0, ("First words", 10.0), ("3 Of a line", 10.0), *plain(1)))
    outline.add(page(2, 3_000, *plain(2)))
    headings, _ = outline.headings()
    assert [(one.title, one.level, one.start) for one in headings] == [
        ("Of a line", 1, 13),
        ("Nowhere", 2, 3_000),
    ]
