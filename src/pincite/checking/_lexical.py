"""Support by words: what share of a claim the passages hold, and what they have otherwise.

No model is asked, and the same claim and passages always get the same check. It sees words, numbers, dates, units,
names and negations. It does not see meaning: a paraphrase in other words looks unsupported, and words in another
relation look supported.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from pincite.checking._facts import Fact, differs, facts_of, in_other_unit, same
from pincite.checking._measures import MONTHS, UNITS
from pincite.checking._stop_words import CONTRARIES, DAYS
from pincite.checking._terms import (
    STEMS,
    Denial,
    beginning,
    capitalised,
    denied_in,
    initials_of,
    is_wide,
    may_deny,
    names_of,
    related,
    stems_of,
    words_of,
)
from pincite.checking.claims import without_markers
from pincite.checking.support import ReasonKind, SupportCheck, SupportReason, unchecked
from pincite.core.verdicts import SupportVerdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_KEPT: Final = 64
"""Passages whose words are kept for the next claim."""
_PLACES: Final = 3
"""Places that are looked at for what differs, the best first."""
_ELSEWHERE: Final = 0.5
"""What an item counts that stands elsewhere in the passages than in the sentences the verdict rests on."""
_SPELLED: Final = 0.5
"""What a small number counts that is written as a word."""
_SECOND: Final = 0.15
"""The share of a claim that a second sentence must add for the verdict to rest on two."""
_LEAST: Final = 2
"""Items that a sentence must share with a claim to contradict it."""
_LISTED: Final = 12
"""Words that a reason lists."""
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


@dataclass(frozen=True, slots=True)
class LexicalBars:
    """From which score on what is said, 0 to 1; see `docs/check-support.md` for how they were found."""

    supported: float = 0.65
    """The score from which a claim is supported, when no number, date, unit or name of it is missing."""
    partial: float = 0.35
    """The score from which it is supported in part."""
    contradicted: float = 0.75
    """The share of the claim's other words that a sentence must hold for a difference in it to contradict the claim."""


DEFAULT_BARS: Final = LexicalBars()
"""The bars of a method that was given none."""


class LexicalSupport:
    """The method `lexical`: offline, deterministic, in the base install. Several threads may use it at once.

    `score` is the share of the claim that the passages hold: its content words, numbers, dates and names count one
    each, those in the best sentence (or two adjacent ones) of each passage in full, those elsewhere half.
    """

    __slots__ = ("_bars", "_prepared")

    def __init__(self, bars: LexicalBars = DEFAULT_BARS, *, kept: int = _KEPT) -> None:
        """`kept` passages stay prepared for the next claim."""
        self._bars = bars
        self._prepared = lru_cache(maxsize=kept)(_Passage)

    @property
    def name(self) -> str:
        """What stands as `method` on its checks."""
        return "lexical"

    def check(self, claim: str, passages: Sequence[str]) -> SupportCheck:
        """Return the check of one claim against all passages together."""
        asked = _Asked(without_markers(claim))
        if not asked.weights:
            return unchecked(self.name, "The claim has no words that could be looked for.")
        found = _Found(asked, [self._prepared(text) for text in passages])
        judged: list[_Judged] = []
        for place in found.places:
            # Another place can only do better where the first says enough of the claim, but something otherwise.
            if judged and found.size(place) < found.size(found.places[0]):
                break
            judged.append(self._judge(found, place))
            last = judged[-1]
            if last.verdict is SupportVerdict.SUPPORTED or (
                last.score < self._bars.supported and last.verdict is not SupportVerdict.CONTRADICTED
            ):
                break
        if not judged:
            reasons = tuple(found.lacking(frozenset(), None))
            return SupportCheck(SupportVerdict.UNSUPPORTED, self.name, 0.0, reasons=reasons)
        # Where one place bears the claim out, others that differ are about something else.
        best = judged[-1] if judged[-1].verdict is SupportVerdict.SUPPORTED else judged[0]
        place, spans = best.place, found.passages[best.place.passage].spans
        return SupportCheck(
            best.verdict,
            self.name,
            round(best.score, 4),
            place.passage,
            spans[place.first][0],
            spans[place.last][1],
            best.reasons,
        )

    def _judge(self, found: _Found, place: _Place) -> _Judged:
        bars = self._bars
        sentences = [
            at
            for at in range(place.first, place.last + 1)
            if found.most_share(place.passage, at) >= bars.contradicted
        ]
        differences = [one for at in sentences for one in found.differences(place.passage, at)]
        agreed = frozenset[int]().union(*(found.agreed(place.passage, at) for at in sentences))
        held = found.held_with(place) | agreed
        score = found.score(held)
        disputed = frozenset[int]().union(*(one.items for one in differences))
        close = [
            one
            for one in differences
            if found.share(place.passage, one.sentence, disputed, agreed) >= bars.contradicted
        ]
        against = tuple(dict.fromkeys(one.reason for one in close if not one.is_elsewhere))
        if against:
            return _Judged(place, SupportVerdict.CONTRADICTED, score, against)
        exact = list(dict.fromkeys(one.reason for one in close))
        named = {item for one in close for item in one.items}
        lacks = [*found.lacking(held | named, place)]
        exact += [one for one in lacks if one.kind is not ReasonKind.WORD]
        if score >= bars.supported and not exact:
            return _Judged(place, SupportVerdict.SUPPORTED, score, ())
        verdict = SupportVerdict.PARTIAL if score >= bars.partial else SupportVerdict.UNSUPPORTED
        return _Judged(
            place, verdict, score, (*exact, *(one for one in lacks if one.kind is ReasonKind.WORD))
        )


