"""The tools of the server, apart from any transport: arguments in, a reply out, over one client's fetched set.

The ids that a client received and the documents that it may see are kept for it: no tool takes them.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, TypeVar

import anyio
import anyio.to_thread

from pincite.checking import SourceIndex, check_citations, fetch_evidence
from pincite.citing import CitationRun, parse_citations
from pincite.citing.present import neutralised, restored
from pincite.core.errors import MalformedIdError, NotFoundError
from pincite.core.ids import SpanEvidenceId, is_evidence_id, parse_evidence_id, why_malformed
from pincite.core.ledger import Ledger
from pincite.core.limits import DEFAULT, Limits
from pincite.core.text import one_line
from pincite.core.urls import safe_link
from pincite.core.verdicts import QuoteVerdict, TraceVerdict
from pincite.protocols.mcp._replies import (
    Check,
    CheckReply,
    Cited,
    CitedPassage,
    FetchReply,
    FoundPassage,
    LeftOut,
    NumberedSource,
    Outcome,
    ParseReply,
    Quoted,
    QuotesReply,
    RenderReply,
    Reply,
    SearchReply,
    Stretch,
)
from pincite.protocols.mcp._specs import ToolSpec, tool_specs
from pincite.showing import render_citations

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

    from pincite.checking import CitationCheck, FetchOutcome, QuoteCheck
    from pincite.citing import Occurrence
    from pincite.core.protocols import EvidenceText, LedgerStore
    from pincite.core.scope import Scope
    from pincite.protocols.mcp.sessions import Client
    from pincite.protocols.mcp.shelf import Shelf
    from pincite.showing import RenderedSource

    Result = TypeVar("Result")

# Where an id is not a citation: it is shown as what it is.
_NOT_CITED: Final = ("code", "comment")
# Verdicts on words that stand in a passage, though they do not prove what they are quoted for.
_SAID: Final = (QuoteVerdict.TRUNCATED, QuoteVerdict.TOO_SHORT)
NO_SESSION: Final = (
    "This call named no session, so nothing that was fetched before is known to it. A client keeps its session by "
    "sending back the `Mcp-Session-Id` header that the server gave it."
)
"""The remark on a reply that finds nothing because the client keeps no session."""


class CitationTools:
    """The tools over a shelf. `ledgers` keeps what each client has fetched; many servers may share it."""

    __slots__ = ("_ledgers", "_limits", "_room", "_run", "_shelf", "specs")

    def __init__(self, shelf: Shelf, ledgers: LedgerStore, *, limits: Limits = DEFAULT) -> None:
        self._shelf = shelf
        self._ledgers = ledgers
        self._limits = limits
        self._room = anyio.CapacityLimiter(limits.mcp_calls)
        self._run: dict[str, Callable[..., Awaitable[Reply]]] = {
            "search_evidence": self.search_evidence,
            "fetch_evidence": self.fetch_evidence,
            "check_citations": self.check_citations,
            "parse_citations": self.parse_citations,
            "render_citations": self.render_citations,
            "verify_quotes": self.verify_quotes,
        }
        self.specs: dict[str, ToolSpec] = {spec.name: spec for spec in tool_specs(limits)}

    async def call(self, name: str, arguments: object, client: Client) -> Reply:
        """Call a tool by its name, for one client.

        Raises:
            NotFoundError: there is no such tool.
            InputError: an argument is missing, unknown, of another type or over a limit.
            StoreError: the library could not be read or written.
            TimeoutError: it took longer than `limits.mcp_seconds`, waiting included.
        """
        spec = self.specs.get(name)
        if spec is None:
            msg = f"There is no tool {one_line(name, 60)!r}; there are {', '.join(self.specs)}."
            raise NotFoundError(msg, field="name")
        values = spec.arguments.read({} if arguments is None else arguments, f"`{name}`")
        with anyio.fail_after(self._limits.mcp_seconds):
            async with self._room:
                return await self._run[name](client, **values)

    # -- the tools -------------------------------------------------------------------------------

    async def search_evidence(self, client: Client, *, query: str, limit: int) -> SearchReply:
        """Find passages; each that is shown is shown whole, and counts as fetched."""
        run = CitationRun("evidence_id", limits=self._limits)
        result = await _in_thread(partial(self._shelf.search, query, limit=limit, refs=run.refs))
        shown: list[FoundPassage] = []
        left: list[LeftOut] = []
        room = self._limits.mcp_reply_code_points
        for hit in result.hits:
            if len(hit.content) > room:
                left.append(LeftOut(evidence_id=str(hit.evidence_id)))
                continue
            room -= len(hit.content)
            shown.append(FoundPassage(**run.present(hit)))
        if shown:
            await self._save(client, run.ledger)
        notes = list(result.warnings)
        if left:
            notes.append(_left_out(left))
        if not result.hits:
            notes.append("No passage was found.")
        return SearchReply(results=shown, left_out=left, broadened=result.broadened, notes=notes)

    async def fetch_evidence(
        self, client: Client, *, evidence_ids: list[str], max_chars: int, offset: int
    ) -> FetchReply:
        """Read passages; only what is sent is entered as received."""
        # What else the client has received makes no difference here, and may be long.
        ledger = await self._ledger(client, evidence_ids)
        scope = await self._scope()
        outcomes: list[FetchOutcome] = []
        room, at = self._limits.mcp_reply_code_points, 0
        # As many at a time as fit however long they are, so that nothing is read, and entered, that is not sent.
        while at < len(evidence_ids) and (take := room // max_chars):
            batch = evidence_ids[at : at + take]
            found = await fetch_evidence(
                self._shelf.store,
                batch,
                scope=scope,
                max_chars=max_chars,
                offset=offset,
                ledger=ledger,
                limits=self._limits,
            )
            outcomes += found
            room -= sum(len(one.text) for one in found)
            at += len(batch)
        await self._keep(client, outcomes)
        left = [LeftOut(evidence_id=one, offset=offset) for one in dict.fromkeys(evidence_ids[at:])]
        return FetchReply(
            outcomes=[_outcome(one, self._limits) for one in outcomes],
            left_out=left,
            notes=[_left_out(left)] if left else [],
        )

    async def check_citations(self, client: Client, *, evidence_ids: list[str]) -> CheckReply:
        """Compare ids with what the client has fetched."""
        checks = await self._checks(evidence_ids, await self._ledger(client), await self._scope())
        return CheckReply(checks=[_check(one) for one in checks], notes=_no_session(client, checks))

    async def parse_citations(self, client: Client, *, answer: str, offset: int) -> ParseReply:  # noqa: ARG002 - every tool takes a client
        """Find every evidence id of an answer, in order."""
        found = [one for one in await self._parse(answer) if one.start >= offset]
        shown = found[: self._limits.mcp_occurrences]
        rest = found[len(shown) :]
        # Ids of one group may begin where another has not ended, but no two at the same place.
        after = rest[0].start if rest else None
        return ParseReply(
            occurrences=[_cited(one) for one in shown],
            next_offset=after,
            notes=[f"{len(rest):,} more follow; ask again with `offset` {after}."] if rest else [],
        )

    async def render_citations(
        self, client: Client, *, answer: str, invalid: str, numbering: str
    ) -> RenderReply:
        """Check an answer's ids and put numbers in place of the valid ones."""
        cited = dict.fromkeys(one.key for one in await self._parse(answer) if one.where not in _NOT_CITED)
        scope = await self._scope()
        checks = await self._checks(list(cited), await self._ledger(client), scope)
        valid = [one.cited_id for one in checks if one.verdict is TraceVerdict.VALID]
        outcomes: list[FetchOutcome] = []
        step = self._limits.fetch_ids
        for at in range(0, len(valid), step):
            outcomes += await fetch_evidence(
                self._shelf.store, valid[at : at + step], scope=scope, limits=self._limits
            )
        text, sources = await _in_thread(
            partial(
                render_citations,
                answer,
                valid,
                outcomes,
                invalid=invalid,  # pyright: ignore[reportArgumentType] - the argument's words are the policies
                numbering=numbering,  # pyright: ignore[reportArgumentType]
                limits=self._limits,
            )
        )
        notes = _no_session(client, checks)
        if not cited:
            notes.append("The answer cites nothing.")
        elif not valid:
            notes.append("No citation of the answer is valid.")
        return RenderReply(
            text=text,
            sources=[_source(one) for one in sources],
            checks=[_check(one) for one in checks],
            notes=notes,
        )

    async def verify_quotes(self, client: Client, *, quotes: list[dict[str, Any]]) -> QuotesReply:
        """Look for quotes in the passages that the client has fetched whole."""
        ledger = await self._ledger(client)
        scope = await self._scope()
        latest = _latest(ledger)
        named = list(dict.fromkeys(str(one["evidence_id"]) for one in quotes if one["evidence_id"]))
        checks = await self._checks(named, ledger, scope)
        reasons = {one.cited_id: one.reason for one in checks if one.verdict is not TraceVerdict.VALID}
        looked = latest[: self._limits.mcp_quote_passages]
        ids = list(dict.fromkeys([*(one for one in named if one not in reasons), *looked]))
        read = await self._shelf.store.read(ids, scope)
        texts = {name: text for name, text in zip(ids, read, strict=True) if text is not None}
        # A thread cannot be stopped from outside: it looks at the clock itself.
        looking = _Looking(texts, reasons, until=time.monotonic() + self._limits.mcp_seconds)
        found = await _in_thread(lambda: [looking.quoted(one["quote"], one["evidence_id"]) for one in quotes])
        notes = [NO_SESSION] if client.fresh else []
        if len(latest) > len(looked):
            notes.append(
                f"Looked in the {len(looked):,} passages that were fetched last, of {len(latest):,}; give "
                "`evidence_id` to look in an older one."
            )
        return QuotesReply(quotes=found, notes=notes)

    # -- what they share -------------------------------------------------------------------------

    async def _scope(self) -> Scope:
        return await _in_thread(self._shelf.scope)

    async def _ledger(self, client: Client, evidence_ids: Iterable[str] | None = None) -> Ledger:
        kept = None if client.fresh else await self._ledgers.load(client.key, evidence_ids)
        return Ledger(limits=self._limits) if kept is None else kept

    async def _keep(self, client: Client, outcomes: Iterable[FetchOutcome]) -> None:
        """Add what has just been received to the client's set; the rest of it is kept already."""
        received = [one for one in outcomes if one.text and one.length is not None]
        news = Ledger(limits=self._limits)
        for one in received:
            end = one.offset + len(one.text)
            news.record_received(
                one.evidence_id,
                one.offset,
                end,
                one.length or end,
                span=one.span,
                text=one.text,
                state=one.state,
            )
        if received:
            await self._save(client, news)

    async def _save(self, client: Client, news: Ledger) -> None:
        # Most clients that name no session never come back, and must not push out the sets of those that do.
        await self._ledgers.save(client.key, news, newcomer=client.fresh)

    async def _parse(self, answer: str) -> list[Occurrence]:
        return await _in_thread(partial(parse_citations, answer, ["evidence_id"], limits=self._limits))

    async def _checks(self, ids: Sequence[str], ledger: Ledger, scope: Scope) -> list[CitationCheck]:
        """Check ids against what was received, with the state of each source as of now."""
        return await check_citations(ids, ledger, scope=scope, store=self._shelf.store, limits=self._limits)


