"""A hostile file costs its caps and ends in a typed error; the parent and the other readings go on."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import threading
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest

from pincite.core.document import Document
from pincite.core.errors import (
    DamagedError,
    EmptyError,
    MissingExtraError,
    ReadingError,
    RenderError,
    TimedOutError,
    TooLargeError,
    UnsupportedError,
)
from pincite.core.geometry import Box
from pincite.core.limits import DEFAULT
from pincite.core.protocols import SourceFile
from pincite.reading import ReadingPool, _wire

PAGE = "/MediaBox [0 0 612 792]"
WORDS = "BT /F 20 Tf 72 700 Td (some words) Tj ET"
SOURCE = str(Path(__file__).resolve().parents[2] / "src")


def slow(count: int = 3_000_000) -> bytes:
    """Return a content stream that shows so many letters, as a stream object that is small."""
    return deflated((b"BT /F 1 Tf 1 TL 10 700 Td ", b"(" + b"abcdefghi " * 100 + b") Tj T* ", count // 1000))


PATIENT: dict[str, Any] = {"read_cpu_seconds": 120.0, "read_memory_bytes": 4 << 30}
"""Caps that `slow` does not reach on however fast a machine, where the wall clock is to be seen at work."""


def deflated(parts: tuple[bytes, bytes, int]) -> bytes:
    """Return a compressed stream object of a beginning, then a piece so many times."""
    start, piece, count = parts
    packer = zlib.compressobj()
    packed = packer.compress(start) + b"".join(packer.compress(piece) for _ in range(count)) + packer.flush()
    return b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(packed), packed)


def kept(data: bytes, folder: Path, media_type: str = "application/pdf") -> SourceFile:
    """Return the bytes as a library keeps them."""
    name = hashlib.sha256(data).hexdigest()
    path = folder / name
    path.write_bytes(data)
    return SourceFile(path, media_type, name)


def alive(pid: int) -> bool:
    """Say whether a process runs; a dead one that nobody has waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def gone(pid: int) -> bool:
    """Wait until a process has ended."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if not alive(pid):
            return True
        time.sleep(0.05)
    return False


def busy(pool: ReadingPool) -> list[int]:
    """Return the process ids of the workers that are at work."""
    return [worker.pid for worker in pool._busy]


def pids(pool: ReadingPool) -> set[int]:
    """Return the process ids of a pool's workers."""
    return {worker.pid for worker in pool._idle} | set(busy(pool))


# ---------------------------------------------------------------- reading


def test_a_pdf_comes_back_whole(pool: ReadingPool, make_pdf: Any) -> None:
    """Text, frames and lines are those that the reader made; glyphs are made for a page that somebody opens."""
    document = pool.read(make_pdf((WORDS, PAGE), (WORDS, f"{PAGE} /Rotate 90")), name="two.pdf")
    assert document.text == "some words\nsome words"
    assert [frame.rotation for frame in document.pages] == [0, 90]
    assert [layout.glyphs for layout in document.layouts] == [None, None]
    assert document.layouts[1].boxes(11, 15)[0].page == 2
    assert document.title == "two"


def test_texts_come_back_through_the_same_door(pool: ReadingPool) -> None:
    """Every format is read by a worker."""
    before = pids(pool)
    assert pool.read(b"Hello there.\n", name="a.txt").text.strip() == "Hello there."
    # The name of a file may be bytes that are no text.
    assert pool.read(b"Hello there.\n", name="\udcff.txt").title == "\ufffd"
    assert "Hello" in pool.read(b"# Hello\n\nText.", name="a.md").text
    assert "Hello" in pool.read(b"<html><body><p>Hello</p></body></html>", name="a.html").text
    assert pids(pool) == before or not before


