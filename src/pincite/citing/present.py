"""Presentation: what the model sees of a hit, and the entry that the store keeps of it, made in one step."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pincite._quick import maker
from pincite.citing._items import NOWHERE, hit_of
from pincite.citing._neutral import neutralised, restored, without_markers
from pincite.citing.registered import OF_A_LIBRARY, CitationContextContribution, CitedObject, RegisteredHit
from pincite.core.errors import InputError, KeyClashError
from pincite.core.hit import Hit
from pincite.core.ids import chunk_id, is_evidence_id, parse_evidence_id
from pincite.core.text import one_line
from pincite.core.urls import safe_link

if TYPE_CHECKING:
    from pincite.citing.store import CitationStore
    from pincite.core.ledger import Ledger
    from pincite.core.limits import Limits
    from pincite.core.locators import Locator

__all__ = ["Presenter", "hit_of", "neutralised", "payload_of", "restored"]

# A title that is a label already: visible ASCII, single blanks between. Possessive runs, linear.
_PLAIN_TITLE = re.compile(r"[!-~]++(?: [!-~]++)*+")
# What no address has that a marker can hold: line ends and other control characters. Linear, one class.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")

# The path of a passage's retrieval address, up to its id.
_RETRIEVAL = "/citations/"
# What may be of a collection of ours: what a search found, and what a store has registered of it.
_OURS = (Hit, RegisteredHit)

_cited_object, _registered_hit, _contribution = (
    maker(CitedObject),
    maker(RegisteredHit),
    maker(CitationContextContribution),
)


class Presenter:
    """Shows hits to a model and registers what it shows.

    `key_field` is the one key-shaped field of a payload, None for none; `base_url` stands before the path of a
    retrieval address.
    """

    __slots__ = ("_base_url", "_key_field", "_ledger", "_limits", "_store")

    def __init__(
        self,
        store: CitationStore,
        ledger: Ledger,
        *,
        key_field: str | None,
        base_url: str = "",
        limits: Limits,
    ) -> None:
        self._store = store
        self._ledger = ledger
        self._key_field = key_field
        self._base_url = base_url.rstrip("/")
        self._limits = limits

    def show(self, item: object, max_chars: int | None = None) -> dict[str, Any]:
        """Register `item` and return what the model sees of it; what is shown whole enters the ledger.

        `max_chars` cuts its text, in code points.

        Raises:
            InputError: the item has no text, or nothing to name it by; or one of our hits has an id that is none.
            KeyClashError: its id stands for other content already.
        """
        hit = hit_of(item, self._store.refs)
        evidence = hit.evidence_id
        if hit is item and evidence is not None and not is_evidence_id(evidence):
            parse_evidence_id(evidence)  # it says what is wrong with it
        content = hit.content
        whole = max_chars is None or len(content) <= max_chars
        shown = content if whole else content[:max_chars]
        if self._key_field == "source_url":
            hit, payload = self._by_address(item, hit, evidence, shown)
            evidence = hit.evidence_id
        elif self._key_field == "number":
            payload = self._enter_numbered(item, hit, evidence, shown)
        else:
            key = evidence or "" if self._key_field == "evidence_id" else hit.ref
            payload = self._enter(item, hit, evidence, key, shown)
        if whole and evidence is not None:
            # The passage itself stands inside what was shown, which may be its whole section.
            place = None
            if hit.end - hit.start == len(content):
                place = (hit.document_id, hit.version, hit.start, hit.end, content)
            self._ledger.record_shown(evidence, place)
        return payload

    def again(self, hit: RegisteredHit, max_chars: int | None = None) -> dict[str, Any] | None:
        """Return what the model sees of a registered hit under the key that it has; None where it has none here."""
        known = hit.known
        key = None if self._key_field is None else hit.context_hit.get(self._key_field)
        names = (known.ref, known.evidence_id, str(known.number))
        if key is None and self._key_field == "source_url" and hit.citation_key not in names:
            key = hit.citation_key
        if key is None:
            return None
        return payload_of(self._key_field, key, known.title, known.locator, known.text[:max_chars])

    def _by_address(
        self, item: object, hit: Hit, evidence: str | None, shown: str
    ) -> tuple[Hit, dict[str, Any]]:
        """Enter a hit under its address: that of its source, or the one where our passage is retrieved."""
        address = None if hit.collection else hit.source_uri
        fits = (
            address
            and len(address) <= self._limits.marker_code_points
            and _CONTROL.search(address) is None
            # An address that reads as a marker would cite something else when it is written as a key.
            and without_markers(address) == address
            and "[[" not in address
            # Where a passage of the library is retrieved is that passage's key and nobody else's.
            and not address.startswith((f"{self._base_url}{_RETRIEVAL}", _RETRIEVAL))
        )
        if not address or not fits:
            return hit, self._enter(item, hit, evidence, f"{self._base_url}{_RETRIEVAL}{hit.chunk_id}", shown)
        # The passages of one address share it: the one that is shown first has it for its key.
        kept = self._store.get(address)
        if kept is None or (kept.known.chunk_id == hit.chunk_id and kept.known.text == hit.content):
            try:
                return hit, self._enter(item, hit, evidence, address, shown)
            except KeyClashError:
                pass  # another thread has just shown another passage of it, or its id stands for other words
        try:
            return hit, self._enter(item, hit, evidence, _part_of(address, hit), shown)
        except KeyClashError:
            # Its system gives one id to several passages; it gets one of its own.
            chunk = chunk_id(hit.document_id, hit.content)
            hit = replace(hit, chunk_id=chunk, ref=self._store.refs.issue(chunk))
            return hit, self._enter(item, hit, hit.evidence_id, _part_of(address, hit), shown)

    def _enter(self, item: object, hit: Hit, evidence: str | None, key: str, shown: str) -> dict[str, Any]:
        if not key:
            msg = "A passage without a version has no evidence id to be cited by."
            raise InputError(msg, field="evidence_id")
        title = _label(hit.title, self._limits)
        payload = payload_of(self._key_field, key, title, hit.locator, shown)
        self._store.register(_entry(item, hit, evidence, key, payload, title))
        return payload

    def _enter_numbered(self, item: object, hit: Hit, evidence: str | None, shown: str) -> dict[str, Any]:
        """Enter a hit under its number, which is issued while it is entered."""
        title = _label(hit.title, self._limits)
        payload = payload_of("number", 0, title, hit.locator, shown)

        def entry(number: int) -> RegisteredHit:
            payload["number"] = number
            return _entry(item, hit, evidence, str(number), payload, title, number)

        self._store.register_numbered(hit.chunk_id, entry)
        return payload


def payload_of(
    key_field: str | None, key: str | int, title: str, locator: Locator, shown: str
) -> dict[str, Any]:
    """Return what a model sees of a passage: its key, if it is shown one, its title, its place and `shown`, its text.

    Rows of a table without their header have that under `columns`. `title` is a label already. Nothing in it reads as a
    marker of ours.
    """
    payload: dict[str, Any] = {} if key_field is None else {key_field: key}
    payload["title"] = neutralised(title)
    payload["locator"] = "" if locator is NOWHERE else neutralised(locator.describe())
    if locator.columns is not None:
        payload["columns"] = neutralised(locator.columns)
    payload["content"] = neutralised(shown)
    return payload


def _entry(
    item: object,
    hit: Hit,
    evidence: str | None,
    key: str,
    payload: dict[str, Any],
    title: str,
    number: int | None = None,
) -> RegisteredHit:
    """Return what the store keeps of a hit that is shown as `payload`."""
    # A mapping may say that it is of a collection; what a search found is no mapping.
    collection = (hit.collection or None) if isinstance(item, _OURS) else None
    known = _cited_object(
        title,
        hit.ref,
        hit.chunk_id,
        hit.document_id,
        evidence,
        hit.locator,
        hit.confidence,
        hit.content,
        number,
    )
    return _registered_hit(
        key,
        payload.copy(),
        item if not isinstance(item, RegisteredHit) else item.search_hit,
        safe_link(hit.source_uri),
        _contribution((hit.document_id,), ()),
        None if collection is None else OF_A_LIBRARY,
        collection,
        known,
    )


def _part_of(address: str, hit: Hit) -> str:
    return f"{address}{'&' if '#' in address else '#'}passage-{hit.ref}"


def _label(title: str, limits: Limits) -> str:
    if not title or (len(title) <= limits.title_code_points and _PLAIN_TITLE.fullmatch(title) is not None):
        return title
    return one_line(title, limits.title_code_points)
