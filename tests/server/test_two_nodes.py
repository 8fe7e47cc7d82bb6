"""Two servers on one PostgreSQL and one bucket: what one is told the other knows; what one leaves the other ends."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import httpx
import pytest
import sqlalchemy as sa

from layouts import BUCKET
from pincite.core.limits import DEFAULT
from pincite.library.database import Database
from pincite.library.work_tables import jobs
from pincite.server.first_key import FIRST_KEY_FILE
from server_parts import HANDBOOK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from layouts import Servers

_PATIENCE: Final = 120.0
_FILES: Final = 40


@dataclass
class Node:
    """A server in a process of its own."""

    process: subprocess.Popen[bytes]
    client: httpx.Client

    def kill(self) -> None:
        """End it and the processes that it started, without warning."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@dataclass
class Nodes:
    """Two servers over the same addresses, and their database."""

    one: Node
    two: Node
    database: Database

    def rows(self, *ids: str) -> list[Any]:
        """Return these jobs as the database has them, in the order in which they came."""
        with self.database.reading() as connection:
            return list(
                connection.execute(sa.select(jobs).where(jobs.c.job_id.in_(ids)).order_by(jobs.c.number))
            )


def _until(said: Callable[[], Any]) -> Any:
    """Ask until there is an answer."""
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        try:
            if found := said():
                return found
        except httpx.TransportError:
            pass
        time.sleep(0.05)
    msg = "It did not come to pass."
    raise AssertionError(msg)


def _node(home: Path, environment: dict[str, str], ending: ExitStack) -> Node:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-c", "from pincite.cli import run; run()", "serve", "--port", str(port)],
        env={**environment, "PINCITE_HOME": str(home)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    client = ending.enter_context(httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60))
    node = Node(process, client)

    def end() -> None:
        if process.poll() is None:
            node.kill()

    ending.callback(end)
    _until(lambda: client.get("/readyz").status_code == 200)
    return node


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory, servers: Servers) -> Iterator[Nodes]:
    """Two servers that each have one worker, a folder of their own, and the rest in common.

    They are for all tests, and the last one ends one of them.
    """
    tmp_path = tmp_path_factory.mktemp("nodes")
    name = f"nodes{time.monotonic_ns()}"
    address = servers.database(name)
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith("PINCITE_")},
        "PINCITE_DATABASE": address,
        "PINCITE_FILES": f"s3://{BUCKET}/{name}",
        "PINCITE_SECRET": "s" * 40,
        "PINCITE_WORKERS": "1",
        "PINCITE_LIMIT_JOB_LEASE_SECONDS": "3",
        "PINCITE_LIMIT_JOB_BEAT_SECONDS": "0.2",
    }
    with ExitStack() as ending:
        one = _node(tmp_path / "one", environment, ending)
        two = _node(tmp_path / "two", environment, ending)
        key = (tmp_path / "one" / FIRST_KEY_FILE).read_text().strip()
        for node in (one, two):
            node.client.headers["Authorization"] = f"Bearer {key}"
        database = Database.open(address, file=tmp_path / "none", tenant="local", limits=DEFAULT)
        ending.callback(database.close)
        yield Nodes(one, two, database)


def _collection(node: Node, name: str) -> str:
    reply = node.client.post("/api/manage/collections", json={"name": name})
    assert reply.status_code == 201, reply.text
    return str(reply.json()["collection_id"])


def _upload(node: Node, collection: str, files: dict[str, str], **fields: str) -> str:
    """Send files; return the id of the job."""
    reply = node.client.post(
        f"/api/manage/collections/{collection}/documents",
        files=[("files", (name, text.encode())) for name, text in files.items()],
        data=fields,
    )
    assert reply.status_code == 202, reply.text
    return str(reply.json()["job_id"])


def _done(node: Node, job: str) -> dict[str, Any]:
    """Wait until a job has ended and return what became of it, as that node says."""

    def ended() -> dict[str, Any] | None:
        said = node.client.get(f"/api/manage/jobs/{job}").json()
        return said if said["state"] not in ("waiting", "running") else None

    found: dict[str, Any] = _until(ended)
    assert found["state"] == "done", found
    return found


def _found(node: Node, query: str) -> list[str]:
    reply = node.client.post("/api/manage/search", json={"query": query, "limit": 5})
    assert reply.status_code == 200, reply.text
    return [row["content"] for row in reply.json()["results"]]


def test_what_one_is_told_the_other_knows(nodes: Nodes) -> None:
    """A document sent to one is found through the other, its file too; deleted through that, it is gone from both."""
    collection = _collection(nodes.one, "handbook")
    (file,) = _done(nodes.two, _upload(nodes.one, collection, {"handbook.md": HANDBOOK}))["progress"]["files"]
    for node in (nodes.one, nodes.two):
        assert any("100 EUR" in text for text in _found(node, "expenses that need approval"))
        original = node.client.get(f"/api/manage/documents/{file['document_id']}/file")
        assert original.content == HANDBOOK.encode()
    gone = nodes.two.client.delete(f"/api/manage/documents/{file['document_id']}")
    assert gone.status_code in (200, 204), gone.text
    for node in (nodes.one, nodes.two):
        assert _found(node, "expenses that need approval") == []
        assert node.client.get(f"/api/manage/documents/{file['document_id']}").status_code == 404


def test_a_document_is_read_by_one_at_a_time(nodes: Nodes) -> None:
    """New versions of one document come through both nodes at once: their jobs follow one another."""
    collection = _collection(nodes.one, "editions")
    sent = [
        _upload(node, collection, {"a.md": f"# Edition {number}\n\n" + "Words. " * 5_000}, replace="true")
        for number, node in enumerate((nodes.one, nodes.two) * 4)
    ]
    for job in sent:
        _done(nodes.one, job)
    times = sorted((row.started_at, row.finished_at) for row in nodes.rows(*sent))
    assert len(times) == len(sent)
    assert all(before[1] <= after[0] for before, after in pairwise(times))
    assert {row.state for row in nodes.rows(*sent)} == {"done"}


def test_what_one_leaves_the_other_ends(nodes: Nodes) -> None:
    """The node that reads is killed in the middle of a job: the other reads the rest, and each file is kept once."""
    collection = _collection(nodes.one, "parts")
    texts = {
        f"{number}.md": f"# Part {number}\n\n" + f"Sentence of part {number}. " * 2_000
        for number in range(_FILES)
    }
    job = _upload(nodes.one, collection, texts)

    def begun() -> Any:
        (row,) = nodes.rows(job)
        assert row.state in ("waiting", "running"), "too few files to stop in the middle"
        return row if row.state == "running" and 0 < row.progress.get("done", 0) < _FILES else None

    row = _until(begun)
    group = os.getpgid(int(row.worker.split()[1]))
    reading, other = (nodes.one, nodes.two) if group == nodes.one.process.pid else (nodes.two, nodes.one)
    assert group == reading.process.pid
    reading.kill()
    ended = _done(other, job)
    assert {one["status"] for one in ended["progress"]["files"]} <= {"ready", "unchanged"}
    (row,) = nodes.rows(job)
    assert row.attempts == 2
    assert os.getpgid(int(row.worker.split()[1])) == other.process.pid
    found = other.client.get(f"/api/manage/collections/{collection}/documents", params={"limit": 200}).json()
    assert len(found["documents"]) == _FILES
    assert any("part 7" in text for text in _found(other, "sentence of part 7"))
