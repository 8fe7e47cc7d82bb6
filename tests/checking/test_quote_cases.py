"""Every case of the tables beside this file, alone and in a long document."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest
from false_quotes import FALSE
from honest_quotes import HONEST
from quote_cases import K, QuoteCase, V

from pincite.checking import SourceIndex, verify_quote

if TYPE_CHECKING:
    from collections.abc import Hashable

    from pincite.checking.quotes import QuoteCheck

CASES = [*HONEST, *FALSE]
VERIFIED = {V.VERBATIM, V.TYPOGRAPHIC, V.ELIDED}
# Words that no case has.
_PAGE = "Furnaces glowed behind nine tall windows while somebody counted copper ingots twice. \n"
AHEAD, BEHIND = _PAGE * 200 + "\n", "\n\n" + _PAGE * 200


def _check(case: QuoteCase, source: str | SourceIndex) -> QuoteCheck:
    return verify_quote(case.quote, source, prefix=case.prefix, suffix=case.suffix, near=case.near_at)


def _likeness(one: tuple[int, int], other: tuple[int, int]) -> float:
    """Return how much two spans have in common, of what either has."""
    common = min(one[1], other[1]) - max(one[0], other[0])
    return max(0, common) / (max(one[1], other[1]) - min(one[0], other[0]))


def _known(case: QuoteCase) -> None:
    if case.kind is K.TYPO and find_spec("spellchecker") is None:
        pytest.skip("without the extra `spelling` no word is known to be misspelt")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_verdict(case: QuoteCase) -> None:
    """The verdict is a right one, and what verifies nothing is not verified."""
    _known(case)
    check = _check(case, case.source)
    assert check.verdict in case.verdicts, check.reason
    assert check.is_verified == (check.verdict in VERIFIED)


@pytest.mark.parametrize("case", [case for case in CASES if case.spans], ids=lambda case: case.name)
def test_the_span(case: QuoteCase) -> None:
    """What was found is the gold slice: to the letter, or nine tenths of it where other words stand."""
    _known(case)
    check = _check(case, case.source)
    assert check.start is not None
    assert check.end is not None
    gold = [case.source[slice(*span)] for span in case.spans]
    if V.ALTERED in case.verdicts:
        assert _likeness((check.start, check.end), (case.spans[0][0], case.spans[-1][1])) >= 0.9, case.source[
            check.start : check.end
        ]
        return
    assert [case.source[slice(*span)] for span in check.spans] == gold
    assert check.spans == case.spans
    assert (check.start, check.end) == (case.spans[0][0], case.spans[-1][1])
    between = zip(case.spans, case.spans[1:], strict=False)
    assert check.omitted == tuple(case.source[end:start].strip() for (_, end), (start, _) in between)


@pytest.mark.parametrize("case", [case for case in CASES if case.kind], ids=lambda case: case.name)
def test_the_difference(case: QuoteCase) -> None:
    """A difference of the right kind is named, with the words as they stand in the source."""
    _known(case)
    check = _check(case, case.source)
    for one in check.differences:
        assert case.source[one.start : one.end].strip() == one.source.strip()
    matters = case.verdicts.isdisjoint(VERIFIED)
    assert case.kind in {one.kind for one in check.differences if one.matters == matters}, check.reason


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_an_index_says_the_same(case: QuoteCase) -> None:
    """A prepared source, asked once and twice, and asked through its own method, says what the plain one says."""
    index = SourceIndex(case.source)
    check = _check(case, case.source)
    assert _check(case, index) == check
    assert _check(case, index) == check
    assert index.verify(case.quote, prefix=case.prefix, suffix=case.suffix, near=case.near_at) == check


@pytest.mark.parametrize("case", [case for case in CASES if case.source.strip()], ids=lambda case: case.name)
def test_a_long_document_says_the_same(case: QuoteCase) -> None:
    """Pages in front and behind change neither verdict nor place."""
    if V.UNCHECKED in case.verdicts:
        return
    check = _check(case, case.source)
    near = None if case.near_at is None else case.near_at + len(AHEAD)
    long = verify_quote(
        case.quote, AHEAD + case.source + BEHIND, prefix=case.prefix, suffix=case.suffix, near=near
    )
    assert long.verdict is check.verdict, long.reason
    if check.verdict in case.verdicts - {V.TOO_SHORT, V.ABSENT}:
        assert [(start - len(AHEAD), end - len(AHEAD)) for start, end in long.spans] == list(check.spans)


@pytest.mark.parametrize("case", HONEST, ids=lambda case: case.name)
def test_elsewhere(case: QuoteCase) -> None:
    """What another passage says is named with that passage, and not verified."""
    _known(case)
    given = "The furnace glowed behind nine tall windows, and somebody counted copper twice."
    others: dict[Hashable, str] = {
        "first": "Nothing of the kind is said here.",
        "second": case.source,
        ("third", 3): case.source,
    }
    check = verify_quote(case.quote, given, others=others)
    assert check.verdict is V.ELSEWHERE, check.reason
    assert not check.is_verified
    assert check.passage == "second"
    assert check.start is not None
    # Where it stands is told in that passage; without its surroundings it may be the other of two.
    if len(case.spans) == 1 and case.prefix is case.suffix is case.near is None:
        assert (check.start, check.end) == case.spans[0]


@pytest.mark.parametrize("case", FALSE, ids=lambda case: case.name)
def test_a_false_quote_is_not_elsewhere(case: QuoteCase) -> None:
    """A quote that its source does not say is not said by that source as another passage."""
    if case.source == case.quote:
        return
    check = verify_quote(case.quote, "The furnace glowed behind nine tall windows.", others={1: case.source})
    assert check.verdict is not V.ELSEWHERE, check.reason
    assert not check.is_verified


GATE = "The gate was shut by the mayor."
TWICE = f"In May: {GATE} It rained. In June: {GATE} It snowed."


def test_a_repeated_sentence_is_told_so() -> None:
    """Without surroundings the first is given, and that there are more."""
    check = verify_quote(GATE, TWICE)
    assert check.verdict is V.VERBATIM
    assert check.start == TWICE.index(GATE)
    assert check.is_repeated
    assert not verify_quote(GATE, f"In May: {GATE} It snowed.").is_repeated


@pytest.mark.parametrize(
    ("prefix", "suffix", "near"),
    [("In June: ", None, None), (None, " It snowed.", None), (None, None, 40), ("In June:", "It snowed", 40)],
)
def test_surroundings_settle_which_is_meant(prefix: str | None, suffix: str | None, near: int | None) -> None:
    """Once they choose one, it is not called repeated."""
    check = verify_quote(GATE, TWICE, prefix=prefix, suffix=suffix, near=near)
    assert check.start == TWICE.rindex(GATE)
    assert not check.is_repeated


def test_surroundings_that_fit_both_settle_nothing() -> None:
    """A prefix that stands in front of each leaves the quote repeated."""
    source = f"Then: {GATE} Then: {GATE} Then: nothing."
    assert verify_quote(GATE, source, prefix="Then: ").is_repeated


def test_surroundings_verify_nothing() -> None:
    """The right prefix and suffix do not make other words the source's."""
    check = verify_quote("The gate was shut by the king.", TWICE, prefix="In June: ", suffix=" It snowed.")
    assert check.verdict is V.ALTERED
    assert check.start == TWICE.rindex(GATE)


