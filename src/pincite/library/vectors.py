"""Vectors: one a passage and embedder, numbered as they came, so that an index takes in the new ones only."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Final

import sqlalchemy as sa

from pincite.library.database import batches, take_numbers
from pincite.library.tables import documents, passages, same_key, vectors

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pincite.library.database import Database
    from pincite.library.feed import Feed
    from pincite.library.tables import Rows

PAGE: Final = 4_000
"""Vectors read in one statement."""


class Vectors:
    """The vectors of one tenant."""

    __slots__ = ("_database", "_done", "_feed", "_lock")

    def __init__(self, database: Database, feed: Feed) -> None:
        self._database = database
        self._feed = feed
        self._lock = Lock()
        # Up to which change nothing of an embedder is pending: what comes later has a higher number.
        self._done: dict[str, int] = {}

    def pending(self, embedder: str, limit: int) -> list[tuple[str, str]]:
        """Return (chunk_id, text) of at most `limit` current passages without a vector, oldest first."""
        after = self._done.get(embedder, 0)
        select = sa.select(passages.c.chunk_id, passages.c.text, passages.c.put_seq)
        statement = self._pending(select, embedder, after).order_by(passages.c.put_seq).limit(limit)
        with self._database.reading() as connection:
            rows = connection.execute(statement).all()
            done = rows[0].put_seq - 1 if rows else self._feed.head_in(connection)
        if limit > 0:
            with self._lock:
                self._done[embedder] = max(done, self._done.get(embedder, 0))
        return [(row.chunk_id, row.text) for row in rows]

    def pending_count(self, embedder: str) -> int:
        """Return how many current passages have no vector yet."""
        count = sa.select(sa.func.count()).select_from(passages)
        statement = self._pending(count, embedder, self._done.get(embedder, 0))
        with self._database.reading() as connection:
            return connection.scalar(statement) or 0

    def store(self, embedder: str, pairs: Sequence[tuple[str, bytes]]) -> int:
        """Keep vectors of passages that are stored and have none yet; return how many that were."""
        given = dict(pairs)
        tenant = self._database.tenant
        with self._database.writing() as connection:
            wanted: list[str] = []
            for batch in batches(given):
                stored = sa.select(passages.c.chunk_id).where(
                    passages.c.tenant == tenant, passages.c.chunk_id.in_(batch)
                )
                kept = sa.select(vectors.c.chunk_id).where(
                    vectors.c.tenant == tenant,
                    vectors.c.embedder == embedder,
                    vectors.c.chunk_id.in_(batch),
                )
                there = set(connection.scalars(stored)) - set(connection.scalars(kept))
                wanted += (chunk_id for chunk_id in batch if chunk_id in there)
            if wanted:
                first = take_numbers(connection, tenant, vector_counter(embedder), len(wanted))
                connection.execute(
                    sa.insert(vectors),
                    [
                        {
                            "tenant": tenant,
                            "embedder": embedder,
                            "chunk_id": chunk_id,
                            "number": number,
                            "vector": given[chunk_id],
                        }
                        for number, chunk_id in enumerate(wanted, start=first)
                    ],
                )
        return len(wanted)

    def after(self, embedder: str, number: int) -> Iterator[tuple[int, str, str, bytes]]:
        """Yield (number, chunk_id, collection_id, vector) of every vector after `number`, in order.

        Passages that are not current at the moment are among them: they may be again.
        """
        while True:
            with self._database.reading() as connection:
                rows = connection.execute(self._page(embedder, number)).all()
            for row in rows:
                number = row.number
                yield row.number, row.chunk_id, row.collection_id, row.vector
            if len(rows) < PAGE:
                return

    def of(self, embedder: str, chunk_ids: Sequence[str]) -> dict[str, bytes]:
        """Return the vectors of those of `chunk_ids` that have one."""
        found: dict[str, bytes] = {}
        with self._database.reading() as connection:
            for batch in batches(chunk_ids):
                statement = sa.select(vectors.c.chunk_id, vectors.c.vector).where(
                    vectors.c.tenant == self._database.tenant,
                    vectors.c.embedder == embedder,
                    vectors.c.chunk_id.in_(batch),
                )
                found.update((key, vector) for key, vector in connection.execute(statement))
        return found

    def _pending(self, select: Rows, embedder: str, after: int) -> Rows:
        embedded = sa.exists().where(
            vectors.c.tenant == passages.c.tenant,
            vectors.c.embedder == embedder,
            vectors.c.chunk_id == passages.c.chunk_id,
        )
        return select.where(passages.c.tenant == self._database.tenant, passages.c.put_seq > after, ~embedded)

    def _page(self, embedder: str, number: int) -> Rows:
        return (
            sa.select(vectors.c.number, vectors.c.chunk_id, documents.c.collection_id, vectors.c.vector)
            .join_from(
                vectors,
                passages,
                same_key(passages, vectors, "chunk_id"),
            )
            .join(
                documents,
                same_key(documents, passages, "document_id"),
            )
            .where(
                vectors.c.tenant == self._database.tenant,
                vectors.c.embedder == embedder,
                vectors.c.number > number,
            )
            .order_by(vectors.c.number)
            .limit(PAGE)
        )


def vector_counter(embedder: str) -> str:
    """Return the name of the counter that numbers the vectors of `embedder`."""
    return f"vectors {embedder}"
