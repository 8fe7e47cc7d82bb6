"""Regions of a text that have a place of their own, and doubts: what a reader of the page cannot see."""

from __future__ import annotations

import sqlalchemy as sa

from pincite.library._migrations.columns import add, column, text

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add their columns, null in what was read before."""
    add("versions", column("regions", sa.JSON(), null=True), column("doubts", sa.JSON(), null=True))
    add("places", column("doubt", text(), null=True))
