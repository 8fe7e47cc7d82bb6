"""What a sentence is matched by: its words, pairs of characters and figures, and what its clauses deny."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from pincite.citing._matching.common import FUNCTION_WORDS, LANGUAGES, TALK_WORDS
from pincite.citing._matching.figures import MONTH, Figure, joined, measured, parse
from pincite.citing._matching.lexicon import (
    APPROXIMATORS,
    AT_LEAST,
    BOUNDS,
    MONTHS,
    NUMBER_WORDS,
    TIMES,
    UNITS,
)
from pincite.citing._matching.words import LONGEST_WORD, MARKS, WIDE, Kind, Word, folded, is_hiragana, known

if TYPE_CHECKING:
    from collections.abc import Callable

_LONGEST_VERSION: Final = 4
"""Code points of a hyphen and figures that belong to the name before them: COVID-19, Boeing-747."""
FIGURE: Final = "#"
"""The text of a term that is a figure written in digits."""
LEAD: Final = 3
"""Terms among which a sentence's first name is what it speaks of."""
_LONG_MONTH: Final = 4
"""Letters of a month in small letters: `mars 2021`, but not `may 20`."""
_BOUND_REACH: Final = 2
"""Words from a bound ("more than") to its figure."""
_NEAR: Final = 2
"""Terms from a denying word on that it denies first of all."""
_LANGUAGE_SAMPLE: Final = 400
"""Code points of a text that tell its language."""
_SHOUTED: Final = 2
"""Blanks in a sentence of capitals from which they are no names."""


class Name(IntEnum):
    """Whether a term is a name: FIRST stands at the beginning with a name after it, MAYBE may be one."""

    NO = 0
    MAYBE = 1
    FIRST = 2
    YES = 3


class Force(IntEnum):
    """How a word denies: as a negator, by its sense, where no other in the clause does, or only what is next to it."""

    NEGATOR = 0
    SENSE = 1
    COMPANION = 2
    LACKING = 3


_FORCES: Final = {
    Kind.NEGATOR: Force.NEGATOR,
    Kind.COMPANION: Force.COMPANION,
    Kind.LACKING: Force.LACKING,
}


class Term(NamedTuple):
    """A word, a pair of characters (`gram`) or a figure, at code points `start` to `end` of the text."""

    text: str
    start: int
    end: int
    clause: int
    name: Name = Name.NO
    figure: Figure | None = None
    gram: bool = False


class Denial(NamedTuple):
    """That a term is denied: whether at once, and whether by a negator."""

    near: bool
    negated: bool


@dataclass(slots=True)
class Reading:
    """The terms of a stretch of text in order, and per clause how it is denied."""

    terms: list[Term] = field(default_factory=list)
    negators: list[tuple[int, int, Force]] = field(default_factory=list)
    """(clause, place among the terms, force) of each."""
    lower: set[str] = field(default_factory=set)
    """Words that were seen in small letters."""

    def says_something(self) -> bool:
        """Tell a statement from talk about the answer ("I hope this helps"), by whether it has words of its own."""
        return any(
            term.name is Name.YES or (not term.figure.spelled if term.figure else term.text not in TALK_WORDS)
            for term in self.terms
        )

    def denials(self) -> dict[int, Denial]:
        """Return the places of the terms in clauses that are denied."""
        found: dict[int, Denial] = {}
        for clause, denying in self._denied_clauses().items():
            places = [place for place, term in enumerate(self.terms) if term.clause == clause]
            negated = any(force is not Force.SENSE for _, force in denying)
            # German puts the negator last: what it denies stands before it.
            late = bool(places) and places[-1] < denying[0][0]
            for number, place in enumerate(places):
                at_once = any(0 <= place - at < _NEAR for at, _ in denying)
                found[place] = Denial(at_once or (late and number >= len(places) - _NEAR), negated)
        for clause, at, force in self.negators:
            if force is Force.LACKING:
                for place in range(at, min(at + _NEAR, len(self.terms))):
                    if self.terms[place].clause == clause:
                        found[place] = Denial(near=True, negated=True)
        return found

    def _denied_clauses(self) -> dict[int, list[tuple[int, Force]]]:
        clauses: dict[int, list[tuple[int, Force]]] = {}
        for clause, place, force in sorted(self.negators, key=lambda negator: negator[2]):
            denying = clauses.setdefault(clause, [])
            if force in {Force.NEGATOR, Force.SENSE} or (force is Force.COMPANION and not denying):
                denying.append((place, force))
        return {clause: sorted(denying) for clause, denying in clauses.items() if len(denying) % 2}


