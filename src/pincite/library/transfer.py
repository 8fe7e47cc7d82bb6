"""A library as a file, and back, and from one database to another: proved by counts and checksums of every table."""

from __future__ import annotations

import hashlib
import json
import secrets
from dataclasses import asdict, dataclass
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, Any, Final, NoReturn, cast

import sqlalchemy as sa

from pincite.core.errors import ConflictError, InputError, NotFoundError, StoreError
from pincite.core.files import refusal_of
from pincite.library._archive import archive_at, being_written
from pincite.library._rows import (
    TABLES,
    Inserting,
    Summing,
    TableSum,
    count_of,
    file_names,
    last_key,
    line_of,
    rows_of,
    sum_of,
    values_of,
)
from pincite.library.database import UNFINISHED, Database
from pincite.library.files import Files
from pincite.library.tables import SCHEMA, counters, meta

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from pincite.library._archive import Archive
    from pincite.library.library import Library

MANIFEST: Final = "manifest.json"
FORMAT: Final = 1
"""Version of the form of a dump."""
_MOST_MANIFEST: Final = 64 * 1024 * 1024
# Bytes of a file that are held in memory on its way.
_SPOOL: Final = 8 * 1024 * 1024
_PIECE: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Moved:
    """What was written or read: the sum of each table, the files, and those of them that the store has lost."""

    tables: dict[str, TableSum]
    files: int
    missing: tuple[str, ...] = ()

    @property
    def rows(self) -> int:
        """Rows of all tables."""
        return sum(one.rows for one in self.tables.values())


def _quiet(_what: str, _done: int, _total: int) -> None: ...


# -- dump ----------------------------------------------------------------------------------------


def dump(library: Library, target: Path, *, on_progress: Callable[[str, int, int], object] = _quiet) -> Moved:
    """Write every tenant's rows and files to `target`: a tar archive where its name ends in `.tar`, else a folder.

    What is written is one state of the library, whoever writes to it meanwhile. `on_progress` is told (what, how many
    are done, of how many).

    Raises:
        InputError: the target is there already, or cannot be written.
        StoreError: the library cannot be read.
    """
    try:
        with being_written(target) as archive:
            with library.database.reading() as connection:
                tables: dict[str, TableSum] = {}
                for place, table in enumerate(TABLES):
                    on_progress("tables", place, len(TABLES))
                    with archive.adding(f"tables/{table.name}.jsonl") as write:
                        tables[table.name] = sum_of(connection, table, on_row=write)
                named = file_names(connection)
            missing: list[str] = []
            for place, (tenant, name) in enumerate(named):
                on_progress("files", place, len(named))
                with SpooledTemporaryFile(_SPOOL) as held:
                    if _read_file(library.files.of_tenant(tenant), name, held.write):
                        held.seek(0)
                        with archive.adding(f"files/{tenant}/{name}") as write:
                            while piece := held.read(_PIECE):
                                write(piece)
                    else:
                        missing.append(f"{tenant}/{name}")
            said = {
                "pincite_dump": FORMAT,
                "schema": SCHEMA,
                "tables": {
                    table.name: {"columns": table.columns.keys(), **asdict(tables[table.name])}
                    for table in TABLES
                },
                "files": len(named) - len(missing),
                "missing": missing,
            }
            with archive.adding(MANIFEST) as write:
                write(json.dumps(said, indent=1).encode())
    except OSError as error:
        msg = f"The dump cannot be written: {refusal_of(error)}."
        raise InputError(msg, field="file") from error
    return Moved(tables, len(named) - len(missing), tuple(missing))


def _read_file(files: Files, name: str, write: Callable[[bytes], object]) -> bool:
    """Hand the bytes of a stored file on; say whether they are all there, and the ones that were kept."""
    found = hashlib.sha256()
    try:
        for piece in files.pieces(name):
            found.update(piece)
            write(piece)
    except NotFoundError:
        return False
    return found.hexdigest() == name


# -- load ----------------------------------------------------------------------------------------


def load(library: Library, source: Path, *, on_progress: Callable[[str, int, int], object] = _quiet) -> Moved:
    """Read a dump into an empty library, all of it or, on any error, nothing.

    The rows that the database has then are counted and hashed again, and every file's bytes are.

    Raises:
        NotFoundError: there is no dump at `source`.
        InputError: it is none, is damaged, or holds what a dump does not.
        ConflictError: the library is not empty.
        StoreError: it is of a newer pincite; the library cannot be written; or it has not become what was dumped.
    """
    with archive_at(source) as archive:
        said = _manifest(archive)
        with library.database.working() as connection:
            if not _is_empty(connection):
                msg = "A dump is loaded into an empty library: name a new folder, or a new database."
                raise ConflictError(msg, field="library")
            connection.execute(sa.delete(counters))
            tables: dict[str, TableSum] = {}
            for place, table in enumerate(TABLES):
                on_progress("tables", place, len(TABLES))
                if table.name in said.columns:
                    tables[table.name] = _load_table(
                        connection, archive, table, said, library.limits.dump_row_bytes
                    )
            files = _load_files(connection, library, archive, said, on_progress)
    return Moved(tables, files, tuple(said.missing))


