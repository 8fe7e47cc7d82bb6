"""A passage as sentences and rows, each with what it holds and what must be read with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pincite.agents._words import (
    HEAD_LINE,
    HOLDS,
    IRREGULAR,
    LEANS,
    SHORTEST_STEM,
    STOP_WORDS,
    SUFFIXES,
    Facet,
)
from pincite.core.parts import PartKind, parts_of
from pincite.core.text import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.core.parts import Part
    from pincite.core.verdicts import Confidence

# How much a word counts that does not stand in a sentence itself: in the sentence before it; in the sentence or
# the header that it leans on; in the title, the headings or the lines that lead in a table.
BEFORE: Final = 0.25
LEANED_ON: Final = 0.6
AROUND: Final = 0.35

STOPS: Final = (".", "!", "?", "…", "。", "！", "？", ".”", '."', ".)", ":")
"""What a whole sentence ends with."""

# Words of a sentence that can answer, and of a line that ends in no stop and holds no amount.
FEWEST_WORDS: Final = 3
FEWEST_WORDS_OPEN: Final = 8
# Units above a header that lead its table in.
LEAD_IN: Final = 2
# Lines such as `Subject:` that make the head of a mail; one alone may be a sentence's own.
FEWEST_HEAD_LINES: Final = 2


@dataclass(frozen=True, slots=True)
class Source:
    """A passage as a model sees it: its text, and what stands over it (title, headings).

    `confidence` is what the search says of it, None where it says nothing.
    """

    text: str
    heading: str = ""
    confidence: Confidence | None = None


@dataclass(frozen=True, slots=True)
class Unit:
    """A part of a passage: code points `start` to `end` of source number `source`, the `index`-th of it.

    `near` are stems that stand near it, each set with the weight of a word that stands only there. `leans_on` is
    the index of the unit without which this one says little: the sentence before it, or, where `is_row`, the header
    that names its columns. `states` is false for headings, headers, the head of a mail and shreds.
    """

    source: int
    index: int
    start: int
    end: int
    text: str
    stems: frozenset[str]
    holds: frozenset[Facet]
    near: tuple[tuple[frozenset[str], float], ...]
    leans_on: int | None
    is_row: bool
    states: bool


def stem(word: str) -> str:
    """Return `word` (case-folded) without its ending, so that approve, approval and approved are one."""
    word = word.removesuffix("'s").removesuffix("’s")
    word = IRREGULAR.get(word, word)
    if word[:1].isdecimal():
        return word
    for suffix in SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= SHORTEST_STEM:
            return word.removesuffix(suffix)
    return word


def stems(text: str) -> frozenset[str]:
    """Return the stems of the words of `text` that say something."""
    return frozenset(stem(word) for word in words(text) if word not in STOP_WORDS)


def units_of(number: int, source: Source) -> list[Unit]:
    """Return every unit of source number `number`, in order."""
    found: list[Unit] = []
    title = (stems(source.heading), AROUND)
    heading: int | None = None
    header: int | None = None
    top: int | None = None
    is_mail = len(HEAD_LINE.findall(source.text)) >= FEWEST_HEAD_LINES
    for index, part in enumerate(parts_of(source.text)):
        text = source.text[part.start : part.end]
        folded = text.casefold()
        holds = frozenset(facet for facet, pattern in HOLDS.items() if pattern.search(folded))
        near = [title]
        leans_on: int | None = None
        header = _header(part, header, index, holds)
        top = None if part.kind is not PartKind.ROW else index if top is None else top
        if part.kind is PartKind.SENTENCE:
            if found and LEANS.match(folded) and found[-1].states:
                leans_on = index - 1
            if found:
                near.append((found[-1].stems, BEFORE if leans_on is None else LEANED_ON))
        elif header is not None and header != index:
            leans_on = header
            near.append((found[header].stems, LEANED_ON))
            near += _led_in(found, header)
        elif top is not None:
            near += _led_in(found, top)
        elif heading is not None:
            near.append((found[heading].stems, AROUND))
        if part.kind is PartKind.HEADING:
            heading = index
        is_open = part.kind is PartKind.OPEN and not holds and leans_on is None
        fewest = FEWEST_WORDS_OPEN if is_open else FEWEST_WORDS
        is_heading = not part.kind.can_answer or text.strip() in source.heading
        is_head = is_mail and HEAD_LINE.match(text) is not None
        states = len(words(text)) >= fewest and not (is_heading or is_head) and header != index
        is_row = part.kind is PartKind.ROW or (leans_on is not None and leans_on == header)
        found.append(
            Unit(
                number,
                index,
                part.start,
                part.end,
                text,
                stems(text),
                holds,
                tuple(near),
                leans_on,
                is_row,
                states,
            )
        )
    return found


def _led_in(found: Sequence[Unit], top: int) -> list[tuple[frozenset[str], float]]:
    """Return the words of the units over the first line of a table."""
    return [(lead.stems, AROUND) for lead in found[max(0, top - LEAD_IN) : top]]


def _header(part: Part, before: int | None, index: int, holds: frozenset[Facet]) -> int | None:
    """Return the index of what names the columns of a part: its header, or the first open line without an amount."""
    if part.kind is PartKind.OPEN:
        return before if Facet.NUMBER in holds else index
    return part.header
