"""A document: what a reader makes of bytes, before any library gives it an id."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pincite.core.bibliography import NO_BIBLIOGRAPHY, Bibliography
from pincite.core.locators import Locator, cell_range, column_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite.core.geometry import PageFrame
    from pincite.core.layout import PageLayout

# A line end: linear, one character.
_LINE_END = re.compile("\n")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its words, its level (1 is the outermost) and the code point where its section begins."""

    title: str
    level: int
    start: int


@dataclass(frozen=True, slots=True)
class Flag:
    """Something about one page (or, with page None, the whole) that a person should know."""

    page: int | None
    reason: str

    def as_dict(self) -> dict[str, int | str | None]:
        """Return the flag as JSON holds it."""
        return {"page": self.page, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Region:
    """Code points `start` to `end` of a document's text and the place that they have, without headings.

    `rows` is given where each line of the text is a row of a sheet: the number of the first line's row, and the letters
    of the first and the last column; any part of the region then has cells of its own.
    """

    start: int
    end: int
    locator: Locator
    rows: tuple[int, str, str] | None = None


@dataclass(frozen=True, slots=True)
class Doubt:
    """Code points `start` to `end` of a text that a reader of the page cannot see, or that its font does not spell.

    What rests on them is never cited as good; `reason` says why, as a flag does.
    """

    start: int
    end: int
    reason: str


@dataclass(frozen=True, slots=True)
class Document:
    """The text of a file in its normal form (`core.text.normalise`), and where each part of it stands.

    `outline` is in order of `start`; `pages` and `layouts` are empty for formats without pages, else in order.
    `version` is the first 16 hex digits of SHA-256 of `text`. `line_numbers` holds the line of the file for each
    line of `text`: empty where lines of the file mean nothing to a person, None where the two are the same.
    `bibliography` is what the file says of itself. `regions` are the places of formats without pages and lines, and
    `doubts` what is not to be trusted; both are in order and do not overlap. `url` is the address that a saved page
    says it was saved from, http or https.
    """

    text: str
    version: str
    title: str
    media_type: str
    reader: str
    outline: tuple[Heading, ...] = ()
    pages: tuple[PageFrame, ...] = ()
    layouts: tuple[PageLayout, ...] = ()
    flags: tuple[Flag, ...] = ()
    line_numbers: tuple[int, ...] | None = None
    bibliography: Bibliography = NO_BIBLIOGRAPHY
    regions: tuple[Region, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    url: str | None = None

    def headings_at(self, offset: int) -> tuple[str, ...]:
        """Return the trail of headings, outermost first, over code point `offset`."""
        return Places(self).headings_at(offset)

    def section_at(self, offset: int) -> tuple[int, int]:
        """Return the code points of the section around `offset`: from its heading to the next one of any level."""
        index = bisect_right(self.outline, offset, key=_start_of)
        start = self.outline[index - 1].start if index else 0
        end = self.outline[index].start if index < len(self.outline) else len(self.text)
        return start, end

    def locator(self, start: int, end: int) -> Locator:
        """Return where a person looks for the code points `start` to `end`; for many, make one `Places`."""
        return Places(self).locator(start, end)


def _start_of(part: Heading | PageLayout | Region) -> int:
    return part.start


class Places:
    """The places of one document, indexed once: each answer then costs a look-up, not a walk over the text."""

    __slots__ = ("_document", "_frames", "_lines", "_parents")

    def __init__(self, document: Document) -> None:
        self._document = document
        self._frames = {frame.number: frame for frame in reversed(document.pages)}
        self._parents = list(_parents(document.outline))
        self._lines: list[int] | None = None

    def headings_at(self, offset: int) -> tuple[str, ...]:
        """Return the trail of headings, outermost first, over code point `offset`."""
        outline = self._document.outline
        trail: list[str] = []
        index = bisect_right(outline, offset, key=_start_of) - 1
        while index >= 0:
            trail.append(outline[index].title)
            index = self._parents[index]
        return tuple(reversed(trail))

    def locator(self, start: int, end: int, *, under: int | None = None) -> Locator:
        """Return where a person looks for the code points `start` to `end`.

        The headings are those over code point `under`: `start`, when none is given.
        """
        headings = self.headings_at(start if under is None else under)
        layouts = self._document.layouts
        place = self._region(start, end)
        if not layouts:
            # A region that has lines of its own (a table's rows over several lines of the file) knows them better.
            lines = place.line is None and (not self._document.regions or self._document.line_numbers)
            line, line_end = (
                (self._line(start), self._line(max(start, end - 1)))
                if lines
                else (place.line, place.line_end)
            )
            return replace(place, headings=headings, line=line, line_end=line_end)
        first = max(0, bisect_right(layouts, start, key=_start_of) - 1)
        last = bisect_left(layouts, end, key=_start_of)
        pages = [part.page for part in layouts[first:last] if part.start < end and part.end > start]
        if not pages:
            return replace(place, headings=headings)
        frame = self._frames.get(pages[0])
        return replace(
            place,
            page=pages[0],
            page_end=pages[-1],
            page_label=frame.label if frame is not None else None,
            headings=headings,
            ocr=True if any(self._ocr(page) for page in pages) else None,
        )

    def _ocr(self, page: int) -> bool:
        frame = self._frames.get(page)
        return frame is not None and frame.ocr

    def _region(self, start: int, end: int) -> Locator:
        """Return the place of the regions that hold code points `start` to `end`, joined."""
        regions = self._document.regions
        found: Locator | None = None
        first = max(0, bisect_right(regions, start, key=_start_of) - 1)
        for index in range(first, bisect_left(regions, end, key=_start_of)):
            region = regions[index]
            if region.end > start:
                place = self._within(region, max(start, region.start), min(end, region.end))
                found = place if found is None else found.joined(place)
        return found or _NOWHERE

    def _within(self, region: Region, start: int, end: int) -> Locator:
        """Return the place of code points `start` to `end`, which lie in `region`."""
        if region.rows is None:
            return region.locator
        number, first, last = region.rows
        top = number - self._line_index(region.start)
        cells = cell_range(
            column_number(first),
            top + self._line_index(start),
            column_number(last),
            top + self._line_index(max(start, end - 1)),
        )
        return replace(region.locator, cells=cells)

    def _line_index(self, offset: int) -> int:
        """Return how many line ends stand before code point `offset`."""
        if self._lines is None:
            self._lines = [match.end() for match in _LINE_END.finditer(self._document.text)]
        return bisect_right(self._lines, offset)

    def _line(self, offset: int) -> int | None:
        index = self._line_index(offset)
        numbers = self._document.line_numbers
        if numbers is None:
            return index + 1
        return numbers[min(index, len(numbers) - 1)] if numbers else None


_NOWHERE = Locator()


def _parents(outline: tuple[Heading, ...]) -> Iterator[int]:
    """Yield, for each heading, the index of the one that it stands under, or -1."""
    open_headings: list[int] = []
    for index, heading in enumerate(outline):
        while open_headings and outline[open_headings[-1]].level >= heading.level:
            open_headings.pop()
        yield open_headings[-1] if open_headings else -1
        open_headings.append(index)
