"""Workbooks and tables of text: each line names its columns and knows its cells."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.document import Places
from pincite.core.errors import DamagedError, EmptyError, TooLargeError
from pincite.core.ids import document_id
from pincite.core.limits import DEFAULT
from pincite.reading.chunking import chunk

if TYPE_CHECKING:
    from pincite.core.document import Document
    from reading.office.conftest import MakePart, Read

KEY = document_id("0" * 8 + "-0000-4000-8000-" + "0" * 12, "a")


def cell(place: str, value: str, more: str = "") -> str:
    """Return a cell: a number, or words in the cell itself."""
    if value.replace(".", "").replace("-", "").isdecimal():
        return f'<c r="{place}" {more}><v>{value}</v></c>'
    return f'<c r="{place}" t="inlineStr" {more}><is><t>{value}</t></is></c>'


def row(number: int, *values: str, first: str = "A", more: str = "") -> str:
    """Return a row of cells from column `first` on; empty values are no cells."""
    cells = "".join(cell(f"{chr(ord(first) + i)}{number}", value) for i, value in enumerate(values) if value)
    return f'<row r="{number}" {more}>{cells}</row>'


PRICES = row(1, "Item", "Price", "Note") + row(2, "Widget", "4", "first") + row(3, "Gadget", "5", "second")


def places(document: Document) -> list[str]:
    """Return the place of each line of the text that has one, with its words."""
    found = Places(document)
    start = 0
    told: list[str] = []
    for line in document.text.split("\n"):
        if line:
            told.append(f"{found.locator(start, start + len(line)).cells}: {line}")
        start += len(line) + 1
    return told


def test_each_line_names_its_columns_and_keeps_its_cells_tidebreak_885(
    make_xlsx: MakePart, read: Read
) -> None:
    """Sheet and range are there from reading on, exact for every line."""
    document = read(make_xlsx(PRICES))
    assert document.text == (
        "One\n\nItem | Price | Note\nItem: Widget | Price: 4 | Note: first\nItem: Gadget | Price: 5 | Note: second"
    )
    assert [region.locator.sheet for region in document.regions] == ["One"]
    start = document.text.index("Item: Gadget")
    place = document.locator(start, start + 4)
    assert place.describe() == "sheet One, A3:C3"
    (passage,) = chunk(document, KEY)
    assert passage.locator.describe() == "sheet One, A1:C3"
    assert passage.metadata == {"section": "One", "sheet": "One", "cells": "A1:C3"}


def test_the_header_is_in_every_passage(make_xlsx: MakePart, read: Read) -> None:
    """A passage is a slice of the text, and its rows say what they are, however far down they stand."""
    rows = "".join(row(number, f"Part {number}", str(number), "some words") for number in range(2, 300))
    document = read(make_xlsx(row(1, "Item", "Price", "Note") + rows))
    passages = chunk(document, KEY)
    assert len(passages) > 10
    for passage in passages:
        assert document.text[passage.start : passage.end] == passage.text
        assert all(line.startswith("Item") or line in {"One", ""} for line in passage.text.split("\n"))
        assert "Price" in passage.text
    assert passages[-1].locator.cells is not None
    assert passages[-1].locator.cells.endswith("C299")


def test_rows_that_are_skipped_do_not_move_the_others(make_xlsx: MakePart, read: Read) -> None:
    """Empty rows part tables, and numbers stay those of the sheet; a row may leave its number out.

    Of what stands side by side, the left comes first.
    """
    document = read(make_xlsx(PRICES + row(7, "Far", "9", "off", first="D") + "<row><c><v>8</v></c></row>"))
    assert places(document)[1:] == [
        "A1:C1: Item | Price | Note",
        "A2:C2: Item: Widget | Price: 4 | Note: first",
        "A3:C3: Item: Gadget | Price: 5 | Note: second",
        "A8: 8",
        "D7:F7: Far | 9 | off",
    ]


def test_a_title_over_a_table_and_a_note_beside_it(make_xlsx: MakePart, read: Read) -> None:
    """Neither is a part of the table."""
    top = row(1, "Prices of 2024")
    head = row(2, "Item", "Price", "Note").replace("</row>", f"{cell('H2', 'Ask Anna first.')}</row>")
    document = read(make_xlsx(top + head + row(3, "Widget", "4", "x") + row(4, "Gadget", "5", "y")))
    assert places(document)[1:] == [
        "A1: Prices of 2024",
        "A2:C2: Item | Price | Note",
        "A3:C3: Item: Widget | Price: 4 | Note: x",
        "A4:C4: Item: Gadget | Price: 5 | Note: y",
        "H2: Ask Anna first.",
    ]


def test_a_table_goes_on_behind_an_empty_row_and_behind_hidden_ones(make_xlsx: MakePart, read: Read) -> None:
    """A total under a gap has the columns of the rows above; rows that a filter hides part nothing."""
    hidden = row(4, "Hidden", "6", "z", more='hidden="1"')
    document = read(make_xlsx(PRICES + hidden + row(5, "Bolt", "7", "w") + row(7, "Total", "16")))
    assert places(document)[-2:] == [
        "A5:C5: Item: Bolt | Price: 7 | Note: w",
        "A7:B7: Item: Total | Price: 16",
    ]
    assert [flag.reason for flag in document.flags] == ["hidden rows, columns or cells were left out: One"]


SECRET = row(1, "a", "secret", "c")


@pytest.mark.parametrize(
    ("before", "rows"),
    [
        ('<cols><col min="2" max="2" hidden="1"/></cols>', SECRET),
        ('<cols><col min="2" max="2" width="0"/></cols>', SECRET),
        ("", row(1, "a", "", "c") + row(2, "secret", more='ht="0"')),
        ('<sheetFormatPr zeroHeight="1"/>', row(1, "a", "", "c", more='hidden="0"') + row(2, "secret")),
    ],
)
def test_hidden_rows_and_columns(make_xlsx: MakePart, read: Read, before: str, rows: str) -> None:
    """What has no height or width is hidden as well."""
    document = read(make_xlsx(f"<worksheet>{before}<sheetData>{rows}</sheetData></worksheet>"))
    assert document.text == "One\n\na | c"
    assert len(document.flags) == 1


def test_hidden_sheets(make_xlsx: MakePart, read: Read) -> None:
    """They are left out, and named in a flag."""
    document = read(make_xlsx(PRICES, row(1, "seen"), main='state="veryHidden"'))
    assert document.text == "Two\n\nseen"
    assert [flag.reason for flag in document.flags] == ["hidden sheets were left out: One"]


STYLES = (
    "<styleSheet><numFmts><numFmt numFmtId='164' formatCode='[$€-407] #,##0.00'/></numFmts>"
    "<fonts><font/><font><b/></font><font><color rgb='FFFFFFFF'/></font></fonts>"
    "<fills><fill/><fill><patternFill patternType='solid'><fgColor rgb='FF000000'/></patternFill></fill></fills>"
    "<cellXfs><xf/><xf numFmtId='10'/><xf numFmtId='14'/><xf numFmtId='164'/><xf fontId='1'/><xf fontId='2'/>"
    "<xf fontId='2' fillId='1'/></cellXfs></styleSheet>"
)


def test_numbers_as_the_sheet_shows_them(make_xlsx: MakePart, read: Read) -> None:
    """Shares, dates, amounts, truth values, errors and results of formulas; a formula itself is not shown."""
    cells = (
        '<c r="A1" s="1"><v>0.25</v></c><c r="B1" s="2"><v>45356</v></c><c r="C1" s="3"><v>1234.5</v></c>'
        '<c r="D1" t="b"><v>1</v></c><c r="E1" t="e"><v>#DIV/0!</v></c><c r="F1"><f>SUM(A1:B1)</f><v>7</v></c>'
        '<c r="G1" t="str"><f>"a"&amp;"b"</f><v>ab</v></c><c r="H1"><f>1</f></c>'
        '<c r="I1" t="d"><v>2024-03-05T00:00:00</v></c>'
        '<c r="J1" s="5"><v>9</v></c><c r="K1" s="6"><v>8</v></c>'
    )
    document = read(make_xlsx(f'<row r="1">{cells}</row>', parts={"xl/styles.xml": STYLES}))
    line = "25.00% | 2024-03-05 | € 1,234.50 | TRUE | #DIV/0! | 7 | ab | 2024-03-05 | 8"
    assert document.text == f"One\n\n{line}"
    assert len(document.flags) == 1


def test_bold_names_make_a_header(make_xlsx: MakePart, read: Read) -> None:
    """Words over words are a header when they are set as one."""
    bold = 's="4"'
    head = f'<row r="1">{cell("A1", "Who", bold)}{cell("B1", "Where", bold)}</row>'
    document = read(make_xlsx(head + row(2, "Alice", "Paris"), parts={"xl/styles.xml": STYLES}))
    assert document.text.endswith("Who: Alice | Where: Paris")


def test_strings_of_the_workbook(make_xlsx: MakePart, read: Read) -> None:
    """Runs are joined, marks of pronunciation are not shown, line feeds are spaces, and wrong numbers are nothing."""
    strings = (
        '<sst><si><r><t>Wid</t></r><r><t xml:space="preserve">get\nblue</t></r></si>'
        "<si><t>東京</t><rPh sb='0' eb='2'><t>とうきょう</t></rPh></si></sst>"
    )
    places_of = "".join(
        f'<c r="{c}1" t="s"><v>{v}</v></c>' for c, v in zip("ABCDE", "0 1 2 -1 x".split(), strict=True)
    )
    document = read(make_xlsx(f'<row r="1">{places_of}</row>', parts={"xl/sharedStrings.xml": strings}))
    assert document.text == "One\n\nWidget blue | 東京"


def test_merged_cells(make_xlsx: MakePart, read: Read) -> None:
    """A cell over several rows stands beside each of them; one over several columns is there once."""
    rows = (
        row(1, "Region", "City", "Sales")
        + row(2, "North", "Oslo", "1")
        + row(3, "", "Bergen", "2")
        + row(4, "South", "Rome", "3")
    )
    sheet = f'<worksheet><sheetData>{rows}</sheetData><mergeCells><mergeCell ref="A2:A3"/></mergeCells></worksheet>'
    document = read(make_xlsx(sheet))
    assert document.text.split("\n")[3:] == [
        "Region: North | City: Oslo | Sales: 1",
        "Region: North | City: Bergen | Sales: 2",
        "Region: South | City: Rome | Sales: 3",
    ]


def test_one_cell_far_away(make_xlsx: MakePart, read: Read) -> None:
    """A sheet costs what is written in it, and not what it spans."""
    far = '<row r="1048576"><c r="XFD1048576"><v>7</v></c></row>'
    sheet = f'<worksheet><dimension ref="A1:XFD1048576"/><sheetData>{far}</sheetData></worksheet>'
    document = read(make_xlsx(sheet))
    assert places(document) == ["None: One", "XFD1048576: 7"]


@pytest.mark.parametrize(
    ("body", "kind", "message"),
    [
        ("<row r='0'><c><v>1</v></c></row>", DamagedError, "row"),
        ("<row r='1048577'><c><v>1</v></c></row>", DamagedError, "row"),
        ("<row r='1'><c/><c/><c/><c/></row>", TooLargeError, "cells"),
        ("<row r='1'><c><v>&a;</v></c></row>", DamagedError, "no XML"),
        ("", EmptyError, "no text"),
        ("<row r='1'><c r='A1'/></row>", EmptyError, "no text"),
    ],
)
def test_what_cannot_be_read(
    make_xlsx: MakePart, read: Read, body: str, kind: type[Exception], message: str
) -> None:
    """Rows beyond a sheet, more cells than are allowed, entities, nothing at all."""
    with pytest.raises(kind, match=message):
        read(make_xlsx(body), limits=replace(DEFAULT, sheet_cells=3))


def test_one_bad_sheet_does_not_lose_the_others(make_xlsx: MakePart, read: Read) -> None:
    """It is left out, with a flag that names it."""
    document = read(make_xlsx(PRICES, row(1, "seen"), parts={"xl/worksheets/sheet1.xml": b"<broken"}))
    assert document.text == "Two\n\nseen"
    assert [flag.reason for flag in document.flags] == ["sheets that are damaged were left out: One"]


def test_what_a_library_writes(read: Read) -> None:
    """Tables, formats and properties of xlsxwriter, which writes like Excel."""
    into = BytesIO()
    book: Any = xlsxwriter.Workbook(into)
    book.set_properties({"title": "Price list", "author": "Meier, Anna"})
    sheet = book.add_worksheet("Prices")
    money = book.add_format({"num_format": "0.00"})
    sheet.write_row("B3", ["Who", "Where"])
    sheet.write_row("B4", ["Alice", "Paris"])
    sheet.add_table("B3:C4", {"columns": [{"header": "Who"}, {"header": "Where"}]})
    sheet.write("B6", 4, money)
    book.close()
    document = read(into.getvalue())
    assert document.title == "Price list"
    assert places(document)[1:] == ["B3:C3: Who | Where", "B4:C4: Who: Alice | Where: Paris", "B6: 4.00"]


GRID = st.dictionaries(
    st.tuples(st.integers(1, 12), st.integers(0, 6)),
    st.one_of(
        st.integers(-99, 2030).map(str), st.sampled_from(["a", "B c", "Total", "x|y", "1.5", "é\u0301"])
    ),
    min_size=1,
    max_size=30,
)


@given(grid=GRID)
def test_every_cell_is_in_a_line_whose_range_holds_it(
    make_xlsx: MakePart, read: Read, grid: dict[tuple[int, int], str]
) -> None:
    """Whatever is taken for a header or for a table of its own, no cell is lost and none stands at another place."""
    rows = "".join(
        f'<row r="{number}">'
        + "".join(
            cell(f"{chr(65 + column)}{number}", value)
            for (r, column), value in sorted(grid.items())
            if r == number
        )
        + "</row>"
        for number in sorted({r for r, _ in grid})
    )
    document = read(make_xlsx(rows))
    told = [line.split(": ", 1) for line in places(document) if not line.startswith("None")]
    seen = [(chr(65 + column) + str(number), value) for (number, column), value in grid.items()]
    for place, value in seen:
        letter, number = place[0], int(place[1:])
        assert any(
            letter >= cells[0]
            and letter <= cells.split(":")[-1][0]
            and cells.split(":")[0][1:] == str(number)
            and " ".join(value.split())[:1] in words
            for cells, words in told
        )
