"""Server-sent events in any cutting."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.errors import InputError
from pincite.core.limits import DEFAULT
from pincite.protocols.ag_ui import SseReader


def data_of(*pieces: bytes | str, most: int | None = None) -> list[str | None]:
    """Return the data of each event of a stream that comes in those pieces."""
    limits = DEFAULT if most is None else dataclasses.replace(DEFAULT, agui_event_code_points=most)
    reader = SseReader(limits=limits)
    return [data for piece in pieces for data in reader.feed(piece)] + list(reader.finish())


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_a_line_ends_in_any_of_the_three_ways(end: str) -> None:
    """CR, LF and both of them end a line, and an empty line ends an event."""
    assert data_of(f"data: a{end}data:b{end}{end}data: c{end}{end}") == ["a\nb", "c"]


def test_nothing_else_ends_a_line() -> None:
    """Separators at which Python cuts lines may stand in data."""
    text = "a\u2028b\x85c\x0bd\x0ce\x1cf\u2029g"
    assert data_of(f"data: {text}\n\n".encode()) == [text]


def test_what_is_no_data_is_passed_over() -> None:
    """Comments, names, ids and a byte-order mark at the beginning are no part of an event."""
    assert data_of("\ufeff: hello\nevent: x\nid: 7\nretry: 3\ndata\ndata:  a\ndatax: b\n\n:\n\n") == ["\n a"]


def test_an_event_that_the_end_cuts_short_is_given_all_the_same() -> None:
    """Who reads JSON of it sees whether it was whole."""
    assert data_of("data: a\n\ndata: b") == ["a", "b"]


def test_an_event_that_is_too_large_is_left_out_by_itself() -> None:
    """Nothing of it is kept, whether it is one line or many, and the next one is read."""
    assert data_of("data: 1\n\n", *["data: 2345\n"] * 9, "\ndata: 6\n\n", most=20) == ["1", None, "6"]
    assert data_of("data: 1\n\n", "data: ", *["x"] * 99, "\n\ndata: 6\n\n", most=20) == ["1", None, "6"]
    assert data_of(": " + "x" * 99 + "\ndata: 1\n\ndata: 6\n\n", most=20) == [None, "6"]
    assert data_of(*[": 12345678\n"] * 9, "data: 1\n\n", most=20) == ["1"]


def test_bytes_that_are_no_utf_8_become_a_replacement() -> None:
    """A character that was cut in two is whole again, and a broken one costs itself alone."""
    assert data_of(b"data: \xf0\x9f", b"\x98\x80\n\n") == ["😀"]
    assert data_of(b"data: a\xffb\n\n") == ["a\ufffdb"]


def test_a_piece_that_is_neither_bytes_nor_text_is_refused() -> None:
    """A mistake of the caller's is told at once."""
    with pytest.raises(InputError):
        SseReader().feed(7)  # pyright: ignore[reportArgumentType] - a caller without types


_LINES = st.lists(st.sampled_from(["data: a", "data:é😀\u2028", ":x", "", "id: 1", "data"]), max_size=12)


@given(_LINES, st.sampled_from(["\n", "\r", "\r\n"]), st.lists(st.integers(1, 4), min_size=1))
def test_any_cutting_gives_the_same(lines: list[str], end: str, cuts: list[int]) -> None:
    """Bytes in pieces, also within a character or a line's end, give what the whole text gives."""
    whole = end.join([*lines, ""])
    raw, pieces, at = whole.encode(), list[bytes](), 0
    while at < len(raw):
        step = cuts[len(pieces) % len(cuts)]
        pieces.append(raw[at : at + step])
        at += step
    assert data_of(*pieces) == data_of(whole)
