"""Reading a picture with the models inside of rapidocr's wheel: where its lines stand, then what each says.

Only rapidocr's model files are used, on onnxruntime. Its own steps are not: they load what they miss from the
network, and what they return has no place for a space, no deadline and whole pixels of a resized picture.
"""

from __future__ import annotations

import importlib.util
import time
from dataclasses import dataclass
from math import pi
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import cv2
import numpy as np
import onnxruntime

from pincite.core.errors import MissingExtraError, TimedOutError
from pincite.reading._ocr_lines import OcrLine, fitted, middle_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Pixels = NDArray[np.uint8]

_LOOK_PIXELS = 1_150_000
"""Pixels of the picture in which lines are looked for; what it costs grows with them."""

_MOST_SCALE = 1.5
_STEP = 32
"""The sides of that picture are multiples of this, as its model was built."""

_INKED, _SURE = 0.3, 0.5
"""How likely a pixel belongs to a line at least, and those of a whole line in the mean."""

_GROW = 1.6
"""A line is found shrunk, by its area over its outline times this."""

_MOST_LINES = 3_000
"""Lines of one picture; there is no page with more."""

_HEIGHT, _LEAST_WIDTH, _MOST_WIDTH = 48, 320, 7_680
"""Pixels of a line as its model reads it; a longer one is drawn together."""

_LONG = 2.0
"""Times its height from which on a line's length tells the direction of its writing."""

_ASKED = 4
"""Lines that are read both ways to tell a page that stands on its head."""

_TRUSTED = 0.85
"""Confidence from which on the first way is the right one: a line on its head stays far below."""


_SLANT = 0.7
"""Cosine of about 45 degrees: what is more belongs to an axis."""

