"""Two judges of word boxes that share no code with what they judge: ink in our own picture, and poppler.

Boxes are x0, y0, x1, y1 in fractions of the page as the reader sees it.
"""

from __future__ import annotations

import html
import re
import subprocess
import unicodedata
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from pincite.core.limits import DEFAULT
from pincite.reading.pdf import page_layout, render_page

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from pincite.core.layout import PageLayout
    from pincite.core.protocols import Bitmap
    from pincite.reading.pdf import PdfFile

Sides = tuple[float, float, float, float]

GOOD = 0.7
"""Intersection over union from which on two boxes are those of one word."""

MOST_PAIRS = 20_000
"""Pairs of words of one spelling on a page beyond which they are dots that lead to a page number, and not compared."""

CONTRAST = 24
"""Difference of the darkest and the lightest pixel (of 255) from which on there is something to see."""

# What `pdftotext -bbox` writes: linear, each value ends at the next quote or bracket.
_PAGE = re.compile(r'<page width="([\d.]+)" height="([\d.]+)">(.*?)</page>', re.DOTALL)
_WORD = re.compile(
    r'<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">([^<]*)</word>'
)


@dataclass(frozen=True, slots=True)
class Placed:
    """A word with its box on each line that it stands on; none where it has no place."""

    text: str
    boxes: tuple[Sides, ...]


def words_of(text: str, layout: PageLayout) -> list[Placed]:
    """Return the words of a page's text, which starts where its layout does."""
    found: list[Placed] = []
    for match in re.finditer(r"\S+", text):
        start, end = layout.start + match.start(), layout.start + match.end()
        boxes = tuple((b.x0, b.y0, b.x1, b.y1) for b in layout.boxes(start, end))
        found.append(Placed(match.group(), boxes))
    return found


def page_words(file: PdfFile, number: int) -> list[Placed]:
    """Return the words of page `number`, placed by their characters."""
    return words_of(*page_layout(file, number))


def gray(bitmap: Bitmap) -> NDArray[np.uint8]:
    """Return rows of grey pixels, as bright as the eye sees red, green and blue."""
    pixels = np.frombuffer(bitmap.data, np.uint8).reshape(bitmap.height, bitmap.width, -1)
    if pixels.shape[2] == 1:
        return pixels[..., 0]
    return (pixels @ np.array([0.299, 0.587, 0.114])).astype(np.uint8)


def picture(file: PdfFile, number: int, *, dpi: int = 100) -> NDArray[np.uint8]:
    """Return our own picture of page `number`."""
    return gray(render_page(file, number, dpi=dpi, crop=None, limits=DEFAULT))


@dataclass(slots=True)
class Ink:
    """What a picture says of words: `empty` are those without ink in one of their boxes.

    `outside` is the share of the picture's dark pixels that lie in no box, boxes taken a pixel larger all around.
    """

    checked: int = 0
    empty: list[Placed] = field(default_factory=list[Placed])
    outside: float = 0.0


def ink(pixels: NDArray[np.uint8], words: Iterable[Placed]) -> Ink:
    """Look for the ink of `words` in a picture of their page."""
    found = Ink()
    height, width = pixels.shape
    dark = pixels < 255 - CONTRAST
    free = dark.copy()
    for word in words:
        if not word.boxes:
            continue
        found.checked += 1
        parts: list[NDArray[np.uint8]] = []
        for x0, y0, x1, y1 in word.boxes:
            left, top = max(0, int(x0 * width) - 1), max(0, int(y0 * height) - 1)
            right, bottom = int(x1 * width) + 2, int(y1 * height) + 2
            free[top:bottom, left:right] = False
            parts.append(pixels[top:bottom, left:right])
        if any(part.size == 0 or int(part.max()) - int(part.min()) < CONTRAST for part in parts):
            found.empty.append(word)
    found.outside = float(free.sum()) / max(1, int(dark.sum()))
    return found


