"""Metrics of cited answers: what a check of every claim comes to, over one answer and over many.

All of them count what `check_answer` found, so each is worth what the method of support is worth, and two figures may
be compared only where the method was the same. A *claim* is a sentence, list item or table row that states something;
a passage that a claim cites twice is one citation of it; what was `unchecked` counts as not supported, and how much
that is, `ClaimShares` says. A figure without anything to take it of is None.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from pincite.core.given import items_of, of_kind
from pincite.core.verdicts import MissReason, QuoteVerdict, SupportVerdict
from pincite.evaluation._counts import Counts, harmonic, mean, ratio
from pincite.evaluation.expectations import NOTHING_EXPECTED, Expectations

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping
    from typing import Self

    from pincite.checking import AnswerCheck, ClaimCheck, SupportCheck


@dataclass(frozen=True, slots=True)
class CitationQuality(Counts):
    """Citation recall, precision and F1 as ALCE defines them (Gao et al. 2023): support is yes or no.

    - `recall`: `recalled` / `claims`. A claim is recalled when all its citations together support it; one without a
      citation is not.
    - `precision`: `precise` / `citations`. A citation is precise when its claim is recalled and it supports the claim
      alone, or is needed: without it the others do not.
    - `f1`: 2 * recall * precision / (recall + precision).

    `recall` is None without claims, `precision` without citations in claims, `f1` where one of them is. ALCE's own
    program differs in four things: it gives 0 where we give None, counts a passage that is cited twice as two, reads
    three citations of a sentence at most, and gives a sentence with an unknown number no recall; here such a number
    is a miss, and the sentence has what its other citations give it.
    """

    claims: int = 0
    recalled: int = 0
    citations: int = 0
    precise: int = 0

    RATES: ClassVar[tuple[str, ...]] = ("recall", "precision", "f1")

    @property
    def recall(self) -> float | None:
        """The share of claims that their citations together support."""
        return ratio(self.recalled, self.claims)

    @property
    def precision(self) -> float | None:
        """The share of citations that support a claim alone, or without which it loses its support."""
        return ratio(self.precise, self.citations)

    @property
    def f1(self) -> float | None:
        """The harmonic mean of both."""
        return harmonic(self.recall, self.precision)


@dataclass(frozen=True, slots=True)
class SupportLevels(Counts):
    """Support in three levels as in the TREC RAG tracks (2024, 2025): full counts 1, partial 0.5, none 0.

    - `weighted_precision`: (`citations_full` + 0.5 * `citations_partial`) / `citations`, each citation alone.
    - `weighted_recall`: (`claims_full` + 0.5 * `claims_partial`) / `claims`, all citations of a claim together; one
      without a citation counts 0.
    - `hard_precision`, `hard_recall`: the same with partial support as none.

    Precision is None without citations in claims, recall without claims. `contradicted` is no support. TREC's
    assessors read the first citation of each sentence; this counts all.
    """

    claims: int = 0
    claims_full: int = 0
    claims_partial: int = 0
    citations: int = 0
    citations_full: int = 0
    citations_partial: int = 0

    RATES: ClassVar[tuple[str, ...]] = (
        "weighted_precision",
        "weighted_recall",
        "hard_precision",
        "hard_recall",
    )

    @property
    def weighted_precision(self) -> float | None:
        """The mean weight of the citations, each alone."""
        return ratio(self.citations_full + self.citations_partial / 2, self.citations)

    @property
    def weighted_recall(self) -> float | None:
        """The mean weight of the claims, each with all its citations."""
        return ratio(self.claims_full + self.claims_partial / 2, self.claims)

    @property
    def hard_precision(self) -> float | None:
        """The share of citations that support their claim in full."""
        return ratio(self.citations_full, self.citations)

    @property
    def hard_recall(self) -> float | None:
        """The share of claims that are supported in full."""
        return ratio(self.claims_full, self.claims)


@dataclass(frozen=True, slots=True)
class CitationLength(Counts):
    """How much text a citation points to, after LongCite (Zhang et al. 2024), which counts tokens: shorter is better.

    - `mean_code_points`: `code_points` / `citations`, of the words that a citation quotes, else of its passages.
    - `mean_words`: `words` / `citations`.

    Every citation of the answer counts that has any text, whether or not it belongs to a claim; both are None where
    none has. A word is what stands between white space: in scripts without any, go by the code points.
    """

    citations: int = 0
    code_points: int = 0
    words: int = 0

    RATES: ClassVar[tuple[str, ...]] = ("mean_code_points", "mean_words")

    @property
    def mean_code_points(self) -> float | None:
        """Code points of cited text a citation."""
        return ratio(self.code_points, self.citations)

    @property
    def mean_words(self) -> float | None:
        """Words of cited text a citation."""
        return ratio(self.words, self.citations)


@dataclass(frozen=True, slots=True)
class CitationAccuracy(Counts):
    """Citation accuracy and effective citations, as FACT of DeepResearch Bench has them (Du et al. 2025).

    - `accuracy`: `supported` / `pairs`. A pair is a claim with one passage that it cites; the same words with the
      same passage are one pair, however often an answer has them.
    - `effective`: `supported` / `answers`, the supported pairs of an answer.

    Neither is to be told without the other: one safe citation is wholly accurate, and a hundred careless ones have
    many that fit. `accuracy` is None without pairs, `effective` without answers.
    """

    answers: int = 0
    pairs: int = 0
    supported: int = 0

    RATES: ClassVar[tuple[str, ...]] = ("accuracy", "effective")

    @property
    def accuracy(self) -> float | None:
        """The share of pairs in which the passage alone supports the claim."""
        return ratio(self.supported, self.pairs)

    @property
    def effective(self) -> float | None:
        """Supported pairs an answer; no share, and without an upper bound."""
        return ratio(self.supported, self.answers)


@dataclass(frozen=True, slots=True)
class ClaimShares(Counts):
    """What is wrong with claims and citations, as shares; our own but for `better`, which is CiteEval's idea.

    Of all claims: `uncited_share` have no citation, `contradicted_share` are contradicted by what they cite,
    `unchecked_share` have citations and no verdict (no text, too much, or a method that failed), and for
    `better_share` a passage that was given and is not cited supports the claim better than what is cited (CiteEval,
    Xu et al. 2025, rates against all that was retrieved). Of all citations of the answer, `unclaimed_share` belong to
    no claim. The shares of claims are None without claims, the last without citations.
    """

    claims: int = 0
    uncited: int = 0
    contradicted: int = 0
    unchecked: int = 0
    better: int = 0
    citations: int = 0
    unclaimed: int = 0

    RATES: ClassVar[tuple[str, ...]] = (
        "uncited_share",
        "contradicted_share",
        "unchecked_share",
        "better_share",
        "unclaimed_share",
    )

    @property
    def uncited_share(self) -> float | None:
        """The share of claims without a citation."""
        return ratio(self.uncited, self.claims)

    @property
    def contradicted_share(self) -> float | None:
        """The share of claims that their citations together contradict."""
        return ratio(self.contradicted, self.claims)

    @property
    def unchecked_share(self) -> float | None:
        """The share of claims that have citations and no verdict."""
        return ratio(self.unchecked, self.claims)

    @property
    def better_share(self) -> float | None:
        """The share of claims for which an uncited passage does better."""
        return ratio(self.better, self.claims)

    @property
    def unclaimed_share(self) -> float | None:
        """The share of citations that belong to no claim."""
        return ratio(self.unclaimed, self.citations)


@dataclass(frozen=True, slots=True)
class MarkerRates(Counts):
    """What became of the markers that the model wrote; decided exactly, by no method.

    - `resolution_rate`: `resolved` / (`resolved` + `missed`). A marker is resolved when its key is that of a passage
      that was given; one that was mended to find it is resolved too.
    - `unknown_rate`: `unknown` / (`resolved` + `missed`), markers with a key that nobody gave the model.

    What looks like a marker in code is none. Both are None where no marker was written.
    """

    resolved: int = 0
    missed: int = 0
    unknown: int = 0

    RATES: ClassVar[tuple[str, ...]] = ("resolution_rate", "unknown_rate")

    @property
    def resolution_rate(self) -> float | None:
        """The share of markers that name a passage."""
        return ratio(self.resolved, self.resolved + self.missed)

    @property
    def unknown_rate(self) -> float | None:
        """The share of markers with a key that was never issued."""
        return ratio(self.unknown, self.resolved + self.missed)


@dataclass(frozen=True, slots=True)
class QuotationCounts(Counts):
    """How many of the claims' quotations (three words or more in quotation marks) have each verdict of `verify_quote`.

    `verified_share`: (`verbatim` + `typographic` + `elided`) / all; None without quotations.
    """

    verbatim: int = 0
    typographic: int = 0
    elided: int = 0
    altered: int = 0
    truncated: int = 0
    elsewhere: int = 0
    absent: int = 0
    too_short: int = 0
    unchecked: int = 0

    RATES: ClassVar[tuple[str, ...]] = ("verified_share",)

    @property
    def verified_share(self) -> float | None:
        """The share of quotations that are their source's words."""
        return ratio(self.verbatim + self.typographic + self.elided, sum(self.numbers()))


