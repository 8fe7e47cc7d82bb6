"""Disarming: what a model writes shows as text, and neither links, loads nor passes for a number of ours."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pincite.citing import CitationRun
from pincite.showing import render_answer, sources_list

OWN = "https://docs.example/n"
EVIL = "https://evil.example/i"
RENDERERS = (MarkdownIt("gfm-like"), MarkdownIt("commonmark"))


def _written(text: str) -> str:
    """Return the page for an answer in which KEY stands for the key of the one source."""
    run = CitationRun()
    ref = run.present({"content": "Data is deleted.", "source_url": OWN, "title": "Notes"})["ref"]
    rendered = render_answer(run.resolve(text.replace("KEY", f"[{ref}]")))
    return "\n\n".join([rendered.text, *sources_list(rendered.sources)])


def _acting(page: str) -> list[str]:
    """Return what links, loads or is an element on a page; an address that links to itself is not listed."""
    found: list[str] = []
    for token in (token for renderer in RENDERERS for token in renderer.parse(page)):
        inside = token.children or []
        kinds = {token.type, *(child.type for child in inside)}
        found += kinds & {"image", "html_block", "html_inline"}
        for index, child in enumerate(inside):
            if child.type != "link_open" or child.attrs["href"] == OWN:
                continue
            shown = inside[index + 1].content
            if child.markup != "linkify" or "[1]" in shown.replace("\\[1]", ""):
                found.append(f"{shown} -> {child.attrs['href']}")
    return found


@pytest.mark.parametrize(
    "text",
    [
        f"![i]({EVIL}) KEY",
        f"![i][x]\n\n> [x]: {EVIL}",
        f"<img src={EVIL}>",
        f"<!-- a --><img src={EVIL}>",
        f"<a href={EVIL}>KEY</a>",
        f"<{EVIL}>",
        "<me@evil.example>",
        f"[see KEY here]({EVIL})",
        f"KEY(\n{EVIL})",
        f'KEY({EVIL} "a\nb")',
        f"KEY({EVIL} 'a(b')",
        f"KEY({EVIL}{'a' * 3_000})",
        f"[x][[deadbeef]](\n{EVIL})",
        f"[**1**]({EVIL})",
        f"[\n1\n]: {EVIL}\n\nYes KEY.",
        f"- [ 1 ]: {EVIL}\n\nYes KEY.",
        f"[^1]: {EVIL}\n\nYes[^1] KEY.",
        f"Words.\r\r- KEY:{EVIL}\r\rYes KEY.",
        f"\\[x\\]({EVIL}) \\\\[x]({EVIL})",
        f"{EVIL}/KEY",
        f"{EVIL}/[[deadbeef]]KEY",
        f"evil.com?q=KEY www.evil.com/KEY {EVIL}KEY",
        f"{EVIL}/<img src={EVIL}>",
        f"{EVIL}/\\<img src={EVIL}>",
        f"![{EVIL}/\\]({EVIL})",
    ],
)
def test_nothing_of_the_models_acts(text: str) -> None:
    """Links, images, definitions, footnotes, elements and autolinks of a model are text, wherever ours stands."""
    assert _acting(_written(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        f"a ` b\n- ![i]({EVIL}) `",
        f"|a|\n|-|\n|`|![i]({EVIL})|`|",
        f"- a\n  ```\nb ![i]({EVIL})",
        f"- a\n   ```\n     ```\n   ![i]({EVIL})",
        f"- ```\n\n  ```\n  ![i]({EVIL})",
        f"a ``` b\n```\nx\n```\n![i]({EVIL})",
        f"`{'x' * 3_000}` ![i]({EVIL}) `",
        f"[deadbeef, `] x ` ![i]({EVIL}) `",
        f"`[[deadbeef]]``\nx\n\n```\n![i]({EVIL})",
        f"{EVIL}/` ` ` ![i]({EVIL}) `",
        f"{EVIL}/\\` x ` ![i]({EVIL}) `",
        f"~~~\n\r~~~\n![i]({EVIL})",
        f"text <!-- ![i]({EVIL})",
        f"```|\n|-|\n![i]({EVIL})",
        f"a ` b\n```c`![i]({EVIL})`",
        f"a ```\n```![i]({EVIL})```",
    ],
)
def test_what_only_seems_to_be_code_is_disarmed(text: str) -> None:
    """Where a renderer may see prose, what the scan takes for code is no hiding place."""
    assert _acting(_written(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "Write `a[1](b)` and `<br>`.",
        "```html\n<img src=x> [a](b)\n```",
        "1. Do:\n\n   ```html\n   <img src=x>\n   ```\n\n2. And `<b>`.",
        "~~~~\n- ```\n~~~~\n\n`<b>`",
        "Less: 3 < 4, a<b? No \\<b>, \\[1] as before, [a] and (b).",
    ],
)
def test_code_and_plain_prose_stay(text: str) -> None:
    """What is surely code, and what does nothing, is written as it was."""
    escaped = text.replace("a<b", "a\\<b")
    assert _written(text) == escaped


def test_a_comment_is_left_out() -> None:
    """An HTML comment is for nobody's eyes; one that never closes is text."""
    assert _written("Yes KEY <!-- a --> no.").startswith("Yes [1] no.")
    assert _written("Yes <!-- KEY.").startswith("Yes \\<!-- [1].")


def test_a_number_before_a_colon_stays_readable() -> None:
    """In a sentence a colon behind our number defines nothing, so it is not escaped; at a line's start it is."""
    assert _written("According to KEY: it is.").startswith("According to [1]: it is.")
    assert _written(f"KEY\\: x\n\n> KEY: {EVIL}").startswith("[1]\\: x\n\n> [1]\\: https")


PIECES = st.lists(
    st.sampled_from(
        [
            *("KEY", "[[deadbeef]]", "[deadbeef,\n", "[1]", "[ 1 ]", "[x]", "[", "]", "](", "(", ")", "!"),
            *(f"[x]: {EVIL}\n", f"[1]: {EVIL}\n", f"]({EVIL})", f"![i]({EVIL})", f"{EVIL}/", "www.evil.com/"),
            *(f"<img src={EVIL}>", "</a>", "<!--", "-->", "<!-->", "<", "\\", "&lt;", "&#91;"),
            *("`", "``", "```", "```\n", "~~~\n", "\n```\n", "\n  ```\n", "   ```\n", "\n- ```\n"),
            *("\n", "\n\n", "\r\n", "\r", "\t", "  ", "    ", "> ", "\n>\n", "- ", "1. ", "# ", "\n===\n"),
            *("|", "\n|-|\n", "|a|\n|-|\n", "word ", "*", "_", ":", "^[", "[^1]"),
        ]
    ),
    max_size=25,
).map("".join)


@given(PIECES)
def test_no_mixture_of_pieces_acts(text: str) -> None:
    """Whatever stands beside what, two renderers find nothing in it that links, loads or is an element."""
    assert _acting(_written(f"{text}![i]({EVIL}) <img src={EVIL}> [KEY][x] ")) == []


@pytest.mark.parametrize(
    "unit", ["[", "](", "<", "<a", "\\", "://", "://<a", "`", "` | ", "```\n", "- ```\n", "> ", "[1]:", "1"]
)
def test_hostile_megabytes_end(unit: str) -> None:
    """A megabyte of anything that opens is disarmed in one linear pass."""
    run = CitationRun()
    assert render_answer(run.resolve(unit * (1_000_000 // len(unit)))).sources == ()
