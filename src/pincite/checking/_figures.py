"""How numbers, dates and times of day are read from a text."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Final

from pincite.checking._facts import ORDINAL, VERSION, VERSIONS, Date, Fact
from pincite.checking._measures import (
    ABOUT,
    AT_LEAST,
    AT_MOST,
    DATE_LEADS,
    KANJI,
    MEASURES,
    MONTHS,
    MULTIPLIERS,
    NUMBER_WORDS,
    NUMBERED,
    ONES,
    ORDINALS,
    PARTS,
    TENS,
    TIMELY,
    UNITS,
    WIDE_LEAST,
    WIDE_MOST,
    Unit,
)
from pincite.core.fold import UNSPACED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

WIDE: Final = f"{UNSPACED}\uac00-\ud7a3"
"""Letters that stand beside figures without a space, as the inside of a character class."""
_MOST_DIGITS: Final = 15
"""Digits that a floating-point number keeps; a longer numeral is a name."""
_MOST_FACTS: Final = 20_000
"""Numbers of one text that are read; one with more is a table."""
_GROUP: Final = 3
_YEARS: Final = range(1100, 2100)
_DAYS: Final = range(1, 32)
_MONTHS: Final = range(1, 13)
_BEFORE: Final = 24
"""Code points before a numeral in which a currency, a month or "more than" is looked for."""
_NOON_HOUR: Final = 12
_HALF_DAY: Final = 720
_MONEY: Final = "money "
_RATIOS: Final = "ratio"
_DEGREES: Final = "degree"
_SCALES: Final = frozenset({"celsius", "fahrenheit"})
_DENYING: Final = frozenset("not no never cannot nicht kein keine keinen non no не".split())
"""Words before "more than" or "exceed" that make the other bound of it."""
_SINGLE: Final = frozenset("per each one every a pro par je".split())
"""Words before "second" that make a unit of it."""


# Takes figures; linear: one run.
_FIGURES: Final = re.compile(r"\d+")
# Takes a date in digits, a time, or a numeral; linear: anchored at its first figure, runs are possessive or bounded.
_NUMERAL: Final = re.compile(
    rf"(?:(?<![^\W{WIDE}])|(?<=\b[vV])(?=\d+\.\d))(?<![^\W\d_]-)(?:"
    r"(?P<iso>\d{4}-\d{1,2}-\d{1,2}(?![\d-]))"
    r"|(?P<dotted>\d{1,2}(?P<dot>[./])[ ]?\d{1,2}(?P=dot)[ ]?\d{4}(?!\d))"
    r"|(?P<clock>(?<![\d:])\d{1,2}:\d{2}(?::\d{2})?(?![\d:]))"
    r"|(?P<ratio>(?<![\d:])\d{1,4}:\d{1,4}(?![\d:]))"
    r"|(?P<wide>(?:\d{2,4}年(?:\d{1,2}月(?:\d{1,2}日)?)?|\d{1,2}月\d{1,2}日)(?!間|间))"
    r"|(?P<number>\d{1,3}(?:[ \u00a0\u202f\u2009'’]\d{3})++(?!\d)(?:[.,]\d++)?+|\d++(?:[.,٫٬]\d++)*+))"
)
# Takes a day's month and year behind its number; linear: anchored, bounded.
_MONTH_AFTER: Final = re.compile(
    r"(?:st|nd|rd|th|\.|º|er)?+[ \u00a0](?:(?:of|de|do)[ ])?+(?P<month>[^\W\d_]{3,10}+)\.?"
    r"(?:,?[ \u00a0](?:(?:of|de|do)[ ])?+(?P<year>\d{4})(?!\d))?"
)
# Takes a year behind a month and a day; linear: anchored, bounded.
_YEAR_AFTER: Final = re.compile(r"(?:st|nd|rd|th)?+(?:,?[ \u00a0](?P<year>\d{4})(?![\d.,]\d|\d|\s?%))?")
# Takes the month right before a numeral; linear: one bounded run up to the end of a short window.
_MONTH_BEFORE: Final = re.compile(r"(?<![^\W_])(?P<month>[^\W\d_]{3,10})\.?[ \u00a0](?:(?:of|de|do)[ ])?\Z")
# Takes what makes an amount of money of the numeral behind it; linear: anchored at the end of a short window.
_MONEY_BEFORE: Final = re.compile(r"(?P<money>[$€£¥₹]|\b(?:US\$|USD|EUR|GBP|CHF|JPY))[ \u00a0]?\Z")
# Takes the last words before a numeral; linear: one class and bounded.
_WORDS_BEFORE: Final = re.compile(r"[^\W\d_]+|[~≈<>≤≥]")
# Takes a unit, multiplier or other word behind a numeral; linear: anchored, bounded.
_AFTER: Final = re.compile(
    r"(?:st|nd|rd|th)?+[ \u00a0\u202f\u2009-]?(?:"
    r"(?P<points>(?:percentage|percent|prozent)[ -]?(?:points?|punkten?)\b|points? de pourcentage\b)"
    r"|(?P<percent>[%％٪]|per ?cent\b|pour ?cents?\b|por ?ciento\b|per ?cento\b)"
    r"|(?P<symbol>°\s?[CF]\b|[°‰€$£¥₹℃℉]|o['’]clock\b)"
    rf"|(?P<kanji>[{WIDE}]{{1,3}})"
    rf"|(?P<word>[^\W\d_{WIDE}]{{1,20}}[²³]?)(?![^\W_{WIDE}]))",
    re.IGNORECASE,
)
# Takes what makes a time one after noon; linear: anchored.
_NOON: Final = re.compile(r"[ \u00a0]?(?P<half>[ap])\.?m\b", re.IGNORECASE)
# Takes what makes an ordinal of the figures before it; linear: anchored.
_NTH: Final = re.compile(r"(?:st|nd|rd|th)\b")
# Takes what stands between the ends of a range; linear: whole string, short.
_RANGE: Final = re.compile(r"\s?(?:[-–—~〜～]|to|bis|à|a|and|und|et|y|e|or|oder|ou|o|до|から|至|到)\s?")
# Takes what stands between the parts of a ratio or score; linear: whole string, short.
_SCORE: Final = re.compile(r"\s?[-–]\s?|\s(?:to|zu)\s|比")
# Takes what something is counted by; linear: anchored, bounded.
_PER: Final = re.compile(
    r"\s?(?:/|per|pro|par|por|an?|je|each|every)\s?(?P<unit>[^\W\d_]{1,20})(?![^\W_])", re.IGNORECASE
)
# Takes a numeral in Chinese characters before what it counts, with the whole that it is a part of; linear: possessive
# runs of one class, which no other run may follow.
_FIGURE: Final = f"[{''.join(KANJI)}]++"
_KANJI: Final = re.compile(
    rf"(?P<nth>第)?(?:(?P<whole>{_FIGURE})分之)?(?P<run>{_FIGURE})(?P<counts>{'|'.join(MEASURES)})?+"
    r"|(?P<half>一半)"
)
# Takes a part of a whole that is written in words; linear: short words.
_PART: Final = re.compile(
    rf"\b(?:(?P<ones>{'|'.join(sorted(ONES, key=len, reverse=True))})[ -])?"
    rf"(?P<part>{'|'.join(sorted(PARTS, key=len, reverse=True))})"
    r"(?= (?:of|der|des|von|de|du|d['’]|dei|delle|degli|del)\b)"
    r"|\b(?P<half>half|halves)(?= (?:the|all|its|their|our)\b)",
    re.IGNORECASE,
)
_DIGITS: Final = {"one": 1} | {word: number for word, number in NUMBER_WORDS.items() if number < 10}  # noqa: PLR2004 - digits
_WRITTEN: Final = NUMBER_WORDS | ORDINALS | {"one": 1}


def facts_of(text: str, words: Iterable[str]) -> list[Fact]:
    """Return the facts of `text` in order; `words` are its words in small letters."""
    found = list(islice(_in_digits(text), _MOST_FACTS))
    words = frozenset(words)
    if not PARTS.keys().isdisjoint(words):
        found = _with(found, _in_parts(text))
    numerals = frozenset(_WRITTEN.keys() & words)
    if numerals:
        found = sorted([*found, *_in_words(text, numerals, found)])
    if not text.isascii():
        found = _with(found, _in_kanji(text))
    return list(_ranges(text, found))


def _with(found: list[Fact], more: Iterable[Fact]) -> list[Fact]:
    """Return facts with those of `more` that share no place with them, in order."""
    starts = [fact.start for fact in found]
    free = [
        one for one in more if (near := bisect_left(starts, one.end) - 1) < 0 or found[near].end <= one.start
    ]
    return sorted([*found, *free]) if free else found


# --- Reading ---


def _in_digits(text: str) -> Iterator[Fact]:
    at = 0
    while figures := _FIGURES.search(text, at):
        match = _NUMERAL.match(text, figures.start())
        fact = None if match is None else _fact(text, match)
        if fact is not None:
            yield fact
        at = max(figures.end() if match is None else match.end(), 0 if fact is None else fact.end)


def _is_negative(text: str, start: int) -> bool:
    """Tell whether the numeral at `start` has a sign before it, and not a hyphen or the dash of a range."""
    if not start or text[start - 1] not in "-−–":
        return False
    before = text[max(0, start - 3) : start - 1]
    if before[-1:].isalnum() or before[-1:] in {".", ",", ")", "]", "%", "_"}:
        return False
    return not (before[-1:].isspace() and before[:1].isdecimal())


def _fact(text: str, match: re.Match[str]) -> Fact | None:
    kind, start, end = match.lastgroup, match.start(), match.end()
    if kind == "clock":
        return _clock(text, match)
    if kind == "ratio":
        return _ratio(start, end, *map(float, match.group().split(":")))
    before = text[max(0, start - _BEFORE) : start]
    if kind in {"iso", "dotted", "wide"}:
        dates = _dates([int(part) for part in re.findall(r"\d+", match.group())], kind, match.group())
        return _bounded(Fact(start, end, dates=dates), before) if dates else None
    raw = match["number"]
    dated = _dated(text, raw, start, end, before)
    if dated is not None:
        return _bounded(dated, before[: len(before) - (start - dated.start)])
    number = _number(raw)
    if number is None or (raw.count(".") == 1 and _is_numbered(before)):
        return _version(raw, start - (before[-1:] in {"v", "V"}), end)
    noon = _NOON.match(text, end) if raw.isdecimal() and int(raw) <= _NOON_HOUR else None
    if noon is not None:
        return _at_hour(start, noon, int(raw) * 60)
    return _numbered(text, Fact(start, end, number[0], number[0], places=number[1]), before)


def _numbered(text: str, fact: Fact, before: str) -> Fact:
    """Return the fact of a number with its sign, currency, unit and bound; it may also be a year."""
    start, end = fact.start, fact.end
    raw = text[start:end]
    negative = _is_negative(text, start)
    if negative:
        values, start, before = tuple(-value for value in fact.values), start - 1, before[:-1]
        fact = fact._replace(start=start, values=values, plain=values)
    money = _MONEY_BEFORE.search(before)
    if money is not None:
        before = before[: money.start()]
        fact = _in_unit(fact._replace(start=start - len(money.group())), UNITS[money["money"].casefold()])
    fact = _measured(text, fact)
    if _NTH.match(text, end) is not None and not fact.dimension:
        fact = fact._replace(dimension=ORDINAL, end=end + 2)
    if raw.isdecimal() and int(raw) in _YEARS and not fact.dimension and fact.factor == 1.0 and not negative:
        fact = fact._replace(dates=((int(raw), None, None),))
        lead = _WORDS_BEFORE.findall(before)
        if not fact.noun or (lead and lead[-1].casefold() in DATE_LEADS):
            fact = fact._replace(noun="")
    return _bounded(fact, before)


def _clock(text: str, match: re.Match[str]) -> Fact:
    hours, minutes = (int(part) for part in match["clock"].split(":")[:2])
    noon = _NOON.match(text, match.end())
    if noon is not None:
        return _at_hour(match.start(), noon, hours * 60 + minutes)
    end = match.end() + (4 if text.startswith(" Uhr", match.end()) else 0)
    return Fact(match.start(), end, (float(hours * 60 + minutes),), dimension="clock")


def _at_hour(start: int, noon: re.Match[str], minutes: int) -> Fact:
    """Return the time of day that is `minutes` into the half of the day that `noon` names."""
    minutes = minutes % _HALF_DAY + (_HALF_DAY if noon["half"].lower() == "p" else 0)
    return Fact(start, noon.end(), (float(minutes),), dimension="clock")


def _ratio(start: int, end: int, first: float, second: float) -> Fact:
    """Return a ratio or score, which equals itself alone."""
    return Fact(start, end, (first * VERSION + second,), dimension=_RATIOS)


def _is_numbered(before: str) -> bool:
    """Tell whether a numeral behind `before` names a version or section, of which each part counts alone."""
    words = _WORDS_BEFORE.findall(before)
    return before.endswith(("§ ", "§")) or (bool(words) and words[-1].casefold() in NUMBERED)


def _dates(parts: list[int], kind: str, raw: str) -> tuple[Date, ...]:
    if kind == "iso":
        readings: list[Date] = [(parts[0], parts[1], parts[2])]
    elif kind == "dotted":
        first, second, year = parts
        # With full stops the day comes first; with slashes either may.
        readings = [(year, second, first)] if "." in raw else [(year, second, first), (year, first, second)]
    else:
        names = [mark for mark in "年月日" if mark in raw]
        named = dict(zip(names, parts, strict=False))
        readings = [(named.get("年"), named.get("月"), named.get("日"))]
    return tuple(
        one
        for one in readings
        if (one[1] is None or one[1] in _MONTHS) and (one[2] is None or one[2] in _DAYS)
    )


def _dated(text: str, raw: str, start: int, end: int, before: str) -> Fact | None:
    """Return the date that a numeral is part of, where a month's name stands beside it."""
    if not raw.isdecimal() or len(raw) > 4:  # noqa: PLR2004 - a year's digits
        return None
    number = int(raw)
    lead = _MONTH_BEFORE.search(before)
    month = None if lead is None else _month(lead["month"])
    if lead is not None and month is not None and (number in _DAYS or number in _YEARS):
        first = start - (len(before) - lead.start("month"))
        if number in _YEARS:
            return Fact(first, end, dates=((number, month, None),))
        after = _YEAR_AFTER.match(text, end)
        year = after["year"] if after is not None else None
        return Fact(
            first,
            after.end() if after is not None and year else end,
            dates=((int(year) if year else None, month, number),),
        )
    after = _MONTH_AFTER.match(text, end) if number in _DAYS else None
    month = None if after is None else _month(after["month"])
    if after is None or month is None:
        return None
    year = after["year"]
    return Fact(start, after.end(), dates=((int(year) if year else None, month, number),))


