"""Google `generateContent`: supports in bytes, chunks of every kind, what was recited, and what must be shown."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
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

    from pincite.core.citation import Citation
    from pincite.providers.response import ProviderResponse

# Of each recording: its supports, the chunks that they name together, and how many have offsets that do not select
# the text that they report. Counted in the JSON.
RECORDED = {
    "google-stream-test-google-model-web-search-tool-stream-0": (8, 9, 0),
    "google-stream-test-native-output-with-builtin-tools-stream-0": (1, 4, 0),
    "google-unary-generate-text-with-file-search-1-0": (1, 1, 0),
    "google-unary-test-function-tools-with-builtin-tools-1": (1, 1, 0),
    "google-unary-test-google-model-file-search-grounding-gemini-3-false-4": (1, 1, 0),
    "google-unary-test-google-model-web-fetch-tool-0": (1, 1, 0),
    "google-unary-test-google-model-web-search-tool-0": (6, 6, 0),
    "google-unary-test-google-model-web-search-tool-1": (2, 5, 0),
    "google-unary-test-google-native-tool-only-web-search-completes-0": (1, 2, 0),
    "google-unary-test-google-vertex-tool-combination-omits-include-server-side-tool-inv-1": (9, 16, 5),
    "google-unary-test-thinking-with-native-tool-wire-contract-google-0": (9, 9, 2),
}
VERTEX, THINKING = list(RECORDED)[-2:]
A, B = "https://a.example/", "https://b.example/"


def recorded(shared: Path, name: str) -> tuple[dict[str, Any], ProviderResponse]:
    """Return the last candidate of a recording, which has the grounding, and our reading of the whole."""
    recording = json.loads((shared / "recordings" / f"{name}.json").read_text(encoding="utf-8"))
    if not recording["stream"]:
        response = recording["response"]
        return response["candidates"][0], read_response("google", response, api=recording["api"])
    reader = StreamReader("google", api=recording["api"])
    told = "".join(reader.feed(event) for event in recording["events"])
    read_ = reader.finish()
    assert read_.text == told
    return recording["events"][-1]["candidates"][0], read_


def response(parts: Any, grounding: Any = None, **more: Any) -> dict[str, Any]:
    """Return a response of one candidate; parts that are strings are parts of text."""
    content = {"parts": [{"text": part} if isinstance(part, str) else part for part in parts]}
    return {"candidates": [{"content": content, "groundingMetadata": grounding or {}, **more}]}


def web(*urls: str) -> list[dict[str, Any]]:
    """Return chunks of web pages."""
    return [{"web": {"uri": url, "title": url[8:-1]}} for url in urls]


def support(start: Any, end: Any, said: str | None = None, *chunks: Any, **more: Any) -> dict[str, Any]:
    """Return a support of bytes `start` to `end`."""
    segment = {"startIndex": start, "endIndex": end, "text": said, **more}
    segment = {name: value for name, value in segment.items() if value is not None}
    return {"segment": segment, "groundingChunkIndices": list(chunks) or [0]}


def read(parts: Any, *supports: Any, chunks: Any = None) -> ProviderResponse:
    """Read a response of these parts and supports."""
    grounding = {
        "groundingChunks": web(A, B) if chunks is None else chunks,
        "groundingSupports": list(supports),
    }
    return read_response("google", response(parts, grounding))


def selected(read_: ProviderResponse, citation: Citation) -> str | None:
    """Return the text that the anchor of a citation of the whole response selects."""
    return None if citation.anchor is None else read_.text[citation.anchor.start : citation.anchor.end]


# --- Recordings ---


@pytest.mark.parametrize("name", RECORDED)
def test_every_recorded_support_selects_its_text(shared: Path, name: str) -> None:
    """Each is a citation with a source for every chunk, over the very text that it reports."""
    candidate, read_ = recorded(shared, name)
    grounding = candidate["groundingMetadata"]
    supports, chunks = grounding["groundingSupports"], grounding["groundingChunks"]
    (part,) = read_
    assert not read_.unmapped
    assert not read_.retrieved
    sources = [source for citation in part.citations for source in citation.sources]
    repaired = [citation.repaired for citation in part.citations if citation.repaired]
    assert (len(part.citations), len(sources), len(repaired)) == RECORDED[name]
    for citation, raw in zip(part.citations, supports, strict=True):
        assert isinstance(citation.anchor, ContentCitationAnchor)
        assert selected(read_, citation) == raw["segment"]["text"]
        named = [chunks[index] for index in raw["groundingChunkIndices"]]
        for source, chunk in zip(citation.sources, named, strict=True):
            value = chunk.get("web") or chunk["retrievedContext"]
            assert source.title == value.get("title")
            assert getattr(source, "url", None) == value.get("uri")
            assert source.excerpts == ((value["text"],) if "text" in value else ())
    details = part.provider_details
    assert details is not None
    assert [{**raw, "groundingChunks": None} for raw in details["citations"]] == [
        {**raw, "groundingChunks": None} for raw in supports
    ]


def test_recorded_offsets_that_run_ahead_are_moved_back(shared: Path) -> None:
    """By 2 bytes from one point on, where first only the end is wrong."""
    for name in (VERTEX, THINKING):
        _, read_ = recorded(shared, name)
        repaired = [citation.repaired for citation in read_.citations]
        count = RECORDED[name][2]
        first = next(index for index, one in enumerate(repaired) if one)
        assert repaired[first:] == ["end moved by -2 bytes"] + ["offsets moved by -2 bytes"] * (count - 1)


def test_recorded_search_suggestions_must_be_shown(shared: Path) -> None:
    """The HTML as it came, and the queries without the empty one."""
    candidate, read_ = recorded(shared, "google-stream-test-native-output-with-builtin-tools-stream-0")
    entry = candidate["groundingMetadata"]["searchEntryPoint"]
    assert candidate["groundingMetadata"]["webSearchQueries"] == ["", "largest city in Mexico"]
    assert read_.suggestions == SearchSuggestions(
        entry["renderedContent"], ("largest city in Mexico",), must_show=True
    )


def test_a_recorded_thought_is_no_text_of_the_answer(shared: Path) -> None:
    """Two thoughts, a call and its result stand before the answer, and its offsets do not count them."""
    candidate, read_ = recorded(shared, THINKING)
    assert read_.text == candidate["content"]["parts"][-1]["text"]


def test_a_recorded_file_has_its_words(shared: Path) -> None:
    """A chunk of a file store is a document, with what Google gives of it."""
    candidate, read_ = recorded(shared, "google-unary-generate-text-with-file-search-1-0")
    context = candidate["groundingMetadata"]["groundingChunks"][0]["retrievedContext"]
    assert read_.citations[0].sources == (
        DocumentCitationSource(
            None,
            "Test PDF Document",
            (context["text"],),
            details={"fileSearchStore": "fileSearchStores/prism-test-store-k48zypdei7oj"},
        ),
    )


# --- Synthetic: offsets ---


def test_synthetic_offsets_are_bytes() -> None:
    """Two bytes for é, four for the emoji: 'So.' begins at byte 10 and at code point 5."""
    read_ = read(["é\U0001f600 né So."], support(11, 14, "So."), support(0, 6, "é\U0001f600"))
    assert [citation.anchor for citation in read_.citations] == [
        ContentCitationAnchor(6, 9),
        ContentCitationAnchor(0, 2),
    ]
    assert [citation.repaired for citation in read_.citations] == [None, None]


@given(st.text(max_size=40), st.data())
def test_synthetic_any_bytes_select_their_text(text: str, data: st.DataObject) -> None:
    """Whatever the text and the slice of it."""
    start = data.draw(st.integers(0, max(len(text) - 1, 0)))
    end = data.draw(st.integers(min(start + 1, len(text)), len(text)))
    said = text[start:end]
    low = len(text[:start].encode("utf-8", "surrogatepass"))
    read_ = read([text], support(low, low + len(said.encode("utf-8", "surrogatepass")), said))
    anchors = [(citation.anchor, citation.repaired) for citation in read_.citations]
    assert anchors == ([(ContentCitationAnchor(start, end), None)] if said else anchors)


@given(st.text(max_size=40), st.integers(0, 60), st.integers(0, 60))
def test_synthetic_wrong_bytes_never_select_other_text(text: str, start: int, end: int) -> None:
    """An anchor selects what the support reports, or there is none."""
    read_ = read(["The rule holds. ", text, " The rule holds. "], support(start, end, "The rule holds."))
    for citation in read_.citations:
        assert selected(read_, citation) in {None, "The rule holds."}


def test_synthetic_of_several_occurrences_the_nearest_is_meant() -> None:
    """The reported text stands at 0, 20 and 40."""
    text = "It is so, they say. " * 3
    for start, meant, moved in ((22, 20, -2), (18, 20, 2), (39, 40, 1), (1, 0, -1), (90, 40, -50)):
        (citation,) = read([text], support(start, start + 19, "It is so, they say.")).citations
        assert citation.anchor == ContentCitationAnchor(meant, meant + 19)
        assert citation.repaired == f"offsets moved by {moved} bytes"


def test_synthetic_of_two_as_near_the_one_before_is_meant() -> None:
    """Recorded offsets ran ahead of their text, never behind it."""
    (citation,) = read(["It holds. It holds."], support(5, 14, "It holds.")).citations
    assert citation.anchor == ContentCitationAnchor(0, 9)


def test_synthetic_far_away_text_is_found_all_the_same() -> None:
    """As one that stands there once has to be meant."""
    text = "x" * 9_000 + " It is so, they say."
    (citation,) = read([text], support(3, 22, "It is so, they say.")).citations
    assert citation.anchor == ContentCitationAnchor(9_001, 9_020)


def test_synthetic_very_short_text_is_taken_beside_its_offset_only() -> None:
    """A `**` stands in many places, and one that is far is not the one that was meant."""
    text = f"**So.**{' ' * 40}More"
    near, far = read([text], support(7, 9, "**"), support(30, 32, "**")).citations
    assert near.anchor == ContentCitationAnchor(5, 7)
    assert (far.anchor, far.repaired) == (None, "offsets given up")


def test_synthetic_text_that_is_not_there_has_no_place() -> None:
    """The source stays, and so does what was sent."""
    (citation,) = read(["Something else."], support(0, 9, "Other words")).citations
    assert (citation.anchor, citation.repaired) == (None, "offsets given up")


def test_synthetic_without_a_reported_text_the_offsets_are_believed() -> None:
    """Where they lie in the text and split no character: é is bytes 1 and 2."""
    read_ = read(["aéb"], support(None, 3), support(2, 4), support(1, 9), support(3, 3))
    assert [citation.anchor for citation in read_.citations] == [
        ContentCitationAnchor(0, 2),
        None,
        None,
        None,
    ]


@pytest.mark.parametrize(
    ("start", "end"), [("x", 5), (0, None), (-4, 5), pytest.param(0, HUGE, id="huge"), (1.5, 5)]
)
def test_synthetic_without_good_offsets_a_text_that_stands_there_once_is_taken(start: Any, end: Any) -> None:
    """Of two that are alike neither is guessed."""
    once, twice = read(
        ["So it is. So it was."], support(start, end, "was"), support(start, end, "So")
    ).citations
    assert once.anchor == ContentCitationAnchor(16, 19)
    assert once.repaired == "offsets replaced by the place of the text"
    assert (twice.anchor, twice.repaired) == (None, "offsets given up")


def test_synthetic_a_support_without_a_segment_is_about_no_text_in_particular() -> None:
    """It is a citation without an anchor, and nothing was mended."""
    (citation,) = read(["So it is."], {"groundingChunkIndices": [0]}).citations
    assert (citation.anchor, citation.repaired) == (None, None)


# --- Synthetic: parts ---


def test_synthetic_parts_of_text_are_one_unless_something_stands_between() -> None:
    """A signature does not part them, a thought or a call does; offsets count all text that is no thought."""
    read_ = read(
        [
            "One ",
            {"text": "two. ", "thoughtSignature": "c2ln"},
            "",
            {"text": "Hm, é.", "thought": True},
            "Three. ",
            {"functionCall": {"name": "f"}},
            {"text": "Four.", "thought": False},
        ],
        support(0, 8, "One two."),
        support(9, 15, "Three."),
        support(16, 21, "Four."),
    )
    assert [part.content for part in read_] == ["One two. ", "Three. ", "Four."]
    assert [[citation.anchor for citation in part.citations] for part in read_] == [
        [ContentCitationAnchor(0, 8)],
        [ContentCitationAnchor(0, 6)],
        [ContentCitationAnchor(0, 5)],
    ]
    assert [selected(read_, citation) for citation in read_.citations] == ["One two.", "Three.", "Four."]


def test_synthetic_a_support_that_reaches_over_a_call_is_in_both_parts() -> None:
    """Each part has a citation for its own share."""
    read_ = read(["One. ", {"functionCall": {}}, "Two."], support(0, 9, "One. Two."))
    assert [[citation.anchor for citation in part.citations] for part in read_] == [
        [ContentCitationAnchor(0, 5)],
        [ContentCitationAnchor(0, 4)],
    ]


def test_synthetic_an_index_of_a_part_is_what_offsets_count_from() -> None:
    """As it is documented; where they then select other text, from the beginning of all text."""
    parts: list[Any] = ["One. ", {"functionCall": {}}, "Two, two."]
    for start in (5, 10):
        (citation,) = read(parts, support(start, start + 4, "two.", partIndex=2)).citations
        assert (citation.anchor, citation.repaired) == (ContentCitationAnchor(10, 14), None)
    (untold,) = read(parts, support(0, 3, partIndex=2)).citations
    assert untold.anchor == ContentCitationAnchor(5, 8)


# --- Synthetic: sources ---


def test_synthetic_chunks_of_every_kind() -> None:
    """What Google says of each is kept, under Google's names."""
    read_ = read(
        ["So."],
        support(0, 3, "So.", 0, 1, 2, 3, 4, 5, 6),
        chunks=[
            {"web": {"uri": A, "title": "A", "domain": "a.example"}},
            {"maps": {"uri": B, "title": "Cafe", "text": "Good.", "placeId": "places/1"}},
            {"maps": {"title": "Cafe", "placeId": "places/1"}},
            {"image": {"sourceUri": A, "imageUri": "https://a.example/i.png", "title": "I"}},
            {
                "retrievedContext": {
                    "documentName": "projects/p/documents/1",
                    "title": "D",
                    "text": "Whole.",
                    "uri": "gs://b/d.pdf",
                    "ragChunk": {"text": "Chunk.", "pageSpan": {"firstPage": 2, "lastPage": 3}},
                }
            },
            {"retrievedContext": {"title": "F", "pageNumber": 4, "fileSearchStore": "fileSearchStores/1"}},
            {"retrievedContext": {"uri": "gs://b/only.pdf"}},
        ],
    )
    rag = {"text": "Chunk.", "pageSpan": {"firstPage": 2, "lastPage": 3}}
    assert read_.citations[0].sources == (
        WebCitationSource(A, "A", details={"domain": "a.example"}),
        WebCitationSource(B, "Cafe", ("Good.",), details={"placeId": "places/1"}),
        DocumentCitationSource("places/1", "Cafe", details={"placeId": "places/1"}),
        WebCitationSource(A, "I", details={"imageUri": "https://a.example/i.png"}),
        DocumentCitationSource(
            "projects/p/documents/1",
            "D",
            ("Whole.", "Chunk."),
            SourceSpan(2, 4, SpanUnit.PAGES),
            details={"uri": "gs://b/d.pdf", "ragChunk": rag},
        ),
        DocumentCitationSource(
            None,
            "F",
            (),
            SourceSpan(4, 5, SpanUnit.PAGES),
            details={"pageNumber": 4, "fileSearchStore": "fileSearchStores/1"},
        ),
        DocumentCitationSource("gs://b/only.pdf", None, details={"uri": "gs://b/only.pdf"}),
    )


