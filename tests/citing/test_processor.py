"""Messages in, the same messages out: nothing lost, content and parts agree, each answer resolved whatever follows."""

from __future__ import annotations

import json
from collections import OrderedDict
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from pincite.citing import CitationContextContribution, CitationRun, CitationStore, ConversationState
from pincite.citing.instructions import named_fields
from pincite.citing.messages import ChatMessage, ChatMessageEvidence, ContentPart, ContextItems
from pincite.citing.processor import CitationProcessor
from pincite.core.errors import InputError
from pincite.core.verdicts import MissReason, QuoteVerdict

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator

RULES = "https://docs.example/rules"
LEAVE = "https://docs.example/leave"
WORDS = "Every employee has at least ten days of leave."


def store() -> CitationStore:
    """Return a store of two pages: rules, an internal document, and leave, a record of another system."""
    made = CitationStore()
    made.register_hit(
        RULES,
        {"title": "Rules", "source_url": RULES, "content": "Expenses over 100 EUR need approval."},
        {"id": "rules_3"},
        RULES,
        CitationContextContribution(document_ids=("rules_3",)),
    )
    made.register_hit(
        LEAVE,
        {"title": "Leave", "source_url": LEAVE, "content": WORDS},
        {"id": 7},
        LEAVE,
        CitationContextContribution(custom_items=({"id": 7, "url": LEAVE},)),
    )
    return made


def processor() -> CitationProcessor:
    """Return a processor over that store."""
    return CitationProcessor(store(), wire_format="inline_url")


def cite(key: str, number: int = 1, extract: str = "at least ten days of leave") -> str:
    """Return a marker as the page has it."""
    return f'[[{number}]]({key} "{extract}")'


TEXT = f"Ten days {cite(LEAVE)}. Approval {cite(RULES, 2, 'need approval')}. Again {cite(LEAVE)}."
SPANS = [(at, at + len(cite(LEAVE))) for at in (TEXT.index("[["), TEXT.rindex("[["))]


def test_a_message_is_resolved_and_its_text_stays_as_written() -> None:
    """Evidences and context are filled; what the model wrote is not touched."""
    message = processor().process(ChatMessage(content=TEXT, session_id="s", metadata={"a": 1}))
    assert (message.content, message.session_id, message.metadata) == (TEXT, "s", {"a": 1})
    first, second = message.evidences
    assert first == ChatMessageEvidence(
        LEAVE, first.text_extract, cite(LEAVE), 1, tuple(SPANS), QuoteVerdict.VERBATIM
    )
    assert (second.document_hit_url, second.number, len(second.anchors)) == (RULES, 2, 1)
    assert message.context == ContextItems(
        ("rules_3",), ({"id": 7, "url": LEAVE},), (LEAVE, RULES), cited_by="assistant"
    )


def test_two_n_for_one_url_and_the_same_citation_3_times_are_one_evidence() -> None:
    """Section 3: no deduplication. Here a source has one evidence, and every place that cites it as an anchor."""
    text = f"A {cite(RULES, 1)} b {cite(RULES, 2)} c {cite(RULES, 1)}."
    (evidence,) = processor().process(ChatMessage(content=text)).evidences
    assert [text[start:end] for start, end in evidence.anchors] == [cite(RULES, n) for n in (1, 2, 1)]


def test_same_n_for_two_urls_is_no_misattribution() -> None:
    """Section 3: both anchored `[[1]]`. Here the numbers are ours and the anchors are places."""
    text = f"A {cite(RULES, 1)} b {cite(LEAVE, 1)}."
    first, second = processor().process(ChatMessage(content=text)).evidences
    assert [(one.number, one.document_hit_url) for one in (first, second)] == [(1, RULES), (2, LEAVE)]
    assert not set(first.anchors) & set(second.anchors)


def test_a_literal_1_earlier_in_the_text_stays_apart() -> None:
    """Section 3: a literal `[[1]]` becomes indistinguishable. Here the anchor says which one is the citation."""
    text = f"The mark [[1]] is literal. Ten days {cite(LEAVE)}."
    (evidence,) = processor().process(ChatMessage(content=text)).evidences
    assert evidence.anchors == ((text.rindex("[[1]]"), len(text) - 1),)


