"""`assert_bounded`: what is in time and memory passes, and each way of not being so fails, the tests unharmed."""

from __future__ import annotations

import ctypes
import faulthandler
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pincite.testing import assert_bounded

if TYPE_CHECKING:
    from collections.abc import Callable


class _OwnError(Exception):
    """What code under test promises to raise."""


def _fill(megabytes: int) -> None:
    held = bytearray(megabytes * 1_000_000)
    held[::4096] = b"x" * len(held[::4096])
    time.sleep(0.2)


def _deeper(count: int = 0) -> int:
    return _deeper(count + 1) + 1


def _raise(error: BaseException) -> None:
    raise error


def _quietly(call: Callable[[], object]) -> Callable[[], object]:
    """Return a call that goes down without a trace of its stack on the screen."""

    def run() -> None:
        faulthandler.disable()
        call()

    return run


def _assert_false() -> None:
    message = "it is not so"
    raise AssertionError(message)


def test_a_call_that_ends_passes_and_tells_what_it_cost() -> None:
    """Seconds, megabytes beyond the start, and no error."""
    cost = assert_bounded(lambda: _fill(60), seconds=30, megabytes=200)
    assert 0.2 <= cost.seconds < 30
    assert 40 < cost.megabytes < 200
    assert cost.error == ""


def test_an_error_that_is_promised_passes() -> None:
    """It is told by its name and its sentence."""
    cost = assert_bounded(lambda: _raise(_OwnError("too large")), seconds=30, errors=_OwnError)
    assert cost.error == "_OwnError: too large"
    assert assert_bounded(lambda: _raise(KeyError("a")), seconds=30).error == "KeyError: 'a'"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: time.sleep(60), "more than 0.5 s"),
        (_quietly(lambda: os.kill(os.getpid(), signal.SIGSEGV)), "brought its process down: SIGSEGV"),
        (_quietly(lambda: ctypes.string_at(0)), "brought its process down: SIGSEGV"),
        (_quietly(os.abort), "brought its process down: SIGABRT"),
        (lambda: os._exit(3), "ended its process with 3"),
        (lambda: _raise(_OwnError("x")), "raised what it may not: _OwnError"),
        (lambda: _raise(SystemExit(1)), "raised what it may not: SystemExit"),
        (lambda: _raise(MemoryError()), "ran out of memory"),
        (_deeper, "ran out of stack"),
        (_assert_false, "it is not so"),
    ],
    ids=[
        "hang",
        "signal",
        "null-pointer",
        "abort",
        "exit",
        "error",
        "system-exit",
        "memory",
        "stack",
        "assertion",
    ],
)
def test_a_call_that_does_not_end_well_fails(call: Callable[[], object], said: str) -> None:
    """Each way of ending badly costs the process of the call alone, and the sentence says which it was."""
    with pytest.raises(AssertionError, match=said):
        assert_bounded(call, seconds=0.5 if "0.5" in said else 30, errors=ValueError)


def test_a_call_that_takes_too_much_memory_is_ended() -> None:
    """It is seen while it happens, in native code as well as in Python's own."""
    with pytest.raises(AssertionError, match="more than 50 MB"):
        assert_bounded(lambda: (_fill(300), time.sleep(60)), seconds=60, megabytes=50)


def test_memory_of_processes_that_it_starts_counts() -> None:
    """A parser in a process of its own is part of what a file costs."""
    program = "import time; held = bytearray(b'x' * 200_000_000); time.sleep(60)"
    with pytest.raises(AssertionError, match="more than 100 MB"):
        assert_bounded(
            lambda: subprocess.run([sys.executable, "-c", program], check=False), seconds=60, megabytes=100
        )


def test_nothing_that_it_started_goes_on(tmp_path: Path) -> None:
    """A process that the call has left behind is ended with it."""
    told = tmp_path / "pid"

    def leave() -> None:
        left = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        told.write_text(str(left.pid), encoding="ascii")
        time.sleep(600)

    with pytest.raises(AssertionError, match="more than 2 s"):
        assert_bounded(leave, seconds=2)
    pid = int(told.read_text(encoding="ascii"))
    end = time.monotonic() + 30
    while is_running(pid) and time.monotonic() < end:
        time.sleep(0.05)
    assert not is_running(pid)


def is_running(pid: int) -> bool:
    """Say whether a process runs; one that is dead and not waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_what_a_call_does_stays_in_its_process() -> None:
    """Values that it changes are its own."""
    seen: list[int] = []
    assert_bounded(lambda: seen.append(1), seconds=30)
    assert seen == []
