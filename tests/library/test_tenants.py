"""Tenants: made once, apart from one another, on one database."""

from __future__ import annotations

import sqlite3
from datetime import timedelta, timezone
from typing import TYPE_CHECKING, Any

import pytest
from at_once import at_once
from line_documents import keep_text
from still_clock import NOON

from pincite.core.errors import ConflictError, InputError, NotFoundError, StoreError
from pincite.library import (
    ApiKeys,
    Audit,
    Directory,
    Embeds,
    Grants,
    Library,
    StoredAgents,
    Tenant,
    Tenants,
)
from pincite.library.tables import SCHEMA

if TYPE_CHECKING:
    from pathlib import Path


def test_a_tenant_is_made_once(library: Library) -> None:
    """It is listed by name under its title, and made again it is a conflict that changes nothing."""
    tenants = Tenants(library.database, lambda: NOON.astimezone(timezone(timedelta(hours=2))))
    assert tenants.all() == []
    assert not tenants.exists("acme")
    acme = Tenant("acme", "Acme & Söhne", NOON)
    assert tenants.create("acme", " Acme & Söhne ") == acme
    with pytest.raises(ConflictError, match="acme") as caught:
        tenants.create("acme", "Other")
    assert caught.value.field == "tenant"
    assert tenants.create("a-b.c_9") == Tenant("a-b.c_9", "", NOON)
    assert tenants.all() == [Tenant("a-b.c_9", "", NOON), acme]
    assert tenants.exists("acme")


def test_who_has_a_library_may_be_made_a_tenant(library: Library) -> None:
    """Opening a library enters nobody; what is in it is there when its tenant is made."""
    made = library.collection("papers")
    tenants = Tenants(library.database)
    assert not tenants.exists("local")
    tenants.create("local")
    assert tenants.exists("local")
    assert library.of_tenant("local").collections() == [made]


@pytest.mark.parametrize("name", ["", "A", "../x", ".x", "a/b", "x" * 65, "ä", "a\n", None, 7, b"a"])
def test_a_tenants_name_is_plain(library: Library, name: Any) -> None:
    """It leads keys and names a folder; anything else is refused by each that takes one."""
    with pytest.raises(InputError) as caught:
        Tenants(library.database).create(name)
    assert caught.value.field == "tenant"
    with pytest.raises(InputError):
        library.of_tenant(name)
    assert Tenants(library.database).all() == []


@pytest.mark.parametrize("title", ["x" * 201, "two\nlines", "un\u200bseen", None, 7])
def test_a_title_is_one_line(library: Library, title: Any) -> None:
    """A title that is none makes no tenant."""
    with pytest.raises(InputError) as caught:
        Tenants(library.database).create("acme", title)
    assert caught.value.field == "title"
    assert Tenants(library.database).all() == []


def test_one_of_many_makes_it(library: Library) -> None:
    """Eight at once, each with a view of its own: one makes the tenant, for the others it is there."""

    def work(number: int) -> None:
        own = library.of_tenant(f"t{number}")
        Tenants(own.database).create("acme", str(number))

    raised = at_once(8, work)
    assert [type(error) for error in raised] == [ConflictError] * 7
    assert len(Tenants(library.database).all()) == 1


def test_a_library_of_another_tenant_shares_all_but_the_rows(home: Path, library: Library) -> None:
    """Database, folder, limits, clock and ids are the same; collections and documents are not."""
    library.collection("papers")
    other = library.of_tenant("other")
    assert other.database.engine is library.database.engine
    assert (other.home, other.limits, other.clock, other.new_id) == (
        library.home,
        library.limits,
        library.clock,
        library.new_id,
    )
    assert other.database.tenant == "other"
    assert other.collections() == []
    made = other.collection("papers")
    assert made not in library.collections()
    # It is the same tenant that one would open.
    with Library.open(home, tenant="other") as opened:
        assert opened.collections() == [made]
    assert other.of_tenant("local").collections() == library.collections()


