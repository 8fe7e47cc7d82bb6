"""Numbers in brackets, as a model writes them that was given numbered sources, told from what only looks like them."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from pincite.citing._marks import link
from pincite.citing.formats.base import WireFormat
from pincite.citing.occurrence import parse_citations

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pincite.core.limits import Limits

FAR: Final = 10
"""A number is far beyond the sources when it is more than so many times as many as they are."""
FAR_AT_LEAST: Final = 100
"""No number below this is far beyond the sources, however few they are."""

# A number or a range of two, in digits of any width; every run is bounded.
_ANY: Final = r"[0-9\uff10-\uff19]{1,9}(?:\s{0,3}[-\u2013\u2014\uff0d]\s{0,3}[0-9\uff10-\uff19]{1,9})?"
_BETWEEN: Final = r"\s{0,3}[,;\u3001\uff0c\uff1b]\s{0,3}"
# Takes the first number and the last of each range; linear: runs of digits, and what stands between two.
_RANGE: Final = re.compile(r"(\d+)(?:\s*[-\u2013\u2014\uff0d]\s*(\d+))?")
# Takes all that stands in double brackets; linear: bounded, and a separator is no digit.
_LIST: Final = re.compile(rf"\[\[\s{{0,3}}{_ANY}(?:{_BETWEEN}{_ANY}){{0,40}}\s{{0,3}}\]\]")


def _format(name: str, opening: str, closing: str, key: str) -> WireFormat:
    return WireFormat(name, "number", opening, closing, re.compile(key), full=True, teaching="")


# What a key may be; linear, as each is bounded.
_SINGLE: Final = _format("numbered", "[", "]", r"[0-9]{1,9}(?:\s{0,3}[-\u2013\u2014]\s{0,3}[0-9]{1,9})?")
_WIDE_KEY: Final = rf"{_ANY}(?:{_BETWEEN}{_ANY}){{0,40}}\s{{0,3}}(?:\u2020[^\[\]\n]{{0,300}})?"
_DOUBLE: Final = "[["
_FORMATS: Final = (
    # A lone number in double brackets may have an address behind it, and is read with it.
    _format("numbered_double", _DOUBLE, "]]", rf"(?=[^-\u2013\u2014\uff0d]*[-\u2013\u2014\uff0d]){_ANY}"),
    _SINGLE,
    _format("numbered_lenticular", "\u3010", "\u3011", _WIDE_KEY),
    _format("numbered_wide", "\uff3b", "\uff3d", _WIDE_KEY),
)
_MOST_DIGITS: Final = 9
# What may make code, a comment, an escape or another form of brackets of something, or takes in what stands behind it.
_LOUD: Final = ("`", "~", "<", "\\", "\u3010", "\uff3b", "\ue200", _DOUBLE, "](", "]:")
# Takes a number that is too long to be one of ours and may yet have an address; linear: a bounded run.
_LONG: Final = re.compile(r"\[\s{0,3}\d{10}")
# Takes a word of a group, as the scan cuts it; linear: two classes.
_WORD: Final = re.compile(r"[^,;\s][^,;]*")
_DAGGER: Final = "\u2020"
_FORMS: Final = frozenset(one.name for one in _FORMATS)


class Bracketed(NamedTuple):
    """A pair of brackets with the ranges of numbers in it, first and last; code points of the text."""

    start: int
    end: int
    ranges: Sequence[tuple[int, int]]


def bracketed(text: str, count: int, limits: Limits) -> list[Bracketed]:
    """Return the numbers in brackets of a text that may mean one of `count` sources, in order.

    None are those in code, an address or a definition, those that are all of a picture's text, and those that are
    prose: single brackets with a 0 among their numbers, or with none but numbers far beyond the sources. Double and
    full-width brackets are no way to write a year or an index, so whatever number they hold is one.
    """
    far = max(FAR_AT_LEAST - 1, FAR * count)
    if not any(one in text for one in _LOUD) and _LONG.search(text) is None:
        return [one for one in _of_plain_text(text, limits) if not _is_prose(one.ranges, far)]
    return list(_of_any_text(text, far, limits))


def _of_plain_text(text: str, limits: Limits) -> Iterator[Bracketed]:
    """Yield what the scan finds in a text in which nothing but single brackets means anything, prose too."""
    limit, most = limits.marker_code_points, limits.markers_per_group
    at = text.find("[")
    while at >= 0:
        close = text.find("]", at + 1, at + limit)
        ranges: list[tuple[int, int]] = []
        if close >= 0:
            body = text[at + 1 : close]
            if len(body) <= _MOST_DIGITS and body.isdecimal() and body.isascii():
                ranges.append((int(body), int(body)))
            else:
                words = (one.group().rstrip() for one in _WORD.finditer(body))
                keys = (word for word in words if _SINGLE.key.fullmatch(word) is not None)
                for key in islice(keys, most):
                    ranges += _ranges(key)
        if ranges:
            yield Bracketed(at, close + 1, ranges)
            at = close
        at = text.find("[", at + 1)


def _of_any_text(text: str, far: int, limits: Limits) -> Iterator[Bracketed]:
    """Yield what the scan finds, without prose and pictures."""
    found: dict[tuple[int, int], list[tuple[int, int]]] = {}
    addressed: set[tuple[int, int]] = set()
    for one in parse_citations(text, [*_FORMATS, "inline_url"], limits=limits):
        if one.in_code or one.definition or one.in_link:
            continue
        key, marker = one.key, one.marker
        if one.form not in _FORMS:
            key = one.number
            if not key.isdecimal() or len(key) > _MOST_DIGITS:
                continue
            addressed.add(marker)
        found.setdefault(marker, []).extend(_ranges(key.partition(_DAGGER)[0]))
    for marker, ranges in found.items():
        start, end = marker
        if text[start] != "[":
            yield Bracketed(start, _with_link(text, start, end, limits), ranges)
        elif text.startswith(_DOUBLE, start):
            # The scan cuts a list at its separators, and takes the outer brackets for no part of it.
            whole = None if marker in addressed else _LIST.match(text, start)
            if whole is None:
                yield Bracketed(start, end, ranges)
            else:
                end = _with_link(text, start, whole.end(), limits)
                yield Bracketed(start, end, _ranges(whole.group()))
        elif not (_is_prose(ranges, far) or is_picture(text, start, end, limits)):
            yield Bracketed(start, end, ranges)


def is_picture(text: str, start: int, end: int, limits: Limits) -> bool:
    """Say whether brackets are the text of a picture, `![1](plan.png)`, and not a marker behind an exclamation."""
    if text[start - 1 : start] != "!" or not text.startswith("(", end):
        return False
    before = text[max(0, start - 1 - limits.marker_code_points) : start - 1]
    if (len(before) - len(before.rstrip("\\"))) % 2:
        return False  # the mark is escaped: a link stands behind it
    return link(text, end, min(len(text), end + limits.marker_code_points), hard=True) is not None


def _with_link(text: str, start: int, end: int, limits: Limits) -> int:
    """Return where a marker ends, with the address behind it."""
    if not text.startswith("(", end):
        return end
    target = link(text, end, min(len(text), start + limits.marker_code_points), hard=True)
    return target.end() if isinstance(target, re.Match) else end


def _ranges(written: str) -> list[tuple[int, int]]:
    return [(int(one[1]), int(one[2] or one[1])) for one in _RANGE.finditer(written)]


def _is_prose(ranges: Sequence[tuple[int, int]], far: int) -> bool:
    """Say whether numbers are an interval, an index or a year: sources count from 1, and not as far as `far`."""
    low = far + 1
    for first, last in ranges:
        if not first or not last:
            return True
        low = min(low, first, last)
    return low > far