@dataclass(frozen=True, slots=True)
class AnswerMetrics:
    """Every group of metrics, of one answer or of several: adding two gives the metrics of all their answers."""

    quality: CitationQuality = field(default_factory=CitationQuality)
    levels: SupportLevels = field(default_factory=SupportLevels)
    length: CitationLength = field(default_factory=CitationLength)
    accuracy: CitationAccuracy = field(default_factory=CitationAccuracy)
    shares: ClaimShares = field(default_factory=ClaimShares)
    markers: MarkerRates = field(default_factory=MarkerRates)
    quotations: QuotationCounts = field(default_factory=QuotationCounts)
    expected: Expectations = field(default_factory=Expectations)

    def __add__(self, other: Self) -> Self:
        """Return the metrics of the answers of both."""
        mine, theirs = self.groups(), other.groups()
        return type(self)(*(mine[name] + theirs[name] for name in mine))

    def groups(self) -> dict[str, Any]:
        """Return the groups by name."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

    def rates(self) -> dict[str, dict[str, float | None]]:
        """Return the rates of each group by name."""
        return {name: group.rates() for name, group in self.groups().items()}

    def as_dict(self) -> dict[str, dict[str, float | None]]:
        """Return numbers and rates of each group, as JSON holds them."""
        return {name: group.as_dict() for name, group in self.groups().items()}

    @classmethod
    def of_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the metrics that `as_dict` wrote.

        Raises:
            ValueError: a group or a number of one is missing.
        """
        kinds: dict[str, type[Counts]] = {name: type(group) for name, group in cls().groups().items()}
        try:
            found: list[Any] = [kind.of_dict(data[name]) for name, kind in kinds.items()]
        except (KeyError, TypeError, AttributeError) as error:
            msg = "These are no metrics."
            raise ValueError(msg) from error
        return cls(*found)


