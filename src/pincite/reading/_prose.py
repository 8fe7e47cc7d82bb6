"""Readable text, written line by line by the readers of marked-up formats."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from pathlib import PurePath
from typing import TYPE_CHECKING

from pincite.core.bibliography import NO_BIBLIOGRAPHY, Bibliography
from pincite.core.document import Document, Flag, Heading, Region
from pincite.core.errors import EmptyError, TooLargeError
from pincite.core.ids import version_of
from pincite.core.locators import Locator
from pincite.core.text import normalise, one_line, words
from pincite.reading._regions import Regions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.core.limits import Limits

LINE, PARAGRAPH = 1, 2
"""Line ends of a new line, and of a new paragraph."""

UNSEEN = "text that a reader does not see was left out"
"""The reason of the flag for hidden text."""

_SOFT_HYPHEN = "\u00ad"


@dataclass(slots=True)
class _Row:
    """A table row while it is written: has it a cell, has it words, did a cell break it into lines."""

    begun: bool = False
    written: bool = False
    broken: bool = False


class Prose:
    """Collects words, lines and headings; white space is collapsed, breaks never pile up.

    A heading and a table cell keep to their line: in them a break is a space, or nothing at their edge.
    """

    def __init__(self, *, name: str, limits: Limits) -> None:
        self._name = name
        self._limits = limits
        self._lines: list[str] = []
        self._numbers: list[int] = []
        self._line: list[str] = []
        self._length = 0
        self._gap = 0
        self._space = False
        self._prefix = ""
        self._bars = 0
        self._rows: list[_Row] = []
        self._cell_open = False
        self._heading: tuple[int, int] | None = None
        self._outline: list[tuple[str, int, int]] = []
        # The label of the page that begins with the next words, those that began in this line, by the piece of it,
        # and in lines before, by line and code point of it.
        self._page: str | None = None
        self._pages_here: list[tuple[int, str]] = []
        self._pages: list[tuple[int, int, str]] = []
        self.hidden = False

    def words(self, text: str, number: int = 0) -> None:
        """Write running text; `number` is its line in the file, 0 where lines mean nothing."""
        words = text.replace(_SOFT_HYPHEN, "").split()
        if not words:
            self._space = self._space or text != ""
            return
        self._write(" ".join(words), number, spaced=text[0].isspace())
        self._space = text[-1].isspace()

    def verbatim(self, text: str, number: int = 0) -> None:
        """Write text with its spaces and line ends, as code has it; several empty lines become one."""
        lines = text.replace("\r", "\n").split("\n")
        for index, line in enumerate(lines):
            if index:
                self.gap(LINE)
            if line.strip():
                self._write(line, number and number + index, spaced=False)
            elif 0 < index < len(lines) - 1:
                self.gap(PARAGRAPH)

    def page(self, label: str) -> None:
        """Begin a printed page with the next words; an empty label says that it is not known."""
        self._page = label

    def gap(self, line_ends: int) -> None:
        """End the line (`LINE`) or the paragraph (`PARAGRAPH`), once something follows."""
        if self._heading is not None:
            self._space = True
        elif not self._cell_open:
            self._gap = max(self._gap, line_ends)
            self._space = False

    def prefix(self, text: str) -> None:
        """Put `text` before the next words, at the beginning of their line; empty takes it back."""
        self._prefix = text

    def heading(self, level: int) -> None:
        """Begin a heading."""
        self.end_heading()
        self.gap(PARAGRAPH)
        self._heading = (level, -1)

    def end_heading(self) -> None:
        """End the heading, if one is open; one without words is none."""
        if self._heading is None:
            return
        level, first = self._heading
        self._heading = None
        if first >= 0:
            title = one_line("".join(self._line[first:]), self._limits.title_code_points)
            if title:
                self._outline.append((title, level, len(self._lines)))
        self.gap(PARAGRAPH)

    def row(self) -> None:
        """Begin a table row; one inside another row's cell breaks that row into lines."""
        if self._rows:
            self._rows[-1].broken = True
            self._cell_open = False
        self.gap(LINE)
        self._rows.append(_Row())

    def cell(self) -> None:
        """Begin a cell: after the row's first, and while the row stands on one line, behind a bar."""
        row = self._rows[-1] if self._rows else None
        if row is None or row.broken:
            self._cell_open = False
            self.gap(PARAGRAPH)
            return
        if row.begun:
            self._bars += 1
        if row.written:
            self._gap = 0
        row.begun = self._cell_open = True
        self._space = False

    def end_row(self) -> None:
        """End a table row."""
        self._bars = 0
        self._cell_open = False
        if self._rows and not self._rows.pop().broken:
            self._gap = LINE
        self.gap(LINE)

    def _write(self, text: str, number: int, *, spaced: bool) -> None:
        spaced = (spaced or self._space) and not self._gap
        if self._gap and self._line:
            self._begin_line(number)
        if not self._line:
            self._numbers.append(number)
            self._line += [self._prefix] if self._prefix else []
            self._line += ["| " * self._bars] if self._bars else []
        elif self._bars:
            self._line.append(" |" * self._bars + " ")
        elif spaced:
            self._line.append(" ")
        if self._page is not None:
            self._pages_here.append((len(self._line), self._page))
            self._page = None
        if self._heading is not None and self._heading[1] < 0:
            self._heading = (self._heading[0], len(self._line))
        self._line.append(text)
        if self._rows:
            self._rows[-1].written = True
        self._prefix, self._bars, self._gap, self._space, self._cell_open = "", 0, 0, False, False
        self._length += len(text) + 1
        if self._length > self._limits.document_code_points:
            raise too_large_text(self._name, self._limits)

    def _begin_line(self, number: int) -> None:
        self._end_line()
        if self._gap == PARAGRAPH:
            self._lines.append("")
            self._numbers.append(number)
        if self._rows:
            self._rows[-1].broken = self._rows[-1].written

    def _end_line(self) -> None:
        if self._pages_here:
            starts = [0, *accumulate(map(len, self._line))]
            self._pages += ((len(self._lines), starts[piece], label) for piece, label in self._pages_here)
            self._pages_here = []
        self._lines.append("".join(self._line).rstrip())
        self._line = []

    def document(
        self,
        *,
        media_type: str,
        reader: str,
        numbered: bool,
        title: str | None = None,
        otherwise: str | None = None,
        bibliography: Bibliography = NO_BIBLIOGRAPHY,
        url: str | None = None,
    ) -> Document:
        """Return what was written.

        `title` goes before the heading of level 1, that before `otherwise`, that before the file's name; but where
        there are several such headings, or one is but the end of `otherwise`, that goes first. `numbered` says that
        `words` and `verbatim` were given lines.

        Raises:
            EmptyError: nothing visible was written.
            TooLargeError: it is longer than the limit.
        """
        self.end_heading()
        if self._line:
            self._end_line()
        # Each line by itself: nothing composes over a line end, so that lines keep their numbers.
        lines = [normalise(line) for line in self._lines]
        starts = [0, *accumulate(len(line) + 1 for line in lines)]
        outline = tuple(Heading(words, level, starts[line]) for words, level, line in self._outline)
        text = "\n".join(lines)
        return made(
            text,
            name=self._name,
            title=title or _first(outline, one_line(otherwise or "", self._limits.title_code_points)),
            media_type=media_type,
            reader=reader,
            limits=self._limits,
            outline=outline,
            flags=(Flag(None, UNSEEN),) if self.hidden else (),
            line_numbers=tuple(self._numbers) if numbered else (),
            bibliography=bibliography,
            regions=self._regions(lines, starts, len(text)),
            url=url,
        )

    def _regions(self, lines: list[str], starts: list[int], length: int) -> tuple[Region, ...]:
        """Return the printed pages, none where no page is marked; what stands before the first has no label."""
        if not self._pages:
            return ()
        # Of pages that are too many to be kept, several have the label of the first.
        regions: Regions[str] = Regions(lambda one, _: one)
        regions.add(0, "")
        for line, place, label in self._pages:
            regions.add(starts[line] + min(place, len(lines[line])), label)
        return regions.regions(length, lambda label: Locator(page_label=label or None))


