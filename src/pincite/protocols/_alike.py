"""How far two texts are the same: what was told of the one holds for the other up to there."""

from __future__ import annotations


def alike_until(text: str, other: str) -> int:
    """Return how many code points two texts begin with alike."""
    start, end = 0, min(len(text), len(other))
    while start < end:
        half = (start + end + 1) // 2
        if text[start:half] == other[start:half]:
            start = half
        else:
            end = half - 1
    return start
