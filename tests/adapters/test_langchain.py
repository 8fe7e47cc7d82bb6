"""LangChain's own documents, retrievers, tools and models go through a run as they are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda
from langchain_core.tools import tool
from langchain_core.vectorstores import InMemoryVectorStore

from pincite import CitationRun, ConversationState
from pincite.citing import CitationProcessor, Finished, TextDelta
from pincite.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from langchain_core.tools import BaseTool

    from pincite import Answer

    Page = Callable[[CitationRun, Answer], str]

RULE = "Expenses over 100 EUR require prior approval."
TRAVEL = "Trains are booked in second class."
# As LangChain's reader of PDF writes it: the whole path, and pages counted from 0.
FILE = {"source": "/home/ann/handbook.pdf", "page": 3, "page_label": "4", "total_pages": 9}
SITE = {"source": "https://intranet.example/travel", "title": "Travel"}


def documents() -> list[Document]:
    """Return a passage of a file and one of a site."""
    return [Document(page_content=RULE, metadata=FILE), Document(page_content=TRAVEL, metadata=SITE)]


class Everything(BaseRetriever):
    """Finds all of them, with and without waiting."""

    def _get_relevant_documents(self, query: str, **_: Any) -> list[Document]:
        assert query
        return documents()

    async def _aget_relevant_documents(self, query: str, **_: Any) -> list[Document]:
        assert query
        return documents()


def store() -> InMemoryVectorStore:
    """Return a vector store that holds them."""
    return InMemoryVectorStore.from_documents(documents(), DeterministicFakeEmbedding(size=8))


def model(*replies: str) -> GenericFakeChatModel:
    """Return a chat model that says these things one after another."""
    return GenericFakeChatModel(messages=iter([AIMessage(content=reply) for reply in replies]))


def test_a_retriever_ends_in_a_checked_numbered_answer(page: Page) -> None:
    """Present what it found, ask, resolve, check, show: the title is the file's name, the page the printed one."""
    run = CitationRun("ref")
    found = [run.present(document) for document in Everything().invoke("expenses")]
    reply = model(f"Above 100 EUR. [{found[0]['ref']}] Second class. [{found[1]['ref']}]").invoke(
        [SystemMessage(run.instructions()), HumanMessage(json.dumps(found))]
    )
    shown = page(run, run.resolve(reply.text))
    assert shown.startswith("Above 100 EUR. [1] Second class. [2]\n")
    assert "[1] handbook\\.pdf\n- page 4" in shown
    assert "[2] [Travel](<https://intranet.example/travel#:~:text=Train" in shown


async def test_an_asynchronous_retriever_and_a_stream(page: Page) -> None:
    """The same with `ainvoke` and `astream`: the pieces join to the text, and the last event holds the answer."""
    run = CitationRun("inline_url", resources=["context"])
    first, second = run.present_context(await Everything().ainvoke("expenses"))
    text = f'Above 100 EUR. [[1]]({first["source_url"]} "over 100 EUR") Second class. [[2]]({second["source_url"]})'
    pieces = (piece.text async for piece in model(text).astream("How much?"))
    events = [event async for event in run.stream(pieces)]
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == text
    done = events[-1]
    assert isinstance(done, Finished)
    assert page(run, done.answer).startswith("Above 100 EUR. [1] Second class. [2]\n")


@pytest.mark.parametrize("name", ["ref", "inline_url", "sup_numeric", "evidence_id", "short_id", "deferred"])
def test_no_absolute_path_is_shown(name: str) -> None:
    """Neither a key, nor a title, nor a place tells on which disk a file was read."""
    run = CitationRun(name)
    for document in (
        *documents(),
        Document(page_content=RULE, metadata={"source": "file:///home/ann/a.md"}),
        Document(page_content=RULE, metadata={"source": r"C:\Users\ann\b.md", "title": r"C:\Users\ann\b.md"}),
        Document(page_content=RULE, metadata={"source": "/home/ann/c.md", "title": "/home/ann/c.md"}),
        Document(page_content=RULE, metadata={"source": r"\\share\ann\d.md"}),
    ):
        shown = json.dumps(run.present(document))
        assert "ann" not in shown.lower()
        assert "home" not in shown.lower()
    titles = [hit.known.title for hit in run.store]
    assert titles == ["handbook.pdf", "Travel", "a.md", "b.md", "c.md", "d.md"]
    assert all(
        "ann" not in hit.citation_key and hit.evidence_url in (None, SITE["source"]) for hit in run.store
    )


@pytest.mark.parametrize(
    ("metadata", "place"),
    [
        ({"page": 3, "page_label": "4", "total_pages": 9}, "page 4"),
        ({"page": 3, "total_pages": 9}, "page 4"),
        ({"page": 0, "total_pages": 1}, "page 1"),
        ({"page": 3, "page_label": "iv", "total_pages": 9}, "page 4 (printed iv)"),
        ({"page": 0, "page_label": "1"}, "page 1"),
        ({"page": 4, "page_label": "4"}, "page 4"),
        ({"page": 9, "total_pages": 9}, "page 9"),
        ({"page_number": 4}, "page 4"),
        ({"page": 4}, "page 4"),
        ({"page": "4"}, ""),
        ({}, ""),
    ],
)
def test_pages_are_counted_as_their_reader_counts(metadata: dict[str, Any], place: str) -> None:
    """LangChain's readers of PDF count from 0 and say so by a label or by the number of all pages; others from 1."""
    document = Document(page_content=RULE, metadata={"source": "a.pdf", **metadata})
    assert CitationRun().present(document)["locator"] == place


