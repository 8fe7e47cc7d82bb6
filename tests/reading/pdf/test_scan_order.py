"""The order in which the lines of a scan are read: rows, columns of prose, what goes up the margin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.reading._ocr_lines import OcrLine
from pincite.reading.pdf._scan_order import rows_of

LEFT = ["the first line of the left column", "the second line of the left one", "and the third line of it."]
RIGHT = [
    "the first line of the right side",
    "the second line of the right one",
    "and its last line, the third.",
]


def line(text: str, x: float, y: float, *, size: float = 10.0, steep: bool = False) -> OcrLine:
    """A line of letters half as wide as high, `steep` when it goes up the page."""
    wide = len(text) * size / 2
    corners = [[x, y], [x + wide, y], [x + wide, y + size], [x, y + size]]
    if steep:
        corners = [[x, y + wide], [x, y], [x + size, y], [x + size, y + wide]]
    return OcrLine(text, 1.0, np.array(corners, np.float64), np.zeros((len(text), 2)), size)


def order(*lines: OcrLine) -> list[str]:
    """Return the rows as text."""
    return [" ".join(piece.text for piece in row) for row in rows_of(lines)]


def columns(shift: float = 0.0, top: float = 50.0) -> list[OcrLine]:
    """Two columns of prose, the right one a little lower."""
    left = [line(text, 10, top + 15 * i) for i, text in enumerate(LEFT)]
    return left + [line(text, 200, top + shift + 15 * i) for i, text in enumerate(RIGHT)]


@pytest.mark.parametrize("shift", [0.0, 2.0, 7.5])
def test_two_columns_of_prose(shift: float) -> None:
    """The left one first, whether the lines of both stand in rows or between one another's."""
    assert order(*columns(shift)) == [*LEFT, *RIGHT]


def test_a_heading_over_both_columns_comes_first() -> None:
    """It runs over the gutter, so the columns begin below it."""
    title = line("A heading that is as wide as both of the columns together", 20, 20)
    assert order(*columns(), title) == [title.text, *LEFT, *RIGHT]


def test_a_short_heading_after_the_columns_does_not_stand_in_the_left_one() -> None:
    """What follows it goes on over the gutter, with a gap above."""
    after = [
        line("Allowances", 10, 115),
        line("a sentence under the heading that runs over the gutter", 10, 135),
    ]
    assert order(*columns(), *after) == [*LEFT, *RIGHT, *(one.text for one in after)]


def test_the_short_end_of_a_paragraph_stays_in_its_column() -> None:
    """It stands as close below the last long line as the others do."""
    assert order(*columns(), line("of this.", 10, 95)) == [*LEFT, "of this.", *RIGHT]


def test_cells_of_a_table_stay_in_their_rows() -> None:
    """Short entries one below the other are no prose."""
    cells = [
        ("Item", "2025"),
        ("Car, a kilometre", "0.30"),
        ("Hotel, a night", "110.00"),
        ("Meals, a day", "28.00"),
    ]
    lines = [
        line(text, 10 + 150 * j, 20 + 15 * i) for i, row in enumerate(cells) for j, text in enumerate(row)
    ]
    assert order(*reversed(lines)) == [" ".join(row) for row in cells]


def test_three_columns() -> None:
    """Each is found beside the rest."""
    third = [line(text.replace("right", "third"), 400, 50 + 15 * i) for i, text in enumerate(RIGHT)]
    assert order(*columns(), *third) == [*LEFT, *RIGHT, *(one.text for one in third)]


def test_what_goes_up_the_margin_comes_last() -> None:
    """It belongs to no row, though it stands beside many."""
    assert order(line("up the margin", 0, 10, steep=True), line("a line", 20, 10), line("below", 20, 30)) == [
        "a line",
        "below",
        "up the margin",
    ]


@given(
    st.lists(
        st.tuples(
            st.integers(0, 400), st.integers(0, 400), st.integers(1, 40), st.integers(4, 30), st.booleans()
        ),
        max_size=25,
    )
)
def test_each_line_is_read_once(places: list[tuple[int, int, int, int, bool]]) -> None:
    """Whatever stands where."""
    lines = [line("x" * count, x, y, size=size, steep=steep) for x, y, count, size, steep in places]
    read = [piece for row in rows_of(lines) for piece in row]
    assert sorted(map(id, read)) == sorted(map(id, lines))
