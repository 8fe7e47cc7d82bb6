"""Foreign words stay words inside Markdown."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pincite.core.markdown import escaped
from pincite.core.text import one_line

GITHUB = MarkdownIt("gfm-like", {"linkify": False, "html": True})
TAG = re.compile(r"<[^>]*>")


def shown(text: str) -> str:
    """Return what a reader sees of a line of Markdown, which has to be one plain paragraph."""
    rendered = GITHUB.render(text).strip()
    assert rendered.startswith("<p>")
    assert rendered.endswith("</p>")
    inner = rendered.removeprefix("<p>").removesuffix("</p>")
    assert TAG.search(inner) is None, inner
    return html.unescape(inner)


@pytest.mark.parametrize(
    "title",
    [
        "*bold* _and_ `code` ~~gone~~",
        "[text](https://evil.example) ![x](y)",
        "<b>tags</b> & entities &amp; &lt;",
        "1. a list",
        "12) another",
        "- a rule",
        "---",
        "+ plus",
        "# heading",
        "> quote",
        "=====",
        "a|b|c",
        "[1]: https://evil.example",
        "x^2^ and $y$ @name #1",
        "back\\slash\\",
        "www.example.com",
    ],
)
def test_a_title_is_shown_as_it_is(title: str) -> None:
    """What Markdown gives a meaning is escaped, at the beginning of a line too."""
    assert shown(escaped(title)).replace("\u200b", "") == title


def test_an_address_is_taken_apart() -> None:
    """A renderer that links bare addresses finds none; a reader sees the same."""
    assert "://" not in escaped("see https://evil.example/x")
    assert shown(escaped("see https://evil.example/x")).replace("\u200b", "") == "see https://evil.example/x"


@given(st.text(st.characters(codec="utf-8"), max_size=30))
def test_any_label_is_one_plain_paragraph(text: str) -> None:
    """Nothing that a title can hold becomes an element."""
    label = one_line(text, 200)
    if label:
        assert shown(escaped(label)).replace("\u200b", "") == label.replace("\u200b", "")


def test_an_evidence_id_in_a_title_is_none_any_more() -> None:
    """A hostile title cited another source when what was made of it was pasted into an answer."""
    name = "ev1:c:f24b301d-f73a-5291-9d80-7ea3cbd5291c:c174f9d9eba7d79c:efae06f9-f4e7-5a7a-af99-d7f5d7c4d6ef"
    shown = escaped(f"See [{name}] and EV1:S:1")
    assert "ev1:" not in shown
    assert "EV1:" not in shown
    assert "ev1\ua789c:" in shown
