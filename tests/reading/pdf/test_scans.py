"""Which pages of a PDF are read by OCR, what becomes of them, and what is said where they are not."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from ocr_pictures import RULES, placed_share, word_boxes
from pdf_maker import PdfMaker
from pincite.core.errors import EmptyError, TimedOutError
from pincite.core.limits import DEFAULT
from pincite.core.packed import unpack_layout
from pincite.reading import ReadingPool, ocr
from pincite.reading._ocr_lines import OcrLine
from pincite.reading.pdf import PdfReader, open_pdf
from pincite.reading.pdf.pages import page_layout
from pincite.reading.pdf.scans import Scans

if TYPE_CHECKING:
    from collections.abc import Generator

    from pdf_maker import Page
    from pincite.core.document import Document
    from pincite.core.limits import Limits

PROSE = "\n".join(RULES)
OWN = "A page with a text of its own is never read by OCR, whatever pictures stand on it: its letters are right. "
SMALL = replace(DEFAULT, ocr_dpi=150)
"""Pictures that are small, as these tests need them."""


def scan(maker: PdfMaker, **page: Any) -> Page:
    """Add a page that is a picture of the rules."""
    made = maker.page((0, 0, 400, 110), **page)
    made.scan(RULES, x=20, y=30, size=12, leading=1.5, dpi=100)
    return made


def own(maker: PdfMaker) -> Page:
    """Add a page of text."""
    made = maker.page((0, 0, 400, 300))
    made.paragraph(OWN * 5, 30, 40, width=340)
    return made


def read(data: bytes, limits: Limits = SMALL, **options: Any) -> Document:
    """Read a PDF in this process."""
    return PdfReader().read_pages(
        data, name="a.pdf", limits=limits, on_page=lambda _page, _pages: None, **options
    )


class Fake:
    """An engine that reads one line, as wide as the picture, and counts."""

    name = "fake"

    def __init__(self, text: str = "read from the picture") -> None:
        self.text = text
        self.calls = 0
        self.late = False
        self.sure = 0.99

    def read(self, picture: Any, *, until: float) -> list[OcrLine]:
        """Return the line."""
        assert until > 0
        self.calls += 1
        if self.late:
            msg = "It takes too long."
            raise TimedOutError(msg)
        height, width = picture.shape[:2]
        corners = np.array([[0.1, 0.4], [0.9, 0.4], [0.9, 0.6], [0.1, 0.6]]) * [width, height]
        steps = np.arange(len(self.text) + 1) / max(1, len(self.text))
        return [OcrLine(self.text, self.sure, corners, np.stack((steps[:-1], steps[1:]), 1), height / 10)]


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Fake:
    """The engine of this test."""
    engine = Fake()
    monkeypatch.setattr(ocr, "engine", lambda: engine)
    return engine


@pytest.mark.parametrize("page", [{"rotate": 180, "unit": 2.0}, {"crop": (10, 5, 390, 105)}])
def test_a_scanned_page_is_read_and_placed(page: dict[str, Any]) -> None:
    """The same words, with boxes where the page shows them, however the page is laid."""
    maker = PdfMaker()
    scan(maker, **page)
    made = maker.save()
    document = read(made.data)
    assert document.text == PROSE
    assert [frame.ocr for frame in document.pages] == [True]
    assert [(flag.page, flag.reason) for flag in document.flags] == [(1, ocr.READ)]
    assert document.locator(0, 10).ocr
    with open_pdf(made.data, name="a.pdf") as file:
        text, layout = page_layout(file, 1, PROSE, Scans(SMALL))
    assert text == PROSE
    truth = [(word.text, (b.x0, b.y0, b.x1, b.y1)) for word in made.words for b in word.boxes]
    assert placed_share(truth, word_boxes(text, layout)) >= 0.9


def test_half_of_the_pages_are_scans(fake: Fake) -> None:
    """Each page is what it is; pages of text cost no OCR."""
    maker = PdfMaker()
    for _ in range(2):
        own(maker)
        scan(maker)
    seen: list[int] = []

    @contextmanager
    def around(page: int) -> Generator[None]:
        seen.append(page)
        yield

    document = read(maker.save().data, on_ocr=around)
    assert [frame.ocr for frame in document.pages] == [False, True, False, True]
    assert seen == [2, 4]
    assert fake.calls == 2
    assert (
        document.locator(document.text.index("read from"), document.text.index("read from") + 4).ocr is True
    )
    assert document.locator(0, 4).ocr is None


def test_a_page_without_an_engine_is_flagged(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest of the document is read; the flag says what to install."""
    monkeypatch.setattr(ocr, "engine", lambda: None)
    maker = PdfMaker()
    own(maker)
    scan(maker)
    document = read(maker.save().data)
    assert [(flag.page, flag.reason) for flag in document.flags] == [(2, ocr.MISSING)]
    assert "pincite[ocr]" in ocr.MISSING


def test_a_document_of_scans_without_an_engine_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is nothing else in it, so it is no document yet."""
    monkeypatch.setattr(ocr, "engine", lambda: None)
    maker = PdfMaker()
    scan(maker)
    with pytest.raises(EmptyError, match=r"pip install 'pincite\[ocr\]'"):
        read(maker.save().data)


def test_neither_engine_is_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    """No wheel with models and no program on the path: there is none."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(__import__("sys").modules, "pincite.reading._ocr_models", None)
    ocr.engine.cache_clear()
    try:
        assert ocr.engine() is None
    finally:
        ocr.engine.cache_clear()


def test_an_invisible_layer_over_its_ink_is_used(fake: Fake) -> None:
    """A scan that was recognised before needs no OCR."""
    maker = PdfMaker()
    page = maker.page((0, 0, 400, 110))
    page.scan(RULES, x=20, y=30, size=12, leading=1.5, dpi=100, layer=True)
    document = read(maker.save().data)
    assert document.text.split() == PROSE.split()
    assert fake.calls == 0
    assert not document.pages[0].ocr


