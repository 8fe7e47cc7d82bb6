"""Asking over AG-UI: the same turn as `asking`, told as events while the answer is written."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse

from pincite.core.errors import ForbiddenError, InputError
from pincite.core.ids import parse_evidence_id
from pincite.core.limits import DEFAULT
from pincite.server._shapes import Json, Text
from pincite.server.access import Caller, Searcher, Serving, VisitorOnly
from pincite.server.agents import AgentId
from pincite.server.asking import begin, keep
from pincite.server.citations import lit_words
from pincite.server.faults import described
from pincite.server.observing import span

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from starlette.types import Receive, Scope, Send

    from pincite.agents import Asked as Answered
    from pincite.core.answer import Answer
    from pincite.protocols.ag_ui import AnsweringRun, Streamed
    from pincite.server.service import Service
    from pincite.server.turns import StreamPlace

router = APIRouter(tags=["agents"], responses=described(401, 403, 429, 503))

_EVENTS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The events of the run: the answer as it is written, with numbers in place of markers; "
        "`pincite.citation` for each as it comes, and `pincite.citations` before `RUN_FINISHED`; beside it "
        "`moca.citations`, where the agent searches packages.",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    },
    **described(404, 422, 501),
}
_ID = Annotated[Text, Field(min_length=1, max_length=200)]


class InputMessage(BaseModel):
    """A message of the conversation as the client has it."""

    model_config = ConfigDict(frozen=True, extra="allow", json_schema_extra={"additionalProperties": True})
    # What nobody reads has to be such that it can be handed on, too.
    __pydantic_extra__: dict[str, Json] = Field(init=False)  # pyright: ignore[reportIncompatibleVariableOverride] - how pydantic is told

    id: _ID
    role: Text = Field(max_length=40)
    content: Json = None


class RunInput(BaseModel):
    """The input of an AG-UI run. The question is the last message; what came before it is read from the conversation.

    `tools`, `context` and `forwardedProps` are taken and not used: an agent of this server answers from its documents.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="allow",
        populate_by_name=False,
        json_schema_extra={"additionalProperties": True},
    )
    __pydantic_extra__: dict[str, Json] = Field(init=False)  # pyright: ignore[reportIncompatibleVariableOverride] - how pydantic is told

    thread_id: _ID = Field(
        alias="threadId", description="The conversation; one that nobody has used begins it."
    )
    run_id: _ID = Field(alias="runId")
    messages: list[InputMessage] = Field(min_length=1, max_length=DEFAULT.run_messages)
    state: Json = None


@router.post(
    "/api/agents/{agent_id}/ag-ui",
    summary="Ask an agent over AG-UI",
    response_class=StreamingResponse,
    responses=_EVENTS,
)
async def ask_streaming(
    caller: Searcher, service: Serving, agent_id: AgentId, asked: RunInput
) -> StreamingResponse:
    """Answer the last message as a stream of AG-UI events, with every citation checked."""
    return await _stream(caller, service, agent_id, asked)


@router.post(
    "/embed/v1/ag-ui",
    tags=["embed"],
    summary="Ask the agent of an embed over AG-UI",
    response_class=StreamingResponse,
    responses=_EVENTS,
)
async def ask_as_visitor(caller: VisitorOnly, service: Serving, asked: RunInput) -> StreamingResponse:
    """Answer a visitor's last message; every passage that is found is granted to the visitor."""
    embed = caller.embed
    if embed is None:
        msg = "This is for a visitor's token."
        raise ForbiddenError(msg)
    return await _stream(caller, service, embed.agent_id, asked)


async def _stream(caller: Caller, service: Service, agent_id: str, asked: RunInput) -> StreamingResponse:
    place = service.streams.enter()
    try:
        run, collections = await _run(caller, service, agent_id, asked)
        return _Answering(_sent(run, collections), place)
    except BaseException:
        place.leave()
        raise


class _Answering(StreamingResponse):
    """The reply that streams an answer; its room is given back when it is over, however that comes."""

    def __init__(self, events: AsyncGenerator[str], place: StreamPlace) -> None:
        super().__init__(events, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})
        self._events = events
        self._place = place

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with aclosing(self._events):
                await super().__call__(scope, receive, send)
        finally:
            self._place.leave()


async def _run(caller: Caller, service: Service, agent_id: str, asked: RunInput) -> tuple[AnsweringRun, int]:
    """Return the run that answers, and over how many collections."""
    from pincite.agents import answering, checked_question
    from pincite.protocols.ag_ui import AnsweringRun

    limits = caller.desk.library.limits
    question = checked_question(_question(asked), limits)
    turn = await run_in_threadpool(begin, caller, agent_id, asked.thread_id, service.packages)

    async def locate(answer: Answer, quotes: Sequence[str | None]) -> list[dict[str, Any]]:
        return await run_in_threadpool(_located, service, caller, answer, quotes)

    async def ended(question_id: str, told: Streamed, found: Answered) -> None:
        await run_in_threadpool(keep, turn, question, found, (question_id, told))

    run = AnsweringRun(
        question,
        asked.model_dump(mode="json", by_alias=True),
        answering(**turn.settings(service)),
        history=turn.history,
        library=caller.desk.library,
        highlight=turn.highlight,
        locate=locate,
        citers=() if turn.packages is None else (turn.packages.citer,),
        ended=ended,
        limits=limits,
    )
    return run, len(turn.collections)


async def _sent(run: AnsweringRun, collections: int) -> AsyncGenerator[str]:
    from pincite.protocols.cited_run import closing

    with span("answer", collections=collections):
        async with closing(run.encoded()) as events:
            async for event in events:
                yield event


def _question(asked: RunInput) -> str:
    """Return what the last message asks.

    Raises:
        InputError: it is no message of a user, or holds no text.
    """
    from pincite.protocols.ag_ui.answering import asked_text

    last = asked.messages[-1]
    content = asked_text(last.content)
    if last.role != "user" or not content.strip():
        msg = "The last message is the question: of the role `user`, with text."
        raise InputError(msg, field="messages")
    return content


def _located(
    service: Service, caller: Caller, answer: Answer, quotes: Sequence[str | None]
) -> list[dict[str, Any]]:
    """Return where the words stand that a model picked, for each citation that has some."""
    found: list[dict[str, Any]] = []
    for index, quote in enumerate(quotes):
        passage = answer.citations[index].sources[0].passage
        if quote is None or passage is None or passage.chunk_id is None:
            continue
        named = parse_evidence_id(passage.evidence_id) if passage.evidence_id is not None else None
        version = None if named is None else named.version
        highlight = lit_words(service, caller, passage.chunk_id, version, quote)
        if highlight is not None:
            found.append({"citation": index, "quote": quote, **highlight})
    return found
