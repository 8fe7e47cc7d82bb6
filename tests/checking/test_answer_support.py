"""Support over a whole answer: together, alone, needed, elsewhere."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.checking import (
    AnswerCheck,
    QuoteVerdict,
    SupportCheck,
    SupportVerdict,
    check_answer,
    check_answer_async,
)
from pincite.core.answer import Answer
from pincite.core.citation import (
    BoundPassage,
    Citation,
    DocumentCitationSource,
    MarkerCitationAnchor,
    SourceSpan,
    SpanUnit,
)
from pincite.core.errors import InputError
from pincite.core.limits import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Sequence

S = SupportVerdict

LIMIT = "Expenses over 250 euro need approval by the finance lead."
LEAVE = "Employees have 30 days of leave each year. Unused leave expires in March."
ROOMS = "Rooms are booked a week ahead by the front desk."
PASSAGES = {"a": LIMIT, "b": LEAVE, "c": ROOMS}


def _answer(text: str, *, excerpts: bool = False) -> Answer:
    """Make an answer of a text with markers `[a]`: each cites the passage of that key, or one of its own text."""
    citations: list[Citation] = []
    at = 0
    while (at := text.find("[", at)) >= 0:
        end = text.index("]", at) + 1
        key = text[at + 1 : end - 1]
        source = DocumentCitationSource(
            key,
            excerpts=(PASSAGES[key],) if excerpts else (),
            passage=None if excerpts else BoundPassage(key),
        )
        citations.append(Citation((source,), MarkerCitationAnchor(at, end)))
        at = end
    return Answer(text, tuple(citations))


@dataclass
class Holds:
    """A method that knows which words a claim needs: supported by all of them, partly by some."""

    needs: Sequence[str]
    name: str = "holds"
    asked: int = 0

    def check(self, claim: str, passages: Sequence[str]) -> SupportCheck:
        """Look for the words, each in any of the passages."""
        assert claim
        self.asked += 1
        held = sum(any(word in passage for passage in passages) for word in self.needs)
        verdict = S.SUPPORTED if held == len(self.needs) else S.PARTIAL if held else S.UNSUPPORTED
        return SupportCheck(verdict, self.name, held / len(self.needs))


def test_each_claim_with_what_it_cites() -> None:
    """Supported, contradicted, uncited, and cited to a passage that says something else."""
    check = check_answer(
        _answer(
            "Approval is needed for expenses over 250 euro [a]. Employees have 28 days of leave each year [b]. "
            "Unused leave expires in March. Rooms are booked a week ahead [a]."
        ),
        PASSAGES,
    )
    supported, contradicted, uncited, misplaced = check.claims
    assert supported.verdict is S.SUPPORTED
    assert supported.better is None
    assert contradicted.verdict is S.CONTRADICTED
    assert contradicted.together is not None
    assert "“28 days”, the passage “30 days”" in contradicted.together.reason
    assert uncited.together is None
    assert uncited.verdict is S.UNSUPPORTED
    assert check.uncited == (uncited,)
    assert uncited.better is not None
    assert (uncited.better.key, uncited.better.check.verdict) == ("b", S.SUPPORTED)
    assert misplaced.verdict is S.UNSUPPORTED
    assert misplaced.better is not None
    assert misplaced.better.key == "c"
    assert [one.support for one in check.answer.citations] == [S.SUPPORTED, S.CONTRADICTED, S.UNSUPPORTED]
    assert not check.is_supported


def test_two_passages_that_support_a_claim_only_together_are_both_needed() -> None:
    """Each alone is half of it."""
    check = check_answer(_answer("Both hold [a][b]."), {"a": "one", "b": "two"}, method=Holds(["one", "two"]))
    (claim,) = check.claims
    assert claim.verdict is S.SUPPORTED
    assert claim.keys == ("a", "b")
    assert [(one.citation, one.check.verdict, one.is_needed) for one in claim.citations] == [
        (0, S.PARTIAL, True),
        (1, S.PARTIAL, True),
    ]
    assert check.is_supported


def test_a_citation_that_adds_nothing_is_not_needed() -> None:
    """Of three, the one that holds nothing can go, and so can either of two that hold the same."""
    method = Holds(["one"])
    check = check_answer(
        _answer("It holds [a][b][c]."), {"a": "one", "b": "one too", "c": "else"}, method=method
    )
    assert [(one.check.verdict, one.is_needed) for one in check.claims[0].citations] == [
        (S.SUPPORTED, False),
        (S.SUPPORTED, False),
        (S.UNSUPPORTED, False),
    ]


def test_the_only_support_is_needed() -> None:
    """Beside one that adds nothing."""
    check = check_answer(_answer("It holds [a][c]."), {"a": "one", "c": "else"}, method=Holds(["one"]))
    assert [one.is_needed for one in check.claims[0].citations] == [True, False]


def test_where_the_whole_is_not_supported_nothing_is_said_of_need() -> None:
    """There is no support that could be lost."""
    check = check_answer(_answer("It holds [a][c]."), {"a": "one", "c": "else"}, method=Holds(["one", "two"]))
    assert [one.is_needed for one in check.claims[0].citations] == [None, None]


def test_the_same_passage_twice_is_one() -> None:
    """Cited twice it is asked about once; the claim needs the passage, so it needs both citations of it."""
    method = Holds(["one"])
    check = check_answer(_answer("It holds [a][a]."), {"a": "one"}, method=method)
    assert method.asked == 1
    assert [one.is_needed for one in check.claims[0].citations] == [True, True]
    check = check_answer(
        _answer("It holds [a][a][b]."), {"a": "one", "b": "two"}, method=Holds(["one", "two"])
    )
    assert [one.is_needed for one in check.claims[0].citations] == [True, True, True]


def test_a_citation_without_a_claim() -> None:
    """A marker on a heading or a question supports no claim and is told of."""
    check = check_answer(_answer("# Expenses [a]\n\nExpenses over 250 euro need approval [a]."), PASSAGES)
    assert check.unclaimed == (0,)
    assert [one.claim.cited for one in check.claims] == [(1,)]
    assert [one.support for one in check.answer.citations] == [None, S.SUPPORTED]


def test_without_passages_the_excerpts_are_what_was_cited() -> None:
    """Any citation that carries its text can be checked."""
    check = check_answer(_answer("Expenses over 250 euro need approval [a].", excerpts=True))
    assert check.claims[0].verdict is S.SUPPORTED
    assert check.claims[0].keys == (None,)


def test_without_any_text_nothing_is_verified() -> None:
    """The verdict is `unchecked`, and says why."""
    check = check_answer(_answer("Expenses over 250 euro need approval [a]."))
    assert check.claims[0].verdict is S.UNCHECKED
    assert check.claims[0].together is not None
    assert check.claims[0].together.reason == "There is no text to look in."


def test_the_length_of_what_is_cited() -> None:
    """The words that are quoted where some are, else the whole passage."""
    answer = _answer("Expenses over 250 euro need approval [a]. Rooms are booked a week ahead [c].")
    first, second = answer.citations
    quoted = replace(first, sources=(replace(first.sources[0], span=SourceSpan(0, 22)),))
    check = check_answer(replace(answer, citations=(quoted, second)), PASSAGES)
    assert check.lengths == (22, len(ROOMS))


def test_quotations_of_a_claim() -> None:
    """What it has in quotation marks is looked for in what it cites."""
    check = check_answer(
        _answer("It says “Unused leave expires in April” [b] and “Rooms are booked a week ahead” there."),
        PASSAGES,
    )
    april, rooms = check.claims[0].quotations
    assert (april.key, april.check.verdict) == ("b", QuoteVerdict.ALTERED)
    assert (rooms.key, rooms.check.verdict) == ("c", QuoteVerdict.ELSEWHERE)
    assert not check.is_supported


def test_a_quotation_of_several_sentences_is_checked_once() -> None:
    """Against what is cited behind the last of them."""
    check = check_answer(
        _answer(
            "The page says “Employees have 30 days of leave each year. Unused leave expires in April.” [b]."
        ),
        PASSAGES,
    )
    (said,) = [one for claim in check.claims for one in claim.quotations]
    assert (said.key, said.check.verdict) == ("b", QuoteVerdict.ALTERED)


def test_a_quotation_in_a_question_is_checked() -> None:
    """It states nothing, and quotes all the same."""
    check = check_answer(
        _answer("Does “Unused leave expires in April” hold? Leave expires in March [b]."), PASSAGES
    )
    (said,) = [one for claim in check.claims for one in claim.quotations]
    assert not said.check.is_verified


def test_more_quotations_than_the_limit() -> None:
    """Those over it are unchecked, with the reason."""
    limits = replace(DEFAULT, answer_quotations=1)
    text = "It says “Unused leave expires in March” and “Rooms are booked a week ahead” [b]."
    check = check_answer(_answer(text), PASSAGES, limits=limits)
    assert [one.check.verdict for one in check.claims[0].quotations] == [
        QuoteVerdict.VERBATIM,
        QuoteVerdict.UNCHECKED,
    ]


def test_pages_are_no_code_points() -> None:
    """A span in another unit says nothing of how much text is cited."""
    answer = _answer("Expenses over 250 euro need approval [a].")
    (first,) = answer.citations
    paged = replace(first, sources=(replace(first.sources[0], span=SourceSpan(3, 5, SpanUnit.PAGES)),))
    assert check_answer(replace(answer, citations=(paged,)), PASSAGES).lengths == (len(LIMIT),)


def test_code_is_no_claim() -> None:
    """What the caller says is code is not checked."""
    text = "Run `Never cite me. Or me.` first [a]."
    start, end = text.index("`"), text.rindex("`") + 1
    check = check_answer(_answer(text), PASSAGES, skipped=[(start, end)])
    assert len(check.claims) == 1


def test_more_claims_than_the_limit() -> None:
    """Those over it are unchecked, with the reason; none is lost."""
    limits = replace(DEFAULT, answer_claims=1)
    check = check_answer(_answer("It is one [a]. It is two [a]. It is three."), PASSAGES, limits=limits)
    assert [one.together and one.together.verdict for one in check.claims][1:] == [S.UNCHECKED, None]
    second = check.claims[1].together
    assert second is not None
    assert "more than 1 claims" in second.reason


def test_more_passages_than_the_limit_of_candidates() -> None:
    """The best uncited passage is looked for among the first of them."""
    passages = {"x": "Nothing to see.", **PASSAGES}
    limits = replace(DEFAULT, answer_passages=1)
    answer = _answer("Unused leave expires in March.")
    assert check_answer(answer, passages, limits=limits).claims[0].better is None
    assert check_answer(answer, passages).claims[0].better is not None


def test_progress_is_told() -> None:
    """After each claim: how many are done, and of how many."""
    seen: list[tuple[int, int]] = []
    check_answer(
        _answer("It is one. It is two."), PASSAGES, progress=lambda done, of: seen.append((done, of))
    )
    assert seen == [(1, 2), (2, 2)]


async def test_asynchronously_the_same() -> None:
    """Claims are asked about at once and come back in order."""
    answer = _answer(
        "Approval is needed for expenses over 250 euro [a]. Employees have 28 days of leave [b]. Rooms are booked."
    )
    seen: list[tuple[int, int]] = []
    later = await check_answer_async(answer, PASSAGES, progress=lambda done, of: seen.append((done, of)))
    assert later == check_answer(answer, PASSAGES)
    assert seen[-1] == (3, 3)


def test_an_empty_answer() -> None:
    """It has no claim, and none that is not supported."""
    check = check_answer(Answer(""))
    assert check == AnswerCheck(Answer(""), "lexical")
    assert check.is_supported


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (("text",), "answer"),
        ((Answer(""), ["a"]), "passages"),
        ((Answer(""), {"a": 3}), "passages"),
    ],
)
def test_wrong_types(arguments: tuple[Any, ...], field: str) -> None:
    """Each is an InputError that names the argument."""
    with pytest.raises(InputError) as error:
        check_answer(*arguments)
    assert error.value.field == field


def test_no_such_method() -> None:
    """Even where there is nothing to check."""
    with pytest.raises(InputError):
        check_answer(Answer(""), method="guessing")


def test_as_json() -> None:
    """The keys of passages stand where indexes would be of no use."""
    check = check_answer(
        _answer("Unused leave expires in March. Expenses over 250 euro need approval [b]."), PASSAGES
    )
    data = json.loads(json.dumps(check.as_dict()))
    assert data["claims"][0]["better"]["passage"] == "b"
    assert data["claims"][1]["together"]["support_verdict"] in {"unsupported", "partial"}
    assert data["claims"][1]["better"]["passage"] == "a"
    assert data["method"] == "lexical"


@given(
    st.lists(
        st.sampled_from(["It holds ", "[a]", "[b]", "[c]", ". ", "\n\n", "# T ", "“one two three” "]),
        max_size=20,
    )
)
def test_every_citation_is_somewhere(pieces: list[str]) -> None:
    """Each belongs to one claim or to none, and its support is that claim's."""
    answer = _answer("".join(pieces))
    check = check_answer(answer, PASSAGES, method=Holds(["Expenses", "leave"]))
    claimed = [one for claim in check.claims for one in claim.claim.cited]
    assert sorted([*claimed, *check.unclaimed]) == list(range(len(answer.citations)))
    for claim in check.claims:
        assert [one.citation for one in claim.citations] == list(claim.claim.cited)
        for one in claim.citations:
            assert check.answer.citations[one.citation].support is one.check.verdict
            if claim.verdict is not S.SUPPORTED:
                assert one.is_needed is None
    for index in check.unclaimed:
        assert check.answer.citations[index].support is None
    assert cast("object", check.answer.text) == answer.text
