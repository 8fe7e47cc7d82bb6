"""What files say of themselves: the terms of their metadata, and the bibliographic fields that these amount to.

A term is a name in lower case with the prefix of its vocabulary (`dc:creator`, `prism:doi`, `citation_author`), with
the values that a file gives it, in order. The file may be hostile: what does not have the form of its field is passed
over, and the next term is asked.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast
from xml.parsers import expat

from pincite.core.bibliography import NO_BIBLIOGRAPHY, Author, Bibliography
from pincite.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MOST_BYTES = 1 << 20
"""Bytes of metadata that are looked at; a longer packet is none."""

Terms = dict[str, list[str]]

# Values of one term, and code points of one value, that are looked at.
_MOST_VALUES, _LONGEST = 500, 2_000
# What programs write in place of an author.
_NOBODY = frozenset(
    "admin,administrator,anonymous,author,default,microsoft office user,n/a,none,owner,root,unknown,user,"
    "windows user".split(",")
)
# The words of a person's name that has no comma: two to four, of letters. One class a word, bounded.
_PERSON = re.compile(r"[^\W\d_][\w.'’\-]*(?: [^\W\d_][\w.'’\-]*){1,3}")

_FIELDS: dict[str, tuple[str, ...]] = {
    "issued": (
        "citation_publication_date",
        "citation_date",
        "citation_online_date",
        "prism:publicationdate",
        "prism:coverdate",
        "ld:datepublished",
        "dcterms:issued",
        "dc:date.issued",
        "dc:date",
        "article:published_time",
        "date",
    ),
    "publisher": (
        "citation_publisher",
        "citation_dissertation_institution",
        "citation_technical_report_institution",
        "ld:publisher",
        "dc:publisher",
    ),
    "container_title": (
        "citation_journal_title",
        "citation_conference_title",
        "citation_inbook_title",
        "prism:publicationname",
        "ld:ispartof",
        "og:site_name",
    ),
    "volume": ("citation_volume", "prism:volume", "ld:volumenumber"),
    "issue": ("citation_issue", "prism:number", "ld:issuenumber"),
    "page": ("prism:pagerange", "ld:pagination"),
    "doi": (
        "citation_doi",
        "prism:doi",
        "crossmark:doi",
        "pdfx:doi",
        "ld:doi",
        "info:doi",
        "dc:identifier",
        "info:subject",
    ),
    "isbn": ("citation_isbn", "prism:isbn", "ld:isbn", "dc:identifier"),
    "issn": ("citation_issn", "prism:issn", "prism:eissn", "ld:issn"),
    "language": ("citation_language", "ld:inlanguage", "dc:language", "file:language", "og:locale"),
}
"""The terms that each field is read from, the most telling first."""
_AUTHORS = (
    "citation_author",
    "citation_authors",
    "ld:author",
    "dc:creator.sorted",
    "dc:creator",
    "article:author",
    "author",
    "info:author",
)
_PAGES = (("citation_firstpage", "citation_lastpage"), ("prism:startingpage", "prism:endingpage"))
_TYPES = (
    ("citation_journal_title", "article-journal"),
    ("citation_conference_title", "paper-conference"),
    ("citation_inbook_title", "chapter"),
    ("citation_dissertation_institution", "thesis"),
    ("citation_technical_report_institution", "report"),
    ("citation_isbn", "book"),
)
"""The terms that say by being there what a work is."""
_KINDS = {
    "scholarlyarticle": "article-journal",
    "newsarticle": "article-newspaper",
    "blogposting": "post-weblog",
    "report": "report",
    "book": "book",
    "dataset": "dataset",
    "thesis": "thesis",
    "article": "webpage",
    "webpage": "webpage",
    "journal": "article-journal",
    "magazine": "article-magazine",
}
"""What JSON-LD and PRISM call a work."""
# What stands between the last two of several authors: linear, single runs of one class, bounded.
_AND = re.compile(r",?\s{1,9}(?:and|und|et|&)\s{1,9}", re.IGNORECASE)
_BODIES = frozenset(
    "agency association authority bank board bureau center centre co co. college commission committee company corp "
    "corp. corporation council department dept. division federation for foundation group gmbh inc inc. institute "
    "international laboratory limited llc ltd ltd. ministry national of office organisation organization partners "
    "press program programme school secretariat services society sons staff team trust union university".split()
)
"""Words in the names of organisations, which have an `and` or a comma of their own."""
_SORTED = "dc:creator.sorted"
"""The term of creators under the names by which they are sorted."""
_ONE_EACH = frozenset({"citation_author", _SORTED})
"""Terms that have one author in each value, whatever commas it has."""
# A DOI that is said to be one, in a line of other words: a literal, then a run without spaces, bounded.
_SAID_DOI = re.compile(r"(?i)\bdoi:\s?(10\.\S{1,220})")


def bibliography_of(terms: Mapping[str, list[str]]) -> Bibliography:
    """Return the fields that the terms of a file give."""
    if not terms:
        return NO_BIBLIOGRAPHY
    found = Bibliography(author=_authors(terms), type=_type(terms), page=_pages(terms))
    for field, names in _FIELDS.items():
        for value in (value for name in names for value in terms.get(name, ())[:_MOST_VALUES]):
            said = _SAID_DOI.search(value[:_LONGEST]) if field == "doi" else None
            given: dict[str, Any] = {field: (said[1] if said is not None else value)[:_LONGEST]}
            with suppress(InputError):
                read = Bibliography(**given)
                if getattr(read, field):
                    found = found.over(read)
                    break
    return found


def _authors(terms: Mapping[str, list[str]]) -> tuple[Author, ...]:
    for name in _AUTHORS:
        values = [value[:_LONGEST] for value in terms.get(name, ())[:_MOST_VALUES]]
        # Of several values each is one author: only what stands alone may be a list with commas.
        commas = len(values) == 1 and name not in _ONE_EACH
        names = [one for value in values for one in _several(value, commas=commas)]
        people = name.startswith("citation_")
        if found := tuple(author for one in names if (author := _author(one, is_person=people)) is not None):
            return tuple(dict.fromkeys(found))
    return ()


def _several(value: str, *, commas: bool) -> list[str]:
    """Return the authors that one value names, where that is plain: `A; B`, and `A and B`, `A & B` of whole names.

    With `commas` also `A, B`, where each part has two words or more: `Meier, Anna` is one person.
    """
    names: list[str] = []
    for part in value.replace("\n", ";").split(";"):
        people = [one.strip().removesuffix(",") for one in _AND.split(part)]
        # Half of the names of organisations has an `and`, and so have those of companies.
        if len(people) > 1 and not (
            all(map(_is_whole, people)) and _BODIES.isdisjoint(part.casefold().split())
        ):
            people = [part]
        for one in people:
            listed = one.split(",")
            is_list = commas and len(listed) > 1 and all(map(_is_person, listed))
            names += listed if is_list else [one]
    return names


def _is_whole(name: str) -> bool:
    """Say whether a name has a family and more: two words, or a comma."""
    return len(name.split()) > 1


def _is_person(name: str) -> bool:
    """Say whether a part between commas is the whole name of a person, and none that begins as families do (`van`)."""
    bare = name.strip()
    return len(bare.split()) > 1 and not bare[0].islower() and bare.casefold().split()[-1] not in _BODIES


def _author(name: str, *, is_person: bool) -> Author | None:
    """Return who is meant; None for a program's word for nobody, and for an address."""
    name = " ".join(name.split())
    if not name or name.casefold() in _NOBODY or "@" in name or "://" in name:
        return None
    before, comma, behind = name.partition(",")
    with suppress(InputError):
        if comma:
            # `Anna Meier, Bob Jones` are two people, and no family of two names.
            several = " " in before.strip() and " " in behind.strip()
            return Author(literal=name) if several else Author.of(name)
        if is_person and _PERSON.fullmatch(name) is not None:
            words = name.split(" ")
            # A family's particles are written small: Ludwig van Beethoven.
            first = next(
                (place for place, word in enumerate(words) if place and word.islower()), len(words) - 1
            )
            return Author(" ".join(words[first:]), " ".join(words[:first]))
        return Author(literal=name)
    return None