@cache
def _token() -> re.Pattern[str]:
    """Take an address, a marker, a numeral, a run, a word or a break; linear: every run is possessive or bounded."""
    letter = rf"(?:[^\W_{WIDE}]|[{MARKS}])"
    return re.compile(
        r"(?P<skip>(?:https?://|www\.)[^\s<>]{1,2000}+|\[\[?\^?\d[\d,;\s–-]{0,80}+\]{1,2}|【[^】\n]{1,200}】"
        r"|</?[A-Za-z][^<>\n]{0,200}>|\]\([^()\s]{1,2000}+\))"
        r"|(?P<money>[$€£¥]|\b(?:US\$|USD|EUR|GBP|CHF)\s?)?(?P<sign>(?<![\w.,)])[-−–](?=\d))?(?P<number>"
        r"\d{1,3}(?:[ \u00a0\u202f\u2009'’]\d{3})++(?!\d)(?:[.,]\d++)?+|\d++(?:[.,٫٬،．，]\d++)*+)"
        rf"|(?P<wide>[{WIDE}]++)"
        rf"|(?P<word>[^\W\d_{WIDE}]{letter}*+(?:['’]{letter}++)*+(?:-\d{{1,6}}+(?![\w.,]\d))?+)"
        r"|(?P<break>[,;:()—、，；：،؛|\n]|\s[–-]\s)"
    )


@cache
def _lead() -> re.Pattern[str]:
    """Take list marks, enumerators and quote marks at a line start; linear: anchored, bounded."""
    return re.compile(r"\s*+(?:(?:[-*+•‣▪◦–—>]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+){0,4}")


@cache
def _wide_negation() -> re.Pattern[str]:
    """Take what denies in scripts without spaces; the first part takes what only looks so; linear: short words."""
    return re.compile(
        r"(?P<not>なければなら(?:ない|ず|ぬ|ません)|なくてはなら(?:ない|ず|ぬ|ません)|ないといけ(?:ない|ません)"
        r"|かもしれ(?:ない|ません)|違いない|違いありません|だけでな[くい]|のみならず|少な[くい]|すくな[くい]"
        r"|不[同仅僅但少断斷过過錯错可]|无线|無[料線]|未[来來]|非常)"
        r"|ない|なく|なかっ|ません|ずに|[不没沒无無未非勿]|禁止|않|없|못|아니|ไม่"
    )


# Takes what may stand after a numeral without being a word of its own; linear: anchored.
_ORDINAL = re.compile(r"(?:st|nd|rd|th|s|er|ere|ème|eme|e|ª|º|°)\b")
# Takes a word of letters; linear: one possessive run.
_LETTERS = re.compile(r"[^\W\d_]{1,20}+")
# Takes what makes "No" a short form of "number"; linear: anchored.
_NUMERO = re.compile(r"\. ?\d")


def language_of(text: str) -> str:
    """Return the language that the common words of a text belong to, or nothing."""
    votes = Counter[str]()
    for match in _LETTERS.finditer(text[:_LANGUAGE_SAMPLE]):
        languages = LANGUAGES.get(folded(match.group()), ())
        for language in languages:
            votes[language] += 12 // len(languages)
    return max(votes, key=lambda language: (votes[language], language), default="")


def read(text: str, start: int, end: int, language: str = "") -> Reading:
    """Return the terms of `text` from `start` to `end`, one sentence or less.

    `language` is the text's, for a sentence whose own words tell none.
    """
    reader = _Reader(text, end, language)
    lead = _lead().match(text, start, end)
    reader.go(lead.end() if lead else start)
    return reader.reading


