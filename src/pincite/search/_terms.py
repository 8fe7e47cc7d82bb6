"""The terms of a question: the same for every index, weighted by how many of its passages hold each."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pincite.search._analysis import STOP_WORDS, question_grams
from pincite.search.index import Term, Terms

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Literal

    from pincite.search._analysis import Analysis

_MOST_TERMS = 64
"""Terms of a question that are looked up, the rarest first."""
INEXACT_SHARE = 0.5
"""What a word with wrong letters counts of its weight."""


def question_terms(analysis: Analysis, question: str, count: Callable[[str, str], int], total: int) -> Terms:
    """Return the terms of `question`, the rarest first, without stop words if anything else is left.

    `count` tells how many of the `total` passages hold a term, given its field (`stem`, `gram`) and its text.
    """
    found: dict[tuple[str, str], Term] = {}

    def add(field: Literal["stem", "gram"], text: str, word: str) -> None:
        if (field, text) not in found:
            holding = count(field, text)
            found[field, text] = Term(field, text, word, _weight(holding, total), holding > 0)

    pairs = analysis.words(question)
    spoken = [pair for pair in pairs if pair[0] not in STOP_WORDS]
    grams = question_grams(question)
    for word, stem in spoken or ([] if grams else pairs):
        add("stem", stem, word)
    for gram in grams:
        add("gram", gram, gram)
    ranked = sorted(found.values(), key=lambda term: -term.weight)
    return Terms(tuple(ranked[:_MOST_TERMS]))


def _weight(holding: int, total: int) -> float:
    """Return the inverse document frequency; a word that no passage holds weighs what the rarest known one does."""
    holding = max(holding, 1)
    share = (total - holding + 0.5) / (holding + 0.5)
    return max(math.log1p(max(share, 0.0)), 0.01)
