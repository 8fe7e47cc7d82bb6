"""Numbered references: markers out, `[n]` in, and one list of sources.

Rendering is a pure function of an answer, or of its text and what was fetched. What it writes is Markdown in which
nothing but our own numbers can act as a citation, lead anywhere or load anything: see `_disarm`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args

from pincite._quick import without_collecting
from pincite.citing._scan import Scan, scan
from pincite.citing.deferred import number_position
from pincite.core.citation import CitationAnchor, MarkerCitationAnchor, WebCitationSource
from pincite.core.errors import InputError, MalformedIdError
from pincite.core.ids import parse_evidence_id
from pincite.core.limits import DEFAULT, Limits
from pincite.core.verdicts import MissReason
from pincite.showing._cited import Cited, Fetches, SourceOutcome
from pincite.showing._headings import own_lists
from pincite.showing._held import Held
from pincite.showing._numbers import Link, Place, with_numbers
from pincite.showing._places import (
    EVIDENCE,
    MARK,
    Invalid,
    Regions,
    is_in_tag,
    is_target,
    places,
)
from pincite.showing._sources import (
    Draft,
    Numbering,
    RenderedPassage,
    RenderedSource,
    RenderedSources,
    finished,
    line_of,
    sources_list,
)
from pincite.showing.snippet import body_start

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pincite.core.answer import Answer, Evidence
    from pincite.core.citation import Citation
    from pincite.core.protocols import EvidenceText

# Code points of a line that are looked at to see whether it is a row of a table.
_ROW = 300
# What stands in place of an id that no marker was found for, by policy.
_RAW = {"drop": "", "mark": MARK, "keep": None}
T = TypeVar("T")
Links = Literal["text", "safe"]
"""What becomes of a model's own links: text, or links where they are safe."""


@dataclass(frozen=True, slots=True)
class RenderedAnswer:
    """Markdown with numbered references, without the list of sources, and the sources in order."""

    text: str
    sources: tuple[RenderedSource, ...]


def render_answer(
    answer: Answer,
    *,
    links: Links = "text",
    texts: Iterable[EvidenceText] = (),
    limits: Limits = DEFAULT,
) -> RenderedAnswer:
    """Return the answer with a number in place of each citation, and its sources in order of first mention.

    A citation in a full form that was never issued is left out, and so are an HTML comment and a list of sources of
    the model's own; code stays as it is. What was cited without a marker gets its number at the sentence's end.
    Images and elements that the model wrote are shown as the text that they are, and so are links, except those to
    issued references. With `links="safe"` its links to http and https addresses act as well, but never as a number
    or over one. `texts` are the cited passages and the text before them, as `cited_texts` reads them: with these the
    links of sources lead to the words that are meant, also where the page holds the same words before.

    Raises:
        InputError: `links` is no such policy, or `texts` is something else.
    """
    _one_of(links, Links, "links")
    held = Held(texts)
    text, found = answer.text, scan(answer.text, limits=limits)
    labels = _left_out(answer, found)
    sentences: dict[int, list[str]] = {}
    for evidence in answer.evidences:
        label = str(evidence.number)
        for anchor in evidence.anchors:
            if isinstance(anchor, MarkerCitationAnchor):
                labels[anchor.start, anchor.end] = (*labels.get((anchor.start, anchor.end), ()), label)
            elif not _in_table(text, anchor.start):
                place = number_position(text, anchor.start, anchor.end, skipped=found.code)
                sentences.setdefault(place, []).append(label)
    shown = [labels.get((one.start, one.end)) for one in found.occurrences]
    taken = [*places(text, found, shown), *(Place(at, at, tuple(its)) for at, its in sentences.items())]
    drafts = _drafts(answer, held, limits)
    if drafts:
        taken += _own_lists(text, found, shown, (draft.title for draft in drafts))
    issued = (Link(one.start, text.index("](", one.start), one.end) for one in answer.references)
    return RenderedAnswer(
        with_numbers(text, taken, issued, links=links == "safe", listed=bool(drafts)),
        tuple(finished(drafts, (evidence.number for evidence in answer.evidences), limits)),
    )


