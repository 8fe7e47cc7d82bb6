"""Whatever a model, a document or a store writes: a page has our links, our numbers and our one list, and no id."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pincite.citing import CitationRun
from pincite.showing import render_answer, render_citations, sources_list

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

    from markdown_it.token import Token

VERSION = "c174f9d9eba7d79c"
A, B, X = (
    f"ev1:c:{n}24b301d-f73a-5291-9d80-7ea3cbd5291c:{VERSION}:efae06f9-f4e7-5a7a-af99-d7f5d7c4d6ef"
    for n in "abc"
)
OWN = "https://docs.example/own"
EVIL = "https://evil.com/i"
RAW = re.compile(r"\bev1:|ev1:[cs]:[0-9a-f]{8}-")
NUMBER = re.compile(r"\[\s*\d")
RENDERERS = (MarkdownIt("gfm-like"), MarkdownIt("commonmark"))
# Sevens are the model's: no answer here has as many sources.
SEVEN = "https://seven.example/"

_KEYS = """A B X [A] [B] [X] [A,X] [[A]] (A) (X) [X A] [A][B] `A` <A> \uff3bA\uff3d [A](EVIL) ![A](EVIL) [see[A]here](
[t](A) [t](X) [A]:EVIL [x]:A ev1:c:oops ```A <ahref='A'>"""
_MARKS = """[7] [77] [7a] [7]:EVIL [x]:EVIL [x] [ ] ]( ( ) ! ](EVIL) ![i](EVIL) EVIL/ www.evil.com/ me@evil.com evil.com
//evil.com mailto:me@evil.com <EVIL> <img/src=EVIL> </a> <!-- --> <!--> < \\ &lt; &#91; &#58; ` `` ``` ~~~ | : ^[ [^1]
~~ $ . * ** _ word"""
FRAGMENTS = [
    *f"{_KEYS} {_MARKS}".replace("EVIL", EVIL).split(),
    *(
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        "\t",
        " ",
        "    ",
        "> ",
        "\n>\n",
        "- ",
        "1. ",
        "# ",
        "\n===\n",
        "\n---\n",
        "[ 7 ]",
    ),
    *(
        "```\n",
        "~~~\n",
        "\n```\n",
        "\n  ```\n",
        "   ```\n",
        "\n- ```\n",
        "\n> ```\n",
        "    ```\n",
        "\n|-|\n",
        "|a|\n|-|\n",
    ),
    *(
        "### Sources\n",
        "\n\n### Sources\n\n- [A]\n",
        "Sources\n===\n",
        "- # Sources\n",
        "**Sources:**\n",
        "#### sources:\n- ",
    ),
    *(
        f"<img src={EVIL}>",
        f"\n\n[7]: {EVIL}\n\n",
        f"[A]: {EVIL}\n",
        "[x]: A\n",
        "[A, X]",
        "[see A here](",
        "<a href='A'>",
    ),
]
TEXTS = st.lists(st.sampled_from(FRAGMENTS), max_size=20).map("".join)


@dataclass(frozen=True)
class _Outcome:
    evidence_id: str
    title: str
    uri: str | None = None
    text: str = ""


def _with_ids(text: str) -> str:
    for name, one in (("A", A), ("B", B), ("X", X)):
        text = text.replace(name, one)
    return text


def _inside(token: Token) -> Iterator[Token]:
    yield token
    for child in token.children or []:
        yield from _inside(child)


def _prose(tokens: list[Token]) -> Iterator[Token]:
    code = ("inline", "code_inline", "fence", "code_block")
    return (one for token in tokens for one in _inside(token) if one.type not in code)


