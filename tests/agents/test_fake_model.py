"""The model that cites as one of ten providers does, without a network."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from pydantic_ai import Agent
from pydantic_ai.capabilities import NativeTool
from pydantic_ai.messages import PartDeltaEvent, PartEndEvent, PartStartEvent, TextPartDelta, ToolCallPart
from pydantic_ai.native_tools import WebSearchTool

from pincite.agents.fake_model import FAKE_PROVIDERS, FakeCitingModel, said
from pincite.agents.native import NativeCitations, from_pydantic_ai, native_answer, output_part
from pincite.core.citation import (
    ContentCitationAnchor,
    DocumentCitationSource,
    MarkerCitationAnchor,
    SourceSpan,
    WebCitationSource,
)
from pincite.core.errors import InputError
from pincite.providers.read import read_response
from pincite.providers.stream import StreamReader

if TYPE_CHECKING:
    import pydantic_ai as ai

PAGE = WebCitationSource("https://a.example/x", "A", ("Words of a.",))
FILE = DocumentCitationSource("file-1", "Terms", ("Items may go back.",))
TEXT = "Zoë 😀: Items may go back. Ask us."
SAID = "Items may go back."
WEB_ONLY, DOCUMENTS_ONLY = ("openrouter", "perplexity"), ("groq", "cohere")
NOT_SAID_WHERE = ("openrouter", "mistral")
LINKS = {
    "openai": " ([a.example](https://a.example/x))",
    "xai": " [[1]](https://a.example/x)",
    "perplexity": " [1]",
}
LATE = {"google", "openrouter", "groq", "perplexity", "xai", "cohere"}


def source_for(provider: str) -> WebCitationSource | DocumentCitationSource:
    """Return a source that a provider cites."""
    return FILE if provider in DOCUMENTS_ONLY else PAGE


def model_of(provider: str) -> FakeCitingModel:
    """Return a model that says one thing with a source, and something before and behind it."""
    return FakeCitingModel(provider, [["Zoë 😀: ", said(SAID, source_for(provider)), " Ask us."]])


def test_there_are_ten() -> None:
    """There are ten."""
    assert len(FAKE_PROVIDERS) == 10


@pytest.mark.parametrize("provider", FAKE_PROVIDERS)
async def test_each_has_its_own_kind_of_anchor(provider: str) -> None:
    """Each has its own kind of anchor."""
    native = NativeCitations()
    answer = native.answer(await Agent(model_of(provider), capabilities=[native]).run("x"))
    assert answer.text == "Zoë 😀: Items may go back." + LINKS.get(provider, "") + " Ask us."
    (citation,) = answer.citations
    anchor = citation.anchor
    about = None if anchor is None else answer.text[anchor.start : anchor.end]
    if provider in NOT_SAID_WHERE:
        assert anchor is None
    elif provider in LINKS:
        assert isinstance(anchor, MarkerCitationAnchor)
        assert about == LINKS[provider].strip()
    else:
        assert isinstance(anchor, ContentCitationAnchor)
        assert about == SAID
    (source,) = citation.sources
    if isinstance(source, WebCitationSource):
        assert (source.url, source.title) == (PAGE.url, PAGE.title)
    else:
        assert source.document_id == FILE.document_id


@pytest.mark.parametrize("provider", FAKE_PROVIDERS)
async def test_a_stream_ends_in_what_comes_at_once(provider: str) -> None:
    """A stream ends in what comes at once."""
    agent = Agent(model_of(provider))
    whole = await agent.run("x")
    async with agent.run_stream("x") as stream:
        pieces = [piece async for piece in stream.stream_text(delta=True, debounce_by=None)]
    assert stream.response.parts == whole.response.parts
    assert "".join(pieces) == whole.output
    assert len(pieces) > 3


@pytest.mark.parametrize("provider", FAKE_PROVIDERS)
async def test_citations_come_when_those_of_the_provider_do(provider: str) -> None:
    """Citations come when those of the provider do."""
    model = FakeCitingModel(provider, [[said(SAID, source_for(provider)), ToolCallPart("look", {})], "Done."])
    agent = Agent(model)

    @agent.tool_plain
    def look() -> str:  # pyright: ignore[reportUnusedFunction] - the agent calls it
        return "seen"

    told: list[str] = []
    async with agent.run_stream_events("x") as events:
        async for event in events:
            if isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
                told.append("cited" if event.delta.citations_delta else "text")
            elif isinstance(event, PartStartEvent) and isinstance(event.part, ToolCallPart):
                told.append("call")
            elif isinstance(event, PartEndEvent):
                told.append("end")
    told = told[: told.index("call") + 3]
    assert (told.index("cited") > told.index("call")) is (provider in LATE)


async def test_turns_follow_one_another_and_the_last_one_stays() -> None:
    """Turns follow one another and the last one stays."""
    model = FakeCitingModel("anthropic", ["One.", [said("Two.", PAGE)]])
    agent = Agent(model)
    outputs = [(await agent.run(f"question {number}")).output for number in range(3)]
    assert outputs == ["One.", "Two.", "Two."]
    assert len(model.requests) == 3
    assert "question 2" in str(model.requests[2])


async def test_it_takes_the_tools_of_providers() -> None:
    """It takes the tools of providers."""
    agent = Agent(model_of("openai"), capabilities=[NativeTool(WebSearchTool())])
    assert (await agent.run("x")).output.startswith("Zoë")


async def test_the_span_of_a_document_is_the_one_that_was_asked_for() -> None:
    """The span of a document is the one that was asked for."""
    source = DocumentCitationSource("file-1", "Terms", ("may go",), SourceSpan(6, 12))
    for provider in ("anthropic", "bedrock"):
        result = await Agent(FakeCitingModel(provider, [[said("It may.", source)]])).run("x")
        (citation,) = output_part(result.response).citations
        assert citation.sources[0].span == SourceSpan(6, 12)


@pytest.mark.parametrize(
    ("provider", "turns", "said_of_it"),
    [
        ("nobody", ["x"], "no fake of"),
        ("openai", [], "at least one"),
        ("openai", "text", "a list of turns"),
        ("openai", [[object()]], "made of texts"),
        ("openai", [7], "texts, or lists"),
        ("cohere", [[said("x", PAGE)]], "cites no web"),
        ("openrouter", [[said("x", FILE)]], "cites no document"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(provider: str, turns: Any, said_of_it: str) -> None:
    """What cannot be is told in a sentence."""
    with pytest.raises(InputError, match=said_of_it):
        FakeCitingModel(provider, turns)


FOLDER = (
    Path(os.environ.get("PINCITE_SHARED") or Path(__file__).resolve().parents[3] / "shared") / "recordings"
)
STREAMS = sorted(path.stem for path in FOLDER.glob("*-stream-*.json"))


@pytest.mark.parametrize("name", STREAMS)
async def test_a_recorded_stream_can_be_played(shared: Path, name: str) -> None:
    """A recorded stream can be played."""
    recording = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    provider, api, events = recording["provider"], recording["api"], recording["events"]
    reader = StreamReader(provider, api=api)
    for event in events:
        reader.feed(event)
    response = reader.finish()
    if not response.text:
        return
    agent = Agent(FakeCitingModel.replaying(provider, [events], api=api))
    async with agent.run_stream("x") as stream:
        pieces = [piece async for piece in stream.stream_text(delta=True, debounce_by=None)]
    part = output_part(stream.response)
    assert "".join(pieces) == part.content == response.text
    assert len(part.citations) == len(response.citations)
    assert [one.sources for one in part.citations] == [one.sources for one in response.citations]
    assert native_answer(part).text == response.text


def test_there_has_to_be_a_stream_to_play() -> None:
    """There has to be a stream to play."""
    with pytest.raises(InputError, match="at least one stream"):
        FakeCitingModel.replaying("openai", [])
    with pytest.raises(InputError, match="no provider"):
        FakeCitingModel.replaying("nobody", [[]])


def test_what_it_sends_is_read_as_that_of_a_real_provider() -> None:
    """The raw fields are there, so a history with it goes back as one of the provider's does."""
    model = FakeCitingModel("anthropic", [[said(SAID, PAGE)]])
    part = cast("ai.TextPart", cast("Any", model._steps[0][0]).part)
    raw = (part.provider_details or {})["citations"]
    assert raw[0]["encrypted_index"] == "fake-0"
    again = read_response("anthropic", {"content": [{"type": "text", "text": SAID, "citations": raw}]})
    assert again.parts[0].citations == from_pydantic_ai(part).citations