def test_two_tenants_that_hold_the_same_file_never_meet(library: Library) -> None:
    """One's document is unknown to the other, and removing one's file leaves the other's where it is."""
    other = library.of_tenant("other")
    mine = keep_text(library, library.collection("c"), "upload://a.txt", "same\nfile")
    theirs = keep_text(other, other.collection("c"), "upload://a.txt", "same\nfile")
    assert mine.document_id != theirs.document_id
    for reader, foreign in ((library, theirs), (other, mine)):
        with pytest.raises(NotFoundError):
            reader.document(foreign.document_id)
        with pytest.raises(NotFoundError):
            reader.delete(foreign.document_id)
    library.delete(mine.document_id)
    assert other.source_file(theirs.document_id).path.read_bytes() == b"same\nfile"


def test_closing_one_tenants_library_closes_nothing_shared(library: Library) -> None:
    """It is closed itself; the first one's closing ends all of them."""
    one, other = library.of_tenant("one"), library.of_tenant("other")
    one.close()
    with pytest.raises(StoreError, match="closed"):
        one.documents()
    assert library.documents() == other.documents() == []
    library.close()
    for closed in (other, library):
        with pytest.raises(StoreError, match="closed"):
            closed.documents()
        with pytest.raises(StoreError, match="closed"):
            closed.of_tenant("late")


def test_tenants_writeat_once(library: Library) -> None:
    """Each of eight threads writes for its own tenant: all of it is there, and for nobody else."""

    def work(number: int) -> None:
        own = library.of_tenant(f"t{number % 4}")
        collection = own.collection("c")
        for turn in range(5):
            keep_text(own, collection, f"upload://{number}-{turn}.txt", f"text of t{number % 4}")

    assert at_once(8, work) == []
    for number in range(4):
        own = library.of_tenant(f"t{number}")
        keys = {document.source_key for document in own.documents()}
        assert keys == {f"upload://{n}-{t}.txt" for n in (number, number + 4) for t in range(5)}
        assert {own.document_text(one.document_id) for one in own.documents()} == {f"text of t{number}"}
    assert library.documents() == []


@pytest.mark.on_sqlite
def test_a_library_of_the_fourth_schema_is_brought_up_to_date(home: Path, library: Library) -> None:
    """It knew nothing of who may see what. What it holds is there as before, and tenants, keys and agents may come."""
    kept = keep_text(library, library.collection("c"), "upload://a.txt", "one")
    library.close()
    old = sqlite3.connect(home / "library.db")
    for table in ("tenants", "directory", "api_keys", "agents", "embeds", "grants", "audit"):
        old.execute(f"DROP TABLE {table}")
    old.execute("DROP TABLE alembic_version")
    old.execute("UPDATE meta SET value = '4' WHERE name = 'schema'")
    old.commit()
    old.close()
    with Library.open(home) as opened:
        assert opened.documents() == [kept]
        Tenants(opened.database).create("acme")
        _, key = ApiKeys(opened.of_tenant("acme"), b"pepper").create("x", ["read"])
        found = Directory(opened, b"pepper").find(key)
        assert found is not None
        assert found.tenant == "acme"
        agent = StoredAgents(opened).create("x", wire_format="ref")
        Embeds(opened, b"pepper").create(agent.agent_id, "x")
        (passage,) = opened.passages_of(kept.document_id)
        Grants(opened).give("a" * 64, [(passage.chunk_id, passage.version)], 10)
        assert Grants(opened).versions("a" * 64, passage.chunk_id) == [kept.version]
        Audit(opened).write("visitor:0123", "read", document_id=kept.document_id)
        opened.delete(kept.document_id)
        with opened.database.reading() as connection:
            written = connection.exec_driver_sql("SELECT value FROM meta WHERE name = 'schema'").scalar()
    assert written == str(SCHEMA)
