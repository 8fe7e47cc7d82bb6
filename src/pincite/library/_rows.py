"""Rows as lines: one canonical JSON array a row, in the order of the keys, the same on every database.

What is counted and hashed of a table in one database is what is counted and hashed of it in another.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa

from pincite.core.errors import InputError
from pincite.library.index_tables import indexes
from pincite.library.tables import METADATA, meta
from pincite.library.tenants import check_tenant
from pincite.library.work_tables import held_files  # lays the last of the tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pincite.library.tables import Row

TABLES: Final = tuple(table for table in METADATA.sorted_tables if table not in (meta, indexes))
"""Every table but the one about the schema and that about indexes, which are derived; pointed at before pointing."""
NAMING_FILES: Final = (METADATA.tables["versions"], held_files)
"""The tables whose `file_hash` names a stored file."""

# Rows and bytes that are held at a time.
_ROWS: Final = 500
_BYTES: Final = 8 * 1024 * 1024
# Both are also names of folders and files: linear, one class each.
_FILE_HASH: Final = re.compile(r"[0-9a-f]{64}")
_WHOLE: Final = 2**63


@dataclass(frozen=True, slots=True)
class TableSum:
    """How many rows a table has, and SHA-256 in hex over their lines."""

    rows: int
    sha256: str


class Summing:
    """Adds lines up to a `TableSum`."""

    __slots__ = ("_hash", "rows")

    def __init__(self) -> None:
        self.rows = 0
        self._hash = hashlib.sha256()

    def add(self, line: bytes) -> None:
        """Take the next line, its end included."""
        self.rows += 1
        self._hash.update(line)

    def sum(self) -> TableSum:
        """Return the sum of what was added."""
        return TableSum(self.rows, self._hash.hexdigest())


def line_of(row: Row | Sequence[Any]) -> bytes:
    """Return a row as its line."""
    values = [base64.b64encode(one).decode() if isinstance(one, bytes) else one for one in row]
    return json.dumps(values, separators=(",", ":")).encode("ascii") + b"\n"


def values_of(line: bytes, columns: Sequence[sa.Column[Any]]) -> dict[str, Any]:
    """Read a line back: the values by the names of `columns`, each of its column's type.

    Raises:
        InputError: it is no row of these columns; the sentence names the table.
    """
    table = columns[0].table
    try:
        # Another number of values is a ValueError, and what is no list a TypeError.
        return {
            column.name: _value(column, value)
            for column, value in zip(columns, iter(json.loads(line)), strict=True)
        }
    except (ValueError, TypeError, RecursionError, binascii.Error) as error:
        msg = f"The dump is damaged: a row of its table `{table}` cannot be read."
        raise InputError(msg, field="file") from error


def _value(column: sa.Column[Any], value: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
    kind = column.type
    if isinstance(kind, sa.JSON):
        if value is None and column.nullable is False:
            return sa.JSON.NULL
        return value
    if value is None and column.nullable:
        return None
    if isinstance(kind, sa.LargeBinary) and isinstance(value, str):
        return base64.b64decode(value, validate=True)
    wanted: type | tuple[type, ...] = _KINDS.get(type(kind), str)
    if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
        msg = "another type"
        raise TypeError(msg)
    if isinstance(value, int) and not -_WHOLE <= value < _WHOLE:
        msg = "too large a number"
        raise ValueError(msg)
    if column.name == "tenant":
        check_tenant(str(value))
    elif column.name == "file_hash" and _FILE_HASH.fullmatch(str(value)) is None:
        msg = "no name of a file"
        raise ValueError(msg)
    return value


_KINDS: Final[dict[type, type | tuple[type, ...]]] = {
    sa.Boolean: bool,
    sa.Integer: int,
    sa.BigInteger: int,
    sa.Float: (int, float),
}


def rows_of(
    connection: sa.Connection,
    table: sa.Table,
    *,
    columns: Sequence[sa.Column[Any]] | None = None,
    after: Row | None = None,
) -> Iterator[Row]:
    """Yield the rows of a table in the order of its key, those behind the key `after` when it is given."""
    key = list(table.primary_key.columns)
    statement = sa.select(*(table.columns if columns is None else columns)).order_by(*key)
    if after is not None:
        given = [sa.literal(value, column.type) for column, value in zip(key, after, strict=True)]
        statement = statement.where(sa.tuple_(*key) > sa.tuple_(*given))
    # Of this statement alone: set on the connection, it would hold for what is written on it too.
    yield from connection.execute(statement, execution_options={"yield_per": _ROWS})


def last_key(connection: sa.Connection, table: sa.Table) -> Row | None:
    """Return the greatest key of a table, None when it is empty."""
    key = list(table.primary_key.columns)
    return connection.execute(sa.select(*key).order_by(*(one.desc() for one in key)).limit(1)).first()


def count_of(connection: sa.Connection, table: sa.Table) -> int:
    """Return how many rows a table has."""
    return connection.scalar(sa.select(sa.func.count()).select_from(table)) or 0


def sum_of(
    connection: sa.Connection,
    table: sa.Table,
    *,
    columns: Sequence[sa.Column[Any]] | None = None,
    on_row: Callable[[bytes], object] | None = None,
) -> TableSum:
    """Count and hash the rows of a table; `on_row` is given each line."""
    summing = Summing()
    for row in rows_of(connection, table, columns=columns):
        line = line_of(row)
        summing.add(line)
        if on_row is not None:
            on_row(line)
    return summing.sum()


def file_names(connection: sa.Connection) -> list[tuple[str, str]]:
    """Return (tenant, name) of every stored file that a row names, in order."""
    found: set[tuple[str, str]] = set()
    for table in NAMING_FILES:
        rows = connection.execute(sa.select(table.c.tenant, table.c.file_hash).distinct())
        found.update((row.tenant, row.file_hash) for row in rows)
    return sorted(found)


class Inserting:
    """Collects rows of one table and hands them to `write`, not too many rows or bytes at a time."""

    __slots__ = ("_bytes", "_rows", "_write")

    def __init__(self, write: Callable[[list[dict[str, Any]]], object]) -> None:
        self._write = write
        self._rows: list[dict[str, Any]] = []
        self._bytes = 0

    def add(self, values: dict[str, Any], size: int) -> None:
        """Take a row whose line has `size` bytes."""
        self._rows.append(values)
        self._bytes += size
        if len(self._rows) >= _ROWS or self._bytes >= _BYTES:
            self.flush()

    def flush(self) -> None:
        """Write what is left."""
        if self._rows:
            self._write(self._rows)
        self._rows = []
        self._bytes = 0
