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

from pincite.agents._units import AROUND, Source, Unit, stem, stems, units_of
from pincite.agents._words import ASKS, ASKS_OF_ONESELF, GENERIC, SPEAKS_TO_READER, SUBJECT, Facet
from pincite.core.sentences import split_sentences
from pincite.core.text import words
from pincite.core.verdicts import Confidence

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pincite.core.protocols import BestSpan

    Similarity = Callable[[Sequence[str]], Sequence[float]]
    """Takes texts, gives the cosine (-1..1) of each with the question."""

MOST_QUOTES: Final = 3
"""Sentences of one answer."""

BAR: Final = 0.45
"""Relevance (0..1) below which a sentence does not answer."""

# The same for one that holds nothing of what the question asks for, such as an amount, or that shares nothing with it
# but the name of somebody or something.
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
# The same for a sentence that says "you" where the question says "I": rules for readers are written so.
READER_BONUS: Final = 0.05
# Share of the best rank that a second sentence must reach: to add what is missing, or to stand beside it.
ADDS: Final = 0.6
BESIDE: Final = 0.84
# Share of the words that stand in the passages at all which must stand in a row or over it, where the row is quoted
# for the one thing that it names.
OF_THE_KNOWN: Final = 0.5
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

    `header` is the same for what names the columns of a row, without which it says little; None where `is_row` and the
    names stand elsewhere.
    """

    source: int
    start: int
    end: int
    header: tuple[int, int] | None = None
    is_row: bool = False


@dataclass(frozen=True, slots=True)
class _Question:
    """What a question is about: its stems with their weights, what it asks for, and by which words.

    `named` are the stems of names; `known` those of its stems that stand in the passages; `said` all of its words.
    """

    weights: Mapping[str, float]
    wanted: frozenset[Facet]
    fulfilled: Mapping[str, frozenset[Facet]]
    subject: str | None
    strange: bool
    named: frozenset[str]
    known: frozenset[str]
    said: frozenset[str]
    of_oneself: bool


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
    What the search calls weak is not quoted beside, or in place of, an answer that it calls supported.
    """
    units = [units_of(number, source) for number, source in enumerate(sources)]
    stating = [unit for of_source in units for unit in of_source if unit.states]
    if not stating:
        return []
    about = _understood(question, stating, units)
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
    chosen = _Chosen(question, sources, best_span)
    picked = _pick(_trusted(scored, about, sources), about, chosen) or _row_of_name(units, about, sources)
    return _quotes(picked, units)


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


def _understood(question: str, units: Sequence[Unit], everything: Sequence[Sequence[Unit]]) -> _Question:
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
        named=names(question) & wanted_words,
        known=frozenset(
            word for of_source in everything for unit in of_source for word in unit.stems & wanted_words
        ),
        said=frozenset(words(question)),
        of_oneself=ASKS_OF_ONESELF.search(folded) is not None,
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
    to_reader = READER_BONUS if _speaks_to_asker(unit, about) else 0.0
    return _Scored(unit, relevance, relevance + FACET_BONUS * held + to_reader)


def _speaks_to_asker(unit: Unit, about: _Question) -> bool:
    """Say whether a unit says "you" to one who asks of "my" or "I"."""
    return about.of_oneself and SPEAKS_TO_READER.search(unit.text.casefold()) is not None


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
    picked = [best.unit, *_rows_like(best.unit, ranked, about)]
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
        next_to = _next_to_any(unit, picked, about)
        if _is_only_named(unit, about) or not (next_to or _of_the_same(unit, best.unit, about)):
            continue
        missing = about.wanted.difference(*(other.holds for other in picked))
        whole = bool(about.wanted) and about.wanted <= unit.holds
        beside = one.rank >= BESIDE * best.rank
        if missing & unit.holds or (whole and (beside or next_to)):
            picked.append(unit)
    return picked


def _trusted(ranked: Sequence[_Scored], about: _Question, sources: Sequence[Source]) -> Sequence[_Scored]:
    """Return what may be quoted: where a supported passage answers, none that is weak."""
    answers = (one.unit.source for one in ranked if one.relevance >= _bar(one.unit, about))
    if not any(sources[source].confidence is Confidence.SUPPORTED for source in answers):
        return ranked
    return [one for one in ranked if sources[one.unit.source].confidence is not Confidence.WEAK]


def _bar(unit: Unit, about: _Question) -> float:
    holds = not about.wanted or bool(about.wanted & unit.holds)
    return BAR if holds and not _is_only_named(unit, about) else BAR_WITHOUT


def _is_only_named(unit: Unit, about: _Question) -> bool:
    """Say whether a sentence shares nothing with the question but names: about the same company is no answer.

    A record is of what it names, so that a name is enough there.
    """
    others = about.weights.keys() - about.named
    return bool(others) and not unit.is_row and not any(_share(word, unit, about) for word in others)


def _of_the_same(unit: Unit, best: Unit, about: _Question) -> bool:
    """Say whether a unit has a word of the question that is as rare as the rarest of the best unit.

    The word may stand in it, in what it leans on or over it; a price alone makes no sentence one about the bicycle.
    """
    rarest = max((about.weights[word] for word in about.weights.keys() & best.stems), default=0.0)
    held = (weight for word, weight in about.weights.items() if _share(word, unit, about) >= AROUND)
    if max(held, default=0.0) < rarest:
        return False
    return unit.source == best.source or _speaks_to_asker(unit, about) or not _speaks_to_asker(best, about)


def _rows_like(best: Unit, ranked: Sequence[_Scored], about: _Question) -> list[Unit]:
    """Return the other rows of a table that hold the same words of the question, so that no word tells them apart.

    None where they are too many to be quoted together: then the search says which.
    """
    if not best.is_row or best.leans_on is None:
        return []
    said = about.said.intersection(words(best.text.casefold()))
    held = about.weights.keys() & best.stems
    alike = [
        one.unit
        for one in ranked
        if one.unit is not best
        and (one.unit.source, one.unit.leans_on) == (best.source, best.leans_on)
        and about.weights.keys() & one.unit.stems == held
        and about.said.intersection(words(one.unit.text.casefold())) == said
        and about.wanted & one.unit.holds == about.wanted & best.holds
    ]
    return alike if held and len(alike) < MOST_QUOTES else []


def _row_of_name(units: Sequence[Sequence[Unit]], about: _Question, sources: Sequence[Source]) -> list[Unit]:
    """Return the row that alone in its passage names a thing of the question, of the first supported passage with one.

    A record seldom has the words of a question: how many passengers is its column `capacity`. What the question asks
    for has to be in it, and around it most of the words that the passages know.
    """
    if about.strange:
        return []
    for source, of_source in zip(sources, units, strict=True):
        rows = [unit for unit in of_source if unit.is_row and unit.states]
        if source.confidence is not Confidence.SUPPORTED:
            continue
        for row in rows:
            alone = [
                word
                for word in about.weights.keys() & row.stems
                if sum(word in other.stems for other in rows) == 1
            ]
            around = [word for word in about.known if _share(word, row, about)]
            fits = about.wanted <= row.holds and (about.subject is None or _share(about.subject, row, about))
            if alone and fits and len(around) > OF_THE_KNOWN * len(about.known):
                return [row]
    return []


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
        Quote(unit.source, unit.start, unit.end, _header_of(unit, units[unit.source]), unit.is_row)
        for unit in in_order
    ]


def _header_of(unit: Unit, units: Sequence[Unit]) -> tuple[int, int] | None:
    if not unit.is_row or unit.leans_on is None:
        return None
    header = units[unit.leans_on]
    return header.start, header.end
