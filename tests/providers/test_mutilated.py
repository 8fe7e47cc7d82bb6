"""Mutilated responses: fields missing, of wrong types, with huge numbers. They cost citations and never the answer."""

from __future__ import annotations

import copy
import math
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.citation import MarkerCitationAnchor
from pincite.providers.read import read_response
from pincite.providers.response import listed
from pincite.providers.stream import StreamReader

if TYPE_CHECKING:
    from collections.abc import Callable

    from pincite.providers.response import ProviderResponse

WEB = "https://a.example"
TEXT = f"😀 Größe [1] is ([a]({WEB})). \ue200cite\ue202turn0\ue201 ** \ud800[2]"
AT = TEXT.index("([a]")
TO = AT + len(f"([a]({WEB}))")

ANNOTATIONS: list[dict[str, Any]] = [
    {
        "type": "url_citation",
        "url": WEB,
        "title": "A",
        "start_index": AT,
        "end_index": TO,
        "content": "Words.",
    },
    {"type": "url_citation", "url_citation": {"url": WEB, "start_index": AT + 1, "end_index": TO + 1}},
    {"type": "file_citation", "file_id": "f", "filename": "f.txt", "index": 9},
    {"type": "container_file_citation", "file_id": "f", "filename": "a]", "start_index": AT, "end_index": TO},
    {"type": "file_path", "file_id": "f", "index": 0},
    {"type": "file", "file": {"name": "n"}},
    {
        "type": "document_citation",
        "document_citation": {"document_id": "d", "start_index": 0, "end_index": 7},
    },
    {
        "type": "function_citation",
        "function_citation": {"tool_call_id": "c", "start_index": 8, "end_index": 11},
    },
]
RESULTS = [{"id": 1, "url": WEB, "title": "A", "snippet": "Words."}, {"id": 2, "url": "https://b.example"}]
TOOL = {
    "index": 0,
    "arguments": '{"query": "q", "queries": ["r"]}',
    "search_results": {"results": RESULTS, "images": ["i"]},
    "browser_results": RESULTS,
}
OUTPUT: list[dict[str, Any]] = [
    {"type": "web_search_call", "action": {"query": "q", "queries": ["r"], "sources": RESULTS, "url": WEB}},
    {
        "type": "file_search_call",
        "queries": ["q"],
        "results": [{"file_id": "f", "text": "Words.", "score": 1}],
    },
    {"type": "search_results", "queries": ["q"], "results": RESULTS, "contents": RESULTS},
    {"type": "x_search_call", "arguments": '{"query": "q"}'},
    {"type": "message", "content": [{"type": "output_text", "text": TEXT, "annotations": ANNOTATIONS}]},
]
CHOICES = [
    {
        "index": 0,
        "message": {
            "content": TEXT,
            "annotations": ANNOTATIONS,
            "executed_tools": [TOOL],
            "context": {"citations": RESULTS},
        },
    }
]
INLINE: list[dict[str, Any]] = [
    {"id": "1", "start_index": AT, "end_index": TO, "web_citation": {"url": WEB}},
    {"id": "2", "startIndex": AT, "endIndex": TO, "xCitation": {"url": WEB}},
    {"id": "3", "collections_citation": {"file_id": "f", "chunk_content": "Words.", "score": 0.5}},
]
SPANS: list[dict[str, Any]] = [
    {
        "start": 2,
        "end": 7,
        "text": "Größe",
        "content_index": 0,
        "type": "TEXT_CONTENT",
        "sources": [{"id": "d"}],
    },
    {"start": 9, "end": 14, "text": "Größe", "sources": [{"type": "document", "document": {"title": "T"}}]},
    {"start": 0, "text": "**", "sources": [{"type": "tool", "tool_output": {"content": "Words."}}]},
    {"type": "PLAN"},
]
PAGE = {"type": "tool_reference", "tool": "web_search", "title": "A", "url": WEB}
REFERENCE = {"type": "reference", "reference_ids": [0, "a"]}
THINKING = {"type": "thinking", "thinking": [REFERENCE]}

