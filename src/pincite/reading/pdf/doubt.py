"""Text that its font does not spell: glyphs without a name, letters moved by a constant, writing that is none."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

UNNAMED = "its font does not say which letters it shows"
SHIFTED = "its font names other letters than it shows"
SALAD = "its font mixes letters that never stand together"

# Glyphs without a character of their own: the replacement character and private use. In a word, or more than one of
# them: a single one by itself is a bullet or a drawing: linear, classes that exclude one another.
NAMELESS = re.compile("[\ufffd\ue000-\uf8ff\U000f0000-\U0010fffd]")
_NAMELESS_WORD = re.compile(
    "(?<!\\S)[^\\s\ufffd\ue000-\uf8ff\U000f0000-\U0010fffd]*[\ufffd\ue000-\uf8ff\U000f0000-\U0010fffd]\\S*"
)
# A character far from Latin and from what stands beside any writing, which may be the number of a glyph: linear.
_FAR = re.compile("[\u02b0-\u02ff\u0370-\u1fff\u2c00-\ud7ff\uf900-\ufeff]")
_WORD = re.compile(r"\S+")
_LETTER = re.compile(r"[^\W\d_]")
# Letters that stand together: linear, one class.
_RUN = re.compile(r"[^\W\d_]+")

_ASKED = 128
"""Characters of a page that are asked about, spread over it; where one of them has no name, all are."""

_ENOUGH = 60
"""Letters of a font from which on its spelling is looked at."""

_SAMPLE = 1500
"""Characters of a font that are looked at."""

_KNOWN, _MORE = 0.12, 4
"""Share of words that are among the commonest from which on a text is one, and how many times more they must be than
before the letters were moved."""

_DIFFERENT = 3
"""Different ones of them, of two letters at least, that a moved text holds."""

_PLAIN = 0.15
"""Share of a page's words among the commonest from which on all of its fonts spell well enough."""

_MOST_FONTS = 16
"""Fonts of a page that are looked at, those with the most words first."""

_SHIFTS = tuple(shift for shift in range(-64, 65) if shift)

_COMMON = frozenset(
    # English, German, French, Spanish, Portuguese, Italian, Dutch, Scandinavian, Polish, Czech, Turkish, Indonesian.
    "the of and to in is that it for was on are as with his they at be this have from or by not but what all were "
    "we when your can said there an which she do how their if will each about out them then many some so these would "
    "der die das und ist nicht ein eine zu den mit von auf im dem des sich auch es er als für an aus bei oder werden "
    "le la les et en un une est que des du il dans pour pas sur qui par plus avec ce sont au ou "
    "el los las y por del se con una su para es al lo como más o pero sus "
    "os não uma na no com da dos se e a mais como foi ao ele das "
    "di che è della per si gli non sono nel alla dei le ha come "
    "het een van dat niet te zijn op voor met er aan ook "
    "och att som på för av inte den det til og ikke med har jeg "
    "na się nie do jest że to w z i po od za je v že se "
    "ve bir bu için ile da de çok yang dan di untuk dengan "
    "и в не на что он с как это по но они мы за из у от так для о же "
    "και το να του η της με που για από δεν τα είναι".split()
)

_SYLLABLES = frozenset("이다는의을에가를고하은로한지도서기사어정자시대리인일스수과해전")
_HANGUL = re.compile("[\uac00-\ud7a3]")
_COMMON_SYLLABLES = 0.05
"""Share of Korean writing that the commonest syllables make up at least; they are a third of it."""

_SCRIPTS: tuple[tuple[int, str], ...] = (
    (0x0000, ""), (0x0041, "latin"), (0x0300, ""), (0x0370, "greek"), (0x0400, "cyrillic"), (0x0530, "armenian"),
    (0x0590, "hebrew"), (0x0600, "arabic"), (0x0780, "other"), (0x0900, "indic"), (0x0E00, "thai"), (0x0E80, "lao"),
    (0x0F00, "tibetan"), (0x1000, "burmese"), (0x10A0, "georgian"), (0x1100, "wide"), (0x1200, "ethiopic"),
    (0x13A0, "cherokee"), (0x1400, "other"), (0x1780, "khmer"), (0x1800, "other"), (0x1C80, "cyrillic"),
    (0x1C90, "georgian"), (0x1CC0, ""), (0x1E00, "latin"), (0x1F00, "greek"), (0x2000, ""), (0x2E80, "wide"),
    (0xA4D0, "other"), (0xA720, "latin"), (0xA800, "indic"), (0xAC00, "wide"), (0xD800, ""), (0xF900, "wide"),
    (0xFB00, "latin"), (0xFB13, "armenian"), (0xFB1D, "hebrew"), (0xFB50, "arabic"), (0xFE00, ""),
    (0xFE70, "arabic"), (0xFEFF, "wide"), (0x10000, ""), (0x20000, "wide"), (0x40000, ""),
)  # fmt: skip
"""First code point of each stretch, and the script that it is counted for; "" goes with all."""
_STARTS = [start for start, _ in _SCRIPTS]
_TOGETHER = (
    {"latin", "greek"},
    {"latin", "wide"},
    {"greek", "wide"},
    {"latin", "cyrillic"},
    {"cyrillic", "wide"},
)
"""Scripts that may stand in one word: units and symbols, names in East Asian writing."""
# Letters far from Latin's, whose script is worth a look: linear, one class.
_FOREIGN = re.compile("[\u0370-\u1fff\u2070-\ufaff\ufe70-\ufefc]")