def test_synthetic_confidence_belongs_to_the_source_of_its_place() -> None:
    """It is kept as it came, and is no score of ours."""
    raw = {**support(0, 3, "So.", 1, 0), "confidenceScores": [0.25, 0.5]}
    (citation,) = read(["So."], raw).citations
    assert [source.details for source in citation.sources] == [
        {"confidenceScore": 0.25},
        {"confidenceScore": 0.5},
    ]
    assert citation.score is None
    assert citation.confidence is None


def test_synthetic_what_no_support_names_was_only_found() -> None:
    """A chunk, and a page that was fetched; one whose fetching failed was not found."""
    fetched = [
        {"retrievedUrl": A, "urlRetrievalStatus": "URL_RETRIEVAL_STATUS_SUCCESS"},
        {"retrievedUrl": "https://c.example/", "urlRetrievalStatus": "URL_RETRIEVAL_STATUS_SUCCESS"},
        {"retrievedUrl": "https://d.example/", "urlRetrievalStatus": "URL_RETRIEVAL_STATUS_ERROR"},
    ]
    grounding = {"groundingChunks": web(A, B), "groundingSupports": [support(0, 3, "So.")]}
    read_ = read_response("google", response(["So."], grounding, urlContextMetadata={"urlMetadata": fetched}))
    assert [getattr(source, "url", None) for source in read_.retrieved] == [B, "https://c.example/"]


