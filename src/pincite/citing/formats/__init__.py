"""The wire formats, by name."""

from __future__ import annotations

from pincite.citing.formats.base import WireFormat
from pincite.citing.formats.evidence_id import EVIDENCE_ID
from pincite.citing.formats.ref import REF
from pincite.citing.formats.short_id import SHORT_ID
from pincite.core.errors import InputError as _InputError

WIRE_FORMATS: dict[str, WireFormat] = {format_.name: format_ for format_ in (EVIDENCE_ID, REF, SHORT_ID)}
"""Every wire format that can be named."""


def wire_format(name: str) -> WireFormat:
    """Return the wire format called `name`.

    Raises:
        InputError: there is none of that name; the message lists those there are.
    """
    found = WIRE_FORMATS.get(name) if isinstance(name, str) else None  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
    if found is None:
        msg = f"There is no wire format {str(name)[:60]!r}; there are {', '.join(sorted(WIRE_FORMATS))}."
        raise _InputError(msg, field="wire_format")
    return found


__all__ = ["EVIDENCE_ID", "REF", "SHORT_ID", "WIRE_FORMATS", "WireFormat", "wire_format"]
