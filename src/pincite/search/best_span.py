"""The part of a passage that answers a question best, by what the search knows anyway: no model is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from pincite.core.sentences import split_sentences
from pincite.search._analysis import Analysis, passage_grams

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pincite.search.index import Terms

# Measured by `benchmarks/highlight.py` on 101 questions about the documents of `examples/`, each with the passage that
# answers it, of three sentences on the average: at .3 and .12 the sentence that answers is lit for 88, alone or with
# one beside it, for 5 the whole passage is, for 8 another sentence; of passages about something else, 3 % have a part.
FLOOR: Final = 0.3
"""The share (0 to 1, by weight) of a question's terms that the best part must hold at least."""
SECOND_SENTENCE: Final = 0.12
"""What a second sentence must add to that share, to be lit together with the one beside it."""
# What stands between two cells of a row, as our readers write one.
_CELL_BAR: Final = " | "
# What a sentence, an item of a list or what leads one in ends with; what ends otherwise at the top is a heading.
_STOPS: Final = (".", "!", "?", "…", ":", ";", "。", "！", "？", "：", "；", "।", "؟", "។")
_CLOSING: Final = "\"'”’»)]』」）】*_"


class _Unit(NamedTuple):
    """A sentence or a row of a table: its code points, and what it holds of a question's terms, by their place."""

    start: int
    end: int
    held: frozenset[int]


class CoverageSpan:
    """Finds the sentence, or the two next to one another, that hold most of a question's terms.

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
            if place + 1 < len(units):
                after = units[place + 1]
                both = _share(unit.held | after.held, terms) - SECOND_SENTENCE
                if both > best and both > max(alone, _share(after.held, terms)):
                    best, span = both, (unit.start, after.end)
        return span if best >= FLOOR else None

    def _units(self, passage: str, terms: Terms) -> Iterator[_Unit]:
        """Yield the sentences and rows of a passage, in order, without the headings over them."""
        wanted = {(term.field, term.text): place for place, term in enumerate(terms.terms)}
        head: frozenset[int] | None = None
        for start, end in _parts(passage):
            text = passage[start:end]
            held = frozenset(self._held(text, wanted))
            if _CELL_BAR not in text:
                head = None
                yield _Unit(start, end, held)
            elif head is None:
                head = held
            else:
                yield _Unit(start, end, held | head)

    def _held(self, text: str, wanted: dict[tuple[str, str], int]) -> Iterator[int]:
        for _, stem in self._analysis.words(text):
            if (place := wanted.get(("stem", stem))) is not None:
                yield place
        for gram in passage_grams(text):
            if (place := wanted.get(("gram", gram))) is not None:
                yield place


def _share(held: frozenset[int], terms: Terms) -> float:
    return sum(terms.terms[place].weight for place in held) / terms.weight


def _parts(text: str) -> Sequence[tuple[int, int]]:
    """Return the spans of the sentences of a passage, the lines of a table one by one, without leading headings."""
    parts: list[tuple[int, int]] = []
    for start, end in split_sentences(text):
        if _CELL_BAR not in text[start:end]:
            parts.append((start, end))
            continue
        at = start
        for line in text[start:end].split("\n"):
            if line.strip():
                parts.append((at, at + len(line)))
            at += len(line) + 1
    first = next((place for place, span in enumerate(parts) if _says(text[slice(*span)])), 0)
    return parts[first:]


def _says(part: str) -> bool:
    """Say whether a part is a sentence or a row, and no heading."""
    return part.rstrip().rstrip(_CLOSING).endswith(_STOPS) or _CELL_BAR in part
