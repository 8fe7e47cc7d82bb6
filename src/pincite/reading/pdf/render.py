"""Drawing a page, or a part of it, as the reader sees it."""

from __future__ import annotations

from ctypes import c_char
from math import ceil, floor, sqrt
from typing import TYPE_CHECKING

from pincite.core.errors import RenderError
from pincite.core.protocols import Bitmap
from pincite.reading.pdf import _pdfium as pdfium
from pincite.reading.pdf.geometry import load_page, page_size

if TYPE_CHECKING:
    from pincite.core.geometry import Box
    from pincite.core.limits import Limits
    from pincite.reading.pdf.repair import PdfFile

_POINTS = 72.0
"""Points of an inch."""

_SAMPLED = 16
"""Of this many rows one is looked at before the whole picture is tried for colour."""


def render_page(file: PdfFile, number: int, *, dpi: float, crop: Box | None, limits: Limits) -> Bitmap:
    """Return page `number` (1 is the first) at `dpi` dots an inch, or the part inside `crop` at the same scale.

    Where that would be more than `limits.image_pixels` pixels the scale is made smaller. A grey page comes
    as `L`, another as `RGB`.

    Raises:
        RenderError: there is no such page, it does not open, has no size, or `crop` lies outside it.
    """
    if not 1 <= number <= file.pages:
        msg = f"There is no page {number}: the document has {file.pages}."
        raise RenderError(msg, field="page")
    if not dpi > 0:
        msg = "An image has more than no dots an inch."
        raise RenderError(msg, field="dpi")
    inside = crop.clamped() if crop is not None else None
    if crop is not None and inside is None:
        msg = "The part that is asked for lies outside the page."
        raise RenderError(msg, field="crop")
    page = load_page(file.handle, number - 1, limits.page_fields)
    if not page:
        msg = f"Page {number} does not open."
        raise RenderError(msg, field="page")
    try:
        scale = dpi / _POINTS * file.user_unit(number)
        return _draw(page, scale, limits.image_pixels, inside, gray=False)
    finally:
        pdfium.close_page(page)


def draw(page: int, *, pixels: int, gray: bool) -> Bitmap:
    """Return the open page in about `pixels` pixels at most; `gray` gives mode `L`, else it is as in `render_page`."""
    return _draw(page, float("inf"), pixels, None, gray=gray)


def _draw(page: int, scale: float, pixels: int, crop: Box | None, *, gray: bool) -> Bitmap:
    size = page_size(page)
    if size is None:
        msg = "The page has no size."
        raise RenderError(msg)
    width, height = size
    x0, y0, x1, y1 = (crop.x0, crop.y0, crop.x1, crop.y1) if crop else (0.0, 0.0, 1.0, 1.0)
    scale = min(scale, sqrt(pixels / (width * (x1 - x0) * height * (y1 - y0))))
    whole_width, whole_height = max(1, round(width * scale)), max(1, round(height * scale))
    left, top = floor(x0 * whole_width), floor(y0 * whole_height)
    columns = min(max(1, ceil(x1 * whole_width) - left), max(1, pixels))
    rows = min(max(1, ceil(y1 * whole_height) - top), max(1, pixels // columns))
    if max(whole_width, whole_height) >= 1 << 30:
        msg = "The part that is asked for is too small for an image at this size."
        raise RenderError(msg)
    depth = 1 if gray else 3
    # PDFium draws into rows of ours, which are white and have no padding: nothing is filled or copied afterwards.
    drawn = bytearray(b"\xff") * (depth * columns * rows)
    buffer = (c_char * len(drawn)).from_buffer(drawn)
    kind = pdfium.GRAY if gray else pdfium.COLOR
    bitmap = pdfium.create_bitmap(columns, rows, kind, buffer, depth * columns)
    if not bitmap:
        msg = "There is not enough memory for the image."
        raise RenderError(msg)
    try:
        flags = pdfium.DRAW_ANNOTATIONS | (0 if gray else pdfium.RED_FIRST)
        pdfium.render_page(bitmap, page, -left, -top, whole_width, whole_height, 0, flags)
    finally:
        pdfium.destroy_bitmap(bitmap)
    if gray:
        return Bitmap(columns, rows, "L", bytes(drawn))
    return _bitmap(bytes(drawn), columns, rows)


def _bitmap(data: bytes, columns: int, rows: int) -> Bitmap:
    """Return pixels of red, green and blue as `L` where all three are equal everywhere, else as `RGB`."""
    width = 3 * columns
    sample = b"".join(data[row * width : (row + 1) * width] for row in range(0, rows, _SAMPLED))
    if sample[0::3] == sample[1::3] == sample[2::3]:
        gray = data[0::3]
        if gray == data[1::3] == data[2::3]:
            return Bitmap(columns, rows, "L", gray)
    return Bitmap(columns, rows, "RGB", data)
