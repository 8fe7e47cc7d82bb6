"""Offsets are code points; these are their UTF-8 and UTF-16 views for the wire."""

from __future__ import annotations

import re
from bisect import bisect_right
from enum import StrEnum
from itertools import accumulate
from typing import Final

from pincite.core.errors import InputError

_STEP: Final = 512
"""Code points between two places that are known in every unit; an offset is counted from the one before it."""
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


class OffsetUnit(StrEnum):
    """What an offset counts."""

    CODE_POINTS = "code_points"
    UTF8 = "utf8"
    UTF16 = "utf16"


class OffsetMap:
    """Maps code-point offsets of one text to UTF-8 bytes and UTF-16 units, and back.

    A lone surrogate counts three bytes (as `surrogatepass` writes it) and one unit.
    An offset inside a character maps back to the character's start; `exact` refuses it.
    Making one costs a pass over the text at most, when a unit is first asked for; each offset a bounded step.
    """

    __slots__ = ("_text", "_utf8", "_utf16")

    def __init__(self, text: str) -> None:
        self._text = text
        self._utf8: _Encoded | None = None
        self._utf16: _Encoded | None = None

    def to_utf8(self, offset: int) -> int:
        """Return the byte offset of a code-point offset."""
        return self._forward(OffsetUnit.UTF8, offset)

    def to_utf16(self, offset: int) -> int:
        """Return the UTF-16 unit offset of a code-point offset."""
        return self._forward(OffsetUnit.UTF16, offset)

    def from_utf8(self, offset: int) -> int:
        """Return the code-point offset of a byte offset."""
        return self._back(OffsetUnit.UTF8, offset)

    def from_utf16(self, offset: int) -> int:
        """Return the code-point offset of a UTF-16 unit offset."""
        return self._back(OffsetUnit.UTF16, offset)

    def exact(self, offset: int, unit: OffsetUnit) -> int | None:
        """Return the code-point offset of `offset`; None where it is outside the text or inside a character."""
        encoded = self._encoded(unit)
        if encoded is None:
            return offset if 0 <= offset <= len(self._text) else None
        if not 0 <= offset <= encoded.size or encoded.is_inside(offset):
            return None
        return encoded.back(offset)

    def _encoded(self, unit: OffsetUnit) -> _Encoded | None:
        """Return the text in a unit; None where its code points are the same."""
        if unit is OffsetUnit.CODE_POINTS or self._text.isascii():
            return None
        if unit is OffsetUnit.UTF8:
            if self._utf8 is None:
                self._utf8 = _Encoded(self._text, "utf-8", 1)
            return self._utf8
        if self._utf16 is None:
            self._utf16 = _Encoded(self._text, "utf-16-le", 2)
        return self._utf16

    def _forward(self, unit: OffsetUnit, offset: int) -> int:
        if not 0 <= offset <= len(self._text):
            msg = f"Offset {offset} is outside the text of {len(self._text)} code points."
            raise InputError(msg, field="offset")
        encoded = self._encoded(unit)
        return offset if encoded is None else encoded.forward(offset)

    def _back(self, unit: OffsetUnit, offset: int) -> int:
        encoded = self._encoded(unit)
        size = len(self._text) if encoded is None else encoded.size
        if not 0 <= offset <= size:
            msg = f"Offset {offset} is outside the text of {size} units."
            raise InputError(msg, field="offset")
        return offset if encoded is None else encoded.back(offset)


class _Encoded:
    """A text in an encoding whose units are `width` bytes, with the unit at which every `_STEP`th code point begins."""

    __slots__ = ("_codec", "_data", "_marks", "_text", "_width", "_words", "size")

    def __init__(self, text: str, codec: str, width: int) -> None:
        self._text, self._codec, self._width = text, codec, width
        pieces = [self._encode(text[at : at + _STEP]) for at in range(0, len(text), _STEP)]
        self._data = b"".join(pieces)
        ends = list(accumulate((len(piece) // width for piece in pieces), initial=0))
        self.size = ends[-1]
        self._marks = ends[:-1]
        # Halves of a pair that stand in the text by themselves would be read back as one character.
        self._words = _SURROGATE.search(text) is None

    def _encode(self, piece: str) -> bytes:
        return piece.encode(self._codec, "surrogatepass")

    def is_inside(self, offset: int) -> bool:
        """Say whether a unit is the second or a later one of its character."""
        if offset >= self.size:
            return False
        if self._width == 1:
            return self._data[offset] & 0xC0 == 0x80  # noqa: PLR2004 - how all but the first byte begin
        if self._words:
            return self._data[offset * 2 + 1] & 0xFC == 0xDC  # noqa: PLR2004 - the second half of a pair
        return self.forward(self.back(offset)) != offset

    def forward(self, offset: int) -> int:
        """Return the unit at which a code point begins."""
        step = min(offset // _STEP, len(self._marks) - 1)
        return self._marks[step] + len(self._encode(self._text[step * _STEP : offset])) // self._width

    def back(self, offset: int) -> int:
        """Return the code point that a unit is of."""
        step = bisect_right(self._marks, offset) - 1
        first = step * _STEP
        if self._words:
            begun = self._data[self._marks[step] * self._width : offset * self._width]
            # What is cut at the end is left out, so a character that is only begun is not counted.
            return first + len(begun.decode(self._codec, "ignore"))
        piece = self._text[first : first + _STEP]
        left = offset - self._marks[step]
        low, high = 0, len(piece)
        while low < high:
            middle = (low + high + 1) // 2
            if len(self._encode(piece[:middle])) // self._width <= left:
                low = middle
            else:
                high = middle - 1
        return first + low
