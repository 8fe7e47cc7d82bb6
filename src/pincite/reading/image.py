"""Pictures as documents: PNG, JPEG, TIFF and their like, read by OCR, a page a frame."""

from __future__ import annotations

import io
import warnings
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from pincite.core.document import Flag
from pincite.core.errors import (
    DamagedError,
    EmptyError,
    MissingExtraError,
    TimedOutError,
    TooLargeError,
    UnsupportedError,
)
from pincite.core.geometry import PageFrame
from pincite.core.text import one_line
from pincite.reading import ocr
from pincite.reading.pdf.book import Book, BookPage
from pincite.reading.pdf.scanned import read_picture, scanned_page

try:
    from PIL import Image, ImageOps
except ImportError as error:
    what = "Reading pictures"
    raise MissingExtraError(what, "ocr") from error

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from numpy.typing import NDArray

    from pincite.core.document import Document
    from pincite.core.errors import ReadingError
    from pincite.core.limits import Limits
    from pincite.reading.reader import PagePart

_FORMATS = ("PNG", "JPEG", "TIFF", "WEBP", "BMP", "GIF")
"""What Pillow is asked for; its readers of other formats are never tried on a stranger's bytes."""

_PAGED = "image/tiff"
"""The format whose frames are pages; those of the others move."""

_POINTS = 72.0
_LEAST_DPI, _MOST_DPI = 20.0, 4_800.0
"""Dots an inch that a picture may say it has; what is beyond is no resolution."""

_DEEP = 256
"""Values of sixteen bits for each of eight."""


class ImageReader:
    """Reads pictures of text. A page is as large as the picture says by its dots an inch, 72 when it says none."""

    name = "image"
    version = "1"
    media_types = ("image/png", "image/jpeg", "image/tiff", "image/webp", "image/bmp", "image/gif")
    suffixes = (".png", ".jpg", ".jpeg", ".jpe", ".jfif", ".tif", ".tiff", ".webp", ".bmp", ".dib", ".gif")

    def read(self, data: bytes, *, name: str, limits: Limits) -> Document:
        """Return the document in `data`, as `Reader` says.

        Raises:
            UnsupportedError: there is no engine for OCR.
            DamagedError: it does not open, or no frame of it can be read.
            TooLargeError: it has more pages, pixels or text than `limits` allow.
            TimedOutError: OCR takes too long.
            EmptyError: OCR finds no words in it.
        """
        return self.read_pages(data, name=name, limits=limits, on_page=lambda _page, _pages: None)

    def read_pages(
        self,
        data: bytes,
        *,
        name: str,
        limits: Limits,
        on_page: Callable[[int, int], None],
        skip: frozenset[int] = frozenset(),
        on_part: Callable[[PagePart], None] | None = None,
        on_ocr: Callable[[int], AbstractContextManager[None]] | None = None,
    ) -> Document:
        """Return the document in `data`, as `PagedReader` says; raises what `read` raises."""
        label = one_line(name, 120)
        if not data:
            msg = f"{label} is empty: it has no bytes."
            raise EmptyError(msg)
        around = on_ocr or ocr.no_caps
        with _opened(data, label) as picture:
            media_type = _media_type(picture)
            pages = _frames(picture, label, limits.pages) if media_type == _PAGED else 1
            book = Book(label, limits, (), on_part)
            errors: list[ReadingError] = []
            for number in range(1, pages + 1):
                on_page(number, pages)
                if number in skip:
                    page = _unread(number, "left out: it stopped the reader")
                elif number > limits.ocr_pages:
                    page = _unread(number, f"only {limits.ocr_pages} pages of a document are read by OCR")
                else:
                    with around(number):
                        page = _read(picture, number, label, limits, errors)
                book.add(page)
            on_page(pages + 1, pages)
            book.close()
        if not book.length:
            raise errors[0] if errors else ocr.no_text(label, book.flags)
        return book.document(
            title=lambda largest, _headings: largest or PurePath(label.replace("\\", "/")).stem,
            media_type=media_type,
            reader=f"{self.name}/{self.version}",
        )


def _opened(data: bytes, label: str) -> Image.Image:
    """Open a picture; nothing of it is unpacked yet.

    Raises:
        DamagedError: it does not open.
        TooLargeError: it says that it is so large that Pillow refuses it.
    """
    try:
        with warnings.catch_warnings():
            # Its size is checked before it is unpacked, by a limit of our own.
            warnings.simplefilter("ignore")
            return Image.open(io.BytesIO(data), formats=_FORMATS)
    except Image.DecompressionBombError as error:
        msg = f"{label} has more pixels than are read."
        raise TooLargeError(msg) from error
    except Exception as error:
        msg = f"{label} is damaged: it does not open as a picture."
        raise DamagedError(msg) from error


def _media_type(picture: Image.Image) -> str:
    """Return what a picture is; a camera's several pictures in one (MPO) begin as a JPEG."""
    return {"MPO": "image/jpeg"}.get(picture.format or "", f"image/{(picture.format or '').lower()}")


