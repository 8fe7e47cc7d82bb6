"""Headings come from the outline, else the tags, else the type; running headers are none."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pincite.core.limits import DEFAULT
from pincite.reading.pdf import PdfReader

PAGE = "/MediaBox [0 0 612 792]"


def read(data: bytes, name: str = "test.pdf") -> Any:
    """Read a PDF in this process."""
    return PdfReader().read(data, name=name, limits=DEFAULT)


def shown(size: float, y: float, text: str) -> str:
    """Return the content that shows a line."""
    return f"BT /F {size} Tf 72 {y} Td ({text}) Tj ET\n"


BODY = "".join(shown(10, 600 - 12 * i, f"Some body text of line number {i} here") for i in range(20))


def found(document: Any) -> list[tuple[str, int, str]]:
    """Return title, level and the text at the start of each heading."""
    return [(h.title, h.level, document.text[h.start : h.start + len(h.title)]) for h in document.outline]


def outline_objects(*entries: tuple[str, int, str]) -> tuple[bytes, ...]:
    """Return an outline of (title, page object, rest of the destination), all on one level."""
    last = 11 + len(entries)
    objects = [
        b"null",
        f"<< /Type /Outlines /First 12 0 R /Last {last} 0 R /Count {len(entries)} >>".encode(),
    ]
    for i, (title, page, rest) in enumerate(entries):
        around = f"/Prev {11 + i} 0 R " * (i > 0) + f"/Next {13 + i} 0 R " * (i + 1 < len(entries))
        objects.append(
            f"<< /Title ({title}) /Parent 11 0 R {around}/Dest [{page} 0 R {rest}] >>".encode("latin-1")
        )
    return tuple(objects)


def test_outline_entries_find_their_words(make_pdf: Any) -> None:
    """The section begins where the title's words stand, not in the running header that says the same."""
    page = shown(10, 780, "Expenses") + shown(10, 640, "Expenses") + BODY
    data = make_pdf(
        (page, PAGE),
        (shown(10, 780, "Expenses") + shown(10, 640, "2.1 Meals") + BODY, PAGE),
        catalog="/Outlines 11 0 R",
        objects=outline_objects(("Expenses", 100, "/Fit"), ("Meals", 102, "/Fit")),
    )
    document = read(data)
    assert found(document)[0] == ("Expenses", 1, "Expenses")
    # The header of both pages is left out, so the title's words are there once.
    assert [document.outline[0].start] == [at.start() for at in re.finditer("Expenses", document.text)]
    assert document.text[document.outline[1].start :].startswith("2.1 Meals")


def test_outline_place_decides_between_two(make_pdf: Any) -> None:
    """Where a page has the same heading twice, the bookmark's place tells which is meant."""
    page = (
        shown(10, 700, "Notes") + shown(10, 650, "first") + shown(10, 400, "Notes") + shown(10, 350, "second")
    )
    data = make_pdf(
        (page, PAGE),
        catalog="/Outlines 11 0 R",
        objects=outline_objects(("Notes", 100, "/XYZ 0 712 0"), ("Notes", 100, "/XYZ 0 412 0")),
    )
    document = read(data)
    assert [h.start for h in document.outline] == [0, document.text.rindex("Notes")]


def test_outline_without_its_words_points_at_its_place(make_pdf: Any) -> None:
    """A bookmark whose words are not on the page begins at the first line at or below its place, else with the page."""
    page = shown(10, 700, "above") + shown(10, 400, "below")
    data = make_pdf(
        (page, PAGE),
        (page, PAGE),
        catalog="/Outlines 11 0 R",
        objects=outline_objects(("Other", 100, "/XYZ 0 500 0"), ("Another", 102, "/Fit")),
    )
    document = read(data)
    assert document.text[document.outline[0].start :].startswith("below")
    assert document.outline[1].start == document.layouts[1].start


def test_outline_that_loops_ends(make_pdf: Any) -> None:
    """An entry that is its own next, and a child that is its own parent, are read once."""
    objects = (
        b"null",
        b"<< /First 12 0 R /Last 12 0 R >>",
        b"<< /Title (One) /Parent 11 0 R /Next 12 0 R /First 13 0 R /Last 13 0 R /Dest [100 0 R /Fit] >>",
        b"<< /Title (Two) /Parent 12 0 R /First 12 0 R /Next 13 0 R /Dest [100 0 R /Fit] >>",
    )
    document = read(make_pdf((BODY, PAGE), catalog="/Outlines 11 0 R", objects=objects))
    assert [(h.title, h.level) for h in document.outline] == [("One", 1), ("Two", 2)]


def test_tags_give_headings_where_there_is_no_outline(make_pdf: Any) -> None:
    """H1 and H2 of a tagged PDF are headings in the type of the body, too."""
    content = (
        "/H1 << /MCID 0 >> BDC " + shown(10, 700, "First") + "EMC /P << /MCID 1 >> BDC "
        + shown(10, 680, "A line of text") + "EMC /H2 << /MCID 2 >> BDC " + shown(10, 660, "Second") + "EMC"
    )  # fmt: skip
    elements = [("H1", 0), ("P", 1), ("H2", 2)]
    kids = " ".join(f"{13 + i} 0 R" for i in range(len(elements)))
    objects = (
        b"null",
        b"<< /Type /StructTreeRoot /K 12 0 R /ParentTree << /Nums [0 [13 0 R 14 0 R 15 0 R]] >> >>",
        f"<< /Type /StructElem /S /Document /P 11 0 R /K [{kids}] >>".encode(),
        *(
            f"<< /Type /StructElem /S /{kind} /P 12 0 R /Pg 100 0 R /K {content_id} >>".encode()
            for kind, content_id in elements
        ),
    )
    data = make_pdf(
        (content, f"{PAGE} /StructParents 0"),
        catalog="/StructTreeRoot 11 0 R /MarkInfo << /Marked true >>",
        objects=objects,
    )
    assert found(read(data)) == [("First", 1, "First"), ("Second", 2, "Second")]


