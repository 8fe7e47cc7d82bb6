"""Ingest: one result a file whatever the files are, in order, stoppable, and done again for nothing."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from threading import Barrier, Event, Lock
from typing import TYPE_CHECKING, Any

import pytest

from pincite.core import ids
from pincite.core.document import Document, Flag
from pincite.core.errors import (
    DamagedError,
    InputError,
    MissingExtraError,
    StoreError,
    UnsupportedError,
)
from pincite.core.limits import DEFAULT
from pincite.library import AddResult, FileDone, FileStarted, Library, PageRead, add_paths
from pincite.library import ingest as ingest_module

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pincite.library import Collection

FAILURES: dict[bytes, Exception] = {
    b"damaged": DamagedError("The file is damaged."),
    b"unsupported": UnsupportedError("There is no reader for this format."),
    b"extra": MissingExtraError("PDF files", "pdf"),
}


class FakePool:
    """Reads bytes as text; knows some that fail; counts what it reads."""

    def __init__(self) -> None:
        self.read_names: list[str] = []
        self.before: Callable[[str], object] = str
        self._lock = Lock()

    def read(self, data: bytes, *, name: str, on_page: Callable[[int, int], None] | None = None) -> Document:
        """Return the text as a document, flagged when it says so."""
        self.before(name)
        with self._lock:
            self.read_names.append(name)
        if data in FAILURES:
            raise FAILURES[data]
        if on_page is not None:
            on_page(1, 2)
            on_page(2, 2)
        text = data.decode()
        flags = (Flag(2, "hidden_text"),) if "flag" in text else ()
        return Document(text, ids.version_of(text), name, "text/plain", "fake/1", flags=flags)


@pytest.fixture
def pool() -> FakePool:
    """A pool without processes."""
    return FakePool()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of good and bad files."""
    files = {
        "a.txt": "Apples are red.",
        "b/damaged.pdf": "damaged",
        "b/good.txt": "Bananas are yellow.",
        "c.xyz": "unsupported",
        "d.txt": "Dates are brown, flag it.",
        "e.pdf": "extra",
    }
    root = tmp_path / "files"
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def _brief(results: Iterator[AddResult]) -> list[tuple[str, str, str | None]]:
    return [(result.file, result.status, result.reason) for result in results]


def test_every_file_has_its_result(
    library: Library, collection: Collection, folder: Path, pool: FakePool
) -> None:
    """Bad files fail with their reason and the others go on; results stand in the order of the walk."""
    results = list(add_paths(library, collection, [folder], pool=pool))
    assert _brief(iter(results)) == [
        ("a.txt", "ready", None),
        ("b/damaged.pdf", "failed", "damaged"),
        ("b/good.txt", "ready", None),
        ("c.xyz", "failed", "unsupported"),
        ("d.txt", "flagged", None),
        ("e.pdf", "failed", "missing_extra"),
    ]
    assert results[1].message == "The file is damaged."
    assert results[0].as_dict() == {
        "file": "a.txt",
        "status": "ready",
        "reason": None,
        "pages": 0,
        "passages": 1,
    }
    assert results[4].as_dict()["flags"] == [{"page": 2, "reason": "hidden_text"}]
    keys = [stored.source_key for stored in library.documents()]
    assert keys == ["upload://a.txt", "upload://b/good.txt", "upload://d.txt"]
    assert results[0].document_id == ids.document_id(collection.collection_id, "upload://a.txt")


def test_second_run_reads_nothing(
    library: Library, collection: Collection, folder: Path, pool: FakePool
) -> None:
    """Files that are kept are `unchanged` after one look at their bytes; only failed ones are tried again."""
    list(add_paths(library, collection, [folder], pool=pool))
    head = library.head()
    pool.read_names.clear()
    results = list(add_paths(library, collection, [folder], pool=pool))
    assert [result.status for result in results].count("unchanged") == 3
    assert sorted(pool.read_names) == ["c.xyz", "damaged.pdf", "e.pdf"]
    assert results[4].flags == (Flag(2, "hidden_text"),)
    assert library.head() == head


