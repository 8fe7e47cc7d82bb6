"""Numbers that a quote cuts from what they are numbers of, or from the rest of themselves."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pincite.checking._cut_words import ABOUT, ABOUT_WITH, LINKS, MONEY, NUMBERS
from pincite.checking._wording import UNITS
from pincite.core.verdicts import DifferenceKind

if TYPE_CHECKING:
    from collections.abc import Sequence

Place = tuple[tuple[int, int], DifferenceKind]
"""Where in a folded text something stands, and of which kind it is."""

# The number that a quote begins with, or ends with; a run of one class each.
_FIRST = re.compile(r"\W{0,3}(?:(?P<digits>\d)|(?P<word>[^\W\d_]+))")
_LONGEST = 40
_LAST = re.compile(r"(?:(?P<digits>\d[\d.,:]*)|(?P<word>[^\W\d_]+))\W{0,2}\Z")
# Words whose number is a name: it counts nothing.
_NAMED = re.compile(
    r"(?:figures?|figs?\.?|tables?|chapters?|sections?|articles?|pages?|pp?\.?|no\.?|nos\.?|numbers?|part|volume|vol\.?"
    r"|step|note|item|rule|regulation|paragraph|equations?|eqs?\.?|type|version|abb\.?|abbildung|tabelle|kapitel|seite|artikel"
    r"|chapitre|capítulo|capitolo|página|pagina) [\d.]+\W{0,2}\Z",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<![\d.,])(?:1[0-9]|20)\d\d\W{0,2}\Z")
_FRACTIONS = (
    "halves|half|thirds?|quarters?|fourths?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?|hundredths?|thousandths?"
    "|drittel|viertel|fünftel|zehntel|tiers|quarts?|cinquièmes?|tercios?|cuartos?|quintos?|terzi|quarti|terços|derde"
    "|трети|четверти"
)
_AND_A_HALF = (
    r"[ ](?:and|und|et|y|e|en|\u0438|i) (?:a |one |three |un |une |ein |una |um )?"
    r"(?:half|quarters?|third|halb\w*|demie?|medio|mezzo|meia)(?!\w)"
)
# What a number goes on with, whatever it is a number of.
_ON = re.compile(
    r"(?P<raised>[\u00b9\u00b2\u00b3\u2070\u2074-\u207b])|[ ]?\(?\u00b1|[ ]?[\u00d7^\u2030%\u2032\u2033\u2034]|[ ]?\+/-"
    r"|[ ]?[*x][ ]?10|/\d|[ ]\d{1,2}/\d|[ ]?[\u221a\u221b\u03c0]|\+(?!\w)|[ ]?[\u20ac\u00a3\u00a5$\u20b9\u20bd\u20a9]"
    r"|![ ]?[a-z=+*/<>]|!-"
    r"|[ -](?:hundred|thousand|million|billion|trillion|dozen|score|lakhs?|crores?|mio\.?|mrd\.?|bn|mn|mln"
    r"|hundert|tausend|million(?:en|es|i)?|milli[aoe]rd\w*|dutzend|mill[oó]n(?:es)?|mil|milioni?|miliard\w*"
    r"|milhões|mille|cento|cent|cien|miljoen|miljard|duizend|тысяч\w*|миллион\w*|миллиард\w*|тыс\.?|млн\.?|млрд\.?|tysi\w+|milion\w*"
    r"|millions|thousands|hundreds|dozens|fold|percent|per ?cent|per ?mille|percentage|pct|prozent|promille|pour ?cent"
    r"|por ciento|per cento|por cento|procent|процент\w*|yüzde"
    rf"|{_FRACTIONS})(?!\w)"
    rf"|{_AND_A_HALF}"
    r"|[ ]?[-/][ ]?\d|[ ](?:to|or|bis|oder|à|ou|a|al|o|tot|of|до|или|do|lub) (?=[\d$\u20ac\u00a3])\S{1,9}"
    r"|[ ](?:out of|in (?:every )?(?=\d|ten|a? ?hundred|a? ?thousand))(?: ?\S{1,9})?"
    r"|[ ]?(?:times|mal|fois|veces|volte|vezes|keer|раза?|razy)(?!\w)"
    r"|[ ]?[\u4e07\u842c\u5104\u4ebf\u5146\u5343\u767e\u5341]|[ ]?(?:\ub9cc|\uc5b5|\ucc9c|\ubc31)"
    r"|[ ]?[\u4e00-\u9fff]?(?:以上|以下|以内|未满|未満|左右)"
    r"|[ ]?[ap]\.? ?m\.?(?!\w)|[ ](?:bce?|ad|ce|v\. ?chr)(?!\w)"
)
_ON_WORD = re.compile(
    r"-[^\W\d_]+|[ ](?:hundred|thousand|million|billion|trillion|dozen|score|hundert|tausend|million(?:en|es|i)?|mil"
    r"|milli[aoe]rd\w*|millones|milioni|milhões|miljoen|miljard|тысяч\w*|миллион\w*|миллиард\w*|tysi\w+|milion\w*|mille"
    r"|percent|per ?cent|prozent|pour ?cent|por ciento|per cento|por cento|procent|процент\w*|times|fold"
    rf"|{_FRACTIONS}|point|comma|virgule|komma|coma)(?!\w)"
    rf"|{_AND_A_HALF}"
    r"|[ ](?:out of|in (?:every )?(?=ten|(?:a )?hundred|two|three|four|five|six|seven|eight|nine))(?: ?\S{1,9})?"
    r"|[ ](?:to|or|bis|oder|à|ou|o|tot|of) (?P<other>[^\W\d_]+)"
)
_UNIT = re.compile(r" ?-?(?P<words>[^\W\d_]{1,12}|\u00b0 ?[cfk]?)(?![^\W_])")
# Units that are plain words, too: in letters of this case alone they measure, or with this behind them.
_PLAIN = frozenset("a in as s h t b k j f v w d g l m c second oz".split())
# Units that are words of a sentence behind a year.
_NO_YEARS = frozenset(
    "points min ha mi degree degrees minute minutes seconds cent pound pounds foot feet ma nm hours days weeks months"
    " years year month week day hour decade decades century centuries jahre tage stunden ans jours heures años días"
    " horas anni giorni ore anos dias tons euros dollars cents bar bit bits".split()
)
_INCHES = re.compile(
    r"[ -]?in(?:\.|(?= (?:wide|long|high|deep|thick|tall|of rain|of snow|in diameter|by \d|x \d)))"
)
_MEASURED = re.compile(r"[ -]?(?P<words>[a-zA-Z])(?=[\s.,;:)]|\Z)")
_MEASURES = frozenset("mgltshkbdcvwjfAVWJKCFTHNLBPM")
_GROUPED = re.compile(r"(?<![\d.,])\d{1,3} \Z")
_THREE = re.compile(r"\d{3}(?!\d)")
_TOKEN = re.compile(r"\S+")
_NUMBER = re.compile(r"[$\u20ac\u00a3\u00a5]?\d[\d.,:]*%?\w{0,3}")
_MONEY = "\u20ac\u00a3\u00a5$\u20b9\u20bd\u20a9\u20ba\u20aa\u0e3f\u20ab"
_SIGN_APART = re.compile(
    rf"(?:[<\u2264\u2265\u2248~\u00b1+\u2212=]|\+/-)\s\Z|[{_MONEY}]\s?\Z|[<>\u2264\u2265\u2248~\u221a\u2212]\Z"
    r"|\d ?[/\u00d7*^\u00f7] ?\Z"
)
_MANY = (
    "超过|超過|不到|至少|至多|最多|最少|大约|大約|大概|接近|将近|將近|不足|少于|少於|多于|多於|低于|低於|高于|高於|大于|大於|小于|小於"
    "|逾|およそ|最大|最低|最高|少なくとも|多くとも|せいぜい|わずか|ほぼ|マイナス"
)
_UNSPACED_ABOUT = re.compile(f"(?:[约約近负負]|{_MANY})\\Z")
# The same in front of a number in letters, where one letter alone is too often of another word.
_HAN_NUMBER = re.compile("[〇一二三四五六七八九十百千万萬亿億两兩半数數]")
_HAN_ABOUT = re.compile(f"(?:{_MANY}|(?<![最附靠逼])近|(?<![条條合契公预預节節违違签簽邀制规規盟])[约約])\\Z")
# What a number that ends in a letter that multiplies, or in digits, is a number of, in scripts without spaces.
_HAN_ENDING = re.compile(r"(?:\d[\d.,]{0,20}|[〇一二三四五六七八九两兩])[十百千万萬亿億兆]{1,4}\Z")
_HAN_UNIT = re.compile(
    "[十百千万萬亿億兆]|[多余餘](?=[元人名个個])|美元|欧元|歐元|日元|英镑|英鎊|港元|港币|港幣|人民币|人民幣|元|円|ドル|ユーロ|원|달러|유로"
    "|公斤|千克|毫克|克|吨|噸|トン|キロ|グラム|平方米|平方公里|公里|千米|厘米|毫米|米|公顷|公頃|亩|畝|メートル|升|毫升|リットル"
    "|千瓦|兆瓦|瓦|伏|赫|度|倍|成(?!立)|个百分点|個百分點|ポイント|パーセント|퍼센트|小时|小時|分钟|分鐘|秒|時間|か月|ヶ月"
)
_RANGE = frozenset(
    "- to and or x by bis und oder à et ou y o a al e tot en of до и или do i lub times through".split()
)
_BETWEEN = frozenset("between zwischen entre tra fra tussen между między from von de da van от od".split())
# Words that make a range of two numbers only behind one of these.
_LOOSE = frozenset("and und et y e en и i a of by o".split())
_PAIRED = 6


def number_behind(quote: str, raw: str, text: str) -> Place | None:
    """Return what `text`, the fold of `raw` behind a quote, goes on with of the number at the end of `quote`."""
    ending = quote[-_LONGEST:]
    if ending[-1:] in ".!?\u3002":
        return None
    if not text.isascii() and (_HAN_ENDING.search(ending) is not None or ending[-1:].isdigit()):
        unit = _HAN_UNIT.match(text)
        if unit is not None:
            return unit.span(), DifferenceKind.UNIT
    # The last word alone: looked for from each place on it would take longer than all else.
    last = _LAST.search(ending.rsplit(maxsplit=1)[-1]) if ending.strip() else None
    if last is None:
        return None
    if last["digits"] is None:
        return _behind_letters(last["word"].lower(), raw, text)
    return _behind_digits(ending, raw, text) if ending[-1].isdigit() else None


def _behind_letters(number: str, raw: str, text: str) -> Place | None:
    if number not in NUMBERS:
        return None
    found = _ON_WORD.match(text)
    if found is not None and (found["other"] is None or found["other"] in NUMBERS):
        return found.span(), DifferenceKind.UNIT
    return None if number == "one" else _unit_behind(raw, text, is_year=False)


def _behind_digits(ending: str, raw: str, text: str) -> Place | None:
    found = _ON.match(text)
    is_named, is_year = _NAMED.search(ending) is not None, _YEAR.search(ending) is not None
    if found is not None and is_year and found["raised"]:
        return None  # the mark of a note
    # A word behind the number of a figure or a page is no part of it.
    if found is not None and not (
        is_named and found.group().strip()[0].isalpha() and found.group()[0] == " "
    ):
        return found.span(), DifferenceKind.UNIT
    return None if is_named else _unit_behind(raw, text, is_year=is_year)


def _unit_behind(raw: str, text: str, *, is_year: bool) -> Place | None:
    """Return the unit that stands behind a number; what may be a year is measured in few of them."""
    if not is_year:
        inches = _INCHES.match(text)
        if inches is not None:
            return inches.span(), DifferenceKind.UNIT
        letter = _MEASURED.match(raw)
        if letter is not None and letter["words"] in _MEASURES:
            return letter.span(), DifferenceKind.UNIT
    found = _UNIT.match(text)
    if found is None or found["words"] in _PLAIN or (is_year and found["words"] in _NO_YEARS):
        return None
    if found["words"] not in UNITS and found["words"][0] != "\u00b0":
        return None
    return found.span("words"), DifferenceKind.UNIT


def number_in_front(quote: str, text: str) -> Place | None:
    """Return what in `text`, in front of a quote, belongs to the number that `quote` begins with."""
    if not text.isascii() and _HAN_NUMBER.match(quote) is not None:
        found = _HAN_ABOUT.search(text)
        return None if found is None else (found.span(), DifferenceKind.LIMITER)
    first = _FIRST.match(quote)
    if first is None or (first["digits"] is None and first["word"].lower() not in NUMBERS):
        return None
    has_digits = first["digits"] is not None
    if has_digits and (sign := _sign_in_front(quote, text)) is not None:
        return sign
    tokens = list(_TOKEN.finditer(text))[-_PAIRED:]
    if not tokens or tokens[-1].group()[-1] in ",;:!?" or text[-1:] != " ":
        return None
    *before, last = (token.group().strip("\"'*_(") for token in tokens)
    place = tokens[-1].span()
    kind = _kind_in_front(last, has_digits=has_digits)
    if kind is not None:
        return place, kind
    if last.endswith(".") or not before:
        return None
    both = tokens[-2].start(), place[1]
    if last in LINKS and before[-1] in ABOUT_WITH:
        return both, DifferenceKind.LIMITER
    is_part = (last == "in" and before[-1] in NUMBERS | {"1"}) or _is_range(before, last)
    return (both, DifferenceKind.NUMBER) if is_part else None


def _sign_in_front(quote: str, text: str) -> Place | None:
    """Return the sign, the currency, or the first digits of the number that a quote begins with."""
    found = _SIGN_APART.search(text)
    if found is not None:
        return found.span(), DifferenceKind.SIGN
    found = _GROUPED.search(text) if _THREE.match(quote) else None
    if found is not None:
        return found.span(), DifferenceKind.NUMBER
    found = None if text.isascii() else _UNSPACED_ABOUT.search(text)
    return None if found is None else (found.span(), DifferenceKind.LIMITER)


def _kind_in_front(word: str, *, has_digits: bool) -> DifferenceKind | None:
    """Return what a word right in front of a number is to it."""
    bare = word.rstrip(".")
    if word in ABOUT or bare in ABOUT:
        return DifferenceKind.LIMITER
    if bare in MONEY:
        return DifferenceKind.UNIT
    # Digits behind digits are another number: 1998, 20 ships.
    if _is_number(word) and not (has_digits and word[-1:].isdigit()):
        return DifferenceKind.NUMBER
    return None


def _is_range(before: Sequence[str], last: str) -> bool:
    """Say whether words in front of a number end in another number and what makes a range of both."""
    if last not in _RANGE or before[-1].endswith((".", ",", ";", ":")):
        return False
    if not any(_is_number(word) for word in before[-2:]):
        return False
    return (
        last not in _LOOSE
        or not _BETWEEN.isdisjoint(before)
        or before[-1] in ("hundred", "thousand", "million")
    )


def _is_number(word: str) -> bool:
    return word in NUMBERS or _NUMBER.fullmatch(word) is not None
