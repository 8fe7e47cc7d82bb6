"""What a chat shows while a model writes: its numbers are ours, and lead nowhere but where ours do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from hostile import hostile, much
from pincite.citing import CitationRun
from pincite.citing._scan import scan
from pincite.showing import NumberedPiece, NumberedStream, numbered

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from markdown_it.token import Token

    from pincite.showing import NumberedText

EVIL = "https://evil.example"
RENDERERS = (MarkdownIt("commonmark"), MarkdownIt("gfm-like"))
NUMBER = re.compile(r"\[[0-9]+\]")
_CODE = ("code_inline", "fence", "code_block", "html_inline", "html_block")


def run_of() -> tuple[CitationRun, str]:
    """Return a run with one document, and its ref."""
    run = CitationRun("ref")
    shown = run.present({"id": "a-1", "document_id": "a", "title": "A", "content": "The sky is blue."})
    return run, shown["ref"]


def shown_of(text: str) -> NumberedText:
    """Return what is shown of a text in which REF is the ref of the one source, the same as a stream of it shows."""
    run, ref = run_of()
    text = text.replace("REF", ref)
    whole = numbered(run.resolve(text))
    for size in (1, 3, len(text) + 1):
        assert streamed(run_of()[0], (text[at : at + size] for at in range(0, len(text), size))) == whole.text
    return whole


def streamed(run: CitationRun, pieces: Iterable[str]) -> str:
    """Return what a stream shows of `pieces`; at its end nothing of that changes."""
    stream = NumberedStream(run.resolution())
    shown = [one for piece in pieces for one in stream.feed(piece)] + stream.finish()
    assert not stream.changed
    return "".join(one.text for one in shown if isinstance(one, NumberedPiece))


def links(page: str) -> Iterator[tuple[str, str]]:
    """Yield the words of each link or image of a page, and where it leads."""
    for renderer in RENDERERS:
        for token in renderer.parse(page):
            inside = token.children or []
            for index, one in enumerate(inside):
                if one.type == "image":
                    yield one.content, str(one.attrs["src"])
                elif one.type == "link_open":
                    yield "".join(_words(inside[index + 1 :])), str(one.attrs["href"])


def _words(tokens: Iterable[Token]) -> Iterator[str]:
    for one in tokens:
        if one.type == "link_close":
            break
        yield "" if one.type in _CODE else one.content


def text_of(page: str) -> str:
    """Return the words that a reader sees on a page."""
    inside = (one for token in RENDERERS[0].parse(page) for one in token.children or [token])
    return "".join(one.content for one in inside if one.type in ("text", *_CODE))


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("[1]", "[1\\]"),
        ("[ 1 ]", "[ 1 \\]"),
        ("[12]", "[12\\]"),
        ("[1][2]", "[1\\][2\\]"),
        ("[[1]]", "[[1\\]]"),
        ("[^1]", "[^1\\]"),
        ("\\[1]", "\\[1\\]"),
        ("[\n1\n]", "[\n1\n\\]"),
        ("[\u0661]", "[\u0661\\]"),
        ("[\uff11]", "[\uff11\\]"),
        ("[\u200b1]", "[\u200b1\\]"),
        ("x[1]y", "x[1\\]y"),
        ("| [1] |", "| [1\\] |"),
    ],
)
def test_h1_a_number_that_the_model_typed_is_none_of_ours(typed: str, shown: str) -> None:
    """A bracketed number of the model's has a backslash before it closes, so only ours stands there as `[1]`."""
    page = shown_of(f"Blue [REF] and {typed} here.")
    assert page.text == f"Blue [1] and {shown} here."
    assert page.text.count("[1]") == 1
    assert "\\" not in text_of(page.text)


@pytest.mark.parametrize(
    "text",
    [
        "[1, 2] and [1-3] and [0, 1]",
        "\u30101\u3011 and \uff3b1\uff3d",
        "[1a] [x1] [] [ ] [.1] [a] (1) [1\\]",
        "`[1]` and `m[1][2]`",
        "```\n[1] m[1](x)\n[1]: x\n```",
        "~~~\n[1]: x\n~~~\n\n```py\nIn [1]: x\n```",
        "See [the docs](https://docs.example) and [more][x].\n\n[x]: https://docs.example",
        "- [`a`](https://docs.example/a) [REF]\n- [`b`](https://docs.example/b(c)) [REF]",
        "[REF] [docs (v2)](https://docs.example) [REF] [more (v3)](https://docs.example)",
    ],
)
def test_h1_what_looks_like_no_number_of_ours_stays(text: str) -> None:
    """Groups, ranges, other brackets, code, and links around no number are shown as they were written."""
    assert shown_of(text).text == text.replace("REF", "1")


