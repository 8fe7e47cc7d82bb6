"""Anthropic Messages: what is cited, and where in its sources, of five kinds of location and of fetched pages."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from mutilated import at, items, joined, mutilated, objects

from pincite.core.citation import (
    ContentCitationAnchor,
    DocumentCitationSource,
    SourceSpan,
    SpanUnit,
    WebCitationSource,
)
from pincite.providers.read import read_response
from pincite.providers.response import hash_of
from pincite.providers.stream import StreamReader

if TYPE_CHECKING:
    from pathlib import Path

    from pincite.providers.response import ProviderResponse

# Of each recording: its blocks of text, how many of them are cited, their sources, and pages that were only found.
# Counted in the JSON.
RECORDED = {
    "anthropic-stream-anthropic-web-fetch-tool-1-chunks-0": (2, 0, 0, 1),
    "anthropic-stream-anthropic-web-search-tool-1-chunks-0": (19, 9, 14, 6),
    "anthropic-stream-stream-with-citations-1-0": (5, 2, 2, 0),
    "anthropic-stream-stream-with-web-search-citations-1-0": (8, 3, 3, 9),
    "anthropic-stream-test-anthropic-document-citations-stream-0": (1, 1, 1, 0),
    "anthropic-stream-test-anthropic-web-search-tool-stream-0": (18, 8, 9, 12),
    "anthropic-unary-anthropic-web-fetch-tool-1-0": (2, 0, 0, 1),
    "anthropic-unary-generate-text-with-pdf-citations-1-0": (5, 2, 2, 0),
    "anthropic-unary-generate-text-with-web-search-citations-1-0": (13, 6, 7, 7),
    "anthropic-unary-test-anthropic-document-citations-0": (1, 1, 1, 0),
    "anthropic-unary-test-anthropic-web-search-tool-0": (19, 9, 9, 7),
    "anthropic-unary-test-pause-turn-web-search-vcr-1": (34, 15, 17, 44),
}


def recorded(shared: Path, name: str) -> tuple[list[dict[str, Any]], ProviderResponse]:
    """Return the blocks of a recorded message, as a plain reading of its JSON gives them, and our reading of it."""
    recording = json.loads((shared / "recordings" / f"{name}.json").read_text(encoding="utf-8"))
    if not recording["stream"]:
        response = recording["response"]
        return response["content"], read_response("anthropic", response, api=recording["api"])
    reader = StreamReader("anthropic", api=recording["api"])
    blocks: list[dict[str, Any]] = []
    for event in recording["events"]:
        reader.feed(event)
        delta = event.get("delta", {})
        if event["type"] == "content_block_start":
            blocks.append({"citations": [], **event["content_block"]})
        elif delta.get("type") == "text_delta":
            blocks[-1]["text"] += delta["text"]
        elif delta.get("type") == "citations_delta":
            blocks[-1]["citations"].append(delta["citation"])
    return blocks, reader.finish()


def block(text: str, *citations: Any) -> dict[str, Any]:
    """Return a block of text."""
    return {"type": "text", "text": text, "citations": list(citations)}


def char_location(start: int, end: int, cited: str, **more: Any) -> dict[str, Any]:
    """Return a location in a document of text, or in a fetched page."""
    return {
        "type": "char_location", "cited_text": cited, "document_index": 0, "document_title": None,
        "start_char_index": start, "end_char_index": end, **more,
    }  # fmt: skip


def fetched(url: str, text: str, title: str | None = None) -> dict[str, Any]:
    """Return the result of fetching a page of text."""
    source = {"type": "text", "media_type": "text/plain", "data": text}
    document = {"type": "document", "source": source, "title": title}
    result = {"type": "web_fetch_result", "url": url, "retrieved_at": "2026-01-01", "content": document}
    return {"type": "web_fetch_tool_result", "tool_use_id": "srvtoolu_1", "content": result}


def fetched_pdf(url: str, title: str) -> dict[str, Any]:
    """Return the result of fetching a PDF."""
    source = {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="}
    document = {"type": "document", "source": source, "title": title}
    result = {"type": "web_fetch_result", "url": url, "content": document}
    return {"type": "web_fetch_tool_result", "tool_use_id": "srvtoolu_2", "content": result}


def read(*blocks: Any) -> ProviderResponse:
    """Read a message of these blocks."""
    return read_response("anthropic", {"role": "assistant", "content": list(blocks)})


# --- Recordings ---


@pytest.mark.parametrize("name", RECORDED)
def test_every_recorded_citation_is_there(shared: Path, name: str) -> None:
    """One for each cited block, over the whole block, with all its sources; the raw ones are kept in order."""
    blocks, read = recorded(shared, name)
    texts = [one for one in blocks if one["type"] == "text"]
    assert read.text == "".join(one["text"] for one in texts)
    sources = [source for citation in read.citations for source in citation.sources]
    assert (len(read), len(read.citations), len(sources), len(read.retrieved)) == RECORDED[name]
    assert not read.unmapped
    for part, raw in zip(read, texts, strict=True):
        citations = items(raw.get("citations"))
        assert part.provider_details == ({"citations": citations} if citations else None)
        assert [one.anchor for one in part.citations] == (
            [ContentCitationAnchor(0, len(part.content))] if citations else []
        )
        for citation in part.citations:
            assert citation.text_hash == hash_of(raw["text"])
            assert [source.excerpts for source in citation.sources] == [
                (one["cited_text"],) if one["cited_text"] else () for one in citations
            ]


def test_recorded_pages_of_a_pdf(shared: Path) -> None:
    """Pages are counted from 1, and the end is exclusive: page 1 is 1 to 2."""
    blocks, read = recorded(shared, "anthropic-unary-generate-text-with-pdf-citations-1-0")
    first, second = (citation.sources[0] for citation in read.citations)
    title = blocks[1]["citations"][0]["document_title"]
    assert isinstance(first, DocumentCitationSource)
    assert (first.document_id, first.title, first.excerpts) == (None, title, ("The grass is green. ",))
    assert first.span == second.span == SourceSpan(1, 2, SpanUnit.PAGES)
    assert first.details is not None
    assert first.details["document_index"] == 0


def test_a_recorded_web_source_keeps_what_a_later_turn_needs(shared: Path) -> None:
    """The encrypted index goes back to Anthropic with the citation."""
    blocks, read = recorded(shared, "anthropic-unary-test-anthropic-web-search-tool-0")
    raw = blocks[4]["citations"][0]
    source = read.citations[0].sources[0]
    assert isinstance(source, WebCitationSource)
    assert (source.url, source.title) == (raw["url"], raw["title"])
    assert source.details == {"type": raw["type"], "encrypted_index": raw["encrypted_index"]}


# --- Synthetic: what no recording has ---


def test_synthetic_search_results_of_ones_own() -> None:
    """Nobody recorded `search_result_location`: a source that is an address is a page, another one a document."""
    location = {
        "type": "search_result_location", "title": "Returns", "cited_text": "Within 30 days.",
        "search_result_index": 2, "start_block_index": 1, "end_block_index": 3,
    }  # fmt: skip
    read_ = read(
        block(
            "Thirty days.",
            {**location, "source": "https://example.com/returns"},
            {**location, "source": "kb/7"},
        )
    )
    web, document = read_.citations[0].sources
    assert web == WebCitationSource(
        "https://example.com/returns",
        "Returns",
        ("Within 30 days.",),
        SourceSpan(1, 3, SpanUnit.BLOCKS),
        details={
            "type": "search_result_location", "search_result_index": 2, "start_block_index": 1, "end_block_index": 3
        },
    )  # fmt: skip
    assert isinstance(document, DocumentCitationSource)
    assert document.document_id == "kb/7"
    assert document.span == SourceSpan(1, 3, SpanUnit.BLOCKS)


def test_synthetic_blocks_of_a_document_and_its_file() -> None:
    """Blocks are counted from 0, the end exclusive; a file of the provider's store has its id."""
    location = {
        "type": "content_block_location", "cited_text": "A. B.", "document_index": 1, "document_title": "Rules",
        "file_id": "file_9", "start_block_index": 0, "end_block_index": 2,
    }  # fmt: skip
    source = read(block("Both.", location)).citations[0].sources[0]
    assert isinstance(source, DocumentCitationSource)
    assert (source.document_id, source.title, source.excerpts) == ("file_9", "Rules", ("A. B.",))
    assert source.span == SourceSpan(0, 2, SpanUnit.BLOCKS)


