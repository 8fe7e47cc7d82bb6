"""Text that does not match the page: bugs of other projects, each a test named after its report, and their kin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from pdf_maker import PdfMaker
from pincite.core.limits import DEFAULT
from pincite.reading.pdf import PdfReader, open_pdf
from pincite.reading.pdf import _pdfium as pdfium
from pincite.reading.pdf.doubt import SALAD, SHIFTED, UNNAMED
from pincite.reading.pdf.geometry import load_page, page_affine, page_size
from pincite.reading.pdf.objects import page_objects
from pincite.reading.pdf.text import HYPHEN, page_chars
from pincite.reading.pdf.visibility import hide_unseen
from pincite.reading.plain import PlainReader

if TYPE_CHECKING:
    from collections.abc import Sequence

PAGE = "/MediaBox [0 0 612 792]"
CODES = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


@dataclass(frozen=True)
class Read:
    """What was read of a page: its text with line feeds alone, boxes in points, flags and doubts."""

    text: str
    boxes: list[tuple[float, float, float, float]]
    flags: list[str]
    doubts: list[tuple[str, str]]

    def box(self, words: str) -> tuple[float, float, float, float]:
        """Return the box around the first place of some words."""
        start = self.text.index(words)
        parts = [box for box in self.boxes[start : start + len(words)] if box[2] > box[0]]
        return (
            min(b[0] for b in parts),
            min(b[1] for b in parts),
            max(b[2] for b in parts),
            max(b[3] for b in parts),
        )


def read(data: bytes, number: int = 1) -> Read:
    """Read the characters of one page."""
    with open_pdf(data, name="test.pdf") as file:
        page = load_page(file.handle, number - 1)
        text_page = pdfium.load_text(page)
        width, height = page_size(page) or (0.0, 0.0)
        chars = page_chars(text_page, page_affine(page))
        flags = hide_unseen(chars, page, number, height, page_objects(page, most=10_000))
        pdfium.close_text(text_page)
        pdfium.close_page(page)
    kept = [i for i, char in enumerate(chars.text) if char != "\r"]
    boxes = [
        (
            float(chars.x0[i]) * width,
            float(chars.y0[i]) * height,
            float(chars.x1[i]) * width,
            float(chars.y1[i]) * height,
        )
        for i in kept
    ]
    return Read(
        "".join(chars.text[i] for i in kept),
        boxes,
        [flag.reason for flag in flags],
        [(chars.text[start:end], reason) for start, end, reason in chars.doubts],
    )


def to_unicode(glyphs: Sequence[str]) -> bytes:
    """Return a ToUnicode map from the letters of `CODES` to the text of each glyph, as the stream object."""
    rows = "\n".join(
        f"<{ord(code):02x}> <{text.encode('utf-16-be', 'surrogatepass').hex()}>"
        for code, text in zip(CODES, glyphs, strict=False)
    )
    body = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def\n"
        "1 begincodespacerange <00> <ff> endcodespacerange\n"
        f"{len(glyphs)} beginbfchar\n{rows}\nendbfchar endcmap end end"
    )
    return f"<< /Length {len(body)} >>\nstream\n{body}\nendstream".encode()


def mapped(glyphs: Sequence[str]) -> dict[str, Any]:
    """Return what gives a page the font `/M`, in which the letters of `CODES` stand for `glyphs`, 12 wide at 20."""
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /ToUnicode 11 0 R >>"
    return {"objects": (b"null", to_unicode(glyphs), font), "fonts": "/M 12 0 R"}


def shown(make_pdf: Any, *lines: Sequence[str], backwards: bool = False, gap: float = 0.0) -> Read:
    """Read lines of glyphs, given as they stand from left to right; `backwards` writes the right one first."""
    glyphs = sorted({glyph for line in lines for glyph in line if glyph != " "})
    code = {glyph: CODES[i] for i, glyph in enumerate(glyphs)} | {" ": " "}
    content: list[str] = []
    for row, line in enumerate(lines):
        y = 700 - 30 * row
        if backwards:
            places = reversed([(72 + (12 + gap) * i, code[glyph]) for i, glyph in enumerate(line)])
            content += [f"BT /M 20 Tf {x} {y} Td ({char}) Tj ET" for x, char in places]
        else:
            content.append(f"BT /M 20 Tf {gap} Tc 72 {y} Td ({''.join(code[glyph] for glyph in line)}) Tj ET")
    return read(make_pdf(("\n".join(content), PAGE), **mapped(glyphs)))


# Hebrew as it is read; what stands at the left on the page is the last letter.
SHALOM = "שלום"


@pytest.mark.parametrize("backwards", [False, True], ids=["as it looks", "as it is read"])
class TestReadingOrder:
    """zotero#2509, koreader#11244, pdf-inspector#440: where the glyphs stand decides, not how the file holds them."""

    def test_a_hebrew_line(self, make_pdf: Any, *, backwards: bool) -> None:
        """Two words are read from the right, and each letter is boxed where it stands."""
        page = shown(make_pdf, "םלוע םולש", backwards=backwards)
        assert page.text == "שלום עולם"
        assert page.box("ש")[0] == pytest.approx(72 + 8 * 12, abs=0.1)
        assert page.box("עולם")[:1] == pytest.approx((72,), abs=0.1)

    def test_numbers_stand_as_they_are(self, make_pdf: Any, *, backwards: bool) -> None:
        """Digits run to the right inside a line that runs to the left, with the signs that belong to them."""
        page = shown(make_pdf, ".םלוע 1,234.50 םולש", backwards=backwards)
        assert page.text == "שלום 1,234.50 עולם."

    def test_hebrew_dates_and_percents(self, make_pdf: Any, *, backwards: bool) -> None:
        """In Hebrew a sign beside a number is drawn with it; two numbers beside one another are read from the right."""
        assert shown(make_pdf, "12-05-2024 םולש", backwards=backwards).text == "שלום 12-05-2024"
        assert shown(make_pdf, "15% םולש", backwards=backwards).text == "שלום 15%"
        assert shown(make_pdf, "34 12 םולש", backwards=backwards).text == "שלום 12 34"

    def test_arabic_treats_signs_another_way(self, make_pdf: Any, *, backwards: bool) -> None:
        """After an Arabic letter the percent sign of `15%` stands at its left."""
        page = shown(make_pdf, "%15 مالس", backwards=backwards)
        assert page.text == "سلام 15%"

    def test_latin_words_stand_as_they_are(self, make_pdf: Any, *, backwards: bool) -> None:
        """A name with a number in it is one stretch, read from the left."""
        page = shown(make_pdf, "םלוע Room 15 B םולש", backwards=backwards)
        assert page.text == "שלום Room 15 B עולם"

    def test_a_hebrew_word_in_english(self, make_pdf: Any, *, backwards: bool) -> None:
        """The line is English's; the word in it is turned, and the brackets around are as they were."""
        page = shown(make_pdf, "the word (םולש) is old", backwards=backwards)
        assert page.text == "the word (שלום) is old"

    @pytest.mark.parametrize("named", ["by shape", "by use"])
    def test_issue11656_nested_brackets(self, make_pdf: Any, named: str, *, backwards: bool) -> None:
        """Brackets open at the right, whether the font names a glyph by what it looks like or by what it is for."""
        looks = "(]םלוע[ םולש) בוט" if named == "by use" else "([םלוע] םולש) בוט"
        if named == "by use":
            looks = looks.replace("(", "\0").replace(")", "(").replace("\0", ")")
        page = shown(make_pdf, looks, backwards=backwards)
        assert page.text == "טוב (שלום [עולם])"

    def test_bug1175962_letters_beyond_the_first_plane(self, make_pdf: Any, *, backwards: bool) -> None:
        """Phoenician letters are one code point each, and read from the right."""
        word = ["\U00010900", "\U00010901", "\U00010902", "\U00010903"]
        page = shown(make_pdf, word[::-1], backwards=backwards)
        assert page.text == "".join(word)
        assert page.boxes[0][0] == pytest.approx(72 + 36, abs=0.1)

    def test_one_glyph_for_two_letters(self, make_pdf: Any, *, backwards: bool) -> None:
        """Lam-alef is one glyph, whose letters are lam and then alef."""
        page = shown(make_pdf, ["م", "لا", "س"], backwards=backwards)
        assert page.text == "سلام"
        assert page.boxes[1] == page.boxes[2]

    def test_presentation_forms_are_letters(self, make_pdf: Any, *, backwards: bool) -> None:
        """Glyphs that are named by their shape (initial, medial, final) are the letters that a person would type."""
        page = shown(make_pdf, ["\ufee1", "\ufefc", "\ufeb3"], backwards=backwards)
        assert page.text == "سلام"


