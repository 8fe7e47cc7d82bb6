"""What the parent and its reading workers say to one another.

A frame is eight bytes, two big-endian lengths, then a JSON object of the first length and raw bytes of the second.
Nothing that came from a worker is ever unpickled or evaluated: it has read hostile bytes.

The worker says `{"kind": "ready"}` once. The parent sends one job at a time:

- `{"job": "read", "name", "media_type", "limits", "skip"}` with the file's bytes;
- `{"job": "render", "path", "hash", "limits", "page", "dpi", "crop"}`;
- `{"job": "layout", "path", "hash", "limits", "page", "text"}`.

The worker answers with any number of `{"kind": "page", "page", "pages"}` and of `{"kind": "part", ...}`, as
`pack_part` lays a page out, and then one of

- `{"kind": "document", ...}`, `{"kind": "layout", ...}` as `pack_document` and `pack_layouts` lay them out;
- `{"kind": "bitmap", "width", "height", "mode"}` with the pixels;
- `{"kind": "error", "code", "message", "extra"}`.

It ends when its input does.
"""

from __future__ import annotations

import json
import re
import struct
import sys
from array import array
from itertools import chain
from math import isfinite
from operator import eq, ge, gt
from typing import TYPE_CHECKING, Any, cast

from pincite.core.bibliography import Bibliography
from pincite.core.document import Document, Doubt, Flag, Heading, Region
from pincite.core.geometry import Box, PageFrame
from pincite.core.ids import version_of
from pincite.core.layout import LineFragment, PageLayout
from pincite.core.locators import Locator
from pincite.core.protocols import Bitmap
from pincite.core.urls import safe_link

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import BinaryIO

    from pincite.reading.reader import PagePart

_HEAD = struct.Struct(">IQ")

MOST_JSON = 256 * 1024 * 1024
"""Bytes of a frame's JSON, at most."""

_ODD = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError)
"""What comes of a message that is none."""

# An escape that may be half of a character: linear, fixed length.
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
# The letters of a column: linear, a bounded run.
_COLUMN = re.compile(r"[A-Z]{1,8}")

_TURNS = (0, 90, 180, 270)
"""Degrees by which a page may be turned."""

_LONGEST_SIDE = 1e15
"""Points of a page's side, at most."""

_PACKED_LEAST, _PACKED = 64, 25
"""Bytes of a packed layout, at most: whatever its text, and for each code point of it."""

_LONGEST_NAME = 255
"""Code points of a media type or a reader's name, at most: what their columns hold."""


class WireError(Exception):
    """The other side has ended, or says something that this protocol does not know."""


def send(stream: BinaryIO, message: dict[str, Any], *blobs: bytes | memoryview) -> None:
    """Write one frame; the blobs follow one another."""
    head = json.dumps(message, separators=(",", ":"), allow_nan=False).encode()
    stream.write(_HEAD.pack(len(head), sum(len(blob) for blob in blobs)))
    stream.write(head)
    stream.writelines(blobs)
    stream.flush()


def receive(stream: BinaryIO, most: int) -> tuple[dict[str, Any], bytes]:
    """Read one frame with at most `most` bytes after its JSON.

    Raises:
        WireError: the stream has ended, or this is no frame.
    """
    return _received(stream, most)[1:]


def answered(stream: BinaryIO, most: int) -> tuple[dict[str, Any], bytes]:
    """Read one frame of a worker as `receive` does; no string in it has half of a character.

    Raises:
        WireError: the stream has ended, this is no frame, or a string in it cannot be written as UTF-8.
    """
    head, message, blob = _received(stream, most)
    if _SURROGATE.search(head):
        try:
            json.dumps(message, ensure_ascii=False).encode()
        except (ValueError, RecursionError) as error:
            msg = "A frame holds a string that is no text."
            raise WireError(msg) from error
    return message, blob


def _received(stream: BinaryIO, most: int) -> tuple[bytes, dict[str, Any], bytes]:
    json_size, blob_size = _HEAD.unpack(_exactly(stream, _HEAD.size))
    if json_size > MOST_JSON or blob_size > most:
        msg = "A frame is larger than is allowed."
        raise WireError(msg)
    head = _exactly(stream, json_size)
    try:
        message = json.loads(head)
    except (ValueError, RecursionError) as error:
        msg = "A frame holds no JSON."
        raise WireError(msg) from error
    if not isinstance(message, dict):
        msg = "A frame holds no object."
        raise WireError(msg)
    return head, cast("dict[str, Any]", message), _exactly(stream, blob_size)


