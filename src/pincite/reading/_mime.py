"""MIME: a message or a saved page cut into its parts, each with its headers, in one pass a level.

What is cut is hostile: heads and headers are bounded, and only single values go to the standard library.
"""

from __future__ import annotations

import binascii
import re
from contextlib import suppress
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.utils import collapse_rfc2231_value, getaddresses
from typing import TYPE_CHECKING

from pincite.core.text import normalise, one_line
from pincite.reading._decoding import decode

if TYPE_CHECKING:
    from collections.abc import Iterator

# Where the headers of a part end: the first blank line. Bounded runs.
_HEAD_END = re.compile(rb"\A\r?\n|\n[ \t]{0,9}\r?\n|\r\r")
# What may follow the boundary in its line: two dashes that end the last part, white space. Bounded runs.
_AFTER = rb"(--)?[ \t]{0,99}\r?(?:\n|\Z)"
# The alphabet of base64: one class.
_NO_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")
_HEAD_BYTES = 256 * 1024
"""Bytes of one head that are looked at."""
LONGEST_HEADER = 4_000
"""Code points of one header that are looked at: what takes its parts apart may take the square of it."""
_ODD = (ValueError, LookupError, TypeError, AttributeError, HeaderParseError)
"""What the standard library raises for headers that are none."""


class Entity:
    """A message or a part of one: `kind` is its media type in lower case, `body` its content as it was sent."""

    def __init__(self, data: bytes, *, kind: str = "text/plain") -> None:
        end = _HEAD_END.search(data, 0, _HEAD_BYTES)
        head, self.body = (
            (data[: end.start()], data[end.end() :]) if end is not None else (data[:_HEAD_BYTES], b"")
        )
        self._headers: dict[str, str] = {}
        last = ""
        for line in head.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n"):
            name, colon, value = line.partition(b":")
            if line[:1] in (b" ", b"\t"):
                if last and len(self._headers[last]) < LONGEST_HEADER:
                    self._headers[last] += "\n" + _text(line)
            else:
                last = name.strip().lower().decode("ascii", "replace")
                # Of two headers of one name, programs show the first.
                last = "" if not colon or last in self._headers else last
                if last:
                    self._headers[last] = _text(value.strip())[:LONGEST_HEADER]
        self._type = self._params("content-type")
        self._disposition = self._params("content-disposition")
        self.kind = self._type.get_content_type() if "content-type" in self._headers else kind

    def __contains__(self, name: str) -> bool:
        return name.lower() in self._headers

    def _params(self, name: str) -> Message:
        """Return the header `name` as the standard library takes it apart."""
        message = Message()
        message[name] = " ".join(self._headers.get(name, "")[:LONGEST_HEADER].split())
        return message

    def header(self, name: str) -> str:
        """Return a header as a reader sees it: decoded, on one line; empty where there is none."""
        return one_line(_decoded(self._headers.get(name.lower(), "")), LONGEST_HEADER)

    def raw(self, name: str) -> str:
        """Return a header as it was sent, with the line ends in it; empty where there is none."""
        return self._headers.get(name.lower(), "")

    def addresses(self, name: str) -> list[tuple[str, str]]:
        """Return the people of a header: what each is called, and their address."""
        # An encoded name may hold commas, so it is read after the list is taken apart.
        raw = self._headers.get(name.lower(), "").replace("\n", " ")
        listed: list[tuple[str, str]] = []
        with suppress(*_ODD, RecursionError):
            listed = getaddresses([raw])
        return [(one_line(_decoded(called), LONGEST_HEADER), address) for called, address in listed]

    def _param(self, message: Message, header: str, name: str) -> str:
        with suppress(*_ODD):
            value = message.get_param(name, "", header)
            return collapse_rfc2231_value(value)
        return ""

    @property
    def file_name(self) -> str:
        """The name that the part would have as a file; empty where it has none."""
        name = self._param(self._disposition, "content-disposition", "filename") or self._param(
            self._type, "content-type", "name"
        )
        return one_line(_decoded(name), LONGEST_HEADER).replace("\\", "/").rpartition("/")[2]

    @property
    def is_attachment(self) -> bool:
        """Whether the part stands beside the message, not in it."""
        return self._headers.get("content-disposition", "").lower().lstrip().startswith("attachment")

    @property
    def is_flowed(self) -> bool:
        """Whether lines that end in a space go on (RFC 3676)."""
        return self._param(self._type, "content-type", "format").lower() == "flowed"

    def data(self) -> bytes:
        """Return the content as it was before it was packed for the way."""
        encoding = self._headers.get("content-transfer-encoding", "").strip().lower()
        if encoding == "quoted-printable":
            return binascii.a2b_qp(self.body)
        if encoding == "base64":
            bare = _NO_BASE64.sub(b"", self.body)
            bare = bare[: len(bare) - (len(bare) % 4 == 1)]
            return binascii.a2b_base64(bare + b"=" * (-len(bare) % 4))
        return self.body

    def text(self, name: str) -> str:
        """Return the content as text.

        Raises:
            DamagedError: it holds binary data.
        """
        return decode(
            self.data(), name=name, declared=self._param(self._type, "content-type", "charset") or None
        )

    def parts(self) -> Iterator[Entity]:
        """Yield the parts of a `multipart`; what stands before the first and behind the last is none."""
        boundary = self._param(self._type, "content-type", "boundary").encode("utf-8", "surrogateescape")
        if not boundary:
            return
        kind = "message/rfc822" if self.kind == "multipart/digest" else "text/plain"
        start = -1
        for found in re.finditer(rb"^--" + re.escape(boundary) + _AFTER, self.body, re.MULTILINE):
            if start >= 0:
                # The line end in front of a boundary belongs to it.
                yield Entity(self.body[start : max(start, found.start() - 1)].removesuffix(b"\r"), kind=kind)
            start = found.end()
            if found[1]:
                return
        if 0 <= start < len(self.body):
            yield Entity(self.body[start:], kind=kind)


def _text(value: bytes) -> str:
    """Return a header's bytes as text: ASCII by the rule, else UTF-8 or Windows-1252."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("cp1252", "replace")


def _decoded(value: str) -> str:
    """Return a header with its encoded words (RFC 2047) read."""
    if "=?" not in value:
        return normalise(value)
    words: list[str] = []
    with suppress(*_ODD):
        for word, charset in decode_header(value.replace("\n", " ")):
            words.append(_in_charset(word, charset or "ascii") if isinstance(word, bytes) else word)
        return normalise("".join(words))
    return normalise(value)


def _in_charset(word: bytes, charset: str) -> str:
    with suppress(*_ODD):
        return word.decode(charset)
    return _text(word)
