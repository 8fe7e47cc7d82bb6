"""Messages and their evidences: which addresses they point at, and what counts as the same item twice."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pincite.citing import CitationStore
from pincite.citing.messages import ChatMessage, ContentPart, ContextItems, evidence_address, unique


def address(key: str, evidence_url: str | None = None, search_hit: Any = None) -> str:
    """Return the address of an evidence of a hit."""
    store = CitationStore()
    hit = store.register_hit(key, {"title": "T"}, search_hit if search_hit is not None else {}, evidence_url)
    return evidence_address(hit)


def test_an_evidence_points_at_the_first_address_that_is_safe() -> None:
    """The evidence URL, else what the producing system shows, else the key."""
    shown = {"document_hit_url": "https://shown.example/"}
    assert address("https://key.example/", "https://own.example/", shown) == "https://own.example/"
    assert address("https://key.example/", None, shown) == "https://shown.example/"
    assert address("https://key.example/", None, SimpleNamespace(document_hit_url="/d/1")) == "/d/1"
    assert address("https://key.example/") == "https://key.example/"
    assert address("9f2a1b7c") == ""


@pytest.mark.parametrize(
    "hostile",
    [
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        " javascript:alert(1)",
        "java\tscript:alert(1)",
        "data:text/html,<script>",
        "vbscript:x",
        "file:///etc/passwd",
        "https://user:secret@a.example/",
        "https://",
        "//evil.example/x",
        "///evil.example/x",
        "/\\evil.example",
        "\\\\evil.example",
        "/a\nb",
        "/a b",
        "/a\u202eb",
        "/a\u200bb",
        "/a\x00b",
        "/\ud800",
        "a/b",
        "",
    ],
)
def test_an_address_that_is_not_safe_is_never_pointed_at(hostile: str) -> None:
    """A `javascript:` evidence_url passes through, section 3: here the next safe address stands in, or none."""
    assert address("9f2a1b7c", hostile) == ""
    assert address("9f2a1b7c", hostile, {"document_hit_url": hostile}) == ""
    assert address("https://key.example/", hostile) == "https://key.example/"
    if hostile:
        assert address(hostile) == ""


def test_an_address_that_is_none_is_passed_over() -> None:
    """What a producing system has under the name may be anything."""
    for odd in (5, None, ["https://a.example"], b"/a"):
        assert address("https://key.example/", None, {"document_hit_url": odd}) == "https://key.example/"


def test_a_path_of_the_site_is_an_address() -> None:
    """Internal objects have a retrieval address; what Markdown or HTML could take apart is percent-encoded."""
    assert address("k", "/documents/3d0e_0?page=2#x") == "/documents/3d0e_0?page=2#x"
    assert address("k", "/a(b)<c>\"d'") == "/a%28b%29%3Cc%3E%22d%27"


def test_items_are_the_same_by_id_or_by_being_equal() -> None:
    """The first of each stays, in order; equal words with other ids are two."""
    first, again = {"id": 1, "note": "a"}, {"id": 1, "note": "b"}
    assert unique((first, {"id": 2}, again, "x", "x", [1], [1])) == (first, {"id": 2}, "x", [1])
    assert unique(({"a": 1, "b": 2}, {"b": 2, "a": 1}, {"a": 2})) == ({"a": 1, "b": 2}, {"a": 2})
    assert unique((...,)) == (...,)
    assert unique(({"id": 0}, {"id": 0, "x": 1}), ({"id": 1},)) == ({"id": 0},)


def test_ids_of_two_systems_are_two() -> None:
    """The id of a note is not the id of a page, nor is one page's that of another."""
    note, page = {"id": 1, "type": "note"}, {"id": 1, "type": "page"}
    here, there = {"id": 1, "url": "https://a.example"}, {"id": 1, "url": "https://b.example"}
    assert unique((note, page, here, there)) == (note, page, here, there)


def test_odd_items_cost_nothing() -> None:
    """What has no hash, no id and no JSON is taken as itself, and many of them take linear time."""
    deep: list[Any] = []
    for _ in range(10_000):
        deep = [deep]
    ring: list[Any] = []
    ring.append(ring)
    mixed = {1: "a", "b": object()}
    assert unique((deep, ring, mixed, deep, ring, mixed)) == (deep, ring, mixed)
    many = tuple({"n": n % 10} for n in range(20_000))
    assert len(unique(many)) == 10


def test_a_message_tells_all_that_it_passes_on() -> None:
    """Its context is that of all its parts, each item once; who cited it is said where they agree."""
    mine = ContextItems(("a", "b"), ({"id": 1},), ("k",), "assistant")
    more = ContextItems(("b", "c"), ({"id": 1},), ("k", "l"), "assistant")
    parts = (
        ContentPart("text", text="x"),
        ContentPart("context", context=mine),
        ContentPart("context", context=more),
    )
    assert ChatMessage(content_parts=parts).context == ContextItems(
        ("a", "b", "c"), ({"id": 1},), ("k", "l"), "assistant"
    )
    attached = ContentPart("context", context=ContextItems(("d",)))
    assert ChatMessage(content_parts=(*parts, attached)).context.cited_by is None
    assert not ChatMessage().context