def test_synthetic_what_names_nothing_is_left_and_costs_no_other() -> None:
    """An unknown kind of chunk, a number that no chunk has, a support of nothing."""
    odd = {"tea_leaves": {"uri": A}}
    chunks = [*web(A), odd]
    over, unknown, part = support(0, 3, "So.", 7), support(0, 3, "So.", 1), support(0, 3, "So.", 0, 9)
    read_ = read(["So."], over, unknown, "nonsense", part, chunks=chunks)
    (citation,) = read_.citations
    assert [source.title for source in citation.sources] == ["a.example"]
    assert [(left.kind, left.raw) for left in read_.unmapped] == [
        ("groundingSupport", over),
        ("groundingSupport", unknown),
        ("groundingSupport", "nonsense"),
        ("groundingChunkIndices", part),
        ("groundingChunk", odd),
    ]


def test_synthetic_supports_of_an_answer_without_text_are_left() -> None:
    """Their sources were found then, and not cited."""
    read_ = read([{"functionCall": {}}], support(0, 3, "So."))
    assert len(read_) == 0
    assert [left.kind for left in read_.unmapped] == ["groundingSupport"]
    assert len(read_.retrieved) == 2


@pytest.mark.parametrize("name", ["citationSources", "citations"])
def test_synthetic_what_was_recited_is_a_citation(name: str) -> None:
    """The Gemini API and Vertex name the list differently; its offsets are bytes, too."""
    sources = [
        {"startIndex": 3, "endIndex": 8, "uri": A, "license": "mit"},
        {"endIndex": 2, "license": "gpl"},
    ]
    read_ = read_response("google", response(["é quote."], citationMetadata={name: sources}))
    (citation,) = read_.citations
    assert selected(read_, citation) == "quote"
    assert citation.sources == (WebCitationSource(A, details={"license": "mit"}),)
    assert [(left.kind, left.raw) for left in read_.unmapped] == [("citationSource", sources[1])]


