"""From a page's characters to its text: lines, paragraphs, joined words, and a box for each line fragment."""

from __future__ import annotations

import re
import unicodedata
from array import array
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from pincite._quick import maker
from pincite.core.geometry import Box
from pincite.core.layout import LineFragment, PageLayout
from pincite.reading.pdf import _pdfium as pdfium
from pincite.reading.pdf._hyphens import AT_END, HYPHENS, hyphen_change
from pincite.reading.pdf._letters import ends_sentence
from pincite.reading.pdf.fragments import GUTTER, fragment_starts, has_rtl, unmixed
from pincite.reading.pdf.furniture import apart_from_margin
from pincite.reading.pdf.notes import with_notes_apart
from pincite.reading.pdf.order import SAME_ROW, in_reading_order
from pincite.reading.pdf.rows import with_tables
from pincite.reading.pdf.text import HYPHEN, compose
from pincite.reading.pdf.words import Line, page_words, words_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from pincite.reading.pdf.tables import Table
    from pincite.reading.pdf.text import PageChars
    from pincite.reading.pdf.words import PageWords

_box, _fragment = maker(Box), maker(LineFragment)

# The first character of a list item: linear, one class.
_BULLET = re.compile("[•‣▪●○◦■□–➢➤✓]\\s")

_COLUMN_STEP, _WORD_STEP = 3.0, 2.0
"""Line heights, and times the usual distance of two lines, down to a next line at most, when a word is to go on."""

_TOUCHING = 0.25
"""Line heights of space below which two pieces of one row belong to one word (`km` and a raised `2`)."""

_LOOSE_LINES = 1.3
"""Times the usual distance of two lines that a paragraph break is at least."""

_SIZE_STEP = 1.12
"""Ratio of two font sizes from which on they are not one paragraph; headings are told by the same step."""

_BOLD = 600
"""Weight of a bold font, at least (400 is regular)."""
# A bold font's name, which tells more often than its weight: linear alternatives.
_BOLD_NAME = re.compile(rb"(?i:bold|black|heavy)|[-,]Bd|-B\Z|CMBX|CMSSBX|SFBX")

_INDENT = (0.8, 5.0)
"""Font sizes by which a paragraph's first line is indented, at least and at most."""


@dataclass(frozen=True, slots=True)
class PageText:
    """A page's text in its normal form, its layout (`start` is 0), its lines, and what it needs to lose some of them.

    `lines` hold code points of the text and points of the page as seen; `pitch` is the usual distance of two lines in
    font sizes. `doubts` are the stretches (start, end, reason) that a reader cannot see or the font does not spell.
    """

    text: str
    layout: PageLayout
    lines: tuple[Line, ...]
    pitch: float = 1.2
    doubts: tuple[tuple[int, int, str], ...] = ()


def page_text(
    chars: PageChars,
    number: int,
    width: float,
    height: float,
    *,
    tables: Callable[[PageWords], Sequence[Table]] | None = None,
    glyphs: bool = False,
) -> PageText:
    """Return the text of page `number`, which is `width` by `height` points as the reader sees it.

    A line end is a line feed, a paragraph's end two; a word that a hyphen divides over two lines is whole again; a
    row of a table is a line whose cells ` | ` parts. `tables` finds tables among the words. The text depends on this
    page alone. Boxes of single characters are made with `glyphs` only.
    """
    words, lines = page_words(chars, width, height)
    found = tables(words) if tables is not None and lines else ()
    text, origin, rtl = chars.text, None, has_rtl(chars.text)
    if found:
        text, origin, words, lines, cut = with_tables(text, words, lines, found, rtl=rtl)
    else:
        cut = fragment_starts(words, lines, rtl=rtl)
    lines = unmixed(words, lines, cut, rtl=rtl)
    lines, margin = apart_from_margin(words, lines, cut, text)
    lines = in_reading_order(words, lines, cut, text, rtl=rtl)
    pitch = _typical_pitch(lines)
    lines = with_notes_apart(lines, text, height, lambda one, other: _parted(text, one, other, pitch))
    lines = [*margin, *lines]
    for line in lines:
        line.index = chars.index(line.start) if line.start < len(chars.text) else -1
    if chars.handle:
        _embolden(lines)
    joined = _Joined(text, lines, lambda line, after: _between(text, line, after, pitch))
    for word, kept in joined.hyphens:
        _fit(words, word, chars, width, height, kept=kept)
    source = joined.source() if glyphs or chars.doubts else None
    if source is not None and origin is not None:
        source = np.where(source < 0, -1, origin[source])
    boxes = _glyphs(chars, source) if glyphs and source is not None else None
    doubts = _doubts(chars.doubts, source) if source is not None else ()
    fragments = _fragments(words, cut, lines, joined.starts, number, width, height)
    layout = PageLayout(number, 0, len(joined.text), fragments, boxes)
    page = PageText(joined.text, layout, tuple(joined.placed()), pitch, doubts)
    return page if unicodedata.is_normalized("NFC", page.text) else _composed(page)


