"""Stores in memory: spans out of the texts that are there, and ledgers that only grow."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.errors import InputError
from pincite.core.ids import ChunkEvidenceId, SpanEvidenceId, foreign_id
from pincite.core.ledger import Fetched, Ledger
from pincite.core.limits import Limits
from pincite.core.locators import Locator
from pincite.core.memory import MemoryEvidenceStore, MemoryLedgerStore
from pincite.core.protocols import EvidenceStore, EvidenceText, LedgerStore
from pincite.core.scope import Scope
from pincite.core.verdicts import SourceState

DOCUMENT = "f24b301d-f73a-5291-9d80-7ea3cbd5291c"
VERSION = "c174f9d9eba7d79c"
TEXT = "".join(chr(ord("a") + index % 26) for index in range(80))
SCOPE = Scope([DOCUMENT])


def _span(start: int, end: int, version: str = VERSION) -> str:
    return str(SpanEvidenceId(DOCUMENT, version, start, end))


def _kept(start: int, end: int, **more: Any) -> EvidenceText:
    name = str(ChunkEvidenceId(DOCUMENT, VERSION, foreign_id(f"{start}-{end}")))
    return EvidenceText(name, DOCUMENT, VERSION, start, end, TEXT[start:end], title="Rules", **more)


async def _read(store: MemoryEvidenceStore, name: str) -> EvidenceText | None:
    return (await store.read([name], SCOPE))[0]


def test_they_are_the_stores_of_the_protocols() -> None:
    """Anything that takes a store takes them."""
    assert isinstance(MemoryEvidenceStore(), EvidenceStore)
    assert isinstance(MemoryLedgerStore(), LedgerStore)


# -- evidence -------------------------------------------------------------------------------------


@given(
    st.lists(st.tuples(st.integers(0, 60), st.integers(1, 20)), max_size=6),
    st.integers(0, 70),
    st.integers(1, 20),
)
def test_a_span_is_read_out_of_the_texts_that_hold_it(
    pieces: list[tuple[int, int]], start: int, size: int
) -> None:
    """Overlapping and touching texts are one; of a span with gaps the longest part is read, the first of equals."""
    store = MemoryEvidenceStore(_kept(first, first + length) for first, length in pieces)
    there = {point for first, length in pieces for point in range(first, first + length)}
    wanted = [point for point in range(start, start + size) if point in there]
    runs: list[list[int]] = []
    for point in wanted:
        if runs and runs[-1][-1] == point - 1:
            runs[-1].append(point)
        else:
            runs.append([point])
    found = asyncio.run(_read(store, _span(start, start + size)))
    if not runs:
        assert found is None
        return
    longest = max(runs, key=len)
    assert found is not None
    assert (found.start, found.end) == (longest[0], longest[-1] + 1)
    assert found.text == TEXT[found.start : found.end]
    assert found.evidence_id == _span(start, start + size)


async def test_a_span_over_two_texts_begins_where_one_begins_and_ends_where_the_other_ends() -> None:
    """Its place goes from the first page to the last; title and state are the first text's."""
    store = MemoryEvidenceStore(
        [
            _kept(0, 10, locator=Locator(page=1, headings=("One",)), state=SourceState.SUPERSEDED),
            _kept(10, 20, locator=Locator(page=2, page_end=3)),
            _kept(20, 30, locator=Locator(line=7)),
        ]
    )
    found = await _read(store, _span(5, 15))
    assert found is not None
    assert found.locator == Locator(page=1, page_end=3, headings=("One",))
    assert (found.title, found.state) == ("Rules", SourceState.SUPERSEDED)
    inside = await _read(store, _span(11, 15))
    assert inside is not None
    assert inside.locator == Locator(page=2, page_end=3)


async def test_a_text_under_its_own_id_comes_first() -> None:
    """What was put in under a span's id is what that id gives."""
    own = EvidenceText(_span(0, 10), DOCUMENT, VERSION, 0, 10, "own words!")
    store = MemoryEvidenceStore([_kept(0, 20), own])
    assert await _read(store, _span(0, 10)) == own


async def test_a_text_that_is_not_as_long_as_its_place_gives_no_spans() -> None:
    """A passage with its heading put in front stands nowhere as it is, but has its own id."""
    headed = EvidenceText(
        str(ChunkEvidenceId(DOCUMENT, VERSION, foreign_id("x"))), DOCUMENT, VERSION, 0, 5, "Heading\nabcde"
    )
    store = MemoryEvidenceStore({"x": headed})
    assert await _read(store, _span(0, 5)) is None
    assert await _read(store, headed.evidence_id) == headed


async def test_nothing_is_read_out_of_scope_or_of_another_version() -> None:
    """None for malformed, unknown and out of scope alike."""
    store = MemoryEvidenceStore([_kept(0, 10)])
    asked = ["", "ev1:c:oops", _span(0, 5, "0" * 16), _span(10, 20), _kept(1, 2).evidence_id]
    assert await store.read(asked, SCOPE) == [None] * len(asked)
    assert await store.read([_span(0, 5), _kept(0, 10).evidence_id], Scope([])) == [None, None]


# -- ledgers --------------------------------------------------------------------------------------


def _ledger(*names: str) -> Ledger:
    ledger = Ledger()
    for name in names:
        ledger.record(Fetched(name))
    return ledger


async def _names(store: MemoryLedgerStore, client: str) -> list[str] | None:
    ledger = await store.load(client)
    return None if ledger is None else [kept.evidence_id for kept in ledger]


