"""Evidence: the source made plain by its kind, and the selector met in it, not met, or not looked for."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from moca_packages import codes, files, library, node, read

from pincite.core.limits import Limits
from pincite.protocols.moca.reader.evidence import kind_of, plain

VTT = """WEBVTT - a title --> none

NOTE nothing --> here

1
00:01.000 --> 00:04.500 align:start
<v Kim>Refunds &amp; <b>returns</b>

01:00:04.000 --> 01:00:08.500
take five
working days.

no --> time
never
"""


def quote(exact: str, **more: str) -> dict[str, Any]:
    """Return a selector of words."""
    return {"type": "TextQuoteSelector", "exact": exact, **more}


def position(start: Any, end: Any) -> dict[str, Any]:
    """Return a selector of code points."""
    return {"type": "TextPositionSelector", "start": start, "end": end}


def time(value: str, conforms: str = "http://www.w3.org/TR/media-frags/") -> dict[str, Any]:
    """Return a selector of a time."""
    return {"type": "FragmentSelector", "value": value, "conformsTo": conforms}


def matched(
    source: str | bytes, *selectors: dict[str, Any], name: str = "s.txt", **options: Any
) -> list[Any]:
    """Return what a record says of evidence in a source: True, False, or None where nothing is said."""
    front: dict[str, Any] = {
        "sources": [{"id": "s", "resource": f"../sources/{name}"}],
        "moca": {"evidence": [{"source": "s", "selector": one} for one in selectors]},
    }
    data = source if isinstance(source, bytes) else source.encode()
    found = read({**files(None, a_md=node(**front)), f"sources/{name}": data}, **options)
    return list(found.nodes[0].representations[0].matched)


@pytest.mark.parametrize(
    ("selector", "is_met"),
    [
        (quote("within 30 days"), True),
        (quote("within  30 days"), False),
        (quote("Within 30 days"), False),
        (quote("30", prefix="within ", suffix=" days"), True),
        (quote("30", prefix="within", suffix=" days"), False),
        (quote("a", suffix="b"), True),
        (quote("é"), True),
        (position(0, 5), True),
        (position(0, 35), True),
        (position(0, 36), False),
        (position(5, 5), True),
        (position(6, 5), False),
        (position(-1, 5), False),
        ({"type": "FragmentSelector", "value": "page=4"}, None),
        (time("t=1,2"), None),
        ({"type": "XPathSelector", "value": "/p"}, None),
    ],
)
def test_plain_text(selector: dict[str, Any], *, is_met: bool | None) -> None:
    """Words as they stand, case and white space included, with what is right beside them; positions in code points."""
    text = "aa é 𝄞 Refund within 30 days.\r\naab\n"
    assert len(text) == 35
    assert matched(text, selector) == [is_met]


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("# Title", "Title"),
        ("  ###### Title", "Title"),
        ("####### Title", "####### Title"),
        ("#Title", "#Title"),
        ("- one\n* two\n+ three\n12. four\n3) five", "one\ntwo\nthree\nfour\nfive"),
        ("# - a", "a"),
        ("-one", "-one"),
        ("a [label](https://x.example/a_b) b", "a label b"),
        ("![alt](x.png)", "alt"),
        ("[a] [b](c", "[a] [b](c"),
        ("[a [b](c)", "a [b"),
        ("[a](b)(c) ](d)", "a(c) ](d)"),
        ("**bold** _it_ `code` a_b", "bold it code ab"),
        ("!\\[x", "!\\[x"),
    ],
)
def test_markdown(raw: str, text: str) -> None:
    """Links and pictures are their labels; marks of headings and items at the beginning of a line go, then the rest."""
    assert plain(raw, "markdown").text == text


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("<p>a <b>b</b></p>", "a b"),
        ("a<script>if (x < 1) y</script >b", "ab"),
        ("a<SCRIPT type='x'>x</Script>b<style>p{}</style>c", "abc"),
        ("a<script>b", "ab"),
        ("a<style>b</script>c", "abc"),
        ("<scripted>x</scripted>", "x"),
        ("1 < 2", "1 < 2"),
        ("&lt;b&gt; &amp;amp; &quot;&apos;&nbsp;&eacute;", "<b> &amp; \"'\u00a0&eacute;"),
        ("&#65;&#x42;&#xD800;&#9999999;", "AB&#xD800;&#9999999;"),
    ],
)  # fmt: skip
def test_html(raw: str, text: str) -> None:
    """Scripts and styles go, then tags, then references of characters are read: numbers and six names."""
    assert plain(raw, "html").text == text


def test_webvtt() -> None:
    """Only what is said in cues: no header, no notes, no tags; lines stay lines."""
    assert plain(VTT.replace("\n", "\r\n"), "webvtt").text == "Refunds & returns\ntake five\nworking days."


@pytest.mark.parametrize(
    ("value", "is_met"),
    [
        ("t=2,3", True), ("t=4.5,10", False), ("t=0,1", False), ("t=,1.5", True), ("t=npt:00:02", True),
        ("t=3604,3605", True), ("t=01:00:04,01:00:05", True), ("t=9000", False), ("t=1:00:05", True), ("t=5,2", False),
        ("t=x", False), ("page=1", False), ("track=a&t=2,3", True), ("at=2,3", False), ("t=" + "9" * 10_000, False),
    ],
)  # fmt: skip
def test_times_in_webvtt(value: str, *, is_met: bool) -> None:
    """A time is met where it overlaps a cue; to touch it is not enough."""
    assert matched(VTT, time(value), name="talk.vtt") == [is_met]


def test_a_time_is_only_looked_for_where_that_can_be_done() -> None:
    """In anything but WebVTT, and by another rule than the one of media fragments, nobody looks."""
    assert matched("x", time("t=1,2"), name="talk.txt") == [None]
    assert matched(VTT, time("t=1,2", "http://tools.ietf.org/rfc/rfc3778"), name="talk.vtt") == [None]
    assert matched(VTT, time("t=2,3", "https://www.w3.org/TR/media-frags"), name="talk.vtt") == [True]
    assert matched(VTT, quote("five\nworking"), name="talk.vtt") == [True]


@pytest.mark.parametrize("name", ["s.pdf", "s", "s.docx", "s.vtt.bin"])
def test_a_kind_that_is_not_read(name: str) -> None:
    """Nothing is said of it, and the source counts as carried all the same."""
    assert matched("five", quote("five"), name=name) == [None]


def test_only_what_the_package_carries_is_looked_at() -> None:
    """An address, a path outside of `sources` and `media`, words: none of them is looked for, or fetched."""
    front: dict[str, Any] = {
        "sources": [
            {"id": "web", "resource": "https://example.org/s.txt"},
            {"id": "node", "resource": "./b.md"},
            {"id": "said", "resource": "sources/s.txt"},
            {"id": "own", "resource": "../sources/s.txt"},
        ],
        "moca": {
            "evidence": [
                {"source": name, "selector": quote("five")} for name in ("web", "node", "said", "own", "none")
            ]
        },
    }
    made = {**files(None, a_md=node(**front), b_md=node("five")), "sources/s.txt": b"five"}
    found = read(made)
    assert found.nodes[0].representations[0].matched == (None, None, None, True, None)
    assert codes(found) == {"C006"}
    assert found.capabilities == ("core", "located-evidence")


def test_what_is_not_found_is_a_warning() -> None:
    """The record says false, the code tells of it, and the originals are in the package all the same."""
    front: dict[str, Any] = {
        "sources": [{"id": "s", "resource": "../sources/s.txt", "title": "S"}],
        "moca": {"evidence": [{"source": "s", "selector": quote("six"), "note": "why"}]},
    }
    made = {**files(None, a_md=node(**front)), "sources/s.txt": b"five"}
    found = read(made)
    assert (found.valid, codes(found)) == (True, {"C011"})
    assert found.capabilities == ("core", "located-evidence", "self-contained-evidence")
    (record,) = library(made).citations()
    assert record["evidence"] == [
        {
            "source": {"id": "s", "resource": "../sources/s.txt", "title": "S"},
            "selector": quote("six"),
            "note": "why",
            "matched": False,
        }
    ]


def test_what_is_not_looked_for_is_absent() -> None:
    """A source that is too large, or no text; evidence after the limit, and after the budget: no key, not false."""
    few = Limits(moca_source_bytes=10)
    assert matched("five" * 5, quote("five"), limits=few) == [None]
    assert matched(b"five\xff", quote("five")) == [None]
    assert matched("five", quote("five"), quote("six"), quote("five"), limits=Limits(moca_evidence=2)) == [
        True, False, None,
    ]  # fmt: skip
    # Making it plain takes eight times its bytes, and each look once.
    assert matched("five", quote("five"), quote("six"), limits=Limits(moca_evidence_bytes=36)) == [True, None]
    assert matched("five", quote("five"), limits=Limits(moca_evidence_bytes=20)) == [None]


@pytest.mark.parametrize(
    "raw",
    [
        "[" * 60_000, "](" * 60_000, "[a](" * 60_000, "<" * 60_000, "<script" * 20_000, "<script>" * 20_000,
        "&" * 60_000,
        "&#" * 60_000, "\n" * 60_000, "- " * 60_000, "#" * 60_000, " " * 60_000, "-->" * 60_000, "\n\n-->" * 20_000,
        "</script>" * 20_000, "1" * 60_000, "\\" * 60_000, "`" * 60_000,
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["markdown", "html", "webvtt"])
def test_hostile_sources_take_linear_time(raw: str, kind: str) -> None:
    """What would send a search back to its beginning again and again is gone through once."""
    assert len(plain(raw, kind).text) <= len(raw)


@given(
    st.text("[]()!#-*_`<>/ab \n&;#1x", max_size=60),
    st.sampled_from(["markdown", "html", "webvtt", "text"]),
)
def test_making_plain_never_fails_and_adds_nothing(raw: str, kind: str) -> None:
    """Whatever the source is, what is left of it is no longer than it was."""
    assert len(plain(raw, kind).text) <= len(raw)


def test_kinds_go_by_the_name() -> None:
    """In any case."""
    assert [kind_of(name) for name in ("a.TXT", "a.text", "a.md", "a.HTM", "a.b/c", "a.vtt")] == [
        "text", "text", "markdown", "html", None, "webvtt",
    ]  # fmt: skip
