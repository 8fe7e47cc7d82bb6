"""Workers: files of a job are read once each, through crashes and cancellations, and every file has its result."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from threading import Barrier, Event, Lock, Thread
from typing import TYPE_CHECKING, Any

import pytest
from still_clock import StillClock

from pincite.core import ids
from pincite.core.document import Document, Flag
from pincite.core.errors import (
    ConflictError,
    DamagedError,
    InputError,
    LimitError,
    NotFoundError,
    StoreError,
)
from pincite.core.limits import DEFAULT
from pincite.library import JobQueue, Jobs, Library, Uploads, Worker, add_compact, add_ingest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pincite.library import Collection, Job

CHILD = Path(__file__).with_name("worker_child.py")
LIMITS = replace(DEFAULT, job_beat_seconds=0.05, job_lease_seconds=2.0, workers=1)


class FakePool:
    """Reads bytes as text; knows some that fail; counts what it reads, and what is read at the same time."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.at_once: list[str] = []
        self.twice: list[str] = []
        self.before: Callable[[str], object] = str
        self._lock = Lock()

    def read(self, data: bytes, *, name: str, on_page: Callable[[int, int], None] | None = None) -> Document:
        """Return the text as a document, flagged when it says so."""
        with self._lock:
            self.names.append(name)
            if name in self.at_once:
                self.twice.append(name)
            self.at_once.append(name)
        try:
            self.before(name)
            if data == b"damaged":
                msg = "The file is damaged."
                raise DamagedError(msg)
            if on_page is not None:
                on_page(3, 3)
            text = data.decode()
            flags = (Flag(2, "hidden_text"),) if "flag" in text else ()
            return Document(text, ids.version_of(text), name, "text/plain", "fake/1", flags=flags)
        finally:
            with self._lock:
                self.at_once.remove(name)


@pytest.fixture
def library(home: Path) -> Iterator[Library]:
    """An empty library whose workers report often."""
    with Library.open(home, limits=LIMITS) as opened:
        yield opened


@pytest.fixture
def jobs(library: Library) -> Jobs:
    """The jobs of the library."""
    return Jobs(library)


@pytest.fixture
def pool() -> FakePool:
    """A pool without processes."""
    return FakePool()


def _upload(library: Library, name: str, text: str, **said: Any) -> dict[str, Any]:
    with Uploads(library).begin(name) as upload:
        upload.write(text.encode())
        done = upload.finish()
    return {"name": done.name, "file_hash": done.file_hash, **said}


def _files(job: Job) -> list[dict[str, Any]]:
    assert job.result is not None
    return job.result["files"]


def _statuses(job: Job) -> list[tuple[str, str]]:
    return [(one["file"], one["status"]) for one in _files(job)]


def test_files_of_a_job_have_their_results(
    library: Library, jobs: Jobs, collection: Collection, pool: FakePool
) -> None:
    """Good, flagged and bad files; what was said of them is kept, and what failed is not."""
    files = [
        _upload(library, "a.txt", "Apples are red.", title="On apples", metadata={"year": 2026}),
        _upload(library, "b.txt", "Bananas, flag them."),
        _upload(library, "c.pdf", "damaged"),
        _upload(library, "d.txt", "Dates are brown.", source_uri="https://example.org/d"),
    ]
    added = add_ingest(jobs, collection, files)
    worker = Worker(library, pool)
    assert worker.step()
    assert not worker.step()
    job = jobs.one(added.job_id)
    assert job.state == "done"
    assert job.result == job.progress
    assert _statuses(job) == [
        ("a.txt", "ready"),
        ("b.txt", "flagged"),
        ("c.pdf", "failed"),
        ("d.txt", "ready"),
    ]
    first, second, third, _ = _files(job)
    key = ids.document_id(collection.collection_id, "upload://a.txt")
    assert first == {
        "file": "a.txt",
        "status": "ready",
        "page": 0,
        "pages": 0,
        "reason": None,
        "message": None,
        "document_id": key,
        "flags": [],
    }
    assert second["flags"] == [{"page": 2, "reason": "hidden_text"}]
    assert (third["reason"], third["message"]) == ("damaged", "The file is damaged.")
    assert (job.progress["done"], job.progress["total"]) == (4, 4)
    stored = library.document(key)
    assert (stored.title, stored.metadata) == ("On apples", {"year": 2026})
    addressed = ids.document_id(collection.collection_id, "https://example.org/d")
    assert library.document(addressed).source_uri == "https://example.org/d"


