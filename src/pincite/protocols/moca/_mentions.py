"""Where an answer names a node by its versioned reference: exactly one that was read, as a whole, and not in code.

A package's id may itself hold `@` and `#`, so a reference is never taken apart: those that were read are looked for.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from pincite.protocols.moca._code import Code

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from pincite.core.limits import Limits

# Marks of punctuation that addresses are made of: behind them, or in front of them, one goes on.
_JOINS = frozenset("/-_~%#@&=+$:?\\")
# Marks that may end a sentence behind a reference, or a word that is set in another type.
_ENDS = frozenset(".,;:!?*_~…")
# What opens a part of a path where it stands right behind a reference.
_ATTACHED = frozenset("({")
_BRACKETS = {")": "(", "]": "[", "}": "{"}
# Code points behind a reference that are looked through for how a path with spaces in it would end.
_AHEAD = 80
# The ending of a file's name: anchored, bounded.
_EXTENSION = re.compile(r"\.[A-Za-z0-9]{1,8}\Z")
# What no path goes on over: the end of a line or of a sentence, what opens another address, marks that enclose one.
_STOP = re.compile(r"[\n\r\t<>\"|`#]|://|[.!?;:…](?=\s|\Z)")
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


def mentions(text: str, refs: Iterable[str], limits: Limits, code: Code | None = None) -> Mentions:
    """Return where `text` names one of `refs` outside of code, which is looked for unless it is given.

    Where several begin, the longest counts; what only begins or ends like one is another reference, and is counted.
    The text is searched once for each reference: one pattern of all would take far longer on texts made for that.
    """
    places = _places(text, refs)
    if not places:
        return Mentions([], 0)
    code = Code(text, limits) if code is None else code
    starts = {start for start, _ in places}
    found: list[Mention] = []
    others, end, after_comma = 0, 0, -1
    for start, ref in places:
        if start < end:
            continue  # inside of a longer one
        end = start + len(ref)
        is_whole = (start == after_comma or _begins(text, start)) and _ends(text, start, end, starts)
        if not is_whole or code.holds(start, end):
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


def _ends(text: str, start: int, end: int, starts: Container[int]) -> bool:
    """Say whether the reference from `start` ends at a place: behind marks that end a sentence nothing goes on.

    A path may hold spaces and brackets. So it may go on where a bracket follows at once, and where what follows in the
    line ends as its own file does: `refund.md (old).md` is another node than `refund.md`.
    """
    at = end
    while at < len(text) and text[at] in _ENDS:
        at += 1
    if at - end == 1 and text[end] in ",;" and at in starts:
        return True
    after = text[at : at + 1]
    if after and (_is_of_word(after) or after in _JOINS or _is_unseen(after)):
        return False
    return text[end : end + 1] not in _ATTACHED and not _goes_on(text, start, end)


def _goes_on(text: str, start: int, end: int) -> bool:
    """Say whether what follows a reference in its line ends in the same way as its path, outside of brackets."""
    extension = _EXTENSION.search(text, max(start, end - _AHEAD), end)
    if extension is None:
        return False
    stop = _STOP.search(text, end, end + _AHEAD)
    ahead = text[end : end + _AHEAD if stop is None else stop.start()]
    at = ahead.find(extension.group())
    while at >= 0:
        behind = at + len(extension.group())
        following = ahead[behind : behind + 1]
        if (not following or not (_is_of_word(following) or following in _JOINS)) and _is_balanced(
            ahead[:at]
        ):
            return True
        at = ahead.find(extension.group(), behind)
    return False


def _is_balanced(text: str) -> bool:
    """Say whether every bracket that a text opens is closed in it, and none else."""
    waiting: list[str] = []
    for char in text:
        if char in "([{":
            waiting.append(char)
        elif char in _BRACKETS and (not waiting or waiting.pop() != _BRACKETS[char]):
            return False
    return not waiting


def _is_unseen(char: str) -> bool:
    return unicodedata.category(char) in {"Cf", "Cn", "Co"}


def _is_of_word(char: str) -> bool:
    return unicodedata.category(char)[0] in "LNM"
