"""Documents whose lines have numbers that are no lines of a file: of slides, of paragraphs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pincite.core.document import Region

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pincite.core.document import Document
    from pincite.core.locators import Locator


def by_number(document: Document, place_of: Callable[[int], Locator]) -> Document:
    """Return a document with a region for each run of lines of one number, in place of the lines' numbers.

    A region begins and ends with words: blank lines at its edges are of none.
    """
    return replace(document, line_numbers=(), regions=tuple(_regions(document, place_of)))


def _regions(document: Document, place_of: Callable[[int], Locator]) -> Iterator[Region]:
    place = start = end = number = 0
    for line, of in zip(document.text.split("\n"), document.line_numbers or (), strict=False):
        if line:
            if of != number:
                if number:
                    yield Region(start, end, place_of(number))
                start, number = place, of
            end = place + len(line)
        place += len(line) + 1
    if number:
        yield Region(start, end, place_of(number))
