"""Chunks of UI messages, as agents send them, and a run whose passages they cite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st
from pydantic_ai.ui.vercel_ai.response_types import (
    AbortChunk,
    BaseChunk,
    DataChunk,
    DoneChunk,
    ErrorChunk,
    FinishChunk,
    FinishStepChunk,
    MessageMetadataChunk,
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

from pincite.citing import CitationRun

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Sequence

SKY = {"id": "a-1", "document_id": "a", "title": "handbook.pdf", "content": "The sky is blue."}
GRASS = {
    "id": "b-1",
    "document_id": "b",
    "title": "Grass",
    "content": "Grass is green.",
    "url": "https://grass.example/green",
}


def run_of() -> tuple[CitationRun, str, str]:
    """Return a run with a document and a page on the web, and their refs."""
    run = CitationRun("ref")
    return run, run.present(SKY)["ref"], run.present(GRASS)["ref"]


DOCUMENT = next(iter(run_of()[0].store)).known.document_id


async def stream_of(chunks: Iterable[BaseChunk], error: Exception | None = None) -> AsyncIterator[BaseChunk]:
    """Give chunks, and then the error."""
    for chunk in chunks:
        yield chunk
    if error is not None:
        raise error


def text(text_id: str, *pieces: str) -> list[BaseChunk]:
    """Return the chunks of a text part."""
    deltas = [TextDeltaChunk(id=text_id, delta=piece) for piece in pieces]
    return [TextStartChunk(id=text_id), *deltas, TextEndChunk(id=text_id)]


def step(*parts: Sequence[BaseChunk]) -> list[BaseChunk]:
    """Return the chunks of a step."""
    return [StartStepChunk(), *(chunk for part in parts for chunk in part), FinishStepChunk()]


def message(*parts: Sequence[BaseChunk], message_id: str | None = "m-1") -> list[BaseChunk]:
    """Return the chunks of a message."""
    inside = [chunk for part in parts for chunk in part]
    return [StartChunk(message_id=message_id), *inside, FinishChunk(finish_reason="stop"), DoneChunk()]


def tool(call_id: str = "call-1") -> list[BaseChunk]:
    """Return the chunks of a tool's call and its result."""
    return [
        ToolInputStartChunk(tool_call_id=call_id, tool_name="search"),
        ToolInputAvailableChunk(tool_call_id=call_id, tool_name="search", input={}),
        ToolOutputAvailableChunk(tool_call_id=call_id, output=[]),
    ]


# Chunks in no order at all: of two ids, with halves of characters in them.
HALVES = ("\ud83d", "\ude00")
_IDS = st.sampled_from("xy")
_WORDS = st.sampled_from(["word ", "[", f"[{run_of()[1]}]", HALVES[0], HALVES[1], ""])
_CALL: dict[str, Any] = {"tool_call_id": _IDS}


def _made(kind: type[BaseChunk], **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[BaseChunk]:
    """Return chunks of a kind; their signatures have the names of the wire."""
    return st.fixed_dictionaries(fields).map(lambda given: kind(**given))


_CHUNKS: st.SearchStrategy[BaseChunk] = st.one_of(
    _made(StartChunk, message_id=_IDS),
    _made(StartStepChunk),
    _made(FinishStepChunk),
    _made(FinishChunk),
    _made(DoneChunk),
    _made(AbortChunk),
    _made(ErrorChunk, error_text=_WORDS),
    _made(TextStartChunk, id=_IDS),
    _made(TextDeltaChunk, id=_IDS, delta=_WORDS),
    _made(TextDeltaChunk, id=_IDS, delta=_WORDS),
    _made(TextEndChunk, id=_IDS),
    _made(ReasoningStartChunk, id=_IDS),
    _made(ReasoningDeltaChunk, id=_IDS, delta=_WORDS),
    _made(ReasoningEndChunk, id=_IDS),
    _made(ToolInputStartChunk, tool_name=_IDS, **_CALL),
    _made(ToolInputDeltaChunk, input_text_delta=_WORDS, **_CALL),
    _made(ToolInputAvailableChunk, tool_name=_IDS, input=_WORDS, **_CALL),
    _made(ToolInputErrorChunk, tool_name=_IDS, input=_WORDS, error_text=_WORDS, **_CALL),
    _made(ToolOutputAvailableChunk, output=_WORDS, **_CALL),
    _made(ToolOutputErrorChunk, error_text=_WORDS, **_CALL),
    _made(ToolOutputDeniedChunk, **_CALL),
    _made(ToolApprovalRequestChunk, approval_id=_IDS, **_CALL),
    _made(DataChunk, type=st.just("data-x"), data=_WORDS),
    _made(MessageMetadataChunk, message_metadata=_WORDS),
)
STREAMS = st.lists(_CHUNKS, max_size=14)
