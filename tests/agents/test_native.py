"""Providers' citations, to pydantic-ai and back, and into the answer of a run."""

from __future__ import annotations

import json
import logging
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Self, cast

import pydantic_ai as ai
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_ai import Agent, NativeOutput
from pydantic_ai.capabilities import Citations
from pydantic_ai.messages import (
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelResponse,
    NativeToolCallPart,
    NativeToolReturnPart,
    ThinkingPart,
    ToolCallPart,
    UserPromptPart,
)
from pydantic_ai.models.function import FunctionModel

from pincite.agents import Citing
from pincite.agents.fake_model import FakeCitingModel, said
from pincite.agents.native import (
    RECORD,
    NativeCitations,
    citation_counts,
    from_pydantic_ai,
    native_answer,
    output_part,
    stale_in,
    text_part,
    to_model_response,
    to_pydantic_ai,
)
from pincite.core.answer import Answer, Miss
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
from pincite.core.verdicts import Confidence, MissReason, QuoteVerdict, SupportVerdict, TraceVerdict
from pincite.providers.editing import stale_citations, stamped
from pincite.providers.read import read_response
from pincite.providers.saving import part_from_dict

if TYPE_CHECKING:
    from pydantic_ai.models.function import AgentInfo

PAGE = WebCitationSource("https://a.example/x", "A", ("Words of a.",))
FILE = DocumentCitationSource("file-1", "Terms", ("Items may be returned within 30 days.",))


# --- Converters ---

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
JSON = st.dictionaries(
    st.sampled_from("abc"), st.none() | st.integers(-5, 5) | TEXT | st.lists(TEXT, max_size=2), max_size=2
)
# Two places of a text of ten code points or more, in order.
PLACES = st.tuples(st.integers(0, 9), st.integers(0, 9)).map(lambda pair: (min(pair), max(pair)))
SPAN = st.none() | st.tuples(PLACES, st.sampled_from(SpanUnit)).map(
    lambda span: SourceSpan(span[0][0], span[0][1], span[1])
)
PASSAGE = st.none() | st.builds(BoundPassage, TEXT, st.none() | TEXT, st.none() | TEXT)
SOURCE = st.builds(
    WebCitationSource,
    TEXT,
    st.none() | TEXT,
    st.lists(TEXT, max_size=2).map(tuple),
    SPAN,
    PASSAGE,
    st.none() | JSON,
) | st.builds(
    DocumentCitationSource,
    st.none() | TEXT,
    st.none() | TEXT,
    st.lists(TEXT, max_size=2).map(tuple),
    SPAN,
    PASSAGE,
    st.none() | JSON,
)
ANCHOR = (
    st.none()
    | PLACES.map(lambda pair: ContentCitationAnchor(*pair))
    | PLACES.map(lambda pair: MarkerCitationAnchor(*pair))
)
CITATION = st.builds(
    Citation,
    st.lists(SOURCE, max_size=3).map(tuple),
    ANCHOR,
    written=st.none() | TEXT,
    repaired=st.none() | TEXT,
    trace=st.none() | st.sampled_from(TraceVerdict),
    quote=st.none() | st.sampled_from(QuoteVerdict),
    confidence=st.none() | st.sampled_from(Confidence),
    score=st.none() | st.floats(0, 1),
    support=st.none() | st.sampled_from(SupportVerdict),
    text_hash=st.none() | TEXT,
)
DETAILS = st.none() | JSON
PART = st.builds(
    TextPart, TEXT.map("{}0123456789".format), st.lists(CITATION, max_size=3).map(tuple), DETAILS
)


def through_json(part: ai.TextPart) -> ai.TextPart:
    """Return a part after its history was saved and loaded."""
    history = [ModelResponse(parts=[part])]
    loaded = ModelMessagesTypeAdapter.validate_json(ModelMessagesTypeAdapter.dump_json(cast("Any", history)))
    return cast("ai.TextPart", loaded[0].parts[0])


