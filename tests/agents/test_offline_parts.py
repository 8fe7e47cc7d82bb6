"""What the offline model quotes of records, tables, lists and code: what a search lights, and never a heading."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from pincite.agents import OfflineModel
from pincite.agents._extract import extract
from pincite.agents._units import Source
from pincite.search import CoverageSpan, Term, Terms

if TYPE_CHECKING:
    from pincite.core.protocols import BestSpan

# As our readers write them: CSV with its header in each row, JSON, a table of Markdown, prose.
CSV = (
    "Name | Team | Extension\nName: Ada Berg | Team: Finance | Extension: 211\n"
    "Name: Otto Brandt | Team: Support | Extension: 212\nName: Mina Solberg | Team: Depot | Extension: 213"
)
JSON = (
    "- name: Valve A; price: 18 EUR; stock: 40\n- name: Valve B; price: 24 EUR; stock: 12\n"
    "- name: Pump C; price: 310 EUR; stock: 3"
)
TABLE = "Limits\n\nMode | Voltage | Fuse\npulse | 24 V | 5 A\nhold | 48 V | 10 A"
PROSE = (
    "Office notes\n\nThe office opens at 08:00. It closes at 17:30 on\nweekdays. Visitors sign in at the desk.\n\n"
    "Approval of travel\nTrips over 500 EUR need the approval of the director."
)
LISTS = (
    "Settings\n\n- Set the relay to 40 before you start the pump\n- Press the green button for two seconds\n\n"
    'Code\n\nRun this:\n\nimport relay\nrelay.start(mode="pulse")\nrelay.stop()\n\n'
    "Shopping\n\n- milk 3 litres\n- bread 2 loaves"
)
QUESTIONS = [
    ("What is the extension of Otto Brandt?", CSV, "Name: Otto Brandt | Team: Support | Extension: 212"),
    ("Which team is Mina Solberg in?", CSV, "Name: Mina Solberg | Team: Depot | Extension: 213"),
    ("What is the extension of Ada Berg?", CSV, "Name: Ada Berg | Team: Finance | Extension: 211"),
    ("What is the price of Valve B?", JSON, "- name: Valve B; price: 24 EUR; stock: 12"),
    ("What is the stock of Pump C?", JSON, "- name: Pump C; price: 310 EUR; stock: 3"),
    ("What is the price of Valve A?", JSON, "- name: Valve A; price: 18 EUR; stock: 40"),
    ("What is the voltage of the hold mode?", TABLE, "hold | 48 V | 10 A"),
    ("Which fuse has the pulse mode?", TABLE, "pulse | 24 V | 5 A"),
    (
        "Which trips need the approval of the director?",
        PROSE,
        "Trips over 500 EUR need the approval of the director.",
    ),
    ("Where do visitors sign in?", PROSE, "Visitors sign in at the desk."),
    ("Which button do I press for two seconds?", LISTS, "- Press the green button for two seconds"),
    ("How do I start the relay in pulse mode?", LISTS, 'relay.start(mode="pulse")'),
]


def _terms(question: str) -> Terms:
    """Return each word of a question as a term of the same weight; words of its grammar are none."""
    grammar = set("what is the of which in has do i for how where".split())
    words = [word for word in re.findall(r"[a-z0-9]+", question.lower()) if word not in grammar]
    return Terms(
        tuple(Term("stem", word.rstrip("s"), word, 1.0, known=True) for word in dict.fromkeys(words))
    )


@pytest.mark.parametrize(("question", "passage", "part"), QUESTIONS)
def test_finding_ask_and_best_span_pick_other_records(question: str, passage: str, part: str) -> None:
    """One function decides, and it is right."""
    finder: BestSpan = CoverageSpan(_terms)
    span = finder.best_span(question, passage)
    assert span is not None
    assert passage[slice(*span)] == part
    quotes = extract(question, [Source(passage)], best_span=finder)
    assert [passage[one.start : one.end] for one in quotes] == [part]


def test_what_the_search_lights_is_quoted_whatever_the_words_say() -> None:
    """The second row is quoted where that is what the finder finds."""

    class Second:
        def best_span(self, question: str, passage: str) -> tuple[int, int] | None:  # noqa: ARG002 - the protocol's
            start = passage.index("- name: Valve B")
            return start, passage.index("\n", start)

    quotes = extract("What is the price of Valve A?", [Source(JSON)], best_span=Second())
    assert JSON[quotes[0].start : quotes[0].end] == "- name: Valve B; price: 24 EUR; stock: 12"


def test_where_nothing_stands_out_its_own_words_decide() -> None:
    """A finder that finds nothing keeps nothing back."""

    class Nothing:
        def best_span(self, question: str, passage: str) -> tuple[int, int] | None:  # noqa: ARG002 - the protocol's
            return None

    quotes = extract("What is the stock of the pump?", [Source(JSON)], best_span=Nothing())
    assert [JSON[one.start : one.end] for one in quotes] == ["- name: Pump C; price: 310 EUR; stock: 3"]


@pytest.mark.parametrize(
    ("question", "passage", "said"),
    [
        ("What is the voltage of the hold mode?", TABLE, "Mode · Voltage · Fuse: hold · 48 V · 10 A [r1]"),
        (
            "Who approves trips over 500 EUR?",
            PROSE,
            "Trips over 500 EUR need the approval of the director. [r1]",
        ),
        ("How much bread?", LISTS, "bread 2 loaves [r1]"),
        (
            "What do I set the relay to before the pump?",
            LISTS,
            "Set the relay to 40 before you start the pump [r1]",
        ),
        ("What are the settings?", LISTS, "The documents do not answer this question."),
    ],
)
def test_finding_headings_and_header_rows_are_cited_as_sentences(
    question: str, passage: str, said: str
) -> None:
    """A heading is never an answer, a header stands before its row, and items do not run together."""
    row = {"ref": "r1", "title": "Notes", "locator": "", "content": passage}
    assert OfflineModel().answer(question, [row]) == said