def test_synthetic_suggestions_of_a_tool_must_be_shown_too() -> None:
    """Where the grounding has none; the queries are those of the call."""
    parts = [
        {"toolCall": {"toolType": "GOOGLE_SEARCH_WEB", "args": {"queries": ["q", ""]}}},
        {"toolResponse": {"response": {"search_suggestions": "<b>q</b>"}}},
        "So.",
    ]
    assert read_response("google", response(parts)).suggestions == SearchSuggestions(
        "<b>q</b>", ("q",), must_show=True
    )
    assert read(["So."]).suggestions is None
    queries = read_response("google", response(["So."], {"webSearchQueries": ["q"]})).suggestions
    assert queries == SearchSuggestions(None, ("q",), must_show=False)


def test_synthetic_what_else_was_said_is_kept() -> None:
    """Under Google's names, with what is no suggestion of the entry point."""
    grounding = {
        "retrievalMetadata": {"googleSearchDynamicRetrievalScore": 0.5},
        "searchEntryPoint": {"renderedContent": "<b/>", "sdkBlob": "e30="},
    }
    read_ = read_response("google", response(["So."], grounding))
    assert read_.details == {
        "groundingMetadata": {"retrievalMetadata": {"googleSearchDynamicRetrievalScore": 0.5}},
        "searchEntryPoint": {"sdkBlob": "e30="},
    }


