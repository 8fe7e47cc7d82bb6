"""A hit: one row of a search, in the shape of the reader's page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pincite.core.ids import chunk_evidence_id
from pincite.core.locators import Locator

if TYPE_CHECKING:
    from pincite.core.verdicts import Confidence

ROW_FIELDS = (
    "ref",
    "chunk_id",
    "document_id",
    "content",
    "source_uri",
    "collection",
    "metadata",
    "confidence",
)
"""The fields of a search row, in the page's order."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that a search returned. `row()` is what the search's caller sees; the rest is for citing it.

    `content` is the passage's text, or its section's in a hierarchical collection. `source_uri` is what a link
    is made from and is never shown to a reader or a model. `confidence` is None when nothing was scored.
    `start` and `end` are the code points of `content` in the document's text.
    """

    ref: str
    chunk_id: str
    document_id: str
    content: str
    source_uri: str
    collection: str
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])
    confidence: Confidence | None = None
    title: str = ""
    version: str = ""
    locator: Locator = field(default_factory=Locator)
    start: int = 0
    end: int = 0

    def row(self) -> dict[str, Any]:
        """Return exactly the eight fields of a search row, as JSON holds them."""
        row = {name: getattr(self, name) for name in ROW_FIELDS}
        row["metadata"] = dict(self.metadata)
        row["confidence"] = self.confidence.value if self.confidence is not None else None
        return row

    @property
    def evidence_id(self) -> str | None:
        """The id of the passage in its version, or None for a hit whose document has no version."""
        if not self.version:
            return None
        return chunk_evidence_id(self.document_id, self.version, self.chunk_id)
