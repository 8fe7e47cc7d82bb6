"""What parent and worker say to one another is framed, checked, and holds every field of a document."""

from __future__ import annotations

import io
import json
import struct
from array import array
from dataclasses import fields, replace
from typing import Any

import pytest

from pincite.core.bibliography import Author, Bibliography
from pincite.core.document import Document, Doubt, Flag, Heading, Region
from pincite.core.geometry import Box, PageFrame
from pincite.core.ids import version_of
from pincite.core.layout import LineFragment, PageLayout
from pincite.core.locators import Locator
from pincite.reading._wire import (
    WireError,
    answered,
    pack_document,
    pack_layouts,
    pack_part,
    receive,
    send,
    unpack_bitmap,
    unpack_copy,
    unpack_document,
    unpack_layout,
    unpack_part,
)
from pincite.reading.reader import PagePart

TEXT = "Zwölf 𝔸\nlines"
DOCUMENT = Document(
    text=TEXT,
    version=version_of(TEXT),
    title="Ti\ntle",
    media_type="application/pdf",
    reader="pdf/1",
    outline=(Heading("Zwölf", 1, 0), Heading("lines", 2, 8)),
    pages=(PageFrame(1, 612.5, 792.0, 90, "iv"), PageFrame(2, 10.0, 20.0, ocr=True)),
    layouts=(
        PageLayout(1, 0, 7, (LineFragment(0, 7, Box(1, 0.1, 0.2, 0.3, 0.4)),), array("f", range(28))),
        PageLayout(2, 8, 13, (LineFragment(8, 13, Box(2, 0.0, 0.5, 1.0, 0.75)),), None, b"xyz"),
    ),
    flags=(Flag(None, "all"), Flag(2, "two")),
    line_numbers=(3, 4),
    bibliography=Bibliography(author=(Author("Zwölf", "Ada"), Author(literal="All")), doi="10.1000/182"),
    regions=(
        Region(0, 7, Locator(sheet="Prices"), (4, "B", "F")),
        Region(8, 13, Locator(time=1.5, time_end=2.0)),
    ),
    doubts=(Doubt(8, 13, "white on white"),),
    url="https://example.org/a",
)


def test_a_document_comes_back_with_every_field() -> None:
    """A field that is added to `Document` and not sent fails here."""
    empty = Document(text="", version="", title="", media_type="", reader="")
    same = [f.name for f in fields(Document) if getattr(DOCUMENT, f.name) == getattr(empty, f.name)]
    assert same == [], "give the new field a value in DOCUMENT"
    message, blobs = pack_document(DOCUMENT)
    assert unpack_document(json.loads(json.dumps(message)), b"".join(blobs)) == DOCUMENT


def test_the_version_is_not_the_workers_to_say() -> None:
    """It is made from the text again."""
    message, blobs = pack_document(DOCUMENT)
    text = b"".join(blobs)
    assert unpack_document({**message, "version": "0" * 16}, text).version == version_of(TEXT)


def test_pages_that_were_sent_ahead_are_put_together_again() -> None:
    """What stands between two pages belongs to the later one, and offsets are those of the document."""
    second = DOCUMENT.layouts[1]
    lines = tuple(replace(line, start=line.start - 8, end=line.end - 8) for line in second.lines)
    own = replace(second, start=0, end=5, lines=lines)
    parts: list[tuple[str, PageLayout]] = []
    for part in (PagePart("", "Zwölf 𝔸", DOCUMENT.layouts[0]), PagePart("\n", "lines", own)):
        message, blobs = pack_part(part)
        length = sum(len(text) for text, _ in parts)
        parts.append(unpack_part(json.loads(json.dumps(message)), b"".join(blobs), length))
    assert parts == [("Zwölf 𝔸", DOCUMENT.layouts[0]), ("\nlines", second)]
    message, blobs = pack_document(replace(DOCUMENT, text="", layouts=()))
    assert unpack_document(message, b"".join(blobs), parts) == DOCUMENT


def test_a_page_that_is_longer_than_its_text_is_refused() -> None:
    """A worker that counts wrongly is not to be trusted."""
    message, blobs = pack_part(PagePart("", "lines", DOCUMENT.layouts[0]))
    with pytest.raises(WireError):
        unpack_part(message, b"".join(blobs), 0)


@pytest.mark.parametrize(
    "place",
    [
        {"page": "4"},
        {"sheet": "\ud800"},
        {"sheet": []},
        {"time": "1"},
        {"time": float("inf")},
        {"nothing": 1},
    ],
)
def test_a_place_that_is_none_is_refused(place: dict[str, Any]) -> None:
    """A locator from a worker holds words and numbers, each where it belongs."""
    message, blobs = pack_document(DOCUMENT)
    with pytest.raises(WireError):
        unpack_document({**message, "regions": [[0, 1, place, None]]}, b"".join(blobs))


