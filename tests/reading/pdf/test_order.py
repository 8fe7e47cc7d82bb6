"""The order of reading: columns, what the file draws out of order, and no box or sentence over a gutter."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pdf_maker import PdfMaker
from pincite.core.limits import DEFAULT
from pincite.reading.pdf import PdfReader, open_pdf, page_layout

LEFT = (
    "The first column tells of a pump that was",
    "built in the north by people who had never",
    "seen one before, and who took every part",
    "of it from ships that had run aground on",
    "the coast in the winter of that year, when",
    "the wind stood in the west for a month.",
)
RIGHT = (
    "The second column is about their children",
    "who sold pumps to half of the country and",
    "forgot where the parts had come from, and",
    "who built a museum for the oldest of them",
    "in which nothing is said about the ships",
    "or the winter or the people on the coast.",
)
THIRD = (
    "A third column holds what was found under",
    "the museum when it was torn down at last,",
    "which was one more pump, smaller than all",
    "the others and made of wood, that nobody",
    "had known of and that still worked after",
    "it had been oiled and given some new rope.",
)


def read(data: bytes) -> Any:
    """Read a PDF in this process."""
    return PdfReader().read(data, name="test.pdf", limits=DEFAULT)


def flat(text: str) -> str:
    """Return the text on one line."""
    return " ".join(text.split())


def joined(*columns: tuple[str, ...]) -> str:
    """Return columns one after the other, on one line."""
    return " ".join(" ".join(column) for column in columns)


def by_rows(*columns: tuple[str, ...], top: float = 60, step: float = 12, page: Any = None) -> PdfMaker:
    """Return a page on which columns are drawn row by row across the gutters."""
    maker = PdfMaker()
    page = page or maker.page((0, 0, 200 * len(columns) + 40, 400))
    for row in range(max(map(len, columns))):
        for place, column in enumerate(columns):
            if row < len(column):
                page.line(column[row], 20 + 205 * place, top + step * row, size=8)
    return maker


def by_columns(page: Any, *columns: tuple[str, ...], top: float = 60, order: tuple[int, ...] = ()) -> None:
    """Draw columns one after the other, in the order given."""
    for place in order or range(len(columns)):
        for row, line in enumerate(columns[place]):
            page.line(line, 20 + 205 * place, top + 12 * row, size=8)


@pytest.mark.parametrize("columns", [(LEFT, RIGHT), (LEFT, RIGHT, THIRD)])
def test_columns_drawn_row_by_row_are_read_one_after_the_other_peer_46(columns: Any) -> None:
    """Xberg-io/xberg#1345, yfedoseev/pdf_oxide#1410: no sentence is made of two columns' lines."""
    document = read(by_rows(*columns).save().data)
    assert flat(document.text) == joined(*columns)


def test_no_box_lies_over_a_gutter_peer_47() -> None:
    """foobnix/LibreraReader#971: a passage over two columns has one box a line, each in its column."""
    made = by_rows(LEFT, RIGHT).save()
    document = read(made.data)
    boxes = document.layouts[0].boxes(0, len(document.text))
    assert len(boxes) == 12
    assert [box.x1 < 0.5 for box in boxes] == [True] * 6 + [False] * 6
    with open_pdf(made.data, name="test.pdf") as file:
        text, layout = page_layout(file, 1)
    at = text.index("a month.\n") if "a month.\n" in text else text.index("a month.")
    (one, *rest) = layout.boxes(at, at + len("a month.\n\nThe second"))
    assert one.x1 < 0.5
    assert all(box.x0 > 0.5 for box in rest)


def test_marks_go_down_one_column_and_then_the_next_peer_48() -> None:
    """koreader/koreader#12114, ahrm/sioyek#1258: boxes are in the order of reading, not of height."""
    document = read(by_rows(LEFT, RIGHT).save().data)
    tops = [box.y0 for box in document.layouts[0].boxes(0, len(document.text))]
    assert tops[:6] == sorted(tops[:6])
    assert tops[6:] == sorted(tops[6:])
    assert tops[6] < tops[5]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_columns_are_read_from_the_left_whichever_is_drawn_first(order: tuple[int, ...]) -> None:
    """The order of the file is kept where it is right and mended where the page contradicts it."""
    maker = PdfMaker()
    by_columns(maker.page((0, 0, 440, 300)), LEFT, RIGHT, order=order)
    assert flat(read(maker.save().data).text) == joined(LEFT, RIGHT)


def test_headings_over_both_columns_stand_between_them() -> None:
    """Each part of the page is read column by column, with the heading over it first."""
    maker = PdfMaker()
    page = maker.page((0, 0, 440, 400))
    page.line("A heading that goes over both of the columns of it", 20, 40, size=12)
    by_rows(LEFT[:4], RIGHT[:4], top=60, page=page)
    page.line("Another heading which goes over both of the columns", 20, 130, size=12)
    by_rows(LEFT[2:], THIRD[2:], top=150, page=page)
    assert flat(read(maker.save().data).text) == (
        f"A heading that goes over both of the columns of it {joined(LEFT[:4], RIGHT[:4])} "
        f"Another heading which goes over both of the columns {joined(LEFT[2:], THIRD[2:])}"
    )


def test_a_head_that_is_drawn_last_is_read_first() -> None:
    """What stands over all text that it follows in the file is before that text."""
    maker = PdfMaker()
    page = maker.page((0, 0, 440, 300))
    by_columns(page, LEFT)
    page.line("The story of the pump and its people", 20, 30, size=8)
    assert flat(read(maker.save().data).text) == f"The story of the pump and its people {joined(LEFT)}"


