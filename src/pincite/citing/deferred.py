"""Citations after the fact: the sentences of an answer, each with the passages it was drawn from.

No model is asked. A sentence is compared with the passages by its words, its pairs of characters in scripts without
spaces, its figures and its names, each weighed by how rare it is among the passages; a figure, a unit or a name
that a passage lacks, or a denial that only one of the two holds, keeps them apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar, cast

from pincite.citing.occurrence import checked_text
from pincite.core.given import items_of, maybe, of_kind, refuse
from pincite.core.limits import DEFAULT, Limits

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pincite.citing._matching.index import PassageIndex
    from pincite.citing._matching.score import Scored
    from pincite.core.protocols import Embedder

KindT = TypeVar("KindT")
_PAIR = 2

__all__ = [
    "DEFAULT_BARS",
    "DeferredBars",
    "PassageMatch",
    "SentenceMatch",
    "match_sentences",
    "number_position",
]


@dataclass(frozen=True, slots=True)
class DeferredBars:
    """What decides whether a sentence is cited; scores, shares and factors from 0 to 1 unless said otherwise.

    A score is the share of the sentence's weight that a passage holds (`1 - order` of it) and the share of its
    neighbouring terms that are neighbours there (`order` of it), times a factor for each thing that must not differ.
    """

    accept: float = 0.45
    """The score from which a passage is cited."""
    part: float = 0.55
    """The score from which a passage is cited for a part of a sentence that draws on two."""
    gain: float = 0.1
    """How much two passages must score beyond the best one, to be cited instead of it."""
    tie: float = 0.97
    """The share of the best score from which another passage is as good, and cited too."""
    most: int = 4
    """Passages of one sentence at most."""
    evidence: float = 1.9
    """The weight that has to be found in a passage; a rare common word weighs up to 1."""
    words: float = 0.5
    """The part of that weight that has to be of words, unless there are three figures."""
    doubt: float = 0.3
    """The weight that is added to every sentence's, so that a short one needs more of itself in the passage."""
    named: float = 0.25
    """How much more of all than of what is said, names left out, counts: names alone are no statement."""
    order: float = 0.25
    """The part of the score that neighbouring terms make."""
    stretch: float = 0.3
    """The weight that a passage's further sentence must add, to belong to the place that is cited."""
    figure: float = 2.0
    """The weight of a figure."""
    spelled: float = 1.0
    """The weight of a small number that is written as a word."""
    talk: float = 0.4
    """The weight of a word with which answers talk about themselves, as a multiple of a common word's."""
    name: float = 1.5
    """The weight of a name, as a multiple of a common word's."""
    common: float = 0.5
    """The weight of a word that every passage holds."""
    unseen: float = 0.65
    """The weight of a word that no passage holds: another wording, or another matter."""
    figure_missing: float = 0.35
    """The factor for each figure, with its unit, that the passage lacks."""
    spelled_missing: float = 0.85
    """The factor for each small number, written as a word, that the passage lacks and gives no other for."""
    name_missing: float = 0.4
    """The factor for each name that the passage lacks."""
    apart: float = 0.97
    """The factor for a figure or a name that stands elsewhere in the passage, or in its title."""
    rounded: float = 0.95
    """The factor for a figure that only agrees when rounded."""
    contrary: float = 0.2
    """The factor where one denies what the other says."""
    likeness: float = 0.5
    """The part of the score that an embedder's likeness makes, where it raises it."""
    likeness_alone: float = 0.8
    """The likeness at which no words need to be in common."""
    likeness_from: float = 0.35
    """The cosine that counts as no likeness."""
    likeness_to: float = 0.85
    """The cosine that counts as full likeness."""


DEFAULT_BARS = DeferredBars()
"""The bars of a call that was given none."""


@dataclass(frozen=True, slots=True)
class PassageMatch:
    """A passage that a sentence was drawn from: code points `start` to `end` of its text, and a score from 0 to 1."""

    key: str
    score: float
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SentenceMatch:
    """A sentence that states something, at code points `start` to `end` of the answer, the best passage first.

    `needs_source` is True when nothing matched and the sentence is more than talk about the answer itself.
    """

    start: int
    end: int
    matches: tuple[PassageMatch, ...]
    needs_source: bool


