"""The messages as the client of a stream has them, to be told as a whole where something of them is replaced."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from ag_ui.core import (
    AssistantMessage,
    BaseEvent,
    DeveloperMessage,
    FunctionCall,
    Message,
    MessagesSnapshotEvent,
    SystemMessage,
    TextMessageContentEvent,
    TextMessageStartEvent,
    ToolCall,
    ToolCallArgsEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
    ToolMessage,
    UserMessage,
)

from pincite.protocols.ag_ui._whole import whole_message

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_OTHERS: Any = {"user": UserMessage, "system": SystemMessage, "developer": DeveloperMessage}


@dataclass(slots=True)
class _Said:
    """A message of this stream, what it called, and what that returned."""

    message_id: str
    role: str = "assistant"
    name: str | None = None
    pieces: list[str] = field(default_factory=list[str])
    calls: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    results: list[ToolMessage] = field(default_factory=list[ToolMessage])

    @property
    def text(self) -> str:
        self.pieces = ["".join(self.pieces)]
        return self.pieces[0]

    def messages(self, *, text: str) -> Iterator[Message]:
        if self.role != "assistant":
            yield _OTHERS[self.role](id=self.message_id, role=self.role, content=text, name=self.name)
            return
        calls = [
            ToolCall(id=call, type="function", function=FunctionCall(name=name, arguments="".join(arguments)))
            for call, (name, *arguments) in self.calls.items()
        ]
        if text or calls:
            yield AssistantMessage(
                id=self.message_id,
                role="assistant",
                name=self.name,
                content=text or None,
                tool_calls=calls or None,
            )
        yield from self.results


class Transcript:
    """Follows what a client is sent. `history` are the messages that it had before, None where nobody knows them."""

    __slots__ = ("_by_id", "_callers", "_history", "_is_told", "_left", "_said", "_withdrawn")

    def __init__(self, history: Iterable[Message] | None) -> None:
        self._history: list[Message] | None = None
        self._by_id: dict[str, Message] = {}
        if history is not None:
            self._begin_with(map(whole_message, history))
        self._said: dict[str, _Said] = {}
        # By the id of a call: the message that made it.
        self._callers: dict[str, _Said] = {}
        # The texts of messages of the assistant's that a snapshot left out: one that comes back has its text again.
        self._left: dict[str, str] = {}
        self._withdrawn: set[str] = set()
        self._is_told = True

    @property
    def is_known(self) -> bool:
        """Whether all messages are known, so that they can be told as a whole."""
        return self._history is not None

    @property
    def was_withdrawn(self) -> bool:
        """Whether the client has a draft that no longer stands."""
        return not self._is_told

    def begins(self, messages: Iterable[Message] | None) -> None:
        """Take in that a run begins, and the messages that it was given, where the stream tells them."""
        if self._history is None and messages is not None:
            self._begin_with(messages)

    def _begin_with(self, messages: Iterable[Message]) -> None:
        self._history = list(messages)
        self._by_id = {one.id: one for one in self._history}

    def take(self, event: BaseEvent) -> None:
        """Take in an event that the client is sent."""
        if isinstance(event, TextMessageStartEvent):
            role = event.role or "assistant"
            said = self._said.setdefault(event.message_id, _Said(event.message_id, role, event.name))
            before = self._of_history(event.message_id)
            if before and not said.pieces:
                said.pieces = [before]
        elif isinstance(event, TextMessageContentEvent):
            said = self._said.get(event.message_id)
            if said is not None:
                said.pieces.append(event.delta)
        elif isinstance(event, ToolCallStartEvent):
            parent = event.parent_message_id or event.tool_call_id
            said = self._callers[event.tool_call_id] = self._turn(parent)
            said.calls[event.tool_call_id] = [event.tool_call_name]
        elif isinstance(event, ToolCallArgsEvent):
            said = self._callers.get(event.tool_call_id)
            if said is not None:
                said.calls[event.tool_call_id].append(event.delta)
        elif isinstance(event, ToolCallResultEvent):
            said = self._callers.get(event.tool_call_id) or self._turn(event.message_id)
            said.results.append(
                ToolMessage(
                    id=event.message_id, role="tool", content=event.content, tool_call_id=event.tool_call_id
                )
            )
        elif isinstance(event, MessagesSnapshotEvent):
            self._replace(event.messages)

    def _replace(self, messages: Iterable[Message]) -> None:
        """Take in that the client has these messages, and no others any more."""
        self._begin_with(messages)
        kept: dict[str, _Said] = {}
        for message_id, said in self._said.items():
            there = self._by_id.get(message_id)
            if there is not None and there.role == said.role:
                kept[message_id] = said
            elif said.role == "assistant" and said.pieces:
                self._left[message_id] = said.text
        self._said = kept
        self._callers = {call: said for said in kept.values() for call in said.calls}

    def _turn(self, message_id: str) -> _Said:
        return self._said.setdefault(message_id, _Said(message_id))

    def _of_history(self, message_id: str) -> str | None:
        one = self._by_id.get(message_id)
        return one.content if isinstance(one, AssistantMessage) and isinstance(one.content, str) else None

    def shown(self, message_id: str) -> str | None:
        """Return the text of an assistant's message of this stream, None where there is none."""
        said = self._said.get(message_id)
        if said is not None and (said.role != "assistant" or said.pieces):
            return said.text if said.role == "assistant" else None
        return self._left.get(message_id)

    def text_of(self, message_id: str) -> str | None:
        """Return the text that the client has of an assistant's message, None where it has no such message."""
        said = self._said.get(message_id)
        if said is not None and said.role != "assistant":
            return None
        if said is not None and said.pieces:
            return said.text
        there = self._of_history(message_id)
        return "" if there is None and said is not None else there

    def kept(self, message: AssistantMessage) -> str | None:
        """Return the text that the client had of a message before this stream, None where the message says otherwise.

        It may say it as it was written, with markers, if that is known.
        """
        there = self._by_id.get(message.id)
        if not isinstance(there, AssistantMessage) or not isinstance(there.content, str):
            return None
        told = (there.metadata or {}).get("pincite")
        raw = cast("dict[str, Any]", told).get("raw") if isinstance(told, dict) else None
        return (
            there.content
            if message.content in {there.content, raw if isinstance(raw, str) else None}
            else None
        )

    def before(self, message_id: str) -> str:
        """Return the text that an assistant's message has already."""
        return self.text_of(message_id) or ""

    def forget(self, message_id: str) -> None:
        """Take in that a message which had been left out begins anew."""
        self._left.pop(message_id, None)

    def rewrite(self, message_id: str, text: str) -> None:
        """Take in that a message of the assistant's reads otherwise."""
        self._turn(message_id).pieces = [text]

    def withdraw(self, message_id: str) -> None:
        """Take in that the text of a message no longer stands."""
        self._withdrawn.add(message_id)
        self._is_told = False

    def restore(self, message_id: str, text: str) -> None:
        """Take in that it stands after all, with its text, also where a snapshot had left it out."""
        self._withdrawn.discard(message_id)
        if self.text_of(message_id) is None:
            self.rewrite(message_id, text)

    def told(self) -> list[Message]:
        """Return every message as it stands, to be told."""
        self._is_told = True
        return list(self.messages())

    def messages(self) -> Iterator[Message]:
        """Yield every message as it stands: drafts are gone, and what was replaced is."""
        told: set[str] = set()
        for one in self._history or ():
            told.add(one.id)
            said = self._said.get(one.id)
            if not isinstance(one, AssistantMessage) or said is None:
                yield one
            elif one.id not in self._withdrawn:
                yield one.model_copy(update={"content": said.text or one.content})
            elif one.tool_calls:
                yield one.model_copy(update={"content": None})
        for message_id, said in self._said.items():
            text = "" if message_id in self._withdrawn else said.text
            for one in said.messages(text=text):
                if one.id not in told:
                    told.add(one.id)
                    yield one
