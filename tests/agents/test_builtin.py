"""The built-in answerer over a real library, with the offline model and with models of tests."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import pytest
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.fallback import FallbackModel
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel

from pincite.agents import MODEL_NAME, NO_ANSWER, AnswerStatus, ask, model_of
from pincite.citing import CitationRun
from pincite.core.document import Document
from pincite.core.errors import InputError, ModelError
from pincite.core.ids import chunk_id, document_id, version_of
from pincite.core.limits import DEFAULT
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


async def test_a_model_that_fails_is_a_status(searched: tuple[Search, Collection]) -> None:
    """A provider that breaks down leaves no answer, a status that says so, and its first sentence."""
    search, collection = searched

    def fail(messages: list[ModelMessage], _info: AgentInfo) -> ModelResponse:
        if len(messages) == 1:
            return ModelResponse([ToolCallPart("search", {"question": "expenses"})])
        raise ModelHTTPError(503, "some-model", "Overloaded. Try again later.")

    asked = await ask(
        QUESTION, search=search, collections=[collection], model=FunctionModel(fail), run=CitationRun()
    )
    assert asked.status is AnswerStatus.FAILED
    assert (asked.answer.text, asked.rendered, asked.sources) == ("", "", ())
    assert asked.reason.startswith("The model did not answer: ")
    assert "\n" not in asked.reason
    assert asked.hits


async def test_all_of_several_models_fail(searched: tuple[Search, Collection]) -> None:
    """A chain of models of which none answers is a failure like that of one."""
    search, collection = searched

    def fail(_messages: list[ModelMessage], _info: AgentInfo) -> ModelResponse:
        raise ModelHTTPError(503, "some-model", "Overloaded.")

    both = FallbackModel(FunctionModel(fail), FunctionModel(fail))
    asked = await ask(QUESTION, search=search, collections=[collection], model=both, run=CitationRun())
    assert asked.status is AnswerStatus.FAILED
    assert asked.reason.startswith("The model did not answer: ")


async def test_a_mistake_in_a_tool_stays_an_error(searched: tuple[Search, Collection]) -> None:
    """What is nobody's model's fault is not hidden behind a status."""
    search, collection = searched

    def fail(_messages: list[ModelMessage], _info: AgentInfo) -> ModelResponse:
        msg = "a bug"
        raise ZeroDivisionError(msg)

    with pytest.raises(ZeroDivisionError):
        await ask(
            QUESTION, search=search, collections=[collection], model=FunctionModel(fail), run=CitationRun()
        )


async def test_the_last_request_calls_no_tool(searched: tuple[Search, Collection]) -> None:
    """A model that would go on searching is made to answer while the budget still has a request for it."""
    search, collection = searched
    choices: list[object] = []

    def look(_messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        choices.append((info.model_settings or {}).get("tool_choice"))
        if choices[-1] == "none":
            return ModelResponse([TextPart(f"{NO_ANSWER} Nothing is said of it.")])
        return ModelResponse([ToolCallPart("search", {"question": "again"})])

    asked = await ask(
        QUESTION,
        search=search,
        collections=[collection],
        model=FunctionModel(look),
        run=CitationRun(),
        limits=replace(DEFAULT, agent_requests=3),
    )
    assert choices == [None, None, "none"]
    assert asked.status is AnswerStatus.INSUFFICIENT_EVIDENCE


async def test_the_statuses_of_the_offline_model(searched: tuple[Search, Collection]) -> None:
    """It answers, or says that the documents do not."""
    search, collection = searched
    for question, status in (
        (QUESTION, AnswerStatus.ANSWERED),
        ("What is the capital of Peru?", AnswerStatus.INSUFFICIENT_EVIDENCE),
    ):
        asked = await ask(question, search=search, collections=[collection], run=CitationRun())
        assert asked.status is status
        assert asked.repairs == ()


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
