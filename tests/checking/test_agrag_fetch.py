"""Fetching, row by row of what was measured of a public implementation, each with the right behaviour.

A test is named after its row: what that implementation did is in the notes of the measurement, what is right is here.
"""

from __future__ import annotations

from dataclasses import fields, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest

from pincite.checking import (
    FetchOutcome,
    FetchStatus,
    check_citations,
    check_citations_sync,
    fetch_evidence,
)
from pincite.core.document import Document
from pincite.core.errors import InputError
from pincite.core.ids import (
    ChunkEvidenceId,
    SpanEvidenceId,
    chunk_id,
    document_id,
    foreign_id,
    version_of,
)
from pincite.core.ledger import Ledger
from pincite.core.memory import MemoryEvidenceStore
from pincite.core.passage import Passage
from pincite.core.protocols import EvidenceText
from pincite.core.scope import Scope
from pincite.core.verdicts import SourceState
from pincite.library import Library, LibraryEvidence

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pincite.library import StoredDocument

DOCUMENT = foreign_id("notes")
OLD, NEW = "".join(f"Rule {n}: be kind. " for n in range(500)), "Everything has changed."
VERSION, CURRENT = version_of(OLD), version_of(NEW)
VERSION_OF_PART = version_of(OLD[:400])
SCOPE = Scope([DOCUMENT])


def chunk(name: str, version: str = VERSION) -> str:
    """Return the id of a passage."""
    return str(ChunkEvidenceId(DOCUMENT, version, foreign_id(name)))


def span(start: int, end: int, version: str = VERSION) -> str:
    """Return the id of a span."""
    return str(SpanEvidenceId(DOCUMENT, version, start, end))


def kept(name: str, start: int, end: int) -> EvidenceText:
    """Return a passage of the old version, which the new one has replaced."""
    state = SourceState.SUPERSEDED
    return EvidenceText(
        chunk(name), DOCUMENT, VERSION, start, end, OLD[start:end], title="Rules, second edition", state=state
    )


def _keep(
    library: Library, text: str, cuts: list[tuple[int, int]], *, title: str, reader: str = "lines/1"
) -> StoredDocument:
    """Keep a text under one source in a library, cut into these passages."""
    collection, key, version = library.collection("default"), "upload://rules.txt", version_of(text)
    document = Document(text=text, version=version, title=title, media_type="text/plain", reader=reader)
    name = document_id(collection.collection_id, key)
    passages = [
        Passage(chunk_id(name, text[start:end]), name, version, start, end, text[start:end])
        for start, end in cuts
    ]
    return library.keep(
        collection, document, passages, data=text.encode(), source_key=key, title=title, replace=True
    )


class Counted:
    """A store that counts how often it was read, and of how many ids."""

    def __init__(self, *texts: EvidenceText) -> None:
        self.store = MemoryEvidenceStore(texts)
        self.reads: list[int] = []

    async def read(self, ids: Sequence[str], scope: Scope) -> list[EvidenceText | None]:
        """Count and read."""
        self.reads.append(len(ids))
        return await self.store.read(ids, scope)


STORE = MemoryEvidenceStore(
    [
        kept("first", 0, 400),
        kept("second", 300, 900),
        kept("third", 1_000, 9_000),
        EvidenceText(chunk("new", CURRENT), DOCUMENT, CURRENT, 0, len(NEW), NEW, title="Rules"),
    ]
)


async def one(name: str, **how: Any) -> FetchOutcome:
    """Fetch one id."""
    (outcome,) = await fetch_evidence(STORE, [name], scope=SCOPE, **how)
    return outcome


async def test_status_ok_whole_range_or_chunk_returned() -> None:
    """Text, and citable."""
    for name, text in ((chunk("first"), OLD[:400]), (span(7, 20), OLD[7:20])):
        outcome = await one(name)
        assert (outcome.status, outcome.text) == (FetchStatus.OK, text)
        assert outcome.citation_markdown is not None


async def test_status_partial_part_of_the_span_not_covered_also_past_the_end() -> None:
    """The part that is there; the id is not citable, the part is."""
    for name, text in ((span(800, 1_000), OLD[800:900]), (span(8_990, 9_500), OLD[8_990:9_000])):
        ledger = Ledger()
        outcome = await one(name, ledger=ledger)
        assert (outcome.status, outcome.text) == (FetchStatus.PARTIAL, text)
        assert outcome.citation_markdown is None
        start = int(name.rpartition(":")[2].split("-")[0])
        part = span(start, start + len(text))
        verdicts = [check.verdict.value for check in check_citations_sync([name, part], ledger, scope=SCOPE)]
        assert verdicts == ["not_fetched", "valid"]


async def test_status_truncated_wins_over_partial() -> None:
    """Cut at the budget, it says where to read on."""
    outcome = await one(span(800, 1_000), max_chars=50)
    assert (outcome.status, outcome.text) == (FetchStatus.TRUNCATED, OLD[800:850])
    assert (outcome.next_offset, outcome.citation_markdown) == (50, None)