def test_pdfjs_16754_letters_of_an_ocr_layer_are_one_word(make_pdf: Any) -> None:
    """Letters that were each put by themselves, a little apart, are a word without spaces in it."""
    assert shown(make_pdf, "مالس", backwards=True, gap=1.5).text == "سلام"


def test_issue5677_vowel_marks_follow_their_letters(make_pdf: Any) -> None:
    """A mark that is drawn over a letter comes after it, in a file that holds the line as it looks."""
    codes = mapped(["\u05d1", "\u05b8", "\u05e8"])
    # Bet with qamats over it at the right, resh at the left; the mark has no room of its own.
    content = (
        "BT /M 20 Tf 84 700 Td (A) Tj ET BT /M 20 Tf 84 700 Td (B) Tj ET BT /M 20 Tf 72 700 Td (C) Tj ET"
    )
    assert read(make_pdf((content, PAGE), **codes)).text == "\u05d1\u05b8\u05e8"


def test_killerpdf_170_a_highlight_over_two_lines_follows_the_direction(make_pdf: Any) -> None:
    """From the last word of one line to the first of the next: the left end of one, the right end of the other."""
    page = shown(make_pdf, "םלוע םולש", "בוט םוי")
    assert page.text == "שלום עולם\nיום טוב"
    assert page.box("עולם")[0] == pytest.approx(72, abs=0.1)
    assert page.box("יום")[0] == pytest.approx(72 + 4 * 12, abs=0.1)


