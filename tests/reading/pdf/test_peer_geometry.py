"""What users of other systems complained of, where boxes and pages are concerned: one test a complaint, named after it.

The complaints are public issues; what is right here is in the docstrings.
"""

from __future__ import annotations

import io
import re
from math import hypot
from typing import TYPE_CHECKING

import pikepdf
import pytest

from pdf_maker import Made, PdfMaker
from pdf_oracles import Placed, area, gray, ink, page_words, picture
from pincite.core.layout import boxes_of
from pincite.core.limits import DEFAULT
from pincite.reading import Mark, chunk
from pincite.reading.pdf import PdfReader, annotated, open_pdf, page_layout, render_page

if TYPE_CHECKING:
    from pincite.core.document import Document
    from pincite.core.geometry import Box

Sides = tuple[float, float, float, float]
ROTATIONS = (0, 90, 180, 270)
CROPPED: dict[str, tuple[Sides, Sides | None]] = {
    "plain": ((0, 0, 300, 200), None),
    "offset crop": ((0, 0, 600, 600), (150, 250, 450, 450)),
    "offset media": ((120, -75, 420, 125), None),
    "crop beyond media": ((0, 0, 300, 200), (-40, -40, 900, 900)),
}


def read(made: Made) -> Document:
    """Read a document in this process."""
    return PdfReader().read(made.data, name="made.pdf", limits=DEFAULT)


def words(made: Made, page: int = 1) -> dict[str, Placed]:
    """Return the words of a page by their spelling."""
    with open_pdf(made.data, name="made.pdf") as file:
        return {word.text: word for word in page_words(file, page)}


def one_word(rotate: int, media: Sides, crop: Sides | None, *, as_seen: bool = True) -> Made:
    """Return a page with the word `Hagphl`, 40 to the right and 60 down."""
    maker = PdfMaker()
    page = maker.page(media, crop=crop, rotate=rotate, as_seen=as_seen)
    page.line("Hagphl", 40, 60, size=20, font="courier")
    return maker.save()


def span(document: Document, text: str) -> int:
    """Return where words begin in a document, whatever white space is between them."""
    found = re.search(r"\s+".join(map(re.escape, text.split())), document.text)
    assert found is not None, document.text
    return found.start()


def of(box: Box) -> Sides:
    """Return the four numbers of a box."""
    return box.x0, box.y0, box.x1, box.y1


@pytest.mark.parametrize("kind", CROPPED)
@pytest.mark.parametrize("rotate", ROTATIONS)
def test_ragflow_13097_highlights_off_on_a_file(kind: str, rotate: int) -> None:
    """One transform: lines, characters, image and marks of a page have the same frame."""
    made = one_word(rotate, *CROPPED[kind])
    (line,) = read(made).layouts[0].lines
    with open_pdf(made.data, name="made.pdf") as file:
        _, layout = page_layout(file, 1)
        (drawn,) = layout.boxes(0, 6)
        found = ink(picture(file, 1, dpi=144), [Placed("Hagphl", (of(line.box),))])
    assert of(drawn) == pytest.approx(of(line.box), abs=1e-5)
    assert of(line.box) == pytest.approx(of(made.words[0].boxes[0]), abs=1e-4)
    assert (found.empty, found.outside) == ([], 0.0)


def two_pages() -> Made:
    """Return a sentence over a page's end."""
    maker = PdfMaker()
    maker.page().paragraph("The table goes on over", 20, 150, width=80, size=14)
    maker.page().paragraph("the end of the page here.", 20, 40, width=80, size=14)
    return maker.save()


def test_ragflow_16883_a_passage_over_two_pages_is_lit_on_one() -> None:
    """It has boxes on both, and each is on its own page."""
    made = two_pages()
    document = read(made)
    start, end = span(document, "table goes"), span(document, "page here") + 9
    pages = [box.page for box in boxes_of(document.layouts, start, end)]
    assert pages == sorted(pages)
    assert set(pages) == {1, 2}


