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


FILE = f"{REF}.md"


@pytest.mark.parametrize(
    "text",
    [
        "{} (old).md",
        "{} copy.md",
        "{} old.md.",
        "{}(old).md",
        "{}(old)",
        "{}, old.md",
        "{} [2].md",
        "{}\\_x",
        "{}\u200bx",
    ],
)
def test_l1_a_path_that_goes_on_is_another(text: str) -> None:
    """A path may hold spaces and brackets: what ends as a file does further on is another node."""
    assert starts(text.format(FILE), FILE) == []


@pytest.mark.parametrize(
    "text",
    [
        "{} (old)", "{} (see b.md)", "{}. See b.md", "{}; b.md", "{}\nb.md", "<{}> old.md", '"{}" old.md',
        "[x]({}) b.md", "{} says so", "{}[1]", "{}'s rule", "{} and https://example.org/kb@4.2.0#b.md",
    ],
)  # fmt: skip
def test_l1_a_real_end_is_one(text: str) -> None:
    """Prose behind a reference, and what encloses it, end it."""
    assert starts(text.format(FILE), FILE) == [(text.index("{"), FILE)]


def test_l1_the_longest_that_was_read_wins() -> None:
    """A node whose path goes on with a space is found where it was read, and the other one is not in it."""
    other = f"{FILE} (old).md"
    assert starts(f"See {other} and {FILE}.", FILE, other) == [(4, other), (len(other) + 9, FILE)]


@pytest.mark.parametrize(
    "text",
    [
        "    {}", "\t{}", "a\n\n    {}\n", "# T\n    {}", "T\n=\n    {}", "* * *\n    {}", "> a\n>\n>     {}",
        "-     {}",
        "- a\n\n      {}", "1. a\n\n       {}", "a\n\n    b\n\n    {}", "> ```\n> {}\n> ```", "- ```\n  {}\n  ```",
        "~~~\n{}", "- a\n    - b\n\n      ```\n\n      {}\n      ```",
        "- a\n    - b\n\n      ```\n\n      {}\n\n" + "      x\n" * 400 + "      ```",
    ],
)  # fmt: skip
def test_l1_code_names_nothing(text: str) -> None:
    """Neither what is indented nor what is fenced, in a quotation and in a list too."""
    assert starts(text.format(REF)) == []


@pytest.mark.parametrize(
    "text",
    [
        "a\n    {}", "- a\n\n    {}", "1. a\n\n   {}", "- a\n    {}", "> {}", "- - {}", "- a\n  - b\n\n    {}",
        "a\n\n    b\n\n{}", "> ```\n> x\n\n{}", "```\nx\n```\n{}",
        "- a\n    - b\n\n      ```\n\n      x\n      ```\n\n      {}", "- a\n    - b\n\n      ```\n\n{}",
    ],
)  # fmt: skip
def test_l1_what_is_indented_and_no_code_names_its_node(text: str) -> None:
    """A paragraph that goes on, and the text of a list, which is indented as far as its items are."""
    assert starts(text.format(REF)) == [(text.index("{"), REF)]


def test_l1_a_line_of_many_marks_is_read_in_time() -> None:
    """A line of a hundred thousand marks of lists, and as many of quotations, is looked at in one pass."""
    text = "* " * 100_000 + "x\n" + "> " * 100_000 + f"\n\nEnd.\n\n    {REF}\n\n{REF}"
    assert [start for start, _ in starts(text)] == [len(text) - len(REF)]


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
