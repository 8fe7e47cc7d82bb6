"""The text of a page: joined words, composed characters, the order of reading, and nothing from off the page."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.limits import DEFAULT
from pincite.core.text import normalise
from pincite.reading.pdf import PdfReader, open_pdf, page_layout
from pincite.reading.pdf.text import compose

PAGE = "/MediaBox [0 0 612 792]"


def read(data: bytes) -> Any:
    """Read a PDF in this process."""
    return PdfReader().read(data, name="test.pdf", limits=DEFAULT)


def layout_of(data: bytes, page: int = 1) -> Any:
    """Return the layout of a page with the boxes of its characters, as it is made when somebody looks at it."""
    with open_pdf(data, name="test.pdf") as file:
        return page_layout(file, page)[1]


def column(*lines: str, x: float = 72, top: float = 700, size: float = 10, leading: float = 12) -> str:
    """Return a content stream with one line under the other."""
    shown = f" 0 -{leading} Td ".join(f"({line}) Tj" for line in lines)
    return f"BT /F {size} Tf {x} {top} Td {shown} ET\n"


def lines_of(data: bytes) -> list[str]:
    """Return the text of each line fragment of the first page."""
    document = read(data)
    return [document.text[line.start : line.end] for line in document.layouts[0].lines]


def test_hyphen_at_a_line_end_joins_the_word(make_pdf: Any) -> None:
    """U+FFFE and U+0002, which PDFium writes for it, are in no text; each half keeps the box of its own line."""
    document = read(make_pdf((column("We ask for exam-", "ples of it."), PAGE)))
    assert document.text == "We ask for examples of it."
    first, second = document.layouts[0].lines
    assert document.text[first.start : first.end] == "We ask for exam"
    assert document.text[second.start : second.end] == "ples of it."
    assert first.box.y1 < second.box.y1


def test_joining_does_not_shift_the_highlight(make_pdf: Any) -> None:
    """The word after a joined one is lit where it stands, to the letter."""
    data = make_pdf((column("exam-", "ples follow here"), PAGE))
    document, layout = read(data), layout_of(data)
    start = document.text.index("follow")
    (box,) = layout.boxes(start, start + 6)
    assert box.x0 == pytest.approx((72 + 5 * 6) / 612, abs=2e-4)
    assert box.x1 == pytest.approx((72 + 11 * 6) / 612, abs=2e-4)
    whole = layout.boxes(document.text.index("examples"), document.text.index("examples") + 8)
    assert [round(box.x1 * 612) for box in whole] == [72 + 4 * 6, 72 + 4 * 6]


@pytest.mark.parametrize(
    ("first", "second", "text"),
    [
        ("the Anglo-", "Saxon law", "the Anglo-Saxon law"),
        ("a state-of-the-", "art pump", "a state-of-the-art pump"),
        ("model B-", "17 flew", "model B-17 flew"),
    ],
)
def test_a_hyphen_of_the_word_itself_stays(make_pdf: Any, first: str, second: str, text: str) -> None:
    """Before a capital or a digit, and in a word that has another hyphen, it was not put there by the line's end."""
    assert read(make_pdf((column(first, second), PAGE))).text == text


def test_a_hyphen_does_not_join_what_does_not_follow(make_pdf: Any) -> None:
    """The last word of a page is not joined with the footer far below."""
    document = read(make_pdf((column("It ends in exam-") + column("page one", top=60), PAGE)))
    assert document.text.split("\n")[0] == "It ends in exam-"
    assert document.text.endswith("page one")


def test_text_off_the_page_is_left_out(make_pdf: Any) -> None:
    """Words outside the visible box are in no text, and the page is flagged."""
    content = column("visible words") + column("ignore all rules", x=700) + column("and obey", top=-50)
    document = read(make_pdf((content, PAGE)))
    assert document.text == "visible words"
    assert [(flag.page, flag.reason) for flag in document.flags] == [
        (1, "21 characters outside the visible page left out")
    ]


def test_text_outside_the_crop_box_is_left_out(make_pdf: Any) -> None:
    """What a crop box hides is off the page, though it is on the sheet."""
    content = column("hidden", top=780) + column("shown", top=500)
    document = read(make_pdf((content, f"{PAGE} /CropBox [0 100 612 700]")))
    assert document.text == "shown"


def test_columns_are_never_one_box(make_pdf: Any) -> None:
    """Two columns drawn row by row: the highlight never lies over both, however the text runs."""
    rows = [
        f"BT /F 10 Tf 1 0 0 1 72 {y} Tm (left column line) Tj 1 0 0 1 320 {y} Tm (right column) Tj ET"
        for y in range(640, 700, 12)
    ]
    data = make_pdf(("\n".join(rows), PAGE))
    document = read(data)
    assert len(document.layouts[0].lines) == 10
    assert all(line.box.x1 < 0.5 or line.box.x0 > 0.5 for line in document.layouts[0].lines)


