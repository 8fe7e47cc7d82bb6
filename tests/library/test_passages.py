"""Passages: found by id, by the beginning of an id, and only as long as they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pincite.core.errors import InputError, NotFoundError
from pincite.core.geometry import Box
from pincite.library.passages import pack_boxes, unpack_boxes
from pincite.library.tables import passages

if TYPE_CHECKING:
    from pincite.library import Collection, Library


def test_current_passages_leave_boxes_out(library: Library, keep: Any) -> None:
    """Many ids are answered at once; unknown, malformed and doubled ones do no harm."""
    stored = keep("upload://a.txt", "\n".join(f"line {n}" for n in range(1200)))
    listed = library.passages_of(stored.document_id)
    names = [passage.chunk_id for passage in listed]
    found = library.current_passages([*names, names[0], "no id", "\ud800"])
    assert found.keys() == set(names)
    assert found[names[7]].text == "line 7"
    assert found[names[7]].boxes == ()
    assert found[names[7]].locator == listed[7].locator
    assert library.texts(names)[names[1199]] == "line 1199"


def test_prefix_finds_current_ones_first(library: Library, keep: Any) -> None:
    """A beginning of 8 characters or more finds its passages; those of old versions come last."""
    stored = keep("upload://a.txt", "one\ntwo")
    old = library.passages_of(stored.document_id)[1].chunk_id
    keep("upload://a.txt", "one")
    one = library.passages_of(stored.document_id)[0].chunk_id
    assert library.find_chunk(old[:8]) == [old]
    assert library.find_chunk(one) == [one]
    assert library.find_chunk(one + "0") == []
    assert library.find_chunk("%" * 8) == library.find_chunk("________") == []
    upper = one[:8].upper()
    # One in forty ids begins with eight digits, and is the same in both cases.
    assert upper == one[:8] or library.find_chunk(upper + "-") == []
    with pytest.raises(InputError):
        library.find_chunk(one[:7])


def test_prefix_of_many_is_cut(library: Library, keep: Any) -> None:
    """At most ten ids are returned, the current ones before the others."""
    stored = keep("upload://a.txt", "one")
    with library.database.writing() as connection:
        for number in range(12):
            row = {"chunk_id": f"abcdef01-0000-5000-8000-{number:012}", "document_id": stored.document_id}
            seq = number if number > 10 else None
            connection.execute(passages.insert().values(tenant="local", put_seq=seq, text="x", **row))
    found = library.find_chunk("abcdef01")
    assert len(found) == 10
    assert found[:2] == ["abcdef01-0000-5000-8000-000000000011", "abcdef01-0000-5000-8000-000000000000"]


def test_passage_that_cannot_be_had(library: Library, keep: Any) -> None:
    """Unknown, deleted and malformed ids, and versions that do not hold the passage, are not found alike."""
    stored = keep("upload://a.txt", "one")
    chunk = library.passages_of(stored.document_id)[0].chunk_id
    with pytest.raises(NotFoundError) as other_version:
        library.passage(chunk, version="0" * 16)
    library.delete(stored.document_id)
    for name in (chunk, "no id", "\ud800"):
        with pytest.raises(NotFoundError) as caught:
            library.passage(name)
        assert caught.value.as_dict() == other_version.value.as_dict()


def test_boxes_are_packed_without_loss() -> None:
    """Boxes come back exactly as they went in, in order."""
    boxes = (Box(1, 0.1, 0.2, 1 / 3, 0.9999999), Box(20_000, 0.0, 0.0, 1.0, 1.0))
    assert unpack_boxes(pack_boxes(boxes)) == boxes
    assert unpack_boxes(b"") == ()


def test_findable_says_what_a_row_needs(library: Library, collection: Collection, keep: Any) -> None:
    """With each passage come its collection, its source's key where no address was given, and the title."""
    kept = keep("upload://a.txt", "Rules\nBe kind.")
    (first, second) = library.passages_of(kept.document_id)
    found = library.findable([second.chunk_id, first.chunk_id])
    assert found.keys() == {first.chunk_id, second.chunk_id}
    there = found[second.chunk_id]
    assert (there.collection_id, there.collection) == (collection.collection_id, "default")
    assert (there.source_uri, there.title) == ("upload://a.txt", "Rules")
    assert (there.passage.text, there.passage.boxes) == ("Be kind.", ())
    library.delete(kept.document_id)
    assert library.findable([second.chunk_id]) == {}


def test_heads_tell_changes_and_vectors(library: Library, keep: Any) -> None:
    """Two passages are two changes; one vector is the first of its embedder, and none of another's."""
    assert library.heads("e") == (0, 0)
    kept = keep("upload://a.txt", "one\ntwo")
    library.store_vectors("e", [(library.passages_of(kept.document_id)[0].chunk_id, b"\0\0")])
    assert library.heads("e") == (2, 1)
    assert library.heads("other") == (2, 0)
