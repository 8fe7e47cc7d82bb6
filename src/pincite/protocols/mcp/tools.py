"""The tools of the server, apart from any transport: arguments in, a reply out, over one client's fetched set.

The ids that a client received and the documents that it may see are kept for it: no tool takes them.
"""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import anyio
import anyio.to_thread

from pincite.checking import check_citations, fetch_evidence
from pincite.checking.support import support_method
from pincite.citing import CitationRun, parse_citations
from pincite.citing.present import neutralised
from pincite.core.errors import MalformedIdError, NotFoundError
from pincite.core.ids import is_evidence_id, parse_evidence_id, why_malformed
from pincite.core.ledger import Ledger
from pincite.core.limits import DEFAULT, Limits
from pincite.core.text import one_line
from pincite.core.urls import safe_link
from pincite.core.verdicts import TraceVerdict
from pincite.protocols.mcp._looking import Judging, Looking
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
    QuotesReply,
    RenderReply,
    Reply,
    SearchReply,
    Stretch,
    SupportReply,
)
from pincite.protocols.mcp._specs import ToolSpec, tool_specs
from pincite.showing import render_citations

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Sequence

    from pincite.checking import CitationCheck, FetchOutcome, SupportMethod
    from pincite.citing import Occurrence
    from pincite.core.protocols import EvidenceText, LedgerStore
    from pincite.core.scope import Scope
    from pincite.protocols.mcp.sessions import Client
    from pincite.protocols.mcp.shelf import Shelf
    from pincite.showing import RenderedSource

    Result = TypeVar("Result")

# Where an id is not a citation: it is shown as what it is.
_NOT_CITED: Final = ("code", "comment")
NO_SESSION: Final = (
    "This call named no session, so nothing that was fetched before is known to it. A client keeps its session by "
    "sending back the `Mcp-Session-Id` header that the server gave it."
)
"""The remark on a reply that finds nothing because the client keeps no session."""


class CitationTools:
    """The tools over a shelf. `ledgers` keeps what each client has fetched; many servers may share it.

    `method` is how support is told, as for `check_support`.

    Raises:
        InputError: there is no such method.
    """

    __slots__ = ("_ledgers", "_limits", "_method", "_room", "_run", "_shelf", "specs")

    def __init__(
        self,
        shelf: Shelf,
        ledgers: LedgerStore,
        *,
        method: str | SupportMethod = "lexical",
        limits: Limits = DEFAULT,
    ) -> None:
        self._method = support_method(method)  # one that there is not is told of here
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
            "check_support": self.check_support,
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
        named = [str(one["evidence_id"]) for one in quotes if one["evidence_id"]]
        fetched = await self._fetched(client, named)
        # A thread cannot be stopped from outside: it looks at the clock itself.
        looking = Looking(
            fetched.texts,
            fetched.reasons,
            until=time.monotonic() + self._limits.mcp_seconds,
            limits=self._limits,
        )
        found = await _in_thread(lambda: [looking.quoted(one["quote"], one["evidence_id"]) for one in quotes])
        return QuotesReply(quotes=found, notes=self._of_fetched(client, fetched))

    async def check_support(self, client: Client, *, claims: list[dict[str, Any]]) -> SupportReply:
        """Say whether passages that the client has fetched whole say what its sentences say."""
        named = [name for one in claims for name in one["evidence_ids"] or ()]
        fetched = await self._fetched(client, named)
        judging = Judging(fetched.texts, fetched.reasons, self._method, self._limits)
        found = [await judging.judged(one["claim"], one["evidence_ids"] or ()) for one in claims]
        return SupportReply(claims=found, notes=self._of_fetched(client, fetched))

    # -- what they share -------------------------------------------------------------------------

    async def _fetched(self, client: Client, named: Iterable[str]) -> _Fetched:
        """Return the passages that a client names and the latest of those it has fetched whole."""
        ledger = await self._ledger(client)
        scope = await self._scope()
        latest = _latest(ledger)
        wanted = list(dict.fromkeys(named))
        checks = await self._checks(wanted, ledger, scope)
        reasons = {one.cited_id: one.reason for one in checks if one.verdict is not TraceVerdict.VALID}
        looked = latest[: self._limits.mcp_quote_passages]
        ids = list(dict.fromkeys([*(one for one in wanted if one not in reasons), *looked]))
        read = await self._shelf.store.read(ids, scope)
        texts = {name: text for name, text in zip(ids, read, strict=True) if text is not None}
        return _Fetched(texts, reasons, len(looked), len(latest))

    def _of_fetched(self, client: Client, fetched: _Fetched) -> list[str]:
        notes = [NO_SESSION] if client.fresh else []
        if fetched.there_are > fetched.looked:
            notes.append(
                f"Looked in the {fetched.looked:,} passages that were fetched last, of {fetched.there_are:,}; give "
                "the id to look in an older one."
            )
        return notes

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


class _Fetched(NamedTuple):
    """Passages by id, why an id may not be looked at, and how many were looked at of how many."""

    texts: dict[str, EvidenceText]
    reasons: dict[str, str]
    looked: int
    there_are: int


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
