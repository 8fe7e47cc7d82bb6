"""Real files through the real reading pool into a library."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pincite.core.errors import READING_ERRORS
from pincite.library import add_paths
from pincite.reading import ReadingPool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pincite.core.document import Document
    from pincite.library import Collection, Library

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="module")
def reading() -> Iterator[ReadingPool]:
    """The real pool."""
    with ReadingPool() as pool:
        yield pool


class Watched:
    """The real pool; what it reads is seen on the way."""

    def __init__(self, pool: ReadingPool) -> None:
        self._pool = pool
        self.documents: list[Document] = []

    def read(self, data: bytes, *, name: str, on_page: Callable[[int, int], None] | None = None) -> Document:
        """Read a file."""
        document = self._pool.read(data, name=name, on_page=on_page)
        self.documents.append(document)
        return document


def test_examples_are_added(library: Library, collection: Collection, reading: ReadingPool) -> None:
    """Every example is ready; passages are slices of the stored text, and the PDF's have boxes on its pages."""
    results = list(add_paths(library, collection, [EXAMPLES], pool=reading))
    assert [(result.file, result.status) for result in results] == [
        (path.name, "ready") for path in sorted(EXAMPLES.iterdir())
    ]
    for document in library.documents():
        text = library.document_text(document.document_id)
        passages = library.passages_of(document.document_id)
        assert len(passages) == document.passages > 0
        outlined = library.outlined(document.document_id)
        for passage in passages:
            assert text[passage.start : passage.end] == passage.text
            assert outlined.locator(passage.start, passage.end).page == passage.locator.page
            if document.media_type == "application/pdf":
                assert {box.page for box in passage.boxes} <= set(range(1, document.pages + 1))
                assert passage.boxes
    again = list(add_paths(library, collection, [EXAMPLES], pool=reading))
    assert {result.status for result in again} == {"unchanged"}


def test_one_edited_sentence_leaves_most_passages(
    library: Library, collection: Collection, reading: ReadingPool, tmp_path: Path
) -> None:
    """Editing one word of the minutes keeps the ids of passages that do not hold it."""
    source = EXAMPLES / "minutes-2026-03.md"
    copy = Path(shutil.copy(source, tmp_path / "minutes.md"))
    (first,) = add_paths(library, collection, [copy], pool=reading)
    assert first.document_id is not None
    old = library.passages_of(first.document_id)
    last = old[-1]
    word = max(last.text.split(), key=len)
    text = copy.read_text(encoding="utf-8")
    head, _, tail = text.rpartition(word)
    copy.write_text(f"{head}whatever{tail}", encoding="utf-8")
    (second,) = add_paths(library, collection, [copy], pool=reading)
    new = library.passages_of(first.document_id)
    assert second.document_id == first.document_id
    assert [passage.chunk_id for passage in new[:-1]] == [passage.chunk_id for passage in old[:-1]]
    assert new[-1].chunk_id != last.chunk_id
    assert library.passage(last.chunk_id) == last


def test_every_shared_pdf_has_a_typed_result(
    library: Library, collection: Collection, reading: ReadingPool, shared: Path
) -> None:
    """Each file of the folder is ready, flagged, or failed with a known reason: one needs a password.

    The others are read, and each of their pages has a layout.
    """
    watched = Watched(reading)
    results = list(add_paths(library, collection, [shared / "pdfs"], pool=watched))
    files = sorted(path.name for path in (shared / "pdfs").iterdir())
    assert [result.file for result in results] == files
    for result in results:
        assert result.status in ("ready", "flagged", "failed")
        assert (result.reason in READING_ERRORS) == (result.status == "failed")
        assert (result.passages > 0) == (result.status != "failed")
    reasons = {result.file: result.reason for result in results}
    assert {name: reason for name, reason in reasons.items() if reason is not None} == {
        "sample-files__libreoffice-writer-password.pdf": "encrypted"
    }
    assert len(watched.documents) == len(files) - 1
    for document in watched.documents:
        assert document.text
        assert len(document.layouts) == len(document.pages)


def test_unknown_format_is_typed(
    library: Library, collection: Collection, reading: ReadingPool, tmp_path: Path
) -> None:
    """A file of no known format in a walked folder is a failed result, never passed over."""
    (tmp_path / "data.bin").write_bytes(bytes(range(256)))
    (tmp_path / "empty.txt").write_bytes(b"")
    results = list(add_paths(library, collection, [tmp_path], pool=reading))
    assert [(result.file, result.reason) for result in results] == [
        ("data.bin", "unsupported"),
        ("empty.txt", "empty"),
    ]