def render_citations(
    answer: str,
    valid_ids: Iterable[str],
    outcomes: Iterable[SourceOutcome],
    *,
    invalid: Invalid = "drop",
    numbering: Numbering = "source",
    limits: Limits = DEFAULT,
) -> tuple[str, RenderedSources]:
    """Return `answer` with numbers in place of valid evidence ids and one Sources list, and the sources.

    `valid_ids` are those that the check found valid, `outcomes` what was fetched in the same run. A source is one
    version of a document; sources are numbered in order of first citation. With `numbering="passage"` the numbers of
    a source with several cited passages have a letter for each. Ids that are not valid are left out of the text;
    with `invalid="mark"` a `[?]` stands there, with `invalid="keep"` what the model wrote. Code stays as it is.
    A list of sources that the model wrote itself gives way to ours.

    Raises:
        InputError: `answer` is no string, `valid_ids` is no collection of strings, `outcomes` no collection of
            outcomes, or there is no such policy.
    """
    if not isinstance(answer, str):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
        msg = f"`answer` is a string, not {type(answer).__name__}."
        raise InputError(msg, field="answer")
    _one_of(invalid, Invalid, "invalid")
    _one_of(numbering, Numbering, "numbering")
    valid = {name: name for name in _valid(valid_ids)}
    fetches = Fetches(_collection(outcomes, "outcomes", "fetch outcomes"))
    with without_collecting(len(valid)):
        return _rendered(answer, valid, fetches, invalid, numbering, limits)


def _rendered(
    answer: str,
    valid: Mapping[str, str],
    fetches: Fetches,
    invalid: Invalid,
    numbering: Numbering,
    limits: Limits,
) -> tuple[str, RenderedSources]:
    found = scan(answer, limits=limits)
    names = list(_names(answer, found, valid))
    cited = Cited(filter(None, names), fetches, limits, numbering)
    labels: dict[str | None, tuple[str, ...] | None] = {**cited.labels, "": (), None: None}
    shown = list(map(labels.__getitem__, names))
    taken = places(answer, found, shown, invalid)
    drafts = cited.sources
    if drafts:
        taken += _own_lists(answer, found, shown, fetches.titles())
    text = with_numbers(
        answer, taken, lettered=numbering == "passage", raw=_RAW[invalid], listed=bool(drafts)
    )
    declared = Cited([name for name in valid if name not in labels], fetches, limits)
    sources = RenderedSources(
        finished(drafts, range(1, len(drafts) + 1), limits),
        finished(declared.sources, repeat(0), limits),
    )
    if sources:
        text = "\n\n".join(filter(None, [text.rstrip(), *sources_list(sources)]))
    return text, sources


def _names(text: str, found: Scan, valid: Mapping[str, str]) -> Iterator[str | None]:
    """Yield, for each occurrence, the id that is cited there; an empty one where none is, None where it stays."""
    regions = Regions(found)
    for one in found.occurrences:
        if one.form != EVIDENCE or (one.in_code and not is_in_tag(one, regions)):
            yield None
        elif one.where == "bracket" and not one.definition:  # most are
            yield valid.get(one.key, "")
        elif (
            one.in_code
            # What a line defines is cited where its mark stands, if anywhere.
            or one.definition
            or one.where == "definition"
            or (one.in_link and not one.linked and not is_target(text, one))
        ):
            yield ""
        else:
            yield valid.get(one.key, "")


def _valid(valid_ids: Iterable[str]) -> Iterable[str]:
    found = _collection(valid_ids, "valid_ids", "evidence ids")
    for name in found:
        if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
            msg = f"`valid_ids` holds strings, not {type(name).__name__}."
            raise InputError(msg, field="valid_ids")
    # A set has no order of its own, and what is rendered is the same each time.
    return sorted(found) if isinstance(valid_ids, set | frozenset) else found


