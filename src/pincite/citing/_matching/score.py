"""The score of a passage for a sentence, or for a part of it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from pincite.citing._matching.found import Found, Stretch
from pincite.citing._matching.gates import Gates
from pincite.citing._matching.terms import Name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pincite.citing._matching.asked import Asked
    from pincite.citing.deferred import DeferredBars

_NEAR: Final = 3
"""Terms apart at which two neighbours of the sentence are still neighbours in the passage."""
_SAME_UNIT: Final = 0.3
"""What two neighbours count that stand further apart in one sentence of the passage."""
_FIGURES_ENOUGH: Final = 3
"""Figures in common that tell without any word."""
_NEIGHBOURS: Final = 0.25
"""How much more evidence terms are that are all neighbours in the passage too."""


@dataclass(slots=True)
class Scored:
    """A passage's score, the units it rests on (none: -1), and what it shares with the sentence.

    `evidence` is the weight of all that is shared, `words` that of words, `figures` counts the figures. `contrary` is
    the score that it would have, if it did not say the contrary.
    """

    passage: int
    score: float = 0.0
    first: int = -1
    last: int = -1
    evidence: float = 0.0
    words: float = 0.0
    figures: int = 0
    contrary: float = 0.0

    def is_told(self, bars: DeferredBars) -> bool:
        """Tell whether enough is shared, and not figures alone, for the score to mean something."""
        return self.evidence >= bars.evidence and (
            self.words >= bars.words or self.figures >= _FIGURES_ENOUGH
        )


class Scorer:
    """Scores passages for one sentence."""

    __slots__ = ("_bars", "_gates", "_items", "asked", "found")

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.found = Found(asked)
        self._items = asked.items
        self._bars = asked.bars
        self._gates = Gates(self.found)

    def score(self, passage: int, low: int, high: int, likeness: float = 0.0) -> Scored:
        """Return the score of a passage for items `low` to `high`; `likeness` is what an embedder says, from 0 to 1."""
        bars, items = self._bars, self._items
        if not likeness and not self.found.possible(passage, low, high, bars.accept):
            return Scored(passage)
        stretch = self.found.stretch(passage, low, high)
        shares = {at: items[at].weight * held.share for at, held in stretch.held.items()}
        words = sum(share for at, share in shares.items() if items[at].figure is None)
        figures = sum(items[at].figure is not None for at in shares)
        order = self._order(stretch)
        # To be neighbours there too is evidence, even of few words.
        evidence = sum(shares.values()) * (1 + _NEIGHBOURS * order)
        coverage = self._coverage(stretch, shares)
        score = (1 - bars.order) * coverage + bars.order * order
        if likeness:
            score = max(score, (1 - bars.likeness) * score + bars.likeness * likeness)
        score *= self._gates.factor(stretch, coverage)
        found = Scored(passage, min(1.0, score), stretch.first, stretch.last, evidence, words, figures)
        if stretch.held and self._gates.contradicts(stretch):
            found.score, found.contrary = found.score * bars.contrary, found.score
        return found

    def _coverage(self, stretch: Stretch, shares: Mapping[int, float]) -> float:
        """Return the share of a statement's weight that a stretch holds, or of what is said without the names."""
        wanted = set(self.asked.sequence[stretch.low : stretch.high])
        # Names and figures that the title or another sentence of the passage gives are covered, but no evidence.
        covered = {
            at: self._items[at].weight
            for at in wanted - shares.keys()
            if (self._items[at].term.name or self._items[at].figure)
            and self.found.elsewhere(stretch.passage, at)
        }
        covered |= shares
        said = {at for at in wanted if self._items[at].term.name is not Name.YES}
        share = self._share(wanted, covered)
        # Names alone are no statement.
        return min(share, self._share(said, covered) + self._bars.named) if said else share

    def _share(self, wanted: Iterable[int], covered: Mapping[int, float]) -> float:
        whole = sum(self._items[at].weight for at in wanted)
        return sum(covered.get(at, 0.0) for at in wanted) / (whole + self._bars.doubt)

    def _order(self, stretch: Stretch) -> float:
        """Return the share of neighbouring terms that are neighbours in the passage too."""
        total = near = 0.0
        for a, b in pairwise(self.asked.sequence[stretch.low : stretch.high]):
            weight = self._items[a].weight + self._items[b].weight
            total += weight
            if a in stretch.held and b in stretch.held:
                near += weight * self._nearness(stretch, a, b)
        return near / total if total else 1.0

    def _nearness(self, stretch: Stretch, a: int, b: int) -> float:
        together = 0.0
        for unit in range(stretch.first, stretch.last + 1):
            held = self.found.held.get(unit)
            if held is None or a not in held or b not in held:
                continue
            others = self.found.places(unit, b)
            if any(0 < abs(x - y) <= _NEAR for x in self.found.places(unit, a) for y in others):
                return 1.0
            together = _SAME_UNIT
        return together

    # --- Parts of the sentence ---

    def part(self, passage: int, low: int, high: int) -> Scored:
        """Return the score for a part of the sentence, which the rest of it may name and support."""
        scored = self.score(passage, low, high)
        if scored.score < self._bars.part:
            return scored
        own = set(self.asked.sequence[low:high])
        if not any(self._items[at].term.name for at in own):
            for at in set(self.asked.sequence[:low]):
                if self._items[at].term.name is Name.YES and not self.found.elsewhere(passage, at):
                    scored.score *= self._gates.name(passage, at, 1.0)
        for at in set(self.asked.sequence) - own:
            if self._items[at].figure is None:
                more = self._items[at].weight * self.found.share_in(at, scored.first, scored.last)
                scored.evidence += more
                scored.words += more
        return scored

    def frame(self, scored: Scored) -> float:
        """Return the share of the sentence's common words that the units of a score hold."""
        words = [at for at, item in enumerate(self._items) if item.figure is None]
        whole = sum(self._items[at].weight for at in words)
        held = sum(
            self._items[at].weight * self.found.share_in(at, scored.first, scored.last) for at in words
        )
        return held / whole if whole else 0.0