def test_synthetic_an_object_of_the_sdk_dumped_by_its_own_names() -> None:
    """`model_dump()` writes them with underscores, and None where nothing was sent."""
    read_ = read_response(
        "google",
        {
            "candidates": [
                {
                    "content": {"parts": [{"text": "aé So.", "thought": None, "function_call": None}]},
                    "citation_metadata": {"citations": [{"start_index": None, "end_index": 1, "uri": B}]},
                    "grounding_metadata": {
                        "grounding_chunks": [{"web": {"uri": A, "title": "A"}, "retrieved_context": None}],
                        "grounding_supports": [
                            {
                                "segment": {
                                    "start_index": 4,
                                    "end_index": 7,
                                    "text": "So.",
                                    "part_index": None,
                                },
                                "grounding_chunk_indices": [0],
                                "confidence_scores": [0.5],
                            }
                        ],
                        "search_entry_point": {"rendered_content": "<b/>"},
                        "web_search_queries": ["q"],
                    },
                }
            ]
        },
    )
    grounded, recited = read_.citations
    assert grounded.anchor == ContentCitationAnchor(3, 6)
    assert grounded.sources[0].details == {"confidenceScore": 0.5}
    assert recited.anchor == ContentCitationAnchor(0, 1)
    assert read_.suggestions == SearchSuggestions("<b/>", ("q",), must_show=True)


