"""Several processes on one library: readers never wait for the writer, and none sees half of a change."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from pincite.library import Library

CHILD = Path(__file__).with_name("process_child.py")


def _start(home: Path, action: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-W", "error", str(CHILD), str(home), action],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _heard(child: subprocess.Popen[str]) -> str:
    assert child.stdout is not None
    return child.stdout.readline().strip()


def _go(child: subprocess.Popen[str]) -> None:
    assert child.stdin is not None
    child.stdin.write("\n")
    child.stdin.flush()


def _end(child: subprocess.Popen[str]) -> str:
    out, err = child.communicate()
    assert (child.returncode, err) == (0, "")
    return out.strip()


def test_readers_do_not_wait_for_the_writer(home: Path, keep: Any) -> None:
    """While one process holds a write open, another opens the library, reads the old state, and then the new one."""
    keep("upload://a.txt", "one\ntwo")
    writer = _start(home, "hold")
    assert _heard(writer) == "holding"
    with Library.open(home) as library:
        assert [document.title for document in library.documents()] == ["one"]
        assert len(library.passages_of(library.documents()[0].document_id)) == 2
        _go(writer)
        _end(writer)
        assert [document.title for document in library.documents()] == ["changed"]


def test_two_readers_while_one_writes(home: Path, keep: Any) -> None:
    """Two processes read a document again and again while this one edits it, and always see it whole."""
    keep("upload://a.txt", "start")
    readers = [_start(home, "read") for _ in range(2)]
    assert [_heard(reader) for reader in readers] == ["ready", "ready"]
    for turn in range(30):
        keep("upload://a.txt", "\n".join(f"turn {turn} line {line}" for line in range(turn + 1)))
    for reader in readers:
        _go(reader)
    assert all(int(_end(reader)) >= 1 for reader in readers)


def test_same_file_from_three_processes_at_once(home: Path) -> None:
    """Three processes make the library and add the same file together: one document, no error."""
    children = [_start(home, "keep") for _ in range(3)]
    assert [_heard(child) for child in children] == ["ready"] * 3
    for child in children:
        _go(child)
    names = {_end(child) for child in children}
    with Library.open(home) as library:
        assert names == {document.document_id for document in library.documents()}
        assert len(names) == 1
        assert len(library.collections()) == 1
        assert [change.op for change in library.changes(0, 10)] == ["put", "put"]
