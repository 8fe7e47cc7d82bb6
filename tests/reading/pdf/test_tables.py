"""Tables are found by their lines or their figures, and nothing else is taken for one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.reading.pdf import _pdfium as pdfium
from pincite.reading.pdf import open_pdf
from pincite.reading.pdf.geometry import page_affine
from pincite.reading.pdf.objects import page_objects
from pincite.reading.pdf.rules import NO_RULES, Rule, Rules, page_rules
from pincite.reading.pdf.tables import find_tables
from pincite.reading.pdf.words import PageWords

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, HEIGHT = 600.0, 800.0
LETTER, LINE = 5.0, 10.0
"""Every letter of these pages is as wide and as high."""

Piece = tuple[float, float, str]
"""Left and top in points, and words with a space between them."""


def page(pieces: Sequence[Piece]) -> tuple[PageWords, str]:
    """Return the words of a page, in the order that is given, and its text."""
    starts: list[int] = []
    ends: list[int] = []
    boxes: list[tuple[float, float, float, float]] = []
    text = ""
    for x, y, said in pieces:
        place = x
        for word in said.split(" "):
            if word:
                starts.append(len(text))
                ends.append(len(text) + len(word))
                boxes.append((place, y, place + LETTER * len(word), y + LINE))
            place += LETTER * (len(word) + 1)
            text += word + " "
    x0, y0, x1, y1 = np.array(boxes or np.zeros((0, 4)), np.float64).T
    count = len(starts)
    return (
        PageWords(
            np.array(starts, np.int32), np.array(ends, np.int32), x0, y0, x1, y1,
            np.full(count, LINE), np.ones(count, np.int64), np.ones(count, np.bool_),
        ),
        text,
    )  # fmt: skip


def columns(
    *rows: str, at: Sequence[float], top: float = 100.0, pitch: float = 14.0, right: bool = False
) -> list[Piece]:
    """Return rows whose cells, parted by `|`, begin at the places `at`; with `right` all but the first end there."""
    pieces: list[Piece] = []
    for number, row in enumerate(rows):
        for place, cell in zip(at, row.split("|"), strict=False):
            said = cell.strip()
            if said:
                left = place - LETTER * len(said) if right and place != at[0] else place
                pieces.append((left, top + pitch * number, said))
    return pieces


def rows_of(pieces: Sequence[Piece], rules: Rules = NO_RULES) -> list[list[str]]:
    """Return the rows of each table of a page, its cells joined by `|`."""
    words, text = page(pieces)
    found = find_tables(words, text, rules, WIDTH, HEIGHT)
    return [
        [
            "|".join(" ".join(text[words.start[w] : words.end[w]] for w in cell.words) for cell in row)
            for row in table.rows
        ]
        for table in found
    ]


def across(*ys: float, start: float = 95.0, end: float = 405.0) -> tuple[Rule, ...]:
    """Return horizontal lines."""
    return tuple(Rule(y, start, end) for y in ys)


def down(*xs: float, start: float = 95.0, end: float = 145.0) -> tuple[Rule, ...]:
    """Return vertical lines."""
    return tuple(Rule(x, start, end) for x in xs)


GRID = Rules(across(95, 112, 126, 145), down(95, 190, 290, 405))
AT = (100.0, 200.0, 300.0)


def test_a_grid_gives_a_row_for_each_of_its_bands() -> None:
    """Cells are told by lines on all four sides."""
    pieces = columns("Name|Office|Sum", "A. Smith|Paris|10", "B. Jones|Rome|20", at=AT)
    assert rows_of(pieces, GRID) == [["Name|Office|Sum", "A. Smith|Paris|10", "B. Jones|Rome|20"]]


def test_boxes_of_cells_are_those_of_the_grid() -> None:
    """A cell's box is the area between its lines, the table's the area of all."""
    words, text = page(columns("Name|Office|Sum", "A. Smith|Paris|10", "B. Jones|Rome|20", at=AT))
    (table,) = find_tables(words, text, GRID, WIDTH, HEIGHT)
    assert table.box == (95, 95, 405, 145)
    assert [cell.box for cell in table.rows[1]] == [
        (95, 112, 190, 126),
        (190, 112, 290, 126),
        (290, 112, 405, 126),
    ]


def test_a_cell_of_several_lines_is_one() -> None:
    """In a grid with a line below each row the lines of a cell are read one after the other."""
    pieces = columns("Name|What it is", "Alpha|first words here", "|second line", "Beta|short", at=(100, 200))
    rules = Rules(across(95, 112, 140, 155, end=405), down(95, 190, 405, end=155))
    assert rows_of(pieces, rules) == [["Name|What it is", "Alpha|first words here second line", "Beta|short"]]


def test_a_cell_over_columns_and_one_over_rows() -> None:
    """Where no line parts cells they are one; the places that it covers are empty."""
    pieces = [
        (100, 107, "Country"), (250, 100, "Share"), (200, 114, "men"), (300, 114, "women"),
        (100, 128, "Norway"), (200, 128, "51"), (300, 128, "49"),
    ]  # fmt: skip
    rules = Rules(
        (*across(95, 126, 142), Rule(112, 190, 405)),
        (*down(95, 190, 405, end=142), Rule(290, 112, 142)),
    )
    assert rows_of(pieces, rules) == [["Country|Share|", "|men|women", "Norway|51|49"]]


def test_rows_between_few_lines_are_told_by_their_words() -> None:
    """Two lines in five rows: each line of figures is a row, what a label goes on with is not."""
    pieces = columns(
        "Item|2023|2024",
        "Sales of goods and|1,200|1,350",
        "services|",
        "Costs|800|845",
        "Profit|400|505",
        at=AT,
    )
    rules = Rules(across(95, 112, 175), down(190, 290, start=95, end=175))
    words = ["Item|2023|2024", "Sales of goods and services|1,200|1,350", "Costs|800|845", "Profit|400|505"]
    assert rows_of(pieces, rules) == [words]


def test_horizontal_lines_alone() -> None:
    """Top, below the head and bottom: as printed books have it, with a head of two rows parted by short lines."""
    pieces = [
        (220, 100, "2023"), (320, 100, "2024"),
        *columns("Region|Sales|Costs|Sales|Costs", "North|10|5|12|6", "South|20|15|22|16",
                 at=(100, 200, 240, 300, 340), top=116),
    ]  # fmt: skip
    rules = Rules((*across(95, 128, 160), Rule(113, 195, 270), Rule(113, 295, 370)), ())
    assert rows_of(pieces, rules) == [
        ["|2023||2024|", "Region|Sales|Costs|Sales|Costs", "North|10|5|12|6", "South|20|15|22|16"]
    ]


def test_a_heading_over_two_columns_is_not_torn() -> None:
    """Its words stand a space apart, closer than any columns do, wherever their border is."""
    pieces = [
        (100, 100, "Kind"), (190, 100, "Percentage of"), (190, 112, "targets with"), (300, 100, "Trials"),
        *columns("Onset first|100|0|196", "Probabilistic|80|20|200", at=(100, 195, 240, 300), top=130),
    ]  # fmt: skip
    assert rows_of(pieces, Rules(across(95, 126, 160), ())) == [
        ["Kind|Percentage of targets with||Trials", "Onset first|100|0|196", "Probabilistic|80|20|200"]
    ]


def test_boxes_drawn_as_rectangles(make_pdf: Any) -> None:
    """Lines that are thin filled rectangles, and frames that are stroked, are read from the file."""
    content = (
        "50 700 300 0.5 re f 50 600 300 .5 re f 50 600 .5 100 re f\n"
        "1 w 400 600 100 50 re S\n"
        "0 0 m 100 100 l S 10 10 m 20 40 80 90 90 90 c S 500 500 80 80 re f 100 100 m 200 100 l n\n"
    )
    rules = rules_in(make_pdf((content, "/MediaBox [0 0 600 800]")))
    assert [tuple(round(value) for value in rule) for rule in rules.horizontal] == [
        (100, 50, 350), (150, 400, 500), (200, 50, 350), (200, 400, 500),
    ]  # fmt: skip
    assert [tuple(round(value) for value in rule) for rule in rules.vertical] == [
        (50, 100, 200), (400, 150, 200), (500, 150, 200),
    ]  # fmt: skip


def rules_in(data: bytes, most: int = 1_000) -> Rules:
    """Return the rules of the first page."""
    with open_pdf(data, name="test.pdf") as file:
        handle = pdfium.load_page(file.handle, 0)
        try:
            width, height = pdfium.page_width(handle), pdfium.page_height(handle)
            return page_rules(page_objects(handle, most=most), page_affine(handle), width, height)
        finally:
            pdfium.close_page(handle)


def test_lines_of_a_turned_page_stand_as_they_are_seen(make_pdf: Any) -> None:
    """On a page turned by a right angle a line along it is seen across it."""
    rules = rules_in(make_pdf(("50 700 300 1 re f", "/MediaBox [0 0 600 800] /Rotate 90")))
    assert not rules.horizontal
    ((at, start, end),) = rules.vertical
    assert (round(at), round(start), round(end)) == (700, 50, 350)


def test_lines_in_a_form(make_pdf: Any) -> None:
    """A line in a form stands where the form's own map and that of the page put it."""
    content = b"20 300 100 .5 re f"
    form = (
        b"<< /Type /XObject /Subtype /Form /BBox [0 0 600 800] /Matrix [1 0 0 1 5 0] /Length %d >>\n"
        b"stream\n%s\nendstream" % (len(content), content)
    )
    page_content = "q 2 0 0 2 10 20 cm /X Do Q"
    ((at, start, end),) = rules_in(
        make_pdf((page_content, "/MediaBox [0 0 600 800]"), objects=(form,))
    ).horizontal
    # x: (20 + 5) * 2 + 10 and 200 more; y from the top: 800 - (300 * 2 + 20), less half of its width of 1.
    assert (round(start), round(end), round(at, 1)) == (60, 260, 179.5)


