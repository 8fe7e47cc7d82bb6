"""xAI: its Responses API, and its own over gRPC."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from recorded import load

from pincite.core.citation import DocumentCitationSource, MarkerCitationAnchor, WebCitationSource
from pincite.providers.read import read_response
from pincite.providers.stream import StreamReader

if TYPE_CHECKING:
    from pincite.providers.response import ProviderResponse

POST = "https://x.com/i/status/1"
MARKER = f"[[1]]({POST})"
TEXT = f"People talk. {MARKER}"
AT = TEXT.index(MARKER)


def test_recorded_annotations_without_offsets(shared: object) -> None:
    """Twenty posts are cited by address alone: no anchor, nothing lost, nothing invented."""
    response = read_response("xai", load("xai-unary-xai-x-search-tool-1-0")["response"])
    assert len(response) == 1
    assert len(response.citations) == 20
    for citation in response.citations:
        assert citation.anchor is None
        assert citation.written is None
        assert citation.repaired is None
        (source,) = citation.sources
        assert isinstance(source, WebCitationSource)
        assert source.url.startswith("https://x.com/i/status/")
    assert len({str(citation.sources) for citation in response.citations}) == 20
    assert response.retrieved == ()
    assert response.unmapped == ()
    assert response.suggestions is not None
    assert response.suggestions.queries == ("AI artificial intelligence",)


def test_synthetic_markers_of_the_responses_api() -> None:
    """With offsets the anchor is the marker; the flat list beside the output is what was found."""
    annotation = {
        "type": "url_citation",
        "url": POST,
        "title": "1",
        "start_index": AT,
        "end_index": len(TEXT),
    }
    content = {"type": "output_text", "text": TEXT, "annotations": [annotation]}
    response = read_response(
        "xai",
        {"output": [{"type": "message", "content": [content]}], "citations": [POST, "https://b.example"]},
    )
    (citation,) = response.citations
    assert citation.anchor == MarkerCitationAnchor(AT, len(TEXT))
    assert citation.written == MARKER
    assert response.retrieved == (WebCitationSource("https://b.example"),)


def grpc(text: str, *citations: Any, found: Any = ()) -> ProviderResponse:
    """Return what a response over gRPC comes to."""
    message = {"role": "ROLE_ASSISTANT", "content": text, "citations": list(citations)}
    return read_response("xai", {"outputs": [{"message": message}], "citations": list(found)}, api="grpc")


def inline(start: Any, end: Any, **cited: Any) -> dict[str, Any]:
    """Return an `InlineCitation`."""
    return {"id": "1", "start_index": start, "end_index": end, **cited}


@pytest.mark.parametrize("kind", ["web_citation", "x_citation"])
def test_synthetic_grpc_pages(kind: str) -> None:
    """The anchor is the marker, and what kind it is stays known; pages only listed are what was found."""
    cited = inline(AT, len(TEXT), **{kind: {"url": POST}})
    response = grpc(TEXT, cited, found=[POST, "https://b.example"])
    (citation,) = response.citations
    assert citation.anchor == MarkerCitationAnchor(AT, len(TEXT))
    assert citation.written == MARKER
    assert citation.sources == (WebCitationSource(POST, details={"id": "1", "type": kind}),)
    assert response.retrieved == (WebCitationSource("https://b.example"),)
    details = response[0].provider_details
    assert details == {"citations": [cited]}


def test_synthetic_grpc_collections_are_documents() -> None:
    """With the chunk's words, and its score where scores are kept: among the details."""
    text = "Rain. [[1]](collections://f1)"
    cited = {
        "file_id": "f1",
        "chunk_id": "c1",
        "chunk_content": "Words.",
        "score": 0.5,
        "collection_ids": ["k"],
    }
    (citation,) = grpc(text, inline(6, len(text), collections_citation=cited)).citations
    assert citation.anchor == MarkerCitationAnchor(6, len(text))
    assert citation.score is None
    assert citation.sources == (
        DocumentCitationSource(
            "f1",
            excerpts=("Words.",),
            details={
                "id": "1",
                "type": "collections_citation",
                "chunk_id": "c1",
                "score": 0.5,
                "collection_ids": ["k"],
            },
        ),
    )


def test_synthetic_grpc_in_camel_case_without_zeros() -> None:
    """As protobuf's own JSON writes it: a start of zero is left out."""
    cited = {"id": "1", "endIndex": len(MARKER), "xCitation": {"url": POST}}
    (citation,) = grpc(MARKER, cited).citations
    assert citation.anchor == MarkerCitationAnchor(0, len(MARKER))


def test_synthetic_grpc_astral_characters_before_a_marker() -> None:
    """The unit is not known, so both are tried."""
    text = f"😀😀 {TEXT}"
    at = text.index(MARKER)
    for start in (at, at + 2):
        (citation,) = grpc(text, inline(start, start + len(MARKER), x_citation={"url": POST})).citations
        assert citation.anchor == MarkerCitationAnchor(at, at + len(MARKER))


def test_synthetic_grpc_faults_cost_their_citation() -> None:
    """No source, no address, no file, no place."""
    response = grpc(
        "Text.",
        inline(0, 4),
        inline(0, 4, web_citation={"title": "T"}),
        inline(0, 4, collections_citation={"chunk_id": "c"}),
        "x",
        inline(None, None, web_citation={"url": POST}),
    )
    assert response.text == "Text."
    assert [one.kind for one in response.unmapped] == [
        "inline_citation",
        "web_citation",
        "collections_citation",
        "inline_citation",
    ]
    assert [citation.anchor for citation in response.citations] == [None]


def test_synthetic_grpc_results_of_tools_are_no_answer() -> None:
    """An output whose role is a tool holds what the tool said."""
    outputs = [
        {"message": {"role": role, "content": content}}
        for role, content in (("ROLE_TOOL", "tool"), (5, "tool"), ("ROLE_ASSISTANT", "One."), (2, " Two."))
    ]
    response = read_response("xai", {"outputs": outputs}, api="grpc")
    assert [part.content for part in response] == ["One.", " Two."]


def test_synthetic_grpc_stream_ends_in_the_whole_response() -> None:
    """Citations come with their chunk, the flat list at the end."""
    reader = StreamReader("xai", api="grpc")
    cited = inline(AT, len(TEXT), x_citation={"url": POST})
    new = reader.feed({"outputs": [{"index": 0, "delta": {"role": "ROLE_ASSISTANT", "content": TEXT[:9]}}]})
    new += reader.feed({"outputs": [{"delta": {"content": TEXT[9:], "citations": [cited]}}]})
    new += reader.feed({"outputs": [{"index": 1, "delta": {"role": "ROLE_TOOL", "content": "tool"}}]})
    new += reader.feed({"citations": [POST, "https://b.example"]})
    assert new == TEXT
    assert reader.finish() == grpc(TEXT, cited, found=[POST, "https://b.example"])
