"""The official client of AG-UI reads what we send, and our client what it reads."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
from ag_ui.core import TextMessageEndEvent
from ag_ui_agents import agent_of, endpoint, run_input, served
from ag_ui_events import BEGIN, END, EVENTS, RUN
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel
from pydantic_ai.ui import StateDeps
from starlette.responses import StreamingResponse

from ag_ui_order import as_json, events_of, faults, told
from pincite.protocols.ag_ui import AGUIClient

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from ag_ui.core import BaseEvent
    from starlette.requests import Request

    from ag_ui_node import OfficialClient

STARTED = {"type": "RUN_STARTED", "threadId": "t", "runId": "r", "protocolVersion": "1.0"}
FINISHED = {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"}


class Theirs(BaseModel):
    """A state of the agent's own."""

    mood: str = ""


def both(official: OfficialClient, address: str, **given: Any) -> tuple[dict[str, Any], AGUIClient, bytes]:
    """Ask an endpoint with the official client and with ours; return what the one saw, the other, and the stream."""
    asked = run_input(**given)
    theirs = official.run(
        {"url": address, **{name: asked[name] for name in ("threadId", "runId", "messages", "state")}}
    )
    client = AGUIClient(messages=asked["messages"], state=asked["state"])
    with httpx.stream("POST", address, json=asked, timeout=30) as reply:
        pieces = list(reply.iter_bytes())
    for _ in client.follow(pieces):
        pass
    return theirs, client, b"".join(pieces)


def of_theirs(messages: list[dict[str, Any]]) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Return role, text and calls of each of the official client's messages."""
    return [
        (
            one["role"],
            one["content"] if isinstance(one.get("content"), str) else "",
            [(call["function"]["name"], call["function"]["arguments"]) for call in one.get("toolCalls", [])],
        )
        for one in messages
    ]


def of_ours(client: AGUIClient) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Return the same of our client's."""
    return [
        (one.role, one.text, [(call.name, call.arguments) for call in one.tool_calls])
        for one in client.messages
    ]


def test_it_reads_what_an_agent_of_ours_sends(official: OfficialClient) -> None:
    """An answer with a draft that was taken back reads the same to both, with the same citations and state."""

    def write(refs: list[str], attempt: int) -> str:
        if attempt % 2:
            return "The sky is blue on a clear day [[deadbeef]]. Grass is green all summer long [[cafecafe]]."
        return f"The sky 😀 is blue on a clear day [{refs[0]}]."

    agent = agent_of(write)
    with served(endpoint(agent, deps=StateDeps(Theirs()))) as address:
        theirs, client, raw = both(official, address, state={"mood": "good"})
    assert theirs["error"] is None
    events = events_of(raw.decode())
    assert faults(events) == []
    assert of_theirs(theirs["messages"]) == of_ours(client)
    assert of_ours(client)[-1] == ("assistant", "The sky 😀 is blue on a clear day [1].", [])
    final = [one["value"] for one in theirs["custom"] if one["name"] == "pincite.citations"]
    # Each asked for itself, so ids of messages are others.
    ours = client.messages[-1].citations
    assert ours is not None
    assert [{**one, "messageId": ""} for one in final] == [{**ours, "messageId": ""}]
    assert final[0]["citations"][0]["start_utf16"] == final[0]["citations"][0]["start"] + 1
    kept = theirs["state"]["pincite"]["citations"]
    assert theirs["state"]["mood"] == client.state["mood"] == "good"
    assert list(kept) == [theirs["messages"][-1]["id"]]
    assert list(client.state["pincite"]["citations"]) == [client.messages[-1].message_id]


def test_it_reads_the_error_of_a_run(official: OfficialClient) -> None:
    """A failing agent is told of in the same sentence."""

    def write(refs: list[str], attempt: int) -> str:
        msg = "/etc/secret"
        raise RuntimeError(msg)

    with served(endpoint(agent_of(write))) as address:
        theirs, client, _ = both(official, address)
    assert theirs["error"] == client.run.message
    assert "secret" not in theirs["error"]


