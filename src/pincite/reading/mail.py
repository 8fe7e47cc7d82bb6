"""Mail (EML, mbox) and saved pages (MHTML) -> Document: what a reader sees of them, part by part."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from pincite.core.document import Flag, Heading, Region
from pincite.core.errors import DamagedError, EmptyError, EncryptedError, ReadingError
from pincite.core.locators import Locator
from pincite.core.text import one_line
from pincite.reading._bibliography import bibliography_of
from pincite.reading._mime import Entity
from pincite.reading._prose import check_bytes, made, too_large_text
from pincite.reading._saved import link_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite.core.bibliography import Bibliography
    from pincite.core.document import Document
    from pincite.core.limits import Limits

# The line between two messages of an mbox, and the mark in front of a line that looks like one. Bounded runs.
_FROM = re.compile(rb"(?:\A|(?<=\n)\r?\n)From [^\r\n]{1,200}\d\d:\d\d[^\r\n]{1,60}\r?\n")
_QUOTED_FROM = re.compile(rb"^>(?=>{0,20}From )", re.MULTILINE)
# The end of a line that goes on (RFC 3676), but for that of a signature, and the marks of what is quoted. Fixed width.
_FLOWED = re.compile(r"(?<!^--) \n(?![> \n]|From )", re.MULTILINE)

_SHOWN: Final = ("Subject", "From", "To", "Cc", "Date")
"""Headers that a reader sees, in this order."""
_DEEPEST, _MOST_PARTS, _MOST_LISTED = 20, 5_000, 200
"""Parts inside one another, parts of a file, and attachments that are named."""
_SEALED = frozenset({"multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"})
_SIGNATURES = frozenset(
    {"application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature"}
)
_DATA = frozenset(
    "text/calendar text/css text/directory text/javascript text/rtf text/vcard text/x-vcard".split()
)
"""Types of text that are written for programs and not for people."""
MESSAGE = "message"
"""What the part of a mail is called that has no name of its own."""


class _Piece(NamedTuple):
    """Some text, what the part is called that it is from, and the headings in it."""

    text: str
    part: str
    outline: tuple[Heading, ...] = ()


class MailReader:
    """Reads mail: the headers that a reader sees, then the text, then what hangs on it."""

    name = "mail"
    version = "1"
    media_types = ("message/rfc822",)
    suffixes = (".eml", ".mbox")

    def read(self, data: bytes, *, name: str, limits: Limits) -> Document:
        """Return the document in `data`: plain text before HTML, texts and messages that are attached, quotes kept.

        Attachments are named; only texts and messages among them are read. A message of several (mbox) is a section
        under its subject.

        Raises:
            TooLargeError: the file or its text is over a limit.
            DamagedError: it is no message.
            EncryptedError: there is nothing in it but what is encrypted.
            EmptyError: nothing in it is visible.
        """
        check_bytes(data, name=name, limits=limits)
        walk = _Walk(name, limits)
        title: str | None = None
        bibliography = bibliography_of({})
        if name.lower().endswith(".mbox") or _FROM.match(data) is not None:
            for message in _messages(data):
                walk.message(Entity(message), 0, titled=True)
        else:
            message = Entity(data)
            if not any(header in message for header in _SHOWN):
                msg = f"{one_line(name, 120)} is no mail: it has none of a mail's headers."
                raise DamagedError(msg)
            walk.message(message, 0)
            title, bibliography = message.header("subject"), _bibliography(message)
        if walk.sealed and not walk.said:
            msg = f"{one_line(name, 120)} is encrypted."
            raise EncryptedError(msg)
        text, outline, regions = _put_together(walk.pieces)
        return made(
            text,
            name=name,
            title=title,
            media_type=self.media_types[0],
            reader=f"{self.name}/{self.version}",
            limits=limits,
            outline=outline,
            flags=walk.flags(),
            line_numbers=(),
            bibliography=bibliography,
            regions=regions,
        )


class WebArchiveReader:
    """Reads a page that a browser saved as one file (MHTML)."""

    name = "mhtml"
    version = "1"
    media_types = ("multipart/related",)
    suffixes = (".mht", ".mhtml")

    def read(self, data: bytes, *, name: str, limits: Limits) -> Document:
        """Return the page in `data`, as the reader of HTML does.

        Raises:
            TooLargeError: the file or its text is over a limit.
            DamagedError: there is no page in it.
            EmptyError: nothing in it is visible.
        """
        check_bytes(data, name=name, limits=limits)
        archive = Entity(data)
        pages = (
            part
            for part in (archive, *archive.parts())
            if part.kind in {"text/html", "application/xhtml+xml"}
        )
        page = next(pages, None)
        if page is None:
            msg = f"{one_line(name, 120)} holds no page."
            raise DamagedError(msg)
        found = _html(page, name, limits)
        # What the browser noted goes before what the page says of itself; a part's place may be one inside the file.
        noted = (
            archive.raw("snapshot-content-location"),
            *(one.raw("content-location") for one in (page, archive)),
        )
        url = next(filter(None, map(link_of, noted)), found.url)
        return replace(found, media_type=self.media_types[0], reader=f"{self.name}/{self.version}", url=url)


def _html(page: Entity, name: str, limits: Limits) -> Document:
    # A mail without HTML in it does not wait for its parser.
    from pincite.reading.html import HtmlReader

    # What the part says of its encoding goes before what the page says: a mark tells the reader so.
    return HtmlReader().read(b"\xef\xbb\xbf" + page.text(name).encode(), name=name, limits=limits)


def _messages(data: bytes) -> Iterator[bytes]:
    """Yield the messages of an mbox."""
    start = -1
    for found in _FROM.finditer(data):
        if start >= 0:
            yield _QUOTED_FROM.sub(b"", data[start : found.start()])
        start = found.end()
    if start >= 0:
        yield _QUOTED_FROM.sub(b"", data[start:])


class _Walk:
    """One pass over the parts of a file."""

    def __init__(self, name: str, limits: Limits) -> None:
        self.pieces: list[_Piece] = []
        self.sealed = self.said = False
        self._name = name
        self._limits = limits
        self._length = self._parts = 0
        self._unread: list[str] = []
        self._faults: list[str] = []

    def flags(self) -> list[Flag]:
        """Return what a person should know."""
        reasons = list(dict.fromkeys(self._faults))
        if self._unread:
            more = f" and {len(self._unread) - 3:,} more" if len(self._unread) > 3 else ""  # noqa: PLR2004
            reasons.append(f"attachments were not read: {', '.join(self._unread[:3])}{more}")
        return [Flag(None, reason) for reason in reasons]

    def message(self, message: Entity, depth: int, *, part: str = "", titled: bool = False) -> None:
        """Write a message: its headers, with what is attached, and its text."""
        subject = message.header("subject")
        lines = [f"{header}: {said}" for header in _SHOWN if (said := message.header(header))]
        place = len(self.pieces)
        listed: list[str] = []
        self._walk(message, depth, part or MESSAGE, listed)
        if listed:
            more = [f"{len(listed) - _MOST_LISTED:,} more"] if len(listed) > _MOST_LISTED else []
            lines.append(f"Attachments: {', '.join([*listed[:_MOST_LISTED], *more])}")
        if lines:
            title = one_line(subject, self._limits.title_code_points)
            outline = (Heading(title, 1, 0),) if titled and title else ()
            self.pieces.insert(place, _Piece("\n".join(lines), part or MESSAGE, outline))

    def _walk(
        self, entity: Entity, depth: int, part: str, listed: list[str], *, silent: bool = False
    ) -> None:
        """Write what is visible of a part; with `silent`, of another form of what is written, attachments only."""
        self._parts += 1
        if depth > _DEEPEST or self._parts > _MOST_PARTS:
            self._faults.append("parts were left out: there are too many, or too many inside one another")
            return
        kind = entity.kind
        if kind in _SEALED:
            self.sealed = True
            self._faults.append("an encrypted part was left out")
        elif kind == "multipart/alternative":
            parts = list(entity.parts())
            chosen = self._chosen(parts)
            for one in parts:
                self._walk(one, depth + 1, part, listed, silent=silent or one is not chosen)
            self._parted(entity, parts, part, silent=silent)
        elif kind.startswith("multipart/"):
            parts = list(entity.parts())
            for one in parts:
                self._walk(one, depth + 1, part, listed, silent=silent)
            self._parted(entity, parts, part, silent=silent)
        elif kind == "message/rfc822":
            inner = Entity(entity.data())
            called = inner.header("subject") or entity.file_name or "attached message"
            listed.append(called)
            self.message(inner, depth + 1, part=one_line(called, self._limits.title_code_points), titled=True)
        elif kind not in _SIGNATURES:
            self._leaf(entity, part, listed, silent=silent)

    def _parted(self, entity: Entity, parts: list[Entity], part: str, *, silent: bool) -> None:
        """Write the body of what is said to have parts and has none as it was sent."""
        if not parts and not silent and entity.body.strip():
            self._faults.append("the parts of a message cannot be told apart: it stands as it was sent")
            self._read(entity, part, titled=False)

    def _chosen(self, parts: list[Entity]) -> Entity | None:
        """Return the form of a message that is read: plain text where it says something, else the last."""
        for one in parts:
            if one.kind == "text/plain":
                with suppress(ReadingError):
                    if any(char.isalnum() for char in one.text(self._name)):
                        return one
        rich = [one for one in parts if one.kind.startswith(("text/html", "multipart/"))]
        other = [one for one in parts if one.kind.startswith("text/") and one.kind not in _DATA]
        readable = rich or other or parts
        return readable[-1] if readable else None

    def _leaf(self, entity: Entity, part: str, listed: list[str], *, silent: bool) -> None:
        file_name = one_line(entity.file_name, self._limits.title_code_points)
        is_text = entity.kind.startswith("text/") and entity.kind not in _DATA
        attached = entity.is_attachment or not is_text
        # A picture inside of the text has no name that a reader sees.
        if attached and not (entity.kind.startswith("image/") and not entity.is_attachment):
            called = file_name or f"a part of type {one_line(entity.kind, 60)}"
            listed.append(called)
            if not is_text and not entity.kind.startswith("image/"):
                self._unread.append(called)
        if not is_text or (silent and not entity.is_attachment):
            return
        # A text that is attached is a section of its own, so that no passage runs from one part into another.
        own = file_name if entity.is_attachment else ""
        self._read(entity, own or part, titled=own != "")

    def _read(self, entity: Entity, part: str, *, titled: bool) -> None:
        """Write the text of a part; one that cannot be read loses no other.

        Raises:
            TooLargeError: all that was read is longer than is allowed.
        """
        try:
            piece = self._piece(entity, part, titled=titled)
        except EmptyError:
            return
        except (ReadingError, MemoryError, RecursionError):
            self._faults.append(f"{part} could not be read")
            return
        if piece.text.strip():
            self.said = True
            self._length += len(piece.text)
            if self._length > self._limits.document_code_points:
                raise too_large_text(self._name, self._limits)
            self.pieces.append(piece)

    def _piece(self, entity: Entity, part: str, *, titled: bool) -> _Piece:
        if entity.kind == "text/html":
            page = _html(entity, self._name, self._limits)
            piece = _Piece(page.text, part, page.outline)
            titled = titled and not page.outline
            self._faults += [flag.reason for flag in page.flags]
        else:
            text = entity.text(self._name)
            piece = _Piece((_FLOWED.sub(" ", text) if entity.is_flowed else text).strip("\n"), part)
        return piece._replace(outline=(Heading(part, 1, 0),)) if titled else piece


def _put_together(pieces: list[_Piece]) -> tuple[str, list[Heading], list[Region]]:
    """Return one text, with the headings and the places of its pieces."""
    parts: list[str] = []
    outline: list[Heading] = []
    regions: list[Region] = []
    length = 0
    for text, part, headings in pieces:
        if parts:
            parts.append("\n\n")
            length += 2
        outline += [replace(heading, start=length + heading.start) for heading in headings]
        regions.append(Region(length, length + len(text), Locator(part=part)))
        parts.append(text)
        length += len(text)
    return "".join(parts), outline, regions


def _bibliography(message: Entity) -> Bibliography:
    """Return who wrote a message and when."""
    terms: dict[str, list[str]] = {}
    names = [called or address for called, address in message.addresses("from")]
    if named := [name for name in names if name]:
        terms["citation_author"] = named
    with suppress(ValueError, TypeError, IndexError, OverflowError):
        terms["date"] = [parsedate_to_datetime(message.header("date")).date().isoformat()]
    return replace(bibliography_of(terms), type="personal_communication")
