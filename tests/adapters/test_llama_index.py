"""LlamaIndex's own nodes, retrievers, query engines and models go through a run as they are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from llama_index.core import Document, MockEmbedding, SimpleDirectoryReader, SummaryIndex, VectorStoreIndex
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.llms import CompletionResponse, MockLLM
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.schema import (
    ImageNode,
    IndexNode,
    MediaResource,
    Node,
    NodeRelationship,
    NodeWithScore,
    QueryBundle,
    RelatedNodeInfo,
    TextNode,
)
from llama_index.core.tools import FunctionTool

from pincite import CitationRun, ConversationState
from pincite.citing import Finished, TextDelta
from pincite.core.errors import InputError
from pincite.core.ids import foreign_id

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pincite import Answer

    Page = Callable[[CitationRun, Answer], str]

RULE = "Expenses over 100 EUR require prior approval from your line manager."
TRAVEL = "Trains are booked in second class."
UUID = "9f2a1b7c-3e51-4b8a-9c2d-771f2a6e5d10"


def file_node(text: str, label: str, name: str = "handbook.pdf") -> TextNode:
    """Return a node as LlamaIndex's reader of PDF makes it: a document for each page, with its printed label."""
    metadata = {
        "page_label": label,
        "file_name": name,
        "file_path": f"/home/ann/docs/{name}",
        "file_type": "application/pdf",
        "file_size": 93_118,
        "creation_date": "2026-11-02",
    }
    node = TextNode(text=text, metadata=metadata)
    node.relationships[NodeRelationship.SOURCE] = RelatedNodeInfo(node_id=f"page-{label}")
    return node


def site_node(text: str = TRAVEL) -> TextNode:
    """Return a node of a page of a site."""
    return TextNode(text=text, metadata={"url": "https://intranet.example/travel", "title": "Travel"})


class Scored(BaseRetriever):
    """Finds a page of a file and a page of a site, with their scores."""

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        assert query_bundle.query_str
        return [
            NodeWithScore(node=file_node(RULE, "4"), score=0.83),
            NodeWithScore(node=site_node(), score=0.51),
        ]


def test_a_retriever_ends_in_a_checked_numbered_answer(page: Page) -> None:
    """Present what it found, ask, resolve, check, show: the title is the file's name, the place its printed page."""
    run = CitationRun("ref")
    nodes = Scored().retrieve("expenses")
    found = run.present_context(nodes)
    reply = MockLLM().complete(f"Above 100 EUR. [{found[0]['ref']}] Second class. [{found[1]['ref']}]")
    shown = page(run, run.resolve(reply.text))
    assert shown.startswith("Above 100 EUR. [1] Second class. [2]\n")
    assert "[1] handbook\\.pdf\n- page 4" in shown
    assert "[2] [Travel](<https://intranet.example/travel#:~:text=Train" in shown
    # Scores and ids are LlamaIndex's own.
    assert [hit.search_hit for hit in run.store] == nodes
    assert [hit.search_hit.score for hit in run.store] == [0.83, 0.51]
    assert [hit.known.chunk_id for hit in run.store] == [node.node_id for node in nodes]


async def test_an_asynchronous_retriever_and_a_stream(page: Page) -> None:
    """The same with `aretrieve` and a stream: the pieces join to the text, and the last event holds the answer."""
    run = CitationRun("inline_url", resources=["context"])
    first, second = run.present_context(await Scored().aretrieve("expenses"))
    text = f'Above 100 EUR. [[1]]({first["source_url"]} "prior approval") Second class. [[2]]({second["source_url"]})'
    pieces = (piece.delta or "" for piece in MockLLM().stream_complete(text))
    events = [event async for event in run.stream(pieces)]
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == text
    done = events[-1]
    assert isinstance(done, Finished)
    assert page(run, done.answer).startswith("Above 100 EUR. [1] Second class. [2]\n")


@pytest.mark.parametrize("name", ["ref", "inline_url", "sup_numeric", "evidence_id", "short_id", "deferred"])
def test_no_absolute_path_is_shown(name: str) -> None:
    """Neither a key, nor a title, nor a place tells on which disk a file was read."""
    run = CitationRun(name)
    bare = TextNode(text=RULE, metadata={"file_path": "/home/ann/notes.md"})
    shown = json.dumps([run.present(node) for node in (file_node(RULE, "iv"), bare)])
    assert "ann" not in shown
    assert '"page iv"' in shown
    assert [hit.known.title for hit in run.store] == ["handbook.pdf", "notes.md"]
    assert not any("ann" in hit.citation_key for hit in run.store)


def test_a_folder_is_read_split_indexed_and_cited(page: Page, tmp_path: Path) -> None:
    """LlamaIndex's own reader, splitter and indexes: passages of one file are one source."""
    (tmp_path / "handbook.md").write_text(f"{RULE} {TRAVEL} " * 12, encoding="utf-8")
    splitter = SentenceSplitter(chunk_size=160, chunk_overlap=0)
    nodes = splitter.get_nodes_from_documents(SimpleDirectoryReader(str(tmp_path)).load_data())
    assert len(nodes) > 1
    by_meaning = VectorStoreIndex(nodes, embed_model=MockEmbedding(embed_dim=4)).as_retriever(
        similarity_top_k=2
    )
    run = CitationRun("ref")
    for retriever in (by_meaning, SummaryIndex(nodes).as_retriever()):
        found = run.present_context(retriever.retrieve("expenses"))
        first, second = (payload["ref"] for payload in found[:2])
        shown = page(run, run.resolve(f"Above 100 EUR. [{first}] Second class. [{second}]"))
        assert shown.startswith("Above 100 EUR. [1] Second class. [1]\n\n### Sources\n\n[1] handbook\\.md")
        assert "[2]" not in shown
    # What both found was registered once.
    assert len(run.store) == len(nodes)


