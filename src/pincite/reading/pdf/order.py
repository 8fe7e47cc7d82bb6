"""The order of reading: fragments of lines, columns, and what stands before what.

The order in which a file holds its text is right for most files, so it stays unless the page contradicts it: lines
that run over a gutter between columns of prose, columns in the wrong order, and text that stands over what it follows.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from pincite.reading.pdf._letters import RTL
from pincite.reading.pdf.fragments import CORE, part_of
from pincite.reading.pdf.words import DOWN, OVER, UP, UPRIGHT, Line, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from pincite.reading.pdf.words import PageWords

SAME_ROW = 0.5
"""Share of the lower line that must stand beside the other to count as one row."""

_COLUMN_GAP = 0.6
"""Line heights of empty space between two columns, at least."""

_PROSE_ROWS, _PROSE_WIDTH, _PROSE_WORDS = 4, 5.0, 2.5
"""Lines, line heights of width and words a line that a column of prose has at least."""

_PROSE_DENSE = 9
"""Characters a line that a column of prose has at least where words are not parted by spaces."""

_PROSE_FULL, _FULL = 0.5, 0.8
"""Share of its lines that fill a column of prose, and the share of the column's width that they fill."""

_PROSE_LETTERS = 0.6
"""Share of letters in a column of prose."""

_FUSED = 0.3
"""Share of a column's lines after or before which the text goes over the gutter, at least, when rows are fused."""

_REVERSED = 0.6
"""Share of steps up the page from which on all of it stands in reverse."""

_CLEAR = 0.6
"""Line heights between a column and what stands over or under all columns, at least."""

_UP = 2.2
"""Line heights by which text stands over what it follows, at least, when it is to be read before it."""

_MOST_PARTS, _MOST_RUNS = 2_000, 60
"""Fragments and upward steps of a page beyond which it is a drawing, whose order says nothing."""

# Letters of any script, and characters of scripts without spaces: linear, one
# class each.
_LETTER = re.compile(r"[^\W\d_]")
_DENSE = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\u0e00-\u0eff\U00020000-\U0003ffff]")


@dataclass(slots=True, eq=False)
class _Part:
    """A fragment: its line, its words, and its box as one reads it, `u` along the lines and `v` down the page.

    From `top` to `foot` goes its core.
    """

    index: int
    line: int
    first: int
    last: int
    u0: float
    v0: float
    u1: float
    v1: float
    height: float
    top: float
    foot: float


@dataclass(slots=True)
class _Group:
    """Parts that stand under one another with the same gutters: `spans` are the stretches of `u` that they take."""

    parts: list[_Part]
    spans: list[tuple[float, float]]
    foot: float


def in_reading_order(
    words: PageWords, lines: list[Line], cut: NDArray[np.bool_], text: str, *, rtl: bool
) -> list[Line]:
    """Return the lines in the order of reading; one that runs over columns is parted.

    `cut` is what `fragment_starts` gave, `rtl` says that some words are written from right to left. The list
    itself is given back where nothing contradicts its order.
    """
    order, heads = words_of(lines)
    begins = cut[order]
    begins[heads] = True
    seen = [index for index, line in enumerate(lines) if line.seen]
    counts = np.diff(np.concatenate((heads, [len(order)])))
    for index, head, count in zip(seen, heads.tolist(), counts.tolist(), strict=True):
        if lines[index].table:
            begins[head + 1 : head + count] = False
    at = np.flatnonzero(begins)
    if not 1 < len(at) <= _MOST_PARTS:
        return lines
    boxes = [
        np.minimum.reduceat(words.x0[order], at), np.minimum.reduceat(words.y0[order], at),
        np.maximum.reduceat(words.x1[order], at), np.maximum.reduceat(words.y1[order], at),
    ]  # fmt: skip
    tally = [0, 0, 0, 0]
    for line in lines:
        tally[line.way] += line.last - line.first
    way = max(range(4), key=lambda one: tally[one])
    u0, v0, u1, v1 = _turned(boxes, way)
    over, columns = _doubts(u0, v0, u1, v1)
    if not over and not columns:
        return lines
    owners = np.repeat(np.array(seen), counts)[at]
    lasts = order[np.concatenate((at[1:], [len(order)])) - 1] + 1
    height = v1 - v0
    own = (owners, order[at], lasts, u0, v0, u1, v1, height, v0 + CORE * height, v1 - CORE * height)
    sides = (side.tolist() for side in own)
    parts = [_Part(index, *row) for index, row in enumerate(zip(*sides, strict=True))]
    main = [part for part in parts if lines[part.line].way == way and not lines[part.line].slanted]
    if len(main) < 2:  # noqa: PLR2004 - one has no order
        return lines
    rtl = rtl and len(RTL.findall(text)) * 2 > len(_LETTER.findall(text))
    if _goes_up(main):
        arranged = _downwards(main, rtl=rtl), set[int]()
    else:
        arranged = _lifted(_columns(main, words, text, rtl=rtl) if columns else (main, set()))
    if all(one.index < other.index for one, other in pairwise(arranged[0])) and not arranged[1]:
        return lines
    return _lines_of(words, lines, parts, *arranged)


