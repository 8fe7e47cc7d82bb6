"""Stretches of one text: which of its code points are there, and their words where those were kept."""

from __future__ import annotations

import threading
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# A few new stretches are set in one by one; of more than one for this many known ones, all are sorted.
_FEW = 8
# New stretches that wait for a question, beyond as many as there are: the same one may come over and over.
_MANY = 10_000


class Ranges:
    """Ranges of code points; touching ranges count as one. Threads may share them."""

    __slots__ = ("_lock", "_merged", "_new")

    def __init__(self, spans: Iterable[tuple[int, int]] = ()) -> None:
        # Starts and ends, in order, apart: neither list is ever changed, so that a reader needs no lock.
        self._merged: tuple[list[int], list[int]] = ([], [])
        self._new = list(spans)
        self._lock = threading.Lock()

    def add(self, start: int, end: int) -> None:
        """Take in the code points `start` to `end`."""
        with self._lock:
            self._new.append((start, end))
        if len(self._new) > _MANY + len(self._merged[0]):
            self._merge()

    def covering(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the range that holds `start` to `end`, or None."""
        starts, ends = self._merge() if self._new else self._merged
        index = bisect_right(starts, start) - 1
        if index < 0 or ends[index] < end:
            return None
        return starts[index], ends[index]

    def touches(self, start: int, end: int) -> bool:
        """Say whether `start` to `end` has a code point in common with one of them."""
        starts, ends = self.merged()
        before = bisect_left(starts, end) - 1
        return before >= 0 and ends[before] > start

    def merged(self) -> tuple[list[int], list[int]]:
        """Return where the ranges begin and where they end, in order; change neither."""
        return self._merge() if self._new else self._merged

    def missing_from(self, start: int) -> int:
        """Return the first code point from `start` on that is not there."""
        cover = self.covering(start, start + 1)
        return start if cover is None else cover[1]

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return iter(list(zip(*self._merge(), strict=True)))

    def _merge(self) -> tuple[list[int], list[int]]:
        # Merging waits for the first question, so that n additions cost one sort and not n searches.
        with self._lock:
            if self._new:
                few = len(self._new) * _FEW < len(self._merged[0])
                self._merged = self._set_in() if few else self._sorted()
                self._new = []  # last, so that who sees no new ranges sees them merged
            return self._merged

    def _set_in(self) -> tuple[list[int], list[int]]:
        starts, ends = self._merged[0].copy(), self._merged[1].copy()
        for start, end in self._new:
            first, last = bisect_left(ends, start), bisect_right(starts, end)
            if first < last:
                start, end = min(start, starts[first]), max(end, ends[last - 1])  # noqa: PLW2901 - grown by its neighbours
            starts[first:last], ends[first:last] = [start], [end]
        return starts, ends

    def _sorted(self) -> tuple[list[int], list[int]]:
        starts: list[int] = []
        ends: list[int] = []
        for start, end in sorted([*zip(*self._merged, strict=True), *self._new]):
            if ends and start <= ends[-1]:
                ends[-1] = max(end, ends[-1])
            else:
                starts.append(start)
                ends.append(end)
        return starts, ends


class Texts:
    """Pieces of one text, each at its place; pieces that touch or overlap are joined. Threads may share them."""

    __slots__ = ("_joined", "_lock", "_new")

    def __init__(self) -> None:
        self._joined: tuple[list[int], list[str]] = ([], [])
        self._new: list[tuple[int, str]] = []
        self._lock = threading.Lock()

    def add(self, start: int, text: str) -> None:
        """Take in `text`, which stands from code point `start` on."""
        if not text:
            return
        with self._lock:
            self._new.append((start, text))
        if len(self._new) > _MANY + len(self._joined[0]):
            self._join()

    def around(self, start: int, end: int) -> tuple[int, str] | None:
        """Return the stretch that holds `start` to `end`, where it begins and its text, or None."""
        starts, texts = self._join() if self._new else self._joined
        index = bisect_right(starts, start) - 1
        if index < 0 or starts[index] + len(texts[index]) < end:
            return None
        return starts[index], texts[index]

    def within(self, start: int, end: int) -> list[tuple[int, str]]:
        """Return what there is of the code points `start` to `end`, in order: where each stretch begins, its text."""
        starts, texts = self._join()
        first, last = max(0, bisect_right(starts, start) - 1), bisect_left(starts, end)
        found: list[tuple[int, str]] = []
        for begin, text in zip(starts[first:last], texts[first:last], strict=True):
            low, high = max(start, begin), min(end, begin + len(text))
            if low < high:
                found.append((low, text[low - begin : high - begin]))
        return found

    def __iter__(self) -> Iterator[tuple[int, str]]:
        return iter(list(zip(*self._join(), strict=True)))

    def _join(self) -> tuple[list[int], list[str]]:
        with self._lock:
            if self._new:
                self._joined = _joined(sorted([*zip(*self._joined, strict=True), *self._new], key=_start_of))
                self._new = []
            return self._joined


def _start_of(piece: tuple[int, str]) -> int:
    return piece[0]


def _joined(pieces: list[tuple[int, str]]) -> tuple[list[int], list[str]]:
    """Return where the stretches begin that `pieces`, in order of their starts, make together, and their texts."""
    starts: list[int] = []
    parts: list[list[str]] = []
    reached = 0
    for start, text in pieces:
        end = start + len(text)
        if not parts or start > reached:
            starts.append(start)
            parts.append([text])
            reached = end
        elif end > reached:
            parts[-1].append(text[reached - start :])
            reached = end
    return starts, ["".join(part) for part in parts]
