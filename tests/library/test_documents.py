"""Documents: versions, no-ops, deletion, and who sees what."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pincite.core import ids
from pincite.core.document import Document, Flag, Heading
from pincite.core.errors import InputError, NotFoundError, SourceTakenError
from pincite.core.geometry import PageFrame
from pincite.core.verdicts import SourceState
from pincite.library import Change, Library

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pincite.library import Collection, StoredDocument

NOWHERE = "00000000-0000-5000-8000-000000000000"


def _ops(changes: list[Change]) -> list[tuple[str, str]]:
    return [(change.op, change.chunk_id) for change in changes]


def test_kept_document_is_read_back(library: Library, collection: Collection, keep: Any) -> None:
    """What was kept is what is listed, and its text, frames, passages and file are those that came in."""
    kept = keep("upload://a.txt", "Rules\nBe kind.")
    assert kept.document_id == ids.document_id(collection.collection_id, "upload://a.txt")
    assert (kept.title, kept.collection, kept.pages, kept.passages) == ("Rules", "default", 1, 2)
    assert library.documents() == library.documents(collection.collection_id) == [kept]
    assert library.document(kept.document_id) == kept
    assert library.document_text(kept.document_id) == "Rules\nBe kind."
    assert library.frames(kept.document_id) == (PageFrame(1, 200.0, 100.0, 0, "i"),)
    second = library.passages_of(kept.document_id)[1]
    assert (second.text, second.start, second.end, second.section) == ("Be kind.", 6, 14, (0, 14))
    assert second.boxes[0].x1 == 1 / 3
    assert second.locator.headings == ("Rules",)
    assert second.locator.page_label == "i"
    file = library.source_file(kept.document_id)
    assert file.path.read_bytes() == b"Rules\nBe kind."
    assert file.content_hash == kept.file


def test_adding_twice_changes_nothing(library: Library, keep: Any) -> None:
    """The same text and bytes under the same key leave the feed and the document as they are."""
    first = keep("upload://a.txt", "one\ntwo")
    head = library.head()
    assert keep("upload://a.txt", "one\ntwo") == first
    assert library.head() == head == 2


def test_edit_keeps_ids_of_untouched_passages(library: Library, keep: Any) -> None:
    """An edit drops and puts the changed line alone; the others keep their ids and their vectors."""
    old = keep("upload://a.txt", "one\ntwo\nthree")
    before = library.passages_of(old.document_id)
    library.store_vectors("m", [(passage.chunk_id, b"v") for passage in before])
    new = keep("upload://a.txt", "one\nzwei\nthree")
    after = library.passages_of(new.document_id)
    assert new.document_id == old.document_id
    assert new.version != old.version
    assert [p.chunk_id for p in after[::2]] == [p.chunk_id for p in before[::2]]
    assert _ops(library.changes(3, 10)) == [("drop", before[1].chunk_id), ("put", after[1].chunk_id)]
    assert library.pending_vectors("m", 10) == [(after[1].chunk_id, "zwei")]
    assert library.current_passages([before[1].chunk_id]) == {}


def test_old_version_stays_readable(library: Library, keep: Any) -> None:
    """After an edit the old version's text, passages, file and state can still be had."""
    old = keep("upload://a.txt", "one\ntwo")
    before = library.passages_of(old.document_id)
    new = keep("upload://a.txt", "zero\none")
    assert library.document_text(old.document_id, old.version) == "one\ntwo"
    assert library.passages_of(old.document_id, old.version) == before
    assert library.source_file(old.document_id, old.version).path.read_bytes() == b"one\ntwo"
    assert library.source_state(old.document_id, old.version) is SourceState.SUPERSEDED
    assert library.source_state(old.document_id, new.version) is SourceState.CURRENT
    assert library.passage(before[1].chunk_id) == before[1]
    moved = library.passage(before[0].chunk_id)
    assert (moved.version, moved.start) == (new.version, 5)
    assert library.passage(before[0].chunk_id, version=old.version) == before[0]