@given(PART, st.none() | st.just("anthropic"), st.none() | st.just("msg_1"))
def test_ours_to_theirs_and_back_loses_nothing_also_through_json(
    part: TextPart, provider_name: str | None, message_id: str | None
) -> None:
    """Ours to theirs and back loses nothing also through JSON."""
    made = to_pydantic_ai(part, provider_name=provider_name, id=message_id)
    assert (made.provider_name, made.id) == (provider_name, message_id)
    if part.citations or (provider_name is None and message_id is None):
        assert from_pydantic_ai(made) == part
        assert from_pydantic_ai(through_json(made)) == part
    back = from_pydantic_ai(through_json(made))
    assert (back.content, back.citations) == (part.content, part.citations)
    assert through_json(to_pydantic_ai(back, provider_name=provider_name, id=message_id)) == through_json(
        made
    )


THEIR_SOURCE = st.builds(
    ai.WebCitationSource, TEXT, title=st.none() | TEXT, excerpts=st.lists(TEXT, max_size=2)
) | st.builds(
    ai.DocumentCitationSource,
    document_id=st.text("ab", min_size=1, max_size=3),
    title=st.none() | TEXT,
    excerpts=st.lists(TEXT, max_size=2),
)
THEIR_ANCHOR = st.none() | st.sampled_from((ai.ContentCitationAnchor, ai.MarkerCitationAnchor)).flatmap(
    lambda kind: st.integers(0, 4).map(lambda start: kind(start=start, end=start + 3))
)
THEIRS = st.builds(
    ai.TextPart,
    TEXT,
    id=st.none() | TEXT,
    provider_name=st.none() | st.sampled_from(("anthropic", "openai", "google", "bedrock", "odd")),
    provider_details=st.none()
    | st.fixed_dictionaries({"phase": TEXT}, optional={"citations": st.lists(JSON, max_size=2)}),
    citations=st.none()
    | st.lists(
        st.builds(ai.Citation, st.lists(THEIR_SOURCE, min_size=1, max_size=2), anchor=THEIR_ANCHOR),
        min_size=1,
        max_size=2,
    ),
)


@given(THEIRS)
def test_theirs_to_ours_and_back_loses_nothing(part: ai.TextPart) -> None:
    """Theirs to ours and back loses nothing."""
    back = to_pydantic_ai(from_pydantic_ai(part))
    details = dict(back.provider_details or {})
    details.pop(RECORD, None)
    assert replace(back, provider_details=details or None) == part
    # What we add stays out of its own lists, so the history loads.
    assert through_json(back) == back


def test_what_pydantic_ai_would_refuse_is_kept_beside_its_list() -> None:
    """What pydantic-ai would refuse is kept beside its list."""
    nameless = DocumentCitationSource(None, details={"reference_id": 7})
    part = TextPart(
        "abc",
        (
            Citation((nameless,)),
            Citation((PAGE, nameless), ContentCitationAnchor(1, 1)),
            Citation(()),
        ),
    )
    made = to_pydantic_ai(part)
    assert made.citations == [
        ai.Citation([ai.WebCitationSource("https://a.example/x", title="A", excerpts=["Words of a."])])
    ]
    assert from_pydantic_ai(through_json(made)) == part
    with pytest.raises(InputError, match="only with a source"):
        to_pydantic_ai(Citation((nameless,)))


def test_unknown_kinds_in_a_saved_part_go_the_whole_way() -> None:
    """Unknown kinds in a saved part go the whole way."""
    raw = {"sources": [{"kind": "hologram"}]}
    part = part_from_dict({"content": "abc", "citations": [raw, {"sources": [{"kind": "web", "url": "u"}]}]})
    assert from_pydantic_ai(through_json(to_pydantic_ai(part))) == part


def test_one_citation_alone_carries_what_theirs_can_hold() -> None:
    """One citation alone carries what theirs can hold."""
    ours = Citation((PAGE, FILE), MarkerCitationAnchor(1, 4))
    theirs = ai.Citation(
        [
            ai.WebCitationSource("https://a.example/x", title="A", excerpts=["Words of a."]),
            ai.DocumentCitationSource(
                document_id="file-1", title="Terms", excerpts=["Items may be returned within 30 days."]
            ),
        ],
        anchor=ai.MarkerCitationAnchor(start=1, end=4),
    )
    assert to_pydantic_ai(ours) == theirs
    assert from_pydantic_ai(theirs) == ours


