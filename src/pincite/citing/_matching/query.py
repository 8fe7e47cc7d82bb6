"""The score of a passage for a sentence, or for a part of it, and what keeps the two apart."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from pincite.citing._matching.common import TALK_WORDS
from pincite.citing._matching.figures import MONTH, Figure, agree
from pincite.citing._matching.index import SAME_SENSE, PassageIndex
from pincite.citing._matching.lexicon import CONTRARIES
from pincite.citing._matching.terms import LEAD, Denial, Name, Reading, Term
from pincite.citing._matching.words import concept, gram_weight

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pincite.citing.deferred import DeferredBars

_WINDOW: Final = 3
"""Sentences of a passage that one statement may rest on, side by side."""
_NEAR: Final = 3
"""Terms apart at which two neighbours of the sentence are still neighbours in the passage."""
_SAME_UNIT: Final = 0.3
"""What two neighbours count that stand further apart in one sentence of the passage."""
_PLACES: Final = 4
"""Places of one word in a unit that are looked at."""
_CANDIDATES: Final = 12
"""Passages that share most with a sentence, and are scored."""
_CANDIDATE_SHARE: Final = 0.2
"""The share of a sentence's weight that a candidate holds at least."""
_COMMON_UNITS: Final = 64
"""Sentences of passages, or an eighth of them all, beyond which a word is looked up in the candidates only."""
_FIGURES_ENOUGH: Final = 3
"""Figures in common that tell without any word."""
_SMALL: Final = 100.0
"""Up to where a figure may be the rival of a small number that is written as a word."""
_SHORT_ADVERB: Final = 6
"""Letters of a word in -ly that may be a place: Italy, Sicily."""
_NEIGHBOURS: Final = 0.25
"""How much more evidence terms are that are all neighbours in the passage too."""
_MUCH: Final = 0.35
"""The share of what is in common from which a unit may contradict."""
_BOTH_DENIED: Final = 3.0
"""What a term says for sentence and passage denying the same, when in both the denying word stands at it."""
_ONE_DENIED: Final = -2.0
"""What it says when the denying word stands at it in one of them, and it is not denied in the other."""
_ONE_FAR_DENIED: Final = -0.5
"""What it says when it only stands in a clause that is denied."""
_ODD_FROM: Final = 0.6
_ODD_TO: Final = 0.8
"""The coverage from which, and at which wholly, one capital that is missing looks like another name put in."""


@dataclass(slots=True)
class Item:
    """A term of the sentence, its weight, and the words of the passages that it may stand for."""

    term: Term
    weight: float
    likes: Mapping[str, float]
    sense: str = ""

    @property
    def figure(self) -> Figure | None:
        """The figure that it is, or None."""
        return self.term.figure


class Held(NamedTuple):
    """That a unit holds an item: what it counts, and its place among the unit's terms."""

    share: float
    unit: int
    place: int


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


