"""A marked copy shows its marks where our boxes are, in poppler, PDFium and pdf.js, on every kind of page."""

from __future__ import annotations

import io
import json
import re
import subprocess
from typing import TYPE_CHECKING, Any

import numpy as np
import pikepdf
import pytest
from PIL import Image

from pdf_maker import Made, PdfMaker
from pdf_oracles import page_words
from pincite.core.errors import DamagedError, EncryptedError, InputError
from pincite.core.geometry import Box
from pincite.core.limits import DEFAULT
from pincite.reading.marks import Mark
from pincite.reading.pdf import annotated, open_pdf, render_page
from pincite.reading.pdf._pdfium import close_page
from pincite.reading.pdf.annotate import inverse
from pincite.reading.pdf.geometry import load_page, page_affine

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

# Media box, crop box, user unit; each is turned four ways, and written upright and not.
FRAMES: tuple[
    tuple[tuple[float, float, float, float], tuple[float, float, float, float] | None, float | None], ...
] = (
    ((0, 0, 280, 240), None, None),
    ((0, 0, 400, 400), (70, 110, 350, 350), None),
    ((-100, -100, 500, 500), (-30, 40, 250, 280), None),
    ((10, 20, 290, 260), (-50, -60, 900, 700), None),
    ((30, 30, 600, 600), (40, 50, 320, 290), 2.0),
)


def document() -> Made:
    """Return pages of every kind, each with three lines."""
    maker = PdfMaker()
    for frame in FRAMES:
        media, crop, unit = frame
        for rotation in (0, 90, 180, 270):
            for as_seen in (True, False):
                page = maker.page(media, crop=crop, rotate=rotation, unit=unit, as_seen=as_seen)
                page.line("Expenses need approval", 20, 40, size=14)
                page.line("over one hundred euros", 20, 70, size=14)
                page.line("each month", 20, 180, size=14)
    return maker.save()


MADE = document()


def marks_of(made: Made) -> list[Mark]:
    """Return two marks a page: two lines, whole, and one word."""
    found: list[Mark] = []
    for page in made.pages:
        words = made.on_page(page.number)
        lines = [words[0:3], words[3:7]]
        boxes = tuple(
            Box(
                page.number,
                min(word.boxes[0].x0 for word in line),
                min(word.boxes[0].y0 for word in line),
                max(word.boxes[0].x1 for word in line),
                max(word.boxes[0].y1 for word in line),
            )
            for line in lines
        )
        found += [
            Mark(1, boxes, "Expenses need approval over one hundred euros"),
            Mark(12, words[8].boxes, "month", title="The handbook"),
        ]
    return found


MARKS = marks_of(MADE)
COPY = annotated(MADE.data, MARKS)


