"""Damaged and encrypted PDFs: what can be opened is, and what cannot says why."""

from __future__ import annotations

import io
import re
from contextlib import suppress
from typing import Any

import pikepdf
import pytest

from pincite.core.errors import DamagedError, EmptyError, EncryptedError, TooLargeError
from pincite.core.limits import DEFAULT
from pincite.reading.pdf import PdfReader, open_pdf

PAGE = "/MediaBox [0 0 612 792]"
WORDS = "BT /F 20 Tf 72 700 Td (some words) Tj ET"


def read(data: bytes) -> Any:
    """Read a PDF in this process."""
    return PdfReader().read(data, name="test.pdf", limits=DEFAULT)


def saved(data: bytes, **options: Any) -> bytes:
    """Return the PDF as qpdf writes it."""
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(data)) as pdf:
        pdf.save(out, **options)
    return out.getvalue()


def test_an_empty_user_password_opens(make_pdf: Any) -> None:
    """A file that only its owner's password protects is read."""
    data = saved(make_pdf((WORDS, PAGE)), encryption=pikepdf.Encryption(owner="owner", user="", R=6))
    assert read(data).text == "some words"


@pytest.mark.parametrize("revision", [3, 4, 6])
def test_a_user_password_is_asked_for(make_pdf: Any, revision: int) -> None:
    """Without it the file is encrypted, and the sentence says what to do."""
    encryption = pikepdf.Encryption(owner="o", user="u", R=revision, aes=revision > 3, metadata=revision > 3)  # pyright: ignore[reportArgumentType] - one of the revisions
    data = saved(make_pdf((WORDS, PAGE)), encryption=encryption)
    with pytest.raises(EncryptedError, match="without a password"):
        read(data)


def test_an_encrypted_and_damaged_file_is_encrypted(make_pdf: Any) -> None:
    """The repair does not hide the reason."""
    data = saved(make_pdf((WORDS, PAGE)), encryption=pikepdf.Encryption(owner="o", user="u", R=6))
    with pytest.raises(EncryptedError):
        read(data[: data.rindex(b"startxref")])


def test_a_file_that_pdfium_refuses_is_repaired(make_pdf: Any) -> None:
    """Its catalog does not say that it is one and its pages hang in the air; qpdf finds them."""
    data = make_pdf((WORDS, PAGE)).replace(b"/Type /Pages /Kids", b"/Type /Pagez /Kidz", 1)
    broken = re.sub(rb"/Type /Pagez /Kidz \[[^]]*\]", b"/Type /Pages /Kids [100 0 R 100 0 R 999 0 R]", data)
    with open_pdf(broken, name="test.pdf") as file:
        assert file.pages >= 1
    assert "some words" in read(broken).text


def test_lost_cross_references_are_found_again(make_pdf: Any) -> None:
    """A file cut off before its table is read whole."""
    data = make_pdf((WORDS, PAGE), (WORDS, PAGE))
    assert read(data[: data.index(b"xref\n")]).text.count("some words") == 2


@pytest.mark.parametrize(
    "data",
    [
        b"%PDF-1.7\n",
        b"%PDF-1.7\n%%EOF",
        b"%PDF-1.4\n" + b"\0" * 5000,
        b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\ntrailer << /Root 1 0 R >>",
    ],
)
def test_what_nothing_opens_is_damaged(data: bytes) -> None:
    """The sentence names the file."""
    with pytest.raises(DamagedError, match=r"test\.pdf is damaged"):
        read(data)


def test_a_file_without_bytes_is_empty() -> None:
    """It is not damaged: there is nothing in it."""
    with pytest.raises(EmptyError, match="no bytes"):
        read(b"")


def test_a_page_without_text_is_empty(make_pdf: Any) -> None:
    """A scan without a text layer says what it may be."""
    with pytest.raises(EmptyError, match="holds no text"):
        read(make_pdf(("0 0 300 300 re f", PAGE)))


def test_one_bad_page_never_loses_the_rest(make_pdf: Any) -> None:
    """A page that is no page is flagged; those around it are read, with their own numbers."""
    data = make_pdf((WORDS, PAGE), (WORDS, PAGE), (WORDS, PAGE))
    start = data.index(b"102 0 obj\n<<") + len(b"102 0 obj\n")
    data = (
        data[:start]
        + b"[]"
        + b" " * (data.index(b"endobj", start) - start - 3)
        + data[data.index(b"endobj", start) - 1 :]
    )
    document = read(data)
    assert document.text == "some words\nsome words"
    assert [(layout.page, layout.end > layout.start) for layout in document.layouts] == [
        (1, True), (2, False), (3, True)
    ]  # fmt: skip
    assert [flag.page for flag in document.flags] == [2]


def test_a_tree_of_pages_that_loops_ends(make_pdf: Any) -> None:
    """Its own root among its kids: the pages beside it are read, or it is damaged; either way it ends."""
    data = make_pdf((WORDS, PAGE)).replace(b"/Kids [100 0 R]", b"/Kids [2 0 R 100 0 R]")
    with suppress(DamagedError):
        assert "some words" in read(data).text


def test_a_million_declared_pages_are_too_many(make_pdf: Any) -> None:
    """The count is looked at before the pages are."""
    with pytest.raises(TooLargeError, match="20000 are the most"):
        read(make_pdf((WORDS, PAGE), count=1_000_000))


def test_forms_that_draw_one_another_end(make_pdf: Any) -> None:
    """A form that shows itself is drawn once, or not at all."""
    form = (
        b"<< /Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /XObject << /X 10 0 R >> >> "
        b"/Length 5 >>\nstream\n/X Do\nendstream"
    )
    assert "some words" in read(make_pdf((WORDS + " /X Do", PAGE), objects=(form,))).text


def test_boxes_of_a_billion_do_no_harm(make_pdf: Any) -> None:
    """Letters a billion points wide are off the page; the others are read."""
    content = WORDS + " BT /F 1000000000 Tf 72 600 Td (huge) Tj ET"
    document = read(make_pdf((content, PAGE)))
    assert "some words" in document.text
    assert all(0 <= line.box.x0 < line.box.x1 <= 1 for line in document.layouts[0].lines)
