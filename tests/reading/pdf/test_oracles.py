"""Every kind of writing on every kind of page: words are read as they were written, and boxed where they stand.

Each document here holds one kind of writing on one page for each rotation, visible box and way of turning. What is
true of it is known (`pdf_maker`); the ink of our own picture and poppler are asked too (`pdf_oracles`).
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TYPE_CHECKING

import pytest

from pdf_maker import SOFT, Made, Page, PdfMaker
from pdf_oracles import GOOD, Placed, agreement, ink, key, page_words, picture, poppler_words
from pincite.core.limits import DEFAULT
from pincite.reading.pdf import PdfReader, open_pdf

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pincite.core.geometry import Box

ROTATIONS = (0, 90, 180, 270)
# Media box, crop box, user unit. What is seen is always 280 by 240 units.
FRAMES: dict[
    str, tuple[tuple[float, float, float, float], tuple[float, float, float, float] | None, float | None]
] = {
    "plain": ((0, 0, 280, 240), None, None),
    "crop": ((0, 0, 400, 400), (70, 110, 350, 350), None),
    "origin": ((-50, 90, 230, 330), None, None),
    "origin and crop": ((-100, -100, 500, 500), (-30, 40, 250, 280), None),
    "crop beyond media": ((10, 20, 290, 260), (-50, -60, 900, 700), None),
    "crop partly outside": ((0, 0, 400, 400), (120, -50, 900, 240), None),
    "user unit": ((0, 0, 280, 240), None, 2.5),
    "origin, crop and user unit": ((30, 30, 600, 600), (40, 50, 320, 290), 0.5),
}


PAGES = list(product(ROTATIONS, FRAMES.values(), (True, False)))


def plain(page: Page) -> None:
    """Lines of several sizes."""
    page.line("Expenses need approval", 20, 40)
    page.line("over 100 euros", 20, 70, size=16)
    page.line("by your own manager today", 20, 90, size=7, font="courier")


def columns(page: Page) -> None:
    """Two columns, side by side."""
    page.columns(["the first of two columns has this text in it", "and the second column goes on over there"])


def hyphens(page: Page) -> None:
    """Words that are broken at a line's end."""
    text = f"of all con{SOFT}tracts some agree{SOFT}ments are con{SOFT}clud{SOFT}ed orally"
    page.paragraph(text, 20, 40, width=75)


def ligatures(page: Page) -> None:
    """One glyph for several letters."""
    page.line("the office files affect five", 20, 40, ligatures=("ffi", "fi", "ff"))


def right_to_left(page: Page) -> None:
    """Hebrew and Arabic, each as both kinds of programs write them."""
    for index, text in enumerate(("שלום עולם טוב", "مرحبا بكم جميعا")):
        for column, order in enumerate(("visual", "logical")):
            page.line(text, 20 + 120 * column, 40 + 40 * index, order=order)  # type: ignore[arg-type]


def squares(page: Page) -> None:
    """Chinese and Japanese without spaces, and drawn apart."""
    page.line("第一条規則適用", 20, 40)
    page.line("報告書は毎月提出", 20, 70, size=9, spacing=0.15)


def scan(page: Page) -> None:
    """A picture of text with the words unseen over it."""
    page.scan(["Scanned words here", "are under a layer"], layer=True)


def unseen(page: Page) -> None:
    """Words that a reader sees, and words that he does not."""
    page.line("these are seen", 20, 40)
    page.line("neverdrawn", 20, 70, mode=3, seen=False)
    page.line("whitewords", 20, 100, grey=1, seen=False)
    page.line("glassy", 20, 130, opacity=0, seen=False)
    page.line("layered", 20, 160, layer="off", seen=False)
    page.line("shown layer", 20, 190, layer="on")


def turned_lines(page: Page) -> None:
    """Writing that its own matrix turns by right angles."""
    page.line("going up here", 40, 120, angle=90)
    page.line("coming down", 80, 40, angle=270)
    page.line("on its head", 200, 60, angle=180)


def slanted(page: Page) -> None:
    """Writing at other angles."""
    page.line("four words go up", 30, 150, angle=45)
    page.line("and some down", 120, 60, angle=-30)


def doubled(page: Page) -> None:
    """Glyphs that are drawn twice to look bold."""
    page.line("Bold heading made twice", 20, 40, size=14, twice=0.03)
    page.line("plain words under it", 20, 70)


def spaced(page: Page) -> None:
    """Words without spaces in the file, and letters drawn apart."""
    page.line("no space between these", 20, 40, spaces=False)
    page.line("letters apart", 20, 80, spacing=0.08)


def downwards(page: Page) -> None:
    """Japanese with a vertical font."""
    page.down("縦書文書", 200, 30)
    page.down("二行目", 180, 30)


KINDS: dict[str, Callable[[Page], None]] = {
    one.__name__: one
    for one in (
        plain, columns, hyphens, ligatures, right_to_left, squares, scan, unseen, turned_lines, slanted, doubled,
        spaced, downwards,
    )
}  # fmt: skip


@cache
def made(kind: str) -> Made:
    """Return the document of one kind of writing."""
    maker = PdfMaker()
    for rotation, (media, crop, unit), as_seen in PAGES:
        KINDS[kind](maker.page(media, crop=crop, rotate=rotation, unit=unit, as_seen=as_seen))
    return maker.save()


