"""A PDF's headings, found page by page: its own outline, else its tags, else its fonts."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pincite.core.document import Heading
from pincite.core.text import one_line, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pincite.core.geometry import Affine
    from pincite.reading.pdf.headings import Bookmark
    from pincite.reading.pdf.words import Line

# Runs of digits, which differ in running headers from page to page: linear.
_DIGITS = re.compile(r"\d+")
# A heading's number, of up to six parts: linear, bounded.
_NUMBERED = re.compile(r"((?:\d{1,3}\.){0,5}\d{1,3})\.?\s+(?=[^\W\d_])")
# Dots that lead to a page's number in a table of contents: linear.
_LEADERS = re.compile(r"(?:\. ?){4}|\s\d{1,4}\Z")
# A letter of any script: linear, one class.
_LETTER = re.compile(r"[^\W\d_]")

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

_PLAIN_LINES = 8
"""Lines of a page in one size from which on that is the size of its text, and no heading's for its size alone."""


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


_Style = tuple[float, bool, bool, int]
"""What ranks headings: size (negative, so that larger is first), no capitals, not bold, parts of the number."""

_NO_STYLE: _Style = (0.0, True, True, 1)


_STEPS = 1 << 20
"""Steps down a page, at most. What is the same in lines that run through the pages is one number, as a book has many:
a hash of the words but for digits, times this, and the place in steps."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A line that may be a heading: little is kept of it, since a book has many pages.

    `start` and `end` are code points of the document, `share` is how far down the page it stands, `glued` that it is
    one word with the line before, `plain` that it may be one for its size alone, and `tag` is the level of its tag, 0
    for none.
    """

    page: int
    position: int
    start: int
    end: int
    said: str
    size: float
    y0: float
    share: float
    key: int
    bold: bool
    parts: int
    plain: bool
    capitals: bool
    glued: bool
    tag: int

    @property
    def name(self) -> tuple[int, int]:
        """What names the line: its page, its place among the page's lines."""
        return self.page, self.position


@dataclass(slots=True)
class _Marked:
    """A bookmark and where it may lead: lines that begin with its words (distance, -size, start), else `start`."""

    mark: Bookmark
    start: int
    lines: list[tuple[float, float, int, _Line]] = field(default_factory=list)


