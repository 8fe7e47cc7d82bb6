"""Support over a whole answer: each claim against what it cites, each citation by itself, and what else there was."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, cast

from pincite.checking._lexical import LexicalSupport
from pincite.checking.claims import Claim, split_claims
from pincite.checking.quotations import QuotationCheck, Sources, spans_in, without_hidden
from pincite.checking.quotes import QuoteCheck
from pincite.checking.support import (
    SupportCheck,
    check_support,
    check_support_async,
    support_method,
    text_of,
    unchecked,
)
from pincite.core.answer import Answer
from pincite.core.citation import MarkerCitationAnchor, SpanUnit
from pincite.core.errors import InputError
from pincite.core.given import of_kind
from pincite.core.limits import DEFAULT, Limits
from pincite.core.verdicts import QuoteVerdict, SupportVerdict

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Hashable, Iterable, Mapping, Sequence

    from pincite.checking.support import SupportMethod
    from pincite.core.citation import Citation, SourceSpan

    _Named = tuple[Hashable, str]
    Progress = Callable[[int, int], None]
    _Asking = Generator["tuple[str, list[str]]", SupportCheck, "ClaimCheck"]

_RANKS: Final = {SupportVerdict.SUPPORTED: 2, SupportVerdict.PARTIAL: 1}
"""How much a verdict is worth; what is not here is worth nothing."""


@dataclass(frozen=True, slots=True)
class CitationSupport:
    """One citation of a claim by itself: the check of the claim against its passages alone.

    `citation` is its index in the answer's citations. `is_needed` says whether the claim loses its support without
    its passages, and is None where the claim is not supported by all of them together. `keys` name its passages, which
    `check.passage` counts.
    """

    citation: int
    check: SupportCheck
    is_needed: bool | None = None
    keys: tuple[Hashable, ...] = ()


@dataclass(frozen=True, slots=True)
class BestPassage:
    """A passage that was there to be cited and that the claim does not cite, by its key, with the check against it."""

    key: Hashable
    check: SupportCheck


@dataclass(frozen=True, slots=True)
class ClaimCheck:
    """A claim of an answer against what it cites.

    `together` is the check against the passages of all its citations, None where it has none, and `keys` name those
    passages, which `together.passage` counts; `citations` are those citations, each by itself. `better` is the best
    passage that it does not cite, where that one supports it and the cited ones do not, or do so less. `quotations`
    are the words that the claim has in quotation marks.
    """

    claim: Claim
    together: SupportCheck | None = None
    citations: tuple[CitationSupport, ...] = ()
    better: BestPassage | None = None
    quotations: tuple[QuotationCheck, ...] = ()
    keys: tuple[Hashable, ...] = ()

    @property
    def verdict(self) -> SupportVerdict:
        """The verdict on all its citations together; `unsupported` where it has none."""
        return SupportVerdict.UNSUPPORTED if self.together is None else self.together.verdict

    def as_dict(self) -> dict[str, Any]:
        """Return the check as JSON holds it."""
        better = self.better
        return {
            "start": self.claim.start,
            "end": self.claim.end,
            "text": self.claim.text,
            "together": None if self.together is None else _as_dict(self.together, self.keys),
            "citations": [
                {"citation": one.citation, "is_needed": one.is_needed, **_as_dict(one.check, one.keys)}
                for one in self.citations
            ],
            "better": None if better is None else _as_dict(better.check, (better.key,)),
            "quotations": [one.as_dict() for one in self.quotations],
        }


@dataclass(frozen=True, slots=True)
class AnswerCheck:
    """Every claim of an answer, checked by `method`.

    `answer` is the answer with the `support` of each citation filled in: the verdict on that citation by itself.
    `unclaimed` are the indexes of its citations that belong to no claim. `lengths` are the code points of cited text
    of each citation: of the words it quotes, else of its passages.
    """

    answer: Answer
    method: str
    claims: tuple[ClaimCheck, ...] = ()
    unclaimed: tuple[int, ...] = ()
    lengths: tuple[int, ...] = ()

    @property
    def uncited(self) -> tuple[ClaimCheck, ...]:
        """The claims that carry no citation."""
        return tuple(one for one in self.claims if not one.claim.cited)

    @property
    def is_supported(self) -> bool:
        """Whether every claim is supported by what it cites, and every quotation is verified."""
        return all(
            one.verdict is SupportVerdict.SUPPORTED and all(said.check.is_verified for said in one.quotations)
            for one in self.claims
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the check as JSON holds it, without the answer."""
        return {
            "method": self.method,
            "claims": [one.as_dict() for one in self.claims],
            "unclaimed": list(self.unclaimed),
            "lengths": list(self.lengths),
        }


