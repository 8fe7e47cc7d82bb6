"""Writing that lies under something that the page paints over it later: an area of one colour, or a picture."""

from __future__ import annotations

from collections import deque
from ctypes import addressof, c_float, c_int, c_uint, c_void_p
from functools import partial
from itertools import pairwise, repeat
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pincite.reading.pdf import _pdfium as pdfium
from pincite.reading.pdf.geometry import fractions, page_affine
from pincite.reading.pdf.objects import IMAGE, PATH, TEXT, matrix_of, on_layer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from pincite.core.geometry import Affine
    from pincite.reading.pdf._pdfium import Handle
    from pincite.reading.pdf.objects import PageObjects
    from pincite.reading.pdf.text import PageChars

_MOST = 0.6
"""Share of a character's box that lies under an area when the character does: boxes are higher than letters."""

_COVERS, _PAIRS = 200, 20_000_000
"""Areas and pictures of a page that are held against its characters, and pairs of both that are compared."""

_SEGMENTS, _CLIPS = 40, 32
"""Segments of a path, and paths of a clip, that are looked at: a redaction is a few rectangles."""

_NEAR = 0.01
"""Points within which two sides are one."""

_OPAQUE, _PATTERN = 255, (191, 191, 191)
"""Opacity of what hides what is under it, and the colour that PDFium names where it is a pattern."""

_MOVE, _LINE = 2, 0
"""Kinds of path segments; the third are curves."""

_Rect = tuple[float, float, float, float]
"""Left, bottom, right, top in points."""


class Covered(NamedTuple):
    """Which characters lie under something for sure, and which under what may let them be seen.

    The second are those under a picture, which may be that of the very words, and those under an area of which PDFium
    does not tell all: whether they are seen, a picture of the page tells.
    """

    surely: NDArray[np.bool_]
    perhaps: NDArray[np.bool_]


def covered(chars: PageChars, page: int, objects: PageObjects) -> Covered | None:
    """Return which characters lie under what is painted after them, None where that is none of them.

    Only upright rectangles and pictures count, filled, without opacity or blending; what is painted before the text is
    its ground. Costs next to nothing where nothing large is painted after text.
    """
    if not (chars.handle and objects.whole and TEXT in objects.kinds):
        return None
    first = objects.kinds.index(TEXT)
    later = [at for at, kind in enumerate(objects.kinds) if kind in (PATH, IMAGE) and at > first]
    boxed = np.flatnonzero((chars.x1 > chars.x0) & (chars.y1 > chars.y0))
    if not later or not len(boxed):
        return None
    affine = page_affine(page)
    sides = tuple(side[boxed] for side in (chars.x0, chars.y0, chars.x1, chars.y1))
    order: dict[int | None, int] = {}
    places = np.full(len(chars.x0), -1, np.int64)
    found: Covered | None = None
    left = _PAIRS
    for at in _large(later, objects, affine, sides):
        under = boxed[_under(_bounds(objects, [at]), affine, sides)]
        left -= len(boxed)
        if left < 0:
            break
        if not len(under):
            continue
        order = order or {thing.value: place for place, thing in enumerate(objects.things)}
        new = under[places[under] < 0]
        places[new] = _placed(chars, new, order)
        under = under[places[under] < at]
        cover = _cover(objects, at) if len(under) else None
        if cover is None:
            continue
        rects, sure = cover
        left -= len(rects) * len(boxed)
        exact = np.zeros(len(chars.x0), np.bool_)
        exact[boxed[_under(np.array(rects), affine, sides)]] = True
        found = found or Covered(np.zeros(len(exact), np.bool_), np.zeros(len(exact), np.bool_))
        hidden = found.surely if sure and not chars.doubled else found.perhaps
        hidden[under[exact[under]]] = True
    return found


