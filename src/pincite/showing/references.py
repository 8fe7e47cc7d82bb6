"""Numbered references: markers out, `[n]` in, and one list of sources.

Rendering is a pure function of an answer. What it writes is Markdown in which nothing but our own numbers can act
as a citation, lead anywhere or load anything: see `_disarm`.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from pincite.citing._scan import Scan, scan
from pincite.citing.deferred import number_position
from pincite.core.citation import CitationAnchor, MarkerCitationAnchor, WebCitationSource
from pincite.core.errors import InputError, MalformedIdError
from pincite.core.ids import parse_evidence_id
from pincite.core.limits import DEFAULT, Limits
from pincite.core.locators import Locator
from pincite.core.text import one_line
from pincite.core.urls import safe_link
from pincite.core.verdicts import MissReason
from pincite.showing._disarm import disarmed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pincite.core.answer import Answer
    from pincite.core.citation import Citation

# What Markdown gives a meaning inside a line, and a dot that makes a host of two words: one class, linear.
_MARKDOWN = re.compile(r"([\\`*_\[\]{}()#+!|~$@<>]|(?<=\w)\.(?=\w))")
# A run without a space that may be an address, of which a number at its end would become a part: bounded.
_ADDRESS = re.compile(r"/|\.\w[^\s/]*[?#:]")
# Code points of a place in the list.
_PLACE = 400
# Code points at the end of a text in which an address is looked for.
_TAIL = 300


@dataclass(frozen=True, slots=True)
class RenderedPassage:
    """One cited passage of a source."""

    ref: str | None
    evidence_id: str | None
    locator: Locator
    excerpt: str


@dataclass(frozen=True, slots=True)
class RenderedSource:
    """A numbered source; `url` is set only when it is safe to link."""

    number: int
    title: str
    url: str | None
    passages: tuple[RenderedPassage, ...]


@dataclass(frozen=True, slots=True)
class RenderedAnswer:
    """Markdown with numbered references, without the list of sources, and the sources in order."""

    text: str
    sources: tuple[RenderedSource, ...]


class SourceOutcome(Protocol):
    """What `render_citations` needs of a fetch's outcome."""

    @property
    def evidence_id(self) -> str:
        """The id that was fetched."""
        ...

    @property
    def title(self) -> str:
        """The document's title."""
        ...

    @property
    def uri(self) -> str | None:
        """The document's address."""
        ...


def render_answer(answer: Answer, *, limits: Limits = DEFAULT) -> RenderedAnswer:
    """Return the answer with a number in place of each citation, and its sources in order of first mention.

    A citation in a full form that was never issued is left out, and so is an HTML comment; code stays as it is.
    What was cited without a marker gets its number at the sentence's end. Links, images and elements that the
    model wrote are shown as the text that they are, except its links to issued references.
    """
    numbers: dict[CitationAnchor, list[int]] = {}
    for evidence in answer.evidences:
        for anchor in evidence.anchors:
            numbers.setdefault(anchor, []).append(evidence.number)
    text = answer.text
    good: dict[tuple[int, int], list[int]] = {}
    found = scan(text, limits=limits)
    for anchor, its in numbers.items():
        if isinstance(anchor, MarkerCitationAnchor):
            good[anchor.start, anchor.end] = its
    kept = (MissReason.IN_CODE, MissReason.IN_LINK)
    dropped = {(miss.start, miss.end) for miss in answer.misses if miss.reason not in kept}
    links = [text.index("](", one.start) for one in answer.references]
    places = _places(text, found, good, dropped)
    for anchor, its in numbers.items():
        if not isinstance(anchor, MarkerCitationAnchor) and not _in_table(text, anchor.start):
            place = number_position(text, anchor.start, anchor.end, skipped=found.code)
            places.setdefault((place, place), []).extend(its)
    return RenderedAnswer(_with_numbers(text, places, links), tuple(_sources(answer, limits)))


