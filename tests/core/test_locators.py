"""Locators say where a person looks, in a few words, and join to longer places."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.locators import Locator, cell_range, clock, column_name, column_number


@pytest.mark.parametrize(
    ("locator", "said"),
    [
        (Locator(), ""),
        (Locator(page=4, headings=("Handbook", "Expenses")), "page 4, Expenses"),
        (Locator(page=4, page_end=5), "pages 4-5"),
        (Locator(page=4, page_end=4, page_label="ii"), "page 4 (printed ii)"),
        (Locator(page=4, page_label="4"), "page 4"),
        (Locator(line=7, line_end=7), "line 7"),
        (Locator(line=7, line_end=9, headings=("Scope",)), "lines 7-9, Scope"),
        (Locator(sheet="Prices", cells="A5:F12", headings=("Prices",)), "sheet Prices, A5:F12"),
        (Locator(slide=7, headings=("Roadmap",)), "slide 7, Roadmap"),
        (Locator(slide=7, slide_end=8), "slides 7-8"),
        (Locator(paragraph=4, paragraph_end=6, headings=("Scope",)), "paragraphs 4-6, Scope"),
        (Locator(time=62.5, time_end=3607.0), "1:02-1:00:07"),
        (Locator(time=0.0, time_end=0.9), "0:00-0:00"),
        (Locator(pointer="/items/3/name"), "/items/3/name"),
        (Locator(part="Chapter 2", headings=("Chapter 2",)), "Chapter 2"),
    ],
)
def test_a_place_in_a_few_words(locator: Locator, said: str) -> None:
    """Numbers of one thing are one number; what a heading repeats is said once."""
    assert locator.describe() == said


def test_what_is_known_survives_json() -> None:
    """Every field, and nothing for what is not known."""
    whole = Locator(1, 2, "i", ("a", "b"), 3, 4, "S", "A1:B2", 5, 6, 7, 8, 1.5, 2.5, "/a", "p", ocr=True)
    assert Locator.from_dict(json.loads(json.dumps(whole.as_dict()))) == whole
    assert Locator().as_dict() == {}


def test_two_places_run_from_the_first_to_the_last() -> None:
    """Cells are joined to the range over both, pointers to what they share."""
    one = Locator(slide=2, sheet="S", cells="C4", time=3.0, time_end=5.0, pointer="/a/b/0")
    other = Locator(slide=3, sheet="S", cells="A6:B7", time=5.0, time_end=9.0, pointer="/a/b/12/c")
    assert one.joined(other) == Locator(
        slide=2, slide_end=3, sheet="S", cells="A4:C7", time=3.0, time_end=9.0, pointer="/a/b"
    )


def test_cells_of_two_sheets_are_not_joined() -> None:
    """A range lies on one sheet."""
    one = Locator(sheet="S", cells="A1")
    assert one.joined(Locator(sheet="T", cells="B2")) == one


def test_recordings_are_told_by_the_clock() -> None:
    """Parts of a second are left out."""
    assert [clock(seconds) for seconds in (0.0, 59.99, 60.0, 3599.0, 3600.0)] == [
        "0:00",
        "0:59",
        "1:00",
        "59:59",
        "1:00:00",
    ]


@pytest.mark.parametrize(("number", "name"), [(1, "A"), (26, "Z"), (27, "AA"), (702, "ZZ"), (16384, "XFD")])
def test_columns_have_letters(number: int, name: str) -> None:
    """As spreadsheets count them."""
    assert (column_name(number), column_number(name)) == (name, number)


@given(st.integers(1, 10**7))
def test_letters_and_numbers_of_columns_are_the_same_order(number: int) -> None:
    """There and back."""
    assert column_number(column_name(number)) == number


def test_one_cell_is_no_range() -> None:
    """`B4`, not `B4:B4`."""
    assert cell_range(2, 4, 2, 4) == "B4"
    assert cell_range(2, 4, 6, 9) == "B4:F9"
