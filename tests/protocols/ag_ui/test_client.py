"""The client of AG-UI: what it keeps of any stream, and what it leaves out."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.limits import DEFAULT
from pincite.protocols.ag_ui import AGUIClient, RunState, event_schema
from pincite.protocols.ag_ui._patch import PatchError, patched
from pincite.protocols.ag_ui._taking import message_of
from pincite.protocols.moca import MocaClient

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

BEGIN = {"type": "RUN_STARTED", "threadId": "t", "runId": "r"}
END = {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"}
TEXT = "Blue [1]."


def said(message_id: str = "m", text: str = TEXT, **given: Any) -> list[dict[str, Any]]:
    """Return the events of a whole message."""
    return [
        {"type": "TEXT_MESSAGE_START", "messageId": message_id, **given},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": message_id, "delta": text},
        {"type": "TEXT_MESSAGE_END", "messageId": message_id},
    ]


def citation(**given: Any) -> dict[str, Any]:
    """Return an entry of `pincite.citations` for the number in `TEXT`."""
    return {
        "number": 1, "verdict": "valid", "quote_verdict": None, "support_verdict": "supported", "ref": "aaaa1111",
        "evidence_id": None, "locator": {"page": 4}, "confidence": None, "source_state": None, "anchor": "marker",
        "chunk_id": None, "document_id": None, "version": None, "start": 5, "end": 8, "start_utf16": 5, "end_utf16": 8,
        "claim": None, **given,
    }  # fmt: skip


def value(*entries: Any, message_id: str = "m", **given: Any) -> dict[str, Any]:
    """Return a value of `pincite.citations`."""
    return {
        "version": 1, "messageId": message_id, "citations": list(entries), "sources": [], "misses": [], "uncited": [],
        "status": "answered", **given,
    }  # fmt: skip


def custom(value: Any, name: str = "pincite.citations") -> dict[str, Any]:
    """Return a custom event."""
    return {"type": "CUSTOM", "name": name, "value": value}


def client_of(*events: Any, **given: Any) -> AGUIClient:
    """Return a client that has taken those events in."""
    client = AGUIClient(**given)
    for event in events:
        client.take(event)
    return client


def codes(client: AGUIClient) -> list[str]:
    """Return the codes of the client's remarks."""
    return [one.code for one in client.diagnostics]


def cited(client: AGUIClient, message_id: str = "m") -> list[dict[str, Any]] | None:
    """Return the citations of a message."""
    shown = client.message(message_id)
    return None if shown is None or shown.citations is None else shown.citations["citations"]


def test_a_message_has_its_text_its_role_and_its_citations() -> None:
    """What a stream tells is what the client shows."""
    client = client_of(BEGIN, *said(), custom(value(citation())), END)
    shown = client.messages[0]
    assert (shown.message_id, shown.role, shown.text, shown.is_ended) == ("m", "assistant", TEXT, True)
    assert cited(client) == [citation()]
    assert client.run.state is RunState.FINISHED
    assert client.diagnostics == ()


def test_provisional_citations_give_way_to_the_final_ones() -> None:
    """They are there while the message is written, and gone once its citations are told."""
    early = {
        "version": 1, "messageId": "m", "numbers": [1], "start": 5, "end": 8, "start_utf16": 5, "end_utf16": 8,
        "verdict": "valid", "quote_verdict": None, "ref": "aaaa1111", "chunk_id": None, "document_id": None,
        "document_version": None, "title": "A",
    }  # fmt: skip
    client = client_of(BEGIN, *said()[:2], custom(early, "pincite.citation"))
    assert client.messages[0].provisional == (early,)
    assert client.messages[0].citations is None
    client.take(said()[2])
    client.take(custom(value(citation())))
    assert client.messages[0].provisional == ()
    client.take(custom(early, "pincite.citation"))
    assert codes(client) == ["after_the_end"]


@pytest.mark.parametrize("version", [True, 2, "1", None, 0])
def test_another_version_is_ignored(version: Any) -> None:
    """Who does not know a version cannot tell what it says."""
    client = client_of(BEGIN, *said(), custom(value(citation(), version=version)))
    assert cited(client) is None
    assert codes(client) == ["other_version"]


