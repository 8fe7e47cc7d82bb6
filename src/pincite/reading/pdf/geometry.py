"""From a PDF page's own space to fractions of the page as the reader sees it."""

from __future__ import annotations

from ctypes import addressof, c_int
from operator import gt
from typing import TYPE_CHECKING

from pincite.core.geometry import Affine
from pincite.reading.pdf import _pdfium as pdfium

if TYPE_CHECKING:
    from collections.abc import Sequence

_DEVICE = 1 << 20
"""PDFium answers in whole device units: on a device this wide they are a millionth of the page."""


def page_affine(page: int) -> Affine:
    """Return the map from points of the page's space to fractions of the visible page, origin top left.

    `FPDF_PageToDevice` knows the crop box, its intersection with the media box, the origin and the rotation,
    so asking it for three corners of the visible box gives all of them at once; PDFium turns pages by right
    angles only.
    """
    x, y = c_int(), c_int()
    visible = pdfium.Rect()
    pdfium.visible_box(page, addressof(visible))
    left, bottom = visible.left, visible.bottom
    width, height = visible.right - left or 1.0, visible.top - bottom or 1.0

    def device(px: float, py: float) -> tuple[float, float]:
        pdfium.page_to_device(page, 0, 0, _DEVICE, _DEVICE, 0, px, py, addressof(x), addressof(y))
        return x.value / _DEVICE, y.value / _DEVICE

    x0, y0 = device(left, bottom)
    (ax, ay), (cx, cy) = device(left + width, bottom), device(left, bottom + height)
    a, b, c, d = (ax - x0) / width, (ay - y0) / width, (cx - x0) / height, (cy - y0) / height
    return Affine(a, b, c, d, x0 - a * left - c * bottom, y0 - b * left - d * bottom)


def fractions(
    affine: Affine, rects: Sequence[float]
) -> tuple[list[float], list[float], list[float], list[float]]:
    """Return x0, y0, x1, y1 of each rectangle as lists; `rects` is flat: left, top, right, bottom in points.

    Rotation by right angles sends an upright rectangle's two corners to two opposite corners of its image, so
    each of the four numbers depends on one number of the input.
    """
    left, top, right, bottom = rects[0::4], rects[1::4], rects[2::4], rects[3::4]
    if abs(affine.a) >= abs(affine.c):
        x0, x1 = _mapped(affine.a, affine.e, left, right)
        y0, y1 = _mapped(affine.d, affine.f, bottom, top)
    else:
        x0, x1 = _mapped(affine.c, affine.e, bottom, top)
        y0, y1 = _mapped(affine.b, affine.f, left, right)
    return x0, y0, x1, y1


def _mapped(
    scale: float, shift: float, low: Sequence[float], high: Sequence[float]
) -> tuple[list[float], list[float]]:
    """Return the smaller and the larger image of each pair of numbers."""
    if scale < 0:
        low, high = high, low
    smaller = [scale * value + shift for value in low]
    larger = [scale * value + shift for value in high]
    # Only mirrored writing has rectangles that stand on their heads.
    if not any(map(gt, smaller, larger)):
        return smaller, larger
    return list(map(min, smaller, larger)), list(map(max, smaller, larger))
