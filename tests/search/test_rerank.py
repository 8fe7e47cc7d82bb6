"""The default reranker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.search import CoverageReranker, Measure, MeasureReranker, Term, Terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.core.protocols import Reranker

SHARES = st.floats(0, 1)


class Fixed:
    """Embeds every text as the same vector."""

    name = "fixed"
    dimensions = 2

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one unit vector per text."""
        return [[0.6, 0.8] for _ in texts]


def _terms(_: str) -> Terms:
    return Terms(
        (Term("stem", "slug", "slugs", 3.0, known=True), Term("stem", "bed", "bed", 1.0, known=True))
    )


def _reranker() -> CoverageReranker:
    return CoverageReranker(Fixed(), _terms)


def test_the_score_is_cosine_and_coverage() -> None:
    """(.5 + .3 * .5) / 1.3 = .5; a cosine below 0 is 0; both whole make 1."""
    scores = _reranker().score_measures([Measure(0.5, 0.5), Measure(-0.4, 0), Measure(1, 1)])
    assert scores == pytest.approx([0.5, 0.0, 1.0])


def test_coverage_stands_in_for_the_cosine_in_another_script() -> None:
    """Without Latin terms the cosine does not count: (.5 + .3 * .5) / 1.3 = .5 whatever it is."""
    scores = _reranker().score_measures(
        [Measure(0.9, 0.5, 0.0), Measure(0.1, 0.5, 0.0), Measure(0.9, 0, 0.0)]
    )
    assert scores == pytest.approx([0.5, 0.5, 0.0])


def test_texts_alone_are_scored_by_the_same_rule() -> None:
    """With cosine 1, three quarters of the weight held give (1 + .3 * .75) / 1.3."""
    reranker: Reranker = _reranker()
    assert isinstance(reranker, MeasureReranker)
    scores = reranker.score("slugs bed", ["A slug.", "A SLUG in its beds", "nothing"])
    assert scores == pytest.approx([(1 + 0.3 * 0.75) / 1.3, 1.0, 1 / 1.3])
    assert reranker.score("slugs", []) == []


@given(st.floats(-1, 1), SHARES, SHARES)
def test_scores_stay_on_the_scale(cosine: float, coverage: float, latin: float) -> None:
    """Whatever was measured, the score is from 0 to 1, and the bar lies between."""
    reranker = _reranker()
    low, high = reranker.scale
    (score,) = reranker.score_measures([Measure(cosine, coverage, latin)])
    assert low <= score <= high
    assert low < reranker.default_threshold < high


def test_both_ways_of_scoring_agree(search: Any, index: Any, handbook: Any) -> None:
    """What the index measures of a passage gives the score that its text gives, up to fp16."""
    refs_of = index.terms
    index.sync()
    question = "prior approval for expenses"
    texts = {
        passage.chunk_id: passage.text
        for document in search.library.documents(handbook.collection_id)
        for passage in search.library.passages_of(document.document_id)
    }
    coverage = index.coverage(refs_of(question), list(texts))
    vector, *rest = search.embedder.embed([question, *texts.values()])
    measures = [
        Measure(sum(a * b for a, b in zip(vector, other, strict=True)), coverage.get(name, 0.0))
        for name, other in zip(texts, rest, strict=True)
    ]
    expected = search.reranker.score(question, list(texts.values()))
    assert search.reranker.score_measures(measures) == pytest.approx(expected, abs=1e-3)
