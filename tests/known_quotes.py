"""A PDF of made-up prose, and quotes from it whose every word's place on its page is known without reading it.

It is set in Courier, in which each letter is as wide as any other, so the places are worked out from the lines alone.
Half of the quotes are edited a little, as people and models do. `benchmarks/highlight.py` uses it too.
"""

from __future__ import annotations

import io
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pikepdf

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pincite.core.geometry import Box

WIDTH, HEIGHT = 595.0, 842.0
SIZE, LEADING, LEFT, TOP = 10.0, 15.0, 72.0, 90.0
COLUMNS, LINES = 72, 44
LETTER = 0.6 * SIZE
COMMON = "the of and to in a is that for it as was with be by on not or which from at this but are".split()
SYLLABLES = "ba ce di fo gu la me ni po ru sta tre vi zo an er in or ul ka lin mos ter".split()


@dataclass(frozen=True)
class Word:
    """A word, the page (1 is the first) and line (0 is the first) that it stands on, and its first column."""

    text: str
    page: int
    line: int
    column: int

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of its letters, in fractions of the page."""
        x = LEFT + LETTER * (self.column + len(self.text) / 2)
        return x / WIDTH, (TOP + LEADING * self.line - 0.25 * SIZE) / HEIGHT


@dataclass(frozen=True)
class Quote:
    """What somebody wrote, and the words of the document that are meant."""

    text: str
    words: tuple[Word, ...]
    is_edited: bool

    @property
    def pages(self) -> list[int]:
        """The pages that its words stand on."""
        return sorted({word.page for word in self.words})


@dataclass(frozen=True)
class Book:
    """A PDF, its words in order, and quotes from it."""

    data: bytes
    words: tuple[Word, ...]
    quotes: tuple[Quote, ...]

    def faults(self, quote: Quote, boxes: Sequence[Box]) -> list[str]:
        """Return what is wrong with boxes: words of the quote outside of them, other words inside."""
        meant = set(quote.words)
        near = {page + beside for page in quote.pages for beside in (-1, 0, 1)}
        found = [f"page {box.page}" for box in boxes if box.page not in quote.pages]
        found += [
            f"{word.text!r} on page {word.page}, line {word.line}"
            for word in self.words
            if word.page in near and _holds(boxes, word) is not (word in meant)
        ]
        return found


def _holds(boxes: Sequence[Box], word: Word) -> bool:
    x, y = word.middle
    return any(box.page == word.page and box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1 for box in boxes)


def made_book(pages: int, quotes: int = 40, *, seed: int = 1) -> Book:
    """Return a book; every fifth quote runs over the end of a page, and every second one is edited."""
    chance = random.Random(seed)
    words = tuple(_set(_prose(chance), pages))
    ends = [at for at in range(1, len(words)) if words[at].page != words[at - 1].page]
    found: list[Quote] = []
    for number in range(quotes):
        size = chance.randint(14, 28)
        first = (len(words) - 60) * number // quotes + chance.randint(0, 20)
        if number % 5 == 4:
            first = min(ends, key=lambda at: abs(at - first)) - size // 2
        meant = words[first : first + size]
        texts = [word.text for word in meant]
        found.append(
            Quote(" ".join(_edited(texts, chance) if number % 2 else texts), meant, bool(number % 2))
        )
    return Book(_pdf(words), words, tuple(found))


def _prose(chance: random.Random) -> Iterator[str]:
    """Yield the words of sentences without end: a third of them are English, as in prose, the others are made up."""
    lexicon = sorted({"".join(chance.choices(SYLLABLES, k=chance.randint(1, 4))) for _ in range(3_000)})
    while True:
        sentence = [
            chance.choice(COMMON if not chance.randrange(3) else lexicon)
            for _ in range(chance.randint(7, 18))
        ]
        yield sentence[0].title()
        yield from sentence[1:-1]
        yield sentence[-1] + "."


def _set(prose: Iterator[str], pages: int) -> Iterator[Word]:
    """Yield words as they are set: line by line, page by page."""
    column = line = 0
    for text in prose:
        if column and column + len(text) > COLUMNS:
            column, line = 0, line + 1
        if line == pages * LINES:
            return
        yield Word(text, line // LINES + 1, line % LINES, column)
        column += len(text) + 1


def _edited(texts: list[str], chance: random.Random) -> list[str]:
    """Return the words of a quote with one or two of them left out, put in, misspelt or written large."""
    texts = list(texts)
    for at in chance.sample(range(3, len(texts) - 3), 2)[: chance.randint(1, 2)]:
        word = texts[at]
        texts[at] = chance.choice(("", f"the {word}", word[:-1] + "q", word.upper()))
    return [text for text in texts if text]


def _pdf(words: Sequence[Word]) -> bytes:
    pdf = pikepdf.new()
    font = pikepdf.Dictionary(
        Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Courier
    )
    resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F1=pdf.make_indirect(font)))
    for _ in range(words[-1].page):
        pdf.add_blank_page(page_size=(WIDTH, HEIGHT))
        pdf.pages[-1].Resources = resources
    lines: dict[tuple[int, int], list[Word]] = {}
    for word in words:
        lines.setdefault((word.page, word.line), []).append(word)
    shown: dict[int, list[str]] = {}
    for (page, line), row in lines.items():
        text = " ".join(word.text for word in row)
        y = HEIGHT - TOP - LEADING * line
        shown.setdefault(page, []).append(f"1 0 0 1 {LEFT} {y} Tm ({text}) Tj")
    for page, rows in shown.items():
        content = f"BT /F1 {SIZE} Tf {' '.join(rows)} ET"
        pdf.pages[page - 1].Contents = pdf.make_stream(content.encode("ascii"))
    out = io.BytesIO()
    pdf.save(out)
    return out.getvalue()
