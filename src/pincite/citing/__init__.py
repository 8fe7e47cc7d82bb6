"""Hits out to a model, its answer back in: present, register, instruct, resolve."""

from __future__ import annotations

from pincite.citing._scan import Occurrence, parse_citations
from pincite.citing.conversation import ConversationState
from pincite.citing.formats import WIRE_FORMATS, WireFormat, wire_format
from pincite.citing.run import CitationRun
from pincite.citing.store import (
    CitationContextContribution,
    CitationStore,
    CitedObject,
    RegisteredHit,
)

__all__ = [
    "WIRE_FORMATS",
    "CitationContextContribution",
    "CitationRun",
    "CitationStore",
    "CitedObject",
    "ConversationState",
    "Occurrence",
    "RegisteredHit",
    "WireFormat",
    "parse_citations",
    "wire_format",
]
