"""An answer as the command line tells it: as JSON, and as tables of verdicts and sources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pincite.cli.output import CUT
from pincite.core.citation import DocumentCitationSource, WebCitationSource
from pincite.core.errors import MalformedIdError, NotFoundError
from pincite.core.ids import parse_evidence_id
from pincite.core.sentences import sentence_at, split_sentences
from pincite.core.text import one_line
from pincite.core.urls import UPLOAD, safe_link, shown_source
from pincite.core.verdicts import MissReason, SourceState, TraceVerdict
from pincite.showing import render_answer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.cli.output import Output
    from pincite.core.answer import Answer
    from pincite.core.citation import Citation, CitationSource
    from pincite.library import Library, StoredDocument

# Code points of a sentence in a list.
_SENTENCE = 160


def faulty(answer: Answer) -> bool:
    """Say whether a citation of the answer is not valid, or names what was never issued."""
    return any(one.trace is not TraceVerdict.VALID for one in answer.citations) or any(
        miss.reason is not MissReason.IN_CODE for miss in answer.misses
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


def answer_data(answer: Answer, library: Library) -> dict[str, Any]:
    """Return what was found in an answer, as JSON holds it; offsets are code points of `text`."""
    rendered = render_answer(answer)
    return {
        "answer": rendered.text,
        "text": answer.text,
        "citations": [
            _citation_data(citation, number, library)
            for citation, number in zip(answer.citations, numbers_of(answer), strict=True)
        ],
        "sources": [
            {
                "number": evidence.number,
                **source_data(evidence.source, library),
                "locator": evidence.locator.as_dict(),
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
    }


def _citation_data(citation: Citation, number: int | None, library: Library) -> dict[str, Any]:
    source = citation.sources[0]
    passage = source.passage
    return {
        "number": number,
        "verdict": citation.trace.value if citation.trace is not None else None,
        "ref": passage.ref if passage is not None else None,
        "evidence_id": passage.evidence_id if passage is not None else None,
        "source": source_data(source, library),
        "locator": passage.locator.as_dict() if passage is not None else {},
        "confidence": citation.confidence.value if citation.confidence is not None else None,
        "source_state": state.value if (state := _state_of(citation, library)) is not None else None,
        "start": citation.anchor.start if citation.anchor is not None else None,
        "end": citation.anchor.end if citation.anchor is not None else None,
    }


def _state_of(citation: Citation, library: Library) -> SourceState | None:
    """Return what became of the cited version, or None when the library never had it."""
    passage = citation.sources[0].passage
    if passage is None or passage.evidence_id is None:
        return None
    try:
        named = parse_evidence_id(passage.evidence_id)
        return library.source_state(named.document_id, named.version)
    except (MalformedIdError, NotFoundError):
        return None


def source_data(source: CitationSource, library: Library) -> dict[str, Any]:
    """Return what names a source: title, ids, and an address only when it is a safe link."""
    document = document_of(source, library)
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


def document_of(source: CitationSource, library: Library) -> StoredDocument | None:
    """Return the library's document behind a source, or None when it stands there no more."""
    found = _id_of(source)
    if found is None:
        return None
    try:
        return library.document(found)
    except NotFoundError:
        return None


def claim_of(answer: Answer, citation: Citation) -> str:
    """Return the sentence of the answer that a citation supports, without the markers in it."""
    if citation.anchor is None:
        return ""
    span = sentence_at(split_sentences(answer.text), citation.anchor.start)
    if span is None:
        return ""
    pieces: list[str] = []
    at, end = span
    for anchor in sorted((one.anchor for one in answer.citations if one.anchor), key=lambda a: a.start):
        if at <= anchor.start and anchor.end <= end:
            pieces.append(answer.text[at : anchor.start])
            at = anchor.end
    return "".join([*pieces, answer.text[at:end]]).removesuffix("…")


def print_sources(output: Output, answer: Answer, library: Library) -> None:
    """Print the numbered sources: title, each cited place, and where the document comes from."""
    from rich.text import Text

    if not answer.evidences:
        return
    output.say("Sources", style="bold")
    numbers = numbers_of(answer)
    for evidence in answer.evidences:
        data = source_data(evidence.source, library)
        line = Text(f"[{evidence.number}] ", style="cyan")
        line.append(one_line(str(data["title"] or "Untitled"), _SENTENCE), style="default")
        home = data["source_uri"] or str(data["source_key"] or "").removeprefix(UPLOAD)
        if home:
            line.append(f"  {one_line(home, _SENTENCE)}", style="dim")
        output.say(line)
        cited = [
            one for one, number in zip(answer.citations, numbers, strict=True) if number == evidence.number
        ]
        for place in dict.fromkeys(place for one in cited if (place := place_of(one))):
            output.say(f"    {one_line(place, _SENTENCE)}")
    output.say()


def place_of(citation: Citation) -> str:
    """Say where the cited passage stands."""
    passage = citation.sources[0].passage
    return passage.locator.describe() if passage is not None else ""


def print_verdicts(output: Output, answer: Answer, library: Library) -> None:
    """Print one line per citation, then what looks like one and is none."""
    rows = [
        (
            f"[{number}]" if number is not None else "",
            citation.trace.value if citation.trace is not None else "",
            citation.confidence.value if citation.confidence is not None else "",
            _ref_of(citation),
            _standing_of(citation, library),
            claim_of(answer, citation),
        )
        for citation, number in zip(answer.citations, numbers_of(answer), strict=True)
    ]
    rows += [("", miss.reason.value, "", miss.written, _hint(miss.suggestion), "") for miss in answer.misses]
    if rows:
        head = ("cited", "verdict", "confidence", "ref", "place", CUT)
        output.table(head, rows, narrow=head[:5])
        output.say()


def _standing_of(citation: Citation, library: Library) -> str:
    """Return the cited place, with a word on its source when that is not what it was."""
    state = _state_of(citation, library)
    if state is None or state is SourceState.CURRENT:
        return place_of(citation)
    return f"{place_of(citation)} ({state.value})".lstrip()


def _ref_of(citation: Citation) -> str:
    passage = citation.sources[0].passage
    return (passage.ref or "") if passage is not None else ""


def _hint(suggestion: str | None) -> str:
    return f"did it mean {suggestion}?" if suggestion is not None else ""


def print_uncited(output: Output, answer: Answer) -> None:
    """Print the sentences that carry no citation."""
    _print_list(output, "Sentences without a citation", [finding.text for finding in answer.checks])


def _print_list(output: Output, title: str, texts: Sequence[str]) -> None:
    if not texts:
        return
    output.say(title, style="bold")
    for text in texts:
        output.say(f"  - {one_line(text, _SENTENCE)}")
    output.say()
