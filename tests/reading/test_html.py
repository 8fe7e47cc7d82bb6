"""HTML is read as a reader sees it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.document import Document, Flag
from pincite.core.errors import DamagedError, EmptyError, ReadingError, TooLargeError
from pincite.core.limits import DEFAULT
from pincite.core.text import normalise
from pincite.reading.html import DEEPEST, HtmlReader

UNSEEN = (Flag(None, "text that a reader does not see was left out"),)


def read(source: str | bytes, name: str = "site/page.html") -> Document:
    """Return the document of an HTML source."""
    data = source.encode() if isinstance(source, str) else source
    return HtmlReader().read(data, name=name, limits=DEFAULT)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<p>One <i>two</i><b> three</b>,\n four</p>", "One two three, four"),
        ("<p>ex<b>pen</b>ses</p>", "expenses"),
        ("<p>a</p><p>b</p>c<div>d</div>", "a\n\nb\n\nc\n\nd"),
        ("<p>a<br>b</p>", "a\nb"),
        ("&lt;p&gt; 5&nbsp;&euro; &amp;amp;", "<p> 5 € &amp;"),
        ("<ul><li>a<li>b<ul><li>c</ul></ul>d", "- a\n- b\n  - c\n\nd"),
        ("<ol start=3><li>a<li value=7>b<li>c</ol>", "3. a\n7. b\n8. c"),
        ("<table><tr><th>a<th>b<tr><td><p>1</p><td>2<tr><td><td>3</table>", "a | b\n1 | 2\n| 3"),
        (
            "<table><tr><td><p>One.</p><p>Two.</p><td>Three.</table>",
            "One.\n\nTwo.\n\nThree.",
        ),
        ("<pre>\nif x:\n    y\n\nz</pre>w", "if x:\n    y\n\nz\n\nw"),
        ("a<!-- secret --><script>secret()</script><style>b{}</style> b", "a b"),
        ("<noscript>no</noscript><template><p>no</p></template>yes", "yes"),
        ("<p>soft\u00adhyphen <wbr>b</p>", "softhyphen b"),
        ("<b><i>mis</b>nested</i> text", "misnested text"),
    ],
)
def test_text(source: str, text: str) -> None:
    """Blocks are parted, inline text is joined, and what is no text is left out without a flag."""
    document = read(source)
    assert document.text == text
    assert document.flags == ()


@pytest.mark.parametrize(
    "attributes",
    [
        "hidden",
        'hidden="until-found"',
        'aria-hidden="true"',
        'style="display:none"',
        'style="color: red; DISPLAY : None !important"',
        'style="visibility:hidden"',
        'style="font-size:0"',
        'style="font-size: 0.0em"',
        'style="opacity:0"',
        'style="color:#FFF; background-color: white"',
        'style="color:rgb(255, 255, 255)"',
        'style="color:transparent"',
    ],
)
def test_hidden(attributes: str) -> None:
    """What an element's own attributes hide is left out, with everything in it, and flagged once."""
    document = read(f"<p>seen</p><div {attributes}>secret<p>secret</p></div><i {attributes}>secret</i>")
    assert document.text == "seen"
    assert document.flags == UNSEEN


@pytest.mark.parametrize(
    "source",
    [
        '<p style="font-size:0.8em; opacity:0.5; color:#000">seen',
        '<div style="background:#036"><p style="color:white">seen</p></div>',
        '<table><tr><td bgcolor="#003366"><font color="white">seen</font></table>',
        '<link rel=stylesheet href=x.css><p style="color:#fff">seen</p>',
        '<div style="background:url(x.png)"><p style="color:white">seen</p></div>',
        '<p>seen</p><div hidden> <script>x</script></div><i aria-hidden="true"></i>',
    ],
)
def test_not_hidden(source: str) -> None:
    """White on a dark or unknown ground, small text, and hidden elements without text raise no flag."""
    document = read(source)
    assert document.text == "seen"
    assert document.flags == ()


def test_navigation() -> None:
    """Navigation, asides and footers go where other text is, and stay where they are all there is."""
    around = "<nav>menu</nav>{}<aside>more</aside><footer>imprint</footer>"
    assert read(around.format("<p>text</p>")).text == "text"
    assert read(around.format("")).text == "menu\n\nmore\n\nimprint"
    assert read("<nav>menu</nav><main>text<aside>note</aside></main>").text == "text\n\nnote"


def test_title_and_outline() -> None:
    """The first heading of level 1 is the title, then the title element, then the name of the file."""
    document = read("<title>T &amp; t</title><h2>Two</h2><p>x</p><h1>O<i>n</i>e<br>more</h1>y")
    assert document.title == "One more"
    assert [(part.title, part.level) for part in document.outline] == [("Two", 2), ("One more", 1)]
    assert document.text == "Two\n\nx\n\nOne more\n\ny"
    assert [part.start for part in document.outline] == [0, document.text.index("One")]
    assert read("<title> T &amp;\n t</title>x").title == "T & t"
    assert read("x").title == "page"


def test_no_lines() -> None:
    """A page has no lines that a person could look for."""
    document = read("<h1>Head</h1><p>text</p>")
    assert document.locator(6, 10).as_dict() == {"headings": ["Head"]}