def measure(check: AnswerCheck, expected: Expectations = NOTHING_EXPECTED) -> AnswerMetrics:
    """Return the metrics of one answer, whose claims were checked.

    `expected` is what it is worth against what it should cite, where somebody has said so.

    Raises:
        InputError: it is no `AnswerCheck`.
    """
    # Its words take longer to load than the base import may.
    from pincite.checking import AnswerCheck as Checked

    of_kind(check, Checked, "check", "an `AnswerCheck`, such as `check_answer` returns")
    claims = [_Tally.of(one, check) for one in check.claims]
    alone = [unit for one in claims for unit in one.units]
    pairs = {(one.text, unit.names): unit.level for one in claims for unit in one.units}
    full, partial = SupportVerdict.SUPPORTED, SupportVerdict.PARTIAL
    together = Counter(one.verdict for one in claims)
    verdicts = Counter(unit.level for unit in alone)
    return AnswerMetrics(
        CitationQuality(len(claims), together[full], len(alone), sum(unit.is_precise for unit in alone)),
        SupportLevels(
            len(claims), together[full], together[partial], len(alone), verdicts[full], verdicts[partial]
        ),
        _length(check),
        CitationAccuracy(1, len(pairs), sum(level is full for level in pairs.values())),
        ClaimShares(
            len(claims),
            together[None],
            together[SupportVerdict.CONTRADICTED],
            together[SupportVerdict.UNCHECKED],
            sum(one.better is not None for one in check.claims),
            len(check.answer.citations),
            len(check.unclaimed),
        ),
        _markers(check),
        _quotations(check),
        expected,
    )


