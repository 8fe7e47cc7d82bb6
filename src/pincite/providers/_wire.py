"""The bytes of a stream as the texts of its events: server-sent events, JSON lines, or one JSON array of objects.

What is counted and what is read does not depend on where the bytes are cut.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pincite.core.errors import LimitError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite.core.limits import Limits

_DATA: Final = "data:"
# A string of JSON, which no line break parts, or a sign that opens or closes. Each run is possessive, and ends at a
# character that it does not hold: linear.
_TOKEN: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)|[{}\[\]]')


class Wire:
    """Cuts bytes into lines, and puts the lines of each event together."""

    __slots__ = ("_array", "_begun", "_gathered", "_limits", "_lines", "_over", "_pieces", "_started")

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._pieces: list[bytes] = []  # of the line that is not at its end, of `_begun` bytes
        self._begun = 0
        self._lines: list[str] = []  # of the event that is not at its end, of `_gathered` bytes
        self._gathered = 0
        self._started = self._over = False
        self._array: _Array | None = None

    def take(self, chunk: bytes) -> Iterator[str]:
        """Take the next bytes; yield the events that they end.

        Raises:
            LimitError: one event has more than `limits.provider_event_bytes`; nothing behind it is read.
        """
        if self._over:
            self._refuse()
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            # A long line is joined once it is whole, so that small pieces cost no more.
            whole = b"".join((*self._pieces, line)) if self._pieces else line
            self._pieces, self._begun = [], 0
            self._check(len(whole))
            text = whole.decode("utf-8", "replace").strip(" \t\r" if self._started else " \t\r\ufeff")
            if not self._started and text:
                self._started = True
                self._array = _Array() if text.startswith("[") else None
            if self._array is not None:
                self._gathered += len(whole)
                yield from self._array.take(text)
                self._gathered = self._gathered if self._array.is_inside else 0
            elif (event := self._line(text, len(whole))) is not None:
                yield event
        self._pieces.append(rest)
        self._begun += len(rest)
        self._check(self._begun)

    def end(self) -> Iterator[str]:
        """Yield what the last bytes had begun; after an event that was too long there is nothing."""
        if not self._over:
            yield from self.take(b"\n\n")
            if self._array is not None and self._array.is_inside:
                yield self._array.rest()

    def _check(self, size: int) -> None:
        if self._gathered + size > self._limits.provider_event_bytes:
            self._over = True
            self._pieces, self._lines = [], []
            self._refuse()

    def _refuse(self) -> None:
        msg = f"One event of the stream is longer than {self._limits.provider_event_bytes:,} bytes."
        raise LimitError(msg, field="chunk")

    def _line(self, line: str, size: int) -> str | None:
        """Take a line: of an event with others (`data: ...`), the end of one, or JSON by itself."""
        if line.startswith(_DATA):
            self._lines.append(line[len(_DATA) :])
            self._gathered += size
        elif line.startswith("{"):
            return line
        elif not line and self._lines:  # anything else is a comment, or another field
            lines, self._lines, self._gathered = self._lines, [], 0
            return "\n".join(lines)
        return None


class _Array:
    """Takes the objects of an array apart, whatever lines they are written in; Google sends one without `alt=sse`."""

    __slots__ = ("_depth", "_lines")

    def __init__(self) -> None:
        self._depth = 0
        self._lines: list[str] = []  # of the object that is not at its end

    @property
    def is_inside(self) -> bool:
        """Whether an object has begun and not ended."""
        return bool(self._lines)

    def rest(self) -> str:
        """Return the object that has begun, as far as it came."""
        return "\n".join(self._lines)

    def take(self, line: str) -> Iterator[str]:
        """Take a line; yield the objects that it ends."""
        start = 0
        for match in _TOKEN.finditer(line):
            sign = match[0]
            if sign in ("{", "["):
                self._depth += 1
                if self._depth == 2 and sign == "{":  # noqa: PLR2004 - in the array, and nothing else
                    start = match.start()
                    self._lines.append("")
            elif sign in ("}", "]"):
                self._depth -= 1
                if self._depth == 1 and self._lines:
                    lines, self._lines = self._lines, []
                    yield "\n".join((*lines, line[start : match.end()]))
        if self._lines:
            self._lines.append(line[start:])
