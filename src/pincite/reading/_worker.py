"""A reading worker: `python -m pincite.reading._worker`, started and watched by `reading.guard`.

It reads files that may be hostile. Address space and processor time are capped before the first one comes,
its output is a private copy of standard output so that no library can write into it, and it ends with its parent.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import threading
from contextlib import contextmanager, suppress
from dataclasses import fields
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.core.errors import MissingExtraError, PinciteError, ReadingError, RenderError
from pincite.core.files import read_bytes
from pincite.core.geometry import Box
from pincite.core.limits import Limits
from pincite.core.text import one_line
from pincite.reading._wire import WireError, pack_document, pack_layouts, pack_part, receive, send
from pincite.reading.marks import Mark
from pincite.reading.reader import READERS, PagedReader, extra_of, reader_for

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from contextlib import AbstractContextManager
    from typing import BinaryIO

    from pincite.reading.pdf import PdfFile
    from pincite.reading.pdf.scanned import OcrPage
    from pincite.reading.reader import PagePart

try:
    import resource
except ImportError:  # Windows has no such limits: there the parent's clock is the only guard
    resource = None

_OPEN_DOCUMENTS = 4
"""Documents that are kept open for the next image of one of them."""

_OPEN_SHARE = 4
"""One part of this many of the memory is what kept documents may hold together."""

_PAGED = "application/pdf"
"""The media type of jobs about a kept document."""

_LONGEST_READ = 1 << 40
"""Bytes of one job, at most; the parent has checked the file's size."""