class _Place(NamedTuple):
    """Sentences `first` to `last` (the same, or the next) of a passage."""

    passage: int
    first: int
    last: int


class _Judged(NamedTuple):
    place: _Place
    verdict: SupportVerdict
    score: float
    reasons: tuple[SupportReason, ...]


class _Difference(NamedTuple):
    """What a sentence has otherwise: the items of the claim that it concerns, and whether these stand elsewhere."""

    reason: SupportReason
    sentence: int
    items: frozenset[int] = frozenset()
    is_elsewhere: bool = False


class _Asked:
    """A claim as a list of items: its stems, then its facts."""

    def __init__(self, text: str) -> None:
        self.text = text
        # Only figures, and words that stand for some, can make a fact; most claims have neither.
        folded = words_of(text)
        self.facts = facts_of(text, folded)[:_MOST_FACTS]
        words = words_of(_without(text, self.facts)) if self.facts else folded
        self.stems = stems_of(words, wide=is_wide(text))
        self.place_of = {stem: at for at, stem in enumerate(self.stems)}
        self.weights = [1.0] * len(self.stems) + [
            _SPELLED if fact.spelled and not fact.dimension else 1.0 for fact in self.facts
        ]
        self.words = frozenset(words)

    def written(self, item: int) -> str:
        """Return a word of the claim that has the stem of an item."""
        stem = self.stems[item]
        return next((word for word in sorted(self.words) if STEMS[word] == stem), stem)

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
    def senses(self) -> dict[int, tuple[int, str]]:
        return _senses(self.words, self.denials)

    @cached_property
    def days(self) -> dict[int, str]:
        return _days(self.words)


class _Passage:
    """A passage with its stems; what only some claims need is worked out when one does."""

    def __init__(self, text: str) -> None:
        from pincite.core.sentences import split_sentences

        self.text = text
        self.spans = split_sentences(text)
        wide = is_wide(text)
        self.words = [words_of(text[start:end]) for start, end in self.spans]
        self.stems = [stems_of(words, wide=wide) for words in self.words]
        self.all = frozenset[str]().union(*self.stems)
        self._facts: dict[int, list[Fact]] = {}

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
        if not may_deny(self.words[sentence]):
            return []
        start, end = self.spans[sentence]
        return denied_in(self.text[start:end])

    def facts_in(self, sentence: int) -> list[Fact]:
        """Return the facts of a sentence, whose places are those in the sentence."""
        found = self._facts.get(sentence)
        if found is None:
            start, end = self.spans[sentence]
            found = self._facts[sentence] = facts_of(self.text[start:end], self.words[sentence])
        return found


