"""A scope: the documents that a caller may cite."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast, final

from pincite.core.errors import ScopeError
from pincite.core.ids import document_id, is_uuid, public_document_id


@final
class Scope:
    """A set of document ids. An empty one holds nothing: everything is `unavailable`."""

    __slots__ = ("_ids",)

    def __init__(self, document_ids: Iterable[str]) -> None:
        """Build a scope from document ids, written in lower case or not.

        Raises:
            ScopeError: `document_ids` is one string, None, or holds something other than strings.
        """
        ids, written = _strings(document_ids)
        if written != written.lower():
            ids = [_as_id(one) or one for one in ids]
        self._ids = frozenset(ids)

    @classmethod
    def of(cls, items: Iterable[str] | Scope, *, collection: str | None = None) -> Scope:
        """Build a scope from document ids and document keys.

        A UUID, written in lower case or not, is an id; anything else is a document key, and stands for the id that
        `collection` (a UUID) gives it and for the id that public implementations give it. A mapping is no list of
        documents, as it is no list of ids anywhere: give its keys.

        Raises:
            ScopeError: `items` is one string, None, a mapping, or holds something other than strings.
        """
        if isinstance(items, Scope):
            return items
        found: set[str] = set()
        for item in _strings(items)[0]:
            if (known := _as_id(item)) is not None:
                found.add(known)
                continue
            found.add(public_document_id(item))
            if collection is not None:
                found.add(document_id(collection, item))
        scope = object.__new__(cls)  # all is as it has to be
        scope._ids = frozenset(found)
        return scope

    @property
    def document_ids(self) -> frozenset[str]:
        """The ids."""
        return self._ids

    def __contains__(self, document: str) -> bool:
        return document in self._ids

    def __len__(self) -> int:
        return len(self._ids)


def _as_id(text: str) -> str | None:
    """Return `text` as the id that it is, which is canonical in lower case, or None."""
    if is_uuid(text):
        return text
    lowered = text.lower()
    return lowered if is_uuid(lowered) else None


def _strings(items: Iterable[str]) -> tuple[list[str], str]:
    """Return the strings in `items`, and all of them in one."""
    if isinstance(items, str | bytes | Mapping) or not isinstance(items, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
        given = cast("object", items)
        kind = "None" if given is None else type(given).__name__
        msg = f"A scope is a collection of document ids or keys, not {kind}."
        raise ScopeError(msg, field="scope")
    found = list(items)
    try:
        return found, "".join(found)  # faster than a look at each of them
    except TypeError:
        kind = next(type(item).__name__ for item in found if not isinstance(item, str))  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
        msg = f"A scope holds strings, not {kind}."
        raise ScopeError(msg, field="scope") from None