class Outline:
    """The headings of one document; `add` takes its pages in order and keeps what may be one."""

    def __init__(self, marks: Sequence[Bookmark], title_length: int) -> None:
        self._title_length = title_length
        self._marks: defaultdict[int, list[Bookmark]] = defaultdict(list)
        for mark in marks:
            self._marks[mark.page].append(mark)
        self._marked: list[_Marked] = []
        self._lines: list[_Line] = []
        self._weights: Counter[tuple[float, bool]] = Counter()
        self._edges: Counter[int] = Counter()
        self._first: int | None = None

    def add(self, page: PageOutline) -> None:
        """Take the next page."""
        if page.lines and self._first is None:
            self._first = page.number
        sizes = [round(line.size, 1) for line in page.lines]
        for line, size in zip(page.lines, sizes, strict=True):
            self._weights[size, line.bold] += line.end - line.start
        self._edges.update({_key(page, line) for line in page.lines if _at_edge(_share(page, line))})
        usual = max((size for size, count in Counter(sizes).items() if count > _PLAIN_LINES), default=0.0)
        for position, size in enumerate(sizes):
            line = _candidate(page, position, large=size > usual)
            if line is not None:
                self._lines.append(line)
        self._marked += [_marked(page, mark) for mark in self._marks.get(page.number, ())]

    def headings(self) -> tuple[tuple[Heading, ...], str | None]:
        """Return the document's headings in order, and the largest of its first page with text.

        They are those of the outline if there are any, else of the tags, else of the fonts. The second is the first
        heading in the largest type of the document, None where that is on another page.
        """
        marked = (line for one in self._marked for *_, line in one.lines)
        running = _running((*self._lines, *marked), self._edges)
        apart = self._set_apart(running)
        found = [Heading(one.mark.title, one.mark.level, _place(one, running)) for one in self._marked]
        if not found:
            tagged = {line.name: line.tag for line in self._lines if line.tag}
            found = list(self._headings_of(tagged or apart))
        return tuple(sorted(found, key=lambda heading: heading.start)), self._largest(apart)

    def _set_apart(self, running: set[tuple[int, int]]) -> dict[tuple[int, int], int]:
        """Return the level of the lines that their type sets apart from the body.

        Larger type does, and so does bold type, or a number such as 2.1, on a line that is a paragraph of its own.
        """
        if not self._weights:
            return {}
        (body, bold), _ = self._weights.most_common(1)[0]
        chosen: list[tuple[_Line, _Style]] = []
        for line in self._lines:
            style = _style(line, body, body_bold=bold) if line.name not in running else None
            if style is not None:
                chosen.append((line, style))
        chosen = list(_short_runs(chosen))
        styles = sorted({style for _, style in chosen})
        rank = {style: min(place, _LEVELS) for place, style in enumerate(styles, 1)}
        return {line.name: rank[style] for line, style in chosen}

    def _headings_of(self, levels: dict[tuple[int, int], int]) -> Iterator[Heading]:
        """Yield the headings of lines with these levels; neighbouring lines of one level are one heading."""
        group: list[_Line] = []

        def heading() -> Heading:
            said = "".join(("" if line.glued or not at else " ") + line.said for at, line in enumerate(group))
            return Heading(one_line(said, self._title_length), levels[group[0].name], group[0].start)

        for line in self._lines:
            if line.name not in levels:
                continue
            if group and not _continues(levels, group, line):
                yield heading()
                group = []
            group.append(line)
        if group:
            yield heading()

    def _largest(self, levels: dict[tuple[int, int], int]) -> str | None:
        own = {name: level for name, level in levels.items() if name[0] == self._first}
        return next((one.title for one in self._headings_of(own) if one.level == 1), None)


def _candidate(page: PageOutline, position: int, *, large: bool) -> _Line | None:
    """Return what is kept of a line that may be a heading, None for one that is none whatever the others are.

    `large` says that its type is larger than that of the page's text.
    """
    line = page.lines[position]
    length = line.end - line.start
    tag = page.tags.get(position, 0)
    number = _NUMBERED.match(page.text, line.start, line.end)
    if not (tag or large or line.bold or number):
        return None
    said = page.text[line.start : line.end]
    if not tag:
        if line.table or line.note or line.margin or length > _HEADING_LENGTH:
            return None
        if len(_LETTER.findall(said)) <= 2:  # noqa: PLR2004 - an initial, a `km`
            return None
    alone = (
        length <= _LINE_LENGTH
        and said[-1:] not in tuple(".,;-\u2013")
        and _LEADERS.search(said) is None
        and _stands_alone(page, position)
    )
    if not (tag or large or alone):
        return None
    return _kept(page, position, tag=tag, plain=alone, parts=number[1].count(".") + 1 if number else 1)


def _kept(page: PageOutline, position: int, *, tag: int, plain: bool, parts: int) -> _Line:
    line = page.lines[position]
    said = page.text[line.start : line.end]
    before = page.lines[position - 1] if position else None
    return _Line(
        page.number,
        position,
        page.start + line.start,
        page.start + line.end,
        said,
        line.size,
        line.y0,
        _share(page, line),
        _key(page, line),
        line.bold,
        parts,
        plain,
        all(letter == letter.upper() for letter in _LETTER.findall(said)),
        before is not None and before.end == line.start,
        tag,
    )


def _style(line: _Line, body: float, *, body_bold: bool) -> _Style | None:
    """Return the style of a line that is a heading, None for one that is none."""
    if line.tag and line.end - line.start > _HEADING_LENGTH:
        return None
    if not body > 0:
        return None
    if line.size >= _HEADING_RATIO * body:
        return -round(2 * line.size) / 2, True, True, line.parts
    bold = line.bold and not body_bold
    if line.size < _SAME_SIZE * body or not (bold or line.parts > 1) or not line.plain:
        return None
    return -round(2 * body) / 2, not line.capitals, not bold, line.parts


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