def test_pieces_of_one_line_are_one(make_pdf: Any) -> None:
    """The sides of cells that stand beside one another are a single line."""
    content = "".join(f"{50 + 40 * i} 700 40 1 re f " for i in range(5))
    ((at, start, end),) = rules_in(make_pdf((content, "/MediaBox [0 0 600 800]"))).horizontal
    assert (round(at), round(start), round(end)) == (100, 50, 250)


def test_peer_3_2_a_drawing_ends_the_search_for_lines(make_pdf: Any) -> None:
    """issue6961.pdf and plans: a page with more paths than are looked at has no lines, and costs no more."""
    content = "".join(f"50 {i} 300 .2 re f " for i in range(300))
    data = make_pdf((content, "/MediaBox [0 0 600 800]"))
    assert rules_in(data, most=299) == NO_RULES
    assert rules_in(data, most=300) != NO_RULES
    zigzag = "0 0 m " + "".join(f"{x} {x % 7} l " for x in range(500)) + "S"
    assert rules_in(make_pdf((zigzag, "/MediaBox [0 0 600 800]")), most=400) == NO_RULES


def test_figures_below_one_another_are_a_table_without_lines() -> None:
    """Labels at the left, figures that end below one another, the head above them."""
    pieces = [
        (100, 60, "The table that follows here has no line at all in it."),
        *columns("|2023|2024", "Revenue|1,200.5|1,350.0", "Cost of sales|(800.0)|(845.2)", "Gross profit|400.5|504.8",
                 "Other income|12.0|-", at=(100, 300, 400), right=True),
        (100, 200, "And the text goes on below the table, as it always does."),
    ]  # fmt: skip
    assert rows_of(pieces) == [
        ["|2023|2024", "Revenue|1,200.5|1,350.0", "Cost of sales|(800.0)|(845.2)", "Gross profit|400.5|504.8",
         "Other income|12.0|-"],
    ]  # fmt: skip


