"""Jobs: entered once, claimed by one, kept through crashes, tried again with patience, forgotten in the end."""

from __future__ import annotations

from dataclasses import dataclass, replace
from threading import Barrier, Thread
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from pincite.core.errors import ConflictError, InputError, LimitError, NotFoundError
from pincite.core.limits import DEFAULT
from pincite.library import Job, JobQueue, Jobs, Library

if TYPE_CHECKING:
    from pathlib import Path

    from pincite.library import JobState

LEASE = 30.0
FAULT = {"code": "store", "message": "The disk is full.", "field": None}


class Clock:
    """Tells the time that it is set to."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    """A clock that stands."""
    return Clock()


@pytest.fixture
def jobs(library: Library, clock: Clock) -> Jobs:
    """The jobs of the library."""
    return Jobs(library, clock)


@pytest.fixture
def queue(library: Library, clock: Clock) -> JobQueue:
    """The queue of the library's database."""
    return JobQueue(library, clock)


def _claim(queue: JobQueue, worker: str = "w") -> Job:
    found = queue.claim(worker, lease_seconds=LEASE)
    assert found is not None
    return found


def test_job_goes_its_way(jobs: Jobs, queue: JobQueue, clock: Clock) -> None:
    """From waiting to running to done, each with its time."""
    added = jobs.add("ingest", {"files": ("a", 1)})
    assert (added.state, added.payload, added.progress) == ("waiting", {"files": ["a", 1]}, {})
    assert (added.created_at, added.started_at, added.finished_at) == (1_000.0, None, None)
    clock.now = 1_001.0
    claimed = _claim(queue)
    assert (claimed.job_id, claimed.state, claimed.attempts) == (added.job_id, "running", 1)
    assert queue.claim("other", lease_seconds=LEASE) is None
    assert queue.beat(claimed, "w", {"done": 1}, lease_seconds=LEASE)
    assert jobs.one(added.job_id).progress == {"done": 1}
    clock.now = 1_002.0
    assert queue.done(claimed, "w", {"done": 2})
    ended = jobs.one(added.job_id)
    assert (ended.state, ended.result, ended.progress) == ("done", {"done": 2}, {"done": 2})
    assert (ended.started_at, ended.finished_at, ended.tenant) == (1_001.0, 1_002.0, "local")
    assert not queue.done(claimed, "w", {"done": 3})


def test_unknown_job(jobs: Jobs) -> None:
    """A job that is not there is not found, by whatever name."""
    for name in ("x", "\ud800", "0" * 36):
        with pytest.raises(NotFoundError):
            jobs.one(name)
        with pytest.raises(NotFoundError):
            jobs.cancel(name)
    with pytest.raises(NotFoundError):
        jobs.all(limit=1, before="x")
    with pytest.raises(InputError):
        jobs.all(limit=1, state=cast("JobState", "sleeping"))


def test_list_is_newest_first(jobs: Jobs) -> None:
    """Pages go on from the job that the last one ended with."""
    added = [jobs.add("ingest", {"number": number}) for number in range(5)]
    jobs.cancel(added[3].job_id)
    first = jobs.all(limit=2)
    assert [job.payload["number"] for job in first] == [4, 3]
    assert [job.payload["number"] for job in jobs.all(limit=9, before=first[-1].job_id)] == [2, 1, 0]
    assert [job.payload["number"] for job in jobs.all(limit=9, state="cancelled")] == [3]


def test_key_makes_a_job_once(jobs: Jobs, queue: JobQueue) -> None:
    """The same key and payload is the same job, also when it is done; another payload is a conflict."""
    first = jobs.add("ingest", {"a": 1}, key="k")
    assert jobs.add("ingest", {"a": 1}, key="k") == first
    queue.done(_claim(queue), "w", {})
    assert jobs.add("ingest", {"a": 1}, key="k").state == "done"
    with pytest.raises(ConflictError):
        jobs.add("ingest", {"a": 2}, key="k")
    with pytest.raises(ConflictError):
        jobs.add("embed", {"a": 1}, key="k")
    assert len(jobs.all(limit=9)) == 1


