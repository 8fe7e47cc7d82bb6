"""Tables that no line tells: figures below one another, beside labels, with the same gutters row after row."""

from __future__ import annotations

import re
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

from pincite.reading.pdf._cells import (
    GUTTER,
    NUMBERING,
    Columns,
    is_figure,
    is_prose,
    levels_of,
    lines_of,
    pieces_of,
    row_starts,
    says,
    separators,
    stands_for_figure,
)
from pincite.reading.pdf._found import Area, Found, found_of, rows_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pincite.reading.pdf._cells import Line, Word

_ROWS = 3
"""Rows with figures that make a table, at least."""
_PITCH = 3.2
"""Font sizes between two rows of one table, at most."""
_HEAD_PITCH, _HEAD_LINES = 2.2, 4
"""Font sizes between the lines of a table's head, and how many of them there are, at most."""
_SIDE = 2.5
"""Points by which the sides of figures below one another differ, at most."""
_LABEL_WORDS = 12
"""Words of a piece of a row, at most."""

# Dot leaders: linear, one class.
_LEADERS = re.compile(r"(?:[.·…_]\s?){4,}|…{2,}|\s[.·](?:\s[.·])+(?:\s|$)")
# A page's number, or the number of a formula or a line: linear, digits.
_ORDINAL = re.compile(r"\(?(\d{1,4})[A-Za-z]?[).]?")
# What lines of program code end with or hold: linear, a few characters.
_CODE = re.compile(r"[;{}]$|^(?://|#|/\*)|\w\(\w*[,)]|[=!<>]=|:=|->|=>")
_LETTERS = re.compile(r"[^\W\d_]{2}")


def aligned_tables(words: Sequence[Word]) -> Iterator[Found]:
    """Yield the tables of `words`."""
    lines = lines_of(words)
    pieces = [pieces_of(line) for line in lines]
    seeds = [
        [piece for piece in row[1:] if len(piece) <= 3 and is_figure(says(piece))]  # noqa: PLR2004 - `1 234 567`
        for row in pieces
    ]
    done = 0
    for block in _blocks(lines, seeds):
        if block[0] < done:
            continue
        found, last = _table(lines, block, seeds, done)
        if found is not None:
            yield found
            done = last + 1


def _blocks(lines: Sequence[Line], seeds: Sequence[Sequence[Line]]) -> Iterator[list[int]]:
    """Yield runs of rows, by index of their line, whose figures stand below one another."""
    block: list[int] = []
    for index, figures in enumerate(seeds):
        if not figures:
            continue
        if block:
            before = lines[block[-1]][0]
            far = lines[index][0].middle - before.middle > _PITCH * before.size
            if far or not _aligned(seeds[block[-1]], figures):
                if len(block) >= _ROWS:
                    yield block
                block = []
        block.append(index)
    if len(block) >= _ROWS:
        yield block


def _aligned(above: Sequence[Line], below: Sequence[Line]) -> bool:
    """Say whether a figure of one row stands under one of the other: by its right, its left or its middle."""
    for one in above:
        for other in below:
            left, right = one[0].x0 - other[0].x0, one[-1].x1 - other[-1].x1
            if min(abs(left), abs(right), abs(left + right) / 2) <= _SIDE:
                return True
    return False


