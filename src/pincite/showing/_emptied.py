"""Lines that lose their beginning, or all that stood in them: what stays is no block of another kind.

A marker that goes may leave `-` below a paragraph, which makes a heading of it, or `# ` before the words of a sentence.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pincite.showing._blocks import in_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pincite.showing._numbers import Place

# What stands where a line has to hold something: a mark that nobody sees.
_HELD = "\u200b"
# Code points of a line that are looked at before a place and behind it.
_REACH = 60
# What stands on a line before its words: one class.
_NO_WORDS = re.compile(r"(?:[^\w\n]|[0-9_])*+")
# What opens an item of a list, and what lists and quotations put before their words. No two parts begin alike.
_ITEM = r"(?:[*+\-]|[0-9]{1,9}[.)])"
_CONTAINERS = re.compile(rf"[ \t>]*+(?:{_ITEM}[ \t]++[ \t>]*+)*+")
_EMPTY = re.compile(rf"{_CONTAINERS.pattern}{_ITEM}?[ \t]*+")
# How a block begins, or a line that makes something else of the one above it: anchored, runs of one class each.
_BLOCK = re.compile(
    rf">|#{{1,6}}(?:[ \t]|\Z)|`{{3}}|~{{3}}|{_ITEM}(?:[ \t]|\Z)|(?:=++|[|:\-][|:\- \t]*+|[*_][*_ \t]{{2,}}+)[ \t]*+\Z"
)
_BLANK_LINES = re.compile(r"(?:[ \t]*+\r?\n)*+")
# A line that begins a block of its own whatever stands above it, and a further item of a list with numbers.
_OWN = re.compile(r"[*+\-][ \t]+[^\s*+\-]|#{1,6}[ \t]")
_NUMBERED = re.compile(r"[0-9]{1,9}[.)][ \t]+\S")


def held(text: str, places: Sequence[Place]) -> Iterable[Place]:
    """Return the `places` of `text`, which are in order, so that the lines keep their kinds when they go.

    An item of a list that holds nothing any more goes with its line, if nothing belongs to it; else something
    invisible stands in it.
    """
    # Mostly a number stands in each.
    return places if all(place.labels or place.shown for place in places) else _held(in_lines(text), places)


def _held(text: str, places: Iterable[Place]) -> Iterator[Place]:
    # Places that go, side by side from the beginning of a line on.
    run: list[Place] = []
    # Where the last place ends, and where the first begins of those that go side by side with it.
    position = first = 0
    for place in places:
        if place.start < position:  # inside of what an earlier place took with it
            continue
        is_beside = not text[position : place.start].strip(" \t")
        if first == position or not is_beside:
            first = place.start
        goes = not _is_shown(place)
        if goes and text.startswith("`", place.end) and _follows_tick(text, first):
            place, goes = place._replace(shown=_HELD), False  # noqa: PLW2901 - two runs of backticks would be one
        if run and not (goes and is_beside):
            # What is shown beside it is what the line begins with.
            yield from run if is_beside else _settled(text, run)
            run = []
        if goes and (run or _opens_line(text, place, position)):
            run.append(place)
        else:
            yield place
        position = place.end
        if not goes:
            first = position
    if run:
        yield from _settled(text, run)


def _follows_tick(text: str, at: int) -> bool:
    return text[max(0, at - _REACH) : at].rstrip(" ").endswith("`")


def _is_shown(place: Place) -> bool:
    return bool(place.labels or place.shown)


def _opens_line(text: str, place: Place, position: int) -> bool:
    """Say whether no word stands before a place on its line, nor a part of what ends at `position`."""
    low = max(position, place.start - _REACH)
    before = text[low : place.start]
    begin = before.rfind("\n") + 1
    if begin == 0 and low > 0 and text[low - 1] != "\n":
        return False
    # What takes whole lines with it leaves nothing of them.
    return _NO_WORDS.fullmatch(before, begin) is not None and not text.endswith("\n", place.start, place.end)


def _settled(text: str, run: list[Place]) -> Iterator[Place]:
    """Yield what becomes of places at the beginning of a line, behind which no number stands."""
    whole = run[0]._replace(end=run[-1].end)
    start = text.rfind("\n", 0, whole.start) + 1
    line_end = text.find("\n", whole.end)
    line_end = len(text) if line_end < 0 else line_end
    before, after = text[start : whole.start], text[whole.end : line_end]
    if _EMPTY.fullmatch(f"{before}{after.rstrip()}"):
        yield from _emptied(text, run, (start, min(line_end + 1, len(text))))
        return
    end, words = whole.end, _behind_containers(before)
    if before[-1:] in ("", " ", "\t", ">"):
        end = line_end - len(after.lstrip(" \t"))
    becomes = _BLOCK.match(before[words:] + text[end:line_end][:_REACH].rstrip()) is not None
    if becomes and _BLOCK.match(text[start + words : line_end][:_REACH].rstrip()) is None:
        yield whole._replace(end=end, shown=_HELD)
    elif after.strip():
        yield whole._replace(end=end, is_word=True)
    else:
        yield from run


def _emptied(text: str, run: list[Place], line: tuple[int, int]) -> Iterator[Place]:
    """Yield what becomes of places that hold all of a line but for what lists and quotations put in front."""
    whole = run[0]._replace(end=run[-1].end)
    start, end = line
    gone = whole._replace(start=start, end=end, is_word=True)
    lead = text[start : whole.start]
    above = text[text.rfind("\n", 0, max(0, start - 1)) + 1 : start][:_REACH].strip()
    blank = _BLANK_LINES.match(text, end)
    follows = end if blank is None else blank.end()
    below = text[follows : follows + _REACH]
    if lead.strip(" \t>"):
        yield gone if _may_go(lead, above, below, is_apart=follows > end) else whole._replace(shown=_HELD)
    elif follows > end or not below.strip() or text.startswith("<!--", whole.start):
        yield from run  # a blank line
    elif above and below.startswith(lead) and below[len(lead) :][:1].isalpha():
        yield gone
    else:
        yield whole._replace(shown=_HELD)


def _may_go(lead: str, above: str, below: str, *, is_apart: bool) -> bool:
    """Say whether an item may go with its line, so that the line below, which may stand apart, is what it was."""
    if not below.strip():
        return True
    outer = lead[: len(lead) - len(lead.lstrip(" \t>"))]
    if below.startswith(outer):
        below = below[len(outer) :]
    elif ">" in outer:
        return False
    if below[:1] in ("", " ", "\t", "\r", "\n"):
        return False
    if (is_apart and ">" not in outer) or _OWN.match(below):
        return True
    # Below a paragraph no list goes on.
    return _NUMBERED.match(below) is not None and (not above or _behind_containers(above) > 0)


def _behind_containers(line: str) -> int:
    found = _CONTAINERS.match(line)
    return 0 if found is None else found.end()
