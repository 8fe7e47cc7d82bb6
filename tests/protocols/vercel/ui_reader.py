"""A reader of UI message chunks: the message that a client of the AI SDK has, and what it would refuse."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Iterable, Sequence

    from pydantic_ai.ui.vercel_ai.response_types import BaseChunk

CITATIONS = "data-pincite-citations"
SOURCES = ("source-url", "source-document")


@dataclass
class Read:
    """What a client has: the parts of the message, in order, and the transient data that it was told of."""

    message_id: str | None = None
    parts: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    transient: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    errors: list[str] = field(default_factory=list[str])
    types: list[str] = field(default_factory=list[str])
    # The input of each call as it was streamed, by the id of the call.
    inputs: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def texts(self) -> list[str]:
        """The text of each text part, as it was streamed."""
        return [one["text"] for one in self.parts if one["type"] == "text"]

    @property
    def shown(self) -> list[str]:
        """The text of each text part, as a client shows it: what took its place, where something did."""
        texts = self.texts
        for one in self.cited:
            if one["textIndex"] is not None and "text" in one:
                texts[one["textIndex"]] = one["text"]
        return texts

    @property
    def cited(self) -> list[dict[str, Any]]:
        """What each text cites."""
        return [one["data"] for one in self.parts if one["type"] == CITATIONS]

    @property
    def sources(self) -> list[dict[str, Any]]:
        """The source parts."""
        return [one for one in self.parts if one["type"] in SOURCES]


class UIReader:
    """Takes a message in, chunk by chunk, as the AI SDK does; a chunk that it would throw at fails an assertion."""

    def __init__(self) -> None:
        self.read = Read()
        self._texts: dict[str, dict[str, Any]] = {}
        self._thoughts: dict[str, dict[str, Any]] = {}
        self._inputs: set[str] = set()
        self._has_begun = False

    def take(self, chunk: dict[str, Any]) -> None:
        """Take in the next chunk, as JSON has it."""
        read, kind = self.read, chunk["type"]
        read.types.append(kind)
        if kind == "start":
            assert not self._has_begun
            self._has_begun = True
            read.message_id = chunk.get("messageId", read.message_id)
        elif kind.startswith(("text-", "reasoning-")):
            self._text(chunk)
        elif kind == "start-step":
            read.parts.append({"type": "step-start"})
        elif kind == "finish-step":
            # Its versions 5 and 6 forget here what is written by pieces.
            assert not self._texts
            assert not self._thoughts
        elif kind.startswith("tool-"):
            self._tool(chunk)
        elif kind.startswith("data-"):
            self._data(chunk)
        elif kind in SOURCES:
            read.parts.append(chunk)
        elif kind == "error":
            read.errors.append(chunk["errorText"])

    def _text(self, chunk: dict[str, Any]) -> None:
        kind, _, does = chunk["type"].partition("-")
        opened = self._texts if kind == "text" else self._thoughts
        if does == "start":
            assert chunk["id"] not in opened
            part = {"type": kind, "text": ""}
            opened[chunk["id"]] = part
            self.read.parts.append(part)
            return
        assert chunk["id"] in opened
        if does == "delta":
            opened[chunk["id"]]["text"] += chunk["delta"]
        else:
            del opened[chunk["id"]]

    def _tool(self, chunk: dict[str, Any]) -> None:
        call = chunk["toolCallId"]
        part = next((one for one in self.read.parts if one.get("toolCallId") == call), None)
        if part is None:
            part = {"type": f"tool-{chunk['toolName']}", "toolCallId": call}
            self.read.parts.append(part)
        kind = chunk["type"]
        if kind == "tool-input-start":
            self._inputs.add(call)
            self.read.inputs[call] = ""
        elif kind == "tool-input-delta":
            assert call in self._inputs
            self.read.inputs[call] += chunk["inputTextDelta"]
        elif kind == "tool-input-available":
            self._inputs.discard(call)
            part |= {"state": "input-available", "input": chunk["input"]}
        elif kind == "tool-output-available":
            part |= {"state": "output-available", "output": chunk["output"]}
        elif kind == "tool-approval-request":
            part |= {"state": "approval-requested", "approval": {"id": chunk["approvalId"]}}

    def _data(self, chunk: dict[str, Any]) -> None:
        if chunk.get("transient"):
            self.read.transient.append(chunk)
            return
        for part in self.read.parts:
            if (part["type"], part.get("id")) == (chunk["type"], chunk.get("id", object())):
                part["data"] = chunk["data"]
                return
        self.read.parts.append(chunk)


def read(chunks: Iterable[dict[str, Any]]) -> Read:
    """Return what a client has of a whole stream."""
    reader = UIReader()
    for chunk in chunks:
        reader.take(chunk)
    return reader.read


def as_json(chunks: Iterable[BaseChunk]) -> list[dict[str, Any]]:
    """Return chunks as they are on the wire, `[DONE]` apart."""
    return [one.model_dump(mode="json", by_alias=True, exclude_none=True) for one in chunks]


def all_of(chunks: AsyncIterable[BaseChunk]) -> list[BaseChunk]:
    """Return the chunks of a stream."""

    async def gathered() -> list[BaseChunk]:
        return [one async for one in chunks]

    return asyncio.run(gathered())


def check_order(types: Sequence[str]) -> None:
    """Assert the order that holds for every stream: citations after their text, and before what ends it."""
    if "finish" in types:
        end = types.index("finish")
        assert set(types[end + 1 :]) <= {"done"}
    opened = 0
    for place, kind in enumerate(types):
        opened += (kind == "text-start") - (kind == "text-end")
        if kind == CITATIONS:
            assert "text-end" in types[:place]
    assert opened == 0
