"""Verdicts on quotes in plain sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.core.verdicts import DifferenceKind, QuoteVerdict

if TYPE_CHECKING:
    from pincite.checking._compare import Difference
    from pincite.checking.quotes import QuoteCheck

_VERDICTS = {
    QuoteVerdict.VERBATIM: "The source says exactly this.",
    QuoteVerdict.TYPOGRAPHIC: "The source says this in other typography.",
    QuoteVerdict.ELIDED: "The parts stand in the source in this order.",
    QuoteVerdict.ALTERED: "The source says something else.",
    QuoteVerdict.TRUNCATED: "The source says this, but not this alone.",
    QuoteVerdict.ELSEWHERE: "Another passage says this, not the one given.",
    QuoteVerdict.ABSENT: "The source does not say this.",
    QuoteVerdict.TOO_SHORT: "It is too short to prove anything.",
    QuoteVerdict.UNCHECKED: "It was not checked.",
}
_KINDS = {
    DifferenceKind.WORD: "other words",
    DifferenceKind.NUMBER: "another number",
    DifferenceKind.SIGN: "another sign",
    DifferenceKind.UNIT: "another unit",
    DifferenceKind.NEGATOR: "a word that turns it round",
    DifferenceKind.LIMITER: "a word that limits it",
    DifferenceKind.SCRIPT: "letters of another script",
    DifferenceKind.ORDER: "parts in another order or far apart",
    DifferenceKind.SYMBOL: "another sign",
    DifferenceKind.CASE: "letter case",
    DifferenceKind.TYPO: "a slip of spelling",
    DifferenceKind.SPACING: "spaces inside of words",
    DifferenceKind.FOOTNOTE: "the mark of a note",
    DifferenceKind.RUNNING_HEAD: "a page's head or number in between",
    DifferenceKind.INSERTION: "words in brackets",
    DifferenceKind.PUNCTUATION: "punctuation",
}
# Differences that are named, and code points of each.
_NAMED, _SHOWN = 3, 60


def reason_of(check: QuoteCheck) -> str:
    """Return the verdict on a quote with the first things in which it differs."""
    sentence = _VERDICTS[check.verdict]
    if check.verdict is QuoteVerdict.TRUNCATED and check.differences:
        return f"{sentence} It leaves out “{_short(check.differences[-1].source)}”."
    matter = [one for one in check.differences if one.matters] or list(check.differences)
    named = "; ".join(map(_named, matter[:_NAMED]))
    more = f"; and {len(matter) - _NAMED} more" if len(matter) > _NAMED else ""
    parts = [sentence]
    if named:
        parts.append(f"It differs in {named}{more}.")
    if check.note:
        parts.append(check.note)
    return " ".join(parts)


def _named(one: Difference) -> str:
    what = _KINDS[one.kind]
    if one.kind is DifferenceKind.ORDER:
        return what
    if one.quote and one.source:
        return f"{what} (“{_short(one.quote)}” for “{_short(one.source)}”)"
    if one.quote:
        return f"{what} (“{_short(one.quote)}” added)"
    return f"{what} (“{_short(one.source)}” left out)"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"
