"""Citations in, verdicts out. It stands on `core` alone and reads nothing."""

from __future__ import annotations

from pincite.checking.answers import uncited_sentences
from pincite.checking.quotes import QuoteCheck, verify_quote
from pincite.checking.trace import CitationCheck, check_citations, check_citations_sync

__all__ = [
    "CitationCheck",
    "QuoteCheck",
    "check_citations",
    "check_citations_sync",
    "uncited_sentences",
    "verify_quote",
]