def test_the_later_of_two_is_verified_where_the_first_is_altered() -> None:
    """Near the words that are meant there may be some that are nearly the same."""
    source = "The pump moved 37 litres in each trial. Later the pump moved 73 litres in each trial."
    check = verify_quote("the pump moved 73 litres in each trial", source)
    assert check.verdict is V.VERBATIM
    assert check.start == source.index("the pump")


def test_short_or_cut_quotes_are_looked_for_nowhere_else() -> None:
    """What proves nothing here proves nothing anywhere."""
    assert verify_quote("the mayor", TWICE, others={1: "the mayor"}).verdict is V.TOO_SHORT
    cut = verify_quote("Guests may swim here", "Guests may swim here unless it storms.", others={1: TWICE})
    assert cut.verdict is V.TRUNCATED


def test_others_without_text_verify_nothing() -> None:
    """No passage, or one of space, is no place to be found in."""
    without: list[dict[Hashable, str]] = [{}, {1: ""}, {1: " \n", 2: "***"}]
    for others in without:
        assert verify_quote("The pilots went on strike.", TWICE, others=others).verdict is V.ABSENT


def test_a_source_that_lacks_text_may_be_told_elsewhere() -> None:
    """A passage that could not be read is no reason not to look at the others."""
    assert verify_quote(GATE, "", others={1: TWICE}).verdict in {V.ELSEWHERE, V.UNCHECKED}
    assert not verify_quote(GATE, "", others={1: TWICE}).is_verified
