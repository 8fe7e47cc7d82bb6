"""A book is read chapter by chapter, in its order, with the titles of its table of contents."""

from __future__ import annotations

import zipfile
from contextlib import suppress
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.document import Flag
from pincite.core.errors import DamagedError, EncryptedError, ReadingError, TooLargeError
from pincite.core.limits import DEFAULT
from pincite.reading.chunking import chunk
from pincite.reading.epub import EpubReader
from pincite.reading.html import parsed
from pincite.reading.reader import media_type_of

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

    from pincite.core.document import Document

CONTAINER = (
    '<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
)
ABOUT = (
    '<dc:title>The Book</dc:title><dc:creator id="c1">Anna Meier</dc:creator>'
    '<meta refines="#c1" property="file-as">Meier, Anna</meta><dc:creator>Smith, Bob</dc:creator>'
    "<dc:publisher>Verlag</dc:publisher><dc:date>2019-05-01</dc:date><dc:language>de-CH</dc:language>"
    "<dc:identifier>urn:isbn:9783161484100</dc:identifier>"
)
PAGE = (
    '<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml" '
    'xmlns:epub="http://www.idpf.org/2007/ops"><head><title/><script src="x.js"/></head><body>{}</body></html>'
)
TOC = PAGE.format(
    '<nav epub:type="landmarks"><ol><li><a href="text/two.xhtml">Not this</a></li></ol></nav><nav epub:type="toc"><ol>'
    '<li><a href="text/one%20a.xhtml">Part <i>One</i></a><ol><li><a href="text/two.xhtml#p1">Two</a></li></ol></li>'
    "</ol></nav>"
)
CHAPTERS = {
    "text/one a.xhtml": '<h1>Beginnings</h1><p>First <a id="x"/>words.</p><aside epub:type="footnote">A note.</aside>',
    "text/two.xhtml": "<p>Second words.</p>",
    "text/two_b.xhtml": "<p>Third words.</p>",
}


def package(names: list[str], about: str = ABOUT, more: str = "") -> str:
    """Return the package document of a book."""
    items = "".join(
        f'<item id="i{number}" href="{name.replace(" ", "%20")}" media-type="application/xhtml+xml"/>'
        for number, name in enumerate(names)
    )
    spine = "".join(f'<itemref idref="i{number}"/>' for number in range(len(names)))
    return (
        '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">'
        f"{about}</metadata><manifest>{items}{more}</manifest>"
        f'<spine toc="ncx"><itemref idref="nav"/>{spine}</spine></package>'
    )


def book(files: dict[str, str] | None = None, changes: dict[str, str | None] | None = None) -> bytes:
    """Return an EPUB of chapters; `changes` are other files, None for one that is left out."""
    chapters = CHAPTERS if files is None else files
    nav = '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
    held: dict[str, str | None] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": CONTAINER,
        "OEBPS/book.opf": package(list(chapters), more=nav),
        "OEBPS/nav.xhtml": TOC,
        **{f"OEBPS/{name}": PAGE.format(body) for name, body in chapters.items()},
        **(changes or {}),
    }
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in held.items():
            if body is not None:
                archive.writestr(name, body)
    return made.getvalue()


NAV = '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'


def read(data: bytes) -> Document:
    """Return the document of a book."""
    return EpubReader().read(data, name="book.epub", limits=DEFAULT)


def test_chapters_in_order() -> None:
    """Footnotes are read, the table of contents is not; elements that close themselves swallow nothing."""
    document = read(book())
    assert document.text == "Beginnings\n\nFirst words.\n\nA note.\n\nSecond words.\n\nThird words."
    assert (document.title, document.media_type, document.flags) == ("The Book", "application/epub+zip", ())
    assert media_type_of("book.zip", book()) == "application/epub+zip"


def test_titles() -> None:
    """A part is called as the table of contents calls it; what has no title there belongs to the one before."""
    document = read(book())
    assert [one.locator.part for one in document.regions] == ["Part One", "Two", "Two"]
    assert [(one.title, one.level) for one in document.outline] == [("Beginnings", 1), ("Two", 2)]
    passages = chunk(document, "00000000-0000-0000-0000-000000000000")
    assert [one.locator.describe() for one in passages] == ["Part One, Beginnings", "Two"]


