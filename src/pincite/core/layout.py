"""How a document's text lies on its pages: line fragments, and characters when somebody asks."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.core.geometry import Box

if TYPE_CHECKING:
    from array import array
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class LineFragment:
    """A run of text that stands on one line of one column: code points `start` to `end` of the document."""

    start: int
    end: int
    box: Box


@dataclass(frozen=True, slots=True)
class PageLayout:
    """One page's share of a document's text.

    `start` and `end` are code points of the document's text; `lines` are in their order and do not overlap.
    `glyphs`, where kept, holds four fractions (x0, y0, x1, y1) for each code point from `start` on; a code point
    without ink (a space that was made up, a line end) has x1 <= x0. `packed` is the same with the lines, as
    `core.packed` packs it, of a page that costs much to lay out again: one that OCR read.
    """

    page: int
    start: int
    end: int
    lines: tuple[LineFragment, ...]
    glyphs: array[float] | None = None
    packed: bytes = b""

    def boxes(self, start: int, end: int) -> list[Box]:
        """Return one box a line fragment for the code points `start` to `end` that stand on this page.

        A fragment that is wholly inside gives its own box; one that is cut gives the box of its characters
        where they are kept, else its own.
        """
        found: list[Box] = []
        first = bisect_right(self.lines, start, key=lambda line: line.end)
        for line in self.lines[first:]:
            if line.start >= end:
                break
            box: Box | None = line.box
            if self.glyphs is not None and (line.start < start or line.end > end):
                box = self._glyph_box(max(start, line.start), min(end, line.end))
            inside = box.clamped() if box is not None else None
            if inside is not None:
                found.append(inside)
        return found

    def _glyph_box(self, start: int, end: int) -> Box | None:
        glyphs = self.glyphs
        if glyphs is None:
            return None
        part = glyphs[4 * (start - self.start) : 4 * (end - self.start)]
        inked = [i for i in range(0, len(part), 4) if part[i + 2] > part[i]]
        if not inked:
            return None
        return Box(
            self.page,
            min(part[i] for i in inked),
            min(part[i + 1] for i in inked),
            max(part[i + 2] for i in inked),
            max(part[i + 3] for i in inked),
        )


def page_at(layouts: Sequence[PageLayout], offset: int) -> int | None:
    """Return the number of the page that code point `offset` stands on, or None before the first."""
    index = bisect_right(layouts, offset, key=lambda layout: layout.start) - 1
    return layouts[index].page if index >= 0 else None


def boxes_of(layouts: Sequence[PageLayout], start: int, end: int) -> list[Box]:
    """Return the boxes of the code points `start` to `end`, page by page in reading order."""
    first = max(0, bisect_right(layouts, start, key=lambda layout: layout.start) - 1)
    last = bisect_left(layouts, end, key=lambda layout: layout.start)
    found: list[Box] = []
    for layout in layouts[first:last]:
        found += layout.boxes(start, end)
    return found
