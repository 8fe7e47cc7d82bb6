"""A line that was read from a picture: its words, and where each of its characters stands."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Pixels = NDArray[np.uint8]

ASCENT, DESCENT = 0.8, 0.2
"""Em that a line's box reaches over its baseline and under it, as the boxes of a text PDF do."""

_SPECK = 0.03
"""Share of a line's height: what is thinner is no stroke."""

_CAPITAL, _SMALL, _TAIL = 0.72, 0.53, 0.21
"""Em of a capital over the baseline, of a small letter without a stem, and of a tail under the baseline."""

_REACH = 0.75
"""Em from a character's middle to its edge, at most: a wide one, with what a model is off by."""

_SQUARE, _SQUARE_UP = 0.92, 0.8
"""Em of a letter of a script with square letters, and how much of it stands over the baseline."""

# Letters that reach up, letters that reach down, and letters that fill a square: each linear, one class.
_TALL = re.compile(r"[^\Wacemnopqrsuvwxyzgα-ω_]|[!?/\\()\[\]{}&%@#$£€§|\"'“”‘’]")
_DEEP = re.compile(r"[gjpqyçşţµβγζημξρφχψQ,;()\[\]{}|/\\_$§]")
_FILLED = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_WORD = re.compile(r"\S+")


@dataclass(slots=True)
class OcrLine:
    """A line of a picture.

    `corners` are pixels (x, y) of the picture: where the line begins and ends at its top, then where it ends and
    begins at its bottom. `cells` holds for each character of `text` where it begins and ends on the way from the
    line's beginning (0) to its end (1); a space has no width. `size` is about its font's size, in pixels.
    """

    text: str
    confidence: float
    corners: Floats
    cells: Floats
    size: float

    @property
    def angle(self) -> float:
        """The direction of writing in radians, clockwise from left to right."""
        along = self.corners[1] - self.corners[0]
        return float(np.arctan2(along[1], along[0]))


def middle_of(values: Floats, weights: Floats) -> float:
    """Return the value on both sides of which half of the weight lies."""
    order = np.argsort(values)
    heavy = np.cumsum(weights[order])
    position = int(np.searchsorted(heavy, float(heavy[-1]) / 2))
    return float(values[order[min(position, len(values) - 1)]])


