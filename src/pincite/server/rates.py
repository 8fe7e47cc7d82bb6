"""How often each caller may ask: a moving window of a minute, counted here or in a store that all nodes share.

Counting is no reason to turn anybody away. Where the store does not answer, each node counts for itself until it does.
"""

from __future__ import annotations

import time
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, cast

import structlog
from limits import RateLimitItemPerMinute
from limits.errors import ConfigurationError, StorageError
from limits.storage import MemoryStorage, storage_from_string
from limits.strategies import MovingWindowRateLimiter, SlidingWindowCounterRateLimiter

from pincite.core.errors import MissingExtraError, SettingError, TooManyError
from pincite.core.limits import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Callable

_MINUTE: Final = 60
_SCHEMES: Final = ("redis://", "rediss://", "redis+unix://")
AGAIN_SECONDS: Final = 10.0
"""Seconds for which a store that failed is left alone: each try could cost a request its time."""

_log: Final = structlog.get_logger("pincite.server")


class Rates:
    """Counts requests by caller; thread-safe."""

    __slots__ = ("_clock", "_local", "_lock", "_quiet_until", "_shared")

    def __init__(
        self,
        address: str | None = None,
        *,
        seconds: float = DEFAULT.rates_seconds,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`address` is that of a store, as `redis://host:6379`; None counts in this process.

        The store may take `seconds` to answer. Nothing is connected yet.

        Raises:
            MissingExtraError: there is an address, and no driver for it.
            SettingError: the address cannot be read.
        """
        self._local = MovingWindowRateLimiter(MemoryStorage())
        self._shared = None if address is None else _shared(address, seconds)
        self._clock = clock
        self._lock = Lock()
        self._quiet_until = 0.0

    def count(self, name: str, most: int) -> None:
        """Count one request of a caller.

        Raises:
            TooManyError: it is one more than `most` in a minute.
        """
        if not self._hit(RateLimitItemPerMinute(most), name):
            msg = f"More than {most:,} requests in a minute; wait a moment."
            raise TooManyError(msg, seconds=_MINUTE // 2)

    def _hit(self, item: RateLimitItemPerMinute, name: str) -> bool:
        if self._shared is not None and self._clock() >= self._quiet_until:
            try:
                return self._shared.hit(item, name)
            except StorageError as error:
                self._failed(error)
        return self._local.hit(item, name)

    def _failed(self, error: StorageError) -> None:
        """Leave the store alone for a while, and say so once."""
        with self._lock:
            said = self._clock() < self._quiet_until
            self._quiet_until = self._clock() + AGAIN_SECONDS
        if not said:
            # Never the text of the error: it may hold an address.
            _log.warning(
                "rates store failed; each node counts for itself", error=type(error.__cause__).__name__
            )


def _shared(address: str, seconds: float) -> SlidingWindowCounterRateLimiter:
    if not address.startswith(_SCHEMES):
        raise _unreadable()
    try:
        from redis.backoff import NoBackoff
        from redis.retry import Retry
    except ImportError as error:
        what = "Sharing rates"
        raise MissingExtraError(what, "redis") from error
    # One more try at once, for a connection that died while nobody used it; the driver's own way waits for seconds.
    options: dict[str, Any] = {
        "socket_timeout": seconds,
        "socket_connect_timeout": seconds,
        "retry": Retry(NoBackoff(), 1),
        "wrap_exceptions": True,
    }
    try:
        storage = storage_from_string(address, **options)
    except (ConfigurationError, ValueError) as error:
        raise _unreadable() from error
    return SlidingWindowCounterRateLimiter(cast("Any", storage))


def _unreadable() -> SettingError:
    msg = "`PINCITE_RATES` is the address of a Redis or Valkey, as `redis://host:6379`."
    return SettingError(msg, field="PINCITE_RATES")