def _frames(picture: Image.Image, label: str, most: int) -> int:
    """Return how many frames a picture has.

    Raises:
        TooLargeError: more than `most`.
        DamagedError: they cannot be counted.
    """
    count = 1
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            while count <= most:
                picture.seek(count)
                count += 1
    except EOFError:
        return count
    except Image.DecompressionBombError:
        return count + 1
    except Exception:  # noqa: BLE001 - the frames before a damaged one are read
        return count + 1
    msg = f"{label} has more pages than {most}."
    raise TooLargeError(msg)


def _unread(number: int, reason: str) -> BookPage:
    return BookPage(PageFrame(number, 612.0, 792.0), (Flag(number, reason),))


def _read(
    picture: Image.Image, number: int, label: str, limits: Limits, errors: list[ReadingError]
) -> BookPage:
    """Return frame `number` as a page; what keeps it from being one goes to `errors`.

    Raises:
        UnsupportedError: there is no engine for OCR.
    """
    if ocr.engine() is None:
        msg = f"{label} is a picture, which only OCR reads: pip install 'pincite[ocr]'."
        raise UnsupportedError(msg)
    try:
        pixels, points = _pixels(picture, number, limits)
    except (Image.DecompressionBombError, TooLargeError, MemoryError):
        errors.append(TooLargeError(f"{label} has more pixels than {limits.scan_pixels}."))
        return _unread(number, f"left out: it has more pixels than {limits.scan_pixels}")
    except Exception as error:  # noqa: BLE001 - one bad frame never loses the rest
        errors.append(DamagedError(f"{label} is damaged: it cannot be read as a picture."))
        return _unread(number, f"damaged: the picture cannot be read ({type(error).__name__})")
    frame = PageFrame(number, *points)
    try:
        found = read_picture(pixels, *points, seconds=limits.ocr_page_seconds)
    except TimedOutError:
        return BookPage(frame, (Flag(number, f"{ocr.LATE} {limits.ocr_page_seconds:g} s"),))
    except Exception as error:  # noqa: BLE001 - the same
        errors.append(DamagedError(f"{label} stopped OCR."))
        return BookPage(frame, (Flag(number, f"left out: it stopped OCR ({type(error).__name__})"),))
    if found is None:
        return BookPage(frame, ())
    if not found.chars.text:
        return BookPage(frame, (Flag(number, ocr.UNKNOWN),))
    return scanned_page(frame, found)


def _pixels(
    picture: Image.Image, number: int, limits: Limits
) -> tuple[NDArray[np.uint8], tuple[float, float]]:
    """Return frame `number` as it is to be seen (rows, columns, blue green red), and its width and height in points.

    Raises:
        TooLargeError: it says that it has too many pixels; none is unpacked.
    """
    with warnings.catch_warnings():
        # Pillow warns of much, and of sizes by a limit of its own.
        warnings.simplefilter("ignore")
        picture.seek(number - 1)
        if picture.width * picture.height > limits.scan_pixels:
            msg = "It has too many pixels."
            raise TooLargeError(msg)
        dpi = _dpi(cast("dict[str, Any]", picture.info).get("dpi"))
        before = picture.size
        picture.load()
        upright = ImageOps.exif_transpose(picture)
    if upright.size != before and before[0] != before[1]:
        dpi = dpi[1], dpi[0]
    points = upright.width / dpi[0] * _POINTS, upright.height / dpi[1] * _POINTS
    # A fax has dots that are not square: they are drawn out, then as small as OCR needs them.
    wide, high = upright.width * max(1.0, dpi[1] / dpi[0]), upright.height * max(1.0, dpi[0] / dpi[1])
    scale = min(1.0, (limits.ocr_pixels / (wide * high)) ** 0.5)
    size = max(1, round(wide * scale)), max(1, round(high * scale))
    plain = _plain(upright)
    if size != plain.size:
        plain = plain.resize(size, Image.Resampling.BOX if scale < 1 else Image.Resampling.BICUBIC)
    pixels = np.asarray(plain.convert("RGB"), np.uint8)
    return np.ascontiguousarray(pixels[:, :, ::-1]), points


def _dpi(said: object) -> tuple[float, float]:
    """Return the dots an inch across and down that a picture has."""
    if isinstance(said, tuple) and len(cast("tuple[Any, ...]", said)) == 2:  # noqa: PLR2004 - across and down
        try:
            across, down = (float(value) for value in cast("tuple[Any, Any]", said))
        except (TypeError, ValueError, ZeroDivisionError):
            return _POINTS, _POINTS
        if _LEAST_DPI <= across <= _MOST_DPI and _LEAST_DPI <= down <= _MOST_DPI:
            return across, down
    return _POINTS, _POINTS


def _plain(picture: Image.Image) -> Image.Image:
    """Return a picture in grey or in colours, laid on white where it can be seen through."""
    if picture.mode.startswith("I") or picture.mode == "F":
        values = np.asarray(picture).astype(np.float64)
        top = values.max(initial=1.0)
        return Image.fromarray(
            (values / _DEEP if top > _DEEP - 1 else values).clip(0, _DEEP - 1).astype(np.uint8)
        )
    if picture.mode in ("LA", "PA", "La", "RGBA", "RGBa") or "transparency" in picture.info:
        clear = picture.convert("RGBA")
        paper = Image.new("RGBA", clear.size, "white")
        paper.alpha_composite(clear)
        return paper.convert("RGB")
    return picture.convert("L" if picture.mode in ("1", "L") else "RGB")
