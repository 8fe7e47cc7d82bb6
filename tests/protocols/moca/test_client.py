"""The client's rules of the event's page, each by its number there, and what the page leaves open."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from moca_records import DIGEST, KB, NOON, OTHER_DIGEST, ended, record, ref, turn

from pincite.core.limits import DEFAULT
from pincite.protocols.moca import FactKind, MocaCiter, MocaClient, read_event, shown_citations

TEXT = "It is 30 days [1]."


def value(*citations: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return the value of an event for the message `m`."""
    own = {"version": 1, "messageId": "m", "computedAt": "2026-11-30T12:00:00Z", "citations": list(citations)}
    return {**own, **more}


def cited(made: dict[str, Any] | None = None, marker: str | None = "[1]", **more: Any) -> dict[str, Any]:
    """Return an entry of an event."""
    return {"record": made or record(), **({} if marker is None else {"marker": marker}), **more}


def client(text: str = TEXT, **options: Any) -> MocaClient:
    """Return a client that has one assistant's message, `m`, which has ended."""
    made = MocaClient(**options)
    made.message("m", text)
    return made


def codes(made: MocaClient) -> list[str]:
    """Return the codes of a client's remarks."""
    return [remark.code for remark in made.diagnostics]


def stream(*parts: str, end: bool = True, run: bool = True) -> list[dict[str, Any]]:
    """Return the events of a run with one message, `m`."""
    events: list[dict[str, Any]] = [{"type": "RUN_STARTED", "threadId": "t", "runId": "r"}] if run else []
    events.append({"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant"})
    events += ({"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": part} for part in parts)
    return [*events, {"type": "TEXT_MESSAGE_END", "messageId": "m"}] if end else events


def custom(of: dict[str, Any], name: str = "moca.citations") -> dict[str, Any]:
    """Return the event around a value."""
    return {"type": "CUSTOM", "name": name, "value": of}


def fed(events: list[Any], **options: Any) -> MocaClient:
    """Return a client that has been fed events."""
    made = MocaClient(**options)
    for event in events:
        made.feed(event)
    return made


def test_a_message_shows_what_it_cites() -> None:
    """From the stream alone: the record, where its marker stands, and when it was computed."""
    made = fed([*stream("It is 30", " days [1]."), custom(value(cited()))])
    (one,) = made.shown("m")
    assert (one.number, one.marker, one.places) == (1, "[1]", ((14, 17),))
    assert (one.title, one.path, one.node_type) == ("Refund window", "refund-window", "Policy")
    assert one.text == "Refunds are possible for 30 days."
    assert one.trust.as_of == "2026-11-30T12:00:00Z"
    assert codes(made) == []


def test_client_rule_1_a_record_is_keyed_by_its_reference() -> None:
    """Or by the node's id with the package's digest, and never by the id alone."""
    made = client()
    taken = made.take(value(cited()))
    assert taken is not None
    assert taken.citations[0].key == ref()
    assert taken.citations[0].other_key == (f"{KB}#refund-window", DIGEST)
    assert made.shown("m")[0].key == ref()


def test_client_rule_1_versions_of_a_node_are_apart() -> None:
    """Two versions share the id, and are two citations."""
    made = client()
    made.take(value(cited(), cited(record(package={"version": "5.0.0", "digest": OTHER_DIGEST}), "[2]")))
    assert [one.key for one in made.shown("m")] == [ref(), f"{KB}@5.0.0#refund-window"]


def test_client_rule_2_trust_is_shown_as_facts() -> None:
    """A declared check is no review, and what speaks against a node comes first."""
    bad = record(
        trust={
            "declaredVerified": [{"by": "Kim"}], "stale": True, "superseded": True, "contested": True, "inForce": False,
        }
    )  # fmt: skip
    made = client()
    made.take(value(cited(bad)))
    told = made.shown("m")[0].trust.facts
    assert [fact.kind for fact in told if fact.warns] == [
        FactKind.STALE, FactKind.IN_FORCE, FactKind.SUPERSEDED, FactKind.CONTESTED,
    ]  # fmt: skip
    assert FactKind.ATTESTED_REVIEW not in {fact.kind for fact in told}
    assert "signed by nobody" in next(fact.text for fact in told if fact.kind is FactKind.DECLARED_CHECK)


