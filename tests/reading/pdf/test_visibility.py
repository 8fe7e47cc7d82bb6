"""What a reader cannot see gets no box and a flag; what looks hidden and is not keeps its box."""

from __future__ import annotations

from typing import Any

import pytest

from pincite.core.limits import DEFAULT
from pincite.reading.pdf import PdfReader
from pincite.reading.pdf.visibility import BLANK, INKLESS, LAYERED, PALE, TINY, UNDER

PAGE = "/MediaBox [0 0 612 792]"
PLAIN = "plain words that everybody sees"
VISIBLE = f"BT /F 20 Tf 72 700 Td ({PLAIN}) Tj ET\n"
AT = "72 600 Td (secret orders) Tj ET"
UNSEEN = "2 words that cannot be seen on the page: 2 "


def read(data: bytes) -> Any:
    """Read a PDF in this process."""
    return PdfReader().read(data, name="test.pdf", limits=DEFAULT)


def lit(document: Any) -> list[str]:
    """Return the text of the lines that have a box."""
    return [document.text[line.start : line.end] for line in document.layouts[0].lines]


@pytest.mark.parametrize(
    ("hidden", "reason"),
    [
        (f"BT 3 Tr /F 20 Tf {AT} 0 Tr", INKLESS),
        (f"BT 7 Tr /F 20 Tf {AT}", INKLESS),
        (f"1 1 1 rg BT /F 20 Tf {AT}", PALE),
        (f".98 .97 1 rg BT /F 20 Tf {AT}", PALE),
        (f"BT /F .8 Tf {AT}", TINY),
        (f"BT 3 Tr /F 20 Tf {AT.replace('600', '700')}", UNDER),
        (f"1 1 1 rg BT /F 20 Tf {AT.replace('600', '700')}", UNDER),
    ],
    ids=["mode 3", "mode 7", "white", "nearly white", "tiny", "mode 3 over words", "white over words"],
)
def test_unseen_words_have_no_box(make_pdf: Any, hidden: str, reason: str) -> None:
    """They stay in the text, where a person can find out what a page hides; they are in doubt, the page is flagged."""
    document = read(make_pdf((f"{VISIBLE} q {hidden} Q", PAGE)))
    assert "secret orders" in document.text
    assert lit(document) == [PLAIN]
    start = document.text.index("secret")
    assert document.layouts[0].boxes(start, start + 6) == []
    assert [(flag.page, flag.reason) for flag in document.flags] == [(1, UNSEEN + reason)]
    assert [(document.text[d.start : d.end], d.reason) for d in document.doubts] == [
        ("secret orders", reason)
    ]


@pytest.mark.parametrize(
    "shown",
    [
        f"0 0 .4 rg 60 580 300 50 re f 1 1 1 rg BT /F 20 Tf {AT}",
        f"q 0 0 0 rg 72 600 30 10 re 110 600 80 10 re 160 600 60 12 re f Q BT 3 Tr /F 20 Tf {AT}",
        f"BT 1 Tr /F 20 Tf {AT}",
    ],
    ids=["white on blue", "invisible over a scan", "outlined"],
)
def test_words_with_something_to_see_keep_their_box(make_pdf: Any, shown: str) -> None:
    """White on a dark ground and the text layer of a scan are seen."""
    document = read(make_pdf((f"{VISIBLE} q {shown} Q", PAGE)))
    assert lit(document) == [PLAIN, "secret orders"]
    assert document.flags == ()


@pytest.mark.parametrize(("state", "seen"), [("/ON [11 0 R]", True), ("/OFF [11 0 R]", False)])
def test_layers_that_are_off_are_not_seen(make_pdf: Any, state: str, *, seen: bool) -> None:
    """The text of an optional layer has a box while the layer is on."""
    content = f"{VISIBLE} /OC /L BDC BT /F 20 Tf {AT} EMC"
    data = make_pdf(
        (content, PAGE),
        catalog=f"/OCProperties << /OCGs [11 0 R] /D << /Order [] {state} >> >>",
        objects=(b"null", b"<< /Type /OCG /Name (Layer) >>"),
    ).replace(b"/XObject", b"/Properties << /L 11 0 R >> /XObject")
    document = read(data)
    assert lit(document) == ([PLAIN, "secret orders"] if seen else [PLAIN])
    assert [flag.reason for flag in document.flags] == ([] if seen else [UNSEEN + LAYERED])


def test_a_page_of_unseen_words_is_flagged_and_goes_on(make_pdf: Any) -> None:
    """One page without anything to see takes nothing from the next."""
    document = read(make_pdf((f"BT 3 Tr /F 20 Tf {AT}", PAGE), (VISIBLE, PAGE)))
    assert [len(layout.lines) for layout in document.layouts] == [0, 1]
    assert [(flag.page, flag.reason) for flag in document.flags] == [(1, UNSEEN + INKLESS)]