def test_an_extract_that_occurs_nowhere_in_the_source_is_not_shown() -> None:
    """Section 3: accepted and shown as evidence. Here an extract is the source's text, or it is none."""
    invented = "a hundred days and a pony"
    (evidence,) = processor().process(ChatMessage(content=f"So {cite(LEAVE, 1, invented)}.")).evidences
    assert evidence.text_extract is None or evidence.text_extract in WORDS


def test_an_invented_source_is_no_evidence_and_is_told() -> None:
    """Section 3: an invented source stays without a word. Here it stays as written, and the answer lists it."""
    text = f"So {cite('https://invented.example/')}."
    for source in (CitationStore(), store()):
        made = CitationProcessor(source, wire_format="inline_url")
        message = ChatMessage(content=text)
        assert made.process(message) is message
        answer = made.answer(message)
        assert answer is not None
        assert [miss.reason for miss in answer.misses] == [MissReason.NEVER_ISSUED]


def test_a_javascript_evidence_url_does_not_pass() -> None:
    """Section 3: no scheme check. Here an evidence points at a safe address or at none."""
    made = CitationStore()
    made.register_hit("9f2a1b7c", {"title": "T", "ref": "9f2a1b7c"}, {}, "javascript:alert(1)")
    (evidence,) = CitationProcessor(made).process(ChatMessage(content="So [9f2a1b7c].")).evidences
    assert evidence.document_hit_url == ""


@pytest.mark.parametrize("joiner", ["", "\n", "\n\n", " "])
def test_a_message_split_over_two_text_parts_resolves_in_both(joiner: str) -> None:
    """Section 3: `content` cleaned, the parts keep the raw citation. Here both say the same, and both are resolved."""
    parts = (ContentPart("text", text="Ten days"), ContentPart("text", text=f"so {cite(LEAVE)}."))
    content = joiner.join(part.text or "" for part in parts)
    message = processor().process(ChatMessage(content=content, content_parts=parts))
    assert message.content == content
    assert message.content_parts[:2] == parts
    (evidence,) = message.evidences
    assert [content[start:end] for start, end in evidence.anchors] == [cite(LEAVE)]


@pytest.mark.parametrize("cut", range(1, len(cite(LEAVE))))
def test_a_marker_split_over_two_parts_resolves(cut: int) -> None:
    """Wherever a stream was cut, the parts are one text."""
    text = f"Ten {cite(LEAVE)}."
    place = text.index("[[") + cut
    image = ContentPart("image", data=b"\x89")
    parts = (ContentPart("text", text=text[:place]), image, ContentPart("text", text=text[place:]))
    message = processor().process(ChatMessage(content="", content_parts=parts))
    assert message.content == text
    assert message.content_parts[:3] == parts
    assert len(message.evidences) == 1


def test_content_that_says_something_else_is_made_to_agree() -> None:
    """Section 5: the history is joined from the parts; so what they say is the message's text."""
    parts = (ContentPart("text", text="No source here."),)
    message = processor().process(ChatMessage(content="An old draft.", content_parts=parts))
    assert (message.content, message.content_parts, message.evidences) == ("No source here.", parts, ())


@pytest.mark.parametrize(
    "message",
    [
        {"sender": "user", "content": TEXT},
        {"role": "tool", "content": TEXT},
        {"role": "tool_result", "content": TEXT},
        {"sender": "function", "content": TEXT},
        {"role": "system", "content": TEXT},
        {"type": "human", "content": TEXT},
        {"role": "assistant", "content": ""},
        {"role": "assistant", "content": None, "function_call": {"name": "search", "arguments": TEXT}},
        {"role": "assistant", "tool_calls": [{"id": "1"}]},
        {"role": "assistant", "content": " \n", "content_parts": []},
        {"role": "assistant", "content_parts": [{"type": "image", "text": None}]},
        {"role": "assistant", "content": "Nothing is cited."},
        {"role": "assistant", "content": 5},
        {},
    ],
)
def test_what_is_no_answer_comes_back_as_it_is(message: dict[str, Any]) -> None:
    """Messages of tools and users, without text, or with a call of a function alone, are the very same object."""
    before = json.dumps(message)
    assert processor().process(message) is message
    assert json.dumps(message) == before


