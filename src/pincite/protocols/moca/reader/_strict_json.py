"""JSON of a package: read so that every program reads the same out of it, or not at all."""

from __future__ import annotations

import json
from typing import Any, cast

from pincite.protocols.moca._json import fault_in


def strict_json(data: bytes, *, depth: int, size: int) -> Any:  # noqa: ANN401 - any JSON value
    """Return the value of JSON in UTF-8.

    Refused is a key that stands twice in one object, of which programs take one or the other; NaN and infinity; half
    a character; numbers that not every program has exactly; and what is over `depth` or `size`, a value counting as
    32 bytes.

    Raises:
        ValueError: it is none; the message is a sentence.
    """
    if len(data) > size:
        msg = f"It has more than {size:,} bytes."
        raise ValueError(msg)
    try:
        value = json.loads(data.decode("utf-8"), object_pairs_hook=_once, parse_constant=_refused)
    except RecursionError as error:
        msg = "Too much stands inside one another."
        raise ValueError(msg) from error
    fault = fault_in(value, depth=depth, size=size)
    if fault is not None:
        raise ValueError(fault.message)
    return value


def object_of(value: object) -> dict[str, Any]:
    """Return an object of JSON; an empty one for every other value."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        msg = "A key stands twice in one object."
        raise ValueError(msg)
    return made


def _refused(name: str) -> None:
    msg = f"{name} is no JSON."
    raise ValueError(msg)
