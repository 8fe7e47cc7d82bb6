"""The files of a package, wherever they are: a folder, an archive, or a mapping. All of it may be hostile.

Paths are keys. An entry of an archive that could be a way out of it refuses the whole package, and so does a link, a
path that stands twice, or one that differs from another by its case or its composition only. Sizes are counted while
files are read; what an archive says of them is only ever held against that.
"""

from __future__ import annotations

import hashlib
import os
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, Protocol, cast

from pincite.core.given import refuse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite.core.limits import Limits
    from pincite.protocols.moca.reader.findings import Findings

Target = str | Path | bytes | Mapping[str, bytes]
"""Where a package is: a folder or an archive by its path, the bytes of an archive, or bytes by path."""
MANIFEST: Final = "moca.json"
ATTESTATIONS: Final = "attestations/"
# What every entry of a zip's directory begins with.
_ENTRY: Final = b"PK\x01\x02"
_PIECE: Final = 1 << 20
_METHODS: Final = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_IS_ENCRYPTED: Final = 0x1
_UNIX: Final = 16
_BROKEN: Final = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    OSError,
    ValueError,
    RuntimeError,
)


class UnreadableError(Exception):
    """A file of a package cannot be read; the message says why. It never leaves the Reader."""


class _Store(Protocol):
    """Where the bytes are."""

    def pieces(self, stored: str) -> Iterator[bytes]:
        """Yield the bytes of a file by the name that it is stored under."""
        ...

    def close(self) -> None:
        """Let go of what is open."""
        ...


class Files:
    """The regular files of one package, by path in NFC, in the order of their bytes; made by `open_files`.

    What a file held when it was hashed it must hold whenever it is read again. Close it when the package is read.
    """

    __slots__ = ("_digests", "_left", "_names", "_store", "paths")

    def __init__(self, names: dict[str, str], store: _Store, limits: Limits) -> None:
        self._names = names
        self._store = store
        self._left = limits.moca_package_bytes
        self._digests: dict[str, str] = {}
        self.paths = tuple(sorted(names, key=str.encode))

    def __contains__(self, path: str) -> bool:
        return path in self._names

    def hash(self, path: str, *, keep: bool) -> bytes | None:
        """Read a file for the first time and remember its hash; return its bytes where they are to be kept.

        Raises:
            UnreadableError: it cannot be read, or all files together are over their limit.
        """
        digest = hashlib.sha256()
        kept: list[bytes] = []
        for piece in self._pieces(path):
            self._left -= len(piece)
            if self._left < 0:
                msg = "the package is larger than is allowed"
                raise UnreadableError(msg)
            digest.update(piece)
            if keep:
                kept.append(piece)
        self._digests[path] = digest.hexdigest()
        return b"".join(kept) if keep else None

    @property
    def is_full(self) -> bool:
        """Whether more was read than all files together may have: the rest need not be tried."""
        return self._left < 0

    def digest(self, path: str) -> str:
        """Return the SHA-256 of a file that was hashed, in hex."""
        return self._digests[path]

    def read(self, path: str, most: int) -> bytes:
        """Return the bytes of a file that was hashed, `most` of them at the most.

        Raises:
            UnreadableError: it has more, cannot be read, or is not what it was.
        """
        kept: list[bytes] = []
        found = 0
        for piece in self._pieces(path):
            found += len(piece)
            if found > most:
                msg = f"it has more than {most:,} bytes"
                raise UnreadableError(msg)
            kept.append(piece)
        data = b"".join(kept)
        if path in self._digests and hashlib.sha256(data).hexdigest() != self._digests[path]:
            msg = "it changed while the package was read"
            raise UnreadableError(msg)
        return data

    def _pieces(self, path: str) -> Iterator[bytes]:
        try:
            yield from self._store.pieces(self._names[path])
        except _BROKEN as error:
            msg = "it cannot be read"
            raise UnreadableError(msg) from error

    def close(self) -> None:
        """Let go of what is open."""
        self._store.close()


def open_files(target: Target, findings: Findings, limits: Limits) -> Files | None:
    """Return the files of a package; None where it is refused, which a finding then says.

    Raises:
        InputError: the target is of another kind.
    """
    if isinstance(target, bytes):
        return _archive(BytesIO(target), len(target), findings, limits)
    if isinstance(target, Mapping):
        return _mapping(target, findings, limits)
    if not isinstance(cast("object", target), str | os.PathLike):
        refuse(target, "target", "a path, the bytes of an archive, or a mapping from path to bytes")
    path = os.fspath(target)
    if isinstance(cast("object", path), bytes) or "\0" in path:
        findings.add("T001", "The target does not exist.")
        return None
    try:
        mode = Path(path).stat().st_mode
    except OSError:
        findings.add("T001", "The target does not exist.")
        return None
    if stat.S_ISDIR(mode):
        return _folder(path, findings, limits)
    if not stat.S_ISREG(mode):
        findings.add("T003", "The target is neither a folder nor a file.")
        return None
    try:
        file = Path(path).open("rb")  # noqa: SIM115 - the archive closes it, or the next lines do
    except OSError:
        findings.add("T003", "The archive cannot be read.")
        return None
    made = _archive(file, os.fstat(file.fileno()).st_size, findings, limits)
    if made is None:
        file.close()
    return made


