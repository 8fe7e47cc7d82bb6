"""Google's Interactions API: annotations in bytes, in `steps` and in the older `outputs`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from mutilated import HUGE, at, joined, mutilated, objects

from pincite.core.citation import (
    ContentCitationAnchor,
    DocumentCitationSource,
    SourceSpan,
    SpanUnit,
    WebCitationSource,
)
from pincite.providers.read import read_response
from pincite.providers.response import SearchSuggestions
from pincite.providers.stream import StreamReader

if TYPE_CHECKING:
    from pathlib import Path

    from pincite.providers.response import ProviderResponse

A, B = "https://a.example/", "https://b.example/"


def text(content: str, *annotations: Any) -> dict[str, Any]:
    """Return a text with annotations."""
    return {"type": "text", "text": content, "annotations": list(annotations)}


def url_citation(start: Any, end: Any, url: Any = A, **more: Any) -> dict[str, Any]:
    """Return an annotation of bytes `start` to `end` by a page."""
    return {"type": "url_citation", "start_index": start, "end_index": end, "url": url, "title": "A", **more}


def read(*content: Any) -> ProviderResponse:
    """Read an interaction whose model wrote this content."""
    return read_response(
        "google", {"steps": [{"type": "model_output", "content": list(content)}]}, api="interactions"
    )


def test_every_recorded_annotation_is_a_citation(shared: Path) -> None:
    """Fourteen of them, all ASCII before; the recording is filed under `generate_content` and read all the same."""
    path = shared / "recordings" / "google-stream-google-search-chunks-0.json"
    recording = json.loads(path.read_text(encoding="utf-8"))
    deltas = [event["delta"] for event in recording["events"] if event["event_type"] == "step.delta"]
    whole = "".join(delta["text"] for delta in deltas if delta["type"] == "text")
    (annotations,) = (delta["annotations"] for delta in deltas if "annotations" in delta)
    results = next(delta["result"] for delta in deltas if delta["type"] == "google_search_result")
    for api in ("generate_content", "interactions"):
        reader = StreamReader("google", api=api)
        assert "".join(reader.feed(event) for event in recording["events"]) == whole
        read_ = reader.finish()
        (part,) = read_
        assert part.content == whole
        assert len(part.citations) == len(annotations) == 14
        for citation, raw in zip(part.citations, annotations, strict=True):
            assert citation.anchor == ContentCitationAnchor(raw["start_index"], raw["end_index"])
            assert citation.sources == (
                WebCitationSource(raw["url"], raw["title"], details={"type": "url_citation"}),
            )
        assert part.provider_details == {"citations": annotations}
        # All results hold the same suggestions.
        assert read_.suggestions == SearchSuggestions(
            results[0]["search_suggestions"],
            (
                "notable AI developments last week May 8-15 2026",
                "AI news May 8 2026",
                "AI breakthroughs May 2026",
                "major AI announcements May 2026",
            ),
            must_show=True,
        )


def test_synthetic_offsets_are_bytes() -> None:
    """Four for the emoji, and a beginning that is left out is 0."""
    read_ = read(text("\U0001f600 So.", url_citation(5, 8), url_citation(None, 4)))
    assert [citation.anchor for citation in read_.citations] == [
        ContentCitationAnchor(2, 5),
        ContentCitationAnchor(0, 1),
    ]


@pytest.mark.parametrize(
    ("start", "end"),
    [(1, 4), (0, 9), (3, 3), (5, 4), (-1, 4), ("x", 4), pytest.param(0, HUGE, id="huge"), (0, None)],
)
def test_synthetic_offsets_that_select_nothing_are_given_up(start: Any, end: Any) -> None:
    """One of them is inside of the emoji; the source stays."""
    (citation,) = read(text("\U0001f600 So.", url_citation(start, end))).citations
    assert (citation.anchor, citation.repaired) == (None, "offsets given up")
    assert citation.sources


def test_synthetic_an_annotation_without_offsets_has_no_anchor() -> None:
    """Nothing had to be given up."""
    (citation,) = read(text("So.", url_citation(None, None))).citations
    assert (citation.anchor, citation.repaired) == (None, None)


def test_synthetic_files_and_places() -> None:
    """With their page, and under Google's names whatever else is said."""
    file = {
        "type": "file_citation", "document_uri": "files/1", "file_name": "rules.pdf", "page_number": 3,
        "source": "Rules", "start_index": 0, "end_index": 3,
    }  # fmt: skip
    place = {"type": "place_citation", "place_id": "places/1", "name": "Cafe", "url": B, "end_index": 3}
    read_ = read(text("So.", file, place, {**place, "url": None}))
    details = {"type": "place_citation", "place_id": "places/1"}
    assert [citation.sources[0] for citation in read_.citations] == [
        DocumentCitationSource(
            "files/1", "rules.pdf", (), SourceSpan(3, 4, SpanUnit.PAGES),
            details={"type": "file_citation", "page_number": 3, "source": "Rules"},
        ),
        WebCitationSource(B, "Cafe", details=details),
        DocumentCitationSource("places/1", "Cafe", details=details),
    ]  # fmt: skip
    assert {citation.anchor for citation in read_.citations} == {ContentCitationAnchor(0, 3)}


