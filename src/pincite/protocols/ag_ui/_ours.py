"""Our own part of what an agent tells: no agent writes what the client's state, or a message, says of citations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from pincite.core.answer import Answer
from pincite.protocols.citations_event import STATE_KEY
from pincite.showing import numbered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ag_ui.core import BaseEvent, Message, StateDeltaEvent, StateSnapshotEvent
    from pydantic import BaseModel

    from pincite.core.limits import Limits


def unclaimed(event: BaseEvent) -> BaseEvent:
    """Return an agent's event without what it says in our name beside its content."""
    rest = _rest(event)
    return event if rest is None else event.model_copy(update=rest)


def unclaimed_message(message: Message) -> Message:
    """Return a message that an agent tells, without what it says in our name."""
    rest = _rest(message)
    return message if rest is None else message.model_copy(update=rest)


def unnumbered(text: str, limits: Limits) -> str:
    """Return a text that an agent tells as a whole, without citations: no number in it passes for one of ours."""
    return numbered(Answer(text), limits=limits).text


def _rest(model: BaseModel) -> dict[str, Any] | None:
    metadata = getattr(model, "metadata", None)
    if not isinstance(metadata, dict) or STATE_KEY not in metadata:
        return None
    return {"metadata": _without(cast("dict[str, Any]", metadata)) or None}


def snapshot_beside_ours(event: StateSnapshotEvent, ours: object) -> tuple[StateSnapshotEvent, bool]:
    """Return an agent's snapshot of the state with our part as it is, and whether the state is an object then.

    `ours` is our part as the client has it, None where it has none. What an agent gives as an object of its own is
    looked at as it would be written.
    """
    snapshot: object = event.model_dump(mode="json", by_alias=True)["snapshot"]
    if not isinstance(snapshot, dict):
        return event, False
    beside = _beside(cast("dict[str, Any]", snapshot), ours)
    return event.model_copy(update={"snapshot": beside}), True


def delta_beside_ours(event: StateDeltaEvent, ours: object) -> tuple[StateDeltaEvent | None, bool | None]:
    """Return an agent's change of the state without what touches our part; None where nothing is left of it.

    Also returned is whether the state is an object then, None where the change is none of the whole state. A whole
    state gets our part as it is, and one that is removed leaves our part. One that is moved or copied from elsewhere in
    the state is left out: what it holds is not known here. So is one that is moved or copied into itself, of which some
    clients make a state without an end.
    """
    written = event.model_dump(mode="json", by_alias=True)
    given = cast("list[dict[str, Any]]", written["delta"])
    kept: list[dict[str, Any]] = []
    is_object: bool | None = None
    for operation in given:
        step = operation
        if _is_ours(step.get("path")) or _is_ours(step.get("from")) or _is_into_itself(step):
            continue
        if step.get("op") == "remove" and step.get("path") == "" and ours is not None:
            step = {"op": "replace", "path": "", "value": dict[str, Any]()}
        if step.get("path") == "":
            if step.get("op") in {"move", "copy"}:
                continue
            value = cast("object", step.get("value"))
            if isinstance(value, dict):
                step = {**step, "value": _beside(cast("dict[str, Any]", value), ours)}
            if step.get("op") != "test":
                is_object = isinstance(value, dict)
        kept.append(step)
    if not kept and given:
        return None, is_object
    if all(one is other for one, other in zip(kept, given, strict=False)) and len(kept) == len(given):
        return event, is_object
    return type(event).model_validate({**written, "delta": kept}), is_object


def _beside(state: dict[str, Any], ours: object) -> dict[str, Any]:
    rest = _without(state)
    return rest if ours is None else {**rest, STATE_KEY: ours}


def _without(named: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in named.items() if name != STATE_KEY}


def _is_ours(pointer: object) -> bool:
    """Say whether a JSON Pointer (RFC 6901) leads into our part; its name has no other spelling there.

    What stands before the first slash is passed over, as readers do that do not refuse it.
    """
    return isinstance(pointer, str) and _first(pointer.split("/", 2)) == STATE_KEY


def _is_into_itself(step: dict[str, Any]) -> bool:
    """Say whether an operation takes the whole state, or what its place lies in, to that place."""
    origin, path = step.get("from"), step.get("path")
    if step.get("op") not in {"move", "copy"} or not isinstance(origin, str) or not isinstance(path, str):
        return False
    if "/" not in origin:
        return True
    into, steps = path.split("/")[1:], origin.split("/")[1:]
    return step["op"] == "move" and len(into) > len(steps) and into[: len(steps)] == steps


def _first(steps: Sequence[str]) -> str | None:
    return steps[1] if len(steps) > 1 else None