def test_a_scored_document_is_the_document() -> None:
    """What `similarity_search_with_score` returns is presented as it comes, and kept with its score."""
    run = CitationRun()
    pairs = store().similarity_search_with_score("expenses", k=2)
    payloads = run.present_context(pairs)
    assert {payload["content"] for payload in payloads} == {RULE, TRAVEL}
    assert [hit.search_hit for hit in run.store] == pairs
    assert run.present_context([document for document, _ in pairs]) == payloads


def test_a_vector_store_as_a_retriever() -> None:
    """The id that a store gives a passage is its own: found again, it has the same ref."""
    run = CitationRun()
    retriever = store().as_retriever(search_kwargs={"k": 2})
    again = [[run.present(document) for document in retriever.invoke("expenses")] for _ in range(2)]
    assert again[0] == again[1]
    assert len(run.store) == 2
    assert {hit.known.chunk_id for hit in run.store} == {one.id for one in retriever.invoke("expenses")}


def test_passages_of_one_file_are_one_source(page: Page) -> None:
    """Two pages of a file have one number, whatever the ids of their passages."""
    run = CitationRun()
    pages = [
        Document(page_content=text, metadata={**FILE, "page": at, "page_label": str(at + 1)})
        for at, text in enumerate((RULE, TRAVEL))
    ]
    keys = [run.present(document)["ref"] for document in pages]
    shown = page(run, run.resolve(f"One. [{keys[0]}] Two. [{keys[1]}]"))
    assert shown.startswith("One. [1] Two. [1]\n\n### Sources\n\n[1] handbook\\.pdf\n")
    assert "page 1" in shown
    assert "page 2" in shown


def searching(run: CitationRun) -> BaseTool:
    """Return the tool of an agent: the model reads what was presented, the documents go along as an artifact."""

    @tool(response_format="content_and_artifact")
    def search(query: str) -> tuple[str, list[Document]]:
        """Search the handbook."""
        found = Everything().invoke(query)
        return json.dumps([run.present(document) for document in found]), found

    return search


def test_a_tool_with_an_artifact(page: Page) -> None:
    """The tool's message holds the payloads, its artifact the documents; the audit finds nothing amiss."""
    run = CitationRun("ref", audit="raise")
    call = {"name": "search", "args": {"query": "expenses"}, "id": "call-1", "type": "tool_call"}
    message = searching(run).invoke(call)
    assert isinstance(message, ToolMessage)
    assert [document.page_content for document in message.artifact] == [RULE, TRAVEL]
    assert run.audit(message.content) == ()
    (key, _) = (payload["ref"] for payload in json.loads(str(message.content)))
    assert "[1] handbook\\.pdf\n- page 4" in page(run, run.resolve(f"Above 100 EUR. [{key}]"))
    # What was found is still at hand where the answer is shown.
    assert [hit.search_hit for hit in run.store] == message.artifact


def test_an_artifact_that_was_not_presented_is_presented_later() -> None:
    """A retriever's tool of somebody else's: its artifact is presented when it comes."""
    run = CitationRun()
    message = ToolMessage("2 documents", artifact=documents(), tool_call_id="call-1")
    assert [payload["title"] for payload in run.present_context(message.artifact)] == [
        "handbook.pdf",
        "Travel",
    ]


def test_a_chain_of_runnables(page: Page) -> None:
    """A run fits into a chain: retriever, presenting, model, resolving."""
    run = CitationRun("sup_numeric")

    def say(found: list[dict[str, Any]]) -> str:
        return "".join(f"So. <sup>{payload['number']}</sup> " for payload in found)

    chain = Everything() | run.present_context | RunnableLambda(say) | run.resolve
    assert page(run, chain.invoke("expenses")).startswith("So. [1] So. [2]")


def test_messages_of_langchain_are_processed() -> None:
    """An AI message is an answer; a human one comes back as it is."""
    run = CitationRun()
    key = run.present(documents()[1])["ref"]
    processor = CitationProcessor(run)
    message = AIMessage(content=f"Second class. [{key}]", id="m1")
    answer = processor.answer(message)
    assert answer is not None
    assert [citation.sources[0].title for citation in answer.citations] == ["Travel"]
    human = HumanMessage(content=f"What is [{key}]?")
    assert processor.answer(human) is None
    assert processor.process(human) is human


def test_a_document_outlives_a_restart(page: Page) -> None:
    """A conversation that was kept resolves without LangChain's objects, and presents the passages again."""
    run = CitationRun("ref")
    keys = [run.present(document)["ref"] for document in documents()]
    kept = ConversationState.load(json.loads(json.dumps(run.conversation.export())))
    later = CitationRun(conversation=kept)
    answer = later.resolve(f"Above 100 EUR. [{keys[0]}]")
    assert "[1] handbook\\.pdf\n- page 4" in page(later, answer)
    assert later.present_context(answer.context)[0]["ref"] == keys[0]


@pytest.mark.parametrize(
    "document",
    [
        Document(page_content="", metadata=SITE),
        Document(page_content="  \n", metadata=SITE),
        Document(page_content=RULE),
    ],
)
def test_a_document_without_words_or_name_is_an_error(document: Document) -> None:
    """What cannot be cited is said in a sentence."""
    with pytest.raises(InputError, match="A hit needs"):
        CitationRun().present(document)


def test_the_page_ends_in_a_numbered_answer(printed: Callable[[str], str]) -> None:
    """What the documentation shows is a whole turn, in under 20 lines."""
    shown = printed("langchain.md")
    assert shown.startswith(
        "Your line manager approves expenses over 100 EUR. [1]\n\n### Sources\n\n[1] handbook\\.pdf\n"
    )
    assert "page 4" in shown
    assert "/srv" not in shown
