"""Draw the pictures of README and docs/ with pincite itself: `make pictures`, or `python tools/make_pictures.py`.

    docs/images/cited-page.png       a page with a sentence outlined (README)
    docs/images/annotated-page.png   a marked copy of a PDF, as a viewer shows it (docs/annotated-pdf.md)
    docs/images/formats/             what a reader sees of each format (docs/formats.md)

`shown.json` among the last holds what the pictures show. It is read out of the example documents of the tests by the
same calls as in docs/previews.md, and a test compares it with what the code gives. Formats without pages are drawn as
cards, in SVG: plain text in boxes, whose widths are those of Helvetica.
"""

from __future__ import annotations

import importlib
import io
import json
import re
import sys
import tempfile
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image

from pincite.core.geometry import Box
from pincite.core.limits import DEFAULT
from pincite.core.refs import RefIssuer
from pincite.core.text_fragments import text_link
from pincite.library import Library, add_paths
from pincite.reading import Mark, ReadingPool
from pincite.reading.pdf import annotated, open_pdf, page_layout, render_page
from pincite.search import open_search
from pincite.showing import (
    DocumentPages,
    ImageOptions,
    chosen_words,
    citation_image,
    highlight_of,
    page_png,
    preview_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
FORMATS = IMAGES / "formats"
SHOWN = FORMATS / "shown.json"
MOST = 80_000
"""Bytes of a picture."""
SENTENCES = (
    "Expenses over 100 EUR require prior approval from your line manager.",
    "Expenses over 1,000 EUR also require the approval of the finance lead.",
)
PAGE = 4
"""Where these stand in examples/handbook.pdf."""

# --- What the code says of each document -------------------------------------------------------------------------


def shown(*, ocr: bool = True, draw: Callable[[str, bytes], object] | None = None) -> list[dict[str, Any]]:
    """Return what a reader sees of each example document; without `ocr`, only of those that need none.

    `draw` is given the name and the PNG of each page image.
    """
    sys.path.insert(0, str(ROOT / "tests"))
    made = importlib.import_module("example_documents").examples()
    wanted = [one for one in made if ocr or not one.ocr]
    found: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder, ReadingPool() as pool:
        home = Path(folder)
        with Library.open(home / "library") as library:
            collection = library.collection("examples")
            for one in wanted:
                (home / one.file).write_bytes(one.data)
            added = add_paths(library, collection, [home / one.file for one in wanted], pool=pool)
            documents = {one.file: one.document_id for one in added}
            search = open_search(library, home)
            search.index.sync()
            for one in wanted:
                document = library.document(documents[one.file] or "")
                row = search.search(
                    one.question,
                    collections=[collection],
                    limit=1,
                    refs=RefIssuer(),
                    documents=[document.document_id],
                ).hits[0]
                passage = library.passage(row.chunk_id)
                pages = DocumentPages(
                    library.outlined(document.document_id), library.source_file(document.document_id), pool
                )
                words = chosen_words(passage.text, question=one.question, best_span=search.best_span)
                lit = highlight_of(passage, words, pages=pages)
                frames = library.frames(document.document_id)
                preview = preview_of(
                    passage,
                    collection=collection.name,
                    collection_id=collection.collection_id,
                    source_uri=document.source_uri or document.source_key,
                    frames=frames,
                    media_type=document.media_type,
                    highlight=lit,
                )
                place = (lit.locator or passage.locator).describe()
                told = {
                    "format": one.kind,
                    "file": one.file,
                    "title": document.title,
                    "question": one.question,
                    "place": place,
                    "passage": passage.locator.describe(),
                    "section": preview.section,
                    "snippet": preview.snippet,
                    "words": lit.text,
                    "has_image": preview.has_image,
                    "link": None,
                }
                if one.address is not None:
                    start = passage.start + lit.start
                    told["link"] = text_link(one.address, pages.document.text, start, passage.start + lit.end)
                found.append(told)
                if preview.has_image and draw is not None:
                    for mode in ("crop",) if one.ocr else ("page", "crop"):
                        image = citation_image(
                            passage,
                            ImageOptions(mode, width=WIDTHS[mode]),
                            renderer=pool,
                            source=pages.source,
                            frames=frames,
                            highlight=lit,
                        )
                        draw(f"{_name(one.file)}-{mode}.png", image.data)
    return found


WIDTHS = {"page": 620, "crop": 760}
"""Pixels of the images of pages."""


def picture_of(told: dict[str, Any]) -> str:
    """Return the name of the card of a document, or of its page image."""
    return f"{_name(told['file'])}.svg" if not told["has_image"] else f"{_name(told['file'])}-crop.png"


def line_of(told: dict[str, Any]) -> str:
    """Return the line of docs/formats.md that shows the picture of a document."""
    words = f"{told['format']}: {told['place']}: “{told['words']}”"
    # In Markdown, what is written between brackets may hold none.
    return f"![{re.sub(r'([][])', '', words)}](images/formats/{picture_of(told)})"


def _name(file: str) -> str:
    return file.replace(".", "-")


# --- Cards -----------------------------------------------------------------------------------------------------

WIDE, MARGIN, INDENT = 760, 22, 96
"""Pixels of a card: its width, the space at its edges, and that of the names of fields in front of what they hold."""
SIZE, LEADING = 15, 23
INK, GREY, GROUND, EDGE, TINT, LINE = "#1f2328", "#656d76", "#ffffff", "#d0d7de", "#fff1a8", "#ce4838"
FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"
# Widths of the characters from space to tilde in Helvetica, in thousandths of the size.
_WIDTHS = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 "
    "584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 "
    "667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 "
    "278 556 500 722 500 500 500 334 260 334 584"
)
_ADVANCE = {chr(32 + place): int(width) for place, width in enumerate(_WIDTHS.split())}
_WORD = re.compile(r"\S+")


