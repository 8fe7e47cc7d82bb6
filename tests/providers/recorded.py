"""The recorded responses of providers, and streams made of those that were not recorded as streams."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Event = dict[str, Any]
NOTHING: list[Any] = []

FOLDER = (
    Path(os.environ.get("PINCITE_SHARED") or Path(__file__).resolve().parents[3] / "shared") / "recordings"
)
NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))


def load(name: str) -> dict[str, Any]:
    """Return a recording with `provider`, `api`, `stream`, and `response` or `events`."""
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def events_of(recording: dict[str, Any], size: int = 7) -> list[Event]:
    """Return the events of a recorded stream, or of a stream made of a whole response in pieces of `size`."""
    if recording["stream"]:
        return recording["events"]
    return list(_MADE[recording["api"]](recording["response"], size))


def sent_as_events(events: list[Event], *, newline: str = "\n", indent: int | None = None) -> bytes:
    """Return server-sent events as they come over the wire, also those whose JSON is written on several lines."""
    written: list[str] = [f": keep-alive{newline}{newline}"]
    for event in events:
        lines = json.dumps(event, ensure_ascii=False, indent=indent).split("\n")
        name = f"event: {event['type']}{newline}" if "type" in event else ""
        written.append(name + "".join(f"data: {line}{newline}" for line in lines) + newline)
    return "".join((*written, f"data: [DONE]{newline}{newline}")).encode()


def sent_as_lines(events: list[Event]) -> bytes:
    """Return JSON lines as they come over the wire."""
    return "".join(f"{json.dumps(event, ensure_ascii=False)}\n" for event in events).encode()


def pieces(text: str, size: int) -> list[str]:
    """Return a text in pieces of `size` code points."""
    return [text[at : at + size] for at in range(0, len(text), size)]


def _messages(response: Event, size: int) -> Iterator[Event]:
    start: Event = {**response, "content": []}
    yield {"type": "message_start", "message": start}
    for index, block in enumerate(response["content"]):
        is_text = block["type"] == "text"
        begun: Event = {"type": "text", "text": "", "citations": NOTHING} if is_text else block
        yield {"type": "content_block_start", "index": index, "content_block": begun}
        for citation in (block.get("citations") or NOTHING) if is_text else NOTHING:
            delta = {"type": "citations_delta", "citation": citation}
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        for piece in pieces(block["text"], size) if is_text else NOTHING:
            delta = {"type": "text_delta", "text": piece}
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    yield {"type": "message_delta", "delta": {"stop_reason": response.get("stop_reason")}}
    yield {"type": "message_stop"}


def _converse(response: Event, size: int) -> Iterator[Event]:
    yield {"messageStart": {"role": "assistant"}}
    for index, block in enumerate(response["output"]["message"]["content"]):
        cited = block.get("citationsContent", {"content": [block], "citations": NOTHING})
        for citation in cited["citations"]:
            yield {"contentBlockDelta": {"contentBlockIndex": index, "delta": {"citation": citation}}}
        for piece in pieces("".join(one.get("text", "") for one in cited["content"]), size):
            yield {"contentBlockDelta": {"contentBlockIndex": index, "delta": {"text": piece}}}
        yield {"contentBlockStop": {"contentBlockIndex": index}}
    yield {"messageStop": {"stopReason": response.get("stopReason")}}


def _generate(response: Event, size: int) -> Iterator[Event]:
    candidate = response["candidates"][0]
    for part in candidate["content"]["parts"]:
        for piece in pieces(part["text"], size) if "text" in part else [None]:
            shown = part if piece is None else {**part, "text": piece}
            yield {"candidates": [{"content": {"role": "model", "parts": [shown]}}]}
    last = {**candidate, "content": {"role": "model", "parts": NOTHING}}
    yield {**response, "candidates": [last]}


def _responses(response: Event, size: int) -> Iterator[Event]:
    yield {"type": "response.created", "response": {**response, "output": [], "status": "in_progress"}}
    for index, item in enumerate(response["output"]):
        at: Event = {"output_index": index, "item_id": item.get("id", "")}
        contents: list[Event] = item["content"] if item["type"] == "message" else []
        begun = {**item, "content": NOTHING} if contents else item
        yield {"type": "response.output_item.added", "output_index": index, "item": begun}
        for content_index, content in enumerate(contents):
            at["content_index"] = content_index
            empty = {**content, "text": "", "annotations": NOTHING}
            yield {"type": "response.content_part.added", **at, "part": empty}
            for piece in pieces(content["text"], size):
                yield {"type": "response.output_text.delta", **at, "delta": piece}
            for number, annotation in enumerate(content["annotations"]):
                added = {"annotation_index": number, "annotation": annotation}
                yield {"type": "response.output_text.annotation.added", **at, **added}
            yield {"type": "response.output_text.done", **at, "text": content["text"]}
            yield {"type": "response.content_part.done", **at, "part": content}
        yield {"type": "response.output_item.done", "output_index": index, "item": item}
    yield {"type": "response.completed", "response": response}


def _chat(response: Event, size: int) -> Iterator[Event]:
    outer = {name: value for name, value in response.items() if name != "choices"}
    message = response["choices"][0]["message"]
    for piece in pieces(message["content"], size):
        yield {**outer, "choices": [{"index": 0, "delta": {"role": "assistant", "content": piece}}]}
    rest = {name: value for name, value in message.items() if name != "content"}
    yield {**outer, "choices": [{"index": 0, "delta": {**rest, "content": ""}, "finish_reason": "stop"}]}


def _cohere(response: Event, size: int) -> Iterator[Event]:
    message = response["message"]
    yield {"type": "message-start", "id": response["id"], "delta": {"message": {"content": []}}}
    for index, block in enumerate(message["content"]):
        begun = {"message": {"content": {"type": block["type"], "text": ""}}}
        yield {"type": "content-start", "index": index, "delta": begun}
        for piece in pieces(block["text"], size):
            delta = {"message": {"content": {"text": piece}}}
            yield {"type": "content-delta", "index": index, "delta": delta}
        yield {"type": "content-end", "index": index}
    for index, citation in enumerate(message.get("citations", [])):
        yield {"type": "citation-start", "index": index, "delta": {"message": {"citations": citation}}}
        yield {"type": "citation-end", "index": index}
    yield {"type": "message-end", "delta": {"finish_reason": response["finish_reason"]}}


_MADE: dict[str, Callable[[Event, int], Iterator[Event]]] = {
    "messages": _messages,
    "converse": _converse,
    "generate_content": _generate,
    "responses": _responses,
    "chat": _chat,
    "sonar": _chat,
    "chat_v2": _cohere,
}