def test_an_answer_that_also_calls_a_tool_is_resolved() -> None:
    """Section 6: only items without a function call were eligible. Here the call stays and the text is resolved."""
    call = {"name": "search", "arguments": "{}"}
    message = processor().process(ChatMessage(content=TEXT, function_call=call))
    assert len(message.evidences) == 2
    assert message.function_call == call


def test_the_rebuilt_message_drops_no_field_and_no_evidence() -> None:
    """Section 5: it drops `session_id` and replaces earlier evidences. Here all is kept and ours come after."""
    earlier = ChatMessageEvidence("https://earlier.example/", "words", "[1]")
    attached = ContentPart("context", context=ContextItems(("mine",)))
    parts = (ContentPart("text", text=TEXT), attached)
    made = ChatMessage(
        TEXT, "bot", parts, (earlier,), session_id="s-1", message_id="m-1", metadata={"model": "x"}
    )
    message = processor().process(made)
    assert message.evidences[0] is earlier
    assert [one.document_hit_url for one in message.evidences[1:]] == [LEAVE, RULES]
    assert message.content_parts[:2] == parts
    kept = ("sender", "session_id", "message_id", "metadata", "function_call")
    assert all(getattr(message, name) == getattr(made, name) for name in kept)
    # The message that came in is as it was.
    assert (made.evidences, made.content_parts) == ((earlier,), parts)


def test_processing_twice_adds_nothing() -> None:
    """The same evidence is the one with the same address and anchor; the same item is there already."""
    once = processor().process(ChatMessage(content=TEXT))
    assert processor().process(once) is once
    as_dict: dict[str, Any] = {"role": "assistant", "content": TEXT}
    once_more = processor().process(as_dict)
    assert processor().process(json.loads(json.dumps(once_more))) == json.loads(json.dumps(once_more))


def test_an_item_that_the_user_attached_is_still_said_to_be_cited() -> None:
    """Who brought an object and who cited it are two things."""
    attached = ContentPart("context", context=ContextItems(("rules_3",)))
    message = processor().process(ChatMessage(content=TEXT, content_parts=(attached,)))
    assert message.content_parts[0] == attached
    context = message.content_parts[1].context
    assert context is not None
    assert (context.document_ids, context.cited_by) == (("rules_3",), "assistant")


def test_the_order_of_the_context_is_that_of_the_citations() -> None:
    """Section 5: the list comes from a set. Here it is the order of first citation, whatever was registered first."""
    made = CitationStore()
    for n in range(50):
        made.register_hit(
            f"https://a.example/{n}",
            {"content": f"Words {n}."},
            {},
            None,
            CitationContextContribution(document_ids=(f"d{n}",)),
        )
    order = [7, 3, 49, 3, 0, 7, 12]
    text = " ".join(cite(f"https://a.example/{n}") for n in order)
    context = CitationProcessor(made).process(ChatMessage(content=text)).context
    assert context.document_ids == ("d7", "d3", "d49", "d0", "d12")
    assert context.passages == tuple(f"https://a.example/{n}" for n in (7, 3, 49, 0, 12))


def test_custom_items_of_one_id_stand_once() -> None:
    """Section 5: last wins. Here an object that two records contribute stands once, as it was first cited."""
    made = CitationStore()
    for n in (1, 2):
        made.register_hit(
            f"https://a.example/{n}",
            {"content": f"Words {n}."},
            {},
            None,
            CitationContextContribution(custom_items=({"id": "x", "seen": n}, {"id": n})),
        )
    text = f"{cite('https://a.example/2')} {cite('https://a.example/1')}"
    context = CitationProcessor(made).process(ChatMessage(content=text)).context
    assert context.custom_items == ({"id": "x", "seen": 2}, {"id": 2}, {"id": 1})


