"""Shared indexes: which version of an index in a bucket is the valid one, how far it goes, and who writes it.

An index that many nodes share cannot be written in one transaction with the truth. So the truth says which of its
versions counts: a version that is not entered here does not exist for anybody, whoever made it and however far.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import sqlalchemy as sa
from sqlalchemy import exc

from pincite.library.database import batches
from pincite.library.index_tables import indexes
from pincite.library.tables import documents, passages, same_key, vectors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.library.database import Database


@dataclass(frozen=True, slots=True)
class IndexState:
    """The valid version of an index; it holds all changes up to `seq` and all vectors up to `number`."""

    table: str = ""
    version: int = 0
    seq: int = 0
    number: int = 0


@dataclass(frozen=True, slots=True)
class IndexedPassage:
    """A passage as an index takes it in; `vector` is None until the background has made one."""

    chunk_id: str
    collection_id: str
    document_id: str
    text: str
    put_seq: int
    vector: bytes | None


class IndexStates:
    """The state of one index of one tenant, called `name` (64 code points at most)."""

    __slots__ = ("_database", "_mine", "_name", "_read")

    def __init__(self, database: Database, name: str) -> None:
        self._database = database
        self._name = name
        self._mine = sa.and_(indexes.c.tenant == database.tenant, indexes.c.name == name)
        # Built once: building costs more than running it.
        self._read = sa.select(
            indexes.c.table_name, indexes.c.version, indexes.c.seq, indexes.c.number
        ).where(self._mine)

    def read(self) -> IndexState:
        """Return the valid version; one without a table when there is none."""
        with self._database.reading() as connection:
            row = connection.execute(self._read).first()
        return IndexState() if row is None else IndexState(*row)

    def take(self, holder: str, seconds: float) -> IndexState | None:
        """Become the one writer for `seconds` and return the valid version; None while another is the writer."""
        now = time.time()
        with self._database.working() as connection:
            if connection.execute(self._read).first() is None:
                row = {"tenant": self._database.tenant, "name": self._name, "table_name": ""}
                # Another node may enter it at the same moment.
                with suppress(exc.IntegrityError), connection.begin_nested():
                    connection.execute(sa.insert(indexes).values(**row, version=0, seq=0, number=0))
            free = sa.or_(indexes.c.holder.is_(None), indexes.c.held_until <= now)
            taken = connection.execute(
                sa.update(indexes)
                .where(self._mine, free)
                .values(holder=holder, held_until=now + seconds)
                .returning(indexes.c.table_name, indexes.c.version, indexes.c.seq, indexes.c.number)
            ).first()
        return None if taken is None else IndexState(*taken)

    def enter(self, holder: str, state: IndexState | None, seconds: float) -> bool:
        """Make `state` valid (None: what is stays so) and hold on; False when `holder` is not the writer any more."""
        values = {} if state is None else _columns(state)
        with self._database.working() as connection:
            done = connection.execute(
                sa.update(indexes)
                .where(self._mine, indexes.c.holder == holder)
                .values(**values, held_until=time.time() + seconds)
                .returning(indexes.c.name)
            ).first()
        return done is not None

    def release(self, holder: str) -> None:
        """Let others write."""
        with self._database.working() as connection:
            connection.execute(
                sa.update(indexes)
                .where(self._mine, indexes.c.holder == holder)
                .values(holder=None, held_until=None)
            )


def passages_to_index(database: Database, embedder: str, chunk_ids: Sequence[str]) -> list[IndexedPassage]:
    """Return those of `chunk_ids` that are to be found now, each with its vector of `embedder` if there is one."""
    vector = sa.and_(same_key(vectors, passages, "chunk_id"), vectors.c.embedder == embedder)
    columns = (passages.c.chunk_id, documents.c.collection_id, documents.c.document_id)
    select = (
        sa.select(*columns, passages.c.text, passages.c.put_seq, vectors.c.vector)
        .join_from(passages, documents, same_key(documents, passages, "document_id"))
        .outerjoin(vectors, vector)
        .where(passages.c.tenant == database.tenant, passages.c.put_seq.is_not(None))
    )
    found: list[IndexedPassage] = []
    with database.reading() as connection:
        for batch in batches(chunk_ids):
            rows = connection.execute(select.where(passages.c.chunk_id.in_(batch)))
            found += (IndexedPassage(*row) for row in rows)
    return found


def _columns(state: IndexState) -> dict[str, str | int]:
    return {
        "table_name": state.table,
        "version": state.version,
        "seq": state.seq,
        "number": state.number,
    }
