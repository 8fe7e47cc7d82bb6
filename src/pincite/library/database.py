"""The database: connections, transactions, and its errors as sentences. The one place that knows a dialect."""

from __future__ import annotations

import json
import time
from contextlib import contextmanager
from itertools import islice
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa
from sqlalchemy import event, exc

from pincite.core.errors import SettingError, StoreError
from pincite.library.tables import METADATA, SCHEMA, counters, meta

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator
    from pathlib import Path

    from pincite.core.limits import Limits

BATCH: Final = 500
"""Values in one `IN (...)`: far below every database's limit of variables."""

_POOL_SIZE = 8
_POOL_OVERFLOW = 56
_WRITES = "pincite_writes"
# SQLite's readers see one state from their first statement on; elsewhere that has to be asked for.
_READING: dict[str, dict[str, Any]] = {"postgresql": {"isolation_level": "REPEATABLE READ"}}

_BUSY = "Another program is writing to the library; nothing was changed, try again."
# What a driver says, in lower case, and what it means for the person who asked.
_SENTENCES: tuple[tuple[str, str], ...] = (
    ("locked", _BUSY),
    ("disk is full", "The disk is full; nothing was changed."),
    ("no space left", "The disk is full; nothing was changed."),
    ("disk i/o error", "The disk failed while the library was in use; nothing was changed."),
    ("readonly", "The library may only be read here: its folder or file is write-protected."),
    ("unable to open", "The library's database cannot be opened; check that its folder is there and yours."),
    ("not a database", "The library's database is damaged: the file is not a database."),
    ("malformed", "The library's database is damaged; restore it from a copy."),
    ("connection", "The library's database does not answer; check its address and try again."),
    ("timeout", "The library's database is too busy; nothing was changed, try again."),
)


def sentence_of(error: Exception) -> str:
    """Say in one sentence, without a path or address, what went wrong with the database or the files."""
    said = str(error).lower()
    for words, sentence in _SENTENCES:
        if words in said:
            return sentence
    return f"The library could not be read or written ({type(error).__name__}); nothing was changed."


def batches(values: Iterable[str]) -> Iterator[list[str]]:
    """Cut `values` into lists of at most `BATCH`, each value once."""
    rest = iter(dict.fromkeys(values))
    while batch := list(islice(rest, BATCH)):
        yield batch


class Database:
    """One tenant's view of the database; thread-safe. A write holds the tenant's one writer's lock."""

    __slots__ = ("_busy_seconds", "_closed", "_queue", "_reads", "_writes", "engine", "tenant")

    def __init__(self, engine: sa.Engine, tenant: str, busy_seconds: float) -> None:
        self.tenant = tenant
        self._busy_seconds = busy_seconds
        self._closed = False
        # Threads of one process wait here, where they wake at once; SQLite's own waiting polls.
        self._queue = Lock()
        # Under every connection; public for those who listen to its events.
        self.engine = engine
        self._reads = engine.execution_options(**_READING.get(engine.dialect.name, {}))
        self._writes = engine.execution_options(**{_WRITES: True})

    @classmethod
    def open(cls, address: str | None, *, file: Path, tenant: str, limits: Limits) -> Database:
        """Open the database at `address` (default: SQLite in `file`), made ready when it is new.

        Raises:
            SettingError: the address cannot be read.
            StoreError: the database cannot be opened, or was written by a newer pincite.
        """
        database = cls(_engine(address, file, limits), tenant, limits.busy_seconds)
        try:
            database._prepare()
        except BaseException:
            database.close()
            raise
        return database

    @contextmanager
    def reading(self) -> Generator[sa.Connection, None, None]:
        """Give a connection whose statements see one state of the library.

        Raises:
            StoreError: the database cannot be read.
        """
        self._check_open()
        try:
            with self._reads.connect() as connection:
                yield connection
        except exc.SQLAlchemyError as error:
            raise StoreError(sentence_of(error)) from error

    @contextmanager
    def writing(self) -> Generator[sa.Connection, None, None]:
        """Give a connection in a transaction that no other writer of the tenant overlaps; it commits at the end.

        Raises:
            StoreError: the database cannot be written, or another writer took longer than `busy_seconds`.
        """
        self._check_open()
        if not self._queue.acquire(timeout=self._busy_seconds):
            raise StoreError(_BUSY)
        try:
            with self._writes.begin() as connection:
                connection.execute(self._counter().with_for_update())
                yield connection
        except exc.SQLAlchemyError as error:
            raise StoreError(sentence_of(error)) from error
        finally:
            self._queue.release()

    def close(self) -> None:
        """Close every connection; later calls raise StoreError."""
        self._closed = True
        self.engine.dispose()

    def _check_open(self) -> None:
        if self._closed:
            msg = "The library is closed."
            raise StoreError(msg)

    def _counter(self) -> sa.Select[tuple[int]]:
        # The tenant's row that every writer locks; on SQLite, where BEGIN IMMEDIATE is the lock, it is only read.
        return sa.select(counters.c.value).where(counters.c.tenant == self.tenant, counters.c.name == "seq")

    def _prepare(self) -> None:
        """Check the schema; lay it and the tenant's counter when they are missing.

        A library that is in order is opened without a write, so that a reader never waits for a writer. One of an
        older schema is brought up to date in one transaction.
        """
        # The file's mode changes once, and SQLite asks nobody to wait for it: so this does.
        deadline = time.monotonic() + self._busy_seconds
        while True:
            try:
                if not self._in_order():
                    self._lay()
            except StoreError as error:
                if not _is_lock(error) or time.monotonic() >= deadline:
                    raise
                time.sleep(0.02)
            else:
                return

    def _in_order(self) -> bool:
        with self.reading() as connection:
            if not sa.inspect(connection).has_table(meta.name):
                return False
            found = _schema(connection.scalar(sa.select(meta.c.value).where(meta.c.name == "schema")))
            return found == SCHEMA and connection.execute(self._counter()).first() is not None

    def _lay(self) -> None:
        row = {"tenant": self.tenant, "name": "seq", "value": 0}
        try:
            with self._writes.begin() as connection:
                METADATA.create_all(connection)
                _add_columns(connection)
                if connection.scalar(sa.select(sa.func.count()).select_from(meta)) == 0:
                    connection.execute(sa.insert(meta).values(name="schema", value=str(SCHEMA)))
                else:
                    # What an older schema lacks was made above. A newer one is never written back.
                    is_schema = meta.c.name == "schema"
                    if _schema(connection.scalar(sa.select(meta.c.value).where(is_schema))) < SCHEMA:
                        connection.execute(sa.update(meta).where(is_schema).values(value=str(SCHEMA)))
                if connection.execute(self._counter()).first() is None:
                    connection.execute(sa.insert(counters).values(row))
        except exc.SQLAlchemyError as error:
            # Another process laid it at the same moment: that one's is looked at next.
            raced = isinstance(error, exc.IntegrityError) or "already exists" in str(error)
            raise StoreError(_BUSY if raced else sentence_of(error)) from error


