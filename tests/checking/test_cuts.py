"""What a quote may not be cut from, and what it may."""

from __future__ import annotations

import pytest
from cut_quotes import LESS, SAME

from pincite.checking import verify_quote
from pincite.checking._cuts import cut_behind, cut_in_front, cut_off
from pincite.core.verdicts import DifferenceKind, QuoteVerdict


@pytest.mark.parametrize(("quote", "source"), LESS)
def test_less_than_the_source_is_not_verified(quote: str, source: str) -> None:
    """Negators, limits and conditions around a quote, and the rest of its numbers, are of it."""
    assert not verify_quote(quote, source).is_verified


@pytest.mark.parametrize(("quote", "source"), SAME)
def test_what_stands_beside_a_quote_does_it_no_harm(quote: str, source: str) -> None:
    """Words that are no negator, limit or condition of it, whatever they look like."""
    check = verify_quote(quote, source)
    assert check.is_verified, check.reason


SOURCE = "None of the nurses signed the letter if it was long."


def test_what_was_cut_off_is_named_where_it_stands() -> None:
    """With its kind, and as it is written."""
    start, end = SOURCE.index("nurses"), SOURCE.index(" if")
    behind = cut_behind(SOURCE, start, end)
    assert behind is not None
    assert (behind.kind, SOURCE[behind.start : behind.end]) == (DifferenceKind.LIMITER, "if")
    front = cut_in_front(SOURCE, start, end)
    assert front is not None
    assert (front.kind, SOURCE[front.start : front.end]) == (DifferenceKind.NEGATOR, "None")
    assert cut_off(SOURCE, start, end) == behind
    assert cut_off(SOURCE, 0, len(SOURCE)) is None


def test_only_what_an_ellipsis_stands_for_is_looked_at() -> None:
    """Up to a place behind, and from a place on in front."""
    start, end = SOURCE.index("nurses"), SOURCE.index(" if")
    assert cut_behind(SOURCE, start, end, end + 1) is None
    assert cut_in_front(SOURCE, start, end, start - 4) is None


def test_of_two_places_the_one_that_is_cut_from_nothing_is_taken() -> None:
    """The same words may stand there with a condition, and again without."""
    source = "Staff may park in the yard if it is dry. In short: Staff may park in the yard."
    check = verify_quote("Staff may park in the yard", source)
    assert check.verdict is QuoteVerdict.VERBATIM
    assert check.start == source.rindex("Staff")
    assert check.is_repeated
    same = verify_quote("staff may  park in the yard", source)
    assert same.verdict is QuoteVerdict.TYPOGRAPHIC
    assert same.start == source.rindex("Staff")


def test_with_surroundings_the_place_that_is_meant_stays() -> None:
    """What is cut off there is not looked for elsewhere."""
    source = "Staff may park in the yard if it is dry. In short: Staff may park in the yard."
    check = verify_quote("Staff may park in the yard", source, near=0)
    assert check.verdict is QuoteVerdict.TRUNCATED
    assert check.start == 0
