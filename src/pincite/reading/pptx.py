"""PPTX -> Document: what stands on each slide, in the order in which it is read, and what its speaker has noted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pincite.core.document import Flag
from pincite.core.errors import DamagedError, TooLargeError
from pincite.core.locators import Locator
from pincite.core.text import one_line
from pincite.reading._containers import PPTX
from pincite.reading._numbered import by_number
from pincite.reading._ooxml import Package
from pincite.reading._prose import LINE, PARAGRAPH, Prose, check_bytes
from pincite.reading._shapes import Shape, Shapes, in_order
from pincite.reading._zips import open_zip

if TYPE_CHECKING:
    from pincite.core.document import Document
    from pincite.core.limits import Limits
    from pincite.reading._ooxml import Relationship

_NOTES = "Speaker notes: "
"""What stands before the notes of a slide."""
_MOST_NUMBERS = 10
"""Slides that one flag names."""


class PptxReader:
    """Reads the presentations of PowerPoint since 2007, and what others write in that form."""

    name = "pptx"
    version = "1"
    media_types = (
        PPTX,
        "application/vnd.ms-powerpoint.presentation.macroEnabled.12",
        "application/vnd.openxmlformats-officedocument.presentationml.slideshow",
    )
    suffixes = (".pptx", ".pptm", ".ppsx", ".ppsm", ".potx", ".potm")

    def read(self, data: bytes, *, name: str, limits: Limits) -> Document:
        """Return the document in `data`: each slide a region with its number, its title a heading.

        The numbers are those of PowerPoint, which counts hidden slides too. Hidden slides and shapes, and text beside
        the slide, are left out, with a flag; so are dates, footers and slide numbers, without one.

        Raises:
            TooLargeError: the file, what it unpacks to, its slides or its text are over a limit.
            EncryptedError: it needs a password.
            DamagedError: it is no presentation, or not a whole one.
            EmptyError: nothing in it is visible.
        """
        check_bytes(data, name=name, limits=limits)
        package = Package(open_zip(data, name=name, limits=limits), name=name, elements=limits.part_elements)
        prose = Prose(name=name, limits=limits)
        deck = _Deck(package, prose, limits)
        deck.write()
        title, bibliography = package.properties()
        document = prose.document(
            media_type=PPTX,
            reader=f"{self.name}/{self.version}",
            title=title,
            numbered=True,
            bibliography=bibliography,
        )
        flags = (*document.flags, *deck.flags())
        return replace(by_number(document, lambda number: Locator(slide=number)), flags=flags)


class _Deck:
    """The slides of one presentation."""

    def __init__(self, package: Package, prose: Prose, limits: Limits) -> None:
        self._package = package
        self._prose = prose
        self._most = limits.pages
        self._hidden: list[int] = []
        self._beside: list[int] = []
        self._damaged: list[int] = []
        self._shapes = Shapes(package)

    def write(self) -> None:
        """Write all slides.

        Raises:
            TooLargeError: there are more than `limits.pages`.
            DamagedError: it is no presentation, or no slide of it can be read.
        """
        main = self._package.main()
        root = self._package.xml(main)
        if root.tag != "p:presentation":
            msg = f"{self._package.label} is damaged: it holds no presentation."
            raise DamagedError(msg)
        self._shapes.set_size(root.find("p:sldSz"))
        related = self._package.relationships(main)
        slides = [related.get(one.get("r:id", "")) for one in root.iter("p:sldId")]
        if len(slides) > self._most:
            msg = f"{self._package.label} has {len(slides):,} slides; the limit is {self._most:,}."
            raise TooLargeError(msg)
        error: DamagedError | None = None
        for number, slide in enumerate(slides, 1):
            try:
                if slide is not None:
                    self._slide(number, slide)
            except DamagedError as found:
                # One bad slide does not lose the others.
                self._damaged.append(number)
                error = found
        if error is not None and len(self._damaged) == len(slides):
            raise error

    def _slide(self, number: int, slide: Relationship) -> None:
        package = self._package
        root = package.xml(slide.target)
        if root.get("show") in {"0", "false"}:
            self._hidden.append(number)
            return
        related = package.relationships(slide.target)
        found = self._shapes.of_slide(root, related)
        if found.unseen:
            self._beside.append(number)
        title = next((shape for shape in found.shapes if shape.is_title and shape.lines), None)
        rest = [shape for shape in in_order(found.shapes) if shape is not title]
        shapes = rest if title is None else [title, *rest]
        self._prose.gap(PARAGRAPH)
        begun = False
        for shape in shapes:
            begun = self._shape(number, shape, has_title=begun) or begun
        notes = package.first(related, "notesSlide")
        if notes is not None:
            lines = self._shapes.notes(package.xml(notes))
            self._prose.gap(PARAGRAPH)
            if lines:
                self._heading_of_notes(number, has_title=begun)
            self._lines(number, lines)

    def _heading_of_notes(self, number: int, *, has_title: bool) -> None:
        """Mark the notes, and give a slide that has nothing else a heading, so that it stands under no other's."""
        if not has_title:
            self._title(number, f"Slide {number}")
        self._prose.prefix(_NOTES)

    def _title(self, number: int, words: str) -> None:
        self._prose.heading(1)
        self._prose.words(words, number)
        self._prose.end_heading()

    def _shape(self, number: int, shape: Shape, *, has_title: bool) -> bool:
        """Write a shape; the first line of a slide is its heading. Say whether anything was written."""
        lines = shape.lines
        if lines and not has_title:
            if shape.is_title:
                self._title(number, " ".join(" ".join(line.split()) for line in lines))
                return True
            first, *lines = lines
            self._title(number, first)
            has_title = True
        self._prose.gap(PARAGRAPH)
        self._lines(number, lines)
        return has_title

    def _lines(self, number: int, lines: list[str]) -> None:
        for line in lines:
            bare = line.lstrip(" ")
            if len(bare) < len(line):
                self._prose.prefix(line[: len(line) - len(bare)])
            self._prose.words(bare, number)
            self._prose.gap(LINE)
        self._prose.gap(PARAGRAPH)

    def flags(self) -> list[Flag]:
        """Return what a person should know of the slides."""
        return [
            Flag(None, f"{what}: {_listed(numbers)}")
            for what, numbers in (
                ("slides that are damaged were left out", self._damaged),
                ("hidden slides were left out", self._hidden),
                ("text that no one sees on the slide was left out", self._beside),
            )
            if numbers
        ]


def _listed(numbers: list[int]) -> str:
    shown = ", ".join(map(str, numbers[:_MOST_NUMBERS]))
    more = len(numbers) - _MOST_NUMBERS
    return one_line(f"{shown} and {more:,} more" if more > 0 else shown, 200)
