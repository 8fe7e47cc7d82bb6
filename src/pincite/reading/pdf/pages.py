"""The PDF reader: page by page to one text with a place for every part of it."""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from pincite.core.document import Document, Flag
from pincite.core.errors import DamagedError, EmptyError, TooLargeError
from pincite.core.geometry import PageFrame
from pincite.core.limits import DEFAULT
from pincite.core.text import one_line
from pincite.reading._bibliography import add, bibliography_of, terms_of_xml
from pincite.reading.ocr import no_text
from pincite.reading.pdf import _pdfium as pdfium
from pincite.reading.pdf.book import Book, BookPage
from pincite.reading.pdf.geometry import clamp, open_page, page_affine, page_size
from pincite.reading.pdf.headings import bookmarks, heading_tags
from pincite.reading.pdf.layout import align, page_text
from pincite.reading.pdf.objects import page_objects
from pincite.reading.pdf.repair import open_pdf
from pincite.reading.pdf.rules import page_rules
from pincite.reading.pdf.scanned import OcrPage, scanned_page
from pincite.reading.pdf.scans import Scans
from pincite.reading.pdf.tables import find_tables
from pincite.reading.pdf.text import page_chars
from pincite.reading.pdf.visibility import hide_unseen

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence
    from contextlib import AbstractContextManager

    from pincite.core.bibliography import Bibliography
    from pincite.core.document import Heading
    from pincite.core.layout import PageLayout
    from pincite.core.limits import Limits
    from pincite.reading.pdf.forms import OpenPage
    from pincite.reading.pdf.repair import PdfFile
    from pincite.reading.pdf.tables import Table
    from pincite.reading.pdf.words import PageWords
    from pincite.reading.reader import PagePart

_RULES = "3"
"""Version of our own rules; raised when the same file gives another text."""

_LETTER_PAGE = (612.0, 792.0)
"""Points of a page whose size is not to be had."""

# Titles that programs write by themselves, file names, paths, and what has no letter: linear alternatives.
_NO_TITLE = re.compile(
    r"(?:untitled|title|document|presentation)\s*\d*\Z"
    r"|microsoft (?:word|powerpoint|excel)\b"
    r"|powerpoint presentation\Z"
    r"|.*\.(?:docx?|xlsx?|pptx?|pdf|tex|dvi|indd|qxd|odt|rtf|html?|txt|ps)\Z"
    r"|\S+\.\w{2,5}\Z"
    r"|\S*[\\/]\S*\Z"
    r"|[\W\d_]*\Z",
    re.IGNORECASE,
)


# Entries of the document's information, and the terms that they are.
_INFO = {b"Author": "info:author", b"Subject": "info:subject", b"doi": "info:doi", b"DOI": "info:doi"}


class PdfReader:
    """Reads PDF. What of a page runs through the document the pages around tell; all else is of that page alone."""

    name = "pdf"
    version = f"{_RULES}+{pdfium.ENGINE}"
    media_types = ("application/pdf",)
    suffixes = (".pdf",)

    def read(self, data: bytes, *, name: str, limits: Limits) -> Document:
        """Return the document in `data`, as `Reader` says.

        Raises:
            EmptyError: no page holds text.
            EncryptedError: it needs a password.
            DamagedError: it does not open, even after a repair.
            TooLargeError: it has more pages or text than `limits` allow.
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
        with open_pdf(data, name=name) as file:
            if file.pages > limits.pages:
                msg = f"{label} says it has {file.pages} pages; {limits.pages} are the most."
                raise TooLargeError(msg)
            book = Book(label, limits, bookmarks(file.handle, limits.title_code_points), on_part)
            reading = _Reading(limits, Scans(limits, on_ocr), limits.document_fields)
            for number in range(1, file.pages + 1):
                on_page(number, file.pages)
                page = _unread(file, number, "left out: it stopped the reader") if number in skip else None
                book.add(page or _read(file, number, reading))
            on_page(file.pages + 1, file.pages)
            book.close()
            return _document(file, book, label, limits)


def page_layout(
    file: PdfFile,
    number: int,
    text: str | None = None,
    scans: Scans | None = None,
    limits: Limits = DEFAULT,
) -> tuple[str, PageLayout]:
    """Return the text of page `number` and its layout, which starts at 0, with glyphs.

    With `text` the page holds no other lines than those that `text` holds.

    Raises:
        DamagedError: there is no such page, or it does not open.
    """
    if not 1 <= number <= file.pages:
        msg = f"There is no page {number}: the document has {file.pages}."
        raise DamagedError(msg, field="page")
    page = _read(file, number, _Reading(limits, scans, limits.page_fields), glyphs=True)
    if page.text is None:
        msg = f"Page {number} does not open."
        raise DamagedError(msg, field="page")
    found = page.text if text is None else align(page.text, text)
    return found.text, found.layout


@dataclass(slots=True)
class _Reading:
    """What pages are read with: limits, what reads scans, and the form fields that are still looked at."""

    limits: Limits
    scans: Scans | None
    fields_left: int


@contextmanager
def _open_page(file: PdfFile, number: int, most: int) -> Generator[tuple[OpenPage, int] | None]:
    """Give PDFium's page, with `most` form fields at most, and its text page, or None when it does not open."""
    opened = open_page(file.handle, number - 1, most)
    page = opened.handle
    text_page = pdfium.load_text(page) if page else None
    try:
        yield (opened, text_page) if page and text_page else None
    finally:
        if text_page:
            pdfium.close_text(text_page)
        if page:
            pdfium.close_page(page)


