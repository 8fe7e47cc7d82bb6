"""Rows of sheets -> text: a row is a line that names its columns, so that any part of it says what it is.

`Item: Widget | Price: 4.00` where the row stands in a table that has a header, `Widget | 4.00` where it has none.
`_headers` tells which is the case. Every run of rows is a region, so each line has its cells.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pincite.core.document import Flag, Heading, Region
from pincite.core.locators import Locator, column_name
from pincite.core.text import normalise, one_line
from pincite.reading._headers import BOLD, LOOKED_AT, VALUE, Layout, is_value, layout_of
from pincite.reading._prose import made, too_large_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pincite.core.bibliography import Bibliography
    from pincite.core.document import Document
    from pincite.core.limits import Limits
    from pincite.reading._headers import Row

__all__ = ["BOLD", "VALUE", "Grid", "Sheet"]

_LONGEST_NAME = 80
"""Code points of a column's name, as each row repeats it."""
_DEEPEST = 4
"""How often a part of a sheet is parted again into tables beside and below one another."""
_MOST_NAMED = 5
"""Sheets that one flag names."""


@dataclass(slots=True)
class Sheet:
    """What of a sheet is seen: its rows in order, numbered from 1, each with its cells from left to right.

    `headers` are rows that the file itself says are headers, and `is_typed` says that it tells values from words.
    `lines` are the first and last line in the file of a row, where lines mean something.
    """

    name: str | None = None
    rows: list[Row] = field(default_factory=list["Row"])
    merged: list[tuple[int, int, int, int]] = field(default_factory=list[tuple[int, int, int, int]])
    headers: set[int] = field(default_factory=set[int])
    hidden_rows: set[int] = field(default_factory=set[int])
    hidden_columns: set[int] = field(default_factory=set[int])
    hides: bool = False
    lines: dict[int, tuple[int, int]] | None = None
    is_typed: bool = True


class Grid:
    """Writes sheets one after the other, and makes the document of them."""

    def __init__(self, *, name: str, limits: Limits) -> None:
        self._name = name
        self._limits = limits
        self._parts: list[str] = []
        self._rows: list[int] = []
        self._place = 0
        self._outline: list[Heading] = []
        self._regions: list[Region] = []
        self._hiding: list[str] = []

    @property
    def is_empty(self) -> bool:
        """Whether nothing was written."""
        return not self._parts

    def add(self, sheet: Sheet) -> None:
        """Write a sheet under its name; one without a cell that is seen is left out.

        Raises:
            TooLargeError: the text is longer than is allowed.
        """
        if sheet.hides:
            self._hiding.append(sheet.name or "")
        if not sheet.rows:
            return
        sheet.rows.sort(key=_number_of)
        locator = Locator(sheet=normalise(sheet.name)) if sheet.name else Locator()
        if sheet.name:
            title = one_line(sheet.name, self._limits.title_code_points)
            self._gap()
            self._write(title)
            self._outline.append(Heading(title, 1, self._place - len(title)))
        named: dict[int, Layout] = {}
        repeated = dict(_repeated(sheet))
        for block in _blocks(sheet.rows, sheet):
            self._gap()
            layout = layout_of(
                block if sheet.is_typed else list(_typed(block)),
                sheet.merged,
                sheet.headers,
                named.get(block[0][1][0][0]),
            )
            if layout.names:
                named[min(layout.names)] = layout
            lines = _lines(block, layout, repeated)
            # What stands over a table has places of its own.
            for part in filter(None, (block[: layout.lead], block[layout.lead :])):
                self._run(part, lines, locator, sheet.lines)

    def _run(
        self,
        rows: list[Row],
        lines: Iterator[str],
        locator: Locator,
        places: dict[int, tuple[int, int]] | None,
    ) -> None:
        """Write some rows, and a region for each run of them: one for each row, where rows have lines in the file."""
        first, last = map(column_name, _edges(rows))
        start = end = before = 0
        number = None
        for row, _ in rows:
            self._write(line := normalise(next(lines)), row)
            if number is not None and (row != before + 1 or places is not None):
                self._region(start, end, locator, places, (number, first, last))
                number = None
            if number is None:
                start, number = self._place - len(line), row
            end, before = self._place, row
        if number is not None:
            self._region(start, end, locator, places, (number, first, last))

    def _region(
        self,
        start: int,
        end: int,
        locator: Locator,
        places: dict[int, tuple[int, int]] | None,
        rows: tuple[int, str, str],
    ) -> None:
        if places is not None:
            first, last = places[rows[0]]
            locator = Locator(line=first, line_end=last)
        self._regions.append(Region(start, end, locator, rows))

    def _gap(self) -> None:
        if self._parts:
            self._write("")

    def _write(self, line: str, number: int = 0) -> None:
        if self._parts:
            self._place += 1
        self._parts.append(line)
        self._rows.append(number)
        self._place += len(line)
        if self._place > self._limits.document_code_points:
            raise too_large_text(self._name, self._limits)

    def numbers(self, before: int) -> tuple[int, ...]:
        """Return the line of the file for each line of the text, where each row has one; `before` stand before them."""
        numbers: list[int] = []
        number = 1
        for row in self._rows:
            number = row or number
            numbers.append(before + number)
        return tuple(numbers)

    def document(
        self,
        *,
        media_type: str,
        reader: str,
        title: str | None = None,
        hidden: Iterable[str] = (),
        damaged: Iterable[str] = (),
        line_numbers: tuple[int, ...] | None = (),
        bibliography: Bibliography,
    ) -> Document:
        """Return what was written; `hidden` and `damaged` are the names of sheets that were left out.

        Raises:
            EmptyError: nothing visible was written.
        """
        flags = [
            Flag(None, f"{what}: {_listed(names)}" if any(names) else what)
            for what, names in (
                ("sheets that are damaged were left out", list(damaged)),
                ("hidden sheets were left out", list(hidden)),
                ("hidden rows, columns or cells were left out", self._hiding),
            )
            if names
        ]
        return made(
            "\n".join(self._parts),
            name=self._name,
            title=title,
            media_type=media_type,
            reader=reader,
            limits=self._limits,
            outline=self._outline,
            flags=flags,
            line_numbers=line_numbers,
            bibliography=bibliography,
            regions=self._regions,
        )


