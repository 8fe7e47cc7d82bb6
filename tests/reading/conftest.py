"""PDFs written by hand, object by object, so that a test knows where each word stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import pytest

from pincite.reading import ReadingPool

if TYPE_CHECKING:
    from collections.abc import Iterator

COURIER = (
    b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding /FirstChar 32 /LastChar 255 "
    b"/Widths [" + b"600 " * 224 + b"] /FontDescriptor << /Type /FontDescriptor /FontName /Courier /Flags 33 "
    b"/FontBBox [0 -200 600 800] /Ascent 800 /Descent -200 /CapHeight 600 /ItalicAngle 0 /StemV 80 >> >>"
)
"""Every glyph is 0.6 em wide and stands between 0.2 em under and 0.8 em over the line."""

LETTER = "/MediaBox [0 0 612 792]"


class MakePdf(Protocol):
    """Writes a PDF of pages, each a content stream and the entries of its dictionary."""

    def __call__(
        self,
        *pages: tuple[str | bytes, str],
        catalog: str = "",
        trailer: str = "",
        objects: tuple[bytes, ...] = (),
        fonts: str = "",
        count: int | None = None,
    ) -> bytes:
        """Return its bytes.

        `objects` are numbered from 10 on, pages from 100 (their contents from 101) in steps of two; `fonts` are
        entries beside `/F` (Courier), `count` is what the page tree says instead of the truth.
        """
        ...


def _make_pdf(
    *pages: tuple[str | bytes, str],
    catalog: str = "",
    trailer: str = "",
    objects: tuple[bytes, ...] = (),
    fonts: str = "",
    count: int | None = None,
) -> bytes:
    kids = " ".join(f"{100 + 2 * i} 0 R" for i in range(len(pages)))
    said = len(pages) if count is None else count
    bodies: dict[int, bytes] = {
        1: f"<< /Type /Catalog /Pages 2 0 R {catalog} >>".encode(),
        2: f"<< /Type /Pages /Kids [{kids}] /Count {said} >>".encode(),
        3: COURIER,
    }
    bodies |= {10 + i: body for i, body in enumerate(objects)}
    for i, (content, entries) in enumerate(pages):
        stream = (
            content
            if isinstance(content, bytes)
            else b"<< /Length %d >>\nstream\n%s\nendstream"
            % (
                len(content.encode("latin-1")),
                content.encode("latin-1"),
            )
        )
        bodies[100 + 2 * i] = (
            f"<< /Type /Page /Parent 2 0 R {entries} /Contents {101 + 2 * i} 0 R "
            f"/Resources << /Font << /F 3 0 R {fonts} >> /XObject << /X 10 0 R >> >> >>"
        ).encode()
        bodies[101 + 2 * i] = stream
    data = bytearray(b"%PDF-1.7\n")
    places: dict[int, int] = {}
    for number, body in bodies.items():
        places[number] = len(data)
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(data)
    data += b"xref\n0 1\n0000000000 65535 f \n"
    for number, place in places.items():
        data += b"%d 1\n%010d 00000 n \n" % (number, place)
    size = max(places) + 1
    data += f"trailer\n<< /Size {size} /Root 1 0 R {trailer} >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(data)


@pytest.fixture(scope="session")
def make_pdf() -> MakePdf:
    """The writer of PDFs."""
    return _make_pdf


@pytest.fixture(scope="module")
def pool() -> Iterator[ReadingPool]:
    """A pool with the limits as they are."""
    with ReadingPool() as pool:
        yield pool
