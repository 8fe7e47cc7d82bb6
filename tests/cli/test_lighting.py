"""Which words are lit for a citation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.cli.answers import claims_of
from pincite.cli.lighting import find_words
from pincite.core.answer import Answer
from pincite.core.citation import Citation, DocumentCitationSource, MarkerCitationAnchor

TEXT = "Costs are paid.\nExpenses over 100 EUR require\nprior approval. Costs are paid."


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("Expenses over 100 EUR require prior approval.", "Expenses over 100 EUR require\nprior approval."),
        ("EXPENSES  over 100", "Expenses over 100"),
        ("Costs are paid", "Costs are paid."),
        ("over 100 EUR need", None),
        ("", None),
        ("...", None),
    ],
)
def test_words_are_found_across_lines(wanted: str, found: str | None) -> None:
    """White space and case do not count, the closing mark of the last word is taken along, the first place wins."""
    place = find_words(TEXT, wanted)
    assert (None if place is None else TEXT[slice(*place)]) == found


def test_repeats_are_found_in_linear_time() -> None:
    """A needle that nearly fits everywhere does not make the search quadratic (the hang guard would notice)."""
    assert find_words("a " * 100_000, "a " * 50_000 + "b") is None


@given(st.text(max_size=80), st.integers(0, 80), st.integers(0, 80))
def test_any_part_of_a_text_is_found(text: str, start: int, end: int) -> None:
    """What is found holds the words that were asked for."""
    words = text[min(start, end) : max(start, end)].split()
    wanted = " ".join(words)
    place = find_words(text, wanted)
    if place is not None:
        assert 0 <= place[0] < place[1] <= len(text)


def test_a_claim_is_its_sentence_without_markers() -> None:
    """Each citation's claim is the sentence that it stands in, other sentences and all markers left out."""
    text = "Sky is blue. [aaaaaaaa] Grass [bbbbbbbb] is green. [cccccccc]"
    citations = tuple(
        Citation(
            (DocumentCitationSource(None),), MarkerCitationAnchor(text.index(name), text.index(name) + 10)
        )
        for name in ("[aaaaaaaa]", "[bbbbbbbb]", "[cccccccc]")
    )
    answer = Answer(text, citations)
    claims = [" ".join(claim.split()) for claim in claims_of(answer)]
    assert claims == ["Sky is blue.", "Grass is green.", "Grass is green."]