def near(one: tuple[float, float, float, float], box: Box, width: float, height: float) -> bool:
    """Say whether two boxes are the same to a hundredth of their page's shorter side."""
    least = 0.004 * min(width, height)
    return (
        max(abs(one[0] - box.x0), abs(one[2] - box.x1)) * width <= least
        and max(abs(one[1] - box.y0), abs(one[3] - box.y1)) * height <= least
    )


@pytest.mark.parametrize("kind", KINDS)
def test_every_word_is_read_and_boxed_on_every_kind_of_page(kind: str) -> None:
    """The words that were written are read, and stand where they were put; what is unseen has no box."""
    document = made(kind)
    faults: list[str] = []
    with open_pdf(document.data, name="made.pdf") as file:
        for page in document.pages:
            ours = page_words(file, page.number)
            for word in document.on_page(page.number):
                found = [one for one in ours if key(one.text) == key(word.text)]
                if not word.seen:
                    faults += [f"{page.number} {word.text} is boxed" for one in found if one.boxes]
                elif not any(
                    len(one.boxes) == len(word.boxes)
                    and all(
                        near(mine, box, page.width, page.height)
                        for mine, box in zip(one.boxes, word.boxes, strict=True)
                    )
                    for one in found
                ):
                    faults.append(f"{page.number} {word} {found}")
    assert not faults, "\n".join([f"{len(faults)} faults", *faults[:20]])


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_held_for_true_is_where_the_ink_is(kind: str) -> None:
    """The maker's own places hold ink, and hardly any ink is outside: what the other tests compare with is right."""
    document = made(kind)
    faults: list[str] = []
    with open_pdf(document.data, name="made.pdf") as file:
        for page in document.pages:
            words = [
                Placed(word.text, tuple((box.x0, box.y0, box.x1, box.y1) for box in word.boxes))
                for word in document.on_page(page.number)
                if word.seen
            ]
            seen = ink(picture(file, page.number, dpi=72), words)
            if seen.empty or seen.outside > 0.02:
                faults.append(f"{page.number} outside {seen.outside:.3f}, empty {seen.empty}")
    assert not faults, "\n".join([f"{len(faults)} faults", *faults[:20]])


@pytest.mark.parametrize("kind", KINDS)
def test_the_ink_of_our_picture_is_in_the_boxes(kind: str) -> None:
    """Each box holds ink, and hardly any ink is outside of all of them."""
    document = made(kind)
    faults: list[str] = []
    with open_pdf(document.data, name="made.pdf") as file:
        for page in document.pages:
            seen = ink(picture(file, page.number, dpi=72), page_words(file, page.number))
            if seen.empty or seen.outside > 0.02 or not seen.checked:
                faults.append(
                    f"{page.number} outside {seen.outside:.3f} of {seen.checked}, empty {seen.empty}"
                )
    assert not faults, "\n".join([f"{len(faults)} faults", *faults[:20]])


# What poppler's text output cannot tell: it gives unseen words, too; slanted words in upright pieces of their own;
# glyphs of a vertical font half an em aside; and right-to-left writing that comes from left to right, letter by letter.
NOT_POPPLER = {"unseen", "slanted", "downwards", "right_to_left"}


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in NOT_POPPLER])
def test_poppler_says_the_same(kind: str, pdftotext: str, tmp_path: Path) -> None:
    """On pages that are not turned, poppler's boxes of the words that both read are ours: IoU .7 for 95 % of them."""
    document = made(kind)
    path = tmp_path / "made.pdf"
    path.write_bytes(document.data)
    whole: list[float] = []
    theirs = shared = 0
    with open_pdf(document.data, name="made.pdf") as file:
        rows = zip(document.pages, PAGES, poppler_words(pdftotext, path), strict=True)
        for page, (_, frame, _), words in rows:
            # Of a crop box that is partly outside, poppler takes the media box for the sides that are.
            if page.rotation or frame == FRAMES["crop partly outside"]:
                continue
            found = agreement(page_words(file, page.number), words)
            whole += found.whole
            theirs, shared = theirs + found.theirs, shared + found.shared
    assert shared >= 0.7 * theirs > 0
    assert sum(value >= GOOD for value in whole) >= 0.95 * len(whole)


def test_the_frames_are_what_the_reader_sees() -> None:
    """Width, height and rotation of each page are those of its visible box, turned, in points."""
    document = made("plain")
    read = PdfReader().read(document.data, name="made.pdf", limits=DEFAULT)
    told = [(page.number, page.width, page.height, page.rotation) for page in read.pages]
    assert told == [
        (page.number, pytest.approx(page.width), pytest.approx(page.height), page.rotation)
        for page in document.pages
    ]


def test_a_mark_alone_on_its_line_loses_no_page() -> None:
    """A vowel sign without its letter, between lines of Syriac: it is one character of the text like any other."""
    maker = PdfMaker()
    page = maker.page()
    for y, text in ((40, "\u0721\u0718"), (80, "\u073f"), (120, "\u0715\u072a")):
        page.line(text, 60, y)
    document = PdfReader().read(maker.save().data, name="made.pdf", limits=DEFAULT)
    assert "\u0721\u0718" in document.text
    assert "\u0715\u072a" in document.text
    assert document.flags == ()
