"""What a page holds beside its text: running heads and feet, page numbers, the numbers of lines in the margin."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from pincite.reading.pdf.fragments import part_of
from pincite.reading.pdf.words import UPRIGHT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from pincite.reading.pdf.layout import PageText
    from pincite.reading.pdf.words import Line, PageWords

# Runs of digits, which differ in running heads from page to page: linear.
_DIGITS = re.compile(r"\d+")
# A number and nothing else: linear, bounded.
_NUMBER = re.compile(r"\d{1,3}\Z")
# A page's number alone, as pages bear it: linear, bounded repetitions.
_PAGE_NUMBER = re.compile(
    r"(?:[-–—|(\[ ]{0,3}(?P<plain>\d{1,4}|[ivxlcdm]{1,8})[-–—|)\] ]{0,3}"
    r"|(?P<said>page|p\.|seite|página|pagina|pág\.|стр\.)\s{0,3}(?P<number>\d{1,4})"
    r"(?:\s{0,3}(?:of|/|von|de|di|из)\s{0,3}\d{1,4})?"
    r"|\d{1,4}\s{0,3}(?:of|/|von)\s{0,3}\d{1,4})\Z",
    re.IGNORECASE,
)

_BAND, _ROWS = 0.2, 4
"""Share of the page's height at its head and at its foot, and rows in it, that may be furniture."""

_STEP, _PAGES, _FEW = 2, 3, 3
"""Pages from one to the next with the same head (left and right pages may differ), pages that bear it at least, and
pages of a document in which two pages are enough where it cannot be anything else."""

_PLACE = 3.0
"""Points of height within which two lines stand in the same place."""

_LARGE = 1.3
"""Times the body's font size from which on a repeated line may be a title: only one on most pages is furniture."""

_EDGE = 0.1
"""Share of the page's height at its head and at its foot in which a number that stands alone is the page's."""

_SIDE = 0.1
"""Share of the page's width at its left and right in which writing up or down the page may be furniture."""

_CLEAR, _APART = 0.5, 1.0
"""Line heights between furniture and the text, at least: where many pages bear it, and where only two do."""

_SHORT, _PAIRED_ROWS, _HEADING = 100, 2, 1.12
"""Code points and rows that two pages have in common at most, when it is furniture, and times the body's font size from
which on it may be a heading: more is a form that was filled in twice."""

_NUMBERS, _FIVES = 8, 3
"""Numbers that a margin holds at least: when it numbers each line, and when it numbers each fifth."""

_EVEN = 0.12
"""Share by which the distances of the lines' numbers differ from the usual one, at most."""


HEAD, FOOT, SIDE = 0, 1, 2
"""Edges of a page; at a side stands what is written up or down the page."""


@dataclass(frozen=True, slots=True)
class EdgeLine:
    """A line near an edge of a page: its position in the page's lines, its words, and where it stands.

    `row` counts rows from the edge on; `gap` is the room to the next row in line heights, none for a row of a table;
    `near` says that it is at the very edge, `pieces` counts its runs of words with wide room between them.
    """

    position: int
    text: str
    row: int
    edge: int
    y: float
    size: float
    gap: float
    near: bool
    bold: bool = False
    pieces: int = 1

    @property
    def clear(self) -> bool:
        """Whether its row stands clear of the next, which no row of a table or of a paragraph does."""
        return self.gap >= _CLEAR


@dataclass(frozen=True, slots=True)
class PageSummary:
    """What is kept of a page to find furniture: the lines near its head and foot, from the edge inwards.

    `margin` are positions of lines that number others, `rows` is how many rows the page has, `body` its font size,
    `usual` the usual room between two rows in line heights (of the first pages), `hidden` are positions and words, but
    for their digits, of lines that nobody sees.
    """

    number: int
    edges: tuple[EdgeLine, ...]
    margin: tuple[int, ...]
    rows: int
    body: float
    label: str | None = None
    usual: float = 0.0
    hidden: tuple[tuple[int, str], ...] = ()


