"""`Citing` on other people's agents: their tools, their outputs, their streams, many at a time."""

from __future__ import annotations

import asyncio
import copy
import json
import pickle
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import pytest
from agent_scripts import Script, check, fetch, returns
from langchain_core.documents import Document as LangChainDocument
from pydantic import BaseModel
from pydantic_ai import (
    Agent,
    AgentRunResultEvent,
    ModelRetry,
    RunContext,
    Tool,
    ToolReturn,
    UsageLimitExceeded,
)
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel
from pydantic_ai.models.test import TestModel
from pydantic_ai.usage import UsageLimits

from pincite.agents import AnswerStatus, Citing, RepairKind
from pincite.agents._results import Results
from pincite.citing import CitationRun
from pincite.core.errors import InputError
from pincite.core.hit import Hit
from pincite.core.limits import DEFAULT
from pincite.core.memory import MemoryEvidenceStore
from pincite.core.protocols import EvidenceText
from pincite.core.verdicts import SupportVerdict, TraceVerdict

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from pincite.checking import SupportCheck

MEALS = {"id": "meals-1", "title": "Meals", "text": "A working lunch is paid up to 25 euro."}
TRAINS = {
    "url": "https://intranet.example/trains",
    "title": "Trains",
    "content": "First class needs approval.",
}
ASK = ToolCallPart("look_up", {})


def agent_with(result: Any, script: Script, citing: Citing) -> Agent[None, str]:
    """Return an agent with one tool, which returns `result`."""
    return Agent(script.model, tools=[Tool(lambda: result, name="look_up")], capabilities=[citing])


def citing_first(said: str = "Up to 25 euro.") -> Script:
    """Return a script that calls the tool once and cites the first passage that it returned."""

    def cite(messages: list[ModelMessage]) -> str:
        return f"{said} [{_first_ref(returns(messages, 'look_up')[0])}]"

    return Script([ASK, cite])


def _first_ref(found: Any) -> str:
    """Return the first `ref` anywhere in what a tool returned."""
    return json.dumps(found).partition('"ref": "')[2].partition('"')[0]


def look_up() -> Any:
    """Look something up."""
    return [MEALS]


@dataclass
class Document:
    """A document as LangChain has it."""

    page_content: str
    metadata: dict[str, Any]


@dataclass
class Found:
    """A result as retrievers have it."""

    hits: list[Any]


HIT = Hit("x", "meals-1", "handbook", MEALS["text"], "https://example.com/handbook", "", title="Meals")
LIKE_LANGCHAIN = Document(MEALS["text"], {"source": "https://example.com/handbook", "title": "Meals"})


@pytest.mark.parametrize(
    "result",
    [
        MEALS,
        [MEALS, TRAINS],
        (MEALS, TRAINS),
        HIT,
        [HIT],
        LIKE_LANGCHAIN,
        [LIKE_LANGCHAIN],
        [(LIKE_LANGCHAIN, 0.7)],
        {"results": [MEALS, TRAINS], "total": 2},
        {"pages": {"first": [MEALS]}},
        Found([MEALS]),
        ToolReturn([MEALS], metadata={"took": 3}),
        json.dumps([MEALS, TRAINS]),
        ToolReturn(json.dumps({"results": [MEALS]})),
        [LangChainDocument(page_content=MEALS["text"], metadata={"source": "meals.md", "title": "Meals"})],
    ],
    ids=str,
)
async def test_what_tools_return_is_presented_and_cited(result: Any) -> None:
    """Hits, mappings, documents, lists of them, and what holds such a list: nothing else has to be changed."""
    citing, script = Citing(), citing_first()
    done = await agent_with(result, script, citing).run("How much is lunch?")
    answer = citing.answer(done)
    assert answer.status is AnswerStatus.ANSWERED
    assert answer.rendered.startswith("Up to 25 euro. [1]\n\n### Sources\n\n[1] ")
    assert "Meals" in answer.rendered
    assert [one.verdict for one in answer.checks] == [TraceVerdict.VALID]


async def test_the_model_sees_payloads_and_nothing_else() -> None:
    """A passage is its key, title, place and words; what is no passage stays as it was."""
    script = citing_first()
    await agent_with({"results": [MEALS | {"secret": "s3://bucket"}], "total": 1}, script, Citing()).run("?")
    (found,) = returns(script.requests[-1], "look_up")
    assert found["total"] == 1
    assert set(found["results"][0]) == {"ref", "title", "locator", "content"}
    assert found["results"][0]["content"] == MEALS["text"]