@pytest.mark.parametrize(
    ("events", "code"),
    [
        ([], "unknown_message"),
        (said(role="user"), "unknown_message"),
        (said()[:2], "not_ended"),
        ([*said(), END], "after_the_run"),
    ],
)
def test_citations_of_no_ended_message_of_the_assistants_are_ignored(events: list[Any], code: str) -> None:
    """They need a message that is here, is the assistant's, and has ended, within its run."""
    client = client_of(BEGIN, *events, custom(value(citation())))
    assert cited(client) is None
    assert codes(client) == [code]


def test_the_last_event_that_is_one_holds() -> None:
    """Another one replaces the whole set, and one that is none changes nothing."""
    client = client_of(BEGIN, *said(), custom(value(citation())), custom(value(citation(number=2))))
    assert cited(client) == [citation(number=2)]
    nothing: list[Any] = [
        None,
        [],
        {"version": 1, "messageId": "m"},
        {"version": 1, "messageId": "m", "citations": 7},
    ]
    for wrong in nothing:
        client.take(custom(wrong))
    assert cited(client) == [citation(number=2)]


@pytest.mark.parametrize(
    "wrong",
    [
        7,
        {},
        {"number": "1"},
        {"start": 3, "end": 2},
        {"end": 99},
        {"start": 5.0},
        {"start": None},
        {"verdict": 3},
        {"claim": {"start": 0}},
        {"locator": {"page": "four"}},
    ],
)
def test_an_entry_that_is_none_is_left_out_by_itself(wrong: Any) -> None:
    """The others are taken, in order."""
    entry: Any = wrong if wrong in (7, {}) else citation(**wrong)
    client = client_of(BEGIN, *said(), custom(value(citation(), entry, citation(number=2))))
    assert cited(client) == [citation(), citation(number=2)]
    assert codes(client) == ["bad_entry"]


def test_a_source_with_another_address_than_of_the_web_is_left_out() -> None:
    """What may stand in a link is http or https."""
    source: dict[str, Any] = {
        "number": 1, "title": "A", "document_id": None, "source_key": None, "source_uri": "https://a.example",
        "locator": {}, "bibliography": {},
    }  # fmt: skip
    sources = [source, {**source, "source_uri": "javascript:alert(1)"}]
    client = client_of(BEGIN, *said(), custom(value(citation(), sources=sources)))
    shown = client.messages[0].citations
    assert shown is not None
    assert shown["sources"] == [source]


def test_what_a_newer_server_adds_is_taken() -> None:
    """Keys and verdicts that are not known do not cost a citation."""
    newer = citation(verdict="notarised", mood="good")
    client = client_of(BEGIN, *said(), custom(value(newer, extra={"a": 1})))
    assert cited(client) == [newer]
    assert client.diagnostics == ()


def test_a_text_in_the_event_takes_the_place_of_the_streamed_one() -> None:
    """Offsets are of it."""
    client = client_of(BEGIN, *said(), custom(value(citation(start=9, end=12), text="So green [1].")))
    assert client.messages[0].text == "So green [1]."
    assert cited(client) == [citation(start=9, end=12)]


def test_words_that_a_model_picked_belong_to_the_citations_that_were_taken() -> None:
    """A highlight names its citation by its place among all, and is told by its place among those kept."""
    lit = {
        "citation": 1, "quote": "blue", "chunk_id": "c", "version": "v", "start": 0, "end": 4,
        "boxes": [{"page": 1, "x0": 0.1, "y0": 0.1, "x1": 0.2, "y1": 0.2}],
    }  # fmt: skip
    told = {
        "version": 1,
        "messageId": "m",
        "highlights": [lit, {**lit, "citation": 0}, {**lit, "citation": 5}],
    }
    client = client_of(BEGIN, *said(), custom(told, "pincite.highlight"))
    assert codes(client) == ["no_citations"]
    client.take(custom(value({}, citation())))
    client.take(custom(told, "pincite.highlight"))
    assert client.messages[0].highlights == ({**lit, "citation": 0},)