def tint(pixels: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return where a picture has the highlight's colour."""
    red, green, blue = (pixels[..., part].astype(int) for part in range(3))
    return (abs(red - 255) < 12) & (abs(green - 241) < 12) & (abs(blue - 168) < 12)


def shown_right(pixels: NDArray[np.uint8], boxes: Sequence[Box]) -> str:
    """Return what is wrong with the tint in a picture whose marks stand at `boxes`, nothing when all is right."""
    height, width, _ = pixels.shape
    where = tint(pixels)
    inside = np.zeros((height, width), bool)
    for box in boxes:
        left, top = round(box.x0 * width), round(box.y0 * height)
        right, bottom = round(box.x1 * width), round(box.y1 * height)
        inside[max(0, top - 1) : bottom + 1, max(0, left - 1) : right + 1] = True
        paper = pixels[top + 1 : bottom - 1, left + 1 : right - 1].min(axis=2) > 250
        if paper.any():
            return f"{box} is left white in {paper.mean():.2f}"
        # Black stays black: the words can be read.
        if pixels[top:bottom, left:right].min() > 90:
            return f"{box} hides its words"
    astray = (where & ~inside).sum() / max(1, where.sum())
    return f"{astray:.3f} of the tint is outside" if astray > 0.01 else ""


def faults(pictures: Sequence[NDArray[np.uint8]]) -> list[str]:
    """Return what is wrong on each page of the marked copy."""
    found: list[str] = []
    for page, pixels in zip(MADE.pages, pictures, strict=True):
        boxes = [box for mark in MARKS for box in mark.boxes if box.page == page.number]
        wrong = shown_right(pixels, boxes)
        if wrong:
            found.append(f"{page}: {wrong}")
    return found


def test_pdfium_shows_the_marks_where_the_boxes_are() -> None:
    """Our own picture of the copy is tinted in the boxes and nowhere else."""
    pictures: list[NDArray[np.uint8]] = []
    with open_pdf(COPY, name="copy.pdf") as file:
        for page in MADE.pages:
            bitmap = render_page(file, page.number, dpi=72, crop=None, limits=DEFAULT)
            assert bitmap.mode == "RGB"
            pictures.append(np.frombuffer(bitmap.data, np.uint8).reshape(bitmap.height, bitmap.width, 3))
    assert faults(pictures) == []


def test_poppler_shows_the_marks_where_the_boxes_are(pdftoppm: str, tmp_path: Path) -> None:
    """So is poppler's."""
    path = tmp_path / "copy.pdf"
    path.write_bytes(COPY)
    subprocess.run(
        [pdftoppm, "-q", "-r", "72", "-cropbox", "-png", str(path), str(tmp_path / "p")], check=True
    )
    files = sorted(tmp_path.glob("p-*.png"))
    assert len(files) == len(MADE.pages)
    assert faults([np.asarray(Image.open(file).convert("RGB")) for file in files]) == []


def test_pdfjs_finds_the_marks_where_the_boxes_are(pdfjs: Sequence[str], tmp_path: Path) -> None:
    """pdf.js gives the corners of each line in its own frame, in an order of its own: they are ours."""
    path = tmp_path / "copy.pdf"
    path.write_bytes(COPY)
    done = subprocess.run([*pdfjs, str(path)], check=True, capture_output=True, text=True)
    pages: list[Any] = json.loads(done.stdout)
    for truth, page in zip(MADE.pages, pages, strict=True):
        assert page["rotation"] == truth.rotation
        own = [mark for mark in MARKS if mark.boxes[0].page == truth.number]
        assert [mark["text"] for mark in page["marks"]] == [f"[{mark.number}] {mark.text}" for mark in own]
        assert [mark["title"] for mark in page["marks"]] == ["[1]", "The handbook"]
        for mark, found in zip(own, page["marks"], strict=True):
            assert found["appearance"]
            assert len(found["quads"]) == len(mark.boxes)
            for box, quad in zip(mark.boxes, found["quads"], strict=True):
                xs, ys = zip(*quad, strict=True)
                assert [min(xs), min(ys), max(xs), max(ys)] == pytest.approx(
                    [box.x0, box.y0, box.x1, box.y1], abs=1e-4
                )


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_corners_come_as_the_line_is_read(rotation: int) -> None:
    """Top left, top right, bottom left, bottom right, as the reader sees them: what viewers in use expect."""
    maker = PdfMaker()
    maker.page((0, 0, 200, 100), rotate=rotation).line("word", 20, 40)
    made = maker.save()
    with pikepdf.open(io.BytesIO(annotated(made.data, [Mark(1, (Box(1, 0.1, 0.2, 0.5, 0.4),))]))) as pdf:
        found = [float(value) for value in pdf.pages[0].obj["/Annots"][0].QuadPoints]
    # The page is 200 by 100 points, y upwards; turned by 90 degrees, its left edge is at the top of what is seen.
    wanted = {
        0: [20, 80, 100, 80, 20, 60, 100, 60],
        90: [40, 10, 40, 50, 80, 10, 80, 50],
        180: [180, 20, 100, 20, 180, 40, 100, 40],
        270: [160, 90, 160, 50, 120, 90, 120, 50],
    }
    assert found == pytest.approx(wanted[rotation], abs=0.01)


def test_what_a_mark_says() -> None:
    """Number, words and title are there; it is printed, and has a look of its own with the number in it."""
    with pikepdf.open(io.BytesIO(COPY)) as pdf:
        first, second = list(pdf.pages[0].obj["/Annots"])
        assert (str(first.Contents), str(first.T)) == (
            "[1] Expenses need approval over one hundred euros",
            "[1]",
        )
        assert (str(second.Contents), str(second.T)) == ("[12] month", "The handbook")
        assert (str(first.Subtype), int(first.F), len(first.QuadPoints)) == ("/Highlight", 4, 16)
        assert first.P.objgen == pdf.pages[0].obj.objgen
        assert b"(12) Tj" in second.AP.N.read_bytes()
        names = [str(one.NM) for page in pdf.pages for one in page.obj["/Annots"]]
        assert len(set(names)) == len(names)


def test_the_text_of_the_copy_is_the_original_s() -> None:
    """A marked copy reads as its original does, word by word and place by place."""
    with open_pdf(COPY, name="copy.pdf") as copy, open_pdf(MADE.data, name="made.pdf") as original:
        for page in MADE.pages:
            assert page_words(copy, page.number) == page_words(original, page.number)


def test_the_same_marks_give_the_same_bytes() -> None:
    """Nothing in a copy depends on the clock."""
    assert annotated(MADE.data, MARKS) == COPY


def one_page(**options: Any) -> Made:
    """Return a page with two words."""
    maker = PdfMaker()
    maker.page().line("two words", 20, 40)
    return maker.save(**options)


def test_what_was_there_stays_and_a_shared_list_of_notes_is_no_longer_shared(make_pdf: Any) -> None:
    """Two pages with one array of annotations: a mark on the first does not show on the second."""
    note = b"<< /Type /Annot /Subtype /Text /Rect [10 10 20 20] /Contents (mine) >>"
    page = "/MediaBox [0 0 300 300] /Annots 11 0 R"
    data = make_pdf(("", page), ("", page), objects=(note, b"[10 0 R]"))
    with pikepdf.open(io.BytesIO(annotated(data, [Mark(1, (Box(1, 0.1, 0.1, 0.5, 0.2),))]))) as pdf:
        kinds = [[str(one.Subtype) for one in page.obj["/Annots"]] for page in pdf.pages]
    assert kinds == [["/Text", "/Highlight"], ["/Text"]]


def test_fields_that_hang_in_no_form_are_no_fault(make_pdf: Any) -> None:
    """The program that writes the copy warns of them; they stay as they are."""
    field = b"<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /Rect [10 10 60 30] >>"
    data = make_pdf(("", "/MediaBox [0 0 300 300] /Annots [10 0 R]"), objects=(field,))
    with pikepdf.open(io.BytesIO(annotated(data, [Mark(1, (Box(1, 0.1, 0.1, 0.5, 0.2),))]))) as pdf:
        assert [str(one.Subtype) for one in pdf.pages[0].obj["/Annots"]] == ["/Widget", "/Highlight"]


@pytest.mark.parametrize("held", ["/Annots null", "/Annots 7", "/Annots 99 0 R", "/Annots []", ""])
def test_a_damaged_list_of_notes_is_no_fault(make_pdf: Any, held: str) -> None:
    """Whatever stands for the list, the mark is there afterwards."""
    data = make_pdf(("", f"/MediaBox [0 0 300 300] {held}"))
    with pikepdf.open(io.BytesIO(annotated(data, [Mark(1, (Box(1, 0.1, 0.1, 0.5, 0.2),))]))) as pdf:
        assert [str(one.Subtype) for one in pdf.pages[0].obj["/Annots"]] == ["/Highlight"]


def test_the_words_are_bounded_and_shown_as_they_are(make_pdf: Any) -> None:
    """Any script, one line, no control characters, no longer than a snippet."""
    data = make_pdf(("", "/MediaBox [0 0 300 300]"))
    text = "Zürich\n(Straße) \\ \x00\x07 שלום 東京 \U0001f600 " + "long " * 500
    with pikepdf.open(io.BytesIO(annotated(data, [Mark(3, (Box(1, 0.1, 0.1, 0.5, 0.2),), text)]))) as pdf:
        said = str(pdf.pages[0].obj["/Annots"][0].Contents)
    assert said.startswith("[3] Zürich (Straße) \\")
    assert "שלום 東京 \U0001f600" in said
    assert len(said) <= DEFAULT.snippet_code_points + len("[3] ")
    assert re.search(r"[\x00-\x1f]", said) is None


def test_numbers_that_meet_stand_side_by_side() -> None:
    """Three marks on the same words: their numbers are drawn at three places."""
    made = one_page()
    box = made.words[0].boxes
    with pikepdf.open(io.BytesIO(annotated(made.data, [Mark(n, box) for n in (1, 2, 3)]))) as pdf:
        looks = [one.AP.N.read_bytes().decode() for one in pdf.pages[0].obj["/Annots"]]
    places = [float(re.search(r"([\d.]+) [\d.]+ Tm", look)[1]) for look in looks]  # type: ignore[index]
    assert places[0] < places[1] < places[2]


def test_a_mark_over_two_pages_is_on_both() -> None:
    """Each page has the boxes that stand on it."""
    maker = PdfMaker()
    for _ in range(2):
        maker.page().line("two words", 20, 40)
    made = maker.save()
    mark = Mark(4, (made.words[1].boxes[0], made.words[2].boxes[0]), "words two")
    with pikepdf.open(io.BytesIO(annotated(made.data, [mark]))) as pdf:
        found = [len(page.obj["/Annots"][0].QuadPoints) for page in pdf.pages]
    assert found == [8, 8]


def test_a_box_beyond_the_edge_is_cut() -> None:
    """What lies off the page is no part of a mark."""
    made = one_page()
    with pikepdf.open(io.BytesIO(annotated(made.data, [Mark(1, (Box(1, -1, 0.1, 0.5, 9),))]))) as pdf:
        points = [float(value) for value in pdf.pages[0].obj["/Annots"][0].QuadPoints]
    assert points == pytest.approx([0, 180, 150, 180, 0, 0, 150, 0], abs=0.01)


def test_a_locked_document_is_refused_and_an_openable_one_stays_as_locked_as_it_was() -> None:
    """A password that is needed is not known; one that is empty stays, and so does what the owner forbids."""
    locked = one_page(encryption=pikepdf.Encryption(owner="boss", user="me"))
    mark = [Mark(1, (Box(1, 0.1, 0.1, 0.5, 0.2),))]
    with pytest.raises(EncryptedError):
        annotated(locked.data, mark)
    forbidden = pikepdf.Permissions(extract=False)
    open_to_all = one_page(encryption=pikepdf.Encryption(owner="boss", user="", allow=forbidden))
    with pikepdf.open(io.BytesIO(annotated(open_to_all.data, mark))) as pdf:
        assert pdf.is_encrypted
        assert not pdf.allow.extract
        assert len(pdf.pages[0].obj["/Annots"]) == 1


def test_a_document_that_was_rebuilt_is_marked_where_it_was_read(make_pdf: Any) -> None:
    """Cut off before its table, it is read after a repair; its copy opens, and has the mark."""
    data = make_pdf(("BT /F 20 Tf 50 200 Td (word) Tj ET", "/MediaBox [0 0 300 300]"))
    cut = data[: data.index(b"xref")]
    with pikepdf.open(io.BytesIO(annotated(cut, [Mark(1, (Box(1, 0.1, 0.1, 0.5, 0.2),))]))) as pdf:
        assert len(pdf.pages[0].obj["/Annots"]) == 1


@pytest.mark.parametrize("data", [b"", b"no pdf", b"%PDF-1.7\n%%EOF"])
def test_what_is_no_pdf_is_damaged(data: bytes) -> None:
    """No copy of it is written."""
    with pytest.raises(DamagedError):
        annotated(data, [Mark(1, (Box(1, 0.1, 0.1, 0.5, 0.2),))])


@pytest.mark.parametrize(
    "marks",
    [
        [],
        "marks",
        None,
        [None],
        [Mark(0, (Box(1, 0, 0, 1, 1),))],
        [Mark(True, (Box(1, 0, 0, 1, 1),))],
        [Mark(1.5, (Box(1, 0, 0, 1, 1),))],  # type: ignore[arg-type]
        [Mark(1, ())],
        [Mark(1, (Box(2, 0, 0, 1, 1),))],
        [Mark(1, (Box(0, 0, 0, 1, 1),))],
        [Mark(1, (None,))],  # type: ignore[arg-type]
        [Mark(1, (Box(1, 0, 0, 1, 1),), 7)],  # type: ignore[arg-type]
        [Mark(1, (Box(1, 0, 0, 1, 1),))] * (DEFAULT.document_marks + 1),
    ],
    ids=lambda marks: str(marks)[:40],
)
def test_marks_that_cannot_be_used_are_refused(marks: Any) -> None:
    """Each is a plain sentence about `marks`."""
    with pytest.raises(InputError) as caught:
        annotated(one_page().data, marks)
    assert caught.value.field == "marks"


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_the_way_back_is_the_way_there(rotation: int) -> None:
    """A place goes to fractions and back to itself."""
    maker = PdfMaker()
    maker.page((10, -20, 310, 180), crop=(40, 0, 200, 150), rotate=rotation)
    with open_pdf(maker.save().data, name="made.pdf") as file:
        page = load_page(file.handle, 0)
        affine = page_affine(page)
        close_page(page)
    assert inverse(affine).apply(*affine.apply(61.5, 17.25)) == pytest.approx((61.5, 17.25), abs=1e-3)
