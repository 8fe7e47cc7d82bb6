"""`[9f2a1b7c]`: the single-bracket ref of the reader's page."""

from __future__ import annotations

from pincite.citing.formats.base import REF_KEY, WireFormat

REF = WireFormat(
    name="ref",
    key_field="ref",
    opening="[",
    closing="]",
    key=REF_KEY,
    full=False,
    teaching=(
        "Every passage you are given has a `ref`. After each sentence that rests on a passage, write that "
        "passage's ref in square brackets, exactly as given, for example [9f2a1b7c]. When a sentence rests on "
        "several passages, write one bracket after another. Never write a ref that you were not given, a page, "
        "a file name or an address in its place."
    ),
)
"""The model writes `[9f2a1b7c]`, the beginning of the passage's id. The default."""