def test_larger_type_gives_headings(make_pdf: Any) -> None:
    """The largest is level 1; two lines of one heading are one; long text in large type is none; nor is a figure."""
    first = (
        shown(24, 740, "The Handbook")
        + shown(14, 700, "A heading that goes on")
        + shown(14, 684, "in a second line")
        + BODY
        + shown(24, 100, "42")
    )
    second = shown(14, 700, "Another") + BODY + shown(14, 200, "long " * 40)
    document = read(make_pdf((first, PAGE), (second, f"{PAGE[:-1].replace('612', '6120')}]")))
    assert [(h.title, h.level) for h in document.outline] == [
        ("The Handbook", 1),
        ("A heading that goes on in a second line", 2),
        ("Another", 2),
    ]
    assert document.headings_at(document.text.rindex("Some body")) == ("The Handbook", "Another")


def test_size_is_what_the_reader_sees(make_pdf: Any) -> None:
    """A font of one unit that its matrix makes 20 points is as large as one of 20 points."""
    content = "BT /F 1 Tf 20 0 0 20 72 700 Tm (Scaled heading) Tj ET\n" + BODY
    assert found(read(make_pdf((content, PAGE)))) == [("Scaled heading", 1, "Scaled heading")]


def test_running_headers_are_no_headings(make_pdf: Any) -> None:
    """What stands in the same place on page after page is none, though its page number differs and it is large."""
    pages = [
        (shown(16, 760, f"Annual report   page {n}") + shown(14, 700, f"{name} matters") + BODY, PAGE)
        for n, name in enumerate(("Money", "People", "Other"), 1)
    ]
    document = read(make_pdf(*pages))
    assert [h.title for h in document.outline] == ["Money matters", "People matters", "Other matters"]
    assert "Annual report" not in document.text


@pytest.mark.parametrize(
    ("given", "title"),
    [
        ("The Staff Handbook", "The Staff Handbook"),
        ("Microsoft Word - draft 3.doc", "Largest line"),
        ("untitled", "Largest line"),
        ("report.indd", "Largest line"),
        ("10811.exe", "Largest line"),
        ("C:\\\\\\\\temp\\\\\\\\x", "Largest line"),
        ("---", "Largest line"),
        ("", "Largest line"),
    ],
)
def test_title_of_the_metadata_if_it_is_one(make_pdf: Any, given: str, title: str) -> None:
    """What programs write by themselves is no title: then it is what the first page sets largest."""
    data = make_pdf(
        (shown(20, 720, "Largest line") + BODY, PAGE),
        objects=(b"null", f"<< /Title ({given}) >>".encode()),
        trailer="/Info 11 0 R",
    )
    assert read(data).title == title


def test_title_of_last_resort_is_the_file_name(make_pdf: Any) -> None:
    """Without metadata and headings the file's name without its ending is the title."""
    assert read(make_pdf((BODY, PAGE)), name="minutes 2026.pdf").title == "minutes 2026"


def test_page_labels_are_kept_beside_the_number(make_pdf: Any) -> None:
    """Printed labels may repeat: they are shown, never counted with."""
    data = make_pdf(
        *[(BODY, PAGE)] * 5,
        catalog="/PageLabels << /Nums [0 << /S /r /St 3 >> 2 << /S /D >> 4 << /S /D >>] >>",
    )
    assert [frame.label for frame in read(data).pages] == ["iii", "iv", "1", "2", "1"]


BOLD: dict[str, Any] = {
    "objects": (b"null", b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier-Bold >>"),
    "fonts": "/B 11 0 R",
}


def test_bold_lines_in_the_size_of_the_body_are_headings(make_pdf: Any) -> None:
    """A bold line that is a paragraph of its own is one; bold words in a sentence, and at its start, are none."""
    heading = "BT /B 10 Tf 72 660 Td (Money matters) Tj ET\n"
    bold = "/B 10 Tf 96 0 Td ( bold words) Tj /F 10 Tf 66 0 Td"
    inside = f"BT /F 10 Tf 72 200 Td (A sentence with) Tj {bold} ( in it) Tj ET\n"
    ended = "BT /B 10 Tf 72 120 Td (A bold sentence that has an end.) Tj ET\n"
    document = read(make_pdf((heading + BODY + inside + ended, PAGE), **BOLD))
    assert found(document) == [("Money matters", 1, "Money matters")]


def test_numbers_tell_the_level_of_headings(make_pdf: Any) -> None:
    """A part of a part is one level down, in the same bold type; without bold, a number of two parts is enough."""
    bold = "BT /B 10 Tf 72 700 Td (2 Money) Tj 0 -30 Td (2.1 Wages) Tj ET\n"
    plain = shown(10, 300, "2.2 Expenses") + shown(10, 270, "text that follows it here")
    document = read(make_pdf((bold + BODY, PAGE), (plain, PAGE), **BOLD))
    assert [(title, level) for title, level, _ in found(document)] == [
        ("2 Money", 1),
        ("2.1 Wages", 2),
        ("2.2 Expenses", 3),
    ]


def test_lines_of_contents_are_no_headings(make_pdf: Any) -> None:
    """A numbered line that leads to a page's number stands in a table of contents."""
    lines = shown(10, 700, "2.1 Wages . . . . . . . 14") + shown(10, 660, "2.2 Expenses   17") + BODY
    assert read(make_pdf((lines, PAGE))).outline == ()
