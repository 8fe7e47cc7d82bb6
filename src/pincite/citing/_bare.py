"""Evidence ids that stand in no brackets of their own: bare, in parentheses, in a link's target, in code.

An evidence id is long enough to be known wherever it stands, so a look at the whole text finds what the scan of
markers went past. It runs once the text is complete, and only where there is such an id.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from pincite.citing.occurrence import Occurrence
from pincite.core.ids import is_evidence_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# How an id begins: one literal in two letter cases.
_BEGINS = re.compile(r"[Ee][Vv]1:[CcSs]:")
# Marks without width that may have got into it.
_THIN = "\u00ad\u200b-\u200f\u2060\ufeff"
# An id as anyone might write it: characters of ids and thin marks, over at most four lines. Each run is of one class,
# bounded, and ends where a line end begins: linear.
_ID = re.compile(
    rf"(?<!\w)[Ee][Vv]1:[CcSs]:[0-9A-Za-z:\-{_THIN}]{{8,200}}"
    rf"(?:[ \t]{{0,3}}\r?\n[ \t]{{0,8}}[0-9a-f:\-]{{1,110}}(?![0-9A-Za-z])){{0,3}}"
)
_LINE = re.compile(rf"\s+|[{_THIN}]")
_THIN_ONLY = re.compile(f"[{_THIN}]")
# Code points in front of an id, and behind it, that may belong to its marker.
_AROUND = 40
# Brackets in some form, perhaps a word that says what it is, and marks of emphasis: bounded, anchored.
_BEFORE = re.compile(
    r"(?:(?P<bracket>\\?\[|&#91;|&lbrack;|\uff3b|\u3010)|(?P<parenthesis>[(\uff08])|(?P<angle><))"
    r"[ \t]{0,3}[*_^]{0,3}(?:[A-Za-z]{1,16}:?[ \t]{0,3})?[*_^]{0,3}\Z"
)
_AFTER = {
    "bracket": re.compile(r"[*_.]{0,4}[ \t]{0,3}(?:\\?\]|&#93;|&rbrack;|\uff3d|\u3011)"),
    "parenthesis": re.compile(r"[*_.]{0,4}[ \t]{0,3}[)\uff09]"),
    "angle": re.compile(r">"),
}
# What stands between ids that are named one after another.
_BETWEEN = re.compile(r"[ \t]{0,3}(?:[,;&]|and)?[ \t\n]{0,3}")
# The label of a reference definition, of which the id is the target.
_LABEL = re.compile(r"(?:\A|\n) {0,3}\[[^\[\]\n]{1,80}\]:[ \t]{0,3}<?\Z")
_LABEL_REACH = 100
_CHARS_AT_END = ":-"


class Settled(NamedTuple):
    """What the scan has settled, each in order: its markers, its code and comments, and targets that hold ids."""

    occurrences: list[Occurrence]
    code: list[tuple[int, int]]
    targets: list[tuple[int, int]]


def has_bare_ids(text: str, markers: int) -> bool:
    """Say whether more evidence ids stand in `text` than its scan found `markers` of."""
    return len(_BEGINS.findall(text)) > markers


def with_bare_ids(text: str, settled: Settled, most: int) -> list[Occurrence]:
    """Return the occurrences of a text with those of its ids that are no markers; `most` limits a marker's length."""
    if not has_bare_ids(text, sum(one.form == "evidence_id" for one in settled.occurrences)):
        return settled.occurrences
    markers = _joined(one.marker for one in settled.occurrences)
    starts = [start for start, _ in markers]
    runs: list[list[_Written]] = []
    for match in _ID.finditer(text):
        index = bisect_right(starts, match.start()) - 1
        if index >= 0 and match.start() < markers[index][1]:
            continue
        written = _written(text, match)
        if runs and _BETWEEN.fullmatch(text, runs[-1][-1].end, written.start) is not None:
            runs[-1].append(written)
        else:
            runs.append([written])
    found = [one for run in runs for one in _occurrences(text, run, settled, most)]
    return sorted([*settled.occurrences, *found], key=_start) if found else settled.occurrences


def _start(occurrence: Occurrence) -> int:
    return occurrence.start


class _Written(NamedTuple):
    """An id in its place, as it should have been written, and what was mended for that."""

    start: int
    end: int
    key: str
    repairs: tuple[str, ...]


def _written(text: str, found: re.Match[str]) -> _Written:
    start, end = found.span()
    line_end = text.find("\n", start, end)
    if line_end >= 0:
        key = _LINE.sub("", found.group())
        if is_evidence_id(key):
            return _Written(start, end, key, ("the id was broken over lines",))
        end = start + len(text[start:line_end].rstrip())
    while text[end - 1] in _CHARS_AT_END:
        end -= 1
    key = _THIN_ONLY.sub("", text[start:end])
    return _Written(
        start, end, key, () if key == text[start:end] else ("characters without width in the id",)
    )


def _occurrences(text: str, run: Sequence[_Written], settled: Settled, most: int) -> Iterable[Occurrence]:
    """Yield what a run of ids is: in code, in a target, enclosed together, or each for itself."""
    start, end = run[0].start, run[-1].end
    code = _around(settled.code, start)
    in_comment = code is not None and text.startswith("<!--", code[0])
    in_link = code is None and _around(settled.targets, start) is not None
    before = text[max(0, start - _LABEL_REACH) : start]
    definition = code is None and not in_link and _LABEL.search(before) is not None
    place, whole = "bare", None
    if code is not None:
        place = "comment" if in_comment else "code"
    elif in_link:
        place = "target"
    elif definition:
        place = "definition"
    else:
        place, whole = _enclosed(text, start, end, most)
    group = len(run) > 1 and whole is not None
    for one in run:
        marker = whole or (one.start, one.end)
        span = (one.start, one.end) if group or whole is None else marker
        repairs = one.repairs if code is not None or in_link else (*one.repairs, _HOW[place])
        yield Occurrence(
            *span, one.key, text[span[0] : span[1]], marker,
            full=True, in_code=code is not None, definition=definition, form="evidence_id", repairs=repairs,
            in_link=in_link, where="group" if group and place == "bracket" else place,
        )  # fmt: skip


_HOW = {
    "bare": "no brackets round the id", "parenthesis": "parentheses round the id",
    "bracket": "something beside the id in its brackets", "definition": "a definition of the id",
}  # fmt: skip


def _enclosed(text: str, start: int, end: int, most: int) -> tuple[str, tuple[int, int] | None]:
    """Return what encloses code points `start` to `end`, and its own place where something does."""
    found = _BEFORE.search(text[max(0, start - _AROUND) : start])
    if found is not None:
        kind = next(name for name, value in found.groupdict().items() if value is not None)
        close = _AFTER[kind].match(text, end, end + _AROUND)
        begin = start - len(found.group())
        if close is not None and close.end() - begin <= most and (kind != "angle" or found.group() == "<"):
            return "bracket" if kind == "bracket" else "parenthesis" if kind == "parenthesis" else "bare", (
                begin,
                close.end(),
            )
    return "bare", None


def _around(spans: Sequence[tuple[int, int]], place: int) -> tuple[int, int] | None:
    index = bisect_right(spans, (place, place)) - 1
    return spans[index] if index >= 0 and place < spans[index][1] else None


def _joined(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the union of spans that are in order of their beginnings."""
    found: list[tuple[int, int]] = []
    for start, end in spans:
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((start, end))
    return found