def test_a_label_of_two_lines_belongs_to_its_figures() -> None:
    """The figures stand beside the last line of the label."""
    pieces = columns(
        "Net cash provided by|", "operating activities|123|456", "Net cash used|7|8", "Total of it all|130|464",
        at=(100, 300, 400), right=True,
    )  # fmt: skip
    assert rows_of(pieces) == [
        ["Net cash provided by operating activities|123|456", "Net cash used|7|8", "Total of it all|130|464"]
    ]


PROSE = [
    "The dogs of the village were asleep when",
    "the rain began, and nobody who lived there",
    "heard the river rise over its old banks in",
    "the night. In the morning the water stood",
    "in the lower streets, and people carried",
    "what they could to the church on the hill",
]


def prose(x: float, top: float = 100.0, pitch: float = 14.0) -> list[Piece]:
    """Return running text in a column of 42 letters."""
    return [(x, top + pitch * i, line) for i, line in enumerate(PROSE)]


FIGURES = ["One|1.5|2", "Two|2.5|44", "Three|13.5|444", "Four|3.5|4"]


def test_a_table_beside_text_and_in_a_column() -> None:
    """The text beside it, on the same lines or on others, is no part of it."""
    expected = [["One|1.5|2", "Two|2.5|44", "Three|13.5|444", "Four|3.5|4"]]
    for top in (100.0, 105.0):
        assert rows_of([*prose(50, top), *columns(*FIGURES, at=(330, 420, 470), right=True)]) == expected
        assert rows_of([*columns(*FIGURES, at=(50, 140, 190), right=True), *prose(330, top)]) == expected


