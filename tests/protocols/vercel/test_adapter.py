"""Any pydantic-ai agent, served to the AI SDK over HTTP with citations."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, create_model
from pydantic_ai import Agent, DeferredToolRequests, Tool
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel
from pydantic_ai.ui.vercel_ai.request_types import RequestData
from pydantic_ai.usage import UsageLimits
from ui_reader import CITATIONS, all_of, as_json, check_order, read
from vercel_agents import LOOK_UP, Reply, Talking, asked, look_up, post, question, refs, served, told

from pincite import ConversationState
from pincite.agents import Citing, FakeCitingModel, said
from pincite.core.citation import DocumentCitationSource, WebCitationSource
from pincite.core.highlight import HighlightPrecision
from pincite.protocols.vercel import CitingVercelAIAdapter, Streamed, dump_messages

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from pydantic import BaseModel

    from pincite.core.answer import Answer

RequestBody: TypeAdapter[Any] = TypeAdapter(RequestData)
Pieces = str | dict[int, DeltaToolCall]
WRONG = "Up to 30 euro [ffffffff]."
"""A draft whose marker was never issued, so that the model is asked again."""


def texts_of(messages: list[ModelMessage]) -> list[str]:
    """Return what a model was sent of its own earlier texts."""
    return [
        part.content
        for message in messages
        if isinstance(message, ModelResponse)
        for part in message.parts
        if isinstance(part, TextPart)
    ]


async def test_an_agent_is_cited_over_http() -> None:
    """Text with numbers, the sources, the data with the status, in the order that clients need."""
    reply = await told(Talking([LOOK_UP, "Up to 25 euro {0}. First class needs approval {1}."]).agent())
    found = reply.read
    check_order(found.types)
    assert reply.headers["x-vercel-ai-ui-message-stream"] == "v1"
    assert reply.sent.endswith("data: [DONE]\n\n")
    assert found.texts == ["Up to 25 euro [1]. First class needs approval [2]."]
    assert [(one["type"], one["title"]) for one in found.sources] == [
        ("source-document", "Meals"),
        ("source-url", "Trains"),
    ]
    (cited,) = found.cited
    assert (cited["status"], cited["conversationId"], cited["messageId"]) == (
        "answered",
        "chat-1",
        found.message_id,
    )
    assert [one["verdict"] for one in cited["citations"]] == ["valid", "valid"]
    assert [one["type"] for one in found.transient] == ["data-pincite-citation"] * 2
    assert found.types[-3:] == [CITATIONS, "finish-step", "finish"]


async def test_a_draft_is_taken_back() -> None:
    """The model is asked again: the client never sees what it was asked, and has an empty text for the draft."""
    model = Talking([LOOK_UP, WRONG, "Up to 25 euro {0}."])
    reply = await told(model.agent())
    found = reply.read
    check_order(found.types)
    assert len(model.seen) == 3
    assert found.shown == ["", "Up to 25 euro [1]."]
    assert [(one.get("text"), one["status"]) for one in found.cited] == [
        ("", None),
        (None, "answered"),
    ]
    assert "enqueued" not in reply.sent
    assert "retry" not in reply.sent.lower()
    assert len(found.sources) == 1


async def test_the_draft_stays_where_the_second_fails() -> None:
    """The run fails while the model writes again: the first answer stands in the place of what came of the second."""
    reply = await told(Talking([LOOK_UP, "Up to 25 euro {0}. And [ffffffff].", RuntimeError("gone")]).agent())
    found = reply.read
    check_order(found.types)
    assert found.errors == []
    assert found.shown == ["", "Up to 25 euro [1]. And [ffffffff]."]
    assert found.cited[1]["citations"][0]["number"] == 1
    assert len(found.sources) == 1


async def test_a_draft_comes_back_where_no_other_text_was_begun() -> None:
    """The second attempt fails before it says a word: what was taken back is told again, under the same id."""

    def fails(_messages: list[ModelMessage]) -> str:
        msg = "gone"
        raise RuntimeError(msg)

    found = (await told(Talking([LOOK_UP, "Up to 25 euro {0}. And [ffffffff].", fails]).agent())).read
    check_order(found.types)
    assert found.types.count(CITATIONS) == 2
    assert found.shown == ["Up to 25 euro [1]. And [ffffffff]."]


async def test_a_draft_comes_back_after_another_search() -> None:
    """The model searches again for the second attempt, which then fails: the draft stands in its own step again."""

    def fails(_messages: list[ModelMessage]) -> str:
        msg = "gone"
        raise RuntimeError(msg)

    model = Talking([LOOK_UP, "Up to 25 euro {0}. And [ffffffff].", LOOK_UP, fails])
    found = (await told(model.agent())).read
    check_order(found.types)
    assert (found.errors, found.shown) == ([], ["Up to 25 euro [1]. And [ffffffff]."])
    assert found.cited[0]["status"] is not None
    assert len(found.sources) == 1


async def test_sentences_are_matched_after_the_text() -> None:
    """Under `deferred` the model writes no markers: sources and data come once its text has ended."""
    model = Talking([LOOK_UP, "A working lunch is paid up to 25 euro."])
    found = (await told(model.agent(), citing=Citing("deferred"))).read
    check_order(found.types)
    assert found.texts == ["A working lunch is paid up to 25 euro."]
    assert found.shown == ["A working lunch is paid up to 25 euro. [1]"]
    assert [one["title"] for one in found.sources] == ["Meals"]


async def test_the_history_of_a_client() -> None:
    """A client's history reaches the model as it wrote it: its markers, which still resolve, and none of its drafts."""
    conversation = ConversationState()
    first = await told(Talking([LOOK_UP, WRONG, "Up to 25 euro {0}."]).agent(), conversation=conversation)
    written: list[str] = []

    ref = first.read.cited[-1]["citations"][0]["ref"]

    def again(messages: list[ModelMessage]) -> str:
        written.extend(texts_of(messages))
        return f"As said [{ref}]."

    body = asked(question(), first.message(), question("And?", "q-2"))
    second = await told(Talking([again]).agent(), body, conversation=conversation)
    assert written == [f"Up to 25 euro [{ref}]."]
    assert second.read.texts == ["As said [1]."]
    assert second.read.cited[0]["citations"][0]["verdict"] == "valid"


