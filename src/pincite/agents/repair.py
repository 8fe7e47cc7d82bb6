"""Repairs of an answer whose citations do not all hold: without the model where that is safe, and what it is told else.

The deterministic repair may leave a citation out or spell it right. It never adds one, and each change is recorded.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from pincite.core.sentences import sentence_at, split_sentences
from pincite.core.text import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pincite.agents._review import Fault, Reviewed

_AGAIN: Final = (
    "Write the whole answer again, with every citation that does hold. The passages that you were given are still "
    "there; call a tool where you need another one, or the whole of one. Where nothing supports a statement, leave "
    "the statement out. Do not speak of this correction."
)
# Faults that one repair tells the model of, and code points of each.
_MOST_TOLD: Final = 20
_TOLD: Final = 200
# What may stand between two members of a group.
_BETWEEN: Final = " ,;\t\n\u00a0"


class RepairKind(StrEnum):
    """What was done.

    `respelled`: a citation was a slip away from one key that was shown, and was written as that key. `dropped`: it
    named nothing, and its sentence has a valid citation beside it. `rewritten`: the model was asked, and its second
    answer took the place of the first. `kept`: the model was asked, and the first answer stands.
    """

    RESPELLED = "respelled"
    DROPPED = "dropped"
    REWRITTEN = "rewritten"
    KEPT = "kept"


@dataclass(frozen=True, slots=True)
class Repair:
    """One repair: its kind, and why.

    Of a citation: what was `written`, and what it `became`, None when it was left out. Of a whole answer: how many
    valid citations and how many faults there were `before` and `after` it.
    """

    kind: RepairKind
    reason: str
    written: str = ""
    became: str | None = None
    before: tuple[int, int] | None = None
    after: tuple[int, int] | None = None


def mended(text: str, reviewed: Reviewed) -> tuple[str, tuple[Repair, ...]]:
    """Return `text` with those faults mended that need no model, and what was done, in text order.

    A fault with a suggestion is spelled as that; one in whose sentence a valid citation stands is left out. All else
    stays as it is.
    """
    backed = _sentences_with(text, reviewed.cited) if reviewed.faults else None
    changes: list[tuple[int, int, str, Repair]] = []
    for fault in reviewed.faults:
        occurrence = fault.occurrence
        if occurrence is None or occurrence.definition or occurrence.fault or not occurrence.key:
            continue
        became = _respelled(text, fault)
        if became is not None:
            repair = Repair(RepairKind.RESPELLED, fault.reason, _cut(fault.written), _cut(became))
            changes.append((fault.start, fault.end, became, repair))
        elif backed is not None and backed(fault.start) and fault.suggestion is None:
            place = _dropped(text, fault, reviewed)
            if place is not None:
                changes.append((*place, "", Repair(RepairKind.DROPPED, fault.reason, _cut(fault.written))))
    pieces: list[str] = []
    at = 0
    repairs: list[Repair] = []
    for start, end, became, repair in changes:
        if start < at:
            continue  # inside what the change before it took
        pieces += [text[at:start], became]
        repairs.append(repair)
        at = end
    return "".join([*pieces, text[at:]]), tuple(repairs)


def feedback(reviewed: Reviewed) -> str:
    """Return what a model is told of an answer whose citations do not all hold, so that it can write it again."""
    lines = [
        f"- {one_line(fault.written, _TOLD)}: {one_line(fault.reason, _TOLD)}"
        + (f" Did you mean {one_line(fault.suggestion, _TOLD)}?" if fault.suggestion else "")
        for fault in reviewed.faults[:_MOST_TOLD]
    ]
    more = len(reviewed.faults) - len(lines)
    if more:
        lines.append(f"- and {more} more")
    return "\n".join(
        [
            "These citations in your answer do not hold:",
            *lines,
            "",
            _AGAIN,
        ]
    )


def _respelled(text: str, fault: Fault) -> str | None:
    key = fault.occurrence.key if fault.occurrence is not None else ""
    written = text[fault.start : fault.end]
    if fault.suggestion is None or not key or written.count(key) != 1:
        return None
    return written.replace(key, fault.suggestion)


def _dropped(text: str, fault: Fault, reviewed: Reviewed) -> tuple[int, int] | None:
    """Return the code points that go when a citation does: its marker, or its part of a group with one separator."""
    occurrence = fault.occurrence
    if occurrence is None:
        return None
    start, end = occurrence.marker
    if fault.start > start:
        # Of a group the good members stay; without one, the whole group goes unless a member can be mended.
        first = bisect_left(reviewed.cited, (start, start))
        if first < len(reviewed.cited) and reviewed.cited[first][1] <= end:
            return _member(text, fault, occurrence.marker)
        if any(one.suggestion for one in _faults_within(reviewed.faults, start, end)):
            return None
    if text[start - 1 : start] == " ":
        return start - 1, end
    return start, end + (text[end : end + 1] == " ")


def _faults_within(faults: Sequence[Fault], start: int, end: int) -> Iterator[Fault]:
    for fault in faults[bisect_left(faults, start, key=lambda one: one.start) :]:
        if fault.end > end:
            return
        yield fault


def _member(text: str, fault: Fault, marker: tuple[int, int]) -> tuple[int, int]:
    start, end = fault.start, fault.end
    before = len(text[:start].rstrip(_BETWEEN))
    if before > marker[0] + 1:
        return before, end
    while end < marker[1] and text[end] in _BETWEEN:
        end += 1
    return start, end


def _sentences_with(text: str, cited: Iterable[tuple[int, int]]) -> Callable[[int], bool]:
    """Return what says of a place whether a valid citation stands in its sentence."""
    sentences = split_sentences(text)
    backed = {sentence_at(sentences, start) for start, _ in cited}

    def is_backed(place: int) -> bool:
        found = sentence_at(sentences, place)
        return found is not None and found in backed

    return is_backed


def _cut(written: str) -> str:
    return one_line(written, _TOLD)
