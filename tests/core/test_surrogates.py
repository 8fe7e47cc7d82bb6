"""Halves of characters, in one text and over pieces of it."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pincite.core.surrogates import Halves, whole, whole_json

# Many halves, some characters of one to four bytes.
TEXT = st.text(st.sampled_from("ab é€😀\ud800\ud83d\udbff\udc00\ude00\udfff"), max_size=24)
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


def slow(text: str) -> str:
    """Join halves one by one, as RFC 2781 tells it."""
    told, at = "", 0
    while at < len(text):
        here, following = ord(text[at]), ord(text[at + 1]) if at + 1 < len(text) else 0
        if 0xD800 <= here < 0xDC00 <= following < 0xE000:
            told += chr(0x10000 + ((here - 0xD800) << 10) + following - 0xDC00)
            at += 2
        else:
            told += "\ufffd" if 0xD800 <= here < 0xE000 else text[at]
            at += 1
    return told


@given(TEXT)
def test_a_whole_text_has_bytes_and_pairs_are_one_character(text: str) -> None:
    """Pairs are joined, each lone half is one U+FFFD, and twice is once."""
    mended = whole(text)
    mended.encode()
    assert mended == slow(text)
    assert whole(mended) == mended


def test_a_text_without_halves_is_the_same_object() -> None:
    """Nothing is copied where there is nothing to mend."""
    for text in ("", "plain", "naïve 😀"):
        assert whole(text) is text


@given(st.lists(TEXT, max_size=8))
def test_pieces_give_what_the_whole_text_gives_in_any_cutting(pieces: list[str]) -> None:
    """What is fed and what is finished is the mended text, and each piece of it has bytes."""
    halves = Halves()
    told = [halves.feed(piece) for piece in pieces]
    told.append(halves.finish())
    for piece in told:
        piece.encode()
    assert "".join(told) == whole("".join(pieces))
    assert halves.finish() == ""


def test_a_first_half_waits_and_nothing_else_does() -> None:
    """Only the half at the end of a piece is held back."""
    halves = Halves()
    assert halves.feed("Hi \ud83d") == "Hi "
    assert halves.feed("") == ""
    assert halves.feed("\ude00!") == "😀!"
    assert halves.feed("\ude00") == "\ufffd"
    assert halves.feed("\ud83d") == ""
    assert halves.finish() == "\ufffd"


@given(JSON)
def test_a_json_value_can_be_written_as_utf8(value: Any) -> None:
    """Strings and keys are whole at any depth; what had no halves is the same object."""
    mended = whole_json(value)
    written = json.dumps(value, ensure_ascii=False)
    json.dumps(mended, ensure_ascii=False).encode()
    assert (mended is value) or written != whole(written)
    assert whole_json(mended) is mended


def test_what_is_no_json_stays() -> None:
    """An object of any other kind is handed back, also inside of a list."""
    other = object()
    assert whole_json([other, "\ud83d"])[0] is other
