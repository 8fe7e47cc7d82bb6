"""Which passage a sentence was drawn from: an inverted index over the passages' sentences, and the score.

A sentence is looked up by its terms; only passages that share one are scored, so the work grows with what is shared.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import accumulate, chain
from math import log
from typing import TYPE_CHECKING, Final

from pincite.citing._lexicon import CONTRARIES
from pincite.citing._terms import Number, Reading, Term, concept, folded, gram_weight, read

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pincite.citing.deferred import DeferredBars

_UNIT_TERMS: Final = 60
"""Terms of a passage's sentence that are one unit; a longer sentence is several."""
_WINDOW: Final = 3
"""Sentences of a passage that one statement may rest on, side by side."""
_NEAR: Final = 3
"""Terms apart at which two neighbours of the sentence are still neighbours in the passage."""
_CANDIDATES: Final = 12
"""Passages that share most with a sentence, and are scored."""
_LIKE_CANDIDATES: Final = 8
"""Words of the passages that one word of the sentence may stand for."""
_COMMON_GRAM: Final = 250
"""Words that hold a gram of three letters, beyond which it tells nothing."""
_COMMON_UNITS: Final = 64
"""Sentences of passages, or an eighth of them all, beyond which a word is looked up in the candidates only."""
_SHARED_GRAMS: Final = 0.4
"""The share of a word's grams that another must have to be looked at."""
_ROUNDED: Final = 0.95
_ABOUT: Final = 0.05
"""Share by which a figure that is said to be approximate may differ."""
_INFLECTED: Final = 0.92
"""What a word counts with another ending."""
_CONTAINED: Final = 0.75
"""What a word counts that is a part of another, or has it as a part."""
_SPELT: Final = 0.85
"""What a word counts that is spelt much alike."""
_SAME: Final = 0.7
"""What a word counts that says the same by the lexicon."""


@dataclass(slots=True)
class Unit:
    """One sentence of a passage."""

    passage: int
    start: int
    end: int
    places: dict[str, list[int]] = field(default_factory=dict)
    numbers: list[tuple[int, Number]] = field(default_factory=list)
    denied: dict[int, float] = field(default_factory=dict)
    """Places of terms that are denied, and how close the negator is."""
    contraries: dict[str, bool] = field(default_factory=dict)
    """Lines of the lexicon that have a contrary, and whether they stand denied."""
    names: list[tuple[int, str]] = field(default_factory=list)


@dataclass(slots=True)
class Item:
    """A term of the sentence, its weight, and the words of the passages that it may stand for."""

    term: Term
    weight: float
    like: dict[str, float]
    strict: frozenset[str]
    """Those of `like` that are the same name."""
    denied: float = 0.0
    is_denied: bool = False
    concept: str = ""


@dataclass(slots=True)
class Scored:
    """A passage's score for (a part of) a sentence, and the units it rests on."""

    passage: int
    score: float
    first: int
    last: int
    evidence: float = 0.0


def denied_places(reading: Reading) -> dict[int, float]:
    """Return the places of the terms in denied clauses; those that the negator stands at weigh double."""
    clauses = reading.denials()
    if not clauses:
        return {}
    found: dict[int, float] = {}
    for place, term in enumerate(reading.terms):
        negators = clauses.get(term.clause)
        if negators is not None:
            found[place] = 2.0 if any(0 <= place - at < 2 for at in negators) else 1.0
    for clause, negators in clauses.items():
        mine = [place for place in found if reading.terms[place].clause == clause]
        if mine and max(mine) < min(negators):
            for place in mine[-2:]:
                found[place] = 2.0
    return found


