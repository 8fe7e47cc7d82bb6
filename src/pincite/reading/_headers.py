"""Which rows of a table are its header: what the file says, how they are set, and how they differ from what follows.

A row that is wrongly taken for a header turns every line below it into nonsense, and one that is missed costs a few
words, so where nothing speaks for a header there is none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

VALUE, BOLD = 1, 2
"""What a cell is, as bits: a number, date, truth value or error, and set in bold."""

Cell = tuple[int, str, int]
"""Column, counted from 1, what the cell shows, and its bits."""
Row = tuple[int, list[Cell]]
"""Number, counted from 1, and cells from left to right; there is at least one."""

# A number, amount or share; a date or time; a truth value. Linear: each run holds no character that may follow it.
_AMOUNT = re.compile(
    r"[-+(−]{0,2}[$€£¥₹]?\s?[-+−]?\.?\d[\d.,'’\u00a0\u202f]*(?:[eE][-+]?\d+)?\s?[%‰$€£¥₹]?\)?"
)
_MOMENT = re.compile(
    r"\d{1,4}([-./])\d{1,2}\1\d{1,4}(?:[T ]\d{1,2}:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?"
)
_CLOCK = re.compile(r"\d{1,3}:\d\d(?::\d\d(?:\.\d+)?)?")
_TRUTH = frozenset({"true", "false"})
_LONGEST_VALUE = 40


_SAMPLE = 100
"""Rows below a header that are looked at."""
_MOST_LEAD = 10
"""Rows of one cell that may stand over a table: its title, when it was made."""
_MOST_HEADERS = 3
_LONGEST_LABEL = 300
"""Code points of a cell that may be a header."""
_MOST = 0.6
"""The share of a column that says what kind it is."""
_FEWEST_PAIRS = 2
_TWO_COLUMNS = 2
_ENOUGH = 3
"""Rows below a header that a table of two columns must have: fewer may as well be labels with their values."""
# What numbers are called, as the head of a column and never as the value of a label.
_QUANTITIES = frozenset(
    "amount amounts cost costs count fee fees number percent percentage price prices qty quantity rate share sum "
    "tariff total unit-price value weight anzahl betrag gebühr kosten menge preis preise summe wert montant nombre "
    "prix quantité tarif valeur cantidad importe precio valor importo prezzo quantità bedrag prijs".split()
)
_NAME_WORD = re.compile(r"[^\W\d_][\w-]*")
_LONG_TEXT = 12
_REPEATING = 4

# A year or a month, which may head a column of numbers: linear, bounded.
_PERIOD = re.compile(r"(?:19|20)\d\d(?:-\d\d(?:-\d\d)?)?")
_DIGIT = re.compile(r"\d")


LOOKED_AT = _MOST_LEAD + _MOST_HEADERS + _SAMPLE
"""Rows of a table whose cells are told apart by what they are."""


def is_value(text: str) -> bool:
    """Say whether a cell holds a number, a date or a truth value."""
    if len(text) > _LONGEST_VALUE:
        return False
    return any(one.fullmatch(text) for one in (_AMOUNT, _MOMENT, _CLOCK)) or text.casefold() in _TRUTH


@dataclass(frozen=True, slots=True)
class Layout:
    """How a table is laid out: rows of one cell over it, header rows, and the columns' names.

    `is_pairs` says that each row is a label and its value. `kinds` says of which columns most cells are values.
    """

    lead: int = 0
    headers: int = 0
    names: dict[int, str] = field(default_factory=dict[int, str])
    is_pairs: bool = False
    kinds: dict[int, bool] = field(default_factory=dict[int, bool])


def layout_of(
    rows: list[Row],
    merged: list[tuple[int, int, int, int]],
    declared: set[int],
    before: Layout | None,
) -> Layout:
    """Return how a table is laid out; `before` is the one that stands over it on its sheet and has names.

    `merged` are first row, first column, last row, last column of merged cells, `declared` rows that the file says are
    headers.
    """
    width = len({column for _, cells in rows for column, _, _ in cells})
    lead = _lead(rows, width, declared)
    count = _declared(rows, lead, declared) or _styled(rows, lead, width) or 0
    if not count and _is_pairs(rows[lead:], width):
        return Layout(lead=lead, is_pairs=True)
    wide = {(top, left): right for top, left, _, right in merged if right > left}
    if not count:
        count = _spanned(rows, lead, wide)
        body = rows[lead + count : lead + count + _SAMPLE]
        if not _differs(rows[lead + count - 1][1], body, width):
            count = 0
    kinds = _kinds(rows[lead + count : lead + count + _SAMPLE])
    if count:
        return Layout(lead, count, _names(rows[lead : lead + count], wide), kinds=kinds)
    if before is not None and width > 1 and _goes_on(kinds, before):
        return Layout(names=before.names, kinds=before.kinds)
    return Layout(lead)


def _lead(rows: list[Row], width: int, declared: set[int]) -> int:
    """Return how many rows of one cell stand over a table that has more columns."""
    lead = 0
    if width > 1:
        while (
            lead < min(_MOST_LEAD, len(rows) - 1)
            and len(rows[lead][1]) == 1
            and rows[lead][0] not in declared
        ):
            lead += 1
    return lead


def _declared(rows: list[Row], lead: int, declared: set[int]) -> int:
    if not declared:
        return 0
    for count in range(1, min(_MOST_HEADERS, len(rows) - 1 - lead) + 1):
        if rows[lead + count - 1][0] in declared:
            return count
    return 0


def _styled(rows: list[Row], lead: int, width: int) -> int:
    """Return 1 when the first row is set in bold and the one below it is not."""
    if len(rows) < lead + 2:
        return 0
    head, below = rows[lead][1], rows[lead + 1][1]
    is_bold = all(kind & BOLD for _, _, kind in head) and not all(kind & BOLD for _, _, kind in below)
    return int(is_bold and are_labels(head) and (len(head) > 1 or width == 1) and not _is_data(head, below))


def _is_pairs(rows: list[Row], width: int) -> bool:
    """Say whether each row is a label and its value: the labels end in a colon, or they alone are bold."""
    if width != _TWO_COLUMNS or len(rows) < _FEWEST_PAIRS:
        return False
    heads = [cells[0] for _, cells in rows]
    values = [cells[1] for _, cells in rows if len(cells) == _TWO_COLUMNS]
    colons = sum(text.endswith((":", "：")) for _, text, _ in heads)
    if colons >= _MOST * len(heads):
        return True
    return all(kind & BOLD and not kind & VALUE for _, _, kind in heads) and not any(
        kind & BOLD for _, _, kind in values
    )


def _spanned(rows: list[Row], lead: int, wide: dict[tuple[int, int], int]) -> int:
    """Return of how many rows a header is made if it is one: cells over several columns head those of the next row."""
    count = 1
    while (
        count < _MOST_HEADERS
        and lead + count + 1 < len(rows)
        and any((rows[lead + count - 1][0], column) in wide for column, _, _ in rows[lead + count - 1][1])
        and are_labels(rows[lead + count][1])
    ):
        count += 1
    return count


def are_labels(cells: list[Cell]) -> bool:
    """Say whether all cells of a row may name columns: words, years, months."""
    return all(
        len(text) <= _LONGEST_LABEL and (not kind & VALUE or _PERIOD.fullmatch(text) is not None)
        for _, text, kind in cells
    )


def _is_data(head: list[Cell], below: list[Cell]) -> bool:
    """Say whether a row holds nothing but years and dates, and none is missing over the labels of the rows."""
    return head[0][0] <= below[0][0] and all(kind & VALUE for _, _, kind in head)


def _differs(head: list[Cell], body: list[Row], width: int) -> bool:
    """Say whether a row is unlike those below it in the way in which a header is."""
    if not body or not are_labels(head) or _is_data(head, body[0][1]):
        return False
    if width == _TWO_COLUMNS and len(body) < _ENOUGH and not _heads_numbers(head, body):
        return False
    names = {column: text for column, text, _ in head}
    columns = _columns(body)
    unnamed = sum(column not in names for column in columns)
    if unnamed > max(1, width // 3) or len({text.casefold() for text in names.values()}) * 2 <= len(names):
        return False
    return sum(_vote(names[column], cells) for column, cells in columns.items() if column in names) > 0


def _heads_numbers(head: list[Cell], body: list[Row]) -> bool:
    """Say whether the second of two columns is named as numbers are, and holds nothing else."""
    named = [word.casefold() for word in _NAME_WORD.findall(head[-1][1])]
    return (
        len(head) == _TWO_COLUMNS
        and not _QUANTITIES.isdisjoint(named)
        and all(len(cells) == _TWO_COLUMNS and _DIGIT.search(cells[1][1]) is not None for _, cells in body)
    )


def _columns(rows: Iterable[Row]) -> dict[int, list[Cell]]:
    columns: dict[int, list[Cell]] = {}
    for _, cells in rows:
        for cell in cells:
            columns.setdefault(cell[0], []).append(cell)
    return columns


def _vote(name: str, cells: list[Cell]) -> int:
    """Return how much a column speaks for its first cell being a name, below zero for how much against."""
    texts = [text for _, text, _ in cells]
    count = len(texts)
    if name in texts:
        return -2
    if sum(kind & VALUE for _, _, kind in cells) >= _MOST * count:
        is_period = _PERIOD.fullmatch(name) is not None
        return 0 if is_period and any(_PERIOD.fullmatch(text) is not None for text in texts) else 2
    digits = sum(_DIGIT.search(text) is not None for text in texts)
    mean = sum(map(len, texts)) / count
    small = name[:1].islower() and sum(text[:1].isupper() for text in texts) >= _MOST * count
    return (
        (digits >= _MOST * count and _DIGIT.search(name) is None)
        + (count >= _REPEATING and len(set(texts)) * 2 <= count)
        + (mean >= max(_LONG_TEXT, 2 * len(name)))
        + small
    )


def _kinds(rows: list[Row]) -> dict[int, bool]:
    return {
        column: sum(kind & VALUE for _, _, kind in cells) >= _MOST * len(cells)
        for column, cells in _columns(rows).items()
    }


def _goes_on(kinds: dict[int, bool], before: Layout) -> bool:
    """Say whether rows go on with the table that stands over them: the same columns, of the same kinds."""
    return min(kinds) == min(before.names) and all(
        before.kinds.get(column) is kind for column, kind in kinds.items()
    )


def _names(rows: list[Row], wide: dict[tuple[int, int], int]) -> dict[int, str]:
    """Return the columns' names: what stands over each, from the top."""
    names: dict[int, list[str]] = {}
    for column, text in _heads(rows, wide):
        names.setdefault(column, []).append(text)
    return {column: " ".join(parts) for column, parts in names.items()}


def _heads(rows: list[Row], wide: dict[tuple[int, int], int]) -> Iterator[tuple[int, str]]:
    last_row = rows[-1][0]
    last_column = max(cells[-1][0] for _, cells in rows)
    for number, cells in rows:
        for column, text, _ in cells:
            end = min(wide.get((number, column), column), last_column) if number != last_row else column
            for one in range(column, end + 1):
                yield one, text