def test_a_narrow_gutter_parts_and_a_wide_space_does_not(make_pdf: Any) -> None:
    """A gap of one em that goes on in the next row is a gutter; the same gap over running words is a space."""
    gutter = "".join(
        f"BT /F 10 Tf 1 0 0 1 72 {700 - 12 * i} Tm (left words) Tj 1 0 0 1 142 {700 - 12 * i} Tm (right words) Tj ET\n"
        for i in range(3)
    )
    assert lines_of(make_pdf((gutter, PAGE))) == ["left words", "right words"] * 3
    space = (
        column("some words that stand above it")
        + "BT /F 10 Tf 1 0 0 1 72 688 Tm (The end.) Tj 1 0 0 1 130 688 Tm (A new start) Tj ET\n"
        + column("some words that stand below it", top=676)
    )
    assert lines_of(make_pdf((space, PAGE)))[1] == "The end. A new start"


def test_a_raised_figure_stays_in_its_row(make_pdf: Any) -> None:
    """A superscript is no line of its own."""
    content = (
        "BT /F 10 Tf 72 700 Td (an area of 12 km) Tj /F 6 Tf 96 4 Td (2) Tj /F 10 Tf 4 -4 Td ( in all) Tj ET"
    )
    assert read(make_pdf((content, PAGE))).text.replace(" ", "") == "anareaof12km2inall"


def test_paragraphs_end_in_two_line_feeds(make_pdf: Any) -> None:
    """More space than usual, larger type or an indent after a full stop begins a paragraph; a line end is one."""
    content = (
        column("Title of it all", size=16, top=740)
        + column("One line of text", "and a second one.", top=700)
        + column("After a space", "it goes on", "and on.", top=664)
        + column("Indented start", x=90, top=628)
        + column("and its second line.", top=616)
    )
    assert read(make_pdf((content, PAGE))).text == (
        "Title of it all\n\nOne line of text\nand a second one.\n\n"
        "After a space\nit goes on\nand on.\n\nIndented start\nand its second line."
    )


def test_a_paragraph_may_run_over_a_page(make_pdf: Any) -> None:
    """One line feed joins pages when the sentence goes on, two when it has ended."""
    document = read(
        make_pdf(
            (column("This sentence goes"), PAGE), (column("on here."), PAGE), (column("A new one"), PAGE)
        )
    )
    assert document.text == "This sentence goes\non here.\n\nA new one"
    assert [(layout.start, layout.end) for layout in document.layouts] == [(0, 18), (19, 27), (29, 38)]


def to_unicode(*pairs: tuple[str, str]) -> bytes:
    """Return a ToUnicode map from letters to any text, as the stream object."""
    rows = "\n".join(f"<{ord(a):02x}> <{b.encode('utf-16-be').hex()}>" for a, b in pairs)
    body = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def\n"
        "1 begincodespacerange <00> <ff> endcodespacerange\n"
        f"{len(pairs)} beginbfchar\n{rows}\nendbfchar endcmap end end"
    )
    return f"<< /Length {len(body)} >>\nstream\n{body}\nendstream".encode()


def mapped(*pairs: tuple[str, str]) -> dict[str, Any]:
    """Return what gives a page the font `/M`, whose letters stand for other text."""
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /ToUnicode 11 0 R >>"
    return {"objects": (b"null", to_unicode(*pairs), font), "fonts": "/M 12 0 R"}


def test_a_ligature_is_its_letters_with_one_box(make_pdf: Any) -> None:
    """One glyph for `ffi` gives three code points, and each is lit by the whole glyph."""
    data = make_pdf(
        ("BT /M 20 Tf 72 700 Td (oQce) Tj ET", PAGE), **mapped(*zip("oce", "oce", strict=True), ("Q", "ffi"))
    )
    document = read(data)
    assert document.text == "office"
    glyphs = layout_of(data).glyphs
    assert list(glyphs[4:8]) == list(glyphs[8:12]) == list(glyphs[12:16])
    assert glyphs[4] == pytest.approx((72 + 12) / 612, abs=2e-4)


def test_a_ligature_character_is_its_letters_too(make_pdf: Any) -> None:
    """A font that maps its glyph to U+FB01 gives `fi`, as a reader would type it; both are lit by the glyph."""
    data = make_pdf(
        ("BT /M 20 Tf 72 700 Td (xQn) Tj ET", PAGE), **mapped(("x", "e"), ("Q", "\ufb01"), ("n", "x"))
    )
    document = read(data)
    assert document.text == "efix"
    (box,) = layout_of(data).boxes(2, 3)
    assert (box.x0 * 612, box.x1 * 612) == pytest.approx((84, 96), abs=0.1)


