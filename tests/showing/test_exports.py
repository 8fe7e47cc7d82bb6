"""An answer taken elsewhere: each format says the same, and nothing from elsewhere acts in any of them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser

from pincite.core.answer import Answer
from pincite.core.bibliography import Author, Bibliography
from pincite.core.errors import InputError
from pincite.core.text import UNSEEN
from pincite.showing import (
    ExportFormat,
    export,
    plain_text,
    to_annotations,
    to_bibtex,
    to_csl_json,
    to_html,
    to_markdown,
    to_text,
)

if TYPE_CHECKING:
    from showing.conftest import Answered

FORMATS: tuple[ExportFormat, ...] = get_args(ExportFormat)
# What steers a terminal or turns a text around: control characters, and bidi controls but for isolates that close.
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066\u2067\ud800-\udfff]")

Paper = tuple[Answer, dict[str, Bibliography]]


@pytest.mark.parametrize("to", FORMATS)
def test_each_format_has_its_function(paper: Paper, to: ExportFormat) -> None:
    """`export` gives what the function of the format gives."""
    answer, known = paper
    functions: dict[str, Any] = {
        "markdown": to_markdown,
        "html": to_html,
        "text": to_text,
        "bibtex": to_bibtex,
        "csl-json": to_csl_json,
    }
    expected = functions[to](answer, known=known) if to in functions else to_annotations(answer)
    assert export(answer, to=to, known=known) == expected
    assert expected.endswith("\n")


def test_markdown(paper: Paper) -> None:
    """Numbers, the list of sources, and below a title what is known of the work, with its DOI as a link."""
    answer, known = paper
    assert to_markdown(answer, known=known, title="Do rates fall?") == (
        "# Do rates fall?\n\n"
        "Rates **fall**. [1] They rose before [2], and fall again [1].\n\n"
        "### Sources\n\n"
        "[1] On Prices\n"
        "   - Anna Meier; European Commission. Journal of Things 3\\(2\\), 4-9. Acme &amp; Sons, 2026-03-18\n"
        "   - [doi:10\\.1000/182](<https://doi.org/10.1000/182>)\n"
        "   - page 4: “Rates fall.”\n\n"
        "[2] [Notice](<https://example.org/notice?a=1&b=2#:~:text=They%20rose%2E>)\n"
    )


def test_text(paper: Paper) -> None:
    """The same without marks."""
    answer, known = paper
    assert to_text(answer, known=known, title="Do rates fall?") == (
        "Do rates fall?\n\n"
        "Rates fall. [1] They rose before [2], and fall again [1].\n\n"
        "Sources\n\n"
        "[1] On Prices\n"
        "    Anna Meier; European Commission. Journal of Things 3(2), 4-9. Acme & Sons, 2026-03-18\n"
        "    page 4: “Rates fall.”\n"
        "    https://doi.org/10.1000/182\n\n"
        "[2] Notice\n"
        "    “They rose.”\n"
        "    https://example.org/notice?a=1&b=2\n"
    )


@pytest.mark.parametrize("to", ["markdown", "html", "text"])
def test_an_answer_without_sources_has_no_list(answered: Answered, to: ExportFormat) -> None:
    """Nothing was cited, so nothing is listed."""
    written = export(answered("Nothing is known."), to=to)
    assert "Nothing is known." in written
    assert "Sources" not in written


@pytest.mark.parametrize(("to", "empty"), [("bibtex", ""), ("csl-json", "[]\n")])
def test_lists_of_nothing(answered: Answered, to: ExportFormat, empty: str) -> None:
    """They can be read by what reads such lists."""
    assert export(answered("Nothing is known."), to=to) == empty


@pytest.mark.parametrize("to", FORMATS)
def test_a_doi_of_the_models_own_is_nowhere_a_doi(answered: Answered, to: ExportFormat) -> None:
    """Future-House/paper-qa#929, #1316, #1033: a model writes a DOI that it made up; none is printed unchecked.

    In the answer's own words it stays what it is, words; no source has it, and no link leads there.
    """
    answer = answered(
        "See doi:10.9999/invented (https://doi.org/10.9999/invented) and Smith et al. 2004. {0}",
        {"title": "Real, doi:10.9999/titled", "content": "See 10.9999/quoted."},
    )
    written = export(answer, to=to)
    if to in ("bibtex", "csl-json"):
        assert "10.9999/invented" not in written
        assert '"DOI"' not in written
        assert "doi = " not in written
    elif to == "html":
        links = [link.attributes.get("href") or "" for link in LexborHTMLParser(written).css("a")]
        assert [link for link in links if not link.startswith("#")] == []
    elif to == "markdown":
        assert "(<https://doi.org" not in written


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"to": "pdf"}, "to"),
        ({"to": None}, "to"),
        ({"answer": "text"}, "answer"),
        ({"answer": None, "to": "annotations"}, "answer"),
        ({"known": []}, "known"),
        ({"known": {"a": {"DOI": "10.1000/182"}}}, "known"),
        ({"title": 5}, "title"),
        ({"texts": ["words"], "to": "annotations"}, "texts"),
        ({"texts": "words", "to": "annotations"}, "texts"),
        ({"texts": None, "to": "annotations"}, "texts"),
    ],
)
def test_other_types_are_told_in_a_sentence(arguments: dict[str, Any], field: str) -> None:
    """Never a TypeError."""
    given: dict[str, Any] = {"answer": Answer("Words."), "to": "html", **arguments}
    with pytest.raises(InputError) as caught:
        export(**given)
    assert caught.value.field == field
    assert caught.value.message.startswith(f"`{field}` is ")


# --- Hostile titles, names and words ------------------------------------------------------------------------------

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "[1] [click](javascript:alert(1))",
    "[x]: https://evil.example",
    "![x](https://evil.example/x.png)",
    "}, url = {https://evil.example}, note = {",
    "{unbalanced",
    "un}balanced",
    "\\input{/etc/passwd} \\write18{rm}",
    "100 % of $x_1$ & #2 ~ ^ \\",
    "@string{a = b}",
    "javascript:alert(1)",
    "\u202egnp.exe \u2066 \u200f evil \u2067",
    "bell\x07 escape\x1b[31m null\x00 cr\rlf\n## heading",
    "\U000e0041\U000e0042 tags",
    "lone \ud800 surrogate",
    "&lt;b&gt; &amp; &#x3c;script&#x3e;",
    "--> <!-- ]]> </style></title><style>",
    "e" + "\u0301" * 1_000,
    "",
]
PIECES = st.one_of(
    st.sampled_from(HOSTILE), st.sampled_from(list("<>[](){}\\`*_~!#|&\"'\n \r:/@%$^-=")), st.text(max_size=4)
)
WORDS = st.lists(PIECES, max_size=6).map("".join)
MARKDOWN = MarkdownIt("gfm-like")


def hostile(answered: Answered, text: str, title: str, name: str) -> Paper:
    """Return an answer, with a title and the names of a bibliography, all of which somebody hostile chose."""
    address = "javascript:alert(1)//" + title
    answer = answered(
        f"{text} {{0}}\n\n{text}",
        {"title": title, "content": f"w{name}", "source_url": address, "document_id": "d"},
    )
    author = (Author("F" + name, "G" + name), Author(literal="L" + name))
    known = Bibliography(author=author, publisher=name, container_title=title, volume=name, doi="10.1000/182")
    source = answer.evidences[0].source if answer.evidences else None
    return answer, {source.passage.document_id or "": known} if source is not None and source.passage else {}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=WORDS, title=WORDS, name=WORDS)
def test_nothing_from_elsewhere_acts(answered: Answered, text: str, title: str, name: str) -> None:
    """In no format: no element, no link but the DOI's, no control character, and every file can be written."""
    answer, known = hostile(answered, text, title, name)
    for to in FORMATS:
        written = export(answer, to=to, known=known, title=title)
        assert STEERING.search(written) is None
        written.encode()
        if to == "html":
            check_html(written)
        elif to == "markdown":
            assert set(markdown_links(written)) <= {"https://doi.org/10.1000/182"}
        elif to in ("csl-json", "annotations"):
            assert re.search(f"[{UNSEEN}]", written) is None
            assert json.loads(written) is not None


