"""How long parts of a text are: in code points, or in tokens of the model that will read them."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.core.limits import Limits
    from pincite.core.protocols import TokenCounter

_TOKEN = 6
"""Code points that one token stands for, at most: a word that the model does not know is one token, however long."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How long passages may be, in what they are measured in: code points, or what `counter` counts.

    A passage grows to `size`; what is over `hard`, or over `code_points`, is cut even inside a sentence.
    """

    size: float
    hard: float
    code_points: int
    counter: TokenCounter | None = None

    @classmethod
    def of(cls, limits: Limits, counter: TokenCounter | None) -> Sizes:
        """Return what `limits` say: in tokens where there is a counter."""
        most = max(1, limits.passage_hard_code_points)
        if counter is None:
            return cls(max(1, min(limits.passage_code_points, most)), most, most)
        hard = max(1, limits.passage_hard_tokens)
        return cls(max(1, min(limits.passage_tokens, hard)), hard, most, counter)


class Measure:
    """The length of any part of one text.

    Every stretch between two of `places` is counted once, all of them together; what begins or ends inside of one has
    its share of it.
    """

    __slots__ = ("_counts", "_edges", "code_points", "hard", "size")

    def __init__(self, text: str, places: Sequence[int], sizes: Sizes) -> None:
        """`places` are in order."""
        self.size, self.hard, self.code_points = sizes.size, sizes.hard, sizes.code_points
        self._edges: list[int] = []
        self._counts: list[float] = []
        if sizes.counter is None:
            return
        spans = [
            (start, start + len(text[start:end].rstrip())) for start, end in pairwise([*places, len(text)])
        ]
        total = 0.0
        counted = sizes.counter.count([text[start:end] for start, end in spans])
        for (start, end), count in zip(spans, counted, strict=True):
            # The white space behind a stretch counts nothing.
            self._edges += (start, end)
            length = max(count, (end - start) / _TOKEN)
            self._counts += (total, total + length)
            total += length

    def at(self, place: int) -> float:
        """Return the length of the text in front of code point `place`."""
        if not self._edges:
            return place
        index = bisect_right(self._edges, place) - 1
        if index < 0:
            return 0.0
        start, before = self._edges[index], self._counts[index]
        if place == start or index + 1 == len(self._edges):
            return before
        share = (place - start) / (self._edges[index + 1] - start)
        return before + share * (self._counts[index + 1] - before)

    def length(self, start: int, end: int) -> float:
        """Return the length of the code points `start` to `end`."""
        return self.at(end) - self.at(start)

    def is_over(self, start: int, end: int) -> bool:
        """Say whether the code points `start` to `end` are more than may stay together."""
        points = end - start
        # No token is shorter than a code point, so most are settled without a look.
        return points > self.code_points or (points > self.hard and self.length(start, end) > self.hard)

    def reach(self, start: int, end: int) -> int:
        """Return the code point up to which about `size` of `start` to `end`, which is over, goes."""
        share = self.size / max(self.length(start, end), self.size)
        return start + max(1, min(round(share * (end - start)), self.code_points, end - start - 1))
