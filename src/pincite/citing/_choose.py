"""Which of the scored passages a sentence is given: the best, those as good, or two that share it between them."""

from __future__ import annotations

from operator import mul
from typing import TYPE_CHECKING, Any, cast

from pincite.citing._match import PassageIndex, Query, Scored
from pincite.citing._terms import Reading, read

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pincite.citing.deferred import DeferredBars
    from pincite.core.protocols import Embedder

_SPLITS = 6
"""Places at which a sentence is tried as two parts."""
_LIKE_MOST = 4
"""Passages that are scored for their likeness alone, the most alike first."""


class Chooser:
    """The passages of a run, and the bars; asked sentence by sentence, in the order of the answer."""

    __slots__ = ("_bars", "_before", "_index", "_likeness", "lower")

    def __init__(self, index: PassageIndex, lower: frozenset[str], bars: DeferredBars) -> None:
        self._index = index
        self._bars = bars
        self.lower = lower
        self._before: frozenset[int] = frozenset()
        self._likeness: list[list[float]] | None = None

    def compare(
        self, sentences: Sequence[str], passages: Sequence[str], embedder: Embedder, batch: int
    ) -> None:
        """Let `embedder` tell how alike sentences and passages are, from 0 to 1."""
        low, high = self._bars.likeness_from, self._bars.likeness_to
        self._likeness = [
            [min(1.0, max(0.0, (cosine - low) / (high - low))) if cosine == cosine else 0.0 for cosine in row]  # noqa: PLR0124 - NaN alone differs from itself
            for row in _cosines(_embedded(sentences, embedder, batch), _embedded(passages, embedder, batch))
        ]

    def choose(self, number: int, reading: Reading) -> list[Scored]:
        """Return the passages of sentence `number`, the best first."""
        query = Query(self._index, reading, self._bars, self.lower)
        alike = self._likeness[number] if self._likeness is not None else None
        found = self._chosen(query, alike) if query.items else []
        if found:
            self._before = frozenset(match.passage for match in found)
        return found

    def _chosen(self, query: Query, alike: Sequence[float] | None) -> list[Scored]:
        bars = self._bars
        candidates = query.candidates()
        if alike is not None:
            likely = sorted((-share, passage) for passage, share in enumerate(alike) if share > 0)[
                :_LIKE_MOST
            ]
            for _, passage in likely:
                if passage not in candidates:
                    query.settle(passage)
                    candidates.append(passage)
        size = len(query.sequence)
        whole = self._ranked(query, candidates, 0, size, alike)
        best = whole[0].score if whole else 0.0
        if best < 1 - bars.gain and len(candidates) > 1:
            pair = self._pair(query, candidates, best)
            if pair:
                return pair[: bars.most]
        if best < bars.accept:
            return []
        good = [scored for scored in whole if scored.score >= max(bars.accept, best * bars.tie)]
        return self._continued(query, good)[: bars.most]

    def _continued(self, query: Query, good: list[Scored]) -> list[Scored]:
        """Of equals, keep those that the sentence before rests on, when this one names nothing itself."""
        if len(good) > 1 and not any(item.term.name for item in query.items):
            same = [scored for scored in good if scored.passage in self._before]
            return same or good
        return good

    def _ranked(
        self,
        query: Query,
        candidates: Iterable[int],
        low: int,
        high: int,
        alike: Sequence[float] | None = None,
    ) -> list[Scored]:
        found: list[Scored] = []
        for passage in candidates:
            likeness = alike[passage] if alike is not None else 0.0
            scored = query.score(passage, low, high, likeness)
            if scored.evidence >= self._bars.evidence or likeness >= self._bars.likeness:
                found.append(scored)
        return sorted(found, key=lambda scored: (-scored.score, scored.passage))

    def _pair(self, query: Query, candidates: Sequence[int], best: float) -> list[Scored]:
        """Return the passages of the two parts of a sentence, when together they say more than one alone."""
        bars = self._bars
        chosen: list[Scored] = []
        top = max(best + bars.gain, bars.part)
        size = len(query.sequence)
        for at in query.splits(_SPLITS):
            if not any(query.possible(p, 0, at) for p in candidates):
                continue
            right = self._part(query, candidates, at, size)
            left = self._part(query, candidates, 0, at) if right else []
            if not left or not right or {s.passage for s in left} & {s.passage for s in right}:
                continue
            value = (left[0].score * at + right[0].score * (size - at)) / size
            if value > top:
                top, chosen = (
                    value,
                    sorted([*left, *right], key=lambda scored: (-scored.score, scored.passage)),
                )
        return chosen

    def _part(self, query: Query, candidates: Sequence[int], low: int, high: int) -> list[Scored]:
        found = [query.part(passage, low, high) for passage in candidates if query.possible(passage, low, high)]
        good = [
            scored
            for scored in found
            if scored.score >= self._bars.part and scored.evidence >= self._bars.evidence
        ]
        good.sort(key=lambda scored: (-scored.score, scored.passage))
        return [scored for scored in good if scored.score >= good[0].score * self._bars.tie]


def readings(text: str, spans: Iterable[tuple[int, int]]) -> list[Reading]:
    """Return the terms of each sentence."""
    return [read(text, start, end) for start, end in spans]


def _embedded(texts: Sequence[str], embedder: Embedder, batch: int) -> list[Any]:
    return [embedder.embed(texts[at : at + batch]) for at in range(0, len(texts), batch)]


def _cosines(sentences: Sequence[Any], passages: Sequence[Any]) -> list[list[float]]:
    rows: list[list[float]] = []
    for left in sentences:
        tables = [_products(left, right) for right in passages]
        rows += [[value for table in tables for value in table[row]] for row in range(len(left))]
    return rows


def _products(left: Any, right: Any) -> list[list[float]]:  # noqa: ANN401 - rows of floats, or an array that multiplies
    if hasattr(left, "tolist") and hasattr(right, "T"):
        return cast("list[list[float]]", (left @ right.T).tolist())
    return [[float(sum(map(mul, one, other))) for other in right] for one in left]
