"""The layout of a page that OCR read is kept with its version: opening it asks nobody."""

from __future__ import annotations

from array import array
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa

from pincite.core.document import Document
from pincite.core.geometry import Box, PageFrame
from pincite.core.ids import document_id, version_of
from pincite.core.layout import LineFragment, PageLayout
from pincite.core.packed import pack_layout
from pincite.core.protocols import SourceFile
from pincite.library.tables import page_layouts
from pincite.reading.chunking import chunk

if TYPE_CHECKING:
    from pincite.library import Collection, Library, StoredDocument

TEXT = "From a scan."
SOURCE = SourceFile(Path("nowhere"), "application/pdf", "0" * 64)
GLYPHS = array("f", [side for place in range(12) for side in (place / 12, 0.25, (place + 1) / 12, 0.5)])
LAYOUT = PageLayout(1, 0, 12, (LineFragment(0, 12, Box(1, 0.0, 0.25, 1.0, 0.5)),), GLYPHS)


class Reader:
    """Counts how often it is asked for a page."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def layout(self, document: SourceFile, page: int, *, text: str) -> PageLayout:
        """Return a layout without lines."""
        assert document == SOURCE
        self.asked.append(page)
        return PageLayout(page, 0, len(text), ())


def kept(library: Library, collection: Collection, packed: bytes, data: bytes = b"scan") -> StoredDocument:
    """Keep a document of one page with that packed layout."""
    document = Document(
        text=TEXT,
        version=version_of(TEXT),
        title="Scan",
        media_type="application/pdf",
        reader="pdf/1",
        pages=(PageFrame(1, 400.0, 100.0, ocr=True),),
        layouts=(replace(LAYOUT, glyphs=None, packed=packed),),
    )
    key = "upload://scan.pdf"
    passages = chunk(document, document_id(collection.collection_id, key))
    return library.keep(collection, document, passages, data=data, source_key=key)


def test_opening_a_scanned_page_costs_no_ocr(library: Library, collection: Collection) -> None:
    """Its boxes come from the library; the reader is asked for pages of which nothing is kept."""
    stored, reader = kept(library, collection, pack_layout(LAYOUT)), Reader()
    layouts = library.page_layouts(stored.document_id, stored.version, reader)
    found = layouts.layout(SOURCE, 1, text=TEXT)
    assert reader.asked == []
    (box,) = found.boxes(5, 6)
    assert abs(box.x0 - 5 / 12) < 1e-4
    assert abs(box.x1 - 6 / 12) < 1e-4
    assert layouts.layout(SOURCE, 2, text="other").lines == ()
    assert reader.asked == [2]


def test_what_is_no_layout_is_as_good_as_none(library: Library, collection: Collection) -> None:
    """A worker that was taken over may have sent anything."""
    stored, reader = kept(library, collection, b"nothing"), Reader()
    library.page_layouts(stored.document_id, stored.version, reader).layout(SOURCE, 1, text=TEXT)
    assert reader.asked == [1]


def test_another_file_with_the_same_text_has_its_own(library: Library, collection: Collection) -> None:
    """The places of the first one's words are not those of the second's."""
    kept(library, collection, pack_layout(LAYOUT))
    stored, reader = kept(library, collection, b"", b"another scan"), Reader()
    library.page_layouts(stored.document_id, stored.version, reader).layout(SOURCE, 1, text=TEXT)
    assert reader.asked == [1]


def test_nothing_is_left_of_a_deleted_document(library: Library, collection: Collection) -> None:
    """Where its words stood goes with them."""
    library.delete(kept(library, collection, pack_layout(LAYOUT)).document_id)
    with library.database.reading() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(page_layouts)) == 0