def test_going_back_makes_the_old_version_current(library: Library, keep: Any) -> None:
    """A text that stood before is its old version again, and the newest one that holds its passages."""
    first = keep("upload://a.txt", "one\ntwo")
    keep("upload://a.txt", "one\nzwei")
    third = keep("upload://a.txt", "one\ntwo")
    assert third.version == first.version
    assert library.source_state(first.document_id, first.version) is SourceState.CURRENT
    one = library.passages_of(first.document_id)[0]
    assert library.passage(one.chunk_id).version == first.version
    two = ids.chunk_id(first.document_id, "two")
    zwei = ids.chunk_id(first.document_id, "zwei")
    assert _ops(library.changes(4, 9)) == [("drop", zwei), ("put", two)]


def test_same_text_in_other_bytes_is_the_same_version(library: Library, keep: Any) -> None:
    """A file saved anew with the same text replaces the old file and changes no passage."""
    first = keep("upload://a.txt", "one\ntwo", data=b"one\r\ntwo")
    old_file = library.source_file(first.document_id).path
    second = keep("upload://a.txt", "one\ntwo", data=b"one\ntwo")
    assert (second.version, library.head()) == (first.version, 2)
    assert second.file != first.file
    assert library.source_file(first.document_id).path.read_bytes() == b"one\ntwo"
    assert not old_file.exists()


def test_going_back_in_other_bytes_drops_the_old_file(library: Library, home: Path, keep: Any) -> None:
    """A version that comes back in another file leaves no file behind that nothing names."""
    first = keep("upload://a.txt", "one\ntwo", data=b"one\r\ntwo")
    keep("upload://a.txt", "one")
    keep("upload://a.txt", "one\ntwo", data=b"one\ntwo")
    assert not list(home.glob(f"files/*/*/{first.file}"))
    assert library.sweep() == 0


def test_other_chunking_keeps_old_passages_addressable(
    library: Library, collection: Collection, keep: Any
) -> None:
    """When the same text is cut otherwise, the old passages are no longer found but still open."""
    stored = keep("upload://a.txt", "one\ntwo")
    old = library.passages_of(stored.document_id)
    document = Document(
        "one\ntwo", stored.version, "one", "text/plain", "lines/2", outline=(Heading("one", 1, 0),)
    )
    whole = replace(
        old[0], chunk_id=ids.chunk_id(stored.document_id, "one\ntwo"), text="one\ntwo", end=7, boxes=()
    )
    library.keep(collection, document, [whole], data=b"one\ntwo", source_key="upload://a.txt")
    assert library.passages_of(stored.document_id) == [whole]
    assert library.current_passages([p.chunk_id for p in old]) == {}
    assert library.passage(old[1].chunk_id) == old[1]


def test_boxes_of_retired_passages_go_with_their_file(
    library: Library, collection: Collection, keep: Any
) -> None:
    """Boxes lie on the pages of one file: when another file takes its place, old cuts lose theirs."""
    stored = keep("upload://a.txt", "one\ntwo")
    old = library.passages_of(stored.document_id)
    document = Document("one\ntwo", stored.version, "one", "text/plain", "lines/1")
    library.keep(collection, document, [old[0]], data=b"other", source_key="upload://a.txt")
    assert library.passage(old[0].chunk_id) == old[0]
    assert library.passage(old[1].chunk_id) == replace(old[1], boxes=())


def test_delete_ends_hits_at_once(library: Library, keep: Any) -> None:
    """A deleted document is in no list, its passages are dropped in the feed, its file is gone, its state `removed`."""
    stored = keep("upload://a.txt", "one\ntwo")
    chunks = [passage.chunk_id for passage in library.passages_of(stored.document_id)]
    library.store_vectors("m", [(chunks[0], b"v")])
    file = library.source_file(stored.document_id).path
    assert library.delete(stored.document_id) == stored
    assert library.documents() == []
    assert library.current_passages(chunks) == {}
    assert library.texts(chunks) == {}
    assert list(library.vectors("m")) == []
    assert library.pending_vectors("m", 10) == []
    assert _ops(library.changes(2, 10)) == [("drop", chunk) for chunk in chunks]
    assert not file.exists()
    assert library.source_state(stored.document_id, stored.version) is SourceState.REMOVED


