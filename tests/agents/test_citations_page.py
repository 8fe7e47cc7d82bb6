"""pydantic-ai's page on citations: its three blocks of code run against our types, and its history goes as it says."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import httpx2 as httpx
import pydantic_ai as ai
import pytest
from pydantic_ai import Agent, BinaryContent
from pydantic_ai.capabilities import Citations, NativeTool
from pydantic_ai.messages import ModelMessagesTypeAdapter, ModelRequest, ModelResponse, UserPromptPart
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.openai import OpenAIResponsesModel
from pydantic_ai.native_tools import WebSearchTool
from pydantic_ai.providers.openai import OpenAIProvider

from pincite import (
    Citation,
    ContentCitationAnchor,
    DocumentCitationSource,
    MarkerCitationAnchor,
    TextPart,
    WebCitationSource,
)
from pincite.agents.fake_model import FakeCitingModel, said
from pincite.agents.native import from_pydantic_ai, to_pydantic_ai
from pincite.providers.history import history_messages, message_ids_of
from pincite.providers.read import read_response
from pincite.providers.saving import load_response, save_response

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.providers.response import ProviderResponse

RETURNS = "Items may be returned within 30 days."


def ours(parts: Sequence[object]) -> list[object]:
    """Return the parts of a response with the text parts as ours."""
    return [from_pydantic_ai(part) if isinstance(part, ai.TextPart) else part for part in parts]


async def test_document_citations() -> None:
    """The first block: the excerpts of what was sent."""
    source = DocumentCitationSource(None, None, (RETURNS,))
    model = FakeCitingModel("anthropic", [[said("You have 30 days.", source)]])
    agent = Agent(model, capabilities=[Citations()])
    result = await agent.run(
        [
            "How long do customers have to return an item?",
            BinaryContent(data=RETURNS.encode(), media_type="text/plain"),
        ]
    )
    printed: list[list[str]] = []
    for part in ours(result.response.parts):
        if isinstance(part, TextPart):
            printed.extend(list(citation.sources[0].excerpts) for citation in part.citations or [])
    assert printed == [[RETURNS]]


async def test_render_citations() -> None:
    """The second block, its loop as it stands there: a marker, and what it is labelled with."""
    text = "The tallest mountain is Mount Columbia."
    model = FakeCitingModel(
        "openai", [[said(text, WebCitationSource("https://example.com", "Mount Columbia"))]]
    )
    agent = Agent(model, capabilities=[NativeTool(WebSearchTool())])
    result = await agent.run("What is the tallest mountain in Alberta?")

    printed: list[str] = []
    for part in ours(result.response.parts):
        if isinstance(part, TextPart):
            for citation in part.citations or []:
                anchor = citation.anchor
                if isinstance(anchor, ContentCitationAnchor):
                    location = f"supports {part.content[anchor.start : anchor.end]!r}"
                elif isinstance(anchor, MarkerCitationAnchor):
                    location = f"marker {part.content[anchor.start : anchor.end]!r}"
                else:
                    location = "somewhere in the text"

                for source in citation.sources:
                    if isinstance(source, WebCitationSource):
                        label = source.title or source.url
                    else:
                        label = source.title or source.document_id or "document"
                    printed.append(f"{location} {label}")
    assert printed == ["marker '([example.com](https://example.com))' Mount Columbia"]


# The third block: the same answer from different providers, in our types and in pydantic-ai's.
PAGES = ("https://a.example", "https://b.example")
LINKED = "Pydantic validates data. ([example.com](https://example.com))"
BLOCK = [
    (
        TextPart(
            "Pydantic validates data.",
            citations=(
                Citation(
                    sources=(WebCitationSource(PAGES[0]), WebCitationSource(PAGES[1])),
                    anchor=ContentCitationAnchor(start=0, end=24),
                ),
            ),
        ),
        ai.TextPart(
            "Pydantic validates data.",
            citations=[
                ai.Citation(
                    sources=[ai.WebCitationSource(PAGES[0]), ai.WebCitationSource(PAGES[1])],
                    anchor=ai.ContentCitationAnchor(start=0, end=24),
                )
            ],
        ),
    ),
    (
        TextPart(
            LINKED,
            citations=(
                Citation(
                    sources=(WebCitationSource("https://example.com"),),
                    anchor=MarkerCitationAnchor(start=25, end=61),
                ),
            ),
        ),
        ai.TextPart(
            LINKED,
            citations=[
                ai.Citation(
                    sources=[ai.WebCitationSource("https://example.com")],
                    anchor=ai.MarkerCitationAnchor(start=25, end=61),
                )
            ],
        ),
    ),
    (
        TextPart(
            "Pydantic validates data.",
            citations=(Citation(sources=(WebCitationSource("https://example.com"),)),),
        ),
        ai.TextPart(
            "Pydantic validates data.",
            citations=[ai.Citation(sources=[ai.WebCitationSource("https://example.com")])],
        ),
    ),
]


@pytest.mark.parametrize(("mine", "theirs"), BLOCK, ids=["google", "openai", "no_position"])
def test_the_same_answer_from_different_providers(mine: TextPart, theirs: ai.TextPart) -> None:
    """The third block: the same constructors, field for field."""
    assert from_pydantic_ai(theirs) == mine
    made = to_pydantic_ai(mine)
    assert (made.content, made.citations) == (theirs.content, theirs.citations)


LINK = "([a.example](https://a.example))"
ANSWER = f"It is high. {LINK} See the file."
OUTPUT: list[dict[str, Any]] = [
    {
        "type": "message",
        "id": "msg_1",
        "role": "assistant",
        "status": "completed",
        "content": [
            {
                "type": "output_text",
                "text": ANSWER,
                "annotations": [
                    {
                        "type": "url_citation", "url": "https://a.example", "title": "A",
                        "start_index": 12, "end_index": 12 + len(LINK),
                    },
                    {"type": "file_citation", "file_id": "file-1", "filename": "a.pdf", "index": 56},
                    {
                        "type": "container_file_citation", "container_id": "c", "file_id": "f", "filename": "n",
                        "start_index": 0, "end_index": 0,
                    },
                ],
            }
        ],
    }
]  # fmt: skip
RESPONSE: dict[str, Any] = {
    "id": "resp_1", "object": "response", "created_at": 1, "model": "gpt-5", "status": "completed", "output": OUTPUT,
    "parallel_tool_calls": True, "tool_choice": "auto", "tools": [],
}  # fmt: skip


async def body_of(history: list[Any], *, send_ids: bool) -> list[Any]:
    """Return the `input` of the request in which pydantic-ai sends a history to OpenAI's Responses API."""
    seen: list[dict[str, Any]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(json.loads(request.content))
        return httpx.Response(200, json=RESPONSE)

    settings: Any = {"openai_send_reasoning_ids": send_ids}
    messages = [
        ModelRequest(parts=[UserPromptPart("x")]),
        *history,
        ModelRequest(parts=[UserPromptPart("y")]),
    ]
    async with httpx.AsyncClient(transport=httpx.MockTransport(answer), timeout=1200) as client:
        model = OpenAIResponsesModel("gpt-5", provider=OpenAIProvider(api_key="x", http_client=client))
        await model.request(messages, settings, ModelRequestParameters())
    return [one for one in seen[0]["input"] if one["role"] == "assistant"]


def answered() -> tuple[ProviderResponse, tuple[str | None, ...]]:
    """Return the synthetic answer and the ids of its messages."""
    return read_response("openai", RESPONSE), message_ids_of(RESPONSE)


@pytest.mark.parametrize("send_ids", [True, False])
async def test_openai_gets_the_same_body_from_us_as_from_pydantic_ai(send_ids: bool) -> None:  # noqa: FBT001 - both ways
    """URL and file citations with the message id, none without it; those of a container never."""
    answer, ids = answered()
    part = to_pydantic_ai(answer.parts[0], provider_name="openai", id=ids[0])
    history = [ModelResponse(parts=[part], provider_name="openai", model_name="gpt-5")]
    theirs = await body_of(history, send_ids=send_ids)
    sent = history_messages(answer, "openai", message_ids=ids if send_ids else ())
    assert list(sent.messages) == theirs
    assert (sent.sent, len(sent.left)) == ((2, 1) if send_ids else (0, 3))


async def test_our_record_in_their_history_changes_no_byte_of_a_request() -> None:
    """Every turn sends the same, also after the history went through JSON."""
    answer, ids = answered()
    history: list[Any] = [
        ModelResponse(
            parts=[to_pydantic_ai(answer.parts[0], provider_name="openai", id=ids[0])],
            provider_name="openai",
            model_name="gpt-5",
        )
    ]
    first = json.dumps(await body_of(history, send_ids=True))
    for _ in range(2):
        history = ModelMessagesTypeAdapter.validate_json(ModelMessagesTypeAdapter.dump_json(history))
        answer = load_response(save_response(answer))
        assert json.dumps(await body_of(history, send_ids=True)) == first
        assert json.loads(first) == list(history_messages(answer, "openai", message_ids=ids).messages)
