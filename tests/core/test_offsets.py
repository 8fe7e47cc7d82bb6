"""Offsets map both ways between code points, bytes and UTF-16 units."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.errors import InputError
from pincite.core.offsets import OffsetMap

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