def test_right_to_left_on_turned_pages() -> None:
    """Columns of turned writing are read as they would be if the page were turned back."""
    maker = PdfMaker()
    page = maker.page((0, 0, 300, 200))
    page.line("שלום עולם", 100, 150, angle=90)
    found = read(maker.save().data)
    assert found.text == "שלום עולם"


def test_mirrored_letters_of_a_scan_are_read_as_they_stand(make_pdf: Any) -> None:
    """Recognised Hebrew is often written leftwards by a mirrored matrix."""
    content = "BT /M 20 Tf -1 0 0 1 120 700 Tm (ABCD) Tj ET"
    assert read(make_pdf((content, PAGE), **mapped(list(SHALOM)))).text == SHALOM


@pytest.mark.parametrize(
    ("glyphs", "text"), [(["o", "ffi", "c", "e"], "office"), (["f", "i", "\ufb01", "n"], "fifin")]
)
def test_pdfjs_17410_and_6901_a_ligature_is_its_letters(make_pdf: Any, glyphs: list[str], text: str) -> None:
    """The letters of one glyph are all there, and share its box."""
    page = shown(make_pdf, glyphs)
    assert page.text == text
    at = sum(map(len, glyphs[: next(i for i, glyph in enumerate(glyphs) if glyph in {"ffi", "\ufb01"})]))
    assert page.boxes[at] == page.boxes[at + 1]


def test_calypdf_39_what_follows_a_ligature_is_not_shifted(make_pdf: Any) -> None:
    """Three letters in one box do not move the box of the fourth."""
    page = shown(make_pdf, ["o", "ffi", "c", "e"])
    assert page.box("c")[0] == pytest.approx(72 + 24, abs=0.1)


