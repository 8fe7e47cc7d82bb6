"""Marks in the text of a printed book: where its pages begin, and the numbers that refer to notes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pincite.core.text import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

_RAISED = str.maketrans("0123456789+-−()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾")
# What can be written raised, a number among it: linear, one class a run.
_NUMBER = re.compile(r"[-+−(]?\d[\d,\s()+−-]*")
# One word of letters or digits: linear.
_WORD = re.compile(r"[^\W_]+")
_LONGEST_MARK = 6
"""Code points of a word that refers to a note."""
# What people write before the number of a page: anchored, alternatives.
_PAGE = re.compile(r"(?:page|seite|p\.|pg\.)\s", re.IGNORECASE)
LONGEST_LABEL = 20
"""Code points of a label: a number, in digits or letters, with a prefix."""


def page_label(words: str) -> str:
    """Return the label of a printed page from the words that name it (`page 12`); empty where they are none."""
    bare = " ".join(words.split())
    bare = _PAGE.sub("", bare, count=1) if _PAGE.match(bare) is not None else bare
    bare = bare.strip(" .[]")
    return one_line(bare, LONGEST_LABEL) if len(bare) <= LONGEST_LABEL else ""


def label_of(attributes: Mapping[str, str | None], words: str) -> str:
    """Return the label that a mark of a page gives, in its attributes or as its words; empty where it gives none."""
    for name in ("aria-label", "title", "value"):
        if label := page_label(attributes.get(name) or ""):
            return label
    return page_label(words)


def raised(text: str, *, is_note: bool) -> str:
    """Return text that stands raised: numbers as raised digits, so that none becomes part of the word before it.

    With `is_note` it refers to a note: a letter or numeral then stands in raised brackets. Other text stays as it is.
    """
    words = text.strip()
    if _NUMBER.fullmatch(words) is not None:
        return text.translate(_RAISED)
    if is_note and len(words) <= _LONGEST_MARK and _WORD.fullmatch(words) is not None:
        return text.replace(words, f"⁽{words}⁾")
    return text