def card(told: dict[str, Any]) -> str:
    """Return what a reader sees of a document, as an SVG; all of it is text, escaped."""
    lines: list[str] = []
    y = MARGIN + 14
    kind = str(told["format"])
    pill = _width(kind, 12) + 16
    lines += [
        _text(MARGIN, y, told["title"], 18, weight="bold"),
        f'<rect x="{WIDE - MARGIN - pill:.1f}" y="{y - 15}" width="{pill:.1f}" height="20" rx="10" fill="#eaeef2"/>',
        _text(WIDE - MARGIN - pill + 8, y - 1, kind, 12, colour=GREY),
    ]
    y += 30
    for name in ("place", "section"):
        if told[name]:
            lines += [_text(MARGIN, y, name, 12, colour=GREY), _text(INDENT, y, told[name], 14)]
            y += 24
    lines.append(_text(MARGIN, y, "snippet", 12, colour=GREY))
    for start, end in _wrapped(told["snippet"], WIDE - MARGIN - INDENT, SIZE):
        lines += _line(told, start, end, y)
        y += LEADING
    if told["link"]:
        y += 3
        lines.append(_text(MARGIN, y, "opens", 12, colour=GREY))
        for start, end in _wrapped(told["link"], WIDE - MARGIN - INDENT, 13):
            lines.append(_text(INDENT, y, told["link"][start:end], 13, colour="#0969da"))
            y += 20
    height = y - 2
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDE}" height="{height}" viewBox="0 0 {WIDE} {height}" '
        f'font-family="{FONT}">\n<title>{escape(_alt(told))}</title>\n'
        f'<rect x=".5" y=".5" width="{WIDE - 1}" height="{height - 1}" rx="8" fill="{GROUND}" stroke="{EDGE}"/>\n'
    )
    return head + "\n".join(lines) + "\n</svg>\n"


def _alt(told: dict[str, Any]) -> str:
    return f"{told['format']}: {told['place']}: “{told['words']}”"


def _line(told: dict[str, Any], start: int, end: int, y: float) -> Iterator[str]:
    """Yield a line of the snippet, code points `start` to `end` of it: what is lit on a tint, underlined."""
    text = told["snippet"]
    first = text.find(told["words"].removesuffix("…"))
    last = first + len(told["words"])
    x = float(INDENT)
    for part, lit in (
        (text[start : max(start, min(first, end))], False),
        (text[max(start, first) : min(last, end)], True),
        (text[max(start, min(last, end)) : end], False),
    ):
        if not part:
            continue
        wide = _width(part, SIZE)
        if lit and part.strip():
            bare = _width(part.rstrip(), SIZE)
            yield f'<rect x="{x - 1:.1f}" y="{y - 15}" width="{bare + 2:.1f}" height="20" fill="{TINT}"/>'
            yield f'<rect x="{x - 1:.1f}" y="{y + 4}" width="{bare + 2:.1f}" height="1.5" fill="{LINE}"/>'
        if part.strip():
            before = _width(part[: len(part) - len(part.lstrip())], SIZE)
            yield _text(x + before, y, part.strip(), SIZE)
        x += wide