def _exactly(stream: BinaryIO, size: int) -> bytes:
    data = stream.read(size) if size else b""
    if len(data) != size:
        msg = "The stream has ended."
        raise WireError(msg)
    return data


def pack_document(document: Document) -> tuple[dict[str, Any], list[bytes]]:
    """Return a document as JSON and blobs: its text in UTF-8, then what `pack_layouts` gives."""
    text = document.text.encode()
    layouts, blobs = pack_layouts(document.layouts)
    message = {
        "kind": "document",
        "text": len(text),
        "title": document.title,
        "media_type": document.media_type,
        "reader": document.reader,
        "outline": [[heading.title, heading.level, heading.start] for heading in document.outline],
        "pages": [[p.number, p.width, p.height, p.rotation, p.label, p.ocr] for p in document.pages],
        "flags": [[flag.page, flag.reason] for flag in document.flags],
        "line_numbers": document.line_numbers,
        "bibliography": document.bibliography.as_dict(),
        "regions": [[r.start, r.end, r.locator.as_dict(), r.rows] for r in document.regions],
        "doubts": [[doubt.start, doubt.end, doubt.reason] for doubt in document.doubts],
        "url": document.url,
        **layouts,
    }
    return message, [text, *blobs]


def pack_part(part: PagePart) -> tuple[dict[str, Any], list[bytes]]:
    """Return a page of a document that is still being read as JSON and blobs, as `pack_document` does."""
    text = part.text.encode()
    layouts, blobs = pack_layouts([part.layout])
    return {"kind": "part", "between": part.between, "text": len(text), **layouts}, [text, *blobs]


def unpack_part(message: dict[str, Any], blob: bytes, offset: int) -> tuple[str, PageLayout]:
    """Build the text that a page adds and its layout in the document from what `pack_part` made.

    `offset` is the length of the text before it, in code points.

    Raises:
        WireError: it is not what `pack_part` makes.
    """
    try:
        size = _whole(message["text"], len(blob))
        between, text = _string(message["between"]), blob[:size].decode()
        (layout,) = _layouts(message, memoryview(blob)[size:], len(text), offset + len(between))
    except _ODD as error:
        msg = "A worker sent something that is no page."
        raise WireError(msg) from error
    return between + text, layout


def unpack_document(
    message: dict[str, Any], blob: bytes, parts: Sequence[tuple[str, PageLayout]] = ()
) -> Document:
    """Build a document from what `pack_document` made, and from the pages (`unpack_part`) that came before it.

    Every number in it is checked: each is in range, and what stands in order in a document does so here.

    Raises:
        WireError: it is not what `pack_document` makes.
    """
    try:
        size = _whole(message["text"], len(blob))
        text = "".join(text for text, _ in parts) if parts else blob[:size].decode()
        length = len(text)
        document = Document(
            text=text,
            version=version_of(text),
            title=_string(message["title"]),
            media_type=_name(message["media_type"]),
            reader=_name(message["reader"]),
            outline=tuple(
                Heading(_string(title), _whole(level, 1 << 16, 1), _whole(start, length))
                for title, level, start in message["outline"]
            ),
            pages=tuple(_frame(*row) for row in message["pages"]),
            flags=tuple(
                Flag(None if page is None else _whole(page, 1 << 31), _string(reason))
                for page, reason in message["flags"]
            ),
            layouts=tuple(layout for _, layout in parts)
            or _layouts(message, memoryview(blob)[size:], length),
            line_numbers=_line_numbers(message["line_numbers"]),
            bibliography=Bibliography.from_dict(message["bibliography"]),
            regions=tuple(_region(row, length) for row in message["regions"]),
            doubts=tuple(
                Doubt(_whole(start, length), _whole(end, length), _string(reason))
                for start, end, reason in message["doubts"]
            ),
            url=safe_link(_string(message["url"])) if message["url"] is not None else None,
        )
        _check_order(document)
    except _ODD as error:
        msg = "A worker sent something that is no document."
        raise WireError(msg) from error
    return document


