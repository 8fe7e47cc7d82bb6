"""Where a number would become a part of an address."""

from __future__ import annotations

import pytest

from pincite import CitationRun
from pincite.showing import numbered, render_answer
from pincite.showing._addresses import TAIL, ends_in_address


@pytest.mark.parametrize(
    "before",
    [
        "https://example.org", "see www.example.org", "WWW.Example.org", "example.org?a", "example.org:80",
        "a/b", "(www.example.org", "x" * TAIL,
    ],
)  # fmt: skip
def test_what_a_page_may_make_a_link_of(before: str) -> None:
    """Addresses with a scheme or without one, and a run so long that its beginning is not seen."""
    assert ends_in_address(before)


@pytest.mark.parametrize(
    "before",
    ["", "word", "word.", "www.example.org ", "https://example.org\n", "https://example.org\tword", "3.5"],
)
def test_words_are_no_address(before: str) -> None:
    """A word, a number, and what stands behind white space."""
    assert not ends_in_address(before)


def test_a_number_keeps_away_from_an_address_in_both_forms() -> None:
    """What a chat shows and what is rendered put a space between an address without a scheme and a number."""
    run = CitationRun("ref")
    ref = run.present({"id": "a-1", "document_id": "a", "content": "The sky is blue."})["ref"]
    answer = run.resolve(f"At www.example.org[{ref}] and here[{ref}].")
    assert numbered(answer).text == "At www.example.org [1] and here[1]."
    assert render_answer(answer).text == r"At www\.example\.org [1] and here[1]."