_Vector = tuple[float, float]


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A picture in colour and in grey, and until when it must be read."""

    picture: Pixels
    grey: Pixels
    until: float


@dataclass(frozen=True, slots=True)
class _Region:
    """Where a line stands: its middle, the unit vector along its longer side, its length and height, in pixels."""

    x: float
    y: float
    along: _Vector
    length: float
    height: float

    def corners(self, along: _Vector) -> Floats:
        """Return the corners in the order of reading, when the writing goes `along`."""
        ux, uy = along
        length, height = self.length, self.height
        if abs(_dot(along, self.along)) < _SLANT:
            length, height = height, length
        half, down = np.array([ux, uy]) * length / 2, np.array([-uy, ux]) * height / 2
        middle = np.array([self.x, self.y])
        return np.array(
            [middle - half - down, middle + half - down, middle + half + down, middle - half + down]
        )


class OcrModels:
    """The two models, loaded once; they use one thread, as each core has a worker of its own."""

    name = "rapidocr"

    def __init__(self) -> None:
        found = importlib.util.find_spec("rapidocr")
        folder = Path(*(found.submodule_search_locations or ())) / "models" if found else Path()
        finder, reader = _newest(folder, "det"), _newest(folder, "rec")
        if finder is None or reader is None:
            what = "OCR"
            raise MissingExtraError(what, "ocr")
        cv2.setNumThreads(1)
        self._finder, self._reader = _session(finder), _session(reader)
        meta: dict[str, str] = self._reader.get_modelmeta().custom_metadata_map
        # What no character is comes first, the space last.
        self._letters: list[str] = ["", *meta["character"].splitlines(), " "]

    def read(self, picture: Pixels, *, until: float) -> list[OcrLine]:
        """Return the lines of a picture (rows, columns, blue green red), in no order.

        A line that stands there and holds no letter that the models know has no text.

        Raises:
            TimedOutError: it is later than `until`, as `time.monotonic` counts.
        """
        regions = self._regions(picture)
        sheet = _Sheet(picture, cast("Pixels", cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)), until)
        axis = _axis(regions)
        axis, read = self._way(sheet, regions, axis)
        return [
            read[region] if region in read else self._best(sheet, region, _ways(region, axis))
            for region in regions
        ]

    def _way(
        self, sheet: _Sheet, regions: Sequence[_Region], axis: _Vector
    ) -> tuple[_Vector, dict[_Region, OcrLine]]:
        """Return `axis` or its reverse, the way in which the page's writing goes, and the lines read to find out."""
        along = [region for region in regions if abs(_dot(region.along, axis)) > _SLANT]
        asked = sorted(along, key=lambda region: region.length)[-_ASKED:]
        tries: list[tuple[float, _Vector, dict[_Region, OcrLine]]] = []
        for way in (axis, _turned(axis)):
            read = {region: self._best(sheet, region, _ways(region, way)) for region in asked}
            sure = sum(line.confidence for line in read.values()) / max(1, len(read))
            tries.append((sure, way, read))
            if sure >= _TRUSTED:
                break
        _, way, read = max(tries, key=lambda one: one[0])
        return way, read

    def _best(self, sheet: _Sheet, region: _Region, ways: Sequence[_Vector]) -> OcrLine:
        """Return a line as it is read in the best of some directions."""
        return max((self._line(sheet, region.corners(way)) for way in ways), key=_confidence)

    def _regions(self, picture: Pixels) -> list[_Region]:
        height, width = picture.shape[:2]
        scale = min(_MOST_SCALE, (_LOOK_PIXELS / (width * height)) ** 0.5)
        columns, rows = (max(_STEP, round(side * scale / _STEP) * _STEP) for side in (width, height))
        small = cv2.resize(
            picture, (columns, rows), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        )
        likely: NDArray[np.float32] = _run(self._finder, _normal(cast("Pixels", small)))[0, 0]
        mask = cv2.dilate((likely > _INKED).astype(np.uint8), np.ones((2, 2), np.uint8))
        outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        return list(_found(outlines, likely, width / columns, height / rows))[:_MOST_LINES]

    def _line(self, sheet: _Sheet, corners: Floats) -> OcrLine:
        """Return what stands between the corners; its text is empty when nothing is read there."""
        if time.monotonic() > sheet.until:
            msg = "OCR takes longer than is allowed."
            raise TimedOutError(msg)
        width = max(1, round(float(np.linalg.norm(corners[1] - corners[0]))))
        height = max(1, round(float(np.linalg.norm(corners[3] - corners[0]))))
        whole = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        flat = cv2.getPerspectiveTransform(corners.astype(np.float32), whole)

        def cut(source: Pixels) -> Pixels:
            size, edge = (width, height), cv2.BORDER_REPLICATE
            return cast(
                "Pixels", cv2.warpPerspective(source, flat, size, flags=cv2.INTER_LINEAR, borderMode=edge)
            )

        columns = min(_MOST_WIDTH, max(8, round(width * _HEIGHT / height)))
        way = cv2.INTER_AREA if height > _HEIGHT else cv2.INTER_CUBIC
        seen = cv2.resize(cut(sheet.picture), (columns, _HEIGHT), interpolation=way)
        blob = np.zeros((1, 3, _HEIGHT, max(columns, _LEAST_WIDTH)), np.float32)
        blob[:, :, :, :columns] = _normal(cast("Pixels", seen))
        likely = _run(self._reader, blob)[0]
        text, sure, centres = self._spelt(likely, blob.shape[3] / len(likely) * width / columns)
        if not text:
            return OcrLine("", 0.0, corners, np.zeros((0, 2)), float(height))
        return fitted(text, sure, centres, corners, cut(sheet.grey))

    def _spelt(self, likely: NDArray[np.float32], step: float) -> tuple[str, float, Floats]:
        """Return text, mean confidence and the middle of each character; a row of `likely` is `step` pixels wide."""
        best = likely.argmax(1)
        starts = np.flatnonzero(np.concatenate(([True], best[1:] != best[:-1])))
        ends = np.concatenate((starts[1:], [len(best)]))
        kept = best[starts] > 0
        starts, ends = starts[kept], ends[kept]
        letters = [self._letters[index] for index in cast("list[int]", best[starts].tolist())]
        sure = [float(likely[start:end, best[start]].max()) for start, end in zip(starts, ends, strict=True)]
        middles = (starts + ends) / 2 * step
        text = ""
        centres: list[float] = []
        for letter, middle in zip(letters, middles, strict=True):
            # Some entries have more than one code point; a space at the end or after another is none.
            if letter.isspace() and (not text or text[-1] == " "):
                continue
            text += " " if letter.isspace() else letter
            centres += [middle] * len(letter)
        stripped = text.rstrip()
        return stripped, float(np.mean(sure)) if sure else 0.0, np.array(centres[: len(stripped)])