def render_citations(
    answer: str,
    valid_ids: Iterable[str],
    outcomes: Iterable[SourceOutcome],
    *,
    limits: Limits = DEFAULT,
) -> tuple[str, tuple[RenderedSource, ...]]:
    """Return `answer` with numbers in place of valid evidence ids and a Sources list, and the sources.

    `valid_ids` are those that the check found valid, `outcomes` what was fetched in the same run. Documents are
    numbered in order of first citation; ids that are not valid are left out of the text.

    Raises:
        InputError: `answer` is no string, or `valid_ids` is one string or no collection.
    """
    if isinstance(valid_ids, str | bytes) or not isinstance(valid_ids, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
        msg = f"`valid_ids` is a list of evidence ids, not {type(valid_ids).__name__}."
        raise InputError(msg, field="valid_ids")
    valid = set(valid_ids)
    by_id = {outcome.evidence_id: outcome for outcome in outcomes}
    by_document: dict[str, SourceOutcome] = {}
    for outcome in by_id.values():
        by_document.setdefault(_document(outcome.evidence_id), outcome)
    found = scan(answer, limits=limits)
    number_of: dict[str, int] = {}
    title_of: dict[str, SourceOutcome | None] = {}
    passages: dict[str, dict[str, RenderedPassage]] = {}
    good: dict[tuple[int, int], list[int]] = {}
    dropped: set[tuple[int, int]] = set()
    for occurrence in found.occurrences:
        span = (occurrence.start, occurrence.end)
        if occurrence.in_code or occurrence.in_link or occurrence.form != "evidence_id":
            continue
        if occurrence.key not in valid or occurrence.definition:
            dropped.add(span)
            continue
        document = _document(occurrence.key)
        good[span] = [number_of.setdefault(document, len(number_of) + 1)]
        outcome = by_id.get(occurrence.key) or by_document.get(document)
        title_of[document] = title_of.get(document) or outcome
        passages.setdefault(document, {}).setdefault(
            occurrence.key, RenderedPassage(None, occurrence.key, Locator(), "")
        )
    sources = tuple(
        RenderedSource(
            number,
            _title(getattr(title_of[document], "title", ""), limits),
            safe_link(getattr(title_of[document], "uri", None)),
            tuple(passages[document].values()),
        )
        for document, number in number_of.items()
    )
    text = _with_numbers(answer, _places(answer, found, good, dropped))
    return "\n\n".join([text, *sources_list(sources)]) if sources else text, sources


def sources_list(sources: Sequence[RenderedSource]) -> list[str]:
    """Return the blocks of a Sources list in Markdown: a heading, then one line a source with its passages below."""
    if not sources:
        return []
    return ["### Sources", *(_source_block(source) for source in sources)]


def _source_block(source: RenderedSource) -> str:
    label = escaped(source.title)
    line = f"[{source.number}] {label}"
    if source.url is not None:
        line = f"[{source.number}] [{label}](<{source.url}>)"
    places = dict.fromkeys(passage.locator.describe() for passage in source.passages)
    return "\n".join([line, *(f"    - {escaped(one_line(place, _PLACE))}" for place in places if place)])


def escaped(text: str) -> str:
    """Return `text` so that Markdown and HTML show it as it is."""
    return _MARKDOWN.sub(r"\\\1", html.escape(text, quote=False)).replace("://", ":\u200b//")


def _sources(answer: Answer, limits: Limits) -> Iterable[RenderedSource]:
    at: dict[CitationAnchor, list[Citation]] = {}
    for citation in answer.citations:
        if citation.anchor is not None:
            at.setdefault(citation.anchor, []).append(citation)
    for evidence in answer.evidences:
        members = [citation for anchor in evidence.anchors for citation in at.get(anchor, ())]
        source = evidence.source
        url = source.url if isinstance(source, WebCitationSource) else None
        passages = {passage: None for member in members for passage in _passages(member, limits)}
        yield RenderedSource(
            evidence.number, _title(source.title or "", limits), safe_link(url), tuple(passages)
        )


def _passages(citation: Citation, limits: Limits) -> Iterable[RenderedPassage]:
    for source in citation.sources:
        bound = source.passage
        if bound is not None:
            excerpt = one_line(" ".join(source.excerpts), limits.snippet_code_points)
            yield RenderedPassage(bound.ref, bound.evidence_id, bound.locator, excerpt)


def _title(title: str, limits: Limits) -> str:
    return one_line(title, limits.title_code_points) or "Source"


def _document(evidence_id: str) -> str:
    try:
        return parse_evidence_id(evidence_id).document_id
    except MalformedIdError:
        return evidence_id


def _places(
    text: str, found: Scan, good: Mapping[tuple[int, int], list[int]], dropped: set[tuple[int, int]]
) -> dict[tuple[int, int], list[int]]:
    """Return what is taken out of `text`, and the numbers that take its place: of markers, misses and comments."""
    places: dict[tuple[int, int], list[int]] = {
        span: [] for span in found.code if text.startswith("<!--", span[0])
    }
    for occurrence in found.occurrences:
        span = (occurrence.start, occurrence.end)
        if span in good:
            places.setdefault(occurrence.marker, []).extend(good[span])
        elif span in dropped and occurrence.definition:
            # A definition shows nothing by itself, so its whole line goes.
            line_end = text.find("\n", occurrence.marker[1])
            places[occurrence.marker[0], len(text) if line_end < 0 else line_end] = []
        elif span in dropped and (occurrence.full or occurrence.linked):
            places.setdefault(occurrence.marker, [])
    return places


def _with_numbers(text: str, places: Mapping[tuple[int, int], list[int]], links: Sequence[int] = ()) -> str:
    """Return `text` with numbers in their places and the rest disarmed; `links` are the joints of links that act."""
    pieces: list[str] = []
    ours: set[int] = set()
    # How much each code point behind a place has moved.
    moved: list[tuple[int, int]] = [(0, 0)]
    position = length = 0
    tail = ""
    for (start, end), numbers in sorted(places.items()):
        if start < position:  # inside what an earlier marker took with it
            continue
        before = text[position:start] if numbers else text[position:start].rstrip(" ")
        tail = (tail + before)[-_TAIL:]
        if numbers and (start == end or _ends_in_address(tail)):
            before += " "
        pieces.append(before)
        length += len(before)
        for number in dict.fromkeys(numbers):
            ours.add(length)
            pieces.append(f"[{number}]")
            length += len(pieces[-1])
            tail = pieces[-1]
        position = end
        moved.append((position, length - position))
    pieces.append(text[position:])
    acting = {joint + moved[bisect_right(moved, (joint, length)) - 1][1] for joint in links}
    return disarmed("".join(pieces), ours, acting)


def _in_table(text: str, start: int) -> bool:
    """Say whether a place is in a row of a table, where a number would be taken for a cell's."""
    return text[text.rfind("\n", 0, start) + 1 :][:_TAIL].lstrip(" ").startswith("|")


def _ends_in_address(text: str) -> bool:
    """Say whether a number behind the text, of which only the tail counts, would become a part of an address."""
    if not text or text[-1].isspace():
        return False
    run = text[-_TAIL:].rsplit(None, 1)[-1]
    return len(run) == _TAIL or _ADDRESS.search(run) is not None