def test_progress_is_told_page_by_page(pool: ReadingPool, make_pdf: Any) -> None:
    """(pages done, pages), up to all of them."""
    told: list[tuple[int, int]] = []
    pool.read(
        make_pdf(*[(WORDS, PAGE)] * 3), name="a.pdf", on_page=lambda done, pages: told.append((done, pages))
    )
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_a_caller_that_stops_gets_its_own_error(pool: ReadingPool, make_pdf: Any) -> None:
    """What `on_page` raises comes through, the worker is ended, and the pool goes on."""

    def stop(done: int, _pages: int) -> None:
        raise KeyboardInterrupt if done == 2 else ValueError

    with pytest.raises(ValueError, match=r"^$"):
        pool.read(make_pdf(*[(WORDS, PAGE)] * 3), name="a.pdf", on_page=stop)
    assert pool.read(make_pdf((WORDS, PAGE)), name="a.pdf").text == "some words"


def test_reading_from_many_threads(make_pdf: Any) -> None:
    """Each gets its own document, with no more workers than allowed."""
    with ReadingPool(replace(DEFAULT, workers=2)) as pool, ThreadPoolExecutor(8) as threads:
        files: list[bytes] = [make_pdf((WORDS.replace("some", f"n{i}"), PAGE)) for i in range(24)]
        readings = [threads.submit(pool.read, data, name="a.pdf") for data in files]
        assert [reading.result().text for reading in readings] == [f"n{i} words" for i in range(24)]
        assert len(pids(pool)) <= 2


# ---------------------------------------------------------------- what cannot be read


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("a.pdf", b"", EmptyError),
        ("a.txt", b"", EmptyError),
        ("a.docx", b"PK\x03\x04", DamagedError),
        ("a.xyz", b"words", UnsupportedError),
        ("a.pdf", b"%PDF-1.7 and nothing", DamagedError),
        ("a.pdf", b"\0" * 100, DamagedError),
    ],
)
def test_bad_files_end_in_typed_errors(
    pool: ReadingPool, name: str, data: bytes, kind: type[ReadingError]
) -> None:
    """One sentence, and the same type as the reader's own."""
    with pytest.raises(kind, match=name):
        pool.read(data, name=name)


def test_a_file_over_the_limit_is_not_even_sent() -> None:
    """Its size is known before a worker is started."""
    with ReadingPool(replace(DEFAULT, file_bytes=10)) as pool:
        with pytest.raises(TooLargeError, match="11 bytes; 10 are the most"):
            pool.read(b"x" * 11, name="a.txt")
        assert pids(pool) == set()


def test_too_many_pages_are_not_begun(make_pdf: Any) -> None:
    """The limit of the pool holds in the worker."""
    with ReadingPool(replace(DEFAULT, pages=2)) as pool, pytest.raises(TooLargeError, match="3 pages"):
        pool.read(make_pdf(*[(WORDS, PAGE)] * 3), name="a.pdf")


def test_a_bomb_in_a_stream_takes_no_more_than_the_memory_allowed(make_pdf: Any) -> None:
    """400 MB of spaces in 400 kB, with 100 MB allowed: a typed error, and the next file is read."""
    bomb = make_pdf((deflated((b"", b" " * 1_000_000, 400)), PAGE))
    assert len(bomb) < 1_000_000
    with ReadingPool(replace(DEFAULT, read_memory_bytes=100 << 20, read_page_seconds=60)) as pool:
        with pytest.raises(TooLargeError, match="memory"):
            pool.read(bomb, name="bomb.pdf")
        assert pool.read(make_pdf((WORDS, PAGE)), name="a.pdf").text == "some words"


def test_text_beyond_the_limit_is_too_large(make_pdf: Any) -> None:
    """Many small pages may hold too much together."""
    with (
        ReadingPool(replace(DEFAULT, document_code_points=25)) as pool,
        pytest.raises(TooLargeError, match="25 code points"),
    ):
        pool.read(make_pdf(*[(WORDS, PAGE)] * 3), name="a.pdf")


