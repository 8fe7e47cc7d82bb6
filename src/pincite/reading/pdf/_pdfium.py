"""PDFium's C functions as typed callables; handles are plain integers.

Calls that may take long release the interpreter lock, so that the worker's watch over its parent goes on;
the short ones that run once a character keep it, which halves their cost.
"""

from __future__ import annotations

import ctypes
from ctypes import (
    CFUNCTYPE,
    PYFUNCTYPE,
    c_char_p,
    c_double,
    c_float,
    c_int,
    c_size_t,
    c_uint,
    c_ulong,
    c_void_p,
)
from typing import TYPE_CHECKING, Any, cast

from pincite.core.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Callable

try:
    from pypdfium2 import raw as _raw
    from pypdfium2.version import PDFIUM_INFO
except ImportError as error:
    what = "Reading PDF"
    raise MissingExtraError(what, "pdf") from error

ENGINE = f"pdfium-{cast('Any', PDFIUM_INFO).build}"
"""PDFium's build: another one may give another text."""

ERROR_FILE, ERROR_FORMAT, ERROR_PASSWORD, ERROR_SECURITY = 2, 3, 4, 5
"""Values of `last_error` (fpdfview.h)."""


class Rect(ctypes.Structure):
    """FS_RECTF: points of the page's own space."""

    _fields_ = [("left", c_float), ("top", c_float), ("right", c_float), ("bottom", c_float)]


class Matrix(ctypes.Structure):
    """FS_MATRIX."""

    _fields_ = [(name, c_float) for name in "abcdef"]


def _function(kind: Any, name: str, result: Any, *arguments: Any) -> Callable[..., Any]:  # noqa: ANN401 - ctypes types
    address = ctypes.cast(getattr(cast("Any", _raw), name), c_void_p).value
    return cast("Callable[..., Any]", kind(result, *arguments)(address))


def _long(name: str, result: Any, *arguments: Any) -> Callable[..., Any]:  # noqa: ANN401 - ctypes types
    return _function(CFUNCTYPE, name, result, *arguments)


def _short(name: str, result: Any, *arguments: Any) -> Callable[..., Any]:  # noqa: ANN401 - ctypes types
    return _function(PYFUNCTYPE, name, result, *arguments)


_P, _I, _D = c_void_p, c_int, c_double

init_library = _long("FPDF_InitLibrary", None)
last_error = _short("FPDF_GetLastError", c_ulong)
load_document = _long("FPDF_LoadMemDocument64", _P, c_char_p, c_size_t, c_char_p)
close_document = _long("FPDF_CloseDocument", None, _P)
page_count = _long("FPDF_GetPageCount", _I, _P)
page_label = _long("FPDF_GetPageLabel", c_ulong, _P, _I, _P, c_ulong)
meta_text = _long("FPDF_GetMetaText", c_ulong, _P, c_char_p, _P, c_ulong)
language = _short("FPDFCatalog_GetLanguage", c_ulong, _P, _P, c_ulong)
is_tagged = _short("FPDFCatalog_IsTagged", _I, _P)

load_page = _long("FPDF_LoadPage", _P, _P, _I)
close_page = _long("FPDF_ClosePage", None, _P)
page_width = _short("FPDF_GetPageWidthF", c_float, _P)
page_height = _short("FPDF_GetPageHeightF", c_float, _P)
page_rotation = _short("FPDFPage_GetRotation", _I, _P)
visible_box = _short("FPDF_GetPageBoundingBox", _I, _P, _P)
page_to_device = _short("FPDF_PageToDevice", _I, _P, _I, _I, _I, _I, _I, _D, _D, _P, _P)

load_text = _long("FPDFText_LoadPage", _P, _P)
close_text = _long("FPDFText_ClosePage", None, _P)
count_chars = _short("FPDFText_CountChars", _I, _P)
get_text = _long("FPDFText_GetText", _I, _P, _I, _I, _P)
get_unicode = _short("FPDFText_GetUnicode", c_uint, _P, _I)
is_generated = _short("FPDFText_IsGenerated", _I, _P, _I)
is_hyphen = _short("FPDFText_IsHyphen", _I, _P, _I)
loose_box = _short("FPDFText_GetLooseCharBox", _I, _P, _I, _P)
font_size = _short("FPDFText_GetFontSize", c_double, _P, _I)
char_matrix = _short("FPDFText_GetMatrix", _I, _P, _I, _P)
fill_color = _short("FPDFText_GetFillColor", _I, _P, _I, _P, _P, _P, _P)
text_object = _short("FPDFText_GetTextObject", _P, _P, _I)
render_mode = _short("FPDFTextObj_GetTextRenderMode", _I, _P)
object_font = _short("FPDFTextObj_GetFont", _P, _P)
marked_content_id = _short("FPDFPageObj_GetMarkedContentID", _I, _P)
count_marks = _short("FPDFPageObj_CountMarks", _I, _P)
get_mark = _short("FPDFPageObj_GetMark", _P, _P, c_ulong)
mark_name = _short("FPDFPageObjMark_GetName", _I, _P, _P, c_ulong, _P)

first_bookmark = _short("FPDFBookmark_GetFirstChild", _P, _P, _P)
next_bookmark = _short("FPDFBookmark_GetNextSibling", _P, _P, _P)
bookmark_title = _short("FPDFBookmark_GetTitle", c_ulong, _P, _P, c_ulong)
bookmark_dest = _long("FPDFBookmark_GetDest", _P, _P, _P)
bookmark_action = _short("FPDFBookmark_GetAction", _P, _P)
action_dest = _long("FPDFAction_GetDest", _P, _P, _P)
dest_page = _long("FPDFDest_GetDestPageIndex", _I, _P, _P)
dest_place = _short("FPDFDest_GetLocationInPage", _I, _P, _P, _P, _P, _P, _P, _P)

load_tags = _long("FPDF_StructTree_GetForPage", _P, _P)
close_tags = _long("FPDF_StructTree_Close", None, _P)
count_tags = _short("FPDF_StructTree_CountChildren", _I, _P)
tag_at = _short("FPDF_StructTree_GetChildAtIndex", _P, _P, _I)
tag_type = _short("FPDF_StructElement_GetType", c_ulong, _P, _P, c_ulong)
count_children = _short("FPDF_StructElement_CountChildren", _I, _P)
child_at = _short("FPDF_StructElement_GetChildAtIndex", _P, _P, _I)
child_content_id = _short("FPDF_StructElement_GetChildMarkedContentID", _I, _P, _I)

create_bitmap = _long("FPDFBitmap_CreateEx", _P, _I, _I, _I, _P, _I)
destroy_bitmap = _long("FPDFBitmap_Destroy", None, _P)
render_page = _long("FPDF_RenderPageBitmap", None, _P, _P, _I, _I, _I, _I, _I, _I)

GRAY, COLOR = 1, 2
"""Bitmap formats: one byte a pixel, and three."""

DRAW_ANNOTATIONS, RED_FIRST = 0x01, 0x10
"""Flags of `render_page`: annotations and form fields too, as a viewer draws them; red, green, blue in this order."""

init_library()


def utf16(call: Callable[..., Any], *arguments: Any) -> str:  # noqa: ANN401 - ctypes handles
    """Return the string that a `(..., buffer, bytes) -> bytes needed` function writes, without its NUL."""
    size = int(call(*arguments, None, 0))
    if not 2 < size <= 1 << 20:  # noqa: PLR2004 - two bytes are the NUL alone
        return ""
    buffer = ctypes.create_string_buffer(size)
    call(*arguments, ctypes.addressof(buffer), size)
    return buffer.raw[: size - 2].decode("utf-16-le", "replace")