@pytest.mark.parametrize("dpi", [36, 72, 150, 301])
def test_ragflow_16268_boxes_scaled_by_a_fixed_factor(dpi: int) -> None:
    """Boxes are fractions: they hold the words at any size of image."""
    made = one_word(90, (0, 0, 300, 200), (20, 20, 280, 180))
    with open_pdf(made.data, name="made.pdf") as file:
        found = ink(picture(file, 1, dpi=dpi), page_words(file, 1))
    assert (found.checked, found.empty, found.outside) == (1, [], 0.0)


def test_ragflow_151_and_xberg_1654_the_frame_is_told_with_the_boxes() -> None:
    """Width, height and rotation are those that the fractions are of, page by page."""
    maker = PdfMaker()
    for rotate in ROTATIONS:
        maker.page((0, 0, 300, 200), crop=(10, 10, 210, 110), rotate=rotate, unit=2.0).line("word", 20, 40)
    frames = [(page.width, page.height, page.rotation) for page in read(maker.save()).pages]
    assert frames == [(400, 200, 0), (200, 400, 90), (400, 200, 180), (200, 400, 270)]


def test_docling_1699_each_part_keeps_its_own_page_and_box() -> None:
    """A paragraph of several lines over two pages: one box a line, none larger than its line."""
    made = two_pages()
    document = read(made)
    lines = [line for layout in document.layouts for line in layout.lines]
    # 14 points of type and 80 of width on pages of 300 by 200.
    assert len(lines) > 3
    assert all(
        line.box.y1 - line.box.y0 <= 14.1 / 200 and line.box.x1 - line.box.x0 <= 80.1 / 300 for line in lines
    )


def test_docling_core_643_boxes_outside_the_page() -> None:
    """A word that is cut by the edge ends there, and its page says so; one within the tolerance does not."""
    maker = PdfMaker()
    maker.page().line("Expenses", 255, 60, size=20)
    maker.page().line("Expenses", 300 - 96 + 0.4, 60, size=20)
    maker.page().line("inside", 20, 60, size=20)
    made = maker.save()
    document = read(made)
    for layout in document.layouts:
        for line in layout.lines:
            assert 0 <= line.box.x0 < line.box.x1 <= 1
            assert 0 <= line.box.y0 < line.box.y1 <= 1
    assert {flag.page for flag in document.flags} == {1}


@pytest.mark.parametrize("rotate", ROTATIONS)
def test_docling_parse_125_crop_larger_than_media(rotate: int) -> None:
    """What is seen is what both boxes share."""
    cropped = one_word(rotate, (0, 0, 300, 200), (-40, -40, 900, 900))
    whole = one_word(rotate, (0, 0, 300, 200), None)
    assert words(cropped) == words(whole)
    assert read(cropped).pages == read(whole).pages


def test_a_crop_that_misses_the_media_box_is_left_out() -> None:
    """Nothing would be seen; as in other viewers, the media box is."""
    maker = PdfMaker()
    page = maker.page((0, 0, 300, 200), crop=(400, 400, 500, 500))
    page.raw("BT /C 20 Tf 30 100 Td (word) Tj ET")
    made = maker.save()
    assert [(page.width, page.height) for page in read(made).pages] == [(300, 200)]
    # Four letters of 12 points; the baseline is in the middle, 16 points are over it and 4 under it.
    assert words(made)["word"].boxes[0] == pytest.approx((0.1, 0.42, 0.26, 0.52), abs=1e-4)
    with open_pdf(made.data, name="made.pdf") as file:
        assert picture(file, 1, dpi=72).shape == (200, 300)


@pytest.mark.parametrize("rotate", ROTATIONS)
def test_pdfplumber_1054_and_pdf_inspector_487_crop_ignored(rotate: int) -> None:
    """Boxes are of the visible box, which is what the picture shows: same word, same place in it, whatever the crop."""
    near = words(one_word(rotate, (0, 0, 300, 200), None))["Hagphl"]
    far = words(one_word(rotate, (0, 0, 3000, 3000), (1500, 2000, 1800, 2200)))["Hagphl"]
    assert far.boxes[0] == pytest.approx(near.boxes[0], abs=1e-4)


