"""Document, passage and evidence ids: validated strings, made by pure functions.

The forms are those of the check's page: `ev1:c:<document>:<version>:<chunk>` and
`ev1:s:<document>:<version>:<start>-<end>`, canonical, lower case, ASCII digits.
"""

from __future__ import annotations

import re
from binascii import unhexlify
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from pincite._quick import maker
from pincite.core.errors import MalformedIdError
from pincite.core.text import normalise

if TYPE_CHECKING:
    from collections.abc import Callable

# All runs are possessive: none could be shorter, and the matcher need not remember where they end.
_UUID = r"[0-9a-f]{8}+-[0-9a-f]{4}+-[0-9a-f]{4}+-[0-9a-f]{4}+-[0-9a-f]{12}+"
# A canonical UUID, whole string: linear, fixed width.
_UUID_ONLY = re.compile(_UUID)
# The range of a span, and its id, whole: fixed widths and two bounded runs, so linear.
_OFFSETS = r"([1-9][0-9]{0,11}+|0)-([1-9][0-9]{0,11}+)"
_RANGE = re.compile(_OFFSETS)
_SPAN = re.compile(rf"ev1:s:({_UUID}):([0-9a-f]{{16}}+):{_OFFSETS}")
# The id of a passage has a fixed width, so its form is told by putting a zero in place of each hex digit and comparing:
# for 80 digits that take any value, a regular expression takes far longer. Nothing but a hex digit becomes a zero.
_TO_FORM = bytes(ord("0") if chr(byte) in "0123456789abcdef" else byte for byte in range(256))
_UUID_FORM = b"00000000-0000-0000-0000-000000000000"
_CHUNK_FORM = b"0v0:0:" + _UUID_FORM + b":" + b"0" * 16 + b":" + _UUID_FORM
_CHUNK_LENGTH = len(_CHUNK_FORM)
HEAD = 60
"""How many characters say the kind, the document and the version, in an evidence id of either kind."""
# Where document, version and passage stand in it, and what follows the kind in its head.
_DOCUMENT, _VERSION, _PASSAGE, _AFTER_KIND = slice(6, 42), slice(43, 59), slice(HEAD, 96), slice(6, HEAD)


@dataclass(frozen=True, slots=True)
class ChunkEvidenceId:
    """Names one stored passage of one version of one document."""

    document_id: str
    version: str
    chunk_id: str

    def __str__(self) -> str:
        return f"ev1:c:{self.document_id}:{self.version}:{self.chunk_id}"


@dataclass(frozen=True, slots=True)
class SpanEvidenceId:
    """Names the code points `start` to `end` (exclusive) of one version's text."""

    document_id: str
    version: str
    start: int
    end: int

    def __str__(self) -> str:
        return f"ev1:s:{self.document_id}:{self.version}:{self.start}-{self.end}"


EvidenceId = ChunkEvidenceId | SpanEvidenceId
"""The exact name of a passage, or of a stretch of a document's text."""

_chunk_evidence_id, _span_evidence_id = maker(ChunkEvidenceId), maker(SpanEvidenceId)


def parse_evidence_id(text: str) -> EvidenceId:
    """Decode an evidence id in its one canonical form.

    Raises:
        MalformedIdError: `text` is anything else; the message says what is wrong with it.
    """
    if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
        msg = f"An evidence id is text, not {'None' if text is None else type(text).__name__}."
        raise MalformedIdError(msg, field="evidence_id")
    if len(text) == _CHUNK_LENGTH:  # the id of no span is as long
        if _is_chunk(text):
            return _chunk_evidence_id(text[_DOCUMENT], text[_VERSION], text[_PASSAGE])
    elif (span := _SPAN.fullmatch(text)) is not None:
        document, version, start, end = span.groups()
        first, last = int(start), int(end)
        if first < last:
            return _span_evidence_id(document, version, first, last)
    raise MalformedIdError(why_malformed(text), field="evidence_id")


def _is_chunk(text: str) -> bool:
    return (
        len(text) == _CHUNK_LENGTH
        and text.startswith("ev1:c:")
        and text.isascii()
        and text.encode().translate(_TO_FORM) == _CHUNK_FORM
    )


def decodes(text: str) -> bool:
    """Say whether `parse_evidence_id` would decode `text`, for less than decoding it."""
    return head_decodes(text[:HEAD]) and tail_decodes(text)


def head_decodes(head: str) -> bool:
    """Say whether `head` may be the first `HEAD` characters of an evidence id."""
    return (
        head.startswith(("ev1:c:", "ev1:s:"))
        and head.isascii()
        and head.encode().translate(_TO_FORM)[_AFTER_KIND] == _CHUNK_FORM[_AFTER_KIND]
    )


def tail_decodes(text: str) -> bool:
    """Say whether what stands behind the head of `text`, which is one, is a passage's id or a span's range."""
    if text[4] == "s":
        span = _RANGE.fullmatch(text, HEAD)
        if span is None:
            return False
        start, end = span.groups()
        # Digits without leading zeros compare like the numbers that they write.
        return start < end if len(start) == len(end) else len(start) < len(end)
    tail = text[HEAD:]
    return tail.isascii() and tail.encode().translate(_TO_FORM) == _UUID_FORM


def offsets_in(text: str) -> tuple[int, int] | None:
    """Return the range behind the head of `text`, which is that of a span; None when there is none."""
    span = _RANGE.fullmatch(text, HEAD)
    if span is None:
        return None
    start, end = span.groups()
    first, last = int(start), int(end)
    return (first, last) if first < last else None


