"""Where in an answer a provider's offsets point, when nobody can be sure what they count."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from pincite.core.citation import ContentCitationAnchor, MarkerCitationAnchor
from pincite.core.offsets import OffsetMap, OffsetUnit
from pincite.providers._located import ByteOffsets

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pincite.core.citation import CitationAnchor

_READ_AS: Final = {OffsetUnit.UTF16: "offsets read as UTF-16", OffsetUnit.UTF8: "offsets read as bytes"}
_LONGEST: Final = 10_000
"""Code points over which nothing is a marker: an address is shorter, and each annotation may name the whole text."""
_SURE: Final = 2
# `[1]`, `[[1]]`, `[web:3]`, `【4†source】`, or OpenAI's between private-use characters. Linear: no part can also be
# read as the next one, and what is repeated ends at a character that it does not hold.
_NUMBERED: Final = re.compile(
    r"\[{1,2}(?:[A-Za-z]{1,16}:?)?[0-9]{1,6}\]{1,2}|【[^【】]*】|\ue200[^\ue200\ue201]*\ue201"
)
_OPENING, _CLOSING = "([【\ue200", ")]】\ue201"
_DEPTHS: Final = {**dict.fromkeys(_OPENING, 1), **dict.fromkeys(_CLOSING, -1)}


class Place(NamedTuple):
    """An anchor in code points, the marker's text where it is one, and what was done to get it."""

    anchor: CitationAnchor | None = None
    written: str | None = None
    repaired: str | None = None


class Places:
    """Finds the places of one text."""

    __slots__ = ("_map", "_near", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._map = OffsetMap(text)
        self._near: ByteOffsets | None = None

    def marker(self, start: int | None, end: int | None, needles: Iterable[str] = ()) -> Place:
        """Return the marker from `start` to `end`: code points, or UTF-16 units where only those give one.

        A marker holds one of the `needles` (the address it links to, a file's name) or is a number in brackets.
        An empty range says of no text that it is meant, which is no fault.
        """
        if start is None and end is None:
            return Place()
        if start is None or end is None:
            return Place(repaired="offsets given up: one of them is missing")
        if start == end:
            return Place()
        wanted = tuple(needles)
        best, place = 0, Place(repaired="offsets given up: they select no marker of the source")
        for unit, first, last in self._readings(start, end, OffsetUnit.CODE_POINTS, OffsetUnit.UTF16):
            if last - first > _LONGEST:
                continue
            written = self._text[first:last]
            rank = _rank(written, wanted)
            if rank > best:
                best, place = rank, Place(MarkerCitationAnchor(first, last), written, _READ_AS.get(unit))
            if best == _SURE:
                break
        return place

    def content(self, start: int | None, end: int | None) -> Place:
        """Return the text from `start` to `end`: code points, or UTF-16 units where there are no such code points."""
        if start is None and end is None:
            return Place()
        if start is None or end is None:
            return Place(repaired="offsets given up: one of them is missing")
        for unit, first, last in self._readings(start, end, OffsetUnit.CODE_POINTS, OffsetUnit.UTF16):
            return Place(ContentCitationAnchor(first, last), None, _READ_AS.get(unit))
        return Place(repaired="offsets given up: they select no text")

    def reported(self, start: int | None, end: int | None, text: str | None) -> Place:
        """Return the place of a text that the provider also quoted, the nearest one where its offsets miss it."""
        if text is None:
            return self.content(start, end)
        if start is not None:
            ends = start + len(text) if end is None else end
            units = (OffsetUnit.CODE_POINTS, OffsetUnit.UTF16, OffsetUnit.UTF8)
            for unit, first, last in self._readings(start, ends, *units):
                if self._text[first:last] == text:
                    return Place(ContentCitationAnchor(first, last), None, _READ_AS.get(unit))
        if self._near is None:
            self._near = ByteOffsets(self._text)
        if start is None:
            only = self._near.only(text)
            if only is None:
                return Place(repaired="no offsets, and the reported text is not in the answer just once")
            return Place(ContentCitationAnchor(*only), None, "no offsets: found by the reported text")
        at = self._near.bytes_before(min(start, len(self._text)))
        moved = self._near.moved(at, at, text)
        if moved is None:
            return Place(repaired="offsets given up: the reported text is not there")
        (first, last), _ = moved
        repaired = f"offsets moved by {first - start} code points" if first != start else "end moved"
        return Place(ContentCitationAnchor(first, last), None, repaired)

    def _readings(self, start: int, end: int, *units: OffsetUnit) -> Iterator[tuple[OffsetUnit, int, int]]:
        """Yield the range in every unit in which it selects text, each range once."""
        before: set[tuple[int, int]] = set()
        for unit in units:
            first, last = self._map.exact(start, unit), self._map.exact(end, unit)
            if first is not None and last is not None and first < last and (first, last) not in before:
                before.add((first, last))
                yield unit, first, last


def _rank(written: str, needles: tuple[str, ...]) -> int:
    """Return how surely a text is the marker that is meant: 0 not, 1 it holds a needle, 2 it is one from end to end.

    Offsets that are one too far still select most of a link, its address included: its brackets tell.
    """
    if _NUMBERED.fullmatch(written):
        return _SURE
    if not any(needle in written for needle in needles):
        return 0
    return _SURE if written in needles or (written[0] in _OPENING and _closes(written)) else 1


def _closes(written: str) -> bool:
    """Say whether the last character closes the last bracket that is open."""
    depth = 0
    for char in written:
        depth += _DEPTHS.get(char, 0)
        if depth < 0:
            return False
    return depth == 0 and written[-1] in _CLOSING
