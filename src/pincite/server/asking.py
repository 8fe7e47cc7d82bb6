"""Asking a stored agent: retrieve, answer, check, repair; the conversation keeps what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any
from uuid import uuid4

from fastapi import APIRouter
from pydantic import Field
from starlette.concurrency import run_in_threadpool

from pincite.citing import CitationRun, ConversationState
from pincite.core.errors import NotFoundError
from pincite.core.highlight import resolved_precision
from pincite.core.limits import DEFAULT
from pincite.protocols.answers import answer_json
from pincite.search import Search
from pincite.server._shapes import Asked, Shape, Text
from pincite.server.access import Caller, Searcher, Serving
from pincite.server.agents import AgentId, searches_packages
from pincite.server.conversations import check_owner
from pincite.server.faults import described
from pincite.server.moca import MOCA
from pincite.server.observing import span
from pincite.server.search import grant, new_conversation

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage

    from pincite.agents import Asked as Answered
    from pincite.library import Collection, Library, StoredAgent
    from pincite.protocols.cited_run import Streamed
    from pincite.search import SearchResult
    from pincite.server.moca import Packages, PackagesOfTurn
    from pincite.server.service import Service
    from pincite.server.turns import Turns

router = APIRouter(tags=["agents"], responses=described(401, 403, 429, 503))

_TITLE_CODE_POINTS = 120


class Question(Asked):
    """A question to an agent."""

    question: Text = Field(
        min_length=1, description=f"At most {DEFAULT.query_code_points:,} characters by default."
    )
    conversation_id: Annotated[Text, Field(min_length=1, max_length=200)] | None = Field(
        default=None, description="The conversation to go on with; a new one when left out."
    )


class AnswerBody(Shape):
    """An answer with its citations, each with its verdicts."""

    conversation_id: str
    number: int = Field(description="The number of the message that holds the answer.")
    status: str
    model: str
    reason: str = Field(description="Why there is no answer, where there is none.")
    warnings: list[str]
    broadened: bool
    answer: dict[str, Any] = Field(
        description="`text` as the model wrote it, `answer` with numbered references, `citations`, `sources`, "
        "`misses`, `uncited`, `support`; `shown` is the text with numbers and the value of `pincite.citations`, "
        "and of `moca.citations` where packages were searched."
    )


@dataclass(frozen=True, slots=True)
class Turn:
    """What a turn of a conversation stands on: who asks whom, where, and what was before.

    `before` is the conversation's state as it was kept; `history` its last messages, as far as a model is shown them.
    `packages` is what the turn reads of the server's MOCA packages, None where its agent does not search them.
    """

    caller: Caller
    agent: StoredAgent
    conversation_id: str
    collections: tuple[Collection, ...]
    run: CitationRun
    before: dict[str, Any] | None
    history: tuple[ModelMessage, ...]
    packages: PackagesOfTurn | None = None

    @property
    def highlight(self) -> str:
        """How precisely the citations of this turn are highlighted: an embed may say otherwise than its agent."""
        embed = self.caller.embed
        return resolved_precision(self.agent.highlight, None if embed is None else embed.highlight)

    def settings(self, service: Service) -> dict[str, Any]:
        """Return what the built-in agent is given for the turn, as `ask` and `answering` take it by keyword."""
        return {
            "search": CallerSearch(self.caller, service.turns),
            "collections": self.collections,
            "model": self.agent.model or service.settings.model,
            "run": self.run,
            **self._beside(),
            "limits": self.caller.desk.library.limits,
        }

    def _beside(self) -> dict[str, Any]:
        given, packages = self.agent.instructions, self.packages
        if packages is None:
            return {"instructions": given}
        return {"instructions": packages.instructions(given), "beside": packages.find}


class CallerSearch(Search):
    """A search for a caller: a visitor is granted every passage that it returns."""

    __slots__ = ("_caller", "_turns")

    def __init__(self, caller: Caller, turns: Turns) -> None:
        found = caller.desk.search
        super().__init__(found.library, found.index, found.embedder, found.reranker, found.library.limits)
        self._caller = caller
        self._turns = turns

    def search(self, question: str, **given: Any) -> SearchResult:  # noqa: ANN401 - what `Search.search` takes
        """Search, and write the grants before anything is shown."""
        with self._turns.one(), span("search"):
            found = super().search(question, **given)
        self._caller.desk.scores.note(found.best)
        grant(self._caller, found.hits)
        return found


@router.post(
    "/api/agents/{agent_id}/answers", summary="Ask an agent", responses=described(404, 422, 501, 502)
)
async def ask(caller: Searcher, service: Serving, agent_id: AgentId, asked: Question) -> AnswerBody:
    """Answer a question from the agent's collections, with every citation checked."""
    from pincite.agents import ask as answer

    turn = await run_in_threadpool(begin, caller, agent_id, asked.conversation_id, service.packages)
    with span("answer", collections=len(turn.collections)):
        found = await answer(
            asked.question, history=turn.history, highlight=turn.highlight, **turn.settings(service)
        )
    return await run_in_threadpool(keep, turn, asked.question, found)


