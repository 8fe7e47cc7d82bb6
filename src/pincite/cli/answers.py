"""An answer as the command line tells it: as JSON, and as tables of verdicts and sources."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pincite.cli.output import CUT
from pincite.core.citation import MarkerCitationAnchor
from pincite.core.sentences import sentence_at, split_sentences
from pincite.core.text import one_line
from pincite.core.urls import UPLOAD
from pincite.core.verdicts import MissReason, SourceState, TraceVerdict
from pincite.protocols.answers import Kept, numbers_of, source_json, value_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pincite.cli.output import Output
    from pincite.core.answer import Answer
    from pincite.core.citation import Citation, CitationAnchor
    from pincite.library import Library

# Takes space that a marker has left in front of a stop; linear: one possessive run after a fixed start.
_GAP = re.compile(r"(?<! ) ++(?=[.,;:!?](?: |\Z))")
# Code points of a sentence in a list.
_SENTENCE = 160
_TWO_VIEWS = "support: sentence against passage. search: passage against question."
# Code points of a sentence in the table, which cuts it further to what fits.
_CLAIM = 200


def faulty(answer: Answer) -> bool:
    """Say whether a citation of the answer is not valid, or names what was never issued."""
    return any(one.trace is not TraceVerdict.VALID for one in answer.citations) or any(
        miss.reason not in (MissReason.IN_CODE, MissReason.IN_LINK) for miss in answer.misses
    )


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
    kept = Kept(library)
    places: dict[int | None, dict[str, None]] = {}
    for citation, number in zip(answer.citations, numbers_of(answer), strict=True):
        places.setdefault(number, {})[place_of(citation)] = None
    for evidence in answer.evidences:
        data = source_json(evidence.source, kept)
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
    kept = Kept(library)
    claims = claims_of(answer)
    # A long sentence may hold many citations: it is cut once.
    short = {claim: one_line(claim, _CLAIM) for claim in dict.fromkeys(claims)}
    rows = [
        (
            f"[{number}]" if number is not None else "",
            value_of(citation.trace) or "",
            *(value_of(citation.quote) or "" for _ in range(quoted)),
            *(value_of(citation.support) or "" for _ in range(judged)),
            *(value_of(citation.confidence) or "" for _ in range(scored)),
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
        if judged and scored:
            output.say(_TWO_VIEWS, style="dim")
        output.say()


def _standing_of(citation: Citation, kept: Kept) -> str:
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