def test_contents_of_epub_2() -> None:
    """NCX, with the document type that it declares, gives titles too."""
    ncx = (
        '<?xml version="1.0"?><!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://www.daisy.org/z3986/2005/ncx.dtd">'
        '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint><navLabel><text>Eins</text></navLabel>'
        '<content src="text/two.xhtml#a"/></navPoint></navMap></ncx>'
    )
    item = '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
    data = book(None, {"OEBPS/book.opf": package(list(CHAPTERS), more=item), "OEBPS/toc.ncx": ncx})
    assert [one.locator.part for one in read(data).regions] == ["Beginnings", "Eins", "Eins"]


def test_metadata() -> None:
    """Title, authors, day, publisher, ISBN and language are those of the package document."""
    assert read(book()).bibliography.as_dict() == {
        "type": "book",
        "author": [{"family": "Meier", "given": "Anna"}, {"family": "Smith", "given": "Bob"}],
        "issued": {"date-parts": [[2019, 5, 1]]},
        "publisher": "Verlag",
        "ISBN": "9783161484100",
        "language": "de-CH",
    }


def test_dates_of_epub_2() -> None:
    """Of several dates the one of publication counts."""
    about = (
        '<dc:title>T</dc:title><dc:date opf:event="creation">2001-01-01</dc:date>'
        '<dc:date opf:event="publication">2002-02-02</dc:date>'
    )
    document = read(book(None, {"OEBPS/book.opf": package(list(CHAPTERS), about)}))
    assert document.bibliography.issued == "2002-02-02"


def test_one_bad_chapter_loses_no_other() -> None:
    """What is missing or binary is told, and the rest is read."""
    chapters = {**CHAPTERS, "deep.xhtml": "<div>" * 3_000}
    document = read(book(chapters, {"OEBPS/text/two.xhtml": None, "OEBPS/text/two_b.xhtml": "\x01\x02" * 50}))
    assert document.text == "Beginnings\n\nFirst words.\n\nA note."
    assert document.flags == (
        Flag(None, "chapters were left out that are missing: two.xhtml"),
        Flag(None, "chapters were left out that are damaged: two_b.xhtml"),
        Flag(None, "chapters were left out that are too large or nested too deep: deep.xhtml"),
    )


def sealed(method: str, *names: str) -> str:
    """Return an encryption document."""
    data = "".join(
        f'<enc:EncryptedData><enc:EncryptionMethod Algorithm="{method}"/><enc:CipherData>'
        f'<enc:CipherReference URI="{name}"/></enc:CipherData></enc:EncryptedData>'
        for name in names
    )
    return f'<encryption xmlns:enc="http://www.w3.org/2001/04/xmlenc#">{data}</encryption>'


def test_encrypted() -> None:
    """A book whose chapters are all encrypted needs keys; one chapter is left out; scrambled fonts hide nothing."""
    every = [f"OEBPS/{name.replace(' ', '%20')}" for name in CHAPTERS]
    aes = "http://www.w3.org/2001/04/xmlenc#aes128-cbc"
    with pytest.raises(EncryptedError, match=r"book\.epub"):
        read(book(None, {"META-INF/encryption.xml": sealed(aes, *every)}))
    document = read(book(None, {"META-INF/encryption.xml": sealed(aes, every[0])}))
    assert document.text == "Second words.\n\nThird words."
    assert document.flags == (Flag(None, "chapters were left out that are encrypted: one a.xhtml"),)
    fonts = sealed("http://www.idpf.org/2008/embedding", *every)
    assert read(book(None, {"META-INF/encryption.xml": fonts})).flags == ()


ENTITIES = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"PK\x03\x04",
        book(None, {"OEBPS/book.opf": None}),
        book({}),
        book({}, {"OEBPS/book.opf": "no xml", "OEBPS/nav.xhtml": None}),
    ],
)
def test_no_book(data: bytes) -> None:
    """What has no package document, or neither names chapters nor holds any, is no book."""
    with pytest.raises(DamagedError, match=r"book\.epub"):
        read(data)


DAMAGED = Flag(None, "the book's package document is damaged: its files may be out of order")


