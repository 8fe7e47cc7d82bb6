"""Ids are pure, canonical, and say what is wrong with them."""

from __future__ import annotations

import hashlib
import re
import uuid
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.errors import MalformedIdError
from pincite.core.ids import (
    ChunkEvidenceId,
    SpanEvidenceId,
    chunk_evidence_id,
    chunk_id,
    decodes,
    document_id,
    foreign_id,
    is_evidence_id,
    parse_evidence_id,
    public_document_id,
    version_of,
    version_of_normal,
)
from pincite.core.text import normalise

DOCUMENT = "f24b301d-f73a-5291-9d80-7ea3cbd5291c"
VERSION = "c174f9d9eba7d79c"
CHUNK = "efae06f9-f4e7-5a7a-af99-d7f5d7c4d6ef"
COLLECTION = "7b1a9e20-0000-4000-8000-000000000001"


def test_the_pages_own_id_decodes() -> None:
    """The id that the check's page prints is read part by part."""
    parsed = parse_evidence_id(f"ev1:c:{DOCUMENT}:{VERSION}:{CHUNK}")
    assert parsed == ChunkEvidenceId(DOCUMENT, VERSION, CHUNK)


def test_a_span_decodes() -> None:
    """A span's offsets are numbers, end exclusive."""
    parsed = parse_evidence_id(f"ev1:s:{DOCUMENT}:{VERSION}:0-12")
    assert parsed == SpanEvidenceId(DOCUMENT, VERSION, 0, 12)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "The id is empty."),
        (f" ev1:c:{DOCUMENT}:{VERSION}:{CHUNK}", "The id has white space around it."),
        (f"ev1:c:{DOCUMENT}:{VERSION}:{CHUNK}\n", "The id has white space around it."),
        ("deadbeef", "An evidence id begins with `ev1:`."),
        (f"ev2:c:{DOCUMENT}:{VERSION}:{CHUNK}", "Only the format `ev1` is known."),
        (f"ev1:x:{DOCUMENT}:{VERSION}:{CHUNK}", "After `ev1:` stands `c:` for a passage or `s:` for a span."),
        (f"ev1:c:{DOCUMENT.upper()}:{VERSION}:{CHUNK}", "An evidence id is written in lower case."),
        ("ev1:c:oops", "An evidence id has five parts between colons, this has 3."),
        (f"ev1:c:oops:{VERSION}:{CHUNK}", "The third part is not a document id."),
        (f"ev1:c:{DOCUMENT}:oops:{CHUNK}", "The fourth part is not a version of 16 hex digits."),
        (f"ev1:c:{DOCUMENT}:{VERSION}:oops", "The fifth part is not a passage id."),
        (f"ev1:s:{DOCUMENT}:{VERSION}:oops", "The fifth part is not a range `start-end`."),
        (f"ev1:s:{DOCUMENT}:{VERSION}:5-5", "The range 5-5 is empty or runs backwards."),
        (f"ev1:s:{DOCUMENT}:{VERSION}:9-5", "The range 9-5 is empty or runs backwards."),
        (
            f"ev1:s:{DOCUMENT}:{VERSION}:01-5",
            "A range is `start-end` without leading zeros, start before end, 12 digits at most.",
        ),
        (
            f"ev1:s:{DOCUMENT}:{VERSION}:1-1234567890123",
            "A range is `start-end` without leading zeros, start before end, 12 digits at most.",
        ),
        (f"ev1:s:{DOCUMENT}:{VERSION}:١-٥", "The fifth part is not a range `start-end`."),
    ],
)
def test_a_malformed_id_says_why(text: str, reason: str) -> None:
    """Each fault has its own sentence, and none leaks how the check is built."""
    with pytest.raises(MalformedIdError) as caught:
        parse_evidence_id(text)
    assert caught.value.message == reason


@given(st.uuids(), st.integers(0, 16**16 - 1), st.integers(0, 10**11), st.integers(1, 10**10))
def test_what_is_written_is_read_back(document: uuid.UUID, version: int, start: int, length: int) -> None:
    """Writing and reading an id are inverse."""
    span = SpanEvidenceId(str(document), f"{version:016x}", start, start + length)
    chunk = ChunkEvidenceId(str(document), f"{version:016x}", str(document))
    assert parse_evidence_id(str(span)) == span
    assert parse_evidence_id(str(chunk)) == chunk


@given(st.text(max_size=200))
def test_any_string_is_an_id_or_a_sentence(text: str) -> None:
    """No string raises anything but the typed error."""
    try:
        parsed = str(parse_evidence_id(text))
    except MalformedIdError as error:
        parsed = text if error.message.endswith(".") else ""
    assert parsed == text


def test_a_document_id_depends_on_collection_and_key_alone() -> None:
    """The same key in another collection is another document."""
    other = "7b1a9e20-0000-4000-8000-000000000002"
    first = document_id(COLLECTION, "upload://handbook.pdf")
    assert first == document_id(COLLECTION, "upload://handbook.pdf")
    assert first != document_id(other, "upload://handbook.pdf")
    assert first == str(uuid.uuid5(uuid.UUID(COLLECTION), "upload://handbook.pdf"))


