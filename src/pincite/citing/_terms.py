"""What a sentence is matched by: its words, pairs of characters and figures, and what its clauses deny."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from pincite.citing._lexicon import (
    APPROXIMATORS,
    BOUNDS,
    COMPANIONS,
    CONCEPT_STEMS,
    CONCEPT_WORDS,
    CONJUNCTIONS,
    FUNCTION_WORDS,
    MONEY_SUFFIXES,
    MONTHS,
    MULTIPLIERS,
    NEGATED,
    NEGATORS,
    NUMBER_WORDS,
    TALK_WORDS,
    UNITS,
)

if TYPE_CHECKING:
    from collections.abc import Callable

_LONGEST_WORD: Final = 48
"""Code points of a word that are looked at; longer runs are keys, hashes and noise."""
_LONGEST_NUMBER: Final = 24
"""Code points of a numeral; a longer one is read as a word."""
_LONGEST_ENDING: Final = 5
"""Letters that a word may have after a stem of the lexicon."""
_LONGEST_VERSION: Final = 4
"""Code points of a hyphen and figures that belong to the name before them: COVID-19, Boeing-747."""
_DIGITS_EXACT: Final = 15

# Runs of a script written without spaces, and hangul, whose particles are glued on.
_WIDE: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
# Marks that stand on letters: a word goes on over them.
_MARKS: Final = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc-\u09cd\u0a01-\u0a03\u0a3c-\u0a51"
    "\u0a81-\u0a83\u0abc-\u0acd\u0b01-\u0b03\u0b3c-\u0b57\u0b82\u0bbe-\u0bcd\u0c00-\u0c04\u0c3e-\u0c56\u0c81-\u0c83"
    "\u0cbc-\u0cd6\u0d00-\u0d03\u0d3b-\u0d4d\u1ab0-\u1aff\u1dc0-\u1dff\u200c\u200d\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f"
)
_MONEY: Final = r"[$€£¥]|\b(?:US\$|USD|EUR|GBP|CHF)\s?"
_HIRAGANA: Final = ("\u3040", "\u309f")


@cache
def _token() -> re.Pattern[str]:
    """Take an address, a marker, a numeral, a run, a word or a break; linear: all runs possessive or bounded."""
    return re.compile(
        r"(?P<skip>(?:https?://|www\.)[^\s<>]{1,2000}+|\[\[?\^?\d[\d,;\s–-]{0,80}+\]{1,2}|【[^】\n]{1,200}】"
        r"|</?[A-Za-z][^<>\n]{0,200}>|\]\([^()\s]{1,2000}+\))"
        rf"|(?P<money>{_MONEY})?(?P<sign>(?<![\w.,)])[-−–](?=\d))?(?P<number>"
        rf"\d{{1,3}}(?:[ \u00a0\u202f\u2009'’]\d{{3}})++(?![\d])(?:[.,]\d++)?+|\d++(?:[.,٫٬،．，]\d++)*+)"
        rf"|(?P<wide>[{_WIDE}]++)"
        rf"|(?P<word>[^\W\d_{_WIDE}](?:[^\W_{_WIDE}]|[{_MARKS}])*+(?:['’](?:[^\W_{_WIDE}]|[{_MARKS}])++)*+(?:-\d{{1,6}}+(?![\w.,]\d))?+)"
        r"|(?P<break>[,;:()—、，；：،؛|\n]|\s[–-]\s)"
    )


@cache
def _lead() -> re.Pattern[str]:
    """Take list marks, enumerators and quote marks at a line start; linear: anchored, bounded."""
    return re.compile(r"\s*+(?:(?:[-*+•‣▪◦–—>]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+){0,4}")


@cache
def _after_number() -> re.Pattern[str]:
    """Take a unit or a multiplier after a numeral; linear: anchored, bounded."""
    wide = "|".join(
        sorted((w for w in {*UNITS, *MULTIPLIERS} if re.fullmatch(f"[{_WIDE}]+", w)), key=len, reverse=True)
    )
    return re.compile(
        r"[ \u00a0\u202f\u2009-]?(?:"
        r"(?P<pp>(?:percentage|percent)[ -]points?\b|points? de pourcentage\b|puntos porcentuales\b)"
        r"|(?P<percent>per ?cent\b|pour ?cent\b|por ?ciento\b)"
        rf"|(?P<unit>°\s?[CFcf]\b|[%％٪‰€$£¥℃℉]|{wide}|[^\W\d_{_WIDE}]{{1,15}}+(?![\w'’])))",
    )


# Takes what may stand after a numeral without being a word of its own; linear: anchored.
_ORDINAL = re.compile(r"(?:st|nd|rd|th|s|er|ere|ème|eme|e|ª|º|°)\b")
# Takes a sign that joins two figures to a range; linear: anchored at both ends, bounded.
_RANGE = re.compile(r"\s?(?:[-–—~〜～/]|to|bis|à|a|and|und|et|y|e|до|から|至|到|or)\s?")
# Takes what denies in scripts without spaces; its first part takes what only looks so; linear: short words.
_WIDE_NEGATION = re.compile(
    r"(?P<not>なければなら(?:ない|ず|ぬ|ません)|なくてはなら(?:ない|ず|ぬ|ません)|ないといけ(?:ない|ません)|かもしれ(?:ない|ません)"
    r"|違いない|違いありません|だけでな[くい]|のみならず|少な[くい]|すくな[くい]|不[同仅僅但少断斷过過錯错可]|不可欠|无线|無[料線]|未[来來]|非常)"
    r"|ない|なく|なかっ|ません|ずに|[不没沒无無未非勿]|禁止|않|없|못|아니|ไม่"
)


_GERMAN: Final = frozenset(
    "der das und ist nicht ein eine einem einen einer mit von auf fur im den dem des wird werden sind hat haben bis oder"
    " auch nach bei seit gilt wer aus zum zur uber durch sich".split()
)
_DENYING: Final = frozenset(word for word in NEGATED if word[-1] != "*")
_DENYING_STEMS: Final = tuple(word[:-1] for word in NEGATED if word[-1] == "*")
# Takes what makes "No" a short form of "number"; linear: anchored.
_NUMERO: Final = re.compile(r"\. ?\d")


class Number(NamedTuple):
    """A figure: every way to read it, its unit, and how exact it is."""

    values: tuple[float, ...]
    parts: tuple[float, ...] = ()
    unit: str = ""
    step: float = 1.0
    about: bool = False
    spelled: bool = False


class Term(NamedTuple):
    """A word, a pair of characters or a figure, at code points `start` to `end` of the text.

    `name` is 0 for a common word, 1 for one that may be a name, 2 for a name.
    """

    text: str
    start: int
    end: int
    clause: int
    name: int = 0
    number: Number | None = None
    gram: bool = False


@dataclass(slots=True)
class Reading:
    """The terms of a stretch of text in order, and per clause how it is denied."""

    terms: list[Term] = field(default_factory=list)
    negators: list[tuple[int, int, bool]] = field(default_factory=list)
    """(clause, place among the terms, whether it negates alone) of each."""
    words: int = 0
    lower: set[str] = field(default_factory=set)
    """Words that were seen in small letters."""

    def denials(self) -> dict[int, list[int]]:
        """Return, for each clause that is denied, the places of what denies it."""
        clauses: dict[int, list[int]] = {}
        alone = {clause for clause, _, strong in self.negators if strong}
        for clause, place, strong in self.negators:
            if strong or clause not in alone:
                clauses.setdefault(clause, []).append(place)
                if not strong:
                    alone.add(clause)
        return {clause: places for clause, places in clauses.items() if len(places) % 2}


@lru_cache(maxsize=16_384)
def folded(word: str) -> str:
    """Return `word` in small letters without accents, ligatures and the marks that Arabic and Hebrew may leave out."""
    if word.isascii():
        return word.lower()
    plain = unicodedata.normalize("NFKD", word).casefold()
    bare = "".join(c for c in plain if not unicodedata.combining(c) and c not in "\u0640\u200c\u200d")
    return bare.replace("ة", "ه").replace("ى", "ي").replace("ı", "i").replace("ø", "o").replace("ł", "l")


@lru_cache(maxsize=16_384)
def concept(word: str) -> str:
    """Return the name of the lexicon's line that a folded word belongs to, or nothing."""
    found = CONCEPT_WORDS.get(word)
    if found is not None:
        return found
    for end in range(len(word), max(2, len(word) - _LONGEST_ENDING - 1), -1):
        found = CONCEPT_STEMS.get(word[:end])
        if found is not None:
            return found
    return ""


