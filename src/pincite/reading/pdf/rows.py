"""The tables of a page as lines of its text: one a row, its cells parted by ` | `."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pincite.reading.pdf.fragments import fragment_starts, part_of
from pincite.reading.pdf.text import HYPHEN
from pincite.reading.pdf.words import Line, PageWords

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from pincite.reading.pdf.tables import Cell, Table

BETWEEN_CELLS = " | "
"""What parts two cells of a row."""


class _Rows:
    """Text and words that are written after those of the page: the rows of its tables."""

    def __init__(self, text: str, words: PageWords, lines: Sequence[Line]) -> None:
        self.text = text
        self.words = words
        self.pieces: list[str] = []
        self.origin: list[int] = []
        self.spans: list[tuple[int, int]] = []
        self.groups: list[list[int]] = []
        self._owner = np.repeat(np.arange(len(lines)), [line.last - line.first for line in lines])

    def row(self, cells: Sequence[Cell]) -> tuple[int, int, int] | None:
        """Write a row and return where it starts, the numbers of its first new word and of the one after its last.

        None when it has no words.
        """
        first = len(self.spans)
        if not any(cell.words for cell in cells):
            return None
        start = len(self.origin)
        for number, cell in enumerate(cells):
            if number:
                # A row whose first cell is empty begins with what parts it from the next.
                self._write(BETWEEN_CELLS if len(self.origin) > start else BETWEEN_CELLS.lstrip(), -1)
            self._cell(cell.words)
        last = len(self.spans)
        self._write("\n", -1)
        return start, first, last

    def _cell(self, cell: Sequence[int]) -> None:
        """Write a cell's words: those of one line are one run, and a word that a hyphen divides is whole."""
        at = 0
        while at < len(cell):
            run = [cell[at]]
            while (
                at + len(run) < len(cell)
                and cell[at + len(run)] == run[-1] + 1
                and self._owner[run[-1] + 1] == self._owner[run[-1]]
            ):
                run.append(run[-1] + 1)
            at += len(run)
            start, end = int(self.words.start[run[0]]), int(self.words.end[run[-1]])
            self.groups.append(run)
            self.spans.append((len(self.origin), len(self.origin) + end - start))
            self._write(self.text[start:end], start)
            hyphen = self.text[end : end + 1] == HYPHEN
            if hyphen and at == len(cell):
                # What PDFium takes for a word that goes on in the next row ends with its cell.
                self.spans[-1] = self.spans[-1][0], len(self.origin) + 1
                self._write("-", -1)
            elif at < len(cell) and not hyphen:
                self._write(" ", -1)

    def _write(self, piece: str, start: int) -> None:
        self.pieces.append(piece)
        self.origin += range(start, start + len(piece)) if start >= 0 else [-1] * len(piece)


def with_tables(
    text: str, words: PageWords, lines: Sequence[Line], tables: Sequence[Table], *, rtl: bool
) -> tuple[str, NDArray[np.int64], PageWords, list[Line], NDArray[np.bool_]]:
    """Return text, the characters behind it, words, lines and fragments' first words, with a line for each row.

    What the rows say is written after the page's own text, so that each of their cells is a run of characters and a
    word of its own there. Words of a table are in no other line.
    """
    written = _Rows(text, words, lines)
    taken = np.zeros(len(words.start), np.int64)
    base = len(words.start)
    rows: dict[int, list[Line]] = {}
    for number, table in enumerate(tables, 1):
        inside = [word for row in table.rows for cell in row for word in cell.words]
        if not inside:
            continue
        taken[inside] = number
        spans = [span for row in table.rows if (span := written.row(row)) is not None]
        rows[number] = [
            Line(
                len(text) + start, len(text) + written.spans[last - 1][1],
                base + first, base + last, table=number, pieces=last - first,
            )
            for start, first, last in spans
        ]  # fmt: skip
    origin = np.concatenate((np.arange(len(text)), np.array(written.origin, np.int64)))
    whole = _with_groups(words, written, len(text))
    cut = np.concatenate((fragment_starts(words, lines, rtl=rtl), np.ones(len(written.groups), np.bool_)))
    order: list[Line] = []
    for line in lines:
        order += _outside(line, whole, taken, rows)
    for line in order:
        if line.table:
            _describe(line, whole)
    return text + "".join(written.pieces), origin, whole, order, cut


def _with_groups(words: PageWords, written: _Rows, shift: int) -> PageWords:
    """Return the words and, after them, one for each run of a cell."""
    if not written.groups:
        return words
    heads = [group[0] for group in written.groups]
    spans = np.array(written.spans, np.int32) + shift
    flat = np.concatenate([np.array(group) for group in written.groups])
    at = np.concatenate(([0], np.cumsum([len(group) for group in written.groups])[:-1]))
    return PageWords(
        np.concatenate((words.start, spans[:, 0])),
        np.concatenate((words.end, spans[:, 1])),
        np.concatenate((words.x0, np.minimum.reduceat(words.x0[flat], at))),
        np.concatenate((words.y0, np.minimum.reduceat(words.y0[flat], at))),
        np.concatenate((words.x1, np.maximum.reduceat(words.x1[flat], at))),
        np.concatenate((words.y1, np.maximum.reduceat(words.y1[flat], at))),
        np.concatenate((words.size, words.size[heads])),
        np.concatenate((words.font, words.font[heads])),
        np.concatenate((words.upright, words.upright[heads])),
    )


def _outside(
    line: Line, words: PageWords, taken: NDArray[np.int64], rows: dict[int, list[Line]]
) -> list[Line]:
    """Return the parts of a line that are in no table, and a table's rows in the place of its first word."""
    own = taken[line.first : line.last]
    if not own.any():
        return [line]
    found: list[Line] = []
    at = line.first
    for stretch in np.split(own, np.flatnonzero(np.diff(own)) + 1):
        first, last = at, at + len(stretch)
        at = last
        if stretch[0]:
            found += rows.pop(int(stretch[0]), [])
        else:
            part = part_of(words, line, first, last)
            found.append(part)
    return found


def _describe(line: Line, words: PageWords) -> None:
    """Fill in the line's box and type from its words."""
    own = slice(line.first, line.last)
    line.x0, line.y0 = float(words.x0[own].min()), float(words.y0[own].min())
    line.x1, line.y1 = float(words.x1[own].max()), float(words.y1[own].max())
    longest = line.first + int(np.argmax(words.end[own] - words.start[own]))
    line.size = float(words.size[longest])
    line.fonts = int(words.font[line.first]), int(words.font[line.last - 1])
    if line.table:
        line.way = 0 if words.upright[line.first] else 1
