"""What a table is made of: words in lines, the empty strips between columns, and which lines are one row."""

from __future__ import annotations

import itertools
import re
from bisect import bisect_right
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

GUTTER = 0.9
"""Font sizes of empty space that part two cells, where no line does."""
_NARROW = 0.5
"""Font sizes of empty space that part two columns of figures, in line after line."""
_SPACE = 0.65
"""Font sizes between two words of one piece, at most, figures left out: narrower than what parts columns."""
_CROSSED = 0.1
"""Share of the lines that may go over a strip between columns: headings of several columns."""
_LEVEL, _RAISED = 0.35, 0.55
"""Font sizes by which the middles of words of one line differ, at most; and where one of them is raised or lowered."""
_SMALL = 0.85
"""Share of the other's size that a raised or lowered word has, at most."""
_LOOSE = 1.7
"""Times the usual distance of lines from which on a distance parts rows."""
_FULL_LINES, _FULL_SHARE = 4, 0.8
"""Lines, and the share of them with a piece in each of three columns or more, from which on each line is a row."""
_INDENT = 0.25
"""Font sizes to the right that a line begins which goes on from the one above."""
_PROSE_WORDS, _PROSE_LINES, _PROSE_SHARE = 4, 3, 0.6
"""Words a line, lines, and the share of them that end because no word more would fit: what makes running text."""

# A figure: sign, currency, digits with their marks, a unit or a note's mark behind; linear, one class before one
# digit, one class after it, a few letters.
_FIGURE = re.compile(
    r"[-+−–~≈<>≤≥±(\[$€£¥₹#\s]*\d[\d.,:/'’·±×^\u00a0\u202f\s%‰)\]*†‡°$€£¥₹+−–-]*[A-Za-z]{0,3}[)*†‡]?"
)
# What stands in place of a figure: linear, one class or a few words.
_NO_FIGURE = re.compile(r"(?:[-–—−.…*·]\s?){1,5}|n/?a\.?|nil|none|\(?[xX]\)?", re.IGNORECASE)

# The number of a section or an item, or the mark of one: linear, digits or letters of Roman numbers.
NUMBERING = re.compile(r"\d{1,3}(?:\.\d{1,3}){0,9}\.?|[A-Za-z][.)]|[ivxIVX]{1,6}[.)]?|[-•–*▪◦‣]")


class Word(NamedTuple):
    """A word: its box in points, the size of its font, its number among the page's words, what it says."""

    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    number: int
    text: str

    @property
    def middle(self) -> float:
        """The middle of its height."""
        return (self.y0 + self.y1) / 2


Line = list[Word]
"""Words that stand side by side, from left to right."""


def is_figure(text: str) -> bool:
    """Say whether `text` is a number as tables have them."""
    return _FIGURE.fullmatch(text) is not None and not text.endswith(",")


def stands_for_figure(text: str) -> bool:
    """Say whether `text` is a number or what tables have in the place of one."""
    return is_figure(text) or _NO_FIGURE.fullmatch(text) is not None


def lines_of(words: Iterable[Word]) -> list[Line]:
    """Return `words` in lines, from the top; raised and lowered ones stand in the line of those beside them.

    Their boxes do not tell: those of some fonts are higher than the distance of lines.
    """
    lines: list[Line] = []
    # The middle and the size of the largest word of the last line.
    middle = size = 0.0
    for word in sorted(words, key=middle_of):
        own, here = word.size, (word.y0 + word.y1) / 2
        small, large = (own, size) if own < size else (size, own)
        reach = (_RAISED if small <= _SMALL * large else _LEVEL) * large
        if lines and here - middle <= reach:
            lines[-1].append(word)
            if own > size:
                middle, size = here, own
        else:
            lines.append([word])
            middle, size = here, own
    for line in lines:
        line.sort()
    return lines


def middle_of(word: Word) -> float:
    """Return the middle of a word's height: what a list of words is sorted and searched by."""
    return (word.y0 + word.y1) / 2


def pieces_of(line: Line) -> list[Line]:
    """Return the runs of a line that gutters part."""
    pieces = [[line[0]]]
    for before, word in itertools.pairwise(line):
        if word.x0 - before.x1 > GUTTER * max(before.size, word.size):
            pieces.append([])
        pieces[-1].append(word)
    return pieces


