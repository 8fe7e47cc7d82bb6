"""The grammar of what stands behind a number: `(key "extract")`, with all that models do to it.

Like the rest of the grammar it looks from a place to `stop` and no further, says `Pending` where a text that may
still grow leaves it open, and goes through each stretch of text once.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


class Pending:
    """What stands there may still become a marker. `is_dull` says of a further piece that it settles nothing."""

    __slots__ = ("is_dull",)

    def __init__(self, wake: str = "", *, dull: str = "") -> None:
        """Be woken by any of the characters `wake`, or by whatever is none of the class `dull`, or by anything."""
        self.is_dull: Callable[[str], object] = _settles
        if wake:
            self.is_dull = frozenset(wake).isdisjoint
        elif dull:
            self.is_dull = re.compile(f"[{dull}]*+").fullmatch


def _settles(_piece: str) -> bool:
    return False


# A target is settled by its end, by a blank line or by what begins another marker.
_OPEN = Pending(")[\n")
_OPEN_ANGLED = Pending("<>\n")

_SPACES = re.compile(r"\s{0,10}")
_BLANK = re.compile(r"\n[ \t\r]*+\n")
# What ends or nests inside an address.
_BREAK = re.compile(r"[()\s]|\[\[")
_ANGLED = re.compile(r"<([^<>\n]*)>")
_ANGLED_SO_FAR = re.compile(r"<[^<>\n]*")
# What may follow the first word of an address that holds spaces.
_WORDS_END = re.compile(r"[()\n]|\[\[|[ \t](?=\\?[\"'\u201c\u201e\u2018\u00ab\u300c])")
_NESTED = re.compile(r"\[\[\s{0,3}\d{1,40}\s{0,3}\]\][ \t]{0,3}\(")

# Kinds of quotation marks round an extract: what opens it, and what may close it.
_CLOSERS = {
    '"': '"\u201d\u201c',
    "\u201c": '\u201d"\u201c',
    "\u201d": '\u201d"\u201c',
    "\u201e": '\u201c\u201d"',
    "'": "'\u2019",
    "\u2018": "\u2019'",
    "\u2019": "\u2019'",
    "\u00ab": "\u00bb",
    "\u300c": "\u300d",
}
_ODD = {'"': "", "'": "single quotes", "\u2018": "single quotes"}
# Code points of the longest closing: a backslash, the mark, spaces, the parenthesis.
_LONGEST = 8
_BLANK_LINE = ""


# What an extract without a closing mark may end at.
_LINE_END = ")"
_END = "end"
COMMENT = "comment"
"""The kind of what ends a comment inside a line, for `Closings`."""
# Parentheses that are looked through in one target; an address with more is none.
_NESTING = 32


@cache
def _closing(kind: str) -> re.Pattern[str]:
    # A quotation mark closes an extract where a parenthesis follows it.
    if kind == _LINE_END:
        return re.compile(r"[)\n]|\[\[")
    if kind == _END:
        return re.compile(r"\)")
    if kind == COMMENT:
        return re.compile(r"-->|\n(?=[ \t\r]*+\n)")
    return re.compile(rf"\\?[{kind}]\s{{0,3}}\)") if kind else _BLANK


class Closings:
    """Where the next closing of a kind stands, remembered, so that no stretch of text is searched twice."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[str, tuple[int, int, re.Match[str] | None]] = {}

    def forget(self) -> None:
        """Forget every place: the text has moved."""
        self._known.clear()

    def next(self, kind: str, text: str, at: int, stop: int) -> re.Match[str] | None:
        """Return the next closing of a kind that starts at `at` or later and ends by `stop`."""
        low = start = at
        known = self._known.get(kind)
        if known is not None and known[0] <= at:
            first, until, match = known
            if match is not None and at <= match.start():
                return match if match.end() <= stop else None
            if match is None and at <= until:
                if stop <= until:
                    return None
                # A closing may have begun before the end of what was searched.
                low, start = first, max(at, until - _LONGEST)
        found = _closing(kind).search(text, start, stop)
        self._known[kind] = (low, stop, found)
        return found


class Target(NamedTuple):
    """What stands in the parentheses behind a number: the key, the extract, and what was odd."""

    end: int
    key: tuple[int, int]
    extract: tuple[int, int] | None = None
    repairs: tuple[str, ...] = ()
    fault: str = ""


