"""Documents made by hand: one line a passage, so that every id and offset can be told beforehand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.core import ids
from pincite.core.document import Document, Flag, Heading
from pincite.core.geometry import Box, PageFrame
from pincite.core.layout import PageLayout
from pincite.core.passage import Passage

if TYPE_CHECKING:
    from pincite.library import Collection, Library, StoredDocument


def document_of(text: str, *, reader: str = "lines/1", flags: tuple[Flag, ...] = ()) -> Document:
    """Return a document of one page (200 by 100 points) with its first line as its heading."""
    return Document(
        text=text,
        version=ids.version_of(text),
        title=text.split("\n", 1)[0],
        media_type="text/plain",
        reader=reader,
        outline=(Heading(text.split("\n", 1)[0], 1, 0),),
        pages=(PageFrame(1, 200.0, 100.0, 0, "i"),),
        layouts=(PageLayout(1, 0, len(text), ()),),
        flags=flags,
    )


def passages_of(document: Document, document_id: str) -> list[Passage]:
    """Return one passage a line, its box as high as its place."""
    made: list[Passage] = []
    seen: dict[str, int] = {}
    start = 0
    for number, line in enumerate(document.text.split("\n")):
        occurrence = seen.get(line, 0)
        seen[line] = occurrence + 1
        end = start + len(line)
        made.append(
            Passage(
                ids.chunk_id(document_id, line, occurrence),
                document_id,
                document.version,
                start,
                end,
                line,
                locator=document.locator(start, end),
                boxes=(Box(1, 0.1, number / 1000, 1 / 3, (number + 1) / 1000),),
                section=(0, len(document.text)),
            )
        )
        start = end + 1
    return made


def keep_text(
    library: Library,
    collection: Collection,
    key: str,
    text: str,
    *,
    data: bytes | None = None,
    replace: bool = True,
) -> StoredDocument:
    """Keep `text` under `key`, one passage a line; its file is `data` or the text's own bytes."""
    document = document_of(text)
    document_id = ids.document_id(collection.collection_id, key)
    return library.keep(
        collection,
        document,
        passages_of(document, document_id),
        data=text.encode() if data is None else data,
        source_key=key,
        replace=replace,
    )