def check_answer(
    answer: Answer,
    passages: Mapping[Any, Any] | None = None,
    *,
    method: str | SupportMethod = "lexical",
    skipped: Iterable[tuple[int, int]] = (),
    progress: Progress | None = None,
    limits: Limits = DEFAULT,
) -> AnswerCheck:
    """Check each claim of an answer against what it cites, by `method` (as for `check_support`).

    `passages` is everything that could have been cited, by its citation key: strings or objects with a `text`. A
    citation whose key is not among them is checked against the excerpts of its sources. `skipped` are spans of the
    answer's text that are no prose (code points). `progress` is called with the number of claims done and of all.

    Raises:
        InputError: an argument is of another type, or there is no method of that name.
    """
    task = _Task(answer, passages, method, skipped, limits)
    done: list[ClaimCheck] = []
    for claim in task.claims:
        asking = task.asking(claim)
        check: SupportCheck | None = None
        while True:
            try:
                wanted = next(asking) if check is None else asking.send(check)
            except StopIteration as end:
                done.append(cast("ClaimCheck", end.value))
                break
            check = check_support(*wanted, method=method, limits=limits)
        if progress is not None:
            progress(len(done), len(task.claims))
    return task.result(done)


async def check_answer_async(
    answer: Answer,
    passages: Mapping[Any, Any] | None = None,
    *,
    method: str | SupportMethod = "lexical",
    skipped: Iterable[tuple[int, int]] = (),
    progress: Progress | None = None,
    limits: Limits = DEFAULT,
) -> AnswerCheck:
    """Do what `check_answer` does without holding up the event loop; several claims are asked about at once.

    Raises:
        InputError: as `check_answer`.
    """
    import asyncio  # takes longer to load than the base import may

    task = _Task(answer, passages, method, skipped, limits)
    turns = asyncio.Semaphore(max(1, limits.answer_claims_at_once))
    finished = 0

    async def follow(claim: Claim) -> ClaimCheck:
        nonlocal finished
        asking = task.asking(claim)
        check: SupportCheck | None = None
        async with turns:
            while True:
                try:
                    wanted = next(asking) if check is None else asking.send(check)
                except StopIteration as end:
                    finished += 1
                    if progress is not None:
                        progress(finished, len(task.claims))
                    return cast("ClaimCheck", end.value)
                check = await check_support_async(*wanted, method=method, limits=limits)

    return task.result(await asyncio.gather(*map(follow, task.claims)))


