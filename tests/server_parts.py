"""The parts of a server under test: its clock, its clients, and what they send."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pincite.server import LOCAL, Service

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

HANDBOOK = """# Handbook

## Expenses

Expenses over 100 EUR require prior approval from your line manager. Receipts are kept for seven years.

## Travel

Trains are booked in second class. Flights within the country need a reason in writing.
"""


class Clock:
    """A clock that stands still until it is told."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


@dataclass
class Served:
    """A running application, its parts, and a client for each credential."""

    service: Service
    client: TestClient
    clock: Clock

    def key(self, *scopes: Any, tenant: str = LOCAL) -> dict[str, str]:
        """Return the headers of a new key with those scopes."""
        _, key = self.service.desk(tenant).keys.create("test", scopes or ("manage",))
        return {"Authorization": f"Bearer {key}"}

    def embed(self, **given: Any) -> str:
        """Return the publishable key of a new embed of a new agent."""
        desk = self.service.desk(LOCAL)
        agent = desk.agents.create("helper", wire_format="ref")
        return desk.embeds.create(agent.agent_id, "site", **given)[1]

    def visitor(self, key: str, handle: str | None = None, **headers: str) -> dict[str, str]:
        """Return the headers of a visitor with a session of that embed."""
        body: dict[str, Any] = {"key": key} | ({} if handle is None else {"visitor_handle": handle})
        reply = self.client.post("/embed/v1/session", json=body, headers=headers)
        assert reply.status_code == 200, reply.text
        return {"Authorization": f"Bearer {reply.json()['token']}"}

    def collection(self, headers: dict[str, str], name: str = "handbook") -> str:
        """Return the id of a new collection."""
        reply = self.client.post("/api/manage/collections", json={"name": name}, headers=headers)
        assert reply.status_code == 201, reply.text
        return str(reply.json()["collection_id"])

    def upload(self, headers: dict[str, str], collection: str, name: str, data: bytes, **fields: str) -> Any:
        """Send one file; return the answer."""
        return self.client.post(
            f"/api/manage/collections/{collection}/documents",
            files={"files": (name, data)},
            data=fields,
            headers=headers,
        )

    def add(
        self, headers: dict[str, str], collection: str, name: str, data: bytes, **fields: str
    ) -> dict[str, Any]:
        """Send one file, do the work, and return what became of it."""
        reply = self.upload(headers, collection, name, data, **fields)
        assert reply.status_code == 202, reply.text
        while self.service.work_once():
            pass
        job = self.client.get(f"/api/manage/jobs/{reply.json()['job_id']}", headers=headers).json()
        assert job["state"] == "done", job
        return dict(job["progress"]["files"][0])
