"""An answer as JSON: the one shape in which every door tells it."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pincite.core.citation import DocumentCitationSource, MarkerCitationAnchor, WebCitationSource
from pincite.core.errors import MalformedIdError, NotFoundError
from pincite.core.ids import parse_evidence_id
from pincite.core.scope import Scope
from pincite.core.urls import safe_link, shown_source
from pincite.core.verdicts import SourceState
from pincite.showing import render_answer

if TYPE_CHECKING:
    from collections.abc import Sequence
    from enum import StrEnum

    from pincite.checking import AnswerCheck
    from pincite.citing import CitationStore
    from pincite.core.answer import Answer
    from pincite.core.citation import Citation, CitationSource
    from pincite.core.ids import EvidenceId
    from pincite.library import Library, StoredDocument


def numbers_of(answer: Answer) -> list[int | None]:
    """Return the number of each citation, in order: that of its source."""
    by_anchor = {
        (anchor.start, anchor.end): evidence.number
        for evidence in answer.evidences
        for anchor in evidence.anchors
    }
    return [
        None if one.anchor is None else by_anchor.get((one.anchor.start, one.anchor.end))
        for one in answer.citations
    ]


def answer_json(
    answer: Answer, library: Library | None = None, support: AnswerCheck | None = None
) -> dict[str, Any]:
    """Return what was found in an answer, as JSON holds it; offsets are code points of `text`.

    `library` says what its documents are called today and what became of the cited versions; without one nothing is
    said of that.
    """
    rendered = render_answer(answer)
    kept = Kept(library)
    numbers = numbers_of(answer)
    passages = _passages(answer, numbers)
    return {
        "answer": rendered.text,
        "text": answer.text,
        "citations": [
            _citation_json(citation, number, kept)
            for citation, number in zip(answer.citations, numbers, strict=True)
        ],
        "sources": [
            {
                "number": evidence.number,
                **source_json(evidence.source, kept),
                "locator": evidence.locator.as_dict(),
                "bibliography": _bibliography(evidence.source, kept),
                "passages": passages.get(evidence.number, []),
            }
            for evidence in answer.evidences
        ],
        "misses": [
            {
                "start": miss.start,
                "end": miss.end,
                "written": miss.written,
                "reason": miss.reason.value,
                "suggestion": miss.suggestion,
            }
            for miss in answer.misses
        ],
        "uncited": [
            {"start": finding.start, "end": finding.end, "text": finding.text} for finding in answer.checks
        ],
        "support": support.as_dict() if support is not None else None,
    }


def _bibliography(source: CitationSource, kept: Kept) -> dict[str, Any]:
    document = kept.document(source)
    return document.bibliography.as_dict() if document is not None else {}


def _passages(answer: Answer, numbers: Sequence[int | None]) -> dict[int | None, list[dict[str, Any]]]:
    """Return the text of the cited passages of each source, each once."""
    found: dict[int | None, dict[str | None, dict[str, Any]]] = {}
    for citation, number in zip(answer.citations, numbers, strict=True):
        source = citation.sources[0]
        passage = source.passage
        # Where a part was quoted, the citation itself has its words.
        if passage is not None and source.span is None and source.excerpts:
            told = {"ref": passage.ref, "evidence_id": passage.evidence_id, "text": source.excerpts[0]}
            found.setdefault(number, {}).setdefault(passage.evidence_id or passage.ref, told)
    return {number: list(told.values()) for number, told in found.items()}


def _citation_json(citation: Citation, number: int | None, kept: Kept) -> dict[str, Any]:
    source = citation.sources[0]
    passage = source.passage
    return {
        "number": number,
        "verdict": value_of(citation.trace),
        "quote_verdict": value_of(citation.quote),
        "support_verdict": value_of(citation.support),
        "ref": passage.ref if passage is not None else None,
        "evidence_id": passage.evidence_id if passage is not None else None,
        "source": source_json(source, kept),
        "locator": passage.locator.as_dict() if passage is not None else {},
        "confidence": value_of(citation.confidence),
        "source_state": value_of(kept.state(citation)),
        "excerpt": source.excerpts[0] if source.span is not None and source.excerpts else None,
        "excerpt_start": source.span.start if source.span is not None else None,
        "anchor": _anchor(citation),
        "start": citation.anchor.start if citation.anchor is not None else None,
        "end": citation.anchor.end if citation.anchor is not None else None,
    }


def value_of(verdict: StrEnum | None) -> str | None:
    """Return a verdict as JSON holds it."""
    return None if verdict is None else verdict.value


def _anchor(citation: Citation) -> str | None:
    """Say what `start` and `end` are: of the marker, or of the words that it stands for."""
    if citation.anchor is None:
        return None
    return "marker" if isinstance(citation.anchor, MarkerCitationAnchor) else "content"


class Kept:
    """What the library keeps of the sources of one answer; it is asked once for each, however often it is cited."""

    __slots__ = ("_documents", "_library", "_states")

    def __init__(self, library: Library | None) -> None:
        """Without a library nothing is known of any source."""
        self._library = library
        self._documents: dict[str, StoredDocument | None] = {}
        self._states: dict[tuple[str, str], SourceState | None] = {}

    def document(self, source: CitationSource) -> StoredDocument | None:
        """Return the document behind a source, or None when it stands there no more.

        A passage may come from anywhere and say that it is of any document. It is believed where the library has the
        very version that the passage is of: that is made of the words, and nobody can choose it.
        """
        named = _named(source)
        if named is None or self._library is None or self._state_of(named) is None:
            return None
        found = named.document_id
        if found not in self._documents:
            try:
                self._documents[found] = self._library.document(found)
            except NotFoundError:
                self._documents[found] = None
        return self._documents[found]

    def state(self, citation: Citation) -> SourceState | None:
        """Return what became of the cited version, or None when the library never had it."""
        named = _named(citation.sources[0])
        return None if named is None else self._state_of(named)

    def _state_of(self, named: EvidenceId) -> SourceState | None:
        if self._library is None:
            return None
        version = (named.document_id, named.version)
        if version not in self._states:
            try:
                self._states[version] = self._library.source_state(*version)
            except NotFoundError:
                self._states[version] = None
        return self._states[version]


def source_json(source: CitationSource, kept: Kept) -> dict[str, Any]:
    """Return what names a source: title, ids, and an address only when it is a safe link."""
    document = kept.document(source)
    url = source.url if isinstance(source, WebCitationSource) else None
    return {
        "title": source.title or (document.title if document is not None else None),
        "document_id": document.document_id if document is not None else _id_of(source),
        "source_key": shown_source(document.source_key) if document is not None else None,
        "source_uri": safe_link(url or (document.source_uri if document is not None else None)),
    }


def _id_of(source: CitationSource) -> str | None:
    """Return the document's id: as it stands, or out of the evidence id of the bound passage."""
    if isinstance(source, DocumentCitationSource):
        return source.document_id
    named = _named(source)
    return None if named is None else named.document_id


def _named(source: CitationSource) -> EvidenceId | None:
    """Return the evidence id of the bound passage in its parts, or None where there is none."""
    passage = source.passage
    if passage is None or passage.evidence_id is None:
        return None
    try:
        return parse_evidence_id(passage.evidence_id)
    except MalformedIdError:
        return None


def standing(library: Library, store: CitationStore) -> Scope:
    """Return the documents that a conversation has seen and that still stand in the library.

    That a passage says of what document it is opens nothing: the library has to know the version that it is of.
    """
    seen: set[tuple[str, str]] = set()
    for hit in store:
        with suppress(MalformedIdError):
            named = parse_evidence_id(hit.known.evidence_id or "")
            seen.add((named.document_id, named.version))
    found: set[str] = set()
    for document, version in seen:
        with suppress(NotFoundError):
            if library.source_state(document, version) is not SourceState.REMOVED:
                found.add(document)
    return Scope(found)
