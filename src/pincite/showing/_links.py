"""The model's own links, where they may act: to http and https, under words, and never over a number of ours."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from pincite.citing._marks import link
from pincite.core.urls import safe_link

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# The joint of a link to an address of the web, and an address that stands by itself, perhaps in angle brackets: one
# class, linear. What would become a part of the address may not follow it.
_LINK = re.compile(
    r"\]\((?=\s{0,3}<?[Hh][Tt][Tt][Pp])|(?P<angle><?)(?P<address>[Hh][Tt][Tt][Pp][Ss]?://[^\s<>\[\]()\"'`|\\*_]++)"
    r"(?:>|(?=[)\]\"'*_]{0,3}[.,;:!?]{0,3}(?:\s|\Z)))"
)
# Words of a link that act as nothing else: one class.
_TEXT = re.compile(r"[^\[\]`\\<>!\n\r]+")
# Letters, without which the words of a link may be taken for a number. Two in a row.
_LETTERS = re.compile(r"[^\W\d_]{2}")
# What reads as an address: a link may not read as another than it is. Bounded by its dot.
_ADDRESS = re.compile(r"//|\w\.[^\W\d_]{2}|\bwww\b")
# Marks at the end of a sentence, which are no part of an address in it.
_END = ".,;:!?"
_TARGET = 2_000
_LONGEST = 402
# What makes something else of a link that follows.
_TURNING = ("!", "\\")
# What may make code of the text behind it, and is in no target that acts: with it gone, other text would be code.
_FENCING = re.compile(r"[`\n\r]")


def acting(text: str, ours: Sequence[int]) -> Iterator[tuple[int, int, str]]:
    """Yield the stretches of `text` that may act as links, and how; `ours` are where our numbers begin, in order."""
    position = 0
    for found in _LINK.finditer(text):
        start, end = found.span()
        if start < position:
            continue
        if found["address"] is not None:
            written = _bare(found)
            first, end = start, start + len(written)
        else:
            first = text.rfind("[", max(position, start - _LONGEST), start)
            if (
                first < 0
                or text[first - 1 : first] in _TURNING
                or not _TEXT.fullmatch(text, first + 1, start)
            ):
                continue
            target = link(text, start + 1, min(len(text), start + _TARGET), hard=True)
            if not isinstance(target, re.Match) or _FENCING.search(target.group()):
                continue
            end = target.end()
            written = _joined(text[first + 1 : start], target["target"])
        number = bisect_left(ours, first)
        if written and not (number < len(ours) and ours[number] < end):
            yield start, end, written
            position = end


def _bare(found: re.Match[str]) -> str:
    """Return an address of the text as it stands, without the marks of a sentence; nothing when it is not safe."""
    address = found["address"]
    if safe_link(address) is None:
        return ""
    if found["angle"]:
        return found.group() if found.group().endswith(">") else ""
    return address.rstrip(_END)


def _joined(words: str, target: str) -> str:
    """Return the rest of a link behind its words; nothing when it may not act."""
    safe = safe_link(target.removeprefix("<").removesuffix(">"))
    if safe is None or _LETTERS.search(words) is None:
        return ""
    if _ADDRESS.search(words) is not None and safe_link(words.strip()) != safe:
        return ""
    return f"](<{safe}>)"
