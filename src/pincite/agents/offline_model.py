"""The offline model: a pydantic-ai model that needs no network and no key, because it only quotes.

It calls the search tool with the question, picks the sentences that answer from what came back, and writes each
as it stands in its passage, followed by the marker of that passage. Everything it says is a quotation.
"""

from __future__ import annotations

import json
import re
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, cast

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ModelResponseStreamEvent,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.usage import RequestUsage

from pincite.agents._extract import extract
from pincite.agents._quote_request import QUOTE_TOOL, QuoteRequest
from pincite.agents._streams import LocalStream
from pincite.agents._units import STOPS, Source, stems
from pincite.citing.formats import DEFERRED, EVIDENCE_ID, INLINE_URL, REF, SHORT_ID, SUP_NUMERIC
from pincite.citing.formats.base import SHOWN_FIELDS
from pincite.core.errors import MissingExtraError, ModelFileError
from pincite.core.parts import parts_of
from pincite.core.text import normalise, one_line
from pincite.core.verdicts import Confidence

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping, Sequence

    from pydantic_ai import RunContext
    from pydantic_ai.settings import ModelSettings
    from pydantic_ai.tools import ToolDefinition

    from pincite.agents._extract import Quote, Similarity
    from pincite.citing.formats import WireFormat
    from pincite.core.protocols import BestSpan, Embedder

MODEL_NAME: Final = "pincite:extractive"
"""The name under which it answers: provider and model, as pydantic-ai writes one."""

_PROVIDER, _MODEL = MODEL_NAME.split(":")

EXTRACTIVE_NOTICE: Final = "extractive answer: sentences quoted from your documents, no model wrote this"
"""What is said wherever it speaks."""

NO_ANSWER: Final = "The documents do not answer this question."
"""What it writes when no sentence is near enough to the question."""

NOT_BY_ITSELF: Final = "No sentence of the documents answers this by itself."
"""What it writes in place of that when the search supports a passage: the answer may be there, in other words."""

# Places that are named behind that, and code points of each.
_MOST_PLACES: Final = 3
_LONGEST_PLACE: Final = 120

# The wire formats that are told from a payload by its key, in the order in which they are tried.
_KEYED: Final = tuple(
    (str(one.key_field), one) for one in (REF, SHORT_ID, EVIDENCE_ID, INLINE_URL, SUP_NUMERIC)
)
# All that a payload holds that is shown without a key.
_KEYLESS: Final = set[str](SHOWN_FIELDS)
# Where the names of the columns stand, of rows without their header.
_COLUMNS: Final = "columns"
# Code points of a sentence as it is quoted; longer ones are cut.
_LONGEST_QUOTE: Final = 600
# What a line may begin with in Markdown (list, quotation, heading, row): linear, one class and one bounded number.
_LINE_MARK: Final = re.compile(r"(?:[\s>#|*+•‣▪◦~=-]+|\d{1,3}[.)]\s)+")
# Emphasis around words: linear, runs of one character.
_EMPHASIS: Final = re.compile(r"\*{1,3}|_{2,3}")
# The bar between two cells of a row: linear.
_CELL: Final = re.compile(r"\s*\|\s*")
# Words without anything that means something in Markdown, as an extract has them: linear, one class and its blanks.
_EXTRACT: Final = re.compile(r"[\w'’.,;:%€$£-]+(?: [\w'’.,;:%€$£-]+)*")
# Words that an extract has.
_FEWEST_WORDS, _MOST_WORDS = 3, 12
# Whatever could be read as a marker, as code or as a tag becomes something that cannot.
_DISARMED: Final = str.maketrans({"[": "(", "]": ")", "【": "(", "】": ")", "`": "'", "<": "‹", ">": "›"})


@dataclass(frozen=True, slots=True)
class _Passage:
    wire_format: WireFormat
    key: str | int
    source: Source
    place: str
    columns: str