@dataclass(frozen=True, slots=True)
class _Said:
    columns: dict[str, list[sa.Column[Any]]]
    sums: dict[str, TableSum]
    missing: list[str]


def _manifest(archive: Archive) -> _Said:
    with archive.open(MANIFEST) as file:
        data = file.read(_MOST_MANIFEST)
    try:
        said = json.loads(data)
        form, schema = (int(said[name]) for name in ("pincite_dump", "schema"))
        given = {
            str(name): (list(one["columns"]), one["rows"], one["sha256"])
            for name, one in said["tables"].items()
        }
        missing = [str(name) for name in said["missing"]]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        msg = "The dump cannot be loaded: its manifest cannot be read."
        raise InputError(msg, field="file") from error
    if form > FORMAT or schema > SCHEMA:
        msg = "The dump was written by a newer pincite: upgrade this one."
        raise StoreError(msg)
    columns = {name: _columns(name, names) for name, (names, _, _) in given.items()}
    lacking = sorted({table.name for table in TABLES} - set(columns))
    if lacking and schema == SCHEMA:
        _refuse(f"it has no table `{lacking[0]}`")
    return _Said(
        columns, {name: TableSum(rows, sha256) for name, (_, rows, sha256) in given.items()}, missing
    )


def _columns(name: str, names: list[Any]) -> list[sa.Column[Any]]:
    table = next((one for one in TABLES if one.name == name), None)
    if table is None:
        _refuse("it has a table that a library does not have")
    known, wanted = table.columns, [str(one) for one in names]
    if len(set(wanted)) != len(wanted) or not set(wanted) <= set(known.keys()):
        _refuse(f"its table `{name}` has a column that a library does not have")
    if any(column.name not in wanted for column in known if not column.nullable):
        _refuse(f"its table `{name}` lacks a column")
    return [known[one] for one in wanted]


def _load_table(
    connection: sa.Connection, archive: Archive, table: sa.Table, said: _Said, most: int
) -> TableSum:
    columns, wanted, summing = said.columns[table.name], said.sums[table.name], Summing()
    # Without a list, so that a column that an older dump lacks is null.
    inserting = Inserting(lambda rows: connection.execute(sa.insert(table), rows))
    with archive.open(f"tables/{table.name}.jsonl") as file:
        while line := file.readline(most + 1):
            if len(line) > most:
                _refuse(f"a row of its table `{table.name}` has more than {most:,} bytes")
            summing.add(line)
            inserting.add(values_of(line, columns), len(line))
    inserting.flush()
    if summing.sum() != wanted:
        _refuse(f"its table `{table.name}` is not the one that was written")
    if sum_of(connection, table, columns=columns) != wanted:
        msg = f"The table `{table.name}` has not become what was dumped; nothing was loaded."
        raise StoreError(msg)
    return wanted


def _load_files(
    connection: sa.Connection,
    library: Library,
    archive: Archive,
    said: _Said,
    on_progress: Callable[[str, int, int], object],
) -> int:
    named = set(file_names(connection))
    left = named - {cast("tuple[str, str]", tuple(one.split("/", 1))) for one in said.missing}
    total = len(left)
    for tenant, name, file in archive.files():
        if (tenant, name) not in named:
            _refuse("it has a file that no row names")
        on_progress("files", total - len(left), total)
        pieces = iter(lambda file=file: file.read(_PIECE), b"")
        if not _keep_file(library.files.of_tenant(tenant), name, pieces, library.limits.file_bytes):
            _refuse("one of its files is not the one that was written, or too large")
        left.discard((tenant, name))
    if left:
        _refuse(f"{len(left)} of its files are missing")
    return total


def _keep_file(files: Files, name: str, pieces: Iterable[bytes], most: int) -> bool:
    """Write a file under its name and say whether these were its bytes; else nothing stays of it."""
    staged, found, size = files.staging(), hashlib.sha256(), 0
    try:
        with staged.open("xb") as out:
            for piece in pieces:
                size += len(piece)
                if size > most:
                    return False
                found.update(piece)
                out.write(piece)
        if found.hexdigest() != name:
            return False
        files.take(staged, name)
    except OSError as error:
        msg = f"A file cannot be written: {refusal_of(error)}."
        raise StoreError(msg) from error
    finally:
        staged.unlink(missing_ok=True)
    return True


def _is_empty(connection: sa.Connection) -> bool:
    others = (table for table in TABLES if table is not counters)
    counted = connection.scalar(sa.select(sa.func.count()).select_from(counters).where(counters.c.value != 0))
    return not counted and all(count_of(connection, table) == 0 for table in others)


def _refuse(why: str) -> NoReturn:
    msg = f"The dump cannot be loaded: {why}."
    raise InputError(msg, field="file")


