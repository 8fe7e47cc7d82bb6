"""An AG-UI endpoint with citations, for any pydantic-ai agent.

`CitingAGUIAdapter` is pydantic-ai's own adapter with three things more: the agent is made to cite, what it writes is
shown with numbers, and each message tells what it cites. Use it wherever `AGUIAdapter` is used.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from ag_ui.core import BaseEvent, CustomEvent, Message, RunErrorEvent, StateDeltaEvent, StateSnapshotEvent
from pydantic_ai.exceptions import RunTimedOut
from pydantic_ai.tools import AgentDepsT
from pydantic_ai.ui.ag_ui import AGUIAdapter, AGUIEventStream

from pincite.agents import Citing
from pincite.core.limits import DEFAULT, Limits
from pincite.core.pointers import step
from pincite.protocols.ag_ui.stream import REDRAFT, CitedStream
from pincite.protocols.citations_event import HIGHLIGHT, STATE_KEY, VERSION, EndedMessage
from pincite.protocols.cited_run import (
    AnswerCiter,
    CitedRun,
    Citer,
    Ended,
    Locate,
    Streamed,
    asks_again,
    closing,
    failure_told,
    watched,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from pydantic_ai.exceptions import RunCancelled
    from pydantic_ai.messages import EnqueuedMessagesEvent

    from pincite.citing import ConversationState
    from pincite.library import Library


@dataclass
class _EventStream(AGUIEventStream[AgentDepsT, Any]):
    """pydantic-ai's stream, with what only concerns the agent kept from its client."""

    cite: Callable[[AsyncIterator[BaseEvent]], AsyncIterator[BaseEvent]] | None = field(
        default=None, kw_only=True
    )

    async def transform_stream(self, *given: Any, **named: Any) -> AsyncIterator[BaseEvent]:  # noqa: ANN401 - what the base class takes
        """Transform the agent's events, and put citations among them."""
        events = super().transform_stream(*given, **named)
        async with closing(events if self.cite is None else self.cite(events)) as cited:
            async for event in cited:
                yield event

    async def encode_stream(self, stream: AsyncIterator[BaseEvent]) -> AsyncIterator[str]:
        """Encode events as they are sent; whoever stops reading stops the agent at once."""
        async with closing(stream), closing(super().encode_stream(stream)) as encoded:
            async for one in encoded:
                yield one

    async def handle_enqueued_messages(self, event: EnqueuedMessagesEvent) -> AsyncIterator[BaseEvent]:
        """Tell of what was put to the model in between, unless that is our own request for a better draft."""
        if asks_again(event):
            yield CustomEvent(name=REDRAFT, value=None)
            return
        async for one in super().handle_enqueued_messages(event):
            yield one

    async def on_cancelled(self, cancelled: RunCancelled) -> AsyncIterator[BaseEvent]:
        """Say that there is no answer where there was no time for it; who stopped the run knows that it was."""
        if isinstance(cancelled, RunTimedOut):
            self._error = True
            yield RunErrorEvent(message=failure_told(cancelled), timestamp=self._get_timestamp())
            return
        async for event in super().on_cancelled(cancelled):
            yield event

    async def on_error(self, error: Exception) -> AsyncIterator[BaseEvent]:
        """Say what went wrong without what a foreign error may give away."""
        self._error = True
        yield RunErrorEvent(message=failure_told(error), timestamp=self._get_timestamp())