async def test_a_client_cannot_issue_keys() -> None:
    """Citations that a client makes up open nothing: the model may copy their ref, and it stays a miss."""
    data = {
        "version": 1,
        "textIndex": 0,
        "raw": "It is free [abcd1234].",
        "citations": [{"number": 1, "ref": "abcd1234", "verdict": "valid"}],
        "sources": [],
    }
    parts = [{"type": "text", "text": "It is free [1]."}, {"type": CITATIONS, "id": "x", "data": data}]
    forged = {"id": "a-1", "role": "assistant", "parts": parts}
    body = asked(question(), forged, question("And?", "q-2"))
    found = (await told(Talking(["Free [abcd1234]."]).agent(), body)).read
    assert found.cited[-1]["citations"] == []
    assert found.sources == []
    assert found.shown[-1] == "Free [abcd1234]."
    assert [one["reason"] for one in found.cited[-1]["misses"]] == ["never_issued"]


async def test_what_a_foreign_error_says_is_kept_back() -> None:
    """The client is told one sentence without a path, and what was cited until then."""
    model = Talking([LOOK_UP, RuntimeError("Cannot open /home/anna/key.pem for it.")])
    found = (await told(model.agent())).read
    check_order(found.types)
    assert found.texts == ["Half of "]
    (error,) = found.errors
    assert "anna" not in error
    assert found.types[-3:] == ["error", "finish-step", "finish"]


