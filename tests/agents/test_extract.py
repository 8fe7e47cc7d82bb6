"""Which sentences answer a question, and when none does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.agents._extract import MOST_QUOTES, asked, extract, names
from pincite.agents._units import Source, stem, units_of
from pincite.agents._words import ASKS, HOLDS, LEANS, SUBJECT, Facet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.core.protocols import BestSpan

EXPENSES = Source(
    "Halvick reimburses costs that you incur on its behalf. Expenses over 100 EUR require prior approval from your\n"
    "line manager. Expenses over 1,000 EUR also require the approval of the finance lead. A purchase must not be\n"
    "split to stay below a limit.",
    "Staff Handbook page 4, 5.1 Approval",
)
LEAVE = Source(
    "Full-time staff receive 27 days of paid annual leave in each calendar year. It rises to 29 days after five\n"
    "full years of service.",
    "Staff Handbook page 3, 3.1 Entitlement",
)
MEALS = Source(
    "On journeys of more than eight hours we reimburse meals up to the caps below.\n\n"
    "Meal At home Abroad\n\nBreakfast 12 EUR 15 EUR\n\nDinner 32 EUR 42 EUR\n\n"
    "Alcohol is not reimbursed.",
    "Staff Handbook page 4, 5.4 Meals",
)
PRICES = Source("Code | Price\nFM-110 | 618.00\nDL-8 | 410.00", "Price list, Products")
EVERYTHING = [EXPENSES, LEAVE, MEALS, PRICES]


def answer(
    question: str, sources: list[Source] | None = None, best_span: BestSpan | None = None
) -> list[str]:
    """Return the quotes, each on one line, a row behind the names of its columns."""
    given_sources = sources if sources is not None else EVERYTHING
    said: list[str] = []
    for one in extract(question, given_sources, best_span=best_span):
        text = given_sources[one.source].text
        names = f"{text[slice(*one.header)]}: " if one.header is not None else ""
        said.append(" ".join(f"{names}{text[one.start : one.end]}".split()))
    return said


def test_both_parts_of_a_question_are_answered() -> None:
    """The amount and the person stand in two sentences, and both come, in the order of the page."""
    assert answer("From which amount do expenses need approval, and who gives it?") == [
        "Expenses over 100 EUR require prior approval from your line manager.",
        "Expenses over 1,000 EUR also require the approval of the finance lead.",
    ]


def test_a_sentence_that_leans_on_another_brings_it_along() -> None:
    """`It rises` says nothing without the sentence before it."""
    assert answer("After how many full years of service does the annual leave rise?") == [
        "Full-time staff receive 27 days of paid annual leave in each calendar year.",
        "It rises to 29 days after five full years of service.",
    ]


def test_a_row_comes_with_its_header() -> None:
    """The numbers of a row mean nothing without the names of its columns, and these say nothing alone."""
    assert answer("What is the cap for dinner abroad?") == ["Meal At home Abroad: Dinner 32 EUR 42 EUR"]
    assert answer("What does the FM-110 cost?") == ["Code | Price: FM-110 | 618.00"]


@pytest.mark.parametrize(
    "question",
    [
        "Who won the 1998 football world cup?",
        "What is the capital of Peru?",
        "How many employees work in the Berlin office?",
        "What is the salary of the line manager?",
        "hello",
        "???",
        "",
    ],
)
def test_nothing_is_said_beside_the_question(question: str) -> None:
    """A question that the passages do not answer gets no sentence, also where a word or two is shared."""
    assert answer(question) == []


def test_without_passages_there_is_no_answer() -> None:
    """No source, an empty source and a source of headings all give nothing."""
    assert extract("Who approves expenses?", []) == []
    assert extract("Who approves expenses?", [Source("")]) == []
    assert extract("Who approves expenses?", [Source("# Approval of expenses")]) == []


def test_meaning_decides_where_words_do_not() -> None:
    """Of two sentences that share the same word with the question, the nearer in meaning is taken."""
    sources = [Source("The window of the office is open. The office is open from 08:00 to 17:30.")]

    def similarity(texts: Sequence[str]) -> list[float]:
        return [0.9 if "17:30" in text else 0.1 for text in texts]

    quotes = extract("What are the office hours?", sources, similarity=similarity)
    assert [sources[0].text[one.start : one.end] for one in quotes] == [
        "The office is open from 08:00 to 17:30."
    ]


@pytest.mark.parametrize(
    ("question", "facets"),
    [
        ("From which amount, and who gives it?", frozenset({Facet.NUMBER, Facet.PERSON})),
        ("How long is it kept, and by whom?", frozenset({Facet.TIME, Facet.PERSON})),
        ("What are the costs?", frozenset({Facet.MONEY})),
        ("Wie viele Tage, und bis wann?", frozenset({Facet.NUMBER, Facet.TIME})),
        ("Is it allowed?", frozenset[Facet]()),
    ],
)
def test_what_a_question_asks_for(question: str, facets: frozenset[Facet]) -> None:
    """The words of a question say what an answer must hold."""
    assert asked(question) == facets


def test_words_of_one_stem() -> None:
    """Approve, approval and approved are one word here; a number keeps its digits."""
    assert {stem("approve"), stem("approval"), stem("approved"), stem("approves")} == {"approv"}
    assert stem("1990s") == "1990s"
    assert stem("manager's") == "manager"


def test_names_are_capitals_inside_a_sentence() -> None:
    """The first word of a sentence is no name because of its capital."""
    assert names("Who runs Halvick? Does Peru?") == {stem("halvick"), stem("peru")}


@given(st.text(max_size=400), st.text(max_size=60))
def test_quotes_are_spans_in_order(text: str, question: str) -> None:
    """Whatever the text, every quote lies in it, none overlaps another, and there are not too many."""
    quotes = extract(question, [Source(text)])
    assert len(quotes) <= MOST_QUOTES + 1
    ends = 0
    for quote in quotes:
        assert ends <= quote.start < quote.end <= len(text)
        ends = quote.end


@given(st.text(alphabet="ab. \n|1#-", max_size=200))
def test_units_cover_all_ink(text: str) -> None:
    """Every character that is not white space stands in exactly one unit."""
    covered = "".join(unit.text for unit in units_of(0, Source(text)))
    assert "".join(covered.split()) == "".join(text.split())


@pytest.mark.parametrize(
    "pattern",
    [*(pattern for pattern, _ in ASKS), *HOLDS.values(), LEANS, SUBJECT],
    ids=lambda p: p.pattern[:20],
)
def test_patterns_are_linear(pattern: object) -> None:
    """1 MB of each pattern's worst input ends (the hang guard would notice otherwise)."""
    assert hasattr(pattern, "search")
    for worst in (
        "what is the " * 90_000,
        "1" * 1_000_000,
        "how " * 250_000,
        "a" * 1_000_000,
        "it" * 500_000,
    ):
        pattern.search(worst)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType] - checked above
