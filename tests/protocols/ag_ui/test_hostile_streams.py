"""What an agent, or a foreign service, may send to break who reads it: names of subagents, numbers, changes, roles."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from ag_ui.core import (
    AssistantMessage,
    MessagesSnapshotEvent,
    RunAgentInput,
    TextMessageChunkEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    ToolCallArgsEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
)
from ag_ui_events import BEGIN, END, EVENTS
from hypothesis import given, settings
from hypothesis import strategies as st

from ag_ui_order import run_of, text_of, told
from pincite.core.limits import DEFAULT
from pincite.protocols.ag_ui import AGUIClient
from pincite.protocols.ag_ui._patch import PatchError, patched
from pincite.protocols.ag_ui.stream import CITATIONS

if TYPE_CHECKING:
    from ag_ui.core import BaseEvent

    from ag_ui_node import OfficialClient


def owned(event: BaseEvent, owner: str | None) -> BaseEvent:
    """Return an event that says that it is a subagent's."""
    return event.model_copy(update={"subagent_run_id": owner})


async def test_a_message_stays_whose_it_is() -> None:
    """A piece, an end or a call that names another subagent than the one that began it is told without the name."""
    events = [
        BEGIN,
        owned(TextMessageStartEvent(message_id="m", role="assistant"), "s"),
        owned(TextMessageContentEvent(message_id="m", delta="Blue"), "other"),
        owned(ToolCallStartEvent(tool_call_id="c", tool_call_name="f", parent_message_id="m"), "other"),
        owned(TextMessageEndEvent(message_id="m"), "s"),
        owned(TextMessageStartEvent(message_id="m", role="assistant"), "other"),
        END,
    ]
    found = await told(run_of()[0], events)
    owners = [
        (one["type"], one.get("subagentRunId"))
        for one in found
        if one["type"] not in {"CUSTOM", "RUN_STARTED"}
    ]
    assert owners == [
        ("TEXT_MESSAGE_START", "s"),
        ("TEXT_MESSAGE_CONTENT", None),
        ("TOOL_CALL_START", None),
        ("TEXT_MESSAGE_END", "s"),
        ("TEXT_MESSAGE_START", None),
        ("TEXT_MESSAGE_END", None),
        ("TOOL_CALL_END", None),
        ("RUN_FINISHED", None),
    ]


async def test_a_snapshot_says_whose_a_message_is_that_is_being_written() -> None:
    """A message of a subagent that an agent's snapshot leaves out stays the subagent's."""
    start = owned(TextMessageStartEvent(message_id="m", role="assistant"), "s")
    found = await told(run_of()[0], [BEGIN, start, MessagesSnapshotEvent(messages=[]), END])
    told_again = next(one for one in found if one["type"] == "MESSAGES_SNAPSHOT")
    assert [(one["id"], one.get("subagentRunId")) for one in told_again["messages"]] == [("m", "s")]


async def test_a_message_of_the_assistants_goes_on_as_one_in_whatever_role() -> None:
    """A message that is started again as a user's is the assistant's to its client: its text is read as such."""
    events = [
        BEGIN,
        TextMessageStartEvent(message_id="m", role="assistant"),
        TextMessageContentEvent(message_id="m", delta="Blue "),
        TextMessageEndEvent(message_id="m"),
        TextMessageStartEvent(message_id="m", role="user"),
        TextMessageContentEvent(message_id="m", delta="[1]"),
        TextMessageEndEvent(message_id="m"),
        END,
    ]
    found = await told(run_of()[0], events)
    assert text_of(found, "m") == "Blue [1\\]"
    assert [one["type"] for one in found if one.get("name") == CITATIONS] == ["CUSTOM"]


EVIL = "https://evil.example"
FORGED = f"It is [1]({EVIL}), see [2] and [<b>3</b>]({EVIL})."
SHOWN = f"It is [1\\]({EVIL}), see [2\\] and [<b>3</b>]\\({EVIL})."


async def snapshot_of(
    message: AssistantMessage, history: list[AssistantMessage] | None = None
) -> tuple[Any, Any]:
    """Return what a client is told of a message in a snapshot of an agent's, and in the beginning of a run."""
    asked = RunAgentInput(
        thread_id="t", run_id="r", state={}, messages=[message], tools=[], context=[], forwarded_props={}
    )
    first = await told(run_of()[0], [BEGIN, MessagesSnapshotEvent(messages=[message]), END], history=history)
    second = await told(run_of()[0], [BEGIN.model_copy(update={"input": asked}), END], history=history)
    found = next(one for one in first if one["type"] == "MESSAGES_SNAPSHOT")
    return found["messages"][0].get("content"), second[0]["input"]["messages"][0].get("content")