class _Names:
    """Collects the names of a package's files, and says of each what keeps it from being one."""

    def __init__(self, findings: Findings, limits: Limits, *, is_folder: bool) -> None:
        self._findings = findings
        self._limits = limits
        self._is_folder = is_folder
        self._alike: dict[str, str] = {}
        self._folders: set[str] = set()
        self.names: dict[str, str] = {}
        self.is_good = True

    def bad(self, short: str, message: str, name: str | None = None) -> None:
        """Say what keeps the package from being read."""
        self.is_good = False
        self._findings.add(short, message, name)

    def is_safe(self, name: str) -> bool:
        """Say whether a name may be a path at all."""
        try:
            size = len(name.encode())
        except UnicodeEncodeError:
            self.bad("P002", "The name of an entry is no Unicode.")
            return False
        parts = name.removesuffix("/").split("/")
        # The name of a real file may hold a backslash; one of an archive is a path to some programs.
        if (not self._is_folder and ("\\" in name or "\0" in name or parts[0].endswith(":"))) or any(
            part in ("", ".", "..") for part in parts
        ):
            self.bad(
                "T003", "The name of an entry is absolute, leads out of the package, or is no path.", name
            )
            return False
        if size > self._limits.moca_path_bytes:
            self.bad("T003", f"A path has more than {self._limits.moca_path_bytes:,} bytes.", name)
            return False
        return True

    def add(self, name: str) -> bool:
        """Enter a file that is safe and not hidden; False where there is no room for more."""
        path = unicodedata.normalize("NFC", name)
        alike = unicodedata.normalize("NFC", path.lower())
        if alike in self._alike:
            self.bad("P003", "Its path is that of another file, but for case or composition.", path)
            return True
        if len(self.names) == self._limits.moca_files:
            self.bad("T003", f"The package has more than {self._limits.moca_files:,} files.")
            return False
        self._alike[alike] = path
        self.names[path] = name
        # From the innermost on: the folders around one that is known are known too.
        at = alike.rfind("/")
        while at > 0 and alike[:at] not in self._folders:
            self._folders.add(alike[:at])
            at = alike.rfind("/", 0, at)
        return True

    def finished(self) -> dict[str, str] | None:
        """Return the names that files are stored under, by path; None where the package is refused."""
        for alike in self._folders & self._alike.keys():
            self.bad("P003", "A file has the path of a folder.", self._alike[alike])
        if self.is_good and MANIFEST not in self.names:
            self.bad("T002", f"There is no {MANIFEST} at the root.")
        return self.names if self.is_good else None


def is_hidden(name: str) -> bool:
    """Say whether a path is no part of a package: a name in it begins with a dot."""
    return name.startswith(".") or "/." in name


