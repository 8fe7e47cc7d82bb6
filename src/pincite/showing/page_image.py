"""A page as an image with the cited words outlined, or just their surroundings."""

from __future__ import annotations

import io
from dataclasses import dataclass
from math import floor
from typing import TYPE_CHECKING, Any, Final

from pincite.core.errors import MissingExtraError, RenderError
from pincite.core.geometry import Box, PageFrame, outline_of
from pincite.core.limits import DEFAULT, Limits
from pincite.showing.image_options import ImageFormat, ImageMode, ImageOptions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pincite.core.protocols import Bitmap, PageRenderer, SourceFile

TINT: Final = (255, 241, 168)
"""The colour that is multiplied over cited words on a light ground: black stays black."""
GLOW: Final = (64, 52, 16)
"""The colour that is added (as light is) over cited words on a dark ground: white stays white."""
DARK_LINE: Final = (206, 72, 56)
"""The inner line around them: it darkens what it lies on, so it shows on all that is not dark."""
LIGHT_LINE: Final = (190, 168, 112)
"""The outer line: it lightens what it lies on, so it shows on all that is not light."""
LINE_POINTS: Final = 1.0
"""Width of each of the two lines in points."""
PAD_POINTS: Final = 1.0
"""Space between words and line in points."""
CROP_MARGIN_POINTS: Final = 28.0
"""Space around the cited words in a crop, in points."""
LINE_GAP: Final = 0.4
"""Two lines of one column are one block when the gap between them is at most this share of the line's height."""
WORD_GAP: Final = 1.5
"""Two pieces of one line are one block when the space between them is blank and at most this many line heights wide."""
ONE_LINE: Final = 0.8
"""Share of the taller of two boxes that both have in common, at least, when they are pieces of one line."""
BLANK: Final = 40
"""Brightness (0 to 255) by which the pixels of a blank space differ at most."""
DARK_GROUND: Final = 110
"""The mean brightness (0 to 255) of words and their ground under which the ground counts as dark."""
PNG_LEVEL: Final = 2
"""Effort of the PNG's compression, 0..9: past this the file hardly shrinks and the time doubles."""
# How the other formats are written: next to no difference to be seen, and their quickest ways.
_SAVED: Final[dict[ImageFormat, dict[str, Any]]] = {
    "png": {"compress_level": PNG_LEVEL},
    "webp": {"quality": 85, "method": 1},
    "jpeg": {"quality": 88},
}
_POINTS: Final = 72.0
# A page of A4, where nothing tells its size.
_A4: Final = (595.0, 842.0)
# Where in its first or last pixel a crop ends, so that rounding takes the pixel and not its neighbour.
_IN_PIXEL: Final = 0.25

_Area = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class _View:
    """What is drawn: the part `shown` of the page at `dpi`, and the `crop` that is asked of the renderer for it."""

    shown: Box
    dpi: float
    crop: Box | None = None


@dataclass(frozen=True, slots=True)
class _Canvas:
    """Maps page fractions to pixels of an image that shows the part `shown` of the page."""

    shown: Box
    width: int
    height: int

    def pixels(self, box: Box, pad: float) -> _Area:
        across, down = self.shown.x1 - self.shown.x0, self.shown.y1 - self.shown.y0
        x0 = (box.x0 - self.shown.x0) / across * self.width - pad
        y0 = (box.y0 - self.shown.y0) / down * self.height - pad
        x1 = (box.x1 - self.shown.x0) / across * self.width + pad
        y1 = (box.y1 - self.shown.y0) / down * self.height + pad
        return self.inside((round(x0), round(y0), round(x1), round(y1)))

    def inside(self, area: _Area) -> _Area:
        x0, y0, x1, y1 = area
        return max(0, x0), max(0, y0), min(self.width, x1), min(self.height, y1)

    def around(self, area: _Area, by: int) -> _Area:
        x0, y0, x1, y1 = area
        return self.inside((x0 - by, y0 - by, x1 + by, y1 + by))


