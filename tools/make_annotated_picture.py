"""Draw the picture of `docs/annotated-pdf.md` with pincite itself: `python tools/make_annotated_picture.py`."""

from __future__ import annotations

import re
from pathlib import Path

from PIL import Image

from pincite.core.geometry import Box
from pincite.core.limits import DEFAULT
from pincite.reading import Mark
from pincite.reading.pdf import annotated, open_pdf, page_layout, render_page

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "docs" / "images" / "annotated-page.png"
SENTENCES = (
    "Expenses over 100 EUR require prior approval from your line manager.",
    "Expenses over 1,000 EUR also require the approval of the finance lead.",
)
PAGE = 4
DPI = 110


def main() -> None:
    """Mark two sentences of the handbook, and write the part of the page round them as PDFium shows the copy."""
    data = (ROOT / "examples" / "handbook.pdf").read_bytes()
    with open_pdf(data, name="handbook.pdf") as file:
        text, layout = page_layout(file, PAGE)
    marks: list[Mark] = []
    for sentence in SENTENCES:
        found = re.search(r"\s+".join(map(re.escape, sentence.split())), text)
        if found is not None:
            marks.append(Mark(len(marks) + 1, tuple(layout.boxes(*found.span())), sentence))
    assert marks
    boxes = [box for mark in marks for box in mark.boxes]
    around = Box(PAGE, 0.05, min(box.y0 for box in boxes) - 0.06, 0.95, max(box.y1 for box in boxes) + 0.06)
    with open_pdf(annotated(data, marks), name="copy.pdf") as file:
        bitmap = render_page(file, PAGE, dpi=DPI, crop=around, limits=DEFAULT)
    image = Image.frombytes(bitmap.mode, (bitmap.width, bitmap.height), bitmap.data)
    TARGET.parent.mkdir(exist_ok=True)
    image.quantize(256).save(TARGET, optimize=True)
    print(f"{TARGET.relative_to(ROOT)}: {TARGET.stat().st_size // 1000} kB, {len(marks)} marks")


if __name__ == "__main__":
    main()
