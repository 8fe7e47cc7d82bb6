"""The check: one verdict for each cited evidence id. It shows traceability, not support.

The rules are the check's page's, in its order; past it, touching fetched spans count as one, and with a ledger
a span inside a fetched passage resolves too, when it holds at least one word.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from pincite._quick import maker
from pincite.core.errors import InputError, MalformedIdError
from pincite.core.ids import EvidenceId, SpanEvidenceId, parse_evidence_id
from pincite.core.ledger import Fetched, Ledger
from pincite.core.scope import Scope
from pincite.core.text import word_spans
from pincite.core.verdicts import TraceVerdict


@dataclass(frozen=True, slots=True)
class CitationCheck:
    """The verdict on one cited id, why, and what was fetched that covers it (None when nothing does)."""

    cited_id: str
    verdict: TraceVerdict
    reason: str
    covered_by: str | None = None


_citation_check = maker(CitationCheck)
# Where the document's id stands in an evidence id: after the six characters of `ev1:c:` or `ev1:s:`.
_DOCUMENT = slice(6, 42)


async def check_citations(
    evidence_ids: Iterable[str], fetched: Iterable[str] | Ledger, *, scope: Scope | Iterable[str]
) -> list[CitationCheck]:
    """Return one check per cited id, in order; see `check_citations_sync`, which it calls. It reads nothing."""
    return check_citations_sync(evidence_ids, fetched, scope=scope)


def check_citations_sync(
    evidence_ids: Iterable[str], fetched: Iterable[str] | Ledger, *, scope: Scope | Iterable[str]
) -> list[CitationCheck]:
    """Return one check per cited id, in order.

    `fetched` are the ids whose fetch was complete, or the run's ledger; `scope` the documents in it, as a
    `Scope`, ids or keys.

    Raises:
        InputError: a list of ids is one string, None, or holds something other than strings.
        ScopeError: the scope is not a collection of strings.
    """
    allowed = Scope.of(scope)
    cited = _strings(evidence_ids, "evidence_ids")
    ledger = fetched if isinstance(fetched, Ledger) else _ledger_of(_strings(fetched, "fetched"))
    return [_check(name, ledger, allowed) for name in cited]


def _strings(items: Iterable[str], field: str) -> list[str]:
    if isinstance(items, str | bytes) or not isinstance(items, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
        msg = f"`{field}` is a list of evidence ids, not {type(items).__name__}."
        raise InputError(msg, field=field)
    found = list(items)
    for item in found:
        if not isinstance(item, str):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
            msg = f"`{field}` holds strings, not {type(item).__name__}."
            raise InputError(msg, field=field)
    return found


def _ledger_of(ids: list[str]) -> Ledger:
    ledger = Ledger()
    for name in ids:
        try:
            ledger.record(Fetched(name))
        except MalformedIdError:
            continue  # an id that does not decode names nothing, so it covers nothing
    return ledger


def _check(name: str, ledger: Ledger, scope: Scope) -> CitationCheck:
    if name in ledger and name[_DOCUMENT] in scope:
        # What is in a ledger decodes, and the document stands at the same place in both forms of an id.
        return _citation_check(name, TraceVerdict.VALID, "This id was fetched.", name)
    try:
        parsed = parse_evidence_id(name)
    except MalformedIdError as error:
        return CitationCheck(name, TraceVerdict.MALFORMED, error.message)
    if parsed.document_id not in scope:
        return CitationCheck(name, TraceVerdict.UNAVAILABLE, "The document is not in scope.")
    return _check_span(name, parsed, ledger)


def _check_span(name: str, parsed: EvidenceId, ledger: Ledger) -> CitationCheck:
    missing = CitationCheck(name, TraceVerdict.NOT_FETCHED, "No complete fetch covers this id.")
    if not isinstance(parsed, SpanEvidenceId):
        return missing
    ranges = ledger.ranges(parsed.document_id, parsed.version)
    cover = ranges.covering(parsed.start, parsed.end) if ranges is not None else None
    if cover is None:
        return missing
    if not _holds_a_word(parsed, ledger):
        return CitationCheck(
            name, TraceVerdict.NOT_FETCHED, "The span holds no whole word of what was fetched."
        )
    covering = SpanEvidenceId(parsed.document_id, parsed.version, *cover)
    return CitationCheck(name, TraceVerdict.VALID, "It lies inside what was fetched.", str(covering))


def _holds_a_word(span: SpanEvidenceId, ledger: Ledger) -> bool:
    # Judged only where the ledger kept the text; plain ids follow the page, which has no such rule.
    for kept in ledger.texts(span.document_id, span.version):
        place = kept.span
        if place is None or kept.text is None:
            continue
        if place.start <= span.start and span.end <= place.end:
            starts, ends = _words_of(kept.text)
            # The first word that begins in the span ends before any later one.
            word = bisect_left(starts, span.start - place.start)
            return word < len(ends) and ends[word] <= span.end - place.start
    return True


@lru_cache(64)  # an answer cites the same few texts over and over
def _words_of(text: str) -> tuple[list[int], list[int]]:
    spans = word_spans(text)
    return [start for start, _ in spans], [end for _, end in spans]
