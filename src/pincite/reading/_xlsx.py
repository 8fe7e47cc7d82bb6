"""The sheets of an XLSX package, row by row: what its cells show, where they stand, what is hidden.

Only cells that are written in the file are looked at, so one far away costs no more than one close by.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

from pincite.core.errors import DamagedError, TooLargeError
from pincite.core.locators import column_number
from pincite.reading._grid import BOLD, VALUE, Sheet
from pincite.reading._number_formats import general, shape_of
from pincite.reading._ooxml import Names, parse, parser

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from xml.etree.ElementTree import Element

    from pincite.core.limits import Limits
    from pincite.reading._headers import Cell
    from pincite.reading._ooxml import Package

MOST_COLUMNS = 16_384
MOST_ROWS = 1_048_576
_WHITE = frozenset({"FFFFFFFF", "00FFFFFF", "FFFFFF"})
_ON = frozenset({"1", "true"})
_HIDDEN = frozenset({"hidden", "veryHidden"})
_VALUES = frozenset("nbde")
"""Types of cells that are no words: numbers, truth values, dates, errors."""


@dataclass(frozen=True, slots=True)
class _Style:
    """What a cell's style does: the writer of its numbers (None: as they are), whether it is bold, or unseen."""

    shape: Callable[[float], str] | None = None
    kind: int = 0
    is_unseen: bool = False


class Workbook:
    """An XLSX workbook."""

    def __init__(self, package: Package, *, limits: Limits) -> None:
        self._package = package
        self._most = limits.sheet_cells
        self.damaged: list[tuple[str, DamagedError]] = []
        main = package.main()
        root = package.xml(main)
        if root.tag != "s:workbook":
            msg = f"{package.label} is damaged: it holds no workbook."
            raise DamagedError(msg)
        self._related = package.relationships(main)
        properties = root.find("s:workbookPr")
        self._from_1904 = properties is not None and properties.get("date1904") in _ON
        self._sheets = list(root.iter("s:sheet"))
        strings = package.first(self._related, "sharedStrings")
        self._strings = [] if strings is None else list(_strings(package, strings))
        styles = package.first(self._related, "styles")
        self._styles = [] if styles is None else list(_styles(package.xml(styles), from_1904=self._from_1904))

    def hidden(self) -> list[str]:
        """Return the names of the sheets that are hidden."""
        return [sheet.get("name", "") for sheet in self._sheets if sheet.get("state") in _HIDDEN]

    def sheets(self) -> Iterator[Sheet]:
        """Yield the visible sheets in the workbook's order; sheets that are one chart are none.

        Those that cannot be read go to `damaged`, by name.

        Raises:
            TooLargeError: there are more cells than are allowed.
        """
        for element in self._sheets:
            related = self._related.get(element.get("r:id", ""))
            if element.get("state") not in _HIDDEN and related is not None and related.kind == "worksheet":
                reading = _SheetReading(
                    self._package, element.get("name", ""), self._strings, self._styles, self._most
                )
                try:
                    sheet = reading.read(related.target)
                    self._add_tables(sheet, related.target, reading.tables)
                except DamagedError as error:
                    # One bad sheet does not lose the others.
                    self.damaged.append((element.get("name", ""), error))
                    continue
                finally:
                    self._most = reading.left
                yield sheet

    def _add_tables(self, sheet: Sheet, part: str, ids: list[str]) -> None:
        """Add the header rows of a sheet's tables, where its author has said that they are such."""
        if not ids:
            return
        related = self._package.relationships(part)
        for one in ids:
            table = related.get(one)
            if table is not None and table.target in self._package:
                root = self._package.xml(table.target)
                area = range_of(root.get("ref", ""))
                if area is not None and root.get("headerRowCount", "1") != "0":
                    sheet.headers.add(area[0])


def _strings(package: Package, part: str) -> Iterator[str]:
    """Yield the strings that cells refer to, without the phonetic ones beside them."""
    names = Names()
    strings: list[str] = []
    words: list[str] = []
    phonetic = False
    made = parser(package.label)

    def start(name: str, _: dict[str, str]) -> None:
        nonlocal phonetic
        tag = names[name]
        if tag == "s:t" and not phonetic:
            made.CharacterDataHandler = words.append
        elif tag == "s:rPh":
            phonetic = True

    def end(name: str) -> None:
        nonlocal phonetic
        tag = names[name]
        if tag == "s:t":
            made.CharacterDataHandler = None
        elif tag == "s:rPh":
            phonetic = False
        elif tag == "s:si":
            strings.append(" ".join("".join(words).split()))
            words.clear()

    made.StartElementHandler = start
    made.EndElementHandler = end
    for _ in parse(made, package.pieces(part), package.label):
        yield from strings
        strings.clear()


