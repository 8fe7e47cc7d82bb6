"""Pictures of text with known words and places, drawn with the font inside Pillow, for any test under `tests`."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pincite.core.layout import PageLayout

Sides = tuple[float, float, float, float]

RULES = (
    "Expenses over 250 euro need the approval of the manager,",
    "who signs the form within five working days. A form that is",
    "not answered in that time counts as refused.",
)
"""Some lines of prose."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture, and the words on it with their boxes as fractions: as wide as their ink, as high as a line."""

    image: Image.Image
    words: tuple[tuple[str, Sides], ...]
    text: str

    def turned(self, degrees: float) -> Drawn:
        """Return the picture turned against the clock; right angles turn the paper, others what is on it."""
        right = degrees % 90 == 0
        image = self.image.rotate(
            degrees,
            Image.Resampling.BICUBIC,
            expand=right,
            fillcolor=255 if self.image.mode == "L" else "white",
        )
        angle = np.radians(degrees)
        cos, sin = float(np.cos(angle)), float(np.sin(angle))
        words: list[tuple[str, Sides]] = []
        for word, (x0, y0, x1, y1) in self.words:
            places = [
                ((x - 0.5) * self.image.width, (y - 0.5) * self.image.height)
                for x in (x0, x1)
                for y in (y0, y1)
            ]
            xs = [0.5 + (cos * x + sin * y) / image.width for x, y in places]
            ys = [0.5 + (cos * y - sin * x) / image.height for x, y in places]
            words.append((word, (min(xs), min(ys), max(xs), max(ys))))
        return Drawn(image, tuple(words), self.text)

    def saved(self, kind: str = "PNG", **options: Any) -> bytes:
        """Return the picture's file."""
        file = io.BytesIO()
        self.image.save(file, kind, **options)
        return file.getvalue()

    def pixels(self) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """Return rows, columns and blue green red."""
        return np.ascontiguousarray(np.asarray(self.image.convert("RGB"), np.uint8)[:, :, ::-1])


def drawn(
    columns: Sequence[Sequence[str]] = (RULES,),
    *,
    size: float = 12.0,
    dpi: int = 100,
    left: float = 20.0,
    top: float = 30.0,
    step: float = 250.0,
    width: float = 400.0,
    height: float = 110.0,
    font: str | None = None,
    shift: float = 0.0,
) -> Drawn:
    """Draw columns of lines, `step` points apart, on a page of `width` by `height` points.

    `shift` is by how many points each column stands lower than the one before.
    """
    dots = dpi / 72
    image = Image.new("L", (round(width * dots), round(height * dots)), 255)
    pen = ImageDraw.Draw(image)
    face = ImageFont.truetype(font, size * dots) if font else ImageFont.load_default(size * dots)
    words: list[tuple[str, Sides]] = []
    for number, lines in enumerate(columns):
        x = left + number * step
        for index, line in enumerate(lines):
            base = top + index * size * 1.5 + number * shift
            pen.text((x * dots, base * dots), line, fill=0, font=face, anchor="ls")
            for found in re.finditer(r"\S+", line):
                start = x * dots + pen.textlength(line[: found.start()], font=face)
                ink = pen.textbbox((start, base * dots), found.group(), font=face, anchor="ls")
                words.append(
                    (
                        found.group(),
                        (
                            ink[0] / image.width,
                            (base - 0.8 * size) / height,
                            ink[2] / image.width,
                            (base + 0.2 * size) / height,
                        ),
                    )
                )
    return Drawn(image, tuple(words), "\n".join(line for lines in columns for line in lines))


def overlap(one: Sides, other: Sides) -> float:
    """Return the intersection of two boxes over their union."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    if across <= 0 or down <= 0:
        return 0.0
    areas = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other))
    return across * down / (areas - across * down)


def word_boxes(text: str, layout: PageLayout) -> list[tuple[str, Sides]]:
    """Return the words of a page's text that stand on one line, with the boxes around their glyphs."""
    found: list[tuple[str, Sides]] = []
    for match in re.finditer(r"\S+", text):
        boxes = layout.boxes(match.start(), match.end())
        if len(boxes) == 1:
            found.append((match.group(), (boxes[0].x0, boxes[0].y0, boxes[0].x1, boxes[0].y1)))
    return found


def placed_share(truth: Iterable[tuple[str, Sides]], found: Sequence[tuple[str, Sides]]) -> float:
    """Return the share of the words whose box is found with an overlap of 0.6 at least, under their own name."""
    shares = [
        max((overlap(box, place) for other, place in found if other == word), default=0.0) >= 0.6
        for word, box in truth
    ]
    return sum(shares) / len(shares)