def test_an_edit_of_equal_length_in_their_history_is_found() -> None:
    """An edit of equal length in their history is found."""
    part = stamped(TextPart("Within 30 days.", (Citation((FILE,), ContentCitationAnchor(0, 15)),)))
    made = to_pydantic_ai(part)
    assert stale_in([ModelResponse(parts=[made])]) == 0
    made = replace(made, content="Within 90 days.")
    assert stale_in([ModelRequest(parts=[UserPromptPart("x")]), ModelResponse(parts=[made])]) == 1
    assert len(stale_citations(from_pydantic_ai(made))) == 1


def test_citations_that_somebody_changed_are_taken_as_they_are_now() -> None:
    """Citations that somebody changed are taken as they are now."""
    rich = Citation((replace(FILE, span=SourceSpan(1, 2)),), ContentCitationAnchor(0, 3), text_hash="0")
    made = to_pydantic_ai(TextPart("abc", (rich, Citation((PAGE,)))))
    new = ai.Citation([ai.WebCitationSource("https://new.example")])
    changed = replace(made, citations=[new, *(made.citations or [])[:1]])
    assert from_pydantic_ai(changed).citations == (
        Citation((WebCitationSource("https://new.example"),)),
        rich,
    )
    assert from_pydantic_ai(replace(made, citations=None)).citations == ()


def test_wrong_types_are_told_in_a_sentence() -> None:
    """Wrong types are told in a sentence."""
    for call in (
        lambda: to_pydantic_ai(None),  # type: ignore[call-overload] # pyright: ignore[reportArgumentType, reportCallIssue]
        lambda: from_pydantic_ai("x"),  # type: ignore[call-overload] # pyright: ignore[reportArgumentType, reportCallIssue]
        lambda: native_answer(TextPart("a"), Answer("b")),
    ):
        with pytest.raises(InputError):
            call()


# --- What the model classes of pydantic-ai leave in raw form ---


def test_pages_and_places_come_from_what_pydantic_ai_keeps_raw() -> None:
    """Pages and places come from what pydantic-ai keeps raw."""
    raw = {
        "type": "page_location", "cited_text": "Dummy", "document_index": 2, "document_title": "D", "file_id": None,
        "start_page_number": 1, "end_page_number": 2,
    }  # fmt: skip
    part = ai.TextPart(
        "It says so.",
        provider_name="anthropic",
        provider_details={"citations": [raw]},
        citations=[
            ai.Citation(
                [ai.DocumentCitationSource(title="D", excerpts=["Dummy"])],
                anchor=ai.ContentCitationAnchor(start=0, end=11),
            )
        ],
    )
    (citation,) = from_pydantic_ai(part).citations
    assert citation.sources[0].span == SourceSpan(1, 2, SpanUnit.PAGES)
    assert (citation.sources[0].details or {})["document_index"] == 2
    assert citation.text_hash is None  # nobody was there when it was said
    # Only where both say the same: a text that was edited has none of it.
    edited = from_pydantic_ai(replace(part, content="It says nothing of it."))
    assert edited.citations[0].sources[0].span is None


def test_googles_scores_come_from_what_pydantic_ai_keeps_raw() -> None:
    """Google's scores come from what pydantic-ai keeps raw."""
    raw = {
        "segment": {"end_index": 5, "text": "Zoë."},
        "grounding_chunk_indices": [3],
        "confidence_scores": [0.5],
        "grounding_chunks": [{"web": {"uri": "https://a.example", "title": "A"}}],
    }
    part = ai.TextPart(
        "Zoë.",
        provider_name="google",
        provider_details={"citations": [raw]},
        citations=[
            ai.Citation(
                [ai.WebCitationSource("https://a.example", title="A")],
                anchor=ai.ContentCitationAnchor(start=0, end=4),
            )
        ],
    )
    (citation,) = from_pydantic_ai(part).citations
    assert citation.sources[0].details == {"confidenceScore": 0.5}
    # It is the provider's figure for a source, and never ours for a citation.
    assert (citation.confidence, citation.score) == (None, None)


