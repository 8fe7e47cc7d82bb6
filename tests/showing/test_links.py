"""The model's own links, where they may act: what goes with a link's target changes nothing of what stands around."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pincite.citing import CitationRun
from pincite.showing import render_answer
from pincite.showing._links import acting

EVIL = "https://evil.example/i"
GOOD = "https://good.example/x"
RENDERERS = (MarkdownIt("gfm-like"), MarkdownIt("commonmark"))


def _shown(text: str) -> str:
    return render_answer(CitationRun("ref").resolve(text), links="safe").text


@pytest.mark.parametrize(
    "text",
    [
        # The backtick of a title would go with the title, and what is code would be none.
        f"[words]({GOOD} '`') and ` then `![i]({EVIL})`",
        f"[words](<{GOOD}`>) and ` then `![i]({EVIL})`",
        f"[words]({GOOD}\n'```\n')\n![i]({EVIL})\n```\n![i]({EVIL})",
        f"[words]({GOOD}\r'```\r')\r![i]({EVIL})\r```\r![i]({EVIL})",
        f"`[words]({GOOD} '`')![i]({EVIL})`",
    ],
)
def test_a_target_takes_no_code_apart(text: str) -> None:
    """An image in what was code, or seemed to be, does not load."""
    for renderer in RENDERERS:
        assert "<img" not in renderer.render(_shown(text))


def test_code_is_not_edited() -> None:
    """A link inside of code is shown as it was written."""
    text = f"`[words]({GOOD} 'title')` and\n\n> ~~~\n> {GOOD}?\n> ~~~"
    assert _shown(text) == text


_PIECES = [
    *(f"[words]({GOOD})", f"[words]({GOOD} '`')", f'[words](<{GOOD}> "```")', f"<{GOOD}>", f"{GOOD} ", f" {GOOD}."),
    *(f"[words]({GOOD}\n'~~~')", f"`[words]({GOOD})", f"![i]({EVIL})", f"`![i]({EVIL})`", "<img src=x>", f"{EVIL}`"),
    *("`", "``", "```", "\n```\n", "\n~~~\n", "\n> ```\n", "\n- ", "\n\n    ", "\n", "\n\n", "> ", "[", "]", "(", ")"),
    *("!", "\\", "|", "\n|-|\n", "# ", "word ", "*", "_", "7"),
]  # fmt: skip


@given(st.lists(st.sampled_from(_PIECES), max_size=14).map("".join))
@example(f"[words]({GOOD} '`') and ` then `![i]({EVIL})`")
def test_between_code_and_links_nothing_else_acts(text: str) -> None:
    """Wherever links may act, no image loads, no element is one, and no other link leads anywhere."""
    for renderer in RENDERERS:
        every = [inner for one in renderer.parse(_shown(text)) for inner in [one, *(one.children or [])]]
        assert not {one.type for one in every} & {"image", "html_block", "html_inline"}
        links = [str(one.attrs["href"]) for one in every if one.type == "link_open"]
        assert all(link.startswith(("https://good.example/", "https://evil.example/")) for link in links)


@pytest.mark.parametrize(
    "unit",
    ["](http", f"[a]({GOOD} '", f"[aaaa]({GOOD}) ", "<http://a", "[a](http(", "https://a.bc ", "](http\n"],
)
def test_long_texts_end(unit: str) -> None:
    """Hundreds of thousands of links that open are looked at in one linear pass."""
    text = unit * (300_000 // len(unit))
    assert sum(1 for _ in acting(text, [])) <= len(text)
