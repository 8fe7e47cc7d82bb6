"""A copy that follows the database, for reading: when it may be read from, and when it may not.

A copy lags. What was deleted must not be read from it, and who wrote something must read it, so a copy is asked only
when it is known to have all of that. The tenant's counter `SHOWN` is raised by every transaction that changes what
documents and collections are or say. The database itself is asked for the number; the copy's own number stands in the
same state as the rows that are read with it, and has to be that or a later one. Otherwise the database is read.
"""

from __future__ import annotations

import logging
import time
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Final

import sqlalchemy as sa
from sqlalchemy import exc

from pincite.library.tables import REVISION, counters, revisions

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

SHOWN: Final = "shown"
"""Counter of the transactions that changed what a tenant's documents and collections are or say."""
AGAIN_SECONDS: Final = 10.0
"""Seconds for which a copy that failed is left alone: each try could cost a request its time."""

_NUMBER: Final = sa.select(counters.c.value).where(
    counters.c.tenant == sa.bindparam("tenant"), counters.c.name == SHOWN
)
# The tables of a copy may be those of an older pincite still, after all numbers are alike.
_THERE: Final = _NUMBER.where(sa.exists().where(revisions.c.version_num == REVISION))

_log: Final = logging.getLogger(__name__)


class Copy:
    """A copy that follows a database; thread-safe, one for all tenants."""

    __slots__ = ("_clock", "_closed", "_lock", "_pool", "_primary", "_quiet_until", "engine")

    def __init__(
        self, primary: sa.Engine, engine: sa.Engine, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`primary` is the database itself; `engine` reads the copy, each connection one state of it."""
        # A look at one number needs no transaction.
        self._primary = primary.execution_options(isolation_level="AUTOCOMMIT")
        self.engine = engine
        self._clock = clock
        self._lock = Lock()
        self._quiet_until = 0.0
        self._closed = False
        # Where connections come back to that were out when the copy was closed.
        self._pool = engine.pool

    @contextmanager
    def reading(self, tenant: str) -> Generator[sa.Connection | None, None, None]:
        """Give a connection to the copy, or None where it is not as new as the database, or does not answer.

        Raises:
            sqlalchemy.exc.SQLAlchemyError: the database itself does not answer; or the copy failed while it was read.
        """
        if self._clock() < self._quiet_until:
            yield None
            return
        with self._primary.connect() as connection:
            wanted = connection.scalar(_NUMBER, {"tenant": tenant})
        found = None if wanted is None else self._connected(tenant, wanted)
        if found is None:
            yield None
            return
        try:
            yield found
        except exc.SQLAlchemyError as error:
            self._failed(error)
            raise
        finally:
            found.close()
            if self._closed:
                self._pool.dispose()

    def _connected(self, tenant: str, wanted: int) -> sa.Connection | None:
        """Return a connection whose first statement has shown that nothing is missing."""
        connection: sa.Connection | None = None
        try:
            connection = self.engine.connect()
            number = connection.scalar(_THERE, {"tenant": tenant})
        except exc.SQLAlchemyError as error:
            self._failed(error)
            number = None
        if number is not None and number >= wanted:
            return connection
        if connection is not None:
            connection.close()
        return None

    def _failed(self, error: exc.SQLAlchemyError) -> None:
        """Leave the copy alone for a while, and say so once."""
        with self._lock:
            said = self._clock() < self._quiet_until
            self._quiet_until = self._clock() + AGAIN_SECONDS
        if not said:
            # Never the text of the error: it may hold an address.
            _log.warning(
                "The copy of the database failed (%s); the database itself is read instead.",
                type(error).__name__,
            )

    def close(self) -> None:
        """Close every connection to the copy; one that is out is closed when it comes back."""
        self._closed = True
        self.engine.dispose()