@pytest.mark.parametrize("key", ["", "x" * 256])
def test_key_has_a_length(jobs: Jobs, key: str) -> None:
    """A key that no database could hold is refused, and so is such a lock."""
    with pytest.raises(InputError):
        jobs.add("ingest", {}, key=key)
    with pytest.raises(InputError):
        jobs.add("ingest", {}, lock=key)


def test_payload_is_json(jobs: Jobs) -> None:
    """What JSON cannot hold is refused."""
    for bad in ({"a": {1}}, {"a": float("nan")}):
        with pytest.raises(InputError):
            jobs.add("ingest", bad)


def test_queue_is_bounded(home: Path) -> None:
    """Beyond the limit a tenant's jobs are refused, and nobody else's; what is wanted once is not."""
    with Library.open(home, limits=replace(DEFAULT, jobs_waiting=2)) as library:
        jobs = Jobs(library)
        jobs.add("ingest", {})
        jobs.add("ingest", {}, key="k")
        with pytest.raises(LimitError):
            jobs.add("ingest", {})
        assert jobs.add("ingest", {}, key="k").state == "waiting"
        embed = jobs.add("embed", {}, lock="embed", once=True)
        assert jobs.add("embed", {}, lock="embed", once=True) == embed
        assert Jobs(library.of_tenant("other")).add("ingest", {}).tenant == "other"
        JobQueue(library).claim("w", lease_seconds=LEASE)
        with pytest.raises(LimitError):  # the job that is wanted once waits, too
            jobs.add("ingest", {})


def test_tenants_see_their_own(library: Library, jobs: Jobs, queue: JobQueue) -> None:
    """Another tenant's jobs are not found; workers see all."""
    other = Jobs(library.of_tenant("other"), lambda: 999.0)
    theirs = other.add("ingest", {}, key="k", lock="l")
    mine = jobs.add("ingest", {}, key="k", lock="l")
    with pytest.raises(NotFoundError):
        jobs.one(theirs.job_id)
    assert [_claim(queue), _claim(queue)] == [other.one(theirs.job_id), jobs.one(mine.job_id)]


def test_lock_is_held_by_one(jobs: Jobs, queue: JobQueue, clock: Clock) -> None:
    """A job that needs what a running one holds is passed over until that one has ended or is lost."""
    first = jobs.add("ingest", {}, lock=["a", "b"])
    second = jobs.add("ingest", {}, lock=["b", "c"])
    third = jobs.add("ingest", {}, lock="c")
    running = _claim(queue, "w1")
    assert running.job_id == first.job_id
    other = _claim(queue, "w2")
    assert other.job_id == third.job_id
    assert queue.claim("w3", lease_seconds=LEASE) is None
    queue.done(other, "w2", {})
    assert queue.claim("w3", lease_seconds=LEASE) is None
    clock.now += LEASE
    taken = {_claim(queue, "w3").job_id}
    assert queue.claim("w4", lease_seconds=LEASE) is None
    assert taken <= {first.job_id, second.job_id}


def test_lost_job_is_claimed_again(jobs: Jobs, queue: JobQueue, clock: Clock) -> None:
    """When a lease is over the job is another's; what the first worker says changes nothing any more."""
    jobs.add("ingest", {})
    lost = _claim(queue, "w1")
    clock.now += LEASE - 1
    assert queue.beat(lost, "w1", {"done": 1}, lease_seconds=LEASE)
    clock.now += LEASE - 1
    assert queue.claim("w2", lease_seconds=LEASE) is None
    clock.now += 1
    again = _claim(queue, "w2")
    assert (again.job_id, again.attempts, again.progress) == (lost.job_id, 2, {"done": 1})
    assert not queue.beat(lost, "w1", {"done": 9}, lease_seconds=LEASE)
    assert not queue.failed(lost, "w1", FAULT, retry=True)
    assert not queue.done(lost, "w1", {})
    assert jobs.one(lost.job_id) == again


