"""An answer as the command line tells it: as JSON, and as tables of verdicts and sources."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pincite.cli.output import CUT
from pincite.core.citation import DocumentCitationSource, MarkerCitationAnchor, WebCitationSource
from pincite.core.errors import MalformedIdError, NotFoundError
from pincite.core.ids import parse_evidence_id
from pincite.core.sentences import sentence_at, split_sentences
from pincite.core.text import one_line
from pincite.core.urls import UPLOAD, safe_link, shown_source
from pincite.core.verdicts import MissReason, SourceState, TraceVerdict
from pincite.showing import render_answer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from enum import StrEnum

    from pincite.checking import AnswerCheck
    from pincite.cli.output import Output
    from pincite.core.answer import Answer
    from pincite.core.citation import Citation, CitationAnchor, CitationSource
    from pincite.library import Library, StoredDocument

# Takes space that a marker has left in front of a stop; linear: one possessive run after a fixed start.
_GAP = re.compile(r"(?<! ) ++(?=[.,;:!?](?: |\Z))")
# Code points of a sentence in a list.
_SENTENCE = 160
# Code points of a sentence in the table, which cuts it further to what fits.
_CLAIM = 200


def faulty(answer: Answer) -> bool:
    """Say whether a citation of the answer is not valid, or names what was never issued."""
    return any(one.trace is not TraceVerdict.VALID for one in answer.citations) or any(
        miss.reason not in (MissReason.IN_CODE, MissReason.IN_LINK) for miss in answer.misses
    )


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


def answer_data(answer: Answer, library: Library, support: AnswerCheck | None = None) -> dict[str, Any]:
    """Return what was found in an answer, as JSON holds it; offsets are code points of `text`."""
    rendered = render_answer(answer)
    kept = _Kept(library)
    numbers = numbers_of(answer)
    passages = _passages(answer, numbers)
    return {
        "answer": rendered.text,
        "text": answer.text,
        "citations": [
            _citation_data(citation, number, kept)
            for citation, number in zip(answer.citations, numbers, strict=True)
        ],
        "sources": [
            {
                "number": evidence.number,
                **_source_data(evidence.source, kept),
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


def _bibliography(source: CitationSource, kept: _Kept) -> dict[str, Any]:
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


def _citation_data(citation: Citation, number: int | None, kept: _Kept) -> dict[str, Any]:
    source = citation.sources[0]
    passage = source.passage
    return {
        "number": number,
        "verdict": _value(citation.trace),
        "quote_verdict": _value(citation.quote),
        "support_verdict": _value(citation.support),
        "ref": passage.ref if passage is not None else None,
        "evidence_id": passage.evidence_id if passage is not None else None,
        "source": _source_data(source, kept),
        "locator": passage.locator.as_dict() if passage is not None else {},
        "confidence": _value(citation.confidence),
        "source_state": _value(kept.state(citation)),
        "excerpt": source.excerpts[0] if source.span is not None and source.excerpts else None,
        "excerpt_start": source.span.start if source.span is not None else None,
        "anchor": _anchor(citation),
        "start": citation.anchor.start if citation.anchor is not None else None,
        "end": citation.anchor.end if citation.anchor is not None else None,
    }


def _value(verdict: StrEnum | None) -> str | None:
    return None if verdict is None else verdict.value


def _anchor(citation: Citation) -> str | None:
    """Say what `start` and `end` are: of the marker, or of the words that it stands for."""
    if citation.anchor is None:
        return None
    return "marker" if isinstance(citation.anchor, MarkerCitationAnchor) else "content"


class _Kept:
    """What the library keeps of the sources of one answer; it is asked once for each, however often it is cited."""

    __slots__ = ("_documents", "_library", "_states")

    def __init__(self, library: Library) -> None:
        self._library = library
        self._documents: dict[str, StoredDocument | None] = {}
        self._states: dict[str, SourceState | None] = {}

    def document(self, source: CitationSource) -> StoredDocument | None:
        """Return the document behind a source, or None when it stands there no more."""
        found = _id_of(source)
        if found is None:
            return None
        if found not in self._documents:
            try:
                self._documents[found] = self._library.document(found)
            except NotFoundError:
                self._documents[found] = None
        return self._documents[found]

    def state(self, citation: Citation) -> SourceState | None:
        """Return what became of the cited version, or None when the library never had it."""
        passage = citation.sources[0].passage
        if passage is None or passage.evidence_id is None:
            return None
        if passage.evidence_id not in self._states:
            try:
                named = parse_evidence_id(passage.evidence_id)
                state = self._library.source_state(named.document_id, named.version)
            except (MalformedIdError, NotFoundError):
                state = None
            self._states[passage.evidence_id] = state
        return self._states[passage.evidence_id]


def _source_data(source: CitationSource, kept: _Kept) -> dict[str, Any]:
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
    passage = source.passage
    if passage is None or passage.evidence_id is None:
        return None
    try:
        return parse_evidence_id(passage.evidence_id).document_id
    except MalformedIdError:
        return None


def claims_of(answer: Answer) -> list[str]:
    """Return, for each citation, the sentence of the answer that it supports, without the markers in it."""
    sentences = split_sentences(answer.text)
    spans = [
        None if one.anchor is None else sentence_at(sentences, one.anchor.start) for one in answer.citations
    ]
    inside: dict[tuple[int, int], list[CitationAnchor]] = {}
    for anchor in sorted((one.anchor for one in answer.citations if one.anchor), key=lambda one: one.start):
        span = sentence_at(sentences, anchor.start)
        if span is not None:
            inside.setdefault(span, []).append(anchor)
    bare = {span: _without(answer.text, span, anchors) for span, anchors in inside.items()}
    return ["" if span is None else bare[span] for span in spans]


def _without(text: str, span: tuple[int, int], anchors: list[CitationAnchor]) -> str:
    pieces: list[str] = []
    at, end = span
    for anchor in anchors:
        # An anchor that is the sentence itself is no marker in it.
        if isinstance(anchor, MarkerCitationAnchor) and at <= anchor.start and anchor.end <= end:
            pieces.append(text[at : anchor.start])
            at = anchor.end
    return _GAP.sub("", "".join([*pieces, text[at:end]])).removesuffix("…")


def print_sources(output: Output, answer: Answer, library: Library) -> None:
    """Print the numbered sources: title, each cited place, and where the document comes from."""
    from rich.text import Text

    if not answer.evidences:
        return
    output.say("Sources", style="bold")
    kept = _Kept(library)
    places: dict[int | None, dict[str, None]] = {}
    for citation, number in zip(answer.citations, numbers_of(answer), strict=True):
        places.setdefault(number, {})[place_of(citation)] = None
    for evidence in answer.evidences:
        data = _source_data(evidence.source, kept)
        line = Text(f"[{evidence.number}] ", style="cyan")
        line.append(one_line(str(data["title"] or "Untitled"), _SENTENCE), style="default")
        home = data["source_uri"] or str(data["source_key"] or "").removeprefix(UPLOAD)
        if home:
            line.append(f"  {one_line(home, _SENTENCE)}", style="dim")
        output.say(line)
        for place in filter(None, places.get(evidence.number, {})):
            output.say(f"    {one_line(place, _SENTENCE)}")
    output.say()


def place_of(citation: Citation) -> str:
    """Say where the cited passage stands."""
    passage = citation.sources[0].passage
    return passage.locator.describe() if passage is not None else ""


def print_verdicts(output: Output, answer: Answer, library: Library) -> None:
    """Print one line per citation, then what looks like one and is none; a column that would be empty is left out."""
    quoted, judged, scored = (
        any(getattr(one, name) is not None for one in answer.citations)
        for name in ("quote", "support", "confidence")
    )
    kept = _Kept(library)
    claims = claims_of(answer)
    # A long sentence may hold many citations: it is cut once.
    short = {claim: one_line(claim, _CLAIM) for claim in dict.fromkeys(claims)}
    rows = [
        (
            f"[{number}]" if number is not None else "",
            _value(citation.trace) or "",
            *(_value(citation.quote) or "" for _ in range(quoted)),
            *(_value(citation.support) or "" for _ in range(judged)),
            *(_value(citation.confidence) or "" for _ in range(scored)),
            _ref_of(citation),
            _standing_of(citation, kept),
            short[claim],
        )
        for citation, number, claim in zip(answer.citations, numbers_of(answer), claims, strict=True)
    ]
    blank = [""] * (quoted + judged + scored)
    rows += [
        ("", miss.reason.value, *blank, miss.written, _hint(miss.suggestion), "") for miss in answer.misses
    ]
    if rows:
        # What the search thought of a passage is called otherwise than what the check thinks of the sentence.
        told = [*(["quote"] * quoted), *(["support"] * judged), *(["search"] * scored)]
        head = ("cited", "verdict", *told, "ref", "place", CUT)
        output.table(head, rows, narrow=head[:-1])
        output.say()


def _standing_of(citation: Citation, kept: _Kept) -> str:
    """Return the cited place, with a word on its source when that is not what it was."""
    state = kept.state(citation)
    if state is None or state is SourceState.CURRENT:
        return place_of(citation)
    return f"{place_of(citation)} ({state.value})".lstrip()


def _ref_of(citation: Citation) -> str:
    passage = citation.sources[0].passage
    return (passage.ref or "") if passage is not None else ""


def _hint(suggestion: str | None) -> str:
    return f"did it mean {suggestion}?" if suggestion is not None else ""


def print_uncited(
    output: Output, answer: Answer, better: Mapping[tuple[int, int], str] | None = None
) -> None:
    """Print the sentences that carry no citation, each with the passage that says the same, by place, if one does."""
    _print_list(
        output,
        "Sentences without a citation",
        [
            f"{one_line(finding.text, _SENTENCE)}{_said_in(better or {}, (finding.start, finding.end))}"
            for finding in answer.checks
        ],
    )


def _said_in(better: Mapping[tuple[int, int], str], place: tuple[int, int]) -> str:
    return f"  ({better[place]} says so)" if place in better else ""


def _print_list(output: Output, title: str, texts: Sequence[str]) -> None:
    if not texts:
        return
    output.say(title, style="bold")
    for text in texts:
        output.say(f"  - {text}")
    output.say()
