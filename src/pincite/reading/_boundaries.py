"""Where passages of a text may begin: its sections, and the boundaries in them with their rank."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from pincite.core.sentences import split_sentences
from pincite.reading._measure import Measure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pincite.core.document import Heading
    from pincite.reading._measure import Sizes


class Rank(IntEnum):
    """What begins at a boundary: the smaller, the better a place to end a passage."""

    PARAGRAPH = 0
    ITEM = 1
    SENTENCE = 2
    LINE = 3
    WORD = 4
    INSIDE = 5


class Piece(NamedTuple):
    """Code points `start` to `end` that stand or fall together, no white space around them."""

    start: int
    end: int
    rank: Rank


@dataclass(frozen=True, slots=True)
class Section:
    """The pieces between two headings, in order; the text under the section's own headings begins at `body`."""

    body: int
    pieces: list[Piece]


class _Group(NamedTuple):
    """Code points `start` to `end`: headings one after the other, and from `body` on the text under the last."""

    start: int
    body: int
    end: int
    headings: tuple[int, ...]


# A blank line with the white space around it: linear, possessive runs.
_PARAGRAPH_END = re.compile(r"\n[^\S\n]*+\n\s*+")
# The mark of a list item: linear, one character or a few digits.
_ITEM = re.compile(r"(?:[-*+•‣▪◦–]|\d{1,9}+[.)])[^\S\n]")
# Two lines or more of `cell | cell`, or `| cell` where the first is empty: linear, each line is taken once and never
# given back.
TABLE = re.compile(r"(?>^(?:\| |[^\n]*? \| )[^\n]*+(?:\n|\Z)){2,}+", re.MULTILINE)
# A line end or white space, with the white space after it: linear, possessive runs.
_LINE = re.compile(r"\n\s*+")
_SPACE = re.compile(r"\s++")
# What is not white space: linear, one character.
_INK = re.compile(r"\S")

# Joiners, variation selectors and skin tones belong to the character before them, as combining marks do.
_JOINED = frozenset("\u200c\u200d\ufe0e\ufe0f\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")
_JOINER = "\u200d"
_LONGEST_CLUSTER = 32
"""Code points that a cut inside a word goes back, at most, to keep a character and its marks together."""
_DEEPEST_INDENT = 40
"""Code points before a list item's mark that are looked at."""
_HEADING_LINES = 8
"""Lines that one heading may run over."""


def sections(
    text: str, outline: Sequence[Heading], sizes: Sizes, *, edges: Sequence[int] = ()
) -> tuple[Measure, Iterator[Section]]:
    """Return how long parts of `text` are, and its sections that hold text, in order.

    Together they hold all that is not white space. A heading with nothing under it opens the section of the next. A
    list item, table row or table of `sizes.size` at most is one piece; no piece is longer than `sizes.hard`. At each
    of `edges` a section ends, whatever stands there.
    """
    ranks = {start: Rank.SENTENCE for start, _ in split_sentences(text)}
    tables = _rank_blocks(text, ranks)
    groups = list(_groups(text, outline))
    fixed = sorted({ink.start() for edge in edges if (ink := _INK.search(text, edge)) is not None})
    for place in (*(place for group in groups for place in (group.start, group.body)), *fixed):
        if place < len(text):
            ranks.setdefault(place, Rank.SENTENCE)
    measure = Measure(text, sorted(ranks), sizes)
    return measure, _sections(text, ranks, groups, fixed, _wholes(text, ranks, tables, measure), measure)


def _sections(
    text: str,
    ranks: dict[int, Rank],
    groups: Sequence[_Group],
    fixed: Sequence[int],
    wholes: Sequence[tuple[int, int]],
    measure: Measure,
) -> Iterator[Section]:
    kept = {place: ranks[place] for place in fixed}
    _keep_whole(ranks, wholes)
    for group in groups:
        _tie_headings(ranks, group, measure)
    for place, rank in kept.items():
        ranks.setdefault(place, rank)
    places = sorted(ranks)
    for group in groups:
        inside = places[bisect_left(places, group.start) : bisect_left(places, group.end)]
        pieces: list[Piece] = []
        for start, limit in pairwise([*inside, group.end]):
            if pieces and start in kept:
                yield Section(group.body, pieces)
                pieces = []
            piece = Piece(start, _trimmed(text, start, limit), ranks[start])
            pieces += (
                _cut(text, piece, group.body, measure) if measure.is_over(piece.start, piece.end) else [piece]
            )
        yield Section(group.body, pieces)


def _rank_blocks(text: str, ranks: dict[int, Rank]) -> list[list[int]]:
    """Rank where a paragraph, list item or table row begins; return each table's rows and, at last, its end."""
    for start in ranks:
        if _ITEM.match(text, start) and _opens_line(text, start):
            ranks[start] = Rank.ITEM
    for match in _PARAGRAPH_END.finditer(text):
        if match.end() < len(text):
            ranks[match.end()] = Rank.PARAGRAPH
    tables: list[list[int]] = []
    for table in TABLE.finditer(text):
        start, end = table.start() + len(table[0]) - len(table[0].lstrip()), table.end()
        rows = [start, *(line.end() for line in _LINE.finditer(text, start, end - 1))]
        for row in rows:
            # What stands on a line with cells is a row, whatever else it looks like.
            if ranks.get(row, Rank.SENTENCE) > Rank.ITEM:
                ranks[row] = Rank.ITEM
        tables.append([*rows, end])
    return tables