def test_synthetic_a_fetched_page_is_known_by_its_words() -> None:
    """It is cited like a document; where its text has the excerpt in that range, the page is the source."""
    read_ = read(
        fetched("https://example.com/a", "Intro. The cat sat.", "Cats"),
        block("A cat sat.", char_location(7, 19, "The cat sat.", document_title="Cats")),
    )
    source = read_.citations[0].sources[0]
    assert isinstance(source, WebCitationSource)
    assert (source.url, source.title, source.excerpts) == ("https://example.com/a", "Cats", ("The cat sat.",))
    assert source.span == SourceSpan(7, 19)
    assert read_.retrieved == ()


@pytest.mark.parametrize(
    ("pages", "location"),
    [
        pytest.param(
            [("https://a.example", "Same words.", None), ("https://b.example", "Same words.", None)],
            char_location(0, 11, "Same words."),
            id="two pages have the words",
        ),
        pytest.param(
            [("https://a.example", "Same words.", "A")],
            char_location(0, 11, "Same words.", document_title="Contract"),
            id="its title is another",
        ),
        pytest.param(
            [("https://a.example", "Same words.", None)],
            char_location(0, 10, "Other words"),
            id="other words",
        ),
        pytest.param(
            [("https://a.example", "Same words.", None)],
            char_location(0, 11, "Same words.", file_id="file_1"),
            id="it is a file",
        ),
    ],
)
def test_synthetic_a_page_is_not_guessed(pages: list[tuple[str, str, str | None]], location: Any) -> None:
    """What fits no page, or several, stays a document."""
    source = read(*(fetched(*page) for page in pages), block("So it says.", location)).citations[0].sources[0]
    assert isinstance(source, DocumentCitationSource)