# -- migrate -------------------------------------------------------------------------------------


def migrate(
    library: Library,
    *,
    database: str | None = None,
    files: str | None = None,
    on_progress: Callable[[str, int, int], object] = _quiet,
) -> Moved:
    """Copy every tenant's rows to the `database` at an address, and the files to a store, either or both.

    What was begun and stopped goes on where it was. The target cannot be opened as a library before all of it is there
    and the same. Nobody may write to the library meanwhile; that somebody did is found at the end.

    Raises:
        InputError: nothing was named, or the target is the library itself.
        ConflictError: the target database holds another library.
        SettingError: an address cannot be read.
        StoreError: a database or store cannot be read or written, or in the end a table is not the same.
    """
    if database is None and files is None:
        msg = "Name the database to copy to, the file store, or both."
        raise InputError(msg, field="to-database")
    kept = None if files is None else Files.open(files, home=library.home, tenant="local")
    tables: dict[str, TableSum] = {}
    if database is not None:
        nowhere = library.home / "unused"
        target = Database.open(database, file=nowhere, tenant="local", limits=library.limits, unfinished=True)
        try:
            _mark(library.database, target)
            _copy_tables(library.database, target, on_progress)
        except BaseException:
            target.close()
            raise
    else:
        target = None
    try:
        count, missing = (0, []) if kept is None else _copy_files(library, kept, on_progress)
        if target is not None:
            tables = _compared(library.database, target, on_progress)
            with target.working() as connection:
                connection.execute(sa.delete(meta).where(meta.c.name == UNFINISHED))
    finally:
        if target is not None:
            target.close()
    return Moved(tables, count, tuple(missing))


def _mark(source: Database, target: Database) -> None:
    """Mark an empty target as unfinished; one that is marked is gone on with."""
    mark = sa.select(meta.c.value).where(meta.c.name == UNFINISHED)
    token = secrets.token_hex(8)
    with target.working() as connection:
        if connection.scalar(mark) is None:
            if not _is_empty(connection):
                msg = "The database to copy to holds a library already."
                raise ConflictError(msg, field="to-database")
            connection.execute(sa.insert(meta).values(name=UNFINISHED, value=token))
        else:
            connection.execute(sa.update(meta).where(meta.c.name == UNFINISHED).values(value=token))
    with source.reading() as connection:
        same = connection.scalar(mark) == token
    if same:
        with target.working() as connection:
            connection.execute(sa.delete(meta).where(meta.c.name == UNFINISHED))
        msg = "This is the database of the library itself."
        raise InputError(msg, field="to-database")


def _copy_tables(source: Database, target: Database, on_progress: Callable[[str, int, int], object]) -> None:
    def write(table: sa.Table, rows: list[dict[str, Any]]) -> None:
        # One batch a transaction: what is stopped goes on behind the last one.
        with target.working() as connection:
            connection.execute(sa.insert(table), rows)

    with source.reading() as connection:
        # The counters change from the first opening on, and are few: they are written as a whole, at the end.
        for table in (*(one for one in TABLES if one is not counters), counters):
            with target.working() as there:
                if table is counters:
                    there.execute(sa.delete(counters))
                after, done = last_key(there, table), count_of(there, table)
            total = count_of(connection, table)
            columns = list(table.columns)
            inserting = Inserting(lambda rows, table=table: write(table, rows))
            for row in rows_of(connection, table, after=after):
                line = line_of(row)
                inserting.add(values_of(line, columns), len(line))
                done += 1
                on_progress(table.name, done, total)
            inserting.flush()


def _copy_files(
    library: Library, target: Files, on_progress: Callable[[str, int, int], object]
) -> tuple[int, list[str]]:
    with library.database.reading() as connection:
        named = file_names(connection)
    missing: list[str] = []
    for place, (tenant, name) in enumerate(named):
        on_progress("files", place, len(named))
        here, there = library.files.of_tenant(tenant), target.of_tenant(tenant)
        size = here.size(name)
        if size is None or (
            there.size(name) != size and not _keep_file(there, name, here.pieces(name), size)
        ):
            missing.append(f"{tenant}/{name}")
    return len(named) - len(missing), missing


def _compared(
    source: Database, target: Database, on_progress: Callable[[str, int, int], object]
) -> dict[str, TableSum]:
    sums: dict[str, TableSum] = {}
    differing: list[str] = []
    with source.reading() as one, target.reading() as other:
        for place, table in enumerate(TABLES):
            on_progress("compared", place, len(TABLES))
            sums[table.name] = sum_of(one, table)
            if sum_of(other, table) != sums[table.name]:
                differing.append(table.name)
    if differing:
        names = ", ".join(f"`{name}`" for name in differing)
        msg = (
            f"The copy is not the same in {names}: was something written meanwhile? Stop what writes, make the "
            "database to copy to anew, and begin again."
        )
        raise StoreError(msg)
    return sums