# --- kinds of messages -----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Note:
    """Another program's message, changeable, with lists."""

    content: str
    role: str = "assistant"
    content_parts: list[Any] | None = None
    evidences: list[Any] | None = None
    session_id: str = "s"
    stamp: int = field(default=7, init=False)


class Item(BaseModel):
    """A part of a model of messages that takes our shape of a context."""

    type: str
    text: str | None = None
    context: dict[str, Any] | None = None


class Seen(BaseModel):
    """An evidence with the page's three fields and no others."""

    model_config = ConfigDict(extra="forbid")
    document_hit_url: str
    text_extract: str | None = None
    anchor_text: str | None = None


class Turn(BaseModel):
    """A model of messages, as agents have it."""

    model_config = ConfigDict(frozen=True)
    content: str
    sender: str = "bot"
    content_parts: list[Item] | None = None
    evidences: list[Seen] = Field(default_factory=list[Seen], alias="evidence_list")
    session_id: str | None = None


class Open(BaseModel):
    """A model that takes any field beside its own."""

    model_config = ConfigDict(extra="allow")
    content: str
    type: str = "ai"


class Closed(BaseModel):
    """A model without a place for evidences."""

    content: str


@pytest.mark.parametrize("kind", [dict, OrderedDict, MappingProxyType])
def test_a_mapping_stays_a_mapping_of_its_kind(kind: Any) -> None:
    """What is added is plain data, so JSON goes through it; every other key is kept, in its place."""
    message = kind({"id": 5, "role": "assistant", "content": TEXT, "usage": {"tokens": 9}})
    done = processor().process(message)
    assert type(done) is kind
    assert list(done) == ["id", "role", "content", "usage", "evidences", "content_parts"]
    assert json.loads(json.dumps(dict(done)))["evidences"][0] == {
        "document_hit_url": LEAVE,
        "text_extract": done["evidences"][0]["text_extract"],
        "anchor_text": cite(LEAVE),
        "number": 1,
        "anchors": [list(span) for span in SPANS],
        "quote": "verbatim",
    }
    assert done["content_parts"] == [
        {
            "type": "context",
            "context": {
                "document_ids": ["rules_3"],
                "custom_items": [{"id": 7, "url": LEAVE}],
                "passages": [LEAVE, RULES],
                "cited_by": "assistant",
            },
        }
    ]


def test_parts_that_stand_in_the_content_are_the_parts() -> None:
    """Where `content` is a list of parts, their text is the text, and what is added goes there."""
    parts: list[dict[str, Any]] = [
        {"type": "output_text", "text": TEXT[:40], "annotations": []},
        {"type": "text", "text": TEXT[40:]},
    ]
    message: dict[str, Any] = {"role": "assistant", "content": parts}
    done = processor().process(message)
    assert done["content"][:2] == parts
    assert done["content"][2]["context"]["passages"] == [LEAVE, RULES]
    assert "content_parts" not in done
    assert len(done["evidences"]) == 2


def test_a_dataclass_of_somebody_elses_is_taken() -> None:
    """Every field stays, also one that its constructor does not take, and a list stays a list."""
    note = Note(TEXT)
    note.stamp = 8
    done = processor().process(note)
    assert type(done) is Note
    assert (done.stamp, done.session_id, note.evidences) == (8, "s", None)
    assert isinstance(done.evidences, list)
    assert [one.document_hit_url for one in done.evidences] == [LEAVE, RULES]
    assert isinstance(done.content_parts, list)
    assert done.content_parts[0].context.passages == (LEAVE, RULES)


def test_a_model_keeps_its_classes() -> None:
    """What is added is made by the model's own classes where they take it; the rest of it is the same object."""
    turn = Turn.model_validate(
        {
            "content": TEXT,
            "content_parts": [{"type": "text", "text": TEXT}],
            "evidence_list": [{"document_hit_url": "https://e.example"}],
            "session_id": "s",
        }
    )
    done = processor().process(turn)
    assert type(done) is Turn
    assert [type(one) for one in done.evidences] == [Seen] * 3
    assert [one.document_hit_url for one in done.evidences] == ["https://e.example", LEAVE, RULES]
    assert done.content_parts is not None
    assert turn.content_parts is not None
    assert done.content_parts[0] is turn.content_parts[0]
    assert done.content_parts[1].context is not None
    assert done.content_parts[1].context["passages"] == [LEAVE, RULES]
    # Nothing in it is of a kind that the model would warn of.
    assert Turn.model_validate_json(done.model_dump_json(by_alias=True)) == done


