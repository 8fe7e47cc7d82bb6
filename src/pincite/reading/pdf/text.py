"""A page's characters as PDFium gives them, with the box of each in fractions of the page."""

from __future__ import annotations

import ctypes
import re
import unicodedata
from collections import deque
from ctypes import addressof, c_double, c_void_p
from dataclasses import dataclass, field
from itertools import pairwise, repeat
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from pincite.reading.pdf import _pdfium as pdfium
from pincite.reading.pdf._mend import mend
from pincite.reading.pdf._rtl import reading_order
from pincite.reading.pdf.geometry import fractions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from pincite.core.geometry import Affine

_NOTHING = 1e-9

_OVERLAP, _LONG = 0.2, 1.4
"""Share of a box that the next lies over, and ratio of a box's sides, from which on it may be wrong."""
_UNDER = 0.12
"""Ems by which an East Asian glyph's square reaches under the line."""
# A character of Han, kana or Hangul: linear, one class.
_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]")

_BATCH = 4096
_boxes = np.zeros((_BATCH, 4), np.float32)
_BOX_PLACES = [c_void_p(_boxes.ctypes.data + _boxes.strides[0] * at) for at in range(_BATCH)]
"""Where PDFium writes the boxes of so many characters (FS_RECTF), made once: a pointer costs as much as a call."""

_LAST_BLANK = 0x3000
_BLANK = np.fromiter((chr(code).isspace() for code in range(_LAST_BLANK + 2)), np.bool_, _LAST_BLANK + 2)
"""Whether a code point is white space; all beyond the last of them are not."""

HYPHEN = "\ufffe"
"""What PDFium writes for a hyphen at a line's end whose word goes on in the next line."""

UNREAD = "\ufffd"
"""What stands for a glyph whose character is not known."""

_HYPHEN = re.compile(HYPHEN)
# Control characters, surrogates, what is no character, and the letters of tags, none of which a page can show: linear,
# one class.
_UNREADABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\uffff\U000e0000-\U000e007f]")
# Characters that direct other writing and show nothing themselves: linear, one class.
_UNSEEN = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
# Characters that are another to a reader: spaces that do not break, hyphens that were soft, bullets of Symbol and
# Wingdings, whose fonts give them a number of their own.
_OTHERS = str.maketrans(
    "\u00a0\u202f\u2007\u00ad\uf0b7\uf0a7\uf0d8\uf0fc\uf0e0\uf076",
    "   -\u2022\u25aa\u27a2\u2713\u2192\u2756",
)
# What one of those three may change, and marks of hyphens, which have to be asked about: linear, one class.
_ODD = re.compile(
    "[^\t\n\r -~\u00a1-\u00ac\u00ae-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\ud7ff\uf900-\ufdff]"
)


