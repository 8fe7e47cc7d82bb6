"""Disarming: what a model writes shows as text, and neither links, loads nor passes for a number of ours."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from hostile import hostile, much
from pincite.citing import CitationRun
from pincite.citing._scan import scan
from pincite.showing import render_answer, render_citations, sources_list
from pincite.showing._blocks import sure_code

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
            if child.type != "link_open" or str(child.attrs["href"]).partition("#:~:text=")[0] == OWN:
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
        f"a `b\n<img src={EVIL}>\n`",
        f"a `b\n<!--\n![i]({EVIL}) `",
        f"> ```\n![i]({EVIL})\n> ```",
        f"- a\n\n    ![i]({EVIL})",
        f"a\n    ![i]({EVIL})",
        f"> a\n    > ```\n    > ![i]({EVIL})",
        f"|a|b|\n|-|-|\n| ` | ![i]({EVIL}) ` |",
        f"a|b\n-|-\n2. ```\n![i]({EVIL})\n```",
        f"{'> ' * 30}```\n{'> ' * 30}![i]({EVIL})",
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
        "> ```\n> a[1] <b>\n>\n> ![i](x)\n> ```\n> On.",
        "> - ~~~html\n>   <b> https://a.example/[1]\n>   ~~~",
        "- ```\n  a[1]\n  ```\n- b",
        "So:\n\n    a[1](b)\n\n    <b> https://a.example\n\nAnd on.",
        "> So:\n>\n>     a[1](b)\n",
        "A span `over\nlines [1] and <b>` and one `more [1]`.\n\n```\n[1]\n```",
        "1. Do\n```\na[1]\n```\n2. And\n  ```\n  b[1]\n  ```",
        "| a | b |\n|---|---|\n| `a[1]` | `<b>` |\n\n```\n[1]\n```",
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


_LEADS = [
    *("", "", "", "", " ", "  ", "   ", "    ", "     ", "      ", "\t"),
    *("> ", ">", ">     ", "> > ", "   > ", "    > "),
    *("- ", "-", "1. ", "2. ", "-    ", "-     ", "  - ", "- - ", "- > ", "> - "),
]  # fmt: skip
_RESTS = [
    *("", "", "text", "[A]", "[A] text", "no [X]", "no [X] text", "A", "no X", "`[A]`", "`[X]` [A]", "[t](A)", "[A X]"),
    *("x `a`", "`b", "c` d", "``e", "``", "`", "```", "```", "```py", "~~~", "````", "``` x`y", "\\`q", "\\``"),
    *("---", "===", "-", "***", "# h", "### Sources", "Sources", "a|b", "|-|", "a | `b`", "2. x", "\\", "|"),
    *(f"[x]: {EVIL}", f"[1]: {EVIL}", "[1]", "[7]", "[t][7]", f"![i]({EVIL})", f"`![i]({EVIL})`"),
    *(f"<img src={EVIL}>", "<div>", "<!--", "-->", "<pre>", "</a>", f"<{EVIL}>", EVIL, f"{EVIL}/`", "www.evil.com/`a"),
    *(f"[t]({EVIL} '`')", "me@evil.com", "evil.com", "//evil.com", "<", "`<b>`"),
]  # fmt: skip
ROWS = st.tuples(
    st.sampled_from(_LEADS),
    st.sampled_from(_LEADS) | st.just(""),
    st.lists(st.sampled_from(_RESTS), min_size=1, max_size=3).map(" ".join),
).map("".join)
TEXTS = st.tuples(st.lists(ROWS, max_size=9), st.sampled_from(["\n", "\n", "\r\n", "\r"])).map(
    lambda one: one[1].join(one[0])
)
VALID = "ev1:c:a24b301d-f73a-5291-9d80-7ea3cbd5291c:c174f9d9eba7d79c:efae06f9-f4e7-5a7a-af99-d7f5d7c4d6ef"
ELSEWHERE = VALID.replace("a24b", "b24b")


class _Outcome:
    evidence_id = VALID
    title = "Notes"
    uri = OWN


def _with_ids(text: str) -> str:
    return text.replace("A", VALID).replace("X", ELSEWHERE)


@given(TEXTS)
def test_in_lines_of_any_kind_nothing_acts(text: str) -> None:
    """Between fences, quotations, items and indents nothing links, loads or is an element but what is ours."""
    page, _ = render_citations(_with_ids(text), [VALID], [_Outcome()])
    for renderer in RENDERERS:
        for token in renderer.parse(f"{page}\n\n[7]: {EVIL}\n"):
            every = [token, *(token.children or [])]
            assert not {one.type for one in every} & {"image", "html_block", "html_inline"}
            assert {one.attrs["href"] for one in every if one.type == "link_open"} <= {OWN}


FENCE = re.compile(r"^(?:[ \t>]|[*+\-][ \t]|[0-9]{1,9}[.)][ \t])*(?=[`~])")


@given(TEXTS)
def test_what_is_code_for_everybody_stays(text: str) -> None:
    """What renderers and the scan for markers take for code is written to the letter, in its order."""
    # Where a comment or a list of the model's own is left out, other lines may stand beside each other.
    answer = _with_ids(text.replace("<!--", "").replace("Sources", "Words"))
    spans = scan(answer).code
    page, _ = render_citations(answer, [VALID], [_Outcome()])
    position = 0
    for start, end in sure_code(answer):
        # The marks of quotations and lists are in front of a fence.
        code = FENCE.sub("", answer[start:end]).rstrip()
        last = start + len(answer[start:end].rstrip())
        if any(low <= last - len(code) and last <= high for low, high in spans):
            assert code in page[position:]
            position = page.index(code, position)


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


@hostile
@pytest.mark.parametrize(
    "unit", ["[", "](", "<", "<a", "\\", "://", "://<a", "`", "` | ", "```\n", "- ```\n", "> ", "[1]:", "1"]
)
def test_hostile_megabytes_end(unit: str) -> None:
    """A megabyte of anything that opens is disarmed in one linear pass."""
    run = CitationRun()
    assert render_answer(run.resolve(much(unit))).sources == ()