def without(page: PageText, drop: frozenset[int]) -> PageText:
    """Return the page without the lines whose positions are in `drop`: what stood around them is joined anew."""
    if not drop:
        return page
    kept = [position for position in range(len(page.lines)) if position not in drop]
    text, lines = page.text, page.lines
    spaces = [
        (text[lines[one].end : lines[other].start], 0)
        if other == one + 1
        else _between(text, lines[one], lines[other], page.pitch)
        for one, other in pairwise(kept)
    ]
    return _with_lines(page, kept, spaces)


def over_page(page: PageText, following: PageText) -> PageText | None:
    """Return a page whose last word goes on in the `following` one, without the hyphen that divides it.

    None when no word goes on.
    """
    line, after = page.lines[-1], following.lines[0]
    if not (line.seen and after.seen) or line.table or after.table or line.note or after.note:
        return None
    change = hyphen_change(page.text[line.start : line.end], following.text[after.start : after.end])
    if not change:
        return page if change == 0 else None
    spaces = [(page.text[one.end : other.start], 0) for one, other in pairwise(page.lines)]
    return _with_lines(page, range(len(page.lines)), [*spaces, ("", change)])


def _with_lines(page: PageText, kept: Sequence[int], spaces: Sequence[tuple[str, int]]) -> PageText:
    """Return the page with the lines at the positions `kept` and what stands after each; nothing after the last."""
    old = [page.lines[position] for position in kept]
    lines = [line.copy() for line in old]
    given = iter((*spaces, ("", 0)))
    joined = _Joined(page.text, lines, lambda _line, _after: next(given))
    fragments: list[LineFragment] = []
    own = page.layout.lines
    at = 0
    for line, new, start in zip(old, lines, joined.starts, strict=True):
        shift = start - line.start
        while at < len(own) and own[at].start < line.start:
            at += 1
        while at < len(own) and own[at].start < line.end:
            one = own[at]
            fragments.append(_fragment(one.start + shift, min(one.end, new.end) + shift, one.box))
            at += 1
    glyphs = page.layout.glyphs
    source = joined.source() if glyphs is not None or page.doubts else None
    if glyphs is not None and source is not None:
        table = np.frombuffer(glyphs, np.float32).reshape(-1, 4)
        table = np.concatenate((table, np.zeros((1, 4), np.float32)))
        glyphs = array("f", table[source].tobytes())
    doubts = _doubts(page.doubts, source) if source is not None else ()
    layout = PageLayout(page.layout.page, 0, len(joined.text), tuple(fragments), glyphs)
    return PageText(joined.text, layout, tuple(joined.placed()), page.pitch, doubts)


def align(page: PageText, expected: str) -> PageText:
    """Return the page with just the lines that `expected` holds: the text that an earlier reading kept of it.

    Its text is `expected` itself where that is made of the page's lines.
    """
    if page.text == expected:
        return page
    wanted = "".join(expected.split())
    # How far the expected text can be made of the lines so far, and which of them it holds then.
    reached: dict[int, tuple[int, ...]] = {0: ()}
    for position, line in enumerate(page.lines):
        said = "".join(page.text[line.start : line.end].split())
        ends = [said, said[:-1]] if len(said) > 1 and said[-1] in HYPHENS else [said]
        further = dict(reached)
        for at, held in reached.items():
            for end in ends:
                if wanted.startswith(end, at):
                    further[at + len(end)] = (*held, position)
        reached = further
    kept = reached[max(reached)]
    return _with_lines(page, kept, _spaces(page, kept, expected))


