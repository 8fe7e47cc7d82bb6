"""Fences that are still open where a text ends: whatever is put behind it would be code.

Only a fence that stands in no list and no quotation swallows what comes after a blank line. Which one does is seen
from its line where it is not indented; where it is indented a little, a list item may hold it, so both are followed.
"""

from __future__ import annotations

import re
from typing import NamedTuple

# The beginning of a line, up to a fence if there is one: runs of one class each, possessive, linear.
_LINE = re.compile(
    r"(?P<indent>[ \t]*+)(?P<markers>(?:(?:[*+\-]|\d{1,9}[.)])[ \t]++)*+)(?P<fence>`{3,}+|~{3,}+)?(?P<rest>[^\n]*+)\n?"
)
_MAY_FENCE = ("```", "~~~")
# Columns from which on a line of a document is code already, and opens or closes no fence of its own.
_DEEP = 4
# States that are followed at once; a text with more is closed in every way there is.
_MOST = 12


class _State(NamedTuple):
    """An open fence, or none (no width); `inside` are its columns in a list item, 0 where it stands alone."""

    char: str = ""
    width: int = 0
    inside: int = 0


_CLOSED = _State()


def closing(text: str) -> str:
    """Return what has to stand behind `text` so that no fence is open there; mostly nothing."""
    if not any(mark in text for mark in _MAY_FENCE):
        return ""
    states = {_CLOSED}
    for line in _LINE.finditer(text.replace("\r\n", "\n").replace("\r", "\n")):
        if line.end() == line.start():
            break
        states = {after for state in states for after in _after(state, line)}
        if len(states) > _MOST:
            return _any_way(text)
    if not any(state.width and not state.inside for state in states):
        return ""
    # One fence, whether an item holds it or not: where it began, its end is one for both.
    indents = {state.inside for state in states} - {0}
    indent = max(indents, default=0)
    if len({state[:2] for state in states}) == 1 and len(indents) <= 1 and indent < _DEEP:
        char, width, _ = next(iter(states))
        return f"\n{' ' * indent}{char * width}"
    return _any_way(text)


def _after(state: _State, line: re.Match[str]) -> set[_State]:
    """Return what may be open behind a line."""
    markers, fence, rest = line["markers"], line["fence"], line["rest"]
    if not (markers or fence or rest.strip()):
        return {state}
    columns = len(line["indent"].expandtabs(_DEEP))
    # A closing line has nothing behind the fence.
    closes = fence is not None and not markers and not rest.strip(" \t") and fence[0] == state.char
    closes = closes and len(fence or "") >= state.width
    if state.width and not state.inside:
        return {_CLOSED} if closes and columns < _DEEP else {state}
    if state.inside and columns >= state.inside:
        if not closes:
            return {state}
        # Further in than the fence that opened, it may be too far in to close it.
        return {_CLOSED} if columns == state.inside else {_CLOSED, state}
    found = _opened(line, columns)
    if state.inside and columns:
        # Further out than the fence: the item may have ended, or not.
        found.add(_CLOSED if closes else state)
    return found


def _opened(line: re.Match[str], columns: int) -> set[_State]:
    """Return what may be open behind a line where nothing was."""
    markers, fence, rest = line["markers"], line["fence"], line["rest"]
    # A fence of backticks has none in its opening line.
    if fence is None or (fence[0] == "`" and "`" in rest):
        return {_CLOSED}
    alone = _State(fence[0], len(fence))
    if markers:
        # Inside an item, or deep inside one: it ends with the item.
        return {alone._replace(inside=columns + len(markers.expandtabs(_DEEP)))}
    # Some take a line with a bar for the head of a table, where it opens nothing.
    found = {_CLOSED} if "|" in rest or columns >= _DEEP else set[_State]()
    if columns:
        found.add(alone._replace(inside=columns))
    if columns < _DEEP:
        found.add(alone)
    return found


def _any_way(text: str) -> str:
    """Return what closes any fence, whichever is open: it opens one of each kind where none is, and closes it."""
    most = max(len(run) for run in re.findall(r"`+|~+", text))
    return "".join(f"\n{char * most} end\n{char * most}" for char in "`~")