def test_a_page_that_takes_too_long_is_given_up(make_pdf: Any) -> None:
    """The wall clock is kept outside the worker; the error comes when it is over, not when the worker ends."""
    with ReadingPool(replace(DEFAULT, read_page_seconds=1.0, **PATIENT)) as pool:
        pool.read(make_pdf((WORDS, PAGE)), name="warm.pdf")
        with pytest.raises(TimedOutError, match="longer to read than"):
            pool.read(make_pdf((slow(), PAGE)), name="slow.pdf")
        assert pool.read(make_pdf((WORDS, PAGE)), name="a.pdf").text == "some words"


def test_processor_time_is_capped(make_pdf: Any) -> None:
    """Before the wall clock is over, the processor's is."""
    limits = replace(
        DEFAULT,
        read_page_seconds=120,
        read_cpu_seconds=1,
        read_cpu_seconds_per_page=0,
        read_memory_bytes=4 << 30,
    )
    with ReadingPool(limits) as pool, pytest.raises(TimedOutError, match="processor time"):
        pool.read(make_pdf((slow(), PAGE)), name="slow.pdf")


def test_a_page_that_stops_the_reader_is_left_out(make_pdf: Any) -> None:
    """The rest of the document is read; the page is flagged and keeps its number."""
    data = make_pdf((WORDS, PAGE), (slow(), PAGE), (WORDS, PAGE))
    with ReadingPool(replace(DEFAULT, read_page_seconds=2.0, **PATIENT)) as pool:
        document = pool.read(data, name="a.pdf")
    assert document.text == "some words\nsome words"
    assert [flag.page for flag in document.flags] == [2]
    assert [layout.page for layout in document.layouts] == [1, 2, 3]


# ---------------------------------------------------------------- workers that end


def test_a_worker_that_is_killed_costs_its_page(make_pdf: Any) -> None:
    """Killed once while it reads page 2: that page is left out, the rest is read by another worker."""
    killed: list[int] = []
    with ReadingPool() as pool:

        def kill(done: int, _pages: int) -> None:
            if done == 1 and not killed:
                killed.extend(busy(pool))
                os.kill(killed[0], signal.SIGKILL)

        document = pool.read(make_pdf(*[(WORDS, PAGE)] * 200), name="a.pdf", on_page=kill)
        assert killed[0] not in pids(pool)
    assert len(document.pages) == 200
    assert len(document.flags) == 1
    assert document.text.count("some words") == 199


def test_a_worker_that_is_killed_each_time_is_a_damaged_file(make_pdf: Any) -> None:
    """After three pages the document is given up; the pool is not."""
    with ReadingPool() as pool:

        def kill(_done: int, _pages: int) -> None:
            for pid in busy(pool):
                os.kill(pid, signal.SIGKILL)

        with pytest.raises(DamagedError, match=r"a\.pdf"):
            pool.read(make_pdf(*[(WORDS, PAGE)] * 200), name="a.pdf", on_page=kill)
        assert pool.read(make_pdf((WORDS, PAGE)), name="b.pdf").text == "some words"


def test_other_readings_go_on_when_one_worker_dies(make_pdf: Any) -> None:
    """The killed one ends in its error, the other in its document."""
    with (
        ReadingPool(replace(DEFAULT, workers=2, read_page_seconds=1.0, **PATIENT)) as pool,
        ThreadPoolExecutor(2) as threads,
    ):
        bad = threads.submit(pool.read, make_pdf((slow(), PAGE)), name="bad.pdf")
        good = threads.submit(pool.read, make_pdf(*[(WORDS, PAGE)] * 300), name="good.pdf")
        assert isinstance(good.result(), Document)
        assert isinstance(bad.exception(), TimedOutError)