def test_deleted_text_is_in_no_row(library: Library, home: Path, keep: Any) -> None:
    """The tombstone holds neither title nor key nor text."""
    stored = keep("upload://Kündigung.txt", "Geheimnis\ntwo")
    library.delete(stored.document_id)
    with library.database.reading() as connection:
        row = connection.exec_driver_sql("SELECT * FROM documents").one()
    assert not {"upload://Kündigung.txt", "Geheimnis"} & set(row)
    assert home.is_dir()


def test_deleted_document_can_come_back(library: Library, keep: Any) -> None:
    """Adding the file again revives the document under its old id, with vectors to be made anew."""
    stored = keep("upload://a.txt", "one")
    library.store_vectors("m", [(ids.chunk_id(stored.document_id, "one"), b"v")])
    library.delete(stored.document_id)
    again = keep("upload://a.txt", "one")
    assert (again.document_id, again.version) == (stored.document_id, stored.version)
    assert library.pending_count("m") == 1
    assert library.source_file(again.document_id).path.read_bytes() == b"one"


def test_file_of_two_documents_outlives_one(library: Library, keep: Any) -> None:
    """A file that two documents share stays until both are gone."""
    first, second = keep("upload://a.txt", "one"), keep("upload://b.txt", "one")
    assert first.file == second.file
    library.delete(first.document_id)
    path = library.source_file(second.document_id).path
    assert path.is_file()
    library.delete(second.document_id)
    assert not path.exists()


ASKS: tuple[Callable[[Library, StoredDocument], object], ...] = (
    lambda library, stored: library.document(stored.document_id),
    lambda library, stored: library.document_text(stored.document_id),
    lambda library, stored: library.document_text(stored.document_id, stored.version),
    lambda library, stored: library.frames(stored.document_id),
    lambda library, stored: library.outlined(stored.document_id),
    lambda library, stored: library.source_file(stored.document_id),
    lambda library, stored: library.passages_of(stored.document_id),
    lambda library, stored: library.passages_of(stored.document_id, stored.version),
    lambda library, stored: library.delete(stored.document_id),
)


@pytest.mark.parametrize("ask", ASKS)
def test_unknown_deleted_foreign_and_malformed_are_alike(
    library: Library, home: Path, keep: Any, ask: Callable[[Library, StoredDocument], object]
) -> None:
    """Every way to ask for a document that cannot be had gives the same error with the same words."""
    deleted = keep("upload://a.txt", "one")
    library.delete(deleted.document_id)
    standing = keep("upload://b.txt", "two")
    said: set[str] = set()
    with Library.open(home, tenant="other") as other:
        for asked, document_id in (
            (library, deleted.document_id),
            (library, NOWHERE),
            (library, "no id"),
            (library, "\ud800"),
            (other, standing.document_id),
        ):
            with pytest.raises(NotFoundError) as caught:
                ask(asked, replace(standing, document_id=document_id))
            said.add(str(caught.value.as_dict()))
    assert len(said) == 1


def test_unknown_version_is_not_found(library: Library, keep: Any) -> None:
    """A version that the document never had is as unknown as the document of another."""
    stored = keep("upload://a.txt", "one")
    for ask in (
        library.document_text,
        library.frames,
        library.source_file,
        library.passages_of,
        library.source_state,
    ):
        with pytest.raises(NotFoundError):
            ask(stored.document_id, "0" * 16)


