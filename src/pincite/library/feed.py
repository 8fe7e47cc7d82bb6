"""The feed: what became findable and what ceased to be, in order, for the indexes that follow it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast

import sqlalchemy as sa

from pincite.library.tables import changes, counters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.library.database import Database

Op = Literal["put", "drop"]

# Built once: building costs more than running it.
_COUNTERS = sa.select(counters.c.name, counters.c.value).where(
    counters.c.tenant == sa.bindparam("tenant"),
    sa.or_(counters.c.name == "seq", counters.c.name == sa.bindparam("name")),
)


@dataclass(frozen=True, slots=True)
class Change:
    """Change number `seq` (1 is the first): a passage is to be found (`put`) or not any more (`drop`)."""

    seq: int
    collection_id: str
    chunk_id: str
    document_id: str
    op: Op


class Feed:
    """The changes of one tenant, append-only, numbered in the order in which they were committed."""

    __slots__ = ("_database",)

    def __init__(self, database: Database) -> None:
        self._database = database

    def append(
        self,
        connection: sa.Connection,
        *,
        collection_id: str,
        document_id: str,
        drops: Sequence[str],
        puts: Sequence[str],
    ) -> int:
        """Enter changes of one document inside a writing transaction; return the number of the first put."""
        after = self.head_in(connection)
        if not drops and not puts:
            return after + 1
        entries = [*(("drop", chunk_id) for chunk_id in drops), *(("put", chunk_id) for chunk_id in puts)]
        rows = [
            {
                "tenant": self._database.tenant,
                "seq": seq,
                "collection_id": collection_id,
                "document_id": document_id,
                "chunk_id": chunk_id,
                "op": op,
            }
            for seq, (op, chunk_id) in enumerate(entries, start=after + 1)
        ]
        connection.execute(sa.insert(changes), rows)
        connection.execute(
            sa.update(counters)
            .where(counters.c.tenant == self._database.tenant, counters.c.name == "seq")
            .values(value=after + len(rows))
        )
        return after + len(drops) + 1

    def head(self) -> int:
        """Return the number of the latest change, 0 before the first."""
        with self._database.reading() as connection:
            return self.head_in(connection)

    def head_with(self, name: str) -> tuple[int, int]:
        """Return the number of the latest change and the value of the counter `name`, in one look."""
        with self._database.reading() as connection:
            values = {"tenant": self._database.tenant, "name": name}
            found: dict[str, int] = {row.name: row.value for row in connection.execute(_COUNTERS, values)}
        return found.get("seq", 0), found.get(name, 0)

    def head_in(self, connection: sa.Connection) -> int:
        """Return the number of the latest change as `connection` sees it."""
        found = connection.scalar(
            sa.select(counters.c.value).where(
                counters.c.tenant == self._database.tenant, counters.c.name == "seq"
            )
        )
        return found or 0

    def after(self, seq: int, limit: int) -> list[Change]:
        """Return the first `limit` changes after number `seq`, in order."""
        with self._database.reading() as connection:
            rows = connection.execute(
                sa.select(
                    changes.c.seq,
                    changes.c.collection_id,
                    changes.c.chunk_id,
                    changes.c.document_id,
                    changes.c.op,
                )
                .where(changes.c.tenant == self._database.tenant, changes.c.seq > seq)
                .order_by(changes.c.seq)
                .limit(limit)
            ).all()
        return [
            Change(number, collection_id, chunk_id, document_id, cast("Op", op))
            for number, collection_id, chunk_id, document_id, op in rows
        ]