class OfflineModel(Model):
    """Answers by quoting. With an `embedder`, meaning counts beside words; without one, words alone.

    It cites in `wire_format`; without one, in that of the key which each passage carries. `best_span` says which part
    of a passage that answers is quoted (`Search.best_span`); without one, its own weighing of words. `confidence` gives
    what the search says of the passage with a key; None where it says nothing.
    """

    def __init__(
        self,
        *,
        embedder: Embedder | None = None,
        wire_format: WireFormat | None = None,
        best_span: BestSpan | None = None,
        confidence: Callable[[str], Confidence | None] | None = None,
    ) -> None:
        super().__init__()
        self._embedder = embedder
        self._format = wire_format
        self._best_span = best_span
        self._confidence = confidence

    @property
    def model_name(self) -> str:
        """Return the model's name without its provider's."""
        return _MODEL

    @property
    def system(self) -> str:
        """Return the provider's name, which is ours."""
        return _PROVIDER

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Call the search tool, or answer from what it returned."""
        _, parameters = self.prepare_request(model_settings, model_request_parameters)
        part = self._next(messages, parameters)
        return ModelResponse(parts=[part], model_name=_MODEL, provider_name=_PROVIDER, usage=RequestUsage())

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,  # noqa: ARG002 - the base class's signature
    ) -> AsyncGenerator[StreamedResponse]:
        """Do the same, the text word by word."""
        _, parameters = self.prepare_request(model_settings, model_request_parameters)
        yield _Stream(
            model_request_parameters=parameters,
            part=self._next(messages, parameters),
            model=_MODEL,
            provider=_PROVIDER,
        )

    def _next(
        self, messages: Sequence[ModelMessage], parameters: ModelRequestParameters
    ) -> TextPart | ToolCallPart:
        turn = _last_turn(messages)
        if any(tool.name == QUOTE_TOOL for tool in parameters.output_tools):
            return ToolCallPart(QUOTE_TOOL, {"quotes": _picked(_question(turn))})
        tool = _search_tool(parameters.function_tools)
        called = any(isinstance(part, ToolCallPart) for message in turn for part in message.parts)
        if tool is not None and not called:
            return ToolCallPart(tool.name, {_question_field(tool): _question(turn)})
        return TextPart(self.answer(_question(turn), _payloads(turn, self._format)))

    def answer(self, question: str, payloads: Sequence[Mapping[str, Any]]) -> str:
        """Return the sentences of `payloads` (as `CitationRun.present` makes them) that answer, with markers.

        `NO_ANSWER` when none does, or `NOT_BY_ITSELF` and the nearest places where the search supports a passage.
        """
        question = normalise(question)  # no embedder reads half of a character
        found = (_passage(payload, self._format) for payload in payloads)
        passages = [self._judged(passage) for passage in found if passage is not None]
        quotes = extract(
            question,
            [passage.source for passage in passages],
            similarity=self._similarity_to(question),
            best_span=self._best_span,
        )
        written = [
            (passages[quote.source], quote, text)
            for quote in quotes
            if (text := _written(passages[quote.source], quote))
        ]
        lines = [
            f"{text} {_marker(passage, number, passage.source.text[quote.start : quote.end])}".rstrip()
            for number, (passage, quote, text) in enumerate(written, 1)
        ]
        if not lines:
            return _declined(passages)
        if len(lines) == 1 or all(text.endswith(STOPS) for _, _, text in written):
            return " ".join(lines)
        return "\n".join(f"- {line}" for line in lines)

    def _judged(self, passage: _Passage) -> _Passage:
        """Return a passage with what the search says of it."""
        if self._confidence is None or passage.key == "":
            return passage
        said = self._confidence(str(passage.key))
        return replace(passage, source=replace(passage.source, confidence=said))

    def _similarity_to(self, question: str) -> Similarity | None:
        """Return how near texts are in meaning to the question, or None when no embedder can say."""
        if self._embedder is None:
            return None
        try:
            asked = [float(number) for number in self._embedder.embed([question])[0]]
        except (ModelFileError, MissingExtraError):
            return None  # words alone do, as in the search
        embed = self._embedder.embed

        def similarity(texts: Sequence[str]) -> list[float]:
            return [sum(a * float(b) for a, b in zip(asked, vector, strict=True)) for vector in embed(texts)]

        return similarity


def _declined(passages: Sequence[_Passage]) -> str:
    """Return that there is no answer to be quoted, with the nearest places where the search supports some."""
    supported = (one for one in passages if one.source.confidence is Confidence.SUPPORTED)
    places = list(dict.fromkeys(one.place for one in supported if one.place))[:_MOST_PLACES]
    return f"{NOT_BY_ITSELF} The nearest passages: {'; '.join(places)}." if places else NO_ANSWER


def _columns(payload: Mapping[str, Any]) -> str:
    """Return the names of the columns of rows that stand without their header; empty where there are none."""
    columns = payload.get(_COLUMNS)
    return normalise(columns) if isinstance(columns, str) else ""


def _place(payload: Mapping[str, Any]) -> str:
    """Return where a passage stands, as a person is told it: its title and its place in the document."""
    named = (payload.get(name) for name in ("title", "locator"))
    title, place = (
        one_line(normalise(text), _LONGEST_PLACE) if isinstance(text, str) else "" for text in named
    )
    # A document's first heading is its title, and is not told twice.
    place = place.removesuffix(title).rstrip(", ")
    told = [text for text in (title, "" if place in title else place) if text]
    return ", ".join(as_written(text, 0, len(text)) for text in told).rstrip(" .;")


def _picked(prompt: str) -> list[dict[str, Any]]:
    """Return, for each statement of a request, the sentence of its passage that is nearest to it."""
    request = QuoteRequest.read(prompt)
    if request is None:
        return []
    passages = {passage.number: passage.text for passage in request.passages}
    found: list[dict[str, Any]] = []
    for statement in request.statements:
        text, wanted = passages.get(statement.passage, ""), stems(statement.text)
        sentences = [text[part.start : part.end] for part in parts_of(text) if part.kind.can_answer]
        # Of sentences that share as many words, the one that says least besides.
        nearest = max(sentences, key=lambda one: (len(stems(one) & wanted), -len(one)), default="")
        if 2 * len(stems(nearest) & wanted) >= len(wanted):
            found.append({"number": statement.number, "quote": nearest})
    return found


def _written(passage: _Passage, quote: Quote) -> str:
    """Return a quote on one line, a row behind the names of its columns."""
    text = passage.source.text
    said = as_written(text, quote.start, quote.end)
    names = ""
    if quote.header is not None:
        names = as_written(text, *quote.header)
    elif quote.is_row:
        names = as_written(passage.columns, 0, len(passage.columns))
    return f"{names}: {said}" if names and said else said


def as_written(text: str, start: int, end: int) -> str:
    """Return code points `start` to `end` of a passage on one line, for quoting.

    White space is tidied, marks of lists, headings, tables and emphasis are left out, and what could be read as a
    citation marker, code or a tag is written with other brackets, so that a passage cannot cite for us.
    """
    line = one_line(text[start:end], _LONGEST_QUOTE)
    mark = _LINE_MARK.match(line)
    line = line if mark is None else line[mark.end() :]
    return _EMPHASIS.sub("", _CELL.sub(" · ", line.rstrip(" |")).translate(_DISARMED)).strip(" \\·")


def _last_turn(messages: Sequence[ModelMessage]) -> Sequence[ModelMessage]:
    """Return the messages from the last one that holds a user's words."""
    for place in range(len(messages) - 1, -1, -1):
        message = messages[place]
        if isinstance(message, ModelRequest) and any(
            isinstance(part, UserPromptPart) for part in message.parts
        ):
            return messages[place:]
    return messages


