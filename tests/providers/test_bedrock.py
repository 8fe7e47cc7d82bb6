"""Amazon Bedrock Converse: five kinds of location, and citations that come in pieces."""

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
from pincite.providers.stream import StreamReader

if TYPE_CHECKING:
    from pathlib import Path

    from pincite.providers.response import ProviderResponse


def cited(text: str, *citations: Any) -> dict[str, Any]:
    """Return a block of text with citations."""
    return {"citationsContent": {"content": [{"text": text}], "citations": list(citations)}}


def citation(location: dict[str, Any], *words: str, **more: Any) -> dict[str, Any]:
    """Return a citation."""
    return {"location": location, "sourceContent": [{"text": one} for one in words], **more}


def message(*blocks: Any) -> dict[str, Any]:
    """Return a response of these blocks."""
    return {"output": {"message": {"role": "assistant", "content": list(blocks)}}, "stopReason": "end_turn"}


def read(*blocks: Any) -> ProviderResponse:
    """Read a response of these blocks."""
    return read_response("bedrock", message(*blocks))


def delta(index: int, **of: Any) -> dict[str, Any]:
    """Return an event that adds to a block."""
    return {"contentBlockDelta": {"contentBlockIndex": index, "delta": of}}


def test_the_recorded_citation_is_there(shared: Path) -> None:
    """One block of two has one, of page 1 of the first document."""
    name = "bedrock-unary-test-bedrock-pdf-citations-0.json"
    recording = json.loads((shared / "recordings" / name).read_text(encoding="utf-8"))
    read_ = read_response("bedrock", recording["response"], api=recording["api"])
    said = 'The PDF contains the text "Dummy PDF file"'
    assert [part.content for part in read_] == [said, "."]
    (one,) = read_.citations
    assert one.anchor == ContentCitationAnchor(0, 42)
    (source,) = one.sources
    assert isinstance(source, DocumentCitationSource)
    assert (source.document_id, source.title, source.excerpts) == (None, "Document 1", ("Dummy PDF file",))
    assert source.span == SourceSpan(1, 2, SpanUnit.PAGES)
    assert source.details == {"location": "documentPage", "documentIndex": 0, "start": 1, "end": 2}
    content = recording["response"]["output"]["message"]["content"]
    assert read_[0].provider_details == {"citations": content[0]["citationsContent"]["citations"]}
    assert read_[1].provider_details is None


@pytest.mark.parametrize(
    ("kind", "unit"),
    [
        ("documentChar", SpanUnit.CODE_POINTS),
        ("documentPage", SpanUnit.PAGES),
        ("documentChunk", SpanUnit.CHUNKS),
    ],
)
def test_synthetic_ranges_of_documents(kind: str, unit: SpanUnit) -> None:
    """Characters, pages and chunks, with the number of the document."""
    source = read(
        cited("So.", citation({kind: {"documentIndex": 3, "start": 4, "end": 9}}, "Words.", title="D"))
    )
    (one,) = source.citations[0].sources
    assert one == DocumentCitationSource(
        None, "D", ("Words.",), SourceSpan(4, 9, unit),
        details={"location": kind, "documentIndex": 3, "start": 4, "end": 9},
    )  # fmt: skip


def test_synthetic_search_results_keep_their_source() -> None:
    """An address is a page, anything else the id of a document."""
    location = {"searchResultLocation": {"searchResultIndex": 1, "start": 0, "end": 2}}
    web, document = read(
        cited(
            "So.",
            citation(location, "Words.", title="S", source="https://example.com/s"),
            citation(location, "Words.", source="kb/7"),
        )
    ).citations[0].sources  # fmt: skip
    assert isinstance(web, WebCitationSource)
    assert (web.url, web.title, web.span) == ("https://example.com/s", "S", SourceSpan(0, 2, SpanUnit.BLOCKS))
    assert isinstance(document, DocumentCitationSource)
    assert document.document_id == "kb/7"
    assert document.details is not None
    assert document.details["searchResultIndex"] == 1


def test_synthetic_a_web_page() -> None:
    """Its domain is kept."""
    location = {"web": {"url": "https://example.com/p", "domain": "example.com"}}
    (source,) = read(cited("So.", citation(location, "A", "B", title="P"))).citations[0].sources
    assert source == WebCitationSource(
        "https://example.com/p", "P", ("A", "B"), details={"location": "web", "domain": "example.com"}
    )


def test_synthetic_a_block_of_several_texts_is_one_part() -> None:
    """The citation covers them together, and keeps both sources."""
    page = {"documentPage": {"documentIndex": 0, "start": 1, "end": 2}}
    block = {
        "citationsContent": {
            "content": [{"text": "One "}, {"text": "two."}],
            "citations": [citation(page), citation(page)],
        }
    }
    (one,) = read({"text": "Zero. "}, block, {"toolUse": {"name": "t"}}).citations
    assert one.anchor == ContentCitationAnchor(6, 14)
    assert len(one.sources) == 2