class _Task:
    """What is to be asked of one answer; who asks, and how, is the caller's."""

    __slots__ = (
        "_answer", "_by_words", "_cited", "_limits", "_method", "_passages", "_quoted", "_shown", "_sources", "_starts",
        "claims",
    )  # fmt: skip

    def __init__(
        self,
        answer: Answer,
        passages: Mapping[Any, Any] | None,
        method: str | SupportMethod,
        skipped: Iterable[tuple[int, int]],
        limits: Limits,
    ) -> None:
        self._answer = of_kind(answer, Answer, "answer", "an `Answer`, such as `resolve` returns")
        self._limits = limits
        self._passages = _texts_of(passages)
        self._method = support_method(method).name
        cited = [
            (-1, -1) if one.anchor is None else (one.anchor.start, one.anchor.end) for one in answer.citations
        ]
        code = list(skipped)
        self.claims = split_claims(answer.text, cited, code)
        self._cited = [self._named(one) for one in answer.citations]
        self._by_words = LexicalSupport(kept=limits.answer_passages)
        self._sources = Sources(self._passages, limits)
        markers = [one.anchor for one in answer.citations if isinstance(one.anchor, MarkerCitationAnchor)]
        hidden = [*((one.start, one.end) for one in markers), *code]
        self._shown = without_hidden(answer.text, hidden)
        self._quoted = spans_in(self._shown, limits)
        self._starts = [one.start for one in self.claims]

    def asking(self, claim: Claim) -> _Asking:
        """Yield each claim and the texts to ask about; take the check of each, and return what they come to."""
        asked: dict[tuple[_Named, ...], SupportCheck] = {}

        def ask(wanted: tuple[_Named, ...]) -> Generator[tuple[str, list[str]], SupportCheck, SupportCheck]:
            if wanted not in asked:
                asked[wanted] = yield claim.text, [text for _, text in wanted]
            return asked[wanted]

        if self._is_over(claim):
            note = f"The answer has more than {self._limits.answer_claims:,} claims; this one is not checked."
            return ClaimCheck(claim, unchecked(self._method, note) if claim.cited else None)
        together, cited = None, self._joined(claim.cited)
        alone: list[CitationSupport] = []
        if claim.cited:
            together = yield from ask(cited)
            for one in claim.cited:
                mine = self._joined([one])
                check = yield from ask(mine)
                needed = None
                if together.is_supported:
                    # The same passage cited again does not make up for it.
                    rest = [other for other in claim.cited if not set(self._joined([other])) <= set(mine)]
                    needed = not rest or not (yield from ask(self._joined(rest))).is_supported
                alone.append(CitationSupport(one, check, needed, _keys(mine)))
        better = None
        candidate = self._candidate(claim, together)
        if candidate is not None:
            check = yield from ask(((candidate, self._passages[candidate]),))
            if _rank(check) > _rank(together):
                better = BestPassage(candidate, check)
        return ClaimCheck(claim, together, tuple(alone), better, self._quotations(claim), _keys(cited))

    def result(self, done: Sequence[ClaimCheck]) -> AnswerCheck:
        """Return the whole, with the answer's citations filled in."""
        verdicts = {one.citation: one.check.verdict for claim in done for one in claim.citations}
        answer = self._answer
        citations = tuple(
            replace(one, support=verdicts[index]) if index in verdicts else one
            for index, one in enumerate(answer.citations)
        )
        # The findings are the answer's own; naming them here has them made, which `replace` would do as well.
        told = Answer(
            answer.text,
            citations,
            answer.evidences,
            answer.misses,
            answer.context,
            answer.references,
            answer.checks,
        )
        claimed = {index for claim in self.claims for index in claim.cited}
        return AnswerCheck(
            told,
            self._method,
            tuple(done),
            tuple(index for index in range(len(citations)) if index not in claimed),
            tuple(map(self._length, range(len(citations)))),
        )

    def _is_over(self, claim: Claim) -> bool:
        most = self._limits.answer_claims
        return len(self.claims) > most and claim.start >= self.claims[most].start

    def _named(self, citation: Citation) -> list[_Named]:
        """Return the passages of a citation, each with its key, or None where it was not given by one."""
        found: list[_Named] = []
        for source in citation.sources:
            key = source.passage.citation_key if source.passage is not None else None
            if key in self._passages:
                found.append((key, self._passages[key]))
            else:
                found.extend((None, text) for text in source.excerpts)
        return found

    def _length(self, index: int) -> int:
        sizes = [_length_of(one.span) for one in self._answer.citations[index].sources]
        if None in sizes:
            return sum(len(text) for _, text in self._cited[index])
        return sum(size for size in sizes if size is not None)

    def _joined(self, citations: Iterable[int]) -> tuple[_Named, ...]:
        """Return the passages of some citations, each once."""
        return tuple(dict.fromkeys(named for index in citations for named in self._cited[index]))

    def _candidate(self, claim: Claim, together: SupportCheck | None) -> Hashable | None:
        cited = {key for index in claim.cited for key, _ in self._cited[index]}
        # Only so many are looked at, so no more are gathered.
        most = self._limits.answer_passages + len(cited)
        others = {key: text for key, text in islice(self._passages.items(), most) if key not in cited}
        return best_uncited(claim.text, others, together, by_words=self._by_words, limits=self._limits)

    def _quotations(self, claim: Claim) -> tuple[QuotationCheck, ...]:
        """Return the check of each quotation that begins in a claim, against what it cites and then all others."""
        at = bisect_left(self._starts, claim.start)
        # One that begins before the first claim is that one's, and one between two belongs to the one before it.
        first = 0 if at == 0 else bisect_left(self._quoted, (claim.start, 0))
        until = self._starts[at + 1] if at + 1 < len(self.claims) else len(self._answer.text)
        last = bisect_left(self._quoted, (until, 0))
        if first == last:
            return ()
        # A quotation may be of many sentences, and what it is cited to stand behind the last of them.
        behind = bisect_left(self._starts, self._quoted[last - 1][1])
        cited = self._joined(one for claim in self.claims[at : max(behind, at + 1)] for one in claim.cited)
        checks = (self._quotation(place, cited) for place in range(first, last))
        return tuple(check for check in checks if check is not None)

    def _quotation(self, place: int, cited: tuple[_Named, ...]) -> QuotationCheck | None:
        start, end = self._quoted[place]
        text, most = self._answer.text, self._limits.answer_quotations
        if place < most:
            return self._sources.check(text, start, end, cited, shown=self._shown)
        note = f"The answer has more than {most:,} quotations; this one is not checked."
        return QuotationCheck(
            start, end, text[start:end], None, QuoteCheck(QuoteVerdict.UNCHECKED, note=note)
        )


