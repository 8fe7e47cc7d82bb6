"""OCR: the lines of a picture, and what is said of a page that is one.

Two engines make the same lines: the models inside of rapidocr's wheel, and Debian's tesseract where that is installed
and rapidocr is not. Neither is loaded before the first picture comes.
"""

from __future__ import annotations

from contextlib import nullcontext
from functools import cache
from typing import TYPE_CHECKING, Protocol

from pincite.core.errors import EmptyError, MissingExtraError, TimedOutError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    import numpy as np
    from numpy.typing import NDArray

    from pincite.core.document import Flag
    from pincite.core.errors import ReadingError
    from pincite.reading._ocr_lines import OcrLine

    Pixels = NDArray[np.uint8]

MISSING = "a scan: install pincite[ocr] to read it"
"""What is said of a page that is a picture where there is no engine."""

MISSING_PART = "a picture on half of the page: install pincite[ocr] to read what stands in it"
"""The same of a page that has some text beside its picture."""

READ = "read by OCR"
"""What is said of a page that was read from a picture."""

UNSURE = "read by OCR with little confidence"
"""What is said of a page, or of the words, that an engine was not sure of."""

UNKNOWN = "a picture in which OCR finds no words that it can read"
"""What is said of a page of which nothing could be read: a drawing, or a script that the engine does not know."""

LATE = "a scan: OCR of it takes longer than"
"""How begins what is said of a page that took too long."""


class OcrEngine(Protocol):
    """Reads the lines of a picture."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    def read(self, picture: Pixels, *, until: float) -> list[OcrLine]:
        """Return the lines of a picture (rows, columns, blue green red), in any order.

        A line that is seen and cannot be read has no text.

        Raises:
            TimedOutError: it is later than `until`, as `time.monotonic` counts.
        """
        ...


@cache
def engine() -> OcrEngine | None:
    """Return the engine of this process, loaded when it is first asked for, or None when none is installed."""
    try:
        from pincite.reading._ocr_models import OcrModels

        return OcrModels()
    except (ImportError, MissingExtraError):
        from pincite.reading._ocr_tesseract import Tesseract

        return Tesseract.found()


def no_caps(_page: int) -> AbstractContextManager[None]:
    """Enter nothing around the reading of a page: no worker has to raise its caps."""
    return nullcontext()


def no_text(label: str, flags: Sequence[Flag]) -> ReadingError:
    """Return the error of a document, called `label`, without any text, of whose pages `flags` tell."""
    reasons = [flag.reason for flag in flags]
    if any(reason in (MISSING, MISSING_PART) for reason in reasons):
        return EmptyError(
            f"{label} holds pictures of text and no text: pip install 'pincite[ocr]' to read it."
        )
    if any(reason.startswith(LATE) for reason in reasons):
        return TimedOutError(
            f"{label} holds no text but in pictures, and OCR of them takes longer than is allowed."
        )
    if UNKNOWN in reasons:
        return EmptyError(
            f"{label} holds no text, and pictures in which OCR finds no words that it can read."
        )
    return EmptyError(f"{label} holds no text.")
