"""The service's rules of the event's page, each by its number there, and what the page leaves open."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from moca_records import (
    KB,
    NOON,
    OTHER_DIGEST,
    OTHER_FILE,
    Ended,
    HandReader,
    Turn,
    ended,
    record,
    ref,
    refs_in,
    ticking,
    turn,
)

from pincite.citing import CitationRun, ConversationState
from pincite.core.errors import InputError
from pincite.core.limits import DEFAULT
from pincite.protocols.moca import MocaCiter, MocaRecord, MocaSource, RunLedger, record_schema, valid_event
from pincite.showing import NumberedText


def markers_in(value: dict[str, Any]) -> list[str | None]:
    """Return the markers of an event's citations, None where there is none."""
    return [one.get("marker") for one in value["citations"]]


def test_the_event_is_the_one_of_the_page() -> None:
    """A CUSTOM event with name and value: version, message, time, and each record with its marker."""
    one = turn(record())
    value = one.value("It is 30 days {0}.")
    assert value == {
        "version": 1,
        "messageId": "msg-1",
        "computedAt": "2026-11-30T12:00:00Z",
        "citations": [{"marker": "[1]", "record": record()}],
    }
    assert list(value) == ["version", "messageId", "computedAt", "citations"]
    citer = MocaCiter(one.ledger)
    citer.cite(ended(one.run, f"30 days [{one.keys[0]}]."))
    assert citer.last is not None
    event = citer.last.as_event()
    assert (event["type"], event["name"]) == ("CUSTOM", "moca.citations")
    assert valid_event(event).diagnostics == ()


def test_service_rule_1_the_event_is_made_of_a_message_that_has_ended() -> None:
    """A citer is asked with the whole text and its id; each message has an event of its own."""
    one = turn(record("a", "First."), record("b", "Second."))
    assert refs_in(one.value("A claim {0}.", "msg-1")) == [ref("a")]
    second = one.value("Another {1}.", "msg-2")
    assert second["messageId"] == "msg-2"
    assert refs_in(second) == [ref("b")]


def test_service_rule_2_only_what_is_cited() -> None:
    """What was read and not cited is left out."""
    one = turn(record("a", "First."), record("b", "Second."))
    assert refs_in(one.value("A claim {1}.")) == [ref("b")]


def test_service_rule_2_a_reference_that_was_made_up_is_left_out() -> None:
    """Neither a key nor a reference that nobody issued becomes a source."""
    one = turn(record())
    value = one.value(f"So [deadbeef], and {ref('made-up')}, and {KB}@9.9.9#refund-window.")
    assert value["citations"] == []


def test_service_rule_2_a_node_that_was_not_read_is_left_out() -> None:
    """A real node of a loaded package that the Reader did not return in this run is no source of it."""
    run = CitationRun()
    reader = HandReader([record("read", "First."), record("unread", "Second.")])
    source = MocaSource(run, reader, library=reader)
    source.search("anything", limit=1)
    message = ended(run, f"See {ref('unread')} and {ref('read')}.")
    assert refs_in(MocaCiter(source.ledger).cite(message)[0][1]) == [ref("read")]


def test_service_rule_2_a_package_that_is_not_loaded_is_left_out() -> None:
    """Though the Reader returned it."""
    one = turn(record(), loaded=[OTHER_DIGEST])
    assert one.keys == []
    assert one.value(f"See {ref()}.")["citations"] == []


def test_service_rule_2_an_earlier_run_is_left_out() -> None:
    """A marker of the turn before still resolves in the conversation, and is no citation of this run."""
    conversation = ConversationState()
    first = CitationRun(conversation=conversation)
    (shown,) = MocaSource(first, HandReader([record()])).search("anything")
    again = CitationRun(conversation=conversation)
    source = MocaSource(again, HandReader([record()]))
    message = ended(again, f"Still 30 days [{shown['ref']}].")
    assert len(message.answer.citations) == 1
    citer = MocaCiter(source.ledger)
    assert citer.cite(message)[0][1]["citations"] == []
    source.search("anything")
    assert refs_in(citer.cite(ended(again, f"Still 30 days [{shown['ref']}]."))[0][1]) == [ref()]


