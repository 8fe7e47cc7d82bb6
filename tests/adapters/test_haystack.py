"""Haystack's own documents, retrievers, pipelines, tools and generators go through a run as they are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from haystack import Document, Pipeline, component
from haystack.components.converters import TextFileToDocument
from haystack.components.generators.chat.mock import MockChatGenerator
from haystack.components.preprocessors import DocumentSplitter
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.dataclasses import ChatMessage, StreamingChunk
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack.tools.tool import Tool

from pincite import CitationRun, ConversationState
from pincite.citing import CitationFound, Finished, StreamEvent, TextDelta
from pincite.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pincite import Answer

    Page = Callable[[CitationRun, Answer], str]

RULE = "Expenses over 100 EUR require prior approval from your line manager."
TRAVEL = "Trains are booked in second class; expenses for a taxi need a reason."
FILE = {"file_path": "/home/ann/handbook.pdf", "page_number": 4}
SITE = {"url": "https://intranet.example/travel", "title": "Travel"}


def retriever(*documents: Document) -> InMemoryBM25Retriever:
    """Return a retriever over some documents, or over a page of a file and a page of a site."""
    store = InMemoryDocumentStore()
    store.write_documents(
        list(documents) or [Document(content=RULE, meta=FILE), Document(content=TRAVEL, meta=SITE)]
    )
    return InMemoryBM25Retriever(store)


def pipeline() -> Pipeline:
    """Return a pipeline that finds them."""
    made = Pipeline()
    made.add_component("retriever", retriever())
    return made


def found_by(result: dict[str, Any]) -> list[Document]:
    """Return the documents that the pipeline found, that of the file first."""
    return sorted(result["retriever"]["documents"], key=lambda document: "url" in document.meta)


def test_a_pipeline_ends_in_a_checked_numbered_answer(page: Page) -> None:
    """Present what it found, ask, resolve, check, show: the title is the file's name, the page the splitter's."""
    run = CitationRun("ref")
    documents = found_by(pipeline().run({"retriever": {"query": "expenses"}}))
    found = run.present_context(documents)
    reply = MockChatGenerator(f"Above 100 EUR. [{found[0]['ref']}] Second class. [{found[1]['ref']}]").run(
        [ChatMessage.from_system(run.instructions()), ChatMessage.from_user(json.dumps(found))]
    )
    shown = page(run, run.resolve(reply["replies"][0].text or ""))
    assert shown.startswith("Above 100 EUR. [1] Second class. [2]\n")
    assert "[1] handbook\\.pdf\n- page 4" in shown
    assert "[2] [Travel](<https://intranet.example/travel#:~:text=Train" in shown
    # Scores and ids are Haystack's own.
    assert [hit.search_hit for hit in run.store] == documents
    assert all(hit.search_hit.score > 0 for hit in run.store)


async def test_an_asynchronous_pipeline_and_a_stream(page: Page) -> None:
    """The same with `run_async` and a streaming callback, which feeds what resolves the answer piece by piece."""
    run = CitationRun("inline_url", resources=["context"])
    result = await pipeline().run_async({"retriever": {"query": "expenses"}})
    first, second = run.present_context(found_by(result))
    text = f'Above 100 EUR. [[1]]({first["source_url"]} "prior approval") Second class. [[2]]({second["source_url"]})'
    resolution, events = run.resolution(), list[StreamEvent]()

    async def feed(chunk: StreamingChunk) -> None:
        events.extend(resolution.feed(chunk.content))

    await MockChatGenerator(text).run_async([ChatMessage.from_user("How much?")], streaming_callback=feed)
    events.extend(resolution.finish())
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == text
    assert sum(isinstance(event, CitationFound) for event in events) == 2
    done = events[-1]
    assert isinstance(done, Finished)
    assert page(run, done.answer).startswith("Above 100 EUR. [1] Second class. [2]\n")


@component
class Present:
    """Presents documents inside a pipeline."""

    def __init__(self, turn: CitationRun) -> None:
        self.turn = turn

    @component.output_types(messages=list[ChatMessage])
    def run(self, documents: list[Document]) -> dict[str, list[ChatMessage]]:
        """Return what the model reads."""
        told = json.dumps(self.turn.present_context(documents))
        return {"messages": [ChatMessage.from_system(self.turn.instructions()), ChatMessage.from_user(told)]}


@component
class Resolve:
    """Resolves replies inside a pipeline."""

    def __init__(self, turn: CitationRun) -> None:
        self.turn = turn

    @component.output_types(answer=Any)
    def run(self, replies: list[ChatMessage]) -> dict[str, Any]:
        """Return the answer that the first reply is."""
        return {"answer": self.turn.resolve(replies[0].text or "")}


def cite_all(messages: list[ChatMessage]) -> str:
    """Stand in for a model that cites all that it was shown."""
    return "".join(
        f"So. <sup>{passage['number']}</sup> " for passage in json.loads(messages[-1].text or "[]")
    )


def test_a_run_inside_a_pipeline(page: Page) -> None:
    """Two components of a few lines: retriever, presenting, generator, resolving."""
    run = CitationRun("sup_numeric")
    whole = pipeline()
    whole.add_component("present", Present(run))
    whole.add_component("model", MockChatGenerator(response_fn=cite_all))
    whole.add_component("resolve", Resolve(run))
    whole.connect("retriever.documents", "present.documents")
    whole.connect("present.messages", "model.messages")
    whole.connect("model.replies", "resolve.replies")
    answer = whole.run({"retriever": {"query": "expenses"}})["resolve"]["answer"]
    assert page(run, answer).startswith("So. [1] So. [2]")


@pytest.mark.parametrize("name", ["ref", "inline_url", "sup_numeric", "evidence_id", "short_id", "deferred"])
def test_no_absolute_path_is_shown(name: str) -> None:
    """Neither a key, nor a title, nor a place tells on which disk a file was read."""
    run = CitationRun(name)
    shown = json.dumps(run.present(Document(content=RULE, meta=FILE)))
    assert "ann" not in shown
    assert '"page 4"' in shown
    (hit,) = run.store
    assert hit.known.title == "handbook.pdf"
    assert "ann" not in hit.citation_key


def test_files_are_read_split_found_and_cited(page: Page, tmp_path: Path) -> None:
    """Haystack's own converter, splitter and store: passages of one file are one source, another file is another."""
    for folder, text in (("new", f"{RULE}\f{TRAVEL}\f{RULE}"), ("old", f"{TRAVEL}\f{RULE} Or not.")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "handbook.txt").write_text(text, encoding="utf-8")
    read = TextFileToDocument().run([*tmp_path.glob("*/handbook.txt")])["documents"]
    # Both are called alike, since Haystack keeps the name alone.
    assert [document.meta["file_path"] for document in read] == ["handbook.txt"] * 2
    split = DocumentSplitter(split_by="page", split_length=1).run(read)["documents"]
    found = retriever(*split).run("expenses approval", top_k=9)["documents"]
    run = CitationRun("ref")
    keys = {run.present(document)["ref"]: document for document in found}
    answer = run.resolve("".join(f"So. [{key}] " for key in keys))
    assert len(answer.evidences) == len({document.meta["source_id"] for document in found}) == 2
    assert page(run, answer).count("handbook\\.txt") == 2
    places = {hit.known.locator.page for hit in run.store}
    assert places == {document.meta["page_number"] for document in found}


