"""What is to be marked in a copy of a document."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import cast

from pincite.core.errors import InputError
from pincite.core.geometry import Box
from pincite.core.given import items_of, of_kind


@dataclass(frozen=True, slots=True)
class Mark:
    """A citation in a document: its number in the answer (1 and up), the cited words, and the boxes of their lines.

    The boxes may stand on several pages. `title` is what a viewer shows over the words, `[number]` when it is empty.
    """

    number: int
    boxes: tuple[Box, ...]
    text: str = ""
    title: str = ""


def checked_marks(marks: object, most: int) -> tuple[Mark, ...]:
    """Return the marks when they can be used.

    Raises:
        InputError: they are not several `Mark` with whole numbers from 1, text and boxes; or more than `most`.
    """
    what = "a list of `Mark`"
    used = tuple(of_kind(mark, Mark, "marks", what) for mark in items_of(marks, "marks", what))
    if not used:
        msg = "There is nothing to mark."
        raise InputError(msg, field="marks")
    if len(used) > most:
        msg = f"{len(used)} marks are more than the {most} that one document may get."
        raise InputError(msg, field="marks")
    for mark in used:
        if (
            isinstance(mark.number, bool)
            or of_kind(mark.number, int, "marks", "numbered by whole numbers") < 1
        ):
            msg = "A mark has a whole number from 1 on."
            raise InputError(msg, field="marks")
        of_kind(mark.text, str, "marks", "the cited words as text")
        of_kind(mark.title, str, "marks", "titled by text")
        boxes = [
            of_kind(box, Box, "marks", "placed by `Box`")
            for box in items_of(mark.boxes, "marks", "placed by boxes")
        ]
        if not boxes:
            msg = f"Mark {mark.number} has no place on a page."
            raise InputError(msg, field="marks")
        if not all(map(_is_place, boxes)):
            msg = f"Mark {mark.number} has a box whose page or sides are no numbers."
            raise InputError(msg, field="marks")
    return used


def _is_place(box: Box) -> bool:
    """Say whether the page of a box is a whole number and its sides are numbers."""
    page, *sides = cast("tuple[object, ...]", (box.page, box.x0, box.y0, box.x1, box.y1))
    if not isinstance(page, int) or isinstance(page, bool):
        return False
    return all(isinstance(side, int | float) and isfinite(side) for side in sides)
