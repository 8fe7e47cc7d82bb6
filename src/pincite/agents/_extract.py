"""Which sentences of the passages at hand answer a question: overlap of words, and what the question asks for.

Nothing here writes: what comes back are spans of the passages. It is deterministic, and it says nothing rather
than something that is beside the question.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pincite.agents._units import Source, Unit, stem, stems, units_of
from pincite.agents._words import ASKS, GENERIC, SUBJECT, Facet
from pincite.core.sentences import split_sentences
from pincite.core.text import words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pincite.core.protocols import BestSpan

    Similarity = Callable[[Sequence[str]], Sequence[float]]
    """Takes texts, gives the cosine (-1..1) of each with the question."""

MOST_QUOTES: Final = 3
"""Sentences of one answer."""

BAR: Final = 0.45
"""Relevance (0..1) below which a sentence does not answer."""

# The same for one that holds nothing of what the question asks for, such as an amount.
BAR_WITHOUT: Final = 0.6
# What remains of the relevance when the question names somebody or something that no passage names,
# and when it asks for the SALARY of somebody and the sentence knows of none.
STRANGE: Final = 0.6
WITHOUT_SUBJECT: Final = 0.6
# How much a word such as "amount" counts where the sentence holds one.
FULFILLED: Final = 0.8
# Sentences below which their number is not used for weighing words.
FEW_SENTENCES: Final = 20
# Share of the relevance that word overlap decides where similarities are given too.
OVERLAP: Final = 0.6
# Sentences whose meaning is compared with the question's.
MOST_COMPARED: Final = 40
# What holding all that the question asks for adds to a sentence's rank, not to its relevance.
FACET_BONUS: Final = 0.25
# Share of the best rank that a second sentence must reach: to add what is missing, or to stand beside it.
ADDS: Final = 0.6
BESIDE: Final = 0.84
# Words of the question that a neighbour of a quote must share with it to speak of the same.
SHARED_WITH_NEIGHBOUR: Final = 2
# Share of words that two quotes may have in common before they count as the same.
SAME: Final = 0.8

# A capitalised word: linear, one letter and one run.
_CAPITALISED: Final = re.compile(r"\b[^\W\d_a-z]\w+")
# A number with its separators: linear, one class after a digit.
_NUMBER: Final = re.compile(r"\d[\d.,:]*")


@dataclass(frozen=True, slots=True)
class Quote:
    """Code points `start` to `end` of the text of source number `source` (0 is the first).

    `header` is the same for what names the columns of a row, without which it says little.
    """

    source: int
    start: int
    end: int
    header: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class _Question:
    """What a question is about: its stems with their weights, what it asks for, and by which words."""

    weights: Mapping[str, float]
    wanted: frozenset[Facet]
    fulfilled: Mapping[str, frozenset[Facet]]
    subject: str | None
    strange: bool


@dataclass(frozen=True, slots=True)
class _Scored:
    """A unit with its relevance (0..1) and its rank among the others."""

    unit: Unit
    relevance: float
    rank: float


def extract(
    question: str,
    sources: Sequence[Source],
    *,
    similarity: Similarity | None = None,
    best_span: BestSpan | None = None,
) -> list[Quote]:
    """Return the sentences that answer `question`, at most `MOST_QUOTES`, in reading order; none when none does.

    Where a passage answers, `best_span` says with which part, so that what is quoted is what a search would light.
    """
    units = [units_of(number, source) for number, source in enumerate(sources)]
    stating = [unit for of_source in units for unit in of_source if unit.states]
    if not stating:
        return []
    about = _understood(question, stating)
    overlaps = sorted(
        ((_overlap(unit, about), unit) for unit in stating),
        key=lambda one: (-one[0], one[1].source, one[1].start),
    )
    if similarity is None:
        scored = [_scored(unit, about, overlap) for overlap, unit in overlaps]
    else:
        # Meaning alone lifts nothing over the bar, so the rest need not be looked at.
        likely = overlaps[:MOST_COMPARED]
        near = similarity([unit.text for _, unit in likely])
        scored = [
            _scored(unit, about, OVERLAP * overlap + (1 - OVERLAP) * max(0.0, float(cosine)))
            for (overlap, unit), cosine in zip(likely, near, strict=True)
        ]
    scored.sort(key=lambda one: (-one.rank, one.unit.source, one.unit.start))
    return _quotes(_pick(scored, about, _Chosen(question, sources, best_span)), units)


def asked(question: str) -> frozenset[Facet]:
    """Return what a question asks for."""
    folded = question.casefold()
    return frozenset(facet for pattern, facet in ASKS if pattern.search(folded))


def names(question: str) -> frozenset[str]:
    """Return the stems of the words that are written as names: a capital that does not open a sentence."""
    return frozenset(
        stem(match.group().casefold())
        for start, end in split_sentences(question)
        for match in _CAPITALISED.finditer(question, start + 1, end)
    )


def _understood(question: str, units: Sequence[Unit]) -> _Question:
    # Numbers of the question seldom stand in its answer: "an expense of 250 EUR" is answered by "over 100 EUR".
    wanted_words = frozenset(word for word in stems(question) if not word[:1].isdecimal())
    counts = Counter(word for unit in units for word in unit.stems & wanted_words)
    # A handful of sentences says little about which words are rare.
    many = max(len(units), FEW_SENTENCES)
    folded = question.casefold()
    subject = SUBJECT.search(folded)
    return _Question(
        weights={word: math.log(1 + many / (counts[word] + 0.5)) for word in sorted(wanted_words)},
        wanted=asked(question),
        fulfilled={stem(word): frozenset({GENERIC[word]}) for word in words(question) if word in GENERIC},
        subject=stem(subject["subject"]) if subject is not None else None,
        strange=any(not counts[name] for name in names(question) & wanted_words),
    )


def _overlap(unit: Unit, about: _Question) -> float:
    """Return the share of the question's words, by weight, that a unit answers for."""
    total = sum(about.weights.values()) or 1.0
    return sum(weight * _share(word, unit, about) for word, weight in about.weights.items()) / total


