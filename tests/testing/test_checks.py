"""The checks of the kit: what is harmless passes, each kind of harm fails, and naive code fails on the cases."""

from __future__ import annotations

import re
import string
from typing import TYPE_CHECKING

import pyromark
import pytest
from markdown_it import MarkdownIt

from pincite.testing import (
    ATTACK_PASSAGES,
    ATTACK_QUOTES,
    ATTACK_TEXTS,
    ATTACK_TITLES,
    ATTACK_URLS,
    AttackText,
    assert_inert_html,
    assert_inert_markdown,
    assert_no_address,
)

if TYPE_CHECKING:
    from collections.abc import Callable

OWN = "https://docs.example/own"


def is_inert(html: str) -> bool:
    """Say whether the check passes."""
    try:
        assert_inert_html(html)
    except AssertionError:
        return False
    return True


# ---------------------------------------------------------------- assert_inert_html


@pytest.mark.parametrize(
    "html",
    [
        "",
        "words",
        "<p>a <b>b</b> &lt;script&gt;alert(1)&lt;/script&gt;</p>",
        "<!doctype html><html><head><meta charset=utf-8><title>javascript:alert(1)</title></head><body>x</body></html>",
        f'<p><a href="{OWN}">x</a> <a href="{OWN}#:~:text=a%20b">y</a> <a href="#source-1">[1]</a></p>',
        '<p style="color: red" class="a" id="b" dir="auto" aria-label="onclick=x">onclick=alert(1)</p>',
        "<table><tr><td>|</td></tr></table><pre>url(https://evil.example)</pre><!-- <img src=x> -->",
        "<p>https://evil.example/ javascript:alert(1)</p>",
    ],
)
def test_what_shows_text_is_inert(html: str) -> None:
    """Text, its layout, links over http and https, and places in the page are no harm."""
    assert_inert_html(html)


@pytest.mark.parametrize(
    ("html", "said"),
    [
        ("<script>1</script>", "element <script>"),
        ("<img src=x>", 'element <img src="x">'),
        ("<iframe srcdoc='x'></iframe>", "element <iframe"),
        ("<object data=x></object>", "element <object"),
        ("<embed src=x>", "element <embed"),
        ("<link rel=prefetch href=https://evil.example/>", "element <link"),
        ("<base href=https://evil.example/>", "element <base"),
        ("<style>p{}</style>", "element <style"),
        ("<svg><use href='#a'/></svg>", "element <svg>"),
        ("<math><mi>x</mi></math>", "element <math>"),
        ("<form action=/x></form>", "element <form"),
        ("<video poster=x></video>", "element <video"),
        ("<audio src=x></audio>", "element <audio"),
        ("<noscript><p>x</p></noscript>", "element <noscript>"),
        ("<template><img src=x></template>", "element <template>"),
        ("<my-widget></my-widget>", "element <my-widget>"),
        ("<input type=text>", "element <input"),
        ("<meta http-equiv=refresh content='0;url=x'>", "acts on the page"),
        ("<p onclick=x>", "handler 'onclick'"),
        ("<p ONCLICK=x>", "handler 'onclick'"),
        ("<details open ontoggle=x>", "handler 'ontoggle'"),
        ("<table background=x></table>", "loads 'x' by 'background'"),
        ("<a href='#a' ping='https://evil.example/'>x</a>", "by 'ping'"),
        ("<p style='background:url(x)'>", "has 'url('"),
        ("<p style='background:u\\72l(x)'>", "has 'url('"),
        ("<p style='background:u/**/rl(x);b:url /**/ (x)'>", "has 'url"),
        ("<p style='width:expression(1)'>", "has 'expression('"),
        ("<p style='background:image-set(\"x\" 1x)'>", "has 'image-set('"),
        ("<p href=x>", "is no link"),
        ("<a href='javascript:alert(1)'>x</a>", "neither http nor https"),
        ("<a href='&#106;avascript:alert(1)'>x</a>", "neither http nor https"),
        ("<a href='java&Tab;script:alert(1)'>x</a>", "white space"),
        ("<a href=' javascript:alert(1)'>x</a>", "white space"),
        ("<a href='data:text/html,x'>x</a>", "neither http nor https"),
        ("<a href='//evil.example/'>x</a>", "neither http nor https"),
        ("<a href='/own/path'>x</a>", "neither http nor https"),
        ("<a href='https:///x'>x</a>", "no host"),
        ("<a href='https:evil.example'>x</a>", "no host"),
        ("<a href='https://docs.example@evil.example/'>x</a>", "has a user"),
        ("<a href='https://docs.example:99999/'>x</a>", "is no address"),
        ("<a href='https://docs.example\\@evil.example/'>x</a>", "backslash"),
        ("<a href='https://docs.\u202eelpmaxe/'>x</a>", "not seen"),
        ("<a href='https://ex\u0430mple.com/'>x</a>", "not in ASCII"),
        ("<svg><a xlink:href='javascript:1'>x</a></svg>", "element <svg>"),
    ],
)
def test_what_acts_is_not_inert(html: str, said: str) -> None:
    """Programs, what loads, and links that lead where they must not each fail, and the sentence names them."""
    with pytest.raises(AssertionError, match=re.escape(said)):
        assert_inert_html(f"<p>words {html}")


