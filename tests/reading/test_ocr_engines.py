"""The two engines by themselves: lines fitted to ink, tesseract's table, and scans of many kinds (long)."""

from __future__ import annotations

import io
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image
from rapidfuzz.distance import Levenshtein

from ocr_pictures import RULES, drawn, placed_share, word_boxes
from pincite.core.errors import TimedOutError
from pincite.core.limits import DEFAULT
from pincite.reading import ReadingPool, ocr
from pincite.reading._ocr_lines import fitted, ink_of, loose
from pincite.reading._ocr_tesseract import Tesseract
from pincite.reading.pdf.layout import page_text
from pincite.reading.pdf.scanned import read_picture

if TYPE_CHECKING:
    from pathlib import Path

PROSE = "\n".join(RULES)
needs_tesseract = pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not on the path")


def crop() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """A line of 100 by 24 pixels: two words of two letters each, as high as capitals are."""
    pixels = np.full((24, 100), 250, np.uint8)
    for left in (10, 24, 60, 74):
        pixels[5:19, left : left + 10] = 10
    return pixels


def test_words_end_where_their_ink_does() -> None:
    """Models say about where a character is; white columns say where words and letters part."""
    corners = np.array([[0.0, 0.0], [100.0, 0.0], [100.0, 24.0], [0.0, 24.0]])
    line = fitted("AB CD", 0.9, np.array([13.0, 31.0, 48.0, 67.0, 77.0]), corners, crop())
    assert line.confidence == pytest.approx(0.9)
    left, right = line.corners[0, 0], line.corners[1, 0]
    assert (left, right) == (10.0, 84.0)
    places = (left + line.cells * (right - left)).round(6)
    assert places[0, 0] == 10.0
    assert 20 <= places[0, 1] == places[1, 0] <= 24
    assert places[1, 1] == 34.0
    assert places[2, 0] == places[2, 1]
    assert places[3, 0] == 60.0
    assert places[4, 1] == 84.0
    # Capitals reach 0.72 em over the baseline: their 14 pixels are 0.72 of a font size.
    assert line.size == pytest.approx(14 / 0.72)
    assert line.corners[3, 1] - line.corners[0, 1] == pytest.approx(line.size)


def test_ink_without_a_character_lowers_the_confidence() -> None:
    """A model leaves out letters that it does not know, and is sure of the rest."""
    corners = np.array([[0.0, 0.0], [100.0, 0.0], [100.0, 24.0], [0.0, 24.0]])
    assert fitted("AB", 1.0, np.array([15.0, 29.0]), corners, crop()).confidence < 0.6


def test_ink_is_what_there_is_less_of() -> None:
    """Dark on light and light on dark are the same writing."""
    assert (ink_of(crop()) == ink_of(255 - crop())).all()
    assert ink_of(crop()).sum() == pytest.approx(4 * 140, rel=0.1)


@pytest.mark.parametrize(
    ("text", "em"), [("none", 0.53), ("Hill", 0.72), ("page", 0.74), ("Page", 0.93), ("書面", 0.92)]
)
def test_the_font_size_comes_from_how_high_its_letters_are(text: str, em: float) -> None:
    """A line without stems is not taken for small print."""
    up, down, size = loose(text, em * 20)
    assert size == pytest.approx(20)
    assert up >= 0
    assert down >= 0
    assert up + down + em * 20 == pytest.approx(20, abs=0.3) or text == "書面"


TABLE = """\
level page_num block_num par_num line_num word_num left top width height conf text
1 1 0 0 0 0 0 0 200 100 -1
5 1 1 1 1 1 10 20 40 14 96.5 Hill
5 1 1 1 1 2 60 20 50 19 91.5 pages
5 1 1 1 2 1 10 50 30 14 20 low
5 broken row
""".replace(" ", "\t")