def _first(outline: Sequence[Heading], otherwise: str) -> str:
    """Return what a document is called: its heading of level 1, or `otherwise` where that is said to be fuller."""
    heads = [heading.title for heading in outline if heading.level == 1]
    if not heads or (otherwise and len(set(heads)) > 1):
        return otherwise or next(iter(heads), "")
    end = " ".join(words(otherwise)[-len(words(heads[0])) :])
    return (
        otherwise
        if len(words(otherwise)) > len(words(heads[0])) and end == " ".join(words(heads[0]))
        else heads[0]
    )


def made(  # noqa: PLR0913 - the fields of a document
    text: str,
    *,
    name: str,
    title: str | None,
    media_type: str,
    reader: str,
    limits: Limits,
    outline: Sequence[Heading] = (),
    flags: Sequence[Flag] = (),
    line_numbers: tuple[int, ...] | None = None,
    bibliography: Bibliography = NO_BIBLIOGRAPHY,
    regions: Sequence[Region] = (),
    url: str | None = None,
) -> Document:
    """Return the document of `text`, which is in normal form; without a title, the file's name gives it.

    Raises:
        EmptyError: nothing in it is visible.
        TooLargeError: it is longer than the limit.
    """
    if len(text) > limits.document_code_points:
        raise too_large_text(name, limits)
    if not any(character.isprintable() and not character.isspace() for character in text):
        msg = f"{one_line(name, 120)} holds no text."
        raise EmptyError(msg)
    stem = PurePath(name.replace("\\", "/")).stem
    return Document(
        text=text,
        version=version_of(text),
        title=one_line(title or "", limits.title_code_points) or one_line(stem, limits.title_code_points),
        media_type=media_type,
        reader=reader,
        outline=tuple(outline),
        flags=tuple(flags),
        line_numbers=line_numbers,
        bibliography=bibliography,
        regions=tuple(regions),
        url=url,
    )


def check_bytes(data: bytes, *, name: str, limits: Limits) -> None:
    """Refuse a file over the limit.

    Raises:
        TooLargeError: it is.
    """
    if len(data) > limits.file_bytes:
        msg = f"{one_line(name, 120)} has {len(data):,} bytes; the limit is {limits.file_bytes:,}."
        raise TooLargeError(msg)


def too_large_text(name: str, limits: Limits) -> TooLargeError:
    """Return the error of a document whose text is over the limit."""
    limit = limits.document_code_points
    return TooLargeError(f"{one_line(name, 120)} holds more than {limit:,} characters of text, the limit.")
