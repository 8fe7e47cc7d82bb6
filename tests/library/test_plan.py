"""What an added path holds: every file once, named from the path down, in a fixed order."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.core.errors import ReadingError, SourceTakenError
from pincite.library.plan import plan

if TYPE_CHECKING:
    import pytest


def _write(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)


def _names(*paths: Path) -> list[str]:
    return [step.name for step in plan(paths)]


def test_folder_is_walked_in_order(tmp_path: Path) -> None:
    """Files are named from the folder down with slashes, sorted part by part; hidden ones are left out."""
    _write(tmp_path, "b.md", "a/z.md", "a/y.md", "a-b.md", ".hidden.md", ".git/config", "a/.x/c.md")
    assert _names(tmp_path) == ["a/y.md", "a/z.md", "a-b.md", "b.md"]
    assert plan([tmp_path])[0].source_key == "upload://a/y.md"


def test_single_file_is_named_alone(tmp_path: Path) -> None:
    """A file that is named itself has its own name as key, also a hidden one."""
    _write(tmp_path, "sub/a.md", ".b.md")
    assert _names(tmp_path / "sub" / "a.md", tmp_path / ".b.md") == ["a.md", ".b.md"]


def test_file_reached_twice_comes_once(tmp_path: Path) -> None:
    """A file is taken by the first path that leads to it."""
    _write(tmp_path, "sub/a.md", "b.md")
    assert _names(tmp_path, tmp_path / "sub" / "a.md", tmp_path) == ["b.md", "sub/a.md"]


def test_second_file_of_a_name_fails(tmp_path: Path) -> None:
    """Two folders with a file of the same name: the second does not replace the first in silence."""
    _write(tmp_path, "x/readme.md", "y/readme.md")
    first, second = plan([tmp_path / "x", tmp_path / "y"])
    assert first.error is None
    assert isinstance(second.error, SourceTakenError)


def test_links_do_not_lead_out(tmp_path: Path) -> None:
    """Links out of the folder, to nothing, to themselves and to folders are left out, whatever they are called."""
    _write(tmp_path, "outside.md", "root/a.md", "root/.store/kept.md", "root/sub/b.md")
    root = tmp_path / "root"
    (root / "leaves.md").symlink_to(tmp_path / "outside.md")
    (root / "again.md").symlink_to(root / "a.md")
    (root / "from-store.md").symlink_to(root / ".store" / "kept.md")
    (root / "nothing.md").symlink_to(root / "gone.md")
    (root / "itself.md").symlink_to(root / "itself.md")
    (root / "round").symlink_to(root)
    assert _names(root) == ["a.md", "from-store.md", "sub/b.md"]


def test_named_link_is_followed(tmp_path: Path) -> None:
    """A link that the user names is what it leads to."""
    _write(tmp_path, "real/a.md")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert _names(tmp_path / "link") == ["a.md"]


def test_missing_path_is_a_step_with_an_error(tmp_path: Path) -> None:
    """A path that is not there is told, with a sentence that shows no path."""
    (step,) = plan([tmp_path / "gone.md"])
    assert step.name == "gone.md"
    assert isinstance(step.error, ReadingError)
    assert step.error.message == "This cannot be read: no such file or directory."


def test_closed_folder_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that may not be looked into is one failed step, and the others are walked."""
    _write(tmp_path, "a.md", "closed/b.md")
    real = os.scandir

    def scandir(path: str) -> object:
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    first, second = plan([tmp_path])
    assert (first.name, first.error) == ("a.md", None)
    assert second.name == "closed"
    assert second.error is not None
    assert second.error.message == "This cannot be read: permission denied."


def test_names_that_are_no_utf8_can_be_stored(tmp_path: Path) -> None:
    """A name of undecodable bytes loses them, so that the key can be stored and shown."""
    (tmp_path / os.fsdecode(b"caf\xe9.md")).write_text("x")
    assert _names(tmp_path) == ["caf\ufffd.md"]


def test_library_is_not_added_to_itself(tmp_path: Path) -> None:
    """The library's own folder is left out of a walk over the folder that it stands in."""
    _write(tmp_path, "a.md", "home/library.db", "home/files/x", "sub/home/b.md")
    assert [step.name for step in plan([tmp_path], home=tmp_path / "home")] == ["a.md", "sub/home/b.md"]


def test_socket_is_a_step(tmp_path: Path) -> None:
    """What is no ordinary file is not passed over: reading it will say so."""
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(tmp_path / "door"))
        assert _names(tmp_path) == ["door"]


def test_folder_named_by_dots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`.` and `..` are folders like others."""
    _write(tmp_path, "a.md", "sub/b.md")
    monkeypatch.chdir(tmp_path / "sub")
    assert _names(Path()) == ["b.md"]
    assert _names(Path("..")) == ["a.md", "sub/b.md"]
