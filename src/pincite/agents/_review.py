"""An answer is looked at: what it cites, what of that holds, and what in it was meant as a citation and is none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from pincite.agents._keys import check_keys
from pincite.agents._passages import RunEvidence, present_fetched
from pincite.agents.offline_model import NO_ANSWER, NOT_BY_ITSELF
from pincite.checking import CitationCheck, FetchStatus, fetch_evidence
from pincite.citing import parse_citations
from pincite.core.errors import PinciteError
from pincite.core.ids import is_evidence_id
from pincite.core.limits import DEFAULT, Limits
from pincite.core.verdicts import MissReason, TraceVerdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pincite.citing import CitationRun, Occurrence
    from pincite.core.answer import Answer, Miss
    from pincite.core.citation import Citation
    from pincite.core.protocols import EvidenceStore
    from pincite.core.scope import Scope
    from pincite.core.verdicts import SourceState

# What looks like a citation in code or inside a link of the model's own was not meant as one.
_NOT_MEANT: Final = (MissReason.IN_CODE, MissReason.IN_LINK)
# Why a miss does not hold whose key may be one all the same.
_WORDS: Final = {
    MissReason.AMBIGUOUS: "This key could mean several passages.",
    MissReason.MALFORMED: "This is not written as a citation is.",
}
_NO_VERSION: Final = "The passage has no version, so nothing shows that it was received."

_TOO_MANY: Final = "The answer cites more than is checked, and this comes after the last that was."


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that was meant as a citation and does not hold.

    `start` and `end` are code points of the text, `written` what stands there; `suggestion` is the key that it is a
    slip of; `occurrence` says how it is written, None where nothing was.
    """

    start: int
    end: int
    written: str
    reason: str
    suggestion: str | None = None
    occurrence: Occurrence | None = None


@dataclass(frozen=True, slots=True)
class Reviewed:
    """An answer, one check for each of its citations and faults in text order, the faults, and what is cited well.

    `cited` are the code points of the valid citations.
    """

    answer: Answer
    checks: tuple[CitationCheck, ...]
    faults: tuple[Fault, ...]
    cited: tuple[tuple[int, int], ...]

    @property
    def declines(self) -> bool:
        """Whether it says that the documents do not answer, in the words that a model is taught for that, or ours."""
        said = " ".join(self.answer.text.split()).casefold()
        return said.startswith((NO_ANSWER.casefold(), NOT_BY_ITSELF.casefold()))


async def review(
    text: str,
    run: CitationRun,
    *,
    scope: Scope | None = None,
    store: EvidenceStore | None = None,
    limits: Limits = DEFAULT,
) -> Reviewed:
    """Return what is to be said of an answer's text.

    An evidence id that was received without being shown as such is looked up first, by what it names.
    """
    answer = run.resolve(text)
    places: dict[tuple[int, int], Occurrence] = {}
    if _meant(answer) or any(one.trace is not TraceVerdict.VALID for one in answer.citations):
        places = {(one.start, one.end): one for one in parse_citations(text, limits=limits)}
        unknown = [entry.key for entry in _entries(answer, places) if entry.missed and not entry.words]
        if await _take_in(run, unknown, scope=scope, store=store, limits=limits):
            answer = run.resolve(text)
    entries = sorted(_entries(answer, places), key=lambda one: (one.start, one.end))
    # Who cites more than can be checked has cited nothing that is known to be good behind that.
    entries[limits.cited_ids :] = [one._replace(words=_TOO_MANY) for one in entries[limits.cited_ids :]]
    asked = [one.key for one in entries if not one.words]
    found = iter(await check_keys(run, asked, scope=scope, store=store, limits=limits))
    checks: list[CitationCheck] = []
    faults: list[Fault] = []
    cited: list[tuple[int, int]] = []
    for entry in entries:
        place = (entry.start, entry.end)
        check = CitationCheck(entry.key, TraceVerdict.MALFORMED, entry.words) if entry.words else next(found)
        checks.append(check)
        if check.verdict is TraceVerdict.VALID and not entry.missed:
            cited.append(place)
        else:
            written = text[entry.start : entry.end]
            faults.append(Fault(*place, written, check.reason, check.suggestion, places.get(place)))
    states = {one.cited_id: one.source_state for one in checks if one.source_state is not None}
    return Reviewed(_with_states(answer, states), tuple(checks), tuple(faults), tuple(cited))


def _with_states(answer: Answer, states: Mapping[str, SourceState]) -> Answer:
    """Return the answer with what became of the cited versions, where the check has looked it up."""
    if not states:
        return answer
    citations = (replace(one, source_state=states.get(_evidence_id(one) or "")) for one in answer.citations)
    return replace(answer, citations=tuple(citations))


def _evidence_id(citation: Citation) -> str | None:
    passage = citation.sources[0].passage
    return None if passage is None else passage.evidence_id


class _Entry(NamedTuple):
    """One key in one place: what the check is asked of, or the `words` that say why it need not be."""

    start: int
    end: int
    key: str
    missed: bool
    words: str = ""


def _meant(answer: Answer) -> list[Miss]:
    return [miss for miss in answer.misses if miss.reason not in _NOT_MEANT]


def _entries(answer: Answer, places: Mapping[tuple[int, int], Occurrence]) -> Iterator[_Entry]:
    for citation in answer.citations:
        start, end = (0, 0) if citation.anchor is None else (citation.anchor.start, citation.anchor.end)
        for source in citation.sources:
            passage = source.passage
            if passage is not None and passage.evidence_id is not None:
                yield _Entry(start, end, passage.evidence_id, missed=False)
            else:
                key = citation.written or "" if passage is None else passage.citation_key
                yield _Entry(start, end, key, missed=False, words=_NO_VERSION)
    for miss in _meant(answer):
        place = places.get((miss.start, miss.end))
        key = miss.written if place is None or not place.key else place.key
        yield _Entry(miss.start, miss.end, key, missed=True, words=_WORDS.get(miss.reason, ""))


async def _take_in(
    run: CitationRun,
    keys: Sequence[str],
    *,
    scope: Scope | None,
    store: EvidenceStore | None,
    limits: Limits,
) -> bool:
    """Register what well-formed ids name that were received and are not registered; say whether any was."""
    ids = list(dict.fromkeys(key for key in keys if is_evidence_id(key)))[: limits.agent_tool_ids]
    checks = await check_keys(run, ids, scope=scope, store=store, limits=limits) if ids else []
    good = [check.cited_id for check in checks if check.verdict is TraceVerdict.VALID]
    if not good:
        return False
    outcomes = await fetch_evidence(
        RunEvidence(run, store, is_open=scope is None),
        good,
        scope=scope if scope is not None else run.scope,
        max_chars=limits.agent_fetch_code_points,
        limits=limits,
    )
    whole = [outcome for outcome in outcomes if outcome.status is FetchStatus.OK]
    for outcome in whole:
        try:
            present_fetched(run, outcome, limits)
        except PinciteError:
            continue  # its name stands for something else here, so it stays a miss
    return bool(whole)
