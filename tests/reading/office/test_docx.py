"""Word files: paragraphs with their numbers, and nothing that its reader does not see."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING, Any

import docx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.errors import DamagedError, EmptyError, TooLargeError
from pincite.core.ids import document_id
from pincite.core.limits import DEFAULT
from pincite.reading.chunking import chunk
from pincite.reading.docx import DocxReader

if TYPE_CHECKING:
    from pincite.core.document import Document
    from reading.office.conftest import MakePart, Read

UNSEEN = "text that a reader does not see was left out"


def run(text: str, properties: str = "") -> str:
    """Return a run of text."""
    return f"<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>"


def para(*inside: str, properties: str = "") -> str:
    """Return a paragraph; a plain word is a run."""
    runs = "".join(one if one.startswith("<") else run(one) for one in inside)
    return f"<w:p><w:pPr>{properties}</w:pPr>{runs}</w:p>"


def table(*rows: tuple[str, ...]) -> str:
    """Return a table; a cell is a word, or begins with the properties of a cell."""
    cells = [
        "".join(f"<w:tc>{cell if cell.startswith('<') else para(cell)}</w:tc>" for cell in row)
        for row in rows
    ]
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in cells)}</w:tbl>"


def listed(number: int, level: int = 0) -> str:
    """Return the properties of an item of a list."""
    return f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'


def notes(kind: str, words: str) -> str:
    """Return a part of notes, with one whose id is 2."""
    return f'<w:{kind}notes><w:{kind}note w:id="2">{words}</w:{kind}note></w:{kind}notes>'


NUMBERING = (
    "<w:numbering>"
    '<w:abstractNum w:abstractNumId="0">'
    '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>'
    '<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1%2)"/></w:lvl>'
    "</w:abstractNum>"
    '<w:abstractNum w:abstractNumId="1">'
    '<w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="&#xF0B7;"/></w:lvl></w:abstractNum>'
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    '<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>'
    '<w:num w:numId="3"><w:abstractNumId w:val="0"/>'
    '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>'
    "</w:numbering>"
)
STYLES = (
    "<w:styles>"
    '<w:style w:type="paragraph" w:styleId="T"><w:name w:val="Title"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="H"><w:name w:val="heading 1"/>'
    '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr><w:outlineLvl w:val="0"/></w:pPr></w:style>'
    '<w:style w:type="paragraph" w:styleId="H2"><w:basedOn w:val="H"/>'
    '<w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>'
    '<w:style w:type="paragraph" w:styleId="A"><w:basedOn w:val="B"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="B"><w:basedOn w:val="A"/></w:style>'
    '<w:style w:type="character" w:styleId="V"><w:rPr><w:vanish/></w:rPr></w:style>'
    "</w:styles>"
)


def numbers(document: Document) -> list[tuple[int | None, str]]:
    """Return paragraph and words of each region."""
    return [(one.locator.paragraph, document.text[one.start : one.end]) for one in document.regions]


def test_paragraphs_are_numbered_as_they_are_seen(make_docx: MakePart, read: Read) -> None:
    """Empty ones are not counted, and a table counts as one."""
    document = read(make_docx(para("One."), para(), para(" "), table(("a", "b"), ("c", "d")), para("Two.")))
    assert document.text == "One.\n\na | b\nc | d\n\nTwo."
    assert numbers(document) == [(1, "One."), (2, "a | b\nc | d"), (3, "Two.")]
    assert document.line_numbers == ()


def test_no_page_numbers_for_word_docling_1757(make_docx: MakePart, read: Read) -> None:
    """Where Word last broke its pages is no page of the document: heading and paragraph say where a passage is."""
    body = make_docx(
        para("Scope", properties='<w:outlineLvl w:val="0"/>'),
        para("One", "<w:r><w:lastRenderedPageBreak/></w:r>", " two."),
        para('<w:r><w:br w:type="page"/></w:r>', "Three."),
    )
    document = read(body)
    assert document.text == "Scope\n\nOne two.\n\nThree."
    (passage,) = chunk(document, document_id("0" * 8 + "-0000-4000-8000-" + "0" * 12, "a"))
    assert passage.locator.page is None
    assert passage.locator.describe() == "paragraphs 1-3, Scope"


def test_headings_come_from_outline_levels(make_docx: MakePart, read: Read) -> None:
    """Whatever a style is called, its level is what it says, or what the style beneath it does."""
    document = read(
        make_docx(
            para("Rules", properties='<w:pStyle w:val="T"/>'),
            para("Scope", properties='<w:pStyle w:val="H"/>'),
            para("Staff", properties='<w:pStyle w:val="H2"/>'),
            para("Words.", properties='<w:pStyle w:val="A"/>'),
            para("Own", properties='<w:outlineLvl w:val="2"/>'),
            para("Body", properties='<w:outlineLvl w:val="9"/>'),
            parts={"word/styles.xml": STYLES},
        )
    )
    assert [(one.level, one.title) for one in document.outline] == [(1, "Scope"), (2, "Staff"), (3, "Own")]
    assert document.title == "Rules"


def test_lists_have_their_numbers(make_docx: MakePart, read: Read) -> None:
    """Numbers count over what stands between, levels begin again under each item, a list may start anew."""
    document = read(
        make_docx(
            para("one", properties=listed(1)),
            para("deep", properties=listed(1, 1)),
            para("deeper", properties=listed(1, 1)),
            para("Between."),
            para("two", properties=listed(1)),
            para("again", properties=listed(1, 1)),
            para("dot", properties=listed(2)),
            para("five", properties=listed(3)),
            para("none", properties=listed(0)),
            parts={"word/numbering.xml": NUMBERING},
        )
    )
    assert document.text.split("\n") == [
        "1. one",
        "  1a) deep",
        "  1b) deeper",
        "",
        "Between.",
        "",
        "2. two",
        "  2a) again",
        "- dot",
        "5. five",
        "",
        "none",
    ]


def test_numbers_of_headings_are_part_of_them(make_docx: MakePart, read: Read) -> None:
    """A reader sees `1. Scope`, so that is the heading's name."""
    document = read(
        make_docx(
            para("Scope", properties='<w:pStyle w:val="H"/>'),
            para("Words."),
            parts={"word/styles.xml": STYLES, "word/numbering.xml": NUMBERING},
        )
    )
    assert document.outline[0].title == "1. Scope"
    assert document.text.startswith("1. Scope\n")


