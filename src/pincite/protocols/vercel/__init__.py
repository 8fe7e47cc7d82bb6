"""The AI SDK's UI message stream, with citations: for any pydantic-ai agent, any stream of chunks, and saved chats."""

from __future__ import annotations

from importlib import import_module

from pincite.core.errors import MissingExtraError as _MissingExtraError

try:
    import_module("pydantic_ai.ui.vercel_ai")
except ImportError as error:
    what = "The AI SDK's stream"
    raise _MissingExtraError(what, "agents") from error

from pincite.protocols.cited_run import AnswerCiter, Citer, Streamed
from pincite.protocols.vercel._taking import Remark
from pincite.protocols.vercel.adapter import CitingVercelAIAdapter
from pincite.protocols.vercel.messages import (
    LoadedMessages,
    MessageCitations,
    dump_messages,
    load_messages,
)
from pincite.protocols.vercel.parts import SourcePart, data_type
from pincite.protocols.vercel.stream import CitedChunks, cited

__all__ = [
    "AnswerCiter",
    "CitedChunks",
    "Citer",
    "CitingVercelAIAdapter",
    "LoadedMessages",
    "MessageCitations",
    "Remark",
    "SourcePart",
    "Streamed",
    "cited",
    "data_type",
    "dump_messages",
    "load_messages",
]
