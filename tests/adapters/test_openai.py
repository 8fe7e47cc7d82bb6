"""Plain code on OpenAI's SDK goes through a run: tool calls, streams, both of its interfaces, with and without waiting.

The SDK is the real one; behind it stands a transport that answers as the service does, without a network.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from openai import AsyncOpenAI, OpenAI
from openai.types.chat import ChatCompletionMessage

from pincite import CitationRun, check_citations_sync, render_answer
from pincite.citing import CitationFound, CitationProcessor, Finished, TextDelta
from pincite.core import MissReason

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from openai.types.chat import ChatCompletionToolParam
    from openai.types.responses import FunctionToolParam

    from pincite import Answer

    Page = Callable[[CitationRun, Answer], str]

RULE = "Expenses over 100 EUR require prior approval from your line manager."
TRAVEL = "Trains are booked in second class."
HITS: list[dict[str, Any]] = [
    {"content": RULE, "source_uri": "/home/ann/handbook.pdf", "metadata": {"page": 4}},
    {"content": TRAVEL, "source_url": "https://intranet.example/travel", "title": "Travel"},
]
PARAMETERS: dict[str, object] = {
    "type": "object",
    "properties": {"query": {"type": "string"}},
    "required": ["query"],
    "additionalProperties": False,
}
TOOL: ChatCompletionToolParam = {"type": "function", "function": {"name": "search", "parameters": PARAMETERS}}
RESPONSES_TOOL: FunctionToolParam = {
    "type": "function",
    "name": "search",
    "parameters": PARAMETERS,
    "strict": True,
}
# What a reader must see of the answer, whatever else the list of sources says.
SEEN = (
    "Above 100 EUR. [1] Second class. [2]\n",
    "[1] handbook\\.pdf\n",
    "page 4",
    "[2] [Travel](<https://intranet.example/travel#:~:text=Train",
)


def is_whole(shown: str) -> bool:
    """Say whether a page holds what a reader must see."""
    return shown.startswith(SEEN[0]) and all(part in shown for part in SEEN)


def reply_to(told: str) -> str:
    """Stand in for the model: cite both passages that the tool returned."""
    first, second = (passage["ref"] for passage in json.loads(told))
    return f"Above 100 EUR. [{first}] Second class. [{second}]"


def events(chunks: list[dict[str, Any]]) -> httpx.Response:
    """Return a stream of server-sent events, as the service writes it."""
    lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
    return httpx.Response(
        200, text="".join([*lines, "data: [DONE]\n\n"]), headers={"content-type": "text/event-stream"}
    )


def chat(asked: dict[str, Any]) -> httpx.Response:
    """Answer a request for a chat completion: call the tool, then cite what it returned."""
    last = asked["messages"][-1]
    whole: dict[str, Any] = {"id": "chat-1", "created": 0, "model": asked["model"]}
    message: dict[str, Any]
    if last["role"] == "tool":
        message = {"role": "assistant", "content": reply_to(last["content"])}
    else:
        function = {"name": "search", "arguments": '{"query": "expenses"}'}
        call = {"id": "call-1", "type": "function", "function": function}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
    if not asked.get("stream"):
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        return httpx.Response(200, json={**whole, "object": "chat.completion", "choices": [choice]})
    whole["object"] = "chat.completion.chunk"
    text = message["content"] or ""
    deltas: list[dict[str, Any]] = [
        {"role": "assistant", "content": ""},
        *({"content": text[at : at + 3]} for at in range(0, len(text), 3)),
    ]
    if message.get("tool_calls"):
        call, function = message["tool_calls"][0], message["tool_calls"][0]["function"]
        written = function["arguments"]
        deltas += [{"tool_calls": [{**call, "index": 0, "function": {**function, "arguments": ""}}]}]
        deltas += [
            {"tool_calls": [{"index": 0, "function": {"arguments": written[at : at + 5]}}]}
            for at in range(0, len(written), 5)
        ]
    chunks = [{**whole, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    # What an account may ask for comes last, in a chunk without a choice.
    return events([*chunks, {**whole, "choices": [], "usage": None}])


def response(asked: dict[str, Any]) -> httpx.Response:
    """Answer a request of the interface of responses: call the tool, then cite what it returned."""
    last = asked["input"][-1]
    whole: dict[str, Any] = {
        "id": "resp-1", "object": "response", "created_at": 0, "model": asked["model"], "status": "completed",
        "parallel_tool_calls": False, "tool_choice": "auto", "tools": [],
    }  # fmt: skip
    if last.get("type") != "function_call_output":
        call = {
            "type": "function_call",
            "call_id": "call-1",
            "name": "search",
            "arguments": '{"query": "expenses"}',
        }
        return httpx.Response(200, json={**whole, "output": [call]})
    text = reply_to(last["output"])
    part: dict[str, Any] = {"type": "output_text", "text": text, "annotations": []}
    message: dict[str, Any] = {
        "id": "m-1",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [part],
    }
    done: dict[str, Any] = {**whole, "output": [message]}
    if not asked.get("stream"):
        return httpx.Response(200, json=done)
    at_all: dict[str, Any] = {"item_id": "m-1", "output_index": 0, "content_index": 0, "logprobs": []}
    deltas: list[dict[str, Any]] = [
        {"type": "response.output_text.delta", "delta": text[at : at + 3], "sequence_number": at, **at_all}
        for at in range(0, len(text), 3)
    ]
    return events([*deltas, {"type": "response.completed", "response": done, "sequence_number": len(text)}])


def service(request: httpx.Request) -> httpx.Response:
    """Stand in for the service."""
    asked = json.loads(request.content)
    return chat(asked) if request.url.path.endswith("/chat/completions") else response(asked)


@pytest.fixture
def client() -> Iterator[OpenAI]:
    """Return OpenAI's client."""
    # It takes the clients of `httpx` and of `httpx2`, and says the latter.
    http: Any = httpx.Client(transport=httpx.MockTransport(service))
    with OpenAI(api_key="none", http_client=http, max_retries=0) as made:
        yield made


