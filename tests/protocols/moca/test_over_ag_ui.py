"""The event in a stream of AG-UI: where it stands, and that a client gets there what the Reader made."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from ag_ui.core import (
    BaseEvent,
    RunErrorEvent,
    RunFinishedEvent,
    RunStartedEvent,
    TextMessageChunkEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
)
from ag_ui.encoder import EventEncoder
from moca_records import Turn, record, ref, turn

from pincite.protocols.ag_ui import Citer, cited
from pincite.protocols.moca import MocaCiter, MocaClient

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

START, DONE = RunStartedEvent(thread_id="t", run_id="r"), RunFinishedEvent(thread_id="t", run_id="r")


def said(text: str, message_id: str = "m", cut: int = 7) -> list[BaseEvent]:
    """Return the events of a message, its text in pieces of `cut` code points."""
    pieces = [text[at : at + cut] for at in range(0, len(text), cut)]
    return [
        TextMessageStartEvent(message_id=message_id, role="assistant"),
        *(TextMessageContentEvent(message_id=message_id, delta=piece) for piece in pieces),
        TextMessageEndEvent(message_id=message_id),
    ]


async def sent(one: Turn, events: list[BaseEvent]) -> list[dict[str, Any]]:
    """Return the events that a client gets, as it parses them from what goes over the wire."""

    async def agent() -> AsyncIterator[BaseEvent]:
        for event in events:
            yield event

    citer: Citer = MocaCiter(one.ledger)
    encoder = EventEncoder()
    frames = [encoder.encode(event) async for event in cited(agent(), one.run, [citer])]
    return [json.loads(frame.removeprefix("data: ")) for frame in frames]


def places(events: list[dict[str, Any]]) -> list[str]:
    """Return what comes in which order: types, and the name of our event."""
    return [event.get("name", event["type"]) for event in events if event["type"] != "TEXT_MESSAGE_CONTENT"]


async def test_service_rule_1_the_event_comes_behind_the_end_and_before_the_run_is_finished() -> None:
    """And what a client shows of it is the Reader's record, by the number that the text has."""
    one = turn(record(text="30 days.\u2028And no more.", trust={"stale": True}))
    events = await sent(one, [START, *said(f"It is 30 days [{one.keys[0]}]."), DONE])
    told = [name for name in places(events) if not name.startswith("pincite.")]
    assert told == ["RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_END", "moca.citations", "RUN_FINISHED"]
    client = MocaClient()
    for event in events:
        client.feed(event)
    (shown,) = client.shown("m")
    assert shown.places == ((14, 17),)
    taken = client.event_of("m")
    assert taken is not None
    assert taken.citations[0].record.as_dict() == record(
        text="30 days.\u2028And no more.", trust={"stale": True}
    )
    assert client.diagnostics == ()


async def test_service_rule_1_each_message_has_its_event() -> None:
    """Two messages of a run have two events, each behind its own message; the second cites nothing."""
    one = turn(record())
    events = await sent(one, [START, *said(f"30 days [{one.keys[0]}]."), *said("Anything else?", "m2"), DONE])
    values = [event["value"] for event in events if event.get("name") == "moca.citations"]
    assert [(value["messageId"], len(value["citations"])) for value in values] == [("m", 1), ("m2", 0)]
    names = places(events)
    assert names.index("moca.citations") < names.index("RUN_FINISHED")
    client = MocaClient()
    for event in events:
        client.feed(event)
    assert [one.key for one in client.shown("m")] == [ref()]
    assert client.event_of("m2") is not None


@pytest.mark.parametrize("broken", [[RunErrorEvent(message="x")], []], ids=["an error", "nothing more"])
async def test_service_rule_1_a_run_that_fails_has_the_event_before_its_error(
    broken: list[BaseEvent],
) -> None:
    """A message that had ended tells what it cites, and nothing comes behind the end of the run."""
    one = turn(record())
    events = await sent(one, [START, *said(f"30 days [{one.keys[0]}]."), *broken])
    told = [name for name in places(events) if not name.startswith("pincite.")]
    assert told[-2:] == ["moca.citations", "RUN_ERROR"]


async def test_chunks_become_a_message_that_cites() -> None:
    """An agent that writes chunks has no end of its own; its citations come before the run is finished all the same."""
    one = turn(record())
    chunks = [
        TextMessageChunkEvent(message_id="m", role="assistant", delta="It is 30 days "),
        TextMessageChunkEvent(delta=f"[{one.keys[0]}]."),
    ]
    events = await sent(one, [START, *chunks, DONE])
    client = MocaClient()
    for event in events:
        client.feed(event)
    assert [shown.places for shown in client.shown("m")] == [((14, 17),)]
    assert client.diagnostics == ()
