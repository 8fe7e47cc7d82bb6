"""A copy of the database that follows it, for reading: a real standby, whose replay is halted to make it lag."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from line_documents import document_of, passages_of

from pincite.core.errors import NotFoundError, SettingError
from pincite.library import ApiKeys, Jobs, Library
from standby import SHOWN, Asked, Standby, ask, asked_of, following

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from layouts import Servers

    from .conftest import KeepText


@pytest.fixture(scope="module")
def standby(servers: Servers) -> Iterator[Standby]:
    """A standby of the tests' server."""
    with following(servers) as made:
        yield made


@dataclass
class Followed:
    """A library whose documents may be read from a standby, and what it asks of both."""

    library: Library
    standby: Standby
    address: str

    def asked(self) -> AbstractContextManager[Asked]:
        """Note the statements of what is done within."""
        return asked_of(self.library.database)


@pytest.fixture
def followed(servers: Servers, standby: Standby, home: Path) -> Iterator[Followed]:
    """A library in a database of its own, and the standby that has all of it."""
    name = f"own{time.monotonic_ns()}"
    address = servers.database(name)
    standby.follow()
    with Library.open(
        home, database=address, files=str(home / "files"), reads=standby.address(address)
    ) as library:
        standby.follow()
        yield Followed(library, standby, address)
    servers.drop(name)
    standby.follow()


def _kept(followed: Followed, from_lines: KeepText, text: str = "one\ntwo") -> str:
    library = followed.library
    return from_lines(library, library.collection("default"), "upload://a.txt", text).document_id


def test_a_copy_that_has_everything_is_read(followed: Followed, from_lines: KeepText) -> None:
    """Documents, texts, passages, collections and counts come from it; the database tells one number for each look."""
    document_id = _kept(followed, from_lines)
    followed.standby.follow()
    library = followed.library
    with followed.asked() as asked:
        assert library.document(document_id).title == "one"
        assert library.document_text(document_id) == "one\ntwo"
        (first, _) = library.passages_of(document_id)
        assert list(library.findable([first.chunk_id])) == [first.chunk_id]
        assert [one.name for one in library.collections()] == ["default"]
        assert [count.documents for count in library.counts("tiny").values()] == [1]
    assert asked.documents() == (0, asked.documents()[1])
    assert asked.documents()[1] > 0
    assert all("FROM counters" in statement for statement in asked.primary)
    assert asked.tables() <= SHOWN


def test_what_was_deleted_is_never_shown(followed: Followed, from_lines: KeepText) -> None:
    """A copy that has not heard of it has the text still, and nobody reads it there: not the text, and no passage."""
    document_id = _kept(followed, from_lines)
    library = followed.library
    chunk_ids = [passage.chunk_id for passage in library.passages_of(document_id)]
    followed.standby.follow()
    followed.standby.halt()
    library.delete(document_id)
    with followed.asked() as asked:
        with pytest.raises(NotFoundError):
            library.document_text(document_id)
        assert library.documents() == []
        assert library.findable(chunk_ids) == {}
        assert library.texts(chunk_ids) == {}
    assert asked.documents()[1] == 0
    # That it was the rule, and not the copy, is seen here.
    behind = followed.standby.address(followed.address)
    assert ask(behind, "SELECT count(*) FROM passages") == 2
    followed.standby.follow()
    with followed.asked() as asked:
        assert library.documents() == []
    assert asked.documents() == (0, 1)


