"""Markdown of ours is taken apart as CommonMark has it, and loses nothing."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from hostile import hostile, much
from pincite.showing._markup import Block, parsed, pieces

MARKDOWN = MarkdownIt("commonmark").enable("strikethrough").enable("table")


def outline(blocks: tuple[Block, ...]) -> str:
    """Return blocks in short: kinds, levels, words in quotation marks, what is inside in brackets."""
    told: list[str] = []
    for block in blocks:
        level = str(block.level) if block.level else ""
        words = f"'{block.text}'" if block.text else ""
        rows = "/".join(",".join(row) for row in block.rows)
        inside = f"({outline(block.blocks)})" if block.blocks else ""
        told.append(f"{block.kind}{level}{words}{rows}{inside}")
    return " ".join(told)


BLOCKS = {
    "one\ntwo\n\nthree": "paragraph'one\ntwo' paragraph'three'",
    "  one\n     two": "paragraph'one\ntwo'",
    "# One\n## Two ##\n####### 7\n#none": "heading1'One' heading2'Two' paragraph'####### 7\n#none'",
    "One\n===\ntwo\nlines\n---\n": "heading1'One' heading2'two\nlines'",
    "a\n\n---\n***\n_ _ _": "paragraph'a' rule rule rule",
    "- a\n- b\n\n- c": "bullets(item(paragraph'a') item(paragraph'b') item(paragraph'c'))",
    "- a\n  - b\n- c": "bullets(item(paragraph'a' bullets(item(paragraph'b'))) item(paragraph'c'))",
    "- a\n+ b": "bullets(item(paragraph'a')) bullets(item(paragraph'b'))",
    "3. a\n4. b\n   c\n\n   d": "numbers3(item(paragraph'a') item(paragraph'b\nc' paragraph'd'))",
    "1) a\n2) b": "numbers1(item(paragraph'a') item(paragraph'b'))",
    "1. a\n   - b": "numbers1(item(paragraph'a' bullets(item(paragraph'b'))))",
    "words\n- a": "paragraph'words' bullets(item(paragraph'a'))",
    "in\n1984. It was.": "paragraph'in\n1984. It was.'",
    "- a\nlazy\n\nout": "bullets(item(paragraph'a\nlazy')) paragraph'out'",
    "-\n\nout": "bullets(item) paragraph'out'",
    "- ```\n  code\n  ```\n- b": "bullets(item(code'code') item(paragraph'b'))",
    "> a\n> b\nlazy\n\nout": "quote(paragraph'a\nb\nlazy') paragraph'out'",
    "> - a\n>   b\n>\n> c": "quote(bullets(item(paragraph'a\nb')) paragraph'c')",
    ">a\n>> b": "quote(paragraph'a' quote(paragraph'b'))",
    "```py\nx = [1]\n  y\n\n# z\n```\nafter": "code'x = [1]\n  y\n\n# z' paragraph'after'",
    "~~~\n```\n~~~~\nafter": "code'```' paragraph'after'",
    "```\nopen": "code'open'",
    "a\n    b\n\n    code\n\n      more\nc": "paragraph'a\nb' code'code\n\n  more' paragraph'c'",
    "\tcode\n\t\tmore": "code'code\n    more'",
    "| a | b |\n|---|:-:|\n| 1 | 2 |\n| 3 |\n\nc": "table1a,b/1,2/3, paragraph'c'",
    "a | b\\|c\n-|-\n1 | `x` | 3\n> q": "table1a,b\\|c/1,`x`,3 quote(paragraph'q')",
    "a | b\n--|--|--\n": "paragraph'a | b\n--|--|--'",
    "a\r\nb\rc": "paragraph'a\nb\nc'",
    "": "",
    " \n\t\n": "",
}


@pytest.mark.parametrize(("text", "expected"), BLOCKS.items())
def test_blocks(text: str, expected: str) -> None:
    """As a reader of Markdown sees them."""
    assert outline(parsed(text)) == expected


PIECES = {
    "a **b** c": "a |strong|b|/strong| c",
    "a_b_c 2*3*4": "a_b_c 2|em|3|/em|4",
    "[1][12] \\[3\\]": "number=1|number=12| [3]",
    "`[1] \\*` `` ` ``": "code=[1] \\*| |code=`",
    "a  \nb\\\nc\nd": "a|break=\n|b|break=\n|c\nd",
    "&lt;b&gt; &amp;lt; &#x41; &none": "<b> &lt; A &none",
    "[a *b*](<https://x.example/?a=1&amp;b=2>)": "link=https://x.example/?a=1&b=2|a |em|b|/em|/link",
    "[a](/documents/1) [b]\\(x)": "link=/documents/1|a|/link| [b](x)",
    "[a [b](c)](d)": "[a |link=c|b|/link|](d)",
    "~~a~~ ~b~ ~~~c~~~": "del|a|/del| ~b~ ~~~c~~~",
    "** a** *b": "** a** *b",
    "": "",
}


@pytest.mark.parametrize(("text", "expected"), PIECES.items())
def test_pieces(text: str, expected: str) -> None:
    """Numbers are ours, what is escaped is text, and nothing begins that does not end."""
    told = [said if what == "text" else what + (f"={said}" if said else "") for what, said in pieces(text)]
    assert "|".join(told) == expected


def shown(text: str) -> str:
    """Return a line as the renderer of the tests writes HTML."""
    tags = {"em": "em", "strong": "strong", "del": "s"}
    written: list[str] = []
    for what, said in pieces(text):
        name = what.removeprefix("/")
        if what == "number":
            written.append(f"[{said}]")
        elif what == "text":
            written.append(html.escape(said).replace("&#x27;", "'"))
        elif what == "code":
            written.append(f"<code>{html.escape(said)}</code>")
        elif name == "link":
            written.append("</a>" if what[0] == "/" else f'<a href="{said}">')
        else:
            written.append(f"<{'/' if what[0] == '/' else ''}{tags[name]}>")
    return "".join(written)


MARKS = st.sampled_from([*"word b * ** *** _ __ ` `` ~~ \\* \\` [1] [b](<u>) &lt; . ( é 「".split(), " "])


@given(st.lists(MARKS, max_size=14).map("".join))
def test_a_line_is_what_commonmark_says(text: str) -> None:
    """Marks of every kind, closed, crossed and left open, beside a renderer that knows the specification.

    Of three tildes and more GitHub's specification makes no strikethrough, and that renderer does.
    """
    line = f"x{text}x"
    if "~~~" not in line:
        assert shown(line) == MARKDOWN.renderInline(line)


BEGINNINGS = [*"|- |  - |1. |   |> |# |```\n|    |---|===|\t".split("|"), "| a | b |", "|---|---|", "| "]
LINES = st.tuples(st.sampled_from(BEGINNINGS), st.sampled_from(["one", "two *three*", "[1] `four`", ""])).map(
    "".join
)


@given(st.lists(LINES, max_size=12).map("\n".join))
def test_no_word_gets_lost(text: str) -> None:
    """Whatever blocks stand inside whatever others: each word is there once, in its order."""

    def words(blocks: tuple[Block, ...]) -> list[str]:
        found: list[str] = []
        for block in blocks:
            cells = [cell for row in block.rows for cell in row]
            for said in (block.text, *cells):
                found += re.findall("one|two|three|four", said)
            found += words(block.blocks)
        return found

    assert words(parsed(text)) == re.findall("one|two|three|four", text)


UNITS = "[ ] [a]( [a](b)_ * *a_ a*_ _a* ~~ ` `_`` \\ \\* & &amp; < | a| # #_ > >_ -_ 1._ -↵↵ -_a↵"
MORE = "-_a↵↵ a↵ >_a↵ ```↵ ```_x↵ ____a↵↵ ↵ _ a|b↵-|-↵ __-_a↵"


@hostile
@pytest.mark.parametrize("unit", f"{UNITS} {MORE}".split())
def test_much_of_one_thing_takes_one_pass(unit: str) -> None:
    """A hundred thousand characters of anything end, without deep recursion, and no depth reaches a renderer."""

    def depth(blocks: tuple[Block, ...]) -> int:
        return 1 + max((depth(block.blocks) for block in blocks), default=0)

    unit = unit.replace("_", " ").replace("↵", "\n")
    text = much(unit, 100_000)
    blocks = parsed(text)
    assert depth(blocks) < 40
    inside = 0
    for what, _ in pieces(text):
        if what in ("em", "strong", "del", "link"):
            inside += 1
        inside -= what[0] == "/"
        assert 0 <= inside <= 200
