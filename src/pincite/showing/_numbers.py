"""The text with numbers in the places of markers, disarmed, and ready for a list of sources behind it."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from pincite.showing._addresses import TAIL, ends_in_address
from pincite.showing._disarm import disarmed, ids_left
from pincite.showing._emptied import held
from pincite.showing._fences import closing
from pincite.showing._headings import demoted
from pincite.showing._links import acting

if TYPE_CHECKING:
    from collections.abc import Iterable

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


class _Written(NamedTuple):
    """The text with what stands in its places, where our numbers begin, and how far each part of the old text moved."""

    text: str
    ours: set[int]
    moved: list[tuple[int, int]]

    def shift(self, place: int) -> int:
        """Return how far code point `place` of the old text has moved."""
        return self.moved[bisect_right(self.moved, place, key=_first) - 1][1]


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
    put = _put(text, places)
    written, ours = put.text, put.ours
    kept = [(_moved(one, put), text[one.joint : one.end]) for one in issued]
    for _ in range(_PASSES if raw is not None else 0):
        left = [Place(*span, (), raw or "") for span in ids_left(written)]
        if not left:
            break
        put = _put(written, left)
        written, ours = put.text, {place + put.shift(place) for place in ours}
        kept = [(_moved(one, put), new) for one, new in kept]
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


def _moved(one: Link, put: _Written) -> Link:
    by = put.shift(one.start)
    return Link(one.start + by, one.joint + by, one.end + by)


def _put(text: str, places: Iterable[Place]) -> _Written:  # noqa: C901 - the one loop that every place passes
    """Return `text` with what stands in its places; what is inside of an earlier place goes with it."""
    pieces: list[str] = []
    ours: set[int] = set()
    moved = [(0, 0)]
    position = length = 0
    last, last_end = "", 0
    for start, end, labels, shown, is_word in held(text, sorted(places)):
        if start < position:
            continue
        before = text[position:start]
        position = end
        if not (labels or shown or is_word):
            before = before.rstrip(" ")
        if before:
            pieces.append(before)
            length += len(before)
        if labels or shown:
            if before[-1:] != " " and (start == end or _ends_in_address(pieces)):
                pieces.append(" ")
                length += 1
            for label in labels:
                if length != last_end or label != last:  # the same side by side says nothing more
                    ours.add(length)
                    pieces.append(f"[{label}]")
                    last = label
                    length = last_end = length + len(label) + 2
            if shown:
                pieces.append(shown)
                length += len(shown)
        elif not is_word and text.startswith(" ", end) and (not pieces or pieces[-1].endswith("\n")):
            position += 1
        moved.append((position, length - position))
    pieces.append(text[position:])
    return _Written("".join(pieces), ours, moved)


def _ends_in_address(pieces: list[str]) -> bool:
    """Say whether a number that follows would become a part of an address."""
    if not pieces:
        return False
    tail = pieces[-1][-TAIL:]
    return ends_in_address(tail if len(tail) == TAIL else "".join(pieces[-TAIL:])[-TAIL:])
