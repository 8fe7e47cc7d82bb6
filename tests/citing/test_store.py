"""The store keeps each key for one passage, from every thread, over a restart."""

from __future__ import annotations

import json
import threading

import pytest

from pincite.citing import CitationContextContribution, CitationStore
from pincite.core.errors import InputError, KeyClashError


def test_the_four_layers_own_call() -> None:
    """An object registered as the page shows is found by key and by document."""
    store = CitationStore()
    record = {"title": "Ticket 7", "url": "https://tickets.example/7"}
    hit = store.register_hit(
        citation_key=record["url"],
        context_hit={"title": record["title"], "source_url": record["url"]},
        search_hit=record,
        evidence_url=record["url"],
        context_contribution=CitationContextContribution(document_ids=("ticket-7",)),
        index_type="tickets",
        index_id="main",
    )
    assert store.get(record["url"]) is hit
    assert store.get_hit_by_document_id("ticket-7") is hit
    assert (hit.citation_key, hit.index_type, hit.index_id) == (record["url"], "tickets", "main")
    assert hit.search_hit is record


def test_the_same_object_again_is_one_entry() -> None:
    """Registering twice what is the same changes nothing."""
    store = CitationStore()
    for _ in range(2):
        store.register_hit("k", {"content": "same"}, None)
    assert store.keys() == ["k"]


def test_another_object_under_the_same_key_is_an_error() -> None:
    """A key never changes its passage in silence."""
    store = CitationStore()
    store.register_hit("k", {"content": "one"}, None)
    with pytest.raises(KeyClashError, match="stands for another passage"):
        store.register_hit("k", {"content": "two"}, None)


def test_an_empty_key_is_an_error() -> None:
    """An object without a key cannot be cited."""
    with pytest.raises(InputError, match="must not be empty"):
        CitationStore().register_hit("", {}, None)


def test_iteration_keeps_the_order_of_registration() -> None:
    """The first registered comes first."""
    store = CitationStore()
    for key in ("b", "a", "c"):
        store.register_hit(key, {"content": key}, None)
    assert [hit.citation_key for hit in store] == ["b", "a", "c"]


def test_sixteen_threads_lose_nothing() -> None:
    """Registration takes a lock."""
    store = CitationStore()

    def register(worker: int) -> None:
        for index in range(200):
            store.register_hit(f"{worker}-{index}", {"content": str(index)}, None)

    threads = [threading.Thread(target=register, args=(worker,)) for worker in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(store) == 16 * 200


def test_an_export_is_json_and_comes_back() -> None:
    """Objects that JSON does not know are left out, the rest is kept."""
    store = CitationStore()
    store.register_hit("k", {"content": "one", "n": 1}, object(), "https://a.example")
    again = CitationStore.load(json.loads(json.dumps(store.export())))
    hit = again.get("k")
    assert hit is not None
    assert (dict(hit.context_hit), hit.search_hit, hit.evidence_url) == (
        {"content": "one", "n": 1},
        None,
        "https://a.example",
    )


@pytest.mark.parametrize("entry", [{}, {"citation_key": "k"}])
def test_loading_another_shape_is_an_error(entry: dict[str, str]) -> None:
    """A stored hit of another shape is a sentence, not a stack trace."""
    with pytest.raises(InputError, match="has not the shape"):
        CitationStore.load([entry])
