"""Ids and the check, row by row of what was measured of a public implementation, each with the right behaviour.

A test is named after its row: what that implementation did is in the notes of the measurement, what is right is here.
"""

from __future__ import annotations

import uuid
from dataclasses import fields
from hashlib import sha256
from typing import Any

import pytest

from pincite.checking import CitationCheck, check_citations, check_citations_sync, fetch_evidence
from pincite.core.errors import InputError, MalformedIdError
from pincite.core.ids import (
    ChunkEvidenceId,
    SpanEvidenceId,
    chunk_id,
    parse_evidence_id,
    public_document_id,
    version_of,
)
from pincite.core.ledger import Fetched, Ledger
from pincite.core.memory import MemoryEvidenceStore
from pincite.core.protocols import EvidenceText
from pincite.core.scope import Scope
from pincite.core.verdicts import SourceState, TraceVerdict

KEY = "/notes.md"
DOCUMENT = public_document_id(KEY)
TEXT = "# Retention\n\nCustomer data is deleted within 10 business days. Backups are kept for one year."
VERSION, OTHER_VERSION = version_of(TEXT), version_of(f"{TEXT} ")
FIRST = str(ChunkEvidenceId(DOCUMENT, VERSION, chunk_id(DOCUMENT, TEXT[:62])))
SECOND = str(ChunkEvidenceId(DOCUMENT, VERSION, chunk_id(DOCUMENT, TEXT[63:])))
FIRST_PLACE, SECOND_PLACE = (
    SpanEvidenceId(DOCUMENT, VERSION, 0, 62),
    SpanEvidenceId(DOCUMENT, VERSION, 63, len(TEXT)),
)
SCOPE = Scope([DOCUMENT])


def span(start: int, end: int, version: str = VERSION) -> str:
    """Return the id of a span."""
    return str(SpanEvidenceId(DOCUMENT, version, start, end))


def ledger_with(*fetched: Fetched) -> Ledger:
    """Return a ledger of what was fetched whole."""
    ledger = Ledger()
    for one in fetched:
        ledger.record(one)
    return ledger


def one(cited: str, fetched: list[str] | Ledger, scope: Any = SCOPE) -> CitationCheck:
    """Check one id."""
    return check_citations_sync([cited], fetched, scope=scope)[0]


STORE = MemoryEvidenceStore(
    [
        EvidenceText(FIRST, DOCUMENT, VERSION, 0, 62, TEXT[:62]),
        EvidenceText(SECOND, DOCUMENT, VERSION, 63, len(TEXT), TEXT[63:]),
    ]
)

# -- 1. ids ---------------------------------------------------------------------------------------


def test_id_format_version_and_kind() -> None:
    """`ev1`, then `c` for a passage and `s` for a span."""
    assert FIRST.split(":")[:2] == ["ev1", "c"]
    assert span(0, 5).split(":")[:2] == ["ev1", "s"]


def test_id_document_is_uuid_v5_of_the_document_key_same_for_every_version() -> None:
    """Ids that the public implementation made are of the documents that our scopes name by key."""
    assert str(uuid.uuid5(uuid.NAMESPACE_OID, f"Document:{KEY}")) == DOCUMENT
    for version in (VERSION, OTHER_VERSION):
        assert parse_evidence_id(span(0, 5, version)).document_id == DOCUMENT
        assert one(span(0, 5, version), [span(0, 5, version)], {KEY}).verdict is TraceVerdict.VALID


def test_id_version_is_16_hex_of_sha256_of_the_normalised_text() -> None:
    """Offsets and hash are of the same normal form, whatever line ends the file has."""
    assert sha256(TEXT.encode()).hexdigest()[:16] == VERSION
    assert version_of(TEXT.replace("\n", "\r\n")) == VERSION


def test_id_place_is_offsets_end_exclusive_or_a_uuid() -> None:
    """A span's place are two numbers, a passage's is its id."""
    parsed = parse_evidence_id(span(0, 12))
    assert isinstance(parsed, SpanEvidenceId)
    assert TEXT[parsed.start : parsed.end] == "# Retention\n"
    assert isinstance(parse_evidence_id(FIRST), ChunkEvidenceId)