def _wholes(
    text: str, ranks: dict[int, Rank], tables: Sequence[Sequence[int]], measure: Measure
) -> list[tuple[int, int]]:
    """Return the spans of list items, and of tables or, where they are too long, their rows, that are not to be cut."""
    spans = list(_items(text, ranks))
    for rows in tables:
        whole = measure.length(rows[0], rows[-1]) <= measure.size
        spans += [(rows[0], rows[-1])] if whole else pairwise(rows)
    return [span for span in spans if measure.length(*span) <= measure.size]


def _items(text: str, ranks: dict[int, Rank]) -> Iterator[tuple[int, int]]:
    """Yield the span of each list item: it ends at the next one, or with its paragraph."""
    blocks = sorted(place for place, rank in ranks.items() if rank <= Rank.ITEM)
    for start, end in pairwise([*blocks, len(text)]):
        if _ITEM.match(text, start):
            yield start, end


def _keep_whole(ranks: dict[int, Rank], spans: Iterable[tuple[int, int]]) -> None:
    """Remove the boundaries inside each of `spans`."""
    places = sorted(ranks)
    for start, end in spans:
        for place in places[bisect_right(places, start) : bisect_left(places, end)]:
            ranks.pop(place, None)


def _opens_line(text: str, place: int) -> bool:
    """Say whether nothing but an indent stands between the line's beginning and `place`."""
    before = text[max(0, place - _DEEPEST_INDENT) : place].rstrip(" \t")
    return before.endswith("\n") or (not before and place <= _DEEPEST_INDENT)


def _groups(text: str, outline: Sequence[Heading]) -> Iterator[_Group]:
    """Yield the stretches of text between headings that have text under them; white space alone is left out."""
    titles = {heading.start: heading.title for heading in outline if 0 <= heading.start < len(text)}
    starts = sorted(titles)
    lead = starts[0] if starts else len(text)
    first = _INK.search(text, 0, lead)
    if first is not None:
        yield _Group(first.start(), first.start(), lead, ())
    chain: list[int] = []
    for start, end in pairwise([*starts, len(text)]):
        ink = _INK.search(text, start, end)
        if ink is None:
            continue
        chain.append(ink.start())
        under = _INK.search(text, _heading_end(text, ink.start(), end, titles[start]), end)
        if under is not None:
            yield _Group(chain[0], under.start(), end, tuple(chain))
            chain = []
    if chain:
        yield _Group(chain[0], len(text), len(text), tuple(chain))


def _heading_end(text: str, start: int, end: int, title: str) -> int:
    """Return where the heading that begins at `start` ends; `start` itself when the words there are not `title`."""
    wanted = "".join(title.split())
    place = start
    for _ in range(_HEADING_LINES):
        line_end = text.find("\n", place, end)
        line_end = end if line_end < 0 else line_end
        found = "".join(text[place:line_end].split())
        if found == wanted or (wanted.endswith("…") and found.startswith(wanted[:-1])):
            return line_end
        if line_end == end or not wanted.startswith(found):
            break
        wanted, place = wanted[len(found) :], line_end + 1
    return start


def _tie_headings(ranks: dict[int, Rank], group: _Group, measure: Measure) -> None:
    """Leave no boundary between a group's headings and its text; many headings keep one before each."""
    if measure.length(group.start, group.body) <= measure.size / 2:
        for place in range(group.start, group.body):
            ranks.pop(place, None)
    else:
        ranks.update(dict.fromkeys(group.headings, Rank.PARAGRAPH))
    if group.body > group.start:
        ranks.pop(group.body, None)
    ranks[group.start] = Rank.PARAGRAPH


def _trimmed(text: str, start: int, end: int) -> int:
    """Return where the text between `start`, which is not white space, and `end` ends without white space."""
    while end > start and text[end - 1].isspace():
        end -= 1
    return end


def _cut(text: str, piece: Piece, body: int, measure: Measure) -> Iterator[Piece]:
    """Yield `piece` in parts that are not over: at lines, where they are too long at spaces, else anywhere.

    The boundary at `body` stays closed, so that a heading is not parted from the first words under it.
    """
    for line in _split(text, piece, _LINE, Rank.LINE, body):
        if not measure.is_over(line.start, line.end):
            yield line
            continue
        for word in _split(text, line, _SPACE, Rank.WORD, body):
            start, end, rank = word
            while measure.is_over(start, end):
                middle = _between_clusters(text, start, measure.reach(start, end))
                yield Piece(start, _trimmed(text, start, middle), rank)
                # The closed boundary at `body` may have left white space inside the word.
                while text[middle].isspace():
                    middle += 1
                start, rank = middle, Rank.INSIDE
            yield Piece(start, end, rank)


def _split(text: str, piece: Piece, pattern: re.Pattern[str], rank: Rank, body: int) -> Iterator[Piece]:
    """Yield the parts of `piece` between the matches of `pattern`."""
    start, first = piece.start, piece.rank
    for gap in pattern.finditer(text, piece.start, piece.end):
        if gap.end() != body:
            yield Piece(start, _trimmed(text, start, gap.start()), first)
            start, first = gap.end(), rank
    yield Piece(start, piece.end, first)


def _between_clusters(text: str, start: int, place: int) -> int:
    """Return the last place up to `place`, and after `start`, that does not part a character from its marks."""
    for back in range(place, max(start, place - _LONGEST_CLUSTER), -1):
        mark = text[back]
        joined = mark in _JOINED or text[back - 1] == _JOINER or unicodedata.category(mark)[0] == "M"
        if not joined and not mark.isspace():
            return back
    return place