def test_client_rule_3_fields_are_data() -> None:
    """Markup stays the characters that it is, and what hides or turns text is gone; nothing is made a link of them."""
    odd = record(
        text="<img src=x onerror=alert(1)>\r\nsecond\u202e line\x00",
        node={"title": "<script>alert(1)</script>\u202e\n[a](javascript:x)", "description": "d" * 5_000},
    )
    made = client()
    made.take(value(cited(odd)))
    (one,) = made.shown("m")
    assert one.title == "<script>alert(1)</script> [a](javascript:x)"
    assert one.text == "<img src=x onerror=alert(1)> \nsecond  line "
    assert len(one.description) <= DEFAULT.moca_label_code_points
    assert "link" not in one.as_dict()


def test_client_rule_3_only_http_and_https_are_links() -> None:
    """A source of evidence is a link where that is safe, and text in any case; nothing is loaded."""
    odd = record(
        more={
            "evidence": [
                {"source": {"resource": "javascript:alert(1)"}},
                {"source": {"resource": "../sources/policy.txt"}},
                {"source": {"resource": "https://example.org/policy"}},
            ]
        }
    )
    made = client()
    made.take(value(cited(odd)))
    evidence = made.shown("m")[0].as_dict()["trust"]["evidence"]
    assert [one["link"] for one in evidence] == [None, None, "https://example.org/policy"]
    assert evidence[1]["resource"] == "../sources/policy.txt"


def test_client_rule_4_a_message_that_is_not_there() -> None:
    """Its event is ignored, with a remark, and changes nothing."""
    made = client()
    assert made.take(value(cited(), messageId="another")) is None
    assert codes(made) == ["unknown_message"]
    assert made.event_of("another") is None


def test_client_rule_4_custom_events_that_are_not_known() -> None:
    """They are skipped quietly, and so is every type of event that is not known."""
    made = fed(
        [
            *stream(TEXT),
            custom(value(cited()), name="somebody.else"),
            {"type": "NEVER_HEARD_OF", "value": value(cited())},
            {"value": value(cited())},
            {"type": 3},
            "text",
            None,
        ]
    )
    assert made.event_of("m") is None
    assert codes(made) == []


@pytest.mark.parametrize(
    ("version", "is_taken"),
    [
        (1, True),
        (1.0, True),
        (2, False),
        (0, False),
        (True, False),
        ("1", False),
        (None, False),
        ([1], False),
    ],
)
def test_field_version_is_the_number_one(version: object, is_taken: bool) -> None:  # noqa: FBT001 - a column
    """Whatever is no such number is a version that is not known, and true is no number."""
    made = client()
    assert (made.take(value(cited(), version=version)) is not None) is is_taken
    assert codes(made) == ([] if is_taken else ["other_version"])


def test_field_version_must_be_there() -> None:
    """An event without one is ignored."""
    without = value(cited())
    del without["version"]
    assert client().take(without) is None


@pytest.mark.parametrize(
    "at", [None, "2026-11-30T12:00:00", "2026-11-30", "yesterday", 3, ["2026-11-30T12:00:00Z"]], ids=str
)
def test_field_computed_at_that_is_no_moment_is_left_out(at: object) -> None:
    """The citations count all the same; nobody knows when they were so."""
    made = client()
    taken = made.take(value(cited(), computedAt=at))
    assert taken is not None
    assert taken.computed_at is None
    assert codes(made) == ["no_moment"]
    assert made.shown("m")[0].trust.as_of is None


@pytest.mark.parametrize("at", ["2026-11-30T12:00:00Z", "2026-11-30T17:30:00.5+05:30"])
def test_field_computed_at_is_shown_as_it_is(at: str) -> None:
    """With any offset."""
    made = client()
    made.take(value(cited(), computedAt=at))
    assert made.shown("m")[0].trust.as_of == at


def test_field_record_that_is_wrong_costs_itself() -> None:
    """Each bad entry is dropped singly, with a remark that says which; the others keep their order."""
    made = client("A [1], b [2], c [3].")
    bad = record("bad", trust={"stale": "no"})
    entries: list[Any] = [
        cited(record("a")), cited(bad), "entry", {}, {"record": None}, cited(record("b"), "[2]"), {"marker": "[9]"},
    ]  # fmt: skip
    taken = made.take(value(*entries))
    assert taken is not None
    assert [one.record.path for one in taken.citations] == ["a", "b"]
    wrong = [remark.path.split("/")[2] for remark in made.diagnostics if remark.is_error]
    assert wrong == ["1", "2", "3", "4", "6"]