@pytest.mark.parametrize(
    ("declaration", "codec"),
    [
        ('<meta charset="windows-1251">', "cp1251"),
        ("<meta http-equiv=content-type content='text/html; charset=koi8-r'>", "koi8-r"),
        ('<?xml version="1.0" encoding="utf-8"?>', "utf-8"),
        ("<meta charset=utf-16>", "utf-8"),
        ("<meta charset=unknown>", "utf-8"),
        ("<meta charset=unicode_escape>", "utf-8"),
        ("<meta charset=rot13>", "utf-8"),
        ("", "utf-16"),
    ],
)
def test_encodings(declaration: str, codec: str) -> None:
    """A mark, then a declaration that makes sense, then UTF-8 decides."""
    assert read(f"{declaration}<p>Привет".encode(codec)).text == "Привет"


def test_windows_1252() -> None:
    """Bytes that are no UTF-8 are Windows-1252, declared Latin-1 or not."""
    assert read("<p>„Maß“ – 5 €".encode("cp1252")).text == "„Maß“ – 5 €"
    assert read("<meta charset=iso-8859-1><p>5 €".encode("cp1252")).text == "5 €"


@pytest.mark.parametrize("source", ["", "<p hidden>secret</p>", "<title>only</title>", "<p>&#8203;</p>"])
def test_nothing_visible(source: str) -> None:
    """A page without visible words is empty."""
    with pytest.raises(EmptyError, match="page\\.html"):
        read(source)


def test_refusals() -> None:
    """Binary data, and pages over a limit, are refused."""
    with pytest.raises(DamagedError):
        read(b"\0\1\2\3" * 50)
    with pytest.raises(TooLargeError):
        HtmlReader().read(b"abcde", name="x", limits=replace(DEFAULT, file_bytes=4))
    with pytest.raises(TooLargeError):
        HtmlReader().read(b"<p>abcde", name="x", limits=replace(DEFAULT, document_code_points=4))


def test_depth() -> None:
    """Nesting is read down to a limit and refused beyond it; elements that need no end tag are no nesting."""
    assert read("<div>" * DEEPEST + "x").text == "x"
    with pytest.raises(TooLargeError, match="1,000"):
        read("<div>" * (DEEPEST + 1) + "x")
    assert read("<p>x" * 3_000).text.count("x") == 3_000
    assert read("<script>" + "'<div>'+" * 3_000 + "</script>x<!--" + "<div>" * 3_000 + "-->").text == "x"


SIZE = 200_000
HOSTILE = {
    "div": "<div>" * (SIZE // 5),
    "bold": "<b>" * (SIZE // 3),
    "fonts": "".join(f"<font size={size}>x" for size in range(1_900)) + "<p>y" * 5_000,
    "misnested": "<b><p>" * (SIZE // 6),
    "tables": "<table><tr><td>" * (SIZE // 15),
    "paragraphs": "<p>" * (SIZE // 3),
    "links": "<a>x" * (SIZE // 4),
    "attributes": "<p" + " a=b" * (SIZE // 4) + ">x",
    "style": '<p style="' + "a:b;:" * (SIZE // 5) + '">x',
    "comments": "<!--" * (SIZE // 4),
    "scripts": "<script>" * (SIZE // 8),
    "open tags": "<" * SIZE,
    "entities": "&" * SIZE,
    "declarations": "<meta " * (SIZE // 6),
    "names": "".join(f"<x{number}>" for number in range(SIZE // 8)),
    "cells": "<table>" + "<tr><td>x<td>" * (SIZE // 13),
    "code": "<pre>" + "\n" * SIZE + "x",
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile(case: str) -> None:
    """What is made to be slow ends in a document or a typed error."""
    try:
        document = read(HOSTILE[case])
    except ReadingError:
        return
    assert len(document.text) <= 2 * SIZE


TAGS = [
    "p",
    "div",
    "b",
    "h1",
    "h2",
    "ul",
    "ol",
    "li",
    "table",
    "tr",
    "td",
    "pre",
    "br",
    "a",
    "span hidden",
    "nav",
]
PIECES = st.one_of(
    st.sampled_from([f"<{tag}>" for tag in TAGS] + [f"</{tag.split()[0]}>" for tag in TAGS]),
    st.text(st.sampled_from("ab \n&;<>\u0301e\u00a0"), max_size=6),
)


@given(st.lists(PIECES, max_size=30).map("".join))
def test_any_source(source: str) -> None:
    """Any source gives a text in normal form, without stray space, and headings at line starts."""
    try:
        document = read(source)
    except ReadingError:
        return
    text = document.text
    assert normalise(text) == text
    assert all(line == line.rstrip() for line in text.split("\n"))
    assert "\n\n\n" not in text
    assert all(place.start == 0 or text[place.start - 1] == "\n" for place in document.outline)


LETTERS = st.text(st.sampled_from("abcä中 \n"), max_size=8)


@given(st.lists(st.tuples(LETTERS, st.sampled_from(["b", "i", "span", "a", "em"])), max_size=12))
def test_inline_text_is_neither_invented_nor_lost(parts: list[tuple[str, str]]) -> None:
    """Inline elements change nothing: the text is that without them, its white space collapsed."""
    plain = "".join(words for words, _ in parts)
    marked = "".join(f"<{tag}>{words}</{tag}>" for words, tag in parts)
    if plain.strip():
        assert read(f"<p>{marked}</p>").text == " ".join(plain.split())


def test_xhtml() -> None:
    """In XHTML an element may close itself: what comes behind is not swallowed, as a parser of HTML would do it."""
    source = (
        '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="x.js"/></head>'
        '<body><p><a id="top"/>Words <br/>and <i/>more.</p></body></html>'
    )
    assert read(source, "page.xhtml").text == "Words\nand more."
    with pytest.raises(EmptyError):
        read('<?xml version="1.0"?>' + "<a " * 100_000)
