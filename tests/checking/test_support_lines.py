"""Line breaks in what is checked: inside a number or a date they are spaces, between items and rows they part."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.checking import check_support, verify_quote
from pincite.checking._asked import spaced
from pincite.core.verdicts import QuoteVerdict, SupportVerdict

SUPPORTED, CONTRADICTED = SupportVerdict.SUPPORTED, SupportVerdict.CONTRADICTED

# What is claimed; in the source one line break stands at each bar.
BROKEN = [
    "In May half|of the members voted.",
    "Two|thirds of the members voted.",
    "The fee is 20|EUR for a month.",
    "The fee is EUR|20 for a month.",
    "The fee is 20 EUR|per month.",
    "The hall opens on 3|June 2024.",
    "The hall opens on 3 June|2024.",
    "The hall opens on June|3, 2024.",
    "The price is 1|000 EUR.",
    "The course lasts more|than 5 days.",
    "The bridge cost 5|million euros.",
    "The course lasts twenty|five days.",
    "Two hundred|and fifty people came.",
    "The work takes 5|to 10 days.",
    "Install version|3.2 of the driver.",
    "The rate rose by 5 percentage|points.",
    "The desk opens at 9|am.",
    "The fee is at|most 20 EUR.",
    "The fee is not 20|EUR.",
]


@pytest.mark.parametrize("claim", BROKEN)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\n    ", "  \n"])
def test_finding_line_break_inside_a_number_makes_a_true_claim_partial(claim: str, end: str) -> None:
    """A text that was wrapped says what it says on one line, and so does a claim that was."""
    told, broken = claim.replace("|", " "), claim.replace("|", end)
    assert check_support(told, [broken]).verdict is SUPPORTED
    assert check_support(broken, [told]).verdict is SUPPORTED
    assert check_support(told, [f"- A first item\n- {broken}\n- A last item"]).verdict is SUPPORTED
    quote = verify_quote(told, broken)
    assert quote.verdict in (QuoteVerdict.VERBATIM, QuoteVerdict.TYPOGRAPHIC)


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The bridge cost 5 million euros.", "The bridge cost 5\n\nmillion euros."),
        ("The number of guests is 5120.", "The number of guests\n5\n120\n7"),
        ("The bridge cost 5 million euros.", "- The bridge cost 5\n- million euros"),
        ("The bridge cost 5 million euros.", "The bridge | cost 5\nmillion euros | no more"),
    ],
)
def test_finding_a_break_that_parts_is_no_space(claim: str, passage: str) -> None:
    """A blank line, the break between two items or rows, and that between two numbers of a column."""
    reasons = check_support(claim, [passage]).reasons
    assert "number" in {reason.kind.value for reason in reasons}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("one line", "one line"),
        ("20\nEUR", "20 EUR"),
        ("20  \r\n  EUR", "20 EUR"),
        ("Stock\n5\n120\nof all", "Stock\n5\n120\nof all"),
        ("costs 1\n000 EUR", "costs 1 000 EUR"),
    ],
)
def test_a_line_break_is_a_space_but_in_a_column(text: str, said: str) -> None:
    """With the blanks around it."""
    assert spaced(text) == said


@given(st.text(alphabet="a1 .,\n\r\t", max_size=60))
def test_what_is_not_white_space_stays(text: str) -> None:
    """Whatever the lines are."""
    assert "".join(spaced(text).split()) == "".join(text.split())


def test_a_megabyte_of_lines_is_joined_in_linear_time() -> None:
    """The guard against hanging would notice."""
    for worst in ("1\n" * 500_000, " " * 1_000_000 + "\n", "1,\n a" * 200_000, "1" * 1_000_000 + "\n"):
        spaced(worst)


BULLETS = (
    "Fees of the club\n\n- Adults pay 12 EUR for the spring season\n- Children pay 6 EUR for the spring season\n"
    "- Members pay 9 EUR for the spring season"
)
CHECKS = (
    "1. The first aid kit is checked every 30 days by the desk\n2. The lift is checked every 90 days by the desk\n"
    "3. The alarm is checked every 7 days by the desk"
)
NAMED = "Plan | Price | Users\nBasic plan | 20 EUR | 5\nTeam plan | 45 EUR | 20\nBig plan | 90 EUR | 80"
LABELLED = (
    "Plan: Basic | Price: 20 EUR | Users: 5\nPlan: Team | Price: 45 EUR | Users: 20\n"
    "Plan: Big | Price: 90 EUR | Users: 80"
)
MARKDOWN = "| Plan | Price | Users |\n|---|---|---|\n| Basic | 20 EUR | 5 |\n| Team | 45 EUR | 20 |\n| Big | 90 | 80 |"
RECORDS = (
    "- name: Valve A; price: 18 EUR; stock: 40\n- name: Valve B; price: 24 EUR; stock: 12\n"
    "- name: Pump C; price: 310 EUR; stock: 3"
)


@pytest.mark.parametrize(
    ("claim", "passage", "named"),
    [
        ("Members pay 15 EUR for the spring season.", BULLETS, "9 EUR"),
        ("Children pay 15 EUR for the spring season.", BULLETS, "6 EUR"),
        ("Children pay 9 EUR for the spring season.", BULLETS, "6 EUR"),
        ("The lift is checked every 60 days by the desk.", CHECKS, "90 days"),
        ("The lift is checked every 30 days by the desk.", CHECKS, "90 days"),
        ("The alarm is checked every 14 days by the desk.", CHECKS, "7 days"),
        ("The Team plan has a price of 50 EUR.", NAMED, "45 EUR"),
        ("The Team plan has a price of 50 EUR.", LABELLED, "45 EUR"),
        ("The Team plan has a price of 50 EUR.", MARKDOWN, "45 EUR"),
        ("The price of Valve B is 30 EUR.", RECORDS, "24 EUR"),
    ],
)
def test_finding_a_reason_names_a_number_of_another_row(claim: str, passage: str, named: str) -> None:
    """The number that stands in the same item or row as what the claim is about."""
    check = check_support(claim, [passage])
    assert check.verdict is not SUPPORTED
    assert [reason.source for reason in check.reasons if reason.kind.value == "number"] == [named]


def test_a_row_holds_what_its_header_names() -> None:
    """`Price` stands over the row alone."""
    assert check_support("The price of the Team plan is 45 EUR.", [NAMED]).verdict is SUPPORTED
    assert check_support("The price of the Team plan is 46 EUR.", [NAMED]).verdict is CONTRADICTED
