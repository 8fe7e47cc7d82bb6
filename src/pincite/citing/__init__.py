"""Hits out to a model, its answer back in: present, register, instruct, resolve."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite._lazy import lazy as _lazy

if TYPE_CHECKING:
    from pincite.citing.configuration import CitationConfiguration, CitationSettingsWarning
    from pincite.citing.contract import (
        AuditMode,
        Breach,
        BreachKind,
        CitationContractWarning,
        Watch,
        audit,
        uncitable,
    )
    from pincite.citing.conversation import ConversationState
    from pincite.citing.deferred import DeferredBars, PassageMatch, SentenceMatch, match_sentences
    from pincite.citing.factories import (
        AgentDependencyFactory,
        CitationProcessorFactory,
        CitationRunFactory,
        CitationStoreFactory,
    )
    from pincite.citing.formats import KEY_FIELDS, WIRE_FORMATS, WireFormat, wire_format, wire_formats
    from pincite.citing.instructions import CITABLE_RESOURCES, CitationInstructionSource
    from pincite.citing.messages import ChatMessage, ChatMessageEvidence, ContentPart, ContextItems
    from pincite.citing.occurrence import Occurrence, parse_citations
    from pincite.citing.processor import CitationProcessor
    from pincite.citing.registered import CitationContextContribution, CitedObject, RegisteredHit
    from pincite.citing.run import CitationRun
    from pincite.citing.store import CitationStore, Lookup
    from pincite.citing.stream import (
        CitationFound,
        Finished,
        MissFound,
        StreamEvent,
        StreamResolution,
        TextDelta,
    )

# Each name is loaded from the module that it lives in when it is first used: an import costs next to nothing.
__getattr__ = _lazy(
    "pincite.citing",
    {
        "pincite.citing.configuration": ("CitationConfiguration", "CitationSettingsWarning"),
        "pincite.citing.contract": (
            "AuditMode",
            "Breach",
            "BreachKind",
            "CitationContractWarning",
            "Watch",
            "audit",
            "uncitable",
        ),
        "pincite.citing.conversation": ("ConversationState",),
        "pincite.citing.deferred": ("DeferredBars", "PassageMatch", "SentenceMatch", "match_sentences"),
        "pincite.citing.factories": (
            "AgentDependencyFactory",
            "CitationProcessorFactory",
            "CitationRunFactory",
            "CitationStoreFactory",
        ),
        "pincite.citing.formats": (
            "KEY_FIELDS",
            "WIRE_FORMATS",
            "WireFormat",
            "wire_format",
            "wire_formats",
        ),
        "pincite.citing.instructions": ("CITABLE_RESOURCES", "CitationInstructionSource"),
        "pincite.citing.messages": ("ChatMessage", "ChatMessageEvidence", "ContentPart", "ContextItems"),
        "pincite.citing.occurrence": ("Occurrence", "parse_citations"),
        "pincite.citing.processor": ("CitationProcessor",),
        "pincite.citing.registered": ("CitationContextContribution", "CitedObject", "RegisteredHit"),
        "pincite.citing.run": ("CitationRun",),
        "pincite.citing.store": ("CitationStore", "Lookup"),
        "pincite.citing.stream": (
            "CitationFound",
            "Finished",
            "MissFound",
            "StreamEvent",
            "StreamResolution",
            "TextDelta",
        ),
    },
)

__all__ = [
    "CITABLE_RESOURCES",
    "KEY_FIELDS",
    "WIRE_FORMATS",
    "AgentDependencyFactory",
    "AuditMode",
    "Breach",
    "BreachKind",
    "ChatMessage",
    "ChatMessageEvidence",
    "CitationConfiguration",
    "CitationContextContribution",
    "CitationContractWarning",
    "CitationFound",
    "CitationInstructionSource",
    "CitationProcessor",
    "CitationProcessorFactory",
    "CitationRun",
    "CitationRunFactory",
    "CitationSettingsWarning",
    "CitationStore",
    "CitationStoreFactory",
    "CitedObject",
    "ContentPart",
    "ContextItems",
    "ConversationState",
    "DeferredBars",
    "Finished",
    "Lookup",
    "MissFound",
    "Occurrence",
    "PassageMatch",
    "RegisteredHit",
    "SentenceMatch",
    "StreamEvent",
    "StreamResolution",
    "TextDelta",
    "Watch",
    "WireFormat",
    "audit",
    "match_sentences",
    "parse_citations",
    "uncitable",
    "wire_format",
    "wire_formats",
]