def test_workers_are_kept_and_replaced(make_pdf: Any) -> None:
    """One worker reads file after file, until it has read as many as it may or one of them was bad."""
    data = make_pdf((WORDS, PAGE))
    with ReadingPool(replace(DEFAULT, workers=1, worker_files=3)) as pool:
        seen: list[set[int]] = []
        for _ in range(4):
            pool.read(data, name="a.pdf")
            seen.append(pids(pool))
        assert seen[0] == seen[1] != seen[3]
        assert seen[2] == set()
        with pytest.raises(DamagedError):
            pool.read(b"%PDF-", name="a.pdf")
        assert pids(pool).isdisjoint(seen[3])


def test_closing_ends_the_workers_and_their_readings(make_pdf: Any) -> None:
    """A reading in another thread ends in an error; a closed pool reads nothing."""
    pool = ReadingPool()
    pool.read(make_pdf((WORDS, PAGE)), name="a.pdf")
    begun = threading.Event()
    with ThreadPoolExecutor(1) as threads:
        reading = threads.submit(
            pool.read,
            make_pdf((WORDS, PAGE), (slow(), PAGE)),
            name="a.pdf",
            on_page=lambda _done, _pages: begun.set(),
        )
        assert begun.wait(60)
        workers = pids(pool)
        pool.close()
        assert isinstance(reading.exception(), ReadingError)
    assert all(gone(pid) for pid in workers)
    with pytest.raises(ReadingError, match="closed"):
        pool.read(b"text", name="a.txt")


def test_workers_die_with_their_parent(make_pdf: Any, tmp_path: Path) -> None:
    """A parent that is killed while a worker reads leaves none behind."""
    (tmp_path / "slow.pdf").write_bytes(make_pdf((WORDS, PAGE), (slow(), PAGE)))
    program = """
import sys
from dataclasses import replace
from pathlib import Path
from pincite.core.limits import DEFAULT
from pincite.reading import ReadingPool
pool = ReadingPool(replace(DEFAULT, read_page_seconds=600, read_cpu_seconds=600, read_memory_bytes=4 << 30))
def told(done, pages):
    (worker,) = pool._busy
    print(worker.pid, flush=True)
pool.read(Path(sys.argv[1]).read_bytes(), name="slow.pdf", on_page=told)
"""
    parent = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path / "slow.pdf")],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": SOURCE},
    )
    with parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        assert alive(worker)
        parent.kill()
    assert gone(worker)


def test_an_interrupt_in_the_terminal_prints_nothing_of_workers(make_pdf: Any, tmp_path: Path) -> None:
    """Ctrl-C goes to the parent alone: one KeyboardInterrupt, no worker's traceback, no worker left."""
    (tmp_path / "slow.pdf").write_bytes(make_pdf((WORDS, PAGE), (slow(), PAGE)))
    program = """
import sys
from dataclasses import replace
from pathlib import Path
from pincite.core.limits import DEFAULT
from pincite.reading import ReadingPool
with ReadingPool(replace(DEFAULT, read_page_seconds=600, read_cpu_seconds=600, read_memory_bytes=4 << 30)) as pool:
    def told(done, pages):
        (worker,) = pool._busy
        print(worker.pid, flush=True)
    try:
        pool.read(Path(sys.argv[1]).read_bytes(), name="slow.pdf", on_page=told)
    except KeyboardInterrupt:
        print("stopped", flush=True)
"""
    parent = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path / "slow.pdf")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": SOURCE},
        start_new_session=True,
    )
    with parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        os.killpg(parent.pid, signal.SIGINT)
        out, err = parent.communicate(timeout=60)
    assert out.decode().split() == ["stopped"]
    assert err == b""
    assert gone(worker)


def test_a_worker_gets_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys in the environment are not in the process that reads hostile bytes."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    with ReadingPool() as pool:
        pool.read(b"text", name="a.txt")
        (worker,) = pids(pool)
        environ = Path(f"/proc/{worker}/environ").read_bytes()
    assert b"secret" not in environ


