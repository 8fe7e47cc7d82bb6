"""An inverted index over the sentences of a run's passages, and what a word may stand for among them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import chain
from math import log
from typing import TYPE_CHECKING, Final, NamedTuple

from pincite.citing._matching.figures import Figure, agree, slack
from pincite.citing._matching.lexicon import CONTRARIES
from pincite.citing._matching.terms import FIGURE, LEAD, Denial, Name, Reading, Term, language_of, read
from pincite.citing._matching.words import concept, same_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_UNIT_TERMS: Final = 60
"""Terms of a passage's sentence that are one unit; a longer sentence is several."""
_LIKE_MOST: Final = 8
"""Words of the passages that one word of the sentence may stand for."""
_VALUES_MOST: Final = 64
"""Values near a figure that are looked at."""
_PLACES_MOST: Final = 4_096
"""Places of one value that are looked at."""
_COMMON_GRAM: Final = 250
"""Words that hold a gram of three letters, beyond which it tells nothing."""
_TELLING_GRAMS: Final = 9
"""Grams of a word that are looked up, those that the fewest words have."""
_SHARED_GRAMS: Final = 0.4
"""The share of a word's telling grams that another must have to be looked at."""
_SHORT_WORD: Final = 5
"""Letters up to which two grams in common are enough."""
_SHORTEST_LIKE: Final = 4
"""Letters from which a word may stand for another."""
_ACRONYM: Final = 6
"""Words of a name whose initials are collected."""
_ENDINGS: Final = frozenset(("", "e", "es", "ed", "ing", "s", "er", "ers", "ings"))
"""Endings after which three letters are enough of a stem: votes, voting."""
_STEM: Final = 4
"""Letters of a stem, at least."""
_LONG_STEM: Final = 6
"""Letters that are enough of one whatever follows."""
_STEM_SHARE: Final = 0.5
"""The share of the longer word that is stem."""
_STEM_ENDINGS: Final = (4, 5)
_NAME_ENDINGS: Final = (2, 4)
"""Letters that the endings of the shorter and the longer word must stay below; of names: Italy, Italian."""
_PREFIX: Final = 4
"""Letters that what is glued on in front must stay below."""
_PREFIXED: Final = 0.6
"""The share of the longer word that is the shorter one."""
_ALIKE: Final = 0.65
"""The share of both words' grams that is common, when they are spelt much alike."""
INFLECTED: Final = 0.92
"""What a word counts with another ending."""
_SPELT: Final = 0.85
"""What a word counts that is spelt much alike."""
_VERSION: Final = 0.8
"""What a name counts without the figures that the other has: GPT, GPT-4."""
_CONTAINED: Final = 0.75
"""What a word counts that is a part of another, or has it as a part."""
SAME_SENSE: Final = 0.7
"""What a word counts that says the same by the lexicon."""


class Likes(NamedTuple):
    """The passages' words that a word may stand for, with what they count; and those that are the same name."""

    words: dict[str, float]
    names: frozenset[str]


@dataclass(slots=True)
class Unit:
    """One sentence of a passage, code points `start` to `end` of it."""

    passage: int
    start: int
    end: int
    places: dict[str, list[int]] = field(default_factory=dict)
    """Term to its places among the terms."""
    figures: list[tuple[int, Figure]] = field(default_factory=list)
    denied: dict[int, Denial] = field(default_factory=dict)
    contraries: set[str] = field(default_factory=set)
    """Lines of the lexicon that have a contrary, and that it has a word of."""
    lead: str = ""
    """The name that it begins with, or nothing."""
    clauses: dict[int, int] = field(default_factory=dict)
    """Place of a term to its clause, where there are several figures."""


