"""The files: every stored file once, named by the SHA-256 of its bytes, in a folder or a bucket."""

from __future__ import annotations

import hashlib
import ipaddress
import os
import time
import uuid
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import obstore
from obstore.exceptions import BaseError, PermissionDeniedError, UnauthenticatedError
from obstore.store import LocalStore, from_url

from pincite.core.errors import NotFoundError, SettingError, StoreError, TooLargeError
from pincite.core.files import read_bytes
from pincite.core.limits import DEFAULT
from pincite.library._copies import Copies
from pincite.library.database import sentence_of

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from obstore.store import ClientConfig, ObjectStore

    from pincite.core.limits import Limits

STAGED_SECONDS: Final = 3600
"""Age at which a half-written file is one that nobody is writing any more."""


def hash_of(data: bytes) -> str:
    """Return the name of a file: SHA-256 of its bytes in hex."""
    return hashlib.sha256(data).hexdigest()


# Seconds to reach a bucket, for one request of it, and for a request with its repetitions.
_CONNECT: Final = "5s"
_REQUEST: Final = "120s"
_RETRIES: Final = timedelta(seconds=30)
# Bytes of a file that are read at a time.
_PIECE: Final = 1024 * 1024


@contextmanager
def _as_store_errors() -> Generator[None, None, None]:
    try:
        yield
    except (BaseError, OSError) as error:
        raise StoreError(_sentence_of(error)) from error


def _sentence_of(error: Exception) -> str:
    """Say in one sentence, without an address or a key, what went wrong with the files."""
    if isinstance(error, PermissionDeniedError | UnauthenticatedError):
        return "The file store refuses the key that the environment names, or what was to be done with it."
    said = str(error).lower()
    if isinstance(error, BaseError) and any(
        word in said for word in ("http error", "sending request", "timed out")
    ):
        return "The file store does not answer; check its address and try again."
    if "nosuchbucket" in said:
        return "The file store has no bucket of the name that its address gives."
    return sentence_of(error)


