"""The parts of an answer that state something: sentences outside code, headings and the frames of tables."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Span = tuple[int, int]

_RULE_WINDOW: Final = 240
"""Code points at a sentence's end in which a rule may underline it."""
_TAIL_WINDOW: Final = 80
"""Code points at a sentence's end that may be marks and space."""
_OPEN_ENDS: Final = (":", "?", "：", "？", "؟", "\u037e")
_CLOSERS: Final = "*_\"'”’»)]}`~ \t\n"

# Takes the fence that opens or closes a block of code; linear: one line start, possessive runs.
_FENCE: Final = re.compile(r"^[ \t>]{0,12}+(?P<run>`{3,}+|~{3,}+)(?P<rest>[^\n]{0,200}+)", re.MULTILINE)
# Takes what opens a line that states nothing by itself, a heading or a table's rule; linear: anchored.
_FRAME: Final = re.compile(r"\s*+(?:#{1,6}(?:\s|\Z)|\|?[ \t]*+:?-{3,}|[-=*_]{3,}+\s*+\Z)")
# Takes a line that is all bold and ends in no stop, which is a heading too; linear: anchored, bounded.
_BOLD: Final = re.compile(r"\s*+(\*\*|__)[^*_\n]{1,120}(?<![.!。！])\1\s*+\Z")
# Takes the rule that makes the line above it a heading; linear: one possessive run after a line end.
_UNDERLINE: Final = re.compile(r"\n[ \t]{0,3}+(?:=++|-{2,}+)[ \t]*+\Z")
# Takes the rule between a table's head and its rows; linear: anchored.
_TABLE_RULE: Final = re.compile(r"\|[ \t]*+:?-++:?[ \t]*+(?:\||\Z)")
# Takes what ends a line without being part of its sentence; linear: applied to a short window.
_LINE_TAIL: Final = re.compile(r"(?:\s|\||\\(?=\s*\Z)|<br ?/?>|</(?:p|li|td|tr|div)>)+\Z")
# Takes a letter or a figure; linear: one character.
_INK: Final = re.compile(r"[^\W_]")


class Prose:
    """An answer with its code taken out; both texts are as long as the answer.

    `bare` has a blank for each code point of code. `whole` has a word of underscores for code in a line, so that its
    stops end no sentence, and empty lines for a block, so that none runs across it.
    """

    __slots__ = ("bare", "whole")

    def __init__(self, text: str, skipped: Iterable[Span] = ()) -> None:
        bare: list[str] = []
        whole: list[str] = []
        at = 0
        for start, end in _merged((*skipped, *_fences(text)), len(text)):
            bare += (text[at:start], " " * (end - start))
            whole += (text[at:start], ("\n" if "\n" in text[start:end] else "_") * (end - start))
            at = end
        self.bare = "".join((*bare, text[at:]))
        self.whole = "".join((*whole, text[at:]))

    def statements(self) -> list[Span]:
        """Return the spans of the sentences that state something, in order."""
        from pincite.core.sentences import split_sentences

        spans = split_sentences(self.whole)
        followers = (*spans[1:], (len(self.whole), len(self.whole)))
        return [
            span
            for span, follower in zip(spans, followers, strict=False)
            if self._states(*span) and not self._heads_table(span[0], *follower)
        ]

    def _states(self, start: int, end: int) -> bool:
        whole = self.whole
        return (
            _INK.search(self.bare, start, end) is not None
            and not self.bare[max(start, end - _TAIL_WINDOW) : end].rstrip(_CLOSERS).endswith(_OPEN_ENDS)
            and _FRAME.match(whole, start, end) is None
            and _BOLD.match(whole, start, end) is None
            and _UNDERLINE.search(whole, max(start, end - _RULE_WINDOW), end) is None
        )

    def _heads_table(self, start: int, after: int, end: int) -> bool:
        return self.whole[start] == "|" and _TABLE_RULE.match(self.whole, after, end) is not None


def position(text: str, start: int, end: int, skipped: Sequence[Span]) -> int:
    """Return where the number of a sentence is put; `skipped` are spans in order, none inside another."""
    tail = _LINE_TAIL.search(text, max(start, end - _TAIL_WINDOW), end)
    at = tail.start() if tail is not None and tail.start() > start else end
    before = bisect_left(skipped, at, key=lambda span: span[0]) - 1
    if before >= 0 and skipped[before][1] > at:
        return skipped[before][1]
    return at


def _fences(text: str) -> Iterator[Span]:
    """Yield the blocks of fenced code; an open one reaches to the end."""
    opened: re.Match[str] | None = None
    for match in _FENCE.finditer(text):
        run = match["run"]
        if opened is None:
            if run[0] == "~" or "`" not in match["rest"]:
                opened = match
        elif run[0] == opened["run"][0] and len(run) >= len(opened["run"]) and not match["rest"].strip():
            yield opened.start(), match.end()
            opened = None
    if opened is not None:
        yield opened.start(), len(text)


def _merged(spans: Iterable[Span], length: int) -> list[Span]:
    """Return the spans in order, within the text, none overlapping another."""
    found: list[Span] = []
    for start, end in sorted((max(0, a), min(b, length)) for a, b in spans):
        if start >= end:
            continue
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found
