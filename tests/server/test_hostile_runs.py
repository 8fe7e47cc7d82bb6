"""What a client may send with a run beside its question: nothing of that makes the server fail."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from server_parts import Served

DEEP = "[" * 450 + "]" * 450
HALF = r'"\ud83d"'


@pytest.mark.parametrize(
    ("beside", "status"),
    [
        (f'"forwardedProps": {DEEP}', 422),
        (f'"context": {{"a": {HALF}, {HALF}: {HALF}}}, "parentRunId": {HALF}', 200),
        (f'"messages": [{{"id": "q", "role": "user", "content": "Why?", "metadata": {DEEP}}}]', 422),
        (f'"messages": [{{"id": "q", "role": "user", "content": "Why?", "x": {{{HALF}: 1}}}}]', 200),
        (f"{HALF}: 1", 422),
    ],
)
def test_what_nobody_reads_of_a_run_is_the_clients_mistake_at_most(
    served: Served, beside: str, status: int
) -> None:
    """Fields that are taken and not used may be nested deeply or hold halves of characters."""
    headers = served.key("manage")
    made = served.client.post("/api/manage/agents", json={"name": "helper"}, headers=headers)
    asked = {
        "threadId": "t",
        "runId": "r",
        "messages": [{"id": "q", "role": "user", "content": "Why?"}],
        "tools": [],
    }
    reply = served.client.post(
        f"/api/agents/{made.json()['agent_id']}/ag-ui",
        content=f"{json.dumps(asked)[:-1]}, {beside}}}",
        headers={**headers, "Content-Type": "application/json"},
    )
    assert reply.status_code == status, reply.text
    assert served.service.streams.open == 0
