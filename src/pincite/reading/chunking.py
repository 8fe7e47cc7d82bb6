"""A document's passages: whole sentences, grown to a size, with boundaries that an edit elsewhere does not move.

A text is cut in three steps, each of which looks at its surroundings alone:

1. Sections, at headings. A heading without text under it goes with the section that follows.
2. Regions of a section, at *anchors*. Every place where a passage may begin has a rank (a paragraph comes before a
   list item or table row, that before a sentence) and a hash of the words after it. An anchor is a place whose rank
   and hash are the smallest within a passage's length on both sides. So whether a place is one depends on the text
   around it and on nothing else, and anchors are never closer together than that.
3. Passages of a region, as even in size as its boundaries allow.

An edit changes the passages of its own region, and of the one beside it where an anchor comes or goes.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, deque
from dataclasses import replace
from math import ceil
from typing import TYPE_CHECKING
from zlib import crc32

from pincite.core.document import Places
from pincite.core.ids import chunk_id
from pincite.core.layout import boxes_of
from pincite.core.limits import DEFAULT
from pincite.core.passage import Passage
from pincite.reading._boundaries import Rank, sections
from pincite.reading._columns import Columns
from pincite.reading._measure import Sizes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pincite.core.document import Document, Doubt
    from pincite.core.limits import Limits
    from pincite.core.protocols import TokenCounter
    from pincite.reading._boundaries import Piece, Section
    from pincite.reading._measure import Measure

SMALLEST_SHARE = 3
"""A passage is no smaller than the size divided by this, where its boundaries allow."""

HASHED = 48
"""Code points after a boundary that its hash is made of."""

_COST = {
    Rank.PARAGRAPH: 0.0,
    Rank.ITEM: 0.1,
    Rank.SENTENCE: 0.25,
    Rank.LINE: 0.35,
    Rank.WORD: 0.5,
    Rank.INSIDE: 0.75,
}
"""What ending a passage before such a boundary costs, as a share of the size that it may miss instead."""


DOUBTFUL_SHARE = 0.1
"""Share of a passage's visible characters that are doubtful from which on the passage is."""

DOUBTFUL_STRETCH = 40
"""Code points of doubtful text, about a short sentence, that are made passages of their own."""


def chunk(
    document: Document, document_id: str, *, limits: Limits = DEFAULT, counter: TokenCounter | None = None
) -> list[Passage]:
    """Cut `document` into passages, in order; together they hold every character that is not white space.

    A passage is a run of whole sentences of at most about `limits.passage_tokens`, as `counter` counts them, or of
    `limits.passage_code_points` without one; a longer sentence, list item or table row makes a longer one, and what
    is over `limits.passage_hard_tokens` or `limits.passage_hard_code_points` is cut at a line, else at a space, else
    anywhere. Passages do not cross headings; one that opens with several has the place of the last.

    A passage that begins below the header of a table has it in `locator.columns`.

    Where `document.doubts` cover a stretch, passages end at its edges, and those that rest on it say why in `doubt`.
    """
    places, columns = Places(document), Columns(document.text)
    seen: Counter[str] = Counter()
    passages: list[Passage] = []
    stretches = doubtful_stretches(document)
    edges = [edge for stretch in stretches for edge in (stretch.start, stretch.end)]
    measure, found = sections(document.text, document.outline, Sizes.of(limits, counter), edges=edges)
    for section in found:
        for start, end in _spans(document.text, section, measure):
            text = document.text[start:end]
            under = max(start, min(section.body, end - 1))
            locator = places.locator(start, end, under=under)
            if locator.cells is None:  # rows of sheets name their columns
                locator = replace(locator, columns=columns.over(document.text, start, end))
            passages.append(
                Passage(
                    chunk_id=chunk_id(document_id, text, seen[text]),
                    document_id=document_id,
                    version=document.version,
                    start=start,
                    end=end,
                    text=text,
                    locator=locator,
                    boxes=tuple(boxes_of(document.layouts, start, end)),
                    section=(document.section_at(start)[0], document.section_at(under)[1]),
                    doubt=doubt_of(document, start, end),
                )
            )
            seen[text] += 1
    return passages


