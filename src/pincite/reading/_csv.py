"""Text with separators -> rows: which sign parts the fields, which rows take several lines, which cells are values."""

from __future__ import annotations

import csv
import re
from collections import Counter
from io import StringIO
from itertools import islice
from typing import TYPE_CHECKING

from pincite.core.errors import TooLargeError
from pincite.core.text import one_line
from pincite.reading._grid import Sheet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite.core.limits import Limits

_SEPARATORS = "\t;|,"
"""What may part fields; where two part a text equally well, the earlier one: commas stand in prose and in numbers."""
_SAMPLE = 1 << 16
"""Code points from which the separator is told."""
_SAMPLE_ROWS = 100
_LEAST_SHARE = 0.5
"""The share of rows that must have the same number of fields."""

# The first line with which Excel is told the separator: linear, anchored.
_TOLD = re.compile(r'\ufeff?"?sep=(.)"?\n', re.IGNORECASE)


def read_csv(text: str, *, name: str, limits: Limits) -> tuple[Sheet, int]:
    """Return the rows of `text`, which is in normal form, and how many lines stand before the first.

    Blank lines are rows, as in the programs that open such files; rows that take several lines have `lines`.

    Raises:
        TooLargeError: it has more cells than are allowed.
    """
    told = _TOLD.match(text)
    before = 0
    if told is not None:
        text, before = text[told.end() :], 1
    separator = told[1] if told is not None and told[1] not in '"\r' else separator_of(text)
    sheet = Sheet(is_typed=False)
    ends: list[int] = []
    left = limits.sheet_cells
    for end, fields in _rows(text, separator):
        left -= len(fields)
        if left < 0:
            msg = f"{one_line(name, 120)} has more than {limits.sheet_cells:,} cells, the limit."
            raise TooLargeError(msg)
        ends.append(before + end)
        cells = [
            (column, shown, 0) for column, cell in enumerate(fields, 1) if (shown := " ".join(cell.split()))
        ]
        if cells:
            sheet.rows.append((len(ends), cells))
    if ends and ends[-1] > before + len(ends):
        starts = [before, *ends]
        sheet.lines = {row: (starts[row - 1] + 1, starts[row]) for row, _ in sheet.rows}
    return sheet, before


def _rows(text: str, separator: str | None) -> Iterator[tuple[int, list[str]]]:
    """Yield the line in which each row ends, and its fields."""
    if separator is None:
        yield from enumerate(([line] for line in text.split("\n")), 1)
        return
    quoting = csv.QUOTE_MINIMAL if _is_quoted(text, separator) else csv.QUOTE_NONE
    reader = csv.reader(StringIO(text, newline="\n"), delimiter=separator, quoting=quoting)
    for fields in reader:
        yield reader.line_num, fields


def _is_quoted(text: str, separator: str) -> bool:
    """Say whether quotation marks enclose fields: not where one is never closed, which would swallow the rest."""
    csv.field_size_limit(max(csv.field_size_limit(), len(text) + 1))
    if '"' not in text:
        return False
    try:
        for _ in csv.reader(StringIO(text, newline="\n"), delimiter=separator, strict=True):
            pass
    except csv.Error as error:
        if "end of data" in str(error):
            return False
        sample = _sample(text)
        with_marks = _alike(csv.reader(StringIO(sample, newline="\n"), delimiter=separator))
        without = csv.reader(StringIO(sample, newline="\n"), delimiter=separator, quoting=csv.QUOTE_NONE)
        return with_marks[0] > _alike(without)[0]
    return True


def separator_of(text: str) -> str | None:
    """Return what parts the fields of `text`: the sign that gives most rows the same number of them, or None."""
    csv.field_size_limit(max(csv.field_size_limit(), len(text) + 1))
    sample = _sample(text)
    found = _separator_of(sample)
    # One quoted field may be longer than what is looked at.
    return found if found is not None or len(sample) == len(text) else _separator_of(text)


def _separator_of(sample: str) -> str | None:
    best, best_share = None, _LEAST_SHARE
    for separator in _SEPARATORS:
        share, width = _alike(csv.reader(StringIO(sample, newline="\n"), delimiter=separator))
        if width > 1 and share > best_share:
            best, best_share = separator, share
    return best


def _sample(text: str) -> str:
    """Return whole lines from the beginning of `text`."""
    sample = text[:_SAMPLE]
    return sample[: sample.rindex("\n") + 1] if len(text) > _SAMPLE and "\n" in sample else sample


def _alike(reader: Iterator[list[str]]) -> tuple[float, int]:
    """Return the share of rows that have the same number of fields as most, and that number."""
    counts = Counter(len(fields) for fields in islice(reader, _SAMPLE_ROWS) if any(fields))
    (width, rows), *_ = counts.most_common(1) or [(0, 0)]
    return rows / (counts.total() or 1), width
