"""Citations in, verdicts out. It stands on `core` alone and reads what it is given to read."""

from __future__ import annotations

from pincite.checking.answers import uncited_sentences
from pincite.checking.fetch import FetchOutcome, fetch_evidence
from pincite.checking.quotes import QuoteCheck, verify_quote
from pincite.checking.trace import CitationCheck, check_citations, check_citations_sync
from pincite.core.verdicts import FetchStatus

__all__ = [
    "CitationCheck",
    "FetchOutcome",
    "FetchStatus",
    "QuoteCheck",
    "check_citations",
    "check_citations_sync",
    "fetch_evidence",
    "uncited_sentences",
    "verify_quote",
]