class _Folder:
    def __init__(self, root: str) -> None:
        self._root = root

    def pieces(self, stored: str) -> Iterator[bytes]:
        with os.fdopen(self._opened(stored), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                msg = "It is no regular file."
                raise OSError(msg)
            while piece := file.read(_PIECE):
                yield piece

    def _opened(self, stored: str) -> int:
        """Open a file step by step: whatever has come into its place since, no link leads out of the package."""
        *folders, last = stored.split("/")
        place = os.open(self._root, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for name in folders:
                inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=place)
                os.close(place)
                place = inner
            # A pipe in its place would be waited for.
            return os.open(last, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=place)
        finally:
            os.close(place)

    def close(self) -> None:
        pass


def _folder(root: str, findings: Findings, limits: Limits) -> Files | None:
    names = _Names(findings, limits, is_folder=True)
    waiting = [""]
    seen = 0
    while waiting:
        inside = waiting.pop()
        try:
            with os.scandir(os.path.join(root, inside)) as found:  # noqa: PTH118 - names as they are stored
                for entry in found:
                    seen += 1
                    # Folders count too: an endless tree of empty ones is no package.
                    if seen > _most_entries(limits):
                        names.bad("T003", f"The package has more than {limits.moca_files:,} files.")
                        return None
                    if not _enter(entry, inside + entry.name, names, waiting):
                        return None
        except OSError:
            names.bad("P002", "A folder cannot be read.", _shown(inside) or None)
    stored = names.finished()
    return None if stored is None else Files(stored, _Folder(root), limits)


def _most_entries(limits: Limits) -> int:
    """Return how many files, folders and hidden entries a package may have, which are looked at and no more."""
    return 2 * limits.moca_files + 100


def _enter(entry: os.DirEntry[str], name: str, names: _Names, waiting: list[str]) -> bool:
    """Enter a file or a folder that was listed; False where there is no room for more."""
    if entry.name.startswith("."):
        return True
    if entry.is_symlink():
        names.bad("P001", "It is a symbolic link.", _shown(name))
    elif entry.is_dir(follow_symlinks=False):
        if names.is_safe(name):
            waiting.append(name + "/")
    elif not entry.is_file(follow_symlinks=False):
        names.bad("P001", "It is no regular file.", _shown(name))
    elif names.is_safe(name):
        return names.add(name)
    return True


def _shown(name: str) -> str:
    """Return a name for a message: what is no Unicode in it is replaced."""
    return name.encode("utf-8", "replace").decode()


class _Archive:
    def __init__(self, archive: zipfile.ZipFile, infos: dict[str, zipfile.ZipInfo], file: BinaryIO) -> None:
        self._archive = archive
        self._infos = infos
        self._file = file

    def pieces(self, stored: str) -> Iterator[bytes]:
        info = self._infos[stored]
        if info.flag_bits & _IS_ENCRYPTED or info.compress_type not in _METHODS:
            msg = "It is packed in a way that is not read."
            raise zipfile.BadZipFile(msg)
        found = 0
        with self._archive.open(info) as file:
            while piece := file.read(_PIECE):
                found += len(piece)
                yield piece
        if found != info.file_size:
            msg = "It has another size than the archive says."
            raise zipfile.BadZipFile(msg)

    def close(self) -> None:
        self._archive.close()
        self._file.close()


def _archive(stream: BinaryIO, size: int, findings: Findings, limits: Limits) -> Files | None:
    """Return the files of an archive, which stays open while they are used."""
    names = _Names(findings, limits, is_folder=False)
    archive = _opened(stream, size, names, limits)
    if archive is None:
        return None
    infos: dict[str, zipfile.ZipInfo] = {}
    for info in archive.infolist():
        name = info.orig_filename
        if not names.is_safe(name) or is_hidden(name):
            continue
        kind = stat.S_IFMT(info.external_attr >> _UNIX)
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            names.bad("P001", "It is a link, or no regular file.", name)
        elif not name.endswith("/"):
            if not names.add(name):
                break
            infos[name] = info
    if sum(info.file_size for info in infos.values()) > limits.moca_package_bytes:
        names.bad("T003", f"The archive unpacks to more than {limits.moca_package_bytes:,} bytes.")
    stored = names.finished()
    if stored is None:
        archive.close()
        return None
    return Files(stored, _Archive(archive, infos, stream), limits)


def _opened(stream: BinaryIO, size: int, names: _Names, limits: Limits) -> zipfile.ZipFile | None:
    """Return an archive with its directory read; None where that cannot be, or must not be done."""
    try:
        if size > limits.moca_package_bytes:
            names.bad("T003", f"The archive has more than {limits.moca_package_bytes:,} bytes.")
            return None
        # Counted before anything is made of them: an entry is 46 bytes there, and far more in memory.
        if _entries(stream) > _most_entries(limits):
            names.bad("T003", f"The archive has more than {limits.moca_files:,} files.")
            return None
        return zipfile.ZipFile(stream)
    except (*_BROKEN, UnicodeError):
        names.bad("T003", "The target is no whole Zip archive.")
        return None


def _entries(stream: BinaryIO) -> int:
    """Return how many entries an archive may have at the most: how often one could begin in its bytes."""
    stream.seek(0)
    count, tail = 0, b""
    while piece := stream.read(_PIECE):
        count += (tail + piece).count(_ENTRY)
        tail = piece[-len(_ENTRY) + 1 :]
    stream.seek(0)
    return count


class _Bytes:
    def __init__(self, data: Mapping[str, bytes]) -> None:
        self._data = data

    def pieces(self, stored: str) -> Iterator[bytes]:
        data = self._data[stored]
        for start in range(0, len(data), _PIECE):
            yield data[start : start + _PIECE]

    def close(self) -> None:
        pass


def _mapping(target: Mapping[str, bytes], findings: Findings, limits: Limits) -> Files | None:
    names = _Names(findings, limits, is_folder=False)
    kept: dict[str, bytes] = {}
    for name, data in target.items():
        if not isinstance(cast("object", name), str) or not isinstance(cast("object", data), bytes):
            refuse(target, "target", "a mapping from path to bytes")
        if not names.is_safe(name) or is_hidden(name):
            continue
        if not names.add(name):
            return None
        kept[name] = data
    found = names.finished()
    return None if found is None else Files(found, _Bytes(kept), limits)
