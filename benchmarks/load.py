"""Read from a server while it is given files: `python benchmarks/load.py [seconds] [readers]`.

A real `pincite serve` on a new library holds the example documents. Readers search, open previews and page images, and
ask an agent, each over a connection of its own, one request after the other; ten uploads of new documents come evenly
over the time, and each is waited for. What is measured: errors (none may be), how long a reader waits, and what the
server's processes hold in memory in the first and in the last quarter of the time.
"""

from __future__ import annotations

import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import httpx

from pincite.server.first_key import FIRST_KEY_FILE

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
UPLOADS = 10
MEMORY_BAR = 1.3
"""The server may hold this many times as much at the end as in the beginning: caches fill."""
QUESTIONS = (
    "From which amount do expenses need approval?",
    "Who decides about travel abroad?",
    "How long is the notice period?",
    "What does the basic plan cost?",
    "When was the budget approved?",
)


class Load:
    """What the readers saw."""

    def __init__(self, base: str, headers: dict[str, str], until: float) -> None:
        self.base, self.headers, self.until = base, headers, until
        self.took: dict[str, list[float]] = defaultdict(list)
        self.errors: Counter[str] = Counter()
        self.lock = threading.Lock()

    def reader(self, seed: int, agent: str) -> None:
        """Read until the time is over."""
        chance = random.Random(seed)
        with httpx.Client(base_url=self.base, headers=self.headers, timeout=60) as client:
            rows: list[dict[str, Any]] = []
            while time.monotonic() < self.until:
                what = chance.choice(["search", "preview", "image", "image", "ask"]) if rows else "search"
                row = chance.choice(rows) if rows else {}
                address = f"/api/manage/citations/{row.get('chunk_id')}/preview"
                question = chance.choice(QUESTIONS)
                began = time.perf_counter()
                if what == "search":
                    reply = client.post("/api/manage/search", json={"query": question})
                    rows = reply.json().get("results", []) or rows
                elif what == "ask":
                    reply = client.post(f"/api/agents/{agent}/answers", json={"question": question})
                else:
                    reply = client.get(
                        address + ("/image" if what == "image" else ""), params={"q": question}
                    )
                wrong = reply.status_code >= 400 and not (what == "image" and reply.status_code == 404)
                with self.lock:
                    self.took[what].append(time.perf_counter() - began)
                    if wrong:
                        self.errors[f"{what} {reply.status_code} {reply.text[:120]}"] += 1

    def uploads(self, collection: str, seconds: float) -> None:
        """Send new documents, evenly over the time, and wait for each."""
        handbook = (EXAMPLES / "handbook.pdf").read_bytes()
        minutes = (EXAMPLES / "minutes-2026-03.md").read_text()
        with httpx.Client(base_url=self.base, headers=self.headers, timeout=60) as client:
            for number in range(UPLOADS):
                text = minutes + "".join(f"\n\nItem {number}.{n}: agreed on {n} euro.\n" for n in range(300))
                files = [
                    ("files", (f"minutes-{number}.md", text.encode())),
                    ("files", (f"handbook-{number}.pdf", handbook + b"\n%% " + str(number).encode())),
                ]
                began = time.monotonic()
                path = f"/api/manage/collections/{collection}/documents"
                job = client.post(path, files=files).json()
                while job["state"] not in {"done", "failed", "cancelled"}:
                    time.sleep(0.2)
                    job = client.get(f"/api/manage/jobs/{job['job_id']}").json()
                with self.lock:
                    self.took["upload"].append(time.monotonic() - began)
                    if job["state"] != "done":
                        self.errors[f"upload {job}"] += 1
                time.sleep(max(0.0, seconds / UPLOADS - (time.monotonic() - began)))


