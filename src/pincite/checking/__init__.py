"""Citations in, verdicts out. It stands on `core` alone and reads what it is given to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite._lazy import lazy as _lazy

if TYPE_CHECKING:
    from pincite.checking._judge import Difference
    from pincite.checking._lexical import LexicalBars, LexicalSupport
    from pincite.checking.answer_support import (
        AnswerCheck,
        BestPassage,
        CitationSupport,
        ClaimCheck,
        check_answer,
        check_answer_async,
    )
    from pincite.checking.answers import uncited_sentences
    from pincite.checking.claims import Claim, split_claims
    from pincite.checking.fetch import FetchOutcome, fetch_evidence
    from pincite.checking.nli import NliSupport
    from pincite.checking.quotations import QuotationCheck, quotations_of
    from pincite.checking.quotes import QuoteCheck, verify_quote
    from pincite.checking.selectors import (
        FragmentSelector,
        TextPositionSelector,
        TextQuoteSelector,
        read_selector,
        reanchor,
        selectors_of,
    )
    from pincite.checking.source_index import SourceIndex
    from pincite.checking.support import (
        ReasonKind,
        SupportCheck,
        SupportMethod,
        SupportReason,
        check_support,
        check_support_async,
    )
    from pincite.checking.trace import CitationCheck, check_citations, check_citations_sync
    from pincite.core.verdicts import DifferenceKind, FetchStatus, QuoteVerdict, SupportVerdict

_HOMES = {
    "pincite.checking._judge": ("Difference",),
    "pincite.checking._lexical": (
        "LexicalBars",
        "LexicalSupport",
    ),
    "pincite.checking.answer_support": (
        "AnswerCheck",
        "BestPassage",
        "CitationSupport",
        "ClaimCheck",
        "check_answer",
        "check_answer_async",
    ),
    "pincite.checking.answers": ("uncited_sentences",),
    "pincite.checking.claims": (
        "Claim",
        "split_claims",
    ),
    "pincite.checking.fetch": (
        "FetchOutcome",
        "fetch_evidence",
    ),
    "pincite.checking.nli": ("NliSupport",),
    "pincite.checking.quotations": (
        "QuotationCheck",
        "quotations_of",
    ),
    "pincite.checking.quotes": (
        "QuoteCheck",
        "verify_quote",
    ),
    "pincite.checking.selectors": (
        "FragmentSelector",
        "TextPositionSelector",
        "TextQuoteSelector",
        "read_selector",
        "reanchor",
        "selectors_of",
    ),
    "pincite.checking.source_index": ("SourceIndex",),
    "pincite.checking.support": (
        "ReasonKind",
        "SupportCheck",
        "SupportMethod",
        "SupportReason",
        "check_support",
        "check_support_async",
    ),
    "pincite.checking.trace": (
        "CitationCheck",
        "check_citations",
        "check_citations_sync",
    ),
    "pincite.core.verdicts": (
        "DifferenceKind",
        "FetchStatus",
        "QuoteVerdict",
        "SupportVerdict",
    ),
}

__all__ = [
    "AnswerCheck",
    "BestPassage",
    "CitationCheck",
    "CitationSupport",
    "Claim",
    "ClaimCheck",
    "Difference",
    "DifferenceKind",
    "FetchOutcome",
    "FetchStatus",
    "FragmentSelector",
    "LexicalBars",
    "LexicalSupport",
    "NliSupport",
    "QuotationCheck",
    "QuoteCheck",
    "QuoteVerdict",
    "ReasonKind",
    "SourceIndex",
    "SupportCheck",
    "SupportMethod",
    "SupportReason",
    "SupportVerdict",
    "TextPositionSelector",
    "TextQuoteSelector",
    "check_answer",
    "check_answer_async",
    "check_citations",
    "check_citations_sync",
    "check_support",
    "check_support_async",
    "fetch_evidence",
    "quotations_of",
    "read_selector",
    "reanchor",
    "selectors_of",
    "split_claims",
    "uncited_sentences",
    "verify_quote",
]

# Patterns and words of some take longer to load than the base import may.
__getattr__ = _lazy(__name__, _HOMES)


def __dir__() -> list[str]:
    """List the public names."""
    return list(__all__)