def _styles(root: Element, *, from_1904: bool) -> Iterator[_Style]:
    """Yield what each style of cells does, in the order in which cells number them."""
    codes = {one.get("numFmtId", ""): one.get("formatCode", "") for one in root.iter("s:numFmt")}
    fonts = {
        str(index): (_is_bold(font), _is_white(font.find("s:color")))
        for index, font in enumerate(_children(root, "s:fonts"))
    }
    fills = {str(index): _is_plain(fill) for index, fill in enumerate(_children(root, "s:fills"))}
    shapes: dict[str, Callable[[float], str] | None] = {}
    for style in _children(root, "s:cellXfs"):
        number = style.get("numFmtId", "0")
        if number not in shapes:
            known = (
                int(number) if number.isascii() and number.isdecimal() and len(number) < len("10000") else 0
            )
            shapes[number] = shape_of(known, codes.get(number), from_1904=from_1904)
        bold, white = fonts.get(style.get("fontId", ""), (False, False))
        plain = fills.get(style.get("fillId", ""), True)
        yield _Style(shapes[number], BOLD if bold else 0, is_unseen=white and plain)


def _children(root: Element, tag: str) -> Element | tuple[()]:
    found = root.find(tag)
    return () if found is None else found


def _is_bold(font: Element) -> bool:
    bold = font.find("s:b")
    return bold is not None and bold.get("val", "1") not in {"0", "false"}


def _is_white(color: Element | None) -> bool:
    return color is not None and (color.get("rgb", "").upper() in _WHITE)


def _is_plain(fill: Element) -> bool:
    """Say whether a cell's ground is the sheet's own, or white."""
    pattern = fill.find("s:patternFill")
    if pattern is None or pattern.get("patternType", "none") == "none":
        return fill.find("s:gradientFill") is None
    return _is_white(pattern.find("s:fgColor"))


def range_of(written: str) -> tuple[int, int, int, int] | None:
    """Return first row, first column, last row and last column of `B2:C9` or `B2`, None for anything else."""
    first, _, last = written.replace("$", "").partition(":")
    corners = [cell_of(one) for one in (first, last or first)]
    if None in corners:
        return None
    (row, column), (last_row, last_column) = (one for one in corners if one is not None)
    return min(row, last_row), min(column, last_column), max(row, last_row), max(column, last_column)


def cell_of(written: str) -> tuple[int, int] | None:
    """Return row and column of `B2`, counted from 1, or None for what is no cell of a sheet."""
    letters = written.rstrip("0123456789")
    digits = written[len(letters) :]
    if not (letters.isascii() and letters.isalpha()) or not digits or len(letters) > 3 or len(digits) > 7:  # noqa: PLR2004 - XFD1048576
        return None
    row, column = int(digits), column_number(letters.upper())
    return (row, column) if 1 <= row <= MOST_ROWS and column <= MOST_COLUMNS else None


