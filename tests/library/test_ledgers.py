"""Ledgers in the library: added to by many nodes, bounded, forgotten in time, and without texts."""

from __future__ import annotations

import sqlite3
from threading import Thread
from typing import TYPE_CHECKING, Any, cast

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import event

from pincite.core.errors import InputError, StoreError
from pincite.core.ids import SpanEvidenceId
from pincite.core.ledger import Fetched, Ledger
from pincite.core.limits import Limits
from pincite.core.protocols import LedgerStore
from pincite.core.verdicts import SourceState
from pincite.library import Library, LibraryLedgers
from pincite.library.tables import SCHEMA, ledger_entries, ledgers

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DOCUMENT = "f24b301d-f73a-5291-9d80-7ea3cbd5291c"
VERSION = "c174f9d9eba7d79c"


def _span(start: int, end: int) -> str:
    return str(SpanEvidenceId(DOCUMENT, VERSION, start, end))


def _ledger(*names: str) -> Ledger:
    ledger = Ledger()
    for name in names:
        ledger.record(Fetched(name))
    return ledger


def _names(store: LibraryLedgers, client: str) -> list[str] | None:
    ledger = store.load_sync(client)
    return None if ledger is None else [kept.evidence_id for kept in ledger]


async def test_it_is_a_ledger_store(library: Library) -> None:
    """What is saved is loaded; what nobody saved is None."""
    store = LibraryLedgers(library)
    assert isinstance(store, LedgerStore)
    assert await store.load("one") is None
    await store.save("one", _ledger(_span(0, 5)))
    loaded = await store.load("one")
    assert loaded is not None
    assert _span(0, 5) in loaded


def test_it_survives_a_restart_and_is_one_tenants(home: Path, library: Library) -> None:
    """Another opening finds it, another tenant does not."""
    LibraryLedgers(library).save_sync("one", _ledger(_span(0, 5)))
    library.close()
    with Library.open(home) as again:
        assert _names(LibraryLedgers(again), "one") == [_span(0, 5)]
    with Library.open(home, tenant="other") as foreign:
        assert LibraryLedgers(foreign).load_sync("one") is None


