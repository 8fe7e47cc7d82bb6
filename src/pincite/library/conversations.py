"""Conversations: the exported state of each, so that old citations still resolve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from pincite.core.errors import InputError
from pincite.core.text import normalise
from pincite.library.tables import conversations

if TYPE_CHECKING:
    from collections.abc import Callable

    from pincite.library.database import Database

_ID_CODE_POINTS = 255


class Conversations:
    """The conversations of one tenant."""

    __slots__ = ("_database", "_now")

    def __init__(self, database: Database, now: Callable[[], str]) -> None:
        self._database = database
        self._now = now

    def load(self, conversation_id: str) -> dict[str, Any] | None:
        """Return the state that was saved last, or None."""
        with self._database.reading() as connection:
            return connection.scalar(sa.select(conversations.c.state).where(self._is(conversation_id)))

    def save(self, conversation_id: str, state: dict[str, Any]) -> None:
        """Keep `state`, which JSON can hold, in place of what was kept before.

        Raises:
            InputError: the id is empty or longer than 255 code points.
        """
        name = normalise(conversation_id)
        if not 0 < len(name) <= _ID_CODE_POINTS:
            msg = f"A conversation's id has 1 to {_ID_CODE_POINTS} code points."
            raise InputError(msg, field="conversation_id")
        values = {"state": state, "saved_at": self._now()}
        with self._database.writing() as connection:
            updated = connection.execute(sa.update(conversations).where(self._is(name)).values(values))
            if updated.rowcount == 0:
                key = {"tenant": self._database.tenant, "conversation_id": name}
                connection.execute(sa.insert(conversations).values({**key, **values}))

    def _is(self, conversation_id: str) -> sa.ColumnElement[bool]:
        return sa.and_(
            conversations.c.tenant == self._database.tenant,
            conversations.c.conversation_id == normalise(conversation_id),
        )
