"""The shelf: what the clients of a server may search and read. It is set by the server, never by a client."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Protocol

from pincite.core.errors import NotFoundError
from pincite.core.scope import Scope
from pincite.core.text import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pincite.core.protocols import EvidenceStore
    from pincite.core.refs import RefIssuer
    from pincite.library import Collection, Library
    from pincite.search import Search, SearchResult

# Code points of a document's name that an error repeats.
_NAME = 80


class Shelf(Protocol):
    """Where a server finds passages, and which documents its clients may see. All of it may be called from threads."""

    @property
    def store(self) -> EvidenceStore:
        """Where the text behind an evidence id is read."""
        ...

    def scope(self) -> Scope:
        """Return the documents that a client may search, read and cite as of now."""
        ...

    def search(self, question: str, *, limit: int, refs: RefIssuer) -> SearchResult:
        """Return at most `limit` passages for a question, best first, each of a document in scope.

        Raises:
            InputError: the question cannot be asked.
            StoreError: the passages cannot be read.
        """
        ...


class LibraryShelf:
    """A library's collections, or some documents of theirs."""

    __slots__ = ("_collections", "_library", "_lock", "_open", "_search", "_seen", "_wanted", "store")

    def __init__(
        self,
        library: Library,
        search: Callable[[], Search],
        collections: Sequence[Collection],
        documents: Iterable[str] | None = None,
    ) -> None:
        """`search` opens the search when it is first needed; `documents` are ids or keys, every one when None.

        Raises:
            NotFoundError: one of `documents` stands in none of the collections.
            StoreError: the library cannot be read.
        """
        from pincite.library import LibraryEvidence  # who brings a shelf of their own needs no library

        self._library = library
        self._open = search
        self._search: Search | None = None
        self._collections = tuple(collections)
        self._wanted = None if documents is None else tuple(dict.fromkeys(documents))
        self._lock = threading.Lock()
        self._seen: tuple[int, Scope] | None = None
        self.store: EvidenceStore = LibraryEvidence(library)
        self._check()

    def scope(self) -> Scope:
        """Return the documents that stand in the collections as of now, those that are served alone."""
        head = self._library.head()
        seen = self._seen
        if seen is None or seen[0] != head:
            seen = self._seen = (head, self._standing())
        return seen[1]

    def search(self, question: str, *, limit: int, refs: RefIssuer) -> SearchResult:
        """Return at most `limit` passages for a question, best first."""
        with self._lock:
            if self._search is None:
                self._search = self._open()
        return self._search.search(
            question,
            collections=self._collections,
            limit=limit,
            refs=refs,
            documents=None if self._wanted is None else self.scope().document_ids,
        )

    def _standing(self) -> Scope:
        found: set[str] = set()
        for collection in self._collections:
            standing = {one.document_id for one in self._library.documents(collection.collection_id)}
            if self._wanted is not None:
                standing &= Scope.of(self._wanted, collection=collection.collection_id).document_ids
            found |= standing
        return Scope(found)

    def _check(self) -> None:
        standing = self._standing()
        for name in self._wanted or ():
            named = (Scope.of([name], collection=one.collection_id) for one in self._collections)
            if not any(one in standing for scope in named for one in scope.document_ids):
                msg = f"No document is named {one_line(name, _NAME)!r}; `pincite ls` lists them."
                raise NotFoundError(msg, field="document")
