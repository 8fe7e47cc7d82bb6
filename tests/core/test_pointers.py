"""How a step of a JSON Pointer is written."""

from __future__ import annotations

import pytest

from pincite.core.pointers import step


@pytest.mark.parametrize(
    ("name", "written"),
    [("a", "a"), ("a/b", "a~1b"), ("m~n", "m~0n"), ("~1", "~01"), ("", ""), ("~/~", "~0~1~0")],
)
def test_what_has_a_meaning_in_a_pointer_is_escaped(name: str, written: str) -> None:
    """The tilde first, so that what it becomes is not taken for an escaped slash."""
    assert step(name) == written