def test_ids_of_haystack_are_stable(page: Page) -> None:
    """A document's id is a hash of what it holds: found again, it has the same ref."""
    run = CitationRun()
    keys = [
        run.present(document)["ref"]
        for _ in range(2)
        for document in retriever().run("expenses")["documents"]
    ]
    assert keys[:2] == keys[2:]
    assert len(run.store) == 2
    assert page(run, run.resolve(f"So. [{keys[0]}]")).startswith("So. [1]")


def test_a_tool_of_an_agent(page: Page) -> None:
    """A tool's outcome is the payloads, as the model reads them."""
    run = CitationRun("ref", audit="raise")

    def search(query: str) -> str:
        return json.dumps(run.present_context(retriever().run(query)["documents"]))

    tool = Tool(
        name="search",
        description="Search the handbook.",
        parameters={"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
        function=search,
    )
    outcome = tool.invoke(query="expenses")
    assert run.audit(outcome) == ()
    keys = [payload["ref"] for payload in json.loads(outcome)]
    assert page(run, run.resolve(f"Above 100 EUR. [{keys[0]}]")).startswith("Above 100 EUR. [1]")


def test_a_document_outlives_a_restart(page: Page) -> None:
    """A conversation that was kept resolves without Haystack's objects, and presents the passages again."""
    run = CitationRun("inline_url")
    key = run.present(Document(content=RULE, meta=FILE))["source_url"]
    kept = ConversationState.load(json.loads(json.dumps(run.conversation.export())))
    later = CitationRun(conversation=kept)
    answer = later.resolve(f'Above 100 EUR. [[1]]({key} "prior approval")')
    assert "[1] handbook\\.pdf\n- page 4" in page(later, answer)
    assert later.present_context(answer.context)[0]["source_url"] == key


@pytest.mark.parametrize("content", [None, "", " \n"])
def test_a_document_without_words_is_an_error(content: str | None) -> None:
    """What cannot be cited is said in a sentence."""
    with pytest.raises(InputError, match="A hit needs its text"):
        CitationRun().present(Document(content=content, meta=SITE))


def test_the_page_ends_in_a_numbered_answer(printed: Callable[[str], str]) -> None:
    """What the documentation shows is a whole turn, in under 20 lines."""
    shown = printed("haystack.md")
    assert shown.startswith(
        "Your line manager approves expenses over 100 EUR. [1]\n\n### Sources\n\n[1] handbook\\.pdf\n"
    )
    assert "page 4" in shown
    assert "/srv" not in shown
