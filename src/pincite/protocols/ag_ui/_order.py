"""The order of AG-UI's events: what an agent sends is passed on as a sequence that every client takes.

The rules are those that the official client holds a stream to: nothing outside of a run; what goes on or ends has
begun; nothing is open when a run finishes. Pieces without a beginning and an end get both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from ag_ui.core import (
    BaseEvent,
    EventType,
    MessagesSnapshotEvent,
    ReasoningEndEvent,
    ReasoningMessageChunkEvent,
    ReasoningMessageContentEvent,
    ReasoningMessageEndEvent,
    ReasoningMessageStartEvent,
    RunErrorEvent,
    RunFinishedEvent,
    RunStartedEvent,
    StepFinishedEvent,
    SubagentFinishedEvent,
    TextMessageChunkEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    ToolCallArgsEvent,
    ToolCallChunkEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ag_ui.core import Message

BROKEN: Final = "The run ended before it was finished."


class _Open(NamedTuple):
    """Something that has begun: its kind and id, and whose it is. A step is named by whose it is, too."""

    kind: str
    name: str
    owner: str | None = None


# By type: the kind of what an event is about, the field of its id, and whether it begins, goes on, or ends.
_STEPS: Final = {
    EventType.TEXT_MESSAGE_START: ("text", "message_id", "begins"),
    EventType.TEXT_MESSAGE_CONTENT: ("text", "message_id", "goes on"),
    EventType.TEXT_MESSAGE_END: ("text", "message_id", "ends"),
    EventType.TOOL_CALL_START: ("call", "tool_call_id", "begins"),
    EventType.TOOL_CALL_ARGS: ("call", "tool_call_id", "goes on"),
    EventType.TOOL_CALL_END: ("call", "tool_call_id", "ends"),
    EventType.REASONING_START: ("span", "message_id", "begins"),
    EventType.REASONING_END: ("span", "message_id", "ends"),
    EventType.REASONING_MESSAGE_START: ("reasoning", "message_id", "begins"),
    EventType.REASONING_MESSAGE_CONTENT: ("reasoning", "message_id", "goes on"),
    EventType.REASONING_MESSAGE_END: ("reasoning", "message_id", "ends"),
    EventType.STEP_STARTED: ("step", "step_name", "begins"),
    EventType.STEP_FINISHED: ("step", "step_name", "ends"),
    EventType.SUBAGENT_STARTED: ("subagent", "subagent_run_id", "begins"),
    EventType.SUBAGENT_FINISHED: ("subagent", "subagent_run_id", "ends"),
    EventType.SUBAGENT_ERROR: ("subagent", "subagent_run_id", "ends"),
}
_ENDS: Final[dict[str, Callable[[_Open], BaseEvent]]] = {
    "text": lambda one: TextMessageEndEvent(message_id=one.name, subagent_run_id=one.owner),
    "call": lambda one: ToolCallEndEvent(tool_call_id=one.name, subagent_run_id=one.owner),
    "reasoning": lambda one: ReasoningMessageEndEvent(message_id=one.name, subagent_run_id=one.owner),
    "span": lambda one: ReasoningEndEvent(message_id=one.name, subagent_run_id=one.owner),
    "step": lambda one: StepFinishedEvent(step_name=one.name, subagent_run_id=one.owner),
    "subagent": lambda one: SubagentFinishedEvent(subagent_run_id=one.name),
}
# Events that leave open what is written by pieces.
_BESIDE: Final = frozenset(
    {
        EventType.RAW,
        EventType.ACTIVITY_SNAPSHOT,
        EventType.ACTIVITY_DELTA,
        EventType.REASONING_ENCRYPTED_VALUE,
        EventType.SUBAGENT_STARTED,
    }
)


class Order:
    """Passes events on in an order that holds: `take` returns what follows for each."""

    __slots__ = ("_ended_subagents", "_has_failed", "_open", "_owners", "_pieces", "is_running")

    def __init__(self) -> None:
        self.is_running = False
        self._has_failed = False
        self._begin()

    def _begin(self) -> None:
        # What is open, in the order in which it began; the owner of a step is part of its name.
        self._open: dict[tuple[str, str, str | None], _Open] = {}
        # What is written by pieces without a beginning and an end, by whose it is.
        self._pieces: dict[str | None, _Open] = {}
        self._ended_subagents: set[str] = set()
        # Whose each message and call is: whoever began it first. No client takes it from anybody else.
        self._owners: dict[tuple[str, str], str | None] = {}

    def take(self, event: BaseEvent) -> Iterator[BaseEvent]:
        """Yield what is passed on for an event: itself, what has to come before it, or nothing."""
        if isinstance(event, RunStartedEvent):
            if self.is_running:
                yield from self._broken_off()
                yield RunErrorEvent(message=BROKEN)
            self._begin()
            self.is_running, self._has_failed = True, False
            self._own(() if event.input is None else event.input.messages)
            yield event
        elif isinstance(event, RunErrorEvent):
            # It may stand alone, and behind the end of a run that finished; behind one that failed nothing may.
            if not self._has_failed:
                yield from self._broken_off()
                self.is_running, self._has_failed = False, True
                yield event
        elif self.is_running:
            yield from self._inside(event)

    def _broken_off(self) -> Iterator[BaseEvent]:
        """End the messages that a run leaves open when it fails; nothing else has to end then."""
        for one in [one for one in self._open.values() if one.kind == "text"]:
            yield self._ended(one)

    def _inside(self, event: BaseEvent) -> Iterator[BaseEvent]:
        if isinstance(event, RunFinishedEvent):
            for one in reversed(list(self._open.values())):
                yield self._ended(one)
            self._begin()
            self.is_running = False
            yield event
            return
        if isinstance(event, TextMessageChunkEvent | ToolCallChunkEvent | ReasoningMessageChunkEvent):
            yield from self._piece(event)
            return
        yield from self._end_pieces(event)
        if isinstance(event, MessagesSnapshotEvent):
            self._own(event.messages)
        elif isinstance(event, ToolCallResultEvent):
            self._owners["text", event.message_id] = event.subagent_run_id
        step = _STEPS.get(event.type)
        event = event if step is None else self._owned(event, *step)
        if step is None or self._fits(event, *step):
            yield event

    def _own(self, messages: Iterable[Message]) -> None:
        """Take in whose the messages are that are told as a whole."""
        for one in messages:
            kind = "reasoning" if one.role == "reasoning" else "text"
            self._owners[kind, one.id] = one.subagent_run_id
            for call in getattr(one, "tool_calls", None) or ():
                self._owners["call", call.id] = one.subagent_run_id

    def _owned(self, event: BaseEvent, kind: str, field: str, does: str) -> BaseEvent:
        """Return an event without the name of a subagent that did not begin what it is about."""
        given: Any = event
        names = [("reasoning" if kind == "span" else kind, cast("str", getattr(given, field)))]
        if kind in {"step", "subagent"}:
            return event
        if isinstance(event, ToolCallStartEvent) and event.parent_message_id is not None:
            names.append(("text", event.parent_message_id))
        owner = cast("str | None", given.subagent_run_id)
        if owner is not None and any(self._owners.get(name, owner) != owner for name in names):
            event, owner = event.model_copy(update={"subagent_run_id": None}), None
        if does == "begins":
            self._owners.setdefault(names[0], owner)
        return event

    def _fits(self, event: BaseEvent, kind: str, field: str, does: str) -> bool:
        """Say whether an event fits what is open, and remember what it opens or ends."""
        given: Any = event
        name, owner = cast("str", getattr(given, field)), cast("str | None", given.subagent_run_id)
        key = (kind, name, owner if kind == "step" else None)
        if does == "begins":
            if key in self._open or (kind == "subagent" and name in self._ended_subagents):
                return False
            self._open[key] = _Open(kind, name, owner)
            return True
        if key not in self._open:
            return False
        if does == "ends":
            del self._open[key]
            if kind == "subagent":
                self._ended_subagents.add(name)
        return True

    def _ended(self, one: _Open) -> BaseEvent:
        del self._open[one.kind, one.name, one.owner if one.kind == "step" else None]
        event = _ENDS[one.kind](one)
        return self._owned(event, *_STEPS[event.type])

    # -- pieces ----------------------------------------------------------------------------------

    def _end_pieces(self, event: BaseEvent) -> Iterator[BaseEvent]:
        """End what is written by pieces where another event ends it."""
        if event.type in _BESIDE or not self._pieces:
            return
        everything = event.type == EventType.MESSAGES_SNAPSHOT
        owners = list(self._pieces) if everything else [cast("Any", event).subagent_run_id]
        for owner in owners:
            one = self._pieces.pop(owner, None)
            if one is not None:
                yield self._ended(one)

    def _piece(
        self, event: TextMessageChunkEvent | ToolCallChunkEvent | ReasoningMessageChunkEvent
    ) -> Iterator[BaseEvent]:
        kind, name = _of_piece(event)
        owner = event.subagent_run_id
        opened = self._pieces.get(owner)
        if opened is None or opened.kind != kind or (name is not None and name != opened.name):
            begins = None if name is None else _begun(event, name)
            if name is None or begins is None or (kind, name, None) in self._open:
                return
            if opened is not None:
                del self._pieces[owner]
                yield self._ended(opened)
            begins = self._owned(begins, *_STEPS[begins.type])
            opened = _Open(kind, name, cast("Any", begins).subagent_run_id)
            self._open[kind, name, None] = self._pieces[owner] = opened
            yield begins
        if event.delta is not None or event.raw_event is not None:
            goes_on = _goes_on(event, opened.name)
            yield self._owned(goes_on, *_STEPS[goes_on.type])


def _of_piece(
    event: TextMessageChunkEvent | ToolCallChunkEvent | ReasoningMessageChunkEvent,
) -> tuple[str, str | None]:
    if isinstance(event, TextMessageChunkEvent):
        return "text", event.message_id
    if isinstance(event, ToolCallChunkEvent):
        return "call", event.tool_call_id
    return "reasoning", event.message_id


def _begun(
    event: TextMessageChunkEvent | ToolCallChunkEvent | ReasoningMessageChunkEvent, name: str
) -> BaseEvent | None:
    """Return the beginning of what a first piece is of; None where it does not say what that is."""
    beside: dict[str, Any] = {"metadata": event.metadata, "subagent_run_id": event.subagent_run_id}
    if isinstance(event, TextMessageChunkEvent):
        return TextMessageStartEvent(
            message_id=name, role=event.role or "assistant", name=event.name, **beside
        )
    if isinstance(event, ReasoningMessageChunkEvent):
        return ReasoningMessageStartEvent(message_id=name, role="reasoning", **beside)
    if event.tool_call_name is None:
        return None
    return ToolCallStartEvent(
        tool_call_id=name,
        tool_call_name=event.tool_call_name,
        parent_message_id=event.parent_message_id,
        **beside,
    )


def _goes_on(
    event: TextMessageChunkEvent | ToolCallChunkEvent | ReasoningMessageChunkEvent, name: str
) -> BaseEvent:
    beside: dict[str, Any] = {
        "metadata": event.metadata,
        "subagent_run_id": event.subagent_run_id,
        "raw_event": event.raw_event,
        "timestamp": event.timestamp,
        "delta": event.delta or "",
    }
    if isinstance(event, TextMessageChunkEvent):
        return TextMessageContentEvent(message_id=name, **beside)
    if isinstance(event, ReasoningMessageChunkEvent):
        return ReasoningMessageContentEvent(message_id=name, **beside)
    return ToolCallArgsEvent(tool_call_id=name, **beside)
