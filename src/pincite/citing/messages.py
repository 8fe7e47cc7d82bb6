"""A chat message as agents pass it on: its text, its parts, and the evidences of what it cites."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pincite.citing._fields import identity_of_item, value_of
from pincite.citing.resolve import source_key
from pincite.core.citation import WebCitationSource
from pincite.core.given import of_kind
from pincite.core.urls import safe_link
from pincite.core.verdicts import QuoteVerdict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pincite.citing.store import CitationStore, RegisteredHit
    from pincite.core.answer import Answer, Evidence

# What may stand unescaped in a relative address inside Markdown and HTML alike.
_SAFE = "/:@!$&*+,;=-._~%?#"


@dataclass(frozen=True, slots=True)
class ChatMessageEvidence:
    """A cited source of a message: where to look, the words that were matched, and where the message cites it.

    `document_hit_url` is an http or https address, or a path from the root of the site, or empty. `text_extract` is
    text of the source, never text that only the model wrote. `anchor_text` is the first marker as it was written, or
    the first supported sentence where nothing was. `number` is ours: 1 for the source that is mentioned first.
    `anchors` are all its places in the message's content, as (start, end) in code points. `quote` is what became of
    an extract that the model gave: `absent` where one of them is not the source's, None where it gave none.
    """

    document_hit_url: str
    text_extract: str | None = None
    anchor_text: str | None = None
    number: int | None = None
    anchors: tuple[tuple[int, int], ...] = ()
    quote: QuoteVerdict | None = None


@dataclass(frozen=True, slots=True)
class ContextItems:
    """Objects that a message passes on to the next turn, and who brought them.

    `document_ids` are documents of our own, `custom_items` objects of others, `passages` the citation keys of the
    passages that were cited, in order of first citation. `cited_by` is `assistant` for what an answer cites.
    """

    document_ids: tuple[str, ...] = ()
    custom_items: tuple[Any, ...] = ()
    passages: tuple[str, ...] = ()
    cited_by: str | None = None

    def __bool__(self) -> bool:
        """Say whether there is anything in it."""
        return bool(self.document_ids or self.custom_items or self.passages)

    def __or__(self, other: ContextItems) -> ContextItems:
        """Return the items of both in order, each once; `cited_by` where they agree.

        Raises:
            InputError: `other` holds no items of a context.
        """
        of_kind(other, ContextItems, "other", "the items of a context")
        return ContextItems(
            unique((*self.document_ids, *other.document_ids)),
            unique((*self.custom_items, *other.custom_items)),
            unique((*self.passages, *other.passages)),
            self.cited_by if self.cited_by == other.cited_by else None,
        )

    def without(self, other: ContextItems) -> ContextItems:
        """Return the items that `other` does not hold, in order.

        Raises:
            InputError: `other` holds no items of a context.
        """
        of_kind(other, ContextItems, "other", "the items of a context")
        return ContextItems(
            unique(self.document_ids, other.document_ids),
            unique(self.custom_items, other.custom_items),
            unique(self.passages, other.passages),
            self.cited_by,
        )


@dataclass(frozen=True, slots=True)
class ContentPart:
    """A part of a message: `text` with its text, `context` with its items, or a part of another kind, as `data`."""

    type: str
    text: str | None = None
    context: ContextItems | None = None
    data: Any = None


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a conversation.

    `sender` is `assistant`, `user`, `tool` or `system`. Where there are text parts, `content` is their text.
    """

    content: str = ""
    sender: str = "assistant"
    content_parts: tuple[ContentPart, ...] = ()
    evidences: tuple[ChatMessageEvidence, ...] = ()
    function_call: Any = None
    session_id: str | None = None
    message_id: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def context(self) -> ContextItems:
        """All that the message passes on to the next turn."""
        found: ContextItems | None = None
        for part in self.content_parts:
            if part.context is not None:
                found = part.context if found is None else found | part.context
        return found if found is not None else ContextItems()


def evidences_of(answer: Answer, store: CitationStore) -> list[ChatMessageEvidence]:
    """Return one evidence for each source that `answer` cites, in order of first mention."""
    extracts: dict[str, str] = {}
    quotes: dict[str, QuoteVerdict] = {}
    for citation in answer.citations:
        for source in citation.sources:
            key = source_key(source)
            for text in source.excerpts[:1]:
                extracts.setdefault(key, text)
            if citation.quote is not None and quotes.get(key) is not QuoteVerdict.ABSENT:
                quotes[key] = citation.quote
    return [
        _evidence(answer, one, extracts.get(key), quotes.get(key), store)
        for one in answer.evidences
        for key in [source_key(one.source)]
    ]


def _evidence(
    answer: Answer, found: Evidence, extract: str | None, quote: QuoteVerdict | None, store: CitationStore
) -> ChatMessageEvidence:
    anchors = tuple((anchor.start, anchor.end) for anchor in found.anchors)
    source, passage = found.source, found.source.passage
    hit = store.get(passage.citation_key) if passage is not None else None
    shown = hit.context_hit.get("content") if hit is not None else None
    if hit is None:
        address = ""
    elif isinstance(source, WebCitationSource):
        # Its evidence URL, found to be safe.
        address = source.url
    else:
        address = evidence_address(hit)
    return ChatMessageEvidence(
        document_hit_url=address,
        text_extract=extract or (shown if isinstance(shown, str) else None) or None,
        anchor_text=answer.text[slice(*anchors[0])] if anchors else None,
        number=found.number,
        anchors=anchors,
        quote=quote,
    )


def evidence_address(hit: RegisteredHit) -> str:
    """Return where a rendered evidence of `hit` points, or nothing where none of its addresses is safe.

    Tried in order: its evidence URL, the `document_hit_url` of the object it came from, its citation key. Safe is
    what `safe_link` takes, and a path from the root of the site.
    """
    shown = value_of(hit.search_hit, "document_hit_url")
    for address in (hit.evidence_url, shown, hit.citation_key):
        if isinstance(address, str):
            link = safe_link(address) or _safe_path(address)
            if link:
                return link
    return ""


def _safe_path(address: str) -> str | None:
    """Return a path from the root of the site, percent-encoded where it must be, or None."""
    if not address.startswith("/") or address.startswith("//"):
        return None
    # Whatever cannot be seen is no part of an address; a browser reads a backslash as a slash.
    if "\\" in address or " " in address or not address.isprintable():
        return None
    from urllib.parse import quote  # most messages cite no path

    return quote(address, safe=_SAFE)


def unique(items: tuple[Any, ...], known: tuple[Any, ...] = ()) -> tuple[Any, ...]:
    """Return `items` in order without those in `known`, each once: the same by its `id`, else by being equal."""
    seen = {identity_of_item(item) for item in known}
    kept: list[Any] = []
    for item in items:
        name = identity_of_item(item)
        if name not in seen:
            seen.add(name)
            kept.append(item)
    return tuple(kept)