def _lines(block: list[Row], layout: Layout, repeated: dict[tuple[int, int], str]) -> Iterator[str]:
    """Yield the rows of one table as they are written."""
    names = {column: _name(name) for column, name in layout.names.items()}
    for index, (number, cells) in enumerate(block):
        if index < layout.lead + layout.headers:
            yield " | ".join([text for _, text, _ in cells])
        elif layout.is_pairs:
            yield _pair(cells)
        else:
            seen = _filled(number, cells, names, repeated) if repeated and names else cells
            yield " | ".join([names.get(column, "") + text for column, text, _ in seen])


def _typed(block: list[Row]) -> Iterator[Row]:
    """Yield rows of text with what their cells are, as far as anybody looks at that."""
    for number, cells in block[:LOOKED_AT]:
        yield number, [(column, text, VALUE if is_value(text) else 0) for column, text, _ in cells]
    yield from block[LOOKED_AT:]


def _number_of(row: Row) -> int:
    return row[0]


def _listed(names: list[str]) -> str:
    shown = [one_line(name, 40) for name in names[:_MOST_NAMED]]
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more:,} more" if more else "")


def _name(text: str) -> str:
    """Return what stands before a cell in every row: its column's name."""
    name = one_line(text, _LONGEST_NAME).rstrip(" :")
    return f"{name}: " if name else ""


def _pair(cells: list[tuple[int, str, int]]) -> str:
    label, *rest = (text for _, text, _ in cells)
    return _name(label) + " | ".join(rest) if rest else label


def _edges(rows: list[Row]) -> tuple[int, int]:
    """Return the first and the last column of some rows."""
    if not rows:
        return 1, 1
    return min(cells[0][0] for _, cells in rows), max(cells[-1][0] for _, cells in rows)


# --- Tables of a sheet ----------------------------------------------------------------------------


def _blocks(rows: list[Row], sheet: Sheet, depth: int = 0) -> Iterator[list[Row]]:
    """Yield the tables of a sheet: empty rows part them, and empty columns where what they part ends elsewhere."""
    for band in _bands(rows, sheet.hidden_rows):
        groups = _groups(band, sheet.hidden_columns) if depth < _DEEPEST else [band]
        if len(groups) == 1:
            yield band
        else:
            for group in groups:
                yield from _blocks(group, sheet, depth + 1)


def _bands(rows: list[Row], hidden: set[int]) -> Iterator[list[Row]]:
    first = 0
    for index in range(1, len(rows)):
        before, number = rows[index - 1][0], rows[index][0]
        gap = number - before - 1
        # Rows that are hidden part nothing: the table goes on behind them.
        if gap > 0 and (gap > len(hidden) or not all(one in hidden for one in range(before + 1, number))):
            yield rows[first:index]
            first = index
    yield rows[first:]


def _groups(band: list[Row], hidden: set[int]) -> list[list[Row]]:
    used = sorted({column for _, cells in band for column, _, _ in cells})
    ends = [
        index
        for index in range(1, len(used))
        if any(column not in hidden for column in range(used[index - 1] + 1, used[index]))
    ]
    if not ends:
        return [band]
    group_of: dict[int, int] = {}
    for group, (first, last) in enumerate(zip([0, *ends], [*ends, len(used)], strict=True)):
        group_of |= dict.fromkeys(used[first:last], group)
    groups: list[list[Row]] = [[] for _ in range(len(ends) + 1)]
    for number, cells in band:
        own: dict[int, list[tuple[int, str, int]]] = {}
        for cell in cells:
            own.setdefault(group_of[cell[0]], []).append(cell)
        for group, part in own.items():
            groups[group].append((number, part))
    # A table with a column that is left empty for the eye: its parts begin and end together.
    if len({(group[0][0], group[-1][0]) for group in groups}) == 1:
        return [band]
    return groups


# --- Merged cells ---------------------------------------------------------------------------------


def _repeated(sheet: Sheet) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield (row, column) and text of the cells that a merged cell covers below its first: it is seen beside them."""
    tall = {(first, left): last for first, left, last, _ in sheet.merged if last > first}
    if not tall:
        return
    open_cells: dict[int, tuple[int, str]] = {}
    for number, cells in sheet.rows:
        for column, (last, text) in list(open_cells.items()):
            if last < number:
                del open_cells[column]
            else:
                yield (number, column), text
        for column, text, _ in cells:
            if (last := tall.get((number, column))) is not None:
                open_cells[column] = (last, text)


def _filled(
    number: int,
    cells: list[tuple[int, str, int]],
    names: dict[int, str],
    repeated: dict[tuple[int, int], str],
) -> list[tuple[int, str, int]]:
    held = {column for column, _, _ in cells}
    more = [
        (column, text, 0)
        for column in names
        if column not in held and (text := repeated.get((number, column))) is not None
    ]
    return sorted([*cells, *more]) if more else cells
