"""`[[9f2a1b7c]]`: the double-bracket short id of the four layers' page."""

from __future__ import annotations

from pincite.citing.formats.base import REF_KEY, WireFormat

SHORT_ID = WireFormat(
    name="short_id",
    key_field="short_id",
    opening="[[",
    closing="]]",
    key=REF_KEY,
    full=True,
    teaching=(
        "Every passage you are given has a `short_id`. After each sentence that rests on a passage, write that "
        "passage's short_id in double square brackets, exactly as given, for example [[9f2a1b7c]]. When a "
        "sentence rests on several passages, write one after another. Never write a short_id that you were not "
        "given, a page, a file name or an address in its place."
    ),
)
"""The model writes `[[9f2a1b7c]]`."""
