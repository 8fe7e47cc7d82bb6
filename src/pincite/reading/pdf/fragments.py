"""Fragments of lines: runs of words that no gutter parts, and lines that PDFium took for one."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from pincite.reading.pdf._letters import RTL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from pincite.reading.pdf.words import Line, PageWords

GUTTER, _WIDE, _NEAR = 0.9, 2.5, 2.0
"""Line heights of empty space beside a word from which on another fragment may begin, and from which on it does;
in between the lines as near as the third decide. Splitting too often is harmless, a box over two columns is not."""

_UNDER = 0.8
"""Line heights by which a word stands under the one before it, at least, when it is of another line."""

_OTHER_TYPE = 1.12
"""Ratio of two font sizes from which on they are not one line when a wide space parts them."""

CORE = 0.2
"""Share of a line's height at its top and foot in which its neighbours' boxes may reach into its own."""


def fragment_starts(words: PageWords, lines: Sequence[Line], *, rtl: bool) -> NDArray[np.bool_]:
    """Return for each word whether a fragment begins with it; `rtl` says that some are written from right to left.

    A fragment is a run of a line's words that no gutter parts; slanted writing is parted at each word.
    """
    cut = np.zeros(len(words.start), np.bool_)
    seen = [index for index, line in enumerate(lines) if line.seen]
    if not seen:
        return cut
    firsts = np.array([lines[index].first for index in seen])
    counts = np.diff(np.concatenate((firsts, [len(cut)])))
    cut[firsts] = True
    beside = np.maximum(words.x0[1:] - words.x1[:-1], words.x0[:-1] - words.x1[1:])
    under = np.maximum(words.y0[1:] - words.y1[:-1], words.y0[:-1] - words.y1[1:])
    upright = words.upright[1:]
    thick = np.where(words.upright, words.y1 - words.y0, words.x1 - words.x0)
    height = np.maximum(thick[1:], thick[:-1])
    along, across = np.where(upright, beside, under), np.where(upright, under, beside)
    apart = (across > 0) | (along > _WIDE * height)
    maybe = np.flatnonzero((along > GUTTER * height) & ~apart & ~cut[1:])
    apart &= ~cut[1:]
    owners: list[int] = []
    if len(maybe) or apart.any():
        owners = np.repeat(np.array(seen), counts).tolist()
        for at in np.flatnonzero(apart).tolist():
            cut[at + 1] = not (rtl and _filled(words, lines[owners[at]], at))
        for at in maybe.tolist():
            filled = rtl and _filled(words, lines[owners[at]], at)
            cut[at + 1] = not filled and _parts(words, lines, owners[at], at, float(height[at]))
    for index in seen:
        if lines[index].slanted:
            cut[lines[index].first : lines[index].last] = True
    if cut.sum() > len(seen):
        for index, count in zip(seen, np.add.reduceat(cut.astype(np.int64), firsts).tolist(), strict=True):
            lines[index].pieces = count
    return cut


def _filled(words: PageWords, line: Line, at: int) -> bool:
    """Say whether other words of the line stand between words `at` and `at + 1`: two directions of writing meet."""
    if not line.upright or line.last - line.first <= 2:  # noqa: PLR2004 - nothing but the two
        return False
    low = min(words.x1[at], words.x1[at + 1])
    high = max(words.x0[at], words.x0[at + 1])
    own = slice(line.first, line.last)
    return bool(((words.x0[own] < high) & (words.x1[own] > low)).any())


def unmixed(words: PageWords, lines: list[Line], cut: NDArray[np.bool_], *, rtl: bool) -> list[Line]:
    """Return the lines, each that is more than one parted.

    PDFium takes for one line what stands in one row, and sometimes the last words of a line with the raised mark that
    begins the next. Where the writing steps back and down, or goes over a wide space to other type, a line ends.
    """
    if all(line.pieces == 1 for line in lines):
        return lines
    found: list[Line] = []
    for line in lines:
        if line.pieces == 1 or line.slanted or not line.upright:
            found.append(line)
            continue
        starts = (np.flatnonzero(cut[line.first + 1 : line.last]) + line.first + 1).tolist()
        ends = [at for at in starts if _is_other_line(words, at, rtl=rtl)]
        if not ends:
            found.append(line)
            continue
        for first, last in pairwise([line.first, *ends, line.last]):
            part = part_of(words, line, first, last)
            part.pieces = 1 + sum(first < at < last for at in starts)
            found.append(part)
    return found


def _is_other_line(words: PageWords, at: int, *, rtl: bool) -> bool:
    """Say whether the fragment that begins with word `at` is of another line than the one before it."""
    height = words.y1[at] - words.y0[at]
    down = (words.y0[at] + words.y1[at] - words.y0[at - 1] - words.y1[at - 1]) / 2
    back = not rtl and words.x1[at] <= words.x0[at - 1]
    small, large = sorted((words.size[at], words.size[at - 1]))
    return bool(
        down > _UNDER * height
        or (back and down > CORE * height)
        or (large > _OTHER_TYPE * small and words.x0[at] - words.x1[at - 1] > _WIDE * height)
    )


def has_rtl(text: str) -> bool:
    """Say whether letters that are written from right to left are in a text."""
    return RTL.search(text) is not None


def _parts(words: PageWords, lines: Sequence[Line], index: int, at: int, height: float) -> bool:
    """Say whether the space after word `at` goes on in the lines around, as a gutter does and a wide space does not."""
    line = lines[index]
    middle = (min(words.x1[at], words.x1[at + 1]) + max(words.x0[at], words.x0[at + 1])) / 2
    near = [
        other
        for other in (*lines[max(0, index - 1) : index], *lines[index + 1 : index + 2])
        if line.upright and other.seen and abs(other.y1 - line.y1) <= _NEAR * height
    ]
    return not near or not all(_covers(words, other, middle) for other in near)


def _covers(words: PageWords, line: Line, x: float) -> bool:
    """Say whether a word of the line stands over or under `x` points from the left."""
    own = slice(line.first, line.last)
    return bool(((words.x0[own] <= x) & (words.x1[own] >= x)).any())


def part_of(words: PageWords, line: Line, first: int, last: int) -> Line:
    """Return the part of a line that its words `first` to `last` are, not counting that."""
    if (first, last) == (line.first, line.last):
        return line
    own = slice(first, last)
    longest = first + int(np.argmax(words.end[own] - words.start[own]))
    return replace(
        line,
        start=line.start if first == line.first else int(words.start[first]),
        end=line.end if last == line.last else int(words.end[last - 1]),
        first=first,
        last=last,
        x0=float(words.x0[own].min()),
        y0=float(words.y0[own].min()),
        x1=float(words.x1[own].max()),
        y1=float(words.y1[own].max()),
        size=float(words.size[longest]),
        fonts=(int(words.font[first]), int(words.font[last - 1])),
        pieces=1,
    )
