"""Citations as W3C Web Annotations: each sentence of the answer about the very words that it rests on.

The terms are those of the Web Annotation Data Model (W3C Recommendation, 23 February 2017).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, Any

from pincite.checking import FragmentSelector, TextPositionSelector, TextQuoteSelector
from pincite.core.citation import ContentCitationAnchor, MarkerCitationAnchor, WebCitationSource
from pincite.core.ids import foreign_id, is_uuid
from pincite.core.sentences import sentence_at, split_sentences
from pincite.core.urls import safe_link
from pincite.showing._plain import line_of
from pincite.showing._works import names_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pincite.core.answer import Answer
    from pincite.core.citation import Citation, CitationSource
    from pincite.showing._held import Held, Words

CONTEXT = "http://www.w3.org/ns/anno.jsonld"
# What stands right behind a word, also where a marker stood between.
_CLOSING = frozenset(".,;:!?)")
# What makes a line an item, a heading or a quotation: anchored, bounded runs.
_BEGINNING = re.compile(r"\A(?:(?:[-*+>]|#{1,6}|[0-9]{1,9}[.)]) ){1,4}")
# What a fragment of a PDF's address means, as the data model names it.
_PDF_FRAGMENTS = "http://tools.ietf.org/rfc/rfc3778"


def collection_of(answer: Answer, held: Held, title: str) -> dict[str, Any]:
    """Return a collection with one annotation for each source of each citation, in the order of the answer."""
    name = _urn("answer", answer.text)
    items = [
        _annotation(citation, source, sentence, held.words(source), name)
        for citation, sentence in zip(answer.citations, _sentences(answer), strict=True)
        for source in citation.sources
    ]
    page = {"id": _urn("page", name), "type": "AnnotationPage", "partOf": name, "startIndex": 0}
    return {
        "@context": CONTEXT,
        "id": name,
        "type": "AnnotationCollection",
        "label": title or "Citations of an answer",
        "total": len(items),
        "first": {**page, "items": items},
    }


def _annotation(
    citation: Citation, source: CitationSource, sentence: str, words: Words | None, name: str
) -> dict[str, Any]:
    target: dict[str, Any] = {"type": "SpecificResource", "source": _iri(source)}
    if words is not None:
        page = source.passage.locator.page if source.passage is not None else None
        target["selector"] = _selectors(words, page)
    body = {"type": "TextualBody", "value": sentence, "format": "text/plain", "purpose": "linking"}
    return {
        "id": _urn(name, repr(citation.anchor), target["source"], repr(words)),
        "type": "Annotation",
        "motivation": "linking",
        **({"body": body} if sentence else {}),
        "target": target,
    }


def _iri(source: CitationSource) -> str:
    """Return the address of a source; the name of its document where it has none that is safe to open."""
    link = safe_link(source.url) if isinstance(source, WebCitationSource) else None
    if link is not None:
        return link
    names = [name for name in names_of(source) if name]
    own = next((name for name in names if is_uuid(name)), None)
    return f"urn:uuid:{own}" if own is not None else _urn(*names[:1], source.title or "")


def _urn(*parts: str) -> str:
    """Return a name that is the same for the same parts."""
    return f"urn:uuid:{foreign_id(chr(0).join(parts))}"


def _sentences(answer: Answer) -> Iterator[str]:
    """Yield the words of the answer that each citation is about, without marks of any kind."""
    sentences = split_sentences(answer.text)
    anchors = [citation.anchor for citation in answer.citations]
    markers = sorted((one.start, one.end) for one in anchors if isinstance(one, MarkerCitationAnchor))
    said: dict[tuple[int, int], str] = {}
    for anchor in anchors:
        span = (0, 0)
        if isinstance(anchor, ContentCitationAnchor):
            span = (anchor.start, anchor.end)
        elif anchor is not None:
            span = sentence_at(sentences, anchor.start) or span
        if span not in said:
            said[span] = _BEGINNING.sub("", line_of(_without(answer.text, span, markers)))
        yield said[span]


def _without(text: str, span: tuple[int, int], markers: Sequence[tuple[int, int]]) -> str:
    """Return a stretch of `text` without the markers in it."""
    parts: list[str] = []
    at, end = span
    for first, last in markers[bisect_left(markers, (at, at)) :]:
        if first >= end:
            break
        if first > at:
            parts.append(text[at:first])
        at = max(at, last)
        if parts and text[at : at + 1] in _CLOSING:
            parts[-1] = parts[-1].rstrip(" ")
    return "".join([*parts, text[at:end]])


def _selectors(words: Words, page: int | None) -> list[dict[str, Any]]:
    """Return what selects the same words in several ways: by themselves, by their place, by their page."""
    quote = TextQuoteSelector(words.exact, words.prefix, words.suffix).as_dict()
    found = [quote]
    if words.start is not None:
        found.append(TextPositionSelector(words.start, words.start + len(words.exact)).as_dict())
    if page is not None:
        # A page holds more than the words, so they are looked for on it.
        found.append({**FragmentSelector(f"page={page}", _PDF_FRAGMENTS).as_dict(), "refinedBy": quote})
    return found