def is_evidence_id(text: str) -> bool:
    """Say whether `text` has the form of an evidence id; the range of a span is not looked at."""
    return _is_chunk(text) or _SPAN.fullmatch(text) is not None


# What can be wrong with an id as a whole, tried in order.
_FAULTS: tuple[tuple[Callable[[str], bool], str], ...] = (
    (lambda text: not text.strip(), "The id is empty."),
    (lambda text: text != text.strip(), "The id has white space around it."),
    (lambda text: not text.startswith("ev"), "An evidence id begins with `ev1:`."),
    (lambda text: not text.startswith("ev1:"), "Only the format `ev1` is known."),
    (
        lambda text: not text.startswith(("ev1:c:", "ev1:s:")),
        "After `ev1:` stands `c:` for a passage or `s:` for a span.",
    ),
    (lambda text: any("A" <= char <= "Z" for char in text), "An evidence id is written in lower case."),
)
# The place of a span as anyone might write it: linear, two runs of digits.
_ANY_RANGE = re.compile(r"[0-9]+-[0-9]+")


def why_malformed(text: str) -> str:
    """Say in one sentence why `text` is not an evidence id."""
    span = _SPAN.fullmatch(text)
    if span is not None:
        return f"The range {span[3]}-{span[4]} is empty or runs backwards."
    for is_at_fault, reason in _FAULTS:
        if is_at_fault(text):
            return reason
    parts = text.split(":")
    wanted = 5
    if len(parts) != wanted:
        return f"An evidence id has five parts between colons, this has {len(parts)}."
    _, kind, document, version, place = parts
    if not _UUID_ONLY.fullmatch(document):
        return "The third part is not a document id."
    if not re.fullmatch(r"[0-9a-f]{16}", version):
        return "The fourth part is not a version of 16 hex digits."
    if kind == "c":
        return "The fifth part is not a passage id."
    if _ANY_RANGE.fullmatch(place):
        return "A range is `start-end` without leading zeros, start before end, 12 digits at most."
    return "The fifth part is not a range `start-end`."


def check_uuid(text: str, what: str) -> str:
    """Return `text` when it is a canonical UUID.

    Raises:
        MalformedIdError: it is not.
    """
    if _UUID_ONLY.fullmatch(text) is None:
        msg = f"{what} must be a UUID in lower case, not {text[:60]!r}."
        raise MalformedIdError(msg, field=what)
    return text


def is_uuid(text: str) -> bool:
    """Say whether `text` is a canonical UUID."""
    return _UUID_ONLY.fullmatch(text) is not None


# The variant of RFC 9562 in a hex digit: its two high bits are 10.
_VARIANT = {digit: f"{int(digit, 16) & 3 | 8:x}" for digit in "0123456789abcdef"}
_UUID_BYTES = 16


@cache
def _sha1() -> Callable[..., Any]:
    # What `uuid` and `hashlib` load takes a tenth of the base import, and who only checks ids needs neither.
    from hashlib import sha1

    return sha1


def _bytes_of(namespace: str) -> bytes:
    try:
        salt = unhexlify(namespace.replace("-", ""))
    except ValueError:
        salt = b""
    if len(salt) != _UUID_BYTES:
        msg = f"{namespace[:60]!r} is no UUID."
        raise MalformedIdError(msg, field="id")
    return salt


# The namespaces that RFC 9562 gives for object identifiers and for addresses.
_OID = _bytes_of("6ba7b812-9dad-11d1-80b4-00c04fd430c8")
_URL = _bytes_of("6ba7b811-9dad-11d1-80b4-00c04fd430c8")


def _uuid5(namespace: bytes, name: str) -> str:
    # The digest is taken as it is: `uuid.uuid5` makes numbers of it, and takes three times as long. A name may come
    # from anywhere; a lone surrogate in it has no bytes.
    salted = namespace + name.encode("utf-8", "replace")
    digest = _sha1()(salted, usedforsecurity=False).hexdigest()
    return (
        f"{digest[:8]}-{digest[8:12]}-5{digest[13:16]}-{_VARIANT[digest[16]]}{digest[17:20]}-{digest[20:32]}"
    )


def document_id(collection: str, key: str) -> str:
    """Return the id of the document with source key `key` in `collection` (a UUID): UUID v5 of both."""
    return _uuid5(_bytes_of(check_uuid(collection, "collection")), normalise(key))


def public_document_id(key: str) -> str:
    """Return the id that public implementations give a document key: UUID v5 of `Document:<key>`, OID namespace."""
    return _uuid5(_OID, f"Document:{key}")


def chunk_id(document: str, text: str, occurrence: int = 0) -> str:
    """Return the id of the passage `text`, the `occurrence`-th (from 0) of that text in `document`.

    It does not hold the version: a passage that an edit did not touch keeps its id.
    """
    return _uuid5(_bytes_of(document), f"{occurrence}:{text}")


def foreign_id(text: str) -> str:
    """Return a UUID for a passage that came from elsewhere under the name `text`."""
    return _uuid5(_URL, text)


def version_of(text: str) -> str:
    """Return the version of a document: the first 16 hex digits of SHA-256 of its normalised text."""
    return version_of_normal(normalise(text))


def version_of_normal(text: str) -> str:
    """Return the version of a document whose text is in the form of `normalise` already."""
    return _sha256()(text.encode()).hexdigest()[:16]


@cache
def _sha256() -> Callable[..., Any]:
    from hashlib import sha256

    return sha256


def chunk_evidence_id(document: str, version: str, chunk: str) -> str:
    """Return the evidence id of a passage as a string, from parts that are known to be canonical."""
    return f"ev1:c:{document}:{version}:{chunk}"