async def _in_thread(work: Callable[[], Result]) -> Result:
    """Do work that blocks, without keeping other clients waiting; nobody waits for it beyond the deadline."""
    return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)


def _left_out(left: Sequence[LeftOut]) -> str:
    names = ", ".join(one.evidence_id for one in left)
    return f"Left out, because the reply would be too long; call `fetch_evidence` for them: {names}"


def _no_session(client: Client, checks: Iterable[CitationCheck]) -> list[str]:
    missing = any(one.verdict is TraceVerdict.NOT_FETCHED for one in checks)
    return [NO_SESSION] if client.fresh and missing else []


def _outcome(one: FetchOutcome, limits: Limits) -> Outcome:
    return Outcome(
        evidence_id=one.evidence_id,
        status=one.status.value,
        # A marker that stands in a source is that source's text, and must not be taken for one of the answer's.
        text=neutralised(one.text),
        title=neutralised(one_line(one.title, limits.title_code_points)),
        url=safe_link(one.uri),
        locator=neutralised(one.locator.describe()),
        source_state=one.state,
        content_hash=one.content_hash,
        offset=one.offset,
        length=one.length,
        received=[Stretch(start=start, end=end) for start, end in one.received],
        next_offset=one.next_offset,
        span=None if one.span is None else str(one.span),
        reason=one.reason,
        citation_markdown=one.citation_markdown,
    )


