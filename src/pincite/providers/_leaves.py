"""The values in a text of JSON that are neither objects nor arrays, with their places: also of JSON that breaks off."""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from pincite.providers._pointers import Node

if TYPE_CHECKING:
    from pincite.core.limits import Limits

# A token of JSON: a string with its escapes, which may break off with the text, a sign, or a run of anything else. Each
# run is possessive, and no string is tried twice: linear.
_TOKEN: Final = re.compile(
    r'"(?P<inside>[^"\\]*+(?:\\.[^"\\]*+)*+)(?:"|\\?\Z)|[{}\[\],:]|[^\s{}\[\],:"]++', re.DOTALL
)
# What stands for one character in a string of JSON: two halves of a pair, four digits, or one sign. Bounded.
_ESCAPE: Final = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.", re.DOTALL
)
# Where JSON begins: with the text or in a fence, an object also at the beginning of a line. What begins as a link or a
# number in brackets does is none. Each run is of white space and possessive, and begins where no other does: linear.
_BEGIN: Final = re.compile(
    r"(?:\A|^```[a-z]{0,10}[ \t]*+$)\s*+"
    r"(?=[{]|\[\s*+(?:[{\"\[\]]|[\w.+-]{1,400}+\s*+(?:,|\]\s*+(?:\Z|```))))"
    r"|^[ \t]*+(?=[{]\s*+[\"}])",
    re.MULTILINE,
)


class Leaf:
    """A string, number or word of JSON: code points `start` to `end` of the text, of a string those in its quotes."""

    __slots__ = ("_escapes", "_raw", "_value", "end", "is_string", "node", "start")

    def __init__(self, node: Node | None, raw: str, start: int, *, is_string: bool) -> None:
        self.node = node
        self.start = start
        self.end = start + len(raw)
        self.is_string = is_string
        self._raw = raw
        self._value: str | None = None
        self._escapes: list[tuple[int, int, int]] | None = None

    @property
    def value(self) -> str:
        """The value: what the string says, else the JSON as it is written."""
        if self._value is None:
            self._value = self._raw
            if self.is_string and "\\" in self._raw:
                pieces: list[str] = []
                at = 0
                for start, end, _ in self.escapes:
                    pieces += (self._raw[at:start], _meant(self._raw[start:end]))
                    at = end
                self._value = "".join([*pieces, self._raw[at:]])
        return self._value

    @property
    def escapes(self) -> list[tuple[int, int, int]]:
        """Where escapes stand in the string as it is written, and by how much it is longer up to the end of each."""
        if self._escapes is None:
            self._escapes = []
            longer = 0
            if self.is_string:
                for match in _ESCAPE.finditer(self._raw):
                    longer += match.end() - match.start() - len(_meant(match[0]))
                    self._escapes.append((match.start(), match.end(), longer))
        return self._escapes

    def within(self, offset: int, *, up: bool = False) -> int:
        """Return the code point of the value that stands at an offset of the text; inside of an escape, its start.

        With `up` it is the one behind that escape. An offset outside of the field is its nearest end.
        """
        at = min(max(offset - self.start, 0), self.end - self.start)
        number = bisect_left(self.escapes, at, key=lambda one: one[1]) if self.escapes else 0
        longer = self.escapes[number - 1][2] if number else 0
        if number < len(self.escapes) and self.escapes[number][0] < at < self.escapes[number][1]:
            start = self.escapes[number][0] - longer
            return start + len(_meant(self._raw[slice(*self.escapes[number][:2])])) if up else start
        if number < len(self.escapes) and self.escapes[number][1] == at:
            longer = self.escapes[number][2]
        return at - longer


_SIGNS: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def _meant(escape: str) -> str:
    """Return the character that an escape stands for."""
    if escape[1] != "u":
        return _SIGNS.get(escape[1], escape[1])
    if len(escape) == 12:  # noqa: PLR2004 - two halves of a pair
        return chr(0x10000 + ((int(escape[2:6], 16) - 0xD800) << 10) + (int(escape[8:12], 16) - 0xDC00))
    return chr(int(escape[2:6], 16)) if len(escape) == 6 else escape  # noqa: PLR2004 - four digits