def page_png(
    renderer: PageRenderer,
    document: SourceFile,
    page: int,
    boxes: Sequence[Box],
    *,
    mode: ImageMode = "page",
    dpi: int | None = None,
    limits: Limits = DEFAULT,
) -> bytes:
    """Return page `page` (1 is the first) as PNG bytes, the boxes that stand on it outlined.

    `mode` is the whole page or the region of the boxes with a margin; `dpi` is `limits.image_dpi` unless given.

    Raises:
        InputError: `mode` is neither, or `dpi` is out of range.
        RenderError: the page has no image, or a crop was asked for without a box on this page.
        MissingExtraError: the extra `pdf` is not installed.
    """
    return draw_page(renderer, document, page, boxes, ImageOptions(mode, dpi=dpi), limits=limits)


def draw_page(
    renderer: PageRenderer,
    document: SourceFile,
    page: int,
    boxes: Sequence[Box],
    options: ImageOptions,
    *,
    frame: PageFrame | None = None,
    limits: Limits = DEFAULT,
) -> bytes:
    """Return page `page` in the format, part and size of `options`, the boxes that stand on it outlined.

    `frame` tells the page's own size; without it, margins and widths are those of A4. `options.page` is not looked at.

    Raises:
        InputError: an option cannot be done.
        RenderError: the page has no image, or a crop was asked for without a box on this page.
        MissingExtraError: the extra `pdf` is not installed.
    """
    options.check(limits)
    own = [box for box in (box.clamped() for box in boxes if box.page == page) if box is not None]
    view = _view(own, page, options, frame, limits)
    bitmap = renderer.render(document, page, dpi=view.dpi, crop=view.crop)
    return _encoded(_outlined(bitmap, own, view), options.format)


def _view(
    boxes: Sequence[Box], page: int, options: ImageOptions, frame: PageFrame | None, limits: Limits
) -> _View:
    """Return what is to be drawn.

    Raises:
        RenderError: a crop was asked for, and there are no boxes.
    """
    size = _A4 if frame is None else (frame.width, frame.height)
    dpi = float(options.dpi if options.dpi is not None else limits.image_dpi)
    if options.mode == "page":
        if options.width is not None:
            dpi = options.width * _POINTS / size[0]
        elif options.dpi is None:
            dpi = _visible(dpi, size, limits)
        return _View(Box(page, 0.0, 0.0, 1.0, 1.0), dpi)
    region = outline_of(boxes)
    if region is None:
        msg = "This passage has no place on the page to cut out."
        raise RenderError(msg, field="mode")
    shown = _with_margin(region, *size)
    if options.width is None:
        return _View(shown, dpi, shown)
    # The whole page is as many pixels wide as makes the part exactly as wide as it is asked for.
    whole = max(options.width, round(options.width / (shown.x1 - shown.x0)))
    left = min(floor(shown.x0 * whole), whole - options.width)
    right = left + options.width
    exact = Box(page, left / whole, shown.y0, right / whole, shown.y1)
    asked = Box(page, (left + _IN_PIXEL) / whole, shown.y0, (right - _IN_PIXEL) / whole, shown.y1)
    return _View(exact, whole * _POINTS / size[0], asked)


def _visible(dpi: float, size: tuple[float, float], limits: Limits) -> float:
    """Return `dpi`, or as many as a tiny page needs to be seen; its longer side stays within what may be asked for."""
    least = limits.image_least * _POINTS / min(size)
    return max(dpi, min(least, limits.image_width * _POINTS / max(size)))


def _with_margin(region: Box, width: float, height: float) -> Box:
    across, down = CROP_MARGIN_POINTS / width, CROP_MARGIN_POINTS / height
    return Box(
        region.page,
        max(0.0, region.x0 - across),
        max(0.0, region.y0 - down),
        min(1.0, region.x1 + across),
        min(1.0, region.y1 + down),
    )


def _outlined(bitmap: Bitmap, boxes: Sequence[Box], view: _View) -> Any:  # noqa: ANN401 - an image of the optional library
    try:
        from PIL import Image
    except ImportError as error:
        what = "A page image"
        raise MissingExtraError(what, "pdf") from error
    image = Image.frombytes(bitmap.mode, (bitmap.width, bitmap.height), bitmap.data)
    if not boxes:
        return image
    image = image if image.mode == "RGB" else image.convert("RGB")
    canvas = _Canvas(view.shown, bitmap.width, bitmap.height)
    line = max(1, round(LINE_POINTS * view.dpi / _POINTS))
    words = [
        canvas.pixels(box, PAD_POINTS * view.dpi / _POINTS) for box in _closed(_lines(boxes, image, canvas))
    ]
    inner = [canvas.around(area, line) for area in words]
    outer = [canvas.around(area, line) for area in inner]
    # The outer line first, then the inner, then the words: where two areas touch, no line is left between them. Every
    # colour is laid over the plain page, darkening or brightening it, so no letter is hidden, not even a neighbour's.
    painted = [
        *_painted(image, [edge for area in outer for edge in _edges(area, line)], LIGHT_LINE),
        *_painted(image, [edge for area in inner for edge in _edges(area, line)], DARK_LINE),
        *_painted(image, words, None),
    ]
    for part, area in painted:
        image.paste(part, area[:2])
    return image


