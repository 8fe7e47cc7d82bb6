"""What a claim can be wrong about exactly: numbers with their units, dates and times of day, and when two agree."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from pincite.checking._measures import (
    ABOUT,
    AT_LEAST,
    AT_MOST,
    DATE_LEADS,
    MONTHS,
    MULTIPLIERS,
    NUMBER_WORDS,
    TENS,
    UNITS,
    Unit,
)
from pincite.core.fold import UNSPACED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Date = tuple[int | None, int | None, int | None]
"""Year, month and day, as far as they are said."""

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
_ABOUT: Final = 0.05
"""Share by which a number that the claim calls rounded may be off."""
_VERSION: Final = 10_000
"""What no part of a version's number reaches, which has four figures at most."""
_MONEY: Final = "money "
_VERSIONS: Final = "version"


class Fact(NamedTuple):
    """A number, date or time of day at code points `start` to `end` of a text.

    `values` are what it may be worth in the base of its `dimension` ("" for a bare number), `plain` what it may be
    worth without its unit; `places` is the worth of the last digit that was written. `dates` are the readings of a
    date, or of a bare year. `bound` is 1 for a least, -1 for a most. `about` says that the text calls it rounded,
    `scale` is the multiplier that it was written with ("million"). `noun` is the word behind a bare number,
    `lead` the one before it.
    """

    start: int
    end: int
    values: tuple[float, ...] = ()
    plain: tuple[float, ...] = ()
    dimension: str = ""
    places: float = 1.0
    dates: tuple[Date, ...] = ()
    bound: int = 0
    about: bool = False
    spelled: bool = False
    noun: str = ""
    factor: float = 1.0
    scale: float = 1.0
    lead: str = ""

    @property
    def is_date(self) -> bool:
        """Whether it is a date and cannot be a number."""
        return bool(self.dates) and not self.values


# Takes figures; linear: one run.
_FIGURES: Final = re.compile(r"\d+")
# Takes a date in digits, a time, or a numeral; linear: anchored at its first figure, runs are possessive or bounded.
_NUMERAL: Final = re.compile(
    rf"(?<![^\W{WIDE}])(?<![^\W\d_]-)(?:"
    r"(?P<iso>\d{4}-\d{1,2}-\d{1,2}(?![\d-]))"
    r"|(?P<dotted>\d{1,2}(?P<dot>[./])[ ]?\d{1,2}(?P=dot)[ ]?\d{4}(?!\d))"
    r"|(?P<clock>(?<![\d:])\d{1,2}:\d{2}(?::\d{2})?(?![\d:]))"
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
    r"|(?P<symbol>°\s?[CF]\b|[°‰€$£¥₹℃℉])"
    rf"|(?P<kanji>[{WIDE}]{{1,3}})"
    rf"|(?P<word>[^\W\d_{WIDE}]{{1,20}}[²³]?)(?![^\W_{WIDE}]))",
    re.IGNORECASE,
)
# Takes what makes a time one after noon; linear: anchored.
_NOON: Final = re.compile(r"[ \u00a0]?(?P<half>[ap])\.?m\b", re.IGNORECASE)
# Takes what stands between the ends of a range; linear: whole string, short.
_RANGE: Final = re.compile(r"\s?(?:[-–—~〜～]|to|bis|à|a|and|und|et|y|e|or|oder|ou|o|до|から|至|到)\s?")
_ONES: Final = {"one": 1} | {word: number for word, number in NUMBER_WORDS.items() if number < 10}  # noqa: PLR2004 - digits


def facts_of(text: str, words: Iterable[str]) -> list[Fact]:
    """Return the facts of `text` in order; `words` are its words in small letters."""
    found = list(islice(_in_digits(text), _MOST_FACTS))
    numerals = NUMBER_WORDS.keys() & words
    if numerals:
        found = sorted([*found, *_in_words(text, frozenset(numerals), found)])
    return list(_ranges(text, found))


def same(said: Fact, there: Fact) -> bool:
    """Tell whether a fact of the claim is the one in the passage."""
    if said.bound * there.bound < 0:
        return False
    if said.dates and there.dates:
        if any(_within(one, other) for one in said.dates for other in there.dates):
            return True
        if said.is_date or there.is_date:
            return False
    if not said.values or not there.values:
        return False
    if said.dimension == there.dimension:
        return _equal(said, said.values, there.values)
    # A table names the unit in its head, and a bare number there stands for a number of these.
    if not said.dimension or (not there.dimension and not there.noun):
        return _equal(said, said.plain, there.plain)
    return False


def differs(said: Fact, there: Fact) -> bool:
    """Tell whether two facts that are not the same speak of the same thing, as far as their kind tells."""
    if said.dates and there.dates:
        return any(_comparable(one, other) for one in said.dates for other in there.dates)
    if said.is_date or there.is_date:
        return False
    if said.dimension or there.dimension:
        return said.dimension == there.dimension or (
            bool(said.dimension and there.dimension) and _shares(said.plain, there.plain)
        )
    return (bool(said.noun) and said.noun == there.noun) or (bool(said.lead) and said.lead == there.lead)


def in_other_unit(said: Fact, there: Fact) -> bool:
    """Tell whether two facts that are not the same differ in nothing but their unit."""
    return _shares(said.plain, there.plain) and (said.dimension, said.factor) != (
        there.dimension,
        there.factor,
    )


# --- Agreement ---


