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
        'style="position:absolute; left:-9999px"',
        'style="position: fixed; top: -100em"',
        'style="text-indent:-999px"',
        'style="margin-left:-10000px"',
        'style="transform:translateX(-2000px)"',
        'style="position:absolute; clip:rect(0,0,0,0)"',
        'style="clip: rect(1px, 1px, 1px, 1px)"',
        'style="clip-path:inset(100%)"',
        'style="clip-path: inset(50%)"',
        'style="clip-path:circle(0)"',
        'style="transform:scale(0)"',
        'style="transform: rotate(9deg) scaleX(0)"',
        'style="opacity:0.0"',
        'style="opacity:0%"',
        'style="font-size:1px"',
        'style="font-size:0.05em"',
        'style="font:0/0 a"',
        'style="color:rgba(10,20,30,0)"',
        'style="color:rgb(0 0 0 / 0%)"',
        'style="color:#1230"',
        'style="color:hsla(120,50%,50%,0)"',
        'style="color:#fefefe"',
        'style="color:rgb(250,250,250)"',
        'style="color:hsl(0,0%,98%)"',
        'style="background:#036; color:#003a6b"',
        'style="background:navy none; color:#000080"',
        'style="height:0; overflow:hidden"',
        'style="max-height:0px;overflow-y:hidden"',
        'style="width:1px; height:1px; overflow:hidden"',
        'class="sr-only"',
        'class="link visually-hidden"',
        'class="screen-reader-text"',
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
        '<p style="position:absolute; left:-20px; top:40px; text-indent:-2em">seen</p>',
        '<p style="left:-9999px">seen</p>',
        '<p style="position:absolute; clip:rect(0,auto,auto,0)">seen</p>',
        '<p style="clip-path:inset(10% 5%); transform:scale(0.5) translate(-50%,-50%)">seen</p>',
        '<p style="height:0">seen</p>',
        '<p style="overflow:hidden; height:20px">seen</p>',
        '<p style="color:#eee">seen</p>',
        '<p style="color:rgba(0,0,0,.6)">seen</p>',
        '<p style="color:transparent; background:linear-gradient(red,blue); -webkit-background-clip:text">seen</p>',
        '<div style="color:#fff"><p style="background:#036">seen</p></div>',
        '<div style="color:#fff"><a href="#">seen</a></div>',
        '<div style="font-size:0"><p style="font-size:14px">seen</p></div>',
        '<p style="background:url(x.png) #fff; color:#fff">seen</p>',
        '<p style="background:rgba(0,0,0,.5); color:#fff">seen</p>',
        '<p style="font:12px/1.5 serif; background:transparent; color:windowtext">seen</p>',
    ],
)
def test_not_hidden(source: str) -> None:
    """White on a dark or unknown ground, small text, and hidden elements without text raise no flag."""
    document = read(source)
    assert document.text == "seen"
    assert document.flags == ()


@pytest.mark.parametrize(
    ("rules", "element"),
    [
        (".x{display:none}", "p class=x"),
        (".a, .x , h6 {color:red; Display: None}", 'p class="y x"'),
        ("#x{position:absolute;left:-9999px}", "p id=x"),
        ("blockquote{visibility:hidden}", "blockquote"),
        ("p.x.y{opacity:0}", 'p class="y z x"'),
        (".x{color:#fff}", "p class=x"),
        ("body{background:#036} .x{color:#036}", "p class=x"),
        ("/* .x{} */ @charset 'utf-8'; .x{font-size:0}", "p class=x"),
        ("@media screen{.x{display:none}}", "p class=x"),
        ("@media print{.x{color:red}} .x{display:none}", "p class=x"),
        (".x{display:none!important}", 'p class=x style="display:block"'),
        (".x{display:none} p{display:block}", "p class=x"),
    ],
)
def test_hidden_by_a_rule(rules: str, element: str) -> None:
    """What a rule with a simple selector hides is hidden as if the element said so itself."""
    name = element.split(maxsplit=1)[0]
    document = read(f"<style>{rules}</style><b>seen</b><{element}>secret</{name}>")
    assert document.text == "seen"
    assert document.flags == UNSEEN