def _goes_up(parts: list[_Part]) -> bool:
    """Say whether the text goes up the page, line by line: a file that holds its lines in reverse."""
    # Labels in a drawing go any way.
    wide = [part for part in parts if part.u1 - part.u0 >= _PROSE_WIDTH * part.height]
    steps = [
        other.foot <= one.top
        for one, other in pairwise(wide)
        if min(one.u1, other.u1) > max(one.u0, other.u0)
    ]
    return len(steps) > 1 and sum(steps) > _REVERSED * len(steps)


def _turned(boxes: list[NDArray[np.float64]], way: int) -> tuple[NDArray[np.float64], ...]:
    """Return u0, v0, u1, v1 of boxes whose writing goes `way`."""
    x0, y0, x1, y1 = boxes
    return {
        UPRIGHT: (x0, y0, x1, y1), DOWN: (y0, -x1, y1, -x0), UP: (-y1, x0, -y0, x1), OVER: (-x1, -y1, -x0, -y0)
    }[way]  # fmt: skip


def _doubts(
    u0: NDArray[np.float64], v0: NDArray[np.float64], u1: NDArray[np.float64], v1: NDArray[np.float64]
) -> tuple[bool, bool]:
    """Say whether a part stands over the one before it, and whether there may be columns.

    These are where neighbours stand beside one another more than once, or one stands over and beside the other.
    """
    height = np.minimum(v1[1:] - v0[1:], v1[:-1] - v0[:-1])
    above = v1[1:] <= v0[:-1] + CORE * height
    apart = np.maximum(u0[1:] - u1[:-1], u0[:-1] - u1[1:]) > 0
    beside = np.minimum(v1[1:], v1[:-1]) - np.maximum(v0[1:], v0[:-1]) > SAME_ROW * height
    return bool(above.any()), bool((above & apart).any()) or int((beside & apart).sum()) > 1


