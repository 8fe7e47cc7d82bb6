"""`Citing`: a capability that any pydantic-ai agent takes, so that what it answers is cited and checked.

What the agent's tools return is presented, the agent is told how to cite, and its answer is resolved and checked, all
in the run itself. An answer whose citations do not all hold goes back to the model once, in the same run, so that it
still has the passages in front of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, cast
from weakref import WeakValueDictionary

from pydantic_ai import CallToolsNode, FunctionToolset, ToolFailed, UsageLimitExceeded
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import RetryFeedbackPart, RetryInfo
from pydantic_ai.models import Model
from pydantic_graph import End

from pincite.agents._passages import RunEvidence
from pincite.agents._turn import Draft, Turn
from pincite.agents._whole import whole_response, whole_result
from pincite.agents.models import model_of
from pincite.agents.models_quote import ModelsQuotes, models_quotes
from pincite.agents.tools import OURS, check_tool, fetch_tool
from pincite.checking.support import support_method
from pincite.citing import CitationRun, wire_format
from pincite.core.errors import InputError
from pincite.core.highlight import DEFAULT_PRECISION, HighlightPrecision, highlight_precision
from pincite.core.limits import DEFAULT, Limits
from pincite.core.scope import Scope

if TYPE_CHECKING:
    from pydantic_ai import RunContext
    from pydantic_ai.capabilities import AgentNode, NodeResult, ValidatedToolArgs, WrapToolExecuteHandler
    from pydantic_ai.messages import ModelResponse, ToolCallPart
    from pydantic_ai.models import ModelRequestContext
    from pydantic_ai.result import StreamedRunResult
    from pydantic_ai.run import AgentRunResult
    from pydantic_ai.tools import ToolDefinition

    from pincite.agents.answer import CheckedAnswer
    from pincite.checking import SupportMethod
    from pincite.core.protocols import EvidenceStore

OneRun = CitationRun | Callable[["RunContext[Any]"], CitationRun]
"""A run, or what makes one for each run of the agent."""

# Under which name the result of a run carries what became of its citations.
_ATTACHED: Final = "_pincite_turn"


class _Attached:
    """Carries a turn beside a result. A copy of the result may share it, and what is written to disk leaves it out."""

    __slots__ = ("turn",)

    def __init__(self, turn: Turn) -> None:
        self.turn = turn

    def __deepcopy__(self, _memo: object) -> _Attached:
        return self

    def __reduce__(self) -> tuple[Callable[[], None], tuple[()]]:
        return _nothing, ()


def _nothing() -> None:
    """Stand for what a result carried before it was written to disk."""


@dataclass
class Citing(AbstractCapability[Any]):
    """Makes an agent cite what its own tools return, and checks that it did: `Agent(..., capabilities=[Citing()])`.

    Each run of the agent has a citation run of its own, in `wire_format`; `run` gives another, such as one that goes on
    with a conversation, and may be a function of the run's context. What tools return is looked through for passages
    (see `CitationRun.present`), and these are replaced by what the model sees of them; `tools` names the tools whose
    results are meant, all of them when it is None. `max_chars` cuts what is shown of each, in code points.

    The agent gets the tool `check_citations`, and with a `store` or with `max_chars` also `fetch_evidence`. `scope` are
    the documents that may be cited: ids or keys; without it, those that were presented.

    Its answer is its output where that is text; else what `text_of` makes of the output. `repair=False` leaves it at
    the check. `support` is the method by which each claim of the answer is held against what it cites, as for
    `check_support`; it changes neither text nor status, and None leaves it out. `tool_calls` bounds the calls of tools,
    ours included; without it the run's own usage limits do.

    `highlight` is how precisely citations are highlighted (`HighlightPrecision`). Under `models_quote` a model picks
    the words after the answer stands, `highlight_model` or else the agent's own; it is one request more, which the
    run's usage counts, and the answer is the same without it.
    """

    wire_format: str | None = None
    run: OneRun | None = None
    store: EvidenceStore | None = None
    scope: Scope | Collection[str] | None = None
    tools: Collection[str] | None = None
    max_chars: int | None = None
    text_of: Callable[[Any], str | None] | None = None
    repair: bool = True
    support: str | SupportMethod | None = "lexical"
    tool_calls: int | None = None
    limits: Limits = DEFAULT
    highlight: str = DEFAULT_PRECISION
    highlight_model: str | Model | None = None
    _: KW_ONLY
    id: str | None = "citing"
    # What belongs to one run: of the capability that an agent was given these are empty.
    _turn: Turn | None = field(default=None, init=False, repr=False, compare=False)
    _first: End[Any] | None = field(default=None, init=False, repr=False, compare=False)
    _settled: End[Any] | None = field(default=None, init=False, repr=False, compare=False)
    _messages: int = field(default=0, init=False, repr=False, compare=False)
    # The turns of all runs that are still at work, by run id.
    _turns: WeakValueDictionary[str, Turn] = field(
        default_factory=WeakValueDictionary[str, Turn], init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        if self.wire_format is not None:
            wire_format(self.wire_format)  # an unknown one is told of here, not in the first run
        if self.support is not None:
            support_method(self.support)  # so is a method that there is not
        precision = highlight_precision(self.highlight)  # and a precision
        if precision is HighlightPrecision.MODELS_QUOTE and self.highlight_model is not None:
            self.highlight_model = model_of(self.highlight_model)
        if isinstance(self.tools, str):
            msg = "`tools` is a collection of names, not one."
            raise InputError(msg, field="tools")

    def answer(self, result: AgentRunResult[Any] | StreamedRunResult[Any, Any]) -> CheckedAnswer:
        """Return the checked answer of a run: of its result, or of a stream that was read to its end.

        Raises:
            InputError: the run was not one with this capability, has not ended, or its output holds no text.
        """
        attached = getattr(result, _ATTACHED, None)
        run_id = getattr(result, "run_id", None)
        turn = attached.turn if isinstance(attached, _Attached) else self._turns.get(run_id or "")
        if turn is None or turn.answer is None:
            msg = "There is no checked answer: the run had no `Citing`, is not at its end, or answered with no text."
            raise InputError(msg, field="result")
        return turn.answer

    async def for_run(self, ctx: RunContext[Any]) -> Citing:
        """Return the capability of one run, with a state of its own."""
        mine = replace(self)
        scope = None if self.scope is None else Scope.of(self.scope)
        run = self.run(ctx) if callable(self.run) else self.run
        if run is None:
            run = CitationRun(self.wire_format, scope=scope, limits=self.limits)
        turn = Turn(
            run,
            limits=self.limits,
            store=self.store,
            scope=scope,
            calls=self.tool_calls,
            max_chars=self.max_chars,
            support=self.support,
        )
        turn.results.presented = self._seen(run)
        mine._begin(turn, self._turns)  # noqa: SLF001 - it is one of these itself
        if ctx.run_id is not None:
            self._turns[ctx.run_id] = turn
        return mine

    def _seen(self, run: CitationRun) -> int:
        """Return how many passages the model has in front of it before it calls a tool: those of earlier turns."""
        return len(run.store)

    def _begin(self, turn: Turn, turns: WeakValueDictionary[str, Turn]) -> None:
        self._turn, self._turns = turn, turns

    def get_instructions(self) -> str | None:
        """Return what tells the model how to cite."""
        return None if self._turn is None else self._turn.run.instructions() or None

    def get_toolset(self) -> FunctionToolset[Any] | None:
        """Return the tools that read evidence and check citations."""
        turn = self._turn
        if turn is None:
            return None
        tools = [check_tool(run=turn.run, scope=turn.scope, store=turn.store, limits=self.limits)]
        if self.store is not None or self.max_chars is not None:
            store = RunEvidence(turn.run, self.store, is_open=turn.scope is None)
            tools.append(
                fetch_tool(store, run=turn.run, scope=turn.scope, log=turn.fetched, limits=self.limits)
            )
        return FunctionToolset(tools, id="pincite")

    async def after_model_request(
        self,
        ctx: RunContext[Any],  # noqa: ARG002 - the base class's signature
        *,
        request_context: ModelRequestContext,  # noqa: ARG002 - the same
        response: ModelResponse,
    ) -> ModelResponse:
        """Join the halves of characters in what the model wrote, so that what is checked is what can be told."""
        return whole_response(response)

    async def wrap_tool_execute(
        self,
        ctx: RunContext[Any],  # noqa: ARG002 - the base class's signature
        *,
        call: ToolCallPart,  # noqa: ARG002 - the same
        tool_def: ToolDefinition,
        args: ValidatedToolArgs,
        handler: WrapToolExecuteHandler,
    ) -> Any:  # noqa: ANN401 - whatever a tool returns
        """Run a tool while there are calls left, and present what it found."""
        turn = self._turn
        if turn is None:
            return whole_result(await handler(args))
        if not turn.may_call():
            msg = "The budget of tool calls is spent. Answer from what you have."
            raise ToolFailed(msg)
        result = whole_result(await handler(args))
        if tool_def.metadata is not None and OURS.items() <= tool_def.metadata.items():
            turn.results.count(result)
            return result
        if self.tools is not None and tool_def.name not in self.tools:
            return result
        return turn.results.shown(result)

    async def after_node_run(
        self, ctx: RunContext[Any], *, node: AgentNode[Any], result: NodeResult[Any]
    ) -> NodeResult[Any]:
        """Check the answer where the run would end; send it back to the model once where that may help."""
        turn = self._turn
        if turn is None or not isinstance(result, End) or result is self._settled:
            return result
        try:
            text = self._text(result.data.output)
        except InputError:
            if turn.first is None:
                raise
            text = None
        if text is None:
            kept = turn.failed("What the model wrote when it was asked again holds no text.")
            if kept is None:
                return result
            await self._finish(ctx, turn, kept)
            return self._ended(ctx, result, kept, None)
        # What ends otherwise was streamed to its reader, and is theirs as it is.
        open_ = isinstance(node, CallToolsNode)
        draft = await turn.draft(text, mend=open_ and self.text_of is None)
        if turn.first is not None:
            chosen = turn.choose(draft)
            await self._finish(ctx, turn, chosen)
            return self._ended(ctx, result, chosen, draft)
        asks = open_ and self.repair and not turn.was_asked and turn.run.format.key_field is not None
        if draft.reviewed.faults and asks and _has_room(ctx, turn):
            self._first, self._messages = result, len(ctx.messages)
            ctx.enqueue(
                RetryFeedbackPart(turn.ask(draft), retry=RetryInfo(cause="model_retry")), priority="when_idle"
            )
            return result
        await self._finish(ctx, turn, draft, stopped=bool(draft.reviewed.faults) and asks)
        return self._ended(ctx, result, draft, draft)

    async def on_node_run_error(
        self, ctx: RunContext[Any], *, node: AgentNode[Any], error: Exception
    ) -> NodeResult[Any]:
        """Let the first answer stand when the run fails while the model writes it again."""
        turn = self._turn
        draft = None
        if turn is not None and turn.first is not None:
            # What a foreign error says may hold a path or an address; its kind holds neither.
            draft = turn.failed(f"The run failed when the model was asked again ({type(error).__name__}).")
        if turn is None or draft is None or self._first is None:
            return await super().on_node_run_error(ctx, node=node, error=error)
        await self._finish(ctx, turn, draft, stopped=isinstance(error, UsageLimitExceeded))
        self._settled = self._ended(ctx, self._first, draft, None)
        return self._settled

    async def _finish(self, ctx: RunContext[Any], turn: Turn, draft: Draft, *, stopped: bool = False) -> None:
        """Settle the answer of a run, and let a model pick the words to be lit where that is wanted."""
        checked = await turn.finish(draft, stopped=stopped)
        if self.highlight != HighlightPrecision.MODELS_QUOTE or not checked.answer.citations:
            return
        limit = None if ctx.usage_limits is None else ctx.usage_limits.request_limit
        model = self.highlight_model if self.highlight_model is not None else ctx.model
        if limit is not None and ctx.usage.requests >= limit:
            picked = ModelsQuotes((), reason="The budget had no room for it.")
        elif isinstance(model, Model):
            asked = cast("Model", model)
            picked = await models_quotes(checked.answer, model=asked, limits=self.limits)
        else:
            picked = ModelsQuotes((), reason="The agent's model answers no single request.")
        ctx.usage.incr(picked.usage)
        told = (f"No model picked the words to highlight: {picked.reason}",) if picked.reason else ()
        turn.answer = replace(checked, quotes=picked.quotes, warnings=(*checked.warnings, *told))

    async def after_run(self, ctx: RunContext[Any], *, result: AgentRunResult[Any]) -> AgentRunResult[Any]:  # noqa: ARG002 - the base class's signature
        """Let the result carry what became of its citations."""
        if self._turn is not None:
            vars(result)[_ATTACHED] = _Attached(self._turn)
        return result

    def _text(self, output: object) -> str | None:
        """Return the text in which the output cites, None where it holds none.

        Raises:
            InputError: `text_of` failed, or returned something else.
        """
        if self.text_of is None:
            return output if isinstance(output, str) else None
        try:
            text = self.text_of(output)
        except Exception as error:
            msg = f"`text_of` failed on the output: {type(error).__name__}."
            raise InputError(msg, field="text_of") from error
        if text is not None and not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance] - a caller's function
            msg = f"`text_of` returns a string or None, not {type(text).__name__}."
            raise InputError(msg, field="text_of")
        return text

    def _ended(self, ctx: RunContext[Any], end: End[Any], chosen: Draft, second: Draft | None) -> End[Any]:
        """Return the end of the run with the chosen answer, and its messages up to where that was given."""
        if self._first is not None and (second is None or chosen.reviewed is not second.reviewed):
            end = self._first
            del ctx.messages[self._messages :]
        self._first = None
        output: object = end.data.output
        if not isinstance(output, str) or self.text_of is not None or output == chosen.text:
            return end
        return End(replace(end.data, output=chosen.text))


def _has_room(ctx: RunContext[Any], turn: Turn) -> bool:
    """Say whether the model may be asked once more, and may call a tool then."""
    limits, usage = ctx.usage_limits, ctx.usage
    if limits is not None:
        if limits.request_limit is not None and usage.requests >= limits.request_limit:
            return False
        if limits.tool_calls_limit is not None and usage.tool_calls >= limits.tool_calls_limit:
            return False
    return turn.has_call_left
