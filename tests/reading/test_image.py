"""Pictures as documents: each format, its size and orientation, hostile ones, and what is said without OCR."""

from __future__ import annotations

import io
import struct
import zlib
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PIL import Image

from ocr_pictures import RULES, drawn, overlap
from pincite.core.errors import DamagedError, EmptyError, TooLargeError, UnsupportedError
from pincite.core.limits import DEFAULT
from pincite.reading import ReadingPool, ocr
from pincite.reading._ocr_lines import OcrLine
from pincite.reading.image import ImageReader
from pincite.reading.reader import media_type_of

PROSE = "\n".join(RULES)
FORMATS = ("PNG", "JPEG", "TIFF", "WEBP", "BMP", "GIF")


class Fake:
    """An engine that reads one line over the left half of each picture, and keeps the pictures."""

    name = "fake"

    def __init__(self) -> None:
        self.pictures: list[Any] = []

    def read(self, picture: Any, *, until: float) -> list[OcrLine]:
        """Return the line."""
        assert until > 0
        self.pictures.append(picture)
        height, width = picture.shape[:2]
        corners = np.array([[0.0, 0.4], [0.5, 0.4], [0.5, 0.6], [0.0, 0.6]]) * [width, height]
        steps = np.arange(6) / 5
        return [
            OcrLine(
                f"word{len(self.pictures)}", 0.99, corners, np.stack((steps[:-1], steps[1:]), 1), height / 5
            )
        ]


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Fake:
    """The engine of this test."""
    engine = Fake()
    monkeypatch.setattr(ocr, "engine", lambda: engine)
    return engine


def saved(image: Image.Image, kind: str = "PNG", **options: Any) -> bytes:
    """Return an image's file."""
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def grey(width: int = 40, height: int = 20) -> Image.Image:
    """Return a picture that is black on the left and white on the right."""
    pixels = np.full((height, width), 255, np.uint8)
    pixels[:, : width // 2] = 0
    return Image.fromarray(pixels)


def read(data: bytes, name: str = "scan.png", limits: Any = DEFAULT) -> Any:
    """Read a picture in this process."""
    return ImageReader().read(data, name=name, limits=limits)


def test_a_picture_is_read_in_its_worker_and_placed() -> None:
    """Text, size by its dots an inch, and boxes where the words are; it says that it was read by OCR."""
    picture = drawn()
    with ReadingPool(replace(DEFAULT, workers=1)) as pool:
        document = pool.read(picture.saved(dpi=(100, 100)), name="photo of rules.png")
    assert document.text == PROSE
    assert document.media_type == "image/png"
    assert document.title == "photo of rules"
    (frame,) = document.pages
    assert (round(frame.width), round(frame.height), frame.ocr) == (400, 110, True)
    assert [(flag.page, flag.reason) for flag in document.flags] == [(1, ocr.READ)]
    assert len(document.layouts[0].lines) == 3
    first = document.layouts[0].lines[0].box
    words = [box for _, box in picture.words[: len(RULES[0].split())]]
    whole = (min(b[0] for b in words), words[0][1], max(b[2] for b in words), words[0][3])
    assert overlap((first.x0, first.y0, first.x1, first.y1), whole) > 0.8


@pytest.mark.parametrize("kind", FORMATS)
def test_a_format_is_known_by_its_bytes(fake: Fake, kind: str) -> None:
    """Whatever the file is called."""
    data = saved(grey(), kind)
    assert media_type_of("notes.txt", data) == f"image/{kind.lower()}"
    document = read(data)
    assert document.text == "word1"
    assert document.media_type == f"image/{kind.lower()}"
    assert fake.pictures[0].shape == (20, 40, 3)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "I;16", "I", "F"])
def test_every_kind_of_pixels_is_seen_as_it_looks(fake: Fake, mode: str) -> None:
    """Black is black and white is white; what can be seen through lies on white paper."""
    if mode == "I;16":
        image = Image.fromarray((np.asarray(grey()).astype(np.uint16) * 257).astype(np.uint16))
    else:
        image = grey().convert(mode)
    kind = "TIFF" if mode in ("CMYK", "F", "I") else "PNG"
    read(saved(image, kind))
    picture = fake.pictures[0]
    assert (picture[:, :18] < 20).all()
    assert (picture[:, 22:] > 235).all()


def test_a_clear_ground_is_white_paper(fake: Fake) -> None:
    """Programs save drawings so; laid on black, black words would be lost."""
    image = Image.new("RGBA", (40, 20), (0, 0, 0, 0))
    read(saved(image))
    assert (fake.pictures[0] == 255).all()


def test_pages_of_a_tiff_are_pages(fake: Fake) -> None:
    """One frame is one page, each of its own size."""
    data = saved(grey(), "TIFF", save_all=True, append_images=[grey(80, 20), grey()], dpi=(144, 144))
    document = read(data, "fax.tif")
    assert [(frame.number, frame.width) for frame in document.pages] == [(1, 20.0), (2, 40.0), (3, 20.0)]
    assert document.text.split() == ["word1", "word2", "word3"]
    assert [document.locator(i, i + 4).page for i in (0, document.text.index("word3"))] == [1, 3]
    assert len(fake.pictures) == 3


def test_a_moving_picture_is_one_page(fake: Fake) -> None:
    """Frames of a GIF follow one another in time."""
    data = saved(grey(), "GIF", save_all=True, append_images=[grey().rotate(180)], duration=100)
    assert len(read(data).pages) == 1
    assert len(fake.pictures) == 1


