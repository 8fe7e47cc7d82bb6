"""From a page's characters to its text: lines, paragraphs, joined words, and a box for each line fragment."""

from __future__ import annotations

import re
import unicodedata
from array import array
from ctypes import addressof
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from statistics import median
from typing import TYPE_CHECKING

from pincite.core.geometry import Box
from pincite.core.layout import LineFragment, PageLayout
from pincite.reading.pdf import _pdfium as pdfium
from pincite.reading.pdf.text import HYPHEN, compose

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite.reading.pdf.text import PageChars

# What stands between two line ends or joined hyphens: linear, one class.
_LINE = re.compile("[^\r\n\ufffe]+")
# A word: linear, one class.
_WORD = re.compile(r"\S+")
# The first character of a list item: linear, one class.
_BULLET = re.compile("[•‣▪●○◦■□–➢➤✓]\\s")
# The end of a sentence, with closing quotes and brackets after it: linear, two classes.
_SENTENCE_END = re.compile("[.!?:;…。！？：；][\"'”’»)\\]]*$")

_GUTTER, _WIDE, _NEAR = 0.9, 2.5, 2.0
"""Line heights of empty space beside a word from which on another fragment may begin, and from which on it does;
in between the lines as near as the third decide. Splitting too often is harmless, a box over two columns is not."""

_COLUMN_STEP = 3.0
"""Line heights down to a next line at most, when a word is to go on in it."""

_SAME_ROW = 0.5
"""Share of the lower line that must stand beside the other to count as one row."""

_TOUCHING = 0.25
"""Line heights of space below which two pieces of one row belong to one word (`km` and a raised `2`)."""

_LOOSE_LINES = 1.3
"""Times the usual distance of two lines that a paragraph break is at least."""

_SIZE_STEP = 1.12
"""Ratio of two font sizes from which on they are not one paragraph; headings are told by the same step."""

_INDENT = (0.8, 5.0)
"""Font sizes by which a paragraph's first line is indented, at least and at most."""


@dataclass(slots=True)
class _Word:
    """Characters `start` to `end` and the box around them in points, y downwards."""

    start: int
    end: int
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(slots=True)
class _Line:
    """A line: its characters, its words that have a box, the box around them in points, its font size."""

    start: int
    end: int
    words: list[_Word]
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    fonts: tuple[int, int] = (0, 0)
    slanted: bool = False
    upright: bool = True

    @property
    def height(self) -> float:
        """The extent across the direction of writing."""
        return self.y1 - self.y0 if self.upright else self.x1 - self.x0


@dataclass(frozen=True, slots=True)
class PageLine:
    """A line in a page's text: code points, font size and place in points, PDFium's index of its first character."""

    start: int
    end: int
    size: float
    y0: float
    y1: float
    index: int


@dataclass(frozen=True, slots=True)
class PageText:
    """A page's text in its normal form, its layout (`start` is 0) and its lines."""

    text: str
    layout: PageLayout
    lines: tuple[PageLine, ...]


def page_text(chars: PageChars, number: int, width: float, height: float) -> PageText:
    """Return the text of page `number`, which is `width` by `height` points as the reader sees it.

    A line end is a line feed, a paragraph's end two; a word that a hyphen divides over two lines is whole
    again. The text depends on this page alone.
    """
    lines = list(_lines(chars, width, height))
    text, source, starts = _assemble(chars, lines, width, height)
    glyphs, places = _glyphs(chars, source), None
    if not unicodedata.is_normalized("NFC", text):
        text, glyphs, places = _composed(text, glyphs)
    fragments: list[LineFragment] = []
    infos: list[PageLine] = []
    for index, (line, start) in enumerate(zip(lines, starts, strict=True)):
        shift = start - line.start
        around = [*lines[max(0, index - 1) : index], *lines[index + 1 : index + 2]]

        def place(position: int, shift: int = shift) -> int:
            return position + shift if places is None else places[position + shift]

        first = chars.index(line.start)
        infos.append(PageLine(place(line.start), place(line.end), line.size, line.y0, line.y1, first))
        for words in _fragments(line, around):
            box = Box(
                number,
                min(word.x0 for word in words) / width,
                min(word.y0 for word in words) / height,
                max(word.x1 for word in words) / width,
                max(word.y1 for word in words) / height,
            ).clamped()
            if box is not None:
                fragments.append(LineFragment(place(words[0].start), place(words[-1].end), box))
    layout = PageLayout(number, 0, len(text), tuple(fragments), glyphs)
    return PageText(text, layout, tuple(infos))


def _lines(chars: PageChars, width: float, height: float) -> Iterator[_Line]:
    """Yield the lines that hold more than white space."""
    text, all_x0, all_y0, all_x1, all_y1 = chars.text, chars.x0, chars.y0, chars.x1, chars.y1
    for match in _LINE.finditer(text):
        words: list[_Word] = []
        first = last = -1
        for found in _WORD.finditer(text, match.start(), match.end()):
            start, end = found.span()
            first, last = (start if first < 0 else first), end
            x0, x1 = min(all_x0[start:end]) * width, max(all_x1[start:end]) * width
            y0, y1 = min(all_y0[start:end]) * height, max(all_y1[start:end]) * height
            if x0 < x1 and y0 < y1 and not (chars.hidden and _is_hidden(chars, start, end)):
                words.append(_Word(start, end, x0, y0, x1, y1))
        if first < 0:
            continue
        yield _line(chars, first, last, words)