def _newest(folder: Path, kind: str) -> Path | None:
    return max(folder.glob(f"*_{kind}_*.onnx"), default=None)


def _session(path: Path) -> Any:  # noqa: ANN401 - onnxruntime has no types
    runtime = cast("Any", onnxruntime)
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    # Memory goes back after each picture: the next one has another size.
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 4
    return runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _run(session: Any, blob: NDArray[np.float32]) -> NDArray[np.float32]:  # noqa: ANN401 - the same
    return session.run(None, {session.get_inputs()[0].name: blob})[0]


def _normal(picture: Pixels) -> NDArray[np.float32]:
    """Return a picture as the models take it: one, colours, rows, columns, from -1 to 1."""
    return (picture.astype(np.float32) / np.float32(127.5) - np.float32(1)).transpose(2, 0, 1)[np.newaxis]


def _found(
    outlines: Sequence[Any], likely: NDArray[np.float32], wide: float, high: float
) -> Iterator[_Region]:
    """Yield the lines inside of the outlines; `wide` and `high` are pixels of the picture a pixel of `likely`."""
    for outline in outlines:
        (x, y), (one, other), degrees = cv2.minAreaRect(outline)
        if min(one, other) < 3 or _mean(likely, outline) < _SURE:  # noqa: PLR2004 - pixels of a speck
            continue
        grow = one * other * _GROW / (one + other)
        one, other = one + grow, other + grow
        turn = degrees * pi / 180
        if one < other:
            one, other, turn = other, one, turn + pi / 2
        # Along x or down: never from right to left.
        ux, uy = float(np.cos(turn)) * wide, float(np.sin(turn)) * high
        stretch = (ux * ux + uy * uy) ** 0.5
        if (ux, uy) < (0, 0) if abs(ux) >= abs(uy) else uy < 0:
            ux, uy = -ux, -uy
        yield _Region(
            x * wide, y * high, (ux / stretch, uy / stretch), one * stretch, other * wide * high / stretch
        )


def _mean(likely: NDArray[np.float32], outline: Any) -> float:  # noqa: ANN401 - OpenCV's outline
    left, top, width, height = cv2.boundingRect(outline)
    inside = np.zeros((height, width), np.uint8)
    cv2.fillPoly(inside, [outline - np.array([[left, top]])], 1)
    return float(cv2.mean(likely[top : top + height, left : left + width], inside)[0])


def _ways(region: _Region, axis: _Vector) -> list[_Vector]:
    """Return the directions in which a region's line may be written on a page whose writing goes along `axis`."""
    if region.length <= _LONG * region.height:
        return [axis]
    if abs(_dot(region.along, axis)) < _SLANT:
        # Up or down the margin.
        return [region.along, _turned(region.along)]
    return [region.along if _dot(region.along, axis) > 0 else _turned(region.along)]


def _axis(regions: Sequence[_Region]) -> _Vector:
    """Return the unit vector along most of the writing, whichever way it goes."""
    long = [region for region in regions if region.length > _LONG * region.height]
    if not long:
        return 1.0, 0.0
    across = sum(r.length for r in long if abs(r.along[0]) >= abs(r.along[1]))
    flat = 2 * across >= sum(r.length for r in long)
    same = [r for r in long if (abs(r.along[0]) >= abs(r.along[1])) == flat]
    angles = np.array([np.arctan2(r.along[1], r.along[0]) for r in same])
    angle = middle_of(angles, np.array([r.length for r in same]))
    return float(np.cos(angle)), float(np.sin(angle))


def _confidence(line: OcrLine) -> float:
    return line.confidence


def _dot(one: _Vector, other: _Vector) -> float:
    return one[0] * other[0] + one[1] * other[1]


def _turned(way: _Vector) -> _Vector:
    return -way[0], -way[1]
