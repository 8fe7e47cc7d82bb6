"""A stream of AG-UI events, with citations: markers become numbers as they come, and each message tells what it cites.

Whatever the agent behind it does, the order holds that the event's page asks for: a message's citations come after its
`TEXT_MESSAGE_END` and before the run's `RUN_FINISHED` or `RUN_ERROR`, and nothing comes after that.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from ag_ui.core import (
    AssistantMessage,
    BaseEvent,
    CustomEvent,
    MessagesSnapshotEvent,
    RunErrorEvent,
    RunFinishedEvent,
    RunStartedEvent,
    StateDeltaEvent,
    StateSnapshotEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    ToolCallStartEvent,
)

from pincite.core.limits import DEFAULT, Limits
from pincite.core.surrogates import whole
from pincite.protocols.ag_ui._order import BROKEN, Order
from pincite.protocols.ag_ui._ours import (
    delta_beside_ours,
    snapshot_beside_ours,
    unclaimed,
    unclaimed_message,
    unnumbered,
)
from pincite.protocols.ag_ui._transcript import Transcript
from pincite.protocols.ag_ui._whole import WholePieces, whole_event
from pincite.protocols.citations_event import (
    CITATION,
    CITATIONS,
    HIGHLIGHT,
    EndedMessage,
    astral_count,
    citation_value,
)
from pincite.protocols.cited_run import closing
from pincite.showing import NumberedCitation, NumberedPiece, NumberedStream

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence

    from ag_ui.core import Message

    from pincite.citing import CitationRun
    from pincite.core.answer import Answer
    from pincite.protocols.cited_run import Citer
    from pincite.showing.numbered import Numbered

REDRAFT: Final = "pincite.redraft"
"""Said to this stream alone: what the model wrote last is a draft, and is written again."""
OURS: Final = frozenset({CITATION, CITATIONS, HIGHLIGHT, REDRAFT, "moca.citations"})
"""Names of events that an agent may not send itself: what they say has to be earned."""
_LOG: Final = logging.getLogger("pincite.ag_ui")

Settle = Callable[[], "Answer | None"]
"""Returns the answer that holds for the last message of a run; None where it is what was written."""
Later = Callable[["EndedMessage | None"], AsyncIterator[BaseEvent]]
"""Yields what comes between the citations of a run's last message, which it is given, and the run's end.

It is given None where the run failed, or no message was cited.
"""


@dataclass(slots=True)
class _Open:
    """A message that is being written.

    `skip` code points of what the stream shows are there from an earlier part of the same message, and `held` is what
    belongs to pieces of its text that cannot be shown yet.
    """

    message_id: str
    stream: NumberedStream
    owner: str | None = None
    shown: list[str] = field(default_factory=list[str])
    skip: int = 0
    wide: int = 0
    held: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def text(self) -> str:
        """What its client has of it."""
        self.shown = ["".join(self.shown)]
        return self.shown[0]


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A message that has ended, as long as its citations may still be settled otherwise."""

    message: EndedMessage
    owner: str | None