def test_a_model_that_takes_any_field_gets_plain_data() -> None:
    """Where a model says nothing about evidences they are as a mapping's are, so that it is written as JSON."""
    message: Any = Open(content=TEXT)
    done = processor().process(message)
    assert isinstance(done, Open)
    written = json.loads(done.model_dump_json())
    assert [one["document_hit_url"] for one in written["evidences"]] == [LEAVE, RULES]
    assert written["content_parts"][0]["context"]["passages"] == [LEAVE, RULES]


class Narrow(BaseModel):
    """A model whose evidences are of a shape that is not ours."""

    content: str
    content_parts: list[Any] = Field(default_factory=list[Any])
    evidences: list[int] = Field(default_factory=list[int])


def test_a_model_that_takes_no_shape_of_ours_gets_our_nouns() -> None:
    """What its classes cannot hold is added all the same, as it is."""
    done: Any = processor().process(Narrow(content=TEXT))
    assert [type(one) for one in done.evidences] == [ChatMessageEvidence] * 2
    assert done.content_parts[0].context.passages == (LEAVE, RULES)


@dataclass(frozen=True)
class Bare:
    """A dataclass without a place for evidences."""

    content: str


@pytest.mark.parametrize("message", [Closed(content=TEXT), Bare(TEXT)])
def test_a_message_without_a_place_for_evidences_is_an_error(message: object) -> None:
    """Nothing is lost in silence: the sentence names the field that is lacking."""
    with pytest.raises(InputError, match="no field `evidences`") as caught:
        processor().process(message)
    assert caught.value.field == "evidences"


@pytest.mark.parametrize("message", [None, "text", 5, object(), [TEXT], ChatMessage, Turn])
def test_what_is_no_message_is_an_error(message: object) -> None:
    """A text is resolved by the run; a message is a mapping, a dataclass or a model."""
    with pytest.raises(InputError, match="A message is"):
        processor().process(message)


@pytest.mark.parametrize("source", [None, "store", {}, CitationRun])
def test_a_processor_needs_a_run_or_a_store(source: Any) -> None:
    """Everything else is refused when it is made."""
    with pytest.raises(InputError, match="`CitationRun` or a `CitationStore`"):
        CitationProcessor(source)


# --- streams ---------------------------------------------------------------------------------------------------------


def states(text: str, sizes: Iterable[int] = (), **fields: Any) -> list[dict[str, Any]]:
    """Return the growing states of an answer: cut at each size, or after each character."""
    cuts = [*(sizes or range(1, len(text))), len(text)]
    return [{"role": "assistant", "content": text[:cut], **fields} for cut in cuts]


def test_growing_text_then_end_shows_no_half_written_link() -> None:
    """Section 6: every intermediate item is shown raw. Here none ends in half a marker; the last one is resolved."""
    items = states(TEXT)
    shown = list(processor().stream_sync(items))
    assert len(shown) == len(items)
    assert shown[-1] == processor().process(items[-1])
    for one in shown[:-1]:
        assert TEXT.startswith(one["content"])
        tail = one["content"][one["content"].rfind("[[") :]
        assert "[[" not in tail or tail.startswith((cite(LEAVE), cite(RULES, 2, "need approval"))), one
    lengths = [len(one["content"]) for one in shown]
    assert lengths == sorted(lengths)


def test_an_answer_then_any_tool_item_is_resolved() -> None:
    """Section 6: never resolved. Here an answer is over when anything else follows."""
    call = {"role": "tool", "content": "result"}
    shown = list(processor().stream_sync([*states(TEXT, [10, 30]), call]))
    assert [len(one.get("evidences", ())) for one in shown] == [0, 0, 2, 0]
    assert shown[-1] is call


