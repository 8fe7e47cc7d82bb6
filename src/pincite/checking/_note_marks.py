"""Marks of notes and references among words: what they look like, and what only looks like one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pincite.checking._wording import UNITS

if TYPE_CHECKING:
    from pincite.core.fold import Folded

# Letters of a word that may carry a footnote's digits, and code points in front that are looked at.
_NOTED, _LONGEST = 4, 60
# Digits right behind a word, and the word: one class each.
_ATTACHED = re.compile(r"\d{1,3}(?:,\d{1,3}){0,3}[\W_]{0,4}")
_WORD_BEFORE = re.compile(r"[^\W\d_]+\Z")
# How digits off the line are written.
_RAISED = re.compile(r"[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]|<sup|&", re.IGNORECASE)
# What makes of digits a number of something; units, but those that are plain words behind the mark of a note.
_IS_MEASURED = re.compile("[%\u2030\u00b0]")
_COUNTED = re.compile(r"[ ]?[\d%\u2030\u00b0$\u20ac\u00a3\u00a5]")
_UNIT_BEHIND = re.compile(r"[ ]([^\W\d_]{1,12})(?![^\W_])")
_NO_UNITS = frozenset("a in as s t h d w ha min ma points second".split())
# Marks of footnotes and references with what stands around them: in brackets, off the line, or behind a stop.
_REFERENCE = (
    r"\[(?:\s?\^?(?!0)\d{1,4}(?:\s?[,;-]\s?\d{1,4}){0,9}\s?|\^[\w-]{1,20}|(?:note|nb|fn|ref|n|web|lower-alpha) ?\d{1,3}"
    r"|citation needed|[a-z](?=\]\W))\]"
)
_IN_BRACKETS = re.compile(rf"[^\w\[]{{0,4}}(?:{_REFERENCE}[\s,]?){{1,6}}[\W_]{{0,4}}")
_OFF_LINE = re.compile(r"[^\w\s]{0,4}[\u00b9\u00b2\u00b3\u2070-\u2079\u2020\u2021\u00a7*]{1,4}[\W_]{0,4}")
_BEHIND_STOP = re.compile(r"[.,;:!?)\"']{1,3}\d{1,3}(?:[,-]\d{1,3}){0,3}(?:[\s\"')]{1,4}|\Z)")


def is_mark(folded: Folded, begin: int, first: int, end: int, *, is_quoted: bool) -> bool:
    """Say whether what stands at `first` of a fold is a note's mark, between words up to `begin` and from `end` on.

    Digits on the line are none in a quote (`is_quoted`): nobody writes notes into one, and numbers are what is
    changed. In a source they are, behind a word of a script with two cases.
    """
    mark = folded.text[begin:end]
    if _IS_MEASURED.search(mark) is not None or (is_quoted and is_counted(folded.text, end)):
        return False
    # Right behind a number it is a part of that, but in brackets; what is put there in brackets is, too.
    if begin and folded.text[begin - 1].isdigit():
        return not (is_quoted and mark.startswith("[")) and _IN_BRACKETS.fullmatch(mark) is not None
    if _ATTACHED.fullmatch(mark) is not None:
        word = _word_before(folded, begin)
        is_raised = _RAISED.match(folded.source, folded.source_start(first)) is not None
        if not _is_cased(word):
            return is_raised and word != ""
        return (is_raised or not is_quoted) and len(word) >= _NOTED and not word.isupper()
    if _BEHIND_STOP.fullmatch(mark) is not None:
        word = _word_before(folded, begin)
        return not is_quoted and (word == "" or _is_cased(word))
    return _IN_BRACKETS.fullmatch(mark) is not None or _OFF_LINE.fullmatch(mark) is not None


def is_counted(text: str, end: int) -> bool:
    """Say whether what stands behind digits that end at `end` of a fold makes a number of them."""
    if _COUNTED.match(text, end) is not None:
        return True
    unit = _UNIT_BEHIND.match(text, end - (text[end - 1 : end] == " "))
    return unit is not None and unit.group(1) in UNITS and unit.group(1) not in _NO_UNITS


def _word_before(folded: Folded, begin: int) -> str:
    found = _WORD_BEFORE.search(folded.cased, max(0, begin - _LONGEST), begin)
    return "" if found is None else found.group()


def _is_cased(word: str) -> bool:
    """Say whether a word is of a script with two cases: where notes' digits are glued to words."""
    return word[-1:].lower() != word[-1:].upper()
