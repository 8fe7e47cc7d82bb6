"""The parts of a console under test: a server as a person starts it, a browser, and files that are dropped."""

from __future__ import annotations

import base64
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from playwright.sync_api import Browser, Page, ViewportSize

CHROMIUM: Final = shutil.which("chromium")
"""Debian's Chromium, where it is installed."""
WIDE: Final[ViewportSize] = {"width": 1180, "height": 860}
NARROW: Final[ViewportSize] = {"width": 320, "height": 720}
# It is started as root in the gate, and says nothing to anybody by itself.
_FLAGS: Final = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
# Puts files into a drop, as the browser does when somebody lets go of them over the page.
_DROP: Final = """(files) => {
  const held = new DataTransfer();
  for (const one of files)
    held.items.add(new File([Uint8Array.from(atob(one.data), (sign) => sign.charCodeAt(0))], one.name));
  for (const kind of ["dragover", "drop"])
    document.querySelector(".drop").dispatchEvent(
      new DragEvent(kind, { dataTransfer: held, bubbles: true, cancelable: true }));
}"""


@dataclass(frozen=True)
class Console:
    """A running server and the key that opens it."""

    base: str
    key: str

    def ask(self, method: str, path: str, body: Any = None, *, key: str | None = None) -> Any:
        """Send a request as a program would and return the JSON of its answer; an error has its JSON too."""
        request = urllib.request.Request(  # noqa: S310 - our own server
            self.base + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {key or self.key}", "Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as reply:  # noqa: S310 - the same
                return json.loads(reply.read() or b"null")
        except urllib.error.HTTPError as error:
            with error:
                return json.loads(error.read())

    def collection(self, name: str) -> str:
        """Return the id of a new collection."""
        return str(self.ask("POST", "/api/manage/collections", {"name": name})["collection_id"])

    def sign_in(self, page: Page) -> None:
        """Let a page begin as one whose visitor has signed in."""
        page.add_init_script(f"sessionStorage.setItem('pincite.key', {json.dumps(self.key)})")


@dataclass
class Seen:
    """A page, what it asked for, and what went wrong in it."""

    page: Page
    console: Console
    requests: list[str] = field(default_factory=list[str])
    faults: list[str] = field(default_factory=list[str])

    def go(self, path: str) -> Page:
        """Open a screen and return the page."""
        self.page.goto(self.console.base + path)
        return self.page


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(home: Path) -> Generator[Console]:
    """Run `pincite serve` over the library in `home` until the block ends."""
    port = free_port()
    environ = {
        **os.environ,
        "PINCITE_HOME": str(home),
        "PYTHONUNBUFFERED": "1",
        # All visitors of all tests come from one address, as fast as tests go.
        "PINCITE_LIMIT_SESSION_REQUESTS": "100000",
    }
    process = subprocess.Popen(
        [sys.executable, "-c", "from pincite.cli import run; run()", "serve", "--port", str(port)],
        env=environ,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    base = f"http://127.0.0.1:{port}"
    try:
        _wait(base, process)
        yield Console(base, (home / "first-key").read_text(encoding="utf-8").strip())
    finally:
        process.terminate()
        process.wait(timeout=30)


def _wait(base: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 120
    while True:
        assert process.poll() is None, "The server ended."
        try:
            with urllib.request.urlopen(f"{base}/healthz", timeout=5):  # noqa: S310 - our own server
                return
        except OSError:
            assert time.monotonic() < deadline, "The server does not answer."
            time.sleep(0.1)


@contextmanager
def browser() -> Generator[Browser]:
    """Run Chromium without a screen until the block ends."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        found = play.chromium.launch(executable_path=CHROMIUM, args=_FLAGS)
        try:
            yield found
        finally:
            found.close()


def drop(page: Page, files: dict[str, bytes]) -> None:
    """Drop files on the page."""
    page.evaluate(
        _DROP,
        [{"name": name, "data": base64.b64encode(data).decode()} for name, data in files.items()],
    )