@pytest.mark.parametrize("rotate", ROTATIONS)
def test_pdfalto_239_marks_from_one_origin_and_text_from_another(rotate: int) -> None:
    """A mark over a word has the word's ink in it on a cropped page, and none of the line under it."""
    maker = PdfMaker()
    page = maker.page((0, 0, 600, 600), crop=(150, 250, 450, 450), rotate=rotate)
    page.line("first", 20, 40, size=14)
    page.line("other", 20, 58, size=14)
    made = maker.save()
    data = annotated(made.data, [Mark(1, made.words[0].boxes)])
    with pikepdf.open(io.BytesIO(data)) as pdf:
        points = [float(value) for value in pdf.pages[0].obj["/Annots"][0].QuadPoints]
    # In the page's own space; the baseline is 40 under the top of what is seen, 11.2 are over and 2.8 under it.
    left, right = 20, 20 + 14 * sum(0.42 + 0.04 * (ord(letter) % 6) for letter in "first")
    wanted = [page.in_page(x, y) for y in (40 - 11.2, 40 + 2.8) for x in (left, right)]
    assert points == pytest.approx([value for point in wanted for value in point], abs=0.01)


@pytest.mark.parametrize("rotate", ROTATIONS)
def test_pymupdf_1484_and_zotero_mcp_381_media_box_off_its_origin(rotate: int) -> None:
    """The same page moved anywhere has the same fractions."""
    here = words(one_word(rotate, (0, 0, 300, 200), None))["Hagphl"]
    there = words(one_word(rotate, (-5000, 7000, -4700, 7200), None))["Hagphl"]
    assert there.boxes[0] == pytest.approx(here.boxes[0], abs=1e-4)


def test_pdfpig_1346_two_libraries_two_frames() -> None:
    """A mark is written by qpdf where PDFium read the word: in PDFium's picture of the copy it is over it."""
    made = one_word(90, (0, 0, 600, 600), (150, 250, 450, 450))
    data = annotated(made.data, [Mark(1, made.words[0].boxes)])
    with open_pdf(data, name="copy.pdf") as file:
        bitmap = render_page(file, 1, dpi=72, crop=None, limits=DEFAULT)
    tinted = [
        (x / bitmap.width, y / bitmap.height)
        for y in range(bitmap.height)
        for x in range(bitmap.width)
        if bitmap.data[3 * (y * bitmap.width + x) : 3 * (y * bitmap.width + x) + 3] == bytes((255, 241, 168))
    ]
    box = made.words[0].boxes[0]
    assert len(tinted) > 100
    assert all(box.x0 - 0.02 < x < box.x1 + 0.02 and box.y0 - 0.02 < y < box.y1 + 0.02 for x, y in tinted)


def test_highlighter_extended_27_one_box_in_four_corners() -> None:
    """A word that the reader sees at the top left is at the top left on all four kinds of page."""
    found = [words(one_word(rotate, (0, 0, 250, 250), None))["Hagphl"].boxes[0] for rotate in ROTATIONS]
    assert all(box == pytest.approx(found[0], abs=1e-4) for box in found)
    assert found[0][2] < 0.5
    assert found[0][3] < 0.5


def test_highlighter_315_rotation_is_of_each_page() -> None:
    """Pages of one file that are turned in different ways."""
    maker = PdfMaker()
    for rotate in (90, 0, 270, 0, 180):
        maker.page((0, 0, 300, 200), rotate=rotate).line("word", 40, 60)
    made = maker.save()
    for number in range(1, 6):
        (word,) = made.on_page(number)
        assert words(made, number)["word"].boxes[0] == pytest.approx(of(word.boxes[0]), abs=1e-4)


@pytest.mark.parametrize("kind", CROPPED)
@pytest.mark.parametrize("rotate", ROTATIONS)
def test_datagrunt_78_negative_values_on_turned_pages(kind: str, rotate: int) -> None:
    """Every number is 0 to 1."""
    for word in words(one_word(rotate, *CROPPED[kind], as_seen=False)).values():
        assert all(0 <= side <= 1 for box in word.boxes for side in box)
        assert all(area(box) > 0 for box in word.boxes)


