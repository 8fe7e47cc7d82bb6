"""Same input, same citations: pydantic-ai's own model classes and our readers, on every recording that both read.

Those of OpenAI and OpenRouter run with what the project's tests have installed; where the SDKs of the others are there
as well, so do theirs. `docs/provider-history.md` lists every disagreement with its reason.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import httpx2 as httpx
import pydantic_ai as ai
import pytest
from pydantic_ai.messages import ModelRequest, ModelResponse, UserPromptPart
from pydantic_ai.models import Model, ModelRequestParameters

from pincite.agents.native import from_pydantic_ai, to_pydantic_ai
from pincite.providers.read import read_response
from pincite.providers.stream import StreamReader

# The recordings are read as the tests of providers read them.
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "providers"))
_recorded: Any = import_module("recorded")
NAMES: list[str] = _recorded.NAMES

if TYPE_CHECKING:
    from pincite.core.citation import TextPart

Json = dict[str, Any]
# The package of the SDK that pydantic-ai's model class needs.
SDKS = {
    "openai": "openai",
    "openrouter": "openai",
    "anthropic": "anthropic",
    "google": "google.genai",
    "bedrock": "boto3",
}
# What pydantic-ai does not read: this API, and this type of annotation (2 citations each).
INTERACTIONS = "google-stream-google-search-chunks-0"
CONTAINER_FILES = {
    "openai-stream-test-openai-responses-code-execution-return-image-stream-0",
    "openai-unary-test-openai-responses-code-execution-return-image-0",
}


def _installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ImportError:
        return False


READ_BY_BOTH = [
    name for name in NAMES if _installed(SDKS.get(name.partition("-")[0], "?")) and name != INTERACTIONS
]


def _readable(value: Any) -> Any:
    """Return a recording without what was cut for it: thought signatures, of which pydantic-ai wants the whole."""
    if isinstance(value, dict):
        fields = cast("Json", value)
        return {name: _readable(one) for name, one in fields.items() if name != "thoughtSignature"}
    return [_readable(one) for one in cast("list[Any]", value)] if isinstance(value, list) else value


def _client(recording: Json) -> httpx.AsyncClient:
    """Return a client that answers every request with the recording, as a stream where one is asked for."""

    def answer(request: httpx.Request) -> httpx.Response:
        streams = recording["stream"] or json.loads(request.content or b"{}").get("stream")
        if not streams:
            return httpx.Response(200, json=recording["response"])
        written: list[str] = []
        for event in cast("list[Json]", _recorded.events_of(recording)):
            if event.get("type") == "message_delta":
                event.setdefault("usage", {"output_tokens": 1})  # streams made of whole messages have none
            name = f"event: {event['type']}\n" if "type" in event else ""
            written.append(f"{name}data: {json.dumps(event)}\n\n")
        return httpx.Response(200, text="".join(written), headers={"content-type": "text/event-stream"})

    return httpx.AsyncClient(transport=httpx.MockTransport(answer), timeout=1200)


def _model(provider: str, client: httpx.AsyncClient) -> Model:
    if provider == "openai":
        from pydantic_ai.models.openai import OpenAIResponsesModel
        from pydantic_ai.providers.openai import OpenAIProvider

        return OpenAIResponsesModel("gpt-5", provider=OpenAIProvider(api_key="x", http_client=client))
    if provider == "openrouter":
        from pydantic_ai.models.openrouter import OpenRouterModel
        from pydantic_ai.providers.openrouter import OpenRouterProvider

        return OpenRouterModel("openai/gpt-5", provider=OpenRouterProvider(api_key="x", http_client=client))
    if provider == "anthropic":
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        return AnthropicModel(
            "claude-sonnet-5-5", provider=AnthropicProvider(api_key="x", http_client=client)
        )
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    return GoogleModel("gemini-2.5-pro", provider=GoogleProvider(api_key="x", http_client=client))


async def theirs(recording: Json) -> ModelResponse:
    """Return what pydantic-ai makes of a recording."""
    if recording["provider"] == "bedrock":
        from pydantic_ai.models.bedrock import BedrockConverseModel
        from pydantic_ai.providers.bedrock import BedrockProvider

        os.environ.update(AWS_ACCESS_KEY_ID="x", AWS_SECRET_ACCESS_KEY="y")
        model: Any = BedrockConverseModel(
            "us.anthropic.claude-sonnet-4-5", provider=BedrockProvider(region_name="us-east-1")
        )
        return await model._process_response({**recording["response"], "ResponseMetadata": {}})
    messages: list[Any] = [ModelRequest(parts=[UserPromptPart("x")])]
    async with _client(recording) as client:
        model = _model(recording["provider"], client)
        if not recording["stream"]:
            return await model.request(messages, None, ModelRequestParameters())
        async with model.request_stream(messages, None, ModelRequestParameters()) as stream:
            async for _ in stream:
                pass
            return stream.get()


def ours(recording: Json) -> tuple[TextPart, ...]:
    """Return what our readers make of it."""
    if not recording["stream"]:
        return read_response(recording["provider"], recording["response"], api=recording["api"]).parts
    reader = StreamReader(recording["provider"], api=recording["api"])
    for event in recording["events"]:
        reader.feed(event)
    return reader.finish().parts


def _same_title(citation: ai.Citation) -> ai.Citation:
    """Return a citation with None for an empty title: ours says that there is none, theirs has it as it came."""
    return replace(citation, sources=[replace(one, title=one.title or None) for one in citation.sources])


def _parts(response: ModelResponse) -> list[ai.TextPart]:
    return [part for part in response.parts if isinstance(part, ai.TextPart)]


@pytest.mark.parametrize("name", READ_BY_BOTH)
async def test_the_same_input_gives_the_same_citations(shared: Path, name: str) -> None:
    """The same input gives the same citations."""
    recording = _readable(_recorded.load(name))
    read = [to_pydantic_ai(part) for part in ours(recording)]
    asked = _parts(await theirs(recording))
    assert [part.content for part in read] == [part.content for part in asked]
    mine = [list(map(_same_title, part.citations or [])) for part in read]
    if name in CONTAINER_FILES:
        assert [len(one) for one in mine] == [2]
        assert [part.citations for part in asked] == [None]
        return
    assert mine == [list(map(_same_title, part.citations or [])) for part in asked]


@pytest.mark.parametrize("name", READ_BY_BOTH)
async def test_what_pydantic_ai_read_becomes_what_we_read(shared: Path, name: str) -> None:
    """Also the details, out of what it has kept raw; a title that came empty is one."""
    if name in CONTAINER_FILES:
        return
    recording = _readable(_recorded.load(name))
    for read, asked in zip(ours(recording), _parts(await theirs(recording)), strict=True):
        found = from_pydantic_ai(asked)
        for mine, one in zip(read.citations, found.citations, strict=True):
            if any(source.title == "" for source in one.sources):
                continue
            assert one.anchor == mine.anchor
            pairs = zip(mine.sources, one.sources, strict=True)
            assert [(a.span, a.details) for a, _ in pairs] == [(b.span, b.details) for b in one.sources]


def test_openai_and_openrouter_always_run() -> None:
    """OpenAI and OpenRouter always run."""
    assert {name.partition("-")[0] for name in READ_BY_BOTH} >= {"openai", "openrouter"} or not NAMES