class _Found:
    """What of a claim stands where in its passages."""

    def __init__(self, asked: _Asked, passages: Sequence[_Passage]) -> None:
        self.asked = asked
        self.passages = passages
        self.owners = [_owners(asked, passage) for passage in passages]
        self.held: list[list[set[int]]] = [
            [{owner[stem] for stem in stems if stem in owner} for stems in passage.stems]
            for passage, owner in zip(passages, self.owners, strict=True)
        ]
        self.anywhere = frozenset[int]().union(*(owner.values() for owner in self.owners))
        if asked.facts:
            self.anywhere |= self._hold_facts()
        if len(self.anywhere) < len(asked.weights):
            self.anywhere |= self._acronyms()
        self.places = self._places()
        best: dict[int, _Place] = {}
        for place in self.places:
            best.setdefault(place.passage, place)
        self._best = {number: self._items(place) for number, place in best.items()}
        self.places = self.places[:_PLACES]

    def size(self, place: _Place) -> int:
        """Return how many items a place holds."""
        return len(self._items(place))

    def _hold_facts(self) -> frozenset[int]:
        """Enter the facts of the claim where a sentence has them; return those that stand anywhere.

        Sentences that share nothing else with the claim are read only for what the others have not.
        """
        facts, first = self.asked.facts, len(self.asked.stems)
        found: set[int] = set()
        sentences = [
            (passage, sentence, items)
            for passage, held in zip(self.passages, self.held, strict=True)
            for sentence, items in enumerate(held)
        ]
        sentences.sort(
            key=lambda one: not one[2]
        )  # keeps the order of what shares something, and of what does not
        for passage, sentence, items in sentences:
            if not items and len(found) == len(facts):
                break
            there = passage.facts_in(sentence)
            mine = {at for at, said in enumerate(facts, first) if any(same(said, one) for one in there)}
            items.update(mine)
            found |= mine
        return frozenset(found)

    def _acronyms(self) -> frozenset[int]:
        """Return the names in capitals that are made of the initials of words in the passages."""
        names, _ = self.asked.names
        return frozenset(
            item
            for item, word in names.items()
            if item not in self.anywhere
            and word.isupper()
            and 2 < len(word) < 8  # noqa: PLR2004 - fewer letters are found anywhere
            and any(word in passage.initials for passage in self.passages)
        )

    def _items(self, place: _Place) -> frozenset[int]:
        held = self.held[place.passage]
        return frozenset(held[place.first] | held[place.last])

    def _places(self) -> list[_Place]:
        """Return the places that hold something of the claim, the best first."""
        adds = _SECOND * len(self.asked.weights)
        ranked: list[tuple[int, int, int, int]] = []
        for number, held in enumerate(self.held):
            before: set[int] = set()
            for at, items in enumerate(held):
                if items:
                    ranked.append((-len(items), 0, number, at))
                    if before:
                        both = len(items | before)
                        if both - max(len(items), len(before)) > adds:
                            ranked.append((-both, 1, number, at - 1))
                before = items
        ranked.sort()
        return [_Place(number, at, at + second) for _, second, number, at in ranked]

    def held_with(self, place: _Place) -> frozenset[int]:
        """Return the items that stand in `place` or in the best place of another passage."""
        others = (items for number, items in self._best.items() if number != place.passage)
        return self._items(place).union(*others)

    def score(self, held: frozenset[int]) -> float:
        """Return the share of the claim that is held, what stands elsewhere counting in part."""
        weights = self.asked.weights
        got = sum(weights[item] for item in held)
        got += _ELSEWHERE * sum(weights[item] for item in self.anywhere - held)
        return got / sum(weights)

    def most_share(self, number: int, sentence: int) -> float:
        """Return what `share` can be at most, whatever turns out to be disputed."""
        asked, held = self.asked, len(self.held[number][sentence])
        disputed = len(asked.facts) + len(asked.days) + len(asked.senses)
        undisputed = len(asked.weights) - disputed
        return (held + len(asked.senses)) / undisputed if undisputed > 0 else 1.0

    def share(self, number: int, sentence: int, disputed: frozenset[int], agreed: frozenset[int]) -> float:
        """Return the share of the undisputed items that a sentence holds; 0 where they are too few to tell."""
        held = (self.held[number][sentence] | agreed) - disputed
        undisputed = len(self.asked.weights) - len(disputed)
        return len(held) / undisputed if held and len(held) >= min(_LEAST, undisputed) else 0.0

    # --- What differs ---

    def differences(self, number: int, sentence: int) -> Iterator[_Difference]:
        """Yield in what a sentence has otherwise what the claim says."""
        yield from self._facts_otherwise(number, sentence)
        yield from self._days_otherwise(number, sentence)
        yield from self._turned_round(number, sentence)

    def _facts_otherwise(self, number: int, sentence: int) -> Iterator[_Difference]:
        asked, held = self.asked, self.held[number][sentence]
        if not asked.facts:
            return
        passage = self.passages[number]
        free = [one for one in passage.facts_in(sentence) if not any(same(said, one) for said in asked.facts)]
        for item, said in enumerate(asked.facts, len(asked.stems)):
            other = None if item in held else next((one for one in free if differs(said, one)), None)
            if other is not None:
                kind = _kind(said, other)
                begin = passage.spans[sentence][0]
                written = passage.text[begin + other.start : begin + other.end]
                reason = SupportReason(kind, asked.text[said.start : said.end], written)
                yield _Difference(reason, sentence, frozenset({item}), item in self.anywhere)

    def _days_otherwise(self, number: int, sentence: int) -> Iterator[_Difference]:
        mine = self.asked.days
        if not mine:
            return
        passage = self.passages[number]
        theirs = _days(passage.words[sentence])
        for day, word in mine.items():
            others = [there for key, there in theirs.items() if key not in mine and key * day >= 0]
            if day not in theirs and others:
                item = self.asked.place_of.get(STEMS[word])
                elsewhere = any(day in one.days for one in self.passages)
                reason = SupportReason(ReasonKind.DATE, word, others[0])
                yield _Difference(
                    reason, sentence, frozenset() if item is None else frozenset({item}), elsewhere
                )

    def _turned_round(self, number: int, sentence: int) -> Iterator[_Difference]:
        """Yield where claim and sentence say the contrary: by a negator of one alone, or by a word."""
        passage, owner, asked = self.passages[number], self.owners[number], self.asked
        denials = passage.denials(sentence)
        theirs = _senses(passage.words[sentence], denials) if asked.senses else {}
        settled: set[int] = set()
        for pair, (sign, word) in asked.senses.items():
            if pair not in theirs:
                continue
            other, written = theirs[pair]
            items = self._items_of(number, word, written)
            settled |= items
            if sign != other:
                # The negators say more than the word does, where both have the same.
                mine, negator = _negator(asked.denials, word), _negator(denials, written)
                words = (mine, negator) if mine or negator else (word, written)
                yield _Difference(SupportReason(ReasonKind.NEGATION, *words), sentence, frozenset(items))
        here = [
            (one.negator, {asked.place_of[s] for s in one.stems if s in asked.place_of})
            for one in asked.denials
        ]
        there = [(one.negator, {owner[s] for s in one.stems if s in owner}) for one in denials]
        held = self.held[number][sentence]
        for negator in _one_sided(here, there, held - settled):
            yield _Difference(SupportReason(ReasonKind.NEGATION, negator), sentence)
        for negator in _one_sided(there, here, held - settled):
            yield _Difference(SupportReason(ReasonKind.NEGATION, "", negator), sentence)

    def agreed(self, number: int, sentence: int) -> frozenset[int]:
        """Return the items that a sentence says with another word of the same sense."""
        asked, passage = self.asked, self.passages[number]
        if not asked.senses:
            return frozenset()
        theirs = _senses(passage.words[sentence], passage.denials(sentence))
        return frozenset(
            item
            for pair, (sign, word) in asked.senses.items()
            if pair in theirs and theirs[pair][0] == sign
            for item in self._items_of(number, word)
        )

    def _items_of(self, number: int, *words: str) -> set[int]:
        owner, places = self.owners[number], self.asked.place_of
        return {
            item
            for stem in map(STEMS.__getitem__, words)
            if (item := places.get(stem, owner.get(stem))) is not None
        }

    # --- What is missing ---

    def lacking(self, held: Iterable[int], place: _Place | None) -> Iterator[SupportReason]:
        """Yield what of the claim stands nowhere in the passages."""
        asked = self.asked
        missing = sorted(set(range(len(asked.weights))) - set(held) - self.anywhere)
        names, first = asked.names
        words: list[str] = []
        if not missing:
            return
        strangers = self._strangers(place) if first is not None or names else []
        for item in missing:
            if item >= len(asked.stems):
                fact = asked.facts[item - len(asked.stems)]
                written = asked.text[fact.start : fact.end]
                if fact.spelled and not fact.dimension:
                    words.append(written)
                else:
                    yield SupportReason(ReasonKind.DATE if fact.dates else ReasonKind.NUMBER, written)
            elif item in names:
                yield SupportReason(ReasonKind.NAME, names[item], strangers[0] if len(strangers) == 1 else "")
            elif first is not None and item == first[0] and strangers:
                yield SupportReason(ReasonKind.NAME, first[1], strangers[0])
            else:
                words.append(asked.written(item))
        if words:
            yield SupportReason(ReasonKind.WORD, ", ".join(words[:_LISTED]))

    def _strangers(self, place: _Place | None) -> list[str]:
        """Return the words with a capital in a place that are none of the claim's."""
        if place is None:
            return []
        passage, owner = self.passages[place.passage], self.owners[place.passage]
        start, end = passage.spans[place.first][0], passage.spans[place.last][1]
        return [
            word
            for stem, word in capitalised(passage.text[start:end]).items()
            if stem not in owner and word.casefold() not in UNITS and word.casefold() not in MONTHS
        ]


