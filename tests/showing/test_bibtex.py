"""BibTeX: a real parser reads every entry back, and LaTeX would print every value as it is."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pincite.core.bibliography import Author, Bibliography
from pincite.core.text import one_line
from pincite.showing import to_bibtex
from pincite.showing._bibtex import escaped

if TYPE_CHECKING:
    from pincite.core.answer import Answer
    from showing.conftest import Answered

# It brings no types.
pybtex: Any = import_module("pybtex.database")
# How LaTeX prints what is written for a character that means something to it.
PRINTED = {
    "textbackslash": "\\",
    "textbraceleft": "{",
    "textbraceright": "}",
    "textasciicircum": "^",
    "textasciitilde": "~",
    "textless": "<",
    "textgreater": ">",
    "textbar": "|",
}


def read(written: str) -> dict[str, Any]:
    """Return the entries of a BibTeX file by their keys, as the parser of the tests reads them."""
    return dict(pybtex.parse_string(written, "bibtex").entries)


def printed(latex: str) -> str:
    """Return what LaTeX prints of a value, and fail at a command or a mark that is none of ours."""
    shown, at = "", 0
    while at < len(latex):
        char = latex[at]
        if char != "\\":
            assert char not in "{}$&#%_^~", latex
            shown, at = shown + char, at + 1
        elif latex[at + 1] in "$&#%_":
            shown, at = shown + latex[at + 1], at + 2
        elif latex.startswith("\\symbol{34}", at):
            shown, at = shown + '"', at + len("\\symbol{34}")
        else:
            name = latex[at + 1 : latex.index("{}", at)]
            shown, at = shown + PRINTED[name], at + len(name) + 3
    return shown


def cited(answered: Answered, title: str, known: Bibliography) -> str:
    """Return the entry of an answer's one source."""
    answer = answered("So {0}", {"title": title, "document_id": "d"})
    passage = answer.evidences[0].source.passage
    return to_bibtex(answer, known={(passage.document_id if passage is not None else None) or "": known})


def test_an_article(paper: tuple[Answer, dict[str, Bibliography]]) -> None:
    """Everything that is known of a paper, and a page of the web of which nothing is."""
    answer, known = paper
    assert to_bibtex(answer, known=known) == (
        "@article{meier2026prices,\n"
        "  author = {Meier, Anna and {European Commission}},\n"
        "  title = {{On Prices}},\n"
        "  journal = {Journal of Things},\n"
        "  volume = {3},\n"
        "  number = {2},\n"
        "  pages = {4--9},\n"
        "  publisher = {Acme \\& Sons},\n"
        "  year = {2026},\n"
        "  month = mar,\n"
        "  doi = {10.1000/182},\n"
        "  language = {en}\n"
        "}\n"
        "\n"
        "@misc{notice,\n"
        "  title = {{Notice}},\n"
        "  url = {https://example.org/notice?a=1&b=2}\n"
        "}\n"
    )


def test_a_parser_reads_it_back(paper: tuple[Answer, dict[str, Bibliography]]) -> None:
    """Entries, fields, and people with their parts."""
    answer, known = paper
    entries = read(to_bibtex(answer, known=known))
    assert list(entries) == ["meier2026prices", "notice"]
    article = entries["meier2026prices"]
    people = [(person.first_names, person.last_names) for person in article.persons["author"]]
    assert people == [(["Anna"], ["Meier"]), ([], ["{European Commission}"])]
    assert article.fields["month"] == "March"
    assert entries["notice"].fields["url"] == "https://example.org/notice?a=1&b=2"


@pytest.mark.parametrize(
    ("known", "kind", "fields"),
    [
        ({"type": "book", "publisher": "Acme", "isbn": "9783161484100"}, "book", {"publisher", "isbn"}),
        (
            {"type": "chapter", "container_title": "B", "publisher": "Acme"},
            "incollection",
            {"booktitle", "publisher"},
        ),
        ({"type": "paper-conference", "container_title": "Proc"}, "inproceedings", {"booktitle"}),
        ({"type": "thesis", "publisher": "A University"}, "phdthesis", {"school"}),
        ({"type": "report", "publisher": "An Institute"}, "techreport", {"institution"}),
        ({"type": "webpage", "container_title": "The Daily"}, "misc", {"howpublished"}),
        ({"type": "article-journal"}, "misc", set[str]()),
        ({"type": "book"}, "misc", set[str]()),
        ({"type": "song", "publisher": "Acme"}, "misc", {"publisher"}),
    ],
)
def test_kinds_of_entries(answered: Answered, known: dict[str, Any], kind: str, fields: set[str]) -> None:
    """An entry has the fields that BibTeX asks of its kind, or is of the kind that asks for none."""
    author = Bibliography(author=(Author("Meier", "Anna"),), issued="2026", **known)
    (entry,) = read(cited(answered, "Title", author)).values()
    assert entry.type == kind
    assert set(entry.fields) == {"title", "year", *fields}


@pytest.mark.parametrize(
    ("author", "last", "first"),
    [
        (Author("van Beethoven", "Ludwig"), ["Beethoven"], ["Ludwig"]),
        (Author("Black and White", "A, B"), ["{Black and White}"], ["{A, B}"]),
        (
            Author(literal="Ministry of Roads and Bridges, Bern"),
            ["{Ministry of Roads and Bridges, Bern}"],
            [],
        ),
        (Author(literal="others"), ["{others}"], []),
    ],
)
def test_a_name_is_one_name(answered: Answered, author: Author, last: list[str], first: list[str]) -> None:
    """Whatever words are in it: `and` parts nobody in two."""
    (entry,) = read(cited(answered, "Title", Bibliography(author=(author,)))).values()
    (person,) = entry.persons["author"]
    assert (person.last_names, person.first_names) == (last, first)


HOSTILE = st.one_of(
    st.sampled_from(
        [
            "\\",
            "{",
            "}",
            "{{",
            "}}",
            "},\n",
            "@misc{x,",
            '"',
            "%",
            "\\input{x}",
            " and ",
            "$",
            "#",
            "&",
            "_",
            "^",
            "~",
        ]
    ),
    st.text(max_size=3),
)
WORDS = st.lists(HOSTILE, max_size=8).map("".join)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(title=WORDS, name=WORDS)
def test_nothing_breaks_out_of_its_field(answered: Answered, title: str, name: str) -> None:
    """One entry with the fields that were given, each printing what was given: no brace or command gets loose."""
    known = Bibliography(author=(Author("F" + name, "G" + name),), publisher="P" + name, volume="V" + name)
    (entry,) = read(cited(answered, "T" + title, known)).values()
    assert set(entry.fields) == {"title", "publisher", "volume"}
    assert printed(entry.fields["title"][1:-1]) == one_line("T" + title, 200)
    assert printed(entry.fields["publisher"]) == known.publisher
    assert len(entry.persons["author"]) == 1


@given(st.text())
def test_what_is_escaped_is_printed(text: str) -> None:
    """Character by character."""
    assert printed(escaped(text)) == text


def test_a_title_with_one_brace_is_a_title(answered: Answered) -> None:
    """BibTeX counts a brace behind a backslash too, so an escaped one alone would swallow the entries that follow."""
    assert "\\{" not in cited(answered, "Set {a", Bibliography())
    (entry,) = read(cited(answered, "Set {a", Bibliography())).values()
    assert printed(entry.fields["title"][1:-1]) == "Set {a"