class Kind(IntEnum):
    """What a word is to the reader."""

    CONTENT = 0
    FUNCTION = 1
    NEGATOR = 2
    COMPANION = 3
    FIGURE = 4
    MONTH = 5
    LETTER = 6
    JOINED = 7


class Word(NamedTuple):
    """A word as the lexicon knows it: folded; `shape` is 0 for small letters, 1 for a capital, 2 for more or figures.

    `opens` tells a clause's first word, `denies` one that denies by its sense, `german` 1 for a German word and -1
    for one of another language.
    """

    text: str
    kind: Kind
    shape: int
    opens: bool
    denies: bool
    german: int


_KINDS: Final = (
    (NEGATORS, Kind.NEGATOR),
    (COMPANIONS, Kind.COMPANION),
    (FUNCTION_WORDS, Kind.FUNCTION),
    (NUMBER_WORDS, Kind.FIGURE),
    (MONTHS, Kind.MONTH),
)


@lru_cache(maxsize=16_384)
def _word(raw: str, *, piece: bool = False) -> Word:
    if not piece and any(c in "'’-" for c in raw):
        return Word("", Kind.JOINED, 0, opens=False, denies=False, german=0)
    text = folded(raw).replace("-", "")
    kind = next(
        (kind for words, kind in _KINDS if text in words), Kind.LETTER if len(text) < 2 else Kind.CONTENT
    )
    capitals = sum(c.isupper() or c.istitle() for c in raw)
    shape = 0
    if any(c.isdecimal() for c in raw) or capitals > 1 or (capitals and not raw[0].isupper()):
        shape = 2
    elif capitals:
        shape = 1
    return Word(
        text,
        kind,
        shape,
        opens=text in CONJUNCTIONS,
        denies=text in _DENYING or text.startswith(_DENYING_STEMS),
        german=1 if text in _GERMAN else -1,
    )


