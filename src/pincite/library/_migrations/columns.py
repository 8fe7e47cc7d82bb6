"""What revisions are written with: columns as each database gets them, and tables that may be there already.

Before there were revisions, a library was brought up to date by making what it lacked, whenever it was opened. So a
library without a number may have any part of what came up to schema 5: the revisions up to there make what is absent,
and leave alone what is not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from alembic import op

if TYPE_CHECKING:
    from sqlalchemy.types import TypeEngine


def words(length: int) -> TypeEngine[str]:
    """Return the type of a text that is meant to have at most `length` code points.

    PostgreSQL would hold it to that, and sort it by the rules of a language: there it is of any length, and its bytes
    tell the order, as on SQLite.
    """
    return sa.String(length).with_variant(sa.Text(collation="C"), "postgresql")


def text() -> TypeEngine[str]:
    """Return the type of a text of any length, in the order of its bytes."""
    return sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def tenant() -> sa.Column[Any]:
    """Return the column that leads every key."""
    return sa.Column("tenant", words(64), primary_key=True)


def uuid(name: str, *, primary_key: bool = False) -> sa.Column[Any]:
    """Return a column of ids, never null."""
    return sa.Column(name, words(36), primary_key=primary_key, nullable=False)


def column(name: str, kind: TypeEngine[Any], *, key: bool = False, null: bool = False) -> sa.Column[Any]:
    """Return a column, which may be null where `null` says so, and is of the key where `key` does."""
    return sa.Column(name, kind, primary_key=key, nullable=null, autoincrement=False)


def make(
    name: str, *parts: sa.Column[Any] | sa.Constraint, indexes: dict[str, list[str]] | None = None
) -> bool:
    """Make a table with its indexes, by name, unless it is there; say whether it was made."""
    if sa.inspect(op.get_bind()).has_table(name):
        return False
    op.create_table(name, *parts)
    for index, columns in (indexes or {}).items():
        op.create_index(index, name, columns)
    return True


def add(table: str, *columns: sa.Column[Any]) -> None:
    """Add the columns that a table lacks; all of them may be null."""
    there = {found["name"] for found in sa.inspect(op.get_bind()).get_columns(table)}
    for one in columns:
        if one.name not in there:
            op.add_column(table, one)
