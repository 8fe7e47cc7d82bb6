"""The best scores of recent searches, as numbers alone."""

from __future__ import annotations

from collections import OrderedDict, deque
from threading import Lock
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

BINS: Final = 40
"""Bins that the scale of a reranker is cut into."""
_COLLECTIONS: Final = 1_000


class ScoreLog:
    """The best scores of the last searches of each collection, in this process; thread-safe.

    Kept are numbers alone: at most `most` of a collection, and those of the collections that were searched last.
    """

    __slots__ = ("_kept", "_lock", "_most")

    def __init__(self, most: int) -> None:
        self._kept: OrderedDict[str, deque[float]] = OrderedDict()
        self._most = most
        self._lock = Lock()

    def note(self, best: Mapping[str, float]) -> None:
        """Keep the best score that a search reached in each collection, by the collection's id."""
        with self._lock:
            for collection_id, score in best.items():
                self._kept.setdefault(collection_id, deque(maxlen=self._most)).append(score)
                self._kept.move_to_end(collection_id)
            while len(self._kept) > _COLLECTIONS:
                self._kept.popitem(last=False)

    def counts(self, collection_id: str, lowest: float, highest: float) -> list[int]:
        """Return how many of a collection's scores fall into each of `BINS` parts of the scale, the lowest first.

        What lies beyond an end counts there.
        """
        with self._lock:
            scores = list(self._kept.get(collection_id, ()))
        counts = [0] * BINS
        for score in scores:
            at = int((score - lowest) / (highest - lowest) * BINS)
            counts[min(max(at, 0), BINS - 1)] += 1
        return counts