def says(line: Iterable[Word]) -> str:
    """Return the words of a line as a text."""
    return " ".join(word.text for word in line)


def separators(lines: Sequence[Line], head: Sequence[Line], *, ruled: bool) -> list[float]:
    """Return where columns part: in the empty strips that nearly all `lines` have, from the left.

    Where a strip is wider than the space in `head`, the lines above, they part where that has a space too. Between
    rules a gutter in half of the lines is enough; without, it has to be there in most of them. Figures need less
    space between them than words.
    """
    words = [word for line in lines for word in line]
    edges = sorted([(word.x0, 1) for word in words] + [(word.x1, -1) for word in words])
    if not edges:
        return []
    crossing = int(_CROSSED * len(lines))
    size = median(word.size for word in words) or 1.0
    found: list[float] = []
    depth = 0
    low: float | None = None
    for x, step in edges:
        if step > 0 and depth == crossing and low is not None:
            middle = (low + x) / 2
            if x - low >= _NARROW * size and _parts(lines, middle, crossing, ruled=ruled):
                found.append(_placed(low, x, head))
            low = None
        depth += step
        if step < 0 and depth == crossing:
            low = x
    return found


def _parts(lines: Sequence[Line], x: float, crossing: int, *, ruled: bool) -> bool:
    """Say whether the strip around `x` parts columns: words on both sides of it stand apart, line after line."""
    apart = close = 0
    for line in lines:
        at = bisect_right(line, x, key=_left)
        if not 0 < at < len(line) or line[at - 1].x1 > x:
            continue
        one, other = line[at - 1], line[at]
        size = max(one.size, other.size)
        gap = other.x0 - one.x1
        if gap > (_NARROW if _are_figures(one, other) else GUTTER) * size:
            apart += 1
        else:
            close += 1
    return close <= crossing and apart >= max(1, (0.5 if ruled else 0.6) * len(lines))


def _placed(low: float, high: float, head: Sequence[Line]) -> float:
    """Return the middle of the strip from `low` to `high`, moved to where `head` has spaces in it."""
    for line in reversed(head):
        gaps = [(max(low, one.x1), min(high, other.x0)) for one, other in itertools.pairwise(line)]
        start, end = max(gaps, key=lambda gap: gap[1] - gap[0], default=(low, low))
        if end > start:
            low, high = start, end
    return (low + high) / 2


def _are_figures(one: Word, other: Word) -> bool:
    return stands_for_figure(one.text) and stands_for_figure(other.text)


def _left(word: Word) -> float:
    return word.x0


class Columns:
    """Columns by their edges: `edges[0]` is the left of the first, `edges[-1]` the right of the last."""

    __slots__ = ("_inner", "_space", "edges")

    def __init__(self, edges: Sequence[float], *, walls: bool = False) -> None:
        """With `walls` lines are drawn between the columns: then no space between words is too narrow to part them."""
        self.edges = list(edges)
        self._inner = self.edges[1:-1]
        self._space = -1.0 if walls else _SPACE

    def __len__(self) -> int:
        return len(self._inner) + 1

    def at(self, x: float) -> int:
        """Return the column that `x` lies in, the nearest outside of all."""
        return bisect_right(self._inner, x)

    def groups(self, line: Line) -> list[tuple[int, int, Line]]:
        """Return the words of a line as (first column, last column, words); words over an edge span columns."""
        groups: list[tuple[int, int, Line]] = []
        inner = self._inner
        for word in line:
            x0, x1, size = word.x0, word.x1, word.size
            reach = min(size, x1 - x0) / 4
            first, last = bisect_right(inner, x0 + reach), bisect_right(inner, x1 - reach)
            if groups:
                low, high, before = groups[-1]
                spans = high > low or last > first
                gap = x0 - before[-1].x1
                if (
                    first == high == last
                    or first < high
                    or (spans and gap <= GUTTER * size)
                    or (gap <= self._space * size and not _are_figures(before[-1], word))
                ):
                    before.append(word)
                    groups[-1] = low, max(high, last), before
                    continue
            groups.append((first, last, [word]))
        return groups