class _Reader:
    """One pass over one sentence."""

    __slots__ = (
        "bound",
        "capitals",
        "clause",
        "end",
        "is_no",
        "language",
        "languages",
        "negator_at",
        "opened",
        "pending",
        "plain_no",
        "previous",
        "reading",
        "seen",
        "shouted",
        "text",
    )

    def __init__(self, text: str, end: int, language: str) -> None:
        self.text = text
        self.language = language
        self.end = end
        self.reading = Reading()
        self.clause = 0
        self.opened = False  # whether the clause has a term
        self.is_no = False  # whether that is "no"
        self.pending = -1  # among the terms, where a negator stands that waits for the next word
        self.previous = ""  # the word before
        self.seen = 0  # words so far
        self.shouted = False  # whether all is in capitals, so that none of them says anything
        self.capitals: list[int] = []  # places of terms that begin with a capital
        self.languages = Counter[str]()  # of the common words
        self.plain_no: list[int] = []  # the negators that are "no", which is a preposition in Portuguese
        self.bound = (0, 0)  # the last bound, and the words seen by then
        self.negator_at = -_BOUND_REACH - 1  # the words seen by the last negator

    def go(self, at: int) -> None:
        token = _token()
        self.shouted = self.text.count(" ", at, self.end) >= _SHOUTED and self.text[at : self.end].isupper()
        ways: dict[str | None, Callable[[re.Match[str]], int]] = {
            "skip": re.Match[str].end,
            "number": self._number,
            "wide": self._wide,
            "word": self._word,
            "break": self._break,
        }
        while match := token.search(self.text, at, self.end):
            at = ways[match.lastgroup](match)
        self._settle()
        if self.plain_no and self._language() == "pt":
            self.reading.negators = [
                negator for at, negator in enumerate(self.reading.negators) if at not in self.plain_no
            ]
        self._name()

    # --- Clauses and what denies them ---

    def _break(self, match: re.Match[str]) -> int:
        self._settle()
        self._open()
        return match.end()

    def _open(self) -> None:
        if self.opened:
            self.clause, self.opened = self.clause + 1, False

    def _deny(self, force: Force) -> None:
        self.reading.negators.append((self.clause, len(self.reading.terms), force))

    def _settle(self, word: str = "") -> None:
        """Count a negator that waited, unless `word` after it makes it a bound."""
        if self.pending >= 0:
            if word not in BOUNDS:
                if self.is_no:
                    self.plain_no.append(len(self.reading.negators))
                self.reading.negators.append((self.clause, self.pending, Force.NEGATOR))
            self.pending = -1

    def _wait(self, *, is_no: bool = False) -> None:
        """Let a negator wait for the word after it."""
        self.pending, self.negator_at, self.is_no = len(self.reading.terms), self.seen, is_no

    def _add(self, term: Term) -> None:
        self.reading.terms.append(term)
        self.opened = True

    # --- Words ---

    def _word(self, match: re.Match[str]) -> int:
        raw, start = match.group()[:LONGEST_WORD], match.start()
        if self.shouted:
            raw = raw.lower()
        word = known(raw)
        if word.kind is not Kind.JOINED:
            return max(match.end(), self._put(word, start, start + len(raw)))
        after = match.end()
        if "-" in raw and not (raw[0].isupper() and len(raw) - raw.rfind("-") <= _LONGEST_VERSION):
            raw = raw[: raw.rfind("-")]
            after = start + len(raw)
        straight = raw.replace("’", "'")
        if straight[-3:].lower() == "n't":
            self._settle()
            self.seen += 1
            self._wait()
            return after
        for piece in straight.split("'"):
            if piece:
                self._put(known(piece, piece=True), start, start + len(piece))
            start += len(piece) + 1
        return after

    def _put(self, word: Word, start: int, end: int) -> int:
        """Take one word, and return where to read on."""
        first = self.seen == 0
        self.seen += 1
        if self.pending >= 0:
            self._settle(word.text)
        before, self.previous = self.previous, word.text
        if word.opens:
            self._open()
        if word.bound:
            self._note_bound(word, before)
        kind = word.kind
        if kind is Kind.FUNCTION:
            if word.language:
                self.languages[word.language] += 1
        elif kind is Kind.CONTENT:
            self._content(word, start, end, first=first)
        elif kind in _FORCES:
            self._negator(word, end)
        else:
            return self._special(word, start, end, before, first=first)
        return end

    def _negator(self, word: Word, end: int) -> None:
        force = _FORCES[word.kind]
        if force is not Force.NEGATOR:
            self._deny(force)
        elif word.text != "no" or not _NUMERO.match(self.text, end):
            self._wait(is_no=word.text == "no")

    def _special(self, word: Word, start: int, end: int, before: str, *, first: bool) -> int:
        """Take a number written as a word, a month, or a letter; what is none of them here is a common word."""
        kind, terms = word.kind, self.reading.terms
        if kind is Kind.NUMBER and (first or word.shape == 0):
            return self._spelled(word.text, start, end, about=before in APPROXIMATORS)
        if kind is Kind.MULTIPLIER and not first:
            return self._figure(start, *measured(Figure((1.0,)), self.text, start, self.end))
        if kind is Kind.MONTH and self._beside_figure(start, end, word.shape):
            month = Figure((float(MONTHS[word.text]),), unit=MONTH)
            self._add(Term(word.text, start, end, self.clause, figure=month))
        elif kind is Kind.MONTH and word.text in FUNCTION_WORDS:
            return end
        elif kind is not Kind.LETTER or (word.shape and not first):
            self._content(word, start, end, first=first)
        elif terms and terms[-1].name and self.text[terms[-1].end : start] == " ":
            self._add(Term(word.text, start, end, self.clause, Name.YES))  # as in Type b
        return end

    def _spelled(self, word: str, start: int, end: int, *, about: bool) -> int:
        if word in TIMES:
            return self._figure(
                start, Figure((float(TIMES[word]),), unit=UNITS["times"], about=about, spelled=True), end
            )
        figure = Figure((float(NUMBER_WORDS[word]),), about=about, spelled=True)
        return self._figure(start, *measured(figure, self.text, end, self.end))

    def _note_bound(self, word: Word, before: str) -> None:
        value = word.bound
        if word.text in {"most", "least"} and before != "at":
            return
        if before in AT_LEAST or self.seen - self.negator_at <= _BOUND_REACH:
            value = -value
        self.bound = (value, self.seen)

    def _content(self, word: Word, start: int, end: int, *, first: bool) -> None:
        reading = self.reading
        if word.denies:
            self._deny(Force.SENSE)
        name = Name.NO
        if word.shape == 0:
            if not self.shouted:
                reading.lower.add(word.text)
        elif word.shape > 1:
            name = Name.YES
        else:
            name = Name.MAYBE
            if not first:
                self.capitals.append(len(reading.terms))
        reading.terms.append(Term(word.text, start, end, self.clause, name))
        self.opened = True

    def _beside_figure(self, start: int, end: int, shape: int) -> bool:
        before = self.text[max(0, start - 5) : start].rstrip(" .de")
        after = self.text[end : end + 6].lstrip(" .,de")
        return before[-1:].isdecimal() or (
            after[:1].isdecimal() and (shape > 0 or end - start >= _LONG_MONTH)
        )

    # --- Scripts without spaces ---

    def _wide(self, match: re.Match[str]) -> int:
        run, start = match.group(), match.start()
        self.seen += 1
        self._settle()
        denied = [found.start() for found in _wide_negation().finditer(run) if found["not"] is None]
        denied.reverse()
        for at in range(max(1, len(run) - 1)):
            while denied and denied[-1] <= at:
                self._deny(Force.NEGATOR)
                denied.pop()
            gram = run[at : at + 2]
            if len(gram) > 1 or not is_hiragana(gram):
                self._add(Term(gram, start + at, start + at + len(gram), self.clause, gram=True))
        for _ in denied:
            self._deny(Force.NEGATOR)
        self.previous = next((run[-size:] for size in (3, 2, 1) if run[-size:] in APPROXIMATORS), "")
        return match.end()

    # --- Figures ---

    def _number(self, match: re.Match[str]) -> int:
        self.seen += 1
        self._settle()
        start, at = match.start("number"), match.end()
        figure = parse(match["number"])
        if figure is None:
            self._add(Term(match["number"][:LONGEST_WORD], start, at, self.clause, Name.YES))
            return at
        figure = figure._replace(about=self.previous in APPROXIMATORS)
        self.previous = ""
        if match["sign"]:
            figure = figure._replace(values=tuple(-value for value in figure.values), parts=())
        figure, after = measured(figure, self.text, at, self.end, (match["money"] or "").strip())
        if after == at and self.text[at : at + 1].isalpha():
            ordinal = _ORDINAL.match(self.text, at, self.end)
            word = None if ordinal else _token().match(self.text, at, self.end)
            if ordinal:
                after = ordinal.end()
            elif word is not None and word["word"] is not None:
                name = folded(match["number"] + word["word"][:LONGEST_WORD])  # such as 5G
                self._add(Term(name, start, word.end(), self.clause, Name.YES))
                return word.end()
        return self._figure(start, figure, after)

    def _figure(self, start: int, figure: Figure, end: int) -> int:
        terms = self.reading.terms
        value, by = self.bound
        if value and not figure.bound and self.seen - by <= _BOUND_REACH:
            figure = figure._replace(bound=value)
        self.bound = (0, 0)
        if terms and (last := terms[-1].figure) is not None:
            terms[-1] = terms[-1]._replace(figure=joined(last, self.text[terms[-1].end : start], figure))
        self._add(Term(FIGURE, start, end, self.clause, figure=figure))
        return end

    # --- Languages and names ---

    def _language(self) -> str:
        return max(
            self.languages, key=lambda language: (self.languages[language], language), default=self.language
        )

    def _name(self) -> None:
        """Settle which capitals are names: where every noun has one, none is sure."""
        terms = self.reading.terms
        german = self._language() == "de"
        for place in self.capitals:
            if not german and terms[place].name is Name.MAYBE:
                terms[place] = terms[place]._replace(name=Name.YES)
        first, second = (terms[0], terms[1]) if len(terms) > 1 else (None, None)
        if first and second and first.name is Name.MAYBE and second.name is Name.YES:
            if self.text[first.end : second.start].strip(" -'’"):
                return
            terms[0] = first._replace(name=Name.FIRST)
