"""The built-in agent over AG-UI: one question, answered as a stream of events."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from ag_ui.core import RunAgentInput, UserMessage
from pydantic import ValidationError

from pincite.core.errors import InputError
from pincite.core.highlight import DEFAULT_PRECISION
from pincite.core.limits import DEFAULT, Limits
from pincite.protocols.ag_ui._conversation import text_of
from pincite.protocols.ag_ui.adapter import CitingAGUIAdapter
from pincite.protocols.citations_event import STATE_KEY

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

    from ag_ui.core import BaseEvent
    from pydantic_ai.messages import ModelMessage

    from pincite.agents import Answering, Asked
    from pincite.library import Library
    from pincite.protocols.cited_run import Citer, Locate, Streamed


class AnsweringRun:
    """One run of the built-in agent over AG-UI.

    `given` is the run's input as the client sent it, JSON by its names on the wire; of its messages the agent is told
    `question` and nothing else, since `history` is kept here, where nobody else writes. `ended` is awaited with what
    was told and what `ask` would have returned, before the client is told that the run has finished.

    Raises:
        InputError: `given` is no input of a run.
    """

    __slots__ = ("_adapter", "_answering", "_ended", "_history", "_question_id", "_seconds")

    def __init__(  # noqa: PLR0913 - what an answer may depend on, by keyword
        self,
        question: str,
        given: dict[str, Any],
        answering: Answering,
        *,
        history: Sequence[ModelMessage] = (),
        library: Library | None = None,
        highlight: str = DEFAULT_PRECISION,
        locate: Locate | None = None,
        citers: Sequence[Citer] = (),
        ended: Callable[[str, Streamed, Asked], Awaitable[object]] | None = None,
        limits: Limits = DEFAULT,
    ) -> None:
        try:
            sent = RunAgentInput.model_validate({**given, "tools": [], "context": [], "resume": None})
        except ValidationError as error:
            where = ".".join(str(part) for part in error.errors()[0]["loc"])
            msg = f"This is no input of an AG-UI run: {where or 'it'} cannot be read."
            raise InputError(msg, field=where or None) from error
        self._answering = answering
        self._history = list(history)
        self._ended = ended
        self._seconds = limits.answer_seconds
        self._question_id = sent.messages[-1].id if sent.messages else ""
        asked = UserMessage(id=self._question_id, role="user", content=question)
        self._adapter = CitingAGUIAdapter(
            agent=answering.agent,
            run_input=sent.model_copy(update={"messages": [asked], "state": _ours(sent.state)}),
            citing=replace(answering.citing, highlight=highlight, highlight_model=answering.model),
            history=sent.messages,
            library=library,
            locate=locate,
            citers=citers,
            ended=self._end,
            limits=limits,
        )

    async def _end(self, told: Streamed) -> None:
        if self._ended is not None:
            await self._ended(self._question_id, told, self._answering.asked(told.checked))

    def events(self) -> AsyncIterator[BaseEvent]:
        """Yield the events of the run."""
        return self._adapter.run_stream(
            message_history=self._history,
            usage_limits=self._answering.usage_limits,
            timeout=self._seconds,
        )

    def encoded(self) -> AsyncIterator[str]:
        """Yield the events as server-sent events."""
        return self._adapter.encode_stream(self.events())


def asked_text(content: object) -> str:
    """Return the text of a message as a client sent it, parsed JSON: itself, or that of its parts, a line each."""
    return text_of(content)


def _ours(state: object) -> object:
    """Return the client's state as far as it is about citations: the built-in agent has no other."""
    if not isinstance(state, dict):
        return state
    given = cast("dict[str, Any]", state)
    return {name: value for name, value in given.items() if name == STATE_KEY}
