"""MOCA citations: records of any Reader carried through a run, the AG-UI event that tells of them, and its client.

What a record says is never changed, and none is made here: a Reader makes them. The rules of service and client are
those of the event's page, version 0.6.0; records have the shape of the 0.4-era schema.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from pincite._lazy import lazy as _lazy
from pincite.core.errors import MissingExtraError as _MissingExtraError

try:
    import_module("jsonschema")
except ImportError as error:
    what = "Carrying MOCA citations"
    raise _MissingExtraError(what, "moca") from error

from pincite.protocols.moca.client import (
    MocaClient,
    ShownCitation,
    TakenCitation,
    TakenEvent,
    read_event,
    shown_citations,
)
from pincite.protocols.moca.diagnostics import Diagnostic, Severity
from pincite.protocols.moca.event import MocaCiter, MocaEvent
from pincite.protocols.moca.ledger import RunLedger
from pincite.protocols.moca.record import MocaRecord, RecordKey, RecordSpan
from pincite.protocols.moca.source import RULES, MocaSource
from pincite.protocols.moca.trust import (
    Declared,
    EvidenceMatch,
    FactKind,
    Review,
    ShownEvidence,
    TrustFact,
    TrustFacts,
    TrustNow,
    facts_of,
    now_of,
)
from pincite.protocols.moca.validation import (
    EVENT_NAME,
    EVENT_VERSION,
    Validated,
    event_schema,
    record_schema,
    strict,
    tolerant,
    valid_event,
)

if TYPE_CHECKING:
    from pincite.protocols.moca.tools import search_records_tool

# The tool needs the extra `agents`, and nothing else here does.
__getattr__ = _lazy("pincite.protocols.moca", {"pincite.protocols.moca.tools": ("search_records_tool",)})

__all__ = [
    "EVENT_NAME",
    "EVENT_VERSION",
    "RULES",
    "Declared",
    "Diagnostic",
    "EvidenceMatch",
    "FactKind",
    "MocaCiter",
    "MocaClient",
    "MocaEvent",
    "MocaRecord",
    "MocaSource",
    "RecordKey",
    "RecordSpan",
    "Review",
    "RunLedger",
    "Severity",
    "ShownCitation",
    "ShownEvidence",
    "TakenCitation",
    "TakenEvent",
    "TrustFact",
    "TrustFacts",
    "TrustNow",
    "Validated",
    "event_schema",
    "facts_of",
    "now_of",
    "read_event",
    "record_schema",
    "search_records_tool",
    "shown_citations",
    "strict",
    "tolerant",
    "valid_event",
]
