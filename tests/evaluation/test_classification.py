"""Metrics against labels, worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.errors import InputError
from pincite.evaluation import Confusion, auroc

# Ten claims: yes/yes 4, yes/no 2, no/yes 1, no/no 2, no/maybe 1.
PAIRS = [
    *[("yes", "yes")] * 4,
    *[("yes", "no")] * 2,
    ("no", "yes"),
    *[("no", "no")] * 2,
    ("no", "maybe"),
]


def test_by_hand() -> None:
    """6 of 10 are right; always `yes` would be as good."""
    found = Confusion.of(PAIRS)
    assert found.cells == (
        ("no", "maybe", 1), ("no", "no", 2), ("no", "yes", 1), ("yes", "no", 2), ("yes", "yes", 4),
    )  # fmt: skip
    assert (found.total, found.accuracy, found.majority) == (10, 0.6, 0.6)
    assert (found.labels, found.verdicts) == ({"no": 4, "yes": 6}, {"maybe": 1, "no": 4, "yes": 5})
    assert (found.precision("yes"), found.recall("yes"), found.f1("yes")) == (4 / 5, 4 / 6, 8 / 11)
    assert (found.precision("no"), found.recall("no"), found.f1("no")) == (2 / 4, 2 / 4, 4 / 8)
    # `maybe` is nobody's label: it has no recall, an F1 of 0, and no place in the mean.
    assert (found.precision("maybe"), found.recall("maybe"), found.f1("maybe")) == (0, None, 0)
    assert found.macro_f1 == pytest.approx((8 / 11 + 1 / 2) / 2)
    assert found.as_dict()["matrix"] == {"no": {"maybe": 1, "no": 2, "yes": 1}, "yes": {"no": 2, "yes": 4}}


def test_a_label_that_is_never_given() -> None:
    """It has no precision, and an F1 of 0 that lowers the mean."""
    found = Confusion.of([("yes", "yes"), ("no", "yes")])
    assert (found.precision("no"), found.recall("no"), found.f1("no")) == (None, 0, 0)
    assert found.macro_f1 == pytest.approx((2 / 3 + 0) / 2)


def test_nothing() -> None:
    """Without claims there is no figure."""
    found = Confusion.of([])
    assert (found.total, found.accuracy, found.majority, found.macro_f1) == (0, None, None, None)
    assert (found.precision("yes"), found.recall("yes"), found.f1("yes")) == (None, None, None)


@pytest.mark.parametrize(
    ("positive", "negative", "area"),
    [
        ([0.9, 0.8], [0.1], 1.0),
        ([0.1], [0.9, 0.8], 0.0),
        ([0.5], [0.5], 0.5),
        # 3 over 1, 2 and half of 3; 2 over 1 and half of 2: 4 of 6.
        ([3, 2], [1, 2, 3], 4 / 6),
        ([], [0.1], None),
        ([0.1], [], None),
        ([], [], None),
    ],
)
def test_auroc(positive: list[float], negative: list[float], area: float | None) -> None:
    """Each positive score against each negative one: over it 1, equal a half."""
    assert auroc(positive, negative) == area


@pytest.mark.parametrize("pairs", ["ab", [("a",)], ["ab"], [("a", 1)], 3, [("a", "b", "c")]])
def test_what_are_no_pairs(pairs: Any) -> None:
    """One plain sentence."""
    with pytest.raises(InputError, match="`pairs` is a list of pairs"):
        Confusion.of(pairs)


@pytest.mark.parametrize("scores", ["0.5", ["0.5"], [None], 3])
def test_what_are_no_scores(scores: Any) -> None:
    """The same."""
    with pytest.raises(InputError, match="`negative` is a list of numbers"):
        auroc([0.5], scores)


NAMES = st.sampled_from(["yes", "no", "maybe"])


@given(st.lists(st.tuples(NAMES, NAMES)), st.randoms())
def test_what_holds_for_every_matrix(pairs: list[tuple[str, str]], random: Any) -> None:
    """Shares are from 0 to 1, the order is nothing, rows and columns add up."""
    found = Confusion.of(pairs)
    mixed = list(pairs)
    random.shuffle(mixed)
    assert Confusion.of(mixed) == found
    assert sum(found.labels.values()) == sum(found.verdicts.values()) == found.total == len(pairs)
    shares = [found.accuracy, found.majority, found.macro_f1]
    shares += [one(name) for name in found.labels for one in (found.precision, found.recall, found.f1)]
    assert all(share is None or 0 <= share <= 1 for share in shares)


@given(st.lists(st.integers(0, 5), min_size=1), st.lists(st.integers(0, 5), min_size=1))
def test_auroc_is_what_counting_gives(positive: list[int], negative: list[int]) -> None:
    """All pairs one by one; and the other way round it is the rest of 1."""
    wins = sum((a > b) + (a == b) / 2 for a in positive for b in negative)
    area = auroc(positive, negative)
    assert area is not None
    assert area == wins / (len(positive) * len(negative))
    assert auroc(negative, positive) == pytest.approx(1 - area)