def says_something(reading: Reading) -> bool:
    """Tell a statement from talk about the answer ("I hope this helps"), by whether it has words of its own."""
    return any(
        term.name == 2
        or (term.number is not None and not term.number.spelled)
        or (term.number is None and term.text not in TALK_WORDS)
        for term in reading.terms
    )


def gram_weight(gram: str) -> float:
    """Return how much a pair of characters tells: little in hiragana, which is grammar."""
    grammar = sum(_HIRAGANA[0] <= c <= _HIRAGANA[1] for c in gram)
    return (0.5, 0.25, 0.06)[min(grammar, 2)]


def read(text: str, start: int, end: int) -> Reading:
    """Return the terms of `text` from `start` to `end`, one sentence or less."""
    reader = _Reader(text, end)
    reader.go(_lead().match(text, start, end))
    return reader.reading


class _Reader:
    """One pass over one sentence."""

    __slots__ = (
        "capitals",
        "clause",
        "end",
        "german",
        "opened",
        "pending",
        "previous",
        "reading",
        "seen",
        "text",
    )

    def __init__(self, text: str, end: int) -> None:
        self.text = text
        self.end = end
        self.reading = Reading()
        self.clause = 0
        self.opened = False  # whether the clause has a term
        self.pending = -1  # where a negator stands that waits for the next word
        self.previous = ""  # the word before
        self.seen = 0  # words so far
        self.capitals: list[int] = []  # places of terms that begin with a capital
        self.german = 0

    def go(self, lead: re.Match[str] | None) -> None:
        at = lead.end() if lead else 0
        token, ways = _token(), self._ways()
        while match := token.search(self.text, at, self.end):
            at = ways[match.lastgroup or "skip"](match)
        self._settle()
        self._name()

    def _ways(self) -> dict[str, Callable[[re.Match[str]], int]]:
        return {
            "skip": re.Match[str].end,
            "number": self._number,
            "wide": self._wide,
            "word": self._word,
            "break": self._break,
        }

    # --- Clauses and what denies them ---

    def _break(self, match: re.Match[str]) -> int:
        self._settle()
        if self.opened:
            self.clause, self.opened = self.clause + 1, False
        return match.end()

    def _deny(self, *, strong: bool) -> None:
        self.reading.negators.append((self.clause, len(self.reading.terms), strong))

    def _settle(self, word: str = "") -> None:
        """Count a negator that waited, unless `word` after it makes it a bound."""
        if self.pending >= 0:
            if word not in BOUNDS:
                self.reading.negators.append((self.clause, self.pending, True))
            self.pending = -1

    def _add(self, term: Term) -> None:
        self.reading.terms.append(term)
        self.opened = True

    # --- Words ---

    def _word(self, match: re.Match[str]) -> int:
        raw, start = match.group()[:_LONGEST_WORD], match.start()
        word = _word(raw)
        self.reading.words += 1
        if word.kind is not Kind.JOINED:
            self._put(word, start, start + len(raw))
            return match.end()
        after = match.end()
        if "-" in raw and not (raw[0].isupper() and len(raw) - raw.rfind("-") <= _LONGEST_VERSION):
            raw = raw[: raw.rfind("-")]
            after = start + len(raw)
        straight = raw.replace("’", "'")
        if straight[-3:].lower() == "n't":
            self.seen += 1
            self._settle()
            self.pending = len(self.reading.terms)
            return after
        for piece in straight.split("'"):
            if piece:
                self._put(_word(piece, piece=True), start, start + len(piece))
            start += len(piece) + 1
        return after

    def _put(self, word: Word, start: int, end: int) -> None:
        first = self.seen == 0
        self.seen += 1
        if self.pending >= 0:
            self._settle(word.text)
        before, self.previous = self.previous, word.text
        if word.opens and self.opened:
            self.clause, self.opened = self.clause + 1, False
        kind = word.kind
        if kind is Kind.FUNCTION:
            self.german += word.german
        elif kind is Kind.CONTENT:
            self._content(word, start, end, first=first)
        elif kind is Kind.NEGATOR:
            if not (word.text == "no" and _NUMERO.match(self.text, end)):
                self.pending = len(self.reading.terms)
        elif kind is Kind.COMPANION:
            self._deny(strong=False)
        elif kind is Kind.FIGURE and (first or word.shape == 0):
            about = before in APPROXIMATORS
            self._figure(Number((float(NUMBER_WORDS[word.text]),), about=about, spelled=True), start, end)
        elif kind is Kind.MONTH and self._beside_figure(start, end, word.shape):
            self._add(
                Term(word.text, start, end, self.clause, 0, Number((float(MONTHS[word.text]),), unit="month"))
            )
        elif kind is not Kind.LETTER or (word.shape and not first):
            self._content(word, start, end, first=first)

    def _content(self, word: Word, start: int, end: int, *, first: bool) -> None:
        reading = self.reading
        if word.denies:
            self._deny(strong=True)
        name = word.shape
        if name == 0:
            reading.lower.add(word.text)
        elif name == 1:
            if first:
                name = -1
            else:
                self.capitals.append(len(reading.terms))
        reading.terms.append(Term(word.text, start, end, self.clause, name))
        self.opened = True

    def _beside_figure(self, start: int, end: int, shape: int) -> bool:
        before = self.text[max(0, start - 5) : start].rstrip(" .de")
        after = self.text[end : end + 6].lstrip(" .,de")
        return before[-1:].isdecimal() or (after[:1].isdecimal() and (shape > 0 or end - start > 3))

    # --- Scripts without spaces ---

    def _wide(self, match: re.Match[str]) -> int:
        run, start = match.group(), match.start()
        self.reading.words += 1
        self.seen += 1
        self._settle()
        denied = [found.start() for found in _WIDE_NEGATION.finditer(run) if found["not"] is None]
        if len(run) == 1:
            if not _HIRAGANA[0] <= run <= _HIRAGANA[1]:
                self._add(Term(run, start, start + 1, self.clause, gram=True))
            denied = denied[:1]
        for at in range(len(run) - 1):
            if denied and denied[0] <= at:
                self._deny(strong=True)
                denied.pop(0)
            self._add(Term(run[at : at + 2], start + at, start + at + 2, self.clause, gram=True))
        for _ in denied:
            self._deny(strong=True)
        self.previous = run[-2:] if run[-2:] in APPROXIMATORS else run[-1]
        return match.end()

    # --- Figures ---

    def _number(self, match: re.Match[str]) -> int:
        self.reading.words += 1
        self.seen += 1
        self._settle()
        raw = match["number"]
        at = match.end()
        parsed = _parse(raw)
        if parsed is None:
            self._add(Term(raw[:_LONGEST_WORD], match.start("number"), at, self.clause, 2))
            return at
        number = parsed._replace(about=self.previous in APPROXIMATORS)
        self.previous = ""
        money = (match["money"] or "").strip()
        if match["sign"]:
            number = number._replace(values=tuple(-v for v in number.values), parts=())
        number, after = self._measured(number, at, UNITS.get(folded(money), "") if money else "", len(raw))
        if after == at and self.text[at : at + 1].isalpha():
            after, number = self._glued(match, number)
            if number is None:
                return after
        self._figure(number, match.start("number"), after)
        return after

    def _glued(self, match: re.Match[str], number: Number) -> tuple[int, Number | None]:
        """Read letters that follow a numeral at once: an ordinal's ending, or a name such as 5G."""
        at = match.end()
        ordinal = _ORDINAL.match(self.text, at, self.end)
        if ordinal is not None:
            return ordinal.end(), number
        word = _token().match(self.text, at, self.end)
        if word is None or word["word"] is None:
            return at, number
        name = folded(match["number"] + word["word"][:_LONGEST_WORD])
        self._add(Term(name, match.start("number"), word.end(), self.clause, 2))
        return word.end(), None

    def _measured(self, number: Number, at: int, unit: str, digits: int) -> tuple[Number, int]:
        """Read the multipliers and the unit after a numeral."""
        money = bool(unit)
        factor = 1.0
        for _ in range(3):
            found = _after_number().match(self.text, at, self.end)
            if found is None:
                break
            if found["pp"] or found["percent"]:
                unit, at = ("pp" if found["pp"] else "%"), found.end()
                break
            word = folded(found["unit"])
            if word in MULTIPLIERS and (word not in MONEY_SUFFIXES or money):
                factor *= MULTIPLIERS[word]
                at = found.end()
                continue
            if word in UNITS and not (len(word) == 1 and word.isalpha() and digits == 4) and not unit:
                unit, at = UNITS[word], found.end()
            break
        if factor != 1.0:
            number = number._replace(
                values=tuple(_exact(v * factor) for v in number.values), parts=(), step=number.step * factor
            )
        return number._replace(unit=unit), at

    def _figure(self, number: Number, start: int, end: int) -> None:
        terms = self.reading.terms
        if number.spelled:
            number, end = self._measured(number, end, "", 0)
        if terms and (last := terms[-1]).number is not None and _RANGE.fullmatch(self.text[last.end : start]):
            factor = 1.0
            if number.unit and not last.number.unit:
                if number.step > last.number.step >= 1.0:
                    factor = number.step
                values = (
                    *last.number.values,
                    *(_exact(v * factor) for v in last.number.values if factor > 1),
                )
                terms[-1] = last._replace(number=last.number._replace(unit=number.unit, values=values))
        self._add(Term("#", start, end, self.clause, 0, number))

    # --- Names ---

    def _name(self) -> None:
        """Settle which capitals are names: where every noun has one, none is sure."""
        terms = self.reading.terms
        german = self.german > 0
        for place in self.capitals:
            term = terms[place]
            if term.name == 1 and not german:
                terms[place] = term._replace(name=2)
        if terms and terms[0].name == -1:
            follows = (
                len(terms) > 1 and terms[1].name == 2 and self.text[terms[0].end : terms[1].start] in " -'’"
            )
            terms[0] = terms[0]._replace(name=2 if follows and not german else 1)


