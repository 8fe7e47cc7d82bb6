"""What a reader is, which readers there are, and which of them a file is for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING, Protocol, cast, runtime_checkable

from pincite.core.errors import UnsupportedError
from pincite.core.text import one_line
from pincite.reading._containers import (
    CONTAINERS,
    DOCX,
    EPUB,
    ODS,
    PPTX,
    XLS,
    XLSB,
    XLSX,
    advice_for,
    container_type,
)
from pincite.reading._languages import SOURCE_SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from pincite.core.document import Document
    from pincite.core.layout import PageLayout
    from pincite.core.limits import Limits


class Reader(Protocol):
    """Turns the bytes of one format into a `Document`. It runs in a guarded child process."""

    @property
    def name(self) -> str:
        """The reader's name, stored with the document as `<name>/<version>`."""
        ...

    @property
    def version(self) -> str:
        """The version of the rules and of the engine: another one may give another text."""
        ...

    @property
    def media_types(self) -> tuple[str, ...]:
        """The media types that it reads."""
        ...

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The file name endings that it reads, lower case, with the dot."""
        ...

    def read(self, data: bytes, *, name: str, limits: Limits) -> Document:
        """Return the document in `data`; `name` is the file's name, for a title of last resort.

        The text is in the normal form of `core.text.normalise`, and offsets are code points of it.

        Raises:
            ReadingError: one of its subclasses, with a sentence that names the file.
            MissingExtraError: the packages that it needs are not installed.
        """
        ...


@dataclass(frozen=True, slots=True)
class PagePart:
    """What a page adds to a document: what stands between it and the page before, its text, its layout.

    The layout's offsets are code points of the page's own text.
    """

    between: str
    text: str
    layout: PageLayout


@runtime_checkable
class PagedReader(Protocol):
    """A `Reader` that reads page by page and says how far it is."""

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
        """Do what `read` does; call `on_page(page, pages)` before each page, and once more with `pages + 1`.

        The pages in `skip` are known to stop a reader: they are left out and flagged. With `on_part` each page goes
        there as soon as it is done, in order, and is not kept: the document then has neither text nor layouts.
        `on_ocr(page)` is entered around the reading of a page by OCR, which has caps of its own.
        """
        ...


@dataclass(frozen=True, slots=True)
class _Entry:
    """One row of the table of readers: where its class is, what it reads, and the extra that brings what it needs."""

    place: str
    suffixes: tuple[str, ...]
    extra: str = "all"


READERS: dict[str, _Entry] = {
    "application/pdf": _Entry("pincite.reading.pdf:PdfReader", (".pdf",), "pdf"),
    "text/markdown": _Entry(
        "pincite.reading.markdown:MarkdownReader", (".md", ".markdown", ".mdown", ".mkd"), "search"
    ),
    "text/html": _Entry("pincite.reading.html:HtmlReader", (".html", ".htm", ".xhtml"), "search"),
    PPTX: _Entry("pincite.reading.pptx:PptxReader", (".pptx", ".pptm", ".ppsx", ".ppsm", ".potx", ".potm")),
    XLSX: _Entry("pincite.reading.sheets:XlsxReader", (".xlsx", ".xlsm", ".xltx", ".xltm"), "office"),
    XLS: _Entry("pincite.reading.sheets:CalamineReader", (".xls",), "office"),
    XLSB: _Entry("pincite.reading.sheets:CalamineReader", (".xlsb",), "office"),
    ODS: _Entry("pincite.reading.sheets:CalamineReader", (".ods",), "office"),
    "text/csv": _Entry("pincite.reading.sheets:CsvReader", (".csv", ".tsv", ".tab", ".psv"), "office"),
    DOCX: _Entry("pincite.reading.docx:DocxReader", (".docx", ".docm", ".dotx", ".dotm")),
    "image/png": _Entry("pincite.reading.image:ImageReader", (".png",), "ocr"),
    "image/jpeg": _Entry("pincite.reading.image:ImageReader", (".jpg", ".jpeg", ".jpe", ".jfif"), "ocr"),
    "image/tiff": _Entry("pincite.reading.image:ImageReader", (".tif", ".tiff"), "ocr"),
    "image/webp": _Entry("pincite.reading.image:ImageReader", (".webp",), "ocr"),
    "image/bmp": _Entry("pincite.reading.image:ImageReader", (".bmp", ".dib"), "ocr"),
    "image/gif": _Entry("pincite.reading.image:ImageReader", (".gif",), "ocr"),
    EPUB: _Entry("pincite.reading.epub:EpubReader", (".epub",), "search"),
    "message/rfc822": _Entry("pincite.reading.mail:MailReader", (".eml", ".mbox")),
    "multipart/related": _Entry("pincite.reading.mail:WebArchiveReader", (".mht", ".mhtml")),
    "application/json": _Entry(
        "pincite.reading.data:JsonReader", (".json", ".geojson", ".jsonc", ".json5", ".jsonl", ".ndjson")
    ),
    "text/vtt": _Entry("pincite.reading.subtitles:SubtitleReader", (".vtt", ".srt")),
    "text/x-source": _Entry("pincite.reading.source:SourceReader", SOURCE_SUFFIXES),
    "text/plain": _Entry("pincite.reading.plain:PlainReader", (".txt", ".text", ".log", "")),
}
"""Readers by media type; a class is imported when its first file comes."""

_BY_SUFFIX = {suffix: media_type for media_type, entry in READERS.items() for suffix in entry.suffixes}

_SNIFFED = 1024
"""Bytes within which a PDF's header may stand (ISO 32000-1, appendix H, implementation note 13)."""

