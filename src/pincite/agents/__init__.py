"""The doors for Python agents: the built-in answerer, its tools, and the model that answers offline."""

from __future__ import annotations

from importlib import import_module

from pincite.core.errors import MissingExtraError as _MissingExtraError

try:
    import_module("pydantic_ai")
except ImportError as error:
    what = "Answering questions"
    raise _MissingExtraError(what, "agents") from error

from pincite.agents.builtin import RULES, Asked, ask, model_of
from pincite.agents.offline_model import (
    EXTRACTIVE_NOTICE,
    MODEL_NAME,
    NO_ANSWER,
    OfflineModel,
)
from pincite.agents.tools import SearchLog, search_tool

__all__ = [
    "EXTRACTIVE_NOTICE",
    "MODEL_NAME",
    "NO_ANSWER",
    "RULES",
    "Asked",
    "OfflineModel",
    "SearchLog",
    "ask",
    "model_of",
    "search_tool",
]
