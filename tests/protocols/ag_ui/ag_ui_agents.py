"""Agents that are served over AG-UI for tests, and a site that serves one over real HTTP."""

from __future__ import annotations

import asyncio
import re
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import uvicorn
from pydantic_ai import Agent
from pydantic_ai.messages import ModelRequest, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel
from starlette.applications import Starlette
from starlette.routing import Route

from pincite.protocols.ag_ui import CitingAGUIAdapter

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Generator

    from pydantic_ai.messages import ModelMessage
    from starlette.requests import Request
    from starlette.responses import Response

_REF = re.compile(r"'ref': '([0-9a-f]{8,36})'")
PASSAGES = [
    {"id": "a-1", "document_id": "a", "title": "Sky", "content": "The sky is blue on a clear day."},
    {"id": "b-1", "document_id": "b", "title": "Grass", "content": "Grass is green all summer long."},
]


def look_up() -> list[dict[str, Any]]:
    """Look something up."""
    return [dict(one) for one in PASSAGES]


def refs_in(messages: list[ModelMessage]) -> list[str]:
    """Return the refs that a model was shown, in order."""
    parts = [part for one in messages if isinstance(one, ModelRequest) for part in one.parts]
    return [
        ref for part in parts if isinstance(part, ToolReturnPart) and part.tool_name == "look_up"
        for ref in _REF.findall(str(part.content))
    ]  # fmt: skip


def agent_of(write: Callable[[list[str], int], str], pick: Any = None, **given: Any) -> Agent[None, str]:
    """Return an agent that looks something up and then writes what `write` returns of the refs and the attempt.

    `pick` is what its model answers when it is asked once, not as a stream.
    """
    attempts: list[int] = []

    async def stream(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Any]:
        refs = refs_in(messages)
        if not refs:
            yield {0: DeltaToolCall("look_up", "{}", tool_call_id="call-1")}
            return
        attempts.append(1)
        text = write(refs, len(attempts))
        for start in range(0, len(text), 5):
            await asyncio.sleep(0)
            yield text[start : start + 5]

    model = (
        FunctionModel(stream_function=stream) if pick is None else FunctionModel(pick, stream_function=stream)
    )
    return Agent(model, tools=[look_up], **given)


@contextmanager
def served(answer: Callable[[Request], Any]) -> Generator[str]:
    """Serve one endpoint over HTTP on a free port of the loopback, and yield its address."""
    app = Starlette(routes=[Route("/", answer, methods=["POST"])])
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        while not server.started:
            threading.Event().wait(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}/"
    finally:
        server.should_exit = True
        thread.join(10)


def endpoint(agent: Agent[None, str], **given: Any) -> Callable[[Request], Any]:
    """Return the endpoint of an agent that cites."""

    async def answer(request: Request) -> Response:
        return await CitingAGUIAdapter[None].dispatch_request(request, agent=agent, **given)

    return answer


def run_input(question: str = "What colour is the sky?", **given: Any) -> dict[str, Any]:
    """Return the input of a run with one question."""
    return {
        "threadId": "t", "runId": "r", "state": {}, "tools": [], "context": [], "forwardedProps": {},
        "messages": [{"id": "q", "role": "user", "content": question}], **given,
    }  # fmt: skip