_SPEAKING = frozenset(
    {"text/x-source", "application/json", "message/rfc822", "multipart/related", "text/vtt"}
)
"""Types of text in which the header of another format may stand near the beginning."""

# The beginning of an HTML document, after a byte order mark, white space and whole comments; each comment is
# taken without going back, so it is linear.
_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?(?>\s+|<!--(?>[^-]+|-(?!->))*-->)*<(?:!doctype\s+html|html|head|body)(?=[\s>])",
    re.IGNORECASE,
)

# How a picture begins; a BMP's four reserved bytes are zero: linear, fixed lengths.
_PICTURE = re.compile(
    rb"(?P<png>\x89PNG\r\n\x1a\n)|(?P<jpeg>\xff\xd8\xff)|(?P<tiff>II[*+]\0|MM\0[*+])|(?P<gif>GIF8[79]a)"
    rb"|(?P<webp>RIFF....WEBP)|(?P<bmp>BM....\0\0\0\0)",
    re.DOTALL,
)

_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")
"""Byte order marks of UTF-16 and UTF-32, in which text holds NUL bytes."""


@cache
def reader_for(media_type: str) -> Reader:
    """Return the reader of `media_type`.

    Raises:
        UnsupportedError: there is none.
        MissingExtraError: the packages that it needs are not installed.
    """
    entry = READERS.get(media_type)
    if entry is None:
        msg = f"There is no reader for {one_line(media_type, 60)}."
        raise UnsupportedError(msg)
    module, _, kind = entry.place.partition(":")
    return cast("Reader", getattr(import_module(module), kind)())


def extra_of(media_type: str) -> str:
    """Return the extra that brings what the reader of `media_type` needs; `all` where no single one does."""
    entry = READERS.get(media_type)
    return "all" if entry is None else entry.extra


_SHORT = {"text/x-source": "code", "application/jsonl": "jsonl", "application/x-subrip": "srt"}
"""Short names of media types whose first ending in the table says less."""


def short_type(media_type: str) -> str:
    """Return what people call a media type: pdf, docx, html; the last part of one that is not read here."""
    if (short := _SHORT.get(media_type)) is not None:
        return short
    entry = READERS.get(media_type)
    return media_type.rpartition("/")[2] if entry is None else entry.suffixes[0].removeprefix(".")


def media_type_of(name: str, data: bytes) -> str:
    """Return the media type of a file from its bytes and, where they leave it open, from its name's ending.

    Raises:
        UnsupportedError: there is no reader for it.
    """
    if (container := container_type(name, data)) is not None:
        return container
    if (picture := _PICTURE.match(data)) is not None:
        return f"image/{picture.lastgroup}"
    media_type = _BY_SUFFIX.get(PurePath(name).suffix.lower())
    header = data.find(b"%PDF-", 0, _SNIFFED)
    # Code, data and mail may speak of a PDF's header; only what begins with it is one.
    if header == 0 or (header > 0 and media_type not in _SPEAKING):
        return "application/pdf"
    if _HTML.match(data, 0, 64 * _SNIFFED):
        return "text/html"
    if media_type is None:
        what = "PDF, office files, books, mail, pages of the web, data, code and text are read"
        msg = f"There is no reader for {one_line(name, 120)}: {advice_for(name) or what}."
        raise UnsupportedError(msg)
    if media_type.startswith("image/"):
        return media_type
    binary = b"\0" in data[: 64 * _SNIFFED] and not data.startswith(_WIDE_MARKS)
    if binary and media_type != "application/pdf" and media_type not in CONTAINERS:
        msg = f"{one_line(name, 120)} is named like text but holds binary data."
        raise UnsupportedError(msg)
    return media_type