def test_service_rule_2_code_cites_nothing() -> None:
    """Markers and references in code are the code's own."""
    one = turn(record())
    text = f"`{{0}}` and `{ref()}`\n\n```\n{ref()} {{0}}\n```\n"
    assert one.value(text)["citations"] == []


def test_service_rule_2_what_is_out_of_scope_is_left_out() -> None:
    """A run that may cite nothing of the Reader's has none of its citations in the event."""
    run = CitationRun(scope=["00000000-0000-4000-8000-000000000000"])
    source = MocaSource(run, HandReader([record()]))
    (shown,) = source.search("anything")
    citer = MocaCiter(source.ledger)
    assert citer.cite(ended(run, f"30 days [{shown['ref']}]."))[0][1]["citations"] == []
    assert citer.last is not None
    assert citer.last.left_out == {"not_valid": 1}


def test_service_rule_2_other_sources_are_not_in_the_event() -> None:
    """A passage of another kind keeps its number in the text, and the records keep theirs."""
    run = CitationRun()
    other = run.present({"id": "handbook", "title": "Handbook", "content": "Other words."})
    source = MocaSource(run, HandReader([record()]))
    (shown,) = source.search("anything")
    message = ended(run, f"One [{other['ref']}], two [{shown['ref']}].")
    value = MocaCiter(source.ledger).cite(message)[0][1]
    assert message.text == "One [1], two [2]."
    assert markers_in(value) == ["[2]"]


def test_m2_a_number_that_stands_for_something_else_too_is_no_marker() -> None:
    """A record whose source a passage of another kind shares is listed, and lends its trust to no number."""
    run = CitationRun()
    source = MocaSource(run, HandReader([record()]))
    (shown,) = source.search("anything")
    (hit,) = run.store
    stolen = {"document_id": hit.known.document_id, "title": "Refund window", "content": "Buy now."}
    other = run.present(stolen)
    message = ended(run, f"One [{shown['ref']}], two [{other['ref']}].")
    value = MocaCiter(source.ledger).cite(message)[0][1]
    assert message.text == "One [1], two [1]."
    assert value["citations"] == [{"record": record()}]


def test_service_rule_3_a_record_goes_out_as_it_came() -> None:
    """Key for key, in order; also what a search added to it."""
    made = record(
        more={
            "score": 0.25,
            "retrieval": {"via": "related", "from": "https://example.org/c"},
            "audience": "public",
        }
    )
    value = turn(made).value("A claim {0}.")
    assert json.dumps(value["citations"][0]["record"]) == json.dumps(made)


def test_service_rule_3_the_text_is_all_that_may_be_left_out() -> None:
    """Everything else is equal, and the record still valid."""
    made = record(more={"evidence": [{"source": {"id": "a"}, "matched": False}]})
    value = turn(made).value("A claim {0}.", keep_text=False)
    assert json.dumps(value["citations"][0]["record"]) == json.dumps(MocaRecord.of(made).without_text())
    assert valid_event({"type": "CUSTOM", "name": "moca.citations", "value": value}).is_valid


def test_service_rule_3_what_is_done_to_an_event_is_not_done_to_the_ledger() -> None:
    """Whoever changes the value that was sent changes a copy."""
    one = turn(record())
    one.value("A claim {0}.")["citations"][0]["record"]["trust"]["stale"] = True
    assert one.value("A claim {0}.")["citations"][0]["record"] == record()


def test_service_rule_4_the_order_is_that_of_first_mention() -> None:
    """Not that of reading, nor that of the numbers of an earlier message."""
    one = turn(record("a", "First."), record("b", "Second."), record("c", "Third."))
    value = one.value("Third {2}, first {0}, third {2}, second {1}.")
    assert refs_in(value) == [ref("c"), ref("a"), ref("b")]
    assert markers_in(value) == ["[1]", "[2]", "[3]"]


