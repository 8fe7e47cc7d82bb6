"""The image of a cited passage: everything behind the route that returns one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.core.errors import InputError, RenderError
from pincite.core.limits import DEFAULT, Limits
from pincite.showing.image_options import MEDIA_TYPES, ImageOptions
from pincite.showing.page_image import draw_page
from pincite.showing.preview import has_image

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.core.geometry import Box, PageFrame
    from pincite.core.passage import Passage
    from pincite.core.protocols import PageRenderer, SourceFile
    from pincite.showing.image_cache import ImageCache
    from pincite.showing.preview import Highlight


@dataclass(frozen=True, slots=True)
class CitationImage:
    """An encoded image, its media type, and the page (1 is the first) that it shows."""

    data: bytes
    media_type: str
    page: int


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who is shown an image: the tenant, and the grant by which they may see the passage.

    Cached images are kept apart by both. A grant is any text that two callers share only when the same look-up lets
    both of them see the passage: a visitor's grant, or a name for all who hold the tenant's key.
    """

    tenant: str
    grant: str


def citation_image(  # noqa: PLR0913 - what is known of a passage, by keyword
    passage: Passage,
    options: ImageOptions | None = None,
    *,
    renderer: PageRenderer,
    source: SourceFile,
    frames: Sequence[PageFrame],
    highlight: Highlight | None = None,
    viewer: Viewer | None = None,
    cache: ImageCache | None = None,
    limits: Limits = DEFAULT,
) -> CitationImage:
    """Return the page of a passage with its words outlined, or those of `highlight`.

    `source` and `frames` are those of the passage's version. It does not ask whether the caller may see the passage:
    look that up first, every time, with a `cache` too. A `cache` is used for a `viewer` who is known.

    Raises:
        InputError: an option cannot be done, or the passage does not stand on that page; `field` names it (422).
        RenderError: there is no image of this passage (404).
        MissingExtraError: the extra `pdf` is not installed.
    """
    asked = options if options is not None else ImageOptions()
    asked.check(limits)
    if not has_image(passage, frames, source.media_type):
        msg = "There is no page image of this passage."
        raise RenderError(msg)
    lit = highlight.boxes if highlight is not None and highlight.boxes else passage.boxes
    page = _page(passage.boxes, lit, asked.page)
    # Words on one page of two: the other shows the passage, so that no page is shown without a mark.
    boxes = tuple(
        [box for box in lit if box.page == page] or [box for box in passage.boxes if box.page == page]
    )
    frame = next((one for one in frames if one.number == page), None)

    def draw() -> bytes:
        return draw_page(renderer, source, page, boxes, asked, frame=frame, limits=limits)

    if cache is None or viewer is None:
        data = draw()
    else:
        key = (viewer, source.content_hash, page, asked, boxes, limits)
        data = cache.get(key, draw)
    return CitationImage(data, MEDIA_TYPES[asked.format], page)


def _page(own: Sequence[Box], lit: Sequence[Box], asked: int | None) -> int:
    """Return the page to be drawn: the one that is asked for, else the first with a lit word.

    Raises:
        InputError: the passage does not stand on that page.
    """
    pages = sorted({box.page for box in own})
    if asked is None:
        return min(box.page for box in lit)
    if asked not in pages:
        told = f"page {pages[0]}" if len(pages) == 1 else f"pages {', '.join(map(str, pages))}"
        msg = f"The passage stands on {told}, not on page {asked}."
        raise InputError(msg, field="page")
    return asked