def test_a_worker_imports_nothing_from_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder of documents may hold a `json.py`."""
    (tmp_path / "json.py").write_text("raise SystemExit", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with ReadingPool() as pool:
        assert pool.read(b"text", name="a.txt").text.strip() == "text"


# ---------------------------------------------------------------- images and layouts


def test_pages_are_drawn_by_a_worker_that_keeps_the_document(
    pool: ReadingPool, make_pdf: Any, tmp_path: Path
) -> None:
    """The second image needs no file any more; it is the same."""
    document = kept(make_pdf((WORDS, PAGE), (WORDS, f"{PAGE} /Rotate 90")), tmp_path)
    first = pool.render(document, 1, dpi=72)
    assert (first.width, first.height, first.mode) == (612, 792, "L")
    document.path.unlink()
    assert pool.render(document, 1, dpi=72) == first
    assert (pool.render(document, 2, dpi=72).width, pool.render(document, 2, dpi=36).width) == (792, 396)
    assert pool.render(document, 1, dpi=72, crop=Box(1, 0, 0, 0.5, 0.5)).width == 306


def test_a_page_and_its_layout_are_those_of_the_document(
    pool: ReadingPool, make_pdf: Any, tmp_path: Path
) -> None:
    """The text is the page's part; glyphs are where they were when the document was read."""
    data = make_pdf((WORDS, PAGE), (WORDS.replace("some", "other"), PAGE))
    document = pool.read(data, name="a.pdf")
    for number, whole in enumerate(document.layouts, 1):
        text = document.text[whole.start : whole.end]
        layout = pool.layout(kept(data, tmp_path), number, text=text)
        assert (layout.page, layout.start, layout.end) == (number, 0, len(text))
        assert len(layout.glyphs or ()) == 4 * len(text)
        (word,), (line,) = layout.boxes(0, 4), whole.boxes(whole.start, whole.end)
        assert (word.x0, word.y0, word.y1) == pytest.approx((line.x0, line.y0, line.y1), abs=1e-6)
        assert word.x1 < line.x1


@pytest.mark.parametrize("page", [0, 2, -1, 10**12])
def test_a_page_that_is_not_there_has_no_image(
    pool: ReadingPool, make_pdf: Any, tmp_path: Path, page: int
) -> None:
    """Neither an image nor a layout; asking costs no worker."""
    document = kept(make_pdf((WORDS, PAGE)), tmp_path)
    pool.render(document, 1, dpi=72)
    before = pids(pool)
    with pytest.raises(RenderError):
        pool.render(document, page, dpi=72)
    with pytest.raises(RenderError):
        pool.layout(document, page, text=WORDS)
    assert pids(pool) == before


def test_what_cannot_be_drawn_is_a_render_error(pool: ReadingPool, make_pdf: Any, tmp_path: Path) -> None:
    """A file that is gone, is damaged, needs a password, or has no pages."""
    lost = kept(make_pdf((WORDS.replace("some", "lost"), PAGE)), tmp_path)
    lost.path.unlink()
    for document in (lost, kept(b"%PDF-1.7", tmp_path), kept(b"text", tmp_path, "text/plain")):
        with pytest.raises(RenderError):
            pool.render(document, 1, dpi=72)
        with pytest.raises(RenderError):
            pool.layout(document, 1, text="some words")


def test_an_error_names_no_path(pool: ReadingPool, tmp_path: Path) -> None:
    """Where the library keeps its files is nobody's business."""
    document = SourceFile(tmp_path / "secret-place" / "x", "application/pdf", "0" * 64)
    with pytest.raises(RenderError) as caught:
        pool.render(document, 1, dpi=72)
    assert "secret-place" not in caught.value.message


