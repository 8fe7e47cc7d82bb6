"""A document that grows page by page: what runs through its pages is left out, and what is done is handed on."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pincite.core.bibliography import NO_BIBLIOGRAPHY, Bibliography
from pincite.core.document import Document, Doubt, Flag
from pincite.core.errors import TooLargeError
from pincite.core.ids import version_of
from pincite.core.layout import LineFragment, PageLayout
from pincite.core.packed import pack_layout
from pincite.reading.pdf._hyphens import AT_END
from pincite.reading.pdf._letters import ends_sentence
from pincite.reading.pdf.furniture import PageSummary, furniture, summary_of
from pincite.reading.pdf.layout import over_page, without
from pincite.reading.pdf.outline import Outline, PageOutline
from pincite.reading.reader import PagePart

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pincite.core.document import Heading
    from pincite.core.geometry import Affine, PageFrame
    from pincite.core.limits import Limits
    from pincite.reading.pdf.headings import Bookmark
    from pincite.reading.pdf.layout import PageText

_BLOCK, _AROUND = 32, 8
"""Pages that are done together, and pages before and after them that tell what runs through."""


@dataclass(frozen=True, slots=True)
class BookPage:
    """What was read of a page: its frame, what is to be said of it, and its text, None where it could not be read.

    `tags` gives the level of the lines (by position) that are tagged as headings, `height` is in points as seen.
    """

    frame: PageFrame
    flags: tuple[Flag, ...]
    text: PageText | None = None
    affine: Affine | None = None
    width: float = 0.0
    height: float = 0.0
    tags: dict[int, int] = field(default_factory=dict)

    def summary(self) -> PageSummary:
        """Return what is kept of the page to find what runs through the document."""
        if self.text is None:
            return PageSummary(self.frame.number, (), (), 0, 0.0, self.frame.label)
        return summary_of(self.text, self.width, self.height, self.frame.label)

    def without(self, drop: frozenset[int]) -> BookPage:
        """Return the page without the lines at these positions; one that holds nothing else keeps them."""
        if self.text is None or not drop or len(drop) >= len(self.text.lines):
            return self
        kept = [position for position in range(len(self.text.lines)) if position not in drop]
        tags = {new: self.tags[old] for new, old in enumerate(kept) if old in self.tags}
        return replace(self, text=without(self.text, drop), tags=tags)


class Book:
    """The pages of one document, in order.

    Pages wait until those after them tell which of their lines run through the document, then they go to `on_part`, and
    little is kept of them; without it they stay in `parts`.
    """

    def __init__(
        self,
        label: str,
        limits: Limits,
        marks: Sequence[Bookmark],
        on_part: Callable[[PagePart], None] | None,
    ) -> None:
        self._label = label
        self._limits = limits
        self._hand_on = on_part if on_part is not None else self._keep
        self._before: list[PageSummary] = []
        self._waiting: list[tuple[BookPage, PageSummary]] = []
        self._divided: list[tuple[BookPage, bool]] = []
        self._size = 0
        self._tail = ""
        self.parts: list[PagePart] = []
        self.length = 0
        self.frames: list[PageFrame] = []
        self.flags: list[Flag] = []
        self.doubts: list[Doubt] = []
        self.outline = Outline(marks, limits.title_code_points)
        self.damaged = False

    def _keep(self, part: PagePart) -> None:
        self.parts.append(part)

    def add(self, page: BookPage) -> None:
        """Take the next page.

        Raises:
            TooLargeError: the text is longer than is allowed.
        """
        self._size += len(page.text.text) if page.text is not None else 0
        if self._size > self._limits.document_code_points:
            msg = f"{self._label} holds more text than {self._limits.document_code_points} code points."
            raise TooLargeError(msg)
        self._waiting.append((page, page.summary()))
        if len(self._waiting) >= _BLOCK + _AROUND:
            self._finish(_BLOCK)

    def close(self) -> None:
        """Do what still waits: no page comes any more."""
        self._finish(len(self._waiting))
        self._release(None)

    def _finish(self, count: int) -> None:
        summaries = [*self._before, *(summary for _, summary in self._waiting)]
        drops = furniture(summaries)[len(self._before) :]
        done, self._waiting = self._waiting[:count], self._waiting[count:]
        for (page, _), drop in zip(done, drops, strict=False):
            self._place(page.without(drop))
        self._before = [*self._before, *(summary for _, summary in done)][-_AROUND:]

    def _place(self, page: BookPage) -> None:
        """Take the next page without its furniture; one that ends within a word waits for the next with text."""
        text = page.text if page.text is not None and page.text.text else None
        joined = self._release(text) if text is not None else False
        if self._divided or (text is not None and text.text[-1] in AT_END):
            self._divided.append((page, joined))
        else:
            self._put(page, joined=joined)

    def _release(self, following: PageText | None) -> bool:
        """Put down the page that ends within a word and those without text behind it.

        Say whether the word goes on in `following`.
        """
        held, self._divided = self._divided, []
        goes_on = False
        for page, joined in held:
            whole = page
            if page.text is not None and page.text.text and following is not None:
                text = over_page(page.text, following)
                goes_on = text is not None
                whole = replace(page, text=text or page.text)
            self._put(whole, joined=joined)
        return goes_on

    def _put(self, page: BookPage, *, joined: bool) -> None:
        self.frames.append(page.frame)
        self.flags += page.flags
        text = page.text
        if text is None:
            self.damaged = True
            self._hand_on(PagePart("", "", PageLayout(page.frame.number, 0, 0, ())))
            return
        between = ""
        if text.text and self.length and not joined:
            # A paragraph may run over the page's end; a sentence that has ended closes it.
            between = "\n\n" if ends_sentence(self._tail, 0, len(self._tail)) else "\n"
        start = self.length + len(between)
        self.length = start + len(text.text)
        self._tail = text.text[-8:] or self._tail
        self.doubts += [Doubt(start + first, start + last, reason) for first, last, reason in text.doubts]
        if page.affine is not None:
            self.outline.add(
                PageOutline(
                    page.frame.number, start, text.text, page.height, page.affine, text.lines, page.tags
                )
            )
        self._hand_on(PagePart(between, text.text, _handed_on(text.layout)))

    def document(
        self,
        *,
        title: Callable[[str | None, tuple[Heading, ...]], str],
        media_type: str,
        reader: str,
        flags: Sequence[Flag] = (),
        bibliography: Bibliography = NO_BIBLIOGRAPHY,
    ) -> Document:
        """Return the document; where its pages were handed on it has neither text nor layouts.

        `title` makes it of the largest heading on the first page, if there is one, and of all headings; `flags` come
        before those of the pages.
        """
        headings, largest = self.outline.headings()
        text = "".join(part.between + part.text for part in self.parts)
        return Document(
            text=text,
            version=version_of(text) if self.parts else "",
            title=title(largest, headings),
            media_type=media_type,
            reader=reader,
            outline=headings,
            pages=tuple(self.frames),
            layouts=tuple(_placed(self.parts)),
            flags=(*flags, *self.flags),
            bibliography=bibliography,
            doubts=tuple(self.doubts),
        )


def _handed_on(layout: PageLayout) -> PageLayout:
    """Return a layout as it is kept: glyphs, which a page has that OCR read, are packed."""
    return layout if layout.glyphs is None else replace(layout, glyphs=None, packed=pack_layout(layout))


def _placed(parts: Iterable[PagePart]) -> Iterator[PageLayout]:
    """Yield the layouts of pages as they lie in the document."""
    offset = 0
    for part in parts:
        offset += len(part.between)
        layout = part.layout
        lines = tuple(LineFragment(line.start + offset, line.end + offset, line.box) for line in layout.lines)
        yield PageLayout(layout.page, offset, offset + len(part.text), lines, packed=layout.packed)
        offset += len(part.text)
