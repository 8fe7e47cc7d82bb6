"""Form fields, stamps and typed comments: what they show is made a part of the page, to be drawn, read and cited."""

from __future__ import annotations

from ctypes import addressof
from typing import NamedTuple

from pincite.reading.pdf import _pdfium as pdfium

_TYPED, _STAMP, _FIELD = 3, 13, 20
"""Kinds of annotations that may show text (fpdf_annot.h): typed on the page, a stamp, a form field."""

_FOR_SCREEN = 0


class OpenPage(NamedTuple):
    """PDFium's handle of a page (0 when it does not open), the fields that its contents hold, and those left out."""

    handle: int
    fields: int = 0
    left_out: int = 0


def with_fields(document: int, index: int, page: int, most: int) -> OpenPage:
    """Return page `index` (0 is the first) with its form fields in its contents, `most` of them at most.

    `page` is its handle, which is closed if another is returned. PDFium draws fields only into a form that a person
    fills in, and its text pages never hold them; so they are flattened in memory, as a printer does: what is hidden
    stays hidden, a box that is ticked shows its tick. What that takes grows faster than the fields, and with those of
    the whole document.
    """
    count = max(0, int(pdfium.count_annotations(page)))
    kept = min(count, most)
    kinds = {_kind(page, at) for at in range(kept)}
    if count and not kept:
        return OpenPage(page, 0, count)
    if not kinds & {_TYPED, _STAMP, _FIELD}:
        return OpenPage(page, 0, count - kept)
    for at in range(count - 1, kept - 1, -1):
        pdfium.remove_annotation(page, at)
    if _FIELD in kinds:
        _draw_fields(page)
    # Flattening takes a page that inherits its boxes for a Letter one.
    visible = pdfium.Rect()
    if pdfium.visible_box(page, addressof(visible)):
        box = (visible.left, visible.bottom, visible.right, visible.top)
        pdfium.set_media_box(page, *box)
        pdfium.set_crop_box(page, *box)
    pdfium.flatten_page(page, _FOR_SCREEN)
    pdfium.close_page(page)
    return OpenPage(int(pdfium.load_page(document, index) or 0), kept, count - kept)


def _kind(page: int, at: int) -> int:
    annotation = pdfium.annotation_at(page, at)
    if not annotation:
        return 0
    try:
        return int(pdfium.annotation_kind(annotation))
    finally:
        pdfium.close_annotation(annotation)


def _draw_fields(page: int) -> None:
    """Draw the page on one pixel: PDFium then makes up how a field looks that has a value and no look of its own."""
    bitmap = pdfium.create_bitmap(1, 1, pdfium.GRAY, None, 0)
    if bitmap:
        pdfium.render_page(bitmap, page, 0, 0, 1, 1, 0, pdfium.DRAW_ANNOTATIONS)
        pdfium.destroy_bitmap(bitmap)
