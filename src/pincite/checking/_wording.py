"""Words that turn a statement round or limit it, units, and how a folded text is cut into words.

The sets hold folded words (`core.fold`), by language: what limits in one is a noun in another.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from pincite.core.fold import UNSPACED

if TYPE_CHECKING:
    from collections.abc import Iterable

_NEGATORS = {
    "en": """not no never none nothing nobody nowhere neither nor cannot without hardly scarcely barely rarely seldom
        isn't aren't wasn't weren't don't doesn't didn't won't wouldn't can't couldn't shouldn't mustn't hasn't
        haven't
        hadn't needn't ain't unable fail fails failed lack lacks lacked""",
    "de": "nicht kein keine keinen keinem keiner keines nie niemals nichts niemand nirgends weder ohne kaum",
    "fr": "ne n pas jamais rien aucun aucune sans ni nul nulle guère non",
    "es": "no nunca jamás nada nadie ningún ninguna ninguno sin tampoco ni",
    "it": "non mai niente nessun nessuno nessuna senza né no",
    "pt": "não nunca jamais nenhum nenhuma sem nem nada ninguém",
    "nl": "niet geen nooit niets niemand nergens zonder nauwelijks",
    "ru": "не нет никогда ничего никто без ни нельзя",
    "pl": "nie nigdy nic nikt bez ani żaden żadna żadne",
    "ar": "لا ليس ليست لم لن غير بدون ما",
    "he": "לא אין בלי אף ללא מעולם",
    "el": "δεν μην μη όχι ποτέ κανείς χωρίς τίποτα",
    "tr": "değil yok hiç hiçbir asla",
    "hi": "नहीं न मत बिना कभी",
}
_LIMITERS = {
    "en": """unless except excepting excluding only if provided providing until save barring subject maximum minimum
        most least almost nearly about approximately up may might could possibly probably likely perhaps some
        sometimes partly
        partially alleged allegedly reportedly supposedly merely just mostly usually often""",
    "de": """ausser außer ausgenommen sofern falls nur höchstens mindestens vielleicht möglicherweise teilweise fast
        beinahe angeblich wohl meist oft soweit""",
    "fr": "sauf excepté hormis seulement peut-être parfois environ presque si souvent",
    "es": "salvo excepto sólo solo solamente quizás quizá casi si",
    "it": "eccetto tranne soltanto solo forse purché quasi se",
    "pt": "exceto somente apenas talvez salvo quase se só",
    "nl": "tenzij behalve mits alleen misschien bijna slechts indien",
    "ru": "кроме если только почти возможно лишь иногда",
    "pl": "chyba oprócz tylko prawie może jeśli",
    "el": "εκτός εφόσον μόνο ίσως σχεδόν αν",
    "tr": "hariç dışında ancak belki neredeyse sadece yalnızca",
    "ar": "إلا فقط ربما تقريبا إذا",
    "he": "אלא למעט רק אולי כמעט אם",
}
# Letters that turn round by themselves, in scripts without spaces.
_NEGATING = frozenset("不没沒無无非未勿")
# Words that tell a language.
_TELLING = {
    "en": "the of and to in is was that for it with as on be at by this are from his were which",
    "de": "der die das und ist ein eine den von mit zu auf für dem des sich im war wurde",
    "fr": "le la les de des et est un une dans pour que du au sur en il sont l d",
    "es": "el la los las de que y en un una por con para del se su es al",
    "it": "il lo la gli le di che e un una per con del della i è nel al",
    "pt": "o os a as de que e um uma para com do da em se na ao",
    "nl": "de het een en van is op te dat voor met zijn in werd aan",
    "pl": "w i z na się do jest że o od po przez za",
    "tr": "ve bir bu da de için ile olan olarak",
}
_SCRIPTS = {"CYRILLIC": "ru", "GREEK": "el", "ARABIC": "ar", "HEBREW": "he", "DEVANAGARI": "hi"}
# The part of a text's words that tell a language, and how much of it is looked at.
_SHARE, _SAMPLE = 0.1, 1_500

UNITS = frozenset(
    """
    g kg mg µg μg ug ng t lb lbs oz l ml dl cl m km cm mm µm μm um nm mi ft yd in ha s ms min h hr hrs d w kw mw
    gw kwh mwh
    v mv kv a ma hz khz mhz ghz b kb mb gb tb kib mib gib bit bits byte bytes pa kpa mpa bar psi k °c °f j kj mj cal
    kcal mol mmol ppm ppb % ‰ ° € $ £ ¥ eur usd gbp euro euros dollar dollars cent cents pound pounds
    percent second seconds minute minutes hour hours day days week weeks month months year years decade
    decades century centuries hundred thousand thousands million millions billion billions trillion metre metres meter
    meters kilometre kilometres kilometer kilometers mile miles foot feet inch inches gram grams kilogram
    kilograms tonne
    tonnes ton tons litre litres liter liters degree degrees watt watts points prozent tausend millionen milliarden
    jahre tage stunden ans jours heures mille años días horas anni giorni ore anos dias
    """.split()
)
"""Units of measurement and of time, and words that multiply."""

