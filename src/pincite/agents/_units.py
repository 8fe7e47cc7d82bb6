"""A passage as sentences and rows, each with what it holds and what must be read with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pincite.agents._words import HOLDS, IRREGULAR, LEANS, SHORTEST_STEM, STOP_WORDS, SUFFIXES, Facet
from pincite.core.sentences import split_sentences
from pincite.core.text import words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
# Lines that one table has at least when nothing but its amounts tells it from prose.
FEWEST_ROWS: Final = 3
# Units above a header that lead its table in.
LEAD_IN: Final = 2
# What stands between two cells of a row, as our readers write one.
CELL_BAR: Final = " | "


@dataclass(frozen=True, slots=True)
class Source:
    """A passage as a model sees it: its text, and what stands over it (title, headings)."""

    text: str
    heading: str = ""


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence or a row: code points `start` to `end` of source number `source`, the `index`-th of it.

    `near` are stems that stand near it, each set with the weight of a word that stands only there. `leans_on` is
    the index of the unit without which this one says little. `states` is false for headings and shreds.
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
    heading = (stems(source.heading), AROUND)
    header: int | None = None
    for index, (start, end, in_table) in enumerate(_spans(source.text)):
        text = source.text[start:end]
        folded = text.casefold()
        holds = frozenset(facet for facet, pattern in HOLDS.items() if pattern.search(folded))
        complete = text.rstrip().endswith(STOPS) and not in_table
        near = [heading]
        leans_on: int | None = None
        if complete:
            header = None
            if index:
                leans_on = index - 1 if LEANS.match(folded) else None
                near.append((found[-1].stems, BEFORE if leans_on is None else LEANED_ON))
        elif _opens_table(in_table=in_table, holds=holds, header=header):
            header = index
        elif header is not None:
            leans_on = header
            near.append((found[header].stems, LEANED_ON))
            near += [(lead.stems, AROUND) for lead in found[max(0, header - LEAD_IN) : header]]
        answers = complete or bool(holds) or leans_on is not None
        fewest = FEWEST_WORDS if answers else FEWEST_WORDS_OPEN
        is_heading = text.startswith("#") or text.strip() in source.heading
        states = len(words(text)) >= fewest and not is_heading and header != index
        found.append(Unit(number, index, start, end, text, stems(text), holds, tuple(near), leans_on, states))
    return found


def _opens_table(*, in_table: bool, holds: frozenset[Facet], header: int | None) -> bool:
    """Say whether an open line is a header: the first line of a table, or one without amounts."""
    return (in_table and header is None) or (not in_table and Facet.NUMBER not in holds)


def _spans(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield the spans of the sentences, lines of a table one by one, and whether each is such a line."""
    for start, end in split_sentences(text):
        lines = text[start:end].split("\n")
        if not _tabular(lines):
            yield start, end, False
            continue
        at = start
        for line in lines:
            if line.strip():
                yield at, at + len(line), CELL_BAR in line
            at += len(line) + 1


def _tabular(lines: Sequence[str]) -> bool:
    """Say whether lines are rows: with bars between cells, or one amount after the other and no full stop."""
    if any(CELL_BAR in line for line in lines):
        return True
    numbered = sum(any(char.isdecimal() for char in line) for line in lines)
    stopped = any(line.rstrip().endswith(STOPS) for line in lines)
    return len(lines) >= FEWEST_ROWS and not stopped and numbered > len(lines) / 2
