"""Right-to-left writing in the order of reading, whichever order the file holds it in.

PDFium turns such writing by its characters alone, which is wrong for files that hold it in the order of reading
already, and it mirrors brackets by the same guess. Where the glyphs stand decides here: those of a line are sorted as
a reader sees them, left to right, and that picture is read as the bidirectional algorithm (UAX 9) would have drawn it.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from ctypes import addressof
from dataclasses import dataclass, field
from itertools import groupby
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from pincite.reading.pdf import _pdfium as pdfium

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pincite.core.geometry import Affine
    from pincite.reading.pdf.text import PageChars

# A letter of a right-to-left script: linear, one class.
RTL_LETTER = re.compile(
    "[\u05be-\u05f4\u0608-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)

_RIGHT, _NUMBERS = ("R", "AL"), ("EN", "AN")
_FOLLOWERS = ("Mn", "Me", "Cf")
"""Categories of what has no place of its own in a line: it follows the letter that it stands on."""

_EXACT = 0.01
"""Points by which the parts of one box may miss one another."""

_DOUBLE = 0.7
"""Share of the narrower of two glyphs of the same letter that covers the other when they are one."""

_SPACE = 0.2
"""Font sizes between two glyphs from which on they are two words, where the file has no space."""

_APART, _COLUMN = 2.0, 3.0
"""Heights between two pieces of a line from which on they are two lines, and between words that are two columns."""

_MOST_PIECES, _MOST_BRACKETS = 64, 8
"""Pieces that may be one line, and brackets that may stand at the end of a stretch: more is a trap."""

_SAME_LINE = 0.4
"""Share of the lower of two pieces that must stand beside the other."""

_ONE_SIDED = 0.7
"""Share of a line's letters from which on their direction is the line's; the page decides for the others."""

_MARGIN = 10.0
"""Points of a margin within which a line begins there."""

_STOPS = {".", "!", "?", ":", ";", "\u061f", "\u06d4"}

_PAIRS = "()[]{}<>«»‹›≤≥⟨⟩⟦⟧⟪⟫〈〉《》「」『』【】〔〕"
_MIRROR = {ord(a): b for a, b in zip(_PAIRS, (_PAIRS[i ^ 1] for i in range(len(_PAIRS))), strict=True)}
_OPENS = {"(": ")", "[": "]", "{": "}", "«": "»", "‹": "›", "⟨": "⟩", "⟪": "⟫"}
_CLOSES = {close: opening for opening, close in _OPENS.items()}


@dataclass(slots=True)
class _Cluster:
    """A glyph: its characters in the order of reading, its place along the line, and what follows it there."""

    chars: list[int]
    start: float
    end: float
    kind: str
    text: str
    top: float = 0.0
    followers: list[int] = field(default_factory=list[int])
    odd: bool = False

    @property
    def middle(self) -> float:
        return (self.start + self.end) / 2


@dataclass(slots=True)
class _Piece:
    """A stretch of characters that PDFium takes for a line, and its place in points along and across its writing."""

    start: int
    end: int
    right: int
    left: int
    turn: tuple[int, int] = (1, 0)
    low: float = 0.0
    high: float = 0.0
    top: float = 0.0
    bottom: float = 0.0


class _Places:
    """Where characters stand, in points along and across a direction of writing."""

    def __init__(self, chars: PageChars, affine: Affine) -> None:
        self._chars, self._affine = chars, affine
        self._width = 1 / max(abs(affine.a) + abs(affine.c), 1e-9)
        self._height = 1 / max(abs(affine.b) + abs(affine.d), 1e-9)

    def turn(self, position: int) -> tuple[int, int]:
        """Return the direction, right or down, of the writing at `position`, as the reader sees it.

        What is up for a glyph decides: letters of a scan's text may run to the left by a mirrored matrix.
        """
        matrix = pdfium.Matrix()
        pdfium.char_matrix(self._chars.handle, self._chars.index(position), addressof(matrix))
        across = (self._affine.a * matrix.c + self._affine.c * matrix.d) * self._width
        down = (self._affine.b * matrix.c + self._affine.d * matrix.d) * self._height
        if abs(across) > abs(down):
            return (0, 1) if across > 0 else (0, -1)
        return (-1, 0) if down > 0 else (1, 0)

    def box(self, position: int, turn: tuple[int, int]) -> tuple[float, float, float, float]:
        """Return start and end along the writing, top and bottom across it."""
        chars = self._chars
        x0, x1 = float(chars.x0[position]) * self._width, float(chars.x1[position]) * self._width
        y0, y1 = float(chars.y0[position]) * self._height, float(chars.y1[position]) * self._height
        if turn == (1, 0):
            return x0, x1, y0, y1
        if turn == (-1, 0):
            return -x1, -x0, -y1, -y0
        return (y0, y1, -x1, -x0) if turn == (0, 1) else (-y1, -y0, x0, x1)


def reading_order(chars: PageChars, affine: Affine) -> tuple[list[int], str] | None:
    """Return the page's characters in the order of reading and what each is, or None when all stand in it.

    A position of -1 is a space that stands between two words and has no character.
    """
    if RTL_LETTER.search(chars.text) is None:
        return None
    places = _Places(chars, affine)
    lines = list(_pieces(chars, places))
    right, left = sum(line.right for line in lines), sum(line.left for line in lines)
    edges = _edges(lines)
    order: list[int] = []
    said: list[str] = []
    groups: list[tuple[int, list[_Cluster]]] = []
    for group in _groups(lines):
        if not any(line.right for line in group):
            for line in group:
                order.extend(range(line.start, line.end))
                said.append(chars.text[line.start : line.end])
            continue
        rtl = sum(line.right for line in group)
        share = rtl / max(1, rtl + sum(line.left for line in group))
        clusters = _clusters(chars, places, group)
        to_left = share >= _ONE_SIDED
        if not to_left and share > 1 - _ONE_SIDED:
            to_left = _ends_left(clusters, edges.get(group[0].turn), usual=right > left)
        groups.append((len(said), _logical(clusters, to_left=to_left)))
        said.append("")
        end = group[-1].end
        tail = [i for i in range(max(group[-1].start, end - 2), end) if chars.text[i] in "\r\n"]
        for cluster in groups[-1][1]:
            order.extend(cluster.chars)
            order.extend(cluster.followers)
        order.extend(tail)
        said.append("".join(chars.text[i] for i in tail))
    mirrored = _mirrored(groups)
    for place, clusters in groups:
        said[place] = "".join(
            (cluster.text.translate(_MIRROR) if mirrored and cluster.odd else cluster.text)
            + "".join(chars.text[i] for i in cluster.followers)
            for cluster in clusters
        )
    return order, "".join(said)


def _edges(lines: Sequence[_Piece]) -> dict[tuple[int, int], tuple[float, float]]:
    """Return where the writing in each direction begins and ends at most, in points."""
    found: dict[tuple[int, int], tuple[float, float]] = {}
    for line in lines:
        if line.bottom > line.top:
            low, high = found.get(line.turn, (line.low, line.high))
            found[line.turn] = min(low, line.low), max(high, line.high)
    return found


def _ends_left(clusters: Sequence[_Cluster], edges: tuple[float, float] | None, *, usual: bool) -> bool:
    """Say whether mixed writing is read from the right: its full stop says, then its margin, then the page."""
    if not clusters:
        return usual
    ends = clusters[0].text in _STOPS, clusters[-1].text in _STOPS
    if ends[0] != ends[1]:
        return ends[0]
    if edges is not None:
        room = clusters[0].start - edges[0], edges[1] - clusters[-1].end
        if min(room) < _MARGIN < max(room):
            return room[1] < room[0]
    return usual


def _pieces(chars: PageChars, places: _Places) -> Iterator[_Piece]:
    """Yield PDFium's lines; those with right-to-left letters, and those beside them, know where they stand."""
    text = chars.text
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        part = text[start:end]
        right = len(RTL_LETTER.findall(part))
        left = sum(unicodedata.bidirectional(char) == "L" for char in part)
        piece = _Piece(start, end, right, left)
        boxed = [i for i in range(start, end) if chars.x1[i] > chars.x0[i] and not text[i].isspace()]
        if boxed:
            piece.turn = places.turn(boxed[0])
            boxes = [places.box(i, piece.turn) for i in boxed]
            piece.low, piece.high = min(box[0] for box in boxes), max(box[1] for box in boxes)
            piece.top, piece.bottom = median(box[2] for box in boxes), median(box[3] for box in boxes)
        yield piece
        start = end


