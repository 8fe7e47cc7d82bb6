"""Chat completions of OpenAI, OpenRouter, xAI, and of servers that are compatible with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from recorded import events_of, load

from pincite.core.citation import DocumentCitationSource, MarkerCitationAnchor, WebCitationSource
from pincite.providers.read import read_response
from pincite.providers.stream import StreamReader

if TYPE_CHECKING:
    from pincite.providers.response import ProviderResponse

WEB = "https://a.example/page"
LINK = f"[a]({WEB})"


def answer(content: Any, *annotations: Any, **more: Any) -> dict[str, Any]:
    """Return a chat completion of one choice."""
    message = {"role": "assistant", "content": content, "annotations": list(annotations)}
    return {"choices": [{"index": 0, "message": message}], **more}


def nested(start: Any = None, end: Any = None, **more: Any) -> dict[str, Any]:
    """Return a `url_citation` as OpenAI Chat nests it."""
    return {
        "type": "url_citation",
        "url_citation": {"url": WEB, "start_index": start, "end_index": end, **more},
    }


def chat(response: object, provider: str = "openai") -> ProviderResponse:
    """Return what a chat completion comes to."""
    return read_response(provider, response, api="chat")


def test_recorded_openrouter_stream(shared: object) -> None:
    """Five citations before the text, at 0 to 0, each with the words of its page."""
    recording = load("openrouter-stream-test-openrouter-web-search-annotations-stream-0")
    reader = StreamReader("openrouter")
    new = "".join(reader.feed(event) for event in events_of(recording))
    response = reader.finish()
    assert new == response.text == "https://github.com/pydantic/pydantic-ai"
    assert len(response.citations) == 5
    assert response.unmapped == ()
    sent = [
        event["choices"][0]["delta"]["annotations"][0]["url_citation"] for event in recording["events"][:5]
    ]
    for citation, raw in zip(response.citations, sent, strict=True):
        assert citation.anchor is None
        assert citation.repaired is None
        assert citation.sources == (WebCitationSource(raw["url"], raw["title"] or None, (raw["content"],)),)


def test_nested_and_flat_annotations_are_the_same() -> None:
    """OpenAI nests the fields under the type; others do not, and some leave the type out."""
    text = f"A thing {LINK}."
    place = {"start_index": 8, "end_index": 8 + len(LINK)}
    flat = {"type": "url_citation", "url": WEB, **place}
    for annotation in (nested(8, 8 + len(LINK)), flat, {"url": WEB, **place}):
        (citation,) = chat(answer(text, annotation), "openai_compatible").citations
        assert citation.anchor == MarkerCitationAnchor(8, 8 + len(LINK))
        assert citation.written == LINK
        assert citation.sources == (WebCitationSource(WEB),)


def test_a_compatible_server_may_leave_out_title_and_offsets() -> None:
    """The answer is whole, and so is the citation: the whole answer failed for others."""
    (citation,) = chat(answer("Text.", {"type": "url_citation", "url_citation": {"url": WEB}})).citations
    assert citation.sources == (WebCitationSource(WEB),)
    assert citation.anchor is None


def test_openrouter_files_are_kept_raw() -> None:
    """A parsed file that goes back with the next request is no citation."""
    file: dict[str, Any] = {"type": "file", "file": {"hash": "h", "name": "n.pdf", "content": []}}
    response = chat(answer("Text.", file, nested(content="Words.")), "openrouter")
    assert [(one.kind, one.raw, one.part) for one in response.unmapped] == [("file", file, 0)]
    assert [citation.sources[0].excerpts for citation in response.citations] == [("Words.",)]
    details = response[0].provider_details
    assert details is not None
    assert details["citations"][0] is file


def test_addresses_beside_the_choices_are_what_was_found() -> None:
    """XAI and gateways list them; a page that is cited is not listed again, and one with a title only once."""
    found = {"citations": [WEB, "https://b.example", "https://c.example"]}
    results = {
        "search_results": [
            {"url": "https://b.example", "title": "B", "date": "2026-01-01"},
            {"title": "none"},
        ]
    }
    response = chat(answer("Text.", nested(), **found, **results), "xai")
    assert response.retrieved == (
        WebCitationSource("https://b.example", "B", details={"date": "2026-01-01"}),
        WebCitationSource("https://c.example"),
    )


def test_a_cited_page_has_what_the_search_said_of_it() -> None:
    """The citation names the address; title, words and date stand in the list of results."""
    results = {"search_results": [{"url": WEB, "title": "A", "snippet": "Words.", "date": "2026-01-01"}]}
    (citation,) = chat(answer("Text.", nested(), **results)).citations
    assert citation.sources == (WebCitationSource(WEB, "A", ("Words.",), details={"date": "2026-01-01"}),)


def test_content_in_pieces_is_one_text() -> None:
    """Compatible servers send a list; what is no text in it adds none."""
    content = [
        {"type": "text", "text": "A thing "},
        {"type": "image_url"},
        LINK,
        None,
        {"type": "text", "text": 7},
    ]
    response = chat(answer(content, nested(8, 8 + len(LINK))))
    assert response.text == f"A thing {LINK}"
    assert response.citations[0].written == LINK


def test_another_choice_is_kept_and_not_read() -> None:
    """Two answers are not one text."""
    response = answer("One.")
    response["choices"] *= 2
    read = chat(response)
    assert read.text == "One."
    assert [one.kind for one in read.unmapped] == ["choice"]


def test_azure_says_what_its_own_search_found() -> None:
    """`message.context.citations` are sources with words."""
    response = answer("Text.")
    cited = {"title": "T", "url": WEB, "content": "Words.", "chunk_id": "0"}
    response["choices"][0]["message"]["context"] = {"citations": [cited, {"title": "without an address"}]}
    assert chat(response).retrieved == (WebCitationSource(WEB, "T", ("Words.",), details={"chunk_id": "0"}),)


def test_a_private_marker_is_told_of() -> None:
    """As in the Responses API."""
    response = chat(answer("A.\ue200cite\ue202turn0search1\ue201"))
    assert response.text == "A.\ue200cite\ue202turn0search1\ue201"
    assert [one.kind for one in response.unmapped] == ["private_use_marker"]


@pytest.mark.parametrize("provider", ["openai", "openrouter", "xai", "openai_compatible"])
def test_a_stream_ends_in_the_whole_response(provider: str) -> None:
    """Annotations in any chunk, lists beside the choices in every one, a message as far as it has come."""
    text = f"A thing {LINK}."
    cited = nested(8, 8 + len(LINK))
    found = {"citations": [WEB, "https://b.example"]}
    reader = StreamReader(provider, api="chat")
    new = reader.feed({"choices": [{"delta": {"annotations": [cited], "content": ""}}], "citations": [WEB]})
    new += reader.feed({"choices": [{"index": 0, "delta": {"content": text[:5]}}], **found})
    new += reader.feed(
        {"choices": [{"index": 0, "message": {"content": text}, "delta": {"content": text[5:]}}]}
    )
    new += reader.feed({"choices": [], "usage": {"total_tokens": 1}})
    response = reader.finish()
    assert new == text
    assert response == chat(answer(text, cited, **found), provider)


def test_a_stream_that_only_sends_whole_messages() -> None:
    """What is new is what the last message did not have."""
    reader = StreamReader("openai_compatible")
    assert reader.feed({"choices": [{"message": {"content": "One"}}]}) == "One"
    whole = {"content": "One two", "annotations": [nested()]}
    assert reader.feed({"choices": [{"message": whole}]}) == " two"
    assert reader.feed({"choices": [{"message": whole}]}) == ""
    response = reader.finish()
    assert response.text == "One two"
    assert len(response.citations) == 1


# --- Groq: nobody has recorded one, so all of these are synthetic after its SDK ---


def document(start: Any, end: Any, document_id: Any = "d1") -> dict[str, Any]:
    """Return a `document_citation`."""
    fields = {"document_id": document_id, "start_index": start, "end_index": end}
    return {"type": "document_citation", "document_citation": fields}


def test_synthetic_groq_citations_of_documents_and_functions() -> None:
    """The characters that a document supports, and those that a tool's result does."""
    text = "Returns take 30 days. It is 21 °C."
    function = {"tool_call_id": "call_1", "start_index": 22, "end_index": 34}
    response = read_response(
        "groq",
        answer(text, document(0, 21), {"type": "function_citation", "function_citation": function}),
    )
    first, second = response.citations
    assert text[first.anchor.start : first.anchor.end] == "Returns take 30 days." if first.anchor else False
    assert first.sources == (DocumentCitationSource("d1"),)
    assert text[second.anchor.start : second.anchor.end] == "It is 21 °C." if second.anchor else False
    assert second.sources == (DocumentCitationSource("call_1", details={"tool_call_id": "call_1"}),)