@pytest.mark.parametrize(
    "result",
    [
        "Sunny.",
        7,
        None,
        True,
        {"temperature": 21},
        ["a", "b"],
        {"text": "No name"},
        [{"title": "x"}],
        b"bytes",
    ],
)
async def test_what_is_no_passage_is_left_alone(result: Any) -> None:
    """Other results reach the model as they were, and are nothing to cite."""
    citing, script = Citing(), Script([ASK, "It is so."])
    done = await agent_with(result, script, citing).run("?")
    last = [part for part in script.requests[-1][-1].parts if isinstance(part, ToolReturnPart)]
    assert last[0].content == result
    assert citing.answer(done).status is AnswerStatus.INSUFFICIENT_EVIDENCE


class Rude:
    """An object that fails when it is read."""

    @property
    def page_content(self) -> str:
        """Fail."""
        msg = "rude"
        raise ValueError(msg)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        msg = "rude"
        raise ValueError(msg)


def test_a_rude_object_breaks_nothing() -> None:
    """What fails while it is looked at is no passage, and the passages beside it are."""
    rude = Rude()
    results = Results(CitationRun())
    assert results.shown(rude) is rude
    first, second = cast("list[Any]", results.shown([rude, MEALS]))
    assert first is rude
    assert second["content"] == MEALS["text"]
    assert results.presented == 1


async def test_two_passages_under_one_id() -> None:
    """A system that gives one id to two texts has two passages here."""
    same = "0f0e0d0c-0000-4000-8000-000000000001"
    both = [{"id": same, "text": "Lunch is 25 euro."}, {"id": same, "text": "Dinner is 40 euro."}]

    def cite(messages: list[ModelMessage]) -> str:
        first, second = returns(messages, "look_up")[0]
        assert first["ref"] != second["ref"]
        return f"Lunch [{first['ref']}], dinner [{second['ref']}]."

    citing = Citing()
    answer = citing.answer(await agent_with(both, Script([ASK, cite]), citing).run("?"))
    assert answer.status is AnswerStatus.ANSWERED
    assert len(answer.answer.citations) == 2


async def test_only_the_named_tools() -> None:
    """`tools` says whose results are passages."""
    citing, script = Citing(tools=["another"]), Script([ASK, "Fine."])
    await agent_with([MEALS], script, citing).run("?")
    assert returns(script.requests[-1], "look_up") == [[MEALS]]