class _Frame:
    """An object or array that is open: its place, and what comes next in it."""

    __slots__ = ("_count", "_ranges", "is_object", "name", "node")

    def __init__(self, node: Node | None, *, is_object: bool) -> None:
        self.node = node
        self.is_object = is_object
        self.name: str | None = None
        self._count = 0
        self._ranges: dict[str, tuple[int, int]] = {}

    def next(self) -> Node:
        """Return the place of the value that comes next."""
        if self.is_object:
            return Node(self.node, self.name or "")
        self._count += 1
        return Node(self.node, str(self._count - 1))

    def ended(self, name: str, start: int, end: int) -> tuple[int, int] | None:
        """Take note that the value of a name is leaves `start` to `end`; return those of the one that it overwrites."""
        earlier = self._ranges.get(name)
        self._ranges[name] = (start, end)
        return earlier


class _Reader:
    """Reads the values that are neither objects nor arrays, in order."""

    __slots__ = ("_begun", "_deepest", "_frames", "_too_deep", "found", "gone")

    def __init__(self, deepest: int) -> None:
        self._deepest = deepest
        self._frames: list[_Frame] = []
        self._begun: list[int] = []
        self._too_deep = 0
        self.found: list[Leaf] = []
        self.gone: list[tuple[int, int]] = []
        """Ranges of `found` that a later value of the same name overwrites."""

    def take(self, match: re.Match[str]) -> bool:
        """Take the next token; say whether the value goes on behind it."""
        sign, inside = match[0], match["inside"]
        frames = self._frames
        opens, closes = sign in ("{", "["), sign in ("}", "]")
        if self._too_deep or (opens and len(frames) == self._deepest):
            self._pass_over(opens - closes)
        elif opens:
            frames.append(_Frame(frames[-1].next() if frames else None, is_object=sign == "{"))
            self._begun.append(len(self.found))
        elif closes:
            frames.pop()
            self._end_value(self._begun.pop())
        elif sign not in (",", ":"):
            if frames[-1].is_object and frames[-1].name is None:
                frames[-1].name = sign if inside is None else Leaf(None, inside, 0, is_string=True).value
            else:
                self._leaf(match, sign, inside)
        return bool(frames)

    def _pass_over(self, deeper: int) -> None:
        """Take a token of a value that is too deep: it has its place among the others, and nothing in it is a field."""
        if not self._too_deep:
            self._frames[-1].next()
        self._too_deep += deeper
        if not self._too_deep:
            self._end_value(len(self.found))

    def _leaf(self, match: re.Match[str], sign: str, inside: str | None) -> None:
        at = len(self.found)
        start = match.start() + (inside is not None)
        raw = sign if inside is None else inside
        self.found.append(Leaf(self._frames[-1].next(), raw, start, is_string=inside is not None))
        self._end_value(at)

    def _end_value(self, start: int) -> None:
        """End a value that began at leaf `start`, if it is one of an object."""
        if not self._frames or (name := self._frames[-1].name) is None:
            return
        self._frames[-1].name = None
        earlier = self._frames[-1].ended(name, start, len(self.found))
        if earlier is not None:
            self.gone.append(earlier)


def leaves_of(text: str, limits: Limits) -> list[Leaf]:
    """Return the values of the first object or array in a text that are neither, in order, as far as it is JSON."""
    begin = _BEGIN.search(text)
    reader = _Reader(limits.provider_json_depth)
    for match in _TOKEN.finditer(text, begin.end() if begin else len(text)):
        if not reader.take(match):
            break
    return _without(reader.found, reader.gone)


def _without(leaves: list[Leaf], gone: list[tuple[int, int]]) -> list[Leaf]:
    """Return the leaves that lie in none of the ranges."""
    if not gone:
        return leaves
    steps = [0] * (len(leaves) + 1)
    for start, end in gone:
        steps[start] += 1
        steps[end] -= 1
    return [leaf for leaf, inside in zip(leaves, accumulate(steps), strict=False) if not inside]
