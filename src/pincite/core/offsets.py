"""Offsets are code points; these are their UTF-8 and UTF-16 views for the wire."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from pincite.core.errors import InputError


def _utf8_width(char: str) -> int:
    code = ord(char)
    return 1 + (code > 0x7F) + (code > 0x7FF) + (code > 0xFFFF)  # noqa: PLR2004 - where UTF-8 grows a byte


def _utf16_width(char: str) -> int:
    return 1 + (ord(char) > 0xFFFF)  # noqa: PLR2004 - above it stand two units


class OffsetMap:
    """Maps code-point offsets of one text to UTF-8 bytes and UTF-16 units, and back.

    A lone surrogate counts three bytes (as `surrogatepass` writes it) and one unit.
    An offset inside a character maps back to the character's start.
    """

    __slots__ = ("_length", "_utf8", "_utf16")

    def __init__(self, text: str) -> None:
        self._length = len(text)
        self._utf8 = None if text.isascii() else [0, *accumulate(map(_utf8_width, text))]
        wide = self._utf8 is not None and max(text) > "\uffff"
        self._utf16 = [0, *accumulate(map(_utf16_width, text))] if wide else None

    def to_utf8(self, offset: int) -> int:
        """Return the byte offset of a code-point offset."""
        return self._forward(self._utf8, offset)

    def to_utf16(self, offset: int) -> int:
        """Return the UTF-16 unit offset of a code-point offset."""
        return self._forward(self._utf16, offset)

    def from_utf8(self, offset: int) -> int:
        """Return the code-point offset of a byte offset."""
        return self._back(self._utf8, offset)

    def from_utf16(self, offset: int) -> int:
        """Return the code-point offset of a UTF-16 unit offset."""
        return self._back(self._utf16, offset)

    def _forward(self, table: list[int] | None, offset: int) -> int:
        if not 0 <= offset <= self._length:
            msg = f"Offset {offset} is outside the text of {self._length} code points."
            raise InputError(msg, field="offset")
        return offset if table is None else table[offset]

    def _back(self, table: list[int] | None, offset: int) -> int:
        size = self._length if table is None else table[-1]
        if not 0 <= offset <= size:
            msg = f"Offset {offset} is outside the text of {size} units."
            raise InputError(msg, field="offset")
        return offset if table is None else bisect_right(table, offset) - 1