def test_an_answer_a_tool_call_and_an_answer_are_both_resolved() -> None:
    """Section 6: only the second one was."""
    second = f"And so {cite(RULES)}."
    call = {"role": "assistant", "function_call": {"name": "search"}}
    shown = list(processor().stream_sync([*states(TEXT, [9]), call, *states(second, [9])]))
    assert [len(one.get("evidences", ())) for one in shown] == [0, 2, 0, 0, 1]


def test_two_answers_without_anything_between_are_both_resolved() -> None:
    """An answer that does not go on from the one before is another; so is one with another id or sender."""
    first, second = f"One {cite(LEAVE)}.", f"Two {cite(RULES)}."
    pairs: list[list[dict[str, Any]]] = [
        [{"content": first}, {"content": second}],
        [{"content": first, "id": 1}, {"content": f"{first} {second}", "id": 2}],
        [{"content": first, "sender": "bot"}, {"content": f"{first} {second}", "sender": "critic"}],
    ]
    for items in pairs:
        before, after = (len(one["evidences"]) for one in processor().stream_sync(items))
        assert (before, after >= 1) == (1, True)


def test_a_state_that_was_rewritten_is_the_same_answer_by_its_id() -> None:
    """A guard may replace what was said so far; the id says that it is one answer."""
    items: list[dict[str, Any]] = [
        {"id": 1, "content": "A first draft [[1"},
        {"id": 1, "content": f"Ten {cite(LEAVE)}."},
        {"id": 1, "content": f"Ten days {cite(LEAVE)}."},
    ]
    shown = list(processor().stream_sync(items))
    assert [one["content"] for one in shown[:2]] == ["A first draft ", f"Ten {cite(LEAVE)}."]
    assert [len(one.get("evidences", ())) for one in shown] == [0, 0, 1]


def test_the_parts_of_a_state_are_cut_with_its_content() -> None:
    """Content and parts agree while the text grows, wherever the parts are cut."""
    text = f"Ten {cite(LEAVE)}."
    place = text.index("[[") + 1
    grown = [
        ChatMessage(
            text[:end],
            content_parts=(ContentPart("text", text=text[:place]), ContentPart("text", text=text[place:end])),
        )
        for end in range(place + 1, len(text) + 1)
    ]
    shown = list(processor().stream_sync(grown))
    for one in shown:
        assert "".join(part.text or "" for part in one.content_parts) == one.content
    assert shown[0].content == "Ten "
    assert [part.text for part in shown[0].content_parts] == ["Ten ", ""]
    assert len(shown[-1].evidences) == 1


def test_items_that_are_no_messages_pass() -> None:
    """Every item of the stream comes out, in order, once."""
    items: list[Any] = [
        None,
        "text",
        5,
        *states("Ten.", [2]),
        object(),
        {"role": "user", "content": "?"},
        [1],
    ]
    shown = list(processor().stream_sync(items))
    assert len(shown) == len(items)
    others = [0, 1, 2, 5, 6, 7]
    assert all(shown[index] is items[index] for index in others)
    nothing: list[Any] = []
    assert list(processor().stream_sync(nothing)) == []


def test_when_the_source_fails_what_was_held_comes_out_first() -> None:
    """The last state before the failure is resolved and shown, and then the failure is raised."""

    def failing() -> Iterator[dict[str, Any]]:
        yield {"content": TEXT}
        msg = "the model is gone"
        raise RuntimeError(msg)

    shown: list[dict[str, Any]] = []
    with pytest.raises(RuntimeError, match="the model is gone"):
        shown.extend(processor().stream_sync(failing()))
    assert [len(one["evidences"]) for one in shown] == [2]


async def test_an_asynchronous_stream_is_the_same() -> None:
    """`stream` yields what `stream_sync` yields."""
    items: list[dict[str, Any]] = [
        *states(TEXT, [5, 40, 80]),
        {"role": "tool", "content": "x"},
        *states(TEXT, [3]),
    ]

    async def source() -> AsyncIterator[dict[str, Any]]:
        for item in items:
            yield item

    shown = [item async for item in processor().stream(source())]
    assert shown == list(processor().stream_sync(items))


