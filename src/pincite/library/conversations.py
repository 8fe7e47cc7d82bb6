"""Conversations: the exported state of each, so that old citations still resolve, and the messages of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

import sqlalchemy as sa

from pincite.core.errors import InputError, NotFoundError
from pincite.core.text import normalise, one_line
from pincite.library.tables import conversations, same_key
from pincite.library.work_tables import message_documents, messages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pincite.library.database import Database
    from pincite.library.tables import Rows

_ID_CODE_POINTS = 255
_TITLE_CODE_POINTS = 200
_ROLES = ("user", "assistant", "system", "tool")


@dataclass(frozen=True, slots=True)
class Conversation:
    """What a list of conversations says of one; times are ISO 8601 in UTC."""

    conversation_id: str
    owner: str | None
    agent_id: str | None
    title: str | None
    changed_at: str


@dataclass(frozen=True, slots=True)
class Message:
    """Message `number` (1 is the first) of a conversation; `at` is ISO 8601 in UTC."""

    number: int
    role: str
    body: dict[str, Any]
    at: str


_CHANGED: Final[sa.ColumnElement[str]] = sa.func.coalesce(
    conversations.c.changed_at, conversations.c.saved_at
)
_COLUMNS = (
    conversations.c.conversation_id,
    conversations.c.owner,
    conversations.c.agent_id,
    conversations.c.title,
    _CHANGED.label("changed_at"),
)
_MESSAGE = (messages.c.number, messages.c.role, messages.c.body, messages.c.at)


class Conversations:
    """The conversations of one tenant."""

    __slots__ = ("_database", "_now")

    def __init__(self, database: Database, now: Callable[[], str]) -> None:
        self._database = database
        self._now = now

    # -- states ----------------------------------------------------------------------------------

    def load(self, conversation_id: str) -> dict[str, Any] | None:
        """Return the state that was saved last, or None."""
        with self._database.reading() as connection:
            return connection.scalar(sa.select(conversations.c.state).where(self._is(conversation_id)))

    def save(self, conversation_id: str, state: dict[str, Any]) -> None:
        """Keep `state`, which JSON can hold, in place of what was kept before.

        Raises:
            InputError: the id is empty or longer than 255 code points.
        """
        self.update(conversation_id, lambda _: state)

    def update(
        self,
        conversation_id: str,
        change: Callable[[dict[str, Any] | None], dict[str, Any]],
        *,
        owner: str | None = None,
        agent_id: str | None = None,
        title: str | None = None,
    ) -> dict[str, Any]:
        """Keep what `change` makes of the state (None where there is none yet) and return it.

        No other change of the tenant comes between; `change` must be quick, and what it raises changes nothing. An
        `owner` finds the conversations of that owner alone, and owns the new one; `agent_id` is set where it is given,
        and `title` where the conversation has none yet.

        Raises:
            InputError: the id is empty or longer than 255 code points.
            NotFoundError: the conversation is another owner's.
        """
        name = _checked_id(conversation_id)
        given = {
            "agent_id": agent_id,
            "title": None if title is None else one_line(title, _TITLE_CODE_POINTS),
        }
        with self._database.writing() as connection:
            columns = (conversations.c.state, conversations.c.owner, conversations.c.title)
            select = sa.select(*columns).where(self._is(name))
            found = connection.execute(select).first()
            if found is not None and owner is not None and found.owner != owner:
                raise _unknown()
            if found is not None and found.title is not None:
                given["title"] = None
            state = change(None if found is None else found.state)
            now = self._now()
            values: dict[str, Any] = {"state": state, "saved_at": now, "changed_at": now}
            values |= {key: value for key, value in given.items() if value is not None}
            if found is None:
                key = {"tenant": self._database.tenant, "conversation_id": name, "owner": owner}
                connection.execute(sa.insert(conversations).values({**key, **values}))
            else:
                connection.execute(sa.update(conversations).where(self._is(name)).values(values))
        return state

    def one(self, conversation_id: str) -> Conversation:
        """Return what is known of a conversation.

        Raises:
            NotFoundError: there is none of that id.
        """
        with self._database.reading() as connection:
            row = connection.execute(sa.select(*_COLUMNS).where(self._is(conversation_id))).first()
        if row is None:
            raise _unknown()
        return Conversation(*row)

    def owner_of(self, conversation_id: str) -> str | None:
        """Return whose a conversation is, None where it is nobody's but the tenant's.

        Raises:
            NotFoundError: there is none of that id.
        """
        return self.one(conversation_id).owner

    def all(
        self,
        *,
        owner: str | None = None,
        agent_id: str | None = None,
        limit: int,
        before: str | None = None,
    ) -> list[Conversation]:
        """Return at most `limit` conversations, the one that changed last first, those after `before` in that order.

        Raises:
            NotFoundError: there is no conversation `before`.
        """
        statement = sa.select(*_COLUMNS).where(conversations.c.tenant == self._database.tenant)
        if owner is not None:
            statement = statement.where(conversations.c.owner == owner)
        if agent_id is not None:
            statement = statement.where(conversations.c.agent_id == agent_id)
        if before is not None:
            last, changed = self.one(before), _CHANGED
            same = sa.and_(changed == last.changed_at, conversations.c.conversation_id < last.conversation_id)
            statement = statement.where(sa.or_(changed < last.changed_at, same))
        ordered = statement.order_by(_CHANGED.desc(), conversations.c.conversation_id.desc()).limit(limit)
        with self._database.reading() as connection:
            return [Conversation(*row) for row in connection.execute(ordered)]

    def delete(self, conversation_id: str) -> None:
        """Remove a conversation with its messages.

        Raises:
            NotFoundError: there is none of that id.
        """
        with self._database.writing() as connection:
            removed = connection.execute(sa.delete(conversations).where(self._is(conversation_id)))
            if removed.rowcount == 0:
                raise _unknown()

    # -- messages --------------------------------------------------------------------------------

    def add_message(
        self, conversation_id: str, role: str, body: dict[str, Any], document_ids: Iterable[str] = ()
    ) -> int:
        """Add a message that holds excerpts of `document_ids`; return its number.

        Raises:
            InputError: there is no such role.
            NotFoundError: there is no such conversation.
        """
        if role not in _ROLES:
            msg = f"A message is of {', '.join(_ROLES[:-1])} or {_ROLES[-1]}."
            raise InputError(msg, field="role")
        now = self._now()
        with self._database.writing() as connection:
            values = {"saved_at": now, "changed_at": now}
            mine = self._is(conversation_id)
            if connection.execute(sa.update(conversations).where(mine).values(values)).rowcount == 0:
                raise _unknown()
            key: dict[str, Any] = {
                "tenant": self._database.tenant,
                "conversation_id": normalise(conversation_id),
            }
            last = sa.select(sa.func.max(messages.c.number)).where(self._of(conversation_id))
            key["number"] = (connection.scalar(last) or 0) + 1
            row = {**key, "role": role, "body": body, "at": now}
            connection.execute(sa.insert(messages).values(row))
            cited = [{**key, "document_id": one} for one in dict.fromkeys(document_ids)]
            if cited:
                connection.execute(sa.insert(message_documents), cited)
        return key["number"]

    def messages(self, conversation_id: str) -> list[Message]:
        """Return the messages of a conversation in order; none where there is no such conversation."""
        statement = sa.select(*_MESSAGE).where(self._of(conversation_id)).order_by(messages.c.number)
        with self._database.reading() as connection:
            return [Message(*row) for row in connection.execute(statement)]

    def messages_citing(self, document_id: str) -> list[tuple[str, Message]]:
        """Return the messages that hold excerpts of a document, each with the id of its conversation."""
        with self._database.reading() as connection:
            return [(row[0], Message(*row[1:])) for row in connection.execute(self._citing(document_id))]

    # -- erasure ---------------------------------------------------------------------------------

    def redact(self, document_id: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> int:
        """Put what `change` makes of it in place of every message that holds excerpts of a document.

        The states of conversations lose the hits of it. Return how many messages and states that were. It may be done
        again: a message stays one that cites the document.
        """
        count = 0
        with self._database.writing() as connection:
            for conversation_id, number, _role, body, _at in connection.execute(
                self._citing(document_id)
            ).all():
                changed = change(body)
                if changed != body:
                    this = sa.and_(self._of(conversation_id), messages.c.number == number)
                    connection.execute(sa.update(messages).where(this).values(body=changed))
                    count += 1
            return count + self._redact_states(connection, document_id)

    def _redact_states(self, connection: sa.Connection, document_id: str) -> int:
        # The state is text in every database, and an id has no character that JSON writes in another way.
        names_it = sa.cast(conversations.c.state, sa.Text).contains(document_id, autoescape=True)
        ours = conversations.c.tenant == self._database.tenant
        select = sa.select(conversations.c.conversation_id, conversations.c.state)
        count = 0
        for conversation_id, state in connection.execute(select.where(ours, names_it)).all():
            changed = without_hits(state, document_id)
            if changed != state:
                update = sa.update(conversations).where(self._is(conversation_id))
                connection.execute(update.values(state=changed))
                count += 1
        return count

    def _citing(self, document_id: str) -> Rows:
        return (
            sa.select(messages.c.conversation_id, *_MESSAGE)
            .join_from(
                message_documents,
                messages,
                same_key(messages, message_documents, "conversation_id", "number"),
            )
            .where(
                message_documents.c.tenant == self._database.tenant,
                message_documents.c.document_id == normalise(document_id),
            )
            .order_by(messages.c.conversation_id, messages.c.number)
        )

    def _is(self, conversation_id: str) -> sa.ColumnElement[bool]:
        return sa.and_(
            conversations.c.tenant == self._database.tenant,
            conversations.c.conversation_id == normalise(conversation_id),
        )

    def _of(self, conversation_id: str) -> sa.ColumnElement[bool]:
        return sa.and_(
            messages.c.tenant == self._database.tenant,
            messages.c.conversation_id == normalise(conversation_id),
        )


def without_hits(state: dict[str, Any], document_id: str) -> dict[str, Any]:
    """Return the exported state of a conversation without the hits of a document, as if they had not been registered.

    Their refs and numbers stay taken, so that a later passage is not called by one.
    """
    hits, names = state.get("hits"), ("aliases", "numbered")
    if not isinstance(hits, list):
        return state
    # A hit says whose it is in several forms; in all of them the id stands as it is.
    held = cast("list[dict[str, Any]]", [hit for hit in cast("list[Any]", hits) if isinstance(hit, dict)])
    gone = [hit for hit in held if document_id in json.dumps(hit)]
    keys = {hit.get("citation_key") for hit in gone}
    kept: dict[str, Any] = {
        name: {one: key for one, key in state[name].items() if key not in keys}
        for name in names
        if isinstance(state.get(name), dict)
    }
    return {**state, **kept, "hits": [hit for hit in held if hit not in gone]}


def _checked_id(conversation_id: str) -> str:
    name = normalise(conversation_id)
    if not 0 < len(name) <= _ID_CODE_POINTS:
        msg = f"A conversation's id has 1 to {_ID_CODE_POINTS} code points."
        raise InputError(msg, field="conversation_id")
    return name


def _unknown() -> NotFoundError:
    return NotFoundError("There is no such conversation.", field="conversation_id")