@pytest.fixture
async def async_client() -> AsyncIterator[AsyncOpenAI]:
    """Return OpenAI's client that does not wait."""
    http: Any = httpx.AsyncClient(transport=httpx.MockTransport(service))
    async with AsyncOpenAI(api_key="none", http_client=http, max_retries=0) as made:
        yield made


def conversation(run: CitationRun) -> list[Any]:
    """Return what is asked."""
    return [
        {"role": "system", "content": run.instructions()},
        {"role": "user", "content": "Who approves expenses, and how do I travel?"},
    ]


def found(run: CitationRun) -> str:
    """Return what the tool returns."""
    return json.dumps(run.present_context(HITS))


def test_a_tool_call_ends_in_a_checked_numbered_answer(client: OpenAI, page: Page) -> None:
    """The model calls the tool, reads what was presented, and cites it; no path of a disk is sent."""
    run = CitationRun("ref", audit="raise")
    messages = conversation(run)
    called = client.chat.completions.create(model="m", messages=messages, tools=[TOOL]).choices[0].message
    assert called.tool_calls
    messages.append(called.model_dump(exclude_none=True))
    messages += [
        {"role": "tool", "tool_call_id": call.id, "content": found(run)} for call in called.tool_calls
    ]
    assert "ann" not in str(messages[-1])
    text = (
        client.chat.completions.create(model="m", messages=messages, tools=[TOOL]).choices[0].message.content
    )
    assert is_whole(page(run, run.resolve(text or "")))


def test_a_stream_with_its_tool_call(client: OpenAI, page: Page) -> None:
    """Both turns are streamed; the call comes in pieces, and so do the markers."""
    run = CitationRun("ref")
    messages = conversation(run)
    arguments, name, call_id = "", "", ""
    for chunk in client.chat.completions.create(model="m", messages=messages, tools=[TOOL], stream=True):
        for call in chunk.choices[0].delta.tool_calls or () if chunk.choices else ():
            name, call_id = name or str(call.function and call.function.name), call_id or str(call.id)
            arguments += call.function.arguments or "" if call.function else ""
    assert (name, json.loads(arguments)) == ("search", {"query": "expenses"})
    function: Any = {"name": name, "arguments": arguments}
    messages += [
        {"role": "assistant", "tool_calls": [{"id": call_id, "type": "function", "function": function}]},
        {"role": "tool", "tool_call_id": call_id, "content": found(run)},
    ]
    stream = client.chat.completions.create(model="m", messages=messages, tools=[TOOL], stream=True)
    told = list(run.stream_sync(chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices))
    assert sum(isinstance(event, CitationFound) for event in told) == 2
    done = told[-1]
    assert isinstance(done, Finished)
    assert "".join(event.text for event in told if isinstance(event, TextDelta)) == done.answer.text
    assert is_whole(page(run, done.answer))


