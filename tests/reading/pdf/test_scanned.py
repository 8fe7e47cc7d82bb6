"""Pictures of text become characters with places: real OCR of small pictures, each with known truth."""

from __future__ import annotations

import socket
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
import pytest

from ocr_pictures import RULES, drawn, placed_share, word_boxes
from pincite.core.errors import TimedOutError
from pincite.reading import ocr
from pincite.reading._ocr_lines import OcrLine
from pincite.reading.pdf.layout import page_text
from pincite.reading.pdf.scanned import OcrPage, read_picture

if TYPE_CHECKING:
    from ocr_pictures import Drawn
    from pincite.core.layout import PageLayout

PROSE = "\n".join(RULES)


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
    def refuse(*_: object, **__: object) -> NoReturn:
        raise AssertionError

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def page_of(picture: Drawn, width: float = 400.0, height: float = 110.0) -> OcrPage:
    """Return what OCR makes of a picture."""
    found = read_picture(picture.pixels(), width, height, seconds=60)
    assert found is not None
    return found


def laid_out(page: OcrPage) -> tuple[str, PageLayout]:
    """Return a page's text and its layout as it is seen."""
    read = page_text(page.chars, 1, page.width, page.height, glyphs=True)
    return read.text, page.placed(read.text, read.layout)


def test_the_engine_is_the_one_whose_models_are_installed() -> None:
    """Its models come with its wheel: every test here refuses each connection."""
    engine = ocr.engine()
    assert engine is not None
    assert engine.name == "rapidocr"


@pytest.mark.parametrize("degrees", [0, 90, 180, 270, 3])
def test_a_turned_page_is_read_and_its_boxes_lie_where_the_words_are_seen(degrees: int) -> None:
    """Upright, on either side, on its head, and skewed; the text and its size are the same each time."""
    picture = drawn().turned(degrees)
    size = (110.0, 400.0) if degrees in (90, 270) else (400.0, 110.0)
    page = page_of(picture, *size)
    text, layout = laid_out(page)
    assert text == PROSE
    assert (page.width, page.height) == (400.0, 110.0)
    assert page.flag == ocr.READ
    assert not page.chars.doubts
    assert placed_share(picture.words, word_boxes(text, layout)) >= 0.95
    # Twelve points, whichever way they are turned.
    assert np.allclose(page.chars.em, 12.0, rtol=0.12)


def test_each_box_holds_the_ink_of_its_word() -> None:
    """And the boxes together hold all the ink there is."""
    picture = drawn()
    text, layout = laid_out(page_of(picture))
    dark = np.asarray(picture.image) < 128
    rows, columns = dark.shape
    inside = np.zeros_like(dark)
    for _, (x0, y0, x1, y1) in word_boxes(text, layout):
        box = slice(int(y0 * rows), round(y1 * rows) + 1), slice(int(x0 * columns), round(x1 * columns) + 1)
        assert dark[box].any()
        inside[box] = True
    # None of the ink stands outside of all boxes.
    assert (dark & ~inside).sum() <= 0.01 * dark.sum()


def test_a_skewed_page_has_a_box_for_each_word() -> None:
    """One around a whole rising line would lie over the lines above and below it."""
    text, layout = laid_out(page_of(drawn().turned(4)))
    assert text == PROSE
    assert len(layout.lines) == len(PROSE.split())


@pytest.mark.parametrize("shift", [0.0, 9.0])
def test_columns_are_read_one_after_the_other(shift: float) -> None:
    """Whether their lines stand beside one another or not."""
    left = (
        "Expenses over 250 euro need the",
        "approval of the manager, who signs",
        "within five working days.",
    )
    right = ("Receipts are kept for seven years", "and are shown to the auditors when", "they ask for them.")
    picture = drawn((left, right), width=500, shift=shift)
    text, _ = laid_out(page_of(picture, 500.0))
    assert text.split() == [*" ".join(left).split(), *" ".join(right).split()]


def test_rows_of_a_table_stay_rows() -> None:
    """Short cells in three columns are no columns of prose."""
    cells = (
        ("Item", "Car", "Hotel", "Meals"),
        ("2025", "0.30", "110.00", "28.00"),
        ("2026", "0.38", "125.00", "32.00"),
    )
    text, _ = laid_out(page_of(drawn(cells, step=120, height=130), 400.0, 130.0))
    assert text.replace(" |", "").split("\n") == [
        "Item 2025 2026",
        "Car 0.30 0.38",
        "Hotel 110.00 125.00",
        "Meals 28.00 32.00",
    ]


def test_a_word_that_a_hyphen_divides_is_whole_again() -> None:
    """It has a box on each of its two lines."""
    lines = ("The form is signed by the man-", "ager within five working days.")
    text, layout = laid_out(page_of(drawn((lines,), height=70), 400.0, 70.0))
    assert text == "The form is signed by the manager within five working days."
    at = text.index("manager")
    assert len(layout.boxes(at, at + len("manager"))) == 2