class _SheetReading:
    """Hears the elements of one sheet.

    All words of a row go into one list; a cell knows where its own begin and, where others follow that are not shown,
    end. That is what makes it quick: a cell costs three calls.
    """

    def __init__(
        self, package: Package, name: str, strings: list[str], styles: list[_Style], left: int
    ) -> None:
        self.left = left
        self.tables: list[str] = []
        self._package = package
        self._strings = strings
        self._styles = {str(index): style for index, style in enumerate(styles)}
        self._names = Names()
        self._columns: dict[str, int] = {}
        self._sheet = Sheet(name=name)
        self._row = 0
        self._is_hidden = False
        self._all_hidden = False
        self._told = 0
        self._words: list[str] = []
        self._cells: list[list[Any]] = []

    def read(self, part: str) -> Sheet:
        """Return the sheet in a part."""
        made = parser(self._package.label)
        names, cells, words = self._names, self._cells, self._words

        def start(name: str, attributes: dict[str, str]) -> None:
            tag = names[name]
            if tag == "s:c":
                cells.append([attributes, -1, len(words)])
            elif tag in {"s:v", "s:t"}:
                if cells and cells[-1][1] < 0:
                    cells[-1][1] = len(words)
            elif (act := _ACTS.get(tag)) is not None:
                act(self, attributes)

        made.StartElementHandler = start
        made.CharacterDataHandler = words.append
        for _ in parse(made, self._package.pieces(part), self._package.label):
            pass
        self._end_row()
        return self._sheet

    def pronounced(self, _: dict[str, str]) -> None:
        """Note that what follows says how the words before it are spoken."""
        cell = self._cells[-1] if self._cells else None
        if cell is not None and len(cell) == _PLAIN:
            cell.append(len(self._words))

    def start_row(self, attributes: dict[str, str]) -> None:
        """Begin a row."""
        self._end_row()
        written = attributes.get("r", "")
        is_number = written.isascii() and written.isdecimal() and len(written) <= len(str(MOST_ROWS))
        self._row = int(written) if is_number else self._row + 1
        hidden = attributes.get("hidden")
        self._is_hidden = (
            hidden in _ON or (hidden is None and self._all_hidden) or _is_nothing(attributes, "ht")
        )
        if not 1 <= self._row <= MOST_ROWS:
            msg = f"{self._package.label} is damaged: a sheet has a row that no sheet has."
            raise DamagedError(msg)

    def _end_row(self) -> None:
        """Keep the cells of the row that was heard, as they are shown."""
        heard, words, sheet = self._cells, self._words, self._sheet
        if heard:
            self.left -= len(heard)
            if self.left < 0:
                msg = f"{self._package.label} has more cells than are read."
                raise TooLargeError(msg)
            shown = list(self._shown())
            if shown:
                sheet.rows.append((self._row, shown))
            heard.clear()
        if self._is_hidden:
            sheet.hidden_rows.add(self._row)
        words.clear()

    def _shown(self) -> Iterator[Cell]:
        """Yield the cells of a row that are seen, and note that there were others."""
        words, columns, styles, hidden = self._words, self._columns, self._styles, self._sheet.hidden_columns
        ends = [cell[2] for cell in self._cells[1:]]
        ends.append(len(words))
        column = 0
        for cell, end in zip(self._cells, ends, strict=True):
            attributes: dict[str, str] = cell[0]
            first: int = cell[1]
            get = attributes.get
            letters = get("r", "").rstrip("0123456789")
            column = columns.get(letters) or self._column(letters) or column + 1
            if first < 0:
                continue
            last: int = end if len(cell) == _PLAIN else cell[_PLAIN]
            value = (words[first] if last == first + 1 else "".join(words[first:last])).strip()
            style = styles.get(get("s", "0"), _NO_STYLE)
            kind = get("t", "n")
            if kind == "n":
                text = value if style.shape is None and _is_whole(value) else _number(value, style.shape)
            elif kind == "s":
                place = int(value) if _is_whole(value) else len(self._strings)
                text = self._strings[place] if place < len(self._strings) else ""
            else:
                text = _other(kind, value)
            if text and column <= MOST_COLUMNS:
                if self._is_hidden or style.is_unseen or column in hidden:
                    self._sheet.hides = True
                else:
                    yield column, text, style.kind | (VALUE if kind in _VALUES else 0)

    def _column(self, letters: str) -> int:
        """Return the column that letters mean, 0 for none."""
        place = cell_of(f"{letters}1")
        column = self._columns[letters] = 0 if place is None else place[1]
        return column

    def hide_columns(self, attributes: dict[str, str]) -> None:
        """Note columns that are hidden."""
        self._told += 1
        is_hidden = attributes.get("hidden") in _ON or _is_nothing(attributes, "width")
        # A sheet tells of each column once.
        if is_hidden and self._told <= MOST_COLUMNS and len(self._sheet.hidden_columns) < MOST_COLUMNS:
            ends = [attributes.get(name, "") for name in ("min", "max")]
            if all(one.isascii() and one.isdecimal() and len(one) < len("1000000") for one in ends):
                first, last = map(int, ends)
                self._sheet.hidden_columns.update(range(max(1, first), min(last, MOST_COLUMNS) + 1))

    def hide_all(self, attributes: dict[str, str]) -> None:
        """Note that rows which say nothing of themselves are hidden."""
        self._all_hidden = attributes.get("zeroHeight") in _ON

    def merge(self, attributes: dict[str, str]) -> None:
        """Note merged cells."""
        area = range_of(attributes.get("ref", ""))
        if area is not None:
            self._sheet.merged.append(area)
            self.left -= 1

    def filter(self, attributes: dict[str, str]) -> None:
        """Note the header of a filtered area."""
        area = range_of(attributes.get("ref", ""))
        if area is not None:
            self._sheet.headers.add(area[0])

    def table(self, attributes: dict[str, str]) -> None:
        """Note a table, whose own part says where its header is."""
        self.tables += (value for name, value in attributes.items() if self._names[name] == "r:id")


_PLAIN = 3
"""Entries of a cell that was heard: its attributes, the first of its words (-1 without any), and how many words stand
before it; a fourth one is where its words end, if others follow that are not shown."""

_NO_STYLE = _Style()
_ACTS: dict[str, Callable[[_SheetReading, dict[str, str]], None]] = {
    "s:rPh": _SheetReading.pronounced,
    "s:row": _SheetReading.start_row,
    "s:col": _SheetReading.hide_columns,
    "s:sheetFormatPr": _SheetReading.hide_all,
    "s:mergeCell": _SheetReading.merge,
    "s:autoFilter": _SheetReading.filter,
    "s:tablePart": _SheetReading.table,
}
"""What is done at the beginning of an element, for those that are not met in every cell."""


def _is_nothing(attributes: dict[str, str], name: str) -> bool:
    """Say whether a row or column has no height or width."""
    written = attributes.get(name, "")
    return written != "" and not written.strip("0.")


def _is_whole(value: str) -> bool:
    return value.isdecimal() and value.isascii() and len(value) < len("1000000000000000")


def _number(value: str, shape: Callable[[float], str] | None) -> str:
    try:
        number = float(value)
    except ValueError:
        return " ".join(value.split())
    if not isfinite(number):
        return value
    return general(number) if shape is None else shape(number)


def _other(kind: str, value: str) -> str:
    """Return what a cell of one of the rarer kinds shows: a truth value, a date as text, words, an error."""
    if kind == "b":
        return {"1": "TRUE", "0": "FALSE"}.get(value, value)
    if kind == "d":
        return value.replace("T", " ").removesuffix(" 00:00:00")
    return " ".join(value.split())
