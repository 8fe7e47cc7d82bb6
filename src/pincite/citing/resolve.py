"""Resolution: what the model wrote is a look-up key, and nothing else."""

from __future__ import annotations

import gc
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from pincite._quick import maker
from pincite.checking.answers import UNCITED, uncited_sentences
from pincite.checking.trace import check_citations_sync
from pincite.citing._fields import identity_of_item
from pincite.citing._near import Nearest
from pincite.citing.occurrence import Occurrence, checked_text
from pincite.citing.present import restored
from pincite.core.answer import Answer, ContextContribution, Evidence, Finding, Miss, ReferenceLink
from pincite.core.citation import (
    BoundPassage,
    Citation,
    CitationAnchor,
    CitationSource,
    ContentCitationAnchor,
    DocumentCitationSource,
    MarkerCitationAnchor,
    SourceSpan,
    WebCitationSource,
)
from pincite.core.limits import DEFAULT, Limits
from pincite.core.urls import safe_link
from pincite.core.verdicts import MissReason, QuoteVerdict, TraceVerdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pincite.citing._scan import Scan
    from pincite.citing.deferred import DeferredBars
    from pincite.citing.occurrence import Link
    from pincite.citing.store import CitationStore, RegisteredHit
    from pincite.core.ledger import Ledger
    from pincite.core.locators import Locator
    from pincite.core.protocols import Embedder
    from pincite.core.scope import Scope

# Markers from which on an answer is resolved without looking for garbage meanwhile.
_MANY = 1_000
# Hex digits of what was meant to be a key.
_KEY_LIKE = 6

_citation = maker(Citation)
_anchor = maker(MarkerCitationAnchor)
_miss = maker(Miss)
_evidence = maker(Evidence)
_passage = maker(BoundPassage)
_span = maker(SourceSpan)
_web = maker(WebCitationSource)
_document = maker(DocumentCitationSource)


class _Cited:
    """A registered hit as this answer cites it: its source, its verdict, and the places that cite that source."""

    __slots__ = ("anchors", "confidence", "entered", "hit", "repaired", "source", "sources", "trace")

    def __init__(
        self,
        hit: RegisteredHit,
        source: CitationSource,
        trace: TraceVerdict | None,
        anchors: list[CitationAnchor],
        repaired: str | None,
    ) -> None:
        self.hit = hit
        self.source = source
        self.sources = (source,)
        self.trace = trace
        self.anchors = anchors
        self.repaired = repaired
        self.confidence = hit.known.confidence
        # Whether it has been cited already.
        self.entered = False


class _Absent(NamedTuple):
    """A key that names nothing: the keys it could mean, and the nearest one."""

    candidates: tuple[str, ...]
    suggestion: str | None
    # Hits that there were when it was looked up: later ones may be what it names.
    among: int


def resolve(
    text: str,
    store: CitationStore,
    *,
    ledger: Ledger,
    scope: Scope | None = None,
    wire_format: str = "ref",
    embedder: Embedder | None = None,
    bars: DeferredBars | None = None,
    limits: Limits = DEFAULT,
) -> Answer:
    """Return the answer that `text` is: its citations, evidences, misses, context and findings.

    `scope` are the documents that may be cited; without one, those that are registered.

    Raises:
        InputError: `text` is no string.
    """
    from pincite.citing._scan import scan  # its patterns take longer to compile than the base import may

    found = scan(checked_text(text), limits=limits)
    resolver = Resolver(store, ledger=ledger, scope=scope, wire_format=wire_format, limits=limits)
    # Nothing of what is made here is garbage, and looking for some would take as long as making it.
    collects = gc.isenabled() and len(found.occurrences) > _MANY
    if collects:
        gc.disable()
    try:
        for occurrence in found.occurrences:
            resolver.take(occurrence)
        return resolver.finish(text, found, embedder=embedder, bars=bars)
    finally:
        if collects:
            gc.enable()


