"""The default reranker: cosine and coverage, which a hybrid search has at hand anyway."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from pincite.core.protocols import Reranker
from pincite.search._analysis import Analysis, passage_grams

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pincite.core.protocols import Embedder
    from pincite.search.index import Terms

# Measured by `benchmarks/confidence.py` on the documents of `examples/` and on Python's help topics (73 and 700
# passages), the score of the best row: 64 answered questions, worded otherwise than the text, .23 to .81 (a tenth
# under .30 and .44); 24 questions of the same fields that the texts do not answer .08 to .49; 60 questions of
# other fields .05 to .28. Chosen on one half of the answered and the far ones, the bar was .26 or .29 and right
# for .97 to 1.00 of the other half. It stands higher for the sake of the near ones: at .34, 59 of 64 answered
# questions have a supported row, 4 of 24 near ones, none of 60 far ones (at .30: 62, 7, 0; at .38: 58, 2, 0).
DEFAULT_BAR = 0.34
"""The bar of a collection that has none of its own."""
COVERAGE_SHARE = 0.3
"""What covering every term of the question counts, next to a cosine of 1."""


@dataclass(frozen=True, slots=True)
class Measure:
    """What an index knows of a passage for a question.

    `cosine` is that of their vectors, `coverage` the share of the question's terms that the passage holds,
    `latin` the share of the question's terms that are of the Latin script; shares are by weight, 0 to 1.
    """

    cosine: float
    coverage: float
    latin: float = 1.0


@runtime_checkable
class MeasureReranker(Reranker, Protocol):
    """A `Reranker` that can do without the passages' texts."""

    def score_measures(self, measures: Sequence[Measure]) -> Sequence[float]:
        """Return one score per passage, on the reranker's scale."""
        ...


class CoverageReranker:
    """Scores (cosine + 0.3 coverage) / 1.3, a cosine below 0 counting as 0.

    Coverage is the share of the question's terms, weighted by inverse document frequency and without stop
    words, that the passage holds. `terms_of` gives the terms: `Index.terms` of the index that is searched.

    The default model has learnt English: to it all text of another script looks alike, and the cosine says
    nothing. As far as a question is not of the Latin script, coverage stands in for the cosine.
    """

    __slots__ = ("_analysis", "_embedder", "_terms_of")

    def __init__(self, embedder: Embedder, terms_of: Callable[[str], Terms]) -> None:
        self._embedder = embedder
        self._terms_of = terms_of
        self._analysis = Analysis()

    @property
    def name(self) -> str:
        """The reranker's name, stored beside a collection's bar."""
        return "cosine-coverage-1"

    @property
    def scale(self) -> tuple[float, float]:
        """The lowest and the highest score."""
        return 0.0, 1.0

    @property
    def default_threshold(self) -> float:
        """The bar that a collection without its own uses."""
        return DEFAULT_BAR

    def score(self, question: str, passages: Sequence[str]) -> list[float]:
        """Return one score per passage, from its text alone."""
        if not passages:
            return []
        terms = self._terms_of(question)
        asked, *given = self._embedder.embed([question, *passages])
        return self.score_measures(
            [
                Measure(_dot(asked, vector), self._coverage(terms, text), terms.latin)
                for vector, text in zip(given, passages, strict=True)
            ]
        )

    def score_measures(self, measures: Sequence[Measure]) -> list[float]:
        """Return one score per passage, from what an index knows of it."""
        return [min(max(_score(measure), 0.0), 1.0) for measure in measures]

    def _coverage(self, terms: Terms, text: str) -> float:
        held = {("stem", stem) for _, stem in self._analysis.words(text)}
        held |= {("gram", gram) for gram in passage_grams(text)}
        found = sum(term.weight for term in terms.terms if (term.field, term.text) in held)
        return found / terms.weight if found else 0.0


def _score(measure: Measure) -> float:
    meaning = measure.latin * max(measure.cosine, 0.0) + (1 - measure.latin) * measure.coverage
    return (meaning + COVERAGE_SHARE * measure.coverage) / (1 + COVERAGE_SHARE)


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(float(a) * float(b) for a, b in zip(one, other, strict=True))
