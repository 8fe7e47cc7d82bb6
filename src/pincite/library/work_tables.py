"""The tables of work and talk: jobs with what they hold, and the messages of conversations."""

from __future__ import annotations

import sqlalchemy as sa

from pincite.library.tables import METADATA, conversations, tenant_column, uuid_column

# Times are Unix seconds, since they are compared. `number` counts a tenant's jobs in the order in which they came.
jobs = sa.Table(
    "jobs",
    METADATA,
    tenant_column(),
    uuid_column("job_id", primary_key=True),
    sa.Column("number", sa.BigInteger, nullable=False),
    sa.Column("kind", sa.String(32), nullable=False),
    sa.Column("state", sa.String(16), nullable=False),
    sa.Column("request_key", sa.String(255)),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("stop_asked", sa.Boolean, nullable=False),
    sa.Column("worker", sa.String(255)),
    sa.Column("created_at", sa.Float(53), nullable=False),
    sa.Column("ready_at", sa.Float(53), nullable=False),
    sa.Column("lease_until", sa.Float(53)),
    sa.Column("started_at", sa.Float(53)),
    sa.Column("finished_at", sa.Float(53)),
    sa.Column("payload", sa.JSON, nullable=False),
    sa.Column("progress", sa.JSON, nullable=False),
    sa.Column("result", sa.JSON(none_as_null=True)),
    sa.Column("error", sa.JSON(none_as_null=True)),
    sa.UniqueConstraint("tenant", "number"),
    sa.UniqueConstraint("tenant", "request_key"),
    # Workers look through all tenants for what is ready, and for leases that ran out: through what has not ended.
    sa.Index(
        "jobs_open",
        "tenant",
        "ready_at",
        sqlite_where=sa.text("finished_at IS NULL"),
        postgresql_where=sa.text("finished_at IS NULL"),
    ),
)

# What a job needs for itself alone. The index lets one job hold a name, also where two claim at the same moment.
job_locks = sa.Table(
    "job_locks",
    METADATA,
    tenant_column(),
    uuid_column("job_id", primary_key=True),
    sa.Column("name", sa.String(255), primary_key=True),
    sa.Column("held", sa.Boolean, nullable=False),
    sa.ForeignKeyConstraint(["tenant", "job_id"], ["jobs.tenant", "jobs.job_id"], ondelete="CASCADE"),
    sa.Index(
        "job_locks_held",
        "tenant",
        "name",
        unique=True,
        sqlite_where=sa.text("held"),
        postgresql_where=sa.text("held"),
    ),
)

# Files that no version names yet, and that stay all the same: `holder` is an upload, until the time `until`, or a job
# that has not ended, without one.
held_files = sa.Table(
    "held_files",
    METADATA,
    tenant_column(),
    sa.Column("file_hash", sa.String(64), primary_key=True),
    uuid_column("holder", primary_key=True),
    sa.Column("until", sa.Float(53)),
    sa.Index("held_files_by_holder", "tenant", "holder"),
)

messages = sa.Table(
    "messages",
    METADATA,
    tenant_column(),
    sa.Column("conversation_id", sa.String(255), primary_key=True),
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("role", sa.String(16), nullable=False),
    sa.Column("at", sa.String(40), nullable=False),
    sa.Column("body", sa.JSON, nullable=False),
    sa.ForeignKeyConstraint(
        ["tenant", "conversation_id"],
        [conversations.c.tenant, conversations.c.conversation_id],
        ondelete="CASCADE",
    ),
)

# Which documents a message cites, so that erasing one finds the excerpts of it.
message_documents = sa.Table(
    "message_documents",
    METADATA,
    tenant_column(),
    sa.Column("conversation_id", sa.String(255), primary_key=True),
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    uuid_column("document_id", primary_key=True),
    sa.ForeignKeyConstraint(
        ["tenant", "conversation_id", "number"],
        ["messages.tenant", "messages.conversation_id", "messages.number"],
        ondelete="CASCADE",
    ),
    sa.Index("message_documents_by_document", "tenant", "document_id"),
)