def _scored(unit: Unit, about: _Question, relevance: float) -> _Scored:
    if about.subject is not None and not _share(about.subject, unit, about):
        relevance *= WITHOUT_SUBJECT
    if about.strange:
        relevance *= STRANGE
    held = len(about.wanted & unit.holds) / len(about.wanted) if about.wanted else 1.0
    return _Scored(unit, relevance, relevance + FACET_BONUS * held)


def _share(word: str, unit: Unit, about: _Question) -> float:
    """Return how much of a question's word a unit answers for, 0..1."""
    if word in unit.stems:
        return 1.0
    found = [weight for stems_near, weight in unit.near if word in stems_near]
    if about.fulfilled.get(word, frozenset[Facet]()) & unit.holds:
        found.append(FULFILLED)
    return max(found, default=0.0)


class _Chosen:
    """The part of each source that answers best, as a search finds it; looked for where it is asked after."""

    def __init__(self, question: str, sources: Sequence[Source], best_span: BestSpan | None) -> None:
        self._question = question
        self._sources = sources
        self._best_span = best_span
        self._spans: dict[int, tuple[int, int] | None] = {}

    def holds(self, unit: Unit) -> bool:
        """Say whether a unit is of the best part of its source; where none stands out, each may be."""
        if self._best_span is None:
            return True
        if unit.source not in self._spans:
            text = self._sources[unit.source].text
            self._spans[unit.source] = self._best_span.best_span(self._question, text)
        span = self._spans[unit.source]
        return span is None or (span[0] <= unit.start and unit.end <= span[1])


def _pick(ranked: Sequence[_Scored], about: _Question, chosen: _Chosen) -> list[Unit]:
    best = next((one for one in ranked if one.relevance >= _bar(one.unit, about)), None)
    if best is None:
        return []
    source = best.unit.source
    best = next((one for one in ranked if one.unit.source == source and chosen.holds(one.unit)), best)
    picked = [best.unit]
    for one in ranked:
        if len(picked) == MOST_QUOTES or one.rank < ADDS * best.rank:
            break
        unit = one.unit
        own = unit.stems & about.weights.keys()
        if unit is best.unit or not own or any(_same(unit, other) for other in picked):
            continue
        # Which record answers is told by the search: words alone may not tell one from another.
        if unit.is_row and not chosen.holds(unit):
            continue
        missing = about.wanted.difference(*(other.holds for other in picked))
        whole = bool(about.wanted) and about.wanted <= unit.holds
        beside = one.rank >= BESIDE * best.rank
        if missing & unit.holds or (whole and (beside or _next_to_any(unit, picked, about))):
            picked.append(unit)
    return picked


def _bar(unit: Unit, about: _Question) -> float:
    return BAR if not about.wanted or about.wanted & unit.holds else BAR_WITHOUT


def _next_to_any(unit: Unit, picked: Sequence[Unit], about: _Question) -> bool:
    """Say whether a unit stands next to a picked one and speaks of the same."""
    return any(
        unit.source == other.source
        and abs(unit.index - other.index) == 1
        and len(unit.stems & other.stems & about.weights.keys()) >= SHARED_WITH_NEIGHBOUR
        for other in picked
    )


def _same(one: Unit, other: Unit) -> bool:
    """Say whether two units say the same: nearly all words, and every number."""
    shared = len(one.stems & other.stems)
    return shared >= SAME * max(1, min(len(one.stems), len(other.stems))) and set(
        _NUMBER.findall(one.text)
    ) == set(_NUMBER.findall(other.text))


def _quotes(picked: Sequence[Unit], units: Sequence[Sequence[Unit]]) -> list[Quote]:
    """Return the picked units with those that they lean on, sources in order of rank, units as they stand."""
    chosen = {(unit.source, unit.index): unit for unit in picked}
    for unit in picked:
        if unit.leans_on is not None and not unit.is_row and len(chosen) <= MOST_QUOTES:
            chosen.setdefault((unit.source, unit.leans_on), units[unit.source][unit.leans_on])
    order = {source: place for place, source in enumerate(dict.fromkeys(unit.source for unit in picked))}
    in_order = sorted(chosen.values(), key=lambda unit: (order[unit.source], unit.start))
    return [
        Quote(unit.source, unit.start, unit.end, _header_of(unit, units[unit.source])) for unit in in_order
    ]


def _header_of(unit: Unit, units: Sequence[Unit]) -> tuple[int, int] | None:
    if not unit.is_row or unit.leans_on is None:
        return None
    header = units[unit.leans_on]
    return header.start, header.end
