"""Tables that lines tell: grids of horizontal and vertical lines, and rows between horizontal lines alone."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from pincite.reading.pdf._cells import (
    NUMBERING,
    Columns,
    is_prose,
    levels_of,
    lines_of,
    middle_of,
    pieces_of,
    row_starts,
    separators,
    stands_for_figure,
)
from pincite.reading.pdf._found import Area, Found, Part, found_of, rows_at
from pincite.reading.pdf.rules import Rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pincite.reading.pdf._cells import Level, Line, Word
    from pincite.reading.pdf.rules import Rules

_NEAR = 3.0
"""Points between lines that touch, or that are one line drawn twice."""
_ALIKE = 6.0
"""Points by which the ends of horizontal lines of one table differ, at most."""
_PAIRS = 20_000
"""Pairs of lines that are looked at, at most: a page with more is a drawing."""
_WIDTH = 72.0
"""Points that a table between horizontal lines alone is wide, at least."""
_TITLE = 2.8
"""Font sizes that a band with one heading in it is high, at most."""
_FILLED = 0.25
"""Share of a grid's cells that hold words, at least."""
_LONG_CELL = 60
"""Words of a cell from which on two of them in one row, in a grid that is open at its sides, are columns of text."""


class Frames(NamedTuple):
    """What the lines of a page may frame: grids of horizontal and vertical ones, and stacks of horizontal ones."""

    grids: list[tuple[list[Rule], list[Rule]]]
    stacks: list[list[Rule]]
    horizontal: Sequence[Rule] = ()


def frames_of(rules: Rules) -> Frames:
    """Return what `rules` may frame."""
    horizontal, vertical = rules
    grids: list[tuple[list[Rule], list[Rule]]] = []
    if vertical and horizontal and len(horizontal) * len(vertical) <= _PAIRS:
        grids = list(_joined(horizontal, vertical))
    return Frames(grids, list(_stacks(horizontal)), horizontal)


def ruled_tables(words: Sequence[Word], frames: Frames) -> Iterator[Found]:
    """Yield the tables that the lines of a page tell."""
    taken: set[Rule] = set()
    for across, down in frames.grids:
        found = _grid(words, across, down)
        if found is not None:
            taken.update(across)
            yield found
    for stack in frames.stacks:
        rules = [rule for rule in stack if rule not in taken]
        # Two lines have one band between them, and a table has two.
        if len(rules) > 2:  # noqa: PLR2004 - said above
            yield from _between(words, rules, frames.horizontal)