# --- The text of a response, as pydantic-ai joins it ---


def cited(text: str) -> ai.TextPart:
    """Return a part whose whole text is cited."""
    anchor = ai.ContentCitationAnchor(start=0, end=len(text)) if text else None
    return ai.TextPart(
        text, citations=[ai.Citation([ai.WebCitationSource(f"https://{len(text)}.example")], anchor=anchor)]
    )


CALL = NativeToolCallPart("web_search", {}, tool_call_id="1")
RETURN = NativeToolReturnPart("web_search", "x", tool_call_id="1")
SHAPES = [
    [cited("One. "), cited("Two.")],
    [cited("Let me look."), CALL, RETURN, cited("One. "), ai.TextPart("and "), cited("Two.")],
    [cited("One."), ThinkingPart("hm"), cited("Two.")],
    [cited("One."), CALL, RETURN],  # as Gemini reports its searches
    [cited("One."), CALL, RETURN, cited("Two."), CALL, RETURN],
    [cited("One."), CALL, cited(""), RETURN],
    [ThinkingPart("hm"), CALL, RETURN, cited("Only.")],
]


@pytest.mark.parametrize("parts", SHAPES, ids=range(len(SHAPES)))
async def test_both_ways_of_joining_are_pydantic_ais(parts: list[Any]) -> None:
    """Both ways of joining are pydantic-ai's."""

    def scripted(_messages: list[ai.ModelMessage], _info: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=list(parts))

    result = await Agent(FunctionModel(scripted)).run("x")
    response = result.response
    for part, theirs in ((output_part(response), result.output), (text_part(response), response.text)):
        assert part.content == theirs
        for citation in part.citations:
            # Each still selects the very text that it was on.
            assert isinstance(citation.sources[0], WebCitationSource)
            if citation.anchor is not None:
                about = part.content[citation.anchor.start : citation.anchor.end]
                assert citation.sources[0].url == f"https://{len(about)}.example"


def test_text_beside_a_call_of_a_tool_is_not_the_output() -> None:
    """Text beside a call of a tool is not the output."""
    response = ModelResponse(parts=[cited("One."), CALL, RETURN, ToolCallPart("t", {})])
    assert output_part(response) == TextPart("")
    assert text_part(response).content == "One."


def test_a_response_without_text() -> None:
    """A response without text."""
    assert output_part(ModelResponse(parts=[])).content == ""
    assert text_part(ModelResponse(parts=[ThinkingPart("hm")])).content == ""


# --- Into one answer ---


async def test_native_citations_and_our_markers_are_in_one_answer() -> None:
    """Native citations and our markers are in one answer."""

    def script(messages: list[Any]) -> str:
        (passage,) = messages[-1].parts[0].content
        return passage["ref"]

    class Model(FakeCitingModel):
        async def request(
            self, messages: list[Any], model_settings: Any, model_request_parameters: Any
        ) -> ModelResponse:
            if len(self.requests) == 1:
                ref = script(messages)
                turn = [
                    said("Items may go back.", PAGE),
                    f" A lunch is paid [{ref}].",
                    said(" Ask us.", PAGE),
                ]
                self._steps.append(self._step(turn))
            return await super().request(messages, model_settings, model_request_parameters)

    model = Model("anthropic", [[ToolCallPart("look_up", {})]])
    citing, native = Citing(support=None), NativeCitations()
    agent = Agent(model, capabilities=[citing, native, Citations()])

    @agent.tool_plain
    def look_up() -> list[dict[str, str]]:  # pyright: ignore[reportUnusedFunction] - the agent calls it
        return [{"id": "rules-7", "title": "House rules", "text": "A working lunch is paid up to 25 euro."}]

    result = await agent.run("x")
    ours = citing.answer(result).answer
    both = native.answer(result, citing=citing)
    assert both.text == result.output
    assert len(ours.citations) == 1
    kinds = [type(one.anchor).__name__ for one in both.citations]
    assert kinds == ["ContentCitationAnchor", "MarkerCitationAnchor", "ContentCitationAnchor"]
    assert both.citations[1] == ours.citations[0]
    # Numbered in order of first mention, each source once.
    assert [(one.number, one.source.title, len(one.anchors)) for one in both.evidences] == [
        (1, "A", 2),
        (2, "House rules", 1),
    ]
    assert not both.misses
    assert not both.checks


