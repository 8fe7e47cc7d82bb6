"""Text with separators: rows, columns and lines as a person finds them."""

from __future__ import annotations

import csv
from dataclasses import replace
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.errors import DamagedError, EmptyError, TooLargeError
from pincite.core.limits import DEFAULT
from pincite.reading._csv import read_csv, separator_of
from pincite.reading.sheets import CsvReader

if TYPE_CHECKING:
    from pincite.core.document import Document
    from pincite.core.limits import Limits


def read(text: str | bytes, limits: Limits = DEFAULT) -> Document:
    """Return the document of a table."""
    data = text.encode() if isinstance(text, str) else text
    return CsvReader().read(data, name="folder/prices.csv", limits=limits)


def test_rows_have_cells_and_lines() -> None:
    """`A2:C2, line 2`: the place for a program that shows sheets, and the one for an editor."""
    document = read("Item,Price,Note\nWidget,4,first\nGadget,5,second\n")
    assert document.text.split("\n")[1] == "Item: Widget | Price: 4 | Note: first"
    start = document.text.index("Item: Gadget")
    assert document.locator(start, start + 9).describe() == "A3:C3, line 3"
    assert document.locator(0, len(document.text)).describe() == "A1:C3, lines 1-3"
    assert document.title == "prices"


def test_a_row_over_several_lines() -> None:
    """A field in quotation marks may hold line ends: its row has one number, and all of its lines."""
    document = read('Item,Price,Note\nWidget,4,"first\n\n""quoted"", second"\nGadget,5,x\n')
    assert document.text.split("\n")[1] == 'Item: Widget | Price: 4 | Note: first "quoted", second'
    places = [document.locator(region.start, region.end).describe() for region in document.regions]
    assert places == ["A1:C1, line 1", "A2:C2, lines 2-4", "A3:C3, line 5"]
    assert document.locator(0, len(document.text)).describe() == "A1:C3, lines 1-5"


def test_blank_lines_are_rows() -> None:
    """Programs that open such a file show them as empty rows, so the numbers count them."""
    document = read("Item,Price,Note\n\nWidget,4,x\n\n\nNut,1,y\n")
    start = document.text.index("Nut")
    assert document.locator(start, start + 3).describe() == "A6:C6, line 6"


@pytest.mark.parametrize(
    ("text", "separator"),
    [
        ("a,b\n1,2\n", ","),
        ("a;b\n1,5;2,5\n3,5;4,5\n", ";"),
        ("a\tb, c\n1\t2, 3\n", "\t"),
        ("a|b\n1|2\n", "|"),
        ('"a,b";c\n"d,e";f\n', ";"),
        ("Title\n\na,b\n1,2\n3,4\n", ","),
        ("one\ntwo\nthree\n", None),
        ("Dear all, hello\nthis is a text\nwithout fields\n", None),
        ("", None),
    ],
)
def test_the_separator_is_the_one_that_makes_rows_alike(text: str, separator: str | None) -> None:
    """Decimal commas and commas in prose are none, and neither is anything in quotation marks."""
    assert separator_of(text) == separator


def test_what_excel_is_told() -> None:
    """`sep=;` in the first line is no row; lines still count it."""
    document = read("sep=;\nItem;Price;Note\nWidget;4;x\nNut;5;y\n")
    assert document.text.startswith("Item | Price | Note\n")
    assert document.locator(0, 4).describe() == "A1:C1, line 2"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('x,"never closed\ny,z\nv,w\n', ['x | "never closed', "y | z", "v | w"]),
        ('5" pipe,3\n6" pipe,4\n', ['5" pipe | 3', '6" pipe | 4']),
        ("1,2\n3\n4,5,6\n7,8\n9,10\n", ["1 | 2", "3", "4 | 5 | 6", "7 | 8", "9 | 10"]),
        (",,\nx,,y\n", ["x | y"]),
    ],
)
def test_rows_that_are_not_as_they_should_be(text: str, lines: list[str]) -> None:
    """A mark that is never closed swallows nothing, marks in a field are letters, rows may be short or long."""
    assert read(text).text.split("\n") == lines


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "cp1252"])
def test_encodings(codec: str) -> None:
    """As for any text."""
    assert "Größe: 5 €" in read("Teil;Größe\nx;5 €\ny;6 €\nz;7 €\n".encode(codec)).text


@pytest.mark.parametrize(
    ("data", "limits", "kind"),
    [
        (b"a,b\n" + b"x" * 2000, replace(DEFAULT, document_code_points=1000), TooLargeError),
        (b"a,b\n" * 20, replace(DEFAULT, sheet_cells=30), TooLargeError),
        (b"a,b\n" * 20, replace(DEFAULT, file_bytes=30), TooLargeError),
        (b"\x01\x02\x03\x04", DEFAULT, DamagedError),
        (b"\n \n", DEFAULT, EmptyError),
    ],
)
def test_what_cannot_be_read(data: bytes, limits: Limits, kind: type[Exception]) -> None:
    """A line of a size beyond measure, too many cells, binary data, nothing."""
    with pytest.raises(kind, match=r"prices\.csv"):
        read(data, limits)


def test_a_first_field_that_is_longer_than_the_sample() -> None:
    """What parts fields is told from whole rows, however long the first one is."""
    long = "one line; of many\n" * 5_000
    document = read(f'"{long}";Price\nBell;4.50\nHorn;9.00\n')
    assert document.text.split("\n")[1:] == ["Bell | 4.50", "Horn | 9.00"]
    assert document.locator(len(document.text) - 4, len(document.text)).describe() == "A3:B3, line 5003"


def test_a_tiny_table_of_two_columns_names_them() -> None:
    """A row over amounts that is called as amounts are is a header, also over two rows."""
    document = read("Item,Price\nBell,4.50 EUR\nHorn,9.00 EUR\n")
    assert document.text == "Item | Price\nItem: Bell | Price: 4.50 EUR\nItem: Horn | Price: 9.00 EUR"


CELLS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=8)


@given(
    rows=st.lists(st.lists(CELLS, min_size=2, max_size=4), min_size=1, max_size=8),
    separator=st.sampled_from(",;\t|"),
)
def test_what_is_written_is_read(rows: list[list[str]], separator: str) -> None:
    """With the separator known, every field is back, in its row and column."""
    into = StringIO()
    csv.writer(into, delimiter=separator, lineterminator="\n").writerows(rows)
    sheet, before = read_csv(f"sep={separator}\n{into.getvalue()}", name="x", limits=DEFAULT)
    assert before == 1
    found = {(number, column): text for number, cells in sheet.rows for column, text, _ in cells}
    expected = {
        (number, column): " ".join(text.split())
        for number, row in enumerate(rows, 1)
        for column, text in enumerate(row, 1)
        if text.split()
    }
    assert found == expected


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=200))
def test_any_text_is_a_table_or_a_typed_error(text: str) -> None:
    """Regions lie in the text, in order, and lines count up."""
    try:
        document = read(text)
    except (EmptyError, DamagedError):
        return
    place = line = 0
    for region in document.regions:
        assert place <= region.start < region.end <= len(document.text)
        found = document.locator(region.start, region.end).line
        assert found is not None
        assert found > line
        place, line = region.end, found
