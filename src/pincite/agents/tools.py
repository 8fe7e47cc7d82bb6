"""The tools that a pydantic-ai agent of ours is given, and what they did.

`search` finds passages, `fetch_evidence` reads them by their ids, `check_citations` says of cited ids what the check
says. What was fetched and what may be cited is kept by the run, so that the model names ids and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Final

from pydantic import Field
from pydantic_ai import ModelRetry, Tool, ToolFailed

from pincite.agents._keys import check_keys, evidence_id_of
from pincite.agents._passages import RunEvidence, present_fetched
from pincite.checking import FetchStatus, fetch_evidence
from pincite.citing.present import neutralised
from pincite.core.errors import InputError, PinciteError
from pincite.core.limits import DEFAULT, Limits
from pincite.core.text import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pincite.checking import FetchOutcome
    from pincite.citing import CitationRun
    from pincite.core.hit import Hit
    from pincite.core.protocols import EvidenceStore
    from pincite.core.scope import Scope
    from pincite.library.library import Collection
    from pincite.search.search import Search

HITS: Final = 8
"""Passages of one search."""

OURS: Final = {"pincite": True}
"""The metadata of our tools: what they return was presented already."""

# Wrong arguments that a model may give one tool in a row before the run ends.
_RETRIES: Final = 5
# Code points of an id that are said back to the model.
_LONGEST_ECHO: Final = 200
_Positive = Annotated[int, Field(ge=1)]
_NotNegative = Annotated[int, Field(ge=0)]


@dataclass(slots=True)
class SearchLog:
    """What the search tool of one run was asked: how often, and every hit and warning it returned, each once."""

    searches: int = 0
    broadened: bool = False
    hits: dict[str, Hit] = field(default_factory=dict[str, "Hit"])
    warnings: dict[str, None] = field(default_factory=dict[str, None])


@dataclass(slots=True)
class FetchLog:
    """What the fetch tool of one run returned, in code points, and how often it had to refuse for want of room."""

    code_points: int = 0
    refused: int = 0


def search_tool(
    search: Search,
    *,
    collections: Sequence[Collection],
    run: CitationRun,
    log: SearchLog,
    beside: Callable[[str], Sequence[dict[str, Any]]] | None = None,
) -> Tool[object]:
    """Return the tool `search(question)`: it searches `collections` and presents every hit through `run`.

    What the model gets is what `run.present` makes of each hit, and nothing else. `beside` searches something else
    with the same question, and returns what it presented through the same run; that comes behind. A question that the
    search refuses is handed back to the model to put better.
    """

    def find(question: str) -> list[dict[str, Any]]:
        """Search the documents for passages that answer a question.

        Args:
            question: What you want to know, as one sentence in plain words.
        """
        try:
            result = search.search(question, collections=collections, limit=HITS, refs=run.refs)
            shown = [run.present(hit) for hit in result.hits]
            if beside is not None:
                shown += beside(question)
        except InputError as error:
            raise ModelRetry(error.message) from error
        log.searches += 1
        log.broadened = log.broadened or result.broadened
        log.hits |= {hit.chunk_id: hit for hit in result.hits}
        log.warnings |= dict.fromkeys(result.warnings)
        return shown

    return Tool(find, name="search", takes_ctx=False, docstring_format="google", metadata=OURS)


def fetch_tool(
    store: EvidenceStore,
    *,
    run: CitationRun,
    scope: Scope | None = None,
    log: FetchLog | None = None,
    limits: Limits = DEFAULT,
) -> Tool[object]:
    """Return the tool `fetch_evidence(evidence_ids, max_chars, offset)`, which reads `store`.

    It takes evidence ids and the keys that the model was shown alike. What was received whole can be cited from then
    on; of what was cut the model is told where to go on. `scope` are the documents that may be read; without one,
    those of the run, and of `store` only documents that it has itself shown. All that one run fetches is counted in
    `log`, up to `limits.agent_fetch_code_points`.
    """
    counted = log if log is not None else FetchLog()
    if scope is None and not isinstance(store, RunEvidence):
        store = RunEvidence(run, store, is_open=True)

    async def fetch(
        evidence_ids: list[str], max_chars: _Positive = limits.fetch_code_points, offset: _NotNegative = 0
    ) -> list[dict[str, Any]]:
        """Read passages by their ids; what was read whole may be cited.

        Args:
            evidence_ids: The ids of the passages, exactly as given.
            max_chars: How many characters of each passage to read at most.
            offset: The character to begin with, where an earlier reply says that there is more.
        """
        asked = list(dict.fromkeys(_few(evidence_ids, limits)))
        room = (limits.agent_fetch_code_points - counted.code_points) // len(asked)
        if room < 1:
            counted.refused += 1
            msg = "What may be fetched for one answer is spent. Answer from what you have."
            raise ToolFailed(msg)
        try:
            outcomes = await fetch_evidence(
                store,
                [evidence_id_of(run, name) for name in asked],
                scope=scope if scope is not None else run.scope,
                max_chars=min(max_chars, room),
                offset=offset,
                ledger=run.ledger,
                limits=limits,
            )
        except InputError as error:
            raise ModelRetry(error.message) from error
        counted.code_points += sum(len(outcome.text) for outcome in outcomes)
        return [_shown(run, name, outcome, limits) for name, outcome in zip(asked, outcomes, strict=True)]

    return Tool(
        fetch,
        name="fetch_evidence",
        takes_ctx=False,
        max_retries=_RETRIES,
        docstring_format="google",
        metadata=OURS,
    )


def _shown(run: CitationRun, asked: str, outcome: FetchOutcome, limits: Limits) -> dict[str, Any]:
    """Return what the model sees of an outcome: the passage where it is whole, else what was got and why."""
    told: dict[str, Any] = {"asked": _echo(asked), "status": outcome.status.value}
    if outcome.status is FetchStatus.OK:
        try:
            return told | present_fetched(run, outcome, limits)
        except PinciteError:
            # One of its names stands for other words already, so that it would be cited as something else.
            return told | {"reason": "It can be read and not be cited.", "content": neutralised(outcome.text)}
    told["reason"] = outcome.reason
    if outcome.text:
        told |= {
            "title": neutralised(outcome.title),
            "locator": neutralised(outcome.locator.describe()),
            "content": neutralised(outcome.text),
            "offset": outcome.offset,
            "length": outcome.length,
            "next_offset": outcome.next_offset,
        }
    return told


def check_tool(
    *,
    run: CitationRun,
    scope: Scope | None = None,
    store: EvidenceStore | None = None,
    limits: Limits = DEFAULT,
) -> Tool[object]:
    """Return the tool `check_citations(evidence_ids)`: one verdict for each id that an answer cites.

    The ids that were fetched, and the documents in scope, are those of `run`. It takes evidence ids and the keys that
    the model was shown alike. With a `store` a verdict also says what became of the cited version.
    """

    async def check(evidence_ids: list[str]) -> list[dict[str, str]]:
        """Check the ids that your answer will cite: each must have been fetched, and be valid.

        Args:
            evidence_ids: The ids that the answer cites, exactly as it cites them.
        """
        try:
            checks = await check_keys(
                run, _few(evidence_ids, limits), scope=scope, store=store, limits=limits
            )
        except InputError as error:
            raise ModelRetry(error.message) from error
        told: list[dict[str, str]] = []
        for check in checks:
            entry = {
                "evidence_id": _echo(check.cited_id),
                "verdict": check.verdict.value,
                "reason": check.reason,
            }
            if check.suggestion is not None:
                entry["suggestion"] = check.suggestion
            if check.source_state is not None:
                entry["source_state"] = check.source_state.value
            told.append(entry)
        return told

    return Tool(
        check,
        name="check_citations",
        takes_ctx=False,
        max_retries=_RETRIES,
        docstring_format="google",
        metadata=OURS,
    )


def _echo(name: str) -> str:
    """Return an id that a model gave, as it is said back: an evidence id or a ref is never as long as to be cut."""
    return one_line(name, _LONGEST_ECHO)


def _few(evidence_ids: list[str], limits: Limits) -> list[str]:
    """Return the ids of one call, or hand them back to the model when they are none or too many."""
    if not 0 < len(evidence_ids) <= limits.agent_tool_ids:
        msg = f"Give from 1 to {limits.agent_tool_ids} ids in one call, not {len(evidence_ids)}."
        raise ModelRetry(msg)
    if max(map(len, evidence_ids)) > limits.marker_code_points:
        msg = f"An id has at most {limits.marker_code_points} characters."
        raise ModelRetry(msg)
    return evidence_ids
