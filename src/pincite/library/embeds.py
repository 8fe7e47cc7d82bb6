"""Embeds: a stored agent on somebody's page, under a key that everybody may see."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa

from pincite.core.errors import InputError, NotFoundError
from pincite.core.given import of_kind
from pincite.core.highlight import highlight_precision
from pincite.core.urls import safe_link
from pincite.library._fields import given_id, json_object, line, lines, text, when
from pincite.library.access_tables import agents, embeds
from pincite.library.collection import KEEP
from pincite.library.keys import HINT, Credential, check_pepper, digest_of, enter, forget

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pincite.library.collection import Keep
    from pincite.library.library import Library
    from pincite.library.tables import Row, Rows

EMBED_PREFIX: Final = "kve_"
"""How an embed's key begins; 32 characters follow."""

_KEY_BYTES = 24
# A scheme, and a host with its port: no user, path, query or fragment; linear, one class.
_ORIGIN = re.compile(r"https?://[^/?#@\\]+")
_DEFAULT_PORTS = (("https://", ":443"), ("http://", ":80"))


@dataclass(frozen=True, slots=True)
class Embed:
    """A place where an agent may be asked by visitors. `highlight` is None where it is the agent's.

    `allowed_origins` are origins as a browser sends them: scheme, host in ASCII, and the port that is not the
    scheme's own; whether a page may have the embed where none is named is for the server to say.
    """

    embed_id: str
    agent_id: str
    name: str
    hint: str
    allowed_origins: tuple[str, ...]
    greeting: str
    theme: dict[str, Any]
    highlight: str | None
    previews: bool
    created_at: datetime
    revoked_at: datetime | None = None


class Embeds:
    """The embeds of one tenant."""

    __slots__ = ("_library", "_pepper")

    def __init__(self, library: Library, pepper: bytes) -> None:
        self._library = library
        self._pepper = check_pepper(pepper)

    def create(
        self,
        agent_id: str,
        name: str,
        *,
        allowed_origins: Iterable[str] = (),
        greeting: str = "",
        theme: Mapping[str, Any] | None = None,
        highlight: str | None = None,
        previews: bool = True,
    ) -> tuple[Embed, str]:
        """Make an embed of an agent and return it with its key, which nobody can tell again.

        Raises:
            InputError: one of the settings is none that there is.
            LimitError: one of them is too long.
            NotFoundError: there is no such agent.
            StoreError: the library cannot be written.
        """
        values = self._checked(
            {
                "name": name,
                "allowed_origins": allowed_origins,
                "greeting": greeting,
                "theme": {} if theme is None else theme,
                "highlight": highlight,
                "previews": previews,
            }
        )
        agent_id = given_id(agent_id, "agent_id")
        embed_id, key = self._library.new_id(), _new_key()
        digest = digest_of(self._pepper, key)
        tenant = self._library.database.tenant
        row = {
            "tenant": tenant,
            "embed_id": embed_id,
            "agent_id": agent_id,
            "hint": key[-HINT:],
            "digest": digest,
            "created_at": self._library.now(),
        }
        with self._library.database.writing() as connection:
            agent = sa.select(sa.literal(1)).where(agents.c.tenant == tenant, agents.c.agent_id == agent_id)
            if connection.execute(agent).first() is None:
                msg = "There is no such agent."
                raise NotFoundError(msg, field="agent_id")
            connection.execute(sa.insert(embeds).values({**row, **values}))
            enter(connection, Credential("embed", tenant, embed_id), digest)
            return self._found(connection, embed_id), key

    def all(self, agent_id: str | None = None) -> list[Embed]:
        """Return every embed, or those of one agent, revoked ones too, the oldest first."""
        statement = self._select()
        if agent_id is not None:
            statement = statement.where(embeds.c.agent_id == given_id(agent_id, "agent_id"))
        with self._library.database.reading() as connection:
            rows = connection.execute(statement).all()
        return sorted((_embed(row) for row in rows), key=lambda one: (one.created_at, one.embed_id))

    def one(self, embed_id: str) -> Embed:
        """Return an embed, also a revoked one.

        Raises:
            NotFoundError: there is none.
        """
        with self._library.database.reading() as connection:
            return self._found(connection, embed_id)

    def standing(self, embed_id: str) -> Embed:
        """Return an embed that is not revoked.

        Raises:
            NotFoundError: there is none, or it is.
        """
        with self._library.database.reading() as connection:
            return self._standing(connection, embed_id)

    def change(
        self,
        embed_id: str,
        *,
        name: str | Keep = KEEP,
        allowed_origins: Iterable[str] | Keep = KEEP,
        greeting: str | Keep = KEEP,
        theme: Mapping[str, Any] | Keep = KEEP,
        highlight: str | Keep | None = KEEP,
        previews: bool | Keep = KEEP,
    ) -> Embed:
        """Set what is not `KEEP` and return the embed as it is then.

        Raises:
            InputError: one of the settings is none that there is.
            LimitError: one of them is too long.
            NotFoundError: there is no such embed, or it is revoked.
            StoreError: the library cannot be written.
        """
        values = self._checked(
            {
                "name": name,
                "allowed_origins": allowed_origins,
                "greeting": greeting,
                "theme": theme,
                "highlight": highlight,
                "previews": previews,
            }
        )
        with self._library.database.writing() as connection:
            self._standing(connection, embed_id)
            if values:
                connection.execute(sa.update(embeds).where(self._is(embed_id)).values(values))
            return self._found(connection, embed_id)

    def new_key(self, embed_id: str) -> tuple[Embed, str]:
        """Give an embed another key and return both; the old key ends with this call.

        Raises:
            NotFoundError: there is no such embed, or it is revoked.
            StoreError: the library cannot be written.
        """
        key = _new_key()
        digest = digest_of(self._pepper, key)
        with self._library.database.writing() as connection:
            found = self._standing(connection, embed_id)
            mine = self._is(embed_id)
            forget(connection, sa.select(embeds.c.digest).where(mine))
            connection.execute(sa.update(embeds).where(mine).values(digest=digest, hint=key[-HINT:]))
            enter(connection, Credential("embed", self._library.database.tenant, found.embed_id), digest)
            return self._found(connection, embed_id), key

    def revoke(self, embed_id: str) -> Embed:
        """End an embed: with this call nobody finds its key in the directory. Revoking again changes nothing.

        Raises:
            NotFoundError: there is none.
            StoreError: the library cannot be written.
        """
        with self._library.database.writing() as connection:
            self._found(connection, embed_id)
            end(connection, self._is(embed_id), self._library.now())
            return self._found(connection, embed_id)

    def _checked(self, given: dict[str, Any]) -> dict[str, Any]:
        """Return the columns of what is given, but for what stays as it is."""
        limits = self._library.limits
        values = {name: value for name, value in given.items() if value is not KEEP}
        if "name" in values:
            values["name"] = line(values["name"], "name")
        if "allowed_origins" in values:
            several = lines(values["allowed_origins"], "allowed_origins", limits.embed_origins)
            values["allowed_origins"] = list(dict.fromkeys(origin_of(one) for one in several))
        if "greeting" in values:
            values["greeting"] = text(values["greeting"], "greeting", limits.embed_greeting_code_points)
        if "theme" in values:
            values["theme"] = json_object(values["theme"], "theme", limits.embed_theme_bytes)
        if values.get("highlight") is not None:
            values["highlight"] = highlight_precision(values["highlight"]).value
        if "previews" in values:
            of_kind(values["previews"], bool, "previews", "true or false")
        return values

    def _standing(self, connection: sa.Connection, embed_id: str) -> Embed:
        found = self._found(connection, embed_id)
        if found.revoked_at is not None:
            raise _unknown_embed()
        return found

    def _found(self, connection: sa.Connection, embed_id: str) -> Embed:
        row = connection.execute(self._select().where(self._is(embed_id))).first()
        if row is None:
            raise _unknown_embed()
        return _embed(row)

    def _select(self) -> Rows:
        return sa.select(
            embeds.c.embed_id,
            embeds.c.agent_id,
            embeds.c.name,
            embeds.c.hint,
            embeds.c.allowed_origins,
            embeds.c.greeting,
            embeds.c.theme,
            embeds.c.highlight,
            embeds.c.previews,
            embeds.c.created_at,
            embeds.c.revoked_at,
        ).where(embeds.c.tenant == self._library.database.tenant)

    def _is(self, embed_id: str) -> sa.ColumnElement[bool]:
        return sa.and_(
            embeds.c.tenant == self._library.database.tenant,
            embeds.c.embed_id == given_id(embed_id, "embed_id"),
        )