def _question(turn: Sequence[ModelMessage]) -> str:
    said = [
        part.content if isinstance(part.content, str) else " ".join(_texts(part.content))
        for message in turn
        if isinstance(message, ModelRequest)
        for part in message.parts
        if isinstance(part, UserPromptPart)
    ]
    return "\n".join(said)


def _texts(content: Sequence[object]) -> Iterator[str]:
    for piece in content:
        text = piece if isinstance(piece, str) else getattr(piece, "content", None)
        if isinstance(text, str):
            yield text


def _search_tool(tools: Sequence[ToolDefinition]) -> ToolDefinition | None:
    named = [tool for tool in tools if "search" in tool.name]
    return min(named, key=lambda tool: len(tool.name), default=None)


def _question_field(tool: ToolDefinition) -> str:
    properties = cast("dict[str, dict[str, Any]]", tool.parameters_json_schema.get("properties", {}))
    texts = [name for name, schema in properties.items() if schema.get("type") == "string"]
    return next((name for name in ("question", "query") if name in texts), texts[0] if texts else "question")


def _payloads(turn: Sequence[ModelMessage], given: WireFormat | None) -> list[Mapping[str, Any]]:
    """Return every payload that the tools of this turn returned, each passage once, in order."""
    found: dict[tuple[object, ...], Mapping[str, Any]] = {}
    for message in turn:
        for part in message.parts:
            if isinstance(part, ToolReturnPart) and part.outcome == "success":
                for payload in _rows(part.content):
                    passage = _passage(payload, given)
                    if passage is not None:
                        # What has no key is told from others by what it says.
                        name = (
                            (str(passage.key),)
                            if passage.key
                            else (passage.source.heading, passage.source.text)
                        )
                        found.setdefault(name, payload)
    return list(found.values())


