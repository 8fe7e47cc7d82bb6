"""The cited words are tinted, outlined and readable, and nothing else is touched."""

from __future__ import annotations

import io
import struct
from math import ceil, floor
from typing import Any, cast

import pytest
from PIL import Image

from pincite.core.errors import InputError, RenderError
from pincite.core.geometry import Box, PageFrame
from pincite.core.protocols import Bitmap, SourceFile
from pincite.showing import ImageFormat, ImageOptions, page_png
from pincite.showing.page_image import DARK_LINE, GLOW, LIGHT_LINE, TINT, draw_page

DOCUMENT = cast("SourceFile", None)
WIDTH, HEIGHT = 600, 800


class _Pages:
    """A renderer of pages of one colour, 600 by 800 points large, that remembers what it was asked for."""

    def __init__(self, colour: tuple[int, int, int] = (255, 255, 255)) -> None:
        self.colour = colour
        self.crop: Box | None = None

    def render(self, document: SourceFile, page: int, *, dpi: float, crop: Box | None = None) -> Bitmap:  # noqa: ARG002 - the protocol's
        self.crop = crop
        wide, high = round(WIDTH * dpi / 72), round(HEIGHT * dpi / 72)
        part = crop or Box(page, 0, 0, 1, 1)
        left, top = floor(part.x0 * wide), floor(part.y0 * high)
        width, height = ceil(part.x1 * wide) - left, ceil(part.y1 * high) - top
        if len(set(self.colour)) == 1:
            return Bitmap(width, height, "L", bytes(self.colour[:1]) * (width * height))
        return Bitmap(width, height, "RGB", bytes(self.colour) * (width * height))


class _Text(_Pages):
    """Pages with a letter, as a bar of three by nine pixels, at every tenth pixel of every row of text."""

    def __init__(self, colour: tuple[int, int, int], ink: tuple[int, int, int]) -> None:
        super().__init__(colour)
        self.ink = ink

    def render(self, document: SourceFile, page: int, *, dpi: float, crop: Box | None = None) -> Bitmap:
        plain = super().render(document, page, dpi=dpi, crop=crop)
        image = Image.frombytes(plain.mode, (plain.width, plain.height), plain.data).convert("RGB")
        for x in range(0, plain.width, 10):
            for y in range(0, plain.height, 12):
                image.paste(self.ink, (x, y, x + 3, y + 9))
        return Bitmap(plain.width, plain.height, "RGB", image.tobytes())


def _brightness(colour: tuple[int, int, int]) -> float:
    """Return the relative luminance of a colour, 0 to 1, as WCAG defines it."""
    parts = [value / 255 for value in colour]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    """Return the contrast of two colours, 1 to 21, as WCAG defines it."""
    low, high = sorted((_brightness(one), _brightness(other)))
    return (high + 0.05) / (low + 0.05)


def _image(png: bytes) -> Any:
    return Image.open(io.BytesIO(png)).convert("RGB")


def test_words_are_tinted_and_outlined() -> None:
    """Inside is the tint, around it a dark line at 197 to 198, beyond it the page: white stays white."""
    image = _image(page_png(_Pages(), DOCUMENT, 4, [Box(4, 0.25, 0.25, 0.75, 0.5)], dpi=72))
    assert image.getpixel((300, 300)) == TINT
    assert image.getpixel((300, 198)) == DARK_LINE
    assert image.getpixel((300, 190)) == (255, 255, 255)


def test_a_dark_page_has_a_light_line() -> None:
    """Black times anything is black, so the outer line adds light; the words glow."""
    image = _image(page_png(_Pages((0, 0, 0)), DOCUMENT, 4, [Box(4, 0.25, 0.25, 0.75, 0.5)], dpi=72))
    assert image.getpixel((300, 300)) == GLOW
    assert image.getpixel((300, 198)) == (0, 0, 0)
    assert image.getpixel((300, 197)) == LIGHT_LINE
    assert image.getpixel((300, 190)) == (0, 0, 0)