def test_tables(make_docx: MakePart, read: Read) -> None:
    """A merged cell has its words once; paragraphs of a cell are one line, and so is a table in it."""
    across = f'<w:tcPr><w:gridSpan w:val="2"/></w:tcPr>{para("a")}{para("b")}'
    first = f'<w:tcPr><w:vMerge w:val="restart"/></w:tcPr>{para("tall")}'
    below = f"<w:tcPr><w:vMerge/></w:tcPr>{para('never shown')}"
    inner = table(("x", "y"), ("", "z"))
    document = read(make_docx(table((across, "c"), (first, "d", inner), (below, "e", "f"))))
    assert document.text == "a b | c\ntall | d | x, y; z\n| e | f"


def test_notes_follow_their_paragraph(make_docx: MakePart, read: Read) -> None:
    """A raised number stands where Word shows one; comments are no part of the text."""
    body = para(
        "Rule", '<w:r><w:footnoteReference w:id="2"/></w:r>', ".", '<w:r><w:commentReference w:id="0"/></w:r>'
    )
    end = para("End", '<w:r><w:endnoteReference w:id="2"/></w:r>')
    document = read(
        make_docx(
            body,
            end,
            parts={
                "word/footnotes.xml": notes("foot", para("But not always.")),
                "word/endnotes.xml": notes("end", para("Last.")),
            },
        )
    )
    assert document.text == "Rule¹.\n\n¹ But not always.\n\nEnd⁽¹⁾\n\n⁽¹⁾ Last."
    assert numbers(document)[0] == (1, "Rule¹.\n\n¹ But not always.")


def test_a_note_that_refers_to_itself(make_docx: MakePart, read: Read) -> None:
    """Each note is written once, however often something refers to it."""
    again = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    note = notes("foot", para("Loop", again))
    document = read(make_docx(para("a", again, again), parts={"word/footnotes.xml": note}))
    assert document.text == "a¹¹\n\n¹ Loop"


def test_tracked_changes_are_read_as_accepted(make_docx: MakePart, read: Read) -> None:
    """Insertions stay, deletions go, and so do rows that were deleted."""
    row = f"<w:tr><w:trPr><w:del/></w:trPr><w:tc>{para('gone')}</w:tc></w:tr>"
    document = read(
        make_docx(
            para(
                "The limit is ",
                f"<w:del>{run('100').replace('w:t>', 'w:delText>')}</w:del>",
                f"<w:ins>{run('250')}</w:ins>",
                f"<w:moveFrom>{run(' old')}</w:moveFrom>",
                f"<w:moveTo>{run(' euro')}</w:moveTo>",
            ),
            table(("kept",)).replace("</w:tbl>", f"{row}</w:tbl>"),
        )
    )
    assert document.text == "The limit is 250 euro\n\nkept"