def test_drawing_that_takes_too_long_is_given_up(make_pdf: Any, tmp_path: Path) -> None:
    """The worker is ended, and the next page is drawn by another."""
    limits = replace(DEFAULT, read_page_seconds=1.0, **PATIENT)
    with ReadingPool(limits) as pool:
        with pytest.raises(RenderError, match="longer"):
            pool.layout(kept(make_pdf((slow(6_000_000), PAGE)), tmp_path), 1, text="some")
        assert pool.render(kept(make_pdf((WORDS, PAGE)), tmp_path), 1, dpi=36).width == 306


def test_a_long_reading_does_not_keep_a_page_from_being_drawn(make_pdf: Any, tmp_path: Path) -> None:
    """With every reader at work there is one worker more for images."""
    document = kept(make_pdf((WORDS, PAGE)), tmp_path)
    limits = replace(DEFAULT, workers=1, read_page_seconds=60, **PATIENT)
    begun = threading.Event()
    with ReadingPool(limits) as pool, ThreadPoolExecutor(1) as threads:
        reading = threads.submit(
            pool.read,
            make_pdf((WORDS, PAGE), (slow(), PAGE)),
            name="a.pdf",
            on_page=lambda _done, _pages: begun.set(),
        )
        assert begun.wait(60)
        assert pool.render(document, 1, dpi=72).width == 612
        assert not reading.done()
        pool.close()
        assert reading.exception() is not None


# ---------------------------------------------------------------- workers that are not to be trusted


def test_a_worker_that_sends_no_image_is_thrown_away(
    make_pdf: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its next answer would be no better; the page has no image, and another worker draws the next one."""
    source = kept(make_pdf((WORDS, PAGE)), tmp_path)

    def lie(_message: dict[str, Any], _blob: bytes) -> NoReturn:
        msg = "A worker sent something that is no image."
        raise _wire.WireError(msg)

    with ReadingPool(replace(DEFAULT, workers=1)) as pool:
        assert pool.render(source, 1, dpi=20).width == 170
        before = pids(pool)
        with monkeypatch.context() as patch:
            patch.setattr(_wire, "unpack_bitmap", lie)
            with pytest.raises(RenderError, match="damaged"):
                pool.render(source, 1, dpi=20)
        assert all(map(gone, before))
        assert pool.render(source, 1, dpi=20).width == 170


def test_a_worker_that_sends_no_document_is_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it says is `damaged`, and the next file is read by another."""

    def refuse(_document: Document) -> NoReturn:
        raise ValueError

    with ReadingPool(replace(DEFAULT, workers=1)) as pool:
        pool.read(b"Words.", name="a.txt")
        before = pids(pool)
        with monkeypatch.context() as patch:
            patch.setattr(_wire, "_check_order", refuse)
            with pytest.raises(DamagedError):
                pool.read(b"Words.", name="a.txt")
        assert all(map(gone, before))
        assert pool.read(b"Words.", name="a.txt").text.strip() == "Words."


def test_what_an_extra_brings_and_is_not_there_names_it(
    make_pdf: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package that is missing inside of a worker is no damage of the file."""
    for name in ("numpy", "selectolax"):
        (tmp_path / f"{name}.py").write_text("raise ImportError('no such package')\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with ReadingPool(replace(DEFAULT, workers=1)) as pool:
        for data, name, extra in (
            (make_pdf((WORDS, PAGE)), "a.pdf", "pdf"),
            (b"<html><body><p>Words</p></body></html>", "a.html", "search"),
            (b"\x89PNG\r\n\x1a\n", "a.png", "ocr"),
        ):
            with pytest.raises(MissingExtraError, match=rf"pip install 'pincite\[{extra}\]'") as caught:
                pool.read(data, name=name)
            assert caught.value.extra == extra


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_kept_file_that_is_a_pipe_is_refused_at_once(pool: ReadingPool, tmp_path: Path) -> None:
    """Nobody writes to it, so reading it would never end; nor would a device."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        source = SourceFile(path, "application/pdf", "0" * 64)
        with pytest.raises(RenderError, match="file cannot be opened"):
            pool.render(source, 1, dpi=20)