def doubtful_stretches(document: Document) -> list[Doubt]:
    """Return the doubtful parts of `document` that are long; those with nothing but white space between are one."""
    joined: list[Doubt] = []
    for doubt in document.doubts:
        before = joined[-1] if joined else None
        if before is not None and not document.text[before.end : doubt.start].strip():
            joined[-1] = replace(before, end=doubt.end)
        else:
            joined.append(doubt)
    return [doubt for doubt in joined if doubt.end - doubt.start >= DOUBTFUL_STRETCH]


def doubt_of(document: Document, start: int, end: int) -> str | None:
    """Return why the text from `start` to `end` is not to be cited as good: what covers `DOUBTFUL_SHARE` of it."""
    doubts = document.doubts
    if not doubts:
        return None
    shares: Counter[str] = Counter()
    for doubt in doubts[bisect_right(doubts, start, key=_end) : bisect_left(doubts, end, key=_start)]:
        part = document.text[max(start, doubt.start) : min(end, doubt.end)]
        shares[doubt.reason] += sum(not char.isspace() for char in part)
    if not shares.total():
        return None
    visible = sum(not char.isspace() for char in document.text[start:end])
    return shares.most_common(1)[0][0] if shares.total() >= DOUBTFUL_SHARE * visible else None


def _start(doubt: Doubt) -> int:
    return doubt.start


def _end(doubt: Doubt) -> int:
    return doubt.end


def _spans(text: str, section: Section, measure: Measure) -> Iterator[tuple[int, int]]:
    """Yield the code points of a section's passages."""
    pieces = section.pieces
    starts = [measure.at(piece.start) for piece in pieces]
    ends = [measure.at(piece.end) for piece in pieces]
    first = 0
    for last in (*_anchors(text, pieces, starts, ends[-1], measure.size), len(pieces)):
        while first < last:
            after = _passage_end(pieces, starts, ends, first, last, measure)
            yield pieces[first].start, pieces[after - 1].end
            first = after


def _anchors(
    text: str, pieces: Sequence[Piece], starts: Sequence[float], end: float, reach: float
) -> Iterator[int]:
    """Yield the pieces that begin a region: smallest within `reach` on both sides, and as far from the edges.

    `starts` is how far each piece is from the text's beginning, `end` how far the last one's end.
    """
    low, high = starts[0] + reach, end - reach
    if low > high:
        return
    keys: list[tuple[Rank, int]] = []
    window: deque[int] = deque()
    ahead = 0
    for index, place in enumerate(starts):
        while ahead < len(pieces) and starts[ahead] <= place + reach:
            start, _, rank = pieces[ahead]
            keys.append((rank, crc32(text[start : start + HASHED].encode("utf-8", "surrogatepass"))))
            while window and keys[window[-1]] > keys[ahead]:
                window.pop()
            window.append(ahead)
            ahead += 1
        while starts[window[0]] < place - reach:
            window.popleft()
        if window[0] == index and low <= place <= high:
            yield index


def _passage_end(
    pieces: Sequence[Piece],
    starts: Sequence[float],
    ends: Sequence[float],
    first: int,
    last: int,
    measure: Measure,
) -> int:
    """Return the piece after the passage that begins with piece `first`, in a region that ends before `last`."""
    size, start, end = measure.size, starts[first], ends[last - 1]
    rest = end - start
    most = pieces[first].start + measure.code_points
    if rest <= size and pieces[last - 1].end <= most:
        return last
    smallest = size / SMALLEST_SHARE
    ideal = rest / max(1, ceil(rest / size))
    best, best_cost = 0, float("inf")
    after = first + 1
    while after < last and (length := ends[after - 1] - start) <= size and pieces[after - 1].end <= most:
        if length >= smallest and end - starts[after] >= smallest:
            cost = abs(length - ideal) + _COST[pieces[after].rank] * size
            if cost <= best_cost:
                best, best_cost = after, cost
        after += 1
    if best:
        return best
    if rest <= min(measure.hard, size + smallest) and pieces[last - 1].end <= most:
        return last
    # What is left is short pieces before a long one: together, where that is not too much.
    together = ends[after - 1] - start <= measure.hard and pieces[after - 1].end <= most
    if together and after > first + 1 and ends[after - 2] - start < smallest:
        return after
    return max(first + 1, after - 1)