@pytest.mark.parametrize("rotate", ROTATIONS)
def test_icdd_reviewer_14_picture_right_and_overlay_wrong(rotate: int) -> None:
    """The part of the page that a box names is the word: cut out of the image, it holds all of its ink."""
    made = one_word(rotate, *CROPPED["offset crop"])
    box = made.words[0].boxes[0]
    with open_pdf(made.data, name="made.pdf") as file:
        whole = gray(render_page(file, 1, dpi=144, crop=None, limits=DEFAULT))
        part = gray(render_page(file, 1, dpi=144, crop=box, limits=DEFAULT))
    assert (part < 128).sum() == (whole < 128).sum() > 0


@pytest.mark.parametrize("rotate", ROTATIONS)
def test_pymupdf_826_highlights_on_turned_pages_are_no_ellipses(rotate: int) -> None:
    """A mark is the rectangle of its line, as long and as high as the reader sees it."""
    made = one_word(rotate, (0, 0, 300, 200), None)
    with pikepdf.open(io.BytesIO(annotated(made.data, [Mark(1, made.words[0].boxes)]))) as pdf:
        points = [float(value) for value in pdf.pages[0].obj["/Annots"][0].QuadPoints]
    top_left, top_right, bottom_left, bottom_right = (points[at : at + 2] for at in (0, 2, 4, 6))
    # Six letters of Courier, 20 points: 72 long, 20 high.
    for one, other, length in (
        (top_left, top_right, 72),
        (bottom_left, bottom_right, 72),
        (top_left, bottom_left, 20),
        (top_right, bottom_right, 20),
    ):
        assert hypot(one[0] - other[0], one[1] - other[1]) == pytest.approx(length, abs=0.05)


@pytest.mark.parametrize("rotate", ROTATIONS)
def test_hypothesis_7024_and_beaver_60_a_page_that_is_turned_after_it_was_written(rotate: int) -> None:
    """Its boxes turn with it, and the frame says by how much: a viewer that turns the page turns them the same way."""
    (upright,) = read(one_word(0, *CROPPED["plain"])).layouts[0].lines
    document = read(one_word(rotate, *CROPPED["plain"], as_seen=False))
    (line,) = document.layouts[0].lines
    x0, y0, x1, y1 = of(upright.box)
    turned = {
        0: (x0, y0, x1, y1),
        90: (1 - y1, x0, 1 - y0, x1),
        180: (1 - x1, 1 - y1, 1 - x0, 1 - y0),
        270: (y0, 1 - x1, y1, 1 - x0),
    }[rotate]
    assert of(line.box) == pytest.approx(turned, abs=0.005)
    assert document.pages[0].rotation == rotate


@pytest.mark.parametrize("angle", [90, 180, 270, 45, 30, 200])
def test_playa_20_boxes_of_turned_glyphs_from_two_corners(angle: int) -> None:
    """All four corners count: the box is as wide and as high as the turned word."""
    maker = PdfMaker()
    maker.page().line("Hagphl", 150, 100, size=20, angle=angle, font="courier")
    made = maker.save()
    found = words(made)["Hagphl"]
    assert found.boxes[0] == pytest.approx(of(made.words[0].boxes[0]), abs=2e-3)


def test_dart_pdf_9_one_huge_box_for_slanted_writing() -> None:
    """A slanted line is boxed word by word: no box is as large as the line's."""
    maker = PdfMaker()
    maker.page((0, 0, 300, 300)).line("nine words that all go up across the page", 30, 260, angle=45)
    made = maker.save()
    document = read(made)
    boxes = boxes_of(document.layouts, 0, len(document.text))
    assert len(boxes) == 9
    assert max(area(of(box)) for box in boxes) < 0.02


@pytest.mark.parametrize("unit", [0.1, 2.5, 10, 72])
def test_pdfjs_19176_and_pdfstitcher_100_user_unit(unit: float) -> None:
    """Sizes are in points, images as large as the page is; fractions do not change."""
    maker = PdfMaker()
    maker.page((0, 0, 300 / unit, 200 / unit), unit=unit).line("word", 40 / unit, 60 / unit, size=20 / unit)
    made = maker.save()
    (frame,) = read(made).pages
    assert (frame.width, frame.height) == pytest.approx((300, 200), rel=1e-4)
    with open_pdf(made.data, name="made.pdf") as file:
        bitmap = render_page(file, 1, dpi=144, crop=None, limits=DEFAULT)
    assert (bitmap.width, bitmap.height) == (600, 400)
    # 40 points of 300 from the left; 16 over and 4 under a baseline that is 60 of 200 under the top.
    x0, y0, _, y1 = words(made)["word"].boxes[0]
    assert (x0, y0, y1) == pytest.approx((40 / 300, 44 / 200, 64 / 200), abs=1e-3)


