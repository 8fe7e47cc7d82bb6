"""What files say of themselves, as bibliographic fields: HTML's meta elements, JSON-LD, XMP, the package of an EPUB."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.bibliography import NO_BIBLIOGRAPHY, Author, Bibliography
from pincite.core.limits import DEFAULT
from pincite.reading._bibliography import MOST_BYTES, bibliography_of, terms_of_xml
from pincite.reading.html import HtmlReader

MEIER = Author("Meier", "Anna")


def page(head: str, html: str = "<html>") -> Bibliography:
    """Return what is read of a page with this head."""
    source = f"<!doctype html>{html}<head>{head}</head><body><p>Text.</p></body></html>"
    return HtmlReader().read(source.encode(), name="page.html", limits=DEFAULT).bibliography


def meta(**terms: str) -> str:
    """Return meta elements; a double underscore is a colon in a property, a single one stays."""
    return "".join(
        f'<meta property="{name.replace("__", ":")}" content="{value}">'
        if "__" in name
        else f'<meta name="{name}" content="{value}">'
        for name, value in terms.items()
    )


def linked(**fields: Any) -> str:
    """Return a script of JSON-LD."""
    return f'<script type="application/ld+json">{json.dumps({"@context": "https://schema.org", **fields})}</script>'


# --- HTML -----------------------------------------------------------------------------------------------------------


def test_a_journals_page() -> None:
    """What journals write for Google Scholar (Highwire's terms)."""
    head = meta(
        citation_journal_title="Journal of Things",
        citation_publication_date="2026/03/18",
        citation_publisher="Acme",
        citation_volume="3",
        citation_issue="2",
        citation_firstpage="12",
        citation_lastpage="15",
        citation_doi="10.1000/182",
        citation_issn="2049-3630",
        citation_language="en",
    )
    people = (
        '<meta name="citation_author" content="Meier, Anna"><meta name="citation_author" content="Bo Ng">'
    )
    assert page(people + head) == Bibliography(
        type="article-journal",
        author=(MEIER, Author("Ng", "Bo")),
        issued="2026-03-18",
        publisher="Acme",
        container_title="Journal of Things",
        volume="3",
        issue="2",
        page="12-15",
        doi="10.1000/182",
        issn="2049-3630",
        language="en",
    )


def test_dublin_core() -> None:
    """Two prefixes, in any letter case."""
    head = (
        '<meta name="DC.Creator" content="Meier, Anna"><meta name="dcterms.issued" content="2026-03">'
        '<meta name="DC.publisher" content="Acme"><meta name="DC.Identifier" content="doi:10.1000/182">'
        '<meta name="dc.language" content="de">'
    )
    assert page(head) == Bibliography(
        author=(MEIER,), issued="2026-03", publisher="Acme", doi="10.1000/182", language="de"
    )


def test_a_newspapers_page() -> None:
    """Open Graph, whose author may be an address, and the language of the page."""
    head = (
        meta(
            og__site_name="The Daily",
            article__published_time="2026-03-18T06:00:00Z",
            author="Anna Meier",
            og__locale="de_CH",
        )
        + '<meta property="article:author" content="https://www.facebook.example/anna">'
    )
    assert page(head, '<html lang="en-GB">') == Bibliography(
        author=(Author(literal="Anna Meier"),),
        issued="2026-03-18",
        container_title="The Daily",
        language="en-GB",
    )


@pytest.mark.parametrize(
    "author",
    [
        {"@type": "Person", "name": "Meier, Anna"},
        {"@type": "Person", "familyName": "Meier", "givenName": "Anna"},
        [{"givenName": "Anna", "familyName": "Meier", "name": "Dr Anna Meier"}],
        "Meier, Anna",
    ],
)
def test_linked_data(author: Any) -> None:
    """A work in JSON-LD, with its author written in each of the usual ways."""
    head = linked(
        **{"@type": "ScholarlyArticle"},
        author=author,
        datePublished="2026-03-18",
        publisher={"@type": "Organization", "name": "Acme"},
        isPartOf={"@type": "Periodical", "name": "Journal of Things"},
        identifier=[{"@type": "PropertyValue", "propertyID": "doi", "value": "https://doi.org/10.1000/182"}],
        inLanguage="en",
    )
    assert page(head) == Bibliography(
        type="article-journal",
        author=(MEIER,),
        issued="2026-03-18",
        publisher="Acme",
        container_title="Journal of Things",
        doi="10.1000/182",
        language="en",
    )


def test_the_work_of_a_graph_is_read_and_nothing_else() -> None:
    """A page's JSON-LD names its site, its breadcrumbs and its searches too."""
    graph = [
        {"@type": "WebSite", "name": "S"},
        {"@type": ["NewsArticle"], "datePublished": "2026"},
        {"@type": "Book"},
    ]
    assert page(linked(**{"@graph": graph})) == Bibliography(type="article-newspaper", issued="2026")


@pytest.mark.parametrize(
    "script",
    [
        "{",
        "[" * 100_000,
        "null",
        "5",
        '{"@type": 5}',
        '{"@type": "Book", "author": {"name": {"name": "x"}}, "isbn": {"a": 1}, "publisher": [[]], "identifier": 5}',
        '{"@graph": {"@graph": {"@type": "Book"}}}',
        '{"@type": "Book", "datePublished": ' + "9" * 5_000 + "}",
    ],
)
def test_linked_data_of_any_shape_is_no_error(script: str) -> None:
    """It is somebody else's JSON."""
    found = page(f'<script type="application/ld+json">{script}</script>')
    assert found in (NO_BIBLIOGRAPHY, Bibliography(type="book"))


def test_the_more_telling_term_goes_first_and_bad_ones_are_passed_over() -> None:
    """A journal's own date before that of the page, and a DOI that is one before a placeholder."""
    head = meta(
        article__published_time="2020-01-01",
        citation_publication_date="sometime",
        citation_date="2026",
        citation_doi="DOI pending",
    )
    assert page(head + '<meta name="DC.identifier" content="10.1000/182">') == Bibliography(
        issued="2026", doi="10.1000/182"
    )


@pytest.mark.parametrize(
    ("written", "author"),
    [
        ("Anna Meier", Author("Meier", "Anna")),
        ("Ludwig van Beethoven", Author("van Beethoven", "Ludwig")),
        ("Meier, Anna", MEIER),
        ("Meier, A.; Ng, B.", Author("Meier", "A.")),
        ("World Health Organization (WHO)", Author(literal="World Health Organization (WHO)")),
        ("Plato", Author(literal="Plato")),
        ("Anna Meier, Bob Jones", Author(literal="Anna Meier, Bob Jones")),
        ("王小明", Author(literal="王小明")),
    ],
)
def test_a_citation_author_is_a_person(written: str, author: Author) -> None:
    """So its last word is the family's where it has two to four; what may be several people stays whole."""
    assert page(meta(citation_author=written)).author[0] == author


@pytest.mark.parametrize(
    "nobody", ["admin", "Unknown", " USER ", "anna@example.org", "https://x.example/a", ";", ""]
)
def test_nobody_is_no_author(nobody: str) -> None:
    """What programs write where they know nobody, and addresses."""
    assert page(meta(author=nobody)).author == ()


def test_markup_in_a_term_is_its_text() -> None:
    """As it was written: nothing that the reader does to elements for its parser's sake."""
    assert page(meta(citation_journal_title="On <i>E. coli</i>")).container_title == "On <i>E. coli</i>"


def test_very_many_terms_take_no_time() -> None:
    """Of a hostile page only the first thousand elements are looked at."""
    assert page(meta(author="Anna") * 1_000 + meta(citation_doi="10.1000/182")).doi == ""


# --- XML ------------------------------------------------------------------------------------------------------------

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
DC = "http://purl.org/dc/elements/1.1/"


def xmp(inside: str, attributes: str = "") -> bytes:
    """Return an XMP packet."""
    return (
        '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">'
        f'<rdf:RDF xmlns:rdf="{RDF}"><rdf:Description xmlns:dc="{DC}" '
        f'xmlns:prism="http://prismstandard.org/namespaces/basic/2.0/" {attributes}>{inside}</rdf:Description>'
        '</rdf:RDF></x:xmpmeta><?xpacket end="w"?>'
    ).encode()


def test_xmp() -> None:
    """Lists, alternatives, plain elements, and attributes in place of them."""
    packet = xmp(
        "<dc:creator><rdf:Seq> <rdf:li>Meier, Anna</rdf:li>\n<rdf:li>Acme</rdf:li></rdf:Seq></dc:creator>"
        "<dc:publisher><rdf:Bag><rdf:li>Acme &amp; Sons</rdf:li></rdf:Bag></dc:publisher>"
        "<prism:publicationName>Journal of Things</prism:publicationName>"
        "<prism:aggregationType>journal</prism:aggregationType>"
        "<prism:startingPage>4</prism:startingPage><prism:endingPage>9</prism:endingPage>",
        'prism:doi="10.1000/182" prism:volume="3"',
    )
    assert bibliography_of(terms_of_xml(packet)) == Bibliography(
        type="article-journal",
        author=(MEIER, Author(literal="Acme")),
        publisher="Acme & Sons",
        container_title="Journal of Things",
        volume="3",
        page="4-9",
        doi="10.1000/182",
    )


@pytest.mark.parametrize(
    "creator",
    [
        '<dc:creator id="c">Anna Meier</dc:creator><meta refines="#c" property="file-as">Meier, Anna</meta>',
        '<meta refines="#c" property="file-as">Meier, Anna</meta><dc:creator id="c">Anna Meier</dc:creator>',
        '<dc:creator opf:file-as="Meier, Anna" opf:role="aut">Anna Meier</dc:creator>',
    ],
)
def test_the_package_of_an_epub(creator: str) -> None:
    """EPUB 3 and EPUB 2; the name under which an author is sorted tells the family's."""
    package = (
        '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0">'
        f'<metadata xmlns:dc="{DC}" xmlns:opf="http://www.idpf.org/2007/opf">'
        "<dc:title>Things</dc:title><dc:identifier>urn:isbn:978-3-16-148410-0</dc:identifier>"
        f"{creator}<dc:publisher>Acme Press</dc:publisher><dc:date>2026-03</dc:date><dc:language>de</dc:language>"
        "</metadata></package>"
    )
    assert bibliography_of(terms_of_xml(package.encode())) == Bibliography(
        author=(MEIER,), issued="2026-03", publisher="Acme Press", isbn="9783161484100", language="de"
    )


def test_a_packet_that_breaks_gives_what_stands_before() -> None:
    """As a damaged file has it."""
    assert terms_of_xml(xmp("<dc:creator>Meier, Anna</dc:creator><dc:date>2026")[:-60])["dc:creator"] == [
        "Meier, Anna"
    ]


def test_no_entity_expands() -> None:
    """A document that declares any is not read on: a billion laughs, and files from the disk."""
    bomb = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
    assert terms_of_xml(f'{bomb}<x xmlns:dc="{DC}"><dc:creator>&b;&f;</dc:creator></x>'.encode()) == {}


@pytest.mark.parametrize(
    "data", [b"", b"\0", b"\xff\xfe<", b'<?xml version="1.0" encoding="x-none"?><a/>', b"<" * 1_000]
)
def test_what_is_no_xml_says_nothing(data: bytes) -> None:
    """And is no error."""
    assert terms_of_xml(data) == {}


def test_a_long_packet_is_none() -> None:
    """Whatever it holds."""
    assert terms_of_xml(xmp("<dc:creator>Anna</dc:creator>" + " " * MOST_BYTES)) == {}


NAMES = st.sampled_from(
    [
        "citation_author",
        "dc:creator",
        "citation_doi",
        "dc:identifier",
        "dc:date",
        "citation_firstpage",
        "ld:type",
        "info:subject",
    ]
)


@given(st.dictionaries(NAMES, st.lists(st.text(max_size=30), max_size=4)))
def test_terms_of_any_words_are_no_error(terms: dict[str, list[str]]) -> None:
    """And what is made of them has its form: it goes to JSON and back."""
    found = bibliography_of(terms)
    assert Bibliography.from_dict(found.as_dict()) == found


def test_a_doi_in_a_line_is_one_where_the_line_says_so() -> None:
    """Publishers write it into a PDF's subject; a number that only looks like one is left alone."""
    said = {"info:subject": ["Journal of Things, 3 (2026) 4-9. doi:10.1000/182"]}
    assert bibliography_of(said).doi == "10.1000/182"
    assert bibliography_of({"info:subject": ["see 10.1000/182 there"]}).doi == ""