def test_edited_file_is_a_new_version(
    library: Library, collection: Collection, folder: Path, pool: FakePool
) -> None:
    """Editing a file and adding it again replaces it, unless replacing is forbidden."""
    list(add_paths(library, collection, [folder], pool=pool))
    (folder / "a.txt").write_text("Apples are green.")
    (taken,) = add_paths(library, collection, [folder / "a.txt"], pool=pool, replace=False)
    assert (taken.status, taken.reason) == ("failed", "source_taken")
    (edited,) = add_paths(library, collection, [folder / "a.txt"], pool=pool)
    assert edited.status == "ready"
    assert edited.document_id is not None
    assert library.document_text(edited.document_id) == "Apples are green."


def test_deleted_document_is_added_again(
    library: Library, collection: Collection, folder: Path, pool: FakePool
) -> None:
    """A file that was removed from the library is no longer `unchanged`."""
    (first,) = add_paths(library, collection, [folder / "a.txt"], pool=pool)
    assert first.document_id is not None
    library.delete(first.document_id)
    (second,) = add_paths(library, collection, [folder / "a.txt"], pool=pool)
    assert (second.status, second.document_id) == ("ready", first.document_id)


def test_stop_leaves_the_rest_for_the_next_run(
    library: Library, collection: Collection, tmp_path: Path, pool: FakePool
) -> None:
    """After `stop` what has begun is finished and told, nothing else begins, and the next run does the rest."""
    for number in range(20):
        (tmp_path / f"{number:02}.txt").write_text(f"File {number}.")
    stop = Event()
    results: list[AddResult] = []
    for result in add_paths(library, collection, [tmp_path], pool=pool, stop=stop):
        results.append(result)
        stop.set()
    assert 1 <= len(results) <= 20
    assert {result.status for result in results} == {"ready"}
    assert len(library.documents()) == len(results) == len(pool.read_names)
    after = [result.status for result in add_paths(library, collection, [tmp_path], pool=pool)]
    assert after.count("unchanged") == len(results)
    assert len(library.documents()) == 20


def test_stop_before_anything(library: Library, collection: Collection, folder: Path, pool: FakePool) -> None:
    """A run that is stopped at once yields nothing."""
    stop = Event()
    stop.set()
    assert list(add_paths(library, collection, [folder], pool=pool, stop=stop)) == []


def test_listener_may_leave(library: Library, collection: Collection, tmp_path: Path, pool: FakePool) -> None:
    """When the caller stops listening, what has begun is kept whole and nothing runs on behind its back."""
    for number in range(200):
        (tmp_path / f"{number:03}.txt").write_text(f"File {number}.")
    results = add_paths(library, collection, [tmp_path], pool=pool)
    next(results)
    results.close()  # type: ignore[attr-defined]
    read = len(pool.read_names)
    assert len(library.documents()) == read < 200


def test_files_are_read_at_the_same_time(home: Path, tmp_path: Path, pool: FakePool) -> None:
    """With three workers three files are in hand at once: each waits for the other two."""
    for number in range(3):
        (tmp_path / f"{number}.txt").write_text(f"File {number}.")
    barrier = Barrier(3)
    pool.before = lambda _name: barrier.wait(60)
    with Library.open(home, limits=replace(DEFAULT, workers=3)) as library:
        results = list(add_paths(library, library.collection("c"), list(tmp_path.glob("*.txt")), pool=pool))
    assert [result.status for result in results] == ["ready"] * 3


def test_slow_first_file_does_not_change_the_order(home: Path, tmp_path: Path, pool: FakePool) -> None:
    """Results come in the order of the walk though the first file is finished last."""
    for number in range(5):
        (tmp_path / f"{number}.txt").write_text(f"File {number}.")
    others = Event()

    def before(name: str) -> None:
        if name == "0.txt":
            assert others.wait(60)
        elif name == "4.txt":
            others.set()

    pool.before = before
    with Library.open(home, limits=replace(DEFAULT, workers=2)) as library:
        results = list(add_paths(library, library.collection("c"), [tmp_path], pool=pool))
    assert [result.file for result in results if result.file.endswith(".txt")] == [
        f"{n}.txt" for n in range(5)
    ]


def test_progress_tells_files_and_pages(
    library: Library, collection: Collection, folder: Path, pool: FakePool
) -> None:
    """Each file is started, its pages are counted, and it is done with its result; calls never overlap."""
    heard: list[Any] = []
    results = list(add_paths(library, collection, [folder / "a.txt"], pool=pool, on_progress=heard.append))
    assert heard == [
        FileStarted("a.txt", 1, 1),
        PageRead("a.txt", 1, 2),
        PageRead("a.txt", 2, 2),
        FileDone(results[0], 1, 1),
    ]


