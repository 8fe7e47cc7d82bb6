"""Quotes: where the words that a model gives as a source's stand in that source."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pincite._quick import maker
from pincite.core.given import of_kind
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


_check = maker(QuoteCheck)
# Any letter or digit: one class.
_WORD = re.compile(r"[^\W_]")


def verify_quote(quote: str, source: str) -> QuoteCheck:
    """Return where `quote` stands in `source`: `verbatim`, or `typographic` where only its typography differs.

    White space, quotation marks, dashes and the case of the first letter are typography. A quote that is not
    there is `absent`; one without a word is `too_short`, and with no source to look in it is `unchecked`.

    Raises:
        InputError: one of them is no string.
    """
    of_kind(quote, str, "quote", "a string")
    if not of_kind(source, str, "source", "a string"):
        return QuoteCheck(QuoteVerdict.UNCHECKED)
    wanted = quote.strip()
    if _WORD.search(wanted) is None:
        return QuoteCheck(QuoteVerdict.TOO_SHORT)
    at = _find(wanted, source)
    if at >= 0:
        return _check(QuoteVerdict.VERBATIM, at, at + len(wanted))
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


def _find(wanted: str, source: str) -> int:
    """Return where `wanted` stands in `source` as whole words, or -1."""
    at = source.find(wanted)
    while at >= 0 and not _at_word_ends(source, at, at + len(wanted)):
        at = source.find(wanted, at + 1)
    return at


def _at_word_ends(text: str, start: int, end: int) -> bool:
    """Say whether a stretch begins and ends where words do: `lawful` does not stand in `unlawful`."""
    if start and text[start].isalnum() and text[start - 1].isalnum() and _joins(text[start - 1], text[start]):
        return False
    return not (
        end < len(text)
        and text[end].isalnum()
        and text[end - 1].isalnum()
        and _joins(text[end - 1], text[end])
    )


def _joins(first: str, second: str) -> bool:
    """Say whether two characters are of one word: scripts without spaces have no word ends to keep to."""
    return not any("\u0e00" <= char <= "\u0eff" or "\u2e80" <= char <= "\ud7ff" for char in (first, second))
