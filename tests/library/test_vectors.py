"""Vectors: pending, stored once, loaded by number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pincite.core import ids
from pincite.library import Library
from pincite.library import vectors as vectors_module

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from pincite.library import Collection


def test_pending_shrinks_as_vectors_come(library: Library, keep: Any) -> None:
    """Pending passages come in the order of their change, and each embedder has its own list."""
    keep("upload://a.txt", "one\ntwo\nthree")
    first = library.pending_vectors("m", 2)
    assert [text for _, text in first] == ["one", "two"]
    assert library.store_vectors("m", [(chunk_id, b"v") for chunk_id, _ in first]) == 2
    assert [text for _, text in library.pending_vectors("m", 2)] == ["three"]
    assert library.pending_count("m") == 1
    assert library.pending_count("other") == 3


def test_storing_is_idempotent(library: Library, keep: Any) -> None:
    """A vector that is there stays, one of a passage that is gone is left out."""
    stored = keep("upload://a.txt", "one")
    chunk = ids.chunk_id(stored.document_id, "one")
    gone = ids.chunk_id(stored.document_id, "gone")
    assert library.store_vectors("m", [(chunk, b"first"), (gone, b"x")]) == 1
    assert library.store_vectors("m", [(chunk, b"second")]) == 0
    assert library.vectors_of("m", [chunk, gone]) == {chunk: b"first"}
    assert library.store_vectors("m", []) == 0


def test_vectors_are_loaded_by_number(
    library: Library, collection: Collection, keep: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only vectors after a number come, page by page, each with its passage's collection."""
    monkeypatch.setattr(vectors_module, "PAGE", 2)
    keep("upload://a.txt", "\n".join("abcde"))
    pending = library.pending_vectors("m", 10)
    library.store_vectors("m", [(chunk_id, text.encode()) for chunk_id, text in pending])
    loaded = list(library.vectors("m", 1))
    assert [(number, vector) for number, _, _, vector in loaded] == [
        (2, b"b"),
        (3, b"c"),
        (4, b"d"),
        (5, b"e"),
    ]
    assert {collection_id for _, _, collection_id, _ in loaded} == {collection.collection_id}
    assert loaded[0][1] == pending[1][0]


def test_number_is_never_given_again(library: Library, keep: Any) -> None:
    """After a deletion the next vector has a higher number than any before: an index misses none."""
    stored = keep("upload://a.txt", "one")
    library.store_vectors("m", library_pairs(library))
    library.delete(stored.document_id)
    keep("upload://b.txt", "two")
    library.store_vectors("m", library_pairs(library))
    assert [number for number, *_ in library.vectors("m")] == [2]


def library_pairs(library: Library) -> list[tuple[str, bytes]]:
    """Return a vector for everything that is pending."""
    return [(chunk_id, b"v") for chunk_id, _ in library.pending_vectors("m", 100)]


def test_passage_that_returns_is_pending_again(library: Library, keep: Any) -> None:
    """A passage that left before it had a vector and comes back is pending, though nothing was in between."""
    keep("upload://a.txt", "one\ntwo")
    keep("upload://a.txt", "one")
    library.store_vectors("m", library_pairs(library))
    assert library.pending_vectors("m", 10) == []
    keep("upload://a.txt", "one\ntwo")
    assert [text for _, text in library.pending_vectors("m", 10)] == ["two"]


def test_pending_is_seen_whatever_another_process_does(library: Library, home: Path, keep: Any) -> None:
    """What another process keeps after ours found nothing pending is pending for ours too."""
    keep("upload://a.txt", "one")
    library.store_vectors("m", library_pairs(library))
    assert library.pending_vectors("m", 10) == []
    with Library.open(home) as other:
        stored = other.documents()[0]
        other.delete(stored.document_id)
    keep("upload://a.txt", "one\ntwo")
    assert [text for _, text in library.pending_vectors("m", 10)] == ["one", "two"]
    assert library.pending_count("m") == 2
