"""Citations in a stream of AG-UI: where they stand, what becomes of drafts, and that every client takes the stream."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from ag_ui.core import (
    AssistantMessage,
    BaseEvent,
    CustomEvent,
    MessagesSnapshotEvent,
    RawEvent,
    ReasoningMessageChunkEvent,
    RunErrorEvent,
    TextMessageChunkEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    ToolCallArgsEvent,
    ToolCallChunkEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
    UserMessage,
)
from ag_ui_events import BEGIN, END, EVENTS, RUN, TEXTS
from hypothesis import given
from hypothesis import strategies as st

from ag_ui_order import as_json, faults, names, run_of, sent, text_of, told
from pincite.protocols.ag_ui import AGUIClient, AnswerCiter, CitedStream, cited, event_schema
from pincite.protocols.ag_ui.stream import REDRAFT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from pincite.protocols.citations_event import EndedMessage


def said(message_id: str, *pieces: str, role: Any = "assistant") -> list[BaseEvent]:
    """Return the events of a whole message."""
    return [
        TextMessageStartEvent(message_id=message_id, role=role),
        *(TextMessageContentEvent(message_id=message_id, delta=piece) for piece in pieces),
        TextMessageEndEvent(message_id=message_id),
    ]


def called(call: str, parent: str | None = None) -> list[BaseEvent]:
    """Return the events of a whole call of a tool."""
    return [
        ToolCallStartEvent(tool_call_id=call, tool_call_name="search", parent_message_id=parent),
        ToolCallArgsEvent(tool_call_id=call, delta='{"q": 1}'),
        ToolCallEndEvent(tool_call_id=call),
        ToolCallResultEvent(message_id=f"{call}-result", tool_call_id=call, content="found"),
    ]


def values(events: list[dict[str, Any]], name: str = "pincite.citations") -> list[dict[str, Any]]:
    """Return the values of the events of a name, each valid against our own schema."""
    found = [event["value"] for event in events if event.get("name") == name]
    for value in found:
        jsonschema.validate(value, event_schema(name))
    return found


async def test_a_marker_becomes_a_number_and_the_citations_come_after_the_end() -> None:
    """The number stands in the text, and what it leads to is told between the end of the message and of the run."""
    run, a, b = run_of()
    events = await told(run, [BEGIN, *said("m", f"Blue [{a[:4]}", f"{a[4:]}], green [{b}]."), END])
    assert faults(events) == []
    assert text_of(events, "m") == "Blue [1], green [2]."
    assert names(events)[-3:] == ["TEXT_MESSAGE_END", "pincite.citations", "RUN_FINISHED"]
    value = values(events)[0]
    assert [(one["number"], one["ref"], one["start"], one["end"]) for one in value["citations"]] == [
        (1, a, 5, 8),
        (2, b, 16, 19),
    ]
    assert "text" not in value


async def test_a_provisional_citation_comes_once_its_number_is_there() -> None:
    """Whoever lights it up finds its number in the text that has come."""
    run, a, _ = run_of()
    events = await told(run, [BEGIN, *said("m", f"😀 Blue [{a}]."), END])
    at = names(events).index("pincite.citation")
    value = values(events, "pincite.citation")[0]
    assert text_of(events[:at], "m")[value["start"] : value["end"]] == "[1]"
    assert (value["start"], value["start_utf16"]) == (7, 8)


async def test_a_message_that_cites_nothing_has_an_empty_list() -> None:
    """A reader can tell no sources from a server that has none to tell."""
    run, _, _ = run_of()
    events = await told(run, [BEGIN, *said("m", "Hello."), END])
    assert values(events)[0]["citations"] == []


async def test_each_message_tells_its_own_citations_and_a_tool_call_between_them_waits() -> None:
    """What the first message cites is told before the tool is called, the second's before the end."""
    run, a, b = run_of()
    events = await told(
        run, [BEGIN, *said("m", f"Blue [{a}]."), *called("c"), *said("n", f"Green [{b}]."), END]
    )
    assert faults(events) == []
    order = names(events)
    assert order.index("pincite.citations") < order.index("TOOL_CALL_START")
    assert [value["messageId"] for value in values(events)] == ["m", "n"]
    assert [value["citations"][0]["ref"] for value in values(events)] == [a, b]
    assert [name for name in order if name.startswith("TOOL")] == [
        "TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "TOOL_CALL_RESULT",
    ]  # fmt: skip