def _collection(items: Iterable[T], name: str, what: str) -> list[T]:
    if isinstance(items, str | bytes) or not isinstance(items, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
        msg = f"`{name}` is a list of {what}, not {type(items).__name__}."
        raise InputError(msg, field=name)
    return list(items)


def _one_of(value: object, policies: Any, name: str) -> None:  # noqa: ANN401 - a Literal
    allowed = get_args(policies)
    if value not in allowed:
        msg = f"`{name}` is one of {', '.join(map(repr, allowed))}, not {str(value)[:40]!r}."
        raise InputError(msg, field=name)


def _left_out(answer: Answer, found: Scan) -> dict[tuple[int, int], tuple[str, ...]]:
    """Return no label for the span of each miss that is not shown: full forms, and ids in links and elements."""
    regions = Regions(found)
    stay = (MissReason.IN_CODE, MissReason.IN_LINK)
    missed = {(miss.start, miss.end): miss.reason not in stay for miss in answer.misses}
    shown: dict[tuple[int, int], tuple[str, ...]] = {}
    for one in found.occurrences:
        goes = missed.get((one.start, one.end))
        if goes is None:
            continue
        if not goes:
            goes = one.form == EVIDENCE and (one.in_link or is_in_tag(one, regions))
        if goes and (one.full or one.linked):
            shown[one.start, one.end] = ()
    return shown


def _own_lists(text: str, found: Scan, shown: Sequence[object], titles: Iterable[str]) -> Iterable[Place]:
    def markers() -> list[tuple[int, int]]:
        taken = zip(found.occurrences, shown, strict=True)
        return sorted({one.marker for one, labels in taken if labels is not None})

    return (Place(*span) for span in own_lists(text, found.code, markers, titles))


def _drafts(answer: Answer, held: Held, limits: Limits) -> list[Draft]:
    """Return the sources of an answer."""
    at: dict[CitationAnchor, list[Citation]] = {}
    for citation in answer.citations:
        if citation.anchor is not None:
            at.setdefault(citation.anchor, []).append(citation)
    return [
        _draft(evidence, [one for anchor in evidence.anchors for one in at.get(anchor, ())], held, limits)
        for evidence in answer.evidences
    ]


def _draft(evidence: Evidence, members: list[Citation], held: Held, limits: Limits) -> Draft:
    source = evidence.source
    bound = source.passage
    draft = Draft(source.title or "", source.url if isinstance(source, WebCitationSource) else None)
    states = {member.source_state for member in members}
    draft.state = states.pop() if len(states) == 1 else None
    draft.document = (bound.document_id if bound is not None else None) or ""
    if bound is not None and bound.evidence_id is not None:
        try:
            parsed = parse_evidence_id(bound.evidence_id)
        except MalformedIdError:
            pass
        else:
            draft.document, draft.version = parsed.document_id, parsed.version
    passages = {
        passage: None
        for member in members
        for passage in _passages(member, str(evidence.number), held, limits.snippet_code_points)
    }
    draft.passages = list(passages)
    return draft


def _passages(citation: Citation, label: str, held: Held, limit: int) -> Iterable[RenderedPassage]:
    for source in citation.sources:
        bound = source.passage
        if bound is None:
            continue
        quoted, inner = source.excerpts, source.span.start if source.span is not None else 0
        # A whole passage begins with its text: the heading stands beside it.
        body = body_start(quoted[0], bound.locator.headings) if quoted and source.span is None else 0
        words = quoted[0][body:] if quoted else ""
        fragment = ""
        if bound.evidence_id is not None and isinstance(source, WebCitationSource):
            fragment = held.fragment(bound.evidence_id, words, inner + body)
        excerpt = line_of(" ".join(quoted)[body:], limit)
        yield RenderedPassage(bound.ref, bound.evidence_id, bound.locator, excerpt, label, words, fragment)


def _in_table(text: str, start: int) -> bool:
    """Say whether a place is in a row of a table, where a number would be taken for a cell's."""
    return text[text.rfind("\n", 0, start) + 1 :][:_ROW].lstrip(" ").startswith("|")