def _add_columns(connection: sa.Connection) -> None:
    """Add the columns that the tables of an older schema lack; all of them may be null."""
    inspected = sa.inspect(connection)
    for table in METADATA.sorted_tables:
        there = {column["name"] for column in inspected.get_columns(table.name)}
        for column in table.columns:
            if column.name not in there:
                kind = column.type.compile(connection.dialect)
                name = connection.dialect.identifier_preparer.format_column(column)
                connection.execute(sa.text(f"ALTER TABLE {table.name} ADD COLUMN {name} {kind}"))


def _is_lock(error: StoreError) -> bool:
    return error.message == _BUSY


def _schema(found: str | None) -> int:
    """Return the schema that a database says it has, if this code can read it."""
    if found is None or not found.isdecimal():
        msg = "The library's database is damaged: it does not say which schema it has."
        raise StoreError(msg)
    if int(found) > SCHEMA:
        msg = f"This library was written by a newer pincite (schema {found}, this one reads {SCHEMA}): upgrade it."
        raise StoreError(msg)
    return int(found)


def _compact(value: Any) -> str:  # noqa: ANN401 - whatever JSON holds
    return json.dumps(value, separators=(",", ":"))


def _engine(address: str | None, file: Path, limits: Limits) -> sa.Engine:
    options: dict[str, Any] = {
        "pool_size": _POOL_SIZE,
        "max_overflow": _POOL_OVERFLOW,
        "pool_timeout": limits.busy_seconds,
        "json_serializer": _compact,
        "hide_parameters": True,
    }
    try:
        url = sa.make_url(address) if address else sa.URL.create("sqlite", database=str(file))
        if url.get_backend_name() != "sqlite":
            return sa.create_engine(url, pool_pre_ping=True, **options)
        if url.database in (None, "", ":memory:"):
            msg = "A library in memory is lost at once; give the database a file."
            raise SettingError(msg, field="PINCITE_DATABASE")
        engine = sa.create_engine(
            url, poolclass=sa.QueuePool, connect_args={"check_same_thread": False}, **options
        )
    except (exc.ArgumentError, exc.NoSuchModuleError, ValueError) as error:
        msg = "The database address cannot be read; it looks like `sqlite:////folder/library.db`."
        raise SettingError(msg, field="PINCITE_DATABASE") from error
    except ImportError as error:
        msg = "The driver that the database address names is not installed."
        raise SettingError(msg, field="PINCITE_DATABASE") from error
    _tune_sqlite(engine, limits.busy_seconds)
    return engine


def _tune_sqlite(engine: sa.Engine, busy_seconds: float) -> None:
    """Set what SQLite leaves to its user: real transactions, waiting, durability, foreign keys."""
    pragmas = (
        f"PRAGMA busy_timeout={int(busy_seconds * 1000)}",
        "PRAGMA journal_mode=WAL",
        # What was acknowledged survives a power cut too, for one flush a transaction.
        "PRAGMA synchronous=FULL",
        "PRAGMA foreign_keys=ON",
    )

    def on_connect(raw: Any, _record: object) -> None:  # noqa: ANN401 - a driver's connection
        # The driver's own BEGIN comes late and is never IMMEDIATE: ours replaces it.
        raw.isolation_level = None
        cursor = raw.cursor()
        for pragma in pragmas:
            cursor.execute(pragma)
        cursor.close()

    def on_begin(connection: sa.Connection) -> None:
        # A writer takes the lock at once: one that begins as a reader could only fail to become one.
        writes = connection.get_execution_options().get(_WRITES, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    event.listen(engine, "connect", on_connect)
    event.listen(engine, "begin", on_begin)
