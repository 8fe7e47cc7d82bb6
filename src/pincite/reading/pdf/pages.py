"""The PDF reader: page by page to one text with a place for every part of it."""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from pincite.core.document import Document, Flag
from pincite.core.errors import DamagedError, EmptyError, TooLargeError
from pincite.core.geometry import PageFrame
from pincite.core.ids import version_of
from pincite.core.layout import LineFragment, PageLayout
from pincite.core.text import one_line
from pincite.reading._bibliography import add, bibliography_of, terms_of_xml
from pincite.reading.pdf import _pdfium as pdfium
from pincite.reading.pdf.geometry import page_affine
from pincite.reading.pdf.headings import PageOutline, bookmarks, heading_tags, largest_heading, outline
from pincite.reading.pdf.layout import page_text
from pincite.reading.pdf.repair import open_pdf
from pincite.reading.pdf.text import page_chars
from pincite.reading.pdf.visibility import hide_unseen

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from pincite.core.bibliography import Bibliography
    from pincite.core.document import Heading
    from pincite.core.limits import Limits
    from pincite.reading.pdf.repair import PdfFile

_RULES = "1"
"""Version of our own rules; raised when the same file gives another text."""

_LETTER_PAGE = (612.0, 792.0)
"""Points of a page whose size is not to be had."""

# The end of a sentence, with closing quotes and brackets after it: linear, two classes.
_SENTENCE_END = re.compile("[.!?:;…。！？：；][\"'”’»)\\]]*$")
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


@dataclass(frozen=True, slots=True)
class _Page:
    """What was read of one page: its layout starts at 0."""

    frame: PageFrame
    layout: PageLayout
    outline: PageOutline | None
    flags: tuple[Flag, ...]
    text: str = ""


class PdfReader:
    """Reads PDF; the text of a page depends on that page alone."""

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
            pages: list[_Page] = []
            size = 0
            for number in range(1, file.pages + 1):
                on_page(number, file.pages)
                page = _unread(file, number, "left out: it stopped the reader") if number in skip else None
                pages.append(page or _read(file, number))
                size += len(pages[-1].text)
                if size > limits.document_code_points:
                    msg = f"{label} holds more text than {limits.document_code_points} code points."
                    raise TooLargeError(msg)
            on_page(file.pages + 1, file.pages)
            return _document(file, pages, label, limits)


def page_layout(file: PdfFile, number: int) -> tuple[str, PageLayout]:
    """Return the text of page `number` and its layout, which starts at 0, with glyphs.

    Raises:
        DamagedError: there is no such page, or it does not open.
    """
    if not 1 <= number <= file.pages:
        msg = f"There is no page {number}: the document has {file.pages}."
        raise DamagedError(msg, field="page")
    page = _read(file, number)
    if page.outline is None:
        msg = f"Page {number} does not open."
        raise DamagedError(msg, field="page")
    return page.text, page.layout


@contextmanager
def _open_page(file: PdfFile, number: int) -> Generator[tuple[int, int] | None]:
    """Give PDFium's page and text page, or None when it does not open."""
    page = pdfium.load_page(file.handle, number - 1)
    text_page = pdfium.load_text(page) if page else None
    try:
        yield (page, text_page) if page and text_page else None
    finally:
        if text_page:
            pdfium.close_text(text_page)
        if page:
            pdfium.close_page(page)


def _unread(file: PdfFile, number: int, reason: str) -> _Page:
    """Return a page that holds nothing but the reason for it."""
    frame = PageFrame(number, *_LETTER_PAGE, label=_label(file, number))
    return _Page(frame, PageLayout(number, 0, 0, ()), None, (Flag(number, reason),))


def _label(file: PdfFile, number: int) -> str | None:
    return one_line(pdfium.utf16(pdfium.page_label, file.handle, number - 1), 40) or None