class Resolver:
    """Takes the occurrences of one answer in order, and says of each at once what it is.

    `wire_format` is what the model was told to write in; markers in every other format are looked up too.
    """

    __slots__ = (
        "_began_with", "_cited", "_first", "_format", "_ledger", "_limits", "_near", "_near_of", "_numbers",
        "_scope", "_sources", "_store", "citations", "misses",
    )  # fmt: skip

    def __init__(
        self,
        store: CitationStore,
        *,
        ledger: Ledger,
        scope: Scope | None = None,
        wire_format: str = "ref",
        limits: Limits = DEFAULT,
    ) -> None:
        self._store = store
        self._ledger = ledger
        self._scope = scope
        self._format = wire_format
        self._limits = limits
        # What each written key was found to be; numbers are kept apart from other keys.
        self._cited: dict[str | int, _Cited | _Absent] = {}
        # What the model's own numbers stood for: None where one stood for several.
        self._numbers: dict[str, _Cited | None] = {}
        self._sources: dict[str, tuple[CitationSource, Locator, list[CitationAnchor]]] = {}
        self._first: dict[str, RegisteredHit] = {}
        # The keys to suggest, and how many hits there were when they were gathered.
        self._near: Nearest | None = None
        self._near_of = 0
        self._began_with = len(store)
        self.citations: list[Citation] = []
        self.misses: list[Miss] = []

    @property
    def is_outdated(self) -> bool:
        """Whether hits were registered since it began that may be what its misses name."""
        return bool(self.misses) and len(self._store) != self._began_with

    def again(self) -> Resolver:
        """Return a resolver that begins anew, with what is registered now."""
        return Resolver(
            self._store,
            ledger=self._ledger,
            scope=self._scope,
            wire_format=self._format,
            limits=self._limits,
        )

    def take(self, occurrence: Occurrence) -> tuple[Citation | Miss, ...]:
        """Take in the next occurrence; return what it is: a citation, a miss, both, or nothing where it is prose."""
        key = occurrence.key
        found = self._cited.get(key)
        if (
            found.__class__ is _Cited
            and not (occurrence.in_code or occurrence.in_link or occurrence.definition or occurrence.fault)
            and not occurrence.keys
            and occurrence.form != "sup_numeric"
        ):
            if occurrence.number:
                self._remember_number(occurrence, found)  # pyright: ignore[reportArgumentType] - its class was looked at
            return (self._cite(occurrence, found),)  # pyright: ignore[reportArgumentType] - its class was looked at
        if not key and not occurrence.in_code:
            return self._take_bare(occurrence)
        return self._take(occurrence)

    def cite_again(self, key: str | int, start: int, end: int, written: str) -> Citation | None:
        """Cite, at code points `start` to `end`, a key that was cited before; None where it has to be taken in."""
        cited = self._cited.get(key)
        if not isinstance(cited, _Cited) or not cited.entered or cited.repaired is not None:
            return None
        anchor = _anchor(start, end)
        cited.anchors.append(anchor)
        citation = _citation(cited.sources, anchor, written, None, cited.trace, None, None, cited.confidence)
        self.citations.append(citation)
        return citation

    def _take(self, occurrence: Occurrence) -> tuple[Citation | Miss, ...]:
        if occurrence.in_code:
            return (self._miss(occurrence, MissReason.IN_CODE),)
        if occurrence.form == "sup_numeric":
            return self._take_numbers(occurrence)
        if not occurrence.full and self._store.reference(occurrence.key) is not None:
            return ()  # a link to an object whose name is a number
        found, occurrence = self._find(occurrence)
        listed = self._is_listed(occurrence)
        if occurrence.in_link:
            return self._missed(occurrence, MissReason.IN_LINK, listed=listed or isinstance(found, _Cited))
        if isinstance(found, _Absent):
            reason = MissReason.AMBIGUOUS if found.candidates else MissReason.NEVER_ISSUED
            if occurrence.fault:
                reason = MissReason.MALFORMED
            return self._missed(occurrence, reason, found.suggestion, listed=listed or bool(found.candidates))
        if occurrence.fault or occurrence.definition:
            suggestion = found.hit.citation_key if occurrence.fault else None
            return (self._miss(occurrence, MissReason.MALFORMED, suggestion),)
        self._remember_number(occurrence, found)
        return (self._cite(occurrence, found),)

    def _is_listed(self, occurrence: Occurrence) -> bool:
        """Say whether the form is one that a reader is told of when its key was never issued."""
        if occurrence.full or occurrence.form == "ref":
            return True
        if occurrence.form == "short_id":
            # In double brackets, what is a key but for its length was meant to be one.
            return len(occurrence.key) >= _KEY_LIKE and not occurrence.key.strip("0123456789abcdefABCDEF-")
        return occurrence.form == "inline_url" and self._format == "inline_url"

    def _take_numbers(self, occurrence: Occurrence) -> tuple[Citation | Miss, ...]:
        """Take in raised numbers; where no number was ever shown, they are prose."""
        listed = occurrence.full and self._format == "sup_numeric"
        if occurrence.fault:
            return self._missed(occurrence, MissReason.MALFORMED, listed=listed)
        known: list[_Cited] = []
        unknown = 0
        for key in occurrence.keys or (occurrence.key,):
            number = int(key)
            found = self._cited.get(number)
            if not isinstance(found, _Cited):
                hit = self._store.get_hit_by_number(number)
                found = _Absent((), None, 0) if hit is None else self._entry(hit, None)
                self._cited[number] = found
            if isinstance(found, _Cited):
                known.append(found)
            else:
                unknown += 1
        if occurrence.in_link:
            return self._missed(occurrence, MissReason.IN_LINK, listed=bool(known))
        told: list[Citation | Miss] = []
        if known:
            told.append(self._cite(occurrence, known[0], known[1:]))
        if unknown and (listed or known):
            told.append(self._miss(occurrence, MissReason.NEVER_ISSUED))
        return tuple(told)

    def _take_bare(self, occurrence: Occurrence) -> tuple[Citation | Miss, ...]:
        """Take in a number in double brackets without an address: it may repeat one that had one."""
        if self._numbers:
            number = _plain_number(occurrence.number)
            found = self._numbers.get(number)
            if found is not None and not occurrence.definition:
                repaired = occurrence._replace(
                    repairs=("the address of an earlier citation with this number",)
                )
                return (self._cite(repaired, found),)
            if number in self._numbers and found is None:
                return (self._miss(occurrence, MissReason.AMBIGUOUS),)
        return (self._miss(occurrence, MissReason.MALFORMED),) if self._format == "inline_url" else ()

    def _remember_number(self, occurrence: Occurrence, found: _Cited) -> None:
        """Keep what source the model's own number stood for, and that it stood for several when it does."""
        written = occurrence.number
        if not written:
            return
        number = written if written[0] in "123456789" and written.isascii() else _plain_number(written)
        known = self._numbers.setdefault(number, found)
        if known is not found and known is not None and source_key(known.source) != source_key(found.source):
            self._numbers[number] = None

    def _find(self, occurrence: Occurrence) -> tuple[_Cited | _Absent, Occurrence]:
        """Look a key up, and where it is none as it is written, what it may have been meant to be."""
        if occurrence.form == "short_id" and not occurrence.full and self._store.get(occurrence.key) is None:
            # What has not the shape of a key is one only as it stands.
            near = self._nearest(occurrence.key) if self._is_listed(occurrence) else None
            return _Absent((), near, len(self._store)), occurrence
        readings = list(_readings(occurrence)) if self._store.get(occurrence.key) is None else []
        # What is a key exactly as it stands comes before what has to be mended.
        exact = [one for one in readings if self._store.get(one[0]) is not None]
        found = None
        if not exact:
            found = self._known(occurrence.key)
            if isinstance(found, _Cited) or found.candidates:
                return found, occurrence
        for key, repair, words in exact or readings:
            other = self._known(key)
            if isinstance(other, _Cited):
                repairs = (*occurrence.repairs, repair) if repair else occurrence.repairs
                extract = occurrence.extract if words is None else words
                return other, occurrence._replace(key=key, repairs=repairs, extract=extract)
        return found if found is not None else self._known(occurrence.key), occurrence

    def _known(self, key: str) -> _Cited | _Absent:
        found = self._cited.get(key)
        if found is None or (isinstance(found, _Absent) and found.among != len(self._store)):
            looked = self._store.look_up(key)
            if looked.hit is not None:
                found = self._entry(looked.hit, looked.repaired)
            else:
                suggestion = looked.candidates[0] if looked.candidates else self._nearest(key)
                found = _Absent(looked.candidates, suggestion, len(self._store))
            self._cited[key] = found
        return found

    def _entry(self, hit: RegisteredHit, repaired: str | None) -> _Cited:
        source = source_of(hit)
        return _Cited(hit, source, self._trace(hit), [], repaired)

    def _trace(self, hit: RegisteredHit) -> TraceVerdict | None:
        evidence_id = hit.known.evidence_id
        if not evidence_id:
            return None
        document = hit.known.document_id
        # Without a scope of its own, what is registered is in it.
        scope = self._scope if self._scope is not None else (document or "",)
        if document is not None and evidence_id in self._ledger and document in scope:
            return TraceVerdict.VALID
        return check_citations_sync((evidence_id,), self._ledger, scope=scope)[0].verdict

    def _nearest(self, key: str) -> str | None:
        """Return the issued key that a written one is like, where there is one."""
        if self._near is None or self._near_of != len(self._store):
            self._near, self._near_of = Nearest(self._store.keys()), len(self._store)
        return self._near.to(key)

    def _missed(
        self, occurrence: Occurrence, reason: MissReason, suggestion: str | None = None, *, listed: bool
    ) -> tuple[Miss, ...]:
        return (self._miss(occurrence, reason, suggestion),) if listed else ()

    def _miss(self, occurrence: Occurrence, reason: MissReason, suggestion: str | None = None) -> Miss:
        miss = _miss(occurrence.start, occurrence.end, occurrence.written, reason, suggestion)
        self.misses.append(miss)
        return miss

    def _cite(self, occurrence: Occurrence, cited: _Cited, others: Sequence[_Cited] = ()) -> Citation:
        anchor = _anchor(occurrence.start, occurrence.end)
        if cited.entered:
            cited.anchors.append(anchor)
        else:
            self._enter(cited, anchor)
        sources, quote = cited.sources, None
        if occurrence.extract is not None:
            source, quote = _quoted(cited.source, cited.hit, occurrence.extract)
            sources = (source,)
        if others:
            for other in others:
                self._enter(other, anchor)
            sources = (*sources, *(other.source for other in others))
        repairs = occurrence.repairs
        if cited.repaired is not None:
            repairs = (*repairs, cited.repaired)
        citation = _citation(
            sources,
            anchor,
            occurrence.written,
            "; ".join(repairs) if repairs else None,
            cited.trace,
            quote,
            None,
            cited.confidence,
        )
        self.citations.append(citation)
        return citation

    def _enter(self, cited: _Cited, anchor: CitationAnchor) -> None:
        """Take in a place that cites a passage, which may not have been cited before."""
        if not cited.entered:
            cited.entered = True
            self._first.setdefault(cited.hit.citation_key, cited.hit)
            key = source_key(cited.source)
            kept = self._sources.get(key)
            if kept is None:
                self._sources[key] = (cited.source, cited.hit.known.locator, cited.anchors)
            else:
                # Another passage of the same source may have been looked up before either was cited.
                cited.anchors = kept[2]
        # One place may cite several passages of a source.
        if not cited.anchors or cited.anchors[-1] is not anchor:
            cited.anchors.append(anchor)

    def finish(
        self, text: str, found: Scan, *, embedder: Embedder | None = None, bars: DeferredBars | None = None
    ) -> Answer:
        """Return the answer, once every occurrence in `text` was taken; `found` is what its scan found."""
        unmatched: tuple[Finding, ...] | None = None
        if self._format == "deferred":
            unmatched = self._match(text, found.code, embedder, bars)
        citations = tuple(self.citations)
        evidences = tuple(
            _evidence(number, source, locator, tuple(anchors))
            for number, (source, locator, anchors) in enumerate(self._sources.values(), start=1)
        )
        checks = partial(_uncited, text, citations, found.code) if unmatched is None else lambda: unmatched
        return Answer.checked_later(
            checks,
            text=text,
            citations=citations,
            evidences=evidences,
            misses=tuple(self.misses),
            context=_context(self._first.values()),
            references=tuple(self._references(found.links)),
        )

    def _references(self, links: Iterable[Link]) -> Iterable[ReferenceLink]:
        for link in links:
            reference = self._store.reference(link.target)
            if reference is not None:
                yield ReferenceLink(link.start, link.end, link.target, reference)

    def _match(
        self,
        text: str,
        code: list[tuple[int, int]],
        embedder: Embedder | None,
        bars: DeferredBars | None,
    ) -> tuple[Finding, ...]:
        """Cite what was presented for the sentences that say it; return the sentences that need a source and have none.

        The model was told to write no marks.
        """
        from pincite.citing.deferred import DEFAULT_BARS, match_sentences  # only this wire format needs it

        passages = [(hit.citation_key, hit.known.text) for hit in self._store if hit.known.text]
        found = match_sentences(
            text,
            passages,
            skipped=code,
            titles={hit.citation_key: hit.known.title for hit in self._store if hit.known.title},
            embedder=embedder,
            bars=bars if bars is not None else DEFAULT_BARS,
            limits=self._limits,
        )
        unmatched: list[Finding] = []
        for sentence in found:
            anchor = ContentCitationAnchor(sentence.start, sentence.end)
            sources: list[CitationSource] = []
            first: _Cited | None = None
            for match in sentence.matches:
                cited = self._known(match.key)
                if isinstance(cited, _Cited):
                    first = first or cited
                    sources.append(_at(cited.source, cited.hit.known.text, match.start, match.end))
                    self._enter(cited, anchor)
            if first is not None:
                score = max(match.score for match in sentence.matches)
                self.citations.append(
                    Citation(
                        tuple(sources), anchor, trace=first.trace, confidence=first.confidence, score=score
                    )
                )
            elif sentence.needs_source:
                words = text[sentence.start : sentence.end]
                unmatched.append(Finding(UNCITED, sentence.start, sentence.end, words))
        self.citations.sort(key=_place)
        return tuple(unmatched)


