"""Uploads: bytes that arrive piece by piece, into the file store under their hash, never whole in memory."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Self

import sqlalchemy as sa

from pincite.core.errors import InputError, PinciteError, StoreError, TooLargeError
from pincite.core.text import normalise, one_line
from pincite.library.database import sentence_of
from pincite.library.plan import Opened
from pincite.library.work_tables import held_files

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import BinaryIO

    from pincite.core.limits import Limits
    from pincite.library.files import Files
    from pincite.library.library import Library

_NAME_CODE_POINTS: Final = 200
_ENDING_CODE_POINTS: Final = 16


@dataclass(frozen=True, slots=True)
class Uploaded:
    """A file that is in the store: its name for people, SHA-256 of its bytes in hex, and how many they are."""

    name: str
    file_hash: str
    bytes: int


class Uploads:
    """What brings uploaded files into a library's store."""

    __slots__ = ("_library",)

    def __init__(self, library: Library) -> None:
        self._library = library

    def begin(self, name: str) -> Upload:
        """Begin a file; finish or abandon it, or use it in a `with` block, which abandons what is not finished.

        Raises:
            InputError: nothing of the name can be shown.
            StoreError: the store cannot be written.
        """
        return Upload(self._library, file_name(name))


class Upload:
    """One file on its way in; not for several threads at once."""

    __slots__ = ("_file", "_hash", "_library", "_path", "bytes", "name")

    def __init__(self, library: Library, name: str) -> None:
        self.name = name
        self.bytes = 0
        self._library = library
        self._hash = hashlib.sha256()
        self._path: Path = library.files.staging()
        try:
            self._file: BinaryIO = self._path.open("xb")
        except OSError as error:
            raise StoreError(sentence_of(error)) from error

    def write(self, chunk: bytes) -> None:
        """Take the next bytes.

        Raises:
            TooLargeError: they are more than `limits.file_bytes` by now; the file is abandoned.
            StoreError: the disk is full, or failed; the file is abandoned.
        """
        self.bytes += len(chunk)
        most = self._library.limits.file_bytes
        if self.bytes > most:
            self.abandon()
            msg = f"The file has more than {most:,} bytes, the most that is read."
            raise TooLargeError(msg, field="files")
        self._hash.update(chunk)
        try:
            self._file.write(chunk)
        except OSError as error:
            self.abandon()
            raise StoreError(sentence_of(error)) from error

    def finish(self) -> Uploaded:
        """Bring the file into the store, where it is kept for `limits.upload_kept_seconds` until a job names it.

        Raises:
            StoreError: the store or the library cannot be written; the file is abandoned.
        """
        name = self._hash.hexdigest()
        until = self._library.clock().timestamp() + self._library.limits.upload_kept_seconds
        row = {"tenant": self._library.database.tenant, "file_hash": name}
        row |= {"holder": self._library.new_id(), "until": until}
        try:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            # No delete or sweep comes between the file and the row that holds it.
            with self._library.database.writing() as connection:
                self._library.files.take(self._path, name)
                connection.execute(sa.insert(held_files).values(row))
        except OSError as error:
            raise StoreError(sentence_of(error)) from error
        finally:
            self.abandon()
        return Uploaded(self.name, name, self.bytes)

    def abandon(self) -> None:
        """Remove what was written, unless the file is finished."""
        self._file.close()
        self._path.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.abandon()


@dataclass(frozen=True, slots=True)
class SourceUpload:
    """A stored upload to be added: a `plan.Source` whose name is its source key, for files may be called alike."""

    files: Files = field(compare=False, repr=False)
    file: str
    file_hash: str
    source_uri: str | None = None
    title: str | None = None
    metadata: Mapping[str, Any] | None = None
    inside: bool = False
    error: PinciteError | None = None

    @property
    def name(self) -> str:
        """Its source key."""
        return self.source_key

    @property
    def source_key(self) -> str:
        """Its address, where it has one."""
        return source_key(self.file, self.source_uri)

    def open(self, limits: Limits) -> Opened:
        """Return its bytes with what was said of it."""
        data = self.files.read(self.file_hash, limits.file_bytes)
        return Opened(self.file, data, self.source_uri, self.title, self.metadata)


def source_key(name: str, source_uri: str | None) -> str:
    """Return the source key of an uploaded file."""
    return normalise(source_uri) if source_uri is not None else f"upload://{name}"


def file_name(given: str) -> str:
    """Return the last part of a path as a file's name: one line of at most 200 visible code points, its ending kept.

    Raises:
        InputError: nothing is left of it.
    """
    name = one_line(normalise(given).replace("\\", "/").rpartition("/")[2], len(given) + 1).strip()
    if len(name) > _NAME_CODE_POINTS:
        stem, dot, ending = name.rpartition(".")
        ending = dot + ending if stem and len(ending) <= _ENDING_CODE_POINTS else ""
        name = name[: _NAME_CODE_POINTS - len(ending)] + ending
    if name.strip(".") == "":
        msg = "A file needs a name that can be shown."
        raise InputError(msg, field="files")
    return name


def expired(library: Library) -> dict[str, list[str]]:
    """Return by tenant the files whose uploads no job asked for in time; `Library.drop_files` removes them."""
    now = library.clock().timestamp()
    found: dict[str, list[str]] = {}
    with library.database.reading() as connection:
        late = sa.select(held_files.c.tenant, held_files.c.file_hash).where(held_files.c.until <= now)
        for tenant, name in connection.execute(late):
            found.setdefault(tenant, []).append(name)
    return found
