"""Search over HTTP: broadened once, judged by one bar, and never an error because a part of it is away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from server_parts import HANDBOOK, Served

if TYPE_CHECKING:
    from collections.abc import Sequence


@pytest.fixture
def headers(served: Served) -> dict[str, str]:
    """A key that opens everything, of a tenant with a handbook."""
    found = served.key("manage")
    served.add(found, served.collection(found), "handbook.md", HANDBOOK.encode())
    return found


def ask(served: Served, headers: dict[str, str], **given: Any) -> dict[str, Any]:
    """Return the reply to a search."""
    reply = served.client.post("/api/manage/search", json=given, headers=headers)
    assert reply.status_code == 200, reply.text
    return dict(reply.json())


def test_under_the_bar_a_search_is_broadened_once_and_judged_by_the_same_bar(
    served: Served, headers: dict[str, str]
) -> None:
    """Nothing reaches a bar of 0.95: the search is broadened, and what it finds is weak by that bar, too."""
    assert ask(served, headers, query="expenses approval")["broadened"] is False
    collection = served.client.get("/api/manage/collections", headers=headers).json()["collections"][0]
    address = f"/collections/{collection['collection_id']}"
    served.client.patch(address, json={"score_threshold": 0.95}, headers=headers)
    found = ask(served, headers, query="expenses approval")
    assert found["broadened"] is True
    assert {row["confidence"] for row in found["results"]} == {"weak"}


def test_what_fits_badly_is_weak_and_is_not_left_out(served: Served, headers: dict[str, str]) -> None:
    """What fits badly is weak and is not left out."""
    found = ask(served, headers, query="How do whales sing under water?")
    assert found["broadened"] is True
    assert found["results"]
    assert {row["confidence"] for row in found["results"]} == {"weak"}


class _Broken:
    """A reranker that is away."""

    name = "broken"
    scale = (0.0, 1.0)
    default_threshold = 0.5

    def score(self, question: str, passages: Sequence[str]) -> Sequence[float]:  # noqa: ARG002 - the protocol's
        """Fail, as a service does that does not answer."""
        raise TimeoutError


def test_a_reranker_that_fails_means_null_and_no_error(
    served: Served, headers: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reranker that fails means null, never an error and never weak."""
    search = served.service.desk("local").search
    monkeypatch.setattr(search, "_reranker", _Broken())
    found = ask(served, headers, query="expenses approval")
    assert {row["confidence"] for row in found["results"]} == {None}
    assert found["broadened"] is False
    assert any("broken" in one for one in found["warnings"])


def test_refs_are_unlike_one_another_in_a_conversation_and_stay(
    served: Served, headers: dict[str, str]
) -> None:
    """A passage keeps its ref in a conversation, whatever is searched for in between."""
    first = ask(served, headers, query="expenses approval", conversation_id="mine")
    ask(served, headers, query="trains and flights", conversation_id="mine")
    again = ask(served, headers, query="expenses approval", conversation_id="mine")
    refs = {row["chunk_id"]: row["ref"] for row in first["results"]}
    assert {row["chunk_id"]: row["ref"] for row in again["results"]} == refs
    assert len(set(refs.values())) == len(refs)


def test_a_new_conversation_has_an_id_that_nobody_guesses(served: Served, headers: dict[str, str]) -> None:
    """A new conversation has an id that nobody guesses."""
    ids = {ask(served, headers, query="expenses")["conversation_id"] for _ in range(3)}
    assert len(ids) == 3
    assert all(len(one) >= 24 for one in ids)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"query": ""}, "query"),
        ({"query": "   "}, "question"),
        ({"query": "a" * 5_000}, "question"),
        ({"query": "a", "limit": 0}, "limit"),
        ({"query": "a", "limit": 51}, "limit"),
        ({"query": "a", "colour": "red"}, "colour"),
        ({"query": "a", "filters": {"shape": 1}}, "filters.shape"),
        ({"query": ["a"]}, "query"),
        ({}, "query"),
    ],
)
def test_what_cannot_be_asked_is_422_and_named(
    served: Served, headers: dict[str, str], body: dict[str, Any], field: str
) -> None:
    """What cannot be asked is 422 and named."""
    reply = served.client.post("/api/manage/search", json=body, headers=headers)
    assert (reply.status_code, reply.json()["error"]["field"]) == (422, field), reply.text


def test_a_collection_that_there_is_not_is_404(served: Served, headers: dict[str, str]) -> None:
    """A collection that there is not is 404."""
    reply = served.client.post(
        "/api/manage/search", json={"query": "a", "collections": ["nowhere"]}, headers=headers
    )
    assert reply.status_code == 404
