"""A row is a header where something speaks for it, and only there."""

from __future__ import annotations

import pytest

from pincite.reading._headers import BOLD, is_value, layout_of


def rows(*lines: str, bold: tuple[int, ...] = ()) -> list[tuple[int, list[tuple[int, str, int]]]]:
    """Return rows of cells parted by bars, numbered from 1; empty ones are none, `bold` are numbers of rows."""
    return [
        (
            number,
            [
                (column, text, is_value(text) | (BOLD if number in bold else 0))
                for column, cell in enumerate(line.split("|"), 1)
                if (text := cell.strip())
            ],
        )
        for number, line in enumerate(lines, 1)
    ]


def header(
    *lines: str, bold: tuple[int, ...] = (), declared: frozenset[int] = frozenset()
) -> tuple[int, int]:
    """Return how many rows stand over a table, and how many are its header."""
    layout = layout_of(rows(*lines, bold=bold), [], set(declared), None)
    return layout.lead, layout.headers


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("Item|Price|Note", "Widget|4|x", "Gadget|5|y"), (0, 1)),
        (("Prices of 2024", "Item|Price|Note", "Widget|4|x", "Gadget|5|y"), (1, 1)),
        (("Item|Price", "Widget|4", "Gadget|5", "Nut|1"), (0, 1)),
        (("name|city", "Alice|Paris", "Bob|Rome", "Cy|Bonn"), (0, 1)),
        (("Name|Country", "Al|France", "Bo|Spain", "Cy|France", "Di|Spain"), (0, 1)),
        (("Date|Text|By", "2024-01-01|One|A", "2024-01-02|Two|B"), (0, 1)),
        (("|2022|2023", "Revenue|100|120", "Costs|80|90"), (0, 1)),
        (("Item|Price", "Bell|4.50 EUR", "Horn|9.00 EUR"), (0, 1)),
        (("Item|Unit price (EUR)", "Bell|4.50", "Horn|9"), (0, 1)),
        (("Artikel|Preis", "Glocke|4,50 €"), (0, 1)),
    ],
)
def test_headers(lines: tuple[str, ...], expected: tuple[int, int]) -> None:
    """Names over numbers, over dates, over what repeats; years over figures, with nothing over the labels."""
    assert header(*lines) == expected


@pytest.mark.parametrize(
    "lines",
    [
        ("Widget|4", "Gadget|5", "Nut|1", "Bolt|2"),
        ("Alice|Bob", "Carol|Dave", "Erin|Frank", "Grace|Heidi"),
        ("1|2", "3|4", "5|6", "7|8"),
        ("Anna Meier|Berlin|DE", "Ben Ode|Lagos|NG", "Cy Young|Rome|IT"),
        ("only|one|row",),
        ("2022|2023|2024", "100|120|140", "80|90|95"),
        ("Name|Alice", "Age|42"),
        ("Name|Alice", "Age|42", "Height|180"),
        ("Product|Bell", "Price|4.50 EUR", "Shipping|2.00 EUR"),
        ("Item|Price", "Bell|on request", "Horn|on request"),
        ("Alice", "Bob", "Carol"),
    ],
)
def test_no_header(lines: tuple[str, ...]) -> None:
    """Numbers in the first row, words like those below, one row, too few to tell: every line stays as it is."""
    assert header(*lines) == (0, 0)


def test_what_the_file_says_counts_before_everything() -> None:
    """A filter or a table names its header; bold type over plain is one too."""
    lines = ("Alice|Bob", "Carol|Dave", "Erin|Frank")
    assert header(*lines, declared=frozenset({1})) == (0, 1)
    assert header(*lines, bold=(1,)) == (0, 1)
    assert header(*lines, bold=(1, 2, 3)) == (0, 0)


def test_labels_with_their_values() -> None:
    """Two columns of which the first ends in colons are no table."""
    layout = layout_of(rows("Name:|Alice", "Age:|42", "Town:|Bonn"), [], set(), None)
    assert layout.is_pairs
    assert layout.names == {}


def test_cells_over_several_columns_head_them_all() -> None:
    """`2023` over `Q1` and `Q2` makes `2023 Q1` and `2023 Q2`."""
    table = rows("|2023||2024|", "Region|Q1|Q2|Q1|Q2", "North|1|2|3|4", "South|5|6|7|8")
    layout = layout_of(table, [(1, 2, 1, 3), (1, 4, 1, 5)], set(), None)
    assert layout.headers == 2
    assert layout.names == {1: "Region", 2: "2023 Q1", 3: "2023 Q2", 4: "2024 Q1", 5: "2024 Q2"}


def test_rows_that_go_on_behind_an_empty_one() -> None:
    """Without a header of their own, and of the same kinds, they keep the one above; others do not."""
    before = layout_of(rows("Item|Price|Note", "Widget|4|x", "Gadget|5|y"), [], set(), None)
    assert layout_of(rows("Total|9"), [], set(), before).names == before.names
    assert layout_of(rows("Total|none"), [], set(), before).names == {}


@pytest.mark.parametrize(
    "text",
    "4 -4 4.5 1,234.50 1'000 (12) 5% €12 12€ 1e5 2024-03-05 05.03.2024 3/5/24 12:30 2024-03-05T12:30:00Z TRUE".split(),
)
def test_values(text: str) -> None:
    """Numbers, amounts, shares, dates, times and truth values."""
    assert is_value(text)


@pytest.mark.parametrize("text", ["", "a", "4 apples", "Q1", "v1.2", "A4", "-", "n/a", "+", "1" * 41])
def test_words(text: str) -> None:
    """Everything else is words."""
    assert not is_value(text)
