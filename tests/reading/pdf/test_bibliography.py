"""What a PDF says of itself: its information, its XMP packet, its language; hostile ones cost nothing."""

from __future__ import annotations

import io
import zlib
from typing import Any

import pikepdf
import pytest

from pincite.core.bibliography import NO_BIBLIOGRAPHY, Author, Bibliography
from pincite.core.limits import DEFAULT
from pincite.reading import ReadingPool
from pincite.reading.pdf import PdfReader

PAGE = ("BT /F 20 Tf 72 700 Td (some words) Tj ET", "/MediaBox [0 0 612 792]")
DC = 'xmlns:dc="http://purl.org/dc/elements/1.1/"'


def read(data: bytes) -> Bibliography:
    """Return what is read of a PDF in this process."""
    return PdfReader().read(data, name="test.pdf", limits=DEFAULT).bibliography


def stream(packet: bytes, entries: bytes = b"") -> bytes:
    """Return a stream of metadata."""
    head = b"<< /Type /Metadata /Subtype /XML /Length %d %s >>" % (len(packet), entries)
    return head + b"\nstream\n" + packet + b"\nendstream"


def packed(pdf: pikepdf.Pdf, **options: Any) -> bytes:
    """Return the bytes of a PDF as qpdf writes it."""
    out = io.BytesIO()
    pdf.save(out, **options)
    return out.getvalue()


def test_the_information_of_a_file(make_pdf: Any) -> None:
    """Its author, a DOI where publishers put it, and the language of its catalog."""
    data = make_pdf(
        PAGE,
        catalog="/Lang (de-CH)",
        trailer="/Info 10 0 R",
        objects=(
            b"<< /Author (Meier, Anna) /Subject (J. Things, doi:10.1000/182) /CreationDate (D:20260318) >>",
        ),
    )
    assert read(data) == Bibliography(author=(Author("Meier", "Anna"),), doi="10.1000/182", language="de-CH")


def test_a_programs_word_for_nobody_is_no_author(make_pdf: Any) -> None:
    """Nor is the day on which a file was made a day of issue."""
    info = b"<< /Author (Administrator) /CreationDate (D:20260318) >>"
    assert read(make_pdf(PAGE, trailer="/Info 10 0 R", objects=(info,))) == NO_BIBLIOGRAPHY


@pytest.mark.parametrize(
    "options",
    [
        {"object_stream_mode": pikepdf.ObjectStreamMode.disable},
        {"object_stream_mode": pikepdf.ObjectStreamMode.generate},
        {"encryption": pikepdf.Encryption(owner="o", user="", R=6)},
    ],
)
def test_an_xmp_packet_goes_before_the_information(make_pdf: Any, options: dict[str, Any]) -> None:
    """As qpdf writes it: plainly, in object streams, encrypted; read in the guarded worker."""
    with pikepdf.open(
        io.BytesIO(make_pdf(PAGE, trailer="/Info 10 0 R", objects=(b"<< /Author (Else, Somebody) >>",)))
    ) as pdf:
        with pdf.open_metadata(set_pikepdf_as_editor=False) as metadata:
            metadata["dc:creator"] = ["Meier, Anna", "Ng, Bo"]
            metadata["dc:publisher"] = {"Acme"}
            metadata["prism:publicationName"] = "Journal of Things"
            metadata["prism:doi"] = "10.1000/182"
        data = packed(pdf, **options)
    with ReadingPool(DEFAULT) as pool:
        found = pool.read(data, name="test.pdf").bibliography
    assert found == Bibliography(
        author=(Author("Meier", "Anna"), Author("Ng", "Bo")),
        publisher="Acme",
        container_title="Journal of Things",
        doi="10.1000/182",
    )


def test_a_compressed_packet_is_inflated(make_pdf: Any) -> None:
    """As some programs write it."""
    packet = zlib.compress(f"<x {DC}><dc:publisher>Acme</dc:publisher></x>".encode())
    data = make_pdf(PAGE, catalog="/Metadata 10 0 R", objects=(stream(packet, b"/Filter /FlateDecode"),))
    assert read(data) == Bibliography(publisher="Acme")


@pytest.mark.parametrize(
    "metadata",
    [
        b"(no stream)",
        b"<< /Type /Metadata >>",
        stream(b"<x", b"/Filter /DCTDecode"),
        stream(b"no zlib", b"/Filter /FlateDecode"),
        stream(zlib.compress(b"<!-- " + b" " * 3_000_000), b"/Filter /FlateDecode"),
        stream(b"<a>" * 300_000),
        stream(b'<!DOCTYPE a [<!ENTITY x "yy">]><a>&x;</a>'),
    ],
    ids=["a string", "a dictionary", "an image", "no zlib", "a bomb", "deep", "entities"],
)
def test_a_hostile_packet_is_none(make_pdf: Any, metadata: bytes) -> None:
    """The document is read as without it, within the memory and the time of any other."""
    data = make_pdf(PAGE, catalog="/Metadata 10 0 R", objects=(metadata,))
    with ReadingPool(DEFAULT) as pool:
        document = pool.read(data, name="test.pdf")
    assert (document.text, document.bibliography) == ("some words", NO_BIBLIOGRAPHY)
