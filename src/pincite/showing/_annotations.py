"""Citations as W3C Web Annotations: each sentence of the answer about the very words that it rests on.

The terms are those of the Web Annotation Data Model (W3C Recommendation, 23 February 2017).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from pincite.checking import FragmentSelector, TextPositionSelector, TextQuoteSelector
from pincite.core.citation import ContentCitationAnchor, MarkerCitationAnchor, WebCitationSource
from pincite.core.ids import foreign_id, is_uuid
from pincite.core.sentences import sentence_at, split_sentences
from pincite.core.urls import safe_link
from pincite.showing._plain import line_of
from pincite.showing._works import names_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pincite.core.answer import Answer
    from pincite.core.citation import Citation, CitationSource
    from pincite.core.protocols import EvidenceText

CONTEXT = "http://www.w3.org/ns/anno.jsonld"
# Code points on each side of a quote that tell it from the same words elsewhere.
_AROUND = 32
# What stands right behind a word, also where a marker stood between.
_CLOSING = frozenset(".,;:!?)")
# What makes a line an item, a heading or a quotation: anchored, bounded runs.
_BEGINNING = re.compile(r"\A(?:(?:[-*+>]|#{1,6}|[0-9]{1,9}[.)]) ){1,4}")
# What a fragment of a PDF's address means, as the data model names it.
_PDF_FRAGMENTS = "http://tools.ietf.org/rfc/rfc3778"


class _Words(NamedTuple):
    """The words that are meant, those on both sides, and where they begin in the text of their version, if known."""

    exact: str
    prefix: str = ""
    suffix: str = ""
    start: int | None = None


def collection_of(answer: Answer, texts: Iterable[EvidenceText], title: str) -> dict[str, Any]:
    """Return a collection with one annotation for each source of each citation, in the order of the answer."""
    held = _Held(texts)
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
    citation: Citation, source: CitationSource, sentence: str, words: _Words | None, name: str
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


def _selectors(words: _Words, page: int | None) -> list[dict[str, Any]]:
    """Return what selects the same words in several ways: by themselves, by their place, by their page."""
    quote = TextQuoteSelector(words.exact, words.prefix, words.suffix).as_dict()
    found = [quote]
    if words.start is not None:
        found.append(TextPositionSelector(words.start, words.start + len(words.exact)).as_dict())
    if page is not None:
        # A page holds more than the words, so they are looked for on it.
        found.append({**FragmentSelector(f"page={page}", _PDF_FRAGMENTS).as_dict(), "refinedBy": quote})
    return found


class _Held:
    """The texts that somebody has of the cited versions: by the id of the evidence, and joined where they touch."""

    __slots__ = ("_named", "_runs")

    def __init__(self, texts: Iterable[EvidenceText]) -> None:
        self._named = {text.evidence_id: text for text in texts}
        versions: dict[tuple[str, str], list[EvidenceText]] = {}
        for text in self._named.values():
            versions.setdefault((text.document_id, text.version), []).append(text)
        self._runs = {version: _joined(held) for version, held in versions.items()}

    def words(self, source: CitationSource) -> _Words | None:
        """Return the words of a source that are meant: its own excerpt, in its place where that is known."""
        name = source.passage.evidence_id if source.passage is not None else None
        passage = self._named.get(name) if name is not None else None
        exact = source.excerpts[0] if source.excerpts else passage.text if passage is not None else ""
        if passage is None or not exact:
            return _Words(exact) if exact else None
        inner = source.span.start if source.span is not None else 0
        if not passage.text.startswith(exact, inner):
            # The excerpt is of another text than the one that is kept: it has no place in that.
            return _Words(exact)
        start = passage.start + inner
        return _Words(exact, *self._around(passage, start, start + len(exact)), start)

    def _around(self, passage: EvidenceText, start: int, end: int) -> tuple[str, str]:
        """Return what stands before and behind a place."""
        runs = self._runs[passage.document_id, passage.version]
        begins, text = runs[bisect_right(runs, start, key=itemgetter(0)) - 1]
        first, last = start - begins, end - begins
        return text[max(0, first - _AROUND) : first], text[last : last + _AROUND]


def _joined(texts: list[EvidenceText]) -> list[tuple[int, str]]:
    """Return what several texts of a version show of it: where each stretch begins, and its text."""
    runs: list[tuple[int, list[str]]] = []
    end = -1
    for text in sorted(texts, key=lambda one: one.start):
        if text.start > end:
            runs.append((text.start, []))
            end = text.start
        fresh = text.text[end - text.start :]
        runs[-1][1].append(fresh)
        end += len(fresh)
    return [(start, "".join(parts)) for start, parts in runs]