CONTENTS = [f"{n}|Chapter with name {'x' * n}|{5 * n}" for n in range(1, 7)]
NO_TABLES: dict[str, list[Piece]] = {
    "two columns": [*prose(50), *prose(330)],
    "two columns, lines apart": [*prose(50), *prose(330, 105)],
    "three columns": [*prose(20), *prose(240), *prose(460)],
    "a list": columns("1.|First of all", "2.|Then the rest", "3.|Last 12.5", "4.|Nothing", at=(100, 130)),
    "figures in a list": columns("-|12 apples", "-|13 pears", "-|14 nuts", at=(100, 130)),
    "an address": columns(
        "ACME Ltd|Phone 0123|Bank of X", "12 Main Street|Fax 0124|IBAN 12", "EC1 London|Mail|BIC", at=(50, 250, 400)
    ),
    "contents": columns(*CONTENTS, at=(100, 130, 400), right=False),
    "contents with leaders": [(100, 100 + 14 * n, f"{n} Chapter {'. ' * 30}{7 * n}") for n in range(1, 8)],
    "leaders and a gutter": columns(*[f"Chapter {n} .............|{70 - n}" for n in range(8)], at=(100, 400)),
    "numbered formulas": columns(*[f"a = b + {n}|x = {n} y|({n})" for n in range(1, 6)], at=(100, 250, 500)),
    "a matrix": columns("1|0|0", "0|1|0", "0|0|1", "5|5|5", at=(100, 140, 180)),
    "code": columns("int a|= 10;", "int bcd|= 200;", "long efgh|= 3000;", at=(100, 250)),
    "line numbers": columns(*[f"{line}|{5 * n}" for n, line in enumerate(PROSE)], at=(100, 400)),
    "a verse with numbers": columns("Sing, goddess, the anger|5", "of Achilles|10", "and its end|15", at=(100, 400)),
    "no words": [],
}  # fmt: skip


@pytest.mark.parametrize("case", NO_TABLES)
def test_what_is_no_table(case: str) -> None:
    """Text in columns, lists, contents, formulas and code are none, without lines and between a head's and a foot's."""
    assert rows_of(NO_TABLES[case]) == []
    assert rows_of(NO_TABLES[case], Rules(across(50, 54, 780, start=40, end=560), ())) == []


def test_frames_and_lines_beside_text_are_no_tables() -> None:
    """A frame around text has one cell; a line between columns of text parts no cells."""
    frame = Rules(across(90, 200, start=40, end=300), down(40, 300, start=90, end=200))
    assert rows_of(prose(50), frame) == []
    text = [*prose(50), *prose(50, 190), *prose(330), *prose(330, 190)]
    between = Rules(across(90, start=40, end=560), down(310, start=90, end=300))
    assert rows_of(text, between) == []


