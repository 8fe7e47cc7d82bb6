"""The preview is the page's, field by field."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pincite.core.geometry import Box, PageFrame
from pincite.core.locators import Locator
from pincite.core.passage import Passage
from pincite.showing import Highlight, preview_of, snippet

PAGE_FIELDS = [
    "chunk_id",
    "document_id",
    "collection",
    "collection_id",
    "source_uri",
    "page",
    "section",
    "snippet",
    "boxes",
    "has_image",
]
OURS = ["page_end", "page_label", "page_width", "page_height", "rotation", "source_state", "highlight"]
PASSAGE = Passage(
    chunk_id="9f2a1b7c-3e51-4b8a-9c2d-771f2a6e5d10",
    document_id="3d0e7c44-9a11-4a2e-8b6f-2c9a5d1e0f33",
    version="c174f9d9eba7d79c",
    start=0,
    end=71,
    text="Expenses over 100 EUR require prior approval from your line manager...",
    locator=Locator(page=4, page_end=4, headings=("Rules", "Expenses")),
    boxes=(Box(4, 0.12, 0.31, 0.88, 0.37),),
)
PLACE: dict[str, Any] = {
    "collection": "handbook",
    "collection_id": "7b1a9e20-0000-4000-8000-000000000001",
    "source_uri": "upload://handbook.pdf",
}


def test_the_pages_example() -> None:
    """Every field of the page has its name, place, type and value; ours stand after them."""
    preview = preview_of(PASSAGE, frames=[PageFrame(4, 595.0, 842.0, label="iv")], **PLACE).as_dict()
    assert list(preview) == PAGE_FIELDS + OURS
    assert {name: preview[name] for name in PAGE_FIELDS} == {
        "chunk_id": "9f2a1b7c-3e51-4b8a-9c2d-771f2a6e5d10",
        "document_id": "3d0e7c44-9a11-4a2e-8b6f-2c9a5d1e0f33",
        "collection": "handbook",
        "collection_id": "7b1a9e20-0000-4000-8000-000000000001",
        "source_uri": "upload://handbook.pdf",
        "page": 4,
        "section": "Expenses",
        "snippet": "Expenses over 100 EUR require prior approval from your line manager...",
        "boxes": [{"page": 4, "x0": 0.12, "y0": 0.31, "x1": 0.88, "y1": 0.37}],
        "has_image": True,
    }
    assert (preview["page_label"], preview["page_width"], preview["rotation"]) == ("iv", 595.0, 0)


def test_there_is_no_confidence_on_a_preview() -> None:
    """Confidence, score and query belong to a retrieval."""
    preview = preview_of(PASSAGE, **PLACE).as_dict()
    assert not {"confidence", "score", "query"} & set(preview)


def test_a_passage_without_a_place_has_no_image() -> None:
    """No box, or no page, means the snippet is the honest answer."""
    assert not preview_of(PASSAGE, **PLACE).has_image
    unplaced = replace(PASSAGE, locator=Locator(), boxes=())
    preview = preview_of(unplaced, frames=[PageFrame(4, 595.0, 842.0)], **PLACE)
    assert (preview.has_image, preview.boxes, preview.page) == (False, (), None)


def test_a_highlight_is_part_of_the_json() -> None:
    """The part to light has its offsets and its boxes."""
    light = Highlight(0, 8, (Box(4, 0.12, 0.31, 0.3, 0.33),))
    preview = preview_of(PASSAGE, highlight=light, **PLACE).as_dict()
    assert preview["highlight"] == {
        "start": 0,
        "end": 8,
        "boxes": [{"page": 4, "x0": 0.12, "y0": 0.31, "x1": 0.3, "y1": 0.33}],
    }


def test_a_snippet_is_bounded_and_ends_at_a_word() -> None:
    """At most 400 code points, one line, an ellipsis where it is cut."""
    text = "word " * 200
    short = snippet(text)
    assert len(short) <= 400
    assert short.endswith("word…")
    assert snippet("two\nlines\u202e") == "two lines"


def test_a_script_without_spaces_is_cut_where_it_stands() -> None:
    """A long run of kana is not thrown away for want of a space."""
    assert len(snippet("あ" * 1_000)) == 400