def test_synthetic_of_several_candidates_the_first_is_the_answer() -> None:
    """The others are kept as they are."""
    two = {"candidates": [*response(["One."])["candidates"], *response(["Two."])["candidates"]]}
    read_ = read_response("google", two)
    assert read_.text == "One."
    assert [left.kind for left in read_.unmapped] == ["candidate"]


# --- Streams ---


def test_synthetic_a_stream_is_the_whole_wherever_its_grounding_comes() -> None:
    """On the last chunk, as was recorded; on an earlier one; in two, the later empty or with the rest."""
    chunks, supports = web(A), [support(5, 9, "Two.")]
    whole = {"groundingChunks": chunks, "groundingSupports": supports, "webSearchQueries": ["q"]}
    some = {"webSearchQueries": ["q"], "groundingChunks": chunks}
    expected = read_response("google", response(["One. Two."], whole))
    for first, last in (({}, whole), (whole, {}), (some, {"groundingSupports": supports}), (whole, whole)):
        reader = StreamReader("google")
        assert reader.feed(response(["One. "], first)) == "One. "
        assert reader.feed(response([{"text": "Hm.", "thought": True}])) == ""
        assert reader.feed(response(["Two."], last)) == "Two."
        assert reader.finish().text == "One. Two."
        parted = reader.finish()
        assert [selected(parted, citation) for citation in parted.citations] == ["Two."]
        assert parted.suggestions == expected.suggestions


