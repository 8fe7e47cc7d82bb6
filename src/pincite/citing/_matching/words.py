"""Words: how they are folded, what the lexicon knows of them, and which scripts are written without spaces."""

from __future__ import annotations

import unicodedata
from enum import IntEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from pincite.citing._matching.common import CONJUNCTIONS, FUNCTION_WORDS, LANGUAGES
from pincite.citing._matching.lexicon import (
    COMPANIONS,
    CONCEPTS,
    LACKING,
    LESS_THAN,
    MONTHS,
    MORE_THAN,
    MULTIPLIERS,
    NEGATED,
    NEGATORS,
    NUMBER_WORDS,
    SAME_NAMES,
    TIMES,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

WIDE: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
"""Scripts written without spaces, and hangul, whose particles are glued on: the inside of a character class."""
MARKS: Final = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc-\u09cd\u0a01-\u0a03\u0a3c-\u0a51"
    "\u0a81-\u0a83\u0abc-\u0acd\u0b01-\u0b03\u0b3c-\u0b57\u0b82\u0bbe-\u0bcd\u0c00-\u0c04\u0c3e-\u0c56\u0c81-\u0c83"
    "\u0cbc-\u0cd6\u0d00-\u0d03\u0d3b-\u0d4d\u1ab0-\u1aff\u1dc0-\u1dff\u200c\u200d\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f"
)
"""Marks that stand on letters, so that a word goes on over them: the inside of a character class."""
LONGEST_WORD: Final = 48
"""Code points of a word that are looked at; longer runs are keys, hashes and noise."""
_HIRAGANA: Final = ("\u3040", "\u309f")
_GRAM_WEIGHTS: Final = (0.5, 0.25, 0.06)
_LONGEST_ENDING: Final = 5
"""Letters that a word may have after a stem of the lexicon."""
_SHORTEST_STEM: Final = 3
_SHORTEST_MULTIPLIER: Final = 3
"""Letters from which a multiplier is one without a numeral: "more than a million"."""
_SPELLINGS: Final = str.maketrans(
    {"ة": "ه", "ى": "ي", "ı": "i", "ø": "o", "ł": "l", "\u0640": "", "\u200c": "", "\u200d": ""}
)


class Kind(IntEnum):
    """What a word is to the reader of a sentence."""

    CONTENT = 0
    FUNCTION = 1
    NEGATOR = 2
    COMPANION = 3
    NUMBER = 4
    MONTH = 5
    LETTER = 6
    JOINED = 7
    LACKING = 8
    MULTIPLIER = 9


class Word(NamedTuple):
    """A word as the lexicon knows it, folded.

    `shape` is 0 for small letters, 1 for a capital, 2 for several or figures; `opens` tells a clause's first word,
    `denies` one that denies by its sense; `language` is set for a common word of one language alone; `bound` is 1 or
    -1 for one that makes the figure after it a least or a most.
    """

    text: str
    kind: Kind
    shape: int
    opens: bool
    denies: bool
    language: str
    bound: int


_KINDS: Final[tuple[tuple[frozenset[str] | Mapping[str, int], Kind], ...]] = (
    (NEGATORS, Kind.NEGATOR),
    (LACKING, Kind.LACKING),
    (COMPANIONS, Kind.COMPANION),
    (FUNCTION_WORDS, Kind.FUNCTION),
    (NUMBER_WORDS | TIMES, Kind.NUMBER),
    (MONTHS, Kind.MONTH),
    ({word: 0 for word in MULTIPLIERS if len(word) >= _SHORTEST_MULTIPLIER}, Kind.MULTIPLIER),
)
_ELIDED: Final = frozenset("cdjlmnst")
"""Letters that are words only before an apostrophe."""
_DENYING: Final[dict[str, str]] = {word: word for word in NEGATED}


@lru_cache(maxsize=16_384)
def folded(word: str) -> str:
    """Return `word` in small letters without accents, ligatures and the marks that Arabic and Hebrew may leave out."""
    if word.isascii():
        return word.lower()
    plain = unicodedata.normalize("NFKD", word).casefold()
    return "".join(c for c in plain if not unicodedata.combining(c)).translate(_SPELLINGS)


@lru_cache(maxsize=16_384)
def known(raw: str, *, piece: bool = False) -> Word:
    """Return what the lexicon knows of a word; `piece` says that it has been taken apart at apostrophes."""
    if not piece and any(c in "'’-" for c in raw):
        return Word("", Kind.JOINED, 0, opens=False, denies=False, language="", bound=0)
    text = folded(raw).replace("-", "")
    shape = _shape(raw)
    kind = next((kind for words, kind in _KINDS if text in words), Kind.CONTENT if text[1:] else Kind.LETTER)
    if shape and text in MONTHS:
        kind = Kind.MONTH  # May
    elif kind is Kind.FUNCTION:
        if len(raw) > 1 and raw.isupper():
            kind = Kind.CONTENT  # US, IT, WHO
        elif len(text) == 1 and not piece and text in _ELIDED:
            kind = Kind.LETTER
    languages = LANGUAGES.get(text, ())
    return Word(
        text,
        kind,
        shape,
        opens=text in CONJUNCTIONS,
        denies=bool(_listed(text, _DENYING)),
        language=languages[0] if len(languages) == 1 else "",
        bound=(text in MORE_THAN) - (text in LESS_THAN),
    )


def _shape(raw: str) -> int:
    capitals = sum(c.isupper() or c.istitle() for c in raw)
    if (
        any(c.isdecimal() for c in raw)
        or capitals > 1
        or (capitals and not (raw[0].isupper() or raw[0].istitle()))
    ):
        return 2
    return min(capitals, 1)


@lru_cache(maxsize=16_384)
def concept(word: str) -> str:
    """Return the name of the lexicon's line that a folded word belongs to, or nothing."""
    return _listed(word, CONCEPTS)


@lru_cache(maxsize=4_096)
def same_name(word: str) -> str:
    """Return the country that a folded name or adjective stands for, or nothing."""
    return _listed(word, SAME_NAMES)


def _listed(word: str, table: Mapping[str, str]) -> str:
    """Look a word up, then the stems that it may begin with, the longest first."""
    found = table.get(word)
    if found is not None:
        return found
    for end in range(len(word), max(_SHORTEST_STEM, len(word) - _LONGEST_ENDING) - 1, -1):
        found = table.get(f"{word[:end]}*")
        if found is not None:
            return found
    return ""


def gram_weight(gram: str) -> float:
    """Return how much a pair of characters tells: little in hiragana, which is grammar."""
    return _GRAM_WEIGHTS[min(2, sum(is_hiragana(c) for c in gram))]


def is_hiragana(character: str) -> bool:
    """Tell a character of the syllables that Japanese writes its grammar in."""
    return _HIRAGANA[0] <= character <= _HIRAGANA[1]