LIES: list[dict[str, Any]] = [
    {"regions": [[0, 1, [], None]]},
    {"layouts": [[]]},
    {"pages": [[1, 10**400, 1, 0, None, False]]},
    {"outline": 7},
    {"outline": [["b", 1, 8], ["a", 1, 0]]},
    {"outline": [["a", 0, 0]]},
    {"regions": [[8, 13, {}, None], [0, 7, {}, None]]},
    {"regions": [[0, 9, {}, None], [8, 13, {}, None]]},
    {"regions": [[7, 0, {}, None]]},
    {"regions": [[0, 7, {}, [1, "A" * 9, "B"]]]},
    {"regions": [[0, 7, {}, [1, "a", "B"]]]},
    {"doubts": [[8, 13, "x"], [0, 7, "y"]]},
    {"doubts": [[0, 9, "x"], [8, 13, "y"]]},
    {"doubts": [[13, 8, "x"]]},
    {"pages": [[1, 1.0, 1.0, 0, None, False], [1, 1.0, 1.0, 0, None, False], [2, 1.0, 1.0, 0, None, False]]},
    {"pages": [[2, 1.0, 1.0, 0, None, False], [1, 1.0, 1.0, 0, None, False]]},
    {"pages": [[1, 1.0, 1.0, 0, None, False]]},
    {"pages": [[1, 0, 1.0, 0, None, False], [2, 1.0, 1.0, 0, None, False]]},
    {"pages": [[1, 1.0, -1.0, 0, None, False], [2, 1.0, 1.0, 0, None, False]]},
    {"pages": [[1, 1.0, 1.0, 45, None, False], [2, 1.0, 1.0, 0, None, False]]},
    {"pages": [[True, 1.0, 1.0, 0, None, False], [2, 1.0, 1.0, 0, None, False]]},
    {"layouts": [[2, 0, 7, 1, 1, 0], [1, 8, 13, 1, 0, 3]]},
    {"layouts": [[1, 0, 7, 1, 1, 0], [1, 8, 13, 1, 0, 3]]},
    {"layouts": [[1, 0, 7, 1, 1, 0], [2, 8, 12, 1, 0, 3]]},
    {"layouts": [[1, 0, 7, 1, 0, 0], [2, 8, 13, 1, 0, 3]]},
    {"layouts": [[1, 0, 7, 1, 1, 0], [2, 8, 13, 1, 0, 1 << 40]]},
    {"layouts": [[1, 0, 7, 1, 1, 3], [2, 8, 13, 1, 0, 1]]},
    {"media_type": "x" * 256},
    {"reader": "x" * 256},
    {"bibliography": {"DOI": "none"}},
]
"""What a message may hold that no worker of ours sends."""


@pytest.mark.parametrize("odd", LIES)
def test_what_a_lying_worker_says_is_an_error_of_the_wire(odd: dict[str, Any]) -> None:
    """Whatever the message holds, and nothing else comes out of it."""
    message, blobs = pack_document(DOCUMENT)
    with pytest.raises(WireError):
        unpack_document({**message, **odd}, b"".join(blobs))


def test_a_layout_comes_back() -> None:
    """Text and boxes of one page, starting at 0."""
    layout = DOCUMENT.layouts[0]
    message, blobs = pack_layouts([layout])
    text = TEXT[:7].encode()
    assert unpack_layout({"text": len(text), **message}, b"".join([text, *blobs])) == (TEXT[:7], layout)


def test_frames_follow_one_another() -> None:
    """Each is read to its end and no further."""
    stream = io.BytesIO()
    send(stream, {"a": 1}, b"one", b"two")
    send(stream, {"b": [None, "é"]})
    stream.seek(0)
    assert receive(stream, 6) == ({"a": 1}, b"onetwo")
    assert receive(stream, 0) == ({"b": [None, "é"]}, b"")
    with pytest.raises(WireError, match="ended"):
        receive(stream, 0)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0\0\0",
        struct.pack(">IQ", 5, 0) + b"{}",
        struct.pack(">IQ", 2, 0) + b"[]",
        struct.pack(">IQ", 2, 0) + b"{]",
        struct.pack(">IQ", 2, 1 << 60) + b"{}",
        struct.pack(">IQ", 0xFFFFFFFF, 0) + b"{}",
        struct.pack(">IQ", 100_000, 0) + b"[" * 100_000,
    ],
)
def test_what_is_no_frame_is_refused(data: bytes) -> None:
    """Cut off, too large, no JSON, no object, nested without end: one error, no memory taken before it."""
    with pytest.raises(WireError):
        receive(io.BytesIO(data), 1 << 20)