async def test_alone_it_gives_the_answer_of_a_run_and_of_a_stream() -> None:
    """Alone it gives the answer of a run and of a stream."""
    model = FakeCitingModel("openai", [["Zoë: ", said("Columbia is highest.", PAGE)]])
    native = NativeCitations()
    agent = Agent(model, capabilities=[native])
    result = await agent.run("x")
    answer = native.answer(result)
    (citation,) = answer.citations
    assert isinstance(citation.anchor, MarkerCitationAnchor)
    assert answer.text[citation.anchor.start : citation.anchor.end] == "([a.example](https://a.example/x))"
    async with agent.run_stream("x") as stream:
        await stream.get_output()
    assert native.answer(stream) == answer


async def test_it_asks_those_who_cite_only_when_asked() -> None:
    """It asks those who cite only when asked."""
    seen: list[Any] = []

    def scripted(_messages: list[ai.ModelMessage], info: AgentInfo) -> ModelResponse:
        seen.append(dict(info.model_settings or {}))
        return ModelResponse(parts=[ai.TextPart("x")])

    for native in (NativeCitations(), NativeCitations(asks=False)):
        await Agent(FunctionModel(scripted), capabilities=[native]).run("x")
    assert [one.get("citations") for one in seen] == [True, None]


async def test_a_run_marks_what_its_provider_said_so_that_later_edits_show() -> None:
    """A run marks what its provider said so that later edits show."""
    part = cited("Within 30 days.")

    def scripted(_messages: list[ai.ModelMessage], _info: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=[part])

    result = await Agent(FunctionModel(scripted), capabilities=[NativeCitations()]).run("x")
    history = result.all_messages()
    saved = ModelMessagesTypeAdapter.dump_json(history)
    loaded = ModelMessagesTypeAdapter.validate_json(saved)
    assert ModelMessagesTypeAdapter.dump_json(loaded) == saved
    assert stale_in(loaded) == 0
    kept = loaded[-1].parts[0]
    assert isinstance(kept, ai.TextPart)
    assert kept.citations == part.citations
    kept.content = "Within 90 days."
    assert stale_in(loaded) == 1


async def test_an_output_that_a_validator_changed_keeps_what_is_still_there() -> None:
    """An output that a validator changed keeps what is still there."""
    model = FakeCitingModel("anthropic", [[said("One thing.", PAGE), said(" Another thing.", FILE)]])
    native = NativeCitations()
    agent = Agent(model, capabilities=[native])

    @agent.output_validator
    def shorter(output: str) -> str:  # pyright: ignore[reportUnusedFunction] - the agent calls it
        return output.replace("One thing.", "1 thing.") + " Bye."

    answer = native.answer(await agent.run("x"))
    assert answer.text == "1 thing. Another thing. Bye."
    assert [answer.text[one.anchor.start : one.anchor.end] for one in answer.citations if one.anchor] == [
        " Another thing."
    ]


async def test_json_output_keeps_the_positions_in_its_text() -> None:
    """JSON output keeps the positions in its text."""
    model = FakeCitingModel("google", [[said('{"response": 7}', PAGE)]])
    native = NativeCitations()
    result = await Agent(model, output_type=NativeOutput(int), capabilities=[native]).run("x")
    assert result.output == 7
    answer = native.answer(result)
    assert answer.text == '{"response": 7}'
    assert [one.anchor for one in answer.citations] == [ContentCitationAnchor(0, 15)]


