"""Words of real documents stand where poppler says, an engine that shares no code with ours, and where their ink is."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

import pikepdf
import pytest

from pdf_oracles import GOOD, Agreement, Ink, agreement, ink, page_words, picture, poppler_words, turned
from pincite.core.limits import DEFAULT
from pincite.reading.pdf import PdfReader, open_pdf

if TYPE_CHECKING:
    from pincite.reading.pdf import PdfFile

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "handbook.pdf"

# Each document, and the share of poppler's words that must be ours, and of these that must overlap by `GOOD`.
# The transcript's typewriter font is not embedded, the letter's is a drawn one: engines put their heights elsewhere.
SHARED = {
    "pdfplumber__federal-register-2020-17221.pdf": (0.94, 0.95),
    "pdfplumber__nics-background-checks-2015-11-rotated.pdf": (0.95, 0.95),
    "pdfplumber__scotus-transcript-p1.pdf": (0.95, None),
    "pypdfium2__box_fallback.pdf": (1.0, 0.95),
    "sample-files__google-doc-document.pdf": (0.9, 0.95),
    "sample-files__habibi-rotated.pdf": (0.5, None),
    "sample-files__multicolumn.pdf": (0.9, 0.95),
}


PAGES = 4
"""Pages of each document that are looked at, the first ones."""


def unturned(data: bytes) -> bytes:
    """Return a document whose pages are not turned: poppler's boxes are of such pages."""
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(data)) as pdf:
        for page in pdf.pages:
            page.obj["/Rotate"] = 0
        pdf.save(out)
    return out.getvalue()


def judged(file: PdfFile, path: Path, pdftotext: str) -> tuple[Agreement, Ink]:
    """Return what poppler and ink say of the first pages of a document; `path` is a place for its twin."""
    path.write_bytes(unturned(file.data))
    pages = PdfReader().read(file.data, name="file.pdf", limits=DEFAULT).pages
    whole, seen = Agreement(), Ink()
    for page, theirs in zip(pages, poppler_words(pdftotext, path, last=PAGES), strict=False):
        ours = page_words(file, page.number)
        one = agreement(ours, [(text, turned(box, page.rotation)) for text, box in theirs])
        whole.theirs += one.theirs
        whole.shared += one.shared
        whole.whole += one.whole
        whole.ends += one.ends
        found = ink(picture(file, page.number), ours)
        seen.checked += found.checked
        seen.empty += found.empty
    return whole, seen


def share(values: list[float], least: float) -> float:
    """Return the share of values that are `least` or more."""
    return sum(value >= least for value in values) / max(1, len(values))


@pytest.mark.parametrize("name", SHARED)
def test_words_of_hard_documents_stand_where_poppler_and_ink_say(
    shared: Path, pdftotext: str, tmp_path: Path, name: str
) -> None:
    """Nearly every word of poppler's is ours too, its ends alike, its height alike where both read the font's."""
    found_share, good_share = SHARED[name]
    with open_pdf((shared / "pdfs" / name).read_bytes(), name=name) as file:
        whole, seen = judged(file, tmp_path / "twin.pdf", pdftotext)
    assert whole.shared >= found_share * whole.theirs
    assert share(whole.ends, 0.8) >= 0.95
    assert good_share is None or share(whole.whole, GOOD) >= good_share
    assert seen.checked > 0
    assert len(seen.empty) <= 0.002 * seen.checked, seen.empty[:5]


def test_the_handbook_is_poppler_s_too(pdftotext: str, tmp_path: Path) -> None:
    """The example that we ship."""
    with open_pdf(EXAMPLE.read_bytes(), name="handbook.pdf") as file:
        whole, seen = judged(file, tmp_path / "twin.pdf", pdftotext)
    assert whole.shared > 500
    assert whole.shared >= 0.95 * whole.theirs
    assert share(whole.whole, GOOD) >= 0.95
    assert seen.empty == []
