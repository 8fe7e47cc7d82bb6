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
    """Counts the answers that are being streamed, from the moment at which one is let in."""

    __slots__ = ("_lock", "_most", "_places")

    def __init__(self, most: int) -> None:
        self._lock = Lock()
        self._most = most
        # One for each answer that has room; adding to a set and taking out of it are one step each.
        self._places: set[object] = set()

    @property
    def open(self) -> int:
        """How many have room now."""
        return len(self._places)

    def enter(self) -> StreamPlace:
        """Take room for one answer, or say that there is none, in one step; `leave` gives it back.

        Raises:
            TooManyError: as many answers are being streamed as may.
        """
        place = object()
        with self._lock:
            crowded = len(self._places) >= self._most
            if not crowded:
                self._places.add(place)
        if crowded:
            msg = "As many answers are being written as may; ask again in a moment."
            raise TooManyError(msg, seconds=5)
        return StreamPlace(self._places, place)


class StreamPlace:
    """Room for one answer: `leave` gives it back, and does nothing when that was done before.

    Who drops the last hold of it gives it back as well: a reply that is never sent keeps no room.
    """

    __slots__ = ("_place", "_places")

    def __init__(self, places: set[object], place: object) -> None:
        self._places = places
        self._place = place

    def leave(self) -> None:
        """Give the room back."""
        self._places.discard(self._place)

    def __del__(self) -> None:
        self.leave()
