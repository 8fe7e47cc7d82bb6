"""The tables that are the truth; every key is led by the tenant, everything else is derived from them.

A document has versions; a version has places, each the position of one passage in its text. A passage's own
text is kept once, whatever the number of versions that hold it. `passages.put_seq` is the number of the change
that made the passage current, and null while it is not: it is the mark of what may be found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

if TYPE_CHECKING:
    # Statements and rows whose columns are taken apart by name or by one function beside them.
    Rows = sa.Select[*tuple[Any, ...]]
    Row = sa.Row[*tuple[Any, ...]]

SCHEMA = 5
"""Version of the schema that this code reads and writes; `library._migrations` has a step to each one."""
REVISION = f"{SCHEMA:04}"
"""The same as the revision of alembic that leads to it."""
FIRST_REVISION = "0001"
"""The revision that every library has at least."""

METADATA = sa.MetaData()

# Alembic's own table, which is none of the library's. It has one row.
revisions = sa.Table(
    "alembic_version",
    sa.MetaData(),
    sa.Column("version_num", sa.String(32), primary_key=True),
)


def tenant_column() -> sa.Column[str]:
    """Return the column that leads every key."""
    return sa.Column("tenant", sa.String(64), primary_key=True)


def uuid_column(name: str, *, primary_key: bool = False) -> sa.Column[str]:
    """Return a column of ids, never null."""
    return sa.Column(name, sa.String(36), primary_key=primary_key, nullable=False)


meta = sa.Table(
    "meta",
    METADATA,
    sa.Column("name", sa.String(64), primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)

counters = sa.Table(
    "counters",
    METADATA,
    tenant_column(),
    sa.Column("name", sa.String(300), primary_key=True),
    sa.Column("value", sa.BigInteger, nullable=False),
)

collections = sa.Table(
    "collections",
    METADATA,
    tenant_column(),
    uuid_column("collection_id", primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("chunking", sa.String(16), nullable=False),
    sa.Column("score_threshold", sa.Float),
    sa.Column("reranker", sa.Text),
    sa.Column("added_at", sa.String(40), nullable=False),
    sa.Column("embedder", sa.String(255)),
    sa.Column("removed_at", sa.String(40)),
    sa.UniqueConstraint("tenant", "name"),
)

# A removed document keeps its row, emptied: the tombstone that tells `removed` from unknown. A trashed one keeps
# everything, and nothing of it is to be found; so does the row of a removed collection, for those of its documents.
documents = sa.Table(
    "documents",
    METADATA,
    tenant_column(),
    uuid_column("document_id", primary_key=True),
    uuid_column("collection_id"),
    sa.Column("source_key", sa.Text, nullable=False),
    sa.Column("source_uri", sa.Text),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("version", sa.String(16), nullable=False),
    sa.Column("added_at", sa.String(40), nullable=False),
    sa.Column("removed_at", sa.String(40)),
    sa.Column("trashed_at", sa.String(40)),
    sa.Column("metadata", sa.JSON(none_as_null=True)),
    sa.ForeignKeyConstraint(["tenant", "collection_id"], ["collections.tenant", "collections.collection_id"]),
    sa.Index("documents_by_collection", "tenant", "collection_id"),
)

# The bibliographic fields of a document as CSL-JSON: what its file says, and what was set by hand, which goes before.
# A document of which neither is known has no row.
bibliographies = sa.Table(
    "bibliographies",
    METADATA,
    tenant_column(),
    uuid_column("document_id", primary_key=True),
    sa.Column("found", sa.JSON, nullable=False),
    sa.Column("given", sa.JSON, nullable=False),
    sa.ForeignKeyConstraint(["tenant", "document_id"], ["documents.tenant", "documents.document_id"]),
)

# The long columns stand last: a row is read without them for everything but its text.
versions = sa.Table(
    "versions",
    METADATA,
    tenant_column(),
    uuid_column("document_id", primary_key=True),
    sa.Column("version", sa.String(16), primary_key=True),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("media_type", sa.String(255), nullable=False),
    sa.Column("reader", sa.Text, nullable=False),
    sa.Column("file_hash", sa.String(64), nullable=False),
    sa.Column("pages", sa.Integer, nullable=False),
    sa.Column("passages", sa.Integer, nullable=False),
    sa.Column("added_at", sa.String(40), nullable=False),
    sa.Column("flags", sa.JSON, nullable=False),
    sa.Column("frames", sa.JSON, nullable=False),
    sa.Column("outline", sa.JSON, nullable=False),
    sa.Column("line_numbers", sa.JSON(none_as_null=True)),
    sa.Column("regions", sa.JSON(none_as_null=True)),
    sa.Column("doubts", sa.JSON(none_as_null=True)),
    sa.Column("text", sa.Text, nullable=False),
    sa.ForeignKeyConstraint(["tenant", "document_id"], ["documents.tenant", "documents.document_id"]),
    sa.Index("versions_by_file", "tenant", "file_hash"),
)

# The layouts of pages that cost much to lay out again, as `core.packed` packs them: of those that OCR read. A page has
# no row here when its file tells its layout in no time.
page_layouts = sa.Table(
    "page_layouts",
    METADATA,
    tenant_column(),
    uuid_column("document_id", primary_key=True),
    sa.Column("version", sa.String(16), primary_key=True),
    sa.Column("page", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("layout", sa.LargeBinary, nullable=False),
    sa.ForeignKeyConstraint(
        ["tenant", "document_id", "version"],
        ["versions.tenant", "versions.document_id", "versions.version"],
    ),
)

# Where the file of a document lay that was added from a folder, as a digest: it tells one place from another and shows
# neither.
origins = sa.Table(
    "origins",
    METADATA,
    tenant_column(),
    uuid_column("document_id", primary_key=True),
    sa.Column("origin", sa.String(64), nullable=False),
)

passages = sa.Table(
    "passages",
    METADATA,
    tenant_column(),
    uuid_column("chunk_id", primary_key=True),
    uuid_column("document_id"),
    sa.Column("put_seq", sa.BigInteger),
    sa.Column("text", sa.Text, nullable=False),
    sa.ForeignKeyConstraint(["tenant", "document_id"], ["documents.tenant", "documents.document_id"]),
    sa.Index("passages_by_put", "tenant", "put_seq"),
    sa.Index("passages_by_document", "tenant", "document_id"),
)

# `ordinal` is null for a passage that a new chunking of the same text no longer makes: it stays addressable.
places = sa.Table(
    "places",
    METADATA,
    tenant_column(),
    uuid_column("chunk_id", primary_key=True),
    sa.Column("version", sa.String(16), primary_key=True),
    uuid_column("document_id"),
    sa.Column("ordinal", sa.Integer),
    sa.Column("start_at", sa.BigInteger, nullable=False),
    sa.Column("end_at", sa.BigInteger, nullable=False),
    sa.Column("section_start", sa.BigInteger),
    sa.Column("section_end", sa.BigInteger),
    sa.Column("locator", sa.JSON, nullable=False),
    sa.Column("boxes", sa.LargeBinary, nullable=False),
    sa.Column("doubt", sa.Text),
    sa.ForeignKeyConstraint(["tenant", "chunk_id"], ["passages.tenant", "passages.chunk_id"]),
    sa.ForeignKeyConstraint(
        ["tenant", "document_id", "version"],
        ["versions.tenant", "versions.document_id", "versions.version"],
    ),
    sa.Index("places_by_version", "tenant", "document_id", "version", "ordinal"),
)

changes = sa.Table(
    "changes",
    METADATA,
    tenant_column(),
    sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
    uuid_column("collection_id"),
    uuid_column("document_id"),
    uuid_column("chunk_id"),
    sa.Column("op", sa.String(4), nullable=False),
)

vectors = sa.Table(
    "vectors",
    METADATA,
    tenant_column(),
    sa.Column("embedder", sa.String(255), primary_key=True),
    uuid_column("chunk_id", primary_key=True),
    sa.Column("number", sa.BigInteger, nullable=False),
    sa.Column("vector", sa.LargeBinary, nullable=False),
    sa.ForeignKeyConstraint(["tenant", "chunk_id"], ["passages.tenant", "passages.chunk_id"]),
    sa.UniqueConstraint("tenant", "embedder", "number"),
    # The foreign key is looked up by passage when a document is deleted.
    sa.Index("vectors_by_passage", "tenant", "chunk_id"),
)

conversations = sa.Table(
    "conversations",
    METADATA,
    tenant_column(),
    sa.Column("conversation_id", sa.String(255), primary_key=True),
    sa.Column("saved_at", sa.String(40), nullable=False),
    sa.Column("state", sa.JSON, nullable=False),
    # Whose it is: a visitor's handle, say; null where it belongs to nobody but the tenant.
    sa.Column("owner", sa.String(64)),
    sa.Column("agent_id", sa.String(36)),
    sa.Column("title", sa.Text),
    # Null in rows that were last changed under schema 4.
    sa.Column("changed_at", sa.String(40)),
)

# What clients have received. `client` is SHA-256 of the client's name in hex: a session's id opens the session, so it
# is not kept. `returned` tells those that came back from newcomers, which may never do; `entries`
# counts what is kept of a client, and `last` is the number of its latest entry.
ledgers = sa.Table(
    "ledgers",
    METADATA,
    tenant_column(),
    sa.Column("client", sa.String(64), primary_key=True),
    sa.Column("saved_at", sa.Float, nullable=False),
    sa.Column("returned", sa.Boolean, nullable=False),
    sa.Column("entries", sa.BigInteger, nullable=False),
    sa.Column("last", sa.BigInteger, nullable=False),
    sa.Index("ledgers_by_age", "tenant", "saved_at"),
)

# One row for each evidence id of a ledger, so that saving costs what is new. No text is kept: what is deleted from the
# library is gone.
ledger_entries = sa.Table(
    "ledger_entries",
    METADATA,
    tenant_column(),
    sa.Column("client", sa.String(64), primary_key=True),
    sa.Column("evidence_id", sa.String(255), primary_key=True),
    sa.Column("number", sa.BigInteger, nullable=False),
    sa.Column("entry", sa.JSON, nullable=False),
    sa.ForeignKeyConstraint(["tenant", "client"], ["ledgers.tenant", "ledgers.client"], ondelete="CASCADE"),
    sa.Index("ledger_entries_in_order", "tenant", "client", "number"),
)


def standing() -> sa.ColumnElement[bool]:
    """Return the condition that a document stands: neither removed nor trashed."""
    return sa.and_(documents.c.removed_at.is_(None), documents.c.trashed_at.is_(None))


def same_key(one: sa.Table, other: sa.Table, *keys: str) -> sa.ColumnElement[bool]:
    """Return the condition that joins two tables: the same tenant, and equal `keys`."""
    return sa.and_(*(one.c[key] == other.c[key] for key in ("tenant", *keys)))