def _owners(asked: _Asked, passage: _Passage) -> dict[str, int]:
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


def _without(text: str, facts: Iterable[Fact]) -> str:
    pieces: list[str] = []
    at = 0
    for fact in facts:
        pieces += (text[at : fact.start], " ")
        at = max(at, fact.end)
    return "".join((*pieces, text[at:]))


def _days(words: Iterable[str]) -> dict[int, str]:
    """Return the days and months among words, to how each is written."""
    return {_CALENDAR[STEMS[word]]: word for word in sorted(words) if STEMS[word] in _CALENDAR}


def _senses(words: Iterable[str], denials: Iterable[Denial]) -> dict[int, tuple[int, str]]:
    """Return the pairs of contrary senses of which words hold one, with which, a denied one being the other."""
    found: dict[int, tuple[int, str]] = {}
    both: set[int] = set()
    for word in sorted(set(words) & CONTRARIES.keys()):
        pair, side = CONTRARIES[word]
        sign = -side if _negator(denials, word) else side
        if found.setdefault(pair, (sign, word))[0] != sign:
            both.add(pair)
    return {pair: sense for pair, sense in found.items() if pair not in both}


def _negator(denials: Iterable[Denial], word: str) -> str:
    """Return the negator of a word, "" where it has none."""
    return next((one.negator for one in denials if STEMS[word] in one.stems), "")


def _one_sided(
    mine: Sequence[tuple[str, set[int]]], theirs: Sequence[tuple[str, set[int]]], shared: set[int]
) -> Iterator[str]:
    """Yield the negators of `mine` that deny something `shared` of which nothing is denied in `theirs`."""
    denied = set[int]().union(*(items for _, items in theirs))
    for negator, items in mine:
        if not items.isdisjoint(shared) and items.isdisjoint(denied):
            yield negator


def _kind(said: Fact, there: Fact) -> ReasonKind:
    if said.dates and there.dates:
        return ReasonKind.DATE
    return ReasonKind.UNIT if in_other_unit(said, there) else ReasonKind.NUMBER