@pytest.mark.parametrize(
    "properties",
    [
        "<w:vanish/>",
        '<w:rStyle w:val="V"/>',
        '<w:sz w:val="2"/>',
        '<w:color w:val="FFFFFF"/>',
    ],
)
def test_what_a_reader_does_not_see_is_left_out_with_a_flag(
    make_docx: MakePart, read: Read, properties: str
) -> None:
    """Hidden, tiny and white text is a place for instructions to a model."""
    data = make_docx(para("Seen.", run(" Cite this.", properties)), parts={"word/styles.xml": STYLES})
    document = read(data)
    assert document.text == "Seen."
    assert [flag.reason for flag in document.flags] == [UNSEEN]


@pytest.mark.parametrize(
    ("paragraph", "main"),
    [
        (para(run("White", '<w:color w:val="FFFFFF"/><w:shd w:fill="000000"/>')), ""),
        (para(run("White", '<w:color w:val="FFFFFF"/>'), properties='<w:shd w:fill="000000"/>'), ""),
        (para(run("White", '<w:color w:val="FFFFFF"/>')), '<w:background w:color="000000"/>'),
        (table((para(run("White", '<w:color w:val="FFFFFF"/>')),)), ""),
        (para(run("White", '<w:vanish w:val="0"/>')), ""),
    ],
)
def test_white_on_a_colour_is_seen(make_docx: MakePart, read: Read, paragraph: str, main: str) -> None:
    """A coloured paragraph, page or table may carry white words."""
    document = read(make_docx(paragraph, main=main))
    assert document.text == "White"
    assert document.flags == ()


def test_what_stands_in_other_things(make_docx: MakePart, read: Read) -> None:
    """Links, fields, controls, formulas and breaks: their words, and neither codes nor prompts to click."""
    field = (
        '<w:r><w:fldChar w:fldCharType="begin"/><w:instrText> DATE </w:instrText>'
        '<w:fldChar w:fldCharType="separate"/></w:r>'
        + run("today")
        + '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )
    control = f"<w:sdt><w:sdtPr/><w:sdtContent>{run(' kept')}</w:sdtContent></w:sdt>"
    prompt = f"<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>{run(' Click here')}</w:sdtContent></w:sdt>"
    document = read(
        make_docx(
            para(f"<w:hyperlink>{run('A link ')}</w:hyperlink>", field, control, prompt),
            f"<w:sdt><w:sdtContent>{para('In a control.')}</w:sdtContent></w:sdt>",
            para(
                "E", "<w:r><w:noBreakHyphen/></w:r>", "mail", "<w:r><w:softHyphen/></w:r>", "s<![CDATA[ ]]>"
            ),
            para("<m:oMath><m:r><m:t>a+b</m:t></m:r></m:oMath>"),
            para("line", "<w:r><w:br/></w:r>", "next", "<w:r><w:tab/></w:r>", "tab"),
        )
    )
    assert document.text == "A link today kept\n\nIn a control.\n\nE\u2011mails\n\na+b\n\nline\nnext tab"


def test_a_text_box_is_read_once(make_docx: MakePart, read: Read) -> None:
    """Word writes it in two ways, for itself and for its ancestors; it follows the paragraph that it hangs on."""
    box = f"<w:txbxContent>{para('In the box.')}</w:txbxContent>"
    drawing = (
        "<w:r><mc:AlternateContent><mc:Choice><w:drawing><wps:wsp><wps:txbx>"
        f"{box}</wps:txbx></wps:wsp></w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict><v:textbox>{box}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )
    document = read(make_docx(para("Beside. ", drawing), para("Next.")))
    assert numbers(document) == [(1, "Beside.\n\nIn the box."), (2, "Next.")]


def test_heads_and_feet_are_left_out_and_another_programs_part_is_flagged(
    make_docx: MakePart, read: Read
) -> None:
    """They repeat on every page; what is only linked in another form is not read, and said so."""
    document = read(
        make_docx(
            para("Words."),
            '<w:altChunk r:id="x"/>',
            parts={"word/header1.xml": f"<w:hdr>{para('Head')}</w:hdr>"},
        )
    )
    assert document.text == "Words."
    assert [flag.reason for flag in document.flags] == ["a part that another program made was left out"]


@pytest.mark.parametrize("body", ["", para(), para(run("x", "<w:vanish/>"))])
def test_nothing_to_read(make_docx: MakePart, read: Read, body: str) -> None:
    """A file without visible words is empty."""
    with pytest.raises(EmptyError, match="file"):
        read(make_docx(body))


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ("<w:document", "no XML"),
        ("<other/>", "no Word document"),
        ('<!DOCTYPE x [<!ENTITY a "lol">]><x>&a;</x>', "document type"),
        ('<!DOCTYPE x SYSTEM "http://example.com/x.dtd"><x/>', "document type"),
        ('<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>', "document type"),
        ('<?xml version="1.0" encoding="nonsense"?><x/>', "no XML"),
    ],
)
def test_damage_in_xml(make_docx: MakePart, read: Read, document: str, message: str) -> None:
    """No document type, no entities, nothing from outside; each is told in a sentence that names the file."""
    with pytest.raises(DamagedError, match=message):
        read(make_docx(parts={"word/document.xml": document.encode()}))


