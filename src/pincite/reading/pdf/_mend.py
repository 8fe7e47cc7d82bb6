"""Which of PDFium's characters a reader of the page has: none from off it, none twice, no space that nobody set."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from pincite.reading.pdf._letters import RTL_LETTERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from pincite.reading.pdf.text import PageChars

_EDGE = 1e-6
"""Share of a page by which a box may lie outside before its centre is asked for: device units are whole."""

_TWICE_ALONG, _TWICE_ACROSS = 0.25, 0.15
"""Shares of a glyph's width and height within which the same glyph again is a bold one, not a second letter."""

_FINE = ((0.4, 0.7), (0.31, 0.53))
"""Two grids, in shares of a usual glyph's width and height: two of one letter in a cell are rare but for doubled ones,
and of a doubled text some lie in a cell of one grid or the other."""

_COARSE = 0.5
"""The same for a grid in whose cells, or the next, all lie that are drawn twice."""

_WIDE_SCRIPT_SPACE, _THAI_SPACE = 1.0, 0.5
"""Heights of a line up to which room between two characters of a script without spaces is no space."""

_LIGATURE_SPACE, _USUAL_SPACE = 0.2, 0.75
"""Heights of a line, and share of the page's usual space, up to which the room beside a ligature is no space."""

_JUMP = 0.2
"""Shares of a glyph's width and height by which the next stands away from it both ways when a line ends there."""

_LEAP = 4.0
"""Heights of a glyph by which the next stands above or below it when a line ends there in any case."""

_FEW = 5
"""Spaces from which on there is a usual one."""

# A word: linear, one class.
_WORD = re.compile("\\S+")
# What ends a line already, and right-to-left writing, whose lines are put together by themselves: linear, one class.
_NO_JUMP = re.compile(f"[\n\ufffe{RTL_LETTERS}]")
_WIDE = (
    "\u2e80-\u2fff\u3001-\u312f\u31a0-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff01-\uff60"
    "\U0001b000-\U0001b2ff\U00020000-\U0003ffff"
)
_THAI = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
# A space between two characters of a script that is written without any (Han and kana; Thai, Lao, Khmer and Burmese),
# or beside a Latin ligature; what stands around is looked at, not taken: linear, fixed lengths.
_ODD_SPACE = re.compile(
    f" (?:(?<=[{_WIDE}] )(?=[{_WIDE}])|(?<=[{_THAI}] )(?=[{_THAI}])|(?<=[a-z] )(?=f[fijlt])|(?<=f[fijlt] )(?=[a-z]))"
)


def mend(chars: PageChars, width: float, height: float) -> None:
    """Leave out what a reader of the page does not have; the page is `width` by `height` points."""
    if not chars.text:
        return
    _outside(chars)
    _doubled(chars)
    _spaces(chars, width, height)
    _jumps(chars)


def _outside(chars: PageChars) -> None:
    """Leave out the characters whose middle lies off the visible page, and count them."""
    low, high = min(chars.x0.min(), chars.y0.min()), max(chars.x1.max(), chars.y1.max())
    if low >= -_EDGE and high <= 1 + _EDGE:
        return
    across, down = (chars.x0 + chars.x1) / 2, (chars.y0 + chars.y1) / 2
    inside = (across >= 0) & (across <= 1) & (down >= 0) & (down <= 1)
    blank = np.fromiter((char.isspace() for char in chars.text), np.bool_, len(chars.text))
    gone = ~inside & ~blank
    if gone.any():
        # White space stays where it was made up or lies on the page.
        _drop(chars, gone | (~inside & blank & (chars.x1 > chars.x0)))
        chars.outside = int(gone.sum())


def _drop(chars: PageChars, gone: NDArray[np.bool_]) -> None:
    """Leave out the characters of `gone`, and lines that hold nothing else with their ends."""
    text = chars.text
    kept: list[int] = []
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        stay = (np.flatnonzero(~gone[start:end]) + start).tolist()
        if len(stay) == end - start or any(not text[i].isspace() for i in stay):
            kept.extend(stay)
        start = end
    chars.take(kept)


