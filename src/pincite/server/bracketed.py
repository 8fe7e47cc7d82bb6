"""Numbers in brackets (`[1]`, `[2, 3]`), which are no wire format of a run: most answers that are pasted have them."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from pincite.core.answer import Answer
    from pincite.core.citation import CitationAnchor

BRACKETS: Final = "brackets"
"""What a request calls them."""
READ_AS: Final = "sup_numeric"
"""The wire format that has the same numbers."""

# Takes numbers in brackets; linear: each run is bounded, and no two of them can take the same characters.
_NUMBERS: Final = re.compile(r"\[([0-9]{1,4}(?:\s{0,3}[,;]\s{0,3}[0-9]{1,4}){0,50})\]")
_OPEN, _CLOSE = "<sup>", "</sup>"


def resolved(text: str, resolve: Callable[[str], Answer]) -> Answer:
    """Return what `resolve`, which reads `READ_AS`, finds in a text with numbers in brackets.

    The answer has the text as it was given, and every place is one of that text.
    """
    written: list[str] = []
    # Where a stretch begins in the text that is read, and in the one that was given.
    ours, theirs = [0], [0]
    at = length = 0

    def add(piece: str, to: int) -> None:
        nonlocal length, at
        written.append(piece)
        length, at = length + len(piece), to
        ours.append(length)
        theirs.append(to)

    for match in _NUMBERS.finditer(text):
        add(text[at : match.start()], match.start())
        add(_OPEN, match.start() + 1)
        add(match[1].replace(";", ","), match.end() - 1)
        add(_CLOSE, match.end())
    add(text[at:], len(text))

    def place(found: int) -> int:
        step = bisect_right(ours, found) - 1
        # Inside of what was put in place of a bracket there is no place of the text: it is the bracket's.
        end = theirs[step + 1] if step + 1 < len(theirs) else theirs[-1]
        return min(theirs[step] + found - ours[step], end)

    return _moved(resolve("".join(written)), text, place)


def _moved(answer: Answer, text: str, place: Callable[[int], int]) -> Answer:
    def anchor(one: CitationAnchor) -> CitationAnchor:
        return replace(one, start=place(one.start), end=place(one.end))

    def words(start: int, end: int) -> tuple[int, int, str]:
        first, last = place(start), place(end)
        return first, last, text[first:last]

    citations = tuple(
        one if one.anchor is None else replace(one, anchor=anchor(one.anchor)) for one in answer.citations
    )
    evidences = tuple(
        replace(one, anchors=tuple(anchor(each) for each in one.anchors)) for one in answer.evidences
    )
    misses = tuple(
        replace(one, start=start, end=end, written=written)
        for one, (start, end, written) in ((one, words(one.start, one.end)) for one in answer.misses)
    )
    checks = tuple(
        replace(one, start=start, end=end, text=said)
        for one, (start, end, said) in ((one, words(one.start, one.end)) for one in answer.checks)
    )
    references = tuple(replace(one, start=place(one.start), end=place(one.end)) for one in answer.references)
    return replace(
        answer,
        text=text,
        citations=citations,
        evidences=evidences,
        misses=misses,
        checks=checks,
        references=references,
    )