def _is_hidden(chars: PageChars, start: int, end: int) -> bool:
    """Say whether the boxes of all of the characters were taken away."""
    return chars.x0[start:end] == chars.x1[start:end]


def _line(chars: PageChars, start: int, end: int, words: list[_Word]) -> _Line:
    if not words:
        return _Line(start, end, words, 0.0, 0.0, 0.0, 0.0, 0.0)
    line = _Line(
        start,
        end,
        words,
        min(word.x0 for word in words),
        min(word.y0 for word in words),
        max(word.x1 for word in words),
        max(word.y1 for word in words),
        _size(chars, max(words, key=lambda word: word.end - word.start)),
    )
    line.fonts = _font(chars, words[0].start), _font(chars, words[-1].start)
    # How far the writing goes from the middle of the first character to that of the last.
    head, tail = words[0], words[-1]
    across = abs((tail.x0 + tail.x1) - (head.x0 + head.x1)) / 2
    down = abs((tail.y0 + tail.y1) - (head.y0 + head.y1)) / 2
    if head is tail:
        across, down = head.x1 - head.x0, head.y1 - head.y0
        line.upright = across >= down or head.end - head.start == 1
    else:
        line.upright = across >= down
        line.slanted = min(across, down) > max(1.5 * line.size, 1.0)
    return line


