"""Terms: words and stems where there are spaces, pairs of characters where there are none."""

from __future__ import annotations

import pytest

from pincite.search._analysis import Analysis, passage_grams, question_grams, spaced_text


def test_words_are_folded_and_stemmed() -> None:
    """Case, accents and English endings go; the word before stemming is kept beside."""
    assert Analysis().words("Réimbursed EXPENSES, 100!") == [
        ("reimbursed", "reimburs"),
        ("expenses", "expens"),
        ("100", "100"),
    ]


def test_scripts_without_spaces_become_pairs() -> None:
    """A passage is kept under characters and pairs; a question asks for pairs, or for its only character."""
    assert passage_grams("a 量子力 b") == ["量", "子", "力", "量子", "子力"]
    assert question_grams("量子力 桜") == ["量子", "子力", "桜"]
    assert spaced_text("a 量子力 b").split() == ["a", "b"]
    assert Analysis().words("量子 bit") == [("bit", "bit")]


@pytest.mark.parametrize(
    "text", ["量" * 1_000_000, "a" * 1_000_000, '"' * 1_000_000, "量a" * 500_000, "\ud800" * 1_000_000]
)
def test_a_megabyte_of_the_worst_is_no_trouble(text: str) -> None:
    """Long runs, no runs and lone surrogates pass in linear time; words over 40 bytes are no terms."""
    assert len(Analysis().words(text)) in {0, 500_000}
    assert len(question_grams(text)) in {0, 999_999, 500_000}