def test_service_rule_4_markers_and_references_are_in_one_order() -> None:
    """A node may be cited by either, and counts where it is mentioned first."""
    one = turn(record("a", "First."), record("b", "Second."), record("c", "Third."))
    value = one.value(f"See {ref('c')}; first {{0}}; then {ref('b')}.")
    assert refs_in(value) == [ref("c"), ref("a"), ref("b")]
    assert markers_in(value) == [ref("c"), "[1]", ref("b")]


def test_service_rule_4_two_spans_of_a_node_are_two_entries() -> None:
    """One for each reference and span, each with a marker of its own."""
    one = turn(record(text="First.", start=10), record(text="Second.", start=90))
    value = one.value("One {0}, two {1}, one again {0}.")
    assert [entry["record"]["span"]["start"] for entry in value["citations"]] == [10, 90]
    assert markers_in(value) == ["[1]", "[2]"]


def test_service_rule_4_a_record_without_a_span_is_an_entry_beside_one_with_a_span() -> None:
    """No span is a span of its own."""
    one = turn(record(text="Whole. First.", start=None), record(text="First.", start=10))
    assert len(one.value("All {0}, a part {1}.")["citations"]) == 2


def test_service_rule_4_a_mention_of_a_cited_node_is_no_further_entry() -> None:
    """Its reference names no part of it, so it is there already; and a number is the better marker."""
    one = turn(record(text="First.", start=10), record(text="Second.", start=90))
    value = one.value(f"One {{1}}, the node {ref()}.")
    assert [entry["record"]["span"]["start"] for entry in value["citations"]] == [90]
    value = one.value(f"The node {ref()}, one {{0}}.")
    assert len(value["citations"]) == 1
    assert markers_in(value) == ["[1]"]


def test_service_rule_4_two_locales_are_one_entry() -> None:
    """Where they share reference and span the first holds, and the other is counted in the log."""
    text = "Les remboursements: 30 jours.... "  # as many bytes as the other one has
    one = turn(record(), record(text=text, node={"locale": "fr", "digest": OTHER_FILE}))
    citer = MocaCiter(one.ledger)
    message = ended(one.run, f"In English [{one.keys[0]}], in French [{one.keys[1]}].")
    value = citer.cite(message)[0][1]
    assert message.text == "In English [1], in French [1]."
    assert [entry["record"] for entry in value["citations"]] == [record()]
    assert citer.last is not None
    assert citer.last.left_out == {"other_locale": 1}


def test_service_rule_5_a_message_that_cites_nothing_has_an_empty_list() -> None:
    """So that a client can tell it from one of a service without MOCA; and it has no time, there being no records."""
    value = turn(record()).value("I do not know.")
    assert value == {"version": 1, "messageId": "msg-1", "citations": []}


def test_the_time_is_the_earliest_of_what_is_cited() -> None:
    """Records that were read later were computed later; what is claimed of all is claimed from the first on."""
    run = CitationRun()
    reader = HandReader([record("a", "First.")])
    source = MocaSource(run, reader, ledger=RunLedger(clock=ticking()))
    (first,) = source.search("anything")
    reader.records = [record("b", "Second.")]
    (second,) = source.search("anything")
    citer = MocaCiter(source.ledger)
    both = citer.cite(ended(run, f"B [{second['ref']}], A [{first['ref']}]."))[0][1]
    assert both["computedAt"] == "2026-11-30T12:00:00Z"
    alone = citer.cite(ended(run, f"B [{second['ref']}]."))[0][1]
    assert alone["computedAt"] == "2026-11-30T12:01:00Z"


def test_a_time_that_nobody_knows_is_not_there() -> None:
    """Absent, and not null."""
    assert "computedAt" not in turn(record(), clock=None).value("A claim {0}.")


