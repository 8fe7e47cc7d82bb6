"""Search: words and meaning together, scored, and true to what the library holds now."""

from __future__ import annotations

from pincite.search.best_span import CoverageSpan
from pincite.search.embed import MiniLM
from pincite.search.embedding import embed_pending
from pincite.search.index import Index, Term, Terms, Within
from pincite.search.local_index import LocalIndex
from pincite.search.rerank import CoverageReranker, Measure, MeasureReranker
from pincite.search.search import Search, SearchResult, open_search

__all__ = [
    "CoverageReranker",
    "CoverageSpan",
    "Index",
    "LocalIndex",
    "Measure",
    "MeasureReranker",
    "MiniLM",
    "Search",
    "SearchResult",
    "Term",
    "Terms",
    "Within",
    "embed_pending",
    "open_search",
]
