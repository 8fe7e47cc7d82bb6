"""The database: opened once and for all, errors as sentences without paths."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from threading import Barrier, Thread
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa
from sqlalchemy import event

from pincite.core.errors import InputError, SettingError, StoreError
from pincite.core.limits import DEFAULT
from pincite.library import Library
from pincite.library.database import BATCH, batches
from pincite.library.tables import METADATA

if TYPE_CHECKING:
    from pathlib import Path

HASTY = replace(DEFAULT, busy_seconds=0.2)


def _plain(error: StoreError) -> bool:
    """Say whether an error is one sentence that shows no path."""
    return error.message.endswith(".") and "/" not in error.message and "\n" not in error.message


def test_library_is_opened_again(home: Path, library: Library, keep: Any) -> None:
    """What one opening kept another finds."""
    kept = keep("upload://a.txt", "one")
    library.close()
    with Library.open(home) as again:
        assert again.documents() == [kept]


def test_newer_schema_is_refused(home: Path, library: Library) -> None:
    """A library of a newer pincite is left alone, with a sentence that says what to do."""
    with library.database.writing() as connection:
        connection.exec_driver_sql("UPDATE meta SET value = '99' WHERE name = 'schema'")
    with pytest.raises(StoreError, match="newer pincite") as caught:
        Library.open(home)
    assert _plain(caught.value)


def test_missing_schema_is_damage(home: Path, library: Library) -> None:
    """A database that does not say its schema is not guessed at."""
    with library.database.writing() as connection:
        connection.exec_driver_sql("DELETE FROM meta")
    with pytest.raises(StoreError, match="damaged"):
        Library.open(home)


@pytest.mark.on_sqlite
def test_file_that_is_no_database(home: Path) -> None:
    """Anything else in the database's place is an error and is not written over."""
    home.mkdir()
    (home / "library.db").write_bytes(b"not a database, " * 1000)
    with pytest.raises(StoreError, match="not a database") as caught:
        Library.open(home)
    assert _plain(caught.value)
    assert (home / "library.db").read_bytes().startswith(b"not a database")


def test_home_that_is_a_file(tmp_path: Path) -> None:
    """A file where the folder should be is a StoreError without a path."""
    (tmp_path / "home").write_text("x")
    with pytest.raises(StoreError) as caught:
        Library.open(tmp_path / "home")
    assert _plain(caught.value)


def test_closed_library_says_so(home: Path) -> None:
    """After closing, every call is a StoreError; closing twice is fine."""
    library = Library.open(home)
    library.close()
    library.close()
    with pytest.raises(StoreError, match="closed"):
        library.documents()
    with pytest.raises(StoreError, match="closed"):
        library.collection("x")


@pytest.mark.on_sqlite
@pytest.mark.on_sqlite
def test_writer_waits_its_time_and_gives_up(home: Path, library: Library) -> None:
    """While somebody else writes, reading goes on, and a writer gives up after `busy_seconds`."""
    library.collection("there")
    outside = sqlite3.connect(home / "library.db", isolation_level=None)
    outside.execute("BEGIN IMMEDIATE")
    with Library.open(home, limits=HASTY) as hasty:
        assert [found.name for found in hasty.collections()] == ["there"]
        with pytest.raises(StoreError, match="try again") as caught:
            hasty.collection("new")
        assert _plain(caught.value)
        outside.execute("ROLLBACK")
        assert hasty.collection("new").name == "new"
    outside.close()


@pytest.mark.on_sqlite
def test_full_disk_changes_nothing(library: Library, keep: Any) -> None:
    """When the database can grow no further the document is not there at all, and reading goes on."""
    kept = keep("upload://a.txt", "one")

    def full(raw: Any, _record: object, _proxy: object) -> None:
        raw.execute("PRAGMA max_page_count=1")

    event.listen(library.database.engine, "checkout", full)
    with pytest.raises(StoreError, match="disk is full") as caught:
        keep("upload://b.txt", "\n".join(f"line {n}" for n in range(5000)))
    assert _plain(caught.value)
    assert library.documents() == [kept]
    assert library.head() == 1


@pytest.mark.parametrize(
    "address", ["", "nope", "nope://x", "sqlite://", "sqlite:///:memory:", "mysql+nodriver://u:secret@h/d"]
)
def test_unreadable_address(home: Path, address: str) -> None:
    """An address that names no lasting database is a setting error that repeats nothing of it."""
    if not address:
        with Library.open(home, database=None) as opened:
            assert opened.documents() == []
        return
    with pytest.raises(SettingError) as caught:
        Library.open(home, database=address)
    assert "secret" not in str(caught.value)


def test_database_elsewhere(tmp_path: Path) -> None:
    """The database may stand in a file of one's own choice."""
    with Library.open(tmp_path / "home", database=f"sqlite:///{tmp_path}/own.db") as library:
        library.collection("x")
    assert (tmp_path / "own.db").is_file()
    assert not (tmp_path / "home" / "library.db").exists()


@pytest.mark.parametrize("tenant", ["", "A", "../x", ".x", "a/b", "x" * 65, "ä"])
def test_tenant_is_a_safe_name(home: Path, tenant: str) -> None:
    """A tenant's name leads keys and names a folder, so it is plain."""
    with pytest.raises(InputError):
        Library.open(home, tenant=tenant)


def test_every_key_and_index_is_led_by_the_tenant() -> None:
    """All tables have the tenant first in primary key, uniques and indexes.

    But for the one about the schema, and the one that leads from a key to its tenant.
    """
    for table in METADATA.tables.values():
        if table.name in {"meta", "directory"}:
            continue
        keys = [table.primary_key.columns, *(index.columns for index in table.indexes)]
        keys += [one.columns for one in table.constraints if isinstance(one, sa.UniqueConstraint)]
        assert {next(iter(columns)).name for columns in keys} == {"tenant"}, table.name


@pytest.mark.on_sqlite
def test_durable_settings_are_on(library: Library) -> None:
    """Every connection has write-ahead logging, full synchronising and foreign keys."""
    with library.database.reading() as connection:
        found = [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        ]
    assert found == ["wal", 2, 1, 30_000]


def test_a_connection_that_comes_back_late_is_closed(library: Library) -> None:
    """A thread that still reads when the library is closed keeps nothing open behind it."""
    closed: list[object] = []

    def on_close(raw: object, _record: object) -> None:
        closed.append(raw)

    event.listen(library.database.engine, "close", on_close)
    with library.database.reading() as connection:
        raw = connection.connection.dbapi_connection
        library.close()
        assert raw not in closed
    assert raw in closed


def test_threads_share_a_library(library: Library, keep: Any) -> None:
    """Eight threads keep and read at once: nothing is lost, nothing fails."""
    barrier = Barrier(8)
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            barrier.wait()
            for turn in range(5):
                kept = keep(f"upload://{number}.txt", f"thread {number}\nturn {turn}")
                assert library.document(kept.document_id).version == kept.version
                assert len(library.documents()) >= 1
        except BaseException as error:  # noqa: BLE001 - told to the test
            failures.append(error)

    threads = [Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(library.documents()) == 8
    changes = library.changes(0, 1000)
    assert [change.seq for change in changes] == list(range(1, len(changes) + 1))


def test_batches_are_bounded() -> None:
    """Values are cut into lists below the limit of variables, each once, in order."""
    values = [str(number) for number in range(BATCH + 1)]
    assert list(batches(values + values)) == [values[:BATCH], values[BATCH:]]
    assert list(batches([])) == []