def memory(root: int) -> int:
    """Return the bytes that a process and those that it started hold; what several share is counted once."""
    children: dict[int, list[int]] = defaultdict(list)
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        children[int(fields[1])].append(int(folder.name))
    waiting, total = [root], 0
    while waiting:
        one = waiting.pop()
        waiting += children[one]
        try:
            rollup = Path(f"/proc/{one}/smaps_rollup").read_text()
        except OSError:
            continue
        total += sum(int(line.split()[1]) * 1024 for line in rollup.splitlines() if line.startswith("Pss:"))
    return total


def main(seconds: float = 180, readers: int = 50) -> int:
    """Print what readers saw; return 1 where there was an error or the memory grew too much."""
    with tempfile.TemporaryDirectory() as folder:
        with socket.create_server(("127.0.0.1", 0)) as found:
            port = found.getsockname()[1]
        env = {**os.environ, "PINCITE_HOME": folder, "PINCITE_LIMIT_KEY_REQUESTS": "10000000"}
        pincite = Path(sys.executable).with_name("pincite")
        server = subprocess.Popen(
            [pincite, "serve", "--port", str(port)],
            env=env,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            return measure(f"http://127.0.0.1:{port}", Path(folder), server.pid, seconds, readers)
        finally:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait(30)


def measure(base: str, home: Path, server: int, seconds: float, readers: int) -> int:
    """Load a server and print what came of it."""
    key = home / FIRST_KEY_FILE
    for _ in range(300):
        if key.exists():
            try:
                httpx.get(f"{base}/readyz").raise_for_status()
                break
            except httpx.HTTPError:
                pass
        time.sleep(0.2)
    headers = {"Authorization": f"Bearer {key.read_text().strip()}"}
    with httpx.Client(base_url=base, headers=headers, timeout=60) as client:
        collection = client.post("/api/manage/collections", json={"name": "examples"}).json()["collection_id"]
        files = [
            ("files", (one.name, one.read_bytes())) for one in sorted(EXAMPLES.iterdir()) if one.is_file()
        ]
        job = client.post(f"/api/manage/collections/{collection}/documents", files=files).json()
        while job["state"] not in {"done", "failed"}:
            time.sleep(0.2)
            job = client.get(f"/api/manage/jobs/{job['job_id']}").json()
        agent = client.post("/api/manage/agents", json={"name": "load"}).json()["agent_id"]
    load = Load(base, headers, time.monotonic() + seconds)
    threads = [threading.Thread(target=load.reader, args=(number, agent)) for number in range(readers)]
    threads.append(threading.Thread(target=load.uploads, args=(collection, seconds)))
    for thread in threads:
        thread.start()
    held: list[int] = []
    while time.monotonic() < load.until:
        held.append(memory(server))
        time.sleep(1)
    for thread in threads:
        thread.join()
    total = sum(len(one) for name, one in load.took.items() if name != "upload")
    print(f"{readers} readers for {seconds:g} s: {total:,} requests, {total / seconds:.0f} a second")
    for name, took in sorted(load.took.items()):
        cuts = statistics.quantiles(took, n=100) if len(took) > 1 else took * 99
        print(f"  {name:<8} {len(took):>7,}   p50 {cuts[49] * 1e3:7.0f} ms   p99 {cuts[98] * 1e3:7.0f} ms")
    for error, count in load.errors.most_common(10):
        print(f"  ERROR {count} x {error}")
    quarter = max(1, len(held) // 4)
    first, last = statistics.mean(held[:quarter]), statistics.mean(held[-quarter:])
    print(f"errors under load: {sum(load.errors.values())} (bar 0)")
    print(
        f"memory, {last / 2**20:.0f} MB at the end, of the first quarter's: {last / first:.2f} (bar {MEMORY_BAR})"
    )
    return int(bool(load.errors) or last > first * MEMORY_BAR)


if __name__ == "__main__":
    given = dict(zip(("seconds", "readers"), sys.argv[1:], strict=False))
    sys.exit(main(float(given.get("seconds", "180")), int(given.get("readers", "50"))))