def test_tesseracts_table_becomes_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words with their own boxes in one line, with the mean of their confidence by letters."""

    def run(*_: object) -> bytes:
        return TABLE.encode()

    monkeypatch.setattr(Tesseract, "_run", run)
    engine = Tesseract("tesseract", ("eng",), upright=False)
    one, other = engine.read(np.zeros((100, 200, 3), np.uint8), until=time.monotonic() + 5)
    assert (one.text, other.text) == ("Hill pages", "low")
    assert one.confidence == pytest.approx((4 * 0.965 + 5 * 0.915) / 9)
    assert other.confidence == pytest.approx(0.2)
    left, wide = one.corners[0, 0], one.corners[1, 0] - one.corners[0, 0]
    places = left + one.cells * wide
    assert (places[0, 0], places[3, 1]) == (10.0, 50.0)
    assert (places[5, 0], places[9, 1]) == (60.0, 110.0)
    assert places[4, 0] == places[4, 1]


def test_without_the_program_there_is_no_tesseract(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It is looked for on the path alone."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert Tesseract.found() is None


@needs_tesseract
@pytest.mark.parametrize("degrees", [0, 270, 2])
def test_tesseract_reads_the_same_lines(monkeypatch: pytest.MonkeyPatch, degrees: int) -> None:
    """The shape of what it gives is that of the models, on a turned and a skewed page too."""
    engine = Tesseract.found()
    assert engine is not None
    monkeypatch.setattr(ocr, "engine", lambda: engine)
    # It tells a page's direction from a good many letters.
    picture = drawn((RULES * 4,), dpi=200, height=260).turned(degrees)
    size = (260.0, 400.0) if degrees == 270 else (400.0, 260.0)
    page = read_picture(picture.pixels(), *size, seconds=60)
    assert page is not None
    read = page_text(page.chars, 1, page.width, page.height, glyphs=True)
    assert (
        1 - Levenshtein.distance(read.text.split(), picture.text.split()) / len(picture.text.split()) > 0.95
    )
    layout = page.placed(read.text, read.layout)
    assert placed_share(picture.words, word_boxes(read.text, layout)) >= 0.9


@needs_tesseract
def test_tesseract_is_stopped_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program is killed when its page's time is over."""
    engine = Tesseract.found()
    monkeypatch.setattr(ocr, "engine", lambda: engine)
    with pytest.raises(TimedOutError):
        read_picture(drawn(dpi=300).pixels(), 400, 110, seconds=0.001)


NOISE = np.random.default_rng(5).normal(0, 1, (4_000, 4_000))


@pytest.mark.long
@pytest.mark.parametrize(
    "kind", ["noise", "specks", "faint", "coloured", "jpeg", "coarse", "one bit", "small print"]
)
def test_scans_of_many_kinds(kind: str) -> None:
    """What is on a desk and what comes out of a fax: 99 of 100 characters, and the boxes."""
    picture = drawn(
        (RULES * 2,), dpi=90 if kind == "coarse" else 150, height=200, size=8 if kind == "small print" else 12
    )
    pixels = np.asarray(picture.image).astype(np.float64)
    noise = NOISE[: pixels.shape[0], : pixels.shape[1]]
    if kind == "noise":
        pixels = pixels * 0.8 + 25 + 30 * noise
    elif kind == "specks":
        pixels = np.where(noise > 2.4, 0, np.where(noise < -2.4, 255, pixels))
    elif kind == "faint":
        pixels = 255 - (255 - pixels) * 0.25 + 3 * noise
    elif kind == "one bit":
        pixels = np.where(pixels < 128, 0, 255)
    image = Image.fromarray(pixels.clip(0, 255).astype(np.uint8))
    if kind == "coloured":
        grey = pixels[:, :, np.newaxis] / 255
        image = Image.fromarray((grey * [250, 225, 170] + (1 - grey) * [60, 40, 150]).astype(np.uint8))
    if kind == "jpeg":
        image = Image.open(io.BytesIO(replace(picture, image=image).saved("JPEG", quality=12)))
    seen = replace(picture, image=image)
    page = read_picture(seen.pixels(), 400, 200, seconds=300)
    assert page is not None
    text = page_text(page.chars, 1, page.width, page.height, glyphs=True)
    assert Levenshtein.distance(text.text, picture.text) <= 0.01 * len(picture.text)
    assert placed_share(picture.words, word_boxes(text.text, text.layout)) >= 0.95
    assert page.confidence > 0.95


@pytest.mark.long
def test_two_workers_read_two_scans_within_their_memory() -> None:
    """Each has models of its own and one thread; neither comes near the cap."""
    data = drawn((RULES * 4,), dpi=300, height=300, width=500).saved(dpi=(300, 300))
    with ReadingPool(replace(DEFAULT, workers=2, ocr_memory_bytes=1 << 30)) as pool:

        def read(number: int) -> str:
            return pool.read(data, name=f"{number}.png").text

        with ThreadPoolExecutor(2) as threads:
            texts = list(threads.map(read, range(4)))
        assert len(set(texts)) == 1
