"""OpenAI's Responses API, and others who speak it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from recorded import events_of, load

from pincite.core.citation import (
    ContentCitationAnchor,
    DocumentCitationSource,
    MarkerCitationAnchor,
    WebCitationSource,
)
from pincite.providers.read import read_response
from pincite.providers.stream import StreamReader

if TYPE_CHECKING:
    from pincite.providers.response import ProviderResponse

WEB = "https://a.example/page"
LINK = f"([a.example]({WEB}))"


def recorded(name: str) -> ProviderResponse:
    """Return what a recording comes to."""
    recording = load(name)
    if not recording["stream"]:
        return read_response("openai", recording["response"])
    reader = StreamReader("openai")
    for event in events_of(recording):
        reader.feed(event)
    return reader.finish()


def answer(text: str, *annotations: Any) -> dict[str, Any]:
    """Return a response of one message with one text."""
    content = {"type": "output_text", "text": text, "annotations": list(annotations)}
    return {"output": [{"type": "message", "content": [content]}]}


def url(start: Any = None, end: Any = None, address: Any = WEB, **more: Any) -> dict[str, Any]:
    """Return a `url_citation`."""
    return {"type": "url_citation", "start_index": start, "end_index": end, "url": address, **more}


# Counted in the files: each recording, and the text that each of its `url_citation`s selects by its own offsets.
URL_RECORDINGS = {
    "openai-unary-generate-text-with-web-search-citations-1-0": [
        (950, 1120, "([metcheck.com](https://www.m")
    ],
    "openai-unary-test-openai-include-raw-annotations-non-streaming-1": [
        (77, 162, "([britannica.com](https://www")
    ],
    "openai-unary-test-openai-responses-web-search-citations-0": [
        (70, 143, "([github.com](https://github.c")
    ],
    "openai-unary-test-openai-responses-model-builtin-tools-web-search-0": [
        (294, 460, "([reuters.com](https://www.reuters.com/world/middle-east/un-"),
        (670, 763, "([apnews.com](https://apnews.com/article/aad7af5ddfb5"),
        (974, 1102, "([reuters.com](https://www.reuters.com/world/middle-east/death-"),
    ],
    "openai-stream-stream-with-provider-tool-1-0": [
        (170, 279, "([inchcalculator.com](https://www.inch"),
        (330, 427, "([geeksforgeeks.org](https://www.geeks"),
    ],
    "openai-stream-test-openai-include-raw-annotations-streaming-0": [
        (77, 162, "([britannica.com](https://www")
    ],
    "openai-stream-test-openai-include-raw-annotations-streaming-1": [
        (94, 179, "([britannica.com](https://www")
    ],
}


@pytest.mark.parametrize("name", URL_RECORDINGS)
def test_recorded_url_citations(shared: object, name: str) -> None:
    """Ten of them in seven recordings: each is a marker, the link that the model wrote."""
    response = recorded(name)
    wanted = URL_RECORDINGS[name]
    assert len(response.citations) == len(wanted)
    assert response.unmapped == ()
    for citation, (start, end, begins) in zip(response.citations, wanted, strict=True):
        assert citation.anchor == MarkerCitationAnchor(start, end)
        assert citation.repaired is None
        written = response.text[start:end]
        assert citation.written == written
        assert written.startswith(begins)
        assert written.endswith("))")
        (source,) = citation.sources
        assert isinstance(source, WebCitationSource)
        assert source.url in written
        assert source.title
        assert citation.claim is not None


def test_the_claim_of_a_recorded_marker_is_the_sentence_before_it(shared: object) -> None:
    """It is a guess of ours, and it does not hold the marker."""
    response = recorded("openai-stream-test-openai-include-raw-annotations-streaming-1")
    claim = response.citations[0].claim
    assert claim is not None
    assert response.text[claim.start : claim.end] == (
        "Alberta’s tallest mountain (highest point) is **Mount Columbia**, at **3,747 m (12,294 ft)**."
    )


@pytest.mark.parametrize(
    ("name", "file_id", "title", "index"),
    [
        ("openai-unary-openai-file-search-tool-1-0", "file-Ebzhf8H4DPGPr9pUhr7n7v", "ai.pdf", 438),
        (
            "openai-unary-test-openai-responses-model-file-search-tool-4",
            "file-U6Ke78qu8nkANsrCrjoYBr",
            "tmp2zuepgia.txt",
            137,
        ),
    ],
)
def test_recorded_file_citations(shared: object, name: str, file_id: str, title: str, index: int) -> None:
    """A position is no range: there is no anchor, and the position is kept."""
    response = recorded(name)
    (citation,) = response.citations
    assert citation.anchor is None
    assert citation.repaired is None
    assert citation.sources == (DocumentCitationSource(file_id, title, details={"index": index}),)
    details = response[0].provider_details
    assert details is not None
    assert details["citations"][0]["index"] == index


@pytest.mark.parametrize(
    ("name", "start", "end", "written", "file_id"),
    [
        (
            "openai-unary-test-openai-responses-code-execution-return-image-0",
            94,
            134,
            "sandbox:/mnt/data/y_equals_x_squared.png",
            "cfile_68cdc39bba888191b47ed8bda6111395",
        ),
        (
            "openai-stream-test-openai-responses-code-execution-return-image-stream-0",
            91,
            132,
            "sandbox:/mnt/data/y_eq_x_squared_plot.png",
            "cfile_68dd9381192c81918f24ee3f0294cce6",
        ),
    ],
)
def test_recorded_container_files(
    shared: object, name: str, start: int, end: int, written: str, file_id: str
) -> None:
    """Of two files each, the first is said to be nowhere (0 to 0) and the second is a link."""
    response = recorded(name)
    first, second = response.citations
    assert first.anchor is None
    assert first.repaired is None
    assert second.anchor == MarkerCitationAnchor(start, end)
    assert second.written == response.text[start:end] == written
    (source,) = second.sources
    assert isinstance(source, DocumentCitationSource)
    assert source.document_id == file_id
    assert source.details is not None
    assert source.details["container_id"].startswith("cntr_")


def test_recorded_queries_are_kept(shared: object) -> None:
    """Queries of one search, in the order asked, each once."""
    response = recorded("openai-stream-test-openai-include-raw-annotations-streaming-0")
    assert response.suggestions is not None
    assert response.suggestions.queries == (
        "tallest mountain in Alberta highest peak Alberta Mount Columbia elevation",
        "Mount Columbia highest point in Alberta 3747 m highest mountain in Alberta",
        "Mount Columbia tallest mountain in Alberta official source",
    )
    assert not response.suggestions.must_show


ASTRAL = f"😀😀 One thing {LINK}. Another."
AT = ASTRAL.index(LINK)


@pytest.mark.parametrize(("moved", "repaired"), [(0, None), (2, "offsets read as UTF-16")])
def test_synthetic_astral_characters_before_a_link(moved: int, repaired: str | None) -> None:
    """Offsets in code points and in UTF-16 units find the same link, though both select its address."""
    start = AT + moved
    (citation,) = read_response("openai", answer(ASTRAL, url(start, start + len(LINK)))).citations
    assert citation.anchor == MarkerCitationAnchor(AT, AT + len(LINK))
    assert citation.written == LINK
    assert citation.repaired == repaired


@pytest.mark.parametrize(
    ("start", "end"), [(0, 5), (900, 950), (30, 20), (None, 20), (20, None), ("x", "y"), (10**30, 10**31)]
)
def test_offsets_that_select_no_marker_are_given_up(start: Any, end: Any) -> None:
    """The source is cited all the same, and what became of its place is said."""
    (citation,) = read_response("openai", answer(ASTRAL, url(start, end))).citations
    assert citation.anchor is None
    assert citation.written is None
    assert (citation.repaired or "").startswith("offsets given up")


@pytest.mark.parametrize(("start", "end"), [(None, None), (0, 0), (7, 7)])
def test_no_offsets_are_no_fault(start: Any, end: Any) -> None:
    """The provider said of no text that it is meant."""
    (citation,) = read_response("openai", answer(ASTRAL, url(start, end))).citations
    assert citation.anchor is None
    assert citation.repaired is None


def test_a_link_without_the_tracking_of_its_address() -> None:
    """`utm_source` stands in the annotation and not in the text."""
    cited = url(AT, AT + len(LINK), f"{WEB}?utm_source=openai")
    (citation,) = read_response("openai", answer(ASTRAL, cited)).citations
    assert citation.written == LINK


def test_a_numbered_marker_needs_no_address() -> None:
    """`[1]` is a marker by its form."""
    (citation,) = read_response("openai", answer("A thing.[1]", url(8, 11))).citations
    assert citation.anchor == MarkerCitationAnchor(8, 11)


def test_all_four_types_and_an_unknown_one() -> None:
    """What is unknown is kept with its reason, and the answer is whole."""
    unknown = {"type": "place_citation", "place": "Rome"}
    path = {"type": "file_path", "file_id": "f1", "index": 3}
    response = read_response(
        "openai", answer("Text.", path, unknown, url(address=None), {"type": "file_citation"})
    )
    assert response.text == "Text."
    assert [citation.sources for citation in response.citations] == [
        (DocumentCitationSource("f1", details={"index": 3}),)
    ]
    assert [(one.kind, one.part) for one in response.unmapped] == [
        ("place_citation", 0),
        ("url_citation", 0),
        ("file_citation", 0),
    ]
    assert response.unmapped[0].raw is unknown
    assert all(one.reason.endswith(".") for one in response.unmapped)
    details = response[0].provider_details
    assert details is not None
    assert len(details["citations"]) == 4


def test_a_private_marker_is_told_of_and_stays_in_the_text() -> None:
    """openai-agents-python 2051: structured output with `turn0search1` between private-use characters."""
    marker = "\ue200cite\ue202turn0search1\ue201"
    text = f'{{"claim": "Rain falls.{marker}"}} \ue200cite\ue202turn1'
    response = read_response("openai", answer(text))
    assert response.text == text
    assert [(one.kind, one.raw, one.part) for one in response.unmapped] == [
        ("private_use_marker", marker, 0),
        ("private_use_marker", "\ue200cite\ue202turn1", 0),
    ]


def test_a_private_marker_that_an_annotation_explains_is_a_citation() -> None:
    """Then it is a marker as any other."""
    marker = "\ue200cite\ue202turn0search1\ue201"
    response = read_response("openai", answer(f"Rain.{marker}", url(5, 5 + len(marker))))
    assert [citation.written for citation in response.citations] == [marker]
    assert response.unmapped == ()


def test_what_a_search_found_and_nobody_cited_is_kept() -> None:
    """Sources of a web search, an opened page, and the chunks of a file search with their scores."""
    response = answer(f"One {LINK}", url(4, 4 + len(LINK), title="A"))
    response["output"][:0] = [
        {
            "type": "web_search_call",
            "action": {
                "type": "search",
                "query": "q",
                "sources": [
                    {"type": "url", "url": f"{WEB}?utm_source=openai"},
                    {"type": "url", "url": "https://b.example"},
                ],
            },
        },
        {"type": "web_search_call", "action": {"type": "open_page", "url": "https://c.example"}},
        {
            "type": "file_search_call",
            "queries": ["r"],
            "results": [{"file_id": "f", "filename": "f.txt", "score": 0.5, "text": "Words."}],
        },
    ]
    read = read_response("openai", response)
    assert read.retrieved == (
        WebCitationSource("https://b.example"),
        WebCitationSource("https://c.example"),
        DocumentCitationSource("f", "f.txt", ("Words.",), details={"score": 0.5}),
    )
    assert read.suggestions is not None
    assert read.suggestions.queries == ("q", "r")


def test_a_refusal_is_no_text() -> None:
    """It is kept by its name."""
    content = [{"type": "refusal", "refusal": "No."}]
    response = read_response("openai", {"output": [{"type": "message", "content": content}]})
    assert response.text == ""
    assert response.details == {"refusal": "No."}


def test_each_text_is_a_part_and_anchors_are_of_their_part() -> None:
    """`citations` of the response counts from its start."""
    response = answer(f"One {LINK}.", url(4, 4 + len(LINK)))
    response["output"] *= 2
    read = read_response("openai", response)
    assert [part.citations[0].anchor for part in read] == [MarkerCitationAnchor(4, 4 + len(LINK))] * 2
    shift = len(read[0].content)
    assert read.citations[1].anchor == MarkerCitationAnchor(shift + 4, shift + 4 + len(LINK))
    assert read.citations[1].claim == ContentCitationAnchor(shift, shift + 3)


def stream_of(*events: dict[str, Any]) -> ProviderResponse:
    """Return what events come to."""
    reader = StreamReader("openai")
    for event in events:
        reader.feed(event)
    return reader.finish()


AT_ITEM = {"output_index": 0, "content_index": 0}
DELTA: dict[str, Any] = {"type": "response.output_text.delta", **AT_ITEM, "delta": f"One {LINK}"}
CITED = url(4, 4 + len(LINK))


def test_a_late_annotation_of_a_stream_is_read() -> None:
    """The provider may send it behind `output_text.done`, or in the finished item only."""
    added = {"type": "response.output_text.annotation.added", "output_index": 0, "content_index": 0}
    done = {
        "type": "response.output_text.done",
        "output_index": 0,
        "content_index": 0,
        "text": DELTA["delta"],
    }
    late = stream_of(DELTA, done, {**added, "annotation_index": 0, "annotation": CITED})
    item = {
        "type": "response.output_item.done",
        "output_index": 0,
        "item": answer(DELTA["delta"], CITED)["output"][0],
    }
    assert (
        late.citations
        == stream_of(DELTA, item).citations
        == read_response("openai", answer(f"One {LINK}", CITED)).citations
    )
    # An event without a number, and the finished item with the same annotation, are one citation.
    assert len(stream_of(DELTA, {**added, "annotation": CITED}, item).citations) == 1


def test_text_that_only_comes_whole_is_new_text() -> None:
    """A server may send no deltas."""
    reader = StreamReader("openai")
    done = {"type": "response.output_text.done", "output_index": 0, "content_index": 0}
    assert reader.feed({**done, "text": "One"}) == "One"
    assert reader.feed({**done, "text": "One two"}) == " two"
    assert reader.feed({"type": "response.completed", "response": answer("One two.")}) == "."
    assert reader.finish().text == "One two."


def test_annotations_without_a_number_are_each_taken_once() -> None:
    """One that another event has with a number is not taken again, in whatever order its fields come."""
    stream = StreamReader("openai")
    one = {"type": "url_citation", "url": "https://a.example", "title": "t"}
    other = {"type": "url_citation", "url": "https://b.example", "title": "t"}
    for annotation, number in ((one, 0), (dict(reversed(one.items())), None), (other, None)):
        event = {"type": "response.output_text.annotation.added", "output_index": 0, "annotation": annotation}
        stream.feed(event if number is None else {**event, "annotation_index": number})
    urls = [
        source.url
        for citation in stream.finish().citations
        for source in citation.sources
        if isinstance(source, WebCitationSource)
    ]
    assert urls == ["https://a.example", "https://b.example"]