async def test_status_unavailable_out_of_scope_missing_wrong_hash_deleted_gap() -> None:
    """All alike, without a word that tells them apart."""
    asked = [chunk("nowhere"), chunk("first", "0" * 16), span(920, 990), span(0, 5, "0" * 16)]
    outcomes = await fetch_evidence(STORE, asked, scope=SCOPE)
    outcomes += await fetch_evidence(STORE, [chunk("first")], scope={"/elsewhere.md"})
    assert {(outcome.status, outcome.text, outcome.reason) for outcome in outcomes} == {
        (FetchStatus.UNAVAILABLE, "", "There is no such evidence among the documents in scope.")
    }


@pytest.mark.parametrize("name", ["", "oops", "ev1:c:oops", span(5, 5), span(9, 5)])
async def test_status_malformed_does_not_decode(name: str) -> None:
    """One sentence of ours says why, and nothing of any library."""
    outcome = await one(name)
    assert outcome.status is FetchStatus.MALFORMED
    assert outcome.reason.endswith(".")
    assert "\n" not in outcome.reason
    assert "http" not in outcome.reason
    assert "pydantic" not in outcome.reason.lower()


async def test_status_failed_store_raised() -> None:
    """A generic sentence; what the store said stays inside."""

    class Broken:
        async def read(self, ids: Sequence[str], scope: Scope) -> list[EvidenceText | None]:
            msg = f"postgres://user:secret@10.0.0.7/db: {ids} {len(scope)}"
            raise OSError(msg)

    (outcome,) = await fetch_evidence(Broken(), [chunk("first")], scope=SCOPE)
    assert outcome.status is FetchStatus.FAILED
    assert "secret" not in outcome.reason
    assert outcome.text == ""


def test_index_not_ready_is_no_status() -> None:
    """There is no status that is never given."""
    assert [status.value for status in FetchStatus] == [
        "ok",
        "partial",
        "truncated",
        "unavailable",
        "malformed",
        "failed",
    ]


async def test_status_of_version_current_or_superseded() -> None:
    """The state of the version that the id names, and an old one is said to be old where it is cited."""
    old, new = await one(chunk("first")), await one(chunk("new", CURRENT))
    assert (old.state, new.state) == (SourceState.SUPERSEDED, SourceState.CURRENT)
    assert old.citation_markdown == "Rules, second edition, superseded version"
    assert new.citation_markdown == "Rules"


async def test_an_old_passage_of_a_retitled_document() -> None:
    """Words, hash and place are the old version's, and it is said to be old; the title and address are today's.

    A reader looks for the document under the name that it has now.
    """
    asked = [chunk("first"), span(7, 20)]
    before = await fetch_evidence(STORE, asked, scope=SCOPE)
    retitled = [replace(kept("first", 0, 400), title="Rules for all", source_uri="https://example.org/rules")]
    after = await fetch_evidence(MemoryEvidenceStore(retitled), asked, scope=SCOPE)
    for old, new in zip(before, after, strict=True):
        assert replace(new, title=old.title, uri=old.uri) == old
        assert new.citation_markdown == "[Rules for all](<https://example.org/rules>), superseded version"


async def test_an_old_passage_of_a_retitled_document_in_a_library(tmp_path: Path) -> None:
    """The same, by the library's own records; another title alone makes no new version."""
    with Library.open(tmp_path / "home") as library:
        first = _keep(library, OLD[:400], [(0, 400)], title="Rules, first edition")
        same = _keep(library, OLD[:400], [(0, 400)], title="Rules, reprinted")
        assert (same.document_id, same.version) == (first.document_id, first.version)
        (passage,) = library.passages_of(first.document_id)
        store, scope = LibraryEvidence(library), Scope([first.document_id])
        (reprinted,) = await fetch_evidence(store, [passage.evidence_id], scope=scope)
        assert reprinted.citation_markdown == "Rules, reprinted"
        _keep(library, NEW, [(0, len(NEW))], title="Rules, second edition")
        (old,) = await fetch_evidence(store, [passage.evidence_id], scope=scope)
    assert (old.text, old.version, old.content_hash) == (OLD[:400], VERSION_OF_PART, reprinted.content_hash)
    assert old.citation_markdown == "Rules, second edition, superseded version"


async def test_a_version_with_two_sets_of_passages() -> None:
    """Passages of either set are read as they are, and a span reads each character once, whatever set has it."""
    store = MemoryEvidenceStore(
        [kept("a", 0, 300), kept("b", 300, 600), kept("c", 0, 450), kept("d", 430, 600), kept("e", 700, 800)]
    )
    asked = [chunk("b"), chunk("c"), span(250, 600), span(0, 600), span(550, 750)]
    outcomes = await fetch_evidence(store, asked, scope=SCOPE)
    assert [(outcome.status.value, outcome.text) for outcome in outcomes] == [
        ("ok", OLD[300:600]),
        ("ok", OLD[:450]),
        ("ok", OLD[250:600]),
        ("ok", OLD[:600]),
        ("partial", OLD[550:600]),
    ]
    ledger = Ledger()
    await fetch_evidence(store, [chunk("a"), chunk("b")], scope=SCOPE, ledger=ledger)
    checks = await check_citations([chunk("c"), chunk("e")], ledger, scope=SCOPE, store=store)
    assert [check.verdict.value for check in checks] == ["valid", "not_fetched"]


