"""A field is read alike from a mapping and an object, and two items are one by one rule."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType, SimpleNamespace
from typing import Any

import pytest

from pincite.citing import ContextItems
from pincite.citing._fields import first_of, identity_of_item, reader_of, value_of


@dataclass
class Item:
    """An object with fields, without a hash."""

    id: str | None = None
    title: str = ""


@pytest.mark.parametrize(
    "item",
    [
        {"id": "7", "title": "T"},
        MappingProxyType({"id": "7", "title": "T"}),
        Item("7", "T"),
        SimpleNamespace(id="7", title="T"),
    ],
)
def test_a_field_is_read_from_whatever_has_it(item: object) -> None:
    """By one function; what is not there is None."""
    assert [value_of(item, name) for name in ("id", "title", "other")] == ["7", "T", None]
    assert first_of(reader_of(item), ("other", "id", "title")) == "7"
    assert first_of(reader_of(item), ("other",)) is None


def test_an_empty_string_says_nothing_and_zero_does() -> None:
    """The first field that says something is taken."""
    assert first_of(reader_of({"a": None, "b": "", "c": 0, "d": "x"}), ("a", "b", "c", "d")) == 0
    assert first_of(reader_of(None), ("a",)) is None


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("a", "a", True),
        (("a", 1), ("a", 1), True),
        ({"id": "7", "title": "Old"}, {"id": "7", "title": "New"}, True),
        ({"id": "7", "type": "person"}, {"id": "7", "type": "ticket"}, False),
        ({"id": "7"}, {"id": "8"}, False),
        ({"document_id": "7"}, {"document_id": "7", "title": "T"}, True),
        (Item("7", "Old"), {"id": "7"}, True),
        ({"a": 1, "b": [2]}, {"b": [2], "a": 1}, True),
        ({"a": 1}, {"a": 2}, False),
        ([1, {"a": 2}], [1, {"a": 2}], True),
        ({"id": ["7"]}, {"id": ["7"]}, True),
    ],
)
def test_two_items_of_a_context_are_one(one: Any, other: Any, *, same: bool) -> None:
    """The same id of the same kind of thing, or the same value; the context of a message keeps each once."""
    assert (identity_of_item(one) == identity_of_item(other)) is same
    items = ContextItems(custom_items=(one,)) | ContextItems(custom_items=(other,))
    assert len(items.custom_items) == (1 if same else 2)


def test_what_cannot_be_written_as_json_is_itself() -> None:
    """An item that holds itself has no value to compare; it is the same as itself alone."""
    knot: list[Any] = []
    knot.append(knot)
    assert identity_of_item(knot) == identity_of_item(knot)
    assert identity_of_item(knot) != identity_of_item([knot])
