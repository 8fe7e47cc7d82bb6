"""What a stream of AG-UI has to keep to, told apart from the code that keeps it, and streams to try it with."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pincite.citing import CitationRun
from pincite.protocols.ag_ui import AnswerCiter, CitedStream

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

    from ag_ui.core import BaseEvent

_OPENS = {
    "TEXT_MESSAGE": ("START", "CONTENT", "END", "messageId"),
    "TOOL_CALL": ("START", "ARGS", "END", "toolCallId"),
    "REASONING_MESSAGE": ("START", "CONTENT", "END", "messageId"),
    "REASONING": ("START", "-", "END", "messageId"),
    "STEP": ("STARTED", "-", "FINISHED", "stepName"),
    "SUBAGENT": ("STARTED", "-", "FINISHED", "subagentRunId"),
}


def events_of(text: str) -> list[dict[str, Any]]:
    """Return the events of a stream as our own service sends it: one `data:` line a frame."""
    return [json.loads(frame.removeprefix("data: ")) for frame in text.split("\n\n") if frame]


def faults(events: Iterable[dict[str, Any]]) -> list[str]:  # noqa: C901, PLR0912 - one rule a line
    """Return what of a stream the official client would refuse, and what of its citations is out of place.

    The rules of the stream: the first event begins a run or is its error; nothing stands outside of a run but an error
    behind one that finished; what goes on or ends has begun, and is not begun twice; nothing is open when a run
    finishes; pieces without a beginning and an end are not among them. The rules of citations: they come after the end
    of their message, in the same run, and before its end.
    """
    found: list[str] = []
    is_running = has_failed = has_begun = False
    is_open = set[tuple[str, str, str | None]]()
    ended = set[str]()
    for event in events:
        kind = str(event["type"])
        if kind == "RUN_STARTED":
            if is_running:
                found.append("a run begins in a run")
            is_running, has_failed = True, False
            is_open.clear()
            ended.clear()
        elif kind == "RUN_ERROR":
            if has_failed:
                found.append("an error behind an error")
            is_running, has_failed = False, True
        elif not is_running:
            found.append(f"{kind} outside of a run")
        elif kind == "RUN_FINISHED":
            if is_open:
                found.append(f"finished with {sorted(map(str, is_open))}")
            is_running = False
        elif kind.endswith("_CHUNK"):
            found.append(kind)
        elif kind == "CUSTOM" and str(event["name"]).endswith(".citations"):
            if event["value"]["messageId"] not in ended:
                found.append("citations of a message that has not ended")
        else:
            _step(event, kind, is_open, found)
            if kind == "TEXT_MESSAGE_END":
                ended.add(event["messageId"])
            elif kind == "TEXT_MESSAGE_START":
                ended.discard(event["messageId"])
        has_begun = True
    if is_running or not has_begun:
        found.append("no end")
    return found


def _step(
    event: dict[str, Any], kind: str, is_open: set[tuple[str, str, str | None]], found: list[str]
) -> None:
    for family, (begins, goes_on, ends, field) in _OPENS.items():
        does = kind.removeprefix(f"{family}_")
        if does == kind or does not in {begins, goes_on, ends}:
            continue
        owner = event.get("subagentRunId") if family == "STEP" else None
        key = (family, str(event[field]), owner)
        if (does == begins) == (key in is_open):
            found.append(f"{kind} of {event[field]}")
        if does == begins:
            is_open.add(key)
        elif does == ends:
            is_open.discard(key)
        return


def as_json(events: Iterable[BaseEvent]) -> list[dict[str, Any]]:
    """Return events as they stand on the wire."""
    return [event.model_dump(mode="json", by_alias=True, exclude_none=True) for event in events]


async def sent(events: Iterable[BaseEvent]) -> AsyncIterator[BaseEvent]:
    """Yield events as an agent would."""
    for event in events:
        yield event


def run_of() -> tuple[CitationRun, str, str]:
    """Return a run with two documents of a passage each, and the refs of the two."""
    run = CitationRun("ref")
    first = run.present({"id": "a-1", "document_id": "a", "title": "A", "content": "The sky is blue."})
    second = run.present({"id": "b-1", "document_id": "b", "title": "B", "content": "Grass is green."})
    return run, first["ref"], second["ref"]


async def told(run: CitationRun, events: Iterable[BaseEvent], **given: Any) -> list[dict[str, Any]]:
    """Return what a client is sent of an agent's events, as it stands on the wire."""
    stream = CitedStream(run, [AnswerCiter()], **given)
    return as_json([event async for event in stream.of(sent(events))])


def names(events: Iterable[dict[str, Any]]) -> list[str]:
    """Return the type of each event, and the name of one that is custom."""
    return [str(event["name"] if event["type"] == "CUSTOM" else event["type"]) for event in events]


def text_of(events: Iterable[dict[str, Any]], message_id: str) -> str:
    """Return the pieces of a message's text in one."""
    return "".join(
        event["delta"]
        for event in events
        if event["type"] == "TEXT_MESSAGE_CONTENT" and event["messageId"] == message_id
    )