def test_tenants_never_meet(library: Library, home: Path, keep: Any) -> None:
    """The same file of two tenants in one database and file store has two ids, two files and two feeds."""
    mine = keep("upload://a.txt", "one\ntwo")
    with Library.open(home, tenant="other") as other:
        assert other.documents() == []
        assert other.collections() == []
        assert other.head() == 0
        collection = other.collection("default")
        document = Document("one\ntwo", mine.version, "one", "text/plain", "lines/1")
        theirs = other.keep(collection, document, [], data=b"one\ntwo", source_key="upload://a.txt")
        assert theirs.document_id != mine.document_id
        chunk = library.passages_of(mine.document_id)[0].chunk_id
        assert other.current_passages([chunk]) == {}
        assert other.texts([chunk]) == {}
        assert other.find_chunk(chunk[:8]) == []
        assert other.store_vectors("m", [(chunk, b"v")]) == 0
        path = other.source_file(theirs.document_id).path
        library.delete(mine.document_id)
        assert path.read_bytes() == b"one\ntwo"
        with pytest.raises(NotFoundError):
            library.keep(collection, document, [], data=b"", source_key="upload://x")


def test_collections_hold_their_own(library: Library, keep: Any) -> None:
    """The same file in two collections is two documents, and deleting one leaves the other."""
    mine = keep("upload://a.txt", "one")
    second = library.collection("second")
    document = Document("one", mine.version, "one", "text/plain", "lines/1")
    theirs = library.keep(second, document, [], data=b"one", source_key="upload://a.txt")
    assert theirs.document_id != mine.document_id
    assert [stored.collection for stored in library.documents()] == ["default", "second"]
    assert library.documents(second.collection_id) == [theirs]
    library.delete(mine.document_id)
    assert library.documents() == [theirs]


def test_taken_source_is_refused_on_request(library: Library, keep: Any) -> None:
    """Without `replace` another file under a known key is a conflict, the same file is not."""
    stored = keep("upload://a.txt", "one", replace=False)
    assert keep("upload://a.txt", "one", replace=False) == stored
    with pytest.raises(SourceTakenError):
        keep("upload://a.txt", "two", replace=False)
    assert library.document_text(stored.document_id) == "one"


def test_passages_of_another_document_are_refused(
    library: Library, collection: Collection, keep: Any
) -> None:
    """A passage whose ids do not fit the document is bad input, and nothing is written."""
    stored = keep("upload://a.txt", "one")
    passages = library.passages_of(stored.document_id)
    document = Document("one", stored.version, "one", "text/plain", "lines/1")
    with pytest.raises(InputError):
        library.keep(collection, document, passages, data=b"one", source_key="upload://b.txt")
    assert library.documents() == [stored]


def test_title_of_the_same_file_can_change(library: Library, collection: Collection, keep: Any) -> None:
    """A new title is taken over without a new version; without one the old title stays."""
    stored = keep("upload://a.txt", "one")
    document = Document("one", stored.version, "one", "text/plain", "lines/1")
    passages = library.passages_of(stored.document_id)
    named = library.keep(
        collection, document, passages, data=b"one", source_key="upload://a.txt", title="House rules"
    )
    assert named == replace(stored, title="House rules")
    assert keep("upload://a.txt", "one") == named
    assert library.head() == 1


def test_flags_outline_and_lines_come_back(library: Library, collection: Collection) -> None:
    """Flags are listed, and a version can be located from what is stored: headings and lines of the file."""
    text = "Top\nfirst\nsecond"
    document = Document(
        text,
        ids.version_of(text),
        "",
        "text/markdown",
        "markdown/1",
        outline=(Heading("Top", 1, 0), Heading("Sub", 2, 4)),
        flags=(Flag(3, "hidden_text"), Flag(None, "repaired")),
        line_numbers=(1, 5, 9),
    )
    stored = library.keep(collection, document, [], data=b"x", source_key="https://example.org/a.md")
    assert stored.flags == document.flags
    assert stored.title == "a.md"
    outlined = library.outlined(stored.document_id)
    assert outlined.locator(10, 16) == document.locator(10, 16)
    assert outlined.locator(10, 16).line == 9
    assert outlined.locator(10, 16).headings == ("Top", "Sub")
