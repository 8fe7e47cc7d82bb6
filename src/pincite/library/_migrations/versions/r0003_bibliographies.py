"""Bibliographies: the fields by which a document is cited."""

from __future__ import annotations

import sqlalchemy as sa

from pincite.library._migrations.columns import column, make, tenant, uuid

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Lay their table."""
    make(
        "bibliographies",
        tenant(),
        uuid("document_id", primary_key=True),
        column("found", sa.JSON()),
        column("given", sa.JSON()),
        sa.ForeignKeyConstraint(["tenant", "document_id"], ["documents.tenant", "documents.document_id"]),
    )