# What may be mutilated without any harm to the text, and what it is a part of.
CITING: dict[tuple[str, str], tuple[Any, Callable[[Any], Any]]] = {
    ("openai", "responses"): (ANNOTATIONS, lambda it: {"output": [*OUTPUT[:4], _message(it)]}),
    ("xai", "responses"): (RESULTS, lambda it: {"output": OUTPUT, "citations": it, "search_results": it}),
    ("perplexity", "agent"): (OUTPUT[:4], lambda it: {"output": [*_list(it), OUTPUT[4]]}),
    ("openai", "chat"): (ANNOTATIONS, lambda it: _chat(annotations=it)),
    ("openrouter", "chat"): (RESULTS, lambda it: {**_chat(context={"citations": it}), "citations": it}),
    ("groq", "chat"): ([TOOL], lambda it: _chat(annotations=ANNOTATIONS, executed_tools=it)),
    ("perplexity", "sonar"): (RESULTS, lambda it: {**_chat(), "search_results": it, "citations": it}),
    ("xai", "grpc"): (INLINE, lambda it: {"outputs": [{"message": {"content": TEXT, "citations": it}}]}),
    ("cohere", "chat_v2"): (SPANS, lambda it: {"message": {"content": [{"text": TEXT}], "citations": it}}),
    ("mistral", "chat"): (
        REFERENCE,
        lambda it: _chat([{"type": "text", "text": TEXT}, _untyped(it), THINKING]),
    ),
    ("mistral", "conversations"): (
        PAGE,
        lambda it: {"outputs": [{"type": "message.output", "content": [TEXT, _untyped(it)]}]},
    ),
}
EACH = pytest.mark.parametrize(("provider", "api"), CITING)


def _message(annotations: Any) -> dict[str, Any]:
    content = {"type": "output_text", "text": TEXT, "annotations": annotations}
    return {"type": "message", "content": [content]}


def _chat(content: Any = TEXT, **more: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "message": {"content": content, **more}}]}


def _type_of(value: Any) -> Any:
    return cast("dict[str, Any]", value).get("type") if isinstance(value, dict) else "none"


def _list(value: Any) -> list[Any]:
    """Return a list without messages: those would be further text."""
    items = cast("list[Any]", value) if isinstance(value, list) else []
    return [one for one in items if _type_of(one) not in (None, "message")]


def _untyped(value: Any) -> Any:
    """Return a chunk that is not made a text by what happened to it."""
    is_text = isinstance(value, str) or not isinstance(_type_of(value), str)
    return None if is_text else value


ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from([-1, 0, 1, 3, 10**9, 10**30, -(10**30), 0.5, 3.0, 1e308, math.inf, math.nan]),
    st.sampled_from(["", "x", "3", "9" * 5000, "\ud800", "\ue200", "[1]", WEB, "url_citation", "²"]),
    st.sampled_from([[], {}, [[]], [{}], {"type": []}, {"url": {}}, [None], {"": None}, [1, "x"]]),
    st.text(max_size=5),
)


def places_of(value: Any) -> list[tuple[Any, Any]]:
    """Return every container within a value with each of its keys or indices."""
    found: list[tuple[Any, Any]] = []
    if isinstance(value, dict | list):
        inside = cast("dict[Any, Any]", value)
        for key in list(inside) if isinstance(value, dict) else range(len(inside)):
            found.append((inside, key))
            found.extend(places_of(inside[key]))
    return found


def mutilated(value: Any, data: st.DataObject) -> Any:
    """Return a copy in which some fields are gone, or are something else."""
    value = [copy.deepcopy(value)]
    for _ in range(data.draw(st.integers(1, 5))):
        places = places_of(value)
        if not places:
            break
        inside, key = data.draw(st.sampled_from(places))
        if isinstance(inside, dict) and data.draw(st.booleans()):
            del inside[key]
        else:
            inside[key] = copy.deepcopy(data.draw(ODD))  # what was drawn is drawn again
    return value[0] if value else None


def check(response: ProviderResponse) -> None:
    """Every anchor is within its part, and every marker is what stands there."""
    for part in response:
        for citation in part.citations:
            assert citation.sources
            anchor = citation.anchor
            if anchor is not None:
                assert 0 <= anchor.start < anchor.end <= len(part.content)
            if isinstance(anchor, MarkerCitationAnchor):
                assert citation.written == part.content[anchor.start : anchor.end]
            else:
                assert citation.written is None
            if citation.claim is not None and anchor is not None:
                assert 0 <= citation.claim.start < citation.claim.end <= anchor.start
    assert all(one.reason.endswith(".") and one.kind for one in response.unmapped)
    assert all(one.part is None or 0 <= one.part < len(response) for one in response.unmapped)


@EACH
def test_the_whole_ones_are_read(provider: str, api: str) -> None:
    """What is mutilated below is in order before: it gives the text and citations."""
    citing, within = CITING[provider, api]
    response = read_response(provider, within(citing), api=api)
    check(response)
    assert response.text == TEXT
    assert response.citations or response.retrieved


@EACH
@given(data=st.data())
def test_mutilated_citations_never_change_the_text(provider: str, api: str, data: st.DataObject) -> None:
    """Whatever stands where citations and sources should, the answer is what the model wrote."""
    citing, within = CITING[provider, api]
    response = read_response(provider, within(mutilated(citing, data)), api=api)
    check(response)
    assert response.text == TEXT


