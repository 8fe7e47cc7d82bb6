"""`docs/server.md`: its commands run against a server that was started as the page says."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "server.md"
# What differs from one library to the next: refs and ids, linear.
ID = re.compile(r"\b[0-9a-f]{8}[0-9a-f-]*\b")


@dataclass
class Running:
    """A server that was started as a person starts it."""

    base: str
    home: Path
    said: str
    process: subprocess.Popen[str]


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    """`pincite serve` on a free port, over an empty library."""
    home, port = tmp_path / "library", free_port()
    environ = {**os.environ, "PINCITE_HOME": str(home), "PYTHONUNBUFFERED": "1"}
    log = (tmp_path / "log").open("w+")
    process = subprocess.Popen(
        [sys.executable, "-c", "from pincite.cli import run; run()", "serve", "--port", str(port)],
        env=environ, stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True,
    )  # fmt: skip
    base = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + 120
        while True:
            try:
                with urllib.request.urlopen(f"{base}/readyz", timeout=5) as reply:  # noqa: S310 - http, on this machine
                    assert reply.status == 200
                break
            except OSError:
                assert process.poll() is None, Path(log.name).read_text()
                assert time.monotonic() < deadline
                time.sleep(0.1)
        assert process.stdout is not None
        yield Running(base, home, process.stdout.readline() + process.stdout.readline(), process)
    finally:
        process.terminate()
        process.wait(30)
        if process.stdout is not None:
            process.stdout.close()
        log.close()


def test_the_commands_of_the_page_answer_as_it_says(running: Running, tmp_path: Path, curl: str) -> None:
    """The commands of the page answer as it says."""
    assert "first-key (only you can read it)" in " ".join(running.said.split())
    key = running.home / "first-key"
    assert key.stat().st_mode & 0o777 == 0o600
    desk = tmp_path / "desk"
    desk.mkdir()
    shutil.copytree(ROOT / "examples", desk / "examples")
    fences = [
        token for token in MarkdownIt().parse(PAGE.read_text(encoding="utf-8")) if token.type == "fence"
    ]
    script, shown = ["set -euo pipefail"], list[str]()
    for token in fences:
        if token.info == "bash":
            script.append(token.content)
        elif token.info in ("json", "text"):
            shown.append(token.content)
    done = subprocess.run(
        ["bash", "-c", "\n".join(script)],
        env={**os.environ, "PINCITE_BASE": running.base, "PINCITE_API_KEY": key.read_text().strip()},
        cwd=desk, capture_output=True, text=True, timeout=200, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr + (tmp_path / "log").read_text(encoding="utf-8")
    printed = _bare(done.stdout)
    for block in shown:
        assert _bare(block) in printed, (block, done.stdout)
    last = [line for line in done.stdout.splitlines() if line.startswith("data: ")][-1]
    job = json.loads(last.removeprefix("data: "))
    assert job["state"] == "done"
    assert [one["status"] for one in job["progress"]["files"]] == ["ready", "ready"]
    assert "citation.png: PNG image data" in done.stdout
    assert "Expenses over 100 EUR require prior approval from your line manager." in done.stdout


def _bare(text: str) -> str:
    """Return text without space, and with every id made alike."""
    return "".join(ID.sub("<id>", text).split())
