"""Ingest: files and folders into a collection, several at a time, one result a file, never one lost in silence."""

from __future__ import annotations

import os
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event, Lock
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol
from urllib.parse import quote

from pincite.core import ids
from pincite.core.errors import (
    EmptyError,
    InputError,
    MissingExtraError,
    ModelFileError,
    NotFoundError,
    PinciteError,
    SourceTakenError,
    StoreError,
)
from pincite.core.text import normalise
from pincite.library.files import hash_of
from pincite.library.plan import SourcePath, addresses, is_address, plan
from pincite.reading.chunking import chunk
from pincite.reading.language import language_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Future

    from pincite.core.bibliography import Bibliography
    from pincite.core.document import Document, Flag
    from pincite.core.passage import Passage
    from pincite.core.protocols import TokenCounter
    from pincite.library.collection import Collection
    from pincite.library.library import Library
    from pincite.library.plan import Opened, Source
    from pincite.library.stored import StoredDocument
    from pincite.reading.web import Fetcher

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

    A failed one has a `reason` (an error's code) and a `message` for people. `note` is what else they should know.
    """

    file: str
    status: Status
    reason: str | None = None
    pages: int = 0
    passages: int = 0
    document_id: str | None = None
    flags: tuple[Flag, ...] = ()
    message: str | None = None
    note: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the result as `pincite add --json` prints it; `flags` and `note` only where there are some."""
        result: dict[str, Any] = {
            "file": self.file,
            "status": self.status,
            "reason": self.reason,
            "pages": self.pages,
            "passages": self.passages,
        }
        if self.flags:
            result["flags"] = [flag.as_dict() for flag in self.flags]
        if self.note is not None:
            result["note"] = self.note
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
"""What `add_paths` tells while it goes on."""


def add_paths(  # noqa: PLR0913 - each is a choice of the caller, by keyword
    library: Library,
    collection: Collection,
    paths: Sequence[Path | str],
    *,
    pool: Reading,
    counter: TokenCounter | None = None,
    fetcher: Fetcher | None = None,
    on_progress: Callable[[AddEvent], None] | None = None,
    stop: Event | None = None,
    source_uri: str | None = None,
    title: str | None = None,
    bibliography: Bibliography | None = None,
    replace: bool = True,
) -> Iterator[AddResult]:
    """Add files, whole folders and pages of the web; yield one result a file, in the order of the walk.

    As many files are read at a time as `limits.workers` says. `on_progress` is called from the reading threads,
    one call at a time. When `stop` is set, files that have begun are finished and the rest is left; the same
    call again goes on from there, since a file that is kept already is `unchanged` after one look at its bytes.
    Passages are measured in tokens as `counter`, the embedder, counts them; without one, or where its vocabulary cannot
    be read, in code points. A file that does not say its language has that of its text, where it is clear.
    An address (`https://...`, a `str`) is fetched by `fetcher`; that of a site's map adds the pages in it.
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
    pages = [path for path in paths if is_address(path)]
    steps: list[Source] = [*plan([Path(path) for path in paths if not is_address(path)], home=library.home)]
    if pages and source_uri is not None:
        msg = "A page of the web has its address already."
        raise InputError(msg, field="source_uri")
    if pages and fetcher is None:
        from pincite.reading.web import Fetcher as WebFetcher

        fetcher = WebFetcher(limits=library.limits)
    if fetcher is not None:
        steps += addresses(pages, fetcher, library.limits)
    if title is not None and len(steps) != 1:
        msg = "A title belongs to one file: add them one by one."
        raise InputError(msg, field="title")
    if bibliography is not None and (bibliography.doi or bibliography.isbn) and len(steps) != 1:
        msg = "A DOI or an ISBN belongs to one file: add them one by one."
        raise InputError(msg, field="doi" if bibliography.doi else "isbn")
    names = _Names(title, bibliography)
    means = _Means(pool, counter)
    run = _Run(library, collection, means, on_progress, stop or Event(), len(steps), replace, names)
    return run.results(steps, source_uri)


def add_sources(
    library: Library,
    collection: Collection,
    sources: Sequence[Source],
    *,
    pool: Reading,
    counter: TokenCounter | None = None,
    on_progress: Callable[[AddEvent], None] | None = None,
    stop: Event | None = None,
    replace: bool = True,
) -> Iterator[AddResult]:
    """Add what has a name of its own each, as `add_paths` does with the files that it finds.

    Raises:
        StoreError: the library cannot be written; what was yielded is kept.
    """
    names, means = _Names(None, None), _Means(pool, counter)
    run = _Run(library, collection, means, on_progress, stop or Event(), len(sources), replace, names)
    return run.results(sources, None)


@dataclass(frozen=True, slots=True)
class _Names:
    """What the caller says of the files, before what they say of themselves."""

    title: str | None
    bibliography: Bibliography | None

    def stand(self, stored: StoredDocument, opened: Opened) -> bool:
        """Say whether a document has these already, and what was said of its own source."""
        given = self.bibliography
        return (
            self.title_of(opened) in (None, stored.title)
            and opened.metadata in (None, stored.metadata)
            and (given is None or given.over(stored.bibliography) == stored.bibliography)
        )

    def title_of(self, opened: Opened) -> str | None:
        """Return the title that was given, for all or for this one."""
        return self.title if self.title is not None else opened.title


@dataclass(slots=True)
class _Means:
    """What reads files, and what counts the tokens of their texts."""

    pool: Reading
    counter: TokenCounter | None


class _Run:
    """One call of `add_paths`."""

    __slots__ = (
        "_abandoned", "_collection", "_library", "_means", "_names", "_on_progress", "_replace", "_stop", "_talk",
        "_total",
    )  # fmt: skip

    def __init__(
        self,
        library: Library,
        collection: Collection,
        means: _Means,
        on_progress: Callable[[AddEvent], None] | None,
        stop: Event,
        total: int,
        replace: bool,  # noqa: FBT001 - one private caller
        names: _Names,
    ) -> None:
        self._library = library
        self._collection = collection
        self._means = means
        self._on_progress = on_progress
        self._stop = stop
        self._abandoned = Event()
        self._names = names
        self._total = total
        self._replace = replace
        self._talk = Lock()

    def results(self, steps: Sequence[Source], source_uri: str | None) -> Iterator[AddResult]:
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

    def _add(self, step: Source, number: int, source_uri: str | None) -> AddResult | None:
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

    def _result(self, step: Source, source_uri: str | None) -> AddResult:
        if step.error is not None:
            raise step.error
        key = normalise(source_uri) if source_uri is not None else step.source_key
        document_id = ids.document_id(self._collection.collection_id, key)
        opened = step.open(self._library.limits)
        data = opened.data
        standing = self._standing(document_id)
        if standing is not None:
            same = standing.file == hash_of(data)
            if same and self._names.stand(standing, opened):
                self._moved(step, key, document_id)
                return _result_of(step, standing, "unchanged")
            if not same and not self._replace:
                msg = "Another file has this name already; replace it or give this one another name."
                raise SourceTakenError(msg, field="source_key")
        document = self._means.pool.read(
            data,
            name=opened.name,
            on_page=lambda done, total: self._tell(PageRead(step.name, done, total)),
        )
        document = _with_language(document)
        passages = self._passages(document, document_id)
        if not passages:
            msg = "The file opens, but holds no text."
            raise EmptyError(msg)
        stored = self._library.keep(
            self._collection,
            document,
            passages,
            data=data,
            source_key=key,
            source_uri=source_uri if source_uri is not None else opened.source_uri or document.url,
            title=self._names.title_of(opened),
            bibliography=self._names.bibliography,
            metadata=opened.metadata,
            replace=self._replace,
        )
        result = _result_of(step, stored, "flagged" if stored.flags else "ready")
        moved = self._moved(step, key, document_id)
        if not moved or standing is None or standing.version == stored.version:
            return result
        return replace(result, note=f"replaced {step.name}, which was added from another folder")

    def _moved(self, step: Source, key: str, document_id: str) -> bool:
        """Note where a file lies that is named after its path; say whether another place was noted before."""
        if not isinstance(step, SourcePath) or key != step.source_key:
            return False
        return self._library.note_origin(document_id, step.origin(self._collection.collection_id))

    def _passages(self, document: Document, document_id: str) -> list[Passage]:
        limits = self._library.limits
        try:
            return chunk(document, document_id, limits=limits, counter=self._means.counter)
        except (MissingExtraError, ModelFileError):
            # Reading goes on without the model, and so does searching by words.
            self._means.counter = None
            return chunk(document, document_id, limits=limits)

    def _standing(self, document_id: str) -> StoredDocument | None:
        try:
            return self._library.document(document_id)
        except NotFoundError:
            return None

    def _tell(self, event: AddEvent) -> None:
        if self._on_progress is not None:
            with self._talk:
                self._on_progress(event)


def _with_language(document: Document) -> Document:
    """Return the document with the language of its text, where its file does not say one."""
    if document.bibliography.language or (language := language_of(document.text)) is None:
        return document
    return replace(document, bibliography=replace(document.bibliography, language=language))


def _finished(future: Future[AddResult | None]) -> Iterator[AddResult]:
    result = future.result()
    if result is not None:
        yield result


def _result_of(step: Source, stored: StoredDocument, status: Status) -> AddResult:
    return AddResult(
        step.name,
        status,
        pages=stored.pages,
        passages=stored.passages,
        document_id=stored.document_id,
        flags=stored.flags,
    )


def _address(source_uri: str | None, step: Source) -> str | None:
    if source_uri is None or not step.inside:
        return source_uri
    return source_uri.rstrip("/") + "/" + quote(step.name, safe="/")
