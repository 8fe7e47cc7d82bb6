"""Links of an export land on the words that are meant: the page is looked at, not the passage alone."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from pincite.core.answer import Answer, Evidence
from pincite.core.citation import BoundPassage, Citation, MarkerCitationAnchor, SourceSpan, WebCitationSource
from pincite.core.errors import InputError
from pincite.core.ids import ChunkEvidenceId, SpanEvidenceId, public_document_id, version_of
from pincite.core.locators import Locator
from pincite.core.memory import MemoryEvidenceStore
from pincite.core.protocols import EvidenceText
from pincite.core.scope import Scope
from pincite.showing import cited_texts, export, render_answer

PAGE = (
    "Contents\n\nExpenses\n\nTravel\n\n"
    "Travel\n\nThe finance lead approves all of it first.\n\n"
    "Expenses\n\nThe finance lead approves all of it first. Receipts are due."
)
ADDRESS = "https://example.org/rules"
DOCUMENT, VERSION = public_document_id("rules"), version_of(PAGE)
START = PAGE.rindex("Expenses")
CHUNK = str(ChunkEvidenceId(DOCUMENT, VERSION, public_document_id("chunk")))
WHOLE = EvidenceText(
    str(SpanEvidenceId(DOCUMENT, VERSION, 0, len(PAGE))), DOCUMENT, VERSION, 0, len(PAGE), PAGE
)
CITED = EvidenceText(CHUNK, DOCUMENT, VERSION, START, len(PAGE), PAGE[START:])
QUOTE = "The finance lead approves all of it first."


def answer(excerpt: str = PAGE[START:], span: SourceSpan | None = None) -> Answer:
    """Return an answer that cites the passage, or an extract of it."""
    bound = BoundPassage("9f2a1b7c", "9f2a1b7c", evidence_id=CHUNK, locator=Locator(headings=("Expenses",)))
    source = WebCitationSource(ADDRESS, "Rules", (excerpt,), span, bound)
    anchor = MarkerCitationAnchor(7, 17)
    evidence = Evidence(1, source, bound.locator, (anchor,))
    return Answer("It is. [9f2a1b7c]", (Citation((source,), anchor),), (evidence,))


def link(given: Answer, texts: Any = ()) -> str:
    """Return the directive of the one source."""
    (source,) = render_answer(given, texts=texts).sources
    assert source.link is not None
    return source.link.removeprefix(f"{ADDRESS}#:~:text=")


def test_a_sentence_that_stands_twice_is_told_from_the_first() -> None:
    """The quote is in the passage at 10; under `Travel` it stands before, so what is in front goes along."""
    quoted = answer(QUOTE, SourceSpan(10, 10 + len(QUOTE)))
    words = "The%20finance%20lead%20approves%20all%20of%20it%20first%2E"
    assert link(quoted) == words
    assert link(quoted, [CITED, WHOLE]) == f"Expenses-,{words},-Receipts%20are%20due%2E"


def test_a_passage_is_lit_from_its_text_on() -> None:
    """Its heading stands in the contents too: the light begins under it and ends with the passage."""
    # One block of 60 code points is named in full, which stands once.
    words = "The%20finance%20lead%20approves%20all%20of%20it%20first%2E%20Receipts%20are%20due%2E"
    assert link(answer(), [CITED, WHOLE]) == words
    assert link(answer()) == words


@pytest.mark.parametrize("texts", [[], [CITED], [WHOLE]])
def test_without_the_page_words_are_named_alone(texts: list[EvidenceText]) -> None:
    """Where the text before is not held, or the passage has no place in it, nothing is named by its two ends."""
    long = answer(
        "Costs are paid by whom they concern.\n\n" + "They are. " * 40 + "\n\nThe very last words are these."
    )
    assert link(long, texts) == "Costs%20are%20paid%20by%20whom%20they%20concern%2E"


@pytest.mark.parametrize("to", ["markdown", "html"])
def test_exports_hand_on_the_texts(to: Any) -> None:
    """Both lead to the words that are meant."""
    quoted = answer(QUOTE, SourceSpan(10, 10 + len(QUOTE)))
    assert "#:~:text=Expenses-,The%20finance" in export(quoted, to=to, texts=[CITED, WHOLE])


def test_texts_are_read_from_a_store() -> None:
    """The passage, and the text of its version up to it; what is out of scope is not there."""
    store = MemoryEvidenceStore([CITED, WHOLE])
    scope = Scope([DOCUMENT])
    texts = asyncio.run(cited_texts(answer(), store, scope))
    assert [(one.start, one.end) for one in texts] == [(START, len(PAGE)), (0, len(PAGE))]
    assert asyncio.run(cited_texts(answer(), store, Scope([public_document_id("other")]))) == []


@pytest.mark.parametrize("texts", ["ev1", [1], None])
def test_texts_of_another_kind_are_refused(texts: Any) -> None:
    """One plain sentence says what they are."""
    with pytest.raises(InputError, match="`texts` is a collection of evidence texts"):
        render_answer(answer(), texts=texts)


def test_the_place_in_a_list_begins_with_the_text() -> None:
    """`Expenses` stands beside the quote, and not in it once more."""
    assert "   - Expenses: “The finance lead approves" in export(answer(), to="markdown")
