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
from pincite.agents.builtin import RULES, Answering, Asked, answering, ask, checked_question
from pincite.agents.capability import Citing
from pincite.agents.fake_model import FAKE_PROVIDERS, FakeCitingModel, said
from pincite.agents.judge import FileJudgements, JudgementCache, JudgeSupport, MemoryJudgements
from pincite.agents.models import model_of
from pincite.agents.models_quote import ModelsQuotes, models_quotes
from pincite.agents.native import (
    NativeCitations,
    citation_counts,
    from_pydantic_ai,
    native_answer,
    output_part,
    stale_in,
    text_part,
    to_model_response,
    to_pydantic_ai,
)
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
    "FAKE_PROVIDERS",
    "MODEL_NAME",
    "NO_ANSWER",
    "RULES",
    "STATUS_RULES",
    "AnswerFacts",
    "AnswerStatus",
    "Answering",
    "Asked",
    "CheckedAnswer",
    "Citing",
    "FakeCitingModel",
    "FetchLog",
    "FileJudgements",
    "JudgeSupport",
    "JudgementCache",
    "MemoryJudgements",
    "ModelsQuotes",
    "NativeCitations",
    "OfflineModel",
    "Repair",
    "RepairKind",
    "SearchLog",
    "StatusRule",
    "answering",
    "ask",
    "check_tool",
    "checked_question",
    "citation_counts",
    "fetch_tool",
    "from_pydantic_ai",
    "model_of",
    "models_quotes",
    "native_answer",
    "output_part",
    "said",
    "search_tool",
    "stale_in",
    "status_of",
    "status_table",
    "text_part",
    "to_model_response",
    "to_pydantic_ai",
]
