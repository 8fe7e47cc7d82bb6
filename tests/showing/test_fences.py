"""Open fences: what is put behind a text is never code."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from hostile import hostile, much
from pincite.showing._fences import closing

MARKDOWN = MarkdownIt("gfm-like")


@pytest.mark.parametrize(
    ("text", "closed"),
    [
        ("No code.", ""),
        ("```\ncode\n```", ""),
        ("```python\ncode", "\n```"),
        ("````\n```\ncode", "\n````"),
        ("~~~\n```\ncode\n", "\n~~~"),
        ("- a\n\n  ```\n  code\n  ```\n\nOn.", ""),
        ("1. a\n\n   ```\n   code", ""),
        ("1. a\n\n  ```\n  code", "\n```"),
        ("- ```\n  code\nOn.\n```\ncode", "\n```"),
        ("a\r\r~~~\rcode", "\n~~~"),
        ("- ```\n  code", ""),
        ("> ```\n> code", ""),
        ("    ```\n    code", ""),
        ("``` a ` b\ncode", ""),
        ("`` ``` ``", ""),
    ],
)
def test_what_closes(text: str, closed: str) -> None:
    """A fence of the document is closed as it was opened; one in a list or a quotation ends by itself."""
    assert closing(text) == closed


LINES = st.lists(
    st.sampled_from(
        [
            *("```", "~~~", "````", " ```", "  ```", "   ```", "    ```", "\t```", "``` x", "~~~ `", "``` `"),
            *("- ```", "1. ```", "> ```", "- > ```", ">```", "-   ~~~", "  - ```", "```\t", "   ~~~~"),
            *("", "text", "- item", "1. item", "  - item", "> quote", "  more", "    deep", "# head", "---"),
            *("   - x", "```|", "~~~ |", "|-|", "| - |"),
        ]
    ),
    max_size=12,
).flatmap(lambda lines: st.sampled_from(["\n", "\r\n", "\r"]).map(lambda end: end.join(lines)))


@given(LINES)
@example("- ```\n```\ncode")
@example("1. a\n\n   ```\ncode\n```")
def test_a_heading_behind_it_is_one(text: str) -> None:
    """Whatever fences a text opens, a heading after it is a heading of the document."""
    tokens = MARKDOWN.parse(f"{text}{closing(text)}\n\n### Sources")
    assert [token.type for token in tokens[-3:]] == ["heading_open", "inline", "heading_close"]
    assert tokens[-3].level == 0
    assert tokens[-2].content == "Sources"


@hostile
@pytest.mark.parametrize("unit", ["`", "~", "```\n", " ```\n", "- ```\n", "~~~\n  ```\n", "````\n    ~~~\n"])
def test_long_texts_end(unit: str) -> None:
    """A megabyte of anything that may open a fence is looked through once."""
    text = much(unit)
    assert len(closing(text)) <= 4 * len(text) + 100
