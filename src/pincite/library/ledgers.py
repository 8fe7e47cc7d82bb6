"""Ledgers between requests: what each client has received, in a table beside the truth."""

from __future__ import annotations

import asyncio
import time
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from pincite.core.errors import InputError, StoreError
from pincite.core.ledger import Ledger
from pincite.core.memory import check_client
from pincite.library.database import batches
from pincite.library.tables import ledgers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pincite.library.library import Library


class LibraryLedgers:
    """A library as a `core.protocols.LedgerStore`, for as many nodes as open it.

    It keeps ids, ranges and states, and no text. A client is forgotten `seconds` after it was last saved, and who was
    quiet longest when there are more than `clients`.
    """

    __slots__ = ("_clients", "_clock", "_library", "_seconds")

    def __init__(
        self,
        library: Library,
        *,
        clients: int | None = None,
        seconds: float | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`clients` and `seconds` are the library's limits unless they are given; `clock` tells Unix time."""
        self._library = library
        self._clients = library.limits.ledger_clients if clients is None else clients
        self._seconds = library.limits.ledger_seconds if seconds is None else seconds
        self._clock = clock

    async def load(self, client: str) -> Ledger | None:
        """Return what is kept for `client`, or None where there is nothing any more.

        Raises:
            InputError: `client` is no name.
            StoreError: the library cannot be read.
        """
        return await asyncio.to_thread(self.load_sync, client)

    def load_sync(self, client: str) -> Ledger | None:
        """Do what `load` does without an event loop.

        Raises:
            InputError: `client` is no name.
            StoreError: the library cannot be read.
        """
        mine = self._is(client)
        with self._library.database.reading() as connection:
            entries = self._kept(connection, mine)
        return None if entries is None else self._ledger(entries)

    async def save(self, client: str, ledger: Ledger) -> None:
        """Add what `ledger` holds to what is kept for `client`, in one transaction.

        Raises:
            InputError: `client` is no name.
            StoreError: the library cannot be written.
        """
        await asyncio.to_thread(self.save_sync, client, ledger)

    def save_sync(self, client: str, ledger: Ledger) -> None:
        """Do what `save` does without an event loop.

        Raises:
            InputError: `client` is no name.
            StoreError: the library cannot be written.
        """
        mine = self._is(client)
        new = ledger.export()
        # No two writers of a tenant overlap, so what another node saved is either read here or added afterwards.
        with self._library.database.writing() as connection:
            entries = self._kept(connection, mine)
            merged = self._ledger([*(entries or ()), *new])
            values = {"saved_at": self._clock(), "entries": merged.export()}
            updated = connection.execute(sa.update(ledgers).where(mine).values(values))
            if updated.rowcount == 0:
                key = {"tenant": self._library.database.tenant, "client": _named(client)}
                connection.execute(sa.insert(ledgers).values({**key, **values}))
                self._forget(connection)

    def _is(self, client: str) -> sa.ColumnElement[bool]:
        check_client(client)
        return sa.and_(ledgers.c.tenant == self._library.database.tenant, ledgers.c.client == _named(client))

    def _oldest(self) -> float:
        return self._clock() - self._seconds

    def _kept(self, connection: sa.Connection, mine: sa.ColumnElement[bool]) -> list[dict[str, Any]] | None:
        """Return what is kept of a client and has not expired."""
        fresh = ledgers.c.saved_at >= self._oldest()
        return connection.scalar(sa.select(ledgers.c.entries).where(mine, fresh))

    def _ledger(self, entries: Iterable[dict[str, Any]]) -> Ledger:
        try:
            return Ledger.load(entries, limits=self._library.limits)
        except InputError as error:
            msg = "What the library keeps of this client is damaged."
            raise StoreError(msg) from error

    def _forget(self, connection: sa.Connection) -> None:
        """Remove what has expired, and the clients that were quiet longest when there are too many."""
        ours = ledgers.c.tenant == self._library.database.tenant
        connection.execute(sa.delete(ledgers).where(ours, ledgers.c.saved_at < self._oldest()))
        by_age = sa.select(ledgers.c.client).where(ours).order_by(ledgers.c.saved_at.desc(), ledgers.c.client)
        for batch in batches(list(connection.scalars(by_age))[self._clients :]):
            connection.execute(sa.delete(ledgers).where(ours, ledgers.c.client.in_(batch)))


def _named(client: str) -> str:
    return sha256(client.encode("utf-8", "surrogatepass")).hexdigest()
