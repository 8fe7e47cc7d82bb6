"""The part of a passage that answers a question best."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.search import CoverageSpan, Search, Term, Terms

if TYPE_CHECKING:
    from pincite.core.protocols import BestSpan
    from pincite.library import Collection

HANDBOOK = (
    "Expenses over 100 EUR require prior approval from your line manager. Send the form before you pay.",
)
RULES = (
    "5.1 Approval\n\nCosts are paid if a receipt is there. Expenses over 100 EUR need the approval of a manager. "
    "A purchase is never split.\n\nEmergencies are told of later."
)
TABLE = (
    "Meals are paid as below.\n\nMeal | At home | Abroad\nLunch | 18 EUR | 24 EUR\nDinner | 32 EUR | 42 EUR\n\n"
    "Tips count."
)


def _terms(question: str) -> Terms:
    """Return each word of a question as a term; rare words weigh 3, the others 1."""
    rare = {"approv", "dinner", "split"}
    stems = [word.strip("?").lower() for word in question.split()]
    return Terms(
        tuple(
            Term("stem", stem, stem, 3.0 if stem in rare else 1.0, known=True)
            for stem in dict.fromkeys(stems)
        )
    )


def _grams(question: str) -> Terms:
    pairs = [question[at : at + 2] for at in range(len(question) - 1)]
    return Terms(tuple(Term("gram", pair, pair, 1.0, known=True) for pair in pairs))


def _best(question: str, passage: str) -> str | None:
    finder: BestSpan = CoverageSpan(_terms)
    span = finder.best_span(question, passage)
    return None if span is None else passage[slice(*span)]


@pytest.mark.parametrize(
    ("question", "best"),
    [
        # 3 of 5 parts of the weight in one sentence, and the next adds nothing.
        ("approv manag who", "Expenses over 100 EUR need the approval of a manager."),
        # The heading holds `approval` too, and is none of the sentences.
        ("approv", "Expenses over 100 EUR need the approval of a manager."),
        # 3 of 6 each, next to one another: together they hold all.
        ("approv split", "Expenses over 100 EUR need the approval of a manager. A purchase is never split."),
        # 3 of 12 is less than the floor of .3, so the passage is whole.
        ("approv a1 a2 a3 a4 a5 a6 a7 a8 a9", None),
        ("blue elephants", None),
        ("", None),
    ],
)
def test_the_best_sentence_or_two(question: str, best: str | None) -> None:
    """By the share of the question's terms; a second sentence counts when it adds more than .12."""
    assert _best(question, RULES) == best


def test_of_sentences_that_are_as_good_the_first_is_taken() -> None:
    """What follows leans on it."""
    text = "The fee is due. The fee rises. The fee ends."
    assert _best("fee", text) == "The fee is due."


def test_a_row_is_lit_alone() -> None:
    """Not its table; what the head says counts for each row: `Dinner` and `Abroad` are both in the second."""
    assert _best("dinner abroad", TABLE) == "Dinner | 32 EUR | 42 EUR"


def test_a_head_alone_is_no_answer() -> None:
    """Every row holds it, and the first of them is as good as any."""
    assert _best("abroad", TABLE) == "Lunch | 18 EUR | 24 EUR"


def test_scripts_without_spaces_go_by_pairs_of_characters() -> None:
    """The second sentence holds all three pairs of the question."""
    text = "図書館は九時に開きます。会議室は四階にあります。"
    span = CoverageSpan(_grams).best_span("会議室は", text)
    assert span is not None
    assert text[slice(*span)] == "会議室は四階にあります。"


def test_a_passage_without_a_sentence_is_looked_at_whole() -> None:
    """A heading with nothing under it, a cell."""
    assert _best("approv", "5.1 Approval") == "5.1 Approval"
    assert _best("approv", "") is None


def test_a_search_finds_it_with_its_own_weights(search: Search, handbook: Collection) -> None:
    """`approval` is rarer than `the`; the second sentence of the passage says nothing of it."""
    assert handbook.name == "handbook"
    search.index.sync()
    finder = search.best_span
    assert finder is not None
    assert finder.best_span("Who must give approval for the expenses?", HANDBOOK[0]) == (0, 68)


def test_without_a_reranker_nothing_stands_out(search: Search) -> None:
    """Nothing is scored then, so the whole passage is lit."""
    assert Search(search.library, search.index, search.embedder, None).best_span is None


@given(st.text(max_size=200), st.text(max_size=40))
def test_what_is_found_is_a_part_of_the_passage(passage: str, question: str) -> None:
    """Whatever both say."""
    span = CoverageSpan(_terms).best_span(question, passage)
    if span is not None:
        assert 0 <= span[0] < span[1] <= len(passage)


def test_a_megabyte_without_a_stop_is_looked_at_in_linear_time() -> None:
    """The guard against hanging would notice."""
    CoverageSpan(_terms).best_span("approv split", "a | b " * 100_000)
