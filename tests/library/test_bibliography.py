"""Bibliographic fields in the library: what a file says, what is set, and what becomes of both."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from line_documents import document_of, passages_of

from pincite.core import ids
from pincite.core.bibliography import NO_BIBLIOGRAPHY, Author, Bibliography
from pincite.core.errors import InputError
from pincite.library import Library, add_paths
from pincite.reading import ReadingPool

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pincite.library import AddResult, Collection, StoredDocument

FOUND = Bibliography(author=(Author("Found"),), issued="1999", publisher="Found Press")
PAGE = '<html lang="en"><meta name="citation_author" content="Meier, Anna"><p>Text one.</p>'


def keep(
    library: Library,
    collection: Collection,
    text: str,
    *,
    found: Bibliography = NO_BIBLIOGRAPHY,
    given: Bibliography | None = None,
) -> StoredDocument:
    """Keep a text whose file says `found` of itself."""
    document = replace(document_of(text), bibliography=found)
    passages = passages_of(document, ids.document_id(collection.collection_id, "upload://a.txt"))
    return library.keep(
        collection, document, passages, data=text.encode(), source_key="upload://a.txt", bibliography=given
    )


def test_what_is_set_goes_before_what_the_file_says(library: Library, collection: Collection) -> None:
    """Field by field, in what keeping returns and in every later look."""
    given = Bibliography(issued="2026", doi="10.1000/182")
    stored = keep(library, collection, "one", found=FOUND, given=given)
    assert stored.bibliography == replace(FOUND, issued="2026", doi="10.1000/182")
    assert library.document(stored.document_id) == stored
    assert library.documents() == [stored]


def test_a_document_says_nothing_of_itself_by_default(library: Library, collection: Collection) -> None:
    """Then there are no fields."""
    assert keep(library, collection, "one").bibliography == NO_BIBLIOGRAPHY


def test_an_edited_file_says_anew_what_it_says_and_what_was_set_stays(
    library: Library, collection: Collection
) -> None:
    """A DOI is set once, whatever becomes of the text."""
    keep(library, collection, "one", found=FOUND, given=Bibliography(doi="10.1000/182"))
    edited = keep(library, collection, "two", found=Bibliography(issued="2000"))
    assert edited.bibliography == Bibliography(issued="2000", doi="10.1000/182")


def test_setting_again_changes_the_fields_that_are_given(library: Library, collection: Collection) -> None:
    """Also where the file is the same, which makes no new version."""
    first = keep(library, collection, "one", given=Bibliography(doi="10.1000/1", publisher="Acme"))
    second = keep(library, collection, "one", given=Bibliography(doi="10.1000/2"))
    assert second.bibliography == Bibliography(doi="10.1000/2", publisher="Acme")
    assert (second.version, library.head()) == (first.version, 1)


def test_deleting_a_document_deletes_its_fields(library: Library, collection: Collection) -> None:
    """A tombstone names nobody; what comes under its key later begins anew."""
    stored = keep(library, collection, "one", found=FOUND, given=Bibliography(doi="10.1000/182"))
    library.delete(stored.document_id)
    with library.database.reading() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM bibliographies").scalar() == 0
    assert keep(library, collection, "one").bibliography == NO_BIBLIOGRAPHY


def test_tenants_have_their_own(home: Path, library: Library) -> None:
    """As of everything else."""
    keep(library, library.collection("c"), "one", given=Bibliography(doi="10.1000/1"))
    with Library.open(home, tenant="other") as other:
        assert keep(other, other.collection("c"), "one").bibliography == NO_BIBLIOGRAPHY


@pytest.mark.on_sqlite
def test_a_library_of_the_second_schema_is_brought_up_to_date(
    home: Path, library: Library, collection: Collection
) -> None:
    """It had no bibliographies. Its documents are there as before, and can be given some."""
    kept = keep(library, collection, "one")
    library.close()
    old = sqlite3.connect(home / "library.db")
    old.execute("DROP TABLE bibliographies")
    old.execute("DROP TABLE alembic_version")
    old.execute("UPDATE meta SET value = '2' WHERE name = 'schema'")
    old.commit()
    old.close()
    with Library.open(home) as opened:
        assert opened.documents() == [kept]
        given = keep(opened, collection, "one", given=Bibliography(doi="10.1000/182"))
    assert given == replace(kept, bibliography=Bibliography(doi="10.1000/182"))


# --- Files ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pool() -> Iterator[ReadingPool]:
    """Workers that read files."""
    with ReadingPool() as opened:
        yield opened


def add(library: Library, paths: list[Path], pool: ReadingPool, **given: Any) -> list[AddResult]:
    """Add files with these fields."""
    bibliography = Bibliography(**given) if given else None
    return list(add_paths(library, library.collection("c"), paths, pool=pool, bibliography=bibliography))


def test_files_are_read_and_fields_set(library: Library, tmp_path: Path, pool: ReadingPool) -> None:
    """From the file through the guarded worker into the library; the same again changes nothing."""
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    for status in ("ready", "unchanged"):
        (result,) = add(library, [path], pool, doi="10.1000/182")
        assert result.status == status
    expected = Bibliography(author=(Author("Meier", "Anna"),), language="en", doi="10.1000/182")
    assert [one.bibliography for one in library.documents()] == [expected]


def test_a_saved_page_is_linked_where_it_was_saved_from(
    library: Library, tmp_path: Path, pool: ReadingPool
) -> None:
    """Its key stays that of the file; an address that the user gives goes before what the page says."""
    path = tmp_path / "page.html"
    path.write_text(f"<link rel=canonical href=https://example.org/a>{PAGE}", encoding="utf-8")
    add(library, [path], pool)
    (stored,) = library.documents()
    assert (stored.source_key, stored.source_uri) == ("upload://page.html", "https://example.org/a")
    given = "https://example.org/given"
    list(add_paths(library, library.collection("d"), [path], pool=pool, source_uri=given))
    assert [one.source_uri for one in library.documents()][-1] == given


def test_a_known_file_is_given_other_fields(library: Library, tmp_path: Path, pool: ReadingPool) -> None:
    """It is no new version, and the fields are there; without any it is unchanged and keeps them."""
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    statuses = [add(library, [path], pool, **given)[0].status for given in ({}, {"issued": "2026"}, {})]
    assert statuses == ["ready", "ready", "unchanged"]
    (stored,) = library.documents()
    assert stored.bibliography == Bibliography(
        author=(Author("Meier", "Anna"),), language="en", issued="2026"
    )


@pytest.mark.parametrize(("field", "value"), [("doi", "10.1000/182"), ("isbn", "9783161484100")])
def test_one_number_is_of_one_file(
    library: Library, tmp_path: Path, pool: ReadingPool, field: str, value: str
) -> None:
    """A whole folder may have a publisher, and no DOI."""
    for name in ("a.html", "b.html"):
        (tmp_path / name).write_text(PAGE, encoding="utf-8")
    files = [tmp_path / "a.html", tmp_path / "b.html"]
    with pytest.raises(InputError, match="one file") as caught:
        add(library, files, pool, **{field: value})
    assert caught.value.field == field
    add(library, files, pool, publisher="Acme")
    assert [one.bibliography.publisher for one in library.documents()] == ["Acme", "Acme"]