def test_field_record_of_a_newer_kind_is_taken() -> None:
    """Keys that are not known are kept as they came, with a warning."""
    made = client()
    newer = record(more={"licence": "CC0"})
    newer["trust"]["reviewed"] = True
    taken = made.take(value(cited(newer, more=1), extra=1))
    assert taken is not None
    assert taken.citations[0].record.as_dict() == newer
    assert not any(remark.is_error for remark in made.diagnostics)
    assert codes(made) == ["unknown_key", "schema_unknown_key", "schema_unknown_key", "unknown_key"]


def test_field_marker_is_looked_for_letter_for_letter() -> None:
    """Outside of code; one that stands nowhere leaves the citation without an anchor."""
    made = client("One [1], `code [1]`, and [2\u200b].")
    made.take(value(cited(record("a")), cited(record("b"), "[2]")))
    first, second = made.shown("m")
    assert first.places == ((4, 7),)
    assert second.places == ()
    assert codes(made) == []


def of_ours(*spans: tuple[int, int], **more: Any) -> dict[str, Any]:
    """Return an event of ours that says where the markers of the message `m` stand."""
    entries = [{"start": start, "end": end, "anchor": "marker"} for start, end in spans]
    return custom({"version": 1, "messageId": "m", "citations": entries, **more}, "pincite.citations")


@pytest.mark.parametrize(
    ("text", "doubt"),
    [
        ("Step [1] of it: 30 days [1].", "marker_repeated"),
        ("It is 30 days [1].\n\n[1]: https://evil.example/\n", "marker_defined"),
        ("    [1]\n\nIt is 30 days.", None),
        ("- a\n\n  ```\n  [1]\n  ```\n", None),
        ("It is [1](https://evil.example/) days.", None),
        ("It is [[1]] or ![1] or \\[1] days.", None),
    ],
)
def test_h1_a_number_that_the_model_typed_gets_no_record(text: str, doubt: str | None) -> None:
    """Where nothing tells it from the service's own, the citation is listed without a place, and a remark says why."""
    made = client(text)
    made.take(value(cited()))
    (shown,) = made.shown("m")
    assert (shown.marker, shown.places) == ("[1]", ())
    assert made.shown("m") == (shown,)
    assert codes(made) == ([] if doubt is None else [doubt])


def test_h1_a_marker_of_two_nodes_is_told_of_none() -> None:
    """Nobody knows which of the two it stands for; two spans of one node may have one marker."""
    made = client()
    made.take(value(cited(record("a")), cited(record("b"))))
    assert [one.places for one in made.shown("m")] == [(), ()]
    assert codes(made) == ["marker_of_several", "marker_of_several"]
    made.take(value(cited(record("a")), cited(record("a", start=500))))
    assert [one.places for one in made.shown("m")] == [((14, 17),), ((14, 17),)]


def test_h1_first_mentions_come_in_the_order_of_the_event() -> None:
    """A marker in front of one that is listed before it was not written by a service that keeps the page's order."""
    made = client("Paragraph [2] says 30 days [1].")
    made.take(value(cited(record("a")), cited(record("b"), "[2]")))
    assert [one.places for one in made.shown("m")] == [((27, 30),), ()]
    assert codes(made) == ["marker_out_of_order"]


def test_h1_a_word_is_no_marker_within_another() -> None:
    """A bare number as a marker is a word of its own."""
    made = client("In 2019 it was 19 days, now 9.")
    made.take(value(cited(marker="9")))
    assert made.shown("m")[0].places == ((28, 29),)


def test_h1_places_that_the_service_told_are_the_places() -> None:
    """Who is told where markers stand places every one of them, and nothing else that reads alike."""
    text = "Step [1]: 30 days [1], yes [1]."
    made = fed([*stream(text), custom(value(cited())), of_ours((18, 21), (27, 30))])
    assert made.shown("m")[0].places == ((18, 21), (27, 30))
    assert codes(made) == []
    taken = made.event_of("m")
    assert taken is not None
    assert shown_citations(taken, text, markers=[(18, 21)])[0].places == ((18, 21),)
    assert shown_citations(taken, text)[0].places == ()


@pytest.mark.parametrize("odd", [{"version": 2}, {"version": True}, {"messageId": "x"}, {"citations": 3}])
def test_h1_places_that_are_none_tell_nothing(odd: dict[str, Any]) -> None:
    """An event of ours that is of another version, or none, leaves it to the text."""
    made = fed([*stream(TEXT), custom(value(cited())), of_ours((0, 2), **odd)])
    assert made.shown("m")[0].places == ((14, 17),)


