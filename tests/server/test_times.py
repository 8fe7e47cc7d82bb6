"""Times over HTTP: one kind everywhere, RFC 3339 in UTC."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from server_parts import Served

# 1,800,000,000 Unix seconds, which the server's clock of these tests shows.
NOW = "2027-01-15T08:00:00Z"


def _times(shapes: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every field of the OpenAPI's shapes that is named as a time, without what null adds to it."""
    for shape, described in shapes.items():
        for name, field in described.get("properties", {}).items():
            if name == "at" or name.endswith("_at"):
                kinds: list[dict[str, Any]] = field.get("anyOf", [field])
                for kind in kinds:
                    if kind.get("type") != "null":
                        yield f"{shape}.{name}", kind


def test_every_time_is_of_one_kind(served: Served) -> None:
    """No shape of the OpenAPI has a time that is a number, or words of another form."""
    shapes: dict[str, Any] = served.client.get("/openapi.json").json()["components"]["schemas"]
    told = dict(_times(shapes))
    assert {"JobBody.finished_at", "DocumentBody.added_at", "KeyBody.last_used_at", "AuditBody.at"} <= set(
        told
    )
    assert {(kind["type"], kind.get("format")) for kind in told.values()} == {("string", "date-time")}


def test_a_job_tells_its_times_in_utc(served: Served) -> None:
    """Both when it is read and when it is followed; what has not happened is null."""
    headers = served.key("manage")
    collection = served.collection(headers)
    waiting = served.upload(headers, collection, "a.txt", b"One line.").json()
    assert (waiting["created_at"], waiting["started_at"], waiting["finished_at"]) == (NOW, None, None)
    served.clock.now += 2.5
    while served.service.work_once():
        pass
    address = f"/api/manage/jobs/{waiting['job_id']}"
    done = served.client.get(address, headers=headers).json()
    assert done["created_at"] == NOW
    assert done["started_at"] == done["finished_at"] == "2027-01-15T08:00:02.500000Z"
    events = served.client.get(f"{address}/events", headers=headers).text
    assert json.loads(events.split("data: ")[1]) == done


def test_other_times_are_told_alike(served: Served) -> None:
    """Of a document, a key, an agent, an embed and the log: all end in `Z`."""
    headers = served.key("manage")
    collection = served.collection(headers)
    document = served.add(headers, collection, "a.txt", b"One line.")["document_id"]
    served.client.get(f"/api/manage/documents/{document}/file", headers=headers)
    served.embed()
    (agent,) = served.client.get("/api/manage/agents", headers=headers).json()["agents"]
    for address, rows, name in (
        (f"collections/{collection}/documents", "documents", "added_at"),
        ("keys", "keys", "created_at"),
        ("agents", "agents", "changed_at"),
        (f"agents/{agent['agent_id']}/embeds", "embeds", "created_at"),
        ("audit", "entries", "at"),
    ):
        reply = served.client.get(f"/api/manage/{address}", headers=headers).json()
        moments = [row[name] for row in reply[rows]]
        assert moments
        assert [moment for moment in moments if not moment.endswith("Z")] == [], address
