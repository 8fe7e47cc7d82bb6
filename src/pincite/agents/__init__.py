"""The doors for Python agents: the built-in answerer, its tools, and the model that answers offline."""

from __future__ import annotations

from importlib import import_module

from pincite.core.errors import MissingExtraError as _MissingExtraError

try:
    import_module("pydantic_ai")
except ImportError as error:
    what = "Answering questions"
    raise _MissingExtraError(what, "agents") from error

from pincite.agents.answer import CheckedAnswer
from pincite.agents.builtin import RULES, Asked, ask, model_of
from pincite.agents.capability import Citing
from pincite.agents.judge import FileJudgements, JudgementCache, JudgeSupport, MemoryJudgements
from pincite.agents.offline_model import (
    EXTRACTIVE_NOTICE,
    MODEL_NAME,
    NO_ANSWER,
    OfflineModel,
)
from pincite.agents.repair import Repair, RepairKind
from pincite.agents.status import (
    STATUS_RULES,
    AnswerFacts,
    AnswerStatus,
    StatusRule,
    status_of,
    status_table,
)
from pincite.agents.tools import FetchLog, SearchLog, check_tool, fetch_tool, search_tool

__all__ = [
    "EXTRACTIVE_NOTICE",
    "MODEL_NAME",
    "NO_ANSWER",
    "RULES",
    "STATUS_RULES",
    "AnswerFacts",
    "AnswerStatus",
    "Asked",
    "CheckedAnswer",
    "Citing",
    "FetchLog",
    "FileJudgements",
    "JudgeSupport",
    "JudgementCache",
    "MemoryJudgements",
    "OfflineModel",
    "Repair",
    "RepairKind",
    "SearchLog",
    "StatusRule",
    "ask",
    "check_tool",
    "fetch_tool",
    "model_of",
    "search_tool",
    "status_of",
    "status_table",
]
