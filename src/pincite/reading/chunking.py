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

from collections import Counter, deque
from typing import TYPE_CHECKING
from zlib import crc32

from pincite.core.document import Places
from pincite.core.ids import chunk_id
from pincite.core.layout import boxes_of
from pincite.core.limits import DEFAULT
from pincite.core.passage import Passage
from pincite.reading._boundaries import Rank, sections

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pincite.core.document import Document
    from pincite.core.limits import Limits
    from pincite.reading._boundaries import Piece, Section

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


def chunk(document: Document, document_id: str, *, limits: Limits = DEFAULT) -> list[Passage]:
    """Cut `document` into passages, in order; together they hold every character that is not white space.

    A passage is a run of whole sentences of at most about `limits.passage_code_points`; a longer sentence, list item
    or table row makes a longer one, and what is over `limits.passage_hard_code_points` is cut at a line, else at a
    space, else anywhere. Passages do not cross headings; one that opens with several has the place of the last.
    """
    hard = max(1, limits.passage_hard_code_points)
    size = max(1, min(limits.passage_code_points, hard))
    places = Places(document)
    seen: Counter[str] = Counter()
    passages: list[Passage] = []
    for section in sections(document.text, document.outline, size=size, hard=hard):
        for start, end in _spans(document.text, section, size, hard):
            text = document.text[start:end]
            under = max(start, min(section.body, end - 1))
            passages.append(
                Passage(
                    chunk_id=chunk_id(document_id, text, seen[text]),
                    document_id=document_id,
                    version=document.version,
                    start=start,
                    end=end,
                    text=text,
                    locator=places.locator(start, end, under=under),
                    boxes=tuple(boxes_of(document.layouts, start, end)),
                    section=(document.section_at(start)[0], document.section_at(under)[1]),
                )
            )
            seen[text] += 1
    return passages


def _spans(text: str, section: Section, size: int, hard: int) -> Iterator[tuple[int, int]]:
    """Yield the code points of a section's passages."""
    pieces = section.pieces
    first = 0
    for last in (*_anchors(text, pieces, size), len(pieces)):
        while first < last:
            after = _passage_end(pieces, first, last, size, hard)
            yield pieces[first].start, pieces[after - 1].end
            first = after


def _anchors(text: str, pieces: Sequence[Piece], reach: int) -> Iterator[int]:
    """Yield the pieces that begin a region: smallest within `reach` on both sides, and as far from the edges."""
    low, high = pieces[0].start + reach, pieces[-1].end - reach
    if low > high:
        return
    keys: list[tuple[Rank, int]] = []
    window: deque[int] = deque()
    ahead = 0
    for index, piece in enumerate(pieces):
        while ahead < len(pieces) and pieces[ahead].start <= piece.start + reach:
            start, _, rank = pieces[ahead]
            keys.append((rank, crc32(text[start : start + HASHED].encode("utf-8", "surrogatepass"))))
            while window and keys[window[-1]] > keys[ahead]:
                window.pop()
            window.append(ahead)
            ahead += 1
        while pieces[window[0]].start < piece.start - reach:
            window.popleft()
        if window[0] == index and low <= piece.start <= high:
            yield index


def _passage_end(pieces: Sequence[Piece], first: int, last: int, size: int, hard: int) -> int:
    """Return the piece after the passage that begins with piece `first`, in a region that ends before `last`."""
    start, end = pieces[first].start, pieces[last - 1].end
    rest = end - start
    if rest <= size:
        return last
    smallest = size / SMALLEST_SHARE
    ideal = rest / -(-rest // size)
    best, best_cost = 0, float("inf")
    after = first + 1
    while after < last and (length := pieces[after - 1].end - start) <= size:
        if length >= smallest and end - pieces[after].start >= smallest:
            cost = abs(length - ideal) + _COST[pieces[after].rank] * size
            if cost <= best_cost:
                best, best_cost = after, cost
        after += 1
    if best:
        return best
    if rest <= min(hard, size + smallest):
        return last
    # What is left is short pieces before a long one: together, where that is not too much.
    if pieces[after - 1].end - start <= hard and pieces[after - 2].end - start < smallest:
        return after
    return max(first + 1, after - 1)
