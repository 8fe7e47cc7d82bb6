"""The log of what was read: who opened which document or passage, kept for a time."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import sqlalchemy as sa

from pincite.core.errors import InputError, LimitError
from pincite.core.given import of_kind, refuse
from pincite.core.ids import check_uuid
from pincite.core.text import normalise, one_line
from pincite.library._fields import line
from pincite.library.access_tables import audit
from pincite.library.database import take_numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.library.library import Library
    from pincite.library.tables import Row, Rows

# A kind and an id or a digest. A key itself has an underscore, so it cannot be written here; linear, two runs.
_WHO = re.compile(r"(?:key|visitor):[0-9A-Za-z-]{1,64}")
_ACTION_CODE_POINTS = 64
_REQUEST_CODE_POINTS = 128
# What a database takes for a whole number.
_MOST: Final = 2**63 - 1
_COUNTER: Final = "audit"
_COLUMNS = [column for column in audit.c if column.name != "tenant"]


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """Entry `number` (1 is the first): who did what with which document or passage, and in which request."""

    number: int
    at: datetime
    who: str
    action: str
    document_id: str | None = None
    chunk_id: str | None = None
    request_id: str | None = None


class Audit:
    """The log of one tenant: ids and times, and nothing of what was read."""

    __slots__ = ("_library",)

    def __init__(self, library: Library) -> None:
        self._library = library

    def write(
        self,
        who: str,
        action: str,
        *,
        document_id: str | None = None,
        chunk_id: str | None = None,
        request_id: str | None = None,
    ) -> AuditEntry:
        """Enter that `who` (`key:<id>` or `visitor:<digest>`) did `action`; return the entry.

        A request's id is the client's, so it is cut to 128 visible characters.

        Raises:
            InputError: `who` or `action` is none, or an id is no UUID.
            StoreError: the library cannot be written.
        """
        entry = self.entry(who, action, document_id=document_id, chunk_id=chunk_id, request_id=request_id)
        return self.enter([entry])[0]

    def entry(
        self,
        who: str,
        action: str,
        *,
        document_id: str | None = None,
        chunk_id: str | None = None,
        request_id: str | None = None,
    ) -> AuditEntry:
        """Return what `write` would enter, with the time of now and without a number (0), for `enter`.

        Raises:
            InputError: `who` or `action` is none, or an id is no UUID.
        """
        if _WHO.fullmatch(of_kind(who, str, "who", "a text")) is None:
            msg = "Who read is named as `key:<id>` or `visitor:<digest>`."
            raise InputError(msg, field="who")
        return AuditEntry(
            0,
            self._library.clock().astimezone(UTC),
            who,
            line(action, "action", most=_ACTION_CODE_POINTS),
            _uuid(document_id, "document_id"),
            _uuid(chunk_id, "chunk_id"),
            _cut(request_id),
        )

    def enter(self, entries: Sequence[AuditEntry]) -> list[AuditEntry]:
        """Enter what `entry` returned, in one transaction; return the entries with their numbers.

        Raises:
            StoreError: the library cannot be written; none is entered.
        """
        if not entries:
            return []
        tenant = self._library.database.tenant
        with self._library.database.writing() as connection:
            first = take_numbers(connection, tenant, _COUNTER, len(entries))
            entered = [replace(one, number=first + i) for i, one in enumerate(entries)]
            rows = [{**asdict(one), "tenant": tenant, "at": one.at.timestamp()} for one in entered]
            connection.execute(sa.insert(audit), rows)
        return entered

    def read(self, *, before: int | None = None, limit: int | None = None) -> list[AuditEntry]:
        """Return at most `limit` entries that are still kept, newest first, of those under number `before`.

        Without `limit` it is as many as the limit `audit_rows` lets anyone have.

        Raises:
            InputError: `limit` is no number from 1.
            LimitError: `limit` is over the limit `audit_rows`.
        """
        most = self._library.limits.audit_rows
        limit = most if limit is None else _whole(limit, "limit")
        if limit < 1:
            msg = "`limit` is 1 or more."
            raise InputError(msg, field="limit")
        if limit > most:
            msg = f"`limit` is at most {most:,}, not {limit:,}."
            raise LimitError(msg, field="limit")
        statement: Rows = sa.select(*_COLUMNS).where(audit.c.tenant == self._library.database.tenant)
        if before is not None:
            statement = statement.where(audit.c.number < _whole(before, "before"))
        with self._library.database.reading() as connection:
            rows = connection.execute(statement.order_by(audit.c.number.desc()).limit(limit)).all()
        # The database is asked for a page alone, not for what is recent, or it might sort all of that for each page.
        oldest = self._oldest()
        return [_entry(row) for row in rows if row.at >= oldest]

    def sweep(self) -> int:
        """Remove the entries that are older than `audit_seconds`; return how many that were.

        Raises:
            StoreError: the library cannot be written.
        """
        ours = audit.c.tenant == self._library.database.tenant
        with self._library.database.writing() as connection:
            return connection.execute(sa.delete(audit).where(ours, audit.c.at < self._oldest())).rowcount

    def _oldest(self) -> float:
        return self._library.clock().timestamp() - self._library.limits.audit_seconds


def _entry(row: Row) -> AuditEntry:
    at = datetime.fromtimestamp(row.at, UTC)
    ids = (row.document_id, row.chunk_id, row.request_id)
    return AuditEntry(row.number, at, row.who, row.action, *ids)


def _uuid(value: str | None, field: str) -> str | None:
    return None if value is None else check_uuid(of_kind(value, str, field, "an id"), field)


def _cut(value: str | None) -> str | None:
    if value is None:
        return None
    return one_line(normalise(of_kind(value, str, "request_id", "a text")), _REQUEST_CODE_POINTS) or None


def _whole(value: object, field: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        refuse(value, field, "a whole number")
    return min(value, _MOST)
