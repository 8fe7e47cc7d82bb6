"""Numbers are written as the sheet shows them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.reading._number_formats import general, shape_of


def shown(code: str, value: float, *, from_1904: bool = False) -> str:
    """Return a number in a format."""
    shape = shape_of(200, code, from_1904=from_1904)
    return general(value) if shape is None else shape(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (4.0, "4"),
        (-7.0, "-7"),
        (0.1 + 0.2, "0.3"),
        (1234.5, "1234.5"),
        (4006381333931.0, "4006381333931"),
        (0.00001, "0.00001"),
        (1e20, "1E+20"),
        (1e-20, "1E-20"),
    ],
)
def test_a_number_without_a_format(value: float, text: str) -> None:
    """At most 15 digits, as a sheet keeps them, and no needless zeros."""
    assert general(value) == text


@pytest.mark.parametrize(
    ("code", "value", "text"),
    [
        ("0", 2.5, "3"),
        ("0.00", 4, "4.00"),
        ("0.00", 4.005, "4.01"),
        ("0.00", -0.001, "0.00"),
        ("0%", 0.25, "25%"),
        ("0.0%", 0.07, "7.0%"),
        ("0%", 0.125, "13%"),
        ("#,##0", 1234567, "1,234,567"),
        ("#,##0.00;(#,##0.00)", -1234.5, "(1,234.50)"),
        ("[$€-407] #,##0.00", 12.5, "€ 12.50"),
        ('#,##0.00 "EUR"', 1.1, "1.10 EUR"),
        ("#,##0.00\\ \\€", 1.1, "1.10 €"),
        ("0.##", 1.5, "1.5"),
        ("0.##", 1, "1"),
        ("00000", 42, "00042"),
        (".00", 0.5, ".50"),
        ('0.0,,"M"', 12345678, "12.3M"),
        ("0.00E+00", 12345, "1.23E+04"),
        ("# ?/?", 0.5, "0.5"),
        ('General "kg"', 4.5, "4.5 kg"),
        ("[Red]0.0;[Blue]-0.0", -3, "-3.0"),
        ('"yes";"no";"none"', 0, "none"),
        ("_-* #,##0.00_-;-* #,##0.00_-", -5, "-5.00"),
        (";;;", 4, ""),
        ("@", 4, "4"),
    ],
)
def test_numbers(code: str, value: float, text: str) -> None:
    """Decimals, groups, signs, shares, currencies, words, thousands and powers; fractions are written as decimals."""
    assert shown(code, value) == text


@pytest.mark.parametrize(
    ("code", "value", "text"),
    [
        ("dd/mm/yyyy", 45356, "2024-03-05"),
        ("m/d/yy", 45356.9, "2024-03-05"),
        ("mmm yyyy", 45356, "2024-03-05"),
        ("dd.mm.yyyy hh:mm", 45356.5, "2024-03-05 12:00"),
        ("yyyy-mm-dd hh:mm:ss", 45356 + 1 / 86400, "2024-03-05 00:00:01"),
        ("h:mm AM/PM", 0.75, "18:00"),
        ("[h]:mm", 1.5, "36:00"),
        ("mm:ss", 0.01, "0:14:24"),
        ("[$-409]d mmm;@", 45356, "2024-03-05"),
        ("d", 1, "1900-01-01"),
        ("d", 59, "1900-02-28"),
        ("d", 60, "1900-02-29"),
        ("d", 61, "1900-03-01"),
        ("d", -1, "-1"),
        ("d", 3e6, "3000000"),
    ],
)
def test_dates_and_times_are_iso_8601(code: str, value: float, text: str) -> None:
    """How a sheet shows a date differs from machine to machine; 45356 is 5 March 2024. 1900 has a day too many."""
    assert shown(code, value) == text


def test_sheets_that_count_from_1904() -> None:
    """Old Macs began four years later."""
    assert shown("yyyy", 0, from_1904=True) == "1904-01-01"
    assert shown("yyyy", 43894, from_1904=True) == "2024-03-05"


@pytest.mark.parametrize(
    ("number", "value", "text"),
    [(2, 4, "4.00"), (9, 0.5, "50%"), (14, 45356, "2024-03-05"), (4, 1e4, "10,000.00")],
)
def test_formats_that_every_sheet_has(number: int, value: float, text: str) -> None:
    """A format under 164 has a number and no code."""
    shape = shape_of(number, None, from_1904=False)
    assert shape is not None
    assert shape(value) == text


@given(st.text(max_size=60), st.floats(allow_nan=False, allow_infinity=False))
def test_any_format_writes_any_number(code: str, value: float) -> None:
    """A format comes out of a file that may be hostile: it gives some text, of a length that it does not choose."""
    assert len(shown(code, value)) < 900
