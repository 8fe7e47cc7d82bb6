"""The preview is the page's, field by field."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pincite.core.geometry import Box, PageFrame
from pincite.core.locators import Locator
from pincite.core.passage import Passage
from pincite.showing import Highlight, preview_of

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
OURS = [
    "page_end",
    "page_label",
    "page_width",
    "page_height",
    "rotation",
    "source_state",
    "highlight",
    "columns",
]
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


def test_a_book_without_frames_has_the_page_number_that_it_prints() -> None:
    """A book has no page frames, but may say where its printed pages begin: that number is the label."""
    placed = replace(PASSAGE, locator=Locator(page_label="iv"), boxes=())
    assert preview_of(placed, **PLACE).page_label == "iv"


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
    """The part to light has its offsets, its boxes and its own place, null where nobody looked it up."""
    light = Highlight(0, 8, (Box(4, 0.12, 0.31, 0.3, 0.33),), Locator(page=4, page_end=4), "Expenses")
    preview = preview_of(PASSAGE, highlight=light, **PLACE).as_dict()
    assert preview["highlight"] == {
        "start": 0,
        "end": 8,
        "boxes": [{"page": 4, "x0": 0.12, "y0": 0.31, "x1": 0.3, "y1": 0.33}],
        "locator": {"page": 4, "page_end": 4},
        "text": "Expenses",
    }
    assert Highlight(0, 8).as_dict()["locator"] is None


@pytest.mark.parametrize(
    ("text", "headings", "snippet"),
    [
        (
            "Expenses\n\nExpenses over 100 EUR need approval.",
            ("Expenses",),
            "Expenses over 100 EUR need approval.",
        ),
        ("Rules\n\nExpenses\nCosts are paid.", ("Rules", "Expenses"), "Costs are paid."),
        # A heading over two lines, and one that was cut off in front.
        ("Costs and\nexpenses\n\nThey are paid.", ("Rules", "Costs and expenses"), "They are paid."),
        # A heading without a text of its own in front: the passage opens its section.
        ("The handbook\n\nExpenses\n\nThey are paid.", ("Expenses",), "They are paid."),
        # Words of the text are no heading, though they begin like one; nothing but a heading stays.
        ("Expenses over 100 EUR\nneed approval.", ("Expenses",), "Expenses over 100 EUR need approval."),
        ("Expenses\n", ("Expenses",), "Expenses"),
        ("They are paid.", (), "They are paid."),
    ],
)
def test_a_snippet_begins_with_the_text(text: str, headings: tuple[str, ...], snippet: str) -> None:
    """The heading is `section`: the snippet does not repeat it, glued to the first word of the text."""
    locator = Locator(page=4, page_end=4, headings=headings)
    passage = replace(PASSAGE, text=text, end=len(text), locator=locator, section=(0, len(text)))
    assert preview_of(passage, **PLACE).snippet == snippet


def test_a_line_that_repeats_the_heading_later_cuts_nothing() -> None:
    """A passage from the midst of a section begins with its first word, whatever stands in a line of its own."""
    text = "They are paid.\n\nExpenses\n\nThe end."
    passage = replace(PASSAGE, start=300, end=300 + len(text), text=text, section=(0, 900))
    assert preview_of(passage, **PLACE).snippet == "They are paid. Expenses The end."


def test_a_title_of_a_hundred_thousand_words_is_looked_for_in_one_pass() -> None:
    """Titles come from documents: one that nearly is the text costs a walk over it."""
    words = "a " * 100_000
    passage = replace(
        PASSAGE, text=words + "b", locator=Locator(headings=(words + "c",) * 20), section=(0, 1)
    )
    assert preview_of(passage, **PLACE).snippet.startswith("a a a")


def test_boxes_stand_on_every_page_of_the_passage() -> None:
    """A passage over a page break has boxes on both; `page` is where it begins, `page_end` where it ends."""
    over = replace(
        PASSAGE,
        locator=Locator(page=4, page_end=5, headings=("Expenses",)),
        boxes=(Box(4, 0.1, 0.9, 0.8, 0.95), Box(5, 0.1, 0.1, 0.5, 0.12)),
    )
    frames = [PageFrame(number, 595.0, 842.0) for number in (4, 5)]
    preview = preview_of(over, frames=frames, **PLACE).as_dict()
    assert [box["page"] for box in preview["boxes"]] == [4, 5]
    assert (preview["page"], preview["page_end"], preview["has_image"]) == (4, 5, True)


@pytest.mark.parametrize(
    ("locator", "section"),
    [
        (Locator(headings=("Rules", "Expenses"), line=3, line_end=5), "Expenses"),
        (Locator(), None),
    ],
)
def test_other_formats_have_the_snippet(locator: Locator, section: str | None) -> None:
    """Markdown, HTML, sheets, plain text: no image and no box, which is no fault; the snippet is there."""
    passage = replace(PASSAGE, locator=locator, boxes=())
    preview = preview_of(passage, media_type="text/markdown", **PLACE)
    assert (preview.has_image, preview.boxes, preview.page, preview.page_width) == (False, (), None, None)
    assert (preview.section, preview.snippet) == (section, PASSAGE.text)


def test_only_pdf_pages_have_an_image() -> None:
    """A picture that was read by OCR has boxes on itself, and no page that we draw."""
    frames = [PageFrame(4, 595.0, 842.0)]
    assert preview_of(PASSAGE, frames=frames, **PLACE).has_image
    assert not preview_of(PASSAGE, frames=frames, media_type="image/png", **PLACE).has_image


def test_a_label_is_bounded_and_the_snippet_is_too() -> None:
    """A heading of a thousand words, and a passage, are cut; `source_uri` is what it was given."""
    passage = replace(PASSAGE, text="word " * 500, locator=Locator(headings=("h " * 1_000,)))
    preview = preview_of(passage, **PLACE)
    assert preview.section is not None
    assert (len(preview.section) <= 200, len(preview.snippet) <= 400) == (True, True)