def test_docling_3420_no_space_beside_a_ligature(make_pdf: Any) -> None:
    """A little room round one glyph for `fi` is not the space between two words; a usual one is."""
    wide = "[(ABCD) -170 (E) -170 (FGHDIJ)] TJ"
    words = "[(ABCD) -600 (EJ) -600 (FGHD) -600 (ABCD) -600 (FGHD) -600 (ABCD) -600 (FGHD)] TJ"
    codes = mapped(["v", "e", "r", "i", "\ufb01", "c", "a", "t", "o", "n"])
    page = read(make_pdf((f"BT /M 20 Tf 36 700 Td {wide} 0 -30 Td {words} ET", PAGE), **codes))
    assert page.text == "verification\nveri fin cati veri cati veri cati"


@pytest.mark.parametrize("gap", [3.0, 6.0, 14.0])
@pytest.mark.parametrize("text", ["日本語の文章", "カタカナ"])
def test_pdf_oxide_665_and_koreader_9355_no_space_between_han_and_kana(
    make_pdf: Any, text: str, gap: float
) -> None:
    """Characters that are drawn apart are one run; one that is far away is not."""
    assert shown(make_pdf, text, gap=gap).text == text
    assert shown(make_pdf, text, gap=gap, backwards=True).text == text


def test_spaces_between_han_and_latin_stay(make_pdf: Any) -> None:
    """A space that the file has is one, and so is wide room."""
    assert shown(make_pdf, "日本 PDF 語").text == "日本 PDF 語"


def test_hypothesis_7096_one_normal_form_on_both_sides(make_pdf: Any) -> None:
    """Letters and marks apart in a PDF, composed in a text file: both documents say the same, so a quote fits both."""
    content = make_pdf(("BT /M 20 Tf 72 700 Td (ABAC) Tj ET", PAGE), **mapped(["e", "\u0301", "\u0308"]))
    page = PdfReader().read(content, name="test.pdf", limits=DEFAULT)
    plain = PlainReader().read("e\u0301e\u0308".encode(), name="test.txt", limits=DEFAULT)
    assert page.text == plain.text == "\u00e9\u00eb"


def test_ocrmypdf_1744_ligatures_of_an_ocr_layer_are_kept() -> None:
    """Words with fi and ff in the layer over a scan are read whole, with the places that the layer gives them."""
    maker = PdfMaker()
    maker.page((0, 0, 300, 200)).scan(["the office of finding"], layer=True)
    document = PdfReader().read(maker.save().data, name="test.pdf", limits=DEFAULT)
    assert document.text == "the office of finding"
    assert document.layouts[0].lines


def test_thai_has_no_space_that_nobody_set(make_pdf: Any) -> None:
    """Room between two letters makes no space; marks stay with their letters and in their order."""
    assert shown(make_pdf, list("ภาษาไทย"), gap=4.0).text == "ภาษาไทย"
    assert shown(make_pdf, ["ท", "\u0e35", "\u0e48"]).text == "ท\u0e35\u0e48"


def test_hangul_keeps_its_spaces(make_pdf: Any) -> None:
    """Korean is written with spaces, also where the file has none."""
    content = "BT /M 20 Tf 72 700 Td [(AB) -600 (CD)] TJ ET"
    assert read(make_pdf((content, PAGE), **mapped(list("한국말이")))).text == "한국 말이"


@pytest.mark.parametrize("shift", ["0.4 0", "1 -1", "0.2 0.5"])
def test_issue_71_glyphs_drawn_twice_are_one(make_pdf: Any, shift: str) -> None:
    """Bold writing and shadows, drawn after the whole page: each word is there once, and double letters stay double."""
    lines = " 0 -14 Td ".join(f"(committee number {i} will see all) Tj" for i in range(12))
    once = f"BT /F 10 Tf 72 700 Td {lines} ET\n"
    page = read(make_pdf((f"{once} q 1 0 0 1 {shift} cm {once} Q", PAGE)))
    assert page.text.strip() == "\n".join(f"committee number {i} will see all" for i in range(12))


def test_the_same_words_beside_one_another_are_two(make_pdf: Any) -> None:
    """Only what stands in the same place is one: `bye bye`, rows of figures."""
    page = read(
        make_pdf(("BT /F 10 Tf 72 700 Td (bye bye 1111 1111) Tj 0 -12 Td (bye bye 1111 1111) Tj ET", PAGE))
    )
    assert page.text == "bye bye 1111 1111\nbye bye 1111 1111"


