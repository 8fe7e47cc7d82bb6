"""Where the file of a document came from, so that a file of the same name from elsewhere is told from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from pincite.library.lookup import is_of
from pincite.library.tables import origins

if TYPE_CHECKING:
    from pincite.library.database import Database


class Origins:
    """The origins of one tenant's documents."""

    __slots__ = ("_database",)

    def __init__(self, database: Database) -> None:
        self._database = database

    def note(self, document_id: str, origin: str) -> bool:
        """Keep where a document came from now; say whether it had come from elsewhere before.

        Raises:
            StoreError: the library cannot be written.
        """
        where = is_of(origins, self._database.tenant, document_id)
        before = sa.select(origins.c.origin).where(where)
        with self._database.reading() as connection:
            if connection.scalar(before) == origin:
                return False
        with self._database.writing() as connection:
            known = connection.scalar(before)
            key = {"tenant": self._database.tenant, "document_id": document_id}
            if known is None:
                connection.execute(sa.insert(origins).values({**key, "origin": origin}))
            else:
                connection.execute(sa.update(origins).where(where).values(origin=origin))
        return known not in (None, origin)
