"""Where in an answer the marker of a citation stands: only there a client may put what a record says of trust.

The event's page says of a marker that it is the text that refers to the citation, and of citations that they come in
the order of first mention. A model may write the same text itself: in code, in a list, as a link of its own. So a place
is told where the service told of it, or where there is but one that it can be; everything else is none.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, cast

from pincite.protocols.moca._code import Code
from pincite.protocols.moca._mentions import mentions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pincite.core.limits import Limits

Spans = frozenset[tuple[int, int]]
"""Stretches of a text: code points, `start` and the first behind."""
Placed = tuple[tuple[tuple[int, int], ...], str | None]
"""The places of a citation, and the code of what is in doubt where it has none for that."""

# Places of one marker that are told.
_MOST: Final = 1_000
# How a line begins that makes a link of every marker that reads like it: anchored at its line, bounded.
_DEFINED: Final = re.compile(r"(?m)^ {0,3}(?:> {0,3}){0,8}\[[^\[\]\n]{1,200}+\]:")


def spans_of(value: dict[str, Any], most: int) -> Spans | None:
    """Return where a value of `pincite.citations` says that markers stand; None where it does not say it of all."""
    entries = value.get("citations")
    if not isinstance(entries, list):
        return None
    found: set[tuple[int, int]] = set()
    for entry in islice(cast("list[Any]", entries), most):
        named = cast("dict[str, Any]", entry) if isinstance(entry, dict) else {}
        if named.get("anchor") == "content":
            return None  # its place is that of the words it is about
        start, end = named.get("start"), named.get("end")
        if type(start) is int and type(end) is int and 0 <= start < end:
            found.add((start, end))
    return frozenset(found)


class Places:
    """Finds the markers and references of one event in the text of its message."""

    __slots__ = ("_code", "_defined", "_limits", "_text", "_told")

    def __init__(self, text: str, told: Spans | None, limits: Limits) -> None:
        self._text = text
        self._told = told
        self._limits = limits
        self._code = Code(text, limits)
        self._defined = {found.group().lstrip(" >")[:-1] for found in _DEFINED.finditer(text)}

    def of(self, citations: Sequence[tuple[str, str | None]]) -> list[Placed]:
        """Return the places of each citation of an event: pairs of its reference and its marker, in order."""
        named: dict[str, list[tuple[int, int]]] = {ref: [] for ref, _ in citations}
        for mention in mentions(self._text, named, self._limits, self._code).found:
            named[mention.ref].append((mention.start, mention.end))
        refs: dict[str, set[str]] = {}
        for ref, marker in citations:
            if marker is not None:
                refs.setdefault(marker, set()).add(ref)
        placed: dict[str, Placed] = {}
        found: list[Placed] = []
        first = 0
        for ref, marker in citations:
            if marker is None or marker == ref:
                found.append((tuple(named[ref][:_MOST]), None))
                continue
            if marker not in placed:
                placed[marker] = self._of_marker(marker, len(refs[marker]), first)
            places, _ = placed[marker]
            if places:
                # First mentions come in the order of the event.
                first = max(first, places[0][0])
            found.append(placed[marker])
        return found

    def _of_marker(self, marker: str, nodes: int, first: int) -> Placed:
        """Return the places of a marker of as many nodes, which is first mentioned at `first` or behind."""
        places = list(islice(self._standing(marker), _MOST))
        if not places:
            return (), None
        if nodes > 1:
            return (), "marker_of_several"
        if self._told is not None:
            return tuple(places), None
        if marker in self._defined:
            return (), "marker_defined"
        if len(places) > 1:
            return (), "marker_repeated"
        if places[0][0] < first:
            return (), "marker_out_of_order"
        return tuple(places), None

    def _standing(self, marker: str) -> Iterator[tuple[int, int]]:
        """Yield where a marker stands in the text by itself, letter for letter and not in code.

        Where the service told of places, in one of them.
        """
        text = self._text
        starts = None if self._told is None else _Starts(self._told)
        at = text.find(marker)
        while at >= 0:
            end = at + len(marker)
            if starts is not None:
                if starts.hold(at, end):
                    yield at, end
            elif self._is_alone(marker, at, end) and not self._code.holds(at, end):
                yield at, end
            at = text.find(marker, end)

    def _is_alone(self, marker: str, start: int, end: int) -> bool:
        """Say whether what stands at a place is no part of a longer word, marker or link."""
        before, after = self._text[start - 1 : start], self._text[end : end + 1]
        if marker[0].isalnum() and before.isalnum():
            return False
        if marker[-1].isalnum() and after.isalnum():
            return False
        if marker[0] == "[" and before in ("[", "!", "\\"):
            return False
        return not (marker[-1] == "]" and after in ("(", "]"))


class _Starts:
    """Stretches by where they start, to be asked for one that holds a place."""

    __slots__ = ("_ends", "_starts")

    def __init__(self, spans: Spans) -> None:
        ordered = sorted(spans)
        self._starts = [start for start, _ in ordered]
        # Of all that start so far the furthest end.
        self._ends: list[int] = []
        for _, end in ordered:
            self._ends.append(max(end, self._ends[-1]) if self._ends else end)

    def hold(self, start: int, end: int) -> bool:
        """Say whether a stretch reaches over the code points `start` to `end`."""
        at = bisect_right(self._starts, start) - 1
        return at >= 0 and self._ends[at] >= end