@pytest.mark.parametrize(("angle", "upright"), [(90, False), (180, True), (270, False)])
def test_playa_20_turned_glyphs_have_all_four_corners(angle: int, *, upright: bool) -> None:
    """A turned word's box is as long as the word and as high as its line, whichever way it runs."""
    maker = PdfMaker()
    maker.page((0, 0, 300, 200)).line("word", 150, 100, size=20, angle=angle, font="courier")
    (word,) = maker.words
    x0, y0, x1, y1 = read(maker.save().data).box("word")
    box = word.boxes[0]
    assert (x0, y0, x1, y1) == pytest.approx(
        (box.x0 * 300, box.y0 * 200, box.x1 * 300, box.y1 * 200), abs=1.5
    )
    assert (x1 - x0 > y1 - y0) is upright


def test_dart_pdf_9_words_of_diagonal_text_have_their_own_boxes() -> None:
    """Each word of a slanted line is boxed by itself, far smaller than the whole line."""
    maker = PdfMaker()
    maker.page((0, 0, 300, 300)).line("one two three", 40, 250, size=20, angle=45)
    page = read(maker.save().data)
    for word in maker.words:
        box = page.box(word.text)
        assert box[0] == pytest.approx(word.boxes[0].x0 * 300, abs=2)
        assert box[2] - box[0] < 80


def test_a_line_ends_where_the_writing_goes_elsewhere(make_pdf: Any) -> None:
    """Turned writing right after a line is no part of its last word."""
    content = (
        "BT /F 20 Tf -1 0 0 -1 400 400 Tm (Head over) Tj ET BT /F 20 Tf 0 -1 1 0 300 700 Tm (Down it) Tj ET"
    )
    assert read(make_pdf((content, PAGE))).text == "Head over\nDown it"


def test_a_glyph_named_fffe_is_no_hyphen(make_pdf: Any) -> None:
    """PDFium writes U+FFFE for a hyphen that it joined; a font that says so of a glyph says nothing."""
    page = shown(make_pdf, ["a", "b", "\ufffe", "c"])
    assert HYPHEN not in page.text
    assert page.doubts == [("ab\ufffdc", UNNAMED)]


def test_a_hyphen_at_a_line_s_end_is_pdfium_s(make_pdf: Any) -> None:
    """The mark stays for the layout to join the word."""
    page = read(make_pdf(("BT /F 10 Tf 72 700 Td (exam-) Tj 0 -12 Td (ples here) Tj ET", PAGE)))
    assert HYPHEN in page.text


@pytest.mark.parametrize(
    ("glyph", "text"),
    [
        ("\u00a0", "a b"), ("\u00ad", "a-b"), ("\u202e", "ab"),
        ("\u200b", "ab"), ("\ufeff", "ab"), ("\u200c", "a\u200cb"),
    ],
)  # fmt: skip
def test_characters_that_show_nothing_or_something_else(make_pdf: Any, glyph: str, text: str) -> None:
    """Spaces are spaces, a drawn soft hyphen is a hyphen, what directs other writing is left out."""
    assert shown(make_pdf, ["a", glyph, "b"]).text == text


def test_letters_of_tags_are_no_text(make_pdf: Any) -> None:
    """Unicode's invisible copies of the ASCII letters carry orders that no reader sees."""
    page = shown(make_pdf, ["o", "k", " ", *(chr(0xE0000 + ord(char)) for char in "obey")])
    assert page.text == "ok \ufffd\ufffd\ufffd\ufffd"
    assert page.doubts == [("\ufffd\ufffd\ufffd\ufffd", UNNAMED)]


def test_bullets_of_symbol_fonts_are_bullets(make_pdf: Any) -> None:
    """Word's bullets have a number of their own in Symbol and Wingdings; they put no passage in doubt."""
    page = shown(make_pdf, ["\uf0b7", " ", "i", "t"])
    assert (page.text, page.doubts, page.flags) == ("\u2022 it", [], [])