def poppler_words(pdftotext: str, file: Path, *, last: int = 0) -> list[list[tuple[str, Sides]]]:
    """Return the words of each page and their boxes in fractions of its visible box, as poppler says.

    Poppler leaves `/Rotate` out of the boxes' frame, so what it says of a turned page is of no use here.
    """
    pages = ["-l", str(last)] if last else []
    done = subprocess.run(
        [pdftotext, "-q", "-bbox", "-cropbox", *pages, str(file), "-"],
        check=False,
        capture_output=True,
        timeout=120,
    )
    found: list[list[tuple[str, Sides]]] = []
    for page in _PAGE.finditer(done.stdout.decode("utf-8", "replace")):
        width, height = float(page[1]), float(page[2])
        rows: list[tuple[str, Sides]] = []
        for word in _WORD.finditer(page[3]):
            x0, y0, x1, y1 = (float(word[i]) for i in range(1, 5))
            rows.append((html.unescape(word[5]), (x0 / width, y0 / height, x1 / width, y1 / height)))
        found.append(rows)
    return found


def turned(box: Sides, degrees: int) -> Sides:
    """Return a box of the unturned page on the page turned clockwise by `degrees`."""
    x0, y0, x1, y1 = box
    return {
        0: box,
        90: (1 - y1, x0, 1 - y0, x1),
        180: (1 - x1, 1 - y1, 1 - x0, 1 - y0),
        270: (y0, 1 - x1, y1, 1 - x0),
    }[degrees % 360]


def overlap(one: Sides, other: Sides) -> float:
    """Return intersection over union."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    if across <= 0 or down <= 0:
        return 0.0
    both = across * down
    return both / (area(one) + area(other) - both)


def along(one: Sides, other: Sides) -> float:
    """Return intersection over union of the better of the two sides, 0 where the boxes do not touch.

    Where two engines disagree about the height of a font, it still says whether both begin and end a word alike.
    """
    if overlap(one, other) == 0:
        return 0.0
    return max(
        (min(one[axis + 2], other[axis + 2]) - max(one[axis], other[axis]))
        / (max(one[axis + 2], other[axis + 2]) - min(one[axis], other[axis]))
        for axis in (0, 1)
    )


def area(box: Sides) -> float:
    """Return width times height."""
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def key(word: str) -> str:
    """Return a word without what two readers spell in two ways: ligatures, forms, hyphens, marks of direction."""
    plain = unicodedata.normalize("NFKC", word)
    left_out = {"-", "\u2010", "\u2011", "\ufffd", "\ufffe"}
    return "".join(
        char
        for char in plain
        if not (char.isspace() or char in left_out or unicodedata.category(char) == "Cf")
    )


@dataclass(slots=True)
class Agreement:
    """How two readers agree on a page: words of poppler's, those that are ours too, and the best overlap of each."""

    theirs: int = 0
    shared: int = 0
    whole: list[float] = field(default_factory=list[float])
    ends: list[float] = field(default_factory=list[float])
    worst: list[tuple[str, Sides, Sides]] = field(default_factory=list[tuple[str, Sides, Sides]])


def agreement(ours: Sequence[Placed], theirs: Sequence[tuple[str, Sides]]) -> Agreement:
    """Pair words of one spelling, the nearest first, each with one other; what is left over is not shared."""
    places: dict[str, list[Sides]] = defaultdict(list)
    for word in ours:
        if len(word.boxes) == 1:
            places[key(word.text)].append(word.boxes[0])
    found = Agreement()
    wanted: dict[str, list[tuple[str, Sides]]] = defaultdict(list)
    for text, box in theirs:
        if key(text) and area(box) > 0:
            found.theirs += 1
            wanted[key(text)].append((text, box))
    for spelling, rows in wanted.items():
        own = places.get(spelling, [])
        if len(own) * len(rows) > MOST_PAIRS:
            found.theirs -= len(rows)
            continue
        pairs = sorted(
            (-overlap(mine, row[1]), abs(mine[0] - row[1][0]) + abs(mine[1] - row[1][1]), left, right)
            for left, mine in enumerate(own)
            for right, row in enumerate(rows)
        )
        used: set[int] = set()
        taken: set[int] = set()
        for shared, _, left, right in pairs:
            if left in used or right in taken:
                continue
            used.add(left)
            taken.add(right)
            text, box = rows[right]
            found.shared += 1
            found.whole.append(-shared)
            found.ends.append(along(own[left], box))
            if -shared < GOOD:
                found.worst.append((text, own[left], box))
    return found
