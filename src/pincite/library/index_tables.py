"""What the truth knows of indexes that many nodes share: which version of each is the valid one."""

from __future__ import annotations

import sqlalchemy as sa

from pincite.library.tables import METADATA, tenant_column

# `holder` is whoever may enter a new version until `held_until` (Unix seconds), and null while nobody writes.
indexes = sa.Table(
    "indexes",
    METADATA,
    tenant_column(),
    sa.Column("name", sa.String(64), primary_key=True),
    sa.Column("table_name", sa.String(64), nullable=False),
    sa.Column("version", sa.BigInteger, nullable=False),
    sa.Column("seq", sa.BigInteger, nullable=False),
    sa.Column("number", sa.BigInteger, nullable=False),
    sa.Column("holder", sa.String(36)),
    sa.Column("held_until", sa.Float),
)