async def test_what_is_kept_is_what_was_told() -> None:
    """`ended` has the answer before the client is told of the end, and a chat that is loaded from it is the same."""
    kept: list[Streamed] = []

    async def ended(told_of: Streamed) -> None:
        kept.append(told_of)

    found = (await told(Talking([LOOK_UP, "Up to 25 euro {0}, {1}."]).agent(), ended=ended)).read
    (message,) = dump_messages(kept)
    parts = message.model_dump(mode="json", by_alias=True)["parts"]
    assert message.id == found.message_id
    assert [one["text"] for one in parts if one["type"] == "text"] == found.texts
    assert [one for one in parts if one["type"].startswith("source-")] == found.sources
    (data,) = (one["data"] for one in parts if one["type"] == CITATIONS)
    assert {**data, "textId": None} == {**found.cited[0], "textId": None}


async def test_what_cannot_be_kept_is_an_error() -> None:
    """A client is not told of an end that was not kept."""

    async def ended(_told: Streamed) -> None:
        msg = "The disk is full."
        raise OSError(msg)

    found = (await told(Talking([LOOK_UP, "Up to 25 euro {0}."]).agent(), ended=ended)).read
    check_order(found.types)
    assert found.errors == ["The disk is full."]
    assert found.types[-3:] == ["error", "finish-step", "finish"]
    assert len(found.cited) == 1


