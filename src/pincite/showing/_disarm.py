"""The model's Markdown, made harmless: no link, image, definition or element of its own, and no number like ours.

What a reader sees stays the same: backslashes go in front of what would act. Code is left alone where Markdown
surely takes it for code too; from the first place on where that is in doubt, it is disarmed like prose.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from pincite.citing._scan import scan
from pincite.core.limits import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

# What acts: a bracketed number, the joint of a link or of a definition, and what opens an element, a comment or an
# autolink. Pairs of a backslash and a mark are taken whole, so that nothing is escaped twice. Every run is bounded
# or ends where the next begins, so it is linear.
_ACTING = re.compile(
    r"(?s)\\[^\]<]|\\?(?P<tag><)(?=[A-Za-z/!?]|[^\s<>]{1,300}@)"
    r"|(?P<number>\[(?=\s{0,9}\d{1,9}\s{0,9}\]))|\](?P<joint>[(:])"
)
# Code points in front of a mark in which an address is looked for.
_REACH = 300
# Letters in front of a number on its line: then it defines nothing. Two in a row, linear.
_WORDS = re.compile(r"[^\W\d_]{2}")
# Code points in front of a number in which such letters are looked for.
_BEFORE = 200
# Where Markdown may see code that the scan does not: a line end of old, backticks in an address, a fence inside a
# list or a quotation, or one behind a tab. Runs are possessive, and no two branches begin alike: linear.
_DOUBTFUL = re.compile(
    r"(?m)\r(?!\n)|(?<![^\s`])(?=[^\s`]*?://)[^\s`]*+`"
    r"|^(?=[ \t]*+(?:[>*+\-\d.)][>*+\-\d.) \t]*+)?+(?:`{3}|~{3}))(?! {0,3}[`~])"
)
# A line end that the scan does not know: one character, linear.
_OLD_LINE_END = re.compile(r"\r(?!\n)")
# The opening line of a fence: anchored, runs on one line.
_FENCE = re.compile(r"(?P<indent> {0,3})(?:`{3,}+[^`\n]*+(?:\n|\Z)|~{3})")
# A line that ends a fence of a list item, indented further than the scan looks for: one line, linear.
_DEEP_END = re.compile(r"\s{4,}(?:`{3,}|~{3,})\s*")
# What keeps a code span from being one for sure: it may end with its line or its table cell. One class.
_BREAKING = re.compile(r"[\n\r|]")


def disarmed(text: str, ours: Collection[int] = (), joints: Collection[int] = ()) -> str:
    """Return `text` disarmed.

    `ours` are the code points at which our own bracketed numbers begin, `joints` those at which the text of a
    link that may act is joined to its target.
    """
    pieces: list[str] = []
    for start, end, code in _stretches(text):
        pieces.append(text[start:end] if code else _escaped(text, start, end, ours, joints))
    return "".join(pieces)


def _escaped(text: str, start: int, end: int, ours: Collection[int], joints: Collection[int]) -> str:
    def escape(match: re.Match[str]) -> str:
        found, place = match.group(), start + match.start()
        if match["tag"]:
            return "&lt;" if _in_address(text, place) else "\\<"
        if match["number"]:
            return found if place in ours else "\\["
        if match["joint"]:
            acts = place in joints or _in_a_sentence(text, place, ours)
            return found if acts else "]\\" + match["joint"]
        return found

    return _ACTING.sub(escape, text[start:end])


def _in_address(text: str, place: int) -> bool:
    """Say whether an address may reach to `place`: it swallows backslashes, and what they should escape acts."""
    before = text[max(0, place - _REACH) : place]
    run = before.rsplit(None, 1)[-1] if before and not before[-1].isspace() else ""
    return "://" in run or len(run) == _REACH


def _in_a_sentence(text: str, closing: int, ours: Collection[int]) -> bool:
    """Say whether a number of ours that closes there has words before it on its line, as no definition has."""
    if not text.startswith("]:", closing):
        return False
    opening = text.rfind("[", max(0, closing - 10), closing)
    if opening not in ours:
        return False
    before = text[max(0, opening - _BEFORE) : opening].replace("\r", "\n").rpartition("\n")[2]
    return _WORDS.search(before) is not None


def _stretches(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield what is code for sure, and what lies between."""
    # However long a code span is, Markdown takes it for one.
    code = scan(text, (), limits=replace(DEFAULT, marker_code_points=len(text))).code
    doubt = _DOUBTFUL.search(text)
    position = 0
    for start, end in code:
        if doubt is not None and doubt.start() < position:
            doubt = _DOUBTFUL.search(text, position)
        if (doubt is not None and doubt.start() < start) or not _is_sure(text, start, end):
            break
        yield position, start, False
        yield start, end, True
        position = end
    yield position, len(text), False


def _is_sure(text: str, start: int, end: int) -> bool:
    """Say whether Markdown takes this stretch for code wherever it stands."""
    piece = text[start:end]
    at_line_start = start == 0 or text[start - 1] == "\n"
    fence = _FENCE.match(piece) if at_line_start else None
    if fence is None:
        return piece.startswith("`") and _BREAKING.search(piece) is None
    if _OLD_LINE_END.search(piece) is not None:
        return False
    indent = fence["indent"]
    # In a list item, a line that stands further out ends the item and the fence with it.
    return not indent or all(
        (line.startswith(indent) and _DEEP_END.fullmatch(line) is None) or not line.strip()
        for line in piece.split("\n")
    )
