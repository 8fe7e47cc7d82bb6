"""Works as BibTeX. Every value is escaped for LaTeX and stands in braces, so that nothing in it is a command."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pincite.core.bibliography import Author
    from pincite.showing._works import Work

_ENTRIES = {
    "article": "article",
    "article-journal": "article",
    "article-magazine": "article",
    "article-newspaper": "article",
    "review": "article",
    "book": "book",
    "chapter": "incollection",
    "entry-dictionary": "incollection",
    "entry-encyclopedia": "incollection",
    "manuscript": "unpublished",
    "pamphlet": "booklet",
    "paper-conference": "inproceedings",
    "report": "techreport",
    "thesis": "phdthesis",
}
"""Kinds of work, and the entries of BibTeX that they are; every other is `misc`."""
# The fields without which BibTeX complains of an entry: one that lacks them is `misc`.
_NEEDED = {
    "article": ("author", "journal", "year"),
    "book": ("author", "publisher", "year"),
    "booklet": (),
    "incollection": ("author", "booktitle", "publisher", "year"),
    "inproceedings": ("author", "booktitle", "year"),
    "phdthesis": ("author", "school", "year"),
    "techreport": ("author", "institution", "year"),
    "unpublished": ("author", "note"),
}
_CONTAINERS = {"incollection": "booktitle", "inproceedings": "booktitle", "article": "journal"}
_PUBLISHERS = {"phdthesis": "school", "techreport": "institution"}
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()

_LATEX = {
    "\\": r"\textbackslash{}",
    # BibTeX counts braces, also those behind a backslash.
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\symbol{34}",
}
"""What LaTeX gives a meaning, and how it is written as itself."""
# One class: linear.
_SPECIAL = re.compile(r"[\\{}$&#%_^~<>|\"]")
# What is shown as it is may hold none of these, so it is given up where it does.
_UNSAFE = re.compile(r"[\\{}\s%]")
# What parts names from one another, or a name: two literals.
_PARTS = re.compile(r"(?i)\band\b|,")
# A hyphen between pages becomes a dash: anchored between two numbers, linear.
_PAGES = re.compile(r"(?<=\w)-(?=\w)")


def bibtex_of(works: Iterable[Work]) -> str:
    """Return one entry a work, in UTF-8 as BibLaTeX, Biber and today's BibTeX styles read it."""
    return "\n".join(_entry(work) for work in works)


def _entry(work: Work) -> str:
    kind = _ENTRIES.get(work.type, "misc")
    fields = dict(_fields(work, kind))
    if not all(name in fields for name in _NEEDED.get(kind, ())):
        kind = "misc"
        fields = dict(_fields(work, kind))
    lines = [f"  {name} = {value}" for name, value in fields.items()]
    return f"@{kind}{{{work.key},\n" + ",\n".join(lines) + "\n}\n"


def _fields(work: Work, kind: str) -> Iterator[tuple[str, str]]:
    known = work.bibliography
    if known.author:
        yield "author", f"{{{' and '.join(map(_name, known.author))}}}"
    # The second pair of braces keeps the letters as they are: a style may not lower them.
    yield "title", f"{{{{{escaped(work.source.title)}}}}}"
    texts = {
        _CONTAINERS.get(kind, "howpublished"): known.container_title,
        "volume": known.volume,
        "number": known.issue,
        "pages": known.page,
        _PUBLISHERS.get(kind, "publisher"): known.publisher,
    }
    for name, value in texts.items():
        if value:
            written = escaped(value)
            yield name, f"{{{_PAGES.sub('--', written) if name == 'pages' else written}}}"
    year, *rest = known.issued.split("-")
    if year:
        yield "year", f"{{{year}}}"
    if rest:
        # The names of months are macros of BibTeX, which each style prints in its own language.
        yield "month", _MONTHS[int(rest[0]) - 1]
    verbatim = {"doi": known.doi, "isbn": known.isbn, "issn": known.issn, "url": work.source.url or ""}
    for name, value in verbatim.items():
        if value and (name == "url" or _UNSAFE.search(value) is None):
            yield name, f"{{{value}}}"
    if known.language:
        yield "language", f"{{{known.language}}}"
    if work.state:
        yield "note", f"{{{work.state.capitalize()}}}"


def _name(author: Author) -> str:
    if author.literal:
        # In braces it is one name, whatever words it is made of.
        return f"{{{escaped(author.literal)}}}"
    # A family's particles are told by their small letters: so BibTeX reads `van Beethoven, Ludwig`.
    parts = (escaped(part) for part in (author.family, author.given) if part)
    return ", ".join(f"{{{part}}}" if _PARTS.search(part) is not None else part for part in parts)


def escaped(text: str) -> str:
    """Return one line of `text` so that LaTeX prints it as it is."""
    return _SPECIAL.sub(lambda found: _LATEX[found.group()], text)
