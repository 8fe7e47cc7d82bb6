"""Files that cost whoever reads them more than they are worth, or that hide words from whoever looks at them."""
# ruff: noqa: E501 - a case is read as one row

from __future__ import annotations

import struct
import zlib
from email.message import EmailMessage
from functools import partial

from pincite.testing import _pdfs as pdfs
from pincite.testing import _zips as zips
from pincite.testing._packed import zeros
from pincite.testing.cases import AttackFile, Wants

_REFUSED, _BOUNDED, _FLAGGED = Wants.REFUSED, Wants.BOUNDED, Wants.FLAGGED
_DOCUMENT = "word/document.xml"
_SHEET = "xl/worksheets/sheet1.xml"


def _bombed_document(*, said: int | None = None) -> bytes:
    """Return a Word file of six million paragraphs; `said` is the size that its header tells."""
    piece = "<w:p/>" * 10_000
    return zips.word_file(zips.large(_DOCUMENT, zips.WORD_HEAD, piece, 600, zips.WORD_TAIL, said=said))


def _twice_named() -> bytes:
    parts = [zips.entry(_DOCUMENT, zips.word_text(zips.PARAGRAPH)) for _ in range(2)]
    return zips.word_file(*parts)


def _climbing() -> bytes:
    names = (
        "../../../../home/climbed.txt",
        "/home/climbed.txt",
        "..\\..\\climbed.txt",
        "word/../../climbed.txt",
    )
    return zips.word_file(
        zips.entry(_DOCUMENT, zips.word_text(zips.PARAGRAPH)), more=[zips.entry(name, "climbed") for name in names]
    )  # fmt: skip


def _nested() -> bytes:
    """Return a Word file in a Word file, a hundred deep."""
    inner = b"the end"
    for _ in range(100):
        inner = zips.word_file(
            zips.entry(_DOCUMENT, zips.word_text(zips.PARAGRAPH)),
            zips.entry("word/embeddings/inner.docx", inner),
        )
    return inner


def _laughing() -> bytes:
    """Return a Word file whose entities are ten of the next, nine times over: a thousand million."""
    rows = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    head = f'<?xml version="1.0"?><!DOCTYPE w:document [<!ENTITY l0 "ha">{rows}]>'
    return zips.word_file(
        zips.entry(_DOCUMENT, zips.word_text("<w:p><w:r><w:t>&l9;</w:t></w:r></w:p>", head))
    )


def _foreign_entity() -> bytes:
    head = (
        '<?xml version="1.0"?><!DOCTYPE w:document SYSTEM "http://127.0.0.1:9/a.dtd" '
        '[<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY % y SYSTEM "http://127.0.0.1:9/b.dtd"> %y;]>'
    )
    return zips.word_file(zips.entry(_DOCUMENT, zips.word_text("<w:p><w:r><w:t>&x;</w:t></w:r></w:p>", head)))


def _deep_document() -> bytes:
    deep = "<w:p>" * 200_000 + "</w:p>" * 200_000
    return zips.word_file(zips.entry(_DOCUMENT, zips.word_text(deep)))


def _many_files() -> bytes:
    parts = [zips.entry(f"word/media/{n}", b"") for n in range(60_000)]
    return zips.word_file(zips.entry(_DOCUMENT, zips.word_text(zips.PARAGRAPH)), more=parts)


def _far_cell() -> bytes:
    row = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row><row r="99999999999"><c r="ZZZZZZ1"><v>1</v></c></row>'
    return zips.sheet_file(zips.entry(_SHEET, zips.sheet_rows(row)))


def _many_cells() -> bytes:
    head, tail = zips.sheet_rows("\0").split("\0")
    return zips.sheet_file(zips.large(_SHEET, head, "<row><c><v>1</v></c></row>" * 1_000, 8_000, tail))


def _hidden_words() -> bytes:
    hidden = f"<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>{pdfs.UNSEEN}</w:t></w:r></w:p>"
    return zips.word_file(zips.entry(_DOCUMENT, zips.word_text(zips.PARAGRAPH + hidden)))


def _hidden_elements() -> bytes:
    return (
        f"<!doctype html><html><body><p>{pdfs.SEEN}</p><p style='display:none'>{pdfs.UNSEEN}</p>"
        f"<p hidden>{pdfs.UNSEEN}</p><template>{pdfs.UNSEEN}</template><script>{pdfs.UNSEEN}</script>"
        f"<!-- {pdfs.UNSEEN} --></body></html>"
    ).encode()


def _deep_elements() -> bytes:
    return b"<!doctype html><html><body>" + b"<div>" * 30_000 + b"x"