@pytest.mark.parametrize(
    ("annotation", "kind", "reason"),
    [
        (url_citation(0, 3, None), "url_citation", "no address"),
        ({"type": "file_citation", "end_index": 3}, "file_citation", "no file"),
        ({"type": "place_citation"}, "place_citation", "no place"),
        ({"type": "word_info", "word": "So"}, "word_info", "not known"),
        ("nonsense", "annotation", "no address"),
    ],
)
def test_synthetic_what_names_nothing_is_left_and_costs_no_other(
    annotation: Any, kind: str, reason: str
) -> None:
    """It is kept raw with a reason, and its neighbour is a citation."""
    read_ = read(text("So.", annotation, url_citation(0, 3)))
    assert len(read_.citations) == 1
    (left,) = read_.unmapped
    assert (left.kind, left.raw, left.part) == (kind, annotation, 0)
    assert reason in left.reason


def test_synthetic_outputs_of_the_first_version() -> None:
    """They hold texts themselves, and annotations with nothing but a source."""
    annotations = [
        {"start_index": 0, "end_index": 3, "source": A},
        {"start_index": 0, "end_index": 3, "source": "kb/7"},
    ]
    read_ = read_response(
        "google",
        {
            "outputs": [
                {"type": "thought", "summary": [{"type": "text", "text": "Hm."}]},
                {"type": "google_search_call", "arguments": {"queries": ["q"]}},
                {
                    "type": "google_search_result",
                    "result": [{"url": A, "title": "A"}, {"url": B, "title": "B"}],
                },
                text("So.", *annotations),
            ]
        },
    )
    assert read_.text == "So."
    assert [citation.sources[0] for citation in read_.citations] == [
        WebCitationSource(A),
        DocumentCitationSource("kb/7"),
    ]
    assert read_.retrieved == (WebCitationSource(B, "B"),)
    assert read_.suggestions == SearchSuggestions(None, ("q",), must_show=False)


def test_synthetic_what_tools_found_and_was_not_cited() -> None:
    """Pages that were searched or fetched, and places; what the user said is no answer."""
    steps = [
        {"type": "user_input", "content": [text("A question?")]},
        {"type": "url_context_result", "result": [{"url": A, "status": "success"}]},
        {
            "type": "google_maps_result",
            "result": [{"places": [{"url": B, "name": "Cafe", "place_id": "places/1"}]}],
        },
        {"type": "model_output", "content": [{"type": "image"}, text("So.", url_citation(0, 3))]},
    ]
    read_ = read_response("google", {"steps": steps}, api="interactions")
    assert read_.text == "So."
    assert read_.retrieved == (WebCitationSource(B, "Cafe", details={"place_id": "places/1"}),)


# --- Streams ---


def test_synthetic_a_stream_is_the_whole() -> None:
    """Annotations follow their text; an image parts two texts; a thought says nothing."""
    events: list[dict[str, Any]] = [
        {"event_type": "interaction.created", "interaction": {"id": "i"}},
        {"event_type": "step.start", "index": 0, "step": {"type": "thought"}},
        {"event_type": "step.delta", "index": 0, "delta": {"type": "text", "text": "Hm."}},
        {"event_type": "step.start", "index": 1, "step": {"type": "model_output"}},
        {"event_type": "step.delta", "index": 1, "delta": {"type": "text", "text": "Oné "}},
        {"event_type": "step.delta", "index": 1, "delta": {"type": "text", "text": "two."}},
        {
            "event_type": "step.delta",
            "index": 1,
            "delta": {"type": "text_annotation_delta", "annotations": [url_citation(5, 9)]},
        },
        {"event_type": "step.delta", "index": 1, "delta": {"type": "image", "data": "aW1n"}},
        {"event_type": "step.delta", "index": 1, "delta": {"type": "text", "text": "Three."}},
        {
            "event_type": "step.delta",
            "index": 1,
            "delta": {"type": "text_annotation_delta", "annotations": [url_citation(0, 6, B)]},
        },
        {"event_type": "interaction.completed", "interaction": {"id": "i", "status": "completed"}},
    ]
    reader = StreamReader("google", api="interactions")
    assert "".join(reader.feed(event) for event in events) == "Oné two.Three."
    assert reader.finish() == read(
        text("Oné two.", url_citation(5, 9)), {"type": "image"}, text("Three.", url_citation(0, 6, B))
    )


