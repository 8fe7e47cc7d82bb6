"""Lines, paragraphs, joined words and tables; every code point with a glyph has its own box."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pdf_maker import SOFT, PdfMaker
from pincite.core.limits import DEFAULT
from pincite.reading.pdf import PdfReader, open_pdf, page_layout
from pincite.reading.pdf.layout import align, page_text, without
from pincite.reading.pdf.text import PageChars


def read(data: bytes) -> Any:
    """Read a PDF in this process."""
    return PdfReader().read(data, name="test.pdf", limits=DEFAULT)


def lines(*rows: str, size: float = 10) -> bytes:
    """Return a page with one row under the other."""
    maker = PdfMaker()
    page = maker.page((0, 0, 400, 300))
    for row, line in enumerate(rows):
        page.line(line, 20, 40 + 12 * row, size=size)
    return maker.save().data


class Chars(PageChars):
    """Characters that no font knows of: each is two points high."""

    def sizes(self, positions: Any) -> Any:
        """Return two points for each."""
        return np.full(len(positions), 2.0)

    def fonts(self, positions: Any) -> Any:
        """Return no font."""
        return np.zeros(len(positions), np.int64)


def chars_of(rows: list[str]) -> PageChars:
    """Return the characters of rows of text as OCR gives them: on a page of 100 points one a character, 2.2 a row."""
    text = "".join(f"{row}\r\n" for row in rows)
    boxes = [
        (0.01 * at, 0.022 * number + 0.02, 0.01 * (at + 1), 0.022 * number + 0.04)
        if not char.isspace()
        else (0, 0, 0, 0)
        for number, row in enumerate(rows)
        for at, char in enumerate(f"{row}\r\n")
    ]
    sides = np.array(boxes, np.float64).reshape(-1, 4)
    return Chars(0, text, sides[:, 0], sides[:, 1], sides[:, 2], sides[:, 3], None, 0)


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        (("the word exam-", "ples is whole"), "the word examples is whole"),
        (("from 2018\u2013", "2020 it was"), "from 2018\u20132020 it was"),
        (("it was dark \u2013", "nobody came"), "it was dark \u2013\nnobody came"),
        (("both pre-", "and post-war"), "both pre-\nand post-war"),
        (("the Anglo-", "Saxon law"), "the Anglo-Saxon law"),
    ],
)
def test_a_word_broken_over_two_lines_is_whole_peer_32(rows: tuple[str, str], text: str) -> None:
    """mozilla/pdf.js#11752, TaTo30/vue-pdf#125, pwmt/zathura#700: it is found as the reader reads it."""
    assert read(lines(*rows)).text == text


def test_a_word_broken_at_the_foot_of_a_column_is_whole() -> None:
    """The hyphen stands at the end of a column, the rest of the word at the head of the next, drawn row by row."""
    left = (
        "a first column of several",
        "words in every single line",
        "of it that ends in a long",
        "and in the end divided exam-",
    )
    right = (
        "ples of how columns go on",
        "in the next column and do",
        "not say so in any manner",
        "but by where they stand.",
    )
    maker = PdfMaker()
    page = maker.page((0, 0, 400, 300))
    for row, (one, other) in enumerate(zip(left, right, strict=True)):
        page.line(one, 20, 40 + 12 * row)
        page.line(other, 210, 40 + 12 * row)
    made = maker.save()
    text = read(made.data).text
    assert "divided examples of how" in text
    with open_pdf(made.data, name="test.pdf") as file:
        found, layout = page_layout(file, 1)
    at = found.index("examples")
    first, second = layout.boxes(at, at + 8)
    assert first.x1 < 0.5 < second.x0


def test_hyphens_do_not_shift_what_follows_peer_34() -> None:
    """mozilla/pdf.js#19120: offsets hold after each joined word, to the letter."""
    maker = PdfMaker()
    page = maker.page((0, 0, 300, 300))
    page.paragraph(
        " ".join([f"con{SOFT}tracts for sup{SOFT}plies and de{SOFT}posits"] * 6), 20, 40, width=103
    )
    made = maker.save()
    with open_pdf(made.data, name="test.pdf") as file:
        text, layout = page_layout(file, 1)
    assert "-" not in text
    at = 0
    for word in made.words:
        at = text.index(word.text, at)
        boxes = layout.boxes(at, at + len(word.text))
        assert len(boxes) == len(word.boxes)
        for box, true in zip(boxes, word.boxes, strict=True):
            assert box.x0 == pytest.approx(true.x0, abs=2e-3)
        at += len(word.text)


