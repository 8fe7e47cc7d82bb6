"""Models that follow a script, and a library of twelve short texts that they are asked about."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from pincite.agents import ask
from pincite.citing import CitationRun
from pincite.core.document import Document
from pincite.core.ids import chunk_evidence_id, chunk_id, document_id, version_of
from pincite.core.limits import DEFAULT, Limits
from pincite.core.passage import Passage
from pincite.core.scope import Scope
from pincite.library import Library
from pincite.search import open_search

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from pathlib import Path

    from pincite.agents import Asked
    from pincite.library import Collection
    from pincite.search import Search

EXPENSES = "Expenses over 100 EUR require prior approval from your line manager."
LEAVE = "Full-time staff receive 27 days of paid annual leave in each calendar year."
FAR = "The calibration oven in the cellar is serviced by the manufacturer every second spring. " * 4
"""What no search for expenses finds among the first eight."""

QUESTION = "From which amount do expenses need approval?"


@dataclass
class Script:
    """A model that does one thing a request, and keeps what it was sent; the last thing is done again and again."""

    steps: Sequence[Any]
    requests: list[list[ModelMessage]] = field(default_factory=list[list[ModelMessage]])

    def __call__(self, messages: list[ModelMessage], _info: AgentInfo) -> ModelResponse:
        """Do the next thing."""
        step = self.steps[min(len(self.requests), len(self.steps) - 1)]
        self.requests.append(messages)
        done = step(messages) if callable(step) else step
        if isinstance(done, Exception):
            raise done
        return ModelResponse([TextPart(done) if isinstance(done, str) else cast("ToolCallPart", done)])

    @property
    def model(self) -> FunctionModel:
        """The script as a model of pydantic-ai."""
        return FunctionModel(self)


def search(question: str = "Which expenses need approval?") -> ToolCallPart:
    """Return a call of the search tool."""
    return ToolCallPart("search", {"question": question})


def fetch(*ids: str, **more: int) -> ToolCallPart:
    """Return a call of the fetch tool."""
    return ToolCallPart("fetch_evidence", {"evidence_ids": list(ids), **more})


def check(*ids: str) -> ToolCallPart:
    """Return a call of the check tool."""
    return ToolCallPart("check_citations", {"evidence_ids": list(ids)})


def returns(messages: list[ModelMessage], tool: str) -> list[Any]:
    """Return what a tool has returned, in order."""
    return [
        part.content
        for message in messages
        for part in message.parts
        if isinstance(part, ToolReturnPart) and part.tool_name == tool
    ]


@dataclass(frozen=True)
class Desk:
    """A searched library, and the evidence ids of what is in it."""

    search: Search
    collection: Collection
    ids: dict[str, str]

    @property
    def expenses(self) -> str:
        """The evidence id of the passage on expenses."""
        return self.ids[EXPENSES]

    @property
    def leave(self) -> str:
        """The evidence id of the passage on leave."""
        return self.ids[LEAVE]

    @property
    def far(self) -> str:
        """The evidence id of a passage that the search does not find."""
        return self.ids[FAR]

    @property
    def scope(self) -> Scope:
        """All its documents."""
        return Scope(one.split(":")[2] for one in self.ids.values())

    async def ask(
        self, script: Script, *, limits: Limits = DEFAULT, wire_format: str = "evidence_id"
    ) -> Asked:
        """Let a script answer the question."""
        return await ask(
            QUESTION,
            search=self.search,
            collections=[self.collection],
            model=script.model,
            run=CitationRun(wire_format, scope=self.scope),
            limits=limits,
        )


@contextmanager
def opened_desk(home: Path) -> Generator[Desk]:
    """Make the library at `home`: of its twelve texts eight are found for any question."""
    about = ("travel", "meals", "hotels", "trains", "phones", "tools", "gifts", "courses", "taxis")
    texts = [EXPENSES, LEAVE, FAR, *(f"Costs of {one} are refunded with the next salary." for one in about)]
    ids: dict[str, str] = {}
    with Library.open(home) as library:
        collection = library.collection("default")
        for number, text in enumerate(texts):
            key = f"upload://{number}.txt"
            document = document_id(collection.collection_id, key)
            version, chunk = version_of(text), chunk_id(document, text)
            ids[text] = chunk_evidence_id(document, version, chunk)
            library.keep(
                collection,
                Document(text, version, f"Text {number}", "text/plain", "plain/1"),
                [Passage(chunk, document, version, 0, len(text), text)],
                data=text.encode(),
                source_key=key,
            )
        yield Desk(open_search(library, home), collection, ids)