def test_same_files_again_are_unchanged(
    library: Library, jobs: Jobs, collection: Collection, pool: FakePool
) -> None:
    """A second job reads nothing; another file of the name is taken, unless it replaces."""
    worker = Worker(library, pool)
    add_ingest(jobs, collection, [_upload(library, "a.txt", "One.")])
    worker.step()
    again = add_ingest(jobs, collection, [_upload(library, "a.txt", "One.")])
    worker.step()
    assert _statuses(jobs.one(again.job_id)) == [("a.txt", "unchanged")]
    other = _upload(library, "a.txt", "Two.")
    taken = add_ingest(jobs, collection, [other])
    worker.step()
    (file,) = _files(jobs.one(taken.job_id))
    assert (file["status"], file["reason"]) == ("failed", "source_taken")
    # The job that failed held the upload; what is sent again is uploaded again.
    other = _upload(library, "a.txt", "Two.")
    replaced = add_ingest(jobs, collection, [other], replace=True)
    worker.step()
    assert _statuses(jobs.one(replaced.job_id)) == [("a.txt", "ready")]
    assert pool.names == ["a.txt", "a.txt"]


def test_metadata_come_with_the_same_file(
    library: Library, jobs: Jobs, collection: Collection, pool: FakePool
) -> None:
    """The same file with other metadata sets these; without any, they stay."""
    worker = Worker(library, pool)
    (document_id,) = [ids.document_id(collection.collection_id, "upload://a.txt")]
    for said, kept in (({"x": 1}, {"x": 1}), (None, {"x": 1}), ({"x": 2}, {"x": 2}), ({}, {})):
        add_ingest(jobs, collection, [_upload(library, "a.txt", "One.", metadata=said)])
        worker.step()
        assert library.document(document_id).metadata == kept


def test_two_files_of_one_name(library: Library, jobs: Jobs, collection: Collection, pool: FakePool) -> None:
    """With addresses of their own they are two documents; without, they are refused."""
    one, two = _upload(library, "a.txt", "One."), _upload(library, "a.txt", "Two.")
    with pytest.raises(InputError):
        add_ingest(jobs, collection, [one, two])
    apart = [{**one, "source_uri": "https://example.org/1"}, {**two, "source_uri": "https://example.org/2"}]
    added = add_ingest(jobs, collection, apart)
    Worker(library, pool).step()
    assert _statuses(jobs.one(added.job_id)) == [("a.txt", "ready"), ("a.txt", "ready")]
    assert len({one["document_id"] for one in _files(jobs.one(added.job_id))}) == 2


def test_job_is_refused(library: Library, jobs: Jobs, collection: Collection) -> None:
    """No files, no hash, metadata that are none or too long, a key for other files."""
    good = _upload(library, "a.txt", "One.")
    for bad in ([], [{**good, "file_hash": "../x"}], [{**good, "metadata": {"a": {"b": 1}}}]):
        with pytest.raises(InputError):
            add_ingest(jobs, collection, bad)
    with pytest.raises(LimitError):
        add_ingest(jobs, collection, [{**good, "metadata": {"a": "x" * DEFAULT.document_metadata_bytes}}])
    first = add_ingest(jobs, collection, [good], key="k")
    assert add_ingest(jobs, collection, [good], key="k") == first
    with pytest.raises(ConflictError):
        add_ingest(jobs, collection, [good], key="k", replace=True)


def test_collection_that_is_gone(
    library: Library, jobs: Jobs, collection: Collection, pool: FakePool
) -> None:
    """A job whose collection was deleted meanwhile fails once and for all, and its files go."""
    added = add_ingest(jobs, collection, [_upload(library, "a.txt", "One.")])
    library.delete_collection(collection.collection_id)
    Worker(library, pool).step()
    job = jobs.one(added.job_id)
    assert (job.state, (job.error or {})["code"]) == ("failed", "not_found")