def families() -> list[dict[str, Any]]:
    """Return a stream made by hand of every family of events, of ours, and of some that nobody knows."""
    cited: dict[str, Any] = {
        "version": 1, "messageId": "m", "citations": [], "sources": [], "misses": [], "uncited": [], "status": None,
    }  # fmt: skip
    return [
        STARTED,
        {"type": "STATE_SNAPSHOT", "snapshot": {"a": [1, {"b": 2}], "c": "x"}},
        {"type": "STEP_STARTED", "stepName": "s"},
        {"type": "REASONING_START", "messageId": "z"},
        {"type": "REASONING_MESSAGE_START", "messageId": "z", "role": "reasoning"},
        {"type": "REASONING_MESSAGE_CONTENT", "messageId": "z", "delta": "Hm."},
        {"type": "REASONING_MESSAGE_END", "messageId": "z"},
        {"type": "REASONING_END", "messageId": "z"},
        {"type": "REASONING_ENCRYPTED_VALUE", "subtype": "message", "entityId": "z", "encryptedValue": "e"},
        {"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant"},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "A \u2028"},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "\x85 😀"},
        {"type": "TEXT_MESSAGE_END", "messageId": "m"},
        {"type": "CUSTOM", "name": "pincite.citations", "value": cited},
        {"type": "CUSTOM", "name": "moca.citations", "value": {"version": 1, "messageId": "m", "citations": []}},
        {"type": "CUSTOM", "name": "unknown.event", "value": {"deep": [None, 1.5, "é"]}},
        {"type": "TOMORROW", "messageId": "m"},
        {"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "f", "parentMessageId": "m"},
        {"type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": "{}"},
        {"type": "TOOL_CALL_END", "toolCallId": "c"},
        {"type": "TOOL_CALL_START", "toolCallId": "d", "toolCallName": "g"},
        {"type": "TOOL_CALL_END", "toolCallId": "d"},
        {"type": "TOOL_CALL_RESULT", "messageId": "cr", "toolCallId": "c", "content": "found"},
        {"type": "TOOL_CALL_CHUNK", "toolCallId": "e", "toolCallName": "h", "delta": "1"},
        {"type": "TOOL_CALL_CHUNK", "delta": "2"},
        {"type": "TEXT_MESSAGE_CHUNK", "messageId": "n", "role": "assistant", "delta": "In "},
        {"type": "RAW", "event": {"x": 1}},
        {"type": "TEXT_MESSAGE_CHUNK", "delta": "pieces."},
        {"type": "ACTIVITY_SNAPSHOT", "messageId": "y", "activityType": "PLAN", "content": {"p": 1}},
        {"type": "ACTIVITY_DELTA", "messageId": "y", "activityType": "PLAN",
         "patch": [{"op": "replace", "path": "/p", "value": 2}]},
        {"type": "STATE_DELTA", "delta": [{"op": "add", "path": "/a/1/d~1", "value": {}},
                                          {"op": "move", "from": "/c", "path": "/a/-"}]},
        {"type": "STATE_DELTA", "delta": [{"op": "add", "path": "/x", "value": 1}, {"op": "remove", "path": "/no"}]},
        {"type": "STEP_FINISHED", "stepName": "s"},
        {"type": "SUBAGENT_STARTED", "subagentRunId": "sub", "name": "helper"},
        {"type": "TEXT_MESSAGE_START", "messageId": "o", "role": "assistant", "subagentRunId": "sub"},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "o", "delta": "Sub.", "subagentRunId": "sub"},
        {"type": "TEXT_MESSAGE_END", "messageId": "o", "subagentRunId": "sub"},
        {"type": "SUBAGENT_FINISHED", "subagentRunId": "sub"},
        {"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant"},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": " Again."},
        {"type": "TEXT_MESSAGE_END", "messageId": "m"},
        {"type": "MESSAGES_SNAPSHOT", "messages": [
            {"id": "new", "role": "user", "content": "New."}, {"id": "m", "role": "assistant", "content": "Other."},
            {"id": "n", "role": "assistant", "content": "In pieces."},
        ]},
        {**FINISHED, "outcome": {"type": "success"}},
        {**STARTED, "runId": "r2"},
        {"type": "TEXT_MESSAGE_START", "messageId": "p", "role": "assistant"},
        {"type": "TEXT_MESSAGE_END", "messageId": "p"},
        {**FINISHED, "runId": "r2"},
    ]  # fmt: skip


