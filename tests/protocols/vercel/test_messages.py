"""Chats that are saved and loaded: their citations are there again, and what a client made up is only shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_ai.messages import TextPart, UserPromptPart
from ui_reader import CITATIONS
from vercel_agents import LOOK_UP, Talking, told

from pincite.citing import CitationRun
from pincite.core.errors import InputError
from pincite.library.conversations import Message
from pincite.protocols.answers import answer_json
from pincite.protocols.citations_event import EndedMessage, citations_value
from pincite.protocols.vercel import Streamed, dump_messages, load_messages
from pincite.showing import numbered

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage

    from pincite.agents import CheckedAnswer


def refs_of(title: str = "A") -> tuple[CitationRun, str, str]:
    """Return a run with two passages, and their refs."""
    run = CitationRun("ref")
    first = run.present({"id": "a-1", "title": title, "content": "The sky is blue."})
    second = run.present(
        {"id": "b-1", "title": "B", "content": "Grass is green.", "url": "https://b.example/"}
    )
    return run, first["ref"], second["ref"]


def row(number: int, text: str, run: CitationRun) -> Message:
    """Return an answer as a conversation keeps it."""
    answer = run.resolve(text)
    message = EndedMessage(f"m-{number}", answer, numbered(answer))
    shown = {
        "message_id": message.message_id,
        "text": message.text,
        "citations": citations_value(message, answer_json(answer), status="answered"),
        "highlight": None,
    }
    return Message(number, "assistant", {"answer": {"text": text, "shown": shown}}, "2026-01-01T00:00:00Z")


def asked_row(number: int, text: str) -> Message:
    """Return a question as a conversation keeps it."""
    return Message(number, "user", {"text": text, "message_id": f"m-{number}"}, "2026-01-01T00:00:00Z")


def json_of(said: list[Any]) -> list[dict[str, Any]]:
    """Return a dumped chat as its client has it, and sends it back."""
    return [one.model_dump(mode="json", by_alias=True) for one in dump_messages(said)]


def texts(messages: list[ModelMessage]) -> list[str]:
    """Return what was asked and answered, as a model is told it."""
    return [
        str(part.content)
        for message in messages
        for part in message.parts
        if isinstance(part, TextPart | UserPromptPart)
    ]


def test_a_conversation_as_messages() -> None:
    """A row of a question is one text; that of an answer has its text with numbers, its sources, and what it cites."""
    run, a, b = refs_of()
    question, answer = json_of([asked_row(1, "Why?"), row(2, f"Blue [{a}], green [{b}].", run)])
    assert question == {"id": "m-1", "role": "user", "parts": [{"type": "text", "text": "Why?"}]}
    text, first, second, data = answer["parts"]
    assert text == {"type": "text", "text": "Blue [1], green [2].", "state": "done"}
    assert (first["type"], first["title"]) == ("source-document", "A")
    assert (second["type"], second["url"]) == ("source-url", "https://b.example/")
    assert (data["type"], data["id"]) == (CITATIONS, "pincite-citations-0")
    assert [one["sourceId"] for one in data["data"]["sources"]] == [first["sourceId"], second["sourceId"]]


_WORDS = st.sampled_from(
    ["Blue ", "[{a}]", "[{b}]", "[{a}, {b}]", "\U0001f600", ". ", "[1]", "[nothing1]", "`x`", "\n"]
)
_TEXTS = st.lists(st.lists(_WORDS, min_size=1, max_size=8).map("".join), max_size=4)


@given(_TEXTS, st.sampled_from(["A", "A  B", "A\u202e\nB", "b" * 1_000, "", "\ud83d"]))
def test_what_is_dumped_is_loaded(written: list[str], title: str) -> None:
    """Any chat: loaded from its messages, its model reads what it wrote, and each answer cites what it cited."""
    run, a, b = refs_of(title)
    said = [one.replace("{a}", a).replace("{b}", b) for one in written]
    rows = [
        made
        for number, text in enumerate(said)
        for made in (asked_row(2 * number, f"Question {number}"), row(2 * number + 1, text, run))
    ]
    found = load_messages(json_of(rows))
    assert texts(found.messages) == [one for n, text in enumerate(said) for one in (f"Question {n}", text)]
    assert [one.message_id for one in found.citations] == [f"m-{2 * n + 1}" for n in range(len(said))]
    for loaded, text in zip(found.citations, said, strict=True):
        answer = run.resolve(text)
        message = EndedMessage(loaded.message_id, answer, numbered(answer))
        value = citations_value(message, answer_json(answer), status="answered")
        assert loaded.text == numbered(answer).text
        # What a title may show, and the id of the part, are this stream's.
        theirs, ours = loaded.value["sources"], value.pop("sources")
        assert {name: loaded.value[name] for name in value} == value
        for one, other in zip(theirs, ours, strict=True):
            assert {**one, "title": None} == {**other, "title": None, "sourceId": one["sourceId"]}
    sent = {one["id"]: part["data"] for one in json_of(rows) for part in one["parts"] if "data" in part}
    assert {one.message_id: one.value for one in found.citations} == sent
    assert found.diagnostics == ()


async def test_what_was_streamed_is_loaded() -> None:
    """The parts of a stream, a draft among them, are read like those of a dump."""
    reply = await told(Talking([LOOK_UP, "Up to 30 euro [ffffffff].", "Up to 25 euro {0}."]).agent())
    found = load_messages([reply.message()])
    (cited,) = found.citations
    assert (cited.text_index, cited.text) == (1, "Up to 25 euro [1].")
    assert texts(found.messages)[-1] == f"Up to 25 euro [{cited.value['citations'][0]['ref']}]."
    assert not any("30 euro" in one for one in texts(found.messages))


async def test_checked_answers_as_messages() -> None:
    """Answers of a run, with the questions between as strings, make a chat as well."""
    kept: list[CheckedAnswer] = []

    async def ended(one: Streamed) -> None:
        kept.append(one.checked)

    await told(Talking([LOOK_UP, "Up to 25 euro {0}."]).agent(), ended=ended)
    question, answer = json_of(["How much?", *kept])
    assert question["parts"] == [{"type": "text", "text": "How much?"}]
    assert [one["type"] for one in answer["parts"]] == ["text", "source-document", CITATIONS]
    assert answer["parts"][-1]["data"]["status"] == "answered"
    assert load_messages([question, answer]).citations[0].value["citations"][0]["number"] == 1


def test_rows_of_an_earlier_version() -> None:
    """An answer that was kept before streams told anything is its finished text; what holds no text is left out."""
    at = "2026-01-01T00:00:00Z"
    rows = [
        Message(1, "assistant", {"answer": {"answer": "Blue [1].\n\n### Sources"}}, at),
        Message(2, "assistant", {"note": "none"}, at),
        Message(3, "tool", {"text": "found"}, at),
        Message(4, "user", {"text": ""}, at),
    ]
    (only,) = json_of(rows)
    assert only["parts"] == [{"type": "text", "text": "Blue [1].\n\n### Sources", "state": "done"}]


HOSTILE: list[Any] = [
    None,
    "text",
    {"version": 2, "textIndex": 0, "citations": [{}]},
    {"version": 1, "textIndex": "0"},
    {"version": 1, "textIndex": True},
    {"version": 1, "textIndex": 10**30, "citations": 3},
]


@pytest.mark.parametrize("data", HOSTILE)
def test_data_that_cannot_be_read(data: Any) -> None:
    """Whatever stands in a data part of our name, the message is loaded; what is no value of ours is passed over."""
    parts = [{"type": "text", "text": "Blue [1]."}, {"type": CITATIONS, "data": data}]
    found = load_messages([{"id": "m", "role": "assistant", "parts": parts}])
    assert texts(found.messages) == ["Blue [1]."]
    assert found.citations == ()


def test_what_is_no_message() -> None:
    """It is refused with a sentence that says where."""
    with pytest.raises(InputError, match=r"0\.role"):
        load_messages([{"id": "m", "role": "nobody", "parts": []}])
