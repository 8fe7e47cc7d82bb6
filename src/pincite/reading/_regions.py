"""Places of a text that is written piece by piece, however many there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from pincite.core.document import Region

if TYPE_CHECKING:
    from collections.abc import Callable

    from pincite.core.locators import Locator

_MOST = 100_000
"""Regions of one document: with more, several neighbours become one, whose place is all of theirs."""

P = TypeVar("P")


class Regions(Generic[P]):
    """Collects the regions of a document in order; a region ends where the next one begins, or at the text's end.

    A place is anything of which `joined` makes one out of two that follow one another.
    """

    def __init__(self, joined: Callable[[P, P], P], most: int = _MOST) -> None:
        self._joined = joined
        self._most = most
        self._starts: list[int] = []
        self._places: list[P] = []
        self._together = 1
        self._in_last = 1

    def add(self, start: int, place: P) -> None:
        """Say that what begins at code point `start`, at or behind the last, stands at `place`."""
        if self._in_last < self._together:
            self._places[-1] = self._joined(self._places[-1], place)
            self._in_last += 1
            return
        if len(self._starts) >= self._most:
            self._halve()
        self._starts.append(start)
        self._places.append(place)
        self._in_last = 1

    def _halve(self) -> None:
        odd = self._places[1::2]
        pairs = zip(self._places[::2], odd, strict=False)
        self._places = [self._joined(*pair) for pair in pairs] + self._places[2 * len(odd) :]
        del self._starts[1::2]
        self._together *= 2

    def regions(self, length: int, locator: Callable[[P], Locator]) -> tuple[Region, ...]:
        """Return the regions of a text of `length` code points; `locator` makes the locator of a place."""
        ends = [*self._starts, length][1:]
        return tuple(
            Region(start, end, locator(place))
            for start, end, place in zip(self._starts, ends, self._places, strict=True)
            if start < end
        )
