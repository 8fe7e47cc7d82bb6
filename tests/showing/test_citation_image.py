"""The image behind the route: which page, with which words, for whom, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pincite.core.errors import InputError, RenderError
from pincite.core.geometry import Box, PageFrame
from pincite.core.locators import Locator
from pincite.core.passage import Passage
from pincite.core.protocols import Bitmap, SourceFile
from pincite.showing import Highlight, ImageCache, ImageOptions, Viewer, citation_image

SOURCE = SourceFile(Path("handbook.pdf"), "application/pdf", "0" * 64)
FRAMES = tuple(PageFrame(number, 60, 80) for number in (1, 2, 3))
PASSAGE = Passage(
    "9f2a1b7c-3e51-4b8a-9c2d-771f2a6e5d10",
    "3d0e7c44-9a11-4a2e-8b6f-2c9a5d1e0f33",
    "c174f9d9eba7d79c",
    100,
    140,
    "Expenses over 100 EUR require approval.",
    locator=Locator(page=2, page_end=3),
    boxes=(Box(2, 0.1, 0.8, 0.9, 0.9), Box(3, 0.1, 0.1, 0.5, 0.2)),
)
MINE = Viewer("acme", "visitor-1")


class Pages:
    """Draws white pages and counts them."""

    def __init__(self) -> None:
        self.drawn: list[int] = []

    def render(self, document: SourceFile, page: int, *, dpi: float, crop: Box | None = None) -> Bitmap:  # noqa: ARG002 - the protocol's
        """Return a white page."""
        self.drawn.append(page)
        if document.content_hash == "damaged":
            msg = "Page 2 does not open."
            raise RenderError(msg, field="page")
        return Bitmap(60, 80, "L", b"\xff" * 4_800)


def _image(pages: Pages, passage: Passage = PASSAGE, options: ImageOptions | None = None, **more: Any) -> Any:
    given: dict[str, Any] = {"renderer": pages, "source": SOURCE, "frames": FRAMES, **more}
    return citation_image(passage, options, **given)


def test_the_first_page_as_png_is_the_default() -> None:
    """A passage over two pages begins on page 2."""
    image = _image(Pages())
    assert (image.page, image.media_type, image.data[:4]) == (2, "image/png", b"\x89PNG")


def test_another_page_of_the_passage_may_be_asked_for() -> None:
    """The one it ends on, not one beside it and not one that is not there: 422 with the field."""
    assert _image(Pages(), options=ImageOptions(page=3)).page == 3
    for page in (1, 4, 20_000):
        with pytest.raises(InputError, match="The passage stands on pages 2, 3, not on page") as told:
            _image(Pages(), options=ImageOptions(page=page))
        assert told.value.field == "page"


def test_the_page_of_the_lit_words_comes_first() -> None:
    """Words on the second page of the passage are shown there; its first page shows the passage."""
    light = Highlight(30, 38, (Box(3, 0.1, 0.1, 0.3, 0.2),))
    assert _image(Pages(), highlight=light).page == 3
    first = _image(Pages(), options=ImageOptions(page=2), highlight=light)
    assert first.data == _image(Pages(), options=ImageOptions(page=2)).data


@pytest.mark.parametrize(
    "missing",
    [
        {"source": replace(SOURCE, media_type="text/markdown")},
        {"source": replace(SOURCE, media_type="image/png")},
        {"frames": ()},
        {"source": replace(SOURCE, content_hash="damaged")},
    ],
)
def test_no_image_is_one_error(missing: dict[str, Any]) -> None:
    """Other formats, a page without a frame, a damaged page: RenderError, which a server answers with 404."""
    with pytest.raises(RenderError) as told:
        _image(Pages(), **missing)
    assert told.value.code == "no_image"


def test_a_passage_without_a_box_has_no_image() -> None:
    """Whatever page is asked for; and an option that cannot be done is told first."""
    unplaced = replace(PASSAGE, boxes=())
    for page in (None, 2, 9):
        with pytest.raises(RenderError):
            _image(Pages(), unplaced, ImageOptions(page=page))
    with pytest.raises(InputError):
        _image(Pages(), unplaced, ImageOptions(mode="corp"))  # type: ignore[arg-type]


def test_a_kept_image_is_not_drawn_again() -> None:
    """The same passage, options and viewer."""
    pages, cache = Pages(), ImageCache()
    first = _image(pages, viewer=MINE, cache=cache)
    assert _image(pages, viewer=MINE, cache=cache) == first
    assert pages.drawn == [2]


@pytest.mark.parametrize(
    "other",
    [
        {"viewer": Viewer("acme", "visitor-2")},
        {"viewer": Viewer("other", "visitor-1")},
        {"options": ImageOptions(page=3)},
        {"options": ImageOptions("crop")},
        {"options": ImageOptions(width=30)},
        {"options": ImageOptions(dpi=72)},
        {"options": ImageOptions(format="webp")},
        {"source": replace(SOURCE, content_hash="1" * 64)},
        {"highlight": Highlight(0, 8, (Box(2, 0.1, 0.8, 0.3, 0.9),))},
        {"viewer": None},
    ],
)
def test_whatever_the_image_depends_on_keeps_it_apart(other: dict[str, Any]) -> None:
    """Safety: by grant, not by content alone. Another tenant, grant, page, option, file or highlight is drawn."""
    pages, cache = Pages(), ImageCache()
    _image(pages, viewer=MINE, cache=cache)
    given: dict[str, Any] = {"viewer": MINE, "cache": cache, **other}
    _image(pages, **given)
    assert len(pages.drawn) == 2


def test_the_cache_opens_nothing_that_was_taken_away() -> None:
    """A passage that has no place any more has no image, though one of it is kept."""
    pages, cache = Pages(), ImageCache()
    _image(pages, viewer=MINE, cache=cache)
    with pytest.raises(RenderError):
        _image(pages, replace(PASSAGE, boxes=()), viewer=MINE, cache=cache)