def test_h1_a_number_in_code_is_no_marker_for_who_reads_code() -> None:
    """What stands as `[1]` in what is shown and is none of ours, stands in what the scan takes for code."""
    page = shown_of("`[1]` [1] [REF]\n\n```\n[1]\n```").text
    code = scan(page).code
    loose = [
        one.start()
        for one in NUMBER.finditer(page)
        if not any(low <= one.start() < high for low, high in code)
    ]
    assert [page[at : at + 3] for at in loose] == ["[1]"]


@pytest.mark.parametrize(
    "definition",
    [
        f"[1]: {EVIL}",
        f"[ 1 ]: {EVIL}",
        f"[1\n]: {EVIL}",
        f"[\n1]: {EVIL}",
        f"[{' ' * 20}1{' ' * 20}]: {EVIL}",
        f"[{' ' * 300}1]: {EVIL}",
        f"[\t1\u00a0]: {EVIL}",
        f"> [1\n> ]: {EVIL}",
        f"- [1]: {EVIL}",
        f"1. > [1]:\n   > {EVIL}",
        f"[REF]: {EVIL}",
        f"[[deadbeef]][1]: {EVIL}",
        f"[[[deadbeef]]1]: {EVIL}",
        f"[1][[deadbeef]]: {EVIL}",
        f"a ` b\n> [1]: {EVIL}\n> `",
        f"- a\n  ```\n\n[1]: {EVIL}",
        f"<div>\n```\n\n[1]: {EVIL}",
        f"<!--\n```\n-->\n[1]: {EVIL}",
        f"- a\n\n  <!--\n\n[1]: {EVIL}",
        f"~~~\n~~~\r\r[1]: {EVIL}",
        f"~~~\n\r~~~\r\r[1]: {EVIL}",
        f"text <!--\n```\n --> x\n```\n\n[1]: {EVIL}",
        f'[x](y "\n```\n")\n```\n\n[1]: {EVIL}',
        f"[^1]: [1]: {EVIL}",
    ],
)
def test_h1_a_definition_never_takes_a_number_of_ours_over(definition: str) -> None:
    """Whatever the model defines, and wherever: our number stays a number, before it and behind."""
    for text in (f"Blue [REF].\n\n{definition}", f"{definition}\n\nBlue [REF]."):
        assert [words for words, where in links(shown_of(text).text) if where == EVIL] in ([], [EVIL])


@pytest.mark.parametrize(
    "link",
    [
        f"[x [REF]]({EVIL})",
        f"[*[REF]*]({EVIL})",
        f"[**[REF]** x]({EVIL})",
        f"![x [REF]]({EVIL})",
        f"[[REF]]({EVIL})x",
        f"[ [REF] ]({EVIL})",
        f"[x [REF]\n](<{EVIL}>)",
        f"[x [REF] y][z]\n\n[z]: {EVIL}",
        f"[x [REF] z][]\n\n[x [1] z]: {EVIL}",
        f"[x [REF] `]` y]({EVIL})",
        f"[x [REF] `` ` ] `` y]({EVIL})",
        f"[x [REF] \\] y]({EVIL})",
        f"[x [REF] \\\\]({EVIL})",
        f"[x [REF] `\\[y]({EVIL})",
        f"[x [REF] <b t=']'>]({EVIL})",
        f"[x [REF] <https://a.example/]>]({EVIL})",
        f"[x [REF] ![a](<]>)]({EVIL})",
        f'[x [REF] ![a](b "[")]({EVIL})',
        f"[x [REF] ![a](b 'c) [d')]({EVIL})",
        f"[x (a) [REF]]({EVIL})",
        f"[x [a] [REF] [b]]({EVIL})",
        f"[x [[deadbeef]] [REF]]({EVIL})",
        f"[x [REF][[deadbeef]]]({EVIL})",
        f"[x [1] y]({EVIL})",
        f"[{'[' * 1_100} [REF] {']' * 1_100}]({EVIL})",
        f"> [x [REF]\n> y]({EVIL})",
        f"| [x [REF] y]({EVIL}) |\n|-|",
        f"{EVIL}/[REF]",
        "www.evil.example/[REF] www.evil.example[REF]",
        f"[1, 2]({EVIL})",
        f"[**1**]({EVIL})",
    ],
)
def test_m1_no_number_is_among_the_words_of_a_link(link: str) -> None:
    """A link of the model's around a number of ours is text, however it is written."""
    for words, _ in links(shown_of(f"See {link} there.\n\n[1]: {EVIL}").text):
        assert re.search(r"[0-9]", words) is None