def _check(one: CitationCheck) -> Check:
    return Check(
        cited_id=one.cited_id,
        verdict=one.verdict,
        reason=one.reason,
        covered_by=one.covered_by,
        source_state=one.source_state,
        suggestion=one.suggestion,
    )


def _cited(one: Occurrence) -> Cited:
    return Cited(
        evidence_id=one.key,
        start=one.start,
        end=one.end,
        where=one.where,
        written=one.written,
        fault=_fault(one.key),
    )


def _fault(name: str) -> str:
    if not is_evidence_id(name):
        return why_malformed(name)
    try:
        parse_evidence_id(name)
    except MalformedIdError as error:
        return error.message
    return ""


def _source(one: RenderedSource) -> NumberedSource:
    return NumberedSource(
        number=one.number,
        title=neutralised(one.title),
        url=one.url,
        passages=[
            CitedPassage(
                evidence_id=passage.evidence_id,
                locator=neutralised(passage.locator.describe()),
                excerpt=neutralised(passage.excerpt),
            )
            for passage in one.passages
        ],
    )


def _latest(ledger: Ledger) -> list[str]:
    """Return the ids that were received whole, the last first, each text once: a passage and its place are one."""
    kept = list(ledger)
    places = {str(one.span) for one in kept if one.span is not None and str(one.span) != one.evidence_id}
    return [one.evidence_id for one in reversed(kept) if one.evidence_id not in places]