def test_synthetic_of_two_pages_with_the_same_words_the_title_tells() -> None:
    """A page whose title is another than the document's is not meant."""
    read_ = read(
        fetched("https://a.example", "Same words.", "A"),
        fetched("https://b.example", "Same words.", "B"),
        block("So it says.", char_location(0, 11, "Same words.", document_title="B")),
    )
    source = read_.citations[0].sources[0]
    assert isinstance(source, WebCitationSource)
    assert source.url == "https://b.example"
    assert [one.title for one in read_.retrieved] == ["A"]


def test_synthetic_a_page_counted_in_utf16_has_a_span_in_code_points() -> None:
    """Two units stand for the emoji; the span is that of the text itself."""
    read_ = read(
        fetched("https://example.com/a", "\U0001f600 The cat sat."),
        block("A cat sat.", char_location(3, 15, "The cat sat.")),
    )
    assert read_.citations[0].sources[0].span == SourceSpan(2, 14)


def test_synthetic_a_fetched_pdf_is_a_document() -> None:
    """Its title tells that it is cited, so it is not listed as only found."""
    location = {
        "type": "page_location", "cited_text": "Chapter 2.", "document_index": 0, "document_title": "Report",
        "start_page_number": 2, "end_page_number": 4,
    }  # fmt: skip
    found = fetched_pdf("https://example.com/r.pdf", "Report")
    read_ = read(found, block("Two chapters.", location))
    source = read_.citations[0].sources[0]
    assert isinstance(source, DocumentCitationSource)
    assert source.span == SourceSpan(2, 4, SpanUnit.PAGES)
    assert read_.retrieved == ()
    (only_found,) = read(found, block("Nothing.")).retrieved
    assert isinstance(only_found, DocumentCitationSource)
    assert only_found.details == {"type": "web_fetch_result", "url": "https://example.com/r.pdf"}


def test_synthetic_failed_searches_and_fetches_find_nothing() -> None:
    """Their results are errors."""
    search = {"type": "web_search_tool_result", "content": {"type": "web_search_tool_result_error"}}
    fetch = {"type": "web_fetch_tool_result", "content": {"type": "web_fetch_tool_result_error"}}
    assert read(search, fetch, block("No luck.")).retrieved == ()


@pytest.mark.parametrize(
    ("location", "kind", "reason"),
    [
        (
            {"type": "web_search_result_location", "cited_text": "x"},
            "web_search_result_location",
            "no address",
        ),
        ({"type": "tea_leaves_location", "cited_text": "x"}, "tea_leaves_location", "not known"),
        ({"type": "char_location", "cited_text": None}, "char_location", "no document"),
        ({"type": "search_result_location"}, "search_result_location", "no search result"),
        ({"cited_text": "x"}, "citation", "not known"),
        ("nonsense", "citation", "not known"),
    ],
)
def test_synthetic_what_names_nothing_is_left_and_costs_no_other(
    location: Any, kind: str, reason: str
) -> None:
    """It is kept raw with a reason, and its neighbour is a citation."""
    read_ = read(block("Before. "), block("Text.", location, char_location(0, 5, "Words")))
    assert read_.text == "Before. Text."
    assert len(read_.citations[0].sources) == 1
    (left,) = read_.unmapped
    assert (left.kind, left.raw, left.part) == (kind, location, 1)
    assert reason in left.reason
    details = read_[1].provider_details
    assert details is not None
    assert details["citations"][0] == location


