"""A page's layout in a few bytes a character, to be kept with its document: for pages that cost much to lay out again.

Sides are whole 65,535ths of the page. Characters of one line stand side by side at one height, so what is written of
each is how far it is from the one before, which packs to a third.
"""

from __future__ import annotations

import struct
import sys
import zlib
from array import array
from itertools import pairwise

from pincite.core.geometry import Box
from pincite.core.layout import LineFragment, PageLayout

_HEAD = struct.Struct("<II")
_UNITS = 0xFFFF
_SIDES = 4


def pack_layout(layout: PageLayout) -> bytes:
    """Return the lines and the glyphs of a layout as `unpack_layout` reads them; nothing for one without glyphs."""
    if layout.glyphs is None:
        return b""
    spans = array("I", (at - layout.start for line in layout.lines for at in (line.start, line.end)))
    boxes = array(
        "H",
        (
            _units(side)
            for line in layout.lines
            for side in (line.box.x0, line.box.y0, line.box.x1, line.box.y1)
        ),
    )
    planes = [array("H"), array("H"), array("H"), array("H")]
    before = (0, 0, 0)
    sides = [_units(side) for side in layout.glyphs]
    for at in range(0, len(sides), _SIDES):
        x0, y0, x1, y1 = sides[at : at + _SIDES]
        # What has no ink has no place of its own either.
        here = (x0, y0, y1) if x1 > x0 else before
        for plane, value in zip(
            planes,
            (here[0] - before[0], max(0, x1 - x0), here[1] - before[1], here[2] - before[2]),
            strict=True,
        ):
            plane.append(value & _UNITS)
        before = here
    body = b"".join(map(_bytes, (spans, boxes, *planes)))
    return zlib.compress(_HEAD.pack(layout.end - layout.start, len(layout.lines)) + body)


def unpack_layout(data: bytes, page: int, length: int) -> PageLayout:
    """Return the layout of a page whose text is `length` code points long, starting at 0, from what `pack_layout` made.

    Raises:
        ValueError: it is not that; no more is unpacked than such a page could have.
    """
    unpacker = zlib.decompressobj()
    # A line holds at least one code point.
    most = _HEAD.size + (16 + 8) * length
    try:
        body = unpacker.decompress(data, most + 1)
    except zlib.error as error:
        msg = "This is no packed layout."
        raise ValueError(msg) from error
    count, lines = _HEAD.unpack_from(body) if len(body) >= _HEAD.size else (-1, 0)
    if count != length or len(body) != _HEAD.size + 16 * lines + 8 * length:
        msg = "This is no packed layout of a page of that length."
        raise ValueError(msg)
    at = _HEAD.size
    spans = _array("I", body[at : at + 8 * lines])
    boxes = _array("H", body[at + 8 * lines : at + 16 * lines])
    if any(one > other for one, other in pairwise(spans)) or (spans and spans[-1] > length):
        msg = "The lines of a packed layout are in no order."
        raise ValueError(msg)
    planes = _array("H", body[at + 16 * lines :])
    glyphs = array("f")
    x0 = y0 = y1 = 0
    for across, wide, top, bottom in zip(
        *(planes[plane * length : (plane + 1) * length] for plane in range(_SIDES)), strict=True
    ):
        x0, y0, y1 = (x0 + across) & _UNITS, (y0 + top) & _UNITS, (y1 + bottom) & _UNITS
        glyphs.extend((x0 / _UNITS, y0 / _UNITS, (x0 + wide) / _UNITS, y1 / _UNITS))
    fragments = tuple(
        LineFragment(
            spans[2 * line],
            spans[2 * line + 1],
            Box(page, *(side / _UNITS for side in boxes[_SIDES * line : _SIDES * (line + 1)])),
        )
        for line in range(lines)
    )
    return PageLayout(page, 0, length, fragments, glyphs)


def _units(side: float) -> int:
    return round(min(1.0, max(0.0, side)) * _UNITS)


def _bytes(values: array[int]) -> bytes:
    """Return numbers little-endian, so that a library can be carried to any machine."""
    if sys.byteorder == "big":
        values = values[:]
        values.byteswap()
    return values.tobytes()


def _array(kind: str, data: bytes) -> array[int]:
    values: array[int] = array(kind)
    values.frombytes(data)
    if sys.byteorder == "big":
        values.byteswap()
    return values
