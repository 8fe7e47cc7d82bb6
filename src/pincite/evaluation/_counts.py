"""What every group of metrics is: whole numbers that add up over answers, and shares of them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import fsum
from typing import TYPE_CHECKING, Any, ClassVar, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Self

_MOST: Final = 2**53
"""What a count may be at most: every number up to it is a float of its own."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Whole numbers counted over one answer, or over many: adding two groups gives that of all their answers.

    A rate is worked out from the numbers and is None where there is nothing to take a share of, never 0 or 1.
    """

    RATES: ClassVar[tuple[str, ...]] = ()

    def __add__(self, other: Self) -> Self:
        """Return the numbers of both."""
        return type(self)(*(a + b for a, b in zip(self.numbers(), other.numbers(), strict=True)))

    def numbers(self) -> tuple[int, ...]:
        """Return what was counted, in the order of the fields."""
        return tuple(getattr(self, one.name) for one in fields(self))

    def rates(self) -> dict[str, float | None]:
        """Return the shares by name."""
        return {name: getattr(self, name) for name in self.RATES}

    def as_dict(self) -> dict[str, float | None]:
        """Return numbers and rates, as JSON holds them."""
        return {**{one.name: getattr(self, one.name) for one in fields(self)}, **self.rates()}

    @classmethod
    def of_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the group whose numbers `as_dict` wrote.

        Raises:
            ValueError: one of them is missing, or is no count.
        """
        found = [data.get(one.name) for one in fields(cls)]
        if not all(type(number) is int and 0 <= number <= _MOST for number in found):
            msg = "These are no counts."
            raise ValueError(msg)
        return cls(*found)


def ratio(part: float, whole: float) -> float | None:
    """Return `part` of `whole`; None where there is no whole."""
    return part / whole if whole else None


def harmonic(one: float | None, other: float | None) -> float | None:
    """Return F1 of two shares: None where one of them is, 0 where both are 0."""
    if one is None or other is None:
        return None
    return 2 * one * other / (one + other) if one + other else 0.0


def mean(values: Iterable[float | None]) -> float | None:
    """Return the mean of the values that are there, whatever their order; None where none is."""
    found = [value for value in values if value is not None]
    return ratio(fsum(found), len(found))