def test_two_nodes_lose_nothing_of_one_another(home: Path, library: Library) -> None:
    """Each saves what it received, again and again, at the same time; everything is there, pieces completed."""
    whole = _span(10_000, 10_040)
    with Library.open(home) as other:
        nodes = [LibraryLedgers(library), LibraryLedgers(other)]

        def work(number: int) -> None:
            for index in range(10):
                ledger = _ledger(_span(number * 100 + index * 10, number * 100 + index * 10 + 5))
                ledger.record_received(whole, number * 20 + index * 2, number * 20 + index * 2 + 2, 40)
                nodes[number].save_sync("one", ledger)

        threads = [Thread(target=work, args=(number,)) for number in (0, 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    names = _names(LibraryLedgers(library), "one")
    assert names is not None
    assert set(names) == {
        whole,
        *(_span(n * 100 + i * 10, n * 100 + i * 10 + 5) for n in (0, 1) for i in range(10)),
    }


def test_ranges_and_states_are_kept_and_texts_are_not(library: Library, home: Path) -> None:
    """A text that is deleted must not stay here; nor does a client's name, which may open a session."""
    ledger = Ledger()
    ledger.record(Fetched(_span(0, 6), text="secret", state=SourceState.SUPERSEDED))
    ledger.record_received(_span(100, 112), 0, 6, 12, text="hidden")
    store = LibraryLedgers(library)
    store.save_sync("session-4711", ledger)
    kept = store.load_sync("session-4711")
    assert kept is not None
    assert kept.received(_span(100, 112)) == ((0, 6),)
    assert kept.state_of(_span(0, 6)) is SourceState.SUPERSEDED
    with library.database.reading() as connection:
        rows = repr([connection.execute(sa.select(table)).all() for table in (ledgers, ledger_entries)])
    assert _span(0, 6) in rows
    assert "secret" not in rows
    assert "hidden" not in rows
    assert "4711" not in rows
    assert home.exists()


def test_a_client_is_forgotten_in_time(library: Library) -> None:
    """After the time since it was last saved it is as if it had never been; saving anew begins anew."""
    now = 1_000.0
    store = LibraryLedgers(library, seconds=10, clock=lambda: now)
    store.save_sync("one", _ledger(_span(0, 5)))
    store.save_sync("two", _ledger(_span(0, 5)))
    now = 1_010.0
    store.save_sync("one", _ledger(_span(10, 15)))
    now = 1_011.0
    assert _names(store, "one") == [_span(0, 5), _span(10, 15)]
    assert store.load_sync("two") is None
    now = 1_021.0
    store.save_sync("one", _ledger(_span(20, 25)))
    assert _names(store, "one") == [_span(20, 25)]
    store.save_sync("three", _ledger(_span(0, 5)))
    with library.database.reading() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(ledgers)) == 2


def test_clients_and_entries_are_bounded(home: Path) -> None:
    """Who was quiet longest goes first, and of one client the oldest ids."""
    now = 0.0
    limits = Limits(ledger_clients=2, ledger_newcomers=1, ledger_entries=2)
    with Library.open(home, limits=limits) as library:
        store = LibraryLedgers(library, clock=lambda: now)
        for client in ("one", "two", "new", "one", "three", "newer", "newest"):
            now += 1
            # What is received again stays in its place.
            several = _ledger(_span(10, 15), _span(20, 25))
            if store.load_sync(client) is None:
                several = _ledger(_span(0, 5), _span(10, 15), _span(20, 25))
            store.save_sync(client, several, newcomer=client.startswith("new"))
        with library.database.reading() as connection:
            assert connection.scalar(sa.select(sa.func.count()).select_from(ledgers)) == 3
            # With a client its entries are gone.
            assert connection.scalar(sa.select(sa.func.count()).select_from(ledger_entries)) == 6
        assert [client for client in ("new", "newer") if store.load_sync(client)] == []
        assert store.load_sync("two") is None
        assert _names(store, "one") == [_span(10, 15), _span(20, 25)]
        assert _names(store, "three") == [_span(10, 15), _span(20, 25)]


def test_who_never_comes_back_pushes_out_nobody_else(library: Library) -> None:
    """A client counts as come back when it is loaded, or saved again."""
    now = 0.0
    store = LibraryLedgers(library, clients=2, newcomers=2, clock=lambda: now)
    store.save_sync("loaded", _ledger(_span(0, 5)), newcomer=True)
    assert _names(store, "loaded") == [_span(0, 5)]
    for _ in range(2):
        store.save_sync("saved", _ledger(_span(0, 5)), newcomer=True)
    for number in range(10):
        now += 1
        store.save_sync(f"once-{number}", _ledger(_span(0, 5)), newcomer=True)
    assert _names(store, "loaded") == _names(store, "saved") == [_span(0, 5)]
    assert store.load_sync("once-7") is None
    # And who comes back at last has what it received first.
    assert _names(store, "once-9") == [_span(0, 5)]


def test_a_reader_that_may_not_write_still_reads(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """That a client came back is written when it is loaded; where that cannot be, it is loaded all the same."""
    store = LibraryLedgers(library)
    store.save_sync("one", _ledger(_span(0, 5)), newcomer=True)

    def refused(_: object) -> None:
        msg = "The library may only be read here."
        raise StoreError(msg)

    monkeypatch.setattr(type(library.database), "writing", refused)
    assert _names(store, "one") == [_span(0, 5)]


def _statements(library: Library, work: Callable[[], object]) -> list[tuple[str, object]]:
    """Return what `work` sends to the database."""
    sent: list[tuple[str, object]] = []

    def heard(_: object, __: object, statement: str, parameters: object, *___: object) -> None:
        sent.append((statement, parameters))

    event.listen(library.database.engine, "before_cursor_execute", heard)
    try:
        work()
    finally:
        event.remove(library.database.engine, "before_cursor_execute", heard)
    return sent


def _ids_of(parameters: object) -> list[str]:
    """Return the evidence ids among what was sent: rows of values, or values by their names, as the driver has it."""
    if isinstance(parameters, str):
        return [parameters] if parameters.startswith("ev1:") else []
    if isinstance(parameters, dict):
        parameters = list(cast("dict[str, object]", parameters).values())
    rows = cast("list[object]", parameters) if isinstance(parameters, list | tuple) else []
    return [found for row in rows for found in _ids_of(row)]


def test_saving_writes_what_is_new_alone(library: Library) -> None:
    """The whole of a client's ledger was written anew by every call: seconds, for a long one."""
    store = LibraryLedgers(library)
    many = _ledger(*(_span(number * 10, number * 10 + 5) for number in range(2_000)))
    store.save_sync("one", many)
    news = _ledger(_span(0, 5), _span(10, 15), _span(50_000, 50_005))
    news.record_received(_span(60_000, 60_010), 0, 5, 10)
    sent = _statements(library, lambda: store.save_sync("one", news))
    assert sum(len(repr(parameters)) for _, parameters in sent) < 5_000
    (inserted,) = [parameters for statement, parameters in sent if statement.startswith("INSERT")]
    assert _ids_of(inserted) == [_span(50_000, 50_005), _span(60_000, 60_010)]
    assert not [one for one, _ in sent if one.startswith("UPDATE ledger_entries")]
    names = _names(store, "one")
    assert names is not None
    assert names[:2] == [_span(0, 5), _span(10, 15)]
    assert names[-1] == _span(50_000, 50_005)
    # What completes an id changes its entry, in its place.
    rest = Ledger()
    rest.record_received(_span(60_000, 60_010), 5, 10, 10)
    store.save_sync("one", rest)
    store.save_sync("one", _ledger(_span(70_000, 70_005)))
    names = _names(store, "one")
    assert names is not None
    assert names[-2:] == [_span(60_000, 60_010), _span(70_000, 70_005)]


def test_some_ids_alone_may_be_loaded(library: Library) -> None:
    """What else was received does not come along; ids that nobody received, or that are none, are not there."""
    store = LibraryLedgers(library)
    ledger = _ledger(_span(0, 5), _span(10, 15))
    ledger.record_received(_span(20, 30), 0, 4, 10)
    store.save_sync("one", ledger)
    some = store.load_sync("one", [_span(20, 30), _span(10, 15), _span(40, 45), "oops", _span(10, 15)])
    assert some is not None
    assert [kept.evidence_id for kept in some] == [_span(10, 15)]
    assert some.received(_span(20, 30)) == ((0, 4),)
    assert store.load_sync("two", [_span(0, 5)]) is None


PIECES = st.lists(
    st.tuples(
        st.integers(0, 5), st.integers(0, 19), st.integers(0, 19), st.sampled_from((None, *SourceState))
    ),
    max_size=12,
)


@given(saves=st.lists(PIECES, max_size=4))
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_it_keeps_what_one_ledger_would(library: Library, saves: list[Any]) -> None:
    """Saved in parts or recorded in one: the same ids in the same order, the same ranges, the same worst states."""
    store, whole = LibraryLedgers(library), Ledger()
    client = repr(saves)
    for pieces in saves:
        news = Ledger()
        for number, one, other, state in pieces:
            start, end = min(one, other), max(one, other) + 1
            news.record_received(_span(number * 20, number * 20 + 20), start, end, 20, state=state)
        whole.merge(news)
        store.save_sync(client, news)
    loaded = store.load_sync(client)
    assert (None if loaded is None else loaded.export()) == (whole.export() if saves else None)


@pytest.mark.parametrize("client", ["", None, 7])
def test_a_client_has_a_name(library: Library, client: Any) -> None:
    """Anything else would be everybody's ledger."""
    store = LibraryLedgers(library)
    with pytest.raises(InputError, match="client"):
        store.load_sync(client)
    with pytest.raises(InputError, match="client"):
        store.save_sync(client, Ledger())


@pytest.mark.parametrize("client", ["x" * 10_000, "\ud800", "a b/c"])
def test_any_name_will_do(library: Library, client: str) -> None:
    """Session ids of other protocols are as long and as odd as they are."""
    store = LibraryLedgers(library)
    store.save_sync(client, _ledger(_span(0, 5)))
    assert _names(store, client) == [_span(0, 5)]


def test_damage_is_a_store_error(library: Library) -> None:
    """What is there and is no ledger is said to be damaged, without a word of it."""
    store = LibraryLedgers(library)
    store.save_sync("one", _ledger(_span(0, 5)))
    with library.database.writing() as connection:
        connection.execute(sa.update(ledger_entries).values(entry={"evidence_id": "oops"}))
    with pytest.raises(StoreError, match="damaged") as caught:
        store.load_sync("one")
    assert "oops" not in caught.value.message


def test_a_closed_library_says_so(library: Library) -> None:
    """As everything else of it does."""
    library.close()
    with pytest.raises(StoreError, match="closed"):
        LibraryLedgers(library).load_sync("one")


@pytest.mark.on_sqlite
def test_a_library_of_the_first_schema_is_brought_up_to_date(home: Path, library: Library, keep: Any) -> None:
    """It had no ledgers. Opening it makes the tables, once, and loses nothing of what is there."""
    kept = keep("upload://a.txt", "one")
    library.close()
    old = sqlite3.connect(home / "library.db")
    old.execute("DROP TABLE ledger_entries")
    old.execute("DROP TABLE ledgers")
    old.execute("DROP TABLE alembic_version")
    old.execute("UPDATE meta SET value = '1' WHERE name = 'schema'")
    old.commit()
    old.close()
    with Library.open(home) as opened, Library.open(home, tenant="other") as other:
        assert opened.documents() == [kept]
        LibraryLedgers(opened).save_sync("one", _ledger(_span(0, 5)))
        LibraryLedgers(other).save_sync("one", _ledger(_span(10, 15)))
        assert _names(LibraryLedgers(opened), "one") == [_span(0, 5)]
        with opened.database.reading() as connection:
            found = connection.exec_driver_sql("SELECT value FROM meta WHERE name = 'schema'").scalar()
    assert found == str(SCHEMA) == "5"


async def test_what_is_no_ledger_is_refused(library: Library) -> None:
    """In a sentence, and nothing is kept for that client."""
    store = LibraryLedgers(library)
    with pytest.raises(InputError, match="a ledger"):
        await store.save("c", None)  # type: ignore[arg-type]
    assert await store.load("c") is None
