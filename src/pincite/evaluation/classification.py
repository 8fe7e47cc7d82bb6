"""Metrics of a method against labels: what it said of claims, and what people said of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, cast

from pincite.core.errors import InputError
from pincite.core.given import items_of, refuse
from pincite.evaluation._counts import mean, ratio

if TYPE_CHECKING:
    from collections.abc import Iterable

_PAIR = 2


@dataclass(frozen=True, slots=True)
class Confusion:
    """How many claims with each label got each verdict: `cells` are label, verdict and number, sorted, none of them 0.

    Labels and verdicts are plain strings; a verdict is right when it is the label.

    - `accuracy`: right / all. `majority`: the accuracy of always saying the commonest label, which a method has to
      beat to be worth anything.
    - `precision(name)`: right with that verdict / all with that verdict. `recall(name)`: right with that label / all
      with that label. `f1(name)`: 2 * right / (with that label + with that verdict).
    - `macro_f1`: the mean of `f1` over the labels that occur. A verdict that is nobody's label lowers the recall of
      the labels and has no F1 of its own.

    Each is None where there is nothing to take it of.
    """

    cells: tuple[tuple[str, str, int], ...] = ()

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str]]) -> Confusion:
        """Count pairs of a label and a verdict.

        Raises:
            InputError: these are no pairs of strings.
        """
        what = "a list of pairs: a label and a verdict"
        found = Counter(_pair(one) for one in items_of(pairs, "pairs", what))
        return cls(tuple((label, verdict, number) for (label, verdict), number in sorted(found.items())))

    @property
    def total(self) -> int:
        """All claims."""
        return sum(number for _, _, number in self.cells)

    @property
    def labels(self) -> dict[str, int]:
        """The labels that occur, sorted, each with its claims."""
        return self._summed(0)

    @property
    def verdicts(self) -> dict[str, int]:
        """The verdicts that occur, sorted, each with its claims."""
        return self._summed(1)

    def _summed(self, side: int) -> dict[str, int]:
        found: Counter[str] = Counter()
        for cell in self.cells:
            found[str(cell[side])] += cell[2]
        return dict(sorted(found.items()))

    def count(self, label: str, verdict: str) -> int:
        """Return the number of claims with that label and that verdict."""
        return sum(number for one, other, number in self.cells if (one, other) == (label, verdict))

    @property
    def accuracy(self) -> float | None:
        """The share of claims whose verdict is their label."""
        return ratio(sum(number for label, verdict, number in self.cells if label == verdict), self.total)

    @property
    def majority(self) -> float | None:
        """The accuracy of always saying the commonest label."""
        return ratio(max(self.labels.values(), default=0), self.total)

    def precision(self, name: str) -> float | None:
        """Return the share of the claims with this verdict that have this label."""
        return ratio(self.count(name, name), self.verdicts.get(name, 0))

    def recall(self, name: str) -> float | None:
        """Return the share of the claims with this label that have this verdict."""
        return ratio(self.count(name, name), self.labels.get(name, 0))

    def f1(self, name: str) -> float | None:
        """Return the harmonic mean of both: 0 where the one is None and the other is not."""
        return ratio(2 * self.count(name, name), self.labels.get(name, 0) + self.verdicts.get(name, 0))

    @property
    def macro_f1(self) -> float | None:
        """The mean of F1 over the labels that occur."""
        return mean(self.f1(label) for label in self.labels)

    def as_dict(self) -> dict[str, Any]:
        """Return the matrix and all that is worked out from it, as JSON holds it."""
        matrix: dict[str, dict[str, int]] = {}
        for label, verdict, number in self.cells:
            matrix.setdefault(label, {})[verdict] = number
        return {
            "claims": self.total,
            "matrix": matrix,
            "accuracy": self.accuracy,
            "majority": self.majority,
            "macro_f1": self.macro_f1,
            "labels": {
                name: {"precision": self.precision(name), "recall": self.recall(name), "f1": self.f1(name)}
                for name in self.labels
            },
        }


def _pair(given: object) -> tuple[str, str]:
    pair = cast("tuple[object, ...]", given) if isinstance(given, tuple) else ()
    if len(pair) != _PAIR or not all(isinstance(one, str) for one in pair):
        msg = "`pairs` is a list of pairs of strings: a label and a verdict."
        raise InputError(msg, field="pairs")
    return cast("tuple[str, str]", pair)


def _numbers(given: object, name: str) -> list[float]:
    what = "a list of numbers"
    found: list[float] = []
    for one in items_of(given, name, what):
        if not isinstance(one, int | float):
            refuse(cast("object", one), name, what)
        found.append(float(one))
    return found


def auroc(positive: Iterable[float], negative: Iterable[float]) -> float | None:
    """Return how often a score of `positive` is over one of `negative`, equal ones counting half: 0.5 is chance.

    It is the area under the receiver's curve, worked out from ranks (Mann-Whitney). None where one of the two is
    empty.

    Raises:
        InputError: these are no lists of numbers.
    """
    scores = [(score, 1) for score in _numbers(positive, "positive")]
    scores += [(score, 0) for score in _numbers(negative, "negative")]
    wins, below = 0.0, 0
    for _, equal in groupby(sorted(scores), key=lambda one: one[0]):
        sides = Counter(side for _, side in equal)
        wins += sides[1] * (below + sides[0] / 2)
        below += sides[0]
    return ratio(wins, below * (len(scores) - below))
