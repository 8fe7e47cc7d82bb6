"""Whether the hyphen at a line's end divides a word, and what becomes of it when the word is whole again."""

from __future__ import annotations

HYPHENS = "-\u2010\u00ad"
"""Hyphens that may stand at a line's end and are not marked by PDFium."""
_DASHES = "\u2013\u2014"
"""Dashes after which the next line goes on without a space when none stands before them."""
AT_END = HYPHENS + _DASHES
"""What stands at a line's end whose last word may go on in the next."""

_SUSPENDED = frozenset(
    "and or to und oder bis sowie et ou à y o u e ed en of och eller og i a oraz lub".split()
)
"""Words after a hyphen that stands for a part of a word said later: `pre- and post-war`."""


def hyphen_change(own: str, following: str, *, marked: bool = False) -> int | None:
    """Return how many hyphens (1, 0, -1) a line's text wins when its last word goes on in the `following` line.

    None when it does not go on. `marked` says that PDFium found a hyphen behind the text, which is not in it.
    """
    if not following or not (marked or own[-1] in AT_END):
        return None
    first = following[0]
    if not marked:
        before = own[-2:-1]
        if own[-1] in _DASHES:
            return 0 if before.isalnum() and first.isalnum() else None
        if not (before.isalpha() and first.islower()):
            return None
    if following.split(None, 1)[0] in _SUSPENDED:
        return None
    word = own.rsplit(None, 1)[-1] if marked else own[:-1].rsplit(None, 1)[-1]
    # `Anglo-Saxon`, `2019-2020`, `state-of-the-art`: the hyphen is the word's own.
    keeps = first.isupper() or not first.isalpha() or "-" in word
    return (1 if keeps else 0) if marked else (0 if keeps else -1)
