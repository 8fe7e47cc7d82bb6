"""Offsets map both ways between code points, bytes and UTF-16 units."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.errors import InputError
from pincite.core.offsets import OffsetMap, OffsetUnit

ANY_TEXT = st.text(st.characters(), max_size=60)


@given(ANY_TEXT)
def test_offsets_are_those_of_the_encodings(text: str) -> None:
    """Every offset equals the length of the encoded text before it, and maps back."""
    offsets = OffsetMap(text)
    for index in range(len(text) + 1):
        size8 = len(text[:index].encode("utf-8", "surrogatepass"))
        size16 = len(text[:index].encode("utf-16-le", "surrogatepass")) // 2
        assert offsets.to_utf8(index) == size8
        assert offsets.to_utf16(index) == size16
        assert offsets.from_utf8(size8) == index
        assert offsets.from_utf16(size16) == index


def test_an_offset_inside_a_character_is_its_start() -> None:
    """The second unit of a pair belongs to the character that it is half of."""
    offsets = OffsetMap("a😀b")
    assert offsets.from_utf16(2) == 1
    assert offsets.from_utf8(3) == 1


@pytest.mark.parametrize("offset", [-1, 4])
def test_an_offset_outside_is_an_error(offset: int) -> None:
    """Nothing before the start or past the end has a place."""
    with pytest.raises(InputError, match="outside the text"):
        OffsetMap("abc").to_utf8(offset)
    with pytest.raises(InputError, match="outside the text"):
        OffsetMap("abc").from_utf16(offset)


@given(ANY_TEXT)
def test_an_exact_offset_is_where_a_character_begins_or_none(text: str) -> None:
    """In every unit: at the beginnings and at the end, and nowhere else."""
    offsets = OffsetMap(text)
    for unit, codec, width in (
        (OffsetUnit.UTF8, "utf-8", 1),
        (OffsetUnit.UTF16, "utf-16-le", 2),
        (OffsetUnit.CODE_POINTS, "utf-32-le", 4),
    ):
        begins = {
            sum(len(char.encode(codec, "surrogatepass")) for char in text[:index]) // width: index
            for index in range(len(text) + 1)
        }
        for offset in range(-1, max(begins) + 2):
            assert offsets.exact(offset, unit) == begins.get(offset)


def test_halves_of_a_pair_that_stand_apart_are_two() -> None:
    """Python keeps them apart, and so do the offsets."""
    offsets = OffsetMap("a\ud83d\ude00b")
    assert [offsets.to_utf16(index) for index in range(5)] == [0, 1, 2, 3, 4]
    assert [offsets.exact(unit, OffsetUnit.UTF16) for unit in range(5)] == [0, 1, 2, 3, 4]
    assert [offsets.to_utf8(index) for index in range(5)] == [0, 1, 4, 7, 8]
    assert offsets.exact(2, OffsetUnit.UTF8) is None


def test_a_long_text_is_counted_from_the_nearest_mark() -> None:
    """At both sides of each mark, and far from any."""
    text = "aé日😀" * 4_000
    offsets = OffsetMap(text)
    for index in (0, 1, 2_047, 2_048, 2_049, 4_096, 9_999, len(text) - 1, len(text)):
        size8 = len(text[:index].encode())
        size16 = len(text[:index].encode("utf-16-le")) // 2
        assert (offsets.to_utf8(index), offsets.to_utf16(index)) == (size8, size16)
        assert offsets.exact(size8, OffsetUnit.UTF8) == index == offsets.from_utf8(size8)
        assert offsets.exact(size16, OffsetUnit.UTF16) == index == offsets.from_utf16(size16)
