"""The blocks of a text: what is code for sure is code for CommonMark, and the other way round where texts are plain."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from hostile import hostile, much
from pincite.showing import render_citations
from pincite.showing._blocks import blocks, sure_code

RENDERERS = [
    MarkdownIt(preset, {"html": False}).disable(["reference", *links])
    for preset, links in (("commonmark", []), ("gfm-like", ["linkify"]))
]


def _code(text: str) -> list[str]:
    return [text[start:end] for start, end in sure_code(text)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Write `a[1]` and ``b ` c``.", ["`a[1]`", "``b ` c``"]),
        ("a `b\nc` d", ["`b\nc`"]),
        (r"\`a `b`", ["`b`"]),
        ("```py\nx\n```\ny", ["```py\nx\n```\n"]),
        ("~~~\n```\n\n", ["~~~\n```\n\n"]),
        # In quotations and items, and in both.
        ("> ```\n> [1]\n> ```\ny", ["> ```\n> [1]\n> ```\n"]),
        ("- ```\n  [1]\n  ```\ny", ["- ```\n  [1]\n  ```\n"]),
        ("1. Do:\n\n   ```\n   [1]\n\n   ```\n2. y", ["   ```\n   [1]\n\n   ```\n"]),
        ("> - ~~~\n>   [1]\n>   ~~~", ["> - ~~~\n>   [1]\n>   ~~~"]),
        # What stands further out ends the list, not the fence that it opens.
        ("1. Do:\n```\nx\n```\n", ["```\nx\n```\n"]),
        # Behind a blank line, outside of lists and paragraphs.
        ("a\n\n    b\n\n\tc\n\nd", ["    b\n\n\tc\n"]),
        ("> a\n>\n>     b\n> c", [">     b\n"]),
        ("a\n    b", []),
        ("# a\n    b", []),
        ("- a\n\n      b", []),
        ("- a\n\n    b", []),
        # A line of a paragraph that others may take for another block ends what is sure of its spans.
        ("a `b`\n2. `c\nd`\n\n`e`", ["`b`", "`e`"]),
        ("a `b`\n<div> `c`", ["`b`", "`c`"]),
        ("a `b\n<div>`", []),
        # Spans of a table end in their cells.
        ("|a|b|\n|-|-|\n|`c`|`d|e`|\n\n`f`", ["`c`", "`f`"]),
        # A fence that its container ends may go on for somebody.
        ("- ```\n  a\nb `c`", ["- ```\n  a\n"]),
        # Nor is it sure which run is escaped here.
        (r"a \``b`` `c`", []),
    ],
)
def test_what_is_code_for_sure(text: str, code: list[str]) -> None:
    """Fences wherever they stand, indented lines, and spans, each whole."""
    assert _code(text) == code


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_of_every_kind(end: str) -> None:
    """A line ends in a line feed, a carriage return, or both."""
    text = "a\n\n    b\n\n> ```\n> c\n> ```\n".replace("\n", end)
    assert _code(text) == [f"    b{end}", f"> ```{end}> c{end}> ```{end}"]


_LEADS = [
    *("", "", "", " ", "  ", "   ", "    ", "     ", "      ", "\t", " \t"),
    *("> ", ">", ">  ", ">     ", ">\t", "> > ", "   > ", "    > "),
    *("- ", "* ", "-", "1. ", "2. ", "1) ", "10. ", "-  ", "-    ", "-     ", "-\t", "  - ", "    - "),
    *("- - ", "- > ", "> - "),
]  # fmt: skip
_RESTS = [
    *("", "", "text", "foo\\", "[x]", "code [1]", "---", "===", "-", "=", "--- ", "***", "* * *", "- - -"),
    *("x `a`", "`b", "c` d", "``e", "``", "`", "```", "```", "```py", "~~~", "~~~~", "````", "``` x`y", "\\`q", "\\``"),
    *("# h", "#", "## h `z`", "#no", "a|b", "|a|", "-|-", "|-|", ":-", "|", "a | `b`", "2. x", "1. x", "- x"),
]  # fmt: skip
LEADS, RESTS = st.sampled_from(_LEADS), st.sampled_from(_RESTS)
LINES = st.lists(st.tuples(LEADS, LEADS | st.just(""), RESTS).map("".join), max_size=9)


@given(LINES, st.sampled_from(["\n", "\n", "\r\n", "\r"]))
def test_what_is_known_is_as_markdown_has_it(lines: list[str], end: str) -> None:
    """Headings are those of two renderers, and whole lines that are code for sure are code for both."""
    text = end.join(lines)
    found = blocks(text)
    begins = [0, *accumulate(len(line) + len(end) for line in lines)]

    def line(place: int) -> int:
        return bisect_right(begins, place) - 1

    is_whole = found.known == len(text)
    known = len(lines) if is_whole else line(found.known)
    ours = {line(start) for start in found.headings if line(start) < known}
    for renderer in RENDERERS:
        tokens = [(one.type, *one.map) for one in renderer.parse(text) if one.map and one.nesting >= 0]
        heads = {first for kind, first, last in tokens if kind == "heading_open" and last <= known}
        assert heads <= ours
        assert heads == ours or not is_whole
        code = {first for kind, first, _ in tokens if kind in ("fence", "code_block")}
        assert {line(start) for start, _ in found.code} <= code


def _nested(inner: st.SearchStrategy[list[str]]) -> st.SearchStrategy[list[str]]:
    """Put blocks behind the marks of a quotation or of an item."""
    marks = st.sampled_from([("> ", "> "), ("- ", "  "), ("1. ", "   ")])
    several = st.lists(inner, min_size=1, max_size=3).map(
        lambda parts: [line for part in parts for line in ["", *part]][1:]
    )
    return st.tuples(marks, several).map(
        lambda one: [(one[0][1] if index else one[0][0]) + line for index, line in enumerate(one[1])]
    )


CODE = st.sampled_from(
    [
        "a[1](b)",
        "<br> `x`",
        "![i](https://evil.com)",
        "",
        "    https://evil.com",
        "[ID]",
        "- x",
        "> y",
        "---",
        "1. z",
    ]
)
PLAIN = st.sampled_from(
    [
        "Words.",
        "Of `a[1]` and `<b>`",
        "- not [here]",
        "`over\nlines [1]`",
        "ID [ID]",
        "[t](https://a.example)",
    ]
)
FENCES = st.tuples(st.sampled_from(["```", "~~~", "````py"]), st.lists(CODE, max_size=4)).map(
    lambda one: [one[0], *one[1], one[0][:4].rstrip("p")]
)
KINDS = ("fence", "code_inline")
ID = "ev1:c:a24b301d-f73a-5291-9d80-7ea3cbd5291c:c174f9d9eba7d79c:efae06f9-f4e7-5a7a-af99-d7f5d7c4d6ef"
BLOCKS = st.recursive(FENCES | PLAIN.map(str.splitlines), _nested, max_leaves=6)
DOCUMENTS = st.lists(BLOCKS, max_size=4).map(lambda parts: "\n\n".join("\n".join(part) for part in parts))


@given(DOCUMENTS)
def test_all_code_of_a_plain_document_is_sure(text: str) -> None:
    """Fences that end, in lists and quotations to any usual depth, and spans in lines of words are found."""
    for renderer in RENDERERS:
        tokens = [inner for one in renderer.parse(text) for inner in [one, *(one.children or [])]]
        assert len(sure_code(text)) == sum(one.type in KINDS for one in tokens)


@given(DOCUMENTS)
def test_the_code_of_a_plain_document_is_untouched(text: str) -> None:
    """Whatever stands in fences and spans, ids included, is shown as it was written."""
    answer = text.replace("ID", ID)
    page, _ = render_citations(answer, [ID], [])
    for renderer in RENDERERS:
        before, after = (
            [
                one.content
                for token in renderer.parse(shown)
                for one in [token, *(token.children or [])]
                if one.type in KINDS
            ]
            for shown in (answer, page)
        )
        assert before == after


@hostile
@pytest.mark.parametrize(
    "unit",
    [
        "`",
        "\\`",
        "``` ",
        "```\n",
        "- ```\n",
        "> ```\n",
        "> ",
        "- ",
        "1. ",
        "\t",
        "    a\n\n",
        "|\n|-|\n",
        "a\n",
        "*",
    ],
)
def test_hostile_megabytes_end(unit: str) -> None:
    """A megabyte of anything that may open a block is read in one linear pass."""
    text = much(unit) + "`"
    assert blocks(text).known <= len(text)
    assert len(sure_code(text)) <= len(text)
