"""What a tool may return that would end the chat of whoever reads it."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest
from pydantic_ai.ui.vercel_ai.request_types import ToolInputStreamingPart, UIMessage
from pydantic_ai.ui.vercel_ai.response_types import (
    FileChunk,
    ToolApprovalRequestChunk,
    ToolInputAvailableChunk,
    ToolInputDeltaChunk,
    ToolInputStartChunk,
    ToolOutputAvailableChunk,
    ToolOutputErrorChunk,
)
from test_ai_sdk import body_of, reading
from ui_reader import all_of
from vercel_chunks import message, run_of, stream_of, text

from pincite.protocols.vercel import cited

if TYPE_CHECKING:
    from pydantic_ai.ui.vercel_ai.response_types import BaseChunk
    from vercel_node import AiSdk

RETURNED: list[tuple[Any, Any]] = [
    (None, ""),
    (float("nan"), None),
    ({"a": [{"__proto__": {"b": 1}, "c": 2}]}, {"a": [{"c": 2}]}),
    ({"constructor": {"prototype": 1}}, {}),
    ({"constructor": "Ada", "name": "__proto__"}, {"constructor": "Ada", "name": "__proto__"}),
    ({"a": None}, {"a": None}),
]


def told(output: Any) -> list[BaseChunk]:
    """Return what is sent of a message with a call without input that returned `output`."""
    call: list[BaseChunk] = [
        ToolInputAvailableChunk(tool_call_id="c", tool_name="search", input=None),
        ToolOutputAvailableChunk(tool_call_id="c", output=output),
    ]
    return all_of(cited(stream_of(message(call, text("t", "Blue."))), run_of()[0]))


@pytest.mark.parametrize(("output", "sent"), RETURNED)
def test_what_a_tool_returned_is_sent_as_the_ai_sdk_reads_it(output: Any, sent: Any) -> None:
    """What is nothing is sent as an empty text, and keys that it refuses are gone; all else stays."""
    given, found = told(output)[1:3]
    assert json.loads(given.encode(6))["input"] == {}
    assert json.loads(found.encode(6))["output"] == sent


async def test_the_ai_sdk_takes_whatever_a_tool_returned(ai_sdk: AiSdk) -> None:
    """It refuses none of those chunks, and has the text behind them."""
    bodies = [body_of(await asyncio.to_thread(told, output)) for output, _ in RETURNED]
    for one in (await reading(ai_sdk, {"streams": bodies}))["streams"]:
        assert (one["errors"], one["valid"]) == ([], True)
        assert one["message"]["parts"][0]["state"] == "output-available"


RESULTS: list[BaseChunk] = [
    ToolOutputAvailableChunk(tool_call_id="c", output=1),
    ToolOutputErrorChunk(tool_call_id="c", error_text="gone"),
    ToolApprovalRequestChunk(approval_id="a", tool_call_id="c"),
]
WRITTEN: list[tuple[list[str], Any]] = [
    ([], {}),
    (['{"q": ', '"sky"}'], {"q": "sky"}),
    (['{"q": "sk'], {}),
    (["[" * 100_000], {}),
]


def called(pieces: list[str], result: BaseChunk) -> list[BaseChunk]:
    """Return what is sent of a call of which the input was begun and never told as a whole, and its result."""
    call: list[BaseChunk] = [
        ToolInputStartChunk(tool_call_id="c", tool_name="search", dynamic=True),
        *(ToolInputDeltaChunk(tool_call_id="c", input_text_delta=one) for one in pieces),
        result,
    ]
    return all_of(cited(stream_of(message(call, text("t", "Blue."))), run_of()[0]))


@pytest.mark.parametrize(("pieces", "given"), WRITTEN)
@pytest.mark.parametrize("result", RESULTS, ids=["output", "error", "approval"])
def test_a_result_has_a_call_with_its_input(pieces: list[str], given: Any, result: BaseChunk) -> None:
    """The input is told before it: as far as it was written, or as nothing where that is no JSON."""
    sent = called(pieces, result)
    at = sent.index(result)
    assert sent[at - 1] == ToolInputAvailableChunk(
        tool_call_id="c", tool_name="search", input=given, dynamic=True
    )


async def test_the_ai_sdk_takes_a_result_of_any_call_back(ai_sdk: AiSdk) -> None:
    """The message that it has read is one that it takes for valid, so that the chat goes on."""
    bodies = [
        body_of(await asyncio.to_thread(called, pieces, result))
        for pieces, _ in WRITTEN[:3]
        for result in RESULTS
    ]
    for one in (await reading(ai_sdk, {"streams": bodies}))["streams"]:
        assert (one["errors"], one["valid"]) == ([], True)


def test_a_call_of_before_without_its_input_has_no_result() -> None:
    """Its message has no input of it, and this stream does not know one: the result goes no further."""
    part = ToolInputStreamingPart(type="tool-search", tool_call_id="c")
    before = UIMessage(id="m-1", role="assistant", parts=[part])
    found = all_of(cited(stream_of(message(RESULTS)), run_of()[0], before=before))
    assert [one for one in found if one in RESULTS] == []


@pytest.mark.parametrize(
    "address",
    [
        "https://a.example/f.pdf",
        "data:image/png;base64,QQ==",
        "data:text/plain;base64,QQ==",
        "data:application/vnd.openxmlformats-officedocument.wordprocessingml.document;base64,QQ==",
    ],
)
def test_a_file_that_may_be_opened_goes_through(address: str) -> None:
    """It is behind a link that is safe, or in the message and no page."""
    given = FileChunk(url=address, media_type="image/png")
    assert given in all_of(cited(stream_of(message([given])), run_of()[0]))


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        " JavaScript:alert(1)",
        "file:///etc/passwd",
        "https://name:secret@a.example/",
        "/logout",
        "data:image/png,x",
        "data:text/html;base64,QQ==",
        "data:image/SVG+xml;base64,QQ==",
        "data:application/xhtml+xml;base64,QQ==",
        "data:text/xml;charset=utf-8;base64,QQ==",
        "data:text/javascript;base64,QQ==",
    ],
)
def test_a_file_that_acts_or_leads_where_no_link_may_is_left_out(address: str) -> None:
    """The rule is that of the sources; a page or a script in the message is none that a client need open."""
    given = FileChunk(url=address, media_type="image/png")
    assert not any(
        isinstance(one, FileChunk) for one in all_of(cited(stream_of(message([given])), run_of()[0]))
    )
