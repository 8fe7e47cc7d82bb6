"""Pages of a PDF that are pictures: which they are, and reading them by OCR."""

from __future__ import annotations

from ctypes import addressof, c_float
from typing import TYPE_CHECKING

import numpy as np

from pincite.core.document import Flag
from pincite.core.errors import TimedOutError
from pincite.reading import ocr
from pincite.reading.pdf import _pdfium as pdfium
from pincite.reading.pdf.geometry import page_size
from pincite.reading.pdf.render import draw
from pincite.reading.pdf.scanned import OcrPage, read_picture

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from numpy.typing import NDArray

    from pincite.core.limits import Limits
    from pincite.core.protocols import Bitmap
    from pincite.reading.pdf.text import PageChars

_POINTS = 72.0
"""Points of an inch."""

_FEW, _MANY = 20, 400
"""Characters under which a page has no text to speak of, and from which on it is no picture with a stamp on it."""

_PICTURED = 0.5
"""Share of a page that pictures cover at least, when there may be more to read on it than its few characters."""

_BARE = 0.5
"""Share of its ink that none of its few characters stands on, at least, for the same."""

_DOUBTFUL = 0.5
"""Share of a page's characters that are in doubt, from which on a picture of it is asked."""

_MORE, _SOME = 2.0, 0.3
"""Times the characters in order, and those in doubt, that OCR must find for its text to be taken instead."""

_CERTAIN = 0.8
"""Mean confidence from which on what OCR reads is believed against a page's own letters."""

_LOOK_PIXELS, _CONTRAST, _SPECKS = 400_000, 40, 0.0002
"""Pixels of the picture in which ink is looked for, its difference to the paper, and the share of it that is dust."""

_KEPT = 16
"""Pages that are kept of those that OCR has read."""

_IMAGE, _FORM = 3, 5
"""Kinds of page objects (fpdf_edit.h)."""

_MOST_OBJECTS = 500
"""Objects of a page that are looked at for pictures; a scan has one, or some strips."""


class Scans:
    """Reads by OCR those pages of one document that need it.

    `begin(page)` is entered around each: that is where a worker raises its caps. Pages in `kept` have been read, and
    the next one is added.
    """

    def __init__(
        self,
        limits: Limits,
        begin: Callable[[int], AbstractContextManager[None]] | None = None,
        kept: dict[int, OcrPage] | None = None,
    ) -> None:
        self._limits = limits
        self._kept = kept
        self._begin = begin or ocr.no_caps
        self._read = 0

    def read(
        self, page: int, number: int, chars: PageChars, width: float, height: float, unit: float
    ) -> OcrPage | Flag | None:
        """Return the open page `number` as OCR reads it, what is to be said of it, or None when its own text is good.

        `chars` are its characters after the unseen ones were told apart, `width` and `height` its points as PDFium
        says them, `unit` how many points one of them is.
        """
        if self._kept is not None and number in self._kept:
            return self._kept[number]
        why = _why(page, chars)
        found = None if why is None else self._asked(why, page, number, chars, (width, height, unit))
        if self._kept is not None and isinstance(found, OcrPage):
            while len(self._kept) >= _KEPT:
                self._kept.pop(next(iter(self._kept)))
            self._kept[number] = found
        return found

    def _asked(
        self, why: str, page: int, number: int, chars: PageChars, size: tuple[float, float, float]
    ) -> OcrPage | Flag | None:
        width, height, unit = size
        limits = self._limits
        if self._read >= limits.ocr_pages:
            return Flag(number, f"a scan: only {limits.ocr_pages} pages of a document are read by OCR")
        with self._begin(number):
            if ocr.engine() is None:
                return Flag(number, ocr.MISSING if why != "pictured" else ocr.MISSING_PART)
            self._read += 1
            inches = width * unit * height * unit / _POINTS**2
            pixels = int(min(limits.ocr_pixels, max(1.0, inches * limits.ocr_dpi**2)))
            picture = pixels_of(draw(page, pixels=pixels, gray=False))
            try:
                found = read_picture(picture, width, height, seconds=limits.ocr_page_seconds)
            except TimedOutError:
                return Flag(number, f"{ocr.LATE} {limits.ocr_page_seconds:g} s")
        return _chosen(why, found, chars, number)