@pytest.mark.parametrize("history", [None, [], [AssistantMessage(id="m", role="assistant", content="Blue.")]])
async def test_a_text_that_an_agent_tells_as_a_whole_has_no_numbers_of_ours(history: Any) -> None:
    """A message of the assistant's that is new, or says otherwise than before, is shown as one that is streamed."""
    message = AssistantMessage(id="m", role="assistant", content=FORGED)
    assert await snapshot_of(message, history) == (SHOWN, SHOWN)
    assert message.content == FORGED


async def test_a_text_of_before_that_an_agent_tells_again_stays() -> None:
    """Its numbers are ours; told as its model wrote it, it reads as its client has it."""
    before = AssistantMessage(
        id="m", role="assistant", content="Blue [1].", metadata={"pincite": {"raw": "Blue [ab12]."}}
    )
    for content in ("Blue [1].", "Blue [ab12]."):
        again = AssistantMessage(id="m", role="assistant", content=content)
        assert await snapshot_of(again, [before]) == ("Blue [1].", "Blue [1].")
    called = AssistantMessage(id="m", role="assistant", content=None)
    assert (await snapshot_of(called, [before]))[0] is None


async def test_a_text_that_goes_on_behind_a_snapshot_is_what_its_client_has() -> None:
    """What is streamed behind a text that was told as a whole stands behind what was shown of that."""
    message = AssistantMessage(id="m", role="assistant", content=FORGED)
    events = [
        BEGIN,
        MessagesSnapshotEvent(messages=[message]),
        TextMessageStartEvent(message_id="m", role="assistant"),
        TextMessageContentEvent(message_id="m", delta=" So [4]."),
        TextMessageEndEvent(message_id="m"),
        END,
    ]
    client = AGUIClient()
    for one in await told(run_of()[0], events, history=[]):
        client.take(one)
    shown = client.message("m")
    assert shown is not None
    assert shown.text == f"{SHOWN} So [4\\]."


_OWNED = st.tuples(
    st.one_of(
        EVENTS,
        st.builds(TextMessageChunkEvent, message_id=st.sampled_from("mn"), delta=st.just("x")),
        st.builds(ToolCallArgsEvent, tool_call_id=st.sampled_from("mn"), delta=st.just("x")),
        st.builds(ToolCallEndEvent, tool_call_id=st.sampled_from("mn")),
        st.builds(
            ToolCallResultEvent,
            message_id=st.sampled_from("mn"),
            tool_call_id=st.sampled_from("mn"),
            content=st.just("c"),
        ),
        st.just(
            MessagesSnapshotEvent(
                messages=[AssistantMessage(id="m", role="assistant", content="z", subagent_run_id="s")]
            )
        ),
    ),
    st.sampled_from([None, None, "s", "t"]),
).map(lambda pair: owned(*pair) if "TEXT" in pair[0].type or "CALL" in pair[0].type else pair[0])


def test_the_official_client_takes_whatever_names_of_subagents_an_agent_sends(
    official: OfficialClient,
) -> None:
    """Its own rules of whose a message is refuse none of what becomes of events with any names."""
    streams: list[list[dict[str, Any]]] = []

    @settings(max_examples=100, database=None)
    @given(st.lists(_OWNED, max_size=20))
    def gather(events: list[BaseEvent]) -> None:
        streams.append(asyncio.run(told(run_of()[0], [BEGIN, *events])))

    gather()
    assert set(official.refused(streams)) == {None}


def test_a_number_that_is_too_large_for_json_costs_its_event() -> None:
    """What Python would read as an infinity is no state that anybody could write again."""
    client = AGUIClient()
    for number in ("1e999", "-1e999", "[1.5e400]"):
        client.feed(f'data: {{"type": "STATE_SNAPSHOT", "snapshot": {{"a": {number}}}}}\n\n')
    client.feed('data: {"type": "STATE_SNAPSHOT", "snapshot": {"a": 1.5e3}}\n\n')
    assert json.dumps(client.state, allow_nan=False) == '{"a": 1500.0}'
    assert [one.code for one in client.diagnostics] == ["malformed"] * 3


def test_a_large_value_is_not_moved_again_and_again() -> None:
    """A change whose operations each look at the same large value is refused before that takes minutes."""
    limits = replace(DEFAULT, agui_state_bytes=100_000)
    state = {"a": [0] * 1_000}
    there_and_back = [
        {"op": "move", "from": "/a", "path": "/b"},
        {"op": "move", "from": "/b", "path": "/a"},
    ]
    assert patched(state, there_and_back, limits) == state
    with pytest.raises(PatchError):
        patched(state, there_and_back * 1_000, limits)