def micro(answers: Iterable[AnswerMetrics]) -> AnswerMetrics:
    """Return the metrics of all answers as if they were one: a long answer weighs more than a short one.

    Raises:
        InputError: these are no metrics.
    """
    return sum(_each(answers), AnswerMetrics())


def macro(answers: Iterable[AnswerMetrics]) -> dict[str, dict[str, float | None]]:
    """Return the mean of each rate over the answers that have it: every answer weighs the same.

    A rate that no answer has is None. The published figures of ALCE are of this kind.

    Raises:
        InputError: these are no metrics.
    """
    rates = [one.rates() for one in _each(answers)]
    return {
        group: {name: mean(one[group][name] for one in rates) for name in names}
        for group, names in AnswerMetrics().rates().items()
    }


def _each(answers: Iterable[AnswerMetrics]) -> Iterable[AnswerMetrics]:
    what = "a list of the metrics of answers"
    return (of_kind(one, AnswerMetrics, "answers", what) for one in items_of(answers, "answers", what))


class _Unit(NamedTuple):
    """A passage as a claim cites it, once or several times: its verdict alone, and whether ALCE counts it."""

    names: Hashable
    level: SupportVerdict
    is_precise: bool


class _Tally(NamedTuple):
    """What is counted of one claim; without a citation it has no verdict."""

    text: str
    verdict: SupportVerdict | None
    units: tuple[_Unit, ...]

    @classmethod
    def of(cls, claim: ClaimCheck, check: AnswerCheck) -> _Tally:
        together = claim.together
        recalled = together is not None and together.is_supported
        units: dict[Hashable, _Unit] = {}
        for one in claim.citations:
            # What has no key is told by its sources, words and all.
            names = (
                one.keys
                if one.keys and None not in one.keys
                else check.answer.citations[one.citation].sources
            )
            precise = recalled and (one.check.is_supported or one.is_needed is True)
            kept = units.get(names)
            units[names] = _Unit(names, one.check.verdict, precise or (kept is not None and kept.is_precise))
        return cls(claim.claim.text, _verdict(together), tuple(units.values()))


def _verdict(check: SupportCheck | None) -> SupportVerdict | None:
    return None if check is None else check.verdict


def _length(check: AnswerCheck) -> CitationLength:
    counted = 0
    for citation, length in zip(check.answer.citations, check.lengths, strict=True):
        if length:
            counted += sum(len(text.split()) for source in citation.sources for text in source.excerpts)
    with_text = [length for length in check.lengths if length]
    return CitationLength(len(with_text), sum(with_text), counted)


def _markers(check: AnswerCheck) -> MarkerRates:
    missed = Counter(miss.reason for miss in check.answer.misses if miss.reason is not MissReason.IN_CODE)
    resolved = sum(citation.written is not None for citation in check.answer.citations)
    return MarkerRates(resolved, missed.total(), missed[MissReason.NEVER_ISSUED])


def _quotations(check: AnswerCheck) -> QuotationCounts:
    found = Counter(one.check.verdict for claim in check.claims for one in claim.quotations)
    return QuotationCounts(**{verdict.value: found[verdict] for verdict in QuoteVerdict})