async def test_an_asynchronous_stream(async_client: AsyncOpenAI, page: Page) -> None:
    """The same without waiting."""
    run = CitationRun("ref")
    messages = conversation(run)
    messages.append({"role": "tool", "tool_call_id": "call-1", "content": found(run)})
    stream = await async_client.chat.completions.create(model="m", messages=messages, stream=True)
    pieces = (chunk.choices[0].delta.content or "" async for chunk in stream if chunk.choices)
    told = [event async for event in run.stream(pieces)]
    done = told[-1]
    assert isinstance(done, Finished)
    assert is_whole(page(run, done.answer))


def test_the_interface_of_responses(client: OpenAI, page: Page) -> None:
    """A call and its output are items of the input."""
    run = CitationRun("ref")
    asked: list[Any] = [{"role": "user", "content": "Who approves expenses?"}]
    tools = [RESPONSES_TOOL]
    called = client.responses.create(model="m", instructions=run.instructions(), input=asked, tools=tools)
    calls = [item for item in called.output if item.type == "function_call"]
    asked += [call.model_dump() for call in calls]
    asked += [
        {"type": "function_call_output", "call_id": call.call_id, "output": found(run)} for call in calls
    ]
    replied = client.responses.create(model="m", input=asked, tools=tools)
    assert is_whole(page(run, run.resolve(replied.output_text)))
    # The same again, as a stream.
    stream = client.responses.create(model="m", input=asked, tools=tools, stream=True)
    pieces = (event.delta for event in stream if event.type == "response.output_text.delta")
    done = list(run.stream_sync(pieces))[-1]
    assert isinstance(done, Finished)
    assert is_whole(page(run, done.answer))


def test_a_message_of_the_sdk_is_processed() -> None:
    """The SDK's own message comes back as one, with its evidences, and is sent again as it was."""
    run = CitationRun("ref")
    first, second = (payload["ref"] for payload in run.present_context(HITS))
    message = ChatCompletionMessage(role="assistant", content=f"One. [{first}] Two. [{second}]")
    processor = CitationProcessor(run)
    answer = processor.answer(message)
    assert answer is not None
    assert len(answer.citations) == 2
    made = processor.process({"role": "assistant", "content": message.content})
    assert made["content"] == message.content
    assert [one["number"] for one in made["evidences"]] == [1, 2]  # type: ignore[index]


def test_a_key_that_the_model_made_up(page: Page) -> None:
    """It is a miss, and no number leads to it; the rest of the answer stands."""
    run = CitationRun("ref")
    first = run.present(HITS[0])["ref"]
    answer = run.resolve(f"One. [{first}] Two. [[deadbeef]]")
    assert [miss.reason for miss in answer.misses] == [MissReason.NEVER_ISSUED]
    assert render_answer(answer).text.startswith("One. [1] Two.")
    ids = [
        source.passage.evidence_id or ""
        for one in answer.citations
        for source in one.sources
        if source.passage
    ]
    assert [check.verdict.value for check in check_citations_sync(ids, run.ledger, scope=run.scope)] == [
        "valid"
    ]
    assert page(run, run.resolve(f"One. [{first}]")).startswith("One. [1]")


def test_the_page_ends_in_a_numbered_answer(printed: Callable[[str], str]) -> None:
    """What the documentation shows is a whole turn, in under 20 lines."""
    shown = printed("openai.md")
    assert shown.startswith(
        "Your line manager approves expenses over 100 EUR. [1]\n\n### Sources\n\n[1] Staff handbook\n"
    )
    assert "page 4" in shown
    assert "/srv" not in shown
