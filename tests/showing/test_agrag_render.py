"""The rows of a public implementation's rendering that went wrong, each with the right behaviour.

`A`, `B` and `C` stand for valid ids of three documents, `A2` for a second passage of A's, `X` for an id that was not
fetched.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from markdown_it import MarkdownIt

from pincite.showing import render_citations

if TYPE_CHECKING:
    from pincite.showing import RenderedSources

VERSION = "c174f9d9eba7d79c"
PASSAGE = "efae06f9-f4e7-5a7a-af99-d7f5d7c4d6e"
DOCUMENTS = {name: f"{number}24b301d-f73a-5291-9d80-7ea3cbd5291c" for number, name in enumerate("ABC", 1)}
IDS = {name: f"ev1:c:{document}:{VERSION}:{PASSAGE}f" for name, document in DOCUMENTS.items()} | {
    "A2": f"ev1:c:{DOCUMENTS['A']}:{VERSION}:{PASSAGE}0",
    "X": f"ev1:c:{DOCUMENTS['C']}:{VERSION}:{PASSAGE}1",
}
VALID = [IDS[name] for name in ("A", "B", "C", "A2")]
MARKDOWN = MarkdownIt("gfm-like")
# One of the names as a word: no letter or digit on either side.
NAME = re.compile(r"(?<![A-Za-z0-9])(A2|[ABCX])(?![A-Za-z0-9])")


@dataclass(frozen=True)
class _Outcome:
    evidence_id: str
    title: str
    uri: str | None = None


OUTCOMES = [
    _Outcome(IDS["A"], "First"),
    _Outcome(IDS["B"], "Second", "https://docs.example/second"),
    _Outcome(IDS["C"], "Third"),
    _Outcome(IDS["A2"], "First"),
]


def _with_ids(text: str) -> str:
    return NAME.sub(lambda name: IDS[name.group()], text)


def _split(rendered: str) -> tuple[str, list[str]]:
    """Return the text of a page, and the lines of its one list of sources."""
    text, *lists = rendered.split("### Sources\n\n")
    assert len(lists) <= 1
    return text.rstrip("\n"), [line for line in "".join(lists).split("\n") if line]


def _links(markdown: str) -> list[str]:
    return [
        str(child.attrs["href"])
        for token in MARKDOWN.parse(markdown)
        for child in token.children or []
        if child.type == "link_open"
    ]


FIRST, SECOND, THIRD = "First", "[Second](<https://docs.example/second>)", "Third"

ROWS: dict[str, tuple[str, str, list[str]]] = {
    "adjacent": ("Yes [A][B][C].", "Yes [1][2][3].", [FIRST, SECOND, THIRD]),
    "adjacent and of one document": ("Yes [A][A2].", "Yes [1].", [FIRST]),
    "group with two separators": ("Yes [A, B; C].", "Yes [1][2][3].", [FIRST, SECOND, THIRD]),
    "group with a space": ("Yes [A B].", "Yes [1][2].", [FIRST, SECOND]),
    "group with a repeat": ("Yes [A, B, A].", "Yes [1][2].", [FIRST, SECOND]),
    "valid and malformed": ("Yes [A, ev1:c:oops].", "Yes [1].", [FIRST]),
    "valid and not fetched": ("Yes [A, X].", "Yes [1].", [FIRST]),
    "not fetched and valid": ("Yes [X, A].", "Yes [1].", [FIRST]),
    "label of a foreign link": ("Yes [A](https://evil.example).", "Yes [1].", [FIRST]),
    "label of an image": ("Yes ![A](https://evil.example/i.png).", "Yes [1].", [FIRST]),
    "words in parentheses behind it": ("Yes [A](see below).", r"Yes [1]\(see below).", [FIRST]),
    "target of a link": ("See [the first](A).", "See the first [1].", [FIRST]),
    "target of a link, not fetched": ("See [the first](X).", "See the first.", []),
    "in words of a link": (
        "See [this A here](https://evil.example).",
        r"See [this [1] here]\(https:\//evil\.example).",
        [FIRST],
    ),
    "bare": ("As A says.", "As [1] says.", [FIRST]),
    "bare, not fetched": ("As X says.", "As says.", []),
    "in parentheses": ("Yes (A).", "Yes [1].", [FIRST]),
    "in parentheses, not fetched": ("Yes (X).", "Yes.", []),
    "full-width brackets": ("Yes \uff3bA\uff3d.", "Yes [1].", [FIRST]),
    "lenticular brackets": ("Yes \u3010A\u3011.", "Yes [1].", [FIRST]),
    "brackets as entities": ("Yes &#91;A&#93;.", "Yes [1].", [FIRST]),
    "inline code": ("Write `[A]` and `A`.", "Write `[A]` and `A`.", []),
    "fenced code": ("So:\n\n```\n[A]\n```\n\nYes [B].", "So:\n\n```\n[A]\n```\n\nYes [1].", [SECOND]),
    "comment": ("Yes [B]. <!-- [A] A --> No.", "Yes [1]. No.", [SECOND]),
    "double brackets": ("Yes [[A]].", "Yes [1].", [FIRST]),
    "triple brackets": ("Yes [[[A]]].", "Yes [1].", [FIRST]),
    "double brackets, not fetched": ("Yes [[X]].", "Yes.", []),
    "bold inside": ("Yes [**A**].", "Yes [1].", [FIRST]),
    "bold around": ("Yes **[A]**.", "Yes **[1]**.", [FIRST]),
    "bold around, not fetched": ("Yes **[X]**.", "Yes.", []),
    "backticks inside": ("Yes [`A`].", "Yes [1].", [FIRST]),
    "a footnote's mark": ("Yes [^A].", "Yes [1].", [FIRST]),
    "a word before it": ("Yes [source: A].", "Yes [1].", [FIRST]),
    "a dot behind it": ("Yes [A.].", "Yes [1].", [FIRST]),
    "over two lines": (f"Yes [{IDS['A'][:50]}\n{IDS['A'][50:]}].", "Yes [1].", [FIRST]),
    "group over two lines": ("Yes [A,\nB].", "Yes [1][2].", [FIRST, SECOND]),
    "escaped brackets": (r"Yes \[A\].", "Yes [1].", [FIRST]),
    "space that does not break": ("Yes [\u00a0A\u00a0].", "Yes [1].", [FIRST]),
    "line ends of two characters": ("Yes [A].\r\nAnd [B].", "Yes [1].\r\nAnd [2].", [FIRST, SECOND]),
    "cell of a table": (
        "| a | b |\n|---|---|\n| x | y [A] |",
        "| a | b |\n|---|---|\n| x | y [1] |",
        [FIRST],
    ),
    "task": ("- [x] done [A]\n- [ ] open", "- [x] done [1]\n- [ ] open", [FIRST]),
    "raised": ("Yes<sup>[A]</sup>.", "Yes[1].", [FIRST]),
    "angle brackets": ("Yes <A>.", "Yes [1].", [FIRST]),
    "attribute of an element": ("Yes <b title='A'>.", r"Yes \<b title=''>.", []),
    "index": ("Take a[0] of it. [A]", r"Take a\[0] of it. [1]", [FIRST]),
    "year": ("In [2024] so. [A]", r"In \[2024] so. [1]", [FIRST]),
    "number": ("As in [1] and [2]. [A]", r"As in \[1] and \[2]. [1]", [FIRST]),
    "code of an error": ("It says [E101]. [A]", "It says [E101]. [1]", [FIRST]),
    "figure": ("See [Figure E2]. [A]", "See [Figure E2]. [1]", [FIRST]),
    "word with a colon": ("The [eval: x] of it. [A]", "The [eval: x] of it. [1]", [FIRST]),
    "heading of sources": ("Yes [A].\n\n### Sources\n\n- [A] First\n", "Yes [1].", [FIRST]),
    "definition of an id": ("Yes [A].\n\n[A]: https://evil.example\n\nOn.", "Yes [1].\n\n\nOn.", [FIRST]),
    "definition of a number": (
        "Yes [A].\n\n[1]: https://evil.example",
        "Yes [1].\n\n\\[1]\\: https:\\//evil\\.example",
        [FIRST],
    ),
    "definition by an id": ("Yes [B].\n\n[x]: A\n", "Yes [1].", [SECOND]),
    "order of mention": ("No [C]. Yes [A].", "No [1]. Yes [2].", [THIRD, FIRST]),
    "cited again": ("Yes [A]. No [B]. Yes [A2].", "Yes [1]. No [2]. Yes [1].", [FIRST, SECOND]),
    "nothing cited": ("Nothing is cited.", "Nothing is cited.", []),
    "a character without width inside": (
        f"Yes [{IDS['A'][:20]}\u200b{IDS['A'][20:]}].",
        "Yes [1].",
        [FIRST],
    ),
}


@pytest.mark.parametrize("name", ROWS)
def test_rows(name: str) -> None:
    """What a model wrote around ids: each valid one is a number, none is shown raw, and code stays as it is."""
    answer, text, sources = ROWS[name]
    rendered, found = render_citations(_with_ids(answer), VALID, OUTCOMES)
    shown, lines = _split(rendered)
    assert shown == _with_ids(text)
    assert [line for line in lines if line.startswith("[")] == [
        f"[{number}] {source}" for number, source in enumerate(sources, 1)
    ]
    assert [source.number for source in found] == list(range(1, len(sources) + 1))
    assert set(_links(rendered)) == ({"https://docs.example/second"} if SECOND in sources else set())


def _listed(title: str, uri: str | None = None) -> tuple[str, RenderedSources]:
    rendered, sources = render_citations(f"Yes [{IDS['A']}].", VALID[:1], [_Outcome(IDS["A"], title, uri)])
    return rendered, sources


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("\u00dcber \u6cd5\u5f8b \u2013 50 %", "\u00dcber \u6cd5\u5f8b \u2013 50 %"),
        ("a\u202egnp.exe\u2066\u200b b", "a gnp.exe b"),
        ("Terms [draft] | 2 > 1", "Terms [draft] | 2 > 1"),
        ("<b onclick=x>T</b> &amp; &copy;", "<b onclick=x>T</b> &amp; &copy;"),
        (
            "](https://evil.example) [x](https://evil.example)",
            "](https\u003a\u200b//evil.example) [x](https\u003a\u200b//evil.example)",
        ),
        ("~~x~~ ~y~", "~~x~~ ~y~"),
        ("$x$ and $$y$$", "$x$ and $$y$$"),
        ("@name", "@\u200bname"),
        ("me@evil.com", "me@\u200bevil.com"),
        ("https://evil.com/a", "https\u003a\u200b//evil.com/a"),
        ("www.evil.com", "www\u200b.evil.com"),
        ("//evil.com", "//evil.com"),
        ("README.md", "README.md"),
        ("*a* _b_ `c` ^d^ ==e== #f", "*a* _b_ `c` ^d^ ==e== #f"),
        ("line\n\n# two\n- three", "line # two - three"),
        ("   ", "Source"),
        ("\u200b\u3164\u00ad", "Source"),
        ("", "Source"),
        ("\u05d0\u05d1\u05d2", "\u2068\u05d0\u05d1\u05d2\u2069"),
    ],
)
def test_titles_are_text_and_can_be_seen(title: str, shown: str) -> None:
    """Whatever a title holds is read as it is, links nowhere, and is never empty."""
    rendered, _ = _listed(title)
    inline = MARKDOWN.parse(rendered)[-2].children or []
    assert {child.type for child in inline} <= {"text", "text_special"}
    assert "".join(child.content for child in inline) == f"[1] {shown}"
    linked, _ = _listed(title, "https://docs.example/x")
    assert _links(linked) == ["https://docs.example/x"]


def test_a_long_title_is_cut() -> None:
    """A title of 5,000 characters is cut, with an ellipsis."""
    rendered, sources = _listed("x" * 5_000)
    assert sources[0].title == "x" * 199 + "\u2026"
    assert len(rendered) < 300


@pytest.mark.parametrize(
    ("uri", "url"),
    [
        ("https://b\u00fccher.example/a", "https://xn--bcher-kva.example/a"),
        ("HTTPS://docs.example/A", "https://docs.example/A"),
        ("https://docs.example/100%2", "https://docs.example/100%2"),
        ("https://docs.example/a(b)'c\"d<e>", "https://docs.example/a%28b%29%27c%22d%3Ce%3E"),
        ("javascript:alert(1)", None),
        ("data:text/html,x", None),
        ("//evil.example/x", None),
        ("https://user:pw@evil.example", None),
        ("https://docs.example:99999/", None),
        ("https://docs.example/a\nb", None),
        ("https://docs.example\\@evil.example", None),
        ("file:///etc/passwd", None),
    ],
)
def test_addresses(uri: str, url: str | None) -> None:
    """Only a safe address becomes a link, and what is not linked is not shown."""
    rendered, sources = _listed("Notes", uri)
    assert sources[0].url == url
    # A renderer may encode a percent sign that escapes nothing.
    assert [link.replace("%252", "%2") for link in _links(rendered)] == ([] if url is None else [url])
    if url is None:
        assert rendered.endswith("[1] Notes")


def test_passages_of_one_document_are_told_apart() -> None:
    """Two passages share the number of their source, and have each its own where that is asked for."""
    answer = _with_ids("Yes [A]. No [A2]. So [B].")
    rendered, sources = render_citations(answer, VALID, OUTCOMES, numbering="passage")
    assert rendered.startswith("Yes [1a]. No [1b]. So [2].")
    assert [[passage.label for passage in source.passages] for source in sources] == [["1a", "1b"], ["2"]]


def test_sources_that_are_not_cited_stand_apart() -> None:
    """Of 56 valid ids one is cited: one source is listed, and the others are declared only."""
    documents = [f"{number:08x}-f73a-5291-9d80-7ea3cbd5291c" for number in range(56)]
    ids = [f"ev1:c:{document}:{VERSION}:{PASSAGE}f" for document in documents]
    rendered, sources = render_citations(f"Yes [{ids[9]}].", ids, [_Outcome(one, one[6:14]) for one in ids])
    assert [source.title for source in sources] == ["00000009"]
    assert len(sources.declared_only) == 55
    assert {source.number for source in sources.declared_only} == {0}
    assert rendered.count("\n[") == 1


def test_a_later_fetch_that_received_less_loses_nothing() -> None:
    """After a whole fetch, a cut one of the same id changes neither the number nor the title."""

    @dataclass(frozen=True)
    class Fetch(_Outcome):
        status: str = "ok"

    outcomes = [
        Fetch(IDS["A"], "First"),
        Fetch(IDS["A"], "", None, "truncated"),
        Fetch(IDS["A"], "", None, "failed"),
    ]
    rendered, _ = render_citations(f"Yes [{IDS['A']}].", VALID, outcomes)
    assert rendered == "Yes [1].\n\n### Sources\n\n[1] First"


def test_ten_thousand_ids() -> None:
    """Ten thousand ids, one a bracket, in one bracket, and as spans of one document, are all numbered."""
    ids = [
        f"ev1:c:{number // 10:08x}-f73a-5291-9d80-7ea3cbd5291c:{VERSION}:{PASSAGE}{number % 10}"
        for number in range(10_000)
    ]
    outcomes = [_Outcome(one, "Notes") for one in ids]
    for answer in ("\n".join(f"So. [{one}]" for one in ids), f"So. [{', '.join(ids)}]"):
        rendered, sources = render_citations(answer, ids, outcomes)
        assert len(sources) == 1_000
        assert sum(len(source.passages) for source in sources) == 10_000
        assert "ev1:" not in rendered
    document = DOCUMENTS["A"]
    spans = [f"ev1:s:{document}:{VERSION}:{10 * number + 2}-{10 * number + 7}" for number in range(10_000)]
    fetched = [
        _Outcome(f"ev1:s:{document}:{VERSION}:{10 * number}-{10 * number + 10}", "Notes")
        for number in range(10_000)
    ]
    rendered, sources = render_citations("\n".join(f"So. [{one}]" for one in spans), spans, fetched)
    assert [len(source.passages) for source in sources] == [10_000]
    assert "ev1:" not in rendered
