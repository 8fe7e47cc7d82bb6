"""AG-UI, with citations: for the built-in agent, any pydantic-ai agent, any stream of events, and for clients."""

from __future__ import annotations

from importlib import import_module

from pincite.core.errors import MissingExtraError as _MissingExtraError

try:
    for _needed in ("ag_ui", "jsonschema"):
        import_module(_needed)
except ImportError as error:
    what = "AG-UI"
    raise _MissingExtraError(what, "ag-ui") from error

from pincite.protocols.ag_ui._taking import Remark, event_schema
from pincite.protocols.ag_ui.adapter import CitingAGUIAdapter
from pincite.protocols.ag_ui.answering import AnsweringRun
from pincite.protocols.ag_ui.client import (
    AGUIClient,
    Follower,
    RunState,
    RunStatus,
    ShownCall,
    ShownMessage,
    Update,
)
from pincite.protocols.ag_ui.sse import SseReader
from pincite.protocols.ag_ui.stream import CitedStream, cited
from pincite.protocols.cited_run import AnswerCiter, Citer, Streamed

__all__ = [
    "AGUIClient",
    "AnswerCiter",
    "AnsweringRun",
    "CitedStream",
    "Citer",
    "CitingAGUIAdapter",
    "Follower",
    "Remark",
    "RunState",
    "RunStatus",
    "ShownCall",
    "ShownMessage",
    "SseReader",
    "Streamed",
    "Update",
    "cited",
    "event_schema",
]
