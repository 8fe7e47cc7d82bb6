"""A library on PostgreSQL and in a bucket: what it shares with SQLite and a folder, and what only happens there."""

from __future__ import annotations

import time
from dataclasses import replace
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import obstore
import pytest
import sqlalchemy as sa
from obstore.store import S3Store

from layouts import BUCKET, Servers
from pincite.core.errors import NotFoundError, SettingError, StoreError
from pincite.core.limits import DEFAULT
from pincite.library import DocumentFilter, Job, JobQueue, Jobs, Library
from pincite.library.database import sentence_of
from pincite.library.files import Files
from pincite.library.tables import METADATA

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from .conftest import KeepText

HASTY = replace(DEFAULT, busy_seconds=0.5)
ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


@pytest.fixture
def address(servers: Servers) -> Iterator[str]:
    """The address of a database with an empty library, as a person writes it."""
    name = f"own{time.monotonic_ns()}"
    yield servers.database(name)
    servers.drop(name)


@pytest.fixture
def elsewhere(address: str, home: Path) -> Iterator[Library]:
    """A library on both servers."""
    with Library.open(home, database=address, files=f"s3://{BUCKET}/{home.parent.name}") as opened:
        yield opened


def test_addresses_are_taken_as_they_are_written(address: str, home: Path) -> None:
    """With the driver's name, without, and as other programs write it."""
    for start in ("postgresql://", "postgres://", "postgresql+psycopg://", "postgresql+psycopg2://"):
        with Library.open(home, database=address.replace("postgresql://", start)) as library:
            assert library.collections() == []


def test_a_library_there_is_the_same(elsewhere: Library, tmp_path: Path, from_lines: KeepText) -> None:
    """What is kept on both layouts reads alike, in the same order, whatever the writing."""
    found: list[Any] = []
    with Library.open(tmp_path / "plain") as plain:
        for library in (elsewhere, plain):
            for name in ("Zebra", "apple", "Ärger", "äpfel", "_x", "a-b", "a b", "日本"):
                library.collection(name)
            collection = library.collection("apple")
            for key in ("b.txt", "B.txt", "ä.txt", "a-b.txt", "ab.txt"):
                from_lines(library, collection, f"upload://{key}", f"one {key}\ntwo")
            found.append(
                (
                    [one.name for one in library.collections()],
                    [(one.source_key, one.title, one.passages) for one in library.documents()],
                    [change.seq for change in library.changes(0, 100)],
                )
            )
    assert found[0] == found[1]


def test_texts_are_kept_and_ordered_by_their_bytes(elsewhere: Library) -> None:
    """Every column of text is of any length and of the order of bytes, whatever the database's language."""
    with elsewhere.database.reading() as connection:
        rows = connection.exec_driver_sql(
            "SELECT table_name, column_name, data_type, collation_name FROM information_schema.columns "
            "WHERE table_schema = 'public' AND table_name <> 'alembic_version' "
            "AND data_type IN ('text', 'character varying')"
        ).all()
    texts = {
        (table.name, column.name)
        for table in METADATA.sorted_tables
        for column in table.columns
        if isinstance(column.type, sa.String)
    }
    assert {(row[0], row[1]) for row in rows} == texts
    assert {row[2:] for row in rows} == {("text", "C")}


def test_nul_is_no_error(elsewhere: Library, from_lines: KeepText) -> None:
    """What PostgreSQL cannot hold is kept as U+FFFD, as everywhere, and asking for it finds nothing."""
    collection = elsewhere.collection("default")
    stored = from_lines(elsewhere, collection, "upload://a.txt", "one")
    for unknown in ("\0", f"{stored.document_id}\0", "\ud800"):
        with pytest.raises(NotFoundError):
            elsewhere.document(unknown)
    wanted = DocumentFilter(document_ids=["\0"], source_uris=["\0"], metadata={"team": "\0"})
    assert elsewhere.matching([collection.collection_id], wanted) == frozenset()
    with elsewhere.database.writing() as connection:
        connection.execute(sa.update(METADATA.tables["documents"]).values(title="a\0b"))
    assert elsewhere.document(stored.document_id).title == "a\ufffdb"


def test_a_lost_connection_costs_one_sentence(elsewhere: Library, servers: Servers) -> None:
    """What was under way ends in a sentence; the next call goes through, on a new connection."""
    elsewhere.collection("there")

    def cut() -> None:
        with servers.admin() as admin:
            admin.exec_driver_sql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname LIKE 'own%%'"
            )

    def write() -> None:
        with elsewhere.database.writing() as connection:
            cut()
            connection.execute(sa.update(METADATA.tables["collections"]).values(name="changed"))

    with pytest.raises(StoreError) as caught:
        write()
    assert caught.value.message.endswith("does not answer; check its address and try again.")
    assert [one.name for one in elsewhere.collections()] == ["there"]
    # Nobody used the others meanwhile: they are looked at first, and nobody notices.
    cut()
    assert [one.name for one in elsewhere.collections()] == ["there"]
    assert elsewhere.collection("more").name == "more"


