"""Cohere's chat, version 2."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from recorded import events_of, load

from pincite.core.citation import ContentCitationAnchor, DocumentCitationSource
from pincite.providers.read import read_response
from pincite.providers.stream import StreamReader

if TYPE_CHECKING:
    from pincite.providers.response import ProviderResponse

DOCUMENT = {"type": "document", "id": "doc:0", "document": {"id": "doc:0", "title": "T", "text": "Words."}}
SOURCE = DocumentCitationSource(
    "doc:0", "T", ("Words.",), details={"type": "document", "document": DOCUMENT["document"]}
)


def answer(text: Any, *citations: Any) -> ProviderResponse:
    """Return what a message comes to; `text` is one text, or the content."""
    content: Any = [{"type": "text", "text": text}] if isinstance(text, str) else text
    return read_response("cohere", {"id": "1", "message": {"content": content, "citations": list(citations)}})


def cite(start: Any = None, end: Any = None, text: Any = None, **more: Any) -> dict[str, Any]:
    """Return a citation of one document."""
    return {"start": start, "end": end, "text": text, "sources": [DOCUMENT], **more}


def test_recorded_citations(shared: object) -> None:
    """Three in the one recording that has any; each selects the text that it reports."""
    recording = load("cohere-unary-cohere-citations-0")
    response = read_response("cohere", recording["response"])
    assert [
        (response.text[one.anchor.start : one.anchor.end], one.anchor.start, one.repaired)
        for one in response.citations
        if isinstance(one.anchor, ContentCitationAnchor)
    ] == [
        ("Automation of tasks", 52, None),
        ("Better decision-making", 75, None),
        ("Cost reduction", 101, None),
    ]
    for citation in response.citations:
        (source,) = citation.sources
        assert isinstance(source, DocumentCitationSource)
        assert (source.document_id, source.title) == ("doc:0", "benefits.txt")
        assert source.excerpts == (
            "AI provides: 1. Automation of tasks 2. Better decision-making 3. Cost reduction",
        )
    details = response[0].provider_details
    assert details == {"citations": recording["response"]["message"]["citations"]}


@pytest.mark.parametrize(
    ("name", "text", "details"),
    [
        ("cohere-stream-cohere-text-chunks-0", "The capital of France is Paris.", {}),
        (
            "cohere-stream-cohere-empty-tool-call-chunks-0",
            "",
            {"tool_plan": "I will use the currentTime tool to find the current time."},
        ),
    ],
)
def test_recorded_streams_without_citations(
    shared: object, name: str, text: str, details: dict[str, str]
) -> None:
    """A text, and a plan to call a tool, which is no text of the answer."""
    reader = StreamReader("cohere")
    new = "".join(reader.feed(event) for event in events_of(load(name)))
    response = reader.finish()
    assert new == response.text == text
    assert response.citations == ()
    assert response.details == details


def test_a_tool_is_a_source_and_sources_stay_together() -> None:
    """Two sources of one citation are one citation."""
    tool = {"type": "tool", "id": "call:0", "tool_output": {"content": "21 °C"}}
    (citation,) = answer("It is 21 °C.", cite(6, 11, "21 °C", sources=[DOCUMENT, tool])).citations
    assert citation.anchor == ContentCitationAnchor(6, 11)
    assert citation.sources == (
        SOURCE,
        DocumentCitationSource(
            "call:0", excerpts=("21 °C",), details={"type": "tool", "tool_output": {"content": "21 °C"}}
        ),
    )


ASTRAL = "😀😀 Rain falls. Rain falls again."


@pytest.mark.parametrize(
    ("start", "end", "text", "anchor", "repaired"),
    [
        (3, 13, "Rain falls", (3, 13), None),
        (5, 15, "Rain falls", (3, 13), "offsets read as UTF-16"),
        (9, 19, "Rain falls", (3, 13), "offsets read as bytes"),
        (6, 16, "Rain falls", (3, 13), "offsets moved by -3 code points"),
        (14, 24, "Rain falls", (15, 25), "offsets moved by 1 code points"),
        (15, None, "Rain falls", (15, 25), None),
        (15, 99, "Rain falls", (15, 25), "end moved"),
        (None, None, "falls again", (20, 31), "no offsets: found by the reported text"),
        (None, None, "Rain falls", None, "no offsets, and the reported text is not in the answer just once"),
        (3, 13, "Snow falls", None, "offsets given up: the reported text is not there"),
        (3, 13, None, (3, 13), None),
        (None, None, None, None, None),
        (3, None, None, None, "offsets given up: one of them is missing"),
        (13, 3, None, None, "offsets given up: they select no text"),
        (10**30, 10**31, None, None, "offsets given up: they select no text"),
    ],
)
def test_synthetic_offsets_with_astral_characters(
    start: Any, end: Any, text: str | None, anchor: tuple[int, int] | None, repaired: str | None
) -> None:
    """The reported text decides what the offsets count, and where it stands when they are wrong."""
    (citation,) = answer(ASTRAL, cite(start, end, text)).citations
    assert citation.anchor == (ContentCitationAnchor(*anchor) if anchor else None)
    assert citation.repaired == repaired
    assert citation.sources == (SOURCE,)


def test_a_very_short_reported_text_is_only_taken_beside_its_offset() -> None:
    """`**` stands everywhere: cherry-studio 13646."""
    text = "**Rain** falls on the plain in Spain and on **hills**."
    (near, far) = answer(text, cite(5, 7, "**"), cite(24, 26, "**")).citations
    assert near.anchor == ContentCitationAnchor(6, 8)
    assert far.anchor is None


def test_citations_of_thinking_and_of_plans_are_not_of_the_text() -> None:
    """They are kept with the reason."""
    content = [{"type": "thinking", "thinking": "Rain?"}, {"type": "text", "text": "Rain."}]
    response = answer(
        content,
        cite(0, 4, "Rain", type="THINKING_CONTENT", content_index=0),
        cite(0, 4, "Rain", content_index=0),
        cite(0, 4, "Rain", type="PLAN"),
        cite(0, 4, "Rain", type="TEXT_CONTENT", content_index=1),
    )
    assert response.text == "Rain."
    assert [one.kind for one in response.unmapped] == ["THINKING_CONTENT", "citation", "PLAN"]
    assert [citation.anchor for citation in response.citations] == [ContentCitationAnchor(0, 4)]


def test_the_block_of_a_citation() -> None:
    """By its number, else the first block in which its text is where it says."""
    content = [{"type": "text", "text": "One. "}, {"type": "text", "text": "Two. One."}]
    response = answer(content, cite(0, 3, "Two", content_index=1), cite(5, 8, "One"), cite(0, 3, "One"))
    assert [len(part.citations) for part in response] == [1, 2]
    assert [response.text[c.anchor.start : c.anchor.end] for c in response.citations if c.anchor] == [
        "One",
        "Two",
        "One",
    ]


def test_every_field_may_be_missing() -> None:
    """vercel/ai had a whole answer fail of it."""
    response = answer(
        "Rain.", {}, {"sources": []}, None, {"sources": [{}]}, {"sources": [None], "start": "x"}
    )
    assert response.text == "Rain."
    assert [one.kind for one in response.unmapped] == ["citation"] * 3
    assert [citation.sources for citation in response.citations] == [(DocumentCitationSource(None),)] * 2
    assert all(citation.anchor is None for citation in response.citations)


def test_without_a_text_there_is_nothing_to_cite() -> None:
    """The citation is kept."""
    response = answer([], cite(0, 3, "One"))
    assert response.text == ""
    assert [one.reason for one in response.unmapped] == ["There is no text that it could be of."]


def test_content_may_be_a_string() -> None:
    """As older servers send it."""
    response = read_response("cohere", {"message": {"content": "One.", "citations": [cite(0, 3, "One")]}})
    assert response.citations[0].anchor == ContentCitationAnchor(0, 3)


def test_synthetic_stream_with_thinking_and_a_list_of_citations() -> None:
    """Thinking is no new text; what starts may be one citation or several."""
    reader = StreamReader("cohere")

    def content(index: int, **fields: str) -> str:
        return reader.feed(
            {"type": "content-delta", "index": index, "delta": {"message": {"content": fields}}}
        )

    begun = {"message": {"content": {"type": "thinking", "thinking": "Ra"}}}
    assert reader.feed({"type": "content-start", "index": 0, "delta": begun}) == ""
    assert content(0, thinking="in?") == ""
    assert content(1, type="text", text="Ra") == "Ra"
    assert content(1, text="in.") == "in."
    cited = cite(0, 4, "Rain", content_index=1)
    several = {"message": {"citations": [cited, cited]}}
    assert reader.feed({"type": "citation-start", "index": 0, "delta": several}) == ""
    whole = [{"type": "thinking", "thinking": "Rain?"}, {"type": "text", "text": "Rain."}]
    assert reader.finish() == answer(whole, cited, cited)