class PassageIndex:
    """The passages of a run, ready to be matched."""

    def __init__(self, passages: Sequence[str], titles: Sequence[str], most_code_points: int) -> None:
        from pincite.core.sentences import split_sentences

        self.count = len(passages)
        self.units: list[Unit] = []
        self.postings: dict[str, list[int]] = defaultdict(list)
        self.numbers: dict[float, list[tuple[int, int, Number]]] = defaultdict(list)
        self.held: dict[str, set[int]] = defaultdict(set)
        self.lower: set[str] = set()
        self.names: set[str] = set()
        self.initials: list[set[str]] = []
        self.ranges: list[tuple[int, int]] = []
        self.title_terms: list[frozenset[str]] = []
        self.title_numbers: list[tuple[Number, ...]] = []
        self._values: list[float] = []
        self._grams: dict[str, list[str]] | None = None
        self._concepts: dict[str, list[str]] = defaultdict(list)
        self._like: dict[str, tuple[dict[str, float], frozenset[str]]] = {}
        for number, (text, title) in enumerate(zip(passages, titles, strict=True)):
            self.initials.append(set())
            if title:
                self._add_title(title[:most_code_points])
            else:
                self.title_terms.append(frozenset())
                self.title_numbers.append(())
            shown = text[:most_code_points]
            before = len(self.units)
            for start, end in split_sentences(shown):
                self._add(number, shown, start, end)
            self.ranges.append((before, len(self.units)))
        self._values = sorted(self.numbers)

    def _add_title(self, title: str) -> None:
        reading = read(title, 0, len(title))
        self.title_terms.append(frozenset(t.text for t in reading.terms if t.number is None))
        self.title_numbers.append(tuple(t.number for t in reading.terms if t.number is not None))

    def _add(self, passage: int, text: str, start: int, end: int) -> None:
        reading = read(text, start, end)
        self.lower |= reading.lower
        denied = denied_places(reading)
        terms = reading.terms
        for low in range(0, len(terms), _UNIT_TERMS):
            high = min(low + _UNIT_TERMS, len(terms))
            unit_start = start if low == 0 else terms[low].start
            unit_end = end if high == len(terms) else terms[high - 1].end
            self._add_unit(Unit(passage, unit_start, unit_end), terms, low, high, denied)

    def _add_unit(self, unit: Unit, terms: list[Term], low: int, high: int, denied: dict[int, float]) -> None:
        at = len(self.units)
        run: list[str] = []
        for place in range(low, high):
            term = terms[place]
            if place in denied:
                unit.denied[place] = denied[place]
            if term.number is not None:
                unit.numbers.append((place, term.number))
                for value in {*term.number.values, *term.number.parts}:
                    self.numbers[value].append((at, place, term.number))
                if term.text == "#":
                    continue
            places = unit.places.get(term.text)
            if places is None:
                unit.places[term.text] = [place]
                self.postings[term.text].append(at)
                self.held[term.text].add(unit.passage)
            else:
                places.append(place)
            if term.gram:
                continue
            self._note(unit, term, place)
            run = self._initials(unit.passage, run, term)
        self.units.append(unit)

    def _note(self, unit: Unit, term: Term, place: int) -> None:
        name = concept(term.text)
        if name in CONTRARIES:
            unit.contraries[name] = place in unit.denied
        if term.name:
            unit.names.append((place, term.text))
        if term.name == 2:
            self.names.add(term.text)

    def _initials(self, passage: int, run: list[str], term: Term) -> list[str]:
        """Collect the initials of names of several words: (European Central Bank) ecb."""
        if not term.name:
            return []
        run = [*run[-5:], term.text]
        for at in range(len(run) - 1):
            self.initials[passage].add("".join(word[0] for word in run[at:]))
        return run

    # --- What a word may stand for ---

    def like(self, word: str) -> tuple[dict[str, float], frozenset[str]]:
        """Return the passages' words that `word` may stand for, with what they count; and which are the same name."""
        found = self._like.get(word)
        if found is None:
            found = self._like[word] = self._find_like(word)
        return found

    def _find_like(self, word: str) -> tuple[dict[str, float], frozenset[str]]:
        grams = self._grams if self._grams is not None else self._index_grams()
        found: dict[str, float] = {}
        strict: set[str] = set()
        if len(word) > 3:
            mine = _letter_grams(word)
            holders = [held for gram in mine if len(held := grams.get(gram, ())) <= _COMMON_GRAM]
            shared = Counter(chain.from_iterable(holders))
            least = max(2, int(_SHARED_GRAMS * len(holders)))
            for other, count in shared.items():
                if count >= least:
                    worth, same = _resemblance(word, other, count / len(mine))
                    if worth:
                        found[other] = worth
                        if same:
                            strict.add(other)
        for other in self._concepts.get(concept(word), ()) if concept(word) else ():
            found[other] = max(found.get(other, 0.0), _SAME)
        if len(found) > _LIKE_CANDIDATES:
            best = sorted(found, key=lambda other: (-found[other], other))[:_LIKE_CANDIDATES]
            found = {other: found[other] for other in best}
        if word in self.postings:
            found[word] = 1.0
            strict.add(word)
        return found, frozenset(strict & found.keys())

    def _index_grams(self) -> dict[str, list[str]]:
        grams: dict[str, list[str]] = defaultdict(list)
        for word in self.postings:
            name = concept(word)
            if name:
                self._concepts[name].append(word)
            if len(word) > 3:
                for gram in _letter_grams(word):
                    grams[gram].append(word)
        self._grams = dict(grams)
        return self._grams

    def figures(self, number: Number) -> dict[tuple[int, int], float]:
        """Return (unit, place) of each figure that `number` may be, with what it counts."""
        found: dict[tuple[int, int], float] = {}
        for value in number.values:
            slack = (
                abs(value) * _ABOUT
                if number.about
                else number.step * 0.5000001
                if number.step != 1.0
                else 0.5000001
            )
            low = bisect_left(self._values, value - slack)
            high = bisect_right(self._values, value + slack)
            for other in self._values[low : min(high, low + 64)]:
                for unit, place, there in self.numbers[other]:
                    count = agree(number, there)
                    if count > found.get((unit, place), 0.0):
                        found[unit, place] = count
        return found


