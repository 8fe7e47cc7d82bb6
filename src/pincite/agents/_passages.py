"""Passages that were fetched: registered and shown like those that a search found; and those of a run as a store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pincite.agents._keys import hit_under
from pincite.citing import CitedObject
from pincite.citing.present import neutralised
from pincite.citing.registered import is_ours
from pincite.core.hit import Hit
from pincite.core.ids import (
    ChunkEvidenceId,
    SpanEvidenceId,
    foreign_id,
    is_evidence_id,
    parse_evidence_id,
)
from pincite.core.limits import DEFAULT, Limits
from pincite.core.memory import MemoryEvidenceStore
from pincite.core.protocols import EvidenceText
from pincite.core.scope import Scope
from pincite.core.text import one_line
from pincite.core.urls import safe_link

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pincite.checking import FetchOutcome
    from pincite.citing import CitationRun, RegisteredHit
    from pincite.core.protocols import EvidenceStore


def present_fetched(run: CitationRun, outcome: FetchOutcome, limits: Limits = DEFAULT) -> dict[str, Any]:
    """Return what the model sees of a fetch that is `ok`, and register its passage where it is not.

    The fetch may have brought the last piece of several: then that piece is what is seen.

    Raises:
        MalformedIdError: its id is none.
        KeyClashError: a name of it stands for something else in this run.
    """
    key_field = run.format.key_field
    known = hit_under(run, outcome.evidence_id)
    seen = {"content": neutralised(outcome.text)}
    if known is not None and (key_field is None or key_field in known.context_hit):
        return {**known.context_hit, **seen}
    parsed = parse_evidence_id(outcome.evidence_id)
    if known is None:
        chunk = parsed.chunk_id if isinstance(parsed, ChunkEvidenceId) else foreign_id(outcome.evidence_id)
        known = hit = _hit(run, outcome, chunk)
        if isinstance(parsed, SpanEvidenceId):
            return {**_present_span(run, outcome.evidence_id, hit, limits), **seen}
    return {**run.present(known), **seen}


def _whole_text(run: CitationRun, outcome: FetchOutcome) -> str:
    """Return the text of what was received, of which the last fetch may have brought a piece."""
    if outcome.length is None or len(outcome.text) == outcome.length:
        return outcome.text
    kept = run.ledger.get(outcome.evidence_id)
    if kept is not None and kept.text is not None:
        return kept.text
    span = outcome.span
    held = None if span is None else run.ledger.stretches(span.document_id, span.version)
    around = None if span is None or held is None else held.around(span.start, span.end)
    if span is None or around is None:
        return outcome.text
    return around[1][span.start - around[0] : span.end - around[0]]


def _hit(run: CitationRun, outcome: FetchOutcome, chunk: str) -> Hit:
    parsed = parse_evidence_id(outcome.evidence_id)
    start, end = (0, 0) if outcome.span is None else (outcome.span.start, outcome.span.end)
    return Hit(
        run.refs.issue(chunk),
        chunk,
        parsed.document_id,
        _whole_text(run, outcome),
        outcome.uri or "",
        "",
        title=outcome.title,
        version=parsed.version,
        locator=outcome.locator,
        start=start,
        end=end,
    )


def _present_span(run: CitationRun, evidence_id: str, hit: Hit, limits: Limits) -> dict[str, Any]:
    """Register a span, which has no passage id of its own: its evidence id is what tells it from others."""
    key_field = run.format.key_field
    key: str | int = evidence_id
    number = None
    if key_field in ("ref", "short_id"):
        key = hit.ref
    elif key_field == "number":
        key = number = run.store.issue_number(hit.chunk_id)
    title = one_line(hit.title, limits.title_code_points)
    payload: dict[str, Any] = {} if key_field is None else {key_field: key}
    payload |= {
        "title": neutralised(title),
        "locator": neutralised(hit.locator.describe()),
        "content": neutralised(hit.content),
    }
    known = CitedObject(
        title=title,
        ref=hit.ref,
        chunk_id=hit.chunk_id,
        document_id=hit.document_id,
        evidence_id=evidence_id,
        locator=hit.locator,
        text=hit.content,
        number=number,
    )
    run.store.register_hit(str(key), payload, hit, evidence_url=safe_link(hit.source_uri), known=known)
    return payload


class RunEvidence:
    """An `EvidenceStore` of the passages that a run was shown, in front of which another may stand.

    Of passages of a library only that other one speaks: it knows what was deleted since. Where nobody has named the
    documents that may be read (`is_open`), that other one is asked only for those that it has itself shown: a result
    of another tool may say that it is of any document, and opens none by that.
    """

    __slots__ = ("_is_open", "_run", "_store")

    def __init__(
        self, run: CitationRun, store: EvidenceStore | None = None, *, is_open: bool = False
    ) -> None:
        self._run = run
        self._store = store
        self._is_open = is_open and not run.is_scoped

    async def read(self, ids: Sequence[str], scope: Scope) -> list[EvidenceText | None]:
        """Return one entry per id in order; None for what is malformed, unknown or out of scope alike."""
        found: list[EvidenceText | None] = [None] * len(ids)
        if self._store is not None:
            found = await self._store.read(ids, await self._opened(scope) if self._is_open else scope)
        absent = [name for name, text in zip(ids, found, strict=True) if text is None]
        if not absent:
            return found
        shown = MemoryEvidenceStore(self._shown(absent))
        kept = dict(zip(absent, await shown.read(absent, scope), strict=True))
        return [text if text is not None else kept.get(name) for name, text in zip(ids, found, strict=True)]

    async def _opened(self, scope: Scope) -> Scope:
        """Return what of a scope was opened by a search of the library, or by a version that the store knows."""
        opened: set[str] = set()
        claimed: dict[str, str] = {}
        for hit in self._run.store:
            known = hit.known
            if known.document_id is None or known.evidence_id is None or known.document_id not in scope:
                continue
            if is_ours(hit):
                opened.add(known.document_id)
            else:
                claimed[known.evidence_id] = known.document_id
        names = [name for name, document in claimed.items() if document not in opened]
        if names and self._store is not None:
            texts = await self._store.read(names, Scope(claimed[name] for name in names))
            opened |= {claimed[name] for name, text in zip(names, texts, strict=True) if text is not None}
        return Scope(opened)

    def _shown(self, ids: Iterable[str]) -> Iterable[EvidenceText]:
        """Yield the texts, of all that the run was shown, of the versions that `ids` name."""
        wanted = {name.rpartition(":")[0].partition("ev1:")[2][2:] for name in ids if is_evidence_id(name)}
        for hit in self._run.store:
            known = hit.known
            if not wanted or known.evidence_id is None or known.document_id is None or not known.text:
                continue
            if self._store is not None and is_ours(hit):
                continue
            version = parse_evidence_id(known.evidence_id).version
            if f"{known.document_id}:{version}" in wanted:
                start, end = _place(hit)
                yield EvidenceText(
                    known.evidence_id,
                    known.document_id,
                    version,
                    start,
                    end,
                    known.text,
                    title=known.title,
                    source_uri=hit.evidence_url,
                    locator=known.locator,
                )


def _place(hit: RegisteredHit) -> tuple[int, int]:
    """Return where a passage stands in its version; one from elsewhere is a version by itself."""
    found, length = hit.search_hit, len(hit.known.text)
    if isinstance(found, Hit) and found.end - found.start == length:
        return found.start, found.end
    return 0, length