def test_l4_places_of_another_text_are_dropped() -> None:
    """Places that were told hold as far as the text is the one that they were told of."""
    made = fed([*stream("30 days [1]. Or [1]."), custom(value(cited())), of_ours((8, 11), (16, 19))])
    assert made.shown("m")[0].places == ((8, 11), (16, 19))
    made.message("m", "30 days [1]. No: [1].")
    assert made.shown("m")[0].places == ((8, 11),)
    made.message("m", "")
    made.message("m", "It is [1] 30.")
    assert made.shown("m")[0].places == ()


def test_m5_a_message_that_is_started_again_goes_on() -> None:
    """What it said and cited is still there, as AG-UI has it, and its event may come again behind its new end."""
    made = fed([*stream("It is 30", " days [1]."), custom(value(cited()))])
    again = stream(" And that is all [2].", run=False)
    for event in again[:-1]:
        made.feed(event)
    assert made.shown("m")[0].places == ((14, 17),)
    assert made.feed(custom(value())) is None
    made.feed(again[-1])
    made.feed(custom(value(cited(record("a")), cited(record("b"), "[2]"))))
    assert [one.places for one in made.shown("m")] == [((14, 17),), ((35, 38),)]


def test_halves_of_a_character_come_together() -> None:
    """A service may cut a text between them; places count code points of the whole."""
    made = fed([*stream("a\ud83d", "\ude00 [1]"), custom(value(cited()))])
    assert made.shown("m")[0].places == ((3, 6),)


@pytest.mark.parametrize("marker", [3, "", " ", "a\nb", "[1\u202e]", "x" * 3_000, ["[1]"]], ids=str)
def test_field_marker_that_is_none_is_left_out(marker: object) -> None:
    """The citation counts without it."""
    made = client()
    taken = made.take(value({"record": record(), "marker": marker}))
    assert taken is not None
    assert taken.citations[0].marker is None
    assert codes(made) == ["no_marker"]


@pytest.mark.parametrize("marker", [None, ref()])
def test_a_reference_is_looked_for_as_a_whole(marker: str | None) -> None:
    """Without a marker, or with the reference as the marker: another that begins like it is another."""
    text = f"See {ref()}-old and {ref()}."
    made = client(text)
    made.take(value(cited(marker=marker)))
    at = text.rindex(ref())
    assert made.shown("m")[0].places == ((at, at + len(ref())),)


def test_the_same_reference_and_span_counts_once() -> None:
    """The first; another span of the node is another citation."""
    made = client()
    made.take(value(cited(), cited(marker="[2]"), cited(record(start=500), "[3]")))
    assert [one.marker for one in made.shown("m")] == ["[1]", "[3]"]
    assert codes(made) == ["twice"]


def test_one_reference_of_two_packages_is_remarked_on() -> None:
    """The client keys by the reference, so somebody should know."""
    made = client()
    made.take(value(cited(), cited(record(start=500, package={"digest": OTHER_DIGEST}), "[2]")))
    assert codes(made) == ["two_packages"]


def test_the_last_valid_event_of_a_message_holds() -> None:
    """It takes the place of the whole set, also with an empty one; one that is ignored takes nothing's place."""
    made = client()
    made.take(value(cited(record("a")), cited(record("b"), "[2]")))
    made.take(value(cited(record("c"))))
    assert [one.path for one in made.shown("m")] == ["c"]
    made.take(value(cited(record("d")), version=2))
    made.take({"version": 1, "messageId": "m"})
    assert [one.path for one in made.shown("m")] == ["c"]
    made.take(value())
    assert made.shown("m") == ()
    assert made.event_of("m") is not None


def test_no_event_is_not_the_same_as_no_sources() -> None:
    """A message of a service without MOCA has no event, one that cites nothing has an empty one."""
    made = fed(stream(TEXT))
    assert made.event_of("m") is None
    made.feed(custom(value()))
    taken = made.event_of("m")
    assert taken is not None
    assert taken.citations == ()


def test_an_event_before_the_end_of_its_message_is_ignored() -> None:
    """The client has not the whole answer yet; the right one comes later."""
    made = fed([*stream("It is", end=False), custom(value(cited()))])
    assert made.event_of("m") is None
    assert codes(made) == ["unknown_message"]
    made.feed({"type": "TEXT_MESSAGE_END", "messageId": "m"})
    made.feed(custom(value(cited())))
    assert made.event_of("m") is not None


