"""Quotes: where the words that a model gives as a source's stand in that source."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from pincite.core.verdicts import QuoteVerdict

# What is typography and not wording, and what stands for it here; one code point each, so that offsets stay.
_FOLD = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        "\u27e6": "[",
        "\u27e7": "]",
    }
)


@dataclass(frozen=True, slots=True)
class QuoteCheck:
    """What became of a quote: where it was found, `start` and `end` are code points of the source's own text."""

    verdict: QuoteVerdict
    start: int | None = None
    end: int | None = None


def verify_quote(quote: str, source: str) -> QuoteCheck:
    """Return where `quote` stands in `source`: `verbatim`, or `typographic` where only its typography differs.

    White space, quotation marks, dashes and the case of the first letter are typography. A quote that is not
    there is `absent`; one without a word is `too_short`, and with no source to look in it is `unchecked`.
    """
    wanted = quote.strip()
    if not source:
        return QuoteCheck(QuoteVerdict.UNCHECKED)
    if not any(char.isalnum() for char in wanted):
        return QuoteCheck(QuoteVerdict.TOO_SHORT)
    at = _find(wanted, source)
    if at is not None:
        return QuoteCheck(QuoteVerdict.VERBATIM, *at)
    folded = source.translate(_FOLD)
    words = wanted.translate(_FOLD).split()
    # Each word stands as it is; between two of them any white space. Linear: no two parts can match the same.
    pattern = r"\s+".join(re.escape(word) for word in words)
    first = words[0][:1]
    if first.isalpha() and first.swapcase() != first and len(first.swapcase()) == 1:
        pattern = f"[{first}{first.swapcase()}]{pattern[1:]}"
    for found in re.finditer(pattern, folded):
        if _at_word_ends(folded, found.start(), found.end()):
            return QuoteCheck(QuoteVerdict.TYPOGRAPHIC, found.start(), found.end())
    return QuoteCheck(QuoteVerdict.ABSENT)


def _find(wanted: str, source: str) -> tuple[int, int] | None:
    at = source.find(wanted)
    while at >= 0:
        if _at_word_ends(source, at, at + len(wanted)):
            return at, at + len(wanted)
        at = source.find(wanted, at + 1)
    return None


def _at_word_ends(text: str, start: int, end: int) -> bool:
    """Say whether a stretch begins and ends where words do: `lawful` does not stand in `unlawful`."""
    opens = start == 0 or not (_joins(text[start - 1]) and _joins(text[start]))
    closes = end == len(text) or not (_joins(text[end - 1]) and _joins(text[end]))
    return opens and closes


@cache
def _joins(char: str) -> bool:
    # Scripts without spaces have no word ends to keep to.
    return char.isalnum() and not "\u0e00" <= char <= "\u0eff" and not "\u2e80" <= char <= "\ud7ff"
