"""A PDF's headings: its own outline, else its tags, else its font sizes."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from ctypes import addressof, c_float, c_int
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.core.document import Heading
from pincite.core.text import one_line, words
from pincite.reading.pdf import _pdfium as pdfium

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pincite.core.geometry import Affine
    from pincite.reading.pdf.words import Line

# A heading's tag in a tagged PDF: linear, a fixed form.
_TAG = re.compile(r"H([1-6]?)\Z")
# Runs of digits, which differ in running headers from page to page: linear.
_DIGITS = re.compile(r"\d+")
# A heading's number, of up to six parts: linear, bounded.
_NUMBERED = re.compile(r"((?:\d{1,3}\.){0,5}\d{1,3})\.?\s+(?=[^\W\d_])")
# Dots that lead to a page's number in a table of contents: linear.
_LEADERS = re.compile(r"(?:\. ?){4}|\s\d{1,4}\Z")
# A letter of any script: linear, one class.
_LETTER = re.compile(r"[^\W\d_]")

_MOST_BOOKMARKS, _DEEPEST = 20_000, 32
"""Bookmarks that are read, and how deep; more is a loop or a trap."""

_MOST_TAGS = 20_000
"""Structure elements of one page that are looked at."""

_HEADING_RATIO = 1.12
"""Font size of a heading, as a multiple of the body's, at least."""

_HEADING_LENGTH = 160
"""Code points of a heading, at most: more is a paragraph in large type."""

_SAME_SIZE = 0.9
"""Share of the body's font size that a heading in its size has, at least."""

_HEADING_LINES = 4
"""Lines of headings one after the other, at most."""

_LINE_LENGTH = 100
"""Code points of a heading in the type's own size, at most."""

_LEVELS = 6

_RUNNING_PAGES = 3
"""Pages on which a line must stand in the same place to be a running header or footer."""

_RUNNING_BAND = 0.12
"""Share of the page's height at top and bottom in which two pages are enough."""


@dataclass(frozen=True, slots=True)
class PageOutline:
    """What the headings of a page are found from: where its text starts in the document, its lines, its tags.

    `tags` gives the level of the lines (by position in `lines`) that are tagged as headings.
    """

    number: int
    start: int
    text: str
    height: float
    affine: Affine
    lines: tuple[Line, ...]
    tags: dict[int, int]


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


def outline(
    pages: Sequence[PageOutline], marks: Sequence[Bookmark], title_length: int
) -> tuple[tuple[Heading, ...], str | None]:
    """Return the document's headings in order, and the largest of its first page with text.

    They are those of `marks` if there are any, else of the tags, else of the fonts. The second is the first heading in
    the largest type of the document, None where that is on another page.
    """
    running = _running_lines(pages)
    apart = _set_apart(pages, running)
    by_number = {page.number: page for page in pages}
    found = [
        Heading(mark.title, mark.level, _place(by_number[mark.page], mark, running))
        for mark in marks
        if mark.page in by_number
    ]
    if not found:
        levels = {page.number: page.tags for page in pages}
        if not any(levels.values()):
            levels = apart
        found = [
            heading
            for page in pages
            for heading in _headings_of(page, levels.get(page.number, {}), title_length)
        ]
    return tuple(sorted(found, key=lambda heading: heading.start)), _largest(pages, apart, title_length)


def _place(page: PageOutline, mark: Bookmark, running: set[tuple[int, int]]) -> int:
    """Return the code point where the words of a bookmark's title stand on its page, or where it points to.

    Of several places the one nearest to where the bookmark points counts, then the one in the largest type.
    """
    wanted = _named(mark.title)
    aim = _aim(page, mark)
    best: tuple[float, float, int] | None = None
    for position, line in enumerate(page.lines):
        if (page.number, position) in running:
            continue
        have = _named(page.text[line.start : min(len(page.text), line.start + 2 * len(mark.title) + 80)])
        if not wanted or have[: len(wanted)] != wanted:
            continue
        distance = abs(line.y0 - aim) if aim is not None else 0.0
        choice = (distance, -line.size, line.start)
        best = choice if best is None else min(best, choice)
    if best is not None:
        return page.start + best[2]
    if aim is not None:
        # No such words: the first line at or below the place, a line's height of grace.
        below = [line for line in page.lines if line.y1 >= aim]
        return page.start + (min(below, key=lambda line: line.y0).start if below else len(page.text))
    return page.start


def _named(text: str) -> list[str]:
    """Return the words of a heading without the numbers before them: an outline may leave them out, or the page."""
    found = words(text)
    first = next((i for i, word in enumerate(found) if not word.isdigit()), 0)
    return found[first:]


def _aim(page: PageOutline, mark: Bookmark) -> float | None:
    """Return how far down the page the bookmark points, in points as the reader sees it."""
    if mark.y is None:
        return None
    return page.affine.apply(mark.x or 0.0, mark.y)[1] * page.height


def _running_lines(pages: Sequence[PageOutline]) -> set[tuple[int, int]]:
    """Return (page number, position of the line) of headers and footers: the same words in the same place.

    Numbers do not count as words, so a line that holds the page's number is the same on every page.
    """
    places: defaultdict[tuple[str, int], set[tuple[int, int]]] = defaultdict(set)
    for page in pages:
        for position, line in enumerate(page.lines):
            said = _DIGITS.sub("#", page.text[line.start : line.end]).casefold()
            places[said, round(line.y0 / 4.0)].add((page.number, position))
    running: set[tuple[int, int]] = set()
    heights = {page.number: page.height for page in pages}
    lines = {page.number: page.lines for page in pages}
    for (said, place), standing in places.items():
        # A line that lies between two of the places' steps is found under either.
        together = standing | places.get((said, place + 1), set())
        count = len({number for number, _ in together})
        number, position = next(iter(standing))
        share = lines[number][position].y0 / heights[number] if heights[number] else 0.0
        at_edge = share < _RUNNING_BAND or share > 1 - _RUNNING_BAND
        if count >= (2 if at_edge else _RUNNING_PAGES):
            running |= together
    return running


