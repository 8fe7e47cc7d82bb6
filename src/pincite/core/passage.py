"""A passage: the unit that is found, shown to a model and cited."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pincite.core.ids import ChunkEvidenceId, SpanEvidenceId
from pincite.core.locators import Locator

if TYPE_CHECKING:
    from pincite.core.geometry import Box


@dataclass(frozen=True, slots=True)
class Passage:
    """Code points `start` to `end` of one version of one document; `text` is exactly that slice.

    `section` are the code points of the section around it, for hierarchical rows. `metadata` holds what a
    search row shows: `page`, `page_end` where it ends on a later page, `section`. `doubt` says why its text is not to
    be cited as good, where it is not (`core.document.Doubt`).
    """

    chunk_id: str
    document_id: str
    version: str
    start: int
    end: int
    text: str
    locator: Locator = field(default_factory=Locator)
    boxes: tuple[Box, ...] = ()
    section: tuple[int, int] | None = None
    doubt: str | None = None

    @property
    def evidence_id(self) -> str:
        """The id that names this passage in this version."""
        return str(ChunkEvidenceId(self.document_id, self.version, self.chunk_id))

    @property
    def span_id(self) -> str:
        """The id that names the same text by its place."""
        return str(SpanEvidenceId(self.document_id, self.version, self.start, self.end))

    @property
    def metadata(self) -> dict[str, Any]:
        """The metadata of a search row."""
        return row_metadata(self.locator)


def row_metadata(locator: Locator) -> dict[str, Any]:
    """Return the metadata of a search row: page, section and what else its format knows, as far as known.

    `page_end` and its like stand there only where they differ from the first; lines are the locator's.
    """
    known = {name: value for name in _ROW_FIELDS if (value := getattr(locator, name)) is not None}
    for first, last in _RUNS:
        if first in known and known.get(last) == known[first]:
            del known[last]
    return known


_ROW_FIELDS = (
    "page",
    "page_end",
    "section",
    "sheet",
    "cells",
    "slide",
    "slide_end",
    "paragraph",
    "paragraph_end",
    "time",
    "time_end",
    "pointer",
    "part",
    "ocr",
    "columns",
)
_RUNS = (("page", "page_end"), ("slide", "slide_end"), ("paragraph", "paragraph_end"), ("time", "time_end"))