def test_light_writing_on_a_dark_ground_is_read() -> None:
    """Ink is what there is less of, whatever its colour."""
    picture = drawn((RULES[:1],), height=50)
    dark = replace(picture, image=picture.image.point(lambda value: 255 - value))
    text, layout = laid_out(page_of(dark, 400.0, 50.0))
    assert text == RULES[0]
    assert placed_share(dark.words, word_boxes(text, layout)) == 1.0


def test_blank_paper_has_nothing_to_read() -> None:
    """No line is found, so there is nothing to say of it."""
    assert read_picture(np.full((300, 400, 3), 255, np.uint8), 200, 150, seconds=60) is None


def test_too_little_time_is_told() -> None:
    """The deadline is looked at before each line."""
    with pytest.raises(TimedOutError):
        read_picture(drawn().pixels(), 400, 110, seconds=0)


class Fake:
    """An engine that finds the same lines in every picture."""

    name = "fake"

    def __init__(self, *lines: OcrLine) -> None:
        self.lines = list(lines)

    def read(self, picture: Any, *, until: float) -> list[OcrLine]:
        """Return them."""
        assert picture.ndim == 3
        assert until > 0
        return self.lines


def line(text: str, x: float, y: float, *, sure: float = 0.99, size: float = 10.0) -> OcrLine:
    """A line of letters half as wide as high."""
    wide = len(text) * size / 2
    corners = np.array([[x, y], [x + wide, y], [x + wide, y + size], [x, y + size]])
    steps = np.arange(len(text) + 1) / max(1, len(text))
    cells = np.stack((steps[:-1], steps[1:]), 1)
    for position, char in enumerate(text):
        if char == " ":
            cells[position, 1] = cells[position, 0]
    return OcrLine(text, sure, corners, cells, size)


def faked(monkeypatch: pytest.MonkeyPatch, *lines: OcrLine) -> OcrPage | None:
    """Return what is made of these lines on a page of 400 by 200 points, a pixel each."""
    monkeypatch.setattr(ocr, "engine", lambda: Fake(*lines))
    return read_picture(np.zeros((200, 400, 3), np.uint8), 400, 200, seconds=5)


@pytest.mark.parametrize("dots", [1, 2, 4])
def test_xberg_1423_boxes_of_ocr_are_in_pixels(monkeypatch: pytest.MonkeyPatch, dots: int) -> None:
    """The boxes are fractions of the page as all others are, however many pixels the picture of it has."""
    found = line("clear words", 10 * dots, 20 * dots, size=10.0 * dots)
    monkeypatch.setattr(ocr, "engine", lambda: Fake(found))
    page = read_picture(np.zeros((200 * dots, 400 * dots, 3), np.uint8), 400, 200, seconds=5)
    assert page is not None
    read = page_text(page.chars, 1, 400, 200)
    (box,) = (one.box for one in read.layout.lines)
    assert (box.x0, box.x1) == pytest.approx((10 / 400, 65 / 400), abs=0.003)
    assert (box.y0, box.y1) == pytest.approx((20 / 200, 30 / 200), abs=0.015)


def test_words_read_with_little_confidence_are_in_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    """The words, not only the page: what rests on them is never cited as good."""
    page = faked(monkeypatch, line("clear words here", 10, 20), line("smudged words", 10, 50, sure=0.7))
    assert page is not None
    text = page_text(page.chars, 1, 400, 200)
    ((start, end, reason),) = text.doubts
    assert text.text[start:end] == "smudged words"
    assert reason == ocr.UNSURE
    assert page.flag.startswith(ocr.UNSURE)


def test_what_an_engine_guesses_at_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spots and drawings come out as letters with hardly any confidence."""
    page = faked(monkeypatch, line("clear words here", 10, 20), line("x~", 10, 50, sure=0.3))
    assert page is not None
    assert page.chars.text == "clear words here"


def test_a_picture_whose_writing_no_model_knows_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page in another script is not a blank page."""
    page = faked(monkeypatch, OcrLine("", 0.0, line("xxxx", 10, 20).corners, np.zeros((0, 2)), 10.0))
    assert page is not None
    assert page.chars.text == ""
    assert page.flag == ocr.UNKNOWN


def test_pieces_of_one_row_are_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Engines part a line at a wide space."""
    page = faked(monkeypatch, line("of the row", 120, 21), line("a piece", 10, 20), line("below", 10, 40))
    assert page is not None
    assert page.chars.text == "a piece of the row\r\nbelow"


def test_spaces_and_line_ends_have_no_width(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a page's own characters, where something made them up."""
    page = faked(monkeypatch, line("two words", 10, 20), line("more", 10, 40))
    assert page is not None
    chars = page.chars
    for position, char in enumerate(chars.text):
        assert (chars.x1[position] > chars.x0[position]) == (not char.isspace())
    assert chars.handle == 0
    assert chars.fonts(np.arange(3)).tolist() == [0, 0, 0]
    assert chars.sizes(np.arange(3)).tolist() == [10.0, 10.0, 10.0]