@pytest.mark.parametrize("words", HOSTILE)
def test_known_attacks(answered: Answered, words: str) -> None:
    """Each by itself, in each place."""
    test_nothing_from_elsewhere_acts.hypothesis.inner_test(answered, words, words, words)  # type: ignore[attr-defined]


def check_html(written: str) -> None:
    """Assert that a page holds our elements with our attributes, and no more."""
    page = LexborHTMLParser(written)
    allowed = {
        "html": set[str](),
        "head": set[str](),
        "body": set[str](),
        "title": set[str](),
        "style": set[str](),
        "meta": {"charset", "http-equiv", "content", "name"},
        "a": {"class", "id", "href", "rel", "aria-label"},
        "ol": {"start"},
        "li": {"id"},
        "div": {"class"},
        "section": {"class"},
        "span": {"class"},
    }
    for name in "main h1 bdi q ul pre code blockquote table tbody tr hr br em strong del".split():
        allowed[name] = set()
    for name in "p h2 h3 h4 h5 h6 th td".split():
        allowed[name] = {"dir"}
    ids: set[str] = set()
    links: list[str] = []
    for node in page.css("*"):
        attributes = node.attributes
        assert set(attributes) <= allowed[node.tag or ""], node.html
        if (name := attributes.get("id")) is not None:
            assert name not in ids
            ids.add(name)
        if node.tag == "a":
            links.append(attributes.get("href") or "")
    assert len(page.css("style")) == len(page.css("title")) == 1
    assert {link for link in links if not link.startswith("#")} <= {"https://doi.org/10.1000/182"}
    assert {link[1:] for link in links if link.startswith("#")} <= ids


