"""The statuses: one table, each of its rows, and nothing beside it."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from pincite.agents import (
    STATUS_RULES,
    AnswerFacts,
    AnswerStatus,
    StatusRule,
    status_of,
    status_table,
)
from pincite.agents.status import FACT_NAMES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "pydantic-ai.md"
ALL = [AnswerFacts(*values) for values in product((True, False), repeat=len(FACT_NAMES))]
S = AnswerStatus

# One answer of each row, in the order of the rows: what it is, and what it has to be called.
ROWS = [
    (AnswerFacts(written=False, stopped=True), S.BUDGET_EXHAUSTED),
    (AnswerFacts(written=False, stopped=False), S.FAILED),
    (AnswerFacts(declined=True, valid=False), S.INSUFFICIENT_EVIDENCE),
    (AnswerFacts(valid=True, faulty=False), S.ANSWERED),
    (AnswerFacts(valid=True, faulty=True, stopped=True), S.BUDGET_EXHAUSTED),
    (AnswerFacts(valid=True, faulty=True), S.PARTIAL),
    (AnswerFacts(valid=False, shown=False), S.INSUFFICIENT_EVIDENCE),
    (AnswerFacts(valid=False, shown=True), S.UNCITED),
]


@pytest.mark.parametrize(("row", "told"), list(zip(STATUS_RULES, ROWS, strict=True)))
def test_each_row(row: StatusRule, told: tuple[AnswerFacts, AnswerStatus]) -> None:
    """A row gives its status to an answer that is its own, which no row before it takes."""
    facts, status = told
    assert row.status is status
    assert row.holds(facts)
    assert next(one for one in STATUS_RULES if one.holds(facts)) is row
    assert status_of(facts) is status


@pytest.mark.parametrize("facts", ALL, ids=str)
def test_every_answer_has_a_status(facts: AnswerFacts) -> None:
    """Whatever holds of an answer, a row speaks of it; and these hold for all of them."""
    status = status_of(facts)
    if status is S.ANSWERED:
        assert facts.written
        assert facts.valid
        assert not facts.faulty
        assert not facts.declined
    if not facts.written:
        assert status in (S.FAILED, S.BUDGET_EXHAUSTED)
    if status is S.BUDGET_EXHAUSTED:
        assert facts.stopped


@pytest.mark.parametrize(
    ("facts", "status"),
    [
        # A call was refused, and the answer is fully cited all the same.
        (AnswerFacts(valid=True, stopped=True), S.ANSWERED),
        # The documents do not answer, says the model, and cites the nearest thing.
        (AnswerFacts(declined=True, valid=True), S.INSUFFICIENT_EVIDENCE),
        # All that it cites is invented.
        (AnswerFacts(valid=False, faulty=True), S.UNCITED),
        # It answers from memory: nothing was found.
        (AnswerFacts(valid=False, shown=False, faulty=True), S.INSUFFICIENT_EVIDENCE),
        (AnswerFacts(valid=False, stopped=True), S.BUDGET_EXHAUSTED),
    ],
)
def test_what_lies_between_rows(facts: AnswerFacts, status: AnswerStatus) -> None:
    """Where two could be said, the one that is said is this."""
    assert status_of(facts) is status


def test_the_page_prints_the_table() -> None:
    """The page on pydantic-ai has the rules as they are."""
    text = PAGE.read_text(encoding="utf-8")
    assert "\n".join(status_table()) in text


def test_the_table_says_what_each_row_wants() -> None:
    """One line a row, a cell a fact: yes, no, or nothing where it does not matter."""
    head, rule, *rows = status_table()
    assert head == "| status | when | written | declined | valid | faulty | shown | stopped |"
    assert set(rule) == {"|", " ", "-"}
    assert len(rows) == len(STATUS_RULES)
    assert rows[3].startswith("| `answered` | ")
    assert rows[3].endswith("| yes | no | yes | no |  |  |")