def test_id_length() -> None:
    """A passage's id has 96 characters always, a span's about 71."""
    assert len(FIRST) == len(SECOND) == 96
    assert len(span(12_345, 12_999)) == 71


def test_a_one_character_slip_has_a_near_match_hint() -> None:
    """It stays what it is, and the id that was meant stands beside it."""
    slip = FIRST[:-1] + ("0" if FIRST[-1] != "0" else "1")
    check = one(slip, [FIRST])
    assert (check.verdict, check.suggestion) == (TraceVerdict.NOT_FETCHED, FIRST)
    check = one(FIRST[:-1], [FIRST])
    assert (check.verdict, check.suggestion) == (TraceVerdict.MALFORMED, FIRST)
    check = one(FIRST.replace(DOCUMENT, f"{DOCUMENT[:-1]}{'0' if DOCUMENT[-1] != '0' else '1'}"), [FIRST])
    assert (check.verdict, check.suggestion) == (TraceVerdict.UNAVAILABLE, FIRST)


def test_an_edit_elsewhere_does_not_change_the_passage() -> None:
    """The document's version is another, the passage's own id is the same: an old citation can be re-anchored."""
    edited = f"{TEXT} And that is all."
    old, new = (
        ChunkEvidenceId(DOCUMENT, version_of(text), chunk_id(DOCUMENT, text[:62])) for text in (TEXT, edited)
    )
    assert old.version != new.version
    assert old.chunk_id == new.chunk_id


def test_a_chunk_under_a_heading_lets_spans_resolve() -> None:
    """The heading line is a part of the text and of its place, so containment applies to structured documents."""
    ledger = ledger_with(Fetched(FIRST, FIRST_PLACE, TEXT[:62]))
    check = one(span(13, 26), ledger)
    assert (check.verdict, check.covered_by) == (TraceVerdict.VALID, span(0, 62))


@pytest.mark.parametrize(
    "text",
    [
        FIRST.upper(),
        f" {FIRST}",
        f"{FIRST} ",
        f"{FIRST}\n",
        f"ev1:s:{DOCUMENT}:{VERSION}:01-5",
        f"ev1:s:{DOCUMENT}:{VERSION}:5-5",
        f"ev1:s:{DOCUMENT}:{VERSION}:9-5",
        f"ev1:s:{DOCUMENT}:{VERSION}:1-1234567890123",
        f"ev1:s:{DOCUMENT}:{VERSION}:\u0661-\u0665",
        FIRST.replace("ev1", "ev2"),
        "",
    ],
)
def test_rejected_as_malformed(text: str) -> None:
    """Upper case, white space, leading zeros, empty or reversed ranges, odd digits, another format, nothing.

    What is wrong is said in one sentence, without a word of how it was found out.
    """
    check = one(text, [FIRST])
    assert check.verdict is TraceVerdict.MALFORMED
    assert check.reason.endswith(".")
    assert "\n" not in check.reason
    assert "http" not in check.reason
    with pytest.raises(MalformedIdError):
        parse_evidence_id(text)


async def test_two_texts_that_share_a_version_prefix() -> None:
    """Passages are read by their own ids, and spans are read out of what is there: nothing is unavailable for it."""
    store = MemoryEvidenceStore(
        [
            EvidenceText(FIRST, DOCUMENT, VERSION, 0, 62, TEXT[:62]),
            EvidenceText(SECOND, DOCUMENT, VERSION, 0, 30, "Another text of the same hash."),
        ]
    )
    outcomes = await fetch_evidence(store, [FIRST, SECOND, span(0, 5)], scope=SCOPE)
    assert [outcome.status.value for outcome in outcomes] == ["ok", "ok", "ok"]
    assert [outcome.text for outcome in outcomes[:2]] == [TEXT[:62], "Another text of the same hash."]


# -- 2. the check: rules in their order -----------------------------------------------------------


def test_rule_1_does_not_decode() -> None:
    """Malformed, even when it stands among the fetched."""
    assert one("ev1:c:oops", ["ev1:c:oops"]).verdict is TraceVerdict.MALFORMED


