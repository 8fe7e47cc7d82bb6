"""Measure how 500 PDF pages are read and cut into passages: `python benchmarks/reading.py`.

Speed: the baseline is a child process that opens the same file with pypdfium2, loads each page and its text, and asks
`FPDFText_GetCharBox` for every character. Ours is `ReadingPool.read` of a warm pool, and `chunk`, parent and worker
together. What counts is processor time, which other work on the machine blurs less than the clock; they take turns,
and of each the cheapest turn counts.

Memory: how much more a worker holds at its peak for ten times the pages, and what it holds then.

Together: the time of two documents read at once by two workers, as a multiple of one read alone. This one is of the
clock, so it says nothing while other work runs: how much of the processors that takes is printed beside it.
"""

from __future__ import annotations

import io
import os
import resource
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import pikepdf

from pincite.core.ids import document_id
from pincite.core.limits import DEFAULT
from pincite.reading import ReadingPool, chunk

BAR = 1.5
"""Ours may take this many times the baseline."""

PEAK, GROWTH = 512, 8
"""Megabytes that a worker may hold, and kilobytes that each further page may add."""

TOGETHER = 1.2
"""Two documents at once may take this many times one alone."""

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
    """Print what was measured; return 1 when one of it is over its bar."""
    return max(speed(pages, turns), memory(pages), together(pages, turns))


def speed(pages: int, turns: int) -> int:
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


def memory(pages: int) -> int:
    """Print what a worker holds at its peak for few and for many pages; return 1 when that is over a bar."""
    few, many = (peak(repeated(EXAMPLE, count)) for count in (pages, 10 * pages))
    each = (many - few) / (9 * pages)
    print(
        f"a worker holds {few / 1024:.0f} MB for {pages} pages, {many / 1024:.0f} MB for {10 * pages} (bar {PEAK}): "
        f"{each:.1f} kB more for each page (bar {GROWTH})"
    )
    return int(many > 1024 * PEAK or each > GROWTH)


def peak(data: bytes) -> int:
    """Return the kilobytes that a worker of its own has held at most when it has read `data`."""
    with ReadingPool(replace(DEFAULT, workers=1)) as pool:
        pool.read(EXAMPLE.read_bytes(), name="warm.pdf")
        pool.read(data, name="book.pdf")
        return max(held(process) for process in Path("/proc").glob("[0-9]*"))


def held(process: Path) -> int:
    """Return the kilobytes that a child of this process has held at most, 0 for any other process."""
    try:
        lines = (process / "status").read_text().splitlines()
    except OSError:
        return 0
    told = dict(line.split(":", 1) for line in lines if ":" in line)
    own = int(told.get("PPid", "0")) == os.getpid()
    return int(told.get("VmHWM", "0 kB").split()[0]) if own else 0


def together(pages: int, turns: int) -> int:
    """Print how much longer two documents at once take than one; return 1 when it is over the bar."""
    data = repeated(EXAMPLE, pages)
    alone: list[float] = []
    both: list[float] = []
    load = os.getloadavg()[0]
    with ReadingPool(replace(DEFAULT, workers=2)) as pool, ThreadPoolExecutor(2) as threads:

        def seconds(count: int) -> float:
            start = perf_counter()
            for done in [threads.submit(pool.read, data, name=f"book{at}.pdf") for at in range(count)]:
                done.result()
            return perf_counter() - start

        seconds(2)
        for _ in range(turns):
            alone.append(seconds(1))
            both.append(seconds(2))
    ratio = min(both) / min(alone)
    print(
        f"two documents at once against one alone: {ratio:.2f} (bar {TOGETHER:g}; {os.cpu_count()} processors, "
        f"{load:.1f} busy before)"
    )
    return int(ratio > TOGETHER)


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