@pytest.mark.parametrize("wire_format", ["ref", "short_id", "evidence_id", "sup_numeric", "inline_url"])
async def test_wire_formats(wire_format: str) -> None:
    """The agent is told how to cite in the format, shown its key, and cites with it."""
    citing = Citing(wire_format)
    seen: list[str] = []

    def act(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        seen.append(info.instructions or "")
        found = returns(messages, "look_up")
        if not found:
            return ModelResponse([ASK])
        run = CitationRun(wire_format)
        key = found[0][0][run.format.key_field or ""]
        return ModelResponse([TextPart(f"Up to 25 euro. {run.format.write(key)}")])

    both = Tool(lambda: [TRAINS | MEALS], name="look_up")
    agent = Agent(FunctionModel(act), instructions="Be brief.", tools=[both], capabilities=[citing])
    answer = citing.answer(await agent.run("?"))
    assert answer.status is AnswerStatus.ANSWERED
    assert "Be brief." in seen[0]
    assert CitationRun(wire_format).instructions() in seen[0]


async def test_under_deferred_nothing_is_written() -> None:
    """Sentences are matched to passages after the run, and the same record comes back."""
    citing = Citing("deferred")
    done = await agent_with([MEALS], Script([ASK, MEALS["text"]]), citing).run("?")
    answer = citing.answer(done)
    assert answer.status is AnswerStatus.ANSWERED
    assert answer.rendered.startswith("A working lunch is paid up to 25 euro. [1]")


async def test_runs_of_one_agent_share_nothing() -> None:
    """Forty runs at a time: each has its own refs, budget and answer."""
    citing = Citing(tool_calls=2)

    async def act(messages: list[ModelMessage], _info: AgentInfo) -> ModelResponse:
        await asyncio.sleep(0)
        found = returns(messages, "look_up")
        if not found:
            question = str(messages[0].parts[0].content)  # type: ignore[union-attr]
            return ModelResponse([ToolCallPart("look_up", {"name": question})])
        await asyncio.sleep(0)
        return ModelResponse([TextPart(f"{found[0]['content']} [{found[0]['ref']}]")])

    agent = Agent(FunctionModel(act), capabilities=[citing])

    @agent.tool_plain
    async def look_up(name: str) -> Any:  # pyright: ignore[reportUnusedFunction] - the agent calls it
        """Look something up."""
        await asyncio.sleep(0)
        return {"id": "the-same", "title": name, "text": f"The text of {name}."}

    names = [f"question {n}" for n in range(40)]
    results = await asyncio.gather(*(agent.run(name) for name in names))
    for name, result in zip(names, results, strict=True):
        answer = citing.answer(result)
        assert answer.status is AnswerStatus.ANSWERED
        assert answer.rendered == f"The text of {name}. [1]\n\n### Sources\n\n[1] {name}"
        assert len(answer.conversation.store) == 1


async def test_a_repair_in_the_run_itself() -> None:
    """An invented key goes back to the model once; the run's output and messages are those of the answer given."""

    def cite(messages: list[ModelMessage]) -> str:
        return f"Up to 25 euro. [{_first_ref(returns(messages, 'look_up')[0])}]"

    citing, script = Citing(), Script([ASK, "Up to 25 euro. [[deadbeef]]", cite])
    result = await agent_with([MEALS], script, citing).run("?")
    answer = citing.answer(result)
    assert answer.status is AnswerStatus.ANSWERED
    assert [one.kind for one in answer.repairs] == [RepairKind.REWRITTEN]
    assert result.output == answer.answer.text
    assert result.response.text == result.output
    assert len(result.all_messages()) == 6


async def test_a_repair_that_fails_leaves_the_run_as_it_was() -> None:
    """The first answer is the output, and the messages end with it."""
    first = "Up to 25 euro. [[deadbeef]]"
    citing, script = Citing(), Script([ASK, first, RuntimeError("gone")])
    result = await agent_with([MEALS], script, citing).run("?")
    assert result.output == first
    assert result.response.text == first
    assert len(result.all_messages()) == 4
    assert [one.kind for one in citing.answer(result).repairs] == [RepairKind.KEPT]


async def test_a_mended_output_is_the_output() -> None:
    """What is put right without the model is put right in the run's output too."""

    def slip(messages: list[ModelMessage]) -> str:
        ref = _first_ref(returns(messages, "look_up")[0])
        return f"Up to 25 euro. [{ref[:-1]}{'0' if ref[-1] != '0' else '1'}]"

    citing, script = Citing(), Script([ASK, slip])
    result = await agent_with([MEALS], script, citing).run("?")
    answer = citing.answer(result)
    assert result.output == answer.answer.text != answer.written
    assert answer.status is AnswerStatus.ANSWERED
    assert len(script.requests) == 2


async def test_no_repair_where_none_is_wanted() -> None:
    """`repair=False` leaves the model alone."""
    citing, script = Citing(repair=False), Script([ASK, "Up to 25 euro. [[deadbeef]]"])
    answer = citing.answer(await agent_with([MEALS], script, citing).run("?"))
    assert answer.status is AnswerStatus.UNCITED
    assert (len(script.requests), answer.repairs, answer.warnings) == (2, (), ())


@pytest.mark.parametrize("limits", [UsageLimits(request_limit=2), UsageLimits(tool_calls_limit=1)])
async def test_the_runs_own_limits_count(limits: UsageLimits) -> None:
    """A run that may not ask again is not asked again, and does not fail for it."""
    citing, script = Citing(), Script([ASK, "Up to 25 euro. [[deadbeef]]"])
    result = await agent_with([MEALS], script, citing).run("?", usage_limits=limits)
    assert citing.answer(result).status is AnswerStatus.BUDGET_EXHAUSTED
    assert len(script.requests) == 2


async def test_errors_of_the_run_stay_errors() -> None:
    """What fails before there is an answer fails as it would without us."""
    citing = Citing()
    with pytest.raises(RuntimeError, match="gone"):
        await agent_with([MEALS], Script([ASK, RuntimeError("gone")]), citing).run("?")
    with pytest.raises(UsageLimitExceeded):
        await agent_with([MEALS], Script([ASK]), citing).run("?", usage_limits=UsageLimits(request_limit=3))


async def test_tools_that_retry_are_left_alone() -> None:
    """A tool that hands a call back to the model does so."""
    citing, script = Citing(), Script([ASK, ASK, "Nothing."])
    agent = Agent(script.model, capabilities=[citing])
    tries: list[int] = []

    @agent.tool_plain
    def look_up() -> Any:  # pyright: ignore[reportUnusedFunction] - the agent calls it
        """Look something up."""
        tries.append(1)
        if len(tries) == 1:
            msg = "Again."
            raise ModelRetry(msg)
        return [MEALS]

    assert citing.answer(await agent.run("?")).status is AnswerStatus.UNCITED
    assert len(tries) == 2


class Reply(BaseModel):
    """A structured output."""

    text: str
    mood: str = "calm"


async def test_a_structured_output() -> None:
    """`text_of` says where the output cites; without it there is nothing to check, and the run is as it was."""

    def act(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        found = returns(messages, "look_up")
        if not found:
            return ModelResponse([ASK])
        text = f"Up to 25 euro. [{_first_ref(found[0])}]"
        return ModelResponse([ToolCallPart(info.output_tools[0].name, {"text": text})])

    citing = Citing(text_of=lambda reply: reply.text)
    agent = Agent(FunctionModel(act), tools=[look_up], output_type=Reply, capabilities=[citing])
    result = await agent.run("?")
    assert isinstance(result.output, Reply)
    assert citing.answer(result).status is AnswerStatus.ANSWERED
    bare = Citing()
    plain = Agent(FunctionModel(act), tools=[look_up], output_type=Reply, capabilities=[bare])
    with pytest.raises(InputError, match="no checked answer"):
        bare.answer(await plain.run("?"))


def streamed(answer: Callable[[list[ModelMessage]], str]) -> FunctionModel:
    """Return a model that streams: a tool call, then an answer in pieces of three characters."""

    async def act(
        messages: list[ModelMessage], _info: AgentInfo
    ) -> AsyncIterator[str | dict[int, DeltaToolCall]]:
        if not returns(messages, "look_up"):
            yield {0: DeltaToolCall("look_up", "{}", tool_call_id="call-1")}
            return
        text = answer(messages)
        for start in range(0, len(text), 3):
            yield text[start : start + 3]

    return FunctionModel(stream_function=act)


def cite_meals(messages: list[ModelMessage]) -> str:
    """Cite the first passage."""
    return f"Up to 25 euro. [{_first_ref(returns(messages, 'look_up')[0])}]"


async def test_a_stream() -> None:
    """A streamed answer is checked when it has ended, as it was streamed."""
    citing = Citing()
    agent = Agent(streamed(cite_meals), tools=[look_up], capabilities=[citing])
    async with agent.run_stream("?") as stream:
        with pytest.raises(InputError, match="not at its end"):
            citing.answer(stream)
        text = "".join([piece async for piece in stream.stream_text(delta=True)])
        answer = citing.answer(stream)
    assert answer.answer.text == text
    assert answer.status is AnswerStatus.ANSWERED
    assert citing.answer(stream) is answer


async def test_a_stream_is_not_repaired_behind_its_readers_back() -> None:
    """What a reader has seen stays; the status and the checks say what is wrong with it."""
    citing = Citing()
    agent = Agent(streamed(lambda _: "Up to 25 euro. [[deadbeef]]"), tools=[look_up], capabilities=[citing])
    async with agent.run_stream("?") as stream:
        text = await stream.get_output()
        answer = citing.answer(stream)
    assert text == answer.answer.text == "Up to 25 euro. [[deadbeef]]"
    assert (answer.status, answer.repairs) == (AnswerStatus.UNCITED, ())
    assert "deadbeef" not in answer.rendered


async def test_events() -> None:
    """A run that is followed by its events is a run like any other."""
    citing = Citing()
    agent = Agent(streamed(cite_meals), tools=[look_up], capabilities=[citing])
    result = None
    async with agent.run_stream_events("?") as events:
        async for event in events:
            if isinstance(event, AgentRunResultEvent):
                result = event.result
    assert result is not None
    assert citing.answer(result).status is AnswerStatus.ANSWERED


async def test_a_run_that_is_driven_node_by_node() -> None:
    """`iter` gives the same: its result has the checked answer as soon as there is one."""
    citing = Citing()
    async with agent_with([MEALS], citing_first(), citing).iter("?") as run:
        async for _ in run:
            pass
        assert run.result is not None
        assert citing.answer(run.result).status is AnswerStatus.ANSWERED
    assert citing.answer(run.result).status is AnswerStatus.ANSWERED


async def test_the_next_turn() -> None:
    """A conversation goes on: what an earlier turn was shown can still be cited, and has its ref."""
    citing = Citing()
    first = await agent_with([MEALS], citing_first(), citing).run("How much is lunch?")
    told = citing.answer(first)
    ref = told.answer.citations[0].written
    after = Citing(run=CitationRun(conversation=told.conversation))
    script = Script([f"As I said: 25 euro. {ref}"])
    agent = agent_with([MEALS], script, citing)
    second = await agent.run("Sure?", message_history=first.all_messages(), capabilities=[after])
    assert after.answer(second).status is AnswerStatus.ANSWERED
    alone = await agent_with([MEALS], script, citing).run("Sure?")
    assert citing.answer(alone).status is not AnswerStatus.ANSWERED


async def test_passages_of_earlier_turns_are_in_view() -> None:
    """Who cites nothing, while passages of an earlier turn are there to be cited, is uncited."""
    run = CitationRun()
    run.present(MEALS)
    citing = Citing(run=run)
    result = await Agent(Script(["Up to 25 euro."]).model, capabilities=[citing]).run("?")
    assert citing.answer(result).status is AnswerStatus.UNCITED


async def test_a_run_from_the_context() -> None:
    """The run may be a function of what the agent was run with."""
    kept = {"anna": CitationRun("short_id"), "ben": CitationRun("short_id")}

    def run_of(ctx: RunContext[Any]) -> CitationRun:
        return kept[ctx.deps]

    citing = Citing(run=run_of)
    agent = Agent(Script([ASK, "Nothing."]).model, tools=[look_up], deps_type=str, capabilities=[citing])
    result = await agent.run("?", deps="anna")
    assert citing.answer(result).conversation is kept["anna"].conversation
    assert (len(kept["anna"].store), len(kept["ben"].store)) == (1, 0)


async def test_a_result_can_be_copied_and_kept() -> None:
    """What hangs on a result is in the way of no copy; what is written to disk leaves it out."""
    citing = Citing()
    result = await agent_with([MEALS], citing_first(), citing).run("?")
    assert citing.answer(copy.deepcopy(result)) is citing.answer(result)
    loaded = pickle.loads(pickle.dumps(result))  # noqa: S301 - it was written the line before
    assert loaded.output == result.output


async def test_another_capability_of_this_kind_knows_nothing() -> None:
    """A result that had no `Citing` has no checked answer, and that is a sentence."""
    result = await Agent(TestModel()).run("?")
    with pytest.raises(InputError, match="no checked answer"):
        Citing().answer(result)


async def test_the_last_of_two_counts() -> None:
    """What is given for a run stands in place of the agent's own."""
    own, other = Citing("ref"), Citing("short_id")

    def cite(messages: list[ModelMessage]) -> str:
        return f"Up to 25 euro. [[{returns(messages, 'look_up')[0][0]['short_id']}]]"

    result = await agent_with([MEALS], Script([ASK, cite]), own).run("?", capabilities=[other])
    assert other.answer(result).status is AnswerStatus.ANSWERED


def test_what_it_cannot_be_made_of() -> None:
    """An unknown wire format and one name in place of several are refused at once."""
    with pytest.raises(InputError, match="no wire format"):
        Citing("no such")
    with pytest.raises(InputError, match="collection of names"):
        Citing(tools="search")


LONG = "The oven is serviced by its maker. " * 10


async def test_a_long_passage_is_cut_and_read_on() -> None:
    """`max_chars` cuts what is shown; it is citable when all of it was fetched, in whatever pieces."""
    citing = Citing(max_chars=40)

    def read_on(offset: int) -> Callable[[list[ModelMessage]], ToolCallPart]:
        return lambda messages: fetch(
            _first_ref(returns(messages, "look_up")[0]), max_chars=200, offset=offset
        )

    script = Script([ASK, read_on(0), read_on(200), cite_meals])
    result = await agent_with([{"id": "oven", "title": "Oven", "text": LONG}], script, citing).run("?")
    first, second = (one[0] for one in returns(script.requests[-1], "fetch_evidence"))
    assert (first["status"], first["length"], first["next_offset"]) == ("truncated", len(LONG), 200)
    assert second["status"] == "ok"
    assert first["content"] + second["content"] == LONG
    assert citing.answer(result).status is AnswerStatus.ANSWERED


async def test_a_cut_passage_is_not_citable() -> None:
    """What was not read whole is not fetched, whoever cites it."""
    citing = Citing(max_chars=40, repair=False)
    script = Script([ASK, cite_meals])
    result = await agent_with([{"id": "oven", "title": "Oven", "text": LONG}], script, citing).run("?")
    answer = citing.answer(result)
    assert [one.verdict for one in answer.checks] == [TraceVerdict.NOT_FETCHED]
    assert answer.status is AnswerStatus.UNCITED


DOCUMENT = "0d0c0b0a-0000-5000-8000-000000000001"
STORED = EvidenceText(
    f"ev1:c:{DOCUMENT}:0123456789abcdef:0d0c0b0a-0000-5000-8000-0000000000ff",
    DOCUMENT,
    "0123456789abcdef",
    100,
    100 + len(LONG),
    LONG,
    title="Oven",
)


async def test_a_store_is_read_within_the_scope() -> None:
    """With a store the agent may fetch any id in scope, and cite it; a span inside it is as good."""
    span = f"ev1:s:{DOCUMENT}:0123456789abcdef:100-134"
    citing = Citing("evidence_id", store=MemoryEvidenceStore([STORED]), scope=[DOCUMENT])
    script = Script([fetch(STORED.evidence_id), check(STORED.evidence_id, span), f"Serviced. [{span}]"])
    result = await agent_with([MEALS], script, citing).run("?")
    assert [one["verdict"] for one in returns(script.requests[-1], "check_citations")[0]] == ["valid"] * 2
    answer = citing.answer(result)
    assert answer.status is AnswerStatus.ANSWERED
    assert answer.rendered.startswith("Serviced. [1]\n\n### Sources\n\n[1] Oven")
    outside = Citing(
        "evidence_id", store=MemoryEvidenceStore([STORED]), scope=["/elsewhere.md"], repair=False
    )
    script = Script([fetch(STORED.evidence_id), f"Serviced. [{STORED.evidence_id}]"])
    result = await agent_with([MEALS], script, outside).run("?")
    assert returns(script.requests[-1], "fetch_evidence")[0][0]["status"] == "unavailable"
    assert [one.verdict for one in outside.answer(result).checks] == [TraceVerdict.UNAVAILABLE]


async def test_what_may_be_fetched_ends() -> None:
    """The budget of code points cuts, then refuses; the answer says so when it suffers from it."""
    limits = replace(DEFAULT, agent_fetch_code_points=100)
    citing = Citing("evidence_id", store=MemoryEvidenceStore([STORED]), scope=[DOCUMENT], limits=limits)
    script = Script([fetch(STORED.evidence_id), fetch(STORED.evidence_id, offset=100), "Serviced."])
    result = await agent_with([MEALS], script, citing).run("?")
    assert returns(script.requests[-1], "fetch_evidence")[0][0]["next_offset"] == 100
    answer = citing.answer(result)
    assert answer.status is AnswerStatus.BUDGET_EXHAUSTED
    assert "100 code points to fetch" in answer.warnings[0]


# -- support -----------------------------------------------------------------------------------------------------


async def test_each_sentence_is_held_against_what_it_cites() -> None:
    """The checked answer says of each whether its passage says the same; neither text nor status change."""
    citing = Citing()
    result = await agent_with([MEALS], citing_first("A working lunch is paid up to 35 euro."), citing).run(
        "?"
    )
    checked = citing.answer(result)
    assert checked.status is AnswerStatus.ANSWERED
    assert checked.support is not None
    (claim,) = checked.support.claims
    assert claim.verdict is SupportVerdict.CONTRADICTED
    assert "“up to 25 euro”" in claim.together.reason if claim.together else False
    assert [one.support for one in checked.answer.citations] == [SupportVerdict.CONTRADICTED]


async def test_support_can_be_left_out() -> None:
    """Then there is none, and citations say nothing of it."""
    citing = Citing(support=None)
    checked = citing.answer(await agent_with([MEALS], citing_first(), citing).run("?"))
    assert checked.support is None
    assert [one.support for one in checked.answer.citations] == [None]
    with pytest.raises(InputError):
        Citing(support="guessing")


async def test_a_method_that_fails_costs_no_answer() -> None:
    """The answer stands, and a sentence says that its support was not checked."""

    class Failing:
        name = "failing"

        def check(self, claim: str, passages: object) -> SupportCheck:
            raise RuntimeError(claim, passages)

    citing = Citing(support=Failing())
    checked = citing.answer(await agent_with([MEALS], citing_first(), citing).run("?"))
    assert checked.status is AnswerStatus.ANSWERED
    assert checked.support is None
    assert checked.warnings == ("Support was not checked: the method failed (RuntimeError).",)
