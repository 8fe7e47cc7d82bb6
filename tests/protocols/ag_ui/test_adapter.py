"""Any pydantic-ai agent over AG-UI with citations, over real HTTP."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from ag_ui.core import RunAgentInput, StateSnapshotEvent
from ag_ui_agents import PASSAGES, agent_of, endpoint, look_up, run_input, served
from pydantic import BaseModel, ConfigDict
from pydantic_ai import Agent, ToolReturn
from pydantic_ai.messages import ModelResponse, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.ui import StateDeps

from ag_ui_order import events_of, faults, names
from pincite.agents import Citing
from pincite.citing import ConversationState
from pincite.core.highlight import HighlightPrecision
from pincite.core.limits import DEFAULT
from pincite.protocols.ag_ui import AGUIClient, CitingAGUIAdapter
from pincite.protocols.moca import MocaClient

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from pydantic_ai.messages import ModelMessage

    from pincite.core.answer import Answer
    from pincite.protocols.ag_ui import Streamed


class Theirs(BaseModel):
    """A state of the agent's own, which knows nothing of citations."""

    model_config = ConfigDict(extra="forbid")
    theirs: Any = None


QUOTE = "sky is blue on a clear day"


def read(
    address: str, *, followers: Sequence[Any] = (), **given: Any
) -> tuple[AGUIClient, list[dict[str, Any]]]:
    """Ask over HTTP; return the client that read the stream, and the events as they came."""
    asked, lines = run_input(**given), list[str]()
    client = AGUIClient(messages=asked["messages"], state=asked["state"], followers=followers)
    with httpx.stream("POST", address, json=asked, timeout=30) as reply:
        assert reply.status_code == 200, reply.read()
        assert reply.headers["content-type"].startswith("text/event-stream")

        def pieces() -> Any:
            for piece in reply.iter_bytes():
                lines.append(piece.decode())
                yield piece

        for _ in client.follow(pieces()):
            pass
    events = events_of("".join(lines))
    assert faults(events) == []
    return client, events


def sky(refs: list[str], attempt: int) -> str:
    """Cite the sky."""
    return f"The sky is blue on a clear day [{refs[0]}]."


def test_an_agent_with_tools_cites_over_http() -> None:
    """The text has numbers, the citation leads to what the tool returned, and the state keeps it."""
    deps = StateDeps(Theirs())
    with served(endpoint(agent_of(sky), deps=deps)) as address:
        client, events = read(address, state={"theirs": 1, "pincite": 7})
    assert deps.state.theirs == 1
    answer = client.messages[-1]
    assert answer.text == "The sky is blue on a clear day [1]."
    assert answer.citations is not None
    cited = answer.citations["citations"][0]
    assert (cited["verdict"], cited["support_verdict"], answer.citations["status"]) == (
        "valid",
        "supported",
        "answered",
    )
    assert answer.text[cited["start"] : cited["end"]] == "[1]"
    assert answer.citations["sources"][0]["title"] == "Sky"
    assert answer.citations["conversationId"] == "t"
    assert [one.tool_calls[0].name for one in client.messages if one.tool_calls] == ["look_up"]
    # The client is sent the change alone, and has its own state beside it.
    changes = [one["delta"] for one in events if one["type"] == "STATE_DELTA"]
    assert [[change["path"] for change in delta] for delta in changes] == [["/pincite"]]
    assert client.state["theirs"] == 1
    assert client.state["pincite"]["citations"] == {answer.message_id: answer.citations}
    assert client.diagnostics == ()


def test_the_state_of_earlier_answers_is_kept_and_added_to() -> None:
    """Where the client's state has citations already, only the new ones are sent; no state at all becomes one."""
    kept = {"pincite": {"version": 1, "citations": {"old": {"version": 1}}}, "theirs": {"a": 1}}
    with served(endpoint(agent_of(sky), deps=StateDeps(Theirs()))) as address:
        client, events = read(address, state=kept)
        _, of_none = read(address, state=None)
    message_id = client.messages[-1].message_id
    delta = next(one["delta"] for one in events if one["type"] == "STATE_DELTA")
    assert [change["path"] for change in delta] == [f"/pincite/citations/{message_id}"]
    assert client.state["theirs"] == {"a": 1}
    assert list(client.state["pincite"]["citations"]) == ["old", message_id]
    assert "STATE_SNAPSHOT" in names(of_none)


