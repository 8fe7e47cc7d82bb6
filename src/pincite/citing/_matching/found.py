"""What the passages hold of a sentence: looked up in the index, and gathered where it stands together."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

from pincite.citing._matching.figures import agree
from pincite.citing._matching.index import SAME_SENSE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pincite.citing._matching.asked import Asked

_WINDOW: Final = 3
"""Sentences of a passage that one statement may rest on, side by side."""
_PLACES: Final = 4
"""Places of one word in a unit that are looked at."""
_CANDIDATES: Final = 12
"""Passages that share most with a sentence, and are scored."""
_CANDIDATE_SHARE: Final = 0.2
"""The share of a sentence's weight that a candidate holds at least."""
_LOOKED_UP: Final = 300
"""Sentences of passages that the words of a sentence are looked up in, the rarest words first."""
_AT_LEAST: Final = 3
"""Words that are looked up in any case, where no figure was found."""


class Held(NamedTuple):
    """That a unit holds an item: what it counts, and its place among the unit's terms."""

    share: float
    unit: int
    place: int


@dataclass(slots=True)
class Stretch:
    """What neighbouring units of a passage hold of items `low` to `high` of a sentence.

    `main` is the unit among `first` to `last` that holds most; all three are -1 when none holds anything.
    """

    passage: int
    low: int
    high: int
    first: int = -1
    last: int = -1
    main: int = -1
    held: Mapping[int, Held] = field(default_factory=dict[int, Held])