def _month(word: str) -> int | None:
    # "may" and "mars" in small letters are other words as often.
    return None if word in {"may", "mar", "dec", "jan"} else MONTHS.get(word.casefold())


def _number(raw: str) -> tuple[tuple[float, ...], float] | None:
    """Read a numeral: its values and the worth of its last place. `1,200` is 1200 or 1.2; `3.11.2` is no number."""
    plain = raw.translate(_SEPARATORS)
    if sum(char.isdecimal() for char in plain) > _MOST_DIGITS:
        return None
    commas, dots = plain.count(","), plain.count(".")
    if not commas and not dots:
        return (float(plain),), _last_place(plain)
    last = max(plain.rfind(","), plain.rfind("."))
    whole, fraction = plain[:last].replace(",", "").replace(".", ""), plain[last + 1 :]
    decimal = float(f"{whole}.{fraction}")
    step = 10.0 ** -len(fraction)
    if commas and dots:
        return ((decimal,), step) if plain.count(plain[last]) == 1 else None
    groups = plain.split(plain[last])
    grouped = (
        groups[0] != "0" and len(groups[0]) <= _GROUP and all(len(group) == _GROUP for group in groups[1:])
    )
    if commas + dots > 1:
        return ((float("".join(groups)),), _last_place("".join(groups))) if grouped else None
    return ((float("".join(groups)), decimal), step) if grouped else ((decimal,), step)