def test_m1_a_link_beside_a_number_is_a_link() -> None:
    """What only stands beside a number of ours goes on as it was."""
    page = shown_of(
        "[REF] [a](https://a.example/(b)) [REF] [`c`](https://c.example) [d [e] f](https://d.example)[REF]"
    )
    assert page.text.count("\\") == 0
    assert [words for words, _ in links(page.text)][:3] == ["a", "", "d [e] f"]


SPELT = [
    "&lbrack;1&rbrack;",
    "&#x31;",
    "1&nbsp;",
    "<b>1</b>",
    "<b t='>a'>1</b>",
    "1<!-- > a -->",
    "`[1]`",
    "x\\[1\\]",
    "a &#91;1&#93;",
    "see \uff3b1\uff3d",
    "\u00b9",
    "\u2460",
    "\u2167",
    "\u31641",
    "![a](b)1",
    f"1{'*' * 300}",
    f"1<b t='{'a' * 300}'>",
]


@pytest.mark.parametrize("words", SPELT)
def test_m1_a_number_is_one_however_it_is_spelt(words: str) -> None:
    """Entities, elements, code, escapes and digits of any script among the words of a link make it text."""
    for text in (
        f"[REF] [{words}]({EVIL}) x",
        f"[REF] [{words}][z]\n\n[z]: {EVIL}",
        f"[REF] [{words}]\n\n[{words}]: {EVIL}",
    ):
        page = shown_of(text).text
        assert page.count("\\") == text.count("\\") + 1
        # What is left is an address that stands for itself.
        assert {seen for seen, _ in read_links(page)} <= {EVIL}


@pytest.mark.parametrize(
    "words", ["docs v2", "<b>see</b> 1", "`v2`", "&sect; a1", f"{'a' * 300} 1", "\u4e00", "&amp;", "x > 1"]
)
def test_m1_words_of_a_link_that_are_no_number_stay(words: str) -> None:
    """A link with a letter among its words, or without a digit, is a link as it was written."""
    text = f"[REF] [{words}]({EVIL}) [{words}][z]\n\n[z]: {EVIL}"
    assert shown_of(text).text == text.replace("REF", "1")


def read_links(page: str) -> Iterator[tuple[str, str]]:
    """Yield the words of each link of a page as a reader sees them, code among them, and where it leads."""
    for renderer in RENDERERS:
        for token in renderer.parse(page):
            inside = token.children or []
            for index, one in enumerate(inside):
                if one.type == "link_open":
                    end = next(at for at in range(index, len(inside)) if inside[at].type == "link_close")
                    yield (
                        "".join(
                            part.content
                            for part in inside[index:end]
                            if part.type not in ("html_inline", "image")
                        ),
                        str(one.attrs["href"]),
                    )


_SPELT = st.lists(
    st.sampled_from(
        [
            *("[", "[", "]", f"]({EVIL})", f"]({EVIL})", "][z]", "![", "1", "1", "a", " ", "*", "**"),
            *("&#49;", "&lbrack;", "&rbrack;", "&#x5b;", "&nbsp;", "&amp;", "\\[", "\\]", "\u00b9", "\u2460"),
            *("<b>", "</b>", "<b t='a>'>", "<!-- a -->", "[REF]", "[1]", "[docs]"),
        ]
    ),
    max_size=16,
).map("".join)


@given(_SPELT)
def test_m1_in_no_mixture_a_link_reads_as_a_number(text: str) -> None:
    """Whatever the words of a link are made of: as they are read, they are no number and hold none in brackets."""
    page = shown_of(f"{text}\n\n[z]: {EVIL}\n").text
    for words, where in read_links(page):
        if where == EVIL and words != EVIL:
            is_number = any(map(str.isnumeric, words)) and not any(map(str.isalpha, words))
            assert not is_number
            assert re.search(r"\[[ \u00a0]*[0-9\u00b9\u2460]+[ \u00a0]*\]", words) is None


