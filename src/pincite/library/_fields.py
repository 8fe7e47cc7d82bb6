"""What a person sets by hand, as it is stored: bounded, normalised, or a sentence that says what it has to be."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from pincite.core.errors import InputError, LimitError
from pincite.core.given import items_of, of_kind, refuse
from pincite.core.text import normalise, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

LINE_CODE_POINTS: Final = 200
"""Code points of a name or title."""


def line(value: object, field: str, *, least: int = 1, most: int = LINE_CODE_POINTS) -> str:
    """Return a text of one line, of `least` to `most` code points, without what cannot be seen.

    Raises:
        InputError: it is none.
    """
    text = normalise(of_kind(value, str, field, "a text")).strip()
    if len(text) < least or one_line(text, most) != text:
        msg = f"`{field}` is one line of {least} to {most} visible characters."
        raise InputError(msg, field=field)
    return text


def text(value: object, field: str, most: int) -> str:
    """Return a text of any lines, of at most `most` code points.

    Raises:
        InputError: it is no text.
        LimitError: it is longer.
    """
    found = normalise(of_kind(value, str, field, "a text"))
    if len(found) > most:
        msg = f"`{field}` has at most {most:,} characters, not {len(found):,}."
        raise LimitError(msg, field=field)
    return found


def lines(value: object, field: str, most: int) -> tuple[str, ...]:
    """Return at most `most` texts of one line, each once, in the order in which they were given.

    Raises:
        InputError: it is no list of such texts.
        LimitError: there are more.
    """
    found: dict[str, None] = {}
    for one in items_of(value, field, "a list of texts"):
        found[line(one, field)] = None
        if len(found) > most:
            msg = f"`{field}` has at most {most:,} entries."
            raise LimitError(msg, field=field)
    return tuple(found)


def one_of(value: object, known: Iterable[str], field: str) -> str:
    """Return `value`, which is one of `known`.

    Raises:
        InputError: it is not.
    """
    names = list(known)
    if value not in names:
        msg = f"`{field}` is one of {', '.join(names)}, not {str(value)[:40]!r}."
        raise InputError(msg, field=field)
    return str(value)


def json_object(value: object, field: str, most: int) -> dict[str, Any]:
    """Return a copy of a JSON object of at most `most` bytes.

    Raises:
        InputError: it is no object that JSON can hold.
        LimitError: it is larger.
    """
    if not isinstance(value, Mapping):
        refuse(value, field, "a JSON object")
    try:
        written = json.dumps(value, allow_nan=False, separators=(",", ":"))
        copy: dict[str, Any] = json.loads(written)
    except (TypeError, ValueError, RecursionError) as error:
        msg = f"`{field}` is a JSON object, and this holds what JSON cannot."
        raise InputError(msg, field=field) from error
    if len(written) > most:
        msg = f"`{field}` has at most {most:,} bytes as JSON, not {len(written):,}."
        raise LimitError(msg, field=field)
    return copy


def given_id(value: object, field: str) -> str:
    """Return an id that may be of anything, as a database can look it up.

    Raises:
        InputError: it is no text.
    """
    return normalise(of_kind(value, str, field, "an id"))


def when(text: str | None) -> datetime | None:
    """Return the time that a row names, or None."""
    return None if text is None else datetime.fromisoformat(text)
