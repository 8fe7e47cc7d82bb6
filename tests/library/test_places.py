"""Where passages stand is kept with every version: regions, doubts, pages read by OCR."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pincite.core import ids
from pincite.core.document import Document, Doubt, Region
from pincite.core.geometry import PageFrame
from pincite.core.layout import PageLayout
from pincite.core.locators import Locator
from pincite.library import Library
from pincite.reading import chunk

if TYPE_CHECKING:
    from pathlib import Path

    from pincite.library import Collection, StoredDocument

TEXT = "Item: Nut | Price: 4\nItem: Bolt | Price: 5"


def _document() -> Document:
    return Document(
        text=TEXT,
        version=ids.version_of(TEXT),
        title="Prices",
        media_type="text/csv",
        reader="test/1",
        line_numbers=(),
        regions=(Region(0, len(TEXT), Locator(sheet="Prices"), (2, "A", "B")),),
        doubts=(Doubt(0, 4, "not to be seen"),),
    )


def _keep(library: Library, collection: Collection, document: Document) -> StoredDocument:
    document_id = ids.document_id(collection.collection_id, "upload://a")
    passages = [replace(one, doubt="not to be seen") for one in chunk(document, document_id)]
    return library.keep(collection, document, passages, data=b"a", source_key="upload://a")


def test_regions_and_doubts_are_read_back(library: Library, collection: Collection) -> None:
    """So that any part of a stored version has its place, and a passage knows what it rests on."""
    kept = _keep(library, collection, _document())
    stored = library.outlined(kept.document_id)
    assert (stored.regions, stored.doubts) == (_document().regions, _document().doubts)
    assert stored.locator(21, 25) == Locator(sheet="Prices", cells="A3:B3")
    (passage,) = library.passages_of(kept.document_id)
    assert passage.doubt == "not to be seen"
    assert passage.metadata == {"sheet": "Prices", "cells": "A2:B3"}
    assert library.passage(passage.chunk_id) == passage


def test_a_page_read_by_ocr_stays_one(library: Library, collection: Collection) -> None:
    """In the frames, and in the metadata of its passages."""
    document = Document(
        text="scanned",
        version=ids.version_of("scanned"),
        title="Scan",
        media_type="application/pdf",
        reader="pdf/1",
        pages=(PageFrame(1, 10.0, 20.0, ocr=True), PageFrame(2, 10.0, 20.0)),
        layouts=(PageLayout(1, 0, 7, ()), PageLayout(2, 7, 7, ())),
    )
    kept = _keep(library, collection, document)
    assert library.frames(kept.document_id) == document.pages
    assert library.outlined(kept.document_id).locator(0, 7).ocr is True
    (passage,) = library.passages_of(kept.document_id)
    assert passage.metadata == {"page": 1, "ocr": True}


@pytest.mark.on_sqlite
@pytest.mark.parametrize("kept_before", [True, False])
def test_a_library_of_the_third_schema_is_brought_up_to_date(
    home: Path, library: Library, collection: Collection, *, kept_before: bool
) -> None:
    """It had neither column; what it holds is there as before, and new readings have theirs."""
    plain = replace(_document(), regions=(), doubts=())
    if kept_before:
        _keep(library, collection, plain)
    library.close()
    old = sqlite3.connect(home / "library.db")
    old.execute("ALTER TABLE versions DROP COLUMN regions")
    old.execute("ALTER TABLE versions DROP COLUMN doubts")
    old.execute("ALTER TABLE places DROP COLUMN doubt")
    old.execute("DROP TABLE alembic_version")
    old.execute("UPDATE meta SET value = '3' WHERE name = 'schema'")
    old.commit()
    old.close()
    with Library.open(home) as opened:
        assert len(opened.documents()) == kept_before
        for known in opened.documents():
            assert opened.outlined(known.document_id).text == TEXT
        changed = replace(_document(), text=TEXT + ".", version=ids.version_of(TEXT + "."))
        kept = _keep(opened, collection, changed)
        assert opened.outlined(kept.document_id).regions == changed.regions