def _spaces(page: PageText, kept: Sequence[int], expected: str) -> list[tuple[str, int]]:
    """Return what stands after each of the lines `kept`, and whether it loses a hyphen, as expected."""
    found: list[tuple[str, int]] = []
    at = 0
    for one, other in pairwise(kept):
        after = page.lines[other]
        said, change = _said(page, one, expected, at)
        at += len(said) + change
        end = at
        while end < len(expected) and expected[end].isspace():
            end += 1
        if not expected.startswith(page.text[after.start : after.end - 1], end):
            return [_between(page.text, page.lines[a], page.lines[b], page.pitch) for a, b in pairwise(kept)]
        found.append((expected[at:end], change))
        at = end
    # The last line's word may go on over the page's end.
    if kept:
        said, change = _said(page, kept[-1], expected, at)
        found.append(("", change if said[-1] in HYPHENS else 0))
    return found


def _said(page: PageText, position: int, expected: str, at: int) -> tuple[str, int]:
    """Return what a line says, and -1 where the text that is expected at `at` has no hyphen at its end, else 0."""
    said = page.text[page.lines[position].start : page.lines[position].end]
    return said, 0 if expected.startswith(said, at) else -1


class _Joined:
    """Lines as one text: their order is that of reading, their characters those of another text.

    `between` gives what stands after a line, and 1 or -1 when it wins or loses a hyphen at its end. `starts` is where
    each begins in the new text. Lines may lose a hyphen at their end or win one, so their `end` is
    changed; `hyphens` are the last words of these lines and whether the hyphen was won.
    """

    def __init__(
        self, text: str, lines: list[Line], between: Callable[[Line, Line | None], tuple[str, int]]
    ) -> None:
        self.lines = lines
        self.starts: list[int] = []
        self.hyphens: list[tuple[int, bool]] = []
        pieces: list[str] = []
        at = 0
        for position, line in enumerate(lines):
            self.starts.append(at)
            space, change = between(line, lines[position + 1] if position + 1 < len(lines) else None)
            if change > 0:
                pieces += (text[line.start : line.end], "-")
                at += 1
            else:
                pieces.append(text[line.start : line.end + change])
            at += line.end - line.start + min(0, change)
            if change and line.seen:
                self.hyphens.append((line.last - 1, change > 0))
            line.end += change
            pieces.append(space)
            at += len(space)
        self.text = "".join(pieces)

    def source(self) -> NDArray[np.int64]:
        """Return for each code point of the text the character that it is, -1 for one that was made up."""
        found = np.full(len(self.text), -1, np.int64)
        for start, line in zip(self.starts, self.lines, strict=True):
            found[start : start + line.end - line.start] = np.arange(line.start, line.end)
        return found

    def placed(self) -> list[Line]:
        """Return the lines with their places in the text."""
        for start, line in zip(self.starts, self.lines, strict=True):
            line.start, line.end = start, start + line.end - line.start
        return self.lines


def _between(text: str, line: Line, after: Line | None, pitch: float) -> tuple[str, int]:
    """Return what stands between two lines, and 1 or -1 when the first wins or loses a hyphen at its end."""
    marked = text[line.end : line.end + 1] == HYPHEN
    if after is None:
        return "", int(marked)
    ends = marked or text[line.end - 1] in AT_END
    if ends and not (line.table or after.table) and _goes_on(line, after, pitch):
        joined = hyphen_change(text[line.start : line.end], text[after.start : after.end], marked=marked)
        if joined is not None:
            return "", joined
    return _separator(text, line, after, pitch), int(marked)