def _doubled(chars: PageChars) -> None:
    """Leave out glyphs that are drawn again in nearly the same place, as bold writing or as a shadow."""
    codes = chars.codes().astype(np.int64)
    width, height = chars.x1 - chars.x0, chars.y1 - chars.y0
    inked = np.flatnonzero((width > 0) & (height > 0) & (codes > 32))  # noqa: PLR2004 - the space
    if len(inked) < 2:  # noqa: PLR2004 - one is not doubled
        return
    codes, width, height = codes[inked], width[inked], height[inked]
    x0, y0 = chars.x0[inked], chars.y0[inked]
    usual = float(width.mean()), float(height.mean())
    # The letters of a ligature share one place; they follow one another.
    own = np.ones(len(inked), np.bool_)
    own[1:] = (x0[1:] != x0[:-1]) | (y0[1:] != y0[:-1])
    grids = (
        _cells(x0, usual[0] * across) << 42 | _cells(y0, usual[1] * down) << 21 | codes
        for across, down in _FINE
    )
    if not any(_twice(keys[own]) for keys in grids):
        return
    again = dict(_again(codes, (x0, y0, width, height), own, usual))
    gone = np.zeros(len(chars.text), np.bool_)
    for match in _WORD.finditer(chars.text) if again else ():
        first, last = np.searchsorted(inked, match.span()).tolist()
        # Bold letters are drawn one by one or as a word; one letter over another word's is there by chance.
        if all(at in again for at in range(first, last)) or any(
            first <= again.get(at, -1) < last for at in range(first, last)
        ):
            gone[[int(inked[at]) for at in range(first, last) if at in again]] = True
    if gone.any():
        chars.doubled = True
        _drop(chars, gone)


def _again(
    codes: NDArray[np.int64],
    boxes: tuple[NDArray[np.float64], ...],
    own: NDArray[np.bool_],
    usual: tuple[float, float],
) -> Iterator[tuple[int, int]]:
    """Yield the glyphs that stand in nearly the place of an earlier one, and which; `own` share no other's box."""
    x0, y0, width, height = boxes
    places: dict[tuple[int, int, int], list[int]] = {}
    doubled: dict[int, int] = {}
    columns, rows = _cells(x0, usual[0] * _COARSE), _cells(y0, usual[1] * _COARSE)
    for at, (code, across, down) in enumerate(
        zip(codes.tolist(), columns.tolist(), rows.tolist(), strict=True)
    ):
        before: int | None = None
        if own[at]:
            for i in _near(places, code, across, down):
                near = abs(x0[at] - x0[i]) < _TWICE_ALONG * width[at]
                if near and abs(y0[at] - y0[i]) < _TWICE_ACROSS * height[at]:
                    before = i
                    break
        elif at - 1 in doubled:
            before = doubled[at - 1]
        if before is not None:
            doubled[at] = before
            yield at, before
            continue
        here = places.setdefault((code, across, down), [])
        if len(here) < _FEW:
            here.append(at)


def _twice(keys: NDArray[np.int64]) -> bool:
    """Say whether a number is there twice."""
    keys = np.sort(keys)
    return bool((keys[1:] == keys[:-1]).any())


def _cells(values: NDArray[np.float64], size: float) -> NDArray[np.int64]:
    """Return the number of the cell of a grid in which each value lies; places lie in or near 0 to 1."""
    return (np.clip(values / max(size, 1e-5), -1, 1 << 20) + 1).astype(np.int64)


def _near(places: dict[tuple[int, int, int], list[int]], code: int, across: int, down: int) -> Iterator[int]:
    """Yield the glyphs of `code` in the cells around one."""
    for column in (across - 1, across, across + 1):
        for row in (down - 1, down, down + 1):
            yield from places.get((code, column, row), ())