def ink_of(crop: Pixels) -> NDArray[np.bool_]:
    """Return which pixels of a line, cut out of its picture in grey, are written: those that are fewer."""
    import cv2

    smooth = cv2.medianBlur(crop, 3) if min(crop.shape) >= 12 else crop  # noqa: PLR2004 - strokes of more than one pixel
    _, light = cv2.threshold(smooth, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    written = light == 0
    return ~written if written.mean() > 0.5 else written  # noqa: PLR2004 - the greater half


def fitted(text: str, confidence: float, centres: Floats, corners: Floats, crop: Pixels) -> OcrLine:
    """Return a line whose box and cells lie around the ink.

    `centres` are pixels along `crop`, which is what lies inside of `corners`, laid flat; the n-th is the middle of
    the n-th character, as near as a model knows, in order. Ink that no character stands at lowers the confidence.
    """
    ink = ink_of(crop)
    height, width = ink.shape
    top, bottom = _rows(ink)
    columns = ink[top:bottom].sum(0)
    cells = _cells(text, np.clip(centres, 0, width - 1), columns, bottom - top)
    up, down, size = loose(text, float(bottom - top))
    first, last = cells[:, 0].min(), cells[:, 1].max()
    across = max(last - first, 1.0)
    confidence *= _read_share(np.flatnonzero(columns > _SPECK * height), centres, size)
    box = _part(corners, first / width, last / width, (top - up) / height, (bottom + down) / height)
    return OcrLine(text, confidence, box, (cells - first) / across, size * _scale(corners, crop))


def _read_share(inked: NDArray[np.integer], centres: Floats, size: float) -> float:
    """Return how much of a line's ink lies near a character: a model leaves out the letters that it does not know."""
    if not len(inked):
        return 0.0
    after = np.clip(np.searchsorted(centres, inked), 0, len(centres) - 1)
    before = np.clip(after - 1, 0, None)
    away = np.minimum(np.abs(centres[after] - inked), np.abs(centres[before] - inked))
    return float((away <= _REACH * size).mean())


def _scale(corners: Floats, crop: Pixels) -> float:
    """Return how many pixels of the picture one pixel of the crop is."""
    return float(np.linalg.norm(corners[3] - corners[0])) / crop.shape[0]


def _part(corners: Floats, left: float, right: float, top: float, bottom: float) -> Floats:
    """Return the corners of a part, given in shares of the whole."""
    start, along, down = corners[0], corners[1] - corners[0], corners[3] - corners[0]
    return np.array(
        [
            start + along * x + down * y
            for x, y in ((left, top), (right, top), (right, bottom), (left, bottom))
        ]
    )


def _rows(ink: NDArray[np.bool_]) -> tuple[int, int]:
    """Return the rows (start, end) that a line's ink fills, without what reaches in from its neighbours."""
    counts = ink.sum(1)
    height = len(counts)
    middle = height // 4 + int(np.argmax(counts[height // 4 : height - height // 4]))
    blank = np.flatnonzero(counts <= _SPECK * height)
    above, below = blank[blank < middle], blank[blank > middle]
    top = int(above[-1]) + 1 if len(above) else 0
    bottom = int(below[0]) if len(below) else height
    return top, max(bottom, top + 1)


def loose(text: str, height: float) -> tuple[float, float, float]:
    """Return by how much ink that is `height` high falls short of a line's box above and below, and its font size."""
    if len(_FILLED.findall(text)) * 2 > len(text):
        size = height / _SQUARE
        return max(0.0, ASCENT * size - _SQUARE_UP * height), 0.0, size
    up = _CAPITAL if _TALL.search(text) else _SMALL
    down = _TAIL if _DEEP.search(text) else 0.0
    size = height / (up + down)
    return (ASCENT - up) * size, max(0.0, DESCENT - down) * size, size


def _cells(text: str, centres: Floats, columns: NDArray[np.integer], height: int) -> Floats:
    """Return where each character begins and ends, in pixels: words end where the ink does."""
    width = len(columns)
    blank = columns <= _SPECK * height
    cells = np.zeros((len(text), 2))
    words = [match.span() for match in _WORD.finditer(text)]
    edges = [0]
    for (_, before), (after, _) in pairwise(words):
        edges += _gap(blank, columns, int(centres[before - 1]), int(centres[after]))
    edges.append(width)
    for number, (start, end) in enumerate(words):
        left, right = edges[2 * number], edges[2 * number + 1]
        inked = np.flatnonzero(~blank[left:right])
        if len(inked):
            left, right = left + int(inked[0]), left + int(inked[-1]) + 1
        inner = [_between(columns, one, other) for one, other in pairwise(centres[start:end].tolist())]
        marks = np.maximum.accumulate(np.clip([left, *inner, right], left, max(right, left + 1)))
        cells[start:end, 0], cells[start:end, 1] = marks[:-1], marks[1:]
    for position, char in enumerate(text):
        if char.isspace():
            cells[position] = cells[position - 1, 1] if position else 0.0
    return cells


def _gap(blank: NDArray[np.bool_], columns: NDArray[np.integer], one: int, other: int) -> list[int]:
    """Return the ends of the widest blank stretch between two columns, or twice the column with the least ink."""
    if other <= one + 1:
        return [other, other]
    inside = np.concatenate(([False], blank[one:other], [False]))
    edges = np.flatnonzero(inside[1:] != inside[:-1])
    if not len(edges):
        least = one + int(np.argmin(columns[one:other]))
        return [least, least]
    starts, ends = edges[0::2], edges[1::2]
    widest = int(np.argmax(ends - starts))
    return [one + int(starts[widest]), one + int(ends[widest])]


def _between(columns: NDArray[np.integer], one: float, other: float) -> float:
    """Return the column between two neighbouring characters: the one with the least ink near the middle."""
    middle, reach = (one + other) / 2, max(0.0, other - one) / 4
    first, last = int(middle - reach), int(middle + reach) + 1
    near = columns[first:last]
    if not len(near):
        return middle
    least = np.flatnonzero(near == near.min())
    return first + float(least[np.argmin(abs(first + least + 0.5 - middle))]) + 0.5
