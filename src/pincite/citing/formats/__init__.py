"""The wire formats, by name: those that come with pincite, and those of others.

A package offers formats of its own through the entry point group `pincite.wire_formats`: each entry is named as its
format is, and names a `WireFormat`. They are loaded when a name is asked for that is not built in, or all are.
"""

from __future__ import annotations

from threading import Lock as _Lock
from types import MappingProxyType as _MappingProxyType
from typing import TYPE_CHECKING

from pincite.citing.formats.base import KEY_FIELDS, WireFormat
from pincite.citing.formats.deferred import DEFERRED
from pincite.citing.formats.evidence_id import EVIDENCE_ID
from pincite.citing.formats.inline_url import INLINE_URL
from pincite.citing.formats.ref import REF
from pincite.citing.formats.short_id import SHORT_ID
from pincite.citing.formats.sup_numeric import SUP_NUMERIC
from pincite.core.errors import InputError as _InputError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.metadata import EntryPoint

GROUP = "pincite.wire_formats"
"""The entry point group of wire formats that other packages bring."""

WIRE_FORMATS: dict[str, WireFormat] = {
    format_.name: format_ for format_ in (DEFERRED, EVIDENCE_ID, INLINE_URL, REF, SHORT_ID, SUP_NUMERIC)
}
"""Every wire format that is there by now: the built-in ones, and those of other packages once they were loaded."""

_lock = _Lock()
_loaded: list[str] = []


def wire_formats() -> Mapping[str, WireFormat]:
    """Return every wire format by name, those of other packages too.

    Raises:
        InputError: a format of another package cannot be loaded, is none, or has the name of another; the message
            names it.
    """
    with _lock:
        if not _loaded:
            WIRE_FORMATS.update(_of_others())
            _loaded.append(GROUP)
    return _MappingProxyType(WIRE_FORMATS)


def wire_format(name: str) -> WireFormat:
    """Return the wire format called `name`.

    Raises:
        InputError: there is none of that name, and the message lists those there are; or a format of another
            package is at fault, which `wire_formats` describes.
    """
    found = WIRE_FORMATS.get(name) if isinstance(name, str) else None  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
    if found is None:
        known = wire_formats()
        found = known.get(name) if isinstance(name, str) else None  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
        if found is None:
            msg = f"There is no wire format {str(name)[:60]!r}; there are {', '.join(sorted(known))}."
            raise _InputError(msg, field="wire_format")
    return found


def _of_others() -> dict[str, WireFormat]:
    from importlib.metadata import (
        entry_points,
    )  # a tenth of the base import, and most runs name a built-in format

    found: dict[str, WireFormat] = {}
    for entry in entry_points(group=GROUP):
        format_ = _load(entry)
        if format_.name in WIRE_FORMATS or format_.name in found:
            msg = f"The wire format {entry.name!r} of {_package(entry)} has the name of another."
            raise _InputError(msg, field=GROUP)
        found[format_.name] = format_
    return found


def _load(entry: EntryPoint) -> WireFormat:
    try:
        format_ = entry.load()
    except Exception as error:
        msg = f"The wire format {entry.name!r} of {_package(entry)} cannot be loaded: {error}"
        raise _InputError(msg, field=GROUP) from error
    if not isinstance(format_, WireFormat) or format_.name != entry.name:
        msg = f"The entry {entry.name!r} of {_package(entry)} is no `WireFormat` of that name."
        raise _InputError(msg, field=GROUP)
    return format_


def _package(entry: EntryPoint) -> str:
    return entry.value if entry.dist is None else entry.dist.name


__all__ = [
    "DEFERRED",
    "EVIDENCE_ID",
    "GROUP",
    "INLINE_URL",
    "KEY_FIELDS",
    "REF",
    "SHORT_ID",
    "SUP_NUMERIC",
    "WIRE_FORMATS",
    "WireFormat",
    "wire_format",
    "wire_formats",
]
