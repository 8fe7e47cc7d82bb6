"""Answer-level findings: which sentences of an answer carry no citation."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from pincite.core.answer import Finding
from pincite.core.given import items_of, of_kind
from pincite.core.text import word_spans

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

UNCITED = "uncited_sentence"
"""The code of the finding."""

# What opens a line that states nothing by itself (a heading, a table's rule): linear, anchored.
_NO_CLAIM = re.compile(r"\s*(?:#{1,6}\s|\|?\s*:?-{3,})")


def uncited_sentences(
    text: str, cited: Iterable[tuple[int, int]], skipped: Sequence[tuple[int, int]] = ()
) -> tuple[Finding, ...]:
    """Return a finding for each sentence of `text` that states something and holds no citation.

    `cited` are the spans of the citations, `skipped` spans that are no prose (code); both in code points.
    Headings, questions, lead-ins that end in a colon and sentences without a word need none.

    Raises:
        InputError: `text` is no string, or the spans are no list.
    """
    of_kind(text, str, "text", "a string")
    spans = list(items_of(cited, "cited", "a list of spans"))
    skipped = list(items_of(skipped, "skipped", "a list of spans"))
    # Its patterns take longer to compile than the whole base import may, so they wait for the first answer.
    from pincite.core.sentences import split_sentences

    starts = sorted(start for start, _ in spans)
    left_out = sorted(skipped)
    left_out_starts = [start for start, _ in left_out]
    left_out_until = list(accumulate((end for _, end in left_out), max))

    def prose_of(start: int, end: int) -> tuple[int, int]:
        """Return the sentence without the code that it begins or ends with."""
        before = bisect_left(left_out_starts, end)
        if before and left_out_until[before - 1] >= end:
            end = max(start, left_out_starts[before - 1])
        first = bisect_right(left_out_starts, start)
        if first and left_out_until[first - 1] > start:
            start = min(end, left_out_until[first - 1])
        stripped = text[start:end]
        return end - len(stripped.lstrip()), start + len(stripped.rstrip())

    return tuple(
        Finding(UNCITED, start, end, text[start:end])
        for start, end in (prose_of(*span) for span in split_sentences(text))
        if start < end
        and _states_something(text[start:end])
        and bisect_left(starts, start) == bisect_left(starts, end)
    )


def _states_something(sentence: str) -> bool:
    return (
        not sentence.rstrip().endswith((":", "?", "：", "？"))
        and _NO_CLAIM.match(sentence) is None
        and bool(word_spans(sentence))
    )