async def test_messages_that_are_written_at_once_keep_apart() -> None:
    """Two messages may be open together; each gets its own text and its own citations."""
    run, a, b = run_of()
    first, second = said("m", f"Blue [{a}]."), said("n", f"Green [{b}].")
    mixed = [event for pair in zip(first, second, strict=True) for event in pair]
    events = await told(run, [BEGIN, *mixed, END])
    assert faults(events) == []
    assert (text_of(events, "m"), text_of(events, "n")) == ("Blue [1].", "Green [1].")
    assert {value["messageId"]: value["citations"][0]["ref"] for value in values(events)} == {"m": a, "n": b}


async def test_an_error_of_the_run_ends_the_message_and_tells_what_it_cites() -> None:
    """A message that a failing run leaves open ends first, and its citations stand before the error."""
    run, a, _ = run_of()
    events = await told(
        run, [BEGIN, *said("m", f"Blue [{a}].")[:-1], RunErrorEvent(message="No."), *said("n", "x")]
    )
    assert faults(events) == []
    assert names(events)[-3:] == ["TEXT_MESSAGE_END", "pincite.citations", "RUN_ERROR"]


async def test_an_agent_that_raises_in_the_middle_is_told_of_in_a_sentence() -> None:
    """Its client gets the error that ends the run, with nothing of what the agent's own error says."""
    run, a, _ = run_of()

    async def failing() -> AsyncIterator[BaseEvent]:
        for event in [BEGIN, *said("m", f"Blue [{a}].")[:-1]]:
            yield event
        msg = "postgres://user:secret@db.internal/x"
        raise RuntimeError(msg)

    events = as_json([event async for event in cited(failing(), run, [AnswerCiter()])])
    assert faults(events) == []
    assert values(events)[0]["citations"][0]["ref"] == a
    assert events[-1] == {"type": "RUN_ERROR", "message": "The run ended before it was finished."}


@pytest.mark.parametrize("events", [[], [BEGIN], [BEGIN, *said("m", "x")], [*said("m", "x")]])
async def test_an_agent_that_stops_without_an_end_gets_one(events: list[BaseEvent]) -> None:
    """A stream that just stops ends in an error, so that nobody waits."""
    run, _, _ = run_of()
    found = await told(run, events)
    assert faults(found) == []
    assert found[-1]["type"] == "RUN_ERROR"


async def test_a_reader_that_leaves_leaves_nothing_running() -> None:
    """Closing what is read closes the agent's events at once, and what was to come later too."""
    run, a, _ = run_of()
    closed: list[str] = []

    async def agent() -> AsyncIterator[BaseEvent]:
        try:
            for event in [BEGIN, *said("m", f"Blue [{a}]."), END]:
                yield event
            await asyncio.Event().wait()
        finally:
            closed.append("agent")

    async def later(message: EndedMessage | None) -> AsyncIterator[BaseEvent]:
        try:
            yield CustomEvent(name="later", value=None)
            await asyncio.Event().wait()
        finally:
            closed.append("later")

    stream = CitedStream(run, [AnswerCiter()], later=later).of(agent())
    async for event in stream:
        if isinstance(event, CustomEvent) and event.name == "later":
            break
    await stream.aclose()
    assert closed == ["later", "agent"]
    # A task that waits in the middle of it is cancelled as well.
    closed.clear()
    stream = CitedStream(run, [AnswerCiter()], later=later).of(agent())
    last = asyncio.ensure_future(_last(stream))
    await asyncio.sleep(0)
    last.cancel()
    with pytest.raises(asyncio.CancelledError):
        await last
    assert closed == ["later", "agent"]
    assert len(asyncio.all_tasks()) == 1


async def _last(stream: AsyncIterator[BaseEvent]) -> None:
    async for _ in stream:
        pass