def test_synthetic_pieces_of_a_stream_are_one_part() -> None:
    """A stream without anything between its texts is what the whole is."""
    grounding = {"groundingChunks": web(A), "groundingSupports": [support(0, 9, "Oné two.")]}
    reader = StreamReader("google")
    for piece in ("On", "é t", "wo."):
        reader.feed(response([piece]))
    reader.feed(response([{"text": "", "thoughtSignature": "c2ln"}], grounding))
    assert reader.finish() == read_response("google", response(["Oné two."], grounding))


def test_synthetic_recited_sources_of_a_stream_add_up() -> None:
    """Each chunk may name its own, or repeat those before."""
    one, two = ({"startIndex": at, "endIndex": at + 4, "uri": A} for at in (0, 5))
    reader = StreamReader("google")
    reader.feed(response(["One. "], citationMetadata={"citationSources": [one]}))
    reader.feed(response(["Two. "], citationMetadata={"citationSources": [two]}))
    reader.feed(response(["End."], citationMetadata={"citationSources": [one, two]}))
    read_ = reader.finish()
    assert [selected(read_, citation) for citation in read_.citations] == ["One.", "Two."]


# --- Whatever comes ---

WHOLE = response(
    [
        "One é. ",
        {"text": "Hm.", "thought": True},
        "Two. ",
        {"functionCall": {}},
        {"text": "Three.", "a": None},
    ],
    {
        "groundingChunks": [
            *web(A, B),
            {"retrievedContext": {"title": "D", "ragChunk": {"pageSpan": {"firstPage": 2, "lastPage": 3}}}},
        ],
        "groundingSupports": [
            {**support(0, 7, "One é.", 0, 1), "confidenceScores": [0.5, 0.25]},
            support(10, 14, "Two.", 2),
            support(0, 6, "Three.", 2, partIndex=4),
        ],
        "searchEntryPoint": {"renderedContent": "<b/>"},
        "webSearchQueries": ["q"],
    },
    citationMetadata={"citationSources": [{"startIndex": 0, "endIndex": 3, "uri": A}]},
    urlContextMetadata={"urlMetadata": [{"retrievedUrl": A}]},
)
EVENTS: list[dict[str, Any]] = [
    response(["One "]),
    response([{"text": "Hm.", "thought": True}, "two."]),
    response([""], WHOLE["candidates"][0]["groundingMetadata"]),
]


def plain_text(value: Any) -> str:
    """Return the text of the first candidate as a plain reading of its JSON gives it."""
    candidates = at(value, "candidates")
    first = candidates[0] if isinstance(candidates, list) and candidates else None  # pyright: ignore[reportUnknownVariableType]
    parts = objects(at(first, "content", "parts"))
    return joined(part.get("text") for part in parts if part.get("thought") is not True)


@given(mutilated(WHOLE))
def test_whatever_is_wrong_with_a_response_its_text_is_read(value: dict[str, Any]) -> None:
    """Nothing is raised, the text is that of its parts, and every anchor lies in its part."""
    read_ = read_response("google", value)
    assert read_.text == plain_text(value)
    for part in read_:
        for citation in part.citations:
            assert citation.sources
            if citation.anchor is not None:
                assert 0 <= citation.anchor.start < citation.anchor.end <= len(part.content)


@given(mutilated(EVENTS))
def test_whatever_is_wrong_with_a_stream_its_text_is_read(events: list[Any]) -> None:
    """The pieces that were told add up to the text, unless they are of several candidates."""
    reader = StreamReader("google")
    told = "".join(reader.feed(event) for event in objects(events))
    read_ = reader.finish()
    assert read_.text == told or any(left.kind == "candidate" for left in read_.unmapped)
