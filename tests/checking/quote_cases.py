"""Quotes beside their sources, and what a careful reader says of each.

Nothing here was found by running the check. In a source `⟦` and `⟧` stand around what the quote should be found as:
one pair, or one for each part of a quote with an ellipsis.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pincite.core.verdicts import DifferenceKind, QuoteVerdict

V, K = QuoteVerdict, DifferenceKind

_MARKED = re.compile("⟦([^⟧]*)⟧")


@dataclass(frozen=True, slots=True)
class QuoteCase:
    """A quote, its source with the gold slices marked, and every verdict that is right."""

    name: str
    quote: str
    marked: str
    verdicts: frozenset[QuoteVerdict]
    kind: DifferenceKind | None = None
    prefix: str | None = None
    suffix: str | None = None
    near: str | None = None
    """Text of the marked source right in front of which the quote should be."""

    @property
    def source(self) -> str:
        """The source itself."""
        return self.marked.replace("⟦", "").replace("⟧", "")

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """Code points of the source's marked slices, in order; empty where nothing is marked."""
        return tuple(
            (found.start() - 2 * index, found.end() - 2 * (index + 1))
            for index, found in enumerate(_MARKED.finditer(self.marked))
        )

    @property
    def near_at(self) -> int | None:
        """Where in the source the text of `near` stands."""
        return None if self.near is None else self.source.index(self.near)


def verbatim(name: str, quote: str, marked: str) -> QuoteCase:
    """Return a quote of the same characters."""
    return QuoteCase(name, quote, marked, frozenset((V.VERBATIM,)))


def typographic(name: str, quote: str, marked: str, kind: DifferenceKind | None = None) -> QuoteCase:
    """Return a quote of the same words in other typography."""
    return QuoteCase(name, quote, marked, frozenset((V.TYPOGRAPHIC,)), kind)


def elided(name: str, quote: str, marked: str) -> QuoteCase:
    """Return an honest quote with an ellipsis."""
    return QuoteCase(name, quote, marked, frozenset((V.ELIDED,)))


def altered(name: str, quote: str, marked: str, kind: DifferenceKind | None = None) -> QuoteCase:
    """Return a quote that is near to its source and says something else."""
    return QuoteCase(name, quote, marked, frozenset((V.ALTERED,)), kind)


def truncated(name: str, quote: str, marked: str, kind: DifferenceKind | None = None) -> QuoteCase:
    """Return a quote that stops before what limits it."""
    return QuoteCase(name, quote, marked, frozenset((V.TRUNCATED,)), kind)


def refused(name: str, quote: str, source: str) -> QuoteCase:
    """Return a quote that is not to be verified, whatever else is said of it."""
    return QuoteCase(name, quote, source, frozenset(V) - {V.VERBATIM, V.TYPOGRAPHIC, V.ELIDED})