@pytest.mark.parametrize(
    ("rules", "element"),
    [
        (".x{display:none}", "p class=y"),
        (".x{display:none}", 'p class=x style="display:block"'),
        (".x{display:none} .x.on{display:block}", 'p class="x on"'),
        (".menu .x{display:none} .x:hover{display:none} .x>p{display:none}", "p class=x"),
        ("@media print{.x{display:none}} @media (max-width:9px){.x{display:none}}", "p class=x"),
        ("@keyframes a{from{opacity:0}}", "p"),
        ("body{opacity:0} html{display:none}", "p"),
        ("body{background:#000}", 'p style="color:#fff"'),
        (".dark p{background:#000}", 'p style="color:#fff"'),
        ("@import 'x.css';", 'p style="color:#fff"'),
        (".x{display:none", "p class=x"),
        ("}}} .y{display:none}", "p class=x"),
    ],
)
def test_not_hidden_by_a_rule(rules: str, element: str) -> None:
    """Rules for other elements, for print, or that depend on more than the element, and those that are overridden."""
    document = read(f"<style>{rules}</style><{element}>seen</{element.split(maxsplit=1)[0]}>")
    assert document.text == "seen"
    assert document.flags == ()


SAVED = "<!doctype html>\n<!-- saved from url=(0024)https://example.org/saved -->\n"
CANONICAL = "<link rel=canonical href=https://example.org/canonical>"
OPEN_GRAPH = '<meta property="og:url" content="https://example.org/og">'
BASE = '<base href="https://example.org/base/page.html">'


@pytest.mark.parametrize(
    ("head", "url"),
    [
        (SAVED + CANONICAL + OPEN_GRAPH + BASE, "https://example.org/saved"),
        (BASE + OPEN_GRAPH + CANONICAL, "https://example.org/canonical"),
        (BASE + OPEN_GRAPH, "https://example.org/og"),
        (BASE, "https://example.org/base/page.html"),
        (
            "<!--\n Page saved with SingleFile \n url: https://example.org/a?b=c \n saved date: x\n-->",
            "https://example.org/a?b=c",
        ),
        ("<!-- saved from url=(0014)about:internet -->" + CANONICAL, "https://example.org/canonical"),
        ("<link rel=canonical href=/canonical>" + OPEN_GRAPH, "https://example.org/og"),
        ("<link rel=canonical href='javascript:alert(1)'>", None),
        ("<link rel=canonical href=https://user:secret@example.org/>", None),
        ("<link rel=canonical href=file:///etc/passwd>", None),
        ("<link rel=canonical href=//example.org/x>", None),
        ('<base href="https://example.org/">', None),
        ('<base href="https://example.org">', None),
        ("", None),
    ],
)
def test_the_address_of_a_saved_page(head: str, url: str | None) -> None:
    """What the browser noted, then the canonical link, `og:url`, a base that names a file; only what may be a link."""
    assert read(f"{head}<p>x</p>").url == url


def test_a_tag_with_50_000_attributes_takes_no_square_and_keeps_what_is_read() -> None:
    """Those that say something here are kept, wherever they stand; quotation marks end no tag."""
    many = " ".join(f"a{number}='>'" for number in range(50_000))
    document = read(f"<p>seen</p><div {many} style='display:none'>secret</div><p {many}>more</p>")
    assert document.text == "seen\n\nmore"
    assert document.flags == UNSEEN


def test_words_behind_plaintext() -> None:
    """Nothing behind it is a tag, so nothing there is changed or too deep."""
    words = "a <b>b</b> " + "<div>" * (DEEPEST + 1)
    assert read(f"<p>x</p><plaintext>{words}").text == f"x\n\n{words}".rstrip()


