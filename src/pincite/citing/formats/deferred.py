"""Nothing is written: sentences are matched to passages after the answer is there."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pincite.citing.formats.base import WireFormat


@dataclass(frozen=True, slots=True)
class _Deferred(WireFormat):
    """Writes no marker."""

    def write(self, key: str | int, number: int = 1, extract: str | None = None) -> str:  # noqa: ARG002 - there is nothing to write
        return ""


DEFERRED = _Deferred(
    name="deferred",
    key_field=None,
    opening="",
    closing="",
    # Nothing is a key: it never matches.
    key=re.compile(r"(?!)"),
    full=False,
    teaching=(
        "Answer in plain prose. Put no marks or numbers for sources into your answer, and no list of sources under "
        "it: your sentences are matched to the passages afterwards. Keep the passages' own figures, names and terms "
        "where you rely on them."
    ),
)
"""The model sees no key and writes plain prose; what it cites is found by its words."""
