"""What is painted over words later hides them; what is painted before them, or lets them through, does not."""

from __future__ import annotations

from typing import Any

import pytest

from pincite.core.limits import DEFAULT
from pincite.reading.pdf import PdfReader
from pincite.reading.pdf.visibility import COVERED

PAGE = "/MediaBox [0 0 612 792]"
PLAIN = "plain words that everybody sees"
VISIBLE = f"BT /F 20 Tf 72 700 Td ({PLAIN}) Tj ET\n"
AT = "72 600 Td (secret orders) Tj ET"


def read(data: bytes) -> Any:
    """Read a PDF in this process."""
    return PdfReader().read(data, name="test.pdf", limits=DEFAULT)


def lit(document: Any) -> list[str]:
    """Return the text of the lines that have a box."""
    return [document.text[line.start : line.end] for line in document.layouts[0].lines]


def stream(entries: str, body: bytes) -> bytes:
    """Return the external object that `/X Do` draws."""
    return b"<< /Type /XObject %s /Length %d >>\nstream\n%s\nendstream" % (entries.encode(), len(body), body)


def image(*greys: int) -> bytes:
    """Return a picture of so many grey stripes side by side."""
    entries = f"/Subtype /Image /Width {len(greys)} /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8"
    return stream(entries, bytes(greys))


WRITTEN = f"BT /F 20 Tf {AT}\n"
BOX = "60 580 300 50 re"
"""A rectangle over the words of `AT`: their boxes reach from about 596 to 620."""


@pytest.mark.parametrize(
    "painted",
    [
        f"0 g {BOX} f",
        f"1 g {BOX} f",
        "1 g 60 580 m 360 580 l 360 630 l 60 630 l h f",
        f"0 g {BOX} f 1 g BT /F 20 Tf 72 600 Td (XXXXXXXXX) Tj ET",
        f"1 g {BOX} f 0 g BT /F 20 Tf 72 600 Td (other words) Tj ET",
        "q 50 500 500 200 re W n 0 g 60 580 300 50 re f Q",
        "q 2 0 0 2 0 0 cm 0 g 30 290 150 25 re f Q",
    ],
    ids=[
        "black",
        "white",
        "drawn by its sides",
        "a label on it",
        "written anew on it",
        "clipped wider",
        "scaled",
    ],
)
def test_what_is_painted_over_is_in_doubt(make_pdf: Any, painted: str) -> None:
    """A redaction or a white area that comes after the words hides them, whatever stands on it then."""
    document = read(make_pdf((f"{VISIBLE} {WRITTEN} {painted}", PAGE)))
    start = document.text.index("secret orders")
    assert document.layouts[0].boxes(start, start + 13) == []
    assert (start, start + 13, COVERED) in [(d.start, d.end, d.reason) for d in document.doubts]
    assert PLAIN in lit(document)


@pytest.mark.parametrize(
    "page",
    [
        f"1 1 0 rg {BOX} f 0 g {WRITTEN}",
        f"{WRITTEN} q /Multiply gs 1 1 0 rg {BOX} f Q",
        f"{WRITTEN} q /Half gs 1 1 0 rg {BOX} f Q",
        f"{WRITTEN} 0 G {BOX} S",
        f"{WRITTEN} 0 g 60 606 300 3 re f",
        f"{WRITTEN} q 60 100 10 10 re W n 0 g {BOX} f Q",
        f"{WRITTEN} 0 g 60 580 m 360 580 l 60 585 l h f",
        f"0 0 1 rg {BOX} f BT /F 20 Tf 1 0 0 1 72 600 Tm 1 g (secret orders) Tj ET 0 g 400 600 50 50 re f",
    ],
    ids=[
        "before",
        "multiply",
        "half",
        "a frame",
        "struck out",
        "clipped away",
        "a triangle",
        "white on blue",
    ],
)
def test_what_lets_words_be_seen_hides_none(make_pdf: Any, page: str) -> None:
    """A marker's yellow before the words or blended with them, a frame, a line through them, an area elsewhere."""
    states = ">> /ExtGState << /Multiply << /BM /Multiply >> /Half << /ca .5 >>"
    document = read(make_pdf((page, PAGE), fonts=states))
    assert lit(document) == ["secret orders"]
    assert document.doubts == ()


def test_half_a_line_under_a_redaction(make_pdf: Any) -> None:
    """Only the covered letters are in doubt: those beside the area keep their boxes."""
    document = read(make_pdf((f"{VISIBLE} {WRITTEN} 0 g 60 580 84 50 re f", PAGE)))
    start = document.text.index("secret")
    doubted = [(d.start, d.end) for d in document.doubts]
    assert doubted == [(start, start + 6)]
    assert "orders" in lit(document)[1]


@pytest.mark.parametrize(
    ("drawn", "placed", "seen"),
    [
        (image(0), "300 0 0 50 60 580", False),
        (image(255), "300 0 0 50 60 580", False),
        (image(*[0, 255] * 30), "300 0 0 50 60 580", True),
        (image(0), "300 0 0 50 60 100", True),
        (stream("/Subtype /Form /BBox [0 0 612 792]", f"0 g {BOX} f".encode()), "1 0 0 1 0 0", False),
        (stream("/Subtype /Form /BBox [0 0 612 590]", f"0 g {BOX} f".encode()), "1 0 0 1 0 0", True),
        (stream("/Subtype /Form /BBox [0 0 612 792]", f"0 g {BOX} f".encode()), "1 0 0 1 0 -200", True),
    ],
    ids=[
        "black",
        "white",
        "a scan of words",
        "elsewhere",
        "a form",
        "a form that ends below",
        "a form elsewhere",
    ],
)
def test_pictures_and_forms_over_words(make_pdf: Any, *, drawn: bytes, placed: str, seen: bool) -> None:
    """A picture hides what is under it, but one with ink there may show the very words: a scan over its own text."""
    document = read(make_pdf((f"{VISIBLE} {WRITTEN} q {placed} cm /X Do Q", PAGE), objects=(drawn,)))
    assert ("secret orders" in lit(document)) is seen
    assert [(document.text[d.start : d.end], d.reason) for d in document.doubts] == (
        [] if seen else [("secret orders", COVERED)]
    )


def test_words_drawn_again_over_their_area_are_seen(make_pdf: Any) -> None:
    """The same words before and after an area are one text, and seen: those that came later are the ones to see."""
    page = f"{WRITTEN} 1 1 0 rg {BOX} f 0 g {WRITTEN}"
    document = read(make_pdf((page, PAGE)))
    assert lit(document) == ["secret orders"]
    assert document.doubts == ()
