"""Measure 500 PDF pages read and cut into passages against PDFium's own characters: `python benchmarks/reading.py`.

The baseline is a child process that opens the same file with pypdfium2, loads each page and its text, and asks
`FPDFText_GetCharBox` for every character. Ours is `ReadingPool.read` of a warm pool, and `chunk`, parent and worker
together. What counts is processor time, which other work on the machine blurs less than the clock; they take turns,
and of each the cheapest turn counts.
"""

from __future__ import annotations

import io
import resource
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import pikepdf

from pincite.core.ids import document_id
from pincite.core.limits import DEFAULT
from pincite.reading import ReadingPool, chunk

BAR = 1.5
"""Ours may take this many times the baseline."""

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "handbook.pdf"

COLLECTION = "00000000-0000-4000-8000-000000000000"

BASELINE = """
import ctypes, sys, time
import pypdfium2.raw as pdfium
data = open(sys.argv[1], "rb").read()
start = time.process_time()
document = pdfium.FPDF_LoadMemDocument64(data, len(data), None)
left, right, bottom, top = (ctypes.c_double() for _ in range(4))
count = 0
for number in range(pdfium.FPDF_GetPageCount(document)):
    page = pdfium.FPDF_LoadPage(document, number)
    text = pdfium.FPDFText_LoadPage(page)
    for index in range(pdfium.FPDFText_CountChars(text)):
        pdfium.FPDFText_GetCharBox(text, index, left, right, bottom, top)
        count += 1
    pdfium.FPDFText_ClosePage(text)
    pdfium.FPDF_ClosePage(page)
print(time.process_time() - start, count)
"""


def main(pages: int = 500, turns: int = 3) -> int:
    """Print the seconds of both and their ratio; return 1 when it is over the bar."""
    data = repeated(EXAMPLE, pages)
    theirs: list[float] = []
    ours: list[float] = []
    characters = passages = 0
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "book.pdf"
        file.write_bytes(data)
        for _ in range(turns):
            done = subprocess.run(
                [sys.executable, "-c", BASELINE, str(file)], check=True, capture_output=True, text=True
            )
            seconds, count = done.stdout.split()
            theirs.append(float(seconds))
            characters = int(count)
            warm, _ = cost(None)
            whole, passages = cost(data)
            ours.append(whole - warm)
            print(f"  baseline {theirs[-1]:.2f} s, read and cut {ours[-1]:.2f} s")
    ratio = min(ours) / min(theirs)
    print(
        f"{pages} pages, {characters} characters, {passages} passages, {pages / min(ours):.0f} pages a second"
    )
    print(f"read and cut against PDFium's character boxes: {ratio:.2f} (bar {BAR:g})")
    return int(ratio > BAR)


def cost(data: bytes | None) -> tuple[float, int]:
    """Return the processor seconds of starting and warming a pool, then reading and cutting `data`; its passages."""
    passages = 0
    before = used()
    with ReadingPool(replace(DEFAULT, workers=1)) as pool:
        pool.read(EXAMPLE.read_bytes(), name="warm.pdf")
        if data is not None:
            document = pool.read(data, name="book.pdf")
            passages = len(chunk(document, document_id(COLLECTION, "upload://book.pdf")))
    return used() - before, passages


def used() -> float:
    """Return the processor seconds of this process and of its children that have ended."""
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def repeated(file: Path, pages: int) -> bytes:
    """Return a PDF of `pages` pages: those of `file` again and again."""
    book = pikepdf.Pdf.new()
    with pikepdf.open(file) as source:
        while len(book.pages) < pages:
            book.pages.extend(list(source.pages)[: pages - len(book.pages)])
        out = io.BytesIO()
        book.save(out)
    return out.getvalue()


if __name__ == "__main__":
    sys.exit(main())
