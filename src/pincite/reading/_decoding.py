"""Bytes of a text file -> text, whatever its encoding."""

from __future__ import annotations

import codecs
import re

from pincite.core.errors import DamagedError
from pincite.core.text import normalise, one_line

# Byte order marks, longest first: UTF-32 begins like UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

# What a declared encoding means, by the codec's own name: as browsers read it (WHATWG Encoding, section 4.2).
_CODECS = {
    **{
        name: name
        for name in ("utf-8", "koi8-r", "koi8-u", "gb18030", "euc_jp", "iso2022_jp", "mac-roman", "cp866")
    },
    **{f"cp125{digit}": f"cp125{digit}" for digit in range(9)},
    **{f"iso8859-{part}": f"iso8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "cp874": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "big5hkscs": "big5hkscs",
    "shift_jis": "cp932",
    "cp932": "cp932",
    "euc_kr": "cp949",
    "cp949": "cp949",
}

# Control characters that no text holds; tab, line ends, form feed, backspace and escape are not among them: linear.
_CONTROLS = re.compile("[\x00-\x07\x0b\x0e-\x1a\x1c-\x1f\x7f]")
_BINARY_SHARE = 50
"""A file is binary when more than one character in so many is such a control."""


def decode(data: bytes, *, name: str, declared: str | None = None) -> str:
    """Return the text of `data` in the normal form of `core.text.normalise`.

    A byte order mark decides, then `declared`, then UTF-8, then Windows-1252; what cannot be decoded becomes U+FFFD.

    Raises:
        DamagedError: it is no text at all.
    """
    text = _decoded(data, declared)
    if len(_CONTROLS.findall(text)) * _BINARY_SHARE > len(text):
        msg = f"{one_line(name, 120)} holds binary data, not text."
        raise DamagedError(msg)
    return normalise(text)


def _decoded(data: bytes, declared: str | None) -> str:
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(codec, errors="replace")
    codec = _codec(declared)
    if codec is not None and codec != "utf-8":
        return data.decode(codec, errors="replace")
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("utf-8" if codec == "utf-8" else "cp1252", errors="replace")


def _codec(declared: str | None) -> str | None:
    """Return the codec for the label of an encoding, or None for one that no file should declare."""
    if declared is None:
        return None
    try:
        return _CODECS.get(codecs.lookup(declared).name)
    except (LookupError, UnicodeError, ValueError):
        return None
