"""One writer at a time over processes: a lock on a file, which the system lifts when its holder ends."""

from __future__ import annotations

import os
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

_PAUSE_SECONDS = 0.02

if sys.platform == "win32":
    import msvcrt

    def _take(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def file_lock(path: Path, seconds: float) -> Generator[bool]:
    """Hold the lock on `path` (made if missing); gives False when another kept it for all of `seconds`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        yield _wait(descriptor, time.monotonic() + seconds)
    finally:
        # Closing lifts the lock.
        os.close(descriptor)


def _wait(descriptor: int, deadline: float) -> bool:
    while True:
        try:
            _take(descriptor)
        except OSError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(_PAUSE_SECONDS)
        else:
            return True