def _painted(
    image: Any,  # noqa: ANN401 - an image of the optional library
    areas: Iterable[_Area],
    colour: tuple[int, int, int] | None,
) -> Iterator[tuple[Any, _Area]]:
    """Yield parts of the plain page under a colour; that of words when None, which goes by what they stand on."""
    from PIL import Image, ImageChops, ImageStat

    for area in areas:
        if area[0] >= area[2] or area[1] >= area[3]:
            continue
        part = image.crop(area)
        over = colour
        if over is None:
            over = GLOW if ImageStat.Stat(part.convert("L")).mean[0] < DARK_GROUND else TINT
        lay = ImageChops.screen if over in (LIGHT_LINE, GLOW) else ImageChops.multiply
        yield lay(part, Image.new("RGB", part.size, over)), area


def _edges(area: _Area, line: int) -> tuple[_Area, ...]:
    """Return the four edges of an area, each `line` pixels wide."""
    x0, y0, x1, y1 = area
    return (
        (x0, y0, x1, min(y0 + line, y1)),
        (x0, max(y1 - line, y0), x1, y1),
        (x0, y0, min(x0 + line, x1), y1),
        (max(x1 - line, x0), y0, x1, y1),
    )


def _lines(
    boxes: Sequence[Box],
    image: Any,  # noqa: ANN401 - an image of the optional library
    canvas: _Canvas,
) -> list[Box]:
    """Return the boxes, pieces of a line in one where no more than a wide space parts them, as behind a sentence."""
    lines: list[Box] = []
    for box in boxes:
        gap = _gap(lines[-1], box) if lines else None
        if gap is not None and _is_space(image, canvas.pixels(gap, 0), canvas.pixels(box, 0)):
            lines[-1] = lines[-1].union(box)
        else:
            lines.append(box)
    return lines


def _gap(one: Box, other: Box) -> Box | None:
    """Return what lies between two pieces of one line, in either direction of writing; None where they are none."""
    left, right = (one, other) if one.x0 <= other.x0 else (other, one)
    top, bottom = max(one.y0, other.y0), min(one.y1, other.y1)
    tallest = max(one.y1 - one.y0, other.y1 - other.y0)
    if left.x1 > right.x0 or bottom - top < ONE_LINE * tallest:
        return None
    return Box(one.page, left.x1, top, right.x0, bottom)


def _is_space(image: Any, gap: _Area, piece: _Area) -> bool:  # noqa: ANN401 - an image of the optional library
    """Say whether a gap beside a piece of a line is no wider than a wide space, and has nothing in it."""
    wide, high = gap[2] - gap[0], gap[3] - gap[1]
    if wide > WORD_GAP * (piece[3] - piece[1]):
        return False
    if wide <= 0 or high <= 0:
        return True
    darkest, lightest = image.crop(gap).convert("L").getextrema()
    return lightest - darkest <= BLANK


def _closed(boxes: Sequence[Box]) -> Iterator[Box]:
    """Yield the boxes, each line reaching down to the next line of its column, so that a block has one outline."""
    for index, box in enumerate(boxes):
        bottom = box.y1
        if index + 1 < len(boxes):
            below = boxes[index + 1]
            gap = below.y0 - box.y1
            beside = below.x0 < box.x1 and box.x0 < below.x1
            if beside and 0 < gap <= LINE_GAP * (box.y1 - box.y0):
                bottom = below.y0
        yield Box(box.page, box.x0, box.y0, box.x1, bottom)


def _encoded(image: Any, format_: ImageFormat) -> bytes:  # noqa: ANN401 - an image of the optional library
    out = io.BytesIO()
    image.save(out, format_.upper(), **_SAVED[format_])
    return out.getvalue()
