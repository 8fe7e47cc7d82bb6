"""Citations that model providers give themselves, in one shape, and back into their histories. No SDK is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite._lazy import lazy as _lazy

if TYPE_CHECKING:
    from pincite.providers.asking import (
        RULES,
        AnchorKind,
        Asking,
        AskingRule,
        OutputKind,
        SourceKind,
        Switch,
        ask_citations,
        output_kind,
        rules_for,
    )
    from pincite.providers.editing import (
        DroppedCitation,
        EditedText,
        SplitText,
        edit_text,
        join_texts,
        replace_text,
        split_text,
        stale_citations,
        stamped,
        without_stale,
    )
    from pincite.providers.fields import (
        FieldCitation,
        FieldCitations,
        FieldQuote,
        citations_by_field,
        verify_field_quotes,
    )
    from pincite.providers.history import (
        REPLAY_RULES,
        ExpandedPrompt,
        LeftOut,
        ReplayRule,
        SentBack,
        expand_references,
        history_messages,
        message_ids_of,
    )
    from pincite.providers.markup import LeakedMarkup, MarkupKind, StrippedMarkup, find_markup, strip_markup
    from pincite.providers.read import APIS, read_response
    from pincite.providers.requests import (
        NUMBERED_INSTRUCTIONS,
        RequestDocument,
        RequestSearchResult,
        anthropic_blocks,
        bedrock_blocks,
        cohere_documents,
        groq_documents,
        numbered_sources,
    )
    from pincite.providers.response import ProviderResponse, SearchSuggestions, Unmapped
    from pincite.providers.saving import (
        citation_as_dict,
        citation_from_dict,
        load_response,
        part_as_dict,
        part_from_dict,
        response_as_dict,
        response_from_dict,
        save_response,
    )
    from pincite.providers.sources import Binding, SentKind, SentSource, SentSources
    from pincite.providers.stream import StreamReader

_HOMES = {
    "pincite.providers.asking": (
        "RULES",
        "AnchorKind",
        "Asking",
        "AskingRule",
        "OutputKind",
        "SourceKind",
        "Switch",
        "ask_citations",
        "output_kind",
        "rules_for",
    ),
    "pincite.providers.editing": (
        "DroppedCitation",
        "EditedText",
        "SplitText",
        "edit_text",
        "join_texts",
        "replace_text",
        "split_text",
        "stale_citations",
        "stamped",
        "without_stale",
    ),
    "pincite.providers.fields": (
        "FieldCitation",
        "FieldCitations",
        "FieldQuote",
        "citations_by_field",
        "verify_field_quotes",
    ),
    "pincite.providers.history": (
        "REPLAY_RULES",
        "ExpandedPrompt",
        "LeftOut",
        "ReplayRule",
        "SentBack",
        "expand_references",
        "history_messages",
        "message_ids_of",
    ),
    "pincite.providers.markup": (
        "LeakedMarkup",
        "MarkupKind",
        "StrippedMarkup",
        "find_markup",
        "strip_markup",
    ),
    "pincite.providers.read": ("APIS", "read_response"),
    "pincite.providers.requests": (
        "NUMBERED_INSTRUCTIONS",
        "RequestDocument",
        "RequestSearchResult",
        "anthropic_blocks",
        "bedrock_blocks",
        "cohere_documents",
        "groq_documents",
        "numbered_sources",
    ),
    "pincite.providers.response": ("ProviderResponse", "SearchSuggestions", "Unmapped"),
    "pincite.providers.saving": (
        "citation_as_dict",
        "citation_from_dict",
        "load_response",
        "part_as_dict",
        "part_from_dict",
        "response_as_dict",
        "response_from_dict",
        "save_response",
    ),
    "pincite.providers.sources": ("Binding", "SentKind", "SentSource", "SentSources"),
    "pincite.providers.stream": ("StreamReader",),
}

__all__ = [
    "APIS",
    "NUMBERED_INSTRUCTIONS",
    "REPLAY_RULES",
    "RULES",
    "AnchorKind",
    "Asking",
    "AskingRule",
    "Binding",
    "DroppedCitation",
    "EditedText",
    "ExpandedPrompt",
    "FieldCitation",
    "FieldCitations",
    "FieldQuote",
    "LeakedMarkup",
    "LeftOut",
    "MarkupKind",
    "OutputKind",
    "ProviderResponse",
    "ReplayRule",
    "RequestDocument",
    "RequestSearchResult",
    "SearchSuggestions",
    "SentBack",
    "SentKind",
    "SentSource",
    "SentSources",
    "SourceKind",
    "SplitText",
    "StreamReader",
    "StrippedMarkup",
    "Switch",
    "Unmapped",
    "anthropic_blocks",
    "ask_citations",
    "bedrock_blocks",
    "citation_as_dict",
    "citation_from_dict",
    "citations_by_field",
    "cohere_documents",
    "edit_text",
    "expand_references",
    "find_markup",
    "groq_documents",
    "history_messages",
    "join_texts",
    "load_response",
    "message_ids_of",
    "numbered_sources",
    "output_kind",
    "part_as_dict",
    "part_from_dict",
    "read_response",
    "replace_text",
    "response_as_dict",
    "response_from_dict",
    "rules_for",
    "save_response",
    "split_text",
    "stale_citations",
    "stamped",
    "strip_markup",
    "verify_field_quotes",
    "without_stale",
]

# Each provider's reader is loaded when it is asked for.
__getattr__ = _lazy(__name__, _HOMES)


def __dir__() -> list[str]:
    """List the public names."""
    return list(__all__)