def _large(
    later: list[int], objects: PageObjects, affine: Affine, sides: tuple[NDArray[np.float64], ...]
) -> list[int]:
    """Return those of the objects `later` that are large enough to hide a character, the last of them."""
    x0, y0, x1, y1 = _on_page(_bounds(objects, later), affine)
    wide, high = float((sides[2] - sides[0]).min()), float((sides[3] - sides[1]).min())
    enough = (x1 - x0 >= _MOST * wide) & (y1 - y0 >= _MOST * high)
    # What hides something on purpose comes last.
    return [later[index] for index in np.flatnonzero(enough)[-_COVERS:].tolist()]


def _bounds(objects: PageObjects, places: list[int]) -> NDArray[np.float32]:
    """Return left, bottom, right and top of objects, in points of the page; of what has none, nothing."""
    found = np.zeros((len(places), 4), np.float32)
    place, step, end = found.ctypes.data, found.strides[0], found.ctypes.data + found.nbytes
    parts = [range(place + 4 * part, end, step) for part in range(4)]
    deque(map(pdfium.object_bounds, (objects.things[at] for at in places), *parts), maxlen=0)
    for row, at in enumerate(places if objects.inside else ()):
        within = objects.inside.get(at)
        if within is not None:
            found[row] = _mapped(within, *found[row].tolist())
    return found


def _on_page(rects: NDArray[np.floating], affine: Affine) -> tuple[NDArray[np.float64], ...]:
    """Return x0, y0, x1, y1 of rectangles as fractions of the page."""
    rows = rects.astype(np.float64).reshape(-1, 4)
    return fractions(affine, rows[:, [0, 3, 2, 1]])


def _under(
    rects: NDArray[np.floating], affine: Affine, sides: tuple[NDArray[np.float64], ...]
) -> NDArray[np.bool_]:
    """Say of each box whether most of it lies under one of the rectangles."""
    x0, y0, x1, y1 = sides
    room = _MOST * (x1 - x0) * (y1 - y0)
    found = np.zeros(len(x0), np.bool_)
    for left, top, right, bottom in zip(*(side.tolist() for side in _on_page(rects, affine)), strict=True):
        across = np.minimum(x1, right) - np.maximum(x0, left)
        down = np.minimum(y1, bottom) - np.maximum(y0, top)
        found |= (across > 0) & (down > 0) & (across * down >= room)
    return found


def _placed(
    chars: PageChars, positions: NDArray[np.int64], order: dict[int | None, int]
) -> NDArray[np.int64]:
    """Return the place of each character's text object among the objects; one that is unknown comes last."""
    things = map(pdfium.text_object_of, repeat(c_void_p(chars.handle)), chars.indices(positions))
    return np.array([order.get(thing, len(order)) for thing in things], np.int64)


def _cover(objects: PageObjects, at: int) -> tuple[list[_Rect], bool] | None:
    """Return the rectangles that an object hides, in points of the page, and whether that is sure; None for none."""
    thing = objects.things[at]
    if pdfium.has_transparency(thing):
        return None
    matrix = matrix_of(thing)
    within = objects.inside.get(at)
    if not _is_straight(matrix) or (within is not None and not _is_straight(within)):
        return None
    sure = within is None and not on_layer(thing, int(pdfium.count_marks(thing)), {})
    if objects.kinds[at] == IMAGE:
        # The image is the unit square of its own space.
        rects, sure = [_mapped(matrix, 0.0, 0.0, 1.0, 1.0)], False
    else:
        colour = _filled(thing)
        own = list(_rectangles(_points(thing, pdfium.count_segments, pdfium.segment_at)))
        if colour is None or not own or None in own:
            return None
        rects = [_mapped(matrix, *rect) for rect in own if rect is not None]
        # Of several rectangles one may be a hole in another.
        sure = sure and colour != _PATTERN and len(rects) == 1
    clip, known = _clip(thing)
    rects = [
        (max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])) for a in rects for b in clip
    ]
    if within is not None:
        rects = [_mapped(within, *rect) for rect in rects]
    rects = [rect for rect in rects if rect[0] < rect[2] and rect[1] < rect[3]]
    return (rects, sure and known) if rects else None


