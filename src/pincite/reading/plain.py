"""Plain text -> Document: the text as it is, with its lines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pincite.reading._decoding import decode
from pincite.reading._prose import check_bytes, made

if TYPE_CHECKING:
    from pincite.core.document import Document
    from pincite.core.limits import Limits

_LONGEST_TITLE = 100
"""Code points of the longest first line that may be a title."""

# The first line that is not blank, with what follows it: linear, possessive runs.
_FIRST_LINE = re.compile(r"\s*+([^\n]++)(?:\n([^\n]*+))?+")
_SENTENCE_ENDS = (".", ",", ";", ":", "。", "?", "!")


class PlainReader:
    """Reads plain text. Nothing in it is a heading for sure, so there is no outline."""

    name = "plain"
    version = "1"
    media_types = ("text/plain",)
    suffixes = (".txt", ".text", ".log", "")

    def read(self, data: bytes, *, name: str, limits: Limits) -> Document:
        """Return the document in `data`; its lines are those of the file.

        Raises:
            TooLargeError: the file or its text is over a limit.
            DamagedError: it holds binary data.
            EmptyError: nothing in it is visible.
        """
        check_bytes(data, name=name, limits=limits)
        text = decode(data, name=name)
        return made(
            text,
            name=name,
            title=_title(text),
            media_type=self.media_types[0],
            reader=f"{self.name}/{self.version}",
            limits=limits,
        )


def _title(text: str) -> str | None:
    """Return the first line when it looks like a title: short, alone or underlined, not the end of a sentence."""
    match = _FIRST_LINE.match(text)
    if match is None:
        return None
    line, below = match[1].strip().lstrip("#").strip(), (match[2] or "").strip()
    alone = not below or not below.strip("=-~*")
    return line if alone and len(line) <= _LONGEST_TITLE and not line.endswith(_SENTENCE_ENDS) else None
