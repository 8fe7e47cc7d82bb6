"""What an added path holds: every file of it once, in a fixed order, named from the path down."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.core.errors import PinciteError, ReadingError, SourceTakenError
from pincite.core.text import normalise

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


@dataclass(frozen=True, slots=True)
class SourcePath:
    """A file to be added, or what cannot be (`error`). `name` is its path below the added one, with slashes.

    `inside` says that it was found in an added folder and not named itself.
    """

    path: Path
    name: str
    inside: bool
    error: PinciteError | None = None

    @property
    def source_key(self) -> str:
        """The key of a file that has no address of its own."""
        return f"upload://{self.name}"


def unreadable(error: OSError) -> ReadingError:
    """Return the system's refusal as an error whose sentence shows no path."""
    why = os.strerror(error.errno).lower() if error.errno else "the system refused it"
    return ReadingError(f"This cannot be read: {why}.")


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
