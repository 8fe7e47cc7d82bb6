"""Known quotes of a book, half of them edited: each is boxed on its page, all of its words and no other.

The full size, 500 pages, and the time are `benchmarks/highlight.py`.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from known_quotes import made_book
from pincite.checking import SourceIndex
from pincite.core.protocols import SourceFile
from pincite.reading import ReadingPool
from pincite.showing import DocumentPages

if TYPE_CHECKING:
    from pathlib import Path

    from pincite.core.geometry import Box


def test_all_forty_are_boxed(tmp_path: Path) -> None:
    """Over twelve pages; eight of them run over the end of a page and have boxes on both."""
    book = made_book(12)
    assert sum(quote.is_edited for quote in book.quotes) == 20
    assert sum(len(quote.pages) == 2 for quote in book.quotes) >= 8
    path = tmp_path / "book.pdf"
    path.write_bytes(book.data)
    with ReadingPool() as pool:
        document = pool.read(book.data, name="book.pdf")
        source = SourceFile(path, document.media_type, hashlib.sha256(book.data).hexdigest())
        pages = DocumentPages(document, source, pool)
        index = SourceIndex(document.text)
        faults = {quote.text: book.faults(quote, _boxes(pages, index, quote.text)) for quote in book.quotes}
    assert {text: told for text, told in faults.items() if told} == {}


def _boxes(pages: DocumentPages, index: SourceIndex, quote: str) -> tuple[Box, ...]:
    check = index.verify(quote)
    if check.start is None or check.end is None:
        return ()
    return pages.boxes(check.start, check.end)