class Files:
    """One tenant's files. In a folder a file is its own local copy; from a bucket it is copied to `cache`."""

    __slots__ = ("_cache", "_copies", "_root", "_store", "_tenant")

    def __init__(self, store: ObjectStore, root: Path | None, tenant: str, copies: Copies) -> None:
        self._store = store
        self._root = root
        self._tenant = tenant
        self._copies = copies
        self._cache = copies.folder / tenant

    @classmethod
    def open(cls, address: str | None, *, home: Path, tenant: str, limits: Limits = DEFAULT) -> Files:
        """Open the file store at `address`: a folder, or an address such as `s3://bucket/prefix`.

        Raises:
            SettingError: the address cannot be read.
            StoreError: the folder cannot be made.
        """
        copies = Copies(home / "cache" / "files", limits.file_cache_bytes)
        if address is None or "://" not in address:
            root = Path(address).expanduser() if address else home / "files"
            with _as_store_errors():
                root.mkdir(parents=True, exist_ok=True)
                return cls(LocalStore(root, mkdir=True), root.resolve(), tenant, copies)
        try:
            store = _store_at(address)
        except (BaseError, OSError, ValueError) as error:
            msg = "The address of the file store cannot be read; it is a folder or like `s3://bucket`."
            raise SettingError(msg, field="PINCITE_FILES") from error
        root = Path(str(store.prefix)) if isinstance(store, LocalStore) else None
        return cls(store, root, tenant, copies)

    def of_tenant(self, tenant: str) -> Files:
        """Return another tenant's files in the same store."""
        return Files(self._store, self._root, tenant, self._copies)

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

    def staging(self) -> Path:
        """Return the path of a new file that is to be written and then taken in.

        Raises:
            StoreError: its folder cannot be made.
        """
        folder = self._cache if self._root is None else self._root / self._tenant
        with _as_store_errors():
            folder.mkdir(parents=True, exist_ok=True)
        # A local store takes what ends so for one that is being written: it does not list it.
        return folder / f"upload-{uuid.uuid4()}#{os.getpid()}"

    def take(self, staged: Path, name: str) -> None:
        """Bring a whole file of the path of `staging` in under its name, without reading it into memory.

        Raises:
            StoreError: the store cannot be read or written.
        """
        key = self._key(name)
        with _as_store_errors():
            if self._size(key) == staged.stat().st_size:
                staged.unlink()
            elif self._root is None:
                obstore.put(self._store, key, staged)
                staged.unlink()
            else:
                path = self._root / key
                new_folder = not path.parent.exists()
                path.parent.mkdir(parents=True, exist_ok=True)
                staged.replace(path)
                self._flush(key, new_folder=new_folder)

    def check(self) -> None:
        """Say nothing when the store answers.

        Raises:
            StoreError: it does not.
        """
        with _as_store_errors():
            self._size(self._key("0" * 64))

    def local_path(self, name: str) -> Path:
        """Return a local file that holds the bytes named `name`.

        A copy of a bucket's file stays there for as long as a request or a reading takes; whoever needs it later asks
        again.

        Raises:
            NotFoundError: the store has no such file.
            StoreError: the store cannot be read.
        """
        if self._root is not None:
            path = self._root / self._key(name)
            if not path.is_file():
                msg = "The file of this document is missing from the file store."
                raise NotFoundError(msg)
            return path
        path = self._cache / name
        if not self._copies.use(path):
            self._fetch(name, path)
        return path

    def read(self, name: str, most: int) -> bytes:
        """Return the bytes of a file of at most `most` bytes; those of a bucket are not copied to the disk for it.

        Raises:
            NotFoundError: the store has no such file.
            StoreError: the store cannot be read, or the file is damaged.
            TooLargeError: it is larger; it is not read then.
        """
        if self._root is not None or self._copies.use(self._cache / name):
            return read_bytes(self.local_path(name), most)
        if (self.size(name) or 0) > most:
            msg = f"The file has more than {most:,} bytes, the most that is read."
            raise TooLargeError(msg)
        data = b"".join(self.pieces(name))
        if hash_of(data) != name:
            raise _damaged()
        return data

    def pieces(self, name: str) -> Iterator[bytes]:
        """Yield the bytes of a file as the store has them, not a local copy's, a piece at a time.

        Raises:
            NotFoundError: the store has no such file.
            StoreError: the store cannot be read.
        """
        try:
            with _as_store_errors():
                found = obstore.get(self._store, self._key(name)).stream(min_chunk_size=_PIECE)
                for piece in found:
                    yield bytes(piece)
        except StoreError as error:
            raise _lost(error) from error

    def size(self, name: str) -> int | None:
        """Return how many bytes a file has, or None when the store has no such file.

        Raises:
            StoreError: the store cannot be read.
        """
        with _as_store_errors():
            return self._size(self._key(name))

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

    def _fetch(self, name: str, path: Path) -> None:
        staged = path.with_name(f"{name}#{os.getpid()}-{uuid.uuid4()}")
        found, size = hashlib.sha256(), 0
        try:
            with _as_store_errors():
                path.parent.mkdir(parents=True, exist_ok=True)
                with staged.open("wb") as file:
                    for piece in self.pieces(name):
                        found.update(piece)
                        size += file.write(piece)
                if found.hexdigest() != name:
                    raise _damaged()
                staged.replace(path)
        finally:
            with suppress(OSError):
                staged.unlink(missing_ok=True)
        self._copies.use(path)
        self._copies.came(size)


def _damaged() -> StoreError:
    return StoreError("The file of this document is damaged in the file store.")


def _lost(error: StoreError) -> StoreError | NotFoundError:
    """Return what an error of reading a file is for those who asked for it."""
    if isinstance(error.__cause__, FileNotFoundError) and "nosuchbucket" not in str(error.__cause__).lower():
        msg = "The file of this document is missing from the file store."
        return NotFoundError(msg)
    return error


def _store_at(address: str) -> ObjectStore:
    """Return the store at an address; a bucket's endpoint and credentials are those of the environment (`AWS_*`)."""
    parts = urlsplit(address)
    if parts.query or parts.fragment:
        # They would be passed over without a word.
        msg = "unused parts"
        raise ValueError(msg)
    if parts.scheme == "file":
        return from_url(address)
    options: ClientConfig = {"connect_timeout": _CONNECT, "timeout": _REQUEST}
    endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
    if endpoint and _is_this_machine(endpoint):
        # Elsewhere a bucket is read over TLS, unless `AWS_ALLOW_HTTP` says otherwise.
        options["allow_http"] = True
    return from_url(
        address, client_options=options, retry_config={"max_retries": 3, "retry_timeout": _RETRIES}
    )


def _is_this_machine(endpoint: str) -> bool:
    host = urlsplit(endpoint).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _fsync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
