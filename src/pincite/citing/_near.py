"""The issued key that a written one was probably meant to be."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

NEAR: Final = 75.0
"""Similarity (0..100, by insertions and deletions) from which an issued key is suggested for an unknown one."""

COMPARED: Final = 1_200_000
"""Code points of issued keys that are compared for suggestions in one answer; what is written after that gets none."""

# Comparing every key as often as this costs as much as an index of them all.
_OFTEN = 24
# What many keys have in common tells none of them from another.
_COMMON = 64
_GRAM = 3
# What comparing two keys costs at least, in code points.
_SHORT = 8
# What may stand behind an address and name the same: one character, and all that follows.
_BEHIND = re.compile(r"(?s)[?#].*")
# What is put into a query to follow who came from where: one class.
_FOLLOWED = re.compile(r"[?&]utm_[^&#]*+")


class Nearest:
    """Finds the nearest of `keys`: compares all at first, and from many questions on those that share a rare piece."""

    __slots__ = ("_asked", "_compared", "_grams", "_keys", "_known")

    def __init__(self, keys: Sequence[str]) -> None:
        self._keys = keys
        self._known = frozenset(keys)
        self._grams: dict[str, list[str]] | None = None
        self._asked = 0
        self._compared = 0

    def to(self, key: str) -> str | None:
        """Return the key that `key` is like, or None: there is none, or comparing has cost `COMPARED` already."""
        if "?" in key or "#" in key or key.endswith("/"):
            bare = _BEHIND.sub("", key).rstrip("/")
            query = _FOLLOWED.sub("", key.partition("#")[0])
            for within in (query, bare, f"{bare}/"):
                if within in self._known:
                    return within
        among = self._among(key)
        cost = len(among) * max(len(key), _SHORT)
        if not among or (self._compared and self._compared + cost > COMPARED):
            return None
        from rapidfuzz import fuzz, process  # only a miss needs it, and the base import should be quick

        self._compared += cost
        near = process.extractOne(key, among, scorer=fuzz.ratio, score_cutoff=NEAR)
        return None if near is None else near[0]

    def _among(self, key: str) -> Sequence[str]:
        """Return the keys to compare with."""
        self._asked += 1
        if self._asked < _OFTEN:
            return self._keys
        if self._grams is None:
            # Pieces that do not overlap, and the last: whatever one slip does to a key, one of them is whole.
            self._grams = {}
            for one in self._keys:
                for at in (*range(0, len(one) - _GRAM, _GRAM), len(one) - _GRAM):
                    self._grams.setdefault(one[at : at + _GRAM], []).append(one)
        found: list[str] = []
        common = False
        for at in range(len(key) - _GRAM + 1):
            those = self._grams.get(key[at : at + _GRAM])
            if those is not None:
                if len(those) <= _COMMON:
                    found += those
                else:
                    common = True
        return found if found or not common else self._keys