_SALADS = 3
"""Words of mixed scripts from which on a page's text is not what it seems."""

_SALAD_SHARE = 0.1


def nameless_words(text: str) -> list[tuple[int, int, str]]:
    """Return the words of a page with glyphs that stand for no character."""
    return [(*match.span(), UNNAMED) for match in _NAMELESS_WORD.finditer(text) if len(match.group()) > 1]


def unmapped(text: str, is_unmapped: Callable[[int], object]) -> list[int]:
    """Return the characters that are the number of a glyph, as its font does not say what it shows.

    `is_unmapped` says so of the character at a place of the text. Numbers among the Latin letters are left to
    `misspelt`: fonts without names have the right ones there more often than not.
    """
    places = [match.start() for match in _FAR.finditer(text)]
    sample = places[:: max(1, len(places) // _ASKED)]
    return [place for place in places if is_unmapped(place)] if any(map(is_unmapped, sample)) else []


def words_around(text: str, places: Sequence[int]) -> list[tuple[int, int, str]]:
    """Return the words of a page in which these characters stand, once each."""
    chosen = set(places)
    spans = (match.span() for match in _WORD.finditer(text))
    return [(start, end, UNNAMED) for start, end in spans if not chosen.isdisjoint(range(start, end))]


def misspelt(text: str, fonts: Callable[[], dict[int, list[tuple[int, int]]]]) -> list[tuple[int, int, str]]:
    """Return the stretches of a page that are not what they seem; `fonts` gives the words (start, end) of each font.

    A page on which many words are among the commonest of some language is asked no further.
    """
    found: list[tuple[int, int, str]] = []
    words = text.lower().split()
    if sum(map(_COMMON.__contains__, words)) < _PLAIN * len(words):
        for spans in sorted(fonts().values(), key=len, reverse=True)[:_MOST_FONTS]:
            sample = list(_sample(text, spans))
            if sum(map(len, sample)) >= _ENOUGH and _is_shifted(sample):
                found.extend((start, end, SHIFTED) for start, end in spans)
    if not text.isascii() and _FOREIGN.search(text):
        found.extend(_salads(text))
    return found


def _sample(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[str]:
    """Yield the first words of a font, to be judged by."""
    size = 0
    for start, end in spans:
        if size > _SAMPLE:
            return
        size += end - start
        yield text[start:end]


def _is_shifted(words: Sequence[str]) -> bool:
    """Say whether words are none, and would be words if each letter were another by the same number."""
    said = [word.strip(".,;:!?()\"'").lower() for word in words]
    known = sum(word in _COMMON for word in said)
    if known > _PLAIN * len(said):
        return False
    whole = " ".join(words)
    letters = len(_LETTER.findall(whole))
    if _HANGUL.search(whole):
        syllables = _HANGUL.findall(whole)
        common = sum(syllable in _SYLLABLES for syllable in syllables)
        if len(syllables) >= _ENOUGH and common < _COMMON_SYLLABLES * len(syllables):
            return True
    if len(whole) - len(words) < _ENOUGH or (letters and max(whole) > "\u2fff"):
        return False
    for shift in _SHIFTS:
        table = {code: chr(code + shift) for code in set(map(ord, whole)) if code > 32 and code + shift > 0}  # noqa: PLR2004 - the space
        moved = [word.strip(".,;:!?()\"'") for word in re.split(r"[\s\x03]", whole.translate(table).lower())]
        common = [word for word in moved if len(word) > 1 and word in _COMMON]
        if len(set(common)) >= _DIFFERENT and len(common) >= max(_KNOWN * len(moved), _MORE * known):
            return True
    return False


def _salads(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the words that mix scripts as no writing does, when there are many."""
    runs = list(_RUN.finditer(text))
    found = [match.span() for match in runs if _FOREIGN.search(match.group()) and _is_salad(match.group())]
    if len(found) >= max(_SALADS, _SALAD_SHARE * len(runs)):
        for start, end in found:
            yield start, end, SALAD


def _is_salad(run: str) -> bool:
    scripts = {_SCRIPTS[bisect_right(_STARTS, ord(char)) - 1][1] for char in run} - {""}
    return len(scripts) > 1 and not any(scripts <= pair for pair in _TOGETHER)


def merged(doubts: Sequence[tuple[int, int, str]], text: str) -> list[tuple[int, int, str]]:
    """Return doubtful stretches in order, none over another; what only white space parts for one reason is one."""
    result: list[tuple[int, int, str]] = []
    for start, end, reason in sorted(doubts):
        if result:
            before, until, why = result[-1]
            if start < until or (why == reason and text[until:start].isspace()):
                if end > until:
                    result[-1] = (before, end, why)
                continue
        if end > start:
            result.append((start, end, reason))
    return result
