"""Spreadsheets and tables of text -> Document: a row is a line that names its columns, and knows its cells."""

from __future__ import annotations

import datetime as dt
from io import BytesIO
from typing import TYPE_CHECKING

from pincite.core.bibliography import NO_BIBLIOGRAPHY
from pincite.core.errors import DamagedError, EncryptedError, MissingExtraError, TooLargeError
from pincite.core.text import one_line
from pincite.reading._containers import ODS, XLS, XLSB, XLSX, container_type
from pincite.reading._csv import read_csv
from pincite.reading._decoding import decode
from pincite.reading._grid import VALUE, Grid, Sheet
from pincite.reading._number_formats import clock, general
from pincite.reading._ooxml import Package
from pincite.reading._prose import check_bytes, too_large_text
from pincite.reading._xlsx import Workbook
from pincite.reading._zips import open_zip

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from python_calamine import CalamineSheet, CalamineWorkbook

    from pincite.core.document import Document
    from pincite.core.limits import Limits
    from pincite.reading._headers import Cell


class XlsxReader:
    """Reads the workbooks of Excel since 2007, and what others write in that form."""

    name = "xlsx"
    version = "1"
    media_types = (XLSX, "application/vnd.ms-excel.sheet.macroEnabled.12")
    suffixes = (".xlsx", ".xlsm", ".xltx", ".xltm")

    def read(self, data: bytes, *, name: str, limits: Limits) -> Document:
        """Return the document in `data`: each sheet under its name, each row a line; regions have sheet and cells.

        Numbers are written as the sheet shows them, dates as ISO 8601 has them, formulas by their last result. Hidden
        sheets, rows, columns and white cells are left out, with a flag.

        Raises:
            TooLargeError: the file, what it unpacks to, its cells or its text are over a limit.
            EncryptedError: it needs a password.
            DamagedError: it is no workbook, or not a whole one.
            EmptyError: nothing in it is visible.
        """
        check_bytes(data, name=name, limits=limits)
        package = Package(open_zip(data, name=name, limits=limits), name=name)
        workbook = Workbook(package, limits=limits)
        grid = Grid(name=name, limits=limits)
        for sheet in workbook.sheets():
            grid.add(sheet)
        if workbook.damaged and grid.is_empty:
            raise workbook.damaged[0][1]
        title, bibliography = package.properties()
        return grid.document(
            media_type=self.media_types[0],
            reader=f"{self.name}/{self.version}",
            title=title,
            hidden=workbook.hidden(),
            damaged=[name_of_sheet for name_of_sheet, _ in workbook.damaged],
            bibliography=bibliography,
        )


class CalamineReader:
    """Reads what is left of the spreadsheets: XLS, XLSB and ODS. Hidden rows and columns are not told from others."""

    name = "calamine"
    version = "1"
    media_types = (XLS, XLSB, ODS)
    suffixes = (".xls", ".xlsb", ".ods")

    def read(self, data: bytes, *, name: str, limits: Limits) -> Document:
        """Return the document in `data` as `XlsxReader` does; percentages and amounts are bare numbers.

        Raises:
            TooLargeError: the file, its cells or its text are over a limit.
            EncryptedError: it needs a password.
            DamagedError: it is no spreadsheet, or not a whole one.
            EmptyError: nothing in it is visible.
            MissingExtraError: the extra `office` is not installed.
        """
        check_bytes(data, name=name, limits=limits)
        try:
            import python_calamine as calamine
        except ImportError as error:  # pragma: no cover - the tests run with every extra
            what = "Reading XLS, XLSB and ODS"
            raise MissingExtraError(what, "office") from error
        label = one_line(name, 120)
        grid = Grid(name=name, limits=limits)
        try:
            with calamine.CalamineWorkbook.from_filelike(BytesIO(data)) as book:
                visible = calamine.SheetVisibleEnum.Visible
                hidden = [one.name for one in book.sheets_metadata if one.visible != visible]
                for sheet in _sheets(book, hidden, label, limits):
                    grid.add(sheet)
        except calamine.PasswordError as error:
            msg = f"{label} needs a password."
            raise EncryptedError(msg) from error
        except (calamine.CalamineError, OSError, ValueError) as error:
            if _LIMIT in str(error):
                raise _too_many(label, limits) from error
            raise _damaged(label) from error
        except BaseException as error:
            # What calamine did not expect comes as an exception that is none of `Exception`'s.
            if type(error).__name__ == "PanicException":
                raise _damaged(label) from error
            raise
        return grid.document(
            media_type=container_type(name, data) or XLS,
            reader=f"{self.name}/{self.version}",
            hidden=hidden,
            bibliography=NO_BIBLIOGRAPHY,
        )