def test_text_of_the_page_is_found_again_peer_33() -> None:
    """mozilla/pdf.js#18693: a run of the text gives boxes on all its lines."""
    document = read(lines("Words of a first line", "and of a second one", "and a third."))
    start = document.text.index("first")
    assert len(document.layouts[0].boxes(start, document.text.index("third"))) == 3


def test_tables_are_rows_with_a_box_a_cell() -> None:
    """A row is a line of text, its cells parted by ` | `; a quoted cell is lit alone."""
    maker = PdfMaker()
    page = maker.page((0, 0, 300, 200))
    rows = [("Pump", "Year", "Metres"), ("Old one", "1804", "12.5"), ("New one", "1911", "40.0")]
    for row, cells in enumerate(rows):
        for place, cell in enumerate(cells):
            page.line(cell, 24 + 80 * place, 52 + 20 * row)
    for row in range(4):
        page.rule(20, 40 + 20 * row, 260, 40 + 20 * row)
    for place in range(4):
        page.rule(20 + 80 * place, 40, 20 + 80 * place, 100)
    made = maker.save()
    document = read(made.data)
    assert document.text == "Pump | Year | Metres\nOld one | 1804 | 12.5\nNew one | 1911 | 40.0"
    at = document.text.index("1911")
    (box,) = document.layouts[0].boxes(at, at + 4)
    assert (box.x0 * 300, box.x1 * 300) == pytest.approx((104, 104 + (box.x1 - box.x0) * 300), abs=1)
    assert box.x1 < 180 / 300
    with open_pdf(made.data, name="test.pdf") as file:
        text, layout = page_layout(file, 1)
    (letter,) = layout.boxes(text.index("12.5"), text.index("12.5") + 1)
    assert letter.x0 * 300 == pytest.approx(184, abs=1)


def test_lines_that_are_left_out_are_in_neither_text_nor_layout() -> None:
    """What stood around them is joined anew: a line end, or nothing where a word goes on."""
    page = page_text(
        chars_of(["a first exam-", "HEAD", "ples of words", "and the rest"]), 1, 100, 100, glyphs=True
    )
    kept = without(page, frozenset({1}))
    assert kept.text == "a first examples of words\nand the rest"
    assert len(kept.layout.glyphs or ()) == 4 * len(kept.text)
    assert [kept.text[one.start : one.end] for one in kept.layout.lines] == [
        "a first exam",
        "ples of words",
        "and the rest",
    ]
    at = kept.text.index("ples")
    (box,) = kept.layout.boxes(at, at + 1)
    assert (box.x0, box.y0) == pytest.approx((0.0, 0.064), abs=1e-6)


@settings(deadline=None)
@given(
    st.lists(st.text("abc -XY.é", min_size=1).filter(lambda row: row.strip()), min_size=1, max_size=8),
    st.sets(st.integers(0, 7)),
)
def test_every_letter_keeps_its_box(rows: list[str], drop: set[int]) -> None:
    """Whatever lines are left out, the letters of the text are those of the lines, in order, each with its own box."""
    page = page_text(chars_of(rows), 1, 100, 100, glyphs=True)
    letters = [
        (char, number, at)
        for number, row in enumerate(rows)
        for at, char in enumerate(row)
        if not char.isspace()
    ]
    assert [char for char in page.text if not char.isspace() and char != "-"] == [
        c for c, *_ in letters if c != "-"
    ]
    kept = without(page, frozenset(drop))
    for one in (page, kept):
        glyphs = list(one.layout.glyphs or ())
        assert len(glyphs) == 4 * len(one.text)
        places = [
            (char, glyphs[4 * i], glyphs[4 * i + 1]) for i, char in enumerate(one.text) if not char.isspace()
        ]
        true = {(char, round(0.01 * at, 5), round(0.022 * number + 0.02, 5)) for char, number, at in letters}
        assert all((char, round(x, 5), round(y, 5)) in true for char, x, y in places)
        assert all(
            0 <= a.start < a.end <= b.start
            for a, b in zip(one.layout.lines, one.layout.lines[1:], strict=False)
        )
    if kept.text:
        assert align(page, kept.text).text == kept.text


def test_doubts_go_with_their_characters() -> None:
    """What a reader of the page cannot trust is told in code points of the text, whatever lines are left out."""
    chars = chars_of(["HEAD", "good words", "bad words"])
    start = chars.text.index("bad")
    chars.doubts.append((start, start + 3, "it was not seen"))
    page = page_text(chars, 1, 100, 100)
    (doubt,) = without(page, frozenset({0})).doubts
    assert doubt == (11, 14, "it was not seen")


def test_a_page_without_words_has_no_text() -> None:
    """Nothing, or nothing but white space."""
    assert page_text(chars_of([]), 1, 100, 100).text == ""
    assert page_text(chars_of(["  ", " "]), 1, 100, 100).lines == ()