def _mail_in_mail() -> bytes:
    """Return a mail in a mail, three hundred deep."""
    deep = b"Subject: a\r\n\r\nBackups are kept for 30 days.\r\n"
    for _ in range(300):
        deep = b"Subject: a\r\nContent-Type: message/rfc822\r\n\r\n" + deep
    return deep


def _mail_with_paths() -> bytes:
    mail = EmailMessage()
    mail["Subject"] = "Notes"
    mail["From"] = "ada@docs.example"
    mail.set_content(pdfs.SEEN)
    mail.add_attachment(b"climbed", maintype="text", subtype="plain", filename="../../../../home/climbed.txt")
    return mail.as_bytes()


def _picture(width: int, height: int) -> bytes:
    """Return a PNG that says so many dots, and inflates to 430 MB."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zeros(430)) + chunk(b"IEND", b"")


def _plain(data: bytes) -> bytes:
    return data


def _repeated(head: bytes, piece: bytes, times: int) -> bytes:
    return head + piece * times


ATTACK_FILES = (
    AttackFile("inflating-twice.pdf", "a few kB that inflate to 4 GB", _REFUSED, pdfs.inflating_twice),
    AttackFile("operators.pdf", "100 kB that inflate to 50 MB of text operators, which abort an engine", _BOUNDED, pdfs.operators),
    AttackFile("page-tree-loop.pdf", "a tree of pages with itself as a branch", _BOUNDED, pdfs.page_tree_loop),
    AttackFile("page-tree-doubling.pdf", "thirty branches that make a thousand million pages", _BOUNDED, pdfs.page_tree_doubling),
    AttackFile("declared-pages.pdf", "one page that is said to be a million", _BOUNDED, pdfs.declared_pages),
    AttackFile("huge-box.pdf", "a page a thousand million points wide", _BOUNDED, partial(pdfs.boxed, "[0 0 1000000000 1000000000]")),
    AttackFile("negative-box.pdf", "a page of less than nothing", _BOUNDED, partial(pdfs.boxed, "[612 792 -612 -792]")),
    AttackFile("box-of-no-numbers.pdf", "a page whose box holds no numbers", _BOUNDED, partial(pdfs.boxed, "[(a) /b null 1e999]")),
    AttackFile("box-of-nothing.pdf", "a page without width and height", _BOUNDED, partial(pdfs.boxed, "[0 0 0 0]")),
    AttackFile("cross-reference-loop.pdf", "a table of objects that has itself as the one before", _BOUNDED, partial(pdfs.pdf_file, pdfs.plain(), trailer="/Prev START")),
    AttackFile("forms-in-forms.pdf", "drawings that draw one another", _BOUNDED, pdfs.forms_in_forms),
    AttackFile("forms-doubling.pdf", "24 drawings that are drawn 16 million times", _BOUNDED, pdfs.forms_doubling),
    AttackFile("page-that-stops.pdf", "three pages, the second of which takes for ever", _BOUNDED, pdfs.page_that_stops),
    AttackFile("huge-picture.pdf", "a picture of 900 million dots", _BOUNDED, pdfs.huge_picture),
    AttackFile("deep-arrays.pdf", "brackets in brackets, a hundred thousand deep", _BOUNDED, pdfs.deep_arrays),
    AttackFile("scripted.pdf", "programs that a viewer is asked to run", _BOUNDED, pdfs.scripted),
    AttackFile("font-matrix-code.pdf", "a program in the matrix of a font", _BOUNDED, pdfs.font_matrix_code),
    AttackFile("locked.pdf", "a file that needs a password", _REFUSED, pdfs.locked),
    AttackFile("no-pdf.pdf", "a header and nothing else", _REFUSED, partial(_plain, b"%PDF-1.7\n")),
    AttackFile("unseen-mode.pdf", "words in the mode that paints nothing", _FLAGGED, partial(pdfs.hiding, pdfs.shown(pdfs.UNSEEN, at=(72, 650), before="3 Tr", after="0 Tr")), pdfs.UNSEEN),
    AttackFile("white-on-white.pdf", "words in the colour of the page", _FLAGGED, partial(pdfs.hiding, pdfs.shown(pdfs.UNSEEN, at=(72, 650), before="1 g", after="0 g")), pdfs.UNSEEN),
    AttackFile("off-the-page.pdf", "words beside the page", _FLAGGED, partial(pdfs.hiding, pdfs.shown(pdfs.UNSEEN, at=(72, 2_000))), pdfs.UNSEEN),
    AttackFile("hidden-layer.pdf", "words in a layer that is switched off", _FLAGGED, pdfs.in_a_hidden_layer, pdfs.UNSEEN),
    AttackFile("painted-over.pdf", "words under a white rectangle", _FLAGGED, partial(pdfs.hiding, pdfs.shown(pdfs.UNSEEN, at=(72, 650), after="1 g 60 640 500 30 re f 0 g")), pdfs.UNSEEN),
    AttackFile("paragraphs.docx", "a few kB that inflate to six million paragraphs", _BOUNDED, _bombed_document),
    AttackFile("sizes-that-lie.docx", "the same, said to have ten bytes", _REFUSED, partial(_bombed_document, said=10)),
    AttackFile("same-name-twice.docx", "two main parts, of which programs show one or the other", _REFUSED, _twice_named),
    AttackFile("climbing-names.docx", "files whose names lead out of the folder", _BOUNDED, _climbing),
    AttackFile("link-to-a-file.docx", "a link in place of the text", _REFUSED, lambda: zips.word_file(zips.link(_DOCUMENT, "/etc/passwd"))),
    AttackFile("locked.docx", "a part that needs a password", _REFUSED, lambda: zips.word_file(zips.entry(_DOCUMENT, zips.word_text(zips.PARAGRAPH), flags=1))),
    AttackFile("nested.docx", "a file in a file, a hundred deep", _BOUNDED, _nested),
    AttackFile("many-files.docx", "sixty thousand files in one", _BOUNDED, _many_files),
    AttackFile("entities.docx", "entities of entities, a thousand million in all", _REFUSED, _laughing),
    AttackFile("foreign-entity.docx", "entities that are files of the server's and addresses in its network", _REFUSED, _foreign_entity),
    AttackFile("deep-elements.docx", "paragraphs in paragraphs, two hundred thousand deep", _BOUNDED, _deep_document),
    AttackFile("hidden-words.docx", "words that are set to be hidden", _FLAGGED, _hidden_words, pdfs.UNSEEN),
    AttackFile("no-zip.docx", "the first bytes of a zip", _REFUSED, partial(_plain, b"PK\x03\x04")),
    AttackFile("far-cell.xlsx", "one cell in the last corner of a sheet, and one beyond it", _BOUNDED, _far_cell),
    AttackFile("many-cells.xlsx", "a few hundred kB that inflate to eight million rows", _BOUNDED, _many_cells),
    AttackFile("long-line.csv", "a line of 20 MB in a quotation that never ends", _BOUNDED, partial(_repeated, b'a,b\n"', b"x" * 1_000, 20_000)),
    AttackFile("many-columns.csv", "a row of a million cells", _BOUNDED, partial(_repeated, b"a,b\n", b",", 1_000_000)),
    AttackFile("hidden-elements.html", "words in elements that nobody sees", _FLAGGED, _hidden_elements, pdfs.UNSEEN),
    AttackFile("deep-elements.html", "elements in elements, thirty thousand deep", _BOUNDED, _deep_elements),
    AttackFile("deep-quotations.md", "quotations in quotations, and brackets", _BOUNDED, partial(_repeated, b"> " * 20_000, b"[", 200_000)),
    AttackFile("deep.json", "brackets in brackets, a million deep", _BOUNDED, partial(_repeated, b"", b"[", 1_000_000)),
    AttackFile("long-number.json", "a number of two hundred thousand digits", _BOUNDED, partial(_repeated, b"1", b"7", 200_000)),
    AttackFile("mail-in-mail.eml", "a mail in a mail, three hundred deep", _BOUNDED, _mail_in_mail),
    AttackFile("paths.eml", "an attachment whose name leads out of the folder", _BOUNDED, _mail_with_paths),
    AttackFile("huge.png", "a picture that says 3,600 million dots", _REFUSED, partial(_picture, 60_000, 60_000)),
    AttackFile("no-text.txt", "bytes that are no text in any encoding", _BOUNDED, partial(_repeated, b"\xff\xfe\x00\xd8\x00\x00", b"\xed\xa0\x80\xc0\xaf\xf5", 1_000)),
    AttackFile("marks.txt", "a hundred thousand marks on one letter", _BOUNDED, partial(_repeated, b"e", "\u0301".encode(), 100_000)),
    AttackFile("empty.pdf", "a file without a byte", _REFUSED, partial(_plain, b"")),
    AttackFile("unknown.xyz", "a format that nobody reads", _REFUSED, partial(_plain, b"\x00\x01\x02\x03")),
)  # fmt: skip
"""Files for a reader. Each has to end within the caps: a page in 5 seconds, all of it in 512 MB."""