def test_library_that_fails_is_tried_again(
    library: Library, jobs: Jobs, collection: Collection, pool: FakePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the library cannot be written for a while the job waits, and goes on with what is not done."""
    added = add_ingest(
        jobs, collection, [_upload(library, "a.txt", "One."), _upload(library, "b.txt", "Two.")]
    )
    keep, calls = Library.keep, iter((True, False, True, True))

    def failing(self: Library, *args: Any, **options: Any) -> Any:
        if not next(calls):
            msg = "The disk is full; nothing was changed."
            raise StoreError(msg)
        return keep(self, *args, **options)

    monkeypatch.setattr(Library, "keep", failing)
    Worker(library, pool).step()
    waiting = jobs.one(added.job_id)
    assert (waiting.state, (waiting.error or {})["code"]) == ("waiting", "store")
    assert [one["status"] for one in waiting.progress["files"]] == ["ready", "reading"]
    later = Worker(library, pool, clock=lambda: waiting.created_at + 60)
    assert later.step()
    assert _statuses(jobs.one(added.job_id)) == [("a.txt", "ready"), ("b.txt", "ready")]
    assert pool.names == ["a.txt", "b.txt", "b.txt"]


def test_killed_worker_is_followed_by_another(
    library: Library, jobs: Jobs, collection: Collection, pool: FakePool, home: Path
) -> None:
    """Kill -9 in the middle of a file: another worker goes on with the files that are not done."""
    names = ["a.txt", "b.txt", "c.txt"]
    added = add_ingest(jobs, collection, [_upload(library, name, f"Text of {name}.") for name in names])
    arguments = [sys.executable, "-W", "error", str(CHILD), str(home), "b.txt"]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        for line in child.stdout:
            if line == "reading b.txt\n":
                break
        _until(lambda: jobs.one(added.job_id).progress.get("done", 0) >= 1)
        child.kill()
    killed = jobs.one(added.job_id)
    assert killed.state == "running"
    assert not Worker(library, pool).step()
    after = Worker(library, pool, clock=lambda: killed.created_at + 3_600)
    assert after.step()
    job = jobs.one(added.job_id)
    assert (job.state, job.attempts) == ("done", 2)
    assert _statuses(job) == [(name, "ready") for name in names]
    assert "b.txt" in pool.names
    assert "a.txt" not in pool.names
    for name in names:
        document_id = ids.document_id(collection.collection_id, f"upload://{name}")
        assert library.document_text(document_id) == f"Text of {name}."


def test_two_workers_never_read_one_document_at_once(
    library: Library, jobs: Jobs, collection: Collection, pool: FakePool
) -> None:
    """Jobs with a document in common run one after the other, others side by side."""
    both = Barrier(2, timeout=30)

    def meet(name: str) -> None:
        # Two jobs with different documents of one collection are at work at the same time.
        if name.startswith("side"):
            both.wait()

    pool.before = meet
    add_ingest(jobs, collection, [_upload(library, "side-1.txt", "One.")])
    add_ingest(jobs, collection, [_upload(library, "side-2.txt", "Two.")])
    for number in range(6):
        files = [_upload(library, name, f"Edition {number}.") for name in ("x.txt", f"y{number % 2}.txt")]
        add_ingest(jobs, collection, files, replace=True)
    stop = Event()
    threads = [Thread(target=Worker(library, pool).run, args=(stop,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    _until(lambda: all(job.state == "done" for job in jobs.all(limit=99)))
    stop.set()
    for thread in threads:
        thread.join()
    assert pool.twice == []
    assert len(pool.names) == 14


def test_cancelled_job_stops(
    library: Library, jobs: Jobs, collection: Collection, pool: FakePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that has begun is finished, the rest is left, and the job says what was kept."""
    added = add_ingest(jobs, collection, [_upload(library, f"{n}.txt", f"Text {n}.") for n in range(9)])
    deaf, beat = [0], JobQueue.beat

    def listening(*args: Any, **options: Any) -> bool:
        goes_on = beat(*args, **options)
        deaf[0] += not goes_on
        return goes_on

    def cancel(name: str) -> None:
        if name == "1.txt":
            jobs.cancel(added.job_id)
            # When it is told for the second time, it has heard the first.
            _until(lambda: deaf[0] > 1)

    monkeypatch.setattr(JobQueue, "beat", listening)
    pool.before = cancel
    assert Worker(library, pool).step()
    job = jobs.one(added.job_id)
    assert job.state == "cancelled"
    assert [one["status"] for one in job.progress["files"]] == ["ready"] * 2 + ["waiting"] * 7
    assert len(library.documents()) == 2
    assert not Worker(library, pool).step()


def test_stopped_worker_gives_its_job_back(
    library: Library, jobs: Jobs, collection: Collection, pool: FakePool
) -> None:
    """A server that ends finishes the file at hand; the next one goes on without an attempt lost."""
    added = add_ingest(jobs, collection, [_upload(library, f"{n}.txt", f"Text {n}.") for n in range(5)])
    stop = Event()
    pool.before = lambda name: stop.set() if name == "1.txt" else None
    Worker(library, pool).run(stop)
    given = jobs.one(added.job_id)
    assert (given.state, given.attempts) == ("waiting", 0)
    pool.before = str
    Worker(library, pool).step()
    job = jobs.one(added.job_id)
    assert (job.state, job.attempts) == ("done", 1)
    assert sorted(pool.names) == [f"{n}.txt" for n in range(5)]


def test_vectors_follow(library: Library, jobs: Jobs, collection: Collection, pool: FakePool) -> None:
    """After files comes a job that embeds; one is enough for several, and without an embedder there is none."""
    calls: list[str] = []

    def embed(library: Library, *, on_progress: Any, stop: Event | None, by: str) -> int:
        assert stop is not None
        calls.append(f"{by} {library.database.tenant}")
        on_progress(2, 2)
        return 2

    worker = Worker(library, pool, embed=partial(embed, by="m"))
    other = library.of_tenant("other")
    theirs = add_ingest(Jobs(other), other.collection("default"), [_upload(other, "a.txt", "One.")])
    add_ingest(jobs, collection, [_upload(library, "a.txt", "One.")])
    add_ingest(jobs, collection, [_upload(library, "b.txt", "Two.")])
    while worker.step():
        pass
    assert sorted(calls) == ["m local", "m other"]
    (embedding,) = [job for job in jobs.all(limit=9) if job.kind == "embed"]
    assert (embedding.state, embedding.result) == ("done", {"done": 2, "total": 2})
    assert Jobs(other).one(theirs.job_id).state == "done"
    add_ingest(jobs, collection, [_upload(library, "c.txt", "Three.")])
    Worker(library, pool).step()
    assert len(jobs.all(limit=99)) == 4


def test_anything_that_goes_wrong_is_said(library: Library, jobs: Jobs, collection: Collection) -> None:
    """A fault of ours in a job is told without its text, and tried again."""

    class Broken(FakePool):
        def read(self, *_: Any, **_options: Any) -> Any:
            msg = "/secret/path"
            raise RuntimeError(msg)

    added = add_ingest(jobs, collection, [_upload(library, "a.txt", "One.")])
    Worker(library, Broken()).step()
    job = jobs.one(added.job_id)
    assert job.state == "waiting"
    assert job.error == {"code": "error", "message": "The job failed (RuntimeError).", "field": None}


def test_files_of_open_jobs_survive_a_sweep(
    library: Library, jobs: Jobs, collection: Collection, pool: FakePool, home: Path
) -> None:
    """What a waiting job names stays, whoever sweeps; what failed goes when the upload's time is over."""
    late = Library.open(home, limits=LIMITS, clock=_tomorrow)
    good, bad = _upload(library, "a.txt", "One."), _upload(library, "b.pdf", "damaged")
    add_ingest(jobs, collection, [good, bad])
    lost = _upload(library, "c.txt", "Never asked for.")
    assert library.sweep() == 0
    assert late.sweep() == 1
    with pytest.raises(NotFoundError):
        library.files.local_path(lost["file_hash"])
    Worker(late, pool).step()
    assert library.files.names() == [good["file_hash"]]
    late.close()


def test_uploads_that_nobody_asked_for_go(library: Library, home: Path, pool: FakePool) -> None:
    """A worker that has nothing to do removes them when their time is over."""
    with Library.open(home, limits=LIMITS, clock=_tomorrow) as late:
        _upload(library, "c.txt", "Never asked for.")
        stop = Event()
        thread = Thread(target=Worker(late, pool).run, args=(stop,))
        thread.start()
        _until(lambda: library.files.names() == [])
        stop.set()
        thread.join()


def _tomorrow() -> datetime:
    return datetime.now(UTC) + timedelta(days=1)


def _until(true: Callable[[], bool]) -> None:
    """Wait until something holds, a minute at most."""
    waiting = Event()
    for _ in range(1_200):
        if true():
            return
        waiting.wait(0.05)
    pytest.fail("It did not come to pass within a minute.")


class FakeIndex:
    """Notes what it is asked for; compacting says what a test wants."""

    def __init__(self, *answers: float | StoreError | None) -> None:
        self.asked: list[str] = []
        self.answers: list[float | StoreError | None] = list(answers)

    def sync(self, library: Library) -> None:
        """Note it, and fail where it is told to."""
        self.asked.append(f"sync {library.database.tenant}")
        if any(isinstance(one, StoreError) for one in self.answers):
            msg = "The index cannot be written."
            raise StoreError(msg)

    def compact(self, library: Library) -> float | None:
        """Note it and give the next answer."""
        self.asked.append(f"compact {library.database.tenant}")
        answer = self.answers.pop(0)
        if isinstance(answer, StoreError):
            raise answer
        return answer


def _kinds(jobs: Jobs) -> list[tuple[str, str]]:
    return [(job.kind, job.state) for job in reversed(jobs.all(limit=99))]


def test_the_index_takes_in_what_was_read(
    library: Library, jobs: Jobs, collection: Collection, pool: FakePool
) -> None:
    """After files, and again after their vectors, the index of that tenant is brought up to date."""
    index = FakeIndex()

    def embed(library: Library, *, on_progress: Any, stop: Event | None) -> int:
        assert stop is not None
        on_progress(library.head(), 1)
        return 0

    other = library.of_tenant("other")
    add_ingest(jobs, collection, [_upload(library, "a.txt", "One.")])
    add_ingest(Jobs(other), other.collection("default"), [_upload(other, "a.txt", "One.")])
    worker = Worker(library, pool, embed=embed, index=index)
    while worker.step():
        pass
    assert sorted(index.asked) == ["sync local", "sync local", "sync other", "sync other"]


def test_an_index_that_cannot_be_written_spoils_no_job(
    library: Library, jobs: Jobs, collection: Collection, pool: FakePool
) -> None:
    """The documents are kept and the job is done: the index is derived, and the first search takes them in."""
    index = FakeIndex(StoreError("no"))
    added = add_ingest(jobs, collection, [_upload(library, "a.txt", "One.")])
    assert Worker(library, pool, index=index).step()
    assert jobs.one(added.job_id).state == "done"
    assert index.asked == ["sync local"]


def test_what_was_erased_is_compacted_once_and_then_cleared(library: Library, pool: FakePool) -> None:
    """Several erasures wait for one job; what may be read for an hour more is cleared away after that hour."""
    clock = StillClock()
    jobs = Jobs(library, clock.unix)
    index = FakeIndex(3_600.0, None, 3_600.0, None)
    worker = Worker(library, pool, index=index, clock=clock.unix)
    assert add_compact(jobs).job_id == add_compact(jobs).job_id
    assert worker.step()
    assert not worker.step()
    assert _kinds(jobs) == [("compact", "done"), ("clear", "waiting")]
    clock.wait(3_599)
    assert not worker.step()
    clock.wait(1)
    assert worker.step()
    assert _kinds(jobs) == [("compact", "done"), ("clear", "done")]
    # Where the index keeps nothing for readers, nothing is left to do.
    index.answers = [None]
    add_compact(jobs)
    assert worker.step()
    assert [state for _, state in _kinds(jobs)] == ["done"] * 3
    assert index.asked == ["compact local"] * 3


def test_a_later_erasure_puts_the_clearing_off(library: Library, pool: FakePool) -> None:
    """One clearing serves two erasures, an hour after the later one: before that the words of it may be read."""
    clock = StillClock()
    jobs = Jobs(library, clock.unix)
    worker = Worker(library, pool, index=FakeIndex(3_600.0, 3_600.0, None), clock=clock.unix)
    add_compact(jobs)
    assert worker.step()
    clock.wait(1_800)
    add_compact(jobs)
    assert worker.step()
    assert [kind for kind, _ in _kinds(jobs)] == ["compact", "clear", "compact"]
    clock.wait(3_599)
    assert not worker.step()
    clock.wait(1)
    assert worker.step()
    assert [state for _, state in _kinds(jobs)] == ["done"] * 3


def test_compacting_is_tried_again_and_needs_a_worker_with_an_index(library: Library, pool: FakePool) -> None:
    """A worker without an index leaves the job to one that has it, and an index that is busy is asked again later."""
    clock = StillClock()
    jobs = Jobs(library, clock.unix)
    add_compact(jobs)
    assert not Worker(library, pool, clock=clock.unix).step()
    worker = Worker(library, pool, index=FakeIndex(StoreError("busy"), None), clock=clock.unix)
    assert worker.step()
    assert _kinds(jobs) == [("compact", "waiting")]
    clock.wait(2)
    assert worker.step()
    assert _kinds(jobs) == [("compact", "done")]
