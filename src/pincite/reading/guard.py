"""Reading and drawing in guarded child processes: a hostile file costs its caps and ends in a typed error.

`_wire` is the protocol. Each worker has its memory and processor time capped by itself and its wall clock kept
here; it is replaced after a number of files, and after any error.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections import OrderedDict
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast

from pincite.core.errors import (
    READING_ERRORS,
    DamagedError,
    EmptyError,
    InputError,
    MissingExtraError,
    ReadingError,
    RenderError,
    TimedOutError,
    TooLargeError,
    UnsupportedError,
)
from pincite.core.limits import DEFAULT
from pincite.core.text import normalise, one_line
from pincite.reading import _wire
from pincite.reading.marks import checked_marks
from pincite.reading.reader import media_type_of

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence
    from types import TracebackType
    from typing import BinaryIO, Self

    from pincite.core.document import Document
    from pincite.core.geometry import Box
    from pincite.core.layout import PageLayout
    from pincite.core.limits import Limits
    from pincite.core.protocols import Bitmap, SourceFile
    from pincite.reading.marks import Mark

_START_SECONDS = 60.0
"""Seconds in which a worker must have loaded its libraries, on however busy a machine."""

_BAD_PAGES = 3
"""Pages of one document that may stop a worker before the document is given up."""

_MUCH = 4
"""A worker that aborts with more than one part of so many of its memory in use has asked for too much."""

_REMEMBERED = 4
"""Documents that a worker keeps open (`_worker` keeps as many): the pool sends their pages to it."""

_PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH", "SYSTEMROOT")
"""Variables that a worker gets; keys and passwords in the others are none of its business."""

_PIPE_BYTES = 1 << 20
"""Bytes that a pipe holds: an image goes through in a few turns instead of a hundred."""

_MEMORY = {
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": str(1 << 26),
    "MALLOC_TRIM_THRESHOLD_": str(1 << 26),
}
"""How glibc keeps a worker's memory: one image after another is drawn into the same pages, not into fresh ones."""

_LEAST_ANSWER = 1 << 20
"""Bytes that the answer to a job about a page may have, however small the page is."""

_LAID = 4 + 48 + 16
"""Bytes of a code point that is laid out: itself, a line, a box."""

_COPY = 16
"""Times the bytes of a file that a marked copy may have."""

_PAGED = "application/pdf"
"""The media type whose reader tells how far it is, and which has images."""


class _WorkerEndedError(Exception):
    """A worker has ended before it answered; `page` is the one it was reading, 0 before the first."""

    def __init__(self, error: ReadingError, page: int) -> None:
        super().__init__(error.message)
        self.error = error
        self.page = page


@dataclass(frozen=True, slots=True)
class _Refused:
    """The error that a worker tells of."""

    message: dict[str, Any]


AnswerT = TypeVar("AnswerT")


class _Worker:
    """One child process. `deadline` is when it is killed, as `time.monotonic` counts; None while it is idle."""

    def __init__(self) -> None:
        home = str(Path(__file__).resolve().parents[2])
        environ = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        paths = [home, *filter(None, [os.environ.get("PYTHONPATH")])]
        environ |= {"PYTHONPATH": os.pathsep.join(paths), **_MEMORY}
        self._process = subprocess.Popen(
            # -P: nothing is imported from the folder that the caller happens to stand in.
            [sys.executable, "-P", "-m", "pincite.reading._worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environ,
            start_new_session=True,
            pipesize=_PIPE_BYTES,
        )
        self.jobs = cast("BinaryIO", self._process.stdin)
        self.answers = cast("BinaryIO", self._process.stdout)
        self.deadline: float | None = None
        self.overdue = False
        self.files = 0
        self.documents: OrderedDict[str, None] = OrderedDict()
        self.peak_bytes = 0
        self._ready = False
        self._end = weakref.finalize(self, _end_process, self._process)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def within(self, seconds: float) -> None:
        """Give the worker so many seconds from now."""
        self.deadline = time.monotonic() + seconds

    def kill(self) -> None:
        """End the process; whoever waits for its answer learns of it."""
        # Popen.kill would reap a process that has ended, and what it used would be lost with it.
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self._process.pid, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)

    def wait_until_ready(self) -> None:
        """Wait until its libraries are loaded.

        Raises:
            WireError: it has ended instead.
        """
        if not self._ready:
            self.within(_START_SECONDS)
            _wire.answered(self.answers, 0)
            self._ready = True

    def remember(self, content_hash: str) -> None:
        """Note that this worker has the document open."""
        self.documents[content_hash] = None
        self.documents.move_to_end(content_hash)
        while len(self.documents) > _REMEMBERED:
            self.documents.popitem(last=False)

    def finish(self) -> int:
        """Kill the process, if it lives, and return its exit code: below zero, the signal that ended it."""
        self.kill()
        self._end.detach()
        for stream in (self.jobs, self.answers):
            with suppress(OSError):
                stream.close()
        if self._process.returncode is None and hasattr(os, "wait4"):
            with suppress(ChildProcessError):
                _, status, usage = os.wait4(self._process.pid, 0)
                self._process.returncode = os.waitstatus_to_exitcode(status)
                self.peak_bytes = usage.ru_maxrss * 1024
        return self._process.wait()