def _check_order(document: Document) -> None:
    """Check that what stands in order in a document does.

    Raises:
        ValueError: it does not.
    """
    _check_rising(heading.start for heading in document.outline)
    for parts in (document.regions, document.doubts, document.layouts):
        _check_rising(chain.from_iterable((part.start, part.end) for part in parts))
    numbers = [frame.number for frame in document.pages]
    laid = [layout.page for layout in document.layouts]
    _check_rising(numbers, strictly=True)
    _check_rising(laid, strictly=True)
    if not set(numbers).issuperset(laid):
        raise ValueError


def _check_rising(values: Iterable[int], *, strictly: bool = False) -> None:
    """Check that none of the values is smaller than the one before it; `strictly`, that none is the same either.

    Raises:
        ValueError: one is.
    """
    found = list(values)
    if any(map(ge if strictly else gt, found, found[1:])):
        raise ValueError


def pack_layouts(layouts: Sequence[PageLayout]) -> tuple[dict[str, Any], list[bytes]]:
    """Return layouts as JSON and blobs: spans of the lines, boxes of the lines, boxes of the glyphs, what is packed.

    `layouts` holds page, start, end, number of lines, whether glyphs are kept and how many bytes are packed; spans are
    pairs of 8-byte integers, line boxes four 8-byte and glyph boxes four 4-byte floats, in the machine's byte order.
    """
    rows: list[list[int]] = []
    spans, boxes, glyphs = array("q"), array("d"), array("f")
    for layout in layouts:
        rows.append(
            [
                layout.page,
                layout.start,
                layout.end,
                len(layout.lines),
                int(layout.glyphs is not None),
                len(layout.packed),
            ]
        )
        for line in layout.lines:
            spans.extend((line.start, line.end))
            boxes.extend((line.box.x0, line.box.y0, line.box.x1, line.box.y1))
        if layout.glyphs is not None:
            glyphs.extend(layout.glyphs)
    packed = (layout.packed for layout in layouts)
    return {"layouts": rows}, [spans.tobytes(), boxes.tobytes(), glyphs.tobytes(), *packed]


def unpack_layout(message: dict[str, Any], blob: bytes) -> tuple[str, PageLayout]:
    """Build a page's text and layout from the answer to a `layout` job.

    Raises:
        WireError: it is not one.
    """
    try:
        size = _whole(message["text"], len(blob))
        text = blob[:size].decode()
        (layout,) = _layouts(message, memoryview(blob)[size:], len(text))
    except _ODD as error:
        msg = "A worker sent something that is no layout."
        raise WireError(msg) from error
    return text, layout


def unpack_bitmap(message: dict[str, Any], blob: bytes) -> Bitmap:
    """Build an image from the answer to a `render` job.

    Raises:
        WireError: it is not one.
    """
    try:
        width, height = (_whole(message[side], 1 << 31, 1) for side in ("width", "height"))
        mode = message["mode"]
        if mode not in ("L", "RGB") or len(blob) != width * height * len(mode):
            raise ValueError
    except _ODD as error:
        msg = "A worker sent something that is no image."
        raise WireError(msg) from error
    return Bitmap(width, height, mode, blob)


def unpack_copy(message: dict[str, Any], blob: bytes) -> bytes:
    """Return the file in the answer to an `annotate` job.

    Raises:
        WireError: it is not one.
    """
    if message.get("kind") != "annotated" or not blob.startswith(b"%PDF-"):
        msg = "A worker sent something that is no marked copy."
        raise WireError(msg)
    return blob


