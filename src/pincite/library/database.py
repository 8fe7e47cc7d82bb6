"""The database: transactions, schema, errors as sentences. With `_engine` the one place that knows a dialect."""

from __future__ import annotations

import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import islice
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa
from sqlalchemy import exc

from pincite.core.errors import SettingError, StoreError
from pincite.library import access_tables, index_tables, work_tables  # noqa: F401 # pyright: ignore[reportUnusedImport] - laid with the others
from pincite.library._copy import SHOWN, Copy
from pincite.library._engine import WRITES, engine_of, without_references
from pincite.library.tables import FIRST_REVISION, METADATA, REVISION, SCHEMA, counters, meta, revisions

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator
    from pathlib import Path

    from pincite.core.limits import Limits

BATCH: Final = 500
"""Values in one `IN (...)`: far below every database's limit of variables."""

_READS: Final = "PINCITE_DATABASE_READS"

UNFINISHED: Final = "unfinished"
"""Row of `meta` of a library that another one is still being copied into."""

# SQLite's readers see one state from their first statement on; PostgreSQL's have to ask for that.
_READING: dict[str, dict[str, Any]] = {
    "postgresql": {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
}
# A copy that has these rows has what was there before them too.
_COUNTED: Final = frozenset({"seq", SHOWN})
# Any number that is ours: those who lay a schema at the same moment stand in a line.
_LAYING: Final = 7_064_906

_BUSY = "Another program is writing to the library; nothing was changed, try again."
_FULL = "The disk is full; nothing was changed."
_SLOW = "The library's database is too busy; nothing was changed, try again."
_SILENT = "The library's database does not answer; check its address and try again."
_REFUSED = "The library's database refuses the user, the password or the name of the database in its address."
# Codes of PostgreSQL, or their beginnings, and what they mean for the person who asked.
_STATES: tuple[tuple[str, str], ...] = (
    ("55P03", _BUSY),
    ("40", _BUSY),
    ("57014", _SLOW),
    ("53100", _FULL),
    ("53", _SLOW),
    ("08", _SILENT),
    ("57P", _SILENT),
    ("28", _REFUSED),
    ("3D", _REFUSED),
    ("42P01", "The library's database is damaged: a table of it is missing."),
    ("42501", "The library's database may not be written, or not be laid, by the user in its address."),
    ("25006", "The library may only be read here: its database is a copy that follows another."),
)
# What a driver says, in lower case, and what it means.
_SENTENCES: tuple[tuple[str, str], ...] = (
    ("queuepool limit", _SLOW),
    ("locked", _BUSY),
    ("disk is full", _FULL),
    ("no space left", _FULL),
    ("authentication failed", _REFUSED),
    ("no password supplied", _REFUSED),
    ("fatal:  database", _REFUSED),
    ("fatal:  role", _REFUSED),
    ("disk i/o error", "The disk failed while the library was in use; nothing was changed."),
    ("readonly", "The library may only be read here: its folder or file is write-protected."),
    ("unable to open", "The library's database cannot be opened; check that its folder is there and yours."),
    ("not a database", "The library's database is damaged: the file is not a database."),
    ("malformed", "The library's database is damaged; restore it from a copy."),
    ("connection", _SILENT),
    ("timeout", _SLOW),
)


def sentence_of(error: Exception) -> str:
    """Say in one sentence, without a path or address, what went wrong with the database or the files."""
    state = str(getattr(getattr(error, "orig", None), "sqlstate", None) or "")
    for code, sentence in _STATES:
        if state.startswith(code):
            return sentence
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


def take_numbers(connection: sa.Connection, tenant: str, name: str, count: int = 1) -> int:
    """Return the first of `count` numbers of the counter `name`, from 1 on, that were never given and never are again.

    It stands in a transaction of the tenant's one writer.
    """
    mine = sa.and_(counters.c.tenant == tenant, counters.c.name == name)
    last = connection.scalar(sa.select(counters.c.value).where(mine))
    if last is None:
        connection.execute(sa.insert(counters).values(tenant=tenant, name=name, value=count))
        return 1
    connection.execute(sa.update(counters).where(mine).values(value=last + count))
    return last + 1


@dataclass(slots=True)
class _Shared:
    """What every tenant's view of one database has in common."""

    closed: bool = False
    # Where connections of the closed engine come back to.
    pool: sa.Pool | None = None
    # Threads of one process wait here, where they wake at once; SQLite's own waiting polls.
    queues: dict[str, Lock] = field(default_factory=dict[str, Lock])
    # What `looking` may read from.
    copy: Copy | None = None

    def came_back(self) -> None:
        """Close a connection that a thread gave back after the engine was closed: nobody else would."""
        if self.closed and self.pool is not None:
            self.pool.dispose()


class Database:
    """One tenant's view of the database; thread-safe. A write holds the tenant's one writer's lock."""

    __slots__ = (
        "_busy_seconds",
        "_closed",
        "_owns",
        "_queue",
        "_reads",
        "_shared",
        "_unfinished",
        "_writes",
        "engine",
        "tenant",
    )

    def __init__(
        self,
        engine: sa.Engine,
        tenant: str,
        busy_seconds: float,
        *,
        shared: _Shared | None = None,
        unfinished: bool = False,
    ) -> None:
        """`shared` is of the view that this one is made of; without it, closing this one closes the engine."""
        self._unfinished = unfinished
        self.tenant = tenant
        self._busy_seconds = busy_seconds
        self._closed = False
        self._owns = shared is None
        self._shared = _Shared() if shared is None else shared
        # SQLite has one writer, whoever it is for.
        self._queue = self._shared.queues.setdefault(
            "" if engine.dialect.name == "sqlite" else tenant, Lock()
        )
        # Under every connection; public for those who listen to its events.
        self.engine = engine
        self._reads = engine.execution_options(**_READING.get(engine.dialect.name, {}))
        self._writes = engine.execution_options(**{WRITES: True})

    @classmethod
    def open(
        cls,
        address: str | None,
        *,
        file: Path,
        tenant: str,
        limits: Limits,
        unfinished: bool = False,
        reads: str | None = None,
    ) -> Database:
        """Open the database at `address` (default: SQLite in `file`), made ready when it is new.

        One that another library is still being copied into is opened with `unfinished` alone. `reads` is the address of
        a copy that follows the database, which `looking` may read from.

        Raises:
            MissingExtraError: the address is of PostgreSQL and its driver is not installed.
            SettingError: the address cannot be read.
            StoreError: the database cannot be opened, is unfinished, or was written by a newer pincite.
        """
        database = cls(engine_of(address, file, limits), tenant, limits.busy_seconds, unfinished=unfinished)
        try:
            if reads is not None:
                database._shared.copy = _copy_at(reads, database.engine, file, limits)
            database._prepare()
        except BaseException:
            database.close()
            raise
        return database

    def of_tenant(self, tenant: str) -> Database:
        """Return another tenant's view of the same database; it ends when the first one is closed.

        Raises:
            StoreError: the database cannot be written, where the tenant is new to it.
        """
        view = Database(self.engine, tenant, self._busy_seconds, shared=self._shared)
        view._prepare()
        return view

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
        finally:
            self._shared.came_back()

    @contextmanager
    def looking(self) -> Generator[sa.Connection, None, None]:
        """Give what `reading` gives, from the copy that follows the database where there is one and it lacks nothing.

        It is for what documents and collections are and say, which `changing` writes, and for nothing else: of all
        other rows a copy may have less than the database.

        Raises:
            StoreError: the database cannot be read.
        """
        copy = self._shared.copy
        if copy is None:
            with self.reading() as connection:
                yield connection
            return
        self._check_open()
        try:
            with ExitStack() as ending:
                found = ending.enter_context(copy.reading(self.tenant))
                yield ending.enter_context(self.reading()) if found is None else found
        except exc.SQLAlchemyError as error:
            raise StoreError(sentence_of(error)) from error
        finally:
            self._shared.came_back()

    @contextmanager
    def changing(self) -> Generator[sa.Connection, None, None]:
        """Give what `writing` gives, for whatever changes what `looking` reads: copies are told apart by its number.

        Raises:
            StoreError: the database cannot be written, or another writer took longer than `busy_seconds`.
        """
        with self.writing() as connection:
            yield connection
            take_numbers(connection, self.tenant, SHOWN)

    @contextmanager
    def writing(self) -> Generator[sa.Connection, None, None]:
        """Give a connection in a transaction that no other writer of the tenant overlaps; it commits at the end.

        Raises:
            StoreError: the database cannot be written, or another writer took longer than `busy_seconds`.
        """
        with self._begin(self._queue) as connection:
            connection.execute(self._counter().with_for_update())
            yield connection

    @contextmanager
    def working(self) -> Generator[sa.Connection, None, None]:
        """Give a connection in a transaction that is no tenant's, for what belongs to all; it commits at the end.

        Elsewhere than on SQLite others write at the same time: a statement locks the rows that it needs.

        Raises:
            StoreError: the database cannot be written, or another writer took longer than `busy_seconds`.
        """
        with self._begin(self._shared.queues.setdefault("", Lock())) as connection:
            yield connection

    @contextmanager
    def _begin(self, queue: Lock) -> Generator[sa.Connection, None, None]:
        self._check_open()
        if not queue.acquire(timeout=self._busy_seconds):
            raise StoreError(_BUSY)
        try:
            with self._writes.begin() as connection:
                yield connection
        except exc.SQLAlchemyError as error:
            raise StoreError(sentence_of(error)) from error
        finally:
            queue.release()
            self._shared.came_back()

    def close(self) -> None:
        """Close this view, and with the first one every connection; later calls raise StoreError."""
        self._closed = True
        if self._owns:
            self._shared.pool = self._shared.pool or self.engine.pool
            self._shared.closed = True
            self.engine.dispose()
            if self._shared.copy is not None:
                self._shared.copy.close()

    def _check_open(self) -> None:
        if self._closed or self._shared.closed:
            msg = "The library is closed."
            raise StoreError(msg)

    def _counter(self) -> sa.Select[tuple[int]]:
        # The tenant's row that every writer locks; on SQLite, where BEGIN IMMEDIATE is the lock, it is only read.
        return sa.select(counters.c.value).where(counters.c.tenant == self.tenant, counters.c.name == "seq")

    def _counters_absent(self, connection: sa.Connection) -> list[str]:
        """Return which of the counters are missing that every tenant has from the beginning."""
        mine = sa.and_(counters.c.tenant == self.tenant, counters.c.name.in_(_COUNTED))
        return sorted(_COUNTED - set(connection.scalars(sa.select(counters.c.name).where(mine))))

    def _prepare(self) -> None:
        """Check the schema; lay it and the tenant's counter when they are missing, bring it up to date when it is old.

        A library that is in order is opened without a write, so that a reader never waits for a writer.
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
            found = _revision_of(connection)
            if found is None:
                return False
            unfinished = sa.select(meta.c.value).where(meta.c.name == UNFINISHED)
            if not self._unfinished and connection.execute(unfinished).first() is not None:
                msg = "Another library is still being copied into this one: run `pincite migrate` to its end."
                raise StoreError(msg)
            return found == REVISION and not self._counters_absent(connection)

    def _lay(self) -> None:
        found = None
        try:
            with without_references(self._writes) as connection, connection.begin():
                if connection.dialect.name == "postgresql":
                    connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LAYING)))
                # Looked at again: whoever had the lock before may have done it.
                found = _revision_of(connection)
                if found is None:
                    _laid_on(connection.dialect).create_all(connection)
                    _laid_on(connection.dialect, revisions.metadata).create_all(connection)
                    connection.execute(sa.insert(revisions).values(version_num=REVISION))
                    connection.execute(sa.insert(meta).values(name="schema", value=str(SCHEMA)))
                elif found != REVISION:
                    _bring_up(connection, found)
                rows = [
                    {"tenant": self.tenant, "name": name, "value": 0}
                    for name in self._counters_absent(connection)
                ]
                if rows:
                    connection.execute(sa.insert(counters), rows)
        except exc.SQLAlchemyError as error:
            # Another process laid it at the same moment: that one's is looked at next.
            raced = isinstance(error, exc.IntegrityError) or (
                found is None and "already exists" in str(error)
            )
            raise StoreError(_BUSY if raced else sentence_of(error)) from error


def _revision_of(connection: sa.Connection) -> str | None:
    """Return the revision of the library there, empty where it was made before there were any; None without one.

    Raises:
        StoreError: it was written by a newer pincite, or does not say its schema.
    """
    tables = sa.inspect(connection)
    numbered = tables.has_table(revisions.name)
    if not numbered and not tables.has_table(meta.name):
        return None
    _check_schema(connection.scalar(sa.select(meta.c.value).where(meta.c.name == "schema")))
    if not numbered:
        return ""
    found = connection.scalar(sa.select(revisions.c.version_num)) or ""
    if found > REVISION:
        msg = f"This library was written by a newer pincite (revision {found}, this one knows {REVISION}): upgrade it."
        raise StoreError(msg)
    return found


def _bring_up(connection: sa.Connection, found: str) -> None:
    """Run the revisions that a library lacks; one without a number has the first one, and any part of the others."""
    # Heavy, and needed once in a library's life at most.
    from pincite.library._migrations import upgrade

    if connection.dialect.name == "postgresql":
        # A statement that moves what there is takes as long as there is much.
        connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
    if not found:
        _laid_on(connection.dialect, revisions.metadata).create_all(connection)
        connection.execute(sa.delete(revisions))
        connection.execute(sa.insert(revisions).values(version_num=FIRST_REVISION))
    upgrade(connection)
    connection.execute(sa.update(meta).where(meta.c.name == "schema").values(value=str(SCHEMA)))


def _copy_at(address: str, primary: sa.Engine, file: Path, limits: Limits) -> Copy:
    try:
        engine = engine_of(address, file, limits)
    except SettingError as error:
        raise SettingError(error.message, field=_READS) from error
    kinds = {engine.dialect.name, primary.dialect.name}
    if kinds != {"postgresql"}:
        msg = "Only a database of PostgreSQL has a copy to read from: both addresses are of one."
        raise SettingError(msg, field=_READS)
    return Copy(primary, engine.execution_options(**_READING["postgresql"]))


def _laid_on(dialect: sa.Dialect, metadata: sa.MetaData = METADATA) -> sa.MetaData:
    """Return the tables as a database gets them: on each one texts are of any length, and their bytes tell the order.

    SQLite does so by itself. PostgreSQL would hold texts to a length that was meant to be read, and sort them by the
    rules of a language.
    """
    if dialect.name == "sqlite":
        return metadata
    laid = sa.MetaData()
    for table in metadata.sorted_tables:
        for column in table.to_metadata(laid).columns:
            if isinstance(column.type, sa.String):
                column.type = sa.Text(collation="C")
    return laid


def _is_lock(error: StoreError) -> bool:
    return error.message == _BUSY


def _check_schema(found: str | None) -> None:
    if found is None or not found.isdecimal():
        msg = "The library's database is damaged: it does not say which schema it has."
        raise StoreError(msg)
    if int(found) > SCHEMA:
        msg = f"This library was written by a newer pincite (schema {found}, this one reads {SCHEMA}): upgrade it."
        raise StoreError(msg)
