"""Whether a word of a quote is the source's word with one slip of the pen, and no other word."""

from __future__ import annotations

import gzip
import json
import re
from functools import cache
from typing import TYPE_CHECKING

from rapidfuzz.distance import OSA, Postfix, Prefix

if TYPE_CHECKING:
    from collections.abc import Callable, Container

# Letters of a word that may be misspelt: shorter ones are one slip away from too many others.
_LEAST = 5
# Letters beside one another on keyboards of the Latin alphabet.
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_VOWELS = frozenset("aeiouy")
# Letters at a word's end in which a slip is more than that: they are its inflection.
_ENDING = 3
# German articles and the endings of adjectives, which stand in front of nouns and not of names.
_GERMAN = re.compile(
    r"d(?:er|ie|as|en|em|es)|(?:m|d|s|k)?ein(?:e|en|em|er|es)?|i[mn]s?|[av]?[omn]m|zu[mr]|beim|vom|aufs|ans"
    r"|(?:jed|dies|jen|welch|manch|all|viel|unser|eu|ihr)(?:e|er|es|en|em)"
    r"|[^\W\d_]{3,}(?:e|en|em|er|es)"
)
_LETTERS = re.compile(r"[^\W\d_]+")


def is_misspelt(
    written: str, meant: str, languages: Callable[[], tuple[str, ...]], in_front: str = ""
) -> bool:
    """Say whether `written` is `meant` with one slip of the pen: a letter lost, doubled, exchanged or mistyped.

    `meant` has to be a word of the dictionaries, and `written` none: a slip that makes another word says something
    else. So do one in the first letter, in the ending, and one that puts a vowel for another: that is how rare words
    differ (hexane, hexene). A name is no word, nor is anything in capitals; a German noun is one behind an article or
    an adjective, `in_front`. `languages` tells those of the source.
    Without the dictionaries (extra `spelling`) no word is known to be misspelt.
    """
    if min(len(written), len(meant)) < _LEAST or not (
        _LETTERS.fullmatch(written) and _LETTERS.fullmatch(meant)
    ):
        return False
    if not meant[1:].islower() or not written[1:].islower() or not _is_slip(written.lower(), meant.lower()):
        return False
    if (
        meant[0].isupper()
        and written[0].isupper()
        and not ("de" in languages() and _GERMAN.fullmatch(in_front.lower()) is not None)
    ):
        return False
    written, meant = written.lower(), meant.lower()
    known = [words for one in {"en", *languages()} if (words := _dictionary(one)) is not None]
    return any(meant in words for words in known) and not any(written in words for words in known)


def _is_slip(written: str, meant: str) -> bool:
    if written[0] != meant[0] or OSA.distance(written, meant, score_cutoff=1) != 1:
        return False
    front = Prefix.similarity(written, meant)
    back = Postfix.similarity(written[front:], meant[front:])
    wrong, right = written[front : len(written) - back], meant[front : len(meant) - back]
    if len(written) != len(meant):
        # One of a double letter is lost, or one is doubled; or a letter is lost inside of the word.
        letter = wrong or right
        return letter == meant[front - 1] or (not wrong and back >= _ENDING - 1)
    if len(wrong) == 1:
        return back >= _ENDING and not (wrong in _VOWELS and right in _VOWELS) and _are_beside(wrong, right)
    # Two letters exchanged make no other ending.
    return True


def _are_beside(one: str, other: str) -> bool:
    """Say whether two letters are neighbours on a keyboard."""
    for index, row in enumerate(_ROWS):
        at = row.find(one)
        if at < 0:
            continue
        return any(
            other in beside[max(0, at - 1) : at + 2] for beside in _ROWS[max(0, index - 1) : index + 2]
        )
    return False


@cache
def _dictionary(language: str) -> Container[str] | None:
    """Return the words of a language; None where they are not installed."""
    from importlib.resources import files  # only a doubtful word needs it

    try:
        path = files("spellchecker") / "resources" / f"{language}.json.gz"
    except ModuleNotFoundError:
        return None
    if not path.is_file():
        return None
    # The package's own class counts letters as it loads, which takes ten times as long and is not needed.
    return json.loads(gzip.decompress(path.read_bytes()))
