"""A web server on this machine, for tests of what is fetched."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

from pincite.reading.web import networks

if TYPE_CHECKING:
    from collections.abc import Generator

HERE = networks("127.0.0.1/32")
PAGE = b"<!doctype html><title>T</title><p>Words.</p>"


class Site:
    """A web server on this machine: what it answers to a path, and what it was asked."""

    def __init__(self) -> None:
        self.answers: dict[str, tuple[int, dict[str, str], bytes]] = {}
        self.asked: list[tuple[str, str]] = []
        self.dripping = 0.0
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.append((self.headers.get("Host", ""), self.path))
                status, headers, body = site.answers.get(self.path, (404, {}, b""))
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                if "Content-Length" not in headers:
                    self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                for index in range(0, len(body), 1 if site.dripping else max(1, len(body))):
                    time.sleep(site.dripping)
                    try:
                        self.wfile.write(body[index : index + 1] if site.dripping else body)
                    except OSError:
                        return

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = int(self.server.server_address[1])
        self.thread = threading.Thread(
            target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )

    def gives(self, path: str, body: bytes = PAGE, status: int = 200, **headers: str) -> None:
        """Answer `path` with this from now on."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.answers[path] = (status, {"Content-Type": "text/html", **named}, body)

    def at(self, path: str, host: str = "127.0.0.1") -> str:
        """Return the address of `path`."""
        return f"http://{host}:{self.port}{path}"


@contextmanager
def serving() -> Generator[Site]:
    """Give a server that is stopped afterwards."""
    made = Site()
    made.thread.start()
    try:
        yield made
    finally:
        made.server.shutdown()
        made.server.server_close()
        made.thread.join()