def _goes_on(line: Line, following: Line, usual: float) -> bool:
    """Say whether `following` is the next line of the same column, or begins another column."""
    if not line.seen or not following.seen:
        return line.seen == following.seen
    if not line.upright:
        return True
    pitch = following.y1 - line.y1
    beside = following.x0 >= line.x1 or following.x1 <= line.x0
    most = min(_COLUMN_STEP * line.height, _WORD_STEP * usual * (line.size or line.height))
    return pitch <= most and (pitch > 0 or beside)


def _typical_pitch(lines: list[Line]) -> float:
    """Return the usual distance of neighbouring lines as a multiple of their font size, 1.2 where none are."""
    found: list[float] = []
    for before, line in pairwise(lines):
        pitch = line.y1 - before.y1
        if pitch > 0 and line.x0 < before.x1 and before.x0 < line.x1 and abs(line.size - before.size) < 0.5:  # noqa: PLR2004 - half a point
            size = line.size or line.height
            if pitch < 3 * size:
                found.append(pitch / size)
    return median(found) if found else 1.2


def _separator(text: str, before: Line, line: Line, pitch: float) -> str:
    """Return what stands between two lines: nothing, a space, a line end or a paragraph's end."""
    if before.table or line.table:
        return "\n" if before.table == line.table else "\n\n"
    if line.note == 1 or (before.note and not line.note):
        return "\n\n"
    if not before.seen or not line.seen:
        return "\n"
    height = min(before.height, line.height)
    beside = min(before.y1, line.y1) - max(before.y0, line.y0)
    gap = line.x0 - before.x1
    if beside > SAME_ROW * height and before.upright and line.upright and gap > -height:
        tallest = max(before.height, line.height)
        mark = before.note == 1 and before.size < line.size and text[before.start : before.end].isdigit()
        return "" if gap < _TOUCHING * height and not mark else " " if gap < GUTTER * tallest else "\n"
    return "\n\n" if _parted(text, before, line, pitch) else "\n"


def _parted(text: str, before: Line, line: Line, pitch: float) -> bool:
    """Say whether a paragraph ends between two lines."""
    small, large = (before.size, line.size) if before.size < line.size else (line.size, before.size)
    if large >= _SIZE_STEP * small or _BULLET.match(text, line.start):
        return True
    # A heading in another font, not a word in italics that happens to fill a line.
    if before.fonts[0] == before.fonts[1] != line.fonts[0] and not text[line.start].islower():
        return True
    step = line.y1 - before.y1 if line.upright else 0.0
    if step > 0 and step > _LOOSE_LINES * pitch * (line.size or line.height):
        return True
    if not ends_sentence(text, before.start, before.end):
        return False
    least, most = _INDENT
    return step <= 0 or least * line.size < line.x0 - before.x0 < most * line.size


def _fit(words: PageWords, word: int, chars: PageChars, width: float, height: float, *, kept: bool) -> None:
    """Take the hyphen after a line's last word into it, or out of it."""
    start, end = int(words.start[word]), int(words.end[word]) + (1 if kept else -1)
    words.end[word] = end
    inked = np.flatnonzero(chars.x1[start:end] > chars.x0[start:end]) + start
    if len(inked):
        words.x0[word], words.x1[word] = chars.x0[inked].min() * width, chars.x1[inked].max() * width
        words.y0[word], words.y1[word] = chars.y0[inked].min() * height, chars.y1[inked].max() * height