@pytest.mark.parametrize(
    "glued",
    [
        "BT /F 20 Tf 72 600 Td (see) Tj 3 Tr (orders) Tj ET",
        "BT /F 20 Tf 72 600 Td 3 Tr (orders) Tj 0 Tr (see) Tj ET",
    ],
)
def test_unseen_letters_of_a_seen_word_are_in_doubt(make_pdf: Any, glued: str) -> None:
    """What hides right before or after visible letters, without a space, is found; the visible letters are good."""
    document = read(make_pdf((VISIBLE + glued, PAGE)))
    assert [(document.text[d.start : d.end], d.reason) for d in document.doubts] == [("orders", INKLESS)]
    assert "see" in "".join(lit(document)[1:])


# A Type 3 font whose glyphs are as wide as any and draw nothing, as fonts that carry a scan's words do.
BLANK_FONT = (
    b"<< /Type /Font /Subtype /Type3 /FontBBox [0 -200 600 800] /FontMatrix [.001 0 0 .001 0 0] "
    b"/CharProcs << /a 12 0 R >> /Encoding << /Type /Encoding /Differences [32 "
    + b"/a "
    * 95
    + b"] >> /FirstChar 32 /LastChar 126 "
    b"/Widths [" + b"600 " * 95 + b"] /ToUnicode 13 0 R /Resources << >> >>"
)


def blank_font() -> dict[str, Any]:
    """Return what gives a page the font `/B`, which spells and does not draw."""
    rows = b"".join(b"<%02x> <%04x>\n" % (code, code) for code in range(32, 127))
    cmap = (
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def\n"
        b"1 begincodespacerange <00> <ff> endcodespacerange\n95 beginbfchar\n%s endbfchar endcmap end end"
        % rows
    )
    glyph = b"600 0 d0"
    streams = [b"<< /Length %d >>\nstream\n%s\nendstream" % (len(data), data) for data in (glyph, cmap)]
    return {"objects": (b"null", BLANK_FONT, *streams), "fonts": "/B 11 0 R"}


def test_issue4684_a_font_that_draws_nothing(make_pdf: Any) -> None:
    """Its words are in no picture of the page, so they are in doubt; over a scan they are good."""
    content = VISIBLE + f"BT /B 20 Tf {AT}"
    document = read(make_pdf((content, PAGE), **blank_font()))
    assert [(document.text[d.start : d.end], d.reason) for d in document.doubts] == [("secret orders", BLANK)]
    assert lit(document) == [PLAIN]
    scanned = f"q 0 0 0 rg 72 600 30 10 re 110 600 80 10 re 160 600 60 12 re f Q {content}"
    document = read(make_pdf((scanned, PAGE), **blank_font()))
    assert (document.doubts, lit(document)) == ((), [PLAIN, "secret orders"])


def test_jo_pdf_a_font_that_is_not_there(make_pdf: Any) -> None:
    """A font that is not embedded and has no stand-in draws nothing: an outline would be round nothing."""
    font = (
        b"<< /Type /Font /Subtype /Type0 /BaseFont /NoSuchFont /Encoding /Identity-H /DescendantFonts [13 0 R] "
        b"/ToUnicode 12 0 R >>"
    )
    descendant = (
        b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /NoSuchFont /CIDSystemInfo << /Registry (Adobe) "
        b"/Ordering (Identity) /Supplement 0 >> /DW 1000 /FontDescriptor << /Type /FontDescriptor "
        b"/FontName /NoSuchFont /Flags 4 "
        b"/FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >> >>"
    )
    rows = "".join(f"<{0x3000 + i:04x}> <{ord(char):04x}>\n" for i, char in enumerate("日本語"))
    cmap = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def\n"
        f"1 begincodespacerange <0000> <ffff> endcodespacerange\n3 beginbfchar\n{rows} endbfchar endcmap end end"
    ).encode()
    stream = b"<< /Length %d >>\nstream\n%s\nendstream" % (len(cmap), cmap)
    content = VISIBLE + "BT /N 20 Tf 72 600 Td <300030013002> Tj ET"
    document = read(make_pdf((content, PAGE), objects=(b"null", font, stream, descendant), fonts="/N 11 0 R"))
    assert [(document.text[d.start : d.end], d.reason) for d in document.doubts] == [("日本語", BLANK)]


def test_clean_pages_are_not_drawn(make_pdf: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture is made for doubtful words alone."""

    def never(*_args: object, **_options: object) -> None:
        pytest.fail("a page without doubtful words was drawn")

    monkeypatch.setattr("pincite.reading.pdf.visibility.draw", never)
    content = VISIBLE + "BT /F 8 Tf 72 600 Td (small - words. with _ signs) Tj ET"
    assert read(make_pdf((content, PAGE))).flags == ()
