"""Support by words: what share of a claim the passages hold, and what they have otherwise.

No model is asked, and the same claim and passages always get the same check. It sees words, numbers, dates, units,
names and negations. It does not see meaning: a paraphrase in other words looks unsupported, and words in another
relation look supported.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from pincite.checking._asked import Asked, Passage, days_of, owners_of, without
from pincite.checking._contraries import (
    CONVERSE,
    excludes,
    negator_of,
    says_more,
)
from pincite.checking._facts import Fact, differs, in_other_unit, same
from pincite.checking._measures import MONTHS, UNITS
from pincite.checking._terms import (
    STEMS,
    Denial,
    capitalised,
    in_frames,
    is_wide,
    unascribed,
    unheld,
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
_SECOND: Final = 0.15
"""The share of a claim that a second sentence must add for the verdict to rest on two."""
_LEAST: Final = 2
"""Items that a sentence must share with a claim to contradict it."""
_LISTED: Final = 12
"""Words that a reason lists."""


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
        self._prepared = lru_cache(maxsize=kept)(Passage)

    @property
    def name(self) -> str:
        """What stands as `method` on its checks."""
        return "lexical"

    def check(self, claim: str, passages: Sequence[str]) -> SupportCheck:
        """Return the check of one claim against all passages together."""
        asked = Asked(unascribed(without_markers(claim)))
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
        if len(sentences) > 1 and found.are_apart(place):
            # What one item or row has otherwise says nothing of the other; that with more of the words is meant.
            sentences = [max(sentences, key=lambda at: found.words_in(place.passage, at))]
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
        against = tuple(dict.fromkeys(one.reason for one in close if not one.is_soft))
        if against:
            return _Judged(place, SupportVerdict.CONTRADICTED, score, against)
        exact = list(dict.fromkeys(one.reason for one in close))
        named = {item for one in close for item in one.items}
        lacks = [*found.lacking(held | named, place)]
        exact += [one for one in lacks if one.kind is not ReasonKind.WORD]
        exact += found.misplaced(place)
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
    """What a sentence has otherwise: the items of the claim that it concerns, and whether it is no contradiction.

    It is none where the items stand elsewhere, or where both may be true, though one does not bear out the other.
    """

    reason: SupportReason
    sentence: int
    items: frozenset[int] = frozenset()
    is_soft: bool = False


class _Found:
    """What of a claim stands where in its passages."""

    def __init__(self, asked: Asked, passages: Sequence[Passage]) -> None:
        self.asked = asked
        self.passages = passages
        self.owners = [owners_of(asked, passage) for passage in passages]
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
        for shares in (True, False):
            for passage, held in zip(self.passages, self.held, strict=True):
                for sentence, items in enumerate(held):
                    if bool(items) is not shares:
                        continue
                    if not shares and len(found) == len(facts):
                        return frozenset(found)
                    there = passage.facts_in(sentence)
                    mine = {
                        at for at, said in enumerate(facts, first) if any(same(said, one) for one in there)
                    }
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

    def are_apart(self, place: _Place) -> bool:
        """Tell whether a place is two items or rows, of which each speaks of its own."""
        return {place.first, place.last} <= self.passages[place.passage].alone

    def words_in(self, number: int, sentence: int) -> int:
        """Return how many words of the claim a sentence holds, its facts left out."""
        words = len(self.asked.stems)
        return sum(item < words for item in self.held[number][sentence])

    def score(self, held: frozenset[int]) -> float:
        """Return the share of the claim that is held, what stands elsewhere counting in part."""
        weights = self.asked.weights
        got = sum(weights[item] for item in held)
        got += _ELSEWHERE * sum(weights[item] for item in self.anywhere - held)
        return got / sum(weights)

    def most_share(self, number: int, sentence: int) -> float:
        """Return what `share` can be at most, whatever turns out to be disputed."""
        asked, held = self.asked, len(self.held[number][sentence])
        undisputed = len(asked.weights) - asked.most_disputed
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
        yield from self._more_or_less(number, sentence)

    def _facts_otherwise(self, number: int, sentence: int) -> Iterator[_Difference]:
        asked, held = self.asked, self.held[number][sentence]
        if not asked.facts:
            return
        passage = self.passages[number]
        denials = passage.denials(sentence)
        free = [one for one in passage.facts_in(sentence) if not any(same(said, one) for said in asked.facts)]
        for item, said in enumerate(asked.facts, len(asked.stems)):
            if item in held:
                continue
            # Who says that it is not 30 agrees with who says that it is 35.
            mine = _is_denied(said, asked.denials)
            other = next(
                (one for one in free if differs(said, one) and _is_denied(one, denials) is mine), None
            )
            if other is not None:
                kind = _kind(said, other)
                written = passage.sentences[sentence][other.written]
                reason = SupportReason(kind, asked.text[said.written], written)
                items = {item, *asked.counted_by(said)}
                yield _Difference(reason, sentence, frozenset(items), item in self.anywhere)

    def _days_otherwise(self, number: int, sentence: int) -> Iterator[_Difference]:
        mine = self.asked.days
        if not mine:
            return
        passage = self.passages[number]
        theirs = days_of(passage.words[sentence])
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
        theirs = passage.senses(sentence)[0] if asked.senses else {}
        settled: set[int] = set()
        for pair, sense in asked.senses.items():
            other = theirs.get(pair)
            if other is None:
                continue
            word, written = sense.word, other.word
            items = self._items_of(number, sense.stems | other.stems)
            settled |= items
            if sense.sign != other.sign and sense.is_of(other):
                # The negators say more than the word does, where both have the same.
                mine, negator = negator_of(asked.denials, word), negator_of(denials, written)
                words = (mine, negator) if mine or negator else (word, written)
                items |= self._items_of(number, {STEMS[mine]})
                turned = pair in CONVERSE and self._is_turned(number, sentence, items)
                reason = SupportReason(ReasonKind.NEGATION, *words)
                yield _Difference(reason, sentence, frozenset(items), turned)
        here = [
            (
                one,
                {asked.place_of[s] for s in one.stems if s in asked.place_of}
                | {at for at, fact in enumerate(asked.facts, len(asked.stems)) if _denies(one, fact)},
            )
            for one in asked.denials
            if not _is_within(one, asked.facts)
        ]
        facts = passage.facts_in(sentence) if denials and asked.facts else []
        there = [
            (
                one,
                {owner[s] for s in one.stems if s in owner}
                | {
                    at
                    for at, said in enumerate(asked.facts, len(asked.stems))
                    for fact in facts
                    if _denies(one, fact) and same(said, fact)
                },
            )
            for one in denials
            if not _is_within(one, facts)
        ]
        held = self.held[number][sentence]
        for denial in _one_sided(here, there, held - settled):
            items = frozenset(self._items_of(number, denial.seam))
            yield _Difference(SupportReason(ReasonKind.NEGATION, denial.negator), sentence, items)
        for denial in _one_sided(there, here, held - settled):
            items = frozenset(self._items_of(number, denial.seam))
            yield _Difference(SupportReason(ReasonKind.NEGATION, "", denial.negator), sentence, items)

    def _is_turned(self, number: int, sentence: int, contrary: set[int]) -> bool:
        """Tell whether a sentence begins with another of the shared items than the claim: who sells to whom."""
        owner, held = self.owners[number], self.held[number][sentence] - contrary
        mine = next((item for item in range(len(self.asked.stems)) if item in held), None)
        stems = self.passages[number].stems[sentence]
        theirs = next((owner[stem] for stem in stems if stem in owner and owner[stem] in held), None)
        return mine != theirs

    def _more_or_less(self, number: int, sentence: int) -> Iterator[_Difference]:
        """Yield where a claim says more than a sentence does: all for some, must for may."""
        mine = self.asked.levels
        if not mine or self.asked.denials or self.passages[number].denials(sentence):
            return
        theirs = self.passages[number].senses(sentence)[1]
        for scale, (level, word) in mine.items():
            there, written = theirs.get(scale, (level, word))
            if says_more(scale, level, there):
                items = frozenset(self._items_of(number, self.asked.wide_words.get(word, {STEMS[word]})))
                reason = SupportReason(ReasonKind.NEGATION, word, written)
                yield _Difference(reason, sentence, items, not excludes(scale, level, there))

    def agreed(self, number: int, sentence: int) -> frozenset[int]:
        """Return the items that a sentence says with another word of the same sense."""
        asked, passage = self.asked, self.passages[number]
        if not asked.senses:
            return frozenset()
        theirs = passage.senses(sentence)[0]
        return frozenset(
            item
            for pair, sense in asked.senses.items()
            if pair in theirs and theirs[pair].sign == sense.sign
            for item in self._items_of(number, sense.stems)
        )

    def _items_of(self, number: int, stems: Iterable[str]) -> set[int]:
        owner, places = self.owners[number], self.asked.place_of
        return {item for stem in stems if (item := places.get(stem, owner.get(stem))) is not None}

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
                if fact.is_loose:
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

    def misplaced(self, place: _Place) -> Iterator[SupportReason]:
        """Yield what the passages have not where no capital and no space tells names from other words."""
        asked = self.asked
        if is_wide(asked.text):
            held = {stem for stem, item in asked.place_of.items() if item in self.anywhere}
            for run in words_of(without(asked.text, asked.facts)):
                if is_wide(run[0]) and (missing := unheld(run, held)):
                    yield SupportReason(ReasonKind.WORD, missing)
        if len(self.anywhere) == len(asked.weights):
            return
        passage, owner = self.passages[place.passage], self.owners[place.passage]
        start, end = passage.spans[place.first][0], passage.spans[place.last][1]
        others = {
            frame: word
            for stem, word, frames in in_frames(passage.text[start:end])
            if stem not in owner
            for frame in frames
        }
        for stem, word, frames in in_frames(asked.text) if others else ():
            item = asked.place_of.get(stem)
            other = next((others[frame] for frame in frames if frame in others), None)
            if other is not None and item is not None and item not in self.anywhere | asked.names[0].keys():
                yield SupportReason(ReasonKind.WORD, word, other)

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


def _denies(denial: Denial, fact: Fact) -> bool:
    # A bound that is turned round is another bound, and is read as that.
    return not fact.bound and any(fact.start <= place < fact.end for place in denial.places)


def _is_denied(fact: Fact, denials: Iterable[Denial]) -> bool:
    return any(_denies(one, fact) for one in denials)


def _is_within(denial: Denial, facts: Iterable[Fact]) -> bool:
    """Tell whether a negator is part of a bound: "not more than 5"."""
    return any(fact.start <= denial.at < fact.end for fact in facts)


def _one_sided(
    mine: Sequence[tuple[Denial, set[int]]], theirs: Sequence[tuple[Denial, set[int]]], shared: set[int]
) -> Iterator[Denial]:
    """Yield what of `mine` denies something `shared` of which nothing is denied in `theirs`."""
    denied = set[int]().union(*(items for _, items in theirs))
    for denial, items in mine:
        if not items.isdisjoint(shared) and items.isdisjoint(denied):
            yield denial


def _kind(said: Fact, there: Fact) -> ReasonKind:
    if said.dates and there.dates:
        return ReasonKind.DATE
    return ReasonKind.UNIT if in_other_unit(said, there) else ReasonKind.NUMBER