@pytest.mark.parametrize("last", ["RUN_FINISHED", "RUN_ERROR"])
def test_an_event_after_the_run_is_ignored(last: str) -> None:
    """Until another run begins, which may cite its own messages."""
    made = fed([*stream(TEXT), {"type": last}, custom(value(cited()))])
    assert made.event_of("m") is None
    assert codes(made) == ["after_the_run"]
    made.feed({"type": "RUN_STARTED"})
    made.feed(custom(value(cited())))
    assert made.event_of("m") is not None


def test_a_run_that_failed_keeps_what_was_cited_before() -> None:
    """Citations of a message that had ended stay."""
    made = fed([*stream(TEXT), custom(value(cited())), {"type": "RUN_ERROR", "message": "x"}])
    assert len(made.shown("m")) == 1


def test_a_replay_of_two_runs_has_both_messages() -> None:
    """A stored stream may hold several runs, one after the other."""
    first = [*stream(TEXT), custom(value(cited(record("a")))), {"type": "RUN_FINISHED"}]
    second = json.loads(json.dumps([*stream(TEXT), custom(value(cited(record("b"))))]).replace('"m"', '"m2"'))
    made = fed([*first, *second, {"type": "RUN_FINISHED"}])
    assert [one.path for one in made.shown("m")] == ["a"]
    assert [one.path for one in made.shown("m2")] == ["b"]


@pytest.mark.parametrize("role", ["user", "system", "developer", "tool", 3, None])
def test_only_an_assistant_cites(role: object) -> None:
    """An event about somebody else's message is ignored."""
    events: list[dict[str, Any]] = stream(TEXT)
    events[1]["role"] = role
    made = fed([*events, custom(value(cited()))])
    assert made.event_of("m") is None


def test_a_message_without_a_role_is_the_assistants() -> None:
    """As AG-UI has it."""
    events = stream(TEXT)
    del events[1]["role"]
    assert len(fed([*events, custom(value(cited()))]).shown("m")) == 1


def test_chunks_are_a_message_too() -> None:
    """It ends with the first event of another type, the event of citations among them, or with another's chunk."""
    chunks: list[dict[str, Any]] = [
        {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "role": "assistant", "delta": "It is 30 days "},
        {"type": "TEXT_MESSAGE_CHUNK", "delta": "[1]."},
    ]
    made = fed([{"type": "RUN_STARTED"}, *chunks, custom(value(cited()))])
    assert made.shown("m")[0].places == ((14, 17),)
    other = [{"type": "TEXT_MESSAGE_CHUNK", "messageId": "m2", "delta": "x"}, {"type": "TEXT_MESSAGE_CHUNK"}]
    made = fed([*chunks, *other, custom(value(cited()))])
    assert len(made.shown("m")) == 1


def test_a_snapshot_brings_messages_and_keeps_what_they_cite() -> None:
    """A snapshot carries no events, so what was cited in a message that is there already stays with it."""
    snapshot: dict[str, Any] = {
        "type": "MESSAGES_SNAPSHOT",
        "messages": [
            {"id": "m", "role": "assistant", "content": "Now it says [1] first."}, {"id": "u", "role": "user"}, "odd",
            {"id": 3}, {"id": []}, {"id": "m2", "role": "assistant", "content": None},
        ],
    }  # fmt: skip
    made = fed([*stream(TEXT), custom(value(cited())), snapshot])
    assert made.shown("m")[0].places == ((12, 15),)
    assert made.feed(custom(value(cited(), messageId="m2"))) is not None
    assert made.feed(custom(value(cited(), messageId="u"))) is None


def test_a_saved_event_is_the_one_that_came() -> None:
    """What is kept with a conversation equals what came in, bad entries too, and says the same when read again."""
    came = value(cited(), {"record": "bad"}, extra={"a": [1]})
    taken = client().take(came)
    assert taken is not None
    assert json.dumps(taken.raw()) == json.dumps(came)
    again, _ = read_event(json.loads(json.dumps(taken.raw())), has_message=lambda _: True)
    assert again is not None
    assert again.citations == taken.citations


def test_a_saved_conversation_says_what_has_run_out() -> None:
    """With a clock, beside what was true when the records were computed."""
    old = record(trust={"staleAfter": "2026-11-30"})
    made = client(clock=lambda: NOON)
    made.take(value(cited(old), computedAt="2026-11-01T00:00:00Z"))
    trust = made.shown("m")[0].trust
    assert (trust.stale, trust.as_of) == (False, "2026-11-01T00:00:00Z")
    assert trust.now is not None
    assert trust.now.stale is True


