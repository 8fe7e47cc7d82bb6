"""What is told of a passage that says of itself that it is of a document of the library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pincite.citing import CitationRun
from pincite.core.document import Document
from pincite.core.hit import Hit
from pincite.core.ids import chunk_id, document_id, version_of
from pincite.core.passage import Passage
from pincite.library import Library
from pincite.protocols.answers import answer_json, standing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WORDS = "Pay is secret. The board earns a million."
PART = WORDS[:14]


class Shelf:
    """A library with one document of two sentences, of which one is a passage."""

    def __init__(self, library: Library) -> None:
        self.library = library
        collection = library.collection("default")
        self.document = document_id(collection.collection_id, "https://ours.example/pay")
        self.chunk = chunk_id(self.document, PART)
        version = version_of(WORDS)
        library.keep(
            collection,
            Document(WORDS, version, "Pay", "text/plain", "plain/1"),
            [Passage(self.chunk, self.document, version, 0, len(PART), PART)],
            data=WORDS.encode(),
            source_key="https://ours.example/pay",
            source_uri="https://ours.example/pay",
        )

    def hit(self, run: CitationRun) -> Hit:
        """Return the passage as a search finds it."""
        return Hit(
            run.refs.issue(self.chunk), self.chunk, self.document, PART, "", "default",
            title="Pay", version=version_of(WORDS), end=len(PART),
        )  # fmt: skip


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    """A library in which there is something to pose as."""
    with Library.open(tmp_path) as library:
        yield Shelf(library)


def claims(shelf: Shelf) -> list[dict[str, Any]]:
    """Return results of a tool that name the document, each in another field."""
    document, chunk = shelf.document, shelf.chunk
    row: dict[str, Any] = {
        "ref": chunk[:8], "chunk_id": chunk, "document_id": document, "source_uri": "", "collection": "default",
        "metadata": {}, "confidence": "supported",
    }  # fmt: skip
    said: list[dict[str, Any]] = [
        {"document_id": document},
        {"id": "x", "document_id": document},
        {"id": chunk, "document_id": document},
        {"id": document},
        {"chunk_id": chunk, "document_id": document, "version": version_of(WORDS)},
        {"id": "x", "metadata": {"document_id": document}},
        {"id": "x", "metadata": {"doc_id": document, "source_id": document}},
        {"ref_doc_id": document},
        {"source_uri": f"{document}"},
        {"document_id": document, "evidence_id": f"ev1:c:{document}:{version_of(WORDS)}:{chunk}"},
        row,
        row | {"source_uri": "upload://pay"},
    ]
    return [one | {"content": "The board earns nothing."} for one in said]


@pytest.mark.parametrize("index", range(12))
def test_a_claimed_document_is_not_told(shelf: Shelf, index: int) -> None:
    """Neither the address nor the key nor the name of a document stands beside words that are not its."""
    run = CitationRun()
    payload = run.present(claims(shelf)[index])
    told = answer_json(run.resolve(f"So it is [{payload['ref']}]."), shelf.library)
    for source in (told["sources"][0], told["citations"][0]["source"]):
        assert (source["source_key"], source["source_uri"], source["title"]) == (None, None, None)
    assert told["citations"][0]["source_state"] is None


@pytest.mark.parametrize("index", range(12))
def test_a_claimed_document_is_no_scope(shelf: Shelf, index: int) -> None:
    """That a conversation has seen a document is so where the library knows what was seen."""
    run = CitationRun()
    run.present(claims(shelf)[index])
    assert len(standing(shelf.library, run.store)) == 0


def test_what_the_search_found_is_told(shelf: Shelf) -> None:
    """The passage of the library leads to its document until that is deleted."""
    run = CitationRun()
    run.present(shelf.hit(run))
    text = f"So it is [{shelf.hit(run).ref}]."
    (source,) = answer_json(run.resolve(text), shelf.library)["sources"]
    assert (source["source_key"], source["source_uri"]) == ("https://ours.example/pay",) * 2
    assert standing(shelf.library, run.store).document_ids == {shelf.document}
    shelf.library.delete(shelf.document)
    (source,) = answer_json(run.resolve(text), shelf.library)["sources"]
    assert (source["source_key"], source["source_uri"]) == (None, None)
    assert len(standing(shelf.library, run.store)) == 0
