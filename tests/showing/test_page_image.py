"""The cited words are tinted, outlined and readable, and nothing else is touched."""

from __future__ import annotations

import io
from typing import Any, cast

import pytest
from PIL import Image

from pincite.core.errors import InputError, RenderError
from pincite.core.geometry import Box
from pincite.core.protocols import Bitmap, SourceFile
from pincite.showing import page_png
from pincite.showing.page_image import OUTLINE, TINT

DOCUMENT = cast("SourceFile", None)
WIDTH, HEIGHT = 600, 800


class _White:
    """A renderer of white pages that remembers what it was asked for."""

    def __init__(self) -> None:
        self.crop: Box | None = None

    def render(self, document: SourceFile, page: int, *, dpi: int, crop: Box | None = None) -> Bitmap:  # noqa: ARG002 - the protocol's
        self.crop = crop
        across = 1.0 if crop is None else crop.x1 - crop.x0
        down = 1.0 if crop is None else crop.y1 - crop.y0
        width, height = round(WIDTH * across), round(HEIGHT * down)
        return Bitmap(width, height, "L", b"\xff" * (width * height))


def _image(png: bytes) -> Any:
    return Image.open(io.BytesIO(png)).convert("RGB")


def test_words_are_tinted_and_outlined() -> None:
    """Inside is the tint, around it the line, beyond it the page."""
    image = _image(page_png(_White(), DOCUMENT, 4, [Box(4, 0.25, 0.25, 0.75, 0.5)], dpi=72))
    assert image.getpixel((300, 300)) == TINT
    assert image.getpixel((300, 197)) == OUTLINE
    assert image.getpixel((300, 190)) == (255, 255, 255)


def test_black_stays_black_under_the_tint() -> None:
    """Cited words stay readable."""

    class _Black(_White):
        def render(self, document: SourceFile, page: int, *, dpi: int, crop: Box | None = None) -> Bitmap:
            white = super().render(document, page, dpi=dpi, crop=crop)
            return Bitmap(white.width, white.height, "L", bytes(white.width * white.height))

    image = _image(page_png(_Black(), DOCUMENT, 4, [Box(4, 0.25, 0.25, 0.75, 0.5)], dpi=72))
    assert image.getpixel((300, 300)) == (0, 0, 0)


def test_lines_of_one_block_have_one_outline() -> None:
    """Between two lines of a column there is no border."""
    lines = [Box(4, 0.25, 0.25, 0.75, 0.27), Box(4, 0.25, 0.276, 0.6, 0.296)]
    image = _image(page_png(_White(), DOCUMENT, 4, lines, dpi=72))
    column = [image.getpixel((300, y)) for y in range(204, 236)]
    assert OUTLINE not in column


def test_columns_are_never_joined() -> None:
    """Librera#971: the gutter between two columns stays white."""
    columns = [Box(4, 0.1, 0.8, 0.45, 0.82), Box(4, 0.55, 0.1, 0.9, 0.12)]
    image = _image(page_png(_White(), DOCUMENT, 4, columns, dpi=72))
    assert image.getpixel((300, 400)) == (255, 255, 255)


def test_boxes_of_other_pages_are_not_drawn() -> None:
    """A passage over a page break is lit on each page by its own boxes."""
    image = _image(page_png(_White(), DOCUMENT, 4, [Box(5, 0.25, 0.25, 0.75, 0.5)], dpi=72))
    assert image.getcolors() == [(WIDTH * HEIGHT, (255, 255, 255))]


def test_a_crop_is_the_region_and_a_margin() -> None:
    """The crop holds the box, a little around it, and not the page."""
    renderer = _White()
    image = _image(page_png(renderer, DOCUMENT, 4, [Box(4, 0.25, 0.25, 0.75, 0.5)], mode="crop", dpi=72))
    crop = renderer.crop
    assert crop is not None
    assert 0.15 < crop.x0 < 0.25
    assert 0.75 < crop.x1 < 0.85
    assert image.size[0] < WIDTH
    assert image.getpixel((image.size[0] // 2, image.size[1] // 2)) == TINT


def test_a_crop_of_nothing_is_an_error() -> None:
    """A passage without a place has no crop."""
    with pytest.raises(RenderError, match="no place on the page"):
        page_png(_White(), DOCUMENT, 4, [], mode="crop")


def test_another_mode_is_an_error() -> None:
    """Asking for something else is not quietly a page."""
    with pytest.raises(InputError, match="`mode` is page or crop"):
        page_png(_White(), DOCUMENT, 4, [], mode=cast("Any", "corp"))


def test_a_box_at_the_edge_stays_on_the_page() -> None:
    """docling-core#643: boxes outside are clamped, and drawing them raises nothing."""
    boxes = [Box(4, -0.2, -0.2, 0.1, 0.1), Box(4, 0.9, 0.9, 1.5, 1.5), Box(4, 2, 2, 3, 3)]
    assert _image(page_png(_White(), DOCUMENT, 4, boxes, dpi=72)).size == (WIDTH, HEIGHT)


def test_the_png_says_nothing_but_its_pixels() -> None:
    """No path, title or query in the file's metadata."""
    png = page_png(_White(), DOCUMENT, 4, [Box(4, 0.1, 0.1, 0.2, 0.2)], dpi=72)
    assert Image.open(io.BytesIO(png)).info == {}
