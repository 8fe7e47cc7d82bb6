"""Collections: made once, changed field by field."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, cast

import pytest

from pincite.core.errors import ConflictError, InputError, NotFoundError
from pincite.core.verdicts import SourceState
from pincite.library import Counts, Library

if TYPE_CHECKING:
    from pathlib import Path

    from pincite.library import Collection
    from pincite.library.collection import Chunking


def test_collection_is_made_once(library: Library) -> None:
    """The same name is the same collection, whatever chunking is asked for later."""
    made = library.collection("Notes", chunking="hierarchical")
    assert made.chunking == "hierarchical"
    assert library.collection(" Notes ") == made
    assert library.collections() == [made]


def test_missing_collection_is_not_made_unasked(library: Library) -> None:
    """With `create` false an unknown name is not found."""
    with pytest.raises(NotFoundError):
        library.collection("Notes", create=False)
    assert library.collections() == []


@pytest.mark.parametrize("name", ["", "  ", "two\nlines", "bell\x07", "x" * 201, "\u202ereversed"])
def test_name_is_one_visible_line(library: Library, name: str) -> None:
    """Names that cannot be shown as one line are refused."""
    with pytest.raises(InputError):
        library.collection(name)


def test_settings_change_one_by_one(library: Library) -> None:
    """What is not given stays; None takes a bar away."""
    made = library.collection("Notes")
    barred = library.set_collection(made.collection_id, score_threshold=0.4, reranker="coverage")
    assert (barred.score_threshold, barred.reranker, barred.chunking) == (0.4, "coverage", "flat")
    changed = library.set_collection(made.collection_id, chunking="hierarchical")
    assert (changed.score_threshold, changed.reranker, changed.chunking) == (0.4, "coverage", "hierarchical")
    bare = library.set_collection(made.collection_id, score_threshold=None, reranker=None)
    assert (bare.score_threshold, bare.reranker) == (None, None)
    assert library.set_collection(made.collection_id) == bare == library.collection("Notes")


def test_unknown_collection_and_chunking(library: Library) -> None:
    """An unknown id is not found, an unknown chunking is bad input."""
    with pytest.raises(NotFoundError):
        library.set_collection("\ud800", reranker=None)
    made = library.collection("Notes")
    with pytest.raises(InputError):
        library.set_collection(made.collection_id, chunking=cast("Chunking", "deep"))
    for name in ("x", "\ud800"):
        with pytest.raises(NotFoundError):
            library.collection_by_id(name)
        with pytest.raises(NotFoundError):
            library.delete_collection(name)


def test_collection_is_renamed(library: Library) -> None:
    """A name is one collection's alone; the old one is free again."""
    first, second = library.collection("Notes"), library.collection("Plans")
    with pytest.raises(ConflictError):
        library.set_collection(first.collection_id, name="Plans")
    with pytest.raises(InputError):
        library.set_collection(first.collection_id, name="two\nlines")
    renamed = library.set_collection(first.collection_id, name=" Minutes ", embedder="m")
    assert (renamed.collection_id, renamed.name, renamed.embedder) == (first.collection_id, "Minutes", "m")
    assert library.set_collection(second.collection_id, name="Plans") == second
    assert library.collection_by_id(first.collection_id) == renamed
    assert library.collection("Notes").collection_id != first.collection_id
    assert library.set_collection(first.collection_id, embedder=None).embedder is None


def test_collection_says_since_when(home: Path) -> None:
    """The time is that of the library's clock."""
    time = datetime(2026, 3, 1, tzinfo=UTC)
    with Library.open(home, clock=lambda: time) as library:
        assert library.collection("Notes").added_at == time
        assert library.collections()[0].added_at == time


def test_counts(library: Library, keep: Any, collection: Collection) -> None:
    """Documents and passages that stand, and those of them without a vector of an embedder."""
    empty = library.collection("empty")
    keep("upload://a.txt", "one\ntwo")
    keep("upload://b.txt", "three")
    keep("upload://b.txt", "four\nfive")
    found = library.counts()
    assert found == {collection.collection_id: Counts(2, 4, 0), empty.collection_id: Counts()}
    chunk, _ = library.pending_vectors("m", 1)[0]
    library.store_vectors("m", [(chunk, b"v")])
    assert library.counts("m")[collection.collection_id] == Counts(2, 4, 3)
    assert library.counts("n")[collection.collection_id] == Counts(2, 4, 4)


def test_deleted_collection_takes_its_documents(
    library: Library, collection: Collection, keep: Any, from_lines: Any
) -> None:
    """Standing and trashed ones go with their files and hits; another collection keeps its own; the name is free."""
    other = library.collection("other")
    gone = [keep("upload://a.txt", "one"), keep("upload://b.txt", "two")]
    stays = from_lines(library, other, "upload://a.txt", "one")
    library.trash(gone[1].document_id)
    assert {one.document_id for one in library.delete_collection(collection.collection_id)} == {
        one.document_id for one in gone
    }
    assert library.documents() == [stays]
    assert library.trashed() == []
    assert library.files.names() == [stays.file]
    assert library.collections() == [other]
    for one in gone:
        assert library.source_state(one.document_id, one.version) is SourceState.REMOVED
    with pytest.raises(NotFoundError):
        library.delete_collection(collection.collection_id)
    with pytest.raises(NotFoundError):
        keep("upload://c.txt", "three")
    again = library.collection("default")
    assert again.collection_id != collection.collection_id
    puts = {change.chunk_id for change in library.changes(0, 99) if change.op == "put"}
    drops = {change.chunk_id for change in library.changes(0, 99) if change.op == "drop"}
    assert len(puts - drops) == 1
