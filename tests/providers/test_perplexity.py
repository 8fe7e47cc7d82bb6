"""Perplexity: numbers in brackets, into lists beside the answer (Sonar) or search results by id (Agent)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from recorded import events_of, load

from pincite.core.citation import MarkerCitationAnchor, WebCitationSource
from pincite.providers.read import read_response
from pincite.providers.stream import StreamReader

if TYPE_CHECKING:
    from pincite.providers.response import ProviderResponse

A, B, C = "https://a.example", "https://b.example", "https://c.example"


def sonar(text: str, citations: Any = (A, B), **more: Any) -> ProviderResponse:
    """Return what an answer of Sonar comes to."""
    message = {"role": "assistant", "content": text}
    return read_response(
        "perplexity", {"choices": [{"index": 0, "message": message}], "citations": citations, **more}
    )


def agent(text: str, *items: dict[str, Any], annotations: Any = ()) -> ProviderResponse:
    """Return what an answer of the Agent API comes to."""
    content = {"type": "output_text", "text": text, "annotations": list(annotations)}
    message = {"type": "message", "role": "assistant", "content": [content]}
    return read_response("perplexity", {"output": [*items, message]}, api="agent")


def written(response: ProviderResponse) -> list[tuple[str | None, list[str]]]:
    """Return each citation's marker and the addresses of its sources."""
    return [
        (one.written, [source.url for source in one.sources if isinstance(source, WebCitationSource)])
        for one in response.citations
    ]


# Read off the recorded texts: the numbers in their order, the length of the list, and which of it nobody cites.
RECORDED = {
    "perplexity-unary-perplexity-citations-0": ([2, 3, 5, 7, 2, 3, 5, 7, 6, 1, 1, 2, 5], 7, [4]),
    "perplexity-unary-perplexity-text-0": ([1, 2, 1, 3, 1, 2, 3, 1, 4, 2, 3, 5], 6, [6]),
    "perplexity-stream-perplexity-citations-chunks-0": ([2, 3], 7, [1, 4, 5, 6, 7]),
    "perplexity-stream-perplexity-text-chunks-0": ([1, 5], 5, [2, 3, 4]),
}


@pytest.mark.parametrize("name", RECORDED)
def test_recorded_numbers(shared: object, name: str) -> None:
    """13, 12, 2 and 2 markers; each is its own citation, at its own place, of the page with its number."""
    recording = load(name)
    reader = StreamReader("perplexity")
    for event in events_of(recording):
        reader.feed(event)
    response = reader.finish()
    numbers, length, uncited = RECORDED[name]
    listed = (
        recording["response"]["citations"] if "response" in recording else recording["events"][0]["citations"]
    )
    assert len(listed) == length
    assert written(response) == [(f"[{number}]", [listed[number - 1]]) for number in numbers]
    last = -1
    for citation in response.citations:
        anchor = citation.anchor
        assert isinstance(anchor, MarkerCitationAnchor)
        assert response.text[anchor.start : anchor.end] == citation.written
        assert anchor.start > last
        last = anchor.start
    assert [source.url for source in response.retrieved if isinstance(source, WebCitationSource)] == [
        listed[number - 1] for number in uncited
    ]
    assert response.unmapped == ()


def test_markers_that_stand_together_have_one_claim(shared: object) -> None:
    """The sentence before all of them."""
    response = read_response("perplexity", load("perplexity-unary-perplexity-citations-0")["response"])
    claims = {citation.claim for citation in response.citations[4:7]}
    (claim,) = claims
    assert claim is not None
    assert response.text[claim.start : claim.end] == (
        "- 827,526 (2024 estimate, consistent across Wikipedia, California Demographics, and FRED/St. Louis Fed data)."
    )


def test_numbers_without_a_source_are_told_of() -> None:
    """Zero, one too many, one far too many; the rest is cited."""
    response = sonar("One.[0] Two.[3][1] Three.[999999999]")
    assert written(response) == [("[1]", [A])]
    assert [(one.kind, one.raw, one.part) for one in response.unmapped] == [
        ("marker", "[0]", 0),
        ("marker", "[3]", 0),
        ("marker", "[999999999]", 0),
    ]
    assert response.unmapped[1].reason == "There is no source with the number 3."


def test_numbers_in_code_and_definitions_are_no_markers() -> None:
    """`a[1]` is an element of an array there."""
    response = sonar("Use `a[1]`.[2]\n\n```\nb[1]\n```\n")
    assert written(response) == [("[2]", [B])]
    assert response.unmapped == ()


def test_the_text_of_a_picture_is_no_marker() -> None:
    """It was cited; a number behind an exclamation is still one."""
    response = sonar("![1](plan.png) Great![2]")
    assert written(response) == [("[2]", [B])]
    assert response.unmapped == ()


