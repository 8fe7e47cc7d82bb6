"""What goes with a marker, and what has to stay so that no line becomes another block."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from hostile import hostile, much
from pincite.showing._emptied import held
from pincite.showing._numbers import Place, with_numbers

if TYPE_CHECKING:
    from collections.abc import Iterator

RENDERERS = [
    MarkdownIt(preset, {"html": False}).disable(["reference", *more])
    for preset, more in (("commonmark", []), ("gfm-like", ["linkify"]))
]
# What nobody sees.
HELD = "\u200b"


def _without(text: str) -> str:
    """Return `text` without its Xs; an N is a number of ours."""
    places = [Place(*one.span(), () if one.group() == "X" else ("1",)) for one in re.finditer("[XN]", text)]
    return with_numbers(text, held(text, places))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        # An item that holds nothing goes, and makes no heading of the line above.
        ("Foo\n- X", "Foo\n"),
        ("Foo\n=X", f"Foo\n={HELD}"),
        ("Foo\n- X X\n- b", "Foo\n- b"),
        ("Foo\r\n* X\r\n* b", "Foo\r\n* b"),
        ("- a\n  - X\n  - b\n- X", "- a\n  - b\n"),
        ("1. a\n2. X\n3. b", "1. a\n3. b"),
        ("> - X\n> - b", "> - b"),
        ("a\n\n- X\n\nb", "a\n\n\nb"),
        # It stays where something belongs to it, or would be another block without it.
        ("Foo\n- X\n  more", f"Foo\n- {HELD}\n  more"),
        ("- X\n\n    more", f"- {HELD}\n\n    more"),
        ("Foo\n- X\n===", f"Foo\n- {HELD}\n==="),
        ("Foo\n1. X\n2. b", f"Foo\n1. {HELD}\n2. b"),
        ("> Foo\n> - X\n> ---", f"> Foo\n> - {HELD}\n> ---"),
        # So does a line of a paragraph.
        ("a\nX\nb", "a\nb"),
        ("a\nX\n    b", f"a\n{HELD}\n    b"),
        ("X\n    b", f"{HELD}\n    b"),
        ("a\n\nX\n\nb", "a\n\n\n\nb"),
        # What was in the middle of a line is no block at its beginning.
        ("X # T", f"{HELD}# T"),
        ("X     b", "b"),
        ("- X # T", f"- {HELD}# T"),
        (">X ```", f">{HELD}```"),
        (">X     b", ">b"),
        ("#X b", f"#{HELD} b"),
        ("# X b", "# b"),
        ("Foo\n--X--", f"Foo\n--{HELD}--"),
        ("Foo\nX ---", f"Foo\n{HELD}---"),
        ("X``` a", f"{HELD}``` a"),
        # Two runs of backticks stay two.
        ("`a`X`b`", f"`a`{HELD}`b`"),
        ("`a`X X`b`", f"`a` {HELD}`b`"),
        ("`a` X`b`", f"`a` {HELD}`b`"),
        ("`a`XN`b`", "`a`[1]`b`"),
        # Where words or numbers are left, nothing is needed.
        ("- X b", "- b"),
        ("  X b", "  b"),
        ("X **b**", "**b**"),
        ("- X N", "- [1]"),
        ("- N X", "- [1]"),
        ("N X ---", "[1] ---"),
        ("- [ ] X", "- [ ]"),
        ("a X - b", "a - b"),
        (f"- X{' ' * 80}b", "- b"),
    ],
)
def test_what_stays(text: str, shown: str) -> None:
    """A line goes whole, or keeps its kind."""
    assert _without(text) == shown


def test_a_comment_that_goes_holds_nothing() -> None:
    """Code below a comment is code without it."""
    text = "<!-- a -->\n    b"
    assert with_numbers(text, held(text, [Place(0, 10)])) == "\n    b"


_LEADS = [
    *("", "", "", "", " ", "  ", "   ", "    ", "      ", "\t", "> ", ">", "- ", "-", "* ", "1. ", "2. "),
    *("  - ", "> - ", "- - ", "# "),
]  # fmt: skip
_RESTS = [
    *("X", "X", "X", "X X", "X W", "X W", "W X", "W", "W", "", "X # W", "X - W", "X     W", "X ---", "--X--", "X==="),
    *("---", "===", "X ```", "```", "#X W", "X\tW", "X|-|", "X > W", "  X W", "X 1. W", "XW", "N X", "X N", "X N W"),
]  # fmt: skip
ROWS = st.tuples(st.sampled_from(_LEADS), st.sampled_from(_LEADS) | st.just(""), st.sampled_from(_RESTS))
WORD = re.compile(r"word\d+z")


def _kinds(renderer: MarkdownIt, text: str) -> Iterator[tuple[str, str]]:
    """Yield the words of a text with the kind of block that each is in, and its rules."""
    heading = False
    for token in renderer.parse(text):
        if token.type.startswith("heading_"):
            heading = token.nesting > 0
        kind = "code" if token.type in ("fence", "code_block") else "heading" if heading else "text"
        yield from ((word, kind) for word in WORD.findall(f"{token.info} {token.content}"))
        if token.type == "hr":
            yield "rule", "rule"


@given(st.lists(ROWS, max_size=7))
@example([("", "", "W"), ("- ", "", "X")])
@example([("", "", "W"), ("> ", "- ", "X"), ("> ", "", "===")])
@example([("> ", "", "```"), ("2. ", "", "X"), (">", "", "X - W")])
def test_text_stays_text(rows: list[tuple[str, str, str]]) -> None:
    """Whatever goes, no word of the text comes to be in a heading or code, and no rule comes to be."""
    text = "\n".join(map("".join, rows))
    for number in range(text.count("W")):
        text = text.replace("W", f"word{number}z", 1)
    shown = _without(text)
    assert "X" not in shown
    for renderer in RENDERERS:
        before = list(_kinds(renderer, text.replace("X", "Qq")))
        after = list(_kinds(renderer, shown))
        texts = {word for word, kind in before if kind == "text"}
        assert not [one for one in after if one[0] in texts and one[1] != "text"]
        assert after.count(("rule", "rule")) <= before.count(("rule", "rule"))


@hostile
@pytest.mark.parametrize(
    "unit", ["X", "X ", "- X\n", "X\n", "-", "- ", "X -", "> X\n\n", "1. X\n  \n", "#X "]
)
def test_long_texts_end(unit: str) -> None:
    """Hundreds of thousands of places, or of lines that seem empty, are looked at once."""
    text = much(unit, 300_000) + "X"
    assert "X" not in _without(text)
