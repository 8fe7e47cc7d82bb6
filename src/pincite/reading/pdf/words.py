"""A page's words and lines, found in arrays: nothing here runs once a character."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pincite.reading.pdf._letters import RTL
from pincite.reading.pdf.text import HYPHEN, inked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from pincite.reading.pdf.text import PageChars

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int32]

_ENDS = tuple(map(ord, "\r\n" + HYPHEN))

_JUMP = 0.9
"""Ems between two neighbouring characters from which on they are not one word, though no space stands between them."""

_SAME_TYPE = 0.02
"""Relative difference of two heights up to which the type is taken to be the same."""

_SIZE_UNIT = 0.02
"""Points of height up to which two words of one font are of one size."""

_SLANT = 1.5
"""Font sizes by which a line rises or falls at least, when it is slanted."""

UPRIGHT, DOWN, UP, OVER = 0, 1, 2, 3
"""Where a line's writing goes on the page: across it, down, up, or across it upside down."""


@dataclass(slots=True)
class PageWords:
    """The words of a page that have a box, in content order; arrays, one entry a word.

    `start` and `end` are characters of the text; boxes are points of the page as seen, y downwards; `size` is the
    font size in points, `font` a number for the font; `upright` says that the writing goes across the page.
    """

    start: Ints
    end: Ints
    x0: Floats
    y0: Floats
    x1: Floats
    y1: Floats
    size: Floats
    font: NDArray[np.int64]
    upright: NDArray[np.bool_]


@dataclass(slots=True)
class Line:
    """A line: its characters, its words (`first` to `last`, not counting that), the box around them in points.

    `fonts` are those of the first and the last word, `way` is where the writing goes, `table` numbers the table whose
    row the line is, from 1; `note` is 1 where a footnote begins and 2 where it goes on, `margin` says that it numbers
    lines in the margin, `pieces` counts its fragments, `bold` says that all of it is, and `index` is PDFium's of its
    first character.
    """

    start: int
    end: int
    first: int
    last: int
    x0: float = 0.0
    y0: float = 0.0
    x1: float = 0.0
    y1: float = 0.0
    size: float = 0.0
    fonts: tuple[int, int] = (0, 0)
    way: int = UPRIGHT
    slanted: bool = False
    table: int = 0
    note: int = 0
    margin: bool = False
    pieces: int = 1
    bold: bool = False
    index: int = -1

    def copy(self) -> Line:
        """Return the same line, whose place in a text may change by itself."""
        return Line(
            self.start, self.end, self.first, self.last, self.x0, self.y0, self.x1, self.y1, self.size, self.fonts,
            self.way, self.slanted, self.table, self.note, self.margin, self.pieces, self.bold, self.index,
        )  # fmt: skip

    @property
    def upright(self) -> bool:
        """Whether the writing goes across the page."""
        return self.way in (UPRIGHT, OVER)

    @property
    def height(self) -> float:
        """The extent across the direction of writing."""
        return self.y1 - self.y0 if self.upright else self.x1 - self.x0

    @property
    def seen(self) -> bool:
        """Whether a word of it has a box."""
        return self.first < self.last