@pytest.mark.parametrize("package_document", ["no xml", ENTITIES + "<package>&b;</package>", ""])
def test_a_broken_package_loses_nothing(package_document: str) -> None:
    """All chapters in the zip are read in the order of their names, numbers by their size; entities never expand."""
    chapters = {"ch10.xhtml": "<p>Ten.</p>", "ch9.xhtml": "<p>Nine.</p>"}
    changes: dict[str, str | None] = {"OEBPS/book.opf": package_document, "OEBPS/nav.xhtml": None}
    document = read(book(chapters, changes))
    assert document.text == "Nine.\n\nTen."
    assert document.flags == (DAMAGED,)


def test_a_package_that_breaks_off_keeps_the_order_that_it_gives() -> None:
    """What its spine names until there comes first, and the other files behind it."""
    whole = package(["b.xhtml", "a.xhtml", "c.xhtml"])
    document = read(
        book(
            {"a.xhtml": "<p>A.</p>", "b.xhtml": "<p>B.</p>", "c.xhtml": "<p>C.</p>"},
            {"OEBPS/book.opf": whole.partition('<itemref idref="i1"/>')[0], "OEBPS/nav.xhtml": None},
        )
    )
    assert document.text == "B.\n\nA.\n\nC."
    assert DAMAGED in document.flags


def test_a_package_without_a_spine_is_read_as_it_lists_its_files() -> None:
    """And says so."""
    whole = package(list(CHAPTERS))
    document = read(book(None, {"OEBPS/book.opf": f"{whole.partition('<spine')[0]}</package>"}))
    assert document.text == "Beginnings\n\nFirst words.\n\nA note.\n\nSecond words.\n\nThird words."
    assert document.flags == (Flag(None, "the book does not say in which order its chapters are read"),)


def test_spine_ids_that_are_not_in_the_manifest_are_flagged() -> None:
    """A chapter that cannot even be looked for is told of."""
    broken = package(list(CHAPTERS), more=NAV).replace("</spine>", '<itemref idref="lost"/></spine>')
    document = read(book(None, {"OEBPS/book.opf": broken}))
    assert document.text.endswith("Third words.")
    assert document.flags == (Flag(None, "chapters were left out that are not in its list of files: lost"),)


SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><title>no</title><path d="M0 0"/>'
    '<text x="1" y="1">Drawn <tspan>words</tspan></text><text x="1" y="5">and <tspan x="2" dy="3">more</tspan></text>'
    "</svg>"
)


@pytest.mark.parametrize(
    ("kind", "body", "text"),
    [
        ("text/xml", PAGE.format("<p>Words <a id='x'/>here.</p>"), "Words here."),
        ("application/xml", PAGE.format("<p><![CDATA[a < b & c]]></p>"), "a < b & c"),
        ("image/svg+xml", SVG, "Drawn words\nand\nmore"),
        ("", PAGE.format("<p>Words.</p>"), "Words."),
        ("application/octet-stream", PAGE.format("<p>Words.</p>"), "Words."),
    ],
)
def test_chapters_of_other_media_types_are_read(kind: str, body: str, text: str) -> None:
    """XML is XHTML, the texts of a drawing are lines, and what has no known type is told by its name."""
    names = package(list(CHAPTERS), more=NAV).replace(
        'two.xhtml" media-type="application/xhtml+xml"', f'two.xhtml" media-type="{kind}"'
    )
    document = read(book(None, {"OEBPS/book.opf": names, "OEBPS/text/two.xhtml": body}))
    assert document.text == f"Beginnings\n\nFirst words.\n\nA note.\n\n{text}\n\nThird words."
    assert document.flags == ()


def test_chapters_of_types_that_are_not_read_are_flagged_or_replaced_by_their_fallback() -> None:
    """A picture in the spine says nothing, but for what the book gives in its place."""
    more = (
        f'{NAV}<item id="p" href="p.jpg" media-type="image/jpeg"/>'
        '<item id="q" href="q.pdf" media-type="application/pdf" fallback="i1"/>'
    )
    changed = package(["a.xhtml", "b.xhtml"], more=more).replace(
        '"i1"/></spine>', '"p"/><itemref idref="q"/></spine>'
    )
    document = read(book({"a.xhtml": "<p>A.</p>", "b.xhtml": "<p>B.</p>"}, {"OEBPS/book.opf": changed}))
    assert document.text == "A.\n\nB."
    assert document.flags == (Flag(None, "chapters were left out that are of type image/jpeg: p.jpg"),)


