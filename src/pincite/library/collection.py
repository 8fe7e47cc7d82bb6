"""Collections: named sets of documents, each with its own way of chunking and its own bar."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Literal, cast

import sqlalchemy as sa

from pincite.core.errors import ConflictError, InputError, NotFoundError
from pincite.core.text import normalise, one_line
from pincite.library.tables import (
    collections,
    documents,
    passages,
    same_key,
    standing,
    vectors,
    versions,
)

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
"""Given in place of a value: what is stored stays as it is. None is a value of its own."""


@dataclass(frozen=True, slots=True)
class Collection:
    """A named set of documents. `score_threshold` counts for the reranker named `reranker` only.

    Both are None until someone sets a bar: then the reranker's own default holds. `embedder` is None where that of the
    whole library counts, `added_at` where the collection is not kept yet.
    """

    collection_id: str
    name: str
    chunking: Chunking = "flat"
    score_threshold: float | None = None
    reranker: str | None = None
    embedder: str | None = None
    added_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Counts:
    """What a collection holds: standing documents, their passages, and how many of these wait for their vector."""

    documents: int = 0
    passages: int = 0
    pending_vectors: int = 0


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
        with self._database.changing() as connection:
            # Another process may have made it since.
            found = self._find(connection, name)
            if found is not None:
                return found
            now = self._now()
            made = Collection(self._new_id(), name, chunking, added_at=datetime.fromisoformat(now))
            connection.execute(
                sa.insert(collections).values(
                    tenant=self._database.tenant,
                    collection_id=made.collection_id,
                    name=name,
                    chunking=chunking,
                    added_at=now,
                )
            )
        return made

    def one(self, collection_id: str) -> Collection:
        """Return a collection.

        Raises:
            NotFoundError: there is no such collection.
        """
        with self._database.looking() as connection:
            row = connection.execute(self._select().where(self._is(collection_id))).first()
        if row is None:
            raise unknown_collection()
        return _collection(row)

    def all(self) -> list[Collection]:
        """Return every collection, by name."""
        with self._database.looking() as connection:
            rows = connection.execute(self._select()).all()
        return sorted((_collection(row) for row in rows), key=lambda found: found.name)

    def change(
        self,
        collection_id: str,
        *,
        score_threshold: float | Keep | None,
        reranker: str | Keep | None,
        chunking: Chunking | Keep,
        name: str | Keep,
        embedder: str | Keep | None,
    ) -> Collection:
        """Set what is not `KEEP` and return the collection as it is then.

        Raises:
            InputError: `chunking` is unknown, or the name is empty, too long or not one line.
            NotFoundError: there is no such collection.
            ConflictError: another collection has the name.
        """
        if chunking is not KEEP:
            _check_chunking(chunking)
        given = {
            "score_threshold": score_threshold,
            "reranker": reranker,
            "chunking": chunking,
            "name": name if isinstance(name, Keep) else _checked_name(name),
            "embedder": embedder,
        }
        values = {name: value for name, value in given.items() if value is not KEEP}
        mine = self._is(collection_id)
        with self._database.changing() as connection:
            row = connection.execute(self._select().where(mine)).first()
            if row is None:
                raise unknown_collection()
            if values:
                named = None if isinstance(name, Keep) else self._find(connection, _checked_name(name))
                if named is not None and named.collection_id != row.collection_id:
                    msg = "Another collection has this name already."
                    raise ConflictError(msg, field="name")
                connection.execute(sa.update(collections).where(mine).values(values))
                row = connection.execute(self._select().where(mine)).one()
        return _collection(row)

    def counts(self, embedder: str | None) -> dict[str, Counts]:
        """Return what each collection holds, by id; with an `embedder`, how many passages it has to embed yet."""
        tenant = self._database.tenant
        held = (
            sa.select(documents.c.collection_id, sa.func.count(), sa.func.sum(versions.c.passages))
            .join_from(documents, versions, same_key(versions, documents, "document_id", "version"))
            .where(documents.c.tenant == tenant, standing())
            .group_by(documents.c.collection_id)
        )
        embedded = sa.exists().where(
            vectors.c.tenant == passages.c.tenant,
            vectors.c.embedder == embedder,
            vectors.c.chunk_id == passages.c.chunk_id,
        )
        waiting = (
            sa.select(documents.c.collection_id, sa.func.count())
            .join_from(passages, documents, same_key(documents, passages, "document_id"))
            .where(passages.c.tenant == tenant, passages.c.put_seq.is_not(None), ~embedded)
            .group_by(documents.c.collection_id)
        )
        with self._database.looking() as connection:
            names = list(connection.scalars(self._select()))
            rows = {key: (count, int(size)) for key, count, size in connection.execute(held)}
            pending: dict[str, int] = {}
            if embedder is not None:
                pending.update((key, count) for key, count in connection.execute(waiting))
        return {name: Counts(*rows.get(name, (0, 0)), pending.get(name, 0)) for name in names}

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
            collections.c.embedder,
            collections.c.added_at,
        ).where(collections.c.tenant == self._database.tenant, collections.c.removed_at.is_(None))

    def _is(self, collection_id: str) -> sa.ColumnElement[bool]:
        return sa.and_(
            collections.c.tenant == self._database.tenant,
            collections.c.collection_id == normalise(collection_id),
        )


def unknown_collection() -> NotFoundError:
    """Return the error of whoever asks for a collection that is not there."""
    return NotFoundError("There is no such collection.", field="collection")


def _collection(row: Row) -> Collection:
    collection_id, name, chunking, threshold, reranker, embedder, added_at = row
    added = datetime.fromisoformat(added_at)
    return Collection(collection_id, name, cast("Chunking", chunking), threshold, reranker, embedder, added)


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
