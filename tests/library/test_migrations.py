"""Libraries of older pincites (`tests/data/libraries`, as they wrote them) are brought up to date, and all is kept."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa

from layouts import Servers, on_postgres
from pincite.core import ids
from pincite.core.errors import NotFoundError, StoreError
from pincite.core.limits import DEFAULT
from pincite.library import Library
from pincite.library.database import _laid_on
from pincite.library.ledgers import LibraryLedgers
from pincite.library.tables import REVISION, SCHEMA

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

DUMPS = Path(__file__).resolve().parent.parent / "data" / "libraries"
STATES = ("schema_1", "schema_2", "schema_4", "schema_5_from_2")
HASTY = replace(DEFAULT, busy_seconds=0.2)
# The moment at which the ledgers of the dumps were saved, in Unix seconds.
SAVED = 1_796_000_000.0
EXPENSES = "Expenses\nAbove 250 euro an approval is needed.\nIt's the manager who gives it: 100% of the time."
# How SQLite writes bytes, and the types that PostgreSQL calls otherwise or gets otherwise.
BYTES = re.compile(r"\bX'([0-9A-F]*)'")
TYPES = ((re.compile(r"\bBLOB\b"), "BYTEA"), (re.compile(r"\b(?:VARCHAR\(\d+\)|TEXT)"), 'TEXT COLLATE "C"'))


@dataclass
class Old:
    """A database of the layout under test, without a library in it until one is loaded."""

    address: str

    def load(self, state: str) -> None:
        """Fill it with the library of an earlier pincite."""
        script = (DUMPS / f"{state}.sql").read_text(encoding="utf-8")
        with self.raw() as connection:
            if on_postgres():
                for pattern, name in TYPES:
                    script = "\n".join(
                        line if line.startswith("INSERT") else pattern.sub(name, line)
                        for line in script.split("\n")
                    )
                connection.execute(BYTES.sub(r"'\\x\1'", script))
            else:
                connection.executescript(script)

    def run(self, statement: str) -> list[Any]:
        """Run one statement and return its rows."""
        with self.raw() as connection:
            done = connection.execute(statement)
            return [] if done.description is None else done.fetchall()

    @contextmanager
    def raw(self) -> Generator[Any]:
        """Give a driver's own connection, which commits at the end."""
        if on_postgres():
            import psycopg

            with psycopg.connect(self.address) as connection:
                yield connection
        else:
            lite = sqlite3.connect(self.address.removeprefix("sqlite:///"))
            yield lite
            lite.commit()
            lite.close()


@pytest.fixture
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Old]:
    """A bare database on the layout under test."""
    if not on_postgres():
        yield Old(f"sqlite:///{tmp_path}/old.db")
        return
    servers: Servers = request.getfixturevalue("servers")
    name = f"old{abs(hash(str(tmp_path))):x}"
    with servers.admin() as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name}")
    yield Old(sa.make_url(servers.address).set(database=name).render_as_string(hide_password=False))
    servers.drop(name)


def _opened(old: Old, home: Path) -> Library:
    return Library.open(home, database=old.address, files=str(home / "files"))


@pytest.mark.parametrize("state", STATES)
def test_nothing_is_lost(old: Old, home: Path, state: str) -> None:
    """Documents, old versions, what was removed, conversations and vectors are there as they were written."""
    old.load(state)
    tables = ("documents", "versions", "passages", "places", "changes", "vectors", "conversations")
    columns = {table: _names(old, table) for table in tables}
    before = {table: _rows(old, table, columns[table]) for table in tables}
    with _opened(old, home) as library:
        assert [document.title for document in library.documents()] == ["Expenses", "Travel"]
        expenses, travel = library.documents()
        assert library.document_text(expenses.document_id) == EXPENSES
        assert [passage.text for passage in library.passages_of(expenses.document_id)] == EXPENSES.split("\n")
        assert travel.version == ids.version_of("Travel\nBook by train.\nA taxi is for nights.")
        before_it = ids.version_of("Travel\nBook by train, where that takes at most 6 hours.")
        assert library.document_text(travel.document_id, before_it).endswith("6 hours.")
        removed = old.run("SELECT document_id FROM documents WHERE removed_at IS NOT NULL")[0][0]
        with pytest.raises(NotFoundError):
            library.document_text(removed)
        assert library.head() == 12
    assert {table: _rows(old, table, columns[table]) for table in tables} == before
    assert old.run("SELECT version_num FROM alembic_version") == [(REVISION,)]
    assert old.run("SELECT value FROM meta WHERE name = 'schema'") == [(str(SCHEMA),)]