_LIMIT = "limit"
"""A word of what calamine says of a sheet that is too large even for it."""


def _damaged(label: str) -> DamagedError:
    return DamagedError(f"{label} is damaged: it is no whole spreadsheet.")


def _too_many(label: str, limits: Limits) -> TooLargeError:
    return TooLargeError(f"{label} spans more than {limits.sheet_cells:,} cells, the limit.")


def _sheets(book: CalamineWorkbook, hidden: list[str], label: str, limits: Limits) -> Iterator[Sheet]:
    """Yield the sheets of a workbook that are not hidden; all that they span counts as cells."""
    left = limits.sheet_cells
    for name in book.sheet_names:
        if name not in hidden:
            read = book.get_sheet_by_name(name)
            bottom, right = read.end or (0, 0)
            left -= (bottom + 1) * (right + 1)
            if left < 0:
                raise _too_many(label, limits)
            yield _sheet(read)


def _sheet(read: CalamineSheet) -> Sheet:
    sheet = Sheet(name=read.name)
    # Empty columns in front of the first cell are left out of the rows, empty rows are not.
    _, before = read.start or (0, 0)
    for number, row in enumerate(read.iter_rows(), 1):
        cells = list(_cells(row, before + 1))
        if cells:
            sheet.rows.append((number, cells))
    merged = read.merged_cell_ranges or ()
    sheet.merged = [(top + 1, left + 1, bottom + 1, right + 1) for (top, left), (bottom, right) in merged]
    return sheet


def _cells(row: Sequence[object], first: int) -> Iterator[Cell]:
    for column, value in enumerate(row, first):
        if isinstance(value, str):
            if text := " ".join(value.split()):
                yield column, text, 0
        else:
            yield column, _shown(value), VALUE


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int | float):
        return general(value)
    if isinstance(value, dt.datetime):
        return value.isoformat(" ", "seconds").removesuffix(":00").removesuffix(" 00:00")
    if isinstance(value, dt.timedelta):
        return clock(value / dt.timedelta(days=1))
    if isinstance(value, dt.time):
        return value.isoformat("seconds").removesuffix(":00")
    return str(value)


class CsvReader:
    """Reads text whose lines are rows of fields: CSV, TSV and their like."""

    name = "csv"
    version = "1"
    media_types = ("text/csv", "text/tab-separated-values")
    suffixes = (".csv", ".tsv", ".tab", ".psv")

    def read(self, data: bytes, *, name: str, limits: Limits) -> Document:
        """Return the document in `data`: each row a line; regions have the cells and the lines of the file.

        Raises:
            TooLargeError: the file, its cells or its text are over a limit.
            DamagedError: it holds binary data.
            EmptyError: nothing in it is visible.
        """
        check_bytes(data, name=name, limits=limits)
        text = decode(data, name=name)
        if len(text) > limits.document_code_points:
            raise too_large_text(name, limits)
        sheet, before = read_csv(text, name=name, limits=limits)
        grid = Grid(name=name, limits=limits)
        grid.add(sheet)
        return grid.document(
            media_type=self.media_types[0],
            reader=f"{self.name}/{self.version}",
            line_numbers=() if sheet.lines is not None else grid.numbers(before),
            bibliography=NO_BIBLIOGRAPHY,
        )
