"""Reciprocal rank fusion: one ranking out of several."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

K = 60
"""The constant of the paper (Cormack, Clarke and Büttcher, SIGIR 2009): how little the first places stand out."""


def fuse(rankings: Sequence[Sequence[str]]) -> list[str]:
    """Return every name of `rankings`, the one with the largest sum of 1 / (`K` + rank) first.

    Ranks count from 1, a name counts once in each ranking, at its best rank. Equal sums are in the order of
    their best rank and then of their names, so that the order of `rankings` does not matter.
    """
    ranks: dict[str, list[int]] = {}
    for ranking in rankings:
        for rank, name in enumerate(dict.fromkeys(ranking), start=1):
            ranks.setdefault(name, []).append(rank)
    keys = {
        name: (-fsum(1 / (K + rank) for rank in found), min(found), name) for name, found in ranks.items()
    }
    return sorted(keys, key=keys.__getitem__)
