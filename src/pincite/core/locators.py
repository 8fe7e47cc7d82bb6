"""Where a person looks for a passage."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from typing import Any

# An A1 range: column letters and row number, once or twice. Linear, bounded runs.
_RANGE = re.compile(r"([A-Z]{1,8})(\d{1,12})(?::([A-Z]{1,8})(\d{1,12}))?")


@dataclass(frozen=True, slots=True)
class Locator:
    """A place in a source, as far as its format knows one; every field may be absent.

    `page` is the physical number (1 is the first), `page_label` what is printed on it, `headings` the trail
    from the outermost heading in, `line` and `line_end` lines of a text file (1 is the first), `sheet` and `cells` a
    part of a sheet (`B4:F9`), `slide` a slide and `paragraph` a paragraph of the body (1 is the first), `time` seconds
    from the beginning, `pointer` a JSON Pointer (RFC 6901), `part` what a person calls a part of a book or mail. `ocr`
    is true where words were read from a picture. `columns` is the header of a table of which the place holds later
    rows, as it is written there: cells are parted by ` | `, and there is one line for each row of a header.
    """

    page: int | None = None
    page_end: int | None = None
    page_label: str | None = None
    headings: tuple[str, ...] = ()
    line: int | None = None
    line_end: int | None = None
    sheet: str | None = None
    cells: str | None = None
    slide: int | None = None
    slide_end: int | None = None
    paragraph: int | None = None
    paragraph_end: int | None = None
    time: float | None = None
    time_end: float | None = None
    pointer: str | None = None
    part: str | None = None
    ocr: bool | None = None
    columns: str | None = None

    @property
    def section(self) -> str | None:
        """The innermost heading."""
        return self.headings[-1] if self.headings else None

    def describe(self) -> str:
        """Say the place in a few words: `page 4, Expenses`, `sheet Prices, A5:F12`; empty when nothing is known."""
        parts = [part for part in (self._page(), *self._others()) if part]
        if self.section and self.section not in (self.sheet, self.part):
            parts.append(self.section)
        return ", ".join(parts)

    def _page(self) -> str | None:
        if self.page is None:
            return f"page {self.page_label}" if self.page_label is not None else None
        name = _span("page", self.page, self.page_end)
        printed = self.page_label is not None and self.page_label != str(self.page)
        return f"{name} (printed {self.page_label})" if printed else name

    def _others(self) -> tuple[str | None, ...]:
        placed = self.page is not None or self.page_label is not None
        return (
            _span("slide", self.slide, self.slide_end),
            f"sheet {self.sheet}" if self.sheet is not None else None,
            self.cells,
            self.part,
            _span("paragraph", self.paragraph, self.paragraph_end),
            _clock(self.time, self.time_end),
            self.pointer if self.pointer != "" else "top level",
            None if placed else _span("line", self.line, self.line_end),
        )

    def joined(self, other: Locator) -> Locator:
        """Return the place from this one to `other`, which comes after it.

        What both are numbered by runs from the first to the last; cells of one sheet are joined to the smallest range
        over both, pointers to what they have in common. Of what only one of them can be, this one's stays.
        """
        known: dict[str, Any] = {}
        for first, last in _RUNS:
            here, there = getattr(self, first), getattr(other, first)
            if here is None or there is None:
                continue
            ends = [value for one in (self, other) for value in (getattr(one, first), getattr(one, last))]
            known[first] = min(here, there)
            known[last] = max(value for value in ends if value is not None)
        if self.sheet == other.sheet and self.cells is not None and other.cells is not None:
            known["cells"] = _cells(self.cells, other.cells)
        if self.pointer is not None and other.pointer is not None:
            known["pointer"] = _common(self.pointer, other.pointer)
        return replace(self, **known)

    def as_dict(self) -> dict[str, Any]:
        """Return the fields that are known, as JSON holds them."""
        known = {name: getattr(self, name) for name in _FIELDS}
        known["headings"] = list(self.headings) or None
        return {name: value for name, value in known.items() if value is not None}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Locator:
        """Build a locator from what `as_dict` made."""
        known: dict[str, Any] = {**data, "headings": tuple(data.get("headings", ()))}
        return cls(**known)


_FIELDS = tuple(field.name for field in fields(Locator))
_RUNS = (
    ("page", "page_end"),
    ("line", "line_end"),
    ("slide", "slide_end"),
    ("paragraph", "paragraph_end"),
    ("time", "time_end"),
)
"""Fields of a first place, and of a last one."""


def _span(noun: str, first: int | None, last: int | None) -> str | None:
    if first is None:
        return None
    return f"{noun} {first}" if last is None or last == first else f"{noun}s {first}-{last}"


def _clock(first: float | None, last: float | None) -> str | None:
    if first is None:
        return None
    return clock(first) if last is None or last == first else f"{clock(first)}-{clock(last)}"


def clock(seconds: float) -> str:
    """Return seconds as people write a time in a recording: `1:02`, `1:00:07`; parts of a second are left out."""
    minutes, rest = divmod(int(max(0.0, seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _cells(one: str, other: str) -> str:
    """Return the smallest A1 range over two."""
    corners: list[tuple[int, int]] = []
    for written in (one, other):
        match = _RANGE.fullmatch(written)
        if match is None:
            return one
        corners.append((column_number(match[1]), int(match[2])))
        if match[3] is not None:
            corners.append((column_number(match[3]), int(match[4])))
    columns, rows = zip(*corners, strict=True)
    return cell_range(min(columns), min(rows), max(columns), max(rows))


def cell_range(first_column: int, first_row: int, last_column: int, last_row: int) -> str:
    """Return an A1 range (`B4:F9`, or `B4` for one cell); columns and rows count from 1."""
    first, last = f"{column_name(first_column)}{first_row}", f"{column_name(last_column)}{last_row}"
    return first if first == last else f"{first}:{last}"


def column_name(number: int) -> str:
    """Return the letters of a column: 1 is A, 27 is AA."""
    letters = ""
    while number > 0:
        number, letter = divmod(number - 1, 26)
        letters = chr(65 + letter) + letters
    return letters


def column_number(name: str) -> int:
    """Return the number of a column: A is 1, AA is 27."""
    number = 0
    for letter in name:
        number = 26 * number + ord(letter) - 64
    return number


def _common(one: str, other: str) -> str:
    """Return the JSON Pointer of the smallest value that holds both."""
    shared: list[str] = []
    for here, there in zip(one.split("/"), other.split("/"), strict=False):
        if here != there:
            break
        shared.append(here)
    return "/".join(shared)
