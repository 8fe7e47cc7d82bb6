"""Documents, kept: versions, files, passages and vectors, with SQL as the truth."""

from __future__ import annotations

from importlib import import_module

from pincite.core.errors import MissingExtraError as _MissingExtraError

try:
    import_module("obstore")
    import_module("sqlalchemy")
except ImportError as error:
    what = "The library"
    raise _MissingExtraError(what, "search") from error

from pincite.library.audit import Audit, AuditEntry
from pincite.library.collection import KEEP, Collection, Counts
from pincite.library.conversations import Conversation, Message
from pincite.library.embeds import Embed, Embeds
from pincite.library.evidence import LibraryEvidence
from pincite.library.feed import Change
from pincite.library.filters import DocumentFilter
from pincite.library.grants import Grants
from pincite.library.ingest import (
    AddEvent,
    AddResult,
    FileDone,
    FileStarted,
    PageRead,
    add_paths,
    add_sources,
)
from pincite.library.jobs import Job, JobQueue, Jobs, JobState
from pincite.library.keys import ApiKey, ApiKeys, Credential, Directory, KeyScope, digest_of
from pincite.library.ledgers import LibraryLedgers
from pincite.library.library import Library
from pincite.library.metadata import checked_metadata
from pincite.library.stored import StoredDocument, StoredVersion
from pincite.library.stored_agents import StoredAgent, StoredAgents
from pincite.library.tenants import Tenant, Tenants
from pincite.library.uploads import SourceUpload, Upload, Uploaded, Uploads, source_key
from pincite.library.worker import EmbedPending, KeepIndex, Worker, add_compact, add_ingest

__all__ = [
    "KEEP",
    "AddEvent",
    "AddResult",
    "ApiKey",
    "ApiKeys",
    "Audit",
    "AuditEntry",
    "Change",
    "Collection",
    "Conversation",
    "Counts",
    "Credential",
    "Directory",
    "DocumentFilter",
    "Embed",
    "EmbedPending",
    "Embeds",
    "FileDone",
    "FileStarted",
    "Grants",
    "Job",
    "JobQueue",
    "JobState",
    "Jobs",
    "KeepIndex",
    "KeyScope",
    "Library",
    "LibraryEvidence",
    "LibraryLedgers",
    "Message",
    "PageRead",
    "SourceUpload",
    "StoredAgent",
    "StoredAgents",
    "StoredDocument",
    "StoredVersion",
    "Tenant",
    "Tenants",
    "Upload",
    "Uploaded",
    "Uploads",
    "Worker",
    "add_compact",
    "add_ingest",
    "add_paths",
    "add_sources",
    "checked_metadata",
    "digest_of",
    "source_key",
]
