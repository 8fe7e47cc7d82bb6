"""A process that is killed -9 at any step leaves the old state or the new one, and the work can go on."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from pincite.core import ids
from pincite.core.verdicts import SourceState
from pincite.library import Library

CHILD = Path(__file__).with_name("crash_child.py")
KEY = "upload://a.txt"
NEW_TEXTS = {"add": "uno\ndue", "edit": "one\nzwei\nthree", "revert": "first\nedition"}
TIME = datetime(2026, 1, 2, tzinfo=UTC)
STEPS = {
    "add": {"before blob", "after blob", "INSERT INTO documents", "INSERT INTO versions", "INSERT INTO changes",
            "UPDATE counters SET", "INSERT INTO passages", "INSERT INTO places", "before commit", "after commit"},
    "edit": {"before blob", "after blob", "UPDATE documents SET", "INSERT INTO versions", "INSERT INTO changes",
             "UPDATE passages SET", "INSERT INTO places", "before commit", "after commit"},
    "revert": {"UPDATE versions SET", "UPDATE places SET", "DELETE FROM places", "before commit", "after commit"},
    "delete": {"INSERT INTO changes", "DELETE FROM vectors", "DELETE FROM passages", "DELETE FROM versions",
               "UPDATE documents SET", "before commit", "after commit", "before blob delete", "after blob delete"},
}  # fmt: skip


def _state(library: Library) -> dict[str, Any]:
    """Return all that a user can see, times left out; check that its parts agree with one another."""
    seen: dict[str, Any] = {}
    current: set[str] = set()
    for document in library.documents():
        passages = library.passages_of(document.document_id)
        assert library.document_text(document.document_id) == "\n".join(p.text for p in passages)
        assert library.source_file(document.document_id).path.is_file()
        found = library.current_passages([p.chunk_id for p in passages])
        assert found == {p.chunk_id: replace(p, boxes=()) for p in passages}
        current |= found.keys()
        seen[document.source_key] = (replace(document, added_at=TIME), passages)
    changes = library.changes(0, 10_000)
    assert [change.seq for change in changes] == list(range(1, library.head() + 1))
    standing: set[str] = set()
    for change in changes:
        (standing.add if change.op == "put" else standing.discard)(change.chunk_id)
    assert standing == current
    seen["feed"] = [(change.op, change.chunk_id) for change in changes]
    return seen


@pytest.fixture
def template(home: Path, from_lines: Any) -> Path:
    """A closed library of two documents, one of them with an old version."""
    with Library.open(home) as library:
        collection = library.collection("default")
        from_lines(library, collection, KEY, "first\nedition")
        stored = from_lines(library, collection, KEY, "one\ntwo\nthree")
        from_lines(library, collection, "upload://b.txt", "other")
        chunk = library.passages_of(stored.document_id)[0].chunk_id
        library.store_vectors("m", [(chunk, b"v")])
    return home


@pytest.mark.on_sqlite
@pytest.mark.parametrize("action", ["add", "edit", "revert", "delete"])
def test_killed_anywhere_leaves_old_or_new(
    template: Path, tmp_path: Path, from_lines: Any, action: str
) -> None:
    """Before the commit the old state stands, after it the new one; sweeping and trying again then do their work."""
    folder = tmp_path / "copies"
    folder.mkdir()
    arguments = ["-W", "error", str(CHILD), str(template), str(folder), action]
    run = subprocess.run([sys.executable, *arguments], check=True, capture_output=True, text=True)
    steps = run.stdout.splitlines()
    assert steps[-1] == "done"
    assert set(steps) >= STEPS[action]
    with Library.open(template) as library:
        old = _state(library)
    with Library.open(folder / str(len(steps))) as library:
        new = _state(library)
    assert new != old
    committed = steps.index("after commit")
    for number, step in enumerate(steps, start=1):
        home = folder / str(number)
        with Library.open(home) as library:
            assert _state(library) == (old if number <= committed else new), step
            library.sweep()
            assert _named_files(library) == {path.name for path in home.glob("files/*/*/*")}, step
            _again(library, action, from_lines)
            assert _state(library) == new, step


def _again(library: Library, action: str, from_lines: Any) -> None:
    """Do what was interrupted, as a person would."""
    if action != "delete":
        key = "upload://new.txt" if action == "add" else KEY
        from_lines(library, library.collection("default"), key, NEW_TEXTS[action])
        return
    document_id = ids.document_id(library.collection("default").collection_id, KEY)
    version = ids.version_of("one\ntwo\nthree")
    if library.source_state(document_id, version) is SourceState.CURRENT:
        library.delete(document_id)
    assert library.source_state(document_id, version) is SourceState.REMOVED


def _named_files(library: Library) -> set[str]:
    """Return the files of every version."""
    with library.database.reading() as connection:
        return {row[0] for row in connection.exec_driver_sql("SELECT file_hash FROM versions")}
