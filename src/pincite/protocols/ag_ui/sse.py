"""Server-sent events, read in any cutting: bytes or text in, the data of each event out.

The rules are those of the WHATWG page on server-sent events. Lines end in CR, LF or both, and in nothing else: data may
hold U+0085 and U+2028, at which `str.splitlines` would cut.
"""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING, Final

from pincite.core.errors import InputError
from pincite.core.limits import DEFAULT, Limits

if TYPE_CHECKING:
    from collections.abc import Iterator

TOO_LARGE: Final = None
"""What stands in place of the data of an event that was larger than the limit."""

_LINE_END = re.compile(r"\r\n|\n|\r")
_BOM = "\ufeff"


class SseReader:
    """Cuts one stream into the data of its events: `feed` each piece as it comes in, then `finish`.

    Names, ids and comments are passed over: AG-UI has everything in the data. An event larger than
    `limits.agui_event_code_points` is `None` in place of its data, and nothing of it is kept.
    """

    __slots__ = ("_after_cr", "_begun", "_data", "_decoder", "_is_over", "_line", "_most", "_size")

    def __init__(self, *, limits: Limits = DEFAULT) -> None:
        self._most = limits.agui_event_code_points
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._begun = False
        self._after_cr = False
        # The line that is not at its end, and the lines of data of the event that is not.
        self._line: list[str] = []
        self._data: list[str] = []
        self._size = 0
        self._is_over = False

    def feed(self, piece: bytes | bytearray | memoryview | str) -> Iterator[str | None]:
        """Yield the data of each event that is whole now; the piece is taken in as far as the iterator is.

        Bytes are UTF-8, in which what is malformed becomes U+FFFD.

        Raises:
            InputError: `piece` is neither bytes nor a string.
        """
        if isinstance(piece, str):
            text = piece
        elif isinstance(piece, bytes | bytearray | memoryview):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
            text = self._decoder.decode(piece)
        else:
            msg = f"A piece of a stream is bytes or a string, not {type(piece).__name__}."
            raise InputError(msg, field="piece")
        return self._taken(text)

    def finish(self) -> Iterator[str | None]:
        """Yield the data of an event that the end of the stream has cut short, where there is one."""
        yield from self._taken(self._decoder.decode(b"", final=True))
        if self._line:
            yield from self._line_ends()
        yield from self._event_ends()

    def _taken(self, text: str) -> Iterator[str | None]:
        if not text:
            return
        if not self._begun:
            self._begun = True
            text = text.removeprefix(_BOM)
        if self._after_cr and text:
            self._after_cr = False
            text = text.removeprefix("\n")
        start = 0
        for end in _LINE_END.finditer(text):
            self._add(text[start : end.start()])
            start = end.end()
            yield from self._line_ends()
        # A line feed that comes with the next piece belongs to this end.
        self._after_cr = text.endswith("\r")
        self._add(text[start:])

    def _add(self, text: str) -> None:
        if not text:
            return
        self._size += len(text)
        if self._size > self._most:
            self._is_over, self._data = True, []
        if self._is_over:
            self._line = ["…"]  # that there is something on the line is all that has to be known
        else:
            self._line.append(text)

    def _line_ends(self) -> Iterator[str | None]:
        line, self._line = "".join(self._line), []
        if not line:
            yield from self._event_ends()
            return
        name, _, value = line.partition(":")
        if name == "data" and not self._is_over:
            self._data.append(value.removeprefix(" "))
        else:
            self._size -= min(self._size, len(line))

    def _event_ends(self) -> Iterator[str | None]:
        data, was_over = "\n".join(self._data), self._is_over
        self._data, self._size, self._is_over = [], 0, False
        if was_over:
            yield TOO_LARGE
        elif data:
            yield data