def _equal(said: Fact, mine: tuple[float, ...], theirs: tuple[float, ...]) -> bool:
    if _shares(mine, theirs):
        return True
    if said.about:
        return any(abs(a - b) <= _ABOUT * max(abs(a), abs(b)) for a in mine for b in theirs)
    # Who speaks of 5.2 million has rounded; from one digit nothing follows.
    step = said.places
    return said.scale > 1.0 and any(
        abs(a) >= step * 10 and abs(a - b) <= step / 2 * (1 + 1e-9) for a in mine for b in theirs
    )


def _shares(mine: tuple[float, ...], theirs: tuple[float, ...]) -> bool:
    return any(abs(a - b) <= 1e-9 * max(1.0, abs(a), abs(b)) for a in mine for b in theirs)


def _within(said: Date, there: Date) -> bool:
    """Tell whether a date says nothing beyond another: a month is within a day of it."""
    return all(mine is None or mine == theirs for mine, theirs in zip(said, there, strict=True))


def _comparable(said: Date, there: Date) -> bool:
    return all((mine is None) == (theirs is None) for mine, theirs in zip(said, there, strict=True)) or (
        said[0] is not None
        and there[0] is not None
        and said[0] != there[0]
        and (said[1] is None or there[1] is None or said[1:] == there[1:])
    )


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
    before = text[max(0, start - _BEFORE) : start]
    if kind in {"iso", "dotted", "wide"}:
        dates = _dates([int(part) for part in re.findall(r"\d+", match.group())], kind, match.group())
        return _bounded(Fact(start, end, dates=dates), before) if dates else None
    raw = match["number"]
    dated = _dated(text, raw, start, end, before)
    if dated is not None:
        return _bounded(dated, before[: len(before) - (start - dated.start)])
    number = _number(raw)
    if number is None:
        return _version(raw, start, end)
    values, places = number
    negative = _is_negative(text, start)
    if negative:
        values, start, before = tuple(-value for value in values), start - 1, before[:-1]
    fact = Fact(start, end, values, values, places=places)
    money = _MONEY_BEFORE.search(before)
    if money is not None:
        before = before[: money.start()]
        fact = _in_unit(fact._replace(start=start - len(money.group())), UNITS[money["money"].casefold()])
    fact = _measured(text, fact)
    if raw.isdecimal() and int(raw) in _YEARS and not fact.dimension and fact.factor == 1.0 and not negative:
        fact = fact._replace(dates=((int(raw), None, None),))
        lead = _WORDS_BEFORE.findall(before)
        if not fact.noun or (lead and lead[-1].casefold() in DATE_LEADS):
            fact = fact._replace(noun="")
    return _bounded(fact, before)


def _clock(text: str, match: re.Match[str]) -> Fact:
    hours, minutes = (int(part) for part in match["clock"].split(":")[:2])
    end = match.end()
    noon = _NOON.match(text, end)
    if noon is not None:
        hours = hours % 12 + (12 if noon["half"].lower() == "p" else 0)
        end = noon.end()
    return Fact(match.start(), end, (float(hours * 60 + minutes),), dimension="clock")


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
        value = value * _VERSION + int(part) + 1
    return Fact(start, end, (value,), dimension=_VERSIONS)


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
        elif unit is not None and not fact.dimension:
            fact = _in_unit(fact, unit)._replace(end=end)
        else:
            if not fact.dimension and found["word"]:
                fact = fact._replace(noun=folded)
            break
    return fact


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
    matches = list(_WORDS_BEFORE.finditer(before))[-3:]
    if not matches:
        return fact
    words = [match.group().casefold() for match in matches]
    if before[matches[-1].end() :] in {" ", "\u00a0"}:
        fact = fact._replace(lead=words[-1])
    # The longest first: "no more than" is a most, "more than" a least.
    for at, match in enumerate(matches):
        phrase = " ".join(words[at:])
        if phrase in AT_LEAST or phrase in AT_MOST:
            start = fact.start - len(before) + match.start()
            return fact._replace(start=start, bound=1 if phrase in AT_LEAST else -1)
    return fact._replace(about=True) if words[-1] in ABOUT else fact


@lru_cache(maxsize=256)
def _numerals(words: frozenset[str]) -> re.Pattern[str]:
    """Take those numbers that are written as one of `words`, or two, in small letters; linear: a list of words.

    Only those that a text has: to look for all of them takes longer than all else that is done with it.
    """
    tens = "|".join(sorted(words & TENS.keys()))
    pair = rf"(?P<tens>{tens})[- ](?P<ones>{'|'.join(_ONES)})|" if tens else "(?P<tens>(?!))(?P<ones>)|"
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
        value = float(NUMBER_WORDS[word] if word else TENS[match["tens"]] + _ONES[match["ones"]])
        fact = _spelled(text, match, value)
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


def _continues(text: str, before: Fact, after: Fact) -> bool:
    """Tell whether two numerals are one: two hundred and fifty."""
    gap = text[before.end : after.start]
    small = after.scale == 1.0 and after.plain[0] < before.scale
    return small and not before.dimension and gap in {" ", " and ", "-"}


def _ranges(text: str, found: list[Fact]) -> Iterator[Fact]:
    """Yield facts, of a range with one unit both ends with it: `5 to 10 days`."""
    for at, fact in enumerate(found):
        after = found[at + 1] if at + 1 < len(found) else None
        bare = not fact.dimension and not fact.dates
        if after is None or not bare or _RANGE.fullmatch(text, fact.end, after.start) is None:
            yield fact
            continue
        scaled = _times(fact, after.scale) if after.scale > 1.0 and fact.scale == 1.0 else fact
        if after.dimension not in {"", "clock", _VERSIONS}:
            scaled = _in_unit(scaled, Unit(after.dimension, after.factor))
        yield scaled._replace(noun=after.noun)
