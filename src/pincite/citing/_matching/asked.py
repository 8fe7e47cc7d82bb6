"""A sentence as it is looked up: its terms, what each weighs, and what it may stand for among the passages."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from pincite.citing._matching.common import TALK_WORDS
from pincite.citing._matching.terms import Denial, Name, Reading, Term
from pincite.citing._matching.words import concept, gram_weight

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pincite.citing._matching.figures import Figure
    from pincite.citing._matching.index import PassageIndex
    from pincite.citing.deferred import DeferredBars

_SHORT_ADVERB: Final = 6
"""Letters of a word in -ly that may be a place: Italy, Sicily."""


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


class Asked:
    """One sentence against an index; `lower` are words that stand in small letters elsewhere in the answer."""

    __slots__ = ("_lower", "bars", "clauses", "denied", "index", "items", "runs", "sequence", "weights")

    def __init__(
        self, index: PassageIndex, reading: Reading, bars: DeferredBars, lower: frozenset[str]
    ) -> None:
        self.index = index
        self.bars = bars
        self.items: list[Item] = []
        self.sequence: list[int] = []
        """The items in the order of the sentence; one may stand in it twice."""
        self.denied: list[Denial | None] = []
        """How each place of the sequence is denied."""
        self.clauses: list[int] = []
        """The clause of each place of the sequence."""
        self.runs: list[tuple[str, list[int]]] = []
        """Names of several words whose initials the passages have."""
        self._lower = lower
        self._collect(reading)
        self.weights = [0.0, *accumulate(self.items[at].weight for at in self.sequence)]
        """The weight of the sequence up to each place."""

    def _collect(self, reading: Reading) -> None:
        denied = reading.denials() if reading.negators else {}
        known: dict[tuple[str, Figure | None], int] = {}
        for place, term in enumerate(reading.terms):
            key = (term.text, term.figure)
            if key not in known:
                known[key] = len(self.items)
                self.items.append(self._item(term))
            self.sequence.append(known[key])
            self.denied.append(denied.get(place))
            self.clauses.append(term.clause)
        self._note_runs(reading.terms)

    def _note_runs(self, terms: list[Term]) -> None:
        """Note the initials of names of several words, by which a passage may call them."""
        run: list[int] = []
        for at, term in zip(self.sequence, terms, strict=True):
            if self.items[at].term.name and term.figure is None:
                run.append(at)
                initials = "".join(self.items[one].term.text[0] for one in run)
                if len(run) > 1 and initials in self.index.postings:
                    self.runs.append((initials, [*run]))
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

    # --- Parts of the sentence ---

    def splits(self, most: int) -> list[tuple[int, bool]]:
        """Return where the sentence may be cut in two, those near its middle, and whether a clause begins there.

        Elsewhere it may be cut after a figure, as in "from 3 in 2020 to 4 in 2021".
        """
        size = len(self.sequence)
        places = [
            (at, clause)
            for at in range(2, size - 1)
            if (clause := self.clauses[at] != self.clauses[at - 1])
            or self.items[self.sequence[at - 1]].figure is not None
        ]
        return sorted(sorted(places, key=lambda place: (not place[1], abs(2 * place[0] - size)))[:most])

    def has_statement(self, low: int, high: int) -> bool:
        """Tell whether a part of the sentence states something: it has a common word, or two figures."""
        items = [self.items[at] for at in self.sequence[low:high]]
        figures = sum(item.figure is not None for item in items)
        return figures > 1 or any(not item.term.name and item.figure is None for item in items)

    def has_figure(self, low: int, high: int) -> bool:
        """Tell whether a part of the sentence has a figure that is not a small number written as a word."""
        figures = (self.items[at].figure for at in self.sequence[low:high])
        return any(figure is not None and not figure.spelled for figure in figures)
