"""A page's characters as PDFium gives them, with the box of each in fractions of the page."""

from __future__ import annotations

import ctypes
import re
import unicodedata
from array import array
from collections import deque
from ctypes import addressof
from dataclasses import dataclass
from itertools import pairwise, repeat
from math import isfinite
from typing import TYPE_CHECKING

from pincite.reading.pdf import _pdfium as pdfium
from pincite.reading.pdf.geometry import fractions

if TYPE_CHECKING:
    from pincite.core.geometry import Affine

HYPHEN = "\ufffe"
"""What PDFium writes for a hyphen at a line's end whose word goes on in the next line."""

UNREAD = "\ufffd"
"""What stands for a glyph whose character is not known."""

# Control characters and surrogates, none of which a page can show: linear, one class.
_UNREADABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")

# A run of right-to-left writing on one line, with the marks, spaces and signs inside it; it begins and ends with a
# letter or mark of its own, and what lies between is taken one character at a time: linear.
_RTL = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
_RTL_RUN = re.compile(f"[{_RTL}]+(?:[ .,:;!?'\"-]+[{_RTL}]+)*")

_EDGE = 1e-6
"""Share of a page by which a box may lie outside before its centre is asked for: device units are whole."""


@dataclass(slots=True)
class PageChars:
    r"""The characters of a page in content order: `text[i]` has the box `x0[i]`, `y0[i]`, `x1[i]`, `y1[i]`.

    `source[i]` is PDFium's index of it, or None when the two are the same. Line ends are `\r\n`, hyphens that
    end a line inside a word are `HYPHEN`, unreadable characters are `UNREAD`; spaces and line ends that PDFium
    made up have no width. `outside` counts the characters that were left out as they lie off the visible page,
    `hidden` says whether boxes were taken away.
    """

    handle: int
    text: str
    x0: list[float]
    y0: list[float]
    x1: list[float]
    y1: list[float]
    source: list[int] | None
    outside: int
    hidden: bool = False

    def index(self, position: int) -> int:
        """Return PDFium's index of the character at `position`."""
        return position if self.source is None else self.source[position]

    def hide(self, start: int, end: int) -> None:
        """Take the boxes of the characters from `start` to `end` away."""
        self.x1[start:end] = self.x0[start:end]
        self.hidden = True


def page_chars(handle: int, affine: Affine) -> PageChars:
    """Return the characters of the text page `handle`."""
    count = max(0, int(pdfium.count_chars(handle)))
    rects = (pdfium.Rect * count)()
    place, width = addressof(rects), ctypes.sizeof(pdfium.Rect)
    places = range(place, place + width * count, width)
    # The loop over all characters, without a line of Python in it.
    deque(map(pdfium.loose_box, repeat(handle), range(count), places), maxlen=0)
    flat = array("f")
    flat.frombytes(bytes(rects))
    x0, y0, x1, y1 = fractions(affine, flat)
    if not isfinite(sum(x0) + sum(y0) + sum(x1) + sum(y1)):
        _drop_endless(x0, y0, x1, y1)
    text, source = _characters(handle, count)
    if source is not None:
        x0, y0, x1, y1 = ([values[i] for i in source] for values in (x0, y0, x1, y1))
    chars = PageChars(handle, _UNREADABLE.sub(UNREAD, text), x0, y0, x1, y1, source, 0)
    if count and (min(x0) < -_EDGE or min(y0) < -_EDGE or max(x1) > 1 + _EDGE or max(y1) > 1 + _EDGE):
        _leave_out_outside(chars)
    _turn_visual_runs(chars, affine)
    return chars


def _drop_endless(*boxes: list[float]) -> None:
    """Put boxes with a number that is none, or endless, off the page, where they are left out."""
    for index, sides in enumerate(zip(*boxes, strict=True)):
        if not all(map(isfinite, sides)):
            for side in boxes:
                side[index] = -9.0