# A number with its sign, currency, and percent; a word, with digits behind its letters; a letter of a script without
# spaces; a mark that means something. Runs of one class, joints of one character that is in neither: linear.
_CURRENCY = "$\u20ac\u00a3\u00a5"
_SIGN = (
    rf"(?:(?<![\w.)\]'-])-(?=(?:[{_CURRENCY}] ?)?\.?\d)"
    rf"|[\u2212\u00b1<>\u2264\u2265\u2248~+=]\s?(?=(?:[{_CURRENCY}] ?)?\.?\d))"
)
_NUMBER = rf"{_SIGN}?(?:[{_CURRENCY}] ?)?(?:\d+(?:[.,:]\d+)*|(?<![\w.])\.\d+)(?: ?[%\u2030\u00b0])?"
# Marks that only part or dress words.
_EMPTY = (
    r"\"'`.,;:()\[\]{}*_#|\\!\u2022\u2023\u25aa\u25a0\u25cf\u25e6\u2013\u2014\u00a9\u00ae\u2122\u00b6\u2026"
    r"\u3001\u3002\u00b7\u00bf\u00a1-"
)
# Marks that are of a formula or a name where they stand: a factorial, C#, n-1, an absolute value. What stands in front
# is looked at behind the mark itself, so that most branches fail at once.
_MARKS = (
    r"~~|&&|\|\||!(?:(?=[\w(=])|(?:(?<=\d!)|(?<=\b[a-z]!)|(?<=\)!))(?= [a-z]| ?[=+*/<>^-]))|\#(?<=\b[A-Z]\#)(?!\w)"
    r"|-(?:(?<=\b\w -)(?= \w\b)|(?<=\d -)(?= \d)|(?<=[\d]-)(?=\d)|(?<=\b[a-z]-)(?=\d))"
    r"|\|(?<=[ (=+*/<>-]\|)(?=-?\w[^\s|]{0,12}\|(?:[ ).,;=<>+*/^-]|\Z))"
    rf"|,(?:(?<=\b[nN]o,)|(?<=\b[nN]on,)|(?<=\b[nN]ein,))|_(?<=[^\W_]_)(?=[^\W_])|[^\w\s{_EMPTY}]"
)
# What begins neither a number nor a mark: a quick look at what stands between most words.
_NO_MARK = r"(?![\s\"';:()\[\]])"
_ASCII_TOKEN = re.compile(rf"[A-Za-z]{{1,3}}[0-9]+|[A-Za-z]+(?:'[A-Za-z]+)*|{_NO_MARK}(?:{_NUMBER}|{_MARKS})")


@cache
def _any_token() -> re.Pattern[str]:
    # A letter's marks are of it: they are a category of their own, which `re` does not know.
    marks = "".join(chr(code) for code in range(0x300, 0x20000) if unicodedata.category(chr(code))[0] == "M")
    letter = rf"(?:[^\W\d_{UNSPACED}][{marks}]*)"
    return re.compile(
        rf"{letter}{{1,3}}\d+|{letter}+(?:['\u2032]{letter}+)*|{_NO_MARK}(?:{_NUMBER}|[{UNSPACED}][{marks}]*|{_MARKS})"
    )


def tokens(text: str) -> re.Pattern[str]:
    """Return the pattern of the words of a folded text."""
    return _ASCII_TOKEN if text.isascii() else _any_token()


class Wording(NamedTuple):
    """The words of a text's languages that turn round, and those that limit."""

    negators: frozenset[str]
    limiters: frozenset[str]

    def turns(self, word: str) -> bool:
        """Say whether a folded word turns a statement round."""
        return word in self.negators or word.endswith("n't") or word in _NEGATING

    def limits(self, word: str, cased: str = "") -> bool:
        """Say whether a folded word limits a statement; with a capital, `May` is the month."""
        return word in self.limiters and cased not in ("May", "MAY")


def languages_of(words: Iterable[str]) -> tuple[str, ...]:
    """Return the languages of folded words, as far as they tell; none where they are too few.

    A language of which all that is seen is seen of another, with more besides, is not told by it.
    """
    seen: dict[str, set[str]] = {}
    votes: Counter[str] = Counter()
    count = 0
    telling = _telling()
    for word in words:
        if word in telling:
            count += 1
            for language in telling[word]:
                votes[language] += 1
                seen.setdefault(language, set()).add(word)
    told = [language for language in votes if votes[language] > max(1, _SHARE * count)]
    return tuple(sorted(one for one in told if not any(seen[one] < seen[other] for other in told)))


def sampled_languages(folded: str) -> tuple[str, ...]:
    """Return the languages of a folded text, by its beginning, and those of its scripts."""
    sample = folded[:_SAMPLE]
    found = languages_of(re.findall(r"\w+", sample))
    if sample.isascii():
        return found
    scripts = {unicodedata.name(char, "").partition(" ")[0] for char in set(sample)}
    return (*found, *(language for script, language in _SCRIPTS.items() if script in scripts))


@lru_cache(64)
def wording_of(languages: tuple[str, ...]) -> Wording:
    """Return the words of languages; of all where none is known, so that nothing is missed."""
    known = languages or tuple(_NEGATORS)
    return Wording(
        frozenset(word for one in known for word in _NEGATORS.get(one, "").split()),
        frozenset(word for one in known for word in _LIMITERS.get(one, "").split()),
    )


NEGATORS, LIMITERS = wording_of(tuple(_NEGATORS))
"""Words of all these languages that turn a statement round; words that limit one."""


def is_turning(word: str) -> bool:
    """Say whether a folded word turns a statement round in any of the languages."""
    return word in NEGATORS or word.endswith("n't") or word in _NEGATING


@cache
def _telling() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for language, words in _TELLING.items():
        for word in words.split():
            found.setdefault(word, []).append(language)
    return {word: tuple(languages) for word, languages in found.items()}
