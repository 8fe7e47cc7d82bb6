"""Where things stand on a page: fractions 0..1 of the page as the reader sees it, origin top left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pincite.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on page `page` (1 is the first); the corners are fractions of the visible, rotated page."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float

    def as_dict(self) -> dict[str, float]:
        """Return the box as the preview's JSON holds it, rounded to 1/100,000 of the page."""
        return {
            "page": self.page,
            "x0": round(self.x0, 5),
            "y0": round(self.y0, 5),
            "x1": round(self.x1, 5),
            "y1": round(self.y1, 5),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Box:
        """Build a box from what `as_dict` made."""
        return cls(int(data["page"]), *(float(data[name]) for name in ("x0", "y0", "x1", "y1")))

    def clamped(self) -> Box | None:
        """Return the part that lies on the page, or None when nothing does."""
        x0, y0 = max(0.0, self.x0), max(0.0, self.y0)
        x1, y1 = min(1.0, self.x1), min(1.0, self.y1)
        return Box(self.page, x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None

    def union(self, other: Box) -> Box:
        """Return the smallest box over both.

        Raises:
            InputError: the two stand on different pages.
        """
        if self.page != other.page:
            msg = "Boxes on two pages have no union."
            raise InputError(msg, field="page")
        return Box(
            self.page,
            min(self.x0, other.x0),
            min(self.y0, other.y0),
            max(self.x1, other.x1),
            max(self.y1, other.y1),
        )


@dataclass(frozen=True, slots=True)
class PageFrame:
    """A page as the reader sees it: size in points after rotation, degrees clockwise, the printed label.

    `ocr` says that its text was read from a picture.
    """

    number: int
    width: float
    height: float
    rotation: int = 0
    label: str | None = None
    ocr: bool = False


@dataclass(frozen=True, slots=True)
class Affine:
    """The map (x, y) -> (a x + c y + e, b x + d y + f)."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    def apply(self, x: float, y: float) -> tuple[float, float]:
        """Return the image of a point."""
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def box(self, page: int, left: float, bottom: float, right: float, top: float) -> Box:
        """Return the upright box around the image of a rectangle: all four corners count."""
        corners = [self.apply(x, y) for x in (left, right) for y in (bottom, top)]
        xs, ys = zip(*corners, strict=True)
        return Box(page, min(xs), min(ys), max(xs), max(ys))


def outline_of(boxes: Iterable[Box]) -> Box | None:
    """Return the smallest box around boxes of one page, or None for none."""
    whole: Box | None = None
    for box in boxes:
        whole = box if whole is None else whole.union(box)
    return whole
