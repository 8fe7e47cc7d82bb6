"""Ledgers: what each client has received.

At first one row held all entries of a client, in one column of JSON. A row for each entry came soon after, still under
the number 2, and whoever had made the table before that kept its old form. Here such a table gets the form that it
should have, and its entries become rows.
"""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

from pincite.library._migrations.columns import add, column, make, tenant, words

revision = "0002"
down_revision = "0001"

_LEDGERS = sa.table(
    "ledgers",
    sa.column("tenant", sa.Text()),
    sa.column("client", sa.Text()),
    sa.column("entries", sa.JSON()),
    sa.column("returned", sa.Boolean()),
    sa.column("last", sa.BigInteger()),
)
_ENTRIES = sa.table(
    "ledger_entries",
    sa.column("tenant", sa.Text()),
    sa.column("client", sa.Text()),
    sa.column("evidence_id", sa.Text()),
    sa.column("number", sa.BigInteger()),
    sa.column("entry", sa.JSON()),
)


def upgrade() -> None:
    """Lay the tables, or bring those of the first form to the second."""
    made = make(
        "ledgers",
        tenant(),
        column("client", words(64), key=True),
        column("saved_at", sa.Float()),
        column("returned", sa.Boolean()),
        column("entries", sa.BigInteger()),
        column("last", sa.BigInteger()),
        indexes={"ledgers_by_age": ["tenant", "saved_at"]},
    )
    make(
        "ledger_entries",
        tenant(),
        column("client", words(64), key=True),
        column("evidence_id", words(255), key=True),
        column("number", sa.BigInteger()),
        column("entry", sa.JSON()),
        sa.ForeignKeyConstraint(
            ["tenant", "client"], ["ledgers.tenant", "ledgers.client"], ondelete="CASCADE"
        ),
        indexes={"ledger_entries_in_order": ["tenant", "client", "number"]},
    )
    if not made and _is_of_the_first_form():
        add(
            "ledgers",
            column("returned", sa.Boolean(), null=True),
            column("last", sa.BigInteger(), null=True),
        )
        _entries_become_rows()
        _take_the_second_form()


def _is_of_the_first_form() -> bool:
    columns = sa.inspect(op.get_bind()).get_columns("ledgers")
    return any(one["name"] == "entries" and isinstance(one["type"], sa.JSON) for one in columns)


def _entries_become_rows() -> None:
    connection = op.get_bind()
    keys = connection.execute(sa.select(_LEDGERS.c.tenant, _LEDGERS.c.client)).all()
    for tenant_name, client in keys:
        mine = sa.and_(_LEDGERS.c.tenant == tenant_name, _LEDGERS.c.client == client)
        held = sa.cast(_LEDGERS.c.entries, sa.Text())
        found = connection.execute(sa.select(held.label("held"), _LEDGERS.c.last).where(mine)).one()
        entries: list[Any] | int = json.loads(found.held)
        if not isinstance(entries, list):
            # Younger code wrote this row: it counts its entries, and has them beside it.
            connection.execute(
                sa.update(_LEDGERS).where(mine).values(returned=_said(True), last=_said_last(0))
            )
            continue
        count = _write(connection, tenant_name, client, entries)
        # Newcomers were not told apart: whoever was kept is kept as one that came back.
        connection.execute(sa.update(_LEDGERS).where(mine).values(entries=count, returned=True, last=count))


def _said(otherwise: bool) -> Any:  # noqa: ANN401, FBT001 - an expression of SQL
    return sa.func.coalesce(_LEDGERS.c.returned, otherwise)


def _said_last(otherwise: int) -> Any:  # noqa: ANN401 - an expression of SQL
    return sa.func.coalesce(_LEDGERS.c.last, otherwise)


def _write(connection: sa.Connection, tenant_name: str, client: str, entries: list[Any]) -> int:
    """Write a client's entries as rows, oldest first; return how many there are."""
    by_id: dict[str, Any] = {str(entry["evidence_id"]): entry for entry in entries}
    rows = [
        {
            "tenant": tenant_name,
            "client": client,
            "evidence_id": evidence_id,
            "number": number,
            "entry": entry,
        }
        for number, (evidence_id, entry) in enumerate(by_id.items(), 1)
    ]
    if rows:
        connection.execute(sa.insert(_ENTRIES), rows)
    return len(rows)


def _take_the_second_form() -> None:
    with op.batch_alter_table("ledgers") as table:
        table.alter_column(
            "entries",
            existing_type=sa.JSON(),
            existing_nullable=False,
            type_=sa.BigInteger(),
            postgresql_using="CAST(CAST(entries AS TEXT) AS BIGINT)",
        )
        table.alter_column("returned", existing_type=sa.Boolean(), nullable=False)
        table.alter_column("last", existing_type=sa.BigInteger(), nullable=False)
