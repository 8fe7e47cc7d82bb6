"""Jobs: work that outlives the request that asked for it, claimed by workers under a lease."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, cast, get_args

import sqlalchemy as sa
from sqlalchemy import exc

from pincite.core.errors import ConflictError, InputError, LimitError, NotFoundError, StoreError
from pincite.core.text import normalise
from pincite.library.database import take_numbers
from pincite.library.tables import same_key
from pincite.library.work_tables import held_files, job_locks, jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pincite.library.database import Database
    from pincite.library.library import Library
    from pincite.library.tables import Row, Rows

JobState = Literal["waiting", "running", "done", "failed", "cancelled"]
"""Where a job stands; the last three are final."""
JOB_STATES: tuple[JobState, ...] = get_args(JobState)
_OPEN: Final = ("waiting", "running")

_KEY_CODE_POINTS = 255
_RACES = 5
"""Claims in a row that another worker may be quicker with before this one looks again later."""


@dataclass(frozen=True, slots=True)
class Job:
    """A piece of work and what became of it. Times are Unix seconds; those that have not come are None.

    `attempts` counts how often a worker began it. `result` is there when it is `done`, `error` (`code`, `message`,
    `field`) when it failed or waits to be tried again.
    """

    job_id: str
    kind: str
    state: JobState
    payload: dict[str, Any]
    progress: dict[str, Any]
    result: dict[str, Any] | None
    error: dict[str, Any] | None
    attempts: int
    created_at: float
    started_at: float | None
    finished_at: float | None
    tenant: str


_COLUMNS = (
    jobs.c.job_id,
    jobs.c.kind,
    jobs.c.state,
    jobs.c.payload,
    jobs.c.progress,
    jobs.c.result,
    jobs.c.error,
    jobs.c.attempts,
    jobs.c.created_at,
    jobs.c.started_at,
    jobs.c.finished_at,
    jobs.c.tenant,
)


class Jobs:
    """The jobs of one tenant, for those who ask for them."""

    __slots__ = ("_clock", "library")

    def __init__(self, library: Library, clock: Callable[[], float] = time.time) -> None:
        """`clock` tells Unix time."""
        self.library = library
        self._clock = clock

    def add(
        self,
        kind: str,
        payload: dict[str, Any],
        *,
        key: str | None = None,
        lock: str | Sequence[str] | None = None,
        files: Iterable[str] = (),
        once: bool = False,
        after: float = 0.0,
    ) -> Job:
        """Enter a job and return it. The same `key` with the same kind and payload returns the job that is there.

        Jobs that share a name of `lock` never run at the same time. `files` are stored files that stay until the job
        has ended. With `once`, a job of this kind that waits already is returned instead, however many wait. It is
        not begun for `after` seconds, and neither is the one that waits already.

        Raises:
            ConflictError: the key was given before with another payload.
            InputError: the key or a lock is no name of 1 to 255 code points, or JSON cannot hold the payload.
            LimitError: `limits.jobs_waiting` jobs of the tenant wait already.
            StoreError: the library cannot be written.
        """
        names = [lock] if isinstance(lock, str) else list(dict.fromkeys(lock or ()))
        for name in names if key is None else [key, *names]:
            _check_name(name)
        payload = _as_json(payload)
        with self._database.writing() as connection:
            found = self._there(connection, kind, payload, key) if key is not None else None
            if found is None and once:
                found = self._waiting(connection, kind, after)
            if found is not None:
                return found
            if not once:
                self._check_room(connection)
            return self._insert(connection, kind, payload, key, names, set(files), after)

    def one(self, job_id: str) -> Job:
        """Return a job.

        Raises:
            NotFoundError: unknown, or ended so long ago that it was forgotten.
        """
        with self._database.reading() as connection:
            return self._one(connection, job_id)

    def all(self, *, limit: int, before: str | None = None, state: JobState | None = None) -> list[Job]:
        """Return at most `limit` jobs, newest first, those that came before the job `before`, in one state or any.

        Raises:
            InputError: there is no such state.
            NotFoundError: there is no job `before`.
        """
        statement = self._select().order_by(jobs.c.number.desc()).limit(limit)
        if state is not None:
            if state not in JOB_STATES:
                msg = f"A job is {', '.join(JOB_STATES[:-1])} or {JOB_STATES[-1]}."
                raise InputError(msg, field="state")
            statement = statement.where(jobs.c.state == state)
        with self._database.reading() as connection:
            if before is not None:
                number = connection.scalar(sa.select(jobs.c.number).where(self._is(before)))
                if number is None:
                    raise _unknown(field="before")
                statement = statement.where(jobs.c.number < number)
            return [_job(row) for row in connection.execute(statement)]

    def cancel(self, job_id: str) -> Job:
        """Cancel a job and return it: one that waits at once, one that runs when its worker hears of it next.

        One that has ended stays as it is.

        Raises:
            NotFoundError: unknown.
            StoreError: the library cannot be written.
        """
        with self._database.writing() as connection:
            mine = self._is(job_id)
            # A worker may claim or end it at this moment: each of the two finds the row as the other left it.
            waiting = sa.update(jobs).where(mine, jobs.c.state == "waiting")
            ended = {"state": "cancelled", "finished_at": self._clock()}
            if connection.execute(waiting.values(ended)).rowcount:
                let_go(connection, self._database.tenant, normalise(job_id))
            else:
                running = sa.update(jobs).where(mine, jobs.c.state == "running")
                connection.execute(running.values(stop_asked=True))
            return self._one(connection, job_id)

    @property
    def _database(self) -> Database:
        return self.library.database

    def _select(self) -> Rows:
        return sa.select(*_COLUMNS).where(jobs.c.tenant == self._database.tenant)

    def _is(self, job_id: str) -> sa.ColumnElement[bool]:
        return sa.and_(jobs.c.tenant == self._database.tenant, jobs.c.job_id == normalise(job_id))

    def _one(self, connection: sa.Connection, job_id: str) -> Job:
        row = connection.execute(sa.select(*_COLUMNS).where(self._is(job_id))).first()
        if row is None:
            raise _unknown(field="job_id")
        return _job(row)

    def _there(self, connection: sa.Connection, kind: str, payload: dict[str, Any], key: str) -> Job | None:
        row = connection.execute(self._select().where(jobs.c.request_key == normalise(key))).first()
        if row is None:
            return None
        found = _job(row)
        if (found.kind, found.payload) != (kind, payload):
            msg = "This idempotency key was used before, for another request."
            raise ConflictError(msg, field="idempotency_key")
        return found

    def _waiting(self, connection: sa.Connection, kind: str, after: float) -> Job | None:
        waiting = self._select().where(jobs.c.kind == kind, jobs.c.state == "waiting")
        row = connection.execute(waiting.limit(1)).first()
        if row is None:
            return None
        if after:
            ready = self._clock() + after
            # A worker may claim it at this moment; then it is not put off, and another one is entered.
            mine = sa.and_(self._is(row.job_id), jobs.c.state == "waiting")
            late = sa.case((jobs.c.ready_at > ready, jobs.c.ready_at), else_=ready)
            if not connection.execute(sa.update(jobs).where(mine).values(ready_at=late)).rowcount:
                return None
        return _job(row)

    def _check_room(self, connection: sa.Connection) -> None:
        most = self.library.limits.jobs_waiting
        count = sa.select(sa.func.count()).select_from(jobs)
        mine = jobs.c.tenant == self._database.tenant
        if (connection.scalar(count.where(mine, jobs.c.state == "waiting")) or 0) >= most:
            msg = f"{most:,} jobs wait already, the most that may; try again when some are done."
            raise LimitError(msg, field="jobs_waiting")

    def _insert(
        self,
        connection: sa.Connection,
        kind: str,
        payload: dict[str, Any],
        key: str | None,
        names: Sequence[str],
        files: Iterable[str],
        after: float,
    ) -> Job:
        now, tenant, job_id = self._clock(), self._database.tenant, self.library.new_id()
        connection.execute(
            sa.insert(jobs).values(
                tenant=tenant,
                job_id=job_id,
                number=take_numbers(connection, tenant, "jobs", 1),
                kind=kind,
                state="waiting",
                request_key=None if key is None else normalise(key),
                attempts=0,
                stop_asked=False,
                created_at=now,
                ready_at=now + after,
                payload=payload,
                progress={},
            )
        )
        rows = [{"tenant": tenant, "job_id": job_id, "name": name, "held": False} for name in names]
        if rows:
            connection.execute(sa.insert(job_locks), rows)
        for name in files:
            # The job holds from now on what one upload of that file has held until a job would.
            mine = sa.and_(held_files.c.tenant == tenant, held_files.c.file_hash == name)
            uploads = sa.select(held_files.c.holder).where(mine, held_files.c.until.is_not(None))
            if (holder := connection.scalar(uploads.limit(1))) is not None:
                connection.execute(sa.delete(held_files).where(mine, held_files.c.holder == holder))
        held = [{"tenant": tenant, "file_hash": name, "holder": job_id, "until": None} for name in files]
        if held:
            connection.execute(sa.insert(held_files), held)
        return self._one(connection, job_id)


class JobQueue:
    """The jobs of every tenant of a database, for workers. What a worker says of a job it lost changes nothing."""

    __slots__ = ("_clock", "_library")

    def __init__(self, library: Library, clock: Callable[[], float] = time.time) -> None:
        """`library` is that of any tenant, `clock` tells Unix time."""
        self._library = library
        self._clock = clock

    def claim(self, worker: str, *, lease_seconds: float, kinds: Sequence[str] | None = None) -> Job | None:
        """Give `worker`, a name that no other has, the job that has been ready longest; None when there is none.

        A job that needs what a running one holds is passed over, and one that is none of `kinds` where these are given.
        A running job whose lease ran out is ready again.

        Raises:
            StoreError: the library cannot be written.
        """
        for _ in range(_RACES):
            try:
                with self._database.working() as connection:
                    self._take_back(connection)
                    return self._claim(connection, worker, lease_seconds, kinds)
            except StoreError as error:
                # Another worker took a job that needs the same name, at the same moment.
                if not isinstance(error.__cause__, exc.IntegrityError):
                    raise
        return None

    def beat(self, job: Job, worker: str, progress: dict[str, Any], *, lease_seconds: float) -> bool:
        """Renew the lease and keep `progress`; False when the job was cancelled or lost: the worker stops.

        Raises:
            StoreError: the library cannot be written.
        """
        values = {"progress": progress, "lease_until": self._clock() + lease_seconds}
        with self._database.working() as connection:
            if not self._set(connection, job, worker, values):
                return False
            return not connection.scalar(sa.select(jobs.c.stop_asked).where(_is(job)))

    def done(self, job: Job, worker: str, result: dict[str, Any]) -> bool:
        """End a job with its result; False when it is not the worker's any more."""
        return self._end(job, worker, {"state": "done", "progress": result, "result": result, "error": None})

    def cancelled(self, job: Job, worker: str, progress: dict[str, Any]) -> bool:
        """End a job that was cancelled while it ran; False when it is not the worker's any more."""
        return self._end(job, worker, {"state": "cancelled", "progress": progress})

    def failed(self, job: Job, worker: str, error: dict[str, Any], *, retry: bool) -> bool:
        """End a job that failed, or with `retry` let it wait 2, 8, 32, ... seconds to be tried again.

        It is not tried more often than `limits.job_attempts`, nor again when it was cancelled. False when it is not
        the worker's any more.
        """
        if retry and job.attempts < self._library.limits.job_attempts:
            ready = self._clock() + 2 * 4 ** (job.attempts - 1)
            with self._database.working() as connection:
                again = {"state": "waiting", "ready_at": ready, "error": error, "worker": None}
                if self._set(connection, job, worker, again, stop_asked=False):
                    _hold(connection, job.tenant, job.job_id, held=False)
                    return True
        return self._end(job, worker, {"state": "failed", "error": error})

    def given_back(self, job: Job, worker: str, progress: dict[str, Any]) -> bool:
        """Let a job wait again whose worker has to go; it costs no attempt. False as above."""
        values = {"state": "waiting", "worker": None, "progress": progress, "attempts": job.attempts - 1}
        with self._database.working() as connection:
            if self._set(connection, job, worker, values, stop_asked=False):
                _hold(connection, job.tenant, job.job_id, held=False)
                return True
        return self.cancelled(job, worker, progress)

    def sweep(self) -> int:
        """Forget the jobs that ended `limits.job_seconds` ago; return how many that were.

        Raises:
            StoreError: the library cannot be written.
        """
        oldest = self._clock() - self._library.limits.job_seconds
        with self._database.working() as connection:
            ended = sa.delete(jobs).where(jobs.c.state.not_in(_OPEN), jobs.c.finished_at < oldest)
            return connection.execute(ended).rowcount

    @property
    def _database(self) -> Database:
        return self._library.database

    def _take_back(self, connection: sa.Connection) -> None:
        """Let the jobs whose lease ran out wait again; those that were tried often enough, or cancelled, end."""
        now = self._clock()
        lost = (
            sa.select(jobs.c.tenant, jobs.c.job_id, jobs.c.attempts, jobs.c.stop_asked)
            .where(jobs.c.finished_at.is_(None), jobs.c.state == "running", jobs.c.lease_until <= now)
            .with_for_update(skip_locked=True)
        )
        for tenant, job_id, attempts, stop_asked in connection.execute(lost).all():
            values: dict[str, Any] = {"state": "waiting", "worker": None}
            if stop_asked:
                values = {"state": "cancelled", "finished_at": now}
            elif attempts >= self._library.limits.job_attempts:
                message = "The job was begun several times, and every time its worker ended before it did."
                error = {"code": "worker_lost", "message": message, "field": None}
                values = {"state": "failed", "finished_at": now, "error": error}
            where = sa.and_(jobs.c.tenant == tenant, jobs.c.job_id == job_id)
            connection.execute(sa.update(jobs).where(where).values(values))
            if values["state"] == "waiting":
                _hold(connection, tenant, job_id, held=False)
            else:
                let_go(connection, tenant, job_id)

    def _claim(
        self, connection: sa.Connection, worker: str, lease_seconds: float, kinds: Sequence[str] | None
    ) -> Job | None:
        now = self._clock()
        other = job_locks.alias()
        blocked = (
            sa.exists()
            .where(same_key(job_locks, jobs, "job_id"))
            .where(other.c.tenant == job_locks.c.tenant, other.c.name == job_locks.c.name, other.c.held)
            .correlate(jobs)
        )
        ready = (
            sa.select(*_COLUMNS)
            .where(jobs.c.finished_at.is_(None), jobs.c.state == "waiting", jobs.c.ready_at <= now, ~blocked)
            .order_by(jobs.c.ready_at, jobs.c.created_at, jobs.c.number)
            .limit(1)
            .with_for_update(of=jobs, skip_locked=True)
        )
        if kinds is not None:
            ready = ready.where(jobs.c.kind.in_(list(kinds)))
        row = connection.execute(ready).first()
        if row is None:
            return None
        found = _job(row)
        values = {
            "state": "running",
            "worker": worker,
            "attempts": found.attempts + 1,
            "lease_until": now + lease_seconds,
            "started_at": found.started_at if found.started_at is not None else now,
        }
        connection.execute(sa.update(jobs).where(_is(found)).values(values))
        _hold(connection, found.tenant, found.job_id, held=True)
        return _job(connection.execute(sa.select(*_COLUMNS).where(_is(found))).one())

    def _end(self, job: Job, worker: str, values: dict[str, Any]) -> bool:
        with self._database.working() as connection:
            if not self._set(connection, job, worker, {**values, "finished_at": self._clock()}):
                return False
            let_go(connection, job.tenant, job.job_id)
            return True

    def _set(
        self,
        connection: sa.Connection,
        job: Job,
        worker: str,
        values: dict[str, Any],
        *,
        stop_asked: bool | None = None,
    ) -> bool:
        """Change a job that `worker` still runs, in the attempt that it was given; say whether it does."""
        its = sa.and_(
            _is(job), jobs.c.state == "running", jobs.c.worker == worker, jobs.c.attempts == job.attempts
        )
        if stop_asked is not None:
            its = sa.and_(its, jobs.c.stop_asked.is_(stop_asked))
        return connection.execute(sa.update(jobs).where(its).values(values)).rowcount == 1


