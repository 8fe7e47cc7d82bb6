"""Our agents, proven with the kit: a model that attacks, tools that find attacks, and the offline model among them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, TextPart, ToolReturnPart

from pincite.agents import Citing, OfflineModel
from pincite.showing import to_html
from pincite.testing import (
    ATTACK_PASSAGES,
    ATTACK_TEXTS,
    assert_inert_html,
    assert_inert_markdown,
    assert_no_address,
    hostile_model,
    hostile_tools,
)

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage

    from pincite.testing import AttackPassage, AttackText

OWN = "https://docs.example/own"
QUESTION = "For how long are backups kept?"


def look_up(query: str) -> list[dict[str, str]]:
    """Search."""
    return [{"title": "Notes", "url": OWN, "text": "Backups are kept for 30 days.", "asked": query}]


def first_ref(messages: list[ModelMessage]) -> str:
    """Return a marker with the first `ref` that a tool returned."""
    found = [part.content for one in messages for part in one.parts if isinstance(part, ToolReturnPart)]
    ref = json.dumps(found).partition('"ref": "')[2].partition('"')[0]
    return f"[{ref}]"


async def test_an_agent_with_a_hostile_model_shows_nothing_that_acts(attack_text: AttackText) -> None:
    """The checked answer, as Markdown and as HTML, links its source alone, whatever the model wrote."""
    citing = Citing()
    agent = Agent(hostile_model(attack_text, marker=first_ref), tools=[look_up], capabilities=[citing])
    answer = citing.answer(await agent.run(QUESTION))
    assert_inert_markdown(answer.rendered, links=[OWN])
    assert_inert_html(to_html(answer.answer, page=False), links=[OWN])
    # One passage was found, so there is no other source that the model could have talked itself into.
    assert len(answer.answer.evidences) <= 1


async def test_an_agent_that_finds_a_hostile_passage_shows_nothing_that_acts(
    attack_passage: AttackPassage,
) -> None:
    """The same for what a search returns, answered by the offline model, which quotes it."""
    citing = Citing()
    agent = Agent(OfflineModel(), tools=hostile_tools(attack_passage), capabilities=[citing])
    answer = citing.answer(await agent.run(QUESTION))
    html = to_html(answer.answer, page=False)
    assert_inert_markdown(answer.rendered)
    assert_inert_html(html)
    assert_no_address(answer.rendered + html)


# ---------------------------------------------------------------- the kit's own parts


async def test_a_hostile_model_calls_each_tool_once_with_the_users_words() -> None:
    """Then it says its text; arguments that are no plain strings are such as the tool takes."""
    asked: dict[str, Any] = {}

    def first(query: str) -> str:
        asked["first"] = query
        return "one"

    def second(count: int, kinds: list[str], query: str) -> str:
        asked["second"] = (type(count), type(kinds), query)
        return "two"

    result = await Agent(hostile_model(ATTACK_TEXTS[0]), tools=[first, second]).run(QUESTION)
    assert result.output == ATTACK_TEXTS[0].text
    assert asked == {"first": QUESTION, "second": (int, list, QUESTION)}


async def test_a_hostile_model_streams_in_small_pieces() -> None:
    """Markers and elements come cut in two; all pieces together are the text."""
    text = next(case for case in ATTACK_TEXTS if case.name == "script")
    agent = Agent(hostile_model(text), tools=hostile_tools(ATTACK_PASSAGES[0]))
    async with agent.run_stream(QUESTION) as result:
        pieces = [piece async for piece in result.stream_text(delta=True, debounce_by=None)]
    assert "".join(pieces) == text.text
    assert max(map(len, pieces)) <= 7


async def test_a_hostile_tool_returns_what_attacks() -> None:
    """Whatever is asked, its rows are the passages."""
    (search,) = hostile_tools(*ATTACK_PASSAGES[:2])
    assert search("anything") == [
        {"title": one.title, "url": one.url, "text": one.text} for one in ATTACK_PASSAGES[:2]
    ]
    assert search.__name__ == "search"


@pytest.mark.parametrize("name", ["image", "script", "javascript-link"])
async def test_a_naive_agent_fails(name: str) -> None:
    """An agent whose output goes to a page as it is shows what the model wrote."""
    text = next(case for case in ATTACK_TEXTS if case.name == name)
    result = await Agent(hostile_model(text)).run(QUESTION)
    with pytest.raises(AssertionError):
        assert_inert_markdown(result.output)


async def test_a_plain_string_is_an_attack_too() -> None:
    """`hostile_model` takes any text; what it said last is an ordinary response."""
    result = await Agent(hostile_model("words")).run(QUESTION)
    last = result.all_messages()[-1]
    assert isinstance(last, ModelResponse)
    assert last.parts == [TextPart("words")]
