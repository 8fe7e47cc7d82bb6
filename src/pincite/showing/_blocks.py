"""The blocks of a text as CommonMark has them, line by line: what is code for sure, what is prose, what a heading.

A text is read as it stands once it is disarmed: no line opens an element or defines a link. From where on renderers may
differ, nothing is sure any more.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

# Without any of these there is no code.
_MAY_BE_CODE = ("`", "    ", "\t", "~~~")
# A line end of old: one character.
_OLD_LINE_END = re.compile(r"\r(?!\n)")
_SPACES = re.compile(r" *+")
_TAB = 4
_DEEP = " " * _TAB
# Containers inside each other; renderers stop at some depth.
_MOST = 8
# How a block begins that may stand in the middle of a paragraph: runs of one class each, possessive, linear. In the
# line of a fence of backticks there are no others.
_START = re.compile(
    r" {0,3}(?:(?P<quote>>) ?|(?P<heading>#{1,6}+)(?: |\Z)|(?P<fence>`{3,}+(?=[^`]*+\Z)|~{3,}+)"
    r"|(?P<rule>(?:\* *+){3,}+\Z|(?:_ *+){3,}+\Z|(?:- *+){3,}+\Z)|(?P<item>[*+\-]|[0-9]{1,9}[.)])(?: |\Z))"
)
_CONTAINERS = ("quote", "item")
# How a line begins that is no more prose where code holds it, and nothing disarms it: elements, and what some renderers
# add to Markdown. Anchored.
_OPENING = re.compile(r" {0,3}(?:<|\[\^|\$\$|:::)")
# What makes a heading of the lines above, and what ends a fence: anchored, runs of one class.
_UNDERLINE = re.compile(r" {0,3}(?:=++|-++) *+\Z")
_CLOSE = re.compile(r" {0,3}(?P<fence>`++|~++) *+\Z")
# The line below the head of a table: one class behind what quotations put in front, linear.
_DELIMITER = re.compile(r"[ \t>]*+(?!- )[|:\-][|:\- \t]*+\r?(?:\n|\Z)")
_TICKS = re.compile(r"`++")
# What ends a code span with its line or with its cell of a table.
_BREAKING = re.compile(r"[\n|]")

_NOTHING, _PROSE, _FENCE, _INDENTED = range(4)


class Prose(NamedTuple):
    """Code points `start` to `end` are lines of one paragraph; some may part them where `is_wary` says so."""

    start: int
    end: int
    is_wary: bool


class Blocks(NamedTuple):
    """The blocks of a text.

    `code` are the lines that every renderer takes for code, `prose` those that each takes for a paragraph. `headings`
    are named by where they start, and say whether a paragraph is open above them. `fence` ends the fence that is open
    behind the text and in no container, if there is one. What is said of these two holds up to code point `known`.
    """

    code: list[tuple[int, int]]
    prose: list[Prose]
    headings: dict[int, bool]
    known: int
    fence: str


def in_lines(text: str) -> str:
    """Return `text` with a line feed at the end of each line; places stay the same."""
    return _OLD_LINE_END.sub("\n", text) if "\r" in text else text


def blocks(text: str) -> Blocks:
    """Return the blocks of `text`, in one pass."""
    return _Reader(in_lines(text)).read()


def sure_code(text: str) -> list[tuple[int, int]]:
    """Return the stretches of `text` that every renderer takes for code, in order: whole lines, and spans."""
    if not any(mark in text for mark in _MAY_BE_CODE):
        return []
    text = in_lines(text)
    found = _Reader(text).read()
    return sorted([*found.code, *(span for prose in found.prose for span in _spans(text, prose))])


def _spans(text: str, prose: Prose) -> Iterator[tuple[int, int]]:
    runs = [found.span() for found in _TICKS.finditer(text, prose.start, prose.end)]
    # The runs of each width, the last one first.
    waiting: dict[int, list[tuple[int, int]]] = {}
    for start, end in reversed(runs):
        waiting.setdefault(end - start, []).append((start, end))
    position = prose.start
    for start, end in runs:
        if start < position:
            continue
        if _is_escaped(text, start):
            if end - start > 1:
                break  # the rest of the run may open a span, or not
            continue
        closing = waiting[end - start]
        while closing and closing[-1][0] <= start:
            closing.pop()
        if not closing:
            continue
        position = closing[-1][1]
        if prose.is_wary and _BREAKING.search(text, start, position) is not None:
            break
        yield start, position


def _is_escaped(text: str, at: int) -> bool:
    begin = at
    while begin and text[begin - 1] == "\\":
        begin -= 1
    return (at - begin) % 2 == 1


@cache
def _fence_end(fence: str) -> re.Pattern[str]:
    # The line that ends a fence of the text itself: anchored at its line, runs of one class.
    return re.compile(rf"(?m)^ {{0,3}}{fence}{fence[0]}*+[ \t]*+\r?$\n?")


class _Reader:
    """Reads lines one after the other, and knows which containers and which leaf are open."""

    __slots__ = (
        "_after_blank", "_begin", "_code", "_containers", "_fence", "_headings", "_is_agreed", "_is_fresh", "_is_sure",
        "_is_table", "_is_wary", "_last", "_leaf", "_prose", "_text",
    )  # fmt: skip

    def __init__(self, text: str) -> None:
        self._text = text
        self._code: list[tuple[int, int]] = []
        self._prose: list[Prose] = []
        self._headings: dict[int, bool] = {}
        # A quotation is 0, an item of a list the columns that its lines are indented by.
        self._containers: list[int] = []
        # Whether the last of them is an item that holds nothing yet.
        self._is_fresh = False
        # What is open: a kind, where it begins, and where the last line of indented code ends; how a fence began.
        self._leaf = _NOTHING
        self._begin = self._last = 0
        self._fence = ""
        # Of indented code, whether every renderer sees it; of prose, what `Prose` says, and that a table is in it.
        self._is_sure = self._is_wary = self._is_table = False
        self._after_blank = True
        # Whether every renderer reads all lines so far as this one does.
        self._is_agreed = True

    def read(self) -> Blocks:
        """Read line by line, up to the first that may be read in several ways."""
        text = self._text
        at = 0
        while at < len(text):
            if self._leaf == _FENCE and not self._containers:
                # Line by line it would take longer.
                found = _fence_end(self._fence).search(text, at)
                at = len(text) if found is None else found.end()
                if found is not None:
                    self._end(at)
                continue
            end = text.find("\n", at) + 1 or len(text)
            if not self._take(at, end):
                break
            at = end
        fence = self._fence if self._leaf == _FENCE and not self._containers else ""
        if at == len(text) or self._leaf != _PROSE:  # else it may go on, and be other than it seems
            self._end(at)
        return Blocks(self._code, self._prose, self._headings, at, fence)

    def _take(self, start: int, end: int) -> bool:
        """Take in a line; say whether there is only one way to read it."""
        line = self._text[start:end].rstrip("\r\n")
        if "\t" in line:
            line = line.expandtabs(_TAB)
        at, depth = self._matched(line)
        if depth < 0:
            return False
        is_blank = not line[at:].strip(" ")
        is_inside = depth == len(self._containers)
        if self._leaf == _FENCE:
            if is_inside:
                close = _CLOSE.match(line, at)
                if close is not None and close["fence"].startswith(self._fence):
                    self._end(end)
                return True
            # It ends with its container, which not everybody sees.
            self._end(start)
            self._is_agreed = False
        elif self._leaf == _INDENTED:
            if is_inside and (is_blank or line.startswith(_DEEP, at)):
                self._last = self._last if is_blank else end
                return True
            self._end(start)
        if not is_blank:
            return self._words(line, (start, end), at, depth)
        self._close(depth, start)
        self._is_fresh = False
        self._after_blank = True
        return True

    def _matched(self, line: str) -> tuple[int, int]:
        """Return behind which column of a line the open containers are, and how many of them it is in.

        That is -1 where a quotation may go on, or not: its mark stands far in.
        """
        at = 0
        for depth, width in enumerate(self._containers):
            indent = _indent(line, at)
            if at + indent >= len(line):
                if not width or (self._is_fresh and depth == len(self._containers) - 1):
                    return at, depth
                at = len(line)
            elif width:
                if indent < width:
                    return at, depth
                at += width
            else:
                if line[at + indent] != ">":
                    return at, depth
                if indent >= _TAB:
                    return at, -1
                at += indent + 1
                at += line.startswith(" ", at)
        return at, len(self._containers)

    def _words(self, line: str, span: tuple[int, int], at: int, depth: int) -> bool:  # noqa: C901 - one branch a kind
        """Take in a line that is not blank and in no code; `at` and `depth` are what `_matched` says of it."""
        start, end = span
        is_lazy = depth < len(self._containers)
        # Whether the next line makes it the head of a table, where one may begin.
        is_head = "|" in line and _DELIMITER.match(self._text, end) is not None
        if self._leaf == _PROSE and not is_lazy and _UNDERLINE.match(line, at) is not None:
            if self._is_table or is_head:
                return False
            self._headings[self._begin] = self._after_blank = False
            self._end(start)
            return True
        first = depth
        while (found := _START.match(line, at)) is not None and found.lastgroup in _CONTAINERS:
            behind, width = found.end(), 0
            if found.lastgroup == "item":
                width = _width(line, at, found.end("item"))
                if self._leaf == _PROSE and not is_lazy and not _interrupts(line, at + width, found["item"]):
                    # A word of the paragraph, which some take for an item.
                    return self._goes_on(is_head=is_head, is_odd=True)
                behind = at + width
            self._close(depth, start)
            if depth == _MOST:
                return False
            self._containers.append(width)
            self._is_fresh = width > 0
            depth, at = depth + 1, behind
        is_new = depth > first
        if is_new and not line[at:].strip(" "):
            self._after_blank = True
            return True
        is_deep = line.startswith(_DEEP, at)
        if found is None and self._leaf == _PROSE:
            self._is_wary = self._is_wary or _OPENING.match(line, at) is not None
            return self._goes_on(is_head=is_head, is_odd=is_lazy or is_deep) and not (is_lazy and is_deep)
        if is_head and (is_new or found is not None):
            return False
        after_blank, self._after_blank, self._is_fresh = self._after_blank or is_new, False, False
        above = self._leaf == _PROSE
        self._close(depth, start)
        self._begin = start
        if found is None:
            self._leaf = _INDENTED if is_deep else _PROSE
            self._last = end
            # In lists not everybody counts the columns.
            self._is_sure = after_blank and not any(self._containers)
            self._is_wary = self._is_table = is_head
        elif found.lastgroup == "fence":
            self._leaf, self._fence = _FENCE, found["fence"]
        elif found.lastgroup == "heading":
            self._headings[start] = above
            self._leaf, self._is_wary = _PROSE, False
            self._end(end)
        return True

    def _goes_on(self, *, is_head: bool, is_odd: bool) -> bool:
        """Take in a further line of a paragraph."""
        self._after_blank = False
        self._is_wary = self._is_wary or is_odd or is_head
        if is_odd and (is_head or self._is_table):
            return False
        self._is_table = self._is_table or is_head
        return True

    def _close(self, depth: int, at: int) -> None:
        """End what is open inside of the first `depth` containers, and those that it is in."""
        self._end(at)
        del self._containers[depth:]

    def _end(self, at: int) -> None:
        """End the leaf that is open, if there is one, at code point `at`."""
        if self._is_agreed:
            if self._leaf == _PROSE:
                self._prose.append(Prose(self._begin, at, self._is_wary))
            elif self._leaf == _FENCE:
                self._code.append((self._begin, at))
            elif self._leaf == _INDENTED and self._is_sure:
                self._code.append((self._begin, self._last))
        self._leaf = _NOTHING


def _indent(line: str, at: int) -> int:
    found = _SPACES.match(line, at)
    return 0 if found is None else found.end() - at


def _width(line: str, at: int, behind: int) -> int:
    """Return the columns of an item at `at` whose marker ends before `behind`: one space, or as many as up to four."""
    gap = _indent(line, behind)
    return behind - at + (gap if gap <= _TAB and behind + gap < len(line) else 1)


def _interrupts(line: str, content: int, marker: str) -> bool:
    """Say whether a list may begin in the middle of a paragraph: with words, and at 1."""
    return line[content:].strip(" ") != "" and (len(marker) == 1 or int(marker[:-1]) == 1)