class Found:
    """What the units of all passages hold of one sentence."""

    __slots__ = ("_common", "_figures", "_names", "_sums", "asked", "best", "held", "implied", "touched")

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.held: dict[int, dict[int, Held]] = {}
        """Unit to item to what it holds of it."""
        self.touched: dict[int, list[int]] = {}
        """Passage to its units that hold anything."""
        self.best: dict[int, dict[int, float]] = {}
        """Passage to item to the most that any of its units holds."""
        self.implied: dict[int, set[int]] = {}
        """Passage to the items that its title or the initials of a name give."""
        self._names = [at for at, item in enumerate(asked.items) if item.term.name]
        self._figures = [at for at, item in enumerate(asked.items) if item.figure is not None]
        self._common: list[int] = []
        self._sums: dict[int, list[float]] = {}
        self._look_up()

    def _look_up(self) -> None:
        """Find the units that hold an item, the rarest first; the commonest wait until few passages are left."""
        index, items = self.asked.index, self.asked.items
        words: list[tuple[int, int]] = []
        for at, item in enumerate(items):
            if item.figure is None:
                words.append((sum(len(index.postings[word]) for word in item.likes), at))
                continue
            for (unit, place), share in index.figures(item.figure).items():
                self._hold(at, Held(share, unit, place))
        looked_up, least = 0, 0 if self.held else _AT_LEAST
        for number, (size, at) in enumerate(sorted(words)):
            looked_up += size
            if looked_up > _LOOKED_UP and number >= least:
                self._common.append(at)
                continue
            for word, share in items[at].likes.items():
                for unit in index.postings[word]:
                    self._hold(at, Held(share, unit, index.units[unit].places[word][0]))
        for unit in self.held:
            self.touched.setdefault(index.units[unit].passage, []).append(unit)

    def _hold(self, at: int, held: Held) -> None:
        mine = self.held.setdefault(held.unit, {})
        old = mine.get(at)
        if old is None or old.share < held.share:
            mine[at] = held

    def candidates(self) -> list[int]:
        """Return the passages that share most, at most a dozen, the best first."""
        weights = [item.weight for item in self.asked.items]
        least = _CANDIDATE_SHARE * sum(weights) - sum(weights[at] for at in self._common)
        found: list[tuple[float, int]] = []
        for passage, units in self.touched.items():
            best = self.best[passage] = dict[int, float]()
            for unit in units:
                for at, held in self.held[unit].items():
                    if held.share > best.get(at, 0.0):
                        best[at] = held.share
            implied = self.implied[passage] = {*self._imply(passage, best)}
            best |= dict.fromkeys(implied, 1.0)
            most = sum(weights[at] * share for at, share in best.items())
            if most >= least:
                found.append((-most, passage))
        chosen = [passage for _, passage in sorted(found)[:_CANDIDATES]]
        for passage in chosen:
            self.settle(passage)
        return chosen

    def _imply(self, passage: int, best: Mapping[int, float]) -> Iterator[int]:
        """Yield the items that a passage implies: by its title, or by the initials of a name."""
        index, items = self.asked.index, self.asked.items
        title, initials = index.titles[passage], index.initials[passage]
        for at in self._names:
            if best.get(at, 0.0) <= SAME_SENSE and (
                items[at].term.text in initials or (title and not title.isdisjoint(items[at].likes))
            ):
                yield at
        figures = index.title_figures[passage]
        for at in self._figures if figures else ():
            said = items[at].figure
            if said is not None and any(agree(said, figure) for figure in figures):
                yield at
        for short, run in self.asked.runs:
            if any(index.units[unit].passage == passage for unit in index.postings.get(short, ())):
                yield from run

    def settle(self, passage: int) -> None:
        """Look the words of very many units up in a candidate."""
        best = self.best.setdefault(passage, {})
        units = self.touched.setdefault(passage, [])
        for unit in range(*self.asked.index.ranges[passage]):
            places = self.asked.index.units[unit].places
            for at in self._common:
                for word, share in self.asked.items[at].likes.items():
                    if word in places:
                        if unit not in self.held:
                            units.append(unit)
                        self._hold(at, Held(share, unit, places[word][0]))
                        best[at] = max(best.get(at, 0.0), share)
        units.sort()

    def possible(self, passage: int, low: int, high: int, bar: float) -> bool:
        """Tell whether a passage may reach a bar for items `low` to `high`, were they all neighbours there."""
        sums = self._sums.get(passage)
        if sums is None:
            best = self.best.get(passage, {})
            shares = (self.asked.items[at].weight * best.get(at, 0.0) for at in self.asked.sequence)
            sums = self._sums[passage] = [0.0, *accumulate(shares)]
        whole = self.asked.weights[high] - self.asked.weights[low]
        return sums[high] - sums[low] >= (bar - self.asked.bars.order) / (1 - self.asked.bars.order) * whole

    def elsewhere(self, passage: int, at: int) -> bool:
        """Tell whether an item stands anywhere in a passage, or is implied by it."""
        return self.best.get(passage, {}).get(at, 0.0) > SAME_SENSE

    def share_in(self, at: int, first: int, last: int) -> float:
        """Return the most that units `first` to `last` hold of an item."""
        units = (self.held[unit] for unit in range(first, last + 1) if unit in self.held)
        return max((held[at].share for held in units if at in held), default=0.0)

    def places(self, unit: int, at: int) -> list[int]:
        """Return where a unit holds an item."""
        item = self.asked.items[at]
        if item.figure is not None:
            return [self.held[unit][at].place]
        places = self.asked.index.units[unit].places
        return [place for word in item.likes if word in places for place in places[word][:_PLACES]]

    # --- Where it stands together ---

    def stretch(self, passage: int, low: int, high: int) -> Stretch:
        """Return the neighbouring units that together hold most of items `low` to `high`."""
        wanted = set(self.asked.sequence[low:high])
        first, last, held = self._window(passage, wanted)
        main = self._main_unit(first, last, wanted)
        for at, one in self.held.get(main, {}).items():
            if at in held and one.share >= held[at].share:
                held[at] = one
        return Stretch(passage, low, high, first, last, main, held)

    def _window(self, passage: int, wanted: set[int]) -> tuple[int, int, dict[int, Held]]:
        """Return the neighbouring units that together hold most of what is wanted, and what they hold."""
        units = self.touched.get(passage, [])
        top, chosen = 0.0, (-1, -1, dict[int, Held]())
        for start, unit in enumerate(units):
            best: dict[int, Held] = {}
            value = 0.0
            for other in units[start : start + _WINDOW]:
                if other - unit >= _WINDOW:
                    break
                for at, held in self.held[other].items():
                    old = best[at].share if at in best else 0.0
                    if at in wanted and old < held.share:
                        value += self.asked.items[at].weight * (held.share - old)
                        best[at] = held
                worth = value - self.asked.bars.stretch * (other - unit)
                if worth > top:
                    top, chosen = worth, (unit, other, dict(best))
        return chosen

    def _main_unit(self, first: int, last: int, wanted: set[int]) -> int:
        """Return the unit of a window that holds most, or -1."""
        sums = {
            unit: sum(
                self.asked.items[at].weight * held.share
                for at, held in self.held[unit].items()
                if at in wanted
            )
            for unit in range(first, last + 1)
            if unit in self.held
        }
        return max(sums, key=lambda unit: (sums[unit], -unit), default=-1)