async def test_the_state_holds_the_last_answers_alone() -> None:
    """A long conversation does not send all that it ever cited with every question."""
    few = dataclasses.replace(DEFAULT, agui_state_messages=2)
    kept: dict[str, Any] = {
        "pincite": {"version": 1, "citations": {name: {"version": 1} for name in ("a/b", "c", "d")}}
    }
    client = AGUIClient(state=kept)
    for event in await native(agent_of(sky), state=kept, limits=few, run={"deps": StateDeps(Theirs())}):
        client.take(event)
    assert list(client.state["pincite"]["citations"]) == ["d", client.messages[-1].message_id]
    assert client.diagnostics == ()


async def test_a_bad_draft_is_written_again_and_taken_back() -> None:
    """The client ends with the second text alone, and our request for it is never sent."""

    def write(refs: list[str], attempt: int) -> str:
        if attempt == 1:
            return "The sky is blue on a clear day [[deadbeef]]. Grass is green all summer long [[cafecafe]]."
        return sky(refs, attempt)

    with served(endpoint(agent_of(write))) as address:
        client, events = await asyncio.to_thread(read, address)
    texts = [one.text for one in client.messages if one.role == "assistant" and one.text]
    assert texts == ["The sky is blue on a clear day [1]."]
    assert [one.role for one in client.messages] == ["user", "assistant", "tool", "assistant"]
    assert client.messages[-1].citations is not None
    assert client.messages[-1].citations["status"] == "answered"
    raw = json.dumps(events)
    assert "check_citations" not in raw
    assert "REDRAFT" not in raw.upper()
    assert not any(one.role == "activity" for one in client.messages)
    told = [one["value"]["messageId"] for one in events if one.get("name") == "pincite.citations"]
    assert told == [client.messages[-1].message_id]