def _fragments(
    words: PageWords,
    cut: NDArray[np.bool_],
    lines: list[Line],
    starts: list[int],
    number: int,
    width: float,
    height: float,
) -> tuple[LineFragment, ...]:
    """Return the lines' fragments, whose words begin where `cut` says, with their places in the text."""
    seen = [(line, start) for line, start in zip(lines, starts, strict=True) if line.seen]
    if not seen:
        return ()
    order, heads = words_of(lines)
    counts = np.diff(np.concatenate((heads, [len(order)])))
    shifts = np.repeat([start - line.start for line, start in seen], counts)
    begins = cut[order]
    begins[heads] = True
    at = np.flatnonzero(begins)
    ends = np.concatenate((at[1:], [len(order)])) - 1
    columns = (
        words.start[order[at]] + shifts[at],
        words.end[order[ends]] + shifts[ends],
        np.maximum(np.minimum.reduceat(words.x0[order], at) / width, 0.0),
        np.maximum(np.minimum.reduceat(words.y0[order], at) / height, 0.0),
        np.minimum(np.maximum.reduceat(words.x1[order], at) / width, 1.0),
        np.minimum(np.maximum.reduceat(words.y1[order], at) / height, 1.0),
    )
    return tuple(
        _fragment(start, end, _box(number, x0, y0, x1, y1))
        for start, end, x0, y0, x1, y1 in zip(*(column.tolist() for column in columns), strict=True)
        if x0 < x1 and y0 < y1
    )


def _embolden(lines: list[Line]) -> None:
    """Mark the lines whose first and last word are in a bold font; the font of most of the page is asked for too."""
    known: dict[int, bool] = {0: False}
    for font in {font for line in lines for font in line.fonts} - {0}:
        known[font] = pdfium.font_weight(font) >= _BOLD or _BOLD_NAME.search(pdfium.name_of(font)) is not None
    for line in lines:
        one, other = line.fonts
        line.bold = known[one] and known[other]


def _glyphs(chars: PageChars, source: NDArray[np.int64]) -> array[float]:
    """Return four fractions for each code point; one without a character has zeros."""
    boxes = np.zeros((len(chars.text) + 1, 4), np.float32)  # -1 is the last: a code point without a character
    for column, side in enumerate((chars.x0, chars.y0, chars.x1, chars.y1)):
        boxes[:-1, column] = side
    return array("f", boxes[source].tobytes())


def _doubts(
    doubts: Sequence[tuple[int, int, str]], source: NDArray[np.int64]
) -> tuple[tuple[int, int, str], ...]:
    """Return stretches of characters as stretches of the text whose characters `source` gives."""
    found: list[tuple[int, int, str]] = []
    for start, end, reason in doubts:
        places = np.flatnonzero((source >= start) & (source < end))
        if len(places):
            runs = np.split(places, np.flatnonzero(np.diff(places) > 2) + 1)  # noqa: PLR2004 - a line end lies between
            found += ((int(run[0]), int(run[-1]) + 1, reason) for run in runs)
    return tuple(sorted(found))


def _composed(page: PageText) -> PageText:
    """Return the page with its text in NFC: characters that compose share their boxes."""
    text, origins = compose(page.text)
    places = [-1] * (len(page.text) + 1)
    for index, (start, end) in enumerate(origins):
        for old in range(start, end):
            if places[old] < 0:
                places[old] = index
    places[len(page.text)] = len(text)
    glyphs = page.layout.glyphs
    if glyphs is not None:
        glyphs = _composed_glyphs(glyphs, origins)
    for line in page.lines:
        line.start, line.end = places[line.start], places[line.end]
    fragments = tuple(
        LineFragment(places[one.start], places[one.end], one.box)
        for one in page.layout.lines
        if places[one.start] < places[one.end]
    )
    doubts = tuple((places[start], places[end], reason) for start, end, reason in page.doubts)
    layout = PageLayout(page.layout.page, 0, len(text), fragments, glyphs)
    return PageText(text, layout, page.lines, page.pitch, doubts)


def _composed_glyphs(glyphs: array[float], origins: list[tuple[int, int]]) -> array[float]:
    """Return the glyphs of composed code points: of several characters the box around those with ink."""
    table = np.frombuffer(glyphs, np.float32).reshape(-1, 4)
    spans = np.array(origins, np.int64).reshape(-1, 2)
    found = table[spans[:, 0]]
    for index in np.flatnonzero(spans[:, 1] - spans[:, 0] > 1).tolist():
        part = table[spans[index, 0] : spans[index, 1]]
        part = part[part[:, 2] > part[:, 0]]
        if len(part):
            found[index] = (*part[:, :2].min(0), *part[:, 2:].max(0))
    return array("f", found.tobytes())