@dataclass(slots=True)
class PageChars:
    r"""The characters of a page in content order: `text[i]` has the box `x0[i]`, `y0[i]`, `x1[i]`, `y1[i]`.

    Boxes are fractions of the page. `handle` is PDFium's text page, 0 where something else read the page;
    `source[i]` is PDFium's index of a character, and `source` is None when all are the same. Line ends are
    `\r\n`, hyphens that end a line inside a word are `HYPHEN`, unreadable characters are `UNREAD`; spaces and line
    ends that PDFium made up have no width. `outside` counts the characters that were left out as they lie off the
    visible page, `hidden` says whether boxes were taken away, `doubled` whether glyphs that were drawn twice were left
    out, `doubts` are the stretches (start, end, reason) that a reader cannot see or that the font does not spell.
    """

    handle: int
    text: str
    x0: NDArray[np.float64]
    y0: NDArray[np.float64]
    x1: NDArray[np.float64]
    y1: NDArray[np.float64]
    source: NDArray[np.int32] | None
    outside: int
    hidden: bool = False
    doubled: bool = False
    doubts: list[tuple[int, int, str]] = field(default_factory=list)
    _codes: tuple[str, NDArray[np.uint32]] | None = None

    def codes(self) -> NDArray[np.uint32]:
        """Return the text's code points, to be read only: several steps ask for them."""
        if self._codes is None or self._codes[0] is not self.text:
            read = np.frombuffer(self.text.encode("utf-32-le", "surrogatepass"), np.uint32)
            self._codes = self.text, read
        return self._codes[1]

    def index(self, position: int) -> int:
        """Return PDFium's index of the character at `position`."""
        return position if self.source is None else int(self.source[position])

    def indices(self, positions: NDArray[np.integer[Any]]) -> list[int]:
        """Return PDFium's index of the character at each of the positions."""
        return (positions if self.source is None else self.source[positions]).tolist()

    def sizes(self, positions: NDArray[np.integer[Any]]) -> NDArray[np.float64]:
        """Return the font size, in points as drawn, of the character at each of the positions."""
        matrix = pdfium.Matrix()
        place, handle = addressof(matrix), self.handle
        found: list[float] = []
        for index in self.indices(positions):
            pdfium.char_matrix(handle, index, place)
            scale = sqrt(abs(matrix.a * matrix.d - matrix.b * matrix.c))
            found.append(pdfium.font_size(handle, index) * scale)
        return np.array(found, np.float64)

    def fonts(self, positions: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
        """Return a number for the font of the character at each of the positions, 0 where there is none."""
        handle = self.handle
        known: dict[int | None, int] = {None: 0}
        found: list[int] = []
        for index in self.indices(positions):
            thing = pdfium.text_object(handle, index)
            font = known.get(thing)
            if font is None:
                font = known[thing] = int(pdfium.object_font(thing) or 0)
            found.append(font)
        return np.array(found, np.int64)

    def take(self, order: Sequence[int], text: str | None = None) -> None:
        """Keep the characters of `order`, in that order; -1 is a space of ours, and `text` is what is read there."""
        taken = np.array(order, np.int32)
        ours = taken < 0
        self.text = "".join(self.text[i] for i in order) if text is None else text
        source = taken if self.source is None else self.source[taken]
        self.source = np.where(ours, np.int32(-1), source)
        self.x0, self.y0, self.x1, self.y1 = (
            np.where(ours, 0.0, side[taken]) for side in (self.x0, self.y0, self.x1, self.y1)
        )

    def hide(self, start: int, end: int) -> None:
        """Take the boxes of the characters from `start` to `end` away."""
        self.x1[start:end] = self.x0[start:end]
        self.hidden = True


def page_chars(handle: int, affine: Affine) -> PageChars:
    """Return the characters of the text page `handle`."""
    count = max(0, int(pdfium.count_chars(handle)))
    rects = _rectangles(handle, count)
    text, source = _characters(handle, count)
    if _WIDE.search(text):
        _straighten(handle, rects)
    endless = ~np.isfinite(rects).all(1)
    x0, y0, x1, y1 = fractions(affine, rects.astype(np.float64))
    if endless.any():  # off the page, where they are left out
        for side in (x0, y0, x1, y1):
            side[endless] = -9.0
    if source is not None:
        x0, y0, x1, y1 = (side[source] for side in (x0, y0, x1, y1))
    chars = PageChars(handle, text, x0, y0, x1, y1, source, 0)
    if _ODD.search(text):
        _plain(chars)
    width, height = (
        1 / max(abs(affine.a) + abs(affine.c), _NOTHING),
        1 / max(abs(affine.b) + abs(affine.d), _NOTHING),
    )
    mend(chars, width, height)
    read = reading_order(chars, affine)
    if read is not None:
        chars.take(*read)
    return chars


def _rectangles(handle: int, count: int) -> NDArray[np.float32]:
    """Return PDFium's loose box of each character: left, top, right, bottom in points."""
    rects = np.zeros((count, 4), np.float32)
    page = c_void_p(handle)
    for start in range(0, count, _BATCH):
        end = min(count, start + _BATCH)
        _boxes[: end - start] = 0
        # The loop over all characters, without a line of Python in it.
        deque(map(pdfium.loose_box, repeat(page), range(start, end), _BOX_PLACES), maxlen=0)
        rects[start:end] = _boxes[: end - start]
    return rects


def _straighten(handle: int, rects: NDArray[np.float32]) -> None:
    """Mend the boxes of vertical writing that is turned: PDFium turns their ink, and not their room.

    Such boxes are long or lie over one another, which those of East Asian writing never are; each is one em square.
    """
    one, other = rects[:-1], rects[1:]
    wide = np.minimum(one[:, 2], other[:, 2]) - np.maximum(one[:, 0], other[:, 0])
    high = np.minimum(one[:, 1], other[:, 1]) - np.maximum(one[:, 3], other[:, 3])
    area = (one[:, 2] - one[:, 0]) * (one[:, 1] - one[:, 3])
    over = np.flatnonzero((wide > 0) & (high > 0) & (wide * high > _OVERLAP * area) & (area > 0))
    sides = np.abs(rects[:, 2] - rects[:, 0]), np.abs(rects[:, 1] - rects[:, 3])
    long = np.flatnonzero(np.maximum(*sides) > _LONG * np.minimum(*sides))
    matrix, x, y = pdfium.Matrix(), c_double(), c_double()
    for at in {*over.tolist(), *(over + 1).tolist(), *long.tolist()}:
        pdfium.char_matrix(handle, at, addressof(matrix))
        if not _WIDE.match(chr(min(pdfium.get_unicode(handle, at), 0x10FFFF))) or (
            matrix.a > 0 and not matrix.b
        ):
            continue
        pdfium.char_origin(handle, at, addressof(x), addressof(y))
        size = float(pdfium.font_size(handle, at))
        low, top = -_UNDER * size, (1 - _UNDER) * size
        corners = [(0.0, low), (size, low), (0.0, top), (size, top)]
        across = [x.value + matrix.a * u + matrix.c * v for u, v in corners]
        up = [y.value + matrix.b * u + matrix.d * v for u, v in corners]
        rects[at] = min(across), max(up), max(across), min(up)


def _plain(chars: PageChars) -> None:
    """Write characters as a reader would, and leave out those that show nothing."""
    text = list(chars.text.translate(_OTHERS))
    for at in (match.start() for match in _HYPHEN.finditer(chars.text)):
        if not pdfium.is_hyphen(chars.handle, chars.index(at)):
            text[at] = UNREAD
    chars.text = _UNREADABLE.sub(UNREAD, "".join(text))
    if _UNSEEN.search(chars.text):
        chars.take([i for i, char in enumerate(chars.text) if not _UNSEEN.match(char)])


def _characters(handle: int, count: int) -> tuple[str, NDArray[np.int32] | None]:
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
    return "".join(pieces), np.array(source, np.int32)


def inked(codes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Say of each code point whether it is of a word: neither white space nor a hyphen at a line's end."""
    return ~(_BLANK[np.minimum(codes, _LAST_BLANK + 1)] | (codes == ord(HYPHEN)))


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