async def test_a_reader_that_stops_early_closes_the_source() -> None:
    """No generator is left open behind a reader who has gone."""
    closed: list[bool] = []

    async def source() -> AsyncIterator[dict[str, Any]]:
        try:
            for item in states(TEXT):
                yield item
        finally:
            closed.append(True)

    reader: Any = processor().stream(source())
    await anext(reader)
    await reader.aclose()
    assert closed == [True]


async def test_a_failing_asynchronous_source_loses_nothing() -> None:
    """The held state comes out before the failure."""

    async def failing() -> AsyncIterator[dict[str, Any]]:
        yield {"content": TEXT}
        msg = "the model is gone"
        raise RuntimeError(msg)

    shown: list[dict[str, Any]] = []

    async def reading() -> None:
        async for item in processor().stream(failing()):
            shown.append(item)  # noqa: PERF401 - what came before the failure counts

    with pytest.raises(RuntimeError, match="the model is gone"):
        await reading()
    assert [len(one["evidences"]) for one in shown] == [2]


PIECES = [
    "a ",
    "[",
    "]",
    "(",
    ")",
    "[[1]]",
    cite(LEAVE),
    cite(RULES),
    "`",
    "```\n",
    "\n\n",
    "<sup>",
    "1",
    "</sup>",
    "<",
    "【",
    '"',
    "https://x",
]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join), st.lists(st.integers(1, 9), max_size=20))
def test_every_state_is_a_beginning_and_the_last_is_the_whole(text: str, steps: list[int]) -> None:
    """Whatever is written and however it grows: states only grow, and the last is what one message would be."""
    sizes = sorted({min(sum(steps[:n]), len(text)) for n in range(1, len(steps) + 1)} - {len(text)})
    items: list[dict[str, Any]] = [{"content": text[:size]} for size in (*sizes, len(text))]
    shown = list(processor().stream_sync(items))
    assert len(shown) == len(items)
    assert shown[-1] == processor().process(items[-1])
    said = [one["content"] for one in shown]
    assert all(later.startswith(earlier) for earlier, later in pairwise(said))


# --- the next turn ---------------------------------------------------------------------------------------------------


def told(message: ChatMessage) -> list[dict[str, Any]]:
    """Return the payloads that a context message shows."""
    return [json.loads(line) for line in message.content.splitlines()[1:]]


def test_the_next_turn_is_told_who_cited() -> None:
    """Section 5: introduced as documents the user attached. Here the assistant cited them, and it says so."""
    made = processor()
    answers = [made.process(ChatMessage(content=TEXT)), ChatMessage(content="And?", sender="user")]
    context = made.history(answers)
    assert context is not None
    assert (context.sender, context.context.cited_by) == ("system", "assistant")
    assert "the user did not attach them" in context.content
    assert "by their `source_url`" in context.content
    # Instructed is only what is shown.
    assert all(named_fields(context.content.splitlines()[0]) <= set(payload) for payload in told(context))
    assert [(one["source_url"], one["title"]) for one in told(context)] == [
        (LEAVE, "Leave"),
        (RULES, "Rules"),
    ]
    assert context.context.passages == (LEAVE, RULES)
    assert context.content_parts[0].text == context.content


def test_what_was_cited_can_be_cited_again_after_a_restart() -> None:
    """Section 5: earlier sources cannot be re-cited. Here they can, passages and records of others alike."""
    run = CitationRun("ref")
    payload = run.present({"id": "a", "content": WORDS, "title": "Leave"})
    made = CitationProcessor(run)
    answer: dict[str, Any] = made.process({"role": "assistant", "content": f"Ten days [{payload['ref']}]."})
    kept = json.loads(json.dumps({"conversation": run.conversation.export(), "messages": [answer]}))
    later = CitationProcessor(CitationRun(conversation=ConversationState.load(kept["conversation"])))
    context = later.history(kept["messages"])
    assert context is not None
    assert told(context) == [payload]
    again = later.process(ChatMessage(content=f"As said [{payload['ref']}]."))
    assert again.context.passages == (payload["ref"],)