@pytest.mark.parametrize(
    "name", ["script", "iframe", "object", "embed", "link", "base", "template", "noscript", "use"]
)
def test_what_loads_or_runs_cannot_be_allowed(name: str) -> None:
    """`elements` is for what a page has beside text, as a button; it is no way around the check."""
    with pytest.raises(AssertionError):
        assert_inert_html(f"<svg><{name}></{name}></svg>", elements=("svg", name))


def test_an_element_of_the_page_is_allowed_and_still_looked_at() -> None:
    """A button passes where the page has one, a style sheet too; a handler does not, nor what a style loads."""
    assert_inert_html("<button>x</button><style>p { color: red }</style>", elements=("button", "style"))
    with pytest.raises(AssertionError, match="handler"):
        assert_inert_html("<button onclick=x>x</button>", elements=("button",))
    with pytest.raises(AssertionError, match="style sheet"):
        assert_inert_html("<style>@import 'x'</style>", elements=("style",))
    with pytest.raises(AssertionError, match="loads"):
        assert_inert_html("<img src=https://docs.example/a.png>", elements=("img",))


def test_links_may_be_only_those_that_are_given() -> None:
    """Any other address fails, however good it looks; a text fragment may follow one that is given."""
    assert_inert_html(f"<a href='{OWN}#:~:text=a'>x</a><a href='#a'>y</a>", links=[OWN])
    for other in (f"{OWN}/", f"{OWN}?q=SECRET", "https://docs.example/", f"{OWN}.evil.example/"):
        with pytest.raises(AssertionError, match="none of the addresses"):
            assert_inert_html(f"<a href='{other}'>x</a>", links=[OWN])


def test_a_number_leads_to_its_source_alone() -> None:
    """A link that shows `[1]` or `1` is for source 1; a number without an address has no link at all."""
    numbers = {1: OWN, 2: None, 3: "#source-3"}
    assert_inert_html(
        f"<a href='{OWN}#:~:text=a'>[1]</a> <a href='{OWN}'>1</a> <a href='#source-3'>[3]</a> [2] "
        f"<a href='{OWN}'>in 1921</a>",
        numbers=numbers,
    )
    for wrong in (
        "<a href='https://evil.example/'>[1]</a>",
        "<a href='https://evil.example/'>1</a>",
        "<a href='https://evil.example/'><b>[</b>1]</a>",
        "<a href='https://evil.example/'>see [ 1 ] here</a>",
        f"<a href='{OWN}'>[2]</a>",
        f"<a href='{OWN}'>[4]</a>",
        "<a href='#source-1'>[3]</a>",
    ):
        with pytest.raises(AssertionError, match="shows the number"):
            assert_inert_html(wrong, numbers=numbers)


def test_what_a_second_parser_makes_of_it_counts_too() -> None:
    """A sanitiser may leave text that becomes an element where it is read again; both readings are looked at."""
    with pytest.raises(AssertionError):
        assert_inert_html('<p>a<noscript><p title="</noscript><img src=x onerror=alert(1)>">')
    # The entities of an attribute are text in both readings.
    assert_inert_html('<p title="&lt;img src=x onerror=alert(1)&gt;">a')


# ---------------------------------------------------------------- assert_inert_markdown


def test_markdown_that_shows_text_is_inert() -> None:
    """Numbers, code, tables and links of ours pass in both renderers."""
    assert_inert_markdown(
        "Yes [1]. `[x](javascript:1)` \\<b>\n\n```html\n<img src=x>\n```\n\n|a|\n|-|\n|b|\n\n"
        f"- [ ] todo\n\n1. [Notes]({OWN})\n",
        links=[OWN],
        numbers={1: OWN},
    )


@pytest.mark.parametrize(
    "text",
    [
        "![i](https://evil.example/i)",
        "![x]\n\n[x]: https://evil.example/i",
        "[open](javascript:alert(1))",
        "<img src=https://evil.example/i>",
        "<p onclick=x>",
        "<me@evil.example>",
        "[x](//evil.example/)",
        "Yes [1].\n\n[1]: https://evil.example/i",
        "Yes[^1].\n\n[^1]: words",
        "[**1**](https://evil.example/i)",
    ],
)
def test_markdown_that_acts_is_not_inert(text: str) -> None:
    """Images, programs, elements, and whatever takes a number that is ours."""
    with pytest.raises(AssertionError, match="not inert"):
        assert_inert_markdown(text, numbers={1: OWN})


def test_the_renderer_of_the_page_decides() -> None:
    """A renderer that links bare addresses makes of them what the standard ones do not."""
    text = "https://evil.example/[1]"
    assert_inert_markdown(text, numbers={1: OWN})
    with pytest.raises(AssertionError, match="number 1"):
        assert_inert_markdown(text, numbers={1: OWN}, render=MarkdownIt("gfm-like").render)