def _wrapped(text: str, room: float, size: float) -> list[tuple[int, int]]:
    """Return the code points of each line of a text; a word that is too long for one is cut."""
    lines: list[tuple[int, int]] = []
    start = end = 0
    for word in _WORD.finditer(text):
        if end > start and _width(text[start : word.end()], size) > room:
            lines.append((start, end))
            start = word.start()
        end = word.end()
        while _width(text[start:end], size) > room:
            fits = next(at for at in range(end, start, -1) if _width(text[start:at], size) <= room)
            lines.append((start, fits))
            start = fits
    return [*lines, (start, end)]


def _width(text: str, size: float) -> float:
    return sum(_ADVANCE.get(char, 1_000 if ord(char) > 0x2E7F else 556) for char in text) * size / 1_000


def _text(x: float, y: float, text: str, size: float, *, weight: str = "", colour: str = INK) -> str:
    """Return a piece of text that is as wide as it was measured, whatever font is at hand."""
    wide = _width(text, size) * (1.06 if weight else 1)
    bold = f' font-weight="{weight}"' if weight else ""
    return (
        f'<text x="{x:.1f}" y="{y}" font-size="{size}" fill="{colour}"{bold} textLength="{wide:.1f}" '
        f'lengthAdjust="spacingAndGlyphs">{escape(text)}</text>'
    )


# --- Pages -----------------------------------------------------------------------------------------------------


def save(path: Path, data: bytes, *, colours: int = 64) -> None:
    """Write an image as a PNG with a palette.

    Raises:
        ValueError: it is larger than a picture may be.
    """
    image = Image.open(io.BytesIO(data)).convert("RGB")
    path.parent.mkdir(parents=True, exist_ok=True)
    image.quantize(colours).save(path, optimize=True)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1_000:.0f} kB")
    if path.stat().st_size > MOST:
        msg = f"{path.name} is over {MOST // 1_000} kB."
        raise ValueError(msg)


def cited_page() -> bytes:
    """Return the page of the handbook with the first sentence outlined."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Library.open(Path(folder)) as library,
        ReadingPool() as pool,
    ):
        (added,) = add_paths(
            library, library.collection("examples"), [ROOT / "examples" / "handbook.pdf"], pool=pool
        )
        document = added.document_id or ""
        pages = DocumentPages(library.outlined(document), library.source_file(document), pool)
        start, end = _spans(pages.document.text, SENTENCES[:1])[0]
        return page_png(pool, pages.source, PAGE, pages.boxes(start, end), dpi=96)


def annotated_page() -> bytes:
    """Return the part of the page round both sentences, as PDFium shows the copy in which they are marked."""
    data = (ROOT / "examples" / "handbook.pdf").read_bytes()
    with open_pdf(data, name="handbook.pdf") as file:
        text, layout = page_layout(file, PAGE)
    marks = [
        Mark(number, tuple(layout.boxes(*span)), sentence)
        for number, (span, sentence) in enumerate(zip(_spans(text, SENTENCES), SENTENCES, strict=True), 1)
    ]
    boxes = [box for mark in marks for box in mark.boxes]
    around = Box(PAGE, 0.05, min(box.y0 for box in boxes) - 0.06, 0.95, max(box.y1 for box in boxes) + 0.06)
    with open_pdf(annotated(data, marks), name="copy.pdf") as file:
        bitmap = render_page(file, PAGE, dpi=110, crop=around, limits=DEFAULT)
    into = io.BytesIO()
    Image.frombytes(bitmap.mode, (bitmap.width, bitmap.height), bitmap.data).save(into, "PNG")
    return into.getvalue()


def _spans(text: str, sentences: Iterable[str]) -> Sequence[tuple[int, int]]:
    found = [re.search(r"\s+".join(map(re.escape, sentence.split())), text) for sentence in sentences]
    return [one.span() for one in found if one is not None]


def main() -> None:
    """Write all pictures, and what those of the formats show."""
    save(IMAGES / "cited-page.png", cited_page())
    save(IMAGES / "annotated-page.png", annotated_page(), colours=256)
    told = shown(draw=lambda name, data: save(FORMATS / name, data))
    SHOWN.write_text(json.dumps(told, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    for one in told:
        if not one["has_image"]:
            (FORMATS / picture_of(one)).write_text(card(one), encoding="utf-8")
    print("\n".join(map(line_of, told)))


if __name__ == "__main__":
    main()
