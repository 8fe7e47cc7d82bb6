"""Registered hits as JSON holds them, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pincite.citing.registered import (
    OF_A_LIBRARY,
    CitationContextContribution,
    CitedObject,
    is_ours,
    jsonable,
)
from pincite.core.hit import Hit
from pincite.core.locators import Locator
from pincite.core.verdicts import Confidence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pincite.citing.registered import RegisteredHit


def hit_as_dict(hit: RegisteredHit) -> dict[str, Any]:
    """Return a registered hit as JSON holds it; what JSON does not know is None, and left out of its items."""
    search_hit = hit.search_hit.row() if isinstance(hit.search_hit, Hit) else hit.search_hit
    known = hit.known
    items = [jsonable(item) for item in hit.context_contribution.custom_items]
    return {
        "citation_key": hit.citation_key,
        "context_hit": jsonable(hit.context_hit),
        "search_hit": jsonable(search_hit),
        "evidence_url": hit.evidence_url,
        "context_contribution": {
            "document_ids": list(hit.context_contribution.document_ids),
            "custom_items": [item for item in items if item is not None],
        },
        # A row that is kept does not say itself that a search of ours had found it.
        "index_type": hit.index_type or (OF_A_LIBRARY if is_ours(hit) else None),
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
            "number": known.number,
        },
    }


def arguments_of(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `register_hit` that an exported hit was registered with."""
    known = dict(entry["known"])
    known["locator"] = Locator.from_dict(known["locator"])
    known["confidence"] = Confidence(known["confidence"]) if known["confidence"] is not None else None
    words = [known[name] for name in ("title", "text")]
    ids = [known[name] for name in ("ref", "chunk_id", "document_id", "evidence_id")]
    ids += [entry[name] for name in ("evidence_url", "index_type", "index_id")]
    if not all(isinstance(word, str) for word in words) or not all(isinstance(n, str | None) for n in ids):
        msg = "What is known of a hit is not text."
        raise TypeError(msg)
    return {
        **{name: entry[name] for name in _STORED},
        "context_contribution": CitationContextContribution(**entry["context_contribution"]),
        "known": CitedObject(**known),
    }


_STORED = ("citation_key", "context_hit", "search_hit", "evidence_url", "index_type", "index_id")


def strings_of(found: Any) -> dict[str, str]:  # noqa: ANN401 - whatever was kept
    """Return a mapping of strings to strings.

    Raises:
        TypeError: it is none.
        ValueError: it is none.
    """
    strings: dict[Any, Any] = dict(found)
    if not all(isinstance(one, str) for pair in strings.items() for one in pair):
        msg = "There is something other than text in it."
        raise TypeError(msg)
    return strings
