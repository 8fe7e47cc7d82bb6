"""Halves of characters in what an agent sends: every event can be written, and what is cited is what was told."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from ag_ui.core import (
    AssistantMessage,
    BaseEvent,
    CustomEvent,
    MessagesSnapshotEvent,
    ReasoningMessageChunkEvent,
    RunAgentInput,
    StateSnapshotEvent,
    TextMessageChunkEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    ToolCallArgsEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
    UserMessage,
)
from ag_ui_agents import refs_in, run_input
from ag_ui_events import BEGIN, END, RUN
from hypothesis import given
from hypothesis import strategies as st
from pydantic_ai import Agent
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel

from ag_ui_order import as_json, events_of, faults, names, run_of, sent, text_of, told
from pincite.core.surrogates import whole
from pincite.protocols.ag_ui import AnswerCiter, CitedStream, CitingAGUIAdapter
from pincite.protocols.cited_run import failure_told

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from pydantic_ai.messages import ModelMessage

    from pincite.protocols.ag_ui import Streamed
    from pincite.protocols.citations_event import EndedMessage

HALVES = st.text(st.sampled_from("a [1]\n😀\ud83d\ude00\udbff\udc00"), max_size=6)


async def written(events: list[BaseEvent], **given_: Any) -> list[dict[str, Any]]:
    """Return the events of a stream as they come off the wire, each written as the official encoder does."""
    run, _, _ = run_of()
    stream = CitedStream(run, [AnswerCiter()], **given_).of(sent(events))
    return [json.loads(one.model_dump_json(by_alias=True)) async for one in stream]


def pieces(*texts: str) -> list[BaseEvent]:
    """Return a message in pieces."""
    return [
        TextMessageStartEvent(message_id="m", role="assistant"),
        *(TextMessageContentEvent(message_id="m", delta=text) for text in texts),
        TextMessageEndEvent(message_id="m"),
    ]


async def test_halves_of_a_character_in_two_pieces_are_joined() -> None:
    """The smile arrives as one character, and the places of citations are of the text with it."""
    run, a, _ = run_of()
    events = await told(run, [BEGIN, *pieces("Blue \ud83d", f"\ude00 [{a}]."), END])
    assert faults(events) == []
    assert text_of(events, "m") == "Blue 😀 [1]."
    value = next(one["value"] for one in events if one.get("name") == "pincite.citations")
    assert "text" not in value
    assert [(one["start"], one["end"]) for one in value["citations"]] == [(7, 10)]


async def test_a_lone_half_is_told_as_a_replacement_also_at_the_very_end() -> None:
    """Neither a half in the middle nor one at the end of the message ends the run."""
    events = await written([BEGIN, *pieces("a\ude00b", "c\ud83d"), END])
    assert faults(events) == []
    assert text_of(events, "m") == "a\ufffdbc\ufffd"
    assert names(events)[-1] == "RUN_FINISHED"


async def test_halves_elsewhere_do_not_end_the_run() -> None:
    """Arguments, results, names, metadata, state, thoughts and messages are whole, and the history that is told too."""
    bad = "x\ud83d"
    events = await written(
        [
            BEGIN,
            ToolCallStartEvent(tool_call_id="c\ud83d", tool_call_name=bad),
            ToolCallArgsEvent(tool_call_id="c\ud83d", delta='{"q": "\ud83d'),
            ToolCallArgsEvent(tool_call_id="c\ud83d", delta='\ude00"}'),
            ToolCallEndEvent(tool_call_id="c\ud83d"),
            ToolCallResultEvent(message_id="r", tool_call_id="c\ud83d", content=bad),
            ReasoningMessageChunkEvent(message_id="z", delta=bad),
            TextMessageChunkEvent(message_id="m", delta="Hi ", metadata={bad: [bad]}, raw_event={"k": bad}),
            StateSnapshotEvent(snapshot={"k": {bad: bad}}),
            CustomEvent(name=bad, value=[bad]),
            MessagesSnapshotEvent(messages=[UserMessage(id="u", role="user", content=bad)]),
            END,
        ],
        history=[AssistantMessage(id="h", role="assistant", content=bad)],
    )
    assert faults(events) == []
    assert names(events)[-1] == "RUN_FINISHED"
    assert [one["delta"] for one in events if one["type"] == "TOOL_CALL_ARGS"] == ['{"q": "', '😀"}']
    assert next(one["content"] for one in events if one["type"] == "TOOL_CALL_RESULT") == "x\ufffd"
    assert next(one["snapshot"] for one in events if one["type"] == "STATE_SNAPSHOT") == {
        "k": {"x\ufffd": "x\ufffd"}
    }


@given(st.lists(HALVES, max_size=10))
def test_in_any_cutting_what_is_told_is_what_is_cited(texts: list[str]) -> None:
    """The pieces of a text join to the whole of it, each has bytes, and the citers are given the same."""
    ended: list[EndedMessage] = []

    class Keeping:
        def cite(self, message: EndedMessage) -> list[tuple[str, dict[str, Any]]]:
            ended.append(message)
            return []

    async def streamed() -> list[BaseEvent]:
        return [one async for one in CitedStream(RUN, [Keeping()]).of(sent([BEGIN, *pieces(*texts), END]))]

    found = asyncio.run(streamed())
    for one in found:
        one.model_dump_json()
    events = as_json(found)
    assert faults(events) == []
    text = whole("".join(texts))
    assert [one.text for one in ended] == ([text_of(events, "m")] if text else [])
    assert [one.answer.text for one in ended] == ([text] if text else [])
    assert not any(one.replaced for one in ended)


async def test_what_cannot_be_written_ends_the_run_in_a_sentence() -> None:
    """A value that is no JSON is told of, what the message cites comes before, and what was to come later too."""
    run, a, _ = run_of()
    asked: list[object] = []

    async def later(message: EndedMessage | None) -> AsyncIterator[BaseEvent]:
        asked.append(message)
        yield CustomEvent(name="kept", value=1)

    stream = CitedStream(run, [AnswerCiter()], later=later, failed=failure_told)
    given_ = [BEGIN, *pieces(f"Blue [{a}]."), CustomEvent(name="x", value=object()), END]
    events = as_json([one async for one in stream.of(sent(given_))])
    assert faults(events) == []
    assert names(events)[-3:] == ["pincite.citations", "kept", "RUN_ERROR"]
    assert events[-1]["message"] == "The agent sent what cannot be written as JSON, in CUSTOM."
    assert asked == [None]


async def test_an_agent_whose_model_and_tool_send_halves_is_answered_and_kept() -> None:
    """Calls, results, the answer and what is kept of it are whole, and the run finishes."""

    def look_up(q: str) -> list[dict[str, Any]]:
        """Look something up."""
        assert q == "😀 \ufffd"
        return [{"id": "a-1", "title": "S\ud83dky", "content": "The sky is blue \ud83d on a clear day."}]

    async def stream(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Any]:
        refs = refs_in(messages)
        if not refs:
            yield {0: DeltaToolCall("look_up", '{"q": "\ud83d', tool_call_id="call-1")}
            yield {0: DeltaToolCall(None, '\ude00 \ud83d"}', tool_call_id="call-1")}
            return
        for text in ("The sky is \ud83d", "\ude00 blue on a clear day [", refs[0], "] \ud83d", "x."):
            yield text

    kept: list[Streamed] = []

    async def ended(one: Streamed) -> None:
        kept.append(one)

    adapter = CitingAGUIAdapter[None](
        agent=Agent(FunctionModel(stream_function=stream), tools=[look_up]),
        run_input=RunAgentInput.model_validate(run_input()),
        ended=ended,
    )
    lines = [line async for line in adapter.encode_stream(adapter.run_stream())]
    "".join(lines).encode()
    events = events_of("".join(lines))
    assert faults(events) == []
    assert names(events)[-1] == "RUN_FINISHED"
    assert [one.text for one in kept] == ["The sky is 😀 blue on a clear day [1] \ufffdx."]
    assert "text" not in kept[0].citations
    assert kept[0].citations["sources"][0]["title"] == "S\ufffdky"
    kept[0].checked.rendered.encode()
