"""One run of an agent that cites, told over a protocol: what its citations are, and what becomes of its answer.

What stands here knows no protocol. Whoever has one wraps the agent's events, asks a `Citer` about each text that has
ended, and tells what it returns.
"""

from __future__ import annotations

import logging
import re
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar, cast

from pydantic_ai.exceptions import RunTimedOut
from pydantic_ai.messages import ModelRequest, RetryFeedbackPart
from pydantic_ai.models import Model
from pydantic_ai.run import AgentRunResult, AgentRunResultEvent

from pincite.agents import ModelsQuotes, models_quotes
from pincite.agents.reasons import reason_of
from pincite.citing import CitationRun
from pincite.core.errors import InputError, ModelError
from pincite.core.highlight import DEFAULT_PRECISION, HighlightPrecision
from pincite.core.limits import DEFAULT, Limits
from pincite.core.surrogates import whole
from pincite.protocols.answers import answer_json
from pincite.protocols.citations_event import CITATIONS, EndedMessage, citations_value, highlight_value
from pincite.showing import numbered

if TYPE_CHECKING:
    from pydantic_ai.messages import EnqueuedMessagesEvent

    from pincite.agents import CheckedAnswer, Citing
    from pincite.citing import ConversationState
    from pincite.core.answer import Answer
    from pincite.library import Library


T = TypeVar("T")
_LOG: Final = logging.getLogger("pincite.protocols")
# An address, in one word after its scheme; a bounded run and one class, linear.
_ADDRESS: Final = re.compile(r"\b[A-Za-z][A-Za-z0-9+.-]{0,30}://[^\s'\"<>]*")


def failure_told(error: BaseException) -> str:
    """Return the sentence that says what went wrong to the client of a run, who may be anybody.

    Of what a foreign error may give away nothing is in it, not even the host of an address.
    """
    if isinstance(error, RunTimedOut):
        return "There was not enough time for the answer."
    return whole(_ADDRESS.sub("…", reason_of(error)))


class Citer(Protocol):
    """Tells what a text cites, as events."""

    def cite(self, message: EndedMessage) -> Iterable[tuple[str, dict[str, Any]]]:
        """Return name and value of each event for a text of an assistant that has ended, in order."""
        ...


Locate = Callable[["Answer", Sequence[str | None]], Awaitable[Sequence[dict[str, Any]]]]
"""Returns the entries of `pincite.highlight` for the words that a model picked, one or none for each citation."""


@dataclass(frozen=True, slots=True)
class Streamed:
    """An answer as the client of a stream has it: the text, and the values of the events about it."""

    message_id: str
    text: str
    citations: dict[str, Any]
    highlight: dict[str, Any] | None
    checked: CheckedAnswer

    @classmethod
    def of(
        cls,
        message_id: str,
        checked: CheckedAnswer,
        told: Mapping[str, Any],
        *,
        conversation_id: str | None = None,
        limits: Limits = DEFAULT,
    ) -> Streamed:
        """Return an answer that was given whole as a stream would have told it; `told` is its `answer_json`."""
        message = EndedMessage(message_id, checked.answer, numbered(checked.answer, limits=limits))
        value = citations_value(message, told, status=checked.status.value, conversation_id=conversation_id)
        return cls(message_id, message.text, value, None, checked)

    def as_dict(self) -> dict[str, Any]:
        """Return what a conversation keeps of it, as JSON holds it."""
        return {
            "message_id": self.message_id,
            "text": self.text,
            "citations": self.citations,
            "highlight": self.highlight,
        }


Ended = Callable[[Streamed], Awaitable[object]]
"""Awaited with the answer of a run, before its client is told that the run has ended."""


class AnswerCiter:
    """Tells all that a text cites: documents, pages of them, the web.

    `library` says what its documents are called today; `checked` returns the checked answer of the run once there is
    one; `conversation_id` is what opens the refs. `told` is what was told last of each message, by its id.
    """

    __slots__ = ("_checked", "_conversation_id", "_library", "told")

    def __init__(
        self,
        library: Library | None = None,
        *,
        checked: Callable[[], CheckedAnswer | None] | None = None,
        conversation_id: str | None = None,
    ) -> None:
        self._library = library
        self._checked = checked
        self._conversation_id = conversation_id
        self.told: dict[str, dict[str, Any]] = {}

    def cite(self, message: EndedMessage) -> Iterable[tuple[str, dict[str, Any]]]:
        """Return the event of a text that has ended; one that cites nothing has an empty list."""
        value = self.told[message.message_id] = self.value(message)
        return [(CITATIONS, value)]

    def value(self, message: EndedMessage) -> dict[str, Any]:
        """Return the value of `pincite.citations` for a text that has ended."""
        checked = None if self._checked is None else self._checked()
        # Only the text that ends the run was checked; what the agent says before it calls a tool is no answer.
        if checked is not None and checked.answer is not message.answer:
            checked = None
        value = citations_value(
            message,
            answer_json(message.answer, self._library, None if checked is None else checked.support),
            status=None if checked is None else checked.status.value,
            conversation_id=self._conversation_id,
        )
        if self._checked is not None and checked is None:
            value["uncited"] = []
        return value


