"""The outside of a dump: a tar archive or a folder, written whole or not at all, and read without trust.

Nothing is unpacked to a path that an archive names: what is read of it are streams under the few names that a dump has.
"""

from __future__ import annotations

import os
import re
import shutil
import tarfile
import tempfile
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Final, Protocol, cast

from pincite.core.errors import InputError, NotFoundError
from pincite.core.files import refusal_of
from pincite.library._rows import TABLES

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

# `files/<tenant>/<SHA-256>`: linear, each part a class of its own.
_FILE: Final = re.compile(r"files/([a-z0-9][a-z0-9._-]{0,63})/([0-9a-f]{64})")
_OTHERS: Final = frozenset(["manifest.json", *(f"tables/{table.name}.jsonl" for table in TABLES)])
# Bytes that tarfile may ask for at once: of a member it asks for less, of a header that lies for more.
_MOST_AT_ONCE: Final = 4 * 1024 * 1024
_PIECE: Final = 1024 * 1024


class Archive(Protocol):
    """A dump that is read."""

    def open(self, name: str) -> IO[bytes]:
        """Return the manifest or a table.

        Raises:
            InputError: it is not there.
        """
        ...

    def files(self) -> Iterator[tuple[str, str, IO[bytes]]]:
        """Yield (tenant, name, bytes) of each stored file; the bytes are to be read before the next.

        Raises:
            InputError: the archive holds something else.
        """
        ...


class Growing(Protocol):
    """A dump that is written."""

    def adding(self, name: str) -> AbstractContextManager[Callable[[bytes], object]]:
        """Give a function that writes the bytes of a new part."""
        ...


# -- writing -------------------------------------------------------------------------------------


@contextmanager
def being_written(target: Path) -> Generator[Growing]:
    """Give an archive that stands at `target` when the block has ended well; only its owner can read it.

    Raises:
        InputError: there is something at `target`.
        OSError: it cannot be written.
    """
    if os.path.lexists(target):
        msg = "There is something at this place already; a dump does not write over it."
        raise InputError(msg, field="file")
    staged = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        if target.suffix == ".tar":
            handle = os.open(staged, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "wb") as out:
                with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as tar:
                    yield _TarWriter(tar, target.parent)
                out.flush()
                os.fsync(out.fileno())
        else:
            staged.mkdir(mode=0o700)
            yield _FolderWriter(staged)
        staged.rename(target)
    finally:
        if staged.is_dir():
            shutil.rmtree(staged)
        else:
            staged.unlink(missing_ok=True)


class _TarWriter:
    def __init__(self, tar: tarfile.TarFile, beside: Path) -> None:
        self._tar = tar
        self._beside = beside

    @contextmanager
    def adding(self, name: str) -> Generator[Callable[[bytes], object]]:
        # A member's size stands before it, so it is known before the member is written.
        with tempfile.TemporaryFile(dir=self._beside) as part:
            yield part.write
            member = tarfile.TarInfo(name)
            member.size, member.mode = part.tell(), 0o600
            part.seek(0)
            self._tar.addfile(member, part)
        _forget(self._tar)


class _FolderWriter:
    def __init__(self, root: Path) -> None:
        self._root = root

    @contextmanager
    def adding(self, name: str) -> Generator[Callable[[bytes], object]]:
        path = self._root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as out:
            yield out.write
            out.flush()
            os.fsync(out.fileno())


# -- reading -------------------------------------------------------------------------------------


@contextmanager
def archive_at(source: Path) -> Generator[Archive]:
    """Give the dump at `source`.

    Raises:
        NotFoundError: there is none.
        InputError: it cannot be read, or is no dump.
    """
    try:
        if source.is_dir():
            yield _Folder(source)
            return
        with source.open("rb") as file:
            yield _Tar(file)
    except FileNotFoundError as error:
        msg = "There is no dump of this name."
        raise NotFoundError(msg, field="file") from error
    except OSError as error:
        msg = f"The dump cannot be read: {refusal_of(error)}."
        raise InputError(msg, field="file") from error
    except tarfile.TarError as error:
        msg = "This is no dump: it is no tar archive, or a damaged one."
        raise InputError(msg, field="file") from error


def _bounded(file: IO[bytes]) -> IO[bytes]:
    return cast("IO[bytes]", _Bounded(file))


class _Bounded:
    """A file of which nobody reads much at once: a header that claims gigabytes is not believed."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.seek = file.seek
        self.tell = file.tell

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= _MOST_AT_ONCE:
            msg = "too long a header"
            raise tarfile.ReadError(msg)
        return self._file.read(size)


class _Tar:
    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._others: dict[str, tarfile.TarInfo] = {}
        for _, member in self._members():
            if member.name in self._others:
                raise _foreign()
            if member.name in _OTHERS:
                self._others[member.name] = member
            elif _FILE.fullmatch(member.name) is None:
                raise _foreign()

    def open(self, name: str) -> IO[bytes]:
        if name not in self._others:
            raise _lacking(name)
        return _stream(self._opened(), self._others[name])

    def files(self) -> Iterator[tuple[str, str, IO[bytes]]]:
        for tar, member in self._members():
            found = _FILE.fullmatch(member.name)
            if found is not None:
                yield found[1], found[2], _stream(tar, member)

    def _opened(self) -> tarfile.TarFile:
        self._file.seek(0)
        return tarfile.open(fileobj=_bounded(self._file), mode="r:")

    def _members(self) -> Iterator[tuple[tarfile.TarFile, tarfile.TarInfo]]:
        tar = self._opened()
        while (member := tar.next()) is not None:
            if not member.isreg() or member.issparse():
                raise _foreign()
            yield tar, member
            _forget(tar)


def _stream(tar: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    found = tar.extractfile(member)
    if found is None:
        raise _foreign()
    return found


def _forget(tar: tarfile.TarFile) -> None:
    """Let go of the headers that were seen: there may be millions, and an archive keeps them all."""
    members: list[tarfile.TarInfo] = vars(tar)["members"]
    members.clear()


class _Folder:
    def __init__(self, root: Path) -> None:
        self._root = root
        for path in self._paths():
            name = path.relative_to(root).as_posix()
            if name not in _OTHERS and _FILE.fullmatch(name) is None:
                raise _foreign()

    def open(self, name: str) -> IO[bytes]:
        path = self._root / name
        if not path.is_file():
            raise _lacking(name)
        return path.open("rb")

    def files(self) -> Iterator[tuple[str, str, IO[bytes]]]:
        for path in self._paths():
            found = _FILE.fullmatch(path.relative_to(self._root).as_posix())
            if found is not None:
                with path.open("rb") as file:
                    yield found[1], found[2], file

    def _paths(self) -> Iterator[Path]:
        for path in sorted(self._root.rglob("*")):
            # A link would lead out of the folder.
            if path.is_symlink() or not (path.is_dir() or path.is_file()):
                raise _foreign()
            if path.is_file():
                yield path


def _foreign() -> InputError:
    msg = "This is no dump: it holds something that a dump does not."
    return InputError(msg, field="file")


def _lacking(name: str) -> InputError:
    msg = f"This is no dump: it has no `{name}`."
    return InputError(msg, field="file")
