"""Draw the picture of the README with pincite itself: `python tools/make_picture.py`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from pincite.core.layout import boxes_of
from pincite.library import Library, add_paths
from pincite.reading import ReadingPool
from pincite.showing import page_png

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "docs" / "images" / "cited-page.png"
WORDS = "Expenses over 100 EUR require prior approval from your line manager."
PAGE = 4
DPI = 96


def main() -> None:
    """Read the handbook, find the sentence on its page, and write the page with the sentence outlined."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Library.open(Path(folder)) as library,
        ReadingPool() as pool,
    ):
        collection = library.collection("examples")
        (added,) = add_paths(library, collection, [ROOT / "examples" / "handbook.pdf"], pool=pool)
        assert added.document_id is not None
        source = library.source_file(added.document_id)
        kept = library.outlined(added.document_id)
        place = next(one for one in kept.layouts if one.page == PAGE)
        text = kept.text[place.start : place.end]
        layout = pool.layout(source, PAGE, text=text)
        start = " ".join(text.split("\n")).index(WORDS)
        TARGET.parent.mkdir(exist_ok=True)
        boxes = boxes_of([layout], start, start + len(WORDS))
        TARGET.write_bytes(page_png(pool, source, PAGE, boxes, dpi=DPI))
        print(f"{TARGET.relative_to(ROOT)}: {TARGET.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