def _short_runs(chosen: list[tuple[_Line, _Style]]) -> Iterator[tuple[_Line, _Style]]:
    """Yield what is a heading's few lines; more, one after the other, is text in large type."""
    run: list[tuple[_Line, _Style]] = []
    for line, style in chosen:
        last = run[-1] if run else None
        if last is not None and (line.page, line.position, style[0]) != (
            last[0].page,
            last[0].position + 1,
            last[1][0],
        ):
            yield from run if len(run) <= _HEADING_LINES else ()
            run = []
        run.append((line, style))
    yield from run if len(run) <= _HEADING_LINES else ()


def _continues(levels: dict[tuple[int, int], int], group: list[_Line], line: _Line) -> bool:
    """Say whether a line goes on with the heading that the lines in `group` began."""
    before = group[-1]
    near = 0 <= line.y0 - before.y0 <= 1.8 * max(line.size, before.size)
    short = line.end - group[0].start <= _HEADING_LENGTH
    follows = line.page == before.page and line.position == before.position + 1
    return follows and levels[line.name] == levels[before.name] and near and short


def _key(page: PageOutline, line: Line) -> int:
    said = page.text[line.start : min(line.end, line.start + _HEADING_LENGTH)]
    return hash(_DIGITS.sub("#", said).casefold()) * _STEPS + round(line.y0 / 4.0) % _STEPS


def _share(page: PageOutline, line: Line) -> float:
    return line.y0 / page.height if page.height else 0.0


def _at_edge(share: float) -> bool:
    return share < _RUNNING_BAND or share > 1 - _RUNNING_BAND


def _running(lines: Iterable[_Line], edges: Counter[int]) -> set[tuple[int, int]]:
    """Return the names of headers and footers: the same words in the same place; `edges` counts the pages with each.

    Numbers do not count as words, so a line that holds the page's number is the same on every page.
    """
    places: defaultdict[int, dict[tuple[int, int], float]] = defaultdict(dict)
    for line in lines:
        places[line.key][line.name] = line.share
    running: set[tuple[int, int]] = set()
    for key, standing in places.items():
        # A line that lies between two of the places' steps is found under either.
        next_key = key + 1
        together = standing | places.get(next_key, {})
        count = max(len({page for page, _ in together}), edges[key] + edges[next_key])
        if count >= (2 if _at_edge(next(iter(standing.values()))) else _RUNNING_PAGES):
            running |= together.keys()
    return running


def _marked(page: PageOutline, mark: Bookmark) -> _Marked:
    """Return where a bookmark may lead on its page: where the words of its title stand, or where it points to."""
    wanted = _named(mark.title)
    aim = _aim(page, mark)
    found = _Marked(mark, page.start)
    if aim is not None:
        # Without such words: the first line at or below the place, a line's height of grace.
        below = [line for line in page.lines if line.y1 >= aim]
        found.start += min(below, key=lambda line: line.y0).start if below else len(page.text)
    for position, line in enumerate(page.lines):
        have = _named(page.text[line.start : min(len(page.text), line.start + 2 * len(mark.title) + 80)])
        if wanted and have[: len(wanted)] == wanted:
            distance = abs(line.y0 - aim) if aim is not None else 0.0
            kept = _kept(page, position, tag=0, plain=False, parts=1)
            found.lines.append((distance, -line.size, page.start + line.start, kept))
    return found


def _place(marked: _Marked, running: set[tuple[int, int]]) -> int:
    """Return the code point that a bookmark leads to.

    Of several places the one nearest to where the bookmark points counts, then the one in the largest type.
    """
    found = [(one[0], one[1], one[2]) for one in marked.lines if one[3].name not in running]
    return min(found)[2] if found else marked.start


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
