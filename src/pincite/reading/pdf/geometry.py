"""The one frame of boxes, crops and images: fractions of the page as the reader sees it, origin top left.

`load_page` opens a page with a visible box, `page_size` is that box after rotation, `page_affine` maps the page's
own space to fractions of it, `fractions` maps many rectangles at once, and `clamp` keeps them on the page. An image is
drawn over the same box (`render`), and marks are put back into the page's space through the same map (`annotate`), so
the three cannot disagree.
"""

from __future__ import annotations

from ctypes import addressof, c_int
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from pincite.core.geometry import Affine
from pincite.core.limits import DEFAULT
from pincite.reading.pdf import _pdfium as pdfium
from pincite.reading.pdf.forms import OpenPage, with_fields

if TYPE_CHECKING:
    from numpy.typing import NDArray

EDGE_TOLERANCE = 0.003
"""Share of a page by which a character's box may reach over its edge before the page is flagged: two points of A4."""

_DEVICE = 1 << 20
"""PDFium answers in whole device units: on a device this wide they are a millionth of the page."""

_EVERYWHERE = 1e6
"""Units of a crop box that leaves no media box cropped."""


def load_page(document: int, index: int, most: int = DEFAULT.page_fields) -> int:
    """Return PDFium's handle of page `index` (0 is the first), 0 when it does not open, as `open_page` opens it."""
    return open_page(document, index, most).handle


def open_page(document: int, index: int, most: int) -> OpenPage:
    """Return page `index` (0 is the first) with `most` of its form fields at most; `pdfium.close_page` closes it.

    A crop box that misses the media box leaves nothing of the page: it is taken for a mistake, as other viewers do,
    and the whole media box is seen. Form fields are part of the page.
    """
    page = int(pdfium.load_page(document, index) or 0)
    if page and page_size(page) is None:
        pdfium.set_crop_box(page, -_EVERYWHERE, -_EVERYWHERE, _EVERYWHERE, _EVERYWHERE)
    return with_fields(document, index, page, most) if page else OpenPage(0)


def page_size(page: int) -> tuple[float, float] | None:
    """Return width and height of an open page as the reader sees it, in units (points, where there is no /UserUnit).

    None when it has no size that could be drawn.
    """
    width, height = float(pdfium.page_width(page)), float(pdfium.page_height(page))
    seen = isfinite(width) and isfinite(height) and width > 0 and height > 0
    return (width, height) if seen else None


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
    affine: Affine, rects: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return x0, y0, x1, y1 of each rectangle; a row of `rects` is left, top, right, bottom in points.

    Rotation by right angles sends an upright rectangle's two corners to two opposite corners of its image, so
    each of the four numbers depends on one number of the input.
    """
    left, top, right, bottom = rects.T
    if abs(affine.a) >= abs(affine.c):
        across, down = _mapped(affine.a, affine.e, left, right), _mapped(affine.d, affine.f, bottom, top)
    else:
        across, down = _mapped(affine.c, affine.e, bottom, top), _mapped(affine.b, affine.f, left, right)
    return across[0], down[0], across[1], down[1]


def _mapped(
    scale: float, shift: float, low: NDArray[np.float64], high: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the smaller and the larger image of each pair of numbers."""
    one, other = scale * low + shift, scale * high + shift
    return np.minimum(one, other), np.maximum(one, other)


def clamp(*sides: NDArray[np.float64]) -> int:
    """Keep the boxes x0, y0, x1, y1 on the page, in place, and return how many reached over its edge by too much.

    A box without a width stays without one.
    """
    x0, y0, x1, y1 = sides
    inked = x1 > x0
    over = inked & (np.maximum(-np.minimum(x0, y0), np.maximum(x1, y1) - 1.0) > EDGE_TOLERANCE)
    for side in sides:
        np.clip(side, 0.0, 1.0, out=side)
    return int(over.sum())