def _spaces(chars: PageChars, width: float, height: float) -> None:
    """Leave out the spaces that PDFium makes up inside words: in scripts without spaces, and beside ligatures."""
    found = [match.start() for match in _ODD_SPACE.finditer(chars.text)]
    made_up = [i for i in found if chars.x1[i] <= chars.x0[i]]
    if not made_up:
        return
    at = np.array(made_up)
    room = _room(chars, at, width, height)
    tall = np.maximum(_height(chars, at - 1, width, height), _height(chars, at + 1, width, height))
    usual: float | None = None
    gone: list[int] = []
    for index, position in enumerate(made_up):
        before = chars.text[position - 1]
        if before.isascii():
            if usual is None:
                usual = _usual_space(chars, width, height)
            if _is_ligature(chars, position) and room[index] <= min(
                _LIGATURE_SPACE * tall[index], _USUAL_SPACE * usual
            ):
                gone.append(position)
        else:
            thai = "\u0e00" <= before <= "\u17ff"
            if room[index] <= (_THAI_SPACE if thai else _WIDE_SCRIPT_SPACE) * tall[index]:
                gone.append(position)
    if gone:
        out = set(gone)
        chars.take([i for i in range(len(chars.text)) if i not in out])


def _room(chars: PageChars, at: NDArray[np.int64], width: float, height: float) -> NDArray[np.float64]:
    """Return the points between the characters before and after each position."""
    one, other = at - 1, at + 1
    across = np.maximum(chars.x0[other] - chars.x1[one], chars.x0[one] - chars.x1[other]) * width
    down = np.maximum(chars.y0[other] - chars.y1[one], chars.y0[one] - chars.y1[other]) * height
    return np.maximum(across, down)


def _height(chars: PageChars, at: NDArray[np.int64], width: float, height: float) -> NDArray[np.float64]:
    """Return the longer side of each character's box, in points: about its font's size."""
    return np.maximum((chars.x1[at] - chars.x0[at]) * width, (chars.y1[at] - chars.y0[at]) * height)


def _usual_space(chars: PageChars, width: float, height: float) -> float:
    """Return the room, in points, that the page's made-up spaces usually take; 0 for none."""
    found = [
        match.start()
        for match in re.finditer("(?<=[^\\W\\d_]) (?=[^\\W\\d_])", chars.text)
        if chars.x1[match.start()] <= chars.x0[match.start()]
    ]
    if len(found) < _FEW:
        return float("inf")
    return float(np.median(_room(chars, np.array(found), width, height)))


def _is_ligature(chars: PageChars, space: int) -> bool:
    """Say whether one glyph for several letters stands before or after the space at `space`."""
    return any(
        i >= 0
        and i + 1 < len(chars.text)
        and chars.x0[i] == chars.x0[i + 1]
        and chars.x1[i] == chars.x1[i + 1]
        for i in (space - 2, space + 1)
    )


def _jumps(chars: PageChars) -> None:
    """End the line where PDFium goes on in it though the writing goes on elsewhere, as in the next form field."""
    boxed = np.flatnonzero((chars.x1 > chars.x0) & (chars.y1 > chars.y0))
    if len(boxed) < 2:  # noqa: PLR2004 - one is nowhere else
        return
    x0, y0, x1, y1 = (side[boxed] for side in (chars.x0, chars.y0, chars.x1, chars.y1))
    wide, tall = (x1 - x0)[1:], (y1 - y0)[1:]
    across = np.maximum(x0[1:] - x1[:-1], x0[:-1] - x1[1:])
    down = np.maximum(y0[1:] - y1[:-1], y0[:-1] - y1[1:])
    jump = (across > _JUMP * wide) & (down > _JUMP * tall) | (down > _LEAP * np.maximum(tall, (y1 - y0)[:-1]))
    found = [
        (int(boxed[at]) + 1, int(boxed[at + 1]))
        for at in np.flatnonzero(jump)
        if _NO_JUMP.search(chars.text, int(boxed[at]), int(boxed[at + 1]) + 1) is None
    ]
    if not found:
        return
    order: list[int] = []
    said: list[str] = []
    start = 0
    for end, following in found:
        order.extend((*range(start, end), -1, -1))
        said.append(chars.text[start:end] + "\r\n")
        start = following
    order.extend(range(start, len(chars.text)))
    chars.take(order, "".join((*said, chars.text[start:])))