def page_words(chars: PageChars, width: float, height: float) -> tuple[PageWords, list[Line]]:
    """Return the words and the lines of a page that is `width` by `height` points.

    A line holds more than white space; one without a word that has a box is kept, as its words are in the text.
    """
    codes = chars.codes()
    ends = (codes == _ENDS[0]) | (codes == _ENDS[1]) | (codes == _ENDS[2])
    places = np.flatnonzero(inked(codes))
    if not len(places):
        return _no_words(), []
    sides = tuple(
        side[places] * scale
        for side, scale in ((chars.x0, width), (chars.y0, height), (chars.x1, width), (chars.y1, height))
    )
    x0, y0, x1, y1 = sides
    boxed = (x1 > x0) & (y1 > y0)
    whole = bool(boxed.all())
    # A word begins after a space, and where the next character stands far from the one before.
    em = np.maximum(x1 - x0, y1 - y0)
    away = np.maximum(
        np.maximum(x0[1:] - x1[:-1], x0[:-1] - x1[1:]), np.maximum(y0[1:] - y1[:-1], y0[:-1] - y1[1:])
    )
    far = away > _JUMP * np.maximum(em[1:], em[:-1])
    if not whole:
        far &= boxed[1:] & boxed[:-1]
        x0, y0 = np.where(boxed, x0, np.inf), np.where(boxed, y0, np.inf)
        x1, y1 = np.where(boxed, x1, -np.inf), np.where(boxed, y1, -np.inf)
    begins = np.flatnonzero(far | (np.diff(places) > 1)) + 1
    at = np.concatenate(([0], begins))
    start = places[at]
    end = places[np.concatenate((begins, [len(places)])) - 1] + 1
    left, top = np.minimum.reduceat(x0, at), np.minimum.reduceat(y0, at)
    right, bottom = np.maximum.reduceat(x1, at), np.maximum.reduceat(y1, at)
    number = np.cumsum(ends)[start]
    if not whole:
        kept = left < right
        lines = _line_spans(start, end, number, kept)
        last = np.concatenate((begins, [len(places)])) - 1
        at, last = at[kept], last[kept]
        start, end, number = start[kept], end[kept], number[kept]
        left, top, right, bottom = left[kept], top[kept], right[kept], bottom[kept]
        if not len(at):
            return _no_words(), lines
    else:
        lines = _line_spans(start, end, number, None)
        last = np.concatenate((begins, [len(places)])) - 1
    words = PageWords(
        start.astype(np.int32), end.astype(np.int32), left, top, right, bottom,
        np.zeros(0), np.zeros(0, np.int64), np.zeros(0, np.bool_),
    )  # fmt: skip
    _describe(chars, words, [line for line in lines if line.seen], sides, at, last)
    return words, lines


