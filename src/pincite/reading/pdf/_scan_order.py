"""The order of the lines of a scan: rows from top to bottom, and columns of prose one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pincite.reading._ocr_lines import OcrLine

_BESIDE = 0.5
"""Share of the lower line that must stand beside another to make one row."""

_ROWS_BACK = 8
"""Rows that a line may still belong to: those over it end above."""

_GUTTER = 0.6
"""Line heights of empty space between two columns, at least."""

_PROSE_LINES, _PROSE_LETTERS = 3, 14
"""Lines of a column, and letters of them in the mean, from which on it is prose and no column of a table."""

_LONG = 20
"""Letters from which on a line is prose by itself."""

_CLOSE = 0.6
"""Line heights of empty space between a paragraph's last line and the one over it, at most."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A line as it was found, with the box around it in pixels."""

    line: OcrLine
    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def height(self) -> float:
        return self.y1 - self.y0

    @property
    def letters(self) -> int:
        return len(self.line.text)


_Row = list[_Piece]


def rows_of(lines: Sequence[OcrLine]) -> Iterator[list[OcrLine]]:
    """Yield the lines in the order of reading; what stands in one row of one column comes together, left to right.

    Lines that go up or down the page come last, each alone.
    """
    pieces: list[_Piece] = []
    steep: list[OcrLine] = []
    for line in lines:
        across, down = np.abs(line.corners[1] - line.corners[0]).tolist()
        if down > across:
            steep.append(line)
        else:
            low, high = line.corners.min(0).tolist(), line.corners.max(0).tolist()
            pieces.append(_Piece(line, low[0], low[1], high[0], high[1]))
    for row in _ordered(_rows(pieces)):
        yield [piece.line for piece in row]
    for line in steep:
        yield [line]


def _rows(pieces: Sequence[_Piece]) -> list[_Row]:
    rows: list[_Row] = []
    for piece in sorted(pieces, key=lambda piece: (piece.y0 + piece.y1) / 2):
        near = reversed(rows[-_ROWS_BACK:])
        row = next((row for row in near if all(_beside(one, piece) for one in row)), None)
        if row is None:
            rows.append([piece])
        else:
            row.append(piece)
    for row in rows:
        row.sort(key=lambda piece: piece.x0)
    return rows


def _beside(one: _Piece, other: _Piece) -> bool:
    """Say whether two lines stand in one row: beside one another, and not over one another."""
    lower = min(one.height, other.height)
    over = min(one.x1, other.x1) - max(one.x0, other.x0)
    return min(one.y1, other.y1) - max(one.y0, other.y0) > _BESIDE * lower and over < _BESIDE * lower


def _ordered(rows: list[_Row]) -> Iterator[_Row]:
    """Yield the rows, where there are columns of prose those of the left one first."""
    found = _columns(rows)
    if found is None:
        yield from rows
        return
    start, end, middle = found
    yield from _ordered(rows[:start])
    pieces = [piece for row in rows[start:end] for piece in row]
    yield from _ordered(_rows([piece for piece in pieces if piece.x1 <= middle]))
    yield from _ordered(_rows([piece for piece in pieces if piece.x1 > middle]))
    yield from _ordered(rows[end:])


def _columns(rows: list[_Row]) -> tuple[int, int, float] | None:
    """Return the longest run of rows (start, end) that stand in two columns of prose, and an x between these."""
    if len(rows) < _PROSE_LINES:
        return None
    half = _GUTTER / 2 * median(piece.height for row in rows for piece in row)
    best: tuple[int, int, float] | None = None
    for middle in sorted({ceil(piece.x1 + half) for row in rows for piece in row}):
        start = 0
        for position in range(len(rows) + 1):
            if position < len(rows) and all(
                piece.x1 <= middle - half or piece.x0 >= middle + half for piece in rows[position]
            ):
                continue
            run = _trimmed(rows, start, position, middle)
            if run is not None and (best is None or run[1] - run[0] > best[1] - best[0]):
                best = *run, middle
            start = position + 1
    return best


def _trimmed(rows: list[_Row], start: int, end: int, middle: float) -> tuple[int, int] | None:
    """Return the rows from `start` to `end` without what is no prose at either end; None when no columns are left."""
    while start < end and not _is_prose(rows[start]):
        start += 1
    while start < end and not (_is_prose(rows[end - 1]) or _follows(rows[start:end])):
        end -= 1
    sides: tuple[list[int], list[int]] = ([], [])
    for row in rows[start:end]:
        for piece in row:
            sides[piece.x0 > middle].append(piece.letters)
    if any(len(side) < _PROSE_LINES or sum(side) < _PROSE_LETTERS * len(side) for side in sides):
        return None
    return start, end


def _is_prose(row: _Row) -> bool:
    """Say whether a row holds a line of prose rather than a heading or the cells of a table."""
    return max(piece.letters for piece in row) >= _LONG


def _follows(rows: list[_Row]) -> bool:
    """Say whether the last row is the short end of the paragraph above it."""
    if len(rows) < 2 or len(rows[-1]) > 1:  # noqa: PLR2004 - a row, and one above
        return False
    (last,) = rows[-1]
    return any(
        last.y0 - above.y1 < _CLOSE * last.height and min(last.x1, above.x1) > max(last.x0, above.x0)
        for row in rows[-4:-1]
        for above in row
    )
