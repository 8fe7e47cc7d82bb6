"""Which sentences carry no citation."""

from __future__ import annotations

from pincite.checking import uncited_sentences


def _uncited(text: str, *markers: str) -> list[str]:
    spans = [(text.index(marker), text.index(marker) + len(marker)) for marker in markers]
    return [finding.text for finding in uncited_sentences(text, spans)]


def test_a_marker_serves_the_sentence_it_ends() -> None:
    """A marker after the full stop belongs to the sentence before it, and to no other."""
    text = "Over 100 EUR needs approval. [9f2a1b7c] The finance lead signs. Receipts are due."
    assert _uncited(text, "[9f2a1b7c]") == ["The finance lead signs.", "Receipts are due."]


def test_what_states_nothing_needs_no_citation() -> None:
    """Headings, questions, lead-ins and rules are no claims."""
    text = "# Expenses\n\nWhat is the limit? The rules are:\n\n---\n\n***\n\nIt is 100 EUR."
    assert _uncited(text) == ["It is 100 EUR."]


def test_code_is_no_claim() -> None:
    """A sentence that lies in code is skipped."""
    text = "Run this. `Never cite me.`"
    start = text.index("`")
    assert [f.text for f in uncited_sentences(text, [(0, 3)], [(start, len(text))])] == []


def test_an_empty_answer_has_no_sentences() -> None:
    """Nothing states nothing."""
    assert _uncited("") == []
    assert _uncited(" \n\n ") == []


def test_much_code_takes_linear_time() -> None:
    """Ten thousand code spans among as many sentences are gone through once, not once a sentence."""
    text = "The `a` is B. " * 10_000
    code = [(at + 4, at + 7) for at in range(0, len(text), 14)]
    assert len(uncited_sentences(text, [], code)) == 10_000


def test_a_sentence_behind_code_states_something() -> None:
    """What follows a fence or a code span on its line is prose and needs a source; the code itself does not."""
    text = "```\nx = 1\n```\nThe cafeteria serves food on Fridays."
    (finding,) = uncited_sentences(text, [], [(0, 13)])
    assert finding.text == "The cafeteria serves food on Fridays."
    assert uncited_sentences("```\nprint the moon.\n```", [], [(0, 23)]) == ()