def _joined(horizontal: Sequence[Rule], vertical: Sequence[Rule]) -> Iterator[tuple[list[Rule], list[Rule]]]:
    """Yield the lines that touch one another: horizontal and vertical ones of each grid."""
    parent = list(range(len(horizontal) + len(vertical)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    for i, (y, x0, x1) in enumerate(horizontal):
        for j, (x, y0, y1) in enumerate(vertical, start=len(horizontal)):
            if x0 - _NEAR <= x <= x1 + _NEAR and y0 - _NEAR <= y <= y1 + _NEAR:
                parent[root(i)] = root(j)
    groups: dict[int, tuple[list[Rule], list[Rule]]] = {}
    for i, rule in enumerate(horizontal):
        groups.setdefault(root(i), ([], []))[0].append(rule)
    for j, rule in enumerate(vertical, start=len(horizontal)):
        groups.setdefault(root(j), ([], []))[1].append(rule)
    for across, down in groups.values():
        if across and down and len(across) + len(down) > 2:  # noqa: PLR2004 - two lines frame nothing
            yield across, down


def _stacks(rules: Sequence[Rule]) -> Iterator[list[Rule]]:
    """Yield horizontal lines of one width, from the top, with room for a line of text between two of them."""
    groups: list[list[Rule]] = []
    for rule in sorted(rules):
        if rule.end - rule.start < _WIDTH:
            continue
        for group in groups:
            if abs(group[0].start - rule.start) <= _ALIKE and abs(group[0].end - rule.end) <= _ALIKE:
                group.append(rule)
                break
        else:
            groups.append([rule])
    for group in groups:
        if any(other.at - one.at >= 2 * _NEAR for one, other in pairwise(group)):
            yield group


def _edges(rules: Sequence[Rule], low: float, high: float) -> list[float]:
    """Return the places of lines, those drawn twice once, with `low` and `high` at the ends where no line is near."""
    edges: list[float] = []
    for rule in sorted(rules):
        if not edges or rule.at - edges[-1] > _NEAR:
            edges.append(rule.at)
    if edges[0] - low > 2 * _NEAR:
        edges.insert(0, low)
    if high - edges[-1] > 2 * _NEAR:
        edges.append(high)
    return edges


def _covers(rules: Iterable[Rule], at: float, place: float) -> bool:
    """Say whether a line at `at` goes through `place`."""
    return any(abs(rule.at - at) <= _NEAR and rule.start <= place <= rule.end for rule in rules)


def _grid(words: Sequence[Word], across: Sequence[Rule], down: Sequence[Rule]) -> Found | None:
    """Return the table in a grid; None where it is none: a frame, a chart, columns of text beside a line."""
    low_x = min(*(rule.start for rule in across), *(rule.at for rule in down))
    high_x = max(*(rule.end for rule in across), *(rule.at for rule in down))
    low_y = min(*(rule.start for rule in down), *(rule.at for rule in across))
    high_y = max(*(rule.end for rule in down), *(rule.at for rule in across))
    # A wall that ends where no line is drawn parts what is above from what is below, too.
    ends = [Rule(y, low_x, low_x) for rule in down for y in (rule.start, rule.end)]
    xs, ys = _edges(down, low_x, high_x), _edges([*across, *ends], low_y, high_y)
    inside = [
        word
        for word in words
        if low_x <= (word.x0 + word.x1) / 2 <= high_x and low_y <= word.middle <= high_y
    ]
    if len(xs) < 3 or len(inside) < 4:  # noqa: PLR2004 - two columns, and two rows of them
        return None
    closed = all(_runs(down, x, low_y, high_y) for x in (low_x, high_x)) and all(
        _runs(across, y, low_x, high_x) for y in (low_y, high_y)
    )
    if not closed and not all(_runs(down, x, low_y, high_y) for x in xs[1:-1]):
        return None
    columns = Columns(xs, walls=True)
    cells = _cells(inside, across, down, xs, ys)
    area = Area(low_x, low_y, high_x, high_y)
    parts = [row for band in _bands(cells, len(ys) - 1, columns) for row in _rows(band, columns, ys)]
    found = found_of(area, columns, parts, inside)
    if found is None or (not closed and _is_text_in_columns(found)):
        return None
    filled = sum(bool(part.words) for row in found.rows for part in row)
    return found if filled >= (_FILLED if closed else 2 * _FILLED) * sum(map(len, found.rows)) else None


def _runs(rules: Sequence[Rule], at: float, low: float, high: float) -> bool:
    """Say whether the lines at `at` run from `low` to `high`, but for a tenth."""
    return sum(rule.end - rule.start for rule in rules if abs(rule.at - at) <= _NEAR) >= 0.9 * (high - low)


class _Cell:
    """A cell of a grid: bands `top` to `bottom`, columns `first` to `last`, its words."""

    __slots__ = ("bottom", "first", "last", "top", "words")

    def __init__(self, top: int, first: int, last: int) -> None:
        self.top = self.bottom = top
        self.first, self.last = first, last
        self.words: list[Word] = []


def _cells(
    words: Sequence[Word],
    across: Sequence[Rule],
    down: Sequence[Rule],
    xs: Sequence[float],
    ys: Sequence[float],
) -> list[_Cell]:
    """Return the cells of a grid by band and column; cells that no line parts are one."""
    cells: list[_Cell] = []
    above: list[_Cell] = []
    owner: dict[tuple[int, int], _Cell] = {}
    for band, (top, bottom) in enumerate(pairwise(ys)):
        middle = (top + bottom) / 2
        walls = [i for i in range(1, len(xs) - 1) if _covers(down, xs[i], middle)]
        row: list[_Cell] = []
        for first, after in pairwise([0, *walls, len(xs) - 1]):
            same = next((c for c in above if (c.first, c.last) == (first, after - 1)), None)
            open_above = same is not None and not any(
                _covers(across, top, (xs[i] + xs[i + 1]) / 2) for i in range(first, after)
            )
            if same is not None and open_above:
                same.bottom = band
                row.append(same)
            else:
                row.append(_Cell(band, first, after - 1))
                cells.append(row[-1])
            owner.update({(band, i): row[-1] for i in range(first, after)})
        above = row
    for word in words:
        band = min(max(bisect_right(ys, word.middle) - 1, 0), len(ys) - 2)
        column = min(max(bisect_right(xs, (word.x0 + word.x1) / 2) - 1, 0), len(xs) - 2)
        owner[band, column].words.append(word)
    return cells


class _Band(NamedTuple):
    """The cells that begin between two neighbouring edges: their lines of text, and which of those begin a row.

    Where a cell goes on below the band nothing begins but the first.
    """

    top: int
    cells: list[_Cell]
    lines: list[Line]
    starts: list[int]


def _bands(cells: Sequence[_Cell], count: int, columns: Columns) -> Iterator[_Band]:
    """Yield the bands of a grid.

    In a grid with a line below each row a cell of several lines stays whole; where few lines part many rows, the
    lines of text do. The head is one row.
    """
    bands: list[_Band] = []
    for top in range(count):
        mine = [cell for cell in cells if cell.top == top]
        lines = lines_of(word for cell in mine for word in cell.words)
        one = (top == 0 and count > 1) or any(cell.bottom > top for cell in mine)
        starts = [0] if one or not lines else row_starts(levels_of(lines, columns), columns)
        bands.append(_Band(top, mine, lines, starts))
    rows = [len(band.starts) for band in bands[1:] or bands if band.lines]
    cut = bool(rows) and median(rows) > 1
    for band in bands:
        if band.cells:
            yield band if cut else band._replace(starts=[0])


def _rows(band: _Band, columns: Columns, ys: Sequence[float]) -> Iterator[list[Part]]:
    """Yield the rows of a band, each as its cells from the left."""
    x = columns.edges
    tops = [ys[band.top]]
    for start in band.starts[1:]:
        above, below = (
            max(word.y1 for word in band.lines[start - 1]),
            min(word.y0 for word in band.lines[start]),
        )
        tops.append((above + below) / 2)
    ends = [*tops[1:], 0.0]
    lefts = [cell.first for cell in band.cells]
    for number, (first, after) in enumerate(pairwise([*band.starts, len(band.lines)])):
        row: list[Part] = []
        for cell in band.cells:
            bottom = ends[number] if number + 1 < len(tops) else ys[cell.bottom + 1]
            area = Area(x[cell.first], tops[number], x[cell.last + 1], bottom)
            row.append(Part(cell.first, cell.last, [], area))
        # Word by word, line by line: in the order of reading.
        for line in band.lines[first:after]:
            for word in line:
                at = bisect_right(lefts, columns.at((word.x0 + word.x1) / 2)) - 1
                row[max(at, 0)].words.append(word)
        yield row


def _is_text_in_columns(found: Found) -> bool:
    """Say whether a row has two long cells."""
    return any(sum(len(part.words) > _LONG_CELL for part in row) > 1 for row in found.rows)


def _between(words: Sequence[Word], rules: Sequence[Rule], horizontal: Sequence[Rule]) -> Iterator[Found]:
    """Yield the tables between horizontal lines of one width, which are given from the top."""
    low, high = min(rule.start for rule in rules) - _NEAR, max(rule.end for rule in rules) + _NEAR
    ys = _edges(rules, rules[0].at, rules[-1].at)
    inside = [word for word in words if low <= (word.x0 + word.x1) / 2 <= high]
    short = [rule.at for rule in horizontal if low <= rule.start and rule.end <= high]
    yield from _stacked(inside, low, high, ys, short)


def _stacked(
    words: Sequence[Word], low: float, high: float, ys: Sequence[float], short: Sequence[float]
) -> Iterator[Found]:
    """Yield the tables in the bands that the lines at `ys` make; a band that is text parts two tables."""
    down = sorted(words, key=middle_of)
    bands = [
        lines_of(down[bisect_right(down, top, key=middle_of) : bisect_left(down, bottom, key=middle_of)])
        for top, bottom in pairwise(ys)
    ]
    run: list[int] = []
    for index in range(len(bands) + 1):
        if index < len(bands) and bands[index] and _may_be_rows(bands[index], ys[index + 1] - ys[index]):
            run.append(index)
            continue
        if len(run) > 1:
            found = _rows_between(
                [bands[i] for i in run], low, high, [ys[i] for i in (*run, run[-1] + 1)], short
            )
            if found is not None:
                yield found
        run = []


def _may_be_rows(lines: Sequence[Line], height: float) -> bool:
    """Say whether lines between two rules may be rows of a table: pieces side by side in most of them.

    One line in one piece may be a heading of rows; with much room around it it is the title of another table.
    """
    if len(lines) == 1 and len(pieces_of(lines[0])) == 1:
        return height <= _TITLE * lines[0][0].size
    return 2 * sum(len(pieces_of(line)) > 1 for line in lines) >= len(lines)


def _rows_between(
    bands: Sequence[Sequence[Line]], low: float, high: float, ys: Sequence[float], short: Sequence[float]
) -> Found | None:
    """Return the table whose bands are given from the top, or None when it is none.

    `short` is where lines run that are not as wide.
    """
    lines = [line for band in bands for line in band]
    # The head may go over several columns: it has no say, where there is enough below it.
    body = [line for band in bands[1:] for line in band if len(pieces_of(line)) > 1]
    parted = body if len(body) > 1 else [line for line in lines if len(pieces_of(line)) > 1]
    if len(parted) < 2:  # noqa: PLR2004 - two rows
        return None
    head: Sequence[Line] = bands[0] if len(body) > 1 else ()
    columns = Columns([low, *separators(parted, head, ruled=True), high])
    levels = [levels_of(band, columns) for band in bands]
    named = any(len(level.groups) > 1 for level in levels[0])
    if not named or not _is_table(levels, columns):
        return None
    # The head is one row, unless shorter lines part it. A rule below each row tells the rows; else the lines do.
    head_starts = [
        i for i in range(len(levels[0])) if i == 0 or _parted(levels[0][i - 1], levels[0][i], short)
    ]
    starts = [row_starts(band, columns) for band in levels[1:]]
    if median(map(len, starts)) <= 1:
        starts = [[0] for _ in starts]
    rows: list[list[Part]] = []
    for band, begins, (top, bottom) in zip(levels, [head_starts, *starts], pairwise(ys), strict=True):
        rows += rows_at(band, begins, columns, top, bottom)
    if 2 * sum(sum(bool(part.words) for part in row) > 1 for row in rows) < len(rows):
        return None
    words = [word for line in lines for word in line]
    return found_of(Area(low, ys[0], high, ys[-1]), columns, rows, words)


def _parted(above: Level, below: Level, rules: Sequence[float]) -> bool:
    return any(above.middle < at < below.middle for at in rules)


def _is_table(bands: Sequence[Sequence[Level]], columns: Columns) -> bool:
    """Say whether lines in columns are rows of a table, not text in columns, a list or numbered lines."""
    cells: list[list[Line]] = [[] for _ in range(len(columns))]
    for band in bands:
        for level in band:
            for low, high, words in level.groups:
                if low == high:
                    cells[low].append(words)
    if len(columns) == 2:  # noqa: PLR2004 - a mark, and what it marks
        marks = sum(len(line) == 1 and NUMBERING.fullmatch(line[0].text) is not None for line in cells[0])
        if 2 * marks > len(cells[0]):
            return False
    prose = sum(is_prose(lines, max((line[-1].x1 for line in lines), default=0.0)) for lines in cells)
    figures = any(
        2 * sum(all(stands_for_figure(word.text) for word in line) for line in lines) > len(lines)
        for lines in cells
    )
    return prose < 2 and (not prose or figures or len(columns) > 2 or len(bands) > 1)  # noqa: PLR2004 - a third column
