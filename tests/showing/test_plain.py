"""Plain text of an answer: what each block becomes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pincite.showing import to_text
from pincite.showing._plain import line_of

if TYPE_CHECKING:
    from showing.conftest import Answered


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("# Result\n\n**a** _b_ ~~c~~ `d`", "Result\n\na b c d"),
        ("- a\n- b\n  - c\n\n3. d\n4. e", "- a\n- b\n  - c\n\n3. d\n4. e"),
        ("> a\n> - b", "> a\n>\n> - b"),
        ("| a | b |\n|---|---|\n| c | *d* |", "a | b\nc | d"),
        ("```\nx = [1]\n\n  y\n```", "    x = [1]\n\n      y"),
        ("a  \nb\n\n***\n\nc", f"a\nb\n\n{'-' * 40}\n\nc"),
        ("a <b> [c](https://x.example) a[0] \\*", "a <b> [c](https://x.example) a[0] *"),
    ],
)
def test_blocks(answered: Answered, written: str, shown: str) -> None:
    """As somebody would type them."""
    assert to_text(answered(written)) == f"{shown}\n"


def test_a_title_from_right_to_left_turns_nothing(answered: Answered) -> None:
    """It is isolated, and only such a one is."""
    text = to_text(answered("A {0}{1}", {"title": "محضر 2026"}, {"title": "Minutes"}))
    assert "[1] \u2068محضر 2026\u2069\n" in text
    assert "[2] Minutes\n" in text


def test_a_line_of_markdown_is_its_words() -> None:
    """On one line."""
    assert line_of("a **b**\n  [c](<https://x.example>) `d`  [1]") == "a b c d [1]"
