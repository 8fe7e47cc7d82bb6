"""Where words stand on a page of a PDF, by pincite, pdfplumber and PyMuPDF, against poppler and what is known.

Runs in the environment of `make peers` and prints the section of `docs/comparison.md`. PyMuPDF is under the AGPL: it
is named in this folder's requirements alone, and nothing of pincite or its tests imports it.
"""

from __future__ import annotations

import io
import re
import shutil
import sys
import tempfile
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.peers.tables import (
    AbsentError,
    best_in_turns,
    counted,
    named,
    print_list,
    print_table,
    shared,
    times,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Sides = tuple[float, float, float, float]
Words = list[list[Any]]
"""The words of each page, as `pdf_oracles.Placed`: boxes in fractions of the page as it is seen."""

SAME = 0.7
"""Overlap along the writing from which on two boxes are those of one word; readers differ in how tall a font is."""
ROUNDS = 3
TIMED = "pdfplumber__federal-register-2020-17221.pdf"
ROTATIONS = (0, 90, 180, 270)
FRAMES: dict[str, tuple[Sides, Sides | None, float | None]] = {
    "plain": ((0, 0, 280, 240), None, None),
    "cropped": ((0, 0, 400, 400), (70, 110, 350, 350), None),
    "off the origin": ((-50, 90, 230, 330), None, None),
    "off the origin and cropped": ((-100, -100, 500, 500), (-30, 40, 250, 280), None),
    "crop beyond the page": ((10, 20, 290, 260), (-50, -60, 900, 700), None),
    "larger unit": ((0, 0, 280, 240), None, 2.5),
}
TEXT = "Expenses over this amount need the approval of a manager before they arise"


class Page(NamedTuple):
    """Where the words of a page are known to stand, and what kind of page it is."""

    kind: str
    words: list[tuple[str, Sides]]


class Reader(NamedTuple):
    """A package under its name, the settings it was given, and how it reads a file."""

    name: str
    settings: str
    read: Callable[[bytes], Words]


def main() -> int:
    """Print the section; return 3 when poppler or the shared PDFs are absent."""
    pdftotext = shutil.which("pdftotext")
    try:
        folder = shared("pdfs")
    except AbsentError as absent:
        print(absent, file=sys.stderr)
        return 3
    if pdftotext is None:
        print("pdftotext is absent; it comes with poppler", file=sys.stderr)
        return 3
    readers = [
        by_pincite(),
        *(by_pdfplumber(own_boxes=one) for one in (True, False)),
        *(by_pymupdf(own_matrix=one) for one in (True, False)),
    ]
    made, kinds = own_pages()
    found = {reader.name: right_pages(reader, made, kinds) for reader in readers}
    files = [path for path in sorted(folder.glob("*.pdf")) if "password" not in path.name]
    print_table(
        ("Reader", f"Own pages right (of {len(kinds)})", "Kinds of page that it gets wrong"),
        (
            (
                reader.name,
                sum(right for _, right in found[reader.name]),
                counted(sorted({kind for kind, right in found[reader.name] if not right})),
            )
            for reader in readers
        ),
    )
    totals: dict[str, list[str]] = {reader.name: [] for reader in readers}
    for path in files:
        truth = by_poppler(pdftotext, path)
        for reader in readers:
            totals[reader.name].append(agreeing(reader, path.read_bytes(), truth))
    print_table(
        ("File", *(reader.name for reader in readers)),
        (
            (f"`{path.name.partition('__')[2]}`", *(totals[reader.name][index] for reader in readers))
            for index, path in enumerate(files)
        ),
    )
    timed = (folder / TIMED).read_bytes()
    pages = len(readers[0].read(timed))
    clocks = best_in_turns(ROUNDS, *(lambda reader=reader: reader.read(timed) for reader in readers))
    print_table(
        (
            "Reader",
            f"ms a page, all words of `{TIMED.partition('__')[2]}` ({pages} pages)",
            "Against pincite",
        ),
        (
            (reader.name, f"{clock / pages * 1e3:.1f}", times(clock, clocks[0]))
            for reader, clock in zip(readers, clocks, strict=True)
        ),
    )
    print_list("Settings:", (f"{reader.name}: {reader.settings}" for reader in readers))
    return 0


def own_pages() -> tuple[bytes, list[Page]]:
    """Return a document with a page of each kind and rotation, and where its words are."""
    maker: Any = import_module("pdf_maker").PdfMaker()
    kinds: list[str] = []
    for (name, (media, crop, unit)), rotation in product(FRAMES.items(), ROTATIONS):
        page = maker.page(media, crop=crop, rotate=rotation, unit=unit)
        page.paragraph(TEXT, 30, 50, width=170, size=12, font="courier")
        kinds.append(f"{name}, turned {rotation}°" if rotation else name)
    made = maker.save()
    pages = [
        Page(
            kind,
            [
                (word.text, (box.x0, box.y0, box.x1, box.y1))
                for word in made.on_page(number)
                for box in word.boxes
            ],
        )
        for number, kind in enumerate(kinds, 1)
    ]
    return made.data, pages


def right_pages(reader: Reader, data: bytes, pages: Sequence[Page]) -> list[tuple[str, bool]]:
    """Say of each page whether all its words stand where they are known to."""
    oracles: Any = import_module("pdf_oracles")
    said: list[tuple[str, bool]] = []
    for page, words in zip(pages, reader.read(data), strict=True):
        one = oracles.agreement(words, page.words)
        said.append((page.kind, one.theirs == one.shared and all(end >= SAME for end in one.ends)))
    return said


def agreeing(reader: Reader, data: bytes, truth: list[list[tuple[str, Sides]]]) -> str:
    """Return how many of poppler's words stand where poppler has them."""
    oracles: Any = import_module("pdf_oracles")
    placed = asked = 0
    try:
        read = reader.read(data)
    except Exception as error:  # noqa: BLE001 - what a reader raises is what it gives
        return f"raises {type(error).__name__}"
    for theirs, words in zip(truth, read, strict=True):
        one = oracles.agreement(words, theirs)
        placed += sum(end >= SAME for end in one.ends)
        asked += one.theirs
    return f"{placed:,} of {asked:,}"


def by_poppler(pdftotext: str, path: Path) -> list[list[tuple[str, Sides]]]:
    """Return poppler's words; it is given the file with its pages unturned, and the boxes are turned afterwards."""
    oracles: Any = import_module("pdf_oracles")
    pikepdf: Any = import_module("pikepdf")
    with tempfile.TemporaryDirectory() as scratch, pikepdf.open(path) as file:
        turns: list[int] = []
        for page in file.pages:
            turns.append(int(page.get("/Rotate", 0)) % 360)
            page.obj["/Rotate"] = 0
        file.save(Path(scratch) / "flat.pdf")
        flat = oracles.poppler_words(pdftotext, Path(scratch) / "flat.pdf")
    return [
        [(text, oracles.turned(box, turn)) for text, box in words]
        for words, turn in zip(flat, turns, strict=True)
    ]


def by_pincite() -> Reader:
    """Return pincite's reader."""
    own: Any = import_module("pincite")
    pdf: Any = import_module("pincite.reading.pdf")
    oracles: Any = import_module("pdf_oracles")
    pdfium: Any = import_module("pypdfium2")

    def words_of(file: Any, number: int) -> list[Any]:
        text, layout = pdf.page_layout(file, number)
        found: list[Any] = []
        for match in re.finditer(r"\S+", text):
            # A word that is broken at a line's end is one word here, and two of everybody else's.
            begun = layout.start + match.start()
            boxes = layout.boxes(begun, layout.start + match.end())
            letters = list(match.group()) if len(boxes) > 1 else [match.group()]
            lines: list[list[str]] = [[] for _ in boxes]
            for at, letter in enumerate(letters):
                (own,) = (
                    layout.boxes(begun + at, begun + at + 1)[:1] if len(boxes) > 1 else boxes[:1] or (None,)
                )
                for line, box in zip(lines, boxes, strict=True):
                    if own is not None and box.y0 <= (own.y0 + own.y1) / 2 <= box.y1:
                        line.append(letter)
                        break
            for line, box in zip(lines, boxes, strict=True):
                found.append(oracles.Placed("".join(line), ((box.x0, box.y0, box.x1, box.y1),)))
        return found

    def read(data: bytes) -> Words:
        with pdf.open_pdf(data, name="a.pdf") as file:
            count = len(pdfium.PdfDocument(data))
            return [words_of(file, number) for number in range(1, count + 1)]

    return Reader(
        f"**pincite {own.__version__}**",
        f"`open_pdf` and `page_layout`, on {named('pypdfium2')}; a box for each character, then those of the words.",
        read,
    )


def by_pdfplumber(*, own_boxes: bool) -> Reader:
    """Return pdfplumber, with its own box of what is visible or with that box turned here."""
    pdfplumber: Any = import_module("pdfplumber")
    placed: Any = import_module("pdf_oracles").Placed

    def read(data: bytes) -> Words:
        with pdfplumber.open(io.BytesIO(data)) as file:
            found: Words = []
            for page in file.pages:
                left, top, right, bottom = page.cropbox if own_boxes else crop_of(page)
                # What a crop box holds beyond the media box is no part of the page.
                left, top = max(left, page.mediabox[0]), max(top, page.mediabox[1])
                wide = min(right, page.mediabox[2]) - left
                high = min(bottom, page.mediabox[3]) - top
                words: list[Any] = []
                for word in page.extract_words():
                    x0, x1 = (word["x0"] - left) / wide, (word["x1"] - left) / wide
                    y0, y1 = (word["top"] - top) / high, (word["bottom"] - top) / high
                    words.append(placed(word["text"], ((x0, y0, x1, y1),)))
                found.append(words)
            return found

    if own_boxes:
        said = "`extract_words`, as fractions of `page.cropbox` inside of `page.mediabox`."
        return Reader(f"{named('pdfplumber')}, its own boxes", said, read)
    said = "the same, with the crop box taken from the file and turned by the benchmark."
    return Reader(f"{named('pdfplumber')}, turned by us", said, read)


def crop_of(page: Any) -> Sides:
    """Return the crop box of one of pdfplumber's pages where its words are: turned, with the top at the media box's."""
    oracles: Any = import_module("pdf_oracles")
    left, bottom, right, top = page.page_obj.mediabox
    x0, y0, x1, y1 = page.page_obj.cropbox
    wide, high = right - left, top - bottom
    flat = ((x0 - left) / wide, (top - y1) / high, (x1 - left) / wide, (top - y0) / high)
    x0, y0, x1, y1 = oracles.turned(flat, page.rotation)
    first, over, last, under = page.mediabox
    wide, high = last - first, under - over
    return first + x0 * wide, over + y0 * high, first + x1 * wide, over + y1 * high


def by_pymupdf(*, own_matrix: bool) -> Reader:
    """Return PyMuPDF, with its words turned by its own matrix or turned here."""
    pymupdf: Any = import_module("pymupdf")
    oracles: Any = import_module("pdf_oracles")

    def read(data: bytes) -> Words:
        with pymupdf.open(stream=data, filetype="pdf") as file:
            found: Words = []
            for page in file:
                turn, matrix = page.rotation, page.rotation_matrix
                if not own_matrix:
                    page.set_rotation(0)
                wide, high = page.rect.width, page.rect.height
                words: list[Any] = []
                for word in page.get_text("words"):
                    box = pymupdf.Rect(word[:4])
                    if own_matrix:
                        box *= matrix
                    sides = box.x0 / wide, box.y0 / high, box.x1 / wide, box.y1 / high
                    words.append(
                        oracles.Placed(word[4], (sides if own_matrix else oracles.turned(sides, turn),))
                    )
                found.append(words)
            return found

    if own_matrix:
        said = '`get_text("words")` times `rotation_matrix`, as fractions of `page.rect`.'
        return Reader(f"{named('pymupdf')} (AGPL), its own matrix", said, read)
    said = '`get_text("words")` after `set_rotation(0)`, turned by the benchmark.'
    return Reader(f"{named('pymupdf')} (AGPL), turned by us", said, read)


if __name__ == "__main__":
    sys.exit(main())