@pytest.mark.parametrize("name", ["evidence_id", "inline_url", "ref", "short_id", "sup_numeric"])
@pytest.mark.parametrize("before", ["inline_url", "ref"])
def test_a_passage_is_shown_under_the_key_of_todays_format(name: str, before: str) -> None:
    """A conversation may have changed its wire format; what is shown is what the instruction names."""
    first = CitationRun(before, base_url="https://app.example")
    payload = first.present({"id": "a", "content": WORDS, "title": "Leave"})
    marker = first.format.write(payload[str(first.format.key_field)])
    answer = CitationProcessor(first).process(ChatMessage(content=f"Ten days {marker}."))
    run = CitationRun(name, conversation=first.conversation, base_url="https://app.example")
    made = CitationProcessor(run)
    context = made.history([answer])
    assert context is not None
    (shown,) = told(context)
    key = shown[str(run.format.key_field)]
    assert shown["content"] == WORDS
    again = made.process(ChatMessage(content=f"As said {run.format.write(key)}."))
    assert len(again.evidences) == 1


def test_which_passage_was_cited_is_not_lost() -> None:
    """Section 5: chunk ids are collapsed to the document. Here two passages of one document stay two."""
    run = CitationRun("ref")
    refs = [
        run.present({"id": f"d_{n}", "document_id": "d", "content": f"Words number {n}."})["ref"]
        for n in range(2)
    ]
    message = CitationProcessor(run).process(ChatMessage(content=f"A [{refs[1]}]. B [{refs[0]}]."))
    assert message.context.passages == (refs[1], refs[0])
    assert len(message.context.document_ids) == 1


def test_deferred_is_told_without_a_word_of_citing() -> None:
    """Where nothing is to be written, what was relied on is shown without a key."""
    made = CitationProcessor(store(), wire_format="deferred")
    items = ContextItems(passages=(LEAVE,), cited_by="assistant")
    context = made.history([ChatMessage(content_parts=(ContentPart("context", context=items),))])
    assert context is not None
    assert told(context) == [{"title": "Leave", "content": WORDS}]
    assert "cite" not in context.content.lower()


def test_nothing_cited_tells_nothing() -> None:
    """What the user attached is not told as cited, and neither is anything else."""
    attached = ContentPart("context", context=ContextItems(("d",), passages=(LEAVE,)))
    messages = [ChatMessage(content="A."), ChatMessage(content_parts=(attached,), sender="user"), None, 5]
    assert processor().history(messages) is None


def test_a_passage_that_the_run_does_not_know_is_not_offered() -> None:
    """A key that cannot resolve is not shown; the context still says what was cited."""
    items = ContextItems(("d",), passages=("gone", RULES), cited_by="assistant")
    context = processor().history([ChatMessage(content_parts=(ContentPart("context", context=items),))])
    assert context is not None
    assert [one["source_url"] for one in told(context)] == [RULES]
    assert context.context.passages == ("gone", RULES)


def test_where_no_passage_is_known_nothing_is_said() -> None:
    """What was cited is passed on, and the model is not told of passages that it does not see."""
    items = ContextItems(("d",), cited_by="assistant")
    context = processor().history([ChatMessage(content_parts=(ContentPart("context", context=items),))])
    assert context is not None
    assert (context.content, context.context, len(context.content_parts)) == ("", items, 1)


def test_a_title_that_carries_a_marker_cites_nothing_when_it_is_told_again() -> None:
    """A payload of somebody's own may hold anything; what reads as another passage's marker is put away."""
    made = store()
    made.register_hit("k" * 9, {"title": "see [9f2a1b7c]", "source_url": "k" * 9}, {})
    items = ContextItems(passages=("k" * 9,), cited_by="assistant")
    context = CitationProcessor(made, wire_format="inline_url").history(
        [ChatMessage(content_parts=(ContentPart("context", context=items),))]
    )
    assert context is not None
    assert "[9f2a1b7c]" not in context.content
    assert told(context)[0]["source_url"] == "k" * 9
