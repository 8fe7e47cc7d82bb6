"""An endpoint of the AI SDK's UI message stream with citations, for any pydantic-ai agent.

`CitingVercelAIAdapter` is pydantic-ai's own adapter with three things more: the agent is made to cite, what it writes
is shown with numbers, and each text tells what it cites. Use it wherever `VercelAIAdapter` is used.
"""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast
from uuid import uuid4

from pydantic import ValidationError
from pydantic_ai.messages import EnqueuedMessagesEvent, ModelMessage, ModelResponse, TextPart
from pydantic_ai.tools import AgentDepsT
from pydantic_ai.ui.vercel_ai import VercelAIAdapter, VercelAIEventStream
from pydantic_ai.ui.vercel_ai.request_types import RegenerateMessage, UIMessage
from pydantic_ai.ui.vercel_ai.response_types import BaseChunk, ErrorChunk
from pydantic_core import InitErrorDetails, PydanticCustomError

from pincite.agents import Citing
from pincite.core.errors import InputError
from pincite.core.limits import DEFAULT, Limits
from pincite.core.surrogates import whole, whole_json
from pincite.protocols.citations_event import HIGHLIGHT
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
from pincite.protocols.vercel._order import Redraft
from pincite.protocols.vercel.messages import for_model
from pincite.protocols.vercel.parts import foreign_source, told_before
from pincite.protocols.vercel.stream import CitedChunks

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
    from typing import Self

    from pydantic_ai.run import AgentRunResult
    from starlette.requests import Request

    from pincite.citing import ConversationState
    from pincite.library import Library
    from pincite.protocols.citations_event import EndedMessage
    from pincite.protocols.vercel.parts import SourcePart


@dataclass
class _EventStream(VercelAIEventStream[AgentDepsT, Any]):
    """pydantic-ai's stream, with what only concerns the agent kept from its client."""

    cite: Callable[[AsyncIterator[BaseChunk]], AsyncGenerator[BaseChunk]] = field(kw_only=True)

    async def transform_stream(self, *given: Any, **named: Any) -> AsyncIterator[BaseChunk]:  # noqa: ANN401 - what the base class takes
        """Transform the agent's events, and put citations among them."""
        async with aclosing(self.cite(super().transform_stream(*given, **named))) as chunks:
            async for chunk in chunks:
                yield chunk

    async def encode_stream(self, stream: AsyncIterator[BaseChunk]) -> AsyncIterator[str]:
        """Encode chunks as they are sent; whoever stops reading stops the agent at once."""
        async with closing(super().encode_stream(stream)) as encoded, closing(stream):
            async for one in encoded:
                yield one

    async def handle_enqueued_messages(self, event: EnqueuedMessagesEvent) -> AsyncIterator[BaseChunk]:
        """Tell of what was put to the model in between, unless that is our own request for a better draft."""
        if asks_again(event):
            yield Redraft()
            return
        async for one in super().handle_enqueued_messages(event):
            yield one

    async def on_error(self, error: Exception) -> AsyncIterator[BaseChunk]:
        """Say what went wrong without what a foreign error may give away."""
        async for one in super().on_error(error):
            yield ErrorChunk(error_text=failure_told(error)) if isinstance(one, ErrorChunk) else one