def test_synthetic_groq_marker_is_a_marker() -> None:
    """Where the offsets select a number in brackets, the anchor is that marker, in UTF-16 units too."""
    text = "😀 Returns take 30 days [1]."
    at = text.index("[1]")
    for start, repaired in ((at, None), (at + 1, "offsets read as UTF-16")):
        (citation,) = read_response("groq", answer(text, document(start, start + 3))).citations
        assert citation.anchor == MarkerCitationAnchor(at, at + 3)
        assert citation.written == "[1]"
        assert citation.repaired == repaired


def test_synthetic_groq_faults_cost_their_citation() -> None:
    """No id, no place, a place behind the end."""
    response = read_response(
        "groq", answer("Text.", document(0, 4, None), document(None, None), document(3, 99))
    )
    assert [one.kind for one in response.unmapped] == ["document_citation"]
    assert [(one.anchor, one.repaired) for one in response.citations] == [
        (None, None),
        (None, "offsets given up: they select no text"),
    ]


def test_synthetic_groq_tools_tell_what_they_found() -> None:
    """Results of a search and pages of a browser with words and scores; images and queries by name."""
    tool = {
        "index": 0,
        "type": "search",
        "arguments": '{"query": "q"}',
        "search_results": {
            "results": [{"title": "A", "url": WEB, "content": "Words.", "score": 0.9}],
            "images": ["https://a.example/i.png"],
        },
        "browser_results": [{"title": "B", "url": "https://b.example", "live_view_url": "https://l.example"}],
    }
    response = answer("Text.")
    response["choices"][0]["message"]["executed_tools"] = [tool, {"arguments": "no JSON"}, None]
    read = read_response("groq", response)
    assert read.retrieved == (
        WebCitationSource(WEB, "A", ("Words.",), details={"score": 0.9}),
        WebCitationSource("https://b.example", "B", details={"live_view_url": "https://l.example"}),
    )
    assert read.details == {"images": ["https://a.example/i.png"]}
    assert read.suggestions is not None
    assert read.suggestions.queries == ("q",)


def test_synthetic_groq_stream_ends_in_the_whole_response() -> None:
    """A tool comes twice: as it is called, and with what it found."""
    found = {"search_results": {"results": [{"title": "A", "url": WEB, "content": "Words.", "score": 0.9}]}}
    called = {"index": 0, "type": "search", "arguments": '{"query": "q"}'}
    reader = StreamReader("groq")
    for delta in (
        {"role": "assistant", "executed_tools": [called]},
        {"executed_tools": [{"index": 0, "output": "o", **found}]},
        {"content": "Returns take "},
        {"content": "30 days."},
        {"annotations": [document(0, 21)]},
    ):
        reader.feed({"choices": [{"index": 0, "delta": delta}]})
    whole = answer("Returns take 30 days.", document(0, 21))
    whole["choices"][0]["message"]["executed_tools"] = [{**called, "output": "o", **found}]
    assert reader.finish() == read_response("groq", whole)
