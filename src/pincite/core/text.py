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


def words(text: str) -> list[str]:
    """Return the words of `text`, case-folded, in order."""
    return [match.group().casefold() for match in _WORD.finditer(text)]
