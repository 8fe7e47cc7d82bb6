"""Where the characters of a stored page stand: from what is kept of it, else from its file."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import sqlalchemy as sa

from pincite.core.packed import unpack_layout
from pincite.library.lookup import is_of
from pincite.library.tables import page_layouts

if TYPE_CHECKING:
    from pincite.core.document import Document
    from pincite.core.layout import PageLayout
    from pincite.core.protocols import PageLayouts, SourceFile
    from pincite.library.database import Database


def write_layouts(connection: sa.Connection, tenant: str, document_id: str, document: Document) -> None:
    """Keep the layouts that came with a document; those of an earlier file with the same text go."""
    mine = is_of(page_layouts, tenant, document_id)
    connection.execute(sa.delete(page_layouts).where(mine, page_layouts.c.version == document.version))
    key = {"tenant": tenant, "document_id": document_id, "version": document.version}
    rows = [
        {**key, "page": layout.page, "layout": layout.packed} for layout in document.layouts if layout.packed
    ]
    if rows:
        connection.execute(sa.insert(page_layouts), rows)


@dataclass(frozen=True, slots=True)
class KeptLayouts:
    """The `PageLayouts` of one version of a document; pages of which nothing is kept are `reader`'s."""

    database: Database
    document_id: str
    version: str
    reader: PageLayouts

    def layout(self, document: SourceFile, page: int, *, text: str) -> PageLayout:
        """Return the layout of a page (1 is the first) with glyphs, which starts at 0.

        Raises:
            RenderError: the page does not open, or does not hold that text.
            StoreError: the library cannot be read.
        """
        mine = is_of(page_layouts, self.database.tenant, self.document_id)
        this = sa.and_(mine, page_layouts.c.version == self.version, page_layouts.c.page == page)
        with self.database.looking() as connection:
            kept = connection.scalar(sa.select(page_layouts.c.layout).where(this))
        if kept is not None:
            # A worker packed it that had read a stranger's bytes: what is no layout is as good as none.
            with suppress(ValueError):
                return unpack_layout(kept, page, len(text))
        return self.reader.layout(document, page, text=text)