@dataclass
class CitingVercelAIAdapter(VercelAIAdapter[AgentDepsT, Any]):
    """Serves a pydantic-ai agent to the AI SDK with citations: `await CitingVercelAIAdapter.dispatch_request(...)`.

    `citing` is the capability that makes the agent cite, one of the agent's own of the same id gives way to it.
    `conversation` is what outlives the turn: keep it, and refs of earlier turns still resolve. It is kept on the
    server's side, since whoever can write it can make up citations. `library` says what its documents are called today
    and of which type their files are; the id of the chat is what opens refs there. `citers` are asked besides our own,
    such as MOCA's. `locate` finds the words that a model picked, under the precision `models_quote`, on their pages.
    `ended` is awaited with the answer of a run that came to its end, before its client is told so: what it keeps is
    there when it is asked for.
    """

    citing: Citing = field(default_factory=Citing, kw_only=True)
    conversation: ConversationState | None = field(default=None, kw_only=True)
    library: Library | None = field(default=None, kw_only=True)
    citers: Sequence[Citer] = field(default=(), kw_only=True)
    locate: Locate | None = field(default=None, kw_only=True)
    ended: Ended | None = field(default=None, kw_only=True)
    limits: Limits = field(default=DEFAULT, kw_only=True)
    _session: _Session | None = field(default=None, init=False, repr=False)

    @classmethod
    def load_messages(cls, messages: Sequence[UIMessage]) -> list[ModelMessage]:
        """Return the messages as their model wrote them: with its own markers, and without its drafts.

        Raises:
            InputError: a part of them says what no part may say.
        """
        return for_model(messages)

    @classmethod
    async def from_request(cls, request: Request, **given: Any) -> Self:  # pyright: ignore[reportIncompatibleMethodOverride] # noqa: ANN401 - what the base class takes
        """Return the adapter of a request whose messages can be read; what cannot is the client's mistake, not ours."""
        adapter = await super().from_request(request, **given)
        try:
            _ = adapter.messages
        except InputError as error:
            said = PydanticCustomError("messages", "{said}", {"said": str(error)})
            fault = InitErrorDetails(type=said, loc=("messages",), input=None)
            raise ValidationError.from_exception_data(cls.__name__, [fault]) from error
        return cast("Self", adapter)

    def build_event_stream(self) -> VercelAIEventStream[AgentDepsT, Any]:
        """Return the stream of one run."""
        session = self._begun()
        return _EventStream(
            self.run_input,
            accept=self.accept,
            sdk_version=self.sdk_version,
            server_message_id=session.message_id,
            manage_system_prompt=self.manage_system_prompt,
            cite=session.chunks.of,
        )

    def run_stream_native(self, **given: Any) -> AsyncIterator[Any]:  # pyright: ignore[reportIncompatibleMethodOverride] # noqa: ANN401 - what the base class takes
        """Run the agent as one that cites."""
        session = self._begun()
        given["capabilities"] = [*(given.get("capabilities") or ()), session.run.citing]
        return watched(super().run_stream_native(**given), session.end)

    def _begun(self) -> _Session:
        if self._session is None:
            self._session = _Session(self)
        return self._session


class _Session:
    """One run of an agent for the AI SDK: its citation run, and what became of its answer."""

    __slots__ = ("_adapter", "_late", "chunks", "message_id", "run")

    def __init__(self, adapter: CitingVercelAIAdapter[Any]) -> None:
        self.run = CitedRun(adapter.citing, conversation=adapter.conversation, limits=adapter.limits)
        self._adapter = adapter
        self._late: list[SourcePart] = []
        before = _goes_on(adapter)
        self.message_id = adapter.server_message_id or (str(uuid4()) if before is None else before.id)
        citer = AnswerCiter(
            adapter.library, checked=lambda: self.run.checked, conversation_id=adapter.conversation_id
        )
        texts, sources, calls = told_before(before)
        self.chunks = CitedChunks(
            self.run.run,
            (*adapter.citers, citer),
            message_id=self.message_id,
            texts=texts,
            sources=sources,
            calls=calls,
            library=adapter.library,
            settle=lambda: self.run.checked,
            late=lambda: self._late,
            later=self._later,
            failed=failure_told,
            limits=adapter.limits,
        )

    def end(self, result: AgentRunResult[Any]) -> None:
        """Keep the checked answer, and what the provider cited itself: that may come after its text."""
        for message in result.new_messages():
            for part in message.parts if isinstance(message, ModelResponse) else ():
                for citation in (part.citations or ()) if isinstance(part, TextPart) else ():
                    for source in citation.sources:
                        found = foreign_source(
                            getattr(source, "url", None),
                            getattr(source, "document_id", None),
                            source.title,
                            self._adapter.limits,
                        )
                        self._late.extend(() if found is None else (found,))
        self.run.end(result)

    async def _later(
        self, message: EndedMessage, told: dict[str, Any]
    ) -> AsyncIterator[tuple[str, dict[str, Any]]]:
        adapter = self._adapter
        highlight = await self.run.lit(message, adapter.agent, adapter.locate)
        if highlight is not None:
            yield HIGHLIGHT, highlight
        checked = self.run.checked
        if checked is not None and adapter.ended is not None:
            shown = whole(message.text)
            await adapter.ended(Streamed(message.message_id, shown, told, whole_json(highlight), checked))


def _goes_on(adapter: CitingVercelAIAdapter[Any]) -> UIMessage | None:
    """Return the message that the run goes on with: an assistant's that is the last one, as after an approval."""
    messages = adapter.run_input.messages
    if isinstance(adapter.run_input, RegenerateMessage) or not messages or messages[-1].role != "assistant":
        return None
    return messages[-1]
