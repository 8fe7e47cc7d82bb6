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


@pytest.mark.parametrize("items", ["/notes.md", b"x", None, 7, [7], [None]])
def test_what_is_no_collection_of_strings_is_an_error(items: Any) -> None:
    """A bare string would otherwise be read letter by letter."""
    with pytest.raises(ScopeError):
        Scope.of(items)


def test_an_empty_scope_holds_nothing() -> None:
    """Nothing is in an empty scope."""
    assert COLLECTION not in Scope.of([])
