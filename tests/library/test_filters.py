"""Filters: which documents a search may look at, decided alike on every database."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from line_documents import document_of, passages_of

from pincite.core import ids
from pincite.core.bibliography import Bibliography
from pincite.core.errors import InputError, LimitError
from pincite.core.limits import DEFAULT
from pincite.library import DocumentFilter, Library, checked_metadata

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pincite.library import Collection, StoredDocument

START = datetime(2026, 3, 1, tzinfo=UTC)


class Shelf:
    """Keeps documents, each an hour after the one before, and finds them by their text."""

    def __init__(self, home: Path) -> None:
        self.time = START
        self.library = Library.open(home, clock=lambda: self.time, limits=replace(DEFAULT, filter_values=3))
        self.collection = self.library.collection("default")
        self.names: dict[str, str] = {}

    def keep(self, text: str, collection: Collection | None = None, **said: Any) -> StoredDocument:
        """Keep a text under its own name."""
        into = self.collection if collection is None else collection
        document = document_of(text)
        document_id = ids.document_id(into.collection_id, said.get("source_uri") or f"upload://{text}")
        stored = self.library.keep(
            into,
            document,
            passages_of(document, document_id),
            data=text.encode(),
            source_key=said.get("source_uri") or f"upload://{text}",
            **said,
        )
        self.names[document_id] = text
        self.time += timedelta(hours=1)
        return stored

    def found(self, *collections: Collection, **wanted: Any) -> list[str]:
        """Return the texts that a filter finds."""
        among = [one.collection_id for one in collections or (self.collection,)]
        return sorted(self.names[one] for one in self.library.matching(among, DocumentFilter(**wanted)))


@pytest.fixture
def shelf(home: Path) -> Iterator[Shelf]:
    """An empty shelf."""
    made = Shelf(home)
    yield made
    made.library.close()


def test_empty_filter_finds_what_stands(shelf: Shelf) -> None:
    """Of the collections that are named, and of no others; nothing that is trashed or deleted."""
    other = shelf.library.collection("other")
    shelf.keep("a")
    shelf.keep("b", other)
    trashed, deleted = shelf.keep("c"), shelf.keep("d")
    shelf.library.trash(trashed.document_id)
    shelf.library.delete(deleted.document_id)
    assert shelf.found() == ["a"]
    assert shelf.found(shelf.collection, other) == ["a", "b"]
    assert shelf.library.matching([], DocumentFilter()) == frozenset()
    assert shelf.library.of_tenant("t").matching([shelf.collection.collection_id], DocumentFilter()) == set()


def test_documents_by_name(shelf: Shelf) -> None:
    """By id, by address, and by key where there is no address; by media type."""
    a = shelf.keep("a")
    shelf.keep("b", source_uri="https://example.org/b")
    assert shelf.found(document_ids=[a.document_id, "x"]) == ["a"]
    assert shelf.found(source_uris=["https://example.org/b"]) == ["b"]
    assert shelf.found(source_uris=["upload://a", "https://example.org/b"]) == ["a", "b"]
    assert shelf.found(media_types=["TEXT/plain"]) == ["a", "b"]
    assert shelf.found(media_types=["application/pdf"]) == []
    assert shelf.found(document_ids=[a.document_id], source_uris=["https://example.org/b"]) == []


def test_languages(shelf: Shelf) -> None:
    """A language stands for its regions, and not for one that begins alike; what was set by hand counts."""
    shelf.keep("british", bibliography=Bibliography(language="en-GB"))
    shelf.keep("english", bibliography=Bibliography(language="en"))
    shelf.keep("enga", bibliography=Bibliography(language="enq"))
    shelf.keep("none")
    assert shelf.found(languages=["EN"]) == ["british", "english"]
    assert shelf.found(languages=["en-gb", "enq"]) == ["british", "enga"]
    assert shelf.found(languages=["e_"]) == []


def test_times(shelf: Shelf) -> None:
    """From one time on, and before another, whatever their zones and fractions of a second."""
    for text in "abc":
        shelf.keep(text)
    assert shelf.found(added_after=START + timedelta(hours=1)) == ["b", "c"]
    assert shelf.found(added_before=START + timedelta(hours=1)) == ["a"]
    east = timezone(timedelta(hours=5))
    assert shelf.found(
        added_after=START.astimezone(east), added_before=START + timedelta(microseconds=1)
    ) == ["a"]
    shelf.time += timedelta(microseconds=5)
    shelf.keep("d")
    at = START + timedelta(hours=3)
    assert shelf.found(added_after=at) == ["d"]
    assert shelf.found(added_after=at + timedelta(microseconds=5)) == ["d"]
    assert shelf.found(added_after=at + timedelta(microseconds=6)) == []
    assert shelf.found(added_before=at + timedelta(microseconds=5)) == ["a", "b", "c"]
    with pytest.raises(InputError):
        shelf.found(added_after=datetime(2026, 3, 1))  # noqa: DTZ001 - the fault


def test_metadata(shelf: Shelf) -> None:
    """Values are equal in kind too; one of several is enough; a list holds its members; all names count."""
    shelf.keep("a", metadata={"team": "ops", "year": 2026, "draft": True, "tags": ["red", "blue"]})
    shelf.keep("b", metadata={"team": "Ops", "year": 1, "draft": False, "tags": []})
    shelf.keep("c")
    cases: tuple[tuple[dict[str, Any], list[str]], ...] = (
        ({"team": "ops"}, ["a"]),
        ({"team": ["ops", "Ops"]}, ["a", "b"]),
        ({"team": []}, []),
        ({"year": 1}, ["b"]),
        ({"year": 2026.0}, ["a"]),
        ({"year": True}, []),
        ({"draft": True}, ["a"]),
        ({"draft": 1}, []),
        ({"tags": "red"}, ["a"]),
        ({"tags": ["blue", "green"]}, ["a"]),
        ({"team": "ops", "tags": "green"}, []),
        ({"other": "ops"}, []),
        ({"year": "2026"}, []),
    )
    for wanted, found in cases:
        assert shelf.found(metadata=wanted) == found, wanted


def test_filters_are_bounded(shelf: Shelf) -> None:
    """More values of a kind than the limit are refused, and so are names and values that are none."""
    four = ["a", "b", "c", "d"]
    for wanted in (
        {"document_ids": four},
        {"source_uris": four},
        {"media_types": four},
        {"languages": four},
        {"metadata": {"a": four}},
        {"metadata": dict.fromkeys(four, "x")},
    ):
        with pytest.raises(LimitError):
            shelf.found(**wanted)
    for metadata in ({'a"b': 1}, {"": 1}, {"a": None}, {"a": {"b": 1}}, {"a": float("inf")}):
        with pytest.raises(InputError):
            shelf.found(metadata=metadata)


@pytest.mark.parametrize(
    "bad",
    [
        [], "x", {1: "x"}, {"a b": 1}, {"a": None}, {"a": [1]}, {"a": [["x"]]}, {"a": {"b": "c"}},
        {"a": float("nan")}, {"x" * 65: 1}, {"a": b"x"},
    ],
)  # fmt: skip
def test_metadata_that_are_none(bad: object) -> None:
    """What is no flat object of short values is refused in a sentence."""
    with pytest.raises(InputError):
        checked_metadata(bad, 1_000)


def test_metadata_are_bounded_and_normalised() -> None:
    """The bound counts bytes of JSON; texts are stored as all texts are."""
    assert checked_metadata({"a": "e\u0301\r\n", "b": ("x",)}, 1_000) == {"a": "\u00e9\n", "b": ["x"]}
    assert checked_metadata({"a": "x"}, 9) == {"a": "x"}
    with pytest.raises(LimitError):
        checked_metadata({"a": "xy"}, 9)


VALUES = st.one_of(
    st.sampled_from(["x", "y", "", "\u00e9"]), st.integers(-2, 2), st.booleans(), st.floats(-1, 1)
)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    held=st.dictionaries(st.sampled_from("ab"), VALUES | st.lists(st.sampled_from("xy")), max_size=2),
    wanted=st.dictionaries(st.sampled_from("ab"), VALUES, max_size=2),
)
def test_metadata_are_found_as_they_were_given(
    shelf: Shelf, held: dict[str, Any], wanted: dict[str, Any]
) -> None:
    """A document fits when each wanted value is the one that it has, of the same kind, or in its list."""
    shelf.keep("a", metadata=held)

    def fits(name: str, value: object) -> bool:
        mine = held.get(name)
        if isinstance(mine, list):
            return isinstance(value, str) and value in cast("list[str]", mine)
        return name in held and value == mine and isinstance(value, bool) == isinstance(mine, bool)

    expected = all(fits(name, value) for name, value in wanted.items())
    assert shelf.found(metadata=wanted) == (["a"] if expected else [])