@pytest.mark.parametrize("state", STATES[1:])
def test_ledgers_are_kept(old: Old, home: Path, state: str) -> None:
    """Each client has what it had received, in order, whatever form it was kept in, and receives more."""
    old.load(state)
    with _opened(old, home) as library:
        store = LibraryLedgers(library, clock=lambda: SAVED + 60)
        expenses, travel = library.documents()
        wanted = [
            f"ev1:c:{document.document_id}:{document.version}:{passage.chunk_id}"
            for document in (expenses, travel)
            for passage in library.passages_of(document.document_id)
        ]
        one, two, three = (store.load_sync(client) for client in ("one", "two", "three"))
        assert one is not None
        assert two is not None
        assert three is not None
        assert [entry["evidence_id"] for entry in one.export()] == wanted
        span = f"ev1:s:{expenses.document_id}:{expenses.version}:0-8"
        assert [entry["evidence_id"] for entry in two.export()] == [span]
        assert three.export() == []
        store.save_sync("three", two)
        store.save_sync("one", two)
        assert [entry["evidence_id"] for entry in _loaded(store, "one")] == [*wanted, span]
        assert [entry["evidence_id"] for entry in _loaded(store, "three")] == [span]


def _loaded(store: LibraryLedgers, client: str) -> list[dict[str, Any]]:
    found = store.load_sync(client)
    assert found is not None
    return found.export()


@pytest.mark.parametrize("state", STATES)
def test_the_tables_are_those_of_a_new_library(old: Old, home: Path, state: str) -> None:
    """Alembic finds no difference to today's tables, and types, keys, indexes and what refers to what are alike."""
    old.load(state)
    _opened(old, home).close()
    _assert_as_new(old, home)


def test_revisions_alone_lay_a_whole_library(old: Old, home: Path) -> None:
    """Run from nothing, they end in the tables that a new library gets at once."""
    from pincite.library._migrations import upgrade

    engine = sa.create_engine(
        old.address.replace("postgresql://", "postgresql+psycopg://"), poolclass=sa.NullPool
    )
    with engine.begin() as connection:
        upgrade(connection)
    engine.dispose()
    _assert_as_new(old, home)


def test_the_number_of_the_last_step_is_the_schema(home: Path) -> None:
    """Steps are counted from one, without a gap or a branch, and the last leads to the schema of this code."""
    from alembic.script import ScriptDirectory

    from pincite.library._migrations.steps import HERE

    steps = [step.revision for step in ScriptDirectory(str(HERE)).walk_revisions()]
    assert steps == [f"{number:04}" for number in range(SCHEMA, 0, -1)]
    assert steps[0] == REVISION


def test_a_library_is_opened_by_many_and_brought_up_once(old: Old, home: Path) -> None:
    """Three processes open an old library at one moment: all can, one brings it up. Later nobody even loads alembic."""
    old.load("schema_1")
    child = (
        "import sys\nfrom pathlib import Path\nfrom pincite.library import Library\n"
        "print('opening', flush=True)\n"
        "with Library.open(Path(sys.argv[1]), database=sys.argv[2], files=sys.argv[1] + '/files') as library:\n"
        "    print([one.title for one in library.documents()], 'alembic' in sys.modules)\n"
    )
    command = [sys.executable, "-c", child, str(home), old.address]
    with old.raw() as connection:
        if on_postgres():
            connection.execute("SELECT pg_advisory_xact_lock(7064906)")
        else:
            connection.execute("BEGIN IMMEDIATE")
        children = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
        for one in children:
            assert one.stdout is not None
            assert one.stdout.readline() == "opening\n"
    said = sorted(one.communicate(timeout=60)[0] for one in children)
    titles = "['Expenses', 'Travel']"
    assert said == [f"{titles} False\n"] * 2 + [f"{titles} True\n"]
    again = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    assert again.stdout == f"opening\n{titles} False\n"


