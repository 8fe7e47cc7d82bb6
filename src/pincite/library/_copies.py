"""Local copies of files from a bucket: the least recently used ones go when all together are too large."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

IN_USE_SECONDS: Final = 900.0
"""Seconds after it was last asked for in which a copy is taken to be in use: longer than any request or reading."""
_LOOKS: Final = 64
"""Times that the folder is looked through while as much is copied as it may hold."""


class Copies:
    """The copies of every tenant in `folder`, one folder each; thread-safe, and several processes may share it.

    A copy's time of change says when it was last asked for. What was asked for a short while ago stays, so all of it
    may be larger than `most` bytes by what is in use. A file that is open somewhere stays readable there.
    """

    __slots__ = ("_clock", "_lock", "_most", "_since", "folder")

    def __init__(self, folder: Path, most: int, clock: Callable[[], float] = time.time) -> None:
        self.folder = folder
        self._most = most
        self._clock = clock
        self._lock = Lock()
        # Nobody has looked yet: what earlier processes left is there already.
        self._since = most

    def use(self, path: Path) -> bool:
        """Note that a copy is asked for; False when there is none."""
        now = self._clock()
        with self._lock:
            try:
                os.utime(path, (now, now))
            except OSError:
                # A folder that may only be read is never swept from here either.
                return path.is_file()
        return True

    def came(self, size: int) -> int:
        """Note that a copy of `size` bytes came, and sweep when it is time; return how many were removed."""
        with self._lock:
            self._since += size
            if self._since <= self._most // _LOOKS:
                return 0
            self._since = 0
        return self.sweep()

    def sweep(self) -> int:
        """Remove the copies that were not asked for longest, until the rest is small enough; return how many."""
        found: list[tuple[float, int, Path]] = []
        for path in self.folder.glob("*/*"):
            # What has this sign is still being written; it has a sweep of its own.
            if "#" not in path.name:
                with suppress(OSError):
                    seen = path.stat()
                    found.append((seen.st_mtime, seen.st_size, path))
        over = sum(size for _, size, _ in found) - self._most
        removed = 0
        for _, size, path in sorted(found, key=lambda one: one[0]):
            if over <= 0:
                break
            if self._remove(path):
                over -= size
                removed += 1
        return removed

    def _remove(self, path: Path) -> bool:
        """Remove a copy unless it is in use; say whether it is gone."""
        with self._lock, suppress(OSError):
            # Looked at again: it may have been asked for since.
            if path.stat().st_mtime > self._clock() - IN_USE_SECONDS:
                return False
            path.unlink()
            return True
        return not path.exists()