def test_a_collection_is_a_uuid() -> None:
    """A collection's name in place of its id is a typed error."""
    with pytest.raises(MalformedIdError, match="collection must be a UUID"):
        document_id("handbook", "upload://handbook.pdf")


def test_public_ids_are_those_of_the_oid_namespace() -> None:
    """A key gets the id that public implementations give it."""
    expected = str(uuid.uuid5(uuid.NAMESPACE_OID, "Document:/notes.md"))
    assert public_document_id("/notes.md") == expected


def test_equal_passages_of_one_document_differ_by_occurrence() -> None:
    """The second time a text occurs in a document it is another passage."""
    assert chunk_id(DOCUMENT, "Same words.", 0) != chunk_id(DOCUMENT, "Same words.", 1)
    assert chunk_id(DOCUMENT, "Same words.") == chunk_id(DOCUMENT, "Same words.", 0)


def test_a_version_is_the_hash_of_the_normal_form() -> None:
    """Line ends and composition do not make a new version."""
    expected = hashlib.sha256("caf\u00e9\n".encode()).hexdigest()[:16]
    assert version_of("cafe\u0301\r\n") == expected


@given(st.uuids(), st.text(max_size=80), st.integers(0, 3))
def test_ids_are_those_of_the_standard_library(namespace: uuid.UUID, name: str, occurrence: int) -> None:
    """A name-based id is the UUID of version 5 that RFC 9562 gives, whatever the name; a lone surrogate is a `?`."""
    written = name.encode(errors="replace").decode()
    assert chunk_id(str(namespace), name, occurrence) == str(uuid.uuid5(namespace, f"{occurrence}:{written}"))
    assert foreign_id(name) == str(uuid.uuid5(uuid.NAMESPACE_URL, written))
    assert public_document_id(name) == str(uuid.uuid5(uuid.NAMESPACE_OID, f"Document:{written}"))


@pytest.mark.parametrize(
    "namespace", ["", "handbook", DOCUMENT[:-1], f"{DOCUMENT}0", f" {DOCUMENT} ", "é" * 32]
)
def test_a_passage_belongs_to_a_document_with_an_id(namespace: str) -> None:
    """Where a document's id is none, no passage gets one."""
    with pytest.raises(MalformedIdError, match="is no UUID"):
        chunk_id(namespace, "text")


@given(st.text(max_size=80))
def test_a_text_in_normal_form_has_the_version_of_any_form(text: str) -> None:
    """The quick way for what is normalised already gives the same."""
    assert version_of_normal(normalise(text)) == version_of(text)


@given(st.uuids(), st.uuids(), st.integers(0, 16**16 - 1))
def test_the_id_of_a_passage_is_written_alike_both_ways(
    document: uuid.UUID, chunk: uuid.UUID, version: int
) -> None:
    """As a string from its parts, and as the object's own."""
    parts = str(document), f"{version:016x}", str(chunk)
    assert chunk_evidence_id(*parts) == str(ChunkEvidenceId(*parts))
    assert is_evidence_id(chunk_evidence_id(*parts))
    assert not is_evidence_id(chunk_evidence_id(*parts).upper())


# The two forms as the check's page gives them, spelt out.
_UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_FORM = re.compile(
    f"ev1:(c:{_UUID}:[0-9a-f]{{16}}:{_UUID}|s:{_UUID}:[0-9a-f]{{16}}:(0|[1-9][0-9]{{0,11}})-[1-9][0-9]{{0,11}})"
)
_SLIPS = st.sampled_from([*"0h9afgA:-ev1cs \n\x00", "\u0661", "\uff10", "\ud800", "\u00e9"])


@given(
    st.sampled_from([f"ev1:c:{DOCUMENT}:{VERSION}:{CHUNK}", f"ev1:s:{DOCUMENT}:{VERSION}:0-120"]),
    st.lists(st.tuples(st.integers(0, 96), st.integers(0, 1), _SLIPS), max_size=3),
)
def test_what_decodes_has_one_of_the_two_forms(text: str, slips: list[tuple[int, int, str]]) -> None:
    """Whatever is put in place of a character, or between two, the forms alone decide."""
    for at, out, put in slips:
        text = text[:at] + put + text[at + out :]
    form = _FORM.fullmatch(text)
    forwards = form is not None and (text[4] == "c" or (n := text[60:].split("-"), int(n[0]) < int(n[1]))[1])
    assert is_evidence_id(text) == (form is not None)
    assert decodes(text) == forwards
    if forwards:
        assert str(parse_evidence_id(text)) == text
    else:
        with pytest.raises(MalformedIdError):
            parse_evidence_id(text)


@pytest.mark.parametrize("given", [None, 7, b"ev1:c:oops", ["ev1:c:oops"]])
def test_an_id_is_text(given: Any) -> None:
    """Anything else is the typed error, with a sentence."""
    with pytest.raises(MalformedIdError, match=r"^An evidence id is text, not \w+\.$"):
        parse_evidence_id(given)