def test_synthetic_a_stream_of_the_first_version() -> None:
    """Contents instead of steps, and annotations together with their text."""
    events: list[dict[str, Any]] = [
        {"event_type": "interaction.start", "interaction": {"id": "i"}},
        {"event_type": "content.start", "index": 0, "content": {"type": "google_search_call"}},
        {
            "event_type": "content.delta",
            "index": 0,
            "delta": {"type": "google_search_call", "arguments": {"queries": ["q"]}},
        },
        {"event_type": "content.start", "index": 1, "content": {"type": "text", "text": "So "}},
        {
            "event_type": "content.delta",
            "index": 1,
            "delta": {"type": "text", "text": "it is.", "annotations": [url_citation(3, 9)]},
        },
    ]
    reader = StreamReader("google", api="interactions")
    assert "".join(reader.feed(event) for event in events) == "So it is."
    read_ = reader.finish()
    assert [citation.anchor for citation in read_.citations] == [ContentCitationAnchor(3, 9)]
    assert read_.suggestions == SearchSuggestions(None, ("q",), must_show=False)


def test_synthetic_the_last_event_may_hold_all() -> None:
    """As for a stream that is taken up again at its end."""
    steps = [{"type": "model_output", "content": [text("So.", url_citation(0, 3))]}]
    reader = StreamReader("google", api="interactions")
    reader.feed({"event_type": "interaction.completed", "interaction": {"id": "i", "steps": steps}})
    assert reader.finish() == read(text("So.", url_citation(0, 3)))


def test_synthetic_a_step_may_begin_with_texts() -> None:
    """Each has annotations of its own, and what comes then goes on with the last."""
    content = [text("One.", url_citation(0, 4)), text("Two", url_citation(0, 3, B))]
    reader = StreamReader("google", api="interactions")
    begun = {"event_type": "step.start", "index": 0, "step": {"type": "model_output", "content": content}}
    assert reader.feed(begun) == "One.Two"
    assert (
        reader.feed({"event_type": "step.delta", "index": 0, "delta": {"type": "text", "text": "."}}) == "."
    )
    assert reader.finish() == read(content[0], text("Two.", url_citation(0, 3, B)))


# --- Whatever comes ---

WHOLE: dict[str, Any] = {
    "steps": [
        {"type": "thought", "summary": []},
        {"type": "google_search_call", "arguments": {"queries": ["q"]}},
        {
            "type": "google_search_result",
            "result": [{"search_suggestions": "<b/>"}, {"url": B, "title": "B"}],
        },
        {
            "type": "model_output",
            "content": [
                text(
                    "So é. ",
                    url_citation(0, 6),
                    {"type": "file_citation", "file_name": "f", "page_number": 1},
                ),
                text("More.", {"type": "place_citation", "place_id": "places/1", "end_index": 5}),
            ],
        },
    ]
}
EVENTS: list[dict[str, Any]] = [
    {"event_type": "step.start", "index": 0, "step": {"type": "model_output"}},
    {"event_type": "step.delta", "index": 0, "delta": {"type": "text", "text": "So "}},
    {"event_type": "step.delta", "index": 0, "delta": {"type": "text", "text": "it is."}},
    {
        "event_type": "step.delta",
        "index": 0,
        "delta": {"type": "text_annotation_delta", "annotations": [url_citation(0, 9)]},
    },
    {"event_type": "step.stop", "index": 0},
]


def plain_text(value: Any) -> str:
    """Return the text of an interaction as a plain reading of its JSON gives it."""
    contents = [
        one
        for step in objects(at(value, "steps"))
        for one in (objects(step.get("content")) if step.get("type") == "model_output" else [step])
    ]
    return joined(one.get("text") for one in contents if one.get("type") == "text")


@given(mutilated(WHOLE))
def test_whatever_is_wrong_with_an_interaction_its_text_is_read(value: dict[str, Any]) -> None:
    """Nothing is raised, the text is that of its steps, and every anchor lies in its part."""
    read_ = read_response("google", value, api="interactions")
    assert read_.text == plain_text(value)
    for part in read_:
        for citation in part.citations:
            assert citation.sources
            if citation.anchor is not None:
                assert 0 <= citation.anchor.start < citation.anchor.end <= len(part.content)


@given(mutilated(EVENTS))
def test_whatever_is_wrong_with_a_stream_its_text_is_read(events: list[Any]) -> None:
    """The pieces that were told add up to the text."""
    reader = StreamReader("google", api="interactions")
    told = "".join(reader.feed(event) for event in objects(events))
    assert sorted(reader.finish().text) == sorted(told)
