"""What a claim can be wrong about exactly: numbers with their units, dates and times of day, and when two agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from pincite.checking._measures import Unit

Date = tuple[int | None, int | None, int | None]
"""Year, month and day, as far as they are said."""

ORDINAL: Final = "ordinal"
VERSIONS: Final = "version"
VERSION: Final = 10_000
"""What no part of a version's number reaches, which has four figures at most."""
_ABOUT: Final = 0.05
"""Share by which a number that the claim calls rounded may be off."""
_NEAR: Final = 0.25
"""Share by which a number may lie beyond the bound that a claim gives instead of it: over 40 hours for 45."""


class Fact(NamedTuple):
    """A number, date or time of day at code points `start` to `end` of a text.

    `values` are what it may be worth in the base of its `dimension` ("" for a bare number), `plain` what it may be
    worth without its unit; `places` is the worth of the last digit that was written. `dates` are the readings of a
    date, or of a bare year. `bound` is 1 for a least, -1 for a most. `about` says that the text calls it rounded,
    `scale` is the multiplier that it was written with ("million"). `noun` is the word behind a bare number,
    `lead` the one before it. `per` is the unit that it is counted by (5 mg per day), `shown` where that ends. `timely`
    says that the bound is one of time or of a range, beyond which nothing follows.
    """

    start: int
    end: int
    values: tuple[float, ...] = ()
    plain: tuple[float, ...] = ()
    dimension: str = ""
    places: float = 1.0
    dates: tuple[Date, ...] = ()
    bound: int = 0
    about: bool = False
    spelled: bool = False
    noun: str = ""
    factor: float = 1.0
    scale: float = 1.0
    lead: str = ""
    per: Unit | None = None
    shown: int = 0
    timely: bool = False

    @property
    def written(self) -> slice:
        """Where it stands, with what it is counted by."""
        return slice(self.start, max(self.end, self.shown))

    @property
    def is_loose(self) -> bool:
        """Whether it is a word that a claim may as well leave out."""
        return self.dimension == ORDINAL or (self.spelled and not self.dimension)

    @property
    def is_date(self) -> bool:
        """Whether it is a date and cannot be a number."""
        return bool(self.dates) and not self.values


def same(said: Fact, there: Fact) -> bool:
    """Tell whether a fact of the claim is the one in the passage."""
    if said.bound * there.bound < 0:
        return False
    if said.dates and there.dates:
        if any(_within(one, other) for one in said.dates for other in there.dates):
            return True
        if said.is_date or there.is_date:
            return False
    if not said.values or not there.values:
        return False
    if (said.per is not None and said.per != there.per) or (said.dimension == ORDINAL) != (
        there.dimension == ORDINAL
    ):
        return False
    if said.dimension == there.dimension:
        return _equal(said, said.values, there.values) or (
            _follows(said, there) and _is_near(said.values[0], there.values[0])
        )
    # A table names the unit in its head, and a bare number there stands for a number of these.
    if not said.dimension or (not there.dimension and not there.noun):
        return _equal(said, said.plain, there.plain)
    return False


def differs(said: Fact, there: Fact) -> bool:
    """Tell whether two facts that are not the same speak of the same thing, as far as their kind tells."""
    if _follows(said, there) or _follows(there, said):
        return False
    if said.dates and there.dates:
        return any(_comparable(one, other) for one in said.dates for other in there.dates)
    # Who says that it is 5 mg a day says nothing otherwise than who says that it is 5 mg.
    finer = (said.per is None) != (there.per is None) and _equal(said, said.values, there.values)
    if said.is_date or there.is_date or finer:
        return False
    if said.dimension == ORDINAL == there.dimension:
        return said.noun == there.noun and (bool(said.noun) or (bool(said.lead) and said.lead == there.lead))
    if said.dimension == VERSIONS == there.dimension:
        return not _begins(said, there) and not _begins(there, said)
    if said.dimension or there.dimension:
        return said.dimension == there.dimension or (
            bool(said.dimension and there.dimension) and _shares(said.plain, there.plain)
        )
    return (bool(said.noun) and said.noun == there.noun) or (bool(said.lead) and said.lead == there.lead)


def in_other_unit(said: Fact, there: Fact) -> bool:
    """Tell whether two facts that are not the same differ in nothing but their unit."""
    mine, theirs = ((one.dimension.replace(VERSIONS, ""), one.factor, one.per) for one in (said, there))
    return _shares(said.plain, there.plain) and mine != theirs


# --- Agreement ---


def _equal(said: Fact, mine: tuple[float, ...], theirs: tuple[float, ...]) -> bool:
    if _shares(mine, theirs):
        return True
    if said.about:
        return any(abs(a - b) <= _ABOUT * max(abs(a), abs(b)) for a in mine for b in theirs)
    # Who speaks of 5.2 million has rounded; from one digit nothing follows.
    step = said.places
    return said.scale > 1.0 and any(
        abs(a) >= step * 10 and abs(a - b) <= step / 2 * (1 + 1e-9) for a in mine for b in theirs
    )


def _follows(said: Fact, there: Fact) -> bool:
    """Tell whether a bound that one gives is kept by the number that another gives: over 40 for 45."""
    if (
        not said.bound
        or there.bound
        or said.timely
        or said.dimension != there.dimension
        or said.per != there.per
    ):
        return False
    if not said.values or not there.values:
        return False
    # A number of four digits is no year where both count the same.
    if (said.dates or there.dates) and not (said.noun and said.noun == there.noun):
        return False
    return (there.values[0] - said.values[0]) * said.bound >= 0


def _is_near(bound: float, value: float) -> bool:
    return abs(value - bound) <= _NEAR * max(abs(value), abs(bound))


def _begins(said: Fact, there: Fact) -> bool:
    """Tell whether a version is one of another: 3.11 and 3.11.4."""
    if not said.values or not there.values:
        return True
    mine, theirs = said.values[0], there.values[0]
    while theirs > mine:
        theirs //= VERSION
    return mine == theirs


def _shares(mine: tuple[float, ...], theirs: tuple[float, ...]) -> bool:
    return any(abs(a - b) <= 1e-9 * max(1.0, abs(a), abs(b)) for a in mine for b in theirs)


def _within(said: Date, there: Date) -> bool:
    """Tell whether a date says nothing beyond another: a month is within a day of it."""
    return all(mine is None or mine == theirs for mine, theirs in zip(said, there, strict=True))


def _comparable(said: Date, there: Date) -> bool:
    return all((mine is None) == (theirs is None) for mine, theirs in zip(said, there, strict=True)) or (
        said[0] is not None
        and there[0] is not None
        and said[0] != there[0]
        and (said[1] is None or there[1] is None or said[1:] == there[1:])
    )
