"""What a PDF itself says of its headings: the entries of its outline, and its tags."""

from __future__ import annotations

import re
from ctypes import addressof, c_float, c_int
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.core.text import one_line
from pincite.reading.pdf import _pdfium as pdfium

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pincite.reading.pdf.words import Line

# A heading's tag in a tagged PDF: linear, a fixed form.
_TAG = re.compile(r"H([1-6]?)\Z")
_MOST_BOOKMARKS, _DEEPEST = 20_000, 32
"""Bookmarks that are read, and how deep; more is a loop or a trap."""

_MOST_TAGS = 20_000
"""Structure elements of one page that are looked at."""


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An entry of a PDF's outline: its words, its level, its page (1 is the first), points from the page's top."""

    title: str
    level: int
    page: int
    x: float | None
    y: float | None


def bookmarks(document: int, title_length: int) -> list[Bookmark]:
    """Return the entries of the outline that lead to a page, in order; loops in it are cut."""
    found: list[Bookmark] = []
    seen: set[int] = set()
    waiting: list[tuple[int | None, int]] = [(pdfium.first_bookmark(document, None), 1)]
    while waiting and len(seen) < _MOST_BOOKMARKS:
        entry, level = waiting.pop()
        if not entry or entry in seen:
            continue
        seen.add(entry)
        waiting.append((pdfium.next_bookmark(document, entry), level))
        if level < _DEEPEST:
            waiting.append((pdfium.first_bookmark(document, entry), level + 1))
        title = one_line(pdfium.utf16(pdfium.bookmark_title, entry), title_length)
        place = _destination(document, entry)
        if title and place is not None:
            found.append(Bookmark(title, level, *place))
    return found


def _destination(document: int, entry: int) -> tuple[int, float | None, float | None] | None:
    target = pdfium.bookmark_dest(document, entry)
    if not target:
        action = pdfium.bookmark_action(entry)
        target = pdfium.action_dest(document, action) if action else None
    page = int(pdfium.dest_page(document, target)) if target else -1
    if page < 0:
        return None
    has_x, has_y, has_zoom, x, y, zoom = c_int(), c_int(), c_int(), c_float(), c_float(), c_float()
    fields = (has_x, has_y, has_zoom, x, y, zoom)
    known = pdfium.dest_place(target, *map(addressof, fields))
    return page + 1, x.value if known and has_x.value else None, y.value if known and has_y.value else None


def heading_tags(page: int, text_page: int, lines: Sequence[Line]) -> dict[int, int]:
    """Return the level of each line (by position) whose first character is tagged as a heading."""
    levels = dict(_tagged_content(page))
    if not levels:
        return {}
    found: dict[int, int] = {}
    for position, line in enumerate(lines):
        thing = pdfium.text_object(text_page, line.index)
        level = levels.get(int(pdfium.marked_content_id(thing))) if thing else None
        if level is not None:
            found[position] = level
    return found


def _tagged_content(page: int) -> Iterator[tuple[int, int]]:
    """Yield (marked content id, level) of what is tagged as a heading on the page."""
    tree = pdfium.load_tags(page)
    if not tree:
        return
    try:
        waiting = [
            (pdfium.tag_at(tree, i), 0) for i in range(min(_MOST_TAGS, max(0, pdfium.count_tags(tree))))
        ]
        budget = _MOST_TAGS
        while waiting and budget > 0:
            element, level = waiting.pop()
            budget -= 1
            if not element:
                continue
            match = _TAG.match(pdfium.utf16(pdfium.tag_type, element))
            level = int(match[1] or 1) if match else level
            for child in range(min(budget, max(0, int(pdfium.count_children(element))))):
                content = int(pdfium.child_content_id(element, child))
                if content >= 0 and level:
                    yield content, level
                waiting.append((pdfium.child_at(element, child), level))
    finally:
        pdfium.close_tags(tree)