def begin(
    caller: Caller, agent_id: str, conversation_id: str | None, packages: Packages | None = None
) -> Turn:
    """Return what a turn with an agent stands on; `packages` are the server's, for an agent that searches them.

    Raises:
        NotFoundError: there is no such agent, or the conversation is another's.
    """
    library = caller.desk.library
    agent = caller.desk.agents.one(agent_id)
    kept = None
    if conversation_id is not None:
        try:
            check_owner(caller, conversation_id)
        except NotFoundError:
            # An id that nobody has used begins a conversation; one of another's stays closed.
            if library.load_conversation(conversation_id) is not None:
                raise
        kept = library.load_conversation(conversation_id)
    state = ConversationState(agent.wire_format) if kept is None else ConversationState.load(kept)
    resources = ("search_results",) if agent.citable_resources is None else agent.citable_resources
    run = CitationRun(agent.wire_format, conversation=state, resources=resources, limits=library.limits)
    wanted = set(agent.collections)
    there = library.collections()
    chosen = [one for one in there if one.collection_id in wanted] if wanted else there
    history = () if conversation_id is None else _history(library, conversation_id)
    searched = packages.for_turn(run) if packages is not None and searches_packages(agent) else None
    name = conversation_id or new_conversation()
    return Turn(caller, agent, name, tuple(chosen), run, kept, history, searched)


def _history(library: Library, conversation_id: str) -> tuple[ModelMessage, ...]:
    """Return the last messages of a conversation that a model is shown, in order; the first one is a question."""
    from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, UserPromptPart

    found: list[ModelMessage] = []
    room = library.limits.history_code_points
    for message in reversed(library.conversations.messages(conversation_id)):
        body, is_user = message.body, message.role == "user"
        said: Any = body.get("text") if is_user else body.get("answer", {}).get("text")
        if not isinstance(said, str) or not said:
            continue
        room -= len(said)
        if room < 0:
            break
        found.append(ModelRequest([UserPromptPart(said)]) if is_user else ModelResponse([TextPart(said)]))
    while found and isinstance(found[-1], ModelResponse):
        found.pop()
    return tuple(reversed(found))


def keep(
    turn: Turn, question: str, found: Answered, streamed: tuple[str, Streamed] | None = None
) -> AnswerBody:
    """Keep a turn in its conversation and return what is told of it.

    `streamed` is the id of the question and what was told of the answer already, event by event; without it the
    message gets an id of its own.
    """
    library, conversations = turn.caller.desk.library, turn.caller.desk.library.conversations
    told = answer_json(found.answer, library, found.support)
    if streamed is None:
        from pincite.protocols.cited_run import Streamed

        shown = Streamed.of(
            str(uuid4()), found, told, conversation_id=turn.conversation_id, limits=library.limits
        )
    else:
        shown = streamed[1]
    told["shown"] = shown.as_dict()
    if turn.packages is not None:
        told["shown"][MOCA] = turn.packages.value(shown.message_id, found.answer)
    state = turn.run.conversation.export()
    conversations.update(
        turn.conversation_id,
        lambda kept: state if kept in (None, turn.before) else _with(turn, kept),
        owner=turn.caller.visitor,
        agent_id=turn.agent.agent_id,
        title=question[:_TITLE_CODE_POINTS],
    )
    documents = {
        one["source"]["document_id"] for one in told["citations"] if one["source"]["document_id"] is not None
    }
    asked: dict[str, Any] = {"text": question}
    if streamed is not None:
        asked["message_id"] = streamed[0]
    conversations.add_message(turn.conversation_id, "user", asked, ())
    body: dict[str, Any] = {
        "status": found.status.value,
        "model": found.model,
        "reason": found.reason,
        "warnings": list(found.warnings),
        "broadened": found.broadened,
        "answer": told,
    }
    number = conversations.add_message(turn.conversation_id, "assistant", body, sorted(documents))
    return AnswerBody(conversation_id=turn.conversation_id, number=number, **body)


def _with(turn: Turn, kept: dict[str, Any]) -> dict[str, Any]:
    """Return what another turn kept while this one went on, with what this one was shown."""
    state = ConversationState.load(kept)
    run = CitationRun(turn.agent.wire_format, conversation=state, limits=turn.caller.desk.library.limits)
    known = {hit.citation_key for hit in run.store}
    for hit in turn.run.store:
        if hit.citation_key not in known:
            run.present(hit.search_hit)
    return state.export()