def test_a_server_that_is_away_comes_back(elsewhere: Library, servers: Servers) -> None:
    """While the server cannot be reached every call is a sentence without its address; then all is as before."""
    elsewhere.collection("there")
    socket = next((servers.folder / "data").glob(".s.PGSQL.*[0-9]"))
    away = socket.with_name("away")
    elsewhere.database.engine.dispose()
    socket.rename(away)
    try:
        with pytest.raises(StoreError, match="does not answer") as caught:
            elsewhere.collections()
        assert "/" not in caught.value.message
        with pytest.raises(StoreError, match="does not answer"):
            elsewhere.collection("new")
    finally:
        away.rename(socket)
    assert [one.name for one in elsewhere.collections()] == ["there"]


def test_a_writer_waits_its_time_and_gives_up(address: str, home: Path) -> None:
    """Another process that holds the tenant's lock is waited for, `busy_seconds` long; other tenants are not."""
    with (
        Library.open(home, database=address, limits=HASTY) as one,
        Library.open(home, database=address, limits=HASTY) as other,
    ):
        with one.database.writing():
            with pytest.raises(StoreError, match="try again"):
                other.collection("new")
            assert other.collections() == []
            assert other.of_tenant("second").collection("new").name == "new"
        assert other.collection("new").name == "new"


def test_a_statement_has_an_end(address: str, home: Path) -> None:
    """One that runs far too long is ended by the server."""
    limits = replace(DEFAULT, busy_seconds=0.2)
    with (
        Library.open(home, database=address, limits=limits) as library,
        pytest.raises(StoreError, match="too busy"),
        library.database.reading() as connection,
    ):
        connection.exec_driver_sql("SELECT pg_sleep(30)")


def test_readers_see_one_state(elsewhere: Library, address: str, home: Path) -> None:
    """What is committed meanwhile is not seen before the next reading, and a reading writes nothing."""
    counted = sa.select(sa.func.count()).select_from(METADATA.tables["collections"])
    with Library.open(home, database=address) as other, elsewhere.database.reading() as connection:
        assert connection.scalar(counted) == 0
        other.collection("new")
        assert connection.scalar(counted) == 0
    assert len(elsewhere.collections()) == 1
    with pytest.raises(StoreError), elsewhere.database.reading() as connection:
        connection.execute(sa.delete(METADATA.tables["collections"]))


