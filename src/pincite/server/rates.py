"""How often each caller may ask: a moving window of a minute, counted here or in a store that all nodes share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from limits import RateLimitItemPerMinute
from limits.errors import ConfigurationError
from limits.storage import MemoryStorage, storage_from_string
from limits.strategies import MovingWindowRateLimiter, SlidingWindowCounterRateLimiter

from pincite.core.errors import SettingError, TooManyError

if TYPE_CHECKING:
    from limits.strategies import RateLimiter

_MINUTE: Final = 60


class Rates:
    """Counts requests by caller; thread-safe."""

    __slots__ = ("_limiter",)

    def __init__(self, address: str | None = None) -> None:
        """`address` is that of a store, as `redis://host:6379`; None counts in this process.

        Raises:
            SettingError: the address cannot be read, or its driver is not installed.
        """
        if address is None:
            self._limiter: RateLimiter = MovingWindowRateLimiter(MemoryStorage())
            return
        try:
            self._limiter = SlidingWindowCounterRateLimiter(storage_from_string(address))
        except (ConfigurationError, ValueError, ImportError) as error:
            msg = "`PINCITE_RATES` is the address of a store, as `redis://host:6379`, whose driver is installed."
            raise SettingError(msg, field="PINCITE_RATES") from error

    def count(self, name: str, most: int) -> None:
        """Count one request of a caller.

        Raises:
            TooManyError: it is one more than `most` in a minute.
        """
        if not self._limiter.hit(RateLimitItemPerMinute(most), name):
            msg = f"More than {most:,} requests in a minute; wait a moment."
            raise TooManyError(msg, seconds=_MINUTE // 2)