def _characters(handle: int, count: int) -> tuple[str, list[int] | None]:
    """Return the page's text, one code point a character, and PDFium's index of each where they differ."""
    buffer = ctypes.create_string_buffer(2 * count + 2)
    written = int(pdfium.get_text(handle, 0, count, addressof(buffer)))
    text = buffer.raw[: 2 * max(0, written - 1)].decode("utf-16-le", "surrogatepass")
    if len(text) == count:
        return text, None
    # Characters beyond U+FFFF, or ones that PDFium keeps from its text: ask for each.
    codes = [int(pdfium.get_unicode(handle, index)) for index in range(count)]
    pieces: list[str] = []
    source: list[int] = []
    for index, code in enumerate(codes):
        before = codes[index - 1] if index else 0
        if 0xDC00 <= code <= 0xDFFF and 0xD800 <= before <= 0xDBFF:  # noqa: PLR2004 - the surrogates
            pieces[-1] = chr(0x10000 + ((before - 0xD800) << 10) + code - 0xDC00)
            continue
        hyphen = code == 2 and pdfium.is_hyphen(handle, index)  # noqa: PLR2004 - PDFium's mark
        pieces.append(HYPHEN if hyphen else chr(code) if code <= 0x10FFFF else UNREAD)  # noqa: PLR2004 - the last code point
        source.append(index)
    return "".join(pieces), source


def _leave_out_outside(chars: PageChars) -> None:
    """Leave out the characters whose middle lies off the visible page, and the line ends of empty lines."""
    kept: list[int] = []
    line: list[int] = []
    gone = 0
    seen = False

    def end_line() -> None:
        nonlocal line, seen
        if seen:
            kept.extend(line)
        line, seen = [], False

    for index, (char, x0, y0, x1, y1) in enumerate(
        zip(chars.text, chars.x0, chars.y0, chars.x1, chars.y1, strict=True)
    ):
        blank = char.isspace()
        inside = 0.0 <= (x0 + x1) / 2 <= 1.0 and 0.0 <= (y0 + y1) / 2 <= 1.0
        if inside or (blank and x1 <= x0):
            line.append(index)
            seen = seen or not blank
        elif not blank:
            gone += 1
        if char == "\n":
            end_line()
    end_line()
    if not gone:
        return
    _take(chars, kept)
    chars.outside = gone


def _turn_visual_runs(chars: PageChars, affine: Affine) -> None:
    """Put right-to-left runs that stand in the order of the page, left to right, into the order of reading.

    PDFium turns such runs by their characters alone, which is wrong for files that hold them in the order of
    reading already; where the characters stand decides.
    """
    order: list[int] | None = None
    for match in _RTL_RUN.finditer(chars.text):
        start, end = match.span()
        placed = [i for i in range(start, end) if chars.x0[i] < chars.x1[i] and not chars.text[i].isspace()]
        if len(placed) < 2:  # noqa: PLR2004 - one character has no order
            continue
        matrix = pdfium.Matrix()
        pdfium.char_matrix(chars.handle, chars.index(placed[0]), addressof(matrix))
        along = affine.a * matrix.a + affine.c * matrix.b, affine.b * matrix.a + affine.d * matrix.b
        first, last = placed[0], placed[-1]
        across = chars.x0[last] + chars.x1[last] - chars.x0[first] - chars.x1[first]
        down = chars.y0[last] + chars.y1[last] - chars.y0[first] - chars.y1[first]
        if across * along[0] + down * along[1] > 0:
            order = order if order is not None else list(range(len(chars.text)))
            order[start:end] = range(end - 1, start - 1, -1)
    if order is not None:
        _take(chars, order)


def _take(chars: PageChars, order: list[int]) -> None:
    """Keep the characters of `order`, in that order."""
    chars.source = [chars.index(i) for i in order]
    chars.text = "".join(chars.text[i] for i in order)
    chars.x0, chars.y0, chars.x1, chars.y1 = (
        [values[i] for i in order] for values in (chars.x0, chars.y0, chars.x1, chars.y1)
    )


def compose(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return NFC of `text`, and for each code point of it the code points (start, end) of `text` behind it.

    Where a run of characters composes to another number of them, each stands for the whole run.
    """
    composed: list[str] = []
    origins: list[tuple[int, int]] = []
    cuts = [i for i, char in enumerate(text) if i == 0 or _starts(char)]
    for start, end in pairwise([*cuts, len(text)]):
        whole = unicodedata.normalize("NFC", text[start:end])
        composed.append(whole)
        if len(whole) == end - start:
            origins.extend((i, i + 1) for i in range(start, end))
        else:
            origins.extend([(start, end)] * len(whole))
    result = "".join(composed)
    if not unicodedata.is_normalized("NFC", result):
        result = unicodedata.normalize("NFC", text)
        origins = [(0, len(text))] * len(result)
    return result, origins


def _starts(char: str) -> bool:
    """Say whether no character before `char` can compose with it."""
    if char < "\u0300":
        return True
    jamo = "\u1160" <= char <= "\u11ff"
    return not (jamo or unicodedata.category(char).startswith("M"))
