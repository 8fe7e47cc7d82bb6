"""What several steps tell letters and lines by: writing from right to left, and the end of a sentence."""

from __future__ import annotations

import re

RTL_LETTERS = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
"""Ranges of the letters of scripts that are written from right to left, for a class of a pattern."""

# Such a letter: linear, one class.
RTL = re.compile(f"[{RTL_LETTERS}]")
# The end of a sentence, with closing quotes and brackets after it: linear, two classes.
_SENTENCE_END = re.compile("[.!?:;…。！？：；][\"'”’»)\\]]*$")

_CLOSING = 8
"""Code points before a line's end that are looked at."""


def ends_sentence(text: str, start: int, end: int) -> bool:
    """Say whether the line from `start` to `end` of `text` ends a sentence."""
    return _SENTENCE_END.search(text, max(start, end - _CLOSING), end) is not None