def test_a_snapshot_replaces_the_messages_and_keeps_what_those_cite_that_stay() -> None:
    """A message that is gone is gone; of one that stays only the text is another."""
    snapshot = {
        "type": "MESSAGES_SNAPSHOT",
        "messages": [
            {"id": "u", "role": "user", "content": [{"type": "text", "text": "Why?"}, {"type": "image"}]},
            {"id": "m", "role": "assistant", "content": "Blue [1]!"},
            {"role": "assistant"},
        ],
    }
    client = client_of(BEGIN, *said(), *said("n"), custom(value(citation())), snapshot)
    assert [(one.message_id, one.text) for one in client.messages] == [("m", "Blue [1]!"), ("u", "Why?")]
    assert cited(client) == [citation()]
    assert codes(client) == ["bad_message"]


def snapshot_of(text: str, message_id: str = "m") -> dict[str, Any]:
    """Return a snapshot of one message of the assistant's."""
    return {
        "type": "MESSAGES_SNAPSHOT",
        "messages": [{"id": message_id, "role": "assistant", "content": text}],
    }


def test_l4_places_over_another_text_are_dropped() -> None:
    """What was told of a message holds as far as its text is the same; where nothing holds nobody has told of it."""
    two = value(citation(), citation(number=2, start=9, end=12), misses=[], uncited=[])
    lit = {
        "citation": 0, "quote": "blue", "chunk_id": "c", "version": "v", "start": 0, "end": 4,
        "boxes": [{"page": 1, "x0": 0.1, "y0": 0.1, "x1": 0.2, "y1": 0.2}],
    }  # fmt: skip
    told = {"version": 1, "messageId": "m", "highlights": [lit, {**lit, "citation": 1}]}
    client = client_of(BEGIN, *said(text="Blue [1] [2]."), custom(two), custom(told, "pincite.highlight"))
    assert len(client.messages[0].highlights or ()) == 2
    client.take(snapshot_of("Blue [1], or [2]."))
    assert cited(client) == [citation()]
    assert client.messages[0].highlights == (lit,)
    client.take(snapshot_of(""))
    client.take(snapshot_of("Red. [1] and more [2]."))
    assert (cited(client), client.messages[0].highlights) == (None, None)
    assert codes(client) == ["other_text", "other_text"]


def test_l4_the_claim_of_a_citation_has_to_hold_too() -> None:
    """A place that is the same in a text whose claim is another is the place of another citation."""
    one = citation(claim={"start": 0, "end": 9, "start_utf16": 0, "end_utf16": 9})
    client = client_of(BEGIN, *said(), custom(value(one)), snapshot_of("Blue [1]?"))
    assert cited(client) is None


