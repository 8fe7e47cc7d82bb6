"""Marks that stand for an evidence id: `[^1]` in the text, and a line `[^1]: ` with the id elsewhere.

Markdown has them as footnotes and as reference definitions. Where the line holds the id and what belongs to it, the
marks in the text cite it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from pincite.citing._marks import link
from pincite.citing._spans import is_free, joined
from pincite.citing._written import THIN, malformed, read, written_ids
from pincite.citing.occurrence import Occurrence

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from pincite.citing._spans import Span

# From the end of a label to an id; the first of each needs a literal, and all runs are bounded.
_DEFINES = re.compile(rf"\]:[ \t]{{0,3}}[<(\[\"'*_{THIN}]{{0,4}}(?=[Ee][Vv]1:)")
_IN_BRACKETS = re.compile(rf"\]:[ \t]{{0,3}}[*_{THIN}]{{0,4}}\[{{1,2}}(?=[Ee][Vv]1:)")
# A label at the beginning of its line, which may be one of a list or a quotation. Each step is a mark or one space.
_LABEL = re.compile(r"(?:[ \t>]|[*+\-][ \t]|\d{1,9}[.)][ \t]){0,24}(?P<label>\[(?P<mark>[^\[\]\n]{1,80})\])")
# Code points of a line in which its label has to end.
_REACH = 160
# What may stand behind the id and close its brackets: one class.
_DRESS = re.compile(r"[ \t\r>)\]*_\"'\u201d.]*+")
# Labels that are marks and no words: a footnote's, a number, a letter, a sign. Bounded but for one class.
_MARK = re.compile(r"\^\S[^\n]*|[^\W\d_]{0,8}[ .#]?\d{1,9}[^\W\d_]?|[^\W\d_]|[*#\u2020\u2021\u00a7]{1,3}")
# A place in a source, behind a mark. Bounded.
_LOCATOR = re.compile(r"(?:[A-Za-z]{1,9}\.?|\u00a7{1,2})?\s{0,3}\d[\d \-\u2013]{0,20}")
# Brackets that may hold marks, and the parts of a list of them. Bounded; no bracket is inside of another.
_BRACKETS = re.compile(r"\[(?P<body>[^\[\]\n]{1,200})\]")
_PART = re.compile(r"[^,;]+")
_TARGET = 2_000
_HOW = ("a mark that is defined elsewhere",)


class Defined(NamedTuple):
    """A line that defines a label by an id: the label with its brackets, where the id begins, its mark and the key.

    `mark` is empty where the label is made of words.
    """

    label: Span
    id: int
    mark: str
    key: str


def defines_in_brackets(text: str) -> bool:
    """Say whether `text` may define something by an id in brackets, which a scan takes for any other marker."""
    return _IN_BRACKETS.search(text) is not None


def defined(text: str) -> Iterator[Defined]:
    """Yield the lines of `text` that define a label by an evidence id, in order."""
    for found in _DEFINES.finditer(text):
        at, low = found.end(), max(0, found.start() - _REACH)
        line = text.rfind("\n", low, at) + 1
        if not line and low:
            continue
        label = _LABEL.fullmatch(text, line, found.start() + 1)
        if label is None:
            continue
        one = read(text, at, len(text)) or malformed(text, at, min(len(text), at + _TARGET))
        if one is not None and not _goes_on(text, one.end):
            yield Defined(label.span("label"), at, _mark(label["mark"]), one.key)


def _goes_on(text: str, end: int) -> bool:
    """Say whether an id that ends there begins a sentence: then its line says something, and defines nothing."""
    rest = _DRESS.match(text, end)
    following = text[rest.end() : rest.end() + 3] if rest is not None else ""
    return following[:1].islower() and following != "ev1"


def _mark(label: str) -> str:
    """Return a label as marks are compared, or nothing where it is made of words or holds an id."""
    label = " ".join(label.split())
    is_mark = _MARK.fullmatch(label) is not None and next(written_ids(label, 0, len(label)), None) is None
    return label.casefold() if is_mark else ""


def used(
    text: str, occurrences: list[Occurrence], definitions: Collection[Defined], taken: Iterable[Span]
) -> list[Occurrence]:
    """Return `occurrences` with the uses of marks that are defined, which cite what the definition names.

    Of a definition that is used, the id is a part. `taken` are spans in which no mark is looked for.
    """
    marks: dict[str, Defined] = {}
    for one in definitions:
        if one.mark:
            marks.setdefault(one.mark, one)
    if not marks:
        return occurrences
    taken = joined(sorted([*taken, *(one.label for one in definitions)]))
    found: list[Occurrence] = []
    ids: set[int] = set()
    for brackets in _BRACKETS.finditer(text):
        parts = _uses(text, brackets, marks)
        if not parts or not is_free(taken, *brackets.span()) or not _is_use(text, *brackets.span()):
            continue
        marker = brackets.span()
        for start, end, definition in parts:
            span = marker if len(parts) == 1 else (start, end)
            ids.add(definition.id)
            found.append(
                Occurrence(
                    *span, definition.key, text[span[0] : span[1]], marker, full=True, form="evidence_id",
                    repairs=_HOW, where="bracket" if len(parts) == 1 else "group",
                )
            )  # fmt: skip
    places = sorted(ids)
    kept = [
        one._replace(definition=False, where="definition") if _defines(one, places) else one
        for one in occurrences
    ]
    return sorted([*kept, *found], key=_start)


def _start(occurrence: Occurrence) -> int:
    return occurrence.start


def _uses(text: str, brackets: re.Match[str], marks: Mapping[str, Defined]) -> list[tuple[int, int, Defined]]:
    """Return the parts of brackets that are marks, and what each stands for; none where it says something else."""
    found: list[tuple[int, int, Defined]] = []
    for part in _PART.finditer(text, *brackets.span("body")):
        written = part.group()
        words = " ".join(written.split())
        definition = marks.get(words.casefold())
        if definition is not None:
            start = part.start() + len(written) - len(written.lstrip())
            found.append((start, start + len(written.strip()), definition))
        elif not found or (_MARK.fullmatch(words) or _LOCATOR.fullmatch(words)) is None:
            return []
    return found


def _is_use(text: str, start: int, end: int) -> bool:
    """Say whether brackets are no escaped ones, have no address of their own, and define nothing."""
    if text.startswith("\\", max(0, start - 1), start):
        return False
    if text.startswith("(", end):
        return link(text, end, min(len(text), end + _TARGET), hard=True) is None
    if text.startswith(":", end):
        line = text.rfind("\n", max(0, start - _REACH), start) + 1
        return _LABEL.fullmatch(text, line, end) is None
    return True


def _defines(one: Occurrence, places: Sequence[int]) -> bool:
    index = bisect_left(places, one.start)
    return one.form == "evidence_id" and index < len(places) and places[index] < one.end
