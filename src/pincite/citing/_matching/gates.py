"""What keeps a sentence from a passage that is much like it: figures, names, and what is denied."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pincite.citing._matching.figures import MONTH, Figure, agree
from pincite.citing._matching.index import SAME_SENSE
from pincite.citing._matching.lexicon import CONTRARIES
from pincite.citing._matching.terms import LEAD, Denial, Name

if TYPE_CHECKING:
    from pincite.citing._matching.found import Found, Held, Stretch

_SMALL: Final = 100.0
"""Up to where a figure may be the rival of a small number that is written as a word."""
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


class Gates:
    """The factors by which a score falls for what must not differ."""

    __slots__ = ("_asked", "_bars", "_found", "_index")

    def __init__(self, found: Found) -> None:
        self._found = found
        self._asked = found.asked
        self._bars = found.asked.bars
        self._index = found.asked.index

    def factor(self, stretch: Stretch, coverage: float) -> float:
        """Return the factor for the figures and names of a stretch, `coverage` being the share that it holds."""
        factor = 1.0
        for at in sorted(set(self._asked.sequence[stretch.low : stretch.high])):
            factor *= self._gate(stretch.passage, at, stretch.held.get(at), coverage)
        if self._speaks_of_another(stretch):
            factor *= self._bars.name_missing
        if self._swapped(stretch) or self._in_another_year(stretch):
            factor *= self._bars.figure_missing
        return factor

    def _gate(self, passage: int, at: int, held: Held | None, coverage: float) -> float:
        """Return the factor for an item that must not be missing: a figure or a name."""
        item = self._asked.items[at]
        if item.figure is not None:
            if held is not None:
                return 1.0 if held.share == 1.0 else self._bars.rounded
            return self._figure_gate(passage, at, item.figure)
        if item.term.name and (held is None or held.share <= SAME_SENSE):
            return self.name(passage, at, coverage)
        return 1.0

    def _figure_gate(self, passage: int, at: int, said: Figure) -> float:
        index, bars = self._index, self._bars
        if self._found.elsewhere(passage, at) or any(
            agree(said, there) for there in index.title_figures[passage]
        ):
            return bars.apart
        there = [
            figure for unit in self._found.touched.get(passage, []) for _, figure in index.units[unit].figures
        ]
        if said.parts and all(any(part in figure.values for figure in there) for part in said.parts):
            return bars.apart
        rivals = (figure.unit == said.unit and max(figure.values) < _SMALL for figure in there)
        return bars.spelled_missing if said.spelled and not any(rivals) else bars.figure_missing

    def name(self, passage: int, at: int, coverage: float) -> float:
        """Return the factor for a name that is missing where the sentence looks for it."""
        index, word = self._index, self._asked.items[at].term.text
        if (
            self._found.elsewhere(passage, at)
            or word in index.titles[passage]
            or word in index.initials[passage]
        ):
            return self._bars.apart
        if self._asked.items[at].term.name is Name.YES:
            return self._bars.name_missing
        # The more of the rest is the same, the more the odd capital looks like another name put in.
        odd = min(1.0, max(0.0, (coverage - _ODD_FROM) / (_ODD_TO - _ODD_FROM)))
        return 1 - (1 - self._bars.name_missing) * odd

    def _in_another_year(self, stretch: Stretch) -> bool:
        """Tell whether the main unit, or one that a figure is from, has years but none of the sentence's own."""
        said = [
            figure
            for at in self._asked.sequence[stretch.low : stretch.high]
            if (figure := self._asked.items[at].figure) is not None
        ]
        if not any(figure.is_year for figure in said):
            return False
        units = {
            held.unit for at, held in stretch.held.items() if self._asked.items[at].figure is not None
        } | {stretch.main}
        for unit in units - {-1}:
            years = [figure for _, figure in self._index.units[unit].figures if figure.is_year]
            if years and not any(agree(figure, year) for figure in said for year in years):
                return True
        return False

    def _speaks_of_another(self, stretch: Stretch) -> bool:
        """Tell whether the sentence begins with one name, and the passage's sentence with another."""
        lead = self._index.units[stretch.main].lead if stretch.main >= 0 else ""
        first = next(
            (
                at
                for at in self._asked.sequence[stretch.low : min(stretch.high, stretch.low + LEAD)]
                if self._asked.items[at].term.name
            ),
            -1,
        )
        if (
            not lead
            or first < 0
            or self._asked.items[first].term.name is not Name.YES
            or lead not in self._index.names
        ):
            return False
        if (
            first in self._found.held[stretch.main]
            or first in self._found.implied.get(stretch.passage, ())
            or lead in self._index.titles[stretch.passage]
        ):
            return False
        return not any(lead in item.likes for item in self._asked.items)

    def _swapped(self, stretch: Stretch) -> bool:
        """Tell whether a figure stands in the passage with what the sentence says of another."""
        return any(
            self._is_swapped(stretch, place, stretch.held[at])
            for place, at in enumerate(self._asked.sequence[stretch.low : stretch.high], stretch.low)
            if at in stretch.held and self._asked.items[at].figure is not None
        )

    def _is_swapped(self, stretch: Stretch, at: int, held: Held) -> bool:
        """Tell whether what the clause of a figure says is said of other such figures alone."""
        unit = self._index.units[held.unit]
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
        here = self._found.held[held.unit]
        said = [
            self._asked.items[item].figure
            for item in self._asked.sequence[stretch.low : stretch.high]
            if item != self._asked.sequence[at]
        ]
        alone = not any(
            figure is not None and figure.unit == mine.unit and figure.is_year == mine.is_year
            for figure in said
        )
        theirs = False
        for place in range(stretch.low, stretch.high) if rivals else ():
            item = self._asked.sequence[place]
            apart = self._asked.clauses[place] != self._asked.clauses[at] and not alone
            if item == self._asked.sequence[at] or apart or item not in here:
                continue
            stand = {clauses[there] for there in self._found.places(held.unit, item)}
            if clause in stand:
                return False
            theirs = theirs or bool(stand & rivals)
        return theirs

    # --- What must not be denied ---

    def contradicts(self, stretch: Stretch) -> bool:
        """Tell whether sentence and passage do not deny the same: some unit that says much of it."""
        shares: dict[int, float] = {}
        for at, held in stretch.held.items():
            shares[held.unit] = shares.get(held.unit, 0.0) + held.share * self._asked.items[at].weight
        whole = sum(shares.values())
        here = [denial for denial in self._asked.denied[stretch.low : stretch.high] if denial is not None]
        there = [denial for unit in shares for denial in self._index.units[unit].denied.values()]
        # A word that denies by its sense stands for a negator, and the other way round, wherever in the clause it is.
        loose = there and here and not (any(d.negated for d in there) and any(d.negated for d in here))
        asked = {unit for unit in shares if unit == stretch.main or self._index.units[unit].denied}
        if loose or not (here or there):
            asked = set[int]()
        return any(
            (unit in asked and self._differs(stretch, unit)) != self._contrary(stretch, unit)
            for unit, share in shares.items()
            if share >= _MUCH * whole
        )

    def _differs(self, stretch: Stretch, unit: int) -> bool:
        """Tell whether more of what a unit says too is denied by one of them alone."""
        balance = 0.0
        denied = self._index.units[unit].denied
        for place, at in enumerate(self._asked.sequence[stretch.low : stretch.high], stretch.low):
            held, figure = stretch.held.get(at), self._asked.items[at].figure
            if held is None or held.unit != unit or (figure is not None and figure.unit == MONTH):
                continue
            theirs = [denied.get(there) for there in self._found.places(unit, at)]
            agreement = max(_agreement(self._asked.denied[place], denial) for denial in theirs)
            balance += held.share * self._asked.items[at].weight * agreement
        return balance < 0

    def _contrary(self, stretch: Stretch, unit: int) -> bool:
        """Tell whether a unit has the contrary of a word that it lacks, and the sentence not: fell for rose."""
        there = self._index.units[unit].contraries
        senses = {self._asked.items[at].sense for at in self._asked.sequence[stretch.low : stretch.high]}
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