def test_who_writes_reads_it(followed: Followed, from_lines: KeepText) -> None:
    """Also where no passage comes or goes: a new title, a collection's new bar, a trashed document that is erased."""
    library, standby = followed.library, followed.standby
    document_id = _kept(followed, from_lines)
    collection = library.collection("default")
    standby.follow()
    standby.halt()
    document = document_of("one\ntwo")
    library.keep(
        collection,
        document,
        passages_of(document, document_id),
        data=b"one\ntwo",
        source_key="upload://a.txt",
        title="Another",
    )
    assert library.document(document_id).title == "Another"
    library.set_collection(collection.collection_id, score_threshold=0.25)
    assert library.collection_by_id(collection.collection_id).score_threshold == 0.25
    library.trash(document_id)
    assert library.documents() == []
    standby.follow()
    with followed.asked() as asked:
        assert [one.document_id for one in library.trashed()] == [document_id]
    assert asked.documents() == (0, 1)
    standby.halt()
    library.delete(document_id)
    assert library.trashed() == []
    standby.follow()


def test_other_rows_are_the_databases_own(followed: Followed) -> None:
    """Keys, jobs and the numbers of changes are read where they are written, whatever the copy has."""
    library = followed.library
    followed.standby.halt()
    with followed.asked() as asked:
        keys = ApiKeys(library, b"pepper")
        made, _ = keys.create("x", ["read"])
        assert [key.key_id for key in keys.all()] == [made.key_id]
        jobs = Jobs(library)
        job = jobs.add("ingest", {})
        assert jobs.one(job.job_id).state == "waiting"
        assert library.head() == 0
    assert asked.copy == []
    followed.standby.follow()


def test_a_tenant_that_the_copy_does_not_know_is_read_where_it_is(
    followed: Followed, from_lines: KeepText
) -> None:
    """A tenant that came a moment ago has its documents at once, and the copy is asked when it has them too."""
    followed.standby.halt()
    other = followed.library.of_tenant("acme")
    stored = from_lines(other, other.collection("default"), "upload://a.txt", "one")
    with followed.asked() as asked:
        assert other.documents() == [stored]
    assert asked.documents() == (1, 0)
    followed.standby.follow()
    with followed.asked() as asked:
        assert other.documents() == [stored]
    assert asked.documents() == (0, 1)


def test_a_copy_of_older_tables_is_left_alone(followed: Followed, from_lines: KeepText) -> None:
    """Between two versions of pincite the copy's tables may be the old ones still."""
    document_id = _kept(followed, from_lines)
    library = followed.library
    with library.database.working() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0001'")
    followed.standby.follow()
    followed.standby.halt()
    with library.database.working() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0005'")
    with followed.asked() as asked:
        assert library.document(document_id).title == "one"
    assert asked.documents() == (1, 0)
    followed.standby.follow()


def test_a_copy_that_is_gone_costs_a_line_of_the_log(
    followed: Followed, from_lines: KeepText, caplog: pytest.LogCaptureFixture
) -> None:
    """The database is read then, and one line says so; while the copy is left alone nobody tries it again."""
    document_id = _kept(followed, from_lines)
    library = followed.library
    followed.standby.follow()
    assert library.document(document_id).title == "one"
    followed.standby.stop()
    try:
        with caplog.at_level(logging.WARNING), followed.asked() as asked:
            for _ in range(3):
                assert library.document(document_id).title == "one"
    finally:
        followed.standby.start()
    assert asked.documents()[0] == 3
    assert [record.getMessage() for record in caplog.records] == [
        "The copy of the database failed (OperationalError); the database itself is read instead."
    ]
    copy = library.database._shared.copy
    assert copy is not None
    copy._quiet_until = 0.0
    followed.standby.follow()
    with followed.asked() as asked:
        assert library.document(document_id).title == "one"
    assert asked.documents() == (0, 1)


@pytest.mark.parametrize("reads", ["nope", "sqlite:///copy.db", "postgresql://db.example.org/pincite"])
def test_an_address_that_cannot_be_one_is_a_setting_error(home: Path, reads: str) -> None:
    """The database here is a file: nothing can follow it, and what is no database never can."""
    with pytest.raises(SettingError) as caught:
        Library.open(home, database=f"sqlite:///{home.parent}/own.db", reads=reads)
    assert caught.value.field == "PINCITE_DATABASE_READS"
