"""Ledgers between requests: what each client has received, in tables beside the truth."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from pincite.core.errors import InputError, StoreError
from pincite.core.given import of_kind
from pincite.core.ledger import Ledger, forgotten_at_once
from pincite.core.memory import check_client
from pincite.library.database import batches
from pincite.library.tables import ledger_entries, ledgers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pincite.library.library import Library


class LibraryLedgers:
    """A library as a `core.protocols.LedgerStore`, for as many nodes as open it.

    It keeps ids, ranges and states, and no text. A client is forgotten `seconds` after it was last saved, and who was
    quiet longest when there are more than `clients`. Who was saved as a newcomer, and was neither loaded nor saved
    since, is counted apart among `newcomers`: those push out nobody else.
    """

    __slots__ = ("_clients", "_clock", "_library", "_newcomers", "_seconds")

    def __init__(
        self,
        library: Library,
        *,
        clients: int | None = None,
        newcomers: int | None = None,
        seconds: float | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """What is not given is as the library's limits say; `clock` tells Unix time."""
        self._library = library
        self._clients = library.limits.ledger_clients if clients is None else clients
        self._newcomers = library.limits.ledger_newcomers if newcomers is None else newcomers
        self._seconds = library.limits.ledger_seconds if seconds is None else seconds
        self._clock = clock

    async def load(self, client: str, evidence_ids: Iterable[str] | None = None) -> Ledger | None:
        """Return what is kept for `client`, or None where there is nothing any more.

        With `evidence_ids` it is what is kept of these alone, and costs what they cost.

        Raises:
            InputError: `client` is no name.
            StoreError: the library cannot be read.
        """
        return await asyncio.to_thread(self.load_sync, client, evidence_ids)

    def load_sync(self, client: str, evidence_ids: Iterable[str] | None = None) -> Ledger | None:
        """Do what `load` does without an event loop.

        Raises:
            InputError: `client` is no name.
            StoreError: the library cannot be read.
        """
        key = self._key(client)
        with self._library.database.reading() as connection:
            fresh = ledgers.c.saved_at >= self._oldest()
            returned = connection.scalar(sa.select(ledgers.c.returned).where(_is(ledgers, key), fresh))
            if returned is None:
                return None
            kept = self._kept(connection, key, evidence_ids)
        if not returned:
            self._welcome(key)
        return self._ledger(kept)

    async def save(self, client: str, ledger: Ledger, *, newcomer: bool = False) -> None:
        """Add what `ledger` holds to what is kept for `client`, in one transaction.

        Raises:
            InputError: `client` is no name, or `ledger` is no ledger.
            StoreError: the library cannot be written.
        """
        await asyncio.to_thread(self.save_sync, client, ledger, newcomer=newcomer)

    def save_sync(self, client: str, ledger: Ledger, *, newcomer: bool = False) -> None:
        """Do what `save` does without an event loop.

        Raises:
            InputError: `client` is no name, or `ledger` is no ledger.
            StoreError: the library cannot be written.
        """
        key = self._key(client)
        new = of_kind(ledger, Ledger, "ledger", "a ledger").export()
        # No two writers of a tenant overlap, so what another node saved is either read here or added afterwards.
        with self._library.database.writing() as connection:
            self._expire(connection)
            mine = _is(ledgers, key)
            counts = sa.select(ledgers.c.returned, ledgers.c.entries, ledgers.c.last).where(mine)
            found = connection.execute(counts).first()
            returned, entries, last = (False, 0, 0) if found is None else found
            if found is None:
                values = {"saved_at": self._clock(), "returned": False, "entries": 0, "last": 0}
                connection.execute(sa.insert(ledgers).values({**key, **values}))
            added = self._add(connection, key, new, last)
            kept = self._cut(connection, key, entries + added)
            values = {
                "saved_at": self._clock(),
                "returned": found is not None or not newcomer,
                "entries": kept,
                "last": last + added,
            }
            connection.execute(sa.update(ledgers).where(mine).values(values))
            if not returned:  # it is new here, or of the others from now on
                self._bound(connection)

    def _key(self, client: str) -> dict[str, str]:
        check_client(client)
        return {"tenant": self._library.database.tenant, "client": _named(client)}

    def _oldest(self) -> float:
        return self._clock() - self._seconds

    def _kept(
        self, connection: sa.Connection, key: dict[str, str], evidence_ids: Iterable[str] | None
    ) -> list[dict[str, Any]]:
        """Return the entries of a client, oldest first; of some ids alone where they are given."""
        mine, number = _is(ledger_entries, key), ledger_entries.c.number
        if evidence_ids is None:
            in_order = sa.select(ledger_entries.c.entry).where(mine).order_by(number)
            return list(connection.scalars(in_order))
        found: list[tuple[int, dict[str, Any]]] = []
        for batch in batches(evidence_ids):
            some = ledger_entries.c.evidence_id.in_(batch)
            rows = connection.execute(sa.select(number, ledger_entries.c.entry).where(mine, some))
            found += [(row.number, row.entry) for row in rows]
        return [entry for _, entry in sorted(found, key=_first)]

    def _add(
        self, connection: sa.Connection, key: dict[str, str], new: list[dict[str, Any]], last: int
    ) -> int:
        """Add entries to those of a client, numbered on from `last`, and return how many ids are new."""
        old = {
            entry["evidence_id"]: entry
            for entry in self._kept(connection, key, (entry["evidence_id"] for entry in new))
        }
        if old:
            # What is known of one id by both is one entry, which stays in its place.
            both = self._ledger([*old.values(), *(entry for entry in new if entry["evidence_id"] in old)])
            for entry in both.export():
                if entry != old[entry["evidence_id"]]:
                    one = ledger_entries.c.evidence_id == entry["evidence_id"]
                    update = sa.update(ledger_entries).where(_is(ledger_entries, key), one)
                    connection.execute(update.values(entry=entry))
        rows = [
            {**key, "evidence_id": entry["evidence_id"], "number": number, "entry": entry}
            for number, entry in enumerate((one for one in new if one["evidence_id"] not in old), last + 1)
        ]
        if rows:
            connection.execute(sa.insert(ledger_entries), rows)
        return len(rows)

    def _cut(self, connection: sa.Connection, key: dict[str, str], count: int) -> int:
        """Remove a client's oldest entries where there are too many; return how many there are then."""
        most = self._library.limits.ledger_entries
        if count <= most:
            return count
        gone = forgotten_at_once(count, most)
        mine, number = _is(ledger_entries, key), ledger_entries.c.number
        kept_from = sa.select(number).where(mine).order_by(number).offset(gone).limit(1)
        first = connection.scalar(kept_from)
        connection.execute(sa.delete(ledger_entries).where(mine, number < first))
        return count - gone

    def _ledger(self, entries: Iterable[dict[str, Any]]) -> Ledger:
        try:
            return Ledger.load(entries, limits=self._library.limits)
        except InputError as error:
            msg = "What the library keeps of this client is damaged."
            raise StoreError(msg) from error

    def _welcome(self, key: dict[str, str]) -> None:
        """Count a client that has come back among those that did; where that cannot be written now, later."""
        with suppress(StoreError), self._library.database.writing() as connection:
            connection.execute(sa.update(ledgers).where(_is(ledgers, key)).values(returned=True))
            self._bound(connection)

    def _expire(self, connection: sa.Connection) -> None:
        connection.execute(sa.delete(ledgers).where(self._ours(), ledgers.c.saved_at < self._oldest()))

    def _bound(self, connection: sa.Connection) -> None:
        """Remove the clients that were quiet longest when there are too many, newcomers among newcomers."""
        for returned, most in ((False, self._newcomers), (True, self._clients)):
            alike = sa.and_(self._ours(), ledgers.c.returned.is_(returned))
            by_age = (
                sa.select(ledgers.c.client).where(alike).order_by(ledgers.c.saved_at.desc(), ledgers.c.client)
            )
            for batch in batches(list(connection.scalars(by_age.offset(most)))):
                connection.execute(sa.delete(ledgers).where(alike, ledgers.c.client.in_(batch)))

    def _ours(self) -> sa.ColumnElement[bool]:
        return ledgers.c.tenant == self._library.database.tenant


def _is(table: sa.Table, key: dict[str, str]) -> sa.ColumnElement[bool]:
    return sa.and_(table.c.tenant == key["tenant"], table.c.client == key["client"])


def _first(pair: tuple[int, object]) -> int:
    return pair[0]


def _named(client: str) -> str:
    return sha256(client.encode("utf-8", "surrogatepass")).hexdigest()
