"""The model's Markdown, made harmless: no link, image, definition or element of its own, and no number like ours.

What a reader sees stays the same: backslashes go in front of what would act, bare addresses included. Code is left
alone where every renderer takes it for code; where that is in doubt, it is disarmed like prose: see `_blocks`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from pincite.citing._written import CANONICAL
from pincite.core.text import UNSEEN
from pincite.showing._blocks import sure_code

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

# What acts: what opens an element, a comment or an autolink; a bracketed number; the joint of a link or of a
# definition; and in an address the slashes, the sign of a mailbox and the dots. Pairs of a backslash and a mark are
# taken whole, so that nothing is escaped twice. Each branch begins with one character, and every run in it is
# bounded or ends where the next begins, so it is linear.
_ACTING = (
    r"\\[^\n]|<(?=[A-Za-z/!?]|[^\s<>]{1,300}@)"
    r"|\[(?=\s{0,9}\d{1,9}%s\s{0,9}\])"
    r"|\][(:]|/(?=/)|@(?=\w)|\.(?=[^\W\d_]{2})"
)
# Letters behind a number, where passages have some.
_LETTERS = "[a-z]{0,4}"
# An evidence id as it may be left where no marker was found: in its one form whatever stands beside it, or what only
# begins like it, with invisible characters. Inside of a word that has to look more like one. Runs of one class: linear.
_BEGIN = "[Ee][Vv][0-9]{1,3}:[A-Za-z]{1,2}:"
_REST = rf"[0-9A-Za-z\d:\-{UNSEEN}\u00ad]*+"
_ID = re.compile(
    rf"(?:{CANONICAL})++(?:{_BEGIN}{_REST})?"
    rf"|\[{_BEGIN}{_REST}\](?![(:])|(?<![^\W_]){_BEGIN}{_REST}|[Ee][Vv][0-9]{{1,3}}:[A-Za-z]:[0-9a-f]{{8}}-{_REST}"
)
# What every such id holds, and most texts do not: one class, bounded.
_MAY_BE_ID = re.compile(r"[Vv][0-9]{1,3}:")
# Letters in front of a number on its line: then it defines nothing. Two in a row, linear.
_WORDS = re.compile(r"[^\W\d_]{2}")
# Code points in front of a number in which such letters are looked for.
_BEFORE = 200


def disarmed(
    text: str,
    ours: Collection[int] = (),
    edits: Sequence[tuple[int, int, str]] = (),
    *,
    lettered: bool = False,
) -> str:
    """Return `text` disarmed.

    `ours` are the code points at which our own bracketed numbers begin; `lettered` says that they may end in
    letters. `edits` are stretches, in order, and what is written there, which may act.
    """
    acting = _acting(lettered=lettered)
    pieces: list[str] = []
    for start, end, written in _stretches(text, edits):
        if written is not None:
            pieces.append(written)
            continue
        # Searching up to `end` in the whole text keeps places the same.
        position = start
        for match in acting.finditer(text, start, end):
            place = match.start()
            if place not in ours:
                pieces += (text[position:place], _escape(text, match, ours))
                position = match.end()
        pieces.append(text[position:end])
    return "".join(pieces)


def _escape(text: str, match: re.Match[str], ours: Collection[int]) -> str:
    found, place = match.group(), match.start()
    char = found[0]
    if char == "[":
        return "\\["
    if char == "]":
        return found if _in_a_sentence(text, place, ours) else "]\\" + found[1]
    if char in "\\<":
        return found if char == "\\" else "\\<"
    follows = char == "/" or (place > 0 and not text[place - 1].isspace())
    return "\\" + found if follows else found


def ids_left(text: str) -> Iterator[tuple[int, int]]:
    """Yield the stretches outside of what is code for sure that look like an evidence id."""
    if _MAY_BE_ID.search(text) is None:
        return
    for start, end, code in _stretches(text, ()):
        if code is None:
            yield from (match.span() for match in _ID.finditer(text, start, end))


@cache
def _acting(*, lettered: bool) -> re.Pattern[str]:
    return re.compile(_ACTING % (_LETTERS if lettered else ""))


def _in_a_sentence(text: str, closing: int, ours: Collection[int]) -> bool:
    """Say whether a number of ours that closes there has words before it on its line, as no definition has."""
    if not text.startswith("]:", closing):
        return False
    opening = text.rfind("[", max(0, closing - 16), closing)
    if opening not in ours:
        return False
    before = text[max(0, opening - _BEFORE) : opening].replace("\r", "\n").rpartition("\n")[2]
    return _WORDS.search(before) is not None


def _stretches(text: str, edits: Sequence[tuple[int, int, str]]) -> Iterator[tuple[int, int, str | None]]:
    """Yield the stretches of `text` in order, and what is written there as it is; None for what is disarmed."""
    position = 0
    for start, end, written in _merged(sure_code(text), edits):
        if start > position:
            yield position, start, None
        yield start, end, text[start:end] if written is None else written
        position = end
    yield position, len(text), None


def _merged(
    code: Sequence[tuple[int, int]], edits: Sequence[tuple[int, int, str]]
) -> Iterator[tuple[int, int, str | None]]:
    """Yield code and edits in order; what is code for sure is not edited."""
    waiting = iter(edits)
    edit = next(waiting, None)
    for start, end in code:
        while edit is not None and edit[0] < end:
            if edit[1] <= start:
                yield edit
            edit = next(waiting, None)
        yield start, end, None
    if edit is not None:
        yield edit
    yield from waiting