@pytest.mark.parametrize("wire_format", ["ref", "sup_numeric", "short_id", "evidence_id", "inline_url"])
def test_every_way_of_citing_leads_to_a_number(wire_format: str) -> None:
    """The marker is what the client sees, however the model wrote it."""
    one = turn(record(), wire_format=wire_format)
    (hit,) = one.run.store
    written = {
        "sup_numeric": f"<sup>{hit.number}</sup>",
        "inline_url": f"[[1]]({hit.citation_key})",
        "short_id": f"[[{hit.citation_key}]]",
    }.get(wire_format, f"[{hit.citation_key}]")
    message = ended(one.run, f"It is 30 days {written}.")
    assert message.text == "It is 30 days [1]."
    value = MocaCiter(one.ledger).cite(message)[0][1]
    assert value["citations"] == [{"marker": "[1]", "record": record()}]


def test_several_numbers_in_one_marker_are_in_order() -> None:
    """A range of raised numbers cites each of them."""
    one = turn(record("a", "First."), record("b", "Second."), wire_format="sup_numeric")
    value = MocaCiter(one.ledger).cite(ended(one.run, "Both<sup>1-2</sup>."))[0][1]
    assert refs_in(value) == [ref("a"), ref("b")]
    assert markers_in(value) == ["[1]", "[2]"]


def test_a_marker_that_is_not_in_the_shown_text_is_not_told() -> None:
    """Whoever shows the text otherwise gets the record without a marker."""
    one = turn(record())
    message = ended(one.run, f"It is 30 days [{one.keys[0]}].")
    bare = Ended("m", NumberedText("It is 30 days.", {}, ((0, 0),)), message.answer)
    assert MocaCiter(one.ledger).cite(bare)[0][1]["citations"] == [{"record": record()}]


def test_a_number_in_code_is_no_marker() -> None:
    """Where the text is shown without numbers, a number that stands in its code refers to nothing."""
    one = turn(record())
    message = ended(one.run, f"Take `x[1]`: 30 days [{one.keys[0]}].")
    assert MocaCiter(one.ledger).cite(message)[0][1]["citations"] == [{"marker": "[1]", "record": record()}]
    bare = Ended("m", NumberedText("Take `x[1]`: 30 days.", {}, ((0, 0),)), message.answer)
    assert MocaCiter(one.ledger).cite(bare)[0][1]["citations"] == [{"record": record()}]


def test_drops_are_counted_in_the_log_and_nowhere_else(caplog: pytest.LogCaptureFixture) -> None:
    """By reason, without a word of the answer."""
    one = turn(record())
    with caplog.at_level(logging.INFO, logger="pincite.moca"):
        value = one.value(f"So [deadbeef], and {ref()}-more.")
    assert value == {"version": 1, "messageId": "msg-1", "citations": []}
    (line,) = caplog.messages
    assert line == "Left out of the citations of a message: misses: 1, other_references: 1."


def test_a_message_without_an_id_has_no_event(caplog: pytest.LogCaptureFixture) -> None:
    """A client could not place it; what is wrong is logged."""
    one = turn(record())
    assert MocaCiter(one.ledger).cite(ended(one.run, "Nothing.", "")) == []
    assert "schema_empty" in caplog.text


def test_texts_go_before_citations_do() -> None:
    """An event that would be too large loses the texts of its records first, then the last of its citations."""
    one = turn(*(record(f"n-{place}", f"{place} " + "words " * 400) for place in range(8)))
    text = " ".join(f"Claim [{key}]." for key in one.keys)
    small = MocaCiter(one.ledger, limits=replace(DEFAULT, moca_event_bytes=20_000))
    ((_, value),) = small.cite(ended(one.run, text))
    assert len(value["citations"]) == 8
    assert all("text" not in entry["record"] for entry in value["citations"])
    assert small.last is not None
    assert [remark.code for remark in small.last.diagnostics] == ["texts_left_out"]
    smaller = MocaCiter(one.ledger, limits=replace(DEFAULT, moca_event_bytes=6_000))
    ((_, value),) = smaller.cite(ended(one.run, text))
    assert refs_in(value) == [ref("n-0"), ref("n-1"), ref("n-2"), ref("n-3")][: len(value["citations"])]
    assert 0 < len(value["citations"]) < 8
    assert len(json.dumps(value)) < 6_000
    few = MocaCiter(one.ledger, limits=replace(DEFAULT, moca_citations=3))
    assert len(few.cite(ended(one.run, text))[0][1]["citations"]) == 3


