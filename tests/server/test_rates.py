"""Rates that nodes share: a real Redis, two servers, and what happens when it stops."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import httpx
import pytest
from structlog.testing import capture_logs

from absent import missing
from pincite.core.errors import MissingExtraError, SettingError, TooManyError
from pincite.core.settings import Settings
from pincite.server import Service
from pincite.server.first_key import FIRST_KEY_FILE
from pincite.server.rates import AGAIN_SECONDS, Rates
from server_parts import Clock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

_PATIENCE: Final = 120.0
FAILED: Final = "rates store failed; each node counts for itself"


@dataclass
class Store:
    """A Redis on loopback that keeps nothing."""

    program: str
    folder: Path
    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """Its address, as `PINCITE_RATES` has it."""
        return f"redis://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, empty."""
        self.process = subprocess.Popen(
            [
                "redis-server",
                "--port",
                str(self.port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--dir",
                str(self.folder),
            ],
            executable=self.program,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _until(self._answers)

    def stop(self) -> None:
        """Stop it at once."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=5) as asking:
                asking.sendall(b"PING\r\n")
                return asking.recv(16).startswith(b"+PONG")
        except OSError:
            return False


def _port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        found: int = probe.getsockname()[1]
        return found


def _until(said: Callable[[], Any]) -> None:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        if said():
            return
        time.sleep(0.02)
    msg = "It did not come to pass."
    raise AssertionError(msg)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store that runs, and is stopped behind the test."""
    # One program is both, and goes by the name that it is called by.
    program = shutil.which("redis-server") or shutil.which("redis-check-rdb")
    if program is None:
        missing("Redis is not installed; it comes with Debian's redis-tools.")
    made = Store(program, tmp_path, _port())
    made.start()
    yield made
    made.stop()


def _allowed(rates: Rates, name: str, most: int) -> bool:
    try:
        rates.count(name, most)
    except TooManyError:
        return False
    return True


def test_what_one_node_counts_the_other_knows(store: Store) -> None:
    """Of six requests together at three nodes' doors, four pass; another caller has a count of its own."""
    nodes = [Rates(store.address) for _ in range(3)]
    # Where a minute ends in between, the count before it weighs a little less: one more may pass.
    passed = sum(_allowed(nodes[number % 3], "key:a", 4) for number in range(6))
    assert passed in {4, 5}
    assert _allowed(nodes[0], "key:b", 4)


def test_a_node_without_a_store_counts_for_itself() -> None:
    """As many as are allowed pass, and not one more."""
    one, two = Rates(), Rates()
    assert [_allowed(one, "key:a", 3) for _ in range(4)] == [True, True, True, False]
    assert _allowed(two, "key:a", 3)


def test_a_store_that_stops_turns_nobody_away(store: Store) -> None:
    """Counting goes on in the node, one line of the log says so, and the store is used again when it is back."""
    clock = Clock()
    one, two = Rates(store.address, clock=clock), Rates(store.address, clock=clock)
    assert _allowed(one, "key:a", 2)
    store.stop()
    with capture_logs() as lines:
        assert [_allowed(one, "key:a", 2) for _ in range(3)] == [True, True, False]
    assert [(line["event"], line["log_level"], line["error"]) for line in lines] == [
        (FAILED, "warning", "ConnectionError")
    ]
    store.start()
    clock.now += AGAIN_SECONDS
    with capture_logs() as lines:
        # The store forgot what it had: it counts anew, for both.
        passed = sum(_allowed(node, "key:a", 2) for node in (one, two, one, two))
    assert passed in {2, 3}
    assert lines == []


def test_a_store_that_came_back_at_once_was_never_away(store: Store) -> None:
    """A connection that died while nobody used it is made again, without a word."""
    rates = Rates(store.address)
    assert _allowed(rates, "key:a", 9)
    store.stop()
    store.start()
    with capture_logs() as lines:
        assert _allowed(rates, "key:a", 9)
    assert lines == []


def test_a_store_that_hangs_is_not_waited_for() -> None:
    """Where somebody takes connections and says nothing, the node counts for itself after its time."""
    with socket.create_server(("127.0.0.1", 0)) as silent, capture_logs() as lines:
        rates = Rates(f"redis://127.0.0.1:{silent.getsockname()[1]}", seconds=0.02)
        assert [_allowed(rates, "key:a", 2) for _ in range(3)] == [True, True, False]
    assert [(line["event"], line["error"]) for line in lines] == [(FAILED, "TimeoutError")]


@pytest.mark.parametrize(
    "address", ["", "nope", "http://127.0.0.1", "memcached://127.0.0.1", "redis://x:secret@h:y"]
)
def test_an_address_that_cannot_be_read_is_a_setting_error(address: str) -> None:
    """It names the setting and repeats nothing of the address."""
    with pytest.raises(SettingError) as caught:
        Rates(address)
    assert caught.value.field == "PINCITE_RATES"
    assert "secret" not in str(caught.value)


def test_a_missing_driver_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """It says which extra brings it."""
    monkeypatch.setitem(sys.modules, "redis.backoff", None)
    with pytest.raises(MissingExtraError, match=r"pincite\[redis\]"):
        Rates("redis://127.0.0.1:1")


def test_a_server_takes_both_addresses_from_its_settings(tmp_path: Path) -> None:
    """What cannot be one stops it when it starts, with the setting's name."""
    for field, settings in (
        ("PINCITE_RATES", Settings(rates="nope")),
        ("PINCITE_DATABASE_READS", Settings(database_reads="nope")),
    ):
        with pytest.raises(SettingError) as caught:
            Service(tmp_path / "home", settings=settings)
        assert caught.value.field == field


def test_two_servers_share_a_rate(store: Store, tmp_path: Path) -> None:
    """A key that has used up its minute at one is turned away by the other; without the store both go on."""
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith("PINCITE_")},
        "PINCITE_DATABASE": f"sqlite:///{tmp_path}/rows.db",
        "PINCITE_FILES": str(tmp_path / "files"),
        "PINCITE_SECRET": "s" * 40,
        "PINCITE_WORKERS": "0",
        "PINCITE_RATES": store.address,
        "PINCITE_LIMIT_KEY_REQUESTS": "6",
    }
    with ExitStack() as ending:
        one, two = [_node(tmp_path / name, environment, ending) for name in ("one", "two")]
        for client in (one, two):
            _until(lambda client=client: _ready(client))
        # Whoever came first has made it, or both have one that opens everything.
        made = next(tmp_path.glob(f"*/{FIRST_KEY_FILE}"))
        key = made.read_text().strip()
        headers = {"Authorization": f"Bearer {key}"}

        def ask(client: httpx.Client) -> int:
            return client.get("/api/manage/agents", headers=headers).status_code

        assert [ask(one) for _ in range(6)] == [200] * 6
        # Where a minute ends in between, one more may pass.
        assert 429 in [ask(two) for _ in range(3)]
        store.stop()
        assert [ask(one), ask(two)] == [200, 200]


def _node(home: Path, environment: dict[str, str], ending: ExitStack) -> httpx.Client:
    """Start a server in a process of its own; return a client of it."""
    port = _port()
    process = subprocess.Popen(
        [sys.executable, "-c", "from pincite.cli import run; run()", "serve", "--port", str(port)],
        env={**environment, "PINCITE_HOME": str(home)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )

    def end() -> None:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    ending.callback(end)
    return ending.enter_context(httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60))


def _ready(client: httpx.Client) -> bool:
    try:
        return client.get("/readyz").status_code == 200
    except httpx.TransportError:
        return False
