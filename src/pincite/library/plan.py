"""What an added path holds: every file of it once, in a fixed order, named from the path down."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeGuard
from urllib.parse import urldefrag

from pincite.core.errors import PinciteError, SourceTakenError, TooLargeError
from pincite.core.files import read_bytes, unreadable
from pincite.core.limits import DEFAULT
from pincite.core.text import normalise
from pincite.core.urls import safe_link

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pincite.core.limits import Limits
    from pincite.reading.web import Fetcher

# The beginning of an address that names its scheme: linear, one bounded run. A path of Windows has one letter there.
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]{1,20}://")
# The end of an address at which there may be a map of a site: linear alternatives.
_MAP = re.compile(r"(?:\.xml|\.xml\.gz|sitemap\w{0,20}\.txt)(?:\?|\Z)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Opened:
    """The bytes of a source, the name of their file, the address that they came from, and what was said of them.

    What is not known or was not said is None.
    """

    name: str
    data: bytes
    source_uri: str | None = None
    title: str | None = None
    metadata: Mapping[str, Any] | None = None


class Source(Protocol):
    """Something to be added, or what cannot be (`error`). `name` is what a person calls it.

    `inside` says that it was found in an added folder or map and not named itself.
    """

    @property
    def name(self) -> str: ...  # noqa: D102 - said above

    @property
    def inside(self) -> bool: ...  # noqa: D102 - said above

    @property
    def error(self) -> PinciteError | None: ...  # noqa: D102 - said above

    @property
    def source_key(self) -> str:
        """The key of the document, where it is given no address."""
        ...

    def open(self, limits: Limits) -> Opened:
        """Return its bytes.

        Raises:
            ReadingError: they cannot be had, or are too many.
        """
        ...


@dataclass(frozen=True, slots=True)
class SourcePath:
    """A file to be added: a `Source` whose name is its path below the added one, with slashes."""

    path: Path
    name: str
    inside: bool
    error: PinciteError | None = None

    @property
    def source_key(self) -> str:
        """The key of a file that has no address of its own."""
        return f"upload://{self.name}"

    def origin(self, collection_id: str) -> str:
        """Return a digest of where the file lies; a collection's own, and no path can be told from it."""
        return hashlib.sha256(
            f"{collection_id}\0{_real(self.path)}".encode(errors="surrogateescape")
        ).hexdigest()

    def open(self, limits: Limits) -> Opened:
        """Return the bytes of the file."""
        return Opened(self.path.name, read_bytes(self.path, limits.file_bytes))


@dataclass(frozen=True, slots=True)
class SourceAddress:
    """A page of the web to be added: a `Source` whose name and key are its address, without a fragment."""

    name: str
    fetcher: Fetcher = field(compare=False)
    inside: bool = False
    error: PinciteError | None = None

    @property
    def source_key(self) -> str:
        """The address asked for: the same page has the same key, wherever it redirects to."""
        return self.name

    def open(self, limits: Limits) -> Opened:
        """Fetch the page; of what may be fetched, `limits` allow a file."""
        page = self.fetcher.fetch(self.name)
        if len(page.data) > limits.file_bytes:
            msg = f"The page has more than {limits.file_bytes:,} bytes, the most that is read."
            raise TooLargeError(msg)
        return Opened(page.name, page.data, safe_link(urldefrag(page.final).url))


def addresses(given: Sequence[str], fetcher: Fetcher, limits: Limits = DEFAULT) -> list[SourceAddress]:
    """Return the page of every address of `given`, and those of the maps among them, each once.

    An address is a map when its path ends in `.xml`, `.xml.gz` or `sitemap.txt` and what is there is one.
    """
    from pincite.reading.web import addresses_of

    found: dict[str, SourceAddress] = {}
    for written in given:
        address = safe_link(urldefrag(written).url) or written
        listed: list[str] | None = None
        if _MAP.search(address):
            try:
                listed = addresses_of(
                    fetcher,
                    address,
                    limits=limits,
                    on_problem=lambda one, error: found.update(
                        {one: SourceAddress(one, fetcher, inside=True, error=error)}
                    ),
                )
            except PinciteError as error:
                found[address] = SourceAddress(address, fetcher, error=error)
                continue
        if listed is None:
            found.setdefault(address, SourceAddress(address, fetcher))
        for one in listed or ():
            found.setdefault(one, SourceAddress(one, fetcher, inside=True))
    return list(found.values())


def is_address(written: object) -> TypeGuard[str]:
    """Say whether what is to be added is an address and not a path."""
    return isinstance(written, str) and _ADDRESS.match(written) is not None


def plan(paths: Sequence[Path], *, home: Path | None = None) -> list[SourcePath]:
    """Return every file of `paths`, folders walked in order of name, no file twice.

    In a folder hidden files are left out, and links, unless they lead to a file of that folder that is reached
    in no other way, and the library's own folder `home`. A second file under a name that another one has fails:
    it would replace the first.
    """
    found: list[SourcePath] = []
    reached: set[Path] = set()
    taken: set[str] = set()
    for step in (step for path in paths for step in _files_of(Path(path), home)):
        if step.error is None:
            real = _real(step.path)
            if real in reached:
                continue
            reached.add(real)
            if step.name in taken:
                msg = "Another file of this run has the same name; add the folder above both, or give it an address."
                found.append(SourcePath(step.path, step.name, step.inside, SourceTakenError(msg)))
                continue
            taken.add(step.name)
        found.append(step)
    return found


def _files_of(path: Path, home: Path | None) -> Iterator[SourcePath]:
    name = normalise(path.name or _real(path).name)
    try:
        is_folder = stat.S_ISDIR(path.stat().st_mode)
    except OSError as error:
        yield SourcePath(path, name, inside=False, error=unreadable(error))
        return
    if is_folder:
        yield from _walk(path, home)
    else:
        yield SourcePath(path, name, inside=False)


def _walk(root: Path, home: Path | None) -> Iterator[SourcePath]:
    ours = _real(home) if home is not None else None
    refused: list[OSError] = []
    files: list[Path] = []
    links: list[Path] = []
    for folder, folders, names in os.walk(root, onerror=refused.append):
        folders[:] = sorted(name for name in _seen(folders) if _real(Path(folder, name)) != ours)
        for name in sorted(_seen(names)):
            path = Path(folder, name)
            (links if path.is_symlink() else files).append(path)
    reached = {_real(path) for path in files}
    for path in links:
        real = _real(path)
        if real not in reached and real.is_relative_to(_real(root)) and real.is_file():
            reached.add(real)
            files.append(path)
    for path in sorted(files, key=lambda path: path.relative_to(root).parts):
        yield SourcePath(path, _name(path, root), inside=True)
    for error in refused:
        where = Path(os.fsdecode(error.filename)) if error.filename else root
        yield SourcePath(where, _name(where, root), inside=True, error=unreadable(error))


def _seen(names: Iterable[str]) -> Iterator[str]:
    return (name for name in names if not name.startswith("."))


def _real(path: Path) -> Path:
    # Unlike `Path.resolve`, this takes links that lead to themselves.
    return Path(os.path.realpath(path))


def _name(path: Path, root: Path) -> str:
    below = path.relative_to(root).as_posix()
    return normalise(_real(root).name if below == "." else below)
