"""What a wire format is: how a key is shown to a model, how the model writes it, how it is found again."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pincite.core.errors import InputError

KEY_FIELDS = ("source_url", "ref", "short_id", "number", "evidence_id")
"""The fields of a payload that look like keys; a payload carries the one of its wire format, or none."""

SHOWN_FIELDS = ("title", "locator", "content")
"""The fields that every payload carries beside its key."""


@dataclass(frozen=True, slots=True)
class WireFormat:
    """One way of writing citations.

    `key_field` is the one key-shaped field of a payload, None when no key is shown; `opening` and `closing` what
    stands around a key, both empty when nothing is written. `key` is the shape of a key (one linear pattern,
    whole string), `full` says that the form is a citation whatever the key is, so that an unknown key is a fault
    and not prose. `teaching` is what the model is told.

    Raises:
        InputError: it has no name, or opens and does not close, or its key field is one that says something else.
    """

    name: str
    key_field: str | None
    opening: str
    closing: str
    key: re.Pattern[str]
    full: bool
    teaching: str

    def __post_init__(self) -> None:
        if not self.name or self.key_field == "" or self.key_field in SHOWN_FIELDS:
            msg = f"A wire format has a name, and a key field that is none of {', '.join(SHOWN_FIELDS)}."
            raise InputError(msg, field="wire_format")
        if not self.opening == self.closing == "" and not (self.opening and self.closing):
            msg = f"The wire format {self.name[:60]!r} must both open and close a marker, or do neither."
            raise InputError(msg, field="wire_format")

    def write(self, key: str | int, number: int = 1, extract: str | None = None) -> str:  # noqa: ARG002 - some formats write them
        """Return the marker of one key, as a model is taught to write it.

        `number` and `extract` are written by the formats that have a place for them.
        """
        return f"{self.opening}{key}{self.closing}"

    def instructions(self) -> str:
        """Return the part of a system prompt that teaches this format."""
        return self.teaching


# A ref: eight hex digits, then perhaps more of the id; never a hyphen at the end. Linear: one class after a fixed run.
REF_KEY = re.compile(r"[0-9a-f]{8}(?:-?[0-9a-f]){0,27}")
