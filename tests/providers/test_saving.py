"""Saved responses: the same bytes however often they are read and written, and nothing lost of a newer version's."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded import NAMES, events_of, load

from pincite.core.citation import (
    BoundPassage,
    Citation,
    ContentCitationAnchor,
    DocumentCitationSource,
    MarkerCitationAnchor,
    SourceSpan,
    SpanUnit,
    TextPart,
    WebCitationSource,
)
from pincite.core.errors import InputError
from pincite.core.locators import Locator
from pincite.core.verdicts import Confidence, QuoteVerdict, SourceState, SupportVerdict, TraceVerdict
from pincite.providers.response import ProviderResponse, SearchSuggestions, Unmapped
from pincite.providers.saving import (
    citation_as_dict,
    citation_from_dict,
    load_response,
    part_as_dict,
    part_from_dict,
    save_response,
)
from pincite.providers.stream import StreamReader

if TYPE_CHECKING:
    from pathlib import Path

FULL = Citation(
    (
        WebCitationSource(
            "https://a.example", "A", ("one", "two"), SourceSpan(1, 2), None, {"score": 0.5, "ids": [1]}
        ),
        DocumentCitationSource(
            "file-1",
            None,
            (),
            SourceSpan(1, 3, SpanUnit.PAGES),
            BoundPassage("key", "ref", "chunk", "ev1:x", Locator(page=2, headings=("H",)), "doc"),
        ),
    ),
    MarkerCitationAnchor(3, 6),
    "[1]",
    "offsets moved by 2 bytes",
    TraceVerdict.VALID,
    QuoteVerdict.VERBATIM,
    SourceState.CURRENT,
    Confidence.WEAK,
    0.25,
    SupportVerdict.PARTIAL,
    ContentCitationAnchor(0, 3),
    "0123456789abcdef",
)


def test_every_field_comes_back() -> None:
    """Every field comes back."""
    assert citation_from_dict(json.loads(json.dumps(citation_as_dict(FULL)))) == FULL


def test_verdicts_have_the_names_that_json_has_for_them_everywhere() -> None:
    """Verdicts have the names that JSON has for them everywhere."""
    saved = citation_as_dict(FULL)
    names = ("verdict", "quote_verdict", "support_verdict", "source_state", "confidence")
    assert [saved[name] for name in names] == ["valid", "verbatim", "partial", "current", "weak"]


def test_what_is_absent_takes_no_room() -> None:
    """What is absent takes no room."""
    assert citation_as_dict(Citation((WebCitationSource("https://a.example"),))) == {
        "sources": [{"kind": "web", "url": "https://a.example"}]
    }


def test_a_whole_response_comes_back() -> None:
    """A whole response comes back."""
    response = ProviderResponse(
        "google",
        "generate_content",
        (TextPart("abc [1]", (FULL,), {"citations": [{"x": 1}]}), TextPart("z")),
        (WebCitationSource("https://b.example"),),
        (Unmapped("odd", {"a": None}, "It is odd.", 0),),
        SearchSuggestions("<div>", ("q",), must_show=True),
        {"webSearchQueries": ["q"]},
    )
    assert load_response(save_response(response)) == response


@pytest.mark.parametrize("name", NAMES)
def test_every_recording_comes_back_and_keeps_its_bytes(shared: Path, name: str) -> None:
    """Every recording comes back and keeps its bytes."""
    recording = load(name)
    reader = StreamReader(recording["provider"], api=recording["api"])
    for event in events_of(recording):
        reader.feed(event)
    response = reader.finish()
    saved = save_response(response)
    assert load_response(saved) == response
    assert save_response(load_response(saved)) == saved
    assert saved.isascii()


UNKNOWN: list[dict[str, Any]] = [
    {"sources": [{"kind": "hologram", "id": 7}], "anchor": {"kind": "content", "start": 0, "end": 1}},
    {"sources": [{"kind": "web", "url": "https://a.example"}], "anchor": {"kind": "gaze", "at": [0.5, 0.5]}},
    {"sources": [], "verdict": "blessed"},
    {"kind": "aside"},
]
FURTHER = {"sources": [{"kind": "web", "url": "https://a.example", "mood": "calm"}], "weight": 3}


def test_unknown_kinds_survive_in_their_places() -> None:
    """Unknown kinds survive in their places."""
    known = citation_as_dict(FULL)
    raw = {
        "content": "abc [1]",
        "citations": [UNKNOWN[0], known, *UNKNOWN[1:], FURTHER],
        "provider_details": {"a": 1},
    }
    part = part_from_dict(raw)
    # What is understood is there, the rest does not harm it.
    assert part.citations == (FULL, Citation((WebCitationSource("https://a.example"),)))
    assert json.dumps(part_as_dict(part)) == json.dumps(raw)
    again = part_from_dict(json.loads(json.dumps(part_as_dict(part))))
    assert again == part


def test_a_citation_that_was_changed_since_is_written_as_it_is_now() -> None:
    """A citation that was changed since is written as it is now."""
    part = part_from_dict({"content": "abc", "citations": [UNKNOWN[0], FURTHER]})
    changed = replace(part, citations=(FULL,))
    assert part_as_dict(changed)["citations"] == [UNKNOWN[0], citation_as_dict(FULL)]
    assert part_as_dict(replace(part, citations=()))["citations"] == [UNKNOWN[0]]


def test_another_order_of_fields_is_kept_too() -> None:
    """Another order of fields is kept too."""
    raw = {
        "content": "abc",
        "citations": [{"text_hash": "0", "sources": [{"url": "https://a.example", "kind": "web"}]}],
    }
    assert json.dumps(part_as_dict(part_from_dict(raw))) == json.dumps(raw)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "7", '{"pincite": 2}', '{"pincite": 1, "provider": 3, "api": "x"}', "[" * 100_000]
)
def test_what_is_no_saved_response_is_told_in_a_sentence(text: str) -> None:
    """What is no saved response is told in a sentence."""
    with pytest.raises(InputError):
        load_response(text)


ODD: list[Any] = [None, [], {"sources": 1, "anchor": 5}, {"sources": [{}]}, {"sources": [1]}, {}, UNKNOWN[0]]


@pytest.mark.parametrize("data", ODD)
def test_what_is_no_citation_is_told_in_a_sentence(data: object) -> None:
    """What is no citation is told in a sentence."""
    with pytest.raises(InputError):
        citation_from_dict(data)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(("kind", "sources", "anchor", "url", "start", "end", "score", "x")),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(
    st.lists(JSON, max_size=4),
    st.none() | st.dictionaries(st.text("ab", min_size=1, max_size=2), JSON, min_size=1, max_size=2),
)
def test_any_json_in_the_place_of_citations_keeps_its_bytes(
    citations: list[Any], details: dict[str, Any] | None
) -> None:
    """Any JSON in the place of citations keeps its bytes."""
    raw: dict[str, Any] = {"content": "abc"}
    if citations:
        raw["citations"] = citations
    if details is not None:
        raw["provider_details"] = details
    assert json.dumps(part_as_dict(part_from_dict(raw))) == json.dumps(raw)


PAGE: dict[str, Any] = {"kind": "web", "url": "https://a.example"}
NO_CITATIONS: list[dict[str, Any]] = [
    {"sources": [PAGE], "anchor": {"kind": "marker", "start": -5, "end": 2}},
    {"sources": [PAGE], "anchor": {"kind": "marker", "start": 2, "end": 1}},
    {"sources": [PAGE], "anchor": {"kind": "marker", "start": False, "end": True}},
    {"sources": [PAGE], "claim": {"start": -1, "end": 2}},
    {"sources": [PAGE], "score": True},
    {"sources": [PAGE], "score": float("inf")},
    {"sources": [PAGE], "score": 10**400},
    {"sources": [{**PAGE, "details": 5}]},
    {"sources": [{**PAGE, "span": {"start": 3, "end": 1, "unit": "pages"}}]},
    {"sources": [{**PAGE, "span": {"start": True, "end": 2, "unit": "pages"}}]},
    {"sources": [{**PAGE, "passage": {"citation_key": "k", "locator": {"page": "x"}}}]},
    {"sources": [{**PAGE, "passage": {"citation_key": "k", "locator": {"headings": [1]}}}]},
    {"sources": PAGE},
]


@pytest.mark.parametrize("data", NO_CITATIONS)
def test_fields_that_cannot_be_are_told_in_a_sentence(data: object) -> None:
    """Negative places, ends before starts, bools for numbers, numbers without end, details that are no object."""
    with pytest.raises(InputError):
        citation_from_dict(data)


def test_a_citation_outside_of_its_text_is_kept_aside() -> None:
    """It is none of this text, does no harm (50,000,000 code points took 4 GB), and is written back as it was."""
    inside = {"sources": [PAGE], "anchor": {"kind": "content", "start": 0, "end": 3}}
    outside = {"sources": [PAGE], "anchor": {"kind": "marker", "start": 0, "end": 50_000_000}}
    raw = {
        "content": "abc",
        "citations": [outside, inside, {"sources": [PAGE], "claim": {"start": 0, "end": 4}}],
    }
    part = part_from_dict(raw)
    assert part.citations == (
        Citation((WebCitationSource("https://a.example"),), ContentCitationAnchor(0, 3)),
    )
    assert json.dumps(part_as_dict(part)) == json.dumps(raw)


@pytest.mark.parametrize("score", ["NaN", "Infinity", "-Infinity", "1e400"])
def test_numbers_that_json_has_none_for_are_refused(score: str) -> None:
    """They would be written back as no JSON."""
    saved = save_response(ProviderResponse("p", "a", (TextPart("abc", (FULL,)),)))
    with pytest.raises(InputError):
        load_response(saved.replace("0.25", score))


def test_numbers_that_json_has_none_for_are_written_as_null() -> None:
    """A provider's own data may hold one; the rest of the answer is saved all the same."""
    part = TextPart("abc", (), {"citations": [{"score": float("nan"), "all": [float("inf"), 1.5]}]})
    saved = save_response(ProviderResponse("p", "a", (part,)))
    assert '{"score":null,"all":[null,1.5]}' in saved
    assert save_response(load_response(saved)) == saved


@pytest.mark.parametrize("field", ["parts", "retrieved", "unmapped"])
def test_a_field_that_is_no_list_is_told_in_a_sentence(field: str) -> None:
    """It is not taken for an empty one."""
    with pytest.raises(InputError):
        load_response(json.dumps({"pincite": 1, "provider": "p", "api": "a", field: 5}))


def test_what_is_too_deep_for_json_is_told_in_a_sentence() -> None:
    """A raw citation of 5,000 objects inside one another was a RecursionError."""
    deep: Any = 1
    for _ in range(5_000):
        deep = {"a": deep}
    with pytest.raises(InputError):
        save_response(ProviderResponse("p", "a", (TextPart("abc", (), {"citations": [deep]}),)))


def test_what_is_no_json_is_told_in_a_sentence() -> None:
    """Nor is a set written."""
    with pytest.raises(InputError):
        save_response(ProviderResponse("p", "a", (), details={"a": {1}}))


@pytest.mark.parametrize("save", [save_response, citation_as_dict, part_as_dict])
def test_nothing_to_save_is_told_in_a_sentence(save: Any) -> None:
    """None is neither a response nor a part nor a citation."""
    with pytest.raises(InputError):
        save(None)