def _chosen(why: str, found: OcrPage | None, chars: PageChars, number: int) -> OcrPage | Flag | None:
    """Return what OCR found where it is better than the page's own characters."""
    count = sum(map(_is_letter, found.chars.text)) if found is not None else 0
    if why == "pictured":
        return found if count >= _MORE * _usable(chars) else None
    if why == "doubtful":
        # An engine that cannot read what it sees there, a script that it does not know, contradicts nothing.
        sure = found is not None and found.confidence >= _CERTAIN
        return found if sure and count >= _SOME * sum(map(_is_letter, chars.text)) else None
    if found is not None and not count:
        return Flag(number, ocr.UNKNOWN)
    return found


def pixels_of(bitmap: Bitmap) -> NDArray[np.uint8]:
    """Return a bitmap as rows, columns and blue green red."""
    flat = np.frombuffer(bitmap.data, np.uint8)
    if bitmap.mode == "L":
        return np.repeat(flat.reshape(bitmap.height, bitmap.width, 1), 3, 2)
    return np.ascontiguousarray(flat.reshape(bitmap.height, bitmap.width, 3)[:, :, ::-1])


def _why(page: int, chars: PageChars) -> str | None:
    """Return why a page may need OCR: it has no text (`empty`), little beside a picture, or text that is in doubt."""
    if len(chars.text) >= _MANY and not chars.doubts and not chars.hidden:
        return None
    usable = _usable(chars)
    letters = sum(map(_is_letter, chars.text))
    if letters - usable > _DOUBTFUL * letters and letters > _FEW:
        return "doubtful" if _has_ink(page) else None
    if usable >= _MANY:
        return None
    if usable < _FEW:
        # What is written as lines and curves is a picture too.
        pictured = usable == 0 or _pictured(page) > 0
        return "empty" if pictured and _has_ink(page) else None
    return "pictured" if _pictured(page) >= _PICTURED and _bare_ink(page, chars) >= _BARE else None


def _is_letter(char: str) -> bool:
    return not char.isspace() and char not in "\ufffd\ufffe" and not "\ue000" <= char <= "\uf8ff"


def _usable(chars: PageChars) -> int:
    """Return how many characters can be seen and are spelt."""
    good = chars.x1 > chars.x0
    for start, end, _ in chars.doubts:
        good[start:end] = False
    return sum(1 for char, seen in zip(chars.text, good.tolist(), strict=True) if seen and _is_letter(char))


def _ink(page: int) -> NDArray[np.bool_]:
    """Return which pixels of a small picture of the page differ from its paper."""
    picture = draw(page, pixels=_LOOK_PIXELS, gray=True)
    grey = np.frombuffer(picture.data, np.uint8).astype(np.int16).reshape(picture.height, picture.width)
    return np.abs(grey - int(np.median(grey))) > _CONTRAST


def _has_ink(page: int) -> bool:
    """Say whether there is more to see on a page than its paper and some dust."""
    return bool(_ink(page).mean() > _SPECKS)


def _bare_ink(page: int, chars: PageChars) -> float:
    """Return the share of a page's ink on which none of its characters stands."""
    ink = _ink(page)
    rows, columns = ink.shape
    count = int(ink.sum())
    seen = np.flatnonzero(chars.x1 > chars.x0)
    sides = np.stack(
        (chars.x0[seen] * columns, chars.y0[seen] * rows, chars.x1[seen] * columns, chars.y1[seen] * rows)
    )
    for left, top, right, bottom in np.clip(sides, 0, None).astype(int).T.tolist():
        ink[top : bottom + 1, left : right + 1] = False
    return int(ink.sum()) / max(1, count)


def _pictured(page: int) -> float:
    """Return the share of a page that its pictures cover, laid side by side."""
    size = page_size(page)
    if size is None:
        return 0.0
    sides = (c_float * 4)()
    places = tuple(addressof(sides) + 4 * side for side in range(4))
    covered = 0.0
    for position in range(min(int(pdfium.count_objects(page)), _MOST_OBJECTS)):
        thing = pdfium.object_at(page, position)
        if thing and _is_picture(thing) and pdfium.object_bounds(thing, *places):
            left, bottom, right, top = sides
            covered += abs((right - left) * (top - bottom))
    return covered / (size[0] * size[1])


def _is_picture(thing: int) -> bool:
    """Say whether a page object is an image, or a form that holds hardly anything else."""
    kind = pdfium.object_kind(thing)
    if kind != _FORM:
        return kind == _IMAGE
    count = int(pdfium.count_form_objects(thing))
    return 0 < count <= 4 and any(  # noqa: PLR2004 - an image, its frame, a stamp
        pdfium.object_kind(pdfium.form_object_at(thing, position) or 0) == _IMAGE for position in range(count)
    )