def _spans(spans: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the union of stretches, in order."""
    union: list[tuple[float, float]] = []
    for start, end in sorted(spans):
        if union and start <= union[-1][1]:
            union[-1] = (union[-1][0], max(union[-1][1], end))
        else:
            union.append((start, end))
    return union


def _gaps(spans: list[tuple[float, float]], least: float) -> list[float]:
    """Return the middles of the spaces between stretches that are at least `least` wide."""
    return [(one[1] + other[0]) / 2 for one, other in pairwise(spans) if other[0] - one[1] >= least]


def _groups(parts: list[_Part]) -> tuple[list[_Group], float]:
    """Return the parts in groups from the top of the page down, and the width of a gutter, at least."""
    least = _COLUMN_GAP * median(part.height for part in parts)
    bands: list[_Group] = []
    for part in sorted(parts, key=lambda part: part.top):
        if bands and part.top < bands[-1].foot:
            bands[-1].parts.append(part)
            bands[-1].foot = max(bands[-1].foot, part.foot)
        else:
            bands.append(_Group([part], [], part.foot))
    groups: list[_Group] = []
    for band in bands:
        band.spans = _spans((part.u0, part.u1) for part in band.parts)
        joined = _spans((*groups[-1].spans, *band.spans)) if groups else []
        if groups and _belongs(groups[-1], band, joined, least):
            groups[-1].parts += band.parts
            groups[-1].spans, groups[-1].foot = joined, band.foot
        else:
            groups.append(band)
    return groups, least


def _belongs(group: _Group, band: _Group, joined: list[tuple[float, float]], least: float) -> bool:
    """Say whether the gutters go on in the next band of rows."""
    have, own, left = (len(_gaps(spans, least)) for spans in (group.spans, band.spans, joined))
    if left < have:
        return False
    if left >= own:
        return True
    # A small table in one of the columns has gaps of its own; where there are no columns yet, these begin some.
    return have > 0 and len(band.parts) <= 2 * (own + 1)


def _columns(parts: list[_Part], words: PageWords, text: str, *, rtl: bool) -> tuple[list[_Part], set[int]]:
    """Return the parts with columns one after the other, and the indices of parts before which a line is parted."""
    groups, least = _groups(parts)
    place = {part.index: (part.index, 0) for part in parts}
    following = {one.index: other for one, other in pairwise(parts)}
    parted: set[int] = set()
    for group in groups:
        gaps = _gaps(group.spans, least)
        if not gaps or len(group.parts) < 2 * _PROSE_ROWS:
            continue
        columns, column_of = _prose_columns(group, gaps, words, text)
        order = _column_order(columns, column_of, following, rtl=rtl) if len(columns) > 1 else None
        if order is None:
            continue
        start = min(part.index for part in group.parts)
        for rank, part in enumerate(order):
            place[part.index] = (start, rank)
        parted |= {b.index for a, b in pairwise(order) if column_of[a.index] != column_of[b.index]}
    return sorted(parts, key=lambda part: place[part.index]), parted


def _prose_columns(
    group: _Group, gaps: list[float], words: PageWords, text: str
) -> tuple[list[list[_Part]], dict[int, int]]:
    """Return a group's columns, each of prose, and the column of each part.

    What is none, numbers beside the lines or the pages of an index, belongs to the column that it stands nearest to.
    """
    columns: list[list[_Part]] = [[] for _ in range(len(gaps) + 1)]
    for part in sorted(group.parts, key=lambda part: part.index):
        columns[bisect_right(gaps, (part.u0 + part.u1) / 2)].append(part)
    columns = [column for column in columns if column]
    while len(columns) > 1:
        odd = next((i for i, column in enumerate(columns) if not _is_prose(column, words, text)), None)
        if odd is None:
            break
        pairs = [(i, i + 1) for i in (odd - 1, odd) if 0 <= i < len(columns) - 1]
        low, high = min(pairs, key=lambda pair: _distance(columns, pair))
        columns[low : high + 1] = [sorted((*columns[low], *columns[high]), key=lambda part: part.index)]
    return columns, {part.index: i for i, column in enumerate(columns) for part in column}


def _distance(columns: list[list[_Part]], pair: tuple[int, int]) -> float:
    return min(part.u0 for part in columns[pair[1]]) - max(part.u1 for part in columns[pair[0]])


def _column_order(
    columns: list[list[_Part]], column_of: dict[int, int], following: dict[int, _Part], *, rtl: bool
) -> list[_Part] | None:
    """Return a group's parts column by column, or None where their own order may stand.

    `following` gives the part that comes after another in the file.
    """
    content = sorted((part for column in columns for part in column), key=lambda part: part.index)
    ways = list(range(len(columns)))[:: -1 if rtl else 1]
    rank = {column: place for place, column in enumerate(ways)}
    ranks = [rank[column_of[part.index]] for part in content]
    steps = sum(one > other for one, other in pairwise(ranks))
    if not steps:
        return None
    fused = _hops(content, column_of) >= max(2, _FUSED * min(map(len, columns)))
    spans = sorted((column[0].index, column[-1].index) for column in columns)
    swapped = all(one[1] < other[0] for one, other in pairwise(spans)) and not any(
        _runs_on(columns[column][-1], following.get(columns[column][-1].index)) for column in ways[:-1]
    )
    if not fused and not swapped:
        return None
    return _one_by_one([_downwards(columns[column], rtl=rtl) for column in ways])


def _one_by_one(columns: list[list[_Part]]) -> list[_Part]:
    """Return columns one after the other; what stands over or under all of them, clear of its own, is of none."""
    foot: list[_Part] = []
    while (low := max((c for c in columns if c), key=lambda c: c[-1].foot)) and len(low) > 1:
        bottom = max((part.foot for c in columns if c is not low for part in c), default=0.0)
        if low[-1].top < bottom or low[-1].v0 - low[-2].v1 < _CLEAR * low[-1].height:
            break
        foot.insert(0, low.pop())
    head: list[_Part] = []
    while (high := min((c for c in columns if c), key=lambda c: c[0].top)) and len(high) > 1:
        top = min((part.top for c in columns if c is not high for part in c), default=0.0)
        if high[0].foot > top or high[1].v0 - high[0].v1 < _CLEAR * high[0].height:
            break
        head.append(high.pop(0))
    return [*head, *(part for column in columns for part in column), *foot]


def _runs_on(part: _Part, after: _Part | None) -> bool:
    """Say whether the text goes on right under a part: it only makes room for what stands beside it."""
    if after is None or after.v0 - part.v1 > part.height:
        return False
    return after.top >= part.top and min(part.u1, after.u1) > max(part.u0, after.u0)


def _hops(content: list[_Part], column_of: dict[int, int]) -> int:
    """Return how often the text goes over a gutter to what stands beside it."""
    return sum(
        column_of[one.index] != column_of[other.index]
        and min(one.v1, other.v1) - max(one.v0, other.v0) > SAME_ROW * min(one.height, other.height)
        for one, other in pairwise(content)
    )


def _said(part: _Part, words: PageWords, text: str) -> str:
    return text[words.start[part.first] : words.end[part.last - 1]]


def _is_prose(column: list[_Part], words: PageWords, text: str) -> bool:
    """Say whether a column holds running text: lines that fill it, of several words each."""
    if len(column) < _PROSE_ROWS:
        return False
    widths = sorted(part.u1 - part.u0 for part in column)
    if widths[len(widths) // 2] < _PROSE_WIDTH * median(part.height for part in column):
        return False
    if sum(width >= _FULL * widths[-1] for width in widths) < _PROSE_FULL * len(widths):
        return False
    said = "".join(_said(part, words, text) for part in column)
    dense = len(_DENSE.findall(said))
    letters = len(_LETTER.findall(said))
    # A script without spaces has no words to count: its characters take their place.
    several = sum(part.last - part.first for part in column) >= _PROSE_WORDS * len(column)
    if not (several or (2 * dense > letters and len(said) >= _PROSE_DENSE * len(column))):
        return False
    return letters >= _PROSE_LETTERS * max(1, len("".join(said.split())))


def _downwards(column: list[_Part], *, rtl: bool) -> list[_Part]:
    """Return a column's parts from top to bottom; their own order stands where it goes down."""
    if all(one.top < other.foot for one, other in pairwise(column)):
        return column
    rows: list[list[_Part]] = []
    for part in sorted(column, key=lambda part: part.top):
        if rows and part.top < min(one.foot for one in rows[-1]) - SAME_ROW * part.height * (1 - 2 * CORE):
            rows[-1].append(part)
        else:
            rows.append([part])
    return [part for row in rows for part in sorted(row, key=lambda part: -part.u1 if rtl else part.u0)]


def _lifted(arranged: tuple[list[_Part], set[int]]) -> tuple[list[_Part], set[int]]:
    """Put what stands over text that it follows before that text: a head that the file draws last."""
    parts, parted = arranged
    runs: list[list[_Part]] = [[parts[0]]]
    for before, part in pairwise(parts):
        if part.foot <= before.top and before.v0 - part.v0 > _UP * min(before.height, part.height):
            runs.append([part])
        else:
            runs[-1].append(part)
    if not 1 < len(runs) <= _MOST_RUNS:
        return parts, parted
    order = list(runs[0])
    for run in runs[1:]:
        at = next((i for i, other in enumerate(order) if _stands_over(run[0], other)), len(order))
        size = _size_over(run, order[at]) if at < len(order) else len(run)
        if size == 0:
            at = len(order)
        order[at:at] = run[: size or len(run)]
        order += run[size or len(run) :]
    return order, parted


def _size_over(run: list[_Part], other: _Part) -> int:
    """Return how many parts at a run's beginning stand over `other`, clear of the rest of the run; 0 for none.

    Text that goes on beside or under what it stands over keeps its place: it runs around a picture.
    """
    head = run[0]
    if head.u1 - head.u0 < _PROSE_WIDTH * head.height:
        return 0
    size = next((i for i, part in enumerate(run) if part.foot > other.top), len(run))
    clear = size == len(run) or run[size].v0 - run[size - 1].v1 > _UP * run[size].height
    return size if clear else 0


def _stands_over(part: _Part, other: _Part) -> bool:
    """Say whether a part stands wholly over another, not in the next column."""
    shared = min(part.u1, other.u1) - max(part.u0, other.u0)
    return part.foot <= other.top and shared > SAME_ROW * min(part.u1 - part.u0, other.u1 - other.u0)


def _lines_of(
    words: PageWords, lines: list[Line], parts: list[_Part], arranged: list[_Part], parted: set[int]
) -> list[Line]:
    """Return lines in the order of their parts; what has no place in it goes with what it follows."""
    placed = {part.index for part in arranged}
    followers: dict[int, list[_Part]] = {}
    anchor = -1
    for part in parts:
        if part.index in placed:
            anchor = part.index
        else:
            followers.setdefault(anchor, []).append(part)
    order = followers.get(-1, [])[:]
    for part in arranged:
        order.append(part)
        order += followers.get(part.index, [])
    found: list[Line] = []
    run = [order[0]]
    for before, part in pairwise(order):
        if part.line == before.line and part.index == before.index + 1 and part.index not in parted:
            run.append(part)
        else:
            found.append(_run_of(words, lines, run))
            run = [part]
    found.append(_run_of(words, lines, run))
    return _with_unseen(lines, found)


def _run_of(words: PageWords, lines: list[Line], run: list[_Part]) -> Line:
    line = part_of(words, lines[run[0].line], run[0].first, run[-1].last)
    line.pieces = len(run)
    return line


def _with_unseen(lines: list[Line], found: list[Line]) -> list[Line]:
    """Put the lines without a box after the line that they follow."""
    if all(line.seen for line in lines):
        return found
    after: dict[int, list[Line]] = {}
    last = -1
    for line in lines:
        if line.seen:
            last = line.last
        else:
            after.setdefault(last, []).append(line)
    order = after.get(-1, [])[:]
    for line in found:
        order.append(line)
        order += after.get(line.last, [])
    return order
