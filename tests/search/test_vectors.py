"""The vector half of the index."""

from __future__ import annotations

import numpy as np
import pytest

from pincite.search._vectors import Vectors
from pincite.search.embedding import pack

EAST, NORTH, BETWEEN = [1.0, 0.0], [0.0, 1.0], [0.6, 0.8]


def _vectors() -> Vectors:
    vectors = Vectors(2)
    vectors.add([("e", "one", pack(EAST)), ("n", "one", pack(NORTH)), ("b", "two", pack(BETWEEN))])
    return vectors


def test_nearest_come_first() -> None:
    """Cosines with north are 1, .8 and 0."""
    found = _vectors().search(NORTH, ["one", "two"], 3)
    assert [name for name, _ in found] == ["n", "b", "e"]
    assert [score for _, score in found] == pytest.approx([1.0, 0.8, 0.0], abs=1e-3)


def test_a_filter_loses_nothing() -> None:
    """One of many in another collection is found, however many others are nearer."""
    vectors = _vectors()
    vectors.add((f"x{number}", "one", pack(NORTH)) for number in range(2_000))
    assert [name for name, _ in vectors.search(NORTH, ["two"], 5)] == ["b"]
    assert [name for name, _ in vectors.search(NORTH, ["one", "two"], 5, only=["e", "b", "?"])] == ["b", "e"]
    assert vectors.search(NORTH, ["unknown"], 5) == []


def test_what_is_dropped_is_not_found_until_it_is_restored() -> None:
    """Also when the vector comes after the drop."""
    vectors = _vectors()
    vectors.drop(["n", "later"])
    vectors.add([("later", "one", pack(NORTH))])
    assert [name for name, _ in vectors.search(NORTH, ["one", "two"], 5)] == ["b", "e"]
    assert vectors.cosines(NORTH, ["n", "later", "b"]).keys() == {"b"}
    assert vectors.restore(["n", "later"]) == []
    assert {name for name, _ in vectors.search(NORTH, ["one"], 2)} == {"n", "later"}


def test_masked_rows_are_cleared_away() -> None:
    """After most are dropped the rest is what it was, and a dropped one that returns is asked for again."""
    vectors = _vectors()
    vectors.add((f"x{number}", "one", pack(NORTH)) for number in range(3_000))
    vectors.drop(f"x{number}" for number in range(3_000))
    assert len(vectors._chunks) == len(vectors) == 3
    assert [name for name, _ in vectors.search(NORTH, ["one", "two"], 5)] == ["n", "b", "e"]
    assert vectors.restore(["x7", "never seen"]) == ["x7"]


def test_bytes_that_are_no_vector_are_left_out() -> None:
    """A wrong length is skipped; infinities and NaN are kept out of every answer."""
    vectors = _vectors()
    bad = np.array([np.nan, np.inf], "<f2").tobytes()
    vectors.add([("short", "one", b"\0"), ("nan", "one", bad)])
    assert [name for name, _ in vectors.search(NORTH, ["one"], 5)] == ["n", "e"]


def test_a_second_vector_replaces_the_first() -> None:
    """The same passage is one row of an answer."""
    vectors = _vectors()
    vectors.add([("e", "one", pack(NORTH))])
    found = dict(vectors.search(NORTH, ["one"], 5))
    assert found == pytest.approx({"n": 1.0, "e": 1.0}, abs=1e-3)
