"""The citation store: everything that may be cited in one conversation, under the key that the model saw."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pincite.core.errors import InputError, KeyClashError
from pincite.core.hit import Hit
from pincite.core.locators import Locator
from pincite.core.refs import RefIssuer
from pincite.core.verdicts import Confidence

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class CitationContextContribution:
    """What a citation of an object adds to the next turn: ids of our own documents, or items of others."""

    document_ids: tuple[str, ...] = ()
    custom_items: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class CitedObject:
    """What is known of a citable object beyond the page's fields: how it is named, found and traced."""

    title: str = ""
    ref: str | None = None
    chunk_id: str | None = None
    document_id: str | None = None
    evidence_id: str | None = None
    locator: Locator = field(default_factory=Locator)
    confidence: Confidence | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class RegisteredHit:
    """Both views of one citable object.

    `citation_key` is exactly what the model was shown; `context_hit` the payload it saw; `search_hit` the object
    from the producing system; `evidence_url` where a rendered evidence points; `index_type` and `index_id` where
    the object came from. `known` is ours.
    """

    citation_key: str
    context_hit: Mapping[str, Any]
    search_hit: Any
    evidence_url: str | None = None
    context_contribution: CitationContextContribution = field(default_factory=CitationContextContribution)
    index_type: str | None = None
    index_id: str | None = None
    known: CitedObject = field(default_factory=CitedObject)


class CitationStore:
    """Registered hits by key, by short id and by document id; iterates in order of registration.

    Registration takes a lock, so that threads of one run may share a store.
    """

    __slots__ = ("_by_document", "_by_ref", "_hits", "_lock", "refs")

    def __init__(self, refs: RefIssuer | None = None) -> None:
        self.refs = refs if refs is not None else RefIssuer()
        self._hits: dict[str, RegisteredHit] = {}
        self._by_ref: dict[str, str] = {}
        self._by_document: dict[str, str] = {}
        self._lock = threading.Lock()

    def register_hit(
        self,
        citation_key: str,
        context_hit: Mapping[str, Any],
        search_hit: Any,  # noqa: ANN401 - whatever the producing system has
        evidence_url: str | None = None,
        context_contribution: CitationContextContribution | None = None,
        index_type: str | None = None,
        index_id: str | None = None,
        *,
        known: CitedObject | None = None,
    ) -> RegisteredHit:
        """Register an object under its key and return the entry; the same object again is a no-op.

        A passage of a library that comes again from a later version of its document takes the place of the
        earlier entry: its id is made of its words, so these are the same.

        Raises:
            InputError: the key is empty.
            KeyClashError: the key stands for other content already.
        """
        if not citation_key:
            msg = "A citation key must not be empty."
            raise InputError(msg, field="citation_key")
        hit = RegisteredHit(
            citation_key,
            dict(context_hit),
            search_hit,
            evidence_url,
            context_contribution or CitationContextContribution(),
            index_type,
            index_id,
            known or CitedObject(title=str(context_hit.get("title") or "")),
        )
        with self._lock:
            kept = self._hits.get(citation_key)
            if kept is not None and not _same(kept, hit):
                msg = f"The key {citation_key[:80]!r} stands for another passage already."
                raise KeyClashError(msg, field="citation_key")
            self._hits[citation_key] = hit
            if hit.known.ref is not None:
                self._by_ref.setdefault(hit.known.ref, citation_key)
            for document in _documents(hit):
                self._by_document.setdefault(document, citation_key)
        return hit

    def get(self, key: str) -> RegisteredHit | None:
        """Return the hit registered under `key`, or None."""
        return self._hits.get(key)

    def get_hit_by_short_id(self, short_id: str) -> RegisteredHit | None:
        """Return the hit whose passage has this ref, or None."""
        key = self._by_ref.get(short_id)
        return None if key is None else self._hits[key]

    def get_hit_by_document_id(self, document_id: str) -> RegisteredHit | None:
        """Return the first hit of a document, or None."""
        key = self._by_document.get(document_id)
        return None if key is None else self._hits[key]

    def find(self, written: str) -> RegisteredHit | None:
        """Return the hit that a written key names: exactly as shown, else as a short id."""
        return self._hits.get(written) or self.get_hit_by_short_id(written)

    def keys(self) -> list[str]:
        """Return every key in order of registration."""
        return list(self._hits)

    def __iter__(self) -> Iterator[RegisteredHit]:
        return iter(self._hits.values())

    def __len__(self) -> int:
        return len(self._hits)

    def __contains__(self, key: str) -> bool:
        return key in self._hits

    def export(self) -> list[dict[str, Any]]:
        """Return the hits as JSON may hold them; of `search_hit` only what JSON knows is kept."""
        return [_hit_as_dict(hit) for hit in self]

    @classmethod
    def load(cls, hits: list[dict[str, Any]], refs: RefIssuer | None = None) -> CitationStore:
        """Build a store from what `export` made.

        Raises:
            InputError: an entry has no key or not the shape that `export` writes.
        """
        store = cls(refs)
        for entry in hits:
            try:
                contribution = CitationContextContribution(
                    tuple(entry["context_contribution"]["document_ids"]),
                    tuple(entry["context_contribution"]["custom_items"]),
                )
                known = dict(entry["known"])
                known["locator"] = Locator.from_dict(known["locator"])
                if known["confidence"] is not None:
                    known["confidence"] = Confidence(known["confidence"])
                store.register_hit(
                    entry["citation_key"],
                    entry["context_hit"],
                    entry["search_hit"],
                    entry["evidence_url"],
                    contribution,
                    entry["index_type"],
                    entry["index_id"],
                    known=CitedObject(**known),
                )
            except (KeyError, TypeError, ValueError) as error:
                msg = "A stored hit has not the shape that `export` writes."
                raise InputError(msg, field="hits") from error
        return store


def _same(kept: RegisteredHit, hit: RegisteredHit) -> bool:
    if isinstance(hit.search_hit, Hit) and hit.search_hit.collection:
        return kept.known.chunk_id == hit.known.chunk_id
    return _content(kept) == _content(hit)


def _content(hit: RegisteredHit) -> tuple[str, str | None]:
    text = hit.known.text or str(hit.context_hit.get("content") or "")
    return text, hit.known.evidence_id


def _documents(hit: RegisteredHit) -> list[str]:
    own = [hit.known.document_id] if hit.known.document_id else []
    return own + list(hit.context_contribution.document_ids)


def _hit_as_dict(hit: RegisteredHit) -> dict[str, Any]:
    search_hit = hit.search_hit.row() if isinstance(hit.search_hit, Hit) else hit.search_hit
    known = hit.known
    return {
        "citation_key": hit.citation_key,
        "context_hit": dict(hit.context_hit),
        "search_hit": _jsonable(search_hit),
        "evidence_url": hit.evidence_url,
        "context_contribution": {
            "document_ids": list(hit.context_contribution.document_ids),
            "custom_items": [_jsonable(item) for item in hit.context_contribution.custom_items],
        },
        "index_type": hit.index_type,
        "index_id": hit.index_id,
        "known": {
            "title": known.title,
            "ref": known.ref,
            "chunk_id": known.chunk_id,
            "document_id": known.document_id,
            "evidence_id": known.evidence_id,
            "locator": known.locator.as_dict(),
            "confidence": known.confidence.value if known.confidence is not None else None,
            "text": known.text,
        },
    }


def _jsonable(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, Mapping):
        items = value.items()  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType] - keys of any kind
        return {str(key): _jsonable(item) for key, item in items}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(value, list | tuple):
        return [_jsonable(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    return None