def test_address_is_the_home_of_a_file(
    library: Library, collection: Collection, folder: Path, pool: FakePool
) -> None:
    """A file's address is its key; a folder's is the beginning of the addresses of its files; two paths have none."""
    home = "https://example.org/a"
    (single,) = add_paths(library, collection, [folder / "a.txt"], pool=pool, source_uri=home)
    assert single.document_id == ids.document_id(collection.collection_id, home)
    assert single.document_id is not None
    assert library.document(single.document_id).source_uri == home
    (folder / "b" / "damaged.pdf").write_text("now good")
    list(add_paths(library, collection, [folder / "b"], pool=pool, source_uri=home + "/"))
    addresses = [stored.source_uri for stored in library.documents()]
    assert addresses == [home, home + "/damaged.pdf", home + "/good.txt"]
    with pytest.raises(InputError):
        add_paths(library, collection, [folder, folder], pool=pool, source_uri=home)


def test_file_over_the_limit_is_not_read(home: Path, tmp_path: Path, pool: FakePool) -> None:
    """A file of one byte more than the limit fails, one of the limit does not."""
    (tmp_path / "10.txt").write_text("0123456789")
    (tmp_path / "11.txt").write_text("0123456789!")
    with Library.open(home, limits=replace(DEFAULT, file_bytes=10)) as library:
        paths = [tmp_path / "10.txt", tmp_path / "11.txt"]
        results = list(add_paths(library, library.collection("c"), paths, pool=pool))
    assert [(result.status, result.reason) for result in results] == [
        ("ready", None),
        ("failed", "too_large"),
    ]
    assert pool.read_names == ["10.txt"]


def test_what_the_system_refuses_shows_no_path(
    library: Library, collection: Collection, tmp_path: Path, pool: FakePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pipes, missing and forbidden files are failed results whose sentence holds no path, and nothing hangs."""
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "secret.txt").write_text("x")
    real = os.open

    def refuse(path: Any, flags: int, mode: int = 0o777, **options: Any) -> int:
        if str(path).endswith("secret.txt"):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return real(path, flags, mode, **options)

    monkeypatch.setattr(ingest_module.os, "open", refuse)
    paths = [tmp_path / name for name in ("pipe.txt", "secret.txt", "gone.txt")]
    results = list(add_paths(library, collection, paths, pool=pool))
    assert _brief(iter(results)) == [
        ("pipe.txt", "failed", "unsupported"),
        ("secret.txt", "failed", "unreadable"),
        ("gone.txt", "failed", "unreadable"),
    ]
    assert all(result.message and str(tmp_path) not in result.message for result in results)
    assert results[1].message == "This cannot be read: permission denied."


def test_file_without_text_fails(
    library: Library, collection: Collection, tmp_path: Path, pool: FakePool
) -> None:
    """A file that gives no passage is `empty` and not kept."""
    (tmp_path / "blank.txt").write_text(" \n ")
    (result,) = add_paths(library, collection, [tmp_path / "blank.txt"], pool=pool)
    assert (result.status, result.reason) == ("failed", "empty")
    assert library.documents() == []


def test_no_absolute_path_is_stored(
    library: Library, collection: Collection, folder: Path, pool: FakePool
) -> None:
    """The database does not hold the folder that was added."""
    list(add_paths(library, collection, [folder], pool=pool))
    with library.database.reading() as connection:
        for table in ("documents", "versions", "passages", "places", "changes"):
            for row in connection.exec_driver_sql(f"SELECT * FROM {table}"):  # noqa: S608 - names from above
                assert str(folder) not in repr(tuple(row))


def test_failing_store_ends_the_run(
    library: Library, collection: Collection, folder: Path, pool: FakePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the library cannot be written there is no point in reading on: the error comes out, work ends."""

    def full(*_: object, **__: object) -> None:
        message = "The disk is full; nothing was changed."
        raise StoreError(message)

    monkeypatch.setattr(Library, "keep", full)
    with pytest.raises(StoreError, match="disk is full"):
        list(add_paths(library, collection, [folder], pool=pool))


def test_empty_folder_has_no_results(
    library: Library, collection: Collection, tmp_path: Path, pool: FakePool
) -> None:
    """Nothing to add is nothing to tell."""
    (tmp_path / "empty").mkdir()
    assert list(add_paths(library, collection, [tmp_path / "empty"], pool=pool)) == []
