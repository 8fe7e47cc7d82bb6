"""A document: what a reader makes of bytes, before any library gives it an id."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.core.bibliography import NO_BIBLIOGRAPHY, Bibliography
from pincite.core.locators import Locator

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
class Document:
    """The text of a file in its normal form (`core.text.normalise`), and where each part of it stands.

    `outline` is in order of `start`; `pages` and `layouts` are empty for formats without pages, else in order.
    `version` is the first 16 hex digits of SHA-256 of `text`. `line_numbers` holds the line of the file for each
    line of `text`: empty where lines of the file mean nothing to a person, None where the two are the same.
    `bibliography` is what the file says of itself.
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


def _start_of(part: Heading | PageLayout) -> int:
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
        if not layouts:
            return Locator(
                headings=headings, line=self._line(start), line_end=self._line(max(start, end - 1))
            )
        first = max(0, bisect_right(layouts, start, key=_start_of) - 1)
        last = bisect_left(layouts, end, key=_start_of)
        pages = [part.page for part in layouts[first:last] if part.start < end and part.end > start]
        if not pages:
            return Locator(headings=headings)
        frame = self._frames.get(pages[0])
        return Locator(
            page=pages[0],
            page_end=pages[-1],
            page_label=frame.label if frame is not None else None,
            headings=headings,
        )

    def _line(self, offset: int) -> int | None:
        if self._lines is None:
            self._lines = [match.end() for match in _LINE_END.finditer(self._document.text)]
        index = bisect_right(self._lines, offset)
        numbers = self._document.line_numbers
        if numbers is None:
            return index + 1
        return numbers[min(index, len(numbers) - 1)] if numbers else None


def _parents(outline: tuple[Heading, ...]) -> Iterator[int]:
    """Yield, for each heading, the index of the one that it stands under, or -1."""
    open_headings: list[int] = []
    for index, heading in enumerate(outline):
        while open_headings and outline[open_headings[-1]].level >= heading.level:
            open_headings.pop()
        yield open_headings[-1] if open_headings else -1
        open_headings.append(index)
