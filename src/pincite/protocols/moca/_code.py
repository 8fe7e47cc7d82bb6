"""What of an answer is code, so that nothing in it cites: what the scan of markers knows, and lines that are indented.

Where renderers may differ it counts as code: a citation that is left out costs less than one that nobody wrote.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final, NamedTuple

from pincite.citing._scan import scan

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pincite.core.limits import Limits

# How a line begins: quotations, indentation, and what begins an item of a list. Runs of one class each, possessive.
_QUOTE: Final = re.compile(r" {0,3}> ?")
_INDENT: Final = re.compile(r"[ \t]*+")
_ITEM: Final = re.compile(r"(?:[*+\-]|[0-9]{1,9}[.)])(?P<gap>[ \t]++)")
_RULE: Final = re.compile(r"(?P<mark>[*_\-])(?:[ \t]*+(?P=mark)){2,}+\Z")
# A line that no other goes on: a heading, what makes one of the line above, a rule.
_CLOSED: Final = re.compile(rf"#{{1,6}}+(?:[ \t]|\Z)|=++\Z|-++\Z|{_RULE.pattern}")
_FENCE: Final = re.compile(r"(?P<fence>`{3,}+(?=[^`\n]*+\Z)|~{3,}+)")
_LINE: Final = re.compile(r"[^\n]*+\n|[^\n]++")
_TAB: Final = 4
# Quotations inside one another, and items that begin in one line, that are looked at.
_MOST: Final = 8


class Code:
    """The stretches of a text that are code, to be asked about places in it."""

    __slots__ = ("_ends", "_starts")

    def __init__(self, text: str, limits: Limits) -> None:
        known = scan(text, limits=limits).code
        spans = sorted([*known, *_indented(text, known)])
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in spans:
            if self._ends and start <= self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], end)
            else:
                self._starts.append(start)
                self._ends.append(end)

    def holds(self, start: int, end: int) -> bool:
        """Say whether any of the code points `start` to `end` is code."""
        at = bisect_right(self._starts, end - 1) - 1
        return at >= 0 and self._ends[at] > start


class _Fence(NamedTuple):
    """A fence inside of a list that is open: how it began, in how many quotations, and how far its item is indented."""

    mark: str
    depth: int
    column: int


def _indented(text: str, known: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the lines that are code by how far they are indented, or by a fence that stands deep in a list.

    `known` is the code that is known already, in order.
    """
    if "    " not in text and "\t" not in text:
        return
    lines = _Lines()
    region = 0
    for line in _LINE.finditer(text):
        start, end = line.span()
        while region < len(known) and known[region][1] <= start:
            region += 1
        first = known[region][0] if region < len(known) else end
        if first <= start:
            lines.is_open = False
        elif lines.is_code(line.group(), may_fence=first >= end):
            yield start, end


class _Lines:
    """Tells line by line what is code, knowing what is open above."""

    __slots__ = ("_fence", "_items", "is_open")

    def __init__(self) -> None:
        # How far the text of the items is indented that are open.
        self._items: list[int] = []
        self._fence: _Fence | None = None
        # Whether a paragraph is open, which an indented line goes on.
        self.is_open = False

    def is_code(self, line: str, *, may_fence: bool) -> bool:
        """Take in the next line; `may_fence` says that a fence in it is not known already."""
        words, depth, column = _unquoted(line)
        if self._fence is not None and self._is_fenced(words, depth, column):
            return True
        if not words:
            self.is_open = False
            return False
        if not self.is_open:
            while self._items and column < self._items[-1]:
                self._items.pop()
            if column >= (self._items[-1] if self._items else 0) + _TAB:
                return True
        place, column, is_code = self._begun(words, column)
        if is_code:
            self.is_open = False
            return True
        opening = _FENCE.match(words, place)
        self.is_open = opening is None and _CLOSED.match(words, place) is None
        if opening is None or column < _TAB or not may_fence:
            return False
        self._fence = _Fence(opening["fence"], depth, self._items[-1] if self._items else 0)
        return True

    def _is_fenced(self, words: str, depth: int, column: int) -> bool:
        """Say whether a line is of the fence that is open, whose end it may be."""
        fence = self._fence
        if fence is None:
            return False
        if words and (depth < fence.depth or column < fence.column):
            self._fence = None  # what it stood in has ended
            return False
        if words.startswith(fence.mark) and not words.strip(fence.mark[0]):
            self._fence = None
        return True

    def _begun(self, words: str, column: int) -> tuple[int, int, bool]:
        """Open the items that a line begins; return where its text begins, its column, and whether that is code."""
        place = 0
        for _ in range(_MOST):
            item = None if _RULE.match(words, place) is not None else _ITEM.match(words, place)
            if item is None:
                break
            gap = len(item["gap"].expandtabs(_TAB))
            column += item.start("gap") - place + (gap if gap <= _TAB else 1)
            place = item.end()
            self._items.append(column)
            if gap > _TAB:
                return place, column, True
        return place, column, False


def _unquoted(line: str) -> tuple[str, int, int]:
    """Return the words of a line behind the marks of quotations, how many of these, and the columns of its indent."""
    behind = depth = columns = 0
    while depth < _MOST and (quote := _QUOTE.match(line, behind)) is not None:
        behind, depth = quote.end(), depth + 1
    end = _end_of(_INDENT, line, behind)
    for char in line[behind:end]:
        columns += _TAB - columns % _TAB if char == "\t" else 1
    return line[end:].rstrip(), depth, columns


def _end_of(pattern: re.Pattern[str], line: str, at: int) -> int:
    found = pattern.match(line, at)
    return at if found is None else found.end()
