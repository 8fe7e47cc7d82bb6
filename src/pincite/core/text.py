"""Text as it is stored: one normal form, so that offsets and hashes mean the same everywhere."""

from __future__ import annotations

import re
import unicodedata

# Lone surrogates cannot be written as UTF-8, NUL cannot be stored by every database: linear, one class.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
UNSEEN = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e0fff"
)
"""What no label may hold, as the inside of a character class: control characters except tab and line feed, bidi
controls, zero-width marks, and the invisible tags and selectors that smuggle text."""
_UNSEEN = re.compile(f"[{UNSEEN}]")
# Runs of white space of any kind: linear.
_SPACE = re.compile(r"\s+")
# A word: letters, digits and marks of any script, with inner apostrophes: linear, no nesting.
_WORD = re.compile(r"\w+(?:['’]\w+)*")
# The rest of a word of which the beginning is cut off: anchored, linear as above.
_REST = re.compile(r"['’]?\w+(?:['’]\w+)*")
_APOSTROPHES = "'’"


def normalise(text: str) -> str:
    """Return `text` as it is stored and hashed: LF line ends, NFC, unstorable characters as U+FFFD."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _UNSTORABLE.sub("\ufffd", unicodedata.normalize("NFC", text))


def one_line(text: str, limit: int) -> str:
    """Return `text` for a label: no control or invisible characters, one line, at most `limit` code points.

    A cut ends in an ellipsis, which counts.
    """
    line = _SPACE.sub(" ", _UNSEEN.sub(" ", text)).strip()
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def word_spans(text: str) -> list[tuple[int, int]]:
    """Return the code-point spans of the words of `text`, in order."""
    return [match.span() for match in _WORD.finditer(text)]


def holds_word(text: str, start: int, end: int) -> bool:
    """Say whether one of the words of `text` lies wholly within the code points `start` to `end`."""
    if start >= end:
        return False
    if start and _is_one_word(text, start):
        rest = _REST.match(text, start, end)
        start = end if rest is None else rest.end()
    found = _WORD.search(text, start, end)
    return found is not None and not (found.end() < len(text) and _is_one_word(text, found.end()))


def _is_one_word(text: str, at: int) -> bool:
    """Say whether the characters on both sides of code point `at` are of one word."""
    before, after = text[at - 1], text[at]
    if after in _APOSTROPHES:
        return _is_of_word(before) and _is_of_word(text[at + 1 : at + 2])
    if before in _APOSTROPHES:
        return _is_of_word(after) and at > 1 and _is_of_word(text[at - 2])
    return _is_of_word(before) and _is_of_word(after)


def _is_of_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def words(text: str) -> list[str]:
    """Return the words of `text`, case-folded, in order."""
    return [match.group().casefold() for match in _WORD.finditer(text)]