def _version(raw: str, start: int, end: int) -> Fact | None:
    """Return what is no number because it has several points, 3.11.2, as one that equals itself alone."""
    parts = raw.split(".")
    if len(parts) > 4 or not all(part.isdecimal() and len(part) <= 4 for part in parts):  # noqa: PLR2004 - as many as a float holds, of four figures each
        return None
    value = 0.0
    for part in parts:
        value = value * VERSION + int(part) + 1
    return Fact(start, end, (value,), dimension=VERSIONS)


def _last_place(digits: str) -> float:
    """Return the worth of the last digit that is no closing zero."""
    return 10.0 ** (len(digits) - len(digits.rstrip("0"))) if digits.strip("0") else 1.0


_SEPARATORS: Final = str.maketrans("٫٬", ".,", " \u00a0\u202f\u2009'’")


def _measured(text: str, fact: Fact) -> Fact:
    """Return a fact with what follows its numeral: multipliers, a unit, or the word that it counts."""
    for _ in range(3):
        found = _AFTER.match(text, fact.end)
        if found is None:
            break
        if found["points"] or found["percent"]:
            unit = UNITS["%" if found["percent"] else "pp"]
            return _in_unit(fact, unit)._replace(end=found.end())
        word, end = _unit_word(found)
        folded = word.casefold()
        multiplier = MULTIPLIERS.get(folded)
        unit = UNITS.get(word) or UNITS.get(folded)
        # A letter multiplies money only: `$45m`, but 45 m.
        if multiplier is not None and (len(word) > 1 or ord(word) > 127 or fact.dimension.startswith(_MONEY)):  # noqa: PLR2004 - ASCII
            fact = _times(fact, multiplier)._replace(end=end)
        elif unit is not None and (
            not fact.dimension or (fact.dimension == _DEGREES and unit.dimension in _SCALES)
        ):
            fact = _in_unit(fact, unit)._replace(end=end)
        else:
            counted = found["word"] or next((one for one in MEASURES if word.startswith(one)), "")
            if not fact.dimension and counted:
                return _counted_by(text, fact._replace(noun=counted.casefold()), found.end())
            break
    return _counted_by(text, fact, fact.end) if fact.dimension else fact