def test_both_read_every_family_of_events_alike(official: OfficialClient) -> None:
    """Messages, their order, state and custom events are the same, also of a stream that we would not send."""

    async def answer(request: Request) -> StreamingResponse:
        async def frames() -> AsyncIterator[str]:
            for event in families():
                await asyncio.sleep(0)
                yield f"data: {json.dumps(event, ensure_ascii=False)}\n\n"

        return StreamingResponse(frames(), media_type="text/event-stream")

    for cut in (None, 25):
        with served(_cut(cut) if cut else answer) as address:
            theirs, client, _ = both(official, address)
        assert theirs["error"] is None
        assert of_theirs(theirs["messages"]) == of_ours(client)
        assert [one["id"] for one in theirs["messages"]] == [one.message_id for one in client.messages]
        assert theirs["state"] == client.state
        assert {one.code for one in client.diagnostics} <= {"no_change"}


def _cut(count: int) -> Any:
    """Return an endpoint that sends a stream of the first events, and then the end of the run."""

    async def answer(request: Request) -> StreamingResponse:
        events = [one for one in families()[:count] if one["type"] != "STEP_STARTED"]
        told = "".join(f"data: {json.dumps(event, ensure_ascii=False)}\n\n" for event in [*events, FINISHED])
        return StreamingResponse(iter([told]), media_type="text/event-stream")

    return answer


def test_the_code_of_the_page_prints_what_an_answer_cites(official: OfficialClient, tmp_path: Path) -> None:
    """The TypeScript of the page runs as it stands there, against an agent of ours."""
    page = (Path(__file__).parents[3] / "docs" / "ag-ui.md").read_text(encoding="utf-8")
    code = page.partition("```ts\n")[2].partition("```")[0]
    program = tmp_path / "client.ts"
    program.write_text(code, encoding="utf-8")
    (tmp_path / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    (tmp_path / "node_modules").symlink_to(official.home / "node_modules")
    with served(
        endpoint(agent_of(lambda refs, _: f"The sky is blue on a clear day [{refs[0]}]."))
    ) as address:
        done = subprocess.run(
            [str(official.node), str(program)],
            env={**os.environ, "ADDRESS": address, "NODE_NO_WARNINGS": "1"},
            check=False,
            capture_output=True,
            text=True,
            timeout=60,
        )
    assert (done.returncode, done.stdout) == (0, "[1] valid Sky\n"), done.stderr


def test_it_takes_whatever_becomes_of_any_events(official: OfficialClient) -> None:
    """Its own rules of order refuse nothing of what is made of events in any order, and do refuse a bad stream."""
    streams: list[list[dict[str, Any]]] = []

    @settings(max_examples=200, database=None)
    @given(st.lists(EVENTS, max_size=40), st.booleans())
    def collect(events: list[BaseEvent], begins: bool) -> None:  # noqa: FBT001 - drawn
        streams.append(asyncio.run(told(RUN, [BEGIN, *events] if begins else events)))

    collect()
    bad = [as_json([BEGIN, TextMessageEndEvent(message_id="m")]), as_json([END])]
    refused = official.refused([*streams, *bad])
    assert [one for one in refused[: len(streams)] if one is not None] == []
    assert all(refused[len(streams) :])
    assert len(streams) > 100
