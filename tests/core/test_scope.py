"""Scopes take ids and keys, and nothing that only looks like a list."""

from __future__ import annotations

from typing import Any

import pytest

from pincite.core.errors import ScopeError
from pincite.core.ids import document_id, public_document_id
from pincite.core.scope import Scope

COLLECTION = "7b1a9e20-0000-4000-8000-000000000001"


def test_keys_stand_for_both_forms_of_id() -> None:
    """A key matches our id of it in the collection and the public one."""
    scope = Scope.of({"/notes.md"}, collection=COLLECTION)
    assert document_id(COLLECTION, "/notes.md") in scope
    assert public_document_id("/notes.md") in scope
    assert len(scope) == 2


def test_an_id_stands_for_itself() -> None:
    """A UUID is taken as it is."""
    assert Scope.of([COLLECTION]).document_ids == {COLLECTION}


def test_an_id_in_capitals_is_the_id() -> None:
    """Ids are canonical in lower case, however they are written; a key is taken as it is written."""
    for scope in (
        Scope.of([COLLECTION.upper()]),
        Scope([COLLECTION.upper()]),
        Scope.of([COLLECTION.title()]),
    ):
        assert scope.document_ids == {COLLECTION}
    assert Scope.of(["NOTES.md"]).document_ids == {public_document_id("NOTES.md")}
    assert Scope(["NOTES.md", COLLECTION.upper()]).document_ids == {"NOTES.md", COLLECTION}


@pytest.mark.parametrize(
    "items", ["/notes.md", b"x", None, 7, [7], [None], ["/a.md", ["/b.md"]], {"/a.md": 1}, {}]
)
def test_what_is_no_collection_of_strings_is_an_error(items: Any) -> None:
    """A bare string would otherwise be read letter by letter, and of a mapping only the keys."""
    for made in (Scope.of, Scope):
        with pytest.raises(ScopeError) as caught:
            made(items)
        assert caught.value.field == "scope"


def test_a_scope_may_come_from_an_iterator() -> None:
    """It is read once."""
    assert len(Scope.of(key for key in ("/a.md", "/b.md"))) == 2
    assert len(Scope(iter([COLLECTION]))) == 1


def test_an_empty_scope_holds_nothing() -> None:
    """Nothing is in an empty scope."""
    assert COLLECTION not in Scope.of([])
