"""The preview: everything a citation panel needs except the image, in the shape of the reader's page.

The snippet and the locator come first: they are there for every format. Boxes and the image are what a PDF adds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pincite.core.limits import DEFAULT, Limits
from pincite.core.text import one_line
from pincite.core.verdicts import SourceState
from pincite.showing.snippet import passage_body, snippet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.core.geometry import Box, PageFrame
    from pincite.core.locators import Locator
    from pincite.core.passage import Passage


PDF = "application/pdf"
"""The one media type whose pages are drawn."""


@dataclass(frozen=True, slots=True)
class Highlight:
    """The words of a passage to light: code points `start` to `end` of its text, and their boxes on every page.

    `locator` is the place of just these words, None where it was not looked up: what is shown beside them says where
    they stand, and not where their passage begins and ends. `text` are the words as a snippet has them, so that they
    are found in that of the passage as far as it goes; empty where nobody asked.
    """

    start: int
    end: int
    boxes: tuple[Box, ...] = ()
    locator: Locator | None = None
    text: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return the highlight as JSON holds it."""
        return {
            "start": self.start,
            "end": self.end,
            "boxes": [box.as_dict() for box in self.boxes],
            "locator": self.locator.as_dict() if self.locator is not None else None,
            "text": self.text,
        }


@dataclass(frozen=True, slots=True)
class Preview:
    """The page's ten fields first, then ours. Boxes, snippet and page are those of the passage that matched.

    `columns` is the header of a table of which the passage holds later rows: `Locator.columns`.
    """

    chunk_id: str
    document_id: str
    collection: str
    collection_id: str
    source_uri: str
    page: int | None
    section: str | None
    snippet: str
    boxes: tuple[Box, ...]
    has_image: bool
    page_end: int | None = None
    page_label: str | None = None
    page_width: float | None = None
    page_height: float | None = None
    rotation: int | None = None
    source_state: SourceState = SourceState.CURRENT
    highlight: Highlight | None = None
    columns: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the preview as its JSON holds it."""
        light = self.highlight
        return {
            "chunk_id": self.chunk_id,
            "document_id": self.document_id,
            "collection": self.collection,
            "collection_id": self.collection_id,
            "source_uri": self.source_uri,
            "page": self.page,
            "section": self.section,
            "snippet": self.snippet,
            "boxes": [box.as_dict() for box in self.boxes],
            "has_image": self.has_image,
            "page_end": self.page_end,
            "page_label": self.page_label,
            "page_width": self.page_width,
            "page_height": self.page_height,
            "rotation": self.rotation,
            "source_state": self.source_state.value,
            "highlight": light.as_dict() if light is not None else None,
            "columns": self.columns,
        }


def preview_of(  # noqa: PLR0913 - what is known of a passage, by keyword
    passage: Passage,
    *,
    collection: str,
    collection_id: str,
    source_uri: str,
    frames: Sequence[PageFrame] = (),
    media_type: str = PDF,
    state: SourceState = SourceState.CURRENT,
    highlight: Highlight | None = None,
    limits: Limits = DEFAULT,
) -> Preview:
    """Return the preview of a passage; only a PDF passage with a box to outline has an image.

    `frames` and `media_type` are those of its version.
    """
    frame = next((one for one in frames if one.number == passage.locator.page), None)
    section = passage.locator.section
    return Preview(
        chunk_id=passage.chunk_id,
        document_id=passage.document_id,
        collection=collection,
        collection_id=collection_id,
        source_uri=source_uri,
        page=passage.locator.page,
        section=one_line(section, limits.title_code_points) if section is not None else None,
        snippet=snippet(passage.text[passage_body(passage) :], limits.snippet_code_points),
        boxes=passage.boxes,
        has_image=has_image(passage, frames, media_type),
        page_end=passage.locator.page_end,
        page_label=frame.label if frame is not None else passage.locator.page_label,
        page_width=frame.width if frame is not None else None,
        page_height=frame.height if frame is not None else None,
        rotation=frame.rotation if frame is not None else None,
        source_state=state,
        highlight=highlight,
        columns=passage.locator.columns,
    )


def has_image(passage: Passage, frames: Sequence[PageFrame], media_type: str) -> bool:
    """Say whether there is an image of the passage: it is of a PDF, and has a box on a page of it."""
    numbers = {frame.number for frame in frames}
    return media_type == PDF and any(box.page in numbers for box in passage.boxes)