def _counted_by(text: str, fact: Fact, end: int) -> Fact:
    """Return a fact with the unit that it is counted by, where one stands at `end`."""
    found = _PER.match(text, end)
    unit = None if found is None else UNITS.get(found["unit"].casefold())
    return fact if found is None or unit is None else fact._replace(per=unit, shown=found.end())


def _unit_word(found: re.Match[str]) -> tuple[str, int]:
    """Return what may be a unit, and where it ends: in scripts without spaces, the longest that is one."""
    run = found["kanji"]
    if run is None:
        symbol = found["symbol"] or found["word"]
        return symbol.replace(" ", "").replace("\u00a0", ""), found.end()
    for length in range(len(run), 0, -1):
        if run[:length] in UNITS or run[:length] in MULTIPLIERS:
            return run[:length], found.start("kanji") + length
    return run, found.end()


def _times(fact: Fact, factor: float) -> Fact:
    return fact._replace(
        values=tuple(_exact(value * factor) for value in fact.values),
        plain=tuple(_exact(value * factor) for value in fact.plain),
        places=fact.places * factor,
        scale=fact.scale * factor,
    )


def _in_unit(fact: Fact, unit: Unit) -> Fact:
    return fact._replace(
        values=tuple(_exact(value * unit.factor) for value in fact.plain),
        dimension=unit.dimension,
        factor=unit.factor,
        places=fact.places * unit.factor,
    )


