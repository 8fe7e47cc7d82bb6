"""Reciprocal rank fusion."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pincite.search.fuse import fuse

NAMES = st.lists(st.sampled_from("abcdefgh"), max_size=8, unique=True)


def test_order_is_that_of_the_sums() -> None:
    """1/61 + 1/62 beats 1/61 + 1/63, and one first place beats one second."""
    assert fuse([["a", "b", "c"], ["b", "d", "a"]]) == ["b", "a", "d", "c"]


def test_nothing_gives_nothing() -> None:
    """No ranking, and rankings of nothing, fuse to nothing."""
    assert fuse([]) == fuse([[], []]) == []


@given(st.lists(NAMES, max_size=5), st.randoms())
def test_order_of_the_rankings_does_not_matter(rankings: list[list[str]], random: object) -> None:
    """Any shuffle of the rankings gives the same order."""
    shuffled = list(rankings)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert fuse(shuffled) == fuse(rankings)


@given(st.lists(NAMES, max_size=5))
def test_every_name_comes_out_once(rankings: list[list[str]]) -> None:
    """The names that go in are those that come out."""
    fused = fuse(rankings)
    assert sorted(fused) == sorted({name for ranking in rankings for name in ranking})


@given(NAMES)
def test_one_ranking_keeps_its_order(ranking: list[str]) -> None:
    """A ranking alone, or twice the same, stays as it is."""
    assert fuse([ranking]) == fuse([ranking, ranking]) == ranking