def _filled(path: Handle) -> tuple[int, int, int] | None:
    """Return the colour that a path is filled with, None where it is not, or lets something through."""
    fill, stroke = c_int(), c_int()
    pdfium.path_mode(path, addressof(fill), addressof(stroke))
    colour = (c_uint * 4)()
    places = [addressof(colour) + 4 * part for part in range(4)]
    if not fill.value or not pdfium.fill_color(path, *places) or colour[3] < _OPAQUE:
        return None
    return int(colour[0]), int(colour[1]), int(colour[2])


def _clip(thing: Handle) -> tuple[list[_Rect], bool]:
    """Return the rectangle that an object is clipped to, and whether nothing else clips it."""
    clip = pdfium.clip_path(thing)
    left, bottom, right, top = -np.inf, -np.inf, np.inf, np.inf
    count = int(pdfium.count_clip_paths(clip)) if clip else 0
    known = count <= _CLIPS
    for number in range(min(count, _CLIPS)):
        points = _points(
            clip,
            partial(_first_of, pdfium.count_clip_segments, number),
            partial(_first_of, pdfium.clip_segment, number),
        )
        own = list(_rectangles(points))
        rect = own[0] if len(own) == 1 else None
        if rect is None:
            known = False
            continue
        left, bottom, right, top = (
            max(left, rect[0]),
            max(bottom, rect[1]),
            min(right, rect[2]),
            min(top, rect[3]),
        )
    return [(left, bottom, right, top)], known


def _first_of(call: Callable[..., int], number: int, clip: Handle, *rest: int) -> int:
    """Call a function about one of the paths of a clip."""
    return call(clip, number, *rest)


def _points(
    thing: Handle, count: Callable[..., int], get: Callable[..., int]
) -> list[list[tuple[float, float]]] | None:
    """Return the corners of a path's parts, None where it has curves or very many."""
    x, y = c_float(), c_float()
    parts: list[list[tuple[float, float]]] = []
    total = int(count(thing))
    if not 0 < total <= _SEGMENTS:
        return None
    for index in range(total):
        segment = get(thing, index)
        pdfium.segment_point(segment, addressof(x), addressof(y))
        kind = pdfium.segment_kind(segment)
        if kind == _MOVE:
            parts.append([])
        elif kind != _LINE or not parts:
            return None
        parts[-1].append((x.value, y.value))
    # A move that nothing follows draws nothing.
    return [part for part in parts if len(part) > 1]


def _rectangles(parts: list[list[tuple[float, float]]] | None) -> Iterator[_Rect | None]:
    """Yield each part of a path as an upright rectangle, None for one that is another shape."""
    for corners in parts if parts is not None else [[]]:
        closed = [*corners, *corners[:1]]
        steps = [(abs(bx - ax) > _NEAR, abs(by - ay) > _NEAR) for (ax, ay), (bx, by) in pairwise(closed)]
        steps = [step for step in steps if any(step)]
        # Four sides, in turn along and across the page.
        turns = len(steps) == 4 and all(one != other and sum(one) == 1 for one, other in pairwise(steps))  # noqa: PLR2004
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        yield (min(xs), min(ys), max(xs), max(ys)) if turns and sum(steps[-1]) == 1 else None


def _is_straight(affine: Affine) -> bool:
    """Say whether a map sends upright rectangles to upright ones."""
    along, across = max(abs(affine.a), abs(affine.d)), max(abs(affine.b), abs(affine.c))
    return min(along, across) <= 1e-6 * max(along, across)


def _mapped(affine: Affine, left: float, bottom: float, right: float, top: float) -> _Rect:
    """Return the rectangle around the image of one."""
    corners = [(x, y) for x in (left, right) for y in (bottom, top)]
    xs = [affine.a * x + affine.c * y + affine.e for x, y in corners]
    ys = [affine.b * x + affine.d * y + affine.f for x, y in corners]
    return min(xs), min(ys), max(xs), max(ys)
