"""The server over AG-UI, asked by the official client and by ours, over real HTTP."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any

import httpx
import jsonschema
import pytest
import uvicorn

from ag_ui_node import installed
from ag_ui_order import events_of, faults
from node_packages import AbsentError
from pincite.protocols.ag_ui import AGUIClient, event_schema
from server_parts import HANDBOOK, Served

if TYPE_CHECKING:
    from collections.abc import Iterator

QUESTION = "From which amount do expenses need approval?"


@pytest.fixture
def address(served: Served) -> Iterator[str]:
    """The address of the server over HTTP, on a free port of the loopback."""
    config = uvicorn.Config(served.client.app, host="127.0.0.1", port=0, log_level="error", lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        while not server.started:
            threading.Event().wait(0.01)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)


def test_both_clients_read_what_the_server_sends(served: Served, address: str) -> None:
    """An answer from documents reads the same to both, every event fits its schema, and the next run goes on."""
    try:
        official = installed()
    except AbsentError as absent:
        if os.environ.get("CI") == "true" or os.environ.get("PINCITE_REQUIRE_SHARED") == "1":
            pytest.fail(str(absent))
        pytest.skip(str(absent))
    headers = served.key("manage")
    collection = served.collection(headers)
    served.add(headers, collection, "handbook.md", HANDBOOK.encode())
    agent = served.client.post(
        "/api/manage/agents", json={"name": "helper", "collections": [collection]}, headers=headers
    ).json()["agent_id"]
    url = f"{address}/api/agents/{agent}/ag-ui"
    asked: dict[str, Any] = {
        "threadId": "theirs", "runId": "r", "state": {}, "tools": [], "context": [], "forwardedProps": {},
        "messages": [{"id": "q", "role": "user", "content": QUESTION}],
    }  # fmt: skip
    theirs = official.run({"url": url, "headers": headers, **asked})
    assert theirs["error"] is None
    client = AGUIClient(messages=asked["messages"], state=asked["state"])
    with httpx.stream("POST", url, json={**asked, "threadId": "ours"}, headers=headers, timeout=60) as reply:
        assert reply.status_code == 200
        text = "".join(reply.iter_text())
    for _ in client.follow([text]):
        pass
    events = events_of(text)
    assert faults(events) == []
    for event in events:
        if event["type"] == "CUSTOM":
            jsonschema.validate(event["value"], event_schema(event["name"]))
    said = [(one["role"], one.get("content") or "") for one in theirs["messages"]]
    assert said == [(one.role, one.text) for one in client.messages]
    assert "100 EUR" in said[-1][1]
    assert client.diagnostics == ()
    # A second question of the official client's, with the messages and the state that it has now.
    again = {**asked, "runId": "r2", "state": theirs["state"]}
    again["messages"] = [
        *theirs["messages"],
        {"id": "q2", "role": "user", "content": "Which class are trains booked in?"},
    ]
    second = official.run({"url": url, "headers": headers, **again})
    assert second["error"] is None
    assert "second class" in second["messages"][-1]["content"]
    kept = second["state"]["pincite"]["citations"]
    answers = [one["id"] for one in second["messages"] if one["role"] == "assistant" and one.get("content")]
    assert [name for name in kept if kept[name]["citations"]] == answers
    told = served.client.get("/api/conversations/theirs/citations", headers=headers).json()["answers"]
    assert [one["citations"] for one in told] == [kept[name] for name in answers]
