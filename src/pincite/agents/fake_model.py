"""A model without a network that cites as one of ten providers does: for tests of what is built on citations.

Its answers are written as that provider's stream of events and read back as a real one is, so they have that provider's
anchors, markers, order and raw fields.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final, cast

from pydantic_ai.messages import (
    FilePart,
    ModelResponse,
    NativeToolCallPart,
    NativeToolReturnPart,
    ThinkingPart,
    ToolCallPart,
)
from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.native_tools import SUPPORTED_NATIVE_TOOLS
from pydantic_ai.profiles import ModelProfile
from pydantic_ai.usage import RequestUsage

from pincite.agents._fake_events import AT_THE_END, PROVIDERS, Said, events_of
from pincite.agents._streams import LocalStream
from pincite.agents.native import PROVIDER_NAMES, to_pydantic_ai
from pincite.core.errors import InputError
from pincite.core.given import items_of
from pincite.providers.stream import StreamReader

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable

    import pydantic_ai as ai
    from pydantic_ai import RunContext
    from pydantic_ai.messages import ModelMessage, ModelResponseStreamEvent
    from pydantic_ai.native_tools import AbstractNativeTool
    from pydantic_ai.settings import ModelSettings

    from pincite.core.citation import CitationSource
    from pincite.providers.response import Json

FAKE_PROVIDERS: Final = tuple(PROVIDERS)
"""The providers that there are fakes of."""
_MODEL: Final = "fake"
_PARTS: Final = (ThinkingPart, FilePart, ToolCallPart, NativeToolCallPart, NativeToolReturnPart)
"""What a turn may hold beside texts."""
GivenPart = ThinkingPart | FilePart | ToolCallPart | NativeToolCallPart | NativeToolReturnPart


def said(text: str, *sources: CitationSource) -> Said:
    """Return a piece of an answer with the sources that are cited for it."""
    return Said(text, sources)


@dataclass(frozen=True, slots=True)
class _Text:
    """A text part, and the pieces in which it comes."""

    part: ai.TextPart
    pieces: tuple[str, ...]


_Step = Sequence[_Text | GivenPart]
Turn = str | Said | Sequence[str | Said | GivenPart]


class FakeCitingModel(Model):
    """Answers with `turns`, one a request, as `provider` would; the last one again and again.

    A turn is a text, or a list of texts, of `said(text, *sources)`, and of parts of pydantic-ai, such as a
    `ToolCallPart`. Sources are `WebCitationSource` and `DocumentCitationSource`. `requests` are the messages that it
    was sent. With `"openai"`, `"xai"` and `"perplexity"` the text has the markers that these write.

    Raises:
        InputError: there is no fake of that provider, it does not cite such a source, or there are no turns.
    """

    def __init__(self, provider: str, turns: Iterable[Turn]) -> None:
        # It answers what its turns say, whatever it is asked for.
        super().__init__(
            profile=ModelProfile(supports_json_schema_output=True, supports_json_object_output=True)
        )
        if provider not in PROVIDERS:
            events_of(provider, ())  # says which there are
        self._cites_as = provider
        self._late = provider in AT_THE_END
        self._steps = [self._step(turn) for turn in items_of(turns, "turns", "a list of turns")]
        self.requests: list[list[ModelMessage]] = []
        if not self._steps:
            msg = "A model needs at least one turn."
            raise InputError(msg, field="turns")

    @classmethod
    def replaying(
        cls, provider: str, streams: Iterable[Iterable[Json]], *, api: str | None = None
    ) -> FakeCitingModel:
        """Return a model that answers with recorded streams: the events of one for each request.

        Raises:
            InputError: there is no such provider or API, or there are no streams.
        """
        made = cls("anthropic", ["-"])
        made._cites_as = StreamReader(provider, api=api).provider
        made._late = made._cites_as in AT_THE_END or api == "chat"
        made._steps = [
            _read(made._cites_as, api, events) for events in items_of(streams, "streams", "lists of events")
        ]
        if not made._steps:
            msg = "A model needs at least one stream."
            raise InputError(msg, field="streams")
        return made

    @classmethod
    def supported_native_tools(cls) -> frozenset[type[AbstractNativeTool]]:
        """Return the provider's own tools that it may be given: all of them, and it calls none."""
        return SUPPORTED_NATIVE_TOOLS

    @property
    def model_name(self) -> str:
        """Return the model's name without its provider's."""
        return _MODEL

    @property
    def system(self) -> str:
        """Return pydantic-ai's name of the provider that it stands for."""
        return PROVIDER_NAMES[self._cites_as]

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Answer with the next turn."""
        self.prepare_request(model_settings, model_request_parameters)
        parts = [one.part if isinstance(one, _Text) else one for one in self._next(messages)]
        return ModelResponse(parts=parts, model_name=_MODEL, provider_name=self.system, usage=RequestUsage())

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,  # noqa: ARG002 - the base class's signature
    ) -> AsyncGenerator[StreamedResponse]:
        """Do the same, in the pieces and in the order in which the provider sends it."""
        _, parameters = self.prepare_request(model_settings, model_request_parameters)
        yield _Stream(
            model_request_parameters=parameters,
            step=self._next(messages),
            late=self._late,
            model=_MODEL,
            provider=self.system,
        )

    def _next(self, messages: list[ModelMessage]) -> _Step:
        step = self._steps[min(len(self.requests), len(self._steps) - 1)]
        self.requests.append(list(messages))
        return step

    def _step(self, turn: Turn) -> _Step:
        items = (
            [turn]
            if isinstance(turn, str | Said)
            else list(items_of(turn, "turns", "texts, or lists of pieces"))
        )
        made: list[_Text | GivenPart] = []
        pieces: list[Said] = []
        for item in [*items, None]:
            if isinstance(item, str | Said):
                pieces.append(Said(item) if isinstance(item, str) else item)
                continue
            if pieces:
                made.extend(_read(self._cites_as, None, events_of(self._cites_as, pieces)))
                pieces = []
            if item is None:
                continue
            if not isinstance(item, _PARTS):
                msg = (
                    "A turn is made of texts, `said(...)`, calls of tools and other parts of pydantic-ai, "
                    f"not of {type(item).__name__}."
                )
                raise InputError(msg, field="turns")
            made.append(cast("GivenPart", item))
        return made


def _read(provider: str, api: str | None, events: Iterable[Json]) -> list[_Text | GivenPart]:
    """Return the text parts that a stream ends in, each with the pieces in which its text came."""
    reader = StreamReader(provider, api=api)
    pieces = [piece for event in events if (piece := reader.feed(event))]
    response = reader.finish()
    whole = "".join(pieces)
    if whole != response.text:
        pieces, whole = [response.text], response.text
    edges = [*accumulate(map(len, pieces), initial=0)]
    made: list[_Text | GivenPart] = []
    at = 0
    for part in response.parts:
        end = at + len(part.content)
        cuts = [at, *(edge for edge in edges if at < edge < end), end]
        mine = tuple(whole[cuts[n] : cuts[n + 1]] for n in range(len(cuts) - 1))
        made.append(_Text(to_pydantic_ai(part, provider_name=PROVIDER_NAMES[provider]), mine))
        at = end
    return made


@dataclass
class _Stream(LocalStream):
    """One turn, as a stream."""

    step: _Step = field(kw_only=True)
    late: bool = field(kw_only=True)

    async def _get_event_iterator(self) -> AsyncIterator[ModelResponseStreamEvent]:
        cited: list[tuple[int, _Text]] = []
        for index, one in enumerate(self.step):
            if isinstance(one, _Text):
                for piece in one.pieces:
                    for event in self._parts_manager.handle_text_delta(vendor_part_id=index, content=piece):
                        yield event
                cited.append((index, one))
            elif isinstance(one, ToolCallPart):
                yield self._parts_manager.handle_tool_call_part(
                    vendor_part_id=index,
                    tool_name=one.tool_name,
                    args=one.args,
                    tool_call_id=one.tool_call_id,
                )
            else:
                yield self._parts_manager.handle_part(vendor_part_id=index, part=one)
            if not self.late or index == len(self.step) - 1:
                for place, text in cited:
                    for event in self._cited(place, text):
                        yield event
                cited = []

    def _cited(self, index: int, text: _Text) -> Iterable[ModelResponseStreamEvent]:
        part = text.part
        return self._parts_manager.handle_text_delta(
            vendor_part_id=index,
            content="",
            provider_name=part.provider_name,
            provider_details=part.provider_details,
            citations=part.citations,
        )