async def test_pieces_without_an_end_become_a_message_that_has_one() -> None:
    """A message in pieces gets its beginning and its end, and its citations behind them."""
    run, a, b = run_of()
    pieces: list[BaseEvent] = [
        TextMessageChunkEvent(message_id="m", delta=f"Blue [{a}"),
        TextMessageChunkEvent(delta="]."),
        RawEvent(event={}),
        TextMessageChunkEvent(message_id="n", delta=f"Green [{b}]."),
        ToolCallChunkEvent(tool_call_id="c", tool_call_name="search", delta="{"),
        ToolCallChunkEvent(delta="}"),
        ReasoningMessageChunkEvent(message_id="z", delta="Hm."),
    ]
    events = await told(run, [BEGIN, *pieces, END])
    assert faults(events) == []
    assert (text_of(events, "m"), text_of(events, "n")) == ("Blue [1].", "Green [1].")
    assert [value["citations"][0]["ref"] for value in values(events)] == [a, b]
    assert [event["delta"] for event in events if event["type"] == "TOOL_CALL_ARGS"] == ["{", "}"]


@pytest.mark.parametrize("role", ["user", "system", "developer"])
async def test_messages_of_others_are_not_touched(role: str) -> None:
    """A marker in a message that is not the assistant's stays as it is, and nothing is told of it."""
    run, a, _ = run_of()
    events = await told(run, [BEGIN, *said("m", f"Blue [{a}].", role=role), END])
    assert text_of(events, "m") == f"Blue [{a}]."
    assert values(events) == []


@pytest.mark.parametrize(
    "name", ["pincite.citations", "pincite.citation", "pincite.highlight", "moca.citations", REDRAFT]
)
async def test_events_under_our_names_are_not_taken_from_an_agent(name: str) -> None:
    """What says that a citation was checked has to come from the check."""
    run, _, _ = run_of()
    forged = CustomEvent(
        name=name, value={"version": 1, "messageId": "m", "citations": [{"verdict": "valid"}]}
    )
    events = await told(run, [BEGIN, *said("m", "x"), forged, CustomEvent(name="theirs", value=1), END])
    assert values(events)[0]["citations"] == []
    assert names(events).count(name) == (1 if name == "pincite.citations" else 0)
    assert "theirs" in names(events)


async def test_a_snapshot_of_the_agents_has_the_text_that_its_client_has() -> None:
    """Messages that are told again as a whole read as they were streamed, and the agent's own object is not changed."""
    run, a, _ = run_of()
    raw = f"Blue [{a}]."
    message = AssistantMessage(id="m", role="assistant", content=raw)
    asked = UserMessage(id="u", role="user", content=raw)
    events = await told(run, [BEGIN, *said("m", raw), MessagesSnapshotEvent(messages=[asked, message]), END])
    snapshot = next(event for event in events if event["type"] == "MESSAGES_SNAPSHOT")
    assert [one["content"] for one in snapshot["messages"]] == [raw, "Blue [1]."]
    assert message.content == raw


async def test_a_draft_that_was_written_again_is_withdrawn() -> None:
    """The messages are told as a whole without the draft, and its citations never are."""
    run, a, b = run_of()
    history = [UserMessage(id="u", role="user", content="What colour?")]
    events = await told(
        run,
        [
            BEGIN, *called("c", "m0"), *said("m", f"Red [{a}]."), CustomEvent(name=REDRAFT, value=None),
            *said("n", f"Green [{b}]."), END,
        ],
        history=history,
    )  # fmt: skip
    assert faults(events) == []
    assert [value["messageId"] for value in values(events)] == ["n"]
    snapshot = next(event for event in events if event["type"] == "MESSAGES_SNAPSHOT")
    assert [one["id"] for one in snapshot["messages"]] == ["u", "m0", "c-result", "n"]
    assert snapshot["messages"][-1]["content"] == "Green [1]."
    assert names(events).index("MESSAGES_SNAPSHOT") < names(events).index("pincite.citations")


async def test_a_draft_that_nothing_followed_stands() -> None:
    """Where the second attempt came to nothing, the draft is the answer, is shown, and tells what it cites."""
    run, a, _ = run_of()
    draft = run.resolve(f"Blue [{a}].")
    redraft = CustomEvent(name=REDRAFT, value=None)
    for between in ([], called("c")):
        events = await told(
            run,
            [BEGIN, *said("m", draft.text), redraft, *between, END],
            history=[],
            settle=lambda: draft,
        )
        assert faults(events) == []
        assert [value["messageId"] for value in values(events)] == ["m"]
        client = AGUIClient()
        for event in events:
            client.take(event)
        shown = client.message("m")
        assert shown is not None
        assert shown.text == "Blue [1]."


