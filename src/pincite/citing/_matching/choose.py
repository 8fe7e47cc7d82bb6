"""Which of the scored passages a sentence is given: the best, those as good, or two that share it between them."""

from __future__ import annotations

from itertools import zip_longest
from math import isfinite
from operator import mul
from typing import TYPE_CHECKING, Any, Final, cast

from pincite.citing._matching.asked import Asked
from pincite.citing._matching.score import Scored, Scorer
from pincite.citing._matching.terms import Name
from pincite.core.text import normalise

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pincite.citing._matching.index import PassageIndex
    from pincite.citing._matching.terms import Reading
    from pincite.citing.deferred import DeferredBars
    from pincite.core.protocols import Embedder

_SPLITS: Final = 6
"""Places at which a sentence is tried as two parts."""
_FRAME: Final = 0.6
"""The share of a sentence's words that both passages hold, where it is cut inside a clause."""
_LEAST_WIDTH: Final = 1e-6
_ALIKE: Final = 4
"""Passages that are scored for their likeness alone, the most alike first."""


class Chooser:
    """The passages of a run, and the bars; asked sentence by sentence, in the order of the answer."""

    __slots__ = ("_bars", "_before", "_index", "_likeness", "_lower")

    def __init__(self, index: PassageIndex, lower: frozenset[str], bars: DeferredBars) -> None:
        self._index = index
        self._bars = bars
        self._lower = lower
        self._before: frozenset[int] = frozenset()
        self._likeness: list[list[float]] | None = None

    def compare(
        self, sentences: Sequence[str], passages: Sequence[str], embedder: Embedder, batch: int
    ) -> None:
        """Let `embedder` tell how alike sentences and passages are, from 0 to 1."""
        low, high = self._bars.likeness_from, self._bars.likeness_to
        width = max(high - low, _LEAST_WIDTH)
        rows = _cosines(_embedded(sentences, embedder, batch), _embedded(passages, embedder, batch))
        self._likeness = [[_within((cosine - low) / width) for cosine in row] for row in rows]

    def choose(self, number: int, reading: Reading) -> list[Scored]:
        """Return the passages of sentence `number`, the best first."""
        if not reading.terms:
            return []
        scorer = Scorer(Asked(self._index, reading, self._bars, self._lower))
        alike = self._likeness[number] if self._likeness is not None else None
        found = self._chosen(scorer, alike)[: self._bars.most]
        if found:
            self._before = frozenset(scored.passage for scored in found)
        return found

    def _chosen(self, scorer: Scorer, alike: Sequence[float] | None) -> list[Scored]:
        bars = self._bars
        candidates = scorer.found.candidates()
        if alike is not None:
            self._add_alike(scorer, candidates, alike)
        whole = self._ranked(scorer, candidates, alike)
        best = whole[0].score if whole else 0.0
        if best < 1 - bars.gain and len(candidates) > 1:
            pair = self._pair(scorer, candidates, best)
            if pair:
                return pair
        if best < bars.accept or any(scored.contrary > best for scored in whole):
            return []
        good = [scored for scored in whole if scored.score >= max(bars.accept, best * bars.tie)]
        if len(good) > 1 and not any(item.term.name is Name.YES for item in scorer.asked.items):
            # Of equals, those that the sentence before rests on, when this one names nothing itself.
            return [scored for scored in good if scored.passage in self._before] or good
        return good

    def _add_alike(self, scorer: Scorer, candidates: list[int], alike: Sequence[float]) -> None:
        likely = sorted((-share, passage) for passage, share in enumerate(alike) if share > 0)[:_ALIKE]
        for _, passage in likely:
            if passage not in candidates:
                scorer.found.settle(passage)
                candidates.append(passage)

    def _ranked(
        self, scorer: Scorer, candidates: Iterable[int], alike: Sequence[float] | None
    ) -> list[Scored]:
        bars, size = self._bars, len(scorer.asked.sequence)
        found: list[Scored] = []
        for passage in candidates:
            likeness = alike[passage] if alike is not None else 0.0
            scored = scorer.score(passage, 0, size, likeness)
            if scored.is_told(bars) or likeness >= bars.likeness_alone:
                found.append(scored)
        return sorted(found, key=_rank)

    # --- Two passages for one sentence ---

    def _pair(self, scorer: Scorer, candidates: Sequence[int], best: float) -> list[Scored]:
        """Return the passages of the two parts of a sentence, when together they say more than one alone."""
        bars, size = self._bars, len(scorer.asked.sequence)
        chosen: list[Scored] = []
        top = max(best + bars.gain, bars.part)
        for at, clause in scorer.asked.splits(_SPLITS):
            if not (
                scorer.asked.has_statement(0, at)
                if clause
                else scorer.asked.has_figure(0, at) and scorer.asked.has_figure(at, size)
            ):
                continue
            left = self._part(scorer, candidates, 0, at, clause=clause)
            right = self._part(scorer, candidates, at, size, clause=clause) if left else []
            if not left or not right or {one.passage for one in left} & {one.passage for one in right}:
                continue
            value = (left[0].score * at + right[0].score * (size - at)) / size
            if value > top:
                # In turns, so that neither part loses all of its passages to the other's many.
                turns = [one for pair in zip_longest(left, right) for one in pair if one is not None]
                top, chosen = value, sorted(turns[: bars.most], key=_rank)
        return chosen

    def _part(
        self, scorer: Scorer, candidates: Sequence[int], low: int, high: int, *, clause: bool
    ) -> list[Scored]:
        """Return the passages of a part; inside a clause only those that say the rest of it too, with other figures."""
        bars = self._bars
        found = [
            scorer.part(passage, low, high)
            for passage in candidates
            if scorer.found.possible(passage, low, high, bars.part)
        ]
        good = [
            scored
            for scored in found
            if scored.score >= bars.part
            and scored.is_told(bars)
            and (clause or scorer.frame(scored) >= _FRAME)
        ]
        good.sort(key=_rank)
        return [scored for scored in good if scored.score >= good[0].score * bars.tie]


def _within(likeness: float) -> float:
    """Return a likeness from 0 to 1; what is no number is none."""
    return min(1.0, max(0.0, likeness)) if isfinite(likeness) else 0.0


def _rank(scored: Scored) -> tuple[float, int]:
    return -scored.score, scored.passage


def _embedded(texts: Sequence[str], embedder: Embedder, batch: int) -> list[Any]:
    clean = [normalise(text) for text in texts]
    return [embedder.embed(clean[at : at + batch]) for at in range(0, len(clean), batch)]


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
