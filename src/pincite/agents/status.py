"""What can be said of an agent's answer as a whole: one status, by one table of rules."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Final


class AnswerStatus(StrEnum):
    """How an answer came out; `STATUS_RULES` say when it is which."""

    ANSWERED = "answered"
    PARTIAL = "partial"
    UNCITED = "uncited"
    INSUFFICIENT_EVIDENCE = "insufficient_evidence"
    BUDGET_EXHAUSTED = "budget_exhausted"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class AnswerFacts:
    """What the status of an answer depends on, and nothing else.

    `written`: there is an answer. `declined`: it says that the documents do not answer. `valid`: at least one of its
    citations is valid. `faulty`: something in it was meant as a citation and is none, or is one that is not valid.
    `shown`: the model had a passage in front of it. `stopped`: a budget ended the run, refused a call or left no room
    for a repair that was needed.
    """

    written: bool = True
    declined: bool = False
    valid: bool = False
    faulty: bool = False
    shown: bool = True
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class StatusRule:
    """One row: `status` holds where each fact is what the row says of it; None leaves a fact open."""

    status: AnswerStatus
    says: str
    written: bool | None = None
    declined: bool | None = None
    valid: bool | None = None
    faulty: bool | None = None
    shown: bool | None = None
    stopped: bool | None = None

    def holds(self, facts: AnswerFacts) -> bool:
        """Say whether the row speaks of such an answer."""
        return all(
            getattr(self, name) is None or getattr(self, name) is getattr(facts, name) for name in FACT_NAMES
        )


FACT_NAMES: Final = tuple(field.name for field in fields(AnswerFacts))
"""The facts, in the order in which the table prints them."""

STATUS_RULES: Final = (
    StatusRule(
        AnswerStatus.BUDGET_EXHAUSTED,
        "The budget ended before there was an answer.",
        written=False,
        stopped=True,
    ),
    StatusRule(
        AnswerStatus.FAILED,
        "There is no answer: the model failed, or wrote nothing.",
        written=False,
        stopped=False,
    ),
    StatusRule(
        AnswerStatus.INSUFFICIENT_EVIDENCE,
        "It says that the documents do not answer.",
        written=True,
        declined=True,
    ),
    StatusRule(
        AnswerStatus.ANSWERED,
        "Every citation in it is valid, and there is at least one.",
        written=True,
        declined=False,
        valid=True,
        faulty=False,
    ),
    StatusRule(
        AnswerStatus.BUDGET_EXHAUSTED,
        "It is not fully cited, and the budget left no room to go on.",
        written=True,
        declined=False,
        stopped=True,
    ),
    StatusRule(
        AnswerStatus.PARTIAL,
        "Some citations are valid, others are not; the others are left out of the text.",
        written=True,
        declined=False,
        valid=True,
        faulty=True,
        stopped=False,
    ),
    StatusRule(
        AnswerStatus.INSUFFICIENT_EVIDENCE,
        "It cites nothing valid, and no passage was there to be cited.",
        written=True,
        declined=False,
        valid=False,
        shown=False,
        stopped=False,
    ),
    StatusRule(
        AnswerStatus.UNCITED,
        "Passages were there, and no valid citation leads to one.",
        written=True,
        declined=False,
        valid=False,
        shown=True,
        stopped=False,
    ),
)
"""The rules in their order; the first that holds decides, and for every answer one does."""


def status_of(facts: AnswerFacts) -> AnswerStatus:
    """Return the status of an answer of which `facts` hold."""
    return next(rule.status for rule in STATUS_RULES if rule.holds(facts))


def status_table() -> list[str]:
    """Return the rules as the lines of a Markdown table, in their order."""
    words = {True: "yes", False: "no", None: ""}
    head = ["status", "when", *FACT_NAMES]
    rows = [
        [f"`{rule.status}`", rule.says, *(words[getattr(rule, name)] for name in FACT_NAMES)]
        for rule in STATUS_RULES
    ]
    return ["| " + " | ".join(cells) + " |" for cells in (head, ["---"] * len(head), *rows)]
