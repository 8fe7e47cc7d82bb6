"""Form fields, stamps and typed comments: what they show is on our picture, in the text, and boxed there."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name

from pincite.core.limits import DEFAULT
from pincite.reading.pdf import PdfReader, open_pdf, page_layout, render_page

LABELS = b"BT /F 12 Tf 72 700 Td (Name of the applicant) Tj 0 -40 Td (I agree to the terms) Tj ET"


def form(
    *, look: bool = True, page: dict[str, Any] | None = None, parent: dict[str, Any] | None = None
) -> bytes:
    """Return a page with a text field, a choice, two boxes of which one is ticked, a hidden field, a typed comment.

    Without `look` the fields have values alone. `page` and `parent` are entries of the page and of the page tree.
    """
    pdf = pikepdf.new()
    one = pdf.add_blank_page(page_size=(612, 792))
    fonts = Dictionary(
        F=Dictionary(
            Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Courier, Encoding=Name.WinAnsiEncoding
        ),
        Z=Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.ZapfDingbats),
    )
    one.Resources = Dictionary(Font=fonts)
    one.Contents = pdf.make_stream(LABELS)
    if parent:
        del one.obj["/MediaBox"]
        for key, value in parent.items():
            pdf.Root.Pages[key] = value
    for key, value in (page or {}).items():
        one.obj[key] = value

    def drawn(content: bytes, width: float, height: float) -> Any:
        stream = pdf.make_stream(content)
        stream.Type, stream.Subtype, stream.BBox = Name.XObject, Name.Form, Array([0, 0, width, height])
        stream.Resources = Dictionary(Font=fonts)
        return stream

    def typed(text: str) -> Any:
        return Dictionary(N=drawn(b"/Tx BMC q BT /F 12 Tf 2 5 Td (%s) Tj ET Q EMC" % text.encode(), 200, 20))

    def field(rect: list[float], **entries: Any) -> Any:
        common: dict[str, Any] = {
            "Type": Name.Annot,
            "Subtype": Name.Widget,
            "Rect": Array(rect),
            "F": 4,
            "DA": b"/F 12 Tf 0 g",
        }
        return pdf.make_indirect(Dictionary(**(common | entries)))

    looks = {"AP": typed("Jane Example")} if look else {}
    named = field([300, 695, 500, 715], FT=Name.Tx, T=b"name", V=b"Jane Example", **looks)
    looks = {"AP": typed("Norway")} if look else {}
    chosen = field(
        [300, 600, 500, 620], FT=Name.Ch, T=b"land", V=b"Norway", Ff=1 << 17, Opt=Array([b"Norway"]), **looks
    )
    ticks = Dictionary(
        N=Dictionary(Yes=drawn(b"q BT /Z 12 Tf 2 3 Td (4) Tj ET Q", 16, 16), Off=drawn(b"", 16, 16))
    )
    ticked = field([50, 656, 66, 672], FT=Name.Btn, T=b"a", V=Name.Yes, AS=Name.Yes, AP=ticks)
    empty = field([50, 556, 66, 572], FT=Name.Btn, T=b"b", V=Name.Off, AS=Name.Off, AP=ticks)
    hidden = field([300, 500, 500, 520], FT=Name.Tx, T=b"c", V=b"nobody", AP=typed("nobody"), F=2)
    note = field([72, 450, 272, 470], AP=typed("typed comment"), Contents=b"typed comment")
    note.Subtype = Name.FreeText
    fields = [named, chosen, ticked, empty, hidden]
    one.obj["/Annots"] = Array([*fields, note])
    pdf.Root.AcroForm = Dictionary(
        Fields=Array(fields), DR=Dictionary(Font=fonts), DA=b"/F 12 Tf 0 g", NeedAppearances=not look
    )
    out = io.BytesIO()
    pdf.save(out)
    return out.getvalue()


FRAMES: dict[str, dict[str, Any]] = {
    "plain": {},
    "turned": {"page": {"/Rotate": 90}},
    "cropped": {"page": {"/CropBox": Array([20, 300, 600, 750])}},
    "origin": {"page": {"/MediaBox": Array([-50, 100, 562, 780])}},
    "inherited": {"parent": {"/MediaBox": Array([0, 300, 560, 900])}},
}


@pytest.mark.parametrize("look", [True, False], ids=["drawn by its program", "only a value"])
@pytest.mark.parametrize("frame", FRAMES)
def test_what_a_form_shows_is_read_drawn_and_boxed(frame: str, *, look: bool) -> None:
    """The values of text and choice fields, the tick and the comment are there once; what is hidden is not."""
    data = form(look=look, **FRAMES[frame])
    with open_pdf(data, name="form.pdf") as file:
        text, layout = page_layout(file, 1)
        picture = render_page(file, 1, dpi=72, crop=None, limits=DEFAULT)
        assert page_layout(file, 1)[0] == text
    words = text.split()
    assert sorted(words) == sorted(
        "Name of the applicant I agree to the terms Jane Example Norway typed comment \u2714".split()
    )
    for word in ("Jane", "Norway", "typed", "\u2714"):
        start = text.index(word)
        (box,) = layout.boxes(start, start + len(word))
        rows = range(int(box.y0 * picture.height), int(box.y1 * picture.height) + 1)
        left, right = int(box.x0 * picture.width), int(box.x1 * picture.width) + 1
        step = len(picture.mode)
        assert (
            min(
                min(picture.data[(row * picture.width + left) * step : (row * picture.width + right) * step])
                for row in rows
            )
            < 128
        )
    if frame == "plain":
        (box,) = layout.boxes(text.index("Jane"), text.index("Jane") + 4)
        assert (box.x0 * 612, box.x1 * 612) == pytest.approx((302, 302 + 4 * 7.2), abs=1.5)
        assert box.y0 * 792 == pytest.approx(792 - 700 - 9.6, abs=3)


def test_pages_without_fields_are_left_as_they_are(make_pdf: Any) -> None:
    """Links put nothing on a page, so it is not touched."""
    links = "/Annots [<< /Type /Annot /Subtype /Link /Rect [72 690 200 712] /A << /S /URI /URI (x:y) >> >>]"
    data = make_pdf(("BT /F 12 Tf 72 700 Td (words with a link) Tj ET", f"/MediaBox [0 0 612 792] {links}"))
    assert PdfReader().read(data, name="links.pdf", limits=DEFAULT).text == "words with a link"


def many(pages: int, each: int) -> bytes:
    """Return pages with a text and so many comments typed on each, which are numbered."""
    pdf = pikepdf.new()
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Courier)
    fonts = Dictionary(F=pdf.make_indirect(font))
    for page in range(pages):
        one = pdf.add_blank_page(page_size=(612, 792))
        one.Resources, one.Contents = Dictionary(Font=fonts), pdf.make_stream(LABELS)
        notes: list[Any] = []
        for number in range(each):
            look = pdf.make_stream(b"BT /F 8 Tf 0 2 Td (note%d) Tj ET" % (page * each + number))
            look.Type, look.Subtype, look.BBox = Name.XObject, Name.Form, Array([0, 0, 60, 10])
            look.Resources = Dictionary(Font=fonts)
            left, bottom = 10 + number % 8 * 70, 20 + number // 8 * 12
            note = Dictionary(
                Type=Name.Annot,
                Subtype=Name.FreeText,
                Rect=Array([left, bottom, left + 60, bottom + 10]),
                F=4,
                AP=Dictionary(N=look),
            )
            notes.append(pdf.make_indirect(note))
        one.obj["/Annots"] = Array(notes)
    out = io.BytesIO()
    pdf.save(out)
    return out.getvalue()


def noted(text: str) -> list[str]:
    """Return the comments in a text, sorted."""
    return sorted(word for word in text.split() if word.startswith("note"))


def test_a_page_with_20_000_form_fields_holds_the_first() -> None:
    """Here 12 where 5 are allowed: what is left out is neither read nor drawn, and is told."""
    limits = replace(DEFAULT, page_fields=5)
    document = PdfReader().read(many(1, 12), name="a.pdf", limits=limits)
    assert noted(document.text) == [f"note{number}" for number in range(5)]
    assert [(flag.page, flag.reason) for flag in document.flags] == [
        (1, "form fields and remarks that are left out, as there are too many: 7")
    ]
    with open_pdf(many(1, 12), name="a.pdf") as file:
        assert noted(page_layout(file, 1, limits=limits)[0]) == noted(document.text)


def test_a_document_with_20_000_form_fields_holds_the_first() -> None:
    """Here 4 pages with 3 each where 6 are allowed; the pages behind are read without theirs."""
    limits = replace(DEFAULT, document_fields=6)
    document = PdfReader().read(many(4, 3), name="a.pdf", limits=limits)
    assert noted(document.text) == [f"note{number}" for number in range(6)]
    assert [flag.page for flag in document.flags] == [3, 4]
