"""What recent searches of a collection scored: counted on the reranker's scale, and nothing of what was asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from pincite.server.score_log import BINS, ScoreLog
from server_parts import HANDBOOK

if TYPE_CHECKING:
    from server_parts import Served


def test_scores_of_searches_are_counted(served: Served) -> None:
    """Each search counts once in each collection that it found something in; no question is in the answer."""
    headers = served.key("manage")
    first, second = served.collection(headers), served.collection(headers, "empty")
    served.add(headers, first, "handbook.md", HANDBOOK.encode())
    path = f"/api/manage/collections/{first}/scores"
    assert served.client.get(path, headers=headers).json()["searches"] == 0
    for question in ("From which amount do expenses need approval?", "Are trains booked in first class?"):
        asked = {"query": question, "collections": [first]}
        assert served.client.post("/api/manage/search", json=asked, headers=headers).status_code == 200
    told = served.client.get(path, headers=headers).json()
    bar = served.client.get(f"/collections/{first}", headers=headers).json()["bar"]
    assert (told["lowest"], told["highest"], told["reranker"]) == (
        bar["lowest"],
        bar["highest"],
        bar["reranker"],
    )
    assert len(told["counts"]) == BINS
    assert told["searches"] == sum(told["counts"]) == 2
    assert set(told) == {"reranker", "lowest", "highest", "searches", "counts"}
    other = served.client.get(f"/api/manage/collections/{second}/scores", headers=headers).json()
    assert other["searches"] == 0


def test_the_best_of_a_search_is_what_counts() -> None:
    """A score counts in its part of the scale; one beyond an end counts there; the oldest is forgotten."""
    log = ScoreLog(3)
    for score in (-5.0, -1.0, 0.0, 1.0, 5.0):
        log.note({"a": score})
    counts = log.counts("a", -1.0, 1.0)
    assert sum(counts) == 3
    assert (counts[BINS // 2], counts[-1]) == (1, 2)
    assert sum(log.counts("b", -1.0, 1.0)) == 0


@given(st.lists(st.integers(-300, 300).map(lambda number: (number + 0.5) / 100), max_size=40))
def test_every_score_counts_once(scores: list[float]) -> None:
    """Whatever was scored, there are as many counts as scores, and each lies on its side of the middle."""
    log = ScoreLog(100)
    for score in scores:
        log.note({"a": score})
    counts = log.counts("a", -1.0, 1.0)
    assert sum(counts) == len(scores)
    assert sum(counts[: BINS // 2]) == sum(score < 0 for score in scores)
