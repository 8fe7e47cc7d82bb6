"""`[[1]](https://docs.example/7 "its words")`: the inline link of the four layers' page."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pincite.citing.formats.base import WireFormat

# What a bare link target cannot hold: linear, one class.
_NEEDS_ANGLES = re.compile(r"[\s()<>]")


@dataclass(frozen=True, slots=True)
class _InlineUrl(WireFormat):
    """Writes a number, the key as a link target and, where one is given, the extract as its title."""

    def write(self, key: str | int, number: int = 1, extract: str | None = None) -> str:
        address = str(key)
        target = f"<{address}>" if _NEEDS_ANGLES.search(address) is not None else address
        if extract is None:
            return f"[[{number}]]({target})"
        words = " ".join(extract.split()).replace("\\", "\\\\").replace('"', '\\"')
        return f'[[{number}]]({target} "{words}")'


INLINE_URL = _InlineUrl(
    name="inline_url",
    key_field="source_url",
    opening="[[",
    closing=")",
    # An address or any other key without white space: one class, linear.
    key=re.compile(r"[^\s<>]+"),
    full=True,
    teaching=(
        "Every passage you are given has a `source_url`. After each sentence that rests on a passage, write "
        '[[N]](source_url "extract"): N counts your citations from 1, source_url is that passage\'s source_url, '
        "copied whole and exactly as given, and extract is a short run of the passage's own words, copied word for "
        'word from its `content`, for example [[1]](https://docs.example/leave "at least ten days"). When a '
        "sentence rests on several passages, write one marker after another. Never write a source_url that you "
        "were not given, and never an extract that the passage does not say."
    ),
)
"""The model writes `[[1]](address "words of the source")`."""
