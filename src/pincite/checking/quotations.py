"""Quotations in an answer: the words that it has in quotation marks, against the passages that it was given."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pincite.checking.quotes import QuoteCheck, verify_quote
from pincite.checking.source_index import SourceIndex
from pincite.core.verdicts import QuoteVerdict

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from pincite.core.limits import Limits

_LEAST_WORDS: Final = 3
"""Words of a quotation: fewer are a title, or a word that the answer keeps at a distance."""
_BEST_FIRST: Final = tuple(QuoteVerdict)

# Takes what stands between two quotation marks of a kind, within one paragraph; an apostrophe between letters is none.
# Linear: each run is bounded, possessive and ends at the first mark of its kind.
_QUOTATION: Final = re.compile(
    r"“(?P<english>[^“”\n]{1,4000}+)”"
    r"|„(?P<german>[^„“”\n]{1,4000}+)[“”]"
    r"|«(?P<french>[^«»\n]{1,4000}+)»|»(?P<danish>[^«»\n]{1,4000}+)«"
    r"|‹(?P<inner>[^‹›\n]{1,4000}+)›|›(?P<outer>[^‹›\n]{1,4000}+)‹"
    r"|(?<!\w)‘(?P<curved>(?:[^‘’\n]|(?<=\w)’(?=\w)){1,4000}+)’(?!\w)"
    r"|(?<![\w'])'(?!\d)(?P<plain>(?:[^'\n]|(?<=\w)'(?=\w)){1,4000}+)'(?![\w'])"
    r"|「(?P<single>[^「」\n]{1,4000}+)」|『(?P<double>[^『』\n]{1,4000}+)』"
    r"|(?<![\w\"])\"(?P<straight>[^\"\n]{1,4000}+)\"(?![\w\"])"
)
# Takes a word, or one character of a script without spaces; linear.
_UNSPACED: Final = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_WIDE: Final = re.compile(f"[{_UNSPACED}]")
_WORD: Final = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]++")


@dataclass(frozen=True, slots=True)
class QuotationCheck:
    """Words of an answer in quotation marks, and what became of them.

    `start` and `end` are code points of the answer, inside of the marks. `key` names the passage that `check` is
    about, None where it has no key or where there was nothing to look in.
    """

    start: int
    end: int
    text: str
    key: Hashable
    check: QuoteCheck

    def as_dict(self) -> dict[str, Any]:
        """Return the check as JSON holds it."""
        return {
            "start": self.start,
            "end": self.end,
            "text": self.text,
            "passage_key": self.key,
            "quote_verdict": self.check.verdict.value,
            "reason": self.check.reason,
            "source_start": self.check.start,
            "source_end": self.check.end,
        }


def quotations_of(text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """Return where `text` has three words or more in quotation marks, in code points, inside of the marks.

    The marks are “…”, "…", ‘…’, '…', „…“, «…», »…«, ‹…›, 「…」 and 『…』. In scripts without spaces a letter is a word.
    """
    spans = (
        one.span(one.lastgroup or 0)
        for one in _QUOTATION.finditer(text, start, len(text) if end is None else end)
    )
    return [(first, last) for first, last in spans if len(_WORD.findall(text, first, last)) >= _LEAST_WORDS]


class Sources:
    """The passages of an answer, each folded once, however many quotations are looked for."""

    __slots__ = ("_folded", "_limits", "_passages")

    def __init__(self, passages: Mapping[Any, str], limits: Limits) -> None:
        self._passages = passages
        self._limits = limits
        self._folded: dict[str, SourceIndex] = {}

    def check(
        self, answer: str, start: int, end: int, cited: Sequence[tuple[Hashable, str]]
    ) -> QuotationCheck | None:
        """Return what became of a quotation: in the cited passages, else in another one; None where it is too short."""
        quote = answer[start:end]
        best: tuple[Hashable, QuoteCheck] | None = None
        for key, text in cited or list(self._passages.items()):
            check = verify_quote(quote, self._index(text), limits=self._limits)
            if best is None or _BEST_FIRST.index(check.verdict) < _BEST_FIRST.index(best[1].verdict):
                best = key, check
            if check.is_verified:
                break
        if best is None:
            best = None, QuoteCheck(QuoteVerdict.UNCHECKED, note="There is no text to look in.")
        if not best[1].is_verified and cited:
            seen = {key for key, _ in cited}
            others = {key: self._index(text) for key, text in self._passages.items() if key not in seen}
            check = verify_quote(quote, "", others=others, limits=self._limits)
            if check.verdict is QuoteVerdict.ELSEWHERE:
                best = check.passage, check
        # As for quotes, letters of scripts without spaces count twice.
        weight = len(quote) + len(_WIDE.findall(quote))
        is_short = weight < self._limits.quote_least_code_points
        if best[1].verdict is QuoteVerdict.TOO_SHORT or (is_short and not best[1].is_verified):
            return None
        return QuotationCheck(start, end, quote, *best)

    def _index(self, text: str) -> SourceIndex:
        if text not in self._folded:
            self._folded[text] = SourceIndex(text, limits=self._limits)
        return self._folded[text]