GROUNDS = [
    (255, 255, 255),
    (0, 0, 0),
    (255, 140, 0),
    (128, 128, 128),
    (214, 84, 0),
    (0, 0, 255),
    (255, 255, 0),
    (0, 128, 0),
    (90, 40, 30),
    DARK_LINE,
    LIGHT_LINE,
]


@pytest.mark.parametrize("ground", GROUNDS)
def test_the_outline_shows_on_any_ground(ground: tuple[int, int, int]) -> None:
    """One of the two lines, or the one against the other, stands out: contrast 2 at least, where 3 is a button's."""
    image = _image(page_png(_Pages(ground), DOCUMENT, 4, [Box(4, 0.25, 0.25, 0.75, 0.5)], dpi=72))
    across = [image.getpixel((300, y)) for y in range(190, 200)]
    assert max(_contrast(one, other) for one in across for other in across) >= 2
    # It is closed: the same on all four sides.
    for x, y in ((300, 197), (300, 402), (147, 300), (452, 300)):
        assert image.getpixel((x, y)) == image.getpixel((300, 197))


@pytest.mark.parametrize(
    ("ground", "ink"),
    [
        ((255, 255, 255), (0, 0, 0)),
        ((0, 0, 0), (255, 255, 255)),
        ((255, 140, 0), (0, 0, 0)),
        ((0, 0, 160), (255, 255, 255)),
        ((60, 60, 60), (230, 230, 230)),
    ],
)
def test_no_letter_is_hidden(ground: tuple[int, int, int], ink: tuple[int, int, int]) -> None:
    """Under the tint and under both lines, ink and ground still differ; under the tint they can be read (4.5)."""
    plain = _Text(ground, ink)
    bare = plain.render(DOCUMENT, 4, dpi=72)
    before = Image.frombytes("RGB", (bare.width, bare.height), bare.data)
    image = _image(page_png(plain, DOCUMENT, 4, [Box(4, 0.25, 0.25, 0.75, 0.5)], dpi=72))
    for y in (197, 198, 402, 401, 300):
        inked = [x for x in range(160, 440) if before.getpixel((x, y)) == ink]
        blank = [x for x in range(160, 440) if before.getpixel((x, y)) == ground]
        if not inked:
            continue
        least = min(
            _contrast(image.getpixel((a, y)), image.getpixel((b, y))) for a in inked[:9] for b in blank[:9]
        )
        assert least >= (4.5 if y == 300 else 1.25), y


def test_lines_of_one_block_have_one_outline() -> None:
    """Between two lines of a column there is no border."""
    lines = [Box(4, 0.25, 0.25, 0.75, 0.27), Box(4, 0.25, 0.276, 0.6, 0.296)]
    image = _image(page_png(_Pages(), DOCUMENT, 4, lines, dpi=72))
    column = [image.getpixel((300, y)) for y in range(204, 236)]
    assert DARK_LINE not in column
    assert set(column) == {TINT}


def test_a_wide_space_between_sentences_makes_no_notch() -> None:
    """Two pieces of a line, 16 pixels high and 18 apart, and a line under both: one outline, as of a block."""
    pieces = [
        Box(4, 0.25, 0.25, 0.45, 0.27),
        Box(4, 0.48, 0.25, 0.75, 0.27),
        Box(4, 0.25, 0.276, 0.75, 0.296),
    ]
    for boxes in (
        pieces,
        [pieces[1], pieces[0], pieces[2]],
    ):  # as they are read from left to right, and the other way
        image = _image(page_png(_Pages(), DOCUMENT, 4, boxes, dpi=72))
        inside = {image.getpixel((x, y)) for x in range(152, 448) for y in range(201, 236)}
        assert inside == {TINT}


