"""What outlining costs: a page as PNG with its boxes, beside drawing and encoding the same page plain.

The baseline renders the page in this process with the document open and encodes it at the same level; ours is all that
stands behind the route: a warm reading worker gives the pixels, which are tinted, outlined and encoded. Both take
turns, so other load falls on both alike. Then what it costs to ask again, and other formats and sizes.
"""

from __future__ import annotations

import hashlib
import io
import time
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium

from pincite.core.geometry import Box, PageFrame
from pincite.core.locators import Locator
from pincite.core.passage import Passage
from pincite.core.protocols import SourceFile
from pincite.reading import ReadingPool
from pincite.showing import CitationImage, ImageCache, ImageOptions, Viewer, citation_image
from pincite.showing.page_image import PNG_LEVEL

HANDBOOK = Path(__file__).resolve().parent.parent / "examples" / "handbook.pdf"
PAGE = 4
DPI = 150
RUNS = 40
BAR, CACHED_MS = 1.3, 5.0
BOXES = (Box(PAGE, 0.42, 0.179, 0.86, 0.1955), Box(PAGE, 0.121, 0.196, 0.77, 0.2125))
PASSAGE = Passage("chunk", "document", "version", 0, 8, "Expenses", locator=Locator(page=PAGE), boxes=BOXES)
FRAMES = (PageFrame(PAGE, 595.276, 841.89),)
VIEWER = Viewer("local", "benchmark")
OTHERS = {
    "a crop": ImageOptions("crop"),
    "800 pixels wide": ImageOptions(width=800),
    "as WebP": ImageOptions(format="webp"),
    "as JPEG": ImageOptions(format="jpeg"),
}


def main() -> None:
    """Print both times, and their ratio beside its bar: the best of many runs, which other load disturbs least."""
    content_hash = hashlib.sha256(HANDBOOK.read_bytes()).hexdigest()
    source = SourceFile(HANDBOOK, "application/pdf", content_hash)
    document = pdfium.PdfDocument(str(HANDBOOK))
    plain: list[float] = []
    ours: list[float] = []
    kept: list[float] = []
    others: dict[str, list[float]] = {name: [] for name in OTHERS}
    sizes: dict[str, int] = {}
    bare = b""
    cache = ImageCache()
    with ReadingPool() as pool:

        def image(options: ImageOptions | None = None, cache: ImageCache | None = None) -> CitationImage:
            return citation_image(
                PASSAGE, options, renderer=pool, source=source, frames=FRAMES, viewer=VIEWER, cache=cache
            )

        image(cache=cache)
        for _ in range(RUNS):
            start = time.perf_counter()
            bare = _plain_png(document)
            plain.append(time.perf_counter() - start)
            start = time.perf_counter()
            sizes[""] = len(image().data)
            ours.append(time.perf_counter() - start)
            start = time.perf_counter()
            image(cache=cache)
            kept.append(time.perf_counter() - start)
            for name, options in OTHERS.items():
                start = time.perf_counter()
                sizes[name] = len(image(options).data)
                others[name].append(time.perf_counter() - start)
    document.close()
    low, high = min(plain), min(ours)
    print(f"plain page      {low * 1000:6.1f} ms, {len(bare) // 1000} kB")
    print(f"outlined page   {high * 1000:6.1f} ms, {sizes[''] // 1000} kB")
    for name, times in others.items():
        print(f"{name:<15} {min(times) * 1000:6.1f} ms, {sizes[name] // 1000} kB")
    print(f"outlined page beside the plain one {high / low:.2f} (bar {BAR})")
    print(f"a page that is kept, the longest of {RUNS}: {max(kept) * 1000:.2f} ms (bar {CACHED_MS:g})")


def _plain_png(document: Any) -> bytes:
    out = io.BytesIO()
    page = document[PAGE - 1]
    page.render(scale=DPI / 72).to_pil().save(out, "PNG", compress_level=PNG_LEVEL)
    page.close()
    return out.getvalue()


if __name__ == "__main__":
    main()
