"""What a wire format is: how a key is shown to a model, how the model writes it, how it is found again."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WireFormat:
    """One way of writing citations.

    `key_field` is the one key-shaped field of a payload, `opening` and `closing` what stands around a key, `key`
    the shape of a key (one linear pattern, whole string), `full` says that the form is a citation whatever the
    key is, so that an unknown key is a fault and not prose. `teaching` is what the model is told.
    """

    name: str
    key_field: str
    opening: str
    closing: str
    key: re.Pattern[str]
    full: bool
    teaching: str

    def write(self, key: str) -> str:
        """Return the marker of one key."""
        return f"{self.opening}{key}{self.closing}"

    def key_of(self, *, ref: str, evidence_id: str) -> str:
        """Return the key of a passage in this format."""
        return evidence_id if self.key_field == "evidence_id" else ref

    def instructions(self) -> str:
        """Return the part of a system prompt that teaches this format."""
        return self.teaching


# A ref: eight hex digits, then perhaps more of the id; never a hyphen at the end. Linear: one class after a fixed run.
REF_KEY = re.compile(r"[0-9a-f]{8}(?:-?[0-9a-f]){0,27}")