class TargetReader:
    """Reads targets of one text up to `stop`."""

    __slots__ = ("_closings", "_hard", "_nested", "_stop", "_text")

    def __init__(self, text: str, stop: int, closings: Closings, *, hard: bool, nested: bool = False) -> None:
        self._text = text
        self._stop = stop
        self._closings = closings
        self._hard = hard
        self._nested = nested

    def read(self, at: int) -> Target | Pending | None:
        """Return what the parenthesis at `at` holds, or None when it holds no address."""
        text, stop = self._text, self._stop
        start = self._after_spaces(at + 1)
        if start >= stop:
            return None if self._hard else _OPEN
        angled = _ANGLED.match(text, start, stop) if text[start] == "<" else None
        if angled is not None:
            return self._tail(angled.span(1), angled.end(), ("angle brackets round the address",))
        if not self._hard and _ANGLED_SO_FAR.fullmatch(text, start, stop) is not None:
            return _OPEN_ANGLED
        depth, position, seen = 0, start, 0
        while (found := _BREAK.search(text, position, stop)) is not None and (seen := seen + 1) <= _NESTING:
            char = found.group()
            if char == "(":
                depth += 1
            elif char == ")" and depth:
                depth -= 1
            elif char == ")":
                return Target(found.end(), (start, found.start())) if found.start() > start else None
            elif char == "[[":
                return self._unclosed(start, found.start())
            else:
                key = (start, found.start())
                lacking = depth > 0 and text[key[1] - 1] == ")"
                return self._after_lacking(key) if lacking else self._tail(key, key[1])
            position = found.end()
        if found is not None:
            return self._unclosed(start, position)
        return self._unclosed(start, stop) if self._hard else _OPEN

    def _unclosed(self, start: int, end: int, repairs: tuple[str, ...] = ()) -> Target | None:
        """Return the target of an address that never closes: its own last parenthesis may have been meant to."""
        end = start + len(self._text[start:end].rstrip())
        if end == start:
            return None
        if self._text[end - 1] == ")":
            return Target(end, (start, end), None, (*repairs, "no closing parenthesis"))
        return Target(end, (start, end), None, repairs, fault="unclosed")

    def _after_lacking(self, key: tuple[int, int]) -> Target | Pending | None:
        """Go on behind an address that lacks a parenthesis: an extract may follow, else the marker ends here."""
        quote = self._after_spaces(key[1])
        if quote < self._stop and self._text[quote] == "\\":
            quote += 1
        if quote >= self._stop and not self._hard:
            return _OPEN
        if quote < self._stop and self._text[quote] in _CLOSERS:
            found = self._tail(key, key[1])
            if isinstance(found, Pending) or (found is not None and found.extract is not None):
                return found
        return Target(key[1], key, None, ("no closing parenthesis",))

    def _tail(self, key: tuple[int, int], at: int, repairs: tuple[str, ...] = ()) -> Target | Pending | None:
        """Read what follows the first word of an address: an extract, more words of the address, or its end."""
        text, stop = self._text, self._stop
        first = key
        position = at
        if self._hard and self._closings.next(_END, text, at, stop) is None:
            return self._unclosed(*first, repairs)
        while True:
            mark = self._after_spaces(position)
            if _BLANK.search(text, position, mark) is not None:
                return self._unclosed(*first, repairs)
            quote = mark + (text[mark : mark + 1] == "\\")
            if quote >= stop:
                return self._unclosed(*first, repairs) if self._hard else _OPEN
            if text[mark] == ")":
                return Target(mark + 1, key, None, repairs)
            if mark > position and text[quote] in _CLOSERS:
                return self._extract(first, key, quote, repairs)
            found = self._words(mark, stop)
            if isinstance(found, Target):
                return found._replace(key=(key[0], found.key[1]), repairs=repairs)
            if found is None:
                return self._unclosed(*first, repairs) if self._hard else _OPEN
            if found < 0:
                return self._unclosed(*first, repairs)
            key, position = (key[0], found), found

    def _words(self, at: int, stop: int) -> Target | int | None:
        """Read words of an address with spaces: return its end, or where an extract may begin, -1 where it breaks."""
        depth = seen = 0
        while (found := _WORDS_END.search(self._text, at, stop)) is not None:
            if (seen := seen + 1) > _NESTING:
                return -1
            char = found.group()
            if char == ")" and not depth:
                return Target(found.end(), (at, found.start()))
            if char in ("\n", "[["):
                return -1
            if char.isspace():
                return found.start()
            depth += 1 if char == "(" else -1
            at = found.end()
        return None

    def _extract(
        self, first: tuple[int, int], key: tuple[int, int], quote: int, repairs: tuple[str, ...]
    ) -> Target | Pending | None:
        """Read the extract that the mark at `quote` opens; markers inside it are stepped over."""
        text, stop, hard = self._text, self._stop, self._hard
        kind = _CLOSERS[text[quote]]
        begin = position = quote + 1
        while True:
            close = self._closings.next(kind, text, position, stop)
            blank = self._closings.next(_BLANK_LINE, text, position, stop)
            if blank is not None and (close is None or blank.start() < close.start()):
                return self._without_mark(first, key, begin, blank.start(), repairs)
            if close is None:
                return self._without_mark(first, key, begin, stop, repairs) if hard else _OPEN
            inner = None if self._nested else _NESTED.search(text, position, close.start())
            if inner is None:
                break
            inside = TargetReader(text, stop, self._closings, hard=hard, nested=True).read(inner.end() - 1)
            if isinstance(inside, Pending):
                return inside
            position = max(inner.end(), inside.end if inside is not None else 0)
        escaped = text[quote - 1] == "\\" or close.group()[0] == "\\"
        odd = "escaped quotes" if escaped else _ODD.get(text[quote], "curly quotes")
        return Target(close.end(), key, (begin, close.start()), repairs + ((odd,) if odd else ()))

    def _without_mark(
        self, first: tuple[int, int], key: tuple[int, int], begin: int, end: int, repairs: tuple[str, ...]
    ) -> Target | None:
        """Return the target of an extract without a closing mark: it ends at the parenthesis on its line, if any."""
        found = self._closings.next(_LINE_END, self._text, begin, end)
        if found is not None and found.group() == ")":
            return Target(found.end(), key, (begin, found.start()), (*repairs, "no closing quotation mark"))
        return self._unclosed(*first, repairs)

    def _after_spaces(self, at: int) -> int:
        found = _SPACES.match(self._text, at, self._stop)
        return at if found is None else found.end()
