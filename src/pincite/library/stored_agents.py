"""Agents and workflows as they are stored: what they search, how they cite, and who answers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, Literal, cast

import sqlalchemy as sa

from pincite.core.errors import NotFoundError
from pincite.core.highlight import DEFAULT_PRECISION, highlight_precision
from pincite.library import embeds
from pincite.library._fields import given_id, json_object, line, lines, one_of, text
from pincite.library.access_tables import agents
from pincite.library.access_tables import embeds as embed_rows
from pincite.library.collection import KEEP
from pincite.library.database import batches
from pincite.library.tables import collections as collection_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pincite.library.collection import Keep
    from pincite.library.library import Library
    from pincite.library.tables import Row, Rows

AgentKind = Literal["agent", "workflow"]

AGENT_KINDS: Final[tuple[AgentKind, ...]] = ("agent", "workflow")
"""An agent decides itself what to search; a workflow is the fixed line retrieve, answer, check, repair."""

_FORMAT_CODE_POINTS = 64


@dataclass(frozen=True, slots=True)
class StoredAgent:
    """An agent or a workflow. `collections` are the ids of those that it may search, in the order given.

    `model` is None for the model of the platform, `citable_resources` None for every resource. `citation_processor` is
    a JSON object, kept as it is. Whether there is such a wire format is for the caller to check. One of the collections
    may have been deleted since.
    """

    agent_id: str
    kind: AgentKind
    name: str
    collections: tuple[str, ...]
    wire_format: str
    model: str | None
    highlight: str
    instructions: str
    citable_resources: tuple[str, ...] | None
    citation_processor: dict[str, Any]
    created_at: datetime
    changed_at: datetime


class StoredAgents:
    """The agents and workflows of one tenant."""

    __slots__ = ("_library",)

    def __init__(self, library: Library) -> None:
        self._library = library

    def create(  # noqa: PLR0913 - the settings, by keyword
        self,
        name: str,
        *,
        wire_format: str,
        kind: AgentKind = "agent",
        collections: Iterable[str] = (),
        model: str | None = None,
        highlight: str = DEFAULT_PRECISION,
        instructions: str = "",
        citable_resources: Iterable[str] | None = None,
        citation_processor: Mapping[str, Any] | None = None,
    ) -> StoredAgent:
        """Store an agent.

        Raises:
            InputError: one of the settings is none that there is.
            LimitError: one of them is too long.
            NotFoundError: there is no such collection.
            StoreError: the library cannot be written.
        """
        values = self._checked(
            {
                "kind": kind,
                "name": name,
                "collections": collections,
                "wire_format": wire_format,
                "model": model,
                "highlight": highlight,
                "instructions": instructions,
                "citable_resources": citable_resources,
                "citation_processor": {} if citation_processor is None else citation_processor,
            }
        )
        now = self._library.now()
        agent_id = self._library.new_id()
        row = {
            "tenant": self._library.database.tenant,
            "agent_id": agent_id,
            "created_at": now,
            "changed_at": now,
        }
        with self._library.database.writing() as connection:
            self._check_collections(connection, values["collections"])
            connection.execute(sa.insert(agents).values({**row, **values}))
            return self._found(connection, agent_id)

    def all(self) -> list[StoredAgent]:
        """Return every agent and workflow, the oldest first."""
        with self._library.database.reading() as connection:
            rows = connection.execute(self._select()).all()
        return sorted((_agent(row) for row in rows), key=lambda one: (one.created_at, one.agent_id))

    def one(self, agent_id: str) -> StoredAgent:
        """Return an agent.

        Raises:
            NotFoundError: there is none.
        """
        with self._library.database.reading() as connection:
            return self._found(connection, agent_id)

    def change(  # noqa: PLR0913 - the settings, by keyword
        self,
        agent_id: str,
        *,
        kind: AgentKind | Keep = KEEP,
        name: str | Keep = KEEP,
        collections: Iterable[str] | Keep = KEEP,
        wire_format: str | Keep = KEEP,
        model: str | Keep | None = KEEP,
        highlight: str | Keep = KEEP,
        instructions: str | Keep = KEEP,
        citable_resources: Iterable[str] | Keep | None = KEEP,
        citation_processor: Mapping[str, Any] | Keep = KEEP,
    ) -> StoredAgent:
        """Set what is not `KEEP` and return the agent as it is then.

        Raises:
            InputError: one of the settings is none that there is.
            LimitError: one of them is too long.
            NotFoundError: there is no such agent or collection.
            StoreError: the library cannot be written.
        """
        values = self._checked(
            {
                "kind": kind,
                "name": name,
                "collections": collections,
                "wire_format": wire_format,
                "model": model,
                "highlight": highlight,
                "instructions": instructions,
                "citable_resources": citable_resources,
                "citation_processor": citation_processor,
            }
        )
        with self._library.database.writing() as connection:
            self._found(connection, agent_id)
            if values:
                self._check_collections(connection, values.get("collections", []))
                values["changed_at"] = self._library.now()
                connection.execute(sa.update(agents).where(self._is(agent_id)).values(values))
            return self._found(connection, agent_id)

    def delete(self, agent_id: str) -> StoredAgent:
        """Remove an agent, its embeds revoked in the same transaction; return it as it was.

        Raises:
            NotFoundError: there is none.
            StoreError: the library cannot be written.
        """
        with self._library.database.writing() as connection:
            found = self._found(connection, agent_id)
            its = sa.and_(
                embed_rows.c.tenant == self._library.database.tenant,
                embed_rows.c.agent_id == found.agent_id,
            )
            embeds.end(connection, its, self._library.now())
            connection.execute(sa.delete(agents).where(self._is(agent_id)))
        return found

    def _checked(self, given: dict[str, Any]) -> dict[str, Any]:
        """Return the columns of what is given, but for what stays as it is."""
        limits = self._library.limits
        checks: dict[str, Callable[[Any], object]] = {
            "kind": lambda value: one_of(value, AGENT_KINDS, "kind"),
            "name": lambda value: line(value, "name"),
            "collections": lambda value: list(lines(value, "collections", limits.agent_collections)),
            "wire_format": lambda value: line(value, "wire_format", most=_FORMAT_CODE_POINTS),
            "model": lambda value: None if value is None else line(value, "model"),
            "highlight": lambda value: highlight_precision(value).value,
            "instructions": lambda value: text(value, "instructions", limits.agent_instructions_code_points),
            "citable_resources": lambda value: (
                None if value is None else list(lines(value, "citable_resources", limits.agent_resources))
            ),
            "citation_processor": lambda value: json_object(
                value, "citation_processor", limits.agent_processor_bytes
            ),
        }
        return {name: checks[name](value) for name, value in given.items() if value is not KEEP}

    def _check_collections(self, connection: sa.Connection, wanted: list[str]) -> None:
        mine = collection_rows.c.tenant == self._library.database.tenant
        for batch in batches(wanted):
            there = sa.select(sa.func.count()).where(
                mine, collection_rows.c.removed_at.is_(None), collection_rows.c.collection_id.in_(batch)
            )
            if connection.scalar(there) != len(batch):
                msg = "There is no such collection."
                raise NotFoundError(msg, field="collections")

    def _found(self, connection: sa.Connection, agent_id: str) -> StoredAgent:
        row = connection.execute(self._select().where(self._is(agent_id))).first()
        if row is None:
            msg = "There is no such agent."
            raise NotFoundError(msg, field="agent_id")
        return _agent(row)

    def _select(self) -> Rows:
        return sa.select(*(column for column in agents.c if column.name != "tenant")).where(
            agents.c.tenant == self._library.database.tenant
        )

    def _is(self, agent_id: str) -> sa.ColumnElement[bool]:
        return sa.and_(
            agents.c.tenant == self._library.database.tenant,
            agents.c.agent_id == given_id(agent_id, "agent_id"),
        )


def _agent(row: Row) -> StoredAgent:
    citable = row.citable_resources
    return StoredAgent(
        agent_id=row.agent_id,
        kind=cast("AgentKind", row.kind),
        name=row.name,
        collections=tuple(row.collections),
        wire_format=row.wire_format,
        model=row.model,
        highlight=row.highlight,
        instructions=row.instructions,
        citable_resources=None if citable is None else tuple(citable),
        citation_processor=row.citation_processor,
        created_at=datetime.fromisoformat(row.created_at),
        changed_at=datetime.fromisoformat(row.changed_at),
    )