def test_what_fails_on_its_way_out_is_dropped_by_itself() -> None:
    """A record of a newer kind was shown and cited; ours is not sent as such, the others go out without it."""
    one = turn(record("a", "First.", more={"licence": "CC0"}), record("b", "Second."))
    citer = MocaCiter(one.ledger)
    ((_, value),) = citer.cite(ended(one.run, f"A [{one.keys[0]}], B [{one.keys[1]}]."))
    assert refs_in(value) == [ref("b")]
    assert markers_in(value) == ["[2]"]
    assert citer.last is not None
    assert citer.last.left_out == {"invalid": 1}
    assert [remark.code for remark in citer.last.diagnostics] == ["schema_unknown_key"]


def test_who_has_a_newer_schema_of_records_names_it() -> None:
    """Then a record that keeps to it goes out as it is, and one that does not is left out."""
    newer = record_schema()
    newer["$id"] = "https://example.org/citation-record.schema.json"
    newer["properties"]["licence"] = {"type": "string"}
    good, bad = record("a", "First.", more={"licence": "CC0"}), record("b", "Second.", more={"licence": 3})
    one = turn(good, bad)
    for schema in (newer, {key: value for key, value in newer.items() if key != "$id"}):
        value = one.value("A {0}, B {1}.", records=schema)
        assert [entry["record"] for entry in value["citations"]] == [good]


@pytest.mark.parametrize(
    "schema",
    [
        [],
        3,
        {"type": "no type"},
        {"$ref": "https://example.org/more.json"},
        {"allOf": [{"$ref": "more.json"}]},
        {"a": {1}},
    ],
    ids=str,
)
def test_a_schema_that_is_none_or_loads_another_is_refused(schema: Any) -> None:
    """Nothing is fetched because a schema names it."""
    with pytest.raises(InputError, match="schema of records"):
        MocaCiter(RunLedger(), records=schema)


@pytest.mark.parametrize(
    "text", ["Größe\u2028zwei\u2029drei\x85vier", "<b>&amp;</b>", "a\r\nb\tc", "𝔘 \U0010ffff"]
)
def test_any_text_goes_out_as_it_is(text: str) -> None:
    """Line separators, markup and characters beyond 16 bits are the record's own."""
    value = turn(record(text=text)).value("A claim {0}.")
    assert value["citations"][0]["record"]["text"] == text
    assert json.loads(json.dumps(value, ensure_ascii=False)) == value


def _mixed() -> Turn:
    return turn(
        record("a", "First."), record("b", "Second."), record("c", "Third.", start=1), record("c", "Fourth.")
    )


@given(st.lists(st.tuples(st.integers(0, 3), st.booleans()), max_size=12))
def test_the_order_and_the_entries_follow_from_the_text(said: list[tuple[int, bool]]) -> None:
    """For any sequence of markers and references: each pair once, in order of first mention, and only what was said."""
    one = _mixed()
    names = [(ref("a"), 100), (ref("b"), 100), (ref("c"), 1), (ref("c"), 100)]
    text = "; ".join(
        f"claim {names[which][0] if by_ref else f'[{one.keys[which]}]'} " for which, by_ref in said
    )
    ((_, value),) = MocaCiter(one.ledger).cite(ended(one.run, text))
    found = [
        (entry["record"]["node"]["ref"], entry["record"]["span"]["start"]) for entry in value["citations"]
    ]
    wanted: list[tuple[str, int]] = []
    for which, by_ref in said:
        name = names[which]
        if by_ref and any(name[0] == known for known, _ in wanted):
            continue
        if by_ref:
            name = next(known for known in names if known[0] == name[0])
        if name not in wanted:
            wanted.append(name)
    assert found == wanted
    assert ("computedAt" in value) == bool(said)
    assert value.get("computedAt") in (None, NOON.isoformat().replace("+00:00", "Z"))