def _type(terms: Mapping[str, list[str]]) -> str:
    said = [kind for name, kind in _TYPES if terms.get(name)]
    for name in ("ld:type", "prism:aggregationtype"):
        said += [_KINDS[value.lower()] for value in terms.get(name, ()) if value.lower() in _KINDS]
    return said[0] if said else ""


def _pages(terms: Mapping[str, list[str]]) -> str:
    for first, last in _PAGES:
        if terms.get(first):
            pages = [terms[first][0], *terms.get(last, ())[:1]]
            return "-".join(dict.fromkeys(page[:_LONGEST].strip() for page in pages if page.strip()))
    return ""


def add(terms: Terms, name: str, value: str) -> None:
    """Add a value to a term, if it says something."""
    if value := value.strip():
        terms.setdefault(name, []).append(value)


# --- XML: the metadata packet of a PDF (XMP), and the package document of an EPUB (OPF) -----------------------------

_PREFIXES = {
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://purl.org/dc/terms/": "dcterms",
    "http://crossref.org/crossmark/1.0/": "crossmark",
    "http://ns.adobe.com/pdfx/1.3/": "pdfx",
}
_PRISM = "http://prismstandard.org/namespaces/"
_FILE_AS = "file-as"
_OPF = "http://www.idpf.org/2007/opf"


def terms_of_xml(data: bytes) -> Terms:
    """Return the terms of an XMP packet or of an EPUB's package document; those before the place where it breaks.

    A document that declares a type or entities is not read further, so nothing in it expands.
    """
    terms: Terms = {}
    if len(data) <= MOST_BYTES:
        collector = _Collector(terms)
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.StartElementHandler = collector.start
        parser.EndElementHandler = collector.end
        parser.CharacterDataHandler = collector.text
        parser.StartDoctypeDeclHandler = _refuse
        with suppress(expat.ExpatError, _DoctypeError, LookupError, ValueError):
            parser.Parse(data, True)
        collector.finish()
    return terms


