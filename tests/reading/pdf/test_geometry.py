"""A word's box is where its ink is, on every kind of page, and where arithmetic says that it is."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from pincite.core.limits import DEFAULT
from pincite.reading.pdf import PdfReader, open_pdf, page_layout, render_page

if TYPE_CHECKING:
    from pincite.core.document import Document
    from pincite.core.geometry import Box
    from pincite.core.protocols import Bitmap

X, Y, SIZE, WORD = 150.0, 330.0, 20.0, "Hagphl"
WIDTH = len(WORD) * 0.6 * SIZE

# What the page says, and the rectangle that a reader sees of it: left, bottom, right, top.
BOXES: dict[str, tuple[str, tuple[float, float, float, float]]] = {
    "plain": ("/MediaBox [0 0 612 792]", (0, 0, 612, 792)),
    "crop": ("/MediaBox [0 0 612 792] /CropBox [100 200 500 600]", (100, 200, 500, 600)),
    "origin": ("/MediaBox [50 -80 550 720]", (50, -80, 550, 720)),
    "origin and crop": ("/MediaBox [50 -80 550 720] /CropBox [140 300 400 500]", (140, 300, 400, 500)),
    "crop larger than media": ("/MediaBox [0 0 612 792] /CropBox [-100 -100 900 900]", (0, 0, 612, 792)),
    "crop partly outside": ("/MediaBox [0 0 612 792] /CropBox [100 -50 900 600]", (100, 0, 612, 600)),
    "media upside down": ("/MediaBox [612 792 0 0]", (0, 0, 612, 792)),
    "user unit": ("/MediaBox [0 0 612 792] /UserUnit 2", (0, 0, 612, 792)),
}
ROTATIONS = (0, 90, 180, 270, -90, 450)


def seen(visible: tuple[float, float, float, float], rotation: int) -> tuple[float, float, float, float]:
    """Return the word's box by arithmetic: fractions of the visible box, then turned clockwise."""
    left, bottom, right, top = visible
    x0, x1 = ((x - left) / (right - left) for x in (X, X + WIDTH))
    y0, y1 = ((top - y) / (top - bottom) for y in (Y + 0.8 * SIZE, Y - 0.2 * SIZE))
    return {
        0: (x0, y0, x1, y1),
        90: (1 - y1, x0, 1 - y0, x1),
        180: (1 - x1, 1 - y1, 1 - x0, 1 - y0),
        270: (y0, 1 - x1, y1, 1 - x0),
    }[rotation % 360]


def inked(bitmap: Bitmap) -> tuple[float, float, float, float]:
    """Return the box of what is darker than paper, as fractions of the image."""
    step = len(bitmap.mode)
    rows = [
        bitmap.data[row * bitmap.width * step : (row + 1) * bitmap.width * step]
        for row in range(bitmap.height)
    ]
    dark_rows = [i for i, row in enumerate(rows) if min(row) < 128]
    columns = [i for row in (rows[j] for j in dark_rows) for i, value in enumerate(row) if value < 128]
    return (
        min(columns) // step / bitmap.width,
        dark_rows[0] / bitmap.height,
        (max(columns) // step + 1) / bitmap.width,
        (dark_rows[-1] + 1) / bitmap.height,
    )


def read(data: bytes) -> Document:
    """Read a PDF in this process."""
    return PdfReader().read(data, name="test.pdf", limits=DEFAULT)


def sides(box: Box) -> tuple[float, float, float, float]:
    """Return the numbers of a box."""
    return box.x0, box.y0, box.x1, box.y1


@pytest.mark.parametrize(("kind", "rotation"), list(product(BOXES, ROTATIONS)))
def test_box_is_where_arithmetic_and_ink_say(make_pdf: Any, kind: str, rotation: int) -> None:
    """CropBox larger than MediaBox uses the intersection; origin, crop and rotation move the box with the ink."""
    entries, visible = BOXES[kind]
    data = make_pdf((f"BT /F {SIZE} Tf {X} {Y} Td ({WORD}) Tj ET", f"{entries} /Rotate {rotation}"))
    document = read(data)
    assert document.text == WORD
    (line,) = document.layouts[0].lines
    assert sides(line.box) == pytest.approx(seen(visible, rotation), abs=2e-4)
    with open_pdf(data, name="test.pdf") as file:
        ink = inked(render_page(file, 1, dpi=144, crop=None, limits=DEFAULT))
    box, pixel = sides(line.box), 0.006
    assert box[0] - pixel <= ink[0]
    assert box[1] - pixel <= ink[1]
    assert ink[2] <= box[2] + pixel
    assert ink[3] <= box[3] + pixel
    # And the ink fills most of it: Hagphl has letters that go down and that go up.
    assert (ink[2] - ink[0]) * (ink[3] - ink[1]) > 0.5 * (box[2] - box[0]) * (box[3] - box[1])


def test_frame_is_the_page_as_the_reader_sees_it(make_pdf: Any) -> None:
    """Rotation is per page; width and height are after it, and in points whatever the user unit."""
    word = "BT /F 20 Tf 150 330 Td (word) Tj ET"
    document = read(
        make_pdf(
            (word, "/MediaBox [0 0 612 792]"),
            (word, "/MediaBox [0 0 612 792] /Rotate 90"),
            (word, "/MediaBox [0 0 612 792] /CropBox [100 200 500 600] /Rotate 270"),
            (word, "/MediaBox [0 0 300 400] /UserUnit 2.5"),
        )
    )
    frames = [(f.number, f.width, f.height, f.rotation) for f in document.pages]
    assert frames == [(1, 612, 792, 0), (2, 792, 612, 90), (3, 400, 400, 270), (4, 750, 1000, 0)]


def test_page_numbers_begin_at_one(make_pdf: Any) -> None:
    """The first page is 1 in frames, layouts and boxes; the empty second one has its place too."""
    word = "BT /F 20 Tf 150 330 Td (word) Tj ET"
    page = "/MediaBox [0 0 612 792]"
    document = read(make_pdf((word, page), ("", page), (word, page)))
    assert [frame.number for frame in document.pages] == [1, 2, 3]
    assert [layout.page for layout in document.layouts] == [1, 2, 3]
    assert [line.box.page for layout in document.layouts for line in layout.lines] == [1, 3]
    assert document.locator(0, 4).page == 1
    assert document.locator(5, 9).page == 3


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_all_four_corners_of_turned_writing_count(make_pdf: Any, degrees: int) -> None:
    """Text that its own matrix turns has its box round the ink, not between two corners."""
    cos, sin = {90: (0, 1), 180: (-1, 0), 270: (0, -1)}[degrees]
    data = make_pdf(
        (f"BT /F {SIZE} Tf {cos} {sin} {-sin} {cos} 300 400 Tm ({WORD}) Tj ET", "/MediaBox [0 0 612 792]")
    )
    document = read(data)
    (line,) = document.layouts[0].lines
    along, up, down = WIDTH, 0.8 * SIZE, 0.2 * SIZE
    corners = [(a * cos - b * sin, a * sin + b * cos) for a in (0, along) for b in (up, -down)]
    xs, ys = zip(*corners, strict=True)
    expected = (
        (300 + min(xs)) / 612,
        (792 - 400 - max(ys)) / 792,
        (300 + max(xs)) / 612,
        (792 - 400 - min(ys)) / 792,
    )
    assert sides(line.box) == pytest.approx(expected, abs=2e-4)


def test_slanted_writing_is_boxed_word_by_word(make_pdf: Any) -> None:
    """A line at 45 degrees is not one huge upright box."""
    data = make_pdf(
        (
            "BT /F 10 Tf .7071 .7071 -.7071 .7071 100 100 Tm (four words going up) Tj ET",
            "/MediaBox [0 0 612 792]",
        )
    )
    document = read(data)
    lines = document.layouts[0].lines
    assert [document.text[line.start : line.end] for line in lines] == ["four", "words", "going", "up"]
    assert all(line.box.x1 - line.box.x0 < 0.06 for line in lines)


def test_glyph_boxes_follow_the_code_points(make_pdf: Any) -> None:
    """Four fractions a code point: the i-th letter stands 0.6 em after the one before; a line end has no width."""
    data = make_pdf(("BT /F 20 Tf 100 700 Td (abc) Tj 0 -30 Td (de) Tj ET", "/MediaBox [0 0 612 792]"))
    with open_pdf(data, name="test.pdf") as file:
        text, layout = page_layout(file, 1)
    assert text in {"abc\nde", "abc\n\nde"}
    assert layout.glyphs is not None
    assert len(layout.glyphs) == 4 * len(text)
    for letter, (x, baseline) in {
        "a": (100, 700),
        "b": (112, 700),
        "c": (124, 700),
        "d": (100, 670),
        "e": (112, 670),
    }.items():
        glyph = layout.glyphs[4 * text.index(letter) : 4 * text.index(letter) + 4]
        wanted = (x / 612, (792 - baseline - 16) / 792, (x + 12) / 612, (792 - baseline + 4) / 792)
        assert list(glyph) == pytest.approx(wanted, abs=2e-4)
    end = layout.glyphs[4 * text.index("\n") : 4 * text.index("\n") + 4]
    assert end[2] <= end[0]


def test_a_far_origin_loses_no_precision(make_pdf: Any) -> None:
    """A page a hundred thousand points from the origin still has its word where it is, as far as its floats can say."""
    far = 100_000
    data = make_pdf(
        (
            f"BT /F {SIZE} Tf {far + 150} {far + 330} Td ({WORD}) Tj ET",
            f"/MediaBox [{far} {far} {far + 612} {far + 792}]",
        )
    )
    (line,) = read(data).layouts[0].lines
    assert sides(line.box) == pytest.approx(seen((0, 0, 612, 792), 0), abs=1e-3)
