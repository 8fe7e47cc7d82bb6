"""Metrics of answers: every figure worked out by hand, and what holds for all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.checking import (
    AnswerCheck,
    BestPassage,
    CitationSupport,
    Claim,
    ClaimCheck,
    QuotationCheck,
    QuoteCheck,
    SupportCheck,
    check_answer,
)
from pincite.core.answer import Answer, Miss
from pincite.core.citation import Citation, DocumentCitationSource
from pincite.core.errors import InputError
from pincite.core.verdicts import MissReason, QuoteVerdict, SupportVerdict
from pincite.evaluation import (
    AnswerMetrics,
    CitationAccuracy,
    CitationLength,
    CitationQuality,
    ClaimShares,
    MarkerRates,
    QuotationCounts,
    SupportLevels,
    macro,
    measure,
    micro,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

FULL, PARTIAL, NONE = SupportVerdict.SUPPORTED, SupportVerdict.PARTIAL, SupportVerdict.UNSUPPORTED
CONTRADICTED, UNCHECKED = SupportVerdict.CONTRADICTED, SupportVerdict.UNCHECKED


@dataclass(frozen=True)
class Cite:
    """A citation of the passage `key`: its verdict alone, and whether the claim needs it."""

    key: str
    verdict: SupportVerdict
    needed: bool | None = None
    text: str = "four words of text"


@dataclass(frozen=True)
class Said:
    """A claim, the verdict on all its citations (None: it has none), and those."""

    text: str
    together: SupportVerdict | None = None
    cites: tuple[Cite, ...] = ()
    better: str = ""
    quoted: tuple[QuoteVerdict, ...] = ()


def support(verdict: SupportVerdict) -> SupportCheck:
    """Return a check with that verdict."""
    return SupportCheck(verdict, "by hand")


def checked(*said: Said, unclaimed: Iterable[Cite] = (), misses: Iterable[MissReason] = ()) -> AnswerCheck:
    """Return the check of an answer with those claims, made by hand."""
    citations: list[Citation] = []
    claims: list[ClaimCheck] = []

    def enter(one: Cite) -> int:
        source = DocumentCitationSource(one.key, excerpts=(one.text,))
        citations.append(Citation((source,), written="[1]"))
        return len(citations) - 1

    for one in said:
        alone = tuple(
            CitationSupport(enter(cite), support(cite.verdict), cite.needed, (cite.key,))
            for cite in one.cites
        )
        claims.append(
            ClaimCheck(
                Claim(0, 1, one.text, tuple(cite.citation for cite in alone)),
                None if one.together is None else support(one.together),
                alone,
                BestPassage(one.better, support(FULL)) if one.better else None,
                tuple(QuotationCheck(0, 1, "x", None, QuoteCheck(verdict)) for verdict in one.quoted),
            )
        )
    free = tuple(map(enter, unclaimed))
    lengths = tuple(len(one.sources[0].excerpts[0]) for one in citations)
    missed = tuple(Miss(0, 1, "[9]", reason) for reason in misses)
    return AnswerCheck(Answer("x", tuple(citations), misses=missed), "by hand", tuple(claims), free, lengths)


EMPTY = measure(checked())


def test_nothing_gives_none() -> None:
    """Without claims, citations, markers and quotations there is no share of any: none is 0 or 1."""
    rates = {name: value for group in EMPTY.rates().values() for name, value in group.items()}
    assert rates.pop("effective") == 0
    assert set(rates.values()) == {None}
    assert {value for group in AnswerMetrics().rates().values() for value in group.values()} == {None}


def test_no_citations() -> None:
    """Two claims without a citation: recall is 0, precision is no number."""
    found = measure(checked(Said("A."), Said("B.")))
    assert found.quality == CitationQuality(claims=2)
    assert (found.quality.recall, found.quality.precision, found.quality.f1) == (0, None, None)
    assert (found.levels.weighted_recall, found.levels.weighted_precision) == (0, None)
    assert (found.accuracy.accuracy, found.accuracy.effective) == (None, 0)
    assert found.shares.uncited_share == 1
    assert (found.shares.unclaimed_share, found.length.mean_words) == (None, None)


def test_no_claims() -> None:
    """A citation of no claim counts as one, and for the length of citations, and nowhere else."""
    found = measure(checked(unclaimed=[Cite("a", FULL)]))
    assert (found.quality, found.levels) == (CitationQuality(), SupportLevels())
    assert found.accuracy == CitationAccuracy(answers=1)
    assert found.shares == ClaimShares(citations=1, unclaimed=1)
    assert found.shares.unclaimed_share == 1
    assert found.length == CitationLength(1, 18, 4)


def test_two_halves_are_both_precise() -> None:
    """Neither supports alone, and the claim needs both: ALCE counts both, TREC gives each a half."""
    found = measure(checked(Said("A.", FULL, (Cite("a", PARTIAL, True), Cite("b", PARTIAL, True)))))
    assert found.quality == CitationQuality(claims=1, recalled=1, citations=2, precise=2)
    assert (found.quality.recall, found.quality.precision, found.quality.f1) == (1, 1, 1)
    assert (found.levels.weighted_precision, found.levels.hard_precision) == (0.5, 0)
    assert (found.levels.weighted_recall, found.levels.hard_recall) == (1, 1)
    assert (found.accuracy.accuracy, found.accuracy.effective) == (0, 0)


def test_a_redundant_citation() -> None:
    """One supports; the other says nothing, and without it nothing is lost: 1 of 2 is precise, F1 is 2/3."""
    found = measure(checked(Said("A.", FULL, (Cite("a", FULL, True), Cite("b", NONE, False)))))
    assert found.quality == CitationQuality(claims=1, recalled=1, citations=2, precise=1)
    assert (found.quality.recall, found.quality.precision) == (1, 0.5)
    assert found.quality.f1 == pytest.approx(2 / 3)
    assert found.accuracy == CitationAccuracy(answers=1, pairs=2, supported=1)


def test_either_of_two_is_enough() -> None:
    """Each supports alone: neither is needed, both are precise."""
    found = measure(checked(Said("A.", FULL, (Cite("a", FULL, False), Cite("b", FULL, False)))))
    assert found.quality.precision == 1


def test_a_claim_that_is_not_recalled_has_no_precise_citation() -> None:
    """Even one that supports it alone: all of its citations together do not."""
    found = measure(checked(Said("A.", CONTRADICTED, (Cite("a", FULL), Cite("b", CONTRADICTED)))))
    assert found.quality == CitationQuality(claims=1, recalled=0, citations=2, precise=0)
    assert found.quality.f1 == 0
    assert found.levels == SupportLevels(1, 0, 0, 2, 1, 0)
    assert found.shares.contradicted_share == 1


def test_a_passage_twice_in_a_claim_is_one_citation() -> None:
    """It neither helps nor harms: 1 of 2 stays 1 of 2, where ALCE's own program would count 2 of 3."""
    twice = (Cite("a", FULL, False), Cite("a", FULL, False), Cite("b", NONE, False))
    found = measure(checked(Said("A.", FULL, twice)))
    assert found.quality == CitationQuality(claims=1, recalled=1, citations=2, precise=1)
    assert found.accuracy == CitationAccuracy(answers=1, pairs=2, supported=1)
    assert found.shares.citations == 3
    assert found.length.citations == 3