def test_letters_without_a_name_are_in_doubt(make_pdf: Any) -> None:
    """A word with a private glyph in it is doubtful; the words beside it are not."""
    page = shown(make_pdf, ["o", "f", "\ue123", "e", " ", "a", "t"])
    assert page.doubts == [("of\ue123e", UNNAMED)]


TEXT = (
    "the committee and the board will meet in the hall on the first day of the month to vote on the plan that was "
    "sent to them for this year"
)


def test_habibi_rotated_glyphs_to_which_the_map_gives_nothing(make_pdf: Any) -> None:
    """PDFium gives the numbers of such glyphs for letters, which look like Greek: the word is in doubt, and flagged."""
    body = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def\n"
        "1 begincodespacerange <0000> <ffff> endcodespacerange\n"
        "4 beginbfchar\n<03f2> <>\n<0392> <>\n<03f4> <>\n<0041> <0061>\nendbfchar endcmap end end"
    )
    objects = (
        b"null",
        f"<< /Length {len(body)} >>\nstream\n{body}\nendstream".encode(),
        (
            b"<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [13 0 R] "
            b"/ToUnicode 11 0 R >>"
        ),
        (
            b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /DW 600 /FontDescriptor 14 0 R "
            b"/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>"
        ),
        (
            b"<< /Type /FontDescriptor /FontName /X /Flags 4 /FontBBox [0 -200 600 800] /ItalicAngle 0 /Ascent 800 "
            b"/Descent -200 /CapHeight 600 /StemV 80 >>"
        ),
    )
    content = "BT /M 20 Tf 72 700 Td <004100410041> Tj 60 0 Td <03f2039203f4039203f203f4> Tj ET"
    page = read(make_pdf((content, PAGE), objects=objects, fonts="/M 12 0 R"))
    ((word, reason),) = page.doubts
    assert reason == UNNAMED
    assert word not in page.text.split()[0]
    assert page.text.split()[0] == "aaa"
    assert page.flags == ["6 glyphs with unknown characters"]


def test_greek_that_its_font_names_is_not_in_doubt(make_pdf: Any) -> None:
    """The same letters from a font that says so."""
    page = shown(make_pdf, list("ϲΒϴΒϲϴ"))
    assert page.doubts == []
    assert page.flags == []


@pytest.mark.parametrize("by", [3, -29, 1])
def test_pdf_inspector_118_and_122_letters_moved_by_a_constant(make_pdf: Any, by: int) -> None:
    """`WKH ERDUG` for `THE BOARD`: what it spells is no text, and says so."""
    codes = sorted(set(TEXT) - {" "})
    wrong = mapped([chr(ord(char) + by) for char in codes])
    content = "".join(CODES[codes.index(char)] if char != " " else " " for char in TEXT)
    rows = " 0 -14 Td ".join(f"({content[i : i + 60]}) Tj" for i in range(0, len(content), 60))
    page = read(make_pdf((f"BT /M 10 Tf 72 700 Td {rows} ET", PAGE), **wrong))
    assert {reason for _, reason in page.doubts} == {SHIFTED}
    assert any(SHIFTED in flag for flag in page.flags)


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        (
            "Der Vorstand hat im Mai beschlossen, dass die Reisekosten erst nach der Reise erstattet werden und dass "
            "jede Rechnung im Original vorliegen muss"
        ),
        (
            "Rzeczpospolita Polska dba o bezpieczenstwo obywateli oraz strzeze dziedzictwa narodowego i zapewnia "
            "ochrone srodowiska kierujac sie zasada zrownowazonego rozwoju"
        ),
        (
            "Item A-113 48,20 Item B-207 17,90 Item C-118 220,00 Item D-912 8,15 Item E-404 19,99 Item F-500 75,00 "
            "Item G-618 12,00 Item H-777 30,30"
        ),
        "Suomen hallitus paatti torstaina etta kunnat saavat lisaa rahaa kouluille seka paivakodeille ensi vuonna",
        (
            "Xerxes Quixote Fjord Glyph Vext Nymph Sphinx Quartz Judge Vow Waltz Bad Cwm Zephyr Jackdaws Quick Lynx "
            "Vixen Jumps Boxing Wizards Pangram"
        ),
    ],
)
def test_good_text_is_not_taken_for_moved_letters(make_pdf: Any, text: str) -> None:
    """Languages, tables and lists of names are what they are."""
    rows = " 0 -14 Td ".join(f"({text[i : i + 70]}) Tj" for i in range(0, len(text), 70))
    page = read(make_pdf((f"BT /F 10 Tf 72 700 Td {rows} ET", PAGE)))
    assert (page.doubts, page.flags) == ([], [])