def test_a_gutter_a_rule_and_a_word_between_two_pieces_part_them() -> None:
    """What is wider than a space, or holds something that is not lit, stays out of the outline."""
    far = [Box(4, 0.25, 0.25, 0.45, 0.27), Box(4, 0.5, 0.25, 0.75, 0.27)]  # 30 pixels of 16
    image = _image(page_png(_Pages(), DOCUMENT, 4, far, dpi=72))
    assert image.getpixel((285, 208)) == (255, 255, 255)
    near = [Box(4, 0.25, 0.25, 0.45, 0.27), Box(4, 0.48, 0.25, 0.75, 0.27)]
    image = _image(page_png(_Text((255, 255, 255), (0, 0, 0)), DOCUMENT, 4, near, dpi=72))
    # Between the lines of both, at 274 and 284, nothing is tinted: 276 is blank.
    assert image.getpixel((278, 208)) == (255, 255, 255)


def test_a_raised_mark_keeps_its_own_box() -> None:
    """A piece half as high as the other is no part of its line: the outline would stand over the line above."""
    boxes = [Box(4, 0.25, 0.25, 0.45, 0.27), Box(4, 0.46, 0.24, 0.48, 0.26)]
    image = _image(page_png(_Pages(), DOCUMENT, 4, boxes, dpi=72))
    assert image.getpixel((200, 194)) == (255, 255, 255)


def test_columns_are_never_joined() -> None:
    """Librera#971: the gutter between two columns stays white."""
    columns = [Box(4, 0.1, 0.8, 0.45, 0.82), Box(4, 0.55, 0.1, 0.9, 0.12)]
    image = _image(page_png(_Pages(), DOCUMENT, 4, columns, dpi=72))
    assert image.getpixel((300, 400)) == (255, 255, 255)


def test_boxes_of_other_pages_are_not_drawn() -> None:
    """A passage over a page break is lit on each page by its own boxes."""
    image = _image(page_png(_Pages(), DOCUMENT, 4, [Box(5, 0.25, 0.25, 0.75, 0.5)], dpi=72))
    assert image.getcolors() == [(WIDTH * HEIGHT, (255, 255, 255))]


