"""`[ev1:c:...]`: the evidence id of the check's page."""

from __future__ import annotations

import re

from pincite.citing.formats.base import WireFormat

EVIDENCE_ID = WireFormat(
    name="evidence_id",
    key_field="evidence_id",
    opening="[",
    closing="]",
    # Anything that begins like an evidence id: one class, bounded, linear.
    key=re.compile(r"ev[0-9]{1,3}:[0-9A-Za-z:\-]{1,160}"),
    full=True,
    teaching=(
        "Every passage you are given has an `evidence_id`, which begins with ev1:. After each sentence that "
        "rests on a passage, write that passage's evidence_id in square brackets, exactly as given. When a "
        "sentence rests on several passages, write one bracket after another. Never write an evidence_id that "
        "you were not given, and never shorten one."
    ),
)
"""The model writes `[ev1:...]`, an id that holds outside of the conversation too."""