class CitedStream:
    """Puts citations into one stream of AG-UI events: `async for event in CitedStream(run, citers).of(events)`.

    `run` is where what the agent's tools return is presented. `citers` are asked about each assistant message that has
    text, in their order. `history` are the messages before this run, None where they are not known: then what was
    streamed and is replaced is told by `pincite.citations` alone. `settle` and `later` are as their types say. An agent
    that fails is told of by `failed`, which returns the sentence for the client. `kept` is what the client's state
    holds of citations before this stream; an agent that replaces the state does not replace that.

    What an agent tells as a whole is shown as what is streamed: a text of the assistant's that is not in `history` has
    no citations, and a number that its model typed is told from ours. Without `history` that is so for every text.

    A message that is started again goes on: its citations are told again, of the whole text. One that the agent takes
    back, by telling the messages without it, has no citations to tell. `holds_state` says whether the client's state is
    an object, as far as this stream changed it; None where it did not.

    Every event that is yielded can be written as JSON in UTF-8: the halves of a character that a model sends apart are
    joined, and a lone one is U+FFFD, in what is told and in what is cited alike.
    """

    __slots__ = (
        "_citers", "_draft", "_failed", "_gone", "_is_later_due", "_is_over", "_kept", "_later", "_limits", "_open",
        "_run", "_settle", "_transcript", "_waiting", "_written", "holds_state",
    )  # fmt: skip

    def __init__(
        self,
        run: CitationRun,
        citers: Sequence[Citer],
        *,
        history: Iterable[Message] | None = None,
        settle: Settle | None = None,
        later: Later | None = None,
        failed: Callable[[Exception], str] | None = None,
        kept: object = None,
        limits: Limits = DEFAULT,
    ) -> None:
        self._run = run
        self._citers = tuple(citers)
        self._settle = settle
        self._later = later
        self._failed = failed
        self._kept = kept
        self._limits = limits
        self._transcript = Transcript(history)
        self._open: dict[str, _Open] = {}
        self._waiting: _Waiting | None = None
        # The messages that have ended, as the model wrote them.
        self._written: dict[str, str] = {}
        # The message that is a draft, and the last one that was.
        self._draft: str | None = None
        self._gone: _Waiting | None = None
        self._is_over = False
        # Whether what comes before the end of this run has yet to be asked for.
        self._is_later_due = False
        self.holds_state: bool | None = None

    def holds(self, message_id: str) -> bool:
        """Say whether the client has a message of the assistant's of that id, as far as this stream told it."""
        return self._transcript.text_of(message_id) is not None

    async def of(self, events: AsyncIterator[BaseEvent]) -> AsyncGenerator[BaseEvent]:
        """Yield the events of a stream with citations among them. It may hold several runs, one after the other."""
        order, pieces = Order(), WholePieces()
        try:
            async with closing(events):
                async for given in events:
                    event = unclaimed(whole_event(given))
                    if not self._is_ours(event):
                        async with aclosing(self._take(pieces.of(order.take(event)))) as taken:
                            async for one in taken:
                                yield one
            said = None if self._is_over else BROKEN
        except Exception as error:
            if _is_left():
                # The agent's own clean-up raised something else in place of the cancellation.
                _LOG.warning("An agent failed while it was stopped: %s.", type(error).__name__)
                raise asyncio.CancelledError from error
            # Whatever an agent raises, its client is told that the run is over.
            said = self._said_of(error)
        if said is not None:
            ended = pieces.of(order.take(RunErrorEvent(message=whole(said))))
            async with aclosing(self._broken(ended, whole(said))) as broken:
                async for one in broken:
                    yield one

    def _said_of(self, error: Exception) -> str | None:
        if self._is_over:
            _LOG.warning("An agent failed after its run had ended: %s.", type(error).__name__)
            return None
        return BROKEN if self._failed is None else self._failed(error)

    async def _take(self, events: Iterable[BaseEvent]) -> AsyncGenerator[BaseEvent]:
        for event in events:
            if isinstance(event, RunFinishedEvent | RunErrorEvent):
                async with aclosing(self._finish(event)) as ends:
                    async for one in ends:
                        yield one
            else:
                for one in self._inside(event):
                    yield one

    def _is_ours(self, event: BaseEvent) -> bool:
        """Say whether an event has a name of ours, which no agent may use."""
        if not isinstance(event, CustomEvent) or event.name not in OURS:
            return False
        if event.name == REDRAFT and self._waiting is not None and self._transcript.is_known:
            self._draft = self._waiting.message.message_id
        return True

    async def _broken(self, ended: Iterable[BaseEvent], said: str) -> AsyncGenerator[BaseEvent]:
        """Yield the end of a run that failed: what its messages cite, as far as that can be told, and the error."""
        told: list[BaseEvent] = []
        try:
            for event in ended:
                told += () if isinstance(event, RunErrorEvent) else self._inside(event)
            told += self._withdrawn()
            async with aclosing(self._before_the_end(None)) as later:
                async for one in later:
                    told.append(one)  # what comes before a failure is told
        except Exception as error:  # noqa: BLE001 - the run has failed already, and its end has to be told
            _LOG.warning("What a message cites cannot be told: %s.", type(error).__name__)
        self._is_over = True
        for one in told:
            yield one
        yield RunErrorEvent(message=said)

    async def _before_the_end(self, message: EndedMessage | None) -> AsyncGenerator[BaseEvent]:
        """Yield what comes between the last citations of a run and its end, once in a run."""
        is_due, self._is_later_due = self._is_later_due, False
        if self._later is None or not is_due:
            return
        async with closing(self._later(message)) as later:
            async for one in later:
                yield whole_event(one)

    def _inside(self, event: BaseEvent) -> Iterator[BaseEvent]:
        """Take in the beginning of a run, or what stands between it and the end."""
        if isinstance(event, TextMessageStartEvent | TextMessageContentEvent | TextMessageEndEvent):
            yield from self._text(event)
            return
        if isinstance(event, RunStartedEvent):
            self._open, self._waiting, self._draft, self._is_over = {}, None, None, False
            self._gone, self._is_later_due = None, True
            if event.input is not None:
                # A client takes in messages that it has not.
                messages = [self._as_told(one) for one in event.input.messages]
                event = event.model_copy(
                    update={"input": event.input.model_copy(update={"messages": messages})}
                )
                self._transcript.begins(messages)
        elif isinstance(event, ToolCallStartEvent):
            yield from self._flush()
        elif isinstance(event, MessagesSnapshotEvent):
            event = event.model_copy(update={"messages": list(self._as_shown(event.messages))})
        elif isinstance(event, StateSnapshotEvent):
            event, self.holds_state = snapshot_beside_ours(event, self._kept)
        elif isinstance(event, StateDeltaEvent):
            changed, is_object = delta_beside_ours(event, self._kept)
            self.holds_state = self.holds_state if is_object is None else is_object
            if changed is None:
                return
            event = changed
        self._transcript.take(event)
        yield event

    def _as_shown(self, messages: Iterable[Message]) -> Iterator[Message]:
        """Yield the messages that an agent tells as its client has them; one that is being written is among them."""
        told: set[str] = set()
        for one in messages:
            message = unclaimed_message(one)
            told.add(message.id)
            opened = self._open.get(message.id)
            shown = self._transcript.shown(message.id) if opened is None else opened.text
            if isinstance(message, AssistantMessage) and shown is not None:
                yield message.model_copy(update={"content": shown})
            elif opened is not None:
                # The text that is being written goes on in a message of the assistant's.
                yield _so_far(opened, message.subagent_run_id)
            else:
                yield self._as_told(message)
        for opened in self._open.values():
            if opened.message_id not in told:
                yield _so_far(opened, opened.owner)

    def _as_told(self, message: Message) -> Message:
        """Return a message that this stream did not write: as its client has it, or without numbers like ours."""
        if not isinstance(message, AssistantMessage) or not isinstance(message.content, str):
            return message
        text = self._transcript.kept(message)
        if text is None:
            text = unnumbered(message.content, self._limits)
        return message if text == message.content else message.model_copy(update={"content": text})

    # -- text ------------------------------------------------------------------------------------

    def _text(
        self, event: TextMessageStartEvent | TextMessageContentEvent | TextMessageEndEvent
    ) -> Iterator[BaseEvent]:
        opened = self._open.get(event.message_id)
        if isinstance(event, TextMessageStartEvent):
            # One that is the assistant's goes on as such, whatever role it is started in again.
            if event.role in {None, "assistant"} or self._transcript.text_of(event.message_id) is not None:
                yield from self._begin(event)
            self._transcript.take(event)
            yield event
        elif opened is None:
            self._transcript.take(event)
            yield event
        elif isinstance(event, TextMessageContentEvent):
            opened.held |= _beside(event)
            yield from self._told(opened, opened.stream.feed(event.delta))
        else:
            yield from self._close(opened, event)

    def _begin(self, event: TextMessageStartEvent) -> Iterator[BaseEvent]:
        message_id = event.message_id
        if self._waiting is not None and self._waiting.message.message_id == message_id:
            self._waiting = self._draft = None  # it has not ended after all
        yield from self._flush()
        stream = NumberedStream(self._run.resolution())
        self._open[message_id] = opened = _Open(message_id, stream, event.subagent_run_id)
        before = self._transcript.before(message_id)
        if before:
            opened.shown, opened.wide = [before], astral_count(before)
            again = stream.feed(self._written.get(message_id, before))
            opened.skip = len(before) - sum(len(one.text) for one in again if isinstance(one, NumberedPiece))
        else:
            # Its client has nothing of it any more: it begins anew.
            self._written.pop(message_id, None)
            self._transcript.forget(message_id)

    def _told(self, opened: _Open, shown: Iterable[Numbered]) -> Iterator[BaseEvent]:
        cited: list[BaseEvent] = []
        for one in shown:
            if isinstance(one, NumberedCitation):
                value = citation_value(opened.message_id, one, opened.wide)
                event = CustomEvent(name=CITATION, value=value, subagent_run_id=opened.owner)
                cited.append(whole_event(event))
                continue
            skipped = min(max(0, opened.skip), len(one.text))
            opened.skip -= skipped
            if skipped < len(one.text):
                yield self._shown(opened, one.text[skipped:])
            # A citation is told of when its number is there.
            yield from cited
            cited.clear()
        yield from cited

    def _shown(self, opened: _Open, text: str) -> BaseEvent:
        opened.wide += astral_count(text)
        opened.shown.append(text)
        held, opened.held = opened.held, {}
        event = TextMessageContentEvent(message_id=opened.message_id, delta=text, **held)
        self._transcript.take(event)
        return event

    def _close(self, opened: _Open, event: TextMessageEndEvent) -> Iterator[BaseEvent]:
        """End a message; its citations wait until they are settled."""
        del self._open[opened.message_id]
        yield from self._told(opened, opened.stream.finish())
        answer, shown = opened.stream.answer, opened.stream.shown
        assert answer is not None  # noqa: S101 - `finish` sets both
        assert shown is not None  # noqa: S101
        metadata: dict[str, Any] = {**(opened.held.get("metadata") or {}), **(event.metadata or {})}
        if answer.text:
            yield from self._flush()
            message = EndedMessage(opened.message_id, answer, shown, replaced=shown.text != opened.text)
            self._waiting = _Waiting(message, opened.owner)
            self._written[opened.message_id] = answer.text
            metadata["pincite"] = {"raw": answer.text}
        yield event.model_copy(update={"metadata": metadata or None})

    # -- citations -------------------------------------------------------------------------------

    def _flush(self) -> Iterator[BaseEvent]:
        """Tell the citations of the message that ended last."""
        waiting, self._waiting = self._waiting, None
        if waiting is None:
            return
        if self._draft == waiting.message.message_id:
            self._transcript.withdraw(waiting.message.message_id)
            self._draft, self._gone = None, waiting
            return
        message = waiting.message
        there = self._transcript.text_of(message.message_id)
        if there is None or not (message.replaced or there == message.text):
            return  # the agent took it back: places in it would be places in another text
        for citer in self._citers:
            for name, value in citer.cite(message):
                yield whole_event(CustomEvent(name=name, value=value, subagent_run_id=waiting.owner))

    def _withdrawn(self) -> Iterator[BaseEvent]:
        """Tell what the last message cites where its run failed; a draft that was to be written again is gone."""
        if self._draft is not None:
            yield from self._flush()
        yield from self._as_it_stands()
        yield from self._flush()

    def _as_it_stands(self) -> Iterator[BaseEvent]:
        """Tell the messages as a whole, where the client has another text than holds, or a draft."""
        message = None if self._waiting is None else self._waiting.message
        replaced = message is not None and message.replaced
        if message is not None and replaced:
            self._written[message.message_id] = message.answer.text
            self._transcript.rewrite(message.message_id, message.text)
        if self._transcript.is_known and (replaced or self._transcript.was_withdrawn):
            yield MessagesSnapshotEvent(messages=self._transcript.told())

    async def _finish(self, event: RunFinishedEvent | RunErrorEvent) -> AsyncGenerator[BaseEvent]:
        message = None
        if isinstance(event, RunErrorEvent):
            for one in self._withdrawn():
                yield one
        else:
            message = self._settle_last()
            for one in (*self._as_it_stands(), *self._flush()):
                yield one
        async with aclosing(self._before_the_end(message)) as later:
            async for one in later:
                yield one
        self._is_over = True
        yield event

    def _settle_last(self) -> EndedMessage | None:
        """Return the last message of a run that has finished, with the answer that holds for it."""
        answer = None if self._settle is None else self._settle()
        self._draft = None
        if answer is not None and self._waiting is None and self._gone is not None:
            # What was to be written again never was: the draft stands.
            self._waiting = self._gone
            self._transcript.restore(self._gone.message.message_id, self._gone.message.text)
        if self._waiting is None:
            return None
        message = self._waiting.message
        if answer is not None:
            message = message.settled(answer, limits=self._limits)
            self._waiting = _Waiting(message, self._waiting.owner)
        return message


def _is_left() -> bool:
    """Say whether who reads the stream was cancelled, so that nobody is there to be told anything."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _so_far(opened: _Open, owner: str | None) -> AssistantMessage:
    return AssistantMessage(
        id=opened.message_id, role="assistant", content=opened.text, subagent_run_id=owner
    )


def _beside(event: TextMessageContentEvent) -> dict[str, Any]:
    """Return what an event of text holds beside its text."""
    held = {name: getattr(event, name) for name in ("metadata", "raw_event", "subagent_run_id", "timestamp")}
    return {name: value for name, value in held.items() if value is not None}


async def cited(
    events: AsyncIterator[BaseEvent],
    run: CitationRun,
    citers: Sequence[Citer],
    *,
    history: Iterable[Message] | None = None,
    limits: Limits = DEFAULT,
) -> AsyncGenerator[BaseEvent]:
    """Yield the events of any agent's AG-UI stream with its citations among them.

    What the agent was shown has been presented through `run`; `citers` tell of each message what it cites. `history`
    are the messages before the run, where they are known.
    """
    async with aclosing(CitedStream(run, citers, history=history, limits=limits).of(events)) as told:
        async for event in told:
            yield event
