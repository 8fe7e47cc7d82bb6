"""pincite: every sentence of an AI answer, traceable to the exact passage it came from.

The names below are loaded when they are first used, so `import pincite` costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite._lazy import lazy as _lazy
from pincite._version import __version__

if TYPE_CHECKING:
    from pincite.checking import (
        CitationCheck,
        FetchOutcome,
        FetchStatus,
        check_citations,
        check_citations_sync,
        fetch_evidence,
    )
    from pincite.citing import (
        CitationRun,
        CitationStore,
        ConversationState,
        RegisteredHit,
        parse_citations,
    )
    from pincite.core import (
        Answer,
        Author,
        Bibliography,
        Box,
        Citation,
        ContentCitationAnchor,
        DocumentCitationSource,
        Evidence,
        Hit,
        Ledger,
        Limits,
        Locator,
        MarkerCitationAnchor,
        MemoryEvidenceStore,
        MemoryLedgerStore,
        Miss,
        PinciteError,
        RefIssuer,
        Scope,
        TextPart,
        TraceVerdict,
        WebCitationSource,
        document_id,
    )
    from pincite.showing import Preview, export, render_answer, render_citations

_HOMES = {
    "pincite.checking": (
        "CitationCheck",
        "FetchOutcome",
        "FetchStatus",
        "check_citations",
        "check_citations_sync",
        "fetch_evidence",
    ),
    "pincite.citing": (
        "CitationRun",
        "CitationStore",
        "ConversationState",
        "RegisteredHit",
        "parse_citations",
    ),
    "pincite.core": (
        "Answer",
        "Author",
        "Bibliography",
        "Box",
        "Citation",
        "ContentCitationAnchor",
        "DocumentCitationSource",
        "Evidence",
        "Hit",
        "Ledger",
        "Limits",
        "Locator",
        "MarkerCitationAnchor",
        "MemoryEvidenceStore",
        "MemoryLedgerStore",
        "Miss",
        "PinciteError",
        "RefIssuer",
        "Scope",
        "TextPart",
        "TraceVerdict",
        "WebCitationSource",
        "document_id",
    ),
    "pincite.showing": ("Preview", "export", "render_answer", "render_citations"),
}
__all__ = [
    "Answer",
    "Author",
    "Bibliography",
    "Box",
    "Citation",
    "CitationCheck",
    "CitationRun",
    "CitationStore",
    "ContentCitationAnchor",
    "ConversationState",
    "DocumentCitationSource",
    "Evidence",
    "FetchOutcome",
    "FetchStatus",
    "Hit",
    "Ledger",
    "Limits",
    "Locator",
    "MarkerCitationAnchor",
    "MemoryEvidenceStore",
    "MemoryLedgerStore",
    "Miss",
    "PinciteError",
    "Preview",
    "RefIssuer",
    "RegisteredHit",
    "Scope",
    "TextPart",
    "TraceVerdict",
    "WebCitationSource",
    "__version__",
    "check_citations",
    "check_citations_sync",
    "document_id",
    "export",
    "fetch_evidence",
    "parse_citations",
    "render_answer",
    "render_citations",
]


__getattr__ = _lazy(__name__, _HOMES)


def __dir__() -> list[str]:
    """List the public names."""
    return list(__all__)
