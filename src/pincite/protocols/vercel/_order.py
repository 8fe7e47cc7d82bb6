"""The order of a UI message stream: what an agent sends is passed on as a sequence that the AI SDK takes.

The rules are those that its own reader holds a stream to, and that keep a message from being left half done: what goes
on or ends has begun, a result has a call with an input, a message begins once, and nothing follows its end. Halves of
characters are joined over the pieces of each text, and lone ones replaced, since neither could be sent.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, cast

from pydantic_ai.ui.vercel_ai.response_types import (
    AbortChunk,
    BaseChunk,
    DataChunk,
    DoneChunk,
    ErrorChunk,
    FinishChunk,
    FinishStepChunk,
    ReasoningDeltaChunk,
    ReasoningEndChunk,
    ReasoningStartChunk,
    StartChunk,
    StartStepChunk,
    TextDeltaChunk,
    TextEndChunk,
    TextStartChunk,
    ToolApprovalRequestChunk,
    ToolInputAvailableChunk,
    ToolInputDeltaChunk,
    ToolInputErrorChunk,
    ToolInputStartChunk,
    ToolOutputAvailableChunk,
    ToolOutputDeniedChunk,
    ToolOutputErrorChunk,
)
from pydantic_core import to_jsonable_python

from pincite.core.errors import InputError
from pincite.core.surrogates import Halves, whole_json
from pincite.core.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Redraft(DataChunk):
    """Said to this stream alone: what the model wrote last is a draft, and is written again."""

    type: str = "data-pincite-redraft"
    data: Any = None


@dataclass(frozen=True, slots=True)
class _Kind:
    """What is written by pieces: the chunks that begin it, go on with it, and end it."""

    start: type[TextStartChunk | ReasoningStartChunk]
    delta: type[TextDeltaChunk | ReasoningDeltaChunk]
    end: type[TextEndChunk | ReasoningEndChunk]


_TEXT: Final = _Kind(TextStartChunk, TextDeltaChunk, TextEndChunk)
_REASONING: Final = _Kind(ReasoningStartChunk, ReasoningDeltaChunk, ReasoningEndChunk)
_Piece = (
    TextStartChunk
    | TextDeltaChunk
    | TextEndChunk
    | ReasoningStartChunk
    | ReasoningDeltaChunk
    | ReasoningEndChunk
)
_Input = ToolInputStartChunk | ToolInputDeltaChunk | ToolInputAvailableChunk | ToolInputErrorChunk
_Result = ToolApprovalRequestChunk | ToolOutputAvailableChunk | ToolOutputDeniedChunk | ToolOutputErrorChunk
# Code points of a chunk's type in a sentence: a tool may have made it up.
_KIND: Final = 60
# What the AI SDK asks for although it may be nothing: a field that is None is not sent.
_NEEDED: Final[dict[type[BaseChunk], tuple[str, Any]]] = {
    ToolInputAvailableChunk: ("input", {}),
    ToolInputErrorChunk: ("input", {}),
    ToolOutputAvailableChunk: ("output", ""),
}
# What nothing that is written by pieces stays open over.
_Bounds = FinishStepChunk | FinishChunk | ErrorChunk | AbortChunk | DoneChunk | Redraft


@dataclass(slots=True)
class _Open:
    """Something that is being written by pieces."""

    kind: _Kind
    name: str
    halves: Halves = field(default_factory=Halves)


@dataclass(slots=True)
class _Writing:
    """The input of a call while it is written."""

    start: ToolInputStartChunk
    halves: Halves = field(default_factory=Halves)
    pieces: list[str] = field(default_factory=list[str])

    @property
    def whole(self) -> ToolInputAvailableChunk:
        """The call with its input as far as it goes: none where that is no JSON."""
        start = self.start
        try:
            given: Any = json.loads("".join(self.pieces))
        except (ValueError, RecursionError):
            given = {}
        return ToolInputAvailableChunk(
            tool_call_id=start.tool_call_id,
            tool_name=start.tool_name,
            input=given,
            provider_executed=start.provider_executed,
            provider_metadata=start.provider_metadata,
            dynamic=start.dynamic,
        )


class Order:
    """Passes chunks on in an order that holds: `take` yields what follows for each.

    `calls` are the ids of the tool calls that the message has already.
    """

    __slots__ = (
        "_calls", "_cut", "_has_begun", "_has_finished", "_inputs", "_is_done", "_open", "_step_is_open",
    )  # fmt: skip

    def __init__(self, calls: Iterable[str] = ()) -> None:
        self._calls = set(calls)
        # Calls of which the input is being written.
        self._inputs: dict[str, _Writing] = {}
        self._open: dict[tuple[_Kind, str], _Open] = {}
        # What was ended here although its agent has not ended it: it may go on, as another part.
        self._cut: set[tuple[_Kind, str]] = set()
        self._has_begun = self._has_finished = self._is_done = self._step_is_open = False

    def take(self, chunk: BaseChunk) -> Iterator[BaseChunk]:
        """Yield what is passed on for a chunk: itself, what has to come before it, or nothing."""
        if self._is_done or (self._has_finished and not isinstance(chunk, DoneChunk)):
            return
        if isinstance(chunk, _Bounds):
            yield from self._bound(chunk)
        elif isinstance(chunk, _Piece):
            yield from self._piece(chunk)
        elif isinstance(chunk, _Input):
            yield from self._input(chunk)
        elif isinstance(chunk, _Result):
            yield from self._result(chunk)
        elif isinstance(chunk, StartChunk):
            if not self._has_begun:
                self._has_begun = True
                yield chunk
        else:
            if isinstance(chunk, StartStepChunk):
                self._step_is_open = True
            yield chunk

    def end(self) -> Iterator[BaseChunk]:
        """Yield the ends of all that is being written."""
        for key in list(self._open):
            self._cut.add(key)
            yield from self._ended(self._open.pop(key))

    def _bound(self, chunk: BaseChunk) -> Iterator[BaseChunk]:
        if isinstance(chunk, FinishStepChunk) and not self._step_is_open:
            return
        yield from self.end()
        if isinstance(chunk, FinishChunk) and self._step_is_open:
            yield FinishStepChunk()
        if isinstance(chunk, FinishStepChunk | FinishChunk):
            self._step_is_open = False
        self._has_finished = self._has_finished or isinstance(chunk, FinishChunk)
        self._is_done = isinstance(chunk, DoneChunk)
        yield chunk

    def _piece(self, chunk: _Piece) -> Iterator[BaseChunk]:
        kind = _TEXT if isinstance(chunk, TextStartChunk | TextDeltaChunk | TextEndChunk) else _REASONING
        key = (kind, chunk.id)
        opened = self._open.get(key)
        if isinstance(chunk, kind.start):
            self._cut.discard(key)
            if opened is not None:
                yield from self._ended(opened)
            self._open[key] = _Open(kind, chunk.id)
            yield chunk
        elif isinstance(chunk, TextDeltaChunk | ReasoningDeltaChunk):
            if opened is None:
                if key not in self._cut:
                    return
                self._cut.discard(key)
                opened = self._open[key] = _Open(kind, chunk.id)
                yield kind.start(id=chunk.id)
            piece = opened.halves.feed(chunk.delta)
            if piece == chunk.delta:
                yield chunk
            elif piece or chunk.provider_metadata is not None:
                yield chunk.model_copy(update={"delta": piece})
        elif opened is None:
            self._cut.discard(key)
        else:
            del self._open[key]
            rest = opened.halves.finish()
            if rest:
                yield kind.delta(id=chunk.id, delta=rest)
            yield chunk

    def _ended(self, opened: _Open) -> Iterator[BaseChunk]:
        rest = opened.halves.finish()
        if rest:
            yield opened.kind.delta(id=opened.name, delta=rest)
        yield opened.kind.end(id=opened.name)

    def _result(self, chunk: _Result) -> Iterator[BaseChunk]:
        written = self._inputs.pop(chunk.tool_call_id, None)
        if written is not None:
            # A message whose call has a result and no input is none that the AI SDK takes back.
            yield written.whole
        if chunk.tool_call_id in self._calls:
            yield chunk

    def _input(self, chunk: _Input) -> Iterator[BaseChunk]:
        call = chunk.tool_call_id
        if isinstance(chunk, ToolInputStartChunk):
            # A call that is begun again is written anew: its reader forgets what it had of the input.
            self._calls.add(call)
            self._inputs[call] = _Writing(chunk)
            yield chunk
        elif not isinstance(chunk, ToolInputDeltaChunk):
            self._calls.add(call)
            self._inputs.pop(call, None)
            yield chunk
        elif call in self._inputs:
            written = self._inputs[call]
            piece = written.halves.feed(chunk.input_text_delta)
            written.pieces.append(piece)
            if piece == chunk.input_text_delta:
                yield chunk
            elif piece:
                yield chunk.model_copy(update={"input_text_delta": piece})


def encodable(chunk: BaseChunk) -> BaseChunk:
    """Return a chunk that can be sent as JSON in UTF-8 and that the AI SDK takes; one that can be is the same object.

    What its schema asks for is not left out because it is None, and no object has a key that it refuses to read.

    Raises:
        InputError: it cannot be written at all, such as a tool's output that is no JSON.
    """
    name, empty = _NEEDED.get(type(chunk), ("", None))
    if name and getattr(chunk, name) is None:
        chunk = chunk.model_copy(update={name: empty})
    if all(value is None or (isinstance(value, str) and value.isascii()) for _, value in chunk):
        return chunk
    try:
        written = chunk.model_dump_json(by_alias=True)
    except Exception:  # noqa: BLE001 - what is in it may have a writer of its own
        return _mended(chunk)
    return _mended(chunk) if '"__proto__"' in written or '"constructor"' in written else chunk


def _unrefused(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Return a JSON value without the keys for which the AI SDK refuses to read all of it."""
    if isinstance(value, list):
        return [_unrefused(one) for one in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    named = cast("dict[Any, Any]", value)
    return {
        name: _unrefused(one)
        for name, one in named.items()
        if name != "__proto__"
        and not (name == "constructor" and isinstance(one, dict) and "prototype" in one)
    }


def _mended(chunk: BaseChunk) -> BaseChunk:
    kind = getattr(chunk, "type", "chunk")
    try:
        held = _unrefused(whole_json(to_jsonable_python(whole_json(chunk.model_dump()))))
        mended = chunk.model_copy(update={name: held[name] for name in type(chunk).model_fields})
        mended.model_dump_json(by_alias=True)
    except Exception as error:
        msg = f"The agent sent what cannot be written as JSON, in {one_line(kind, _KIND)}."
        raise InputError(msg, field="chunk") from error
    return mended
