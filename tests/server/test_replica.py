"""A server whose documents are read from a standby: what goes there, and what a reader sees while it lags."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient

from pincite.core.settings import Settings
from pincite.server import Service, build_app
from server_parts import HANDBOOK, Served
from standby import SHOWN, Standby, ask, asked_of, following

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from layouts import Servers
    from pincite.core.limits import Limits
    from pincite.reading import ReadingPool
    from pincite.search import MiniLM
    from server_parts import Clock


@pytest.fixture(scope="module")
def standby(servers: Servers) -> Iterator[Standby]:
    """A standby of the tests' server."""
    with following(servers) as made:
        yield made


@pytest.fixture
def followed(
    servers: Servers,
    standby: Standby,
    tmp_path: Path,
    clock: Clock,
    limits: Limits,
    pool: ReadingPool,
    embedder: MiniLM,
) -> Iterator[Served]:
    """A server over a database that the standby follows."""
    name = f"own{time.monotonic_ns()}"
    address = servers.database(name)
    standby.follow()
    settings = Settings(
        database=address, files=str(tmp_path / "files"), database_reads=standby.address(address)
    )
    service = Service(tmp_path / "home", settings=settings, limits=limits, clock=clock)
    service.pool, service.embedder = pool, embedder
    with service, TestClient(build_app(service), raise_server_exceptions=False) as client:
        yield Served(service, client, clock)
    servers.drop(name)
    standby.follow()


def test_reading_goes_to_the_standby_and_nothing_else_does(followed: Served, standby: Standby) -> None:
    """Searching, asking, opening and listing ask the standby about documents alone, and more of them than the rest."""
    headers = followed.key("manage")
    collection = followed.collection(headers)
    document = followed.add(headers, collection, "handbook.md", HANDBOOK.encode())["document_id"]
    agent = followed.client.post("/api/manage/agents", json={"name": "helper"}, headers=headers).json()[
        "agent_id"
    ]
    assert _found(followed, headers)
    standby.follow()
    with asked_of(followed.service.root.database) as asked:
        (chunk_id, *_) = _found(followed, headers)
        question = {"question": "From which amount do expenses need approval?"}
        told = followed.client.post(f"/api/agents/{agent}/answers", json=question, headers=headers).json()
        assert told["answer"]["citations"][0]["verdict"] == "valid"
        for path in (
            f"manage/citations/{chunk_id}/preview",
            f"manage/collections/{collection}/documents",
            f"manage/documents/{document}",
            "manage/collections",
            "manage/jobs",
            "manage/keys",
            "conversations",
        ):
            assert followed.client.get(f"/api/{path}", headers=headers).status_code == 200, path
    assert {"documents", "passages", "places", "collections", "versions"} <= asked.tables() <= SHOWN
    assert asked.documents()[1] > asked.documents()[0]


def test_what_was_erased_is_gone_while_the_standby_lags(followed: Served, standby: Standby) -> None:
    """Neither a search nor the id that was found opens it, though the standby has it still."""
    headers = followed.key("manage")
    collection = followed.collection(headers)
    document = followed.add(headers, collection, "handbook.md", HANDBOOK.encode())["document_id"]
    (chunk_id, *_) = _found(followed, headers)
    standby.follow()
    standby.halt()
    try:
        erased = followed.client.delete(f"/api/manage/documents/{document}?hard=true", headers=headers)
        assert erased.json()["erased"] is True
        assert _found(followed, headers) == []
        preview = followed.client.get(f"/api/manage/citations/{chunk_id}/preview", headers=headers)
        assert preview.status_code == 404
        listed = followed.client.get(f"/api/manage/collections/{collection}/documents", headers=headers)
        assert listed.json()["documents"] == []
        settings = followed.service.settings
        assert ask(str(settings.database_reads), "SELECT count(*) FROM passages") > 0
    finally:
        standby.follow()


def _found(followed: Served, headers: dict[str, str]) -> list[str]:
    """Return the ids of the passages that a search finds."""
    query = {"query": "expenses approval"}
    reply: Any = followed.client.post("/api/manage/search", json=query, headers=headers)
    assert reply.status_code == 200, reply.text
    return [row["chunk_id"] for row in reply.json()["results"]]