_PARTS = st.lists(
    st.sampled_from(
        [
            *(
                "[REF]",
                "[REF]",
                "[[REF]]",
                "[[deadbeef]]",
                "[REF](",
                "[1]",
                "[7]",
                "[ 1 ]",
                "[1\n]",
                "[^1]",
                "1",
                "[x]",
            ),
            *(
                "[",
                "[",
                "]",
                "]",
                "](",
                f"]({EVIL})",
                f"]({EVIL})",
                "][y]",
                "][]",
                "][",
                "]:",
                f"]: {EVIL}\n",
                "(",
                ")",
                "!",
            ),
            *(
                f"[1]: {EVIL}\n",
                f"[1\n]: {EVIL}\n",
                f"\n\n[y]: {EVIL}\n\n",
                f"> [1]: {EVIL}\n",
                f"- [1]: {EVIL}\n",
            ),
            *(
                "<",
                ">",
                "<b>",
                "<a href=']'>",
                "<div>\n",
                "<pre>",
                "</pre>\n",
                "<!--",
                "-->",
                f"<{EVIL}>",
                EVIL,
                "www.evil.com",
            ),
            *(
                "`",
                "``",
                "```",
                "```\n",
                "\n```\n",
                "\n~~~\n",
                "\n  ```\n",
                "\n- ```\n",
                "\n> ```\n",
                "\\",
                "\\[",
                "\\]",
                "$",
            ),
            *(
                "\n",
                "\n\n",
                "\r\n",
                "\r",
                " ",
                "    ",
                "\t",
                "> ",
                "\n> ",
                "- ",
                "\n- ",
                "1. ",
                "# ",
                "|",
                "\n|-|\n",
                "\n===\n",
            ),
            *("word", "a", "*", "**", "_", "~", ":", ": ", '"', "'", ' "t"', "\u00a0", "\u200b"),
        ]
    ),
    max_size=24,
).map("".join)


@given(_PARTS, st.lists(st.integers(1, 9), min_size=1, max_size=12))
def test_m1_in_no_mixture_a_number_of_ours_leads_elsewhere(text: str, cuts: list[int]) -> None:
    """Whatever stands beside what, no renderer finds a link around a number of ours, and a stream shows the same."""
    run, ref = run_of()
    # The one number of ours is one that no model types.
    text = text.replace("REF", ref)
    whole = numbered(run.resolve(text))
    pieces: list[str] = []
    at = turn = 0
    while at < len(text):
        step = cuts[turn % len(cuts)]
        pieces.append(text[at : at + step])
        at, turn = at + step, turn + 1
    assert streamed(run_of()[0], pieces) == whole.text
    ours = sorted(set(whole.places.values()))
    page = marked(whole.text, ours)
    try:
        found, defined = list(links(page)), list(links(f"{whole.text}\n\n> Blue [1].\n"))
    except RuntimeError:
        reject()  # a renderer that gives up shows nothing
    assert not any("\u2460" in words for words, _ in found)
    assert ("1", EVIL) not in defined
    last = 0
    for offset in range(len(text) + 1):
        assert last <= (last := whole.at(offset)) <= len(whole.text)


def marked(text: str, ours: Iterable[tuple[int, int]]) -> str:
    """Return a text in which a sign that no model types stands in each number of ours."""
    pieces: list[str] = []
    at = 0
    for start, end in ours:
        pieces += (text[at:start], text[start:end].replace("1", "\u2460"))
        at = end
    return "".join([*pieces, text[at:]])


@hostile
@pytest.mark.parametrize(
    "unit", ["[1]", "[1]: x\n", "[[1]](", "[REF](x)", "[x [REF] ", "](", "`[1]` [1] ", "<"]
)
def test_l8_hostile_megabytes_end(unit: str) -> None:
    """A megabyte of anything is shown in one linear pass, whole and in one piece of a stream."""
    run, ref = run_of()
    text = much(unit.replace("REF", ref))
    assert streamed(run_of()[0], [text]) == numbered(run.resolve(text)).text


@hostile
@pytest.mark.parametrize("unit", ["[", " ", "1", "`", "x"])
def test_l8_small_pieces_of_one_long_line_end(unit: str) -> None:
    """A line that is never over, and a label that never closes, cost the same for each further piece."""
    text = "[" + much(unit, 50_000)
    assert streamed(run_of()[0], text).startswith("[")