def _set_apart(pages: Sequence[PageOutline], running: set[tuple[int, int]]) -> dict[int, dict[int, int]]:
    """Return the level of the lines that their type sets apart from the body, by page number and position.

    Larger type does, and so does bold type, or a number such as 2.1, on a line that is a paragraph of its own.
    """
    weights: Counter[tuple[float, bool]] = Counter()
    for page in pages:
        for line in page.lines:
            weights[round(line.size, 1), line.bold] += line.end - line.start
    if not weights:
        return {}
    (body, bold), _ = weights.most_common(1)[0]
    chosen: list[tuple[int, int, _Style]] = []
    for page in pages:
        for position in range(len(page.lines)):
            style = _style(page, position, body, body_bold=bold)
            if style is not None and (page.number, position) not in running:
                chosen.append((page.number, position, style))
    chosen = list(_short_runs(chosen))
    styles = sorted({style for _, _, style in chosen})
    rank = {style: min(place, _LEVELS) for place, style in enumerate(styles, 1)}
    levels: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for number, position, style in chosen:
        levels[number][position] = rank[style]
    return levels


def _short_runs(chosen: list[tuple[int, int, _Style]]) -> Iterator[tuple[int, int, _Style]]:
    """Yield what is a heading's few lines; more, one after the other, is text in large type."""
    run: list[tuple[int, int, _Style]] = []
    for one in [*chosen, (0, 0, _NO_STYLE)]:
        if run and (one[0], one[1], one[2][0]) != (run[-1][0], run[-1][1] + 1, run[-1][2][0]):
            if len(run) <= _HEADING_LINES:
                yield from run
            run = []
        run.append(one)


_Style = tuple[float, bool, bool, int]
"""What ranks headings: size (negative, so that larger is first), no capitals, not bold, parts of the number."""

_NO_STYLE: _Style = (0.0, True, True, 1)


def _style(page: PageOutline, position: int, body: float, *, body_bold: bool) -> _Style | None:
    """Return the style of a line that is a heading, None for one that is none."""
    line = page.lines[position]
    length = line.end - line.start
    if line.table or line.note or line.margin or not body > 0 or length > _HEADING_LENGTH:
        return None
    said = page.text[line.start : line.end]
    number = _NUMBERED.match(said)
    if line.size < _HEADING_RATIO * body and not line.bold and number is None:
        return None
    letters = _LETTER.findall(said)
    if len(letters) <= 2:  # noqa: PLR2004 - an initial, a `km`
        return None
    parts = number[1].count(".") + 1 if number else 1
    if line.size >= _HEADING_RATIO * body:
        return -round(2 * line.size) / 2, True, True, parts
    bold = line.bold and not body_bold
    if line.size < _SAME_SIZE * body or not (bold or parts > 1) or length > _LINE_LENGTH:
        return None
    if said[-1] in ".,;-\u2013" or _LEADERS.search(said) or not _stands_alone(page, position):
        return None
    capitals = all(letter == letter.upper() for letter in letters)
    return -round(2 * body) / 2, not capitals, not bold, parts


def _stands_alone(page: PageOutline, position: int) -> bool:
    """Say whether the line is a paragraph of its own, or one with lines in the same bold type."""
    line = page.lines[position]
    before = page.text[max(0, line.start - 2) : line.start]
    after = page.text[line.end : line.end + 2]
    first = before in ("", "\n\n") or _alike(line, page.lines[position - 1])
    last = after in ("", "\n\n") or (
        position + 1 < len(page.lines) and _alike(line, page.lines[position + 1])
    )
    return first and last


def _alike(line: Line, other: Line) -> bool:
    return line.bold and other.bold and line.fonts == other.fonts and line.size == other.size


def _largest(
    pages: Sequence[PageOutline], levels: dict[int, dict[int, int]], title_length: int
) -> str | None:
    """Return the first of the headings in the largest type of the document when it is on the first page with text."""
    first = next((page for page in pages if page.lines), None)
    if first is None:
        return None
    headings = _headings_of(first, levels.get(first.number, {}), title_length)
    found = [heading for heading in headings if heading.level == 1]
    return found[0].title if found else None


def _headings_of(page: PageOutline, levels: dict[int, int], title_length: int) -> Iterator[Heading]:
    """Yield a page's headings; neighbouring lines of one level are one heading."""
    group: list[int] = []

    def heading() -> Heading:
        first, last = page.lines[group[0]], page.lines[group[-1]]
        title = one_line(page.text[first.start : last.end], title_length)
        return Heading(title, levels[group[0]], page.start + first.start)

    for position in sorted(levels):
        if group and not _continues(page, levels, group, position):
            yield heading()
            group = []
        group.append(position)
    if group:
        yield heading()


def _continues(page: PageOutline, levels: dict[int, int], group: list[int], position: int) -> bool:
    """Say whether a line goes on with the heading that the lines in `group` began."""
    before, line = page.lines[group[-1]], page.lines[position]
    near = 0 <= line.y0 - before.y0 <= 1.8 * max(line.size, before.size)
    short = line.end - page.lines[group[0]].start <= _HEADING_LENGTH
    return position == group[-1] + 1 and levels[position] == levels[group[-1]] and near and short
