"""The files: every stored file once, named by the SHA-256 of its bytes, in a folder or a bucket."""

from __future__ import annotations

import hashlib
import os
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import obstore
from obstore.exceptions import BaseError
from obstore.store import LocalStore, from_url

from pincite.core.errors import NotFoundError, SettingError, StoreError
from pincite.library.database import sentence_of

if TYPE_CHECKING:
    from collections.abc import Generator

    from obstore.store import ObjectStore

STAGED_SECONDS: Final = 3600
"""Age at which a half-written file is one that nobody is writing any more."""


def hash_of(data: bytes) -> str:
    """Return the name of a file: SHA-256 of its bytes in hex."""
    return hashlib.sha256(data).hexdigest()


@contextmanager
def _as_store_errors() -> Generator[None, None, None]:
    try:
        yield
    except (BaseError, OSError) as error:
        raise StoreError(sentence_of(error)) from error


class Files:
    """One tenant's files. In a folder a file is its own local copy; from a bucket it is copied to `cache`."""

    __slots__ = ("_cache", "_root", "_store", "_tenant")

    def __init__(self, store: ObjectStore, root: Path | None, tenant: str, cache: Path) -> None:
        self._store = store
        self._root = root
        self._tenant = tenant
        self._cache = cache / tenant

    @classmethod
    def open(cls, address: str | None, *, home: Path, tenant: str) -> Files:
        """Open the file store at `address`: a folder, or an address such as `s3://bucket/prefix`.

        Raises:
            SettingError: the address cannot be read.
            StoreError: the folder cannot be made.
        """
        cache = home / "cache" / "files"
        if address is None or "://" not in address:
            root = Path(address).expanduser() if address else home / "files"
            with _as_store_errors():
                root.mkdir(parents=True, exist_ok=True)
                return cls(LocalStore(root, mkdir=True), root.resolve(), tenant, cache)
        try:
            store = from_url(address)
        except (BaseError, OSError, ValueError) as error:
            msg = "The address of the file store cannot be read; it is a folder or like `s3://bucket`."
            raise SettingError(msg, field="PINCITE_FILES") from error
        root = Path(str(store.prefix)) if isinstance(store, LocalStore) else None
        return cls(store, root, tenant, cache)

    def put(self, data: bytes) -> str:
        """Keep `data` and return its name; bytes that are kept already are not written again.

        Raises:
            StoreError: the store cannot be written.
        """
        name = hash_of(data)
        self.ensure(name, data)
        return name

    def ensure(self, name: str, data: bytes) -> None:
        """Keep `data` under its name unless it is there.

        Raises:
            StoreError: the store cannot be read or written.
        """
        key = self._key(name)
        with _as_store_errors():
            if self._size(key) != len(data):
                new_folder = self._root is not None and not (self._root / key).parent.exists()
                obstore.put(self._store, key, data)
                self._flush(key, new_folder=new_folder)

    def local_path(self, name: str) -> Path:
        """Return a local file that holds the bytes named `name`.

        Raises:
            NotFoundError: the store has no such file.
            StoreError: the store cannot be read.
        """
        key = self._key(name)
        if self._root is not None:
            path = self._root / key
            if not path.is_file():
                msg = "The file of this document is missing from the file store."
                raise NotFoundError(msg)
            return path
        path = self._cache / name
        if not path.is_file():
            self._fetch(key, path)
        return path

    def delete(self, name: str) -> None:
        """Remove a file and its local copy; one that is gone already is no error.

        Raises:
            StoreError: the store cannot be written.
        """
        with _as_store_errors():
            (self._cache / name).unlink(missing_ok=True)
            with suppress(FileNotFoundError):
                obstore.delete(self._store, self._key(name))

    def names(self) -> list[str]:
        """Return the names of all files of the tenant.

        Raises:
            StoreError: the store cannot be read.
        """
        found: list[str] = []
        with _as_store_errors():
            # An overload of `list` names a package that nobody has to install.
            pages = obstore.list(self._store, prefix=self._tenant)  # pyright: ignore[reportUnknownMemberType]
            for page in pages:
                found += (meta["path"].rpartition("/")[2] for meta in page)
        return found

    def sweep_staged(self) -> int:
        """Remove what an interrupted writer left half-written in the folder; return how many files that were.

        Raises:
            StoreError: the store cannot be written.
        """
        removed = 0
        before = time.time() - STAGED_SECONDS
        folders = [self._cache] if self._root is None else [self._root / self._tenant, self._cache]
        with _as_store_errors():
            for folder in folders:
                # A local store stages `name#1` beside `name` until the bytes are whole; so does `_fetch`.
                for path in folder.rglob("*#*"):
                    if path.stat().st_mtime < before:
                        path.unlink(missing_ok=True)
                        removed += 1
        return removed

    def _key(self, name: str) -> str:
        return f"{self._tenant}/{name[:2]}/{name}"

    def _size(self, key: str) -> int | None:
        try:
            return obstore.head(self._store, key)["size"]
        except FileNotFoundError:
            return None

    def _flush(self, key: str, *, new_folder: bool) -> None:
        """Bring a file to the disk before a row names it; a bucket does so itself."""
        if self._root is None:
            return
        path = self._root / key
        _fsync(path)
        # Some file systems cannot flush a folder; they keep its entries in order themselves.
        with suppress(OSError):
            _fsync(path.parent)
            if new_folder:
                _fsync(path.parent.parent)
                _fsync(self._root)

    def _fetch(self, key: str, path: Path) -> None:
        try:
            with _as_store_errors():
                data = bytes(obstore.get(self._store, key).bytes())
                path.parent.mkdir(parents=True, exist_ok=True)
                staged = path.with_name(f"{path.name}#{os.getpid()}-{time.monotonic_ns()}")
                staged.write_bytes(data)
        except StoreError as error:
            if isinstance(error.__cause__, FileNotFoundError):
                msg = "The file of this document is missing from the file store."
                raise NotFoundError(msg) from error
            raise
        if hash_of(data) != path.name:
            staged.unlink(missing_ok=True)
            msg = "The file of this document is damaged in the file store."
            raise StoreError(msg)
        staged.replace(path)


def _fsync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