def test_sumatrapdf_1806_a_highlight_on_the_page_before() -> None:
    """Each box names its page, and the same word on two pages has one there and one here."""
    maker = PdfMaker()
    for _ in range(3):
        maker.page().line("word", 40, 60)
    document = read(maker.save())
    assert [box.page for box in boxes_of(document.layouts, 0, len(document.text))] == [1, 2, 3]


def test_ocrmypdf_616_a_text_layer_that_does_not_sit_on_the_scan() -> None:
    """Unseen words over a picture are boxed where there is ink in it, and have no box where there is none."""
    maker = PdfMaker()
    page = maker.page((0, 0, 300, 200))
    page.scan(["Scanned words"], layer=True)
    page.line("astray", 40, 150, mode=3, seen=False)
    found = words(maker.save())
    assert found["Scanned"].boxes
    assert not found["astray"].boxes


def test_r2r_2184_and_xberg_1295_boxes_for_each_passage() -> None:
    """Every passage of a document has its boxes: page and fractions, line by line."""
    texts = (
        "Expenses over a hundred euros need approval in writing.",
        "Leave is asked for two weeks before it begins, or more.",
        "Keys are given back on the last day at work, all of them.",
    )
    maker = PdfMaker()
    for text in texts:
        maker.page().paragraph(text, 20, 40, width=150)
    document = read(maker.save())
    for number, text in enumerate(texts, 1):
        start = span(document, text[:20])
        boxes = boxes_of(document.layouts, start, start + len(text))
        assert {box.page for box in boxes} == {number}
        assert len(boxes) > 1
    passages = chunk(document, "d" * 8 + "-0000-4000-8000-" + "0" * 12)
    assert passages
    assert all(passage.boxes for passage in passages)


def test_librechat_15730_pages_begin_at_one() -> None:
    """Page 1 is 1, and is not dropped for being first."""
    document = read(two_pages())
    assert [page.number for page in document.pages] == [1, 2]
    assert document.locator(0, 3).page == 1


def labelled() -> Document:
    """Return four pages labelled iii, iv, 1 and 1."""
    maker = PdfMaker()
    for _ in range(4):
        maker.page().line("word", 40, 60)
    with pikepdf.open(io.BytesIO(maker.save().data)) as pdf:
        style = pikepdf.Dictionary
        pdf.Root.PageLabels = style(
            Nums=[0, style(S=pikepdf.Name.r, St=3), 2, style(S=pikepdf.Name.D), 3, style(S=pikepdf.Name.D)]
        )
        out = io.BytesIO()
        pdf.save(out)
    return PdfReader().read(out.getvalue(), name="made.pdf", limits=DEFAULT)


def test_zotero_integration_97_printed_labels_and_physical_pages() -> None:
    """Both are kept, and a label may repeat: it is no key."""
    assert [(page.number, page.label) for page in labelled().pages] == [
        (1, "iii"),
        (2, "iv"),
        (3, "1"),
        (4, "1"),
    ]


def test_koreader_4245_go_to_100_lands_on_77() -> None:
    """A place says its physical page, and the printed one beside it."""
    document = labelled()
    third = document.layouts[2]
    place = document.locator(third.start, third.end)
    assert (place.page, place.page_label) == (3, "1")


def test_cst_561_two_ends_two_pages_for_one_hit() -> None:
    """A hit that stands on page 2 alone is on page 2, though its paragraph began on page 1."""
    document = read(two_pages())
    start = span(document, "end of the page")
    assert document.locator(start, start + 3).page == 2
    assert [box.page for box in boxes_of(document.layouts, start, start + 3)] == [2]
