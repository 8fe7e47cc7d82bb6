"""The tables of a page: rows of cells, each with the words in it and its place.

Lines that are drawn tell a table best: a grid, or rows between horizontal lines. Where none are drawn, figures below
one another tell it. What may just as well be text in columns, a list, contents, a formula or code is none: a table
that is missed reads as lines of text, text that is taken for a table cannot be read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pincite.reading.pdf._aligned import aligned_tables
from pincite.reading.pdf._cells import GUTTER, Word, is_figure
from pincite.reading.pdf._ruled import Frames, frames_of, ruled_tables
from pincite.reading.pdf.rules import Rule, Rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from pincite.reading.pdf._found import Area, Found
    from pincite.reading.pdf.words import PageWords

    Floats = NDArray[np.float64]

_NO_FRAMES = Frames([], [])
_FEWEST = 4
"""Words of a table, at least."""
_ROWS = 3
"""Rows with a gutter that make a table without lines, at least."""
_ROW = 0.3
"""Share of the usual height of words by which the middles of neighbours in a row differ, at most."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: the words in it, by number and in reading order, and its x0, y0, x1, y1 in points of the page as seen."""

    words: list[int]
    box: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its x0, y0, x1, y1 in points of the page as seen, and its rows, each of as many cells.

    A cell over several columns is followed by empty ones, one over several rows stands above empty ones.
    """

    box: tuple[float, float, float, float]
    rows: list[list[Cell]]


def find_tables(words: PageWords, text: str, rules: Rules, width: float, height: float) -> list[Table]:
    """Return the tables of a page of `width` by `height` points, from the top; no word is in two of them.

    `text` is what the words' `start` and `end` count in.
    """
    count = len(words.start)
    if count < _FEWEST:
        return []
    upright = 2 * int(np.count_nonzero(words.upright)) >= count
    view = _Upright(words) if upright else _turned(words, width, height)
    frames = frames_of(view.rules(rules)) if any(rules) else _NO_FRAMES
    aligned = _has_figures(view, words, text)
    if not (aligned or frames.grids or frames.stacks):
        return []
    tables: list[Table] = []
    for found in _found(view.words(words, text), frames, aligned=aligned):
        rows = [
            [Cell([word.number for word in part.words], view.box(part.area)) for part in row]
            for row in found.rows
        ]
        tables.append(Table(view.box(found.area), rows))
    tables.sort(key=lambda table: (table.box[1], table.box[0]))
    return tables


def _found(words: list[Word], frames: Frames, *, aligned: bool) -> Iterator[Found]:
    left = {word.number: word for word in words}
    for found in ruled_tables(words, frames):
        taken = {word.number for row in found.rows for part in row for word in part.words}
        # Of two that overlap the first stands.
        if taken <= left.keys():
            yield found
            for number in taken:
                del left[number]
    if aligned:
        yield from aligned_tables(list(left.values()))


class _Upright:
    """The page as it is seen, for writing that runs across."""

    __slots__ = ("x0", "x1", "y0", "y1")

    def __init__(self, words: PageWords) -> None:
        self.x0, self.y0, self.x1, self.y1 = words.x0, words.y0, words.x1, words.y1

    def words(self, words: PageWords, text: str) -> list[Word]:
        """Return the words in this view."""
        return [
            Word(x0, y0, x1, y1, size, number, text[start:end])
            for number, (x0, y0, x1, y1, size, start, end) in enumerate(
                zip(
                    self.x0.tolist(),
                    self.y0.tolist(),
                    self.x1.tolist(),
                    self.y1.tolist(),
                    words.size.tolist(),
                    words.start.tolist(),
                    words.end.tolist(),
                    strict=True,
                )
            )
        ]

    def rules(self, rules: Rules) -> Rules:
        """Return the lines in this view."""
        return rules

    def box(self, area: Area) -> tuple[float, float, float, float]:
        """Return a rectangle of this view on the page."""
        return area


class _Turned(_Upright):
    """The page as somebody sees it who turns it so that its writing runs across.

    With `down` the writing runs down the page, else up.
    """

    __slots__ = ("_down", "_height", "_width")

    def __init__(self, words: PageWords, width: float, height: float, *, down: bool) -> None:
        self._down, self._width, self._height = down, width, height
        if down:
            self.x0, self.x1, self.y0, self.y1 = words.y0, words.y1, width - words.x1, width - words.x0
        else:
            self.x0, self.x1, self.y0, self.y1 = height - words.y1, height - words.y0, words.x0, words.x1

    def rules(self, rules: Rules) -> Rules:
        """Return the lines in this view."""
        if self._down:
            across = [Rule(self._width - at, start, end) for at, start, end in rules.vertical]
            along = [Rule(at, self._width - end, self._width - start) for at, start, end in rules.horizontal]
        else:
            across = [Rule(at, self._height - end, self._height - start) for at, start, end in rules.vertical]
            along = [Rule(self._height - at, start, end) for at, start, end in rules.horizontal]
        return Rules(tuple(across), tuple(along))

    def box(self, area: Area) -> tuple[float, float, float, float]:
        """Return a rectangle of this view on the page."""
        if self._down:
            return self._width - area.y1, area.x0, self._width - area.y0, area.x1
        return area.y0, self._height - area.x1, area.y1, self._height - area.x0


def _turned(words: PageWords, width: float, height: float) -> _Turned:
    """Return the view in which the writing runs across; words that follow one another say which way it goes."""
    middle = words.y0 + words.y1
    beside = np.abs(np.diff(words.x0 + words.x1)) < (words.x1 - words.x0)[1:]
    steps = np.sign(np.diff(middle)[beside])
    return _Turned(words, width, height, down=float(steps.sum()) >= 0)


def _has_figures(view: _Upright, words: PageWords, text: str) -> bool:
    """Say whether so many rows have a figure behind a gutter as the smallest table: nearly no page of prose has."""
    middle = view.y0 + view.y1
    order = np.argsort(middle)
    step = np.diff(middle[order]) > 2 * _ROW * float(np.median(view.y1 - view.y0))
    row = np.concatenate(([0], np.cumsum(step)))
    order = order[np.lexsort((view.x0[order], row))]
    gaps = view.x0[order[1:]] - view.x1[order[:-1]]
    new = row[1:] != row[:-1]
    gutter = (gaps > GUTTER * words.size[order[1:]]) & ~new
    if int(np.count_nonzero(gutter)) < _ROWS:
        return False
    # Pieces begin behind a gutter and in a new row; those are looked at that are no longer than `1 234 567`.
    begins = np.concatenate((np.flatnonzero(gutter | new) + 1, [len(order)]))
    short = (np.diff(begins) <= 3) & gutter[begins[:-1] - 1]  # noqa: PLR2004
    figures = 0
    for index in np.flatnonzero(short):
        piece = order[begins[index] : begins[index + 1]]
        said = " ".join(text[words.start[word] : words.end[word]] for word in piece)
        figures += is_figure(said)
    return figures >= _ROWS