def main() -> None:
    """Serve jobs until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    jobs = os.fdopen(0, "rb")
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    _die_with_parent()
    for media_type in READERS:
        # Loaded before memory is capped; one that is missing is reported when a file needs it.
        with suppress(ImportError, AttributeError):
            reader_for(media_type)
    # What is loaded stays, and a page makes many small things that go with it: few walks over all of them.
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)
    caps = _Caps()
    documents = _Documents()
    send(answers, {"kind": "ready"})
    while True:
        try:
            job, data = receive(jobs, _LONGEST_READ)
        except WireError:
            return
        _serve(job, data, answers, documents, caps)
        del data


def _die_with_parent() -> None:
    """End this process when the other end of its input is closed, whatever it is doing then."""
    if not hasattr(select, "poll"):
        return

    def watch() -> None:
        poll = select.poll()
        poll.register(0, 0)  # no event is asked for: a hang-up is always told
        while not any(event & (select.POLLHUP | select.POLLERR) for _, event in poll.poll()):
            pass
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


class _Caps:
    """The caps of this process: memory once, processor time anew for each job."""

    def __init__(self) -> None:
        self._baseline = _address_space()
        self._memory = 0
        if resource is not None:
            # A parser that aborts leaves no picture of its memory, and of the file in it, on the disk.
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def begin(self, limits: Limits) -> None:
        """Cap what one job may take, from now on."""
        if resource is None:
            return
        if self._baseline and limits.read_memory_bytes != self._memory:
            self._memory = limits.read_memory_bytes
            self._cap_memory(self._memory)
        self.allow(limits.read_cpu_seconds)

    @contextmanager
    def raised(self, memory: int, seconds: float) -> Generator[None]:
        """Allow so much memory beyond the start, and so much more processor time than is left, for as long as it takes.

        What stays loaded afterwards is no part of what later files may take.
        """
        if resource is None:
            yield
            return
        before, left = _address_space(), self._left()
        self._cap_memory(memory)
        self.allow(left + seconds)
        try:
            yield
        finally:
            if self._baseline:
                self._baseline += max(0, _address_space() - before)
            self._cap_memory(self._memory)
            self.allow(left)

    def _left(self) -> float:
        """Return the seconds of processor time that are left."""
        if resource is None:
            return 0.0
        used = resource.getrusage(resource.RUSAGE_SELF)
        soft, _ = resource.getrlimit(resource.RLIMIT_CPU)
        return max(1.0, soft - used.ru_utime - used.ru_stime)

    def _cap_memory(self, memory: int) -> None:
        if resource is not None and self._baseline:
            _, hard = resource.getrlimit(resource.RLIMIT_AS)
            cap = self._baseline + memory
            resource.setrlimit(resource.RLIMIT_AS, (cap if hard < 0 else min(cap, hard), hard))

    def allow(self, seconds: float) -> None:
        """Allow so much more processor time than was used until now."""
        if resource is None:
            return
        used = resource.getrusage(resource.RUSAGE_SELF)
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        cap = ceil(used.ru_utime + used.ru_stime + seconds)
        resource.setrlimit(resource.RLIMIT_CPU, (cap if hard < 0 else min(cap, hard), hard))


def _address_space() -> int:
    """Return the bytes of address space of this process, 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (OSError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


class _Documents:
    """The PDFs that stay open between jobs, the latest last."""

    def __init__(self) -> None:
        self._files: dict[str, PdfFile] = {}
        self._scans: dict[str, dict[int, OcrPage]] = {}

    def get(self, path: str, content_hash: str, limits: Limits) -> PdfFile:
        """Return the document at `path`, opened unless it still is.

        Raises:
            RenderError: the file cannot be read.
        """
        from pincite.reading.pdf import open_pdf

        file = self._files.pop(content_hash, None)
        if file is None:
            try:
                data = read_bytes(Path(path), limits.file_bytes)
            except ReadingError as error:
                msg = "The document's file cannot be opened."
                raise RenderError(msg) from error
            most = limits.read_memory_bytes // _OPEN_SHARE
            while self._files and (
                len(self._files) >= _OPEN_DOCUMENTS
                or sum(kept.size for kept in self._files.values()) + len(data) > most
            ):
                self._files.pop(next(iter(self._files))).close()
            file = open_pdf(data, name="The document")
        self._files[content_hash] = file
        for gone in self._scans.keys() - self._files.keys():
            del self._scans[gone]
        return file

    def scans(self, content_hash: str) -> dict[int, OcrPage]:
        """Return the pages of an open document that OCR has read, to be added to."""
        return self._scans.setdefault(content_hash, {})

    def close(self) -> None:
        """Close them all: reading gets all of the memory."""
        while self._files:
            self._files.popitem()[1].close()


def _serve(job: dict[str, Any], data: bytes, answers: BinaryIO, documents: _Documents, caps: _Caps) -> None:
    """Do one job and answer it; an error is an answer."""
    known = {field.name for field in fields(Limits)}
    limits = Limits(**{name: value for name, value in job["limits"].items() if name in known})
    try:
        caps.begin(limits)
        message, blobs = _JOBS[job["job"]](job, data, limits, answers, documents, caps)
    except MemoryError:
        label = one_line(str(job.get("name") or "The file"), 120)
        message, blobs = _error("too_large", f"{label} takes more memory to read than is allowed."), []
    except MissingExtraError as error:
        message, blobs = _missing(error), []
    except ImportError:
        # A reader that does not say so itself: what its format needs is known all the same.
        extra = extra_of(job.get("media_type", _PAGED))
        message, blobs = _missing(MissingExtraError("Reading this file", extra)), []
    except PinciteError as error:
        message, blobs = _error(error.code, error.message), []
    except Exception as error:  # noqa: BLE001 - whatever a parser does, the parent gets a typed answer
        message, blobs = _error("damaged", f"It cannot be read ({type(error).__name__})."), []
    send(answers, message, *blobs)


def _missing(error: MissingExtraError) -> dict[str, Any]:
    return {**_error(error.code, error.message), "extra": error.extra}


def _error(code: str, message: str) -> dict[str, Any]:
    return {"kind": "error", "code": code, "message": message}


_Answer = tuple[dict[str, Any], list[bytes]]


def _read(
    job: dict[str, Any],
    data: bytes,
    limits: Limits,
    answers: BinaryIO,
    documents: _Documents,
    caps: _Caps,
) -> _Answer:
    documents.close()
    reader = reader_for(job["media_type"])
    name = str(job["name"])
    if not isinstance(reader, PagedReader):
        return pack_document(reader.read(data, name=name, limits=limits))

    def on_page(page: int, pages: int) -> None:
        if page == 1:
            caps.allow(limits.read_cpu_seconds + limits.read_cpu_seconds_per_page * pages)
        send(answers, {"kind": "page", "page": page, "pages": pages})

    def on_part(part: PagePart) -> None:
        message, blobs = pack_part(part)
        send(answers, message, *blobs)

    skip = frozenset(int(page) for page in job["skip"])
    document = reader.read_pages(
        data,
        name=name,
        limits=limits,
        on_page=on_page,
        skip=skip,
        on_part=on_part,
        on_ocr=_ocr(limits, answers, caps),
    )
    return pack_document(document)


def _ocr(limits: Limits, answers: BinaryIO, caps: _Caps) -> Callable[[int], AbstractContextManager[None]]:
    """Return what is entered around the reading of a page by OCR: the parent is told, and the caps are raised."""

    @contextmanager
    def around(page: int) -> Generator[None]:
        send(answers, {"kind": "ocr", "page": page})
        with caps.raised(limits.ocr_memory_bytes, limits.ocr_page_seconds + limits.read_page_seconds):
            yield

    return around


def _render(
    job: dict[str, Any],
    _data: bytes,
    limits: Limits,
    _answers: BinaryIO,
    documents: _Documents,
    _caps: _Caps,
) -> _Answer:
    from pincite.reading.pdf import render_page

    crop = None if job["crop"] is None else Box(job["page"], *job["crop"])
    file = documents.get(job["path"], job["hash"], limits)
    bitmap = render_page(file, job["page"], dpi=job["dpi"], crop=crop, limits=limits)
    message = {"kind": "bitmap", "width": bitmap.width, "height": bitmap.height, "mode": bitmap.mode}
    return message, [bitmap.data]


def _layout(
    job: dict[str, Any],
    _data: bytes,
    limits: Limits,
    answers: BinaryIO,
    documents: _Documents,
    caps: _Caps,
) -> _Answer:
    from pincite.reading.pdf import page_layout
    from pincite.reading.pdf.scans import Scans

    file = documents.get(job["path"], job["hash"], limits)
    scans = Scans(limits, _ocr(limits, answers, caps), documents.scans(job["hash"]))
    text, layout = page_layout(file, job["page"], str(job["text"]), scans, limits)
    message, blobs = pack_layouts([layout])
    written = text.encode()
    return {"kind": "layout", "text": len(written), **message}, [written, *blobs]


def _annotate(
    job: dict[str, Any],
    _data: bytes,
    limits: Limits,
    _answers: BinaryIO,
    documents: _Documents,
    _caps: _Caps,
) -> _Answer:
    from pincite.reading.pdf import annotate

    marks = [
        Mark(number, tuple(Box(*box) for box in boxes), text, title)
        for number, boxes, text, title in job["marks"]
    ]
    file = documents.get(job["path"], job["hash"], limits)
    return {"kind": "annotated"}, [annotate(file, marks, limits=limits)]


_JOBS: dict[str, Callable[..., _Answer]] = {
    "read": _read,
    "render": _render,
    "layout": _layout,
    "annotate": _annotate,
}


if __name__ == "__main__":
    main()
