"""The text with numbers in the places of markers, disarmed, and ready for a list of sources behind it."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from pincite.showing._disarm import disarmed, ids_left
from pincite.showing._emptied import held
from pincite.showing._fences import closing
from pincite.showing._headings import demoted
from pincite.showing._links import acting

if TYPE_CHECKING:
    from collections.abc import Iterable

# A run without a space that may be an address, of which a number at its end would become a part: bounded.
_ADDRESS = re.compile(r"/|\.\w[^\s/]*[?#:]")
# Code points at the end of a text in which an address is looked for.
_TAIL = 300
# Times that a text is looked through for ids that are left: with one gone, what was code may be none.
_PASSES = 8
# What makes something else of a link that follows.
_TURNING = ("!", "\\")


class Place(NamedTuple):
    """Code points `start` to `end` go; the bracketed `labels` and then `shown` stand there instead.

    Where nothing does, the space before goes too, unless what follows `is_word`.
    """

    start: int
    end: int
    labels: tuple[str, ...] = ()
    shown: str = ""
    is_word: bool = False


class Link(NamedTuple):
    """Code points `start` to `end` are a link that may act; its words end at `joint`."""

    start: int
    joint: int
    end: int


class _Writer:
    """The text as it grows, where our numbers stand in it, and how far each part of the old text has moved."""

    __slots__ = ("_last", "_last_end", "_length", "moved", "ours", "pieces")

    _length: int

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.ours: set[int] = set()
        self.moved: list[tuple[int, int]] = [(0, 0)]
        self._length = 0
        self._last, self._last_end = "", 0

    def put(self, text: str, position: int, place: Place) -> int:
        """Write `text` from `position` up to a place, and what stands there; return where to go on."""
        start, end, labels, shown, is_word = place
        before = text[position:start]
        if labels or shown:
            if before:
                self.pieces.append(before)
                self._length += start - position
            if before[-1:] != " " and (start == end or self._ends_in_address()):
                self._add(" ")
            for label in labels:
                at = self._length
                if at != self._last_end or label != self._last:  # the same side by side says nothing more
                    self.ours.add(at)
                    self.pieces.append(f"[{label}]")
                    self._last = label
                    self._length = self._last_end = at + len(label) + 2
            if shown:
                self._add(shown)
        elif is_word:
            self._add(before)
        else:
            self._add(before.rstrip(" "))
            end += self._ends_line() and text.startswith(" ", end)
        self.moved.append((end, self._length - end))
        return end

    def shift(self, place: int) -> int:
        """Return how far code point `place` of the old text has moved."""
        return self.moved[bisect_right(self.moved, place, key=_first) - 1][1]

    def _add(self, piece: str) -> None:
        if piece:
            self.pieces.append(piece)
            self._length += len(piece)

    def _ends_line(self) -> bool:
        return not self.pieces or self.pieces[-1].endswith("\n")

    def _ends_in_address(self) -> bool:
        """Say whether a number that follows would become a part of an address."""
        if not self.pieces or self.pieces[-1][-1].isspace():
            return False
        run = self.pieces[-1][-_TAIL:]
        if len(run) < _TAIL:
            run = "".join(self.pieces[-_TAIL:])[-_TAIL:]
        run = run.rsplit(None, 1)[-1]
        return len(run) == _TAIL or _ADDRESS.search(run) is not None


def _first(pair: tuple[int, int]) -> int:
    return pair[0]


def with_numbers(
    text: str,
    places: Iterable[Place],
    issued: Iterable[Link] = (),
    *,
    links: bool = False,
    lettered: bool = False,
    raw: str | None = "",
    listed: bool = False,
) -> str:
    """Return `text` with what stands in its `places`, and the rest disarmed.

    `issued` are links that may act, in order and outside of places; `links` says that those may too that are safe.
    `lettered` says that labels may end in letters; `raw` stands for what looks like an evidence id and is in no place,
    None leaves it; `listed` says that a list of sources will follow.
    """
    written, writer = _put(text, places)
    ours = writer.ours
    kept = [(one, text[one.joint : one.end]) for one in issued]
    kept = [(_moved(one, writer), new) for one, new in kept]
    for _ in range(_PASSES if raw is not None else 0):
        left = [Place(*span, (), raw or "") for span in ids_left(written)]
        if not left:
            break
        written, writer = _put(written, left)
        ours = {place + writer.shift(place) for place in ours}
        kept = [(_moved(one, writer), new) for one, new in kept]
    # It may have gone with a place, and behind these marks it would be an image, or no link.
    edits = [
        (one.joint, one.end, new)
        for one, new in kept
        if written[one.joint : one.end] == new and written[one.start - 1 : one.start] not in _TURNING
    ]
    if links:
        edits += acting(written, sorted(ours))
    if listed:
        edits += demoted(written)
    written = disarmed(written, ours, sorted(edits), lettered=lettered)
    return written + closing(written) if listed else written


def _moved(one: Link, writer: _Writer) -> Link:
    by = writer.shift(one.start)
    return Link(one.start + by, one.joint + by, one.end + by)


def _put(text: str, places: Iterable[Place]) -> tuple[str, _Writer]:
    writer = _Writer()
    position = 0
    for place in held(text, sorted(places)):
        if place.start >= position:  # else it is inside what an earlier place took with it
            position = writer.put(text, position, place)
    return "".join([*writer.pieces, text[position:]]), writer
