"""What a run's Reader returned, and nothing else, can be cited."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from moca_records import DIGEST, KB, NOON, OTHER_DIGEST, OTHER_FILE, record, ref

from pincite.core.errors import InputError
from pincite.core.limits import DEFAULT
from pincite.protocols.moca import MocaRecord, RunLedger

LATER = NOON + timedelta(hours=1)


def codes(ledger: RunLedger) -> list[str]:
    """Return the codes of a ledger's remarks."""
    return [remark.code for remark in ledger.diagnostics]


def test_a_record_is_found_by_its_exact_reference() -> None:
    """No part of a reference and no other version of it finds anything."""
    ledger = RunLedger()
    kept = ledger.add(record())
    assert kept is not None
    assert ledger.by_ref(ref()) == (kept,)
    for other in (f"{KB}#refund-window", f"{KB}@4.2.1#refund-window", ref() + ".md", ref().upper(), ""):
        assert ledger.by_ref(other) == ()


def test_spans_and_locales_of_a_node_are_kept_apart() -> None:
    """One entry for each reference, span and file, in order of reading."""
    ledger = RunLedger()
    records = [record(start=100), record(start=200), record(start=None), record(node={"digest": OTHER_FILE})]
    kept = [ledger.add(one) for one in records]
    assert ledger.by_ref(ref()) == tuple(kept)
    assert len(ledger) == 4
    assert ledger.refs() == (ref(),)


def test_a_package_that_is_not_loaded_is_refused() -> None:
    """Where the loaded digests are known, a record of another is none of this run."""
    ledger = RunLedger(loaded=[OTHER_DIGEST])
    assert ledger.add(record()) is None
    assert codes(ledger) == ["not_loaded"]
    assert ledger.by_ref(ref()) == ()


def test_what_is_loaded_may_change() -> None:
    """A function is asked each time."""
    loaded = [OTHER_DIGEST]
    ledger = RunLedger(loaded=lambda: loaded)
    assert ledger.add(record()) is None
    loaded.append(DIGEST)
    assert ledger.add(record()) is not None


def test_one_reference_is_of_one_package() -> None:
    """A client keys by the reference, so a second package under it is refused."""
    ledger = RunLedger()
    first = ledger.add(record())
    assert ledger.add(record(package={"digest": OTHER_DIGEST}, start=300)) is None
    assert codes(ledger) == ["two_packages"]
    assert ledger.by_ref(ref()) == (first,)


def test_what_is_no_record_is_refused() -> None:
    """What has a newer key is taken with a warning: whether it may go out is told when it does."""
    ledger = RunLedger()
    assert ledger.add({**record(), "node": {}}) is None
    assert ledger.add("record") is None
    assert len(ledger) == 0
    assert ledger.add(record(more={"licence": "CC0"})) is not None
    assert codes(ledger) == ["schema_required", "schema_type", "schema_unknown_key"]


def test_a_record_that_comes_again_keeps_its_first_form_and_time() -> None:
    """Another score is nothing new; the earliest time is the one that the flags can be claimed from."""
    ledger = RunLedger()
    first = ledger.add(record(more={"score": 0.9}), read_at=NOON)
    again = ledger.add(record(more={"score": 0.1}), read_at=LATER)
    assert first is again
    assert first is not None
    assert first.data["score"] == 0.9
    assert ledger.read_at(first) == NOON


def test_of_trust_the_latest_word_counts() -> None:
    """What has been superseded during the run is cited as that, from the moment at which it was read so."""
    ledger = RunLedger()
    ledger.add(record(), read_at=NOON)
    later = ledger.add(record(trust={"superseded": True}), read_at=LATER)
    assert later is not None
    assert ledger.by_ref(ref()) == (later,)
    assert ledger.computed_at([later]) == "2026-11-30T13:00:00Z"
    assert codes(ledger) == ["changed"]


def test_the_time_is_the_earliest_of_all() -> None:
    """In UTC, whatever offset the clock has; and no time where that of one is not known, or there is nothing."""
    ledger = RunLedger()
    east = timezone(timedelta(hours=2))
    first = ledger.add(record("a"), read_at=datetime(2026, 11, 30, 15, 30, 0, 250_000, tzinfo=east))
    second = ledger.add(record("b"), read_at=datetime(2026, 11, 30, 14, 0, tzinfo=UTC))
    third = ledger.add(record("c"))
    assert first is not None
    assert second is not None
    assert third is not None
    assert ledger.computed_at([second, first]) == "2026-11-30T13:30:00.250000Z"
    assert ledger.computed_at([first, third]) is None
    assert ledger.computed_at([]) is None


def test_a_clock_without_an_offset_is_refused() -> None:
    """Nobody knows when a naive time is."""
    with pytest.raises(InputError, match="with an offset"):
        RunLedger().add(record(), read_at=datetime(2026, 11, 30, 12))  # noqa: DTZ001 - that is the point


def test_the_clock_is_the_readers() -> None:
    """It is asked for the moment of a read; without one there is none."""
    assert RunLedger(clock=lambda: NOON).moment() == NOON
    assert RunLedger(clock=None).moment() is None


def test_a_citation_key_leads_to_what_was_shown_under_it() -> None:
    """Of this run alone: a record that is not in the ledger cannot be noted."""
    ledger = RunLedger()
    kept = ledger.add(record())
    assert kept is not None
    ledger.cited_as("abcd1234", kept)
    ledger.cited_as("never", MocaRecord.of(record("never-read")))
    assert ledger.by_citation("abcd1234") is kept
    assert ledger.by_citation("never") is None
    assert RunLedger().by_citation("abcd1234") is None


def test_room_is_bounded() -> None:
    """What there is no room for is refused with a remark; what is there already may come again."""
    ledger = RunLedger(limits=replace(DEFAULT, moca_records=1))
    assert ledger.add(record("a")) is not None
    assert ledger.add(record("b")) is None
    assert ledger.add(record("a")) is not None
    assert codes(ledger) == ["no_room"]


def test_remarks_are_bounded() -> None:
    """Only the first are kept."""
    ledger = RunLedger(limits=replace(DEFAULT, moca_diagnostics=2))
    for _ in range(5):
        ledger.add(3)
    assert len(ledger.diagnostics) == 2


def test_a_wrong_set_of_digests_is_told() -> None:
    """A string is no collection of digests."""
    with pytest.raises(InputError, match="`loaded` is a collection of digests"):
        RunLedger(loaded=DIGEST)
