"""Word boxes are those of poppler, an engine that shares no code with ours."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import pytest

from pincite.core.limits import DEFAULT
from pincite.reading.pdf import PdfReader

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "handbook.pdf"

Sides = tuple[float, float, float, float]

_PAGE = re.compile(r'<page width="([\d.]+)" height="([\d.]+)">(.*?)</page>', re.DOTALL)
_WORD = re.compile(
    r'<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">([^<]*)</word>'
)


def poppler_words(pdftotext: str, file: Path) -> Iterator[tuple[int, str, Sides]]:
    """Yield page, word and box in fractions, as `pdftotext -bbox` says."""
    done = subprocess.run([pdftotext, "-bbox", str(file), "-"], check=True, capture_output=True, text=True)
    for number, page in enumerate(_PAGE.finditer(done.stdout), 1):
        width, height = float(page[1]), float(page[2])
        for word in _WORD.finditer(page[3]):
            x0, y0, x1, y1 = (float(word[i]) for i in range(1, 5))
            text = (
                word[5].replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"')
            )
            yield number, text, (x0 / width, y0 / height, x1 / width, y1 / height)


def our_words(document: Any) -> Iterator[tuple[int, str, Sides]]:
    """Yield page, word and box of each word that stands on one line."""
    for layout in document.layouts:
        for line in layout.lines:
            for match in re.finditer(r"\S+", document.text[line.start : line.end]):
                start, end = line.start + match.start(), line.start + match.end()
                (box,) = layout.boxes(start, end)
                yield layout.page, match.group(), (box.x0, box.y0, box.x1, box.y1)


def shares(one: Sides, other: Sides) -> tuple[float, float]:
    """Return intersection over union, along the line and across it."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return (
        max(0.0, across) / (max(one[2], other[2]) - min(one[0], other[0])),
        max(0.0, down) / (max(one[3], other[3]) - min(one[1], other[1])),
    )


@pytest.mark.parametrize(
    ("name", "found_share", "down_share"),
    [
        # Embedded fonts whose ascent both engines read.
        ("pdfs/sample-files__multicolumn.pdf", 0.99, 0.99),
        # Embedded too; poppler splits small capitals from what follows, and gives words that nobody sees.
        ("pdfs/pdfplumber__federal-register-2020-17221.pdf", 0.95, 0.99),
    ],
)
def test_words_stand_where_poppler_says(
    shared: Path, pdftotext: str, name: str, found_share: float, down_share: float
) -> None:
    """Nearly every word of poppler's is ours too, its ends within a hundredth of an inch, its height alike."""
    file = shared / name
    document = PdfReader().read(file.read_bytes(), name=file.name, limits=DEFAULT)
    ours: dict[tuple[int, str], list[Sides]] = {}
    for page, word, box in our_words(document):
        ours.setdefault((page, word), []).append(box)
    theirs = [row for row in poppler_words(pdftotext, file) if not row[1].endswith("-")]
    pairs: list[tuple[float, float]] = []
    for page, word, box in theirs:
        best = max((shares(own, box) for own in ours.get((page, word), [])), default=(0.0, 0.0), key=sum)
        if min(best) > 0:
            pairs.append(best)
    assert len(pairs) >= found_share * len(theirs)
    along = sorted(pair[0] for pair in pairs)
    assert median(along) > 0.99
    assert along[len(along) // 50] > 0.9
    assert median(pair[1] for pair in pairs) > down_share


def test_the_handbook_is_poppler_s_too(pdftotext: str) -> None:
    """The example that we ship: the words of the approval rule stand where poppler says."""
    file = EXAMPLE
    document = PdfReader().read(file.read_bytes(), name=file.name, limits=DEFAULT)
    theirs = {(page, word): box for page, word, box in poppler_words(pdftotext, file)}
    counts: dict[tuple[int, str], int] = {}
    for page, word, _ in our_words(document):
        counts[page, word] = counts.get((page, word), 0) + 1
    compared = 0
    for page, word, box in our_words(document):
        other = theirs.get((page, word))
        if counts[page, word] == 1 and other is not None:
            compared += 1
            assert shares(box, other)[0] > 0.9, (page, word)
    assert compared > 500