def words_of(lines: Sequence[Line]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the numbers of the lines' words in their order, and where in it each line that has any begins."""
    firsts = np.array([line.first for line in lines if line.seen], np.int64)
    counts = np.array([line.last - line.first for line in lines if line.seen], np.int64)
    heads = np.cumsum(counts) - counts
    return np.arange(int(counts.sum())) + np.repeat(firsts - heads, counts), heads


def _no_words() -> PageWords:
    none = np.zeros(0)
    whole = np.zeros(0, np.int32)
    return PageWords(whole, whole, none, none, none, none, none, np.zeros(0, np.int64), np.zeros(0, np.bool_))


def _line_spans(
    start: NDArray[np.int64],
    end: NDArray[np.int64],
    number: NDArray[np.int64],
    kept: NDArray[np.bool_] | None,
) -> list[Line]:
    """Return the lines with their characters and words, whose numbers count the kept ones alone."""
    firsts = np.concatenate(([0], np.flatnonzero(np.diff(number)) + 1))
    lasts = np.concatenate((firsts[1:], [len(number)]))
    starts, stops = start[firsts].tolist(), end[lasts - 1].tolist()
    if kept is not None:
        before = np.concatenate(([0], np.cumsum(kept)))
        firsts, lasts = before[firsts], before[lasts]
    return list(map(Line, starts, stops, firsts.tolist(), lasts.tolist()))


def _describe(
    chars: PageChars,
    words: PageWords,
    lines: list[Line],
    sides: tuple[Floats, ...],
    at: NDArray[np.int64],
    last: NDArray[np.int64],
) -> None:
    """Fill in what the words and lines say of their type; `at` and `last` are the words' first and last characters."""
    firsts = np.array([line.first for line in lines])
    lasts = np.array([line.last for line in lines]) - 1
    head, tail = at[firsts], last[lasts]
    # How far the writing goes from the middle of the first character to that of the last.
    across, down = _way(sides, head, tail)
    # Which way it goes its words tell best: PDFium takes for one line what stands in one row of the page's own space.
    ahead, below = (np.add.reduceat(side, firsts) for side in _way(sides, at, last))
    told = (ahead != 0) | (below != 0)
    flat = np.where(told, np.abs(ahead) >= np.abs(below), np.abs(across) >= np.abs(down))
    ways = np.where(flat, UPRIGHT, np.where(np.where(told, below, down) > 0, DOWN, UP))
    back = flat & (ahead < 0)
    if back.any() and RTL.search(chars.text) is None:
        ways[back] = OVER
    if (tail == head).any():
        # A character alone goes as most of the page does.
        ways[tail == head] = np.bincount(ways[tail != head], minlength=1).argmax()
    flat = (ways == UPRIGHT) | (ways == OVER)
    counts = lasts - firsts + 1
    words.upright = np.repeat(flat, counts)
    # The font is asked for once where neighbouring words are of one height.
    em = np.where(words.upright, sides[3][at] - sides[1][at], sides[2][at] - sides[0][at])
    new = np.ones(len(at), np.bool_)
    new[1:] = np.abs(np.diff(em)) > _SAME_TYPE * em[1:]
    new[firsts] = True
    runs = np.flatnonzero(new)
    ends = chars.fonts(words.start[np.concatenate((firsts, lasts))])
    fonts, closing = ends[: len(firsts)], ends[len(firsts) :]
    words.font = np.repeat(fonts, counts)
    mixed = np.flatnonzero(np.repeat(fonts != closing, counts))
    if len(mixed):
        words.font[mixed] = chars.fonts(words.start[mixed])
    words.size = np.repeat(_sizes(chars, words, runs, em[runs]), np.diff(np.concatenate((runs, [len(at)]))))
    longest = _longest(words, firsts)
    slanted = np.minimum(np.abs(across), np.abs(down)) > np.maximum(_SLANT * words.size[longest], 1.0)
    columns = (
        np.minimum.reduceat(words.x0, firsts),
        np.minimum.reduceat(words.y0, firsts),
        np.maximum.reduceat(words.x1, firsts),
        np.maximum.reduceat(words.y1, firsts),
        words.size[longest],
        ways,
        slanted & (tail != head),
        fonts,
        closing,
    )
    for line, x, y, right, bottom, size, way, slant, one, other in zip(
        lines, *(column.tolist() for column in columns), strict=True
    ):
        line.x0, line.y0, line.x1, line.y1, line.size = x, y, right, bottom, size
        line.way, line.slanted, line.fonts = way, slant, (one, other)


def _sizes(chars: PageChars, words: PageWords, runs: NDArray[np.int64], em: Floats) -> Floats:
    """Return the font size of the words `runs`; those of one font and height are of one size, and asked once."""
    keys = list(zip(words.font[runs].tolist(), np.round(em / _SIZE_UNIT).tolist(), strict=True))
    places = {key: place for place, key in enumerate(keys)}
    asked = dict(zip(places, chars.sizes(words.start[runs[list(places.values())]]).tolist(), strict=True))
    return np.array([asked[key] for key in keys])


def _way(
    sides: tuple[Floats, ...], one: NDArray[np.int64], other: NDArray[np.int64]
) -> tuple[Floats, Floats]:
    """Return how far right and how far down the middles of characters `other` are from those of `one`."""
    x0, y0, x1, y1 = sides
    across = (x0[other] + x1[other] - x0[one] - x1[one]) / 2
    return across, (y0[other] + y1[other] - y0[one] - y1[one]) / 2


def _longest(words: PageWords, firsts: NDArray[Any]) -> NDArray[np.int64]:
    """Return the first of the longest words of each line."""
    length = words.end - words.start
    # Longer is more; of two alike the earlier is more.
    rank = length.astype(np.int64) * (len(length) + 1) + np.arange(len(length), 0, -1)
    best = np.maximum.reduceat(rank, firsts)
    return np.asarray(len(length) - best % (len(length) + 1), np.int64)