def is_prose(lines: Sequence[Line], right: float) -> bool:
    """Say whether `lines`, one below the other in a column that ends at `right`, are running text."""
    if len(lines) < _PROSE_LINES or median(len(line) for line in lines) < _PROSE_WORDS:
        return False
    full = sum(not _has_room(one, other, right) for one, other in itertools.pairwise(lines))
    return full >= _PROSE_SHARE * (len(lines) - 1)


def _has_room(line: Line, following: Line, right: float) -> bool:
    """Say whether the first word of `following` would have fitted behind `line`: then the line was ended on purpose."""
    first = following[0]
    return line[-1].x1 + 0.35 * first.size + (first.x1 - first.x0) <= right


class Level(NamedTuple):
    """A line over all columns: (first column, last column, words) of each piece."""

    groups: list[tuple[int, int, Line]]
    y0: float
    y1: float

    @property
    def middle(self) -> float:
        """The middle of its height."""
        return (self.y0 + self.y1) / 2


def levels_of(lines: Sequence[Line], columns: Columns) -> list[Level]:
    """Return the lines with their words told apart by column."""
    return [
        Level(columns.groups(line), min(word.y0 for word in line), max(word.y1 for word in line))
        for line in lines
    ]


def row_starts(levels: Sequence[Level], columns: Columns) -> list[int]:
    """Return the levels that begin a row; the others go on in the cells of the row above.

    A cell goes on in the next line only because no word more would have fitted. So a line begins a row when in one
    of its columns there was room in the line above, or figures stand in both.
    """
    right = [_right_of(levels, columns, column) for column in range(len(columns))]
    steps = [other.middle - one.middle for one, other in itertools.pairwise(levels)]
    usual = sorted(steps)[len(steps) // 4] if steps else 0.0
    above: dict[int, Line] = {}
    starts: list[int] = []
    filled = sum(len(level.groups) == len(columns) for level in levels)
    if len(levels) >= _FULL_LINES and len(columns) > 2 and filled >= _FULL_SHARE * len(levels):  # noqa: PLR2004
        return list(range(len(levels)))
    for index, level in enumerate(levels):
        forced = {low: _forced(above.get(low), words, right[low]) for low, _, words in level.groups}
        lone = len(level.groups) == 1
        if index == 0:
            start = True
        elif lone:
            # A line of its own in the first column: a heading of rows, or the rest of a label.
            low, _, words = level.groups[0]
            far = steps[index - 1] > _LOOSE * usual
            start = low == 0 and (far or (forced[0] and not _goes_on(above.get(0), words)))
        elif steps[index - 1] > _LOOSE * usual:
            start = True
        elif (
            starts[-1] == index - 1
            and len(levels[index - 1].groups) == 1
            and 0 in above
            and not forced.get(0, True)
        ):
            # The label began in the line above, and its figures stand beside its last line.
            start = False
        else:
            start = any(forced.values()) or _stands_alone(level, above, right)
        if start:
            starts.append(index)
        above.update((low, words) for low, _, words in level.groups)
    return starts


def _stands_alone(level: Level, above: dict[int, Line], right: Sequence[float]) -> bool:
    """Say whether a line fills every column, and in most of them stands one word below another that ends early."""
    if len(level.groups) < len(right):
        return False
    short = 0
    for low, _, words in level.groups:
        before = above.get(low, words)
        short += len(before) == len(words) == 1 and before[0].x1 < right[low] - before[0].size / 2
    return 2 * short > len(right)


def _forced(above: Line | None, line: Line, right: float) -> bool:
    """Say whether `line` is not what goes on from `above` in the same cell."""
    if above is None:
        return True
    if stands_for_figure(says(line)) and stands_for_figure(says(above)):
        return True
    return _has_room(above, line, right)


def _goes_on(above: Line | None, line: Line) -> bool:
    """Say whether a lone line reads as the rest of the one above: it begins small, or further in."""
    first = line[0]
    if first.text[:1].islower():
        return True
    return above is not None and first.x0 - above[0].x0 > _INDENT * first.size


def _right_of(levels: Sequence[Level], columns: Columns, column: int) -> float:
    """Return how far the words of a column reach to the right."""
    reach = [words[-1].x1 for level in levels for _, high, words in level.groups if high == column]
    return max(reach, default=columns.edges[column + 1])
