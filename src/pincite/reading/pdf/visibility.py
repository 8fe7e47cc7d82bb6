"""Which characters a reader of the page cannot see: they get no box, and the page a flag."""

from __future__ import annotations

import re
from ctypes import addressof, c_uint, c_ulong, create_string_buffer
from typing import TYPE_CHECKING

from pincite.core.document import Flag
from pincite.reading.pdf import _pdfium as pdfium
from pincite.reading.pdf.render import draw
from pincite.reading.pdf.text import UNREAD

if TYPE_CHECKING:
    from pincite.core.protocols import Bitmap
    from pincite.reading.pdf.text import PageChars

# A word, or the part of it on one line: linear, one class.
_WORD = re.compile("[^\\s\ufffe]+")
# Glyphs without a character of their own: the replacement character and the private use area: linear, one class.
_NAMELESS = re.compile("[\ufffd\ue000-\uf8ff]")

_UNDRAWN_MODES = (3, 7)
"""Text rendering modes that put no ink on the page (ISO 32000-1, table 106)."""

_PALE = 240
"""Red, green and blue from which on a colour may be the paper's."""

_colour = (c_uint * 4)()
_COLOUR_PLACES = tuple(addressof(_colour) + 4 * part for part in range(4))
"""Where PDFium writes red, green, blue and opacity: one place for all, as it is asked for each text object."""

_CONTRAST = 24
"""Difference of the darkest and the lightest pixel in a box (of 255) from which on there is something to see."""

_LOOK_PIXELS = 400_000
"""Pixels of the picture in which doubtful words are looked for."""

_TINY = 1.0
"""Points of height below which nobody reads a word."""

_NAMELESS_SHARE, _NAMELESS_COUNT = 0.05, 5
"""Share and count of nameless glyphs from which on a page's text is not to be trusted."""


def hide_unseen(chars: PageChars, page: int, number: int, height: float) -> list[Flag]:
    """Take the boxes of unseen characters away and return what is to be said about page `number`.

    A word is doubtful when it is drawn without ink (rendering mode 3 or 7), in nearly white, without opacity,
    on an optional layer, or smaller than a point. Doubtful words are looked for in a picture of the page: one
    that has a scan under it, or a dark ground, is seen.
    """
    flags: list[Flag] = []
    if chars.outside:
        flags.append(Flag(number, f"{_count(chars.outside, 'character')} outside the visible page left out"))
    nameless = [match.start() for match in _NAMELESS.finditer(chars.text)]
    for position in nameless:
        if chars.text[position] == UNREAD:
            chars.hide(position, position + 1)
    if len(nameless) >= max(_NAMELESS_COUNT, _NAMELESS_SHARE * len(chars.text)):
        flags.append(Flag(number, f"{_count(len(nameless), 'glyph')} with unknown characters"))
    doubtful = _doubtful(chars, height)
    if doubtful:
        picture = draw(page, pixels=_LOOK_PIXELS, gray=True)
        unseen = [span for span in doubtful if not _inked(picture, chars, *span)]
        for start, end in unseen:
            chars.hide(start, end)
        if unseen:
            flags.append(Flag(number, f"{_count(len(unseen), 'word')} that cannot be seen on the page"))
    return flags


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _doubtful(chars: PageChars, height: float) -> list[tuple[int, int]]:
    """Return the words that may not be seen; the text object of a word's first character decides for it."""
    text_object, index, handle = pdfium.text_object, chars.index, chars.handle
    verdicts: dict[int, bool] = {}
    found: list[tuple[int, int]] = []
    tallest = _TINY / height if height > 0 else 0.0
    for match in _WORD.finditer(chars.text):
        start, end = match.span()
        thing = text_object(handle, index(start))
        if thing is None:
            continue
        verdict = verdicts.get(thing)
        if verdict is None:
            verdict = verdicts[thing] = _may_hide(handle, thing, index(start))
        if verdict or chars.y1[start] - chars.y0[start] < tallest:
            found.append((start, end))
    return found


def _may_hide(handle: int, thing: int, index: int) -> bool:
    """Say whether a text object may be invisible."""
    if pdfium.render_mode(thing) in _UNDRAWN_MODES:
        return True
    _colour[:] = 0, 0, 0, 255
    pdfium.fill_color(handle, index, *_COLOUR_PLACES)
    red, green, blue, alpha = _colour
    pale = red >= _PALE and green >= _PALE and blue >= _PALE
    return pale or alpha <= 255 - _PALE or _on_layer(thing)


def _on_layer(thing: int) -> bool:
    """Say whether a text object stands on an optional layer, which may be switched off."""
    count = int(pdfium.count_marks(thing))
    if count < 1:
        return False
    name, length = create_string_buffer(8), c_ulong()
    for position in range(min(count, 16)):
        mark = pdfium.get_mark(thing, position)
        length.value = 0
        if mark and pdfium.mark_name(mark, addressof(name), len(name), addressof(length)):
            written = name.raw[: min(length.value, len(name))]
            if written.decode("utf-16-le", "replace").rstrip("\0") == "OC":
                return True
    return False


def _inked(picture: Bitmap, chars: PageChars, start: int, end: int) -> bool:
    """Say whether there is something to see where the characters `start` to `end` stand."""
    if max(chars.y1[start:end]) - min(chars.y0[start:end]) < 2 / picture.height:
        return False
    left = max(0, int(min(chars.x0[start:end]) * picture.width))
    right = min(picture.width, int(max(chars.x1[start:end]) * picture.width) + 1)
    top = max(0, int(min(chars.y0[start:end]) * picture.height))
    bottom = min(picture.height, int(max(chars.y1[start:end]) * picture.height) + 1)
    if left >= right or top >= bottom:
        return False
    rows = [
        picture.data[row * picture.width + left : row * picture.width + right] for row in range(top, bottom)
    ]
    return max(map(max, rows)) - min(map(min, rows)) >= _CONTRAST
