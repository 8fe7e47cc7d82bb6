"""Tenants: who shares one library's database and sees nothing of the others."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import sqlalchemy as sa

from pincite.core.errors import ConflictError, InputError
from pincite.core.given import of_kind
from pincite.core.text import normalise, one_line
from pincite.library.access_tables import tenants

if TYPE_CHECKING:
    from collections.abc import Callable

    from pincite.library.database import Database
    from pincite.library.tables import Rows

# A tenant's name, which is also a folder's: lower case, because some file systems know no other; linear.
_TENANT = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_TITLE_CODE_POINTS = 200


@dataclass(frozen=True, slots=True)
class Tenant:
    """A tenant under its name, which leads every key, with a title for people."""

    tenant: str
    title: str
    added_at: datetime


class Tenants:
    """The tenants of one database: those that were made here, whoever else has a library in it."""

    __slots__ = ("_clock", "_database")

    def __init__(self, database: Database, clock: Callable[[], datetime] | None = None) -> None:
        """`database` is any tenant's view; `clock` tells the time in UTC."""
        self._database = database
        self._clock = _now if clock is None else clock

    def create(self, tenant: str, title: str = "") -> Tenant:
        """Enter a tenant and make the database ready for it.

        Raises:
            InputError: the name is none that a tenant may have, or the title is too long or not one line.
            ConflictError: it is there already.
            StoreError: the database cannot be written.
        """
        check_tenant(tenant)
        title = normalise(of_kind(title, str, "title", "a text")).strip()
        if one_line(title, _TITLE_CODE_POINTS) != title:
            msg = f"A tenant's title is one line of at most {_TITLE_CODE_POINTS} visible characters."
            raise InputError(msg, field="title")
        made = Tenant(tenant, title, self._clock().astimezone(UTC))
        # The new tenant's own lock: two that make it at once are one after the other.
        own = self._database.of_tenant(tenant)
        with own.writing() as connection:
            if connection.execute(_named(tenant)).first() is not None:
                msg = f"There is a tenant named {tenant!r} already."
                raise ConflictError(msg, field="tenant")
            row = {"tenant": tenant, "title": title, "added_at": made.added_at.isoformat()}
            connection.execute(sa.insert(tenants).values(row))
        return made

    def all(self) -> list[Tenant]:
        """Return every tenant, by name."""
        columns = (tenants.c.tenant, tenants.c.title, tenants.c.added_at)
        with self._database.reading() as connection:
            rows = connection.execute(sa.select(*columns)).all()
        found = [Tenant(row.tenant, row.title, datetime.fromisoformat(row.added_at)) for row in rows]
        return sorted(found, key=lambda one: one.tenant)

    def exists(self, tenant: str) -> bool:
        """Say whether there is a tenant of that name."""
        if not is_tenant(tenant):
            return False
        with self._database.reading() as connection:
            return connection.execute(_named(tenant)).first() is not None


def is_tenant(name: str) -> bool:
    """Say whether a tenant may have that name."""
    return _TENANT.fullmatch(of_kind(name, str, "tenant", "a name")) is not None


def check_tenant(name: str) -> str:
    """Return `name` when a tenant may have it.

    Raises:
        InputError: it is not a name of 1 to 64 of `a-z 0-9 . _ -`, a letter or digit first.
    """
    if not is_tenant(name):
        msg = "A tenant's name has 1 to 64 characters of a-z, 0-9, `.`, `_` and `-`, a letter or digit first."
        raise InputError(msg, field="tenant")
    return name


def _named(tenant: str) -> Rows:
    return sa.select(sa.literal(1)).where(tenants.c.tenant == tenant)


def _now() -> datetime:
    return datetime.now(UTC)