def summary_of(page: PageText, width: float, height: float, label: str | None = None) -> PageSummary:
    """Return what is kept of a page of `width` by `height` points that bears the printed `label`."""
    lines = page.lines
    margin = tuple(position for position, line in enumerate(lines) if line.margin)
    weights: Counter[float] = Counter()
    for line in lines:
        weights[round(line.size, 1)] += line.end - line.start
    body = max(weights, key=lambda size: weights[size], default=0.0)
    order = sorted(
        (p for p, line in enumerate(lines) if line.seen and not line.margin and line.way == UPRIGHT),
        key=lambda p: lines[p].y0,
    )
    rows: list[list[int]] = []
    for position in order:
        line = lines[position]
        if rows and line.y0 < (lines[rows[-1][0]].y0 + lines[rows[-1][0]].y1) / 2:
            rows[-1].append(position)
        else:
            rows.append([position])
    sides = (
        EdgeLine(
            p,
            " ".join(page.text[line.start : line.end].split())[:200],
            0,
            SIDE,
            line.y0,
            line.size,
            inf,
            False,
        )
        for p, line in enumerate(lines)
        if line.seen
        and not line.upright
        and not line.table
        and (line.x1 < _SIDE * width or line.x0 > (1 - _SIDE) * width)
    )
    edges = (*_edge(page, rows, height, HEAD), *_edge(page, rows[::-1], height, FOOT), *sides)
    # Only a document of a few pages is asked for it; that of the text, of which a page may have few rows.
    room = sorted(_rooms(page, rows)) if page.layout.page <= _FEW else []
    usual = room[len(room) // 4] if room else 0.0
    hidden = tuple(
        (p, _DIGITS.sub("#", " ".join(page.text[line.start : line.end].split()))[:200])
        for p, line in enumerate(lines)
        if not (line.seen or line.table)
    )
    return PageSummary(page.layout.page, edges, margin, len(rows), body, label, usual, hidden)


def _rooms(page: PageText, rows: list[list[int]]) -> Iterator[float]:
    """Yield the room between each row and the next, in line heights."""
    for row, below in pairwise(rows):
        one, other = page.lines[row[0]], page.lines[below[0]]
        yield (other.y0 - one.y1) / max(one.height, 1.0)


def _edge(page: PageText, rows: list[list[int]], height: float, edge: int) -> Iterator[EdgeLine]:
    """Yield the lines of the rows nearest to one edge."""
    lines, foot = page.lines, edge == FOOT
    for number, row in enumerate(rows[: _ROWS + 1]):
        place = lines[row[0]].y1 if foot else lines[row[0]].y0
        if (height - place if foot else place) > _BAND * height:
            return
        after = rows[number + 1] if number + 1 < len(rows) else []
        upper, lower = (after, row) if foot else (row, after)
        tallest = max(lines[p].height for p in row)
        room = min(lines[p].y0 for p in lower) - max(lines[p].y1 for p in upper) if after else inf
        gap = room / tallest if tallest else 0.0
        for position in row:
            line = lines[position]
            said = " ".join(page.text[line.start : line.end].split())[:200]
            near = (height - line.y1 if foot else line.y0) <= _EDGE * height
            yield EdgeLine(
                position,
                said,
                number,
                edge,
                line.y0,
                line.size,
                0.0 if line.table else gap,
                near,
                line.bold,
                line.pieces,
            )


def furniture(pages: Sequence[PageSummary]) -> list[frozenset[int]]:
    """Return for each page the positions of the lines that are furniture.

    Numbers of lines and a page's number that stands alone are; so is what stands in the same place, the same but for
    its digits, on three pages or more of which each is at most two after the one before, from the edge of the page
    inwards; in a document of a few pages on two that follow one another, where it is plain, short and well apart. A
    line that stands on one page only is none, nor is the head of a table or a title in large type that not most pages
    bear. What nobody sees is, wherever it stands, when three pages bear it.
    """
    running = _running(pages) if len(pages) >= _PAGES else {}
    if len(pages) <= _FEW:
        for index, (one, other) in enumerate(pairwise(pages)):
            for at, numbers in zip((index, index + 1), _paired(one, other), strict=True):
                running[at] = running.get(at, frozenset()) | numbers
    offsets = _offsets(pages, running)
    hidden = Counter(said for page in pages for said in {said for _, said in page.hidden})
    return [
        _of_page(page, running.get(index, frozenset()), offsets)
        | {position for position, said in page.hidden if hidden[said] >= _PAGES}
        for index, page in enumerate(pages)
    ]


def _running(pages: Sequence[PageSummary]) -> dict[int, frozenset[int]]:
    """Return for each page, by its place in `pages`, the numbers of the edge lines that run through the pages."""
    places: defaultdict[tuple[int, str], list[tuple[float, int, int]]] = defaultdict(list)
    for index, page in enumerate(pages):
        for number, line in enumerate(page.edges):
            for said in _sayings(line.text, page.number):
                places[line.edge, said].append((line.y, index, number))
    found: defaultdict[int, set[int]] = defaultdict(set)
    for standing in places.values():
        if len(standing) < _PAGES:
            continue
        standing.sort()
        level: list[tuple[float, int, int]] = []
        for one in [*standing, (inf, 0, 0)]:
            if level and one[0] - level[-1][0] > _PLACE:
                for _, index, number in _chained(pages, level):
                    found[index].add(number)
                level = []
            level.append(one)
    return {index: frozenset(numbers) for index, numbers in found.items()}


def _chained(
    pages: Sequence[PageSummary], level: list[tuple[float, int, int]]
) -> Iterator[tuple[float, int, int]]:
    """Yield the lines at one level that stand on enough pages, none far from the one before."""
    level = sorted(level, key=lambda one: one[1])
    runs: list[list[tuple[float, int, int]]] = [[level[0]]]
    for before, one in pairwise(level):
        if one[1] - before[1] <= _STEP:
            runs[-1].append(one)
        else:
            runs.append([one])
    for run in runs:
        own = {index for _, index, _ in run}
        line = pages[run[0][1]].edges[run[0][2]]
        # One page may be all notes, or a picture: the others tell in which type the text is set.
        large = line.size >= _LARGE * median(pages[index].body for index in own)
        if len(own) >= (max(_PAGES, len(pages) // 2) if large else _PAGES):
            # A sentence that is said on page after page is said, so it stands once.
            yield from run[1:] if _SENTENCE.search(line.text) else run


def _paired(one: PageSummary, other: PageSummary) -> tuple[frozenset[int], frozenset[int]]:
    """Return the numbers of the edge lines of two pages that both bear, and that are furniture though only they do."""
    found: tuple[set[int], set[int]] = (set(), set())
    for edge in (HEAD, FOOT, SIDE):
        same: list[list[tuple[int, int]]] = []
        rows, others = _rows_at(one, edge), _rows_at(other, edge)
        for row in range(min(len(rows), len(others))):
            pairs = [(a, b) for a in rows[row] for b in others[row] if _is_same(one, a, other, b)]
            if not len(rows[row]) == len(others[row]) == len(pairs):
                break
            same.append(pairs)
        # What goes on alike is a form that was filled in twice, and cells over a table are its head.
        if not same or len(same) > _PAIRED_ROWS or _heads_table(one, rows, len(same)):
            continue
        pairs = [pair for row in same for pair in row]
        plain = all(_is_plain(one, a) and _is_plain(other, b) for a, b in pairs)
        if plain and all(_is_apart(one, a) and _is_apart(other, b) for a, b in same[-1]):
            for numbers, chosen in zip(found, zip(*pairs, strict=True), strict=True):
                numbers.update(chosen)
    return frozenset(found[0]), frozenset(found[1])


def _rows_at(page: PageSummary, edge: int) -> list[list[int]]:
    """Return the numbers of the edge lines of each row at one edge, from it inwards."""
    rows: list[list[int]] = []
    for number, line in enumerate(page.edges):
        if line.edge == edge:
            while len(rows) <= line.row:
                rows.append([])
            rows[line.row].append(number)
    return rows


def _heads_table(page: PageSummary, rows: list[list[int]], after: int) -> bool:
    """Say whether the row before row `after` of a page may be cells over a table that begins there."""
    is_table = after < len(rows) and not any(page.edges[number].gap for number in rows[after])
    own = [page.edges[number] for number in rows[after - 1]]
    return is_table and sum(line.pieces for line in own if not _counts(line.text, page.number)) > 1


def _counts(text: str, page: int) -> bool:
    """Say whether a line holds the page's number: `7`, `Page 2`, `Report | 1`, but not `Question 1`."""
    return _value(text) is not None or any(_COUNTED.search(said) for said in _sayings(text, page))


def _is_same(one: PageSummary, a: int, other: PageSummary, b: int) -> bool:
    """Say whether two pages bear the same line in the same place; a number in it counts the pages."""
    line, like = one.edges[a], other.edges[b]
    if abs(line.y - like.y) > _PLACE:
        return False
    if line.text.casefold() == like.text.casefold():
        return True
    said = set(_sayings(line.text, one.number)) & set(_sayings(like.text, other.number))
    return bool(said) and _counts(line.text, one.number)


def _is_apart(page: PageSummary, number: int) -> bool:
    """Say whether more room than is usual on its page stands between an edge line's row and the text."""
    return page.edges[number].gap >= max(_APART, _APART_SHARE * page.usual)


def _is_plain(page: PageSummary, number: int) -> bool:
    """Say whether a line at the very edge is short, no sentence, and set as no heading is."""
    line = page.edges[number]
    return (
        (line.near or line.edge == SIDE)
        and len(line.text) <= _SHORT
        and line.size < _HEADING * page.body
        and not line.bold
        and _SENTENCE.search(line.text) is None
    )


def _sayings(text: str, page: int) -> Iterator[str]:
    """Yield what is the same in a line that runs through the pages, in one way or another.

    That is its words, figures included; or its words but for one number, at an end or behind a word for a page, which
    counts the pages as a page's number does. Other figures are what the line says: a sum, a date, a clause.
    """
    value = _value(text)
    if value is not None:
        # A number alone counts the pages, or it is none of theirs: the number of a line, a figure of a table.
        yield str(value - page)
        return
    said = text.casefold()
    yield said
    for match in _DIGITS.finditer(said):
        before, after = said[: match.start()], said[match.end() :]
        if not before.strip(_EDGES) or not after.strip(_EDGES) or before.rstrip().endswith(_PAGE_WORDS):
            yield f"{before}#{int(match[0]) - page}{after}"


_EDGES = " \t-–—|()[]./·•:"
"""What may stand beside a page's number at an end of a line."""
_APART_SHARE = 1.5
"""Times the usual room between two rows that furniture of two pages is apart, at least."""
_PAGE_WORDS = ("page", "p.", "seite", "página", "pagina", "pág.", "стр.")
"""Words before a page's number."""
# The place of a page's number in a line, parted from its words by a sign or behind a word for a page: linear, bounded.
_COUNTED = re.compile(
    r"(?:[-–—|/·•(\[]|\bpage|\bp\.|seite|página|pagina|pág\.|стр\.)\s{0,3}#-?\d+|#-?\d+\s{0,3}[-–—|/·•)\]]"
)
# The end of a sentence, behind words that are one: linear, a bounded run.
_SENTENCE = re.compile(r"\w\W{1,3}\w+\W{1,3}\w+\W{1,3}\w+[^.!?]{0,20}[.!?。！？][\"'”’»)\]]{0,2}\Z")


def _value(text: str) -> int | None:
    """Return the page number that a text is, None when it is none."""
    match = _PAGE_NUMBER.match(text)
    if match is None:
        return None
    said = match["plain"] or match["number"] or _DIGITS.findall(text)[0]
    return int(said) if said.isdigit() else _roman(said.casefold())


def _roman(text: str) -> int | None:
    """Return what a roman number says, None when it is not written as one is."""
    total = 0
    rest = text
    for value, sign in _SIGNS:
        while rest.startswith(sign):
            total, rest = total + value, rest[len(sign) :]
    return total if not rest and total else None


_SIGNS = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


def _offsets(pages: Sequence[PageSummary], running: dict[int, frozenset[int]]) -> set[int]:
    """Return by how much the numbers that pages bear are more than the pages' own, where several agree."""
    counts: Counter[int] = Counter()
    for index, page in enumerate(pages):
        for number in running.get(index, ()):
            value = _value(page.edges[number].text)
            if value is not None:
                counts[value - page.number] += 1
    return {offset for offset, count in counts.items() if count >= _PAGES}


def _of_page(page: PageSummary, running: frozenset[int], offsets: set[int]) -> frozenset[int]:
    """Return the furniture of one page, from its edges inwards."""
    drop = set(page.margin)
    left = page.rows
    for edge in (HEAD, FOOT, SIDE):
        rows: defaultdict[int, list[int]] = defaultdict(list)
        for number, line in enumerate(page.edges):
            if line.edge == edge:
                rows[line.row].append(number)
        waiting: set[int] = set()
        for row in sorted(rows)[:_ROWS]:
            own = {
                number
                for number in rows[row]
                if number in running or _is_number(page, page.edges[number], offsets)
            }
            waiting |= own
            whole = len(own) == len(rows[row])
            # Rows that are close to the next are furniture only when that is, too; most of a page is none.
            if page.edges[rows[row][0]].clear and (row == 0 or 2 * (row + 1) <= left):
                drop |= {page.edges[number].position for number in waiting}
                waiting = set()
            if not whole:
                break
    return frozenset(drop)


def _is_number(page: PageSummary, line: EdgeLine, offsets: set[int]) -> bool:
    """Say whether a line is the page's number."""
    value = (
        _value(line.text)
        if line.row == 0 and line.clear and line.near and line.size <= _LARGE * page.body
        else None
    )
    if value is None:
        return False
    match = _PAGE_NUMBER.match(line.text)
    said = match is not None and match["plain"] is None
    return (
        said
        or value - page.number in offsets
        or value == page.number
        or line.text.strip("-–—|()[] ") == page.label
    )


def apart_from_margin(
    words: PageWords, lines: list[Line], cut: NDArray[np.bool_], text: str
) -> tuple[list[Line], list[Line]]:
    """Return the lines without the numbers that stand in the margin at the left of each line or each fifth.

    Numbers at the right may be what a table says.
    """
    own = {
        at: line.first
        for at, line in enumerate(lines)
        if line.seen
        and not line.table
        and text[line.start].isdigit()
        and (_alone(line) or cut[line.first + 1])
        and _numbers(words, line.first, text)
    }
    taken = _margin(words, lines, own, text) if len(own) >= _FIVES else []
    return _parted(words, lines, {at: own[at] for at in taken}) if taken else (lines, [])


def _alone(line: Line) -> bool:
    return line.last - line.first == 1


def _numbers(words: PageWords, word: int, text: str) -> bool:
    return _NUMBER.match(text[words.start[word] : words.end[word]]) is not None


def _margin(words: PageWords, lines: list[Line], own: dict[int, int], text: str) -> list[int]:
    """Return those of the lines `own` whose numbers, their words there, stand in the margin and count lines."""
    edge = float(np.median(words.x1[list(own.values())]))
    near = {at: word for at, word in own.items() if abs(words.x1[word] - edge) <= _PLACE}
    order = sorted(near, key=lambda at: float(words.y0[near[at]]))
    values = [int(text[words.start[near[at]] : words.end[near[at]]]) for at in order]
    steps = {other - one for one, other in pairwise(values)}
    if steps not in ({1}, {5}) or len(order) < (_NUMBERS if steps == {1} else _FIVES):
        return []
    tops = words.y0[[near[at] for at in order]]
    pitch = np.diff(tops)
    if (np.abs(pitch - np.median(pitch)) > _EVEN * np.median(pitch)).any():
        return []
    # Nothing else stands in the strip, and the text beside it goes on from line to line.
    numbers = np.zeros(len(words.start), np.bool_)
    numbers[[near[at] for at in order]] = True
    listed = np.zeros(len(words.start), np.bool_)
    for line in lines:
        listed[line.first : line.last] = True
    others = listed & ~numbers
    within = others & (words.y1 > tops[0]) & (words.y0 < tops[-1])
    if not within.any() or not (words.x0[within] >= words.x1[numbers].max()).all():
        return []
    beside = [line for line in lines if line.seen and line.y1 > tops[0] and line.y0 < tops[-1]]
    running = sum(not _alone(line) and line.pieces <= 2 for line in beside)  # noqa: PLR2004 - the number and the line
    apart = sum(_alone(lines[at]) for at in order) >= len(order) - 1
    lower = sum(_goes_on(words, lines[at], text) for at in order)
    return order if running and (apart or 5 * lower >= len(order)) else []


def _goes_on(words: PageWords, line: Line, text: str) -> bool:
    """Say whether a line's own words begin as those of a sentence do that goes on."""
    first = line.first + 1
    return first < line.last and text[words.start[first]].islower()


def _parted(words: PageWords, lines: list[Line], taken: dict[int, int]) -> tuple[list[Line], list[Line]]:
    """Return the lines without the words `taken`, and lines of these alone."""
    rest: list[Line] = []
    margin: list[Line] = []
    for at, line in enumerate(lines):
        word = taken.get(at)
        if word is None:
            rest.append(line)
            continue
        margin.append(replace(part_of(words, line, word, word + 1), margin=True))
        if _alone(line):
            continue
        rest.append(part_of(words, line, word + 1, line.last))
        rest[-1].pieces = max(1, line.pieces - 1)
    margin.sort(key=lambda line: line.y0)
    return rest, margin