class _Looking:
    """Looks for quotes in passages, until its time is up."""

    def __init__(
        self, texts: Mapping[str, EvidenceText], reasons: Mapping[str, str], *, until: float
    ) -> None:
        """`texts` are the passages by id, `reasons` why an id may not be looked at, `until` is monotonic time."""
        self._texts = texts
        self._reasons = reasons
        self._until = until
        self._indexes: dict[str, SourceIndex] = {}

    def quoted(self, quote: str, cited: str | None) -> Quoted:
        """Return where a quote stands: in the passage that it is said to be from, else in another fetched one.

        Raises:
            TimeoutError: the time is up.
        """
        first = None
        if cited is not None:
            first = self._texts.get(cited)
            if first is None:
                why = self._reasons.get(cited, "The passage can no longer be read.")
                return _not_found(quote, QuoteVerdict.UNCHECKED, cited, f"It cannot be looked for. {why}")
        if not self._texts:
            return _not_found(quote, QuoteVerdict.UNCHECKED, None, "Nothing was fetched in this session.")
        # What was put away in the passage when it was shown is looked for as the passage has it.
        words = restored(quote)
        best: tuple[EvidenceText, QuoteCheck] | None = None
        others = (text for text in self._texts.values() if text is not first)
        for text in others if first is None else chain([first], others):
            if time.monotonic() > self._until:
                raise TimeoutError
            check = self._index(text).verify(words)
            if check.is_verified or (check.verdict in _SAID and (first is None or text is first)):
                elsewhere = first is not None and text is not first
                return _found(
                    quote, replace(check, verdict=QuoteVerdict.ELSEWHERE) if elsewhere else check, text
                )
            # Of one that stands nowhere, the passage that it is said to be from tells most.
            if best is None or (first is None and check.score > best[1].score):
                best = text, check
        if best is None or best[1].start is None:
            where = "that passage" if first is not None else "any fetched passage"
            verdict = QuoteVerdict.ABSENT if best is None else best[1].verdict
            return _not_found(quote, verdict, cited, f"These words do not stand in {where}.")
        return _found(quote, best[1], best[0])

    def _index(self, text: EvidenceText) -> SourceIndex:
        """Return a passage ready to be searched; each is made ready once."""
        known = self._indexes.get(text.evidence_id)
        if known is None:
            known = self._indexes[text.evidence_id] = SourceIndex(text.text)
        return known


def _found(quote: str, check: QuoteCheck, text: EvidenceText) -> Quoted:
    span, start, end = None, check.start, check.end
    if start is not None and end is not None and start < end and text.end - text.start == len(text.text):
        place = text.start + start, text.start + end
        span = str(SpanEvidenceId(text.document_id, text.version, *place))
    return Quoted(
        quote=quote,
        verdict=check.verdict,
        evidence_id=text.evidence_id,
        start=start,
        end=end,
        span=span,
        reason="" if check.verdict is QuoteVerdict.VERBATIM else check.reason,
    )


def _not_found(quote: str, verdict: QuoteVerdict, cited: str | None, reason: str) -> Quoted:
    return Quoted(
        quote=quote, verdict=verdict, evidence_id=cited, start=None, end=None, span=None, reason=reason
    )