class CitedRun:
    """One run of an agent under `citing`: give the agent the `citing` of this object, and it is cited through `run`.

    `conversation` is what outlives the turn. `end` takes the result; from then on `checked` is the checked answer.
    """

    __slots__ = ("_given", "_limits", "checked", "citing", "run")

    def __init__(
        self, citing: Citing, *, conversation: ConversationState | None = None, limits: Limits = DEFAULT
    ) -> None:
        run = citing.run
        if not isinstance(run, CitationRun):
            run = CitationRun(citing.wire_format, conversation=conversation, limits=limits)
        self.run = run
        # The words to be lit are picked once the citations are told, so that nobody waits for them.
        self.citing = replace(citing, run=run, highlight=DEFAULT_PRECISION)
        self.checked: CheckedAnswer | None = None
        self._given = citing
        self._limits = limits

    def end(self, result: AgentRunResult[Any]) -> None:
        """Keep the checked answer of a run that has come to its end.

        Raises:
            ModelError: there is no answer; the message says why.
        """
        try:
            checked = self.citing.answer(result)
        except InputError:
            return  # what it answered with is no text
        if checked.reason and not checked.answer.text:
            raise ModelError(checked.reason)
        self.checked = checked

    async def lit(self, message: EndedMessage, agent: object, locate: Locate | None) -> dict[str, Any] | None:
        """Return the value of `pincite.highlight` for the words that a model picks, None where there are none.

        `agent` is whose own model is asked where `citing` names no other; `locate` finds the words on their pages.
        The model is asked once for an answer, and not at all where nothing is cited. Where it picks nothing, fails or
        takes too long, nothing is told: what matches best is lit then, as without a model.
        """
        if self._given.highlight != HighlightPrecision.MODELS_QUOTE or locate is None:
            return None
        if not message.answer.citations:
            return None
        picked = await self._picked(message.answer, agent)
        if not any(picked.quotes):
            return None
        try:
            found = await locate(message.answer, picked.quotes)
        except Exception as error:  # noqa: BLE001 - the answer stands without this
            _LOG.warning("The words that a model picked cannot be shown: %s.", type(error).__name__)
            return None
        return highlight_value(message.message_id, found) if found else None

    async def _picked(self, answer: Answer, agent: object) -> ModelsQuotes:
        asked = self._given.highlight_model
        model = asked if asked is not None else getattr(agent, "model", None)
        if not isinstance(model, Model):
            return ModelsQuotes((), reason="The agent's model answers no single request.")
        return await models_quotes(answer, model=cast("Model", model), limits=self._limits)


async def watched(
    events: AsyncIterator[Any], end: Callable[[AgentRunResult[Any]], None]
) -> AsyncIterator[Any]:
    """Yield an agent's events; `end` is given the result before whoever reads them sees it."""
    async with closing(events):
        async for event in events:
            if isinstance(event, AgentRunResultEvent):
                end(event.result)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType] - an output of any type
            yield event


@asynccontextmanager
async def closing(events: AsyncIterator[T]) -> AsyncGenerator[AsyncIterator[T]]:
    """Close what yields events when nobody reads on, where it can be closed.

    Where something else went wrong before, or the reader has left, that is what is raised: a clean-up that fails as
    well is logged.
    """
    close = getattr(cast("object", events), "aclose", None)
    try:
        yield events
    except BaseException:
        try:
            if close is not None:
                await close()
        except Exception as error:  # noqa: BLE001 - whatever a clean-up raises
            _LOG.warning("An agent failed while it was stopped: %s.", type(error).__name__)
        raise
    if close is not None:
        await close()


def asks_again(event: EnqueuedMessagesEvent) -> bool:
    """Say whether what was put to the model in between is our own request for a better draft."""
    return any(
        isinstance(part, RetryFeedbackPart)
        for message in event.messages
        if isinstance(message, ModelRequest)
        for part in message.parts
    )
