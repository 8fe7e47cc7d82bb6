"""How much is worked on at a time: searches take turns, and only so many answers are streamed at once."""

from __future__ import annotations

from contextlib import contextmanager
from threading import BoundedSemaphore, Lock
from typing import TYPE_CHECKING

from pincite.core.errors import TooManyError

if TYPE_CHECKING:
    from collections.abc import Generator


class Turns:
    """Lets so many at a time through; a number more wait, and whoever comes then is told to come again."""

    __slots__ = ("_free", "_lock", "_most", "_seconds", "_waiting")

    def __init__(self, at_once: int, waiting: int, seconds: float) -> None:
        """`seconds` is the longest that somebody waits."""
        self._free = BoundedSemaphore(at_once)
        self._lock = Lock()
        self._most = waiting
        self._seconds = seconds
        self._waiting = 0

    @contextmanager
    def one(self) -> Generator[None, None, None]:
        """Wait for a turn, and have it.

        Raises:
            TooManyError: too many wait, or the turn did not come in time.
        """
        self._wait()
        try:
            yield
        finally:
            self._free.release()

    def _wait(self) -> None:
        with self._lock:
            crowded = self._waiting >= self._most
            self._waiting += not crowded
        if crowded:
            msg = "As many searches wait as may; ask again in a moment."
            raise TooManyError(msg, seconds=2)
        try:
            if not self._free.acquire(timeout=self._seconds):
                msg = "The search did not get its turn in time; ask again in a moment."
                raise TooManyError(msg, seconds=5)
        finally:
            with self._lock:
                self._waiting -= 1


class Streams:
    """Counts the answers that are being streamed. It is for the event loop alone."""

    __slots__ = ("_most", "_open")

    def __init__(self, most: int) -> None:
        self._most = most
        self._open = 0

    def check(self) -> None:
        """Say whether there is room for one more.

        Raises:
            TooManyError: as many answers are being streamed as may.
        """
        if self._open >= self._most:
            msg = "As many answers are being written as may; ask again in a moment."
            raise TooManyError(msg, seconds=5)

    @contextmanager
    def one(self) -> Generator[None, None, None]:
        """Be one of them."""
        self._open += 1
        try:
            yield
        finally:
            self._open -= 1
