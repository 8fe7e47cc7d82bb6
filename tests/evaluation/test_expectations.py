"""Whether answers rest on what they should."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from pincite.evaluation import Expectations, evaluate

if TYPE_CHECKING:
    from pathlib import Path

PASSAGES = {
    "a": "Expenses over 100 EUR require prior approval from your line manager.",
    "b": "Receipts are kept for seven years.",
}


def expected(tmp_path: Path, answer: str, **row: Any) -> Expectations:
    """Return what one answer is worth against what its row expects."""
    file = tmp_path / "answers.jsonl"
    file.write_text(json.dumps({"answer": answer, "passages": PASSAGES, **row}) + "\n", encoding="utf-8")
    (found,) = evaluate(file).answers
    return found.metrics.expected


def test_the_right_passage_is_cited(tmp_path: Path) -> None:
    """The words stand in the passage that the answer cites; case and typography do not count."""
    found = expected(tmp_path, "You need approval [a].", expects="PRIOR approval from  your line manager")
    assert found == Expectations(answerable=1, retrieved=1, cited=1, covered=1)
    assert (found.cited_share, found.coverage, found.declined_share) == (1.0, 1.0, None)


def test_another_passage_is_cited(tmp_path: Path) -> None:
    """The right passage was given, and the answer cites the other one."""
    found = expected(tmp_path, "Receipts are kept for seven years [b].", expects=["prior approval"])
    assert found == Expectations(answerable=1, retrieved=1, cited=0, covered=1)


def test_the_right_passage_was_not_given(tmp_path: Path) -> None:
    """No passage has the words: that is the search's fault, and told apart from the answer's."""
    found = expected(tmp_path, "I do not know.", expects=["a dentist"])
    assert found == Expectations(answerable=1, retrieved=0, cited=0, covered=0)


def test_any_of_several_words_will_do(tmp_path: Path) -> None:
    """A fact that stands in two places has two right passages."""
    found = expected(tmp_path, "For seven years [b].", expects=["eight years", "seven years"])
    assert (found.retrieved, found.cited) == (1, 1)


def test_what_has_no_answer_is_declined(tmp_path: Path) -> None:
    """Without an answer in the texts, one that cites nothing is right, and one that cites is not."""
    assert expected(tmp_path, "That is not there.", expects=None) == Expectations(unanswerable=1, declined=1)
    assert expected(tmp_path, "It is so [a].", expects=None) == Expectations(unanswerable=1, declined=0)


def test_where_nobody_said_what_to_expect_nothing_is_counted(tmp_path: Path) -> None:
    """A row without `expects` has no such figure, and the rates are None."""
    found = expected(tmp_path, "You need approval [a].")
    assert found == Expectations()
    assert set(found.rates().values()) == {None}


def test_an_answer_that_declines_makes_no_claim(tmp_path: Path) -> None:
    """That the documents do not answer is no claim without a citation."""
    file = tmp_path / "answers.jsonl"
    said = "The documents do not answer this question."
    rows = [
        {"answer": said, "passages": PASSAGES},
        {"answer": said, "passages": PASSAGES, "status": "insufficient_evidence"},
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert [one.metrics.shares.claims for one in evaluate(file).answers] == [1, 0]


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans()), max_size=8))
def test_counts_add_up(answers: list[tuple[bool, bool, bool]]) -> None:
    """Figures of many answers are the sums of each, in any order."""
    single = [Expectations(1, int(a), int(b), int(c)) for a, b, c in answers]
    assert sum(single, Expectations()) == sum(reversed(single), Expectations())
    assert sum(single, Expectations()).answerable == len(answers)