def test_pdfjs_4297_only_the_wrong_font_is_in_doubt(make_pdf: Any) -> None:
    """One font of a page may be wrong: its words are in doubt, the others are good."""
    codes = sorted(set(TEXT) - {" "})
    wrong = mapped([chr(ord(char) + 3) for char in codes])
    content = "".join(CODES[codes.index(char)] if char != " " else " " for char in TEXT)
    rows = " 0 -14 Td ".join(f"({content[i : i + 60]}) Tj" for i in range(0, len(content), 60))
    good = "BT /F 10 Tf 72 500 Td (Invoice Nr 12345 Springfield Avenue) Tj ET"
    page = read(make_pdf((f"BT /M 10 Tf 72 700 Td {rows} ET {good}", PAGE), **wrong))
    assert page.doubts
    assert not any("Invoice" in words for words, _ in page.doubts)


def test_issue20232_cyrillic_that_is_named_hangul(make_pdf: Any) -> None:
    """Korean syllables of which none is a common one are no Korean."""
    wrong = [chr(0xB400 + 37 * i) for i in range(30)]
    line = "".join(wrong[(7 * i) % 30] for i in range(40))
    assert {reason for _, reason in shown(make_pdf, line, line[::-1]).doubts} == {SHIFTED}
    true = "이것은한국어로쓴문장이다우리는모두그것을읽을수있다그리고다시쓴다"
    assert shown(make_pdf, true, true).doubts == []


def test_a_salad_of_scripts_is_in_doubt(make_pdf: Any) -> None:
    """Words that mix Greek, Hangul and Thai letters come from a wrong map; `μm` and `日本PDF` do not."""
    line = "aกβ한 กx한 βฉb 한ก"
    assert {reason for _, reason in shown(make_pdf, line).doubts} == {SALAD}
    assert shown(make_pdf, "5μm 日本PDF Ωm αβ").doubts == []


def test_pymupdf_1943_a_type3_font_without_a_map(make_pdf: Any) -> None:
    """Its glyphs have no names: they are flagged, and the rest of the page is read."""
    nameless = [chr(code) for code in range(1, 9)]
    codes = mapped(nameless)
    content = "BT /M 20 Tf 72 700 Td (ABCDEFGH) Tj ET BT /F 20 Tf 72 600 Td (read this) Tj ET"
    page = read(make_pdf((content, PAGE), **codes))
    assert page.text.endswith("read this")
    assert page.flags == ["8 glyphs with unknown characters"]
    assert [reason for _, reason in page.doubts] == [UNNAMED]


def test_words_in_a_form_that_the_page_draws(make_pdf: Any) -> None:
    """Text inside a form XObject is boxed where it is drawn, as often as it is drawn."""
    form = b"BT /F 20 Tf 0 0 Td (inside) Tj ET"
    entries = b"/Type /XObject /Subtype /Form /BBox [0 -10 200 30] /Resources << /Font << /F 3 0 R >> >>"
    stream = b"<< %s /Length %d >>\nstream\n%s\nendstream" % (entries, len(form), form)
    content = "q 1 0 0 1 72 600 cm /X Do Q q .5 0 0 .5 300 400 cm /X Do Q"
    page = read(make_pdf((content, PAGE), objects=(stream,)))
    assert page.text == "inside\ninside"
    assert page.box("inside")[0] == pytest.approx(72, abs=0.1)
    assert page.boxes[-1][2] == pytest.approx(300 + 36, abs=0.1)