def _size(chars: PageChars, word: _Word) -> float:
    """Return the font size, in points, of a word's middle character: what its font says times its matrix."""
    index = chars.index((word.start + word.end) // 2)
    matrix = pdfium.Matrix()
    pdfium.char_matrix(chars.handle, index, addressof(matrix))
    scale = sqrt(abs(matrix.a * matrix.d - matrix.b * matrix.c))
    return float(pdfium.font_size(chars.handle, index)) * scale


def _font(chars: PageChars, position: int) -> int:
    """Return what tells a character's font from another, 0 where nothing does."""
    thing = pdfium.text_object(chars.handle, chars.index(position))
    return int(pdfium.object_font(thing) or 0) if thing else 0


def _fragments(line: _Line, around: list[_Line]) -> Iterator[list[_Word]]:
    """Yield the line's words in runs that no gutter parts; slanted writing is parted at each word."""
    if not line.words:
        return
    before = line.words[0]
    run = [before]
    for word in line.words[1:]:
        # What nearly every word is: a space after the one before, on the same line. The rest is asked about.
        gap = word.x0 - before.x1
        beside = line.upright and word.y0 < before.y1 and before.y0 < word.y1
        usual = beside and 0 <= gap <= _GUTTER * (before.y1 - before.y0)
        if line.slanted or not (usual or not _apart(before, word, line, around)):
            yield run
            run = []
        run.append(word)
        before = word
    yield run


def _apart(one: _Word, other: _Word, line: _Line, around: list[_Line]) -> bool:
    """Say whether two neighbouring words stand a gutter apart, or not beside one another at all."""
    along = max(other.x0 - one.x1, one.x0 - other.x1)
    across = max(other.y0 - one.y1, one.y0 - other.y1)
    heights = (one.y1 - one.y0, other.y1 - other.y0)
    if not line.upright:
        along, across = across, along
        heights = (one.x1 - one.x0, other.x1 - other.x0)
    height = max(heights)
    if across > 0 or along > _WIDE * height:
        return True
    if along <= _GUTTER * height:
        return False
    # A justified line may have such a space too; a gutter goes on in the next line, a space does not.
    middle = (one.x1 + other.x0) / 2
    near = [
        neighbour
        for neighbour in around
        if line.upright and neighbour.words and abs(neighbour.y1 - line.y1) <= _NEAR * height
    ]
    return not near or not all(_covers(neighbour, middle) for neighbour in near)


def _covers(line: _Line, x: float) -> bool:
    """Say whether a word of the line stands over or under `x` points from the left."""
    return any(word.x0 <= x <= word.x1 for word in line.words)


def _assemble(
    chars: PageChars, lines: list[_Line], width: float, height: float
) -> tuple[str, list[int], list[int]]:
    """Return the page's text, the character behind each code point (-1 for none), where each line starts."""
    typical = _typical_pitch(lines)
    pieces: list[str] = []
    source: list[int] = []
    starts: list[int] = []
    for number, line in enumerate(lines):
        if number:
            between = _between(chars, lines[number - 1], line, typical)
            pieces.append(between)
            source.extend([-1] * len(between))
        starts.append(len(source))
        piece = chars.text[line.start : line.end]
        follows = chars.text[line.end : line.end + 1] == HYPHEN
        if follows and _keeps_hyphen(chars.text, line, lines[number + 1 : number + 2]):
            piece += "-"
            line.end += 1
            if line.words and line.words[-1].end == line.end - 1:
                _widen(line.words[-1], chars, width, height)
        pieces.append(piece)
        source.extend(range(line.start, line.end))
    return "".join(pieces), source, starts


def _widen(word: _Word, chars: PageChars, width: float, height: float) -> None:
    """Take the hyphen after `word` into it."""
    at = word.end
    word.end += 1
    word.x0, word.x1 = min(word.x0, chars.x0[at] * width), max(word.x1, chars.x1[at] * width)
    word.y0, word.y1 = min(word.y0, chars.y0[at] * height), max(word.y1, chars.y1[at] * height)


def _keeps_hyphen(text: str, line: _Line, following: list[_Line]) -> bool:
    """Say whether the hyphen that ends `line` belongs to the word: `Anglo-Saxon`, `2019-2020`, `state-of-the-art`."""
    if not following or not _goes_on(line, following[0]):
        return True
    after = text[following[0].start]
    word = text[line.start : line.end].rsplit(None, 1)[-1]
    return after.isupper() or not after.isalpha() or "-" in word


def _goes_on(line: _Line, following: _Line) -> bool:
    """Say whether `following` is the next line of the same column, or stands in a column further right."""
    if not line.words or not following.words:
        return line.words == following.words
    if not line.upright:
        return True
    pitch = following.y1 - line.y1
    return pitch <= _COLUMN_STEP * line.height and (pitch > 0 or following.x0 > line.x0)


def _typical_pitch(lines: list[_Line]) -> float:
    """Return the usual distance of neighbouring lines as a multiple of their height, 1.2 where none are."""
    found: list[float] = []
    for before, line in pairwise(lines):
        pitch = line.y1 - before.y1
        height = line.height
        alike = abs(line.size - before.size) < 0.5  # noqa: PLR2004 - half a point
        if alike and 0 < pitch < 3 * height and line.x0 < before.x1 and before.x0 < line.x1:
            found.append(pitch / height)
    return median(found) if found else 1.2


def _between(chars: PageChars, before: _Line, line: _Line, typical: float) -> str:
    """Return what stands between two lines: nothing, a space, a line end or a paragraph's end."""
    if HYPHEN in chars.text[before.end - 1 : before.end + 1] and _goes_on(before, line):
        return ""
    if not before.words or not line.words:
        return "\n"
    height = min(before.height, line.height)
    beside = min(before.y1, line.y1) - max(before.y0, line.y0)
    gap = line.words[0].x0 - before.words[-1].x1
    if before.upright and line.upright and beside > _SAME_ROW * height and gap > -height:
        tallest = max(before.height, line.height)
        return "" if gap < _TOUCHING * height else " " if gap < _GUTTER * tallest else "\n"
    return "\n\n" if _parted(chars.text, before, line, typical) else "\n"


def _parted(text: str, before: _Line, line: _Line, typical: float) -> bool:
    """Say whether a paragraph ends between two lines."""
    small, large = sorted((before.size, line.size))
    if large >= _SIZE_STEP * small or _BULLET.match(text, line.start):
        return True
    # A heading in another font, not a word in italics that happens to fill a line.
    if before.fonts[0] == before.fonts[1] != line.fonts[0] and not text[line.start].islower():
        return True
    ended = _SENTENCE_END.search(text, max(before.start, before.end - 8), before.end) is not None
    pitch = line.y1 - before.y1
    if pitch <= 0:
        return ended
    if pitch > _LOOSE_LINES * typical * line.height:
        return True
    least, most = _INDENT
    return ended and least * line.size < line.x0 - before.x0 < most * line.size


def _glyphs(chars: PageChars, source: list[int]) -> array[float]:
    """Return four fractions for each code point; one without a character has zeros."""
    glyphs = array("f", bytes(16 * len(source)))
    for offset, sides in enumerate((chars.x0, chars.y0, chars.x1, chars.y1)):
        padded = [*sides, 0.0]  # -1 is the last: a code point without a character
        glyphs[offset::4] = array("f", [padded[index] for index in source])
    return glyphs


def _composed(text: str, glyphs: array[float]) -> tuple[str, array[float], list[int]]:
    """Return the NFC of `text`, its glyphs, and the place in it of each code point of `text` and of its end."""
    result, origins = compose(text)
    places = [-1] * (len(text) + 1)
    moved = array("f")
    for index, (start, end) in enumerate(origins):
        for old in range(start, end):
            if places[old] < 0:
                places[old] = index
        part = glyphs[4 * start : 4 * end]
        inked = [i for i in range(0, len(part), 4) if part[i + 2] > part[i]]
        if inked:
            sides = (min(part[i] for i in inked), min(part[i + 1] for i in inked))
            moved.extend((*sides, max(part[i + 2] for i in inked), max(part[i + 3] for i in inked)))
        else:
            moved.extend(part[:4])
    places[len(text)] = len(result)
    return result, moved, places
