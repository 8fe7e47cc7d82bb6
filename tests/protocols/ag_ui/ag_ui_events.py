"""Events of AG-UI in any order, for tests of what holds whatever an agent sends."""

from __future__ import annotations

from ag_ui.core import (
    ActivitySnapshotEvent,
    AssistantMessage,
    CustomEvent,
    MessagesSnapshotEvent,
    ReasoningEndEvent,
    ReasoningMessageChunkEvent,
    ReasoningMessageContentEvent,
    ReasoningMessageEndEvent,
    ReasoningMessageStartEvent,
    ReasoningStartEvent,
    RunErrorEvent,
    RunFinishedEvent,
    RunStartedEvent,
    StateDeltaEvent,
    StateSnapshotEvent,
    StepFinishedEvent,
    StepStartedEvent,
    SubagentFinishedEvent,
    SubagentStartedEvent,
    TextMessageChunkEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    ToolCallArgsEvent,
    ToolCallChunkEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
)
from hypothesis import strategies as st

from ag_ui_order import run_of
from pincite.protocols.ag_ui.stream import REDRAFT

BEGIN = RunStartedEvent(thread_id="t", run_id="r")
END = RunFinishedEvent(thread_id="t", run_id="r")

_IDS = st.sampled_from(["m", "n"])
RUN, _A, _B = run_of()
TEXTS = st.sampled_from(
    ["Blue ", f"[{_A}]", f"[[{_B}]]", _A[:4], f"[{_A[:4]}", "]", "\n", " ", "😀", "[1]", "(x)", "`"]
)
_MAYBE = st.none() | _IDS
_THOUGHTS = st.sampled_from(["zm", "zn"])
_NAMES = st.sampled_from([REDRAFT, "pincite.citations", "other"])
EVENTS = st.one_of(
    st.builds(TextMessageStartEvent, message_id=_IDS, role=st.just("assistant")),
    st.builds(TextMessageContentEvent, message_id=_IDS, delta=TEXTS),
    st.builds(TextMessageContentEvent, message_id=_IDS, delta=TEXTS),
    st.builds(TextMessageEndEvent, message_id=_IDS),
    st.builds(TextMessageChunkEvent, message_id=_MAYBE, delta=TEXTS),
    st.just(TextMessageStartEvent(message_id="u", role="user")),
    st.just(TextMessageContentEvent(message_id="u", delta="?")),
    st.just(TextMessageEndEvent(message_id="u")),
    st.builds(ToolCallStartEvent, tool_call_id=_IDS, tool_call_name=st.just("f"), parent_message_id=_MAYBE),
    st.builds(ToolCallArgsEvent, tool_call_id=_IDS, delta=st.just("{}")),
    st.builds(ToolCallEndEvent, tool_call_id=_IDS),
    st.builds(ToolCallResultEvent, message_id=st.just("x"), tool_call_id=_IDS, content=st.just("c")),
    st.builds(ToolCallChunkEvent, tool_call_id=_MAYBE, tool_call_name=st.just("f"), delta=st.just("1")),
    st.builds(ReasoningStartEvent, message_id=_THOUGHTS),
    st.builds(ReasoningMessageStartEvent, message_id=_THOUGHTS, role=st.just("reasoning")),
    st.builds(ReasoningMessageContentEvent, message_id=_THOUGHTS, delta=st.just("h")),
    st.builds(ReasoningMessageChunkEvent, message_id=st.none() | _THOUGHTS, delta=st.just("h")),
    st.builds(ReasoningMessageEndEvent, message_id=_THOUGHTS),
    st.builds(ReasoningEndEvent, message_id=_THOUGHTS),
    st.builds(StepStartedEvent, step_name=_IDS),
    st.builds(StepFinishedEvent, step_name=_IDS),
    st.builds(SubagentStartedEvent, subagent_run_id=_IDS, name=st.just("s")),
    st.builds(SubagentFinishedEvent, subagent_run_id=_IDS),
    st.builds(CustomEvent, name=_NAMES, value=st.none()),
    st.just(StateSnapshotEvent(snapshot={})),
    st.just(StateDeltaEvent(delta=[])),
    st.just(ActivitySnapshotEvent(message_id="y", activity_type="PLAN", content={})),
    st.sampled_from(
        [
            MessagesSnapshotEvent(messages=[AssistantMessage(id=name, role="assistant", content="z")])
            for name in ("m", "n")
        ]
    ),
    st.just(MessagesSnapshotEvent(messages=[])),
    st.just(BEGIN),
    st.just(END),
    st.just(RunErrorEvent(message="e")),
)
