"""The bounded excerpt of a hover card."""

from __future__ import annotations

from pincite.core.limits import DEFAULT
from pincite.core.text import one_line


def snippet(text: str, limit: int = DEFAULT.snippet_code_points) -> str:
    """Return at most `limit` code points of `text` on one line, cut at a word's end, an ellipsis where cut.

    Control and invisible characters are left out.
    """
    line = one_line(text, max(len(text), 1))
    if len(line) <= limit:
        return line
    head = line[: limit - 1]
    space = head.rfind(" ")
    # A script without spaces, or one very long word, is cut where it stands.
    return (head[:space] if space > limit // 2 else head).rstrip() + "…"
