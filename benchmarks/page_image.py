"""What outlining costs: a page as PNG with its boxes, beside drawing and encoding the same page plain.

The baseline renders the page in this process with the document open and encodes it at the same level; ours asks a
warm reading worker for the pixels, tints, outlines and encodes. Both take turns, so other load falls on both alike.
"""

from __future__ import annotations

import hashlib
import io
import time
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium

from pincite.core.geometry import Box
from pincite.core.protocols import SourceFile
from pincite.reading import ReadingPool
from pincite.showing import page_png
from pincite.showing.page_image import PNG_LEVEL

HANDBOOK = Path(__file__).resolve().parent.parent / "examples" / "handbook.pdf"
PAGE = 4
DPI = 150
RUNS = 40
BAR = 1.3
BOXES = [Box(PAGE, 0.42, 0.179, 0.86, 0.1955), Box(PAGE, 0.121, 0.196, 0.77, 0.2125)]


def main() -> None:
    """Print both times, and their ratio beside its bar: the best of many runs, which other load disturbs least."""
    content_hash = hashlib.sha256(HANDBOOK.read_bytes()).hexdigest()
    source = SourceFile(HANDBOOK, "application/pdf", content_hash)
    document = pdfium.PdfDocument(str(HANDBOOK))
    plain: list[float] = []
    ours: list[float] = []
    bare = png = b""
    with ReadingPool() as pool:
        for _ in range(RUNS):
            start = time.perf_counter()
            bare = _plain_png(document)
            middle = time.perf_counter()
            png = page_png(pool, source, PAGE, BOXES, dpi=DPI)
            plain.append(middle - start)
            ours.append(time.perf_counter() - middle)
    document.close()
    low, high = min(plain), min(ours)
    print(f"plain page      {low * 1000:6.1f} ms, {len(bare) // 1000} kB")
    print(f"outlined page   {high * 1000:6.1f} ms, {len(png) // 1000} kB")
    print(f"outlined page beside the plain one {high / low:.2f} (bar {BAR})")


def _plain_png(document: Any) -> bytes:
    out = io.BytesIO()
    page = document[PAGE - 1]
    page.render(scale=DPI / 72).to_pil().save(out, "PNG", compress_level=PNG_LEVEL)
    page.close()
    return out.getvalue()


if __name__ == "__main__":
    main()