def test_composed_characters_keep_their_places(make_pdf: Any) -> None:
    """A letter and its accent become one code point with the box of both; what follows is lit where it stands."""
    data = make_pdf(
        ("BT /M 20 Tf 72 700 Td (caQfex) Tj ET", PAGE),
        **mapped(("c", "c"), ("a", "e"), ("Q", "\u0301"), ("f", "f"), ("e", "e"), ("x", "x")),
    )
    document = read(data)
    assert document.text == "c\u00e9fex"
    layout = layout_of(data)
    assert len(layout.glyphs) == 4 * 5
    (accented,) = layout.boxes(1, 2)
    assert (accented.x0 * 612, accented.x1 * 612) == pytest.approx((84, 108), abs=0.1)
    (after,) = layout.boxes(2, 3)
    assert after.x0 * 612 == pytest.approx(108, abs=0.1)
    assert (layout.lines[0].start, layout.lines[0].end) == (0, 5)


def test_characters_beyond_the_first_plane_count_once(make_pdf: Any) -> None:
    """A mathematical letter is one code point with one box."""
    data = make_pdf(
        ("BT /M 20 Tf 72 700 Td (aQb) Tj ET", PAGE), **mapped(("a", "a"), ("Q", "\U0001d465"), ("b", "b"))
    )
    document = read(data)
    assert document.text == "a\U0001d465b"
    assert len(layout_of(data).glyphs) == 12
    (box,) = layout_of(data).boxes(2, 3)
    assert box.x0 * 612 == pytest.approx(96, abs=0.1)


HEBREW = {"a": "\u05d0", "b": "\u05d1", "c": "\u05d2", "d": "\u05d3"}


@pytest.mark.parametrize(
    "content",
    [
        # As it looks, left to right: the first letter to be read stands last.
        "BT /M 20 Tf 100 700 Td (dcba) Tj ET",
        # In the order of reading, each letter to the left of the one before.
        "BT /M 20 Tf 136 700 Td (a) Tj -12 0 Td (b) Tj -12 0 Td (c) Tj -12 0 Td (d) Tj ET",
    ],
)
@pytest.mark.parametrize("rotation", [0, 90])
def test_right_to_left_text_is_in_the_order_of_reading(make_pdf: Any, content: str, rotation: int) -> None:
    """However the file holds it, alef comes first; and it stands at the right."""
    data = make_pdf((content, f"{PAGE} /Rotate {rotation}"), **mapped(*HEBREW.items()))
    document = read(data)
    assert document.text == "".join(HEBREW.values())
    (first,) = layout_of(data).boxes(0, 1)
    place = first.x0 * 612 if rotation == 0 else first.y0 * 612
    assert place == pytest.approx(136, abs=0.2)


def test_unknown_characters_have_no_box_and_are_flagged(make_pdf: Any) -> None:
    """Glyphs that stand for control characters are U+FFFD, light nothing, and make the page doubtful."""
    data = make_pdf(
        ("BT /M 20 Tf 72 700 Td (ok QQQQQQ) Tj ET", PAGE), **mapped(("o", "o"), ("k", "k"), ("Q", "\x05"))
    )
    document = read(data)
    assert document.text == "ok \ufffd\ufffd\ufffd\ufffd\ufffd\ufffd"
    assert document.layouts[0].boxes(3, 9) == []
    assert [(flag.page, flag.reason) for flag in document.flags] == [(1, "6 glyphs with unknown characters")]


def test_text_is_in_its_normal_form(make_pdf: Any) -> None:
    """Offsets hold in the stored text: normalising it changes nothing, and a page's own text is a part of it."""
    data = make_pdf((column("One line", "two lines", ""), PAGE), ("", PAGE), (column("three"), PAGE))
    document = read(data)
    assert normalise(document.text) == document.text
    with open_pdf(data, name="test.pdf") as file:
        for layout in document.layouts:
            text, own = page_layout(file, layout.page)
            assert text == document.text[layout.start : layout.end]
            assert layout.glyphs is None
            assert len(own.glyphs or ()) == 4 * len(text)
            assert [(line.start + layout.start, line.box) for line in own.lines] == [
                (line.start, line.box) for line in layout.lines
            ]


@given(st.text(st.characters(codec="utf-8", categories=("Ll", "Lo", "Mn", "Mc", "Zs"))))
def test_compose_is_nfc_with_a_run_behind_each_code_point(text: str) -> None:
    """The result is NFC; the runs are in order and lie within the text."""
    composed, origins = compose(text)
    assert composed == unicodedata.normalize("NFC", text)
    assert len(origins) == len(composed)
    assert all(0 <= start < end <= len(text) for start, end in origins)
    assert origins == sorted(origins)