async def test_saving_adds() -> None:
    """Two nodes that loaded the same lose nothing of one another; another client sees nothing of it."""
    store = MemoryLedgerStore()
    assert await store.load("one") is None
    await store.save("one", _ledger(_span(0, 5)))
    here, there = await store.load("one"), await store.load("one")
    assert here is not None
    assert there is not None
    here.record(Fetched(_span(10, 15)))
    there.record(Fetched(_span(20, 25)))
    await store.save("one", here)
    await store.save("one", there)
    assert await _names(store, "one") == [_span(0, 5), _span(10, 15), _span(20, 25)]
    assert await store.load("two") is None


async def test_pieces_that_two_nodes_received_complete_an_id() -> None:
    """Ranges add up over nodes, and the texts come with them."""
    store = MemoryLedgerStore()
    for start, end in ((0, 40), (40, 80)):
        ledger = Ledger()
        ledger.record_received(_span(0, 80), start, end, 80, text=TEXT[start:end])
        await store.save("one", ledger)
    kept = await store.load("one")
    assert kept is not None
    assert kept.get(_span(0, 80)) == Fetched(_span(0, 80), SpanEvidenceId(DOCUMENT, VERSION, 0, 80), TEXT)


async def test_what_is_loaded_is_the_callers_own() -> None:
    """Recording in it changes nothing that is kept until it is saved."""
    store = MemoryLedgerStore()
    ledger = _ledger(_span(0, 5))
    await store.save("one", ledger)
    ledger.record(Fetched(_span(10, 15)))
    loaded = await store.load("one")
    assert loaded is not None
    loaded.record(Fetched(_span(20, 25)))
    assert await _names(store, "one") == [_span(0, 5)]


async def test_a_client_expires_after_it_was_last_saved() -> None:
    """Saving again begins the time anew; loading does not."""
    now = 100.0
    store = MemoryLedgerStore(seconds=10, clock=lambda: now)
    await store.save("one", _ledger(_span(0, 5)))
    now = 109.0
    await store.save("one", _ledger(_span(10, 15)))
    now = 119.0
    assert await _names(store, "one") == [_span(0, 5), _span(10, 15)]
    now = 119.1
    assert await store.load("one") is None
    await store.save("one", _ledger(_span(20, 25)))
    assert await _names(store, "one") == [_span(20, 25)]


async def test_who_was_quiet_longest_is_forgotten_first() -> None:
    """There are never more clients than the limit, of those that came back and of those that did not."""
    store = MemoryLedgerStore(clients=2, newcomers=1)
    for client in ("one", "two", "new", "three", "newer", "newest"):
        await store.save(client, _ledger(_span(0, 5)), newcomer=client.startswith("new"))
    kept = [client for client in ("one", "two", "three", "new", "newer", "newest") if client in store._kept]
    assert kept == ["two", "three", "newest"]


async def test_who_never_comes_back_pushes_out_nobody_else() -> None:
    """A client counts as come back when it is loaded, or saved again."""
    store = MemoryLedgerStore(clients=2, newcomers=2)
    await store.save("loaded", _ledger(_span(0, 5)), newcomer=True)
    assert await store.load("loaded") is not None
    for _ in range(2):
        await store.save("saved", _ledger(_span(0, 5)), newcomer=True)
    for number in range(10):
        await store.save(f"once-{number}", _ledger(_span(0, 5)), newcomer=True)
    assert sorted(store._kept) == ["loaded", "once-8", "once-9", "saved"]
    # And who comes back at last has what it received first; it is one of the others then.
    assert await _names(store, "once-9") == [_span(0, 5)]
    assert sorted(store._kept) == ["once-8", "once-9", "saved"]


async def test_some_ids_alone_may_be_loaded() -> None:
    """What else was received does not come along; ids that nobody received, or that are none, are not there."""
    store = MemoryLedgerStore()
    ledger = _ledger(_span(0, 5), _span(10, 15))
    ledger.record_received(_span(20, 30), 0, 4, 10)
    await store.save("one", ledger)
    some = await store.load("one", [_span(20, 30), _span(10, 15), _span(40, 45), "oops", _span(10, 15)])
    assert some is not None
    assert [kept.evidence_id for kept in some] == [_span(10, 15)]
    assert some.received(_span(20, 30)) == ((0, 4),)


async def test_its_bounds_are_limits() -> None:
    """Entries, clients and seconds come from the table of limits unless they are given."""
    now = 0.0
    limits = Limits(ledger_entries=2, ledger_clients=1, ledger_seconds=5.0)
    store = MemoryLedgerStore(limits=limits, clock=lambda: now)
    await store.save("one", _ledger(_span(0, 5), _span(10, 15), _span(20, 25)))
    assert await _names(store, "one") == [_span(10, 15), _span(20, 25)]
    await store.save("two", _ledger(_span(0, 5)))
    assert await store.load("one") is None
    now = 5.1
    assert await store.load("two") is None


@pytest.mark.parametrize("client", ["", None, 7])
async def test_a_client_has_a_name(client: Any) -> None:
    """Anything else would be everybody's ledger."""
    store = MemoryLedgerStore()
    with pytest.raises(InputError, match="client"):
        await store.load(client)
    with pytest.raises(InputError, match="client"):
        await store.save(client, Ledger())


@pytest.mark.parametrize("ledger", [None, [], {}, "ledger"])
async def test_what_is_kept_is_a_ledger(ledger: Any) -> None:
    """Anything else is an error of the caller, and what is kept stays."""
    store = MemoryLedgerStore()
    await store.save("one", _ledger(_span(0, 5)))
    with pytest.raises(InputError, match="ledger"):
        await store.save("one", ledger)
    assert await _names(store, "one") == [_span(0, 5)]