def _exact(value: float) -> float:
    """Return a value without the noise of its last places."""
    return float(f"{value:.12g}")


def _bounded(fact: Fact, before: str) -> Fact:
    """Return a fact with what the words before it make of it: a least, a most, something near it, the third room."""
    for phrases, bound in ((WIDE_LEAST, 1), (WIDE_MOST, -1)) if not before.isascii() else ():
        for phrase in phrases:
            if before.endswith(phrase):
                return fact._replace(start=fact.start - len(phrase), bound=bound)
    matches = list(_WORDS_BEFORE.finditer(before))[-4:]
    if not matches:
        return fact
    words = [match.group().casefold() for match in matches]
    if before[matches[-1].end() :] in {" ", "\u00a0"}:
        fact = fact._replace(lead=words[-1])
    # The longest first: "no more than" is a most, "more than" a least.
    for at, match in enumerate(matches):
        phrase = " ".join(words[at:])
        if phrase in AT_LEAST or phrase in AT_MOST:
            bound = 1 if phrase in AT_LEAST else -1
            if at and words[at - 1] in _DENYING:
                match, bound = matches[at - 1], -bound  # noqa: PLW2901 - the bound begins with what turns it round
            start = fact.start - len(before) + match.start()
            return fact._replace(start=start, bound=bound, timely=phrase in TIMELY)
    return fact._replace(about=True) if words[-1] in ABOUT else fact


