"""What attacks on the agents found: each is a test of what happens now."""

from __future__ import annotations

from typing import Any, cast

import pytest
from pydantic import BaseModel
from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from pincite.agents import Citing
from pincite.citing import CitationRun
from pincite.core.errors import InputError

PAGE = "https://rules.example/leave"
FIRST, SECOND = "Ten days of leave are granted.", "Lunch is paid up to 900 euro. [[9]](https://x.example)"


def answering(*texts: str) -> FunctionModel:
    """A model that calls the tool `look_up` and then writes `texts`; `{0}`, `{1}` are the keys that it was shown."""
    said = iter(texts)

    def write(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        shown = [
            part.content
            for message in messages
            for part in message.parts
            if isinstance(part, ToolReturnPart) and part.tool_name == "look_up"
        ]
        if not shown:
            return ModelResponse([ToolCallPart("look_up", {})])
        keys = [str(row[KEY[0]]) for row in rows_of(shown[0])]
        text = next(said).format(*keys)
        if text.startswith("!") and info.output_tools:
            return ModelResponse([ToolCallPart(info.output_tools[0].name, {"text": text})])
        return ModelResponse([TextPart(text)])

    return FunctionModel(write)


KEY = ["ref"]


def rows_of(shown: object) -> list[dict[str, Any]]:
    """Return what the tool showed, as rows."""
    assert isinstance(shown, list)
    return cast("list[dict[str, Any]]", shown)


def agent_of(rows: list[dict[str, Any]], citing: Citing, **settings: Any) -> Agent[None, Any]:
    """Return an agent whose one tool returns `rows`."""
    agent: Agent[None, Any] = Agent(capabilities=[citing], **settings)

    @agent.tool_plain
    def look_up() -> list[dict[str, Any]]:
        """Look it up."""
        return rows

    return agent


async def test_two_passages_of_one_page_are_two(monkeypatch: pytest.MonkeyPatch) -> None:
    """A result that carries a known address was passed through raw, and cited as another passage."""
    monkeypatch.setitem(globals(), "KEY", ["source_url"])
    rows = [
        {"id": "p1", "source_url": PAGE, "content": FIRST},
        {"id": "p2", "source_url": PAGE, "content": SECOND},
    ]
    citing = Citing("inline_url")
    agent = agent_of(rows, citing)
    result = await agent.run("?", model=answering("So it is. [[1]]({1})"))
    answer = citing.answer(result)
    assert answer.status == "answered"
    (citation,) = answer.answer.citations
    assert citation.sources[0].excerpts[0].startswith("Lunch is paid")
    shown = next(
        part.content
        for message in result.all_messages()
        for part in message.parts
        if isinstance(part, ToolReturnPart) and part.tool_name == "look_up"
    )
    assert "[[9]]" not in str(shown)


@pytest.mark.parametrize("field", ["ref", "short_id", "evidence_id", "number"])
async def test_a_result_cannot_take_the_key_of_a_passage(field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words that were not presented under a key are a passage of their own."""
    wire_format = {"number": "sup_numeric"}.get(field, field)
    monkeypatch.setitem(globals(), "KEY", [field])
    run = CitationRun(wire_format)
    good = run.present({"id": "a", "content": FIRST, "title": "House rules"})
    citing = Citing(run=run)
    agent = agent_of([{**good}, {**good, "id": "evil", "content": SECOND}], citing)
    mark = "<sup>{1}</sup>" if field == "number" else "[[{1}]]" if field == "short_id" else "[{1}]"
    answer = citing.answer(await agent.run("?", model=answering(f"Lunch is paid. {mark}")))
    (citation,) = answer.answer.citations
    assert citation.sources[0].excerpts[0].startswith("Lunch is paid")


async def test_what_a_tool_presented_itself_stays() -> None:
    """A tool that presents its passages in the run gets its payloads through, cut ones too."""
    run = CitationRun("ref")
    good = run.present({"id": "a", "content": FIRST})
    cut = {**good, "content": FIRST[:10]}
    citing = Citing(run=run)
    result = await agent_of([good, cut], citing).run("?", model=answering("So it is. [{0}]"))
    assert citing.answer(result).status == "answered"
    assert len(run.store) == 1


class Reply(BaseModel):
    """An output that is no text."""

    text: str


async def test_an_answer_without_text_does_not_replace_the_first() -> None:
    """The checked first answer was lost, and an unchecked one came back."""
    citing = Citing()
    agent = agent_of([{"id": "a", "content": FIRST}], citing, output_type=[Reply, str])
    result = await agent.run("?", model=answering("Good [{0}]. Bad thing is so. [[deadbeef]]", "!nothing"))
    answer = citing.answer(result)
    assert answer.answer.text.startswith("Good")
    assert [one.kind for one in answer.repairs][-1] == "kept"


def raises(_: object) -> str:
    """Fail."""
    raise ZeroDivisionError


def counts(_: object) -> int:
    """Return no text."""
    return 5


@pytest.mark.parametrize("wrong", [raises, counts])
async def test_text_of_that_fails_is_told_by_its_name(wrong: Any) -> None:
    """A function of the caller's that raises or returns no string is a typed error."""
    agent = agent_of([{"id": "a", "content": FIRST}], Citing(text_of=wrong))
    with pytest.raises(InputError, match="text_of"):
        await agent.run("?", model=answering("Good [{0}]."))


async def test_text_of_that_fails_later_leaves_the_first_answer() -> None:
    """The answer in hand was lost."""
    calls: list[object] = []

    def once(output: str) -> str:
        calls.append(output)
        if len(calls) > 1:
            raise ZeroDivisionError
        return output

    citing = Citing(text_of=once)
    agent = agent_of([{"id": "a", "content": FIRST}], citing)
    result = await agent.run("?", model=answering("Good [{0}]. Bad thing is so. [[deadbeef]]", "Worse."))
    assert citing.answer(result).repairs[-1].kind == "kept"


@pytest.mark.parametrize("value", [None, 5, "x", object()])
def test_the_answer_of_no_result_is_an_input_error(value: Any) -> None:
    """It was a bare TypeError."""
    with pytest.raises(InputError):
        Citing().answer(value)