def test_a_crop_is_the_region_and_a_margin() -> None:
    """The crop holds the box, a little around it, and not the page."""
    renderer = _Pages()
    image = _image(page_png(renderer, DOCUMENT, 4, [Box(4, 0.25, 0.25, 0.75, 0.5)], mode="crop", dpi=72))
    crop = renderer.crop
    assert crop is not None
    assert 0.15 < crop.x0 < 0.25
    assert 0.75 < crop.x1 < 0.85
    assert image.size[0] < WIDTH
    assert image.getpixel((image.size[0] // 2, image.size[1] // 2)) == TINT


def test_a_crops_margin_goes_by_the_pages_own_size() -> None:
    """28 points are 28/200 of a page of 200 points, and 28/2,000 of one of 2,000."""
    renderer = _Pages()
    box = Box(4, 0.4, 0.4, 0.6, 0.6)
    draw_page(renderer, DOCUMENT, 4, [box], ImageOptions("crop"), frame=PageFrame(4, 200, 2_000))
    assert renderer.crop is not None
    assert renderer.crop.x0 == pytest.approx(0.4 - 0.14)
    assert renderer.crop.y1 == pytest.approx(0.6 + 0.014)


def test_a_crop_of_two_columns_holds_both() -> None:
    """From the foot of one column to the head of the next: no word is cut off, and the gutter is not outlined."""
    renderer = _Pages()
    columns = [Box(4, 0.1, 0.8, 0.45, 0.82), Box(4, 0.55, 0.1, 0.9, 0.12)]
    image = _image(page_png(renderer, DOCUMENT, 4, columns, mode="crop", dpi=72))
    crop = renderer.crop
    assert crop is not None
    assert (crop.x0, crop.y0) < (0.1, 0.1)
    assert (crop.x1, crop.y1) > (0.9, 0.82)
    assert image.getpixel((image.size[0] // 2, image.size[1] // 2)) == (255, 255, 255)


@pytest.mark.parametrize("width", [64, 333, 1_000])
@pytest.mark.parametrize("mode", ["page", "crop"])
def test_the_image_is_as_wide_as_was_asked(width: int, mode: Any) -> None:
    """To the pixel, whole or cut out, in the middle or at the edge, and the words are lit where they are."""
    for box in (Box(4, 0.25, 0.25, 0.75, 0.5), Box(4, 0.9, 0.9, 1.0, 1.0), Box(4, 0.0, 0.0, 0.01, 0.01)):
        options = ImageOptions(mode, width=width)
        image = _image(draw_page(_Pages(), DOCUMENT, 4, [box], options, frame=PageFrame(4, WIDTH, HEIGHT)))
        assert image.size[0] == width
        assert TINT in [colour for _, colour in image.getcolors(1 << 20)]


@pytest.mark.parametrize(
    ("kind", "begins"), [("png", b"\x89PNG"), ("webp", b"RIFF"), ("jpeg", b"\xff\xd8\xff")]
)
def test_formats(kind: ImageFormat, begins: bytes) -> None:
    """Each is what it says, and holds nothing but pixels: no path, no title, no date, no program."""
    data = draw_page(_Pages(), DOCUMENT, 4, [Box(4, 0.1, 0.1, 0.2, 0.2)], ImageOptions(format=kind))
    assert data.startswith(begins)
    opened = Image.open(io.BytesIO(data))
    assert opened.format == kind.upper()
    assert not {"exif", "xmp", "icc_profile", "comment", "dpi", "Software"} & set(opened.info) - {"dpi"}


def test_a_crop_of_nothing_is_an_error() -> None:
    """A passage without a place has no crop."""
    with pytest.raises(RenderError, match="no place on the page"):
        page_png(_Pages(), DOCUMENT, 4, [], mode="crop")


def test_another_mode_is_an_error() -> None:
    """Asking for something else is not quietly a page."""
    with pytest.raises(InputError, match="`mode` is page or crop"):
        page_png(_Pages(), DOCUMENT, 4, [], mode=cast("Any", "corp"))


def test_a_box_at_the_edge_stays_on_the_page() -> None:
    """docling-core#643: boxes outside are clamped, and drawing them raises nothing."""
    boxes = [Box(4, -0.2, -0.2, 0.1, 0.1), Box(4, 0.9, 0.9, 1.5, 1.5), Box(4, 2, 2, 3, 3)]
    assert _image(page_png(_Pages(), DOCUMENT, 4, boxes, dpi=72)).size == (WIDTH, HEIGHT)


def test_the_png_says_nothing_but_its_pixels() -> None:
    """No path, title or query in the file: it has a head, pixels and an end, and no other chunk."""
    png = page_png(_Pages(), DOCUMENT, 4, [Box(4, 0.1, 0.1, 0.2, 0.2)], dpi=72)
    assert Image.open(io.BytesIO(png)).info == {}
    chunks: set[bytes] = set()
    at = 8
    while at < len(png):
        (size,) = struct.unpack(">I", png[at : at + 4])
        chunks.add(png[at + 4 : at + 8])
        at += 12 + size
    assert chunks == {b"IHDR", b"IDAT", b"IEND"}


@pytest.mark.parametrize(
    ("size", "options", "dpi"),
    [
        ((10.0, 10.0), ImageOptions(), 1440.0),
        ((10.0, 20.0), ImageOptions(), 1440.0),
        ((96.0, 500.0), ImageOptions(), 150.0),
        ((3.0, 3000.0), ImageOptions(), 150.0),
        ((20.0, 720.0), ImageOptions(), 400.0),
        ((10.0, 10.0), ImageOptions(dpi=72), 72.0),
        ((10.0, 10.0), ImageOptions(width=10), 72.0),
    ],
)
def test_a_tiny_page_can_be_seen(size: tuple[float, float], options: ImageOptions, dpi: float) -> None:
    """200 pixels on the shorter side, as far as 4,000 on the longer one allow; what is asked for goes before."""
    asked: list[float] = []

    class Tiny:
        def render(self, document: SourceFile, page: int, *, dpi: float, crop: Box | None = None) -> Bitmap:  # noqa: ARG002 - the protocol's
            asked.append(dpi)
            return Bitmap(1, 1, "L", b"a")

    draw_page(Tiny(), DOCUMENT, 1, (), options, frame=PageFrame(1, *size))
    assert asked == pytest.approx([dpi])
