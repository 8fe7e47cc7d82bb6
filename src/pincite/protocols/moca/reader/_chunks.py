"""A node's text in chunks for an index: by headings and paragraphs, with bytes of the file as places."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

# What stands between two blocks: a line break, then empty lines. Linear: runs end at what is no white space.
_BETWEEN: Final = re.compile(r"\n(?:[ \t\r]*+\n)++")
_HEADING: Final = re.compile(r"#{1,6}[ \t]")
# Bytes of a character, at the most.
_WIDEST: Final = 4


def chunks(data: bytes, body_start: int, most: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of chunks in a file of UTF-8, in bytes, in order, none of them empty or only white space.

    A chunk grows by whole blocks to `most` bytes; a heading begins one; a longer block is cut between words.
    """
    text = data[body_start:].decode()
    place, done = body_start, 0
    for begin, end in _grown(text, most):
        place += len(text[done:begin].encode())
        size = len(text[begin:end].encode())
        yield place, place + size
        place, done = place + size, end


def _grown(text: str, most: int) -> Iterator[tuple[int, int]]:
    """Yield spans of chunks in code points."""
    begin = end = -1
    for first, last in _pieces(text, most):
        if begin >= 0 and (_HEADING.match(text, first) or len(text[begin:last].encode()) > most):
            yield begin, end
            begin = -1
        begin, end = first if begin < 0 else begin, last
    if begin >= 0:
        yield begin, end


def _pieces(text: str, most: int) -> Iterator[tuple[int, int]]:
    """Yield blocks without the white space around them, and parts of those that are too long."""
    begin = 0
    ends = [found.span() for found in _BETWEEN.finditer(text)]
    for last, following in (*ends, (len(text), len(text))):
        first, end = _stripped(text, begin, last)
        while end - first > most // _WIDEST and len(text[first : first + most + 1].encode()) > most:
            cut = _cut(text, first, most)
            yield _stripped(text, first, cut)
            first, end = _stripped(text, cut, end)
        if first < end:
            yield first, end
        begin = following


def _stripped(text: str, begin: int, end: int) -> tuple[int, int]:
    while begin < end and text[begin].isspace():
        begin += 1
    while begin < end and text[end - 1].isspace():
        end -= 1
    return begin, end


def _cut(text: str, first: int, most: int) -> int:
    """Return where a block that begins at `first` is cut: behind its last word that fits, else where it is full."""
    room = text[first : first + most].encode()[:most].decode("utf-8", "ignore")
    space = max(room.rfind(" ", len(room) // 2), room.rfind("\n", len(room) // 2))
    return first + (space if space > 0 else len(room))
