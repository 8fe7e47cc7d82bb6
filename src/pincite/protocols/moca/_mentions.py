"""Where an answer names a node by its versioned reference: exactly one that was read, as a whole, and not in code.

A package's id may itself hold `@` and `#`, so a reference is never taken apart: those that were read are looked for.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from pincite.citing._scan import scan

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from pincite.core.limits import Limits

# Marks of punctuation that addresses are made of: behind them, or in front of them, one goes on.
_JOINS = frozenset("/-_~%#@&=+$:?")
# Marks that may end a sentence behind a reference, or a word that is set in another type.
_ENDS = frozenset(".,;:!?*_~…")
# Places of one answer that are looked at.
_MOST = 100_000


class Mention(NamedTuple):
    """A reference in an answer: code points `start` to `end` of its text."""

    start: int
    end: int
    ref: str


class Mentions(NamedTuple):
    """The references of an answer, in order, and how many places looked like one and were none."""

    found: list[Mention]
    others: int


def mentions(text: str, refs: Iterable[str], limits: Limits) -> Mentions:
    """Return where `text` names one of `refs` outside of code.

    Where several begin, the longest counts; what only begins or ends like one is another reference, and is counted.
    The text is searched once for each reference: one pattern of all would take far longer on texts made for that.
    """
    places = _places(text, refs)
    if not places:
        return Mentions([], 0)
    code = scan(text, limits=limits).code
    starts = {start for start, _ in places}
    found: list[Mention] = []
    others, region, end, after_comma = 0, 0, 0, -1
    for start, ref in places:
        if start < end:
            continue  # inside of a longer one
        end = start + len(ref)
        while region < len(code) and code[region][1] <= start:
            region += 1
        in_code = region < len(code) and code[region][0] < end
        if in_code or not (start == after_comma or _begins(text, start)) or not _ends(text, end, starts):
            others += 1
        else:
            found.append(Mention(start, end, ref))
            after_comma = end + 1
    return Mentions(found, others)


def _places(text: str, refs: Iterable[str]) -> list[tuple[int, str]]:
    """Return where references stand in a text, in order, the longest first where several begin."""
    places: list[tuple[int, str]] = []
    for ref in dict.fromkeys(refs):
        at = text.find(ref)
        while at >= 0 and len(places) < _MOST:
            places.append((at, ref))
            at = text.find(ref, at + len(ref))
    return sorted(places, key=lambda place: (place[0], -len(place[1])))


def _begins(text: str, start: int) -> bool:
    """Say whether what stands before a place cannot be a part of the same address."""
    before = text[start - 1 : start]
    return not before or not (_is_of_word(before) or before in _JOINS or before == ".")


def _ends(text: str, end: int, starts: Container[int]) -> bool:
    """Say whether an address ends at a place: behind marks that end a sentence nothing goes on."""
    at = end
    while at < len(text) and text[at] in _ENDS:
        at += 1
    if at - end == 1 and text[end] in ",;" and at in starts:
        return True
    after = text[at : at + 1]
    return not after or not (_is_of_word(after) or after in _JOINS)


def _is_of_word(char: str) -> bool:
    return unicodedata.category(char)[0] in "LNM"