def _table(
    lines: Sequence[Line], block: Sequence[int], seeds: Sequence[Sequence[Line]], after: int
) -> tuple[Found | None, int]:
    """Return the table around the rows of `block`, and its last line; None when it is none."""
    extent = _extent(lines, block, seeds)
    if extent is None:
        return None, 0
    low, high = extent
    rows = [_inside(lines[index], low, high) for index in block]
    seps = separators(rows, lines[max(after, block[0] - 1) : block[0]], ruled=False)
    if not seps:
        return None, 0
    columns = Columns([low, *seps, high])
    first, last = block[0], block[-1]
    if any(_straddles(lines[index], low, high) for index in range(first, last + 1)):
        return None, 0
    body = [part for index in range(first, last + 1) if (part := _inside(lines[index], low, high))]
    if not _is_table(rows, body, columns):
        return None, 0
    begin = _label_start(lines, first, after, columns)
    body = [*(_inside(lines[index], low, high) for index in range(begin, first)), *body]
    first = _head(lines, begin, after, columns)
    head = [part for index in range(first, begin) if (part := _inside(lines[index], low, high))]
    everything = [*head, *body]
    words = [word for line in everything for word in line]
    top, bottom = min(word.y0 for word in words), max(word.y1 for word in words)
    levels = levels_of(everything, columns)
    starts = [*range(len(head)), *(len(head) + start for start in row_starts(levels[len(head) :], columns))]
    area = Area(min(word.x0 for word in words), top, max(word.x1 for word in words), bottom)
    return found_of(area, columns, rows_at(levels, starts, columns, top, bottom), words), last


def _inside(line: Line, low: float, high: float) -> Line:
    return [word for word in line if low <= (word.x0 + word.x1) / 2 <= high]


def _straddles(line: Line, low: float, high: float) -> bool:
    """Say whether a piece of `line` is partly between `low` and `high`."""
    return any(
        (piece[0].x0 < low - _SIDE < high and piece[-1].x1 > low + _SIDE)
        or (piece[0].x0 < high - _SIDE and piece[-1].x1 > high + _SIDE)
        for piece in pieces_of(line)
    )


def _extent(
    lines: Sequence[Line], block: Sequence[int], seeds: Sequence[Sequence[Line]]
) -> tuple[float, float] | None:
    """Return the left and right of the table: its rows without columns of running text beside it."""
    rows = [lines[index] for index in block]
    low, high = min(row[0].x0 for row in rows), max(row[-1].x1 for row in rows)
    figures_low = min(figures[0][0].x0 for index in block for figures in [seeds[index]])
    figures_high = max(figures[-1][-1].x1 for index in block for figures in [seeds[index]])
    edges = [low, *_gutters(rows), high]
    spans = list(pairwise(edges))
    inside = range(block[0], block[-1] + 1)
    while spans and spans[0][1] <= figures_low + _SIDE and _is_text(lines, inside, *spans[0]):
        spans.pop(0)
    while spans and spans[-1][0] >= figures_high - _SIDE and _is_text(lines, inside, *spans[-1]):
        spans.pop()
    return (spans[0][0], spans[-1][1]) if spans else None


def _gutters(rows: Sequence[Line]) -> list[float]:
    """Return the middles of the empty strips that every row has, a gutter wide."""
    spans = sorted((piece[0].x0, piece[-1].x1) for row in rows for piece in pieces_of(row))
    size = median(row[0].size for row in rows)
    found: list[float] = []
    reach = spans[0][1]
    for x0, x1 in spans:
        if x0 - reach > GUTTER * size / 2:
            found.append((x0 + reach) / 2)
        reach = max(reach, x1)
    return found


def _is_text(lines: Sequence[Line], inside: range, low: float, high: float) -> bool:
    """Say whether the lines from `low` to `high` are running text, or too long for a cell."""
    mine = [part for index in inside if (part := _inside(lines[index], low, high))]
    if not mine:
        return True
    return is_prose(mine, max(line[-1].x1 for line in mine)) or median(map(len, mine)) > _LABEL_WORDS


