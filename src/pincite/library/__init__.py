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

from pincite.library.collection import KEEP, Collection
from pincite.library.evidence import LibraryEvidence
from pincite.library.feed import Change
from pincite.library.ingest import AddEvent, AddResult, FileDone, FileStarted, PageRead, add_paths
from pincite.library.ledgers import LibraryLedgers
from pincite.library.library import Library
from pincite.library.stored import StoredDocument

__all__ = [
    "KEEP",
    "AddEvent",
    "AddResult",
    "Change",
    "Collection",
    "FileDone",
    "FileStarted",
    "Library",
    "LibraryEvidence",
    "LibraryLedgers",
    "PageRead",
    "StoredDocument",
    "add_paths",
]
