"""Fences that are still open where a text ends: whatever is put behind it would be code."""

from __future__ import annotations

import re

from pincite.showing._blocks import blocks

_MAY_FENCE = ("```", "~~~")


def closing(text: str) -> str:
    """Return what has to stand behind `text` so that no fence is open there; mostly nothing.

    One that stands in a list or a quotation ends with it, where a blank line and a heading follow.
    """
    if not any(mark in text for mark in _MAY_FENCE):
        return ""
    found = blocks(text)
    if found.known == len(text):
        return f"\n{found.fence}" if found.fence else ""
    if not found.fence and not any(text.find(mark, found.known) >= 0 for mark in _MAY_FENCE):
        return ""
    # Any fence is ended so, whichever is open; where none is, one of each kind begins and ends.
    most = max(len(run) for run in re.findall(r"`+|~+", text))
    return "".join(f"\n{char * most} end\n{char * most}" for char in "`~")