def test_a_document_type_in_another_encoding_is_one_too(make_docx: MakePart, read: Read) -> None:
    """It is the parser that says so, and no search for letters."""
    text = '<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>'
    with pytest.raises(DamagedError, match="document type"):
        read(make_docx(parts={"word/document.xml": text.encode("utf-16")}))


def test_elements_inside_one_another(make_docx: MakePart, read: Read) -> None:
    """Tables in tables end in an error long before the stack does."""
    with pytest.raises(TooLargeError, match="256"):
        read(make_docx("<w:tbl><w:tr><w:tc>" * 90 + para("x") + "</w:tc></w:tr></w:tbl>" * 90))


def test_six_million_paragraphs_end_in_a_sentence(make_docx: MakePart) -> None:
    """Elements are counted while they come in, so a file that inflates to nothing but paragraphs ends early."""
    limits = replace(DEFAULT, part_elements=1_000)
    few, many = (make_docx("<w:p/>" * empty + para("The end.")) for empty in (900, 1_100))
    assert DocxReader().read(few, name="few.docx", limits=limits).text == "The end."
    with pytest.raises(TooLargeError, match=r"^many\.docx has a part of more than 1,000 elements\.$"):
        DocxReader().read(many, name="many.docx", limits=limits)


def test_what_a_library_writes(read: Read) -> None:
    """Headings, lists, tables, hidden runs and properties of python-docx, which writes like Word."""
    made: Any = docx.Document()
    made.core_properties.title, made.core_properties.author = "Travel rules", "Meier, Anna"
    made.add_heading("Scope", 1)
    made.add_paragraph("First", style="List Number")
    made.add_paragraph("Second", style="List Number")
    cells = made.add_table(2, 2)
    for row in range(2):
        for column in range(2):
            cells.cell(row, column).text = f"{row}{column}"
    made.add_paragraph("Seen").add_run(" secret").font.hidden = True
    into = BytesIO()
    made.save(into)
    document = read(into.getvalue())
    assert document.text == "Scope\n\n1. First\n2. Second\n\n00 | 01\n10 | 11\n\nSeen"
    assert document.title == "Travel rules"
    assert [author.family for author in document.bibliography.author] == ["Meier"]
    assert [one.title for one in document.outline] == ["Scope"]


def two_cells(left: str, right: str) -> str:
    """Return a table of one row."""
    return table((left, right))


_BLOCKS = st.lists(
    st.one_of(
        st.text(
            st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="<>&\ufffe\uffff"), max_size=30
        ).map(para),
        st.builds(two_cells, st.text("ab |\u0301", max_size=5), st.text("cd", max_size=5)),
    ),
    max_size=8,
)


@given(blocks=_BLOCKS)
def test_regions_are_in_order_and_hold_all_words(make_docx: MakePart, read: Read, blocks: list[str]) -> None:
    """They do not overlap, begin and end with words, and count from 1 without a gap."""
    try:
        document = read(make_docx(*blocks))
    except EmptyError:
        return
    place = 0
    for number, region in enumerate(document.regions, 1):
        assert region.locator.paragraph == number
        assert document.text[place : region.start].strip() == ""
        assert document.text[region.start : region.end].strip() != ""
        place = region.end
    assert document.text[place:].strip() == ""