def test_worker_lost_too_often_is_a_failure(jobs: Jobs, queue: JobQueue, clock: Clock) -> None:
    """A job that ends every worker is not begun for ever."""
    added = jobs.add("ingest", {})
    for _ in range(DEFAULT.job_attempts):
        _claim(queue)
        clock.now += LEASE
    assert queue.claim("w", lease_seconds=LEASE) is None
    ended = jobs.one(added.job_id)
    assert (ended.state, (ended.error or {})["code"]) == ("failed", "worker_lost")


def test_back_off(jobs: Jobs, queue: JobQueue, clock: Clock) -> None:
    """A failed job waits 2, 8, 32 and 128 seconds, and then has failed."""
    added = jobs.add("ingest", {}, lock="l")
    for seconds in (2, 8, 32, 128):
        assert queue.failed(_claim(queue), "w", FAULT, retry=True)
        waiting = jobs.one(added.job_id)
        assert (waiting.state, waiting.error) == ("waiting", FAULT)
        clock.now += seconds - 0.5
        assert queue.claim("w", lease_seconds=LEASE) is None
        clock.now += 0.5
    assert queue.failed(_claim(queue), "w", FAULT, retry=True)
    assert (jobs.one(added.job_id).state, jobs.one(added.job_id).attempts) == ("failed", 5)


def test_failure_without_retry_is_final(jobs: Jobs, queue: JobQueue) -> None:
    """What would fail again is not tried again."""
    added = jobs.add("ingest", {})
    assert queue.failed(_claim(queue), "w", FAULT, retry=False)
    assert jobs.one(added.job_id).state == "failed"
    assert queue.claim("w", lease_seconds=LEASE) is None


def test_success_after_a_failure_has_no_error(jobs: Jobs, queue: JobQueue, clock: Clock) -> None:
    """The error of an earlier attempt does not stay."""
    added = jobs.add("ingest", {})
    queue.failed(_claim(queue), "w", FAULT, retry=True)
    clock.now += 2
    queue.done(_claim(queue), "w", {"done": 1})
    assert jobs.one(added.job_id).error is None


def test_given_back_costs_nothing(jobs: Jobs, queue: JobQueue) -> None:
    """A worker that has to go leaves its job to the next one at once."""
    added = jobs.add("ingest", {}, lock="l")
    assert queue.given_back(_claim(queue), "w", {"done": 1})
    again = _claim(queue, "w2")
    assert (again.job_id, again.attempts, again.progress) == (added.job_id, 1, {"done": 1})


def test_cancel(jobs: Jobs, queue: JobQueue, clock: Clock) -> None:
    """A waiting job is cancelled at once, a running one when its worker hears of it, an ended one not at all."""
    waiting = jobs.add("ingest", {}, lock="l")
    assert jobs.cancel(waiting.job_id).state == "cancelled"
    assert queue.claim("w", lease_seconds=LEASE) is None
    running = jobs.add("ingest", {}, lock="l")
    later = jobs.add("ingest", {}, lock="l")
    claimed = _claim(queue)
    assert claimed.job_id == running.job_id
    assert jobs.cancel(running.job_id).state == "running"
    assert not queue.beat(claimed, "w", {"done": 1}, lease_seconds=LEASE)
    # Until it stops, what it holds is nobody else's.
    assert queue.claim("w2", lease_seconds=LEASE) is None
    assert queue.failed(claimed, "w", FAULT, retry=True)
    assert jobs.one(running.job_id).state == "failed"
    second = _claim(queue)
    assert second.job_id == later.job_id
    jobs.cancel(later.job_id)
    assert queue.given_back(second, "w", {"done": 2})
    ended = jobs.one(later.job_id)
    assert (ended.state, ended.progress) == ("cancelled", {"done": 2})
    assert jobs.cancel(later.job_id) == ended
    lost = jobs.add("ingest", {})
    _claim(queue)
    jobs.cancel(lost.job_id)
    clock.now += LEASE
    assert queue.claim("w", lease_seconds=LEASE) is None
    assert jobs.one(lost.job_id).state == "cancelled"


