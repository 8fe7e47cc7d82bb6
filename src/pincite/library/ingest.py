"""Ingest: files and folders into a collection, several at a time, one result a file, never one lost in silence."""

from __future__ import annotations

import os
import stat
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event, Lock
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol
from urllib.parse import quote

from pincite.core import ids
from pincite.core.errors import (
    EmptyError,
    InputError,
    NotFoundError,
    PinciteError,
    SourceTakenError,
    StoreError,
    TooLargeError,
    UnsupportedError,
)
from pincite.core.text import normalise
from pincite.library.files import hash_of
from pincite.library.plan import SourcePath, plan, unreadable
from pincite.reading.chunking import chunk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Future
    from pathlib import Path

    from pincite.core.bibliography import Bibliography
    from pincite.core.document import Document, Flag
    from pincite.library.collection import Collection
    from pincite.library.library import Library
    from pincite.library.stored import StoredDocument

AHEAD: Final = 64
"""Files that may be finished before an earlier one is: results come in order, work does not wait for it."""

Status = Literal["ready", "flagged", "unchanged", "failed"]


class Reading(Protocol):
    """What reads files: `reading.ReadingPool`, or anything like it."""

    def read(self, data: bytes, *, name: str, on_page: Callable[[int, int], None] | None = None) -> Document:
        """Return the document in `data`; `on_page` hears (pages done, pages in all).

        Raises:
            ReadingError: there is none to be had.
        """
        ...