@EACH
@given(data=st.data())
def test_mutilated_responses_never_raise(provider: str, api: str, data: st.DataObject) -> None:
    """Even where the text itself is hit: what is left of it is read, and nothing is made up."""
    citing, within = CITING[provider, api]
    response = read_response(provider, _object(mutilated(within(citing), data)), api=api)
    check(response)
    # What was put in place of a text is text.
    assert all(part.content in TEXT or len(part.content) <= 4 * 5000 + len(TEXT) for part in response)


def _object(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


STREAMS: dict[tuple[str, str], list[dict[str, Any]]] = {
    ("openai", "responses"): [
        {"type": "response.created", "response": {"id": "r"}},
        {"type": "response.output_item.added", "output_index": 1, "item": {"type": "message", "content": []}},
        {
            "type": "response.content_part.added",
            "output_index": 1,
            "content_index": 0,
            "part": {"type": "output_text"},
        },
        {"type": "response.output_text.delta", "output_index": 1, "content_index": 0, "delta": TEXT},
        {
            "type": "response.output_text.annotation.added",
            "output_index": 1,
            "annotation_index": 0,
            "annotation": ANNOTATIONS[0],
        },
        {"type": "response.output_text.done", "output_index": 1, "content_index": 0, "text": TEXT},
        {"type": "response.output_item.done", "output_index": 1, "item": OUTPUT[4]},
        {"type": "response.completed", "response": {"output": OUTPUT}},
    ],
    ("perplexity", "agent"): [
        {"type": "response.reasoning.search_results", "results": RESULTS},
        {"type": "response.output_text.delta", "output_index": 1, "content_index": 0, "delta": TEXT},
        {"type": "response.completed", "response": {"output": OUTPUT}},
    ],
    ("groq", "chat"): [
        {"choices": [{"index": 0, "delta": {"content": TEXT, "executed_tools": [TOOL]}}], "citations": [WEB]},
        {"choices": [{"index": 0, "delta": {"annotations": ANNOTATIONS}}], "citations": [WEB, WEB]},
        {"choices": CHOICES},
    ],
    ("perplexity", "sonar"): [
        {"choices": [{"delta": {"content": TEXT}}], "citations": [WEB], "search_results": RESULTS},
        {"choices": CHOICES, "citations": [WEB]},
    ],
    ("xai", "grpc"): [
        {"outputs": [{"index": 0, "delta": {"role": 2, "content": TEXT, "citations": INLINE}}]},
        {"outputs": [{"index": 1, "delta": {"role": "ROLE_TOOL", "content": "x"}}], "citations": [WEB]},
    ],
    ("cohere", "chat_v2"): [
        {"type": "message-start", "id": "1"},
        {
            "type": "content-start",
            "index": 0,
            "delta": {"message": {"content": {"type": "text", "text": ""}}},
        },
        {"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": TEXT}}}},
        {"type": "tool-plan-delta", "delta": {"message": {"tool_plan": "I"}}},
        {"type": "citation-start", "index": 0, "delta": {"message": {"citations": SPANS[0]}}},
        {"type": "citation-start", "index": 1, "delta": {"message": {"citations": SPANS}}},
        {"type": "message-end", "delta": {"finish_reason": "COMPLETE"}},
    ],
    ("mistral", "chat"): [
        {"choices": [{"index": 0, "delta": {"content": TEXT}}]},
        {"data": {"choices": [{"index": 0, "delta": {"content": [REFERENCE, THINKING]}}]}},
    ],
    ("mistral", "conversations"): [
        {
            "type": "tool.execution.started",
            "output_index": 0,
            "name": "web_search",
            "arguments": '{"query": "q"}',
        },
        {"type": "message.output.delta", "output_index": 1, "content": TEXT},
        {"data": {"type": "message.output.delta", "output_index": 1, "content": PAGE}},
        {"type": "conversation.response.done", "usage": {}},
    ],
}


@pytest.mark.parametrize(("provider", "api"), STREAMS)
@given(data=st.data())
def test_mutilated_streams_never_raise(provider: str, api: str, data: st.DataObject) -> None:
    """Events out of order, twice, not at all, or with fields that are something else."""
    reader = StreamReader(provider, api=api)
    events = data.draw(st.lists(st.sampled_from(STREAMS[provider, api]), min_size=1, max_size=8))
    for event in map(_object, listed(mutilated(events, data))):
        assert isinstance(reader.feed(event), str)
    response = reader.finish()
    check(response)
