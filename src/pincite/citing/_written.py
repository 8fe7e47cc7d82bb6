"""Evidence ids as anyone might write them: where one begins and where it ends, whatever letters stand beside it.

An id in its canonical form is one wherever it stands. What only begins like one ends where its word does.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pincite.core.ids import is_evidence_id

if TYPE_CHECKING:
    from collections.abc import Iterator

THIN: Final = "\u00ad\u200b-\u200f\u2060\ufeff"
"""Marks without width that may have got into an id or beside it, as the inside of a character class."""
_UUID = r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
CANONICAL: Final = (
    rf"ev1:(?:c:{_UUID}:[0-9a-f]{{16}}:{_UUID}(?![0-9A-Fa-f]++(?![^\W_]))"
    rf"|s:{_UUID}:[0-9a-f]{{16}}:(?:0|[1-9][0-9]{{0,11}})-[1-9][0-9]{{0,11}}(?!\d))"
)
"""An id in its one canonical form, with whatever beside it; more digits right behind it would make another id of it.

Fixed widths and bounded runs of digits, and one possessive run that begins where the id ends: linear.
"""
# A colon in other words.
COLON: Final = r"&(?:#0{0,3}58|#[xX]0{0,3}3[aA]|colon);"
BEGINS: Final = rf"[Ee][Vv][0-9]{{1,3}}(?::|{COLON})"
"""How anything begins that was meant to be an evidence id."""
_CHUNK, _HEX = 96, "0123456789abcdefABCDEF"
_CANONICAL = re.compile(CANONICAL)
_BEGINS = re.compile(BEGINS)
# What may be an id with marks without width in it, or over at most four lines, those of a quotation too. Each run is
# of one class, bounded, and ends where a line end begins: linear.
_BROKEN = re.compile(
    rf"ev1:[cs]:[0-9a-f:\-{THIN}]{{8,200}}"
    rf"(?:[ \t]{{0,3}}\r?\n[ \t>]{{0,8}}[0-9a-f:\-{THIN}]{{1,110}}(?![0-9A-Za-z])){{0,3}}"
)
_BREAKS = re.compile(rf"\s[\s>]*+|[{THIN}]")
_KEPT = re.compile(r"[0-9A-Za-z:\-]+")
# A word in brackets that begins like an id. The two branches begin with different characters: linear.
_WORD = re.compile(rf"{BEGINS}(?:[^\s,;|&/\u3001\uff0c\uff1b\[\]`]|{COLON})++")
# The same among words: characters of ids, a dash between digits, and what stands for the part that was left out.
_BARE = re.compile(
    rf"[Ee][Vv]1:[CcSs]:(?P<rest>[0-9A-Za-z\d:\-{THIN}]{{1,200}})(?:[\u2010-\u2013\u2212][\d:\-]{{1,30}}){{0,3}}"
    r"(?P<cut>(?:\.{2,3}|\u2026)[0-9A-Fa-f:\-]{0,100})?"
)
# What is at the end of such a word and no part of it.
_AT_END = "-:.*_^\"'\u2026\u201d\u2019"
_FEWEST = 8

_new: Any = tuple.__new__  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] - whatever is in it


class Written(NamedTuple):
    """What was meant as an id, in its place: `key` is as it should have been written, `repairs` is what was mended."""

    start: int
    end: int
    key: str
    repairs: tuple[str, ...] = ()


def read(text: str, at: int, stop: int) -> Written | None:
    """Return the id that is written at code point `at` of `text`, up to `stop`; None where it is not whole."""
    # Nearly all are ids of passages, and their one form is told much faster than by a pattern.
    key, end = text[at : at + _CHUNK], at + _CHUNK
    if end <= stop and is_evidence_id(key) and (end == stop or text[end] not in _HEX):
        return _new(Written, (at, end, key, ()))
    found = _CANONICAL.match(text, at, stop)
    if found is not None:
        return Written(at, found.end(), found.group())
    broken = _BROKEN.match(text, at, stop)
    if broken is None:
        return None
    whole = _CANONICAL.match(_BREAKS.sub("", broken.group()))
    if whole is None:
        return None
    key = whole.group()
    left, end = len(key), at
    for part in _KEPT.finditer(text, at, broken.end()):
        end = part.start() + min(left, len(part.group()))
        left -= len(part.group())
        if left <= 0:
            break
    how = "the id was broken over lines" if "\n" in text[at:end] else "characters without width in the id"
    return Written(at, end, key, (how,))


def malformed(text: str, at: int, stop: int, *, among_words: bool = False) -> Written | None:
    """Return what begins at `at` like an id and is none; `among_words` says that nothing but its form tells its end.

    None inside of a word, and where nothing follows the beginning.
    """
    if at and text[at - 1].isalnum():
        return None
    found = (_BARE if among_words else _WORD).match(text, at, stop)
    if found is None:
        return None
    end = found.end()
    again = _BEGINS.search(text, at + 1, end)
    if again is not None:
        end = again.start()
    key = text[at:end].rstrip(_AT_END)
    begun = _BEGINS.match(text, at, stop)
    if begun is None or at + len(key) <= begun.end():
        return None
    if among_words and found["cut"] is not None and again is None:
        # What was left out goes with it.
        return Written(at, end, key)
    return Written(at, at + len(key), key)


def is_long(one: Written) -> bool:
    """Say whether what is malformed is long enough to have been meant as an id among words."""
    return one.end - one.start >= len("ev1:c:") + _FEWEST


def written_ids(text: str, start: int, stop: int) -> Iterator[Written]:
    """Yield what is written as an id inside of brackets, in order: the ids, and what only begins like one."""
    while (found := _BEGINS.search(text, start, stop)) is not None:
        at = found.start()
        one = read(text, at, stop) or malformed(text, at, stop)
        if one is not None:
            yield one
        start = found.end() if one is None else max(one.end, found.end())