class Query:
    """One sentence against an index; `lower` are words that stand in small letters elsewhere in the answer."""

    def __init__(
        self, index: PassageIndex, reading: Reading, bars: DeferredBars, lower: frozenset[str]
    ) -> None:
        self.index = index
        self.bars = bars
        self.items: list[Item] = []
        self.sequence: list[int] = []
        """The items in the order of the sentence; one may stand in it twice."""
        self._denied: list[Denial | None] = []
        self._lower = lower
        self._clauses: list[int] = []
        self._held: dict[int, dict[int, Held]] = {}
        self._touched: dict[int, list[int]] = {}
        self._best: dict[int, dict[int, float]] = {}
        self._common: list[int] = []
        self._sums: dict[int, list[float]] = {}
        self._runs: list[tuple[str, list[int]]] = []
        self._collect(reading)
        self._weights = [0.0, *accumulate(self.items[at].weight for at in self.sequence)]
        self._look_up()

    def _collect(self, reading: Reading) -> None:
        denied = reading.denials() if reading.negators else {}
        known: dict[tuple[str, Figure | None], int] = {}
        for place, term in enumerate(reading.terms):
            key = (term.text, term.figure)
            if key not in known:
                known[key] = len(self.items)
                self.items.append(self._item(term))
            self.sequence.append(known[key])
            self._denied.append(denied.get(place))
            self._clauses.append(term.clause)

        self._note_runs(reading.terms)

    def _note_runs(self, terms: list[Term]) -> None:
        """Note the initials of names of several words, by which a passage may call them."""
        run: list[int] = []
        for at, term in zip(self.sequence, terms, strict=True):
            if self.items[at].term.name and term.figure is None:
                run.append(at)
                initials = "".join(self.items[one].term.text[0] for one in run)
                if len(run) > 1 and initials in self.index.postings:
                    self._runs.append((initials, [*run]))
            else:
                run = []

    def _item(self, term: Term) -> Item:
        bars, index = self.bars, self.index
        if term.figure is not None:
            return Item(term, bars.spelled if term.figure.spelled else bars.figure, {})
        if term.gram:
            likes = {term.text: 1.0} if term.text in index.postings else {}
            return Item(term, gram_weight(term.text) * self._telling(likes), likes)
        found = index.likes(term.text)
        name = self._name_of(term)
        likes = found.words
        if name is Name.YES:
            likes = {word: likes[word] for word in found.names}
        weight = self._telling(likes)
        if name is Name.YES:
            weight *= bars.name
        elif term.text in TALK_WORDS:
            weight *= bars.talk
        elif name is Name.MAYBE:
            weight *= (1 + bars.name) / 2
        return Item(term._replace(name=name), weight, likes, concept(term.text))

    def _name_of(self, term: Term) -> Name:
        """Settle a capital that may be a name by whether the word stands in small letters elsewhere."""
        word, name = term.text, term.name
        if name in {Name.NO, Name.YES}:
            return name
        if word in self._lower or word in self.index.lower or word in TALK_WORDS:
            return Name.NO
        if word.endswith("ing") and (name is Name.FIRST or self.index.likes(word).words):
            return Name.NO
        if word.endswith("ly") and len(word) > _SHORT_ADVERB:
            return Name.NO
        return Name.YES if name is Name.FIRST or word in self.index.names else Name.MAYBE

    def _telling(self, likes: Mapping[str, float]) -> float:
        """Return the weight of a common word: most when one passage has it, less when all do or none does."""
        rarity = self.index.rarity(likes)
        if rarity is None:
            return self.bars.unseen
        # Among few passages, how many hold a word says little about it.
        least = self.bars.common + (1 - self.bars.common) / self.index.count
        return least + (1 - least) * rarity

    # --- Looking up ---

    def _look_up(self) -> None:
        """Find the units that hold an item; words of very many units wait until few passages are left."""
        index = self.index
        most = max(_COMMON_UNITS, len(index.units) // 8)
        for at, item in enumerate(self.items):
            if item.figure is not None:
                for (unit, place), share in index.figures(item.figure).items():
                    self._hold(at, Held(share, unit, place))
            elif sum(len(index.postings[word]) for word in item.likes) > most:
                self._common.append(at)
            else:
                for word, share in item.likes.items():
                    for unit in index.postings[word]:
                        self._hold(at, Held(share, unit, index.units[unit].places[word][0]))
        if not self._held:
            likes = (word for at in self._common for word in self.items[at].likes)
            self._held = {unit: {} for word in likes for unit in index.postings[word][:_COMMON_UNITS]}
        for unit in self._held:
            self._touched.setdefault(index.units[unit].passage, []).append(unit)

    def _hold(self, at: int, held: Held) -> None:
        mine = self._held.setdefault(held.unit, {})
        old = mine.get(at)
        if old is None or old.share < held.share:
            mine[at] = held

    def candidates(self) -> list[int]:
        """Return the passages that share most, at most a dozen, the best first."""
        weights = [item.weight for item in self.items]
        least = _CANDIDATE_SHARE * sum(weights) - sum(weights[at] for at in self._common)
        found: list[tuple[float, int]] = []
        for passage, units in self._touched.items():
            best = self._best[passage] = dict[int, float]()
            for unit in units:
                for at, held in self._held[unit].items():
                    if held.share > best.get(at, 0.0):
                        best[at] = held.share
            best |= dict.fromkeys(self._implied(passage, best), 1.0)
            most = sum(weights[at] * share for at, share in best.items())
            if most >= least:
                found.append((-most, passage))
        chosen = [passage for _, passage in sorted(found)[:_CANDIDATES]]
        for passage in chosen:
            self.settle(passage)
        return chosen

    def _implied(self, passage: int, best: Mapping[int, float]) -> Iterator[int]:
        """Yield the items that a passage implies: by its title, or by the initials of a name."""
        index = self.index
        title, figures = index.titles[passage], index.title_figures[passage]
        for at, item in enumerate(self.items):
            if best.get(at, 0.0) > SAME_SENSE:
                continue
            if item.figure is not None:
                if any(agree(item.figure, figure) for figure in figures):
                    yield at
            elif item.term.name and (not title.isdisjoint(item.likes) or item.term.text in index.initials[passage]):
                yield at
        for initials, run in self._runs:
            if any(index.units[unit].passage == passage for unit in index.postings.get(initials, ())):
                yield from run

    def settle(self, passage: int) -> None:
        """Look the words of very many units up in a candidate."""
        best = self._best.setdefault(passage, {})
        units = self._touched.setdefault(passage, [])
        for unit in range(*self.index.ranges[passage]):
            places = self.index.units[unit].places
            for at in self._common:
                for word, share in self.items[at].likes.items():
                    if word in places:
                        if unit not in self._held:
                            units.append(unit)
                        self._hold(at, Held(share, unit, places[word][0]))
                        best[at] = max(best.get(at, 0.0), share)
        units.sort()

    # --- Parts of the sentence ---

    def splits(self, most: int) -> list[tuple[int, bool]]:
        """Return where the sentence may be cut in two, those near its middle, and whether a clause begins there.

        Elsewhere it may be cut after a figure, as in "from 3 in 2020 to 4 in 2021".
        """
        size = len(self.sequence)
        places = [
            (at, clause)
            for at in range(2, size - 1)
            if (clause := self._clauses[at] != self._clauses[at - 1])
            or self.items[self.sequence[at - 1]].figure is not None
        ]
        return sorted(sorted(places, key=lambda place: (not place[1], abs(2 * place[0] - size)))[:most])

    def possible(self, passage: int, low: int, high: int, bar: float) -> bool:
        """Tell whether a passage may reach a bar for items `low` to `high`, were they all neighbours there."""
        sums = self._sums.get(passage)
        if sums is None:
            best = self._best.get(passage, {})
            shares = (self.items[at].weight * best.get(at, 0.0) for at in self.sequence)
            sums = self._sums[passage] = [0.0, *accumulate(shares)]
        whole = self._weights[high] - self._weights[low]
        return sums[high] - sums[low] >= (bar - self.bars.order) / (1 - self.bars.order) * whole

    def part(self, passage: int, low: int, high: int) -> Scored:
        """Return the score for a part of the sentence, which the rest of it may name and support."""
        scored = self.score(passage, low, high)
        if scored.score < self.bars.part:
            return scored
        own = set(self.sequence[low:high])
        if not any(self.items[at].term.name for at in own):
            for at in set(self.sequence[:low]):
                if self.items[at].term.name is Name.YES and not self._elsewhere(passage, at):
                    scored.score *= self._name_gate(passage, at, 1.0)
        for at in set(self.sequence) - own:
            if self.items[at].figure is None:
                more = self.items[at].weight * self._share_in(at, scored.first, scored.last)
                scored.evidence += more
                scored.words += more
        return scored

    def frame(self, scored: Scored) -> float:
        """Return the share of the sentence's common words that the units of a score hold."""
        words = [at for at, item in enumerate(self.items) if item.figure is None]
        whole = sum(self.items[at].weight for at in words)
        held = sum(self.items[at].weight * self._share_in(at, scored.first, scored.last) for at in words)
        return held / whole if whole else 0.0

    def has_statement(self, low: int, high: int) -> bool:
        """Tell whether a part of the sentence states something: it has a common word, or two figures."""
        items = [self.items[at] for at in self.sequence[low:high]]
        figures = sum(item.figure is not None for item in items)
        return figures > 1 or any(not item.term.name and item.figure is None for item in items)

    def has_figure(self, low: int, high: int) -> bool:
        """Tell whether a part of the sentence has a figure that is not a small number written as a word."""
        figures = (self.items[at].figure for at in self.sequence[low:high])
        return any(figure is not None and not figure.spelled for figure in figures)

    def _share_in(self, at: int, first: int, last: int) -> float:
        units = (self._held[unit] for unit in range(first, last + 1) if unit in self._held)
        return max((held[at].share for held in units if at in held), default=0.0)

    # --- The score ---

    def score(self, passage: int, low: int, high: int, likeness: float = 0.0) -> Scored:
        """Return the score of a passage for items `low` to `high`; `likeness` is what an embedder says, from 0 to 1."""
        bars = self.bars
        if not likeness and not self.possible(passage, low, high, bars.accept):
            return Scored(passage)
        wanted = set(self.sequence[low:high])
        first, last, best = self._window(passage, wanted)
        main = self._main_unit(first, last, wanted)
        best |= {
            at: held
            for at, held in self._held.get(main, {}).items()
            if at in best and held.share >= best[at].share
        }
        shares = {at: self.items[at].weight * held.share for at, held in best.items()}
        evidence = sum(shares.values())
        words = sum(share for at, share in shares.items() if self.items[at].figure is None)
        figures = sum(self.items[at].figure is not None for at in best)
        # What the title or the initials of a name imply is covered, but no evidence by itself.
        implied = self._best.get(passage, {})
        shares |= {at: self.items[at].weight for at in wanted - best.keys() if implied.get(at, 0.0) > SAME_SENSE}
        coverage = min(self._share(wanted, shares), self._said(wanted, shares) + bars.named)
        order = self._order(low, high, best, first, last)
        score = (1 - bars.order) * coverage + bars.order * order
        score = max(score, (1 - bars.likeness) * score + bars.likeness * likeness if likeness else 0.0)
        for at in sorted(wanted):
            score *= self._gate(passage, at, best.get(at), coverage, main)
        if self._speaks_of_another(low, high, main):
            score *= bars.name_missing
        if self._swapped(low, high, best):
            score *= bars.figure_missing
        evidence *= 1 + _NEIGHBOURS * order
        found = Scored(passage, min(1.0, score), first, last, evidence, words, figures)
        if first >= 0 and self._contradicts(low, high, best, main):
            found.score, found.contrary = found.score * bars.contrary, found.score
        return found

    def _share(self, wanted: Iterable[int], shares: Mapping[int, float]) -> float:
        """Return the share of a statement's weight that a passage holds."""
        whole = sum(self.items[at].weight for at in wanted)
        return sum(shares.values()) / (whole + self.bars.doubt)

    def _said(self, wanted: Iterable[int], shares: Mapping[int, float]) -> float:
        """Return the same of what is said, leaving out of whom: names alone are no statement."""
        whole = sum(self.items[at].weight for at in wanted if self.items[at].term.name is not Name.YES)
        held = sum(share for at, share in shares.items() if self.items[at].term.name is not Name.YES)
        return held / (whole + self.bars.doubt) if whole else 1.0

    def _main_unit(self, first: int, last: int, wanted: set[int]) -> int:
        """Return the unit of a window that holds most, or -1."""
        sums = {
            unit: sum(
                self.items[at].weight * held.share for at, held in self._held[unit].items() if at in wanted
            )
            for unit in range(first, last + 1)
            if unit in self._held
        }
        return max(sums, key=lambda unit: (sums[unit], -unit), default=-1)

    def _window(self, passage: int, wanted: set[int]) -> tuple[int, int, dict[int, Held]]:
        """Return the neighbouring units that together hold most of what is wanted, and what they hold."""
        units = self._touched.get(passage, [])
        top, chosen = 0.0, (-1, -1, dict[int, Held]())
        for start, unit in enumerate(units):
            best: dict[int, Held] = {}
            value = 0.0
            for other in units[start : start + _WINDOW]:
                if other - unit >= _WINDOW:
                    break
                for at, held in self._held[other].items():
                    old = best[at].share if at in best else 0.0
                    if at in wanted and old < held.share:
                        value += self.items[at].weight * (held.share - old)
                        best[at] = held
                worth = value - self.bars.stretch * (other - unit)
                if worth > top:
                    top, chosen = worth, (unit, other, dict(best))
        return chosen

    def _order(self, low: int, high: int, best: Mapping[int, Held], first: int, last: int) -> float:
        """Return the share of neighbouring terms that are neighbours in the passage too."""
        total = near = 0.0
        for a, b in pairwise(self.sequence[low:high]):
            weight = self.items[a].weight + self.items[b].weight
            total += weight
            if a in best and b in best:
                near += weight * self._nearness(a, b, first, last)
        return near / total if total else 1.0

    def _nearness(self, a: int, b: int, first: int, last: int) -> float:
        together = 0.0
        for unit in range(first, last + 1):
            held = self._held.get(unit)
            if held is None or a not in held or b not in held:
                continue
            others = self._places(unit, b)
            if any(0 < abs(x - y) <= _NEAR for x in self._places(unit, a) for y in others):
                return 1.0
            together = _SAME_UNIT
        return together

    def _places(self, unit: int, at: int) -> list[int]:
        """Return where a unit holds an item."""
        item = self.items[at]
        if item.figure is not None:
            return [self._held[unit][at].place]
        places = self.index.units[unit].places
        return [place for word in item.likes if word in places for place in places[word][:_PLACES]]

    # --- What must not be missing ---

    def _gate(self, passage: int, at: int, held: Held | None, coverage: float, main: int) -> float:
        """Return the factor for an item that must not be missing: a figure or a name."""
        item = self.items[at]
        if item.figure is not None:
            if (held is None or held.unit != main) and self._has_rival(item.figure, main):
                return self.bars.figure_missing
            if held is not None:
                return 1.0 if held.share == 1.0 else self.bars.rounded
            return self._figure_gate(passage, at, item.figure)
        if item.term.name and (held is None or held.share <= SAME_SENSE):
            return self._name_gate(passage, at, coverage)
        return 1.0

    def _elsewhere(self, passage: int, at: int) -> bool:
        return self._best.get(passage, {}).get(at, 0.0) > SAME_SENSE

    def _figure_gate(self, passage: int, at: int, said: Figure) -> float:
        index, bars = self.index, self.bars
        if self._elsewhere(passage, at) or any(agree(said, there) for there in index.title_figures[passage]):
            return bars.apart
        there = [figure for unit in self._touched.get(passage, []) for _, figure in index.units[unit].figures]
        if said.parts and all(any(part in figure.values for figure in there) for part in said.parts):
            return bars.apart
        rivals = (figure.unit == said.unit and max(figure.values) < _SMALL for figure in there)
        return bars.spelled_missing if said.spelled and not any(rivals) else bars.figure_missing

    def _has_rival(self, said: Figure, main: int) -> bool:
        """Tell whether the main unit has another year, which the sentence does not name, for the one that it does."""
        if not said.is_year or main < 0:
            return False
        years = [figure for _, figure in self.index.units[main].figures if figure.is_year]
        mine = [item.figure for item in self.items if item.figure is not None]
        return bool(years) and not any(agree(figure, year) for year in years for figure in mine)

    def _speaks_of_another(self, low: int, high: int, main: int) -> bool:
        """Tell whether the sentence begins with one name, and the passage's sentence with another."""
        lead = self.index.units[main].lead if main >= 0 else ""
        first = next(
            (at for at in self.sequence[low : min(high, low + LEAD)] if self.items[at].term.name), -1
        )
        if (
            not lead
            or first < 0
            or self.items[first].term.name is not Name.YES
            or lead not in self.index.names
        ):
            return False
        if first in self._held[main] or lead in self.index.titles[self.index.units[main].passage]:
            return False
        return not any(lead in item.likes for item in self.items)

    def _name_gate(self, passage: int, at: int, coverage: float) -> float:
        index, word = self.index, self.items[at].term.text
        if self._elsewhere(passage, at) or word in index.titles[passage] or word in index.initials[passage]:
            return self.bars.apart
        if self.items[at].term.name is Name.YES:
            return self.bars.name_missing
        # The more of the rest is the same, the more the odd capital looks like another name put in.
        odd = min(1.0, max(0.0, (coverage - _ODD_FROM) / (_ODD_TO - _ODD_FROM)))
        return 1 - (1 - self.bars.name_missing) * odd

    def _swapped(self, low: int, high: int, best: Mapping[int, Held]) -> bool:
        """Tell whether a figure stands in the passage with what the sentence says of another."""
        return any(
            self._is_swapped(place, low, high, best[at])
            for place, at in enumerate(self.sequence[low:high], low)
            if at in best and self.items[at].figure is not None
        )

    def _is_swapped(self, at: int, low: int, high: int, held: Held) -> bool:
        """Tell whether what the clause of a figure says is said of other such figures alone."""
        unit = self.index.units[held.unit]
        clauses = unit.clauses
        mine = next((figure for place, figure in unit.figures if place == held.place), None)
        if mine is None or not clauses:
            return False
        clause = clauses[held.place]
        rivals = {
            clauses[place]
            for place, figure in unit.figures
            if figure.unit == mine.unit and figure.is_year == mine.is_year and clauses[place] != clause
        }
        here = self._held[held.unit]
        said = [self.items[item].figure for item in self.sequence[low:high] if item != self.sequence[at]]
        alone = not any(
            figure is not None and figure.unit == mine.unit and figure.is_year == mine.is_year for figure in said
        )
        theirs = False
        for place in range(low, high) if rivals else ():
            item = self.sequence[place]
            apart = self._clauses[place] != self._clauses[at] and not alone
            if item == self.sequence[at] or apart or item not in here:
                continue
            stand = {clauses[there] for there in self._places(held.unit, item)}
            if clause in stand:
                return False
            theirs = theirs or bool(stand & rivals)
        return theirs

    # --- What must not be denied ---

    def _contradicts(self, low: int, high: int, best: Mapping[int, Held], main: int) -> bool:
        """Tell whether sentence and passage do not deny the same: some unit that says much of it."""
        shares: dict[int, float] = {}
        for at, held in best.items():
            shares[held.unit] = shares.get(held.unit, 0.0) + held.share * self.items[at].weight
        whole = sum(shares.values())
        here = [denial for denial in self._denied[low:high] if denial is not None]
        there = [denial for unit in shares for denial in self.index.units[unit].denied.values()]
        # A word that denies by its sense stands for a negator, and the other way round, wherever in the clause it is.
        loose = there and here and not (any(d.negated for d in there) and any(d.negated for d in here))
        asked = {unit for unit in shares if unit == main or self.index.units[unit].denied}
        if loose or not (here or there):
            asked = set[int]()
        return any(
            (unit in asked and self._differs(low, high, best, unit)) != self._contrary(low, high, unit)
            for unit, share in shares.items()
            if share >= _MUCH * whole
        )

    def _differs(self, low: int, high: int, best: Mapping[int, Held], unit: int) -> bool:
        """Tell whether more of what a unit says too is denied by one of them alone."""
        balance = 0.0
        denied = self.index.units[unit].denied
        for place, at in enumerate(self.sequence[low:high], low):
            held, figure = best.get(at), self.items[at].figure
            if held is None or held.unit != unit or (figure is not None and figure.unit == MONTH):
                continue
            theirs = [denied.get(there) for there in self._places(unit, at)]
            agreement = max(_agreement(self._denied[place], denial) for denial in theirs)
            balance += held.share * self.items[at].weight * agreement
        return balance < 0

    def _contrary(self, low: int, high: int, unit: int) -> bool:
        """Tell whether a unit has the contrary of a word that it lacks, and the sentence not: fell for rose."""
        there = self.index.units[unit].contraries
        senses = {self.items[at].sense for at in self.sequence[low:high]}
        return any(
            contrary in there and sense not in there and contrary not in senses
            for sense in senses
            if (contrary := CONTRARIES.get(sense)) is not None
        )


def _agreement(mine: Denial | None, theirs: Denial | None) -> float:
    """Return what one term says for or against sentence and passage denying the same."""
    if mine is None and theirs is None:
        return 1.0
    near = (mine is not None and mine.near, theirs is not None and theirs.near)
    if mine is not None and theirs is not None:
        return _BOTH_DENIED if all(near) else 1.0
    return _ONE_DENIED if any(near) else _ONE_FAR_DENIED