async def test_a_draft_of_a_run_that_failed_is_gone() -> None:
    """A text that was not to stand is not left behind by an error."""
    run, a, _ = run_of()
    events = await told(
        run,
        [
            BEGIN,
            *said("m", f"Blue [{a}]."),
            CustomEvent(name=REDRAFT, value=None),
            RunErrorEvent(message="x"),
        ],
        history=[],
    )
    assert faults(events) == []
    assert values(events) == []
    assert names(events)[-2:] == ["MESSAGES_SNAPSHOT", "RUN_ERROR"]
    assert events[-2]["messages"] == []


async def test_a_text_that_holds_in_place_of_the_streamed_one_is_told() -> None:
    """It comes with the citations, and as a message where all messages are known; offsets are of it."""
    run, a, b = run_of()
    mended = run.resolve(f"It is green [{b}].")
    histories: list[list[Any] | None] = [None, []]
    for history in histories:
        events = await told(
            run, [BEGIN, *said("m", f"Blue [{a}]."), END], history=history, settle=lambda: mended
        )
        value = values(events)[0]
        assert value["text"] == "It is green [1]."
        assert value["text"][value["citations"][0]["start"] :] == "[1]."
        snapshots = [event["messages"] for event in events if event["type"] == "MESSAGES_SNAPSHOT"]
        assert snapshots == (
            [] if history is None else [[{"id": "m", "role": "assistant", "content": "It is green [1]."}]]
        )


async def test_several_runs_in_one_stream_are_a_run_each() -> None:
    """Each has its citations before its own end, and numbers begin anew with each message."""
    run, a, b = run_of()
    events = await told(
        run, [BEGIN, *said("m", f"Blue [{a}]."), END, BEGIN, *said("n", f"Green [{b}]."), END]
    )
    assert faults(events) == []
    assert [value["messageId"] for value in values(events)] == ["m", "n"]
    assert text_of(events, "n") == "Green [1]."


async def test_a_run_that_begins_in_a_run_ends_the_first() -> None:
    """The first is over with an error, since nobody will end it any more."""
    run, a, _ = run_of()
    events = await told(run, [BEGIN, *said("m", f"Blue [{a}].")[:-1], BEGIN, END])
    assert faults(events) == []
    assert names(events)[-5:] == [
        "TEXT_MESSAGE_END",
        "pincite.citations",
        "RUN_ERROR",
        "RUN_STARTED",
        "RUN_FINISHED",
    ]


async def test_nothing_follows_the_end() -> None:
    """What an agent sends after its run is dropped, but for an error."""
    run, _, _ = run_of()
    events = await told(
        run, [BEGIN, END, *said("m", "x"), CustomEvent(name="x", value=1), RunErrorEvent(message="e"), END]
    )
    assert names(events) == ["RUN_STARTED", "RUN_FINISHED", "RUN_ERROR"]


async def test_a_message_that_is_started_again_goes_on() -> None:
    """Its text is added to, as the official client does, and its citations are told again, of the whole."""
    run, a, b = run_of()
    events = await told(
        run, [BEGIN, *said("m", f"Blue [{a}]. "), *called("c"), *said("m", f"Green [{b}]."), END]
    )
    assert faults(events) == []
    assert text_of(events, "m") == "Blue [1]. Green [2]."
    assert [len(value["citations"]) for value in values(events)] == [1, 2]
    last = values(events)[-1]["citations"][1]
    assert text_of(events, "m")[last["start"] : last["end"]] == "[2]"
    assert values(events, "pincite.citation")[-1]["start"] == last["start"]


