"""The model's Markdown, made harmless: no link, image, definition or element of its own, and no number like ours.

What a reader sees stays the same: backslashes go in front of what would act, bare addresses included. Code is left
alone where Markdown surely takes it for code too; from the first place on where that is in doubt, it is disarmed like
prose.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from pincite.citing._scan import scan
from pincite.core.limits import DEFAULT
from pincite.core.text import UNSEEN

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

# What acts: what opens an element, a comment or an autolink; a bracketed number; the joint of a link or of a
# definition; and in an address the slashes, the sign of a mailbox and the dots. Pairs of a backslash and a mark are
# taken whole, so that nothing is escaped twice. Each branch begins with one character, and every run in it is
# bounded or ends where the next begins, so it is linear.
_TAG = r"[A-Za-z/!?]|[^\s<>]{1,300}@"
_ACTING = (
    rf"\\(?:<(?={_TAG})|[^\]<])|<(?={_TAG})"
    r"|\[(?=\s{0,9}\d{1,9}%s\s{0,9}\])"
    r"|\][(:]|/(?=/)|@(?=\w)|\.(?=[^\W\d_]{2})"
)
# Letters behind a number, where passages have some.
_LETTERS = "[a-z]{0,4}"
# An evidence id as it may be left where no marker was found, with invisible characters in it: one class, linear. Inside
# of a word it has to look more like one.
_BEGIN = "[Ee][Vv][0-9]{1,3}:[A-Za-z]{1,2}:"
_REST = rf"[\w:\-{UNSEEN}\u00ad]*+"
_ID = re.compile(
    rf"\[{_BEGIN}{_REST}\](?![(:])|(?<![^\W_]){_BEGIN}{_REST}|[Ee][Vv][0-9]{{1,3}}:[A-Za-z]:[0-9a-f]{{8}}-{_REST}"
)
# What every such id holds, and most texts do not: one class, bounded.
_MAY_BE_ID = re.compile(r"[Vv][0-9]{1,3}:")
# Code points in front of a mark in which an address is looked for.
_REACH = 300
# Letters in front of a number on its line: then it defines nothing. Two in a row, linear.
_WORDS = re.compile(r"[^\W\d_]{2}")
# Code points in front of a number in which such letters are looked for.
_BEFORE = 200
# Where Markdown may see code that the scan does not: a line end of old, backticks in an address, a fence inside a
# list or a quotation, or one behind a tab, and backticks behind those that would open a fence: these end no code span
# of the lines above. Runs are possessive, and no two branches begin alike: linear.
_DOUBTFUL = re.compile(
    r"(?m)\r(?!\n)|(?<![^\s`])(?=[^\s`]*?://)[^\s`]*+`"
    r"|^(?=[ \t]*+(?:[>*+\-\d.)][>*+\-\d.) \t]*+)?+(?:`{3}|~{3}))(?! {0,3}[`~])"
    r"|(?<!\n)\n(?= {0,3}`{3,}+[^`\n]++`)"
)
# A line end that the scan does not know: one character, linear.
_OLD_LINE_END = re.compile(r"\r(?!\n)")
# The opening line of a fence: anchored, runs on one line.
_FENCE = re.compile(r"(?P<indent> {0,3})(?:`{3,}+[^`\n]*+(?:\n|\Z)|~{3})")
# A line that ends a fence of a list item, indented further than the scan looks for: one line, linear.
_DEEP_END = re.compile(r"\s{4,}(?:`{3,}|~{3,})\s*")
# What keeps a code span from being one for sure: it may end with its line or its table cell. One class.
_BREAKING = re.compile(r"[\n\r|]")
# Without any of these there is no code.
_MAY_BE_CODE = ("`", "~~~")
# What a search for code alone needs not stop at, and a letter in its place.
_NO_CODE = ("[", "]", "<")


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
    if char == "\\":
        return "&lt;" if found == "\\<" and _in_address(text, place) else found
    if char == "<":
        return "&lt;" if _in_address(text, place) else "\\<"
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


def _in_address(text: str, place: int) -> bool:
    """Say whether an address may reach to `place`: it swallows backslashes, and what they should escape acts."""
    before = text[max(0, place - _REACH) : place]
    run = before.rsplit(None, 1)[-1] if before and not before[-1].isspace() else ""
    return "//" in run or len(run) == _REACH


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
    for start, end, written in _merged(
        ((start, end, text[start:end]) for start, end in sure_code(text)), edits
    ):
        if start < position:
            continue
        if start > position:
            yield position, start, None
        yield start, end, written
        position = end
    yield position, len(text), None


def _merged(
    code: Iterator[tuple[int, int, str]], edits: Sequence[tuple[int, int, str]]
) -> Iterator[tuple[int, int, str]]:
    waiting = iter(edits)
    edit = next(waiting, None)
    for one in code:
        while edit is not None and edit[0] < one[0]:
            yield edit
            edit = next(waiting, None)
        # What is code for sure is not edited.
        while edit is not None and edit[0] < one[1]:
            edit = next(waiting, None)
        yield one
    if edit is not None:
        yield edit
    yield from waiting


def sure_code(text: str) -> Iterator[tuple[int, int]]:
    """Yield the stretches that Markdown takes for code wherever they stand, up to the first doubt."""
    if not any(mark in text for mark in _MAY_BE_CODE):
        return
    plain = text
    for char in _NO_CODE:
        plain = plain.replace(char, "x")
    # However long a code span is, Markdown takes it for one.
    code = scan(plain, (), limits=replace(DEFAULT, marker_code_points=len(text))).code
    doubt = _DOUBTFUL.search(text)
    position = 0
    for start, end in code:
        if doubt is not None and doubt.start() < position:
            doubt = _DOUBTFUL.search(text, position)
        if (doubt is not None and doubt.start() < start) or not _is_sure(text, start, end):
            break
        yield start, end
        position = end


def _is_sure(text: str, start: int, end: int) -> bool:
    """Say whether Markdown takes this stretch for code wherever it stands."""
    piece = text[start:end]
    at_line_start = start == 0 or text[start - 1] == "\n"
    fence = _FENCE.match(piece) if at_line_start else None
    if fence is None:
        return piece.startswith("`") and _BREAKING.search(piece) is None
    # Some take a first line with a bar for the head of a table.
    if _OLD_LINE_END.search(piece) is not None or "|" in piece.partition("\n")[0]:
        return False
    indent = fence["indent"]
    # In a list item, a line that stands further out ends the item and the fence with it.
    return not indent or all(
        (line.startswith(indent) and _DEEP_END.fullmatch(line) is None) or not line.strip()
        for line in piece.split("\n")
    )