class PassageIndex:
    """The passages of a run, ready to be matched; `titles` says what counts as said by each besides its text."""

    def __init__(self, passages: Sequence[str], titles: Sequence[str], most_code_points: int) -> None:
        from pincite.core.sentences import split_sentences

        self.count = len(passages)
        self.units: list[Unit] = []
        self.ranges: list[tuple[int, int]] = []
        """The units of each passage."""
        self.postings: dict[str, list[int]] = {}
        """Term to the units that hold it."""
        self.initials: list[set[str]] = []
        self.titles: list[frozenset[str]] = []
        self.title_figures: list[tuple[Figure, ...]] = []
        self.lower: set[str] = set()
        """Words that stand in small letters somewhere."""
        self.names: set[str] = set()
        """Words that are names somewhere."""
        self._holders: Counter[str] = Counter()
        self._figures: dict[float, list[tuple[int, int, Figure]]] = defaultdict(list)
        self._grams: dict[str, list[str]] = defaultdict(list)
        self._senses: dict[str, list[str]] = defaultdict(list)
        self._countries: dict[str, list[str]] = defaultdict(list)
        self._likes: dict[str, Likes] = {}
        self._agreeing: dict[Figure, dict[tuple[int, int], float]] = {}
        for passage, title in zip(passages, titles, strict=True):
            before = len(self.units)
            self.initials.append(set())
            self._add_title(title[:most_code_points])
            shown = passage[:most_code_points]
            language = language_of(shown)
            for start, end in split_sentences(shown):
                self._add(shown, start, end, language)
            self.ranges.append((before, len(self.units)))
            held = set(chain.from_iterable(unit.places for unit in self.units[before:]))
            self._holders.update(held)
        self._values = sorted(self._figures)
        self._index_words()

    # --- Reading ---

    def _add_title(self, title: str) -> None:
        reading = read(title, 0, len(title)) if title else Reading()
        self.titles.append(frozenset(term.text for term in reading.terms if term.figure is None))
        self.title_figures.append(tuple(term.figure for term in reading.terms if term.figure is not None))

    def _add(self, text: str, start: int, end: int, language: str) -> None:
        reading = read(text, start, end, language)
        self.lower |= reading.lower
        denied = reading.denials() if reading.negators else {}
        terms = reading.terms
        for low in range(0, len(terms), _UNIT_TERMS):
            high = min(low + _UNIT_TERMS, len(terms))
            unit_start = start if low == 0 else terms[low].start
            unit_end = end if high == len(terms) else terms[high - 1].end
            self._add_unit(Unit(len(self.ranges), unit_start, unit_end), terms, low, high, denied)

    def _add_unit(
        self, unit: Unit, terms: list[Term], low: int, high: int, denied: dict[int, Denial]
    ) -> None:
        at = len(self.units)
        run: list[str] = []
        for place in range(low, high):
            term = terms[place]
            if place in denied:
                unit.denied[place] = denied[place]
            if term.figure is not None:
                self._add_figure(unit, at, place, term.figure)
            if term.text == FIGURE:
                continue
            if term.text in unit.places:
                unit.places[term.text].append(place)
            else:
                unit.places[term.text] = [place]
                self.postings.setdefault(term.text, []).append(at)
            if not term.gram:
                run = self._note_word(unit, term, run)
        unit.lead = next((term.text for term in terms[low : min(high, low + LEAD)] if term.name), "")
        if len(unit.figures) > 1:
            unit.clauses = {place: terms[place].clause for place in range(low, high)}
        self.units.append(unit)

    def _add_figure(self, unit: Unit, at: int, place: int, figure: Figure) -> None:
        unit.figures.append((place, figure))
        for value in {*figure.values, *figure.parts}:
            self._figures[value].append((at, place, figure))

    def _note_word(self, unit: Unit, term: Term, run: list[str]) -> list[str]:
        """Note a word's sense and name, and the initials of a name of several words: (European Central Bank) ecb."""
        sense = concept(term.text)
        if sense in CONTRARIES:
            unit.contraries.add(sense)
        if not term.name:
            return []
        if term.name is Name.YES:
            self.names.add(term.text)
        run = [*run[-_ACRONYM + 1 :], term.text]
        self.initials[-1].update("".join(word[0] for word in run[at:]) for at in range(len(run) - 1))
        return run

    def _index_words(self) -> None:
        for word in self.postings:
            if sense := concept(word):
                self._senses[sense].append(word)
            if country := same_name(word):
                self._countries[country].append(word)
            if len(word) >= _SHORTEST_LIKE:
                for gram in _letter_grams(word):
                    self._grams[gram].append(word)

    # --- Asking ---

    def rarity(self, likes: Mapping[str, float]) -> float | None:
        """Return how rare a word is among the passages, from 0 (all hold it) to 1; None when none does."""
        holders = max((self._holders[word] for word, share in likes.items() if share > SAME_SENSE), default=0)
        if not holders:
            return None
        total = self.count + 1
        return max(0.0, log(total / (holders + 0.5)) / log(total / 0.5))

    def likes(self, word: str) -> Likes:
        """Return what `word` may stand for."""
        found = self._likes.get(word)
        if found is None:
            found = self._likes[word] = self._find_likes(word)
        return found

    def _find_likes(self, word: str) -> Likes:
        found: dict[str, float] = {}
        names: set[str] = set()
        if len(word) >= _SHORTEST_LIKE:
            for other, shared in self._share_grams(word):
                worth, same = _resemblance(word, other, shared)
                if worth:
                    found[other] = worth
                    if same:
                        names.add(other)
        sense, country = concept(word), same_name(word)
        for other in self._senses.get(sense, ()) if sense else ():
            found[other] = max(found.get(other, 0.0), SAME_SENSE)
        for other in self._countries.get(country, ()) if country else ():
            found[other] = max(found.get(other, 0.0), INFLECTED)
            names.add(other)
        if len(found) > _LIKE_MOST:
            best = sorted(found, key=lambda other: (-found[other], other))[:_LIKE_MOST]
            found = {other: found[other] for other in best}
        if word in self.postings:
            found[word] = 1.0
            names.add(word)
        return Likes(found, frozenset(names & found.keys()))

    def _share_grams(self, word: str) -> list[tuple[str, float]]:
        """Return the words that have much of the word's rarest grams, and what share of them."""
        held = [(len(holders), gram) for gram in _letter_grams(word) if (holders := self._grams.get(gram))]
        telling = sorted(one for one in held if one[0] <= _COMMON_GRAM)[:_TELLING_GRAMS]
        shared = Counter(chain.from_iterable(self._grams[gram] for _, gram in telling))
        least = max(3 if len(word) > _SHORT_WORD else 2, int(_SHARED_GRAMS * len(telling)))
        return [(other, count / len(telling)) for other, count in shared.items() if count >= least]

    def figures(self, said: Figure) -> dict[tuple[int, int], float]:
        """Return (unit, place) of each figure that `said` may be, with what it counts."""
        found = self._agreeing.get(said)
        if found is None:
            found = self._agreeing[said] = self._find_figures(said)
        return found

    def _find_figures(self, said: Figure) -> dict[tuple[int, int], float]:
        found: dict[tuple[int, int], float] = {}
        for value in said.values:
            reach = slack(said, value)
            low, high = bisect_left(self._values, value - reach), bisect_right(self._values, value + reach)
            near = sorted(self._values[low:high], key=lambda other: (abs(other - value), other))
            for other in near[:_VALUES_MOST]:
                for unit, place, there in self._figures[other][:_PLACES_MOST]:
                    count = agree(said, there)
                    if count > found.get((unit, place), 0.0):
                        found[unit, place] = count
        return found