def test_a_marker_that_the_provider_explains_is_no_miss() -> None:
    """A marker that the provider explains is no miss."""
    text = "High [1]. Low [2]."
    part = stamped(TextPart(text, (Citation((PAGE,), MarkerCitationAnchor(5, 8), "[1]"),)))
    misses = tuple(Miss(at, at + 3, text[at : at + 3], MissReason.NEVER_ISSUED) for at in (5, 14))
    answer = native_answer(part, Answer(text, misses=misses))
    assert [miss.written for miss in answer.misses] == ["[2]"]


def test_documents_without_an_id_are_told_apart_by_their_place_in_the_request() -> None:
    """Documents without an id are told apart by their place in the request."""

    def of(index: int) -> Citation:
        return Citation(
            (DocumentCitationSource(None, None, ("Same words.",), None, None, {"document_index": index}),)
        )

    part = TextPart("abc", (of(0), of(1), of(0)))
    assert len(native_answer(part).evidences) == 2


# --- How many sources were grouped says nothing ---


def test_the_number_of_grouped_sources_is_no_confidence() -> None:
    """The number of grouped sources is no confidence."""
    pages = tuple(WebCitationSource(f"https://{n}.example", "Copy", ("Same.",)) for n in range(9))
    one = stamped(TextPart("It is so.", (Citation(pages[:1], ContentCitationAnchor(0, 9)),)))
    many = stamped(TextPart("It is so.", (Citation(pages, ContentCitationAnchor(0, 9)),)))
    for part in (one, many, from_pydantic_ai(to_pydantic_ai(many))):
        (citation,) = native_answer(part).citations
        said_of_it = {
            field.name: getattr(citation, field.name)
            for field in fields(citation)
            if field.name not in {"sources", "anchor", "text_hash"}
        }
        assert set(said_of_it.values()) == {None}
    raw = [
        {
            "type": "web_search_result_location", "url": f"https://{n}.example", "title": "Copy",
            "cited_text": "Same.", "encrypted_index": str(n),
        }
        for n in range(9)
    ]  # fmt: skip
    (citation,) = read_response(
        "anthropic", {"content": [{"type": "text", "text": "It is so.", "citations": raw}]}
    ).citations
    assert (len(citation.sources), citation.confidence, citation.score, citation.support) == (
        9,
        None,
        None,
        None,
    )


# --- Logs and traces ---

MARKED = "MARKED-EXCERPT-9417"


class _Span:
    def __init__(self, seen: list[str]) -> None:
        self._seen = seen

    def __getattr__(self, name: str) -> Any:
        def record(*given: Any, **more: Any) -> _Span:
            self._seen.append(f"{name} {given!r} {more!r}")
            return self

        return record

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None


async def test_logs_and_traces_hold_counts_and_no_text(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Logs and traces hold counts and no text."""
    seen: list[str] = []
    span = _Span(seen)
    monkeypatch.setattr("opentelemetry.trace.NoOpTracer.start_as_current_span", span.start_as_current_span)
    marked = WebCitationSource(f"https://{MARKED}.example", MARKED, (MARKED,), details={"x": MARKED})
    native = NativeCitations()
    agent = Agent(FakeCitingModel("anthropic", [[said(f"It is {MARKED}.", marked)]]), capabilities=[native])
    with caplog.at_level(logging.DEBUG):
        answer = native.answer(await agent.run("x"))
    assert MARKED in answer.citations[0].sources[0].excerpts
    counts = citation_counts(answer)
    assert set(map(type, counts.values())) == {int}
    assert counts["pincite.citations"] == 1
    told = [one for one in seen if "pincite citations" in one]
    assert told
    assert "'pincite.citations': 1" in told[0]
    ours = [record.getMessage() for record in caplog.records if record.name.startswith("pincite")]
    assert ours
    assert MARKED.casefold() not in " ".join((*ours, *told)).casefold()
    assert MARKED not in json.dumps(counts)


def test_a_whole_response_as_theirs() -> None:
    """A whole response as theirs."""
    raw = {"content": [{"type": "text", "text": "Hi."}, {"type": "text", "text": " You."}]}
    made = to_model_response(read_response("anthropic", raw), model_name="m")
    assert (made.text, made.provider_name, made.model_name) == ("Hi. You.", "anthropic", "m")