async def test_what_stands_beside_a_piece_of_text_stays_with_it() -> None:
    """Metadata and what a provider sent are passed on, also where the piece itself has to wait."""
    run, a, _ = run_of()
    pieces: list[BaseEvent] = [
        TextMessageStartEvent(message_id="m", role="assistant", subagent_run_id="s"),
        TextMessageContentEvent(message_id="m", delta=f"[{a[:3]}", metadata={"k": 1}, raw_event={"r": 1}),
        TextMessageContentEvent(message_id="m", delta=f"{a[3:]}].", timestamp=7),
        TextMessageEndEvent(message_id="m", metadata={"usage": 3}),
    ]
    events = await told(run, [BEGIN, *pieces, END])
    piece = next(event for event in events if event["type"] == "TEXT_MESSAGE_CONTENT")
    assert (piece["metadata"], piece["rawEvent"], piece["timestamp"]) == ({"k": 1}, {"r": 1}, 7)
    end = next(event for event in events if event["type"] == "TEXT_MESSAGE_END")
    assert end["metadata"] == {"usage": 3, "pincite": {"raw": f"[{a}]."}}
    assert {event["subagentRunId"] for event in events if event["type"] == "CUSTOM"} == {"s"}


async def test_a_citer_that_fails_ends_the_run_in_an_error() -> None:
    """No answer is told to be whole whose citations could not be told."""
    run, a, _ = run_of()

    class Failing:
        def cite(self, message: EndedMessage) -> list[tuple[str, dict[str, Any]]]:
            msg = f"/srv/secret/{message.message_id}"
            raise OSError(msg)

    stream = CitedStream(run, [Failing()])
    events = as_json([one async for one in stream.of(sent([BEGIN, *said("m", f"Blue [{a}]."), END]))])
    assert faults(events) == []
    assert names(events)[-1] == "RUN_ERROR"
    assert "secret" not in str(events)


@given(st.lists(EVENTS, max_size=40), st.booleans(), st.booleans())
def test_whatever_an_agent_sends_a_client_takes_the_stream(
    events: list[BaseEvent],
    begins: bool,  # noqa: FBT001 - drawn
    is_known: bool,  # noqa: FBT001 - drawn
) -> None:
    """Any sequence of events comes out in an order that holds, and a client has the text that citations are of."""
    out = asyncio.run(told(RUN, [BEGIN, *events] if begins else events, history=[] if is_known else None))
    assert faults(out) == []
    client = AGUIClient()
    for event in out:
        update = client.take(event)
        if event["type"] == "CUSTOM" and event["name"] == "pincite.citations":
            assert update is not None
            shown = client.message(event["value"]["messageId"])
            if shown is None:
                continue  # the agent took it back
            assert update.message_id == shown.message_id
            assert shown.citations is not None
            assert len(shown.citations["citations"]) == len(event["value"]["citations"])
            for one in shown.citations["citations"]:
                assert shown.text[one["start"] : one["end"]] == f"[{one['number']}]"
    assert {one.code for one in client.diagnostics} <= {"id_taken", "unknown_message", "bad_event"}


@given(st.lists(TEXTS, max_size=20))
def test_the_pieces_of_a_text_join_to_what_is_cited(pieces: list[str]) -> None:
    """What was streamed is the text that the citers are given."""
    ended: list[EndedMessage] = []

    class Keeping:
        def cite(self, message: EndedMessage) -> list[tuple[str, dict[str, Any]]]:
            ended.append(message)
            return []

    async def streamed() -> list[BaseEvent]:
        stream = CitedStream(RUN, [Keeping()])
        return [one async for one in stream.of(sent([BEGIN, *said("m", *pieces), END]))]

    events = as_json(asyncio.run(streamed()))
    assert [message.text for message in ended] == ([text_of(events, "m")] if "".join(pieces) else [])
    assert [message.answer.text for message in ended] == (["".join(pieces)] if "".join(pieces) else [])
    assert not any(message.replaced for message in ended)


