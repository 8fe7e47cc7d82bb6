"""The header of a text's tables, for passages that begin below it: which column a figure stands in."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from pincite.reading._boundaries import TABLE
from pincite.reading._headers import LOOKED_AT, VALUE, are_labels, is_value, layout_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pincite.reading._headers import Row

_BETWEEN = " | "
"""What parts the cells of a row."""

_MOST_HEADERS = 3
_FEWEST_COLUMNS = 3
"""Columns of a table whose header is told by its figures alone: two may be labels and their values."""
_MOST = 0.6
"""Share of the rows below a header that hold values, at least."""
_LONGEST = 1_000
"""Code points of a header, at most: more is no list of names."""


class _Table(NamedTuple):
    """Code points `start` to `end` of a table, and its header as it is written there."""

    start: int
    end: int
    header: str


class Columns:
    """The tables of a text that have a header."""

    __slots__ = ("_tables",)

    def __init__(self, text: str) -> None:
        self._tables = list(_tables(text)) if _BETWEEN in text else []

    def over(self, text: str, start: int, end: int) -> str | None:
        """Return the header of the table in which the code points `start` to `end` of `text` begin.

        None where they begin in none, or hold its header themselves.
        """
        index = bisect_right(self._tables, start, key=lambda table: table.start) - 1
        table = self._tables[index] if index >= 0 else None
        if table is None or start >= table.end or start == table.start:
            return None
        return table.header if text.find(table.header, start, end) < 0 else None


def _tables(text: str) -> Iterator[_Table]:
    for match in TABLE.finditer(text):
        lines = match[0].splitlines()
        first, last = _header(lines[:LOOKED_AT])
        header = "\n".join(lines[first:last])
        if header and len(header) <= _LONGEST:
            start = match.start() + sum(len(line) + 1 for line in lines[:first])
            yield _Table(start, match.end(), header)


def _header(lines: Sequence[str]) -> tuple[int, int]:
    """Return the first line of a table's header and the one after its last; the same where there is none."""
    rows = [row for number, line in enumerate(lines, 1) if (row := (number, _cells(line)))[1]]
    if len(rows) < len(lines):
        return 0, 0
    found = layout_of(rows, [], set(), None)
    count = 0 if found.is_pairs else max(found.headers, _over_figures(rows[found.lead :]))
    return found.lead, found.lead + count


def _cells(line: str) -> list[tuple[int, str, int]]:
    # The first of the cells may be empty.
    texts = (f" {line}" if line.startswith(_BETWEEN.lstrip()) else line).split(_BETWEEN)
    return [
        (column, text.strip(), VALUE if is_value(text.strip()) else 0)
        for column, text in enumerate(texts, 1)
        if text.strip()
    ]


def _over_figures(rows: Sequence[Row]) -> int:
    """Return how many rows of names stand over rows of which most hold figures; 0 when it is not so."""
    columns = {column for _, cells in rows for column, _, _ in cells}
    count = 0
    # Where a row of names leaves columns out it stands over them, and the next may name them.
    while count < min(_MOST_HEADERS, len(rows)) and are_labels(rows[count][1]):
        count += 1
        if len(rows[count - 1][1]) == len(columns):
            break
    body = rows[count:]
    if not body or len(columns) < _FEWEST_COLUMNS:
        return 0
    valued = sum(any(kind & VALUE for _, _, kind in cells) for _, cells in body)
    return count if valued >= _MOST * len(body) else 0
