"""Reading a picture with Debian's tesseract: a program of its own, asked for words with their boxes (TSV)."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from pincite.core.errors import TimedOutError
from pincite.reading._ocr_lines import OcrLine, loose

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Pixels = NDArray[np.uint8]

_MOST_LANGUAGES = 6
"""Languages that one page is read with: each takes its time."""

_NO_LANGUAGES = ("osd", "equ")
"""What lies among the languages and is none."""

_COLUMNS = 12
"""Fields of a row of the table; the last is the word."""

_TURN = re.compile(rb"^Rotate: (\d+)$", re.MULTILINE)
"""How far a page must be turned, clockwise, to stand upright: linear, one number."""


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    confidence: float
    left: int
    top: int
    right: int
    bottom: int


@dataclass(frozen=True, slots=True)
class Tesseract:
    """The program at `path`, with the languages that are installed, English first."""

    path: str
    languages: tuple[str, ...]
    upright: bool
    name: str = "tesseract"

    @classmethod
    def found(cls) -> Tesseract | None:
        """Return the program on the path, or None when there is none, or no language for it."""
        path = shutil.which("tesseract")
        if path is None:
            return None
        try:
            said = subprocess.run([path, "--list-langs"], capture_output=True, timeout=10, check=False).stdout
        except (OSError, subprocess.SubprocessError):
            return None
        # The first line is a heading.
        names = said.decode("utf-8", "replace").splitlines()[1:]
        known = sorted(
            (n for n in names if n and n not in _NO_LANGUAGES), key=lambda name: (name != "eng", name)
        )
        return cls(path, tuple(known[:_MOST_LANGUAGES]), "osd" in names) if known else None

    def read(self, picture: Pixels, *, until: float) -> list[OcrLine]:
        """Return the lines of a picture (rows, columns, blue green red), in no order.

        Raises:
            TimedOutError: it is later than `until`, as `time.monotonic` counts.
        """
        turns = self._turns(picture, until)
        height, width = picture.shape[:2]
        table = self._run(
            _pixmap(np.rot90(picture, turns)), until, "--psm", "3", "-l", "+".join(self.languages), "tsv"
        )
        lines = [_line(list(words)) for words in _lines(table.decode("utf-8", "replace"))]
        for line in lines:
            line.corners = _turned_back(line.corners, turns, width, height)
        return lines

    def _turns(self, picture: Pixels, until: float) -> int:
        """Return by how many right angles, against the clock, the picture must be turned to stand upright."""
        if not self.upright:
            return 0
        said = _TURN.search(self._run(_pixmap(picture), until, "--psm", "0"))
        return -int(said[1]) // 90 % 4 if said else 0

    def _run(self, pixmap: bytes, until: float, *options: str) -> bytes:
        left = until - time.monotonic()
        try:
            return subprocess.run(
                [self.path, "stdin", "stdout", *options],
                input=pixmap,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=max(0.01, left),
                env={**os.environ, "OMP_THREAD_LIMIT": "1"},
                check=False,
            ).stdout
        except subprocess.TimeoutExpired as error:
            msg = "OCR takes longer than is allowed."
            raise TimedOutError(msg) from error


def _pixmap(picture: Pixels) -> bytes:
    """Return a picture as a portable pixmap."""
    rows, columns = picture.shape[:2]
    return f"P6 {columns} {rows} 255\n".encode() + np.ascontiguousarray(picture[:, :, ::-1]).tobytes()


def _lines(table: str) -> Iterator[Iterator[_Word]]:
    """Yield the words of each line."""
    rows = [row.split("\t") for row in table.splitlines()[1:]]
    words = [row for row in rows if len(row) == _COLUMNS and row[0] == "5" and row[-1].strip()]
    for _, same in groupby(words, key=lambda row: row[1:5]):
        yield (_word(row) for row in same)


def _word(row: Sequence[str]) -> _Word:
    left, top, width, height = (int(value) for value in row[6:10])
    return _Word(row[-1].strip(), float(row[10]) / 100, left, top, left + width, top + height)


def _line(words: Sequence[_Word]) -> OcrLine:
    """Return a line of words, which may rise or fall: their boxes are upright all the same."""
    first, last = words[0], words[-1]
    run = (last.left + last.right - first.left - first.right) / 2
    rise = (last.top + last.bottom - first.top - first.bottom) / 2
    slope = rise / run if len(words) > 1 and run > 0 else 0.0
    # Boxes of the words as they were before the line was turned: less high, each about its own middle.
    tops = [
        w.top + (abs(slope) * (w.right - w.left) - slope * (w.left + w.right - 2 * first.left)) / 2
        for w in words
    ]
    bottoms = [
        w.bottom - (abs(slope) * (w.right - w.left) + slope * (w.left + w.right - 2 * first.left)) / 2
        for w in words
    ]
    text = " ".join(word.text for word in words)
    top = min(tops)
    bottom = max(top + 1, *bottoms)
    up, down, size = loose(text, bottom - top)
    length = max(1.0, float(last.right - first.left))
    corners = np.array(
        [
            [x, y + slope * (x - first.left)]
            for x, y in (
                (first.left, top - up),
                (first.left + length, top - up),
                (first.left + length, bottom + down),
                (first.left, bottom + down),
            )
        ]
    )
    cells: list[tuple[float, float]] = []
    for number, word in enumerate(words):
        if number:
            cells.append((cells[-1][1], cells[-1][1]))
        left, wide = (word.left - first.left) / length, (word.right - word.left) / length
        count = len(word.text)
        cells += [(left + wide * i / count, left + wide * (i + 1) / count) for i in range(count)]
    letters = sum(len(word.text) for word in words)
    sure = sum(word.confidence * len(word.text) for word in words) / letters
    return OcrLine(text, sure, corners, np.array(cells), size)


def _turned_back(corners: Floats, turns: int, width: int, height: int) -> Floats:
    """Return where points of a picture stood before it was turned by right angles against the clock.

    `width` and `height` are those before.
    """
    x, y = corners[:, 0], corners[:, 1]
    places = ((x, y), (width - y, x), (width - x, height - y), (y, height - x))[turns]
    return np.stack(places, 1)
