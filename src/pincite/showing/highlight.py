"""Which words of a cited passage are lit, and where these words stand on their pages.

A question or a model chooses a range of the passage's own text; the pages are those on which the stored version says
that this range stands, and its boxes come from how exactly that text lies there. Nothing is searched for on a page.
"""

from __future__ import annotations

from bisect import bisect_right
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from pincite.checking import SourceIndex, verify_quote
from pincite.core.document import Places
from pincite.core.errors import ReadingError, RenderError
from pincite.core.highlight import DEFAULT_PRECISION, HighlightPrecision
from pincite.core.text import normalise
from pincite.showing.preview import Highlight
from pincite.showing.snippet import passage_body, snippet

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pincite.core.document import Document
    from pincite.core.geometry import Box
    from pincite.core.layout import PageLayout
    from pincite.core.locators import Locator
    from pincite.core.passage import Passage
    from pincite.core.protocols import BestSpan, PageLayouts, SourceFile

_AT_ONCE: Final = 4
"""Pages of one passage that are asked for at a time."""


@dataclass(frozen=True, slots=True)
class DocumentPages:
    """The pages of one version of a document: its text with the place of each page in it, its file, and who reads it.

    `document` is what `Library.outlined` returns; of its layouts only page, start and end are looked at. One of a
    format without pages has its places all the same.
    """

    document: Document
    source: SourceFile
    layouts: PageLayouts
    _places: Places = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Index the places of the document once."""
        object.__setattr__(self, "_places", Places(self.document))

    def locator(self, passage: Passage, start: int, end: int) -> Locator:
        """Return where a person looks for the code points `start` to `end` of the text of a passage."""
        place = self._places.locator(passage.start + start, passage.start + end)
        # A passage crosses no heading, and may open with several.
        return replace(place, headings=passage.locator.headings)

    def boxes(self, start: int, end: int) -> tuple[Box, ...]:
        """Return the boxes of the code points `start` to `end` of the document, page by page in reading order.

        There is one for each piece of a line; space between words and lines has none.

        Raises:
            RenderError: they stand on no page, or a page cannot be read again.
        """
        text, pages = self.document.text, self.document.layouts
        parts: list[tuple[PageLayout, int, int]] = []
        for page in pages[max(0, bisect_right(pages, start, key=lambda one: one.start) - 1) :]:
            if page.start >= end:
                break
            first, last = max(start, page.start), min(end, page.end)
            if text[first:last].strip():
                parts.append((page, first, last))
        if len(parts) > 1:
            # Words over a page break should not take twice as long as others.
            with ThreadPoolExecutor(min(len(parts), _AT_ONCE)) as threads:
                found = [box for boxes in threads.map(self._page_boxes, parts) for box in boxes]
        else:
            found = [box for part in parts for box in self._page_boxes(part)]
        if not found:
            msg = "These words have no place on a page."
            raise RenderError(msg)
        return tuple(found)

    def _page_boxes(self, part: tuple[PageLayout, int, int]) -> list[Box]:
        page, first, last = part
        own = self.document.text[page.start : page.end]
        try:
            layout = self.layouts.layout(self.source, page.page, text=own)
        except ReadingError as error:
            raise RenderError(error.message, field="page") from error
        return layout.boxes(first - page.start, last - page.start)


def chosen_words(
    text: str,
    precision: HighlightPrecision = DEFAULT_PRECISION,
    *,
    question: str = "",
    best_span: BestSpan | None = None,
    quote: tuple[int, int] | None = None,
) -> tuple[int, int]:
    """Return the code points of a passage's `text` that are to be lit: all of them, where nothing narrower stands out.

    `best_span` is asked for the part that answers `question` best; None where nothing is scored. `quote` is where the
    words stand that a model picked, None when it picked none that do.
    """
    wanted: tuple[int, int] | None = None
    if precision is HighlightPrecision.MODELS_QUOTE:
        wanted = quote
    if wanted is None and precision is not HighlightPrecision.WHOLE_PASSAGE:
        asked = question.strip()
        wanted = best_span.best_span(asked, text) if asked and best_span is not None else None
    return (0, len(text)) if wanted is None else _bare(text, *wanted)


def quoted_words(text: str, quotes: Iterable[str]) -> tuple[int, int] | None:
    """Return the code points of the first of `quotes` that stands in a passage's `text`, None when none does.

    A quote counts when it is verified; of one with an ellipsis it is the longest part. One that is the whole passage
    may be as short as that is.
    """
    index: SourceIndex | None = None
    bare = text.strip()
    for quote in quotes:
        wanted = normalise(quote).strip()
        if not wanted:
            continue
        if wanted == bare:
            return _bare(text, 0, len(text))
        index = SourceIndex(text) if index is None else index
        check = verify_quote(wanted, index)
        if check.is_verified and check.spans:
            return max(check.spans, key=lambda span: span[1] - span[0])
    return None


def _bare(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a range without the space at its ends; the whole text where nothing is left or it is none."""
    piece = text[start:end] if 0 <= start < end <= len(text) else ""
    bare = piece.strip()
    if not bare:
        return 0, len(text)
    start += len(piece) - len(piece.lstrip())
    return start, start + len(bare)


def highlight_of(
    passage: Passage, words: tuple[int, int] | None = None, *, pages: DocumentPages | None = None
) -> Highlight:
    """Return the highlight of `words`, code points of the passage's text; of the whole passage when None.

    With `pages` it has the place of just these words. Words that cannot be placed on their pages, and words without
    `pages` to place them on, give the boxes of the whole passage. A passage without boxes has none for its words
    either: there the words of the snippet are lit.
    """
    if words is None or words == (0, len(passage.text)):
        return _whole(passage)
    locator = pages.locator(passage, *words) if pages is not None else None
    text = snippet(passage.text[slice(*words)])
    if not passage.boxes:
        return Highlight(*words, (), locator, text)
    if pages is not None:
        start, end = words
        with suppress(RenderError):
            boxes = pages.boxes(passage.start + start, passage.start + end)
            return Highlight(start, end, boxes, locator, text)
    return _whole(passage)


def _whole(passage: Passage) -> Highlight:
    text = snippet(passage.text[passage_body(passage) :])
    return Highlight(0, len(passage.text), passage.boxes, passage.locator, text)