@pytest.mark.parametrize(("dpi", "width"), [(None, 40.0), ((144, 144), 20.0), ((1, 1), 40.0), ((0, 0), 40.0)])
def test_the_page_is_as_large_as_the_picture_says(fake: Fake, dpi: Any, width: float) -> None:
    """72 dots an inch where it says none, or what cannot be."""
    document = read(saved(grey(), **({} if dpi is None else {"dpi": dpi})))
    assert document.pages[0].width == pytest.approx(width, abs=0.05)
    assert fake.pictures


def test_dots_that_are_not_square_are_drawn_out(fake: Fake) -> None:
    """A fax has twice as many across as down: the page is not twice as wide."""
    document = read(saved(grey(), "TIFF", dpi=(200, 100)))
    assert (document.pages[0].width, document.pages[0].height) == (pytest.approx(14.4), pytest.approx(14.4))
    rows, columns = fake.pictures[0].shape[:2]
    assert rows == columns


def test_a_cameras_orientation_is_applied(fake: Fake) -> None:
    """A picture that was taken with the camera on its side (6: turn it clockwise) is seen upright."""
    exif = Image.Exif()
    exif[0x0112] = 6
    upright = grey()
    document = read(saved(upright.rotate(90, expand=True), "JPEG", exif=exif, quality=95))
    assert (document.pages[0].width, document.pages[0].height) == (40.0, 20.0)
    assert (fake.pictures[0][:, :17] < 60).all()
    assert fake.pictures[0].shape == (20, 40, 3)


def test_a_large_picture_is_made_small_before_it_is_read(fake: Fake) -> None:
    """Boxes are fractions, so nothing else changes."""
    read(saved(grey(400, 200)), limits=replace(DEFAULT, ocr_pixels=20_000))
    assert fake.pictures[0].shape == (100, 200, 3)


def test_a_picture_with_too_many_pixels_is_refused_before_it_is_unpacked(fake: Fake) -> None:
    """Its header says how many; a few bytes may say 10,000,000,000."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", 100_000, 100_000, 8, 0, 0, 0, 0)
    bomb = (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(b"\0" * 1000))
        + chunk(b"IEND", b"")
    )
    with pytest.raises(TooLargeError):
        read(bomb)
    with pytest.raises(TooLargeError, match="799"):
        read(saved(grey()), limits=replace(DEFAULT, scan_pixels=799))
    assert not fake.pictures


@pytest.mark.parametrize("kind", FORMATS)
def test_half_a_picture_is_damaged(fake: Fake, kind: str) -> None:
    """It is never read as if the rest of it were empty paper."""
    rng = np.random.default_rng(3)
    data = saved(Image.fromarray(rng.integers(0, 255, (60, 60, 3), np.uint8)), kind)
    with pytest.raises(DamagedError):
        read(data[: len(data) // 2])
    assert not fake.pictures


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n",
        b"\xff\xd8\xff\xe0",
        b"II*\0\x08\0\0\0",
        b"GIF89a",
        b"BM" + bytes(20),
        b"\x89PNG\0",
    ],
)
def test_a_beginning_alone_is_damaged(data: bytes) -> None:
    """Bytes that promise a picture and hold none."""
    # By their bytes, or by their name where not even these are whole.
    assert media_type_of("a.png", data).startswith("image/")
    with pytest.raises(DamagedError):
        read(data)


def test_one_bad_page_does_not_lose_the_others(fake: Fake) -> None:
    """The second page's strip lies beyond the end of the file."""
    data = bytearray(saved(grey(), "TIFF", save_all=True, append_images=[grey(), grey()]))
    first = struct.unpack_from("<I", data, 4)[0]
    count = struct.unpack_from("<H", data, first)[0]
    second = struct.unpack_from("<I", data, first + 2 + 12 * count)[0]
    for entry in range(second + 2, second + 2 + 12 * struct.unpack_from("<H", data, second)[0], 12):
        if struct.unpack_from("<H", data, entry)[0] == 273:  # StripOffsets
            struct.pack_into("<I", data, entry + 8, 0x7FFFFFF0)
    document = read(bytes(data), "fax.tif")
    assert document.text.split() == ["word1", "word2"]
    assert [page.ocr for page in document.pages] == [True, False, True]
    assert [flag.page for flag in document.flags if flag.reason.startswith("damaged")] == [2]
    assert len(fake.pictures) == 2


def test_a_page_that_stops_the_engine_does_not_lose_the_others(
    fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a model's engine raises, it costs one page."""
    plain = fake.read

    def stops(picture: Any, *, until: float) -> list[OcrLine]:
        found = plain(picture, until=until)
        if len(fake.pictures) == 1:
            msg = "out of memory"
            raise RuntimeError(msg)
        return found

    monkeypatch.setattr(fake, "read", stops)
    document = read(saved(grey(), "TIFF", save_all=True, append_images=[grey()]))
    assert document.text == "word2"
    assert [flag.reason for flag in document.flags if flag.page == 1] == [
        "left out: it stopped OCR (RuntimeError)"
    ]


def test_more_pages_than_are_allowed(fake: Fake) -> None:
    """They are counted before any is unpacked."""
    data = saved(grey(), "TIFF", save_all=True, append_images=[grey(), grey()])
    with pytest.raises(TooLargeError):
        read(data, limits=replace(DEFAULT, pages=2))
    assert not fake.pictures


def test_without_an_engine_it_is_unsupported(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence names the command."""
    monkeypatch.setattr(ocr, "engine", lambda: None)
    with pytest.raises(UnsupportedError, match=r"pip install 'pincite\[ocr\]'"):
        read(saved(grey()))


def test_a_picture_without_words_is_empty() -> None:
    """Blank paper, read for real."""
    with pytest.raises(EmptyError):
        read(saved(Image.new("L", (200, 100), 255)))
