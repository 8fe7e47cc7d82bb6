"""Presentation: what the model sees of a hit, and the entry that the store keeps of it, made in one step."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from pincite._quick import maker
from pincite.citing._neutral import neutralised, restored, without_markers
from pincite.citing.registered import (
    CONTENT_FIELDS,
    CitationContextContribution,
    CitedObject,
    RegisteredHit,
    is_ours,
    is_row,
    text_of,
)
from pincite.core.errors import InputError, KeyClashError
from pincite.core.hit import Hit
from pincite.core.ids import (
    chunk_id,
    foreign_id,
    is_evidence_id,
    is_uuid,
    parse_evidence_id,
    version_of_normal,
)
from pincite.core.locators import Locator
from pincite.core.text import normalise, one_line
from pincite.core.urls import safe_link
from pincite.core.verdicts import Confidence

if TYPE_CHECKING:
    from pincite.citing.store import CitationStore
    from pincite.core.ledger import Ledger
    from pincite.core.limits import Limits
    from pincite.core.refs import RefIssuer

    Reader = Callable[[str], object]

__all__ = ["Presenter", "hit_of", "neutralised", "payload_of", "restored"]

# Names under which other systems keep the same thing, tried in order; those of metadata after the item's own.
_ADDRESS = ("source_url", "url", "source_uri")
_META_ADDRESS = (*_ADDRESS, "source")
_ID = ("id", "chunk_id", "node_id", "id_")
_META_TITLE = ("title", "file_name")

# A title that is a label already: visible ASCII, single blanks between. Possessive runs, linear.
_PLAIN_TITLE = re.compile(r"[!-~]++(?: [!-~]++)*+")
# What no address has that a marker can hold: line ends and other control characters. Linear, one class.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")

_hit, _cited_object, _registered_hit, _contribution = (
    maker(Hit),
    maker(CitedObject),
    maker(RegisteredHit),
    maker(CitationContextContribution),
)
_NOWHERE = Locator()
_UUID_LENGTH = 36
_CONFIDENCES = tuple(Confidence)


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
            number = self._store.issue_number(hit.chunk_id)
            payload = self._enter(item, hit, evidence, str(number), shown, number)
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
        payload: dict[str, Any] = {str(self._key_field): key, "title": neutralised(known.title)}
        payload["locator"] = neutralised(known.locator.describe())
        payload["content"] = neutralised(known.text[:max_chars])
        return payload

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
        )
        if not address or not fits:
            return hit, self._enter(item, hit, evidence, f"{self._base_url}/citations/{hit.chunk_id}", shown)
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

    def _enter(
        self, item: object, hit: Hit, evidence: str | None, key: str, shown: str, number: int | None = None
    ) -> dict[str, Any]:
        if not key:
            msg = "A passage without a version has no evidence id to be cited by."
            raise InputError(msg, field="evidence_id")
        title = _label(hit.title, self._limits)
        payload = payload_of(hit, self._key_field, number or key, shown, self._limits, title)
        collection = hit.collection or None
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
        self._store.register(
            _registered_hit(
                key,
                payload.copy(),
                item if not isinstance(item, RegisteredHit) else item.search_hit,
                safe_link(hit.source_uri),
                _contribution((hit.document_id,), ()),
                None if collection is None else "collection",
                collection,
                known,
            )
        )
        return payload


def payload_of(
    hit: Hit, key_field: str | None, key: str | int, shown: str, limits: Limits, title: str | None = None
) -> dict[str, Any]:
    """Return what a model sees of a hit: its key, its title and place, and `shown`, the part of its text.

    `title` is the title as a label, where it is made already. Nothing in it reads as a marker of ours.
    """
    payload: dict[str, Any] = {} if key_field is None else {key_field: key}
    payload["title"] = neutralised(_label(hit.title, limits) if title is None else title)
    payload["locator"] = "" if hit.locator is _NOWHERE else neutralised(hit.locator.describe())
    payload["content"] = neutralised(shown)
    return payload


def _part_of(address: str, hit: Hit) -> str:
    return f"{address}{'&' if '#' in address else '#'}passage-{hit.ref}"


def _label(title: str, limits: Limits) -> str:
    if not title or (len(title) <= limits.title_code_points and _PLAIN_TITLE.fullmatch(title) is not None):
        return title
    return one_line(title, limits.title_code_points)


def hit_of(item: object, refs: RefIssuer) -> Hit:
    """Return `item` as a hit: one of ours as it is, a mapping or object of another system translated.

    An item from elsewhere needs text (`content`, `text` or `page_content`) and an address (`source_url`, `url`,
    `source_uri`) or an id (`id`, `chunk_id`, `node_id`); its passage id is made from these. Of an item that wraps a
    `node`, the node counts. A registered hit is the passage that it was.

    Raises:
        InputError: it has no text, or neither address nor id.
    """
    if isinstance(item, Hit):
        return item
    if isinstance(item, RegisteredHit):
        return _again(item, refs)
    # Each field is read where it is wanted, and the likely name first: thousands of hits pass here.
    value = _reader(item)
    content = value("content") or _first(value, CONTENT_FIELDS)
    if not isinstance(content, str) or not content or content.isspace():
        msg = "A hit needs its text as `content`, `text` or `page_content`."
        raise InputError(msg, field="content")
    metadata = _metadata(value)
    address = _address(value, metadata)
    own_id = _text(value("id") or _first(value, _ID))
    if address is None and own_id is None:
        msg = "A hit needs an address (`source_url`, `url`, `source_uri`) or an `id`."
        raise InputError(msg, field="id")
    text = content if _is_plain(content) else normalise(content)
    document = _text(value("document_id")) or address or own_id or ""
    if len(document) != _UUID_LENGTH or not is_uuid(document):
        document = foreign_id(document)
    own = own_id is not None and len(own_id) == _UUID_LENGTH and is_uuid(own_id)
    chunk = own_id if own and own_id is not None else chunk_id(document, text)
    title = value("title") or (_first(metadata.get, _META_TITLE) if metadata else None)
    collection, confidence = "", None
    if value("collection") and isinstance(item, Mapping) and is_row(cast("Mapping[str, object]", item)):
        collection, confidence = str(value("collection")), _confidence(value("confidence"))
    return _hit(
        refs.issue(chunk),
        chunk,
        document,
        text,
        address or "",
        collection,
        metadata,
        confidence,
        _text(title) or "",
        version_of_normal(text),
        _locator(metadata) if metadata else _NOWHERE,
        0,
        len(text),
    )


def _is_plain(text: str) -> bool:
    """Say whether `normalise` leaves a text as it is, told at a glance."""
    return text.isascii() and "\r" not in text and "\x00" not in text


def _again(entry: RegisteredHit, refs: RefIssuer) -> Hit:
    """Return the passage of a registered hit, which may have been kept over a restart."""
    found, known = entry.search_hit, entry.known
    if isinstance(found, Hit):
        return found
    text = known.text or text_of(entry.context_hit, CONTENT_FIELDS)
    if known.chunk_id is None or known.evidence_id is None or not text:
        item = {"content": text, "title": known.title, "id": entry.citation_key, "url": entry.evidence_url}
        return hit_of(item, refs)
    value = _reader(found)
    metadata = _metadata(value)
    address = _address(value, metadata) or entry.evidence_url
    collection = str(found["collection"]) if is_ours(entry) else ""
    return _hit(
        known.ref or refs.issue(known.chunk_id),
        known.chunk_id,
        known.document_id or "",
        text,
        address or "",
        collection,
        metadata,
        known.confidence,
        known.title,
        parse_evidence_id(known.evidence_id).version,
        known.locator,
        0,
        # Where our passages stand in their documents is not kept with a conversation.
        0 if collection else len(text),
    )


def _first(value: Reader, names: tuple[str, ...]) -> object:
    for name in names:
        found = value(name)
        if found is not None and found != "":
            return found
    return None


def _reader(item: object) -> Reader:
    """Return what reads a field of an item: of a mapping, of an object, or of the node that one wraps."""
    # A dictionary is told sooner than any mapping.
    if isinstance(item, dict) or isinstance(item, Mapping):  # noqa: SIM101
        return cast("Mapping[str, object]", item).get
    node = getattr(item, "node", None)
    return partial(_attribute, item if node is None else node)


def _attribute(item: object, name: str) -> object:
    return getattr(item, name, None)


def _address(value: Reader, metadata: Mapping[str, Any]) -> str | None:
    found = value("source_url") or _first(value, _ADDRESS)
    return _text(found or (_first(metadata.get, _META_ADDRESS) if metadata else None))


def _text(value: object) -> str | None:
    if value is None or value == "":
        return None
    return value if isinstance(value, str) else str(value)


def _metadata(value: Reader) -> dict[str, Any]:
    found = value("metadata") or value("meta")
    return dict(cast("Mapping[str, Any]", found)) if found and isinstance(found, Mapping) else {}


def _confidence(value: object) -> Confidence | None:
    return Confidence(value) if value in _CONFIDENCES else None


def _locator(metadata: Mapping[str, Any]) -> Locator:
    page, last, label, section = map(metadata.get, ("page", "page_end", "page_label", "section"))
    label = str(label) if isinstance(label, str | int) and label != "" else None
    first = _page(page)
    if first is not None and label == str(first + 1):
        first += 1  # some systems count pages from 0; the printed label tells which
    place = Locator(
        page=first or None,
        page_end=_page(last) or None,
        page_label=label,
        headings=(section,) if isinstance(section, str) and section else (),
    )
    return _NOWHERE if place == _NOWHERE else place


def _page(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