@dataclass(frozen=True, slots=True)
class AddResult:
    """What became of one file; `file` is its path below what was added, never an absolute one.

    A failed one has a `reason` (an error's code) and a `message` for people.
    """

    file: str
    status: Status
    reason: str | None = None
    pages: int = 0
    passages: int = 0
    document_id: str | None = None
    flags: tuple[Flag, ...] = ()
    message: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the result as `pincite add --json` prints it; `flags` only where there are some."""
        result: dict[str, Any] = {
            "file": self.file,
            "status": self.status,
            "reason": self.reason,
            "pages": self.pages,
            "passages": self.passages,
        }
        if self.flags:
            result["flags"] = [flag.as_dict() for flag in self.flags]
        return result


@dataclass(frozen=True, slots=True)
class FileStarted:
    """Work on file `number` (1 is the first) of `total` begins."""

    file: str
    number: int
    total: int


@dataclass(frozen=True, slots=True)
class PageRead:
    """`done` of `total` pages of a file are read."""

    file: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class FileDone:
    """Work on file `number` of `total` has ended."""

    result: AddResult
    number: int
    total: int


AddEvent = FileStarted | PageRead | FileDone


def add_paths(  # noqa: PLR0913 - each is a choice of the caller, by keyword
    library: Library,
    collection: Collection,
    paths: Sequence[Path],
    *,
    pool: Reading,
    on_progress: Callable[[AddEvent], None] | None = None,
    stop: Event | None = None,
    source_uri: str | None = None,
    title: str | None = None,
    bibliography: Bibliography | None = None,
    replace: bool = True,
) -> Iterator[AddResult]:
    """Add files and whole folders; yield one result a file, in the order of the walk.

    As many files are read at a time as `limits.workers` says. `on_progress` is called from the reading threads,
    one call at a time. When `stop` is set, files that have begun are finished and the rest is left; the same
    call again goes on from there, since a file that is kept already is `unchanged` after one look at its bytes.
    `source_uri` is the real home of the one file or folder of `paths`, `title` stands in place of the one file's
    own, and the fields of `bibliography` before those that the files give. With `replace` false an edited file of a
    known source fails.

    Raises:
        InputError: `source_uri` is given for more than one path, or a title, a DOI or an ISBN for more than one file.
        StoreError: the library cannot be written; what was yielded is kept.
    """
    if source_uri is not None and len(paths) != 1:
        msg = "An address is the home of one file or folder: add them one by one."
        raise InputError(msg, field="source_uri")
    steps = plan(paths, home=library.home)
    if title is not None and len(steps) != 1:
        msg = "A title belongs to one file: add them one by one."
        raise InputError(msg, field="title")
    if bibliography is not None and (bibliography.doi or bibliography.isbn) and len(steps) != 1:
        msg = "A DOI or an ISBN belongs to one file: add them one by one."
        raise InputError(msg, field="doi" if bibliography.doi else "isbn")
    names = _Names(title, bibliography)
    run = _Run(library, collection, pool, on_progress, stop or Event(), len(steps), replace, names)
    return run.results(steps, source_uri)


@dataclass(frozen=True, slots=True)
class _Names:
    """What the caller says of the files, before what they say of themselves."""

    title: str | None
    bibliography: Bibliography | None

    def stand(self, stored: StoredDocument) -> bool:
        """Say whether a document has these already."""
        given = self.bibliography
        return self.title in (None, stored.title) and (
            given is None or given.over(stored.bibliography) == stored.bibliography
        )


class _Run:
    """One call of `add_paths`."""

    __slots__ = (
        "_abandoned", "_collection", "_library", "_names", "_on_progress", "_pool", "_replace", "_stop", "_talk",
        "_total",
    )  # fmt: skip

    def __init__(
        self,
        library: Library,
        collection: Collection,
        pool: Reading,
        on_progress: Callable[[AddEvent], None] | None,
        stop: Event,
        total: int,
        replace: bool,  # noqa: FBT001 - one private caller
        names: _Names,
    ) -> None:
        self._library = library
        self._collection = collection
        self._pool = pool
        self._on_progress = on_progress
        self._stop = stop
        self._abandoned = Event()
        self._names = names
        self._total = total
        self._replace = replace
        self._talk = Lock()

    def results(self, steps: Sequence[SourcePath], source_uri: str | None) -> Iterator[AddResult]:
        waiting: deque[Future[AddResult | None]] = deque()
        executor = ThreadPoolExecutor(
            self._library.limits.workers or os.cpu_count() or 1, thread_name_prefix="pincite-add"
        )
        try:
            for number, step in enumerate(steps, start=1):
                if self._stopped():
                    break
                address = _address(source_uri, step)
                waiting.append(executor.submit(self._add, step, number, address))
                if len(waiting) >= AHEAD:
                    yield from _finished(waiting.popleft())
            while waiting:
                yield from _finished(waiting.popleft())
        finally:
            # Also when the caller stops listening: what has begun ends, nothing else begins.
            self._abandoned.set()
            executor.shutdown(wait=True, cancel_futures=True)

    def _stopped(self) -> bool:
        return self._stop.is_set() or self._abandoned.is_set()

    def _add(self, step: SourcePath, number: int, source_uri: str | None) -> AddResult | None:
        """Add one file; None when the run was stopped before it began."""
        if self._stopped():
            return None
        self._tell(FileStarted(step.name, number, self._total))
        try:
            result = self._result(step, source_uri)
        except StoreError:
            self._abandoned.set()
            raise
        except PinciteError as error:
            result = AddResult(step.name, "failed", error.code, message=error.message)
        self._tell(FileDone(result, number, self._total))
        return result

    def _result(self, step: SourcePath, source_uri: str | None) -> AddResult:
        if step.error is not None:
            raise step.error
        key = normalise(source_uri) if source_uri is not None else step.source_key
        document_id = ids.document_id(self._collection.collection_id, key)
        data = read_bytes(step.path, self._library.limits.file_bytes)
        standing = self._standing(document_id)
        if standing is not None:
            same = standing.file == hash_of(data)
            if same and self._names.stand(standing):
                return _result_of(step, standing, "unchanged")
            if not same and not self._replace:
                msg = "Another file has this name already; replace it or give this one another name."
                raise SourceTakenError(msg, field="source_key")
        document = self._pool.read(
            data,
            name=step.path.name,
            on_page=lambda done, total: self._tell(PageRead(step.name, done, total)),
        )
        passages = chunk(document, document_id, limits=self._library.limits)
        if not passages:
            msg = "The file opens, but holds no text."
            raise EmptyError(msg)
        stored = self._library.keep(
            self._collection,
            document,
            passages,
            data=data,
            source_key=key,
            source_uri=source_uri,
            title=self._names.title,
            bibliography=self._names.bibliography,
            replace=self._replace,
        )
        return _result_of(step, stored, "flagged" if stored.flags else "ready")

    def _standing(self, document_id: str) -> StoredDocument | None:
        try:
            return self._library.document(document_id)
        except NotFoundError:
            return None

    def _tell(self, event: AddEvent) -> None:
        if self._on_progress is not None:
            with self._talk:
                self._on_progress(event)


def read_bytes(path: Path, limit: int) -> bytes:
    """Return the bytes of an ordinary file of at most `limit` bytes.

    Raises:
        TooLargeError: it is larger; it is not read then.
        UnsupportedError: it is a folder, a pipe or a device.
        ReadingError: the system does not give it; the message says why, without its path.
    """
    try:
        # A pipe that nobody writes to would keep a plain `open` waiting for ever.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(handle, "rb") as file:  # noqa: PTH123 - a handle, not a path
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                msg = "Only ordinary files can be read; this is a pipe, a device or the like."
                raise UnsupportedError(msg)
            data = file.read(limit + 1)
    except OSError as error:
        raise unreadable(error) from error
    if len(data) > limit:
        msg = f"The file has more than {limit:,} bytes, the most that is read."
        raise TooLargeError(msg)
    return data


def _finished(future: Future[AddResult | None]) -> Iterator[AddResult]:
    result = future.result()
    if result is not None:
        yield result


def _result_of(step: SourcePath, stored: StoredDocument, status: Status) -> AddResult:
    return AddResult(
        step.name,
        status,
        pages=stored.pages,
        passages=stored.passages,
        document_id=stored.document_id,
        flags=stored.flags,
    )


def _address(source_uri: str | None, step: SourcePath) -> str | None:
    if source_uri is None or not step.inside:
        return source_uri
    return source_uri.rstrip("/") + "/" + quote(step.name, safe="/")