def _place(citation: Citation) -> int:
    return -1 if citation.anchor is None else citation.anchor.start


def _plain_number(written: str) -> str:
    return str(int(written)) if written.isdecimal() else written


def _readings(occurrence: Occurrence) -> Iterable[tuple[str, str, str | None]]:
    """Yield what a key may have been meant to be that was not found as it is: key, repair, extract."""
    key = occurrence.key
    if occurrence.form == "foreign":
        yield key.partition("\u2020")[0], "", None
        yield occurrence.written, "", None
    elif occurrence.form == "inline_url":
        first, _, rest = key.partition(" ")
        if rest.strip() and occurrence.extract is None:
            yield first, "no quotation marks round the extract", rest.strip()
        if key.endswith(")"):
            yield key[:-1], "", None


def source_of(hit: RegisteredHit) -> CitationSource:
    """Return the source that a registered hit stands for: a web page where it has an address, else a document."""
    known = hit.known
    passage = _passage(
        hit.citation_key, known.ref, known.chunk_id, known.evidence_id, known.locator, known.document_id
    )
    title = known.title or None
    link = safe_link(hit.evidence_url)
    if link is not None:
        return _web(link, title, (known.text,), None, passage)
    documents = hit.context_contribution.document_ids
    document = known.document_id or (documents[0] if documents else hit.citation_key)
    return _document(document, title, (known.text,), None, passage)


