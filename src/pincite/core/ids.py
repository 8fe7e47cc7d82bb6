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

_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
# A canonical UUID, whole string: linear, fixed width.
_UUID_ONLY = re.compile(_UUID)
# An evidence id, whole string: fixed widths and one bounded choice, so linear.
_EVIDENCE = re.compile(
    rf"ev1:(?:c:({_UUID}):([0-9a-f]{{16}}):({_UUID})"
    rf"|s:({_UUID}):([0-9a-f]{{16}}):(0|[1-9][0-9]{{0,11}})-([1-9][0-9]{{0,11}}))"
)


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

_chunk_evidence_id, _span_evidence_id = maker(ChunkEvidenceId), maker(SpanEvidenceId)


def parse_evidence_id(text: str) -> EvidenceId:
    """Decode an evidence id in its one canonical form.

    Raises:
        MalformedIdError: `text` is anything else; the message says what is wrong with it.
    """
    match = _EVIDENCE.fullmatch(text)
    if match is None:
        raise MalformedIdError(why_malformed(text), field="evidence_id")
    chunk_document, chunk_version, chunk, document, version, start, end = match.groups()
    if chunk is not None:
        return _chunk_evidence_id(chunk_document, chunk_version, chunk)
    first, last = int(start), int(end)
    if first >= last:
        msg = f"The range {first}-{last} is empty or runs backwards."
        raise MalformedIdError(msg, field="evidence_id")
    return _span_evidence_id(document, version, first, last)


def is_evidence_id(text: str) -> bool:
    """Say whether `text` has the form of an evidence id; the range of a span is not looked at."""
    return _EVIDENCE.fullmatch(text) is not None


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
_RANGE = re.compile(r"[0-9]+-[0-9]+")


def why_malformed(text: str) -> str:
    """Say in one sentence why `text` is not an evidence id."""
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
    if _RANGE.fullmatch(place):
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
