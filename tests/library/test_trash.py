"""The trash: out of sight at once, back as it was, or gone for good."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from pincite.core.errors import NotFoundError
from pincite.core.ids import ChunkEvidenceId, SpanEvidenceId
from pincite.core.scope import Scope
from pincite.core.verdicts import SourceState
from pincite.library import LibraryEvidence

if TYPE_CHECKING:
    from pincite.library import Collection, Library, StoredDocument

KEY = "upload://a.txt"


@pytest.fixture
def stored(keep: Any) -> StoredDocument:
    """A document of two versions."""
    keep(KEY, "first\nedition")
    return keep(KEY, "one\ntwo")


def _findable(library: Library) -> set[str]:
    """Return what the feed says is to be found; check that the truth says the same."""
    standing: set[str] = set()
    for change in library.changes(0, 1_000):
        (standing.add if change.op == "put" else standing.discard)(change.chunk_id)
    assert (
        set(library.current_passages(sorted(standing))) == standing == set(library.findable(sorted(standing)))
    )
    return standing


def test_trashed_document_is_nowhere(
    library: Library, collection: Collection, stored: StoredDocument
) -> None:
    """No door shows a trashed document, in any version; its citations say that the source was removed."""
    document_id = stored.document_id
    passages = library.passages_of(document_id)
    old = library.versions_of(document_id)[1].version
    evidence_ids = [str(ChunkEvidenceId(document_id, stored.version, one.chunk_id)) for one in passages]
    evidence_ids.append(str(SpanEvidenceId(document_id, old, 0, 5)))
    scope = Scope.of([document_id], collection=collection.collection_id)
    read = asyncio.run(LibraryEvidence(library).read(evidence_ids, scope))
    assert [one.text for one in read if one is not None] == ["one", "two", "first"]
    assert library.trash(document_id) == stored
    assert _findable(library) == set()
    assert library.documents() == library.documents(collection.collection_id) == []
    assert library.trashed() == [stored]
    assert library.find_chunk(passages[0].chunk_id[:8]) == []
    assert library.counts("m")[collection.collection_id].documents == 0
    assert library.source_state(document_id, stored.version) is SourceState.REMOVED
    assert library.source_state(document_id, old) is SourceState.REMOVED
    for version in (None, stored.version, old):
        for look in (
            library.document_text,
            library.frames,
            library.outlined,
            library.source_file,
            library.passages_of,
        ):
            with pytest.raises(NotFoundError):
                look(document_id, version)
    for look_up in (library.document, library.versions_of, library.trash):
        with pytest.raises(NotFoundError):
            look_up(document_id)
    with pytest.raises(NotFoundError):
        library.passage(passages[0].chunk_id)
    assert asyncio.run(LibraryEvidence(library).read(evidence_ids, scope)) == [None] * 3


def test_restored_document_is_as_it_was(library: Library, stored: StoredDocument) -> None:
    """Passages, places, versions and file are there again, in their order, and the feed puts them."""
    before = (library.passages_of(stored.document_id), library.versions_of(stored.document_id))
    found = _findable(library)
    library.trash(stored.document_id)
    assert library.restore(stored.document_id) == stored
    assert _findable(library) == found == {passage.chunk_id for passage in before[0]}
    assert (library.passages_of(stored.document_id), library.versions_of(stored.document_id)) == before
    assert library.trashed() == []
    assert library.source_state(stored.document_id, stored.version) is SourceState.CURRENT
    with pytest.raises(NotFoundError):
        library.restore(stored.document_id)


def test_trashed_document_is_deleted_for_good(library: Library, stored: StoredDocument) -> None:
    """Nothing can be restored after that, and the files are gone."""
    library.trash(stored.document_id)
    assert library.delete(stored.document_id) == stored
    assert library.trashed() == []
    assert library.files.names() == []
    for gone in (library.restore, library.delete, library.trash):
        with pytest.raises(NotFoundError):
            gone(stored.document_id)
    assert library.source_state(stored.document_id, stored.version) is SourceState.REMOVED


def test_adding_again_takes_it_out_of_the_trash(library: Library, keep: Any, stored: StoredDocument) -> None:
    """The same file, added again, stands as it did; another text of the source is its next version."""
    library.trash(stored.document_id)
    again = keep(KEY, "one\ntwo", replace=False)
    assert again == stored
    assert _findable(library) == {passage.chunk_id for passage in library.passages_of(stored.document_id)}
    library.trash(stored.document_id)
    third = keep(KEY, "one\nthree")
    assert [one.revision for one in library.versions_of(third.document_id)] == [3, 2, 1]
    assert library.trashed() == []
    assert len(_findable(library)) == 2


def test_files_in_the_trash_survive_a_sweep(library: Library, stored: StoredDocument) -> None:
    """What can be restored keeps its files."""
    library.trash(stored.document_id)
    assert library.sweep() == 0
    library.restore(stored.document_id)
    assert library.source_file(stored.document_id).path.read_bytes() == b"one\ntwo"


def test_unknown_documents(library: Library) -> None:
    """Ids of nothing are not found."""
    for name in ("x", "00000000-0000-4000-8000-000000000000"):
        for act in (library.trash, library.restore, library.delete, library.versions_of):
            with pytest.raises(NotFoundError):
                act(name)


def test_versions_are_listed_latest_first(library: Library, keep: Any, stored: StoredDocument) -> None:
    """Each with its counts; a text that comes back is current under its old name."""
    latest, first = library.versions_of(stored.document_id)
    assert (latest.revision, latest.current, latest.passages, latest.pages) == (2, True, 2, 1)
    assert (first.revision, first.current, first.media_type) == (1, False, "text/plain")
    assert latest.version == stored.version
    keep(KEY, "first\nedition")
    back, other = library.versions_of(stored.document_id)
    assert (back.version, back.current, back.revision) == (first.version, True, 3)
    assert (other.version, other.current) == (latest.version, False)
