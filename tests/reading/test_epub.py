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
from pincite.reading.reader import media_type_of

if TYPE_CHECKING:
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
        book(None, {"OEBPS/book.opf": "no xml"}),
        book(None, {"OEBPS/book.opf": ENTITIES + "<package>&b;</package>"}),
    ],
)
def test_no_book(data: bytes) -> None:
    """What has no package document, or one that names no chapters, is no book; entities are never expanded."""
    with pytest.raises(DamagedError, match=r"book\.epub"):
        read(data)


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
