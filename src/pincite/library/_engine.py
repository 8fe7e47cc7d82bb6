"""Connections to SQLite and PostgreSQL, set up alike: what one does by itself the other is told to do."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa
from sqlalchemy import event, exc

from pincite.core.errors import MissingExtraError, SettingError, StoreError

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from pincite.core.limits import Limits

WRITES: Final = "pincite_writes"
"""Execution option of a connection that begins in order to write."""
OLDEST_POSTGRES: Final = 15

_SETTING: Final = "PINCITE_DATABASE"
_POOL_SIZE: Final = 8
# A file has room for every thread; a server of PostgreSQL has 100 connections for all processes together.
_OVERFLOW: Final = {"sqlite": 56, "postgresql": 24}
# Statements of a writer that wait for nobody end after so many times what a writer waits for another.
_STATEMENT_TIMES: Final = 4


def engine_of(address: str | None, file: Path, limits: Limits) -> sa.Engine:
    """Return the engine of the database at `address`, of SQLite in `file` when None; nothing is connected yet.

    Raises:
        MissingExtraError: the address is of PostgreSQL and its driver is not installed.
        SettingError: the address cannot be read.
    """
    try:
        url = sa.make_url(address) if address else sa.URL.create("sqlite", database=str(file))
        # What other programs call it; SQLAlchemy does not.
        kind = "postgresql" if url.drivername == "postgres" else url.get_backend_name()
        if kind == "postgresql":
            return _postgres(url, limits)
        if kind == "sqlite":
            return _sqlite(url, limits)
    except (exc.ArgumentError, exc.NoSuchModuleError, ValueError, ImportError) as error:
        if isinstance(error, SettingError | MissingExtraError):
            raise
        raise _unreadable() from error
    raise _unreadable()


def _unreadable() -> SettingError:
    msg = (
        "The database address cannot be read; it looks like `postgresql://user:password@host/name` or "
        "`sqlite:////folder/library.db`."
    )
    return SettingError(msg, field=_SETTING)


def _options(kind: str, limits: Limits) -> dict[str, Any]:
    return {
        "pool_size": _POOL_SIZE,
        "max_overflow": _OVERFLOW[kind],
        "pool_timeout": limits.busy_seconds,
        "json_serializer": _compact,
        "hide_parameters": True,
    }


def _compact(value: Any) -> str:  # noqa: ANN401 - whatever JSON holds
    return json.dumps(value, separators=(",", ":"))


@contextmanager
def without_references(engine: sa.Engine) -> Generator[sa.Connection, None, None]:
    """Give a connection on which a table may be made anew while others refer to it.

    SQLite changes a table by making another and dropping the first one, and what refers to it would be deleted along.
    Its switch for that has no effect within a transaction, so it is set before.
    """
    with engine.connect() as connection:
        if engine.dialect.name != "sqlite":
            yield connection
            return
        raw = connection.connection.cursor()
        raw.execute("PRAGMA foreign_keys=OFF")
        try:
            yield connection
        finally:
            raw.execute("PRAGMA foreign_keys=ON")
            raw.close()


# -- PostgreSQL ----------------------------------------------------------------------------------


def _postgres(url: sa.URL, limits: Limits) -> sa.Engine:
    try:
        from psycopg.types.string import StrDumperUnknown
    except ImportError as error:
        what = "PostgreSQL"
        raise MissingExtraError(what, "postgres") from error

    class Storable(StrDumperUnknown):
        """Writes NUL, which PostgreSQL has no place for, as `core.text.normalise` does, so that it finds nothing."""

        def dump(self, obj: str) -> Any:  # noqa: ANN401 - a driver's buffer
            return super().dump(obj.replace("\0", "\ufffd") if "\0" in obj else obj)

    engine = sa.create_engine(
        url.set(drivername="postgresql+psycopg"),
        # A connection that died while nobody used it costs no request.
        pool_pre_ping=True,
        connect_args={
            "connect_timeout": max(2, int(limits.busy_seconds)),
            # A server that is gone without a word is noticed within a minute.
            "keepalives_idle": 30,
            "keepalives_interval": 10,
            "keepalives_count": 3,
        },
        **_options("postgresql", limits),
    )
    milliseconds = max(1, int(limits.busy_seconds * 1000))
    settings = {
        "lock_timeout": milliseconds,
        "statement_timeout": milliseconds * _STATEMENT_TIMES,
        # The same for a node that is gone: its locks would stay.
        "tcp_keepalives_idle": 30,
        "tcp_keepalives_interval": 10,
        "tcp_keepalives_count": 3,
    }
    setting = ", ".join(f"set_config('{name}', '{value}', false)" for name, value in settings.items())

    def on_connect(raw: Any, _record: object) -> None:  # noqa: ANN401 - a driver's connection
        if raw.info.server_version < OLDEST_POSTGRES * 10_000:
            msg = f"PostgreSQL {OLDEST_POSTGRES} or newer is needed; upgrade the database's server."
            raise StoreError(msg)
        if raw.info.parameter_status("server_encoding") != "UTF8":
            msg = "The database does not keep every character: make one with `ENCODING 'UTF8'`."
            raise StoreError(msg)
        raw.adapters.register_dumper(str, Storable)
        raw.execute(f"SELECT {setting}")
        raw.commit()

    event.listen(engine, "connect", on_connect)
    return engine


# -- SQLite --------------------------------------------------------------------------------------


def _sqlite(url: sa.URL, limits: Limits) -> sa.Engine:
    if url.database in (None, "", ":memory:"):
        msg = "A library in memory is lost at once; give the database a file."
        raise SettingError(msg, field=_SETTING)
    engine = sa.create_engine(
        url,
        poolclass=sa.QueuePool,
        connect_args={"check_same_thread": False},
        **_options("sqlite", limits),
    )
    pragmas = (
        f"PRAGMA busy_timeout={int(limits.busy_seconds * 1000)}",
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
        writes = connection.get_execution_options().get(WRITES, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    event.listen(engine, "connect", on_connect)
    event.listen(engine, "begin", on_begin)
    return engine
