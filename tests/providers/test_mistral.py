"""Mistral: nobody has recorded a citation of it, so all of these are synthetic after its SDK."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pincite.core.citation import DocumentCitationSource, WebCitationSource
from pincite.providers.read import read_response
from pincite.providers.stream import StreamReader

if TYPE_CHECKING:
    from pincite.providers.response import ProviderResponse

ONE = {"type": "text", "text": "One. "}
TWO = {"type": "text", "text": "Two."}
PAGE = {
    "type": "tool_reference",
    "tool": "web_search",
    "title": "A",
    "url": "https://a.example",
    "favicon": "https://a.example/f.ico",
    "description": "About A.",
}
SOURCE = WebCitationSource(
    "https://a.example",
    "A",
    details={"tool": "web_search", "favicon": "https://a.example/f.ico", "description": "About A."},
)


def reference(*ids: Any) -> dict[str, Any]:
    """Return a reference chunk."""
    return {"type": "reference", "reference_ids": list(ids)}


def chat(content: Any) -> ProviderResponse:
    """Return what a chat completion comes to."""
    return read_response("mistral", {"choices": [{"index": 0, "message": {"content": content}}]})


def conversation(*outputs: Any) -> ProviderResponse:
    """Return what an answer of a conversation comes to."""
    return read_response("mistral", {"outputs": list(outputs)}, api="conversations")


def test_synthetic_references_between_texts() -> None:
    """Each is a citation at the end of its part, without an anchor; its sources stay together."""
    response = chat([ONE, reference(0, 2), TWO, reference("doc-1")])
    assert [part.content for part in response] == ["One. ", "Two."]
    assert [[one.anchor for one in part.citations] for part in response] == [[None], [None]]
    first, second = response.citations
    assert first.sources == (
        DocumentCitationSource("0", details={"reference_id": 0}),
        DocumentCitationSource("2", details={"reference_id": 2}),
    )
    assert second.sources == (DocumentCitationSource("doc-1", details={"reference_id": "doc-1"}),)
    assert response[0].provider_details == {"citations": [reference(0, 2)]}


def test_synthetic_texts_without_a_reference_between_them_are_one_part() -> None:
    """However the provider cut them; two references behind one text belong to it."""
    response = chat([ONE, TWO, reference(1), reference(2), {"type": "text", "text": ""}])
    assert [part.content for part in response] == ["One. Two."]
    assert len(response.citations) == 2


def test_synthetic_reference_before_any_text_belongs_to_the_first_part() -> None:
    """There is no part before it."""
    response = chat([reference(1), ONE])
    assert [(part.content, len(part.citations)) for part in response] == [("One. ", 1)]


def test_synthetic_references_of_thinking_are_not_of_the_answer() -> None:
    """Nor are its words."""
    thinking = {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}, reference(1)]}
    response = chat([thinking, ONE, reference(2)])
    assert response.text == "One. "
    assert [one.raw for one in response.unmapped] == [reference(1)]
    assert len(response.citations) == 1


@pytest.mark.parametrize("content", ["One. ", [ONE], ["One. "], ONE])
def test_synthetic_content_in_each_form(content: Any) -> None:
    """A string, chunks, or one chunk."""
    assert chat(content).text == "One. "


def test_synthetic_faults_cost_their_chunk() -> None:
    """No ids, ids of other types, an unknown chunk; the text is whole."""
    response = chat([ONE, reference(), reference(None, True, [], ""), {"type": "image_url"}, 7, TWO])
    assert response.text == "One. Two."
    assert response.citations == ()
    assert [one.kind for one in response.unmapped] == ["reference", "reference", "image_url", "chunk"]


def test_synthetic_conversation_with_pages_that_a_tool_found() -> None:
    """Each page is a citation; the query that found it is kept."""
    search = {"type": "tool.execution", "name": "web_search", "arguments": '{"query": "q"}'}
    untitled = {"type": "tool_reference", "tool": "document_library", "title": "D"}
    response = conversation(search, {"type": "message.output", "content": [ONE, PAGE, untitled, TWO]})
    assert [part.content for part in response] == ["One. ", "Two."]
    assert [citation.sources for citation in response.citations] == [
        (SOURCE,),
        (DocumentCitationSource(None, "D", details={"tool": "document_library"}),),
    ]
    assert response.suggestions is not None
    assert response.suggestions.queries == ("q",)


def test_synthetic_conversation_of_a_plain_text() -> None:
    """Content may be a string; a call of a function is no text."""
    call = {"type": "function.call", "name": "f", "arguments": "{}", "content": "no text"}
    assert conversation(call, {"type": "message.output", "content": "One. "}).text == "One. "


def test_synthetic_chat_stream_ends_in_the_whole_response() -> None:
    """A text that came in pieces is one part; a delta is a string or chunks."""
    reader = StreamReader("mistral")
    new = "".join(
        reader.feed({"choices": [{"index": 0, "delta": {"content": content}}]})
        for content in ("On", "e. ", [reference(0)], [{"type": "text", "text": "Tw"}], "o.", "")
    )
    assert new == "One. Two."
    assert reader.finish() == chat([ONE, reference(0), TWO])


@pytest.mark.parametrize("is_wrapped", [False, True])
def test_synthetic_conversation_stream_ends_in_the_whole_response(*, is_wrapped: bool) -> None:
    """Events as they are sent, or as the SDK hands them on: with what was sent in `data`."""
    reader = StreamReader("mistral", api="conversations")
    message = {"type": "message.output.delta", "output_index": 1}
    new = ""
    events: list[dict[str, Any]] = [
        {"type": "conversation.response.started", "conversation_id": "c"},
        {"type": "tool.execution.started", "output_index": 0, "name": "web_search", "arguments": '{"que'},
        {"type": "tool.execution.delta", "output_index": 0, "name": "web_search", "arguments": 'ry": "q"}'},
        {"type": "tool.execution.done", "output_index": 0, "name": "web_search"},
        {**message, "content": "One"},
        {**message, "content": ". "},
        {**message, "content": PAGE},
        {**message, "content": TWO},
        {"type": "conversation.response.done", "usage": {}},
    ]
    for event in events:
        new += reader.feed({"event": event["type"], "data": event} if is_wrapped else event)
    assert new == "One. Two."
    search = {"type": "tool.execution", "name": "web_search", "arguments": '{"query": "q"}'}
    assert reader.finish() == conversation(search, {"type": "message.output", "content": [ONE, PAGE, TWO]})