def test_pages_of_one_file_are_one_source(page: Page) -> None:
    """The reader makes a document of each page; the file has one number all the same, another file another."""
    run = CitationRun()
    nodes = [file_node(RULE, "1"), file_node(TRAVEL, "2"), file_node(RULE, "1", "old.pdf")]
    keys = [run.present(node)["ref"] for node in nodes]
    shown = page(run, run.resolve(f"One. [{keys[0]}] Two. [{keys[1]}] Three. [{keys[2]}]"))
    assert shown.startswith("One. [1] Two. [1] Three. [2]\n")
    assert "page 1" in shown
    assert "page 2" in shown


def test_nodes_of_one_document_without_a_file_are_one_source(page: Page) -> None:
    """A document that was made of a text has an id, which its nodes keep."""
    document = Document(text=f"{RULE} {TRAVEL} " * 12, doc_id="handbook")
    nodes = SentenceSplitter(chunk_size=160, chunk_overlap=0).get_nodes_from_documents([document])
    run = CitationRun()
    keys = [run.present(node)["ref"] for node in nodes[:2]]
    assert {hit.known.document_id for hit in run.store} == {foreign_id("handbook")}
    assert page(run, run.resolve(f"One. [{keys[0]}] Two. [{keys[1]}]")).startswith("One. [1] Two. [1]\n")


@pytest.mark.parametrize(
    "node",
    [
        TextNode(text=RULE, id_=UUID),
        Document(text=RULE, doc_id=UUID),
        Node(text_resource=MediaResource(text=RULE), id_=UUID),
        IndexNode(text=RULE, index_id="part", id_=UUID),
        NodeWithScore(node=TextNode(text=RULE, id_=UUID), score=0.5),
        NodeWithScore(node=Node(text_resource=MediaResource(text=RULE), id_=UUID)),
        NodeWithScore(node=Document(text=RULE, doc_id=UUID), score=None),
    ],
)
def test_every_kind_of_node_has_words_and_an_id(node: Any) -> None:
    """Also those that have no field `text`; what LlamaIndex adds for a model stays out of the words."""
    run = CitationRun()
    assert run.present(node) == {"ref": UUID[:8], "title": "", "locator": "", "content": RULE}


def test_the_words_are_the_nodes_own() -> None:
    """Metadata that LlamaIndex puts before a text for a model is no part of what is cited."""
    node = file_node(RULE, "4")
    assert "page_label" in node.get_content("all")  # type: ignore[arg-type]
    assert CitationRun().present(node)["content"] == RULE


@pytest.mark.parametrize(
    "node", [TextNode(text=""), TextNode(text=" \n"), ImageNode(image_url="https://a.example/1.png")]
)
def test_a_node_without_words_is_an_error(node: Any) -> None:
    """What cannot be cited is said in a sentence."""
    with pytest.raises(InputError, match="A hit needs its text"):
        CitationRun().present(NodeWithScore(node=node, score=0.5))


class Answering(MockLLM):
    """Says one thing, whatever it is asked."""

    def complete(self, prompt: str, *_: Any, **__: Any) -> CompletionResponse:
        """Return what it always says."""
        assert RULE in prompt
        return CompletionResponse(text="Expenses over 100 EUR require prior approval.")


def test_a_query_engine_that_knows_nothing_of_citations(page: Page) -> None:
    """Its answer is plain prose: its sentences are matched to the nodes that the engine itself says it read."""
    engine = RetrieverQueryEngine.from_args(Scored(), llm=Answering(max_tokens=None))
    response = engine.query("Who approves expenses?")
    run = CitationRun("deferred")
    run.present_context(response.source_nodes)
    shown = page(run, run.resolve(str(response)))
    assert shown.startswith(
        "Expenses over 100 EUR require prior approval. [1]\n\n### Sources\n\n[1] handbook\\.pdf"
    )


def test_a_tool_of_an_agent(page: Page) -> None:
    """A function tool hands the payloads to the model; its raw output stays at hand."""
    run = CitationRun("ref", audit="raise")

    def search(query: str) -> list[dict[str, Any]]:
        """Search the handbook."""
        return run.present_context(Scored().retrieve(query))

    output = FunctionTool.from_defaults(fn=search).call(query="expenses")
    assert run.audit(output.raw_output, output.content) == ()
    key = output.raw_output[0]["ref"]
    assert key in output.content
    assert "[1] handbook\\.pdf\n- page 4" in page(run, run.resolve(f"Above 100 EUR. [{key}]"))


def test_a_node_outlives_a_restart(page: Page) -> None:
    """A conversation that was kept resolves without LlamaIndex's objects, and presents the passages again."""
    run = CitationRun("inline_url")
    keys = [payload["source_url"] for payload in run.present_context(Scored().retrieve("expenses"))]
    kept = ConversationState.load(json.loads(json.dumps(run.conversation.export())))
    later = CitationRun(conversation=kept)
    answer = later.resolve(f'Above 100 EUR. [[1]]({keys[0]} "prior approval") Second. [[2]]({keys[1]})')
    assert page(later, answer).startswith("Above 100 EUR. [1] Second. [2]\n")
    assert [payload["source_url"] for payload in later.present_context(answer.context)] == keys


def test_the_page_ends_in_a_numbered_answer(printed: Callable[[str], str]) -> None:
    """What the documentation shows is a whole turn, in under 20 lines."""
    shown = printed("llama-index.md")
    assert shown.startswith(
        "Your line manager approves expenses over 100 EUR. [1]\n\n### Sources\n\n[1] handbook\\.pdf\n"
    )
    assert "page 4" in shown
    assert "/srv" not in shown
