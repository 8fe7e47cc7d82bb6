"""The part of a passage that answers a question best, by what the search knows anyway: no model is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from pincite.core.parts import PartKind, parts_of
from pincite.search._analysis import Analysis, passage_grams

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pincite.search.index import Terms

# Measured by `benchmarks/highlight.py` on 101 questions about the documents of `examples/`, each with the passage that
# answers it, of three sentences on the average: at .3 and .12 the sentence that answers is lit for 88, alone or with
# one beside it, for 5 the whole passage is, for 8 another sentence; of passages about something else, 3 % have a part.
FLOOR: Final = 0.3
"""The share (0 to 1, by weight) of a question's terms that the best part must hold at least."""
SECOND_SENTENCE: Final = 0.12
"""What a second sentence must add to that share, to be lit together with the one beside it."""
# What is read one after the other; a record stands alone.
_RUNNING: Final = frozenset({PartKind.SENTENCE, PartKind.ITEM, PartKind.CODE, PartKind.OPEN})


class _Unit(NamedTuple):
    """A part of a passage: its code points, what it holds of a question's terms, by their place.

    `before` is where the part ends that it is read on from, None where it stands alone.
    """

    start: int
    end: int
    held: frozenset[int]
    before: int | None


class CoverageSpan:
    """Finds the sentence, item or row that holds most of a question's terms, or two sentences next to one another.

    Terms are weighted as the index weighs them: stems of words, and pairs of characters for scripts without spaces. A
    row of a table counts as holding what its head holds too. It implements the protocol `BestSpan`.
    """

    __slots__ = ("_analysis", "_terms_of")

    def __init__(self, terms_of: Callable[[str], Terms]) -> None:
        """`terms_of` gives the terms of a question: `Index.terms` of the index that is searched."""
        self._terms_of = terms_of
        self._analysis = Analysis()

    def best_span(self, question: str, passage: str) -> tuple[int, int] | None:
        """Return the code points of the best part; None where none holds as much as `FLOOR`."""
        terms = self._terms_of(question)
        if not terms.terms:
            return None
        units = list(self._units(passage, terms))
        best, span = 0.0, None
        for place, unit in enumerate(units):
            alone = _share(unit.held, terms)
            # The first of several that are as good is taken: what follows leans on it.
            if alone > best:
                best, span = alone, (unit.start, unit.end)
            if place + 1 < len(units) and (after := units[place + 1]).before == unit.end:
                both = _share(unit.held | after.held, terms) - SECOND_SENTENCE
                if both > best and both > max(alone, _share(after.held, terms)):
                    best, span = both, (unit.start, after.end)
        return span if best >= FLOOR else None

    def _units(self, passage: str, terms: Terms) -> Iterator[_Unit]:
        """Yield the parts of a passage that say something, in order; all of them where none does."""
        wanted = {(term.field, term.text): place for place, term in enumerate(terms.terms)}
        parts = parts_of(passage)
        held = [frozenset(self._held(passage[part.start : part.end], wanted)) for part in parts]
        none = not any(part.kind.can_answer for part in parts)
        running: int | None = None
        for part, mine in zip(parts, held, strict=True):
            if none or part.kind.can_answer:
                # What its header names counts for each row.
                over = mine if part.header is None else held[part.header]
                yield _Unit(part.start, part.end, mine | over, running if part.kind in _RUNNING else None)
            running = part.end if part.kind in _RUNNING else None

    def _held(self, text: str, wanted: dict[tuple[str, str], int]) -> Iterator[int]:
        for _, stem in self._analysis.words(text):
            if (place := wanted.get(("stem", stem))) is not None:
                yield place
        for gram in passage_grams(text):
            if (place := wanted.get(("gram", gram))) is not None:
                yield place


def _share(held: frozenset[int], terms: Terms) -> float:
    return sum(terms.terms[place].weight for place in held) / terms.weight
