"""Workers: what claims jobs and does them, one after the other, until it is told to stop."""

from __future__ import annotations

import os
import re
import socket
import time
import uuid
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any, Final, Protocol, Self, cast

from pincite.core import ids
from pincite.core.errors import InputError, ModelError, PinciteError, StoreError
from pincite.core.text import normalise
from pincite.library.ingest import FileStarted, PageRead, add_sources
from pincite.library.jobs import JobQueue, Jobs
from pincite.library.metadata import checked_metadata
from pincite.library.uploads import SourceUpload, expired, file_name, source_key

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pincite.core.limits import Limits
    from pincite.core.protocols import TokenCounter
    from pincite.library.collection import Collection
    from pincite.library.ingest import AddEvent, AddResult, Reading
    from pincite.library.jobs import Job
    from pincite.library.library import Library

INGEST: Final = "ingest"
EMBED: Final = "embed"
COMPACT: Final = "compact"
CLEAR: Final = "clear"

_LOOK_SECONDS: Final = 0.5
"""Seconds after which a worker without a job looks again."""
_SWEEP_SECONDS: Final = 3_600.0
"""Seconds between two sweeps of what ended long ago."""
_HOST_CODE_POINTS: Final = 100
_BEATS: Final = 3
"""Times that a lease is renewed while it lasts, where there is nothing to report."""


class EmbedPending(Protocol):
    """What gives waiting passages their vectors: `search.embed_pending` with its embedder given by `partial`."""

    def __call__(
        self, library: Library, *, on_progress: Callable[[int, int], None] | None, stop: Event | None
    ) -> int:
        """Return how many passages got one; `on_progress` hears (done, all) after each batch."""
        ...


class KeepIndex(Protocol):
    """What keeps the search index of a library, for workers, who know nothing of searching."""

    def sync(self, library: Library) -> None:
        """Take in what changed in the library, so that the next search finds it at once."""
        ...

    def compact(self, library: Library) -> float | None:
        """Let go of the words of what was deleted, while searches go on.

        Returns the seconds after which this has to be asked for again; None where nothing of it is left.
        """
        ...


def add_compact(jobs: Jobs) -> Job:
    """Enter the job that takes the words of erased documents out of the search index, and return it.

    Raises:
        StoreError: the library cannot be written.
    """
    return jobs.add(COMPACT, {}, lock=COMPACT, once=True)


def add_ingest(
    jobs: Jobs,
    collection: Collection,
    files: Sequence[dict[str, Any]],
    *,
    replace: bool = False,
    key: str | None = None,
) -> Job:
    """Enter the job that adds uploaded files to a collection, and return it.

    Each of `files` is `{name, file_hash, source_uri, title, metadata}`, the last three None or left out where nothing
    is given. Two such jobs that have a document in common run one after the other.

    Raises:
        InputError: there is no file, or two have the same source, or metadata are none.
        ConflictError: `key` was given before with other files.
        LimitError: too many jobs wait, or the metadata of a file are too long.
        StoreError: the library cannot be written.
    """
    if not files:
        msg = "There is no file to be added."
        raise InputError(msg, field="files")
    entries = [_entry(one, jobs.library.limits) for one in files]
    keys = [source_key(one["name"], one["source_uri"]) for one in entries]
    if len(set(keys)) < len(keys):
        msg = "Two of the files have the same name or address; send them one by one, or name them apart."
        raise InputError(msg, field="files")
    documents = [ids.document_id(collection.collection_id, one) for one in keys]
    return jobs.add(
        INGEST,
        {"collection_id": collection.collection_id, "files": entries, "replace": replace},
        key=key,
        lock=[f"document:{one}" for one in documents],
        files=[one["file_hash"] for one in entries],
    )


