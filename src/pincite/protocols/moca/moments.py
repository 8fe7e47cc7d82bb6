"""Dates and times as they stand in records and events, and as we write them."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING

from pincite.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    Clock = Callable[[], datetime]

# A date-time of RFC 3339 with an offset: fixed widths, and one run of digits that is cut to six.
_MOMENT = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,6})[0-9]*+)?"
    r"(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))"
)
_DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
# Code points of the longest one that is read.
_LONGEST = 64
_LEAP, _HOURS, _MINUTES = 60, 24, 60


def moment_of(text: object) -> datetime | None:
    """Return the moment that a date-time of RFC 3339 names, which must have an offset; None for everything else.

    A leap second is the second before it.
    """
    if not isinstance(text, str) or len(text) > _LONGEST:
        return None
    found = _MOMENT.fullmatch(text)
    if found is None:
        return None
    *date, second = map(int, found.groups()[:6])
    fraction, sign, hours, minutes = found.groups()[6:]
    if int(hours or 0) >= _HOURS or int(minutes or 0) >= _MINUTES:
        return None
    offset = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
    try:
        year, month, day, hour, minute = date
        moment = datetime(
            year, month, day, hour, minute, min(second, _LEAP - 1) if second == _LEAP else second,
            int((fraction or "0").ljust(6, "0")), tzinfo=timezone(-offset if sign == "-" else offset),
        )  # fmt: skip
        return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def bound_of(text: object) -> datetime | None:
    """Return the moment of a bound in a record: a date-time with an offset, or a date, which is its midnight in UTC.

    None for what cannot be read so, a date-time without an offset among it: nobody knows when that is.
    """
    found = _DAY.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        return moment_of(text)
    try:
        return datetime(*map(int, found.groups()), tzinfo=UTC)  # type: ignore[arg-type]
    except ValueError:
        return None


def told(moment: datetime) -> str:
    """Return a moment as the event has it: RFC 3339, in UTC, with as many digits of a second as there are.

    Raises:
        InputError: it has no offset, so that nobody knows when it is.
    """
    if moment.tzinfo is None or moment.utcoffset() is None:
        msg = "A clock returns moments with an offset, as `datetime.now(UTC)` does."
        raise InputError(msg, field="clock")
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def now() -> datetime:
    """Return the moment that it is: the clock where none is given."""
    return datetime.now(UTC)