@lru_cache(maxsize=256)
def _numerals(words: frozenset[str]) -> re.Pattern[str]:
    """Take those numbers that are written as one of `words`, or two, in small letters; linear: a list of words.

    Only those that a text has: to look for all of them takes longer than all else that is done with it.
    """
    tens = "|".join(sorted(words & TENS.keys()))
    pair = rf"(?P<tens>{tens})[- ](?P<ones>{'|'.join(_DIGITS)})|" if tens else "(?P<tens>(?!))(?P<ones>)|"
    return re.compile(rf"(?:{pair}(?P<word>{'|'.join(sorted(words, key=len, reverse=True))}))(?!\w)")


def _in_words(text: str, numerals: frozenset[str], taken: Sequence[Fact]) -> Iterator[Fact]:
    """Yield the numbers that are written as words, where no other fact stands."""
    small = text.lower()
    if len(small) != len(text):  # one letter in small is two: its places would be others
        return
    starts = [fact.start for fact in taken]
    last: Fact | None = None
    for match in _numerals(numerals).finditer(small):
        start = match.start()
        near = bisect_left(starts, match.end()) - 1
        if (
            (start and small[start - 1].isalnum())
            or (near >= 0 and taken[near].end > start)
            or (last is not None and start < last.end)
        ):
            continue
        word = match["word"]
        value = float(_WRITTEN[word] if word else TENS[match["tens"]] + _DIGITS[match["ones"]])
        if word in ORDINALS and word not in NUMBER_WORDS:
            fact = _ordinal(text, match, value)
        else:
            fact = _spelled(text, match, value)
            if word == "one" and not fact.dimension:
                continue
        if fact is None:
            continue
        if last is not None and _continues(text, last, fact):
            fact = _spelled(text, match, last.plain[0] + value)._replace(start=last.start, bound=last.bound)
        elif last is not None:
            yield last
        last = fact
    if last is not None:
        yield last


def _spelled(text: str, match: re.Match[str], value: float) -> Fact:
    fact = _measured(text, Fact(match.start(), match.end(), (value,), (value,), spelled=True))
    return _bounded(fact, text[max(0, match.start() - _BEFORE) : match.start()])


def _ordinal(text: str, match: re.Match[str], value: float) -> Fact | None:
    """Return the ordinal of a match, with the word that it counts; None where it is a unit: per second."""
    before = text[max(0, match.start() - _BEFORE) : match.start()]
    leads = _WORDS_BEFORE.findall(before)
    lead = leads[-1].casefold() if leads else ""
    if match.group() in UNITS and lead in _SINGLE:
        return None
    after = _AFTER.match(text, match.end())
    noun = (after["word"] or "").casefold() if after is not None else ""
    return Fact(match.start(), match.end(), (value,), (value,), ORDINAL, spelled=True, noun=noun, lead=lead)