async def test_nothing_is_told_to_who_has_left_when_the_agents_clean_up_fails(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Closing the stream, or cancelling who reads it, raises nothing else and yields nothing more; it is logged."""
    run, a, _ = run_of()
    begun = asyncio.Event()

    async def agent() -> AsyncIterator[BaseEvent]:
        try:
            for event in [BEGIN, *said("m", f"Blue [{a}].")]:
                yield event
            begun.set()
            await asyncio.Event().wait()
        finally:
            msg = "/srv/secret"
            raise OSError(msg)

    stream = CitedStream(run, [AnswerCiter()]).of(agent())
    await anext(stream)
    await stream.aclose()
    task = asyncio.ensure_future(_last(CitedStream(run, [AnswerCiter()]).of(agent())))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [one.getMessage() for one in caplog.records] == [
        "An agent failed while it was stopped: OSError."
    ] * 2


@pytest.mark.parametrize("content", ["Blue [{a}].", "Something else altogether."])
async def test_a_message_that_comes_back_in_a_snapshot_has_the_text_that_is_cited(content: str) -> None:
    """Taken back and told again, it reads as it was streamed: places are places in what the client has."""
    run, a, _ = run_of()
    again = AssistantMessage(id="m", role="assistant", content=content.format(a=a))
    pieces = TextMessageChunkEvent(message_id="m", delta=f"Blue [{a}].")
    events = await told(
        run,
        [BEGIN, pieces, MessagesSnapshotEvent(messages=[]), MessagesSnapshotEvent(messages=[again]), END],
    )
    assert faults(events) == []
    client = AGUIClient()
    for event in events:
        client.take(event)
    shown = client.message("m")
    assert shown is not None
    assert shown.citations is not None
    assert shown.text == "Blue [1]."
    assert [(one["start"], one["end"]) for one in shown.citations["citations"]] == [(5, 8)]


async def test_a_message_that_the_agent_took_back_has_no_citations_to_tell() -> None:
    """A snapshot without it, or with another's message in its place, leaves nothing that they would be about."""
    run, a, _ = run_of()
    other = UserMessage(id="m", role="user", content="Mine.")
    snapshots: list[list[Any]] = [[], [other]]
    for left in snapshots:
        events = await told(
            run, [BEGIN, *said("m", f"Blue [{a}]."), MessagesSnapshotEvent(messages=left), END]
        )
        assert faults(events) == []
        assert values(events) == []


async def test_a_message_that_begins_anew_is_cited_by_its_new_text() -> None:
    """After it was taken back, what it said before counts for nothing."""
    run, a, b = run_of()
    events = await told(
        run,
        [
            BEGIN,
            *said("m", f"Blue [{a}]."),
            MessagesSnapshotEvent(messages=[]),
            *said("m", f"Green [{b}]."),
            END,
        ],
    )
    assert faults(events) == []
    assert [one["ref"] for one in values(events)[-1]["citations"]] == [b]
    assert [(one["start"], one["end"]) for one in values(events)[-1]["citations"]] == [(6, 9)]


async def test_a_draft_that_stands_is_shown_though_a_snapshot_left_it_out() -> None:
    """Its client has the text of the answer at the end, with its citations."""
    run, a, _ = run_of()
    draft = run.resolve(f"Blue [{a}].")
    redraft = CustomEvent(name=REDRAFT, value=None)
    events = await told(
        run,
        [BEGIN, *said("m", draft.text), redraft, *called("c"), MessagesSnapshotEvent(messages=[]), END],
        history=[],
        settle=lambda: draft,
    )
    client = AGUIClient()
    for event in events:
        client.take(event)
    shown = client.message("m")
    assert shown is not None
    assert (shown.text, values(events)[-1]["citations"][0]["start"]) == ("Blue [1].", 5)


async def test_what_comes_later_comes_once_and_inside_of_the_run() -> None:
    """A run that failed is told of as one that finished is; behind the end of a run nothing is asked for."""
    run, a, _ = run_of()
    asked: list[EndedMessage | None] = []

    async def later(message: EndedMessage | None) -> AsyncIterator[BaseEvent]:
        asked.append(message)
        yield CustomEvent(name="later", value=None)

    for events in (
        [BEGIN, *said("m", f"Blue [{a}].")],
        [BEGIN, *said("m", f"Blue [{a}]."), RunErrorEvent(message="No.")],
        [BEGIN, *said("m", f"Blue [{a}]."), END, RunErrorEvent(message="No.")],
    ):
        out = await told(run, events, later=later)
        assert faults(out) == []
        assert names(out).count("later") == 1
    assert [message is None for message in asked] == [True, True, False]