class Worker:
    """Claims jobs of every tenant and does them; one for each thread that is to work.

    What a job says of its files while it runs is `{files: [{file, status, page, pages, reason, message, document_id,
    flags}], done, total}`, and so is the result; a `status` is `waiting`, `reading`, or that of an `AddResult`. That of
    a job that embeds is `{done, total}`. After either of them the search index takes in what is new. A job that
    compacts lets go of what was erased, and enters another (`clear`) for what may still be read at that time.
    """

    __slots__ = (
        "_clock",
        "_counter",
        "_embed",
        "_index",
        "_library",
        "_pool",
        "_queue",
        "_swept",
        "_tenants",
        "name",
    )

    def __init__(
        self,
        library: Library,
        pool: Reading,
        *,
        embed: EmbedPending | None = None,
        index: KeepIndex | None = None,
        counter: TokenCounter | None = None,
        tenants: Callable[[str], Library] | None = None,
        name: str | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`tenants` gives a tenant's library (default: `library.of_tenant`); `clock` tells Unix time.

        `name` is one that no other worker has. Without `embed` passages are found by words until a worker with it
        comes. Without `index` the first search takes in what is new, and what was erased waits for a worker with it.
        """
        self._library = library
        self._pool = pool
        self._embed = embed
        self._index = index
        self._counter = counter
        self._tenants = library.of_tenant if tenants is None else tenants
        self._clock = clock
        self._queue = JobQueue(library, clock)
        self._swept: float | None = None
        self.name = name or f"{socket.gethostname()[:_HOST_CODE_POINTS]} {os.getpid()} {uuid.uuid4()}"

    def run(self, stop: Event) -> None:
        """Do jobs until `stop` is set; of one that runs then, what has begun is finished, and it is given back.

        A library that cannot be read or written is waited for.
        """
        while not stop.is_set():
            try:
                worked = self.step(stop)
                self._sweep()
            except StoreError:
                worked = False
            if not worked:
                stop.wait(_LOOK_SECONDS)

    def step(self, stop: Event | None = None) -> bool:
        """Claim one job and do it; say whether there was one.

        Raises:
            StoreError: the library cannot be written; a job that was claimed is another's when its lease is over.
        """
        kinds = [INGEST, *([EMBED] if self._embed else []), *([COMPACT, CLEAR] if self._index else [])]
        lease = self._library.limits.job_lease_seconds
        job = self._queue.claim(self.name, lease_seconds=lease, kinds=kinds)
        if job is None:
            return False
        with _Beat(self._queue, job, self.name, self._library.limits, stop) as beat:
            try:
                library = self._tenants(job.tenant)
                result = self._do(library, job, beat)
            except Exception as error:  # noqa: BLE001 - whatever becomes of a job, the next one is done
                beat.end()
                retry = not isinstance(error, PinciteError) or isinstance(error, StoreError | ModelError)
                self._queue.failed(job, self.name, _as_dict(error), retry=retry)
            else:
                beat.end()
                if result is not None:
                    self._queue.done(job, self.name, result)
                elif beat.told:
                    self._queue.cancelled(job, self.name, beat.progress())
                else:
                    self._queue.given_back(job, self.name, beat.progress())
        if job.kind == INGEST:
            # What could not be read is named by nothing now.
            self._tenants(job.tenant).drop_files([one["file_hash"] for one in job.payload["files"]])
        if self._index is not None and job.kind in (INGEST, EMBED):
            # The index is derived: where it cannot be written now, the first search takes in what is new.
            with suppress(PinciteError):
                self._index.sync(self._tenants(job.tenant))
        return True

    def _do(self, library: Library, job: Job, beat: _Beat) -> dict[str, Any] | None:
        """Do a job; return its result, or None where it was stopped before its end."""
        if job.kind == INGEST:
            return self._ingest(library, job, beat)
        if job.kind in (COMPACT, CLEAR):
            return self._compact(library, job)
        embed, said = cast("EmbedPending", self._embed), {"done": 0, "total": 0}
        beat.progress = said.copy
        embed(library, on_progress=lambda done, total: said.update(done=done, total=total), stop=beat.stop)
        return None if beat.stop.is_set() else said

    def _ingest(self, library: Library, job: Job, beat: _Beat) -> dict[str, Any] | None:
        collection = library.collection_by_id(job.payload["collection_id"])
        sources = [SourceUpload(library.files, one.pop("name"), **one) for one in _copies(job.payload)]
        board = _Board(sources, job.progress)
        beat.progress = board.progress
        results = add_sources(
            library,
            collection,
            [one for one in sources if board.waits(one)],
            pool=self._pool,
            counter=self._counter,
            on_progress=board.heard,
            stop=beat.stop,
            replace=job.payload["replace"],
        )
        # The board hears of each, also where one of them is left out.
        for _ in results:
            pass
        if self._embed is not None:
            Jobs(library).add(EMBED, {}, lock=EMBED, once=True)
        progress = board.progress()
        return progress if progress["done"] == progress["total"] else None

    def _compact(self, library: Library, job: Job) -> dict[str, Any]:
        seconds = cast("KeepIndex", self._index).compact(library)
        if seconds is not None and job.kind == COMPACT:
            # One that waits already is put off: it is for both.
            Jobs(library, self._clock).add(CLEAR, {}, lock=COMPACT, once=True, after=seconds)
        return {}

    def _sweep(self) -> None:
        now = time.monotonic()
        if self._swept is None or now - self._swept >= _SWEEP_SECONDS:
            self._swept = now
            self._queue.sweep()
            for tenant, names in expired(self._library).items():
                self._tenants(tenant).drop_files(names)


class _Stop(Event):
    """Is set by itself, or with the event of whoever runs the worker."""

    def __init__(self, outer: Event | None) -> None:
        super().__init__()
        self._outer = outer

    def is_set(self) -> bool:
        return super().is_set() or (self._outer is not None and self._outer.is_set())


class _Beat:
    """Reports on a job in a thread of its own, and hears whether to stop.

    `stop` is set when the job was cancelled or lost (`told`), or when the worker has to end. `progress` says how far
    the job is.
    """

    __slots__ = ("_ended", "_job", "_limits", "_queue", "_thread", "_worker", "progress", "stop", "told")

    def __init__(self, queue: JobQueue, job: Job, worker: str, limits: Limits, outer: Event | None) -> None:
        self._queue = queue
        self._job = job
        self._worker = worker
        self._limits = limits
        self._ended = Event()
        self.stop = _Stop(outer)
        self.told = False
        self.progress: Callable[[], dict[str, Any]] = job.progress.copy
        self._thread = Thread(target=self._run, name="pincite-beat", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Report for the last time; what is to be said of the job after that, others say."""
        self._ended.set()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def _run(self) -> None:
        said, last = self._job.progress, time.monotonic()
        ended = False
        while not ended:
            ended = self._ended.wait(self._limits.job_beat_seconds)
            progress, now = self.progress(), time.monotonic()
            if progress != said or now - last >= self._limits.job_lease_seconds / _BEATS:
                # A library that cannot be written for a moment may be so at the next beat, and the lease is longer.
                with suppress(StoreError):
                    self._tell(progress)
                    said, last = progress, now

    def _tell(self, progress: dict[str, Any]) -> None:
        lease = self._limits.job_lease_seconds
        if not self._queue.beat(self._job, self._worker, progress, lease_seconds=lease):
            self.told = True
            self.stop.set()


class _Board:
    """What is known of each file of a job: it hears the events of its reading."""

    __slots__ = ("_files", "_lock", "_numbers")

    def __init__(self, sources: Sequence[SourceUpload], before: dict[str, Any]) -> None:
        """`before` is the progress of an earlier attempt: what it finished stays as it was."""
        self._lock = Lock()
        self._numbers = {source.name: number for number, source in enumerate(sources)}
        self._files: list[dict[str, Any]] = [{**_WAITING, "file": source.file} for source in sources]
        for number, file in enumerate(before.get("files", ())):
            if file["status"] not in _UNFINISHED:
                self._files[number] = file

    def waits(self, source: SourceUpload) -> bool:
        """Say whether a file is not finished."""
        return self._files[self._numbers[source.name]]["status"] in _UNFINISHED

    def heard(self, event: AddEvent) -> None:
        """Note what an event says."""
        with self._lock:
            if isinstance(event, FileStarted):
                self._file(event.file)["status"] = "reading"
            elif isinstance(event, PageRead):
                self._file(event.file).update(page=event.done, pages=event.total)
            else:
                self._file(event.result.file).update(_said(event.result))

    def progress(self) -> dict[str, Any]:
        """Return all of it, as a job keeps it."""
        with self._lock:
            files = [file.copy() for file in self._files]
        done = sum(file["status"] not in _UNFINISHED for file in files)
        return {"files": files, "done": done, "total": len(files)}

    def _file(self, name: str) -> dict[str, Any]:
        return self._files[self._numbers[name]]


_UNFINISHED: Final = ("waiting", "reading")
_WAITING: Final[dict[str, Any]] = {
    "file": "",
    "status": "waiting",
    "page": 0,
    "pages": 0,
    "reason": None,
    "message": None,
    "document_id": None,
    "flags": [],
}


def _said(result: AddResult) -> dict[str, Any]:
    said: dict[str, Any] = {
        "status": result.status,
        "reason": result.reason,
        "message": result.message,
        "document_id": result.document_id,
        "flags": [flag.as_dict() for flag in result.flags],
    }
    return said if result.status == "failed" else {**said, "page": result.pages, "pages": result.pages}


def _copies(payload: dict[str, Any]) -> list[dict[str, Any]]:
    return [dict(one) for one in payload["files"]]


def _entry(given: dict[str, Any], limits: Limits) -> dict[str, Any]:
    """Return a file as the payload of a job holds it.

    Raises:
        InputError: something of it is not what it should be.
    """
    file_hash, source_uri, title = (given.get(name) for name in ("file_hash", "source_uri", "title"))
    if not isinstance(file_hash, str) or _HASH.fullmatch(file_hash) is None:
        msg = "A file is named by the SHA-256 of its bytes in hex."
        raise InputError(msg, field="files")
    metadata = given.get("metadata")
    return {
        "name": file_name(given["name"]),
        "file_hash": file_hash,
        "source_uri": None if source_uri is None else normalise(source_uri),
        "title": None if title is None else normalise(title),
        "metadata": None if metadata is None else checked_metadata(metadata, limits.document_metadata_bytes),
    }


# The name of a stored file: linear, one class.
_HASH = re.compile(r"[0-9a-f]{64}")


def _as_dict(error: Exception) -> dict[str, Any]:
    if isinstance(error, PinciteError):
        return cast("dict[str, Any]", error.as_dict()["error"])
    message = f"The job failed ({type(error).__name__})."
    return {"code": "error", "message": message, "field": None}
