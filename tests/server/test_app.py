"""The HTTP application, through its own interface and as a running process."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, Any

from pincite._version import __version__
from pincite.server import build_app

if TYPE_CHECKING:
    from pathlib import Path


async def call(path: str, method: str = "GET") -> tuple[int, Any]:
    """Send one request to the application and return status and JSON."""
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    scope: dict[str, Any] = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }
    app = build_app()
    try:
        await app(scope, receive, send)
    finally:
        # Its lifespan, which nobody runs here, would do so.
        app.state.service.close()
    body = b"".join(message.get("body", b"") for message in sent)
    return sent[0]["status"], json.loads(body)


async def test_healthz() -> None:
    """It says ok and the version, and nothing else."""
    assert await call("/healthz") == (200, {"status": "ok", "version": __version__})


async def test_openapi() -> None:
    """The description is served and names the route."""
    status, described = await call("/openapi.json")
    assert status == 200
    assert "/healthz" in described["paths"]
    assert described["info"]["version"] == __version__


async def test_errors_have_the_one_shape() -> None:
    """An unknown path and a wrong method answer like every other error."""
    status, body = await call("/nothing")
    assert (status, body["error"]["code"]) == (404, "not_found")
    assert set(body["error"]) == {"code", "message", "field"}
    status, body = await call("/healthz", "POST")
    assert (status, body["error"]["code"]) == (405, "method_not_allowed")


def test_serve_runs_and_stops(tmp_path: Path) -> None:
    """`pincite serve` answers over HTTP, refuses a taken port in one sentence, and ends on Ctrl-C."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {**os.environ, "PINCITE_HOME": str(tmp_path)}
    command = [sys.executable, "-c", "from pincite.cli import run; run()", "serve", "--port", str(port)]
    child = subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert child.stdout is not None
        assert child.stdout.readline().startswith("The first API key is in ")
        assert child.stdout.readline() == f"Serving on http://127.0.0.1:{port} (Ctrl-C stops it).\n"
        assert _get(f"http://127.0.0.1:{port}/healthz") == {"status": "ok", "version": __version__}
        second = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False, timeout=60
        )
        assert second.returncode == 2
        assert second.stderr.startswith(f"pincite: Cannot listen on 127.0.0.1 port {port}")
    finally:
        child.send_signal(signal.SIGINT)
        _, err = child.communicate(timeout=60)
    assert child.returncode == 0
    assert {json.loads(line)["event"] for line in err.splitlines()} == {"request"}


def _get(address: str) -> Any:
    for _ in range(300):
        try:
            with urllib.request.urlopen(address, timeout=10) as reply:  # noqa: S310 - our own server
                return json.load(reply)
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)
    msg = "the server did not come up"
    raise AssertionError(msg)