def let_go(connection: sa.Connection, tenant: str, job_id: str) -> None:
    """Free what a job that has ended held: its names and its files."""
    connection.execute(sa.delete(job_locks).where(job_locks.c.tenant == tenant, job_locks.c.job_id == job_id))
    connection.execute(
        sa.delete(held_files).where(held_files.c.tenant == tenant, held_files.c.holder == job_id)
    )


def _hold(connection: sa.Connection, tenant: str, job_id: str, *, held: bool) -> None:
    mine = sa.and_(job_locks.c.tenant == tenant, job_locks.c.job_id == job_id)
    connection.execute(sa.update(job_locks).where(mine).values(held=held))


def _is(job: Job) -> sa.ColumnElement[bool]:
    return sa.and_(jobs.c.tenant == job.tenant, jobs.c.job_id == job.job_id)


def _job(row: Row) -> Job:
    job_id, kind, state, *rest = row
    return Job(job_id, kind, cast("JobState", state), *rest)


def _as_json(payload: dict[str, Any]) -> dict[str, Any]:
    """Return a payload as it is read back.

    Raises:
        InputError: JSON cannot hold it.
    """
    try:
        return json.loads(json.dumps(payload, allow_nan=False))
    except (TypeError, ValueError) as error:
        msg = "A job's payload is what JSON can hold."
        raise InputError(msg, field="payload") from error


def _check_name(name: str) -> None:
    if not 0 < len(normalise(name)) <= _KEY_CODE_POINTS:
        msg = f"A key has 1 to {_KEY_CODE_POINTS} code points."
        raise InputError(msg, field="idempotency_key")


def _unknown(*, field: str) -> NotFoundError:
    msg = "There is no such job."
    return NotFoundError(msg, field=field)
