"""The built-in answerer over a real library, with the offline model and with models of tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pytest
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel

from pincite.agents import MODEL_NAME, NO_ANSWER, ask, model_of
from pincite.citing import CitationRun
from pincite.core.document import Document
from pincite.core.errors import InputError, ModelError
from pincite.core.ids import chunk_id, document_id, version_of
from pincite.core.passage import Passage
from pincite.core.verdicts import MissReason, TraceVerdict
from pincite.library import Library
from pincite.search import open_search

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pincite.library import Collection
    from pincite.search import Search

TEXTS = {
    "expenses.txt": "Expenses over 100 EUR require prior approval from your line manager. "
    "Expenses over 1,000 EUR also require the approval of the finance lead.",
    "leave.txt": "Full-time staff receive 27 days of paid annual leave in each calendar year.",
}
QUESTION = "From which amount do expenses need approval, and who gives it?"


@pytest.fixture
def searched(tmp_path: Path) -> Iterator[tuple[Search, Collection]]:
    """A search over two short texts."""
    with Library.open(tmp_path) as library:
        collection = library.collection("default")
        for name, text in TEXTS.items():
            key = f"upload://{name}"
            document = document_id(collection.collection_id, key)
            version = version_of(text)
            library.keep(
                collection,
                Document(text, version, name, "text/plain", "plain/1"),
                [Passage(chunk_id(document, text), document, version, 0, len(text), text)],
                data=text.encode(),
                source_key=key,
            )
        yield open_search(library, tmp_path), collection


async def test_the_offline_model_answers_and_every_citation_is_valid(
    searched: tuple[Search, Collection],
) -> None:
    """Both sentences, both cited, labelled extractive."""
    search, collection = searched
    asked = await ask(QUESTION, search=search, collections=[collection], run=CitationRun())
    assert asked.extractive
    assert asked.model == MODEL_NAME
    assert asked.searches == 1
    assert [one.trace for one in asked.answer.citations] == [TraceVerdict.VALID] * 2
    assert asked.hits[0].title == "expenses.txt"
    assert asked.answer.checks == ()


async def test_no_answer_claims_nothing(searched: tuple[Search, Collection]) -> None:
    """The sentence that there is no answer is not counted as one without a citation."""
    search, collection = searched
    asked = await ask(
        "What is the capital of Peru?", search=search, collections=[collection], run=CitationRun()
    )
    assert asked.answer.text == NO_ANSWER
    assert (asked.answer.citations, asked.answer.misses, asked.answer.checks) == ((), (), ())


async def test_a_model_that_invents_a_ref_is_found_out(searched: tuple[Search, Collection]) -> None:
    """The invented ref is a miss, the real one a citation, and the sentence without either is named."""
    search, collection = searched

    def invent(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        returned = [part for part in messages[-1].parts if isinstance(part, ToolReturnPart)]
        if not returned:
            return ModelResponse([ToolCallPart("search", {"question": "expenses"})])
        assert info.instructions is not None
        assert "ref" in info.instructions
        first = cast("list[dict[str, Any]]", returned[0].content)[0]
        assert set(first) == {"ref", "title", "locator", "content"}
        return ModelResponse(
            [TextPart(f"Over 100 EUR. [{first['ref']}] Pigs fly. [[deadbeef]] Nobody says why they do.")]
        )

    asked = await ask(
        QUESTION, search=search, collections=[collection], model=FunctionModel(invent), run=CitationRun()
    )
    assert not asked.extractive
    assert [one.trace for one in asked.answer.citations] == [TraceVerdict.VALID]
    assert [(miss.written, miss.reason) for miss in asked.answer.misses] == [
        ("[[deadbeef]]", MissReason.NEVER_ISSUED)
    ]
    assert "Nobody says why they do." in [finding.text for finding in asked.answer.checks]


async def test_any_model_of_pydantic_ai_runs(searched: tuple[Search, Collection]) -> None:
    """Its own test model calls the real tool and says something without citations."""
    search, collection = searched
    asked = await ask(QUESTION, search=search, collections=[collection], model=TestModel(), run=CitationRun())
    assert asked.searches == 1
    assert asked.answer.citations == ()


async def test_a_model_that_never_stops_searching_is_stopped(searched: tuple[Search, Collection]) -> None:
    """The run ends with an error in one sentence."""
    search, collection = searched

    def loop(_messages: list[ModelMessage], _info: AgentInfo) -> ModelResponse:
        return ModelResponse([ToolCallPart("search", {"question": "again"})])

    with pytest.raises(ModelError, match=r"did not answer: .*\.$"):
        await ask(
            QUESTION, search=search, collections=[collection], model=FunctionModel(loop), run=CitationRun()
        )


@pytest.mark.parametrize("question", ["", "   ", "x" * 5_000])
async def test_a_question_must_be_one(searched: tuple[Search, Collection], question: str) -> None:
    """An empty question and one over the limit are refused before anything runs."""
    search, collection = searched
    with pytest.raises(InputError):
        await ask(question, search=search, collections=[collection], run=CitationRun())


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("openai:gpt-5", "OPENAI_API_KEY"),
        ("nobody:x", "Unknown model"),
        ("nonsense", "Unknown model"),
    ],
)
def test_a_model_that_cannot_be_used_says_why(monkeypatch: pytest.MonkeyPatch, name: str, says: str) -> None:
    """A missing key and an unknown name are one sentence."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ModelError, match=says) as caught:
        model_of(name)
    assert caught.value.message.endswith(".")
    assert "\n" not in caught.value.message


def test_a_missing_sdk_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the provider's SDK the sentence says what to install."""
    import sys

    monkeypatch.setitem(sys.modules, "anthropic", None)
    with pytest.raises(ModelError, match=r"pip install 'pydantic-ai-slim\[anthropic\]'"):
        model_of("anthropic:claude")


async def test_our_own_model_has_a_name(searched: tuple[Search, Collection]) -> None:
    """`pincite:extractive` may be asked for by name."""
    search, collection = searched
    asked = await ask(QUESTION, search=search, collections=[collection], model=MODEL_NAME, run=CitationRun())
    assert asked.extractive


async def test_warnings_of_the_searches_are_told_once(searched: tuple[Search, Collection]) -> None:
    """A bar of another reranker is warned of, once for all searches of the run."""
    search, collection = searched
    changed = search.library.set_collection(
        collection.collection_id, score_threshold=0.9, reranker="another-1"
    )
    asked = await ask(QUESTION, search=search, collections=[changed], run=CitationRun())
    (warning,) = asked.warnings
    assert "another-1" in warning