def test_kinds_that_a_worker_does(jobs: Jobs, queue: JobQueue) -> None:
    """A worker gets the kinds that it names."""
    jobs.add("embed", {})
    assert queue.claim("w", lease_seconds=LEASE, kinds=["ingest"]) is None
    found = queue.claim("w", lease_seconds=LEASE, kinds=["ingest", "embed"])
    assert found is not None
    assert found.kind == "embed"


def test_sweep_forgets_what_ended_long_ago(jobs: Jobs, queue: JobQueue, clock: Clock) -> None:
    """Ended jobs are forgotten after a week with their keys; open ones are not."""
    old = jobs.add("ingest", {}, key="k", lock="l")
    queue.done(_claim(queue), "w", {})
    left = jobs.add("ingest", {})
    clock.now += DEFAULT.job_seconds
    assert queue.sweep() == 0
    clock.now += 1
    assert queue.sweep() == 1
    assert [job.job_id for job in jobs.all(limit=9)] == [left.job_id]
    assert jobs.add("ingest", {"new": True}, key="k").job_id != old.job_id


def test_workers_never_share_a_job(library: Library, home: Path) -> None:
    """Eight, each with a library of its own, claim at once: no job twice, and of those with one lock one at a time."""
    jobs = Jobs(library)
    for number in range(24):
        jobs.add("ingest", {}, lock=f"l{number % 6}")
    barrier = Barrier(8)
    claimed: list[str] = []

    def work(name: str) -> None:
        with Library.open(home) as mine:
            queue = JobQueue(mine)
            barrier.wait()
            # Whoever is slower at the same moment gets nothing, and asks again.
            for _ in range(6):
                found = queue.claim(name, lease_seconds=60)
                if found is not None:
                    claimed.append(found.job_id)

    threads = [Thread(target=work, args=(str(number),)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(claimed) == len(set(claimed)) == 6
    assert len(jobs.all(limit=99, state="running")) == 6


@dataclass
class Known:
    """What the model knows of a job."""

    number: int
    lock: str | None
    state: str = "waiting"
    ready: float = 0.0
    attempts: int = 0
    worker: str | None = None
    lease: float = 0.0
    asked: bool = False
    claim: Job | None = None


def _has_claims(machine: QueueMachine) -> bool:
    return any(known.claim is not None for known in machine.known.values())


class QueueMachine(RuleBasedStateMachine):
    """The queue beside a model of it: a list of jobs in memory."""

    folder: Any

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.library = Library.open(self.folder.mktemp("queue") / "home")
        self.jobs = Jobs(self.library, self.clock)
        self.queue = JobQueue(self.library, self.clock)
        self.known: dict[str, Known] = {}

    def teardown(self) -> None:
        """Close the library."""
        self.library.close()

    @rule(lock=st.sampled_from([None, "a", "b"]))
    def add(self, lock: str | None) -> None:
        """Enter a job."""
        job = self.jobs.add("ingest", {}, lock=lock)
        self.known[job.job_id] = Known(len(self.known), lock, ready=self.clock.now)

    @rule(seconds=st.sampled_from([1.0, 10.0, 31.0, 200.0]))
    def wait(self, seconds: float) -> None:
        """Let time go by."""
        self.clock.now += seconds

    @rule(worker=st.sampled_from(["w1", "w2", "w3"]))
    def claim(self, worker: str) -> None:
        """Claim what the model says is next."""
        now = self.clock.now
        for known in self.known.values():
            if known.state == "running" and known.lease <= now:
                known.state = "waiting"
                if known.asked:
                    known.state = "cancelled"
                elif known.attempts >= DEFAULT.job_attempts:
                    known.state = "failed"
        held = {known.lock for known in self.known.values() if known.state == "running"} - {None}
        ready = [
            (known.ready, known.number, job_id)
            for job_id, known in self.known.items()
            if known.state == "waiting" and known.ready <= now and known.lock not in held
        ]
        found = self.queue.claim(worker, lease_seconds=LEASE)
        if not ready:
            assert found is None
            return
        assert found is not None
        # Those that are ready since the same moment come in the order in which they were made.
        assert found.job_id == min(ready)[2]
        known = self.known[found.job_id]
        known.state, known.worker, known.lease = "running", worker, now + LEASE
        known.attempts += 1
        known.claim = found

    @precondition(_has_claims)
    @rule(data=st.data())
    def cancel(self, data: st.DataObject) -> None:
        """Cancel a job that was claimed once."""
        known, job, _ = self._drawn(data)
        self.jobs.cancel(job.job_id)
        if known.state == "running":
            known.asked = True
        elif known.state == "waiting":
            known.state = "cancelled"

    @precondition(_has_claims)
    @rule(data=st.data())
    def beat(self, data: st.DataObject) -> None:
        """Renew a lease."""
        known, job, worker = self._drawn(data)
        runs = known.state == "running"
        assert self.queue.beat(job, worker, {}, lease_seconds=LEASE) == (runs and not known.asked)
        if runs:
            known.lease = self.clock.now + LEASE

    @precondition(_has_claims)
    @rule(data=st.data(), state=st.sampled_from(["done", "cancelled"]))
    def end(self, data: st.DataObject, state: str) -> None:
        """Say that a job is done, or that it has stopped."""
        known, job, worker = self._drawn(data)
        runs = known.state == "running"
        said = self.queue.done if state == "done" else self.queue.cancelled
        assert said(job, worker, {}) == runs
        known.state = state if runs else known.state

    @precondition(_has_claims)
    @rule(data=st.data())
    def give_back(self, data: st.DataObject) -> None:
        """Leave a job to others."""
        known, job, worker = self._drawn(data)
        runs = known.state == "running"
        assert self.queue.given_back(job, worker, {}) == runs
        if runs:
            known.state = "cancelled" if known.asked else "waiting"
            known.attempts -= 0 if known.asked else 1

    @precondition(_has_claims)
    @rule(data=st.data(), retry=st.booleans())
    def fail(self, data: st.DataObject, retry: bool) -> None:  # noqa: FBT001 - a rule's argument
        """Say that a job failed."""
        known, job, worker = self._drawn(data)
        runs = known.state == "running"
        assert self.queue.failed(job, worker, FAULT, retry=retry) == runs
        if runs and retry and not known.asked and known.attempts < DEFAULT.job_attempts:
            known.state, known.ready = "waiting", self.clock.now + 2 * 4 ** (known.attempts - 1)
        elif runs:
            known.state = "failed"

    def _drawn(self, data: st.DataObject) -> tuple[Known, Job, str]:
        """Return a job that was claimed, as it was then, and by whom it was claimed last."""
        known = data.draw(st.sampled_from([one for one in self.known.values() if one.claim is not None]))
        assert known.claim is not None
        assert known.worker is not None
        return known, known.claim, known.worker

    @invariant()
    def same(self) -> None:
        """The library says of every job what the model says."""
        found = {job.job_id: (job.state, job.attempts) for job in self.jobs.all(limit=1_000)}
        assert found == {job_id: (known.state, known.attempts) for job_id, known in self.known.items()}


def test_queue_is_as_its_model(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whatever is done in whatever order, queue and model agree."""

    class Machine(QueueMachine):
        folder = tmp_path_factory

    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=8,
            stateful_step_count=40,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )
