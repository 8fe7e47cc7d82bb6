"""Images are of the page as the reader sees it, at the size that was asked for or the largest allowed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.core.errors import ReadingError, RenderError
from pincite.core.geometry import Box
from pincite.core.limits import DEFAULT
from pincite.reading.pdf import PdfReader, open_pdf, render_page

PAGE = "/MediaBox [0 0 600 800]"
BLACK = "0 0 0 rg 60 720 120 40 re f"


def draw(data: bytes, **options: Any) -> Any:
    """Draw page 1."""
    chosen: dict[str, Any] = {"dpi": 72, "crop": None, "limits": DEFAULT, **options}
    with open_pdf(data, name="test.pdf") as file:
        return render_page(file, 1, **chosen)


def pixel(bitmap: Any, x: int, y: int) -> tuple[int, ...]:
    """Return one pixel."""
    step = len(bitmap.mode)
    place = step * (y * bitmap.width + x)
    return tuple(bitmap.data[place : place + step])


def test_dots_an_inch_are_what_they_say(make_pdf: Any) -> None:
    """A page of 600 points is 600 pixels wide at 72 dots an inch and 1250 at 150; top left is the first pixel."""
    data = make_pdf((BLACK, PAGE))
    small, large = draw(data), draw(data, dpi=150)
    assert (small.width, small.height, len(small.data)) == (600, 800, 600 * 800)
    assert (large.width, large.height) == (1250, 1667)
    assert [pixel(small, *at) for at in ((0, 0), (59, 60), (61, 41), (178, 78), (181, 60))] == [
        (255,), (255,), (0,), (0,), (255,)
    ]  # fmt: skip


def test_user_unit_makes_the_image_larger(make_pdf: Any) -> None:
    """A page of 60 by 80 units of 10 points is as large as one of 600 by 800 points."""
    bitmap = draw(make_pdf(("6 72 12 4 re f", "/MediaBox [0 0 60 80] /UserUnit 10")))
    assert (bitmap.width, bitmap.height) == (600, 800)
    assert pixel(bitmap, 120, 60) == (0,)


def test_colour_is_red_green_blue(make_pdf: Any) -> None:
    """A page with one coloured thing is RGB; its paper is white."""
    bitmap = draw(make_pdf(("1 0 0 rg 60 720 120 40 re f 0 0 1 rg 60 600 10 10 re f", PAGE)))
    assert bitmap.mode == "RGB"
    assert len(bitmap.data) == 3 * 600 * 800
    assert [pixel(bitmap, *at) for at in ((100, 60), (65, 195), (0, 0))] == [
        (255, 0, 0), (0, 0, 255), (255, 255, 255)
    ]  # fmt: skip


def test_colour_between_the_sampled_rows_is_seen(make_pdf: Any) -> None:
    """A red line of one pixel in height is not lost when grey is decided by samples first."""
    assert draw(make_pdf(("1 0 0 rg 60 722 120 1 re f", PAGE))).mode == "RGB"


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_crop_is_that_part_of_the_page(make_pdf: Any, rotation: int) -> None:
    """The crop's pixels are the page's, to the pixel, in the page's own scale."""
    data = make_pdf((BLACK + " 1 0 0 rg 300 300 100 50 re f", f"{PAGE} /Rotate {rotation}"))
    whole = draw(data, dpi=144)
    crop = Box(1, 0.25, 0.125, 0.75, 0.5)
    part = draw(data, dpi=144, crop=crop)
    assert (part.width, part.height) == (whole.width // 2, whole.height * 3 // 8)
    assert whole.mode == "RGB"
    left, top = whole.width // 4, whole.height // 8
    step = len(part.mode)
    for row in range(0, part.height, 7):
        own = part.data[row * part.width * step : (row + 1) * part.width * step]
        start = 3 * ((top + row) * whole.width + left)
        theirs = whole.data[start : start + 3 * part.width]
        assert own == (theirs if step == 3 else theirs[::3])


def test_a_crop_over_the_edge_is_cut(make_pdf: Any) -> None:
    """What lies off the page is no part of the image."""
    bitmap = draw(make_pdf((BLACK, PAGE)), crop=Box(1, -0.5, 0.9, 0.5, 1.5))
    assert (bitmap.width, bitmap.height) == (300, 80)


@pytest.mark.parametrize("size", ["10 10", "5000 5", "14400 14400"])
def test_pixels_are_clamped_and_never_none(make_pdf: Any, size: str) -> None:
    """However large the page and the scale, an image has at most the pixels allowed, and at least one."""
    limits = replace(DEFAULT, image_pixels=10_000)
    bitmap = draw(make_pdf(("", f"/MediaBox [0 0 {size}]")), dpi=1200, limits=limits)
    assert 1 <= bitmap.width * bitmap.height <= 10_000
    tiny = draw(make_pdf(("", "/MediaBox [0 0 1 1]")), dpi=1)
    assert (tiny.width, tiny.height) == (1, 1)


def test_a_crop_may_have_all_the_pixels(make_pdf: Any) -> None:
    """A small part is drawn at full scale though the page at that scale would be too large."""
    limits = replace(DEFAULT, image_pixels=100_000)
    bitmap = draw(make_pdf(("", PAGE)), dpi=720, limits=limits, crop=Box(1, 0.4, 0.4, 0.44, 0.43))
    assert (bitmap.width, bitmap.height) == (240, 240)


@pytest.mark.parametrize(
    ("number", "options", "field"),
    [
        (0, {}, "page"),
        (2, {}, "page"),
        (1, {"dpi": 0}, "dpi"),
        (1, {"crop": Box(1, 1.1, 0, 1.2, 1)}, "crop"),
        (1, {"crop": Box(1, 0.5, 0.5, 0.5, 0.6)}, "crop"),
    ],
)
def test_what_has_no_image_is_said(make_pdf: Any, number: int, options: dict[str, Any], field: str) -> None:
    """There is no page 0, no part outside the page, no image without a dot."""
    chosen: dict[str, Any] = {"dpi": 72, "crop": None, "limits": DEFAULT, **options}
    with open_pdf(make_pdf((BLACK, PAGE)), name="test.pdf") as file, pytest.raises(RenderError) as caught:
        render_page(file, number, **chosen)
    assert caught.value.field == field


SIDES = st.one_of(
    st.integers(-1000, 2000),
    st.floats(-1e4, 1e4),
    st.sampled_from([0, 1e-6, -1e-6, 0.5, 1e9, -1e9, 1e12, 32767, 16383.5]),
)
BOXES = st.tuples(SIDES, SIDES, SIDES, SIDES)


@settings(max_examples=60)
@given(
    media=st.one_of(st.none(), BOXES),
    cropped=st.one_of(st.none(), BOXES),
    rotation=st.sampled_from([0, 90, 180, 270, -90, 45, 1e9]),
    unit=st.sampled_from([None, 1, 72, 0.001, 0, -3, 1e9]),
    part=st.one_of(st.none(), st.tuples(*[st.floats(-0.5, 1.5)] * 4)),
    dpi=st.sampled_from([0.01, 1, 72, 150, 1e9]),
)
def test_no_page_is_too_odd_to_be_drawn_or_refused(
    make_pdf: Any, media: Any, cropped: Any, rotation: float, unit: Any, part: Any, dpi: float
) -> None:
    """Whatever its boxes, turn and unit: an image of at most the pixels allowed, or an error of ours."""
    entries = [f"/Rotate {rotation:.0f}"]
    for name, box in (("MediaBox", media), ("CropBox", cropped)):
        if box is not None:
            entries.append(f"/{name} [{' '.join(f'{side:.6f}' for side in box)}]")
    if unit is not None:
        entries.append(f"/UserUnit {unit}")
    data = make_pdf(("BT /F 20 Tf 50 50 Td (word) Tj ET", " ".join(entries)))
    limits = replace(DEFAULT, image_pixels=40_000)
    crop = None if part is None else Box(1, *part)
    try:
        bitmap = draw(data, dpi=dpi, limits=limits, crop=crop)
    except RenderError:
        return
    assert 1 <= bitmap.width * bitmap.height <= 40_000
    assert len(bitmap.data) == bitmap.width * bitmap.height * len(bitmap.mode)
    try:
        layouts = PdfReader().read(data, name="odd.pdf", limits=DEFAULT).layouts
    except ReadingError:
        return
    for box in (line.box for layout in layouts for line in layout.lines):
        assert 0 <= box.x0 <= box.x1 <= 1
        assert 0 <= box.y0 <= box.y1 <= 1


def test_a_crop_that_misses_its_page_is_drawn_as_if_there_were_none(make_pdf: Any) -> None:
    """As browsers do; pypdfium2 calls it "Crop exceeds page dimensions"."""
    whole = draw(make_pdf((BLACK, PAGE)))
    missed = draw(make_pdf((BLACK, f"{PAGE} /CropBox [900 900 1000 1000]")))
    assert (missed.width, missed.height, missed.data) == (whole.width, whole.height, whole.data)
