"""The order of a stream: whatever an agent sends, what comes out is a message that the AI SDK takes."""

from __future__ import annotations

import json
import logging
from contextlib import aclosing
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_ai.ui.vercel_ai.request_types import (
    SourceUrlUIPart,
    TextUIPart,
    ToolApprovalRespondedPart,
    UIMessage,
)
from pydantic_ai.ui.vercel_ai.response_types import (
    AbortChunk,
    BaseChunk,
    DataChunk,
    DoneChunk,
    ErrorChunk,
    FileChunk,
    FinishChunk,
    FinishStepChunk,
    MessageMetadataChunk,
    ReasoningDeltaChunk,
    ReasoningEndChunk,
    ReasoningStartChunk,
    SourceDocumentChunk,
    SourceUrlChunk,
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
from ui_reader import CITATIONS, all_of, as_json, check_order, read
from vercel_chunks import HALVES, STREAMS, message, run_of, step, stream_of, text, tool

from pincite.protocols.vercel import CitedChunks, cited

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from ui_reader import Read


def sent(chunks: Sequence[BaseChunk], error: Exception | None = None, **options: Any) -> list[dict[str, Any]]:
    """Return what leaves, as it is on the wire: each chunk is encoded as its transport does it."""
    run, _, _ = run_of()
    found = all_of(cited(stream_of(chunks, error), run, **options))
    return [json.loads(one.model_dump_json(by_alias=True, exclude_none=True)) for one in found]


def taken(chunks: Sequence[BaseChunk], error: Exception | None = None, **options: Any) -> Read:
    """Return what a client has of it; the order holds."""
    found = read(sent(chunks, error, **options))
    check_order(found.types)
    return found


# --- L6 ---------------------------------------------------------------------------------------------------------


def test_l6_pieces_of_what_was_never_begun() -> None:
    """A delta or an end of an unknown id would end the reading of the whole message: it goes no further."""
    stray: list[BaseChunk] = [
        TextDeltaChunk(id="x", delta="lost"),
        TextEndChunk(id="x"),
        ReasoningDeltaChunk(id="x", delta="lost"),
        ReasoningEndChunk(id="x"),
        ToolInputDeltaChunk(tool_call_id="x", input_text_delta="{"),
        ToolOutputAvailableChunk(tool_call_id="x", output=1),
        ToolOutputErrorChunk(tool_call_id="x", error_text="gone"),
        ToolOutputDeniedChunk(tool_call_id="x"),
        ToolApprovalRequestChunk(approval_id="x", tool_call_id="x"),
    ]
    assert sent(message(step(stray))) == as_json(message(step()))


def test_l6_a_message_begins_once() -> None:
    """A second `start` would give the message another id under its citations."""
    _, a, _ = run_of()
    found = taken(message([StartChunk(message_id="m-2")], step(text("t", f"Blue [{a}]"))))
    assert (found.message_id, found.cited[0]["messageId"]) == ("m-1", "m-1")
    assert found.types.count("start") == 1


@pytest.mark.parametrize(
    ("start", "delta", "end"),
    [
        (TextStartChunk, TextDeltaChunk, TextEndChunk),
        (ReasoningStartChunk, ReasoningDeltaChunk, ReasoningEndChunk),
    ],
)
def test_l6_what_is_begun_twice_is_two_parts(start: Any, delta: Any, end: Any) -> None:
    """The first is ended before the second begins, and neither loses a word."""
    chunks = [
        start(id="t"),
        delta(id="t", delta="One."),
        start(id="t"),
        delta(id="t", delta="Two."),
        end(id="t"),
    ]
    found = taken(message(step(chunks)))
    assert [one["text"] for one in found.parts if "text" in one] == ["One.", "Two."]
    kind = found.types[2].partition("-")[0]
    assert [one for one in found.types if one.startswith(f"{kind}-")] == [
        f"{kind}-{one}" for one in ("start", "delta", "end") * 2
    ]


def test_l6_what_was_ended_twice() -> None:
    """The second end is of nothing that is open."""
    chunks = message(step([*text("t", "One."), TextEndChunk(id="t")]))
    assert sent(chunks) == sent(message(step(text("t", "One."))))


@pytest.mark.parametrize(
    "bound",
    [FinishStepChunk(), ErrorChunk(error_text="gone"), AbortChunk(), FinishChunk()],
    ids=["step", "error", "abort", "message"],
)
def test_l6_nothing_stays_open_over_a_bound(bound: BaseChunk) -> None:
    """A text and a thought that their agent leaves open are ended before the step, the message, or what broke it."""
    opened: list[BaseChunk] = [
        StartStepChunk(),
        TextStartChunk(id="t"),
        ReasoningStartChunk(id="r"),
        TextDeltaChunk(id="t", delta="One."),
    ]
    kinds = [one["type"] for one in sent([StartChunk(), *opened, bound])]
    (kind,) = (one["type"] for one in as_json([bound]))
    assert {"text-end", "reasoning-end", CITATIONS} <= set(kinds[: kinds.index(kind)])


def test_l6_a_text_that_goes_on_behind_the_end_of_a_step() -> None:
    """Two agents may write at once, and the step of one ends while the other writes: nothing of its text is lost."""
    chunks: list[BaseChunk] = [
        StartStepChunk(),
        TextStartChunk(id="t"),
        TextDeltaChunk(id="t", delta="One, "),
        FinishStepChunk(),
        TextDeltaChunk(id="t", delta="two."),
        TextEndChunk(id="t"),
    ]
    found = taken(message(chunks))
    assert found.texts == ["One, ", "two."]
    assert [one["textIndex"] for one in found.cited] == [0, 1]


def test_l6_steps() -> None:
    """The end of a step that never began is dropped, and one that is open ends before its message does."""
    assert [one["type"] for one in sent(message([FinishStepChunk()]))] == ["start", "finish", "done"]
    assert [one["type"] for one in sent(message([StartStepChunk()]))] == [
        "start",
        "start-step",
        "finish-step",
        "finish",
        "done",
    ]


def test_l6_nothing_follows_the_finish() -> None:
    """No part, no second finish and no second mark of the end comes behind them."""
    whole = message(step(text("t", "One.")))
    late = [*text("u", "Two."), *tool(), ErrorChunk(error_text="x"), FinishChunk(), DoneChunk()]
    assert sent([*whole[:-1], *late[:-1], DoneChunk(), *late]) == sent(whole)


def test_l6_a_tool_call() -> None:
    """Pieces of an input stand between its beginning and the whole; a result may come in pieces of its own."""
    chunks: list[BaseChunk] = [
        ToolInputStartChunk(tool_call_id="c", tool_name="search"),
        ToolInputDeltaChunk(tool_call_id="c", input_text_delta='{"q"'),
        ToolInputDeltaChunk(tool_call_id="c", input_text_delta=": 1}"),
        ToolInputAvailableChunk(tool_call_id="c", tool_name="search", input={"q": 1}),
        ToolApprovalRequestChunk(approval_id="a", tool_call_id="c"),
        ToolOutputAvailableChunk(tool_call_id="c", output=1, preliminary=True),
        ToolOutputAvailableChunk(tool_call_id="c", output=2),
        ToolInputErrorChunk(tool_call_id="d", tool_name="search", input={}, error_text="No input."),
        ToolOutputDeniedChunk(tool_call_id="d"),
        ToolInputAvailableChunk(tool_call_id="e", tool_name="search", input={}, dynamic=True),
        ToolOutputErrorChunk(tool_call_id="e", error_text="gone", dynamic=True),
    ]
    late = ToolInputDeltaChunk(tool_call_id="c", input_text_delta="late")
    assert sent(message(step([*chunks, late]))) == as_json(message(step(chunks)))


def test_l6_a_message_that_is_gone_on_with() -> None:
    """A result may be of a call that the message has already, and its texts and sources are counted on."""
    _, _, b = run_of()
    before = UIMessage(
        id="m-1",
        role="assistant",
        parts=[
            TextUIPart(text="Searching."),
            SourceUrlUIPart(source_id="https://grass.example/green", url="https://grass.example/green"),
            ToolApprovalRespondedPart(type="tool-search", tool_call_id="c", input={}),
        ],
    )
    result = [ToolOutputAvailableChunk(tool_call_id="c", output=1)]
    found = sent(message(result, step(text("t", f"Green [{b}]"))), before=before)
    assert found[1]["type"] == "tool-output-available"
    (data,) = (one["data"] for one in found if one["type"] == CITATIONS)
    assert data["textIndex"] == 1
    assert not any(one["type"] == "source-url" for one in found)


def test_l6_what_has_no_order_goes_through() -> None:
    """Files, data, sources, what is said of the message: all as they came."""
    chunks: list[BaseChunk] = [
        FileChunk(url="data:text/plain;base64,QQ==", media_type="text/plain"),
        DataChunk(type="data-weather", id="w", data={"degrees": 20}),
        DataChunk(type="data-note", data=None, transient=True),
        SourceUrlChunk(source_id="u", url="https://a.example/", title="A"),
        SourceDocumentChunk(source_id="d", media_type="text/plain", title="D", filename="d.txt"),
        MessageMetadataChunk(message_metadata={"tokens": 7}),
    ]
    before = [DataChunk(type="data-note", data="soon", transient=True)]
    assert sent([*before, *message(step(chunks))]) == as_json([*before, *message(step(chunks))])


# --- H2 ---------------------------------------------------------------------------------------------------------

FACE = "\U0001f600"


def test_h2_halves_of_a_character_in_two_pieces() -> None:
    """A model's pieces may be cut inside a character: it is whole in texts, thoughts and inputs, and counted once."""
    _, a, _ = run_of()
    first, second = HALVES
    chunks: list[BaseChunk] = [
        ReasoningStartChunk(id="r"),
        ReasoningDeltaChunk(id="r", delta=f"Hm {first}"),
        ReasoningDeltaChunk(id="r", delta=second),
        ReasoningEndChunk(id="r"),
        ToolInputStartChunk(tool_call_id="c", tool_name="search"),
        ToolInputDeltaChunk(tool_call_id="c", input_text_delta=f'"{first}'),
        ToolInputDeltaChunk(tool_call_id="c", input_text_delta=f'{second}"'),
        TextStartChunk(id="t"),
        TextDeltaChunk(id="t", delta=f"Blue {first}", provider_metadata={"p": {"n": 1}}),
        TextDeltaChunk(id="t", delta=f"{second} [{a}]"),
        TextEndChunk(id="t"),
    ]
    found = taken(message(step(chunks)))
    assert [one["text"] for one in found.parts if "text" in one] == [f"Hm {FACE}", f"Blue {FACE} [1]"]
    assert found.inputs == {"c": f'"{FACE}"'}
    (citation,) = found.cited[0]["citations"]
    assert (citation["start"], citation["start_utf16"]) == (7, 8)
    assert found.types[-3:] == ["finish-step", "finish", "done"]


def test_h2_a_lone_half() -> None:
    """Half of a character alone is U+FFFD, wherever it stands, and the message comes to its end."""
    half = HALVES[0]
    chunks: list[BaseChunk] = [
        *text(f"t{half}", f"Blue{half}"),
        ReasoningStartChunk(id="r"),
        ReasoningDeltaChunk(id="r", delta=half),
        ToolInputStartChunk(tool_call_id=half, tool_name=f"search{half}"),
        ToolInputAvailableChunk(
            tool_call_id=half, tool_name=f"search{half}", input={f"q{half}": [half, (half,)]}
        ),
        ToolOutputAvailableChunk(tool_call_id=half, output={"found": {"deep": half}, half: 1}),
        ToolOutputErrorChunk(tool_call_id=half, error_text=half),
        DataChunk(type="data-x", id=half, data=half),
        SourceUrlChunk(source_id=half, url="https://a.example/", title=half),
        SourceDocumentChunk(source_id=half, media_type="text/plain", title=half, filename=half),
        FileChunk(url="https://a.example/", media_type=half),
        MessageMetadataChunk(message_metadata={half: half}),
        ErrorChunk(error_text=half),
    ]
    whole = [StartChunk(message_id=half), *step(chunks), FinishChunk(message_metadata=half), DoneChunk()]
    found = sent(whole)
    assert [one["type"] for one in found][-3:] == ["finish-step", "finish", "done"]
    assert found[0]["messageId"] == "\ufffd"
    assert "".join(one["delta"] for one in found if one["type"] == "text-delta") == "Blue\ufffd"
    inputs = next(one["input"] for one in found if one["type"] == "tool-input-available")
    assert inputs == {"q\ufffd": ["\ufffd", ["\ufffd"]]}
    (data,) = (one["data"] for one in found if one["type"] == CITATIONS)
    assert (data["textId"], data["messageId"]) == ("t\ufffd", "\ufffd")


@pytest.mark.parametrize(
    ("chunk", "kind"),
    [
        (ToolOutputAvailableChunk(tool_call_id="call-1", output=object()), "tool-output-available"),
        (ToolInputAvailableChunk(tool_call_id="c", tool_name="x", input={"f": len}), "tool-input-available"),
        (DataChunk(type="data-x", data=b"\xff"), "data-x"),
        (MessageMetadataChunk(message_metadata=object()), "message-metadata"),
        (FinishChunk(message_metadata=object()), "finish"),
    ],
)
def test_h2_what_cannot_be_sent_ends_the_message(chunk: BaseChunk, kind: str) -> None:
    """What JSON has no form for ends in one sentence that names the part, and the text before it is cited."""
    _, a, _ = run_of()
    found = taken(
        [StartChunk(), StartStepChunk(), *tool(), *text("t", f"Blue [{a}]"), chunk, *text("u", "Late.")]
    )
    assert found.errors == [f"The agent sent what cannot be written as JSON, in {kind}."]
    assert found.texts == ["Blue [1]"]
    assert len(found.cited) == 1
    assert set(found.types[-4:-2]) == {"error", "finish-step"}
    assert found.types[-2:] == ["finish", "done"]


def test_h2_a_passage_with_half_a_character() -> None:
    """What a tool returned is named in the data and in the source part, and both can be sent."""
    run, _, _ = run_of()
    ref = run.present({"id": "h-1", "title": "Half \ud83d", "content": "Snow is white \ude00."})["ref"]
    found = [
        json.loads(one.model_dump_json(by_alias=True))
        for one in all_of(cited(stream_of(message(step(text("t", f"White [{ref}]")))), run))
    ]
    (source,) = (one for one in found if one["type"] == "source-document")
    assert source["title"] == "Half \ufffd"


# --- Who stops reading ------------------------------------------------------------------------------------------


async def test_nothing_is_told_to_a_reader_that_has_left(caplog: pytest.LogCaptureFixture) -> None:
    """The agent fails while it is stopped: that is logged, and nothing more is yielded."""

    async def chunks() -> AsyncIterator[BaseChunk]:
        try:
            for one in message(step(text("t", "One."))):
                yield one
        finally:
            msg = "the file is gone"
            raise RuntimeError(msg)

    run, _, _ = run_of()
    stream = cited(chunks(), run)
    with caplog.at_level(logging.WARNING):
        async with aclosing(stream):
            while not isinstance(await anext(stream), TextDeltaChunk):
                pass
    assert "RuntimeError" in caplog.text
    assert "the file" not in caplog.text
    with pytest.raises(StopAsyncIteration):
        await anext(stream)


async def test_what_comes_last_is_stopped_too() -> None:
    """A reader that leaves while the picked words are told stops that work, and the agent, at once."""
    stopped: list[str] = []
    run, a, _ = run_of()
    answer = run.resolve(f"Blue [{a}].")
    checked: Any = SimpleNamespace(answer=answer, written=answer.text)

    async def chunks() -> AsyncIterator[BaseChunk]:
        try:
            for one in message(step(text("t", answer.text))):
                yield one
        finally:
            stopped.append("agent")

    async def later(_message: object, _told: object) -> AsyncIterator[tuple[str, dict[str, Any]]]:
        try:
            yield "pincite.highlight", {}
            yield "pincite.highlight", {}
        finally:
            stopped.append("later")

    stream = CitedChunks(run, settle=lambda: checked, later=later).of(chunks())
    async with aclosing(stream):
        async for one in stream:
            if isinstance(one, DataChunk) and one.type == "data-pincite-highlight":
                break
    assert stopped == ["later", "agent"]


# --- What holds for every stream --------------------------------------------------------------------------------


@given(STREAMS, st.booleans())
def test_any_chunks_at_all(chunks: list[BaseChunk], breaks: bool) -> None:  # noqa: FBT001 - hypothesis gives it
    """Chunks in no order at all: what comes out can be sent, and our reader refuses none of it."""
    found = taken(chunks, RuntimeError() if breaks else None)
    assert found.types.count("finish") <= 1
    assert found.types.count("done") <= 1
    if breaks and not any(isinstance(one, DoneChunk) for one in chunks):
        assert "finish" in found.types


@given(STREAMS)
def test_an_order_that_holds_is_left_as_it_is(chunks: list[BaseChunk]) -> None:
    """What has come out once goes through a second time unchanged."""
    run, _, _ = run_of()
    once = [one for one in all_of(cited(stream_of(chunks), run, ())) if one.type != CITATIONS]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    again, _, _ = run_of()
    assert as_json(all_of(cited(stream_of(once), again, ()))) == as_json(once)