def match_sentences(
    text: str,
    passages: Iterable[tuple[str, str]],
    *,
    skipped: Iterable[tuple[int, int]] = (),
    titles: Mapping[str, str] | None = None,
    embedder: Embedder | None = None,
    bars: DeferredBars = DEFAULT_BARS,
    limits: Limits = DEFAULT,
) -> list[SentenceMatch]:
    """Return the sentences of `text` that state something, in order, with the passages they were drawn from.

    `passages` are (key, text); the order does not matter. `skipped` are spans of `text` that are no prose (code).
    What `titles` say by key counts as said by the passage, so that a year or a company of a document's title is not
    missed. `embedder` raises the score of a passage that says the same in other words; figures, names and denials
    decide all the same. Headings, questions, lead-ins that end in a colon, table heads and rules are left out.

    Raises:
        InputError: an argument is of another kind than it says here.
    """
    from pincite.citing._matching.choose import Chooser
    from pincite.citing._matching.index import PassageIndex
    from pincite.citing._matching.prose import Prose
    from pincite.citing._matching.terms import language_of, read

    of_kind(limits, Limits, "limits", "a `Limits`")
    of_kind(bars, DeferredBars, "bars", "the bars of `deferred`")
    if embedder is not None and not hasattr(embedder, "embed"):
        refuse(embedder, "embedder", "an embedder, with a method `embed`")
    prose = Prose(checked_text(text), _pairs(skipped, int, "skipped", "spans: pairs of code points"))
    spans = prose.statements()
    kept = sorted(set(_pairs(passages, str, "passages", "pairs of a key and a text")))
    maybe(titles, Mapping, "titles", "a mapping of keys to titles")
    named = titles or {}
    index = PassageIndex(
        [passage for _, passage in kept],
        [named.get(key, "") for key, _ in kept],
        limits.deferred_passage_code_points,
    )
    language = language_of(prose.bare)
    longest = limits.deferred_sentence_code_points
    readings = [
        read(prose.bare, start, end, language) if end - start <= longest else None
        for start, end in spans[: limits.deferred_sentences]
    ]
    lower = frozenset(word for reading in readings if reading is not None for word in reading.lower)
    chooser = Chooser(index, lower, bars)
    if embedder is not None:
        shown = [
            prose.bare[start:end] if reading else ""
            for (start, end), reading in zip(spans, readings, strict=False)
        ]
        chooser.compare(shown, [passage for _, passage in kept], embedder, limits.embed_batch)
    found: list[SentenceMatch] = []
    for number, (start, end) in enumerate(spans):
        reading = readings[number] if number < len(readings) else None
        told = reading is None or reading.says_something()
        scored = chooser.choose(number, reading) if reading is not None and told else ()
        matches = _by_key(scored, kept, index)
        found.append(SentenceMatch(start, end, matches, told and not matches))
    return found


def _pairs(given: object, kind: type[KindT], field: str, what: str) -> list[tuple[KindT, KindT]]:
    """Return pairs of two of a kind."""
    found: list[tuple[KindT, KindT]] = []
    for pair in items_of(given, field, what):
        two = cast("Sequence[object]", pair) if isinstance(pair, tuple | list) else ()
        if len(two) != _PAIR:
            refuse(cast("object", pair), field, what)
        found.append((of_kind(two[0], kind, field, what), of_kind(two[1], kind, field, what)))
    return found


def number_position(text: str, start: int, end: int, *, skipped: Sequence[tuple[int, int]] = ()) -> int:
    """Return the code point of `text` at which the rendered view puts the numbers of the sentence `start` to `end`.

    It is the sentence's end: after its closing marks, before white space, the last `|` of a table row or a closing
    tag, and never inside one of `skipped`, spans of code in order.
    """
    from pincite.citing._matching.prose import position

    return position(text, start, end, skipped)


def _by_key(
    scored: Iterable[Scored], kept: Sequence[tuple[str, str]], index: PassageIndex
) -> tuple[PassageMatch, ...]:
    """Return the matches, one for each key."""
    found: dict[str, PassageMatch] = {}
    for match in scored:
        key, passage = kept[match.passage]
        if match.first < 0:
            start, end = 0, len(passage)
        else:
            start, end = index.units[match.first].start, index.units[match.last].end
        found.setdefault(key, PassageMatch(key, round(match.score, 4), start, end))
    return tuple(found.values())
