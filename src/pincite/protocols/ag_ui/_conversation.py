"""The messages of a conversation, as the events of AG-UI build them. What does not fit is a remark.

The rules are those that the official client keeps: a message that is started again goes on, what a tool returned stands
behind the message that called it, and a snapshot of the messages takes their place.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, cast

from pincite.core.surrogates import whole
from pincite.protocols._alike import alike_until
from pincite.protocols.ag_ui._taking import Taken, remark

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pincite.core.limits import Limits
    from pincite.protocols.ag_ui._taking import Remark

ASSISTANT: Final = "assistant"
# The lists of a value of `pincite.citations` whose entries have places in the text, beside the citations.
_PLACED: Final = ("misses", "uncited")


@dataclass(slots=True)
class Call:
    """A call of a tool, while its arguments come in."""

    name: str
    pieces: list[str] = field(default_factory=list[str])


@dataclass(slots=True)
class KeptMessage:
    """A message as far as it is known, and what was told of its citations."""

    message_id: str
    role: str
    is_ended: bool = False
    name: str | None = None
    calls: dict[str, Call] = field(default_factory=dict[str, Call])
    tool_call_id: str | None = None
    provisional: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    taken: Taken | None = None
    # The value that `taken` is from, or that was looked at last and was none; and whether it is of the state: an event
    # counts for more.
    told: object = None
    is_of_state: bool = False
    highlights: tuple[dict[str, Any], ...] | None = None
    pieces: list[str] = field(default_factory=list[str])

    @property
    def text(self) -> str:
        """The text so far; halves of characters that came apart are together again."""
        if len(self.pieces) > 1:
            self.pieces = ["".join(self.pieces)]
        return whole(self.pieces[0]) if self.pieces else ""

    @text.setter
    def text(self, text: str) -> None:
        self.pieces = [text] if text else []


class Conversation:
    """Builds messages of events; `take` returns which message an event was about."""

    __slots__ = (
        "_by_chunks", "_call_by_chunks", "_callers", "_handlers", "_last", "_limits", "_room", "messages", "remarks",
    )  # fmt: skip

    def __init__(self, limits: Limits) -> None:
        self.messages: dict[str, KeptMessage] = {}
        self.remarks: list[Remark] = []
        self._limits = limits
        self._room = limits.agui_text_code_points
        # The message, and the call, that are written without a beginning and an end.
        self._by_chunks: str | None = None
        self._call_by_chunks: str | None = None
        # By the id of a call: the message that made it. And the last message that is nothing a tool returned.
        self._callers: dict[str, KeptMessage] = {}
        self._last: KeptMessage | None = None
        self._handlers: dict[str, Callable[[Mapping[str, Any]], str | None]] = {
            "TEXT_MESSAGE_START": self._start,
            "TEXT_MESSAGE_CONTENT": self._content,
            "TEXT_MESSAGE_END": self._end,
            "TEXT_MESSAGE_CHUNK": self._chunk,
            "REASONING_MESSAGE_START": self._start,
            "REASONING_MESSAGE_CONTENT": self._content,
            "REASONING_MESSAGE_END": self._end,
            "REASONING_MESSAGE_CHUNK": self._chunk,
            "TOOL_CALL_START": self._call,
            "TOOL_CALL_ARGS": self._arguments,
            "TOOL_CALL_CHUNK": self._call_chunk,
            "TOOL_CALL_RESULT": self._result,
            "ACTIVITY_SNAPSHOT": self._activity,
            "MESSAGES_SNAPSHOT": self._snapshot,
        }

    def take(self, kind: str, event: Mapping[str, Any]) -> str | None:
        """Take in an event of a type; return the id of the message that it was about, None where that is none."""
        if kind in _CLOSING:
            self.end_chunks()
        handler = self._handlers.get(kind)
        return None if handler is None else handler(event)

    def rewrite(self, message: KeptMessage, text: str) -> None:
        """Put another text in the place of a message's."""
        self._room += sum(map(len, message.pieces))
        message.text = ""
        self._write(message.pieces, text)

    def end_chunks(self) -> None:
        """End the message that is written without an end of its own."""
        if self._by_chunks is not None:
            self._ended(self._by_chunks)
        self._by_chunks = self._call_by_chunks = None

    # -- text ------------------------------------------------------------------------------------

    def _start(self, event: Mapping[str, Any]) -> str | None:
        message_id = self._id(event, "messageId")
        if message_id is None:
            return None
        role = "reasoning" if event.get("type", "").startswith("REASONING") else event.get("role", ASSISTANT)
        known = self.messages.get(message_id)
        if known is None:
            name = event.get("name")
            self._keep(
                KeptMessage(
                    message_id,
                    role if isinstance(role, str) else ASSISTANT,
                    name=name if isinstance(name, str) else None,
                )
            )
        elif known.role == "activity":
            self._say("id_taken", "A message has the id of an activity, and is left out.")
            return None
        else:
            # It goes on: what was said of it before is of another text.
            known.is_ended = False
        return message_id

    def _content(self, event: Mapping[str, Any]) -> str | None:
        message = self._known(event)
        delta = event.get("delta")
        if message is None:
            return None
        if message.is_ended:
            self._say("after_the_end", "Text comes after the end of its message, and is left out.")
        elif not isinstance(delta, str):
            self._say("bad_event", "An event of text has no text.")
        else:
            self._write(message.pieces, delta)
            return message.message_id
        return None

    def _end(self, event: Mapping[str, Any]) -> str | None:
        message = self._known(event)
        if message is None:
            return None
        self._ended(message.message_id)
        return message.message_id

    def _ended(self, message_id: str) -> None:
        message = self.messages.get(message_id)
        if message is not None:
            message.is_ended = True

    def _chunk(self, event: Mapping[str, Any]) -> str | None:
        given = event.get("messageId")
        message_id = given if isinstance(given, str) else self._by_chunks
        if message_id is None:
            self._say("bad_event", "A piece of a message names none, and none is open.")
            return None
        if message_id != self._by_chunks:
            self.end_chunks()
            if self._start({**event, "messageId": message_id}) is None:
                return None
            self._by_chunks = message_id
        message = self.messages.get(message_id)
        delta = event.get("delta")
        if message is not None and isinstance(delta, str):
            self._write(message.pieces, delta)
        return message_id

    def _write(self, pieces: list[str], text: str) -> None:
        if len(text) > self._room:
            self._say("too_much_text", "There is more text than is kept; the rest is left out.")
            text = text[: self._room]
        if text:
            self._room -= len(text)
            pieces.append(text)

    # -- tools -----------------------------------------------------------------------------------

    def _call(self, event: Mapping[str, Any]) -> str | None:
        call_id, name = self._id(event, "toolCallId"), event.get("toolCallName")
        if call_id is None:
            return None
        if not isinstance(name, str):
            self._say("bad_event", "A call of a tool names none.")
            return None
        owner = self._callers.get(call_id)
        if owner is not None:
            owner.calls[call_id].name = name
            return owner.message_id
        parent = event.get("parentMessageId")
        message = self.messages.get(parent) if isinstance(parent, str) else None
        if message is None or message.role != ASSISTANT:
            new_id = parent if isinstance(parent, str) and message is None else call_id
            if new_id in self.messages:
                self._say("id_taken", "A call of a tool has the id of a message, and is left out.")
                return None
            message = KeptMessage(new_id, ASSISTANT, is_ended=True)
            self._keep(message)
        message.calls[call_id] = Call(name)
        self._callers[call_id] = message
        return message.message_id

    def _arguments(self, event: Mapping[str, Any]) -> str | None:
        call_id = self._id(event, "toolCallId")
        owner = None if call_id is None else self._callers.get(call_id)
        delta = event.get("delta")
        if call_id is None or owner is None or not isinstance(delta, str):
            self._say("bad_event", "Arguments are of no call of a tool, or are none.")
            return None
        self._write(owner.calls[call_id].pieces, delta)
        return owner.message_id

    def _call_chunk(self, event: Mapping[str, Any]) -> str | None:
        given = event.get("toolCallId")
        call_id = given if isinstance(given, str) else self._call_by_chunks
        if call_id is None:
            self._say("bad_event", "A piece of a call names none, and none is open.")
            return None
        if call_id != self._call_by_chunks:
            self.end_chunks()
            if self._call({**event, "toolCallId": call_id}) is None:
                return None
            self._call_by_chunks = call_id
        return self._arguments({**event, "toolCallId": call_id}) if "delta" in event else None

    def _result(self, event: Mapping[str, Any]) -> str | None:
        message_id, call_id = self._id(event, "messageId"), self._id(event, "toolCallId")
        if message_id is None or call_id is None:
            return None
        if message_id in self.messages:
            self._say("id_taken", "What a tool returned has the id of a message, and is left out.")
            return None
        message = KeptMessage(message_id, "tool", is_ended=True, tool_call_id=call_id)
        self._write(message.pieces, text_of(event.get("content")))
        owner = self._callers.get(call_id)
        if owner is None or owner is self._last:
            self._keep(message)
            return message_id
        # It stands behind the message that called, and behind what the other calls of it returned.
        order = list(self.messages.values())
        at = order.index(owner) + 1
        while at < len(order) and order[at].role == "tool":
            at += 1
        order.insert(at, message)
        self.messages = {one.message_id: one for one in order}
        self._forget()
        return message_id

    # -- whole messages --------------------------------------------------------------------------

    def _activity(self, event: Mapping[str, Any]) -> str | None:
        message_id = self._id(event, "messageId")
        if message_id is None:
            return None
        known = self.messages.get(message_id)
        if known is None or (known.role != "activity" and event.get("replace", True)):
            message = KeptMessage(message_id, "activity", is_ended=True)
            if known is None:
                self._keep(message)
            else:
                self._leave(known)
                self.messages[message_id] = message
                if known is self._last:
                    self._last = message
        return message_id

    def _snapshot(self, event: Mapping[str, Any]) -> str | None:
        given = event.get("messages")
        if not isinstance(given, list):
            self._say("bad_event", "A snapshot of the messages holds none.")
            return None
        self.replace(cast("list[object]", given))
        return None

    def replace(self, given: Iterable[object]) -> None:
        """Put messages in the place of those that are here; what those cite that stay is kept.

        Activities and reasoning that no snapshot tells of stay as well.
        """
        self._room = self._limits.agui_text_code_points
        new = {one.message_id: one for one in self._read(given)}
        roles = {one.role for one in new.values()}
        kept: list[KeptMessage] = []
        for old in self.messages.values():
            message = new.pop(old.message_id, None)
            if message is None:
                if old.role in {"activity", "reasoning"} and old.role not in roles:
                    kept.append(old)
                continue
            if message.role == old.role:
                message.is_ended = old.is_ended
                if not _cite_alike(message, old):
                    self._say(
                        "other_text", "What a message cites was of another text, and is left out with it."
                    )
            kept.append(message)
        self._set([*kept, *new.values()])

    def add(self, given: Iterable[object]) -> None:
        """Add messages that are not here: those that a run begins with."""
        for message in self._read(given):
            if message.message_id not in self.messages:
                self._keep(message)

    def _read(self, given: Iterable[object]) -> Iterable[KeptMessage]:
        for one in given:
            named = cast("dict[str, Any]", one) if isinstance(one, dict) else {}
            message_id, role = named.get("id"), named.get("role")
            if not isinstance(message_id, str) or not isinstance(role, str):
                self._say("bad_message", "A message without an id or a role is left out.")
                continue
            message = KeptMessage(message_id, role, is_ended=True)
            name, call_id = named.get("name"), named.get("toolCallId")
            message.name = name if isinstance(name, str) else None
            message.tool_call_id = call_id if isinstance(call_id, str) else None
            if role != "activity":
                self._write(message.pieces, text_of(named.get("content")))
            calls = named.get("toolCalls")
            for call in cast("list[Any]", calls) if isinstance(calls, list) else []:
                self._read_call(message, call)
            yield message

    def _read_call(self, message: KeptMessage, given: object) -> None:
        named = cast("dict[str, Any]", given) if isinstance(given, dict) else {}
        call_id, function = named.get("id"), named.get("function")
        inner = cast("dict[str, Any]", function) if isinstance(function, dict) else {}
        name, arguments = inner.get("name"), inner.get("arguments")
        if isinstance(call_id, str) and isinstance(name, str) and isinstance(arguments, str):
            message.calls[call_id] = Call(name)
            self._write(message.calls[call_id].pieces, arguments)
        else:
            self._say("bad_message", "A message holds a call of a tool that is none.")

    # -- what is kept ----------------------------------------------------------------------------

    def _keep(self, message: KeptMessage) -> None:
        self.messages[message.message_id] = message
        self._enter(message)
        self._forget()

    def _enter(self, message: KeptMessage) -> None:
        for call_id in message.calls:
            self._callers[call_id] = message
        if message.role != "tool":
            self._last = message

    def _set(self, order: list[KeptMessage]) -> None:
        self.messages = {one.message_id: one for one in order}
        self._room = self._limits.agui_text_code_points - sum(map(_length, order))
        self._callers.clear()
        self._last = None
        for one in order:
            self._enter(one)
        self._forget()

    def _leave(self, message: KeptMessage) -> None:
        """Forget what a message held that is kept no longer."""
        self._room += _length(message)
        for call_id in message.calls:
            if self._callers.get(call_id) is message:
                del self._callers[call_id]
        if message is self._last:
            self._last = None

    def _forget(self) -> None:
        while len(self.messages) > self._limits.agui_messages:
            self._leave(self.messages.pop(next(iter(self.messages))))
            self._say("too_many_messages", "There are more messages than are kept; the oldest is forgotten.")

    def _known(self, event: Mapping[str, Any]) -> KeptMessage | None:
        message_id = self._id(event, "messageId")
        message = None if message_id is None else self.messages.get(message_id)
        if message_id is not None and (message is None or message.role == "activity"):
            self._say("unknown_message", "Text is of a message that is not here, and left out.")
            return None
        return message

    def _id(self, event: Mapping[str, Any], name: str) -> str | None:
        found = event.get(name)
        if isinstance(found, str):
            return found
        self._say("bad_event", f"An event has no `{name}`.")
        return None

    def _say(self, code: str, message: str) -> None:
        self.remarks.append(remark(code, message))