async def test_a_version_with_two_sets_of_passages_in_a_library(tmp_path: Path) -> None:
    """The set that another reading has replaced stays readable, and spans read the version's own text."""
    text = OLD[:900]
    with Library.open(tmp_path / "home") as library:
        stored = _keep(library, text, [(0, 400), (400, 900)], title="Rules", reader="lines/1")
        old = [passage.evidence_id for passage in library.passages_of(stored.document_id)]
        again = _keep(library, text, [(0, 600), (600, 900)], title="Rules", reader="lines/2")
        new = [passage.evidence_id for passage in library.passages_of(stored.document_id)]
        assert again.version == stored.version
        assert not set(old) & set(new)
        across = str(SpanEvidenceId(stored.document_id, stored.version, 350, 650))
        outcomes = await fetch_evidence(
            LibraryEvidence(library), [*old, *new, across], scope=[stored.document_id]
        )
    assert [(outcome.status.value, outcome.text) for outcome in outcomes] == [
        ("ok", text[:400]),
        ("ok", text[400:]),
        ("ok", text[:600]),
        ("ok", text[600:]),
        ("ok", text[350:650]),
    ]


async def test_default_cap_is_4000_characters_per_id() -> None:
    """Of each id, not of all together; another cap has to be a positive number."""
    outcomes = await fetch_evidence(STORE, [chunk("third"), chunk("third")], scope=SCOPE)
    assert [len(outcome.text) for outcome in outcomes] == [4_000, 4_000]
    for wrong in (0, -1):
        with pytest.raises(InputError):
            await one(chunk("third"), max_chars=wrong)


async def test_a_chunk_id_longer_than_the_cap_can_be_fetched_and_cited() -> None:
    """`offset` reads on, and the last piece makes the id citable."""
    ledger, name = Ledger(), chunk("third")
    texts: list[str] = []
    for offset in (0, 4_000):
        outcome = await one(name, offset=offset, ledger=ledger)
        texts.append(outcome.text)
    assert "".join(texts) == OLD[1_000:9_000]
    assert outcome.status is FetchStatus.OK
    assert check_citations_sync([name], ledger, scope=SCOPE)[0].verdict.value == "valid"


async def test_overlapping_chunks_are_joined() -> None:
    """A span over both reads each character once."""
    outcome = await one(span(250, 700))
    assert (outcome.status, outcome.text) == (FetchStatus.OK, OLD[250:700])


async def test_a_span_over_a_headed_chunk() -> None:
    """A text with its heading inside has a place of its own, so a span of it is whole."""
    text = "## Pay\nTen days.\n"
    store = MemoryEvidenceStore([EvidenceText(chunk("headed"), DOCUMENT, VERSION, 0, len(text), text)])
    (outcome,) = await fetch_evidence(store, [span(7, 16)], scope=SCOPE)
    assert (outcome.status, outcome.text) == (FetchStatus.OK, "Ten days.")


async def test_one_store_read_duplicates_included() -> None:
    """Fifty equal ids are one id, and fifty ids are one read."""
    store = Counted(kept("first", 0, 400))
    outcomes = await fetch_evidence(store, [chunk("first")] * 50, scope=SCOPE)
    assert len(outcomes) == 50
    assert store.reads == [1]
    await fetch_evidence(store, [span(n, n + 1) for n in range(50)], scope=SCOPE)
    assert store.reads == [1, 50]


async def test_outcome_fields() -> None:
    """Everything that a citation needs, and the full hash of the text."""
    outcome = await one(chunk("first"))
    assert {field.name for field in fields(outcome)} == {
        "evidence_id",
        "status",
        "text",
        "title",
        "uri",
        "document_id",
        "version",
        "span",
        "locator",
        "content_hash",
        "state",
        "offset",
        "length",
        "received",
        "next_offset",
        "reason",
    }
    assert outcome.content_hash == sha256(OLD[:400].encode()).hexdigest()
    assert str(outcome.span) == span(0, 400)
    assert outcome.received == ((0, 400),)


async def test_citation_markdown_none_unless_ok_and_whole() -> None:
    """What was not received whole has none."""
    assert (await one(chunk("first"), max_chars=10)).citation_markdown is None
    assert (await one(span(800, 1_000))).citation_markdown is None
    assert (await one(chunk("nowhere"))).citation_markdown is None
    assert (await one(chunk("first"))).citation_markdown is not None