# ---------------------------------------------------------------- assert_no_address


@pytest.mark.parametrize(
    "shown",
    [
        "/home/ada/a.pdf",
        '{"path": "/srv/tenants/7/a.pdf"}',
        "C:\\Users\\ada\\a.pdf",
        "c:/Users/ada/a.pdf",
        "\\\\files\\share\\a.pdf",
        "file:///a.pdf",
        "s3://bucket/a.pdf",
        "gs://bucket/a.pdf",
        "postgresql+psycopg://db/x",
        "https://ada:secret@docs.example/",
        "http://localhost:8000/",
        "db.internal",
        "http://10.0.0.7/",
        "169.254.169.254",
        "127.0.0.1",
        "tenant-7",
    ],
)
def test_places_of_the_server_are_found(shown: str) -> None:
    """Paths, buckets, databases, hosts of a network, and what was named as a secret."""
    with pytest.raises(AssertionError, match="What is shown tells"):
        assert_no_address(f"It is {shown} there.", "tenant-7")


def test_what_everybody_may_know_is_no_place() -> None:
    """Addresses of the web, versions, dates, fractions and shares of words are not found."""
    assert_no_address(
        "See https://docs.example/home/a and https://docs.example/var/x?y=1, 12/2026, and/or, version 1.2.3.4.5, "
        "8.8.8.8, a:b, C: drive, 3/4, /, the locals, {'a': '/'}.",
        "",
    )


# ---------------------------------------------------------------- naive code fails


def test_a_naive_renderer_of_markdown_fails() -> None:
    """What models write, given to two renderers as they are, is not inert for most of the cases."""
    for render in (pyromark.html, MarkdownIt("commonmark").render):
        failed = [case.name for case in ATTACK_TEXTS if fails_markdown(case, render)]
        assert len(failed) > len(ATTACK_TEXTS) / 2
        assert {"image", "definition-of-our-number", "script", "reference-link", "second-parse"} <= set(
            failed
        )


def fails_markdown(case: AttackText, render: Callable[[str], str]) -> bool:
    """Say whether a text fails as it is, where our number has an address of ours."""
    text = case.text.encode("utf-8", "replace").decode()
    try:
        assert_inert_markdown(text, links=[OWN], numbers={1: OWN}, render=render)
    except AssertionError:
        return True
    return False


def test_a_renderer_that_only_takes_scripts_out_fails() -> None:
    """A pattern that removes `<script>` leaves most of what acts."""
    kept = [
        re.sub(
            r"(?is)<script.*?(</script>|$)", "", pyromark.html(case.text.encode("utf-8", "replace").decode())
        )
        for case in ATTACK_TEXTS
    ]
    assert sum(not is_inert(html) for html in kept) > len(ATTACK_TEXTS) / 3


def test_titles_and_addresses_put_in_as_they_are_fail() -> None:
    """A page that is a template with holes is broken by titles, and by every address that may not act."""
    page = string.Template('<p><a href="$url">$title</a></p>')
    titles = [one for one in ATTACK_TITLES if not is_inert(page.substitute(url=OWN, title=one.text))]
    assert {"script", "drawing"} <= {one.name for one in titles}
    passed = [one.name for one in ATTACK_URLS if is_inert(page.substitute(url=one.text, title="x"))]
    # Reading HTML replaces what is no character, and what is long is only long.
    assert passed == ["nul", "surrogate", "long"]


def test_a_page_that_shows_source_addresses_fails() -> None:
    """Addresses of the operator's own are found where they are shown."""
    told: set[str] = set()
    for passage in ATTACK_PASSAGES:
        try:
            assert_no_address(f'{{"source": "{passage.url}"}}')
        except AssertionError:
            told.add(passage.name)
    assert told == {"url-of-a-bucket", "url-of-a-path"}


def words(text: str) -> list[str]:
    """Return the words of a text, in lower case."""
    return re.findall(r"[a-z]+", text.lower())


def in_lower_case(quote: str, source: str) -> bool:
    """Say whether a source holds the letters of a quote."""
    return quote.lower() in source.lower()


def same_words(quote: str, source: str) -> bool:
    """Say whether a source holds the words of a quote, in any order."""
    return set(words(quote)) <= set(words(source))


def as_a_pattern(quote: str, source: str) -> bool:
    """Say whether a source matches a quote as a regular expression."""
    return re.search(quote, source) is not None


@pytest.mark.parametrize(("check", "least"), [(in_lower_case, 9), (same_words, 20), (as_a_pattern, 9)])
def test_naive_checks_of_quotes_fail(check: Callable[[str, str], bool], least: int) -> None:
    """Looking for letters, for words, or for a pattern accepts many of the false quotes."""
    assert sum(check(case.quote, case.source) for case in ATTACK_QUOTES) >= least


def test_a_check_that_refuses_everything_fails_too() -> None:
    """Each case has a quote that has to be accepted, and a plain search finds it."""
    assert all(case.honest in case.source for case in ATTACK_QUOTES)
