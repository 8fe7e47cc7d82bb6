"""The one scan of an answer: where its markers stand, and what is code.

It walks the text once, left to right. A code span must close within its paragraph and `marker_code_points`, else
its backticks are text; an open fence reaches to the end, an open HTML comment only from a line's start.
Lines end in LF or CRLF.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pincite.citing.formats import WIRE_FORMATS, wire_format
from pincite.core.errors import InputError
from pincite.core.limits import DEFAULT, Limits

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pincite.citing.formats import WireFormat

# What can change the meaning of the text after it; a bracket counts when one closes before the next opens. Each
# branch is a fixed run, and what a bracket looks ahead at is looked at twice at most, so the search is linear.
_TOKEN = re.compile(
    r"(?m)^ {0,3}(?P<fence>`{3,}|~{3,})(?P<info>[^\n]*)"
    r"|(?P<ticks>`+)|(?P<comment><!--)|(?P<escape>\\[\[\]`\\])|(?P<open>\[(?=\[?[^\[\]`]++\]))"
)
# Runs of backticks: linear.
_TICKS = re.compile(r"`+")
# A line end and a line without ink after it, which ends a paragraph: a possessive run, linear.
_BLANK_LINE = re.compile(r"\n(?=[ \t\r]*+\n)")
# What may stand between brackets: one class, bounded by the caller's end. Code binds tighter than brackets.
_INNER = re.compile(r"[^\[\]`]+")
# What separates the members of a group: linear.
_MEMBER = re.compile(r"[^,;\s][^,;]*")
# What opens, closes or ends a link target: linear, one class.
_PARENTHESIS = re.compile(r"[()\n]")
# Spaces that may stand before a reference definition on its line: CommonMark's indent.
_INDENT = 3


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One key in one place of an answer; all offsets are code points of the answer.

    `start` to `end` is the whole marker for a lone key, the key itself inside a group; `marker` is the whole
    marker with its brackets and, where the model made a link of it, the target. `full` says that the form is a
    citation whatever its key is.
    """

    start: int
    end: int
    key: str
    written: str
    marker: tuple[int, int]
    full: bool
    in_code: bool = False
    linked: bool = False
    definition: bool = False


@dataclass(slots=True)
class Scan:
    """The markers of a text in order, and the spans of it that are code or comment."""

    occurrences: list[Occurrence] = field(default_factory=list[Occurrence])
    code: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])


def parse_citations(
    text: str, formats: Iterable[WireFormat | str] | None = None, *, limits: Limits = DEFAULT
) -> list[Occurrence]:
    """Return every occurrence of a key in `text`, in order, those in code too (`in_code`).

    `formats` are the wire formats to look for, or their names; all of them when None.

    Raises:
        InputError: there is no wire format of a name.
    """
    if formats is None:
        return scan(text, limits=limits).occurrences
    named = [wire_format(one) if isinstance(one, str) else one for one in formats]
    return scan(text, named, limits=limits).occurrences


def scan(text: str, formats: Iterable[WireFormat] | None = None, *, limits: Limits = DEFAULT) -> Scan:
    """Return the markers and the code of `text` in one linear pass.

    Raises:
        InputError: `text` is no string.
    """
    if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
        msg = f"An answer is a string, not {type(text).__name__}."
        raise InputError(msg, field="text")
    wanted = tuple(WIRE_FORMATS.values() if formats is None else formats)
    return _Scanner(text, wanted, limits).run()