def test_synthetic_a_location_of_an_unknown_kind_costs_only_itself() -> None:
    """The words are still cited, and the location is kept as it came."""
    location = {"videoSecond": {"start": 4}}
    (source,) = read(cited("So.", citation(location, "Words.", title="Film"))).citations[0].sources
    assert isinstance(source, DocumentCitationSource)
    assert (source.title, source.span, source.details) == ("Film", None, {"location": location})


def test_synthetic_what_names_nothing_is_left() -> None:
    """Kept raw, with a reason; the text is whole."""
    read_ = read(cited("So.", {}, "nonsense", citation({"web": {"domain": "example.com"}})))
    assert read_.text == "So."
    assert read_.citations == ()
    assert [(left.kind, left.raw, left.part) for left in read_.unmapped] == [
        ("citation", {}, 0),
        ("citation", "nonsense", 0),
        ("citation", citation({"web": {"domain": "example.com"}}), 0),
    ]


# --- Streams ---


def test_synthetic_a_stream_is_the_whole() -> None:
    """A citation comes before the text of its block, as was recorded, or behind it."""
    first = citation({"documentPage": {"documentIndex": 0, "start": 1, "end": 2}}, "One.", title="D")
    second = citation({"documentPage": {"documentIndex": 0, "start": 2, "end": 3}}, "Two.", title="D")
    reader = StreamReader("bedrock")
    told = [
        reader.feed(event)
        for event in (
            {"messageStart": {"role": "assistant"}},
            delta(0, citation=first),
            delta(0, text="One, "),
            delta(0, text="two."),
            delta(0, citation=second),
            {"contentBlockStop": {"contentBlockIndex": 0}},
            delta(1, text=" End."),
            {"messageStop": {"stopReason": "end_turn"}},
        )
    ]
    assert told == ["", "", "One, ", "two.", "", "", " End.", ""]
    assert reader.finish() == read(cited("One, two.", first, second), {"text": " End."})


def test_synthetic_a_citation_in_pieces_is_one() -> None:
    """The SDK says that they may come so: what the last has not yet, or more of its words."""
    page = {"documentPage": {"documentIndex": 0, "start": 1, "end": 2}}
    reader = StreamReader("bedrock")
    for piece in (
        {"title": "D", "location": page},
        {"sourceContent": [{"text": "One "}]},
        {"sourceContent": [{"text": "word."}]},
        {"title": "E", "location": page},
    ):
        reader.feed(delta(0, citation=piece))
    reader.feed(delta(0, text="So."))
    (one,) = reader.finish().citations
    assert [(source.title, source.excerpts) for source in one.sources] == [("D", ("One word.",)), ("E", ())]


# --- Whatever comes ---

WHOLE = message(
    {"text": "Zero. "},
    cited("One.", citation({"documentChar": {"documentIndex": 0, "start": 1, "end": 2}}, "W", title="D")),
    cited("Two.", citation({"web": {"url": "https://example.com"}}), citation({"searchResultLocation": {}})),
)
EVENTS: list[dict[str, Any]] = [
    {"messageStart": {"role": "assistant"}},
    delta(0, citation=citation({"documentChar": {"documentIndex": 0, "start": 1, "end": 2}}, "W", title="D")),
    delta(0, text="One."),
    delta(1, text=" Two."),
]


def plain_text(value: Any) -> str:
    """Return the text of a response as a plain reading of its JSON gives it."""
    texts: list[Any] = []
    for block in objects(at(value, "output", "message", "content")):
        inner = block.get("citationsContent")
        if isinstance(inner, dict) and inner:
            texts.extend(at(piece, "text") for piece in items(at(inner, "content")))
        else:
            texts.append(block.get("text"))
    return joined(texts)


@given(mutilated(WHOLE))
def test_whatever_is_wrong_with_a_response_its_text_is_read(response: dict[str, Any]) -> None:
    """Nothing is raised, the text is that of its blocks, and every anchor covers its part."""
    read_ = read_response("bedrock", response)
    assert read_.text == plain_text(response)
    for part in read_:
        for one in part.citations:
            assert one.sources
            assert one.anchor in (None, ContentCitationAnchor(0, len(part.content)))


@given(mutilated(EVENTS))
def test_whatever_is_wrong_with_a_stream_its_text_is_read(events: list[Any]) -> None:
    """The pieces that were told add up to the text."""
    reader = StreamReader("bedrock")
    told = "".join(reader.feed(event) for event in objects(events))
    assert sorted(reader.finish().text) == sorted(told)