def origin_of(address: str) -> str:
    """Return an origin as a browser sends it: in lower case and ASCII, without the port that is the scheme's own.

    Raises:
        InputError: it is none, or names more than an origin.
    """
    given = of_kind(address, str, "allowed_origins", "an origin")
    if given == "*":
        msg = "`*` would let every page use this embed; name the origins of its pages."
        raise InputError(msg, field="allowed_origins")
    lower = given.lower()
    origin = safe_link(lower) if _ORIGIN.fullmatch(lower) is not None else None
    if origin is None:
        msg = f"An origin is like `https://www.example.org` or `http://localhost:3000`, not {given[:60]!r}."
        raise InputError(msg, field="allowed_origins")
    for scheme, port in _DEFAULT_PORTS:
        if origin.startswith(scheme):
            origin = origin.removesuffix(port)
    return origin


def end(connection: sa.Connection, which: sa.ColumnElement[bool], now: str) -> None:
    """Revoke those embeds of `which` that are not revoked, in the caller's transaction."""
    live = sa.and_(which, embeds.c.revoked_at.is_(None))
    forget(connection, sa.select(embeds.c.digest).where(live))
    connection.execute(sa.update(embeds).where(live).values(revoked_at=now))


def _new_key() -> str:
    return EMBED_PREFIX + secrets.token_urlsafe(_KEY_BYTES)


def _unknown_embed() -> NotFoundError:
    return NotFoundError("There is no such embed.", field="embed_id")


def _embed(row: Row) -> Embed:
    return Embed(
        embed_id=row.embed_id,
        agent_id=row.agent_id,
        name=row.name,
        hint=row.hint,
        allowed_origins=tuple(row.allowed_origins),
        greeting=row.greeting,
        theme=row.theme,
        highlight=row.highlight,
        previews=row.previews,
        created_at=datetime.fromisoformat(row.created_at),
        revoked_at=when(row.revoked_at),
    )