def best_uncited(
    claim: str,
    others: Mapping[Any, str],
    together: SupportCheck | None,
    *,
    by_words: LexicalSupport | None = None,
    limits: Limits = DEFAULT,
) -> Any:  # noqa: ANN401 - a key of the caller's
    """Return the key of the passage among `others` that has most of a claim's words, None where none has more.

    `together` is the check against what the claim cites: only what is worth more than that is better. `by_words`
    keeps passages prepared over several claims. The first `limits.answer_passages` are looked at.
    """
    if _rank(together) == _RANKS[SupportVerdict.SUPPORTED] or len(claim) > limits.support_claim_code_points:
        return None
    method = by_words if by_words is not None else LexicalSupport(kept=0)
    best, most = None, (_rank(together), 1.0)
    for key, text in islice(others.items(), limits.answer_passages):
        if not text.strip() or len(text) > limits.support_code_points:
            continue
        check = method.check(claim, [text])
        if (rank := (_rank(check), check.score or 0.0)) > most:
            best, most = key, rank
    return best


def _length_of(span: SourceSpan | None) -> int | None:
    """Return the code points of a span, None where it is none of them, or there is none."""
    if span is None or span.unit is not SpanUnit.CODE_POINTS:
        return None
    return max(0, span.end - span.start)


def _keys(passages: Iterable[_Named]) -> tuple[Hashable, ...]:
    return tuple(key for key, _ in passages)


def _as_dict(check: SupportCheck, keys: Sequence[Hashable]) -> dict[str, Any]:
    """Return a check as JSON holds it, with the key of the passage it rests on in place of its index."""
    found = check.as_dict()
    found["passage"] = None if check.passage is None else keys[check.passage]
    return found


def _rank(check: SupportCheck | None) -> int:
    return 0 if check is None else _RANKS.get(check.verdict, 0)


def _texts_of(passages: Mapping[Any, Any] | None) -> dict[Any, str]:
    """Return the texts of passages by their keys, empty for one without text."""
    if passages is None:
        return {}
    if not hasattr(passages, "items"):
        msg = f"`passages` is a mapping of texts by their citation keys, not {type(passages).__name__}."
        raise InputError(msg, field="passages")
    return {key: text_of(passage) for key, passage in passages.items()}
