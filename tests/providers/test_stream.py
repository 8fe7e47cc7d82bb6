"""Streams in any cutting: whatever the wire does, what comes out is what the whole response would have given."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded import NAMES, events_of, load, pieces, sent_as_events, sent_as_lines

from pincite.core.errors import InputError, LimitError
from pincite.core.limits import Limits
from pincite.providers.read import read_response
from pincite.providers.stream import StreamReader

# The shared folder may be absent; then the fixture `shared` says so.
EACH = pytest.mark.parametrize("name", NAMES or [pytest.param("none")])


def read_whole(recording: dict[str, Any]) -> Any:
    """Return what the recorded response comes to: read whole, or where it is a stream, event by event."""
    reader = StreamReader(recording["provider"], api=recording["api"])
    if not recording["stream"]:
        return read_response(recording["provider"], recording["response"], api=recording["api"])
    for event in recording["events"]:
        reader.feed(event)
    return reader.finish()


@EACH
@pytest.mark.parametrize("size", [1, 3, 50])
def test_a_stream_ends_in_the_whole_response(shared: object, name: str, size: int) -> None:
    """Event by event, the citations wherever they come; the new texts join to the answer."""
    recording = load(name)
    reader = StreamReader(recording["provider"], api=recording["api"])
    new = "".join(reader.feed(event) for event in events_of(recording, size))
    response = reader.finish()
    assert response == read_whole(recording)
    assert new == response.text
    assert reader.skipped == 0


@EACH
def test_openai_ends_in_its_own_last_event(shared: object, name: str) -> None:
    """`response.completed` holds the response as it would have come whole."""
    recording = load(name)
    last: dict[str, Any] = recording["events"][-1] if recording["stream"] else {}
    if "response" in last:
        assert read_whole(recording) == read_response(recording["provider"], last["response"])


@EACH
@settings(max_examples=8)
@given(data=st.data())
def test_any_cutting_of_the_bytes_gives_the_same(name: str, data: st.DataObject) -> None:
    """Chunks of the wire end where they end, inside a character too."""
    if not NAMES:
        pytest.skip("The folder of shared documents is absent; set PINCITE_SHARED to it.")
    recording = load(name)
    events = events_of(recording, data.draw(st.integers(1, 40), "size"))
    wire = data.draw(
        st.sampled_from(
            (
                sent_as_events(events),
                sent_as_events(events, newline="\r\n"),
                sent_as_events(events, indent=1),
                sent_as_lines(events),
                sent_as_lines(events)[:-1],
            )
        )
    )
    cuts = sorted(data.draw(st.lists(st.integers(0, len(wire)), max_size=30), "cuts"))
    reader = StreamReader(recording["provider"], api=recording["api"])
    new = "".join(
        reader.feed_bytes(wire[start:end]) for start, end in zip([0, *cuts], [*cuts, len(wire)], strict=True)
    )
    response = reader.finish()
    assert response == read_whole(recording)
    # The last line of JSON lines may have no end; what it adds is only seen when the stream is finished.
    assert response.text.startswith(new)
    assert reader.skipped == 0


TEXT = "Größe in €: 😀 ([a.example](https://a.example/ü))"
MARKER = "([a.example](https://a.example/ü))"


def synthetic_chat() -> list[dict[str, Any]]:
    """Return chunks with characters of two, three and four bytes before a citation."""
    start = TEXT.index(MARKER)
    annotation = {"url": "https://a.example/ü", "start_index": start, "end_index": len(TEXT)}
    chunks = [{"choices": [{"index": 0, "delta": {"content": piece}}]} for piece in pieces(TEXT, 4)]
    cited = {"annotations": [{"type": "url_citation", "url_citation": annotation}]}
    return [*chunks, {"choices": [{"index": 0, "delta": cited}]}]


@pytest.mark.parametrize("wire", [sent_as_events(synthetic_chat()), sent_as_lines(synthetic_chat())])
def test_every_cut_in_two_of_a_synthetic_stream_with_long_characters(wire: bytes) -> None:
    """There is no place at which a cut loses a character or a citation."""
    for cut in range(len(wire) + 1):
        reader = StreamReader("openai", api="chat")
        new = reader.feed_bytes(wire[:cut]) + reader.feed_bytes(wire[cut:])
        response = reader.finish()
        assert new == response.text == TEXT
        assert [citation.written for citation in response.citations] == [MARKER]


def test_a_synthetic_stream_byte_by_byte() -> None:
    """One byte a chunk is the finest cutting that there is."""
    reader = StreamReader("openai", api="chat")
    wire = sent_as_events(synthetic_chat())
    new = "".join(reader.feed_bytes(wire[at : at + 1]) for at in range(len(wire)))
    assert new == reader.finish().text == TEXT


def test_a_stream_that_broke_off_is_read_as_far_as_it_came() -> None:
    """The text that came is the answer, and what was cited by then is cited."""
    wire = sent_as_events(synthetic_chat())
    reader = StreamReader("openai", api="chat")
    reader.feed_bytes(wire[: wire.index("😀".encode()) + 2])
    response = reader.finish()
    assert response.text == TEXT[:12]
    assert response.citations == ()
    assert reader.skipped == 1


def test_what_is_no_json_is_counted_and_costs_nothing_else() -> None:
    """Half an event, a list, a number and a comment."""
    reader = StreamReader("openai", api="chat")
    for text in (
        'data: {"choices": [\n\n',
        "data: [1]\n\n",
        "data: 7\n\n",
        ": comment\n\n",
        "id: 9\nretry: 5\n\n",
    ):
        assert reader.feed_bytes(text.encode()) == ""
    assert reader.skipped == 3
    assert reader.feed_bytes(sent_as_lines(synthetic_chat())) == TEXT


@pytest.mark.parametrize("piece", [b"data: 5678", b"data:56789\n"])
def test_an_event_that_never_ends_is_refused_at_its_limit(piece: bytes) -> None:
    """In one line, or in many lines of ten characters of one event."""
    reader = StreamReader("openai", api="chat", limits=Limits(provider_event_bytes=100))
    for _ in range(10):
        reader.feed_bytes(piece)
    with pytest.raises(LimitError) as raised:
        reader.feed_bytes(piece)
    assert raised.value.field == "chunk"


def test_many_events_may_be_longer_than_the_limit_of_one() -> None:
    """The limit is of one event."""
    reader = StreamReader("openai", api="chat", limits=Limits(provider_event_bytes=400))
    assert reader.feed_bytes(sent_as_events(synthetic_chat())) == TEXT


@pytest.mark.parametrize("chunk", ["text", None, 7])
def test_a_chunk_is_bytes(chunk: Any) -> None:
    """Anything else is told of in a sentence."""
    with pytest.raises(InputError) as raised:
        StreamReader("openai").feed_bytes(chunk)
    assert raised.value.field == "chunk"


@pytest.mark.parametrize("event", [None, 7, [1], "[1]", "no JSON"])
def test_an_event_is_a_json_object(event: Any) -> None:
    """Anything else is told of in a sentence."""
    with pytest.raises(InputError) as raised:
        StreamReader("openai").feed(event)
    assert raised.value.field == "event"


def test_a_finished_stream_takes_no_more() -> None:
    """It gives the same response again, and a further event is refused."""
    reader = StreamReader("openai", api="chat")
    reader.feed(json.dumps(synthetic_chat()[0]))
    assert reader.finish() is reader.finish()
    with pytest.raises(InputError):
        reader.feed(synthetic_chat()[1])


@pytest.mark.parametrize(
    ("provider", "api", "field"), [("none", None, "provider"), ("openai", "sonar", "api")]
)
def test_a_reader_of_nothing_is_refused(provider: str, api: str | None, field: str) -> None:
    """Providers and APIs are those of the table."""
    with pytest.raises(InputError) as raised:
        StreamReader(provider, api=api)
    assert raised.value.field == field


@pytest.mark.parametrize(
    ("provider", "api", "event"),
    [
        (
            "anthropic",
            "messages",
            {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}},
        ),
        ("openai", "chat", {"error": {"message": "invalid key"}}),
        ("google", "generate_content", {"error": {"code": 400, "message": "no"}}),
    ],
)
def test_an_error_of_the_provider_is_no_empty_answer(
    provider: str, api: str, event: dict[str, object]
) -> None:
    """It stands in `unmapped` as it was sent, streamed or whole."""
    reader = StreamReader(provider, api=api)
    reader.feed(event)
    assert [(one.kind, one.raw) for one in reader.finish().unmapped if one.kind == "error"] == [
        ("error", event["error"])
    ]
    found = read_response(provider, event, api=api)
    assert [one.kind for one in found.unmapped] == ["error"]


def test_a_response_of_another_api_is_no_empty_answer() -> None:
    """The reason says which API it was read as."""
    responses = {"output": [{"type": "message", "content": [{"type": "output_text", "text": "Yes."}]}]}
    found = read_response("openai", responses, api="chat")
    assert (found.text, [one.reason for one in found.unmapped]) == ("", ["It is no response of openai chat."])
    reader = StreamReader("openai", api="chat")
    reader.feed({"type": "response.output_text.delta", "delta": "Yes."})
    assert [one.kind for one in reader.finish().unmapped] == ["stream"]


def test_what_is_no_json_on_the_wire_is_told_of() -> None:
    """Counted, and in `unmapped` at the end; what else came is read."""
    reader = StreamReader("openai", api="chat")
    reader.feed_bytes(
        b'data: {not json}\n\ndata: {"choices": [{"index": 0, "delta": {"content": "Yes."}}]}\n\n'
    )
    found = reader.finish()
    assert found.text == "Yes."
    assert [(one.kind, one.raw) for one in found.unmapped] == [("event", 1)]


EVENTS = [
    {"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": text}
    for text in ("H\u00e9llo", " world]}")
]
SSE = "".join(f"data: {json.dumps(event, ensure_ascii=False)}\n\n" for event in EVENTS).encode()
ARRAY = "[" + ",\n".join(json.dumps(event, ensure_ascii=False) for event in EVENTS) + "]"
WIRES = {
    "mark": b"\xef\xbb\xbf" + SSE,
    "space": b" " + SSE.replace(b"\n", b"\r\n"),
    "array": ARRAY.encode(),
    "array_on_one_line": json.dumps(EVENTS).encode(),
    "array_on_many_lines": json.dumps(EVENTS, indent=2).encode(),
    "array_behind_a_mark": b"\xef\xbb\xbf\n" + json.dumps(EVENTS, indent=1).encode(),
}


@pytest.mark.parametrize("wire", WIRES.values(), ids=WIRES)
@pytest.mark.parametrize("size", [1, 2, 7, 10_000])
def test_a_mark_a_space_or_an_array_loses_no_event(wire: bytes, size: int) -> None:
    """A byte order mark or a space before the first event cost it; an array was nothing."""
    reader = StreamReader("openai")
    for at in range(0, len(wire), size):
        reader.feed_bytes(wire[at : at + size])
    assert reader.finish().text == "H\u00e9llo world]}"
    assert reader.skipped == 0


def test_an_array_that_breaks_off_is_read_as_far_as_it_came() -> None:
    """The object that has no end is told."""
    reader = StreamReader("openai")
    reader.feed_bytes(ARRAY.encode()[:-5])
    assert reader.finish().text == "H\u00e9llo"
    assert reader.skipped == 1


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_the_limit_of_an_event_is_bytes_in_any_cutting(end: bytes, size: int) -> None:
    """An event of a line that has as many bytes as may be is read, with one byte less it is not; the one before is."""
    first = json.dumps(EVENTS[0], ensure_ascii=True).encode() + end
    line = json.dumps({**EVENTS[0], "delta": "\u00e9" * 100}, ensure_ascii=False).encode() + end
    most = len(line) - 1  # all but the line feed
    for limit, text in ((most, "H\u00e9llo" + "\u00e9" * 100), (most - 1, "H\u00e9llo")):
        reader = StreamReader("openai", limits=Limits(provider_event_bytes=limit))
        wire = first + line
        try:
            for at in range(0, len(wire), size):
                reader.feed_bytes(wire[at : at + size])
            assert limit == most
        except LimitError:
            assert limit < most
            with pytest.raises(LimitError):
                reader.feed_bytes(b"data: {}\n\n")
        assert reader.finish().text == text
