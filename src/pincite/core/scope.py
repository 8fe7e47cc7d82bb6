"""A scope: the documents that a caller may cite."""

from __future__ import annotations

from collections.abc import Iterable
from typing import final

from pincite.core.errors import ScopeError
from pincite.core.ids import document_id, is_uuid, public_document_id


@final
class Scope:
    """A set of document ids. An empty one holds nothing: everything is `unavailable`."""

    __slots__ = ("_ids",)

    def __init__(self, document_ids: Iterable[str]) -> None:
        self._ids = frozenset(document_ids)

    @classmethod
    def of(cls, items: Iterable[str] | Scope, *, collection: str | None = None) -> Scope:
        """Build a scope from document ids and document keys.

        A UUID is an id; anything else is a document key, and stands for the id that `collection` (a UUID) gives
        it and for the id that public implementations give it.

        Raises:
            ScopeError: `items` is one string, None, or holds something other than strings.
        """
        if isinstance(items, Scope):
            return items
        if isinstance(items, str | bytes) or not isinstance(items, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
            kind = type(items).__name__
            msg = f"A scope is a collection of document ids or keys, not {kind}."
            raise ScopeError(msg, field="scope")
        found: set[str] = set()
        for item in items:
            if not isinstance(item, str):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
                msg = f"A scope holds strings, not {type(item).__name__}."
                raise ScopeError(msg, field="scope")
            if is_uuid(item):
                found.add(item)
                continue
            found.add(public_document_id(item))
            if collection is not None:
                found.add(document_id(collection, item))
        return cls(found)

    @property
    def document_ids(self) -> frozenset[str]:
        """The ids."""
        return self._ids

    def __contains__(self, document: str) -> bool:
        return document in self._ids

    def __len__(self) -> int:
        return len(self._ids)
