"""Evidence: read by id, in scope, from the version that the id names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import event

from pincite.core.ids import SpanEvidenceId
from pincite.core.protocols import EvidenceStore
from pincite.core.scope import Scope
from pincite.core.verdicts import SourceState
from pincite.library import Library, LibraryEvidence

if TYPE_CHECKING:
    from pathlib import Path

    from pincite.library import StoredDocument


def _scope(*stored: StoredDocument) -> Scope:
    return Scope(document.document_id for document in stored)


def test_library_evidence_is_an_evidence_store(library: Library) -> None:
    """It is what the check takes."""
    assert isinstance(LibraryEvidence(library), EvidenceStore)


async def test_passages_and_spans_are_read(library: Library, keep: Any) -> None:
    """A passage id and a span id give the stored text with its place, title and state, in the order asked."""
    stored = keep("upload://a.txt", "Rules\nBe kind.")
    second = library.passages_of(stored.document_id)[1]
    span = str(SpanEvidenceId(stored.document_id, stored.version, 3, 8))
    found = await LibraryEvidence(library).read([span, second.evidence_id, span], _scope(stored))
    assert found[0] == found[2]
    assert found[0] is not None
    assert found[1] is not None
    assert (found[0].text, found[0].start, found[0].end, found[0].evidence_id) == ("es\nBe", 3, 8, span)
    assert (found[0].locator.page, found[0].locator.page_label, found[0].locator.headings) == (
        1,
        "i",
        ("Rules",),
    )
    assert (found[1].text, found[1].start, found[1].end, found[1].title) == ("Be kind.", 6, 14, "Rules")
    assert found[1].locator == second.locator
    assert found[1].state is SourceState.CURRENT


async def test_old_version_reads_its_own_text(library: Library, keep: Any) -> None:
    """After an edit the old ids read what they read before, and say that the source has changed."""
    old = keep("upload://a.txt", "one\ntwo")
    passages = library.passages_of(old.document_id)
    span = str(SpanEvidenceId(old.document_id, old.version, 4, 7))
    keep("upload://a.txt", "one\nzwei")
    kept, gone, cut = await LibraryEvidence(library).read(
        [passages[0].evidence_id, passages[1].evidence_id, span], _scope(old)
    )
    assert kept is not None
    assert gone is not None
    assert cut is not None
    assert (kept.text, gone.text, cut.text) == ("one", "two", "two")
    assert {kept.state, gone.state, cut.state} == {SourceState.SUPERSEDED}


async def test_what_cannot_be_read_is_none_alike(library: Library, home: Path, keep: Any) -> None:
    """Malformed, unknown, out of scope, deleted, foreign, behind the end: None, whatever stands beside it."""
    stored = keep("upload://a.txt", "one\ntwo")
    other = keep("upload://b.txt", "three")
    deleted = keep("upload://c.txt", "four")
    standing = library.passages_of(stored.document_id)[0].evidence_id
    outside = library.passages_of(other.document_id)[0].evidence_id
    gone = library.passages_of(deleted.document_id)[0].evidence_id
    library.delete(deleted.document_id)
    scope = _scope(stored, deleted)
    head = f"{stored.document_id}:{stored.version}"
    asked = [
        "ev1:c:oops",
        "",
        "\ud800",
        standing.upper(),
        f"ev1:c:{head}:{stored.document_id}",
        f"ev1:s:{head}:7-9",
        f"ev1:s:{head}:8-9",
        f"ev1:s:{stored.document_id}:{'0' * 16}:0-1",
        outside,
        gone,
        f"ev1:s:{deleted.document_id}:{deleted.version}:0-1",
        standing,
    ]
    store = LibraryEvidence(library)
    found = await store.read(asked, scope)
    assert found[:-1] == [None] * (len(asked) - 1)
    assert found[-1] is not None
    assert await store.read(asked, Scope(())) == [None] * len(asked)
    with Library.open(home, tenant="other") as foreign:
        assert await LibraryEvidence(foreign).read([standing], scope) == [None]
    whole = await store.read([f"ev1:s:{head}:0-7"], scope)
    assert whole[0] is not None
    assert whole[0].text == "one\ntwo"


async def test_a_span_past_the_end_gives_the_part_that_is_there(library: Library, keep: Any) -> None:
    """Its offsets say which part that is, under the id that was asked for."""
    stored = keep("upload://a.txt", "one\ntwo")
    asked = str(SpanEvidenceId(stored.document_id, stored.version, 4, 900))
    (found,) = await LibraryEvidence(library).read([asked], _scope(stored))
    assert found is not None
    assert (found.evidence_id, found.start, found.end, found.text) == (asked, 4, 7, "two")


@pytest.mark.parametrize(("count", "statements"), [(1, 1), (400, 1), (1100, 3)])
def test_reads_are_batched(library: Library, keep: Any, count: int, statements: int) -> None:
    """Many ids, each asked twice, take one statement for each 500."""
    stored = keep("upload://a.txt", "\n".join(f"line {n}" for n in range(count)))
    names = [passage.evidence_id for passage in library.passages_of(stored.document_id)]
    run: list[str] = []

    def heard(_c: object, _cursor: object, statement: str, *_: object) -> None:
        run.append(statement)

    event.listen(library.database.engine, "before_cursor_execute", heard)
    found = LibraryEvidence(library).read_sync(names + names, _scope(stored))
    assert [text.text for text in found if text] == [f"line {n}" for n in range(count)] * 2
    assert len([statement for statement in run if statement.startswith("SELECT")]) == statements
