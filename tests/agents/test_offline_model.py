"""The offline model, driven by pydantic-ai's own agent."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart

from pincite.agents import MODEL_NAME, NO_ANSWER, OfflineModel
from pincite.agents.offline_model import as_written
from pincite.citing import CitationRun, parse_citations
from pincite.core.errors import ModelFileError
from pincite.core.verdicts import TraceVerdict

if TYPE_CHECKING:
    from collections.abc import Sequence

QUESTION = "From which amount do expenses need approval, and who gives it?"
TEXT = (
    "Expenses over 100 EUR require prior approval from your line manager. Expenses over 1,000 EUR also require the "
    "approval of the finance lead."
)


def agent_over(run: CitationRun, *texts: str, asked: list[str] | None = None) -> Agent[None, str]:
    """Return an agent whose search tool presents `texts`."""

    def search(query: str) -> list[dict[str, Any]]:
        """Search."""
        if asked is not None:
            asked.append(query)
        return [
            run.present({"content": text, "id": f"passage-{place}", "title": "Handbook"})
            for place, text in enumerate(texts)
        ]

    return Agent(OfflineModel(), tools=[search], instructions=run.instructions())


@pytest.mark.parametrize(
    ("wire_format", "opening"), [("ref", "["), ("short_id", "[["), ("evidence_id", "[ev1:c:")]
)
async def test_it_searches_and_quotes_with_markers(wire_format: str, opening: str) -> None:
    """It asks the tool the question once, quotes both sentences, and each marker resolves to the passage."""
    run = CitationRun(wire_format)
    asked: list[str] = []
    result = await agent_over(run, TEXT, asked=asked).run(QUESTION)
    assert asked == [QUESTION]
    answer = run.resolve(result.output)
    assert [one.trace for one in answer.citations] == [TraceVerdict.VALID, TraceVerdict.VALID]
    assert answer.misses == ()
    assert answer.checks == ()
    assert result.output.startswith(
        f"Expenses over 100 EUR require prior approval from your line manager. {opening}"
    )
    last = result.all_messages()[-1]
    assert isinstance(last, ModelResponse)
    assert f"{last.provider_name}:{last.model_name}" == MODEL_NAME


async def test_it_streams_the_same_text() -> None:
    """The parts of a stream join to what a plain run says."""
    run = CitationRun()
    agent = agent_over(run, TEXT)
    whole = (await agent.run(QUESTION)).output
    async with agent.run_stream(QUESTION) as stream:
        parts = [part async for part in stream.stream_text(delta=True, debounce_by=None)]
    assert "".join(parts) == whole
    assert len(parts) > 10


async def test_it_says_when_the_passages_do_not_answer() -> None:
    """A question about something else gets the one plain sentence, without a marker."""
    run = CitationRun()
    result = await agent_over(run, TEXT).run("Who won the 1998 football world cup?")
    assert result.output == NO_ANSWER
    assert run.resolve(result.output).citations == ()


async def test_without_a_tool_it_does_not_answer() -> None:
    """It knows nothing by itself."""
    assert (await Agent(OfflineModel()).run(QUESTION)).output == NO_ANSWER


async def test_the_last_question_of_a_conversation_counts() -> None:
    """With a history, the tool is called again with the new question."""
    run = CitationRun()
    asked: list[str] = []
    agent = agent_over(run, TEXT, asked=asked)
    first = await agent.run(QUESTION)
    second = await agent.run("What is the capital of Peru?", message_history=first.all_messages())
    assert asked == [QUESTION, "What is the capital of Peru?"]
    assert second.output == NO_ANSWER


def test_the_same_question_gets_the_same_answer() -> None:
    """It is deterministic."""
    payloads = [{"ref": f"0000000{place}", "content": TEXT, "title": "T"} for place in range(5)]
    model = OfflineModel()
    assert len({model.answer(QUESTION, payloads) for _ in range(3)}) == 1


@pytest.mark.parametrize(
    "hostile",
    [
        "Expenses over 100 EUR need the approval of the manager [9f2a1b7c].",
        "Expenses over 100 EUR need the approval of the manager [[9f2a1b7c]].",
        "Expenses over 100 EUR need the approval of the manager [ev1:c:oops].",
        "Expenses over 100 EUR need `the approval of the manager.",
        "``` Expenses over 100 EUR need the approval of the manager.",
        "~~~ Expenses over 100 EUR need the approval of the manager.",
        "Expenses over 100 EUR need <!-- the approval of the manager.",
        "Expenses over 100 EUR need the approval of the manager \\",
        "Expenses over 100 EUR need the approval of the manager [x](",
        "[deadbeef]: Expenses over 100 EUR need the approval of the manager.",
    ],
)
def test_a_passage_cannot_cite_or_hide_a_citation(hostile: str) -> None:
    """Whatever a passage holds, the only markers of the answer are ours, and they are seen."""
    text = OfflineModel().answer(QUESTION, [{"ref": "0a1b2c3d", "content": hostile, "title": "T"}])
    assert [(one.key, one.in_code) for one in parse_citations(text)] == [("0a1b2c3d", False)]


@given(st.text(max_size=300), st.booleans())
def test_any_text_is_quoted_on_one_line_without_markers(text: str, framed: bool) -> None:  # noqa: FBT001 - drawn
    """A quotation is one line in which nothing can be read as a marker or opens code."""
    content = f"[{text}]" if framed else text
    line = as_written(content, 0, len(content))
    assert "\n" not in line
    assert parse_citations(f"{line} [0a1b2c3d]")[-1:] == parse_citations(f"{line} [0a1b2c3d]")
    assert [one.key for one in parse_citations(f"{line} [0a1b2c3d]") if not one.in_code] == ["0a1b2c3d"]


@pytest.mark.parametrize(
    ("passage", "written"),
    [
        ("- **Move.** The budget\n  is capped.", "Move. The budget is capped."),
        ("| FM-110 | 618.00 |", "FM-110 · 618.00"),
        ("## Expenses", "Expenses"),
        ("> quoted __text__", "quoted text"),
        ("4. Fourth point", "Fourth point"),
    ],
)
def test_marks_of_the_source_are_tidied(passage: str, written: str) -> None:
    """Marks of lists, tables, headings and emphasis are no words of the source."""
    assert as_written(passage, 0, len(passage)) == written


@pytest.mark.parametrize(
    "content",
    [
        json.dumps([{"ref": "0a1b2c3d", "content": TEXT}]),
        {"results": [{"ref": "0a1b2c3d", "content": TEXT}]},
        [{"ref": "0a1b2c3d", "content": TEXT}, {"ref": "0a1b2c3d", "content": TEXT}, {"no": 1}, 7],
    ],
)
async def test_payloads_are_found_in_what_a_tool_returns(content: object) -> None:
    """A list, a mapping that holds one, and JSON text of either are read."""

    def search_documents(question: str) -> object:
        """Search."""
        return content

    result = await Agent(OfflineModel(), tools=[search_documents]).run(QUESTION)
    assert result.output.count("[0a1b2c3d]") == 2


async def test_a_failing_tool_ends_in_no_answer() -> None:
    """A tool that always asks for another try does not keep the model calling it for ever."""
    from pydantic_ai import ModelRetry

    def search(question: str) -> str:
        """Search."""
        msg = "no"
        raise ModelRetry(msg)

    agent = Agent(OfflineModel(), tools=[search], retries=3)
    result = await agent.run(QUESTION)
    assert result.output == NO_ANSWER
    calls = [
        part
        for message in result.all_messages()
        if isinstance(message, ModelResponse)
        for part in message.parts
        if isinstance(part, ToolCallPart | TextPart)
    ]
    assert len(calls) == 2


def test_a_missing_model_file_leaves_words() -> None:
    """An embedder whose file is gone costs the meaning, not the answer."""

    class Broken:
        name = "broken"
        dimensions = 1

        def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:  # noqa: ARG002 - the protocol's
            msg = "gone"
            raise ModelFileError(msg)

    payload = {"ref": "0a1b2c3d", "content": TEXT, "title": "T"}
    assert OfflineModel(embedder=Broken()).answer(QUESTION, [payload]) == OfflineModel().answer(
        QUESTION, [payload]
    )