def test_a_stamp_on_a_scan_does_not_keep_it_from_being_read(fake: Fake) -> None:
    """A few characters of text beside a picture of a whole page are not what the page says."""
    fake.text = "many more words are read from the picture than the stamp on it has, and they are taken"
    maker = PdfMaker()
    scan(maker).line("Received 4 May, Registry 7", 20, 100)
    document = read(maker.save().data)
    assert document.text == fake.text
    assert document.pages[0].ocr


def test_a_caption_beside_a_photograph_stays_the_pages_text(fake: Fake) -> None:
    """OCR finds nothing more in the picture, so the page's own letters are kept."""
    fake.text = "sign"
    maker = PdfMaker()
    scan(maker).line("The harbour in the spring of 1931", 20, 100)
    document = read(maker.save().data)
    assert document.text == "The harbour in the spring of 1931"
    assert not document.pages[0].ocr


@pytest.mark.parametrize(
    ("sure", "text"), [(0.99, "what a reader sees on it, read from the picture"), (0.6, None)]
)
def test_text_that_is_mostly_in_doubt_is_held_against_the_picture(
    fake: Fake, sure: float, text: str | None
) -> None:
    """White letters on white paper say one thing, and the page another; an engine that guesses decides nothing."""
    fake.text, fake.sure = "what a reader sees on it, read from the picture", sure
    maker = PdfMaker()
    page = maker.page((0, 0, 400, 300))
    page.block(50, 100, 200, 140)
    page.line("an order to a model that nobody can see on this page", 20, 40, grey=1.0)
    document = read(maker.save().data)
    assert fake.calls == 1
    assert document.pages[0].ocr == (text is not None)
    assert (document.text == text) == (text is not None)
    assert any("paper" in flag.reason or "seen" in flag.reason for flag in document.flags)


def test_a_blank_page_costs_nothing(fake: Fake) -> None:
    """There is no ink on it."""
    maker = PdfMaker()
    own(maker)
    maker.page((0, 0, 400, 300))
    document = read(maker.save().data)
    assert fake.calls == 0
    assert not document.flags


def test_a_page_that_takes_too_long_is_flagged_and_the_others_are_read(fake: Fake) -> None:
    """The deadline is one page's."""
    maker = PdfMaker()
    own(maker)
    scan(maker)
    fake.late = True
    document = read(maker.save().data)
    assert document.text.startswith("A page with a text")
    ((page, reason),) = [(flag.page, flag.reason) for flag in document.flags]
    assert page == 2
    assert reason == f"{ocr.LATE} 60 s"


def test_a_document_whose_scans_all_take_too_long_has_timed_out(fake: Fake) -> None:
    """It is not called empty."""
    maker = PdfMaker()
    scan(maker)
    fake.late = True
    with pytest.raises(TimedOutError):
        read(maker.save().data)


def test_only_so_many_pages_are_read_by_ocr(fake: Fake) -> None:
    """Ten thousand scanned pages would take days."""
    maker = PdfMaker()
    for _ in range(3):
        scan(maker)
    document = read(maker.save().data, replace(DEFAULT, ocr_pages=2))
    assert fake.calls == 2
    assert [flag.reason for flag in document.flags if flag.page == 3] == [
        "a scan: only 2 pages of a document are read by OCR"
    ]


def test_a_page_that_was_read_is_not_read_again_for_its_layout(fake: Fake) -> None:
    """A worker keeps it with the open document."""
    maker = PdfMaker()
    scan(maker)
    with open_pdf(maker.save().data, name="a.pdf") as file:
        kept: dict[int, Any] = {}
        first = page_layout(file, 1, fake.text, Scans(DEFAULT, None, kept))
        again = page_layout(file, 1, fake.text, Scans(DEFAULT, None, kept))
    assert fake.calls == 1
    assert first == again


def test_the_worker_reads_a_scan_under_caps_of_its_own() -> None:
    """The models alone take more than a page of text may; progress is told page by page."""
    maker = PdfMaker()
    own(maker)
    scan(maker)
    done: list[tuple[int, int]] = []
    with ReadingPool(replace(DEFAULT, workers=1, read_memory_bytes=256 * 1024 * 1024)) as pool:
        document = pool.read(
            maker.save().data, name="a.pdf", on_page=lambda page, pages: done.append((page, pages))
        )
        # What the models took is not taken from the next file's share.
        again = pool.read(maker.save().data, name="a.pdf")
    assert done == [(1, 2), (2, 2)]
    assert document.text.endswith(PROSE)
    assert again == document


def test_a_scanned_page_is_handed_on_with_its_characters(fake: Fake) -> None:
    """As `page_layout` finds them, to the width of a hair; a page of text has its file for that."""
    maker = PdfMaker()
    own(maker)
    scan(maker)
    data = maker.save().data
    document = read(data)
    text, scanned = document.layouts
    assert (text.packed, text.glyphs, scanned.glyphs) == (b"", None, None)
    kept = unpack_layout(scanned.packed, 2, scanned.end - scanned.start)
    with open_pdf(data, name="a.pdf") as file:
        _, found = page_layout(file, 2, fake.text, Scans(SMALL))
    assert found.glyphs is not None
    assert kept.glyphs is not None
    assert list(kept.glyphs) == pytest.approx(list(found.glyphs), abs=2e-5)
    assert [(one.start, one.end) for one in kept.lines] == [(one.start, one.end) for one in found.lines]
    # What is handed on is small: a few bytes a character.
    assert len(scanned.packed) < 64 + 8 * (scanned.end - scanned.start)
