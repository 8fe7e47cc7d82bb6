"""Looking into fetched passages: whether they have a quote's words, and whether they say what a claim says."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Final

from anyio import to_thread

from pincite.checking import SourceIndex, check_support_async
from pincite.checking.answer_support import best_uncited
from pincite.citing.present import neutralised, restored
from pincite.core.ids import SpanEvidenceId
from pincite.core.limits import DEFAULT, Limits
from pincite.core.text import one_line
from pincite.core.verdicts import QuoteVerdict
from pincite.protocols.mcp._replies import Judged, Quoted, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pincite.checking import QuoteCheck, SupportMethod
    from pincite.core.protocols import EvidenceText

# Verdicts on words that stand in a passage, though they do not prove what they are quoted for.
_SAID: Final = (QuoteVerdict.TRUNCATED, QuoteVerdict.TOO_SHORT)
_GONE: Final = "The passage can no longer be read."
_SENTENCE: Final = 1_000
"""Code points of the sentence on which a verdict rests; its place says where the rest is."""


class Looking:
    """Looks for quotes in passages, until its time is up."""

    def __init__(
        self,
        texts: Mapping[str, EvidenceText],
        reasons: Mapping[str, str],
        *,
        until: float,
        limits: Limits = DEFAULT,
    ) -> None:
        """`texts` are the passages by id, `reasons` why an id may not be looked at, `until` is monotonic time."""
        self._texts = texts
        self._reasons = reasons
        self._until = until
        self._limits = limits
        self._indexes: dict[str, SourceIndex] = {}

    def quoted(self, quote: str, cited: str | None) -> Quoted:
        """Return where a quote stands: in the passage that it is said to be from, else in another fetched one.

        Raises:
            TimeoutError: the time is up.
        """
        first = None
        if cited is not None:
            first = self._texts.get(cited)
            if first is None:
                why = self._reasons.get(cited, _GONE)
                return _not_found(quote, QuoteVerdict.UNCHECKED, cited, f"It cannot be looked for. {why}")
        if not self._texts:
            return _not_found(quote, QuoteVerdict.UNCHECKED, None, "Nothing was fetched in this session.")
        # What was put away in the passage when it was shown is looked for as the passage has it.
        words = restored(quote)
        best: tuple[EvidenceText, QuoteCheck] | None = None
        others = (text for text in self._texts.values() if text is not first)
        for text in others if first is None else chain([first], others):
            if time.monotonic() > self._until:
                raise TimeoutError
            check = self._index(text).verify(words)
            if check.is_verified or (check.verdict in _SAID and (first is None or text is first)):
                elsewhere = first is not None and text is not first
                return _found(
                    quote, replace(check, verdict=QuoteVerdict.ELSEWHERE) if elsewhere else check, text
                )
            # Of one that stands nowhere, the passage that it is said to be from tells most.
            if best is None or (first is None and check.score > best[1].score):
                best = text, check
        if best is None or best[1].start is None:
            where = "that passage" if first is not None else "any fetched passage"
            verdict = QuoteVerdict.ABSENT if best is None else best[1].verdict
            return _not_found(quote, verdict, cited, f"These words do not stand in {where}.")
        return _found(quote, best[1], best[0])

    def _index(self, text: EvidenceText) -> SourceIndex:
        """Return a passage ready to be searched; each is made ready once."""
        known = self._indexes.get(text.evidence_id)
        if known is None:
            known = self._indexes[text.evidence_id] = SourceIndex(text.text, limits=self._limits)
        return known


class Judging:
    """Holds claims against fetched passages."""

    def __init__(
        self,
        texts: Mapping[str, EvidenceText],
        reasons: Mapping[str, str],
        method: str | SupportMethod,
        limits: Limits,
    ) -> None:
        """`texts` are the passages by id, `reasons` why an id may not be looked at."""
        self._texts = texts
        self._reasons = reasons
        self._method: str | SupportMethod = method
        self._limits = limits

    async def judged(self, claim: str, evidence_ids: Sequence[str]) -> Judged:
        """Return whether the passages that a claim names, together, say what it says; else which other one does."""
        # What was put away in a passage when it was shown is looked for as the passage has it.
        words = restored(claim)
        cited = {name: self._texts[name] for name in evidence_ids if name in self._texts}
        check = await check_support_async(words, cited.values(), method=self._method, limits=self._limits)
        others = {name: one.text for name, one in self._texts.items() if name not in cited}
        # What is looked at may be much; nobody waits for it beyond the deadline.
        better = await to_thread.run_sync(
            partial(best_uncited, words, others, check, limits=self._limits), abandon_on_cancel=True
        )
        place = None if check.passage is None else list(cited.values())[check.passage]
        told = place is not None and check.start is not None and check.end is not None
        return Judged(
            claim=claim,
            verdict=check.verdict,
            method=check.method,
            score=check.score,
            evidence_id=place.evidence_id if place is not None else None,
            start=check.start,
            end=check.end,
            sentence=_shown(place.text[check.start : check.end]) if told and place is not None else "",
            reason=neutralised(check.reason),
            better=better,
            refused=[
                Refused(evidence_id=name, reason=self._reasons.get(name, _GONE))
                for name in dict.fromkeys(evidence_ids)
                if name not in cited
            ],
        )


def _shown(text: str) -> str:
    """Return words of a source on one line, without what steers a terminal, and cut."""
    return neutralised(one_line(text, _SENTENCE))


def _found(quote: str, check: QuoteCheck, text: EvidenceText) -> Quoted:
    span, start, end = None, check.start, check.end
    if start is not None and end is not None and start < end and text.end - text.start == len(text.text):
        place = text.start + start, text.start + end
        span = str(SpanEvidenceId(text.document_id, text.version, *place))
    return Quoted(
        quote=quote,
        verdict=check.verdict,
        evidence_id=text.evidence_id,
        start=start,
        end=end,
        span=span,
        reason="" if check.verdict is QuoteVerdict.VERBATIM else neutralised(check.reason),
    )


def _not_found(quote: str, verdict: QuoteVerdict, cited: str | None, reason: str) -> Quoted:
    return Quoted(
        quote=quote, verdict=verdict, evidence_id=cited, start=None, end=None, span=None, reason=reason
    )
