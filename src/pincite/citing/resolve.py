"""Resolution: what the model wrote is a look-up key, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.checking.answers import uncited_sentences
from pincite.checking.trace import check_citations_sync
from pincite.citing._scan import scan
from pincite.core.answer import Answer, ContextContribution, Evidence, Miss
from pincite.core.citation import (
    BoundPassage,
    Citation,
    CitationSource,
    DocumentCitationSource,
    MarkerCitationAnchor,
    WebCitationSource,
)
from pincite.core.limits import DEFAULT, Limits
from pincite.core.verdicts import MissReason

if TYPE_CHECKING:
    from collections.abc import Collection

    from pincite.citing._scan import Occurrence
    from pincite.citing.store import CitationStore, RegisteredHit
    from pincite.core.ledger import Ledger
    from pincite.core.scope import Scope

NEAR = 75.0
"""Similarity (0..100) from which an issued key is suggested for one that was never issued."""

COMPARED = 500_000
"""Pairs of keys that are compared for suggestions in one answer; what is written after that gets none."""


def resolve(
    text: str,
    store: CitationStore,
    *,
    ledger: Ledger,
    scope: Scope,
    limits: Limits = DEFAULT,
) -> Answer:
    """Return the answer that `text` is: its citations, evidences, misses, context and findings."""
    found = scan(text, limits=limits)
    pairs: list[tuple[Occurrence, RegisteredHit]] = []
    missed: list[tuple[Occurrence, MissReason]] = []
    for occurrence in found.occurrences:
        hit = store.find(occurrence.key)
        reason = _why_not(occurrence, hit)
        if hit is not None and reason is None:
            pairs.append((occurrence, hit))
        elif reason is not None:
            missed.append((occurrence, reason))
    citations = _citations(pairs, ledger, scope)
    cited = [(occurrence.start, occurrence.end) for (occurrence, _) in pairs]
    return Answer(
        text=text,
        citations=citations,
        evidences=_evidences(citations),
        misses=_misses(missed, store),
        context=_context({hit.citation_key: hit for _, hit in pairs}.values()),
        checks=uncited_sentences(text, cited, found.code),
    )


def _why_not(occurrence: Occurrence, hit: RegisteredHit | None) -> MissReason | None:
    """Return why an occurrence is no citation, or None when it is one."""
    if occurrence.in_code:
        return MissReason.IN_CODE
    if hit is None:
        return MissReason.NEVER_ISSUED
    return MissReason.MALFORMED if occurrence.definition else None


def _misses(missed: list[tuple[Occurrence, MissReason]], store: CitationStore) -> tuple[Miss, ...]:
    unknown = dict.fromkeys(one.key for one, reason in missed if reason is MissReason.NEVER_ISSUED)
    near = _near(list(unknown), store.keys())
    return tuple(
        Miss(
            occurrence.start,
            occurrence.end,
            occurrence.written,
            reason,
            near.get(occurrence.key) if reason is MissReason.NEVER_ISSUED else None,
        )
        for occurrence, reason in missed
    )


def _near(written: list[str], issued: list[str]) -> dict[str, str]:
    """Return the issued key that each written one is like, where there is one, as far as `COMPARED` reaches."""
    if not written or not issued:
        return {}
    from rapidfuzz import process  # only a miss needs it, and the base import should be quick

    found: dict[str, str] = {}
    for key in written[: max(1, COMPARED // len(issued))]:
        near = process.extractOne(key, issued, score_cutoff=NEAR)
        if near is not None:
            found[key] = near[0]
    return found


def _citations(
    pairs: list[tuple[Occurrence, RegisteredHit]], ledger: Ledger, scope: Scope
) -> tuple[Citation, ...]:
    ids = {hit.known.evidence_id for _, hit in pairs if hit.known.evidence_id}
    checks = check_citations_sync(sorted(ids), ledger, scope=scope)
    verdicts = {check.cited_id: check.verdict for check in checks}
    return tuple(
        Citation(
            sources=(source_of(hit),),
            anchor=MarkerCitationAnchor(occurrence.start, occurrence.end),
            written=occurrence.written,
            repaired="the link target was dropped" if occurrence.linked else None,
            trace=verdicts.get(hit.known.evidence_id or ""),
            confidence=hit.known.confidence,
        )
        for occurrence, hit in pairs
    )


def source_of(hit: RegisteredHit) -> CitationSource:
    """Return the source that a registered hit stands for: a web page where it has an address, else a document."""
    known = hit.known
    passage = BoundPassage(
        citation_key=hit.citation_key,
        ref=known.ref,
        chunk_id=known.chunk_id,
        evidence_id=known.evidence_id,
        locator=known.locator,
    )
    title = known.title or None
    if hit.evidence_url is not None:
        return WebCitationSource(hit.evidence_url, title, (known.text,), passage=passage)
    return DocumentCitationSource(known.document_id, title, (known.text,), passage=passage)


def source_key(source: CitationSource) -> str:
    """Return what makes two citations cite one source: the address, or the document."""
    if isinstance(source, WebCitationSource):
        return source.url
    return source.document_id or source.title or ""


def _evidences(citations: tuple[Citation, ...]) -> tuple[Evidence, ...]:
    grouped: dict[str, list[Citation]] = {}
    for citation in citations:
        for source in citation.sources:
            grouped.setdefault(source_key(source), []).append(citation)
    evidences: list[Evidence] = []
    for number, members in enumerate(grouped.values(), start=1):
        source = members[0].sources[0]
        anchors = tuple(member.anchor for member in members if member.anchor is not None)
        passage = source.passage
        if passage is not None:
            evidences.append(Evidence(number, source, passage.locator, anchors))
    return tuple(evidences)


def _context(hits: Collection[RegisteredHit]) -> ContextContribution:
    documents = dict.fromkeys(name for hit in hits for name in hit.context_contribution.document_ids)
    items = [item for hit in hits for item in hit.context_contribution.custom_items]
    unique = [item for index, item in enumerate(items) if item not in items[:index]]
    return ContextContribution(tuple(documents), tuple(unique))
