"""A client of AG-UI: reads any stream of it, and keeps what a reader is shown of messages and their citations.

Nothing that comes in raises. What is malformed is left out by itself, what is not known is passed over, and a remark
says so. Whatever is kept is bounded (`agui_*` in `core.limits`).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from pincite.core.limits import DEFAULT, Limits
from pincite.core.surrogates import whole, whole_json
from pincite.core.text import one_line
from pincite.protocols.ag_ui._conversation import ASSISTANT, Conversation
from pincite.protocols.ag_ui._patch import PatchError, patched, size_of
from pincite.protocols.ag_ui._taking import (
    Remark,
    message_of,
    remark,
    taken_citation,
    taken_citations,
    taken_highlights,
)
from pincite.protocols.ag_ui.sse import SseReader
from pincite.protocols.citations_event import CITATION, CITATIONS, HIGHLIGHT, STATE_KEY

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence

    from pincite.protocols.ag_ui._conversation import KeptMessage

_SENTENCE: Final = 500
# Half of a character as JSON may write it, or as a string of Python may hold it.
_HALF: Final = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")


class RunState(StrEnum):
    """Where the run is: `interrupted` waits for an answer, `broken` is one whose stream ended before it did."""

    IDLE = "idle"
    RUNNING = "running"
    FINISHED = "finished"
    INTERRUPTED = "interrupted"
    CANCELLED = "cancelled"
    FAILED = "failed"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class RunStatus:
    """The run that was told of last. `message` is the sentence of one that failed."""

    state: RunState = RunState.IDLE
    run_id: str | None = None
    thread_id: str | None = None
    message: str = ""
    code: str | None = None


@dataclass(frozen=True, slots=True)
class ShownCall:
    """A call of a tool, with its arguments as they were written."""

    call_id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """A message as a reader is shown it.

    `citations` is the value of `pincite.citations`, None where nobody has said what the message cites; until then
    `provisional` are those of `pincite.citation`. `highlights` are the entries of `pincite.highlight`, whose `citation`
    counts `citations["citations"]`; None where none were told. Offsets are of `text`, of which everything is text.
    """

    message_id: str
    role: str
    text: str
    is_ended: bool
    name: str | None = None
    tool_calls: tuple[ShownCall, ...] = ()
    tool_call_id: str | None = None
    provisional: tuple[dict[str, Any], ...] = ()
    citations: dict[str, Any] | None = None
    highlights: tuple[dict[str, Any], ...] | None = None


@dataclass(frozen=True, slots=True)
class Update:
    """That an event of a type was taken in, and which message it was about, where it was about one."""

    type: str
    message_id: str | None = None


class Follower(Protocol):
    """Whoever follows the same stream for events of its own, as `MocaClient` does for `moca.citations`."""

    def feed(self, event: object) -> object:
        """Take in an event, as parsed JSON."""
        ...

    def message(self, message_id: str, text: str, *, is_assistant: bool = True) -> object:
        """Take in that a message reads otherwise than its events told."""
        ...


class AGUIClient:
    """Reads streams of AG-UI, one after the other, and keeps the conversation: `for update in client.follow(chunks)`.

    `messages` and `state` are what the client has already, as AG-UI has them. `followers` are given each event too.
    """

    __slots__ = (
        "_conversation", "_count", "_custom_handlers", "_followers", "_handlers", "_is_over", "_limits",
        "_reader", "_remarks", "_run", "_state",
    )  # fmt: skip

    def __init__(
        self,
        *,
        messages: Iterable[Mapping[str, Any]] = (),
        state: object = None,
        followers: Sequence[Follower] = (),
        limits: Limits = DEFAULT,
    ) -> None:
        self._limits = limits
        self._followers = tuple(followers)
        self._handlers: dict[str, Callable[[dict[str, Any]], str | None]] = {
            "RUN_STARTED": self._started,
            "RUN_FINISHED": self._finished,
            "RUN_ERROR": self._failed,
            "STATE_SNAPSHOT": self._state_snapshot,
            "STATE_DELTA": self._state_delta,
            "CUSTOM": self._custom,
        }
        self._custom_handlers: dict[str, Callable[[KeptMessage, dict[str, Any]], str | None]] = {
            CITATIONS: self._final,
            CITATION: self._provisional,
            HIGHLIGHT: self._highlight,
        }
        self._remarks: list[Remark] = []
        self._count = 0
        self._conversation = Conversation(limits)
        self._conversation.replace(dict(one) for one in messages)
        self._state: Any = state
        self._run = RunStatus()
        self._is_over = False
        self._reader = SseReader(limits=limits)
        for one in self._conversation.messages.values():
            self._tell(one)
        self._restore()
        self._settle()

    # -- what came of it -------------------------------------------------------------------------

    @property
    def run(self) -> RunStatus:
        """Where the run is."""
        return self._run

    @property
    def state(self) -> Any:  # noqa: ANN401 - any JSON value
        """The shared state, as the events made it; it is not to be changed."""
        return self._state

    @property
    def messages(self) -> tuple[ShownMessage, ...]:
        """The messages in order."""
        return tuple(map(_shown, self._conversation.messages.values()))

    def message(self, message_id: str) -> ShownMessage | None:
        """Return one message, None where there is none of that id."""
        found = self._conversation.messages.get(message_id)
        return None if found is None else _shown(found)

    @property
    def diagnostics(self) -> tuple[Remark, ...]:
        """What was left out or ignored, in order; `diagnostic_count` tells of how much, beyond what is kept."""
        return tuple(self._remarks)

    @property
    def diagnostic_count(self) -> int:
        """How many remarks there were."""
        return self._count

    # -- reading ---------------------------------------------------------------------------------

    def follow(self, chunks: Iterable[bytes | str]) -> Iterator[Update]:
        """Read one stream of server-sent events to its end; yield after each event what it was about.

        A stream that breaks ends, and the run's state is `broken`.
        """
        pieces = iter(chunks)
        while True:
            try:
                piece = next(pieces)
            except StopIteration:
                break
            except Exception as error:  # noqa: BLE001 - whatever a transport raises, its reader sees that the run broke
                self._broke(error)
                break
            yield from self.feed(piece)
        yield from self.finish()

    async def follow_async(self, chunks: AsyncIterable[bytes | str]) -> AsyncIterator[Update]:
        """Do what `follow` does with chunks that come asynchronously."""
        pieces = aiter(chunks)
        while True:
            try:
                piece = await anext(pieces)
            except StopAsyncIteration:
                break
            except Exception as error:  # noqa: BLE001 - as in `follow`
                self._broke(error)
                break
            for update in self.feed(piece):
                yield update
        for update in self.finish():
            yield update

    def feed(self, piece: bytes | str) -> list[Update]:
        """Take in the next piece of a stream, cut anywhere; return what its events were about.

        Raises:
            InputError: `piece` is neither bytes nor a string.
        """
        return self._frames(self._reader.feed(piece))

    def finish(self) -> list[Update]:
        """Say that the stream has ended; another may follow. A run that has not ended is `broken`."""
        updates = self._frames(self._reader.finish())
        self._reader = SseReader(limits=self._limits)
        self._conversation.end_chunks()
        if self._run.state is RunState.RUNNING:
            self._run = RunStatus(RunState.BROKEN, self._run.run_id, self._run.thread_id)
            self._is_over = True
        self._settle()
        return updates

    def _frames(self, frames: Iterator[str | None]) -> list[Update]:
        taken = (self._frame(data) for data in frames)
        return [update for update in taken if update is not None]

    def _frame(self, data: str | None) -> Update | None:
        if data is None:
            self._say("too_large", "An event is larger than a client takes, and left out.")
            return None
        try:
            event = json.loads(data, parse_constant=_no_number, parse_float=_finite)
        except (ValueError, RecursionError):
            self._say("malformed", "An event is no JSON, and left out.")
            return None
        return self.take(event, is_whole=_HALF.search(data) is None)

    def take(self, event: object, *, is_whole: bool = True) -> Update | None:
        """Take in one event, as parsed JSON; return what it was about, None where it was left out or is not known.

        `is_whole` says that no string in it holds half of a character.
        """
        if not isinstance(event, dict) or not isinstance(cast("dict[str, Any]", event).get("type"), str):
            self._say("no_event", "What came is no event, and left out.")
            return None
        if size_of(cast("object", event), depth=self._limits.agui_depth + 1, most=1 << 40) is None:
            self._say("too_deep", "An event is nested too deeply, and left out.")
            return None
        given = cast("dict[str, Any]", event) if is_whole else _mended(cast("dict[str, Any]", event))
        kind: str = given["type"]
        handler = self._handlers.get(kind)
        message_id = self._conversation.take(kind, given)
        for follower in self._followers:
            follower.feed(given)
        if handler is not None:
            message_id = handler(given)
        if kind in {"MESSAGES_SNAPSHOT", "RUN_STARTED"}:
            self._restore()
        self._settle()
        return Update(kind, message_id) if kind in _KNOWN else None

    # -- the run ---------------------------------------------------------------------------------

    def _started(self, event: dict[str, Any]) -> str | None:
        self._is_over = False
        self._run = RunStatus(RunState.RUNNING, _string(event.get("runId")), _string(event.get("threadId")))
        given = event.get("input")
        messages = cast("dict[str, Any]", given).get("messages") if isinstance(given, dict) else None
        if isinstance(messages, list):
            self._conversation.add(cast("list[object]", messages))
        return None

    def _finished(self, event: dict[str, Any]) -> str | None:
        given = event.get("outcome")
        kind = cast("dict[str, Any]", given).get("type") if isinstance(given, dict) else None
        state = {"interrupt": RunState.INTERRUPTED, "cancelled": RunState.CANCELLED}.get(
            kind if isinstance(kind, str) else "", RunState.FINISHED
        )
        self._run = RunStatus(state, self._run.run_id, self._run.thread_id)
        self._is_over = True
        return None

    def _failed(self, event: dict[str, Any]) -> str | None:
        message = one_line(_string(event.get("message")) or "The run failed.", _SENTENCE)
        self._run = RunStatus(
            RunState.FAILED, self._run.run_id, self._run.thread_id, message, _string(event.get("code"))
        )
        self._is_over = True
        return None

    def _broke(self, error: Exception) -> None:
        # What a foreign error says may hold an address.
        self._say("stream_broken", f"The stream broke: {type(error).__name__}.")

    # -- the state -------------------------------------------------------------------------------

    def _state_snapshot(self, event: dict[str, Any]) -> str | None:
        snapshot = event.get("snapshot")
        if size_of(snapshot, depth=self._limits.agui_depth, most=self._limits.agui_state_bytes) is None:
            self._say("state_too_large", "The state is larger, or nested deeper, than is kept.")
            return None
        self._state = snapshot
        self._restore()
        return None

    def _state_delta(self, event: dict[str, Any]) -> str | None:
        try:
            self._state = patched(self._state, event.get("delta"), self._limits)
        except PatchError as error:
            self._say("no_change", str(error))
            return None
        self._restore()
        return None

    def _restore(self) -> None:
        """Take what the state keeps of citations, for messages of which no event has told."""
        kept = _inner(_inner(self._state, STATE_KEY), "citations")
        for message in self._conversation.messages.values():
            value = kept.get(message.message_id)
            if value is None or message.role != ASSISTANT or not message.is_ended:
                continue
            is_free = message.taken is None or message.is_of_state
            # What was looked at is not looked at again, and what was left out with its text does not come back.
            if not is_free or value is message.told or value == message.told:
                continue
            if message_of(value, []) == message.message_id:
                message.is_of_state = True
                self._cites(message, value)
            else:
                message.told = value

    # -- citations -------------------------------------------------------------------------------

    def _custom(self, event: dict[str, Any]) -> str | None:
        name = event.get("name")
        handler = self._custom_handlers.get(name) if isinstance(name, str) else None
        if handler is None:
            return None
        if self._is_over:
            self._say(
                "after_the_run", "An event about citations comes after its run has ended, and is ignored."
            )
            return None
        remarks: list[Remark] = []
        value = event.get("value")
        message_id = message_of(value, remarks)
        message = None if message_id is None else self._conversation.messages.get(message_id)
        self._say_all(remarks)
        if message_id is None:
            return None
        if message is None or message.role != ASSISTANT:
            self._say("unknown_message", "An event about citations is of no message of the assistant's here.")
            return None
        return handler(message, cast("dict[str, Any]", value))

    def _final(self, message: KeptMessage, value: dict[str, Any]) -> str | None:
        if not message.is_ended:
            self._say("not_ended", "A message that has not ended cannot have its citations yet.")
            return None
        if not isinstance(value.get("citations"), list):
            self._say("no_value", "An event about citations has no list of them, and is ignored.")
            return None
        message.is_of_state = False
        self._cites(message, value)
        return message.message_id

    def _cites(self, message: KeptMessage, value: dict[str, Any]) -> None:
        remarks: list[Remark] = []
        taken = taken_citations(value, message.text, remarks, self._limits)
        text = taken.value.pop("text", None)
        if text is not None:
            self._conversation.rewrite(message, text)
            self._tell(message)
        message.taken, message.provisional, message.highlights, message.told = taken, [], None, value
        self._say_all(remarks)

    def _provisional(self, message: KeptMessage, value: dict[str, Any]) -> str | None:
        if message.is_ended:
            self._say("after_the_end", "A provisional citation comes after the end of its message.")
            return None
        if len(message.provisional) >= self._limits.agui_citations or not taken_citation(value, message.text):
            self._say("bad_entry", "A provisional citation is none, or one too many, and left out.")
            return None
        message.provisional.append(value)
        return message.message_id

    def _highlight(self, message: KeptMessage, value: dict[str, Any]) -> str | None:
        if message.taken is None:
            self._say("no_citations", "Words are lit in citations that nobody has told of.")
            return None
        remarks: list[Remark] = []
        message.highlights = taken_highlights(value, message.taken.places, remarks, self._limits)
        self._say_all(remarks)
        return message.message_id

    # -- remarks ---------------------------------------------------------------------------------

    def _tell(self, message: KeptMessage) -> None:
        for follower in self._followers:
            follower.message(message.message_id, message.text, is_assistant=message.role == ASSISTANT)

    def _settle(self) -> None:
        self._say_all(self._conversation.remarks)
        self._conversation.remarks.clear()

    def _say(self, code: str, message: str) -> None:
        self._say_all([remark(code, message)])

    def _say_all(self, remarks: Iterable[Remark]) -> None:
        for one in remarks:
            self._count += 1
            if len(self._remarks) < self._limits.agui_diagnostics:
                self._remarks.append(one)


_KNOWN: Final = frozenset(
    """
    TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END TEXT_MESSAGE_CHUNK TOOL_CALL_START TOOL_CALL_ARGS
    TOOL_CALL_END TOOL_CALL_CHUNK TOOL_CALL_RESULT STATE_SNAPSHOT STATE_DELTA MESSAGES_SNAPSHOT ACTIVITY_SNAPSHOT
    ACTIVITY_DELTA RAW CUSTOM RUN_STARTED RUN_FINISHED RUN_ERROR STEP_STARTED STEP_FINISHED REASONING_START
    REASONING_MESSAGE_START REASONING_MESSAGE_CONTENT REASONING_MESSAGE_END REASONING_MESSAGE_CHUNK REASONING_END
    REASONING_ENCRYPTED_VALUE SUBAGENT_STARTED SUBAGENT_FINISHED SUBAGENT_ERROR
    """.split()
)


def _shown(message: KeptMessage) -> ShownMessage:
    calls = (ShownCall(call, one.name, whole("".join(one.pieces))) for call, one in message.calls.items())
    return ShownMessage(
        message_id=message.message_id,
        role=message.role,
        text=message.text,
        is_ended=message.is_ended,
        name=message.name,
        tool_calls=tuple(calls),
        tool_call_id=message.tool_call_id,
        provisional=tuple(message.provisional),
        citations=None if message.taken is None else message.taken.value,
        highlights=message.highlights,
    )


def _mended(event: dict[str, Any]) -> dict[str, Any]:
    """Return an event in whose strings no half of a character stands; in a `delta` one may wait for its other half."""
    return {
        name: item if name == "delta" and isinstance(item, str) else whole_json(item)
        for name, item in event.items()
    }


def _finite(written: str) -> float:
    # Python reads what is too large as an infinity, and nothing that holds one can be written as JSON again.
    number = float(written)
    if not isfinite(number):
        raise ValueError(written)
    return number


def _no_number(name: str) -> float:
    # JSON has neither NaN nor infinities; Python's reader would take them.
    raise ValueError(name)


def _string(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _inner(value: object, name: str) -> dict[str, Any]:
    found = cast("dict[str, Any]", value).get(name) if isinstance(value, dict) else None
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}
