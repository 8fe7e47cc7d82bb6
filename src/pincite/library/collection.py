"""Collections: named sets of documents, each with its own way of chunking and its own bar."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Literal, cast

import sqlalchemy as sa

from pincite.core.errors import InputError, NotFoundError
from pincite.core.text import normalise, one_line
from pincite.library.tables import collections

if TYPE_CHECKING:
    from collections.abc import Callable

    from pincite.library.database import Database
    from pincite.library.tables import Row, Rows

Chunking = Literal["flat", "hierarchical"]
CHUNKINGS: tuple[Chunking, ...] = ("flat", "hierarchical")
"""What a row of a search carries: the passage alone, or the section around it."""

_NAME_CODE_POINTS = 200


class Keep(Enum):
    """Says of a setting that it stays as it is."""

    KEEP = "keep"


KEEP = Keep.KEEP


@dataclass(frozen=True, slots=True)
class Collection:
    """A named set of documents. `score_threshold` counts for the reranker named `reranker` only.

    Both are None until someone sets a bar: then the reranker's own default holds.
    """

    collection_id: str
    name: str
    chunking: Chunking = "flat"
    score_threshold: float | None = None
    reranker: str | None = None


class Collections:
    """The collections of one tenant."""

    __slots__ = ("_database", "_new_id", "_now")

    def __init__(self, database: Database, now: Callable[[], str], new_id: Callable[[], str]) -> None:
        self._database = database
        self._now = now
        self._new_id = new_id

    def named(self, name: str, *, create: bool, chunking: Chunking) -> Collection:
        """Return the collection called `name`, made when it is missing and `create` is true.

        Raises:
            InputError: the name is empty, too long or not one line; `chunking` is unknown.
            NotFoundError: it is missing and `create` is false.
        """
        name = _checked_name(name)
        _check_chunking(chunking)
        with self._database.reading() as connection:
            found = self._find(connection, name)
        if found is not None:
            return found
        if not create:
            msg = f"There is no collection named {name!r}."
            raise NotFoundError(msg, field="collection")
        with self._database.writing() as connection:
            # Another process may have made it since.
            found = self._find(connection, name)
            if found is not None:
                return found
            made = Collection(self._new_id(), name, chunking)
            connection.execute(
                sa.insert(collections).values(
                    tenant=self._database.tenant,
                    collection_id=made.collection_id,
                    name=name,
                    chunking=chunking,
                    added_at=self._now(),
                )
            )
        return made

    def all(self) -> list[Collection]:
        """Return every collection, by name."""
        with self._database.reading() as connection:
            rows = connection.execute(self._select()).all()
        return sorted((_collection(row) for row in rows), key=lambda found: found.name)

    def change(
        self,
        collection_id: str,
        *,
        score_threshold: float | Keep | None,
        reranker: str | Keep | None,
        chunking: Chunking | Keep,
    ) -> Collection:
        """Set what is not `KEEP` and return the collection as it is then.

        Raises:
            InputError: `chunking` is unknown.
            NotFoundError: there is no such collection.
        """
        if chunking is not KEEP:
            _check_chunking(chunking)
        given = {"score_threshold": score_threshold, "reranker": reranker, "chunking": chunking}
        values = {name: value for name, value in given.items() if value is not KEEP}
        mine = sa.and_(
            collections.c.tenant == self._database.tenant,
            collections.c.collection_id == normalise(collection_id),
        )
        with self._database.writing() as connection:
            if values:
                connection.execute(sa.update(collections).where(mine).values(values))
            row = connection.execute(self._select().where(mine)).first()
        if row is None:
            msg = "There is no such collection."
            raise NotFoundError(msg, field="collection")
        return _collection(row)

    def _find(self, connection: sa.Connection, name: str) -> Collection | None:
        row = connection.execute(self._select().where(collections.c.name == name)).first()
        return _collection(row) if row is not None else None

    def _select(self) -> Rows:
        return sa.select(
            collections.c.collection_id,
            collections.c.name,
            collections.c.chunking,
            collections.c.score_threshold,
            collections.c.reranker,
        ).where(collections.c.tenant == self._database.tenant)


def _collection(row: Row) -> Collection:
    collection_id, name, chunking, threshold, reranker = row
    return Collection(collection_id, name, cast("Chunking", chunking), threshold, reranker)


def _checked_name(name: str) -> str:
    name = normalise(name).strip()
    if not name or one_line(name, _NAME_CODE_POINTS) != name:
        msg = f"A collection's name is one line of 1 to {_NAME_CODE_POINTS} visible characters."
        raise InputError(msg, field="collection")
    return name


def _check_chunking(chunking: str) -> None:
    if chunking not in CHUNKINGS:
        msg = f"Chunking is `flat` or `hierarchical`, not {chunking[:40]!r}."
        raise InputError(msg, field="chunking")