def _layouts(
    message: dict[str, Any], blob: memoryview, length: int, offset: int = 0
) -> tuple[PageLayout, ...]:
    """Build layouts whose offsets are at most `length`, and which `offset` code points stand before."""
    rows = [tuple(_whole(value, sys.maxsize) for value in row) for row in message["layouts"]]
    lines = sum(row[3] for row in rows)
    packed_at = len(blob) - sum(row[5] for row in rows)
    if packed_at < 0:
        raise ValueError
    spans, boxes, glyphs = array("q"), array("d"), array("f")
    spans.frombytes(blob[: 16 * lines])
    boxes.frombytes(blob[16 * lines : 48 * lines])
    glyphs.frombytes(blob[48 * lines : packed_at])
    _check_lines(lines, spans, boxes, length)
    if not isfinite(sum(glyphs)):
        raise ValueError
    found: list[PageLayout] = []
    line_at = glyph_at = 0
    for page, start, end, count, kept, packed in rows:
        if not start <= end <= length:
            raise ValueError
        if count and not (start <= spans[2 * line_at] and spans[2 * (line_at + count) - 1] <= end):
            raise ValueError
        fragments = tuple(
            LineFragment(
                spans[2 * i] + offset, spans[2 * i + 1] + offset, Box(page, *boxes[4 * i : 4 * i + 4])
            )
            for i in range(line_at, line_at + count)
        )
        line_at += count
        own = glyphs[glyph_at : glyph_at + 4 * (end - start)] if kept else None
        if own is not None and len(own) != 4 * (end - start):
            raise ValueError
        glyph_at += len(own or ())
        # It is unpacked when somebody opens the page, and is never larger than what it packs.
        if packed > _PACKED_LEAST + _PACKED * (end - start):
            raise ValueError
        kept_bytes = bytes(blob[packed_at : packed_at + packed])
        packed_at += packed
        found.append(PageLayout(page, start + offset, end + offset, fragments, own, kept_bytes))
    if glyph_at != len(glyphs):
        raise ValueError
    return tuple(found)


def _check_lines(lines: int, spans: array[int], boxes: array[float], length: int) -> None:
    """Check that lines lie in order in a text of `length` code points, and have boxes.

    Each holds something and begins where the one before it ends or later, so there are no more than code points.

    Raises:
        ValueError: they do not.
    """
    if len(spans) != 2 * lines or len(boxes) != 4 * lines or not isfinite(sum(boxes)):
        raise ValueError
    if lines and (spans[0] < 0 or spans[-1] > length):
        raise ValueError
    _check_rising(spans)
    if any(map(eq, spans[::2], spans[1::2])):
        raise ValueError


def _frame(
    number: object, width: object, height: object, rotation: object, label: object, ocr: object
) -> PageFrame:
    sides = _finite(width), _finite(height)
    if not all(0 < side <= _LONGEST_SIDE for side in sides) or rotation not in _TURNS:
        raise ValueError
    return PageFrame(
        _whole(number, 1 << 31, 1),
        *sides,
        _whole(rotation, max(_TURNS)),
        None if label is None else _string(label),
        ocr=ocr is True,
    )


def _region(row: list[Any], length: int) -> Region:
    start, end, place, rows = row
    if rows is not None:
        number, first, last = rows
        rows = (_whole(number, sys.maxsize), _column(first), _column(last))
    return Region(_whole(start, length), _whole(end, length), _locator(place), rows)


_WORDS = frozenset({"sheet", "cells", "pointer", "part", "page_label"})
_SECONDS = frozenset({"time", "time_end"})
_COUNTS = frozenset({"line", "line_end", "slide", "slide_end", "paragraph", "paragraph_end"})


def _locator(place: dict[str, Any]) -> Locator:
    """Build a region's place: words and numbers, each where it belongs, nothing else."""
    known: dict[str, Any] = {}
    for name, value in place.items():
        if name in _WORDS:
            known[name] = _string(value)
        elif name in _SECONDS:
            known[name] = _finite(value)
        elif name in _COUNTS:
            known[name] = _whole(value, sys.maxsize)
        else:
            raise ValueError
    return Locator(**known)


def _column(letters: object) -> str:
    found = _string(letters)
    if _COLUMN.fullmatch(found) is None:
        raise ValueError
    return found


def _line_numbers(rows: list[int] | None) -> tuple[int, ...] | None:
    return None if rows is None else tuple(_whole(row, sys.maxsize) for row in rows)


def _whole(value: object, most: int, least: int = 0) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError
    return value


def _finite(value: object) -> float:
    if not isinstance(value, int | float) or not isfinite(value):
        raise ValueError
    return float(value)


def _name(value: object) -> str:
    found = _string(value)
    if len(found) > _LONGEST_NAME:
        raise ValueError
    return found


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    # A worker's words are shown and stored: what cannot be written as UTF-8 is none of them.
    value.encode()
    return value