def test_l4_provisional_places_of_chunks_go_with_their_text() -> None:
    """A message of chunks, an empty snapshot of it and another text leave nothing of the first one's places."""
    chunk = {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": TEXT}
    entry = {
        "version": 1, "messageId": "m", "numbers": [1], "start": 5, "end": 8, "start_utf16": 5, "end_utf16": 8,
        "verdict": None, "quote_verdict": None, "ref": None, "chunk_id": None, "document_id": None,
        "document_version": None, "title": None,
    }  # fmt: skip
    client = client_of(BEGIN, *said()[:2], custom(entry, "pincite.citation"))
    assert len(client.messages[0].provisional) == 1
    client.take(snapshot_of(""))
    client.take(snapshot_of("Nothing."))
    assert client.messages[0].provisional == ()
    client = client_of(BEGIN, chunk, custom(value(citation())), snapshot_of(""), snapshot_of("Red."))
    assert (cited(client), client.messages[0].text) == (None, "Red.")


def test_l4_what_was_dropped_does_not_come_back_from_the_state() -> None:
    """The state says the same of the old text; only what it says anew is taken."""
    state = {"type": "STATE_SNAPSHOT", "snapshot": {"pincite": {"citations": {"m": value(citation())}}}}
    client = client_of(BEGIN, *said(), state, snapshot_of("Red."), state)
    assert cited(client) is None
    anew = value(citation(start=0, end=3))
    client.take({"type": "STATE_SNAPSHOT", "snapshot": {"pincite": {"citations": {"m": anew}}}})
    assert cited(client) == [citation(start=0, end=3)]


def test_l7_an_entry_of_the_state_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many events change other parts of the state, what it holds of messages is not read again."""
    looked: list[object] = []

    def counting(given: Any, remarks: list[Any]) -> str | None:
        looked.append(given)
        return message_of(given, remarks)

    monkeypatch.setattr("pincite.protocols.ag_ui.client.message_of", counting)
    entries: dict[str, Any] = {f"m{number}": {} for number in range(50)}
    state: dict[str, Any] = {
        "type": "STATE_SNAPSHOT",
        "snapshot": {"pincite": {"citations": entries}, "x": 0},
    }
    messages = [{"id": name, "role": "assistant", "content": TEXT} for name in entries]
    client = client_of(BEGIN, state, {"type": "MESSAGES_SNAPSHOT", "messages": messages})
    for number in range(20):
        client.take({"type": "STATE_DELTA", "delta": [{"op": "replace", "path": "/x", "value": number}]})
    assert len(looked) == 50


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 1, 0], [1, 0, 2]])
def test_l7_results_of_tools_stand_where_they_belong(order: list[int]) -> None:
    """In whatever order they come: behind the message that called, and behind what it was given before."""
    calls = [
        {"type": "TOOL_CALL_START", "toolCallId": f"c{number}", "toolCallName": "f"} for number in range(3)
    ]
    events: list[Any] = [BEGIN, *calls]
    for place, number in enumerate([*order, *order]):
        result = {"messageId": f"r{place}-{number}", "toolCallId": f"c{number}", "content": "x"}
        events.append({"type": "TOOL_CALL_RESULT", **result})
    names = [one.message_id for one in client_of(*events).messages]
    wanted: list[str] = []
    for number in range(3):
        first = order.index(number)
        wanted += [f"c{number}", f"r{first}-{number}", f"r{first + 3}-{number}"]
    assert names == wanted


def test_l7_a_call_goes_with_the_message_that_made_it() -> None:
    """Arguments and results of a call whose message is forgotten, or left out by a snapshot, are of nobody's."""
    limits = dataclasses.replace(DEFAULT, agui_messages=2)
    call = {"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "f"}
    late = {"type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": "1"}
    result = {"type": "TOOL_CALL_RESULT", "messageId": "r", "toolCallId": "c", "content": "x"}
    client = client_of(BEGIN, call, *said("a"), *said("b"), late, result, limits=limits)
    assert "bad_event" in codes(client)
    assert [one.message_id for one in client.messages] == ["b", "r"]
    client = client_of(BEGIN, call, snapshot_of(TEXT), late, result)
    assert codes(client) == ["bad_event"]
    assert [one.message_id for one in client.messages] == ["m", "r"]


@pytest.mark.parametrize("is_first", [True, False])
def test_a_conversation_that_is_loaded_again_has_its_citations_from_the_state(is_first: bool) -> None:  # noqa: FBT001 - a column
    """State and messages may come in either order; an event counts for more than the state."""
    state = {
        "type": "STATE_SNAPSHOT",
        "snapshot": {"pincite": {"version": 1, "citations": {"m": value(citation()), "x": 1}}},
    }
    messages: dict[str, Any] = {
        "type": "MESSAGES_SNAPSHOT",
        "messages": [{"id": "m", "role": "assistant", "content": TEXT}],
    }
    client = client_of(BEGIN, *((state, messages) if is_first else (messages, state)))
    assert cited(client) == [citation()]
    changed = value(citation(number=2))
    client.take(
        {"type": "STATE_DELTA", "delta": [{"op": "add", "path": "/pincite/citations/m", "value": changed}]}
    )
    assert cited(client) == [citation(number=2)]
    client.take(custom(value()))
    client.take(state)
    assert cited(client) == []
    begun = AGUIClient(messages=[*messages["messages"]], state=state["snapshot"])
    assert cited(begun) == [citation()]


def test_a_change_of_state_is_made_whole_or_not_at_all() -> None:
    """A change of which one operation fails leaves the state as it was."""
    client = client_of(BEGIN, {"type": "STATE_SNAPSHOT", "snapshot": {"a": [1]}})
    before = client.state
    client.take(
        {
            "type": "STATE_DELTA",
            "delta": [{"op": "add", "path": "/a/-", "value": 2}, {"op": "remove", "path": "/b"}],
        }
    )
    assert client.state is before
    assert codes(client) == ["no_change"]
    client.take({"type": "STATE_DELTA", "delta": [{"op": "add", "path": "/a/0", "value": 0}]})
    assert (client.state, before) == ({"a": [0, 1]}, {"a": [1]})


@pytest.mark.parametrize(
    ("operations", "after"),
    [
        ([{"op": "replace", "path": "", "value": 7}], 7),
        ([{"op": "replace", "path": "/a~1b", "value": 0}], {"a/b": 0, "c~": [1, 2]}),
        ([{"op": "remove", "path": "/c~0/0"}], {"a/b": {"d": 1}, "c~": [2]}),
        ([{"op": "move", "from": "/a~1b/d", "path": "/c~0/1"}], {"a/b": {}, "c~": [1, 1, 2]}),
        ([{"op": "copy", "from": "/a~1b", "path": "/e"}, {"op": "add", "path": "/e/f", "value": 2}],
         {"a/b": {"d": 1}, "c~": [1, 2], "e": {"d": 1, "f": 2}}),
        ([{"op": "test", "path": "/a~1b", "value": {"d": 1}}], {"a/b": {"d": 1}, "c~": [1, 2]}),
        ([{"op": "test", "path": "/a~1b/d", "value": True}], None),
        ([{"op": "add", "path": "/c~0/9", "value": 1}], None),
        ([{"op": "add", "path": "/c~0/01", "value": 1}], None),
        ([{"op": "replace", "path": "/x", "value": 1}], None),
        ([{"op": "move", "from": "/a~1b", "path": "/a~1b/d"}], None),
        ([{"op": "add", "path": "a", "value": 1}], None),
        ([{"op": "add", "path": "/a"}], None),
        ([{"op": "what", "path": "/a"}], None),
        ([7], None),
        (7, None),
    ],
)  # fmt: skip
def test_a_change_is_a_json_patch(operations: Any, after: Any) -> None:
    """The operations are those of RFC 6902, and the document is not changed itself."""
    document = {"a/b": {"d": 1}, "c~": [1, 2]}
    kept = json.loads(json.dumps(document))
    if after is None:
        with pytest.raises(PatchError):
            patched(document, operations, DEFAULT)
    else:
        assert patched(document, operations, DEFAULT) == after
    assert document == kept


def test_copies_of_copies_come_to_an_end() -> None:
    """A small change cannot make a large state, nor a deep one."""
    doubling = [{"op": "copy", "from": "", "path": f"/{n}"} for n in range(60)]
    with pytest.raises(PatchError):
        patched({"a": "x" * 100}, doubling, DEFAULT)
    deep: list[Any] = [{"op": "move", "from": "/a", "path": "/b"}, {"op": "add", "path": "/a", "value": {}}]
    deep += [{"op": "move", "from": "/b", "path": "/a/b"}, {"op": "move", "from": "/a", "path": "/b"},
             {"op": "add", "path": "/a", "value": {}}] * 150  # fmt: skip
    with pytest.raises(PatchError):
        patched({"a": 1}, deep, DEFAULT)


@pytest.mark.parametrize(
    ("end", "state"),
    [
        ({"type": "RUN_FINISHED"}, RunState.FINISHED),
        ({"type": "RUN_FINISHED", "outcome": {"type": "interrupt", "interrupts": []}}, RunState.INTERRUPTED),
        ({"type": "RUN_FINISHED", "outcome": {"type": "cancelled"}}, RunState.CANCELLED),
        ({"type": "RUN_ERROR", "message": "It\nfailed.", "code": "x"}, RunState.FAILED),
    ],
)
def test_the_run_says_where_it_is(end: dict[str, Any], state: RunState) -> None:
    """Idle, running, and how it ended."""
    client = AGUIClient()
    assert client.run.state is RunState.IDLE
    client.take(BEGIN)
    assert (client.run.state, client.run.run_id) == (RunState.RUNNING, "r")
    client.take(end)
    assert client.run.state is state
    assert client.run.message == ("It failed." if state is RunState.FAILED else "")


def frames(*events: Any) -> bytes:
    """Return events as they stand in a stream."""
    return b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events)


def test_a_stream_that_breaks_is_told_by_the_run() -> None:
    """Neither the transport's error nor the missing end is raised."""

    def broken() -> Iterator[bytes]:
        yield frames(BEGIN, *said()[:2])
        msg = "10.0.0.1 went away"
        raise ConnectionError(msg)

    client = AGUIClient()
    assert [update.type for update in client.follow(broken())][-1] == "TEXT_MESSAGE_CONTENT"
    assert client.run.state is RunState.BROKEN
    assert [(one.code, one.message) for one in client.diagnostics] == [
        ("stream_broken", "The stream broke: ConnectionError.")
    ]
    list(client.follow([frames(BEGIN, *said("n"), END)]))
    assert client.run.state is RunState.FINISHED


async def test_a_stream_may_come_asynchronously() -> None:
    """It is read the same."""

    async def pieces() -> AsyncIterator[bytes]:
        for piece in (frames(BEGIN, *said()), frames(custom(value(citation())), END)):
            yield piece

    client = AGUIClient()
    updates = [update async for update in client.follow_async(pieces())]
    assert (updates[1].type, updates[1].message_id) == ("TEXT_MESSAGE_START", "m")
    assert cited(client) == [citation()]


def test_what_is_malformed_costs_itself_and_what_is_unknown_nothing() -> None:
    """A broken frame is told of, an event of tomorrow is passed over quietly."""
    stream = frames(BEGIN, {"type": "TOMORROW", "x": 1}, custom(1, "theirs"))
    stream += b"data: {\n\ndata: NaN\n\ndata: 7\n\ndata: " + b"[" * 5_000 + b"\n\n"
    stream += b'data: {"type": "TEXT_MESSAGE_START"}\n\n' + frames(
        {"type": "X", "x": json.loads("[" * 150 + "]" * 150)}
    )
    client = AGUIClient()
    list(client.follow([stream, frames(*said(), END)]))
    assert codes(client) == ["malformed", "malformed", "no_event", "malformed", "bad_event", "too_deep"]
    assert client.messages[0].text == TEXT


def test_several_runs_may_come_in_one_stream() -> None:
    """Each is a run of its own, and messages that it was given are there without having been streamed."""
    given = [
        {"id": "u", "role": "user", "content": "Why?"},
        {"id": "m", "role": "assistant", "content": "Other."},
    ]
    second = {**BEGIN, "runId": "r2", "input": {"messages": given}}
    client = AGUIClient()
    stream = frames(BEGIN, *said(), custom(value(citation())), END, second, *said("n"))
    list(client.follow([stream, frames(custom(value(citation(), message_id="n")), {**END, "runId": "r2"})]))
    assert [one.message_id for one in client.messages] == ["m", "u", "n"]
    assert (cited(client), cited(client, "n")) == ([citation()], [citation()])
    assert client.messages[0].text == TEXT
    assert (client.run.state, client.run.run_id) == (RunState.FINISHED, "r2")
    assert client.diagnostics == ()


def test_halves_of_a_character_come_together() -> None:
    """A server that cuts by UTF-16 units may send a character in two events; a lone half is replaced."""
    client = AGUIClient()
    halves = [
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": half}
        for half in ("a\ud83d", "\ude00b\ud83d")
    ]
    list(client.follow([frames(BEGIN, said()[0], *halves, said()[2], custom(value(status="\ud800")))]))
    assert client.messages[0].text == "a😀b\ufffd"
    assert client.messages[0].citations is not None
    assert client.messages[0].citations["status"] == "\ufffd"


def test_what_is_kept_is_bounded() -> None:
    """Messages, text, citations and remarks have an end."""
    limits = dataclasses.replace(
        DEFAULT, agui_messages=2, agui_text_code_points=20, agui_citations=1, agui_diagnostics=3
    )
    client = client_of(
        BEGIN, *said("a"), *said("b"), *said("m"), custom(value(citation(), citation())), limits=limits
    )
    assert [one.message_id for one in client.messages] == ["b", "m"]
    assert len(cited(client) or ()) == 1
    client.take({"type": "TEXT_MESSAGE_START", "messageId": "b"})
    client.take({"type": "TEXT_MESSAGE_CONTENT", "messageId": "b", "delta": "x" * 99})
    assert sum(len(one.text) for one in client.messages) == 20
    assert len(client.diagnostics) == 3
    assert client.diagnostic_count >= 3


def test_calls_of_tools_stand_with_their_message_and_results_behind_it() -> None:
    """A call belongs to the message that made it; what it returned is a message of its own."""
    calls = [
        {"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "search", "parentMessageId": "m"},
        {"type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": '{"q":'},
        {"type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": "1}"},
        {"type": "TOOL_CALL_END", "toolCallId": "c"},
    ]
    result = {"type": "TOOL_CALL_RESULT", "messageId": "x", "toolCallId": "c", "content": "found"}
    client = client_of(BEGIN, *said(), *calls, *said("n"), result)
    assert [(one.message_id, one.role) for one in client.messages] == [
        ("m", "assistant"),
        ("x", "tool"),
        ("n", "assistant"),
    ]
    assert [(one.name, one.arguments) for one in client.messages[0].tool_calls] == [("search", '{"q":1}')]
    assert client.messages[1].tool_call_id == "c"


def test_events_of_moca_go_to_who_reads_them() -> None:
    """A follower has the same messages and the text that is shown."""
    moca = MocaClient()
    theirs = custom({"version": 1, "messageId": "m", "citations": []}, "moca.citations")
    client = client_of(BEGIN, *said(), custom(value(text="Red.")), theirs, followers=[moca])
    taken = moca.event_of("m")
    assert taken is not None
    assert taken.citations == ()
    assert client.diagnostics == ()


_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 9)
    | st.floats(allow_nan=False)
    | st.sampled_from(["m", "", "\ud800", "/a"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "role", "start", "end", "op", "path", "value", "type"]), inner, max_size=3
        )
    ),
    max_leaves=6,
)
_TYPES = st.sampled_from(
    ["RUN_STARTED", "RUN_FINISHED", "RUN_ERROR", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END",
     "TEXT_MESSAGE_CHUNK", "TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "TOOL_CALL_CHUNK",
     "TOOL_CALL_RESULT", "STATE_SNAPSHOT", "STATE_DELTA", "MESSAGES_SNAPSHOT", "ACTIVITY_SNAPSHOT", "ACTIVITY_DELTA",
     "REASONING_MESSAGE_START", "REASONING_MESSAGE_CHUNK", "REASONING_MESSAGE_CONTENT", "CUSTOM", "RAW", "NEW"]
)  # fmt: skip
_FIELDS = st.fixed_dictionaries(
    {"type": _TYPES},
    optional={
        "messageId": st.just("m") | _JSON, "toolCallId": st.just("c") | _JSON, "toolCallName": st.just("f") | _JSON,
        "parentMessageId": st.just("m") | _JSON, "delta": st.just(TEXT) | _JSON, "messages": _JSON, "snapshot": _JSON,
        "name": st.sampled_from(["pincite.citations", "pincite.citation", "pincite.highlight"]) | _JSON,
        "value": st.just(value(citation())) | _JSON, "outcome": _JSON, "input": _JSON, "content": _JSON, "role": _JSON,
        "message": _JSON, "replace": _JSON, "runId": _JSON,
    },
)  # fmt: skip


@given(st.lists(_FIELDS | _JSON, max_size=12))
def test_nothing_that_comes_in_raises(events: list[Any]) -> None:
    """Whatever a stream holds, what is shown can be shown: it is text that UTF-8 can hold, with places within it."""
    client = AGUIClient()
    list(client.follow([frames(*events)]))
    for one in client.messages:
        one.text.encode()
        for found in (one.citations or {}).get("citations", ()):
            assert found["start"] is None or 0 <= found["start"] <= found["end"]
    json.dumps(client.state)


@pytest.mark.parametrize("name", ["pincite.citations", "pincite.citation", "pincite.highlight"])
def test_each_schema_is_one_of_2020_12_with_a_name_and_a_version(name: str) -> None:
    """Every field is described by its name, and nothing else may stand in a value."""
    from jsonschema import Draft202012Validator

    schema = event_schema(name)
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == f"urn:pincite:schema:event:{name.partition('.')[2]}:1"
    assert schema["additionalProperties"] is False
    assert schema["properties"]["version"]["const"] == 1