def test_elements_of_a_drawing_that_close_themselves_are_no_depth() -> None:
    """In a drawing, unlike in HTML, they may."""
    source = f"<p>x<svg>{'<path d=m />' * (DEEPEST + 1)}<text>y</text></svg>z"
    assert read(source).text.split() == ["x", "y", "z"]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("10<sup>6</sup> m<sup>-2</sup>", "10⁶ m⁻²"),
        ("word<sup>1,2</sup>", "word¹,²"),
        ("5<sup>th</sup> H<sub>2</sub>O", "5th H2O"),
        ("word<sup>[1]</sup>", "word[1]"),
    ],
)
def test_raised_numbers_stay_raised(source: str, text: str) -> None:
    """A power becomes no digit of the number before it, nor does a note."""
    assert read(source).text == text


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("<title>NICS: NOTES</title><p>x</p><h1>NOTES:</h1>y", "NICS: NOTES"),
        ("<title>NICS</title><p>x", "NICS"),
        ("<h1>NICS: NOTES</h1>x", "NICS: NOTES"),
        ("<title>A Book</title><h1>CHAPTER ONE</h1>x<h1>CHAPTER TWO</h1>y", "A Book"),
        ("<title>Expenses - Example Ltd</title><h1>Expenses</h1>x", "Expenses"),
        ("<h1>ONE</h1>x<h1>TWO</h1>y", "ONE"),
    ],
)
def test_a_title_in_capitals_stays_whole(source: str, title: str) -> None:
    """A heading that is but the end of the title element, and one of several, does not stand in its place."""
    assert read(source).title == title


def test_several_authors_in_one_field() -> None:
    """`A; B`, `A and B`, `A, B` are several where each is a whole name."""
    for written, authors in (
        ("Anna Meier; Bob Jones", ["Anna Meier", "Bob Jones"]),
        ("Anna Meier and Bob Jones", ["Anna Meier", "Bob Jones"]),
        ("Anna Meier &amp; Bob Jones", ["Anna Meier", "Bob Jones"]),
        ("Anna Meier, Bob Jones, and Cy Young", ["Anna Meier", "Bob Jones", "Cy Young"]),
        ("Meier, Anna and Jones, Bob", ["Anna Meier", "Bob Jones"]),
        ("Meier, Anna", ["Anna Meier"]),
        ("van der Berg, Anna Maria", ["van der Berg, Anna Maria"]),
        ("Food and Agriculture Organization", ["Food and Agriculture Organization"]),
        ("Department of Health and Human Services", ["Department of Health and Human Services"]),
        ("Smith &amp; Sons", ["Smith & Sons"]),
    ):
        page = read(f'<meta name=author content="{written}"><p>x')
        assert [str(one) for one in page.bibliography.author] == authors


def test_printed_pages() -> None:
    """A page of a book on the web has places by the numbers printed in it."""
    document = read("<p>One <span role=doc-pagebreak aria-label=7></span>two.</p>")
    assert document.text == "One two."
    assert document.locator(4, 7).describe() == "page 7"
    assert document.locator(0, 7).describe() == ""


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
    "own attributes": "<p " + " ".join(f"a{number}=b" for number in range(SIZE // 8)) + ">x",
    "open quotes": "<p a='" * (SIZE // 6),
    "tags without end": "<p a=b " * (SIZE // 7),
    "equals": "<p " + "=" * SIZE,
    "rules": "<style>"
    + "".join(f".a.b{n}{{top:0}}" for n in range(SIZE // 16))
    + "</style>"
    + "<p class=a>x" * 999,
    "rules that never end": "<style>" + ".a{" * (SIZE // 3) + "</style>x",
    "comments in rules": "<style>" + "/*" * (SIZE // 2) + "</style>x",
    "no declaration": '<p style="' + "color" * (SIZE // 5) + '">x',
    "classes": "<style>.a{color:red}</style><p class='" + "a " * (SIZE // 2) + "'>x",
    "insets": "<p style='clip-path:" + "inset( " * (SIZE // 7) + "'>x",
    "pages": "<p>x<br role=doc-pagebreak title=1>" * (SIZE // 35),
    "pages in a line": "x<span role=doc-pagebreak title=1></span>" * (SIZE // 40),
    "cdata": "<?xml version='1.0'?>" + "<![CDATA[" * (SIZE // 9),
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
