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


class Handle(c_void_p):
    """A pointer as ctypes hands it on: no conversion from a number and back at each call."""


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


def _bare(name: str, result: Any) -> Callable[..., Any]:  # noqa: ANN401 - ctypes types
    """Return a function that converts nothing, at little more than half the cost: pointers must be `c_void_p`."""
    return _function(PYFUNCTYPE, name, result)


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
set_crop_box = _short("FPDFPage_SetCropBox", None, _P, c_float, c_float, c_float, c_float)
page_to_device = _short("FPDF_PageToDevice", _I, _P, _I, _I, _I, _I, _I, _D, _D, _P, _P)

load_text = _long("FPDFText_LoadPage", _P, _P)
close_text = _long("FPDFText_ClosePage", None, _P)
count_chars = _short("FPDFText_CountChars", _I, _P)
get_text = _long("FPDFText_GetText", _I, _P, _I, _I, _P)
get_unicode = _short("FPDFText_GetUnicode", c_uint, _P, _I)
is_hyphen = _short("FPDFText_IsHyphen", _I, _P, _I)
is_unmapped = _short("FPDFText_HasUnicodeMapError", _I, _P, _I)
loose_box = _bare("FPDFText_GetLooseCharBox", None)
ink_box = _short("FPDFText_GetCharBox", None, _P, _I, _P, _P, _P, _P)
font_size = _short("FPDFText_GetFontSize", c_double, _P, _I)
char_origin = _short("FPDFText_GetCharOrigin", _I, _P, _I, _P, _P)
char_matrix = _short("FPDFText_GetMatrix", _I, _P, _I, _P)
color_of = _bare("FPDFPageObj_GetFillColor", None)
text_object = _short("FPDFText_GetTextObject", _P, _P, _I)
text_object_of = _bare("FPDFText_GetTextObject", _P)
render_mode = _bare("FPDFTextObj_GetTextRenderMode", _I)
object_font = _short("FPDFTextObj_GetFont", _P, _P)
font_weight = _short("FPDFFont_GetWeight", _I, _P)
font_name = _short("FPDFFont_GetBaseFontName", c_size_t, _P, _P, c_size_t)
marked_content_id = _short("FPDFPageObj_GetMarkedContentID", _I, _P)
count_marks = _bare("FPDFPageObj_CountMarks", _I)
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

count_objects = _long("FPDFPage_CountObjects", _I, _P)
object_at = _short("FPDFPage_GetObject", _P, _P, _I)
object_kind = _short("FPDFPageObj_GetType", _I, _P)
object_of = _bare("FPDFPage_GetObject", Handle)
kind_of = _bare("FPDFPageObj_GetType", _I)
object_bounds = _short("FPDFPageObj_GetBounds", _I, _P, _P, _P, _P, _P)
object_matrix = _short("FPDFPageObj_GetMatrix", _I, _P, _P)
count_form_objects = _short("FPDFFormObj_CountObjects", _I, _P)
form_object_at = _short("FPDFFormObj_GetObject", Handle, _P, c_ulong)
has_transparency = _short("FPDFPageObj_HasTransparency", _I, _P)
fill_color = _short("FPDFPageObj_GetFillColor", _I, _P, _P, _P, _P, _P)
clip_path = _short("FPDFPageObj_GetClipPath", Handle, _P)
count_clip_paths = _short("FPDFClipPath_CountPaths", _I, _P)
count_clip_segments = _short("FPDFClipPath_CountPathSegments", _I, _P, _I)
clip_segment = _short("FPDFClipPath_GetPathSegment", _P, _P, _I, _I)
path_mode = _short("FPDFPath_GetDrawMode", _I, _P, _P, _P)
count_segments = _short("FPDFPath_CountSegments", _I, _P)
segment_at = _short("FPDFPath_GetPathSegment", _P, _P, _I)
segment_point = _short("FPDFPathSegment_GetPoint", _I, _P, _P, _P)
segment_kind = _short("FPDFPathSegment_GetType", _I, _P)
segment_closes = _short("FPDFPathSegment_GetClose", _I, _P)

set_media_box = _short("FPDFPage_SetMediaBox", None, _P, c_float, c_float, c_float, c_float)
count_annotations = _short("FPDFPage_GetAnnotCount", _I, _P)
annotation_at = _short("FPDFPage_GetAnnot", _P, _P, _I)
remove_annotation = _short("FPDFPage_RemoveAnnot", _I, _P, _I)
annotation_kind = _short("FPDFAnnot_GetSubtype", _I, _P)
close_annotation = _short("FPDFPage_CloseAnnot", None, _P)
flatten_page = _long("FPDFPage_Flatten", _I, _P, _I)

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


def name_of(font: int) -> bytes:
    """Return a font's name as the file has it, without its NUL."""
    buffer = ctypes.create_string_buffer(128)
    font_name(font, ctypes.addressof(buffer), len(buffer))
    return buffer.value
