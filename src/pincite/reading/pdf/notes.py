"""Footnotes: small type at the foot of a page or column, told from the text that goes on above them."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from pincite.reading.pdf._letters import ends_sentence
from pincite.reading.pdf.words import UPRIGHT

if TYPE_CHECKING:
    from collections.abc import Callable

    from pincite.reading.pdf.words import Line

# The mark of a footnote: a number that nothing but a word follows, or signs: linear, bounded.
_MARK = re.compile(r"\[?\d{1,3}\]?(?![\d.,:;)%/–-])\s*\S|[*∗†‡§¶]{1,3}\s*\w|\d{1,3}[.)] ?(?=[A-Z\"“])")

_SMALL = 0.93
"""Share of the body's font size that a footnote's is, at most."""

_FOOT = 0.35
"""Share of the page's height above which no footnote begins."""

_BODY_LINES = 3
"""Lines of body type above a footnote, at least."""

_CLEAR = 0.3
"""Line heights between the body and the first footnote, at least."""


def with_notes_apart(
    lines: list[Line], text: str, height: float, parted: Callable[[Line, Line], bool]
) -> list[Line]:
    """Return the lines with footnotes after the body, each a paragraph; a `height` is the page's.

    Where the body's last paragraph goes on over the page's end they stand before it, so that nothing comes between
    its two parts. `parted` says whether a paragraph ends between two lines.
    """
    body = _body_size(lines)
    small = [line.seen and line.size <= _SMALL * body and not line.table for line in lines]
    if not any(small):
        return lines
    notes: list[int] = []
    start = 0
    while start < len(lines):
        if not small[start]:
            start += 1
            continue
        end = start
        while end < len(lines) and small[end]:
            end += 1
        begin = next(
            (
                at
                for at in range(start, end)
                if _MARK.match(text, lines[at].start) and _is_foot(lines, small, at, end, height)
            ),
            end,
        )
        notes += range(begin, end)
        start = end
    if not notes or len(notes) == len(lines):
        return lines
    _mark_starts(lines, notes, text)
    chosen = set(notes)
    rest = [line for at, line in enumerate(lines) if at not in chosen]
    return _placed(rest, [lines[at] for at in notes], text, parted)


def _body_size(lines: list[Line]) -> float:
    """Return the font size in which most of the page is set."""
    weights: Counter[float] = Counter()
    for line in lines:
        weights[round(line.size, 1)] += line.end - line.start
    return max(weights, key=lambda size: (weights[size], size), default=0.0)


def _is_foot(lines: list[Line], small: list[bool], start: int, end: int, height: float) -> bool:
    """Say whether lines `start` to `end` are the foot of a column: body type above them, nothing but a foot below."""
    first, run = lines[start], lines[start:end]
    if first.y0 < _FOOT * height or first.way != UPRIGHT or any(line.y0 < first.y0 - 1 for line in run):
        return False
    left, right = min(line.x0 for line in run), max(line.x1 for line in run)
    bottom = max(line.y1 for line in run)
    above = below = 0
    nearest = 0.0
    for line, is_small in zip(lines, small, strict=True):
        if is_small or not line.seen or line.x0 >= right or line.x1 <= left:
            continue
        if line.y1 <= first.y0 + first.height * 0.5:
            above += 1
            nearest = max(nearest, line.y1)
        elif line.y0 < bottom + _CLEAR * first.height:
            return False
        else:
            below += 1
    return above >= _BODY_LINES and below <= 1 and first.y0 - nearest >= _CLEAR * first.height


def _mark_starts(lines: list[Line], notes: list[int], text: str) -> None:
    """Set `note` on each line: 1 where a footnote begins, 2 where it goes on."""
    before = -2
    indent = 0.0
    for at in notes:
        line = lines[at]
        begins = _MARK.match(text, line.start) is not None
        if at != before + 1:
            begins, indent = True, line.x0
        line.note = 1 if begins and abs(line.x0 - indent) < 2 * line.size else 2
        before = at


def _placed(
    rest: list[Line], notes: list[Line], text: str, parted: Callable[[Line, Line], bool]
) -> list[Line]:
    """Return the body and the notes after it, or before its last paragraph when that goes on over the page."""
    foot = max(line.y1 for line in notes)
    end = len(rest)
    while end and rest[end - 1].y0 >= foot:  # a running foot
        end -= 1
    if not end:
        return [*rest, *notes]
    last = rest[end - 1]
    at = end
    if not ends_sentence(text, last.start, last.end):
        start = end - 1
        while start and not parted(rest[start - 1], rest[start]):
            start -= 1
        at = start or end
    return [*rest[:at], *notes, *rest[at:]]