def test_what_is_too_large_is_ignored() -> None:
    """An event over the limit as a whole, a record over it by itself, and entries over their number singly."""
    limits = replace(DEFAULT, moca_event_bytes=40_000, moca_record_bytes=10_000, moca_citations=2)
    made = client(limits=limits)
    assert made.take(value(cited(record(text="a" * 50_000)))) is None
    taken = made.take(value(cited(record("large", "a" * 20_000)), cited(record("b"))))
    assert taken is not None
    assert [one.record.path for one in taken.citations] == ["b"]
    taken = made.take(value(*(cited(record(f"n-{n}")) for n in range(5))))
    assert taken is not None
    assert len(taken.citations) == 2
    assert codes(made) == ["too_large", "too_large", "too_many"]


def test_the_number_of_messages_is_bounded() -> None:
    """The oldest is forgotten first; and of a long message the beginning is looked through."""
    limits = replace(DEFAULT, moca_messages=2, moca_message_code_points=20)
    made = MocaClient(limits=limits)
    for name in ("a", "b", "m"):
        made.message(name, TEXT)
    assert made.take(value(cited(), messageId="a")) is None
    events = [*stream("x" * 18, " [1]"), custom(value(cited()))]
    assert fed(events, limits=limits).shown("m")[0].places == ()


def test_events_about_messages_that_are_not_there_are_skipped() -> None:
    """Text and ends of messages that never began change nothing."""
    lost = [
        {"type": "TEXT_MESSAGE_END", "messageId": "m"},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "x"},
        {"type": "TEXT_MESSAGE_CHUNK", "delta": "x"},
        {"type": "TEXT_MESSAGE_START"},
    ]
    made = fed([*lost, custom(value(cited()))])
    assert made.event_of("m") is None


@pytest.mark.parametrize("text", ["a\u2028b [1]", "<b>[1]</b>", "𝔘𝔫 [1]", "[1]`code`", "`code`[1]"])
def test_places_are_code_points(text: str) -> None:
    """Of the message as it is shown, whatever characters are in it."""
    made = client(text)
    made.take(value(cited()))
    ((start, end),) = made.shown("m")[0].places
    assert text[start:end] == "[1]"


def test_what_a_service_sends_is_what_a_client_shows() -> None:
    """From the record of a Reader to the reader of the answer, through JSON, nothing is lost."""
    one = turn(record("a", "First.", trust={"stale": True}), record("b", "Second.\u2028More."))
    message = ended(one.run, f"B [{one.keys[1]}], A [{one.keys[0]}].", "m")
    ((_, sent),) = MocaCiter(one.ledger).cite(message)
    made = client(message.text)
    taken = made.take(json.loads(json.dumps(sent, ensure_ascii=False)))
    assert taken is not None
    assert [entry.record.as_dict() for entry in taken.citations] == [
        record("b", "Second.\u2028More."), record("a", "First.", trust={"stale": True}),
    ]  # fmt: skip
    assert [(one.marker, message.text[slice(*one.places[0])]) for one in made.shown("m")] == [
        ("[1]", "[1]"), ("[2]", "[2]"),
    ]  # fmt: skip
    assert codes(made) == []


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["version", "messageId", "citations", "record", "marker", "node", "package", "trust", "x"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=15,
)


@given(
    st.lists(ANY, max_size=3), st.sampled_from([None, "version", "node", "trust", "span", "evidence"]), ANY
)
def test_nothing_that_comes_in_raises(entries: list[Any], spoilt: str | None, by: Any) -> None:
    """Whatever a service sends, the client says what is wrong with it and shows the rest."""
    made = client()
    good = cited(record("good"))
    odd = cited({**record("odd"), **({} if spoilt is None else {spoilt: by})})
    made.feed(custom(by))
    made.feed({"type": by, "messageId": by, "delta": by, "messages": by, "role": by})
    # What is no JSON as a whole makes the whole event none.
    made.take(value(good, odd, *entries))
    shown = made.shown("m")
    if made.event_of("m") is not None:
        assert shown[0].path == "good"
    for one in shown:
        json.dumps(one.as_dict())


def test_the_citations_of_an_event_can_be_shown_without_a_client() -> None:
    """For a saved message: its text and its event are all that is needed."""
    taken, remarks = read_event(value(cited()), has_message=lambda name: name == "m")
    assert taken is not None
    assert remarks == ()
    (one,) = shown_citations(taken, TEXT)
    assert one.as_dict()["places"] == [[14, 17]]
    assert one.as_dict()["package_version"] == "4.2.0"