def test_a_library_of_a_newer_revision_is_left_alone(old: Old, home: Path) -> None:
    """A sentence says what to do, and nothing of it is changed."""
    _opened(old, home).close()
    old.run("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError, match="newer pincite") as caught:
        _opened(old, home)
    assert caught.value.message.endswith("upgrade it.")
    assert old.run("SELECT version_num FROM alembic_version") == [("9999",)]


def test_a_revision_that_nobody_knows_is_damage(old: Old, home: Path) -> None:
    """Where the number is none of ours, nothing is guessed."""
    _opened(old, home).close()
    old.run("UPDATE alembic_version SET version_num = '000'")
    with pytest.raises(StoreError, match="damaged"):
        _opened(old, home)


def test_a_step_that_fails_leaves_all_as_it_was(old: Old, home: Path) -> None:
    """The last step fails. The library has no number then, none of the tables of the steps before, and all its rows."""
    old.load("schema_2")
    old.run("CREATE INDEX audit_by_age ON meta (name)")
    with pytest.raises(StoreError):
        Library.open(home, database=old.address, files=str(home / "files"), limits=HASTY)
    engine = sa.create_engine(
        old.address.replace("postgresql://", "postgresql+psycopg://"), poolclass=sa.NullPool
    )
    with engine.connect() as connection:
        there = set(sa.inspect(connection).get_table_names())
    engine.dispose()
    assert there & {"alembic_version", "ledger_entries", "bibliographies", "jobs"} == set()
    assert old.run("SELECT value FROM meta WHERE name = 'schema'") == [("2",)]
    assert old.run("SELECT count(*) FROM ledgers") == [(3,)]
    old.run("DROP INDEX audit_by_age")
    with _opened(old, home) as library:
        assert len(library.documents()) == 2


def _names(old: Old, table: str) -> list[str]:
    if on_postgres():
        found = old.run(f"SELECT jsonb_object_keys(to_jsonb(one)) FROM (SELECT * FROM {table} LIMIT 1) one")  # noqa: S608 - names of ours
        return sorted(row[0] for row in found)
    return sorted(row[1] for row in old.run(f"PRAGMA table_info({table})"))


def _rows(old: Old, table: str, names: list[str]) -> list[Any]:
    listed = ", ".join(f'"{name}"' for name in names)
    return sorted(old.run(f"SELECT {listed} FROM {table}"), key=repr)  # noqa: S608 - names of ours


def _assert_as_new(old: Old, home: Path) -> None:
    """Compare a database with today's tables: as alembic does, and more closely with those of a new library."""
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    engine = sa.create_engine(
        old.address.replace("postgresql://", "postgresql+psycopg://"), poolclass=sa.NullPool
    )
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, _laid_on(connection.dialect)) == []
        found = _shape(connection)
        if not on_postgres():
            assert connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []
    engine.dispose()
    with Library.open(home / "new") as new, new.database.reading() as connection:
        assert found == _shape(connection)


def _shape(connection: sa.Connection) -> dict[str, Any]:
    """Return, for each table, its columns, keys, what it refers to, and its indexes, in no order but that of keys."""
    tables = sa.inspect(connection)
    return {
        name: (
            {
                column["name"]: (repr(column["type"]), column["nullable"], column["default"])
                for column in tables.get_columns(name)
            },
            tables.get_pk_constraint(name)["constrained_columns"],
            sorted(
                (
                    key["constrained_columns"],
                    key["referred_table"],
                    key["referred_columns"],
                    str(key.get("options")),
                )
                for key in tables.get_foreign_keys(name)
            ),
            sorted(unique["column_names"] for unique in tables.get_unique_constraints(name)),
            sorted(
                (str(index["name"]), index["column_names"], bool(index["unique"]), _where(index))
                for index in tables.get_indexes(name)
            ),
        )
        for name in sorted(set(tables.get_table_names()) - {"alembic_version"})
    }


def _where(index: Any) -> list[str]:
    """Return what the rows of a partial index are, each way it is told."""
    options = index.get("dialect_options", {})
    return [str(value) for name, value in sorted(options.items()) if name.endswith("where")]
