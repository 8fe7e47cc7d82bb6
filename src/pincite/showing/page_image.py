"""A page as a PNG with the cited words outlined, or just their surroundings."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from pincite.core.errors import InputError, MissingExtraError, RenderError
from pincite.core.geometry import Box, outline_of
from pincite.core.limits import DEFAULT, Limits

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pincite.core.protocols import Bitmap, PageRenderer, SourceFile

ImageMode = Literal["page", "crop"]

TINT = (255, 241, 168)
"""The colour that is multiplied over the cited words: black stays black."""
OUTLINE = (214, 84, 0)
"""The colour of the line around them."""
LINE_POINTS = 1.5
"""Width of that line in points."""
PAD_POINTS = 1.5
"""Space between words and line in points."""
CROP_MARGIN_POINTS = 28.0
"""Space around the cited words in a crop, in points."""
LINE_GAP = 0.4
"""Two lines of one column are one block when the gap between them is at most this share of the line's height."""
PNG_LEVEL = 2
"""Effort of the PNG's compression, 0..9: past this the file hardly shrinks and the time doubles."""


@dataclass(frozen=True, slots=True)
class _Canvas:
    """Maps page fractions to pixels of an image that shows the part `shown` of the page."""

    shown: Box
    width: int
    height: int

    def pixels(self, box: Box, pad: float) -> tuple[int, int, int, int]:
        across, down = self.shown.x1 - self.shown.x0, self.shown.y1 - self.shown.y0
        x0 = (box.x0 - self.shown.x0) / across * self.width - pad
        y0 = (box.y0 - self.shown.y0) / down * self.height - pad
        x1 = (box.x1 - self.shown.x0) / across * self.width + pad
        y1 = (box.y1 - self.shown.y0) / down * self.height + pad
        return (
            max(0, round(x0)),
            max(0, round(y0)),
            min(self.width, round(x1)),
            min(self.height, round(y1)),
        )


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
        InputError: `mode` is neither.
        RenderError: the page has no image, or a crop was asked for without a box on this page.
        MissingExtraError: the extra `pdf` is not installed.
    """
    if mode not in get_args(ImageMode):
        msg = f"`mode` is page or crop, not {str(mode)[:40]!r}."
        raise InputError(msg, field="mode")
    own = [box for box in (box.clamped() for box in boxes if box.page == page) if box is not None]
    dots = dpi if dpi is not None else limits.image_dpi
    shown = Box(page, 0.0, 0.0, 1.0, 1.0)
    if mode == "crop":
        region = outline_of(own)
        if region is None:
            msg = "This passage has no place on the page to cut out."
            raise RenderError(msg)
        shown = _with_margin(region)
    bitmap = renderer.render(document, page, dpi=dots, crop=shown if mode == "crop" else None)
    return _encoded(_outlined(bitmap, own, shown, dots))


def _with_margin(region: Box) -> Box:
    # The margin is a fraction of a page of A4's height; the page's own size is the renderer's business.
    across, down = CROP_MARGIN_POINTS / 595, CROP_MARGIN_POINTS / 842
    return Box(
        region.page,
        max(0.0, region.x0 - across),
        max(0.0, region.y0 - down),
        min(1.0, region.x1 + across),
        min(1.0, region.y1 + down),
    )


def _outlined(bitmap: Bitmap, boxes: Sequence[Box], shown: Box, dpi: int) -> Any:  # noqa: ANN401 - an image of the optional library
    try:
        from PIL import Image, ImageChops
    except ImportError as error:
        what = "A page image"
        raise MissingExtraError(what, "pdf") from error
    size = (bitmap.width, bitmap.height)
    image = Image.frombytes(bitmap.mode, size, bitmap.data)
    if not boxes:
        return image
    image = image if image.mode == "RGB" else image.convert("RGB")
    canvas = _Canvas(shown, bitmap.width, bitmap.height)
    pad = PAD_POINTS * dpi / 72
    line = max(2, round(LINE_POINTS * dpi / 72))
    areas = [canvas.pixels(box, pad) for box in _closed(boxes)]
    around = [
        (
            max(0, x0 - line),
            max(0, y0 - line),
            min(bitmap.width, x1 + line),
            min(bitmap.height, y1 + line),
        )
        for x0, y0, x1, y1 in areas
    ]
    # All lines first, all words after: where two areas touch, no line is left between them. Both colours are
    # multiplied over the plain page, so no letter is hidden, not even a neighbour's.
    painted = [
        (ImageChops.multiply(part, Image.new("RGB", part.size, colour)), place)
        for colour, places in ((OUTLINE, around), (TINT, areas))
        for place in places
        for part in (image.crop(place),)
    ]
    for part, place in painted:
        image.paste(part, place)
    return image


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


def _encoded(image: Any) -> bytes:  # noqa: ANN401 - an image of the optional library
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=PNG_LEVEL)
    return out.getvalue()
