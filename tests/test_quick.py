"""Nouns made in bulk are what their class makes, and making them leaves nothing behind."""

from __future__ import annotations

import gc
from dataclasses import FrozenInstanceError, dataclass, field
from typing import Any

import pytest

from pincite._quick import maker, without_collecting


@dataclass(frozen=True, slots=True)
class Noun:
    """With a default and a factory."""

    name: str
    number: int = 7
    parts: list[str] = field(default_factory=list[str])


class Named:
    """A base with a maker of its own."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


@dataclass(frozen=True, slots=True)
class Numbered(Named):
    """A noun that stands on what is none."""

    number: int


@pytest.mark.parametrize(
    ("cls", "values"),
    [(Noun, ("a",)), (Noun, ("a", 1, ["b"])), (Numbered, (3,))],
)
def test_a_maker_makes_what_the_class_makes(cls: type[Noun | Numbered], values: tuple[Any, ...]) -> None:
    """Class and fields are the same, and it is frozen."""
    make = maker(cls)
    made = make(*values)
    assert type(made) is cls
    assert made == cls(*values)
    assert make(*values) is not made
    with pytest.raises(FrozenInstanceError):
        made.number = 8  # pyright: ignore[reportAttributeAccessIssue]


def test_no_two_share_what_a_factory_makes() -> None:
    """Each has parts of its own."""
    make = maker(Noun)
    assert make("a").parts == []
    assert make("a").parts is not make("a").parts


@pytest.mark.parametrize("count", [1, 10_000])
def test_looking_for_garbage_waits_only_while_much_is_made(count: int) -> None:
    """It goes on afterwards, after an error too; where it was off, it stays off; inside one another it is one."""
    with without_collecting(count):
        assert gc.isenabled() is (count == 1)
        with without_collecting(count):
            pass
        assert gc.isenabled() is (count == 1)
    assert gc.isenabled()
    with pytest.raises(ValueError, match="broken"), without_collecting(count):
        int("broken")
    assert gc.isenabled()
    gc.disable()
    try:
        with without_collecting(count):
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