def test_a_chart_is_no_table() -> None:
    """Axes with lines behind the bars and a word here and there hold no cells."""
    lines = Rules(across(100, 130, 160, 190, start=100, end=400), down(100, start=90, end=200))
    assert (
        rows_of(
            [(80, 95, "30"), (80, 125, "20"), (80, 155, "10"), (200, 205, "2023"), (300, 205, "2024")], lines
        )
        == []
    )


def turned(words: PageWords, *, clockwise: bool) -> PageWords:
    """Return the words of a page that is `HEIGHT` wide and `WIDTH` high, with its writing turned."""
    flat = np.zeros(len(words.start), np.bool_)
    if clockwise:
        return replace(
            words, x0=HEIGHT - words.y1, x1=HEIGHT - words.y0, y0=words.x0, y1=words.x1, upright=flat
        )
    return replace(words, x0=words.y0, x1=words.y1, y0=WIDTH - words.x1, y1=WIDTH - words.x0, upright=flat)


@pytest.mark.parametrize("clockwise", [True, False])
@pytest.mark.parametrize("ruled", [True, False])
def test_writing_that_is_turned(*, clockwise: bool, ruled: bool) -> None:
    """A table that lies on its side is read as somebody does who turns the page; its boxes are those of the page."""
    words, text = page(
        columns("Name|Age|Sum", "A. Smith|31|10", "B. Jones|45|200", "C. Miller|9|30", at=(100, 200, 300))
    )
    upright = GRID if ruled else NO_RULES
    if clockwise:
        rules = Rules(
            tuple(Rule(at, HEIGHT - end, HEIGHT - start) for at, start, end in upright.vertical),
            tuple(Rule(HEIGHT - at, start, end) for at, start, end in upright.horizontal),
        )
    else:
        rules = Rules(
            tuple(Rule(WIDTH - at, start, end) for at, start, end in upright.vertical),
            tuple(Rule(at, WIDTH - end, WIDTH - start) for at, start, end in upright.horizontal),
        )
    (table,) = find_tables(turned(words, clockwise=clockwise), text, rules, HEIGHT, WIDTH)
    said = [
        [" ".join(text[words.start[w] : words.end[w]] for w in cell.words) for cell in row]
        for row in table.rows
    ]
    assert said[:3] == [["Name", "Age", "Sum"], ["A. Smith", "31", "10"], ["B. Jones", "45", "200"]]
    (straight,) = find_tables(words, text, upright, WIDTH, HEIGHT)
    x0, y0, x1, y1 = straight.rows[1][0].box
    seen = (HEIGHT - y1, x0, HEIGHT - y0, x1) if clockwise else (y0, WIDTH - x1, y1, WIDTH - x0)
    assert table.rows[1][0].box == pytest.approx(seen)


WORDS = st.sampled_from(["a", "the", "Total", "12", "1,234.5", "(80)", "-", "n/a", "words", "....", "中文"])
PLACES = st.tuples(
    st.integers(0, 11).map(lambda n: 45.0 * n), st.integers(0, 14).map(lambda n: 50.0 + 13.0 * n), WORDS
)


def line(at: int, start: int, length: int) -> Rule:
    """Return a line of the lattice that the words of any page stand in."""
    return Rule(47.0 + 13.0 * at, 45.0 * start, 45.0 * start + length)


LINES = st.lists(st.builds(line, st.integers(0, 14), st.integers(0, 5), st.integers(10, 300)), max_size=12)


@given(st.lists(PLACES, max_size=60), LINES, LINES)
def test_any_page(pieces: list[Piece], horizontal: list[Rule], vertical: list[Rule]) -> None:
    """Whatever stands on a page: no word is in two cells, and the rows of a table are as long as one another."""
    words, text = page(pieces)
    seen: list[int] = []
    for table in find_tables(words, text, Rules(tuple(horizontal), tuple(vertical)), WIDTH, HEIGHT):
        assert len(table.rows) > 1
        assert len({len(row) for row in table.rows}) == 1
        assert len(table.rows[0]) > 1
        for row in table.rows:
            assert any(cell.words for cell in row)
            for cell in row:
                seen += cell.words
                assert cell.box[0] <= cell.box[2]
                assert cell.box[1] <= cell.box[3]
    assert len(set(seen)) == len(seen)
    assert all(0 <= word < len(words.start) for word in seen)
