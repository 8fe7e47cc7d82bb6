"""What a server keeps: tenants, keys, agents, embeds, grants, the log, jobs, messages, shared indexes; page layouts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from pincite.library._migrations.columns import add, column, make, tenant, text, uuid, words

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Lay the tables and add the columns of schema 5."""
    _library()
    _access()
    _read()
    _jobs()
    _talk()
    make(
        "indexes",
        tenant(),
        column("name", words(64), key=True),
        column("table_name", words(64)),
        column("version", sa.BigInteger()),
        column("seq", sa.BigInteger()),
        column("number", sa.BigInteger()),
        column("holder", words(36), null=True),
        column("held_until", sa.Float(), null=True),
    )


def _library() -> None:
    add("collections", column("embedder", words(255), null=True), column("removed_at", words(40), null=True))
    add("documents", column("trashed_at", words(40), null=True), column("metadata", sa.JSON(), null=True))
    make(
        "page_layouts",
        tenant(),
        uuid("document_id", primary_key=True),
        column("version", words(16), key=True),
        column("page", sa.Integer(), key=True),
        column("layout", sa.LargeBinary()),
        sa.ForeignKeyConstraint(
            ["tenant", "document_id", "version"],
            ["versions.tenant", "versions.document_id", "versions.version"],
        ),
    )
    make("origins", tenant(), uuid("document_id", primary_key=True), column("origin", words(64)))


def _access() -> None:
    make("tenants", tenant(), column("title", text()), column("added_at", words(40)))
    make(
        "directory",
        column("digest", words(64), key=True),
        column("tenant", words(64)),
        column("kind", words(8)),
        uuid("id"),
        indexes={"directory_by_id": ["id"]},
    )
    make(
        "api_keys",
        tenant(),
        uuid("key_id", primary_key=True),
        column("name", text()),
        column("scopes", sa.JSON()),
        column("hint", words(4)),
        column("digest", words(64)),
        column("created_at", words(40)),
        column("last_used_at", words(40), null=True),
        column("revoked_at", words(40), null=True),
    )
    make(
        "agents",
        tenant(),
        uuid("agent_id", primary_key=True),
        column("kind", words(16)),
        column("name", text()),
        column("collections", sa.JSON()),
        column("wire_format", words(64)),
        column("model", text(), null=True),
        column("highlight", words(32)),
        column("instructions", text()),
        column("citable_resources", sa.JSON(), null=True),
        column("citation_processor", sa.JSON()),
        column("created_at", words(40)),
        column("changed_at", words(40)),
    )
    make(
        "embeds",
        tenant(),
        uuid("embed_id", primary_key=True),
        uuid("agent_id"),
        column("name", text()),
        column("hint", words(4)),
        column("digest", words(64)),
        column("allowed_origins", sa.JSON()),
        column("greeting", text()),
        column("theme", sa.JSON()),
        column("highlight", words(32), null=True),
        column("previews", sa.Boolean()),
        column("created_at", words(40)),
        column("revoked_at", words(40), null=True),
        indexes={"embeds_by_agent": ["tenant", "agent_id"]},
    )


def _read() -> None:
    make(
        "grants",
        tenant(),
        column("visitor", words(64), key=True),
        uuid("chunk_id", primary_key=True),
        column("version", words(16), key=True),
        column("granted_at", sa.Float()),
        column("expires_at", sa.Float()),
        sa.ForeignKeyConstraint(["tenant", "chunk_id"], ["passages.tenant", "passages.chunk_id"]),
        indexes={"grants_by_passage": ["tenant", "chunk_id"], "grants_by_age": ["tenant", "expires_at"]},
    )
    make(
        "audit",
        tenant(),
        column("number", sa.BigInteger(), key=True),
        column("at", sa.Float()),
        column("who", words(80)),
        column("action", words(64)),
        column("document_id", words(36), null=True),
        column("chunk_id", words(36), null=True),
        column("request_id", words(128), null=True),
        indexes={"audit_by_age": ["tenant", "at"]},
    )


def _jobs() -> None:
    made = make(
        "jobs",
        tenant(),
        uuid("job_id", primary_key=True),
        column("number", sa.BigInteger()),
        column("kind", words(32)),
        column("state", words(16)),
        column("request_key", words(255), null=True),
        column("attempts", sa.Integer()),
        column("stop_asked", sa.Boolean()),
        column("worker", words(255), null=True),
        column("created_at", sa.Float(53)),
        column("ready_at", sa.Float(53)),
        column("lease_until", sa.Float(53), null=True),
        column("started_at", sa.Float(53), null=True),
        column("finished_at", sa.Float(53), null=True),
        column("payload", sa.JSON()),
        column("progress", sa.JSON()),
        column("result", sa.JSON(), null=True),
        column("error", sa.JSON(), null=True),
        sa.UniqueConstraint("tenant", "number"),
        sa.UniqueConstraint("tenant", "request_key"),
    )
    if made:
        is_open = sa.text("finished_at IS NULL")
        op.create_index(
            "jobs_open", "jobs", ["tenant", "ready_at"], sqlite_where=is_open, postgresql_where=is_open
        )
    made = make(
        "job_locks",
        tenant(),
        uuid("job_id", primary_key=True),
        column("name", words(255), key=True),
        column("held", sa.Boolean()),
        sa.ForeignKeyConstraint(["tenant", "job_id"], ["jobs.tenant", "jobs.job_id"], ondelete="CASCADE"),
    )
    if made:
        held = sa.text("held")
        op.create_index(
            "job_locks_held",
            "job_locks",
            ["tenant", "name"],
            unique=True,
            sqlite_where=held,
            postgresql_where=held,
        )
    make(
        "held_files",
        tenant(),
        column("file_hash", words(64), key=True),
        uuid("holder", primary_key=True),
        column("until", sa.Float(53), null=True),
        indexes={"held_files_by_holder": ["tenant", "holder"]},
    )


def _talk() -> None:
    add(
        "conversations",
        column("owner", words(64), null=True),
        column("agent_id", words(36), null=True),
        column("title", text(), null=True),
        column("changed_at", words(40), null=True),
    )
    make(
        "messages",
        tenant(),
        column("conversation_id", words(255), key=True),
        column("number", sa.BigInteger(), key=True),
        column("role", words(16)),
        column("at", words(40)),
        column("body", sa.JSON()),
        sa.ForeignKeyConstraint(
            ["tenant", "conversation_id"],
            ["conversations.tenant", "conversations.conversation_id"],
            ondelete="CASCADE",
        ),
    )
    make(
        "message_documents",
        tenant(),
        column("conversation_id", words(255), key=True),
        column("number", sa.BigInteger(), key=True),
        uuid("document_id", primary_key=True),
        sa.ForeignKeyConstraint(
            ["tenant", "conversation_id", "number"],
            ["messages.tenant", "messages.conversation_id", "messages.number"],
            ondelete="CASCADE",
        ),
        indexes={"message_documents_by_document": ["tenant", "document_id"]},
    )