@pytest.mark.parametrize(
    "change",
    [
        {"text": 10_000},
        {"text": -1},
        {"text": "4"},
        {"text": 3},
        {"title": None},
        {"title": "\ud800"},
        {"outline": [["x", 1, 10_000]]},
        {"outline": [["x", 1]]},
        {"outline": None},
        {"pages": [[1, float("nan"), 1.0, 0, None]]},
        {"pages": [[1, 1.0, 1.0, 100_000, None]]},
        {"flags": [["one", "reason"]]},
        {"layouts": [[1, 0, 7, 1, 1, 0], [2, 8, 13, 10_000_000, 0, 3]]},
        {"layouts": [[1, 0, 7, 1, 1, 0], [2, 8, 10_000, 1, 0, 3]]},
        {"layouts": [[1, 7, 0, 1, 1, 0], [2, 8, 13, 1, 0, 3]]},
        {"layouts": [[1, 0, 7, 1, 1, 0], [2, 0, 13, 1, 1, 3]]},
        {"line_numbers": [-1]},
        {"line_numbers": "12"},
    ],
)
def test_what_is_no_document_is_refused(change: dict[str, Any]) -> None:
    """A worker that a file has taken over cannot make a document with offsets outside its text."""
    message, blobs = pack_document(DOCUMENT)
    with pytest.raises(WireError):
        unpack_document({**message, **change}, b"".join(blobs))


def test_boxes_that_are_no_numbers_are_refused() -> None:
    """NaN would spread through every union of boxes."""
    message, blobs = pack_document(DOCUMENT)
    blobs[2] = array("d", [float("nan")] * 8).tobytes()
    with pytest.raises(WireError):
        unpack_document(message, b"".join(blobs))


@pytest.mark.parametrize(
    "spans",
    [
        [0, 7, 13, 8],
        [0, 7, 8, 8],
        [0, 9, 8, 13],
        [0, 8, 8, 13],
        [7, 0, 8, 13],
        [8, 13, 0, 7],
    ],
)
def test_lines_out_of_order_are_refused(spans: list[int]) -> None:
    """Each holds something of its own page, and begins where the one before it ends or later."""
    message, blobs = pack_document(DOCUMENT)
    blobs[1] = array("q", spans).tobytes()
    with pytest.raises(WireError):
        unpack_document(message, b"".join(blobs))


def test_glyphs_that_are_no_numbers_are_refused() -> None:
    """As boxes of lines are."""
    message, blobs = pack_document(DOCUMENT)
    blobs[3] = array("f", [float("inf")] * 28).tobytes()
    with pytest.raises(WireError):
        unpack_document(message, b"".join(blobs))


def test_a_packed_layout_is_no_larger_than_its_page() -> None:
    """25 bytes a code point and 64 for the page; what is more is no packed layout."""
    layout = replace(DOCUMENT.layouts[0], packed=b"x" * (64 + 25 * 7))
    text = TEXT[:7].encode()
    message, blobs = pack_layouts([layout])
    assert unpack_layout({"text": len(text), **message}, b"".join([text, *blobs]))[1] == layout
    message, blobs = pack_layouts([replace(layout, packed=layout.packed + b"x")])
    with pytest.raises(WireError):
        unpack_layout({"text": len(text), **message}, b"".join([text, *blobs]))


@pytest.mark.parametrize(
    "message",
    [
        {"message": "\ud800"},
        {"kind": "document", "bibliography": {"publisher": "a\udfff"}},
        {"a": [{"b": {"\udcff": 1}}]},
    ],
)
def test_half_of_a_character_is_refused_wherever_it_stands(message: dict[str, Any]) -> None:
    """Errors, titles, names: what cannot be written as UTF-8 would break whoever shows or stores it."""
    stream = io.BytesIO()
    send(stream, message)
    stream.seek(0)
    with pytest.raises(WireError, match="no text"):
        answered(stream, 0)


def test_whole_characters_are_taken_as_they_are() -> None:
    """One beyond the first plane is two escapes, and a backslash before `ud800` is a backslash."""
    stream = io.BytesIO()
    send(stream, {"a": "𝔸", "b": "C:\\ud800"}, b"x")
    stream.seek(0)
    assert answered(stream, 1) == ({"a": "𝔸", "b": "C:\\ud800"}, b"x")


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"width": 2, "height": 1, "mode": "L"},
        {"width": 1, "height": 1, "mode": "RGBA"},
        {"width": 1, "height": 1, "mode": []},
        {"width": 0, "height": 1, "mode": "RGB"},
        {"width": True, "height": 1, "mode": "RGB"},
        {"width": "1", "height": 1, "mode": "RGB"},
    ],
)
def test_what_is_no_image_is_refused(message: dict[str, Any]) -> None:
    """Three bytes are one pixel of three colours, and nothing else."""
    assert unpack_bitmap({"width": 1, "height": 1, "mode": "RGB"}, b"abc").data == b"abc"
    with pytest.raises(WireError):
        unpack_bitmap(message, b"abc")


@pytest.mark.parametrize(("kind", "blob"), [("bitmap", b"%PDF-1.7"), ("annotated", b"MZ"), (None, b"")])
def test_what_is_no_marked_copy_is_refused(kind: str | None, blob: bytes) -> None:
    """It is written to a file of the caller's."""
    assert unpack_copy({"kind": "annotated"}, b"%PDF-1.7") == b"%PDF-1.7"
    with pytest.raises(WireError):
        unpack_copy({"kind": kind}, blob)
