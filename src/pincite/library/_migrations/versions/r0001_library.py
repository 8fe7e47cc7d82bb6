"""The first library: collections, documents in versions, passages in their places, vectors, conversations.

A library that has no number has at least these tables, so this one runs only where revisions are run from nothing.
"""

from __future__ import annotations

import sqlalchemy as sa

from pincite.library._migrations.columns import column, make, tenant, text, uuid, words

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Lay the tables of schema 1."""
    make("meta", column("name", words(64), key=True), column("value", text()))
    make("counters", tenant(), column("name", words(300), key=True), column("value", sa.BigInteger()))
    _documents()
    _passages()
    make(
        "conversations",
        tenant(),
        column("conversation_id", words(255), key=True),
        column("saved_at", words(40)),
        column("state", sa.JSON()),
    )


def _documents() -> None:
    make(
        "collections",
        tenant(),
        uuid("collection_id", primary_key=True),
        column("name", text()),
        column("chunking", words(16)),
        column("score_threshold", sa.Float(), null=True),
        column("reranker", text(), null=True),
        column("added_at", words(40)),
        sa.UniqueConstraint("tenant", "name"),
    )
    make(
        "documents",
        tenant(),
        uuid("document_id", primary_key=True),
        uuid("collection_id"),
        column("source_key", text()),
        column("source_uri", text(), null=True),
        column("title", text()),
        column("version", words(16)),
        column("added_at", words(40)),
        column("removed_at", words(40), null=True),
        sa.ForeignKeyConstraint(
            ["tenant", "collection_id"], ["collections.tenant", "collections.collection_id"]
        ),
        indexes={"documents_by_collection": ["tenant", "collection_id"]},
    )
    make(
        "versions",
        tenant(),
        uuid("document_id", primary_key=True),
        column("version", words(16), key=True),
        column("revision", sa.Integer()),
        column("media_type", words(255)),
        column("reader", text()),
        column("file_hash", words(64)),
        column("pages", sa.Integer()),
        column("passages", sa.Integer()),
        column("added_at", words(40)),
        column("flags", sa.JSON()),
        column("frames", sa.JSON()),
        column("outline", sa.JSON()),
        column("line_numbers", sa.JSON(), null=True),
        column("text", text()),
        sa.ForeignKeyConstraint(["tenant", "document_id"], ["documents.tenant", "documents.document_id"]),
        indexes={"versions_by_file": ["tenant", "file_hash"]},
    )


def _passages() -> None:
    make(
        "passages",
        tenant(),
        uuid("chunk_id", primary_key=True),
        uuid("document_id"),
        column("put_seq", sa.BigInteger(), null=True),
        column("text", text()),
        sa.ForeignKeyConstraint(["tenant", "document_id"], ["documents.tenant", "documents.document_id"]),
        indexes={"passages_by_put": ["tenant", "put_seq"], "passages_by_document": ["tenant", "document_id"]},
    )
    make(
        "places",
        tenant(),
        uuid("chunk_id", primary_key=True),
        column("version", words(16), key=True),
        uuid("document_id"),
        column("ordinal", sa.Integer(), null=True),
        column("start_at", sa.BigInteger()),
        column("end_at", sa.BigInteger()),
        column("section_start", sa.BigInteger(), null=True),
        column("section_end", sa.BigInteger(), null=True),
        column("locator", sa.JSON()),
        column("boxes", sa.LargeBinary()),
        sa.ForeignKeyConstraint(["tenant", "chunk_id"], ["passages.tenant", "passages.chunk_id"]),
        sa.ForeignKeyConstraint(
            ["tenant", "document_id", "version"],
            ["versions.tenant", "versions.document_id", "versions.version"],
        ),
        indexes={"places_by_version": ["tenant", "document_id", "version", "ordinal"]},
    )
    make(
        "changes",
        tenant(),
        column("seq", sa.BigInteger(), key=True),
        uuid("collection_id"),
        uuid("document_id"),
        uuid("chunk_id"),
        column("op", words(4)),
    )
    make(
        "vectors",
        tenant(),
        column("embedder", words(255), key=True),
        uuid("chunk_id", primary_key=True),
        column("number", sa.BigInteger()),
        column("vector", sa.LargeBinary()),
        sa.ForeignKeyConstraint(["tenant", "chunk_id"], ["passages.tenant", "passages.chunk_id"]),
        sa.UniqueConstraint("tenant", "embedder", "number"),
        indexes={"vectors_by_passage": ["tenant", "chunk_id"]},
    )
