"""The tables of who may see what: tenants, keys, stored agents, embeds, grants, and the log of what was read.

No table holds a key: what is kept of one is `keys.digest_of` it. Times are ISO text in UTC, and Unix seconds where the
database compares them.
"""

from __future__ import annotations

import sqlalchemy as sa

from pincite.library.tables import METADATA, tenant_column, uuid_column

tenants = sa.Table(
    "tenants",
    METADATA,
    tenant_column(),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("added_at", sa.String(40), nullable=False),
)

# From a credential to its tenant: the one table that cannot be led by the tenant. On a database of many machines it is
# a reference table.
directory = sa.Table(
    "directory",
    METADATA,
    sa.Column("digest", sa.String(64), primary_key=True),
    sa.Column("tenant", sa.String(64), nullable=False),
    sa.Column("kind", sa.String(8), nullable=False),
    uuid_column("id"),
    sa.Index("directory_by_id", "id"),
)

api_keys = sa.Table(
    "api_keys",
    METADATA,
    tenant_column(),
    uuid_column("key_id", primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("scopes", sa.JSON, nullable=False),
    sa.Column("hint", sa.String(4), nullable=False),
    sa.Column("digest", sa.String(64), nullable=False),
    sa.Column("created_at", sa.String(40), nullable=False),
    sa.Column("last_used_at", sa.String(40)),
    sa.Column("revoked_at", sa.String(40)),
)

agents = sa.Table(
    "agents",
    METADATA,
    tenant_column(),
    uuid_column("agent_id", primary_key=True),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("collections", sa.JSON, nullable=False),
    sa.Column("wire_format", sa.String(64), nullable=False),
    sa.Column("model", sa.Text),
    sa.Column("highlight", sa.String(32), nullable=False),
    sa.Column("instructions", sa.Text, nullable=False),
    sa.Column("citable_resources", sa.JSON(none_as_null=True)),
    sa.Column("citation_processor", sa.JSON, nullable=False),
    sa.Column("created_at", sa.String(40), nullable=False),
    sa.Column("changed_at", sa.String(40), nullable=False),
)

# A revoked embed keeps its row, also when its agent is gone: who looks at the list sees that it was revoked.
embeds = sa.Table(
    "embeds",
    METADATA,
    tenant_column(),
    uuid_column("embed_id", primary_key=True),
    uuid_column("agent_id"),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("hint", sa.String(4), nullable=False),
    sa.Column("digest", sa.String(64), nullable=False),
    sa.Column("allowed_origins", sa.JSON, nullable=False),
    sa.Column("greeting", sa.Text, nullable=False),
    sa.Column("theme", sa.JSON, nullable=False),
    sa.Column("highlight", sa.String(32)),
    sa.Column("previews", sa.Boolean, nullable=False),
    sa.Column("created_at", sa.String(40), nullable=False),
    sa.Column("revoked_at", sa.String(40)),
    sa.Index("embeds_by_agent", "tenant", "agent_id"),
)

# What a visitor's own searches returned, in the version that was returned. `visitor` is a digest in hex: what a
# visitor's browser holds is not kept.
grants = sa.Table(
    "grants",
    METADATA,
    tenant_column(),
    sa.Column("visitor", sa.String(64), primary_key=True),
    uuid_column("chunk_id", primary_key=True),
    sa.Column("version", sa.String(16), primary_key=True),
    sa.Column("granted_at", sa.Float, nullable=False),
    sa.Column("expires_at", sa.Float, nullable=False),
    sa.ForeignKeyConstraint(["tenant", "chunk_id"], ["passages.tenant", "passages.chunk_id"]),
    # The foreign key is looked up by passage when a document is deleted.
    sa.Index("grants_by_passage", "tenant", "chunk_id"),
    sa.Index("grants_by_age", "tenant", "expires_at"),
)

audit = sa.Table(
    "audit",
    METADATA,
    tenant_column(),
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("who", sa.String(80), nullable=False),
    sa.Column("action", sa.String(64), nullable=False),
    sa.Column("document_id", sa.String(36)),
    sa.Column("chunk_id", sa.String(36)),
    sa.Column("request_id", sa.String(128)),
    sa.Index("audit_by_age", "tenant", "at"),
)