def agree(said: Number, there: Number) -> float:
    """Return what the passage's figure counts for the one that was said: 1 the same, less when rounded, else 0."""
    if said.unit != there.unit:
        strict = {"%", "pp", "‰"}
        if (said.unit and there.unit) or said.unit in strict or there.unit in strict:
            return 0.0
    best = 0.0
    for a in said.values:
        for b in (*there.values, *there.parts):
            if a == b or abs(a - b) <= 1e-9 * max(abs(a), abs(b)):
                return 1.0
            if said.about or there.about:
                if abs(a - b) <= _ABOUT * max(abs(a), abs(b)):
                    best = _ROUNDED
            elif there.step < said.step and abs(a - b) <= said.step / 2 * 1.000001:
                best = _ROUNDED
            elif said.step > 1.0 and b % said.step and abs(a - b) <= said.step / 2:
                best = _ROUNDED
    return best


def _letter_grams(word: str) -> set[str]:
    padded = f"^{word}$"
    return {padded[at : at + 3] for at in range(len(padded) - 2)}


def _resemblance(word: str, other: str, shared: float) -> tuple[float, bool]:
    """Return what `other` counts for `word` by their letters, and whether it may be the same name.

    `shared` is the share of the word's grams that the other has.
    """
    short, long = (word, other) if len(word) <= len(other) else (other, word)
    if not (short.isalpha() and long.isalpha()) and any(c.isdecimal() for c in word + other):
        return (0.8, True) if long.startswith(short) and short.isalpha() else (0.0, False)
    prefix = 0
    if word[:4] == other[:4]:
        prefix = next((at for at, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    left, right = len(short) - prefix, len(long) - prefix
    if prefix > 3 and left < 4 and right < 5 and prefix >= 0.55 * len(long):
        return _INFLECTED, left < 2 and right < 4
    if prefix >= 6 and prefix >= 0.5 * len(long):
        return _SPELT, False
    if short in long and len(short) > 3:
        if long.endswith(short) and len(long) - len(short) < 4 and len(short) >= 0.6 * len(long):
            return _INFLECTED, True
        if len(short) > 4:
            return _CONTAINED, False
    if shared >= 0.65 and shared * len(word) >= 0.65 * len(other):
        return _SPELT, False
    return 0.0, False


class Query:
    """One sentence against an index."""

    def __init__(
        self, index: PassageIndex, reading: Reading, bars: DeferredBars, lower: frozenset[str]
    ) -> None:
        self.index = index
        self.bars = bars
        self.items: list[Item] = []
        self.sequence: list[int] = []
        self.boundaries: list[int] = []
        self.credits: dict[int, dict[int, tuple[float, int]]] = {}
        self.common: list[int] = []
        self.touched: dict[int, list[int]] = defaultdict(list)
        self.best: dict[int, dict[int, float]] = {}
        self._lower = lower
        self._collect(reading)
        self._look_up()
        self._sums: dict[int, list[float]] = {}
        self._weights = [0.0, *accumulate(self.items[at].weight for at in self.sequence)]

    def _collect(self, reading: Reading) -> None:
        denied = denied_places(reading)
        known: dict[tuple[str, Number | None], int] = {}
        clause = -1
        for place, term in enumerate(reading.terms):
            if self.sequence and (term.clause != clause or reading.terms[place - 1].number is not None):
                self.boundaries.append(len(self.sequence))
            clause = term.clause
            key = (term.text, term.number)
            at = known.get(key)
            if at is None:
                at = known[key] = len(self.items)
                self.items.append(self._item(term))
            item = self.items[at]
            if place in denied:
                item.denied, item.is_denied = denied[place], True
            self.sequence.append(at)

    def _item(self, term: Term) -> Item:
        bars, index = self.bars, self.index
        if term.number is not None:
            share = 0.0
            return Item(term, bars.figure * (1 - 0.3 * share), {}, frozenset())
        if term.gram:
            like = {term.text: 1.0} if term.text in index.postings else {}
            weight = gram_weight(term.text) * self._rarity(like)
            return Item(term, weight, like, frozenset(like))
        like, strict = index.like(term.text)
        name = self._sure(term)
        if name == 2:
            like = {word: like[word] for word in strict}
        weight = self._rarity(like)
        if name:
            weight *= bars.name if name == 2 else 1 + (bars.name - 1) / 2
        return Item(term._replace(name=name), weight, like, strict, concept=concept(term.text))

    def _sure(self, term: Term) -> int:
        """Return 2 for a name, 1 for a capital that may be one, 0 for a common word."""
        if term.name == 2 or not term.name:
            return term.name
        if term.text in self._lower or term.text in self.index.lower:
            return 0
        return 2 if term.text in self.index.names else 1

    def _rarity(self, like: Mapping[str, float]) -> float:
        """Return how much a word tells: most when one passage has it, less when all do or none does."""
        count = max((len(self.index.held[word]) for word, share in like.items() if share > _SAME), default=0)
        if not count:
            return self.bars.unseen
        total = self.index.count + 1
        rare = log(total / (count + 0.5)) / log(total / 0.5)
        return self.bars.common + (1 - self.bars.common) * max(0.0, rare)

    def _look_up(self) -> None:
        """Find the units that hold an item; words of very many units wait until few passages are left."""
        index = self.index
        most = max(_COMMON_UNITS, len(index.units) // 8)
        for at, item in enumerate(self.items):
            if item.term.number is not None:
                for (unit, place), count in index.figures(item.term.number).items():
                    self._credit(unit, at, count, place)
            elif sum(len(index.postings[word]) for word in item.like) > most:
                self.common.append(at)
            else:
                for word, count in item.like.items():
                    for unit in index.postings[word]:
                        self._credit(unit, at, count, index.units[unit].places[word][0])
        if not self.credits:
            for at in self.common:
                for word in self.items[at].like:
                    for unit in index.postings[word][:_COMMON_UNITS]:
                        self.credits[unit] = {}
        for unit in self.credits:
            self.touched[index.units[unit].passage].append(unit)

    def _credit(self, unit: int, item: int, count: float, place: int) -> None:
        mine = self.credits.get(unit)
        if mine is None:
            self.credits[unit] = {item: (count, place)}
            return
        old = mine.get(item)
        if old is None or old[0] < count:
            mine[item] = (count, place)

    # --- Candidates ---

    def candidates(self) -> list[int]:
        """Return the passages that share most, at most a dozen, the best first."""
        items, bounds = self.items, list[tuple[float, int]]()
        weights = [item.weight for item in items]
        least = 0.2 * sum(weights) - sum(weights[at] for at in self.common)
        for passage, units in self.touched.items():
            best = self.best[passage] = dict[int, float]()
            for unit in units:
                for at, (count, _) in self.credits[unit].items():
                    if count > best.get(at, 0.0):
                        best[at] = count
            bound = sum(weights[at] * count for at, count in best.items())
            if bound >= least:
                bounds.append((-bound, passage))
        chosen = [passage for _, passage in sorted(bounds)[:_CANDIDATES]]
        for passage in chosen:
            self.settle(passage)
        return chosen

    def settle(self, passage: int) -> None:
        """Credit a candidate with the words that very many units hold."""
        best = self.best.setdefault(passage, {})
        for unit in range(*self.index.ranges[passage]):
            places = self.index.units[unit].places
            for at in self.common:
                for word, count in self.items[at].like.items():
                    if word in places:
                        if unit not in self.credits:
                            self.touched[passage].append(unit)
                        self._credit(unit, at, count, places[word][0])
                        best[at] = max(best.get(at, 0.0), count)
        self.touched[passage].sort()

    def splits(self, most: int) -> list[int]:
        """Return where the sentence may be cut in two, at most so many places, those near its middle."""
        size = len(self.sequence)
        places = [at for at in self.boundaries if 2 <= at <= size - 2]
        return sorted(sorted(places, key=lambda at: abs(2 * at - size))[:most])

    def possible(self, passage: int, low: int, high: int) -> bool:
        """Tell whether a passage may reach the bar for items `low` to `high`, whatever their order."""
        sums = self._sums.get(passage)
        if sums is None:
            held = self.best.get(passage, {})
            shares = (self.items[at].weight * held.get(at, 0.0) for at in self.sequence)
            sums = self._sums[passage] = [0.0, *accumulate(shares)]
        whole = self._weights[high] - self._weights[low]
        least = (self.bars.accept - self.bars.order) / (1 - self.bars.order)
        return sums[high] - sums[low] >= least * whole * 0.9

    # --- The score ---

    def part(self, passage: int, low: int, high: int) -> Scored:
        """Return the score for a part of the sentence, which the rest of it may name and support."""
        scored = self.score(passage, low, high)
        if scored.first < 0:
            return scored
        own = set(self.sequence[low:high])
        if not any(self.items[at].term.name for at in own):
            for at in set(self.sequence[:low]):
                if self.items[at].term.name == 2 and not self._elsewhere(passage, at):
                    scored.score *= self._name_gate(passage, at, 1.0)
        for at in set(self.sequence) - own:
            item = self.items[at]
            if item.term.number is None:
                here = (
                    self.credits[unit].get(at)
                    for unit in range(scored.first, scored.last + 1)
                    if unit in self.credits
                )
                scored.evidence += item.weight * max((got[0] for got in here if got), default=0.0)
        return scored

    def score(self, passage: int, low: int, high: int, likeness: float = 0.0) -> Scored:
        """Return the score of a passage for items `low` to `high` of the sequence."""
        sequence = self.sequence[low:high]
        wanted = set(sequence)
        whole = sum(self.items[at].weight for at in wanted)
        if not likeness and not self.possible(passage, low, high):
            return Scored(passage, 0.0, -1, -1)
        first, last, best = self._window(passage, wanted)
        if first < 0:
            return Scored(passage, 0.0, -1, -1)
        matched = sum(self.items[at].weight * got[0] for at, got in best.items())
        coverage = matched / whole if whole else 0.0
        order = self._order(sequence, best, first, last)
        bars = self.bars
        score = (1 - bars.order) * coverage + bars.order * order
        if likeness:
            score = max(score, (1 - bars.likeness) * score + bars.likeness * likeness)
        score *= self._gates(passage, wanted, best, coverage)
        score *= self._polarity(sequence, best, first, last)
        return Scored(passage, min(1.0, score), first, last, matched)

    def _window(self, passage: int, wanted: set[int]) -> tuple[int, int, dict[int, tuple[float, int, int]]]:
        """Return the neighbouring units that together hold most of what is wanted, and what they hold."""
        units = self.touched.get(passage, [])
        top, chosen = 0.0, (-1, -1, dict[int, tuple[float, int, int]]())
        for start, unit in enumerate(units):
            held: dict[int, tuple[float, int, int]] = {}
            value = 0.0
            for other in units[start : start + _WINDOW]:
                if other - unit >= _WINDOW:
                    break
                for at, (count, place) in self.credits[other].items():
                    if at in wanted:
                        old = held.get(at)
                        if old is None or old[0] < count:
                            value += self.items[at].weight * (count - (old[0] if old else 0.0))
                            held[at] = (count, other, place)
                worth = value - self.bars.stretch * (other - unit)
                if worth > top:
                    top, chosen = worth, (unit, other, dict(held))
        return chosen

    def _order(
        self, sequence: Sequence[int], best: Mapping[int, tuple[float, int, int]], first: int, last: int
    ) -> float:
        """Return the share of neighbouring terms that are neighbours in the passage too."""
        total = near = 0.0
        for a, b in zip(sequence, sequence[1:], strict=False):
            weight = self.items[a].weight + self.items[b].weight
            total += weight
            if a in best and b in best:
                near += weight * self._nearness(a, b, first, last)
        return near / total if total else 1.0

    def _nearness(self, a: int, b: int, first: int, last: int) -> float:
        together = 0.0
        for unit in range(first, last + 1):
            here = self.credits.get(unit)
            if here is None or a not in here or b not in here:
                continue
            one, two = self._places(unit, a), self._places(unit, b)
            if any(0 < abs(x - y) <= _NEAR for x in one for y in two):
                return 1.0
            together = 0.3
        return together

    def _places(self, unit: int, at: int) -> list[int]:
        item = self.items[at]
        if item.term.number is not None:
            return [self.credits[unit][at][1]]
        places = self.index.units[unit].places
        return [place for word in item.like if word in places for place in places[word][:4]]

    # --- What must not differ ---

    def _gates(
        self, passage: int, wanted: Iterable[int], best: Mapping[int, tuple[float, int, int]], coverage: float
    ) -> float:
        factor = 1.0
        bars = self.bars
        for at in wanted:
            item = self.items[at]
            if at in best and best[at][0] > _SAME:
                if item.term.number is not None and best[at][0] < 1.0:
                    factor *= bars.rounded
                continue
            if item.term.number is not None:
                factor *= self._figure_gate(passage, at)
            elif item.term.name:
                factor *= self._name_gate(passage, at, coverage)
        return factor

    def _elsewhere(self, passage: int, at: int) -> bool:
        return any(
            at in self.credits[unit] and self.credits[unit][at][0] > _SAME for unit in self.touched[passage]
        )

    def _figure_gate(self, passage: int, at: int) -> float:
        number = self.items[at].term.number
        assert number is not None
        if self._elsewhere(passage, at) or any(agree(number, n) for n in self.index.title_numbers[passage]):
            return self.bars.apart
        if number.parts and all(
            any(part in n.values for u in self.touched[passage] for _, n in self.index.units[u].numbers)
            for part in number.parts
        ):
            return self.bars.apart
        return self.bars.spelled_missing if number.spelled else self.bars.figure_missing

    def _name_gate(self, passage: int, at: int, coverage: float) -> float:
        item = self.items[at]
        if self._elsewhere(passage, at) or item.term.text in self.index.title_terms[passage]:
            return self.bars.apart
        if item.term.text in self.index.initials[passage]:
            return self.bars.apart
        if item.term.name == 2:
            return self.bars.name_missing
        # A capital that may be a name weighs the more, the more the rest is word for word the same.
        odd = min(1.0, max(0.0, (coverage - 0.6) / 0.25))
        return 1 - (1 - self.bars.name_missing) * odd

    def _polarity(
        self, sequence: Sequence[int], best: Mapping[int, tuple[float, int, int]], first: int, last: int
    ) -> float:
        """Return 1 when sentence and passage deny the same, else the bar for a contrary."""
        units = self.index.units[first : last + 1]
        flips = self._contrary(sequence, best, units)
        agreed = differed = 0.0
        if any(unit.denied for unit in units) or any(self.items[at].is_denied for at in sequence):
            for at, (count, unit, _) in best.items():
                item = self.items[at]
                if item.term.number is not None and item.term.number.unit == "month":
                    continue
                there = self.index.units[unit].denied
                places = self._places(unit, at)
                votes = [(place in there) == item.is_denied for place in places]
                weight = (
                    count * item.weight * max(1.0, item.denied, *(there.get(place, 1.0) for place in places))
                )
                if any(votes):
                    agreed += weight
                else:
                    differed += weight
        if differed > agreed:
            flips += 1
        return self.bars.contrary if flips % 2 else 1.0

    def _contrary(
        self, sequence: Sequence[int], best: Mapping[int, tuple[float, int, int]], units: Sequence[Unit]
    ) -> int:
        for at in sequence:
            item = self.items[at]
            other = CONTRARIES.get(item.concept)
            if other is None or at in best:
                continue
            if any(item.concept in unit.contraries for unit in units):
                continue
            for unit in units:
                if other in unit.contraries:
                    return 1
        return 0
