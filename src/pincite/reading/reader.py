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

if TYPE_CHECKING:
    from collections.abc import Callable

    from pincite.core.document import Document
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
    ) -> Document:
        """Do what `read` does; call `on_page(page, pages)` before each page, and once more with `pages + 1`.

        The pages in `skip` are known to stop a reader: they are left out and flagged.
        """
        ...


@dataclass(frozen=True, slots=True)
class _Entry:
    """One row of the table of readers: where its class is, and what it reads."""

    place: str
    suffixes: tuple[str, ...]


READERS: dict[str, _Entry] = {
    "application/pdf": _Entry("pincite.reading.pdf:PdfReader", (".pdf",)),
    "text/markdown": _Entry(
        "pincite.reading.markdown:MarkdownReader", (".md", ".markdown", ".mdown", ".mkd")
    ),
    "text/html": _Entry("pincite.reading.html:HtmlReader", (".html", ".htm", ".xhtml")),
    "text/plain": _Entry("pincite.reading.plain:PlainReader", (".txt", ".text", ".log", "")),
}
"""Readers by media type; a class is imported when its first file comes."""

_BY_SUFFIX = {suffix: media_type for media_type, entry in READERS.items() for suffix in entry.suffixes}

_SNIFFED = 1024
"""Bytes within which a PDF's header may stand (ISO 32000-1, appendix H, implementation note 13)."""

# The beginning of an HTML document, after a byte order mark, white space and whole comments; each comment is
# taken without going back, so it is linear.
_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?(?>\s+|<!--(?>[^-]+|-(?!->))*-->)*<(?:!doctype\s+html|html|head|body)(?=[\s>])",
    re.IGNORECASE,
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


def media_type_of(name: str, data: bytes) -> str:
    """Return the media type of a file from its bytes and, where they leave it open, from its name's ending.

    Raises:
        UnsupportedError: there is no reader for it.
    """
    if data.find(b"%PDF-", 0, _SNIFFED) >= 0:
        return "application/pdf"
    if _HTML.match(data, 0, 64 * _SNIFFED):
        return "text/html"
    media_type = _BY_SUFFIX.get(PurePath(name).suffix.lower())
    if media_type is None:
        msg = f"There is no reader for {one_line(name, 120)}: give PDF, Markdown, HTML or plain text."
        raise UnsupportedError(msg)
    binary = b"\0" in data[: 64 * _SNIFFED] and not data.startswith(_WIDE_MARKS)
    if binary and media_type != "application/pdf":
        msg = f"{one_line(name, 120)} is named like text but holds binary data."
        raise UnsupportedError(msg)
    return media_type
