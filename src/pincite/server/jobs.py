"""Jobs: what works in the background, how far it is, and how to stop it."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from fastapi import APIRouter, Path, Query
from fastapi.responses import StreamingResponse
from pydantic import Field
from starlette.concurrency import run_in_threadpool

from pincite.core.errors import StoreError
from pincite.server._shapes import Shape
from pincite.server.access import Manager
from pincite.server.faults import described

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from pincite.library import Job
    from pincite.server.service import Desk

router = APIRouter(tags=["jobs"], responses=described(401, 403, 429, 503))

JobId = Annotated[str, Path(max_length=200, description="A job's id.")]
State = Literal["waiting", "running", "done", "failed", "cancelled"]
_ENDED: Final = frozenset({"done", "failed", "cancelled"})
_LOOK_SECONDS: Final = 0.25
_ALIVE_SECONDS: Final = 15.0


class JobBody(Shape):
    """A job."""

    job_id: str
    kind: str
    collection_id: str | None = Field(description="Of an `ingest` job: where its files go.")
    state: State
    progress: dict[str, Any] = Field(
        description="Of an `ingest` job: `files` with each one's state, `done`, `total`."
    )
    result: dict[str, Any] | None
    error: dict[str, Any] | None
    attempts: int
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


class JobList(Shape):
    """Jobs, the newest first."""

    jobs: list[JobBody]


def job_body(job: Job) -> JobBody:
    """Return what is told of a job."""
    return JobBody(
        job_id=job.job_id,
        kind=job.kind,
        collection_id=job.payload.get("collection_id"),
        state=job.state,
        progress=job.progress,
        result=job.result,
        error=job.error,
        attempts=job.attempts,
        created_at=_moment(job.created_at),
        started_at=None if job.started_at is None else _moment(job.started_at),
        finished_at=None if job.finished_at is None else _moment(job.finished_at),
    )


def _moment(seconds: float) -> datetime:
    """Return a moment as every reply tells one: the library compares those of jobs, so it keeps Unix seconds."""
    return datetime.fromtimestamp(seconds, UTC)


@router.get("/api/manage/jobs", summary="List jobs", responses=described(404, 422))
def list_all(
    caller: Manager,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    before: Annotated[
        str | None, Query(max_length=200, description="The last job of the page before.")
    ] = None,
    state: Annotated[State | None, Query()] = None,
) -> JobList:
    """List jobs, the newest first."""
    found = caller.desk.jobs.all(limit=limit, before=before, state=state)
    return JobList(jobs=[job_body(one) for one in found])


@router.get("/api/manage/jobs/{job_id}", summary="Read a job", responses=described(404))
def read(caller: Manager, job_id: JobId) -> JobBody:
    """Say how far a job is."""
    return job_body(caller.desk.jobs.one(job_id))


@router.delete("/api/manage/jobs/{job_id}", summary="Stop a job", responses=described(404))
def cancel(caller: Manager, job_id: JobId) -> JobBody:
    """Stop a job: one that waits at once, one that runs after the file it is at. What it has read stays."""
    return job_body(caller.desk.jobs.cancel(job_id))


@router.get(
    "/api/manage/jobs/{job_id}/events",
    summary="Follow a job",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "An event `job` at each change, and the last one when the job has ended.",
            "content": {"text/event-stream": {"schema": {"type": "string"}}},
        },
        **described(404),
    },
)
async def events(caller: Manager, job_id: JobId) -> StreamingResponse:
    """Follow a job as server-sent events until it has ended."""
    first = await run_in_threadpool(caller.desk.jobs.one, job_id)
    return StreamingResponse(
        _events(caller.desk, first),
        media_type="text/event-stream",
        headers={"X-Accel-Buffering": "no"},
    )


async def _events(desk: Desk, job: Job) -> AsyncIterator[str]:
    said: str | None = None
    quiet = 0.0
    while True:
        body = json.dumps(job_body(job).model_dump(mode="json"), separators=(",", ":"))
        if body != said:
            said, quiet = body, 0.0
            yield f"event: job\ndata: {body}\n\n"
        if job.state in _ENDED:
            return
        await asyncio.sleep(_LOOK_SECONDS)
        quiet += _LOOK_SECONDS
        if quiet >= _ALIVE_SECONDS:
            quiet = 0.0
            yield ": still at work\n\n"
        with suppress(StoreError):  # a busy moment of the database is no end of the job
            job = await run_in_threadpool(desk.jobs.one, job.job_id)