def _in_parts(text: str) -> Iterator[Fact]:
    """Yield parts of a whole, as shares: a third of, half the."""
    for match in _PART.finditer(text):
        part = (match["part"] or match["half"]).casefold()
        ones = (match["ones"] or "a").casefold()
        if PARTS[part] > 2 and not match["ones"]:  # noqa: PLR2004 - a half needs no article
            continue
        if part in ORDINALS and ones in {"der", "die", "la"}:
            continue
        value = 100.0 * ONES[ones] / PARTS[part]
        fact = Fact(match.start(), match.end(), (value,), (value,), "share", spelled=True)
        yield _bounded(fact, text[max(0, fact.start - _BEFORE) : fact.start])


def _in_kanji(text: str) -> Iterator[Fact]:
    """Yield the numbers that are written in Chinese characters, before what they count or as parts of a whole."""
    for match in _KANJI.finditer(text):
        start, run = match.start(), match["run"]
        if match["half"]:
            yield Fact(start, match.end(), (50.0,), (50.0,), "share")
            continue
        if len(run) > _MOST_DIGITS or (start and text[start - 1].isdecimal()):
            continue
        value, whole = _of_kanji(run), _of_kanji(match["whole"] or "")
        if match["whole"]:
            if whole:
                share = 100.0 * value / whole
                yield Fact(start, match.end("run"), (share,), (share,), "share")
        elif match["nth"]:
            yield Fact(start, match.end("run"), (value,), (value,), ORDINAL, noun=match["counts"] or "")
        elif match["counts"] and run != "一":  # "一个" is "a"
            fact = _measured(text, Fact(start, match.end("run"), (value,), (value,)))
            fact = fact._replace(end=max(fact.end, match.end()))
            yield _bounded(fact, text[max(0, start - _BEFORE) : start])


def _of_kanji(run: str) -> float:
    """Return what a numeral in Chinese characters is worth: 三百二十, or figure by figure 二〇二四."""
    if not any(KANJI[char] >= 10 for char in run):  # noqa: PLR2004 - no multiplier
        return float("".join(str(KANJI[char]) for char in run) or 0)
    total = part = digit = 0
    for char in run:
        worth = KANJI[char]
        if worth < 10:  # noqa: PLR2004 - a figure
            digit = worth
        elif worth < 10_000:  # noqa: PLR2004 - ten, hundred, thousand
            part, digit = part + (digit or 1) * worth, 0
        else:
            total, part, digit = total + (part + digit or 1) * worth, 0, 0
    return float(total + part + digit)


def _continues(text: str, before: Fact, after: Fact) -> bool:
    """Tell whether two numerals are one: two hundred and fifty."""
    gap = text[before.end : after.start]
    small = after.scale == 1.0 and after.plain[0] < before.scale
    return small and not before.dimension and gap in {" ", " and ", "-"}


def _ranges(text: str, found: list[Fact]) -> Iterator[Fact]:
    """Yield facts, of a range with one unit both ends with it: `5 to 10 days`."""
    taken = -1
    for at, fact in enumerate(found):
        after = found[at + 1] if at + 1 < len(found) else None
        if at == taken:
            continue
        if after is not None and _is_score(text, fact, after):
            taken = at + 1
            yield _ratio(fact.start, after.end, fact.values[0], after.values[0])
            continue
        bare = not fact.dimension and not fact.dates
        if after is None or not bare or _RANGE.fullmatch(text, fact.end, after.start) is None:
            yield fact
            continue
        scaled = _times(fact, after.scale) if after.scale > 1.0 and fact.scale == 1.0 else fact
        if after.dimension not in {"", "clock", VERSIONS}:
            scaled = _in_unit(scaled, Unit(after.dimension, after.factor))
        yield scaled._replace(noun=after.noun)


def _is_score(text: str, fact: Fact, after: Fact) -> bool:
    """Tell whether two numbers are a ratio or score: 3 zu 1, 3比1, 3-1, which is no range."""
    if fact.spelled or after.spelled or fact.dimension or after.dimension or fact.dates or after.dates:
        return False
    if not fact.values or not after.values or max(fact.values[0], after.values[0]) >= VERSION or fact.bound:
        return False
    gap = text[fact.end : after.start]
    if _SCORE.fullmatch(gap) is None:
        return False
    # What else stands between a smaller and a greater number stands between the ends of a range.
    return "zu" in gap or "比" in gap or fact.values > after.values
