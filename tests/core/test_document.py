"""A document knows the trail of headings, the section and the place of each of its parts."""

from __future__ import annotations

from pincite.core.document import Document, Heading, Region
from pincite.core.geometry import PageFrame
from pincite.core.ids import version_of
from pincite.core.layout import PageLayout
from pincite.core.locators import Locator

TEXT = "Rules\nGeneral words.\nExpenses\nOver 100 EUR.\nTravel\nBy train."
PLAIN = Document(
    text=TEXT,
    version=version_of(TEXT),
    title="Rules",
    media_type="text/plain",
    reader="plain 1",
    outline=(Heading("Rules", 1, 0), Heading("Expenses", 2, 21), Heading("Travel", 2, 44)),
)


def test_the_trail_of_headings() -> None:
    """A heading closes those of its own level and deeper."""
    assert PLAIN.headings_at(TEXT.index("General")) == ("Rules",)
    assert PLAIN.headings_at(TEXT.index("100")) == ("Rules", "Expenses")
    assert PLAIN.headings_at(TEXT.index("train")) == ("Rules", "Travel")


def test_the_section_around_a_place() -> None:
    """A section runs from its heading to the next."""
    assert TEXT[slice(*PLAIN.section_at(TEXT.index("100")))] == "Expenses\nOver 100 EUR.\n"


def test_lines_are_counted_from_one() -> None:
    """A text file is located by its lines."""
    start = TEXT.index("Over")
    assert PLAIN.locator(start, start + 13) == Locator(headings=("Rules", "Expenses"), line=4, line_end=4)


def test_pages_are_counted_from_one_and_keep_their_label() -> None:
    """LibreChat#15730 and zotero-integration#97: the first page is 1, and the printed label stands beside it."""
    paged = Document(
        text=TEXT,
        version=PLAIN.version,
        title="Rules",
        media_type="application/pdf",
        reader="pdf 1",
        pages=(PageFrame(1, 595, 842, label="iv"), PageFrame(2, 595, 842, label="v")),
        layouts=(PageLayout(1, 0, 44, ()), PageLayout(2, 44, len(TEXT), ())),
    )
    assert paged.locator(0, 20) == Locator(page=1, page_end=1, page_label="iv")
    assert paged.locator(30, 50) == Locator(page=1, page_end=2, page_label="iv")


def test_a_place_is_said_in_words() -> None:
    """What a reader sees of a place is short and plain."""
    assert Locator(page=4, page_end=4, headings=("Rules", "Expenses")).describe() == "page 4, Expenses"
    assert Locator(page=7, page_end=8).describe() == "pages 7-8"
    assert Locator(page=5, page_label="iv").describe() == "page 5 (printed iv)"
    assert Locator(page_label="iv").describe() == "page iv"
    assert Locator(line=3, line_end=9).describe() == "lines 3-9"
    assert Locator().describe() == ""


def test_a_locator_survives_its_json() -> None:
    """Only what is known is written, and it is read back."""
    place = Locator(page=4, page_end=5, headings=("Rules",))
    assert Locator.from_dict(place.as_dict()) == place
    assert place.as_dict() == {"page": 4, "page_end": 5, "headings": ["Rules"]}


def test_parts_of_a_sheet_have_cells_of_their_own() -> None:
    """Each line is a row; rows that were skipped begin a new region."""
    text = "a | b\nc | d\ne | f\n\ng | h"
    document = Document(
        text=text,
        version="",
        title="",
        media_type="",
        reader="",
        line_numbers=(),
        regions=(
            Region(0, 17, Locator(sheet="S"), (4, "B", "C")),
            Region(19, 24, Locator(sheet="S"), (9, "B", "D")),
        ),
    )
    assert document.locator(0, 5) == Locator(sheet="S", cells="B4:C4")
    assert document.locator(6, 17) == Locator(sheet="S", cells="B5:C6")
    assert document.locator(8, 9) == Locator(sheet="S", cells="B5:C5")
    assert document.locator(12, 24) == Locator(sheet="S", cells="B6:D9")
    assert document.locator(17, 19) == Locator()


def test_a_page_that_was_read_by_ocr_is_said_to_be() -> None:
    """Also where only one of the pages was."""
    document = Document(
        text="abcd",
        version="",
        title="",
        media_type="",
        reader="",
        pages=(PageFrame(1, 10.0, 10.0), PageFrame(2, 10.0, 10.0, ocr=True)),
        layouts=(PageLayout(1, 0, 2, ()), PageLayout(2, 2, 4, ())),
    )
    assert document.locator(0, 2).ocr is None
    assert document.locator(1, 3).ocr is True
