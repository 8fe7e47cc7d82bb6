"""Checks: the library's functions for people who are not in Python. Nothing that is sent here is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

from fastapi import APIRouter
from pydantic import Field

from pincite.checking import SourceIndex, check_citations_sync, verify_quote
from pincite.citing import WIRE_FORMATS, CitationRun, ConversationState
from pincite.core.errors import InputError, NotFoundError
from pincite.core.verdicts import QuoteVerdict, SourceState, TraceVerdict
from pincite.protocols.answers import answer_json, standing
from pincite.protocols.recalled import recalled
from pincite.providers import read_response, response_as_dict
from pincite.server._shapes import Asked, Json, Shape, Text
from pincite.server.access import Searcher
from pincite.server.bracketed import BRACKETS, READ_AS, resolved
from pincite.server.conversations import check_owner
from pincite.server.faults import described
from pincite.showing import ExportFormat, export

if TYPE_CHECKING:
    from pincite.core.answer import Answer
    from pincite.server.access import Caller

router = APIRouter(tags=["checks"], responses=described(401, 403, 429, 503))

_IDS = 20_000
_TEXT = 1_000_000
_ANSWER = 200_000
Id = Annotated[Text, Field(max_length=400)]
Key = Annotated[Text, Field(max_length=2_000)]


class AnswerRequest(Asked):
    """An answer, and what it was written from: a conversation of this server, or passages of your own."""

    answer: Text = Field(max_length=_ANSWER, description="The text as the model wrote it, markers and all.")
    conversation_id: Key | None = Field(default=None, description="Whose refs the answer cites.")
    passages: list[dict[Text, Json]] | None = Field(
        default=None,
        max_length=1_000,
        description="What the model was shown, in its order: each with `content`, and a `source_url` or an `id`; "
        "`title` and `metadata` where there are any.",
    )
    wire_format: Text | None = Field(
        default=None,
        max_length=100,
        description="How the answer cites; the conversation's own, or `ref`. One of "
        f"{', '.join(f'`{name}`' for name in WIRE_FORMATS)}; `{BRACKETS}` for plain numbers (`[1]`, `[2, 3]`), which "
        "count the passages from 1, or are those that the conversation gave; or a format that is installed.",
        examples=[*WIRE_FORMATS, BRACKETS],
    )


class CheckRequest(AnswerRequest):
    """An answer to be checked; or evidence ids to be held against those that were fetched."""

    answer: Text = Field(default="", max_length=_ANSWER)
    support: bool = Field(default=True, description="Hold each sentence against what it cites, word by word.")
    evidence_ids: list[Id] | None = Field(default=None, max_length=_IDS, description="Ids that were cited.")
    fetched: list[Id] | None = Field(
        default=None, max_length=_IDS, description="Ids that were fetched whole."
    )
    scope: list[Key] | None = Field(
        default=None, max_length=_IDS, description="Ids or keys of the documents that may be cited."
    )


class TraceBody(Shape):
    """The verdict on one cited id."""

    cited_id: str
    verdict: TraceVerdict
    reason: str
    covered_by: str | None
    source_state: SourceState | None
    suggestion: str | None


class CheckReply(Shape):
    """Of an answer: what was found in it. Of ids: one verdict for each, in order."""

    answer: dict[str, Any] | None
    checks: list[TraceBody] | None


class QuoteRequest(Asked):
    """A quote and the text that it is said to stand in."""

    quote: Text = Field(max_length=_TEXT)
    source: Text = Field(max_length=_TEXT, description="The text, or one of the names in `sources`.")
    prefix: Text | None = Field(default=None, max_length=2_000, description="What stands in front of it.")
    suffix: Text | None = Field(default=None, max_length=2_000, description="What stands behind it.")
    near: int | None = Field(default=None, ge=0, le=2**31)


class QuotesRequest(Asked):
    """Quotes to be verified."""

    quotes: list[QuoteRequest] = Field(min_length=1, max_length=1_000)
    sources: dict[Key, Annotated[Text, Field(max_length=_TEXT)]] = Field(
        default_factory=dict[str, str],
        max_length=1_000,
        description="Texts by name, where several quotes are of one; a quote that stands in another of them is "
        "`elsewhere`.",
    )


class QuoteBody(Shape):
    """The verdict on one quote; `start` and `end` are code points of the source's own text."""

    quote: str
    verdict: QuoteVerdict
    start: int | None
    end: int | None
    found: str | None = Field(description="What stands there.")
    elsewhere: str | None = Field(description="The name of the source that has it instead.")
    reason: str


class QuotesReply(Shape):
    """One verdict for each quote, in order."""

    quotes: list[QuoteBody]


class RenderRequest(AnswerRequest):
    """An answer to be shown with numbered references."""

    to: Literal["markdown", "html", "text", "bibtex", "csl-json", "annotations"] = "markdown"
    title: Text = Field(default="", max_length=2_000)


class RenderReply(Shape):
    """The answer in the format that was asked for."""

    text: str
    to: str


class ProviderRequest(Asked):
    """A response of a model provider, as it was received."""

    provider: Text = Field(max_length=100, description="As `anthropic`, `openai` or `google`.")
    api: Text | None = Field(
        default=None, max_length=100, description="Which of its APIs, where it has several."
    )
    response: dict[Text, Json]


