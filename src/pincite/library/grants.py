"""Grants: which passages a visitor may open, because a search of theirs returned them, and until when."""

from __future__ import annotations

import math
import re
import time
from itertools import islice
from typing import TYPE_CHECKING

import sqlalchemy as sa

from pincite.core.errors import InputError
from pincite.core.given import items_of, of_kind, refuse
from pincite.core.text import normalise
from pincite.library._fields import given_id
from pincite.library.access_tables import grants
from pincite.library.database import BATCH
from pincite.library.tables import places

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pincite.library.library import Library
    from pincite.library.tables import Row

# SHA-256 of what a visitor's browser holds, in hex: linear, one class.
_VISITOR = re.compile(r"[0-9a-f]{64}")


class Grants:
    """The grants of one tenant's visitors, each for one passage in one version.

    A grant is not the whole permission: what was removed since is gone for every visitor.
    """

    __slots__ = ("_clock", "_library")

    def __init__(self, library: Library, clock: Callable[[], float] = time.time) -> None:
        """`clock` tells Unix time."""
        self._library = library
        self._clock = clock

    def give(self, visitor: str, pairs: Iterable[tuple[str, str]], seconds: float) -> None:
        """Let a visitor open passages (chunk id and version) for `seconds` from now, whatever was granted before.

        What the library does not hold, or not any more, is not granted.

        Raises:
            InputError: `visitor` is no digest, a pair is none, or `seconds` are not more than 0.
            StoreError: the library cannot be written.
        """
        key = self._key(visitor)
        if isinstance(seconds, bool) or not isinstance(seconds, int | float):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
            refuse(seconds, "seconds", "a number")
        if not 0 < seconds < math.inf:
            msg = "A grant lasts more than 0 seconds."
            raise InputError(msg, field="seconds")
        wanted = dict.fromkeys(_pair(one) for one in items_of(pairs, "pairs", "a list of passages"))
        for batch in _batches(wanted):
            with self._library.database.writing() as connection:
                # By ids alone: given pairs, a database may go through every place of the tenant.
                there = sa.select(places.c.chunk_id, places.c.version).where(
                    places.c.tenant == key["tenant"],
                    places.c.chunk_id.in_({chunk_id for chunk_id, _ in batch}),
                )
                kept = {(row.chunk_id, row.version) for row in connection.execute(there)}
                of_batch = [pair for pair in batch if pair in kept]
                if of_batch:
                    self._write(connection, key, of_batch, seconds)

    def versions(self, visitor: str, chunk_id: str) -> list[str]:
        """Return the versions in which a visitor may open a passage now, the one that was granted last first.

        Raises:
            InputError: `visitor` is no digest.
        """
        now = self._clock()
        rows = [row for row in self._of(visitor, chunk_id) if row.expires_at > now]
        return [row.version for row in sorted(rows, key=lambda row: (-row.granted_at, row.version))]

    def holds(self, visitor: str, chunk_id: str, version: str) -> bool:
        """Say whether a visitor may open a passage in that version now.

        Raises:
            InputError: `visitor` is no digest.
        """
        return given_id(version, "version") in self.versions(visitor, chunk_id)

    def take_back(self, visitor: str) -> None:
        """End everything that was granted to a visitor.

        Raises:
            InputError: `visitor` is no digest.
            StoreError: the library cannot be written.
        """
        key = self._key(visitor)
        with self._library.database.writing() as connection:
            connection.execute(sa.delete(grants).where(_is(key)))

    def sweep(self) -> int:
        """Remove the grants that have expired; return how many that were.

        Raises:
            StoreError: the library cannot be written.
        """
        ours = grants.c.tenant == self._library.database.tenant
        with self._library.database.writing() as connection:
            gone = connection.execute(sa.delete(grants).where(ours, grants.c.expires_at <= self._clock()))
            return gone.rowcount

    def _write(
        self, connection: sa.Connection, key: dict[str, str], pairs: list[tuple[str, str]], seconds: float
    ) -> None:
        """Put a grant for each of `pairs` in the place of the one before."""
        now = self._clock()
        same = sa.and_(
            grants.c.chunk_id == sa.bindparam("of"), grants.c.version == sa.bindparam("in_version")
        )
        which = [{"of": chunk_id, "in_version": version} for chunk_id, version in pairs]
        connection.execute(sa.delete(grants).where(_is(key), same), which)
        times = {"granted_at": now, "expires_at": now + seconds}
        rows = [{**key, "chunk_id": chunk_id, "version": version, **times} for chunk_id, version in pairs]
        connection.execute(sa.insert(grants), rows)

    def _key(self, visitor: str) -> dict[str, str]:
        if _VISITOR.fullmatch(of_kind(visitor, str, "visitor", "a digest")) is None:
            msg = "A visitor is named by a digest of 64 hex digits."
            raise InputError(msg, field="visitor")
        return {"tenant": self._library.database.tenant, "visitor": visitor}

    def _of(self, visitor: str, chunk_id: str) -> Sequence[Row]:
        """Return the grants of a visitor for a passage, expired ones too: there are few of them.

        The database is not asked for those that are open, or it might go through everything that is.
        """
        of_one = grants.c.chunk_id == given_id(chunk_id, "chunk_id")
        statement = sa.select(grants.c.version, grants.c.granted_at, grants.c.expires_at)
        with self._library.database.reading() as connection:
            return connection.execute(statement.where(_is(self._key(visitor)), of_one)).all()


def _is(key: dict[str, str]) -> sa.ColumnElement[bool]:
    return sa.and_(grants.c.tenant == key["tenant"], grants.c.visitor == key["visitor"])


def _pair(one: object) -> tuple[str, str]:
    match one:
        case (str() as chunk_id, str() as version):
            return normalise(chunk_id), normalise(version)
        case _:
            msg = "A passage is granted by its id and version."
            raise InputError(msg, field="pairs")


def _batches(pairs: Iterable[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    rest = iter(pairs)
    while batch := list(islice(rest, BATCH)):
        yield batch
