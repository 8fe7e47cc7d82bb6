"""Whether a call ends in time and within its memory, found out in a process that it may bring down."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
import warnings
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

_MEGABYTE: Final = 1_000_000
# Seconds between two looks at the memory. Native code takes some hundred megabytes in that time, at most.
_LOOK: Final = 0.02
# Seconds in which a new process has to be at the call.
_START: Final = 60.0


@dataclass(frozen=True, slots=True)
class Bounded:
    """What a call cost: seconds, megabytes (10^6 bytes) beyond its start, and the error that it ended in, or ""."""

    seconds: float
    megabytes: float
    error: str = ""


def assert_bounded(
    call: Callable[[], object],
    *,
    seconds: float = 5.0,
    megabytes: float = 512.0,
    errors: type[Exception] | tuple[type[Exception], ...] = Exception,
) -> Bounded:
    """Run `call` in a process of its own, and fail where it takes too long, too much memory, or ends the process.

    It may return anything, or raise one of `errors`: give those that your code promises. `MemoryError`,
    `RecursionError` and `AssertionError` always fail. Memory is what the process and those that it starts hold beyond
    what they held before the call; where the system does not tell (it needs `/proc`), only the time is watched.

    The process is a fork, so `call` may be any function, and sees what was made before; a pool of threads is not in
    it, so what has one is made inside the call. Without forks (Windows) `call` has to be importable.

    Raises:
        AssertionError: it is not bounded, or an assertion inside of it failed; the sentence says which.
    """
    __tracebackhide__ = True
    allowed = errors if isinstance(errors, tuple) else (errors,)
    kinds = multiprocessing.get_all_start_methods()
    context: Any = multiprocessing.get_context("fork" if "fork" in kinds else "spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_run, args=(call, allowed, theirs), daemon=False)
    with warnings.catch_warnings():
        # Python 3.12 warns of forks where there are threads; what that means for a call is said above.
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    theirs.close()
    try:
        fault, cost = _watched(process, ours, seconds, megabytes)
    finally:
        _end(process)
        ours.close()
    if fault:
        raise AssertionError(fault)
    return cost


def _run(call: Callable[[], object], errors: tuple[type[Exception], ...], pipe: Connection) -> None:
    """Run `call` and tell what came of it: a fault, or the error that it may end in."""
    if hasattr(os, "setsid"):
        # Whoever watches ends this process with all that it has started.
        os.setsid()
    pipe.send("begin")
    pipe.recv()
    fault = error = ""
    try:
        call()
    except AssertionError as failed:
        fault = str(failed) or "An assertion inside of the call failed."
    except MemoryError:
        fault = "The call ran out of memory: a reader counts what it takes, and stops before."
    except RecursionError:
        fault = "The call ran out of stack: a reader counts how deep it is, and stops before."
    except errors as raised:
        error = _said(raised)
    except BaseException as raised:  # noqa: BLE001 - whatever it is, it is told
        fault = f"The call raised what it may not: {_said(raised)}"
    with suppress(OSError):
        pipe.send((fault, error))


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:500]


def _watched(process: BaseProcess, pipe: Connection, seconds: float, megabytes: float) -> tuple[str, Bounded]:
    """Return what is wrong with the call, if anything, and what it cost."""
    pid = process.pid or 0
    if not _arrived(pipe, _START):
        return "The process of the call did not start.", Bounded(0.0, 0.0)
    before = _held(pid)
    begin = time.monotonic()
    pipe.send("go")
    most = 0
    while True:
        answered = pipe.poll(_LOOK)
        took = time.monotonic() - begin
        most = max(most, _held(pid) - before)
        cost = Bounded(took, most / _MEGABYTE)
        if most > megabytes * _MEGABYTE:
            return f"The call took more than {megabytes:g} MB of memory within {took:.1f} s.", cost
        if took > seconds:
            return f"The call took more than {seconds:g} s.", cost
        if not answered:
            continue
        try:
            fault, error = pipe.recv()
        except (EOFError, OSError):
            process.join(_START)
            return _how_it_ended(process.exitcode), cost
        return fault, Bounded(cost.seconds, cost.megabytes, error)


def _arrived(pipe: Connection, seconds: float) -> bool:
    try:
        return pipe.poll(seconds) and pipe.recv() == "begin"
    except (EOFError, OSError):
        return False


def _how_it_ended(code: int | None) -> str:
    if code is not None and code < 0:
        with suppress(ValueError):
            return f"The call brought its process down: {signal.Signals(-code).name}."
    return f"The call ended its process with {code}."


def _end(process: BaseProcess) -> None:
    """End the process and all that it has started."""
    if process.pid and hasattr(os, "killpg"):
        with suppress(OSError):
            # It leads a group of its own once it has begun; before that the group is ours.
            if os.getpgid(process.pid) != os.getpgid(0):
                os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.join()


def _held(pid: int) -> int:
    """Return the bytes of memory that a process and all it has started hold; 0 where the system does not tell."""
    total, waiting = 0, [pid]
    while waiting:
        one = waiting.pop()
        folder = Path("/proc", str(one))
        with suppress(OSError, ValueError, IndexError):
            total += _own(folder)
            for task in (folder / "task").iterdir():
                waiting += map(int, (task / "children").read_text(encoding="ascii").split())
    return total


def _own(folder: Path) -> int:
    """Return the bytes that a process holds and shares with no other.

    One that was just forked shares all that it has with the one it was forked from: counted whole, nothing would seem
    to become twice as much. Where the system does not tell what is shared, all of it is counted.
    """
    with suppress(OSError):
        lines = (folder / "smaps_rollup").read_text(encoding="ascii").splitlines()
        return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) * 1024
    return int((folder / "statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
