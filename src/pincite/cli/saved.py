"""An answer as it was saved: what `pincite ask --json` and `pincite check --json` print, back as an `Answer`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar, cast

from pincite.core.answer import Answer, Evidence, Miss
from pincite.core.bibliography import Bibliography
from pincite.core.citation import (
    BoundPassage,
    Citation,
    ContentCitationAnchor,
    DocumentCitationSource,
    MarkerCitationAnchor,
    SourceSpan,
    WebCitationSource,
)
from pincite.core.errors import InputError, PinciteError
from pincite.core.given import maybe, of_kind
from pincite.core.locators import Locator
from pincite.core.urls import safe_link
from pincite.core.verdicts import (
    Confidence,
    MissReason,
    QuoteVerdict,
    SourceState,
    SupportVerdict,
    TraceVerdict,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite.core.citation import CitationAnchor, CitationSource

# What every field of a saved answer is said to be when it is something else.
_FIELD = "answer"
_WHAT = "what `pincite ask --json` prints"
_Json = dict[str, Any]
_Verdict = TypeVar("_Verdict", bound=StrEnum)
# Code points of a passage, at most: whoever saved the answer has read no longer document.
_LONGEST = 1 << 40


@dataclass(frozen=True, slots=True)
class Saved:
    """A saved answer: the question, when it was saved with one, and what is known of its documents, by their ids."""

    answer: Answer
    question: str
    known: dict[str, Bibliography]


def saved(data: object) -> Saved:
    """Return the answer that `data`, from JSON, describes.

    Raises:
        InputError: it is no answer that a command printed.
    """
    try:
        return _saved(_object(data))
    except (PinciteError, KeyError, TypeError, ValueError) as error:
        msg = f"ANSWER is a file with {_WHAT}; this one is not."
        raise InputError(msg, field=_FIELD) from error


def _saved(data: _Json) -> Saved:
    text = of_kind(data["text"], str, _FIELD, _WHAT)
    sources = _objects(data["sources"])
    texts = {
        (one.get("evidence_id") or one.get("ref")): _string(one, "text")
        for source in sources
        for one in _objects(source.get("passages", []))
    }
    citations: list[Citation] = []
    anchors: dict[int, list[CitationAnchor]] = {}
    for one in _objects(data["citations"]):
        citation = _citation(one, texts, len(text))
        citations.append(citation)
        if one["number"] is not None and citation.anchor is not None:
            anchors.setdefault(one["number"], []).append(citation.anchor)
    evidences = [_evidence(one, citations, anchors) for one in sources]
    answer = Answer(
        text=text,
        citations=tuple(citations),
        evidences=tuple(evidences),
        misses=tuple(_miss(one, len(text)) for one in _objects(data.get("misses", []))),
    )
    known = dict(_known(sources))
    return Saved(answer, _string(data, "question"), known)


def _citation(data: _Json, texts: dict[Any, str], length: int) -> Citation:
    evidence_id, ref = _maybe(data, "evidence_id"), _maybe(data, "ref")
    source = _object(data["source"])
    locator = _locator(data)
    document = _maybe(source, "document_id")
    passage = None
    if evidence_id is not None or ref is not None:
        passage = BoundPassage(
            ref or evidence_id or "", ref, evidence_id=evidence_id, locator=locator, document_id=document
        )
    quoted, whole = _maybe(data, "excerpt"), texts.get(evidence_id or ref, "")
    excerpts = tuple(filter(None, (quoted or whole,)))
    start = data.get("excerpt_start")
    span = SourceSpan(*_span(start, start + len(quoted), _LONGEST)) if quoted and start is not None else None
    return Citation(
        sources=(_source(source, excerpts, span, passage),),
        anchor=_anchor(data, length),
        trace=_of(TraceVerdict, data.get("verdict")),
        quote=_of(QuoteVerdict, data.get("quote_verdict")),
        support=_of(SupportVerdict, data.get("support_verdict")),
        source_state=_of(SourceState, data.get("source_state")),
        confidence=_of(Confidence, data.get("confidence")),
    )


def _source(
    data: _Json, excerpts: tuple[str, ...], span: SourceSpan | None, passage: BoundPassage | None
) -> CitationSource:
    title, link = _maybe(data, "title"), safe_link(_maybe(data, "source_uri"))
    if link is not None:
        return WebCitationSource(link, title, excerpts, span, passage)
    return DocumentCitationSource(_maybe(data, "document_id"), title, excerpts, span, passage)


def _anchor(data: _Json, length: int) -> CitationAnchor | None:
    if data["start"] is None:
        return None
    kind = ContentCitationAnchor if data.get("anchor") == "content" else MarkerCitationAnchor
    return kind(*_span(data["start"], data["end"], length))


def _evidence(data: _Json, citations: list[Citation], anchors: dict[int, list[CitationAnchor]]) -> Evidence:
    number = of_kind(data["number"], int, _FIELD, _WHAT)
    mine = set(anchors.get(number, ()))
    first = next((one.sources[0] for one in citations if one.anchor in mine), None)
    passage = first.passage if first is not None else None
    document = _maybe(data, "document_id")
    if passage is not None and document is not None:
        passage = replace(passage, document_id=document)
    source = _source(data, first.excerpts if first is not None else (), None, passage)
    return Evidence(number, source, _locator(data), tuple(anchors.get(number, ())))


def _miss(data: _Json, length: int) -> Miss:
    start, end = _span(data["start"], data["end"], length)
    reason = MissReason(data["reason"])
    return Miss(start, end, _string(data, "written"), reason, _maybe(data, "suggestion"))


def _known(sources: list[_Json]) -> Iterator[tuple[str, Bibliography]]:
    for one in sources:
        bibliography = Bibliography.from_dict(one.get("bibliography") or {})
        name = _maybe(one, "document_id") or safe_link(_maybe(one, "source_uri"))
        if name is not None:
            yield name, bibliography


def _locator(data: _Json) -> Locator:
    place = Locator.from_dict(_object(data["locator"]))
    for number in (place.page, place.page_end, place.line, place.line_end):
        maybe(number, int, _FIELD, _WHAT)
    for words in (place.page_label, *place.headings):
        maybe(words, str, _FIELD, _WHAT)
    return place


def _span(start: object, end: object, length: int) -> tuple[int, int]:
    first, last = of_kind(start, int, _FIELD, _WHAT), of_kind(end, int, _FIELD, _WHAT)
    if not 0 <= first <= last <= length:
        raise ValueError(start, end)
    return first, last


def _of(kind: type[_Verdict], value: str | None) -> _Verdict | None:
    return None if value is None else kind(value)


def _string(data: _Json, name: str) -> str:
    return _maybe(data, name) or ""


def _maybe(data: _Json, name: str) -> str | None:
    return maybe(data.get(name), str, _FIELD, _WHAT)


def _object(value: object) -> _Json:
    return cast("_Json", of_kind(value, dict, _FIELD, _WHAT))


def _objects(value: object) -> list[_Json]:
    return [_object(one) for one in cast("list[object]", of_kind(value, list, _FIELD, _WHAT))]
