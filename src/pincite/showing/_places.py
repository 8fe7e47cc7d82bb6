"""Which code points of an answer go, and what stands there instead: markers with all that models put around them."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pincite.citing._marks import link
from pincite.showing._numbers import Place

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from pincite.citing._scan import Scan
    from pincite.citing.occurrence import Occurrence

Invalid = Literal["drop", "mark", "keep"]
"""What becomes of a citation that is not valid: nothing is shown, a mark, or what the model wrote."""
MARK = "[?]"
"""What stands for a citation that is not valid, under the policy `mark`."""

EVIDENCE = "evidence_id"
# Brackets around a marker that hold nothing else, and raised ones.
_AROUND = (("[", "]"), ("\\[", "\\]"), ("<sup>", "</sup>"))
# What would stay behind a marker that goes: brackets and emphasis around nothing.
_EMPTY = (
    *_AROUND,
    ("(", ")"),
    ("\uff08", "\uff09"),
    ("**", "**"),
    ("__", "__"),
    ("~~", "~~"),
    ("*", "*"),
    ("_", "_"),
)
# What the first of these ends in, and what makes an image of a link.
_DRESS = frozenset("[\\>!")
# Layers that are taken off.
_LAYERS = 6
# Code points of a link's words that are looked through for where they begin, and of its target.
_LINK_TEXT, _TARGET = 400, 2_000
# What makes a link of the brackets before it, and leads nowhere.
_NOWHERE = "[]"
# What can begin or end a link's words; pairs of a backslash and a mark are taken whole.
_BRACKET = re.compile(r"\\.|[\[\]]")


_new: Any = tuple.__new__  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] - whatever is in it


class _Draft(NamedTuple):
    """A place before it is settled: the code points that go, its labels, its keys that are not valid."""

    start: int
    end: int
    labels: list[str]
    bad: list[str]


class Regions:
    """The spans of an answer that are code or comment."""

    __slots__ = ("_spans", "_starts")

    def __init__(self, found: Scan) -> None:
        self._spans = found.code
        self._starts = [start for start, _ in found.code]

    def hold(self, place: int) -> bool:
        """Say whether `place` is inside of one."""
        index = bisect_right(self._starts, place) - 1
        return index >= 0 and place < self._spans[index][1]


def is_in_tag(one: Occurrence, regions: Regions) -> bool:
    """Say whether an occurrence stands in an element of HTML, which is shown as text."""
    return one.in_code and not regions.hold(one.start)


def places(
    text: str, found: Scan, shown: Sequence[tuple[str, ...] | None], invalid: Invalid = "drop"
) -> list[Place]:
    """Return what is taken out of `text`: markers, and comments.

    `shown` has the labels of each occurrence, none for one that is not valid; where it has None, the occurrence stays.
    """
    taken = [Place(*span) for span in found.code if text.startswith("<!--", span[0])]
    drafts: list[_Draft] = []
    defined: list[Occurrence] = []
    for one, labels in zip(found.occurrences, shown, strict=True):
        if labels is None:
            continue
        # Most are one key in brackets, with nothing in or around it that would have to go with it.
        start, end = one.marker
        if (
            labels
            and one.where == "bracket"
            and start == one.start
            and end == one.end
            and one.extract is None
            and not (start and text[start - 1] in _DRESS)
            and not text.startswith(_NOWHERE, end)
        ):
            taken.append(_new(Place, (start, end, labels, "", False)))
        elif one.definition or one.where == "definition":
            defined.append(one)
        elif one.in_link and not one.linked:
            taken += _target(text, one, labels, invalid)
        else:
            _draft(text, one, labels, drafts)
    for draft in drafts:
        taken += _place(text, draft, invalid)
    if defined:
        numbered = {one.key for one, labels in zip(found.occurrences, shown, strict=True) if labels}
        taken += _lines(text, defined, numbered, invalid)
    return taken


def _lines(
    text: str, defined: Iterable[Occurrence], numbered: Container[str], invalid: Invalid
) -> Iterator[Place]:
    """Yield places for definitions: they show nothing by themselves, so their whole lines go."""
    for one in defined:
        if invalid != "keep" or (one.key in numbered and not one.definition):
            line_end = text.find("\n", one.marker[1])
            line_start = text.rfind("\n", 0, one.marker[0]) + 1
            yield Place(line_start, len(text) if line_end < 0 else line_end + 1)


def _draft(text: str, one: Occurrence, labels: tuple[str, ...], drafts: list[_Draft]) -> None:
    start, end = one.marker
    last = drafts[-1] if drafts else None
    if last is not None and last.start <= start and end <= last.end:
        last.labels.extend(labels)
        if not labels:
            last.bad.append(one.written)
        return
    if text[start - 1 : start] == "!" and (
        one.in_link or (one.number and not text[max(0, start - 2) : start - 1].strip())
    ):
        start -= 1  # an image; it goes with what it would have loaded
    drafts.append(_Draft(start, end, list(labels), [] if labels else [one.written]))


def _place(text: str, draft: _Draft, invalid: Invalid) -> Iterator[Place]:
    labels, bad = tuple(dict.fromkeys(draft.labels)), draft.bad
    shown = ""
    if bad and invalid == "keep":
        if not labels:
            return
        shown = f" [{', '.join(bad)}]"
    elif bad and invalid == "mark":
        shown = MARK
    start, end = _bare_of(text, draft.start, draft.end, _AROUND if labels or shown else _EMPTY)
    yield Place(start, end, labels, shown)


def _bare_of(text: str, start: int, end: int, pairs: Sequence[tuple[str, str]]) -> tuple[int, int]:
    """Return a span with the layers of `pairs` around it, and what would make a link of it."""
    if text.startswith(_NOWHERE, end):
        end += len(_NOWHERE)
    for _ in range(_LAYERS):
        for opening, closing in pairs:
            if text.endswith(opening, 0, start) and text.startswith(closing, end):
                start, end = start - len(opening), end + len(closing)
                break
        else:
            break
    return start, end


def _link_of(text: str, one: Occurrence) -> tuple[int, re.Match[str]] | None:
    """Return the joint of the link in whose target a key stands, and that target."""
    joint = text.rfind("](", max(0, one.start - _TARGET), one.start)
    found = link(text, joint + 1, min(len(text), joint + _TARGET), hard=True) if joint >= 0 else None
    return (joint, found) if isinstance(found, re.Match) and found.end() >= one.end else None


def is_target(text: str, one: Occurrence) -> bool:
    """Say whether a key in a link's target is all of it; else the address is the model's, and cites nothing."""
    found = _link_of(text, one)
    return found is not None and found[1]["target"].strip("<>") == text[one.start : one.end]


def _target(text: str, one: Occurrence, labels: tuple[str, ...], invalid: Invalid) -> Iterator[Place]:
    """Yield places for a key in a link's target: the link's words stay, and a key that is all of it cites."""
    if invalid == "keep" and not labels:
        return
    found = _link_of(text, one)
    if found is None or not is_target(text, one):
        yield Place(one.start, one.end)
        return
    joint, end = found[0], found[1].end()
    opening = _opening(text, joint)
    shown = MARK if invalid == "mark" and not labels else ""
    if opening is None:
        yield Place(joint + 1, end, labels, shown)
        return
    is_image = opening > 0 and text[opening - 1] == "!"
    yield Place(opening - is_image, opening + 1, is_word=True)
    if (labels or shown) and joint > opening + 1 and not text[joint - 1].isspace():
        # Nothing is taken out where a number is put, so that there will be a space between.
        yield Place(joint, joint, labels, shown)
        labels, shown = (), ""
    yield Place(joint, end, labels, shown)


def _opening(text: str, joint: int) -> int | None:
    """Return where the words of a link begin whose bracket closes at `joint`; None when that is far away."""
    low = max(0, joint - _LINK_TEXT)
    opened: list[int] = []
    for found in _BRACKET.finditer(text, low, joint):
        if found.group() == "[":
            opened.append(found.start())
        elif found.group() == "]" and opened:
            opened.pop()
    return opened[-1] if opened else None