def picking(gate: Callable[[], Any], quote: str = QUOTE) -> Any:
    """Return what answers the request for the words of a quote, once `gate` is through."""

    async def pick(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        await gate()
        return ModelResponse([ToolCallPart("pick_quotes", {"quotes": [{"number": 1, "quote": quote}]})])

    return pick


async def locate(answer: Answer, quotes: Sequence[str | None]) -> list[dict[str, Any]]:
    """Return where the words of each quote stand in their passage."""
    found: list[dict[str, Any]] = []
    for place, quote in enumerate(quotes):
        if quote is not None:
            at = PASSAGES[0]["content"].index(quote)
            found.append(
                {"citation": place, "quote": quote, "chunk_id": None, "version": None, "start": at,
                 "end": at + len(quote), "boxes": []}
            )  # fmt: skip
    return found


async def native(agent: Agent[None, str], **given: Any) -> list[dict[str, Any]]:
    """Return the events of a run without HTTP."""
    return [json.loads(line.removeprefix("data: ")) async for line in lines_of(agent, **given)]


async def lines_of(
    agent: Agent[None, str], *, state: Any = None, run: dict[str, Any] | None = None, **given: Any
) -> AsyncIterator[str]:
    """Yield the frames of a run without HTTP; `run` is what the run itself is given."""
    adapter = CitingAGUIAdapter[None](
        agent=agent,
        run_input=RunAgentInput.model_validate(run_input(state=state or {})),
        accept=None,
        **given,
    )
    async for line in adapter.encode_stream(adapter.run_stream(**(run or {}))):
        yield line


async def test_text_and_citations_do_not_wait_for_the_words_that_a_model_picks() -> None:
    """While the model that picks them is at work, everything else is there already; then they come, before the end."""
    asked, may = asyncio.Event(), asyncio.Event()

    async def gate() -> None:
        asked.set()
        await may.wait()

    citing = Citing(highlight=HighlightPrecision.MODELS_QUOTE)
    events: list[dict[str, Any]] = []

    async def reading() -> None:
        lines = lines_of(agent_of(sky, picking(gate)), citing=citing, locate=locate)
        async for event in (json.loads(line.removeprefix("data: ")) async for line in lines):
            events.append(event)  # noqa: PERF401 - what has come so far is looked at meanwhile

    task = asyncio.ensure_future(reading())
    await asyncio.wait_for(asked.wait(), 20)
    assert names(events)[-2:] == ["TEXT_MESSAGE_END", "pincite.citations"]
    may.set()
    await task
    assert faults(events) == []
    order = names(events)
    assert order[-3:] == ["pincite.highlight", "STATE_DELTA", "RUN_FINISHED"]
    lit = events[-3]["value"]["highlights"]
    assert [(one["citation"], one["quote"]) for one in lit] == [(0, QUOTE)]


@pytest.mark.parametrize("why", ["slow", "failing", "nothing", "nowhere", "broken"])
async def test_without_words_of_a_model_the_answer_is_the_same(why: str) -> None:
    """A model that takes too long, fails or picks nothing that stands there costs the answer nothing."""

    async def gate() -> None:
        if why == "slow":
            await asyncio.Event().wait()
        if why == "failing":
            msg = "no"
            raise RuntimeError(msg)

    async def nowhere(answer: Answer, quotes: Sequence[str | None]) -> list[dict[str, Any]]:
        if why == "broken":
            msg = "no"
            raise OSError(msg)
        return []

    citing = Citing(highlight=HighlightPrecision.MODELS_QUOTE)
    limits = dataclasses.replace(DEFAULT, highlight_seconds=0.05 if why == "slow" else 30.0)
    model = picking(gate, "" if why == "nothing" else QUOTE)
    place = nowhere if why in {"nowhere", "broken"} else locate
    events = await native(agent_of(sky, model), citing=citing, locate=place, limits=limits)
    assert faults(events) == []
    assert "pincite.highlight" not in names(events)
    assert names(events)[-1] == "RUN_FINISHED"


async def test_nobody_is_asked_for_words_where_nothing_is_cited() -> None:
    """A request is made only for an answer that cites, and one for each."""
    asked: list[int] = []

    async def gate() -> None:
        asked.append(1)

    citing = Citing(highlight=HighlightPrecision.MODELS_QUOTE, repair=False)
    await native(agent_of(lambda _refs, _attempt: "Hello.", picking(gate)), citing=citing, locate=locate)
    assert asked == []
    two = agent_of(lambda refs, attempt: f"{sky(refs, attempt)} {sky(refs, attempt)}", picking(gate))
    await native(two, citing=citing, locate=locate)
    assert asked == [1]


async def test_a_model_that_fails_is_told_of_without_addresses_and_paths() -> None:
    """The error is a plain sentence, and nothing that stood in the foreign one can be used."""

    async def failing(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str]:
        msg = "https://model.internal:8443/v1?key=secret refused user:key@model.internal and /etc/keys/model.pem"
        raise RuntimeError(msg)
        yield ""

    with served(endpoint(Agent(FunctionModel(stream_function=failing)))) as address:
        client, events = await asyncio.to_thread(read, address)
    assert client.run.state == "failed"
    said = json.dumps(events[-1])
    assert events[-1]["type"] == "RUN_ERROR"
    assert not any(
        secret in said for secret in ("user", "key", "internal", "8443", "/v1", "/etc", "Traceback")
    )
    assert client.run.message.startswith("… refused")


async def test_a_run_without_time_ends_in_an_error() -> None:
    """A run that was stopped by the clock does not look as if it had finished."""

    async def waiting(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str]:
        await asyncio.Event().wait()
        yield ""

    with served(endpoint(Agent(FunctionModel(stream_function=waiting)), timeout=0.05)) as address:
        _, events = await asyncio.to_thread(read, address)
    assert events[-1]["type"] == "RUN_ERROR"
    assert events[-1]["message"] == "There was not enough time for the answer."


async def test_what_the_run_came_to_is_told_before_its_client_hears_of_the_end() -> None:
    """Whoever asks for a kept answer when the run has finished finds it."""
    seen: list[Streamed] = []

    async def ended(told: Streamed) -> None:
        seen.append(told)

    events: list[str] = []
    async for line in lines_of(agent_of(sky), ended=ended):
        if "RUN_FINISHED" in line:
            assert len(seen) == 1
        events.append(line)
    assert seen[0].text == "The sky is blue on a clear day [1]."
    assert seen[0].citations == next(
        json.loads(line.removeprefix("data: "))["value"] for line in events if '"pincite.citations"' in line
    )


async def test_refs_of_an_earlier_turn_still_resolve() -> None:
    """What outlives a turn is kept on the server's side, and the next answer may cite what the first was shown."""
    talk = ConversationState("ref")
    first = await native(agent_of(sky), conversation=talk)
    ref = next(one["value"] for one in first if one.get("name") == "pincite.citations")["citations"][0]["ref"]
    again = ConversationState.load(json.loads(json.dumps(talk.export())))
    second = await native(
        agent_of(lambda _refs, _attempt: f"As I said [{ref}]."),
        conversation=again,
        citing=Citing(repair=False),
    )
    value = next(one["value"] for one in second if one.get("name") == "pincite.citations")
    assert [one["ref"] for one in value["citations"]] == [ref]


async def test_other_citers_tell_their_events_beside_ours() -> None:
    """A citer of another kind is asked about the same text, with the numbers that stand in it."""

    class Moca:
        def cite(self, message: Any) -> list[tuple[str, dict[str, Any]]]:
            assert message.text.endswith("[1].")
            return [("moca.citations", {"version": 1, "messageId": message.message_id, "citations": []})]

    moca = MocaClient()
    events = await native(agent_of(sky), citers=[Moca()])
    assert faults(events) == []
    client = AGUIClient(followers=[moca])
    for event in events:
        client.take(event)
    assert moca.event_of(client.messages[-1].message_id) is not None


async def test_what_the_agent_does_to_the_state_is_kept() -> None:
    """A state that a tool replaces has the citations beside it at the end."""
    replaced = ToolReturn(look_up(), metadata=[StateSnapshotEvent(snapshot={"mine": 2})])
    again: Agent[None, str] = Agent(agent_of(sky).model)
    again.tool_plain(name="look_up")(lambda: replaced)
    events = await native(again)
    client = AGUIClient(state={"old": 1})
    for event in events:
        client.take(event)
    assert client.state["mine"] == 2
    assert list(client.state["pincite"]["citations"]) == [client.messages[-1].message_id]


def test_the_extra_works_without_a_library() -> None:
    """Whoever brings their own retrieval needs neither database nor index."""
    program = """
import sys
for name in ("sqlalchemy", "obstore", "tantivy", "faiss", "fastapi", "starlette"):
    sys.modules[name] = None
import pincite.protocols.ag_ui as door
assert [getattr(door, name) for name in door.__all__]
assert not [name for name in sys.modules if name.startswith(("pincite.library", "pincite.search", "pincite.server"))]
"""
    done = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


async def test_a_client_that_leaves_stops_the_agent() -> None:
    """Nobody goes on writing for a reader who has closed the connection."""
    stopped, begun = threading.Event(), threading.Event()

    async def waiting(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str]:
        try:
            yield "The sky "
            begun.set()
            while True:
                await asyncio.sleep(0.01)
                yield "is blue "
        finally:
            stopped.set()

    def leave(address: str) -> bool:
        with httpx.stream("POST", address, json=run_input(), timeout=30) as reply:
            pieces = reply.iter_bytes()
            next(pieces)
            assert begun.wait(20)
        return stopped.wait(20)

    with served(endpoint(Agent(FunctionModel(stream_function=waiting)))) as address:
        assert await asyncio.to_thread(leave, address)