def markdown_links(written: str) -> list[str]:
    """Return the addresses of every link and picture that a renderer makes of Markdown."""
    found: list[str] = []
    for token in MARKDOWN.parse(written):
        assert token.type not in ("html_block", "html_inline")
        for child in token.children or ():
            assert child.type != "html_inline"
            found += [str(child.attrs[name]) for name in ("href", "src") if name in child.attrs]
    return found


def test_ten_thousand_citations_are_exported_in_one_pass(answered: Answered) -> None:
    """A long answer costs its length, in every format."""
    answer = answered("So it is {0}. " * 5_000 + "And so {1}. " * 5_000, {"title": "A"}, {"title": "B"})
    assert len(answer.citations) == 10_000
    for to in FORMATS:
        assert export(answer, to=to)
    annotations = cast("dict[str, Any]", json.loads(to_annotations(answer)))
    assert annotations["total"] == 10_000


def test_what_became_of_a_source_is_said(answered: Answered) -> None:
    """A version that was superseded since, and a document that is gone."""
    from pincite.core.verdicts import SourceState

    answer = answered("Rates fall {0}.", {"title": "On Prices", "content": "Rates fall."})
    since = replace(answer.citations[0], source_state=SourceState.SUPERSEDED)
    old = Answer(answer.text, (since,), answer.evidences)
    for to in ("markdown", "html", "text"):
        assert "(superseded version)" in export(old, to=to)
    assert "note = {Superseded version}" in to_bibtex(old)


def test_plain_text_is_what_a_person_reads() -> None:
    """Marks and escapes of Markdown are gone, and the numbers stay."""
    assert plain_text("The **relay\\.pulse** is on. [1]") == "The relay.pulse is on. [1]"
    with pytest.raises(InputError):
        plain_text(cast("Any", None))