# Events that end a message which is written by pieces, without an end of its own.
_CLOSING = frozenset(
    """
    TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END TOOL_CALL_START TOOL_CALL_ARGS TOOL_CALL_END
    TOOL_CALL_RESULT STATE_SNAPSHOT STATE_DELTA CUSTOM STEP_STARTED STEP_FINISHED REASONING_START
    REASONING_MESSAGE_START REASONING_MESSAGE_CONTENT REASONING_MESSAGE_END REASONING_END RUN_STARTED RUN_FINISHED
    RUN_ERROR MESSAGES_SNAPSHOT
    """.split()
)


def text_of(content: object) -> str:
    """Return the text of a message's content: itself, or that of its parts."""
    if isinstance(content, str):
        return content
    parts = cast("list[Any]", content) if isinstance(content, list) else []
    texts = (cast("dict[str, Any]", part).get("text") for part in parts if isinstance(part, dict))
    return "\n".join(text for text in texts if isinstance(text, str))


def _length(message: KeptMessage) -> int:
    calls = sum(len(piece) for call in message.calls.values() for piece in call.pieces)
    return sum(map(len, message.pieces)) + calls


def _cite_alike(message: KeptMessage, old: KeptMessage) -> bool:
    """Let a message cite what was told of it under its earlier text, as far as that still stands where it was told.

    A place holds when everything up to its end is as it was, so that its offsets are right in every unit. Return
    whether all of them do. Of a message none of whose citations holds, nobody has said what it cites.
    """
    text, before = message.text, old.text
    same = alike_until(text, before)
    message.told = old.told
    message.provisional = [one for one in old.provisional if _holds(one, same)]
    all_hold = len(message.provisional) == len(old.provisional)
    taken = old.taken
    if taken is None:
        return all_hold
    value: dict[str, Any] = dict(taken.value)
    cited: list[Any] = value["citations"]
    kept = [at for at, one in enumerate(cited) if _holds(one, same)]
    if len(kept) < len(cited):
        all_hold = False
        if not kept:
            return False
        value["citations"] = [cited[at] for at in kept]
        taken = Taken(value, tuple(taken.places[at] for at in kept))
    for name in _PLACED:
        entries: list[Any] = value[name]
        value[name] = [one for one in entries if _holds(one, same)]
        all_hold = all_hold and len(value[name]) == len(entries)
    message.taken, message.is_of_state = replace(taken, value=value), old.is_of_state
    if old.highlights is not None:
        places = {at: place for place, at in enumerate(kept)}
        lit = (one for one in old.highlights if one["citation"] in places)
        message.highlights = tuple({**one, "citation": places[one["citation"]]} for one in lit)
    return all_hold


def _holds(entry: dict[str, Any], same: int) -> bool:
    """Say whether an entry has its places, and those of its claim, in the first `same` code points."""
    spans = [entry, entry.get("claim") or {}]
    return all(span.get("end") is None or span["end"] <= same for span in spans)
