"""Responses with something wrong in them: fields that are missing, of the wrong type, or huge."""

from __future__ import annotations

import copy
import math
from typing import TYPE_CHECKING, Any, cast

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

HUGE = 10**5_000  # more digits than Python writes out
JUNK: tuple[Any, ...] = (
    None, True, -1, 0, 2, 2**63, 10**400, -(2**70), 1.5, 1e308, math.inf, math.nan,
    "", "x", "7", "https://example.com/", "a\ud800", [], {}, [None], [[]], ["type"], {"type": []}, {"text": 3},
)  # fmt: skip
MISSING = object()


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every place in a JSON value: what holds it, and under which key or index."""
    found: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        found = [(value, key) for key in cast("dict[Any, Any]", value)]
    elif isinstance(value, list):
        found = [(value, index) for index in range(len(cast("list[Any]", value)))]
    for holder, key in found:
        yield holder, key
        yield from places(holder[key])


@st.composite
def mutilated(draw: st.DrawFn, whole: Any) -> Any:
    """Return a JSON value in which one to four places are missing or hold something else."""
    value = copy.deepcopy(whole)
    for _ in range(draw(st.integers(1, 4))):
        open_to = list(places(value))
        if not open_to:
            break
        holder, key = draw(st.sampled_from(open_to))
        junk = draw(st.sampled_from((MISSING, *JUNK)))
        if junk is MISSING:
            del holder[key]
        else:
            holder[key] = copy.deepcopy(junk)
    return value


def at(value: Any, *names: str) -> Any:
    """Return what stands under names inside of each other, None where there is no such thing."""
    for name in names:
        value = cast("dict[str, Any]", value).get(name) if isinstance(value, dict) else None
    return value


def items(value: Any) -> list[Any]:
    """Return a list, and an empty one for anything else."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def objects(value: Any) -> list[dict[str, Any]]:
    """Return the objects of a list."""
    return [cast("dict[str, Any]", one) for one in items(value) if isinstance(one, dict)]


def joined(texts: Iterable[Any]) -> str:
    """Return what of it is text, joined."""
    return "".join(text for text in texts if isinstance(text, str))
