"""A clock for tests, which stands until it is told to go on."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
"""When it begins."""


class StillClock:
    """Tells the time as a library's clock does, in UTC, and as Unix seconds."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        """Return the time."""
        return self.now

    def unix(self) -> float:
        """Return the time as Unix seconds."""
        return self.now.timestamp()

    def wait(self, seconds: float) -> None:
        """Go on by some seconds."""
        self.now += timedelta(seconds=seconds)