def _groups(pieces: Sequence[_Piece]) -> Iterator[list[_Piece]]:
    """Yield the pieces that are one line to a reader: PDFium ends a line where a mark stands high."""
    group: list[_Piece] = []
    for piece in pieces:
        if group and not _beside(group, piece):
            yield group
            group = []
        group.append(piece)
    if group:
        yield group


def _beside(group: Sequence[_Piece], piece: _Piece) -> bool:
    """Say whether a piece goes on with the line that `group` is."""
    if len(group) >= _MOST_PIECES or piece.turn != group[0].turn:
        return False
    if not (piece.right or any(one.right for one in group)):
        return False
    tall = max(group, key=lambda one: one.bottom - one.top)
    height, own = tall.bottom - tall.top, piece.bottom - piece.top
    if min(height, own) <= 0:
        return False
    beside = min(tall.bottom, piece.bottom) - max(tall.top, piece.top)
    small = own < 0.6 * height  # a mark over or under the line
    if beside < (-0.25 * height if small else _SAME_LINE * min(height, own)):
        return False
    low, high = min(one.low for one in group), max(one.high for one in group)
    near = _APART if piece.right else 1.0
    return max(piece.low - high, low - piece.high) < near * max(height, own)


def _clusters(chars: PageChars, places: _Places, group: Sequence[_Piece]) -> list[_Cluster]:
    """Return the glyphs of a line as they stand, left to right, with spaces where there is room for one."""
    found: list[_Cluster] = []
    followers: list[tuple[float, float, float, int]] = []
    for piece in group:
        text = _unmirrored(chars.text[piece.start : piece.end])
        kept = [i for i in range(piece.start, piece.end) if text[i - piece.start] not in "\r\n"]
        for sides, same in groupby(kept, lambda i, turn=piece.turn: places.box(i, turn)):
            glyph = list(same)
            low, high, top, _ = sides
            if high <= low and all(text[i - piece.start].isspace() for i in glyph):
                continue  # a space that PDFium made up
            letters = [i for i in glyph if unicodedata.category(text[i - piece.start]) not in _FOLLOWERS]
            if not letters:
                followers.extend((low, high, top, i) for i in glyph)
                continue
            found.append(_cluster(glyph, "".join(text[i - piece.start] for i in glyph), low, high, top))
    found.sort(key=lambda cluster: (cluster.middle, cluster.kind == "L"))
    _attach(found, followers, chars.text)
    found = _once(found)
    some = [cluster.chars[0] for cluster in found if cluster.kind in _RIGHT]
    sizes = chars.sizes(np.array(some[:: max(1, len(some) // 8)], np.int32))
    return list(_spaced(found, float(np.median(sizes)) if len(sizes) else 0.0))


def _once(found: Sequence[_Cluster]) -> list[_Cluster]:
    """Return the glyphs without those that stand on one of the same letters: some files spell a mark's letter too."""
    kept: list[_Cluster] = []
    for cluster in found:
        before = kept[-1] if kept else None
        if before is not None and before.text == cluster.text and cluster.kind in _RIGHT:
            shared = min(before.end, cluster.end) - max(before.start, cluster.start)
            if shared > _DOUBLE * min(before.end - before.start, cluster.end - cluster.start):
                if cluster.end - cluster.start > before.end - before.start:
                    kept[-1] = cluster
                continue
        kept.append(cluster)
    return kept


def _cluster(glyph: list[int], text: str, low: float, high: float, top: float) -> _Cluster:
    """Return one glyph. The letters of a ligature are in the order that PDFium turned them into."""
    if len(glyph) > 1 and RTL_LETTER.search(text) and text not in _presentation_forms():
        glyph, text = glyph[::-1], text[::-1]
    kinds = [unicodedata.bidirectional(char) for char in text]
    strong = next((kind for kind in kinds if kind in {"L", *_RIGHT, *_NUMBERS}), kinds[0])
    return _Cluster(glyph, low, high, strong, text, top)


_FORMS: set[str] = set()


def _presentation_forms() -> set[str]:
    """Return the letters of each ligature in Unicode: PDFium writes those out, in the order of reading."""
    if not _FORMS:
        codes = [*range(0xFB50, 0xFE00), *range(0xFE70, 0xFEFD)]
        forms = (unicodedata.normalize("NFKC", chr(code)) for code in codes)
        _FORMS.update(form for form in forms if len(form) > 1)
    return _FORMS


def _attach(found: list[_Cluster], followers: list[tuple[float, float, float, int]], text: str) -> None:
    """Give each mark to the glyph that it stands on, else to the next one to its right.

    Where one glyph is a letter with its marks, PDFium parts its box, the letter at the right: those go together.
    """
    hosts = [cluster for cluster in found if cluster.text.strip()]
    if not hosts:
        found.extend(_Cluster([i], low, high, "NSM", text[i]) for low, high, _, i in followers)
        return
    middles = [host.middle for host in hosts]
    for low, high, top, position in sorted(followers, key=lambda one: -one[1]):
        at = bisect_left(middles, (low + high) / 2)
        near = hosts[max(0, at - 3) : at + 4]
        own = next((host for host in near if host.top == top and abs(host.start - high) < _EXACT), None)
        if own is not None and high > low:
            own.start = low
        else:
            own = max(near, key=lambda host: _fit(host, low, high))
        own.followers.append(position)


def _fit(host: _Cluster, low: float, high: float) -> tuple[float, float]:
    """Return how well a mark from `low` to `high` stands on a glyph, and how near it stands to its left."""
    shared = min(high, host.end) - max(low, host.start)
    stands = shared > 0.3 * (high - low) if high > low else shared >= 0
    beside = host.start - high
    return (shared if stands else -1.0, -beside if beside > -0.3 * (high - low) else -1e9)


def _spaced(found: Sequence[_Cluster], size: float) -> Iterator[_Cluster]:
    """Yield the glyphs, and a space between two that stand apart."""
    before: _Cluster | None = None
    for cluster in found:
        if before is not None and not (before.text.isspace() or cluster.text.isspace()):
            gap = cluster.start - before.end
            if gap > _SPACE * size > 0:
                yield _Cluster([-1], before.end, cluster.start, "WS", " ")
        yield cluster
        before = cluster


def _unmirrored(text: str) -> str:
    """Return a line of PDFium's with the brackets that it mirrored as the file has them.

    It mirrors what has no direction of its own after right-to-left writing, and at the start of a line that has as
    many stretches of right-to-left writing as of left-to-right.
    """
    kinds = [unicodedata.bidirectional(char) for char in text]
    strong = [kind for kind, _ in groupby(_side(kind) for kind in kinds) if kind]
    right = strong.count("R") > 0 and strong.count("R") >= strong.count("L")
    pieces: list[str] = []
    for char, kind in zip(text, kinds, strict=True):
        side = _side(kind)
        if side:
            right = side == "R"
        pieces.append(char.translate(_MIRROR) if right and not side else char)
    return "".join(pieces)


def _side(kind: str) -> str:
    """Return the side from which a class of characters is written, "" where it has none."""
    return "R" if kind in _RIGHT else "L" if kind == "L" else ""


def _logical(visual: list[_Cluster], *, to_left: bool) -> list[_Cluster]:
    """Return glyphs that stand left to right in the order of reading; `odd` marks those that are written leftwards."""
    if to_left:
        result: list[_Cluster] = []
        at = len(visual)
        for start, end in reversed(_left_runs(visual)):
            result.extend(_turned(visual[end:at]))
            result.extend(visual[start:end])
            at = start
        return [*result, *_turned(visual[:at])]
    result = []
    at = 0
    for start, end in _right_runs(visual):
        result.extend(visual[at:start])
        result.extend(_logical(visual[start:end], to_left=True))
        at = end
    return [*result, *visual[at:]]


def _turned(clusters: Sequence[_Cluster]) -> Iterator[_Cluster]:
    for cluster in reversed(clusters):
        cluster.odd = True
        yield cluster


def _left_runs(visual: list[_Cluster]) -> list[tuple[int, int]]:
    """Return the stretches that are written left to right in a line of right-to-left writing: words and numbers."""
    runs: list[tuple[int, int]] = []
    wide, arabic = _wide(visual), _after_arabic(visual)
    at = 0
    while at < len(visual):
        if visual[at].kind not in {"L", *_NUMBERS}:
            at += 1
            continue
        end = at + 1
        latin = visual[at].kind == "L"
        hebrew = not arabic[at]
        while (following := _next_strong(visual, end)) is not None:
            between = visual[end:following]
            kind = visual[following].kind
            if kind in _RIGHT or (between and visual[following].start - visual[end - 1].end > wide):
                break
            one = len(between) == 1 and between[0].kind in (("CS", "ES") if hebrew else ("CS",))
            if between and not (latin or kind == "L" or one):
                break
            latin = latin or kind == "L"
            end = following + 1
        start = at
        if hebrew and not latin:
            while start > (runs[-1][1] if runs else 0) and visual[start - 1].kind == "ET":
                start -= 1
            while end < len(visual) and visual[end].kind == "ET":
                end += 1
        elif latin:
            start, end = _with_brackets(visual, start, end, runs[-1][1] if runs else 0)
        runs.append((start, end))
        at = end
    return runs


def _right_runs(visual: list[_Cluster]) -> list[tuple[int, int]]:
    """Return the stretches that are written right to left in a line of left-to-right writing."""
    runs: list[tuple[int, int]] = []
    wide = _wide(visual)
    at = 0
    while at < len(visual):
        if visual[at].kind not in _RIGHT:
            at += 1
            continue
        end = at + 1
        for further in range(end, len(visual)):
            kind = visual[further].kind
            if kind == "L" or visual[further].start - visual[further - 1].end > wide:
                break
            if kind in _RIGHT:
                end = further + 1
        start, end = _with_brackets(visual, at, end, runs[-1][1] if runs else 0)
        runs.append((start, end))
        at = end
    return runs


def _next_strong(visual: list[_Cluster], at: int) -> int | None:
    """Return where the next letter or digit stands, from `at` on."""
    return next((i for i in range(at, len(visual)) if visual[i].kind in {"L", *_RIGHT, *_NUMBERS}), None)


def _wide(visual: Sequence[_Cluster]) -> float:
    """Return the room between two words that makes them two columns: a multiple of a usual glyph's width."""
    return _COLUMN * 2 * median(cluster.end - cluster.start for cluster in visual)


def _after_arabic(visual: Sequence[_Cluster]) -> list[bool]:
    """Say of each glyph whether the letter read before it is Arabic, which treats the signs of numbers another way."""
    found: list[bool] = []
    last = next((cluster.kind for cluster in visual if cluster.kind in _RIGHT), "")
    for cluster in reversed(visual):
        last = cluster.kind if cluster.kind in _RIGHT else last
        found.append(last == "AL")
    return found[::-1]


def _with_brackets(visual: list[_Cluster], start: int, end: int, least: int) -> tuple[int, int]:
    """Return a stretch with the brackets at its ends whose partners stand inside it."""
    for _ in range(_MOST_BRACKETS):
        if start > least and _lonely(visual[start:end], visual[start - 1].text):
            start -= 1
        elif end < len(visual) and _lonely(visual[start:end], visual[end].text):
            end += 1
    return start, end


def _lonely(inside: Sequence[_Cluster], bracket: str) -> bool:
    """Say whether a bracket closes a pair with one inside that has no partner."""
    pair = {bracket, bracket.translate(_MIRROR)}
    if len(pair) == 1 or bracket not in {*_OPENS, *_CLOSES}:
        return False
    return sum(cluster.text in pair for cluster in inside) % 2 == 1


def _mirrored(groups: Sequence[tuple[int, Sequence[_Cluster]]]) -> bool:
    """Say whether the page's brackets pair better when those in right-to-left writing are mirrored.

    Some fonts name a glyph by its shape, and others by what it is for: an opening bracket.
    """
    plain = mirrored = 0
    for _, clusters in groups:
        as_is = "".join(cluster.text for cluster in clusters)
        turned = "".join(
            cluster.text.translate(_MIRROR) if cluster.odd else cluster.text for cluster in clusters
        )
        plain += _pairs(as_is)
        mirrored += _pairs(turned)
    return mirrored > plain


def _pairs(text: str) -> int:
    """Return how many brackets of `text` have a partner, less those that have none."""
    waiting: list[str] = []
    score = 0
    for char in text:
        if char in _OPENS:
            waiting.append(char)
        elif char in _CLOSES:
            if waiting and waiting[-1] == _CLOSES[char]:
                waiting.pop()
                score += 1
            else:
                score -= 1
    return score - len(waiting)
