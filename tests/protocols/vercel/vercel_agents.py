"""Agents that follow a script, served to the AI SDK over real HTTP."""

from __future__ import annotations

import asyncio
import json
import socket
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import httpx
import uvicorn
from pydantic_ai import Agent, Tool
from pydantic_ai.messages import ModelMessage, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel
from starlette.applications import Starlette
from starlette.routing import Route
from ui_reader import UIReader

from pincite.protocols.vercel import CitingVercelAIAdapter

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence

    from starlette.requests import Request
    from starlette.responses import Response
    from ui_reader import Read

MEALS = {
    "id": "meals-1",
    "document_id": "meals",
    "title": "Meals",
    "text": "A working lunch is paid up to 25 euro.",
}
TRAINS = {
    "id": "trains-1",
    "document_id": "trains",
    "url": "https://intranet.example/trains",
    "title": "Trains",
    "content": "First class needs approval.",
}


def look_up() -> list[dict[str, str]]:
    """Look something up."""
    return [MEALS, TRAINS]


def refs(messages: list[ModelMessage]) -> list[str]:
    """Return the refs of what the tool has returned, in order."""
    found: list[Any] = [
        part.content
        for message in messages
        for part in message.parts
        if isinstance(part, ToolReturnPart) and part.tool_name == "look_up"
    ]
    return [one["ref"] for one in found[-1]]


LOOK_UP = "look_up"
Step = str | Exception


@dataclass
class Talking:
    """A model that streams what its steps say, one a request, in pieces of four characters.

    A step is a text, in which `{0}` cites the first passage; `LOOK_UP` calls the tool; an error is raised after half a
    text. `seen` are the messages that it was sent.
    """

    steps: Sequence[Step | Callable[[list[ModelMessage]], str]]
    seen: list[list[ModelMessage]] = field(default_factory=list[list[ModelMessage]])

    async def __call__(
        self, messages: list[ModelMessage], _info: AgentInfo
    ) -> AsyncIterator[str | dict[int, DeltaToolCall]]:
        """Stream the next step."""
        step = self.steps[min(len(self.seen), len(self.steps) - 1)]
        self.seen.append(list(messages))
        if step == LOOK_UP:
            yield {0: DeltaToolCall("look_up", "{}", tool_call_id=f"call-{len(self.seen)}")}
            return
        if isinstance(step, Exception):
            yield "Half of "
            raise step
        said = step(messages) if callable(step) else step
        if "{" in said:
            said = said.format(*(f"[{ref}]" for ref in refs(messages)))
        for start in range(0, len(said), 4):
            yield said[start : start + 4]

    def agent(self, **given: Any) -> Agent[None, Any]:
        """Return an agent that has this model and one tool."""
        return Agent(FunctionModel(stream_function=self), tools=[Tool(look_up)], **given)


@asynccontextmanager
async def served(agent: Agent[None, Any], **options: Any) -> AsyncGenerator[str]:
    """Serve an agent on a loopback port of this process, as the page about it shows; give its address."""

    async def chat(request: Request) -> Response:
        return await CitingVercelAIAdapter.dispatch_request(request, agent=agent, **options)

    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        app = Starlette(routes=[Route("/chat", chat, methods=["POST"])])
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, lifespan="off"))
        task = asyncio.create_task(server.serve([listening]))
        try:
            while not server.started:
                assert not task.done(), "the server ended before it began"
                await asyncio.sleep(0.005)
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/chat"
        finally:
            server.should_exit = True
            await task


def asked(*messages: dict[str, Any], chat: str = "chat-1") -> dict[str, Any]:
    """Return the body of a request; a string is a question."""
    return {"trigger": "submit-message", "id": chat, "messages": list(messages)}


def question(text: str = "How much is lunch?", message_id: str = "q-1") -> dict[str, Any]:
    """Return the message of a user."""
    return {"id": message_id, "role": "user", "parts": [{"type": "text", "text": text}]}


@dataclass
class Reply:
    """What came over HTTP: all of it as it was sent, and what a client has of it."""

    sent: str
    headers: httpx.Headers
    read: Read

    def message(self) -> dict[str, Any]:
        """Return the message as the client sends it back."""
        return {"id": self.read.message_id, "role": "assistant", "parts": self.read.parts}


async def post(address: str, body: dict[str, Any]) -> Reply:
    """Ask, and read the stream to its end."""
    async with httpx.AsyncClient() as client:
        response = await client.post(address, json=body, timeout=60)
    assert response.status_code == 200, response.text
    reader = UIReader()
    for frame in response.text.split("\n\n"):
        payload = frame.removeprefix("data: ")
        if payload and payload != "[DONE]":
            reader.take(json.loads(payload))
    return Reply(response.text, response.headers, reader.read)


async def told(agent: Agent[None, Any], body: dict[str, Any] | None = None, **options: Any) -> Reply:
    """Serve an agent and ask it once."""
    async with served(agent, **options) as address:
        return await post(address, asked(question()) if body is None else body)
