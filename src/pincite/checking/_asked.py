"""A claim as a list of what can be looked for, and a passage with what can be found in it."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property
from typing import TYPE_CHECKING, Final

from pincite.checking._contraries import (
    Sense,
    levels_of,
    senses_of,
    wide_words,
)
from pincite.checking._figures import facts_of
from pincite.checking._measures import MONTHS, UNITS
from pincite.checking._stop_words import DAYS
from pincite.checking._terms import (
    STEMS,
    Denial,
    beginning,
    denied_in,
    initials_of,
    is_wide,
    may_deny,
    names_of,
    related,
    stems_of,
    words_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pincite.checking._facts import Fact

_SPELLED: Final = 0.5
"""What a small number counts that is written as a word."""
_MOST_FACTS: Final = 40
"""Numbers and dates of one claim that are looked for; a claim with more is a table."""
_MOST_FORMS: Final = 50
"""Words of a passage that are compared with one of the claim as a form of it."""
_UNSURE: Final = frozenset("may march mar mars mai mei jan dec sep мая".split())
_CALENDAR: Final = {
    STEMS[word]: number
    for days in (DAYS, {word: -number for word, number in MONTHS.items() if word not in _UNSURE})
    for word, number in days.items()
}
"""Stems of days of the week and of months, to numbers of their own: who says one says no other."""
# Takes lines that are a number and nothing else, two or more: a column, whose numbers are not one; linear: each line is
# one possessive run, and what it begins with is not what ends it.
_COLUMN: Final = re.compile(r"^(?:[-+]?\d[\d.,]*+%?(?:\n|\Z)){2,}+", re.MULTILINE)


class Asked:
    """A claim as a list of items: its stems, then its facts."""

    def __init__(self, text: str) -> None:
        self.text = text = spaced(text)
        # Only figures, and words that stand for some, can make a fact; most claims have neither.
        folded = words_of(text)
        self.facts = facts_of(text, folded)[:_MOST_FACTS]
        words = words_of(without(text, self.facts)) if self.facts else folded
        self.stems = stems_of(words, wide=is_wide(text))
        self.place_of = {stem: at for at, stem in enumerate(self.stems)}
        self.weights = [1.0] * len(self.stems) + [_SPELLED if fact.is_loose else 1.0 for fact in self.facts]
        self.in_order = words
        self.words = frozenset(words)

    def written(self, item: int) -> str:
        """Return a word of the claim that has the stem of an item."""
        stem = self.stems[item]
        return next((word for word in sorted(self.words) if STEMS[word] == stem), stem)

    def counted_by(self, fact: Fact) -> Iterator[int]:
        """Yield the item of the unit that a fact is counted by, if any: per day."""
        if fact.per is not None:
            stem = STEMS[words_of(self.text[fact.end : fact.shown])[-1]]
            if stem in self.place_of:
                yield self.place_of[stem]

    @cached_property
    def names(self) -> tuple[dict[int, str], tuple[int, str] | None]:
        """The items that are names, with how they are written, and the first word where that may be one."""
        names, first = names_of(self.text)
        items = {
            self.place_of[stem]: word
            for stem, word in names.items()
            if stem in self.place_of and stem not in _CALENDAR and word.casefold() not in UNITS
        }
        opening = (
            (self.place_of[first[0]], first[1]) if first is not None and first[0] in self.place_of else None
        )
        return items, opening

    @cached_property
    def denials(self) -> list[Denial]:
        return denied_in(self.text) if may_deny(self.words) else []

    @cached_property
    def wide_words(self) -> dict[str, frozenset[str]]:
        return wide_words(self.text)

    @cached_property
    def senses(self) -> dict[int, Sense]:
        return senses_of(self.in_order, self.wide_words, self.denials)

    @cached_property
    def levels(self) -> dict[int, tuple[int, str]]:
        return levels_of(self.words, self.wide_words)

    @cached_property
    def most_disputed(self) -> int:
        """How many items may turn out to be said otherwise, at the most."""
        contrary = sum(len(sense.stems) for sense in self.senses.values())
        return (
            2 * len(self.facts)
            + len(self.days)
            + contrary
            + sum(1 + len(one.seam) for one in self.denials)
            + is_wide(self.text)
        )

    @cached_property
    def days(self) -> dict[int, str]:
        return days_of(self.words)


class Passage:
    """A passage with its stems; what only some claims need is worked out when one does."""

    def __init__(self, text: str) -> None:
        from pincite.core.sentences import split_sentences

        self.text = text
        self.spans = split_sentences(text)
        wide = is_wide(text)
        # What is read of a sentence has places in these, where a line break is a space.
        self.sentences = [text[start:end] for start, end in self.spans]
        if "\n" in text:
            self.sentences = list(map(spaced, self.sentences))
        self.words = [words_of(sentence) for sentence in self.sentences]
        self.stems = [stems_of(words, wide=wide) for words in self.words]
        self._name_columns()
        self.all = frozenset[str]().union(*self.stems)
        self._facts: dict[int, list[Fact]] = {}
        self._denials: dict[int, list[Denial]] = {}
        self._senses: dict[int, tuple[dict[int, Sense], dict[int, tuple[int, str]]]] = {}

    def _name_columns(self) -> None:
        """Find which spans are items or rows, and give each row what the header over it says."""
        # What stands together with its neighbours: a number of one item is none of the next.
        self.alone: frozenset[int] = frozenset()
        if "\n" not in self.text:
            return
        from pincite.core.parts import PartKind, parts_of

        place_of = {start: place for place, (start, _) in enumerate(self.spans)}
        parts = parts_of(self.text)
        self.alone = frozenset(
            place_of[part.start]
            for part in parts
            if part.kind in {PartKind.ITEM, PartKind.ROW, PartKind.HEADER} and part.start in place_of
        )
        for part in parts:
            row = place_of.get(part.start)
            header = None if part.header is None else place_of.get(parts[part.header].start)
            if row is not None and header is not None and row != header:
                self.stems[row] += [stem for stem in self.stems[header] if stem not in self.stems[row]]

    def senses(self, sentence: int) -> tuple[dict[int, Sense], dict[int, tuple[int, str]]]:
        """Return which of two contrary senses a sentence has, and which levels of scales."""
        found = self._senses.get(sentence)
        if found is None:
            # "more than 5" is a number, and says nothing of what is more.
            text = without(self.sentences[sentence], self.facts_in(sentence))
            words, wide = words_of(text), wide_words(text)
            found = senses_of(words, wide, self.denials(sentence)), levels_of(words, wide)
            self._senses[sentence] = found
        return found

    @cached_property
    def in_order(self) -> list[str]:
        return sorted(self.all)

    def beginning_with(self, beginning: str) -> Iterator[str]:
        first = bisect_left(self.in_order, beginning)
        for at in range(first, min(first + _MOST_FORMS, len(self.in_order))):
            if not self.in_order[at].startswith(beginning):
                return
            yield self.in_order[at]

    @cached_property
    def initials(self) -> str:
        return initials_of(self.text)

    @cached_property
    def days(self) -> frozenset[int]:
        return frozenset(_CALENDAR[stem] for stem in _CALENDAR.keys() & self.all)

    def denials(self, sentence: int) -> list[Denial]:
        """Return what a sentence denies."""
        found = self._denials.get(sentence)
        if found is None:
            found = denied_in(self.sentences[sentence]) if may_deny(self.words[sentence]) else []
            self._denials[sentence] = found
        return found

    def facts_in(self, sentence: int) -> list[Fact]:
        """Return the facts of a sentence, whose places are those in `sentences`."""
        found = self._facts.get(sentence)
        if found is None:
            found = self._facts[sentence] = facts_of(self.sentences[sentence], self.words[sentence])
        return found


def owners_of(asked: Asked, passage: Passage) -> dict[str, int]:
    """Return the stems of a passage that stand for one of the claim's, to its item."""
    places = asked.place_of
    owner = {stem: places[stem] for stem in places.keys() & passage.all}
    if len(owner) < len(places):
        for stem, item in places.items():
            if stem not in owner and len(stem) > len(beginning(stem)):
                for other in passage.beginning_with(beginning(stem)):
                    if other not in owner and related(stem, other):
                        owner[other] = item
    return owner


def spaced(text: str) -> str:
    """Return a sentence in which each line break, with the blanks around it, is a space; in a column it stays."""
    if "\n" not in text:
        return text
    text = "\n".join([line.strip(" \t\r") for line in text.split("\n")])
    columns = [match.span() for match in _COLUMN.finditer(text)]
    pieces: list[str] = []
    at = 0
    for start, end in columns:
        # The breaks in front of its first number and behind its last are kept as well.
        pieces += (text[at : max(at, start - 1)].replace("\n", " "), text[max(at, start - 1) : end])
        at = end
    return "".join((*pieces, text[at:].replace("\n", " ")))


def without(text: str, facts: Iterable[Fact]) -> str:
    pieces: list[str] = []
    at = 0
    for fact in facts:
        pieces += (text[at : fact.start], " ")
        at = max(at, fact.end)
    return "".join((*pieces, text[at:]))


def days_of(words: Iterable[str]) -> dict[int, str]:
    """Return the days and months among words, to how each is written."""
    return {_CALENDAR[STEMS[word]]: word for word in sorted(words) if STEMS[word] in _CALENDAR}