def test_text_beside_a_picture_is_not_torn() -> None:
    """A caption beside narrowed text, drawn before it: the sentences keep the file's order."""
    maker = PdfMaker()
    page = maker.page((0, 0, 440, 300))
    for row, line in enumerate(RIGHT[:3]):
        page.line(line, 230, 60 + 12 * row, size=8)
    for row, line in enumerate(LEFT[:4]):
        page.line(line, 20, 60 + 12 * row, size=8)
    page.line(f"{LEFT[4]} {LEFT[5]}", 20, 108, size=8)
    assert joined(LEFT) in flat(read(maker.save().data).text)


def test_rows_of_short_cells_are_no_columns() -> None:
    """Names and what belongs to them stay together: they do not fill columns as prose does."""
    rows = [
        ("Name of the pump", "The old one"),
        ("Made in", "The north"),
        ("Colour", "Green and some rust"),
        ("Weight", "Heavy"),
    ]
    maker = PdfMaker()
    page = maker.page((0, 0, 440, 300))
    for row, (name, value) in enumerate(rows):
        page.line(name, 20, 60 + 12 * row, size=8)
        page.line(value, 225, 60 + 12 * row, size=8)
    text = flat(read(maker.save().data).text).replace(" | ", " ")
    assert text == " ".join(f"{name} {value}" for name, value in rows)


def test_a_page_number_under_columns_is_in_neither() -> None:
    """What stands at the foot, clear of both columns, does not come between them."""
    maker = by_rows(LEFT, RIGHT)
    page = maker._pages[0]
    page.line("a foot of the page", 20, 380, size=8)
    assert flat(read(maker.save().data).text) == f"{joined(LEFT, RIGHT)} a foot of the page"


ARABIC = (
    "كتب الرجل رسالة طويلة إلى",
    "أخيه الذي يسكن في مدينة",
    "بعيدة عن البحر وقال له إن",
    "الشتاء كان باردا هذا العام",
)
HEBREW = (
    "האיש כתב מכתב ארוך אל אחיו",
    "אשר גר בעיר רחוקה מן הים",
    "ואמר לו כי החורף היה קר",
    "מאוד בשנה הזאת ובכל הארץ",
)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_columns_of_right_to_left_text_are_read_from_the_right(order: tuple[int, ...]) -> None:
    """The right column is first, whichever the file draws first."""
    maker = PdfMaker()
    page = maker.page((0, 0, 440, 300))
    columns = ((240, HEBREW), (20, tuple(reversed(HEBREW))))
    for place in order:
        x, lines = columns[place]
        for row, line in enumerate(lines):
            page.line(line, x, 60 + 12 * row, size=8)
    assert flat(read(maker.save().data).text) == joined(HEBREW, tuple(reversed(HEBREW)))


def test_two_lines_of_right_to_left_text_light_their_own_halves_peer_42() -> None:
    """SteveTheKiller/KillerPDF#170: the end of the first line is at its left, the start of the second at its right."""
    maker = PdfMaker()
    page = maker.page((0, 0, 300, 200))
    for row, line in enumerate(HEBREW[:2]):
        page.line(line, 40, 60 + 14 * row, size=10)
    with open_pdf(maker.save().data, name="test.pdf") as file:
        text, layout = page_layout(file, 1)
    end = text.index("אחיו")
    first, second = layout.boxes(end, text.index("אשר") + 3)
    (whole,) = layout.boxes(0, len(HEBREW[0]))
    (below,) = layout.boxes(text.index("אשר"), len(text))
    assert first.x0 == pytest.approx(whole.x0, abs=0.01)
    assert first.x1 < (whole.x0 + whole.x1) / 2
    assert second.x1 == pytest.approx(below.x1, abs=0.01)
    assert second.x0 > (below.x0 + below.x1) / 2


def test_vertical_columns_are_read_from_the_right() -> None:
    """Japanese written downwards: the column at the right is first, though the file draws it last."""
    columns = ("春はあけぼのやうやう", "白くなりゆく山ぎは少", "し明かりて紫だちたる")
    maker = PdfMaker()
    page = maker.page((0, 0, 200, 200))
    for place in (2, 1, 0):
        page.down(columns[place], 150 - 24 * place, 30, size=12)
    assert "".join(read(maker.save().data).text.split()) == "".join(columns)


@pytest.mark.parametrize("rotate", [90, 180, 270])
def test_columns_of_a_turned_page_are_in_order(rotate: int) -> None:
    """The page is read as it is seen, and turned writing on an upright page as it is written."""
    for as_seen in (True, False):
        maker = PdfMaker()
        page = maker.page((0, 0, 440, 440), rotate=rotate, as_seen=as_seen)
        by_rows(LEFT, RIGHT, page=page)
        assert flat(read(maker.save().data).text) == joined(LEFT, RIGHT), as_seen


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.integers(4, 12), min_size=2, max_size=3),
    st.booleans(),
    st.integers(14, 40),
)
def test_columns_read_the_same_however_they_are_drawn(rows: list[int], across: Any, gutter: int) -> None:
    """Any number of lines a column, row by row or column by column, over any gutter: column after column."""
    columns = [
        tuple(f"line {row} of column {place} goes on and on here" for row in range(count))
        for place, count in enumerate(rows)
    ]
    maker = PdfMaker()
    page = maker.page((0, 0, 250 * len(rows), 300))
    cells = [(place, row) for place, count in enumerate(rows) for row in range(count)]
    for place, row in sorted(cells, key=lambda cell: (cell[1], cell[0]) if across else cell):
        page.line(columns[place][row], 20 + (200 + gutter) * place, 40 + 12 * row, size=8)
    assert flat(read(maker.save().data).text) == joined(*columns)
