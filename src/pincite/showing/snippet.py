"""The bounded excerpt of a hover card."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

from pincite.core.fold import UNSPACED
from pincite.core.limits import DEFAULT
from pincite.core.text import UNSEEN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.core.passage import Passage

# Joiners between two letters of a script that needs them, or two parts of an emoji, are part of how it is written;
# every other control and invisible character is not shown. Linear: one character, with one beside it.
_SEEN: Final = rf"[^\s\x00-\u02ff{UNSEEN}]"
_UNSEEN: Final = re.compile(rf"(?P<joiner>(?<={_SEEN})[\u200c\u200d](?={_SEEN}))|[{UNSEEN}]")
# Runs of white space of any kind: linear.
_SPACE: Final = re.compile(r"\s+")
# A letter of a script that puts no spaces between words: one class.
_UNSPACED: Final = re.compile(f"[{UNSPACED}]")
# Kana in which words are inflected, and in which loan words are written; vowels that open a syllable of Thai and Lao.
_HIRAGANA: Final = ("\u3041", "\u309f")
_KATAKANA: Final = ("\u30a0", "\u30ff")
_LEADING_VOWELS: Final = "\u0e40\u0e41\u0e42\u0e43\u0e44\u0ec0\u0ec1\u0ec2\u0ec3\u0ec4"
# The share of the limit behind which the end of a word is looked for, told apart by letters without spaces too; and the
# share behind which two such letters may be parted anywhere. Before that stands one very long word.
_UNSPACED_WORDS: Final = 0.9
_WORDS: Final = 0.5
# Letters that no letter's mark is, and yet belong to the one before them: Thai and Lao `am`, half-width voicing.
_TRAILING: Final = "\u0e33\u0eb3\uff9e\uff9f"
_JOINERS: Final = "\u200c\u200d"
_SKIN: Final = ("\U0001f3fb", "\U0001f3ff")
_FLAG: Final = ("\U0001f1e6", "\U0001f1ff")
_VIRAMA: Final = 9
# Lines of headings without a text of their own in front of a passage's heading, at most.
_HEADINGS: Final = 16


def snippet(text: str, limit: int = DEFAULT.snippet_code_points) -> str:
    """Return at most `limit` code points of `text` on one line, cut at a word's end, an ellipsis where cut.

    Scripts without spaces are cut where a word may end, as far as their letters tell; a character that is made of
    several code points is never cut. Control and invisible characters are left out.
    """
    line = _SPACE.sub(" ", _UNSEEN.sub(lambda found: found["joiner"] or " ", text)).strip()
    return line if len(line) <= limit else line[: _cut(line, limit - 1)].rstrip() + "…"


def body_start(text: str, headings: Sequence[str]) -> int:
    """Return where the text begins under those of its `headings`, outermost first, that it opens with.

    It is 0 where it opens with none, or holds nothing else.
    """
    at = 0
    for title in headings:
        at = _behind(title, text, at) or at
    return at if at < len(text) else 0


def passage_body(passage: Passage) -> int:
    """Return where the text of a passage begins, under the headings that it opens with."""
    text, headings = passage.text, passage.locator.headings
    at = body_start(text, headings)
    if at or not headings or passage.section is None or passage.section[0] != passage.start:
        return at
    # It opens a section, and not with its own heading: those before it have no text of their own.
    place = 0
    for _ in range(_HEADINGS):
        at = _behind(headings[-1], text, place) or 0
        place = text.find("\n", place) + 1
        if at or not place:
            break
    return at if at < len(text) else 0


def _behind(title: str, text: str, at: int) -> int | None:
    """Return where the line behind `title` begins, which stands in lines of its own at `at`; None where it does not."""
    words = title.split()
    if not words or not text.startswith(words[0], at):
        return None
    for word in words:
        while text[at : at + 1].isspace():
            at += 1
        if not text.startswith(word, at):
            return None
        at += len(word)
    # Space of any kind, and in it the end of the line.
    behind = at
    while text[behind : behind + 1].isspace():
        behind += 1
    return behind if behind == len(text) or "\n" in text[at:behind] else None


def _cut(line: str, most: int) -> int:
    """Return where to cut: at most `most` code points in, at a word's end, else between two characters."""
    for share, loosely in ((_UNSPACED_WORDS, False), (_WORDS, True)):
        for at in range(most, int(most * share), -1):
            if _ends_word(line, at, loosely=loosely):
                return at
    return next((at for at in range(most, 0, -1) if not _is_inside(line, at)), most)


def _ends_word(line: str, at: int, *, loosely: bool) -> bool:
    """Say whether a word ends in front of code point `at`; `loosely` takes any two letters without spaces for two."""
    before, after = line[at - 1], line[at]
    if after == " " or before == " ":
        return True
    if _is_inside(line, at):
        return False
    unspaced = _UNSPACED.match(before) is not None, _UNSPACED.match(after) is not None
    if not any(unspaced):
        return False
    if not all(unspaced):
        # A stop or a closing bracket stays with what it closes.
        return after.isalnum() or unicodedata.category(after) in ("Ps", "Pi")
    if after in _LEADING_VOWELS:
        return True
    return loosely or _may_part(before, after)


def _may_part(before: str, after: str) -> bool:
    """Say whether two letters of a script without spaces may stand in two words."""
    hiragana = _is_in(_HIRAGANA, before), _is_in(_HIRAGANA, after)
    if hiragana[1]:
        return False  # the ending of a word, or a particle, which stays with it
    if hiragana[0]:
        return True
    katakana = _is_in(_KATAKANA, before), _is_in(_KATAKANA, after)
    if any(katakana):
        return not all(katakana)
    # Ideographs: any two of them. Thai, Lao, Khmer, Burmese: their words are in no table of ours.
    return min(before, after) >= "\u2e80"


def _is_in(range_: tuple[str, str], char: str) -> bool:
    return range_[0] <= char <= range_[1]


def _is_inside(line: str, at: int) -> bool:
    """Say whether code points `at` - 1 and `at` belong to one character, as a reader sees it."""
    before, after = line[at - 1], line[at]
    if after.isascii():
        return False
    if after in _JOINERS or after in _TRAILING or _is_in(_SKIN, after):
        return True
    if unicodedata.category(after)[0] == "M":
        return True
    if before == "\u200d":
        return True
    if _is_in(_FLAG, after) and _is_in(_FLAG, before):
        first = at
        while first and _is_in(_FLAG, line[first - 1]):
            first -= 1
        return (at - first) % 2 == 1
    # The vowel killer of an Indic script joins two consonants; so does what Hangul is written with, letter by letter.
    if unicodedata.combining(before) == _VIRAMA and after.isalpha():
        return True
    return "\u1160" <= after <= "\u11ff" and "\u1100" <= before <= "\u11ff"