def test_a_pair_counts_once() -> None:
    """The same sentence with the same passage again makes no citation more effective; another passage does."""
    once, again = Said("A.", FULL, (Cite("a", FULL, True),)), Said("A.", FULL, (Cite("a", FULL, True),))
    other = Said("A.", FULL, (Cite("b", FULL, True),))
    assert measure(checked(once, again)).accuracy == CitationAccuracy(answers=1, pairs=1, supported=1)
    assert measure(checked(once, other)).accuracy == CitationAccuracy(answers=1, pairs=2, supported=2)
    assert measure(checked(once, again)).quality == CitationQuality(2, 2, 2, 2)


def test_what_has_no_key_is_told_by_its_source() -> None:
    """Two citations of one source without a key are one, those of two sources are two."""

    def of(*documents: str) -> AnswerMetrics:
        citations = tuple(Citation((DocumentCitationSource(name, excerpts=("x",)),)) for name in documents)
        alone = tuple(CitationSupport(at, support(FULL), True, (None,)) for at in range(len(documents)))
        claim = ClaimCheck(Claim(0, 1, "A.", tuple(range(len(documents)))), support(FULL), alone)
        return measure(AnswerCheck(Answer("x", citations), "by hand", (claim,), (), (1,) * len(documents)))

    assert of("a", "a").quality.citations == 1
    assert of("a", "b").quality.citations == 2


