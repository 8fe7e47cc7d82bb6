"""Events that can be written: halves of characters are joined over the pieces of a text, and lone ones replaced.

What a model or a tool sends may hold half of a character, which has no bytes in UTF-8. An event with one cannot leave.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from ag_ui.core import (
    BaseEvent,
    EventType,
    ReasoningMessageContentEvent,
    RunErrorEvent,
    RunFinishedEvent,
    RunStartedEvent,
    TextMessageContentEvent,
    ToolCallArgsEvent,
)
from pydantic import BaseModel

from pincite.core.errors import InputError
from pincite.core.surrogates import Halves, whole, whole_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

M = TypeVar("M", bound=BaseModel)

# Events of which `delta` is the next piece of a text: a half at its end may be joined yet.
_PIECES: Final = frozenset(
    {
        EventType.TEXT_MESSAGE_CONTENT,
        EventType.TEXT_MESSAGE_CHUNK,
        EventType.TOOL_CALL_ARGS,
        EventType.TOOL_CALL_CHUNK,
        EventType.REASONING_MESSAGE_CONTENT,
        EventType.REASONING_MESSAGE_CHUNK,
    }
)
# By type: the field with the id of the text that an event goes on with or ends.
_GOES_ON: Final = {
    EventType.TEXT_MESSAGE_CONTENT: "message_id",
    EventType.TOOL_CALL_ARGS: "tool_call_id",
    EventType.REASONING_MESSAGE_CONTENT: "message_id",
}
_ENDS: Final = {
    EventType.TEXT_MESSAGE_END: (EventType.TEXT_MESSAGE_CONTENT, "message_id"),
    EventType.TOOL_CALL_END: (EventType.TOOL_CALL_ARGS, "tool_call_id"),
    EventType.REASONING_MESSAGE_END: (EventType.REASONING_MESSAGE_CONTENT, "message_id"),
}
_LAST: Final[dict[EventType, Callable[[str, str, str | None], BaseEvent]]] = {
    EventType.TEXT_MESSAGE_CONTENT: lambda name, rest, owner: TextMessageContentEvent(
        message_id=name, delta=rest, subagent_run_id=owner
    ),
    EventType.TOOL_CALL_ARGS: lambda name, rest, owner: ToolCallArgsEvent(
        tool_call_id=name, delta=rest, subagent_run_id=owner
    ),
    EventType.REASONING_MESSAGE_CONTENT: lambda name, rest, owner: ReasoningMessageContentEvent(
        message_id=name, delta=rest, subagent_run_id=owner
    ),
}


def whole_event(event: BaseEvent) -> BaseEvent:
    """Return an event that can be written as JSON in UTF-8; one that can be is the same object.

    The piece of text in it is left to `WholePieces`.

    Raises:
        InputError: it cannot be written at all, such as one that holds what is no JSON.
    """
    is_piece = event.type in _PIECES
    if _is_plain(event, "delta" if is_piece else ""):
        return event
    if not is_piece:
        return _written(event, str(event.type.value))
    piece = cast("Any", event).delta
    bare = _written(event.model_copy(update={"delta": ""}), str(event.type.value))
    return bare.model_copy(update={"delta": piece})


def whole_message(message: M) -> M:
    """Return a message that can be written as JSON in UTF-8.

    Raises:
        InputError: it cannot be written at all.
    """
    return _written(message, "a message")


def _is_plain(event: BaseEvent, but: str) -> bool:
    """Say whether an event holds nothing that could not be written, but for one field; without writing it."""
    return not event.model_extra and all(
        value is None
        or isinstance(value, int)
        or (isinstance(value, str) and (name == but or value.isascii()))
        for name, value in vars(event).items()
    )


def _written(model: M, what: str) -> M:
    try:
        model.model_dump_json(by_alias=True)
    except Exception:  # noqa: BLE001 - what is in it may have a writer of its own
        try:
            model = type(model).model_validate(whole_json(model.model_dump()))
            model.model_dump_json(by_alias=True)
        except Exception as error:
            msg = f"The agent sent what cannot be written as JSON, in {what}."
            raise InputError(msg, field=what) from error
    return model


class WholePieces:
    """Joins the halves of characters over the pieces of each text, of events in an order that holds."""

    __slots__ = ("_halves",)

    def __init__(self) -> None:
        # By what a text is and its id; only of texts that had a half.
        self._halves: dict[tuple[EventType, str], Halves] = {}

    def of(self, events: Iterable[BaseEvent]) -> Iterator[BaseEvent]:
        """Yield events, their pieces of text whole."""
        for event in events:
            if event.type in _GOES_ON:
                yield from self._piece(event)
            else:
                if event.type in _ENDS:
                    yield from self._end(event)
                elif isinstance(event, RunStartedEvent | RunFinishedEvent | RunErrorEvent):
                    self._halves.clear()
                yield event

    def _piece(self, event: BaseEvent) -> Iterator[BaseEvent]:
        given: Any = event
        key = (event.type, cast("str", getattr(event, _GOES_ON[event.type])))
        halves, delta = self._halves.get(key), cast("str", given.delta)
        if halves is None:
            if whole(delta) is delta:
                yield event
                return
            halves = self._halves[key] = Halves()
        piece = halves.feed(delta)
        if piece or not delta or given.metadata is not None or event.raw_event is not None:
            yield event.model_copy(update={"delta": piece})

    def _end(self, event: BaseEvent) -> Iterator[BaseEvent]:
        kind, field = _ENDS[event.type]
        name = cast("str", getattr(event, field))
        halves = self._halves.pop((kind, name), None)
        rest = "" if halves is None else halves.finish()
        if rest:
            yield _LAST[kind](name, rest, cast("Any", event).subagent_run_id)