def _letter_grams(word: str) -> set[str]:
    padded = f"^{word}$"
    return {padded[at : at + 3] for at in range(len(padded) - 2)}


def _resemblance(word: str, other: str, shared: float) -> tuple[float, bool]:
    """Return what `other` counts for `word` by their letters, and whether it may be the same name.

    `shared` is the share of the word's grams that the other has.
    """
    short, long = (word, other) if len(word) <= len(other) else (other, word)
    if not (short.isalpha() and long.isalpha()) and any(c.isdecimal() for c in long):
        return (_VERSION, True) if long.startswith(short) and short.isalpha() else (0.0, False)
    stem = _stem(short, long)
    endings = short[stem:], long[stem:]
    if _same_stem(stem, *endings):
        return INFLECTED, len(endings[0]) < _NAME_ENDINGS[0] and (
            len(endings[1]) < _NAME_ENDINGS[1] or "isch" in endings[1]
        )
    if stem >= _LONG_STEM and stem >= _STEM_SHARE * len(long):
        return _SPELT, False
    if short in long:
        if long.endswith(short) and len(long) - len(short) < _PREFIX and len(short) >= _PREFIXED * len(long):
            return INFLECTED, True  # Arabic glues its article and its prepositions on
        if len(short) > _STEM:
            return _CONTAINED, False
    if shared >= _ALIKE and shared * len(word) >= _ALIKE * len(other):
        return _SPELT, False
    return 0.0, False


def _stem(short: str, long: str) -> int:
    """Return how many letters two words begin with in common."""
    if short[:3] != long[:3]:
        return 0
    return next((at for at, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))


def _same_stem(stem: int, ending: str, longer: str) -> bool:
    """Tell whether two words are forms of one, by the length of their stem and by their endings."""
    if stem >= _STEM:
        return (
            len(ending) < _STEM_ENDINGS[0]
            and (len(longer) < _STEM_ENDINGS[1] or longer.startswith("isch"))
            and stem >= _STEM_SHARE * (stem + len(longer))
        )
    return stem == _STEM - 1 and {ending, longer} <= _ENDINGS and longer[:2] in {"in", "ed"}