def test_a_huge_chapter_loses_no_other() -> None:
    """It is left out before anything is made of it; so is one that would make the book too long."""
    chapters = {"a.xhtml": "<p>A.</p>", "big.xhtml": f"<p>{'big ' * 500}</p>", "c.xhtml": "<p>C.</p>"}
    for name, most in (("chapter_bytes", 1_500), ("document_code_points", 1_500)):
        document = EpubReader().read(book(chapters), name="b.epub", limits=replace(DEFAULT, **{name: most}))
        assert document.text == "A.\n\nC."
        assert document.flags == (
            Flag(None, "chapters were left out that are too large or nested too deep: big.xhtml"),
        )
    with pytest.raises(TooLargeError, match=r"b\.epub"):
        EpubReader().read(book(chapters), name="b.epub", limits=replace(DEFAULT, chapter_bytes=10))


@pytest.mark.parametrize("error", [MemoryError, RecursionError, RuntimeError])
def test_whatever_happens_in_one_chapter_loses_no_other(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory that runs out in its parser included."""

    def failing(source: str, name: str) -> LexborHTMLParser:
        if "Second" in source:
            raise error
        return parsed(source, name)

    monkeypatch.setattr("pincite.reading.epub.parsed", failing)
    document = read(book())
    assert document.text == "Beginnings\n\nFirst words.\n\nA note.\n\nThird words."
    assert document.flags == (Flag(None, "chapters were left out that are not readable: two.xhtml"),)


@pytest.mark.parametrize(
    ("mark", "text"),
    [
        ('word<a epub:type="noteref" href="#n">1</a>.', "word¹."),
        ('word<a epub:type="noteref" href="#n"><sup>12</sup></a>.', "word¹²."),
        ('word<a role="doc-noteref" href="#n">a</a>.', "word⁽a⁾."),
        ('word<a epub:type="noteref" href="#n">*</a>.', "word*."),
        ('word <a epub:type="noteref" href="#n">see note 3</a>.', "word see note 3."),
        ("10<sup>6</sup> and 5<sup>th</sup>", "10⁶ and 5th"),
    ],
)
def test_a_noteref_does_not_stick_to_its_word(mark: str, text: str) -> None:
    """A number that refers to a note, or a power, is raised, as in Word files; other raised words stay."""
    assert read(book({"a.xhtml": f"<p>{mark}</p>"})).text == text


def labels(document: Document) -> list[tuple[str, str | None]]:
    """Return the text of each region with the printed label of its page."""
    return [(document.text[one.start : one.end].strip(), one.locator.page_label) for one in document.regions]


def test_printed_pages() -> None:
    """Marks in the text give labels, and are none of its words; text before the first has none."""
    first = (
        "<p>Before.</p><p>On exam<span epub:type='pagebreak' id='p1' title='12'>12</span>ple.</p>"
        "<div role='doc-pagebreak' aria-label=' page 13. '/><p>Thirteen.</p>"
    )
    document = read(
        book({"a.xhtml": first, "b.xhtml": "<p>Goes on.</p><hr epub:type='pagebreak' title='14'/>Next."})
    )
    assert document.text == "Before.\n\nOn example.\n\nThirteen.\n\nGoes on.\n\nNext."
    assert labels(document) == [
        ("Before.\n\nOn exam", None),
        ("ple.", "12"),
        ("Thirteen.", "13"),
        ("Goes on.", "13"),
        ("Next.", "14"),
    ]
    start = document.text.index("Thirteen")
    assert document.locator(start, start + 8).describe() == "page 13, a.xhtml"
    # What begins where no page is known has none, wherever it ends.
    assert document.locator(0, start).page_label is None


def test_a_printed_page_is_not_claimed_for_text_behind_the_pages() -> None:
    """A file without marks has no label, nor has what follows a mark without one; a mark that holds text loses none."""
    chapters = {
        "a.xhtml": "<span epub:type='pagebreak' title='9'/><p>Nine.</p>",
        "b.xhtml": "<p>Only in the book.</p>",
        "c.xhtml": "<p>Unknown.</p><span epub:type='pagebreak' title='ten'/>Ten<br epub:type='pagebreak'/> and on.",
        "d.xhtml": "<p epub:type='pagebreak'>Words of the page, not a label of it.</p>",
    }
    assert labels(read(book(chapters))) == [
        ("Nine.", "9"),
        ("Only in the book.", None),
        ("Unknown.", None),
        ("Ten", "ten"),
        ("and on.", None),
        ("Words of the page, not a label of it.", None),
    ]


def test_the_list_of_printed_pages_gives_labels() -> None:
    """That of the navigation document, and that of EPUB 2: by element, or by file."""
    listed = '<li><a href="a.xhtml#x">iv</a></li><li><a href="b.xhtml">5</a></li>'
    pages = f'<nav epub:type="page-list"><ol>{listed}</ol></nav>'
    chapters = {"a.xhtml": "<p>One.</p><p id='x'>Two.</p>", "b.xhtml": "<p>Three.</p>"}
    expected = [("One.", None), ("Two.", "iv"), ("Three.", "5")]
    assert labels(read(book(chapters, {"OEBPS/nav.xhtml": PAGE.format(pages)}))) == expected
    ncx = (
        '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap/><pageList><pageTarget><navLabel><text>iv</text>'
        '</navLabel><content src="a.xhtml#x"/></pageTarget><pageTarget><navLabel><text>5</text></navLabel>'
        '<content src="b.xhtml"/></pageTarget></pageList></ncx>'
    )
    item = '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
    changes: dict[str, str | None] = {
        "OEBPS/book.opf": package(list(chapters), more=item),
        "OEBPS/toc.ncx": ncx,
    }
    assert labels(read(book(chapters, changes))) == expected


def test_several_creators_in_one_field() -> None:
    """They are several authors, also under the names by which they are sorted; one with two family names is one."""
    for about, authors in (
        ("<dc:creator>Anna Meier &amp; Bob Jones</dc:creator>", ["Anna Meier", "Bob Jones"]),
        ("<dc:creator>Anna Meier, Bob Jones</dc:creator>", ["Anna Meier", "Bob Jones"]),
        (
            '<dc:creator opf:file-as="Meier, Anna &amp; Jones, Bob">Anna Meier &amp; Bob Jones</dc:creator>',
            ["Anna Meier", "Bob Jones"],
        ),
        (
            '<dc:creator opf:file-as="García Márquez, Gabriel José">Gabriel José García Márquez</dc:creator>',
            ["García Márquez, Gabriel José"],
        ),
    ):
        document = read(book(None, {"OEBPS/book.opf": package(list(CHAPTERS), about)}))
        assert [str(one) for one in document.bibliography.author] == authors


def test_a_title_in_capitals_stays_whole() -> None:
    """`NICS: NOTES` is no `NOTES:`, whatever heading the book begins with."""
    about = "<dc:title>NICS: NOTES</dc:title>"
    changes: dict[str, str | None] = {"OEBPS/book.opf": package(["a.xhtml"], about)}
    assert read(book({"a.xhtml": "<h1>NOTES:</h1><p>x</p>"}, changes)).title == "NICS: NOTES"


def test_hostile() -> None:
    """Paths that lead out of the book are missing; what inflates too far is refused or left out."""
    chapters = {"../../../etc/passwd": "x", "text/two.xhtml": "<p>Words.</p>"}
    document = read(book(chapters, {"META-INF/container.xml": CONTAINER.replace("book", "../OEBPS/book")}))
    assert document.text == "Words."
    with pytest.raises(TooLargeError, match="unpacks"):
        EpubReader().read(book(), name="b.epub", limits=replace(DEFAULT, zip_bytes=100))


@given(st.integers(0, 2_000), st.binary(min_size=1, max_size=4))
def test_any_damage(place: int, junk: bytes) -> None:
    """Bytes that are changed anywhere give a document or a typed error."""
    data = bytearray(book())
    at = place % len(data)
    data[at : at + len(junk)] = junk
    with suppress(ReadingError):
        assert read(bytes(data)).text