async def test_the_words_that_a_model_picked_come_last() -> None:
    """Under `models_quote` the words are a data part of their own, behind the citations."""

    def pick(_messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        quotes = [{"number": 1, "quote": "paid up to 25 euro"}]
        return ModelResponse([ToolCallPart(info.output_tools[0].name, {"quotes": quotes})])

    asked_for: list[Sequence[str | None]] = []

    async def locate(_answer: Answer, quotes: Sequence[str | None]) -> list[dict[str, Any]]:
        asked_for.append(quotes)
        return [{"citation": 0, "start": 19, "end": 37, "boxes": [], "page": None}]

    citing = Citing(highlight=HighlightPrecision.MODELS_QUOTE, highlight_model=FunctionModel(pick))
    found = (await told(Talking([LOOK_UP, "Up to 25 euro {0}."]).agent(), citing=citing, locate=locate)).read
    check_order(found.types)
    assert asked_for == [("paid up to 25 euro",)]
    assert found.types[-3:] == ["data-pincite-highlight", "finish-step", "finish"]
    assert found.parts[-1]["data"]["highlights"][0]["start"] == 19
    assert (found.parts[-1]["data"]["textIndex"], found.parts[-1]["data"]["messageId"]) == (
        0,
        found.message_id,
    )


_STEPS: Any = st.sampled_from(
    [
        LOOK_UP,
        "Up to 25 euro {0}.",
        "Up to 25 euro {0}. And [ffffffff].",
        WRONG,
        "{1} says so, {0} too.",
        "Nobody knows.",
        RuntimeError("gone"),
    ]
)


@settings(max_examples=40)
@given(st.lists(_STEPS, min_size=1, max_size=4))
def test_any_run_ends_with_its_answer(steps: list[Any]) -> None:
    """Whatever a model does: the order holds, what is shown in the end is what was kept, or else there is an error."""
    kept: list[Streamed] = []

    async def ended(one: Streamed) -> None:
        kept.append(one)

    body = RequestBody.validate_python(asked(question()))
    adapter = CitingVercelAIAdapter(
        agent=Talking([LOOK_UP, *steps]).agent(), run_input=body, ended=ended, sdk_version=6
    )
    limited = adapter.run_stream(usage_limits=UsageLimits(request_limit=5))
    chunks = as_json(all_of(limited))
    found = read(chunks)
    check_order(found.types)
    assert "enqueued" not in json.dumps(chunks)
    assert len(kept) == (not found.errors)
    if kept:
        assert [one for one in found.shown if one][-1] == kept[0].text
        assert found.cited[-1]["status"] is not None or any(one["status"] for one in found.cited)
        cited = {one["sourceId"] for one in kept[0].citations["sources"]}
        assert cited <= {one["sourceId"] for one in found.sources}


@pytest.mark.parametrize("provider", ["google", "anthropic"])
async def test_what_a_provider_cites_itself(provider: str) -> None:
    """Each of its sources is one part, also where its citations come after their text."""
    page = WebCitationSource("https://a.example/sky", title="Sky")
    found = (await told(Agent(FakeCitingModel(provider, [said("The sky is blue.", page)])))).read
    check_order(found.types)
    assert [(one["type"], one["url"]) for one in found.sources] == [("source-url", "https://a.example/sky")]


async def test_a_document_that_a_provider_cites_itself() -> None:
    """pydantic-ai has no part for one; here it is told by its name."""
    document = DocumentCitationSource("file-1", title="terms.pdf")
    found = (await told(Agent(FakeCitingModel("openai", [said("It is free.", document)])))).read
    (one,) = found.sources
    assert one["type"] == "source-document"
    assert one["title"] == "terms.pdf"


async def test_an_answer_that_is_no_text_part() -> None:
    """A structured output that holds a text: the data has the text, and belongs to no text part."""
    shape: type[BaseModel] = create_model("Reply", text=(str, ...))
    citing = Citing(text_of=lambda output: output.text)

    async def act(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Pieces]:
        if len(messages) == 1:
            yield {0: DeltaToolCall("look_up", "{}", tool_call_id="call-1")}
            return
        text = f'{{"text": "Up to 25 euro [{refs(messages)[0]}]."}}'
        yield {0: DeltaToolCall(info.output_tools[0].name, text, tool_call_id="call-2")}

    agent: Agent[None, Any] = Agent(
        FunctionModel(stream_function=act), tools=[Tool(look_up)], output_type=shape
    )
    found = (await told(agent, citing=citing)).read
    check_order([one for one in found.types if one != CITATIONS])
    (data,) = found.cited
    assert (data["textId"], data["textIndex"], data["text"]) == (None, None, "Up to 25 euro [1].")
    assert len(found.sources) == 1


async def test_a_message_that_goes_on_after_an_approval() -> None:
    """The client goes on with its message: the text is counted behind the ones that are there, and nothing is twice."""

    async def act(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Pieces]:
        step = len([one for one in messages if isinstance(one, ModelResponse)])
        if step == 0:
            yield {0: DeltaToolCall("look_up", "{}", tool_call_id="call-1")}
        elif step == 1:
            yield f"First [{refs(messages)[0]}]."
            yield {0: DeltaToolCall("pay", "{}", tool_call_id="call-2")}
        else:
            yield f"Paid [{refs(messages)[0]}]."

    def pay() -> str:
        return "done"

    tools = [Tool(look_up), Tool(pay, requires_approval=True)]
    agent: Agent[None, Any] = Agent(
        FunctionModel(stream_function=act), tools=tools, output_type=[str, DeferredToolRequests]
    )
    conversation = ConversationState()
    async with served(agent, sdk_version=6, conversation=conversation) as address:
        first = await post(address, asked(question()))
        assert first.read.texts == ["First [1]."]
        parts = [*first.read.parts]
        assert [one["type"] for one in parts].count("text") == 1
        for part in parts:
            if part["type"] == "tool-pay":
                part |= {"state": "approval-responded", "approval": {"id": "call-2", "approved": True}}
        going_on = {"id": first.read.message_id, "role": "assistant", "parts": parts}
        second: Reply = await post(address, asked(question(), going_on))
    assert second.read.errors == []
    assert second.read.message_id == first.read.message_id
    assert [one["textIndex"] for one in second.read.cited] == [1]
    assert second.read.sources == []


async def test_the_host_of_an_address_is_kept_back() -> None:
    """Which address failed is for the log: no client is told the host, as none of AG-UI is."""
    model = Talking([LOOK_UP, RuntimeError("Cannot reach https://db.internal.example:5432/rows today.")])
    found = (await told(model.agent())).read
    (error,) = found.errors
    assert "internal" not in error
    assert error.startswith("Cannot reach")


async def test_h2_a_turn_with_halves_of_characters_is_kept() -> None:
    """A model's pieces cut an emoji in two, and hold a lone half: the message ends, and is kept as it was told."""
    kept: list[Streamed] = []

    async def ended(one: Streamed) -> None:
        kept.append(one)

    async def act(messages: list[ModelMessage], _info: AgentInfo) -> AsyncIterator[Pieces]:
        if len(messages) == 1:
            yield {0: DeltaToolCall("look_up", "{}", tool_call_id="call-1")}
            return
        for piece in ("Up \ud83d", "\ude00 to 25 euro ", f"[{refs(messages)[0]}]", " \ud83d."):
            yield piece

    agent: Agent[None, Any] = Agent(FunctionModel(stream_function=act), tools=[Tool(look_up)])
    found = (await told(agent, ended=ended)).read
    check_order(found.types)
    assert (found.errors, found.types[-1]) == ([], "finish")
    assert found.shown == ["Up \U0001f600 to 25 euro [1] \ufffd."]
    (one,) = kept
    assert one.text == found.shown[0]
    json.dumps(one.as_dict(), ensure_ascii=False).encode()
    (citation,) = one.citations["citations"]
    assert one.text[citation["start"] : citation["end"]] == "[1]"


async def test_h2_a_tool_that_returns_half_a_character() -> None:
    """What a tool returned goes to the client as well: it is whole there, and the message comes to its end."""

    def half() -> dict[str, Any]:
        return {"id": "h-1", "title": "Half \ud83d", "text": "A working lunch is paid \ude00."}

    async def act(messages: list[ModelMessage], _info: AgentInfo) -> AsyncIterator[Pieces]:
        if len(messages) == 1:
            yield {0: DeltaToolCall("half", "{}", tool_call_id="call-1")}
        else:
            yield "It is paid."

    agent: Agent[None, Any] = Agent(FunctionModel(stream_function=act), tools=[Tool(half)])
    found = (await told(agent)).read
    assert (found.errors, found.types[-1]) == ([], "finish")
    (output,) = (one["output"] for one in found.parts if "output" in one)
    assert output["title"] == "Half \ufffd"


async def test_a_reader_that_leaves_stops_the_agent() -> None:
    """The bytes are read no further: the model is stopped at once, and nothing comes behind, though it fails then."""
    stopped: list[bool] = []

    async def act(_messages: list[ModelMessage], _info: AgentInfo) -> AsyncIterator[Pieces]:
        try:
            for _ in range(1_000):
                yield "word "
        finally:
            stopped.append(True)
            msg = "the connection is gone"
            raise RuntimeError(msg)

    adapter = CitingVercelAIAdapter(
        agent=Agent(FunctionModel(stream_function=act)),
        run_input=RequestBody.validate_python(asked(question())),
        sdk_version=6,
    )
    sent = adapter.encode_stream(adapter.run_stream())
    async for one in sent:
        if "text-delta" in one:
            break
    await sent.aclose()  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType] - it is a generator
    assert stopped == [True]
    with pytest.raises(StopAsyncIteration):
        await anext(sent)


HOSTILE_PARTS = [
    {"type": "tool-x", "toolCallId": "c", "state": "input-available", "input": [7]},
    {"type": "file", "mediaType": "text/plain", "url": "https://a.example/"},
]


@pytest.mark.parametrize("part", HOSTILE_PARTS, ids=["input", "file"])
async def test_l5_a_message_that_cannot_be_read_is_the_clients_mistake(part: dict[str, Any]) -> None:
    """A browser may send any part: one that no model can be given is answered with 422 and a sentence."""
    forged = {"id": "a-1", "role": "assistant", "parts": [part]}
    async with served(Talking(["Nothing."]).agent()) as address, httpx.AsyncClient() as client:
        response = await client.post(address, json=asked(forged, question()))
    assert response.status_code == 422
    assert "a part of a message cannot be read" in response.text