class ProviderReply(Shape):
    """The response in our shape: text in parts, each with its citations, and what was not understood."""

    response: dict[str, Any]


@router.post("/api/check", summary="Check an answer, or ids", responses=described(404, 422))
def check(caller: Searcher, asked: CheckRequest) -> CheckReply:
    """Check an answer: is each citation one that was given, and do the sentences say what they cite?

    Of an answer that the conversation keeps, `confidence` is what its own search said; of another it is null.
    """
    limits = caller.desk.library.limits
    if asked.evidence_ids is not None:
        if asked.answer:
            msg = "Give an answer or evidence ids, not both."
            raise InputError(msg, field="answer")
        found = check_citations_sync(
            asked.evidence_ids, asked.fetched or [], scope=asked.scope or (), limits=limits
        )
        return CheckReply(answer=None, checks=[TraceBody.model_validate(one) for one in found])
    if not asked.answer.strip():
        msg = "Give an answer, or evidence ids."
        raise InputError(msg, field="answer")
    run = _run(caller, asked)
    answer, support = _resolved(run, asked), None
    if asked.conversation_id is not None:
        answer = recalled(answer, _given(caller, asked.conversation_id, answer.text))
    if asked.support:
        support = run.check(answer)
        answer = support.answer
    return CheckReply(answer=answer_json(answer, caller.desk.library, support), checks=None)


@router.post("/api/verify-quotes", summary="Verify quotes", responses=described(422))
def verify_quotes(caller: Searcher, asked: QuotesRequest) -> QuotesReply:
    """Say of each quote whether its source says it, where, and what differs."""
    limits = caller.desk.library.limits
    indexes = {name: SourceIndex(text) for name, text in asked.sources.items()}
    quotes: list[QuoteBody] = []
    for one in asked.quotes:
        source = indexes.get(one.source) or SourceIndex(one.source)
        others = {name: index for name, index in indexes.items() if name != one.source}
        found = verify_quote(
            one.quote,
            source,
            prefix=one.prefix,
            suffix=one.suffix,
            near=one.near,
            others=others or None,
            limits=limits,
        )
        elsewhere = None if found.passage is None else str(found.passage)
        text = (
            asked.sources[elsewhere] if elsewhere is not None else asked.sources.get(one.source, one.source)
        )
        there = found.start is not None and found.end is not None
        quotes.append(
            QuoteBody(
                quote=one.quote,
                verdict=found.verdict,
                start=found.start,
                end=found.end,
                found=text[found.start : found.end] if there else None,
                elsewhere=elsewhere,
                reason=found.reason,
            )
        )
    return QuotesReply(quotes=quotes)


@router.post("/api/render", summary="Number the references", responses=described(404, 422))
def render(caller: Searcher, asked: RenderRequest) -> RenderReply:
    """Put numbers in place of an answer's markers, with one list of sources; or export the sources."""
    answer = _resolved(_run(caller, asked), asked)
    to: ExportFormat = asked.to
    text = export(answer, to=to, title=asked.title, limits=caller.desk.library.limits)
    return RenderReply(text=text, to=asked.to)


@router.post("/api/read-provider-response", summary="Read a provider's citations", responses=described(422))
def read_provider_response(caller: Searcher, asked: ProviderRequest) -> ProviderReply:  # noqa: ARG001 - asking for it is what checks it
    """Read the citations of a model provider's own response into our shape; the text is never changed."""
    found = read_response(asked.provider, asked.response, api=asked.api)
    return ProviderReply(response=response_as_dict(found))


def _resolved(run: CitationRun, asked: AnswerRequest) -> Answer:
    """Return what the answer cites, in its own text."""
    return resolved(asked.answer, run.resolve) if asked.wire_format == BRACKETS else run.resolve(asked.answer)


def _given(caller: Caller, conversation_id: str, text: str) -> dict[str, Any] | None:
    """Return the newest answer with that text which the conversation keeps, as it was told; None where none is."""
    for message in reversed(caller.desk.library.conversations.messages(conversation_id)):
        answer: Any = message.body.get("answer")
        if isinstance(answer, dict) and cast("dict[str, Any]", answer).get("text") == text:
            return cast("dict[str, Any]", answer)
    return None


def _run(caller: Caller, asked: AnswerRequest) -> CitationRun:
    """Return a run in which what the answer may cite is registered.

    Raises:
        InputError: a conversation and passages are given, or neither, or a passage cannot be cited.
        NotFoundError: there is no such conversation.
    """
    limits = caller.desk.library.limits
    wire_format = READ_AS if asked.wire_format == BRACKETS else asked.wire_format
    if (asked.conversation_id is None) == (asked.passages is None):
        msg = "Give the conversation that the answer belongs to, or the passages that it was written from."
        raise InputError(msg, field="passages")
    if asked.conversation_id is not None:
        check_owner(caller, asked.conversation_id)
        kept = caller.desk.library.load_conversation(asked.conversation_id)
        if kept is None:
            msg = "There is no such conversation."
            raise NotFoundError(msg, field="conversation_id")
        state = ConversationState.load(kept)
        run = CitationRun(wire_format, conversation=state, limits=limits)
        return CitationRun(
            wire_format,
            conversation=state,
            scope=standing(caller.desk.library, run.store),
            limits=limits,
        )
    run = CitationRun(wire_format or "ref", limits=limits)
    for passage in asked.passages or ():
        run.present(passage)
    return run