class _DoctypeError(Exception):
    """A packet of metadata declares a type."""


def _refuse(*_: object) -> None:
    raise _DoctypeError


class _Collector:
    """Hears the elements of a document, and keeps the words of those that are terms."""

    __slots__ = ("_creators", "_name", "_refined", "_refines", "_terms", "_words")

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        # The term whose element is open, and the id of the element that a `meta` of EPUB 3 says more about.
        self._name = ""
        self._refines = ""
        self._words: list[str] = []
        self._creators: list[tuple[str, str]] = []
        self._refined: dict[str, str] = {}

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Begin an element, by its namespace and name; a term may stand in an attribute too."""
        for name, value in attributes.items():
            if term := _term(name):
                add(self._terms, term, value)
        if term := _term(tag):
            # EPUB 2 says of a date what happened then.
            if term == "dc:date" and (event := attributes.get(f"{_OPF} event", "")):
                term = "dc:date.issued" if event.strip().lower() == "publication" else "dc:date.other"
            self._name, self._words = term, []
            if term == "dc:creator":
                self._creators.append((attributes.get("id", ""), attributes.get(f"{_OPF} {_FILE_AS}", "")))
        self._refines = (
            attributes.get("refines", "").lstrip("#") if attributes.get("property") == _FILE_AS else ""
        )
        if self._refines:
            self._words = []

    def text(self, words: str) -> None:
        """Hear some words."""
        if self._name or self._refines:
            self._words.append(words)

    def end(self, tag: str) -> None:
        """End an element: what it holds is a value; in XMP a list has one in each of its items."""
        words, self._words = "".join(self._words).strip(), []
        if self._refines:
            self._refined[self._refines] = words
            self._refines = ""
        elif self._name and words:
            add(self._terms, self._name, words)
        if _term(tag):
            self._name = ""

    def finish(self) -> None:
        """Add the names under which creators are sorted, if there are any: they tell the family's."""
        shown = self._terms.get("dc:creator", [])
        sorted_as = [self._refined.get(name) or name_as for name, name_as in self._creators]
        if len(shown) == len(sorted_as) and any(sorted_as):
            for plain, name in zip(shown, sorted_as, strict=True):
                for one in [name] if name else _several(plain, commas=len(shown) == 1):
                    add(self._terms, _SORTED, one)


def _term(name: str) -> str:
    space, _, local = name.rpartition(" ")
    # PRISM has a namespace for each of its versions, and its words mean the same in all.
    prefix = "prism" if space.startswith(_PRISM) else _PREFIXES.get(space)
    return f"{prefix}:{local.lower()}" if prefix is not None else ""


# --- JSON-LD ------------------------------------------------------------------------------------------------------

_LD_TEXTS = (
    "datePublished",
    "inLanguage",
    "isbn",
    "issn",
    "volumeNumber",
    "issueNumber",
    "pagination",
    "doi",
)


def add_linked_data(terms: Terms, source: str) -> None:
    """Add what the first work in a JSON-LD script says of itself, as terms with the prefix `ld`."""
    if len(source) > MOST_BYTES:
        return
    with suppress(ValueError, RecursionError):
        data: Any = json.loads(source)
        for node in _nodes(data):
            kinds = [str(kind) for kind in _listed(node.get("@type"))]
            if any(kind.lower() in _KINDS for kind in kinds):
                _add_work(terms, node, kinds)
                return


def _nodes(data: Any) -> Iterable[dict[str, Any]]:  # noqa: ANN401 - any JSON
    for node in _listed(data):
        if isinstance(node, dict):
            yield cast("dict[str, Any]", node)
            yield from (
                one for one in _listed(cast("dict[str, Any]", node).get("@graph")) if isinstance(one, dict)
            )


def _add_work(terms: Terms, work: dict[str, Any], kinds: list[str]) -> None:
    for kind in kinds:
        add(terms, "ld:type", kind)
    for name in _LD_TEXTS:
        for value in _listed(work.get(name)):
            if isinstance(value, str | int):
                add(terms, f"ld:{name.lower()}", str(value))
    for name in ("author", "publisher", "isPartOf"):
        for value in _listed(work.get(name)):
            add(terms, f"ld:{name.lower()}", _name_of(value))
    for value in _listed(work.get("identifier")):
        if isinstance(value, dict):
            value = cast("dict[str, Any]", value).get("value")  # noqa: PLW2901 - a property's value stands for it
        if isinstance(value, str):
            add(terms, "ld:doi", value)


def _name_of(value: Any) -> str:  # noqa: ANN401 - any JSON
    if isinstance(value, dict):
        node = cast("dict[str, Any]", value)
        parts = [node.get("familyName"), node.get("givenName")]
        if all(isinstance(part, str) and part for part in parts):
            return ", ".join(cast("list[str]", parts))
        value = node.get("name")
    return value if isinstance(value, str) else ""


def _listed(value: Any) -> list[Any]:  # noqa: ANN401 - any JSON
    return cast("list[Any]", value) if isinstance(value, list) else [] if value is None else [value]
