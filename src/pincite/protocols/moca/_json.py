"""Values that are nothing but JSON: told from what only looks like it, and kept so that nobody can change them."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from types import MappingProxyType
from typing import Any, NamedTuple, cast

from pincite.core.pointers import step

# The largest whole number that every reader of JSON has exactly.
_LARGEST = 2**53 - 1
# Bytes that a value counts as at least: looking at many small ones takes as long as at one large one.
_LEAST = 32

_Trail = tuple[Any, object] | None
"""How a value is reached: the trail of what holds it, and its key or place there. Paths are made of it when needed."""


class Fault(NamedTuple):
    """What is wrong with a value, and where: `path` is a JSON Pointer (RFC 6901)."""

    code: str
    path: str
    message: str


def fault_in(value: object, *, depth: int, size: int) -> Fault | None:
    """Return the first thing that keeps `value` from being plain JSON within `depth` and `size` bytes, or None.

    Plain are dictionaries with strings as keys, lists, strings that UTF-8 can hold, finite numbers that every reader
    of JSON has exactly, true, false and null: these very types, and none that only turn into them. Each value and key
    counts as 32 bytes at least.
    """
    left = size
    # What is still to be looked at, its trail, and how deep it stands. What holds itself is too deep.
    waiting: list[tuple[object, _Trail, int]] = [(value, None, 1)]
    while waiting:
        one, trail, level = waiting.pop()
        kind = type(one)
        left -= _LEAST
        if kind is dict:
            named = cast("dict[object, object]", one)
            for key in named:
                wrong = _wrong_key(key)
                if wrong is not None:
                    return Fault(wrong[0], pointer(trail), wrong[1])
                left -= max(_bytes(cast("str", key)), _LEAST)
                if left < 0:
                    break
            inner: list[tuple[object, object]] = list(named.items())
        elif kind is list:
            inner = list(enumerate(cast("list[object]", one)))
            left -= len(inner)
        else:
            wrong = _wrong(one)
            if wrong is not None:
                return Fault(wrong[0], pointer(trail), wrong[1])
            left -= _bytes(cast("str", one)) if kind is str else 0
            inner = []
        if inner and level > depth:
            return Fault(
                "too_deep", pointer(trail), f"More than {depth} objects and arrays stand inside one another."
            )
        if left < 0:
            return Fault("too_large", "", f"It has more than {size:,} bytes.")
        waiting.extend((item, (trail, step), level + 1) for step, item in reversed(inner))
    return None


def pointer(trail: _Trail) -> str:
    """Return the JSON Pointer to what is reached by `trail`."""
    steps: list[str] = []
    while trail is not None:
        trail, last = trail
        steps.append(f"/{step(str(last))}")
    return "".join(reversed(steps))


def _wrong_key(key: object) -> tuple[str, str] | None:
    if type(key) is not str:
        return "key_no_string", f"A key is of the type {type(key).__name__}, not a string."
    return None if _is_storable(key) else ("lone_surrogate", "A key holds half of a character.")


def _wrong(one: object) -> tuple[str, str] | None:
    """Return what is wrong with a value that holds no others."""
    kind = type(one)
    if kind is str:
        return (
            None
            if _is_storable(cast("str", one))
            else ("lone_surrogate", "A string holds half of a character.")
        )
    if kind is int:
        fits = abs(cast("int", one)) <= _LARGEST
        return (
            None
            if fits
            else ("number_too_large", "A whole number is larger than every reader of JSON has it.")
        )
    if kind is float:
        return None if isfinite(cast("float", one)) else ("not_finite", "A number is not finite.")
    if one is None or kind is bool:
        return None
    return "no_json", f"A value of the type {kind.__name__} is not JSON."


def _is_storable(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _bytes(text: str) -> int:
    """Return the bytes of a string that UTF-8 can hold."""
    return len(text) if text.isascii() else len(text.encode())


def frozen(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Return a copy of plain JSON that cannot be changed: mappings that are only read, and tuples; order is kept."""
    if type(value) is dict:
        named = cast("dict[str, Any]", value)
        return MappingProxyType({key: frozen(item) for key, item in named.items()})
    if type(value) is list:
        return tuple(frozen(item) for item in cast("list[Any]", value))
    return value


def thawed(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Return plain JSON of what `frozen` made, a new copy each time."""
    if isinstance(value, Mapping):
        named = cast("Mapping[str, Any]", value)
        return {key: thawed(item) for key, item in named.items()}
    if isinstance(value, tuple):
        return [thawed(item) for item in cast("tuple[Any, ...]", value)]
    return value