def _read(file: PdfFile, number: int) -> _Page:
    with _open_page(file, number) as handles:
        if handles is None:
            return _unread(file, number, "damaged: the page does not open")
        page, text_page = handles
        try:
            return _read_open(file, number, page, text_page)
        except MemoryError:
            if file.pages == 1:
                raise
            return _unread(file, number, "left out: it takes more memory than is allowed")
        except Exception as error:  # noqa: BLE001 - one bad page never loses the rest
            return _unread(file, number, f"damaged: the page cannot be read ({type(error).__name__})")


def _read_open(file: PdfFile, number: int, page: int, text_page: int) -> _Page:
    unit = file.user_unit(number)
    width, height = float(pdfium.page_width(page)), float(pdfium.page_height(page))
    if not (0 < width < float("inf") and 0 < height < float("inf")):
        return _unread(file, number, "damaged: the page has no size")
    rotation = int(pdfium.page_rotation(page)) % 4 * 90
    frame = PageFrame(number, width * unit, height * unit, rotation, _label(file, number))
    affine = page_affine(page)
    chars = page_chars(text_page, affine)
    flags = hide_unseen(chars, page, number, height)
    read = page_text(chars, number, width, height)
    tags = heading_tags(page, text_page, read.lines) if pdfium.is_tagged(file.handle) else {}
    shape = PageOutline(number, 0, read.text, height, affine, read.lines, tags)
    return _Page(frame, read.layout, shape, tuple(flags), read.text)


def _document(file: PdfFile, pages: Sequence[_Page], label: str, limits: Limits) -> Document:
    pieces: list[str] = []
    layouts: list[PageLayout] = []
    shapes: list[PageOutline] = []
    offset = 0
    for page in pages:
        if page.text and pieces:
            # A paragraph may run over the page's end; a sentence that has ended closes it.
            between = "\n\n" if _SENTENCE_END.search(pieces[-1][-8:]) else "\n"
            pieces.append(between)
            offset += len(between)
        layouts.append(_moved(page.layout, offset))
        if page.outline is not None:
            shapes.append(replace(page.outline, start=offset))
        if page.text:
            pieces.append(page.text)
            offset += len(page.text)
    text = "".join(pieces)
    if not text:
        if any(page.outline is None for page in pages):
            msg = f"{label} is damaged: no page of it can be read."
            raise DamagedError(msg)
        msg = f"{label} holds no text; it may be a scan."
        raise EmptyError(msg)
    headings = outline(shapes, bookmarks(file.handle, limits.title_code_points), limits.title_code_points)
    flags = tuple(flag for page in pages for flag in page.flags)
    if file.repaired:
        flags = (Flag(None, "damaged: read after a repair"), *flags)
    return Document(
        text=text,
        version=version_of(text),
        title=_title(file, shapes, headings, label, limits),
        media_type="application/pdf",
        reader=f"{PdfReader.name}/{PdfReader.version}",
        outline=headings,
        pages=tuple(page.frame for page in pages),
        layouts=tuple(layouts),
        flags=flags,
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


def _moved(layout: PageLayout, offset: int) -> PageLayout:
    """Return a layout that starts at code point `offset` of the document."""
    if not offset:
        return layout
    lines = tuple(LineFragment(line.start + offset, line.end + offset, line.box) for line in layout.lines)
    return PageLayout(layout.page, layout.start + offset, layout.end + offset, lines, layout.glyphs)


def _title(
    file: PdfFile, shapes: Sequence[PageOutline], headings: tuple[Heading, ...], label: str, limits: Limits
) -> str:
    """Return the metadata's title if it is one, else the first page's largest line, a heading, the file's name."""
    given = one_line(pdfium.utf16(pdfium.meta_text, file.handle, b"Title"), limits.title_code_points)
    if given and _NO_TITLE.match(given) is None:
        return given
    largest = largest_heading(shapes, limits.title_code_points)
    return largest or (headings[0].title if headings else PurePath(label).stem)
