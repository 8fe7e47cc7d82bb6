"""References that a model writes out are found letter for letter, as a whole, and outside of code."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.limits import DEFAULT
from pincite.protocols.moca._mentions import mentions

REF = "https://example.org/kb@4.2.0#refund"


def starts(text: str, *refs: str) -> list[tuple[int, str]]:
    """Return where references are named in a text."""
    return [(one.start, one.ref) for one in mentions(text, refs or (REF,), DEFAULT).found]


@pytest.mark.parametrize(
    "text",
    [
        "{}", "see {}.", "({})", "<{}>", "[words]({})", '"{}"', "{}, and", "{}; then", "**{}**", "{}?", "| {} |",
        "a\n{}\nb", "“{}”", "「{}」", "{}...", "{}?!", "see: {}",
    ],
)  # fmt: skip
def test_a_whole_reference_is_found(text: str) -> None:
    """Whatever punctuation stands around it."""
    assert starts(text.format(REF)) == [(text.index("{"), REF)]


@pytest.mark.parametrize(
    "text",
    [
        "{}-2", "{}s", "{}/a", "{}.md", "{}#a", "{}@1", "{}?x=1", "{}%20a", "{}_a", "{}é", "x{}", "-{}", "/{}",
        "?u={}", "urn:{}", "{},x", "{}:8080", "`{}`", "```\n{}\n```", "<!-- {} -->",
    ],
)  # fmt: skip
def test_a_part_of_something_else_is_not(text: str) -> None:
    """Another reference that begins or ends like it, an address that holds it, code and comments."""
    found = mentions(text.format(REF), [REF], DEFAULT)
    assert found.found == []
    assert found.others == 1


def test_the_longest_counts() -> None:
    """A reference may be the beginning of another that was read."""
    assert starts(f"{REF}-2 and {REF}", REF, f"{REF}-2") == [(0, f"{REF}-2"), (len(REF) + 7, REF)]


def test_a_list_without_spaces_is_read() -> None:
    """Behind a comma the next one may follow at once."""
    second = "urn:kb@home#1@2.0.0#a"
    assert starts(f"{REF},{second};{REF}.", REF, second) == [
        (0, REF),
        (len(REF) + 1, second),
        (len(REF) + len(second) + 2, REF),
    ]


def test_what_was_not_read_is_not_looked_for() -> None:
    """No grammar finds references: one that the Reader did not return is text."""
    assert starts("https://example.org/kb@4.2.0#made-up") == []


@given(st.text(alphabet="ab #@-.,`\n", max_size=30), st.text(alphabet="ab #@-.,`\n", max_size=30))
def test_what_is_found_stands_there(before: str, behind: str) -> None:
    """Every mention is the reference itself, letter for letter, and they come in order without overlapping."""
    text = f"{before}{REF}{behind}{REF}"
    end = 0
    for one in mentions(text, [REF], DEFAULT).found:
        assert text[one.start : one.end] == one.ref == REF
        assert one.start >= end
        end = one.end