def test_no_two_workers_get_one_job(elsewhere: Library, address: str, home: Path) -> None:
    """Four workers on connections of their own take sixty jobs, each once; those of one name never at once."""
    jobs = Jobs(elsewhere)
    for number in range(60):
        jobs.add("ingest", {"number": number}, lock=f"document {number % 3}")
    stop, taken, wrong = Event(), list[int](), list[str]()
    running: set[str] = set()

    def work(name: str) -> None:
        with Library.open(home, database=address) as library:
            queue = JobQueue(library)
            while not stop.is_set():
                job: Job | None = queue.claim(name, lease_seconds=60)
                if job is None:
                    continue
                lock = f"document {job.payload['number'] % 3}"
                if lock in running:
                    wrong.append(lock)
                running.add(lock)
                taken.append(job.payload["number"])
                running.discard(lock)
                queue.done(job, name, {})

    threads = [Thread(target=work, args=(f"worker {number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    end = time.monotonic() + 120
    while len(taken) < 60 and time.monotonic() < end:
        time.sleep(0.05)
    stop.set()
    for thread in threads:
        thread.join()
    assert sorted(taken) == list(range(60))
    assert wrong == []


def test_many_lay_one_library_at_once(servers: Servers, home: Path) -> None:
    """Processes that open a new database at the same moment stand in a line, and all have it."""
    name = f"bare{time.monotonic_ns()}"
    with servers.admin() as admin:
        admin.exec_driver_sql(f"CREATE DATABASE {name}")
    address = sa.make_url(servers.address).set(database=name).render_as_string(hide_password=False)
    failures: list[BaseException] = []

    def lay() -> None:
        try:
            with Library.open(home, database=address) as library:
                library.collection("default")
        except BaseException as error:  # noqa: BLE001 - told to the test
            failures.append(error)

    threads = [Thread(target=lay) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    with Library.open(home, database=address) as library:
        assert len(library.collections()) == 1
    servers.drop(name)


def test_what_the_address_may_get_wrong(servers: Servers, home: Path) -> None:
    """Another database, another user, another machine: a sentence each, which repeats nothing of the address."""
    url = sa.make_url(servers.address)
    wrong = {
        url.set(database="no_such_secret"): "refuses",
        url.set(username="no_such_secret"): "refuses",
        url.set(query={"host": "127.0.0.1"}, port=1, password="secret"): "does not answer",
    }
    for one, said in wrong.items():
        with pytest.raises(StoreError, match=said) as caught:
            Library.open(home, database=one.render_as_string(hide_password=False), limits=HASTY)
        assert "secret" not in caught.value.message
        assert caught.value.message.endswith(".")


def test_a_database_of_other_characters_is_refused(servers: Servers, home: Path) -> None:
    """One that cannot hold every text is refused when it is opened, not when the first text comes."""
    name = f"latin{time.monotonic_ns()}"
    with servers.admin() as admin:
        admin.exec_driver_sql(f"CREATE DATABASE {name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    address = sa.make_url(servers.address).set(database=name).render_as_string(hide_password=False)
    with pytest.raises(StoreError, match="UTF8"):
        Library.open(home, database=address)
    servers.drop(name)


def test_codes_of_the_database_have_sentences() -> None:
    """What a driver says in any language is told by its code."""

    class DriverError(Exception):
        def __init__(self, code: str) -> None:
            super().__init__("Verbindung abgelehnt")
            self.orig = self
            self.sqlstate = code

    for code, said in (
        ("55P03", "Another program"),
        ("40001", "Another program"),
        ("57014", "too busy"),
        ("53300", "too busy"),
        ("53100", "disk is full"),
        ("57P01", "does not answer"),
        ("08006", "does not answer"),
        ("28P01", "refuses"),
        ("3D000", "refuses"),
        ("25006", "only be read"),
    ):
        assert said in sentence_of(DriverError(code)), code


# -- the bucket ----------------------------------------------------------------------------------


def _bucket(home: Path, name: str = "local") -> Files:
    return Files.open(f"s3://{BUCKET}/{home.parent.name}", home=home, tenant=name)


@pytest.mark.usefixtures("servers")
def test_a_bucket_keeps_files_once(home: Path) -> None:
    """Put, read, staged, listed and deleted there as in a folder; tenants do not meet."""
    files = _bucket(home)
    assert files.put(b"abc") == files.put(b"abc") == ABC
    assert files.names() == [ABC]
    assert files.local_path(ABC).read_bytes() == b"abc"
    assert b"".join(files.pieces(ABC)) == b"abc"
    assert files.size(ABC) == 3
    other = files.of_tenant("other")
    assert other.names() == []
    assert other.size(ABC) is None
    staged = files.staging()
    staged.write_bytes(b"abd" * 3_000_000)
    files.take(staged, "0" * 64)
    assert files.size("0" * 64) == 9_000_000
    assert not staged.exists()
    for name in (ABC, "0" * 64):
        files.delete(name)
        files.delete(name)
    assert files.names() == []
    with pytest.raises(NotFoundError):
        files.local_path(ABC)
    with pytest.raises(NotFoundError):
        list(files.pieces(ABC))


@pytest.mark.usefixtures("servers")
def test_what_a_bucket_may_get_wrong(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bucket that is not there, or a server that is not: a sentence each, without the address."""
    with pytest.raises(StoreError, match="no bucket") as caught:
        Files.open("s3://no-such-secret", home=home, tenant="local").put(b"abc")
    assert "secret" not in caught.value.message
    with pytest.raises(SettingError):
        Files.open(f"s3://{BUCKET}?endpoint=http://elsewhere", home=home, tenant="local")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    files = _bucket(home)
    with pytest.raises(StoreError, match="file store does not answer"):
        files.put(b"abc")


def test_a_bucket_elsewhere_is_read_over_tls_alone(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without encryption only this machine is spoken to, unless the environment says so."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "x")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "x")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://192.0.2.1:9000")
    with pytest.raises(StoreError) as caught:
        Files.open(f"s3://{BUCKET}", home=home, tenant="local").put(b"abc")
    # It was refused before anything was sent.
    assert "builder error" in str(caught.value.__cause__)


@pytest.mark.usefixtures("servers")
def test_a_changed_file_of_a_bucket_is_not_served(home: Path) -> None:
    """Bytes that are not those of their name are an error, and no copy is left."""
    files = _bucket(home)
    files.put(b"abc")
    store = S3Store(BUCKET, prefix=home.parent.name, client_options={"allow_http": True})
    obstore.put(store, f"local/ba/{ABC}", b"abd")
    with pytest.raises(StoreError, match="damaged"):
        files.local_path(ABC)
    assert list((home / "cache" / "files" / "local").iterdir()) == []
