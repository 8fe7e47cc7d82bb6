"""A copy of a PDF with cited words highlighted and numbered: `pincite show REF... --annotate`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pincite.core.errors import InputError, RenderError
from pincite.core.files import refusal_of
from pincite.core.text import one_line
from pincite.reading.reader import short_type
from pincite.showing.preview import PDF

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pincite.cli.lighting import Lit
    from pincite.cli.output import Output
    from pincite.cli.workspace import Workspace
    from pincite.reading import Mark

# Code points of a title, and of the words of a mark, in a line.
_TITLE, _WORDS = 200, 80


@dataclass(frozen=True, slots=True)
class Copy:
    """Where a marked copy was written, and the marks in it."""

    document_id: str
    title: str
    path: Path
    marks: tuple[Mark, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return what `--json` prints."""
        return {
            "document_id": self.document_id,
            "title": self.title,
            "annotated": str(self.path),
            "marks": [
                {"number": mark.number, "text": mark.text, "boxes": [box.as_dict() for box in mark.boxes]}
                for mark in self.marks
            ],
        }

    def say(self, output: Output) -> None:
        """Tell it to a person."""
        for mark in self.marks:
            pages = dict.fromkeys(box.page for box in mark.boxes)
            place = "page " + ", ".join(map(str, pages))
            output.say(f"[{mark.number}] {place}: {one_line(mark.text, _WORDS)}")
        output.say()
        output.say(f"annotated copy of {one_line(self.title, _TITLE)}: {self.path}")


def annotated_copy(work: Workspace, lit: Sequence[Lit], path: Path) -> Copy:
    """Write a copy of the document of all of `lit`, its words numbered from 1 on in their order, and tell of it.

    Raises:
        InputError: they are of several documents or versions, or the file cannot be written.
        RenderError: one has no place on a page.
        ReadingError: no copy of the document can be made.
    """
    from pincite.reading import Mark

    files = dict.fromkeys((one.passage.document_id, one.passage.version) for one in lit)
    if len(files) > 1:
        msg = f"The refs stand in {len(files)} documents or versions; a copy is made of one."
        raise InputError(msg, field="ref")
    document_id, version = next(iter(files))
    media_type = work.library.document(document_id).media_type
    if media_type != PDF:
        msg = f"A marked copy is made of a PDF; this document is {short_type(media_type)}."
        raise RenderError(msg, field="annotate")
    for number, one in enumerate(lit, 1):
        if not one.has_image or not one.highlight.boxes:
            msg = f"Passage {number} of {len(lit)} has no place on the page of a PDF."
            raise RenderError(msg, field="annotate")
    title = work.library.document(document_id).title
    marks = tuple(
        Mark(
            number,
            one.highlight.boxes,
            one.passage.text[one.highlight.start : one.highlight.end],
            one_line(title, work.limits.title_code_points),
        )
        for number, one in enumerate(lit, 1)
    )
    data = work.pool.annotate(work.library.source_file(document_id, version), marks)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        msg = f"The copy cannot be written: {refusal_of(error)}."
        raise InputError(msg, field="annotate") from error
    return Copy(document_id, title, path, marks)