def _exact(value: float) -> float:
    return float(f"{value:.12g}")


def _parse(raw: str) -> Number | None:
    """Read a numeral: `1,200` is 1200 or 1.2, `1.234,5` is one thing only, `3.11.2` is no number."""
    plain = raw.translate(_SEPARATORS)
    parts: tuple[float, ...] = ()
    if any(c in plain for c in " '"):
        pieces = re.split("[ ']", plain)
        if " " in raw:
            parts = tuple(
                float(piece.replace(",", "."))
                for piece in pieces
                if piece.replace(",", "").replace(".", "").isdecimal()
            )
        plain = plain.replace(" ", "").replace("'", "")
    if len(plain) > _LONGEST_NUMBER or sum(c.isdecimal() for c in plain) > _DIGITS_EXACT:
        return None
    commas, dots = plain.count(","), plain.count(".")
    if not commas and not dots:
        return Number((float(plain),), parts)
    if commas and dots:
        return _mixed(plain, parts)
    separator = "," if commas else "."
    groups = plain.split(separator)
    grouped = groups[0] != "0" and len(groups[0]) <= 3 and all(len(group) == 3 for group in groups[1:])
    if len(groups) > 2:
        return Number((float("".join(groups)),), parts) if grouped else None
    decimal = float(f"{groups[0]}.{groups[1]}")
    step = 10.0 ** -len(groups[1])
    if grouped:
        return Number((float("".join(groups)), decimal), parts)
    return Number((decimal,), parts, step=step)


def _mixed(plain: str, parts: tuple[float, ...]) -> Number | None:
    last = max(plain.rfind(","), plain.rfind("."))
    whole, fraction = plain[:last].replace(",", "").replace(".", ""), plain[last + 1 :]
    if plain.count(plain[last]) > 1:
        return None
    return Number((float(f"{whole}.{fraction}"),), parts, step=10.0 ** -len(fraction))


_SEPARATORS: Final = str.maketrans("٫٬،．，’\u00a0\u202f\u2009", ".',.,'   ")