def test_numbers_in_one_pair_of_brackets_are_one_citation() -> None:
    """The model put them together, and they stay together; one of them may have no source."""
    response = sonar("One.[1, 2] Two.[2, 9]")
    assert written(response) == [("[1, 2]", [A, B]), ("[2, 9]", [B])]
    assert [one.raw for one in response.unmapped] == ["[2, 9]"]


def test_search_results_say_more_of_a_page() -> None:
    """Title, words and dates go with the citation; the list of addresses may be absent."""
    results = [
        {"title": "A", "url": A, "snippet": "Words.", "date": "2026-01-01", "source": "web"},
        {"title": "B", "url": B},
    ]
    source = WebCitationSource(A, "A", ("Words.",), details={"date": "2026-01-01", "source": "web"})
    for citations in ([A, B], None):
        response = sonar("One.[1]", citations, search_results=results)
        assert response.citations[0].sources == (source,)
        assert response.retrieved == (WebCitationSource(B, "B"),)


def test_without_any_list_there_are_no_sources() -> None:
    """The text stays, and the markers are told of."""
    response = sonar("One.[1]", None)
    assert response.text == "One.[1]"
    assert response.citations == ()
    assert len(response.unmapped) == 1


def test_what_else_sonar_sends_is_kept() -> None:
    """Images and further questions, by their names."""
    more = {"images": [{"image_url": "https://i.example"}], "related_questions": ["Why?"]}
    assert sonar("One.", **more).details == more


def test_synthetic_astral_characters_before_a_number() -> None:
    """Places are found in the text and not said, so nothing can shift them."""
    response = sonar("😀😀 One.[2]")
    assert response.citations[0].anchor == MarkerCitationAnchor(7, 10)


RESULTS = {
    "type": "search_results",
    "queries": ["q"],
    "results": [
        {"id": 3, "title": "C", "url": C, "snippet": "Words."},
        {"id": 1, "title": "A", "url": A, "snippet": "More."},
    ],
}


def test_synthetic_agent_numbers_are_ids_of_results() -> None:
    """Not positions in the list."""
    response = agent("One.[3] Two.[2]", RESULTS)
    (citation,) = response.citations
    assert citation.anchor == MarkerCitationAnchor(4, 7)
    assert citation.sources == (WebCitationSource(C, "C", ("Words.",), details={"id": 3}),)
    assert [one.raw for one in response.unmapped] == ["[2]"]
    assert response.retrieved == (WebCitationSource(A, "A", ("More.",), details={"id": 1}),)
    assert response.suggestions is not None
    assert response.suggestions.queries == ("q",)


def test_synthetic_agent_annotation_explains_its_number() -> None:
    """Then the marker is one citation and not two; the result gives the words."""
    annotation = {"type": "url_citation", "url": C, "title": "C", "start_index": 4, "end_index": 7}
    response = agent("One.[3]", RESULTS, annotations=[annotation])
    assert written(response) == [("[3]", [C])]
    assert response.citations[0].sources[0].excerpts == ("Words.",)


def test_synthetic_agent_pages_that_were_fetched() -> None:
    """They are found, with their words."""
    fetched = {"type": "fetch_url_results", "contents": [{"url": B, "title": "B", "snippet": "Page."}]}
    assert agent("One.", fetched).retrieved == (WebCitationSource(B, "B", ("Page.",)),)


@pytest.mark.parametrize("is_in_output", [True, False])
def test_synthetic_agent_stream_ends_in_the_whole_response(*, is_in_output: bool) -> None:
    """Results come in events of their own, and mostly in the output too; they are not found twice."""
    content: dict[str, Any] = {"type": "output_text", "text": "One.[3]", "annotations": []}
    message = {"type": "message", "role": "assistant", "content": [content]}
    reader = StreamReader("perplexity", api="agent")
    reader.feed({"type": "response.reasoning.search_results", "results": RESULTS["results"]})
    reader.feed({"type": "response.reasoning.search_queries", "queries": ["q"]})
    if is_in_output:
        call = {"type": "function_call", "name": "search_web", "arguments": "{}"}
        reader.feed({"type": "response.output_item.added", "output_index": 0, "item": call})
        reader.feed({"type": "response.output_item.done", "output_index": 0, "item": RESULTS})
    reader.feed(
        {"type": "response.output_item.added", "output_index": 1, "item": {**message, "content": None}}
    )
    new = "".join(
        reader.feed(
            {"type": "response.output_text.delta", "output_index": 1, "content_index": 0, "delta": piece}
        )
        for piece in ("One.", "[3]")
    )
    if is_in_output:
        reader.feed({"type": "response.completed", "response": {"output": [RESULTS, message]}})
    assert new == "One.[3]"
    assert reader.finish() == agent("One.[3]", RESULTS)