def source_key(source: CitationSource) -> str:
    """Return what makes two citations cite one source: the document with all that a reader is shown of it.

    Whoever hands a passage in may claim any document's id. So one that is called otherwise, leads elsewhere or is of
    another kind than the passages before it is a source of its own, and takes nothing of theirs. What is bound to no
    document that was registered is known by its address, its id or its title alone.
    """
    is_page = isinstance(source, WebCitationSource)
    passage = source.passage
    if passage is not None and passage.document_id:
        url, title = source.url if is_page else "", source.title or ""
        # Their lengths stand in front, so that nothing in them can read as a part of the next.
        return f"{len(url) if is_page else ''}:{len(title)}:{url}{title}{passage.document_id}"
    if is_page:
        return source.url
    return source.document_id or source.title or ""


# Verdicts on two ways of reading one extract, the one that is kept first.
_BEST_FIRST = tuple(QuoteVerdict)


def _quoted(source: CitationSource, hit: RegisteredHit, extract: str) -> tuple[CitationSource, QuoteVerdict]:
    """Compare an extract with the registered text, and anchor the source where it stands."""
    from pincite.checking.quotes import (
        verify_quote,  # its patterns take longer to compile than a base import may
    )

    text = hit.known.text
    best = verify_quote(extract, text)
    if best.verdict is not QuoteVerdict.VERBATIM:
        # The model may have escaped its quotation marks, or copied what was put in a marker's place.
        others = dict.fromkeys((extract.replace("\\", ""), restored(extract)))
        checks = [best, *(verify_quote(written, text) for written in others if written != extract)]
        best = min(checks, key=lambda check: _BEST_FIRST.index(check.verdict))
    if best.start is None or best.end is None:
        return source, best.verdict
    return _at(source, text, best.start, best.end), best.verdict


def _at(source: CitationSource, text: str, start: int, end: int) -> CitationSource:
    """Return a source with the part of its text that is meant."""
    span, excerpts = _span(start, end), (text[start:end],)
    if isinstance(source, WebCitationSource):
        return _web(source.url, source.title, excerpts, span, source.passage)
    return _document(source.document_id, source.title, excerpts, span, source.passage)


def _uncited(text: str, citations: tuple[Citation, ...], code: list[tuple[int, int]]) -> tuple[Finding, ...]:
    places = (citation.anchor for citation in citations)
    return uncited_sentences(text, [(one.start, one.end) for one in places if one is not None], code)


def _context(hits: Iterable[RegisteredHit]) -> ContextContribution:
    documents: dict[str, None] = {}
    items: dict[object, object] = {}
    passages: list[str] = []
    for hit in hits:
        contribution = hit.context_contribution
        passages.append(hit.citation_key)
        documents.update(dict.fromkeys(contribution.document_ids))
        for item in contribution.custom_items:
            items.setdefault(identity_of_item(item), item)
    return ContextContribution(tuple(documents), tuple(items.values()), tuple(passages))