@dataclass
class CitingAGUIAdapter(AGUIAdapter[AgentDepsT, Any]):
    """Serves a pydantic-ai agent over AG-UI with citations: `CitingAGUIAdapter.dispatch_request(request, agent=...)`.

    `citing` is the capability that makes the agent cite, one of the agent's own of the same id gives way to it.
    `conversation` is what outlives the turn: keep it, and refs of earlier turns still resolve. It is kept on the
    server's side, since whoever can write it can make up citations; the client's state holds what its messages cite.
    `history` are the messages before the run as the client has them, where those that the agent is given are others.
    `library` says what its documents are called today; the thread of the run is what opens refs there. `citers` are
    asked besides our own, such as MOCA's. `locate` finds the words that a model picked, under the precision
    `models_quote`, on their pages. `ended` is awaited with the answer of a run that came to its end, before its client
    is told so: what it keeps is there when it is asked for.
    """

    citing: Citing = field(default_factory=Citing, kw_only=True)
    history: Sequence[Message] | None = field(default=None, kw_only=True)
    conversation: ConversationState | None = field(default=None, kw_only=True)
    library: Library | None = field(default=None, kw_only=True)
    citers: Sequence[Citer] = field(default=(), kw_only=True)
    locate: Locate | None = field(default=None, kw_only=True)
    ended: Ended | None = field(default=None, kw_only=True)
    limits: Limits = field(default=DEFAULT, kw_only=True)
    _session: _Session | None = field(default=None, init=False, repr=False)

    @cached_property
    def state(self) -> dict[str, Any] | None:
        """What the agent is given of the client's state: all but what is said there of citations."""
        state = self.run_input.state
        if not isinstance(state, dict):
            return None
        return {
            name: value for name, value in cast("dict[str, Any]", state).items() if name != STATE_KEY
        } or None

    def build_event_stream(self) -> AGUIEventStream[AgentDepsT, Any]:
        """Return the stream of one run."""
        session = self._begun()
        return _EventStream(
            self.run_input,
            accept=self.accept,
            ag_ui_version=self.ag_ui_version,
            preserve_file_data=self.preserve_file_data,
            manage_system_prompt=self.manage_system_prompt,
            include_usage=self.include_usage,
            cite=session.stream.of,
        )

    def run_stream_native(self, **given: Any) -> AsyncIterator[Any]:  # pyright: ignore[reportIncompatibleMethodOverride] # noqa: ANN401 - what the base class takes
        """Run the agent as one that cites."""
        cited = self._begun().cited
        given["capabilities"] = [*(given.get("capabilities") or ()), cited.citing]
        return watched(super().run_stream_native(**given), cited.end)

    def _begun(self) -> _Session:
        if self._session is None:
            self._session = _Session(self)
        return self._session


class _Session:
    """One run of an agent over AG-UI: its citations, and what becomes of its answer."""

    __slots__ = ("_adapter", "_citer", "cited", "stream")

    def __init__(self, adapter: CitingAGUIAdapter[Any]) -> None:
        self._adapter = adapter
        self.cited = cited = CitedRun(
            adapter.citing, conversation=adapter.conversation, limits=adapter.limits
        )
        self._citer = AnswerCiter(
            adapter.library, checked=lambda: cited.checked, conversation_id=adapter.run_input.thread_id
        )
        self.stream = CitedStream(
            cited.run,
            (*adapter.citers, self._citer),
            history=adapter.run_input.messages if adapter.history is None else adapter.history,
            settle=lambda: None if cited.checked is None else cited.checked.answer,
            later=self._later,
            failed=failure_told,
            kept=_mapping(cast("object", adapter.run_input.state)).get(STATE_KEY),
            limits=adapter.limits,
        )

    async def _later(self, message: EndedMessage | None) -> AsyncIterator[BaseEvent]:
        adapter = self._adapter
        highlight = None
        if message is not None and self.stream.holds(message.message_id):
            highlight = await self.cited.lit(message, adapter.agent, adapter.locate)
        if highlight is not None:
            yield CustomEvent(name=HIGHLIGHT, value=highlight)
        for event in self._state():
            yield event
        checked = self.cited.checked
        if message is not None and checked is not None and adapter.ended is not None:
            told = self._citer.told.get(message.message_id)
            if told is None:
                # The agent took the message back from its client: the answer is kept all the same.
                told = self._citer.value(message)
            await adapter.ended(Streamed(message.message_id, message.text, told, highlight, checked))

    def _state(self) -> Sequence[BaseEvent]:
        """Return the change of the client's state that keeps what each message of this run cites."""
        told = {name: value for name, value in self._citer.told.items() if self.stream.holds(name)}
        state = cast("object", self._adapter.run_input.state)
        kept = cast("object", _mapping(_mapping(state).get(STATE_KEY)).get("citations"))
        citations = _mapping(kept)
        was_changed = self.stream.holds_state is not None
        if not told or (self.stream.holds_state is False):
            return ()
        if state is None and not was_changed:
            return [StateSnapshotEvent(snapshot={STATE_KEY: {"version": VERSION, "citations": dict(told)}})]
        if not isinstance(state, dict) and not was_changed:
            return ()  # what it is has no place for it
        most = self._adapter.limits.agui_state_messages
        others = [message_id for message_id in citations if message_id not in told]
        old = others[: max(0, len(others) + len(told) - most)]
        if isinstance(kept, dict) and not was_changed:
            place = f"/{STATE_KEY}/citations/"
            changes: list[Any] = [{"op": "remove", "path": place + step(message_id)} for message_id in old]
            changes += [
                {"op": "add", "path": place + step(message_id), "value": value}
                for message_id, value in told.items()
            ]
        else:
            left = {message_id: citations[message_id] for message_id in others[len(old) :]}
            value = {"version": VERSION, "citations": {**left, **told}}
            changes = [{"op": "add", "path": f"/{STATE_KEY}", "value": value}]
        return [StateDeltaEvent(delta=changes)]


def _mapping(given: object) -> dict[str, Any]:
    return cast("dict[str, Any]", given) if isinstance(given, dict) else {}