def test_three_levels() -> None:
    """Four claims: full, partial, contradicted and uncited; five citations: 2 full, 1 partial, 2 none."""
    found = measure(
        checked(
            Said("A.", FULL, (Cite("a", FULL, True), Cite("b", NONE, False))),
            Said("B.", PARTIAL, (Cite("a", FULL), Cite("c", PARTIAL))),
            Said("C.", CONTRADICTED, (Cite("d", CONTRADICTED),)),
            Said("D."),
        )
    ).levels
    assert found == SupportLevels(4, 1, 1, 5, 2, 1)
    # (2 + 0.5) / 5, (1 + 0.5) / 4, 2 / 5, 1 / 4
    assert found.rates() == {
        "weighted_precision": 0.5, "weighted_recall": 0.375, "hard_precision": 0.4, "hard_recall": 0.25,
    }  # fmt: skip


def test_length() -> None:
    """Of the cited words; one without text is left out, or no text would be the shortest of all."""
    cites = (
        Cite("a", FULL, text="one two"),
        Cite("b", FULL, text="three four five"),
        Cite("c", NONE, text=""),
    )
    found = measure(checked(Said("A.", FULL, cites))).length
    assert found == CitationLength(citations=2, code_points=22, words=5)
    assert (found.mean_code_points, found.mean_words) == (11, 2.5)


def test_shares() -> None:
    """Of five claims one is uncited, one contradicted, one unchecked, two have a better passage; 1 of 4 is loose."""
    found = measure(
        checked(
            Said("A.", FULL, (Cite("a", FULL, True),)),
            Said("B.", better="z"),
            Said("C.", CONTRADICTED, (Cite("b", CONTRADICTED),), better="z"),
            Said("D.", UNCHECKED, (Cite("c", UNCHECKED),)),
            Said("E.", NONE, ()),
            unclaimed=[Cite("a", FULL)],
        )
    ).shares
    assert found == ClaimShares(5, 1, 1, 1, 2, 4, 1)
    assert found.rates() == {
        "uncited_share": 0.2, "contradicted_share": 0.2, "unchecked_share": 0.2, "better_share": 0.4,
        "unclaimed_share": 0.25,
    }  # fmt: skip


def test_markers() -> None:
    """Three resolved, four missed, two of them never issued; what stands in code is no marker."""
    cites = tuple(Cite(key, FULL) for key in "abc")
    reasons = [
        MissReason.NEVER_ISSUED, MissReason.NEVER_ISSUED, MissReason.AMBIGUOUS, MissReason.MALFORMED,
        MissReason.IN_CODE,
    ]  # fmt: skip
    found = measure(checked(Said("A.", FULL, cites), misses=reasons)).markers
    assert found == MarkerRates(resolved=3, missed=4, unknown=2)
    assert (found.resolution_rate, found.unknown_rate) == (3 / 7, 2 / 7)


def test_quotations() -> None:
    """Each verdict is counted; three of the four here are the source's words."""
    quoted = (QuoteVerdict.VERBATIM, QuoteVerdict.ELIDED, QuoteVerdict.ABSENT)
    found = measure(checked(Said("A.", quoted=quoted), Said("B.", quoted=(QuoteVerdict.TYPOGRAPHIC,))))
    assert found.quotations == QuotationCounts(verbatim=1, typographic=1, elided=1, absent=1)
    assert found.quotations.verified_share == 0.75


def test_every_verdict_of_a_quotation_is_a_field() -> None:
    """A verdict that were none would be lost."""
    assert {one.value for one in QuoteVerdict} <= QuotationCounts().as_dict().keys()


def test_micro_and_macro() -> None:
    """A short answer with all of its 1 claim recalled and a long one with 1 of 3: pooled 2/4, on average 2/3."""
    good = Said("A.", FULL, (Cite("a", FULL, True),))
    bad = Said("B.", NONE, (Cite("b", NONE),))
    short, long = measure(checked(good)), measure(checked(good, bad, bad))
    uncited = measure(checked(Said("D.")))
    assert micro([short, long]).quality == CitationQuality(4, 2, 4, 2)
    assert micro([short, long]).quality.recall == 0.5
    assert macro([short, long])["quality"]["recall"] == pytest.approx(2 / 3)
    # Precision is averaged over the answers that have one: 1 and 1/3 here, and nothing of the third.
    assert macro([short, long, uncited])["quality"]["precision"] == pytest.approx(2 / 3)
    assert macro([short, long, uncited])["quality"]["recall"] == pytest.approx(4 / 9)
    # FACT: 1 and 1/2 are the accuracies (the same pair again is no other), (1 + 1 + 0) / 3 the effective citations.
    assert macro([short, long, uncited])["accuracy"] == {"accuracy": 0.75, "effective": pytest.approx(2 / 3)}
    assert micro([short, long, uncited]).accuracy == CitationAccuracy(3, 3, 2)


