"""Spans of a text, in order: which of them holds a place, and what they cover together."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Span = tuple[int, int]


def around(spans: Sequence[Span], place: int) -> Span | None:
    """Return the span that code point `place` is in; of spans that overlap, the last that begins up to there."""
    index = bisect_right(spans, (place + 1,)) - 1
    return spans[index] if index >= 0 and place < spans[index][1] else None


def is_free(spans: Sequence[Span], start: int, end: int) -> bool:
    """Say whether none of `spans`, which do not overlap, has anything of code points `start` to `end`."""
    index = bisect_right(spans, (end,)) - 1
    return index < 0 or spans[index][1] <= start


def joined(spans: Iterable[Span]) -> list[Span]:
    """Return the union of spans that are in order of their beginnings."""
    found: list[Span] = []
    for start, end in spans:
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((start, end))
    return found
