"""A page that was read from its picture: its characters, each with its place, as `text` gives those of other pages."""

from __future__ import annotations

import time
from array import array
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import cos, pi, sin
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from pincite.core.document import Flag
from pincite.core.geometry import Affine
from pincite.core.layout import LineFragment, PageLayout
from pincite.reading import ocr
from pincite.reading._ocr_lines import middle_of
from pincite.reading.pdf._scan_order import rows_of
from pincite.reading.pdf.book import BookPage
from pincite.reading.pdf.layout import page_text
from pincite.reading.pdf.text import HYPHEN, PageChars

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from pincite.core.geometry import PageFrame
    from pincite.reading._ocr_lines import OcrLine

    Floats = NDArray[np.float64]
    Pixels = NDArray[np.uint8]

_LEAST, _SURE = 0.5, 0.9
"""Mean confidence of a line's characters under which it is a spot or a drawing, and from which on it is trusted."""

_ALIKE = 0.1
"""Share by which the sizes of lines differ that are taken for one size."""

_LEVEL = 0.2 * pi / 180
"""Radians under which a page is not taken for skewed."""


@dataclass(slots=True)
class OcrChars(PageChars):
    """Characters that were read from a picture; `em` holds the font size of each in points."""

    em: Floats = field(default_factory=lambda: np.zeros(0))

    def sizes(self, positions: NDArray[np.integer[Any]]) -> Floats:
        """Return the font size, in points, of the character at each of the positions."""
        return self.em[positions]

    def fonts(self, positions: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
        """Return 0 for each of the positions: a picture has no fonts."""
        return np.zeros(len(positions), np.int64)


@dataclass(frozen=True, slots=True)
class OcrPage:
    """What was read from the picture of a page.

    The boxes of `chars` are fractions of the page turned so that its writing is upright and level, which is `width`
    by `height` points; `to_page` leads from there to fractions of the page as it is seen. `confidence`, from 0 to 1,
    is the mean over the lines by their length; what could not be read counts as 0.
    """

    chars: OcrChars
    width: float
    height: float
    to_page: Affine
    confidence: float

    @property
    def flag(self) -> str:
        """What is said of the page."""
        if not self.chars.text:
            return ocr.UNKNOWN
        return ocr.READ if self.confidence >= _SURE else f"{ocr.UNSURE} ({self.confidence:.2f})"

    def placed(self, text: str, layout: PageLayout) -> PageLayout:
        """Return the layout of this page's `text`, made of `chars` with glyphs, with its boxes where they are seen.

        On a skewed page each word has a box of its own: one around a whole line would lie over its neighbours too.
        """
        turn = self.to_page
        if turn == _SAME:
            return layout
        glyphs = None if layout.glyphs is None else _turned_glyphs(turn, layout.glyphs)
        fragments: list[LineFragment] = []
        skewed = min(abs(turn.a), abs(turn.b)) > 0
        for line in layout.lines:
            pieces = list(_words(text, line, layout, turn)) if skewed and layout.glyphs is not None else []
            if not pieces:
                box = turn.box(layout.page, line.box.x0, line.box.y0, line.box.x1, line.box.y1).clamped()
                pieces = [] if box is None else [LineFragment(line.start, line.end, box)]
            fragments += pieces
        return PageLayout(layout.page, layout.start, layout.end, tuple(fragments), glyphs)


_SAME = Affine(1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def scanned_page(
    frame: PageFrame,
    scan: OcrPage,
    *,
    affine: Affine = _SAME,
    flags: Sequence[Flag] = (),
) -> BookPage:
    """Return a page that was read from its picture; `affine` leads from its points to fractions of it.

    `flags` come before what OCR says of it. The boxes of its characters stay with it: nobody reads it again for them.
    """
    read = page_text(scan.chars, frame.number, scan.width, scan.height, glyphs=True)
    layout = scan.placed(read.text, read.layout)
    read = replace(read, layout=layout)
    said = (*flags, Flag(frame.number, scan.flag))
    return BookPage(replace(frame, ocr=True), said, read, affine, scan.width, scan.height)


def read_picture(picture: Pixels, width: float, height: float, *, seconds: float) -> OcrPage | None:
    """Return what stands on a picture (rows, columns, blue green red) of a page of `width` by `height` points.

    None when there is nothing to read. `ocr.engine()` must have found one.

    Raises:
        TimedOutError: it takes longer than `seconds`.
    """
    reader = ocr.engine()
    if reader is None:
        return None
    until = time.monotonic() + seconds
    seen = reader.read(picture, until=until)
    if not seen:
        return None
    lengths = np.array([float(np.linalg.norm(line.corners[1] - line.corners[0])) for line in seen]) + 1e-6
    lines = [line for line in seen if line.confidence >= _LEAST and line.text]
    sure = float(np.average([line.confidence if line.text else 0.0 for line in seen], weights=lengths))
    if not lines:
        return OcrPage(_no_chars(), width, height, _SAME, 0.0)
    rows, columns = picture.shape[:2]
    _even_out(lines)
    angle = _angle(lines)
    quarter = round(angle / (pi / 2)) % 4
    wide, high = (columns, rows) if quarter % 2 == 0 else (rows, columns)
    back = _rotation(-angle, (columns, rows), (wide, high))
    for line in lines:
        line.corners = np.array(
            [back.apply(x, y) for x, y in cast("list[list[float]]", line.corners.tolist())]
        )
    points_wide, points_high = (width, height) if quarter % 2 == 0 else (height, width)
    chars = _chars(list(rows_of(lines)), wide, high, points_high)
    away = _rotation(angle, (wide, high), (columns, rows))
    to_page = Affine(
        away.a * wide / columns,
        away.b * wide / rows,
        away.c * high / columns,
        away.d * high / rows,
        away.e / columns,
        away.f / rows,
    )
    return OcrPage(chars, points_wide, points_high, _exact(to_page) if angle else _SAME, sure)


def _even_out(lines: Sequence[OcrLine]) -> None:
    """Give lines of nearly one font size the same: that of one line is known to a tenth only."""
    sizes = np.array([line.size for line in lines])
    letters = np.array([float(len(line.text)) for line in lines])
    for line in lines:
        alike = np.abs(sizes / line.size - 1) < _ALIKE
        line.size = middle_of(sizes[alike], letters[alike])


def _no_chars() -> OcrChars:
    return OcrChars(0, "", np.zeros(0), np.zeros(0), np.zeros(0), np.zeros(0), None, 0)


def _exact(turn: Affine) -> Affine:
    """Return a turn by right angles without the noise of its sine."""
    tiny = 1e-12
    a, b, c, d, e, f = (0.0 if abs(v) < tiny else v for v in (turn.a, turn.b, turn.c, turn.d, turn.e, turn.f))
    return Affine(a, b, c, d, e, f)


def _angle(lines: Sequence[OcrLine]) -> float:
    """Return the direction in which most of the writing goes, in radians clockwise; level pages have none."""
    angles = np.array([line.angle for line in lines])
    weights = np.array([float(len(line.text) - 1) for line in lines]) + 1e-6
    quarters = np.round(angles / (pi / 2)).astype(int) % 4
    most = int(np.argmax(np.bincount(quarters, weights, 4)))
    own = quarters == most
    # How far each turns on from the quarter, from -45 to 45 degrees.
    rest = (angles[own] - most * pi / 2 + pi / 4) % (pi / 2) - pi / 4
    skew = middle_of(rest, weights[own])
    return most * pi / 2 + (skew if abs(skew) >= _LEVEL else 0.0)


def _rotation(angle: float, before: tuple[int, int], after: tuple[int, int]) -> Affine:
    """Return the turn by `angle`, clockwise as seen, that takes the middle of one frame to that of the other."""
    c, s = cos(angle), sin(angle)
    x, y, u, v = before[0] / 2, before[1] / 2, after[0] / 2, after[1] / 2
    return Affine(c, s, -s, c, u - c * x + s * y, v - s * x - c * y)


def _chars(rows: list[list[OcrLine]], wide: int, high: int, points: float) -> OcrChars:
    """Return the characters of the rows; a frame of `wide` by `high` pixels is `points` high."""
    text: list[str] = []
    boxes: list[Floats] = []
    sizes: list[Floats] = []
    doubts: list[tuple[int, int, str]] = []
    length = 0

    def add(written: str, places: Floats, size: float) -> None:
        nonlocal length
        text.append(written)
        boxes.append(places)
        sizes.append(np.full(len(written), size * points / high))
        length += len(written)

    for row, below in pairwise([*rows, []]):
        for number, line in enumerate(row):
            places = _boxes(line)
            if number:
                add(" ", _none_after(boxes[-1]), line.size)
            start = length
            written, ends = line.text, number == len(row) - 1
            if ends and below and _divided(written, below[0].text):
                # As PDFium says it: one character for the hyphen and the line's end.
                written = written[:-1] + HYPHEN
            add(written, places, line.size)
            if line.confidence < _SURE:
                doubts.append((start, length, ocr.UNSURE))
            if ends and below and not written.endswith(HYPHEN):
                add("\r\n", np.repeat(_none_after(places), 2, 0), line.size)
    flat = np.concatenate(boxes) / np.array([wide, high, wide, high])
    x0, y0, x1, y1 = (np.ascontiguousarray(side) for side in flat.T)
    return OcrChars(0, "".join(text), x0, y0, x1, y1, None, 0, doubts=doubts, em=np.concatenate(sizes))


def _divided(line: str, below: str) -> bool:
    """Say whether a word that the end of `line` divides goes on in the next."""
    return len(line) > 1 and line[-1] in "-\u2010\u00ad" and line[-2].isalpha() and below[:1].islower()


def _boxes(line: OcrLine) -> Floats:
    """Return x0, y0, x1, y1 in pixels around each character: no wider than nothing for a space."""
    start, along, down = line.corners[0], line.corners[1] - line.corners[0], line.corners[3] - line.corners[0]
    ends = start + line.cells[:, :, np.newaxis] * along  # characters, left and right, x and y
    corners = np.concatenate((ends, ends + down), 1)
    boxes = np.concatenate((corners.min(1), corners.max(1)), 1)
    empty = line.cells[:, 1] <= line.cells[:, 0]
    boxes[empty, 2] = boxes[empty, 0]
    return boxes


def _none_after(boxes: Floats) -> Floats:
    """Return a box without a width where the last of `boxes` ends."""
    last = boxes[-1]
    return np.array([[last[2], last[1], last[2], last[3]]])


def _turned_glyphs(turn: Affine, glyphs: array[float]) -> array[float]:
    boxes = np.frombuffer(glyphs, np.float32).astype(np.float64).reshape(-1, 4)
    xs, ys = boxes[:, [0, 2, 0, 2]], boxes[:, [1, 1, 3, 3]]
    across, down = turn.a * xs + turn.c * ys + turn.e, turn.b * xs + turn.d * ys + turn.f
    turned = np.stack((across.min(1), down.min(1), across.max(1), down.max(1)), 1)
    empty = boxes[:, 2] <= boxes[:, 0]
    turned[empty, 2] = turned[empty, 0]
    return array("f", turned.astype(np.float32).tobytes())


def _words(text: str, line: LineFragment, layout: PageLayout, turn: Affine) -> Iterator[LineFragment]:
    """Yield the words of a line fragment, each with the box around its turned characters."""
    glyphs = layout.glyphs
    if glyphs is None:
        return
    start = line.start
    while start < line.end:
        end = start
        while end < line.end and not text[end - layout.start].isspace():
            end += 1
        places = np.frombuffer(glyphs, np.float32).reshape(-1, 4)[start - layout.start : end - layout.start]
        seen = places[places[:, 2] > places[:, 0]]
        if len(seen):
            (x0, y0), (x1, y1) = seen[:, :2].min(0).tolist(), seen[:, 2:].max(0).tolist()
            box = turn.box(layout.page, x0, y0, x1, y1).clamped()
            if box is not None:
                yield LineFragment(start, end, box)
        start = max(end, start + 1) if end == start else end