def _end_process(process: subprocess.Popen[bytes]) -> None:
    """End a worker that nobody closed."""
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(OSError):
                stream.close()
    process.kill()
    process.wait()


class ReadingPool:
    """Reads and draws files in warm worker processes, one a core; every method may be called from any thread."""

    def __init__(self, limits: Limits = DEFAULT) -> None:
        self._limits = limits
        self._size = limits.workers or os.cpu_count() or 1
        self._idle: list[_Worker] = []
        self._busy: set[_Worker] = set()
        self._closed = False
        self._changed = threading.Condition()
        self._watch: threading.Thread | None = None

    @property
    def workers(self) -> int:
        """How many files are read at a time."""
        return self._size

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End all workers; what they are reading ends in an error."""
        with self._changed:
            self._closed = True
            idle, self._idle = self._idle, []
            for worker in self._busy:
                worker.kill()
            self._changed.notify_all()
        for worker in idle:
            worker.finish()
        if self._watch is not None:
            self._watch.join()

    def read(self, data: bytes, *, name: str, on_page: Callable[[int, int], None] | None = None) -> Document:
        """Return the document in `data`; `name` is the file's name.

        `on_page(done, pages)` is called after each page of a format that has pages. A page that stops the
        reader is left out and flagged, up to three; a document of one page, or one that stops it before its
        first, ends in an error.

        Raises:
            ReadingError: one of its subclasses.
            MissingExtraError: the packages that its format needs are not installed.
        """
        name = normalise(name)
        label = one_line(name, 120)
        if len(data) > self._limits.file_bytes:
            msg = f"{label} has {len(data)} bytes; {self._limits.file_bytes} are the most."
            raise TooLargeError(msg)
        media_type = media_type_of(name, data)
        if not data:
            msg = f"{label} is empty: it has no bytes."
            raise EmptyError(msg)
        skip: list[int] = []
        while True:
            try:
                return self._read_once(data, name, media_type, skip, on_page)
            except _WorkerEndedError as ended:
                if ended.page < 1 or len(skip) >= _BAD_PAGES:
                    raise ended.error from None
                skip.append(ended.page)

    def _read_once(
        self,
        data: bytes,
        name: str,
        media_type: str,
        skip: list[int],
        on_page: Callable[[int, int], None] | None,
    ) -> Document:
        limits = self._limits
        job = {"job": "read", "name": name, "media_type": media_type, "skip": skip}
        label = one_line(name, 120)
        page = pages = length = scanned = 0
        parts: list[tuple[str, PageLayout]] = []
        paged = media_type == _PAGED
        with self._worker() as worker:
            try:
                worker.wait_until_ready()
                worker.within(limits.read_page_seconds if paged else limits.read_cpu_seconds)
                _wire.send(worker.jobs, {**job, "limits": asdict(limits)}, data)
                while True:
                    message, blob = _wire.answered(worker.answers, self._most(len(data)))
                    if message.get("kind") == "ocr" and scanned < page:
                        scanned = page
                        worker.within(limits.ocr_page_seconds + limits.read_page_seconds)
                        continue
                    if message.get("kind") == "part":
                        parts.append(_next_part(message, blob, length, pages - len(parts)))
                        length += len(parts[-1][0])
                        if length > limits.document_code_points:
                            msg = f"{label} holds more text than {limits.document_code_points} code points."
                            raise TooLargeError(msg)
                        continue
                    if message.get("kind") != "page":
                        break
                    page, pages = _next_page(message, page, limits.pages)
                    finishing = limits.read_cpu_seconds_per_page * pages if page > pages else 0.0
                    worker.within(limits.read_page_seconds + finishing)
                    if on_page is not None and page > 1:
                        on_page(page - 1, pages)
                if message.get("kind") == "error":
                    _raise(message, label)
                document = _wire.unpack_document(message, blob, parts)
                if len(document.text) > limits.document_code_points or len(document.pages) > limits.pages:
                    msg = "A worker sends more than may be read."
                    raise _wire.WireError(msg)  # noqa: TRY301 - as one that the wire refuses
            except (_wire.WireError, OSError) as error:
                single = pages == 1 or page > pages
                raise _WorkerEndedError(self._why(worker, label), 0 if single else page) from error
        return document

    def render(self, document: SourceFile, page: int, *, dpi: float, crop: Box | None = None) -> Bitmap:
        """Return the page (1 is the first), or the part of it inside `crop`, as the reader sees it.

        The document stays open in its worker, so that the next page of it comes sooner.

        Raises:
            RenderError: the page has no image.
        """
        place = None if crop is None else [crop.x0, crop.y0, crop.x1, crop.y1]
        if not all(map(isfinite, (dpi, *(place or ())))):
            msg = "The size and the part of a page image are numbers."
            raise RenderError(msg, field="dpi" if not isfinite(dpi) else "crop")
        # A page is drawn in no more pixels than are allowed, but for those that rounding adds.
        most = 3 * (2 * self._limits.image_pixels + _LEAST_ANSWER)
        job = {"job": "render", "page": page, "dpi": dpi, "crop": place}
        return self._page_job(document, job, most, _wire.unpack_bitmap)

    def layout(self, document: SourceFile, page: int, *, text: str) -> PageLayout:
        """Return the layout of a page (1 is the first) with glyphs; it starts at 0.

        `text` is what the stored text of the document holds of this page. What stands on the page besides, as running
        heads do, is left out, so that offsets are those of `text`.

        Raises:
            RenderError: the document has no such page, it does not open any more, or does not hold that text.
        """
        # Its text in UTF-8, a box for each character, a line for each of them at most; another text may be longer.
        most = 2 * _LAID * len(text) + _LEAST_ANSWER
        job = {"job": "layout", "page": page, "text": text}
        found, layout = self._page_job(document, job, most, _wire.unpack_layout)
        if found != text:
            msg = f"Page {page} does not hold the text that was kept of it."
            raise RenderError(msg, field="page")
        return layout

    def annotate(self, document: SourceFile, marks: Sequence[Mark]) -> bytes:
        """Return a copy of a PDF with a numbered highlight for each mark, and all else as it was.

        Raises:
            InputError: the marks cannot be used, or one stands on a page that is not there.
            ReadingError: the document is no PDF, needs a password, or no copy of it can be written.
        """
        used = checked_marks(marks, self._limits.document_marks)
        if document.media_type != _PAGED:
            msg = f"A document of type {one_line(document.media_type, 60)} cannot be marked."
            raise UnsupportedError(msg)
        rows = [
            [
                mark.number,
                [[b.page, b.x0, b.y0, b.x1, b.y1] for b in mark.boxes],
                normalise(mark.text),
                normalise(mark.title),
            ]
            for mark in used
        ]
        label, seconds = "The document", self._limits.read_cpu_seconds
        job = {"job": "annotate", "marks": rows}
        # What was packed in the original may be less so in the copy.
        most = _COPY * self._limits.file_bytes
        try:
            found = self._kept_job(document, job, label, seconds, most, _wire.unpack_copy)
        except _WorkerEndedError as ended:
            raise ended.error from ended
        if isinstance(found, _Refused):
            if found.message.get("code") == InputError.code:
                raise InputError(one_line(str(found.message.get("message")), 400), field="marks")
            _raise(found.message, label)
        return found

    def _page_job(
        self,
        document: SourceFile,
        job: dict[str, Any],
        most: int,
        unpack: Callable[[dict[str, Any], bytes], AnswerT],
    ) -> AnswerT:
        """Send a job about one page of a kept document and return what `unpack` makes of the answer.

        Raises:
            RenderError: there is none.
        """
        label = f"Page {int(job['page'])}"
        if document.media_type != _PAGED:
            msg = f"A document of type {one_line(document.media_type, 60)} has no page images."
            raise RenderError(msg, field="page")
        try:
            found = self._kept_job(document, job, label, 2 * self._limits.read_page_seconds, most, unpack)
        except _WorkerEndedError as ended:
            raise RenderError(ended.error.message, field="page") from ended
        if isinstance(found, _Refused):
            _raise(found.message, label, RenderError)
        return found

    def _kept_job(
        self,
        document: SourceFile,
        job: dict[str, Any],
        label: str,
        seconds: float,
        most: int,
        unpack: Callable[[dict[str, Any], bytes], AnswerT],
    ) -> AnswerT | _Refused:
        """Send a job about a kept document; return what `unpack` makes of the answer, or the error that it tells of.

        A worker whose answer of at most `most` bytes cannot be unpacked is not to be trusted, and ends.

        Raises:
            _WorkerEndedError: there is no answer.
        """
        job |= {"path": str(document.path), "hash": document.content_hash, "limits": asdict(self._limits)}
        with self._worker(document.content_hash) as worker:
            try:
                worker.wait_until_ready()
                worker.within(seconds)
                worker.remember(document.content_hash)
                _wire.send(worker.jobs, job)
                message, blob = _wire.answered(worker.answers, most)
                if message.get("kind") == "ocr":
                    worker.within(self._limits.ocr_page_seconds + self._limits.read_page_seconds)
                    message, blob = _wire.answered(worker.answers, most)
                if message.get("kind") == "error":
                    return _Refused(message)
                return unpack(message, blob)
            except (_wire.WireError, OSError) as error:
                raise _WorkerEndedError(self._why(worker, label), 0) from error

    def _most(self, file_size: int) -> int:
        """Return the bytes that the answer to a file of `file_size` bytes may have: text, lines and glyphs."""
        return 64 * self._limits.document_code_points + 64 * file_size

    @contextmanager
    def _worker(self, content_hash: str | None = None) -> Generator[_Worker]:
        """Lend a worker, one that has the document open if it is idle; any error ends it.

        Drawing has one worker more than reading, so that a long reading never keeps a page from being shown.
        """
        most = self._size + (content_hash is not None)
        with self._changed:
            while not self._closed and len(self._busy) >= most:
                self._changed.wait()
            if self._closed:
                msg = "The reading pool is closed."
                raise DamagedError(msg)
            if self._idle:
                worker = max(self._idle, key=lambda w: (content_hash in w.documents, -len(w.documents)))
                self._idle.remove(worker)
            else:
                worker = _Worker()
            self._busy.add(worker)
            if self._watch is None:
                self._watch = threading.Thread(target=self._keep_time, name="pincite-reading", daemon=True)
                self._watch.start()
            self._changed.notify_all()
        usable = False
        try:
            yield worker
            usable = True
        finally:
            worker.files += 1
            if content_hash is None:
                worker.documents.clear()
            with self._changed:
                worker.deadline = None
                self._busy.discard(worker)
                usable = usable and not self._closed and worker.files < self._limits.worker_files
                if usable:
                    self._idle.append(worker)
                self._changed.notify_all()
            if not usable:
                worker.finish()

    def _keep_time(self) -> None:
        """Kill workers whose time is over, until the pool is closed."""
        while True:
            with self._changed:
                if self._closed and not self._busy:
                    return
                now = time.monotonic()
                for worker in self._busy:
                    if worker.deadline is not None and worker.deadline <= now:
                        worker.overdue = True
                        worker.deadline = None
                        worker.kill()
                soon = [w.deadline - now for w in self._busy if w.deadline is not None]
                # A deadline may be set while this waits, so it looks again before the shortest that may be.
                longest = max(0.005, min(0.25, self._limits.read_page_seconds / 4))
                self._changed.wait(min([longest, *soon]) if self._busy else None)

    def _why(self, worker: _Worker, label: str) -> ReadingError:
        """Say why a worker ended before it answered."""
        with self._changed:
            worker.deadline = None
        code = worker.finish()
        limits = self._limits
        if worker.overdue:
            return TimedOutError(f"{label} took longer to read than is allowed.")
        if code == -getattr(signal, "SIGXCPU", 0):
            return TimedOutError(f"{label} took more processor time to read than is allowed.")
        # PDFium aborts its process when it gets no memory, and does not say why: what the process had tells.
        if code == -signal.SIGABRT and worker.peak_bytes > limits.read_memory_bytes // _MUCH:
            return TooLargeError(f"{label} takes more memory to read than is allowed.")
        return DamagedError(f"{label} is damaged: reading it stopped the reader.")


def _next_page(message: dict[str, Any], page: int, most: int) -> tuple[int, int]:
    """Return page and pages of a `page` message that follows `page`.

    Raises:
        WireError: it does not follow, so the worker is not to be trusted.
    """
    number, pages = message.get("page"), message.get("pages")
    if isinstance(pages, int) and number == page + 1 and 1 <= pages <= most and page <= pages:
        return page + 1, pages
    msg = "A worker counts pages wrongly."
    raise _wire.WireError(msg)


def _next_part(message: dict[str, Any], blob: bytes, length: int, left: int) -> tuple[str, PageLayout]:
    """Return a page that comes after `length` code points of text, where `left` pages may still come.

    Raises:
        WireError: it is none, or one too many.
    """
    if left < 1:
        msg = "A worker sends more pages than it has read."
        raise _wire.WireError(msg)
    return _wire.unpack_part(message, blob, length)


def _raise(
    message: dict[str, Any], label: str, kind: type[ReadingError | RenderError] | None = None
) -> NoReturn:
    """Raise the error that a worker tells of, as `kind` if given."""
    code, said, extra = (message.get(name) for name in ("code", "message", "extra"))
    sentence = one_line(said, 400) if isinstance(said, str) else ""
    if code == "missing_extra" and isinstance(extra, str):
        raise MissingExtraError(sentence.partition(" needs the extra")[0], one_line(extra, 40))
    found = kind or READING_ERRORS.get(str(code), DamagedError)
    if found is UnsupportedError and not sentence:
        sentence = f"There is no reader for {label}."
    raise found(sentence or f"{label} cannot be read.")
