"""A table as it was found: rows of cells over columns, before the page's own frame and numbers are put to it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.reading.pdf._cells import Columns, Level, Word


class Area(NamedTuple):
    """A rectangle in points."""

    x0: float
    y0: float
    x1: float
    y1: float


class Part(NamedTuple):
    """A cell over the columns `first` to `last`, its words in the order of reading."""

    first: int
    last: int
    words: list[Word]
    area: Area


class Found(NamedTuple):
    """A table: each row has one part for each column; a part over several columns is followed by empty ones."""

    area: Area
    rows: list[list[Part]]


def found_of(
    area: Area, columns: Columns, rows: Sequence[Sequence[Part]], words: Sequence[Word]
) -> Found | None:
    """Return the table of `rows`, without rows and columns that are empty; None with fewer than two of either.

    Every one of `words` is in it, or it is none.
    """
    width = len(columns)
    kept = [row for row in rows if any(part.words for part in row)]
    used = {part.first for row in kept for part in row if part.words}
    if len(kept) < 2 or len(used) < 2 or sum(len(p.words) for row in kept for p in row) != len(words):  # noqa: PLR2004
        return None
    full: list[list[Part]] = []
    for row in kept:
        cells: list[Part | None] = [None] * width
        for part in row:
            cells[part.first] = part
        top = min(part.area.y0 for part in row)
        bottom = max(part.area.y1 for part in row)
        full.append(
            [
                cell
                if cell is not None
                else Part(i, i, [], Area(columns.edges[i], top, columns.edges[i + 1], bottom))
                for i, cell in enumerate(cells)
            ]
        )
    # A column that no row begins a cell in is a strip that a line drawn twice leaves.
    return Found(area, [[part for i, part in enumerate(row) if i in used] for row in full])


def rows_at(
    levels: Sequence[Level], starts: Sequence[int], columns: Columns, top: float, bottom: float
) -> list[list[Part]]:
    """Return the rows that begin at the levels `starts`, from `top` to `bottom`: each level belongs to one."""
    edges = [top]
    edges += [(levels[start - 1].y1 + levels[start].y0) / 2 for start in starts[1:]]
    edges.append(bottom)
    rows: list[list[Part]] = []
    for (first, after), (y0, y1) in zip(pairwise([*starts, len(levels)]), pairwise(edges), strict=True):
        cells: dict[int, Part] = {}
        for level in levels[first:after]:
            for low, high, words in level.groups:
                before = cells.get(low)
                last = high if before is None else max(high, before.last)
                said = words if before is None else [*before.words, *words]
                area = Area(columns.edges[low], y0, columns.edges[last + 1], y1)
                cells[low] = Part(low, last, said, area)
        rows.append([cells[column] for column in sorted(cells)])
    return rows
