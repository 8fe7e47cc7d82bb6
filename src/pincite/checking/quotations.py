"""Quotations in an answer: the words that it has in quotation marks, against the passages that it was given."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from pincite.checking.quotes import QuoteCheck, verify_quote
from pincite.checking.source_index import SourceIndex
from pincite.core.fold import fold
from pincite.core.given import of_kind
from pincite.core.limits import DEFAULT, Limits
from pincite.core.verdicts import QuoteVerdict

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence

_BEST_FIRST: Final = tuple(QuoteVerdict)
_SHARED: Final = 0.5
"""The part of a quotation's words that a passage must have for the quotation to be looked for in it."""

# Inside of a quotation a line may end, a paragraph may not, and no item, heading or row of a table may begin.
_LINE: Final = r"\n(?!\s*+(?:[-*+>\#|]|\d{1,3}[.)]))(?![ \t]*+\n)"
# Takes what stands between two quotation marks of a kind; an apostrophe between letters is none. Linear: each run is
# possessive and ends at the first mark of its kind, where the next one may begin.
_QUOTATION: Final = re.compile(
    rf"“(?P<english>(?:[^“”\n]|{_LINE})++)”"
    rf"|(?<!\w)”(?P<swedish>[^“”\n]++)”(?!\w)"
    rf"|„(?P<german>(?:[^„“”\n]|{_LINE})++)[“”]"
    rf"|«(?P<french>(?:[^«»\n]|{_LINE})++)»|»(?P<danish>(?:[^«»\n]|{_LINE})++)[«»]"
    r"|‹(?P<inner>[^‹›\n]++)›|›(?P<outer>[^‹›\n]++)‹"
    r"|(?<!\w)‘(?P<curved>(?:[^‘’\n]|(?<=\w)’(?=\w))++)’(?!\w)"
    r"|(?<![\w'])'(?!\d)(?P<plain>(?:[^'\n]|(?<=\w)'(?=\w))++)'(?![\w'])"
    rf"|「(?P<single>(?:[^「」\n]|{_LINE})++)」|『(?P<double>(?:[^『』\n]|{_LINE})++)』"
    r"|(?<![A-Za-z0-9\"])\"(?=\S)(?P<straight>[^\"\n]++)(?<=\S)\"(?![A-Za-z0-9\"])"
)
# Takes what is no prose: fenced code, code in a line, targets of links with their titles, tags. Linear: a fence ends at
# the first line that closes it or with the text, and every other run is bounded and possessive.
_HIDDEN: Final = re.compile(
    r"^[ \t]{0,3}+(?P<fence>`{3,}+|~{3,}+)[^\n]*+(?:\n(?![ \t]{0,3}(?P=fence))[^\n]*+)*+"
    r"|(?<!`)(?P<tick>`{1,8}+)[^`\n]{1,2000}+(?P=tick)(?!`)"
    r"|\]\([^()\n]{0,2000}+\)|</?[A-Za-z!][^<>\n]{0,2000}+>",
    re.MULTILINE,
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


def quotations_of(
    text: str, *, skipped: Iterable[tuple[int, int]] = (), limits: Limits = DEFAULT
) -> list[tuple[int, int]]:
    """Return where `text` has words in quotation marks, in code points, inside of the marks, in order.

    The marks are “…”, ”…”, "…", ‘…’, '…', „…“, «…», »…«, »…», ‹…›, 「…」 and 『…』, within one paragraph, and
    `limits.quotation_words` words stand between them at least; in scripts without spaces a letter is a word. Code,
    targets of links, tags and what is `skipped` (code points; such as markers) hold none.

    Raises:
        InputError: `text` is no string.
    """
    return spans_in(without_hidden(of_kind(text, str, "text", "a string"), skipped), limits)


def spans_in(shown: str, limits: Limits) -> list[tuple[int, int]]:
    """Return the quotations of a text in which what holds none is blank, as `quotations_of` does."""
    spans = (one.span(one.lastgroup or 0) for one in _QUOTATION.finditer(shown))
    return [
        (first, last)
        for first, last in spans
        if len(_WORD.findall(shown, first, last)) >= limits.quotation_words
    ]


def without_hidden(text: str, skipped: Iterable[tuple[int, int]] = ()) -> str:
    """Return `text` with blanks, code point for code point, for what is no prose and for what is `skipped`."""
    shown = _HIDDEN.sub(_blank, text)
    pieces: list[str] = []
    at = 0
    for start, end in sorted(skipped):
        if start >= at and start < end <= len(shown):
            pieces += (shown[at:start], " " * (end - start))
            at = end
    return "".join((*pieces, shown[at:]))


def _blank(found: re.Match[str]) -> str:
    return "".join("\n" if char == "\n" else " " for char in found.group())


class Sources:
    """The passages of an answer, each folded once, however many quotations are looked for."""

    __slots__ = ("_folded", "_limits", "_passages", "_words")

    def __init__(self, passages: Mapping[Any, str], limits: Limits) -> None:
        self._passages = passages
        self._limits = limits
        self._folded: dict[str, SourceIndex] = {}
        self._words: dict[str, frozenset[str]] = {}

    def check(
        self, answer: str, start: int, end: int, cited: Sequence[tuple[Hashable, str]], *, shown: str = ""
    ) -> QuotationCheck | None:
        """Return what became of a quotation: in the cited passages, else in another one; None where it is too short.

        `shown` is the answer without its markers, code point for code point.
        """
        quote = (shown or answer)[start:end].strip()
        best: tuple[Hashable, QuoteCheck] | None = None
        for key, text in cited or self._holding(quote, ()):
            check = verify_quote(quote, self._index(text), limits=self._limits)
            if best is None or _BEST_FIRST.index(check.verdict) < _BEST_FIRST.index(best[1].verdict):
                best = key, check
            if check.is_verified:
                break
        if best is None:
            best = None, self._nowhere()
        if not best[1].is_verified and cited:
            others = self._holding(quote, {key for key, _ in cited})
            check = verify_quote(
                quote, "", others={key: self._index(text) for key, text in others}, limits=self._limits
            )
            if check.verdict is QuoteVerdict.ELSEWHERE:
                best = check.passage, check
        # As for quotes, letters of scripts without spaces count twice.
        weight = len(quote) + len(_WIDE.findall(quote))
        is_short = weight < self._limits.quote_least_code_points
        if best[1].verdict is QuoteVerdict.TOO_SHORT or (is_short and not best[1].is_verified):
            return None
        return QuotationCheck(start, end, answer[start:end], *best)

    def _nowhere(self) -> QuoteCheck:
        if any(text.strip() for text in self._passages.values()):
            return QuoteCheck(QuoteVerdict.ABSENT)
        return QuoteCheck(QuoteVerdict.UNCHECKED, note="There is no text to look in.")

    def _holding(self, quote: str, but: Collection[Hashable]) -> list[tuple[Hashable, str]]:
        """Return the passages that have enough of a quotation's words to have it, the first so many of them."""
        wanted = frozenset(fold(quote).text.split())
        is_spaced = _WIDE.search(quote) is None
        found: list[tuple[Hashable, str]] = []
        for key, text in islice(self._passages.items(), self._limits.answer_passages):
            if key in but or not text.strip():
                continue
            if not is_spaced or len(wanted & self._words_of(text)) >= _SHARED * len(wanted):
                found.append((key, text))
        return found

    def _words_of(self, text: str) -> frozenset[str]:
        if text not in self._words:
            self._words[text] = frozenset(self._index(text).folded.text.split())
        return self._words[text]

    def _index(self, text: str) -> SourceIndex:
        if text not in self._folded:
            self._folded[text] = SourceIndex(text, limits=self._limits)
        return self._folded[text]