def _rows(content: object) -> list[Mapping[str, Any]]:
    """Return the payloads in a tool's result: a list of them, a mapping that holds one, or either as JSON."""
    if isinstance(content, str):
        try:
            content = json.loads(content)
        except ValueError:
            return []
    if isinstance(content, dict):
        values = cast("dict[str, object]", content).values()
        content = next((cast("object", value) for value in values if isinstance(value, list)), None)
    if not isinstance(content, list):
        return []
    rows = cast("list[object]", content)
    return [cast("Mapping[str, Any]", row) for row in rows if isinstance(row, dict)]


def _passage(payload: Mapping[str, Any], given: WireFormat | None) -> _Passage | None:
    """Return a payload as a passage in the format that is given, or in that of its key; None where it has no key."""
    text = payload.get("content")
    format_ = given if given is not None else _format_of(payload)
    if format_ is None or not isinstance(text, str):
        return None
    key: object = "" if format_.key_field is None else payload.get(format_.key_field)
    if not isinstance(key, str | int) or (key == "") is not (format_.key_field is None):
        return None
    return _Passage(
        format_, key, Source(normalise(text), " ".join(_heading(payload))), _place(payload), _columns(payload)
    )


def _format_of(payload: Mapping[str, Any]) -> WireFormat | None:
    if payload.keys() - {_COLUMNS} == _KEYLESS:
        return DEFERRED  # presented without a key, so nothing is written
    return next((one for field_, one in _KEYED if field_ in payload), None)


def _marker(passage: _Passage, number: int, sentence: str) -> str:
    """Return the marker of a passage: the `number`-th of the answer, behind a `sentence` of it."""
    return passage.wire_format.write(passage.key, number, _extract(sentence))


def _extract(sentence: str) -> str | None:
    """Return the first few words of a sentence that nothing stands between, None where there are no such."""
    for run in _EXTRACT.finditer(sentence):
        words = run.group().split(" ")
        if len(words) >= _FEWEST_WORDS:
            return " ".join(words[:_MOST_WORDS])
    return None


def _heading(payload: Mapping[str, Any]) -> Iterator[str]:
    locator = payload.get("locator")
    yield from (text for name in ("title", _COLUMNS) if isinstance(text := payload.get(name), str))
    if isinstance(locator, str):
        yield locator
    elif isinstance(locator, dict):
        headings = cast("dict[str, object]", locator).get("headings", ())
        if isinstance(headings, list | tuple):
            yield from (str(heading) for heading in cast("Sequence[object]", headings))


@dataclass
class _Stream(LocalStream):
    """One part, as a stream."""

    part: TextPart | ToolCallPart = field(kw_only=True)

    async def _get_event_iterator(self) -> AsyncIterator[ModelResponseStreamEvent]:
        if isinstance(self.part, ToolCallPart):
            yield self._parts_manager.handle_tool_call_part(
                vendor_part_id=0,
                tool_name=self.part.tool_name,
                args=cast("dict[str, Any]", self.part.args),
                tool_call_id=self.part.tool_call_id,
            )
            return
        # A word with the white space after it: linear.
        for match in re.finditer(r"\S+\s*", self.part.content):
            for event in self._parts_manager.handle_text_delta(vendor_part_id=0, content=match.group()):
                yield event
