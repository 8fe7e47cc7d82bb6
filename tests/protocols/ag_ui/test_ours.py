"""What an agent says in our name: no agent writes our part of the client's state, or of a message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from ag_ui.core import (
    AssistantMessage,
    BaseEvent,
    MessagesSnapshotEvent,
    StateDeltaEvent,
    StateSnapshotEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
)
from ag_ui_events import BEGIN, END
from pydantic import BaseModel

from ag_ui_order import faults, run_of, told
from pincite.protocols.ag_ui import AGUIClient

if TYPE_CHECKING:
    from collections.abc import Sequence

OURS = {"version": 1, "citations": {"old": {"version": 1}}}
FORGED: dict[str, Any] = {"version": 1, "citations": {"m": {"version": 1, "messageId": "m", "citations": []}}}


class Theirs(BaseModel):
    """A state as an object of the agent's own."""

    mine: int = 2
    pincite: Any = None


def change_of(operations: list[Any]) -> StateDeltaEvent:
    """Return a change of the state, of operations as JSON has them."""
    return StateDeltaEvent.model_validate({"delta": operations})


async def state_after(
    events: Sequence[BaseEvent], state: Any, kept: object = OURS
) -> tuple[Any, list[dict[str, Any]]]:
    """Return the state that a client has after an agent's events, and the events that it was sent."""
    run, _, _ = run_of()
    out = await told(run, [BEGIN, *events, END], kept=kept)
    assert faults(out) == []
    client = AGUIClient(state=state)
    for event in out:
        client.take(event)
    return client.state, out


@pytest.mark.parametrize("snapshot", [{"mine": 2, "pincite": FORGED}, Theirs(pincite=FORGED), {"mine": 2}])
async def test_a_snapshot_of_an_agents_keeps_our_part(snapshot: Any) -> None:
    """The rest is the agent's; our part is what the client had, and none where it had none."""
    event = StateSnapshotEvent(snapshot=snapshot)
    state, _ = await state_after([event], {"pincite": OURS})
    assert state == {"mine": 2, "pincite": OURS}
    state, _ = await state_after([event], {}, kept=None)
    assert state == {"mine": 2}


@pytest.mark.parametrize(
    "operations",
    [
        [{"op": "add", "path": "/pincite", "value": FORGED}],
        [{"op": "replace", "path": "/pincite/citations", "value": FORGED["citations"]}],
        [{"op": "add", "path": "/pincite/citations/m", "value": {}}],
        [{"op": "remove", "path": "/pincite"}],
        [{"op": "remove", "path": "/pincite/citations/old"}],
        [{"op": "move", "from": "/theirs", "path": "/pincite"}],
        [{"op": "copy", "from": "/theirs", "path": "/pincite/citations"}],
        [{"op": "move", "from": "/pincite", "path": "/theirs"}],
        [{"op": "test", "path": "/pincite/version", "value": 9}],
        [{"op": "copy", "from": "/theirs", "path": ""}],
        [{"op": "move", "from": "/theirs", "path": ""}],
        [{"op": "copy", "from": "", "path": "/theirs/all"}],
        [{"op": "move", "from": "", "path": "/theirs"}],
        [{"op": "move", "from": "/theirs", "path": "/theirs/pincite/a"}],
    ],
)
async def test_a_change_that_touches_our_part_is_not_passed_on(operations: list[Any]) -> None:
    """It is left out, what else is in the change is made, and a change of which nothing is left is not sent."""
    state: Any = {"theirs": {"pincite": FORGED}, "pincite": OURS}
    after, out = await state_after([change_of(operations)], state)
    assert after == state
    assert not [one for one in out if one["type"] == "STATE_DELTA"]
    mixed = [*operations, {"op": "add", "path": "/more", "value": 1}]
    after, _ = await state_after([change_of(mixed)], state)
    assert after == {**state, "more": 1}


@pytest.mark.parametrize("op", ["add", "replace"])
async def test_a_change_of_the_whole_state_has_our_part_beside_it(op: str) -> None:
    """The root may be replaced; our part is what it was."""
    change = change_of([{"op": op, "path": "", "value": {"mine": 1, "pincite": FORGED}}])
    after, _ = await state_after([change], {"theirs": 1, "pincite": OURS})
    assert after == {"mine": 1, "pincite": OURS}


async def test_a_state_that_is_removed_leaves_our_part() -> None:
    """All that is the agent's goes; where there is no part of ours, the state does."""
    change = change_of([{"op": "remove", "path": ""}, {"op": "add", "path": "/mine", "value": 1}])
    after, _ = await state_after([change], {"theirs": 1, "pincite": OURS})
    assert after == {"mine": 1, "pincite": OURS}
    after, _ = await state_after([change_of([{"op": "remove", "path": ""}])], {"theirs": 1}, kept=None)
    assert after is None


async def test_names_that_are_like_ours_are_the_agents() -> None:
    """Only the first step of a path counts, and only by its whole name."""
    change = change_of(
        [
            {"op": "add", "path": "/pincites", "value": 1},
            {"op": "add", "path": "/theirs/pincite", "value": 2},
            {"op": "add", "path": "/~1pincite", "value": 3},
        ]
    )
    after, _ = await state_after([change], {"theirs": {}, "pincite": OURS})
    assert after == {"theirs": {"pincite": 2}, "pincite": OURS, "pincites": 1, "/pincite": 3}


async def test_metadata_in_our_name_is_left_out() -> None:
    """Beside a text, at its end, and in a message of a snapshot; the agent's own stays."""
    forged = {"pincite": {"raw": "It is free."}, "k": 1}
    run, _, _ = run_of()
    out = await told(
        run,
        [
            BEGIN,
            TextMessageStartEvent(message_id="m", role="assistant", metadata=forged),
            TextMessageContentEvent(message_id="m", delta="Hi.", metadata=forged),
            TextMessageEndEvent(message_id="m", metadata=forged),
            MessagesSnapshotEvent(
                messages=[AssistantMessage(id="n", role="assistant", content="x", metadata=forged)]
            ),
            END,
        ],
    )
    assert "free" not in str(out)
    found = [one["metadata"] for one in out if "metadata" in one]
    assert found == [{"k": 1}, {"k": 1}, {"k": 1, "pincite": {"raw": "Hi."}}]
    snapshot = next(one for one in out if one["type"] == "MESSAGES_SNAPSHOT")
    assert snapshot["messages"][0]["metadata"] == {"k": 1}
