"""How good citations are: metrics over checks of answers, and a harness over files of answers and labelled claims."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite._lazy import lazy as _lazy

if TYPE_CHECKING:
    from pincite.evaluation.classification import Confusion, auroc
    from pincite.evaluation.expectations import Expectations
    from pincite.evaluation.harness import Evaluation, Summary, evaluate
    from pincite.evaluation.markers import ResolvedRow, resolve_row
    from pincite.evaluation.metrics import (
        AnswerMetrics,
        CitationAccuracy,
        CitationLength,
        CitationQuality,
        ClaimShares,
        MarkerRates,
        QuotationCounts,
        SupportLevels,
        macro,
        measure,
        micro,
    )
    from pincite.evaluation.results import AnswerResult, ClaimResult
    from pincite.evaluation.rows import (
        LABELS,
        AnswerRow,
        ClaimRow,
        Fault,
        read_rows,
    )

_HOMES = {
    "pincite.evaluation.classification": ("Confusion", "auroc"),
    "pincite.evaluation.expectations": ("Expectations",),
    "pincite.evaluation.harness": ("Evaluation", "Summary", "evaluate"),
    "pincite.evaluation.markers": ("ResolvedRow", "resolve_row"),
    "pincite.evaluation.metrics": (
        "AnswerMetrics",
        "CitationAccuracy",
        "CitationLength",
        "CitationQuality",
        "ClaimShares",
        "MarkerRates",
        "QuotationCounts",
        "SupportLevels",
        "macro",
        "measure",
        "micro",
    ),
    "pincite.evaluation.results": ("AnswerResult", "ClaimResult"),
    "pincite.evaluation.rows": (
        "LABELS",
        "AnswerRow",
        "ClaimRow",
        "Fault",
        "read_rows",
    ),
}

__all__ = [
    "LABELS",
    "AnswerMetrics",
    "AnswerResult",
    "AnswerRow",
    "CitationAccuracy",
    "CitationLength",
    "CitationQuality",
    "ClaimResult",
    "ClaimRow",
    "ClaimShares",
    "Confusion",
    "Evaluation",
    "Expectations",
    "Fault",
    "MarkerRates",
    "QuotationCounts",
    "ResolvedRow",
    "Summary",
    "SupportLevels",
    "auroc",
    "evaluate",
    "macro",
    "measure",
    "micro",
    "read_rows",
    "resolve_row",
]

# The answer's way and its patterns take longer to load than metrics alone need.
__getattr__ = _lazy(__name__, _HOMES)


def __dir__() -> list[str]:
    """List the public names."""
    return list(__all__)