def _is_table(rows: Sequence[Line], body: Sequence[Line], columns: Columns) -> bool:
    """Say whether rows over columns are a table, and not a list, contents, formulas, code or text in columns."""
    texts = [says(row) for row in rows]
    if 2 * sum(_CODE.search(text) is not None for text in texts) >= len(texts):
        return False
    if 3 * sum(_LETTERS.search(text) is not None for text in texts) < len(texts):
        return False
    cells: list[list[str]] = [[] for _ in range(len(columns))]
    ends: list[list[float]] = [[] for _ in range(len(columns))]
    for row in rows:
        for low, high, words in columns.groups(row):
            if low != high:
                return False
            cells[low].append(says(words))
            ends[low].append(words[-1].x1)
    if _has_prose(body, columns):
        return False
    if not _below_one_another([columns.groups(row)[0][2] for row in rows]):
        return False
    figures = [
        column
        for column in range(1, len(columns))
        if len(cells[column]) >= _ROWS
        and 3 * sum(map(stands_for_figure, cells[column])) >= 2 * len(cells[column])
        and sum(map(is_figure, cells[column])) >= _ROWS
    ]
    if not figures or _is_counting(cells, figures, texts):
        return False
    if len(figures) > 1:
        return True
    # One column of figures alone: they end below one another, or a third column stands beside it.
    (column,) = figures
    straight = max(ends[column]) - min(ends[column]) <= _SIDE
    return straight and all(len(cell) for cell in cells[0]) and len(cells[0]) >= _ROWS


def _has_prose(body: Sequence[Line], columns: Columns) -> bool:
    """Say whether a column is running text."""
    for low, high in pairwise(columns.edges):
        mine = [part for line in body if (part := _inside(line, low, high))]
        if is_prose(mine, max((line[-1].x1 for line in mine), default=high)):
            return True
    return False


def _below_one_another(labels: Sequence[Line]) -> bool:
    """Say whether most of `labels` begin, or end, below one another."""
    sides = ([label[0].x0 for label in labels], [label[-1].x1 for label in labels])
    return any(
        2 * max(sum(abs(one - other) <= _SIDE for other in side) for one in side) >= len(side)
        for side in sides
    )


def _is_counting(cells: Sequence[Sequence[str]], figures: Sequence[int], texts: Sequence[str]) -> bool:
    """Say whether the figures number what stands beside them: pages of contents, formulas, lines."""
    leaders = 2 * sum(_LEADERS.search(text) is not None for text in texts) >= len(texts)
    others = [
        column
        for column in figures
        if not all(NUMBERING.fullmatch(cell) for cell in cells[column]) or column == figures[-1]
    ]
    if len(others) > 1:
        return False
    numbers = [_ORDINAL.fullmatch(cell) for cell in cells[figures[-1]]]
    counts = [int(number[1]) for number in numbers if number is not None]
    rising = len(counts) == len(numbers) and all(one <= other for one, other in pairwise(counts))
    return rising or (leaders and len(counts) > len(numbers) / 2)


def _label_start(lines: Sequence[Line], first: int, after: int, columns: Columns) -> int:
    """Return the line in which the label of the first row begins: the one above, when it goes on in small letters."""
    if first <= after:
        return first
    row, above = (_inside(lines[index], columns.edges[0], columns.edges[-1]) for index in (first, first - 1))
    near = above and row[0].middle - above[0].middle <= _HEAD_PITCH * row[0].size
    lone = near and [group[:2] for group in columns.groups(above)] == [(0, 0)]
    return first - 1 if lone and row[0].text[:1].islower() and len(above) <= _LABEL_WORDS else first


def _head(lines: Sequence[Line], first: int, after: int, columns: Columns) -> int:
    """Return the first line of the table's head: lines right above it whose pieces stand over its columns."""
    low, high = columns.edges[0], columns.edges[-1]
    taken = first
    below = _inside(lines[first], low, high)
    for index in range(first - 1, max(after, first - _HEAD_LINES) - 1, -1):
        line = _inside(lines[index], low, high)
        if not line:
            continue
        if _straddles(lines[index], low, high):
            break
        if below[0].middle - line[0].middle > _HEAD_PITCH * below[0].size:
            break
        groups = columns.groups(line)
        over = [words for group_low, _, words in groups if group_low > 0]
        if not over or any(len(words) > _LABEL_WORDS // 2 for _, _, words in groups):
            break
        if len(groups) < 2 and any(low_ == 0 for low_, _, _ in groups):  # noqa: PLR2004 - a line of text
            break
        taken, below = index, line
    return taken
