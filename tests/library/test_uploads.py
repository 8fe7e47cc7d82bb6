"""Uploads: written piece by piece, found under their hash, and gone when they are given up."""

from __future__ import annotations

import errno
import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.errors import InputError, StoreError, TooLargeError
from pincite.core.limits import DEFAULT
from pincite.library import Library, Uploads
from pincite.library import files as files_module
from pincite.library.uploads import file_name

if TYPE_CHECKING:
    from pathlib import Path


def _files(home: Path) -> list[str]:
    # Beside a bucket they are those that are on their way to it, and copies of its files.
    folders = (home / "files", home / "cache")
    return sorted(path.name for one in folders for path in one.rglob("*") if path.is_file())


def test_upload_is_kept_under_its_hash(library: Library, home: Path) -> None:
    """Pieces of any size make one file; the same bytes again are no second one."""
    for pieces in ([b"one ", b"", b"two"], [b"one two"]):
        with Uploads(library).begin("C:\\folder\\notes.txt") as upload:
            for piece in pieces:
                upload.write(piece)
            done = upload.finish()
        assert (done.name, done.bytes) == ("notes.txt", 7)
        assert done.file_hash == hashlib.sha256(b"one two").hexdigest()
        assert library.files.local_path(done.file_hash).read_bytes() == b"one two"
        assert _files(home) == [done.file_hash]
    assert library.sweep() == 0


def test_upload_in_a_bucket(tmp_path: Path) -> None:
    """Where the store is no folder that we know, the file is sent from one beside the cache."""
    with Library.open(tmp_path / "home", files="memory://") as library:
        with Uploads(library).begin("a.txt") as upload:
            upload.write(b"one")
            done = upload.finish()
        assert library.files.local_path(done.file_hash).read_bytes() == b"one"
        assert list((tmp_path / "home").rglob("upload-*")) == []


def test_too_many_bytes_are_refused(home: Path) -> None:
    """The count is taken while they come; nothing stays of them."""
    with Library.open(home, limits=replace(DEFAULT, file_bytes=10)) as library:
        upload = Uploads(library).begin("a.txt")
        upload.write(b"x" * 10)
        assert len(_files(home)) == 1
        with pytest.raises(TooLargeError):
            upload.write(b"x")
        assert _files(home) == []


def test_abandoned_upload_leaves_nothing(library: Library, home: Path) -> None:
    """What is not finished is removed, and is not listed meanwhile."""
    with Uploads(library).begin("a.txt") as upload:
        upload.write(b"one")
        assert library.files.names() == []
        assert library.sweep() == 0
    assert _files(home) == []
    upload.abandon()


@pytest.mark.on_sqlite
def test_full_disk_is_one_sentence(library: Library, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that is full at the end of an upload is a StoreError, and nothing stays."""

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "/secret")

    upload = Uploads(library).begin("a.txt")
    upload.write(b"one")
    monkeypatch.setattr(files_module.Path, "replace", full)
    with pytest.raises(StoreError, match=r"^The disk is full; nothing was changed\.$"):
        upload.finish()
    assert _files(home) == []


def test_tenants_do_not_meet(library: Library) -> None:
    """Two tenants with the same bytes have a file each."""
    other = library.of_tenant("other")
    for one in (library, other):
        with Uploads(one).begin("a.txt") as upload:
            upload.write(b"one")
            upload.finish()
    (name,) = library.files.names()
    library.drop_files([name])
    assert library.files.local_path(name) != other.files.local_path(name)


@pytest.mark.parametrize(
    ("given_name", "name"),
    [
        ("report.pdf", "report.pdf"),
        ("../../etc/passwd", "passwd"),
        ("a\\b\\c.txt", "c.txt"),
        ("re\u0301sume\u0301.txt", "r\u00e9sum\u00e9.txt"),
        ("a\x00b\x07\u202etxt.exe", "a\ufffdb txt.exe"),
        (" two \n lines.md ", "two lines.md"),
        ("x" * 300 + ".docx", "x" * 195 + ".docx"),
        ("x" * 300, "x" * 200),
        ("." + "y" * 300, "." + "y" * 199),
        (".env", ".env"),
    ],
)
def test_file_names(given_name: str, name: str) -> None:
    """The last part of a path is left, as one visible line of bounded length that keeps its ending."""
    assert file_name(given_name) == name


@pytest.mark.parametrize("bad", ["", "/", "a/", "..", "\u202e", "\n"])
def test_names_that_are_none(bad: str) -> None:
    """A file without a name that can be shown is refused."""
    with pytest.raises(InputError):
        file_name(bad)


@given(st.text(max_size=300))
def test_file_names_are_one_short_part(text: str) -> None:
    """Whatever is given, a name is one part of a path and stays what it is."""
    try:
        name = file_name(text)
    except InputError:
        return
    assert 0 < len(name) <= 200
    assert not set(name) & set("/\\\x00\n")
    assert file_name(name) == name


def test_write_after_the_end_is_an_error(library: Library) -> None:
    """An upload that was given up takes nothing more."""
    upload = Uploads(library).begin("a.txt")
    upload.abandon()
    write: Any = upload.write
    with pytest.raises((StoreError, ValueError)):
        write(b"x")
