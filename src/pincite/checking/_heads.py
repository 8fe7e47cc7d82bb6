"""Heads, feet and numbers of pages, which stand in the middle of a text that runs over a page's end."""

from __future__ import annotations

import re

from pincite.checking._wording import UNITS

LINE_END = re.compile(r"[\n\f\u2028\u2029]")
"""What ends a line."""

_SENTENCE_END = re.compile(r"[.!?\u3002]['\"\u2019\u201d)]?\s*\Z")
# Lines that a head may have, and code points of a line beside it that are looked at.
_HEAD_LINES, _BESIDE = 4, 200
# The line of a page's number: bounded.
_PAGE_NUMBER = re.compile(
    r"(?:[-\u2013\u2014|\[(]\s?)?(?:(?:page|pages|p\.?|pp\.?|seite|s\.|p[a\u00e1]g(?:ina|\.)?|pagina|strona|str\.?|\u0441\u0442\u0440\.?|sayfa)\s?)?"
    r"(?:\d{1,5}|[ivxlc]{1,7})(?:\s?(?:of|von|/|de|di|van|sur|\u0438\u0437|\|)\s?\d{1,5})?(?:\s?[-\u2013\u2014|\])])?"
)
# A page's number and, well apart from it, its title; each run is of one class.
_NUMBERED_HEAD = re.compile(
    r"\d{1,4}(?: {3,20}|\t| ?\| ?)[^\W\d_].{0,80}|[^\W\d_].{0,80}?(?: {3,20}|\t| ?\| ?)\d{1,4}"
)
_BLANK = re.compile(r"\n[ \t]*\r?\n|\f")
# Letters and digits, each run as one: rows of a table are of one shape.
_LETTERS, _DIGITS = re.compile(r"[^\W\d_]+(?: [^\W\d_]+)*"), re.compile(r"\d+")
_WORD = re.compile(r"\s*(\w+)")


def is_running_head(text: str, before: int, first: int, last: int, after: int) -> bool:
    """Say whether code points `first` to `last` of `text` stand on lines of their own as a head or a number does.

    What belongs together ends at `before` and goes on at `after`. Lines of the shape of the one in front or behind are
    rows of a table, and digits in front of a unit are an amount.
    """
    ahead, behind = text[before:first], text[last:after]
    if not (LINE_END.search(ahead) and LINE_END.search(behind)) or _SENTENCE_END.search(ahead):
        return False
    if "|" in LINE_END.split(ahead)[-1]:  # a row of a table
        return False
    lines = [line.strip() for line in text[first:last].splitlines() if line.strip()]
    if len(lines) > _HEAD_LINES or any(_SENTENCE_END.search(line) for line in lines):
        return False
    if not all(map(_is_head, lines)):
        return False
    unit = _WORD.match(text, after)
    if all(line.isdigit() for line in lines) and unit is not None and unit.group(1).lower() in UNITS:
        return False
    if _BLANK.search(ahead) is None and _BLANK.search(behind) is None:
        # Right between two lines only what says that it is a page's number is one.
        beside = LINE_END.split(ahead)[-1].strip(), LINE_END.split(behind)[0].strip()
        if not any(beside) and any(
            line.isalnum() or not _PAGE_NUMBER.fullmatch(line.casefold()) for line in lines
        ):
            return False
    rows = (
        LINE_END.split(text[max(0, before - _BESIDE) : before])[-1],
        LINE_END.split(text[after : after + _BESIDE])[0],
    )
    return not any("9" in (shape := _shape(line)) and shape in map(_shape, rows) for line in lines)


def _shape(line: str) -> str:
    return _DIGITS.sub("9", _LETTERS.sub("a", " ".join(line.split())))


def _is_head(line: str) -> bool:
    """Say whether a line reads as a page's number or its head: digits, or words that begin with capitals."""
    if _PAGE_NUMBER.fullmatch(line.casefold()):
        return True
    words = [word for word in line.split() if any(char.isalnum() for char in word)]
    letters = [word for word in words if word[0].isalpha()]
    if _NUMBERED_HEAD.fullmatch(line):
        return True
    capitals = [word for word in letters if word[0].isupper()]
    has_number = any(word.strip("-.|/").isdigit() for word in words)
    small = [word for word in letters if not word[0].isupper() and len(word) > 3]  # noqa: PLR2004 - of, the, and
    return bool(capitals) and not small and (has_number or line.isupper() or len(capitals) > 1)
