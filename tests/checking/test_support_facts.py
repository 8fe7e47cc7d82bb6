"""Numbers, dates and times of day: how they are read, and when two are the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.checking._facts import Fact, differs, same
from pincite.checking._figures import facts_of
from pincite.checking._terms import related, stem, words_of


def read(text: str) -> list[Fact]:
    """Return the facts of a text."""
    return facts_of(text, words_of(text))


def only(text: str) -> Fact:
    """Return the one fact of a text."""
    (fact,) = read(text)
    return fact


@pytest.mark.parametrize(
    ("text", "value", "dimension"),
    [
        ("1,250", 1250, ""),
        ("1.250", 1250, ""),
        ("1 250", 1250, ""),
        ("1'250", 1250, ""),
        ("1.250,50 €", 1250.5, "money €"),
        ("$45m", 45_000_000, "money $"),
        ("45 m", 45, "length"),
        ("EUR 3.5 billion", 3_500_000_000, "money €"),
        ("12,5 %", 12.5, "share"),
        ("12.5 per cent", 12.5, "share"),
        ("3 percentage points", 3, "points"),
        ("-5 °C", -5, "celsius"),
        ("–5 °C", -5, "celsius"),
        ("5 km", 5000, "length"),
        ("2 h", 7200, "time"),
        ("3 years", 36, "months"),
        ("5-day", 432_000, "time"),
        ("five days", 432_000, "time"),
        ("twenty-five people", 25, ""),
        ("two hundred and fifty people", 250, ""),
        ("3億円", 300_000_000, "money ¥"),
        ("5時間", 18_000, "time"),
        ("45%です", 45, "share"),
        ("１２ kg", 12_000, "mass"),
        ("٤٥٪", 45, "share"),
        ("5 MW", 5e6, "power"),
        ("5 mW", 0.005, "power"),
        ("14:30", 870, "clock"),
        ("2:30 pm", 870, "clock"),
        ("2:30 p.m.", 870, "clock"),
    ],
)
def test_a_number_is_read_with_its_unit(text: str, value: float, dimension: str) -> None:
    """In the base of its dimension: metres, seconds, months, grams."""
    fact = only(text)
    assert value in fact.values
    assert fact.dimension == dimension
    assert (fact.start, fact.end) in {
        (0, len(text)),
        (0, len(text) - 2),
        (0, len(text) - 1),
        (0, len(text) - 7),
    }


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("12 March 2020", (2020, 3, 12)),
        ("12th of March 2020", (2020, 3, 12)),
        ("March 12, 2020", (2020, 3, 12)),
        ("Mar. 12, 2020", (2020, 3, 12)),
        ("2020-03-12", (2020, 3, 12)),
        ("12.03.2020", (2020, 3, 12)),
        ("12. März 2020", (2020, 3, 12)),
        ("12 mars 2020", (2020, 3, 12)),
        ("12 de marzo de 2020", (2020, 3, 12)),
        ("12 марта 2020", (2020, 3, 12)),
        ("2020年3月12日", (2020, 3, 12)),
        ("March 2020", (2020, 3, None)),
        ("12 March", (None, 3, 12)),
        ("in 2020", (2020, None, None)),
    ],
)
def test_a_date_is_read_in_words_and_digits(
    text: str, date: tuple[int | None, int | None, int | None]
) -> None:
    """Year, month and day, as far as they are said."""
    assert date in only(text).dates


@pytest.mark.parametrize(
    "text", ["COVID-19", "B12", "H2O", "no figure", "x86", "Boeing-747", "may I", "a 12345678901234567890"]
)
def test_what_is_no_number_is_none(text: str) -> None:
    """Digits of a name count nothing."""
    assert read(text) == []


def test_both_ends_of_a_range_have_its_unit() -> None:
    """Five to ten days are days twice; so are millions."""
    assert [fact.dimension for fact in read("from 5 to 10 days, 10–20 %")] == [
        "time",
        "time",
        "share",
        "share",
    ]
    assert [fact.values for fact in read("5 to 10 million")] == [(5e6,), (10e6,)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,250 people", "1250 people"),
        ("5 days", "five days"),
        ("90 minutes", "1.5 hours"),
        ("12 months", "a term of 1 year, or 12 months"),
        ("2 km", "2,000 m"),
        ("45 %", "45 percent"),
        ("March 2020", "12 March 2020"),
        ("2020", "12 March 2020"),
        ("12 March", "March 12, 2020"),
        ("03/12/2020", "12 March 2020"),
        ("03/12/2020", "3 December 2020"),
        ("about 50 people", "48.7 people"),
        ("5.2 million people", "5,234,567 people"),
        ("over 250 EUR", "250 EUR"),
        ("600.00 EUR", "600.00"),
    ],
)
def test_the_same_in_another_writing_is_the_same(one: str, other: str) -> None:
    """Units are converted, dates may say less, and what is said to be rounded may be."""
    assert any(same(said, there) for said in read(one) for there in read(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,250 people", "1,520 people"),
        ("5 days", "5 hours"),
        ("5 mg", "5 g"),
        ("45 %", "45 EUR"),
        ("-5 °C", "5 °C"),
        ("12 March 2020", "12 March 2021"),
        ("12 March 2020", "13 March 2020"),
        ("over 250 EUR", "under 250 EUR"),
        ("at least 3 days", "at most 3 days"),
        ("50 people", "48.7 people"),
        ("5 million people", "5.4 million people"),
        ("version 3.11.2", "version 3.11.4"),
        ("14:30", "15:30"),
        ("room 2", "room 3"),
    ],
)
def test_another_one_is_not_the_same_and_speaks_of_the_same_thing(one: str, other: str) -> None:
    """What differs contradicts only where the kind is the same."""
    said, there = only(one), only(other)
    assert not same(said, there)
    assert differs(said, there)


@pytest.mark.parametrize(
    ("one", "other"),
    [("45 people", "12 machines"), ("5 days", "7 EUR"), ("12 March", "in 2020"), ("2020-01-01", "5 kg")],
)
def test_numbers_of_other_things_have_nothing_to_do_with_each_other(one: str, other: str) -> None:
    """Neither the same nor different."""
    said, there = only(one), only(other)
    assert not same(said, there)
    assert not differs(said, there)


@given(st.integers(0, 10**14))
def test_any_whole_number_is_itself_with_and_without_groups(number: int) -> None:
    """However its thousands are parted."""
    plain = only(f"{number}")
    for grouped in (f"{number:,}", f"{number:,}".replace(",", " "), f"{number:_}".replace("_", ".")):
        assert same(plain, only(grouped))


@given(st.integers(2, 9_999))
def test_any_number_in_chinese_characters_is_the_one_in_figures(number: int) -> None:
    """Thousands, hundreds and tens, with the sign for nought where one is left out."""
    written = ""
    for worth, sign in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // worth % 10
        if digit:
            written += "零一二三四五六七八九"[digit] + sign
        elif written and not written.endswith("零") and number % worth:
            written += "零"
    assert only(f"{written}人").values == only(f"{number}人").values


@given(st.text(max_size=80))
def test_facts_of_any_text_are_in_it_and_in_order(text: str) -> None:
    """Nothing raises; no two share a place."""
    at = 0
    for fact in read(text):
        assert at <= fact.start < fact.end <= len(text)
        at = fact.start + 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("organisation", "organizations"),
        ("approve", "approved"),
        ("study", "studies"),
        ("running", "runs"),
        ("colour", "colors"),
        ("paid", "pay"),
        ("installation", "installed"),
        ("children", "child"),
    ],
)
def test_forms_of_a_word_have_one_stem(one: str, other: str) -> None:
    """Light endings of English."""
    assert stem(one) == stem(other) != ""


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("genehmigt", "genehmigung", True),
        ("approv", "approval", True),
        ("contract", "contrast", False),
        ("internal", "international", False),
        ("hypertension", "hypotension", False),
        ("cat", "cats", False),
    ],
)
def test_a_long_common_beginning_makes_forms_of_a_word(one: str, other: str, alike: bool) -> None:  # noqa: FBT001 - a column of the table
    """With little behind it, and not for short words."""
    assert related(one, other) is related(other, one) is alike