def test_micro_and_macro_of_nothing() -> None:
    """They are None all over."""
    assert micro([]) == AnswerMetrics()
    assert {value for group in macro([]).values() for value in group.values()} == {None}


def test_wrong_types() -> None:
    """Each is one plain sentence."""
    wrong: Any = "an answer"
    with pytest.raises(InputError, match="`check` is an `AnswerCheck`"):
        measure(wrong)
    for average in (micro, macro):
        with pytest.raises(InputError, match="`answers` is a list of the metrics of answers"):
            average(wrong)
        with pytest.raises(InputError, match="`answers` is a list of the metrics of answers"):
            average([wrong])


@pytest.mark.parametrize("data", [{}, {"quality": 3}, {"quality": {"claims": "1"}}])
def test_what_are_no_metrics(data: dict[str, Any]) -> None:
    """A file of results may have been edited."""
    with pytest.raises(ValueError, match=r"no metrics|no counts"):
        AnswerMetrics.of_dict(data)


VERDICTS = st.sampled_from(list(SupportVerdict))
CITES = st.builds(
    Cite, st.sampled_from("abc"), VERDICTS, st.none() | st.booleans(), st.sampled_from(["", "x", "two words"])
)
CLAIMS = st.builds(
    Said,
    st.sampled_from(["A.", "B."]),
    st.none() | VERDICTS,
    st.lists(CITES, max_size=4).map(tuple),
    st.sampled_from(["", "z"]),
    st.lists(st.sampled_from(list(QuoteVerdict)), max_size=2).map(tuple),
)


def drawn(claims: list[Said], unclaimed: list[Cite], misses: list[MissReason]) -> AnswerMetrics:
    """Return the metrics of an answer with these."""
    return measure(checked(*claims, unclaimed=unclaimed, misses=misses))


ANSWERS = st.builds(
    drawn,
    st.lists(CLAIMS, max_size=5),
    st.lists(CITES, max_size=2),
    st.lists(st.sampled_from(list(MissReason)), max_size=3),
)
UNBOUNDED = {"effective", "mean_code_points", "mean_words"}


@given(st.lists(ANSWERS, max_size=4))
def test_every_share_is_one(answers: list[AnswerMetrics]) -> None:
    """Pooled or on average, a rate is from 0 to 1, or it is None."""
    for rates in (micro(answers).rates(), macro(answers)):
        for group in rates.values():
            for name, value in group.items():
                assert value is None or (value >= 0 and (value <= 1 or name in UNBOUNDED))


@given(st.lists(ANSWERS, max_size=5), st.randoms())
def test_the_order_of_answers_is_nothing(answers: list[AnswerMetrics], random: Any) -> None:
    """To the last digit."""
    mixed = list(answers)
    random.shuffle(mixed)
    assert micro(mixed) == micro(answers)
    assert macro(mixed) == macro(answers)


@given(ANSWERS)
def test_one_answer_is_its_own_average(answer: AnswerMetrics) -> None:
    """Pooled and averaged figures of one answer are its own, and survive being written down."""
    assert micro([answer]) == answer
    assert macro([answer]) == answer.rates()
    assert AnswerMetrics.of_dict(answer.as_dict()) == answer


@given(ANSWERS)
def test_how_the_rates_stand_to_one_another(answer: AnswerMetrics) -> None:
    """Hard support is no more than weighted, F1 lies between recall and precision, ALCE's recall is the hard one."""
    quality, levels = answer.quality, answer.levels
    assert quality.recall == levels.hard_recall
    for hard, weighted in (
        (levels.hard_recall, levels.weighted_recall),
        (levels.hard_precision, levels.weighted_precision),
    ):
        assert (hard is None) == (weighted is None)
        assert hard is None or weighted is None or hard <= weighted
    if quality.f1 is not None and quality.recall is not None and quality.precision is not None:
        assert min(quality.recall, quality.precision) <= quality.f1 + 1e-12
        assert quality.f1 <= max(quality.recall, quality.precision) + 1e-12


def test_of_a_real_check() -> None:
    """What `check_answer` returns is measured as it is: here no citation at all."""
    found = measure(check_answer(Answer("The depot opened in 2019. It is closed on Sundays.")))
    assert found.quality == CitationQuality(claims=2)
    assert found.shares.uncited_share == 1