def test_rule_2_document_not_in_scope_even_if_fetched() -> None:
    """Unavailable, by list and by ledger."""
    for fetched in ([FIRST], ledger_with(Fetched(FIRST))):
        assert one(FIRST, fetched, {"/elsewhere.md"}).verdict is TraceVerdict.UNAVAILABLE


def test_rule_3_exact_string_among_fetched_ids() -> None:
    """Valid, covered by itself."""
    for fetched in ([FIRST], ledger_with(Fetched(FIRST))):
        check = one(FIRST, fetched)
        assert (check.verdict, check.covered_by) == (TraceVerdict.VALID, FIRST)


def test_rule_4_span_inside_one_fetched_span() -> None:
    """Valid, covered by that span."""
    check = one(span(20, 30), [span(10, 40)])
    assert (check.verdict, check.covered_by) == (TraceVerdict.VALID, span(10, 40))


def test_rule_5_anything_else() -> None:
    """Not fetched."""
    check = one(SECOND, [FIRST])
    assert (check.verdict, check.covered_by) == (TraceVerdict.NOT_FETCHED, None)


# -- 2. the check: cases --------------------------------------------------------------------------


def test_span_one_character_wider_than_the_fetched_span() -> None:
    """Not fetched, at either end."""
    for wider in (span(9, 40), span(10, 41)):
        assert one(wider, [span(10, 40)]).verdict is TraceVerdict.NOT_FETCHED


def test_span_covered_by_two_adjacent_fetched_spans_together() -> None:
    """Valid: everything it names was received; a gap of one character makes it not fetched."""
    check = one(span(10, 50), [span(0, 30), span(30, 60)])
    assert (check.verdict, check.covered_by) == (TraceVerdict.VALID, span(0, 60))
    assert one(span(10, 50), [span(0, 30), span(31, 60)]).verdict is TraceVerdict.NOT_FETCHED


def test_span_inside_a_fetched_chunk() -> None:
    """Valid where the ledger knows the place of the passage; plain ids cannot tell."""
    ledger = ledger_with(Fetched(FIRST, FIRST_PLACE, TEXT[:62]))
    assert one(span(13, 26), ledger).verdict is TraceVerdict.VALID
    assert one(span(13, 26), [FIRST]).verdict is TraceVerdict.NOT_FETCHED


async def test_chunk_whose_text_lies_inside_a_fetched_span() -> None:
    """Valid where its place is known: from a fetch that was cut, or from the store. Plain ids follow the page."""
    ledger = ledger_with(Fetched(span(0, 70)))
    assert one(FIRST, ledger).verdict is TraceVerdict.NOT_FETCHED
    check = (await check_citations([FIRST], ledger, scope=SCOPE, store=STORE))[0]
    assert (check.verdict, check.covered_by) == (TraceVerdict.VALID, span(0, 70))
    await fetch_evidence(STORE, [FIRST], scope=SCOPE, max_chars=5, ledger=ledger)
    assert one(FIRST, ledger).verdict is TraceVerdict.VALID
    assert (await check_citations([FIRST], [span(0, 70)], scope=SCOPE, store=STORE))[0].verdict is (
        TraceVerdict.NOT_FETCHED
    )


def test_same_offsets_other_version() -> None:
    """Not fetched."""
    assert one(span(10, 20, OTHER_VERSION), [span(10, 20)]).verdict is TraceVerdict.NOT_FETCHED


def test_one_character_sub_span_in_mid_word() -> None:
    """Not fetched: a span has to hold a word, where the words are known."""
    ledger = ledger_with(Fetched(FIRST, FIRST_PLACE, TEXT[:62]))
    assert TEXT[15:16] == "s"
    assert one(span(15, 16), ledger).verdict is TraceVerdict.NOT_FETCHED
    assert one(span(15, 16), ledger).reason == "The span holds no whole word of what was fetched."
    assert one(span(13, 21), ledger).verdict is TraceVerdict.VALID