class _Scanner:
    __slots__ = (
        "_blank", "_closing", "_double", "_found", "_last_comment_end", "_limits", "_single", "_text", "_ticks",
    )  # fmt: skip

    def __init__(self, text: str, formats: tuple[WireFormat, ...], limits: Limits) -> None:
        self._text = text
        self._limits = limits
        self._single = [format_ for format_ in formats if format_.opening == "["]
        self._double = [format_ for format_ in formats if format_.opening == "[["]
        self._found = Scan()
        # These tables are made once, at the first question, so that no opener is looked after twice.
        self._ticks: dict[int, list[int]] | None = None
        self._blank: list[int] = []
        self._last_comment_end = text.rfind("-->")
        self._closing: dict[int, int] | None = None

    def run(self) -> Scan:
        text, position = self._text, 0
        while (token := _TOKEN.search(text, position)) is not None:
            kind = token.lastgroup
            if kind == "info" and token["fence"][0] == "`" and "`" in token["info"]:
                # A line that opens with backticks and holds more of them is a code span, not a fence.
                position = self._code_span(token.start("fence"), len(token["fence"]))
            elif kind == "info":
                position = self._code(token.start(), self._fence_end(token))
            elif kind == "ticks":
                position = self._code_span(token.start(), len(token["ticks"]))
            elif kind == "comment":
                position = self._comment(token)
            elif kind == "escape":
                position = token.end()
            else:
                position = self._bracket(token.start(), len(text), in_code=False)
        return self._found

    def _comment(self, token: re.Match[str]) -> int:
        if token.end() <= self._last_comment_end:
            return self._code(token.start(), self._text.index("-->", token.end()) + 3)
        return self._code(token.start(), len(self._text)) if self._opens_line(token.start()) else token.end()

    def _fence_end(self, token: re.Match[str]) -> int:
        mark = token["fence"]
        closing = re.compile(rf"(?m)^ {{0,3}}{re.escape(mark[0])}{{{len(mark)},}}[ \t]*\r?$")
        match = closing.search(self._text, token.end())
        return len(self._text) if match is None else match.end()

    def _code_span(self, start: int, width: int) -> int:
        text = self._text
        if self._ticks is None:
            self._ticks = {}
            for run in _TICKS.finditer(text):
                self._ticks.setdefault(run.end() - run.start(), []).append(run.start())
            self._blank = [match.start() for match in _BLANK_LINE.finditer(text)]
        inside = start + width
        closers = self._ticks.get(width, [])
        index = bisect_left(closers, inside)
        if index == len(closers):
            return inside
        close = closers[index]
        far = close - start > self._limits.marker_code_points
        if far or bisect_left(self._blank, inside) < bisect_left(self._blank, close):
            return inside
        return self._code(start, close + width)

    def _code(self, start: int, end: int) -> int:
        self._found.code.append((start, end))
        position = self._text.find("[", start, end)
        while position >= 0:
            position = self._text.find("[", self._bracket(position, end, in_code=True), end)
        return end

    def _bracket(self, start: int, end: int, *, in_code: bool) -> int:
        """Take in the bracket that opens at `start`; return where to go on."""
        text = self._text
        double = text.startswith("[[", start)
        inside = start + 1 + double
        match = _INNER.match(text, inside, min(end, inside + self._limits.marker_code_points))
        if match is None or not text.startswith("]", match.end()):
            return start + 1
        double = double and text.startswith("]]", match.end())
        formats = self._double + self._single if double else self._single
        keys = list(self._keys(match.start(), match.end(), formats, full=double))
        if not keys:
            # The second of two brackets need not be looked at again: it opens the same words.
            return inside
        opening = match.start() - 1 - double
        close = match.end() + 1 + double
        target = None if in_code else self._target_end(close, end)
        marker = (opening, close if target is None else target)
        for first, last, full in keys:
            lone = len(keys) == 1
            span = marker if lone else (first, last)
            self._found.occurrences.append(
                Occurrence(
                    *span,
                    key=text[first:last],
                    written=text[slice(*span)],
                    marker=marker,
                    full=full,
                    in_code=in_code,
                    linked=target is not None,
                    definition=not in_code and self._is_definition(opening, close),
                )
            )
        return marker[1]

    def _keys(
        self, start: int, end: int, formats: list[WireFormat], *, full: bool
    ) -> Iterator[tuple[int, int, bool]]:
        count = 0
        for member in _MEMBER.finditer(self._text, start, end):
            written = member.group().rstrip()
            for format_ in formats:
                if format_.key.fullmatch(written) is not None:
                    count += 1
                    yield member.start(), member.start() + len(written), full or format_.full
                    break
            if count == self._limits.markers_per_group:
                return

    def _target_end(self, position: int, end: int) -> int | None:
        """Return where the link target that opens at `position` ends, or None when none does."""
        if not self._text.startswith("(", position):
            return None
        if self._closing is None:
            self._closing = _closing_parentheses(self._text)
        close = self._closing.get(position)
        if close is None or close >= end or close - position > self._limits.marker_code_points:
            return None
        return close + 1

    def _is_definition(self, opening: int, close: int) -> bool:
        return self._text.startswith(":", close) and self._opens_line(opening)

    def _opens_line(self, position: int) -> bool:
        """Say whether nothing but an indent stands before `position` on its line; it looks no further back."""
        before = self._text[max(0, position - _INDENT - 1) : position]
        indent = before[before.rfind("\n") + 1 :]
        return len(indent) <= _INDENT and not indent.strip(" ")


def _closing_parentheses(text: str) -> dict[int, int]:
    """Return where each parenthesis that closes on its own line does so."""
    closing: dict[int, int] = {}
    opened: list[int] = []
    for match in _PARENTHESIS.finditer(text):
        char = match.group()
        if char == "(":
            opened.append(match.start())
        elif char == "\n":
            opened.clear()
        elif opened:
            closing[opened.pop()] = match.start()
    return closing