@pytest.mark.parametrize(
    ("start", "end"), [(None, 5), (5, 5), (6, 5), (-1, 5), ("a", 5), (0.5, 5), (True, 5)]
)
def test_synthetic_an_odd_range_costs_the_range_alone(start: Any, end: Any) -> None:
    """The source stays, and what was sent stays in its details."""
    location = char_location(0, 0, "Words") | {"start_char_index": start, "end_char_index": end}
    source = read(block("Text.", location)).citations[0].sources[0]
    assert source.span is None
    assert source.excerpts == ("Words",)


def test_synthetic_pages_begin_with_one() -> None:
    """A page 0 there is not."""
    location = {"type": "page_location", "document_index": 0, "start_page_number": 0, "end_page_number": 1}
    assert read(block("Text.", location)).citations[0].sources[0].span is None


def test_synthetic_a_citation_without_text_has_no_anchor() -> None:
    """There is nothing that it could cover, and it is kept."""
    (citation,) = read(block("", char_location(0, 5, "Words"))).citations
    assert citation.anchor is None


# --- Streams ---


def test_synthetic_a_stream_gives_citations_wherever_they_stand() -> None:
    """Inside of the start of a block, before its text, behind it; text in the start counts too."""
    first, second, third = (char_location(at, at + 1, "W") for at in range(3))
    reader = StreamReader("anthropic")
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": {"id": "m", "content": []}},
        {"type": "content_block_start", "index": 0, "content_block": block("One ", first)},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "citations_delta", "citation": second}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "two."}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "citations_delta", "citation": third}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_stop"},
    ]
    assert [reader.feed(event) for event in events] == ["", "One ", "", "two.", "", "", ""]
    assert reader.finish() == read(block("One two.", first, second, third))


def test_synthetic_blocks_of_a_stream_are_in_the_order_of_their_index() -> None:
    """Whatever order they begin in, and without an index a delta is of the block before it."""
    reader = StreamReader("anthropic")
    for event in (
        {"type": "content_block_start", "index": 1, "content_block": block("b")},
        {"type": "content_block_start", "index": 0, "content_block": block("a")},
        {"type": "content_block_delta", "delta": {"type": "text_delta", "text": "A"}},
    ):
        reader.feed(event)
    assert [part.content for part in reader.finish()] == ["aA", "b"]


# --- Whatever comes ---

WHOLE: dict[str, Any] = {
    "role": "assistant",
    "content": [
        fetched("https://example.com/a", "Intro. The cat sat.", "Cats"),
        fetched_pdf("https://example.com/r.pdf", "Report"),
        {"type": "web_search_tool_result", "content": [{"url": "https://example.com/b", "title": "B"}]},
        block("A cat sat. ", char_location(7, 19, "The cat sat.", document_title="Cats")),
        block(
            "More.",
            {"type": "page_location", "document_index": 0, "start_page_number": 2, "end_page_number": 4},
            {"type": "web_search_result_location", "url": "https://example.com/b", "cited_text": "b"},
            {
                "type": "search_result_location",
                "source": "kb/7",
                "start_block_index": 1,
                "end_block_index": 3,
            },
        ),
    ],
}
EVENTS: list[dict[str, Any]] = [
    {"type": "message_start", "message": {"id": "m", "content": []}},
    {
        "type": "content_block_start",
        "index": 0,
        "content_block": {"type": "text", "text": "", "citations": []},
    },
    {
        "type": "content_block_delta",
        "index": 0,
        "delta": {"type": "citations_delta", "citation": {"type": "x"}},
    },
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Some "}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "text."}},
    {"type": "content_block_stop", "index": 0},
]


def plain_text(response: dict[str, Any]) -> str:
    """Return the text of a message as a plain reading of its JSON gives it."""
    return joined(one.get("text") for one in objects(at(response, "content")) if one.get("type") == "text")


@given(mutilated(WHOLE))
def test_whatever_is_wrong_with_a_message_its_text_is_read(response: dict[str, Any]) -> None:
    """Nothing is raised, the text is that of its blocks, and every anchor lies in it."""
    read_ = read_response("anthropic", response)
    assert read_.text == plain_text(response)
    for part in read_:
        for citation in part.citations:
            assert citation.sources
            assert citation.anchor in (None, ContentCitationAnchor(0, len(part.content)))


@given(mutilated(EVENTS))
def test_whatever_is_wrong_with_a_stream_its_text_is_read(events: list[Any]) -> None:
    """The pieces that were told add up to the text."""
    reader = StreamReader("anthropic")
    told = "".join(reader.feed(event) for event in objects(events))
    assert sorted(reader.finish().text) == sorted(told)