async def test_superseded_version_that_was_fetched() -> None:
    """Valid, and the check says that the version is an old one: by the ledger, and by the store as it is now."""
    ledger = ledger_with(Fetched(FIRST, FIRST_PLACE, state=SourceState.SUPERSEDED))
    check = one(FIRST, ledger)
    assert (check.verdict, check.source_state) == (TraceVerdict.VALID, SourceState.SUPERSEDED)
    ledger = ledger_with(Fetched(FIRST, FIRST_PLACE, state=SourceState.CURRENT))
    replaced = EvidenceText(FIRST, DOCUMENT, VERSION, 0, 62, TEXT[:62], state=SourceState.SUPERSEDED)
    check = (await check_citations([FIRST], ledger, scope=SCOPE, store=MemoryEvidenceStore([replaced])))[0]
    assert (check.verdict, check.source_state) == (TraceVerdict.VALID, SourceState.SUPERSEDED)


async def test_document_purged_after_the_fetch() -> None:
    """Still valid, for it was fetched; a look says that it was removed, and a re-fetch that it is unavailable."""
    ledger, empty = Ledger(), MemoryEvidenceStore()
    await fetch_evidence(STORE, [FIRST], scope=SCOPE, ledger=ledger)
    check = (await check_citations([FIRST], ledger, scope=SCOPE, store=empty))[0]
    assert (check.verdict, check.source_state) == (TraceVerdict.VALID, SourceState.REMOVED)
    (outcome,) = await fetch_evidence(empty, [FIRST], scope=SCOPE, ledger=ledger)
    assert outcome.status.value == "unavailable"
    assert FIRST in ledger


def test_empty_scope() -> None:
    """Everything is unavailable."""
    assert one(FIRST, [FIRST], ()).verdict is TraceVerdict.UNAVAILABLE


def test_duplicates() -> None:
    """One check each, order kept."""
    checks = check_citations_sync([SECOND, FIRST, SECOND], [FIRST], scope=SCOPE)
    assert [check.cited_id for check in checks] == [SECOND, FIRST, SECOND]
    assert [check.verdict.value for check in checks] == ["not_fetched", "valid", "not_fetched"]


@pytest.mark.parametrize("given", [FIRST, FIRST.encode()])
async def test_a_plain_str_for_the_list(given: Any) -> None:
    """A typed error: it is not checked character by character."""
    cases: list[tuple[Any, Any, str]] = [(given, [], "evidence_ids"), ([], given, "fetched")]
    for ids, fetched, field in cases:
        with pytest.raises(InputError, match=f"`{field}` is a list of evidence ids") as caught:
            await check_citations(ids, fetched, scope=SCOPE)
        assert caught.value.field == field


async def test_none_in_either_list() -> None:
    """A typed error with a plain sentence, for None in place of a list and for None in one."""
    cases: list[tuple[Any, Any]] = [(None, []), ([], None), ([None], []), ([], [None])]
    for ids, fetched in cases:
        with pytest.raises(InputError, match="not None"):
            await check_citations(ids, fetched, scope=SCOPE)


def test_malformed_entry_in_fetched_ids() -> None:
    """Ignored: it names nothing."""
    assert one(FIRST, ["oops", "ev1:s:", FIRST]).verdict is TraceVerdict.VALID


def test_a_check_says_why_and_what_covers_it() -> None:
    """Verdict, reason, covering id, version state, suggestion."""
    assert [field.name for field in fields(CitationCheck)] == [
        "cited_id",
        "verdict",
        "reason",
        "covered_by",
        "source_state",
        "suggestion",
    ]


async def test_an_id_from_a_partial_or_truncated_fetch_is_not_citable() -> None:
    """The ledger keeps what was received and knows the difference; what was received is citable by its place."""
    ledger = Ledger()
    await fetch_evidence(STORE, [FIRST, span(70, 500)], scope=SCOPE, max_chars=30, ledger=ledger)
    checks = check_citations_sync([FIRST, span(70, 500), span(0, 30), span(70, 93)], ledger, scope=SCOPE)
    assert [check.verdict.value for check in checks] == ["not_fetched", "not_fetched", "valid", "valid"]
    assert checks[0].reason == "Only a part of this was fetched; fetch the rest of it."


def test_valid_means_fetched_and_no_more() -> None:
    """No quote, claim or wording is compared: the same id is valid whatever the answer says of it."""
    check = one(FIRST, ledger_with(Fetched(FIRST, FIRST_PLACE, TEXT[:62])))
    assert (check.verdict, check.reason) == (TraceVerdict.VALID, "This id was fetched.")
