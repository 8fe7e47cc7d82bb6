"""Files: once each, in a folder or a bucket, swept when nobody names them."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

import obstore
import pytest
from obstore.store import MemoryStore

from pincite.core.errors import NotFoundError, SettingError, StoreError
from pincite.core.limits import DEFAULT
from pincite.library import Library
from pincite.library._copies import Copies
from pincite.library.files import STAGED_SECONDS, Files, hash_of

if TYPE_CHECKING:
    from pathlib import Path

# SHA-256 of "abc": the first example of FIPS 180-2.
ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def _bucket(tmp_path: Path, store: MemoryStore) -> Files:
    return Files(store, None, "local", Copies(tmp_path / "cache", DEFAULT.file_cache_bytes))


@pytest.mark.on_sqlite
def test_file_is_named_by_its_hash(tmp_path: Path) -> None:
    """Bytes are kept once under SHA-256, led by the tenant, and the local file is the stored one."""
    files = Files.open(None, home=tmp_path, tenant="local")
    assert files.put(b"abc") == files.put(b"abc") == ABC
    assert files.local_path(ABC) == (tmp_path / "files" / "local" / "ba" / ABC).resolve()
    assert files.names() == [ABC]
    files.delete(ABC)
    files.delete(ABC)
    assert files.names() == []
    with pytest.raises(NotFoundError):
        files.local_path(ABC)


@pytest.mark.on_sqlite
def test_file_cut_short_is_written_again(tmp_path: Path) -> None:
    """A file that a failing disk left shorter than it should be is replaced when it comes again."""
    files = Files.open(None, home=tmp_path, tenant="local")
    path = files.local_path(files.put(b"abc"))
    path.write_bytes(b"a")
    files.put(b"abc")
    assert path.read_bytes() == b"abc"


def test_bucket_is_read_through_a_cache(tmp_path: Path) -> None:
    """From a store without a folder a file is copied once and then read locally; deleting takes the copy too."""
    store = MemoryStore()
    files = _bucket(tmp_path, store)
    name = files.put(b"abc")
    path = files.local_path(name)
    assert path.read_bytes() == b"abc"
    assert path.is_relative_to(tmp_path / "cache")
    assert [child.name for child in path.parent.iterdir()] == [name]
    obstore.delete(store, f"local/ba/{ABC}")
    assert files.local_path(name) == path
    files.delete(name)
    assert not path.exists()
    with pytest.raises(NotFoundError):
        files.local_path(name)


def test_damaged_file_of_a_bucket_is_not_served(tmp_path: Path) -> None:
    """Bytes that do not have the hash of their name are an error, and no copy is left."""
    store = MemoryStore()
    files = _bucket(tmp_path, store)
    files.put(b"abc")
    obstore.put(store, f"local/ba/{ABC}", b"abd")
    with pytest.raises(StoreError, match="damaged"):
        files.local_path(ABC)
    assert list((tmp_path / "cache" / "local").iterdir()) == []


def test_library_on_another_file_store(tmp_path: Path) -> None:
    """A folder elsewhere may hold the files, by path or by address."""
    (tmp_path / "b").mkdir()
    for address in (str(tmp_path / "a"), f"file://{tmp_path}/b"):
        files = Files.open(address, home=tmp_path / "home", tenant="local")
        name = files.put(b"abc")
        assert files.local_path(name).read_bytes() == b"abc"
        assert files.local_path(name).is_relative_to(tmp_path)
        assert "cache" not in files.local_path(name).parts


@pytest.mark.parametrize("address", ["nope://key:secret@bucket", "s3://", "://secret"])
def test_unreadable_address_is_a_setting_error(home: Path, address: str) -> None:
    """An address that names no store says so in a sentence that repeats nothing of it."""
    with pytest.raises(SettingError) as caught:
        Library.open(home, files=address)
    assert "secret" not in caught.value.message


@pytest.mark.on_sqlite
def test_sweep_removes_what_nobody_names(library: Library, home: Path, keep: Any) -> None:
    """Files without a row, and old half-written ones, go; named ones and fresh half-written ones stay."""
    kept = keep("upload://a.txt", "one")
    folder = home / "files" / "local" / "ba"
    folder.mkdir(exist_ok=True)
    (folder / ABC).write_bytes(b"abc")
    (folder / f"{ABC}#1").write_bytes(b"a")
    (folder / f"{ABC}#2").write_bytes(b"a")
    long_ago = time.time() - STAGED_SECONDS - 60
    os.utime(folder / f"{ABC}#1", (long_ago, long_ago))
    assert library.sweep() == 2
    assert [path.name for path in folder.iterdir()] == [f"{ABC}#2"]
    assert library.source_file(kept.document_id).path.read_bytes() == b"one"
    assert library.sweep() == 0


@pytest.mark.on_sqlite
def test_missing_file_of_a_document_is_not_found(library: Library, keep: Any) -> None:
    """A stored document whose file somebody removed has no source file, and no path is told."""
    kept = keep("upload://a.txt", "one")
    library.source_file(kept.document_id).path.unlink()
    with pytest.raises(NotFoundError) as caught:
        library.source_file(kept.document_id)
    assert "/" not in caught.value.message


@pytest.mark.on_sqlite
def test_store_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    """When the folder turns out to be a file, the error names no path."""
    files = Files.open(None, home=tmp_path, tenant="local")
    (tmp_path / "files" / "local").write_bytes(b"")
    with pytest.raises(StoreError) as caught:
        files.put(b"abc")
    assert "/" not in caught.value.message
    assert caught.value.message.endswith(".")


def test_hash_is_sha_256() -> None:
    """The name is SHA-256 in lower-case hex."""
    assert hash_of(b"abc") == ABC