def _unread(file: PdfFile, number: int, reason: str) -> BookPage:
    """Return a page that holds nothing but the reason for it."""
    frame = PageFrame(number, *_LETTER_PAGE, label=_label(file, number))
    return BookPage(frame, (Flag(number, reason),))


def _label(file: PdfFile, number: int) -> str | None:
    return one_line(pdfium.utf16(pdfium.page_label, file.handle, number - 1), 40) or None


def _read(file: PdfFile, number: int, reading: _Reading, *, glyphs: bool = False) -> BookPage:
    most = min(reading.limits.page_fields, reading.fields_left)
    with _open_page(file, number, most) as handles:
        if handles is None:
            return _unread(file, number, "damaged: the page does not open")
        reading.fields_left -= handles[0].fields
        try:
            return _read_open(file, number, handles, reading, glyphs=glyphs)
        except MemoryError:
            if file.pages == 1:
                raise
            return _unread(file, number, "left out: it takes more memory than is allowed")
        except Exception as error:  # noqa: BLE001 - one bad page never loses the rest
            return _unread(file, number, f"damaged: the page cannot be read ({type(error).__name__})")


def _read_open(
    file: PdfFile, number: int, handles: tuple[OpenPage, int], reading: _Reading, *, glyphs: bool
) -> BookPage:
    (page, _, left_out), text_page = handles
    unit = file.user_unit(number)
    size = page_size(page)
    if size is None:
        return _unread(file, number, "damaged: the page has no size")
    width, height = size
    rotation = int(pdfium.page_rotation(page)) % 4 * 90
    frame = PageFrame(number, width * unit, height * unit, rotation, _label(file, number))
    affine = page_affine(page)
    chars = page_chars(text_page, affine)
    objects = page_objects(page, most=reading.limits.page_objects)
    flags = hide_unseen(chars, page, number, height, objects)
    if left_out:
        flags.append(
            Flag(number, f"form fields and remarks that are left out, as there are too many: {left_out}")
        )
    scans = reading.scans
    scan = scans.read(page, number, chars, width, height, unit) if scans is not None else None
    if isinstance(scan, OcrPage):
        return scanned_page(frame, scan, affine=affine, flags=flags)
    if scan is not None:
        flags.append(scan)
    over = clamp(chars.x0, chars.y0, chars.x1, chars.y1)
    if over:
        flags.append(Flag(number, f"characters that reach over the edge of the page: {over}"))

    def tables(words: PageWords) -> Sequence[Table]:
        rules = page_rules(objects, affine, width, height)
        return find_tables(words, chars.text, rules, width, height)

    read = page_text(chars, number, width, height, tables=tables, glyphs=glyphs)
    tags = heading_tags(page, text_page, read.lines) if pdfium.is_tagged(file.handle) else {}
    return BookPage(frame, tuple(flags), read, affine, width, height, tags)


def _document(file: PdfFile, book: Book, label: str, limits: Limits) -> Document:
    """Return the document of a book.

    Raises:
        DamagedError: no page could be read.
        EmptyError: no page holds text.
    """
    if not book.length:
        if book.damaged:
            msg = f"{label} is damaged: no page of it can be read."
            raise DamagedError(msg)
        raise no_text(label, book.flags)
    return book.document(
        title=lambda largest, headings: _title(file, largest, headings, label, limits),
        media_type="application/pdf",
        reader=f"{PdfReader.name}/{PdfReader.version}",
        flags=(Flag(None, "damaged: read after a repair"),) if file.repaired else (),
        bibliography=_bibliography(file),
    )


def _bibliography(file: PdfFile) -> Bibliography:
    """Return what the document's information and its XMP packet say of it.

    The day on which the file was made is no day of issue, so it is not read.
    """
    terms = terms_of_xml(file.packet)
    for key, term in _INFO.items():
        add(terms, term, pdfium.utf16(pdfium.meta_text, file.handle, key))
    add(terms, "file:language", pdfium.utf16(pdfium.language, file.handle))
    return bibliography_of(terms)


def _title(
    file: PdfFile, largest: str | None, headings: tuple[Heading, ...], label: str, limits: Limits
) -> str:
    """Return the metadata's title if it is one, else the first page's largest line, a heading, the file's name."""
    given = one_line(pdfium.utf16(pdfium.meta_text, file.handle, b"Title"), limits.title_code_points)
    if given and _NO_TITLE.match(given) is None:
        return given
    return largest or (headings[0].title if headings else PurePath(label).stem)