def _check(page: str, *, listed: bool, lettered: bool = False) -> None:
    """Say that a page holds nothing that acts but ours, no raw id outside code, and one list where there is one."""
    text = page.rpartition("\n### Sources\n")[0] if listed else page
    numbers = ("7", "77", "7a") if lettered else ("7", "77")
    definitions = "\n".join(f"[{number}]: {SEVEN}" for number in numbers)
    for renderer in RENDERERS:
        assert not any(RAW.search(one.content) for one in _prose(renderer.parse(text)))
        tokens = renderer.parse(f"{page}\n\n{definitions}\n")
        every = [one for token in tokens for one in _inside(token)]
        links = {str(one.attrs["href"]) for one in every if one.type == "link_open"}
        assert {link.partition("#:~:text=")[0] for link in links} <= {OWN}
        assert not {one.type for one in every} & {"image", "html_block", "html_inline"}
        heads = [
            tokens[index + 1].content for index, token in enumerate(tokens) if token.type == "heading_open"
        ]
        assert heads.count("Sources") == listed or (not listed and "Sources" in page)
        if listed:
            assert heads[-1] == "Sources"


@given(TEXTS, TEXTS, st.sampled_from(["drop", "mark"]), st.sampled_from(["source", "passage"]))
@example("```\n", "", "drop", "source")
@example("- ```\n```\n", "", "drop", "source")
@example("1. a\n\n   ```\nb\n", "", "drop", "source")
def test_nothing_acts_but_ours(text: str, title: str, invalid: str, numbering: str) -> None:
    """For any mixture in answer and titles: no foreign link or image, no raw id, one list, no stolen number."""
    rendered, sources = render_citations(
        _with_ids(f"{text}\n\n[A] and [X].\n\n{text}"),
        [A, B],
        [_Outcome(A, title, OWN, title), _Outcome(B, title, None, title)],
        invalid=cast("Literal['drop', 'mark']", invalid),
        numbering=cast("Literal['source', 'passage']", numbering),
    )
    _check(rendered, listed=bool(sources), lettered=numbering == "passage")
    assert [source.number for source in sources] == list(range(1, len(sources) + 1))


@given(TEXTS)
def test_without_sources_no_number_is_ours(text: str) -> None:
    """Where nothing is valid no number acts, and there is no list of ours."""
    rendered, sources = render_citations(_with_ids(text).replace("7", "1"), [], [])
    assert sources == ()
    definitions = f"\n\n[1]: {SEVEN}\n[11]: {SEVEN}\n"
    for renderer in RENDERERS:
        every = [one for token in renderer.parse(rendered + definitions) for one in _inside(token)]
        assert not any(one.type in ("link_open", "image") for one in every)


@given(TEXTS)
def test_answers_are_as_safe(text: str) -> None:
    """An answer that was resolved is shown by the same rules as one that was only checked."""
    run = CitationRun("evidence_id")
    shown = run.present({"content": "Data is deleted.", "source_url": OWN, "title": "Notes"})
    key = next(value for value in shown.values() if str(value).startswith("ev1:"))
    rendered = render_answer(
        run.resolve(f"{text}\n\n[A] [X]".replace("A", str(key)).replace("X", X).replace("B", B))
    )
    _check("\n\n".join([rendered.text, *sources_list(rendered.sources)]), listed=bool(rendered.sources))


@given(TEXTS)
def test_safe_links_lead_nowhere_under_a_number(text: str) -> None:
    """Links that may act are http and https, have words, and leave numbers and ids alone."""
    run = CitationRun("ref")
    ref = run.present({"content": "Data is deleted.", "source_url": OWN, "title": "Notes"})["ref"]
    answer = run.resolve(f"{text}[the words]({EVIL}) [A]".replace("A", ref))
    rendered = render_answer(answer, links="safe")
    page = "\n\n".join([rendered.text, *sources_list(rendered.sources)])
    for renderer in RENDERERS:
        for token in renderer.parse(f"{page}\n\n[7]: {SEVEN}\n[77]: {SEVEN}\n"):
            inside = token.children or []
            assert not {one.type for one in inside} & {"image", "html_inline"}
            for index, one in enumerate(inside):
                if one.type == "link_open":
                    assert str(one.attrs["href"]).startswith(("https://evil.com/", OWN))
                    words = ""
                    for other in inside[index + 1 :]:
                        if other.type == "link_close":
                            break
                        words += other.content
                    assert any(char.isalpha() for char in words)
                    assert NUMBER.search(words) is None
