"""The ruling lines of a page: what is drawn straight along or across it, as the borders of tables are."""

from __future__ import annotations

from ctypes import addressof, c_float, c_int
from typing import TYPE_CHECKING, NamedTuple

from pincite.core.geometry import Affine
from pincite.reading.pdf import _pdfium as pdfium
from pincite.reading.pdf.objects import PATH, after, matrix_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pincite.reading.pdf._pdfium import Handle
    from pincite.reading.pdf.objects import PageObjects

_MOVE, _LINE = 2, 0
"""Kinds of path segments; the third are curves."""

_THIN = 3.0
"""Points that a line is thick, at most; what is thicker is an area."""
_SHORTEST = 6.0
"""Points that a line is long, at least."""
_GAP = 2.5
"""Points between two lines, one going on from the other, that are taken as one."""


class Rule(NamedTuple):
    """A straight line in points of the page as seen: `at` across its direction, from `start` to `end` along it."""

    at: float
    start: float
    end: float


class Rules(NamedTuple):
    """A page's lines: of horizontal ones `at` is y and they run along x, of vertical ones the other way round."""

    horizontal: tuple[Rule, ...] = ()
    vertical: tuple[Rule, ...] = ()


NO_RULES = Rules()


def page_rules(objects: PageObjects, affine: Affine, width: float, height: float) -> Rules:
    """Return the ruling lines of a page that draws `objects` and is `width` by `height` points as seen.

    A page whose objects and path segments are more than may be looked at is a drawing: it has none. Costs next to
    nothing where nothing is drawn.
    """
    if objects.left < 0 or PATH not in objects.kinds:
        return NO_RULES
    seen = Affine(
        affine.a * width, affine.b * height, affine.c * width, affine.d * height,
        affine.e * width, affine.f * height,
    )  # fmt: skip
    budget = _Budget(objects.left)
    horizontal: list[Rule] = []
    vertical: list[Rule] = []
    for x0, y0, x1, y1 in _lines(objects, seen, budget):
        if y1 - y0 <= _THIN and x1 - x0 >= _SHORTEST:
            horizontal.append(Rule((y0 + y1) / 2, x0, x1))
        elif x1 - x0 <= _THIN and y1 - y0 >= _SHORTEST:
            vertical.append(Rule((x0 + x1) / 2, y0, y1))
    if budget.spent:
        return NO_RULES
    return Rules(tuple(_merged(horizontal)), tuple(_merged(vertical)))


class _Budget:
    """How many segments may still be looked at."""

    __slots__ = ("left",)

    def __init__(self, most: int) -> None:
        self.left = most

    def take(self, count: int) -> bool:
        """Take `count`; False when that is more than there is."""
        self.left -= count
        return self.left >= 0

    @property
    def spent(self) -> bool:
        return self.left < 0


def _lines(
    objects: PageObjects, seen: Affine, budget: _Budget
) -> Iterator[tuple[float, float, float, float]]:
    """Yield x0, y0, x1, y1 of what may be a line, in points as seen; stops where the budget ends."""
    maps: dict[int, Affine] = {}
    for at, kind in enumerate(objects.kinds):
        if kind != PATH:
            continue
        within = objects.inside.get(at)
        affine = seen
        if within is not None:
            affine = maps.get(id(within)) or maps.setdefault(id(within), after(within, seen))
        yield from _path(objects.things[at], affine, budget)
        if budget.spent:
            return


def _path(path: Handle, affine: Affine, budget: _Budget) -> Iterator[tuple[float, float, float, float]]:
    """Yield the box of a thin path, else the straight sides of a path that is drawn as a line."""
    fill, stroke = c_int(), c_int()
    pdfium.path_mode(path, addressof(fill), addressof(stroke))
    if not (fill.value or stroke.value):
        return
    left, bottom, right, top = c_float(), c_float(), c_float(), c_float()
    if not pdfium.object_bounds(path, *map(addressof, (left, bottom, right, top))):
        return
    box = _seen(affine, left.value, bottom.value, right.value, top.value)
    if min(box[2] - box[0], box[3] - box[1]) <= _THIN:
        yield box
    elif stroke.value:
        count = int(pdfium.count_segments(path))
        # A single line that is not thin is slanted.
        if count > 2 and budget.take(count):  # noqa: PLR2004
            yield from _sides(path, count, after(matrix_of(path), affine))


def _sides(path: Handle, count: int, affine: Affine) -> Iterator[tuple[float, float, float, float]]:
    """Yield the straight sides of a path."""
    x, y = c_float(), c_float()
    px, py = addressof(x), addressof(y)
    first = before = (0.0, 0.0)
    for index in range(count):
        segment = pdfium.segment_at(path, index)
        pdfium.segment_point(segment, px, py)
        kind, here = pdfium.segment_kind(segment), (x.value, y.value)
        if kind == _MOVE:
            first = here
        elif kind == _LINE:
            yield _seen(affine, *before, *here)
        before = here
        if pdfium.segment_closes(segment):
            yield _seen(affine, *here, *first)
            before = first


def _seen(affine: Affine, x0: float, y0: float, x1: float, y1: float) -> tuple[float, float, float, float]:
    """Return the box around two corners, as seen."""
    ax, ay = affine.a * x0 + affine.c * y0 + affine.e, affine.b * x0 + affine.d * y0 + affine.f
    bx, by = affine.a * x1 + affine.c * y1 + affine.e, affine.b * x1 + affine.d * y1 + affine.f
    return min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)


def _merged(lines: Iterable[Rule]) -> Iterator[Rule]:
    """Yield lines with those joined that go on from one another, by place and then by start."""
    groups: list[list[Rule]] = []
    for line in sorted(lines):
        if groups and line.at - groups[-1][0].at <= 1.0:
            groups[-1].append(line)
        else:
            groups.append([line])
    for group in groups:
        group.sort(key=_start)
        at, start, end = group[0]
        for line in group[1:]:
            if line.start - end <= _GAP:
                end = max(end, line.end)
                continue
            yield Rule(at, start, end)
            at, start, end = line
        yield Rule(at, start, end)


def _start(line: Rule) -> float:
    return line.start
