"""What an uploader says of a document for filters: a flat object of short values."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any, cast

from pincite.core.errors import InputError, LimitError
from pincite.core.text import normalise

if TYPE_CHECKING:
    from collections.abc import Mapping

Value = str | int | float | bool

# A name that every database's paths into JSON take as it is: linear, one class.
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.\-]{0,63}")


def checked_metadata(given: object, limit: int) -> dict[str, Any]:
    """Return metadata as they are stored, texts normalised.

    Raises:
        InputError: it is no flat object of texts, numbers, booleans and lists of texts.
        LimitError: it has more than `limit` bytes as JSON.
    """
    if not isinstance(given, dict):
        msg = "Metadata is an object of names and values."
        raise InputError(msg, field="metadata")
    found: dict[str, Any] = {}
    for name, value in cast("Mapping[object, object]", given).items():
        checked_name(name)
        found[cast("str", name)] = _checked(value)
    if len(json.dumps(found, separators=(",", ":")).encode()) > limit:
        msg = f"The metadata of a document has at most {limit:,} bytes."
        raise LimitError(msg, field="metadata")
    return found


def checked_name(name: object) -> None:
    """Check the name of a value.

    Raises:
        InputError: it is not 1 to 64 of `A-Z a-z 0-9 _ . -`.
    """
    if not isinstance(name, str) or _NAME.fullmatch(name) is None:
        msg = "A name in metadata has 1 to 64 characters of A-Z, a-z, 0-9, `_`, `.` and `-`, no `.` or `-` first."
        raise InputError(msg, field="metadata")


def checked_value(value: object) -> Value:
    """Return a value as it is stored.

    Raises:
        InputError: it is no text, number or boolean.
    """
    if isinstance(value, str):
        return normalise(value)
    if isinstance(value, bool) or (isinstance(value, int | float) and math.isfinite(value)):
        return value
    msg = "A value in metadata is a text, a number, a boolean or a list of texts."
    raise InputError(msg, field="metadata")


def _checked(value: object) -> Value | list[str]:
    if isinstance(value, list | tuple):
        values = [checked_value(one) for one in cast("list[object]", value)]
        if not all(isinstance(one, str) for one in values):
            msg = "A list in metadata is one of texts."
            raise InputError(msg, field="metadata")
        return cast("list[str]", values)
    return checked_value(value)
